//! What the crates of the tools share: reading files of [`games`], writing [`output`] files, and adjudication by
//! tablebases.
//!
//! Nothing here prints or reads standard input unasked: progress and warnings go to callbacks.

use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_movegen::{Color, Position};

pub mod games;
pub mod output;

/// The side that wins a position with best play, considering its count; `Some(None)` is a draw, `None` means that no
/// tablebase has the position. Without any files not even two bare khun are a draw.
pub fn winner(tables: &Tablebases, position: &Position) -> Option<Option<Color>> {
    let probe = tables.probe(position).filter(|_| !tables.is_empty())?;
    Some(match probe.value {
        Value::Win(_) => Some(position.side_to_move()),
        Value::Draw => None,
        Value::Loss(_) => Some(!position.side_to_move()),
    })
}
