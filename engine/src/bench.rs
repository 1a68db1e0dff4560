//! Bench: a fixed search whose node count is a signature of search and evaluation.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::Duration;

use sakmak_eval::DtmTables;
use sakmak_movegen::Position;
use web_time::Instant;

use crate::search::{SearchRequest, Searcher, Signals};
use crate::time::Limits;
use crate::tt::HashAllocationError;

/// Default depth, in plies.
pub const DEFAULT_DEPTH: u32 = 13;

/// Default size of the transposition table in MiB, on which the node count depends.
pub const HASH_MB: usize = 16;

/// Openings, middlegames, endings with and without bia, running counts, and mates.
pub const POSITIONS: [&str; 24] = include!("bench_positions.in");

/// The outcome of [`run`].
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions searched.
    pub nodes: u64,
    /// Time of the searches.
    pub time: Duration,
    /// Time to solve the DTM tables, before the searches.
    pub solving: Duration,
}

impl Bench {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position to `depth` plies on one thread with a new transposition table of `hash_mb` MiB, and calls
/// `progress` with the number, FEN and nodes of each.
///
/// # Errors
/// If there is no memory for the transposition table.
pub fn run(
    depth: u32,
    hash_mb: usize,
    mut progress: impl FnMut(usize, &str, u64),
) -> Result<Bench, HashAllocationError> {
    try_run(depth, hash_mb, &BenchStop::default(), |number, fen, nodes| {
        progress(number, fen, nodes);
        Ok(())
    })
}

/// Ends a bench from another thread.
#[derive(Default)]
pub struct BenchStop {
    requested: AtomicBool,
    /// Those of the running search.
    signals: Arc<Signals>,
}

impl BenchStop {
    /// Ends the bench as soon as possible.
    pub fn request(&self) {
        self.requested.store(true, SeqCst);
        self.signals.stop.store(true, SeqCst);
    }
}

/// [`run`], ended early by an error of `progress` or by `stop`.
///
/// # Errors
/// If there is no memory for the transposition table, and those of `progress`.
pub fn try_run<E: From<HashAllocationError>>(
    depth: u32,
    hash_mb: usize,
    stop: &BenchStop,
    mut progress: impl FnMut(usize, &str, u64) -> Result<(), E>,
) -> Result<Bench, E> {
    let mut run = BenchRun::new(depth, hash_mb);
    run.solve_all(stop);
    while run.advance(stop)? {
        if let Some((fen, nodes)) = run.last {
            progress(run.searched, fen, nodes)?;
        }
    }
    Ok(run.bench)
}

/// A bench that is run in parts.
pub(crate) struct BenchRun {
    depth: u32,
    hash_mb: usize,
    tables: DtmTables,
    /// `None` until the DTM tables are solved.
    searcher: Option<Searcher>,
    /// Positions searched, and the last one with its nodes.
    searched: usize,
    last: Option<(&'static str, u64)>,
    pub(crate) bench: Bench,
}

impl BenchRun {
    pub(crate) fn new(depth: u32, hash_mb: usize) -> Self {
        let bench = Bench { nodes: 0, time: Duration::ZERO, solving: Duration::ZERO };
        Self { depth, hash_mb, tables: DtmTables::default(), searcher: None, searched: 0, last: None, bench }
    }

    /// Solves the DTM tables with all processors, before the clock starts.
    pub(crate) fn solve_all(&mut self, stop: &BenchStop) {
        let started = Instant::now();
        self.tables.solve_all_until(&stop.requested);
        self.bench.solving += started.elapsed();
    }

    /// Solves DTM tables for some milliseconds, or once these are solved searches the next position: not less, since
    /// the nodes of a search depend on its pauses. Returns `false` at the end, or soon after `stop` was requested.
    ///
    /// # Errors
    /// If there is no memory for the transposition table.
    pub(crate) fn advance(&mut self, stop: &BenchStop) -> Result<bool, HashAllocationError> {
        let started = Instant::now();
        let Some(searcher) = &mut self.searcher else {
            if stop.requested.load(SeqCst) || !self.tables.solve_next() {
                let searcher = Searcher::new(self.hash_mb)?.with_dtm_tables(&self.tables);
                self.searcher = Some(searcher.with_signals(Arc::clone(&stop.signals)));
            }
            self.bench.solving += started.elapsed();
            return Ok(true);
        };
        let Some(fen) = POSITIONS.get(self.searched) else { return Ok(false) };
        searcher.clear();
        // The search before has reset its stop signal, so one set earlier may be lost; one set from now on is not.
        if stop.requested.load(SeqCst) {
            return Ok(false);
        }
        self.searched += 1;
        // A test proves that every position can be parsed.
        if let Ok(position) = Position::from_fen(fen) {
            let nodes = searcher.search(&SearchRequest::new(position, Limits::depth(self.depth))).nodes;
            self.last = Some((fen, nodes));
            self.bench.nodes += nodes;
        }
        self.bench.time += started.elapsed();
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_positions_are_legal_and_different() {
        for fen in POSITIONS {
            let position = Position::from_fen(fen).unwrap();
            assert_eq!(position.to_string(), fen);
            assert!(position.outcome().is_none(), "{fen}");
        }
        let mut all = POSITIONS.to_vec();
        all.sort_unstable();
        all.dedup();
        assert_eq!(all.len(), POSITIONS.len());
    }

    #[test]
    fn two_runs_are_alike() {
        let nodes = || run(5, 4, |_, _, _| ()).unwrap().nodes;
        assert_eq!(nodes(), nodes());
    }
}
