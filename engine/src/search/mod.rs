//! The search: iterative deepening over a principal variation alpha-beta search.
//!
//! It prints nothing and reads no input: it is given a [`Task`], tells what it finds through a callback
//! and returns the best move. [`run`] starts the threads; `root` deepens; `node` is the heart.
//!
//! A worker that panics costs its own result and no more: see [`run`].

mod evals;
mod history;
mod node;
pub(crate) mod params;
mod path;
mod picker;
mod qsearch;
mod root;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::{Duration, Instant};

use arrayvec::ArrayVec;
use sakmak_movegen::{Move, Position};

use crate::memory;
use crate::score::{INFINITE, MATE_BOUND, MAX_PLY, Score};
use crate::threads::{self, Gate};
use crate::time::{Budget, Limits};
use crate::tt::{Bound, TranspositionTable};

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

/// A line found by the search.
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
    /// What the score says of the true one: exact, unless it fell outside the aspiration window.
    pub bound: Bound,
    /// Positions searched so far by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the table in thousandths.
    pub permille_full: u32,
    /// The line.
    pub line: Line,
}

/// How far a running search is.
#[derive(Clone, Debug)]
pub struct Progress {
    /// Iteration.
    pub depth: u32,
    /// The root move whose search begins, and its number among the root moves, from 1; `None` between two moves.
    pub current: Option<(Move, usize)>,
    /// Positions searched so far by all threads.
    pub nodes: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the table in thousandths.
    pub permille_full: u32,
}

/// Receives what the main thread of a search reports while it runs. A closure is a reporter of [`Reporter::line`].
pub trait Reporter {
    /// A line of a finished iteration.
    fn line(&mut self, report: Report);
    /// In a long search: the score fell outside the aspiration window, so it is a bound.
    fn bound(&mut self, report: Report) {
        let _ = report;
    }
    /// In a long search: the next root move, and the number of nodes once a second.
    fn progress(&mut self, progress: Progress) {
        let _ = progress;
    }
}

impl<F: FnMut(Report)> Reporter for F {
    fn line(&mut self, report: Report) {
        self(report);
    }
}

/// A search is long from this time on.
const LONG_SEARCH: Duration = Duration::from_secs(3);

/// Time between two reports of the number of nodes.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

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
    /// What went wrong without ending the search, in plain text: threads that did not start or panicked.
    pub warnings: Vec<String>,
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
    /// How many nodes of a thread pass between its looks at the clock and the stop flag, a power of two.
    look_interval: u64,
}

impl Shared<'_> {
    fn nodes(&self) -> u64 {
        self.nodes.iter().map(|n| n.load(Relaxed)).sum()
    }

    /// Whether the clock has run out.
    fn is_out_of_time(&self) -> bool {
        let task = self.task;
        task.budget.is_some_and(|budget| task.started.elapsed() >= budget.hard)
            && !self.signals.pondering.load(Relaxed)
    }

    /// Whether enough is left of the clock to start another thread.
    fn has_time_to_start(&self) -> bool {
        let task = self.task;
        let is_late = task.budget.is_some_and(|budget| task.started.elapsed() >= budget.hard / 4);
        !is_late || self.signals.pondering.load(Relaxed)
    }
}

/// Memory left over for all else when the threads have been started, in bytes.
const SPARE_MEMORY: usize = 16 << 20;

/// With more threads than cores a thread that has to stop waits for its turn, so the last one stops only after all
/// others have had theirs: the more threads share a core, the shorter the turn has to be.
fn look_interval(threads: usize) -> u64 {
    const MOST: u64 = 1024;
    const LEAST: u64 = 16;
    if threads == 1 {
        return MOST;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let interval = MOST / threads.div_ceil(cores).max(1) as u64;
    (1 << interval.max(LEAST).ilog2()).min(MOST)
}

/// Searches with one thread for each worker; `reporter` gets every finished iteration.
///
/// With one worker that has not searched before and an empty table, the same task always takes the
/// same number of nodes, unless time ends it.
///
/// If the system refuses threads, or the clock leaves no time to start as many, fewer search. If a worker panics, it is
/// replaced by a new one and its result is lost; if all panic, the moves come in the order they were in.
/// [`Findings::warnings`] reports refusals and panics.
pub fn run(
    task: &Task<'_>,
    tt: &TranspositionTable,
    signals: &Signals,
    workers: &mut [Worker],
    reporter: &mut dyn Reporter,
) -> Findings {
    let nodes = workers.iter().map(|_| AtomicU64::new(0)).collect();
    let shared = Shared { task, tt, signals, nodes, look_interval: look_interval(workers.len()) };
    let Some((main, helpers)) = workers.split_first_mut() else {
        return Findings { moves: Vec::new(), nodes: 0, depth: 0, warnings: Vec::new() };
    };
    let mut warnings = Vec::new();
    let outcomes = deepen_all(&shared, main, helpers, reporter, &mut warnings);
    let main_failed = outcomes.first().is_some_and(Result::is_err);
    let mut results = Vec::new();
    let mut left_over = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(findings) => results.push(findings),
            Err(failure) => {
                warnings.push(format!("a search thread failed: {}", failure.message));
                if left_over.is_empty() {
                    left_over = failure.moves;
                }
            }
        }
    }
    if results.is_empty() {
        let moves = if left_over.is_empty() { worker::root_moves(task) } else { left_over };
        return Findings { moves, nodes: shared.nodes(), depth: 0, warnings };
    }
    // Helpers find several lines too, but only the main thread reports them.
    let chosen = if task.multi_pv > 1 && results[0].depth > 0 { 0 } else { elect(&results) };
    let mut findings = results.swap_remove(chosen);
    findings.nodes = shared.nodes();
    findings.warnings = warnings;
    if let Some(best) = findings.moves.first().filter(|_| chosen > 0 || main_failed) {
        reporter.line(shared.report(best, findings.depth.max(1), 0));
    }
    if let Some(best) = findings.moves.first_mut().filter(|best| best.line.len() == 1) {
        best.line.extend(shared.expected_reply(best.mv));
    }
    findings
}

/// The outcomes of all workers, the main one's first. `warnings` gets the refusal of a thread.
fn deepen_all(
    shared: &Shared<'_>,
    main: &mut Worker,
    helpers: &mut [Worker],
    reporter: &mut dyn Reporter,
    warnings: &mut Vec<String>,
) -> Vec<Result<Findings, Failure>> {
    let wanted = helpers.len() + 1;
    // The threads' stacks must not take the last of the memory.
    let spare = if helpers.is_empty() { Ok(Vec::new()) } else { memory::reserve(SPARE_MEMORY) };
    let gate = &Gate::default();
    std::thread::scope(|scope| {
        let mut threads = Vec::with_capacity(helpers.len());
        for (index, worker) in helpers.iter_mut().enumerate() {
            if !shared.has_time_to_start() {
                break;
            }
            let help = move || {
                gate.wait();
                guarded(worker, shared, index + 1, &mut |_: Report| ())
            };
            let refused = match &spare {
                Ok(_) => threads::start_scoped(scope, help).map(|thread| threads.push(thread)).err(),
                Err(error) => Some(std::io::Error::from(error.kind())),
            };
            if let Some(error) = refused {
                let running = threads.len() + 1;
                warnings
                    .push(format!("cannot start {wanted} search threads: {error}; searching with {running}"));
                break;
            }
        }
        drop(spare);
        gate.open();
        let mut outcomes = vec![guarded(main, shared, 0, reporter)];
        shared.signals.stop.store(true, Relaxed);
        // `guarded` has caught what could be caught.
        outcomes.extend(threads.into_iter().filter_map(|thread| thread.join().ok()));
        outcomes
    })
}

/// What is left of a worker's search that panicked.
struct Failure {
    message: String,
    /// The root moves as the panic left them.
    moves: Vec<RootMove>,
}

/// [`root::deepen`], with a panic caught. The worker is then a new one.
fn guarded(
    worker: &mut Worker,
    shared: &Shared<'_>,
    id: usize,
    reporter: &mut dyn Reporter,
) -> Result<Findings, Failure> {
    let deepen = AssertUnwindSafe(|| root::deepen(worker, shared, id, reporter));
    catch_unwind(deepen).map_err(|panic| {
        let mut moves = std::mem::take(worker).root_moves;
        for mv in &mut moves {
            // What the broken iteration did not reach keeps the score of the one before.
            if mv.score == -INFINITE {
                mv.score = mv.previous.max(-MATE_BOUND);
            }
        }
        Failure { message: threads::panic_message(&*panic), moves }
    })
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
