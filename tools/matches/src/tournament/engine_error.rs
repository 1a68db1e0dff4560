//! Errors of engines, in games and at their start.

use sakmak_movegen::Color;
use serde::{Deserialize, Serialize};
use thiserror::Error;

/// An engine's error that loses the game or, at the start, prevents the match.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EngineError {
    /// The program cannot be run.
    #[error("cannot be started ({reason})")]
    NoStart {
        /// The cause.
        reason: String,
    },
    /// No answer to `uci`.
    #[error("does not answer uci{}: is it a UCI engine?", no_uciok(*seconds, *lines))]
    NoUciok {
        /// Seconds waited for `uciok`; `None` if the limit of lines was reached first.
        seconds: Option<u64>,
        /// Lines written instead of `uciok`.
        lines: u64,
    },
    /// The engine does not offer the variant.
    #[error("does not play {variant}: {}", offer(offered.as_deref()))]
    NoVariant {
        /// The variant.
        variant: String,
        /// The variants its option `UCI_Variant` offers; `None` if it has no such option.
        offered: Option<Vec<String>>,
    },
    /// The engine has no such option.
    #[error("has no option {name}")]
    NoOption {
        /// The option.
        name: String,
    },
    /// The option does not take this value.
    #[error("option {name} does not take '{value}': type {kind}")]
    NoValue {
        /// The option.
        name: String,
        /// The value.
        value: String,
        /// The type that the engine has announced, with its bounds or values.
        kind: String,
    },
    /// No answer to `isready`.
    #[error("does not answer isready")]
    NoReadyok,
    /// The process ended.
    #[error("ended ({status})")]
    Crash {
        /// The exit status.
        status: String,
    },
    /// The engine closed its input or output without ending.
    #[error("closed the connection")]
    Disconnected,
    /// A move the rules do not allow.
    #[error("made an illegal move: {text}")]
    IllegalMove {
        /// The move.
        text: String,
    },
    /// A `bestmove` without a move.
    #[error("gave no move{}", if text.is_empty() { String::new() } else { format!(": {text}") })]
    NoMove {
        /// The text in place of the move.
        text: String,
    },
    /// It overstepped its time.
    #[error("lost on time by {ms} ms")]
    TimeForfeit {
        /// Milliseconds beyond the time allowed.
        ms: u64,
    },
    /// No move within the time for a stall.
    #[error("did not move")]
    Stall,
}

/// Details of a missing `uciok`: the time waited and the lines written instead.
fn no_uciok(seconds: Option<u64>, lines: u64) -> String {
    let limit = seconds.map_or_else(String::new, |seconds| format!(" within {seconds} s"));
    let seen = match lines {
        0 => "it wrote nothing".to_owned(),
        1 => "it wrote a line".to_owned(),
        lines => format!("it wrote {lines} lines"),
    };
    format!("{limit} ({seen}, but not uciok)")
}

/// Most variants listed in a message; Fairy-Stockfish offers over a hundred.
const MAX_LISTED: usize = 12;

/// The variants an engine offers, in words.
fn offer(offered: Option<&[String]>) -> String {
    let Some(offered) = offered else {
        return "without an option UCI_Variant it plays chess only".to_owned();
    };
    let listed = &offered[..offered.len().min(MAX_LISTED)];
    let more = match offered.len() - listed.len() {
        0 if listed.is_empty() => "nothing".to_owned(),
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    format!("its UCI_Variant offers {}{more}", listed.join(", "))
}

impl EngineError {
    /// The value of PGN's `Termination` tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Self::IllegalMove { .. } | Self::NoMove { .. } => "rules infraction",
            Self::TimeForfeit { .. } | Self::Stall => "time forfeit",
            _ => "abandoned",
        }
    }

    /// Whether restarting the engine may help.
    pub fn is_transient(&self) -> bool {
        !matches!(
            self,
            Self::NoVariant { .. } | Self::NoOption { .. } | Self::NoValue { .. } | Self::NoUciok { .. }
        )
    }

    /// Whether the engine must be restarted.
    pub fn needs_restart(&self) -> bool {
        !matches!(self, Self::TimeForfeit { .. })
    }
}

/// An engine that could not be started or used, with the dialogue before its error.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("{name} {error}{}", indented(dialogue))]
pub struct EngineFailure {
    /// The engine.
    pub name: String,
    /// Its error.
    pub error: EngineError,
    /// The last lines of the dialogue.
    pub dialogue: Vec<String>,
}

fn indented(lines: &[String]) -> String {
    lines.iter().map(|line| format!("\n    {line}")).collect()
}

/// An engine's error and where it happened, as stored in the match report.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineErrorReport {
    /// Number of the game, from 1.
    pub game: u64,
    /// Name of the engine.
    pub engine: String,
    /// Its colour: `white` or `black`.
    pub color: String,
    /// The error in words.
    pub fault: String,
    /// The last lines of the dialogue.
    pub dialogue: Vec<String>,
}

impl EngineErrorReport {
    /// A report of an error.
    pub fn new(game: u64, engine: &str, color: Color, error: &EngineError, dialogue: Vec<String>) -> Self {
        Self { game, engine: engine.to_owned(), color: color.to_string(), fault: error.to_string(), dialogue }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_missing_variant_is_reported_with_those_offered() {
        let text = |offered: Option<Vec<String>>| {
            EngineError::NoVariant { variant: "makruk".to_owned(), offered }.to_string()
        };
        assert_eq!(text(None), "does not play makruk: without an option UCI_Variant it plays chess only");
        let names = |number: usize| Some((1..=number).map(|n| format!("v{n}")).collect());
        assert_eq!(text(names(2)), "does not play makruk: its UCI_Variant offers v1, v2");
        assert!(text(names(0)).ends_with("offers nothing"));
        assert!(text(names(15)).ends_with("v11, v12 and 3 more"));
    }
}
