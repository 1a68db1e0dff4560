//! Squares, numbered a1 = 0, b1 = 1, ... h8 = 63, and their files and ranks.

use core::fmt;
use core::str::FromStr;

use crate::types::Color;

/// The text is not the name of a square (`e4`), a file (`e`) or a rank (`4`).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("not {what}")]
pub struct ParseSquareError {
    what: &'static str,
}

/// The number is none of a square (0 to 63), a file or a rank (0 to 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("{index} is not {what}")]
pub struct IndexError {
    index: usize,
    what: &'static str,
}

/// Defines [`File`] and [`Rank`].
macro_rules! coordinate {
    ($(#[$doc:meta])* $type:ident, $what:literal { $($(#[$value_doc:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        #[repr(u8)]
        pub enum $type { $($(#[$value_doc])* $value,)* }

        impl $type {
            /// All values in order.
            pub const ALL: [Self; 8] = [$(Self::$value),*];

            /// By the three low bits of a number.
            #[inline]
            pub(crate) const fn from_low_bits(bits: u8) -> Self {
                $(if bits & 7 == Self::$value as u8 { return Self::$value; })*
                unreachable!()
            }

            /// 0 to 7.
            #[inline]
            pub const fn index(self) -> usize {
                self as usize
            }

            /// The letter or digit of square names.
            pub const fn char(self) -> char {
                match self { $(Self::$value => $name,)* }
            }
        }

        impl TryFrom<usize> for $type {
            type Error = IndexError;

            #[inline]
            fn try_from(index: usize) -> Result<Self, IndexError> {
                Self::ALL.get(index).copied().ok_or(IndexError { index, what: concat!($what, " (0 to 7)") })
            }
        }

        impl TryFrom<u8> for $type {
            type Error = IndexError;

            #[inline]
            fn try_from(index: u8) -> Result<Self, IndexError> {
                usize::from(index).try_into()
            }
        }

        impl From<$type> for u8 {
            #[inline]
            fn from(value: $type) -> Self {
                value as Self
            }
        }

        impl fmt::Display for $type {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(&self.char(), f)
            }
        }

        impl TryFrom<char> for $type {
            type Error = ParseSquareError;

            fn try_from(letter: char) -> Result<Self, ParseSquareError> {
                match letter {
                    $($name => Ok(Self::$value),)*
                    _ => Err(ParseSquareError { what: $what }),
                }
            }
        }

        impl FromStr for $type {
            type Err = ParseSquareError;

            fn from_str(text: &str) -> Result<Self, ParseSquareError> {
                let mut letters = text.chars();
                match (letters.next(), letters.next()) {
                    (Some(letter), None) => letter.try_into(),
                    _ => Err(ParseSquareError { what: $what }),
                }
            }
        }
    };
}

coordinate! {
    /// One of the eight files.
    ///
    /// ```
    /// use sakmak_movegen::File;
    ///
    /// let file: File = "e".parse()?;
    /// assert_eq!((file, file.index(), file.char()), (File::E, 4, 'e'));
    /// assert_eq!(File::try_from(7u8), Ok(File::H));
    /// assert_eq!(File::try_from(8u8).unwrap_err().to_string(), "8 is not a file (0 to 7)");
    /// # Ok::<(), sakmak_movegen::ParseSquareError>(())
    /// ```
    File, "a file" {
        /// The a-file.
        A = 'a',
        /// The b-file.
        B = 'b',
        /// The c-file.
        C = 'c',
        /// The d-file.
        D = 'd',
        /// The e-file.
        E = 'e',
        /// The f-file.
        F = 'f',
        /// The g-file.
        G = 'g',
        /// The h-file.
        H = 'h',
    }
}

coordinate! {
    /// One of the eight ranks, as White counts.
    ///
    /// ```
    /// use sakmak_movegen::{Color, Rank};
    ///
    /// assert_eq!("3".parse(), Ok(Rank::Third));
    /// assert_eq!(Rank::Third.relative(Color::Black), Rank::Sixth);
    /// assert_eq!(Rank::ALL.map(Rank::char), ['1', '2', '3', '4', '5', '6', '7', '8']);
    /// ```
    Rank, "a rank" {
        /// White's home rank.
        First = '1',
        /// The second rank.
        Second = '2',
        /// The rank of White's bia.
        Third = '3',
        /// The fourth rank.
        Fourth = '4',
        /// The fifth rank.
        Fifth = '5',
        /// The rank of Black's bia, on which White's promote.
        Sixth = '6',
        /// The seventh rank.
        Seventh = '7',
        /// Black's home rank.
        Eighth = '8',
    }
}

impl Rank {
    /// The rank from the side of `color`: itself for White, the eighth as the first for Black.
    #[inline]
    pub const fn relative(self, color: Color) -> Self {
        Self::from_low_bits(self as u8 ^ (7 * color as u8))
    }
}

/// One of the 64 squares.
///
/// ```
/// use sakmak_movegen::{Color, File, Rank, Square};
///
/// let e3: Square = "e3".parse()?;
/// assert_eq!(e3, Square::E3);
/// assert_eq!(e3, Square::new(File::E, Rank::Third));
/// assert_eq!((e3.file(), e3.rank(), e3.index()), (File::E, Rank::Third, 20));
/// assert_eq!(e3.relative(Color::Black), Square::E6);
/// assert_eq!(Square::try_from(63u8), Ok(Square::H8));
/// assert!(Square::try_from(64u8).is_err() && "e9".parse::<Square>().is_err());
/// # Ok::<(), sakmak_movegen::ParseSquareError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

/// A constant for each square.
macro_rules! squares {
    ($($name:ident)*) => {
        #[repr(u8)]
        enum Index { $($name,)* }

        #[allow(missing_docs)]
        impl Square {
            $(pub const $name: Self = Self(Index::$name as u8);)*
        }
    };
}

#[rustfmt::skip]
squares! {
    A1 B1 C1 D1 E1 F1 G1 H1
    A2 B2 C2 D2 E2 F2 G2 H2
    A3 B3 C3 D3 E3 F3 G3 H3
    A4 B4 C4 D4 E4 F4 G4 H4
    A5 B5 C5 D5 E5 F5 G5 H5
    A6 B6 C6 D6 E6 F6 G6 H6
    A7 B7 C7 D7 E7 F7 G7 H7
    A8 B8 C8 D8 E8 F8 G8 H8
}

impl Square {
    /// The square on a file and a rank.
    #[inline]
    pub const fn new(file: File, rank: Rank) -> Self {
        Self(file as u8 | (rank as u8) << 3)
    }

    /// The square with a number from 0 to 63. For numbers that may be larger use `try_from`: of those this function
    /// takes the six low bits, and debug builds panic.
    #[inline]
    pub const fn from_index(index: usize) -> Self {
        debug_assert!(index < 64, "the index of a square is 0 to 63");
        Self::from_low_bits(index)
    }

    /// By the six low bits of a number.
    #[inline]
    pub(crate) const fn from_low_bits(bits: usize) -> Self {
        Self((bits & 63) as u8)
    }

    /// 0 (a1) to 63 (h8). The mask shows the compiler the range: tables of 64 need no bounds check.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 63) as usize
    }

    /// The file.
    #[inline]
    pub const fn file(self) -> File {
        File::from_low_bits(self.0)
    }

    /// The rank, as White counts.
    #[inline]
    pub const fn rank(self) -> Rank {
        Rank::from_low_bits(self.0 >> 3)
    }

    /// The rank as `color` counts from its own side.
    #[inline]
    pub const fn relative_rank(self, color: Color) -> Rank {
        self.rank().relative(color)
    }

    /// The square from the side of `color`: itself for White, mirrored top to bottom for Black.
    #[inline]
    pub const fn relative(self, color: Color) -> Self {
        Self(self.0 ^ (56 * color as u8))
    }

    /// King steps between two squares.
    #[inline]
    pub const fn distance(self, other: Self) -> u8 {
        let files = (self.0 & 7).abs_diff(other.0 & 7);
        let ranks = (self.0 >> 3).abs_diff(other.0 >> 3);
        if files > ranks { files } else { ranks }
    }

    /// All squares from a1 to h8, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Self> + ExactSizeIterator + Clone {
        (0..64u8).map(Self)
    }
}

impl TryFrom<usize> for Square {
    type Error = IndexError;

    #[inline]
    fn try_from(index: usize) -> Result<Self, IndexError> {
        if index < 64 { Ok(Self(index as u8)) } else { Err(IndexError { index, what: "a square (0 to 63)" }) }
    }
}

impl TryFrom<u8> for Square {
    type Error = IndexError;

    #[inline]
    fn try_from(index: u8) -> Result<Self, IndexError> {
        usize::from(index).try_into()
    }
}

impl From<Square> for usize {
    #[inline]
    fn from(square: Square) -> Self {
        square.index()
    }
}

impl fmt::Display for Square {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.file(), self.rank())
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
            [file @ b'a'..=b'h', rank @ b'1'..=b'8'] => Ok(Self((file - b'a') | (rank - b'1') << 3)),
            _ => Err(ParseSquareError { what: "a square (a1 to h8)" }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip() {
        for (index, square) in Square::all().enumerate() {
            assert_eq!(square.to_string().parse(), Ok(square));
            assert_eq!(Square::new(square.file(), square.rank()), square);
            assert_eq!((square.index(), Square::try_from(index)), (index, Ok(square)));
        }
        assert_eq!([Square::A1, Square::H1, Square::A8, Square::D5].map(Square::index), [0, 7, 56, 35]);
        for bad in ["", "a", "a9", "i1", "A1", "a1 ", "เ1"] {
            assert_eq!(bad.parse::<Square>().unwrap_err().to_string(), "not a square (a1 to h8)", "{bad:?}");
        }
    }

    #[test]
    fn files_and_ranks() {
        for index in 0..8u8 {
            let (file, rank) = (File::try_from(index).unwrap(), Rank::try_from(index).unwrap());
            assert_eq!((file as u8, rank as u8), (index, index));
            assert_eq!((file.to_string().parse(), rank.to_string().parse()), (Ok(file), Ok(rank)));
        }
        assert!(File::try_from(8u8).is_err() && Rank::try_from(usize::MAX).is_err());
        for bad in ["", "i", "A", "ab", "1"] {
            assert!(bad.parse::<File>().is_err(), "{bad:?}");
        }
        assert!(size_of::<Option<File>>() == 1 && File::D < File::E && Rank::First < Rank::Eighth);
    }

    #[test]
    fn relative_squares_mirror_the_ranks() {
        let e3 = Square::E3;
        assert_eq!(e3.relative(Color::White), e3);
        assert_eq!(e3.relative(Color::Black), Square::E6);
        assert_eq!(e3.relative_rank(Color::Black), Rank::Sixth);
        assert_eq!(e3.distance(Square::A8), 5);
    }
}
