//! The search of one node, as numbered steps.

use std::time::Duration;

use once_cell::sync::Lazy;

use arrayvec::ArrayVec;
use sakmak_movegen::{Move, MoveList, PieceKind, Position};

use super::history::{Continuation, History, PieceTo};
use super::pause::PausedNode;
use super::picker::{Picker, SEE_VALUES};
use super::report::{Listener, PvLine};
use super::shared::Shared;
use super::tablebase;
use super::window::{NodeType, NonPv, Pv, Window};
use super::worker::{Worker, claimable_score, mated_score};
use crate::parameters::*;
use crate::score::{DRAW, INFINITE, MATE, MAX_PLY, TB_BOUND, TB_WIN, is_decisive, is_mate, mated_in};
use crate::tt::{Bound, Entry};

/// Time between two reports of the number of nodes.
const PROGRESS_INTERVAL: Duration = Duration::from_secs(1);

/// One thread's part of a running search. Only one in slices ([`super::pause`]) can pause.
pub(super) struct Search<'a, const SLICED: bool> {
    pub(super) worker: &'a mut Worker,
    pub(super) shared: &'a Shared,
    /// Number of the thread, 0 for the main thread.
    pub(super) id: usize,
    /// Depth of the running iteration.
    pub(super) iteration: i32,
    /// MultiPV: index of the line searched; the root moves before it are first moves of better lines.
    pub(super) pv_index: usize,
    /// End of the root moves to search: moves of lower tablebase rank follow.
    pub(super) pv_end: usize,
    pub(super) listener: &'a mut dyn Listener,
    /// Time since the start of the search of the next report of the number of nodes.
    pub(super) next_progress: Duration,
}

/// Outcome of the singular search of the TT move.
enum Singular {
    /// Extend it by this number of plies, which may be negative.
    Extend(i32),
    /// Multi-cut: several moves fail high, and this is the node's score.
    Cut(i32),
}

/// The searched moves of a node that are not its best, for the malus after a beta cutoff.
#[derive(Default)]
struct TriedMoves {
    quiets: ArrayVec<Move, 64>,
    noisy: ArrayVec<Move, 32>,
}

impl TriedMoves {
    /// Adds a move, unless the list is full.
    #[inline(always)]
    fn push(&mut self, mv: Move, noisy: bool) {
        let _ = if noisy { self.noisy.try_push(mv) } else { self.quiets.try_push(mv) };
    }
}

/// One ply, in the unit of reductions.
const PLY: i32 = 1024;

/// Logarithms of depths and move numbers, in 1/64.
static LOGARITHMS: Lazy<[i32; 128]> =
    Lazy::new(|| std::array::from_fn(|n| if n == 0 { 0 } else { ((n as f64).ln() * 64.0) as i32 }));

/// LMR by depth and move count, in 1/[`PLY`] of a ply.
#[inline]
fn base_reduction(depth: i32, move_count: usize) -> i32 {
    let logarithms = &*LOGARITHMS;
    lmr_base()
        + logarithms[depth.clamp(0, 127) as usize] * logarithms[move_count.min(127)] * lmr_factor() / 4096
}

impl Worker {
    /// Sets the PV of `ply` to `mv` and the PV of the next ply.
    #[inline]
    pub(super) fn update_pv(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.pvs.split_at_mut(ply + 1);
        let line: &mut PvLine = &mut upper[ply];
        line.clear();
        line.push(mv);
        for &next in lower[0].iter().take(MAX_PLY - 1) {
            line.push(next);
        }
    }
}

impl<const SLICED: bool> Search<'_, SLICED> {
    /// Makes a move and returns the new position. [`Self::unmake_move`] must follow.
    #[inline]
    pub(super) fn make_move(&mut self, position: &Position, ply: usize, mv: Move) -> Position {
        self.worker.stack[ply + 1].piece_to = PieceTo::of(position, mv);
        let mut next = position.clone();
        next.play_unchecked(mv);
        self.worker.path.push(next.key());
        next
    }

    /// Unmakes the last move.
    #[inline]
    pub(super) fn unmake_move(&mut self) {
        self.worker.path.pop();
    }

    /// Counts the node and checks limits, stack and the end of the game. Returns the score if there is nothing to
    /// search.
    #[inline]
    pub(super) fn enter_node(&mut self, position: &Position, ply: usize) -> Option<i32> {
        if self.worker.count_node(self.shared, ply) {
            self.poll();
        }
        self.worker.pvs[ply].clear();
        if self.worker.stopped {
            return Some(0);
        }
        let end = self.worker.game_end_score(position, ply);
        if end.is_none() && ply >= MAX_PLY - 1 {
            return Some(self.evaluate(position));
        }
        end
    }

    /// The static evaluation of a position; meaningless if the search pauses to solve a DTM table.
    #[inline]
    pub(super) fn evaluate(&mut self, position: &Position) -> i32 {
        let eval = self.worker.evaluate(position);
        if SLICED && self.worker.lacks_table() {
            self.worker.pause_for_table();
        }
        eval
    }

    #[cold]
    #[inline(never)]
    fn poll(&mut self) {
        self.worker.check_limits(self.shared, self.id);
        if self.shared.elapsed() >= self.next_progress {
            self.report_progress(None);
            self.next_progress += PROGRESS_INTERVAL;
        }
    }

    /// Searches a position to `depth` plies and returns its score, for the side to move.
    ///
    /// The root takes its moves from the worker's root moves, from [`Search::pv_index`] on, and stores scores and lines
    /// there. It is searched even where the game is over or a draw can be claimed, and its depth is at least 1.
    pub(super) fn node<N: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        window: Window,
    ) -> i32 {
        // 1. At the horizon, quiescence search.
        if depth <= 0 {
            return self.quiescence(position, ply, window.alpha, window.beta);
        }

        let Window { mut alpha, mut beta } = window;
        let mut best = -INFINITE;
        if !N::ROOT {
            // 2. Entry checks: the end of the search, of the game, or of the stack.
            if let Some(score) = self.enter_node(position, ply) {
                return score;
            }

            // 3. Mate distance pruning. A draw that can be claimed bounds the score in the same way.
            best = claimable_score(position);
            alpha = alpha.max(mated_in(ply)).max(best);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }

            // 4. Tablebases: the score is exact.
            if position.occupied().len() <= self.worker.tb_men
                && depth >= self.shared.request.probing.depth
                && let Some(score) = tablebase::probe(&self.shared.request.probing.tables, position, ply)
            {
                self.worker.tb_hits += 1;
                return score;
            }
        }

        // 5. Transposition table. Its scores are not valid with an excluded move (see step 11).
        let key = position.tt_key();
        let excluded_move = self.worker.stack[ply].excluded_move;
        let entry = self.shared.tt.probe(key);
        if let Some(entry) = entry {
            let score = entry.score_at(ply);
            if !N::PV
                && excluded_move.is_none()
                && entry.depth >= depth
                && entry.cuts(score, beta)
                && win_fits_count(position, entry.score)
            {
                return score;
            }
        }
        let tt_move = entry.and_then(|entry| entry.mv);

        // 6. Static evaluation, corrected. A TT score that bounds it is the better estimate.
        let in_check = position.in_check();
        let stored = entry.map_or(Entry::NO_EVAL, |entry| entry.eval);
        let raw_eval = match stored {
            _ if in_check => Entry::NO_EVAL,
            Entry::NO_EVAL => self.evaluate(position),
            stored => stored,
        };
        let static_eval =
            if in_check { raw_eval } else { self.worker.tables.corrections.correct(position, raw_eval) };
        let eval = match entry {
            Some(entry) if !in_check && !is_decisive(entry.score) && entry.cuts(entry.score, static_eval) => {
                entry.score
            }
            _ => static_eval,
        };
        self.worker.stack[ply].eval = static_eval;
        // Also two plies after a check, whose evaluation is below all. To look four plies up gained nothing: L291 of
        // docs/experiments.csv.
        let improving = !in_check && ply >= 2 && static_eval > self.worker.stack[ply - 2].eval;
        self.worker.stack[ply + 1].killers = [None; 2];
        self.worker.stack[ply + 1].double_extensions = self.worker.stack[ply].double_extensions;

        if !N::PV && !in_check && !is_decisive(beta) && excluded_move.is_none() {
            // 7. Reverse futility pruning: the static evaluation exceeds beta by a margin.
            if depth <= reverse_futility_depth()
                && eval - reverse_futility_margin() * (depth - i32::from(improving)) >= beta
            {
                return eval;
            }

            // 8. Null move pruning: if passing fails high, a move will.
            if depth >= null_depth()
                && eval >= beta
                && static_eval >= beta + null_margin()
                && !self.worker.stack[ply].after_null
                && allows_null_move(position)
            {
                let reduction = null_reduction()
                    + depth / null_depth_divisor()
                    + ((eval - beta) / null_eval_divisor()).min(null_eval_max());
                let mut next = position.clone();
                next.play_null();
                self.shared.tt.prefetch(next.tt_key());
                self.worker.path.push(next.key());
                self.worker.stack[ply + 1].after_null = true;
                self.worker.stack[ply + 1].piece_to = PieceTo::NONE;
                let score =
                    -self.node::<NonPv>(&next, ply + 1, depth - reduction, Window::null(beta - 1).negated());
                self.worker.stack[ply + 1].after_null = false;
                self.worker.path.pop();
                if self.worker.stopped {
                    return 0;
                }
                if score >= beta {
                    // A decisive score after a null move proves no win.
                    return if is_decisive(score) { beta } else { score };
                }
            }
        }

        // 9. The move loop.
        let original_alpha = alpha;
        let mut best_move = None;
        let mut move_count = 0;
        let mut tried = TriedMoves::default();
        let mut searched = MoveList::new();
        if SLICED
            && N::PV
            && let Some(paused) = self.worker.pause.take(ply, key, depth, window)
        {
            (alpha, best, best_move, searched) =
                (paused.alpha, paused.best, paused.best_move, paused.searched);
            self.worker.pvs[ply] = paused.line;
        }
        let check_info = position.check_info();
        let continuation = self.worker.continuation(ply);
        let killers = self.worker.stack[ply].killers;
        let mut picker = Picker::new(position, tt_move, killers, continuation);
        loop {
            let next = if N::ROOT {
                let moves = &self.worker.root_moves[..self.pv_end];
                moves.get(self.pv_index + move_count).map(|root_move| root_move.mv)
            } else {
                picker.next(position, &self.worker.tables.history)
            };
            let Some(mv) = next else { break };
            if Some(mv) == excluded_move {
                continue;
            }
            move_count += 1;
            if SLICED && N::PV && searched.contains(&mv) {
                if Some(mv) != best_move {
                    tried.push(mv, position.is_noisy(mv));
                }
                continue;
            }
            let nodes_before = self.worker.nodes;
            if N::ROOT {
                self.report_progress(Some((mv, self.pv_index + move_count)));
            }
            // Prefetch the TT entry before the move is made.
            if depth > 1 {
                self.shared.tt.prefetch(position.likely_tt_key_after(mv));
            }
            let noisy = position.is_noisy(mv);
            let gives_check = position.gives_check(mv, &check_info);
            let base_reduction = base_reduction(depth, move_count);

            // 10. Pruning at shallow depth, unless the side to move may be mated.
            if !N::PV && best > -TB_BOUND && !count_nearly_over(position) {
                let reduced_depth = (depth - base_reduction / PLY).max(0);
                if !noisy && !in_check && !gives_check {
                    // Late move pruning.
                    if depth <= lmp_depth() && move_count > lmp_limit(depth, improving) {
                        picker.skip_quiets();
                        continue;
                    }
                    // Futility pruning.
                    if reduced_depth <= futility_depth()
                        && eval + futility_base() + futility_margin() * reduced_depth <= alpha
                    {
                        picker.skip_quiets();
                        continue;
                    }
                }
                // Static exchange evaluation.
                let margin = if noisy { see_noisy_margin() } else { see_quiet_margin() };
                if depth <= see_depth() && !position.see_ge(mv, -margin * depth, &SEE_VALUES) {
                    continue;
                }
            }

            // 11. Singular extension: search the TT move deeper if all others are much worse.
            let mut extension = 0;
            if !N::ROOT
                && excluded_move.is_none()
                && tt_move == Some(mv)
                && let Some(entry) = entry
                && self.is_singular_candidate(&entry, ply, depth)
            {
                match self.singular::<N>(position, ply, depth, beta, &entry) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                }
            }

            // 12. Principal variation search with late move reductions.
            let full_depth = depth - 1 + extension;
            let next = self.make_move(position, ply, mv);
            self.worker.stack[ply + 1].double_extensions =
                self.worker.stack[ply].double_extensions + i32::from(extension == 2);
            let mut score = -INFINITE;
            let late = depth >= lmr_depth() && move_count > lmr_moves() as usize;
            if late && (!noisy || picker.at_bad_noisy()) && !count_nearly_over(position) {
                let mut reduction = base_reduction;
                reduction -= lmr_pv() * i32::from(N::PV);
                reduction -= lmr_check() * (i32::from(gives_check) + i32::from(in_check));
                reduction += lmr_not_improving() * i32::from(!improving);
                reduction -= lmr_killer() * i32::from(killers.contains(&Some(mv)));
                if !noisy {
                    let history = &self.worker.tables.history;
                    let score = picker.quiet_score();
                    let score = score.unwrap_or_else(|| history.quiet_scores(position, &continuation)(mv));
                    reduction -= score * PLY / lmr_history();
                }
                let reduced_depth = (full_depth - reduction.div_euclid(PLY)).clamp(1, full_depth.max(1));
                score = -self.node::<NonPv>(&next, ply + 1, reduced_depth, Window::null(alpha).negated());
                if score > alpha && reduced_depth < full_depth {
                    score = -self.node::<NonPv>(&next, ply + 1, full_depth, Window::null(alpha).negated());
                }
            } else if !N::PV || move_count > 1 {
                score = -self.node::<NonPv>(&next, ply + 1, full_depth, Window::null(alpha).negated());
            }
            if N::PV && (move_count == 1 || score > alpha) {
                score = -self.node::<Pv>(&next, ply + 1, full_depth, Window { alpha, beta }.negated());
            }
            self.unmake_move();
            if N::ROOT {
                self.worker.root_moves[self.pv_index + move_count - 1].nodes +=
                    self.worker.nodes - nodes_before;
            }
            if self.worker.stopped {
                if SLICED && N::PV && self.worker.pause.is_on {
                    let line = self.worker.pvs[ply].clone();
                    let node = PausedNode { ply, key, depth, window, alpha, best, best_move, searched, line };
                    self.worker.pause.store(node);
                }
                return 0;
            }

            // 13. A new best move.
            if N::ROOT {
                self.update_root_move(move_count, score, alpha);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.worker.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                tried.push(mv, noisy);
            }
            if SLICED && N::PV {
                searched.push(mv);
            }
        }

        // 14. Mate or stalemate.
        if move_count == 0 {
            return if excluded_move.is_some() {
                alpha
            } else if in_check {
                mated_score(position, ply)
            } else {
                DRAW
            };
        }

        // 15. Update killers and histories after a beta cutoff.
        if best >= beta
            && let Some(mv) = best_move
        {
            self.update_histories(position, ply, depth, mv, &continuation, &tried);
        }

        // 16. Store the result, unless moves or draws were left out.
        if excluded_move.is_some() || N::ROOT {
            return best;
        }
        let bound = Bound::of(best, original_alpha, beta);
        let score = Entry::score_from(best, ply);
        self.shared.tt.store(key, Entry { mv: best_move, score, eval: raw_eval, depth, bound });

        // 17. Update the correction history, if the bound allows it and the best move is quiet.
        let is_wrong = match bound {
            Bound::Lower => best > static_eval,
            Bound::Upper => best < static_eval,
            _ => true,
        };
        if is_wrong && !in_check && !is_decisive(best) && best_move.is_none_or(|mv| !position.is_noisy(mv)) {
            self.worker.tables.corrections.update(position, depth, best - static_eval);
        }
        best
    }

    /// Whether to test the TT move for singularity: the node is deep enough, and the TT entry is a lower bound of
    /// nearly that depth.
    #[inline]
    fn is_singular_candidate(&self, entry: &Entry, ply: usize, depth: i32) -> bool {
        depth >= singular_depth()
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.depth >= depth - singular_tt_depth_margin()
            && !is_decisive(entry.score)
            && ply < 2 * self.iteration as usize
    }

    /// Singular search: excludes the TT move, searches to half the depth, and tests whether the score stays below that
    /// of the TT move by a margin.
    fn singular<N: NodeType>(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        beta: i32,
        entry: &Entry,
    ) -> Singular {
        let target = entry.score - singular_margin() * depth / 16;
        self.worker.stack[ply].excluded_move = entry.mv;
        let score = self.node::<NonPv>(position, ply, (depth - 1) / 2, Window::null(target - 1));
        self.worker.stack[ply].excluded_move = None;
        if self.worker.stopped {
            // The search of the TT move ends at once, too.
            return Singular::Extend(0);
        }
        if score < target {
            let is_double = !N::PV
                && self.worker.stack[ply].double_extensions < max_double_extensions()
                && score < target - double_margin();
            Singular::Extend(1 + i32::from(is_double))
        } else if target >= beta {
            Singular::Cut(target)
        } else {
            Singular::Extend(-i32::from(entry.score >= beta))
        }
    }

    /// History update: a bonus for the move that caused a beta cutoff, a malus for those tried before it.
    fn update_histories(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        best: Move,
        continuation: &Continuation,
        tried: &TriedMoves,
    ) {
        let bonus = History::bonus(depth);
        let history = &mut self.worker.tables.history;
        if position.is_noisy(best) {
            history.update_capture(position, best, bonus);
        } else {
            let killers = &mut self.worker.stack[ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            history.update_quiet(position, best, continuation, bonus);
            for &mv in &tried.quiets {
                history.update_quiet(position, mv, continuation, -bonus);
            }
        }
        for &mv in &tried.noisy {
            history.update_capture(position, mv, -bonus);
        }
    }
}

/// Late move pruning: number of moves searched in a shallow node before the remaining quiet moves are skipped.
#[inline]
fn lmp_limit(depth: i32, improving: bool) -> usize {
    let moves = lmp_base() + depth * depth;
    (if improving { moves } else { moves / 2 + 1 }) as usize
}

/// Whether null move pruning is allowed: the side has enough pieces to make zugzwang unlikely, and the count, which a
/// null move does not tick, is not about to run out.
#[inline]
fn allows_null_move(position: &Position) -> bool {
    let own = position.color(position.side_to_move());
    let pieces = own & !position.kind(PieceKind::Bia);
    let has_time = position.count().remaining().is_none_or(|plies| plies >= null_min_count());
    pieces.len() as i32 > null_min_pieces() && has_time && !position.is_bare(!position.side_to_move())
}

/// Whether the count leaves fewer than `prune_min_count` plies, so that no move is pruned or reduced.
#[inline]
fn count_nearly_over(position: &Position) -> bool {
    position.count().remaining().is_some_and(|plies| plies < prune_min_count())
}

/// Whether a TT score is valid for the position's count: a mate or tablebase win only if the count leaves enough
/// plies.
///
/// The key distinguishes counts only while few plies remain, so a mate may come from a position with more plies left.
/// (This is too strict where a count starts anew on the way, which costs nodes but no correctness.)
#[inline]
fn win_fits_count(position: &Position, stored_score: i32) -> bool {
    match position.count().remaining() {
        Some(plies) if is_mate(stored_score) => MATE - stored_score.abs() <= plies + 1,
        Some(plies) if is_decisive(stored_score) => TB_WIN - stored_score.abs() <= plies + 1,
        _ => true,
    }
}

#[cfg(test)]
mod tests;
