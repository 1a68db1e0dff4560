//! Logistic regression on the weights: the losses, their gradient, and Adam.
//!
//! All functions use the current thread pool of rayon; no result depends on its size.

use std::f64::consts::PI;
use std::time::Instant;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use rayon::prelude::*;

use super::samples::{Place, Places, Positions, TrainingPoint};

/// Middlegame and endgame halves by number of the weight, in centipawns.
pub type WeightVector = Vec<[f64; 2]>;

/// Centipawns that multiply the odds of winning by e.
#[derive(Clone, Copy, Debug)]
pub struct Scales {
    /// Of the evaluation.
    pub eval: f64,
    /// Of the searched score.
    pub score: f64,
}

/// How to fit.
#[derive(Clone, Copy, Debug)]
pub struct FitSettings {
    /// Most passes over the positions.
    pub epochs: usize,
    /// First step in centipawns.
    pub rate: f64,
    /// Positions a step.
    pub batch: usize,
    /// Share of the result in the target.
    pub lambda: f64,
    /// Strength of the L2 penalty on the distance from the start.
    pub l2: f64,
    /// Epochs without a better loss before the end.
    pub patience: usize,
    /// Seed of the order of positions.
    pub seed: u64,
}

/// The losses after an epoch; epoch 0 is the start.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Its number.
    pub number: usize,
    /// Mean loss of the training positions.
    pub training: f64,
    /// Mean loss of the positions held out; not a number without any.
    pub held_out: f64,
    /// The same by the games' results alone, whatever `lambda`.
    pub results: f64,
    /// Since the start.
    pub seconds: f64,
}

/// The probability with log odds `x`.
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross entropy of a probability with log odds `x` and the true one.
fn cross_entropy(x: f64, target: f64) -> f64 {
    (-x.abs()).exp().ln_1p() + x.max(0.0) - target * x
}

/// The evaluation for White, and what a centipawn of either half counts.
fn evaluation(set: &Positions, place: Place, weights: &[[f64; 2]]) -> (f64, [f64; 2]) {
    let mut halves = [0.0; 2];
    for (number, count) in set.counts(place) {
        let [middlegame, endgame] = weights[number];
        halves[0] += count * middlegame;
        halves[1] += count * endgame;
    }
    let (factors, more) = set.point(place).scaling.factors(halves);
    (halves[0] * factors[0] + halves[1] * factors[1] + more, factors)
}

fn result(point: &TrainingPoint) -> f64 {
    f64::from(point.half_points) / 2.0
}

/// The probability to fit.
fn target(point: &TrainingPoint, lambda: f64) -> f64 {
    lambda * result(point) + (1.0 - lambda) * f64::from(point.prediction)
}

/// The mean loss; not a number without positions.
pub fn loss(set: &Positions, weights: &[[f64; 2]], scales: Scales, lambda: f64) -> f64 {
    let sums: Vec<f64> = by_block(set, |places| {
        let each = places.map(|place| {
            let x = evaluation(set, place, weights).0 / scales.eval;
            cross_entropy(x, target(set.point(place), lambda))
        });
        each.sum()
    });
    sums.iter().sum::<f64>() / set.len() as f64
}

/// The results of all blocks in their order, whatever the threads: sums of them are always rounded in the same way.
fn by_block<R: Send>(set: &Positions, work: impl Fn(Places) -> R + Sync) -> Vec<R> {
    (0..set.blocks()).into_par_iter().map(|block| work(set.places(block))).collect()
}

/// Evaluations for White in centipawns, block by block.
pub fn evaluations(set: &Positions, weights: &[[f64; 2]]) -> Vec<f64> {
    by_block(set, |places| places.map(|place| evaluation(set, place, weights).0).collect::<Vec<_>>()).concat()
}

/// The root of the mean square of the evaluations.
pub fn root_mean_square(set: &Positions, weights: &[[f64; 2]]) -> f64 {
    let evals = evaluations(set, weights);
    (evals.iter().map(|eval| eval * eval).sum::<f64>() / evals.len() as f64).sqrt()
}

impl Scales {
    /// The scales with which the evaluation by these weights and the searched score predict the results best.
    pub fn fit(set: &Positions, weights: &[[f64; 2]]) -> Self {
        // More positions than these change nothing.
        const ENOUGH: usize = 500_000;
        let evals = evaluations(set, weights);
        let places = (0..set.blocks()).flat_map(|block| set.places(block));
        let rows = evals.iter().zip(places).map(|(&eval, place)| {
            let point = set.point(place);
            (eval, f64::from(point.score), result(point))
        });
        let rows: Vec<_> = rows.step_by(set.len() / ENOUGH + 1).collect();
        let best = |score: fn(&(f64, f64, f64)) -> f64| {
            line_search(|scale| rows.iter().map(|row| cross_entropy(score(row) / scale, row.2)).sum())
        };
        Self { eval: best(|row| row.0), score: best(|row| row.1) }
    }
}

/// The scale with the least loss, by golden section on its logarithm.
fn line_search(loss: impl Fn(f64) -> f64) -> f64 {
    const SMALLEST: f64 = 20.0;
    const LARGEST: f64 = 2_000.0;
    let golden = (5.0_f64.sqrt() - 1.0) / 2.0;
    let (mut low, mut high) = (SMALLEST.ln(), LARGEST.ln());
    let at = |x: f64| loss(x.exp());
    let mut inner = [high - golden * (high - low), low + golden * (high - low)];
    let mut losses = inner.map(at);
    while high - low > 1e-4 {
        if losses[0] < losses[1] {
            high = inner[1];
            inner = [high - golden * (high - low), inner[0]];
            losses = [at(inner[0]), losses[0]];
        } else {
            low = inner[0];
            inner = [inner[1], low + golden * (high - low)];
            losses = [losses[1], at(inner[1])];
        }
    }
    f64::midpoint(low, high).exp()
}

/// Adam by Kingma and Ba (2014).
struct Adam {
    mean: WeightVector,
    square: WeightVector,
    steps: i32,
}

impl Adam {
    const KEEP_MEAN: f64 = 0.9;
    const KEEP_SQUARE: f64 = 0.999;
    const TINY: f64 = 1e-12;

    fn new(weights: usize) -> Self {
        Self { mean: vec![[0.0; 2]; weights], square: vec![[0.0; 2]; weights], steps: 0 }
    }

    fn step(&mut self, weights: &mut WeightVector, gradient: &WeightVector, rate: f64) {
        self.steps += 1;
        let correction = [Self::KEEP_MEAN, Self::KEEP_SQUARE].map(|keep| 1.0 - keep.powi(self.steps));
        for (number, slopes) in gradient.iter().enumerate() {
            for (half, &slope) in slopes.iter().enumerate() {
                let mean = &mut self.mean[number][half];
                *mean = Self::KEEP_MEAN * *mean + (1.0 - Self::KEEP_MEAN) * slope;
                let square = &mut self.square[number][half];
                *square = Self::KEEP_SQUARE * *square + (1.0 - Self::KEEP_SQUARE) * slope * slope;
                let spread = (*square / correction[1]).sqrt();
                weights[number][half] -= rate * *mean / correction[0] / (spread + Self::TINY);
            }
        }
    }
}

/// Parts of a batch, each summed by one thread. Their number decides how sums are rounded, so it is fixed.
const PARTS: usize = 32;

/// The gradient of the mean loss over some positions.
fn gradient(
    set: &Positions,
    batch: &[Place],
    weights: &WeightVector,
    scales: Scales,
    lambda: f64,
) -> WeightVector {
    let parts = batch.par_chunks(batch.len().div_ceil(PARTS));
    let sums = parts.map(|part| {
        let mut sum = vec![[0.0; 2]; weights.len()];
        for &place in part {
            let (eval, factors) = evaluation(set, place, weights);
            let target = target(set.point(place), lambda);
            let error = sigmoid(eval / scales.eval) - target;
            let by_half = factors.map(|factor| error * factor);
            for (number, count) in set.counts(place) {
                sum[number][0] += count * by_half[0];
                sum[number][1] += count * by_half[1];
            }
        }
        sum
    });
    let share = 1.0 / (scales.eval * batch.len() as f64);
    let mut total = vec![[0.0; 2]; weights.len()];
    for sum in sums.collect::<Vec<_>>() {
        for (total, sum) in total.iter_mut().zip(sum) {
            total[0] += share * sum[0];
            total[1] += share * sum[1];
        }
    }
    total
}

/// Fits the weights and returns those with the best loss on the positions held out, or on all if none are.
///
/// # Errors
/// Those of `report`.
pub fn fit<E>(
    training: &Positions,
    held_out: &Positions,
    start: &WeightVector,
    scales: Scales,
    settings: &FitSettings,
    mut report: impl FnMut(&Epoch) -> Result<(), E>,
) -> Result<WeightVector, E> {
    let started = Instant::now();
    let measure = |number, weights: &WeightVector| Epoch {
        number,
        training: loss(training, weights, scales, settings.lambda),
        held_out: loss(held_out, weights, scales, settings.lambda),
        results: loss(held_out, weights, scales, 1.0),
        seconds: started.elapsed().as_secs_f64(),
    };
    let decisive = |epoch: &Epoch| if held_out.is_empty() { epoch.training } else { epoch.held_out };

    let first = measure(0, start);
    report(&first)?;
    let mut best = (decisive(&first), 0, start.clone());
    let mut weights = start.clone();
    let mut adam = Adam::new(weights.len());
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut order: Vec<_> = (0..training.blocks()).flat_map(|block| training.places(block)).collect();
    let batches = order.len().div_ceil(settings.batch.max(1));
    let steps = (settings.epochs * batches).max(1);
    let mut step = 0;
    for number in 1..=settings.epochs {
        order.shuffle(&mut rng);
        for batch in order.chunks(settings.batch.max(1)) {
            let mut gradient = gradient(training, batch, &weights, scales, settings.lambda);
            add_l2(&mut gradient, &weights, start, settings.l2 / (scales.eval * scales.eval));
            let along = step as f64 / steps as f64;
            let rate = settings.rate * (0.505 + 0.495 * (PI * along).cos());
            adam.step(&mut weights, &gradient, rate);
            step += 1;
        }
        let epoch = measure(number, &weights);
        report(&epoch)?;
        if decisive(&epoch) < best.0 {
            best = (decisive(&epoch), number, weights.clone());
        } else if number - best.1 >= settings.patience.max(1) {
            break;
        }
    }
    Ok(best.2)
}

/// Adds the gradient of the L2 penalty on the distance from the start.
fn add_l2(gradient: &mut WeightVector, weights: &WeightVector, start: &WeightVector, strength: f64) {
    for ((gradient, weight), start) in gradient.iter_mut().zip(weights).zip(start) {
        for half in [0, 1] {
            gradient[half] += strength * (weight[half] - start[half]);
        }
    }
}
