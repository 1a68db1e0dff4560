//! Retrograde analysis of an ending.
//!
//! One run finds the wins of one side, the attacker, as sets of squares of the defender's khun, 64 placements at a
//! time. It begins with the mates. In each round the attacker, to move, wins where a move leads to a loss of the round
//! before, and the defender, to move, has lost where every move leads to a win. Only rows that the last results concern
//! are looked at. Each round covers the whole ending, so the result does not depend on the number of threads.
//!
//! The number of a win is the round: the attacker's moves until it is decided. Where no bia is left a count runs. It
//! goes on when a man is taken, and the win behind the capture must come in time, so its moves are added; when the
//! defender is bared another count begins, whose limit the win fits or not, so that the capture decides. With bia on
//! the board nothing is counted, and each capture or promotion that leads to a win decides. More moves left never hurt
//! the attacker, so the smallest number is all that has to be known: a win counts exactly if its plies fit the count.
//!
//! A [`Solver`] works in slices of a few milliseconds, so that a caller can handle input in between.

use std::sync::Arc;

use sakmak_movegen::{Bitboard, Color, Square};

use super::ending::Ending;
use super::exits::{Exits, Source};
use super::page::{Gains, PAGE, Page};
use super::row::{Row, neighbours, rearranged, row_count};
use super::table::TableError;
use super::work::{CHUNK, Pass, filled, for_each};

/// Work of a slice on one thread, some milliseconds: 1 for each row that moves are taken back from, [`LOOK`] for each
/// row that is examined.
const SLICE: usize = 1 << 22;
/// Work of examining a row.
const LOOK: usize = 64;

/// Marks placements that no game has.
pub(super) const ILLEGAL: u8 = 254;
/// Marks placements that the attacker does not win.
pub(super) const NOT_WON: u8 = 255;

/// The attacker's moves to its win, by row and square of the defender's khun.
pub(crate) type MoveRows = Vec<[u8; 64]>;

/// Why an ending was not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The tablebase of an ending that captures or promotions lead to is missing or damaged.
    #[error(transparent)]
    Needs(Box<TableError>),
    /// There is not enough memory.
    #[error("not enough memory to solve the ending")]
    Memory(#[from] std::collections::TryReserveError),
    /// The longest wins of both sides do not fit one byte.
    #[error("the wins are too long for the format")]
    TooLong,
    /// An ending that captures or promotions lead to is not solved.
    #[error("an ending that this one leads to is not solved")]
    NotSolved,
}

/// The attacker's wins.
#[derive(Clone)]
pub(crate) struct Solution {
    /// With the attacker to move.
    pub(crate) wins: Arc<MoveRows>,
    /// With the defender to move; empty if they were not asked for.
    pub(crate) losses: Arc<MoveRows>,
    /// The longest win with the attacker to move, and with the defender to move, in moves.
    pub(crate) longest: [u8; 2],
}

/// What is recorded of an ending.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Recorded {
    /// The wins and losses of legal placements.
    All,
    /// Wins only, also of placements that another piece on the board may make legal: with the attacker to move, the
    /// defender's khun is in check. The evaluation asks for them.
    WinsForEvaluation,
}

/// What is done next.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Phase {
    PrepareExits,
    FindMates,
    FindWins,
    FindLosses,
    Done,
}

/// Finds the wins of White, the attacker, in an ending.
pub(crate) struct Solver {
    ending: Ending,
    exits: Exits,
    /// Whether White has captures or promotions.
    has_white_exits: bool,
    /// By the color that moves: the last round in which an exit changes.
    last_exit: [u8; 2],
    /// Where the attacker is to move and has not won yet.
    open: Vec<Bitboard>,
    /// Where the attacker is to move, has not won yet, and the defender's khun is in check; empty if not recorded.
    in_check: Vec<Bitboard>,
    /// Where the defender is to move, has moves, and has not lost yet.
    unlost: Vec<Bitboard>,
    /// Where the defender is to move and has lost in the last round.
    fresh: Vec<Bitboard>,
    /// By page, the last man's squares of the rows in which `open` has changed in this round.
    open_changed: Vec<Bitboard>,
    /// By page, the last man's squares of the rows with losses of the last round.
    lost_changed: Vec<Bitboard>,
    round: u8,
    phase: Phase,
    pass: Pass,
    longest: [u8; 2],
    wins: MoveRows,
    /// Empty if not recorded.
    losses: MoveRows,
}

/// The chunks of a vector, then `None` for ever: the vector may be empty.
fn chunks_or_none<T>(items: &mut [T], size: usize) -> impl Iterator<Item = Option<&mut [T]>> {
    items.chunks_mut(size).map(Some).chain(std::iter::repeat_with(|| None))
}

/// The pages of some rows.
fn pages_mut<T>(rows: &mut [T]) -> &mut [[T; PAGE]] {
    rows.as_chunks_mut().0
}

/// [`NOT_WON`] on these squares, else [`ILLEGAL`].
#[inline]
pub(super) fn marks(legal: Bitboard) -> [u8; 64] {
    const { assert!(NOT_WON == ILLEGAL + 1) };
    std::array::from_fn(|square| ILLEGAL + (legal.0 >> square & 1) as u8)
}

/// Writes the round to these squares of a row.
#[inline]
fn write(row: &mut [u8; 64], squares: Bitboard, round: u8) {
    /// With more squares it is faster to write the whole row.
    const FEW: u32 = 6;
    if squares.len() <= FEW {
        squares.into_iter().for_each(|square| row[square.index()] = round);
        return;
    }
    for (index, moves) in row.iter_mut().enumerate() {
        *moves = if squares.0 >> index & 1 == 1 { round } else { *moves };
    }
}

impl Solver {
    /// Begins. The endings that captures and promotions lead to come from `source`.
    ///
    /// # Errors
    /// If there is no memory, or `source` fails.
    pub(crate) fn new(ending: &Ending, source: &dyn Source, recorded: Recorded) -> Result<Self, SolveError> {
        let rows = row_count(ending);
        let (loss_rows, check_rows) = match recorded {
            Recorded::All => (rows, 0),
            Recorded::WinsForEvaluation => (0, rows),
        };
        let exits = Exits::new(ending, source)?;
        let has_white_exits = exits.iter().any(|exit| exit.mover == Color::White);
        Ok(Self {
            ending: ending.clone(),
            has_white_exits,
            exits,
            last_exit: [0; 2],
            open: filled(Bitboard::EMPTY, rows)?,
            in_check: filled(Bitboard::EMPTY, check_rows)?,
            unlost: filled(Bitboard::EMPTY, rows)?,
            fresh: filled(Bitboard::EMPTY, rows)?,
            open_changed: filled(Bitboard::EMPTY, rows.div_ceil(PAGE))?,
            lost_changed: filled(Bitboard::EMPTY, rows.div_ceil(PAGE))?,
            round: 0,
            phase: Phase::PrepareExits,
            pass: Pass::default(),
            longest: [0; 2],
            wins: filled([ILLEGAL; 64], rows)?,
            losses: filled([ILLEGAL; 64], loss_rows)?,
        })
    }

    /// The round: how many moves of the attacker have been looked ahead.
    pub(crate) fn round(&self) -> u8 {
        self.round
    }

    /// Works for a slice on `threads` threads. Returns whether the ending is solved.
    ///
    /// # Errors
    /// If the wins are too long to be stored.
    pub(crate) fn step(&mut self, threads: usize) -> Result<bool, SolveError> {
        if self.phase == Phase::PrepareExits {
            if self.exits.prepare_next() {
                return Ok(false);
            }
            for exit in self.exits.iter() {
                let last = &mut self.last_exit[exit.mover.index()];
                *last = exit.last_change.max(*last);
            }
            self.phase = Phase::FindMates;
        }
        let mut work = 0;
        while work < SLICE * threads && self.phase != Phase::Done {
            let (skip, take) = self.pass.next(threads);
            work += match self.phase {
                Phase::FindMates => self.find_mates(skip, take, threads),
                Phase::FindWins => self.find_wins(skip, take, threads),
                Phase::FindLosses => self.find_losses(skip, take, threads),
                Phase::PrepareExits | Phase::Done => 0,
            };
            if self.pass.is_over(self.open.len()) {
                self.phase = self.next_phase()?;
            }
        }
        Ok(self.phase == Phase::Done)
    }

    /// The wins, once all are found.
    pub(crate) fn into_solution(self) -> Solution {
        Solution { wins: Arc::new(self.wins), losses: Arc::new(self.losses), longest: self.longest }
    }

    /// The phase after one that has come to the last row.
    fn next_phase(&mut self) -> Result<Phase, SolveError> {
        let has_any = |changed: &[Bitboard]| changed.iter().any(|rows| !rows.is_empty());
        match self.phase {
            Phase::FindWins => {
                if has_any(&self.open_changed) {
                    self.longest[0] = self.round;
                }
                return Ok(Phase::FindLosses);
            }
            Phase::Done => return Ok(Phase::Done),
            Phase::FindLosses => {
                if has_any(&self.lost_changed) {
                    self.longest[1] = self.round;
                }
                let is_last = self.last_exit.iter().all(|&last| self.round >= last);
                if is_last && !has_any(&self.open_changed) && !has_any(&self.lost_changed) {
                    return Ok(Phase::Done);
                }
            }
            Phase::PrepareExits | Phase::FindMates => {}
        }
        self.round += 1;
        if self.round == ILLEGAL {
            return Err(SolveError::TooLong);
        }
        self.exits.iter_mut().for_each(|exit| exit.update(self.round));
        Ok(Phase::FindWins)
    }

    /// Sets up what is legal, and finds the mates. Returns the work.
    fn find_mates(&mut self, skip: usize, take: usize, threads: usize) -> usize {
        let Self { ending, exits, open, in_check, unlost, fresh, lost_changed, wins, losses, .. } = self;
        let (ending, exits) = (&*ending, &*exits);
        let sets = open.chunks_mut(CHUNK).zip(unlost.chunks_mut(CHUNK)).zip(fresh.chunks_mut(CHUNK));
        let sets = sets.zip(chunks_or_none(in_check, CHUNK));
        let results = wins.chunks_mut(CHUNK).zip(chunks_or_none(losses, CHUNK));
        let changed = lost_changed.chunks_mut(CHUNK / PAGE);
        let chunks = sets.zip(results).zip(changed).enumerate().skip(skip).take(take);
        for_each(threads, chunks, |(chunk, ((sets, (wins, mut losses)), changed))| {
            let (((open, unlost), fresh), mut in_check) = sets;
            for index in 0..open.len() {
                let Some(row) = Row::new(ending, chunk * CHUNK + index) else { continue };
                let checked = row.checked();
                let (to_win, to_lose) = (row.legal_if_unchecked(checked), row.legal_defender_to_move());
                let stuck = defender_cannot_move(&row, to_lose, to_win, ending, exits);
                let mated = stuck & checked;
                open[index] = to_win;
                unlost[index] = to_lose & !stuck;
                fresh[index] = mated;
                if let Some(in_check) = &mut in_check {
                    in_check[index] = to_lose & checked;
                }
                wins[index] = marks(to_win);
                if let Some(losses) = &mut losses {
                    losses[index] = marks(to_lose);
                    mated.into_iter().for_each(|square| losses[index][square.index()] = 0);
                }
                if !mated.is_empty() {
                    changed[index / PAGE] |= Square::from_index(index % PAGE).into();
                }
            }
            open.len() * LOOK
        })
    }

    /// Finds what the attacker, to move, wins in this round. Returns the work.
    fn find_wins(&mut self, skip: usize, take: usize, threads: usize) -> usize {
        let Self { ending, exits, open, in_check, fresh, open_changed, lost_changed, wins, round, .. } = self;
        let (ending, exits, round) = (&*ending, &*exits, *round);
        let (fresh, lost_changed) = (&*fresh, &*lost_changed);
        // In the first round the exits are new.
        let checks_exits = self.has_white_exits && round <= self.last_exit[Color::White.index()].max(1);
        let changed = open_changed.chunks_mut(CHUNK / PAGE);
        let sets = open.chunks_mut(CHUNK).zip(chunks_or_none(in_check, CHUNK));
        let chunks = sets.zip(wins.chunks_mut(CHUNK)).zip(changed).enumerate().skip(skip).take(take);
        for_each(threads, chunks, |(chunk, (((open, mut in_check), wins), changed))| {
            let mut work = 0;
            let mut in_check = in_check.as_deref_mut().map(pages_mut).unwrap_or_default().iter_mut();
            let pages = pages_mut(open).iter_mut().zip(pages_mut(wins)).zip(changed).enumerate();
            for (page, ((open, wins), changed)) in pages {
                let number = chunk * (CHUNK / PAGE) + page;
                let mut in_check = in_check.next();
                let page = Page::new(ending, number);
                let mut gains = Gains::default();
                page.take_back_moves(ending, fresh, lost_changed, &mut gains);
                work += LOOK + gains.work;
                if checks_exits {
                    work += PAGE * LOOK;
                    for last in Square::all().filter(|last| !open[last.index()].is_empty()) {
                        gains.add(last, wins_by_exit(&page.row(ending, last), exits));
                    }
                }
                *changed = Bitboard::EMPTY;
                for last in gains.rows {
                    let index = last.index();
                    let gained = gains.sets[index];
                    let mut new = gained & open[index];
                    if !new.is_empty() {
                        open[index] &= !new;
                        *changed |= last.into();
                    }
                    if let Some(in_check) = &mut in_check {
                        new |= gained & in_check[index];
                        in_check[index] &= !gained;
                    }
                    write(&mut wins[index], new, round);
                }
            }
            work
        })
    }

    /// Finds what the defender, to move, has lost in this round. Returns the work.
    fn find_losses(&mut self, skip: usize, take: usize, threads: usize) -> usize {
        let Self { ending, exits, open, unlost, fresh, open_changed, lost_changed, losses, round, .. } = self;
        let (ending, exits, round) = (&*ending, &*exits, *round);
        let (open, open_changed) = (&*open, &*open_changed);
        let exits_change = round <= self.last_exit[Color::Black.index()];
        let is_bare = ending.is_bare(Color::Black);
        let all = round == 1 || exits_change && !is_bare;
        let changed = lost_changed.chunks_mut(CHUNK / PAGE);
        let sets = unlost.chunks_mut(CHUNK).zip(fresh.chunks_mut(CHUNK)).zip(changed);
        let chunks = sets.zip(chunks_or_none(losses, CHUNK)).enumerate().skip(skip).take(take);
        for_each(threads, chunks, |(chunk, (((unlost, fresh), changed), mut losses))| {
            let mut work = 0;
            let pages = pages_mut(unlost).iter_mut().zip(pages_mut(fresh)).zip(changed).enumerate();
            for (page, ((unlost, fresh), changed)) in pages {
                if !changed.is_empty() {
                    fresh.fill(Bitboard::EMPTY);
                }
                *changed = Bitboard::EMPTY;
                let number = chunk * (CHUNK / PAGE) + page;
                if is_bare && !all && !exits_change && open_changed[number].is_empty() {
                    work += LOOK;
                    continue;
                }
                let at = Page::new(ending, number);
                let mut concerned = if all { Bitboard::ALL } else { at.concerned(ending, open_changed) };
                if exits_change && !all {
                    concerned |= at.concerned_by_exits(ending, exits);
                }
                for last in concerned {
                    let (index, number) = (last.index(), at.number * PAGE + last.index());
                    let stays = unlost[index] & !neighbours(open[number]);
                    if stays.is_empty() {
                        continue;
                    }
                    let mut escapes = at.escapes_by_captures(ending, last, stays, exits);
                    if !is_bare {
                        escapes |=
                            escapes_by_men(&at.row(ending, last), number, stays & !escapes, open, exits);
                    }
                    let new = stays & !escapes;
                    if !new.is_empty() {
                        unlost[index] &= !new;
                        fresh[index] = new;
                        *changed |= last.into();
                        if let Some(losses) = &mut losses {
                            write(&mut losses[page * PAGE + index], new, round);
                        }
                    }
                }
                work += LOOK * (1 + concerned.len() as usize);
            }
            work
        })
    }
}

/// Where the defender, to move on the squares `to_lose`, has no legal move. `to_win` are those that its khun can step
/// on.
fn defender_cannot_move(
    row: &Row<'_>,
    to_lose: Bitboard,
    to_win: Bitboard,
    ending: &Ending,
    exits: &Exits,
) -> Bitboard {
    let mut stuck = to_lose & !neighbours(to_win);
    if stuck.is_empty() {
        return stuck;
    }
    for man in row.men_of(Color::White).filter(|&man| row.can_be_taken(man)) {
        stuck &= !neighbours(row.squares[man].into());
    }
    for mover in row.men_of(Color::Black) {
        for step in row.moves(mover) {
            let squares = row.squares_after(mover, step.to);
            let after = match exits.get(step.captured, step.promotes.then_some(mover)) {
                Some(exit) => {
                    Row::from_squares(exit.ending.pieces(), row.khun, rearranged(&squares, &exit.from))
                }
                None => Row::from_squares(ending.pieces(), row.khun, squares),
            };
            stuck &= step.path | !after.map_or(Bitboard::EMPTY, |after| after.legal_attacker_to_move());
        }
    }
    stuck
}

/// Where the attacker has a capture or promotion that wins in this round.
fn wins_by_exit(row: &Row<'_>, exits: &Exits) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for mover in row.men_of(Color::White) {
        for step in row.moves(mover) {
            if let Some(exit) = exits.get(step.captured, step.promotes.then_some(mover)) {
                found |= exit.get(row.khun, &row.squares_after(mover, step.to)) & !step.path;
            }
        }
    }
    for (to, captured) in row.khun_moves() {
        if let Some(exit) = exits.get(captured, None) {
            found |= exit.get(to, &row.squares);
        }
    }
    found
}

/// The part of a row's number that a man's square makes, for the square a1 and for each further one.
fn strides(row: &Row<'_>, number: usize, man: usize) -> (usize, usize) {
    let stride = 1 << (6 * (row.men_squares().len() - 1 - man));
    (number - row.squares[man].index() * stride, stride)
}

/// Where a man of the defender's can move to a placement that the attacker has not won; complete within `wanted` only.
fn escapes_by_men(
    row: &Row<'_>,
    number: usize,
    wanted: Bitboard,
    open: &[Bitboard],
    exits: &Exits,
) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for mover in row.men_of(Color::Black) {
        if (wanted & !found).is_empty() {
            break;
        }
        let (start, stride) = strides(row, number, mover);
        for step in row.moves(mover) {
            let after = match exits.get(step.captured, step.promotes.then_some(mover)) {
                Some(exit) => exit.get(row.khun, &row.squares_after(mover, step.to)),
                None => open[start + step.to.index() * stride],
            };
            found |= after & !step.path;
        }
    }
    found
}
