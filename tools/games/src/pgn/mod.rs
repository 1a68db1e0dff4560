//! Portable Game Notation (PGN) as text: a streaming reader, a writer, and the games that they exchange.
//!
//! Nothing here depends on the rules of the game. A move is the text in the file, so every notation without blanks (and
//! Thai long notation, which has one) goes through unchanged. Moves with blanks inside, such as `N b 1 - c 3`, are
//! joined to `Nb1-c3`.
//!
//! The steps: bytes to UTF-8 (`decode`), text to tokens (`lexer`), words to moves and their annotations (`words`),
//! tokens to games (`reader`).

use std::fmt;

use thiserror::Error;

mod decode;
mod lexer;
mod reader;
mod words;
mod writer;

pub use decode::TextEncoding;
pub use reader::PgnReader;
pub use words::is_invisible;
pub use writer::PgnWriter;

/// The deepest nesting of variations, for the reader and the writer.
pub const MAX_NESTING: usize = 64;

/// The longest text of one game the reader accepts, in bytes. The limit holds to within one read of 64 KiB.
pub const MAX_GAME_BYTES: u64 = 16 << 20;

/// The most tags that the reader accepts in one game.
pub const MAX_TAGS: usize = 1000;

/// What comes before a part of a file: lines and games of the part are counted from there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Origin {
    /// Lines of the file before the part.
    pub lines: u64,
    /// Games of the file before the part.
    pub games: u64,
}

/// A game as in its file, with moves not yet parsed.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnGame {
    /// The tag pairs in the order of the file.
    pub tags: Tags,
    /// The comments before the first move.
    pub comment: Vec<String>,
    /// The moves of the main line.
    pub moves: Vec<PgnMove>,
    /// The result at the end of the movetext; the Result tag if there is none or it is `*`.
    pub result: PgnResult,
    /// The number of the game in its file, from 1. Games with errors are counted.
    pub number: u64,
    /// The line on which the game begins, from 1.
    pub line: u64,
}

impl fmt::Display for PgnGame {
    /// The game in export format, as [`PgnWriter`] writes it. Fails if that does.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut writer = PgnWriter::new(Vec::new());
        writer.write_game(self).map_err(|_| fmt::Error)?;
        f.write_str(str::from_utf8(&writer.into_inner()).map_err(|_| fmt::Error)?)
    }
}

/// A move with its annotations, comments and variations.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct PgnMove {
    /// The move as written, without its number and suffixes such as `!?`, but with the signs of check, capture and
    /// promotion.
    pub text: String,
    /// Numeric annotation glyphs (NAGs), those of suffixes included.
    pub nags: Vec<u16>,
    /// The comments after the move.
    pub comments: Vec<String>,
    /// Alternatives to this move.
    pub variations: Vec<PgnLine>,
    /// The line of the move, from 1.
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
    /// The result that a token or the value of a Result tag means; `None` if it is no result.
    pub fn from_token(token: &str) -> Option<Self> {
        match token {
            "1-0" | "๑-๐" => Some(Self::WhiteWins),
            "0-1" | "๐-๑" => Some(Self::BlackWins),
            "1/2-1/2" | "1/2" | "½-½" | "½" | "๑/๒-๑/๒" => Some(Self::Draw),
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

/// Tag pairs in their order. Names are unique and compared without regard to ASCII case.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Tags(Vec<(String, String)>);

impl Tags {
    /// The value of a tag.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.position(name).map(|at| self.0[at].1.as_str())
    }

    /// Sets a tag: in its place if it exists, else at the end.
    pub fn set(&mut self, name: impl Into<String>, value: impl Into<String>) {
        let name = name.into();
        match self.position(&name) {
            Some(at) => self.0[at].1 = value.into(),
            None => self.0.push((name, value.into())),
        }
    }

    /// Removes a tag and returns its value.
    pub fn remove(&mut self, name: &str) -> Option<String> {
        self.position(name).map(|at| self.0.remove(at).1)
    }

    /// The pairs of name and value in their order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.0.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// The number of tags.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether there are no tags.
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
    /// The line of the fault, from 1; for something that is never closed, the line where it was opened.
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
    /// A variation without a move before it to replace.
    #[error("a variation before the first move")]
    VariationWithoutMove,
    /// A `[` that begins no pair of a name and a quoted value with a closing `]`.
    #[error("malformed tag")]
    MalformedTag,
    /// A tag without `"]` at the end of its value.
    #[error("the tag {name} is not closed")]
    UnclosedTag {
        /// The name of the tag.
        name: String,
    },
    /// A tag in whose value another tag begins: the text between them is lost.
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
    /// Text that has no meaning in its place.
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

/// A part of a complete game that was read differently from the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[error("line {line}: {kind}")]
pub struct PgnWarning {
    /// The line, from 1.
    pub line: u64,
    /// What was read differently.
    pub kind: PgnWarningKind,
}

/// The kinds of text that are read differently from the file.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum PgnWarningKind {
    /// Text that is not UTF-8; the line is the first one.
    #[error("{}{encoding}", match encoding {
        TextEncoding::Utf16Le | TextEncoding::Utf16Be => "bytes that are no letters in ",
        _ => "not UTF-8; read as "
    })]
    Encoding {
        /// The encoding that was assumed.
        encoding: TextEncoding,
    },
    /// Two contradicting results: the Result tag and the end of the movetext, or two at the end.
    #[error("the results {kept} and {dropped} contradict one another; {kept} is taken")]
    Results {
        /// The result of the game.
        kept: PgnResult,
        /// The other result.
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
