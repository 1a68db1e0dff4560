//! Quiescence search: captures and promotions, and all moves out of check, until the position is quiet.

use sakmak_eval::EXCHANGE;
use sakmak_movegen::{PieceKind, Position};

use super::node::Search;
use super::picker::Picker;
use super::worker::{claimable_score, mated_score};
use crate::parameters::delta_margin;
use crate::score::{INFINITE, TB_BOUND};

impl<const SLICED: bool> Search<'_, SLICED> {
    /// The quiescence score of a position, for the side to move (fail-soft).
    pub(super) fn quiescence(&mut self, position: &Position, ply: usize, mut alpha: i32, beta: i32) -> i32 {
        // 1. Entry checks: the end of the search, of the game, or of the stack.
        if let Some(score) = self.enter_node(position, ply) {
            return score;
        }

        // 2. Stand pat. (There is no TT probe: it would cost more time than it saves.)
        let is_pv = beta - alpha > 1;
        let in_check = position.in_check();
        let eval = if in_check {
            -INFINITE
        } else {
            let raw_eval = self.evaluate(position);
            self.worker.tables.corrections.correct(position, raw_eval)
        };
        let mut best = eval.max(claimable_score(position));
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        // 3. Captures and promotions, or all moves out of check.
        let mut picker = Picker::quiescence(position, self.worker.continuation(ply));
        while let Some(mv) = picker.next(position, &self.worker.tables.history) {
            if best > -TB_BOUND {
                // Skip losing captures, and captures that cannot raise alpha (delta pruning).
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
            let next = self.make_move(position, ply, mv);
            let score = -self.quiescence(&next, ply + 1, -beta, -alpha);
            self.unmake_move();
            if self.worker.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if is_pv {
                        self.worker.update_pv(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // 4. Mate. (Only the full search detects stalemate.)
        if best == -INFINITE {
            return mated_score(position, ply);
        }
        best
    }
}
