//! Statistics of engine matches: rating differences with their intervals, sequential tests, and ratings of a pool.
//!
//! Everything is counted from the side of the *first* of two engines. An opening is played twice, with the
//! colours exchanged, and the two games are one trial of the pentanomial model: [`Pentanomial`]. Games that
//! belong to no pair are a [`Trinomial`]. Both are a [`Multinomial`], which has score, Elo difference
//! ([`Estimate`]), likelihood of superiority and draws; [`Sprt`] decides a match while it is played. A [`RatingPool`]
//! has more than two players.

mod elo;
mod llr;
mod ratings;
mod sprt;

use std::ops::AddAssign;

use serde::{Deserialize, Serialize};

pub use elo::Estimate;
pub(crate) use elo::elo_from_score;
pub use ratings::{Pairing, RatedPlayer, RatingError, RatingList, RatingPool, RatingSettings};
pub use sprt::{Sprt, SprtModel, SprtReport, SprtState};

/// The result of a game for the first engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Wdl {
    /// The first engine lost: 0 points.
    Loss,
    /// Half a point each.
    Draw,
    /// The first engine won: 1 point.
    Win,
}

/// Pentanomial counts: pairs of games from the same opening with the colours exchanged.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Pentanomial {
    /// Number of pairs in which the first engine scored 0, 0.5, 1, 1.5 and 2 points.
    pub counts: [u64; 5],
}

/// Counts of single games, for the first engine.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Trinomial {
    /// Games the first engine won.
    pub wins: u64,
    /// Drawn games.
    pub draws: u64,
    /// Games the first engine lost.
    pub losses: u64,
}

impl Pentanomial {
    /// Counts of pairs with 0, 0.5, 1, 1.5 and 2 points for the first engine.
    pub const fn new(counts: [u64; 5]) -> Self {
        Self { counts }
    }

    /// Counts one more pair, of these two games.
    pub fn add(&mut self, one: Wdl, other: Wdl) {
        // The discriminants are half points.
        self.counts[one as usize + other as usize] += 1;
    }
}

impl AddAssign for Pentanomial {
    fn add_assign(&mut self, other: Self) {
        for (count, more) in self.counts.iter_mut().zip(other.counts) {
            *count += more;
        }
    }
}

impl Trinomial {
    /// Counts of games won, drawn and lost by the first engine.
    pub const fn new(wins: u64, draws: u64, losses: u64) -> Self {
        Self { wins, draws, losses }
    }

    /// Counts one more game.
    pub fn add(&mut self, result: Wdl) {
        match result {
            Wdl::Loss => self.losses += 1,
            Wdl::Draw => self.draws += 1,
            Wdl::Win => self.wins += 1,
        }
    }
}

impl AddAssign for Trinomial {
    fn add_assign(&mut self, other: Self) {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
    }
}

/// Mean and variance of the score of a trial, on a scale of 0 to 1 (2 of 2 points are 1, too).
#[derive(Debug, Clone, Copy, PartialEq)]
struct Moments {
    mean: f64,
    variance: f64,
}

/// Match results as counts of independent trials: games, or pairs of games.
///
/// Scores are the first engine's and run from 0 to 1 per trial. Variances are divided by n, not n - 1, as in fishtest.
pub trait Multinomial {
    /// Games per trial: 1 or 2.
    const GAMES_PER_TRIAL: u8;

    /// Number of trials by score: 0, 1/4, 1/2, 3/4, 1. Single games fill the first, third and fifth.
    fn by_score(&self) -> [u64; 5];

    /// The draw ratio: of single games the share drawn, of pairs the share with 1 point (two draws, or a win and a
    /// loss: what fastchess calls its draw ratio). `None` without trials.
    fn draw_ratio(&self) -> Option<f64> {
        let trials = self.trials();
        (trials > 0).then(|| self.by_score()[2] as f64 / trials as f64)
    }

    /// The number of trials.
    fn trials(&self) -> u64 {
        self.by_score().iter().sum()
    }

    /// The number of games.
    fn games(&self) -> u64 {
        self.trials() * u64::from(Self::GAMES_PER_TRIAL)
    }

    /// The mean score, 0 to 1. `None` without trials.
    fn score(&self) -> Option<f64> {
        moments(self.by_score()).map(|moments| moments.mean)
    }

    /// The variance of the score of a trial (for pairs: of the mean score of the two games). `None` without trials.
    fn variance(&self) -> Option<f64> {
        moments(self.by_score()).map(|moments| moments.variance)
    }

    /// The variance per game: that of a trial times its number of games. For pairs this includes the correlation of the
    /// two games. `None` without trials.
    fn variance_per_game(&self) -> Option<f64> {
        self.variance().map(|variance| variance * f64::from(Self::GAMES_PER_TRIAL))
    }

    /// The Elo difference (logistic) with its 95% interval. `None` without trials.
    ///
    /// The interval is that of the mean score (normal approximation with the variance of the trials), its ends mapped
    /// through the logistic curve, as in fishtest and Cute Chess. It is not symmetric; half its width,
    /// [`Estimate::error`], is what they print. Elo is infinite where an end passes a score of 0 or 1. If all trials
    /// had one result the variance is 0; then the interval uses the exact (Clopper-Pearson) 95% bound on the share of
    /// other results, counting them as 0 or 1.
    fn elo(&self) -> Option<Estimate> {
        moments(self.by_score()).map(|moments| elo::logistic(moments, self.trials()))
    }

    /// The difference in normalised Elo with its 95% interval: (mean - 1/2) / sigma * 800 / ln 10, with sigma per game
    /// from [`Multinomial::variance_per_game`]. The interval is that of a mean of `games` results with variance 1,
    /// exact to first order (as fastchess prints it). `None` without trials or without variance.
    fn normalized_elo(&self) -> Option<Estimate> {
        let variance = self.variance_per_game().filter(|&variance| variance > 0.0)?;
        Some(elo::normalized(self.score()?, variance, self.games()))
    }

    /// The likelihood of superiority (LOS): that the first engine is stronger, 0 to 1, in the normal approximation of
    /// the mean; 1/2 without trials. If all trials had one result, the variance about 1/2 is used.
    fn los(&self) -> f64 {
        moments(self.by_score()).map_or(0.5, |moments| elo::los(moments, self.trials()))
    }
}

impl Multinomial for Pentanomial {
    const GAMES_PER_TRIAL: u8 = 2;

    fn by_score(&self) -> [u64; 5] {
        self.counts
    }
}

impl Multinomial for Trinomial {
    const GAMES_PER_TRIAL: u8 = 1;

    fn by_score(&self) -> [u64; 5] {
        [self.losses, 0, self.draws, 0, self.wins]
    }
}

/// The scores counted by [`Multinomial::by_score`].
const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

fn moments(by_score: [u64; 5]) -> Option<Moments> {
    let trials = by_score.iter().sum::<u64>();
    if trials == 0 {
        return None;
    }
    let n = trials as f64;
    let mean = by_score.iter().zip(SCORES).map(|(&count, score)| count as f64 * score).sum::<f64>() / n;
    let variance =
        by_score.iter().zip(SCORES).map(|(&count, score)| count as f64 * (score - mean).powi(2)).sum::<f64>()
            / n;
    Some(Moments { mean, variance })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counting() {
        use Wdl::{Draw, Loss, Win};
        let mut pairs = Pentanomial::default();
        let mut games = Trinomial::default();
        for (one, other) in [(Win, Win), (Win, Loss), (Draw, Draw), (Draw, Win), (Loss, Loss), (Loss, Draw)] {
            pairs.add(one, other);
            games.add(one);
            games.add(other);
        }
        assert_eq!(pairs, Pentanomial::new([1, 1, 2, 1, 1]));
        assert_eq!(games, Trinomial::new(4, 4, 4));
        assert_eq!((pairs.trials(), pairs.games(), games.games()), (6, 12, 12));
        pairs += pairs;
        games += games;
        assert_eq!(pairs, Pentanomial::new([2, 2, 4, 2, 2]));
        assert_eq!(games, Trinomial::new(8, 8, 8));
    }

    #[test]
    fn moments_of_pairs_and_games() {
        let pairs = Pentanomial::new([0, 1, 2, 0, 1]);
        assert_eq!(pairs.score(), Some(0.5625));
        // ((5/16)^2 + 2 (1/16)^2 + (7/16)^2) / 4
        assert_eq!(pairs.variance(), Some(76.0 / 1024.0));
        assert_eq!(pairs.variance_per_game(), Some(152.0 / 1024.0));
        assert_eq!(pairs.draw_ratio(), Some(0.5));
        let games = Trinomial::new(3, 4, 1);
        assert_eq!(games.score(), Some(0.625));
        // (3 (3/8)^2 + 4 (1/8)^2 + (5/8)^2) / 8
        assert_eq!(games.variance(), Some(56.0 / 512.0));
        assert_eq!(games.variance(), games.variance_per_game());
        assert_eq!(games.draw_ratio(), Some(0.5));
    }

    #[test]
    fn nothing_played() {
        let none = Pentanomial::default();
        assert_eq!((none.score(), none.variance(), none.draw_ratio()), (None, None, None));
        assert_eq!((none.elo(), none.normalized_elo(), none.los()), (None, None, 0.5));
    }

    #[test]
    fn json() {
        let text = serde_json::to_string(&Pentanomial::new([1, 2, 3, 4, 5])).unwrap();
        assert_eq!(text, r#"{"counts":[1,2,3,4,5]}"#);
        assert_eq!(serde_json::from_str::<Pentanomial>(&text).unwrap(), Pentanomial::new([1, 2, 3, 4, 5]));
    }
}
