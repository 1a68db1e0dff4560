//! Evaluates positions with the caches of one thread.

use std::fmt::Write;

use sakmak_movegen::{Color, Position};

use crate::dtm::{Dtm, DtmTables, Prober};
use crate::imbalance::ImbalanceCache;
use crate::state::EvalState;
use crate::terms::Breakdown;
use crate::{MAX_EVAL, bare_khun, scale};

/// Evaluates positions, see [`Evaluator::evaluate`]. Each thread has its own.
///
/// An evaluator made by `Evaluator::default()` has no DTM tables: where a khun is bare it estimates the distance to
/// mate.
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
#[derive(Debug, Default)]
pub struct Evaluator {
    imbalances: ImbalanceCache,
    tables: DtmTables,
    solve_missing: bool,
}

impl Evaluator {
    /// Memory an evaluator takes on the heap, in bytes, apart from the tables.
    pub const BYTES: usize = ImbalanceCache::BYTES;

    /// An evaluator that probes `tables` for distances to mate. It estimates those of tables not solved yet.
    pub fn new(tables: &DtmTables) -> Self {
        Self { tables: tables.clone(), ..Self::default() }
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
        let white = if let Some(score) = bare_khun::evaluate(position, self.prober()) {
            score
        } else {
            scale::scaled(position, self.breakdown(state).total(), state.accumulator().phase())
        };
        let own = if position.side_to_move() == Color::White { white } else { -white };
        own.clamp(-MAX_EVAL, MAX_EVAL)
    }

    /// The evaluation as a table of its terms, from White's side: what the UCI command `eval` prints.
    pub fn explain(&mut self, position: &Position) -> String {
        let state = EvalState::new(position.clone());
        let mut text = String::new();
        if bare_khun::evaluate(position, self.prober()).is_some() {
            text.push_str("A khun is bare: only material, distance to the mate and the count matter.\n");
            if let Dtm::Plies(plies) = self.prober().probe(position) {
                let _ = writeln!(text, "Mate in {plies} plies with best play");
            }
        } else {
            let _ = write!(text, "{}", self.breakdown(&state));
        }
        let own = self.evaluate(&state);
        let white = if position.side_to_move() == Color::White { own } else { -own };
        let _ = writeln!(text, "Final evaluation {:+.2} (white side)", f64::from(white) / 100.0);
        text
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
