//! Retrograde analysis of an ending.
//!
//! One run finds the wins of one side, the attacker, as sets of squares of the defender's khun, 64 placements at a
//! time. It begins with the mates. In each round the attacker, to move, wins where a move leads to a loss of the round
//! before, and the defender, to move, has lost where every move leads to a win. Each round covers the whole ending, so
//! the result does not depend on the order in which threads take its parts.
//!
//! The number of a win is the round: the attacker's moves until it is decided. Where no bia is left a count runs. It
//! goes on when a man is taken, and the win behind the capture must come in time, so its moves are added; when the
//! defender is bared another count begins, whose limit the win fits or not, so that the capture decides. With bia on
//! the board nothing is counted, and each capture or promotion that leads to a win decides. More moves left never hurt
//! the attacker, so the smallest number is all that has to be known: a win stands exactly if its plies fit the count.

use std::sync::{Mutex, PoisonError};

use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

use super::ending::{Ending, MAX_PIECES};
use super::exits::{Exits, ILLEGAL, NOT_WON, Source, read};
use super::format::SideStatistics;
use super::index::Indexer;
use super::row::{Row, mirrored, neighbours, rearranged, row_count, row_number};
use super::table::TableError;
use super::values::{Coding, Values, exchanged};

/// Rows that a thread takes at a time.
pub(super) const CHUNK: usize = 4096;
/// Rows that differ only in the square of the last man are a page.
const PAGE: usize = 64;

/// Why an ending was not solved.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SolveError {
    /// The table of an ending that captures or promotions lead to is missing or damaged.
    #[error(transparent)]
    Needs(Box<TableError>),
    /// There is not enough memory.
    #[error("not enough memory to solve the ending")]
    Memory(#[from] std::collections::TryReserveError),
    /// The longest wins of both sides do not fit one byte.
    #[error("the wins are too long for the format")]
    TooLong,
    /// The work was ended early.
    #[error("the ending was not solved to the end")]
    Stopped,
}

/// The attacker's wins in moves, by row and square of the defender's khun.
pub(crate) struct Solution {
    /// With the attacker to move.
    pub(crate) wins: Vec<[u8; 64]>,
    /// With the defender to move.
    pub(crate) losses: Vec<[u8; 64]>,
}

/// A vector of so many equal items.
pub(super) fn filled<T: Clone>(item: T, number: usize) -> Result<Vec<T>, SolveError> {
    let mut vector = Vec::new();
    vector.try_reserve_exact(number)?;
    vector.resize(number, item);
    Ok(vector)
}

/// With how many threads to solve, and who listens.
#[derive(Clone, Copy)]
pub(crate) struct Work<'a> {
    pub(crate) threads: usize,
    /// Called with the number of each round.
    pub(crate) progress: &'a dyn Fn(u32),
    /// Asked every few milliseconds: `false` ends the work. It may block for a while.
    pub(crate) goes_on: &'a (dyn Fn() -> bool + Sync),
}

impl Work<'_> {
    /// Calls `work` for every item.
    ///
    /// # Errors
    /// [`SolveError::Stopped`] if the work shall end.
    pub(super) fn for_each<T: Send>(
        self,
        items: impl Iterator<Item = T> + Send,
        work: impl Fn(T) + Sync,
    ) -> Result<(), SolveError> {
        let Self { threads, goes_on, .. } = self;
        let items = Mutex::new(items);
        let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
        let run = || {
            while let Some(item) = next() {
                if !goes_on() {
                    return false;
                }
                work(item);
            }
            true
        };
        let is_done = std::thread::scope(|scope| {
            let mut others = Vec::new();
            for _ in 1..threads {
                match std::thread::Builder::new().spawn_scoped(scope, run) {
                    Ok(thread) => others.push(thread),
                    // The running threads do the work of those that the system refuses.
                    Err(_) => break,
                }
            }
            let own = run();
            // A panic goes on in this thread.
            others.into_iter().fold(own, |done, other| match other.join() {
                Ok(other) => done & other,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        });
        if is_done { Ok(()) } else { Err(SolveError::Stopped) }
    }
}

struct Solver<'a> {
    ending: &'a Ending,
    work: Work<'a>,
    exits: Exits,
    /// Where the attacker is to move and has not won yet.
    open: Vec<Bitboard>,
    /// Where the defender is to move, has moves, and has not lost yet.
    unlost: Vec<Bitboard>,
    /// Where the defender is to move and has lost.
    lost: Vec<Bitboard>,
    /// The pages in which `open` has changed in this round.
    open_changed: Vec<bool>,
    /// The pages in which `lost` has changed in the last round.
    lost_changed: Vec<bool>,
    solution: Solution,
}

/// Solves an ending for White as the attacker.
fn solve(ending: &Ending, source: &dyn Source, work: Work<'_>) -> Result<Solution, SolveError> {
    let rows = row_count(ending);
    let mut solver = Solver {
        ending,
        work,
        exits: Exits::of(ending, source, work)?,
        open: filled(Bitboard::EMPTY, rows)?,
        unlost: filled(Bitboard::EMPTY, rows)?,
        lost: filled(Bitboard::EMPTY, rows)?,
        open_changed: filled(true, rows.div_ceil(PAGE))?,
        lost_changed: filled(true, rows.div_ceil(PAGE))?,
        solution: Solution { wins: filled([ILLEGAL; 64], rows)?, losses: filled([ILLEGAL; 64], rows)? },
    };
    solver.find_mates()?;
    solver.run()?;
    Ok(solver.solution)
}

impl Solver<'_> {
    /// Sets up what is legal, and finds the mates.
    fn find_mates(&mut self) -> Result<(), SolveError> {
        let Self { ending, work, exits, open, unlost, lost, solution, .. } = self;
        let (ending, exits) = (*ending, &*exits);
        let results = solution.wins.chunks_mut(CHUNK).zip(solution.losses.chunks_mut(CHUNK));
        let sets = open.chunks_mut(CHUNK).zip(unlost.chunks_mut(CHUNK)).zip(lost.chunks_mut(CHUNK));
        work.for_each(results.zip(sets).enumerate(), |(chunk, ((wins, losses), ((open, unlost), lost)))| {
            for index in 0..open.len() {
                let Some(row) = Row::new(ending, chunk * CHUNK + index) else { continue };
                let (to_win, to_lose) = (row.legal_attacker_to_move(), row.legal_defender_to_move());
                let can_move = defender_can_move(&row, ending, exits);
                open[index] = to_win;
                unlost[index] = to_lose & can_move;
                lost[index] = to_lose & row.checked() & !can_move;
                for square in to_win {
                    wins[index][square.index()] = NOT_WON;
                }
                for square in to_lose {
                    losses[index][square.index()] = NOT_WON;
                }
                for square in lost[index] {
                    losses[index][square.index()] = 0;
                }
            }
        })
    }

    fn run(&mut self) -> Result<(), SolveError> {
        for round in 1..ILLEGAL {
            (self.work.progress)(u32::from(round));
            let mut last_exit = [0; 2];
            for exit in self.exits.iter_mut() {
                exit.update(round);
                let last = &mut last_exit[exit.mover.index()];
                *last = exit.last_change.max(*last);
            }
            // In the first round everything is new.
            let all = last_exit.map(|last| round <= last.max(1));
            let won = self.find_wins(round, all[Color::White.index()])?;
            let lost = self.find_losses(round, all[Color::Black.index()])?;
            if !won && !lost && last_exit.iter().all(|&last| round >= last) {
                return Ok(());
            }
        }
        Err(SolveError::TooLong)
    }

    /// Finds what the attacker, to move, wins in this round, on all pages or those that the last round concerns.
    /// Returns whether there is anything.
    fn find_wins(&mut self, round: u8, all: bool) -> Result<bool, SolveError> {
        let Self { ending, work, exits, open, lost, open_changed, lost_changed, solution, .. } = self;
        let (ending, exits, lost, lost_changed) = (*ending, &*exits, &*lost, &*lost_changed);
        let changed = open_changed.chunks_mut(CHUNK / PAGE);
        let chunks = open.chunks_mut(CHUNK).zip(solution.wins.chunks_mut(CHUNK)).zip(changed).enumerate();
        work.for_each(chunks, |(chunk, ((open, wins), changed))| {
            let pages = open.chunks_mut(PAGE).zip(wins.chunks_mut(PAGE)).zip(changed).enumerate();
            for (page, ((open, wins), changed)) in pages {
                let page = chunk * (CHUNK / PAGE) + page;
                *changed = false;
                if !all && !is_concerned(ending, page, Color::White, lost_changed) {
                    continue;
                }
                for (index, (open, wins)) in open.iter_mut().zip(wins).enumerate() {
                    let number = page * PAGE + index;
                    if open.is_empty() {
                        continue;
                    }
                    let Some(row) = Row::new(ending, number) else { continue };
                    let new = *open & can_reach_loss(&row, number, *open, lost, exits);
                    *open &= !new;
                    new.into_iter().for_each(|square| wins[square.index()] = round);
                    *changed |= !new.is_empty();
                }
            }
        })?;
        Ok(self.open_changed.contains(&true))
    }

    /// Finds what the defender, to move, has lost in this round, on all pages or those that the wins of the round
    /// concern. Returns whether there is anything.
    fn find_losses(&mut self, round: u8, all: bool) -> Result<bool, SolveError> {
        let Self { ending, work, exits, open, unlost, lost, open_changed, lost_changed, solution } = self;
        let (ending, exits, open, open_changed) = (*ending, &*exits, &*open, &*open_changed);
        let changed = lost_changed.chunks_mut(CHUNK / PAGE);
        let sets = unlost.chunks_mut(CHUNK).zip(lost.chunks_mut(CHUNK)).zip(changed);
        let chunks = sets.zip(solution.losses.chunks_mut(CHUNK)).enumerate();
        work.for_each(chunks, |(chunk, (((unlost, lost), changed), losses))| {
            for (page, changed) in changed.iter_mut().enumerate() {
                let rows = page * PAGE..((page + 1) * PAGE).min(unlost.len());
                *changed = false;
                let page = chunk * (CHUNK / PAGE) + page;
                if !all && !is_concerned(ending, page, Color::Black, open_changed) {
                    continue;
                }
                for index in rows {
                    let number = chunk * CHUNK + index;
                    if unlost[index].is_empty() {
                        continue;
                    }
                    let Some(row) = Row::new(ending, number) else { continue };
                    let new = unlost[index] & !can_escape(&row, number, unlost[index], open, exits);
                    unlost[index] &= !new;
                    lost[index] |= new;
                    new.into_iter().for_each(|square| losses[index][square.index()] = round);
                    *changed |= !new.is_empty();
                }
            }
        })?;
        Ok(self.lost_changed.contains(&true))
    }
}

/// Whether a move of this side, captures and promotions left out, can lead from a page to one that has changed.
fn is_concerned(ending: &Ending, page: usize, mover: Color, changed: &[bool]) -> bool {
    // The last man's moves, and those of the defender's khun, stay on the page.
    if changed[page] {
        return true;
    }
    let men = &ending.pieces()[..ending.pieces().len() - 1];
    let mut squares = [Square::from_index(0); MAX_PIECES];
    let mut rest = page;
    for square in squares[..men.len()].iter_mut().rev() {
        *square = Square::from_index(rest % 64);
        rest /= 64;
    }
    let khun = Square::from_index(rest / 4 * 8 + rest % 4);
    let page_of = |khun: Square, squares: &[Square; MAX_PIECES]| row_number(khun, &squares[..men.len()]).0;
    let by_khun =
        mover == Color::White && attacks::khun(khun).into_iter().any(|to| changed[page_of(to, &squares)]);
    by_khun
        || men.iter().enumerate().filter(|(_, man)| man.color == mover).any(|(index, man)| {
            let from = squares[index];
            let targets = attacks::of(man.kind, man.color, from, Bitboard::EMPTY);
            let steps =
                if man.kind == PieceKind::Bia { Bitboard::from(from).forward(man.color) } else { targets };
            steps.into_iter().any(|to| {
                let mut squares = squares;
                squares[index] = to;
                changed[page_of(khun, &squares)]
            })
        })
}

/// Where the defender has a legal move.
fn defender_can_move(row: &Row<'_>, ending: &Ending, exits: &Exits) -> Bitboard {
    let mut found = neighbours(row.legal_attacker_to_move());
    for man in row.men_of(Color::White).filter(|&man| row.can_be_taken(man)) {
        found |= neighbours(row.squares[man].into());
    }
    for mover in row.men_of(Color::Black) {
        for step in row.moves(mover) {
            let squares = row.squares_after(mover, step.to);
            let after = match exits.get(step.captured, step.promotes.then_some(mover)) {
                Some(exit) => Row::of(exit.ending.pieces(), row.khun, rearranged(&squares, &exit.from)),
                None => Row::of(ending.pieces(), row.khun, squares),
            };
            found |= after.map_or(Bitboard::EMPTY, |after| after.legal_attacker_to_move()) & !step.path;
        }
    }
    found
}

/// The part of a row's number that a man's square makes, for the square a1 and for each further one.
fn strides(row: &Row<'_>, number: usize, man: usize) -> (usize, usize) {
    let stride = 1 << (6 * (row.men_squares().len() - 1 - man));
    (number - row.squares[man].index() * stride, stride)
}

/// Where the attacker has a move to a loss of the defender; complete as far as `wanted` goes.
fn can_reach_loss(
    row: &Row<'_>,
    number: usize,
    wanted: Bitboard,
    lost: &[Bitboard],
    exits: &Exits,
) -> Bitboard {
    let mut found = Bitboard::EMPTY;
    for mover in row.men_of(Color::White) {
        let (start, stride) = strides(row, number, mover);
        for step in row.moves(mover) {
            let after = match exits.get(step.captured, step.promotes.then_some(mover)) {
                Some(exit) => exit.get(row.khun, &row.squares_after(mover, step.to)),
                None => lost[start + step.to.index() * stride],
            };
            found |= after & !step.path;
        }
    }
    if (wanted & !found).is_empty() {
        return found;
    }
    for (to, captured) in row.khun_moves() {
        found |= match exits.get(captured, None) {
            Some(exit) => exit.get(to, &row.squares),
            None => read(lost, to, row.men_squares()),
        };
    }
    found
}

/// Where the defender has a move to something that the attacker has not won; complete as far as `wanted` goes.
fn can_escape(row: &Row<'_>, number: usize, wanted: Bitboard, open: &[Bitboard], exits: &Exits) -> Bitboard {
    let mut found = neighbours(open[number]);
    for man in row.men_of(Color::White) {
        let square = row.squares[man];
        // Looked up first: it is rarely a way out.
        if let Some(exit) = exits.get(Some(man), None)
            && exit.get(row.khun, &row.squares).contains(square)
        {
            found |= neighbours(square.into());
        }
    }
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

/// Solves a canonical ending for both sides.
pub(crate) fn solve_values(
    ending: &Ending,
    source: &dyn Source,
    work: Work<'_>,
) -> Result<Values, SolveError> {
    let white = solve(ending, source, work)?;
    let flipped = ending.flipped();
    let black = match ending.is_bare(Color::Black) || ending.is_symmetric() {
        true => None,
        false => Some(solve(&flipped, source, work)?),
    };
    let black = if ending.is_symmetric() { Some(&white) } else { black.as_ref() };
    assemble(ending, [Some(&white), black], work)
}

/// The values of an ending from the wins of both sides; Black's are those of the ending with colours
/// exchanged.
fn assemble(
    ending: &Ending,
    solutions: [Option<&Solution>; 2],
    work: Work<'_>,
) -> Result<Values, SolveError> {
    let longest = |side: Option<&Solution>, wins: bool| {
        let moves = side.map_or(&[][..], |side| if wins { &side.wins } else { &side.losses });
        moves.as_flattened().iter().copied().filter(|&moves| moves < ILLEGAL).max().unwrap_or(0)
    };
    let indexer = Indexer::new(ending);
    let size = indexer.size();
    let mut codes = [Vec::new(), Vec::new()];
    let mut statistics = [SideStatistics::default(), SideStatistics::default()];
    for side in Color::ALL {
        if side == Color::Black && ending.is_symmetric() {
            continue;
        }
        let [own, other] = [solutions[side.index()], solutions[(!side).index()]];
        let coding = Coding { longest_win: longest(own, true) };
        if u16::from(coding.longest_win) + u16::from(longest(other, false)) >= u16::from(u8::MAX) {
            return Err(SolveError::TooLong);
        }
        // How many placements have each code, and the number of the first one.
        let census = Mutex::new(([0u64; 256], [u64::MAX; 256]));
        let mut side_codes = filled(Coding::DRAW, size)?;
        work.for_each(side_codes.chunks_mut(CHUNK).enumerate(), |(chunk, codes)| {
            let (mut number_of, mut first) = ([0u64; 256], [u64::MAX; 256]);
            let mut last = Coding::DRAW;
            for (index, code) in codes.iter_mut().enumerate() {
                let number = chunk * CHUNK + index;
                let placement = indexer.placement(number);
                let moves = |attacker: Color| {
                    let placement = match attacker {
                        Color::White => placement,
                        Color::Black => exchanged(ending, &placement),
                    };
                    let solution = solutions[attacker.index()]?;
                    let moves = if attacker == side { &solution.wins } else { &solution.losses };
                    let men = &placement.men[..ending.pieces().len()];
                    let (row, mirror) = row_number(placement.khuns[0], men);
                    let square = placement.khuns[1];
                    Some(moves[row][if mirror { mirrored(square) } else { square }.index()])
                };
                *code = match (moves(side), moves(!side)) {
                    // What no game has takes the value before, which compresses best.
                    (Some(ILLEGAL), _) | (_, Some(ILLEGAL)) => {
                        *code = last;
                        continue;
                    }
                    (Some(moves @ ..ILLEGAL), _) => Coding::win(moves),
                    (_, Some(moves @ ..ILLEGAL)) => Coding::loss(moves),
                    _ => Coding::DRAW,
                };
                last = *code;
                let code = usize::from(last);
                number_of[code] += 1;
                first[code] = first[code].min(number as u64);
            }
            let mut census = census.lock().unwrap_or_else(PoisonError::into_inner);
            for code in 0..256 {
                census.0[code] += number_of[code];
                census.1[code] = census.1[code].min(first[code]);
            }
        })?;
        let (number_of, first) = census.into_inner().unwrap_or_else(PoisonError::into_inner);
        codes[side.index()] = side_codes;
        statistics[side.index()] = SideStatistics::new(coding, &number_of, &first);
    }
    Ok(Values { ending: ending.clone(), indexer, codes, statistics })
}
