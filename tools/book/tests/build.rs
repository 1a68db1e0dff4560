//! Books built from games and searches, as a whole.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use sakmak_book::build::BuildJob;
use sakmak_book::check::check;
use sakmak_book::export::{best_line, epd, reachable, san_line, shown};
use sakmak_book::games::GameMoves;
use sakmak_book::search::{Header, SearchFile};
use sakmak_book::settings::{SearchSettings, TreeSettings};
use sakmak_engine::book::{Book, BookMove, BookPosition, encode};
use sakmak_movegen::{Position, Variant};

const PGN: &str = "[Result \"1-0\"]\n\n1. e4 e5 2. d4 d5 3. Nd2 1-0\n\n\
    [Result \"0-1\"]\n\n1. d4 d5 2. e4 e5 3. Nd2 0-1\n\n\
    [Result \"*\"]\n\n1. e4 *\n\n\
    [Result \"1/2-1/2\"]\n\n1. e4 e5 2. Qz9 1/2-1/2\n";

fn header() -> Header {
    Header { searches: 1, engine: "Sakmak".to_owned(), signature: 7, settings: SearchSettings::new(500) }
}

/// The bytes of a book of `positions` searches, kept in a file, and the number of new ones.
fn built(games: &GameMoves, searches: &Path, positions: usize, threads: usize) -> (Vec<u8>, usize) {
    let header = header();
    let job = BuildJob {
        games,
        tree: TreeSettings { plies: 40, min_games: 1 },
        search: &header.settings,
        positions,
        only_known: false,
        threads,
    };
    let mut new = 0;
    let mut file = SearchFile::open(searches, &header).unwrap();
    let tree = job.run(&mut file, &mut |progress| new = progress.new).unwrap();
    assert_eq!(tree.searched(), positions);
    (encode(Variant::Makruk, "a test", &tree.book(None)).unwrap(), new)
}

#[test]
fn a_book_is_built_resumed_and_exported() {
    let folder = tempfile::tempdir().unwrap();
    let pgn = folder.path().join("games.pgn");
    fs::write(&pgn, PGN).unwrap();
    let mut games = GameMoves::default();
    assert_eq!(games.read(&[pgn], 40).unwrap(), 1);
    assert_eq!(games.games(), 2);

    let whole = folder.path().join("whole.jsonl");
    let (bytes, new) = built(&games, &whole, 30, 1);
    assert_eq!(new, 30);
    // Interrupted, with a line cut off, and resumed by two threads.
    let parts = folder.path().join("parts.jsonl");
    built(&games, &parts, 12, 2);
    let mut cut = fs::read(&parts).unwrap();
    cut.truncate(cut.len() - 5);
    fs::write(&parts, cut).unwrap();
    let (again, new) = built(&games, &parts, 30, 2);
    assert_eq!(new, 19);
    assert_eq!(again, bytes);

    let book = Book::from_bytes(bytes).unwrap();
    let start = Position::startpos();
    let entry = book.position(&start).unwrap();
    assert_eq!((entry.moves.len(), entry.score), (23, entry.moves[0].score));
    let positions = reachable(&book);
    assert_eq!(positions.len(), book.len());
    let text = epd(&book);
    assert_eq!(text.lines().count(), book.len());
    let first = text.lines().next().unwrap();
    assert!(first.starts_with(&format!("{start} bm ")) && first.ends_with(" c0 \"2 games\";"), "{first}");
    for record in sakmak_games::epd::records(&text) {
        let position = Position::from_fen(&record.fen).unwrap();
        let entry = book.position(&position).unwrap();
        let best = record.operations.iter().find(|(name, _)| *name == "bm").map(|(_, san)| *san);
        let expected = entry.score.map(|_| position.san(entry.moves[0].mv).to_string());
        assert_eq!(best.map(str::to_owned), expected);
    }
    let checked = check(&book).unwrap();
    assert_eq!((checked.positions, checked.searched), (book.len(), 30));
    let line = best_line(&book, &start, 3);
    assert_eq!(line[0], entry.moves[0].mv);
    assert!(san_line(&start, &line).starts_with("1. "));
    let text = shown(&book, &start);
    assert!(text.contains("1 games +1 =0 -0  1. e4 "), "{text}");
}

#[test]
fn only_known_searches_make_a_smaller_book() {
    let folder = tempfile::tempdir().unwrap();
    let games = GameMoves::default();
    let searches = folder.path().join("searches.jsonl");
    built(&games, &searches, 5, 1);
    let header = header();
    let mut file = SearchFile::open(&searches, &header).unwrap();
    let job = BuildJob {
        games: &games,
        tree: TreeSettings::default(),
        search: &header.settings,
        positions: 1_000,
        only_known: true,
        threads: 1,
    };
    let tree = job.run(&mut file, &mut |progress| assert_eq!(progress.new, 0)).unwrap();
    assert_eq!(tree.searched(), 5);
}

#[test]
fn a_file_of_other_searches_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("searches.jsonl");
    drop(SearchFile::open(&path, &header()).unwrap());
    let other = Header { signature: 8, ..header() };
    let error = format!("{:#}", SearchFile::open(&path, &other).unwrap_err());
    assert!(error.contains("was made otherwise"), "{error}");
    for (text, fault) in [("[Event \"?\"]\n", "no file of searches"), ("{}\n", "no file of searches")] {
        fs::write(&path, text).unwrap();
        let error = format!("{:#}", SearchFile::open(&path, &header()).unwrap_err());
        assert!(error.contains(fault), "{error}");
    }
    let first = serde_json::to_string(&header()).unwrap();
    for line in [
        "nonsense",
        "{\"key\":\"x\",\"depth\":1,\"nodes\":1,\"moves\":[[\"e3e4\",1]]}",
        "{\"key\":\"1\",\"depth\":1,\"nodes\":1,\"moves\":[]}",
    ] {
        fs::write(&path, format!("{first}\n{line}\n")).unwrap();
        let error = format!("{:#}", SearchFile::open(&path, &header()).unwrap_err());
        assert!(error.contains("line 2"), "{error}");
    }
}

#[test]
fn a_book_that_is_wrong_is_found_out() {
    let start = Position::startpos();
    let mv = |text: &str, score| BookMove { mv: text.parse().unwrap(), score, results: [1, 0, 0] };
    let entry = |moves: &[BookMove], score: Option<i32>| BookPosition {
        score,
        depth: if score.is_some() { 9 } else { 0 },
        kilonodes: 1,
        moves: moves.to_vec(),
    };
    let after = start.after("e3e4".parse().unwrap());
    let faults = |first: BookPosition, key: u64| {
        let reply = entry(&[mv("e6e5", None)], None);
        let positions = BTreeMap::from([(start.moves_key(), first), (key, reply)]);
        let book = Book::from_bytes(encode(Variant::Makruk, "", &positions).unwrap()).unwrap();
        check(&book).map(|checked| checked.moves).map_err(|error| error.to_string())
    };
    let sound = [mv("e3e4", Some(5)), mv("d3d4", Some(4))];
    let key = after.moves_key();
    assert_eq!(faults(entry(&sound, Some(5)), key), Ok(3));
    let fault = |first, key| faults(first, key).unwrap_err();
    assert!(fault(entry(&[sound[0], mv("a1a8", Some(4))], Some(5)), key).contains("an illegal move"));
    assert!(fault(entry(&sound, Some(6)), key).contains("not that of its best move"));
    assert!(fault(entry(&[sound[1], sound[0]], Some(4)), key).contains("not sorted"));
    let unsearched = BookPosition { depth: 0, ..entry(&sound, Some(5)) };
    assert!(fault(unsearched, key).contains("a score without a search"));
    assert!(fault(entry(&sound, Some(5)), key ^ 1).contains("no moves lead there"));
}

/// The page's reader is tested with the same two files.
#[test]
fn a_book_is_exported_as_the_page_expects_it() {
    let file = |name: &str| Path::new(env!("CARGO_MANIFEST_DIR")).join("tests").join(name);
    let book = Book::open(&file("small.book")).unwrap();
    let checked = check(&book).unwrap();
    assert_eq!((checked.positions, checked.searched, checked.plies), (27, 24, 5));
    assert_eq!(epd(&book), fs::read_to_string(file("small.epd")).unwrap());
}

/// The book in web/public/openings.
#[test]
fn the_book_of_the_page_is_sound() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web/public/openings/sakmak.book");
    let book = Book::open(&path).unwrap();
    let checked = check(&book).unwrap();
    assert!(checked.searched > 1_000, "{checked:?}");
    // The page loads it whole.
    assert!(book.bytes().len() < 1_500_000, "{} bytes", book.bytes().len());
}
