//! Evaluates positions with the caches of one thread.

use std::fmt::Write;
use std::sync::Arc;

use sakmak_movegen::{Color, Count, PieceKind, Position};

use crate::dtm::{Dtm, DtmTables, Prober};
use crate::imbalance::ImbalanceCache;
use crate::network::{AccumulatorCache, Network};
use crate::state::EvalState;
use crate::terms::Breakdown;
use crate::{MAX_EVAL, bare_khun, scale};

/// Evaluates positions, see [`Evaluator::evaluate`]. Each thread has its own.
///
/// An evaluator made by `Evaluator::default()` has the network compiled in and no DTM tables: where a khun is bare it
/// estimates the distance to mate.
///
/// ```
/// use sakmak_eval::{EvalState, Evaluator};
/// use sakmak_movegen::Position;
///
/// // A rua more than Black's: the start position without a8.
/// let position = Position::from_fen("1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1")?;
/// assert!(Evaluator::default().evaluate(&EvalState::new(position)) > 300);
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Debug)]
pub struct Evaluator {
    network: Arc<Network>,
    /// Of the network.
    accumulators: AccumulatorCache,
    /// Whether the hand-written terms take the network's place.
    uses_terms: bool,
    imbalances: ImbalanceCache,
    tables: DtmTables,
    solve_missing: bool,
}

impl Default for Evaluator {
    fn default() -> Self {
        let network = Network::embedded();
        Self {
            accumulators: AccumulatorCache::new(network),
            network: Arc::clone(network),
            uses_terms: false,
            imbalances: ImbalanceCache::default(),
            tables: DtmTables::default(),
            solve_missing: false,
        }
    }
}

impl Evaluator {
    /// Memory an evaluator takes on the heap, in bytes, apart from the network and the tables.
    pub const BYTES: usize = AccumulatorCache::BYTES + ImbalanceCache::BYTES;

    /// An evaluator that probes `tables` for distances to mate. It estimates those of tables not solved yet.
    pub fn new(tables: &DtmTables) -> Self {
        Self { tables: tables.clone(), ..Self::default() }
    }

    /// Evaluates with `network` from now on.
    pub fn set_network(&mut self, network: &Arc<Network>) {
        if !Arc::ptr_eq(network, &self.network) {
            self.network = Arc::clone(network);
            self.accumulators = AccumulatorCache::new(network);
        }
    }

    /// Sets whether the hand-written terms take the network's place.
    pub fn use_terms(&mut self, on: bool) {
        self.uses_terms = on;
    }

    /// The state of a position with what this evaluator needs. [`EvalState::new`] has what any needs.
    pub fn state(&self, position: Position) -> EvalState {
        if self.uses_terms { EvalState::new(position) } else { EvalState::without_terms(position) }
    }

    /// The DTM tables of the evaluator.
    pub fn tables(&self) -> &DtmTables {
        &self.tables
    }

    /// Sets whether an evaluation that needs an unsolved table solves it first.
    /// Only then does the same position always get the same evaluation.
    pub fn solve_missing_tables(&mut self, solve: bool) {
        self.solve_missing = solve;
    }

    /// The evaluation in centipawns for the side to move, at most [`MAX_EVAL`] either way.
    #[inline]
    pub fn evaluate(&mut self, state: &EvalState) -> i32 {
        let position = state.position();
        let own = if let Some(white) = bare_khun::evaluate(position, self.prober()) {
            for_mover(position, white)
        } else if self.uses_terms {
            for_mover(position, self.sum_of_terms(state))
        } else {
            self.network.evaluate(&mut self.accumulators, position)
        };
        own.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The evaluation by the hand-written terms, for White.
    fn sum_of_terms(&mut self, state: &EvalState) -> i32 {
        let total = self.breakdown(state).total();
        scale::scaled(state.position(), total, state.accumulator().phase())
    }

    /// The evaluation explained, from White's side: what the UCI command `eval` prints.
    ///
    /// Those of the terms and of the network stand in bia. Where a count runs or may soon, the same position follows
    /// under other counts.
    pub fn explain(&mut self, position: &Position) -> String {
        let state = EvalState::new(position.clone());
        let mut text = String::new();
        if bare_khun::evaluate(position, self.prober()).is_some() {
            text.push_str("A khun is bare: only material, distance to the mate and the count matter.\n");
            if let Dtm::Plies(plies) = self.prober().probe(position) {
                let _ = writeln!(text, "Mate in {plies} plies with best play");
            }
        } else {
            let network = for_mover(position, self.network.evaluate(&mut self.accumulators, position));
            let _ = write!(text, "{}", self.breakdown(&state));
            let _ = writeln!(text, "terms (bia)           | {}", in_bia(self.sum_of_terms(&state)));
            let _ = writeln!(text, "network (bia)         | {} by {}", in_bia(network), self.network);
        }
        if position.count().is_running() || position.kind(PieceKind::Bia).is_empty() {
            text.push_str(&self.under_other_counts(position));
        }
        let white = for_mover(position, self.evaluate(&state));
        let _ = writeln!(text, "Final evaluation {} (white side)", in_bia(white));
        text
    }

    /// Two rows of a table: plies left of the count, and the evaluation in bia from White's side if so many were.
    fn under_other_counts(&mut self, position: &Position) -> String {
        const PLIES_LEFT: [u16; 8] = [120, 96, 64, 48, 32, 16, 8, 4];
        let mut rows = ["plies left (count)    |".to_owned(), "evaluation (bia)      |".to_owned()];
        for left in std::iter::once(0).chain(PLIES_LEFT) {
            let mut other = position.clone();
            other.set_count(Count::new(left, 0));
            let white = for_mover(position, self.evaluate(&EvalState::new(other)));
            let head = if left == 0 { "none".to_owned() } else { left.to_string() };
            let _ = write!(rows[0], " {head:>6}");
            let _ = write!(rows[1], " {:>6}", in_bia(white));
        }
        rows.join("\n") + "\n"
    }

    #[inline]
    fn breakdown(&mut self, state: &EvalState) -> Breakdown {
        let accumulator = state.accumulator();
        let imbalance =
            self.imbalances.get(state.position(), accumulator.material(), accumulator.piece_lead());
        Breakdown::of(state, imbalance)
    }

    #[inline]
    fn prober(&self) -> Prober<'_> {
        Prober { tables: &self.tables, solve_missing: self.solve_missing }
    }
}

/// A score for White as one for the side to move, or the other way round.
#[inline]
fn for_mover(position: &Position, score: i32) -> i32 {
    if position.side_to_move() == Color::White { score } else { -score }
}

fn in_bia(centipawns: i32) -> String {
    format!("{:+.2}", f64::from(centipawns) / 100.0)
}
