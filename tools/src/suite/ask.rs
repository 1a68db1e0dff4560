//! Asks an engine for moves.

use std::time::{Duration, Instant};

use anyhow::{Result, anyhow, bail, ensure};
use sakmak_movegen::Rules;
use sakmak_tools::tournament::fault::Fault;
use sakmak_tools::tournament::process::{Engine, Patience};
use sakmak_tools::tournament::spec::{EngineSpec, Limits};

/// How long an engine may think about one position.
const LONGEST: Duration = Duration::from_secs(600);

/// An engine and how much it may think.
pub(super) struct Asked {
    engine: Engine,
    go: String,
    pub(super) name: String,
}

impl Asked {
    /// Starts an engine; `limits` are those of an engine without its own.
    pub(super) fn start(spec: &EngineSpec, limits: Limits) -> Result<Self> {
        let limits = spec.limits.or(limits);
        ensure!(limits.clock.is_none(), "positions have no clock: give nodes, depth or movetime");
        let go = format!("go{}", limits.go_words());
        let rules = Rules::default();
        let engine = Engine::start(spec, rules.variant.name(), rules.ruleset.name(), Patience::default())
            .map_err(|(fault, lines)| complaint(&spec.command.join(" "), &fault, &lines))?;
        let name = if spec.name.is_empty() { engine.own_name.clone() } else { spec.name.clone() };
        Ok(Self { engine, go, name })
    }

    /// Clears the engine's memory as far as `ucinewgame` does.
    pub(super) fn new_game(&mut self) -> Result<()> {
        let result = self.engine.send("ucinewgame").and_then(|()| self.engine.synchronise());
        result.map_err(|fault| self.complain(&fault))
    }

    /// The engine's move, as it wrote it.
    pub(super) fn best_move(&mut self, fen: &str, moves: &str) -> Result<String> {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        let asked = self.engine.synchronise();
        let asked = asked.and_then(|()| self.engine.send(&format!("position fen {fen}{moves}")));
        asked.and_then(|()| self.engine.send(&self.go)).map_err(|fault| self.complain(&fault))?;
        let deadline = Instant::now() + LONGEST;
        loop {
            let Some((came, line)) =
                self.engine.receive(Some(deadline)).map_err(|fault| self.complain(&fault))?
            else {
                bail!(self.complain(&Fault::Hang));
            };
            if came > deadline {
                bail!(self.complain(&Fault::Hang));
            }
            let mut words = line.split_ascii_whitespace();
            if words.next() == Some("bestmove") {
                return Ok(words.next().unwrap_or_default().chars().take(8).collect());
            }
        }
    }

    fn complain(&self, fault: &Fault) -> anyhow::Error {
        complaint(&self.name, fault, &self.engine.dialogue())
    }
}

fn complaint(name: &str, fault: &Fault, dialogue: &[String]) -> anyhow::Error {
    let lines: String = dialogue.iter().map(|line| format!("\n    {line}")).collect();
    anyhow!("{name} {fault}{lines}")
}
