//! Endgame tables in the search: the order of root moves, and the score of a node that a table holds.

use sakmak_eval::tablebase::{Probe, Tablebases, Value};
use sakmak_movegen::Position;
use sakmak_movegen::rules::Claim;

use super::report::RootMove;
use super::request::SearchRequest;
use crate::score::{DRAW, MATE, MAX_PLY, TB_WIN};

/// The score of a value at a node: a mate if its distance is known, else a win by the table.
pub(super) fn score_of(value: Value, to_mate: bool, ply: usize) -> i32 {
    let win = |plies: u16| {
        let plies = ply + usize::from(plies);
        if to_mate && plies < MAX_PLY { MATE - plies as i32 } else { TB_WIN - plies as i32 }
    };
    match value {
        Value::Draw => DRAW,
        Value::Win(plies) => win(plies),
        Value::Loss(plies) => -win(plies),
    }
}

/// The score of a node that a table holds, for the side to move. A mate on the board is left to the search.
#[inline(never)]
pub(super) fn probe(tables: &Tablebases, position: &Position, ply: usize) -> Option<i32> {
    let Probe { value, to_mate, .. } = tables.probe(position)?;
    (value != Value::Loss(0)).then(|| score_of(value, to_mate, ply))
}

/// Gives the root moves the ranks and scores of the tables, if these know them all, and sorts them by rank. Returns
/// whether they do. `tables` are those of the request with the endings in memory.
pub(super) fn rank_root_moves(request: &SearchRequest, tables: &Tablebases, moves: &mut [RootMove]) -> bool {
    let men = request.probing.men;
    let position = &request.position;
    // A drawn game that is searched all the same has no value in the tables.
    let is_over = position.count().is_expired() && position.rules().claim == Claim::Automatic;
    if is_over || position.occupied().len() as usize > men || request.limits.mate.is_some() {
        return false;
    }
    let Some(values) = tables.move_values(position) else { return false };
    let mut groups: Vec<_> = values.iter().map(|value| value.rank()).collect();
    groups.dedup();
    for root_move in &mut *moves {
        let Some(value) = values.iter().find(|value| value.mv == root_move.mv) else { continue };
        root_move.rank = groups.partition_point(|&rank| rank < value.rank()) as u16;
        root_move.tb_score = Some(score_of(value.value, value.to_mate, 0));
    }
    moves.sort_by_key(|root_move| root_move.rank);
    true
}
