//! Portable Game Notation as text: a streaming reader, a writer and the games they exchange.
//!
//! Nothing here depends on the rules of the game. A move is the text that stands in the file, so every notation
//! that fits between blanks (and Thai long notation, which holds one) goes through unchanged. Moves with blanks inside,
//! such as `N b 1 - c 3`, are joined to `Nb1-c3`.
//!
//! The steps: bytes to UTF-8 (`decode`), text to tokens (`lexer`), words to moves and their annotations (`words`), tokens
//! to games (`reader`).

use std::fmt;

use thiserror::Error;

mod decode;
mod lexer;
mod reader;
mod words;
mod writer;

pub use decode::TextEncoding;
pub use reader::PgnReader;
pub(crate) use words::is_invisible;
pub use writer::PgnWriter;

/// How deep variations may stand in each other, for the reader and the writer.
pub const MAX_NESTING: usize = 64;

/// The longest text of one game the reader accepts, in bytes. The limit holds to within one read of 64 KiB.
pub const MAX_GAME_BYTES: u64 = 16 << 20;

/// How many different tags the reader accepts in one game.
pub const MAX_TAGS: usize = 1000;

/// A game as it stands in a file, moves not yet understood.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnGame {
    /// The tag pairs, in their order.
    pub tags: Tags,
    /// The comments before the first move.
    pub comment: Vec<String>,
    /// The moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result at the end of the movetext; if there is none, or it is `*`, the Result tag.
    pub result: PgnResult,
    /// The number of the game in its file, from 1. Games with errors count.
    pub number: u64,
    /// The line on which the game begins, from 1.
    pub line: u64,
}

/// A move with all that is attached to it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnMove {
    /// The move as written, without its number and without a suffix such as `!?`. Signs of check, capture and
    /// promotion stay.
    pub text: String,
    /// Numeric annotation glyphs, those from suffixes included.
    pub nags: Vec<u16>,
    /// The comments after the move.
    pub comments: Vec<String>,
    /// Alternatives to this move.
    pub variations: Vec<PgnLine>,
    /// The line on which the move stands, from 1.
    pub line: u64,
}

/// A variation: it begins with an alternative to the move that holds it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnLine {
    /// The comments before its first move.
    pub comment: Vec<String>,
    /// Its moves.
    pub moves: Vec<PgnMove>,
}

/// How a game ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum PgnResult {
    /// `1-0`
    WhiteWins,
    /// `0-1`
    BlackWins,
    /// `1/2-1/2`
    Draw,
    /// `*`: unfinished or unknown.
    #[default]
    Unknown,
}

impl PgnResult {
    /// The result a token or the value of a Result tag stands for; `None` if it is not a result.
    pub fn from_token(token: &str) -> Option<Self> {
        match token {
            "1-0" => Some(Self::WhiteWins),
            "0-1" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" | "½-½" | "½" => Some(Self::Draw),
            "*" => Some(Self::Unknown),
            // Other dashes and minus signs.
            _ if token.contains(words::is_dash) => Self::from_token(&token.replace(words::is_dash, "-")),
            _ => None,
        }
    }
}

impl fmt::Display for PgnResult {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
            Self::Unknown => "*",
        })
    }
}

/// Tag pairs in their order. Names are compared without regard to ASCII case and occur once.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.position(name).map(|at| self.0[at].1.as_str())
    }

    /// Gives a tag a value: in its place if the tag exists, else at the end.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let name = name.into();
        match self.position(&name) {
            Some(at) => self.0[at].1 = value.into(),
            None => self.0.push((name, value.into())),
        }
    }

    /// Takes a tag out and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        self.position(name).map(|at| self.0.remove(at).1)
    }

    /// The pairs of name and value, in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// How many tags there are.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there is no tag.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    fn position(&self, name: &str) -> Option<usize> {
        self.0.iter().position(|(known, _)| known.eq_ignore_ascii_case(name))
    }
}

/// Why a game could not be read, and where.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("game {number}, line {line}: {kind}")]
pub struct PgnError {
    /// The number of the game in its file, from 1.
    pub number: u64,
    /// The line of the fault, from 1; for what is never closed, the line where it was opened.
    pub line: u64,
    /// What is wrong.
    pub kind: PgnErrorKind,
}

/// What can be wrong with a game in a file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnErrorKind {
    /// A `{` without its `}`.
    #[error("a comment is never closed")]
    UnclosedComment,
    /// A `(` without its `)`.
    #[error("a variation is never closed")]
    UnclosedVariation,
    /// A `)` without its `(`.
    #[error("')' without '('")]
    StrayClosing,
    /// A variation with no move before it that it could replace.
    #[error("a variation before the first move")]
    VariationWithoutMove,
    /// A `[` that does not begin a pair of a name and a quoted value, closed by `]`.
    #[error("malformed tag")]
    MalformedTag,
    /// A tag whose value has no `"]` at its end.
    #[error("the tag {name} is not closed")]
    UnclosedTag {
        /// The name of the tag.
        name: String,
    },
    /// A tag in whose value another tag begins: what should stand between them is lost.
    #[error("the tag {name} is cut off by the tag {next}")]
    CutTag {
        /// The name of the tag.
        name: String,
        /// The name of the tag in its value.
        next: String,
    },
    /// More tags than [`MAX_TAGS`].
    #[error("more than {MAX_TAGS} tags")]
    TooManyTags,
    /// Variations nested deeper than [`MAX_NESTING`].
    #[error("variations nested more than {MAX_NESTING} deep")]
    NestingTooDeep,
    /// More text than [`MAX_GAME_BYTES`].
    #[error("game longer than {MAX_GAME_BYTES} bytes")]
    GameTooLong,
    /// Text with no meaning where it stands.
    #[error("unexpected text {text:?}")]
    UnexpectedText {
        /// The text.
        text: String,
    },
    /// The input could not be read. Nothing follows this error.
    #[error("read error: {message}")]
    Read {
        /// The words of the `io::Error`, which itself cannot be cloned.
        message: String,
    },
}

/// Something that was read otherwise than it stands in the file, while its game is whole.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct PgnWarning {
    /// The line, from 1.
    pub line: u64,
    /// What it is.
    pub kind: PgnWarningKind,
}

/// What was read otherwise than it stands in the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnWarningKind {
    /// Text that is not UTF-8, in the first of its lines.
    #[error("{}{encoding}", match encoding {
        TextEncoding::Utf16Le | TextEncoding::Utf16Be => "bytes that are no letters in ",
        _ => "not UTF-8; read as "
    })]
    Encoding {
        /// The encoding that was assumed.
        encoding: TextEncoding,
    },
    /// The Result tag and the end of the movetext, or two results there, contradict one another.
    #[error("the results {kept} and {dropped} contradict one another; {kept} is taken")]
    Results {
        /// The result of the game.
        kept: PgnResult,
        /// The other one.
        dropped: PgnResult,
    },
    /// Lines before the first move that are no moves.
    #[error("the text before the first move is taken as a comment")]
    Heading,
    /// A variation with a move that cannot be made.
    #[error("{reason}; the variation is kept as a comment")]
    Variation {
        /// What is wrong with the move.
        reason: String,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_keep_their_order_and_ignore_case() {
        let mut tags = Tags::default();
        assert!(tags.is_empty());
        tags.set("Event", "a");
        tags.set("Site", String::from("b"));
        tags.set("EVENT", "c");
        assert_eq!(tags.get("event"), Some("c"));
        assert_eq!(tags.iter().collect::<Vec<_>>(), [("Event", "c"), ("Site", "b")]);
        assert_eq!(tags.remove("eVent"), Some("c".to_string()));
        assert_eq!(tags.remove("Event"), None);
        assert_eq!((tags.get("Event"), tags.len()), (None, 1));
    }

    #[test]
    fn results_and_errors_display() {
        for result in [PgnResult::WhiteWins, PgnResult::BlackWins, PgnResult::Draw, PgnResult::Unknown] {
            assert_eq!(PgnResult::from_token(&result.to_string()), Some(result));
        }
        assert_eq!(PgnResult::from_token("1-1"), None);
        let error = PgnError { number: 3, line: 17, kind: PgnErrorKind::UnclosedComment };
        assert_eq!(error.to_string(), "game 3, line 17: a comment is never closed");
    }
}
