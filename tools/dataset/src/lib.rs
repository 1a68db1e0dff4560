//! Files of training data: [games] with the score of every move, and training [positions].
//!
//! Both formats are described in their modules. `docs/data.md` describes how `sakmak-tools datagen` makes such files.

use std::io;

pub mod games;
pub mod positions;

/// What is wrong with a file. Games and blocks are counted from 1.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum DataError {
    /// The file cannot be read.
    #[error("cannot read")]
    Read(#[from] io::Error),
    /// The file is of another kind or version, or its header is damaged.
    #[error("{0}")]
    Header(String),
    /// The file ends within its last game, and the bytes so far are the beginning of a game.
    #[error("game {game} at byte {offset} is cut off")]
    Cut {
        /// The number of the game.
        game: u64,
        /// Where it begins in the file, in bytes from 0.
        offset: u64,
    },
    /// A game has changed since it was written.
    #[error("game {game} at byte {offset} is damaged: {reason}")]
    Damaged {
        /// The number of the game.
        game: u64,
        /// Where it begins in the file, in bytes from 0.
        offset: u64,
        /// What is wrong with it.
        reason: String,
    },
    /// A file of positions has another length than its header says.
    #[error("has {found} bytes instead of {wanted}")]
    Length {
        /// Its length in bytes.
        found: u64,
        /// The length by the header.
        wanted: u64,
    },
    /// A block of positions has changed since it was written.
    #[error("block {0} is damaged")]
    Block(usize),
}

impl DataError {
    /// Whether the file ends within its last game, as when its writer was killed. All complete games are read then;
    /// after any other error sound games may follow.
    pub fn is_cut(&self) -> bool {
        matches!(self, Self::Cut { .. })
    }
}
