//! What the programs around the engine share: files of games.

pub mod pgn;
