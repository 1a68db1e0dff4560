//! What the solved endings know of a position.

use std::collections::BTreeMap;

use sakmak_eval::tablebase::{MoveValue, Tablebases, Value};
use sakmak_movegen::{Color, Game, Move, Position};
use serde::Serialize;

use super::Engine;

/// The value of a position or move in the solved endings, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Solved {
    /// `win`, `draw` or `loss`, with the count.
    pub result: &'static str,
    /// Plies to mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
}

/// What is known of a position from the solved endings.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Facts {
    /// The value of the position.
    pub value: Option<Solved>,
    /// Its value if no count cut it off.
    pub uncounted: Option<Solved>,
    /// Plies that the count leaves; a win may take one more.
    pub left: Option<i32>,
    /// Values of moves for the side that makes them: of all moves, or only of those that lead to a solved ending.
    pub moves: Vec<(String, Solved)>,
    /// Plies to mate after moves that would win without the count; the move itself is not included.
    pub needs: BTreeMap<String, u16>,
}

impl From<Value> for Solved {
    fn from(value: Value) -> Self {
        let result = match value {
            Value::Win(_) => "win",
            Value::Draw => "draw",
            Value::Loss(_) => "loss",
        };
        Self { result, plies: value.plies() }
    }
}

impl Engine {
    pub(crate) fn solved_endings(&self, solve: bool) -> Tablebases {
        Tablebases::default().with_pairs(self.engine.dtm_tables(), solve)
    }

    /// What is known of the present position of a game from the solved endings, which are solved now if missing.
    pub fn facts_of(&self, game: &Game) -> Facts {
        let position = game.position();
        let tables = self.solved_endings(true);
        let is_over = position.count().is_expired();
        let values = tables.move_values(position).filter(|values| !values.is_empty() && !is_over);
        let (value, uncounted, left) = match tables.probe(position).filter(|_| values.is_some()) {
            Some(probe) => (Some(probe.value.into()), Some(probe.uncounted.into()), probe.left),
            None => (None, None, None),
        };
        let moves = match values {
            Some(values) => values.iter().map(|one| (one.mv.to_string(), one.value.into())).collect(),
            None if is_over => Vec::new(),
            None => self.moves_to_solved_endings(position),
        };
        let needs =
            position.legal_moves().into_iter().filter_map(|mv| self.needed_after(position, mv)).collect();
        Facts { value, uncounted, left, moves, needs }
    }

    /// A move that would win without the count, with the plies to mate after it.
    fn needed_after(&self, position: &Position, mv: Move) -> Option<(String, u16)> {
        let mut next = position.clone();
        next.play_unchecked(mv);
        if !next.is_bare(next.side_to_move()) {
            return None;
        }
        let probe = self.solved_endings(true).probe(&next)?;
        match (probe.value, probe.uncounted) {
            (Value::Draw, Value::Loss(plies)) => Some((mv.to_string(), plies)),
            _ => None,
        }
    }

    /// The moves that lead to a solved ending, for the side that makes them.
    fn moves_to_solved_endings(&self, position: &Position) -> Vec<(String, Solved)> {
        let tables = self.solved_endings(true);
        let value = |mv: Move| {
            // Only a capture or promotion leads to another ending.
            if !position.is_noisy(mv) {
                return None;
            }
            let mut next = position.clone();
            next.play_unchecked(mv);
            if !Color::ALL.into_iter().any(|color| next.is_bare(color)) {
                return None;
            }
            let value = match tables.probe(&next)?.value {
                Value::Draw => Value::Draw,
                Value::Win(plies) => Value::Loss(plies + 1),
                Value::Loss(plies) => Value::Win(plies + 1),
            };
            Some((mv.to_string(), value.into()))
        };
        position.legal_moves().into_iter().filter_map(value).collect()
    }

    /// The best move by the solved endings: the fastest win, else a draw, else the longest loss; `seed` chooses among
    /// equal moves. `None` if not all moves are known.
    pub fn table_move(&self, game: &Game, seed: u64) -> Option<String> {
        let values = self.solved_endings(true).move_values(game.position())?;
        let first = values.first()?.rank();
        let equal: Vec<_> = values.iter().take_while(|value| MoveValue::rank(value) == first).collect();
        Some(equal[seed as usize % equal.len()].mv.to_string())
    }
}
