//! Where men stand, seen from both khuns.

use sakmak_movegen::{Color, PieceKind, Position, Square};

use crate::tapered::Tapered;
use crate::weight_table::{Table, Tally};
use crate::weights::*;

/// By kind, as seen from the own khun and from the enemy's. The khun itself counts nothing.
const TABLES: [[Table<120>; 5]; 2] = [
    [BIA_FROM_OWN_KHUN, MET_FROM_OWN_KHUN, KHON_FROM_OWN_KHUN, MAA_FROM_OWN_KHUN, RUA_FROM_OWN_KHUN],
    [
        BIA_FROM_ENEMY_KHUN,
        MET_FROM_ENEMY_KHUN,
        KHON_FROM_ENEMY_KHUN,
        MAA_FROM_ENEMY_KHUN,
        RUA_FROM_ENEMY_KHUN,
    ],
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

/// The entry for a man of `us` on `square`, seen from `khun`.
const fn entry(us: Color, square: Square, khun: Square) -> usize {
    let (square, khun) = (square.relative(us).index(), khun.relative(us).index());
    // Each square's number in the wider board.
    let (square, khun) = (square + (square & 56), khun + (khun & 56));
    ENTRIES[119 + square - khun] as usize
}

/// What a man of `us`, none but the khun, counts on `square`, seen from the khun of `color`.
pub(crate) const fn place(us: Color, kind: usize, square: Square, color: Color, khun: Square) -> Tapered {
    TABLES[(us as usize != color as usize) as usize][kind].value(entry(us, square, khun))
}

/// What the places of one side's men count, from scratch.
pub(crate) fn places<T: Tally>(position: &Position, us: Color) -> T {
    let mut score = T::default();
    for (tables, khun) in TABLES.iter().zip([us, !us]) {
        for (table, kind) in tables.iter().zip(PieceKind::ALL) {
            for square in position.men(us, kind) {
                score.at(table, entry(us, square, position.khun(khun)));
            }
        }
    }
    score
}
