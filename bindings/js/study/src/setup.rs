//! Positions set up by hand.

use sakmak_js_common::{Fault, RulesChoice};
use sakmak_movegen::{
    Color, Count, CountKind, CountingSystem, Fen, Game, Piece, PieceKind, PlayRules, Position, Setup, Square,
};
use serde::Serialize;

use crate::view::{CountView, just_bared};

/// A board from an editor, valid or not.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
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
    /// The number of moves spoken last, in place of [`Self::ply`].
    #[serde(skip_serializing)]
    pub number: Option<u32>,
    /// Whether the count is the one that the rules begin in this position, whatever limit and ply are.
    #[serde(skip_serializing)]
    pub by_rules: bool,
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
    let rules = match choice.rules() {
        Ok(rules) => rules,
        Err(error) => return Checked { fen: fen(board, &written_count(board)), error: Some(error) },
    };
    let fen = fen(board, &count_fields(board, rules.play));
    match Game::from_fen(&fen, rules) {
        Ok(game) => Checked { fen: game.marked_fen(), error: None },
        Err(error) => Checked { fen, error: Some(error.into()) },
    }
}

/// The board of a FEN, for an editor. The position may be one that the rules do not allow.
///
/// # Errors
/// If the text is no FEN.
pub fn read(text: &str) -> Result<Board, Fault> {
    let fen: Fen = crate::record::whole_fen(text).parse()?;
    let setup = fen.setup();
    let letter = |square: Square| match setup.piece_on(square) {
        Some(Piece { color: Color::White, .. }) if fen.promoted().contains(square) => PROMOTED,
        Some(_) if fen.promoted().contains(square) => PROMOTED.to_ascii_lowercase(),
        piece => piece.map_or('.', |piece| piece.letter()),
    };
    // The fields behind the board as they are written, for they have no reader of their own.
    let written = fen.to_string();
    let fields: Vec<&str> = written.split(' ').collect();
    let field = |at: usize| fields.get(at).copied().unwrap_or_default();
    // A limit may carry the letter of the counter or a second count.
    let digits = |at: usize| field(at).split(|c: char| !c.is_ascii_digit()).next().unwrap_or_default();
    let number = |at: usize| digits(at).parse().unwrap_or(0);
    let ply_limit = number(3);
    Ok(Board {
        board: Square::all().map(letter).collect(),
        turn: field(1).to_owned(),
        rights: field(2).to_owned(),
        ply_limit,
        ply: if ply_limit > 0 { number(4) } else { 0 },
        move_number: number(5).max(1),
        ..Board::default()
    })
}

/// The fields written as a FEN; `count` are the limit and the ply.
fn fen(board: &Board, count: &str) -> String {
    let letters: Vec<char> = board.board.chars().collect();
    let ranks: Vec<String> = letters.chunks(8).rev().map(rank).collect();
    let rights = if board.rights.is_empty() { "-" } else { &board.rights };
    format!("{} {} {rights} {count} {}", ranks.join("/"), board.turn, board.move_number.max(1))
}

/// The limit and the ply as a FEN has them, whatever the rules say.
fn written_count(board: &Board) -> String {
    let limit = if board.ply_limit > 0 { board.ply_limit.to_string() } else { "-".to_owned() };
    format!("{limit} {}", board.ply)
}

/// The limit and the ply as a FEN has them: those of the rules, or those of the number that was spoken, or as given.
fn count_fields(board: &Board, rules: PlayRules) -> String {
    let base = || fen(board, "- 0").parse::<Fen>().ok().map(|fen| fen.setup().clone());
    let counted = match board.number {
        // Cute Chess counts only after a FEN with a number.
        _ if board.by_rules => {
            let none = if rules.counting == CountingSystem::CuteChess { "0 0" } else { "- 0" };
            base().map(|setup| begun(&setup, rules).unwrap_or_else(|| none.to_owned()))
        }
        Some(number) if board.ply_limit > 0 => {
            base().and_then(|setup| spoken(&setup, board.ply_limit, number, rules))
        }
        _ => None,
    };
    counted.unwrap_or_else(|| written_count(board))
}

/// The count of a position, as a FEN has it.
fn fields_of(position: &Position) -> String {
    position.to_string().split(' ').skip(3).take(2).collect::<Vec<_>>().join(" ")
}

/// The count that the rules begin in a position without one: the pieces' honour as if the last piece had just been
/// taken, or the board's honour. `None` if there is nothing to count.
fn begun(setup: &Setup, rules: PlayRules) -> Option<String> {
    let position = setup.build(rules).ok()?;
    if position.count().is_running() {
        return Some(fields_of(&position));
    }
    let side = position.side_to_move();
    let count = match Color::ALL.map(|color| position.is_bare(color)) {
        [false, false] => {
            let mut after = position.clone();
            let quiet = after.legal_moves().into_iter().find(|&mv| !after.is_noisy(mv))?;
            after.play_unchecked(quiet);
            (after.count_kind() == Some(CountKind::Board)).then_some(after.count())?
        }
        [true, true] => return None,
        [white, _] => {
            let attacker = if white { Color::Black } else { Color::White };
            let count = just_bared(&position, attacker)?.count();
            // The bare khun moves first; where the attacker has the move it has fled once.
            Count::new(count.limit(), count.ply() + u16::from(side == attacker))
        }
    };
    let position = setup.clone().count(Count::new(count.limit(), count.ply())).build(rules).ok()?;
    Some(fields_of(&position))
}

/// The count with this limit in plies of which `number` moves were spoken last.
fn spoken(setup: &Setup, limit: u32, number: u32, rules: PlayRules) -> Option<String> {
    let attacks = |color: Color| !is_bare(setup, color) && is_bare(setup, !color);
    let side = setup.build(rules).ok()?.side_to_move();
    let last = number.checked_mul(2)?;
    // A bare khun has spoken before the attacker's move.
    let odd = [last.checked_sub(1), last.checked_add(1)];
    let even = [Some(last), last.checked_sub(2)];
    let plies = if attacks(side) { [odd, even].concat() } else { [even, odd].concat() };
    plies.into_iter().flatten().find_map(|ply| {
        let count = Count::new(u16::try_from(limit).ok()?, u16::try_from(ply).ok()?);
        let position = setup.clone().count(count).build(rules).ok()?;
        let view = CountView::of(&position)?;
        (u32::from(view.number) == number).then(|| fields_of(&position))
    })
}

/// Whether a side has nothing but its khun.
fn is_bare(setup: &Setup, color: Color) -> bool {
    setup
        .all_pieces()
        .filter(|(_, piece)| piece.color == color)
        .all(|(_, piece)| piece.kind == PieceKind::Khun)
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

    /// The two fields of the count by the rules of `ruleset`.
    fn by_rules(fen: &str, ruleset: &str) -> String {
        let choice = RulesChoice { ruleset: ruleset.to_owned(), ..RulesChoice::default() };
        let checked = super::check(&Board { by_rules: true, ..read(fen).unwrap() }, &choice);
        assert_eq!(checked.error, None, "{fen} {ruleset}");
        checked.fen.split(' ').skip(3).take(2).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn counts_by_the_rules() {
        // Rua and met against the bare khun: 16 - 4. The khun is to move, or has fled once.
        let (flees, hunts) = ("4k3/8/8/8/8/2M~5/8/R3K3 b", "4k3/8/8/8/8/2M~5/8/R3K3 w");
        for (fen, ruleset, count) in [
            (flees, "fairy-stockfish", "32 8"),
            (hunts, "fairy-stockfish", "32 9"),
            (flees, "cutechess", "32 8"),
            (hunts, "cutechess", "32 9"),
            (hunts, "schemingmind", "32 9"),
            (hunts, "wikipedia", "32 9"),
            // Its own numbers do not say how many pieces there are.
            ("4k3/8/8/8/8/8/8/R3K3 w", "cyningstan", "26 1"),
            (hunts, "none", "- 0"),
            // The board's honour begins, but not while a bia stands.
            ("4k1r1/8/8/8/8/2M~5/8/R3K3 w", "fairy-stockfish", "128 0"),
            ("4k1r1/8/8/8/8/2M~5/8/R3K3 w", "cutechess", "128 0"),
            ("4k3/8/8/8/8/2P5/8/R3K3 w", "fairy-stockfish", "- 0"),
            ("4k3/8/8/8/8/2P5/8/R3K3 w", "cutechess", "0 0"),
            ("4k3/8/8/8/8/2P5/8/R3K3 w", "schemingmind", "32 9"),
            ("4k3/8/8/8/8/8/8/4K3 w", "fairy-stockfish", "- 0"),
        ] {
            assert_eq!(by_rules(fen, ruleset), count, "{fen} {ruleset}");
        }
    }

    #[test]
    fn numbers_that_were_spoken_become_plies() {
        let spoken = |fen: &str, limit: u32, number| {
            let board = Board { ply_limit: 2 * limit, number: Some(number), ..read(fen).unwrap() };
            super::check(&board, &RulesChoice::default()).fen
        };
        assert_eq!(spoken("4k3/8/8/8/8/2M5/8/R3K3 w", 16, 5), "4k3/8/8/8/8/2M5/8/R3K3 w - 32 9 1");
        assert_eq!(spoken("4k3/8/8/8/8/2M5/8/R3K3 b", 16, 5), "4k3/8/8/8/8/2M5/8/R3K3 b - 32 10 1");
        assert_eq!(spoken("4kr2/8/8/8/8/2M5/8/R3K3 w", 64, 0), "4kr2/8/8/8/8/2M5/8/R3K3 w - 128 0 1");
        // Far too large a number changes nothing, and does not panic.
        assert!(spoken("4k3/8/8/8/8/2M5/8/R3K3 w", 16, u32::MAX).contains(" - 32 0 1"));
    }

    #[test]
    fn fens_are_read_also_of_impossible_positions() {
        let board = read("4k3/8/8/8/4M~3/8/8/R7 b - 32 9 30").unwrap();
        assert_eq!((&board.board[..8], &board.board[24..32]), ("R.......", "....O..."));
        assert_eq!((board.turn.as_str(), board.ply_limit, board.ply, board.move_number), ("b", 32, 9, 30));
        // As they are pasted: the board alone, underscores, wide spaces, digits of other scripts.
        for text in [
            "4k3/8/8/8/8/8/8/R3K3",
            "4k3/8/8/8/8/8/8/R3K3_w_-_-_0_1",
            " 4k3/8/8/8/8/8/8/R3K3\u{3000}w\u{a0}-\u{a0}- 0 1\u{200b}",
            "๔k๓/๘/๘/๘/๘/๘/๘/R๓K๓ w - - ๐ ๑",
            "position fen 4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
        ] {
            let board = read(text).unwrap_or_else(|error| panic!("{text}: {error:?}"));
            assert_eq!(
                (&board.board[..8], board.turn.as_str(), board.move_number),
                ("R...K...", "w", 1),
                "{text}"
            );
        }
        for (text, code) in
            [("", "fen.empty"), ("4k3/8 w", "fen.ranks"), ("4q3/8/8/8/8/8/8/4K3 w", "fen.piece")]
        {
            assert_eq!(read(text).unwrap_err().code, code, "{text}");
        }
    }
}
