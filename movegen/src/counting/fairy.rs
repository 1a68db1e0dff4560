//! The count as Fairy-Stockfish plays it, ply for ply.
//!
//! It belongs to neither side, starts by itself, and is never cleared; baring a khun (or promoting or
//! losing the last bia when one is bare) starts it anew.

use super::{Count, CountingRule, MoveFacts};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct FairyStockfish;

impl CountingRule for FairyStockfish {
    fn after_move(position: &Position, before: Count, facts: MoveFacts) -> Count {
        let (mover, next) = (facts.mover, !facts.mover);
        let men = position.occupied().len() as u16;

        // 1. A running count ticks.
        let mut count = before.ticked();

        // 2. A bare khun took the last bia: it is counted from now, one ply behind, for it has just moved.
        if facts.captured == Some(PieceKind::Bia) && position.is_bare(mover) {
            let limit = move_limit(position, mover);
            if limit > 0 {
                count = Count::new(2 * limit, 2 * men - 1);
            }
        }

        // 3. The count starts, or starts anew because the side to move has just been bared or the last
        //    bia has just promoted against a bare khun.
        let bared = (facts.captured.is_some() || facts.promoted) && position.is_bare(next);
        if !count.is_running() || bared {
            let limit = move_limit(position, next);
            if limit > 0 {
                count = Count::new(2 * limit, if position.is_bare(next) { 2 * men } else { 0 });
            }
        }
        count
    }
}

/// Moves within which `hunted` must be mated; 0 if nothing is counted for it.
fn move_limit(position: &Position, hunted: Color) -> u16 {
    let hunter = !hunted;
    if !position.kind(PieceKind::Bia).is_empty() || position.is_bare(hunter) {
        return 0;
    }
    if !position.is_bare(hunted) {
        return 64;
    }
    let number = |kind| position.men(hunter, kind).len();
    match (number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa)) {
        (2.., _, _) => 8,
        (1, _, _) => 16,
        (_, 2.., _) => 22,
        (_, _, 2..) => 32,
        (_, 1, _) => 44,
        _ => 64,
    }
}
