//! Each theme with two positions that have it and two that look alike and do not, made by hand.

use std::collections::HashSet;

use sakmak_movegen::{Move, Position};

use crate::{Goal, Line, Theme, tactics};

/// A position, a line, and whether the theme is found.
type Case = (Theme, &'static str, &'static str, bool);

fn line(fen: &str, moves: &str, goal: Goal) -> Line {
    let start = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut position = start.clone();
    let mut parsed: Vec<Move> = Vec::new();
    for text in moves.split_whitespace() {
        let mv = position.parse_move(text).unwrap_or_else(|error| panic!("{fen}: {text}: {error}"));
        position.play(mv).unwrap_or_else(|error| panic!("{fen}: {text}: {error}"));
        parsed.push(mv);
    }
    Line::new(&start, &parsed, goal)
}

const WINS: &[Case] = &[
    // The maa on d6 attacks khun and rua; two ruas.
    (Theme::MaaFork, "8/1r3k2/8/8/2N5/8/8/K7 w", "c4d6 f7f8 d6b7", true),
    (Theme::MaaFork, "7k/8/1r3r2/8/8/4N3/8/7K w", "e3d5 f6f8 d5b6", true),
    // One target; two bia.
    (Theme::MaaFork, "7k/8/1r6/8/8/4N3/8/7K w", "e3d5 h8g8 d5b6", false),
    (Theme::MaaFork, "7k/8/1p3p2/8/8/4N3/8/7K w", "e3d5 h8g8 d5b6", false),
    // A bia attacks rua and maa; a khon two ruas.
    (Theme::Fork, "7k/8/3r1n2/8/4P3/8/8/1K6 w", "e4e5 d6d8 e5f6m", true),
    (Theme::Fork, "7k/8/3r1r2/8/3S4/8/1K6/8 w", "d4e5 d6d8 e5f6", true),
    // The maa's fork has a name of its own; one target.
    (Theme::Fork, "8/1r3k2/8/8/2N5/8/8/K7 w", "c4d6 f7f8 d6b7", false),
    (Theme::Fork, "7k/8/3r4/8/3S4/8/1K6/8 w", "d4e5 h8g8 e5d6", false),
    // Behind the khun a rua; behind the rua a maa.
    (Theme::Skewer, "8/8/8/r2k4/8/8/1K6/7R w", "h1h5 d5d6 h5a5", true),
    (Theme::Skewer, "6k1/4n3/8/8/4r3/8/8/3K3R w", "h1e1 e4a4 e1e7", true),
    // Behind the rua a bia; the front piece itself is taken.
    (Theme::Skewer, "6k1/8/4p3/8/4r3/8/8/3K3R w", "h1e1 e4a4 e1e6", false),
    (Theme::Skewer, "6k1/8/8/8/4n3/8/8/3K3R w", "h1e1 g8f8 e1e4", false),
    // The pinned maa is taken; it cannot take the maa on d4.
    (Theme::Pin, "4k3/8/4n3/8/8/8/8/K6R w", "h1e1 e8e7 e1e6", true),
    (Theme::Pin, "4k3/8/4n3/8/8/8/2N5/K3R3 w", "c2d4 e8e7 d4e6", true),
    // No khun behind; a bia.
    (Theme::Pin, "4k3/8/3n4/8/8/8/8/K6R w", "h1d1 e8e7 d1d6", false),
    (Theme::Pin, "4k3/8/4p3/8/8/8/8/K6R w", "h1e1 e8e7 e1e6", false),
    // The maa leaves the rua's line: to the khun; to a rua, which is taken.
    (Theme::Discovered, "3k4/8/8/8/3N4/8/8/K2R4 w", "d4b5", true),
    (Theme::Discovered, "7k/3r4/8/8/3N4/8/8/K2R4 w", "d4f5 h8g8 d1d7", true),
    // It was not in the way; a bia is all there is.
    (Theme::Discovered, "7k/3r4/8/8/4N3/8/8/K2R4 w", "e4g5 h8g8 d1d7", false),
    (Theme::Discovered, "7k/8/3p4/8/3N4/8/8/K2R4 w", "d4f5 h8g8 d1d6", false),
    (Theme::Mate1, "k7/8/1K6/8/8/8/8/7R w", "h1h8", true),
    (Theme::Mate1, "7r/8/8/8/8/1k6/8/K7 b", "h8h1", true),
    // The khun has a7; mate in two.
    (Theme::Mate1, "k7/8/2K5/8/8/8/8/7R w", "h1h8", false),
    (Theme::Mate1, "7k/8/5K2/8/8/8/R7/1R6 w", "a2a7 h8g8 b1b8", false),
    (Theme::BackRank, "k7/8/1K6/8/8/8/8/7R w", "h1h8", true),
    (Theme::BackRank, "7k/8/5K2/8/8/8/R7/1R6 w", "a2a7 h8g8 b1b8", true),
    // On the edge, but not on the first rank; no mate.
    (Theme::BackRank, "8/8/8/k1K5/8/8/8/7R w", "h1a1", false),
    (Theme::BackRank, "k7/8/2K5/8/8/8/8/7R w", "h1h8", false),
    (Theme::Promotion, "7k/8/8/4P3/8/8/8/K7 w", "e5e6m", true),
    (Theme::Promotion, "7k/8/8/8/4p3/8/8/K7 b", "e4e3m", true),
    (Theme::Promotion, "7k/8/8/8/4P3/8/8/K7 w", "e4e5", false),
    (Theme::Promotion, "7k/8/4M3/8/8/8/8/K7 w", "e6d7", false),
    // The maa's squares are guarded, by rua and khon, or by the khun.
    (Theme::Trapped, "n4k2/8/3S4/8/7R/8/6K1/1R6 w", "h4a4 f8g8 a4a8", true),
    (Theme::Trapped, "k7/8/8/8/8/5K2/8/7n w", "f3g2 a8a7 g2h1", true),
    // A square is free.
    (Theme::Trapped, "n4k2/8/8/8/7R/8/6K1/1R6 w", "h4a4 f8g8 a4a8", false),
    (Theme::Trapped, "k7/8/8/8/8/5K2/8/6n1 w", "f3g2 a8a7 g2g1", false),
    (Theme::Quiet, "7k/8/5K2/8/8/8/R7/1R6 w", "a2a7 h8g8 b1b8", true),
    (Theme::Quiet, "1k6/8/2K5/8/8/8/8/7R w", "c6b6 b8a8 h1h8", true),
    // Check; a threat.
    (Theme::Quiet, "k7/8/1K6/8/8/8/8/7R w", "h1h8", false),
    (Theme::Quiet, "7k/8/1r3r2/8/8/4N3/8/7K w", "e3d5 f6f8 d5b6", false),
    // The capture on h5 stalemates; the promotion does, too.
    (Theme::Stalemate, "k7/2S5/K7/7p/8/8/8/7R w", "h1g1 h5h4 g1g8", true),
    (Theme::Stalemate, "k7/2S5/K7/6p1/8/8/8/6R1 w", "g1h1 g5g4 h1h8", true),
    (Theme::Stalemate, "7k/8/5K2/8/8/8/R7/1R6 w", "a2a7 h8g8 b1b8", false),
    (Theme::Stalemate, "k7/8/K7/7p/8/8/8/7R w", "h1h5 a8b8 h5h8", false),
    (Theme::Defence, "7k/8/8/4P3/8/8/8/K7 w", "e5e6m", false),
    (Theme::Defence, "k7/8/1K6/8/8/8/8/7R w", "h1h8", false),
];

const HOLDS: &[Case] = &[
    (Theme::Defence, "8/8/8/8/8/7R/2r5/K1k5 w", "h3h2", true),
    (Theme::Defence, "8/8/8/8/4p3/8/8/K6k w", "a1b2", true),
    // The rua's capture stalemates.
    (Theme::Stalemate, "7R/8/8/8/8/8/2r5/K1k5 w", "h8h2", true),
    (Theme::Stalemate, "5k1K/5R2/8/8/8/8/8/r7 b", "f8f7", false),
    (Theme::Stalemate, "7k/8/1r3r2/8/8/4N3/8/7K w", "e3d5", false),
];

fn check(cases: &[Case], goal: Goal) {
    for &(theme, fen, moves, expected) in cases {
        let found = tactics::themes(&line(fen, moves, goal));
        assert_eq!(found.contains(&theme), expected, "{theme:?}: {fen}: {moves}: {found:?}");
    }
}

#[test]
fn themes_of_wins() {
    check(WINS, Goal::Win);
}

#[test]
fn themes_of_held_positions() {
    check(HOLDS, Goal::Hold);
}

#[test]
fn mates_have_the_theme_of_their_length() {
    for moves in 2..=9 {
        let wait = |index| if index % 2 == 0 { "a2a3 h8g8" } else { "a3a2 g8h8" };
        let mut text: Vec<_> = (0..moves - 2).map(wait).collect();
        let ends = [["a2a7 h8g8 b1b8"], ["a3a7 g8h8 b1b8"]];
        text.extend(ends[moves % 2]);
        let found = tactics::themes(&line("7k/8/5K2/8/8/8/R7/1R6 w", &text.join(" "), Goal::Win));
        for other in 1..=7 {
            let theme = Theme::mate_in(other).unwrap();
            assert_eq!(found.contains(&theme), other == moves, "{moves}: {found:?}");
        }
    }
    assert_eq!(Theme::mate_in(0), None);
    assert_eq!(Theme::mate_in(8), None);
}

#[test]
fn each_theme_has_its_names() {
    let ids: HashSet<_> = Theme::ALL.iter().map(|theme| theme.id()).collect();
    assert_eq!(ids.len(), Theme::ALL.len());
    for &theme in Theme::ALL {
        assert_eq!(serde_json::to_string(&theme).unwrap(), format!("\"{}\"", theme.id()));
        assert!(!theme.english().is_empty() && !theme.thai().is_ascii());
    }
}
