//! Positions as the tuner wants them: sparse counts of weights, result and searched score.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::weights::WEIGHTS;
use sakmak_eval::{Scaling, Trace};
use sakmak_movegen::Color;

use crate::datagen::{Filter, GameRecord, GameResult, Reader};

/// Games that one thread works on at a time; their positions stay together.
const GAMES_A_SHARD: usize = 256;

/// What a position should be worth, and how its weights' sum counts.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// Where its counts begin.
    first: u32,
    /// How the evaluation scales the sum.
    pub scaling: Scaling,
    /// White's half points in the game.
    pub half_points: u8,
    /// The searched score for White in centipawns.
    pub score: i16,
    /// The probability of White's winning that this score and those of the plies after it promise.
    pub promise: f32,
}

/// Positions of some games.
#[derive(Debug, Default)]
struct Shard {
    points: Vec<Point>,
    numbers: Vec<u16>,
    counts: Vec<i8>,
}

impl Shard {
    fn push(&mut self, trace: &Trace, half_points: u8, score: i16, promise: f32) {
        let first = self.numbers.len() as u32;
        self.points.push(Point { first, scaling: trace.scaling, half_points, score, promise });
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
    shards: Vec<Shard>,
    games: usize,
}

/// Names a position: shard and place in it.
pub(super) type Place = (u32, u32);

impl Positions {
    /// How many positions.
    #[expect(clippy::len_without_is_empty, reason = "nobody asks")]
    pub fn len(&self) -> usize {
        self.shards.iter().map(|shard| shard.points.len()).sum()
    }

    /// How many games they are of.
    pub fn games(&self) -> usize {
        self.games
    }

    /// Adds a position with White's half points in its game and the score for White.
    pub fn push(&mut self, trace: &Trace, half_points: u8, score: i16) {
        const POSITIONS_A_SHARD: usize = 4096;
        let promise = promise(score);
        match self.shards.last_mut() {
            Some(shard) if shard.points.len() < POSITIONS_A_SHARD => {
                shard.push(trace, half_points, score, promise)
            }
            _ => {
                let mut shard = Shard::default();
                shard.push(trace, half_points, score, promise);
                self.shards.push(shard);
            }
        }
    }

    pub(super) fn shards(&self) -> usize {
        self.shards.len()
    }

    /// The positions of a shard.
    pub(super) fn places(&self, shard: usize) -> impl Iterator<Item = Place> + use<> {
        (0..self.shards[shard].points.len()).map(move |index| (shard as u32, index as u32))
    }

    pub(super) fn point(&self, (shard, index): Place) -> &Point {
        &self.shards[shard as usize].points[index as usize]
    }

    /// Numbers of weights and how often they count.
    pub(super) fn counts(&self, (shard, index): Place) -> impl Iterator<Item = (usize, f64)> + '_ {
        self.shards[shard as usize].counts(index as usize)
    }

    /// How often each weight counts, for either side.
    pub fn uses(&self) -> Vec<u64> {
        let mut uses = vec![0; WEIGHTS];
        for shard in &self.shards {
            for (&number, &count) in shard.numbers.iter().zip(&shard.counts) {
                uses[usize::from(number)] += u64::from(count.unsigned_abs());
            }
        }
        uses
    }
}

/// Which positions to take.
#[derive(Clone, Copy, Debug)]
pub struct Choice {
    /// Share of the games to hold out.
    pub holdout: f64,
    /// Share of the positions to take.
    pub sample: f64,
    /// Most centipawns for either side.
    pub max_score: i32,
    /// Plies left out at the beginning of a game.
    pub min_ply: usize,
    /// How many plies ahead, on the mean, the scores are taken from that a position's promise is of.
    pub horizon: f64,
    /// Another seed takes others.
    pub seed: u64,
}

/// Reads files of games: the positions to learn from, and those of the games held out.
///
/// # Errors
/// If a file cannot be read, is damaged, or is of other rules than the first.
pub fn read(files: &[PathBuf], choice: &Choice, threads: NonZeroUsize) -> Result<(Positions, Positions)> {
    let mut sets = (Positions::default(), Positions::default());
    let mut rng = ChaCha8Rng::seed_from_u64(choice.seed);
    let mut rules = None;
    for path in files {
        let mut reader = Reader::open(path).with_context(|| name(path))?;
        let first = *rules.get_or_insert_with(|| reader.header().rules);
        ensure!(first == reader.header().rules, "{}: other rules than the first file", name(path));
        loop {
            let (mut training, mut held_out) = (Vec::new(), Vec::new());
            for game in reader.by_ref().take(GAMES_A_SHARD * threads.get()) {
                let game = game.with_context(|| name(path))?;
                let set = if rng.random_bool(choice.holdout) { &mut held_out } else { &mut training };
                set.push(game);
            }
            if training.is_empty() && held_out.is_empty() {
                break;
            }
            for (set, games) in [(&mut sets.0, training), (&mut sets.1, held_out)] {
                set.games += games.len();
                set.shards.extend(shards(&games, choice, threads));
            }
        }
    }
    Ok(sets)
}

fn name(path: &Path) -> String {
    path.display().to_string()
}

/// The positions of games, worked out by several threads.
fn shards(games: &[GameRecord], choice: &Choice, threads: NonZeroUsize) -> Vec<Shard> {
    let chunks: Vec<_> = games.chunks(GAMES_A_SHARD).collect();
    super::fit::in_parallel(threads, chunks.len(), |chunk| shard(chunks[chunk], choice))
}

/// Centipawns of a searched score that multiply the odds of winning by e: fits to many games gave 400 to 440.
const SCORE_SCALE: f64 = 415.0;

/// The probability of White's winning that a searched score for White tells.
fn promise(score: i16) -> f32 {
    super::fit::sigmoid(f64::from(score) / SCORE_SCALE) as f32
}

/// For each ply of a game what its score and the later ones promise White. Each later one counts less by a factor,
/// and the result counts for all that would follow: an exponential mean, as in temporal difference learning
/// (Sutton 1988).
fn promises(game: &GameRecord, horizon: f64) -> Vec<f32> {
    let later = (horizon / (1.0 + horizon)) as f32;
    let mut mean = game.result.points(Color::White) as f32;
    let mut side = game.start.side_to_move();
    let mut promises: Vec<f32> = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        let white = if side == Color::White { ply.score } else { ply.score.saturating_neg() };
        promises.push(promise(white));
        side = !side;
    }
    for promise in promises.iter_mut().rev() {
        mean = later * mean + (1.0 - later) * *promise;
        *promise = mean;
    }
    promises
}

fn shard(games: &[GameRecord], choice: &Choice) -> Shard {
    let filter = Filter {
        max_score: choice.max_score,
        min_ply: choice.min_ply,
        no_bare_khun: true,
        keep: choice.sample,
        seed: choice.seed,
        ..Filter::default()
    };
    let mut shard = Shard::default();
    for game in games {
        let half_points = match game.result {
            GameResult::WhiteWins => 2,
            GameResult::Draw => 1,
            GameResult::BlackWins => 0,
        };
        let promises = promises(game, choice.horizon);
        for sample in game.positions(&filter) {
            let Some(trace) = Trace::of(&sample.position) else { continue };
            let white = sample.position.side_to_move() == Color::White;
            let score = if white { sample.score } else { -sample.score };
            shard.push(&trace, half_points, score.clamp(-32_000, 32_000) as i16, promises[sample.ply]);
        }
    }
    shard.points.shrink_to_fit();
    shard.numbers.shrink_to_fit();
    shard.counts.shrink_to_fit();
    shard
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::datagen::{Ply, Reason};
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
        GameRecord { start: Position::startpos(), result, reason: Reason::TooLong, plies }
    }

    fn assert_near(found: &[f32], wanted: [f32; 3]) {
        assert_eq!(found.len(), 3);
        for (found, wanted) in found.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-4, "{found} is not {wanted}");
        }
    }

    #[test]
    fn promises_look_as_far_ahead_as_told() {
        // 1 / (1 + exp(-1)), and for Black the rest.
        let (up, down) = (0.731_06, 0.268_94);
        let won = game(GameResult::WhiteWins);
        assert_near(&promises(&won, 0.0), [0.5, up, down]);
        // Half of each promise comes from the plies after it, and after the last one from the result.
        let last = f32::midpoint(down, 1.0);
        let middle = f32::midpoint(up, last);
        assert_near(&promises(&won, 1.0), [f32::midpoint(0.5, middle), middle, last]);
        assert_near(&promises(&won, 1e9), [1.0; 3]);
        assert_near(&promises(&game(GameResult::BlackWins), 1e9), [0.0; 3]);
    }
}
