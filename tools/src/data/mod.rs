//! Data about the game: self-play games, weights fitted to them, and solved endings.

pub mod datagen;
pub mod endings;
pub mod tablebase;
pub mod tune;
