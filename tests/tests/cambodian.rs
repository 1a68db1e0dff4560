//! Ouk Chaktrang against what Fairy-Stockfish says of it.

use sakmak_movegen::perft::{PerftTable, perft, perft_hashed};
use sakmak_movegen::{DrawReason, Game, Outcome, Position, Rules, Ruleset, Variant};

/// Positions of our own; the numbers are Fairy-Stockfish's.
const SUITE: &str = include_str!("../data/perft-cambodian.epd");
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

/// With a table shared by all positions and without.
#[test]
fn own_suite() {
    let table = PerftTable::new(8).expect("memory");
    let (mut positions, mut with_rights) = (0, 0);
    for line in SUITE.lines().filter(|line| !line.starts_with('#') && !line.is_empty()) {
        let mut columns = line.split(" ;");
        let fen = columns.next().expect("a FEN");
        let position = Position::from_fen_with(fen, rules()).unwrap_or_else(|error| panic!("{fen}: {error}"));
        assert_eq!(position.to_string(), fen);
        for (depth, column) in (1..).zip(columns) {
            let nodes = column.strip_prefix(&format!("D{depth} ")).and_then(|text| text.parse().ok());
            let nodes: u64 = nodes.unwrap_or_else(|| panic!("'{column}' in {line}"));
            assert_eq!(perft(&position, depth), nodes, "{fen} depth {depth}");
            assert_eq!(perft_hashed(&position, depth, &table), nodes, "{fen} depth {depth}");
        }
        positions += 1;
        with_rights += u32::from(!position.privileged().is_empty());
    }
    assert!(positions >= 25 && with_rights >= 20, "the suite lost positions");
}

/// Leap rights are lost on the way, and Fairy-Stockfish's library calls it a draw all the same. Moves after it
/// differ, so the table must not take one position for the other.
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
        // The count's part is taken away: it differs too.
        let free = |position: &Position| position.table_key() ^ position.count().key(false);
        assert_ne!(free(first), free(last));
    }
}
