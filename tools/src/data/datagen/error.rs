//! Why games cannot be made, joined or described.

use std::io;
use std::path::{Path, PathBuf};

use sakmak_engine::tt::HashAllocationError;
use sakmak_movegen::{MoveError, Rules};
use thiserror::Error;

use super::{DataError, Run};
use crate::output::OutputError;

/// An error of the work with files of games.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum DatagenError {
    /// A file cannot be read.
    #[error("{}: {error}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// Why.
        error: DataError,
    },
    /// A file cannot be opened or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A file to be resumed was made with other settings.
    #[error("{}: was made with other settings: {difference}", path.display())]
    OtherSettings {
        /// The file.
        path: PathBuf,
        /// What differs, with both values.
        difference: String,
    },
    /// A file to be resumed has a version that is only read.
    #[error(
        "{0}: is of version {version} of the format, which is only read; `sakmak-tools datagen merge NEW {0}` copies \
         its games to a file that --resume goes on with",
        path.display()
    )]
    OldVersion {
        /// The file.
        path: PathBuf,
        /// Its version.
        version: u16,
    },
    /// A file to be resumed has more games than requested.
    #[error("{}: holds more than {games} games already", path.display())]
    TooManyGames {
        /// The file.
        path: PathBuf,
        /// The games requested.
        games: u64,
    },
    /// Not one run, but several or none.
    #[error("a file is made by one run at a time")]
    NotOneRun,
    /// An endgame table of the run is damaged.
    #[error("{}: damaged", path.display())]
    DamagedTable {
        /// The file.
        path: PathBuf,
    },
    /// No memory for a table.
    #[error(transparent)]
    Memory(#[from] HashAllocationError),
    /// No thread at all.
    #[error("cannot start a thread: {error}")]
    Thread {
        /// Why.
        error: io::Error,
    },
    /// A thread ended before its work.
    #[error("a thread has failed")]
    ThreadFailed,
    /// Only unbalanced openings.
    #[error("no balanced opening for game {game} in {tries} attempts")]
    NoOpening {
        /// The game, from 1.
        game: u64,
        /// Openings tried.
        tries: u32,
    },
    /// A position or move of self-play that the rules refuse: an error of the program.
    #[error("self-play: {reason}")]
    SelfPlay {
        /// The words of the error.
        reason: String,
    },
    /// Nothing to join.
    #[error("nothing to join")]
    NoInput,
    /// Files of different rules.
    #[error("{}: has other rules: {rules}", path.display())]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// Its rules.
        rules: Box<Rules>,
    },
    /// A run that another file has too.
    #[error("{}: holds games that another file has too, those of {run}", path.display())]
    RepeatedRun {
        /// The file.
        path: PathBuf,
        /// The run.
        run: Box<Run>,
    },
    /// Imported games that another file has too.
    #[error("{}: holds games of {file} that another file has too", path.display())]
    RepeatedImport {
        /// The file.
        path: PathBuf,
        /// The file they were imported from.
        file: String,
    },
    /// A game that does not agree with the rules.
    #[error("{}: game {game}: {error}", path.display())]
    Rules {
        /// The file.
        path: PathBuf,
        /// The game, from 1.
        game: u64,
        /// How.
        error: RulesError,
    },
}

impl DatagenError {
    pub(in crate::data) fn data(path: &Path) -> impl Fn(DataError) -> Self + '_ {
        |error| Self::Data { path: path.to_owned(), error }
    }

    pub(super) fn io(path: &Path) -> impl Fn(io::Error) -> Self + '_ {
        |error| Self::Io { path: path.to_owned(), error }
    }

    pub(super) fn self_play(error: impl ToString) -> Self {
        Self::SelfPlay { reason: error.to_string() }
    }
}

/// How a game of a file does not agree with the rules.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RulesError {
    /// It goes on after it is over.
    #[error("goes on after its end at ply {ply}")]
    GoesOn {
        /// The first ply after the end, from 0.
        ply: usize,
    },
    /// A move the rules refuse.
    #[error("ply {ply}: {error}")]
    Move {
        /// The ply, from 1.
        ply: usize,
        /// Why.
        error: MoveError,
    },
    /// Its start cannot be set up.
    #[error("its start: {reason}")]
    Start {
        /// Why.
        reason: String,
    },
    /// It ends in another way.
    #[error("ends with {found}, by the rules with {by_rules}")]
    End {
        /// Result and reason in the file.
        found: String,
        /// Those of the rules.
        by_rules: String,
    },
}
