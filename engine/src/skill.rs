//! Limited playing strength.
//!
//! A limited player searches fewer nodes, considers more moves, and errs in their scores: the search stops at a number
//! of nodes that grows with strength, and the move is chosen by the score plus a random error that shrinks with it.
//! All three improve with every level; the table of ratings maps levels to Elo.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::score::is_mate;
use crate::search::RootMove;
use crate::search::params::{SKILL_CANDIDATES, SKILL_ERROR, SKILL_ERROR_POWER, SKILL_NODES};

/// Lowest level.
pub const MIN_LEVEL: i32 = -20;
/// The level that plays as well as it can.
pub const MAX_LEVEL: i32 = 20;
/// Lowest value of `UCI_Elo`, where [`MIN_LEVEL`] is.
pub const MIN_ELO: i32 = MEASURED[0];
/// Highest value of `UCI_Elo`, where [`MAX_LEVEL`] is.
pub const MAX_ELO: i32 = MEASURED[10];

/// Ratings by tenths of the strength from the lowest to the full one, measured in games between neighbours
/// (docs/strength.md). Only the differences mean something.
pub const MEASURED: [i32; 11] = [300, 425, 518, 674, 954, 1277, 1696, 2140, 2506, 2807, 3140];

/// A strength below the full one, from 0 to 1.
///
/// ```
/// use sakmak_engine::skill::{MAX_LEVEL, Skill};
///
/// let (weak, strong) = (Skill::from_elo(800).ok_or("a limit")?, Skill::from_elo(2000).ok_or("a limit")?);
/// assert!(weak.nodes() < strong.nodes());
/// assert_eq!(Skill::from_level(MAX_LEVEL), None);
/// # Ok::<(), &str>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill(f64);

impl Skill {
    /// The strength of a level from [`MIN_LEVEL`] to [`MAX_LEVEL`], evenly spread over the ratings; `None` for the
    /// top, which is no limit.
    pub fn from_level(level: i32) -> Option<Self> {
        let share = f64::from(level - MIN_LEVEL) / f64::from(MAX_LEVEL - MIN_LEVEL);
        Self::from_rating(f64::from(MIN_ELO) + share * f64::from(MAX_ELO - MIN_ELO))
    }

    /// The strength of a rating from [`MIN_ELO`] to [`MAX_ELO`].
    pub fn from_elo(elo: i32) -> Option<Self> {
        Self::from_rating(f64::from(elo))
    }

    fn from_rating(rating: f64) -> Option<Self> {
        let above = MEASURED.iter().position(|&measured| rating < f64::from(measured))?;
        let Some(below) = above.checked_sub(1) else { return Some(Self(0.0)) };
        let [low, high] = [below, above].map(|tenth| f64::from(MEASURED[tenth]));
        Some(Self((below as f64 + (rating - low) / (high - low)) / 10.0))
    }

    /// How far below full strength.
    fn weakness(self) -> f64 {
        1.0 - self.0
    }

    /// Nodes this player searches for a move.
    pub fn nodes(self) -> u64 {
        (SKILL_NODES[0] * (SKILL_NODES[1] / SKILL_NODES[0]).powf(self.0)) as u64
    }

    /// Lines the search has to find for [`Skill::choose`].
    pub fn lines(self) -> usize {
        (SKILL_CANDIDATES[0] + SKILL_CANDIDATES[1] * self.weakness().powi(2)) as usize
    }

    fn largest_error(self) -> f64 {
        SKILL_ERROR * self.weakness().powf(SKILL_ERROR_POWER)
    }

    /// The index of the move to play among the best lines. The same seed gives the same choice.
    pub fn choose(self, moves: &[RootMove], seed: u64) -> usize {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut chosen = 0;
        let mut highest = f64::MIN;
        for (index, mv) in moves.iter().take(self.lines()).enumerate() {
            // The sum of two errors: small ones are likelier than large ones.
            let error = (rng.random::<f64>() - rng.random::<f64>()) * self.largest_error();
            let value = f64::from(mv.score) + if is_mate(mv.score) { 0.0 } else { error };
            if value > highest {
                (chosen, highest) = (index, value);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_searches_more_and_errs_less() {
        let levels: Vec<_> = (MIN_LEVEL..MAX_LEVEL).filter_map(Skill::from_level).collect();
        assert_eq!(levels.len(), 40);
        for pair in levels.windows(2) {
            assert!(pair[0].nodes() < pair[1].nodes());
            assert!(pair[0].largest_error() > pair[1].largest_error());
            assert!(pair[0].lines() >= pair[1].lines());
        }
        assert_eq!(Skill::from_level(MAX_LEVEL), None);
        assert_eq!(Skill::from_elo(MAX_ELO), None);
        assert_eq!(Skill::from_elo(MIN_ELO), Skill::from_level(MIN_LEVEL));
        assert!(Skill::from_elo(1500).unwrap().nodes() < Skill::from_elo(1501).unwrap().nodes() + 1);
    }
}
