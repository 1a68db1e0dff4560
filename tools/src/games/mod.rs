//! Files of games: replayed by the rules, converted and summed up. The formats themselves are in `sakmak-games`.

pub mod convert;
mod files;
pub mod replay;
pub mod scores;

pub use files::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, ReadSummary, ReadWarning, UnreadableFile};
pub use sakmak_games::*;
