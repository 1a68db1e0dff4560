//! Faults of input, as a code and arguments that the page puts into words in its language.

use std::collections::BTreeMap;

use sakmak_games::ReplayError;
use sakmak_games::pgn::{PgnError, PgnErrorKind, PgnWarning, PgnWarningKind};
use sakmak_movegen::{Color, CountError, FenError, MoveError, NotationError, SetupError};
use serde::Serialize;

/// A fault: the key of a message, its arguments, and the same in plain English.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// Key of the message, such as `fen.side`.
    pub code: &'static str,
    /// Arguments of the message.
    pub args: BTreeMap<&'static str, String>,
    /// The fault that caused this one, in the FEN of a game or the move of a record.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cause: Option<Box<Fault>>,
    /// The fault in English, where the page has no words for it.
    pub text: String,
}

impl Fault {
    /// A fault without arguments.
    pub fn new(code: &'static str, text: impl ToString) -> Self {
        Self { code, args: BTreeMap::new(), cause: None, text: text.to_string() }
    }

    /// Adds an argument to the fault.
    #[must_use]
    pub fn arg(mut self, name: &'static str, value: impl ToString) -> Self {
        self.args.insert(name, value.to_string());
        self
    }

    fn cause(mut self, cause: Fault) -> Self {
        self.cause = Some(Box::new(cause));
        self
    }

    /// The fault as JSON.
    pub fn json(&self) -> String {
        crate::json(self)
    }
}

impl From<Fault> for String {
    fn from(fault: Fault) -> Self {
        fault.json()
    }
}

/// The letter of a colour in FENs.
pub(crate) fn letter(color: Color) -> char {
    match color {
        Color::White => 'w',
        Color::Black => 'b',
    }
}

impl From<FenError> for Fault {
    fn from(error: FenError) -> Self {
        let text = error.to_string();
        match error {
            FenError::Empty => Self::new("fen.empty", text),
            FenError::UnknownPiece { letter, rank } => {
                Self::new("fen.piece", text).arg("letter", letter).arg("rank", rank)
            }
            FenError::StrayPromotionMark { rank } => Self::new("fen.mark", text).arg("rank", rank),
            FenError::RankLength { rank } => Self::new("fen.rank", text).arg("rank", rank),
            FenError::RankCount { count } => Self::new("fen.ranks", text).arg("count", count),
            FenError::SideToMove { text: side } => Self::new("fen.side", text).arg("text", side),
            FenError::Rights { text: rights } => Self::new("fen.rights", text).arg("text", rights),
            FenError::Number { field, text: number, max } => {
                Self::new("fen.number", text).arg("field", field).arg("text", number).arg("max", max)
            }
            FenError::CountOwner { text: count } => Self::new("fen.owner", text).arg("text", count),
            FenError::TrailingText { text: rest } => Self::new("fen.trailing", text).arg("text", rest),
            FenError::Invalid { error } => error.into(),
            _ => Self::new("other", text),
        }
    }
}

impl From<SetupError> for Fault {
    fn from(error: SetupError) -> Self {
        let text = error.to_string();
        match error {
            SetupError::KhunCount { color, count } => {
                Self::new("setup.khun", text).arg("color", letter(color)).arg("count", count)
            }
            SetupError::TooManyPieces { color, count } => {
                Self::new("setup.pieces", text).arg("color", letter(color)).arg("count", count)
            }
            SetupError::ImpossibleBia { color, square } => {
                Self::new("setup.bia", text).arg("color", letter(color)).arg("square", square)
            }
            SetupError::KhunCapturable { color } => {
                Self::new("setup.check", text).arg("color", letter(color))
            }
            SetupError::MoveNumber { number } => Self::new("setup.number", text).arg("number", number),
            _ => Self::new("other", text),
        }
    }
}

impl From<NotationError> for Fault {
    fn from(error: NotationError) -> Self {
        let text = error.to_string();
        match error {
            NotationError::Malformed { text: mv } | NotationError::NullMove { text: mv } => {
                Self::new("move.malformed", text).arg("text", mv)
            }
            NotationError::Illegal { text: mv } => Self::new("move.illegal", text).arg("text", mv),
            NotationError::Ambiguous { text: mv, moves } => {
                Self::new("move.ambiguous", text).arg("text", mv).arg("moves", moves)
            }
            _ => Self::new("other", text),
        }
    }
}

impl From<MoveError> for Fault {
    fn from(error: MoveError) -> Self {
        let text = error.to_string();
        match error {
            MoveError::Malformed { text: mv } => Self::new("move.malformed", text).arg("text", mv),
            MoveError::Illegal { text: mv } | MoveError::NoPromotionLetter { text: mv } => {
                Self::new("move.illegal", text).arg("text", mv)
            }
            _ => Self::new("other", text),
        }
    }
}

impl From<CountError> for Fault {
    fn from(error: CountError) -> Self {
        let text = error.to_string();
        match error {
            CountError::NothingToCount => Self::new("count.nothing", text),
            CountError::Automatic => Self::new("count.automatic", text),
            CountError::NotCounting => Self::new("count.none", text),
            CountError::NotYours { counter } => Self::new("count.theirs", text).arg("color", letter(counter)),
            CountError::NotExpired => Self::new("count.running", text),
            _ => Self::new("other", text),
        }
    }
}

impl From<ReplayError> for Fault {
    fn from(error: ReplayError) -> Self {
        let text = error.to_string();
        match error {
            ReplayError::Variant { error } => {
                Self::new("game.variant", text).cause(Self::new("other", error))
            }
            ReplayError::Fen { error } => Self::new("game.fen", text).cause(error.into()),
            ReplayError::Move { line, number, error, .. } => {
                Self::new("game.move", text).arg("line", line).arg("number", number).cause(error.into())
            }
            ReplayError::TooLong { line } => Self::new("game.long", text).arg("line", line),
            ReplayError::NestingTooDeep { line } => Self::new("game.nesting", text).arg("line", line),
            _ => Self::new("other", text),
        }
    }
}

impl From<PgnError> for Fault {
    fn from(error: PgnError) -> Self {
        let code = match &error.kind {
            PgnErrorKind::UnclosedComment => "pgn.comment",
            PgnErrorKind::UnclosedVariation => "pgn.variation",
            PgnErrorKind::StrayClosing => "pgn.closing",
            PgnErrorKind::VariationWithoutMove => "pgn.alternative",
            PgnErrorKind::MalformedTag => "pgn.tag",
            PgnErrorKind::UnclosedTag { .. } => "pgn.unclosed",
            PgnErrorKind::CutTag { .. } => "pgn.cut",
            PgnErrorKind::TooManyTags => "pgn.tags",
            PgnErrorKind::NestingTooDeep => "game.nesting",
            PgnErrorKind::GameTooLong => "pgn.long",
            PgnErrorKind::UnexpectedText { .. } => "pgn.text",
            _ => "other",
        };
        let fault = Self::new(code, error.kind.to_string()).arg("line", error.line);
        match error.kind {
            PgnErrorKind::UnclosedTag { name } => fault.arg("name", name),
            PgnErrorKind::CutTag { name, next } => fault.arg("name", name).arg("next", next),
            PgnErrorKind::UnexpectedText { text } => {
                fault.arg("text", text.chars().take(24).collect::<String>())
            }
            _ => fault,
        }
    }
}

impl From<PgnWarning> for Fault {
    fn from(warning: PgnWarning) -> Self {
        let fault = |code| Self::new(code, &warning.kind).arg("line", warning.line);
        match &warning.kind {
            PgnWarningKind::Results { kept, dropped } => {
                fault("pgn.results").arg("kept", kept).arg("dropped", dropped)
            }
            PgnWarningKind::Heading => fault("pgn.heading"),
            PgnWarningKind::Variation { .. } => fault("pgn.illegalVariation"),
            _ => fault("other"),
        }
    }
}
