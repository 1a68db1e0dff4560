//! Two runs never write one file, and a killed run leaves no lock behind.

use std::fs;

use sakmak_files::output::FileLock;

use crate::common::arena::Running;
use crate::common::engine::spec;
use crate::common::{Folder, TempFile, run};
use crate::train::{file_of_games, positions};

const REFUSED: &str = "another run is writing this file";
const GAME: &str = "[Event \"Test\"]\n[Result \"*\"]\n\n1. d4 {+0.10/3 0.1s} d5 {+0.10/3 0.1s} 2. e4 *\n\n";

/// The size of a file; 0 without one.
fn size(path: &str) -> u64 {
    fs::metadata(path).map_or(0, |data| data.len())
}

/// Starts a run and checks that the same one is refused, with and without `--resume`. Then kills the running one.
fn refuse_and_kill(args: &[&str], path: &str, is_at_work: impl Fn() -> bool) {
    let mut first = Running::start(args);
    first.wait_for(is_at_work);
    for more in [&[][..], &["--resume"]] {
        let second = run(&[args, more].concat(), "");
        assert!(matches!(second.status, Some(1 | 2)), "{args:?}: {}", second.err);
        assert!(second.err.contains(&format!("{path}: {REFUSED}")), "{args:?}: {}", second.err);
    }
    assert!(first.is_running(), "{args:?}: the first run goes on");
    first.kill();
}

#[test]
fn games_of_self_play() {
    let folder = Folder::new();
    let out = folder.file("games.bin");
    let args = ["datagen", "play", "--nodes", "50", "--games", "1000000", "--out", &out];
    refuse_and_kill(&args, &out, || size(&out) > 1_000);
    let before = size(&out);
    let mut resumed = Running::start(&[&args[..], &["--resume"]].concat());
    resumed.wait_for(|| size(&out) > before + 1_000);
    resumed.kill();
    assert_eq!(run(&["datagen", "info", "--check", &out], "").status, Some(0));
}

#[test]
fn annotated_games() {
    let folder = Folder::new();
    let [input, out, json] = ["in.pgn", "out.pgn", "out.jsonl"].map(|name| folder.file(name));
    fs::write(&input, GAME.repeat(300)).expect("games");
    let files = ["annotate", &input, "--out", &out, "--json", &json, "--threads", "1"];
    let slow = [&files[..], &["--nodes", "200000"]].concat();
    refuse_and_kill(&slow, &out, || size(&out) > 1_000);
    // Another output, but the same file of lines.
    let other = folder.file("other.pgn");
    let lock = FileLock::acquire(json.as_ref()).expect("a lock").expect("a free one");
    run(&["annotate", &input, "--out", &other, "--json", &json, "--nodes", "1", "--resume"], "")
        .fails(2, &format!("{json}: {REFUSED}"));
    drop(lock);
    run(&[&files[..], &["--nodes", "1", "--resume"]].concat(), "").ok();
    let text = fs::read_to_string(&json).expect("lines");
    let numbers = text.lines().map(|line| {
        let line: serde_json::Value = serde_json::from_str(line).expect("JSON");
        line["game"].as_u64().expect("a number")
    });
    assert!(numbers.eq(1..=300), "each game once");
    assert_eq!(fs::read_to_string(&out).expect("games").matches("[Event ").count(), 300);
}

#[test]
fn states_of_tunings() {
    let folder = Folder::new();
    let out = folder.file("spsa.json");
    let engine = spec("good", "");
    let args = ["spsa", "--engine", &engine, "--nodes", "1", "--max-moves", "4", "--param", "Seed=3"];
    let args = [&args[..], &["--concurrency", "2", "--out", &out]].concat();
    refuse_and_kill(&[&args[..], &["--iterations", "10000000"]].concat(), &out, || size(&out) > 0);
    let state =
        || serde_json::from_slice::<serde_json::Value>(&fs::read(&out).expect("a state")).expect("JSON");
    let wanted = state()["done"].as_u64().expect("a number") + 3;
    let done = run(&[&args[..], &["--iterations", &wanted.to_string(), "--resume"]].concat(), "");
    assert_eq!((done.status, state()["done"].as_u64()), (Some(0), Some(wanted)), "{}", done.err);
    assert_eq!(fs::read_dir(folder.path()).expect("a folder").count(), 1, "no lock is left");
}

#[test]
fn networks_in_training() {
    let games = file_of_games("locked.games", 0..12);
    let folder = Folder::new();
    let [training, out] = ["train.pos", "out.network"].map(|name| folder.file(name));
    assert_eq!(positions(&[&training, games.path()]).status, Some(0));
    let args = ["train", &training, "--epochs", "100000000", "--batch", "64", "--width", "16", "--out", &out];
    let checkpoint = format!("{out}.checkpoint");
    refuse_and_kill(&args, &out, || size(&checkpoint) > 0);
    let contents = || fs::read(&checkpoint).expect("a checkpoint");
    let before = contents();
    let mut resumed = Running::start(&[&args[..], &["--resume"]].concat());
    resumed.wait_for(|| contents() != before);
    resumed.kill();
}

/// Every command that writes a file refuses a locked one before its work, and leaves it unchanged.
#[test]
fn all_commands_respect_the_lock() {
    let games = file_of_games("locks.games", 0..2);
    let pgn = TempFile::new("locks.pgn", GAME);
    let folder = Folder::new();
    let out = folder.file("out");
    let lock = FileLock::acquire(out.as_ref()).expect("a lock").expect("a free one");
    let engine = spec("good", "");
    for args in [
        &["datagen", "play", "--games", "1", "--out", &out][..],
        &["datagen", "merge", &out, games.path()],
        &["datagen", "import", &out, pgn.path()],
        &["datagen", "positions", &out, games.path()],
        &["datagen", "positions", &folder.file("other"), games.path(), "--held-out", &out],
        &["convert", pgn.path(), "--output", &out],
        &["annotate", pgn.path(), "--nodes", "1", "--out", &out],
        &["annotate", pgn.path(), "--nodes", "1", "--out", &folder.file("new"), "--report", &out],
        &["openings", "--count", "1", "--output", &out],
        &["spsa", "--engine", &engine, "--nodes", "1", "--param", "Seed", "--iterations", "1", "--out", &out],
    ] {
        let done = run(args, "");
        assert!(matches!(done.status, Some(1 | 2)), "{args:?}: {}", done.err);
        assert!(done.err.contains(REFUSED), "{args:?}: {}", done.err);
        assert!(!fs::exists(&out).expect("a folder"), "{args:?}");
    }
    drop(lock);
    assert_eq!(run(&["convert", pgn.path(), "--output", &out], "").status, Some(0));
}
