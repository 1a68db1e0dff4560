//! Retrograde analysis for all squares of the bare khun at once: a bitboard holds those from which a placement of the
//! attacker's khun and pieces wins.
//!
//! Placements that differ only in the square of the last piece are a row of 64 bitboards. The attacker's moves with the
//! khun or the first piece lead from a row to a row, so that they are taken back for a whole row at once. Only rows
//! with new results are visited.
//!
//! A [`TableSolver`] works in slices of a few milliseconds, so that a caller can listen in between.

use std::collections::TryReserveError;
use std::fmt;

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

/// A win that the capture of the other piece leaves: the row, the last piece's square, the bare khun's, and the moves.
type LeftWin = (usize, Square, Bitboard, u8);

/// Placements of a slice. It takes some milliseconds.
const SLICE: usize = 65_536;

/// What is done with each row.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    FindMates,
    TakeBackMoves,
    RecordWins,
    Done,
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
    /// Wins with the piece that is left when the bare khun takes the other, in the order of their moves.
    left: Vec<LeftWin>,
    /// How many of `left` are recorded.
    left_recorded: usize,
    round: u8,
    phase: Phase,
    /// The row with which the phase goes on.
    row: usize,
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
    fn new(kinds: [PieceKind; 2], is_lone: bool, left: Vec<LeftWin>) -> Result<Self, TryReserveError> {
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
            left,
            left_recorded: 0,
            round: 1,
            phase: Phase::FindMates,
            row: 0,
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

    /// Works on some rows. Returns whether all wins are found.
    fn step(&mut self) -> bool {
        let mut placements = 0;
        while placements < SLICE && self.phase != Phase::Done {
            let has_worked = self.work_on(self.row);
            placements += if has_worked { 64 } else { 1 };
            self.row += 1;
            if self.row == self.fresh.len() {
                self.row = 0;
                self.phase = self.next_phase();
            }
        }
        self.phase == Phase::Done
    }

    /// The work of the phase on a row. Returns whether there was any.
    fn work_on(&mut self, row: usize) -> bool {
        match self.phase {
            Phase::FindMates => {
                for last in Square::all() {
                    self.update_lost(row, last);
                }
                true
            }
            Phase::TakeBackMoves => {
                let is_fresh = std::mem::take(&mut self.is_fresh[row]);
                if is_fresh {
                    let fresh = std::mem::replace(&mut self.fresh[row], EMPTY_ROW);
                    self.take_back_moves(row, &fresh);
                }
                is_fresh
            }
            Phase::RecordWins => {
                let is_gained = std::mem::take(&mut self.is_gained[row]);
                if is_gained {
                    self.record_gained(row);
                }
                is_gained
            }
            Phase::Done => false,
        }
    }

    /// The phase after one that has come to the last row.
    fn next_phase(&mut self) -> Phase {
        match self.phase {
            Phase::FindMates => Phase::TakeBackMoves,
            Phase::TakeBackMoves => Phase::RecordWins,
            Phase::RecordWins => {
                while let Some(&(row, last, here, moves)) = self.left.get(self.left_recorded)
                    && moves == self.round
                {
                    self.record_win(row, last, here & !self.won[row][last.index()], moves);
                    self.left_recorded += 1;
                }
                let is_last = self.left_recorded == self.left.len() && !self.is_fresh.contains(&true);
                match self.round.checked_add(1) {
                    Some(round) if !is_last => {
                        self.round = round;
                        Phase::TakeBackMoves
                    }
                    _ => Phase::Done,
                }
            }
            Phase::Done => Phase::Done,
        }
    }

    /// Records the wins of a row that moves have been taken back to.
    fn record_gained(&mut self, row: usize) {
        let gained = std::mem::replace(&mut self.gained[row], EMPTY_ROW);
        for (last, here) in Square::all().zip(gained) {
            let here = here & !self.won[row][last.index()];
            if !here.is_empty() {
                let placement = self.placement(row, last);
                if self.is_placement(placement) {
                    self.record_win(row, last, here & placement.free(), self.round);
                }
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

/// The wins of one piece. They take less than a slice.
fn lone_wins(kind: PieceKind) -> Result<Vec<LoneWin>, TryReserveError> {
    let mut solver = Solver::new([kind; 2], true, Vec::new())?;
    while !solver.step() {}
    let mut wins = Vec::new();
    for (index, moves) in solver.moves.iter().enumerate() {
        let (khun, piece) = (index / 64, Square::from_index(index % 64));
        let won = Square::all().zip(moves).filter(|&(_, &moves)| moves > 0);
        wins.extend(won.map(|(bare_khun, &moves)| LoneWin { khun, piece, bare_khun, moves }));
    }
    Ok(wins)
}

/// Solves the table of two kinds in slices.
pub(super) struct TableSolver {
    solver: Solver,
    first_alone: Vec<LoneWin>,
}

impl fmt::Debug for TableSolver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("TableSolver").field("round", &self.solver.round).finish_non_exhaustive()
    }
}

impl TableSolver {
    /// Begins. This takes no longer than a slice.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub(super) fn new(kinds: [PieceKind; 2]) -> Result<Self, TryReserveError> {
        let [first, second] = kinds;
        let first_alone = lone_wins(first)?;
        // When the bare khun takes one piece, it stands there, and the other piece may mate.
        let left_first = |win: &LoneWin| {
            (win.khun * 64 + win.piece.index(), win.bare_khun, win.bare_khun.into(), win.moves)
        };
        let left_second = |win: &LoneWin| {
            (win.khun * 64 + win.bare_khun.index(), win.piece, win.bare_khun.into(), win.moves)
        };
        let mut left: Vec<LeftWin> = first_alone.iter().map(left_first).collect();
        if first == second {
            left.extend(first_alone.iter().map(left_second));
        } else {
            left.extend(lone_wins(second)?.iter().map(left_second));
        }
        left.sort_by_key(|&(.., moves)| moves);
        Ok(Self { solver: Solver::new(kinds, false, left)?, first_alone })
    }

    /// Works for a slice. Returns whether the table is solved.
    pub(super) fn step(&mut self) -> bool {
        self.solver.step()
    }

    /// The table, once it is solved.
    pub(super) fn into_table(self) -> DtmTable {
        let Solver { kinds, mut moves, .. } = self.solver;
        debug_assert_eq!(moves.len(), PLACEMENTS);
        for win in self.first_alone {
            moves[(win.khun * 64 + win.piece.index()) * 64 + win.piece.index()][win.bare_khun.index()] =
                win.moves;
        }
        DtmTable { kinds, moves: moves.into_boxed_slice() }
    }
}
