//! What the solved endings say about a position.

use std::collections::BTreeMap;

use sakmak_engine::Engine;
use sakmak_eval::tablebase::{MoveValue, Tablebases, Value};
use sakmak_movegen::{Color, Game, Move, Position};
use serde::Serialize;

/// The value of a position or move in the solved endings, for the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Solved {
    /// `win`, `draw` or `loss`.
    pub result: &'static str,
    /// Plies to mate.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plies: Option<u16>,
}

/// What the solved endings say about a position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct Endings {
    /// The value of the position.
    pub value: Option<Solved>,
    /// Its value if no count cut it off.
    pub without_count: Option<Solved>,
    /// Plies that the count leaves; a win may take one more.
    pub plies_left: Option<i32>,
    /// Values of moves for the side that makes them: of all moves, or only of those that lead to a solved ending.
    #[serde(serialize_with = "as_map")]
    pub moves: Vec<(String, Solved)>,
    /// Plies to mate after moves that would win without the count; the move itself is not included.
    pub needs: BTreeMap<String, u16>,
}

/// The moves from best to worst as an object, which keeps their order in JavaScript.
fn as_map<S: serde::Serializer>(moves: &[(String, Solved)], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_map(moves.iter().map(|(mv, value)| (mv, value)))
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

/// The engine's tablebases. A probe solves the pair against a bare khun that it needs.
pub fn tablebases(engine: &Engine) -> Tablebases {
    engine.settings().probing.tables.with_pairs(engine.dtm_tables(), true)
}

/// The answer of `answer`, which probes the tablebases. `None` if an ending must be solved first: then this has worked
/// on it for some milliseconds.
pub fn probed<T>(engine: &Engine, answer: impl FnOnce(&Tablebases) -> T) -> Option<T> {
    let tables = tablebases(engine).deferring();
    let answer = answer(&tables);
    (!tables.solve_missed()).then_some(answer)
}

/// What the tablebases say about the present position of a game.
pub fn endings_of(game: &Game, tables: &Tablebases) -> Endings {
    let position = game.position();
    let is_over = position.count().is_expired();
    let values = tables.move_values(position).filter(|values| !values.is_empty() && !is_over);
    let (value, without_count, plies_left) = match tables.probe(position).filter(|_| values.is_some()) {
        Some(probe) => (Some(probe.value.into()), Some(probe.uncounted.into()), probe.left),
        None => (None, None, None),
    };
    let moves = match values {
        Some(values) => values.iter().map(|one| (one.mv.to_string(), one.value.into())).collect(),
        None if is_over => Vec::new(),
        None => moves_to_solved_endings(position, tables),
    };
    let needs =
        position.legal_moves().into_iter().filter_map(|mv| needed_after(position, mv, tables)).collect();
    Endings { value, without_count, plies_left, moves, needs }
}

/// A move that would win without the count, with the plies to mate after it.
fn needed_after(position: &Position, mv: Move, tables: &Tablebases) -> Option<(String, u16)> {
    let mut next = position.clone();
    next.play_unchecked(mv);
    if !next.is_bare(next.side_to_move()) {
        return None;
    }
    let probe = tables.probe(&next)?;
    match (probe.value, probe.uncounted) {
        (Value::Draw, Value::Loss(plies)) => Some((mv.to_string(), plies)),
        _ => None,
    }
}

/// The moves that lead to a solved ending, for the side that makes them.
fn moves_to_solved_endings(position: &Position, tables: &Tablebases) -> Vec<(String, Solved)> {
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

/// The best move by the tablebases: the fastest win, else a draw, else the longest loss; `seed` chooses among equal
/// moves. `None` if not all moves are known.
pub fn best_move(game: &Game, seed: u64, tables: &Tablebases) -> Option<String> {
    let values = tables.move_values(game.position())?;
    let first = values.first()?.rank();
    let equal: Vec<_> = values.iter().take_while(|value| MoveValue::rank(value) == first).collect();
    // The remainder fits.
    Some(equal[(seed % equal.len() as u64) as usize].mv.to_string())
}

#[cfg(test)]
mod tests;
