//! The count as Cute Chess's referee keeps it.
//!
//! The ply that reaches the limit draws. The count never starts anew once a khun is bare. Its limit comes from the
//! pieces of the side whose move started it, even of a bare khun. A FEN without a number in the counting field is
//! played by the rule of fifty moves instead.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

fn any_bare(position: &Position) -> bool {
    Color::ALL.into_iter().any(|side| position.is_bare(side))
}

/// Whether some khun was bare before the move.
fn any_was_bare(position: &Position, facts: MoveFacts) -> bool {
    position.is_bare(facts.mover) || facts.captured.is_none() && position.is_bare(!facts.mover)
}

fn pieces(position: &Position, moves: u16) -> Count {
    Count::new(2 * moves, 2 * honour::piece_count(position))
}

/// Thai chess. A position set up with a bare khun and without a count is never counted.
pub(super) struct Makruk;

impl CountingRule for Makruk {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        let no_bia = position.kind(PieceKind::Bia).is_empty();
        let last_bia = facts.promoted || facts.captured == Some(PieceKind::Bia);
        if no_bia && any_bare(position) {
            if any_was_bare(position, facts) && !last_bia {
                return before.ticked();
            }
            return pieces(position, honour::pieces_limit(position, facts.mover));
        }
        let count =
            if no_bia && !before.is_running() { Count::new(honour::BOARD_PLIES, 0) } else { before.ticked() };
        honour::board_honour_by_hand(position, count)
    }

    fn draws_at_limit(&self, _: CountKind) -> bool {
        true
    }

    fn late_mate_wins(&self) -> bool {
        true
    }
}

/// Its Ouk: no board's honour, and a bare khun is counted among bia too, then to 64.
pub(super) struct Ouk;

impl CountingRule for Ouk {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        if !any_bare(position) || any_was_bare(position, facts) {
            return before.ticked();
        }
        let no_bia = position.kind(PieceKind::Bia).is_empty();
        pieces(position, if no_bia { honour::pieces_limit(position, facts.mover) } else { 64 })
    }

    fn counts_among_bia(&self) -> bool {
        true
    }

    fn kind(&self, position: &Position) -> CountKind {
        honour::kind_by_bare_khun(position)
    }

    fn draws_at_limit(&self, _: CountKind) -> bool {
        true
    }

    fn late_mate_wins(&self) -> bool {
        true
    }
}

/// A draw after fifty moves of both sides without capture or bia move.
pub(super) struct FiftyMoves;

impl FiftyMoves {
    fn count(position: &Position) -> Count {
        Count::new(100, position.halfmove_clock())
    }
}

impl CountingRule for FiftyMoves {
    fn after_move(&self, position: &Position, _: Count, _: MoveFacts) -> Count {
        Self::count(position)
    }

    fn at_setup(&self, position: &Position) -> Count {
        Self::count(position)
    }

    fn counts_among_bia(&self) -> bool {
        true
    }

    fn draws_at_limit(&self, _: CountKind) -> bool {
        true
    }

    fn late_mate_wins(&self) -> bool {
        true
    }

    fn may_stop(&self, _: CountKind) -> bool {
        false
    }
}
