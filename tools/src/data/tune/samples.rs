//! Positions as the tuner needs them: sparse counts of weights, result and searched score.

use std::iter::{Repeat, Zip, repeat};
use std::ops::Range;
use std::path::PathBuf;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;
use sakmak_eval::weights::WEIGHTS;
use sakmak_eval::{Scaling, Trace};
use sakmak_movegen::Color;

use super::TuneError;
use super::fit::sigmoid;
use crate::data::datagen::{Filter, GameRecord, GameResult, Reader};

/// Games that one thread works on at a time; their positions form a block.
const GAMES_PER_BLOCK: usize = 256;
/// Games read at once. It decides which games share a block, so it must not depend on the number of threads.
const GAMES_PER_READ: usize = 16 * GAMES_PER_BLOCK;

/// The result and scores of a position, and how the sum of its weights is scaled.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPoint {
    /// Where its counts begin.
    first: u32,
    /// How the evaluation scales the sum.
    pub scaling: Scaling,
    /// White's half points in the game.
    pub half_points: u8,
    /// The searched score for White in centipawns.
    pub score: i16,
    /// The probability of White's winning, predicted by this score and those of the plies after it.
    pub prediction: f32,
}

/// Positions of some games.
#[derive(Debug, Default)]
struct SampleBlock {
    points: Vec<TrainingPoint>,
    numbers: Vec<u16>,
    counts: Vec<i8>,
}

impl SampleBlock {
    fn push(&mut self, trace: &Trace, half_points: u8, score: i16, prediction: f32) {
        let first = self.numbers.len() as u32;
        self.points.push(TrainingPoint { first, scaling: trace.scaling, half_points, score, prediction });
        self.numbers.extend(trace.counts.iter().map(|&(number, _)| number));
        self.counts.extend(trace.counts.iter().map(|&(_, count)| count));
    }

    fn counts(&self, index: usize) -> impl Iterator<Item = (usize, f64)> + '_ {
        let first = self.points[index].first as usize;
        let end = self.points.get(index + 1).map_or(self.numbers.len(), |next| next.first as usize);
        let pairs = self.numbers[first..end].iter().zip(&self.counts[first..end]);
        pairs.map(|(&number, &count)| (usize::from(number), f64::from(count)))
    }
}

/// Many positions.
#[derive(Debug, Default)]
pub struct Positions {
    blocks: Vec<SampleBlock>,
    games: usize,
}

/// A position: the number of its block and its place in it.
pub(super) type Place = (u32, u32);

/// The positions of a block.
pub(super) type Places = Zip<Repeat<u32>, Range<u32>>;

impl Positions {
    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// How many positions.
    pub fn len(&self) -> usize {
        self.blocks.iter().map(|block| block.points.len()).sum()
    }

    /// How many games they are of.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Adds a position with White's half points in its game and the score for White.
    pub fn push(&mut self, trace: &Trace, half_points: u8, score: i16) {
        const POSITIONS_PER_BLOCK: usize = 4096;
        let prediction = prediction(score);
        match self.blocks.last_mut() {
            Some(block) if block.points.len() < POSITIONS_PER_BLOCK => {
                block.push(trace, half_points, score, prediction)
            }
            _ => {
                let mut block = SampleBlock::default();
                block.push(trace, half_points, score, prediction);
                self.blocks.push(block);
            }
        }
    }

    pub(super) fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// The positions of a block.
    pub(super) fn places(&self, block: usize) -> Places {
        repeat(block as u32).zip(0..self.blocks[block].points.len() as u32)
    }

    pub(super) fn point(&self, (block, index): Place) -> &TrainingPoint {
        &self.blocks[block as usize].points[index as usize]
    }

    /// Numbers of weights and how often they count.
    pub(super) fn counts(&self, (block, index): Place) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.blocks[block as usize].counts(index as usize)
    }

    /// How often each weight counts, for either side.
    pub fn uses(&self) -> Vec<u64> {
        let mut uses = vec![0; WEIGHTS];
        for block in &self.blocks {
            for (&number, &count) in block.numbers.iter().zip(&block.counts) {
                uses[usize::from(number)] += u64::from(count.unsigned_abs());
            }
        }
        uses
    }
}

/// Which positions are used.
#[derive(Clone, Copy, Debug)]
pub struct Sampling {
    /// Share of the games to hold out.
    pub holdout: f64,
    /// Share of the positions to take.
    pub sample: f64,
    /// Most centipawns for either side.
    pub max_score: i32,
    /// Plies left out at the beginning of a game.
    pub min_ply: usize,
    /// How many plies ahead, on the mean, the scores of a position's prediction are taken from.
    pub horizon: f64,
    /// Another seed takes others.
    pub seed: u64,
}

/// Reads files of games: the training positions, and those of the held-out games.
///
/// # Errors
/// If a file cannot be read, is damaged, or is of other rules than the first.
pub fn read(files: &[PathBuf], sampling: &Sampling) -> Result<(Positions, Positions), TuneError> {
    let mut sets = (Positions::default(), Positions::default());
    let mut rng = ChaCha8Rng::seed_from_u64(sampling.seed);
    let mut rules = None;
    for path in files {
        let data_error = |error| TuneError::Data { path: path.clone(), error };
        let mut reader = Reader::open(path).map_err(data_error)?;
        let found = reader.header().rules;
        if *rules.get_or_insert(found) != found {
            return Err(TuneError::OtherRules { path: path.clone(), rules: Box::new(found) });
        }
        loop {
            let (mut training, mut held_out) = (Vec::new(), Vec::new());
            for game in reader.by_ref().take(GAMES_PER_READ) {
                let game = game.map_err(data_error)?;
                let set = if rng.random_bool(sampling.holdout) { &mut held_out } else { &mut training };
                set.push(game);
            }
            if training.is_empty() && held_out.is_empty() {
                break;
            }
            for (set, games) in [(&mut sets.0, training), (&mut sets.1, held_out)] {
                set.games += games.len();
                set.blocks.par_extend(games.par_chunks(GAMES_PER_BLOCK).map(|games| block(games, sampling)));
            }
        }
    }
    Ok(sets)
}

/// Centipawns of a searched score that multiply the odds of winning by e.
const SCORE_SCALE: f64 = 415.0;

/// The probability of White's winning, predicted by a searched score for White.
fn prediction(score: i16) -> f32 {
    sigmoid(f64::from(score) / SCORE_SCALE) as f32
}

/// For each ply of a game the probability of White's winning, predicted by its score and the later ones. Each later one
/// counts less by a factor, and the result counts for all that would follow: an exponential mean, as in temporal
/// difference learning (Sutton 1988).
fn predictions(game: &GameRecord, horizon: f64) -> Vec<f32> {
    let later = (horizon / (1.0 + horizon)) as f32;
    let mut mean = game.result.points(Color::White) as f32;
    let mut side = game.start.side_to_move();
    let mut predictions: Vec<f32> = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        let white = if side == Color::White { ply.score } else { ply.score.saturating_neg() };
        predictions.push(prediction(white));
        side = !side;
    }
    for prediction in predictions.iter_mut().rev() {
        mean = later * mean + (1.0 - later) * *prediction;
        *prediction = mean;
    }
    predictions
}

fn block(games: &[GameRecord], sampling: &Sampling) -> SampleBlock {
    let filter = Filter {
        max_score: sampling.max_score,
        min_ply: sampling.min_ply,
        no_bare_khun: true,
        keep: sampling.sample,
        seed: sampling.seed,
        ..Filter::default()
    };
    let mut block = SampleBlock::default();
    for game in games {
        let half_points = match game.result {
            GameResult::WhiteWins => 2,
            GameResult::Draw => 1,
            GameResult::BlackWins => 0,
        };
        let predictions = predictions(game, sampling.horizon);
        for sample in game.positions(&filter) {
            let Some(trace) = Trace::of(&sample.position) else { continue };
            let white = sample.position.side_to_move() == Color::White;
            let score = if white { sample.score } else { -sample.score };
            block.push(&trace, half_points, score.clamp(-32_000, 32_000) as i16, predictions[sample.ply]);
        }
    }
    block.points.shrink_to_fit();
    block.numbers.shrink_to_fit();
    block.counts.shrink_to_fit();
    block
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::datagen::{EndReason, Ply};
    use sakmak_movegen::Position;

    /// Three plies with scores for White of 0, 415 and -415 centipawns.
    fn game(result: GameResult) -> GameRecord {
        let mut position = Position::startpos();
        let mut plies = Vec::new();
        for score in [0, -415, -415] {
            let mv = position.legal_moves()[0];
            plies.push(Ply { mv, score });
            position.play_unchecked(mv);
        }
        GameRecord { start: Position::startpos(), result, reason: EndReason::TooLong, plies }
    }

    fn assert_near(found: &[f32], wanted: [f32; 3]) {
        assert_eq!(found.len(), 3);
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-4, "{found} is not {wanted}");
        }
    }

    #[test]
    fn predictions_look_ahead_by_the_horizon() {
        // 1 / (1 + exp(-1)), and for Black the rest.
        let (up, down) = (0.731_06, 0.268_94);
        let won = game(GameResult::WhiteWins);
        assert_near(&predictions(&won, 0.0), [0.5, up, down]);
        // Half of each prediction comes from the plies after it, and after the last one from the result.
        let last = f32::midpoint(down, 1.0);
        let middle = f32::midpoint(up, last);
        assert_near(&predictions(&won, 1.0), [f32::midpoint(0.5, middle), middle, last]);
        assert_near(&predictions(&won, 1e9), [1.0; 3]);
        assert_near(&predictions(&game(GameResult::BlackWins), 1e9), [0.0; 3]);
    }
}
