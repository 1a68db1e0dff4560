//! The sequential probability ratio test (SPRT) of a match.

use std::fmt;
use std::str::FromStr;

use anyhow::{Error, Result, anyhow, bail, ensure};
use serde::{Deserialize, Serialize};

use super::elo::{ELO_PER_T, expected_score};
use super::llr::RegularizedCounts;
use super::{Multinomial, Pentanomial};

/// The unit of a test's bounds `elo0` and `elo1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SprtModel {
    /// Logistic Elo: the hypotheses fix the expected score.
    #[default]
    Logistic,
    /// Normalised Elo: the hypotheses fix (expected score - 1/2) / sigma per game, so that the length of a
    /// test does not depend on draws and openings (Van den Bergh, "Normalized Elo").
    Normalized,
}

/// The parameters of a test of H0 (the first engine is `elo0` stronger) against H1 (it is `elo1` stronger).
///
/// As text: `elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic`, the keys in any order; the last three default to
/// these values.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Parameters", into = "Parameters")]
pub struct Sprt(Parameters);

#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
struct Parameters {
    elo0: f64,
    elo1: f64,
    alpha: f64,
    beta: f64,
    #[serde(default)]
    model: SprtModel,
}

/// The decision of a test after the games played so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum SprtState {
    /// Undecided: play on.
    Continue,
    /// H0 is accepted: the first engine is not better by `elo1`.
    AcceptH0,
    /// H1 is accepted: the first engine is better by more than `elo0`.
    AcceptH1,
}

/// The state of a test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct SprtReport {
    /// The log-likelihood ratio (natural logarithm) of H1 to H0.
    pub llr: f64,
    /// H0 is accepted at or below this ratio.
    pub lower: f64,
    /// H1 is accepted at or above this ratio.
    pub upper: f64,
    /// The decision.
    pub state: SprtState,
}

impl Sprt {
    /// A test of `elo0` against `elo1`, Elo of the model, that accepts H1 with probability `alpha` where H0 is
    /// true, and H0 with probability `beta` where H1 is true.
    pub fn new(elo0: f64, elo1: f64, alpha: f64, beta: f64, model: SprtModel) -> Result<Self> {
        Parameters { elo0, elo1, alpha, beta, model }.try_into()
    }

    /// The difference under H0, in Elo of the model.
    pub const fn elo0(&self) -> f64 {
        self.0.elo0
    }

    /// The difference under H1, in Elo of the model.
    pub const fn elo1(&self) -> f64 {
        self.0.elo1
    }

    /// The unit of the bounds.
    pub const fn model(&self) -> SprtModel {
        self.0.model
    }

    /// The ratio at which H0 is accepted: ln(beta / (1 - alpha)) (Wald).
    pub fn lower(&self) -> f64 {
        (self.0.beta / (1.0 - self.0.alpha)).ln()
    }

    /// The ratio at which H1 is accepted: ln((1 - beta) / alpha) (Wald).
    pub fn upper(&self) -> f64 {
        ((1.0 - self.0.beta) / self.0.alpha).ln()
    }

    /// The generalized log-likelihood ratio of H1 to H0 given the results; 0 without any.
    ///
    /// Generalized SPRT with multinomial maximum likelihood (Van den Bergh, Michel), the exact value that fishtest
    /// computes: each hypothesis is represented by the likeliest distribution of trial results (pair or game) that has
    /// its strength, and a result that has not occurred counts 0.001.
    pub fn llr<T: Multinomial>(&self, results: &T) -> f64 {
        if results.trials() == 0 {
            return 0.0;
        }
        let weights = RegularizedCounts::new(results.by_score(), T::GAMES_PER_TRIAL);
        match self.0.model {
            SprtModel::Logistic => {
                weights.at_score(expected_score(self.0.elo1)) - weights.at_score(expected_score(self.0.elo0))
            }
            SprtModel::Normalized => {
                let per_trial = f64::from(T::GAMES_PER_TRIAL).sqrt() / ELO_PER_T;
                weights.at_t_value(self.0.elo1 * per_trial) - weights.at_t_value(self.0.elo0 * per_trial)
            }
        }
    }

    /// The decision at a log-likelihood ratio.
    pub fn state(&self, llr: f64) -> SprtState {
        if llr >= self.upper() {
            SprtState::AcceptH1
        } else if llr <= self.lower() {
            SprtState::AcceptH0
        } else {
            SprtState::Continue
        }
    }

    /// The state of the test after `pairs`.
    pub fn report(&self, pairs: &Pentanomial) -> SprtReport {
        let llr = self.llr(pairs);
        SprtReport { llr, lower: self.lower(), upper: self.upper(), state: self.state(llr) }
    }
}

impl SprtModel {
    /// The largest allowed bound, on either side of 0: 1000 logistic, 100 normalised Elo. (Above 200 normalised Elo the
    /// likelihood given the strength can have several maxima.)
    pub const fn max_elo(self) -> f64 {
        match self {
            Self::Logistic => 1000.0,
            Self::Normalized => 100.0,
        }
    }
}

impl fmt::Display for SprtModel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Logistic => "logistic",
            Self::Normalized => "normalized",
        })
    }
}

impl FromStr for SprtModel {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        match text {
            "logistic" => Ok(Self::Logistic),
            "normalized" => Ok(Self::Normalized),
            _ => bail!("model: '{text}' is neither logistic nor normalized"),
        }
    }
}

impl fmt::Display for Sprt {
    /// Writes what [`FromStr`] reads.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Parameters { elo0, elo1, alpha, beta, model } = self.0;
        write!(f, "elo0={elo0} elo1={elo1} alpha={alpha} beta={beta} model={model}")
    }
}

impl FromStr for Sprt {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        const NUMBERS: [&str; 4] = ["elo0", "elo1", "alpha", "beta"];
        let mut numbers = [None; 4];
        let mut model = None;
        for word in text.split_whitespace() {
            let Some((key, value)) = word.split_once('=') else {
                bail!("'{word}' is not of the form key=value");
            };
            let is_repeated = if key == "model" {
                model.replace(value.parse()?).is_some()
            } else if let Some(index) = NUMBERS.iter().position(|&name| name == key) {
                let number = value.parse::<f64>().map_err(|_| anyhow!("{key}: '{value}' is not a number"))?;
                numbers[index].replace(number).is_some()
            } else {
                bail!("'{key}' is not a parameter of a test (elo0, elo1, alpha, beta, model)");
            };
            ensure!(!is_repeated, "{key} is given twice");
        }
        let [elo0, elo1, alpha, beta] = numbers;
        Self::new(
            elo0.ok_or_else(|| anyhow!("elo0 is missing"))?,
            elo1.ok_or_else(|| anyhow!("elo1 is missing"))?,
            alpha.unwrap_or(0.05),
            beta.unwrap_or(0.05),
            model.unwrap_or_default(),
        )
    }
}

impl TryFrom<Parameters> for Sprt {
    type Error = Error;

    // NaN fails every range check.
    fn try_from(parameters: Parameters) -> Result<Self> {
        let Parameters { elo0, elo1, alpha, beta, model } = parameters;
        let limit = model.max_elo();
        for (key, elo) in [("elo0", elo0), ("elo1", elo1)] {
            ensure!((-limit..=limit).contains(&elo), "{key}: {elo} Elo is not within -{limit} to {limit}");
        }
        ensure!(elo0 < elo1, "elo0={elo0} is not below elo1={elo1}");
        for (key, rate) in [("alpha", alpha), ("beta", beta)] {
            ensure!(rate > 0.0 && rate < 0.5, "{key}: {rate} is not between 0 and 0.5");
        }
        Ok(Self(parameters))
    }
}

impl From<Sprt> for Parameters {
    fn from(sprt: Sprt) -> Self {
        sprt.0
    }
}

#[cfg(test)]
mod tests {
    use super::super::Trinomial;
    use super::SprtModel::{Logistic, Normalized};
    use super::*;

    fn llr<T: Multinomial>(elo0: f64, elo1: f64, model: SprtModel, results: T) -> f64 {
        Sprt::new(elo0, elo1, 0.05, 0.05, model).unwrap().llr(&results)
    }

    // Published in the tests of fastchess (app/tests/sprt_test.cpp, which asks for 1%).
    #[test]
    fn llr_of_fastchess() {
        for (model, elo0, elo1, counts, theirs) in [
            (Normalized, 0.0, 2.0, [365, 16618, 36229, 16974, 390], 2.25),
            (Normalized, -1.75, 0.25, [127, 4883, 10712, 5150, 104], 3.01),
            (Normalized, 0.0, 5.0, [0, 0, 0, 0, 5550], 111.82),
            (Logistic, 0.5, 2.5, [223, 9863, 21279, 10037, 246], -3.07),
            (Logistic, 0.0, 2.0, [871, 26175, 55983, 26678, 821], -4.98),
        ] {
            let ours = llr(elo0, elo1, model, Pentanomial::new(counts));
            assert!((ours - theirs).abs() < 0.0051_f64.max(3e-4 * theirs), "{counts:?}: {ours}");
        }
        for (model, elo0, elo1, (wins, losses, draws), theirs) in [
            (Normalized, 0.0, 2.0, (36433, 36027, 68692), 0.92),
            (Normalized, -1.75, 0.25, (10871, 10650, 20431), 2.30),
            (Normalized, 0.0, 10.0, (4250, 0, 0), 120.56),
            (Logistic, 0.5, 2.5, (21404, 21184, 40708), -1.57),
            (Logistic, 0.0, 2.0, (57433, 57030, 106593), -2.59),
        ] {
            let ours = llr(elo0, elo1, model, Trinomial::new(wins, draws, losses));
            assert!((ours - theirs).abs() < 0.0051_f64.max(3e-4 * theirs), "{wins} {losses} {draws}: {ours}");
        }
    }

    // From an independent computation (numpy, scipy): the likelihood maximised in the space of the distributions
    // by Newton's method from an inner point, for normalised Elo with a search over sigma around it.
    #[test]
    fn llr_computed_otherwise() {
        for (model, elo0, elo1, counts, expected) in [
            (Logistic, 0.0, 10.0, [1, 7, 20, 9, 3], 0.358_037_270),
            (Logistic, 0.0, 10.0, [12, 230, 1102, 311, 25], 8.298_892_670),
            (Logistic, -5.0, 5.0, [0, 0, 4, 0, 0], 0.0),
            (Logistic, 0.0, 5.0, [0, 3, 0, 1, 0], -0.056_906_851),
            (Logistic, 0.0, 50.0, [0, 0, 0, 2, 9], 1.469_601_373),
            (Logistic, -3.0, 1.0, [10789, 19328, 33806, 19402, 10543], 2.131_067_811),
            (Logistic, 100.0, 250.0, [1, 20, 300, 900, 779], 390.207_973_082),
            (Normalized, 0.0, 10.0, [1, 7, 20, 9, 3], 0.243_129_654),
            (Normalized, 0.0, 5.0, [12, 230, 1102, 311, 25], 3.059_017_155),
            (Normalized, -10.0, 0.0, [4, 31, 160, 22, 0], -1.087_892_363),
            (Normalized, 0.0, 50.0, [0, 0, 0, 2, 9], 1.900_315_160),
            (Normalized, 0.0, 2.0, [1, 20, 300, 900, 779], 12.633_791_100),
            (Normalized, -100.0, 100.0, [3, 2, 0, 2, 0], -3.547_085_330),
            (Normalized, 0.764, 3.439, [39, 2226, 31451, 2412, 40], 2.162_940_869),
            (Normalized, 0.0, 10.0, [0, 2, 30, 5, 0], 0.250_906_140),
        ] {
            let ours = llr(elo0, elo1, model, Pentanomial::new(counts));
            assert!((ours - expected).abs() < 2e-8, "{counts:?}: {ours}");
        }
        for (model, expected) in [(Logistic, 1.524_839_885), (Normalized, 1.127_210_209)] {
            let ours = llr(0.0, 10.0, model, Trinomial::new(151, 401, 120));
            assert!((ours - expected).abs() < 2e-8, "{ours}");
        }
    }

    #[test]
    fn llr_turned_round() {
        // With the engines exchanged the ratio changes its sign.
        for model in [Logistic, Normalized] {
            let [there, back] = [[3, 20, 41, 25, 0], [0, 25, 41, 20, 3]].map(Pentanomial::new);
            let [a, b] = [llr(-2.0, 7.0, model, there), llr(-7.0, 2.0, model, back)];
            assert!((a + b).abs() < 1e-9, "{a} {b}");
            assert_eq!(llr(0.0, 10.0, model, Pentanomial::default()), 0.0);
        }
    }

    #[test]
    fn bounds_and_states() {
        let sprt = Sprt::new(0.0, 10.0, 0.05, 0.1, Logistic).unwrap();
        assert!((sprt.lower() - (0.1_f64 / 0.95).ln()).abs() < 1e-15);
        assert!((sprt.upper() - 18_f64.ln()).abs() < 1e-15);
        for (llr, state) in [
            (-2.26, SprtState::AcceptH0),
            (-2.25, SprtState::Continue),
            (2.89, SprtState::Continue),
            (2.9, SprtState::AcceptH1),
        ] {
            assert_eq!(sprt.state(llr), state);
        }
        let report = sprt.report(&Pentanomial::new([0, 0, 0, 0, 200]));
        assert_eq!(
            (report.state, report.lower, report.upper),
            (SprtState::AcceptH1, sprt.lower(), sprt.upper())
        );
        assert_eq!(sprt.report(&Pentanomial::default()).state, SprtState::Continue);
    }

    #[test]
    fn parameters_as_text() {
        let sprt = "elo1=10 elo0=-2.5".parse::<Sprt>().unwrap();
        assert_eq!(sprt, Sprt::new(-2.5, 10.0, 0.05, 0.05, Logistic).unwrap());
        let text = "elo0=0 elo1=4 alpha=0.1 beta=0.02 model=normalized";
        let sprt = text.parse::<Sprt>().unwrap();
        assert_eq!(sprt.to_string(), text);
        assert_eq!(sprt, Sprt::new(0.0, 4.0, 0.1, 0.02, Normalized).unwrap());
        for (text, error) in [
            ("elo0", "'elo0' is not of the form key=value"),
            ("elo0=0 gamma=1", "'gamma' is not a parameter of a test (elo0, elo1, alpha, beta, model)"),
            ("elo0=0 elo0=1", "elo0 is given twice"),
            ("model=logistic model=logistic", "model is given twice"),
            ("elo0=0", "elo1 is missing"),
            ("elo0=zero elo1=5", "elo0: 'zero' is not a number"),
            ("elo0=0 elo1=5 model=bayesian", "model: 'bayesian' is neither logistic nor normalized"),
            ("elo0=5 elo1=5", "elo0=5 is not below elo1=5"),
            ("elo0=0 elo1=inf", "elo1: inf Elo is not within -1000 to 1000"),
            ("elo0=NaN elo1=1", "elo0: NaN Elo is not within -1000 to 1000"),
            ("elo0=0 elo1=101 model=normalized", "elo1: 101 Elo is not within -100 to 100"),
            ("elo0=0 elo1=5 alpha=0", "alpha: 0 is not between 0 and 0.5"),
            ("elo0=0 elo1=5 beta=0.5", "beta: 0.5 is not between 0 and 0.5"),
        ] {
            assert_eq!(text.parse::<Sprt>().unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn parameters_as_json() {
        let sprt = Sprt::new(0.0, 5.0, 0.05, 0.1, Normalized).unwrap();
        let text = serde_json::to_string(&sprt).unwrap();
        assert_eq!(text, r#"{"elo0":0.0,"elo1":5.0,"alpha":0.05,"beta":0.1,"model":"normalized"}"#);
        assert_eq!(serde_json::from_str::<Sprt>(&text).unwrap(), sprt);
        assert!(serde_json::from_str::<Sprt>(&text.replace("5.0,", "-5.0,")).is_err());
    }
}
