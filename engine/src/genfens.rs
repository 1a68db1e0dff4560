//! The command `genfens`, by which OpenBench requests openings.

use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{FenError, Game, Rules};

use crate::openings::{OpeningScorer, opening_fen, random_opening};
use crate::score::Score;
use crate::tt::HashAllocationError;

/// The position fields of a FEN or EPD record, without EPD operations.
fn fen_of_record(line: &str) -> String {
    let record = line.split(';').next().unwrap_or_default();
    let is_operation = |field: &str| field.len() > 1 && field.starts_with(|c: char| c.is_ascii_alphabetic());
    let fields = record.split_ascii_whitespace().enumerate();
    let fields: Vec<_> = fields.take_while(|(index, field)| *index < 3 || !is_operation(field)).collect();
    fields.into_iter().map(|(_, field)| field).collect::<Vec<_>>().join(" ")
}

/// The arguments of `genfens N seed S book B`; what follows is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Genfens {
    /// Number of openings.
    pub count: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// A file of FEN or EPD lines to start from; `None` for the start position.
    pub book: Option<PathBuf>,
}

/// Why `genfens` failed, or found too few openings.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GenfensError {
    /// Wrong arguments.
    #[error("'{0}' is not of the form genfens N seed S book None|FILE")]
    Form(String),
    /// The book cannot be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, #[source] std::io::Error),
    /// A line of the book is no FEN.
    #[error("{0}, line {1}: {2}")]
    Line(PathBuf, usize, #[source] FenError),
    /// The book has no position.
    #[error("{0} holds no position")]
    Empty(PathBuf),
    /// No memory for the search.
    #[error(transparent)]
    Memory(#[from] HashAllocationError),
    /// The openings cannot be written.
    #[error("cannot write openings: {0}")]
    Write(#[from] std::io::Error),
    /// All further openings tried are duplicates or decided.
    #[error("found only {0} different openings")]
    TooFew(usize),
}

impl FromStr for Genfens {
    type Err = GenfensError;

    fn from_str(text: &str) -> Result<Self, GenfensError> {
        let wrong = || GenfensError::Form(text.to_owned());
        let words: Vec<_> = text.split_ascii_whitespace().collect();
        let ["genfens", count, "seed", seed, "book", book, ..] = words[..] else { return Err(wrong()) };
        let count = count.parse().map_err(|_| wrong())?;
        let seed = seed.parse().map_err(|_| wrong())?;
        let book = (!book.eq_ignore_ascii_case("none")).then(|| book.into());
        Ok(Self { count, seed, book })
    }
}

/// Random plies from the start position, and from a book position; or one more.
const PLIES: u32 = 8;
const BOOK_PLIES: u32 = 4;
/// Nodes of the search of an opening, and centipawns beyond which it counts as decided.
const NODES: u64 = 3_000;
const MAX_SCORE: i32 = 105;
/// Cap on the attempts at one opening, which together take seconds at most.
const MAX_TRIES: u32 = 1_000;

impl Genfens {
    /// Finds the openings and passes each FEN to `write` at once.
    ///
    /// # Errors
    /// See [`GenfensError`].
    pub fn run(&self, mut write: impl FnMut(&str) -> std::io::Result<()>) -> Result<(), GenfensError> {
        let book = match &self.book {
            Some(path) => std::fs::read_to_string(path).map_err(|e| GenfensError::Read(path.clone(), e))?,
            None => String::new(),
        };
        let is_record = |line: &str| !line.is_empty() && !line.starts_with('#');
        let lines = book.lines().map(str::trim).enumerate().filter(|(_, line)| is_record(line));
        let lines: Vec<_> = lines.collect();
        let mut scorer = OpeningScorer::new()?;
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut seen = HashSet::new();
        let mut try_one = || -> Result<Option<String>, GenfensError> {
            let (start, plies) = match &self.book {
                None => (Game::new(Rules::default()), PLIES),
                Some(path) if lines.is_empty() => return Err(GenfensError::Empty(path.clone())),
                Some(path) => {
                    let (index, line) = lines[rng.random_range(0..lines.len())];
                    let game = Game::from_fen(&fen_of_record(line), Rules::default());
                    (game.map_err(|e| GenfensError::Line(path.clone(), index + 1, e))?, BOOK_PLIES)
                }
            };
            let plies = plies + rng.random_range(0..2);
            let game =
                random_opening(start, plies, true, &mut rng).filter(|g| seen.insert(g.position().key()));
            let is_open = |g: &Game| {
                let score = scorer.score(g.position(), NODES);
                matches!(score, Some(Score::Centipawns(cp)) if cp.abs() <= MAX_SCORE)
            };
            Ok(game.filter(is_open).and_then(|game| opening_fen(game.position())))
        };
        for found in 0..self.count {
            let mut tries = 0..MAX_TRIES;
            let fen = loop {
                if tries.next().is_none() {
                    return Err(GenfensError::TooFew(found as usize));
                }
                if let Some(fen) = try_one()? {
                    break fen;
                }
            };
            write(&fen)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_parsed() {
        let request: Genfens = "genfens 4 seed 17 book None some extra words".parse().unwrap();
        assert_eq!(request, Genfens { count: 4, seed: 17, book: None });
        let request: Genfens = "genfens 1 seed 0 book Books/a.epd".parse().unwrap();
        assert_eq!(request.book, Some("Books/a.epd".into()));
        for text in
            ["genfens", "genfens x seed 1 book None", "genfens 1 seed -1 book None", "genfens 1 seed 1"]
        {
            let error = text.parse::<Genfens>().unwrap_err().to_string();
            assert_eq!(error, format!("'{text}' is not of the form genfens N seed S book None|FILE"));
        }
    }

    #[test]
    fn records_are_fens_or_epd() {
        for (line, fen) in [
            ("8/8 w - 0 hmvc 0; fmvn 3;", "8/8 w - 0"),
            ("8/8 w - - 0 1", "8/8 w - - 0 1"),
            ("8/8 b DE - id \"x\";", "8/8 b DE -"),
        ] {
            assert_eq!(fen_of_record(line), fen);
        }
    }
}
