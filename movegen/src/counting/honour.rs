//! What the counting systems share: the bare side, the weaker side, and the usual limits.

use core::cmp::Ordering;

use crate::count::{Count, CountKind, MoveFacts};
use crate::position::Position;
use crate::types::{Color, PieceKind};

/// Plies of the board's honour in all systems of Makruk.
pub(crate) const BOARD_PLIES: u16 = 128;

/// The side with only its khun, if the other side has more.
pub(crate) fn bare_side(position: &Position) -> Option<Color> {
    match (position.is_bare(Color::White), position.is_bare(Color::Black)) {
        (true, false) => Some(Color::White),
        (false, true) => Some(Color::Black),
        _ => None,
    }
}

/// Whether the move captured the last piece of the side to move, and the mover has pieces left.
pub(crate) fn was_bared(position: &Position, facts: MoveFacts) -> bool {
    facts.captured.is_some() && bare_side(position) == Some(!facts.mover)
}

/// Pieces on the board, khuns included.
pub(crate) fn piece_count(position: &Position) -> u16 {
    position.occupied().len() as u16
}

/// Numbers of rua, khon and maa.
fn rua_khon_maa(position: &Position, side: Color) -> (u32, u32, u32) {
    let count = |kind| position.pieces(side, kind).len();
    (count(PieceKind::Rua), count(PieceKind::Khon), count(PieceKind::Maa))
}

/// The usual limits of the pieces' honour in moves, by the pieces of `attacker`.
pub(crate) fn pieces_limit(position: &Position, attacker: Color) -> u16 {
    super::usual_limit(rua_khon_maa(position, attacker))
}

/// The same limits, but a khon outranks any number of maa.
pub(crate) fn pieces_limit_khon_first(position: &Position, attacker: Color) -> u16 {
    match rua_khon_maa(position, attacker) {
        (0, 1, _) => 44,
        _ => pieces_limit(position, attacker),
    }
}

/// A side's material, to find the side with less: rua 10, maa 6, khon 5, met 3, bia 2.
fn material_value(position: &Position, side: Color) -> u32 {
    let count = |kind| position.pieces(side, kind).len();
    10 * count(PieceKind::Rua)
        + 6 * count(PieceKind::Maa)
        + 5 * count(PieceKind::Khon)
        + 3 * count(PieceKind::Met)
        + 2 * count(PieceKind::Bia)
}

/// Whether the board's honour can be counted: no bia, and both sides have pieces.
fn can_count_board(position: &Position) -> bool {
    position.kind(PieceKind::Bia).is_empty() && !Color::ALL.into_iter().any(|side| position.is_bare(side))
}

/// The side with less material, if one has less.
pub(crate) fn weaker_side(position: &Position) -> Option<Color> {
    let [white, black] = Color::ALL.map(|side| material_value(position, side));
    match white.cmp(&black) {
        Ordering::Less => Some(Color::White),
        Ordering::Equal => None,
        Ordering::Greater => Some(Color::Black),
    }
}

/// A board's honour that starts now, in systems in which it belongs to the weaker side. `automatic` returns the count
/// that starts by itself.
pub(crate) fn board_honour(position: &Position, automatic: impl FnOnce() -> Count) -> Count {
    if !can_count_board(position) {
        return Count::NONE;
    }
    let started = position.rules.count_started;
    match started.plies(position.game_ply()) {
        Some(ply) if started.is_on(position.game_ply()) => {
            Count::new(BOARD_PLIES, ply).owned_by(Some(started.counter()))
        }
        Some(_) => Count::NONE,
        None => automatic(),
    }
}

/// The board's honour of systems in which the weaker side counts its own moves. It starts on that side's turn.
pub(crate) fn board_honour_by_weaker_side(position: &Position) -> Count {
    match weaker_side(position) {
        Some(side) if side == position.side => Count::new(BOARD_PLIES, 0).owned_by(Some(side)),
        _ => Count::NONE,
    }
}

/// The counter of a FEN in systems whose counts start on the counter's turn: the bare side, else the side to move if
/// the number of plies is even, else the other one.
pub(crate) fn owner_in_fen(position: &Position, count: Count) -> Option<Color> {
    let even = count.ply().is_multiple_of(2);
    bare_side(position)
        .or_else(|| can_count_board(position).then_some(if even { position.side } else { !position.side }))
}

/// The honour in systems that count against a bare khun among bia too.
pub(crate) fn kind_by_bare_khun(position: &Position) -> CountKind {
    let any_bare = Color::ALL.into_iter().any(|side| position.is_bare(side));
    if any_bare { CountKind::Pieces } else { CountKind::Board }
}

/// A board's honour that belongs to neither side, counted by hand.
pub(crate) fn board_honour_by_hand(position: &Position, count: Count) -> Count {
    match position.rules.count_started.plies(position.game_ply()) {
        Some(ply) if count.is_running() => Count::new(count.limit(), ply),
        _ => count,
    }
}

/// The pieces' honour that starts now: the attacker may make `moves` less the pieces on the board.
pub(crate) fn pieces_honour(position: &Position, moves: u16) -> Count {
    let owner = bare_side(position);
    let attacker_to_move = owner != Some(position.side);
    Count::new(2 * moves, 2 * piece_count(position) + u16::from(attacker_to_move)).owned_by(owner)
}

/// Whether the last move made the board one with a bare khun and no bia.
pub(crate) fn starts_without_bia(position: &Position, facts: MoveFacts) -> bool {
    position.kind(PieceKind::Bia).is_empty()
        && bare_side(position).is_some()
        && (facts.promoted || facts.captured == Some(PieceKind::Bia) || was_bared(position, facts))
}

/// The pieces' honour that starts with [`starts_without_bia`]. If the bare khun took the last bia itself, it starts one
/// ply behind, for the khun has just moved.
pub(crate) fn pieces_honour_without_bia(position: &Position, moves: u16, facts: MoveFacts) -> Count {
    let owner = bare_side(position);
    let took_it_itself = owner == Some(facts.mover);
    Count::new(2 * moves, 2 * piece_count(position) - u16::from(took_it_itself)).owned_by(owner)
}
