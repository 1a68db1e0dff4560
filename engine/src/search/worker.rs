//! One thread's memory of the search.

use sakmak_eval::{DtmTables, EvalState, Evaluator};
use sakmak_movegen::rules::Claim;
use sakmak_movegen::{Move, Position};

use super::eval_cache::EvalCache;
use super::history::{History, Step, Trail};
use super::path::Path;
use super::{Line, RootMove, SearchRequest, Shared};
use crate::score::{DRAW, INFINITE, MAX_PLY, mated_in};

use std::sync::atomic::Ordering::Relaxed;

/// What the search knows of the node at each ply of the current path.
#[derive(Clone, Copy, Default)]
pub(super) struct Frame {
    /// Static evaluation; meaningless in check.
    pub(super) eval: i32,
    /// Quiet moves that refuted siblings.
    pub(super) killers: [Option<Move>; 2],
    /// Whether the move that led here was a pass.
    pub(super) after_null: bool,
    /// The step that led here.
    pub(super) step: Step,
    /// The move left out while the node is searched to see what the others are worth.
    pub(super) excluded: Option<Move>,
    /// Extensions by two plies on the way here.
    pub(super) doubled: i32,
}

/// A searching thread: tables that outlive a search, and the state of the running one.
pub(crate) struct Worker {
    pub(super) history: History,
    pub(super) evaluator: Evaluator,
    eval_cache: EvalCache,
    pub(super) path: Path,
    pub(super) frames: Box<[Frame; MAX_PLY + 2]>,
    pub(super) lines: Box<[Line; MAX_PLY + 2]>,
    pub(super) root_moves: Vec<RootMove>,
    pub(super) nodes: u64,
    pub(super) seldepth: u32,
    /// Whether an iteration has been finished, so that there is a move to play.
    pub(super) has_result: bool,
    pub(super) stopped: bool,
    /// One less than the nodes between looks at the clock, a power of two.
    look_mask: u64,
    /// Nodes after which the worker panics, in tests of what then happens.
    #[cfg(test)]
    pub(crate) fault: Option<u64>,
}

/// The main thread finishes the first iteration whatever the limits say, so that there is a move to play, unless it
/// takes more nodes than this: on a crowded board the captures alone can go on for ever.
const FIRST_ITERATION_NODES: u64 = 50_000;

impl Worker {
    /// A worker that remembers nothing, and looks distances to mate up in `tables`.
    ///
    /// A search that neither a clock nor the user ends solves the tables it needs, so that the same search always gives
    /// the same result. Other searches use an estimate in place of a table that is not solved yet.
    pub(crate) fn new(tables: &DtmTables) -> Self {
        Self {
            history: History::new(),
            evaluator: Evaluator::new(tables),
            eval_cache: EvalCache::new(),
            path: Path::new(),
            frames: Box::new([Frame::default(); MAX_PLY + 2]),
            lines: Box::new(std::array::from_fn(|_| Line::new())),
            root_moves: Vec::new(),
            nodes: 0,
            seldepth: 0,
            has_result: false,
            stopped: false,
            look_mask: 0,
            #[cfg(test)]
            fault: None,
        }
    }

    /// Memory a worker takes, in bytes, with something for what it allocates on the way.
    pub(crate) const BYTES: usize = History::BYTES
        + EvalCache::BYTES
        + Evaluator::BYTES
        + size_of::<[Frame; MAX_PLY + 2]>()
        + size_of::<[Line; MAX_PLY + 2]>()
        + (64 << 10);

    /// Forgets what earlier searches taught.
    pub(crate) fn forget(&mut self) {
        self.history.clear();
    }

    /// Forgets the last search but not what it taught.
    pub(super) fn prepare(&mut self, shared: &Shared<'_>) {
        let request = shared.request;
        self.path.restart(&request.keys);
        self.evaluator.solve_missing_tables(request.limits.is_repeatable());
        self.eval_cache.clear();
        *self.frames = [Frame::default(); MAX_PLY + 2];
        self.nodes = 0;
        self.seldepth = 0;
        self.has_result = false;
        self.stopped = false;
        self.look_mask = shared.look_interval - 1;
        self.root_moves = root_moves(request);
        #[cfg(test)]
        self.fail_on_purpose();
    }

    /// The steps before the node at `ply`.
    #[inline]
    pub(super) fn trail(&self, ply: usize) -> Trail {
        let at = |back: usize| ply.checked_sub(back).map_or(Step::NONE, |ply| self.frames[ply].step);
        [at(0), at(1), at(3)]
    }

    /// The static evaluation of a position, in centipawns for the side to move.
    #[inline]
    pub(super) fn evaluate(&mut self, state: &EvalState) -> i32 {
        self.eval_cache.evaluate(&mut self.evaluator, state)
    }

    /// Counts a node. Returns whether it is time to look whether to stop.
    #[inline]
    pub(super) fn enter(&mut self, shared: &Shared<'_>, ply: usize) -> bool {
        self.nodes += 1;
        self.seldepth = self.seldepth.max(ply as u32 + 1);
        let limit = shared.request.limits.nodes.unwrap_or(u64::MAX);
        self.nodes & self.look_mask == 0 || self.nodes >= limit
    }

    /// Looks at the clock, the nodes and the stop signal.
    pub(super) fn check_limits(&mut self, shared: &Shared<'_>, id: usize) {
        shared.nodes[id].store(self.nodes, Relaxed);
        #[cfg(test)]
        self.fail_on_purpose();
        let signals = shared.signals;
        let out_of_nodes = shared.request.limits.nodes.is_some_and(|limit| shared.nodes() >= limit);
        // Every thread looks at the clock: the main one may be waiting for a core.
        let is_over = out_of_nodes || shared.is_out_of_time();
        if id == 0 && !self.has_result && self.nodes < FIRST_ITERATION_NODES {
            return;
        }
        if is_over {
            signals.stop.store(true, Relaxed);
        }
        self.stopped = signals.stop.load(Relaxed);
    }

    #[cfg(test)]
    fn fail_on_purpose(&self) {
        assert!(self.fault.is_none_or(|nodes| self.nodes < nodes), "a fault for a test");
    }

    /// The score of a position that ends the game below the root: an expired count, dead material, or
    /// a repetition.
    #[inline]
    pub(super) fn game_end(&self, position: &Position, ply: usize) -> Option<i32> {
        if position.count().is_expired() || position.is_dead_by_rule() {
            // A mate stands even on the move that exceeds the limit.
            if position.in_check() && !position.has_legal_move() {
                return Some(mated(position, ply));
            }
            // Where the draw must be claimed, the node leaves it to the counter.
            if position.rules().claim == Claim::Automatic || position.is_dead_by_rule() {
                return Some(DRAW);
            }
        }
        (self.path.is_repetition(position, ply) || position.is_dead()).then_some(DRAW)
    }
}

/// The moves to search, in the order of generation and without scores.
pub(super) fn root_moves(request: &SearchRequest) -> Vec<RootMove> {
    let wanted = &request.limits.search_moves;
    let moves = request.position.legal_moves();
    moves
        .into_iter()
        .filter(|mv| wanted.is_empty() || wanted.contains(mv))
        .map(|mv| RootMove {
            mv,
            score: -INFINITE,
            previous: -INFINITE,
            seldepth: 0,
            nodes: 0,
            line: Line::from_iter([mv]),
        })
        .collect()
}

/// The score of being mated `ply` plies from the root; a draw where the mating side should have stopped
/// counting.
#[inline]
pub(super) fn mated(position: &Position, ply: usize) -> i32 {
    if position.mate_is_draw() { DRAW } else { mated_in(ply) }
}

/// What the side to move may have without moving, by claiming the draw of an expired count.
#[inline]
pub(super) fn claimable(position: &Position) -> i32 {
    if position.may_claim_draw() { DRAW } else { -INFINITE }
}
