//! One DTM table: the layout and its look-up.
//!
//! White attacks in all placements, and its khun stands on the files a to d; the others are mirrored. A piece alone is
//! a pair on one square.

use std::collections::TryReserveError;
use std::fmt;

use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

use crate::tablebase::row::mirrored;

/// The distances of two kinds of pieces, together or the first kind alone.
pub(crate) struct DtmTable {
    pub(super) kinds: [PieceKind; 2],
    /// Moves to mate with the attacker to move, by placement and the bare khun's square; 0 if there is none to force.
    pub(super) moves: Box<[[u8; 64]]>,
}

impl fmt::Debug for DtmTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtmTable").field("kinds", &self.kinds).finish_non_exhaustive()
    }
}

/// The squares of the attacker's khun and pieces.
#[derive(Clone, Copy)]
pub(super) struct Placement {
    pub(super) khun: Square,
    pub(super) pieces: [Square; 2],
}

/// Placements with the khun on the files a to d.
pub(super) const PLACEMENTS: usize = 32 * 64 * 64;

impl Placement {
    /// Where the tables have it, and whether they have its mirror image there.
    fn index(self) -> (usize, bool) {
        let mirror = self.khun.file() > 3;
        let at = |square: Square| if mirror { mirrored(square) } else { square }.index();
        let khun = at(self.khun);
        (((khun / 8 * 4 + khun % 8) * 64 + at(self.pieces[0])) * 64 + at(self.pieces[1]), mirror)
    }

    /// Whether there is only one piece.
    pub(super) fn is_lone(self) -> bool {
        self.pieces[0] == self.pieces[1]
    }

    pub(super) fn occupied(self) -> Bitboard {
        Bitboard::from(self.khun) | self.pieces[0].into() | self.pieces[1].into()
    }

    /// Squares the pieces attack, also through the bare khun.
    pub(super) fn attacked(self, kinds: [PieceKind; 2]) -> Bitboard {
        let by = |piece: usize| attacks::of(kinds[piece], Color::White, self.pieces[piece], self.occupied());
        if self.is_lone() { by(0) } else { by(0) | by(1) }
    }

    /// Where the bare khun may step, from anywhere beside.
    pub(super) fn safe(self, attacked: Bitboard) -> Bitboard {
        !(attacked | attacks::khun(self.khun) | self.khun.into())
    }
}

impl DtmTable {
    /// Memory a table takes, in bytes.
    pub(crate) const BYTES: usize = PLACEMENTS * 64;

    /// Plies to mate with best play; `None` if no mate can be forced. The squares are those of the attacker's khun, its
    /// pieces (twice the same for a piece alone) and the bare khun, from the attacker's side of the board.
    pub(super) fn plies(
        &self,
        khun: Square,
        pieces: [Square; 2],
        bare_khun: Square,
        attacker_moves: bool,
    ) -> Option<i32> {
        let placement = Placement { khun, pieces };
        let (index, mirror) = placement.index();
        let distances = &self.moves[index];
        let moves = |bare_khun: Square| match distances
            [if mirror { mirrored(bare_khun) } else { bare_khun }.index()]
        {
            0 => None,
            moves => Some(i32::from(moves)),
        };
        if attacker_moves {
            return moves(bare_khun).map(|moves| 2 * moves - 1);
        }
        let attacked = placement.attacked(self.kinds);
        let steps = attacks::khun(bare_khun) & placement.safe(attacked);
        let longest = steps.into_iter().map(moves).try_fold(0, |longest, moves| Some(longest.max(moves?)))?;
        (longest > 0 || attacked.contains(bare_khun)).then_some(2 * longest)
    }
}

/// An empty vector with room for so many items.
///
/// # Errors
/// If that would leave less than some megabytes for all else.
pub(super) fn with_room<T>(items: usize) -> Result<Vec<T>, TryReserveError> {
    const SPARE: usize = 24 << 20;
    Vec::<u8>::new().try_reserve_exact(items * size_of::<T>() + SPARE)?;
    let mut vector = Vec::new();
    vector.try_reserve_exact(items)?;
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::super::DtmTables;
    use super::*;

    use PieceKind::{Khon, Maa, Met, Rua};

    fn all() -> DtmTables {
        let tables = DtmTables::default();
        tables.solve_all();
        assert_eq!(tables.solved(), DtmTables::COUNT);
        tables
    }

    /// Found by another solver, which followed the moves from placement to placement: the FNV-1a hash of each table,
    /// the longest mate in moves, and the number of wins.
    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_tables_are_what_another_solver_found() {
        let expected = [
            ([Rua, Rua], 0x6cc4_60fe_25cf_cc41, 16, 7_166_208),
            ([Rua, Khon], 0x119a_1808_8359_2705, 17, 7_054_124),
            ([Rua, Maa], 0xe7d0_ce6c_68ac_1b4d, 17, 7_052_876),
            ([Rua, Met], 0x92c3_9d83_33f6_53a5, 17, 7_053_768),
            ([Khon, Khon], 0xb51a_1b69_3b8e_0d80, 52, 5_967_386),
            ([Khon, Maa], 0xfc8b_7250_61f1_ebee, 38, 6_485_392),
            ([Khon, Met], 0x16f8_2135_f4b1_61a3, 58, 5_791_141),
            ([Maa, Met], 0xb41e_aafd_b881_cce5_u64, 36, 256_548),
        ];
        let tables = all();
        for table in (0..DtmTables::COUNT).filter_map(|pair| tables.0.get(pair)) {
            let moves = table.moves.as_flattened();
            let hash = moves.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
            let most = moves.iter().max().copied().unwrap_or(0);
            let wins = moves.iter().filter(|&&moves| moves > 0).count();
            let found = (table.kinds, hash, most, wins);
            assert!(expected.contains(&found), "{:?} {hash:#018x} {most} {wins}", table.kinds);
        }
    }

    /// Each distance is one more than that of the best move, and each win has one; found by making the moves.
    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn distances_agree_with_those_a_move_later() {
        let mut checked = 0;
        let tables = all();
        for table in (0..DtmTables::COUNT).filter_map(|pair| tables.0.get(pair)) {
            for number in (0..PLACEMENTS).step_by(211) {
                let khun = number / 4096;
                let khun = Square::from_index(khun / 4 * 8 + khun % 4);
                let pieces = [Square::from_index(number / 64 % 64), Square::from_index(number % 64)];
                let placement = Placement { khun, pieces };
                if pieces.contains(&khun) {
                    continue;
                }
                let is_lone = placement.is_lone();
                for bare_khun in !(placement.occupied() | attacks::khun(khun)) {
                    let occupied = placement.occupied() | bare_khun.into();
                    let mut best = None;
                    let mut consider = |after: Placement| {
                        if let Some(plies) = table.plies(after.khun, after.pieces, bare_khun, false) {
                            best = Some(best.map_or(plies + 1, |best: i32| best.min(plies + 1)));
                        }
                    };
                    for to in attacks::khun(khun) & !occupied & !attacks::khun(bare_khun) {
                        consider(Placement { khun: to, pieces });
                    }
                    for piece in 0..if is_lone { 1 } else { 2 } {
                        for to in
                            attacks::of(table.kinds[piece], Color::White, pieces[piece], occupied) & !occupied
                        {
                            let mut pieces = if is_lone { [to; 2] } else { pieces };
                            pieces[piece] = to;
                            consider(Placement { khun, pieces });
                        }
                    }
                    let found = table.plies(khun, pieces, bare_khun, true);
                    assert_eq!(found, best, "{:?} {khun} {pieces:?} {bare_khun}", table.kinds);
                    checked += 1;
                }
            }
        }
        assert!(checked > 100_000, "{checked}");
    }
}
