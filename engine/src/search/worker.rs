//! The state of one search thread.

use bytemuck::Zeroable;
use sakmak_eval::{DtmTables, Evaluator, huge_pages};
use sakmak_movegen::rules::Claim;
use sakmak_movegen::{Color, Move, Position};

use super::correction::CorrectionHistory;
use super::eval_cache::EvalCache;
use super::history::{Continuation, History, PieceTo};
use super::path::Path;
use super::pause::Pause;
use super::report::{PvLine, RootMove};
use super::request::SearchRequest;
use super::shared::{Shared, Signals};
use super::stability::BestMoveStability;
use super::tablebase;
use crate::parameters::FIRST_ITERATION_NODES;
use crate::score::{DRAW, INFINITE, MAX_PLY, mated_in};

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

/// An entry of the search stack: the node at one ply of the current line.
#[derive(Clone, Copy, Default)]
pub(super) struct StackEntry {
    /// Static evaluation; meaningless in check.
    pub(super) eval: i32,
    /// Quiet moves that caused beta cutoffs in sibling nodes.
    pub(super) killers: [Option<Move>; 2],
    /// Whether a null move led here.
    pub(super) after_null: bool,
    /// Piece and target square of the move that led here.
    pub(super) piece_to: PieceTo,
    /// The TT move, left out in the singular search of this node.
    pub(super) excluded_move: Option<Move>,
    /// Extensions by two plies in the line up to here.
    pub(super) double_extensions: i32,
}

/// What the nodes of a thread look up most, in one huge page where the system has them.
#[derive(Zeroable)]
#[cfg_attr(target_os = "linux", repr(align(0x20_0000)))]
pub(super) struct ThreadTables {
    pub(super) history: History,
    pub(super) corrections: CorrectionHistory,
    eval_cache: EvalCache,
}

/// The state of a search thread: histories and caches, which outlive a search, and the state of the running search.
pub(crate) struct Worker {
    pub(super) tables: Box<ThreadTables>,
    pub(super) evaluator: Evaluator,
    pub(super) path: Path,
    pub(super) stack: Box<[StackEntry; MAX_PLY + 2]>,
    pub(super) pvs: Box<[PvLine; MAX_PLY + 2]>,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) nodes: u64,
    pub(super) tb_hits: u64,
    /// Most men of positions for which tablebases are probed.
    pub(super) tb_men: u32,
    pub(super) seldepth: u32,
    /// Whether an iteration has been finished, so that there is a move to play.
    pub(super) has_result: bool,
    pub(super) stopped: bool,
    /// The last finished iteration, in plies.
    pub(super) finished: u32,
    pub(super) stability: BestMoveStability,
    /// When the clock was last polled; below, the longest time between two polls.
    pub(super) last_poll: Duration,
    pub(super) longest_stall: Duration,
    /// Nodes after which the search pauses.
    pause_at: u64,
    pub(super) pause: Pause,
    /// Whether neither a clock nor the user ends the search, so that it solves the DTM tables it needs.
    repeatable: bool,
    /// Whether the search pauses where it needs an unsolved DTM table, which is then solved in parts.
    pauses_for_tables: bool,
    /// Whether the tablebases have been probed for the root moves.
    is_ranked: bool,
    /// Whether what a file of evaluations knows has been used.
    pub(super) is_seeded: bool,
    /// `Shared::poll_interval` minus 1.
    poll_mask: u64,
    /// Nodes after which the worker panics, for tests.
    #[cfg(test)]
    pub(crate) fault: Option<u64>,
}

impl Worker {
    /// A worker with empty histories, which probes `tables`.
    ///
    /// A search that neither a clock nor the user ends solves the DTM tables it needs, so that the same search always
    /// gives the same result. Other searches use an estimate while a DTM table is not solved.
    pub(crate) fn new(tables: &DtmTables) -> Self {
        Self {
            tables: huge_pages::zeroed(),
            evaluator: Evaluator::new(tables),
            path: Path::new(),
            stack: Box::new([StackEntry::default(); MAX_PLY + 2]),
            pvs: Box::new(std::array::from_fn(|_| PvLine::new())),
            root_moves: Vec::new(),
            nodes: 0,
            tb_hits: 0,
            tb_men: 0,
            seldepth: 0,
            has_result: false,
            stopped: false,
            finished: 0,
            stability: BestMoveStability::default(),
            last_poll: Duration::ZERO,
            longest_stall: Duration::ZERO,
            pause_at: u64::MAX,
            pause: Pause::default(),
            repeatable: false,
            pauses_for_tables: false,
            is_ranked: false,
            is_seeded: false,
            poll_mask: 0,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Size of a worker in bytes, including what it allocates during a search.
    pub(crate) const BYTES: usize = size_of::<ThreadTables>()
        + Evaluator::BYTES
        + size_of::<[StackEntry; MAX_PLY + 2]>()
        + size_of::<[PvLine; MAX_PLY + 2]>()
        + (64 << 10);

    /// Clears the histories and the evaluation cache.
    pub(crate) fn clear_histories(&mut self) {
        self.tables.history.clear();
        self.tables.corrections.clear();
        self.tables.eval_cache.clear();
    }

    /// Prepares the next search; keeps the histories. [`Worker::has_tables`] must follow.
    pub(super) fn prepare(&mut self, shared: &Shared) {
        let request = &shared.request;
        self.path.reset(&request.position, &request.keys);
        let repeatable = request.limits.is_repeatable();
        let was_repeatable = std::mem::replace(&mut self.repeatable, repeatable);
        self.evaluator.solve_missing_tables(repeatable);
        self.evaluator.stop_solving_with(&shared.signals.stop);
        let same_network = self.evaluator.set_network(&request.network);
        // The cache may hold estimates for DTM tables that have been solved since.
        if !(same_network && repeatable && was_repeatable) || self.evaluator.has_missed_table() {
            self.tables.eval_cache.clear();
            self.evaluator.forget_missed();
        }
        *self.stack = [StackEntry::default(); MAX_PLY + 2];
        self.nodes = 0;
        self.tb_hits = 0;
        self.tb_men = request.probing.men_in_tree(&request.limits);
        self.seldepth = 0;
        self.has_result = false;
        self.stopped = false;
        self.finished = 0;
        self.stability = BestMoveStability::default();
        self.pause_at = u64::MAX;
        self.pause = Pause::default();
        self.poll_mask = shared.poll_interval - 1;
        self.root_moves = root_moves(request);
        self.longest_stall = Duration::ZERO;
        self.pauses_for_tables = false;
        self.is_ranked = false;
        self.is_seeded = false;
        #[cfg(test)]
        self.inject_fault();
    }

    /// Ranks the root moves by the tablebases. Endings that are not solved yet are solved first, or, if the search
    /// pauses for them, for some milliseconds in each call. Returns whether the search can go on.
    pub(super) fn has_tables(&mut self, request: &SearchRequest) -> bool {
        if self.awaits_tables() {
            if self.evaluator.solve_missed() {
                return false;
            }
            // The cache holds estimates.
            self.tables.eval_cache.clear();
            self.evaluator.forget_missed();
        }
        if !self.is_ranked {
            let mut tables = request.probing.tables.with_pairs(self.evaluator.tables(), self.repeatable);
            if self.pauses_for_tables {
                tables = tables.deferring();
            }
            let knows_all = tablebase::rank_root_moves(request, &tables, &mut self.root_moves);
            if self.pauses_for_tables && tables.solve_missed() {
                return false;
            }
            self.is_ranked = true;
            if knows_all {
                self.tb_hits += self.root_moves.len() as u64;
            }
        }
        true
    }

    /// In a search on a clock from a position with a bare khun: solves the DTM tables that the root's evaluation needs,
    /// for at most half of the soft limit, so that the first move is as good as later ones.
    pub(super) fn wait_for_own_ending(&mut self, shared: &Shared) {
        let request = &shared.request;
        let Some(budget) = shared.budget else { return };
        if self.repeatable || !Color::ALL.into_iter().any(|color| request.position.is_bare(color)) {
            return;
        }
        self.evaluator.evaluate(&request.position);
        let is_early = || shared.elapsed() < budget.soft / 2 && !shared.signals.stop.load(Relaxed);
        while is_early() && self.evaluator.solve_missed() {}
    }

    /// Whether the search has paused for a DTM table or tablebase.
    pub(crate) fn awaits_tables(&self) -> bool {
        self.pauses_for_tables && (self.evaluator.has_missed_table() || !self.is_ranked)
    }

    /// MultiPV of the request, at most the number of root moves.
    pub(super) fn lines(&self, request: &SearchRequest) -> usize {
        request.multi_pv.max(1).min(self.root_moves.len())
    }

    /// The continuation history context of the node at `ply`.
    #[inline]
    pub(super) fn continuation(&self, ply: usize) -> Continuation {
        let at = |back: usize| ply.checked_sub(back).map_or(PieceTo::NONE, |ply| self.stack[ply].piece_to);
        [at(0), at(1), at(3)]
    }

    /// The static evaluation of a position, in internal units for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        self.tables.eval_cache.evaluate(&mut self.evaluator, position)
    }

    /// Whether the last evaluation lacks a DTM table for which the search pauses.
    #[inline]
    pub(super) fn lacks_table(&self) -> bool {
        self.pauses_for_tables && self.evaluator.has_missed_table()
    }

    /// Pauses the search for a DTM table; the evaluation is discarded.
    #[cold]
    pub(super) fn pause_for_table(&mut self) {
        self.pause_at = 0;
        self.pause.is_on = true;
        self.stopped = true;
    }

    /// Counts a node. Returns whether [`Self::check_limits`] is due.
    #[inline]
    pub(super) fn count_node(&mut self, shared: &Shared, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply as u32 + 1);
        let limit = shared.request.limits.nodes.unwrap_or(u64::MAX);
        self.nodes & self.poll_mask == 0 || self.nodes >= limit
    }

    /// Publishes the node and tablebase hit counts of this thread to the others.
    pub(super) fn publish_counters(&self, shared: &Shared, id: usize) {
        shared.counters[id].nodes.store(self.nodes, Relaxed);
        shared.counters[id].tb_hits.store(self.tb_hits, Relaxed);
    }

    /// Sets `stopped` if the clock, the node limit or the stop signal ends the search.
    pub(super) fn check_limits(&mut self, shared: &Shared, id: usize) {
        self.publish_counters(shared, id);
        #[cfg(test)]
        self.inject_fault();
        let signals = &shared.signals;
        let out_of_nodes = shared.request.limits.nodes.is_some_and(|limit| shared.nodes() >= limit);
        // Every thread checks the clock: the main one may be waiting for a core.
        let is_over = out_of_nodes || self.is_out_of_time(shared);
        if id == 0 && !self.has_result && self.nodes < FIRST_ITERATION_NODES {
            return;
        }
        if is_over {
            signals.stop.store(true, Relaxed);
        }
        self.stopped = signals.stop.load(Relaxed);
        self.pause.is_on = !self.stopped && self.nodes >= self.pause_at;
        self.stopped |= self.pause.is_on;
    }

    /// Whether the clock has run out.
    fn is_out_of_time(&mut self, shared: &Shared) -> bool {
        let Some(budget) = shared.budget else { return false };
        let now = shared.elapsed();
        self.longest_stall = self.longest_stall.max(now.saturating_sub(self.last_poll));
        self.last_poll = now;
        now >= budget.hard && !shared.signals.pondering.load(Relaxed)
    }

    /// Prepares a paused search to go on for `nodes` nodes. With `u64::MAX`, or when it is to be stopped, it does not
    /// pause for DTM tables either.
    pub(super) fn resume(&mut self, nodes: u64, signals: &Signals) {
        self.stopped = false;
        self.pause.is_on = false;
        self.pause_at = self.nodes.saturating_add(nodes);
        let pauses_for_tables = self.repeatable && nodes < u64::MAX && !signals.stop.load(Relaxed);
        if self.awaits_tables() && !pauses_for_tables {
            // Drop the estimate for which it paused.
            self.tables.eval_cache.clear();
            self.evaluator.forget_missed();
        }
        self.pauses_for_tables = pauses_for_tables;
        self.evaluator.solve_missing_tables(self.repeatable && !self.pauses_for_tables);
    }

    #[cfg(test)]
    fn inject_fault(&self) {
        assert!(self.fault.is_none_or(|nodes| self.nodes < nodes), "a fault for a test");
    }

    /// The score of a draw below the root: an expired count, dead material, or a repetition.
    #[inline]
    pub(super) fn game_end_score(&self, position: &Position, ply: usize) -> Option<i32> {
        if position.count().is_expired() || position.is_dead_by_rule() {
            // A mate wins even on the move that exceeds the limit.
            if position.in_check() && !position.has_legal_move() {
                return Some(mated_score(position, ply));
            }
            // If the draw must be claimed, the node lets the counting side choose, see [`claimable_score`].
            if position.rules().claim == Claim::Automatic || position.is_dead_by_rule() {
                return Some(DRAW);
            }
        }
        (self.path.is_repetition(position, ply) || position.is_dead()).then_some(DRAW)
    }
}

/// The root moves in the order of generation, without scores.
pub(super) fn root_moves(request: &SearchRequest) -> Vec<RootMove> {
    let allowed = &request.limits.search_moves;
    let moves = request.position.legal_moves();
    moves
        .into_iter()
        .filter(|mv| allowed.is_empty() || allowed.contains(mv))
        .map(|mv| RootMove {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            seldepth: 0,
            nodes: 0,
            rank: 0,
            tb_score: None,
            line: PvLine::from_iter([mv]),
        })
        .collect()
}

/// The score of being mated `ply` plies from the root; a draw if the mate comes too late for the count.
///
/// A side whose mate only draws while it counts stops its count on the turn on which it mates, and so wins:
/// [`Position::must_stop_count`].
#[inline]
pub(super) fn mated_score(position: &Position, ply: usize) -> i32 {
    if position.mate_is_late() { DRAW } else { mated_in(ply) }
}

/// A draw score if the side to move may claim the draw of an expired count, else minus infinity.
#[inline]
pub(super) fn claimable_score(position: &Position) -> i32 {
    if position.may_claim_draw() { DRAW } else { -INFINITE }
}
