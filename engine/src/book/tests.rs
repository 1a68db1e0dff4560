use sakmak_movegen::{Fen, Rules, Ruleset};

use super::*;

fn moves(texts: &[&str]) -> Position {
    let mut position = Position::startpos();
    for text in texts {
        position.play(Move::parse(text).unwrap()).unwrap();
    }
    position
}

fn book_move(text: &str, score: Option<i32>, results: [u64; 3]) -> BookMove {
    BookMove { mv: Move::parse(text).unwrap(), score, results }
}

/// The start position with four moves, and the position after one of them, with one that is not legal there.
fn small() -> BTreeMap<u64, BookPosition> {
    let start = BookPosition {
        score: Some(20),
        depth: 15,
        kilonodes: 100,
        moves: vec![
            book_move("e3e4", Some(20), [3, 4, 300]),
            book_move("d3d4", Some(11), [0, 0, 0]),
            book_move("b1d2", Some(-40), [9, 9, 9]),
            book_move("a3a4", None, [1, 0, 0]),
        ],
    };
    let reply = BookPosition {
        moves: vec![book_move("d6d5", None, [70_000, 2, 3]), book_move("a1a8", None, [1, 1, 1])],
        ..BookPosition::default()
    };
    BTreeMap::from([(Position::startpos().moves_key(), start), (moves(&["e3e4"]).moves_key(), reply)])
}

fn bytes() -> Vec<u8> {
    encode(Variant::Makruk, "made by hand", &small()).unwrap()
}

#[test]
fn positions_are_found_by_their_key_with_their_legal_moves() {
    let book = Book::from_bytes(bytes()).unwrap();
    assert_eq!((book.len(), book.text(), book.variant()), (2, "made by hand", Variant::Makruk));
    let start = Position::startpos();
    assert_eq!(book.position(&start), small().remove(&start.moves_key()));
    let reply = book.position(&moves(&["e3e4"])).unwrap();
    assert_eq!(reply.moves, [book_move("d6d5", None, [70_000, 2, 3])]);
    assert_eq!(reply.moves[0].games(), 70_005);
    assert_eq!(book.entries().collect::<BTreeMap<_, _>>(), small());
    assert_eq!(book.position(&moves(&["d3d4"])), None);
    // The same squares in another game are another position.
    let rules = Rules::new(Variant::Makpong, Ruleset::default());
    assert_eq!(book.position(&Position::start(rules)), None);
    let fen: Fen = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 128 3 9".parse().unwrap();
    assert_eq!(book.position(&Position::from_fen(&fen.to_string()).unwrap()), None);
}

#[test]
fn moves_within_the_margin_are_drawn_by_weight() {
    let book = Book::from_bytes(bytes()).unwrap();
    let start = Position::startpos();
    let names = |margin| {
        let mut drawn: Vec<_> =
            (0..300).map(|seed| book.choose(&start, margin, seed).unwrap().mv.to_string()).collect();
        assert_eq!(drawn[7], book.choose(&start, margin, 7).unwrap().mv.to_string());
        drawn.sort();
        drawn.dedup();
        drawn
    };
    assert_eq!(names(0), ["e3e4"]);
    assert_eq!(names(8), ["e3e4"]);
    assert_eq!(names(20), ["d3d4", "e3e4"]);
    assert_eq!(names(100), ["b1d2", "d3d4", "e3e4"]);
    // Games alone choose where there are no scores.
    let reply = moves(&["e3e4"]);
    assert_eq!(book.choose(&reply, 10, 5).unwrap().mv.to_string(), "d6d5");
    assert_eq!(book.choose(&moves(&["h3h4"]), 10, 5), None);
}

#[test]
fn moves_are_sorted_by_score_and_then_by_games() {
    let mut position = small().remove(&Position::startpos().moves_key()).unwrap();
    let sorted = position.clone();
    position.moves.reverse();
    position.sort();
    assert_eq!(position, sorted);
}

#[test]
fn every_cut_and_every_changed_byte_is_an_error() {
    let bytes = bytes();
    for length in 0..bytes.len() {
        assert!(Book::from_bytes(bytes[..length].to_vec()).is_err(), "{length}");
    }
    for index in 0..bytes.len() {
        for bit in [1, 0x80] {
            let mut changed = bytes.clone();
            changed[index] ^= bit;
            assert!(Book::from_bytes(changed).is_err(), "{index}");
        }
    }
}

#[test]
fn foreign_files_are_named() {
    let error = |bytes: Vec<u8>| Book::from_bytes(bytes).unwrap_err().to_string();
    assert_eq!(error(Vec::new()), "no opening book of Sakmak");
    assert_eq!(error(b"[Event \"?\"]\n".to_vec()), "no opening book of Sakmak");
    assert_eq!(error((0..48).collect()), "looks like a Polyglot book, which is not read");
    let mut later = bytes();
    later[8] = 2;
    assert_eq!(error(later), "is of version 2 of the format; this program reads version 1");
    let mut cut = bytes();
    cut.pop();
    let (found, wanted) = (cut.len(), cut.len() + 1);
    assert_eq!(error(cut), format!("has {found} bytes instead of {wanted}"));
    let missing = Book::open(Path::new("no/such/file.book")).unwrap_err();
    assert_eq!(missing.to_string(), "no such file");
}

/// A file with a right checksum and wrong contents.
#[test]
fn sealed_nonsense_is_an_error() {
    let sealed = |change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = bytes();
        bytes.truncate(bytes.len() - CHECKSUM);
        change(&mut bytes);
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        Book::from_bytes(bytes).map(|_| ()).unwrap_err().to_string()
    };
    let index = HEADER + "made by hand".len();
    assert_eq!(sealed(&|bytes| bytes[10] = 9), "damaged: unknown variant");
    assert_eq!(sealed(&|bytes| bytes[HEADER] = 0xff), "damaged: the text is not UTF-8");
    assert_eq!(sealed(&|bytes| bytes[index + 7] = 0xff), "damaged: the positions are not sorted");
    assert_eq!(sealed(&|bytes| bytes[index + 8] += 1), "damaged: a record is wrong");
    let records = index + 2 * INDEX;
    assert!(sealed(&|bytes| bytes[records] -= 1).starts_with("damaged: "));
    assert!(sealed(&|bytes| bytes[records] = 255).starts_with("damaged: "));
}
