//! Opening sets: positions after random moves or out of games, chosen by an engine's evaluation, each only once.

mod evaluator;
mod source;
mod write;

use std::collections::HashSet;
use std::fmt;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::{Error, Result, bail};
use sakmak_files::games::ReadMonitor;
use sakmak_movegen::Rules;

pub use source::Opening;
pub use write::OpeningFormat;

use super::tournament::spec::EngineSpec;
use evaluator::ScoringEngines;

/// The opening set that comes with the program, in EPD.
pub const OWN_OPENINGS: &str = include_str!("../../data/openings.epd");

/// Which openings to find.
#[derive(Clone, Debug)]
pub struct OpeningSettings {
    /// Number of openings; `None` for all that `from` holds, or 100 random ones.
    pub count: Option<usize>,
    /// Range of the plies of each opening.
    pub plies: PlyRange,
    /// Random seed. With 0 the games of `from` keep their order.
    pub seed: u64,
    /// Files of games to take the positions from; if empty, moves are random.
    pub from: Vec<PathBuf>,
    /// The rules.
    pub rules: Rules,
    /// Largest absolute evaluation of a position, in centipawns; `None` evaluates nothing.
    pub max_eval: Option<u32>,
    /// Smallest absolute evaluation of a position, in centipawns.
    pub min_eval: u32,
    /// Nodes to search each position.
    pub nodes: u64,
    /// The engine that evaluates; `None` is Sakmak.
    pub engine: Option<EngineSpec>,
    /// Threads that evaluate, each with its own engine.
    pub threads: NonZeroUsize,
}

/// A range of plies, as `8` or `8..20`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlyRange(pub RangeInclusive<u32>);

/// The longest opening in plies.
const MAX_PLIES: u32 = 199;

impl FromStr for PlyRange {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.parse().ok().filter(|n| (1..=MAX_PLIES).contains(n));
        match (number(least), number(most)) {
            (Some(least), Some(most)) if least <= most => Ok(Self(least..=most)),
            _ => bail!("a number from 1 to {MAX_PLIES} or two such as 8..20 are needed"),
        }
    }
}

impl fmt::Display for PlyRange {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (least, most) = (self.0.start(), self.0.end());
        if least == most { write!(f, "{least}") } else { write!(f, "{least}..{most}") }
    }
}

/// Number of random openings if none is given.
const DEFAULT_COUNT: usize = 100;
/// Random games tried per opening requested, before giving up.
const MAX_TRIES: usize = 1_000;
/// Positions that each engine gets at a time.
const BATCH: usize = 8;

impl OpeningSettings {
    /// The number of openings to find; `None` for all there are.
    pub fn wanted(&self) -> Option<usize> {
        if self.from.is_empty() { self.count.or(Some(DEFAULT_COUNT)) } else { self.count }
    }

    /// Finds the openings. The set does not depend on the number of threads. `progress` is called with the number
    /// found and the number of positions evaluated outside the limits.
    ///
    /// # Errors
    /// If there are too few, a file cannot be read, or an engine fails.
    pub fn find(
        &self,
        monitor: &mut dyn ReadMonitor,
        progress: &mut dyn FnMut(usize, u64),
    ) -> Result<Vec<Opening>> {
        let wanted = self.wanted();
        let mut tried = 0;
        let candidates: Box<dyn Iterator<Item = Opening>> = if self.from.is_empty() {
            let most = wanted.unwrap_or(DEFAULT_COUNT).saturating_mul(MAX_TRIES);
            // Random captures lose material, so they need an evaluation.
            let captures = self.max_eval.is_some();
            Box::new(source::random(self.rules, &self.plies.0, captures, self.seed).take(most).flatten())
        } else {
            Box::new(source::from_games(&self.from, self.rules, &self.plies.0, self.seed, monitor)?)
        };
        let mut seen = HashSet::new();
        let mut candidates =
            candidates.inspect(|_| tried += 1).filter(|candidate| seen.insert(candidate.position.key()));

        let threads = self.threads.get();
        let mut evaluators = match self.max_eval {
            Some(most) => {
                let engine = self.engine.as_ref();
                Some((ScoringEngines::new(threads, engine, self.rules, self.nodes)?, most))
            }
            None => None,
        };
        let (mut found, mut outside) = (Vec::new(), 0_u64);
        loop {
            let missing = wanted.map_or(usize::MAX, |wanted| wanted - found.len());
            let size = if evaluators.is_some() { threads * BATCH } else { missing };
            let batch: Vec<_> = candidates.by_ref().take(size).collect();
            if batch.is_empty() || missing == 0 {
                break;
            }
            let are_within = match &mut evaluators {
                Some((evaluators, most)) => {
                    let scores = evaluators.scores(&batch)?;
                    let limits = self.min_eval..=*most;
                    scores
                        .into_iter()
                        .map(|s| s.is_some_and(|s| limits.contains(&s.unsigned_abs())))
                        .collect()
                }
                None => vec![true; batch.len()],
            };
            outside += are_within.iter().filter(|&&is_within| !is_within).count() as u64;
            let good = batch.into_iter().zip(are_within).filter(|(_, is_within)| *is_within);
            found.extend(good.map(|(candidate, _)| candidate).take(missing));
            progress(found.len(), outside);
        }
        drop(candidates);
        let least = wanted.unwrap_or(1);
        if found.len() < least {
            bail!(
                "found only {} of {least} openings of {} plies; of {tried} positions {} were different and {outside} \
                 evaluated outside the limits",
                found.len(),
                self.plies,
                seen.len()
            );
        }
        Ok(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_one_number_or_two() {
        assert_eq!("8".parse::<PlyRange>().unwrap(), PlyRange(8..=8));
        assert_eq!("8..20".parse::<PlyRange>().unwrap(), PlyRange(8..=20));
        assert_eq!(PlyRange(8..=20).to_string(), "8..20");
        for text in ["", "0", "200", "9..8", "8..", "..8", "8..9..10", "x"] {
            assert!(text.parse::<PlyRange>().is_err(), "{text}");
        }
    }
}
