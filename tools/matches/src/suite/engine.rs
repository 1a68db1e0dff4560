//! An engine that is asked for its move in positions.

use std::time::Duration;

use anyhow::{Result, ensure};
use sakmak_movegen::Rules;

use crate::tournament::process::{EngineProcess, Timeouts};
use crate::tournament::spec::{EngineLimits, EngineSpec};

/// Time limit of one search.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(600);

/// An engine and its limits.
pub(super) struct SuiteEngine {
    engine: EngineProcess,
    go: String,
}

impl SuiteEngine {
    /// Starts an engine; `limits` apply if it has none of its own.
    pub(super) fn start(spec: &EngineSpec, limits: EngineLimits) -> Result<Self> {
        let limits = spec.limits.or(limits);
        ensure!(limits.clock.is_none(), "positions have no clock: give nodes, depth or movetime");
        let go = format!("go{}", limits.go_words());
        Ok(Self { engine: EngineProcess::start(spec, &Rules::default(), Timeouts::default())?, go })
    }

    /// The engine's name.
    pub(super) fn name(&self) -> String {
        self.engine.name.clone()
    }

    /// Clears the engine's memory with `ucinewgame`.
    pub(super) fn new_game(&mut self) -> Result<()> {
        self.engine.new_game().map_err(|error| self.engine.failure(error).into())
    }

    /// The engine's move, in the engine's spelling.
    pub(super) fn best_move(&mut self, fen: &str, moves: &str) -> Result<String> {
        Ok(self.engine.search(fen, moves, &self.go, MAX_SEARCH_TIME, &mut |_| ())?)
    }
}
