//! Positions set up by hand.

use sakmak_js_common::{Fault, RulesChoice};
use sakmak_movegen::{Game, Piece};
use serde::{Deserialize, Serialize};

/// A board from an editor, valid or not.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct Board {
    /// Letters of the pieces from a1 to h8, `.` for empty squares, `O` and `o` for promoted bia.
    pub board: String,
    /// `w` or `b`.
    pub turn: String,
    /// Pieces with first-move privileges: their files, upper case for White; `-` for none.
    pub rights: String,
    /// The limit of the count in plies; 0 for no count.
    pub ply_limit: u32,
    /// Plies counted.
    pub ply: u32,
    /// The move number.
    pub move_number: u32,
}

/// The FEN of a board, and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Checked {
    /// The FEN of the fields, valid or not.
    pub fen: String,
    /// What is wrong.
    pub error: Option<Fault>,
}

/// The letter of a promoted bia in [`Board::board`], White's.
const PROMOTED: char = 'O';

/// Checks whether a board is a position under the rules.
pub fn check(board: &Board, choice: &RulesChoice) -> Checked {
    let fen = fen(board);
    let game = choice.rules().and_then(|rules| Game::from_fen(&fen, rules).map_err(Fault::from));
    match game {
        Ok(game) => Checked { fen: game.marked_fen(), error: None },
        Err(error) => Checked { fen, error: Some(error) },
    }
}

/// The fields written as a FEN.
fn fen(board: &Board) -> String {
    let letters: Vec<char> = board.board.chars().collect();
    let ranks: Vec<String> = letters.chunks(8).rev().map(rank).collect();
    let count = if board.ply_limit > 0 { board.ply_limit.to_string() } else { "-".to_owned() };
    let rights = if board.rights.is_empty() { "-" } else { &board.rights };
    format!("{} {} {rights} {count} {} {}", ranks.join("/"), board.turn, board.ply, board.move_number.max(1))
}

fn rank(letters: &[char]) -> String {
    let mut text = String::new();
    let mut empty = 0;
    for &letter in letters {
        let met = letter.eq_ignore_ascii_case(&PROMOTED);
        if !met && Piece::from_letter(letter).is_none() {
            empty += 1;
            continue;
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
            empty = 0;
        }
        match letter {
            _ if !met => text.push(letter),
            PROMOTED => text.push_str("M~"),
            _ => text.push_str("m~"),
        }
    }
    if empty > 0 {
        text.push_str(&empty.to_string());
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn board(pieces: &[(usize, char)], turn: &str) -> Board {
        let mut letters = ['.'; 64];
        pieces.iter().for_each(|&(square, letter)| letters[square] = letter);
        Board { board: letters.iter().collect(), turn: turn.to_owned(), move_number: 30, ..Board::default() }
    }

    #[test]
    fn boards_become_fens_or_are_refused_with_the_reason() {
        let rules = RulesChoice::default();
        let good = Board { ply_limit: 32, ply: 9, ..board(&[(4, 'K'), (60, 'k'), (28, 'O'), (0, 'R')], "b") };
        let checked = check(&good, &rules);
        assert_eq!(checked.fen, "4k3/8/8/8/4M~3/8/8/R3K3 b - 32 9 30");
        assert_eq!(checked.error, None);

        let fault = |pieces: &[(usize, char)], turn| check(&board(pieces, turn), &rules).error.unwrap();
        let none = fault(&[(4, 'K')], "w");
        assert_eq!((none.code, &none.args["color"], &none.args["count"]), ("fen.khun", "b", "0"));
        let bia = fault(&[(4, 'K'), (60, 'k'), (57, 'P')], "w");
        assert_eq!((bia.code, &bia.args["square"]), ("fen.bia", "b8"));
        let check = fault(&[(4, 'K'), (60, 'k'), (56, 'R')], "w");
        assert_eq!((check.code, &check.args["color"]), ("fen.check", "b"));
        assert_eq!(fault(&[(4, 'K'), (60, 'k')], "x").code, "fen.turn");
        assert_eq!(super::check(&Board::default(), &rules).error.unwrap().code, "fen.ranks");
    }
}
