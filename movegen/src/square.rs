//! Squares, numbered a1 = 0, b1 = 1, ... h8 = 63.

use std::fmt;
use std::str::FromStr;

use crate::types::Color;

/// One of the 64 squares.
///
/// ```
/// use sakmak_movegen::{Color, Square};
///
/// let e3: Square = "e3".parse()?;
/// assert_eq!((e3.file(), e3.rank(), e3.index()), (4, 2, 20));
/// assert_eq!(e3.relative(Color::Black).to_string(), "e6");
/// assert!("e9".parse::<Square>().is_err());
/// # Ok::<(), sakmak_movegen::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// The text is not a square name such as `e4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("not a square (a1 to h8)")]
pub struct ParseSquareError;

impl Square {
    /// The square on `file` (0 = a) and `rank` (0 = first). Only the low three bits of each are used.
    #[inline]
    pub const fn new(file: u8, rank: u8) -> Self {
        Self((file & 7) | (rank & 7) << 3)
    }

    /// The square with the given number. Only the low six bits are used.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        Self((index & 63) as u8)
    }

    /// 0 (a1) to 63 (h8). The mask shows the compiler the range: tables of 64 need no bounds check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// 0 (file a) to 7 (file h).
    #[inline]
    pub const fn file(self) -> u8 {
        self.0 & 7
    }

    /// 0 (first rank) to 7 (eighth rank), as White counts.
    #[inline]
    pub const fn rank(self) -> u8 {
        (self.0 >> 3) & 7
    }

    /// 0 to 7 as `color` counts from its own side.
    #[inline]
    pub const fn relative_rank(self, color: Color) -> u8 {
        self.rank() ^ (7 * color as u8)
    }

    /// The square from the side of `color`: itself for White, mirrored top to bottom for Black.
    #[inline]
    pub const fn relative(self, color: Color) -> Self {
        Self(self.0 ^ (56 * color as u8))
    }

    /// King steps between two squares.
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let files = self.file().abs_diff(other.file());
        let ranks = self.rank().abs_diff(other.rank());
        if files > ranks { files } else { ranks }
    }

    /// All squares from a1 to h8, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + Clone {
        (0..64).map(Self::from_index)
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", (b'a' + self.file()) as char, (b'1' + self.rank()) as char)
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl FromStr for Square {
    type Err = ParseSquareError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match *text.as_bytes() {
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self::new(file - b'a', rank - b'1')),
            _ => Err(ParseSquareError),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for square in Square::all() {
            assert_eq!(square.to_string().parse(), Ok(square));
        }
        for bad in ["", "a", "a9", "i1", "A1", "a1 ", "เ1"] {
            assert_eq!(bad.parse::<Square>(), Err(ParseSquareError), "{bad:?}");
        }
    }

    #[test]
    fn relative_squares_mirror_the_ranks() {
        let e3 = Square::new(4, 2);
        assert_eq!(e3.relative(Color::White), e3);
        assert_eq!(e3.relative(Color::Black).to_string(), "e6");
        assert_eq!(e3.relative_rank(Color::Black), 5);
        assert_eq!(e3.distance(Square::new(0, 7)), 5);
    }
}
