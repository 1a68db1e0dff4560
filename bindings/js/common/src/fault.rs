//! Errors as JavaScript gets them: a class, a code, arguments and a message.

use std::fmt::Display;
use std::ops::Index;

use js_sys::{Array, JsString};
use sakmak_games::ReplayError;
use sakmak_games::pgn::{PgnError, PgnErrorKind, PgnWarning, PgnWarningKind};
use sakmak_movegen::rules::{RulePartError, UnknownName};
use sakmak_movegen::{CountError, FenError, MoveError, NotationError, SetupError};
use serde::{Serialize, Serializer};
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::letter;

#[wasm_bindgen(raw_module = "../../src/errors.ts")]
extern "C" {
    /// Makes the error of a code: `args` are names and values in turn.
    #[wasm_bindgen(js_name = makeError)]
    fn make_error(code: &str, message: &str, args: Array, cause: JsValue) -> JsValue;
}

/// An error. The part of the code before the dot decides the class in JavaScript.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// What is wrong, such as `fen.rank`.
    pub code: &'static str,
    /// The error in English.
    pub message: String,
    /// What the message is made of.
    pub args: Args,
    /// The error that caused this one, in the FEN of a game or the move of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Self>>,
}

/// The names and values that a message is made of. A list, which takes less code than a map.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Args(Vec<(&'static str, String)>);

impl Serialize for Args {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(name, value)| (name, value)))
    }
}

/// The value of a name; empty if there is none.
impl Index<&str> for Args {
    type Output = str;

    fn index(&self, name: &str) -> &str {
        self.0.iter().find(|(known, _)| *known == name).map_or("", |(_, value)| value)
    }
}

impl Fault {
    /// An error without arguments.
    pub fn new(code: &'static str, message: impl Display) -> Self {
        Self { code, message: message.to_string(), args: Args::default(), cause: None }
    }

    /// Adds an argument.
    #[must_use]
    pub fn arg(mut self, name: &'static str, value: impl Display) -> Self {
        self.args.0.push((name, value.to_string()));
        self
    }

    fn cause(mut self, cause: impl Into<Self>) -> Self {
        self.cause = Some(Box::new(cause.into()));
        self
    }
}

impl From<Fault> for JsValue {
    fn from(fault: Fault) -> Self {
        let args = fault.args.0.iter().flat_map(|(name, value)| [*name, value.as_str()]);
        let args: Array = args.map(JsString::from).collect();
        let cause = fault.cause.map_or(Self::UNDEFINED, |cause| Self::from(*cause));
        make_error(fault.code, &fault.message, args, cause)
    }
}

impl From<FenError> for Fault {
    fn from(error: FenError) -> Self {
        let message = error.to_string();
        let fault = |code, field: &str| Self::new(code, &message).arg("field", field);
        match &error {
            FenError::Empty => fault("fen.empty", "fen"),
            FenError::UnknownPiece { letter, rank } => {
                fault("fen.piece", "board").arg("letter", letter).arg("rank", rank)
            }
            FenError::StrayPromotionMark { rank } => fault("fen.mark", "board").arg("rank", rank),
            FenError::RankLength { rank } => fault("fen.rank", "board").arg("rank", rank),
            FenError::RankCount { count } => fault("fen.ranks", "board").arg("count", count),
            FenError::SideToMove { text } => fault("fen.turn", "turn").arg("text", text),
            FenError::Rights { text } => fault("fen.rights", "rights").arg("text", text),
            FenError::Number { field, text, max } => {
                let name = match *field {
                    "half-move clock" => "clock",
                    "move number" => "number",
                    _ => "count",
                };
                fault("fen.number", name).arg("text", text).arg("max", max)
            }
            FenError::CountOwner { text } => fault("fen.counter", "count").arg("text", text),
            FenError::TrailingText { text } => fault("fen.trailing", "trailing").arg("text", text),
            FenError::Invalid { error } => Self { message: message.clone(), ..error.clone().into() },
            _ => fault("fen.other", "fen"),
        }
    }
}

impl From<SetupError> for Fault {
    fn from(error: SetupError) -> Self {
        let fault = |code, field: &str| Self::new(code, &error).arg("field", field);
        match &error {
            SetupError::KhunCount { color, count } => {
                fault("fen.khun", "board").arg("color", letter(*color)).arg("count", count)
            }
            SetupError::TooManyPieces { color, count } => {
                fault("fen.pieces", "board").arg("color", letter(*color)).arg("count", count)
            }
            SetupError::ImpossibleBia { color, square } => {
                fault("fen.bia", "board").arg("color", letter(*color)).arg("square", square)
            }
            SetupError::KhunCapturable { color } => fault("fen.check", "board").arg("color", letter(*color)),
            SetupError::MoveNumber { number } => fault("fen.moveNumber", "number").arg("text", number),
            _ => fault("fen.other", "fen"),
        }
    }
}

impl From<NotationError> for Fault {
    fn from(error: NotationError) -> Self {
        let fault = |code, text| Self::new(code, &error).arg("text", text);
        match &error {
            NotationError::Malformed { text } => fault("move.malformed", text),
            NotationError::NullMove { text } => fault("move.null", text),
            NotationError::Illegal { text } => fault("move.illegal", text),
            NotationError::Ambiguous { text, moves } => fault("move.ambiguous", text).arg("moves", moves),
            _ => Self::new("move.other", &error),
        }
    }
}

impl From<MoveError> for Fault {
    fn from(error: MoveError) -> Self {
        let fault = |code, text| Self::new(code, &error).arg("text", text);
        match &error {
            MoveError::Malformed { text } => fault("move.malformed", text),
            MoveError::Illegal { text } => fault("move.illegal", text),
            MoveError::NoPromotionLetter { text } => fault("move.promotion", text),
            _ => Self::new("move.other", &error),
        }
    }
}

impl From<CountError> for Fault {
    fn from(error: CountError) -> Self {
        match error {
            CountError::NothingToCount => Self::new("count.nothing", error),
            CountError::Automatic => Self::new("count.automatic", error),
            CountError::NotCounting => Self::new("count.none", error),
            CountError::NotYours { counter } => {
                Self::new("count.theirs", error).arg("color", letter(counter))
            }
            CountError::NotExpired => Self::new("count.running", error),
            _ => Self::new("count.other", error),
        }
    }
}

impl From<UnknownName> for Fault {
    fn from(error: UnknownName) -> Self {
        Self::new("rules.name", error)
    }
}

impl From<RulePartError> for Fault {
    fn from(error: RulePartError) -> Self {
        Self::new("rules.part", error)
    }
}

impl From<ReplayError> for Fault {
    fn from(error: ReplayError) -> Self {
        let message = error.to_string();
        match error {
            ReplayError::Variant { error } => Self::new("pgn.variant", message).cause(error),
            ReplayError::Fen { error } => Self::new("pgn.fen", message).cause(error),
            ReplayError::Move { line, number, error, fen, .. } => Self::new("pgn.move", message)
                .arg("line", line)
                .arg("number", number)
                .arg("fen", fen)
                .cause(error),
            ReplayError::TooLong { line } => Self::new("pgn.long", message).arg("line", line),
            ReplayError::NestingTooDeep { line } => Self::new("pgn.nesting", message).arg("line", line),
            _ => Self::new("pgn.other", message),
        }
    }
}

impl From<PgnError> for Fault {
    fn from(error: PgnError) -> Self {
        let fault = |code| Self::new(code, &error).arg("game", error.number).arg("line", error.line);
        match &error.kind {
            PgnErrorKind::UnclosedComment => fault("pgn.comment"),
            PgnErrorKind::UnclosedVariation => fault("pgn.variation"),
            PgnErrorKind::StrayClosing => fault("pgn.closing"),
            PgnErrorKind::VariationWithoutMove => fault("pgn.alternative"),
            PgnErrorKind::MalformedTag => fault("pgn.tag"),
            PgnErrorKind::UnclosedTag { name } => fault("pgn.unclosed").arg("name", name),
            PgnErrorKind::CutTag { name, next } => fault("pgn.cut").arg("name", name).arg("next", next),
            PgnErrorKind::TooManyTags => fault("pgn.tags"),
            PgnErrorKind::NestingTooDeep => fault("pgn.nesting"),
            PgnErrorKind::GameTooLong => fault("pgn.long"),
            PgnErrorKind::UnexpectedText { text } => {
                fault("pgn.text").arg("text", text.chars().take(QUOTED).collect::<String>())
            }
            _ => fault("pgn.other"),
        }
    }
}

/// The most characters that an error quotes of a text which is no move.
const QUOTED: usize = 24;

impl From<PgnWarning> for Fault {
    fn from(warning: PgnWarning) -> Self {
        let fault = |code| Self::new(code, &warning).arg("line", warning.line);
        match &warning.kind {
            PgnWarningKind::Results { kept, dropped } => {
                fault("pgn.results").arg("kept", kept).arg("dropped", dropped)
            }
            PgnWarningKind::Heading => fault("pgn.heading"),
            PgnWarningKind::Variation { .. } => fault("pgn.illegalVariation"),
            _ => fault("pgn.other"),
        }
    }
}
