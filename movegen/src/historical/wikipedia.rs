//! The count as described by Wikipedia.
//!
//! No count while bia stand. The bare khun speaks its first flight as the number of pieces on the board, and speaking
//! the limit draws. One khon goes before two maa. The board's honour draws after 64 moves. The side with less material
//! counts it; with equal material the limit runs, but neither side counts. A counter may stop on any of its turns, also
//! before it mates; [`CounterMate`](crate::rules::CounterMate) is the value of a mate while counting.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct Wikipedia;

/// If the pieces exceed the limit, the bare khun's next move draws.
fn spoken_at_most(count: Count) -> Count {
    count.capped_at(count.limit())
}

/// The board's honour. It starts on the first turn of the side with less material, or at once if neither has less.
fn board(position: &Position) -> Count {
    honour::board_honour(position, || match honour::weaker_side(position) {
        Some(_) => honour::board_honour_by_weaker_side(position),
        None => Count::new(honour::BOARD_PLIES, 0),
    })
}

impl CountingRule for Wikipedia {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        match honour::bare_side(position) {
            Some(bare) if honour::starts_without_bia(position, facts) => {
                let moves = honour::pieces_limit_khon_first(position, !bare);
                spoken_at_most(honour::pieces_honour_without_bia(position, moves, facts))
            }
            _ if before.is_running() => before.ticked(),
            _ => board(position),
        }
    }

    fn at_setup(&self, position: &Position) -> Count {
        match honour::bare_side(position) {
            Some(_) if !position.kind(PieceKind::Bia).is_empty() => Count::NONE,
            Some(bare) => spoken_at_most(honour::pieces_honour(
                position,
                honour::pieces_limit_khon_first(position, !bare),
            )),
            None => board(position),
        }
    }

    fn draws_at_limit(&self, kind: CountKind) -> bool {
        kind == CountKind::Board
    }

    fn owner_in_fen(&self, position: &Position, count: Count) -> Option<Color> {
        honour::owner_in_fen(position, count)
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
}
