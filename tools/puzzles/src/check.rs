//! Proves puzzles again, with another number of nodes and with tablebases where they reach.

use std::collections::HashMap;
use std::fmt;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result, ensure};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::{Move, Outcome, Position};

use crate::proof::is_found_at_one_node;
use crate::puzzle::{Goal, Puzzle};
use crate::ranking::Ranker;
use crate::settings::{HOLDING, REPLY_SHARE};
use crate::themes::Line;

/// Moves within this difference of the best expected score are right: a puzzle fails if one of them is not accepted, or
/// if its own move is worse.
pub const RIGHT: f64 = 0.02;

/// Results of checks: whether the puzzle of an [identifier](Puzzle::id) is right.
pub type Results = HashMap<String, bool>;

/// What a log begins with; the soft limit of nodes ends the line.
const LOG_HEAD: &str = "# sakmak-tools puzzles check --nodes ";
const RIGHT_RESULT: &str = "right";

/// The first line of the log of a check with a soft limit of `nodes` nodes.
pub fn log_head(nodes: u64) -> String {
    format!("{LOG_HEAD}{nodes}\n")
}

/// The line of a log for a puzzle: its identifier, and `right` or the fault.
pub fn log_line(puzzle: &Puzzle, fault: Option<&Fault>) -> String {
    let result = fault.map_or_else(|| RIGHT_RESULT.to_owned(), ToString::to_string);
    format!("{} {result}\n", puzzle.id())
}

/// The results of a log, and the length of its whole lines in bytes: the last line may be cut off.
///
/// # Errors
/// If the text is no log, or a whole line has no result.
pub fn read_log(text: &str) -> Result<(Results, usize)> {
    ensure!(text.starts_with(LOG_HEAD), "not a log of `puzzles check`");
    let whole = text.rfind('\n').map_or(0, |end| end + 1);
    let mut results = Results::new();
    for (number, line) in text[..whole].lines().enumerate().skip(1) {
        let result = line.split_once(' ').filter(|(id, _)| id.len() == 8);
        let (id, result) =
            result.with_context(|| format!("line {}: not the result of a puzzle", number + 1))?;
        results.insert(id.to_owned(), result == RIGHT_RESULT);
    }
    Ok((results, whole))
}

/// Why a puzzle is wrong.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// The index of the move in the line, from 0.
    pub index: usize,
    /// What is wrong.
    pub reason: String,
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "move {}: {}", self.index + 1, self.reason)
    }
}

/// Checks a puzzle with a soft limit of `nodes` nodes a position.
///
/// # Errors
/// If a search panicked.
pub fn check_one(puzzle: &Puzzle, nodes: u64, ranker: &mut Ranker) -> Result<Option<Fault>> {
    ranker.clear();
    let fault = |index, reason: String| Ok(Some(Fault { index, reason }));
    let (mut position, moves) = match puzzle.line() {
        Ok(line) => line,
        Err(error) => return fault(0, format!("{error:#}")),
    };
    let mut keys = Vec::new();
    if let Some(mistake) = &puzzle.mistake
        && let Ok(before) = Position::from_fen(&mistake.fen)
    {
        keys.push(before.key());
    }
    let last = moves.len() - 1;
    for (index, mv) in moves.into_iter().enumerate() {
        keys.push(position.key());
        if index % 2 == 0 {
            let ranking = ranker.rank(&position, &keys, nodes, 2 + puzzle.accepted.len())?;
            let Some(best) = ranking.best() else { return fault(index, "no legal move".to_owned()) };
            let least = match puzzle.goal {
                Goal::Win | Goal::Advantage => 0.6,
                Goal::Hold => HOLDING - 0.1,
            };
            if best.expected < least {
                return fault(index, format!("expected score {:.3}", best.expected));
            }
            let is_right = |mv: &str| {
                index == last && puzzle.accepted.iter().any(|accepted| accepted == mv)
                    || mv == puzzle.moves[index]
            };
            if let Some(other) = ranking
                .moves
                .iter()
                .find(|other| best.expected - other.expected <= RIGHT && !is_right(&other.mv.to_string()))
            {
                let text = if other.mv == best.mv { "is better" } else { "is as good" };
                return fault(index, format!("{} {text}: {:.3}", other.mv, other.expected));
            }
        }
        position.play_unchecked(mv);
    }
    let is_lost = match position.outcome() {
        Some(Outcome::Win(color)) => color == position.side_to_move(),
        Some(Outcome::Draw(_)) => puzzle.goal != Goal::Hold,
        None => false,
    };
    if is_lost {
        return fault(last, "the line ends badly".to_owned());
    }
    Ok(None)
}

/// The numbers of the puzzles of the count that a search of one node finds: a list must have none.
///
/// # Errors
/// If a puzzle is broken, or there is no memory.
pub fn found_at_one_node(puzzles: &[Puzzle]) -> Result<Vec<usize>> {
    let mut ranker = Ranker::new(&Tablebases::default(), &DtmTables::default())?;
    let mut found = Vec::new();
    for (number, puzzle) in puzzles.iter().enumerate().filter(|(_, puzzle)| puzzle.is_of_count()) {
        let (start, moves) = puzzle.line()?;
        let line = Line::new(&start, &moves, puzzle.goal);
        let is_accepted = |mv: Move| puzzle.accepted.contains(&mv.to_string());
        found.extend(is_found_at_one_node(&line, &is_accepted, &mut ranker).then_some(number));
    }
    Ok(found)
}

/// Checks puzzles in parallel. `notify` gets the number of each as it is done, in any order, with its fault.
///
/// # Errors
/// If a search panicked, or there is no memory.
pub fn check(
    puzzles: &[Puzzle],
    nodes: u64,
    threads: usize,
    tablebases: &Tablebases,
    notify: &mut (dyn FnMut(usize, Option<&Fault>) + Send),
) -> Result<usize> {
    let pairs = DtmTables::default();
    let next = AtomicUsize::new(0);
    let state = Mutex::new((notify, 0));
    let rankers = (0..threads.max(1)).map(|_| Ranker::new(tablebases, &pairs));
    let rankers = rankers.collect::<Result<Vec<_>>>()?;
    let results: Vec<Result<()>> = std::thread::scope(|scope| {
        let work = |mut ranker: Ranker| {
            let (next, state) = (&next, &state);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    let Some(puzzle) = puzzles.get(number) else { return Ok(()) };
                    let fault = check_one(puzzle, nodes.max(REPLY_SHARE), &mut ranker)?;
                    if let Ok(mut state) = state.lock() {
                        state.1 += usize::from(fault.is_some());
                        (state.0)(number, fault.as_ref());
                    }
                }
            })
        };
        let running: Vec<_> = rankers.into_iter().map(work).collect();
        let failed = || Err(anyhow::anyhow!("a thread has failed"));
        running.into_iter().map(|thread| thread.join().unwrap_or_else(|_| failed())).collect()
    });
    results.into_iter().collect::<Result<()>>()?;
    Ok(state.into_inner().map_or(puzzles.len(), |state| state.1))
}
