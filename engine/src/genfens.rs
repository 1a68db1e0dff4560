//! Openings of random moves that are not decided yet, as OpenBench asks for them with `genfens`.

use std::collections::HashSet;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Instant;

use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{FenError, Game, Position, Rules};

use crate::search::{self, Signals, Task, Worker};
use crate::time::Limits;
use crate::tt::{OutOfMemory, TranspositionTable};

/// Judges positions by a search that remembers nothing of earlier ones: the same position always gets the
/// same score.
pub struct Judge {
    table: TranspositionTable,
    workers: [Worker; 1],
}

/// Size of a judge's table in MiB, plenty for the few nodes a position gets.
const TABLE_MB: usize = 8;

impl Judge {
    /// A judge.
    ///
    /// # Errors
    /// If there is no memory for its table.
    pub fn new() -> Result<Self, OutOfMemory> {
        Ok(Self { table: TranspositionTable::new(TABLE_MB)?, workers: [Worker::new()] })
    }

    /// The score in centipawns for the side to move after about `nodes` nodes; `None` without a legal move.
    pub fn score(&mut self, position: &Position, nodes: u64) -> Option<i32> {
        self.table.clear(1);
        self.workers[0].forget();
        let task = Task {
            position,
            keys: &[position.key()],
            limits: &Limits { nodes: Some(nodes), ..Limits::default() },
            budget: None,
            multi_pv: 1,
            started: Instant::now(),
        };
        let findings = search::run(
            &task,
            &self.table,
            &Signals::default(),
            &mut self.workers,
            &mut |_: search::Report| (),
        );
        findings.best().map(|best| best.score)
    }
}

/// Plays random legal moves, captures only if they are wanted; `None` if the game ends on the way, or if the
/// side to move is left in check.
pub fn random_game(mut game: Game, plies: u32, captures: bool, rng: &mut impl Rng) -> Option<Game> {
    for _ in 0..plies {
        let position = game.position();
        let mut moves = position.legal_moves();
        if !captures {
            moves = moves.into_iter().filter(|&mv| !position.is_capture(mv)).collect();
        }
        if moves.is_empty() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]).ok()?;
    }
    (!game.position().in_check() && game.outcome().is_none()).then_some(game)
}

/// The FEN of an opening: nothing counted yet, but the count armed (`0` in the fourth field), for with `-` Cute
/// Chess would play by the rule of fifty moves. `None` if a count runs.
pub fn opening_fen(position: &Position) -> Option<String> {
    let text = position.to_string();
    let fields: Vec<_> = text.split(' ').collect();
    let [board, side, rights, "-" | "0", ..] = fields[..] else { return None };
    Some(format!("{board} {side} {rights} 0 0 {}", position.fullmove_number()))
}

/// The fields of a FEN or EPD record without the operations of the latter.
fn fen_of_record(line: &str) -> String {
    let record = line.split(';').next().unwrap_or_default();
    let is_operation = |field: &str| field.len() > 1 && field.starts_with(|c: char| c.is_ascii_alphabetic());
    let fields = record.split_ascii_whitespace().enumerate();
    let fields: Vec<_> = fields.take_while(|(index, field)| *index < 3 || !is_operation(field)).collect();
    fields.into_iter().map(|(_, field)| field).collect::<Vec<_>>().join(" ")
}

/// The command `genfens N seed S book B`; what follows is ignored.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// How many openings.
    pub count: u32,
    /// Seed of the random numbers.
    pub seed: u64,
    /// A file of FEN or EPD lines to go on from; `None` for the start position.
    pub book: Option<PathBuf>,
}

/// Why there are no openings, or too few.
#[derive(Debug, thiserror::Error)]
pub enum GenfensError {
    /// Not the command.
    #[error("'{0}' is not of the form genfens N seed S book None|FILE")]
    Form(String),
    /// The book cannot be read.
    #[error("cannot read {0}: {1}")]
    Read(PathBuf, #[source] std::io::Error),
    /// The book holds something else.
    #[error("{0}, line {1}: {2}")]
    Line(PathBuf, usize, #[source] FenError),
    /// The book holds nothing.
    #[error("{0} holds no position")]
    Empty(PathBuf),
    /// No memory to search.
    #[error(transparent)]
    Memory(#[from] OutOfMemory),
    /// They cannot be told.
    #[error("cannot write: {0}")]
    Write(#[from] std::io::Error),
    /// All that was tried is known already or decided.
    #[error("found only {0} different openings")]
    TooFew(usize),
}

impl FromStr for Request {
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

/// Random plies from the start position and from one of a book, or one more.
const PLIES: u32 = 8;
const BOOK_PLIES: u32 = 4;
/// Nodes an opening is searched, and centipawns beyond which it counts as decided.
const NODES: u64 = 3_000;
const MOST: i32 = 300;
/// Attempts at one opening: all together take seconds at most.
const TRIES: u32 = 1_000;

impl Request {
    /// Finds the openings and hands each FEN to `tell` at once.
    ///
    /// # Errors
    /// See [`GenfensError`].
    pub fn run(&self, mut tell: impl FnMut(&str) -> std::io::Result<()>) -> Result<(), GenfensError> {
        let book = match &self.book {
            Some(path) => std::fs::read_to_string(path).map_err(|e| GenfensError::Read(path.clone(), e))?,
            None => String::new(),
        };
        let is_record = |line: &str| !line.is_empty() && !line.starts_with('#');
        let lines = book.lines().map(str::trim).enumerate().filter(|(_, line)| is_record(line));
        let lines: Vec<_> = lines.collect();
        let mut judge = Judge::new()?;
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
            let game = random_game(start, plies, true, &mut rng).filter(|g| seen.insert(g.position().key()));
            let is_open = |g: &Game| judge.score(g.position(), NODES).is_some_and(|s| s.abs() <= MOST);
            Ok(game.filter(is_open).and_then(|game| opening_fen(game.position())))
        };
        for found in 0..self.count {
            let mut tries = 0..TRIES;
            let fen = loop {
                if tries.next().is_none() {
                    return Err(GenfensError::TooFew(found as usize));
                }
                if let Some(fen) = try_one()? {
                    break fen;
                }
            };
            tell(&fen)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn requests() {
        let request: Request = "genfens 4 seed 17 book None some extra words".parse().unwrap();
        assert_eq!(request, Request { count: 4, seed: 17, book: None });
        let request: Request = "genfens 1 seed 0 book Books/a.epd".parse().unwrap();
        assert_eq!(request.book, Some("Books/a.epd".into()));
        for text in
            ["genfens", "genfens x seed 1 book None", "genfens 1 seed -1 book None", "genfens 1 seed 1"]
        {
            let error = text.parse::<Request>().unwrap_err().to_string();
            assert_eq!(error, format!("'{text}' is not of the form genfens N seed S book None|FILE"));
        }
    }

    #[test]
    fn a_judge_keeps_nothing_in_mind() {
        let position = Position::startpos();
        let other = Position::from_fen("7k/R7/5K2/8/8/8/8/1R6 w - - 0 1").unwrap();
        let mut judge = Judge::new().unwrap();
        let first = judge.score(&position, 5_000);
        assert!(first.is_some());
        judge.score(&other, 5_000);
        assert_eq!(judge.score(&position, 5_000), first);
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

    #[test]
    fn openings_arm_the_count() {
        let fen = opening_fen(&Position::startpos()).unwrap();
        assert!(fen.ends_with(" w - 0 0 1"), "{fen}");
        assert_eq!(Position::from_fen(&fen).unwrap(), Position::startpos());
        let counting = Position::from_fen("7k/R7/5K2/8/8/8/8/1R6 w - 16 13 30").unwrap();
        assert_eq!(opening_fen(&counting), None);
    }
}
