//! The count: after how many moves without mate a game is drawn.
//!
//! Makruk draws a game when the stronger side takes too long to mate. The *board's honour* (sak kradan) is counted
//! when no bia is left, the *pieces' honour* (sak mak) when one side has only its khun. A position carries its
//! [`Count`] and, in its rules, its [`CountingSystem`].
//!
//! The default rule, as Fairy-Stockfish plays it, comes first: `default_count`. Other sources count otherwise; each
//! implements `CountingRule` in `historical`, whose documentation lists what each source needs.

pub(crate) mod honour;
mod spoken;

pub use spoken::SpokenCount;

pub use crate::count::{Count, CountKind};
pub use crate::rules::CountingSystem;

use crate::count::MoveFacts;
use crate::position::Position;
use crate::types::{Color, PieceKind};

/// The default rule: the count after a move, given the count `before` it. `limit` returns the plies within which a
/// defender must be mated, 0 if nothing is counted against it.
///
/// The count belongs to neither side, starts by itself and is never cleared.
#[inline]
pub(crate) fn default_count(
    position: &Position,
    before: Count,
    facts: MoveFacts,
    limit: impl Fn(&Position, Color) -> u16,
) -> Count {
    let (mover, next) = (facts.mover, !facts.mover);
    let pieces = position.occupied().len() as u16;
    let mut count = before.ticked();

    // A bare khun took the last bia: the pieces' honour starts one ply behind, for the khun has just moved.
    if facts.captured == Some(PieceKind::Bia) && position.is_bare(mover) {
        let limit = limit(position, mover);
        if limit > 0 {
            count = Count::new(limit, 2 * pieces - 1);
        }
    }

    // The count starts. It starts anew if the side to move has just been bared, or if the last bia has just promoted
    // against its bare khun.
    let bared = (facts.captured.is_some() || facts.promoted) && position.is_bare(next);
    if !count.is_running() || bared {
        let limit = limit(position, next);
        if limit > 0 {
            count = Count::new(limit, if position.is_bare(next) { 2 * pieces } else { 0 });
        }
    }
    count
}

/// The limit of the default rule in plies: 128 for the board's honour, [`usual_limit`] for the pieces' honour.
#[inline]
pub(crate) fn default_limit(position: &Position, defender: Color) -> u16 {
    if position.is_bare(!defender) || !position.kind(PieceKind::Bia).is_empty() {
        0
    } else if position.is_bare(defender) {
        2 * honour::pieces_limit(position, !defender)
    } else {
        honour::BOARD_PLIES
    }
}

/// The usual limit of the pieces' honour in moves, by the attacker's numbers of rua, khon and maa, before the pieces
/// on the board are subtracted.
///
/// ```
/// use sakmak_movegen::counting::usual_limit;
///
/// assert_eq!(usual_limit((1, 0, 2)), 16);
/// assert_eq!(usual_limit((0, 0, 0)), 64);
/// ```
pub const fn usual_limit(rua_khon_maa: (u32, u32, u32)) -> u16 {
    match rua_khon_maa {
        (2.., ..) => 8,
        (1, ..) => 16,
        (_, 2.., _) => 22,
        (_, _, 2..) => 32,
        (_, 1, _) => 44,
        _ => 64,
    }
}

/// The interface of a counting system.
pub(crate) trait CountingRule {
    /// The count after the move `facts`, which led to `position`, given the count `before` it.
    ///
    /// While bia stand and no count runs, only systems that count among bia are called.
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count;

    /// The count of a position whose set-up has none.
    fn at_setup(&self, _: &Position) -> Count {
        Count::NONE
    }

    /// Whether a count can start while bia stand.
    fn counts_among_bia(&self) -> bool {
        false
    }

    /// Whether the ply that reaches the limit draws, or only the one after it.
    fn draws_at_limit(&self, _: CountKind) -> bool {
        false
    }

    /// The honour that is counted if a count runs.
    fn kind(&self, position: &Position) -> CountKind {
        if position.kind(PieceKind::Bia).is_empty() {
            honour::kind_by_bare_khun(position)
        } else {
            CountKind::Board
        }
    }

    /// The side that counts if a FEN gives only the numbers; `None` if counts belong to neither side.
    fn owner_in_fen(&self, _: &Position, _: Count) -> Option<Color> {
        None
    }

    /// The number the counter spoke last, in moves.
    fn spoken(&self, count: Count, _: CountKind) -> u16 {
        count.ply().div_ceil(2)
    }

    /// Whether the counter may stop its count and start it again later.
    fn may_stop(&self, kind: CountKind) -> bool {
        kind == CountKind::Board
    }

    /// Whether a mate wins although the count has run out before.
    fn late_mate_wins(&self) -> bool {
        false
    }
}
