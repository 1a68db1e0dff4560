//! The count as described by the SchemingMind game site.
//!
//! Only the capture of a side's last piece starts the pieces' honour, bia or not: the limit less the pieces on the
//! board. The board's honour is 64 moves of both sides from the moment the last bia has gone. The last of these moves
//! draws. The site leaves the counting to the players; here it runs by itself, and the board's honour belongs to the
//! side with less material.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, honour};
use crate::position::Position;
use crate::types::Color;

pub(super) struct SchemingMind;

/// The pieces' honour. If the pieces exceed the limit, the next move draws unless it mates.
fn pieces(position: &Position, attacker: Color) -> Count {
    let count = honour::pieces_honour(position, honour::pieces_limit(position, attacker));
    count.capped_at(count.limit())
}

/// The board's honour. It starts when no bia is left, with either side to move.
fn board(position: &Position) -> Count {
    honour::board_honour(position, || {
        Count::new(honour::BOARD_PLIES, 0).owned_by(honour::weaker_side(position))
    })
}

impl CountingRule for SchemingMind {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        if honour::was_bared(position, facts) {
            pieces(position, facts.mover)
        } else if before.is_running() {
            before.ticked()
        } else {
            board(position)
        }
    }

    fn at_setup(&self, position: &Position) -> Count {
        match honour::bare_side(position) {
            Some(bare) => pieces(position, !bare),
            None => board(position),
        }
    }

    fn counts_among_bia(&self) -> bool {
        true
    }

    fn draws_at_limit(&self, _: CountKind) -> bool {
        true
    }

    fn kind(&self, position: &Position) -> CountKind {
        honour::kind_by_bare_khun(position)
    }

    fn owner_in_fen(&self, position: &Position, _: Count) -> Option<Color> {
        honour::bare_side(position).or_else(|| honour::weaker_side(position))
    }

    fn may_stop(&self, _: CountKind) -> bool {
        true
    }
}
