//! What players do about the count, and evaluations, as records and engines share them.

use sakmak_movegen::{Game, Outcome};
use serde::Serialize;

use crate::Fault;

/// What a player does about the count before its move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountWord {
    /// The side to move starts its count.
    Start,
    /// It stops its count.
    Stop,
    /// It claims the draw of the count.
    Claim,
}

impl CountWord {
    const NAMES: [(&str, Self); 3] = [("start", Self::Start), ("stop", Self::Stop), ("claim", Self::Claim)];

    /// The word of a name: `start`, `stop` or `claim`.
    pub fn parse(name: &str) -> Option<Self> {
        Self::NAMES.iter().find(|(known, _)| *known == name).map(|(_, word)| *word)
    }

    /// Its name.
    pub fn name(self) -> &'static str {
        Self::NAMES.iter().find(|(_, word)| *word == self).map_or("", |(name, _)| name)
    }

    /// Applies it to a game. Returns the outcome if a draw is claimed.
    ///
    /// # Errors
    /// If the rules do not allow it.
    pub fn apply(self, game: &mut Game) -> Result<Option<Outcome>, Fault> {
        match self {
            Self::Start => game.start_count()?,
            Self::Stop => game.stop_count()?,
            Self::Claim => return Ok(Some(game.claim_draw()?)),
        }
        Ok(None)
    }
}

/// An evaluation of a position, from White's side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Evaluation {
    /// In centipawns: with 100, half of the games are won at move 32.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub cp: Option<i32>,
    /// In moves to mate; negative if Black mates.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mate: Option<i32>,
}
