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
    /// It does not play the variant.
    NoVariant(String),
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

impl Fault {
    /// The value of PGN's `Termination` tag.
    pub fn termination(&self) -> &'static str {
        match self {
            Self::IllegalMove(_) | Self::NoMove(_) => "rules infraction",
            Self::Late(_) | Self::Hang => "time forfeit",
            _ => "abandoned",
        }
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
            Self::NoVariant(variant) => write!(f, "does not play {variant}"),
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
