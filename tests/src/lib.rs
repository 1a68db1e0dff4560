//! Helpers of the tests that span the crates.
//!
//! * [`slow`] has the rules a second time, without speed in mind and without the board crate: results are compared as
//!   text.
//! * [`walk`] plays random games and sets up random positions, the same in every run.
//! * [`oracle`] compares with Fairy-Stockfish's results for real games.
//! * [`fuzz`] has properties that must hold for any input, for the fuzz targets in `tests/fuzz` and their corpora.
//! * [`uci`] holds conversations with the engine in this process, [`suite`] reads the files of examples.
//! * [`shared_text`] reads test data that is kept outside the repository.

pub mod fuzz;
pub mod oracle;
pub mod slow;
pub mod suite;
pub mod uci;
pub mod walk;

use std::io::{BufRead, ErrorKind};
use std::path::Path;
use std::sync::LazyLock;

use sakmak_engine::Searcher;
use sakmak_engine::uci::{Output, run_with_dtm_tables};
use sakmak_eval::DtmTables;
use sakmak_movegen::{Move, Position};

/// The DTM tables shared by all tests of a program, each solved when first needed.
pub fn dtm_tables() -> &'static DtmTables {
    static TABLES: LazyLock<DtmTables> = LazyLock::new(DtmTables::default);
    &TABLES
}

/// A searcher with a transposition table of `hash_mb` MiB and the shared DTM tables.
///
/// # Panics
/// If there is no memory.
pub fn searcher(hash_mb: usize) -> Searcher {
    Searcher::new(hash_mb).expect("memory").with_dtm_tables(dtm_tables())
}

/// Runs a UCI session with the shared DTM tables.
///
/// # Panics
/// If there is no memory.
pub fn run_uci(input: impl BufRead + Send, output: Output) {
    run_with_dtm_tables(input, output, dtm_tables()).expect("memory");
}

/// The position of a valid FEN.
///
/// # Panics
/// If the FEN is not valid.
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

/// The text of file `name` in the shared data beside the repository; `None` without the file.
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
