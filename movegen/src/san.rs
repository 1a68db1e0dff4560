//! Short algebraic notation as a value.

use alloc::string::String;
use core::fmt;
use core::str::FromStr;

use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::notation::{self, Notation, NotationError};
use crate::position::Position;

/// A move in short algebraic notation with Fairy-Stockfish's letters, as [`Notation::San`] writes it: `Nd2`, `exf6=M`,
/// `Rb8#`.
///
/// ```
/// use sakmak_movegen::{Position, San};
///
/// let mut position = Position::startpos();
/// let mv = position.parse_san("Nd2")?;
/// assert_eq!(mv.to_string(), "b1d2");
/// assert_eq!(position.san(mv).to_string(), "Nd2");
///
/// // As text first, as a move once the position is known.
/// let san: San = "Nd2".parse()?;
/// assert_eq!(san.to_move(&position), Ok(mv));
/// assert_eq!("Kxe9".parse::<San>().unwrap_err().to_string(), "'Kxe9' is not a move");
/// # Ok::<(), sakmak_movegen::NotationError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct San(String);

impl San {
    /// A legal move of a position.
    pub fn new(position: &Position, mv: Move) -> Self {
        Self(Notation::San.write(position, mv, Bitboard::EMPTY))
    }

    /// The text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The legal move of a position that the text means.
    ///
    /// # Errors
    /// If no legal move fits, or several.
    pub fn to_move(&self, position: &Position) -> Result<Move, NotationError> {
        position.parse_san(&self.0)
    }
}

impl fmt::Display for San {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl FromStr for San {
    type Err = NotationError;

    /// Reads what [`Notation::read`] accepts in Latin letters, and keeps it as it is written.
    fn from_str(text: &str) -> Result<Self, NotationError> {
        notation::MovePattern::read(text)?;
        Ok(Self(text.into()))
    }
}

impl From<San> for String {
    fn from(san: San) -> Self {
        san.0
    }
}

impl AsRef<str> for San {
    fn as_ref(&self) -> &str {
        &self.0
    }
}

impl Position {
    /// A legal move in short algebraic notation. For other notations see [`Notation::write`] and
    /// [`Game::name`](crate::Game::name).
    pub fn san(&self, mv: Move) -> San {
        San::new(self, mv)
    }

    /// The legal move of a text in short or long algebraic notation; see [`Notation::read`].
    ///
    /// # Errors
    /// If the text is malformed, or no legal move fits, or several.
    pub fn parse_san(&self, text: &str) -> Result<Move, NotationError> {
        Notation::San.read(self, text, Bitboard::EMPTY)
    }
}
