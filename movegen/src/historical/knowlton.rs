//! The count as described by Knowlton's booklet.
//!
//! No count while bia stand. The bare khun starts one above the number of pieces, and after it has spoken the limit the
//! attacker has one more move. If the pieces exceed the limit, the khun's next move draws. The weaker side counts the
//! board's honour, which draws with its 65th move.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct Knowlton;

/// The draw does not fall before the bare khun has moved.
fn at_the_khuns_move(count: Count) -> Count {
    count.capped_at(count.limit().saturating_sub(1))
}

impl CountingRule for Knowlton {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        match honour::bare_side(position) {
            Some(bare) if honour::starts_without_bia(position, facts) => {
                let moves = honour::pieces_limit(position, !bare);
                at_the_khuns_move(honour::pieces_honour_without_bia(position, moves, facts))
            }
            _ if before.is_running() => before.ticked(),
            _ => honour::board_honour(position, || honour::board_honour_by_weaker_side(position)),
        }
    }

    fn at_setup(&self, position: &Position) -> Count {
        match honour::bare_side(position) {
            Some(_) if !position.kind(PieceKind::Bia).is_empty() => Count::NONE,
            Some(bare) => {
                at_the_khuns_move(honour::pieces_honour(position, honour::pieces_limit(position, !bare)))
            }
            None => honour::board_honour(position, || honour::board_honour_by_weaker_side(position)),
        }
    }

    fn draws_at_limit(&self, kind: CountKind) -> bool {
        kind == CountKind::Pieces
    }

    fn owner_in_fen(&self, position: &Position, count: Count) -> Option<Color> {
        honour::owner_in_fen(position, count)
    }
}
