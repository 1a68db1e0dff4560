//! The totals of a match and its report, which also stores the engines' errors for `--resume`.

use std::collections::BTreeMap;

use anyhow::{Result, bail, ensure};
use sakmak_games::pgn::PgnResult;
use sakmak_movegen::Color;
use serde::{Deserialize, Serialize};

use super::engine_error::EngineErrorReport;
use super::fingerprint::difference;
use super::play::SideStats;
use super::schedule::ScheduledGame;
use super::spec::Shard;
use super::store::FinishedGame;
use crate::statistics::{Estimate, Multinomial, Pentanomial, Sprt, SprtReport, Trinomial, Wdl};

/// Totals of an engine over all its games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EngineTotals {
    /// Its name in the match.
    pub name: String,
    /// Games played.
    pub games: u64,
    /// Moves, depths, nodes and time.
    pub stats: SideStats,
    /// Errors of any kind.
    pub faults: u64,
    /// Games lost on time.
    pub time_losses: u64,
}

/// The results between two engines, from the first one's view.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EncounterTotals {
    /// Names of the two engines.
    pub engines: [String; 2],
    /// All games, including those of incomplete pairs.
    pub games: Trinomial,
    /// Complete pairs.
    pub pairs: Pentanomial,
    /// Games won by the side that had White, drawn, and won by Black.
    pub by_color: Trinomial,
}

/// The totals of a match.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Per engine, in the order of the command line.
    pub engines: Vec<EngineTotals>,
    /// Per encounter.
    pub encounters: Vec<EncounterTotals>,
    /// Number of games by the reason that ended them.
    pub reasons: BTreeMap<String, u64>,
}

/// The report of a match, written to disk and printed at the end.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct MatchReport {
    /// The hash of the settings, the same for all shards.
    pub fingerprint: String,
    /// The parts of the match in this report.
    pub shards: Vec<Shard>,
    /// Games per encounter in the whole match, played or not; `None` in a report of an older version.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub games: Option<u64>,
    /// The settings, in words.
    pub settings: Vec<(String, String)>,
    /// The totals.
    pub totals: Totals,
    /// The SPRT, if there is one.
    pub sprt: Option<Sprt>,
    /// The state of the SPRT.
    pub sprt_report: Option<SprtReport>,
    /// Estimates of each encounter.
    pub estimates: Vec<Estimates>,
    /// Errors of the engines.
    pub faults: Vec<EngineErrorReport>,
}

/// Estimates of an encounter; `None` where there are too few games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimates {
    /// Elo with its 95% interval, by pairs.
    pub elo: Option<Estimate>,
    /// Normalised Elo.
    pub normalized_elo: Option<Estimate>,
    /// Likelihood of superiority, 0 to 1.
    pub los: Option<f64>,
    /// Share of drawn games, 0 to 1.
    pub draws: Option<f64>,
}

fn result_for(result: PgnResult, color: Color) -> Option<Wdl> {
    let white = match result {
        PgnResult::WhiteWins => Wdl::Win,
        PgnResult::BlackWins => Wdl::Loss,
        PgnResult::Draw => Wdl::Draw,
        PgnResult::Unknown => return None,
    };
    Some(match (white, color) {
        (Wdl::Win, Color::Black) => Wdl::Loss,
        (Wdl::Loss, Color::Black) => Wdl::Win,
        (result, _) => result,
    })
}

/// Strips names, moves and numbers from a reason, so that reasons of one kind are counted together.
fn kind_of(reason: &str) -> String {
    let kind = reason.split(" by ").next().unwrap_or_default();
    let kind =
        if kind.contains("(adjudicated: ") { kind } else { kind.split(": ").next().unwrap_or_default() };
    let open = kind.matches('(').count().saturating_sub(kind.matches(')').count());
    kind.to_owned() + &")".repeat(open)
}

/// Adds up games in any order.
#[derive(Clone, Debug)]
pub struct MatchCounter {
    totals: Totals,
    encounters: Vec<[usize; 2]>,
    /// Results of single games of incomplete pairs.
    half: BTreeMap<(usize, u64), Wdl>,
}

impl MatchCounter {
    /// A counter without games.
    pub fn new(names: &[String], encounters: &[[usize; 2]]) -> Self {
        let engines = names.iter().map(|name| EngineTotals { name: name.clone(), ..EngineTotals::default() });
        let pair = |&[one, other]: &[usize; 2]| EncounterTotals {
            engines: [names[one].clone(), names[other].clone()],
            ..EncounterTotals::default()
        };
        let totals = Totals {
            engines: engines.collect(),
            encounters: encounters.iter().map(pair).collect(),
            reasons: BTreeMap::new(),
        };
        Self { totals, encounters: encounters.to_vec(), half: BTreeMap::new() }
    }

    /// Adds a game.
    pub fn add(&mut self, task: &ScheduledGame, game: &FinishedGame) {
        for (color, engine) in task.by_color(&self.encounters).into_iter().enumerate() {
            let totals = &mut self.totals.engines[engine];
            totals.games += 1;
            totals.stats.add(game.stats[color]);
            totals.faults += u64::from(game.faults[color]);
            totals.time_losses += u64::from(game.time_losses[color]);
        }
        *self.totals.reasons.entry(kind_of(&game.reason)).or_default() += 1;
        let Some(result) = result_for(game.result, task.first_color) else { return };
        let totals = &mut self.totals.encounters[task.encounter];
        totals.games.add(result);
        if let Some(result) = result_for(game.result, Color::White) {
            totals.by_color.add(result);
        }
        match self.half.remove(&(task.encounter, task.pair)) {
            Some(other) => totals.pairs.add(other, result),
            None => {
                self.half.insert((task.encounter, task.pair), result);
            }
        }
    }

    /// The totals of the games added.
    pub fn totals(&self) -> &Totals {
        &self.totals
    }
}

impl Estimates {
    /// The estimates of an encounter, from its pairs, or from its games while there are no pairs.
    pub fn new(encounter: &EncounterTotals) -> Self {
        let draws = encounter.games.draw_ratio();
        if encounter.pairs.trials() > 0 {
            let pairs = &encounter.pairs;
            Self { elo: pairs.elo(), normalized_elo: pairs.normalized_elo(), los: Some(pairs.los()), draws }
        } else {
            let games = &encounter.games;
            let los = (games.trials() > 0).then(|| games.los());
            Self { elo: games.elo(), normalized_elo: games.normalized_elo(), los, draws }
        }
    }
}

impl Totals {
    /// Adds the totals of another part of the same match.
    ///
    /// # Errors
    /// If the parts have other engines.
    pub fn merge(&mut self, other: &Self) -> Result<()> {
        let names =
            |totals: &Self| totals.engines.iter().map(|engine| engine.name.clone()).collect::<Vec<_>>();
        ensure!(
            names(self) == names(other) && self.encounters.len() == other.encounters.len(),
            "the parts are of matches between other engines"
        );
        for (sum, part) in self.engines.iter_mut().zip(&other.engines) {
            sum.games += part.games;
            sum.stats.add(part.stats);
            sum.faults += part.faults;
            sum.time_losses += part.time_losses;
        }
        for (sum, part) in self.encounters.iter_mut().zip(&other.encounters) {
            sum.games += part.games;
            sum.pairs += part.pairs;
            sum.by_color += part.by_color;
        }
        for (reason, number) in &other.reasons {
            *self.reasons.entry(reason.clone()).or_default() += number;
        }
        Ok(())
    }
}

impl MatchReport {
    /// Adds the report of another part of the same match.
    ///
    /// # Errors
    /// If it is of another match, or contains a part that was added already.
    pub fn merge(&mut self, part: Self) -> Result<()> {
        ensure!(
            self.fingerprint == part.fingerprint,
            "this is part of {}",
            difference(&part.fingerprint, &self.fingerprint)
        );
        if let (Some(games), Some(others)) = (self.games, part.games) {
            ensure!(games == others, "this is part of a match with --games {others}, not {games}");
        }
        if let Some(Shard { index, of }) = part.shards.iter().find(|shard| self.shards.contains(shard)) {
            bail!("part {index}/{of} is there already");
        }
        let mut parts = self.shards.iter().chain(&part.shards).map(|shard| shard.of);
        let of = parts.next();
        ensure!(parts.all(|other| Some(other) == of), "the match was parted differently here");
        self.totals.merge(&part.totals)?;
        self.shards.extend(part.shards);
        if of == u32::try_from(self.shards.len()).ok() {
            // With all parts it is the report of the whole match.
            self.shards = vec![Shard { index: 1, of: 1 }];
        }
        self.games = self.games.or(part.games);
        self.faults.extend(part.faults);
        Ok(())
    }

    /// The report as it is written to disk.
    ///
    /// # Errors
    /// Those of the JSON writer.
    pub fn to_json(&self) -> serde_json::Result<String> {
        Ok(serde_json::to_string_pretty(self)? + "\n")
    }

    /// Recomputes the estimates and the state of the SPRT.
    pub fn update(&mut self) {
        self.estimates = self.totals.encounters.iter().map(Estimates::new).collect();
        let pairs = self.totals.encounters.first().map(|encounter| encounter.pairs).unwrap_or_default();
        self.sprt_report = self.sprt.map(|sprt| sprt.report(&pairs));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reasons_are_counted_by_kind() {
        for (reason, kind) in [
            ("checkmate by White", "checkmate"),
            ("draw (repetition)", "draw (repetition)"),
            ("draw (adjudicated: level scores)", "draw (adjudicated: level scores)"),
            ("white wins (black lost on time by 7 ms)", "white wins (black lost on time)"),
            ("white wins (black made an illegal move: a1h8)", "white wins (black made an illegal move)"),
            ("black wins (white ended (signal: 9 (SIGKILL)))", "black wins (white ended (signal))"),
        ] {
            assert_eq!(kind_of(reason), kind);
        }
    }
}
