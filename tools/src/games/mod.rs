//! Files of games, replayed by the rules, converted and summed up: what `sakmak-games` reads and writes as text, and the
//! files around it.

pub mod convert;
mod files;
pub mod replay;
pub mod scores;

pub use files::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, ReadSummary, ReadWarning, UnreadableFile};
pub use sakmak_games::*;
