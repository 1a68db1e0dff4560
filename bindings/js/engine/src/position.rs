//! The game of a question: a start, moves, and rules.

use sakmak_movegen::{Game, Notation, Rules, Ruleset, Variant};
use serde::Deserialize;

use crate::questions::Refusal;

/// A start, moves in coordinates with count words among them, and rules. What is missing has its default.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct PositionData {
    /// The start position of the rules if missing.
    fen: Option<String>,
    moves: Vec<String>,
    variant: Option<String>,
    ruleset: Option<String>,
    /// Such as `Repetition=none SutMet=on`.
    parts: String,
}

impl PositionData {
    /// The game.
    ///
    /// # Errors
    /// The first fault of the FEN, the rules or the moves.
    pub fn game(&self) -> Result<Game, Refusal> {
        let rules = self.rules()?;
        let mut game = match &self.fen {
            Some(fen) => Game::from_fen(fen, rules).map_err(Refusal::position)?,
            None => Game::new(rules),
        };
        for word in &self.moves {
            match word.as_str() {
                "count-start" => game.start_count().map_err(Refusal::position)?,
                "count-stop" => game.stop_count().map_err(Refusal::position)?,
                "count-claim" => _ = game.claim_draw().map_err(Refusal::position)?,
                mv => _ = game.play_uci_leniently(mv).map_err(Refusal::position)?,
            }
        }
        Ok(game)
    }

    fn rules(&self) -> Result<Rules, Refusal> {
        let variant = self.variant.as_deref().map_or(Ok(Variant::default()), str::parse);
        let ruleset = self.ruleset.as_deref().map_or(Ok(Ruleset::default()), str::parse);
        let rules = Rules::new(variant.map_err(Refusal::position)?, ruleset.map_err(Refusal::position)?);
        rules.with_parts(&self.parts).map_err(Refusal::position)
    }
}

/// The notation of a name; short algebraic without one.
///
/// # Errors
/// If no notation has this name.
pub fn notation(name: Option<&str>) -> Result<Notation, Refusal> {
    let named = name.map_or(Ok(Notation::default()), str::parse);
    named.map_err(|error| Refusal::new("engine.notation", error))
}
