//! Static evaluation of Makruk positions: who stands better, and by how much, without searching.
//!
//! Scores are in centipawns (a hundredth of a bia in a quiet middlegame) for the side to move. The
//! evaluation is hand-written, in integers, and the same for both colours: [`evaluate`] of a position
//! and of the same position with colours exchanged are equal.
//!
//! ```
//! use sakmak_eval::{Accumulator, evaluate};
//! use sakmak_movegen::Position;
//!
//! let position = Position::startpos();
//! let score = evaluate(&position, &Accumulator::new(&position));
//! assert!(score.abs() < 100, "the start position is about even");
//! ```

mod accumulator;
mod attack_map;
mod bare;
mod fixed;
mod hunters;
mod imbalance;
mod khuns;
mod places;
mod scale;
mod table;
mod tapered;
mod terms;
mod trace;
pub mod weights;

pub use accumulator::Accumulator;
pub use bare::{KnownMate, known_mate};
pub use hunters::{MAX_TABLE_BYTES, prepare, prepare_in_background, prepared, wait_for_tables};
pub use scale::Scaling;
pub use table::{Description, Table, source};
pub use tapered::Tapered;
pub use trace::Trace;

use sakmak_movegen::{Color, Position};
use terms::Breakdown;

/// Largest value [`evaluate`] returns, in centipawns either way.
pub const MAX_EVAL: i32 = 9_000;

/// What the position is worth to the side to move, in centipawns.
///
/// `accumulator` must have followed the position: made from it, or told of every move that led to it.
#[inline]
pub fn evaluate(position: &Position, accumulator: &Accumulator) -> i32 {
    let white = if let Some(score) = bare::evaluate(position) {
        score
    } else {
        let breakdown = Breakdown::of(position, accumulator);
        scale::scaled(position, breakdown.total(), accumulator.phase())
    };
    let own = if position.side_to_move() == Color::White { white } else { -white };
    own.clamp(-MAX_EVAL, MAX_EVAL)
}

/// What [`evaluate`] says once the side to move has passed, within some centipawns, if it says `eval` now: all but
/// the right to move stays as it is.
#[inline]
pub fn after_pass(eval: i32, accumulator: &Accumulator) -> i32 {
    let tempo = weights::TEMPO.value(0).at(accumulator.phase(), weights::FULL_PHASE);
    (2 * tempo - eval).clamp(-MAX_EVAL, MAX_EVAL)
}

/// How far a file or rank is from the middle of the board, 0 to 3.
#[inline]
fn off_centre(coordinate: u8) -> i32 {
    i32::from(if coordinate < 4 { 3 - coordinate } else { coordinate - 4 })
}

/// The evaluation as a table of its terms, for people: what the front end's `eval` prints.
pub fn explain(position: &Position) -> String {
    use std::fmt::Write;
    let accumulator = Accumulator::new(position);
    let mut text = String::new();
    if bare::evaluate(position).is_some() {
        text.push_str("A khun is bare: only material, distance to the mate and the count matter.\n");
        if let KnownMate::Plies(plies) = known_mate(position) {
            let _ = writeln!(text, "Mate in {plies} plies with best play");
        }
    } else {
        let _ = write!(text, "{}", Breakdown::of(position, &accumulator));
    }
    let own = evaluate(position, &accumulator);
    let white = if position.side_to_move() == Color::White { own } else { -own };
    let _ = writeln!(text, "Final evaluation {:+.2} (white side)", f64::from(white) / 100.0);
    text
}
