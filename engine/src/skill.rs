//! Playing weaker on purpose.
//!
//! A limited player looks at fewer positions and misjudges what he sees: the search stops at a number of
//! nodes that grows with the level, and the move is chosen by the score plus a random error that shrinks
//! with it. Both change with every step, so a higher level is never weaker by design.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::score::is_mate;
use crate::search::RootMove;

/// Lowest level.
pub const MIN_LEVEL: i32 = -20;
/// The level that plays as well as it can.
pub const MAX_LEVEL: i32 = 20;
/// Lowest value of `UCI_Elo`, where [`MIN_LEVEL`] is.
pub const MIN_ELO: i32 = 500;
/// Highest value of `UCI_Elo`, where [`MAX_LEVEL`] is.
pub const MAX_ELO: i32 = 2850;

/// Lines considered by a limited player.
const CANDIDATES: usize = 8;
/// Nodes of the lowest level, and growth with each level.
const LOWEST_NODES: f64 = 24.0;
const NODES_PER_LEVEL: f64 = 1.27;
/// Largest error in centipawns for each level below the top.
const ERROR_PER_LEVEL: f64 = 9.0;

/// A strength below the full one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Skill(f64);

impl Skill {
    /// The strength of a level from [`MIN_LEVEL`] to [`MAX_LEVEL`]; `None` for the top, which is no
    /// limit.
    pub fn from_level(level: i32) -> Option<Self> {
        Self::new(f64::from(level))
    }

    /// The strength of a rating from [`MIN_ELO`] to [`MAX_ELO`].
    pub fn from_elo(elo: i32) -> Option<Self> {
        let share = f64::from(elo - MIN_ELO) / f64::from(MAX_ELO - MIN_ELO);
        Self::new(f64::from(MIN_LEVEL) + share * f64::from(MAX_LEVEL - MIN_LEVEL))
    }

    fn new(level: f64) -> Option<Self> {
        (level < f64::from(MAX_LEVEL)).then_some(Self(level.max(f64::from(MIN_LEVEL))))
    }

    /// Positions this player looks at for a move.
    pub fn nodes(self) -> u64 {
        (LOWEST_NODES * NODES_PER_LEVEL.powf(self.0 - f64::from(MIN_LEVEL))) as u64
    }

    /// Lines the search has to find for [`Skill::choose`].
    pub fn lines(self) -> usize {
        CANDIDATES
    }

    fn largest_error(self) -> f64 {
        ERROR_PER_LEVEL * (f64::from(MAX_LEVEL) - self.0)
    }

    /// The index of the move to play out of the best lines. The same seed gives the same choice.
    pub fn choose(self, moves: &[RootMove], seed: u64) -> usize {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut chosen = 0;
        let mut highest = f64::MIN;
        for (index, mv) in moves.iter().take(CANDIDATES).enumerate() {
            // The sum of two errors: small ones are likelier than large ones.
            let error = (rng.random::<f64>() - rng.random::<f64>()) * self.largest_error();
            let seen = f64::from(mv.score) + if is_mate(mv.score) { 0.0 } else { error };
            if seen > highest {
                (chosen, highest) = (index, seen);
            }
        }
        chosen
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_step_looks_further_and_errs_less() {
        let levels: Vec<_> = (MIN_LEVEL..MAX_LEVEL).filter_map(Skill::from_level).collect();
        assert_eq!(levels.len(), 40);
        for pair in levels.windows(2) {
            assert!(pair[0].nodes() < pair[1].nodes());
            assert!(pair[0].largest_error() > pair[1].largest_error());
        }
        assert_eq!(Skill::from_level(MAX_LEVEL), None);
        assert_eq!(Skill::from_elo(MAX_ELO), None);
        assert_eq!(Skill::from_elo(MIN_ELO), Skill::from_level(MIN_LEVEL));
        assert!(Skill::from_elo(1500).unwrap().nodes() < Skill::from_elo(1501).unwrap().nodes() + 1);
    }
}
