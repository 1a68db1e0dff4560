//! Best move stability: a search takes less of its time while the best move and its score stay.

use sakmak_movegen::Move;

use super::report::RootMove;
use crate::time::TIME;

/// Stability of the best move and its score, for the time factor.
#[derive(Default)]
pub(super) struct BestMoveStability {
    best: Option<Move>,
    /// Best score of the previous and of the last iteration.
    scores: [i32; 2],
    /// Iterations since the last change of the best move.
    unchanged: u32,
}

impl BestMoveStability {
    pub(super) fn update(&mut self, moves: &[RootMove]) {
        let Some(first) = moves.first() else { return };
        self.unchanged = if self.best == Some(first.mv) { self.unchanged + 1 } else { 0 };
        self.best = Some(first.mv);
        self.scores = [self.scores[1], first.score];
    }

    /// The factor of the soft limit: greater when the best move has changed, the score drops, or other moves take many
    /// nodes. `node_share` is the best move's share of the nodes.
    pub(super) fn time_factor(&self, node_share: f64) -> f64 {
        let time = &TIME;
        let stability = time.stability_base
            - time.stability_step * f64::from(self.unchanged.min(time.max_stable_iterations));
        let score_drop =
            f64::from((self.scores[0] - self.scores[1]).clamp(-time.max_score_drop, time.max_score_drop));
        let effort = time.node_effort_base - time.node_effort_scale * node_share;
        stability.max(0.0) * (1.0 + score_drop / time.score_drop_to_double) * effort.max(time.node_effort_min)
    }
}
