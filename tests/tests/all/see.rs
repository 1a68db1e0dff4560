//! SEE against an exchange evaluation that plays every exchange out on the slow board.
//!
//! Both follow the same rules: pins do not matter, the cheapest piece captures first (of two equal ones that on the
//! lower square), a recapturing bia does not promote, a khun captures only undefended pieces, and either side may stop.

use sakmak_movegen::{Move, Position, SeeValues};
use sakmak_tests::slow::{SlowMove, SlowPosition, Spot};
use sakmak_tests::{position, walk};

const ROUNDS: u64 = 20;
const PLIES: usize = 80;

/// Bia, met, khon, maa, rua, khun.
const VALUES: [i32; 6] = [100, 180, 290, 320, 600, 20_000];
/// All equal but the khun: the number of pieces decides every exchange, and every comparison is close.
const EQUAL_VALUES: [i32; 6] = [100, 100, 100, 100, 100, 20_000];
/// FEN letters from the cheapest piece to the dearest: the index order of the values.
const CHEAPEST_FIRST: &str = "PMSNRK";
const BIA: usize = 0;
const MET: usize = 1;
const KHUN: usize = 5;

fn kind_index(piece: char) -> usize {
    CHEAPEST_FIRST.find(piece.to_ascii_uppercase()).expect("a piece's letter")
}

/// The gain of the side to move with `mv`, if both sides go on while it pays.
fn exchange(position: &SlowPosition, mv: SlowMove, values: &[i32; 6]) -> i32 {
    let value_on = |spot| position.piece(spot).map_or(0, |piece| values[kind_index(piece)]);
    let promotion = if mv.promotes { values[MET] - values[BIA] } else { 0 };
    let at_stake = value_on(mv.from) + promotion;
    let mut after = position.clone();
    after.move_man(mv);
    value_on(mv.to) + promotion - best_recapture(&after, mv.to, !position.white_to_move(), at_stake, values)
}

/// The gain of `white` (or Black) by capturing a piece worth `at_stake` on `spot`; 0 if the capture does not pay.
fn best_recapture(board: &SlowPosition, spot: Spot, white: bool, at_stake: i32, values: &[i32; 6]) -> i32 {
    let kind_on = |from: Spot| kind_index(board.piece(from).expect("an attacker"));
    let by_price = |&from: &Spot| (kind_on(from), from.1, from.0);
    let Some(from) = board.attackers(spot, white).into_iter().min_by_key(by_price) else { return 0 };

    let mut after = board.clone();
    after.move_man(SlowMove { from, to: spot, promotes: false });
    if kind_on(from) == KHUN && !after.attackers(spot, !white).is_empty() {
        return 0;
    }
    let answer = best_recapture(&after, spot, !white, values[kind_on(from)], values);
    (at_stake - answer).max(0)
}

/// Checks `see_ge` at and around the true gain, and far from it.
fn check(position: &Position, mv: Move, gain: i32, values: &[i32; 6]) {
    let thresholds = [gain - 1, gain, gain + 1, -1_000, -320, -100, 0, 1, 100, 280, 600];
    for threshold in thresholds {
        assert_eq!(
            position.see_ge(mv, threshold, &SeeValues(*values)),
            gain >= threshold,
            "{mv} gains {gain}, threshold {threshold}, in {position}"
        );
    }
}

/// Compares the legal moves of a position that `wanted` selects.
fn check_moves(position: &Position, wanted: impl Fn(Move) -> bool) {
    let slow = SlowPosition::from_fen(&position.to_string());
    for slow_move in slow.moves() {
        let mv = position.parse_move(&slow_move.to_string()).expect("a legal move");
        if wanted(mv) {
            for values in [&VALUES, &EQUAL_VALUES] {
                check(position, mv, exchange(&slow, slow_move, values), values);
            }
        }
    }
}

/// Captures and promotions, and quiet moves, which can lose the moved piece.
#[test]
fn moves_of_random_games() {
    for (number, step) in walk::games(41, ROUNDS, PLIES).enumerate() {
        let position = &step.before;
        check_moves(position, |mv| number % 5 == 0 || position.is_noisy(mv));
    }
}

/// Many pieces in little space: long exchanges, several rua behind one another.
#[test]
fn crowded_random_boards() {
    let mut rng = walk::rng(43);
    for pieces in ["kKrrrRRRnnNNssSSmMpP", "kKrrrrRRRRmmMMppppPPPP", "kKnnnNNNsssSSSmmmMMMpppPPP"] {
        for _ in 0..150 {
            let position = walk::scatter(&mut rng, pieces);
            check_moves(&position, |_| true);
        }
    }
}

#[test]
fn exchanges_worked_out_by_hand() {
    for (fen, mv, gain) in [
        // No recapture.
        ("4k3/8/8/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100),
        // A bia recaptures.
        ("4k3/8/4p3/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 320),
        // The rua behind captures the bia that recaptured; in the second position another rua guards that bia.
        ("4k3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 600 + 100),
        ("3rk3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 600),
        // Two rua against one: the first exchange of rua is even, the bia is won.
        ("3rk3/8/8/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100),
        // The khun guards a piece that is attacked once, not twice.
        ("8/8/4k3/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 320),
        ("8/8/4k3/3p4/8/4N3/8/3RK3 w - - 0 1", "e3d5", 100),
        // A khon guards the square ahead of it, which for Black is the one below.
        ("4k3/8/3s4/3m4/8/4N3/8/4K3 w - - 0 1", "e3d5", 180 - 320),
        ("4k3/8/8/3m4/3s4/4N3/8/4K3 w - - 0 1", "e3d5", 180),
        // A promotion gains the difference to a met; if the met is captured, all of it is lost.
        ("4k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6m", 80),
        ("r3k3/8/8/P7/8/8/8/4K3 w - - 0 1", "a5a6m", -100),
        ("r3k3/8/1n6/P7/8/8/8/4K3 w - - 0 1", "a5b6m", 320 + 80),
    ] {
        let position = position(fen);
        let mv = position.parse_move(mv).expect("a legal move");
        check(&position, mv, gain, &VALUES);
    }
}
