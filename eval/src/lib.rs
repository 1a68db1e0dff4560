//! Static evaluation of Makruk positions: the better side and its advantage, without searching.
//!
//! ```
//! use sakmak_eval::Evaluator;
//! use sakmak_movegen::Position;
//!
//! let mut evaluator = Evaluator::default();
//! let mut position = Position::startpos();
//! let even = evaluator.evaluate(&position);
//! assert!(even.abs() < 100, "the start position is about even");
//!
//! for text in ["d3d4", "e6e5", "d4e5"] {
//!     position.play_unchecked(position.parse_move(text)?);
//! }
//! // Internal units for the side to move, which is Black.
//! assert!(evaluator.evaluate(&position) < 0, "White is a bia ahead");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! An [`Evaluator`] holds the [`network`] and the caches of one thread. Scores are in internal units (a hundredth of a
//! bia in a quiet middlegame) for the side to move. The evaluation uses integers only and is the same for both colours.
//!
//! Where a khun is bare the distance to mate decides, from [`DtmTables`] if the evaluator was given them:
//!
//! ```
//! use sakmak_eval::{DtmTables, Evaluator};
//! use sakmak_movegen::Position;
//!
//! let tables = DtmTables::default();
//! tables.solve_all();
//! let mut evaluator = Evaluator::new(&tables);
//! // Khon and met mate in 77 plies, and the count leaves 79.
//! let position = Position::from_fen("2K5/8/8/1S4M1/8/4k3/8/8 w - 88 9 60")?;
//! assert!(evaluator.evaluate(&position) > 500);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod background;
mod bare_khun;
mod centipawns;
mod colour_bound;
mod constants;
mod evaluator;
mod explain;
pub mod huge_pages;
pub mod network;
pub mod regular_file;
pub mod tablebase;

pub use background::{BackgroundPause, BackgroundPriority};
pub use centipawns::Centipawns;
pub use constants::{EXCHANGE, WIN_RATE_MATERIAL};
pub use evaluator::Evaluator;
pub use tablebase::{Dtm, DtmTables};

/// Largest absolute evaluation, in internal units.
pub const MAX_EVAL: i32 = 9_000;

/// The examples of the package's README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
