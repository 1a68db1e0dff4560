//! King-relative piece-square tables: the value of a piece by its place relative to each khun.

use sakmak_movegen::{Color, PieceKind, Position, Square};

use crate::tapered::Tapered;
use crate::weight_table::{Tracer, WeightTable};
use crate::weights::*;

/// By kind, relative to the own khun and to the enemy's. The khun itself has no value.
const TABLES: [[WeightTable<120>; 5]; 2] = [
    [BIA_OWN_KHUN_PST, MET_OWN_KHUN_PST, KHON_OWN_KHUN_PST, MAA_OWN_KHUN_PST, RUA_OWN_KHUN_PST],
    [BIA_ENEMY_KHUN_PST, MET_ENEMY_KHUN_PST, KHON_ENEMY_KHUN_PST, MAA_ENEMY_KHUN_PST, RUA_ENEMY_KHUN_PST],
];

/// Entry of the tables by the difference of two squares in a board 16 files wide: a rank has 8 entries,
/// one for each distance to the side, and 15 ranks lie between -7 and 7.
const ENTRIES: [u8; 240] = entries_by_difference();

const fn entries_by_difference() -> [u8; 240] {
    let mut table = [0; 240];
    let mut rank = -7i32;
    while rank <= 7 {
        let mut file = -7i32;
        while file <= 7 {
            table[(16 * rank + file + 119) as usize] = (8 * (rank + 7) + file.abs()) as u8;
            file += 1;
        }
        rank += 1;
    }
    table
}

/// The entry for a piece of `us` on `square` relative to `khun`.
const fn entry(us: Color, square: Square, khun: Square) -> usize {
    let (square, khun) = (square.relative(us).index(), khun.relative(us).index());
    // Each square's number in the wider board.
    let (square, khun) = (square + (square & 56), khun + (khun & 56));
    ENTRIES[119 + square - khun] as usize
}

/// The value of a piece of `us`, not the khun, on `square` relative to the khun of `color`.
pub(crate) const fn king_relative_value(
    us: Color,
    kind: usize,
    square: Square,
    color: Color,
    khun: Square,
) -> Tapered {
    TABLES[(us as usize != color as usize) as usize][kind].value(entry(us, square, khun))
}

/// The king-relative values of one side's pieces, from scratch.
pub(crate) fn king_relative_sum<T: Tracer>(position: &Position, us: Color) -> T {
    let mut score = T::default();
    for (tables, khun) in TABLES.iter().zip([us, !us]) {
        for (table, kind) in tables.iter().zip(PieceKind::ALL) {
            for square in position.pieces(us, kind) {
                score.at(table, entry(us, square, position.khun(khun)));
            }
        }
    }
    score
}
