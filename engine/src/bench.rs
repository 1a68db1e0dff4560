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
    // Solve the DTM tables before the clock starts.
    let tables = DtmTables::default();
    let started = Instant::now();
    tables.solve_all_until(&stop.requested);
    let solving = started.elapsed();
    let mut searcher =
        Searcher::new(hash_mb)?.with_dtm_tables(&tables).with_signals(Arc::clone(&stop.signals));
    let started = Instant::now();
    let mut nodes = 0;
    for (index, fen) in POSITIONS.iter().enumerate() {
        // A test proves that every position can be parsed.
        let Ok(position) = Position::from_fen(fen) else { continue };
        searcher.clear();
        // The search before has reset its stop signal, so one set earlier may be lost; one set from now on is not.
        if stop.requested.load(SeqCst) {
            break;
        }
        let result = searcher.search(&SearchRequest::new(position, Limits::depth(depth)));
        nodes += result.nodes;
        progress(index + 1, fen, result.nodes)?;
    }
    Ok(Bench { nodes, time: started.elapsed(), solving })
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
