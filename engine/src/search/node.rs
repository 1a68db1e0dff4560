//! The search of one node, as numbered steps.

use std::time::Duration;

use once_cell::sync::Lazy;

use arrayvec::ArrayVec;
use sakmak_eval::EvalState;
use sakmak_movegen::{Move, PieceKind, Position};

use super::history::{History, Step, Trail};
use super::params::*;
use super::picker::{Picker, SEE_VALUES};
use super::worker::{Worker, claimable, mated};
use super::{Line, PROGRESS_INTERVAL, Reporter, Shared};
use crate::score::{DRAW, INFINITE, MATE, MATE_BOUND, MAX_PLY, is_mate, mated_in};
use crate::tt::{Bound, Entry};

/// A worker at work.
pub(super) struct Search<'a> {
    pub(super) worker: &'a mut Worker,
    pub(super) shared: &'a Shared<'a>,
    pub(super) id: usize,
    /// Depth of the running iteration.
    pub(super) iteration: i32,
    /// How many of the root moves, the best first, are left out because their lines are found already.
    pub(super) pv_index: usize,
    pub(super) reporter: &'a mut dyn Reporter,
    /// Time since the start of the search at which the number of nodes is reported next.
    pub(super) next_progress: Duration,
}

/// The kind of a node, for which [`Search::node`] is compiled.
pub(super) trait NodeType {
    /// Whether the node is the root: its moves are those of the worker's list.
    const ROOT: bool;
    /// Whether the window is open, so that the exact score and the line are wanted.
    const PV: bool;
}

/// The root of the search.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Pv;
/// A node with a null window.
pub(super) struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// What the others being so much worse makes of the table's move.
enum Singular {
    /// Search it deeper by so many plies, or less deep.
    Extend(i32),
    /// Several moves hold beta: the node's score.
    Cut(i32),
}

/// The window and the kind of a node.
#[derive(Clone, Copy)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// The null window that only asks whether a score exceeds `alpha`.
    #[inline]
    pub(super) fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The same window as the other side sees it.
    #[inline]
    pub(super) fn flipped(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}

/// A ply of reduction.
const PLY: i32 = 1024;

/// Logarithms of depths and move numbers, in 1/64.
static LOGARITHMS: Lazy<[i32; 128]> =
    Lazy::new(|| std::array::from_fn(|n| if n == 0 { 0 } else { ((n as f64).ln() * 64.0) as i32 }));

/// Late move reduction by depth and move number, in 1/[`PLY`] of a ply.
#[inline]
fn reduction(depth: i32, number: usize) -> i32 {
    let logarithms = &*LOGARITHMS;
    lmr_base() + logarithms[depth.clamp(0, 127) as usize] * logarithms[number.min(127)] * lmr_factor() / 4096
}

impl Worker {
    /// Records that `mv` is best at `ply` and the line found below follows it.
    #[inline]
    pub(super) fn extend_line(&mut self, ply: usize, mv: Move) {
        let (upper, lower) = self.lines.split_at_mut(ply + 1);
        let line: &mut Line = &mut upper[ply];
        line.clear();
        line.push(mv);
        for &next in lower[0].iter().take(MAX_PLY - 1) {
            line.push(next);
        }
    }
}

impl Search<'_> {
    /// Makes a move and remembers the position for repetitions.
    #[inline]
    pub(super) fn descend(&mut self, state: &EvalState, ply: usize, mv: Move) -> EvalState {
        self.worker.frames[ply + 1].step = Step::of(state.position(), mv);
        let mut next = state.clone();
        next.make(mv);
        self.worker.path.push(next.position().key());
        next
    }

    /// Counts a node, and gives its score if there is nothing to search.
    #[inline]
    pub(super) fn arrive(&mut self, state: &EvalState, ply: usize) -> Option<i32> {
        if self.worker.enter(self.shared, ply) {
            self.look_around();
        }
        self.worker.lines[ply].clear();
        if self.worker.stopped {
            return Some(0);
        }
        let end = self.worker.game_end(state.position(), ply);
        if end.is_none() && ply >= MAX_PLY - 1 {
            return Some(self.worker.evaluate(state));
        }
        end
    }

    #[cold]
    #[inline(never)]
    fn look_around(&mut self) {
        self.worker.check_limits(self.shared, self.id);
        if self.shared.request.started.elapsed() >= self.next_progress {
            self.report_progress(None);
            self.next_progress += PROGRESS_INTERVAL;
        }
    }

    /// The static evaluation of a position that is not in check. After a null move it is the parent's as the other
    /// side sees it, within some centipawns, so it belongs to this path and is not stored.
    #[inline]
    pub(super) fn static_eval(&mut self, state: &EvalState, ply: usize) -> i32 {
        let entry = &self.worker.frames[ply];
        if entry.after_null { entry.eval } else { self.worker.evaluate(state) }
    }

    /// Takes the last move back.
    #[inline]
    pub(super) fn ascend(&mut self) {
        self.worker.path.pop();
    }

    /// The score of `position` searched `depth` plies deep, for the side to move.
    ///
    /// The root takes its moves from the worker's list, those from [`Search::pv_index`] on, and leaves scores and lines
    /// there. It is searched even where the game is over or a draw can be claimed, and its depth is at least 1.
    pub(super) fn node<N: NodeType>(
        &mut self,
        state: &EvalState,
        ply: usize,
        depth: i32,
        window: Window,
    ) -> i32 {
        // 1. At the horizon, calm the position down.
        if depth <= 0 {
            return self.quiescence(state, ply, window.alpha, window.beta);
        }

        let position = state.position();
        let Window { mut alpha, mut beta } = window;
        let mut best = -INFINITE;
        if !N::ROOT {
            // 2. The end of the game, of the stack, or of the search.
            if let Some(score) = self.arrive(state, ply) {
                return score;
            }

            // 3. Mate distance: a shorter mate found elsewhere makes this node pointless.
            //    So does a draw to be claimed, if that is enough.
            best = claimable(position);
            alpha = alpha.max(mated_in(ply)).max(best);
            beta = beta.min(MATE - ply as i32 - 1);
            if alpha >= beta {
                return alpha;
            }
        }

        // 4. The table. It knows nothing of nodes without one of their moves (see 10).
        let key = position.table_key();
        let excluded = self.worker.frames[ply].excluded;
        let whole = excluded.is_none();
        let entry = self.shared.tt.probe(key);
        if let Some(entry) = entry {
            let score = entry.score_at(ply);
            if !N::PV
                && whole
                && entry.depth >= depth
                && entry.cuts(score, beta)
                && fits_count(position, entry.score)
            {
                return score;
            }
        }
        let table_move = entry.and_then(|entry| entry.mv);

        // 5. Static evaluation, bettered by what the table knows.
        let in_check = position.in_check();
        let stored = entry.map_or(Entry::NO_EVAL, |entry| entry.eval);
        let static_eval = match stored {
            _ if in_check => Entry::NO_EVAL,
            Entry::NO_EVAL => self.static_eval(state, ply),
            stored => stored,
        };
        let eval = match entry {
            Some(entry) if !in_check && !is_mate(entry.score) && entry.cuts(entry.score, static_eval) => {
                entry.score
            }
            _ => static_eval,
        };
        self.worker.frames[ply].eval = static_eval;
        let improving = !in_check && ply >= 2 && static_eval > self.worker.frames[ply - 2].eval;
        self.worker.frames[ply + 1].killers = [None; 2];
        self.worker.frames[ply + 1].doubled = self.worker.frames[ply].doubled;

        if !N::PV && !in_check && !is_mate(beta) && whole {
            // 6. Reverse futility: so far ahead that the opponent would not have let it come to this.
            if depth <= reverse_futility_depth()
                && eval - reverse_futility_margin() * (depth - i32::from(improving)) >= beta
            {
                return eval;
            }

            // 7. Null move: if even passing holds beta, a move will.
            if depth >= null_depth()
                && eval >= beta
                && static_eval >= beta
                && !self.worker.frames[ply].after_null
                && may_pass(position)
            {
                let reduction = null_reduction()
                    + depth / null_depth_divisor()
                    + ((eval - beta) / null_eval_divisor()).min(3);
                let mut next = state.clone();
                next.make_null();
                self.shared.tt.prefetch(next.position().table_key());
                self.worker.path.push(next.position().key());
                self.worker.frames[ply + 1].after_null = true;
                self.worker.frames[ply + 1].eval = state.eval_after_null(static_eval);
                self.worker.frames[ply + 1].step = Step::NONE;
                let score =
                    -self.node::<NonPv>(&next, ply + 1, depth - reduction, Window::null(beta - 1).flipped());
                self.worker.frames[ply + 1].after_null = false;
                self.worker.path.pop();
                if self.worker.stopped {
                    return 0;
                }
                if score >= beta {
                    // A mate found by passing proves nothing.
                    return if is_mate(score) { beta } else { score };
                }
            }
        }

        // 8. The moves, one by one.
        let alpha_before = alpha;
        let mut best_move = None;
        let mut number = 0;
        let mut quiets_tried: ArrayVec<Move, 64> = ArrayVec::new();
        let mut noisy_tried: ArrayVec<Move, 32> = ArrayVec::new();
        let check_info = position.check_info();
        let trail = self.worker.trail(ply);
        let killers = self.worker.frames[ply].killers;
        let mut picker = Picker::new(position, table_move, killers, trail);
        loop {
            let next = if N::ROOT {
                self.worker.root_moves.get(self.pv_index + number).map(|root_move| root_move.mv)
            } else {
                picker.next(position, &self.worker.history)
            };
            let Some(mv) = next else { break };
            if Some(mv) == excluded {
                continue;
            }
            number += 1;
            let nodes_before = self.worker.nodes;
            if N::ROOT {
                self.report_progress(Some((mv, self.pv_index + number)));
            }
            // The answer comes while the move is weighed; that it may be pruned then costs little.
            if depth > 1 {
                self.shared.tt.prefetch(position.likely_table_key_after(mv));
            }
            let noisy = position.is_noisy(mv);
            let gives_check = position.gives_check(mv, &check_info);
            let planned = reduction(depth, number);

            // 9. Shallow pruning, once some move has shown that there is no mate to fear.
            if !N::PV && best > -MATE_BOUND && !ends_soon(position) {
                let reduced = (depth - planned / PLY).max(0);
                if !noisy && !in_check && !gives_check {
                    if depth <= late_moves_depth() && number > late_moves(depth, improving) {
                        picker.skip_quiets();
                        continue;
                    }
                    if reduced <= futility_depth()
                        && eval + futility_base() + futility_margin() * reduced <= alpha
                    {
                        picker.skip_quiets();
                        continue;
                    }
                }
                let margin = if noisy { see_noisy_margin() } else { see_quiet_margin() };
                if depth <= see_depth() && !position.see_ge(mv, -margin * depth, &SEE_VALUES) {
                    continue;
                }
            }

            // 10. Is it the table's move, and are all others much worse? Then it deserves a deeper look.
            let mut extension = 0;
            if !N::ROOT
                && whole
                && table_move == Some(mv)
                && let Some(entry) = entry
                && self.may_be_singular(&entry, ply, depth)
            {
                match self.singular::<N>(state, ply, depth, beta, &entry) {
                    Singular::Extend(plies) => extension = plies,
                    Singular::Cut(score) => return score,
                }
            }

            // 11. Search it: late moves reduced and with a null window, and fully if they surprise.
            let full = depth - 1 + extension;
            let next = self.descend(state, ply, mv);
            self.worker.frames[ply + 1].doubled = self.worker.frames[ply].doubled + i32::from(extension == 2);
            let mut score = -INFINITE;
            let open = Window { alpha, beta };
            let late = depth >= lmr_depth() && number > lmr_moves() as usize;
            if late && (!noisy || picker.at_bad_noisy()) && !ends_soon(position) {
                let mut less = planned;
                less -= lmr_pv() * i32::from(N::PV);
                less -= lmr_check() * (i32::from(gives_check) + i32::from(in_check));
                less += lmr_worse() * i32::from(!improving);
                less -= lmr_killer() * i32::from(killers.contains(&Some(mv)));
                if !noisy {
                    less -= self.worker.history.quiets(position, &trail)(mv) * PLY / lmr_history();
                }
                let shallow = (full - less.div_euclid(PLY)).clamp(1, full.max(1));
                score = -self.node::<NonPv>(&next, ply + 1, shallow, Window::null(alpha).flipped());
                if score > alpha && shallow < full {
                    score = -self.node::<NonPv>(&next, ply + 1, full, Window::null(alpha).flipped());
                }
            } else if !N::PV || number > 1 {
                score = -self.node::<NonPv>(&next, ply + 1, full, Window::null(alpha).flipped());
            }
            if N::PV && (number == 1 || score > alpha) {
                score = -self.node::<Pv>(&next, ply + 1, full, open.flipped());
            }
            self.ascend();
            if N::ROOT {
                self.worker.root_moves[self.pv_index + number - 1].nodes += self.worker.nodes - nodes_before;
            }
            if self.worker.stopped {
                return 0;
            }

            // 12. Is it the best so far?
            if N::ROOT {
                self.note_root_move(number, score, alpha);
            }
            if score > best {
                best = score;
                if score > alpha {
                    best_move = Some(mv);
                    if N::PV && !N::ROOT {
                        self.worker.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                    alpha = score;
                }
            }
            if Some(mv) != best_move {
                // When there are more than these lists hold, the rest was hopeless anyway.
                let _ = if noisy { noisy_tried.try_push(mv) } else { quiets_tried.try_push(mv) };
            }
        }

        // 13. No move: mate or stalemate.
        if number == 0 {
            return if !whole {
                alpha
            } else if in_check {
                mated(position, ply)
            } else {
                DRAW
            };
        }

        // 14. Learn from a refutation.
        if best >= beta
            && let Some(mv) = best_move
        {
            self.learn(position, ply, depth, mv, &trail, &quiets_tried, &noisy_tried);
        }

        // 15. Remember the result, unless moves or draws were left out.
        if !whole || N::ROOT {
            return best;
        }
        let bound = Bound::of(best, alpha_before, beta);
        let score = Entry::score_from(best, ply);
        let eval =
            if stored == Entry::NO_EVAL && self.worker.frames[ply].after_null { stored } else { static_eval };
        self.shared.tt.store(key, Entry { mv: best_move, score, eval, depth, bound });
        best
    }

    /// Whether the table's move is worth the question if it is singular: deep enough, and known to hold its
    /// score nearly as deep.
    #[inline]
    fn may_be_singular(&self, entry: &Entry, ply: usize, depth: i32) -> bool {
        depth >= singular_depth()
            && matches!(entry.bound, Bound::Lower | Bound::Exact)
            && entry.depth >= depth - 3
            && !is_mate(entry.score)
            && ply < 2 * self.iteration as usize
    }

    /// Searches the other moves to half the depth, to see whether they stay below the table's score.
    fn singular<N: NodeType>(
        &mut self,
        state: &EvalState,
        ply: usize,
        depth: i32,
        beta: i32,
        entry: &Entry,
    ) -> Singular {
        let target = entry.score - singular_margin() * depth / 16;
        self.worker.frames[ply].excluded = entry.mv;
        let score = self.node::<NonPv>(state, ply, (depth - 1) / 2, Window::null(target - 1));
        self.worker.frames[ply].excluded = None;
        if self.worker.stopped {
            return Singular::Cut(0);
        }
        if score < target {
            let doubled = self.worker.frames[ply].doubled < double_most();
            let far = !N::PV && doubled && score < target - double_margin();
            Singular::Extend(1 + i32::from(far))
        } else if target >= beta {
            Singular::Cut(target)
        } else {
            Singular::Extend(-i32::from(entry.score >= beta))
        }
    }

    /// Rewards the move that refuted a node and blames those tried before it.
    #[expect(clippy::too_many_arguments, reason = "all of them are the node's")]
    fn learn(
        &mut self,
        position: &Position,
        ply: usize,
        depth: i32,
        best: Move,
        trail: &Trail,
        quiets: &[Move],
        noisy: &[Move],
    ) {
        let bonus = History::bonus(depth);
        let history = &mut self.worker.history;
        if position.is_noisy(best) {
            history.update_capture(position, best, bonus);
        } else {
            let killers = &mut self.worker.frames[ply].killers;
            if killers[0] != Some(best) {
                *killers = [Some(best), killers[0]];
            }
            history.update_quiet(position, best, trail, bonus);
            for &mv in quiets {
                history.update_quiet(position, mv, trail, -bonus);
            }
        }
        for &mv in noisy {
            history.update_capture(position, mv, -bonus);
        }
    }
}

/// How many moves are looked at in a shallow node before the remaining quiet ones are given up.
#[inline]
fn late_moves(depth: i32, improving: bool) -> usize {
    let moves = late_moves_base() + depth * depth;
    (if improving { moves } else { moves / 2 + 1 }) as usize
}

/// Whether passing is a fair test: the side has men enough not to be in zugzwang, and the count, which a
/// pass does not tick, is not about to run out.
#[inline]
fn may_pass(position: &Position) -> bool {
    let own = position.color(position.side_to_move());
    let men = own & !position.kind(PieceKind::Bia);
    let time = position.count().remaining().is_none_or(|plies| plies >= null_min_count());
    men.len() as i32 > null_min_men() && time && !position.is_bare(!position.side_to_move())
}

/// Whether the count leaves so few plies that every move is searched.
#[inline]
fn ends_soon(position: &Position) -> bool {
    position.count().remaining().is_some_and(|plies| plies < prune_min_count())
}

/// Whether a score from the table can be trusted here: a mate only if the count leaves time for it.
///
/// The key tells counts apart only while few plies remain, so a mate may come from a position with more
/// time. (A count that starts anew on the way makes this too strict, which costs nodes, not truth.)
#[inline]
fn fits_count(position: &Position, stored_score: i32) -> bool {
    match position.count().remaining() {
        Some(plies) if stored_score.abs() >= MATE_BOUND => MATE - stored_score.abs() <= plies + 1,
        _ => true,
    }
}
