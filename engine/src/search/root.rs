//! Iterative deepening, aspiration windows and MultiPV.

use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use sakmak_movegen::Move;

use super::known;
use super::node::Search;
use super::pause::PausedIteration;
use super::report::{Listener, RootMove, SearchInfo, SearchProgress, SearchResult};
use super::shared::Shared;
use super::window::{Root, Window};
use super::worker::Worker;
use crate::parameters::*;
use crate::score::{INFINITE, MATE, MAX_PLY, Score, is_decisive, is_mate};
use crate::tt::Bound;

/// From this time on a search reports its progress.
const LONG_SEARCH: Duration = Duration::from_secs(3);

/// Iterative deepening until a limit is reached. Only the worker with `id` 0, the main one, reports.
pub(super) fn iterative_deepening(
    worker: &mut Worker,
    shared: &Shared,
    id: usize,
    listener: &mut dyn Listener,
) -> SearchResult {
    worker.prepare(shared);
    if id == 0 {
        worker.wait_for_own_ending(shared);
    }
    worker.has_tables(&shared.request);
    deepen::<false>(worker, shared, id, listener);
    conclude(worker, shared, id, listener)
}

/// Iterations after the last finished one, until a limit is reached or the search pauses.
pub(super) fn deepen<const SLICED: bool>(
    worker: &mut Worker,
    shared: &Shared,
    id: usize,
    listener: &mut dyn Listener,
) {
    let mut search = Search::<SLICED> {
        worker,
        shared,
        id,
        iteration: 0,
        pv_index: 0,
        pv_end: 0,
        listener,
        next_progress: LONG_SEARCH.max(shared.elapsed()),
    };
    let deepest = deepest_iteration(shared);
    // Solving an ending, or a pause before, is no stall.
    search.worker.last_poll = shared.elapsed();
    if search.worker.root_moves.is_empty() {
        return;
    }
    if id == 0 && !std::mem::replace(&mut search.worker.is_seeded, true) {
        known::seed(search.worker, shared);
    }
    for depth in search.worker.finished + 1..=deepest {
        // Helper threads skip different depths, so that they store different entries in the TT.
        if id > 0 && depth > 1 && depth < deepest && (depth + id as u32).is_multiple_of(HELPER_SKIP) {
            continue;
        }
        search.iteration = depth as i32;
        search.iterate(depth);
        if search.worker.stopped {
            break;
        }
        let worker = &mut *search.worker;
        worker.finished = depth;
        worker.has_result = true;
        worker.stability.update(&worker.root_moves);
        if id == 0 && search.is_finished(depth) {
            break;
        }
    }
}

/// The result of the iterations so far.
pub(super) fn conclude(
    worker: &mut Worker,
    shared: &Shared,
    id: usize,
    listener: &mut dyn Listener,
) -> SearchResult {
    let finished = worker.finished;
    worker.publish_counters(shared, id);
    for mv in &mut worker.root_moves {
        // Moves that the unfinished iteration did not reach keep the score of the one before.
        if mv.score == -INFINITE {
            mv.score = mv.previous;
        }
    }
    if let (0, Some(best)) = (finished, worker.root_moves.first_mut())
        && best.score == -INFINITE
    {
        // No move was searched to the end.
        best.score = worker.evaluator.evaluate(&shared.request.position);
    }
    if id == 0 && worker.stopped {
        // The interrupted iteration may have found a better move.
        for index in 0..worker.lines(&shared.request) {
            listener.info(&shared.report(&worker.root_moves[index], finished.max(1), index));
        }
    }
    let mut moves = std::mem::take(&mut worker.root_moves);
    for mv in &mut moves {
        mv.score = mv.known_score();
    }
    let (ended, longest_stall) = (shared.elapsed(), worker.longest_stall);
    SearchResult { moves, nodes: 0, depth: finished, ended, longest_stall, warnings: Vec::new() }
}

/// Depth of the last iteration within the limits.
fn deepest_iteration(shared: &Shared) -> u32 {
    let limits = &shared.request.limits;
    let mut deepest = MAX_PLY as u32 - 1;
    if let Some(depth) = limits.depth {
        deepest = deepest.min(depth.max(1));
    }
    if let Some(moves) = limits.mate {
        deepest = deepest.min(moves.saturating_mul(2).saturating_add(MATE_SEARCH_EXTRA));
    }
    deepest
}

impl<const SLICED: bool> Search<'_, SLICED> {
    /// One iteration, or the rest of a paused one: finds the MultiPV lines, each with another first move.
    fn iterate(&mut self, depth: u32) {
        let mut paused = self.worker.pause.iteration.take();
        if paused.is_none() {
            for mv in &mut self.worker.root_moves {
                mv.previous = std::mem::replace(&mut mv.score, -INFINITE);
            }
        }
        let lines = self.worker.lines(&self.shared.request);
        for index in paused.map_or(0, |paused| paused.pv_index)..lines {
            self.worker.seldepth = 0;
            self.pv_index = index;
            let rank = self.worker.root_moves[index].rank;
            self.pv_end = self.worker.root_moves.partition_point(|mv| mv.rank <= rank);
            self.aspiration_search(depth, paused.take());
            if self.worker.pause.is_on {
                return;
            }
            self.worker.root_moves[..=index].sort_by_key(|mv| (mv.rank, std::cmp::Reverse(mv.score)));
            if self.worker.stopped {
                return;
            }
        }
        self.worker.publish_counters(self.shared, self.id);
        for index in 0..lines {
            self.listener.info(&self.shared.report(&self.worker.root_moves[index], depth, index));
        }
    }

    /// Searches with an aspiration window around the last score, widened until the score lies inside.
    fn aspiration_search(&mut self, depth: u32, paused: Option<PausedIteration>) {
        let index = self.pv_index;
        let position = &self.shared.request.position;
        let last = self.worker.root_moves[index].previous;
        let mut width = aspiration_window();
        let mut window = Window { alpha: -INFINITE, beta: INFINITE };
        if depth as i32 >= aspiration_depth() && last != -INFINITE && !is_decisive(last) {
            window = Window { alpha: last - width, beta: last + width };
        }
        if let Some(paused) = paused {
            (window, width) = (paused.window, paused.width);
        }
        loop {
            let score = self.node::<Root>(position, 0, depth as i32, window);
            if self.worker.pause.is_on {
                self.worker.pause.iteration = Some(PausedIteration { pv_index: index, window, width });
                return;
            }
            // A stable sort: moves that did not raise alpha keep their order behind the one that did.
            self.worker.root_moves[index..self.pv_end].sort_by_key(|mv| std::cmp::Reverse(mv.score));
            if self.worker.stopped {
                return;
            }
            if score <= window.alpha {
                self.report_bound(depth, index, Bound::Upper);
                window =
                    Window { alpha: (score - width).max(-INFINITE), beta: (window.alpha + window.beta) / 2 };
            } else if score >= window.beta {
                self.report_bound(depth, index, Bound::Lower);
                window.beta = (score + width).min(INFINITE);
            } else {
                return;
            }
            width += width;
            if is_decisive(score) {
                window = Window { alpha: -INFINITE, beta: INFINITE };
            }
        }
    }

    /// In a long search, reports a score outside the aspiration window.
    fn report_bound(&mut self, depth: u32, index: usize, bound: Bound) {
        if self.id == 0 && self.shared.elapsed() >= LONG_SEARCH {
            let report = self.shared.report(&self.worker.root_moves[index], depth, index);
            self.listener.info(&SearchInfo { bound, ..report });
        }
    }

    /// In a long search, reports its progress. `current` is the next root move.
    pub(super) fn report_progress(&mut self, current: Option<(Move, usize)>) {
        let time = self.shared.elapsed();
        if self.id == 0 && time >= LONG_SEARCH {
            let (nodes, tb_hits) = (self.shared.nodes(), self.shared.tb_hits());
            let (depth, permille_full) = (self.iteration as u32, self.shared.tt.permille_full());
            let progress = SearchProgress { depth, current, nodes, tb_hits, time, permille_full };
            self.listener.progress(&progress);
        }
    }

    /// Stores score and line of root move number `move_count`, from 1, if it is the first or raises alpha; the score of
    /// other moves, only an upper bound, becomes minus infinity.
    pub(super) fn update_root_move(&mut self, move_count: usize, score: i32, alpha: i32) {
        let seldepth = self.worker.seldepth;
        let (root_move, below) =
            (&mut self.worker.root_moves[self.pv_index + move_count - 1], &self.worker.pvs[1]);
        if move_count == 1 || score > alpha {
            root_move.score = score;
            root_move.seldepth = seldepth;
            root_move.line.truncate(1);
            root_move.line.extend(below.iter().copied().take(MAX_PLY - 1));
        } else {
            root_move.score = -INFINITE;
        }
    }

    /// Whether `depth` is the last iteration, by the limits or because the move is decided.
    fn is_finished(&self, depth: u32) -> bool {
        let (request, signals) = (&self.shared.request, &self.shared.signals);
        let Some(best) = self.worker.root_moves.first() else { return true };
        if let Some(moves) = request.limits.mate
            && matches!(Score::from_search(best.score), Score::Mate(n) if n > 0 && n as u32 <= moves)
        {
            return true;
        }
        if request.limits.soft_nodes.is_some_and(|limit| self.shared.nodes() >= limit)
            || signals.stop.load(Relaxed)
        {
            return true;
        }
        let Some(budget) = self.shared.budget else { return false };
        if signals.pondering.load(Relaxed) {
            return false;
        }
        let is_decided = request.limits.move_time.is_none() && is_decided(&self.worker.root_moves, depth);
        let soft = if request.limits.move_time.is_some() {
            budget.soft
        } else {
            let node_share = best.nodes as f64 / self.worker.nodes.max(1) as f64;
            budget.soft.mul_f64(self.worker.stability.time_factor(node_share)).min(budget.hard)
        };
        is_decided || self.shared.elapsed() >= soft
    }
}

/// Whether a deeper search would not change the move: it is the only one, or the only one of the best tablebase rank,
/// or no shorter mate is possible.
fn is_decided(moves: &[RootMove], depth: u32) -> bool {
    let [best, others @ ..] = moves else { return true };
    let mate_plies = (MATE - best.score.abs()).max(0) as u32;
    let is_only = others.first().is_none_or(|second| second.rank > best.rank);
    is_only && depth >= SINGLE_MOVE_DEPTH || is_mate(best.score) && depth > mate_plies + MATE_CONFIRM_PLIES
}
