//! Playing from an opening book, by both protocols.

use std::collections::{BTreeMap, HashSet};
use std::path::PathBuf;
use std::time::Duration;

use sakmak_engine::book::{BookMove, BookPosition, encode};
use sakmak_engine::uci::{Output, Session};
use sakmak_movegen::{Move, Position, Variant};

use crate::process::EngineProcess;

/// Replies of the book: 1. e4 or 1. d4, then e5 to both, then nothing but 2. Nd2 with a score.
fn file(name: &str) -> PathBuf {
    let mv =
        |text: &str, score| BookMove { mv: text.parse().unwrap(), score: Some(score), results: [1, 2, 3] };
    let after = |moves: &[&str]| {
        let mut position = Position::startpos();
        moves.iter().for_each(|text| position.play(text.parse::<Move>().unwrap()).unwrap());
        position.moves_key()
    };
    let entry = |moves| BookPosition { score: Some(10), depth: 9, kilonodes: 100, moves };
    let positions = BTreeMap::from([
        (after(&[]), entry(vec![mv("e3e4", 10), mv("d3d4", -5), mv("a3a4", -300)])),
        (after(&["e3e4"]), entry(vec![mv("e6e5", 0)])),
        (after(&["d3d4"]), entry(vec![mv("e6e5", 0)])),
        (after(&["e3e4", "e6e5"]), entry(vec![mv("b1d2", 10)])),
    ]);
    let path = std::env::temp_dir().join(format!("sakmak-{}-{name}.book", std::process::id()));
    std::fs::write(&path, encode(Variant::Makruk, "made by hand", &positions).unwrap()).unwrap();
    path
}

/// A session, and a function that gives it lines and returns the answers.
fn session() -> (Session, Output) {
    let output = Output::buffer();
    (Session::on_calling_thread(output.clone(), &Default::default()).unwrap(), output)
}

fn answer(session: &mut Session, output: &Output, lines: &str) -> String {
    for line in lines.lines() {
        session.command(line);
        while session.step(Duration::MAX) {}
    }
    output.take()
}

#[test]
fn the_engine_plays_from_its_book_up_to_a_depth() {
    let path = file("depth");
    let (mut session, output) = session();
    let mut answer = |lines: &str| answer(&mut session, &output, lines);
    let loaded = answer(&format!("setoption name BookFile value {}", path.display()));
    assert_eq!(loaded, format!("info string book {}: 4 positions\n", path.display()));
    // It is off by default.
    assert!(!answer("position startpos\ngo nodes 1000").contains("book"));
    answer("setoption name OwnBook value true");
    let book = "info string book move e3e4, score cp 4, 6 games, white +1 =2 -3\nbestmove e3e4 ponder e6e5\n";
    assert_eq!(answer("go nodes 1000"), book);
    assert_eq!(answer("go movetime 10"), book);
    let second = answer("position startpos moves e3e4 e6e5\ngo nodes 1000");
    assert!(second.ends_with("bestmove b1d2\n") && second.starts_with("info string book move"), "{second}");
    // No book move in these searches, nor after the last ply.
    for go in ["go nodes 1000 searchmoves a3a4", "go mate 1 nodes 1000"] {
        assert!(!answer(&format!("position startpos\n{go}")).contains("book"), "{go}");
    }
    answer("setoption name BookDepth value 2");
    assert!(answer("position startpos moves e3e4\ngo nodes 1000").contains("book move e6e5"));
    assert!(!answer("position startpos moves e3e4 e6e5\ngo nodes 1000").contains("book"));
    assert!(!answer("position startpos moves h3h4\ngo nodes 1000").contains("book"));
    answer("setoption name UCI_AnalyseMode value true");
    assert!(!answer("position startpos\ngo nodes 1000").contains("book"));
    answer("setoption name UCI_AnalyseMode value false");
    session.command("go infinite");
    session.command("stop");
    let text = output.take();
    assert!(text.contains("bestmove ") && !text.contains("book"), "{text}");
    std::fs::remove_file(path).unwrap();
}

#[test]
fn variety_draws_among_good_moves_by_the_seed() {
    let path = file("variety");
    let (mut session, output) = session();
    let options =
        format!("setoption name BookFile value {}\nsetoption name OwnBook value true", path.display());
    answer(&mut session, &output, &options);
    let mut moves = |variety: i32| -> HashSet<String> {
        answer(&mut session, &output, &format!("setoption name BookVariety value {variety}"));
        let mut one = |seed| {
            session.set_seed(Some(seed));
            let text = answer(&mut session, &output, "position startpos\ngo nodes 1000");
            text.lines().last().unwrap_or_default().to_owned()
        };
        assert_eq!(one(3), one(3));
        (0..60).map(one).collect()
    };
    assert_eq!(moves(0).len(), 1);
    // Fifteen internal units are five centipawns; the third move is far worse.
    assert_eq!(moves(4).len(), 1);
    assert_eq!(moves(20).len(), 2);
    std::fs::remove_file(path).unwrap();
}

#[test]
fn a_file_that_is_no_book_is_reported_and_the_book_before_stays() {
    let path = file("kept");
    let (mut session, output) = session();
    let mut set =
        |path: &str| answer(&mut session, &output, &format!("setoption name BookFile value {path}"));
    let missing = "info string book /no/such/file.book not loaded: no such file; there is none\n";
    assert_eq!(set("/no/such/file.book"), missing);
    set(&path.display().to_string());
    let foreign = set("Cargo.toml");
    assert!(
        foreign.ends_with("not loaded: no opening book of Sakmak; keeping the one before\n"),
        "{foreign}"
    );
    let text = answer(&mut session, &output, "setoption name OwnBook value true\ngo nodes 1000");
    assert!(text.contains("book move e3e4"), "{text}");
    answer(&mut session, &output, "setoption name BookFile value <empty>");
    assert!(!answer(&mut session, &output, "go nodes 1000").contains("book"));
    std::fs::remove_file(path).unwrap();
}

#[test]
fn xboard_plays_from_the_book_too() {
    let path = file("xboard");
    let mut engine = EngineProcess::start();
    engine.send("xboard\nprotover 2");
    engine.until("feature done=1");
    engine.send(&format!("new\nvariant makruk\noption BookFile={}\noption OwnBook=1\nst 1", path.display()));
    engine.send("bk");
    assert_eq!(engine.until("\te3e4"), "\te3e4: 6 games");
    engine.until("\ta3a4");
    engine.send("usermove d3d4");
    assert_eq!(engine.until("# book move"), "# book move e6e5, score cp 0, 6 games, white +1 =2 -3");
    assert_eq!(engine.until("move "), "move e6e5");
    engine.send("bk");
    assert_eq!(engine.until("\tThe"), "\tThe opening book has no move here.");
    std::fs::remove_file(path).unwrap();
}
