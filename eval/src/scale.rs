//! Scaling: how much of an advantage can still be won.
//!
//! Once the last bia is gone the weaker side may count to 64 moves and draw, and few pieces can mate at all.

use sakmak_movegen::{Color, PieceKind, Position};

use crate::accumulator::endgame_material;
use crate::tapered::Tapered;
use crate::weights::*;

/// Shares are in 1/128.
const FULL_SHARE: i32 = 128;

/// The endgame advantage from which the khuns' nearness counts.
const CLEAR_LEAD: i32 = 100;

/// The score at the position's phase, with the endgame part reduced to what material and count allow.
/// White's point of view, and so is the result.
#[inline]
pub(crate) fn scaled(position: &Position, total: Tapered, phase: i32) -> i32 {
    let endgame = total.endgame();
    let stronger = if (endgame, total.middlegame()) >= (0, 0) { Color::White } else { Color::Black };
    let nearness = {
        let bonus = nearness(position);
        if endgame > CLEAR_LEAD {
            bonus
        } else if endgame < -CLEAR_LEAD {
            -bonus
        } else {
            0
        }
    };
    let share = winning_share(position, stronger);
    let endgame = (endgame + nearness) * share / FULL_SHARE;
    let middlegame = if position.kind(PieceKind::Bia).is_empty() {
        total.middlegame() * share / FULL_SHARE
    } else {
        total.middlegame()
    };
    (middlegame * phase + endgame * (FULL_PHASE - phase)) / FULL_PHASE
}

/// What the stronger side gains by the nearness of the khuns.
#[inline]
fn nearness(position: &Position) -> i32 {
    let steps = position.khun(Color::White).distance(position.khun(Color::Black));
    KHUN_NEARNESS * (7 - i32::from(steps))
}

/// The share of its advantage that `stronger` can still win, in 1/128.
fn winning_share(position: &Position, stronger: Color) -> i32 {
    let bia = position.kind(PieceKind::Bia);
    let remaining = position.count().remaining();
    // Some rules count while bia are on the board.
    let scaled_by_count = |share: i32| match remaining {
        Some(left) => share * left.clamp(0, BOARD_COUNT_PLIES) / BOARD_COUNT_PLIES,
        None => share,
    };
    if bia.is_empty() {
        let lead = endgame_material(position, stronger) - endgame_material(position, !stronger);
        let small = lead < MATERIAL.value(PieceKind::Maa.index()).endgame();
        let share = if small { SMALL_LEAD_SCALE } else { NO_BIA_SCALE };
        // The count of the board's honour runs against the stronger side.
        scaled_by_count(share)
    } else if !bia.intersects(position.color(stronger)) {
        scaled_by_count(NO_OWN_BIA_SCALE)
    } else {
        scaled_by_count(FULL_SHARE)
    }
}

/// The inputs of `scaled` apart from the weights' total, for the tuner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Scaling {
    /// Parts of the middlegame left, of `FULL_PHASE`.
    pub phase: u8,
    /// Share of the advantage, in 1/128, if White's or Black's.
    pub shares: [u8; 2],
    /// Whether bia are on the board, so that the share is of the endgame half alone.
    pub bia: bool,
    /// For the stronger side in the endgame.
    pub nearness: u8,
}

impl Scaling {
    pub(crate) fn of(position: &Position, phase: i32) -> Self {
        // Each is small: see the weights.
        let byte = |x: i32| x.clamp(0, 255) as u8;
        Self {
            phase: byte(phase),
            shares: Color::ALL.map(|color| byte(winning_share(position, color))),
            bia: !position.kind(PieceKind::Bia).is_empty(),
            nearness: byte(nearness(position)),
        }
    }

    /// What one centipawn of the middlegame and of the endgame counts, and what is added, if these are the
    /// halves of the total: `scaled` without rounding is their sum.
    #[inline]
    pub fn factors(&self, [middlegame, endgame]: [f64; 2]) -> ([f64; 2], f64) {
        let full = f64::from(FULL_PHASE);
        let stronger = usize::from([endgame, middlegame] < [0.0, 0.0]);
        let share = f64::from(self.shares[stronger]) / f64::from(FULL_SHARE);
        let phase = f64::from(self.phase) / full;
        let late = (1.0 - phase) * share;
        let early = if self.bia { phase } else { phase * share };
        let clear_lead = f64::from(CLEAR_LEAD);
        let nearness =
            if endgame.abs() > clear_lead { f64::from(self.nearness).copysign(endgame) } else { 0.0 };
        ([early, late], late * nearness)
    }
}
