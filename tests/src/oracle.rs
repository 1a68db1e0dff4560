//! Fairy-Stockfish's results for the last positions of games.

use sakmak_movegen::{DrawReason, Game, Outcome, Rules, Ruleset, Variant};
use serde::Deserialize;

/// One line of the oracle: a game and the results for its last position.
#[derive(Deserialize)]
struct Row {
    fen: String,
    moves: String,
    #[serde(rename = "final")]
    last: String,
    n_legal: usize,
    check: bool,
    draw_claim: bool,
    /// Present only without legal moves: 0 for stalemate.
    result: Option<i32>,
}

/// Compares every line of the oracle with the board's own rules for `variant`.
///
/// # Panics
/// If a line differs, or `text` has none.
pub fn check(text: &str, variant: Variant) {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Mate, stalemate, an expired count, and threefold repetition; each row broken into lines.
    const ROWS: &str = r#"
{"fen": "7k/R7/5K2/8/8/8/8/1R6 w - 16 8 40", "moves": "b1b8",
 "final": "1R5k/R7/5K2/8/8/8/8/8 b - 16 9 40",
 "n_legal": 0, "check": true, "draw_claim": false, "result": -32000}

{"fen": "7k/8/5K2/8/8/8/8/R5R1 w - 16 8 40", "moves": "a1a7",
 "final": "7k/R7/5K2/8/8/8/8/6R1 b - 16 9 40",
 "n_legal": 0, "check": false, "draw_claim": false, "result": 0}

{"fen": "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 40", "moves": "b1b2 h8g8",
 "final": "6k1/R7/5K2/8/8/8/1R6/8 w - 16 17 41",
 "n_legal": 34, "check": false, "draw_claim": true, "result": null}

{"fen": "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "moves": "b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8",
 "final": "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 8 5",
 "n_legal": 23, "check": false, "draw_claim": true, "result": null}
"#;

    fn rows() -> impl Iterator<Item = String> {
        ROWS.trim().split("\n\n").map(|row| row.replace('\n', ""))
    }

    #[test]
    fn right_rows_pass() {
        rows().for_each(|row| check(&row, Variant::Makruk));
    }

    #[test]
    fn wrong_rows_do_not() {
        let field = |row: &str, name: &str, change: &dyn Fn(serde_json::Value) -> serde_json::Value| {
            let mut fields: serde_json::Value = serde_json::from_str(row).expect("a row");
            fields[name] = change(fields[name].take());
            fields.to_string()
        };
        for row in rows() {
            let wrong = [
                field(&row, "n_legal", &|value| (value.as_u64().expect("a number") + 1).into()),
                field(&row, "check", &|value| (!value.as_bool().expect("a flag")).into()),
                field(&row, "draw_claim", &|value| (!value.as_bool().expect("a flag")).into()),
                field(&row, "final", &|value| format!("{}0", value.as_str().expect("a text")).into()),
                field(&row, "result", &|value| {
                    if value.is_null() { 0.into() } else { serde_json::Value::Null }
                }),
            ];
            for row in wrong {
                let result = std::panic::catch_unwind(|| check(&row, Variant::Makruk));
                assert!(result.is_err(), "{row}");
            }
        }
    }
}
