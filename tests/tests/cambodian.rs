//! Ouk Chaktrang against what Fairy-Stockfish says of it.

use sakmak_movegen::perft::{PerftTable, perft, perft_hashed};
use sakmak_movegen::{DrawReason, Game, Outcome, Position, Rules, Ruleset, Variant};
use sakmak_tests::shared_text;
use serde::Deserialize;

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

/// One line of the oracle: a real game and what Fairy-Stockfish says of its last position.
#[derive(Deserialize)]
struct Row {
    fen: String,
    moves: String,
    #[serde(rename = "final")]
    last: String,
    n_legal: usize,
    check: bool,
    draw_claim: bool,
    /// Only where there is no legal move: 0 for stalemate.
    result: Option<i32>,
}

#[test]
fn shared_oracle() {
    let Some(text) = shared_text("counting-cambodian.jsonl") else { return };
    let mut rows = 0;
    for line in text.lines() {
        let row: Row = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        check_row(&row);
        rows += 1;
    }
    assert!(rows > 0, "the oracle is empty");
}

fn check_row(row: &Row) {
    let Row { fen, moves, .. } = row;
    let mut game = Game::from_fen(fen, rules()).unwrap_or_else(|error| panic!("{fen}: {error}"));
    for text in moves.split_whitespace() {
        game.play_uci(text).unwrap_or_else(|error| panic!("{}: {error}", game.position()));
    }
    let last = game.position();
    assert_eq!(last.to_string(), row.last, "{fen} {moves}");
    assert_eq!(last.count_legal() as usize, row.n_legal, "{last}");
    assert_eq!(last.in_check(), row.check, "{last}");
    let no_move = match last.outcome() {
        Some(Outcome::Win(_)) => Some(true),
        Some(Outcome::Draw(DrawReason::Stalemate)) => Some(false),
        _ => None,
    };
    assert_eq!(no_move, row.result.map(|result| result != 0), "mate or stalemate: {last}");
    // The oracle's claims include the third repetition.
    let claim = (last.count().is_expired() || game.occurrences() >= 3) && no_move != Some(true);
    assert_eq!(claim, row.draw_claim, "a draw to claim: {last}");
}
