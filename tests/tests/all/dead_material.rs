//! Dead material against the second implementation of the rules: no line of legal moves leads from it to a mate.
//!
//! It is enough that no placement of dead material is a mate, and that each move leads to dead material again. Black is
//! to move here: exchanging the colours gives the rest.

use sakmak_movegen::{Position, Rules, Ruleset, Variant, splitmix64};
use sakmak_tests::after;
use sakmak_tests::slow::{SlowPosition, SlowRules, Spot, all_spots};

type Man = (Spot, char);

/// What is found in the placements of some men with Black in check.
#[derive(Debug, Default)]
struct Found {
    /// Placements in check.
    checks: u32,
    /// Those that the board crate calls dead.
    dead: u32,
    /// Those that are mates by the second implementation.
    mates: u32,
}

impl Found {
    /// Examines a position with Black to move.
    fn add(&mut self, slow: &SlowPosition, variant: Variant) {
        let rules = Rules::new(variant, Ruleset::default());
        let fen = slow.fen();
        // The side that is not to move may not be in check.
        let Ok(fast) = Position::from_fen_with(&fen, rules) else { return };
        self.checks += 1;
        let (is_dead, is_mate) = (fast.is_dead(), slow.is_mate());
        assert!(!(is_dead && is_mate), "{variant:?}: {fen} is mate, and not dead");
        self.dead += u32::from(is_dead);
        self.mates += u32::from(is_mate);
        // Each fourth is enough here: what a move leads to depends on the men alone.
        if is_dead && self.checks.is_multiple_of(4) {
            for mv in slow.uci_moves() {
                let mv = fast.parse_move(&mv).unwrap();
                assert!(after(&fast, mv).is_dead(), "{variant:?}: {fen} is dead, but not after {mv}");
            }
        }
    }
}

/// All placements of two khuns and `men` in which the first of the men, a white one, checks. Those that are mirror images
/// of others, left and right exchanged, are left out.
fn checks_by_first(men: &str, variant: Variant) -> Found {
    let mut found = Found::default();
    let rules = SlowRules { makpong: variant == Variant::Makpong, ..SlowRules::default() };
    for black in all_spots().filter(|&(file, _)| file < 4) {
        let is_far = |&(file, rank): &Spot| (file - black.0).abs().max((rank - black.1).abs()) > 1;
        for white in all_spots().filter(is_far) {
            place(&mut vec![(black, 'k'), (white, 'K')], men, &mut |placed| {
                let slow = SlowPosition::of_men(placed, false, rules);
                // None of these pieces can be blocked: what comes later gives no other check.
                let is_whole = placed.len() == 2 + men.len();
                match slow.in_check() {
                    true if is_whole => found.add(&slow, variant),
                    true => return true,
                    false => {}
                }
                false
            });
        }
    }
    found
}

/// Adds `men` to those that are placed, wherever `visit` wants more of them.
fn place(placed: &mut Vec<Man>, men: &str, visit: &mut impl FnMut(&[Man]) -> bool) {
    let Some(man) = men.chars().next() else { return };
    for spot in all_spots() {
        if placed.iter().any(|&(other, _)| other == spot) {
            continue;
        }
        placed.push((spot, man));
        if visit(placed) {
            place(placed, &men[1..], visit);
        }
        placed.pop();
    }
}

#[test]
fn no_line_of_dead_material_ends_in_mate() {
    // The men, and whether some of their placements are dead, and some mates.
    for (men, is_dead, mates) in [
        ("M", true, false),
        ("N", true, false),
        ("P", true, false),
        ("S", false, true),
        // Dead on one colour only.
        ("MM", true, true),
        ("Mm", true, true),
        ("Mn", false, true),
    ] {
        let found = checks_by_first(men, Variant::Makruk);
        assert!(found.checks > 500, "{men}: {}", found.checks);
        assert_eq!((found.dead > 0, found.mates > 0), (is_dead, mates), "{men}: {found:?}");
        assert!(men.len() > 1 || !is_dead || found.dead == found.checks, "{men}: {found:?}");
    }
    for men in ["M", "N", "P"] {
        let found = checks_by_first(men, Variant::Makpong);
        assert!(found.dead == 0 && found.mates > 0, "{men}: {found:?}");
    }
}

/// Random positions with three to six met of both sides, half of them on one colour.
#[test]
fn many_met_of_one_colour_never_mate() {
    let mut found = Found::default();
    for number in 0..60_000_u64 {
        let random = |at: u64| splitmix64(16 * number + at) as usize;
        let one_colour = number % 2 == 0;
        let mut placed: Vec<Man> = Vec::new();
        for at in 0..5 + random(15) as u64 % 4 {
            let spot = ((random(at) % 8) as i32, (random(at) / 8 % 8) as i32);
            let man = match at {
                0 => 'k',
                1 => 'K',
                _ if random(at) / 64 % 3 == 0 => 'm',
                _ => 'M',
            };
            let is_free = placed.iter().all(|&(other, _)| other != spot);
            let fits = at < 2 || !one_colour || (spot.0 + spot.1) % 2 == 0;
            if is_free && fits {
                placed.push((spot, man));
            }
        }
        if placed.len() < 4 || placed[1].1 != 'K' {
            continue;
        }
        let slow = SlowPosition::of_men(&placed, false, SlowRules::default());
        if slow.in_check() {
            found.add(&slow, Variant::Makruk);
        }
    }
    assert!(found.dead > 500 && found.dead < found.checks, "{found:?}");
}
