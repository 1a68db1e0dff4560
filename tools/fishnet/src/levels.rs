//! The strength of the levels of move jobs.

use std::time::Duration;

use sakmak_engine::Limits;
use sakmak_engine::skill::Skill;

/// How a level plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// Rating on the scale of `UCI_Elo`; `None` for full strength.
    pub elo: Option<i32>,
    /// Most time for a move. A limited level needs less: its nodes end the search.
    pub move_time: Duration,
}

/// The levels from 0, the weakest, as strong as those of fairyfishnet. Servers offer 1 to 8. docs/servers.md has the games
/// that were measured.
pub const LEVELS: [Level; 9] = [
    Level::limited(1050),
    Level::limited(1175),
    Level::limited(1275),
    Level::limited(1425),
    Level::limited(1575),
    Level::limited(1775),
    Level::limited(2225),
    Level::limited(2825),
    Level { elo: None, move_time: Duration::from_millis(1000) },
];

/// Nodes of a move of the strongest level if moves must be reproducible: about what a second allows.
pub const REPRODUCIBLE_NODES: u64 = 1_000_000;

impl Level {
    const fn limited(elo: i32) -> Self {
        Self { elo: Some(elo), move_time: Duration::from_millis(1500) }
    }

    /// The level of a job; numbers outside the list are its nearest end.
    pub fn of(number: i64) -> &'static Self {
        let last = LEVELS.len() - 1;
        &LEVELS[usize::try_from(number.max(0)).map_or(last, |number| number.min(last))]
    }

    /// The strength; `None` for full strength.
    pub fn skill(&self) -> Option<Skill> {
        self.elo.and_then(Skill::from_elo)
    }

    /// The limits of a search. Moves that must be reproducible are limited by nodes alone.
    pub fn limits(&self, is_reproducible: bool) -> Limits {
        match (is_reproducible, self.skill()) {
            (false, _) => Limits::move_time(self.move_time),
            (true, Some(skill)) => Limits::nodes(skill.nodes()),
            (true, None) => Limits::nodes(REPRODUCIBLE_NODES),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_rise_to_full_strength() {
        let ratings: Vec<_> = LEVELS.iter().map(|level| level.elo.unwrap_or(i32::MAX)).collect();
        assert!(ratings.is_sorted_by(|low, high| low < high), "{ratings:?}");
        assert!(LEVELS[..8].iter().all(|level| level.skill().is_some()));
        assert_eq!(Level::of(8).skill(), None);
        assert_eq!(Level::of(-3), Level::of(0));
        assert_eq!(Level::of(i64::MAX), Level::of(8));
        assert_eq!(Level::of(3), &LEVELS[3]);
    }

    #[test]
    fn reproducible_moves_have_no_clock() {
        for level in &LEVELS {
            assert_eq!(level.limits(true).move_time, None);
            assert!(level.limits(true).nodes.is_some() && level.limits(false).move_time.is_some());
        }
    }
}
