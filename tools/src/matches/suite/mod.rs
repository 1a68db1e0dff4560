//! The count suite: positions that the count decides, each proven by exhaustive search. Generating, checking, and
//! running engines on it; `docs/count-suite.md` has the details.

mod bare_khun;
mod endings;
mod engine;
mod hunt;
mod make;
mod position;
mod proof;
mod solve;

use std::io;
use std::path::{Path, PathBuf};

use sakmak_movegen::{FenError, MoveError};
use thiserror::Error;

pub use bare_khun::{MARK as BARE_KHUN_MARK, bare_khun_wins};
pub use endings::Endings;
pub use hunt::{MatingReport, hunt};
pub use make::{MARK as SUITE_MARK, best_moves};
pub use position::{Goal, SuitePosition, read};
pub use proof::ProofError;
pub use solve::{SolveReport, solve};

use super::tournament::engine_error::EngineFailure;
use proof::ProofSearch;

/// Why a suite cannot be generated, read, or run.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SuiteError {
    /// The file cannot be read.
    #[error("{}: {error}", path.display())]
    Read {
        /// The file.
        path: PathBuf,
        /// The cause.
        error: io::Error,
    },
    /// A line is not a position of a suite.
    #[error("{}, line {line}: {error}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// The cause.
        error: LineError,
    },
    /// A position whose solution is wrong.
    #[error("{}: {id}: {error}", path.display())]
    Proof {
        /// The file.
        path: PathBuf,
        /// The position.
        id: String,
        /// What is wrong.
        error: ProofError,
    },
    /// Too few positions were found.
    #[error("no more positions for '{theme}'")]
    TooFew {
        /// The theme or the pieces.
        theme: String,
    },
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineFailure),
    /// The engine is set to play by a clock.
    #[error("positions have no clock: give nodes, depth or movetime")]
    Clock,
    /// Bare-khun wins where best moves were expected.
    #[error("these positions are to be played out: hunt")]
    NoMoves,
    /// A position that is not a win against a bare khun.
    #[error("{id}: not a won position against a bare khun")]
    NotAWin {
        /// The position.
        id: String,
    },
    /// A tablebase move that the rules refuse: a bug.
    #[error("{id}: {error}")]
    Game {
        /// The position.
        id: String,
        /// The cause.
        error: MoveError,
    },
}

/// What is wrong with a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum LineError {
    /// Fewer than six fields.
    #[error("a FEN has six fields")]
    Fields,
    /// An invalid FEN.
    #[error("{error}")]
    Fen {
        /// The cause.
        #[from]
        error: FenError,
    },
    /// An invalid move.
    #[error("{error}")]
    Move {
        /// The cause.
        #[from]
        error: MoveError,
    },
    /// `bm` or `am` without a move.
    #[error("{opcode} without a move")]
    NoMove {
        /// The opcode.
        opcode: String,
    },
    /// An unknown goal.
    #[error("c0 '{text}' is neither win nor draw")]
    Goal {
        /// The goal.
        text: String,
    },
    /// An operation is missing.
    #[error("no {opcode}")]
    Missing {
        /// Its opcode.
        opcode: &'static str,
    },
}

/// Proves every `every`-th position of a file; returns how many were proven and how many there are.
///
/// # Errors
/// The first wrong position.
pub fn check(path: &Path, every: usize) -> Result<(usize, usize), SuiteError> {
    let positions = read(path)?;
    let mut proof = ProofSearch::default();
    let mut proven = 0;
    for position in positions.iter().step_by(every.max(1)) {
        proof.check(position).map_err(|error| SuiteError::Proof {
            path: path.to_owned(),
            id: position.id.clone(),
            error,
        })?;
        proven += 1;
    }
    Ok((proven, positions.len()))
}
