//! The search: iterative deepening over a principal variation alpha-beta search.
//!
//! It prints nothing and reads no input: it is given a [`Task`], tells what it finds through a callback
//! and returns the best move. [`run`] starts the threads; `root` deepens; `node` is the heart.

mod evals;
mod history;
mod node;
pub(crate) mod params;
mod path;
mod picker;
mod qsearch;
mod root;
mod worker;

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use sakmak_movegen::{Move, Position};

use crate::score::{MAX_PLY, Score};
use crate::time::{Budget, Limits};
use crate::tt::TranspositionTable;

pub use worker::Worker;

/// A sequence of moves from the root.
pub type Line = ArrayVec<Move, MAX_PLY>;

/// How a running search is told what to do. Shared with whoever started it.
#[derive(Debug, Default)]
pub struct Signals {
    /// End the search as soon as possible.
    pub stop: AtomicBool,
    /// While set, the clock does not end the search.
    pub pondering: AtomicBool,
}

/// What to search.
pub struct Task<'a> {
    /// The position.
    pub position: &'a Position,
    /// Keys of the positions of the game so far, the current one last.
    pub keys: &'a [u64],
    /// How far.
    pub limits: &'a Limits,
    /// How long, if the clock decides.
    pub budget: Option<Budget>,
    /// How many best lines to find.
    pub multi_pv: usize,
    /// When the command to search came.
    pub started: Instant,
}

/// What a search tells while it runs: a line found by a finished iteration.
#[derive(Clone, Debug)]
pub struct Report {
    /// Iteration.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank of the line among the best, from 1.
    pub multi_pv: usize,
    /// For the side to move.
    pub score: Score,
    /// Positions searched so far by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the table in thousandths.
    pub permille_full: u32,
    /// The line.
    pub line: Line,
}

/// A move at the root and what was found out about it.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Score of the last search that raised alpha, else minus infinity.
    pub score: i32,
    /// Score of the iteration before.
    pub previous: i32,
    /// Deepest ply reached below it.
    pub seldepth: u32,
    /// Positions searched below it, in all iterations.
    pub nodes: u64,
    /// The expected line, this move first.
    pub line: Line,
}

/// The end of a search.
#[derive(Clone, Debug)]
pub struct Findings {
    /// All root moves, best first; empty if there is no legal move.
    pub moves: Vec<RootMove>,
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Depth of the last finished iteration.
    pub depth: u32,
}

impl Findings {
    /// The best move, if there is a legal one.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }
}

/// What all threads of one search share.
struct Shared<'a> {
    task: &'a Task<'a>,
    tt: &'a TranspositionTable,
    signals: &'a Signals,
    /// Positions searched, by thread; each thread adds its own now and then.
    nodes: Vec<AtomicU64>,
}

impl Shared<'_> {
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }
}

/// Searches with one thread for each worker and tells every finished iteration to `report`.
///
/// With one worker that has not searched before and an empty table, the same task always takes the
/// same number of nodes, unless time ends it.
pub fn run(
    task: &Task<'_>,
    tt: &TranspositionTable,
    signals: &Signals,
    workers: &mut [Worker],
    report: &mut dyn FnMut(Report),
) -> Findings {
    let nodes = workers.iter().map(|_| AtomicU64::new(0)).collect();
    let shared = Shared { task, tt, signals, nodes };
    let Some((main, helpers)) = workers.split_first_mut() else {
        return Findings { moves: Vec::new(), nodes: 0, depth: 0 };
    };
    let mut results = std::thread::scope(|scope| {
        let threads: Vec<_> = helpers
            .iter_mut()
            .enumerate()
            .map(|(index, worker)| {
                let shared = &shared;
                scope.spawn(move || root::deepen(worker, shared, index + 1, &mut |_| ()))
            })
            .collect();
        let mut results = vec![root::deepen(main, &shared, 0, report)];
        signals.stop.store(true, Relaxed);
        // A helper that panicked has no result; its panic has been printed.
        results.extend(threads.into_iter().filter_map(|thread| thread.join().ok()));
        results
    });
    let chosen = if task.multi_pv > 1 { 0 } else { elect(&results) };
    let mut findings = results.swap_remove(chosen);
    findings.nodes = shared.nodes();
    if let (1.., Some(best)) = (chosen, findings.moves.first()) {
        report(shared.report(best, findings.depth, 0));
    }
    if let Some(best) = findings.moves.first_mut().filter(|best| best.line.len() == 1) {
        best.line.extend(shared.expected_reply(best.mv));
    }
    findings
}

/// Which thread's result to play: the deepest, and of equally deep ones the one with the best score.
fn elect(results: &[Findings]) -> usize {
    let merit = |f: &Findings| (f.depth, f.best().map_or(i32::MIN, |m| m.score));
    let mut chosen = 0;
    for (index, findings) in results.iter().enumerate().skip(1) {
        if merit(findings) > merit(&results[chosen]) {
            chosen = index;
        }
    }
    chosen
}
