//! The count as Fairy-Stockfish plays it, ply for ply.
//!
//! It belongs to neither side, starts by itself, and is never cleared; baring a khun (or promoting or
//! losing the last bia when one is bare) starts it anew. The Cambodian numbers are two plies lower, and
//! there the board's honour begins when a side is down to three pieces, bia or not.

use super::{Count, CountKind, CountingRule, MoveFacts, honour};
use crate::position::Position;
use crate::rules::CountStarted;
use crate::types::{Color, PieceKind};

pub(super) struct FairyStockfish {
    cambodian: bool,
}

pub(super) static MAKRUK: FairyStockfish = FairyStockfish { cambodian: false };
pub(super) static CAMBODIAN: FairyStockfish = FairyStockfish { cambodian: true };

impl FairyStockfish {
    /// The count after a move, if it is not counted by hand.
    #[inline]
    pub(super) fn automatic_after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        let (mover, next) = (facts.mover, !facts.mover);
        let pieces = position.occupied().len() as u16;

        // 1. A running count ticks.
        let mut count = before.ticked();

        // 2. A bare khun took the last bia: it is counted from now, one ply behind, for it has just moved.
        if facts.captured == Some(PieceKind::Bia) && position.is_bare(mover) {
            let limit = self.limit(position, mover);
            if limit > 0 {
                count = Count::new(limit, 2 * pieces - 1);
            }
        }

        // 3. The count starts, or starts anew because the side to move has just been bared or the last
        //    bia has just promoted against a bare khun.
        let bared = (facts.captured.is_some() || facts.promoted) && position.is_bare(next);
        if !count.is_running() || bared {
            let limit = self.limit(position, next);
            if limit > 0 {
                count = Count::new(limit, if position.is_bare(next) { 2 * pieces } else { 0 });
            }
        }
        count
    }
}

impl CountingRule for FairyStockfish {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        let count = self.automatic_after_move(position, before, facts);
        let started = position.rules.count_started;
        if started == CountStarted::AUTOMATIC { count } else { self.by_hand(position, before, count) }
    }

    fn counts_among_bia(&self) -> bool {
        self.cambodian
    }

    fn late_mate_wins(&self) -> bool {
        true
    }
}

impl FairyStockfish {
    /// Plies within which `defender` must be mated; 0 if nothing is counted for it.
    #[inline]
    fn limit(&self, position: &Position, defender: Color) -> u16 {
        let attacker = !defender;
        if position.is_bare(attacker) {
            return 0;
        }
        if self.cambodian {
            return self.cambodian_limit(position, defender);
        }
        if !position.kind(PieceKind::Bia).is_empty() {
            return 0;
        }
        if !position.is_bare(defender) {
            return honour::BOARD_PLIES;
        }
        2 * honour::pieces_limit(position, attacker)
    }

    fn cambodian_limit(&self, position: &Position, defender: Color) -> u16 {
        if !position.is_bare(defender) {
            return if position.color(defender).len() <= 3 { honour::BOARD_PLIES - 2 } else { 0 };
        }
        if !position.kind(PieceKind::Bia).is_empty() {
            return 0;
        }
        2 * honour::pieces_limit(position, !defender) - 2
    }

    /// The count when the board's honour is counted by hand.
    #[cold]
    fn by_hand(&self, position: &Position, before: Count, count: Count) -> Count {
        let started = position.rules.count_started;
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
