//! A position and the sums of its evaluation as one value.

use sakmak_movegen::{Move, Position};

use crate::accumulator::Accumulator;
use crate::{MAX_EVAL, weights};

/// A position with the part of its evaluation that is updated move by move.
///
/// The position can only change together with the sums, so an [`Evaluator`](crate::Evaluator) needs nothing else.
///
/// ```
/// use sakmak_eval::{EvalState, Evaluator};
/// use sakmak_movegen::Position;
///
/// let mut state = EvalState::new(Position::startpos());
/// let mv = state.position().parse_move("d3d4")?;
/// state.play_unchecked(mv);
/// assert_eq!(state, EvalState::new(state.position().clone()));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EvalState {
    position: Position,
    /// The network does without.
    accumulator: Option<Accumulator>,
}

impl EvalState {
    /// The state of a position, from scratch.
    pub fn new(position: Position) -> Self {
        let accumulator = Some(Accumulator::new(&position));
        Self { position, accumulator }
    }

    /// The state of a position without the sums of the hand-written terms, which the network does not need.
    pub(crate) fn without_terms(position: Position) -> Self {
        Self { position, accumulator: None }
    }

    /// Whether it has the sums of the hand-written terms.
    #[inline]
    pub fn has_terms(&self) -> bool {
        self.accumulator.is_some()
    }

    /// The position.
    #[inline]
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The sums of the hand-written terms, from scratch if the state has none.
    #[inline]
    pub(crate) fn accumulator(&self) -> Accumulator {
        self.accumulator.unwrap_or_else(|| Accumulator::new(&self.position))
    }

    /// Makes a legal move.
    #[inline]
    pub fn play_unchecked(&mut self, mv: Move) {
        match &mut self.accumulator {
            Some(accumulator) => accumulator.play_unchecked(&mut self.position, mv),
            None => self.position.play_unchecked(mv),
        }
    }

    /// Passes the move, as [`Position::play_null`]. The side to move must not be in check.
    #[inline]
    pub fn play_null(&mut self) {
        self.position.play_null();
    }

    /// The evaluation by the terms after a null move, in centipawns for the side then to move, if it is `eval` before.
    ///
    /// Only the tempo bonus changes. Scaling makes this differ from a new evaluation by some centipawns.
    #[inline]
    pub fn eval_after_null(&self, eval: i32) -> i32 {
        let tempo = weights::TEMPO.value(0).at(self.accumulator().phase(), weights::FULL_PHASE);
        (2 * tempo - eval).clamp(-MAX_EVAL, MAX_EVAL)
    }
}
