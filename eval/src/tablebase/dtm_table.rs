//! The distances to mate (DTM) of a pair of pieces against a bare khun, packed for a fast probe.
//!
//! The rows are those of the solver: White attacks, and its khun stands on the files a to d; other placements are
//! mirrored. A row with both pieces on one square holds the first piece alone.

use std::fmt;
use std::sync::Arc;

use arrayvec::ArrayVec;
use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

use super::ending::Ending;
use super::row::row_number;
use super::solved::Solutions;
use super::solver::{ILLEGAL, Recorded, Solution, SolveError, Solver};

/// The DTM table of two kinds of pieces, together or the first kind alone.
pub(crate) struct DtmTable {
    kinds: [PieceKind; 2],
    /// Moves to mate with the attacker to move, by row and the bare khun's square; 0 if no mate can be forced.
    moves: Box<[[u8; 64]]>,
}

impl fmt::Debug for DtmTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DtmTable").field("kinds", &self.kinds).finish_non_exhaustive()
    }
}

/// The squares of the attacker's khun and pieces.
#[derive(Clone, Copy)]
struct Placement {
    khun: Square,
    pieces: [Square; 2],
}

impl Placement {
    /// Whether there is only one piece.
    fn is_lone(self) -> bool {
        self.pieces[0] == self.pieces[1]
    }

    fn occupied(self) -> Bitboard {
        Bitboard::from(self.khun) | self.pieces[0].into() | self.pieces[1].into()
    }

    /// Squares the pieces attack, x-rays through the bare khun included.
    fn attacked(self, kinds: [PieceKind; 2]) -> Bitboard {
        let by =
            |piece: usize| attacks::from(kinds[piece], Color::White, self.pieces[piece], self.occupied());
        if self.is_lone() { by(0) } else { by(0) | by(1) }
    }

    /// Where the bare khun may step, from any adjacent square.
    fn safe(self, attacked: Bitboard) -> Bitboard {
        !(attacked | attacks::khun(self.khun) | self.khun.into())
    }
}

impl DtmTable {
    /// Memory of a DTM table, in bytes.
    pub(crate) const BYTES: usize = 32 * 64 * 64 * 64;

    /// Packs the wins of a pair, and those of each piece alone, which are solved here within a slice.
    pub(super) fn new(ending: &Ending, pair: Solution) -> Result<Self, SolveError> {
        let kinds: ArrayVec<PieceKind, 2> = ending.kinds(Color::White).take(2).collect();
        let kinds = kinds.into_inner().map_err(|_| SolveError::NotSolved)?;
        let alone = |other| {
            let ending = ending.after(Some(other), None).0;
            let mut solver = Solver::new(&ending, &Solutions::default(), Recorded::WinsForEvaluation)?;
            while !solver.step(1)? {}
            Ok::<_, SolveError>(solver.into_solution().wins)
        };
        let (first_alone, second_alone) = (alone(1)?, alone(0)?);
        let mut moves = Arc::unwrap_or_clone(pair.wins);
        // The row number: 5 bits for the khun, then 6 for each piece.
        for (number, row) in moves.iter_mut().enumerate() {
            let (khun, first, second) = (number >> 12, number >> 6 & 63, number & 63);
            if first == second {
                *row = first_alone[khun << 6 | first];
            } else {
                // The bare khun stands where it has taken a piece.
                row[second] = first_alone[khun << 6 | first][second];
                row[first] = second_alone[khun << 6 | second][first];
            }
            // The probe does not distinguish illegal placements from draws.
            row.iter_mut().for_each(|moves| *moves = if *moves < ILLEGAL { *moves } else { 0 });
        }
        debug_assert_eq!(moves.as_flattened().len(), Self::BYTES);
        Ok(Self { kinds, moves: moves.into_boxed_slice() })
    }

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
        let (row, mirror) = row_number(khun, &pieces);
        let distances = &self.moves[row];
        let mirror = if mirror { 7 } else { 0 };
        let moves = |bare_khun: Square| match distances[bare_khun.index() ^ mirror] {
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

#[cfg(test)]
mod tests {
    use super::super::DtmTables;
    use super::super::memory::PAIRS;
    use super::*;

    use PieceKind::{Khon, Maa, Met, Rua};

    /// The placement of a row.
    fn placement(number: usize) -> Placement {
        let khun = Square::from_index((number >> 14) * 8 + (number >> 12 & 3));
        Placement { khun, pieces: [number >> 6 & 63, number & 63].map(Square::from_index) }
    }

    fn all() -> DtmTables {
        let tables = DtmTables::default();
        tables.solve_all();
        assert_eq!(tables.solved(), DtmTables::COUNT);
        tables
    }

    /// Results of another solver, which followed the moves from placement to placement: for each table the FNV-1a hash,
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
        for table in (0..PAIRS).filter_map(|pair| tables.memory().pair(pair)) {
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
        for table in (0..PAIRS).filter_map(|pair| tables.memory().pair(pair)) {
            for number in (0..32 * 64 * 64).step_by(211) {
                let placement = placement(number);
                let Placement { khun, pieces } = placement;
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
                        for to in attacks::from(table.kinds[piece], Color::White, pieces[piece], occupied)
                            & !occupied
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
