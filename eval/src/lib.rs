//! Static evaluation of Makruk positions: the better side and its advantage, without searching.
//!
//! ```
//! use sakmak_eval::{EvalState, Evaluator};
//! use sakmak_movegen::Position;
//!
//! let mut evaluator = Evaluator::default();
//! let mut state = EvalState::new(Position::startpos());
//! let even = evaluator.evaluate(&state);
//! assert!(even.abs() < 100, "the start position is about even");
//!
//! for text in ["d3d4", "e6e5", "d4e5"] {
//!     let mv = state.position().parse_move(text)?;
//!     state.play_unchecked(mv);
//! }
//! // Centipawns for the side to move, which is Black.
//! assert!(evaluator.evaluate(&state) < 0, "White is a bia ahead");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Evaluator`] holds the [`network`] and the caches of one thread. Scores are in centipawns (a hundredth of a bia
//! in a quiet middlegame) for the side to move. The evaluation is in integers and the same for both colours.
//! [`Evaluator::use_terms`] has hand-written terms evaluate instead; an [`EvalState`] is a position with their sums,
//! which follow its moves.
//!
//! Where a khun is bare the distance to mate decides, from [`DtmTables`] if the evaluator was given them:
//!
//! ```
//! use sakmak_eval::{DtmTables, EvalState, Evaluator};
//! use sakmak_movegen::Position;
//!
//! let tables = DtmTables::default();
//! tables.solve_all();
//! let mut evaluator = Evaluator::new(&tables);
//! // Khon and met mate in 77 plies, and the count leaves 79.
//! let position = Position::from_fen("2K5/8/8/1S4M1/8/4k3/8/8 w - 88 9 60")?;
//! assert!(evaluator.evaluate(&EvalState::new(position)) > 500);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The [`weights`] are tables whose entries are numbered, so that a tuner can fit them: a [`Trace`] is a position as
//! counts of weights, and [`source`] writes `weights.rs` with other values.

mod accumulator;
mod attack_map;
mod bare_khun;
mod constants;
mod dtm;
mod evaluator;
mod imbalance;
mod khun_squares;
mod king_relative;
pub mod network;
mod scale;
mod state;
pub mod tablebase;
mod tapered;
mod terms;
mod trace;
mod weight_table;
pub mod weights;

pub use dtm::{Dtm, DtmTables};
pub use evaluator::Evaluator;
pub use scale::Scaling;
pub use state::EvalState;
pub use tapered::Tapered;
pub use trace::Trace;
pub use weight_table::{WeightTable, WeightTableInfo, source};

/// Largest evaluation, in centipawns either way.
pub const MAX_EVAL: i32 = 9_000;

/// How far a file or rank is from the middle of the board, 0 to 3.
#[inline]
fn off_centre(coordinate: u8) -> i32 {
    i32::from(if coordinate < 4 { 3 - coordinate } else { coordinate - 4 })
}
