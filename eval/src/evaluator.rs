//! Evaluates positions with the caches of one thread.

use std::cell::Cell;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sakmak_movegen::{Color, Position};

use crate::constants::COUNT_FADE;
use crate::network::features::Threats;
use crate::network::{AccumulatorCache, Network};
use crate::tablebase::{DtmTables, EndingSet, Prober, Waiting};
use crate::{MAX_EVAL, bare_khun};

/// Evaluates positions, see [`Evaluator::evaluate`]. Each thread has its own.
///
/// An evaluator made by `Evaluator::default()` has the network compiled in and no DTM tables: where a khun is bare it
/// estimates the distance to mate.
///
/// ```
/// use sakmak_eval::Evaluator;
/// use sakmak_movegen::Position;
///
/// // A rua more than Black's: the start position without a8.
/// let position = Position::from_fen("1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1")?;
/// assert!(Evaluator::default().evaluate(&position) > 300);
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Debug)]
pub struct Evaluator {
    pub(crate) network: Arc<Network>,
    pub(crate) accumulators: AccumulatorCache,
    tables: DtmTables,
    waiting: Waiting,
    /// A bit for each DTM table that an evaluation has missed.
    missed: Cell<EndingSet>,
}

impl Default for Evaluator {
    fn default() -> Self {
        let network = Network::embedded();
        Self {
            accumulators: AccumulatorCache::new(network),
            network: Arc::clone(network),
            tables: DtmTables::default(),
            waiting: Waiting::default(),
            missed: Cell::new(0),
        }
    }
}

impl Evaluator {
    /// Memory of an evaluator on the heap, in bytes, without the network and the DTM tables.
    pub const BYTES: usize = AccumulatorCache::BYTES;

    /// An evaluator that probes `tables` for the DTM, and estimates it where a DTM table is not solved yet.
    pub fn new(tables: &DtmTables) -> Self {
        Self { tables: tables.clone(), ..Self::default() }
    }

    /// Evaluates with `network` from now on. Returns whether it did before.
    pub fn set_network(&mut self, network: &Arc<Network>) -> bool {
        let same = Arc::ptr_eq(network, &self.network);
        if !same {
            self.network = Arc::clone(network);
            self.accumulators = AccumulatorCache::new(network);
        }
        same
    }

    /// The DTM tables of the evaluator.
    pub fn tables(&self) -> &DtmTables {
        &self.tables
    }

    /// Sets whether an evaluation that needs an unsolved DTM table solves it first.
    /// Only then does the same position always get the same evaluation. Returns what was set before.
    pub fn solve_missing_tables(&mut self, solve: bool) -> bool {
        std::mem::replace(&mut self.waiting.solves, solve)
    }

    /// Once `stop` is set, evaluations estimate the DTM instead of solving a table; one that is solving ends within
    /// some milliseconds.
    pub fn stop_solving_with(&mut self, stop: &Arc<AtomicBool>) {
        self.waiting.stop = Some(Arc::clone(stop));
    }

    /// Whether an evaluation has missed a DTM table since [`Evaluator::forget_missed`].
    #[inline]
    pub fn has_missed_table(&self) -> bool {
        self.missed.get() != 0
    }

    /// Works for some milliseconds on a DTM table that an evaluation has missed since [`Evaluator::forget_missed`].
    /// Returns `false` if none of them is missing any more.
    pub fn solve_missed(&self) -> bool {
        self.tables.solve_missed(self.missed.get())
    }

    /// Forgets which DTM tables evaluations have missed.
    pub fn forget_missed(&mut self) {
        self.missed.set(0);
    }

    /// The evaluation in internal units for the side to move, at most [`MAX_EVAL`] either way.
    #[inline]
    pub fn evaluate(&mut self, position: &Position) -> i32 {
        self.evaluate_with(position, Threats::new)
    }

    /// What [`Evaluator::evaluate`] would return if no piece attacked another: the evaluation of someone who overlooks
    /// threats.
    pub fn evaluate_without_threats(&mut self, position: &Position) -> i32 {
        self.evaluate_with(position, |position| Threats::new(position).without_attacks())
    }

    #[inline]
    fn evaluate_with(&mut self, position: &Position, threats: impl Fn(&Position) -> Threats) -> i32 {
        let own = match bare_khun::evaluate(position, self.prober()) {
            Some(white) => for_mover(position, white),
            None => {
                let eval = self.network.evaluate(&mut self.accumulators, position, threats(position));
                faded(position, eval)
            }
        };
        own.clamp(-MAX_EVAL, MAX_EVAL)
    }

    #[inline]
    pub(crate) fn prober(&self) -> Prober<'_> {
        Prober { tables: &self.tables, waiting: &self.waiting, missed: &self.missed }
    }
}

/// The network's evaluation, scaled towards a draw by [`COUNT_FADE`].
#[inline]
fn faded(position: &Position, eval: i32) -> i32 {
    match position.count().remaining() {
        Some(plies) if plies < COUNT_FADE => eval * plies.max(0) / COUNT_FADE,
        _ => eval,
    }
}

/// Converts a score for White to one for the side to move, or back.
#[inline]
pub(crate) fn for_mover(position: &Position, score: i32) -> i32 {
    if position.side_to_move() == Color::White { score } else { -score }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_last_plies_of_a_count_lead_to_a_draw() {
        // Rua against maa; the board's honour ends after 128 plies.
        let [long, at_16, at_8, at_1] = [60, 112, 120, 127].map(|counted| {
            let fen = format!("6R1/8/8/5K2/7k/8/8/1n6 w - 128 {counted} 88");
            let position = Position::from_fen(&fen).unwrap();
            let eval = Evaluator::default().evaluate(&position);
            let network = Network::embedded();
            (eval, network.evaluate(&mut AccumulatorCache::new(network), &position, Threats::new(&position)))
        });
        assert_eq!(long.0, long.1);
        assert_eq!(at_16.0, at_16.1);
        assert_eq!(at_8.0, at_8.1 / 2);
        assert_eq!(at_1.0, at_1.1 / 16);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn who_overlooks_threats_sees_no_hanging_piece() {
        // White is a maa up, but the bia on d5 attacks its rua.
        let position = Position::from_fen("4k3/8/8/p2p4/P1R5/4N3/8/4K3 b - - 0 40").unwrap();
        let mut evaluator = Evaluator::default();
        let (seen, overlooked) =
            (evaluator.evaluate(&position), evaluator.evaluate_without_threats(&position));
        assert!(overlooked + 100 < seen, "{overlooked} {seen}");
        assert_eq!(seen, evaluator.evaluate(&position));
    }
}
