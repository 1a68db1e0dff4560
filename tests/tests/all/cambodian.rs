//! Ouk Chaktrang compared with Fairy-Stockfish.

use sakmak_movegen::perft::{PerftTt, perft, perft_hashed};
use sakmak_movegen::{DrawReason, Game, Outcome, Position, Reading, Rules, Ruleset, Variant};
use sakmak_tests::suite::perft_suite;

/// Positions of our own; the numbers are Fairy-Stockfish's.
const SUITE: &str = include_str!("../../data/perft-cambodian.epd");
/// Positions of our own; the numbers are Cute Chess's.
const CUTE_CHESS_SUITE: &str = include_str!("../../data/perft-cambodian-cutechess.epd");
/// Nodes at depths 1 to 5 of the start position.
const START_NODES: [u64; 5] = [25, 625, 15_031, 361_719, 8_597_966];

fn rules() -> Rules {
    Rules::new(Variant::Cambodian, Ruleset::FairyStockfish)
}

#[test]
fn start_to_depth_5() {
    let start = Position::start(rules());
    let nodes: Vec<u64> = (1..=5).map(|depth| perft(&start, depth)).collect();
    assert_eq!(nodes, START_NODES);
}

/// With a TT shared by all positions, and without.
#[test]
fn own_suite() {
    let table = PerftTt::new(8).expect("memory");
    let (mut positions, mut with_rights) = (0, 0);
    for (fen, depths) in perft_suite(SUITE) {
        let position = Position::from_fen_with(fen, rules()).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.to_string(), fen);
        for (depth, nodes) in depths {
            assert_eq!(perft(&position, depth), nodes, "{fen} depth {depth}");
            assert_eq!(perft_hashed(&position, depth, &table), nodes, "{fen} depth {depth}");
        }
        positions += 1;
        with_rights += u32::from(!position.privileged().is_empty());
    }
    assert!(positions >= 25 && with_rights >= 20, "the suite lost positions");
}

/// Leap rights are lost on the way, and yet Fairy-Stockfish's library calls it a draw. The moves after it differ, so
/// the TT keys must differ.
#[test]
fn repetition_does_not_ask_for_leap_rights() {
    const DRAW: Option<Outcome> = Some(Outcome::Draw(DrawReason::Repetition));
    for (fen, dance) in [
        ("4k3/3p3r/n7/4n3/s7/8/7p/3KM3 b DEe 50 40 64", "e5c4 d1e2 c4e5 e2d1"),
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1", "d1d2 e8e7 d2d1 e7e8"),
    ] {
        let mut game = Game::from_fen(fen, rules()).expect("a valid FEN");
        for _ in 0..2 {
            assert_eq!(game.outcome(), None, "{}", game.position());
            dance.split(' ').for_each(|text| assert!(game.play_uci(text).is_ok(), "{text}"));
        }
        assert_eq!((game.outcome(), game.occurrences()), (DRAW, 3), "{}", game.position());
        let (first, last) = (game.start(), game.position());
        assert_ne!(first.privileged(), last.privileged());
        assert_eq!(first.key(), last.key());
        assert_ne!(first.moves_key(), last.moves_key());
    }
}

/// The same suite is played from its moves, because a FEN cannot express that a captured met still guards.
#[test]
fn cute_chess_suite() {
    let rules = Rules::new(Variant::Cambodian, Ruleset::CuteChess);
    let (mut positions, mut differ) = (0, 0);
    for (record, depths) in perft_suite(CUTE_CHESS_SUITE) {
        let (fen, moves) = record.split_once(" moves ").unwrap_or((record, ""));
        let mut game = Game::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}"));
        for text in moves.split_whitespace() {
            game.play_uci(text).unwrap_or_else(|error| panic!("{record}: {error}"));
        }
        let position = game.position();
        let read = Position::from_fen_with(&position.to_string(), rules).expect("a FEN of ours");
        assert_eq!(read.privileged(), position.privileged(), "{position}");
        let mut fairy = position.clone();
        fairy.set_rules(self::rules());
        // The keys do not include the rules: a new TT for each line.
        let table = PerftTt::new(1).expect("memory");
        let mut differs = false;
        for (depth, nodes) in depths {
            assert_eq!(perft(position, depth), nodes, "{record}: depth {depth}");
            assert_eq!(perft(&read, depth), nodes, "{record}: depth {depth}, from the FEN");
            assert_eq!(perft_hashed(position, depth, &table), nodes, "{record}: depth {depth}");
            differs |= perft(&fairy, depth) != nodes;
        }
        positions += 1;
        differ += u32::from(differs);
    }
    assert!(positions >= 35 && differ >= 25, "the suite lost positions: {positions}, {differ} differ");
}

const FAIRY: Reading = Reading::FairyStockfish;
const FAIRY_11: Reading = Reading::FairyStockfish11;
const CUTE: Reading = Reading::CuteChess;
const PY: Reading = Reading::PyChess;
const WIKI: Reading = Reading::Wikipedia;

/// Games, a move after them, and the readings that allow it, from Fairy-Stockfish's library, Fairy-Stockfish 11.1, Cute
/// Chess and PyChess.
const DISPUTED: [(&str, &str, &str, &[Reading]); 11] = [
    // The leap takes a piece.
    ("4k3/8/8/8/8/4n3/8/3KM3 w DE - 0 1", "", "e1e3", &[FAIRY_11, CUTE]),
    // It guards the square, and in Cute Chess goes on when the met is gone.
    ("8/8/8/8/3k4/8/8/3KM2r b DE - 0 1", "", "d4e3", &[FAIRY, PY, WIKI]),
    ("8/8/8/8/3k4/8/8/3KM2r b DE - 0 1", "h1e1 d1c2", "d4e3", &[FAIRY, FAIRY_11, PY, WIKI]),
    ("8/8/8/8/3k4/8/8/3KM2r b DE - 0 1", "h1e1 d1e1", "d4e3", &[FAIRY, FAIRY_11, CUTE, PY, WIKI]),
    // A rua has aimed at the khun, which has not been in check.
    (START, "b1d2 a8a7 d2b1 a7d7 e3e4 d7a7 e1e3 a7a8", "d1b2", &[FAIRY_11, CUTE, PY, WIKI]),
    // A met's leap that answers a check; the khun's leap out of one.
    ("4k3/8/8/8/8/K6r/8/4M3 w E - 0 1", "", "e1e3", &[FAIRY, FAIRY_11, CUTE, PY]),
    ("3rk3/8/8/8/8/8/8/3KM3 w DE - 0 1", "", "d1b2", &[PY]),
    // Pieces have been captured.
    (START, "e3e4 d6d5 e4d5 e6d5", "e1e3", &[FAIRY, FAIRY_11, CUTE, PY]),
    (START, "e3e4 d6d5 e4d5 e6d5", "d1b2", &[FAIRY, FAIRY_11, CUTE, PY]),
    // A promoted bia has moved.
    ("4k3/8/8/8/8/2M5/8/3KM3 w DE - 0 1", "c3d4 e8e7", "e1e3", &[FAIRY, FAIRY_11, CUTE]),
    // All agree.
    (START, "e3e4 d6d5", "e1e3", &[FAIRY, FAIRY_11, CUTE, PY, WIKI]),
];

const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1";

fn game(fen: &str, ruleset: Ruleset, moves: &str) -> Game {
    let rules = Rules::new(Variant::Cambodian, ruleset);
    let mut game = Game::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}"));
    for text in moves.split_whitespace() {
        game.play_uci_leniently(text).unwrap_or_else(|error| panic!("{fen} {moves}: {error}"));
    }
    game
}

/// The text of [`DISPUTED`] is right, every reading's leap is accepted under every ruleset, and our own moves are
/// those that all readings allow.
#[test]
fn leaps_are_accepted_under_all_readings_and_made_under_none_that_forbids_them() {
    for (fen, moves, mv, readings) in DISPUTED {
        for &ruleset in Ruleset::ALL {
            let mut game = game(fen, ruleset, moves);
            let allowed: Vec<Reading> = Reading::ALL
                .iter()
                .copied()
                .filter(|&reading| game.under(reading).parse_move(mv).is_ok())
                .collect();
            assert_eq!(allowed, readings, "{fen} {moves}: {mv}");

            let undisputed = game.undisputed_moves();
            let legal = game.position().legal_moves();
            assert!(
                !undisputed.is_empty() && undisputed.iter().all(|mv| legal.contains(mv)),
                "{fen} {moves}"
            );
            let ours = undisputed.iter().any(|own| own.to_string() == mv);
            assert_eq!(ours, readings.len() == Reading::ALL.len(), "{ruleset}: {fen} {moves}: {mv}");

            let strict = game.clone().play_uci(mv).is_ok();
            let played = game.play_uci_leniently(mv).unwrap_or_else(|error| panic!("{ruleset}: {error}"));
            assert_eq!(played.mv.to_string(), mv);
            assert_eq!(
                played.lenient,
                if strict { None } else { readings.first().copied() },
                "{ruleset} {mv}"
            );
            let position = game.position();
            assert!(*position == position.recomputed(), "{position}");
            let read = Position::from_fen_with(&position.to_string(), *position.rules());
            assert!(read.is_ok(), "{ruleset}: {fen} {moves} {mv}: {read:?}");
        }
    }
}

#[test]
fn no_reading_allows_everything() {
    for (fen, mv) in [
        (START, "d1c3"),
        (START, "e1e4"),
        (START, "e1"),
        ("4k3/8/8/8/8/4N3/8/3KM3 w DE - 0 1", "e1e3"),
        ("4k3/8/8/8/8/8/8/3KM3 w - - 0 1", "e1e3"),
    ] {
        let mut game = game(fen, Ruleset::FairyStockfish, "");
        let error = game.play_uci(mv).expect_err("illegal");
        assert_eq!(game.play_uci_leniently(mv), Err(error), "{fen}: {mv}");
        assert_eq!(game.len(), 0);
    }
    // Makruk has one reading.
    let mut makruk = Game::new(Rules::default());
    assert!(makruk.play_uci_leniently("e1e3").is_err());
    assert_eq!(makruk.undisputed_moves(), makruk.position().legal_moves());
}

/// The only move is a met's leap that answers a check, which PyChess and Wikipedia do not have.
#[test]
fn a_disputed_move_is_better_than_none() {
    let game = game("4k3/8/8/8/7r/K6r/7r/4M3 w E - 0 1", Ruleset::FairyStockfish, "");
    let moves: Vec<String> = game.undisputed_moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["e1e3"]);
}

/// Cute Chess writes the letter of a met that was captured on its square; elsewhere it means nothing.
#[test]
fn stale_letters_are_read() {
    for (ruleset, rights) in [(Ruleset::CuteChess, "E"), (Ruleset::FairyStockfish, "-")] {
        let position = game("8/8/8/8/3k4/8/2K5/4r3 b E 32 7 2", ruleset, "").position().to_string();
        assert_eq!(position, format!("8/8/8/8/3k4/8/2K5/4r3 b {rights} 32 7 2"), "{ruleset}");
    }
    // Letters of other squares than those of khun and met are ignored everywhere.
    let game = game("r3k3/4m3/8/8/8/8/4M3/3K4 w ADEHadeh 0 0 1", Ruleset::CuteChess, "");
    assert_eq!(game.position().to_string(), "r3k3/4m3/8/8/8/8/4M3/3K4 w DEde 0 0 1");
}
