//! The state of a tuning: simultaneous perturbation stochastic approximation.
//!
//! J. C. Spall, "Implementation of the Simultaneous Perturbation Algorithm for Stochastic Optimization", 1998: gains
//! and perturbations shrink with powers of the iteration number. As in the tuning of other engines, they are given by
//! their last values.

use std::fmt;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use crate::statistics::elo_from_score;

/// Spall's exponents alpha (gain) and gamma (perturbation).
const ALPHA: f64 = 0.602;
const GAMMA: f64 = 0.101;
/// Spall's stability constant A, which keeps the first gains small, as a share of the iterations.
const STABILITY: f64 = 0.1;

/// An option that is tuned.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaParameter {
    /// The option's name.
    pub name: String,
    /// Its value before the first iteration.
    pub start: f64,
    /// Its current value.
    pub value: f64,
    /// The minimum of the option.
    pub least: f64,
    /// The maximum of the option.
    pub most: f64,
    /// Its perturbation in the last iteration.
    pub step: f64,
    /// Wins less losses of the sides that had the value up (plus the perturbation).
    #[serde(default)]
    pub points: i64,
}

/// The state of a tuning, as stored in its file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SpsaState {
    /// The parameters tuned.
    pub parameters: Vec<SpsaParameter>,
    /// Iterations in all.
    pub iterations: u64,
    /// Iterations played.
    pub done: u64,
    /// Numbers of the iterations played beyond the first unplayed one, ascending: parallel pairs may end in any order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    ahead: Vec<u64>,
    /// Gain in the last iteration.
    rate: f64,
    seed: u64,
    /// Pairs not drawn 1-1.
    decided: u64,
    /// Sum of the squared points of the pairs.
    #[serde(default)]
    squares: u64,
}

/// One iteration: a random direction, and the values up and down along it.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Perturbation {
    number: u64,
    signs: Vec<f64>,
    /// Name, value up and value down.
    values: Vec<(String, [i64; 2])>,
}

impl Perturbation {
    /// The options of both sides: values up, values down.
    pub(super) fn options(&self) -> [Vec<(String, String)>; 2] {
        [0, 1].map(|side| {
            self.values.iter().map(|(name, values)| (name.clone(), values[side].to_string())).collect()
        })
    }
}

impl SpsaState {
    /// A tuning before its first iteration; `rate` is the gain of the last iteration. With a rate of 0 no value changes
    /// and every perturbation is as wide as the step: the tuning measures what each parameter is worth.
    pub fn new(parameters: Vec<SpsaParameter>, iterations: u64, rate: f64, seed: u64) -> Self {
        Self { parameters, iterations, done: 0, ahead: Vec::new(), rate, seed, decided: 0, squares: 0 }
    }

    /// Whether all numbers are in range.
    pub(super) fn is_valid(&self) -> bool {
        let fine = |p: &SpsaParameter| {
            let all = [p.start, p.value, p.least, p.most, p.step];
            all.iter().all(|x| x.is_finite()) && p.least < p.most && p.step > 0.0
        };
        let first = self.first_unplayed();
        let are_ahead = self.ahead.is_sorted_by(|one, next| one < next)
            && self.ahead.first().is_none_or(|&number| number > first);
        self.iterations > 0 && self.rate.is_finite() && self.parameters.iter().all(fine) && are_ahead
    }

    /// The first unplayed iteration; all before it have been played.
    fn first_unplayed(&self) -> u64 {
        self.done.saturating_sub(self.ahead.len() as u64) + 1
    }

    /// The numbers of all unplayed iterations, ascending and without end.
    pub(super) fn unplayed(&self) -> impl Iterator<Item = u64> + use<> {
        let ahead = self.ahead.clone();
        (self.first_unplayed()..).filter(move |number| ahead.binary_search(number).is_err())
    }

    /// Width of an iteration's perturbation, in units of the last iteration's.
    fn width(&self, number: u64) -> f64 {
        if self.rate == 0.0 {
            return 1.0;
        }
        (self.iterations as f64 / number as f64).max(1.0).powf(GAMMA)
    }

    /// Change of the parameters per point of the pair, in units of their steps.
    fn gain(&self, number: u64) -> f64 {
        let all = self.iterations as f64;
        let settled = ((STABILITY * all + all) / (STABILITY * all + number as f64)).powf(ALPHA);
        self.rate * settled / self.width(number)
    }

    /// The perturbation of iteration `number`, from 1. Fractional values are rounded up or down at random.
    pub(super) fn perturbation(&self, number: u64) -> Perturbation {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number);
        let mut signs = Vec::new();
        let mut values = Vec::new();
        for parameter in &self.parameters {
            let sign = if rng.random_bool(0.5) { 1.0 } else { -1.0 };
            let chance = rng.random_range(0.0..1.0);
            let shift = sign * parameter.step * self.width(number);
            let moved = [parameter.value + shift, parameter.value - shift];
            let whole =
                moved.map(|value| (value.clamp(parameter.least, parameter.most) + chance).floor() as i64);
            let within = whole.map(|value| value.clamp(parameter.least as i64, parameter.most as i64));
            signs.push(sign);
            values.push((parameter.name.clone(), within));
        }
        Perturbation { number, signs, values }
    }

    /// Updates the values after a pair; `points` are wins less losses of the side with the values up.
    pub(super) fn update(&mut self, perturbation: &Perturbation, points: i32) {
        let gain = self.gain(perturbation.number) * f64::from(points);
        for (parameter, sign) in self.parameters.iter_mut().zip(&perturbation.signs) {
            let moved = parameter.value + gain * sign * parameter.step;
            parameter.value = moved.clamp(parameter.least, parameter.most);
            parameter.points += *sign as i64 * i64::from(points);
        }
        let number = perturbation.number;
        let place = self.ahead.partition_point(|&other| other < number);
        self.ahead.insert(place, number);
        self.done += 1;
        // Only iterations after a gap are listed.
        while self.ahead.first().is_some_and(|&first| first <= self.first_unplayed()) {
            self.ahead.remove(0);
        }
        self.decided += u64::from(points != 0);
        self.squares += u64::from((points * points).unsigned_abs());
    }

    /// Elo of a parameter's value up against its value down, and half the width of the 95% interval. The other
    /// parameters, up or down at random, are noise to it.
    fn worth(&self, parameter: &SpsaParameter) -> (f64, f64) {
        let pairs = self.done.max(1) as f64;
        // The score of a game is (1 + points) / 2, a pair has two.
        let score = 0.5 + parameter.points as f64 / pairs / 4.0;
        let error = (self.squares as f64 / pairs).sqrt() / pairs.sqrt() / 4.0;
        let elo = |score: f64| elo_from_score(score.clamp(0.001, 0.999));
        (elo(score), 1.96 * (elo(0.5 + error) - elo(0.5)))
    }

    /// The values on one line.
    pub fn line(&self) -> String {
        let values: Vec<_> = self.parameters.iter().map(|p| format!("{} {:.1}", p.name, p.value)).collect();
        format!("{} of {} pairs, {} decided: {}", self.done, self.iterations, self.decided, values.join(", "))
    }
}

impl fmt::Display for SpsaState {
    /// A table of the parameters: before and after, and the Elo of the values up against those down.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            f,
            "{:<28} {:>8} {:>8} {:>10} {:>16}",
            "parameter", "before", "after", "in steps", "Elo, up to down"
        )?;
        for parameter in &self.parameters {
            let SpsaParameter { name, start, value, step, .. } = parameter;
            let (elo, error) = self.worth(parameter);
            let steps = (value - start) / step;
            writeln!(
                f,
                "{name:<28} {start:>8} {:>8} {steps:>10.2} {elo:>+8.1} +/- {error:.1}",
                value.round()
            )?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parameter(name: &str, start: f64, step: f64) -> SpsaParameter {
        SpsaParameter {
            name: name.to_owned(),
            start,
            value: start,
            least: 0.0,
            most: 1000.0,
            step,
            points: 0,
        }
    }

    /// A pair of games in which the side nearer to the best values wins more.
    fn pair(values: &[(String, [i64; 2])], best: [f64; 2], rng: &mut ChaCha8Rng) -> i32 {
        let loss = |side: usize| {
            let each =
                values.iter().zip(best).map(|((_, values), best)| (values[side] as f64 - best).powi(2));
            each.sum::<f64>() / 10_000.0
        };
        let edge = (loss(1) - loss(0)).clamp(-0.25, 0.25);
        (0..2)
            .map(|_| {
                let luck = rng.random_range(0.0..1.0);
                i32::from(luck < 0.25 + edge / 2.0) - i32::from(luck > 0.75 + edge / 2.0)
            })
            .sum()
    }

    #[test]
    fn the_best_values_are_found() {
        for seed in 1..=3 {
            let best = [400.0, 650.0];
            let mut state = SpsaState::new(
                vec![parameter("a", 500.0, 20.0), parameter("b", 500.0, 20.0)],
                6_000,
                0.02,
                seed,
            );
            let mut rng = ChaCha8Rng::seed_from_u64(99 + seed);
            for number in 1..=state.iterations {
                let perturbation = state.perturbation(number);
                let points = pair(&perturbation.values, best, &mut rng);
                state.update(&perturbation, points);
            }
            for (parameter, best) in state.parameters.iter().zip(best) {
                assert!((parameter.value - best).abs() < 40.0, "{seed}: {parameter:?}, not {best}");
            }
        }
    }

    #[test]
    fn values_stay_within_the_option() {
        let mut low = parameter("low", 3.0, 10.0);
        low.most = 12.0;
        let mut state = SpsaState::new(vec![low], 50, 5.0, 1);
        for number in 1..=50 {
            let perturbation = state.perturbation(number);
            assert!(
                perturbation.values.iter().all(|(_, two)| two.iter().all(|x| (0..=12).contains(x))),
                "{perturbation:?}"
            );
            state.update(&perturbation, if number % 2 == 0 { 2 } else { -2 });
        }
        assert_eq!(state.done, 50);
    }

    #[test]
    fn a_rate_of_0_measures() {
        // "a" is nearer to the best value when up, "b" is halfway between.
        let best = [600.0, 500.0];
        let parameters = vec![parameter("a", 500.0, 100.0), parameter("b", 500.0, 100.0)];
        let mut state = SpsaState::new(parameters, 20_000, 0.0, 7);
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        for number in 1..=state.iterations {
            let perturbation = state.perturbation(number);
            assert!(perturbation.values.iter().all(|(_, two)| two.iter().all(|x| [400, 600].contains(x))));
            let points = pair(&perturbation.values, best, &mut rng);
            state.update(&perturbation, points);
        }
        let [a, b] = [0, 1].map(|index| &state.parameters[index]);
        assert_eq!((a.value, b.value), (500.0, 500.0));
        // The edge is cut to a quarter: 3 games in 8 won, 1 in 8 lost.
        let (elo, error) = state.worth(a);
        assert!((elo - 88.7).abs() < 2.0 * error && error < 3.0, "{elo} {error}");
        let (elo, error) = state.worth(b);
        assert!(elo.abs() < 2.0 * error, "{elo} {error}");
    }

    #[test]
    fn pairs_that_end_out_of_order_are_played_once() {
        let mut state = SpsaState::new(vec![parameter("a", 5.0, 0.5)], 10, 0.02, 3);
        let left = |state: &SpsaState| state.unplayed().take_while(|&n| n <= 10).collect::<Vec<_>>();
        let mut expected: Vec<u64> = (1..=10).collect();
        for number in [2, 4, 3, 1, 8, 5, 10, 9, 6, 7] {
            let perturbation = state.perturbation(number);
            state.update(&perturbation, 1);
            expected.retain(|&other| other != number);
            assert_eq!(left(&state), expected);
            assert!(state.is_valid());
            let text = serde_json::to_string(&state).unwrap();
            let read: SpsaState = serde_json::from_str(&text).unwrap();
            assert_eq!((left(&read), read.done), (expected.clone(), 10 - expected.len() as u64));
            assert_eq!((&read, read.perturbation(2)), (&state, state.perturbation(2)));
        }
        assert!(state.ahead.is_empty());
        state.ahead = vec![3];
        assert!(!state.is_valid(), "an iteration before the first one left");
    }
}
