//! Training data and networks: self-play games, the positions and networks trained on them, and win rates.
//!
//! [`datagen`] makes games with scores, [`positions`] shuffles their positions, [`train`] trains a network on them, and
//! [`win_rate`] fits the chances to win. [`chart`] draws losses as SVG.

pub mod chart;
pub mod datagen;
pub mod positions;
pub mod train;
pub mod win_rate;
