//! An engine that searches single positions, outside of a match.

use std::time::Duration;

use anyhow::{Result, ensure};
use sakmak_movegen::Rules;

use super::info::InfoLine;
use super::process::{EngineProcess, Timeouts};
use super::spec::{EngineLimits, EngineSpec};

/// Time limit of one search.
const MAX_SEARCH_TIME: Duration = Duration::from_secs(600);

/// An engine and the limits of its searches.
pub(crate) struct PositionEngine {
    engine: EngineProcess,
    go: String,
}

impl PositionEngine {
    /// Starts an engine; `limits` apply if it has none of its own.
    ///
    /// # Errors
    /// If it cannot be started, or its limits are a clock.
    pub(crate) fn start(spec: &EngineSpec, rules: &Rules, limits: EngineLimits) -> Result<Self> {
        let go = go_command(spec.limits.or(limits))?;
        Ok(Self { engine: EngineProcess::start(spec, rules, Timeouts::default())?, go })
    }

    /// The engine's name.
    pub(crate) fn name(&self) -> &str {
        &self.engine.name
    }

    /// Clears the engine's memory with `ucinewgame`.
    pub(crate) fn new_game(&mut self) -> Result<()> {
        self.engine.new_game().map_err(|error| self.engine.failure(error).into())
    }

    /// The engine's move in the position after `moves`, in the engine's spelling; `on_info` sees the `info` lines.
    pub(crate) fn search(
        &mut self,
        fen: &str,
        moves: &str,
        on_info: &mut dyn FnMut(InfoLine<'_>),
    ) -> Result<String> {
        let mut on_line = |line: &str| InfoLine::parse(line).into_iter().for_each(&mut *on_info);
        Ok(self.engine.search(fen, moves, &self.go, MAX_SEARCH_TIME, &mut on_line)?)
    }
}

fn go_command(limits: EngineLimits) -> Result<String> {
    ensure!(limits.clock.is_none(), "positions have no clock: give nodes, depth or movetime");
    Ok(format!("go{}", limits.go_words()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_get_their_own_limits() {
        let default = EngineLimits { nodes: Some(500), ..EngineLimits::default() };
        let go = |text: &str| go_command(text.parse::<EngineSpec>().unwrap().limits.or(default));
        assert_eq!(go("cmd=x").unwrap(), "go nodes 500");
        assert_eq!(go("cmd=x,depth=4,movetime=9").unwrap(), "go movetime 9 depth 4");
        assert!(go("cmd=x,tc=1+1").unwrap_err().to_string().contains("no clock"));
    }
}
