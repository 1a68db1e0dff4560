//! The games of a match: pairings, openings and colours. They depend on the settings alone, so that a match can be
//! interrupted, resumed, and spread over several machines.

use std::fmt;

use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::Color;

use super::spec::Shard;

/// The pairings of a tournament.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum TournamentFormat {
    /// Each engine plays each other.
    #[default]
    RoundRobin,
    /// The first meets all others.
    Gauntlet,
}

impl fmt::Display for TournamentFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::RoundRobin => "round-robin",
            Self::Gauntlet => "gauntlet",
        })
    }
}

/// A game to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ScheduledGame {
    /// Number of the game, from 1; other shards have the missing numbers.
    pub number: u64,
    /// Index of the encounter.
    pub encounter: usize,
    /// Number of the pair within its encounter, from 0.
    pub pair: u64,
    /// The colour of the first engine of the encounter.
    pub first_color: Color,
    /// Index of the opening.
    pub opening: usize,
}

impl ScheduledGame {
    /// Indices of White's and Black's engine, given the encounters of the schedule.
    pub fn by_color(&self, encounters: &[[usize; 2]]) -> [usize; 2] {
        let [first, second] = encounters[self.encounter];
        if self.first_color == Color::White { [first, second] } else { [second, first] }
    }
}

/// The schedule of a match.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// The encounters as indices of two engines; results are counted for the first.
    pub encounters: Vec<[usize; 2]>,
    pairs: u64,
    openings: Vec<usize>,
    shard: Shard,
    /// Whether the games of a pair share their opening.
    shares_openings: bool,
}

impl Schedule {
    /// A schedule of `pairs` game pairs for each encounter of `engines` engines.
    ///
    /// `seed` shuffles the openings; without it they are played in their order.
    pub fn new(
        format: TournamentFormat,
        engines: usize,
        pairs: u64,
        openings: usize,
        seed: Option<u64>,
        shard: Shard,
    ) -> Self {
        let encounters = match format {
            TournamentFormat::Gauntlet => (1..engines).map(|other| [0, other]).collect(),
            TournamentFormat::RoundRobin => {
                (0..engines).flat_map(|one| (one + 1..engines).map(move |other| [one, other])).collect()
            }
        };
        let mut order: Vec<usize> = (0..openings).collect();
        if let Some(seed) = seed {
            order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
        }
        Self { encounters, pairs, openings: order, shard, shares_openings: true }
    }

    /// This schedule from another opening on, counted from 0 in its order; those before it come last.
    pub fn from_opening(mut self, start: u64) -> Self {
        let number = self.openings.len() as u64;
        self.openings.rotate_left(start.checked_rem(number).unwrap_or(0) as usize);
        self
    }

    /// This schedule with an opening of its own for every game; the colours still change from game to game.
    pub fn with_single_games(mut self) -> Self {
        self.shares_openings = false;
        self
    }

    /// The games per encounter, in all shards.
    pub fn games_of_encounter(&self) -> u64 {
        2 * self.pairs
    }

    /// The two games of pair `pair` of encounter `encounter`, both from 0.
    pub fn pair(&self, pair: u64, encounter: usize) -> [ScheduledGame; 2] {
        let opening = |index: u64| self.openings[(index % self.openings.len() as u64) as usize];
        let [one, two] = if self.shares_openings { [pair; 2] } else { [2 * pair, 2 * pair + 1] };
        let number = 2 * (pair * self.encounters.len() as u64 + encounter as u64) + 1;
        let game = |number, first_color, index| ScheduledGame {
            number,
            encounter,
            pair,
            first_color,
            opening: opening(index),
        };
        [game(number, Color::White, one), game(number + 1, Color::Black, two)]
    }

    /// The games of this shard, pair by pair.
    pub fn games(&self) -> impl Iterator<Item = ScheduledGame> + '_ {
        let numbers = (u64::from(self.shard.index) - 1..self.pairs).step_by(self.shard.of as usize);
        numbers.flat_map(move |pair| {
            (0..self.encounters.len()).flat_map(move |encounter| self.pair(pair, encounter))
        })
    }

    /// The number of games of this shard.
    pub fn len(&self) -> u64 {
        self.games().count() as u64
    }

    /// Whether this shard has no games.
    pub fn is_empty(&self) -> bool {
        self.games().next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: Shard = Shard { index: 1, of: 1 };

    #[test]
    fn pairs_share_their_opening_with_colours_reversed() {
        let schedule = Schedule::new(TournamentFormat::RoundRobin, 3, 4, 3, Some(9), WHOLE);
        assert_eq!(schedule.encounters, [[0, 1], [0, 2], [1, 2]]);
        let tasks: Vec<ScheduledGame> = schedule.games().collect();
        assert_eq!(tasks.len(), 24);
        for (index, pair) in tasks.chunks(2).enumerate() {
            assert_eq!(
                (pair[0].opening, pair[0].pair, pair[0].encounter),
                (pair[1].opening, pair[1].pair, index % 3)
            );
            assert_eq!([pair[0].first_color, pair[1].first_color], Color::ALL);
            assert_eq!(pair[0].number, 2 * index as u64 + 1);
        }
        let again: Vec<ScheduledGame> =
            Schedule::new(TournamentFormat::RoundRobin, 3, 4, 3, Some(9), WHOLE).games().collect();
        assert_eq!(again, tasks);
        assert_eq!(
            Schedule::new(TournamentFormat::Gauntlet, 4, 1, 1, None, WHOLE).encounters,
            [[0, 1], [0, 2], [0, 3]]
        );
    }

    #[test]
    fn shards_part_the_match() {
        let whole: Vec<ScheduledGame> =
            Schedule::new(TournamentFormat::RoundRobin, 2, 10, 7, Some(1), WHOLE).games().collect();
        let mut parts: Vec<ScheduledGame> = (1..=3)
            .flat_map(|index| {
                let shard = Shard { index, of: 3 };
                Schedule::new(TournamentFormat::RoundRobin, 2, 10, 7, Some(1), shard)
                    .games()
                    .collect::<Vec<_>>()
            })
            .collect();
        parts.sort_by_key(|task| task.number);
        assert_eq!(parts, whole);
    }

    /// As OpenBench spreads a book over its workers, and makes data without reversed games.
    #[test]
    fn another_first_opening_and_single_games() {
        let openings = |schedule: Schedule| schedule.games().map(|game| game.opening).collect::<Vec<_>>();
        let schedule = Schedule::new(TournamentFormat::RoundRobin, 2, 2, 5, None, WHOLE).from_opening(8);
        assert_eq!(openings(schedule.clone()), [3, 3, 4, 4]);
        assert_eq!(openings(schedule.with_single_games()), [3, 4, 0, 1]);
    }

    /// Iterating over all games before it would take practically for ever.
    #[test]
    fn a_late_pair_is_found_without_those_before() {
        let schedule = Schedule::new(TournamentFormat::Gauntlet, 2, u64::MAX / 4, 3, None, WHOLE);
        let pair = schedule.pair(1 << 60, 0);
        assert_eq!(pair.map(|game| game.number), [(2 << 60) + 1, (2 << 60) + 2]);
        assert_eq!(pair.map(|game| game.opening as u64), [(1 << 60) % 3; 2]);
    }
}
