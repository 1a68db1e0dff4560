//! Data about the game: self-play games, positions and networks trained on them, win rates, and tablebases.

pub mod chart;
pub mod datagen;
pub mod positions;
pub mod tablebase;
pub mod train;
pub mod win_rate;
