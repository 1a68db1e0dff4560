//! A fixed search whose node count is a signature of search and evaluation.

use std::sync::atomic::{AtomicBool, Ordering::SeqCst};
use std::time::{Duration, Instant};

use sakmak_movegen::Position;

use crate::search::{self, Signals, Task, Worker};
use crate::time::Limits;
use crate::tt::{OutOfMemory, TranspositionTable};

/// Depth of the bench if none is given.
pub const DEFAULT_DEPTH: u32 = 13;

/// Size in MiB of the table of the bench, on which the node count depends.
pub const HASH_MB: usize = 16;

/// Openings, middlegames, endings with and without bia, running counts, and mates.
pub const POSITIONS: [&str; 24] = include!("bench_positions.in");

/// The outcome of [`run`].
#[derive(Clone, Copy, Debug)]
pub struct Bench {
    /// Positions searched.
    pub nodes: u64,
    /// Time taken.
    pub time: Duration,
}

impl Bench {
    /// Nodes per second.
    pub fn nps(&self) -> u64 {
        (self.nodes as f64 / self.time.as_secs_f64().max(1e-9)) as u64
    }
}

/// Searches every position to `depth` plies on one thread with a fresh table of `hash_mb` MiB, and tells
/// `progress` the number, FEN and nodes of each.
///
/// # Errors
/// If there is no memory for the table.
pub fn run(
    depth: u32,
    hash_mb: usize,
    mut progress: impl FnMut(usize, &str, u64),
) -> Result<Bench, OutOfMemory> {
    try_run(depth, hash_mb, &Signals::default(), &AtomicBool::new(false), |number, fen, nodes| {
        progress(number, fen, nodes);
        Ok(())
    })
}

/// [`run`], but it ends early with an error of `progress`, or once `stop` is set. `signals.stop`, set after that, ends
/// the search that runs.
///
/// # Errors
/// If there is no memory for the table, and those of `progress`.
pub fn try_run<E: From<OutOfMemory>>(
    depth: u32,
    hash_mb: usize,
    signals: &Signals,
    stop: &AtomicBool,
    mut progress: impl FnMut(usize, &str, u64) -> Result<(), E>,
) -> Result<Bench, E> {
    // First, for the rest takes a while.
    let mut tt = TranspositionTable::new(hash_mb)?;
    sakmak_eval::prepare();
    let started = Instant::now();
    let mut workers = [Worker::new()];
    let mut nodes = 0;
    for (index, fen) in POSITIONS.iter().enumerate() {
        // A position that does not parse would be a slip in the list above; a test looks for it.
        let Ok(position) = Position::from_fen(fen) else { continue };
        tt.clear(1);
        workers[0].forget();
        let task = Task {
            position: &position,
            keys: &[position.key()],
            limits: &Limits { depth: Some(depth), ..Limits::default() },
            budget: None,
            multi_pv: 1,
            started: Instant::now(),
        };
        // A search leaves the signal set. In this order a stop is seen, wherever it comes in between.
        signals.stop.store(false, SeqCst);
        if stop.load(SeqCst) {
            break;
        }
        let findings = search::run(&task, &tt, signals, &mut workers, &mut |_: search::Report| ());
        nodes += findings.nodes;
        progress(index + 1, fen, findings.nodes)?;
    }
    Ok(Bench { nodes, time: started.elapsed() })
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
