//! Rating differences of a match and how sure they are.

use std::f64::consts::{FRAC_1_SQRT_2, LN_10};
use std::fmt;

use serde::{Deserialize, Serialize};

use super::Moments;

/// The two-sided 95% quantile of the normal distribution.
pub(super) const Z95: f64 = 1.959_963_984_540_054;

/// Normalised Elo of a t value of 1 per game: 800 / ln 10. Near 0 and with the variance of games without
/// draws, a normalised Elo is a logistic one (Van den Bergh, "Normalized Elo").
pub(super) const ELO_PER_T: f64 = 800.0 / LN_10;

/// A rating difference with its 95% interval, in Elo or in normalised Elo. Numbers can be infinite, never NaN.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate itself.
    #[serde(with = "extended")]
    pub value: f64,
    /// The lower end of the interval.
    #[serde(with = "extended")]
    pub low: f64,
    /// The upper end of the interval.
    #[serde(with = "extended")]
    pub high: f64,
}

impl Estimate {
    /// Half the width of the interval: the `+/-` of Cute Chess and fastchess.
    pub fn error(&self) -> f64 {
        (self.high - self.low) / 2.0
    }
}

impl fmt::Display for Estimate {
    /// Writes `+12.3 [-4.0, +28.6]`; infinite numbers are `+inf` and `-inf`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Avoids "-0.0".
        let [value, low, high] =
            [self.value, self.low, self.high].map(|x| if x.abs() < 0.05 { 0.0 } else { x });
        write!(f, "{value:+.1} [{low:+.1}, {high:+.1}]")
    }
}

/// The expected score, 0 to 1, of an engine that is `elo` Elo stronger (logistic curve).
pub(super) fn expected_score(elo: f64) -> f64 {
    1.0 / (1.0 + (-elo * LN_10 / 400.0).exp())
}

/// The Elo difference (logistic) at which `score`, clamped to 0 to 1, is expected; infinite at 0 and 1.
pub(crate) fn elo_from_score(score: f64) -> f64 {
    let score = score.clamp(0.0, 1.0);
    400.0 / LN_10 * (score.ln() - (-score).ln_1p())
}

/// The cumulative distribution function of the standard normal distribution.
pub(super) fn normal_cdf(z: f64) -> f64 {
    0.5 * libm::erfc(-z * FRAC_1_SQRT_2)
}

/// See [`super::Multinomial::elo`].
pub(super) fn logistic(Moments { mean, variance }: Moments, trials: u64) -> Estimate {
    let n = trials as f64;
    let (low, high) = if variance > 0.0 {
        let margin = Z95 * (variance / n).sqrt();
        (mean - margin, mean + margin)
    } else {
        let others = 1.0 - 0.025_f64.powf(1.0 / n);
        (mean * (1.0 - others), mean + (1.0 - mean) * others)
    };
    Estimate { value: elo_from_score(mean), low: elo_from_score(low), high: elo_from_score(high) }
}

/// See [`super::Multinomial::normalized_elo`]; `variance` is per game, and positive.
pub(super) fn normalized(mean: f64, variance: f64, games: u64) -> Estimate {
    let value = (mean - 0.5) / variance.sqrt() * ELO_PER_T;
    let error = Z95 * ELO_PER_T / (games as f64).sqrt();
    Estimate { value, low: value - error, high: value + error }
}

/// See [`super::Multinomial::los`].
pub(super) fn los(Moments { mean, variance }: Moments, trials: u64) -> f64 {
    let variance = if variance > 0.0 { variance } else { (mean - 0.5).powi(2) };
    if variance > 0.0 { normal_cdf((mean - 0.5) * (trials as f64 / variance).sqrt()) } else { 0.5 }
}

/// Serialises numbers that may be infinite as a number or as `inf` and `-inf`, for formats such as JSON that have
/// finite numbers only.
mod extended {
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    #[derive(Serialize, Deserialize)]
    #[serde(untagged)]
    enum Extended {
        Number(f64),
        Text(String),
    }

    pub(super) fn serialize<S: Serializer>(number: &f64, serializer: S) -> Result<S::Ok, S::Error> {
        let extended =
            if number.is_finite() { Extended::Number(*number) } else { Extended::Text(number.to_string()) };
        extended.serialize(serializer)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<f64, D::Error> {
        match Extended::deserialize(deserializer)? {
            Extended::Number(number) => Ok(number),
            Extended::Text(text) => match text.as_str() {
                "inf" => Ok(f64::INFINITY),
                "-inf" => Ok(f64::NEG_INFINITY),
                _ => Err(D::Error::custom(format!("'{text}' is neither a number nor inf nor -inf"))),
            },
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Multinomial, Pentanomial, Trinomial};
    use super::*;

    fn close(a: f64, b: f64, tolerance: f64) {
        assert!((a - b).abs() <= tolerance, "{a} is not {b} +/- {tolerance}");
    }

    #[test]
    fn logistic_curve() {
        close(expected_score(0.0), 0.5, 0.0);
        close(expected_score(400.0), 10.0 / 11.0, 1e-15);
        close(elo_from_score(10.0 / 11.0), 400.0, 1e-10);
        for elo in [-700.0, -3.5, 0.0, 0.001, 12.0, 900.0] {
            close(elo_from_score(expected_score(elo)), elo, 1e-9);
        }
        assert_eq!(elo_from_score(0.0), f64::NEG_INFINITY);
        assert_eq!(elo_from_score(1.5), f64::INFINITY);
    }

    #[test]
    fn normal_distribution() {
        // scipy.stats.norm.cdf
        for (z, p) in [
            (0.0, 0.5),
            (0.5, 0.691_462_461_274_013_1),
            (1.0, 0.841_344_746_068_542_9),
            (Z95, 0.975),
            (-3.0, 0.001_349_898_031_630_094_6),
            (5.0, 0.999_999_713_348_428_1),
            (-8.0, 6.220_960_574_271_784e-16),
        ] {
            close(normal_cdf(z), p, 2e-15);
        }
        assert_eq!((normal_cdf(40.0), normal_cdf(f64::NEG_INFINITY)), (1.0, 0.0));
    }

    // Counts with normalised Elo and error, Elo and error, LOS in percent, as published in the tests of
    // fastchess (app/tests/elo_test.cpp, which asks for 1%).
    #[test]
    fn pairs_of_fastchess() {
        for (counts, nelo, nelo_error, elo, error, los) in [
            ([34, 54, 63, 64, 75], 57.94, 28.28, 55.58, 27.65, 100.0),
            ([332, 433, 498, 333, 334], -9.17, 10.96, -8.64, 10.33, 5.05),
            ([7895, 8757, 5685, 568, 9999], -19.01, 2.65, -21.04, 2.95, 0.0),
        ] {
            let pairs = Pentanomial::new(counts);
            let [n, e] = [pairs.normalized_elo().unwrap(), pairs.elo().unwrap()];
            for (ours, theirs) in
                [(n.value, nelo), (n.error(), nelo_error), (e.value, elo), (e.error(), error)]
            {
                close(ours, theirs, 0.0051);
            }
            close(pairs.los() * 100.0, los, 0.0051);
        }
    }

    #[test]
    fn games_of_fastchess() {
        for (wins, losses, draws, nelo, error) in
            [(76, 89, 123, -20.76, 40.13), (136, 96, 111, 49.77, 36.77), (34, 356, 0, -508.44, 34.48)]
        {
            let estimate = Trinomial::new(wins, draws, losses).normalized_elo().unwrap();
            close(estimate.value, nelo, 0.0051);
            close(estimate.error(), error, 0.0051);
        }
        close(Trinomial::new(76, 123, 89).los(), 0.1553, 5.1e-5);
        close(Trinomial::new(136, 111, 96).los(), 0.9960, 5.1e-5);
        close(Trinomial::new(136, 111, 96).elo().unwrap().value, 40.70, 0.0051);
        close(Trinomial::new(136, 111, 96).elo().unwrap().error(), 30.43, 0.0051);
    }

    // Wins, losses, draws with Elo, error, LOS and draw ratio in percent, printed by Cute Chess (change log of
    // the Midnight engine, archishou/MidnightChessEngine).
    #[test]
    fn games_of_cute_chess() {
        for (wins, losses, draws, elo, error, los, ratio) in [
            (449, 276, 275, 60.7, 18.5, 100.0, 27.5),
            (382, 320, 298, 21.6, 18.1, 99.0, 29.8),
            (372, 322, 306, 17.4, 17.9, 97.1, 30.6),
        ] {
            let games = Trinomial::new(wins, draws, losses);
            let estimate = games.elo().unwrap();
            close(estimate.value, elo, 0.051);
            close(games.draw_ratio().unwrap() * 100.0, ratio, 0.051);
            // Cute Chess approximates the normal quantile, and leaves draws out of the likelihood of superiority.
            close(estimate.error(), error, 0.1);
            close(games.los() * 100.0, los, 0.1);
        }
    }

    #[test]
    fn all_alike() {
        let won = Pentanomial::new([0, 0, 0, 0, 10]);
        let estimate = won.elo().unwrap();
        // 0.025^(1/10) = 0.6915
        close(estimate.low, elo_from_score(0.691_502_892_181_239), 1e-9);
        assert_eq!(estimate.to_string(), "+inf [+140.2, +inf]");
        assert_eq!(won.normalized_elo(), None);
        close(won.los(), normal_cdf(10_f64.sqrt()), 1e-15);

        let lost = Trinomial::new(0, 0, 1);
        assert_eq!(lost.elo().unwrap().to_string(), "-inf [-inf, +636.4]");
        close(lost.los(), normal_cdf(-1.0), 1e-15);

        let drawn = Pentanomial::new([0, 0, 500, 0, 0]);
        let estimate = drawn.elo().unwrap();
        assert_eq!(estimate.to_string(), "+0.0 [-2.6, +2.6]");
        assert_eq!((drawn.normalized_elo(), drawn.los()), (None, 0.5));
    }

    #[test]
    fn interval_beyond_every_score() {
        let estimate = Pentanomial::new([0, 0, 0, 1, 2]).elo().unwrap();
        assert_eq!(
            (estimate.low.is_finite(), estimate.high, estimate.error()),
            (true, f64::INFINITY, f64::INFINITY)
        );
    }

    #[test]
    fn json() {
        for counts in [[0, 0, 0, 0, 2], [0, 0, 0, 1, 2], [2, 0, 0, 0, 2]] {
            let estimate = Pentanomial::new(counts).elo().unwrap();
            let text = serde_json::to_string(&estimate).unwrap();
            let read = serde_json::from_str::<Estimate>(&text).unwrap();
            assert_eq!((read.to_string(), read.high), (estimate.to_string(), estimate.high), "{text}");
        }
        assert!(serde_json::from_str::<Estimate>(r#"{"value":"NaN","low":0,"high":0}"#).is_err());
    }
}
