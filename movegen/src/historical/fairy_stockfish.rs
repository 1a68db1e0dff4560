//! The default rule with its Cambodian numbers, and counted by hand.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, default_count, default_limit, honour};
use crate::position::Position;
use crate::rules::CountStarted;
use crate::types::{Color, PieceKind};

pub(super) struct FairyStockfish {
    pub(super) cambodian: bool,
}

impl CountingRule for FairyStockfish {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        let limit = if self.cambodian { cambodian_limit } else { default_limit };
        let count = default_count(position, before, facts, limit);
        let started = position.rules().count_started;
        if started == CountStarted::AUTOMATIC { count } else { self.by_hand(position, before, count) }
    }

    fn counts_among_bia(&self) -> bool {
        self.cambodian
    }

    fn late_mate_wins(&self) -> bool {
        true
    }
}

/// Limits in plies. They are two lower than the default's, and the board's honour begins when a side is down to three
/// pieces, bia or not.
fn cambodian_limit(position: &Position, defender: Color) -> u16 {
    let (bare, no_bia) = (position.is_bare(defender), position.kind(PieceKind::Bia).is_empty());
    if position.is_bare(!defender) {
        0
    } else if bare && no_bia {
        2 * honour::pieces_limit(position, !defender) - 2
    } else if !bare && position.color(defender).len() <= 3 {
        honour::BOARD_PLIES - 2
    } else {
        0
    }
}

impl FairyStockfish {
    /// The count when the board's honour is counted by hand.
    #[cold]
    fn by_hand(&self, position: &Position, before: Count, count: Count) -> Count {
        let started = position.rules().count_started;
        if self.kind(position) == CountKind::Board {
            return honour::board_honour_by_hand(position, count);
        }
        // A Cambodian board count that ends sooner than the new one of the pieces goes on.
        let board = honour::board_honour_by_hand(position, before);
        let fresh = before.ticked() != count;
        if self.cambodian
            && started.0 > 0
            && fresh
            && before.is_running()
            && board.remaining() < count.remaining()
        {
            return board;
        }
        count
    }
}
