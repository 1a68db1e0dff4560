//! The search: iterative deepening over a principal variation alpha-beta search.
//!
//! It prints nothing and reads no input. A [`SearchRequest`] describes what to search, a [`Reporter`] receives each
//! finished iteration, and a [`SearchResult`] comes back. [`Searcher`] searches on the calling thread,
//! [`crate::Engine`] with several threads in the background. `root` has the iterations, `node` the search of one node.
//!
//! A worker that panics loses its own result and nothing else.

mod correction;
mod eval_cache;
mod history;
mod node;
pub(crate) mod params;
mod path;
mod pause;
pub(crate) mod picker;
mod qsearch;
mod root;
mod searcher;
mod tablebase;
mod team;
mod worker;

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use arrayvec::ArrayVec;
use sakmak_eval::network::Network;
use sakmak_movegen::{Game, Move, Position};
// That of the standard library, but for WebAssembly, where it asks the browser.
use web_time::Instant;

use crate::current_game::RootPosition;
use crate::score::{INFINITE, MATE_BOUND, MAX_PLY, Score, is_decisive, is_mate};
use crate::threads;
use crate::time::{Budget, Latency, Limits};
use crate::tt::{Bound, TranspositionTable};

use params::{POLL_INTERVAL_MAX, POLL_INTERVAL_MIN};

pub use searcher::Searcher;
pub use tablebase::TableProbing;
pub(crate) use team::Team;
pub(crate) use worker::Worker;

/// A sequence of moves from the root.
pub type PvLine = ArrayVec<Move, MAX_PLY>;

/// Flags by which the caller controls a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// End the search as soon as possible, and the solving of an ending that it waits for. A search that ends by itself
    /// sets it too.
    pub stop: Arc<AtomicBool>,
    /// While set, the clock does not end the search.
    pub pondering: AtomicBool,
}

/// What to search.
///
/// ```
/// use sakmak_engine::{Limits, SearchRequest};
/// use sakmak_movegen::Position;
///
/// let request = SearchRequest::new(Position::startpos(), Limits::depth(8));
/// let three_lines = SearchRequest { multi_pv: 3, ..request };
/// ```
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position at the root.
    pub position: Position,
    /// Keys of the positions of the game that can be repeated, the root's last.
    pub keys: Vec<u64>,
    /// Depth, nodes, moves to consider, and the clock.
    pub limits: Limits,
    /// When to stop, if the clock decides.
    pub budget: Option<Budget>,
    /// How many best lines to find.
    pub multi_pv: usize,
    /// When the command to search came.
    pub started: Instant,
    /// The endgame tables.
    pub probing: TableProbing,
    /// What evaluates. The tables and histories of a search with another network are of little use to this one.
    pub network: Arc<Network>,
}

impl SearchRequest {
    /// One line from a position without a history, from now on. The move overhead is 0: all of the clock may
    /// be used.
    pub fn new(position: Position, limits: Limits) -> Self {
        let (side, number) = (position.side_to_move(), position.fullmove_number());
        Self {
            keys: vec![position.key()],
            budget: Budget::new(&limits, side, number, 0, Latency::NONE),
            limits,
            position,
            multi_pv: 1,
            started: Instant::now(),
            probing: TableProbing::default(),
            network: Arc::clone(Network::embedded()),
        }
    }

    /// [`Self::new`] for the present position of a game, whose earlier positions can be repeated.
    pub fn of_game(game: &Game, limits: Limits) -> Self {
        Self { keys: game.keys().to_vec(), ..Self::new(game.position().clone(), limits) }
    }

    /// [`Self::of_game`], but where the game is drawn and goes on all the same, without the rule that drew it.
    ///
    /// ```
    /// use sakmak_engine::{Limits, SearchRequest, Searcher};
    /// use sakmak_movegen::{Game, Rules};
    ///
    /// // Two rua mate in two moves, one too late for the count.
    /// let game = Game::from_fen("7k/8/5K2/8/8/8/R7/1R6 w - 16 17 30", Rules::default())?;
    /// let mut searcher = Searcher::new(1)?; // MiB
    /// let mut score = |request| searcher.search(&request).best().map(|best| best.score);
    /// assert_eq!(score(SearchRequest::of_game(&game, Limits::depth(6))), Some(0));
    /// assert!(score(SearchRequest::of_game_that_goes_on(&game, Limits::depth(6))) > Some(1000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_game_that_goes_on(game: &Game, limits: Limits) -> Self {
        let RootPosition { position, keys, .. } = RootPosition::of(game);
        Self { keys, ..Self::new(position, limits) }
    }
}

/// A line found by the search: the contents of an `info` line of UCI.
#[derive(Clone, Debug)]
pub struct SearchInfo {
    /// Iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank of the line among the best, from 1.
    pub multi_pv: usize,
    /// For the side to move.
    pub score: Score,
    /// Chances of the side to move in thousandths, see [`win_draw_loss`](crate::win_rate::win_draw_loss).
    pub win_draw_loss: [u32; 3],
    /// Exact, unless the score fell outside the aspiration window.
    pub bound: Bound,
    /// Positions searched so far by all threads.
    pub nodes: u64,
    /// Positions found in endgame tables so far by all threads.
    pub table_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub permille_full: u32,
    /// The line.
    pub line: PvLine,
}

/// How far a running search is.
#[derive(Clone, Debug)]
pub struct SearchProgress {
    /// Iteration, in plies.
    pub depth: u32,
    /// The root move whose search begins, and its number among the root moves, from 1; `None` between two moves.
    pub current: Option<(Move, usize)>,
    /// Positions searched so far by all threads.
    pub nodes: u64,
    /// Positions found in endgame tables so far by all threads.
    pub table_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub permille_full: u32,
}

/// Receives what the main thread of a search reports while it runs. A closure is a reporter of [`Reporter::info`].
pub trait Reporter {
    /// A line of a finished iteration.
    fn info(&mut self, info: SearchInfo);
    /// In a long search: the score fell outside the aspiration window, so it is a bound.
    fn bound(&mut self, info: SearchInfo) {
        let _ = info;
    }
    /// In a long search: the next root move, and the number of nodes once a second.
    fn progress(&mut self, progress: SearchProgress) {
        let _ = progress;
    }
}

impl<F: FnMut(SearchInfo)> Reporter for F {
    fn info(&mut self, info: SearchInfo) {
        self(info);
    }
}

/// A search is long from this time on.
const LONG_SEARCH: Duration = Duration::from_secs(3);

/// Time between two reports of the number of nodes.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// A move at the root with its score and line.
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
    /// Its rank by the endgame tables, 0 for the best moves; 0 for all if no table knows them.
    pub rank: u16,
    /// Its score by the endgame tables.
    pub table_score: Option<i32>,
    /// The expected line, this move first.
    pub line: PvLine,
}

impl RootMove {
    /// The score of the move: that of the search, unless a table knows better. A mate that the search has found
    /// stands.
    fn known_score(&self) -> i32 {
        match self.table_score {
            Some(score) if !(is_mate(self.score) && is_decisive(score)) => score,
            _ => self.score,
        }
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// All root moves, best first; empty if there is no legal move.
    pub moves: Vec<RootMove>,
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// When the main thread stopped searching, since the start.
    pub ended: Duration,
    /// The longest time between two looks at the clock by a thread, if there is a time limit.
    pub longest_stall: Duration,
    /// What went wrong without ending the search, in plain text: threads that did not start or panicked.
    pub warnings: Vec<String>,
}

impl SearchResult {
    /// The best move, if there is a legal one.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }
}

/// What all threads of one search share.
struct Shared<'a> {
    request: &'a SearchRequest,
    tt: &'a TranspositionTable,
    signals: &'a Signals,
    /// By thread; each thread updates its own when it checks the limits.
    counters: &'a [Counters],
    /// Nodes of a thread between two checks of the clock and the stop flag, a power of two.
    poll_interval: u64,
}

/// What a thread has done so far.
#[derive(Default)]
struct Counters {
    nodes: AtomicU64,
    table_hits: AtomicU64,
}

impl Shared<'_> {
    fn nodes(&self) -> u64 {
        self.counters.iter().map(|thread| thread.nodes.load(Relaxed)).sum()
    }

    fn table_hits(&self) -> u64 {
        self.counters.iter().map(|thread| thread.table_hits.load(Relaxed)).sum()
    }
}

/// The interval for so many threads. Where several share a core, each sees the stop flag only when it is scheduled and
/// then runs to its next check: the more threads on a core, the shorter the interval.
fn poll_interval(threads: usize) -> u64 {
    if threads == 1 {
        return POLL_INTERVAL_MAX;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let interval = POLL_INTERVAL_MAX / threads.div_ceil(cores).max(1) as u64;
    (1 << interval.max(POLL_INTERVAL_MIN).ilog2()).min(POLL_INTERVAL_MAX)
}

/// The search of a worker that panicked.
struct WorkerFailure {
    message: String,
    /// The root moves as the panic left them.
    moves: Vec<RootMove>,
}

type WorkerResult<T = SearchResult> = Result<T, WorkerFailure>;

/// [`root::iterative_deepening`] with panics caught.
fn deepen_catching_panics(
    worker: &mut Worker,
    shared: &Shared<'_>,
    id: usize,
    reporter: &mut dyn Reporter,
) -> WorkerResult {
    catching_panics(worker, |worker| root::iterative_deepening(worker, shared, id, reporter))
}

/// The result of `search`, with panics caught; a worker that panicked is replaced by a new one.
fn catching_panics<T>(worker: &mut Worker, search: impl FnOnce(&mut Worker) -> T) -> WorkerResult<T> {
    let outcome = catch_unwind(AssertUnwindSafe(|| search(&mut *worker)));
    outcome.map_err(|panic| {
        let new = Worker::new(worker.evaluator.tables());
        let mut moves = std::mem::replace(worker, new).root_moves;
        for mv in &mut moves {
            // Moves that the interrupted iteration did not reach keep the score of the one before.
            if mv.score == -INFINITE {
                mv.score = mv.previous.max(-MATE_BOUND);
            }
        }
        WorkerFailure { message: threads::panic_message(&*panic), moves }
    })
}

/// The result of a search from the outcomes of its threads, the main one's first. If all have panicked, the moves come
/// in their last order.
fn combine_results(
    shared: &Shared<'_>,
    outcomes: Vec<WorkerResult>,
    reporter: &mut dyn Reporter,
) -> SearchResult {
    let main_failed = outcomes.first().is_some_and(Result::is_err);
    let mut results = Vec::new();
    let mut left_over = Vec::new();
    let mut warnings = Vec::new();
    for outcome in outcomes {
        match outcome {
            Ok(result) => results.push(result),
            Err(failure) => {
                warnings.push(format!("a search thread failed: {}", failure.message));
                if left_over.is_empty() {
                    left_over = failure.moves;
                }
            }
        }
    }
    if results.is_empty() {
        let moves = if left_over.is_empty() { worker::root_moves(shared.request) } else { left_over };
        return SearchResult { moves, nodes: shared.nodes(), warnings, ..SearchResult::default() };
    }
    let ended = results[0].ended;
    let longest_stall = results.iter().map(|result| result.longest_stall).max().unwrap_or_default();
    // Helpers find several lines too, but only the main thread reports them.
    let chosen = if shared.request.multi_pv > 1 && results[0].depth > 0 { 0 } else { best_thread(&results) };
    let mut result = results.swap_remove(chosen);
    result.nodes = shared.nodes();
    (result.ended, result.longest_stall) = (ended, longest_stall);
    result.warnings = warnings;
    if let Some(best) = result.moves.first().filter(|_| chosen > 0 || main_failed) {
        reporter.info(shared.report(best, result.depth.max(1), 0));
    }
    if let Some(best) = result.moves.first_mut().filter(|best| best.line.len() == 1) {
        best.line.extend(shared.expected_reply(best.mv));
    }
    result
}

/// Which thread's result to play: the deepest, and of equally deep ones the one with the best score.
fn best_thread(results: &[SearchResult]) -> usize {
    let merit = |result: &SearchResult| (result.depth, result.best().map_or(i32::MIN, |m| m.score));
    let mut chosen = 0;
    for (index, result) in results.iter().enumerate().skip(1) {
        if merit(result) > merit(&results[chosen]) {
            chosen = index;
        }
    }
    chosen
}
