//! Quiescence: captures and promotions until the position is calm enough to be judged.

use sakmak_eval::weights::EXCHANGE;
use sakmak_eval::{Accumulator, evaluate};
use sakmak_movegen::{PieceKind, Position};

use super::node::Search;
use super::params::delta_margin;
use super::picker::Picker;
use super::worker::{claimable, mated};
use crate::score::{INFINITE, MATE, MATE_BOUND};
use crate::tt::{Bound, Entry};

impl Search<'_> {
    /// The score of a position after all sensible captures, at least `alpha` and at most `beta` or
    /// beyond them as found.
    pub(super) fn quiescence(
        &mut self,
        position: &Position,
        sums: &Accumulator,
        ply: usize,
        mut alpha: i32,
        beta: i32,
    ) -> i32 {
        // 1. The end of the game, of the stack, or of the search.
        if let Some(score) = self.arrive(position, sums, ply) {
            return score;
        }

        // 2. The table.
        let is_pv = beta - alpha > 1;
        let key = position.table_key();
        let entry = self.shared.tt.probe(key);
        if let Some(entry) = entry {
            let score = entry.score_at(ply);
            if !is_pv && entry.cuts(score, beta) && fits_count(position, entry.score) {
                return score;
            }
        }

        // 3. Whoever is not in check may be content with what he has.
        let in_check = position.in_check();
        let alpha_before = alpha;
        let (mut best, eval) = if in_check {
            (claimable(position), Entry::NO_EVAL)
        } else {
            let stored = entry.map_or(Entry::NO_EVAL, |entry| entry.eval);
            let eval = if stored == Entry::NO_EVAL { evaluate(position, sums) } else { stored };
            (eval.max(claimable(position)), eval)
        };
        if best >= beta {
            return best;
        }
        alpha = alpha.max(best);

        // 4. Captures and promotions, or all moves out of check.
        let mut best_move = None;
        let mut picker =
            Picker::quiescence(position, entry.and_then(|entry| entry.mv), self.worker.trail(ply));
        while let Some(mv) = picker.next(position, &self.worker.history) {
            self.shared.tt.prefetch(position.key_after(mv));
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
            let (next, sums) = self.descend(position, sums, ply, mv);
            let score = -self.quiescence(&next, &sums, ply + 1, -beta, -alpha);
            self.ascend();
            if self.worker.stopped {
                return 0;
            }
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    best_move = Some(mv);
                    if is_pv {
                        self.worker.extend_line(ply, mv);
                    }
                    if score >= beta {
                        break;
                    }
                }
            }
        }

        // 5. No way out of check is mate. (Stalemate is left to the full search.)
        if best == -INFINITE {
            return mated(position, ply);
        }

        let bound = Bound::of(best, alpha_before, beta);
        let score = Entry::score_from(best, ply);
        self.shared.tt.store(key, Entry { mv: best_move, score, eval, depth: 0, bound });
        best
    }
}

/// Whether a score from the table can be trusted here: a mate only if the count leaves time for it.
///
/// The key tells counts apart only while few plies remain, so a mate may come from a position with more
/// time. (A count that starts anew on the way makes this too strict, which costs nodes, not truth.)
#[inline]
pub(super) fn fits_count(position: &Position, stored_score: i32) -> bool {
    match position.count().remaining() {
        Some(plies) if stored_score.abs() >= MATE_BOUND => MATE - stored_score.abs() <= plies + 1,
        _ => true,
    }
}
