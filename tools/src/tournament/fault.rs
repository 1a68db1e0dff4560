//! What engines do wrong.

use std::fmt;

use sakmak_movegen::Color;
use serde::{Deserialize, Serialize};

/// A fault that loses a game (or, at the start, keeps a match from being played).
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Fault {
    /// The program cannot be run.
    NoStart(String),
    /// No answer to `uci`.
    NoUciok,
    /// It does not offer the variant.
    NoVariant {
        /// The variant.
        variant: String,
        /// The variants its option `UCI_Variant` offers; none if it has no such option.
        offered: Option<Vec<String>>,
    },
    /// It has no such option.
    NoOption(String),
    /// No answer to `isready`.
    NoReadyok,
    /// It ended, with this status.
    Crash(String),
    /// It closed its input or output but lives on.
    Silence,
    /// A move the rules do not allow.
    IllegalMove(String),
    /// A `bestmove` that is none.
    NoMove(String),
    /// It moved too late, by so many milliseconds.
    Late(u64),
    /// It did not move at all.
    Hang,
}

/// Variants named in a message; Fairy-Stockfish offers over a hundred.
const MOST_LISTED: usize = 12;

impl Fault {
    /// The value of PGN's `Termination` tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Self::IllegalMove(_) | Self::NoMove(_) => "rules infraction",
            Self::Late(_) | Self::Hang => "time forfeit",
            _ => "abandoned",
        }
    }

    /// Whether another start of the engine can mend it.
    pub fn may_pass(&self) -> bool {
        !matches!(self, Self::NoVariant { .. } | Self::NoOption(_))
    }

    /// Whether the engine must be started anew.
    pub fn needs_restart(&self) -> bool {
        !matches!(self, Self::Late(_))
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::NoStart(why) => write!(f, "cannot be started ({why})"),
            Self::NoUciok => f.write_str("does not answer uci"),
            Self::NoVariant { variant, offered: None } => {
                write!(f, "does not play {variant}: without an option UCI_Variant it plays chess only")
            }
            Self::NoVariant { variant, offered: Some(offered) } => {
                let listed = &offered[..offered.len().min(MOST_LISTED)];
                write!(f, "does not play {variant}: its UCI_Variant offers {}", listed.join(", "))?;
                match offered.len() - listed.len() {
                    0 if listed.is_empty() => f.write_str("nothing"),
                    0 => Ok(()),
                    more => write!(f, " and {more} more"),
                }
            }
            Self::NoOption(name) => write!(f, "has no option {name}"),
            Self::NoReadyok => f.write_str("does not answer isready"),
            Self::Crash(status) => write!(f, "ended ({status})"),
            Self::Silence => f.write_str("closed the connection"),
            Self::IllegalMove(text) => write!(f, "made an illegal move: {text}"),
            Self::NoMove(text) if text.is_empty() => f.write_str("gave no move"),
            Self::NoMove(text) => write!(f, "gave no move: {text}"),
            Self::Late(ms) => write!(f, "lost on time by {ms} ms"),
            Self::Hang => f.write_str("did not move"),
        }
    }
}

/// A fault and where it happened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct FaultReport {
    /// Number of the game, from 1.
    pub game: u64,
    /// The engine.
    pub engine: String,
    /// Its colour: `white` or `black`.
    pub color: String,
    /// What it did.
    pub fault: String,
    /// The last lines that went both ways.
    pub dialogue: Vec<String>,
}

impl FaultReport {
    /// A report of `fault`.
    pub fn new(game: u64, engine: &str, color: Color, fault: &Fault, dialogue: Vec<String>) -> Self {
        Self { game, engine: engine.to_owned(), color: color.to_string(), fault: fault.to_string(), dialogue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_variant_is_reported_with_those_offered() {
        let text = |offered: Option<Vec<String>>| {
            Fault::NoVariant { variant: "makruk".to_owned(), offered }.to_string()
        };
        assert_eq!(text(None), "does not play makruk: without an option UCI_Variant it plays chess only");
        let names = |number: usize| Some((1..=number).map(|n| format!("v{n}")).collect());
        assert_eq!(text(names(2)), "does not play makruk: its UCI_Variant offers v1, v2");
        assert!(text(names(0)).ends_with("offers nothing"));
        assert!(text(names(15)).ends_with("v11, v12 and 3 more"));
    }
}
