//! How much of an advantage can still be won.
//!
//! In Makruk an advantage is not yet a win: once the last bia is gone the weaker side may count to 64
//! and be saved, and few men mate at all.

use sakmak_movegen::{Color, PieceKind, Position};

use crate::accumulator::endgame_material;
use crate::tapered::Tapered;
use crate::weights::*;

/// Shares are in 1/128.
const WHOLE: i32 = 128;

/// The score at the position's phase, with the endgame part reduced to what material and count allow.
/// White's point of view, and so is the result.
#[inline]
pub(crate) fn scaled(position: &Position, total: Tapered, phase: i32) -> i32 {
    let endgame = total.endgame();
    let stronger = if endgame >= 0 { Color::White } else { Color::Black };
    let nearness = {
        let steps = position.khun(Color::White).distance(position.khun(Color::Black));
        let bonus = KHUN_NEARNESS * (7 - i32::from(steps));
        if endgame > 100 {
            bonus
        } else if endgame < -100 {
            -bonus
        } else {
            0
        }
    };
    let share = winning_share(position, stronger);
    let endgame = (endgame + nearness) * share / WHOLE;
    let middlegame = if position.kind(PieceKind::Bia).is_empty() {
        total.middlegame() * share / WHOLE
    } else {
        total.middlegame()
    };
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// The share of its advantage `stronger` may hope to turn into a win.
fn winning_share(position: &Position, stronger: Color) -> i32 {
    let bia = position.kind(PieceKind::Bia);
    let remaining = position.count().remaining();
    // Some rules count while bia stand.
    let hurry = |share: i32| match remaining {
        Some(left) => share * left.clamp(0, BOARD_COUNT_PLIES) / BOARD_COUNT_PLIES,
        None => share,
    };
    if bia.is_empty() {
        let edge = endgame_material(position, stronger) - endgame_material(position, !stronger);
        let small = edge < MATERIAL[PieceKind::Maa.index()].endgame();
        let share = if small { SMALL_EDGE_SCALE } else { NO_BIA_SCALE };
        // The count of the board's honour runs against the stronger side.
        hurry(share)
    } else if !bia.intersects(position.color(stronger)) {
        hurry(NO_OWN_BIA_SCALE)
    } else {
        hurry(WHOLE)
    }
}
