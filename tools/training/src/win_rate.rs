//! Fits the win rate model to games: logistic regression by Newton's method.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use nalgebra::{SMatrix, SVector};
use sakmak_engine::score::is_decisive;
use sakmak_engine::win_rate::{FEATURES, WinRateModel, compressed, features};

use sakmak_dataset::games::{DataError, GameRecord, GameResult, Reader};

/// Number of parameters: the weights of the slope, then those of the offset.
const PARAMETERS: usize = 2 * FEATURES;
/// Maximum of Newton steps; five or six suffice.
const STEPS: usize = 50;
/// The fit has converged when no parameter changes by more.
const TOLERANCE: f64 = 1e-6;
/// Pull of the parameters towards 0, in samples: it settles those of features that never occur.
const PRIOR: f64 = 0.01;

type Vector = SVector<f64, PARAMETERS>;
type Matrix = SMatrix<f64, PARAMETERS, PARAMETERS>;

/// A position of a game as input of the model.
#[derive(Clone, Copy, Debug)]
pub struct WinRateSample {
    /// Score in internal units, for the side to move.
    pub score: i32,
    /// See [`features`].
    pub features: [f64; FEATURES],
    /// Whether the side to move won, and whether it lost.
    pub won_lost: [bool; 2],
    /// The move number, counted from the start of the game.
    pub move_number: u32,
}

/// The positions of games whose scores are evaluations. An incomplete last game is left out, and `warn` is called.
///
/// # Errors
/// If a file cannot be read or is damaged.
pub fn read(files: &[PathBuf], warn: &mut dyn FnMut(&Path, &DataError)) -> Result<Vec<WinRateSample>> {
    let mut all = Vec::new();
    for path in files {
        let name = || path.display().to_string();
        for game in Reader::open(path).with_context(name)? {
            match game {
                Ok(game) => all.extend(samples(&game)),
                Err(error) if error.is_cut() => warn(path, &error),
                Err(error) => return Err(error).with_context(name),
            }
        }
    }
    Ok(all)
}

fn samples(game: &GameRecord) -> Vec<WinRateSample> {
    let mut position = game.start.clone();
    let mut samples = Vec::with_capacity(game.plies.len());
    for ply in &game.plies {
        let score = i32::from(ply.score);
        if !is_decisive(score) {
            let winner = |color| game.result == GameResult::won_by(color);
            let us = position.side_to_move();
            samples.push(WinRateSample {
                score,
                features: features(&position),
                won_lost: [winner(us), winner(!us)],
                move_number: position.fullmove_number(),
            });
        }
        position.play_unchecked(ply.mv);
    }
    samples
}

/// The maximum-likelihood model. Every sample counts as two results: whether it was won, and whether it was lost.
///
/// `None` if the samples do not determine it: too few, or all with one result.
pub fn fit(samples: &[WinRateSample]) -> Option<WinRateModel> {
    let won = samples.iter().filter(|sample| sample.won_lost != [false, false]).count();
    if won == 0 || won == samples.len() {
        return None;
    }
    let mut numbers = Vector::zeros();
    for _ in 0..STEPS {
        let mut gradient = -PRIOR * numbers;
        let mut curvature = Matrix::identity() * PRIOR;
        for sample in samples {
            for (score, is_won) in [(sample.score, sample.won_lost[0]), (-sample.score, sample.won_lost[1])] {
                let inputs = Vector::from_fn(|number, _| {
                    let feature = sample.features[number % FEATURES];
                    if number < FEATURES { feature * compressed(score) } else { -feature }
                });
                let chance = 1.0 / (1.0 + (-inputs.dot(&numbers)).exp());
                gradient += inputs * (f64::from(u8::from(is_won)) - chance);
                curvature += inputs * inputs.transpose() * (chance * (1.0 - chance));
            }
        }
        let step = curvature.cholesky()?.solve(&gradient);
        numbers += step;
        if step.amax() < TOLERANCE {
            return Some(model(&numbers));
        }
    }
    None
}

/// The log loss of the model: mean of the negative logarithms of the chances that it gave to the actual results, in
/// nats; each sample is two results as in [`fit`]. NaN without samples.
pub fn log_loss(samples: &[WinRateSample], model: &WinRateModel) -> f64 {
    let surprise = |sample: &WinRateSample| {
        let [won, lost] = sample.won_lost;
        let result = |score, happened| {
            let chance = model.win_chance(score, &sample.features);
            -(if happened { chance } else { 1.0 - chance }).ln()
        };
        result(sample.score, won) + result(-sample.score, lost)
    };
    samples.iter().map(surprise).sum::<f64>() / (2 * samples.len()) as f64
}

fn model(numbers: &Vector) -> WinRateModel {
    let part = |from: usize| std::array::from_fn(|number| numbers[from + number]);
    WinRateModel { slope: part(0), offset: part(FEATURES) }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    fn drawn_from(model: &WinRateModel, number: usize) -> Vec<WinRateSample> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let sample = |_| {
            let score = rng.random_range(-1_500..=1_500);
            let material = rng.random_range(0.05..1.0);
            let features = [1.0, material, material * material, rng.random_range(0.0..1.0)];
            let [win, loss] = [score, -score].map(|score| model.win_chance(score, &features));
            let chance = rng.random_range(0.0..1.0);
            let won_lost = [chance < win, chance > 1.0 - loss];
            WinRateSample { score, features, won_lost, move_number: 32 }
        };
        (0..number).map(sample).collect()
    }

    #[test]
    fn the_model_that_drew_the_results_has_the_least_loss() {
        let model = WinRateModel { slope: [2.0, -1.5, 0.5, 0.4], offset: [5.0, -6.0, 3.0, 1.0] };
        let samples = drawn_from(&model, 20_000);
        for factor in [0.8, 1.2] {
            let other = WinRateModel { slope: model.slope.map(|weight| weight * factor), ..model };
            assert!(log_loss(&samples, &other) > log_loss(&samples, &model), "{factor}");
        }
        // If every chance is one half, all results have the same loss.
        let even = WinRateModel { slope: [0.0; FEATURES], offset: [0.0; FEATURES] };
        assert!((log_loss(&samples, &even) - std::f64::consts::LN_2).abs() < 1e-9);
    }

    #[test]
    fn a_model_is_found_again_from_results_drawn_by_it() {
        let model = WinRateModel { slope: [2.0, -1.5, 0.5, 0.4], offset: [5.0, -6.0, 3.0, 1.0] };
        let found = fit(&drawn_from(&model, 60_000)).unwrap();
        for material in [0.1, 0.5, 0.9] {
            let features = [1.0, material, material * material, 0.3];
            for score in (-600..=600).step_by(100) {
                let [found, model] = [&found, &model].map(|model| model.win_chance(score, &features));
                assert!((found - model).abs() < 0.02, "{score} {material}: {found}, not {model}");
            }
        }
    }

    #[test]
    fn results_of_one_kind_fit_no_model() {
        let model = WinRateModel { slope: [1.0, 0.0, 0.0, 0.0], offset: [3.0, 0.0, 0.0, 0.0] };
        let mut samples = drawn_from(&model, 100);
        for sample in &mut samples {
            sample.won_lost = [false, false];
        }
        assert_eq!(fit(&samples), None);
        assert_eq!(fit(&[]), None);
    }
}
