//! Turns files of games into shuffled files of positions, larger than memory if need be.

use std::fs::{self, File};
use std::io::{self, BufWriter, Read, Seek, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sakmak_dataset::games::{DataError, Filter, Reader};
use sakmak_dataset::positions::{PositionWriter, TrainingPosition};
use sakmak_eval::DtmTables;
use sakmak_files::output::OutputFile;

use super::explore::{Explorer, GamePositions};

/// Games read at once. It affects only the memory used.
const GAMES_PER_READ: usize = 4096;
/// Mean number of positions that are shuffled in memory at once.
const PILE: u64 = 4_000_000;
/// Stream of the random numbers that choose the held-out games; the games have the streams 1, 2, ...
const HOLDOUT_STREAM: u64 = u64::MAX;
/// Label of errors of the temporary files that hold the piles.
const TEMPORARY: &str = "temporary file";
/// Bytes of a ply in a file of games, or less.
const BYTES_PER_PLY: u64 = 4;

/// Input, output and filters of a shuffle.
#[derive(Clone, Debug)]
pub struct ShuffleJob<'a> {
    /// Files of games.
    pub games: &'a [PathBuf],
    /// Games skipped at the beginning, counted over all files.
    pub skip: u64,
    /// Maximum number of games to take after `skip`.
    pub take: u64,
    /// Filter of the positions.
    pub filter: Filter,
    /// Positions with fewer pieces than this ...
    pub endings_below: u32,
    /// ... are taken with this probability.
    pub endings: f64,
    /// Explored positions per position of a game: after random moves, with searched scores and without results.
    pub explore: u32,
    /// Rescores the positions of games.
    pub relabel: bool,
    /// Soft node limit of the searches for `explore` and `relabel`.
    pub label_nodes: u64,
    /// Share of the games whose positions go to `held_out`.
    pub holdout: f64,
    /// Seed of the choice and order of positions.
    pub seed: u64,
    /// Output file of training positions.
    pub training: &'a Path,
    /// Output file of the positions of held-out games.
    pub held_out: Option<&'a Path>,
}

/// Numbers of games and positions of a shuffle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Shuffled {
    /// Games taken.
    pub games: u64,
    /// Training positions.
    pub training: u64,
    /// Positions of held-out games.
    pub held_out: u64,
}

/// Piles of positions on disk; each position goes to a random pile.
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

    /// Shuffles pile after pile into the output.
    fn write(self, output: &OutputFile, rng: &mut ChaCha8Rng) -> Result<u64> {
        let name = || output.path().display().to_string();
        let mut writer = PositionWriter::new(output.draft()?, self.positions).with_context(name)?;
        for pile in self.files {
            let mut bytes = Vec::new();
            let file = pile.into_inner().map_err(io::IntoInnerError::into_error);
            let read = file.and_then(|mut file| {
                file.rewind()?;
                file.read_to_end(&mut bytes)
            });
            read.context(TEMPORARY)?;
            let (records, _) = bytes.as_chunks_mut::<{ TrainingPosition::BYTES }>();
            records.shuffle(rng);
            for record in &*records {
                let position = TrainingPosition::from_bytes(record);
                let position = position.context("temporary file: it has changed since it was written")?;
                writer.push(&position).with_context(name)?;
            }
        }
        writer.finish().with_context(name)?.commit()?;
        Ok(self.positions)
    }
}

/// Writes the positions of games in random order. An incomplete last game is left out, and `warn` is called. `progress`
/// is called with the number of games taken so far and their bytes in the files.
///
/// # Errors
/// If a file cannot be read, is damaged, or has other rules than the first; or if an output cannot be written.
pub fn shuffle(
    job: &ShuffleJob<'_>,
    warn: &mut dyn FnMut(&Path, &DataError),
    progress: &mut dyn FnMut(u64, u64),
) -> Result<Shuffled> {
    // Created before the work, which takes long.
    let training_file = OutputFile::create(job.training)?;
    let held_out_file = job.held_out.map(OutputFile::create).transpose()?;
    let lengths = job.games.iter().map(|path| fs::metadata(path).map_or(0, |data| data.len()));
    let expected = lengths.sum::<u64>() / BYTES_PER_PLY;
    let mut rng = ChaCha8Rng::seed_from_u64(job.seed);
    // Which games are held out depends only on their order and the seed.
    let mut holdout = ChaCha8Rng::seed_from_u64(job.seed);
    holdout.set_stream(HOLDOUT_STREAM);
    let mut training = Piles::new(expected * (1 + u64::from(job.explore))).context(TEMPORARY)?;
    let mut held_out = Piles::new((expected as f64 * job.holdout) as u64).context(TEMPORARY)?;
    let (mut shuffled, mut bytes_before) = (Shuffled::default(), 0);
    let tables = DtmTables::default();
    let explorers = (0..rayon::current_num_threads()).map(|_| Explorer::new(job, &tables));
    let mut explorers: Vec<_> = explorers.collect::<Result<_, _>>()?;
    let mut rules = None;
    // Number of the next game, counted over all files.
    let mut number = 0;
    let end = job.skip.saturating_add(job.take);
    for path in job.games {
        let name = || path.display().to_string();
        let mut reader = Reader::open(path).with_context(name)?;
        let found = reader.header().rules;
        ensure!(*rules.get_or_insert(found) == found, "{}: has other rules: {found}", path.display());
        loop {
            let mut games = Vec::new();
            while games.len() < GAMES_PER_READ && number < end {
                match reader.next() {
                    None => break,
                    Some(Ok(_)) if number < job.skip => number += 1,
                    Some(Ok(game)) => {
                        games.push(game);
                        number += 1;
                    }
                    Some(Err(error)) if error.is_cut() => warn(path, &error),
                    Some(Err(error)) => return Err(error).with_context(name),
                }
            }
            if games.is_empty() {
                break;
            }
            let first = number - games.len() as u64;
            let share = games.len().div_ceil(explorers.len());
            let positions: Vec<_> = explorers
                .par_iter_mut()
                .zip(games.par_chunks(share))
                .enumerate()
                .map(|(part, (explorer, games))| {
                    let numbered = (first + (part * share) as u64..).zip(games);
                    numbered.map(|(number, game)| explorer.positions(game, number)).collect()
                })
                .collect::<Result<Vec<Vec<_>>>>()?;
            for GamePositions { of_game, explored } in positions.into_iter().flatten() {
                let is_held_out = job.held_out.is_some() && holdout.random_bool(job.holdout);
                let piles = if is_held_out { &mut held_out } else { &mut training };
                for position in of_game {
                    if position.piece_count() >= job.endings_below || rng.random_bool(job.endings) {
                        piles.push(&position, &mut rng).context(TEMPORARY)?;
                    }
                }
                // Explored positions of held-out games are dropped.
                for position in explored.iter().filter(|_| !is_held_out) {
                    training.push(position, &mut rng).context(TEMPORARY)?;
                }
            }
            shuffled.games += games.len() as u64;
            progress(shuffled.games, bytes_before + reader.offset());
        }
        bytes_before += reader.offset();
    }
    shuffled.training = training.write(&training_file, &mut rng)?;
    if let Some(file) = held_out_file {
        shuffled.held_out = held_out.write(&file, &mut rng)?;
    }
    Ok(shuffled)
}
