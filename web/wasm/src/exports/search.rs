//! The search, for a worker.

use sakmak_engine::bench::{self, Bench};
use sakmak_movegen::Game;
use wasm_bindgen::prelude::wasm_bindgen;

use super::parse;
use crate::analysis::GameAnalysis;
use crate::fault::Fault;
use crate::rules::RulesChoice;
use crate::{engine, json};

/// Runs the bench at a depth: nodes, milliseconds, and the milliseconds of solving the endings before, as JSON.
///
/// # Errors
/// If there is no memory.
#[wasm_bindgen(js_name = runBench)]
pub fn run_bench(depth: u32) -> Result<String, String> {
    let Bench { nodes, time, solving } = bench::run(depth, bench::HASH_MB, |_, _, _| ())
        .map_err(|error| String::from(Fault::new("memory", error)))?;
    let (time, solving) = (time.as_millis(), solving.as_millis());
    Ok(format!(r#"{{"nodes":{nodes},"time":{time},"solving":{solving}}}"#))
}

/// The search, for a worker.
#[wasm_bindgen]
pub struct Engine {
    engine: engine::Engine,
    analysis: Option<GameAnalysis>,
}

#[wasm_bindgen]
impl Engine {
    /// An engine with a transposition table of this many MiB.
    ///
    /// # Errors
    /// If there is no memory for it.
    #[wasm_bindgen(constructor)]
    pub fn new(hash_mb: usize) -> Result<Engine, String> {
        Ok(Self { engine: engine::Engine::new(hash_mb)?, analysis: None })
    }

    /// Sets up a game: rules, FEN, and a JSON list of moves and words of the count.
    ///
    /// # Errors
    /// What is wrong with it.
    #[wasm_bindgen(js_name = setGame)]
    pub fn set_game(&mut self, rules: &str, fen: &str, words: &str) -> Result<(), String> {
        self.analysis = None;
        let words: Vec<String> = parse(words)?;
        Ok(self.engine.set_game(&RulesChoice::parse(rules)?, fen, &words)?)
    }

    /// Clears the transposition table and histories.
    pub fn clear(&mut self) {
        self.engine.clear();
    }

    /// Begins a search with limits as JSON.
    ///
    /// # Errors
    /// If the limits are wrong.
    pub fn go(&mut self, limits: &str) -> Result<(), String> {
        self.engine.go(&parse(limits)?);
        Ok(())
    }

    /// Searches `nodes` nodes more; returns what was found as JSON.
    pub fn advance(&mut self, nodes: u32) -> String {
        json(&self.engine.advance(u64::from(nodes)))
    }

    /// Stops the search: the next part is its last.
    pub fn stop(&mut self) {
        self.engine.stop();
    }

    /// Whether the last part ended because the search needs an ending that is not solved yet; the next ones solve it.
    #[wasm_bindgen(js_name = isSolving)]
    pub fn is_solving(&self) -> bool {
        self.engine.is_solving()
    }

    /// Works for some milliseconds on the endings against a bare khun. Returns `false` if all are solved.
    #[wasm_bindgen(js_name = solveNext)]
    pub fn solve_next(&self) -> bool {
        self.engine.solve_next()
    }

    /// What is known of a position from the solved endings, as JSON. The search goes on undisturbed.
    ///
    /// # Errors
    /// What is wrong with the game.
    #[wasm_bindgen(js_name = factsOf)]
    pub fn facts_of(&self, rules: &str, fen: &str, words: &str) -> Result<String, String> {
        Ok(json(&self.engine.facts_of(&self.game_of(rules, fen, words)?)))
    }

    /// The best move by the solved endings, if all moves are known; `seed` chooses among equal moves.
    ///
    /// # Errors
    /// What is wrong with the game.
    #[wasm_bindgen(js_name = tableMove)]
    pub fn table_move(
        &self,
        rules: &str,
        fen: &str,
        words: &str,
        seed: u32,
    ) -> Result<Option<String>, String> {
        Ok(self.engine.table_move(&self.game_of(rules, fen, words)?, u64::from(seed)))
    }

    fn game_of(&self, rules: &str, fen: &str, words: &str) -> Result<Game, Fault> {
        let words: Vec<String> = parse(words)?;
        engine::game_of(&RulesChoice::parse(rules)?, fen, &words)
    }

    /// Begins the analysis of a game with `nodes` nodes for each position.
    ///
    /// # Errors
    /// What is wrong with the game.
    #[wasm_bindgen(js_name = analyseGame)]
    pub fn analyse_game(
        &mut self,
        rules: &str,
        fen: &str,
        words: &str,
        nodes: u32,
        notation: &str,
    ) -> Result<(), String> {
        let words: Vec<String> = parse(words)?;
        let rules = RulesChoice::parse(rules)?;
        self.engine.set_game(&rules, fen, &[])?;
        let nodes = u64::from(nodes);
        self.analysis = Some(GameAnalysis::new(&mut self.engine, &rules, fen, &words, nodes, notation)?);
        Ok(())
    }

    /// Continues the analysis; returns its progress as JSON, or nothing if none runs.
    #[wasm_bindgen(js_name = advanceAnalysis)]
    pub fn advance_analysis(&mut self, nodes: u32) -> Option<String> {
        let analysis = self.analysis.as_mut()?;
        let progress = analysis.advance(&mut self.engine, u64::from(nodes));
        let text = json(&progress);
        if progress.report.is_some() {
            self.analysis = None;
        }
        Some(text)
    }
}
