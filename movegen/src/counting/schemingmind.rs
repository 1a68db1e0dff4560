//! The count as the SchemingMind game site tells it.
//!
//! The pieces' honour begins when the last man is captured, bia or not, and nothing but baring a side
//! starts it: its number is the limit less the men on the board. The board's honour is 64 moves. Both end
//! with the hunter's last move. The site leaves the counting to the players; here it runs by itself, the
//! side that stands worse counting the board's honour.

use super::{Count, CountKind, CountingRule, MoveFacts, honour};
use crate::position::Position;
use crate::types::Color;

pub(super) struct SchemingMind;

/// The pieces' honour; with men too many for it the game is drawn at once, unless the first move mates.
fn pieces(position: &Position, hunter: Color) -> Count {
    let count = honour::pieces(position, honour::limit(position, hunter));
    count.not_beyond(count.limit())
}

impl CountingRule for SchemingMind {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        if honour::bared(position, facts) {
            pieces(position, facts.mover)
        } else if before.is_running() {
            before.ticked()
        } else {
            honour::board(position, true)
        }
    }

    fn at_setup(&self, position: &Position) -> Count {
        match honour::bare(position) {
            Some(bare) => pieces(position, !bare),
            None => honour::board(position, true),
        }
    }

    fn counts_among_bia(&self) -> bool {
        true
    }

    fn draws_at_limit(&self, _: CountKind) -> bool {
        true
    }

    fn kind(&self, position: &Position) -> CountKind {
        honour::kind_among_bia(position)
    }

    fn counter(&self, position: &Position) -> Option<Color> {
        honour::bare(position).or_else(|| honour::board_counter(position))
    }

    fn may_stop(&self, _: CountKind) -> bool {
        true
    }
}
