//! Moves and lists of moves.

use alloc::string::String;
use core::fmt;
use core::num::NonZeroU16;
use core::str::FromStr;

use arrayvec::ArrayVec;

use crate::square::Square;

/// More moves than any position can have. With `k` pieces, each of the `64 - k` other squares can be reached by at most
/// four ruas and eight maas; a rua has at most fourteen moves and a maa eight: never more than 344 for any `k`.
pub const MAX_MOVES: usize = 352;

/// A list of moves on the stack.
///
/// ```
/// use sakmak_movegen::{MoveList, Position, Stage};
///
/// let mut captures = MoveList::new();
/// Position::startpos().generate(Stage::Noisy, &mut captures);
/// assert!(captures.is_empty());
/// ```
pub type MoveList = ArrayVec<Move, MAX_MOVES>;

/// A move in 16 bits: from-square, to-square, one bit for a promotion and one for a first move of two pieces (Sut Met,
/// Sut Ma), which goes onto the square of an own bia.
///
/// The value is never zero, so `Option<Move>` has the same size.
///
/// ```
/// use sakmak_movegen::{Move, Square};
///
/// let mv = Move::parse("e5e6m")?;
/// assert_eq!((mv.from(), mv.to()), (Square::E5, Square::E6));
/// assert!(mv.is_promotion());
/// assert_eq!(Move::from_bits(mv.bits()), Some(mv));
/// assert_eq!(mv.to_string(), "e5e6m");
/// # Ok::<(), sakmak_movegen::MoveError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub struct Move(NonZeroU16);

const PROMOTION: u16 = 1 << 12;
const TWO_PIECE: u16 = 1 << 13;

/// Why the text of a move was refused.
///
/// ```
/// use sakmak_movegen::{MoveError, Position};
///
/// let position = Position::startpos();
/// assert!(matches!(position.parse_move("e9e4"), Err(MoveError::Malformed { .. })));
/// assert!(matches!(position.parse_move("e4e5"), Err(MoveError::Illegal { .. })));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum MoveError {
    /// Not of the form `e3e4` or `e5e6m`.
    #[error("'{text}' is not a move (write e3e4, or e5e6m for a promotion)")]
    Malformed {
        /// The beginning of the text.
        text: String,
    },
    /// Well formed, but not a legal move here.
    #[error("'{text}' is not legal here")]
    Illegal {
        /// The move in UCI form.
        text: String,
    },
    /// Legal but for the missing letter of a promotion.
    #[error("'{text}' is a promotion: write {text}m")]
    NoPromotionLetter {
        /// The move in UCI form.
        text: String,
    },
}

impl Move {
    /// A move that is not a promotion. `from` and `to` must differ.
    #[inline]
    pub const fn new(from: Square, to: Square) -> Self {
        Self::encode(from, to, 0)
    }

    /// A bia's move that turns it into a met.
    #[inline]
    pub const fn promotion(from: Square, to: Square) -> Self {
        Self::encode(from, to, PROMOTION)
    }

    /// A first move of two pieces: the bia on `to` steps ahead and the piece on `from` takes its square.
    #[inline]
    pub const fn two_piece(from: Square, to: Square) -> Self {
        Self::encode(from, to, TWO_PIECE)
    }

    #[inline]
    const fn encode(from: Square, to: Square, flags: u16) -> Self {
        let bits = from.index() as u16 | (to.index() as u16) << 6 | flags;
        match NonZeroU16::new(bits) {
            Some(bits) => Self(bits),
            None => panic!("a move cannot stay on a1"),
        }
    }

    /// The move with the given bits, as [`Move::bits`] gave them; `None` for 0 and for bits no move has.
    #[inline]
    pub const fn from_bits(bits: u16) -> Option<Self> {
        let stays = (bits ^ bits >> 6) & 63 == 0;
        if stays || bits >= PROMOTION | TWO_PIECE {
            return None;
        }
        match NonZeroU16::new(bits) {
            Some(bits) => Some(Self(bits)),
            None => None,
        }
    }

    /// The 16 bits of the move, never 0.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0.get()
    }

    /// Where the piece comes from.
    #[inline]
    pub const fn from(self) -> Square {
        Square::from_low_bits(self.0.get() as usize)
    }

    /// Where the piece goes.
    #[inline]
    pub const fn to(self) -> Square {
        Square::from_low_bits((self.0.get() >> 6) as usize)
    }

    /// Whether a bia becomes a met.
    #[inline]
    pub const fn is_promotion(self) -> bool {
        self.0.get() & PROMOTION != 0
    }

    /// Whether a bia on the target square steps ahead at the same time.
    #[inline]
    pub const fn is_two_piece(self) -> bool {
        self.0.get() & TWO_PIECE != 0
    }

    /// From-square and to-square as one number below 4096, the index of "from-to" history tables.
    #[inline]
    pub const fn from_to(self) -> usize {
        (self.0.get() & 0xfff) as usize
    }

    /// Reads the coordinate form `e3e4`, with `m` or `M` after a promotion. The move may be illegal; see
    /// [`crate::Position::parse_move`].
    ///
    /// # Errors
    /// [`MoveError::Malformed`] if the text has another form.
    pub fn parse(text: &str) -> Result<Self, MoveError> {
        let malformed = || MoveError::Malformed { text: crate::clip(text) };
        let from: Square = text.get(0..2).and_then(|s| s.parse().ok()).ok_or_else(malformed)?;
        let to: Square = text.get(2..4).and_then(|s| s.parse().ok()).ok_or_else(malformed)?;
        if from == to {
            return Err(malformed());
        }
        match &text[4..] {
            "" => Ok(Self::new(from, to)),
            "m" | "M" => Ok(Self::promotion(from, to)),
            _ => Err(malformed()),
        }
    }
}

impl FromStr for Move {
    type Err = MoveError;

    /// Reads the UCI form, see [`Move::parse`].
    fn from_str(text: &str) -> Result<Self, MoveError> {
        Self::parse(text)
    }
}

impl fmt::Display for Move {
    /// The UCI form: `e3e4`, or `e5e6m` for a promotion.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}{}", self.from(), self.to(), if self.is_promotion() { "m" } else { "" })
    }
}

impl fmt::Debug for Move {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_and_bits_round_trip() {
        for text in ["e3e4", "e5e6m", "h8a1", "a1h8"] {
            let mv = Move::parse(text).unwrap();
            assert_eq!(mv.to_string(), text);
            assert_eq!(Move::from_bits(mv.bits()), Some(mv));
        }
        assert_eq!(Move::parse("a5a6M").unwrap(), Move::parse("a5a6m").unwrap());
        assert_eq!(size_of::<Option<Move>>(), 2);
        assert_eq!(Move::from_bits(0), None);
        for no_move in [0x4001, 0x3001, 0x0041, 0x1000, 0x2000] {
            assert_eq!(Move::from_bits(no_move), None);
        }
    }

    #[test]
    fn malformed_text_is_refused() {
        for text in ["", "e2", "e2e9", "e5e6q", "e5e6=m", "(none)", "0000", "a1a1", "é2e4", "e3e4 ", "zz99"]
        {
            assert!(matches!(Move::parse(text), Err(MoveError::Malformed { .. })), "{text:?}");
        }
    }
}
