//! Books as text: EPD, and a list of lines.

use std::collections::{HashSet, VecDeque};
use std::fmt::Write as _;

use sakmak_engine::book::{Book, BookMove, BookPosition};
use sakmak_engine::score::Score;
use sakmak_movegen::{Move, Position, Rules, Ruleset};

use crate::names::named;

/// The positions of a book that its moves lead to from the start, by distance, each once.
pub fn reachable(book: &Book) -> Vec<(Position, BookPosition)> {
    let start = Position::start(Rules::new(book.variant(), Ruleset::default()));
    let mut seen = HashSet::from([start.moves_key()]);
    let mut open = VecDeque::from([start]);
    let mut found = Vec::new();
    while let Some(position) = open.pop_front() {
        let Some(entry) = book.position(&position) else { continue };
        for mv in &entry.moves {
            let after = position.after(mv.mv);
            if seen.insert(after.moves_key()) {
                open.push_back(after);
            }
        }
        found.push((position, entry));
    }
    found
}

/// The book as EPD: best move, score in centipawns, depth and nodes of the search, games.
pub fn epd(book: &Book) -> String {
    let mut text = String::new();
    for (position, entry) in reachable(book) {
        let _ = write!(text, "{position}");
        if let (Some(best), Some(score)) = (entry.moves.first(), entry.score) {
            let _ = write!(text, " bm {};", position.san(best.mv));
            if let Score::Centipawns(cp) = Score::from_search(score) {
                let _ = write!(text, " ce {cp};");
            }
            let _ = write!(text, " acd {}; acn {};", entry.depth, entry.kilonodes * 1000);
        }
        let games: u64 = entry.moves.iter().map(BookMove::games).sum();
        let _ = writeln!(text, " c0 \"{games} games\";");
    }
    text
}

/// The best line of the book from a position: the best move by score, or without scores by games.
pub fn best_line(book: &Book, position: &Position, most: usize) -> Vec<Move> {
    let mut position = position.clone();
    let mut seen = HashSet::from([position.key()]);
    let mut line = Vec::new();
    while line.len() < most
        && let Some(best) = book.position(&position).and_then(|entry| entry.moves.first().copied())
    {
        line.push(best.mv);
        position = position.after(best.mv);
        if !seen.insert(position.key()) {
            break;
        }
    }
    line
}

/// A line of moves in short algebraic notation, with move numbers.
pub fn san_line(position: &Position, moves: &[Move]) -> String {
    let mut position = position.clone();
    let mut words = Vec::new();
    for &mv in moves {
        match position.side_to_move() {
            sakmak_movegen::Color::White => words.push(format!("{}.", position.fullmove_number())),
            sakmak_movegen::Color::Black if words.is_empty() => {
                words.push(format!("{}...", position.fullmove_number()));
            }
            sakmak_movegen::Color::Black => {}
        }
        words.push(position.san(mv).to_string());
        position = position.after(mv);
    }
    words.join(" ")
}

/// A position of the book for people: its names, and for each move games, results, score and best line.
pub fn shown(book: &Book, position: &Position) -> String {
    let mut text = format!("{position}\n");
    for (color, name) in named(position) {
        let _ = writeln!(text, "{color}: {}, {}", name.english, name.thai);
    }
    let Some(entry) = book.position(position) else { return text + "not in the book\n" };
    if let Some(score) = entry.score {
        let _ = writeln!(
            text,
            "score {} for the side to move, depth {}, {} thousand nodes",
            Score::from_search(score),
            entry.depth,
            entry.kilonodes
        );
    }
    for mv in &entry.moves {
        let score = mv.score.map_or("-".to_owned(), |score| Score::from_search(score).to_string());
        let [white, draws, black] = mv.results;
        let mut line = vec![mv.mv];
        line.extend(best_line(book, &position.after(mv.mv), 7));
        let san = position.san(mv.mv).to_string();
        let games = mv.games();
        let line = san_line(position, &line);
        let _ = writeln!(text, "{san:6} {score:>8} {games:>6} games +{white} ={draws} -{black}  {line}");
    }
    text
}
