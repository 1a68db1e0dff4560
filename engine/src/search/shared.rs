//! State shared by all threads of one search.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use sakmak_movegen::Move;
// The standard library's `Instant`, except for WebAssembly, where it asks the browser.
use web_time::Instant;

use super::report::{RootMove, SearchInfo};
use super::request::SearchRequest;
use crate::parameters::{POLL_INTERVAL_MAX, POLL_INTERVAL_MIN};
use crate::score::Score;
use crate::time::Budget;
use crate::tt::{Bound, TranspositionTable};
use crate::win_rate::win_draw_loss;

/// Flags by which the caller controls a running search.
#[derive(Debug, Default)]
pub struct Signals {
    /// Ends the search as soon as possible, and the solving of an ending that it waits for. Also set when a limit ends
    /// the search.
    pub stop: Arc<AtomicBool>,
    /// While set, the clock does not end the search.
    pub pondering: AtomicBool,
}

/// State shared by all threads of one search.
pub(super) struct Shared {
    pub(super) request: SearchRequest,
    /// When the command to search was received.
    pub(super) started: Instant,
    /// Time limits, if a clock runs.
    pub(super) budget: Option<Budget>,
    pub(super) tt: Arc<TranspositionTable>,
    pub(super) signals: Arc<Signals>,
    /// Counters by thread; each thread updates its own when it checks the limits.
    pub(super) counters: Vec<Counters>,
    /// Nodes of a thread between two checks of the clock and the stop flag, a power of two.
    pub(super) poll_interval: u64,
}

/// Nodes and tablebase hits of a thread so far.
#[derive(Default)]
pub(super) struct Counters {
    pub(super) nodes: AtomicU64,
    pub(super) tb_hits: AtomicU64,
}

impl Shared {
    /// The shared state of `threads` threads in a search by a command received at `started`.
    pub(super) fn new(
        mut request: SearchRequest,
        started: Instant,
        tt: Arc<TranspositionTable>,
        signals: Arc<Signals>,
        threads: usize,
    ) -> Self {
        request.limits = request.limits.with_clock_in_nodes(&request.position, request.move_overhead);
        let counters = (0..threads).map(|_| Counters::default()).collect();
        let (budget, poll_interval) = (request.budget(), poll_interval(threads));
        Self { request, started, budget, tt, signals, counters, poll_interval }
    }

    /// Time since `started`.
    pub(super) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    pub(super) fn nodes(&self) -> u64 {
        self.counters.iter().map(|thread| thread.nodes.load(Relaxed)).sum()
    }

    pub(super) fn tb_hits(&self) -> u64 {
        self.counters.iter().map(|thread| thread.tb_hits.load(Relaxed)).sum()
    }

    /// The report of a root move. A line of one move (it failed high) gets a reply from the TT.
    pub(super) fn report(&self, mv: &RootMove, depth: u32, index: usize) -> SearchInfo {
        let mut line = mv.line.clone();
        if line.len() == 1 {
            line.extend(self.expected_reply(mv.mv));
        }
        SearchInfo {
            depth,
            seldepth: mv.seldepth.max(1),
            multi_pv: index + 1,
            score: Score::from_search(mv.known_score()),
            win_draw_loss: win_draw_loss(mv.known_score(), &self.request.position),
            bound: Bound::Exact,
            nodes: self.nodes(),
            tb_hits: self.tb_hits(),
            time: self.elapsed(),
            permille_full: self.tt.permille_full(),
            line,
        }
    }

    /// The reply to a root move in the TT, if any.
    pub(super) fn expected_reply(&self, mv: Move) -> Option<Move> {
        let mut next = self.request.position.clone();
        next.play_unchecked(mv);
        let entry = self.tt.probe(next.tt_key())?;
        entry.mv.filter(|&reply| next.is_legal(reply))
    }
}

/// The poll interval for `threads` threads: the more threads on a core, the shorter, since each sees the stop flag
/// only when it is scheduled and runs to its next check.
fn poll_interval(threads: usize) -> u64 {
    if threads == 1 {
        return POLL_INTERVAL_MAX;
    }
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let interval = POLL_INTERVAL_MAX / threads.div_ceil(cores).max(1) as u64;
    (1 << interval.max(POLL_INTERVAL_MIN).ilog2()).min(POLL_INTERVAL_MAX)
}
