//! A set of squares in one 64-bit word.

use core::fmt;
use core::ops::{BitAnd, BitAndAssign, BitOr, BitOrAssign, BitXor, BitXorAssign, Not};

use crate::square::{File, Rank, Square};
use crate::types::Color;

/// A set of squares; bit `n` is the square with index `n`.
///
/// ```
/// use sakmak_movegen::{Bitboard, Rank, Square};
///
/// let set = Bitboard::rank(Rank::Fourth) & !Bitboard::from(Square::E4);
/// assert_eq!(set.len(), 7);
/// assert!(!set.contains(Square::E4));
/// assert_eq!(set.first(), Some(Square::A4));
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Bitboard(pub u64);

const FILE_A: u64 = 0x0101_0101_0101_0101;
const FILE_B: u64 = FILE_A << 1;
const FILE_G: u64 = FILE_A << 6;
const FILE_H: u64 = FILE_A << 7;

impl Bitboard {
    /// No square.
    pub const EMPTY: Self = Self(0);
    /// Every square.
    pub const ALL: Self = Self(!0);
    /// The first and the last rank.
    pub(crate) const HOME_RANKS: Self = Self(0xff00_0000_0000_00ff);

    /// The set of that square alone.
    #[inline]
    pub const fn from_square(square: Square) -> Self {
        Self(1 << square.index())
    }

    /// The squares of a file.
    #[inline]
    pub const fn file(file: File) -> Self {
        Self(FILE_A << file.index())
    }

    /// The squares of a rank.
    #[inline]
    pub const fn rank(rank: Rank) -> Self {
        Self(0xff << (8 * rank.index()))
    }

    /// The file of a square.
    #[inline]
    pub(crate) const fn file_of(square: Square) -> Self {
        Self(FILE_A << (square.index() & 7))
    }

    /// The rank of a square.
    #[inline]
    pub(crate) const fn rank_of(square: Square) -> Self {
        Self(0xff << (square.index() & 56))
    }

    /// Whether the square is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether there is no square in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether the two sets share a square.
    #[inline]
    pub const fn intersects(self, other: Self) -> bool {
        self.0 & other.0 != 0
    }

    /// Whether there are two or more squares in the set.
    #[inline]
    pub const fn more_than_one(self) -> bool {
        self.0 & self.0.wrapping_sub(1) != 0
    }

    /// How many squares are in the set.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The square with the lowest index, if any.
    #[inline]
    pub const fn first(self) -> Option<Square> {
        if self.is_empty() { None } else { Some(self.lowest()) }
    }

    /// The square with the lowest index; a1 for the empty set. For sets known to hold one, such as a khun.
    #[inline]
    pub(crate) const fn lowest(self) -> Square {
        Square::from_low_bits(self.0.trailing_zeros() as usize)
    }

    /// All squares one step towards rank 8.
    #[inline]
    pub const fn north(self) -> Self {
        Self(self.0 << 8)
    }

    /// All squares one step towards rank 1.
    #[inline]
    pub const fn south(self) -> Self {
        Self(self.0 >> 8)
    }

    /// All squares one step towards file h.
    #[inline]
    pub const fn east(self) -> Self {
        Self((self.0 & !FILE_H) << 1)
    }

    /// All squares one step towards file a.
    #[inline]
    pub const fn west(self) -> Self {
        Self((self.0 & !FILE_A) >> 1)
    }

    /// All squares one step straight ahead of `color`.
    #[inline]
    pub const fn forward(self, color: Color) -> Self {
        match color {
            Color::White => self.north(),
            Color::Black => self.south(),
        }
    }

    /// The four sets of diagonal neighbours: north-east, north-west, south-east, south-west.
    #[inline]
    pub const fn diagonal_steps(self) -> [Self; 4] {
        let (east, west) = (self.0 & !FILE_H, self.0 & !FILE_A);
        [Self(east << 9), Self(west << 7), Self(east >> 7), Self(west >> 9)]
    }

    /// The two sets of squares a bia of `color` captures on.
    #[inline]
    pub const fn bia_captures(self, color: Color) -> [Self; 2] {
        let [ne, nw, se, sw] = self.diagonal_steps();
        match color {
            Color::White => [ne, nw],
            Color::Black => [se, sw],
        }
    }

    /// The eight sets of squares a knight's leap away.
    #[inline]
    pub const fn maa_leaps(self) -> [Self; 8] {
        let east1 = self.0 & !FILE_H;
        let west1 = self.0 & !FILE_A;
        let east2 = self.0 & !(FILE_G | FILE_H);
        let west2 = self.0 & !(FILE_A | FILE_B);
        [
            Self(east1 << 17),
            Self(west1 << 15),
            Self(east2 << 10),
            Self(west2 << 6),
            Self(east2 >> 6),
            Self(west2 >> 10),
            Self(east1 >> 15),
            Self(west1 >> 17),
        ]
    }

    /// The union of several sets.
    #[inline]
    pub fn union<const N: usize>(sets: [Self; N]) -> Self {
        sets.into_iter().fold(Self::EMPTY, |all, set| all | set)
    }
}

macro_rules! bit_operators {
    ($($trait:ident $function:ident $assign_trait:ident $assign:ident $operator:tt,)*) => {$(
        impl $trait for Bitboard {
            type Output = Self;

            #[inline]
            fn $function(self, other: Self) -> Self {
                Self(self.0 $operator other.0)
            }
        }

        impl $assign_trait for Bitboard {
            #[inline]
            fn $assign(&mut self, other: Self) {
                *self = *self $operator other;
            }
        }
    )*};
}

bit_operators! {
    BitAnd bitand BitAndAssign bitand_assign &,
    BitOr bitor BitOrAssign bitor_assign |,
    BitXor bitxor BitXorAssign bitxor_assign ^,
}

impl Not for Bitboard {
    type Output = Self;
    #[inline]
    fn not(self) -> Self {
        Self(!self.0)
    }
}

impl From<Square> for Bitboard {
    #[inline]
    fn from(square: Square) -> Self {
        Self::from_square(square)
    }
}

impl From<u64> for Bitboard {
    /// Bit `n` is the square with index `n`.
    fn from(bits: u64) -> Self {
        Self(bits)
    }
}

impl From<Bitboard> for u64 {
    fn from(set: Bitboard) -> Self {
        set.0
    }
}

impl Extend<Square> for Bitboard {
    fn extend<T: IntoIterator<Item = Square>>(&mut self, squares: T) {
        *self |= squares.into_iter().collect();
    }
}

impl FromIterator<Square> for Bitboard {
    fn from_iter<T: IntoIterator<Item = Square>>(squares: T) -> Self {
        squares.into_iter().fold(Self::EMPTY, |set, square| set | square.into())
    }
}

/// The squares of a [`Bitboard`] from a1 to h8.
#[derive(Clone, Debug)]
pub struct Squares(Bitboard);

impl Iterator for Squares {
    type Item = Square;

    #[inline]
    fn next(&mut self) -> Option<Square> {
        let square = self.0.first()?;
        self.0.0 &= self.0.0 - 1;
        Some(square)
    }

    #[inline]
    fn size_hint(&self) -> (usize, Option<usize>) {
        let left = self.0.len() as usize;
        (left, Some(left))
    }
}

impl ExactSizeIterator for Squares {}
impl core::iter::FusedIterator for Squares {}

impl IntoIterator for Bitboard {
    type Item = Square;
    type IntoIter = Squares;

    #[inline]
    fn into_iter(self) -> Squares {
        Squares(self)
    }
}

impl fmt::Display for Bitboard {
    /// Eight lines, rank 8 first, `#` for a square in the set and `.` for one outside.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                f.write_str(if self.contains(Square::new(file, rank)) { "#" } else { "." })?;
            }
            f.write_str("\n")?;
        }
        Ok(())
    }
}

impl fmt::Debug for Bitboard {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(*self).finish()
    }
}

/// A set of squares of the first rank (low byte) and the last rank.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct HomeSquares(u16);

impl HomeSquares {
    pub(crate) const EMPTY: Self = Self(0);

    #[inline]
    pub(crate) const fn is_empty(self) -> bool {
        self.0 == 0
    }

    #[inline]
    pub(crate) const fn bitboard(self) -> Bitboard {
        let [first, last] = self.0.to_le_bytes();
        Bitboard(first as u64 | (last as u64) << 56)
    }
}

impl From<Bitboard> for HomeSquares {
    /// The squares of `set` on other ranks are left out.
    fn from(set: Bitboard) -> Self {
        let ranks = set.0.to_le_bytes();
        Self(u16::from_le_bytes([ranks[0], ranks[7]]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(name: &str) -> Square {
        name.parse().unwrap()
    }

    #[test]
    fn set_operations() {
        let set: Bitboard = ["a1", "h8", "e4"].into_iter().map(square).collect();
        assert_eq!(set.len(), 3);
        assert!(set.more_than_one() && !set.is_empty());
        assert!(set.contains(square("e4")) && !set.contains(square("e5")));
        assert_eq!(set.into_iter().map(|s| s.to_string()).collect::<Vec<_>>(), ["a1", "e4", "h8"]);
        assert_eq!(Bitboard::EMPTY.first(), None);
    }

    #[test]
    fn steps_do_not_wrap_around_the_board() {
        for from in Square::all() {
            let set = Bitboard::from(from);
            let near = [set.north(), set.south(), set.east(), set.west()];
            for to in Bitboard::union(near) | Bitboard::union(set.diagonal_steps()) {
                assert_eq!(from.distance(to), 1, "{from} {to}");
            }
            for to in Bitboard::union(set.maa_leaps()) {
                assert_eq!(from.distance(to), 2, "{from} {to}");
            }
        }
        assert_eq!(Bitboard::union(Bitboard::ALL.maa_leaps()), Bitboard::ALL);
    }
}
