//! Evaluates positions by an engine's search.

use std::time::Duration;

use anyhow::{Context, Result, anyhow, ensure};
use sakmak_engine::openings::OpeningScorer;
use sakmak_engine::score::Score;
use sakmak_movegen::Rules;

use super::source::Opening;
use crate::tournament::engine_error::EngineFailure;
use crate::tournament::info::InfoLine;
use crate::tournament::process::{EngineProcess, Timeouts};
use crate::tournament::spec::{EngineLimits, EngineSpec};

/// Engines that evaluate in parallel.
pub(super) struct ScoringEngines(Vec<ScoringEngine>);

enum ScoringEngine {
    Own(Box<OpeningScorer>, u64),
    Process(Box<EngineProcess>, String),
}

/// Time limit of one search.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(600);

impl ScoringEngines {
    /// `number` engines: the given one, or Sakmak itself.
    pub(super) fn new(number: usize, engine: Option<&EngineSpec>, rules: Rules, nodes: u64) -> Result<Self> {
        let own = || Ok(ScoringEngine::Own(Box::new(OpeningScorer::new()?), nodes));
        let start = |spec: &EngineSpec| {
            let go = go_command(spec.limits, nodes)?;
            let engine = EngineProcess::start(spec, &rules, Timeouts::default())?;
            Ok(ScoringEngine::Process(Box::new(engine), go))
        };
        let evaluators = (0..number.max(1)).map(|_| engine.map_or_else(own, start));
        Ok(Self(evaluators.collect::<Result<_>>()?))
    }

    /// The score of each position in centipawns for the side to move; `None` if the last score was a mate or missing.
    pub(super) fn scores(&mut self, positions: &[Opening]) -> Result<Vec<Option<i32>>> {
        let number = self.0.len();
        let mut scores = vec![None; positions.len()];
        std::thread::scope(|scope| {
            let mut threads = Vec::with_capacity(number);
            for (index, evaluator) in self.0.iter_mut().enumerate() {
                let share = positions.iter().skip(index).step_by(number);
                let work = move || share.map(|one| evaluator.score(one)).collect::<Result<Vec<_>, _>>();
                let thread = std::thread::Builder::new().spawn_scoped(scope, work);
                let thread = thread.context("cannot start a thread");
                threads.push(thread?);
            }
            for (index, thread) in threads.into_iter().enumerate() {
                let panicked = |_| anyhow!("a thread panicked");
                let share = thread.join().map_err(panicked)??;
                scores.iter_mut().skip(index).step_by(number).zip(share).for_each(|(to, from)| *to = from);
            }
            Ok(scores)
        })
    }
}

impl ScoringEngine {
    fn score(&mut self, opening: &Opening) -> Result<Option<i32>, EngineFailure> {
        match self {
            Self::Own(engine, nodes) => Ok(engine.score(&opening.position, *nodes).and_then(centipawns)),
            Self::Process(engine, go) => {
                let mut score = None;
                engine.new_game().map_err(|error| engine.failure(error))?;
                engine.search(&opening.fen, "", go, MAX_SEARCH_TIME, &mut |line| {
                    score = InfoLine::parse(line).and_then(|line| line.exact_score()).or(score);
                })?;
                Ok(score.and_then(centipawns))
            }
        }
    }
}

fn centipawns(score: Score) -> Option<i32> {
    match score {
        Score::Centipawns(cp) => Some(cp),
        Score::Mate(_) => None,
    }
}

/// The limits of an engine as arguments of `go`.
fn go_command(limits: EngineLimits, nodes: u64) -> Result<String> {
    ensure!(
        limits.clock.is_none(),
        "an engine that evaluates openings has no clock: give nodes, depth or movetime"
    );
    Ok(if limits.is_empty() { format!("go nodes {nodes}") } else { format!("go{}", limits.go_words()) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_get_their_own_limits() {
        let go = |text: &str| go_command(text.parse::<EngineSpec>().unwrap().limits, 500);
        assert_eq!(go("cmd=x").unwrap(), "go nodes 500");
        assert_eq!(go("cmd=x,depth=4,movetime=9").unwrap(), "go movetime 9 depth 4");
        assert!(go("cmd=x,tc=1+1").unwrap_err().to_string().contains("no clock"));
    }
}
