//! From files of games to shuffled files of positions, larger than the memory if need be.

use std::fs::{self, File};
use std::io::{self, BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sakmak_eval::{EvalState, Evaluator};
use sakmak_movegen::{Color, Position};
use thiserror::Error;

use super::{PositionFileError, PositionWriter, TrainingPosition};
use crate::data::datagen::{DataError, DatagenError, Filter, GameRecord, Reader};

/// Games read at once. It decides nothing but the memory taken.
const GAMES_PER_READ: usize = 4096;
/// Positions that are shuffled in memory, on the mean.
const PILE: u64 = 4_000_000;
/// The random numbers of games are those of streams 1, 2, ...
const HOLDOUT_STREAM: u64 = u64::MAX;
/// Bytes of a ply in a file of games, or less.
const BYTES_PER_PLY: u64 = 4;

/// Why no files of positions were made.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ShuffleError {
    /// A file of games cannot be read, or is of other rules than the first.
    #[error(transparent)]
    Games(#[from] DatagenError),
    /// A file of positions cannot be written.
    #[error(transparent)]
    Positions(#[from] PositionFileError),
    /// A temporary file cannot be written or read.
    #[error("temporary file: {0}")]
    Temporary(#[from] io::Error),
}

/// What to shuffle, and where it goes.
#[derive(Clone, Debug)]
pub struct ShuffleJob<'a> {
    /// Files of games.
    pub games: &'a [PathBuf],
    /// Which positions to take.
    pub filter: Filter,
    /// Positions of fewer pieces than this ...
    pub endings_below: u32,
    /// ... are taken with this probability.
    pub endings: f64,
    /// Positions after so many random moves a ply, with the evaluation as score and without a result, are added.
    pub explore: u32,
    /// Share of the games whose positions go to `held_out`.
    pub holdout: f64,
    /// Another seed takes and orders them otherwise.
    pub seed: u64,
    /// New file of training positions.
    pub training: &'a Path,
    /// New file of the positions of games held out.
    pub held_out: Option<&'a Path>,
}

/// What was written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shuffled {
    /// Games read.
    pub games: u64,
    /// Training positions.
    pub training: u64,
    /// Positions of games held out.
    pub held_out: u64,
}

/// Positions on disk, in piles: each position in one of them, at random.
struct Piles {
    files: Vec<BufWriter<File>>,
    positions: u64,
}

impl Piles {
    fn new(expected: u64) -> io::Result<Self> {
        let number = expected.div_ceil(PILE).max(1);
        let files =
            (0..number).map(|_| tempfile::tempfile().map(BufWriter::new)).collect::<io::Result<_>>()?;
        Ok(Self { files, positions: 0 })
    }

    fn push(&mut self, position: &TrainingPosition, rng: &mut ChaCha8Rng) -> io::Result<()> {
        self.positions += 1;
        let pile = rng.random_range(0..self.files.len());
        self.files[pile].write_all(&position.to_bytes())
    }

    /// Shuffles pile after pile into a new file.
    fn write(self, path: &Path, rng: &mut ChaCha8Rng) -> Result<u64, ShuffleError> {
        let mut writer = PositionWriter::create(path, self.positions)?;
        for pile in self.files {
            let mut file = pile.into_inner().map_err(io::IntoInnerError::into_error)?;
            io::Seek::rewind(&mut file)?;
            let mut bytes = Vec::new();
            BufReader::new(file).read_to_end(&mut bytes)?;
            let (records, _) = bytes.as_chunks_mut::<{ TrainingPosition::BYTES }>();
            records.shuffle(rng);
            for record in &*records {
                let damaged = || io::Error::other("it has changed since it was written");
                writer.push(&TrainingPosition::from_bytes(record).ok_or_else(damaged)?)?;
            }
        }
        writer.finish()?;
        Ok(self.positions)
    }
}

/// Writes the positions of games in random order. A last game that is cut off is left out, and `warn` is called.
/// `progress` is called with the games read so far and the bytes of the files behind them.
///
/// # Errors
/// If a file cannot be read, is damaged, or is of other rules than the first; or if one cannot be written.
pub fn shuffle(
    job: &ShuffleJob<'_>,
    warn: &mut dyn FnMut(&Path, &DataError),
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Shuffled, ShuffleError> {
    let lengths = job.games.iter().map(|path| fs::metadata(path).map_or(0, |data| data.len()));
    let expected = lengths.sum::<u64>() / BYTES_PER_PLY;
    let mut rng = ChaCha8Rng::seed_from_u64(job.seed);
    // Which games are held out depends on their order and the seed alone.
    let mut holdout = ChaCha8Rng::seed_from_u64(job.seed);
    holdout.set_stream(HOLDOUT_STREAM);
    let mut training = Piles::new(expected)?;
    let mut held_out = Piles::new((expected as f64 * job.holdout) as u64)?;
    let (mut shuffled, mut bytes_before) = (Shuffled::default(), 0);
    let mut rules = None;
    for path in job.games {
        let mut reader = Reader::open(path).map_err(DatagenError::data(path))?;
        let found = reader.header().rules;
        if *rules.get_or_insert(found) != found {
            return Err(DatagenError::OtherRules { path: path.clone(), rules: Box::new(found) }.into());
        }
        loop {
            let mut games = Vec::new();
            for game in reader.by_ref().take(GAMES_PER_READ) {
                match game {
                    Ok(game) => games.push(game),
                    Err(error) if error.is_cut() => warn(path, &error),
                    Err(error) => return Err(DatagenError::data(path)(error).into()),
                }
            }
            if games.is_empty() {
                break;
            }
            let first = shuffled.games;
            let positions: Vec<_> = games
                .par_iter()
                .enumerate()
                .map_init(terms, |evaluator, (number, game)| {
                    let explorer = Explorer::new(job, first + number as u64, evaluator);
                    (positions(game, &job.filter), explorer.positions(game))
                })
                .collect();
            for (game, explored) in positions {
                let is_held_out = job.held_out.is_some() && holdout.random_bool(job.holdout);
                if !is_held_out {
                    for position in explored {
                        training.push(&position, &mut rng)?;
                    }
                }
                for position in game {
                    if position.piece_count() < job.endings_below && !rng.random_bool(job.endings) {
                        continue;
                    }
                    if is_held_out { &mut held_out } else { &mut training }.push(&position, &mut rng)?;
                }
            }
            shuffled.games += games.len() as u64;
            progress(shuffled.games, bytes_before + reader.offset());
        }
        bytes_before += reader.offset();
    }
    shuffled.training = training.write(job.training, &mut rng)?;
    if let Some(path) = job.held_out {
        shuffled.held_out = held_out.write(path, &mut rng)?;
    }
    Ok(shuffled)
}

fn positions(game: &GameRecord, filter: &Filter) -> Vec<TrainingPosition> {
    game.positions(filter).filter_map(|sample| TrainingPosition::new(&sample)).collect()
}

/// An evaluator by the hand-written terms.
fn terms() -> Evaluator {
    let mut evaluator = Evaluator::default();
    evaluator.use_terms(true);
    evaluator
}

/// Adds positions that a search meets but a game does not.
struct Explorer<'a> {
    moves: u32,
    rng: ChaCha8Rng,
    evaluator: &'a mut Evaluator,
}

impl<'a> Explorer<'a> {
    fn new(job: &ShuffleJob<'_>, game: u64, evaluator: &'a mut Evaluator) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(job.seed);
        rng.set_stream(game + 1);
        Self { moves: job.explore, rng, evaluator }
    }

    /// Positions after one or two random moves from each of the game.
    fn positions(mut self, game: &GameRecord) -> Vec<TrainingPosition> {
        let mut explored = Vec::new();
        let mut position = game.start.clone();
        for ply in &game.plies {
            for _ in 0..self.moves {
                explored.extend(self.after_random_moves(&position));
            }
            position.play_unchecked(ply.mv);
        }
        explored
    }

    fn after_random_moves(&mut self, position: &Position) -> Option<TrainingPosition> {
        let mut position = position.clone();
        for _ in 0..self.rng.random_range(1..=2) {
            let moves = position.legal_moves();
            let mv = *moves.get(self.rng.random_range(0..moves.len().max(1)))?;
            position.play_unchecked(mv);
        }
        let is_bare = Color::ALL.into_iter().any(|color| position.is_bare(color));
        if position.in_check() || is_bare || position.is_dead() || position.count().is_expired() {
            return None;
        }
        let score = self.evaluator.evaluate(&EvalState::new(position.clone()));
        (score.abs() <= MAX_EXPLORED_SCORE).then(|| TrainingPosition::without_result(&position, score))?
    }
}

/// Centipawns beyond which a game counts as won.
const MAX_EXPLORED_SCORE: i32 = 2_000;
