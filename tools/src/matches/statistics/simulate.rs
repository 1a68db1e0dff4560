//! Simulated tests: how long a test of given bounds takes, and how often it errs.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use thiserror::Error;

use super::elo::expected_score;
use super::{Pentanomial, Sprt, SprtState};

/// A simple model of the pairs of a match.
///
/// Both games of a pair begin from an opening that is worth `bias` Elo to White, and the engines exchange the
/// colours. The games are independent given the opening; a game is drawn with the probability `draw_ratio`, or
/// less where that leaves no room for the expected score (a score s has at most 2 min(s, 1 - s) draws).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct PairModel {
    /// The true difference, in logistic Elo of the mean score, by which the first engine is stronger.
    pub elo: f64,
    /// The share of drawn games, 0 to 1.
    pub draw_ratio: f64,
    /// The advantage of the openings for White, in Elo.
    pub bias: f64,
}

/// An error in a [`PairModel`].
#[derive(Debug, Clone, Copy, PartialEq, Error)]
#[non_exhaustive]
pub enum ModelError {
    /// A difference or a bias out of range.
    #[error("{name}: {elo} Elo is not within -1000 to 1000")]
    Elo {
        /// `elo` or `bias`.
        name: &'static str,
        /// Its value.
        elo: f64,
    },
    /// A draw ratio out of range.
    #[error("draw ratio {ratio} is not within 0 to 1")]
    DrawRatio {
        /// The ratio.
        ratio: f64,
    },
}

/// The results of simulated tests.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Simulated {
    /// Tests simulated.
    pub tests: u64,
    /// Tests that accepted H1.
    pub accepted_h1: u64,
    /// Tests that accepted H0.
    pub accepted_h0: u64,
    /// The pairs of all tests together.
    pub pairs: u64,
}

impl PairModel {
    /// The probabilities of 0, 0.5, 1, 1.5 and 2 points for the first engine in a pair.
    pub fn distribution(&self) -> Result<[f64; 5], ModelError> {
        for (name, elo) in [("elo", self.elo), ("bias", self.bias)] {
            if !(-1000.0..=1000.0).contains(&elo) {
                return Err(ModelError::Elo { name, elo });
            }
        }
        if !(0.0..=1.0).contains(&self.draw_ratio) {
            return Err(ModelError::DrawRatio { ratio: self.draw_ratio });
        }
        // The opening flattens the curve: a larger difference in a game makes up for it.
        let [as_white, as_black] = [self.bias, -self.bias];
        let mean =
            |strength: f64| (expected_score(strength + as_white) + expected_score(strength + as_black)) / 2.0;
        let target = expected_score(self.elo);
        let reach = self.elo.abs() + self.bias.abs();
        let (mut low, mut high) = (-reach, reach);
        for _ in 0..100 {
            let middle = low + (high - low) / 2.0;
            if mean(middle) < target {
                low = middle;
            } else {
                high = middle;
            }
        }
        let strength = low + (high - low) / 2.0;
        let [white, black] = [as_white, as_black].map(|bias| self.game(expected_score(strength + bias)));
        let mut pair = [0.0; 5];
        for (i, p) in white.into_iter().enumerate() {
            for (j, q) in black.into_iter().enumerate() {
                pair[i + j] += p * q;
            }
        }
        Ok(pair)
    }

    /// The probabilities of loss, draw and win at an expected score.
    fn game(&self, score: f64) -> [f64; 3] {
        let draw = self.draw_ratio.min(2.0 * score.min(1.0 - score));
        [1.0 - score - draw / 2.0, draw, score - draw / 2.0]
    }
}

impl Simulated {
    /// The share of tests that accepted H1, 0 to 1 (0 without tests).
    pub fn h1_share(&self) -> f64 {
        self.accepted_h1 as f64 / self.tests.max(1) as f64
    }

    /// The share of tests that accepted H0, 0 to 1 (0 without tests).
    pub fn h0_share(&self) -> f64 {
        self.accepted_h0 as f64 / self.tests.max(1) as f64
    }

    /// The mean length of a test, in pairs (0 without tests).
    pub fn mean_pairs(&self) -> f64 {
        self.pairs as f64 / self.tests.max(1) as f64
    }
}

/// Simulates `tests` tests of pairs from the model. A test is looked at after every pair, and given up without
/// a decision after `max_pairs`. The same seed gives the same results.
pub fn simulate(
    sprt: &Sprt,
    model: &PairModel,
    tests: u64,
    max_pairs: u64,
    seed: u64,
) -> Result<Simulated, ModelError> {
    let mut sum = 0.0;
    let ends = model.distribution()?.map(|p| {
        sum += p;
        sum
    });
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut simulated = Simulated { tests, accepted_h1: 0, accepted_h0: 0, pairs: 0 };
    for _ in 0..tests {
        let mut pairs = Pentanomial::default();
        for _ in 0..max_pairs {
            let sample = rng.random::<f64>();
            pairs.counts[ends[..4].iter().filter(|&&end| end <= sample).count()] += 1;
            simulated.pairs += 1;
            match sprt.state(sprt.llr(&pairs)) {
                SprtState::Continue => continue,
                SprtState::AcceptH0 => simulated.accepted_h0 += 1,
                SprtState::AcceptH1 => simulated.accepted_h1 += 1,
            }
            break;
        }
    }
    Ok(simulated)
}

#[cfg(test)]
mod tests {
    use super::super::SprtModel;
    use super::*;

    #[test]
    fn pairs_of_the_model() {
        for (elo, draw_ratio, bias) in
            [(0.0, 0.0, 0.0), (10.0, 0.4, 80.0), (-300.0, 0.9, 200.0), (900.0, 0.5, -1000.0)]
        {
            let pair = PairModel { elo, draw_ratio, bias }.distribution().unwrap();
            assert!(pair.iter().all(|p| (0.0..=1.0).contains(p)), "{pair:?}");
            let [sum, points] =
                pair.iter().zip(0..).fold([0.0, 0.0], |[s, m], (p, i)| [s + p, m + p * f64::from(i)]);
            assert!(
                (sum - 1.0).abs() < 1e-12 && (points / 4.0 - expected_score(elo)).abs() < 1e-12,
                "{pair:?}"
            );
        }
        let pair = PairModel { elo: 0.0, draw_ratio: 0.5, bias: 0.0 }.distribution().unwrap();
        assert!(pair.iter().zip([1.0, 4.0, 6.0, 4.0, 1.0]).all(|(p, n)| (p - n / 16.0).abs() < 1e-12));
    }

    #[test]
    fn models_out_of_range() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
        for (elo, draw_ratio, bias, error) in [
            (f64::NAN, 0.5, 0.0, "elo: NaN Elo is not within -1000 to 1000"),
            (0.0, 1.5, 0.0, "draw ratio 1.5 is not within 0 to 1"),
            (0.0, 0.5, 2e3, "bias: 2000 Elo is not within -1000 to 1000"),
        ] {
            let model = PairModel { elo, draw_ratio, bias };
            assert_eq!(simulate(&sprt, &model, 1, 1, 0).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn undecided_tests() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, SprtModel::Normalized).unwrap();
        let model = PairModel { elo: 5.0, draw_ratio: 0.5, bias: 0.0 };
        let simulated = simulate(&sprt, &model, 10, 20, 0).unwrap();
        assert_eq!(simulated, Simulated { tests: 10, accepted_h1: 0, accepted_h0: 0, pairs: 200 });
        assert_eq!((simulated.h1_share(), simulated.h0_share(), simulated.mean_pairs()), (0.0, 0.0, 20.0));
        assert_eq!(simulate(&sprt, &model, 0, 20, 0).unwrap().mean_pairs(), 0.0);
    }

    #[test]
    fn error_rates() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.05, SprtModel::Logistic).unwrap();
        let run = |elo| {
            let model = PairModel { elo, draw_ratio: 0.4, bias: 50.0 };
            let simulated = simulate(&sprt, &model, 2000, 1_000_000, 20_240_229).unwrap();
            assert_eq!(simulated.accepted_h0 + simulated.accepted_h1, simulated.tests);
            simulated
        };
        let [h0, h1] = [run(0.0), run(10.0)];
        for rate in [h0.h1_share(), h1.h0_share()] {
            assert!((0.025..=0.065).contains(&rate), "{rate}");
        }
    }
}
