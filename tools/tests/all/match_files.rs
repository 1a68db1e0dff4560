//! The files of matches: no game is lost, overwritten, or written twice.

use std::fs;
use std::process::Command;

use crate::common::arena::{Arena, Running};
use crate::common::engine::{limited, spec};
use crate::common::run;
use sakmak_matches::tournament::report::MatchReport;

fn two() -> [String; 2] {
    [spec("good", ""), spec("weak", "")]
}

const SHORT: [&str; 6] = ["--nodes", "1", "--max-moves", "6", "--games", "4"];

/// The command line of a match without output files.
fn command<'a>(engines: &'a [String; 2], args: &[&'a str]) -> Vec<&'a str> {
    [&["match", "--engine", &engines[0], "--engine", &engines[1]], args].concat()
}

/// Waits until a match has written a game.
fn wait_for_a_game(running: &mut Running, pgn: &str) {
    let begun = || fs::read_to_string(pgn).unwrap_or_default().contains("[GameNumber ");
    running.wait_for(begun);
}

/// Unwritable outputs are refused before the first game, and before any engine is started.
#[test]
fn unwritable_files_are_refused_before_the_first_game() {
    let arena = Arena::new("unwritable");
    let log = arena.file("log");
    let engines = [spec("good", &format!(",option.Log={log}")), spec("weak", "")];
    let folder = arena.file("folder");
    fs::create_dir(&folder).unwrap();
    let missing = arena.file("missing/report.json");
    let notes = arena.file("notes");
    fs::write(&notes, "not a report").unwrap();
    for (option, path, complaint) in [
        ("--json", &missing, "No such file"),
        ("--json", &folder, "directory"),
        ("--json", &notes, "it holds something else than the report of a match"),
        ("--pgn", &missing, "No such file"),
        ("--pgn", &folder, "directory"),
    ] {
        let done = run(&command(&engines, &[&SHORT[..], &[option, path]].concat()), "")
            .fails(2, path)
            .says(complaint);
        assert!(!done.out.contains("game 1 ") && !fs::exists(&log).unwrap(), "{option} {path}: {}", done.out);
    }
    assert_eq!(fs::read_to_string(&notes).unwrap(), "not a report");
}

/// The report's folder disappears during the match: totals and report are printed instead.
#[test]
fn a_report_that_cannot_be_written_is_printed() {
    let arena = Arena::new("vanishing");
    let folder = arena.file("folder");
    fs::create_dir(&folder).unwrap();
    let json = format!("{folder}/report.json");
    // The match waits after its first game until the folder is gone.
    let limit = arena.file("limit");
    fs::write(&limit, "1").unwrap();
    let engines = limited(&limit);
    let pgn = arena.file("match.pgn");
    let games = pgn.clone();
    let remover = std::thread::spawn(move || {
        while !fs::read_to_string(&games).unwrap_or_default().contains("[GameNumber ") {
            std::thread::sleep(std::time::Duration::from_millis(2));
        }
        fs::remove_dir_all(&folder).unwrap();
        fs::remove_file(&limit).unwrap();
    });
    let done = run(&command(&engines, &[&SHORT[..], &["--json", &json, "--pgn", &pgn]].concat()), "");
    remover.join().unwrap();
    assert_eq!(done.status, Some(2), "{}", done.err);
    assert!(done.err.contains(&json) && done.err.contains("No such file"), "{}", done.err);
    assert!(done.out.contains("good against weak: "), "{}", done.out);
    let (_, text) = done.err.split_once("what was to be written:\n\n").expect("the report");
    let mut reports = serde_json::Deserializer::from_str(text).into_iter::<MatchReport>();
    let report = reports.next().expect("a report").expect("a report");
    assert_eq!(report.totals.engines[0].games, 4);
    assert_eq!(fs::read_to_string(&pgn).unwrap().matches("[GameNumber ").count(), 4);
}

/// The disk is full: the game is printed, the file ends with the game before, and the match can be resumed.
#[test]
fn a_full_disk_loses_no_game() {
    let arena = Arena::new("full");
    let engines = two();
    let pgn = arena.file("match.pgn");
    let args = [&SHORT[..], &["--pgn", &pgn]].concat();
    let whole = arena.play("whole", &engines, &SHORT);
    // Two and a half games, in blocks of 512 bytes.
    let second = whole.pgn.match_indices("\n\n[Event").nth(1).expect("a third game").0 + 2;
    let blocks = second.div_ceil(512) + 1;
    let limited = format!("trap '' XFSZ; ulimit -f {blocks}; exec \"$0\" \"$@\"");
    let output = Command::new("sh")
        .args(["-c", &limited, env!("CARGO_BIN_EXE_sakmak-tools")])
        .args(command(&engines, &args))
        .output()
        .expect("a shell");
    let (out, err) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert_eq!(output.status.code(), Some(2), "{err}");
    assert!(err.contains("match.pgn: File too large"), "{err}");
    assert!(out.contains("good against weak: ") && out.contains("broken off after 2 of 4 games"), "{out}");
    assert!(out.contains("--resume goes on"), "{out}");
    // The third game is printed completely.
    let (_, shown) = err.split_once("what was to be written:\n\n").expect("the game");
    assert!(shown.contains("[GameNumber \"3\"]") && shown.contains(" 1/2-1/2\n"), "{shown}");
    let written = fs::read_to_string(&pgn).unwrap();
    assert_eq!(written.matches("[GameNumber ").count(), 2);
    assert!(written.ends_with("\n\n"), "{written}");
    let resumed = arena.play("match", &engines, &[&SHORT[..], &["--resume"]].concat());
    assert_eq!((resumed.status, resumed.essence()), (Some(0), whole.essence()), "{}", resumed.err);

    run(&command(&engines, &[&SHORT[..], &["--pgn", "/dev/full"]].concat()), "")
        .fails(2, "/dev/full: No space left on device")
        .says("[GameNumber \"1\"]");
    for option in ["--pgn", "--json"] {
        run(&command(&engines, &[&SHORT[..], &[option, "/dev/null"]].concat()), "").ok();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}

/// Two matches do not write one file.
#[test]
fn the_files_of_a_match_are_its_own() {
    let arena = Arena::new("locked");
    let limit = arena.file("limit");
    fs::write(&limit, "1").unwrap();
    let engines = limited(&limit);
    let (pgn, json) = (arena.file("match.pgn"), arena.file("match.json"));
    let mut running =
        arena.start("match", &engines, &["--nodes", "1", "--max-moves", "20", "--games", "100"]);
    wait_for_a_game(&mut running, &pgn);
    for args in [&["--pgn", &pgn][..], &["--pgn", &pgn, "--resume"], &["--json", &json]] {
        let same = ["--nodes", "1", "--max-moves", "20", "--games", "100"];
        let done = run(&command(&engines, &[&same[..], args].concat()), "");
        assert_eq!(done.status, Some(2), "{args:?}");
        let expected = format!("{}: another run is writing this file", args[1]);
        assert!(done.err.contains(&expected), "{args:?}: {}", done.err);
    }
    running.signal("INT");
    assert_eq!(running.wait().code(), Some(0));
    let left = arena.look("match");
    assert!(left.essence().len() < 100);
    let counted = left.report.totals.engines[0].games;
    assert_eq!(left.games.len() as u64, counted);
}

/// A report with results is replaced only by its own match.
#[test]
fn reports_are_not_overwritten() {
    let arena = Arena::new("reports");
    let engines = two();
    let json = arena.file("match.json");
    let played = arena.play("match", &engines, &[&SHORT[..], &["--shard", "1/2"]].concat());
    assert_eq!(played.status, Some(0), "{}", played.err);
    let before = fs::read_to_string(&json).unwrap();
    let fresh = arena.file("fresh.pgn");
    for (args, complaint) in [
        (&["--shard", "1/2"][..], "there is a report already (--resume goes on with it and its PGN file)"),
        (&["--shard", "1/2", "--pgn", &fresh, "--resume"], "there is a report already"),
        (&["--shard", "2/2", "--pgn", &fresh, "--resume"], "it is the report of another part of the match"),
        (&["--seed", "9", "--pgn", &fresh, "--resume"], "it is the report of a match with other settings"),
    ] {
        run(&command(&engines, &[&SHORT[..], &["--json", &json], args].concat()), "")
            .fails(2, &format!("{json}: {complaint}"));
        assert_eq!(fs::read_to_string(&json).unwrap(), before);
    }

    // Sums may be replaced by new ones; reports of parts and of other matches may not.
    let other = arena.play("other", &engines, &[&SHORT[..], &["--seed", "9"]].concat()).ok();
    let merge = |into: &str| run(&["merge", &json, "--json", into], "");
    let sum = arena.file("sum.json");
    assert_eq!((merge(&sum).status, merge(&sum).status), (Some(0), Some(0)));
    let dotted = format!("{}/./match.json", arena.file(""));
    for (into, complaint) in [
        (json.clone(), "is to be read, not written"),
        (dotted, "is to be read, not written"),
        (arena.file("other.json"), "it is the report of a match with other settings"),
        (arena.file("match.pgn"), "it holds something else than the report of a match"),
        (arena.file("missing/sum.json"), "No such file"),
    ] {
        merge(&into).fails(2, &into).says(complaint);
    }
    // The sum is printed even if it cannot be written.
    assert!(merge(&arena.file("missing/sum.json")).out.contains("good against weak: "));
    assert_eq!(fs::read_to_string(&json).unwrap(), before);
    assert_eq!(arena.look("other").pgn, other.pgn);
}

/// A text that is no match is not taken for an incomplete game.
#[test]
fn resuming_leaves_other_texts_alone() {
    let arena = Arena::new("foreign");
    let pgn = arena.file("match.pgn");
    for text in ["some notes\n", "[Event \"x\"]\n\n1. e4 e5 1-0\n", "[White \"x\"]\n\n1. e4 e5 1-0"] {
        fs::write(&pgn, text).unwrap();
        let done = arena.play("match", &two(), &[&SHORT[..], &["--resume"]].concat());
        assert_eq!(done.status, Some(2), "{text:?}");
        assert!(done.err.contains("match.pgn: it ends with something that is no game"), "{}", done.err);
        assert_eq!(fs::read_to_string(&pgn).unwrap(), text);
    }
}

#[test]
fn files_of_other_matches_are_left_alone() {
    let arena = Arena::new("others");
    let played = arena.play("match", &two(), &SHORT);
    let refused = |engines: &[String], args: &[&str], complaint: &str| {
        let done = arena.play("match", engines, args);
        assert_eq!(done.status, Some(2), "{args:?}");
        assert!(done.err.contains(complaint) && done.err.contains("match.pgn"), "{args:?}: {}", done.err);
        assert_eq!(done.pgn, played.pgn);
    };
    refused(&two(), &SHORT, "there are games already");
    let other = "a match with other settings";
    let resume = |args: &[&'static str]| [&SHORT[..4], &["--resume"], args].concat();
    refused(&two(), &resume(&["--games", "4", "--seed", "7"]), other);
    refused(&two(), &["--nodes", "2", "--max-moves", "6", "--games", "4", "--resume"], other);
    refused(&[spec("good", ",option.Seed=1"), spec("weak", "")], &resume(&["--games", "4"]), other);
    refused(&two(), &resume(&["--games", "4", "--ruleset", "schemingmind"]), other);

    // The first versions wrote only sixteen digits.
    let older = played.pgn.replace("[Match \"v3-", "[Match \"");
    fs::write(arena.file("older.pgn"), &older).unwrap();
    let done = arena.play("older", &two(), &resume(&["--games", "4"]));
    assert_eq!((done.status, &done.pgn), (Some(2), &older));
    assert!(
        done.err.contains("older.pgn: game 1 belongs to a match of a version that marked"),
        "{}",
        done.err
    );

    let broken = arena.file("broken.pgn");
    fs::write(&broken, "[Event \"x\"]\n\n1. e4 e5 1-0\n\n").unwrap();
    arena.play("broken", &two(), &resume(&["--games", "4"])).fails(2, "broken.pgn");
    // --resume without a file begins a match.
    assert_eq!(arena.play("new", &two(), &resume(&["--games", "4"])).games.len(), 4);
}
