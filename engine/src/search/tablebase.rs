//! Tablebases in the search: ranks of root moves, and probes at nodes.

use sakmak_eval::tablebase::{Probe, Tablebases, Value};
use sakmak_movegen::Position;
use sakmak_movegen::rules::Claim;

use super::report::RootMove;
use super::request::SearchRequest;
use crate::score::{DRAW, MATE, MAX_PLY, TB_WIN};

/// The score of a tablebase value at `ply`: a mate score if `to_mate`, else a tablebase win or loss.
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

/// The tablebase score of a node for the side to move; `None` without one, and for a mate on the board.
#[inline(never)]
pub(super) fn probe(tables: &Tablebases, position: &Position, ply: usize) -> Option<i32> {
    let Probe { value, to_mate, .. } = tables.probe(position)?;
    (value != Value::Loss(0)).then(|| score_of(value, to_mate, ply))
}

/// Sets tablebase ranks and scores of the root moves and sorts them by rank, if the tablebases know all moves.
/// Returns whether they do. `tables` are those of the request and the endings in memory.
pub(super) fn rank_root_moves(request: &SearchRequest, tables: &Tablebases, moves: &mut [RootMove]) -> bool {
    let men = request.probing.men;
    let position = &request.position;
    // A drawn game that goes on has no tablebase value.
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
