//! First-move privileges and Makpong against the slow rules.
//!
//! A set of rules is named by its parts, as `sut-khun+sut-met`; [`rules_of`] returns it for the fast and slow rules.

use std::collections::{BTreeMap, BTreeSet};

use rand::seq::IndexedRandom;
use rand::{Rng, RngExt};
use sakmak_movegen::perft::{PerftTt, perft, perft_hashed};
use sakmak_movegen::rules::{Privileges, Rules, Ruleset, Variant};
use sakmak_movegen::{Move, PieceKind, Position};
use sakmak_tests::slow::{SlowMove, SlowPosition, SlowRules, Spot, all_spots};
use sakmak_tests::suite::perft_suite;
use sakmak_tests::{after, walk};

/// `label | FEN ;D1 nodes ;D2 nodes ...`, with the node counts of the slow rules.
const SUITE: &str = include_str!("../../data/perft-first-moves.epd");

/// Sets of rules in the suite.
const LABELS: usize = 16;

/// Positions in which pieces with first-move privileges meet other pieces. All rights are given: each set of rules
/// keeps its own.
const SET_UPS: [&str; 17] = [
    "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w BDEGbdeg - 0 1",
    // Few pieces near, all roads open.
    "1n1mk1n1/8/2pppp2/8/8/2PPPP2/8/1N1KM1N1 w BDEGbdeg - 0 1",
    // Rua on open files and ranks: checks, and aims with pieces between.
    "r2mk2r/8/p2pp2p/8/3rR3/P3P2P/8/R2KM2R w DEde - 0 1",
    "3mk3/8/r6p/8/8/R6P/8/3KM3 w DEde - 0 1",
    "1n1mkr2/8/1p5p/8/8/P6P/8/1NRKM3 b BDEbde - 0 1",
    // Checks by maa, and squares of the khun's leaps that are attacked.
    "3mk1n1/8/2p1pn2/8/2N2n2/2P1N3/8/1N1KM3 w BDEdeg - 0 1",
    "1n1mk3/8/1pN3p1/8/1n4n1/1P4P1/8/3KM1N1 w DEGbde - 0 1",
    // A khun that has left home: the met blocks a check by its leap, or with its bia.
    "3m4/8/1k5r/8/7p/K6r/8/4M2R w Ed - 0 1",
    "3m4/8/1k2r3/7p/7P/2K4r/8/3RM3 w Ed - 0 1",
    "3mk3/8/2ppp1p1/8/K6r/2P1PP2/8/1N2M1N1 w BEGde - 0 1",
    "1n1m2n1/8/2pp1p2/7k/K3r3/2P1PP2/8/1N2M1N1 w BEGbdg - 0 1",
    // Men pinned on the first rank, and bia that shield on the third.
    "r2mk3/8/2p2p2/8/8/2PP4/8/3KM2r w DEde - 0 1",
    "r2mk3/8/3pp3/8/8/3PP3/8/3KM2r w DEde - 0 1",
    "1n1mk1n1/8/p1p1p1p1/8/8/P1P1P1P1/8/rN1KM1Nr w BDEGbdeg - 0 1",
    "1n1m2n1/8/k1p4R/8/8/2P4r/K7/1N2M1N1 w BEGbdg - 0 1",
    // First moves that give check themselves or uncover a rua.
    "3m4/8/8/5k2/r7/2P1PP2/8/RN1KM1N1 w BDEGd - 0 1",
    // Bia a leap away that do not stand where bia start.
    "1n1mk1n1/3pp3/p1p2p1p/8/8/P1P2P1P/3PP3/1N1KM1N1 w BDEGbdeg - 0 1",
];

/// The rules of a label, fast and slow.
fn rules_of(label: &str) -> (Rules, SlowRules) {
    let (mut fast, mut slow) = (Rules::default(), SlowRules::default());
    for part in label.split('+') {
        let (privileges, flag) = match part {
            "sut-khun" => (Privileges::SUT_KHUN, &mut slow.sut_khun),
            "sut-met" => (Privileges::SUT_MET, &mut slow.sut_met),
            "sut-ma" => (Privileges::SUT_MA, &mut slow.sut_ma),
            "lord-horse" => (Privileges::LORD_HORSE, &mut slow.lord_horse),
            "minister-two" => (Privileges::MINISTER_TWO, &mut slow.minister_two),
            "ouk-khun" => (Privileges::OUK_KHUN, &mut slow.ouk_khun),
            "street-khun" => (Privileges::STREET_KHUN, &mut slow.street_khun),
            "met-captures" => (Privileges::MET_CAPTURES, &mut slow.met_captures),
            "until-capture" => (Privileges::UNTIL_CAPTURE, &mut slow.until_capture),
            "not-in-check" => (Privileges::NOT_IN_CHECK, &mut slow.not_in_check),
            "first-turn-only" => (Privileges::FIRST_TURN_ONLY, &mut slow.first_turn_only),
            "makpong" => {
                fast.play.variant = Variant::Makpong;
                (Privileges::NONE, &mut slow.makpong)
            }
            "cambodian" => {
                fast = Rules::new(Variant::Cambodian, Ruleset::FairyStockfish);
                slow.minister_two = true;
                (Privileges::NONE, &mut slow.ouk_khun)
            }
            _ => panic!("no rules {part}"),
        };
        fast.play.privileges = fast.play.privileges | privileges;
        *flag = true;
    }
    (fast, slow)
}

fn start(fen: &str, rules: Rules) -> Position {
    Position::from_fen_with(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}"))
}

/// Board, side to move and rights of a FEN.
fn what_matters(fen: &str) -> Vec<&str> {
    fen.split(' ').take(3).collect()
}

/// Number of events by kind.
type Events = BTreeMap<&'static str, u32>;

/// Compares all of the fast and slow position that depends on the rules.
fn compare(fast: &Position, slow: &SlowPosition) {
    assert_eq!(what_matters(&fast.to_string()), what_matters(&slow.fen()));
    assert_eq!(fast.in_check(), slow.in_check(), "{fast}");
    let moves = fast.legal_moves();
    let texts: BTreeSet<String> = moves.iter().map(Move::to_string).collect();
    assert_eq!(texts, slow.uci_moves(), "{fast} under {:?}", fast.rules());
    assert_eq!(texts.len(), moves.len(), "a move is listed twice: {fast}");
    assert_eq!(fast.count_legal() as usize, moves.len(), "{fast}");
    assert_eq!(fast.has_legal_move(), !moves.is_empty(), "{fast}");
    for &mv in &moves {
        assert!(fast.is_legal(mv), "{mv} in {fast}");
        assert_eq!(fast.parse_move(&mv.to_string()), Ok(mv), "{fast}");
    }
    for text in slow.first_moves().iter().map(SlowMove::to_string).filter(|text| !texts.contains(text)) {
        assert!(fast.parse_move(&text).is_err(), "{text} in {fast}");
    }
}

/// Counts the special events of a position.
fn note_position(slow: &SlowPosition, events: &mut Events) {
    let legal = slow.moves();
    for mv in slow.first_moves() {
        if !legal.contains(&mv) {
            let name = match (kind(slow, mv), slow.moves_two(mv), slow.in_check()) {
                ('K', _, _) => "khun's leap to an attacked square",
                ('M', false, false) => "pinned met's leap",
                ('M', false, true) => "met's leap that leaves a check",
                (_, true, false) => "pinned piece's move of two",
                (_, _, _) => "move of two that leaves a check",
            };
            *events.entry(name).or_default() += 1;
        }
    }
    if slow.in_check() && slow.rights().contains(&khun(slow)) {
        *events.entry("unmoved khun in check").or_default() += 1;
    }
}

/// Counts the special events of a move.
fn note_move(before: &SlowPosition, mv: SlowMove, after: &SlowPosition, events: &mut Events) {
    let mut note = |name| *events.entry(name).or_default() += 1;
    if before.first_moves().contains(&mv) {
        let between = (mv.from.0, (mv.from.1 + mv.to.1) / 2);
        let (two, check) = (before.moves_two(mv), before.in_check());
        note(match (kind(before, mv), two, check) {
            ('K', _, false) => "khun leaps",
            ('K', _, true) => "khun leaps out of check",
            ('M', false, false) => "met leaps",
            ('M', false, true) => "met leaps into a check",
            ('M', true, false) => "met moves two",
            ('M', true, true) => "met moves two into a check",
            (_, _, false) => "maa moves two",
            (_, _, true) => "maa moves two into a check",
        });
        match kind(before, mv) {
            'K' if (mv.to.1 - mv.from.1).abs() == 2 => note("khun leaps elsewhere than to the next rank"),
            'M' if before.piece(between).is_some() && two => note("met moves two over a piece"),
            'M' if before.piece(mv.to).is_some() && !two => note("met's leap captures"),
            'M' if before.piece(between).is_some() => note("met leaps over a piece"),
            _ => {}
        }
        if after.in_check() {
            note(if two { "move of two gives check" } else { "leap gives check" });
        }
    }
    for &spot in before.rights().difference(after.rights()) {
        let own =
            before.piece(spot).is_some_and(|piece| piece.is_ascii_uppercase() == before.white_to_move());
        if spot == mv.to {
            note("captured with its right");
        } else if before.piece(mv.to).is_some() && spot != mv.from {
            note("right ended by a capture elsewhere");
        } else if spot != mv.from {
            note(if own { "right spent by another piece's move" } else { "khun aimed at" });
            if !own && !after.in_check() {
                note("khun aimed at from behind a piece");
            }
        }
    }
    if before.rights().contains(&mv.from) && !before.first_moves().contains(&mv) {
        note("right spent by an ordinary move");
    }
}

/// The square of the khun of the side to move.
fn khun(slow: &SlowPosition) -> Spot {
    let letter = if slow.white_to_move() { 'K' } else { 'k' };
    all_spots().find(|&spot| slow.piece(spot) == Some(letter)).expect("a khun")
}

/// The letter of the moving piece, as a capital.
fn kind(slow: &SlowPosition, mv: SlowMove) -> char {
    slow.piece(mv.from).map_or(' ', |piece| piece.to_ascii_uppercase())
}

/// A random move: sometimes a special one, or one that spends no right, preferably of a rua.
fn choose(rng: &mut impl Rng, fast: &Position, slow: &SlowPosition) -> Option<Move> {
    let special: Vec<String> = slow.first_moves().iter().map(SlowMove::to_string).collect();
    let mut moves: Vec<Move> = fast.legal_moves().into_iter().collect();
    match rng.random_range(0..6) {
        0 | 1 => moves.retain(|mv| special.contains(&mv.to_string())),
        2 => moves.retain(|mv| fast.kind_on(mv.from()) == Some(PieceKind::Rua)),
        3 => moves.retain(|mv| !fast.privileged().contains(mv.from())),
        _ => moves.clear(),
    }
    moves.choose(rng).copied().or_else(|| walk::random_move(rng, fast))
}

/// Random games from all set-ups, for either colour, compared ply by ply while either side has a right.
fn play_with_rights(label: &str, rounds: usize) -> Events {
    const PLIES: usize = 40;
    let (rules, slow_rules) = rules_of(label);
    let mut events = Events::new();
    let mut rng = walk::rng(81);
    for fen in SET_UPS.iter().flat_map(|fen| vec![fen; rounds]) {
        for mut fast in [start(fen, rules), start(fen, rules).flipped()] {
            let mut slow = SlowPosition::from_fen_with(&fast.to_string(), slow_rules);
            compare(&fast, &slow);
            for _ in 0..PLIES {
                note_position(&slow, &mut events);
                let Some(mv) = choose(&mut rng, &fast, &slow) else { break };
                let text = mv.to_string();
                let (next, slow_next) = (after(&fast, mv), slow.after(&text));
                assert_eq!(fast.gives_check(mv, &fast.check_info()), slow_next.in_check(), "{mv} in {fast}");
                assert_eq!(fast.key_after(mv), next.moves_key(), "{mv} in {fast}");
                let slow_move = slow.moves().into_iter().find(|mv| mv.to_string() == text);
                note_move(&slow, slow_move.expect("a legal move"), &slow_next, &mut events);
                (fast, slow) = (next, slow_next);
                compare(&fast, &slow);
                if slow.rights().is_empty() {
                    break;
                }
            }
        }
    }
    println!("{label}: {events:#?}");
    events
}

/// Plays by the rules of a label and checks that the games had all `expected` events.
fn check_rights(label: &str, rounds: usize, expected: &[&[&str]]) {
    const LEAST: u32 = 3;
    let events = play_with_rights(label, rounds);
    for name in expected.iter().copied().flatten() {
        assert!(events.get(name).is_some_and(|&times| times >= LEAST), "{label}: hardly any {name}");
    }
}

const SPENT: &[&str] = &["right spent by an ordinary move"];
const KHUN: &[&str] = &["khun leaps", "khun's leap to an attacked square", "unmoved khun in check"];
const LORD: &[&str] = &["khun leaps out of check", "khun leaps elsewhere than to the next rank"];
const OUK: &[&str] = &["khun aimed at", "khun aimed at from behind a piece"];
const MET_LEAP: &[&str] = &[
    "met leaps",
    "met leaps into a check",
    "met leaps over a piece",
    "pinned met's leap",
    "met's leap that leaves a check",
    "captured with its right",
];
const MET_TWO: &[&str] = &["met moves two", "met moves two into a check", "met moves two over a piece"];
const MAA_TWO: &[&str] = &["maa moves two", "maa moves two into a check"];
const TWO: &[&str] = &[
    "pinned piece's move of two",
    "move of two that leaves a check",
    "move of two gives check",
    "captured with its right",
];

#[test]
fn each_sutra_alone() {
    check_rights("sut-khun", 6, &[KHUN, SPENT]);
    check_rights("sut-met", 8, &[MET_TWO, TWO, SPENT]);
    check_rights("sut-ma", 8, &[MAA_TWO, TWO, SPENT]);
}

#[test]
fn all_sutras() {
    check_rights("sut-khun+sut-met+sut-ma", 8, &[KHUN, MET_TWO, MAA_TWO, TWO, SPENT]);
}

#[test]
fn first_turn_only() {
    let spent = ["right spent by another piece's move"];
    let moves = ["khun leaps", "met moves two", "maa moves two", "maa moves two into a check"];
    check_rights("sut-khun+sut-met+sut-ma+first-turn-only", 10, &[&spent, &moves, SPENT]);
}

#[test]
fn lord_and_minister() {
    check_rights("lord-horse", 6, &[KHUN, LORD, SPENT]);
    check_rights("minister-two", 6, &[MET_LEAP, SPENT]);
    check_rights("lord-horse+minister-two", 6, &[KHUN, LORD, MET_LEAP, SPENT]);
}

#[test]
fn cambodian() {
    check_rights("ouk-khun", 8, &[KHUN, OUK, SPENT]);
    check_rights("cambodian", 10, &[KHUN, OUK, MET_LEAP, SPENT]);
}

#[test]
fn everything_at_once() {
    let all = "sut-khun+sut-met+sut-ma+lord-horse+minister-two+ouk-khun";
    check_rights(all, 8, &[KHUN, LORD, OUK, MET_LEAP, MET_TWO, MAA_TWO, TWO, SPENT]);
}

/// The khun of street play leaps anywhere, but not out of check.
#[test]
fn street_play() {
    check_rights("street-khun+minister-two", 6, &[KHUN, &LORD[1..], MET_LEAP, SPENT]);
    let events = play_with_rights("street-khun", 6);
    assert_eq!(events.get("khun leaps out of check"), None);
}

/// The met's leap that may capture answers checks, pins and guards.
#[test]
fn a_leap_that_captures() {
    let captures = ["met's leap captures"];
    check_rights("sut-khun+minister-two+met-captures", 10, &[KHUN, MET_LEAP, &captures, SPENT]);
}

/// No piece leaps in check, and after a capture none leaps at all.
#[test]
fn leaps_until_the_first_capture() {
    let out_of_check = ["met leaps into a check", "khun leaps out of check"];
    let ended = ["right ended by a capture elsewhere"];
    let expected = [&["khun leaps", "met leaps"][..], &ended];
    check_rights("sut-khun+minister-two+not-in-check+until-capture", 40, &expected);
    let events = play_with_rights("sut-khun+minister-two+not-in-check", 6);
    assert!(out_of_check.iter().all(|name| !events.contains_key(name)), "{events:?}");
    assert!(events["met leaps"] > 0 && events["unmoved khun in check"] > 0);
}

/// Makpong restricts the leap out of check like any other move of the khun.
#[test]
fn makpong_with_a_lord() {
    check_rights("makpong+lord-horse+minister-two", 6, &[KHUN, &LORD[1..], MET_LEAP, SPENT]);
}

#[test]
fn makpong() {
    const PLIES: usize = 60;
    const ROUNDS: usize = 3;
    /// Double checks in which the khun could take one of the two pieces.
    const DOUBLE: [&str; 3] = [
        "8/8/3M4/4k3/8/8/8/K3R3 b - - 0 1",
        "k3r3/8/8/8/4K3/3m4/8/8 w - - 0 1",
        "8/2k5/1M6/8/8/8/6n1/K1R5 b - - 0 1",
    ];
    let (rules, slow_rules) = rules_of("makpong");
    let mut events = Events::new();
    let mut rng = walk::rng(82);
    for _ in 0..ROUNDS {
        let set_up: Vec<Position> =
            walk::SCATTERED.iter().map(|pieces| walk::scatter(&mut rng, pieces)).collect();
        let starts = walk::STARTS.iter().chain(&DOUBLE).map(|fen| start(fen, rules));
        for mut position in starts.chain(set_up) {
            position.set_rules(rules);
            for _ in 0..PLIES {
                let slow = SlowPosition::from_fen_with(&position.to_string(), slow_rules);
                compare(&position, &slow);
                note_makpong(&slow, &mut events);
                let Some(mv) = walk::random_move(&mut rng, &position) else { break };
                position = after(&position, mv);
            }
        }
    }
    println!("makpong: {events:#?}");
    for name in [
        "khun takes the checker",
        "another piece answers",
        "no flight from a check",
        "the khun may not take one of two checkers",
        "mate though the khun could flee",
    ] {
        assert!(events.get(name).is_some_and(|&times| times >= 3), "makpong: hardly any {name}");
    }
}

/// Counts the answers to a check in Makpong, compared with Makruk.
fn note_makpong(slow: &SlowPosition, events: &mut Events) {
    if !slow.in_check() {
        return;
    }
    let makruk = SlowPosition::from_fen(&slow.fen());
    let (moves, free) = (slow.moves(), makruk.moves());
    let forbidden: Vec<SlowMove> = free.iter().copied().filter(|mv| !moves.contains(mv)).collect();
    let checkers = slow.attackers(khun(slow), !slow.white_to_move());
    for (name, happened) in [
        ("khun takes the checker", moves.iter().any(|&mv| kind(slow, mv) == 'K')),
        ("another piece answers", moves.iter().any(|&mv| kind(slow, mv) != 'K')),
        ("no flight from a check", !forbidden.is_empty() && !moves.is_empty()),
        ("mate though the khun could flee", moves.is_empty() && !free.is_empty()),
        (
            "the khun may not take one of two checkers",
            checkers.len() == 2 && forbidden.iter().any(|mv| checkers.contains(&mv.to)),
        ),
    ] {
        *events.entry(name).or_default() += u32::from(happened);
    }
}

/// Perft by the slow rules.
fn slow_perft(slow: &SlowPosition, depth: u32) -> u64 {
    let moves = slow.moves();
    match depth {
        0 => 1,
        1 => moves.len() as u64,
        _ => moves.iter().map(|mv| slow_perft(&slow.after(&mv.to_string()), depth - 1)).sum(),
    }
}

/// Perft of the suite by the fast rules, with a TT and without; shallow depths also by the slow rules.
#[test]
fn suite() {
    const SLOW_NODES: u64 = 1_000;
    let mut numbers = 0;
    let mut labels = BTreeSet::new();
    for (record, depths) in perft_suite(SUITE) {
        let (label, fen) = record.split_once(" | ").unwrap_or_else(|| panic!("no label: {record}"));
        let (rules, slow_rules) = rules_of(label);
        let (fast, slow) = (start(fen, rules), SlowPosition::from_fen_with(fen, slow_rules));
        // The keys do not include the rules: a new TT for each line.
        let table = PerftTt::new(1).expect("memory");
        for (depth, nodes) in depths {
            assert_eq!(perft(&fast, depth), nodes, "{label} | {fen} depth {depth}");
            assert_eq!(perft_hashed(&fast, depth, &table), nodes, "{label} | {fen} depth {depth}");
            if nodes <= SLOW_NODES {
                assert_eq!(slow_perft(&slow, depth), nodes, "{label} | {fen} depth {depth}, slow rules");
            }
            numbers += 1;
        }
        labels.insert(label);
    }
    assert!(labels.len() == LABELS && numbers > 200, "the suite lost lines: {numbers}");
}
