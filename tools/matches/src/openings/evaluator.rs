//! Evaluates positions by an engine's search.

use anyhow::{Context, Result, anyhow};
use sakmak_engine::openings::OpeningScorer;
use sakmak_engine::score::Score;
use sakmak_movegen::Rules;

use super::source::Opening;
use crate::tournament::position_engine::PositionEngine;
use crate::tournament::spec::{EngineLimits, EngineSpec};

/// Engines that evaluate in parallel.
pub(super) struct ScoringEngines(Vec<ScoringEngine>);

enum ScoringEngine {
    Own(Box<OpeningScorer>, u64),
    Process(Box<PositionEngine>),
}

impl ScoringEngines {
    /// `number` engines: the given one, or Sakmak itself.
    pub(super) fn new(number: usize, engine: Option<&EngineSpec>, rules: Rules, nodes: u64) -> Result<Self> {
        let own = || Ok(ScoringEngine::Own(Box::new(OpeningScorer::new()?), nodes));
        let limits = EngineLimits { nodes: Some(nodes), ..EngineLimits::default() };
        let start = |spec: &EngineSpec| {
            Ok(ScoringEngine::Process(Box::new(PositionEngine::start(spec, &rules, limits)?)))
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
                let work = move || share.map(|one| evaluator.score(one)).collect::<Result<Vec<_>>>();
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
    fn score(&mut self, opening: &Opening) -> Result<Option<i32>> {
        match self {
            Self::Own(engine, nodes) => Ok(engine.score(&opening.position, *nodes).and_then(centipawns)),
            Self::Process(engine) => {
                let mut score = None;
                engine.new_game()?;
                engine.search(&opening.fen, "", &mut |info| score = info.exact_score().or(score))?;
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
