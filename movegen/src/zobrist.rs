//! Hash keys of positions (Zobrist 1970): one random number for each piece on each square, combined
//! by exclusive or.
//!
//! The numbers come from a fixed generator at compile time, so keys are the same in every build.

use crate::bitboard::Bitboard;
use crate::square::{Rank, Square};
use crate::types::{Color, PieceKind};

/// SplitMix64 (Steele, Lea and Flood 2014): the output for a given position in its sequence, each of the 2^64 outputs
/// at one position.
///
/// ```
/// // The first output of the reference implementation with seed 0.
/// assert_eq!(sakmak_movegen::splitmix64(1), 0xe220_a839_7b1d_cdaf);
/// ```
pub const fn splitmix64(position: u64) -> u64 {
    let mut z = position.wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

const fn numbers<const N: usize>(first: u64) -> [u64; N] {
    let mut numbers = [0; N];
    let mut i = 0;
    while i < N {
        numbers[i] = splitmix64(first + i as u64);
        i += 1;
    }
    numbers
}

/// Index: (colour * 6 + kind) * 64 + square.
static PIECES: [u64; 768] = numbers(1);
/// Index: count bucket, see [`crate::Count::key`].
static COUNT: [u64; 256] = numbers(4_000);
/// Index: plies left + 1, see [`crate::Count::key`].
static EXACT_COUNT: [u64; 256] = numbers(4_500);
/// Index: colour of the side that counts.
static COUNT_OWNER: [u64; 2] = numbers(5_000);
/// Index: file of a privileged piece on the first rank, 8 + file on the last.
static PRIVILEGES: [u64; 16] = numbers(6_000);
const BLACK_TO_MOVE: u64 = splitmix64(8_000);

#[inline]
pub(crate) fn piece(color: Color, kind: PieceKind, square: Square) -> u64 {
    PIECES[(color.index() * 6 + kind.index()) * 64 + square.index()]
}

#[inline]
pub(crate) fn side() -> u64 {
    BLACK_TO_MOVE
}

#[inline]
pub(crate) fn count(bucket: u8) -> u64 {
    COUNT[bucket as usize]
}

#[inline]
pub(crate) fn exact_count(index: u8) -> u64 {
    EXACT_COUNT[index as usize]
}

#[inline]
pub(crate) fn count_owner(color: Color) -> u64 {
    COUNT_OWNER[color.index()]
}

/// The share of first-move privileges, by the squares of the pieces that have one.
pub(crate) fn privileges(squares: Bitboard) -> u64 {
    let number =
        |square: Square| PRIVILEGES[square.file().index() + if square.rank() == Rank::First { 0 } else { 8 }];
    squares.into_iter().fold(0, |key, square| key ^ number(square))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut all: Vec<u64> = PIECES
            .iter()
            .chain(&COUNT)
            .chain(&EXACT_COUNT)
            .chain(&COUNT_OWNER)
            .chain(&PRIVILEGES)
            .copied()
            .collect();
        all.push(side());
        let total = all.len();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), total);
    }
}
