//! Retrograde analysis for all squares of the bare khun at once: a bitboard holds those from which a placement of the
//! attacker's khun and pieces wins.
//!
//! Placements that differ only in the square of the last piece are a row of 64 bitboards. The attacker's moves with the
//! khun or the first piece lead from a row to a row, so that they are taken back for a whole row at once. Only rows
//! with new results are visited.

use std::collections::TryReserveError;

use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

use super::table::{DtmTable, PLACEMENTS, Placement, with_room};
use crate::tablebase::row::{mirror_image, mirrored, neighbours};

/// By the square of the last piece.
type PlacementRow = [Bitboard; 64];
const EMPTY_ROW: PlacementRow = [Bitboard::EMPTY; 64];

/// Squares of the attacker's khun, with those on the files e to h left out.
const KHUN_PST: usize = 32;

/// A win of one piece alone: it stands on the first square, the bare khun on the second.
struct LoneWin {
    khun: usize,
    piece: Square,
    bare_khun: Square,
    moves: u8,
}

struct Solver {
    kinds: [PieceKind; 2],
    /// One piece, of the first kind, instead of two.
    is_lone: bool,
    /// Squares of the bare khun that are won with the attacker to move.
    won: Vec<PlacementRow>,
    /// Squares that are lost for the bare khun to move.
    lost: Vec<PlacementRow>,
    /// Those of `lost` that are new in this round.
    fresh: Vec<PlacementRow>,
    is_fresh: Vec<bool>,
    /// Won by a move to `fresh`, as far as the pieces before the move allow.
    gained: Vec<PlacementRow>,
    is_gained: Vec<bool>,
    moves: Vec<[u8; 64]>,
}

impl Placement {
    /// Where the bare khun, to move, is mated or has only moves to squares of `won`.
    fn lost(self, kinds: [PieceKind; 2], won: Bitboard) -> Bitboard {
        let attacked = self.attacked(kinds);
        let safe = self.safe(attacked);
        // Without a move it is mated only if attacked.
        self.free() & !neighbours(safe & !won) & (attacked | neighbours(safe))
    }

    /// Where the bare khun may stand on its own move: neither on a piece nor beside the khun.
    fn free(self) -> Bitboard {
        !(self.occupied() | attacks::khun(self.khun))
    }

    fn is_possible(self) -> bool {
        !self.pieces.contains(&self.khun)
    }
}

impl Solver {
    fn new(kinds: [PieceKind; 2], is_lone: bool) -> Result<Self, TryReserveError> {
        let count = if is_lone { KHUN_PST } else { KHUN_PST * 64 };
        let rows = || -> Result<_, TryReserveError> {
            let mut rows = with_room(count)?;
            rows.resize(count, EMPTY_ROW);
            Ok(rows)
        };
        let mut moves = with_room(count * 64)?;
        moves.resize(count * 64, [0; 64]);
        let flags = vec![false; count];
        Ok(Self {
            kinds,
            is_lone,
            won: rows()?,
            lost: rows()?,
            fresh: rows()?,
            is_fresh: flags.clone(),
            gained: rows()?,
            is_gained: flags,
            moves,
        })
    }

    /// The row of a khun on the files a to d and a first piece.
    fn row(&self, khun: Square, first: Square) -> usize {
        let khun = khun.index() / 8 * 4 + khun.index() % 8;
        if self.is_lone { khun } else { khun * 64 + first.index() }
    }

    fn placement(&self, row: usize, last: Square) -> Placement {
        let (khun, first) = if self.is_lone { (row, last) } else { (row / 64, Square::from_index(row % 64)) };
        Placement { khun: Square::from_index(khun / 4 * 8 + khun % 4), pieces: [first, last] }
    }

    /// Whether the row and a square of its last piece make a placement of as many pieces as there are.
    fn is_placement(&self, placement: Placement) -> bool {
        placement.is_possible() && placement.is_lone() == self.is_lone
    }

    /// Finds all wins. Each of `lone`, in the order of their moves, is one with the piece that is left when the bare
    /// khun takes the other: the row, the last piece's square, the bare khun's and the moves.
    fn solve(&mut self, lone: &[(usize, Square, Bitboard, u8)]) {
        for row in 0..self.fresh.len() {
            for last in Square::all() {
                self.update_lost(row, last);
            }
        }
        let mut lone = lone.iter().peekable();
        for round in 1..=u8::MAX {
            for row in 0..self.fresh.len() {
                if std::mem::take(&mut self.is_fresh[row]) {
                    let fresh = std::mem::replace(&mut self.fresh[row], EMPTY_ROW);
                    self.take_back_moves(row, &fresh);
                }
            }
            for row in 0..self.gained.len() {
                if !std::mem::take(&mut self.is_gained[row]) {
                    continue;
                }
                let gained = std::mem::replace(&mut self.gained[row], EMPTY_ROW);
                for (last, here) in Square::all().zip(gained) {
                    let here = here & !self.won[row][last.index()];
                    if !here.is_empty() {
                        let placement = self.placement(row, last);
                        if self.is_placement(placement) {
                            self.record_win(row, last, here & placement.free(), round);
                        }
                    }
                }
            }
            while let Some(&(row, last, here, _)) = lone.next_if(|&&(.., moves)| moves == round) {
                self.record_win(row, last, here & !self.won[row][last.index()], round);
            }
            if lone.peek().is_none() && !self.is_fresh.contains(&true) {
                break;
            }
        }
    }

    /// Records that the attacker, to move, mates a bare khun on the squares `here` in so many moves.
    fn record_win(&mut self, row: usize, last: Square, here: Bitboard, moves: u8) {
        if here.is_empty() {
            return;
        }
        self.won[row][last.index()] |= here;
        let distances = &mut self.moves[row * 64 + last.index()];
        for bare_khun in here {
            distances[bare_khun.index()] = moves;
        }
        self.update_lost(row, last);
    }

    /// Updates what is lost for the bare khun to move.
    fn update_lost(&mut self, row: usize, last: Square) {
        let placement = self.placement(row, last);
        if !self.is_placement(placement) {
            return;
        }
        let lost = &mut self.lost[row][last.index()];
        let fresh = placement.lost(self.kinds, self.won[row][last.index()]) & !*lost;
        *lost |= fresh;
        self.fresh[row][last.index()] |= fresh;
        self.is_fresh[row] |= !fresh.is_empty();
    }

    /// Records what is won by a move to `fresh`, placements of a row. Where that would put two pieces on one square the
    /// result is left out later.
    fn take_back_moves(&mut self, row: usize, fresh: &PlacementRow) {
        let Placement { khun, pieces: [first, _] } = self.placement(row, Square::from_index(0));
        for from in attacks::khun(khun) {
            if from.file() < 4 {
                let before = self.row(from, first);
                self.record_gains(before, fresh, Bitboard::EMPTY);
            } else {
                let before = self.row(mirrored(from), mirrored(first));
                let mut image = *fresh;
                image.as_chunks_mut::<8>().0.iter_mut().for_each(|rank| rank.reverse());
                self.record_gains(before, &image.map(mirror_image), Bitboard::EMPTY);
            }
        }
        let mut others = Bitboard::from(khun);
        if !self.is_lone {
            // A piece goes back where one of the other colour would go.
            for from in attacks::of(self.kinds[0], Color::Black, first, others) & !others {
                let over = attacks::between(from, first);
                let mut passed = *fresh;
                over.into_iter().for_each(|last| passed[last.index()] = Bitboard::EMPTY);
                self.record_gains(self.row(khun, from), &passed, over);
            }
            others |= first.into();
        }
        let kind = self.kinds[usize::from(!self.is_lone)];
        let gained = &mut self.gained[row];
        for (last, &here) in Square::all().zip(fresh) {
            if !here.is_empty() {
                for from in attacks::of(kind, Color::Black, last, others) & !others {
                    gained[from.index()] |= here & !attacks::between(from, last);
                }
            }
        }
        self.is_gained[row] = true;
    }

    /// A row wins where it moves to squares not lost by standing between.
    fn record_gains(&mut self, row: usize, fresh: &PlacementRow, between: Bitboard) {
        for (gained, &here) in self.gained[row].iter_mut().zip(fresh) {
            *gained |= here & !between;
        }
        self.is_gained[row] = true;
    }
}

/// The wins of one piece.
fn lone_wins(kind: PieceKind) -> Result<Vec<LoneWin>, TryReserveError> {
    let mut solver = Solver::new([kind; 2], true)?;
    solver.solve(&[]);
    let mut wins = Vec::new();
    for (index, moves) in solver.moves.iter().enumerate() {
        let (khun, piece) = (index / 64, Square::from_index(index % 64));
        let won = Square::all().zip(moves).filter(|&(_, &moves)| moves > 0);
        wins.extend(won.map(|(bare_khun, &moves)| LoneWin { khun, piece, bare_khun, moves }));
    }
    Ok(wins)
}

impl DtmTable {
    /// The table of two kinds.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub(super) fn solve(kinds: [PieceKind; 2]) -> Result<Self, TryReserveError> {
        let [first, second] = kinds;
        let first_alone = lone_wins(first)?;
        // When the bare khun takes one piece, it stands there, and the other piece may mate.
        let mut lone = Vec::new();
        let left_first = |win: &LoneWin| {
            (win.khun * 64 + win.piece.index(), win.bare_khun, win.bare_khun.into(), win.moves)
        };
        let left_second = |win: &LoneWin| {
            (win.khun * 64 + win.bare_khun.index(), win.piece, win.bare_khun.into(), win.moves)
        };
        lone.extend(first_alone.iter().map(left_first));
        if first == second {
            lone.extend(first_alone.iter().map(left_second));
        } else {
            lone.extend(lone_wins(second)?.iter().map(left_second));
        }
        lone.sort_by_key(|&(.., moves)| moves);

        let mut solver = Solver::new(kinds, false)?;
        solver.solve(&lone);
        let mut moves = solver.moves;
        debug_assert_eq!(moves.len(), PLACEMENTS);
        for win in first_alone {
            moves[(win.khun * 64 + win.piece.index()) * 64 + win.piece.index()][win.bare_khun.index()] =
                win.moves;
        }
        Ok(Self { kinds, moves: moves.into_boxed_slice() })
    }
}
