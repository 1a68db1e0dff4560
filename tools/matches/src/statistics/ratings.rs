//! Ratings of a pool of players from the games between them.
//!
//! The model is that of Bradley and Terry (1952) with a draw as half a win, as in BayesElo and Ordo: the expected score
//! is logistic in the difference of ratings and the advantage of White. The maximum of the likelihood is found by
//! Newton's method.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use thiserror::Error;

use super::elo::{Z95, expected_score, normal_cdf};
use super::{Multinomial, Trinomial, Wdl};

/// Elo per unit of the logistic function.
const ELO: f64 = 400.0 / std::f64::consts::LN_10;
/// Newton's method ends when no number changes by more Elo.
const PRECISION: f64 = 1e-7;
/// Most Elo that a number changes in a step: far from the maximum the steps are too long.
const LONGEST_STEP: f64 = 200.0;
/// Steps after which the method is given up; it needs some ten.
const MOST_STEPS: usize = 10_000;
/// No rating is further from zero.
const MOST_ELO: f64 = 1e5;

/// The games of a pool, counted.
#[derive(Clone, Debug, Default)]
pub struct RatingPool {
    names: Vec<String>,
    /// Results for White by the indices of White and Black.
    games: BTreeMap<(usize, usize), Trinomial>,
}

/// What is known before the games.
#[derive(Clone, Debug, PartialEq)]
pub struct RatingSettings {
    /// Players whose ratings are given.
    pub anchors: BTreeMap<String, f64>,
    /// The mean of the ratings, if there are no anchors.
    pub average: f64,
    /// The advantage of White in Elo; `None` if it is estimated, too.
    pub white_advantage: Option<f64>,
    /// Drawn games added to each pairing, half of them with each colour. More than 0 keeps ratings of players finite
    /// that won or lost all games.
    pub prior: f64,
}

/// Why there are no ratings.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum RatingError {
    /// The pool is empty.
    #[error("there are no games with a result")]
    NoGames,
    /// An anchor is not in the pool.
    #[error("'{0}' has a rating given but no games")]
    UnknownAnchor(String),
    /// No chain of games leads from one group to the other.
    #[error("no games connect these players with the others: {}", .0.join(", "))]
    Unconnected(Vec<String>),
    /// No maximum exists.
    #[error("these players never lost a point to one of the others, or never took one: {}", .0.join(", "))]
    Unbounded(Vec<String>),
    /// The advantage of White cannot be estimated.
    #[error("no two players met with both colours: the advantage of White must be given")]
    OneColor,
    /// With the advantage of White to be estimated no maximum exists.
    #[error("these games do not bound the ratings and the advantage of White")]
    UnboundedAdvantage,
}

/// The ratings of a pool.
#[derive(Clone, Debug, Serialize)]
pub struct RatingList {
    /// The players, the best first.
    pub players: Vec<RatedPlayer>,
    /// The advantage of White in Elo.
    pub white_advantage: f64,
    /// Half of its 95% interval; `None` if it was given.
    pub white_advantage_error: Option<f64>,
    /// The players that met, in the order of the list.
    pub pairings: Vec<Pairing>,
}

/// A player of a [`RatingList`].
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RatedPlayer {
    /// The name.
    pub name: String,
    /// In Elo.
    pub rating: f64,
    /// Half of the 95% interval in Elo: against the anchors, or without any against the mean of all. `None` for an
    /// anchor.
    pub error: Option<f64>,
    /// The likelihood that the player is stronger than the next one of the list, 0 to 1. `None` for the last one and
    /// between two anchors.
    pub superiority: Option<f64>,
    /// The games.
    pub games: Trinomial,
    /// The mean of the opponents' ratings, by games.
    pub opponents: f64,
}

/// The games of two players.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Pairing {
    /// The player with the higher rating.
    pub one: String,
    /// The other one.
    pub other: String,
    /// Results for the first player.
    pub games: Trinomial,
    /// The score expected of the first player by the ratings, 0 to 1 a game.
    pub expected: f64,
}

/// Results between two players with fixed colours.
struct Group {
    white: usize,
    black: usize,
    games: f64,
    points: f64,
    /// Of a game's score.
    variance: f64,
}

impl RatingPool {
    /// Counts a game; the result is White's. A game of a player against itself is left out.
    pub fn add(&mut self, white: &str, black: &str, result: Wdl) {
        if white != black {
            let pair = (self.index(white), self.index(black));
            self.games.entry(pair).or_default().add(result);
        }
    }

    /// The number of games.
    pub fn games(&self) -> u64 {
        self.games.values().map(Multinomial::games).sum()
    }

    fn index(&mut self, name: &str) -> usize {
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(name.to_owned());
            self.names.len() - 1
        })
    }

    /// The ratings of maximum likelihood.
    ///
    /// The intervals are those of the estimate's "sandwich" covariance: the information of the model, and the variance
    /// of the scores as they were, so that draws count. Half a win, a draw and a loss are added to it for each pairing
    /// and colour: small numbers of equal results are no certainty.
    ///
    /// # Errors
    /// If there are no games, an anchor has none, the players are not connected, a rating has no bound (Ford 1957: each
    /// of two parts of the pool must have taken points from the other one), or the advantage of White is neither given
    /// nor to be seen.
    pub fn ratings(&self, settings: &RatingSettings) -> Result<RatingList, RatingError> {
        if self.games.is_empty() {
            return Err(RatingError::NoGames);
        }
        let unknown = settings.anchors.keys().find(|name| !self.names.contains(name));
        if let Some(name) = unknown {
            return Err(RatingError::UnknownAnchor(name.clone()));
        }
        if settings.white_advantage.is_none()
            && !self.games.keys().any(|&(white, black)| self.games.contains_key(&(black, white)))
        {
            return Err(RatingError::OneColor);
        }
        self.check_bounds(settings)?;
        let groups = self.groups(settings.prior);
        let players = self.names.len();
        // The ratings, and the advantage of White after them. Without an anchor the first player is one for the moment.
        let mut numbers: Vec<f64> =
            self.names.iter().map(|name| *settings.anchors.get(name).unwrap_or(&settings.average)).collect();
        numbers.push(settings.white_advantage.unwrap_or(0.0));
        let mut free: Vec<usize> =
            (0..players).filter(|&player| !settings.anchors.contains_key(&self.names[player])).collect();
        if settings.anchors.is_empty() {
            free.remove(0);
        }
        if settings.white_advantage.is_none() {
            free.push(players);
        }
        if !maximize(&groups, &free, &mut numbers) {
            return Err(RatingError::UnboundedAdvantage);
        }
        let mut covariance = covariance(&groups, &free, &numbers);
        if settings.anchors.is_empty() {
            let mean = numbers[..players].iter().sum::<f64>() / players as f64;
            numbers[..players].iter_mut().for_each(|rating| *rating += settings.average - mean);
            center(&mut covariance, players);
        }
        Ok(self.list(settings, &numbers, &covariance))
    }

    /// Whether finite ratings maximize the likelihood.
    fn check_bounds(&self, settings: &RatingSettings) -> Result<(), RatingError> {
        // `took[i][j]`: `i` took points from `j`. Anchors are one player.
        let players = self.names.len();
        let mut met = vec![vec![false; players]; players];
        let mut took = met.clone();
        for (&(white, black), games) in &self.games {
            (met[white][black], met[black][white]) = (true, true);
            took[white][black] |= games.wins + games.draws > 0 || settings.prior > 0.0;
            took[black][white] |= games.losses + games.draws > 0 || settings.prior > 0.0;
        }
        let anchors: Vec<usize> =
            (0..players).filter(|&player| settings.anchors.contains_key(&self.names[player])).collect();
        for (&one, &other) in anchors.iter().zip(anchors.iter().skip(1)) {
            for links in [&mut met, &mut took] {
                (links[one][other], links[other][one]) = (true, true);
            }
        }
        let names = |seen: &[bool], wanted: bool| {
            let chosen = self.names.iter().zip(seen).filter(|&(_, &seen)| seen == wanted);
            chosen.map(|(name, _)| name.clone()).collect()
        };
        let start = anchors.first().copied().unwrap_or(0);
        let seen = reached(start, |from, to| met[from][to], players);
        if seen.contains(&false) {
            return Err(RatingError::Unconnected(names(&seen, false)));
        }
        for seen in [
            reached(start, |from, to| took[from][to], players),
            reached(start, |from, to| took[to][from], players),
        ] {
            if seen.contains(&false) {
                return Err(RatingError::Unbounded(names(&seen, false)));
            }
        }
        Ok(())
    }

    fn groups(&self, prior: f64) -> Vec<Group> {
        let pairs = self.games.keys().flat_map(|&(white, black)| [(white, black), (black, white)]);
        let pairs: BTreeSet<_> = pairs.collect();
        let group = |(white, black)| {
            let games = self.games.get(&(white, black)).copied().unwrap_or_default();
            let [wins, draws, losses] = [games.wins, games.draws, games.losses].map(|n| n as f64);
            let played = wins + draws + losses;
            let points = wins + draws / 2.0;
            let more = played + 1.5;
            let mean = (points + 0.75) / more;
            let variance = (wins + 0.5 + (draws + 0.5) / 4.0) / more - mean * mean;
            Group { white, black, games: played + prior / 2.0, points: points + prior / 4.0, variance }
        };
        pairs.into_iter().map(group).collect()
    }

    fn list(&self, settings: &RatingSettings, numbers: &[f64], covariance: &[Vec<f64>]) -> RatingList {
        let players = self.names.len();
        let mut order: Vec<usize> = (0..players).collect();
        order.sort_by(|&a, &b| {
            numbers[b].total_cmp(&numbers[a]).then_with(|| self.names[a].cmp(&self.names[b]))
        });
        let place = |player: usize| order.iter().position(|&other| other == player);
        let mut pairings = BTreeMap::new();
        let mut games = vec![Trinomial::default(); players];
        let mut opponents = vec![0.0; players];
        for (&(white, black), &results) in &self.games {
            let reversed = Trinomial::new(results.losses, results.draws, results.wins);
            for (player, other, results) in [(white, black, results), (black, white, reversed)] {
                games[player] += results;
                opponents[player] += results.games() as f64 * numbers[other];
                if place(player) < place(other) {
                    let pairing = pairings.entry((place(player), place(other))).or_insert_with(|| Pairing {
                        one: self.names[player].clone(),
                        other: self.names[other].clone(),
                        games: Trinomial::default(),
                        expected: 0.0,
                    });
                    let advantage = if player == white { numbers[players] } else { -numbers[players] };
                    let score = expected_score(numbers[player] - numbers[other] + advantage);
                    pairing.expected += results.games() as f64 * score;
                    pairing.games += results;
                }
            }
        }
        for pairing in pairings.values_mut() {
            pairing.expected /= pairing.games.games() as f64;
        }
        let half = |variance: f64| Z95 * variance.max(0.0).sqrt();
        let rated = |(at, &player): (usize, &usize)| RatedPlayer {
            name: self.names[player].clone(),
            rating: numbers[player],
            error: (!settings.anchors.contains_key(&self.names[player]))
                .then(|| half(covariance[player][player])),
            superiority: order.get(at + 1).and_then(|&next| {
                let [a, b, both] = [(player, player), (next, next), (player, next)]
                    .map(|(row, column)| covariance[row][column]);
                let variance = a + b - 2.0 * both;
                (variance > 0.0).then(|| normal_cdf((numbers[player] - numbers[next]) / variance.sqrt()))
            }),
            games: games[player],
            opponents: opponents[player] / games[player].games() as f64,
        };
        RatingList {
            players: order.iter().enumerate().map(rated).collect(),
            white_advantage: numbers[players],
            white_advantage_error: settings
                .white_advantage
                .is_none()
                .then(|| half(covariance[players][players])),
            pairings: pairings.into_values().collect(),
        }
    }
}

/// Which players can be reached from one by links.
fn reached(start: usize, linked: impl Fn(usize, usize) -> bool, players: usize) -> Vec<bool> {
    let mut seen = vec![false; players];
    seen[start] = true;
    let mut open = vec![start];
    while let Some(from) = open.pop() {
        for (to, seen) in seen.iter_mut().enumerate() {
            if linked(from, to) && !*seen {
                *seen = true;
                open.push(to);
            }
        }
    }
    seen
}

impl Group {
    fn expected(&self, numbers: &[f64]) -> f64 {
        let advantage = numbers.last().copied().unwrap_or_default();
        expected_score(numbers[self.white] - numbers[self.black] + advantage)
    }

    /// How the difference of ratings changes with a number.
    fn slope(&self, number: usize, players: usize) -> f64 {
        if number == self.white || number == players {
            1.0
        } else if number == self.black {
            -1.0
        } else {
            0.0
        }
    }

    /// Adds `weight` times the square of the slopes to a matrix over the free numbers.
    fn add_square(&self, weight: f64, free: &[usize], players: usize, matrix: &mut [Vec<f64>]) {
        let slopes: Vec<f64> = free.iter().map(|&number| self.slope(number, players)).collect();
        for (row, &a) in matrix.iter_mut().zip(&slopes).filter(|(_, slope)| **slope != 0.0) {
            for (cell, &b) in row.iter_mut().zip(&slopes) {
                *cell += weight * a * b;
            }
        }
    }
}

/// The information of the model about the free numbers.
fn information(groups: &[Group], free: &[usize], numbers: &[f64]) -> Vec<Vec<f64>> {
    let mut matrix = vec![vec![0.0; free.len()]; free.len()];
    for group in groups {
        let expected = group.expected(numbers);
        let weight = group.games * expected * (1.0 - expected) / (ELO * ELO);
        group.add_square(weight, free, numbers.len() - 1, &mut matrix);
    }
    matrix
}

/// Moves the free numbers to the maximum of the likelihood. Returns whether there is one.
fn maximize(groups: &[Group], free: &[usize], numbers: &mut [f64]) -> bool {
    let players = numbers.len() - 1;
    for _ in 0..MOST_STEPS {
        let inverse = inverse(information(groups, free, numbers));
        let gradient: Vec<f64> = free
            .iter()
            .map(|&number| {
                let part = |group: &Group| {
                    group.slope(number, players) * (group.points - group.games * group.expected(numbers))
                        / ELO
                };
                groups.iter().map(part).sum()
            })
            .collect();
        let mut longest: f64 = 0.0;
        for (row, &number) in inverse.iter().zip(free) {
            let step: f64 = row.iter().zip(&gradient).map(|(a, b)| a * b).sum();
            numbers[number] += step.clamp(-LONGEST_STEP, LONGEST_STEP);
            longest = longest.max(step.abs());
        }
        // Without a maximum the numbers go on, until nothing is left of the likelihood's curvature.
        if !numbers.iter().all(|number| number.abs() < MOST_ELO) {
            return false;
        }
        if longest < PRECISION {
            return true;
        }
    }
    false
}

/// The covariance of all numbers; that of fixed ones is 0.
fn covariance(groups: &[Group], free: &[usize], numbers: &[f64]) -> Vec<Vec<f64>> {
    let players = numbers.len() - 1;
    let inverse = inverse(information(groups, free, numbers));
    let mut scores = vec![vec![0.0; free.len()]; free.len()];
    for group in groups {
        group.add_square(group.games * group.variance / (ELO * ELO), free, players, &mut scores);
    }
    let inner = product(&product(&inverse, &scores), &inverse);
    let mut all = vec![vec![0.0; players + 1]; players + 1];
    for (row, &a) in inner.iter().zip(free) {
        for (cell, &b) in row.iter().zip(free) {
            all[a][b] = *cell;
        }
    }
    all
}

/// The covariance of ratings less their mean.
fn center(covariance: &mut [Vec<f64>], players: usize) {
    let center = |values: &mut [f64]| {
        let mean = values[..players].iter().sum::<f64>() / players as f64;
        values[..players].iter_mut().for_each(|value| *value -= mean);
    };
    covariance.iter_mut().for_each(|row| center(row));
    for column in 0..=players {
        let mut values: Vec<f64> = covariance.iter().map(|row| row[column]).collect();
        center(&mut values);
        covariance.iter_mut().zip(values).for_each(|(row, value)| row[column] = value);
    }
}

fn product(a: &[Vec<f64>], b: &[Vec<f64>]) -> Vec<Vec<f64>> {
    let cell = |row: &[f64], column: usize| row.iter().zip(b).map(|(x, other)| x * other[column]).sum();
    a.iter().map(|row| (0..row.len()).map(|column| cell(row, column)).collect()).collect()
}

/// The inverse of a positive definite matrix, by Gauss and Jordan; such a matrix needs no pivoting.
fn inverse(mut matrix: Vec<Vec<f64>>) -> Vec<Vec<f64>> {
    let size = matrix.len();
    let mut inverse: Vec<Vec<f64>> =
        (0..size).map(|row| (0..size).map(|column| f64::from(u8::from(row == column))).collect()).collect();
    for pivot in 0..size {
        let value = matrix[pivot][pivot];
        for cells in [&mut matrix, &mut inverse] {
            cells[pivot].iter_mut().for_each(|cell| *cell /= value);
        }
        let (pivot_row, pivot_inverse) = (matrix[pivot].clone(), inverse[pivot].clone());
        for row in (0..size).filter(|&row| row != pivot) {
            let factor = matrix[row][pivot];
            matrix[row].iter_mut().zip(&pivot_row).for_each(|(cell, other)| *cell -= factor * other);
            inverse[row].iter_mut().zip(&pivot_inverse).for_each(|(cell, other)| *cell -= factor * other);
        }
    }
    inverse
}

#[cfg(test)]
mod tests;
