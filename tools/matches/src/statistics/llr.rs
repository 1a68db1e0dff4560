//! The generalized log-likelihood ratio of multinomial results: the likelihood under the best-fitting distribution with
//! one strength against that with another.
//!
//! Generalized SPRT: X. Li, J. Liu, Z. Ying, "Generalized sequential probability ratio test for separate
//! families of hypotheses" (2014). Multinomial maximum likelihood: Michel Van den Bergh, Fishtest documents
//! `support_MLE_multinomial.pdf` (given mean) and `normalized_elo_practical.pdf`, section 4.1 (given t value).

use super::SCORES;

/// The weight of a result that has not occurred, in trials: without it a likelihood could be zero.
const PRIOR: f64 = 1e-3;

/// Maximum of iterations of the solvers, which need about 5.
const MAX_ITERATIONS: usize = 200;

/// Trials by score, regularised: results that can occur but have not are counted as [`PRIOR`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct RegularizedCounts([f64; 5]);

impl RegularizedCounts {
    /// The weights of counts by score; single games (`games_per_trial` 1) cannot score 1/4 or 3/4.
    pub(super) fn new(by_score: [u64; 5], games_per_trial: u8) -> Self {
        let step = if games_per_trial == 1 { 2 } else { 1 };
        let mut weights = [0.0; 5];
        for (weight, count) in weights.iter_mut().zip(by_score).step_by(step) {
            *weight = if count == 0 { PRIOR } else { count as f64 };
        }
        Self(weights)
    }

    /// The values of a function of the score; 0 for scores that cannot occur, which drop out of all sums.
    fn values(&self, function: impl Fn(f64) -> f64) -> [f64; 5] {
        let mut values = [0.0; 5];
        for ((value, score), _) in
            values.iter_mut().zip(SCORES).zip(self.0).filter(|(_, weight)| *weight > 0.0)
        {
            *value = function(score);
        }
        values
    }

    /// The maximum log-likelihood of a distribution with the mean `score` (strictly between 0 and 1), less that of the
    /// observed frequencies.
    pub(super) fn at_score(&self, score: f64) -> f64 {
        let values = self.values(|s| s - score);
        self.log_likelihood(&values, self.secular(&values))
    }

    /// The maximum log-likelihood of a distribution with the t value `t` per trial, (mean - 1/2) / sigma, less that of
    /// the observed frequencies.
    ///
    /// The constraint is linear in the probabilities once mean and sigma are known. So this is a fixed-point iteration:
    /// mean and sigma come from the solution of the last such problem, at first from the distribution on the scores 0
    /// and 1 that has the t value.
    pub(super) fn at_t_value(&self, t: f64) -> f64 {
        let n = self.0.iter().sum::<f64>();
        let mut sigma = 0.5 / (1.0 + t * t).sqrt();
        let mut mean = 0.5 + t * sigma;
        let (mut values, mut x) = ([0.0; 5], 0.0);
        for _ in 0..MAX_ITERATIONS {
            let last = (mean, sigma);
            values = self.values(|s| s - 0.5 - t / 2.0 * (sigma + (s - mean).powi(2) / sigma));
            x = self.secular(&values);
            let mut likeliest = [0.0; 5];
            for ((p, weight), value) in likeliest.iter_mut().zip(self.0).zip(values) {
                *p = weight / n / (1.0 + x * value);
            }
            mean = likeliest.iter().zip(SCORES).map(|(p, s)| p * s).sum::<f64>();
            sigma = likeliest.iter().zip(SCORES).map(|(p, s)| p * (s - mean).powi(2)).sum::<f64>().sqrt();
            if (mean - last.0).abs() < 1e-12 && (sigma - last.1).abs() < 1e-12 {
                break;
            }
        }
        self.log_likelihood(&values, x)
    }

    /// The log-likelihood of the distribution weight / (1 + x value), less that of the observed frequencies.
    fn log_likelihood(&self, values: &[f64; 5], x: f64) -> f64 {
        -self.0.iter().zip(values).map(|(weight, value)| weight * (x * value).ln_1p()).sum::<f64>()
    }

    /// The root x of the secular equation: sum of weight value / (1 + x value) = 0, at which weight / (1 + x value) is
    /// the likeliest distribution with the mean value 0. The left side falls from infinity to minus infinity between
    /// the poles of the largest and the smallest value. Newton steps, bisection where they leave the interval.
    fn secular(&self, values: &[f64; 5]) -> f64 {
        let (mut min, mut max, mut sum, mut squares) = (0.0_f64, 0.0_f64, 0.0, 0.0);
        for (&weight, &value) in self.0.iter().zip(values) {
            (min, max) = (min.min(value), max.max(value));
            sum += weight * value;
            squares += weight * value * value;
        }
        // All values of one sign: no distribution has the mean 0.
        if min == 0.0 || max == 0.0 {
            return 0.0;
        }
        let (first, last) = (-1.0 / max, -1.0 / min);
        let (mut low, mut high) = (first, last);
        let mut x = sum / squares;
        for _ in 0..MAX_ITERATIONS {
            if !(x > low && x < high) {
                x = low + (high - low) / 2.0;
            }
            let (mut f, mut slope) = (0.0, 0.0);
            for (&weight, &value) in self.0.iter().zip(values) {
                let q = value / (1.0 + x * value);
                f += weight * q;
                slope += weight * q * q;
            }
            if f > 0.0 {
                low = x;
            } else {
                high = x;
            }
            // Newton's method doubles the correct digits, so half of them suffice before the last step. The scale of
            // the function is the distance to the poles.
            let step = f / slope;
            let tolerance = (1e-9 * (x - first).min(last - x)).max(1e-15 * (last - first));
            if step.abs() <= tolerance || high - low <= tolerance {
                break;
            }
            x += step;
        }
        x
    }
}
