//! Hunting a bare khun: can the men at hand mate, how near is the mate, and does it fit the count?

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::accumulator::endgame_material;
use crate::bare_weights::*;
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
    let Some(needed) = plies_to_mate(position, hunter) else {
        // Nothing to be had from good defence, so make it hard, and do not help.
        return BARE_UNFORCED + progress(position, hunter) / 2;
    };
    let material = endgame_material(position, hunter) * BARE_MATERIAL / 128;
    score(needed, position.count().remaining(), material)
}

/// The worth of a mate in `needed` eighths of a ply, if so many plies are left.
fn score(needed: i32, left: Option<i32>, material: i32) -> i32 {
    let whole = BARE_WIN + material + BARE_PLY * (BARE_LONGEST * PLY - needed).max(0) / PLY;
    let Some(left) = left else { return whole };
    // The forecast errs, so the hope falls gradually as the plies left fall short of it. A little remains, and
    // the nearer the mate the more.
    let late = needed - left * PLY + BARE_LATE * PLY;
    let share = (BARE_SPREAD * PLY - late).clamp(0, BARE_SPREAD * PLY);
    let rest = whole / BARE_REST;
    rest + (whole - rest) * share / (BARE_SPREAD * PLY)
}

/// How far the bare khun has been driven, in centipawns.
fn progress(position: &Position, hunter: Color) -> i32 {
    let prey = position.khun(!hunter);
    let off_centre = |x: u8| i32::from(if x < 4 { 3 - x } else { x - 4 });
    let (file, rank) = (off_centre(prey.file()), off_centre(prey.rank()));
    let corner = if file == 3 && rank == 3 { BARE_CORNER } else { 0 };
    let mut score = BARE_EDGE * (file.max(rank) + file + rank) / 2 + corner;
    score -= BARE_KHUN_NEARNESS * i32::from(position.khun(hunter).distance(prey));
    for man in position.color(hunter) & !position.kind(PieceKind::Khun) {
        score -= BARE_MEN_NEARNESS * i32::from(man.distance(prey));
    }
    score - BARE_FREEDOM * freedom(position, hunter)
}

/// Squares the bare khun may go to, or take on, unless a line opens.
fn freedom(position: &Position, hunter: Color) -> i32 {
    let guarded = position.attacks_by(hunter, position.occupied());
    (attacks::khun(position.khun(!hunter)) & !guarded).len() as i32
}

/// Eighths of a ply in which the hunter should mate; `None` if its men cannot force a mate.
fn plies_to_mate(position: &Position, hunter: Color) -> Option<i32> {
    use PieceKind::{Bia, Khon, Maa, Met, Rua};
    // Bia become met in time.
    let men = |kind| match kind {
        Met => position.men(hunter, Met) | position.men(hunter, Bia),
        kind => position.men(hunter, kind),
    };
    let number = |kind| men(kind).len() as i32;
    let all = number(Met) + number(Khon) + number(Maa) + number(Rua);
    let none = Bitboard::default();
    let (mut plies, used) = match (number(Rua), number(Khon), number(Maa), number(Met)) {
        (2.., ..) => (forecast(position, hunter, &TWO_RUA, 2, men(Rua), none), 2),
        (1, ..) if all > 1 => (forecast(position, hunter, &RUA, 1, men(Rua), none) + RUA_MORE, 2),
        (1, ..) => (forecast(position, hunter, &RUA, 1, men(Rua), none), 1),
        (_, 2.., ..) => (forecast(position, hunter, &TWO_KHON, 2, men(Khon), none), 2),
        (_, 1, 1.., _) => (forecast(position, hunter, &KHON_AND_MAA, 1, men(Maa), men(Khon)), 2),
        (_, 1, _, 1..) => (forecast(position, hunter, &KHON_AND_MET, 1, men(Khon), men(Met)), 2),
        // Two maa never force a mate, and one with one met only a khun already caught.
        (_, _, maa, met) if maa + met >= 3 => {
            let base = if maa > 0 { BARE_MAA_AND_MORE } else { BARE_THREE_MET };
            (base * PLY - progress(position, hunter) * PLY / BARE_PLY, 3)
        }
        _ => return None,
    };
    plies = plies.max(PLY);
    plies -= plies * (all - used).min(BARE_MORE_MOST) / BARE_MORE_PART;
    for bia in position.men(hunter, Bia) {
        plies += 2 * PLY * (5 - i32::from(bia.relative_rank(hunter))).max(1);
    }
    Some(plies)
}

/// The sum of the terms of `hunt`, `number` men of the first kind being meant.
fn forecast(
    position: &Position,
    hunter: Color,
    hunt: &Hunt,
    number: i32,
    first: Bitboard,
    second: Bitboard,
) -> i32 {
    let prey = position.khun(!hunter).relative(hunter);
    // More men than meant count as their mean.
    let mean = |terms: &Man, men: Bitboard| {
        let sum: i32 = men.into_iter().map(|man| terms.at(man.relative(hunter), prey)).sum();
        sum / (men.len() as i32).max(1)
    };
    let tempo = if position.side_to_move() == hunter { i32::from(hunt.to_move) } else { 0 };
    i32::from(hunt.base)
        + tempo
        + i32::from(hunt.freedom) * freedom(position, hunter)
        + i32::from(hunt.prey[half_board(prey)])
        + hunt.khun.at(position.khun(hunter).relative(hunter), prey)
        + number * mean(&hunt.first, first)
        + hunt.second.as_ref().map_or(0, |terms| mean(terms, second))
}

impl Man {
    /// What a man on `square` adds, both squares as White sees them.
    fn at(&self, square: Square, prey: Square) -> i32 {
        let ranks = usize::from(square.rank() + 7 - prey.rank());
        let files = usize::from(square.file().abs_diff(prey.file()));
        let steps = usize::from(square.distance(prey));
        let terms = [
            self.squares[half_board(square)],
            self.near.ranks[ranks],
            self.near.files[files],
            self.near.steps[steps],
        ];
        terms.into_iter().map(i32::from).sum()
    }
}

/// The place in a table of half a board.
fn half_board(square: Square) -> usize {
    usize::from(square.rank() * 4 + square.file().min(7 - square.file()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn position(board: &str, rest: &str) -> Position {
        Position::from_fen(&format!("{board} {rest}")).unwrap()
    }

    fn needed(board: &str) -> i32 {
        plies_to_mate(&position(board, "w - 128 20 60"), Color::White).unwrap()
    }

    #[test]
    fn the_score_never_rises_with_the_plies_needed_nor_falls_with_those_left() {
        for needed in 1..160 * PLY {
            for left in [None, Some(-1), Some(0), Some(17), Some(44), Some(120)] {
                assert!(score(needed, left, 300) >= score(needed + 1, left, 300));
            }
        }
        for needed in [1, 80, 400, 800, 1400] {
            for left in -2..160 {
                let now = score(needed, Some(left), 300);
                assert!(0 < now && now <= score(needed, Some(left + 1), 300));
                assert!(now <= score(needed, None, 300));
            }
        }
    }

    #[test]
    fn both_colours_and_both_wings_hunt_alike() {
        for (board, mirrored) in [
            ("8/8/6K1/8/8/3k4/8/3M1S2", "8/8/1K6/8/8/4k3/8/2S1M3"),
            ("8/8/7N/8/5k2/K7/7S/8", "8/8/N7/8/2k5/7K/S7/8"),
            ("8/5k2/2S5/6K1/8/3S4/6S1/8", "8/2k5/5S2/1K6/8/4S3/1S6/8"),
            ("8/4R1M1/8/2K5/8/2k5/8/8", "8/1M1R4/8/5K2/8/5k2/8/8"),
            ("2k5/8/8/3K4/8/7R/3R4/8", "5k2/8/8/4K3/8/R7/4R3/8"),
        ] {
            for rest in ["w - 88 20 60", "b - 88 21 60"] {
                let here = position(board, rest);
                assert_eq!(evaluate(&here), evaluate(&here.flipped()).map(|score| -score), "{board}");
                assert_eq!(evaluate(&here), evaluate(&position(mirrored, rest)), "{board}");
            }
        }
    }

    /// The tables know the plies: `tools/data/bare-wins.epd` has these placements.
    #[test]
    fn nearer_mates_are_foretold_nearer() {
        let ascending = |boards: &[&str]| {
            let plies: Vec<i32> = boards.iter().map(|board| needed(board)).collect();
            assert!(plies.is_sorted(), "{boards:?}: {plies:?}");
        };
        // 5, 13 and 15 plies.
        ascending(&["k1K4R/8/8/8/8/8/8/8", "8/7k/8/8/8/4K3/4R3/8", "3K4/2R5/8/8/8/8/8/k7"]);
        // 13 and 29.
        ascending(&["1k6/8/3S4/6K1/1S6/8/8/8", "1k1S4/8/8/8/S7/4K3/8/8"]);
        // 47 and 77.
        ascending(&["8/6k1/8/6M1/8/8/1S6/4K3", "2K5/8/8/1S4M1/8/4k3/8/8"]);
    }

    #[test]
    fn a_hunt_that_cannot_fit_the_count_is_worth_little() {
        let board = "2K5/8/8/1S4M1/8/4k3/8/8";
        let worth = |rest| evaluate(&position(board, rest)).unwrap();
        assert!(worth("w - 88 80 60") < 100);
        assert!(worth("w - 88 9 60") > 500);
    }
}
