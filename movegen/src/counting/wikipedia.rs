//! The count as Wikipedia tells it.
//!
//! No count while bia stand. The bare khun's first flight is spoken as the number of men on the board,
//! and speaking the limit draws; the board's honour draws when 64 moves are gone. One khon goes before two
//! maa. A counter may stop; who mates while counting only draws.

use super::{Count, CountKind, CountingRule, MoveFacts, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct Wikipedia;

/// A number above the limit cannot be spoken: the draw falls on the bare khun's next move.
fn spoken_at_most(count: Count) -> Count {
    count.not_beyond(count.limit())
}

impl CountingRule for Wikipedia {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        match honour::bare(position) {
            Some(bare) if honour::begins_without_bia(position, facts) => {
                let moves = honour::limit_khon_first(position, !bare);
                spoken_at_most(honour::pieces_without_bia(position, moves, facts))
            }
            _ if before.is_running() => before.ticked(),
            _ => honour::board(position, true),
        }
    }

    fn at_setup(&self, position: &Position) -> Count {
        match honour::bare(position) {
            Some(_) if !position.kind(PieceKind::Bia).is_empty() => Count::NONE,
            Some(bare) => spoken_at_most(honour::pieces(position, honour::limit_khon_first(position, !bare))),
            None => honour::board(position, true),
        }
    }

    fn draws_at_limit(&self, kind: CountKind) -> bool {
        kind == CountKind::Board
    }

    fn counter(&self, position: &Position) -> Option<Color> {
        honour::bare(position).or_else(|| honour::board_counter(position))
    }

    fn spoken(&self, count: Count, kind: CountKind) -> u16 {
        match kind {
            CountKind::Pieces => count.ply() / 2,
            CountKind::Board => count.ply().div_ceil(2),
        }
    }

    fn may_stop(&self, _: CountKind) -> bool {
        true
    }

    fn counter_may_win(&self) -> bool {
        false
    }
}
