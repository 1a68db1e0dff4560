//! One search by one or several workers.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use web_time::Instant;

use super::pool::ThreadPool;
use super::report::{Listener, RootMove, SearchInfo, SearchResult};
use super::request::SearchRequest;
use super::root::{conclude, deepen, iterative_deepening};
use super::shared::{Shared, Signals};
use super::worker::{Worker, root_moves};
use crate::score::{INFINITE, MATE_BOUND};
use crate::threads::{self, Gate};
use crate::tt::TranspositionTable;

/// One search: the caller lends the main worker, a thread pool the helpers.
pub(crate) struct Team {
    shared: Arc<Shared>,
    /// Where the helpers wait until the search begins.
    start: Arc<Gate>,
    /// The outcomes of the helpers; closed when all have ended.
    helpers: Receiver<(usize, WorkerResult)>,
}

impl Team {
    /// Prepares a search by a command received at `started`. With a pool, its first `threads` threads but number 0 wait
    /// as helpers from now on.
    pub(crate) fn new(
        request: SearchRequest,
        started: Instant,
        tt: Arc<TranspositionTable>,
        signals: Arc<Signals>,
        pool: Option<&ThreadPool>,
        threads: usize,
    ) -> Self {
        let threads = pool.map_or(1, |pool| threads.min(pool.len())).max(1);
        let shared = Arc::new(Shared::new(request, started, tt, signals, threads));
        let start = Arc::new(Gate::default());
        let (sender, helpers) = channel();
        if let Some(pool) = pool {
            for id in 1..threads {
                let (shared, start, sender) = (Arc::clone(&shared), Arc::clone(&start), sender.clone());
                pool.submit(id, move |worker| {
                    start.wait();
                    let silent = &mut |_: &SearchInfo| ();
                    let outcome =
                        catching_panics(worker, |worker| iterative_deepening(worker, &shared, id, silent));
                    // Drop it first: once all outcomes have arrived, no helper owns the transposition table.
                    drop(shared);
                    let _ = sender.send((id, outcome));
                });
            }
        }
        Self { shared, start, helpers }
    }

    /// The search request.
    pub(crate) fn request(&self) -> &SearchRequest {
        &self.shared.request
    }

    /// Time since the command to search was received.
    pub(crate) fn elapsed(&self) -> Duration {
        self.shared.elapsed()
    }

    /// Searches to the end with `worker` as the main one.
    pub(crate) fn search(&self, worker: &mut Worker, listener: &mut dyn Listener) -> SearchResult {
        self.start.open();
        let main = catching_panics(worker, |worker| iterative_deepening(worker, &self.shared, 0, listener));
        self.conclude(main, listener)
    }

    /// Prepares `worker` for a search in slices, see [`Team::advance`].
    pub(crate) fn begin(&self, worker: &mut Worker) {
        worker.prepare(&self.shared);
    }

    /// Searches `nodes` more nodes with `worker`, after [`Team::begin`]; `None` if the search is not over. A search in
    /// slices has no helpers.
    pub(crate) fn advance(
        &self,
        worker: &mut Worker,
        nodes: u64,
        listener: &mut dyn Listener,
    ) -> Option<SearchResult> {
        worker.resume(nodes, &self.shared.signals);
        if !worker.has_tables(&self.shared.request) {
            return None;
        }
        let main = catching_panics(worker, |worker| {
            deepen::<true>(worker, &self.shared, 0, listener);
            (!worker.pause.is_on).then(|| conclude(worker, &self.shared, 0, listener))
        });
        main.transpose().map(|main| self.conclude(main, listener))
    }

    /// The result of the search, from those of main worker and helpers.
    fn conclude(&self, main: WorkerResult, listener: &mut dyn Listener) -> SearchResult {
        let mut helpers = self.end_helpers();
        // Ties go to the first thread.
        helpers.sort_by_key(|(id, _)| *id);
        let outcomes = std::iter::once(main).chain(helpers.into_iter().map(|(_, outcome)| outcome));
        combine_results(&self.shared, outcomes.collect(), listener)
    }

    /// Stops the helpers and waits until they have ended.
    fn end_helpers(&self) -> Vec<(usize, WorkerResult)> {
        if self.shared.counters.len() > 1 {
            self.shared.signals.stop.store(true, Relaxed);
        }
        self.start.open();
        self.helpers.iter().collect()
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // Helpers still wait if the main thread did not search, or search if it panicked while it reported.
        self.end_helpers();
    }
}

/// The outcome of a worker that panicked.
struct WorkerFailure {
    message: String,
    /// The root moves at the panic.
    moves: Vec<RootMove>,
}

type WorkerResult<T = SearchResult> = Result<T, WorkerFailure>;

/// Calls `search` and catches panics; a worker that panicked is replaced by a new one.
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

/// The result of a search from the outcomes of its threads, the main thread's first. If all have panicked, the root
/// moves of the first that failed.
fn combine_results(
    shared: &Shared,
    outcomes: Vec<WorkerResult>,
    listener: &mut dyn Listener,
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
        let moves = if left_over.is_empty() { root_moves(&shared.request) } else { left_over };
        return SearchResult { moves, nodes: shared.nodes(), warnings, ..SearchResult::default() };
    }
    let ended = results[0].ended;
    let longest_stall = results.iter().map(|result| result.longest_stall).max().unwrap_or_default();
    // With MultiPV that of the main thread, which reports the lines.
    let chosen = if shared.request.multi_pv > 1 && results[0].depth > 0 { 0 } else { best_thread(&results) };
    let mut result = results.swap_remove(chosen);
    result.nodes = shared.nodes();
    (result.ended, result.longest_stall) = (ended, longest_stall);
    result.warnings = warnings;
    if let Some(best) = result.moves.first().filter(|_| chosen > 0 || main_failed) {
        listener.info(&shared.report(best, result.depth.max(1), 0));
    }
    if let Some(best) = result.moves.first_mut().filter(|best| best.line.len() == 1) {
        best.line.extend(shared.expected_reply(best.mv));
    }
    result
}

/// Index of the best result: the deepest, and of equally deep ones that with the highest score.
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
