//! Files of games, replayed by the rules and converted: what `sakmak-games` reads and writes as text, and the files
//! around it.

pub mod convert;
mod files;
pub mod replay;

pub use files::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, ReadSummary, UnreadableFile};
pub use sakmak_games::*;
