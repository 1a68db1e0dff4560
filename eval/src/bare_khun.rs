//! Evaluation against a bare khun: whether and in how many plies the attacker can mate, and whether the count suffices.

use sakmak_movegen::{Color, PieceKind, Position, attacks};

use crate::colour_bound::is_colour_bound;
use crate::constants::*;
use crate::tablebase::{Dtm, Prober, pairs_of, pieces_of};

/// The score for White of a position with a bare khun, in internal units; `None` if no khun is bare.
#[inline]
pub(crate) fn evaluate(position: &Position, dtm: Prober<'_>) -> Option<i32> {
    match (position.is_bare(Color::White), position.is_bare(Color::Black)) {
        (false, false) => None,
        (true, true) => Some(0),
        (true, false) => Some(-attacker_score(position, Color::Black, dtm)),
        (false, true) => Some(attacker_score(position, Color::White, dtm)),
    }
}

/// The score for `attacker` against the bare khun.
#[cold]
fn attacker_score(position: &Position, attacker: Color, dtm: Prober<'_>) -> i32 {
    if position.is_dead() || is_colour_bound(position, attacker) {
        return 0;
    }
    let mate = match dtm.probe(position) {
        Dtm::Plies(plies) => Some((plies, true)),
        Dtm::NotForced => None,
        Dtm::Unknown => estimated_mate(position, attacker, dtm).map(|needed| (needed, false)),
    };
    let Some((needed, is_exact)) = mate else {
        // The best defence draws: drive the khun to where errors are likely.
        return BARE_UNFORCED + driving_progress(position, attacker);
    };
    let material = material(position, attacker) * BARE_MATERIAL / 128;
    mate_score(needed, is_exact, position.count().remaining(), material)
}

/// The material of a side by `BARE_PIECES`.
fn material(position: &Position, color: Color) -> i32 {
    let count = |kind| position.pieces(color, kind).len() as i32;
    PieceKind::ALL.into_iter().map(|kind| count(kind) * BARE_PIECES[kind.index()]).sum()
}

/// The score of a mate in `needed` plies, exact or estimated, if the count leaves `left` plies.
fn mate_score(needed: i32, is_exact: bool, left: Option<i32>, material: i32) -> i32 {
    let full = BARE_WIN + material + BARE_PLY * (BARE_MAX_DTM - needed).max(0);
    let Some(left) = left else { return full };
    // An exact DTM fits the count or not; the mate may come on the ply after the last. An estimate errs, so the score
    // fades as `left` falls short of it. A rest of the score remains, so that nearer mates score higher.
    let spread = if is_exact { 1 } else { BARE_FADE };
    let late = needed - left - i32::from(is_exact);
    let share = (spread - late).clamp(0, spread);
    let rest = full / BARE_REST_DIVISOR;
    rest + (full - rest) * share / spread
}

/// The shortest mate, in plies, that one or two of the attacker's pieces could force alone.
fn shortest_mate(position: &Position, attacker: Color, dtm: Prober<'_>) -> Option<i32> {
    pairs_of(pieces_of(position, attacker))
        .filter_map(|pair| match dtm.probe_pair(position, attacker, pair) {
            Dtm::Plies(plies) => Some(plies),
            _ => None,
        })
        .min()
}

/// How far the bare khun has been driven to the edge and the attacker's pieces have come near, in internal units.
fn driving_progress(position: &Position, attacker: Color) -> i32 {
    let bare_khun = position.khun(!attacker);
    let (file, rank) = (off_centre(bare_khun.file() as u8), off_centre(bare_khun.rank() as u8));
    let corner = if file == 3 && rank == 3 { BARE_CORNER } else { 0 };
    let mut score = BARE_EDGE * (file.max(rank) + file + rank) / 2 + corner;
    score -= BARE_KHUN_NEARNESS * i32::from(position.khun(attacker).distance(bare_khun));
    for piece in pieces_of(position, attacker) {
        score -= BARE_PIECE_NEARNESS * i32::from(piece.distance(bare_khun));
    }
    score - BARE_FREEDOM * escape_squares(position, attacker)
}

/// The distance of a file or rank from the middle of the board, 0 to 3.
fn off_centre(coordinate: u8) -> i32 {
    i32::from(if coordinate < 4 { 3 - coordinate } else { coordinate - 4 })
}

/// The number of squares the bare khun can go to, captures included. (X-rays of a rua through the khun are ignored.)
fn escape_squares(position: &Position, attacker: Color) -> i32 {
    let guarded = position.attacks_by(attacker, position.occupied());
    (attacks::khun(position.khun(!attacker)) & !guarded).len() as i32
}

/// The estimated plies to mate for pieces without a DTM table; `None` if they cannot force it.
fn estimated_mate(position: &Position, attacker: Color, dtm: Prober<'_>) -> Option<i32> {
    use PieceKind::{Bia, Khon, Maa, Met, Rua};
    let number = |kind| position.pieces(attacker, kind).len() as i32;
    // A bia counts as the met it will become.
    let met = number(Met) + number(Bia);
    let all = met + number(Khon) + number(Maa) + number(Rua);
    let from = |plies: i32| plies - driving_progress(position, attacker) / BARE_PLY;
    let (mut plies, used) = match (number(Rua) + number(Khon), number(Maa), met) {
        (1.., ..) if all > 1 || number(Rua) > 0 => {
            (shortest_mate(position, attacker, dtm).unwrap_or_else(|| from(BARE_ESTIMATE_NO_PAIR)), 2)
        }
        // Two maa never force a mate, and maa and met only against a khun that is already confined.
        (_, 1.., _) if all >= 3 => (from(BARE_ESTIMATE_MAA), 3),
        (_, _, 3..) => (from(BARE_ESTIMATE_MET), 3),
        _ => return None,
    };
    plies = plies.max(1);
    plies -= plies * (all - used).clamp(0, BARE_EXTRA_MAX) / BARE_EXTRA_DIVISOR;
    for bia in position.pieces(attacker, Bia) {
        plies += 2 * (5 - bia.relative_rank(attacker) as i32).max(1);
    }
    Some(plies)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Evaluator;

    fn position(board: &str, rest: &str) -> Position {
        Position::from_fen(&format!("{board} {rest}")).unwrap()
    }

    /// An evaluator that solves the DTM tables it needs.
    fn solving() -> Evaluator {
        let mut evaluator = Evaluator::default();
        evaluator.solve_missing_tables(true);
        evaluator
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_score_never_rises_with_the_plies_needed_nor_falls_with_those_left() {
        for needed in 1..160 {
            for left in [None, Some(-1), Some(0), Some(17), Some(44), Some(120)] {
                for is_exact in [false, true] {
                    let worth = |needed| mate_score(needed, is_exact, left, 300);
                    assert!(worth(needed) >= worth(needed + 1));
                }
            }
        }
        for needed in [1, 10, 50, 100, 175] {
            for left in -2..160 {
                for is_exact in [false, true] {
                    let now = mate_score(needed, is_exact, Some(left), 300);
                    assert!(0 < now && now <= mate_score(needed, is_exact, Some(left + 1), 300));
                    assert!(now <= mate_score(needed, is_exact, None, 300));
                }
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn both_colours_and_both_wings_are_evaluated_alike() {
        let evaluator = solving();
        let dtm = evaluator.prober();
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
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn one_and_two_piece_are_known_exactly() {
        let evaluator = solving();
        let dtm = evaluator.prober();
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
        // A khon alone, once the khun is confined.
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
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn what_is_known_fits_the_count_to_the_ply() {
        // Mate in 29 plies, and the last may come when the count has run out.
        let evaluator = solving();
        let dtm = evaluator.prober();
        let ending = |ply: i32| position("1k1S4/8/8/8/S7/4K3/8/8", &format!("w - 44 {ply} 60"));
        let worth = |ply: i32| evaluate(&ending(ply), dtm).unwrap();
        assert!(worth(16) > BARE_WIN);
        assert!(worth(17) < 100);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn met_and_bia_of_one_colour_are_worth_nothing() {
        let evaluator = Evaluator::default();
        let worth = |board| evaluate(&position(board, "w - - 0 1"), evaluator.prober()).unwrap();
        assert_eq!(worth("8/8/8/8/pm6/8/1mk5/K7"), 0);
        // On b4 the bia will be a met of the other colour.
        assert!(worth("8/8/8/m7/1p6/8/1mk5/K7") < -500);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn a_mate_that_cannot_fit_the_count_is_worth_little() {
        let board = "2K5/8/8/1S4M1/8/4k3/8/8";
        let evaluator = solving();
        let dtm = evaluator.prober();
        let worth = |rest| evaluate(&position(board, rest), dtm).unwrap();
        assert!(worth("w - 88 80 60") < 100);
        assert!(worth("w - 88 9 60") > 500);
    }
}
