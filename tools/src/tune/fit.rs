//! Logistic regression on the weights: the losses, their slope, and Adam.

use std::f64::consts::PI;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

use anyhow::Result;
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use super::data::{Place, Point, Positions};

/// Middlegame and endgame halves by number of the weight, in centipawns.
pub type Weights = Vec<[f64; 2]>;

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
pub struct Settings {
    /// Most passes over the positions.
    pub epochs: usize,
    /// First step in centipawns.
    pub rate: f64,
    /// Positions a step.
    pub batch: usize,
    /// Share of the result in the goal.
    pub lambda: f64,
    /// How strongly weights are drawn to their start.
    pub l2: f64,
    /// Epochs without a better loss before the end.
    pub patience: usize,
    /// Seed of the order of positions.
    pub seed: u64,
    /// Threads; the outcome does not depend on them.
    pub threads: NonZeroUsize,
}

/// The losses after an epoch; epoch 0 is the start.
#[derive(Clone, Copy, Debug)]
pub struct Epoch {
    /// Its number.
    pub number: usize,
    /// Mean loss of the positions learnt from.
    pub training: f64,
    /// Mean loss of the positions held out; not a number without any.
    pub held_out: f64,
    /// The same by the games' results alone, whatever the goal.
    pub results: f64,
    /// Since the start.
    pub seconds: f64,
}

/// `work(0)`, `work(1)` ... in order, done by several threads.
pub(super) fn in_parallel<R: Send>(
    threads: NonZeroUsize,
    parts: usize,
    work: impl Fn(usize) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let run = || {
        let mut done = Vec::new();
        loop {
            let part = next.fetch_add(1, Ordering::Relaxed);
            if part >= parts {
                return done;
            }
            done.push((part, work(part)));
        }
    };
    let mut done = std::thread::scope(|scope| {
        // Threads that the system refuses are done without.
        let other = |_| std::thread::Builder::new().spawn_scoped(scope, run).ok();
        let others: Vec<_> = (1..threads.get().min(parts)).map_while(other).collect();
        let mut done = run();
        for other in others {
            match other.join() {
                Ok(more) => done.extend(more),
                Err(panic) => std::panic::resume_unwind(panic),
            }
        }
        done
    });
    done.sort_by_key(|&(part, _)| part);
    done.into_iter().map(|(_, result)| result).collect()
}

/// The probability with log odds `x`.
pub(super) fn sigmoid(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The cross entropy of a probability with log odds `x` and the true one.
fn cross_entropy(x: f64, truth: f64) -> f64 {
    (-x.abs()).exp().ln_1p() + x.max(0.0) - truth * x
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

fn result(point: &Point) -> f64 {
    f64::from(point.half_points) / 2.0
}

/// The probability to aim at.
fn goal(point: &Point, lambda: f64) -> f64 {
    lambda * result(point) + (1.0 - lambda) * f64::from(point.promise)
}

/// The mean loss; not a number without positions.
pub fn loss(set: &Positions, weights: &[[f64; 2]], scales: Scales, settings: &Settings) -> f64 {
    let sums = in_parallel(settings.threads, set.shards(), |shard| {
        let each = set.places(shard).map(|place| {
            let x = evaluation(set, place, weights).0 / scales.eval;
            cross_entropy(x, goal(set.point(place), settings.lambda))
        });
        each.sum::<f64>()
    });
    sums.iter().sum::<f64>() / set.len() as f64
}

/// Evaluations for White, shard by shard.
pub fn evaluations(set: &Positions, weights: &[[f64; 2]], threads: NonZeroUsize) -> Vec<f64> {
    let of_shard = |shard| set.places(shard).map(|place| evaluation(set, place, weights).0).collect();
    let shards: Vec<Vec<f64>> = in_parallel(threads, set.shards(), of_shard);
    shards.concat()
}

/// The root of the mean square of the evaluations.
pub fn size(set: &Positions, weights: &[[f64; 2]], threads: NonZeroUsize) -> f64 {
    let evals = evaluations(set, weights, threads);
    (evals.iter().map(|eval| eval * eval).sum::<f64>() / evals.len() as f64).sqrt()
}

impl Scales {
    /// The scales with which the evaluation by these weights and the searched score tell the results best.
    pub fn fit(set: &Positions, weights: &[[f64; 2]], threads: NonZeroUsize) -> Self {
        // More positions than these change nothing.
        const ENOUGH: usize = 500_000;
        let evals = evaluations(set, weights, threads);
        let places = (0..set.shards()).flat_map(|shard| set.places(shard));
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
    mean: Weights,
    square: Weights,
    steps: i32,
}

impl Adam {
    const KEEP_MEAN: f64 = 0.9;
    const KEEP_SQUARE: f64 = 0.999;
    const TINY: f64 = 1e-12;

    fn new(weights: usize) -> Self {
        Self { mean: vec![[0.0; 2]; weights], square: vec![[0.0; 2]; weights], steps: 0 }
    }

    fn step(&mut self, weights: &mut Weights, slope: &Weights, rate: f64) {
        self.steps += 1;
        let correction = [Self::KEEP_MEAN, Self::KEEP_SQUARE].map(|keep| 1.0 - keep.powi(self.steps));
        for (number, slopes) in slope.iter().enumerate() {
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

/// Parts of a batch, each summed up by one thread: their number decides how sums are rounded, so it is fixed.
const PARTS: usize = 32;

/// The slope of the mean loss over some positions.
fn slope(
    set: &Positions,
    batch: &[Place],
    weights: &Weights,
    scales: Scales,
    settings: &Settings,
) -> Weights {
    let parts: Vec<_> = batch.chunks(batch.len().div_ceil(PARTS)).collect();
    let sums = in_parallel(settings.threads, parts.len(), |part| {
        let mut sum = vec![[0.0; 2]; weights.len()];
        for &place in parts[part] {
            let (eval, factors) = evaluation(set, place, weights);
            let goal = goal(set.point(place), settings.lambda);
            let error = sigmoid(eval / scales.eval) - goal;
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
    for sum in sums {
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
/// If `report` fails.
pub fn fit(
    training: &Positions,
    held_out: &Positions,
    start: &Weights,
    scales: Scales,
    settings: &Settings,
    mut report: impl FnMut(&Epoch) -> Result<()>,
) -> Result<Weights> {
    let started = Instant::now();
    let judge = |number, weights: &Weights| Epoch {
        number,
        training: loss(training, weights, scales, settings),
        held_out: loss(held_out, weights, scales, settings),
        results: loss(held_out, weights, scales, &Settings { lambda: 1.0, ..*settings }),
        seconds: started.elapsed().as_secs_f64(),
    };
    let decisive = |epoch: &Epoch| if held_out.len() > 0 { epoch.held_out } else { epoch.training };

    let first = judge(0, start);
    report(&first)?;
    let mut best = (decisive(&first), 0, start.clone());
    let mut weights = start.clone();
    let mut adam = Adam::new(weights.len());
    let mut rng = ChaCha8Rng::seed_from_u64(settings.seed);
    let mut order: Vec<_> = (0..training.shards()).flat_map(|shard| training.places(shard)).collect();
    let batches = order.len().div_ceil(settings.batch.max(1));
    let steps = (settings.epochs * batches).max(1);
    let mut step = 0;
    for number in 1..=settings.epochs {
        order.shuffle(&mut rng);
        for batch in order.chunks(settings.batch.max(1)) {
            let mut slope = slope(training, batch, &weights, scales, settings);
            pull(&mut slope, &weights, start, settings.l2 / (scales.eval * scales.eval));
            let along = step as f64 / steps as f64;
            let rate = settings.rate * (0.505 + 0.495 * (PI * along).cos());
            adam.step(&mut weights, &slope, rate);
            step += 1;
        }
        let epoch = judge(number, &weights);
        report(&epoch)?;
        if decisive(&epoch) < best.0 {
            best = (decisive(&epoch), number, weights.clone());
        } else if number - best.1 >= settings.patience.max(1) {
            break;
        }
    }
    Ok(best.2)
}

/// Adds the pull towards the start to a slope.
fn pull(slope: &mut Weights, weights: &Weights, start: &Weights, strength: f64) {
    for ((slope, weight), start) in slope.iter_mut().zip(weights).zip(start) {
        for half in [0, 1] {
            slope[half] += strength * (weight[half] - start[half]);
        }
    }
}
