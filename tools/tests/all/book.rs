//! The command `book`, on games that vary from the start position.

use std::collections::HashSet;

use crate::common::{Folder, run};
use sakmak_dataset::games::{GameRecord, Reader};
use sakmak_movegen::Position;

const VARIED: [&str; 8] = ["--nodes", "150", "--hash", "1", "--max-plies", "24", "--random-plies", "0"];

fn play(path: &str, games: &str, more: &[&str]) {
    let command = ["datagen", "play", "--out", path, "--games", games, "--seed", "5"];
    run(&[&command[..], &VARIED, &["--varied-plies", "8"], more].concat(), "").ok();
}

#[test]
fn a_book_is_built_from_varied_games() {
    let folder = Folder::new();
    let games = folder.file("own.bin");
    play(&games, "6", &["--threads", "2"]);
    let resumed = folder.file("resumed.bin");
    play(&resumed, "2", &[]);
    play(&resumed, "6", &["--resume"]);
    assert_eq!(std::fs::read(&games).unwrap(), std::fs::read(&resumed).unwrap());
    let records: Vec<GameRecord> = Reader::open(&games).unwrap().map(Result::unwrap).collect();
    assert!(records.iter().all(|game| game.start == Position::startpos()));
    let lines: HashSet<Vec<u16>> =
        records.iter().map(|game| game.plies.iter().take(8).map(|ply| ply.mv.bits()).collect()).collect();
    assert!(lines.len() > 3, "{}", lines.len());

    let (book, searches) = (folder.file("a.book"), folder.file("searches.jsonl"));
    let build = |positions: &str, more: &[&str]| {
        let command = ["book", "build", &games, "--out", &book, "--searches", &searches, "--nodes", "200"];
        run(&[&command[..], &["--min-games", "1", "--search", positions], more].concat(), "")
    };
    build("3", &[]).ok();
    build("6", &[]).ok().says("6 searched, 6 games from the start");
    let known = std::fs::read(&book).unwrap();
    build("100", &["--only-known"]).ok().says("6 searched");
    assert_eq!(std::fs::read(&book).unwrap(), known);
    let checked = run(&["book", "check", &book], "").ok().out;
    assert!(checked.contains(" 6 searched, ") && checked.ends_with(": sound\n"), "{checked}");
    build("100", &["--only-known", "--keep", "4"]).ok().says("4 positions, 6 searched");
    assert!(run(&["book", "check", &book], "").ok().out.starts_with("4 positions, 4 searched, "));
    assert!(run(&["book", "info", &book], "").ok().out.contains(", the 4 most important ones here; "));
    build("100", &["--only-known"]).ok();
    assert_eq!(std::fs::read(&book).unwrap(), known);
    let info = run(&["book", "info", &book], "").ok().out;
    assert!(info.contains("6 searched, 6 games from the start"), "{info}");
    let first = info.lines().find(|line| line.contains(" games +")).unwrap();
    assert!(first.contains("cp "), "{info}");
    run(&["book", "info", &book, "--moves", "a4 a5 Rh5"], "").fails(1, "--moves, Rh5");
    assert!(run(&["book", "info", &book, "--moves", "a4 h5 h4"], "").ok().out.ends_with("not in the book\n"));
    let epd = run(&["book", "export", &book], "").ok().out;
    assert!(epd.starts_with(&format!("{} bm ", Position::startpos())), "{epd}");
    run(&["book", "info", &games], "").fails(1, "no opening book of Sakmak");
    // A file that is no file of searches stays as it is.
    for text in ["notes", "notes\nmore"] {
        let notes = folder.file("notes");
        std::fs::write(&notes, text).unwrap();
        let command = ["book", "build", "--out", &book, "--searches", &notes];
        run(&command, "").fails(1, "no file of searches");
        assert_eq!(std::fs::read_to_string(&notes).unwrap(), text);
    }
    // Nor are scores taken that no search finds.
    let wrong = folder.file("wrong.jsonl");
    let line = r#"{"key":"0000000000000001","depth":1,"nodes":1,"moves":[["a3a4",-2147483648]]}"#;
    let text = std::fs::read_to_string(&searches).unwrap();
    std::fs::write(&wrong, format!("{text}{line}\n{line}\n")).unwrap();
    let command = ["book", "build", "--out", &book, "--searches", &wrong, "--nodes", "200"];
    run(&command, "").fails(1, "a3a4 has the score -2147483648");
    // Other searches cannot be mixed with these.
    let command = ["book", "build", "--out", &book, "--searches", &searches, "--nodes", "300"];
    run(&command, "").fails(1, "was made otherwise");
}
