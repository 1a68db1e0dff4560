//! Rua attacks without a table, for builds that must be small.
//!
//! On a file or rank the nearest piece above the rua is the lowest bit of the higher squares, and the nearest piece
//! below it the highest bit of the lower squares. The difference of twice the one and the other has all bits from one
//! to the other.
//!
//! Technique: Michael Hoffmann, "obstruction difference".

use crate::bitboard::Bitboard;
use crate::square::Square;

#[cfg(any(test, target_arch = "wasm32", feature = "small-tables"))]
#[inline]
pub(crate) const fn rua_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let file = along(square, Bitboard::file_of(square).0, occupied.0);
    let rank = along(square, Bitboard::rank_of(square).0, occupied.0);
    // Each has the rua's own square.
    Bitboard(file ^ rank)
}

/// The squares that a rua attacks on one line, and its own.
#[cfg(any(test, target_arch = "wasm32", feature = "small-tables"))]
#[inline]
const fn along(square: Square, line: u64, occupied: u64) -> u64 {
    let below = Bitboard::from_square(square).0 - 1;
    let obstacles = occupied & line & !Bitboard::from_square(square).0;
    let above = obstacles & !below;
    // Bit 0 stands for the edge, the highest number for the other.
    let nearest_above = above & above.wrapping_neg();
    let nearest_below = (1 << 63) >> (obstacles & below | 1).leading_zeros();
    line & (nearest_above << 1).wrapping_sub(nearest_below)
}

/// The squares strictly between two squares of one file or rank; none for all other pairs.
#[inline]
pub(crate) const fn between(a: Square, b: Square) -> Bitboard {
    let (a_bit, b_bit) = (Bitboard::from_square(a).0, Bitboard::from_square(b).0);
    let (file, rank) = (Bitboard::file_of(a), Bitboard::rank_of(a));
    let line = if file.contains(b) {
        file.0
    } else if rank.contains(b) {
        rank.0
    } else {
        0
    };
    // All squares from the lower one to below the higher one, and without both.
    let span = (a_bit - 1) ^ (b_bit - 1);
    Bitboard(line & span & !(a_bit | b_bit))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::magic;
    use crate::zobrist::splitmix64;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn attacks_equal_the_table() {
        for square in Square::all() {
            for number in 0..5_000 {
                // From half the board to almost nothing.
                let half = splitmix64(3 * number);
                let fewer = half & splitmix64(3 * number + 1);
                for occupied in [half, fewer, fewer & splitmix64(3 * number + 2)].map(Bitboard) {
                    assert_eq!(
                        rua_attacks(square, occupied),
                        magic::rua_attacks(square, occupied),
                        "{square}"
                    );
                }
            }
        }
    }
}
