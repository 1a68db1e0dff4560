//! Incrementally updated state of a position: keys and checkers.

use std::collections::HashMap;

use sakmak_movegen::{Color, Count, Position, perft::perft};
use sakmak_tests::{play, walk};

const ROUNDS: u64 = 20;
const PLIES: usize = 80;

/// A relation that must be one to one: equal descriptions have equal keys, and different descriptions
/// have different ones.
#[derive(Default)]
struct OneToOne {
    keys: HashMap<String, u64>,
    descriptions: HashMap<u64, String>,
}

impl OneToOne {
    fn insert(&mut self, description: String, key: u64) {
        let known_key = *self.keys.entry(description.clone()).or_insert(key);
        assert_eq!(known_key, key, "two keys for {description}");
        let stored = self.descriptions.entry(key).or_insert_with(|| description.clone());
        assert_eq!(*stored, description, "one key for both");
    }
}

/// Board and side to move of the FEN.
fn board_and_side(position: &Position) -> String {
    position.to_string().split(' ').take(2).collect::<Vec<_>>().join(" ")
}

/// The state kept up to date by moves is that computed from scratch, and equal keys mean equal positions without the
/// count. (Positions read from their FEN again are in `fen` and `rulesets`.)
#[test]
fn state_and_keys_stand_for_the_position() {
    let mut positions = OneToOne::default();
    for (number, step) in walk::games(21, ROUNDS, PLIES).enumerate() {
        let position = step.after;
        assert_eq!(position, position.recomputed(), "{} after {}", step.before, step.mv);
        positions.insert(board_and_side(&position), position.key());
        let mut counted = position.clone();
        counted.set_count(if number % 2 == 0 { Count::new(128, 77) } else { Count::NONE });
        assert_eq!(counted.key(), position.key());
    }
}

/// A pass changes the side to move, with always the same part of the key, and how far repetitions reach back. All
/// else stays, above all the count.
#[test]
fn a_pass_changes_only_the_side() {
    let mut passed_start = Position::startpos();
    passed_start.play_null();
    let side_key = passed_start.key() ^ Position::startpos().key();

    for step in walk::games(25, ROUNDS, PLIES) {
        let before = step.after;
        if before.in_check() {
            continue;
        }
        let mut passed = before.clone();
        passed.play_null();
        assert_eq!(passed, passed.recomputed(), "{before}");
        assert_eq!(passed.side_to_move(), !before.side_to_move());
        assert_eq!(passed.key() ^ before.key(), side_key, "{before}");
        assert_eq!(passed.count(), before.count(), "{before}");
        assert_eq!(passed.reversible_plies(), 0, "{before}");
        assert_eq!(passed.occupied(), before.occupied());
    }
}

#[test]
fn repetitions_reach_back_to_the_last_move_that_cannot_be_undone() {
    let start = Position::startpos();
    for (moves, plies) in [
        ("b1d2 b8d7 d2b1", 3),
        ("b1d2 b8d7 e3e4", 0),
        ("b1d2 e6e5 d2b1 e8e7", 2),
        ("e3e4 d6d5 e4d5", 0),
        ("e3e4 d6d5 e4d5 c8d7 b1d2", 2),
    ] {
        assert_eq!(play(&start, moves).reversible_plies(), plies, "{moves}");
    }
    let mut passed = play(&start, "b1d2 b8d7 d2b1");
    passed.play_null();
    assert_eq!(play(&passed, "a3a4").reversible_plies(), 0);
    assert_eq!(play(&passed, "g1e2 g8e7").reversible_plies(), 2);
}

#[test]
fn the_flipped_position_is_the_same_game() {
    const DEPTH: u32 = 2;
    for step in walk::games(27, 4, PLIES) {
        let (position, flipped) = (step.after.clone(), step.after.flipped());
        assert_eq!(flipped.flipped(), position, "{position}");
        assert_eq!(flipped, flipped.recomputed(), "{position}");
        assert_ne!(flipped.key(), position.key(), "{position}");
        assert_eq!(perft(&flipped, DEPTH), perft(&position, DEPTH), "{position}");
        for color in Color::ALL {
            assert_eq!(flipped.khun(!color), position.khun(color).relative(Color::Black), "{position}");
            assert_eq!(flipped.pinned(!color).len(), position.pinned(color).len(), "{position}");
        }
    }
}

/// The TT key for the prefetch before a move is made.
#[test]
fn the_likely_table_key_is_the_table_key_unless_a_count_starts() {
    let mut counted = 0;
    for step in walk::games(31, ROUNDS, PLIES) {
        let (before, after) = (step.before.count(), step.after.count());
        let ticks = after.is_running() == before.is_running() && after.limit() == before.limit();
        if ticks && !step.before.is_noisy(step.mv) {
            assert_eq!(
                step.before.likely_tt_key_after(step.mv),
                step.after.tt_key(),
                "{} after {}",
                step.before,
                step.mv
            );
            counted += u32::from(after.is_running());
        }
    }
    assert!(counted > 100, "{counted} plies with a count");
}
