//! The count as described by Knowlton's booklet.
//!
//! No count while bia stand. The bare khun begins one above the number of pieces, and after it has spoken
//! the limit the hunter has one more move; pieces too many for any number draw on the khun's next move. The
//! board's honour is counted by a side at a clear disadvantage and draws with its 65th move.

use super::{Count, CountKind, CountingRule, MoveFacts, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct Knowlton;

/// However many the pieces, the draw does not fall before the bare khun has moved.
fn at_the_khuns_move(count: Count) -> Count {
    count.not_beyond(count.limit().saturating_sub(1))
}

impl CountingRule for Knowlton {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        match honour::bare(position) {
            Some(bare) if honour::begins_without_bia(position, facts) => {
                let moves = honour::limit(position, !bare);
                at_the_khuns_move(honour::pieces_without_bia(position, moves, facts))
            }
            _ if before.is_running() => before.ticked(),
            _ => honour::board(position, || honour::board_by_the_worse(position)),
        }
    }

    fn at_setup(&self, position: &Position) -> Count {
        match honour::bare(position) {
            Some(_) if !position.kind(PieceKind::Bia).is_empty() => Count::NONE,
            Some(bare) => at_the_khuns_move(honour::pieces(position, honour::limit(position, !bare))),
            None => honour::board(position, || honour::board_by_the_worse(position)),
        }
    }

    fn draws_at_limit(&self, kind: CountKind) -> bool {
        kind == CountKind::Pieces
    }

    fn owner_in_fen(&self, position: &Position, count: Count) -> Option<Color> {
        honour::owner_in_fen(position, count)
    }
}
