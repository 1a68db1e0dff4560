//! Quiescence: captures and promotions until the position is calm enough to be judged.

use sakmak_eval::EvalState;
use sakmak_eval::weights::EXCHANGE;
use sakmak_movegen::PieceKind;

use super::node::Search;
use super::params::delta_margin;
use super::picker::Picker;
use super::worker::{claimable, mated};
use crate::score::{INFINITE, MATE_BOUND};

impl Search<'_> {
    /// The score of a position after all sensible captures, at least `alpha` and at most `beta` or
    /// beyond them as found.
    pub(super) fn quiescence(&mut self, state: &EvalState, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        // 1. The end of the game, of the stack, or of the search.
        let position = state.position();
        if let Some(score) = self.arrive(state, ply) {
            return score;
        }

        // 2. Whoever is not in check may be content with what he has. (The table is not asked: waiting for its
        //    answer would take longer than finding it again.)
        let is_pv = beta - alpha > 1;
        let in_check = position.in_check();
        let eval = if in_check { -INFINITE } else { self.static_eval(state, ply) };
        let mut best = eval.max(claimable(position));
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        // 3. Captures and promotions, or all moves out of check.
        let mut picker = Picker::quiescence(position, self.worker.trail(ply));
        while let Some(mv) = picker.next(position, &self.worker.history) {
            if best > -MATE_BOUND {
                // Losing captures, and those that gain too little to matter, are not worth a look.
                if picker.at_bad_noisy() {
                    break;
                }
                if !in_check && position.is_capture(mv) {
                    let gain = position.kind_on(mv.to()).map_or(0, |kind| EXCHANGE[kind.index()]);
                    let promotion = if mv.is_promotion() { EXCHANGE[PieceKind::Met.index()] } else { 0 };
                    let reachable = eval + gain + promotion + delta_margin();
                    if reachable <= alpha {
                        best = best.max(reachable);
                        continue;
                    }
                }
            }
            let next = self.descend(state, ply, mv);
            let score = -self.quiescence(&next, ply + 1, -beta, -alpha);
            self.ascend();
            if self.worker.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if is_pv {
                        self.worker.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // 4. No way out of check is mate. (Stalemate is left to the full search.)
        if best == -INFINITE {
            return mated(position, ply);
        }
        best
    }
}
