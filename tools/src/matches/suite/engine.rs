//! An engine that is asked for its move in positions.

use std::time::Duration;

use sakmak_movegen::Rules;

use super::SuiteError;
use crate::matches::tournament::process::{EngineProcess, Timeouts};
use crate::matches::tournament::spec::{EngineLimits, EngineSpec};

/// Time limit of one search.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(600);

/// An engine and its limits.
pub(super) struct SuiteEngine {
    engine: EngineProcess,
    go: String,
}

impl SuiteEngine {
    /// Starts an engine; `limits` apply if it has none of its own.
    pub(super) fn start(spec: &EngineSpec, limits: EngineLimits) -> Result<Self, SuiteError> {
        let limits = spec.limits.or(limits);
        if limits.clock.is_some() {
            return Err(SuiteError::Clock);
        }
        let go = format!("go{}", limits.go_words());
        Ok(Self { engine: EngineProcess::start(spec, &Rules::default(), Timeouts::default())?, go })
    }

    /// The engine's name.
    pub(super) fn name(&self) -> String {
        self.engine.name.clone()
    }

    /// Clears the engine's memory with `ucinewgame`.
    pub(super) fn new_game(&mut self) -> Result<(), SuiteError> {
        self.engine.new_game().map_err(|error| self.engine.failure(error).into())
    }

    /// The engine's move, in the engine's spelling.
    pub(super) fn best_move(&mut self, fen: &str, moves: &str) -> Result<String, SuiteError> {
        Ok(self.engine.search(fen, moves, &self.go, MAX_SEARCH_TIME, &mut |_| ())?)
    }
}
