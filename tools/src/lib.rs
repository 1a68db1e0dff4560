//! What the programs around the engine share: files of games.

pub mod args;
pub mod datagen;
pub mod games;
pub mod output;
pub mod pgn;
pub mod stats;
pub mod tournament;
pub mod tune;
