//! What Fairy-Stockfish says of the last positions of real games, if the shared data is there.

use sakmak_movegen::{DrawReason, Game, Outcome, Rules, Ruleset, Variant};
use serde::Deserialize;

use crate::shared_text;

/// One line of the oracle: a game and what is said of its last position.
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

/// Compares every line of the shared file `name` with the board's own rules for `variant`.
///
/// # Panics
/// If a line differs, or there is none.
pub fn check(name: &str, variant: Variant) {
    let Some(text) = shared_text(name) else { return };
    let mut rows = 0;
    for line in text.lines() {
        let row: Row = serde_json::from_str(line).unwrap_or_else(|error| panic!("{line}: {error}"));
        check_row(&row, Rules::new(variant, Ruleset::FairyStockfish));
        rows += 1;
    }
    assert!(rows > 0, "the oracle is empty");
}

fn check_row(row: &Row, rules: Rules) {
    let Row { fen, moves, .. } = row;
    let mut game = Game::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}"));
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
