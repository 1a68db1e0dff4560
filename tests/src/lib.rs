//! Helpers of the tests that span the crates.
//!
//! * [`slow`] holds the rules a second time, written without speed in mind and without the board
//!   crate: its results and the board's are compared as text.
//! * [`walk`] plays random games and sets up random positions, the same in every run.
//! * [`oracle`] compares with Fairy-Stockfish's results for real games.
//! * [`fuzz`] holds what must be true of any input, for the fuzz targets in `tests/fuzz` and their corpora.
//! * [`shared_text`] reads the measuring data that is kept outside the repository.

pub mod fuzz;
pub mod oracle;
pub mod slow;
pub mod walk;

use std::io::{BufRead, ErrorKind};
use std::path::Path;
use std::sync::LazyLock;

use sakmak_engine::Searcher;
use sakmak_engine::uci::{Output, run_with_dtm_tables};
use sakmak_eval::DtmTables;
use sakmak_movegen::{Move, Position};

/// The DTM tables that all tests of a program share, each solved when it is first needed.
pub fn dtm_tables() -> &'static DtmTables {
    static TABLES: LazyLock<DtmTables> = LazyLock::new(DtmTables::default);
    &TABLES
}

/// A searcher with `hash_mb` MiB of hash table and the tables all tests share.
///
/// # Panics
/// If there is no memory.
pub fn searcher(hash_mb: usize) -> Searcher {
    Searcher::new(hash_mb).expect("memory").with_dtm_tables(dtm_tables())
}

/// Runs a UCI session on the tables all tests share.
///
/// # Panics
/// If there is no memory.
pub fn run_uci(input: impl BufRead + Send, output: Output) {
    run_with_dtm_tables(input, output, dtm_tables()).expect("memory");
}

/// The position of a valid FEN.
///
/// # Panics
/// If it is not.
pub fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// The position after a legal move.
pub fn after(position: &Position, mv: Move) -> Position {
    let mut after = position.clone();
    after.play_unchecked(mv);
    after
}

/// The position after moves in UCI form, separated by spaces.
///
/// # Panics
/// If one of them is not legal.
pub fn play(position: &Position, moves: &str) -> Position {
    moves.split_whitespace().fold(position.clone(), |position, text| {
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{position}: {error}"));
        after(&position, mv)
    })
}

/// The text of `name` in the shared data, which lies beside the repository and not in it; `None` if it is not there.
///
/// # Panics
/// If the file is there and cannot be read.
pub fn shared_text(name: &str) -> Option<String> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../shared/data").join(name);
    match std::fs::read_to_string(&path) {
        Ok(text) => Some(text),
        Err(error) if error.kind() == ErrorKind::NotFound => None,
        Err(error) => panic!("{}: {error}", path.display()),
    }
}
