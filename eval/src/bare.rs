//! Hunting a bare khun: can the men at hand mate, how near is the mate, and does it fit the count?

use sakmak_movegen::{Color, PieceKind, Position, attacks};

use crate::accumulator::endgame_material;
use crate::weights::*;

/// The score for White of a position in which a khun is bare; `None` if none is.
#[inline]
pub(crate) fn evaluate(position: &Position) -> Option<i32> {
    match (position.is_bare(Color::White), position.is_bare(Color::Black)) {
        (false, false) => None,
        (true, true) => Some(0),
        (true, false) => Some(-hunt(position, Color::Black)),
        (false, true) => Some(hunt(position, Color::White)),
    }
}

/// What the hunt is worth to `hunter`.
#[cold]
fn hunt(position: &Position, hunter: Color) -> i32 {
    if position.is_dead() {
        return 0;
    }
    let progress = progress(position, hunter);
    let Some(needed) = moves_to_mate(position, hunter) else {
        // Nothing to be had from good defence, so make it hard, and do not help.
        return BARE_UNFORCED + progress / 2;
    };
    let material = endgame_material(position, hunter) * BARE_MATERIAL / 128;
    let score = BARE_WIN + material + progress;
    match position.count().remaining() {
        None => score,
        // Less time than the mate takes: the hope shrinks with every ply, but a little progress remains
        // better than none.
        Some(plies) => {
            let needed = 2 * needed;
            score * plies.clamp(0, needed) / needed
        }
    }
}

/// How far the bare khun has been driven, in centipawns.
fn progress(position: &Position, hunter: Color) -> i32 {
    let prey = position.khun(!hunter);
    let khun = position.khun(hunter);
    let off_centre = |x: u8| i32::from(if x < 4 { 3 - x } else { x - 4 });
    let (file, rank) = (off_centre(prey.file()), off_centre(prey.rank()));

    let khon_alone = position.kind(PieceKind::Rua).is_empty() && !position.kind(PieceKind::Khon).is_empty();
    let mut score = if khon_alone {
        BARE_KHON_FILE * file + BARE_KHON_RANK * i32::from(prey.relative_rank(hunter))
    } else {
        let corner = if file == 3 && rank == 3 { BARE_CORNER } else { 0 };
        BARE_EDGE * (file.max(rank) + file + rank) / 2 + corner
    };
    score -= BARE_KHUN_NEARNESS * i32::from(khun.distance(prey));
    for man in position.color(hunter) & !position.kind(PieceKind::Khun) {
        if position.kind_on(man) != Some(PieceKind::Rua) {
            score -= BARE_MEN_NEARNESS * i32::from(man.distance(prey));
        }
    }
    let guarded = position.attacks_by(hunter, position.occupied());
    score - BARE_FREEDOM * (attacks::khun(prey) & !guarded).len() as i32
}

/// Moves in which the hunter usually mates; `None` if its men cannot force a mate.
fn moves_to_mate(position: &Position, hunter: Color) -> Option<i32> {
    let men = |kind| position.men(hunter, kind).len() as i32;
    let [bia, met, khon, maa, rua, _] = PieceKind::ALL.map(men);
    // Bia become met in time.
    let met = met + bia;
    let table = &BARE_MOVES;
    let (moves, needed) = match (rua, khon, maa, met) {
        (2.., ..) => (table.two_rua, 2),
        (1, ..) if khon + maa + met > 0 => (table.rua_and_more, 2),
        (1, ..) => (table.rua, 1),
        (_, 2.., ..) => (table.two_khon, 2),
        (_, 1, 1.., _) => (table.khon_and_maa, 2),
        (_, 1, _, 1..) => (table.khon_and_met, 2),
        // Two maa never force a mate, and one with one met only a khun already caught.
        (_, _, 1.., _) if maa + met >= 3 => (table.maa_and_more, 3),
        (_, _, _, 3..) => (table.three_met, 3),
        _ => return None,
    };
    let more = rua + khon + maa + met - needed;
    Some((moves - more * table.less_for_each_more).max(moves / 2))
}
