//! Hunting a bare khun: can the men at hand mate, how near is the mate, and does it fit the count?

use sakmak_movegen::{Color, PieceKind, Position, attacks};

use crate::accumulator::endgame_material;
use crate::dtm::{Dtm, Prober};
use crate::off_centre;
use crate::weights::*;

/// The score for White of a position in which a khun is bare; `None` if none is.
#[inline]
pub(crate) fn evaluate(position: &Position, dtm: Prober<'_>) -> Option<i32> {
    match (position.is_bare(Color::White), position.is_bare(Color::Black)) {
        (false, false) => None,
        (true, true) => Some(0),
        (true, false) => Some(-hunt(position, Color::Black, dtm)),
        (false, true) => Some(hunt(position, Color::White, dtm)),
    }
}

/// What the hunt is worth to `hunter`.
#[cold]
fn hunt(position: &Position, hunter: Color, dtm: Prober<'_>) -> i32 {
    if position.is_dead() {
        return 0;
    }
    let mate = match dtm.probe(position) {
        Dtm::Plies(plies) => Some((plies, true)),
        Dtm::NotForced => None,
        Dtm::Unknown => expected_mate(position, hunter, dtm).map(|needed| (needed, false)),
    };
    let Some((needed, exactly)) = mate else {
        // Nothing to be had from good defence, so make it hard, and do not help.
        return BARE_UNFORCED + progress(position, hunter) / 2;
    };
    let material = endgame_material(position, hunter) * BARE_MATERIAL / 128;
    score(needed, exactly, position.count().remaining(), material)
}

/// The worth of a mate in `needed` plies, if so many are left.
fn score(needed: i32, exactly: bool, left: Option<i32>, material: i32) -> i32 {
    let whole = BARE_WIN + material + BARE_PLY * (BARE_LONGEST - needed).max(0);
    let Some(left) = left else { return whole };
    // An estimate errs, so the hope falls gradually as the plies left fall short of it. What is known fits or
    // does not: the mate may come on the ply after the last. A little hope remains in any case, and the nearer the
    // mate the more.
    let spread = if exactly { 1 } else { BARE_SPREAD };
    let late = needed - if exactly { left + 1 } else { left - BARE_LATE };
    let share = (spread - late).clamp(0, spread);
    let rest = whole / BARE_REST;
    rest + (whole - rest) * share / spread
}

/// The nearest mate, in plies, that one or two of the hunter's men could force by themselves.
fn nearest_mate(position: &Position, hunter: Color, dtm: Prober<'_>) -> Option<i32> {
    let men = position.color(hunter) & !position.kind(PieceKind::Khun);
    let pairs = men.into_iter().flat_map(|first| men.into_iter().map(move |second| [first, second]));
    pairs
        .filter(|[first, second]| first <= second)
        .filter_map(|pair| match dtm.probe_pair(position, hunter, pair) {
            Dtm::Plies(plies) => Some(plies),
            _ => None,
        })
        .min()
}

/// How far the bare khun has been driven, in centipawns.
fn progress(position: &Position, hunter: Color) -> i32 {
    let prey = position.khun(!hunter);
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

/// Plies in which more men, or bia among them, should mate; `None` if they cannot force it.
fn expected_mate(position: &Position, hunter: Color, dtm: Prober<'_>) -> Option<i32> {
    use PieceKind::{Bia, Khon, Maa, Met, Rua};
    let number = |kind| position.men(hunter, kind).len() as i32;
    // Bia become met in time.
    let met = number(Met) + number(Bia);
    let all = met + number(Khon) + number(Maa) + number(Rua);
    let from = |plies: i32| plies - progress(position, hunter) / BARE_PLY;
    let (mut plies, used) = match (number(Rua) + number(Khon), number(Maa), met) {
        (1.., ..) if all > 1 || number(Rua) > 0 => {
            (nearest_mate(position, hunter, dtm).unwrap_or_else(|| from(BARE_NO_PAIR)), 2)
        }
        // Two maa never force a mate, and one with one met only a khun already caught.
        (_, 1.., _) if all >= 3 => (from(BARE_MAA_AND_MORE), 3),
        (_, _, 3..) => (from(BARE_THREE_MET), 3),
        _ => return None,
    };
    plies = plies.max(1);
    plies -= plies * (all - used).clamp(0, BARE_MORE_MOST) / BARE_MORE_PART;
    for bia in position.men(hunter, Bia) {
        plies += 2 * (5 - i32::from(bia.relative_rank(hunter))).max(1);
    }
    Some(plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dtm::DtmTables;

    fn position(board: &str, rest: &str) -> Position {
        Position::from_fen(&format!("{board} {rest}")).unwrap()
    }

    #[test]
    fn the_score_never_rises_with_the_plies_needed_nor_falls_with_those_left() {
        for needed in 1..160 {
            for left in [None, Some(-1), Some(0), Some(17), Some(44), Some(120)] {
                for exactly in [false, true] {
                    let worth = |needed| score(needed, exactly, left, 300);
                    assert!(worth(needed) >= worth(needed + 1));
                }
            }
        }
        for needed in [1, 10, 50, 100, 175] {
            for left in -2..160 {
                for exactly in [false, true] {
                    let now = score(needed, exactly, Some(left), 300);
                    assert!(0 < now && now <= score(needed, exactly, Some(left + 1), 300));
                    assert!(now <= score(needed, exactly, None, 300));
                }
            }
        }
    }

    #[test]
    fn both_colours_and_both_wings_hunt_alike() {
        let dtm = Prober { tables: &DtmTables::default(), solve_missing: true };
        for (board, mirrored) in [
            ("8/8/6K1/8/8/3k4/8/3M1S2", "8/8/1K6/8/8/4k3/8/2S1M3"),
            ("8/8/7N/8/5k2/K7/7S/8", "8/8/N7/8/2k5/7K/S7/8"),
            ("8/5k2/2S5/6K1/8/3S4/6S1/8", "8/2k5/5S2/1K6/8/4S3/1S6/8"),
            ("8/4R1M1/8/2K5/8/2k5/8/8", "8/1M1R4/8/5K2/8/5k2/8/8"),
            ("2k5/8/8/3K4/8/7R/3R4/8", "5k2/8/8/4K3/8/R7/4R3/8"),
        ] {
            for rest in ["w - 88 20 60", "b - 88 21 60"] {
                let here = position(board, rest);
                let worth = |position: &Position| evaluate(position, dtm);
                assert_eq!(worth(&here), worth(&here.flipped()).map(|score| -score), "{board}");
                assert_eq!(worth(&here), worth(&position(mirrored, rest)), "{board}");
            }
        }
    }

    /// `tools/data/bare-wins.epd` has these placements.
    #[test]
    fn one_and_two_men_are_known_exactly() {
        let dtm = Prober { tables: &DtmTables::default(), solve_missing: true };
        let known = |board: &str, side: &str| dtm.probe(&position(board, &format!("{side} - 128 20 60")));
        for (board, plies) in [
            ("k1K4R/8/8/8/8/8/8/8", 5),
            ("8/7k/8/8/8/4K3/4R3/8", 13),
            ("3K4/2R5/8/8/8/8/8/k7", 15),
            ("1k6/8/3S4/6K1/1S6/8/8/8", 13),
            ("1k1S4/8/8/8/S7/4K3/8/8", 29),
            ("8/6k1/8/6M1/8/8/1S6/4K3", 47),
            ("2K5/8/8/1S4M1/8/4k3/8/8", 77),
        ] {
            assert_eq!(known(board, "w"), Dtm::Plies(plies), "{board}");
        }
        // A lone khon, once the khun is caught.
        assert_eq!(known("6k1/8/5SK1/8/8/8/8/8", "w"), Dtm::Plies(1));
        // The khun takes one of two khon.
        assert_eq!(known("8/8/8/8/3k4/3S4/8/K6S", "b"), Dtm::NotForced);
        for board in [
            "8/8/8/8/3k4/8/RR6/K6S",
            "8/8/8/8/3k4/8/2P5/K6S",
            "8/8/8/8/3k3p/8/2S5/K6S",
            "8/8/8/8/3k4/8/8/K6N",
        ] {
            assert_eq!(known(board, "w"), Dtm::Unknown, "{board}");
        }
    }

    #[test]
    fn what_is_known_fits_the_count_to_the_ply() {
        // 29 plies, and the last may come when the count has run out.
        let dtm = Prober { tables: &DtmTables::default(), solve_missing: true };
        let hunt = |ply: i32| position("1k1S4/8/8/8/S7/4K3/8/8", &format!("w - 44 {ply} 60"));
        let worth = |ply: i32| evaluate(&hunt(ply), dtm).unwrap();
        assert!(worth(16) > BARE_WIN);
        assert!(worth(17) < 100);
    }

    #[test]
    fn a_hunt_that_cannot_fit_the_count_is_worth_little() {
        let board = "2K5/8/8/1S4M1/8/4k3/8/8";
        let dtm = Prober { tables: &DtmTables::default(), solve_missing: true };
        let worth = |rest| evaluate(&position(board, rest), dtm).unwrap();
        assert!(worth("w - 88 80 60") < 100);
        assert!(worth("w - 88 9 60") > 500);
    }
}
