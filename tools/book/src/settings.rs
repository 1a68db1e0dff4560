//! The numbers of a book.

use serde::{Deserialize, Serialize};

/// What decides the result of a search; a file of searches holds one set.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SearchSettings {
    /// Nodes of the search of a position.
    pub nodes: u64,
    /// Nodes of the look before, which finds the other good moves.
    pub look: u64,
    /// Lines of that look.
    pub lines: usize,
    /// Its lines in the start position: all moves.
    pub first_lines: usize,
}

impl SearchSettings {
    /// The settings for searches of `nodes` nodes.
    pub fn new(nodes: u64) -> Self {
        Self { nodes, look: nodes / 5, lines: 4, first_lines: 23 }
    }
}

/// What decides which positions belong to the book.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TreeSettings {
    /// Games are followed up to this ply.
    pub plies: u32,
    /// A position that was not searched belongs to the book if it has at least this number of games.
    pub min_games: u64,
}

impl Default for TreeSettings {
    fn default() -> Self {
        Self { plies: 40, min_games: 2 }
    }
}

/// Size of a searcher's transposition table, in MiB.
pub const HASH_MB: usize = 16;

/// A move this much worse than the best one, in internal units, is e times less important.
pub const TEMPERATURE: f64 = 30.0;
/// A move of games without a score counts as worse by this number of internal units.
pub const UNKNOWN_LOSS: f64 = 60.0;
/// With this number of games, games and scores share the importance equally.
pub const EQUAL_GAMES: f64 = 20.0;
/// Most positions that are chosen before the tree is computed anew, and their share of those searched.
pub const BATCH: usize = 64;
/// A batch has at most one position for this number of searched ones.
pub const BATCH_SHARE: usize = 8;
