//! Opening books, built from games and searches.
//!
//! [`games`] counts the moves of games, [`tree`] joins them with [`search`]ed positions and computes scores by minimax,
//! [`build`] does it all, [`check`] proves a file, [`export`] writes EPD. [`names`] recognises opening
//! structures. `docs/openings.md` describes the file and what came of it.

pub mod build;
pub mod check;
pub mod export;
pub mod games;
pub mod names;
pub mod search;
pub mod settings;
pub mod tree;
