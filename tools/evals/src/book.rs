//! The searched positions of an opening book as evaluations.

use std::collections::HashSet;

use sakmak_engine::book::{Book, BookPosition};
use sakmak_engine::score::Score;
use sakmak_movegen::{Move, Position, Rules, Ruleset};

use crate::record::{Evaluation, Pv, Record};
use sakmak_engine::position_key::PositionKey;

/// Longest line of a move, in plies.
const LINE: usize = 16;

/// The rules of the positions of a book.
pub fn book_rules(book: &Book) -> Rules {
    Rules::new(book.variant(), Ruleset::default())
}

/// The evaluations of the searched positions that moves of the book lead to. A scored move is a line, its score that of
/// the book: by minimax over the positions after it. Depth and nodes are those of the position's own search.
pub fn book_records(book: &Book) -> Vec<Record> {
    let start = Position::start(book_rules(book));
    let mut known = HashSet::from([start.moves_key()]);
    let (mut waiting, mut records) = (vec![start], Vec::new());
    while let Some(position) = waiting.pop() {
        let Some(entry) = book.position(&position) else { continue };
        records.extend(record(book, &position, &entry));
        for mv in &entry.moves {
            let next = position.after(mv.mv);
            if known.insert(next.moves_key()) {
                waiting.push(next);
            }
        }
    }
    records
}

fn record(book: &Book, position: &Position, entry: &BookPosition) -> Option<Record> {
    let key = PositionKey::of(position).ok()?;
    let scored = entry.moves.iter().filter_map(|mv| Some((mv.mv, mv.score?)));
    let pvs: Vec<_> = scored
        .map(|(mv, score)| Pv { score: Score::from_search(score), moves: line(book, position, mv) })
        .collect();
    let is_searched = entry.depth > 0 && !pvs.is_empty();
    let evaluation = Evaluation { depth: entry.depth, knodes: entry.kilonodes, pvs };
    is_searched.then(|| Record { key, evaluations: vec![evaluation] })
}

/// A move, and the best moves of the book after it.
fn line(book: &Book, position: &Position, mv: Move) -> Vec<Move> {
    let (mut moves, mut after) = (vec![mv], position.after(mv));
    while moves.len() < LINE
        && let Some(entry) = book.position(&after)
        && let Some(best) = entry.moves.first().filter(|best| best.score.is_some())
    {
        moves.push(best.mv);
        after.play_unchecked(best.mv);
    }
    moves
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use sakmak_engine::book::{BookMove, encode};
    use sakmak_movegen::Variant;

    use super::*;

    fn after(texts: &[&str]) -> Position {
        let mut position = Position::startpos();
        for text in texts {
            position.play(position.parse_move(text).unwrap()).unwrap();
        }
        position
    }

    #[test]
    fn searched_positions_become_records_with_a_line_for_each_scored_move() {
        let scored =
            |text: &str, score| BookMove { mv: Move::parse(text).unwrap(), score, results: [1, 0, 0] };
        let entry = |depth, moves| BookPosition { score: None, depth, kilonodes: u64::from(depth), moves };
        let book = BTreeMap::from([
            (
                after(&[]).moves_key(),
                entry(9, vec![scored("e3e4", Some(57)), scored("d3d4", Some(-285)), scored("a3a4", None)]),
            ),
            (after(&["e3e4"]).moves_key(), entry(8, vec![scored("d6d5", Some(-57))])),
            // Only in games.
            (after(&["a3a4"]).moves_key(), entry(0, vec![scored("d6d5", None)])),
            // No move of the book leads here.
            (after(&["b3b4"]).moves_key(), entry(7, vec![scored("d6d5", Some(1))])),
        ]);
        let book = Book::from_bytes(encode(Variant::Makruk, "", &book).unwrap()).unwrap();
        let records = book_records(&book);
        let lines: Vec<_> = records.iter().map(|record| record.line(book_rules(&book))).collect();
        assert_eq!(
            lines,
            [
                concat!(
                    r#"{"fen":"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w -","evals":[{"pvs":["#,
                    r#"{"cp":20,"line":"e3e4 d6d5"},{"cp":-100,"line":"d3d4"}],"knodes":9,"depth":9}]}"#
                ),
                concat!(
                    r#"{"fen":"rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b -","#,
                    r#""evals":[{"pvs":[{"cp":20,"line":"d6d5"}],"knodes":8,"depth":8}]}"#
                ),
            ]
        );
        let read = |line: &String| Record::read(line, Rules::default()).unwrap().unwrap();
        assert_eq!(lines.iter().map(read).collect::<Vec<_>>(), records);
    }
}
