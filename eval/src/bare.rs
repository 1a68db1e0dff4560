//! Hunting a bare khun: can the men at hand mate, how near is the mate, and does it fit the count?

use sakmak_movegen::{Color, PieceKind, Position, Square, Variant, attacks};

use crate::accumulator::endgame_material;
use crate::bare_weights::*;
use crate::pairs::Pair;
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
    let mate = match known_mate(position) {
        KnownMate::Plies(plies) => Some((plies * PLY, true)),
        KnownMate::NotForced => None,
        KnownMate::Unknown => expected_mate(position, hunter).map(|needed| (needed, false)),
    };
    let Some((needed, exactly)) = mate else {
        // Nothing to be had from good defence, so make it hard, and do not help.
        return BARE_UNFORCED + progress(position, hunter) / 2;
    };
    let material = endgame_material(position, hunter) * BARE_MATERIAL / 128;
    score(needed, exactly, position.count().remaining(), material)
}

/// The worth of a mate in `needed` eighths of a ply, if so many plies are left.
fn score(needed: i32, exactly: bool, left: Option<i32>, material: i32) -> i32 {
    let whole = BARE_WIN + material + BARE_PLY * (BARE_LONGEST * PLY - needed).max(0) / PLY;
    let Some(left) = left else { return whole };
    // A forecast errs, so the hope falls gradually as the plies left fall short of it. What is known fits or
    // does not: the mate may come on the ply after the last. A little hope remains in any case, and the nearer the
    // mate the more.
    let spread = if exactly { 1 } else { BARE_SPREAD * PLY };
    let late = if exactly { needed - (left + 1) * PLY } else { needed - (left - BARE_LATE) * PLY };
    let share = (spread - late).clamp(0, spread);
    let rest = whole / BARE_REST;
    rest + (whole - rest) * share / spread
}

/// What is known, not only expected, of the hunt for a bare khun.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum KnownMate {
    /// Mate in so many plies with best play of both sides, whatever the count.
    Plies(i32),
    /// The bare khun need not be mated.
    NotForced,
    /// Nothing: no khun is bare, or these men are not in the tables.
    Unknown,
}

/// The mate that a khon, alone or with a met, a maa or another khon, can force on a bare khun.
///
/// The first answer for each pair of men takes a tenth of a second, see [`crate::prepare`]. First-move privileges
/// are not considered, and in Makpong, where a checked khun may not step aside, nothing is known.
pub fn known_mate(position: &Position) -> KnownMate {
    let hunter = if position.is_bare(Color::White) { Color::Black } else { Color::White };
    let men = position.color(hunter) & !position.kind(PieceKind::Khun);
    let khun_stays = position.rules().variant == Variant::Makpong;
    if men.len() > 2 || !position.is_bare(!hunter) || khun_stays {
        return KnownMate::Unknown;
    }
    let khon = position.men(hunter, PieceKind::Khon).first();
    let pair = khon.and_then(|khon| {
        // A lone khon is a pair on one square.
        let second = (men ^ khon.into()).first().unwrap_or(khon);
        Some((Pair::with(position.kind_on(second)?)?, khon, second))
    });
    let Some((pair, khon, second)) = pair else { return KnownMate::Unknown };
    pair_mate(position, hunter, pair, khon, second).map_or(KnownMate::NotForced, KnownMate::Plies)
}

/// Plies to the mate a khon and one other man can force.
fn pair_mate(position: &Position, hunter: Color, pair: &Pair, khon: Square, second: Square) -> Option<i32> {
    let men = [position.khun(hunter), khon, second].map(|square| square.relative(hunter));
    pair.plies(men, position.khun(!hunter).relative(hunter), position.side_to_move() == hunter)
}

/// The nearest mate, in plies, that any khon with any other man could force if they were alone; a bia counts as the
/// met it will become.
fn pairs_mate(position: &Position, hunter: Color) -> Option<i32> {
    let pairs = position.men(hunter, PieceKind::Khon).into_iter().flat_map(|khon| {
        let others = position.color(hunter) ^ khon.into();
        others.into_iter().filter_map(move |second| {
            let kind = position.kind_on(second)?;
            let kind = if kind == PieceKind::Bia { PieceKind::Met } else { kind };
            pair_mate(position, hunter, Pair::with(kind)?, khon, second)
        })
    });
    pairs.min()
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
fn expected_mate(position: &Position, hunter: Color) -> Option<i32> {
    use PieceKind::{Bia, Khon, Maa, Met, Rua};
    let number = |kind| position.men(hunter, kind).len() as i32;
    // Bia become met in time.
    let met = number(Met) + number(Bia);
    let all = met + number(Khon) + number(Maa) + number(Rua);
    let from = |plies: i32| plies * PLY - progress(position, hunter) * PLY / BARE_PLY;
    let (mut plies, used) = match (number(Rua), number(Khon), number(Maa), met) {
        (2.., ..) => (forecast(position, hunter, &TWO_RUA, 2), 2),
        (1, ..) if all > 1 => (forecast(position, hunter, &RUA, 1) + RUA_MORE, 2),
        (1, ..) => (forecast(position, hunter, &RUA, 1), 1),
        (_, 1.., ..) if all > 1 => {
            let nearest = pairs_mate(position, hunter).map(|plies| plies * PLY);
            (nearest.unwrap_or_else(|| from(BARE_KHON_AND_MORE)), 2)
        }
        // Two maa never force a mate, and one with one met only a khun already caught.
        (_, _, 1.., _) if all >= 3 => (from(BARE_MAA_AND_MORE), 3),
        (_, _, _, 3..) => (from(BARE_THREE_MET), 3),
        _ => return None,
    };
    plies = plies.max(PLY);
    plies -= plies * (all - used).min(BARE_MORE_MOST) / BARE_MORE_PART;
    for bia in position.men(hunter, Bia) {
        plies += 2 * PLY * (5 - i32::from(bia.relative_rank(hunter))).max(1);
    }
    Some(plies)
}

/// The sum of the terms of `hunt`, which is meant for `number` rua.
fn forecast(position: &Position, hunter: Color, hunt: &Hunt, number: i32) -> i32 {
    let prey = position.khun(!hunter).relative(hunter);
    let rua = position.men(hunter, PieceKind::Rua);
    let sum: i32 = rua.into_iter().map(|rua| hunt.rua.at(rua.relative(hunter), prey)).sum();
    let tempo = if position.side_to_move() == hunter { i32::from(hunt.to_move) } else { 0 };
    i32::from(hunt.base)
        + tempo
        + i32::from(hunt.freedom) * freedom(position, hunter)
        + i32::from(hunt.prey[half_board(prey)])
        + hunt.khun.at(position.khun(hunter).relative(hunter), prey)
        // More rua than meant count as their mean.
        + number * (sum / (rua.len() as i32).max(1))
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
        expected_mate(&position(board, "w - 128 20 60"), Color::White).unwrap()
    }

    #[test]
    fn the_score_never_rises_with_the_plies_needed_nor_falls_with_those_left() {
        for needed in 1..160 * PLY {
            for left in [None, Some(-1), Some(0), Some(17), Some(44), Some(120)] {
                for exactly in [false, true] {
                    let worth = |needed| score(needed, exactly, left, 300);
                    assert!(worth(needed) >= worth(needed + 1));
                }
            }
        }
        for needed in [1, 80, 400, 800, 1400] {
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
    }

    #[test]
    fn khon_with_another_man_are_known_exactly() {
        let known = |board: &str, side: &str| known_mate(&position(board, &format!("{side} - 128 20 60")));
        for (board, plies) in [
            ("1k6/8/3S4/6K1/1S6/8/8/8", 13),
            ("1k1S4/8/8/8/S7/4K3/8/8", 29),
            ("8/6k1/8/6M1/8/8/1S6/4K3", 47),
            ("2K5/8/8/1S4M1/8/4k3/8/8", 77),
        ] {
            assert_eq!(known(board, "w"), KnownMate::Plies(plies), "{board}");
        }
        // A lone khon, once the khun is caught.
        assert_eq!(known("6k1/8/5SK1/8/8/8/8/8", "w"), KnownMate::Plies(1));
        // The khun takes one of two khon.
        assert_eq!(known("8/8/8/8/3k4/3S4/8/K6S", "b"), KnownMate::NotForced);
        for board in [
            "8/8/8/8/3k4/8/2R5/K6S",
            "8/8/8/8/3k4/8/2P5/K6S",
            "8/8/8/8/3k3p/8/2S5/K6S",
            "8/8/8/8/3k4/8/8/K6N",
        ] {
            assert_eq!(known(board, "w"), KnownMate::Unknown, "{board}");
        }
    }

    #[test]
    fn what_is_known_fits_the_count_to_the_ply() {
        // 29 plies, and the last may come when the count has run out.
        let worth =
            |ply: i32| evaluate(&position("1k1S4/8/8/8/S7/4K3/8/8", &format!("w - 44 {ply} 60"))).unwrap();
        assert!(worth(16) > BARE_WIN);
        assert!(worth(17) < 100);
    }

    #[test]
    fn a_hunt_that_cannot_fit_the_count_is_worth_little() {
        let board = "2K5/8/8/1S4M1/8/4k3/8/8";
        let worth = |rest| evaluate(&position(board, rest)).unwrap();
        assert!(worth("w - 88 80 60") < 100);
        assert!(worth("w - 88 9 60") > 500);
    }
}
