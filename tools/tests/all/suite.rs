//! The command `sakmak-tools suite`, and the positions that come with the program.

use std::collections::HashSet;
use std::fs;

use crate::common::{TempFile, run};
use crate::tablebase::folder_of;
use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_movegen::Position;

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/count-suite.epd");
const WINS: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/bare-wins.epd");

/// The lines of a file without its comment lines.
fn lines(path: &str) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.starts_with('#')).map(str::to_owned).collect()
}

/// The operand of an EPD operation.
fn operand<'a>(line: &'a str, code: &str) -> &'a str {
    let rest = line.split_once(&format!(" {code} \"")).unwrap_or_else(|| panic!("{code} in {line}")).1;
    rest.split_once('"').unwrap().0
}

#[test]
fn every_line_is_a_position_of_its_own() {
    for (path, number) in [(SUITE, 60), (WINS, 100)] {
        let lines = lines(path);
        assert_eq!(lines.len(), number);
        let (mut ids, mut keys) = (HashSet::new(), HashSet::new());
        for line in &lines {
            let fen = line.split(' ').take(6).collect::<Vec<_>>().join(" ");
            let position = Position::from_fen(&fen).unwrap();
            assert_eq!(position.to_string(), fen);
            assert_eq!(position.outcome(), None, "{line}");
            assert!(ids.insert(operand(line, "id")) && keys.insert(position.key()), "{line}: twice");
            assert!(["win", "draw"].contains(&operand(line, "c0")), "{line}");
        }
    }
}

/// Only a part of them, as solving the endings takes time; `suite check FILE` proves all.
#[test]
fn lines_are_proven_again() {
    for (path, every) in [(SUITE, "7"), (WINS, "31")] {
        let done = run(&["suite", "check", "--every", every, path], "").ok();
        assert!(done.out.ends_with("positions proven\n"), "{}", done.out);
    }
}

#[test]
fn errors_are_reported() {
    let right = "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 bm b1b8; id \"hunt.01\"; c0 \"win\"; c1 \"\";\n";
    for (line, message) in [
        (right.replace("b1b8", "b1b7"), "has the other result"),
        (right.replace("16 15", "16 13"), "has the other result"),
        (right.replace("b1b8", "b1c8"), "not legal"),
        (right.replace("win", "loss"), "neither win nor draw"),
    ] {
        let file = TempFile::new("wrong.epd", &line);
        run(&["suite", "check", file.path()], "").fails(1, message);
    }
    let file = TempFile::new("right.epd", right);
    assert_eq!(run(&["suite", "check", file.path()], "").out, "1 of 1 positions proven\n");
}

#[test]
fn other_files_are_not_replaced_and_bad_places_refused_before_the_work() {
    // Making a suite takes half a minute.
    let file = TempFile::new("suite-mine.epd", "# sakmak-tools openings\n");
    let below = format!("{}/x", file.path());
    for command in ["make", "bare"] {
        for path in [file.path(), &below, "/no/such/folder/x"] {
            let done = run(&["suite", command, "--output", path], "");
            assert_eq!((done.status, done.out.as_str()), (Some(1), ""), "{path}");
            assert!(done.err.contains(path), "{}", done.err);
        }
    }
    assert_eq!(file.text(), "# sakmak-tools openings\n");
    // The commands may replace their own files.
    for (path, command) in [(SUITE, "make"), (WINS, "bare")] {
        assert!(fs::read_to_string(path).unwrap().starts_with(&format!("# sakmak-tools suite {command} ")));
    }
}

#[cfg(unix)]
mod engines {
    use super::*;
    use crate::common::engine::spec;

    /// The JSON report with the scripted engine.
    fn report(command: &str, path: &str) -> serde_json::Value {
        let spec = spec("good", "");
        let done = run(&["suite", command, "--engine", &spec, "--nodes", "1", "--json", path], "").ok();
        serde_json::from_str(&done.out).unwrap()
    }

    #[test]
    fn engines_are_asked() {
        let report = &report("run", SUITE)[0];
        let failures = report["failures"].as_array().unwrap().len() as u64;
        assert_eq!(report["engine"], "good");
        assert_eq!(report["solved"].as_u64().unwrap() + failures, 60);
        // It captures whatever it can, which is not always right here.
        assert!((1..59).contains(&failures), "{report}");
    }

    #[test]
    fn too_few_solved_is_a_failure() {
        let spec = spec("good", "");
        for (least, status) in [("1", Some(0)), ("60", Some(1))] {
            let args = ["suite", "run", "--engine", &spec, "--nodes", "1", "--at-least", least, SUITE];
            let done = run(&args, "");
            assert_eq!(done.status, status, "{}", done.err);
            assert!(done.out.contains(" of 60 solved"), "{}", done.out);
        }
    }

    #[test]
    fn engines_hunt() {
        let won = lines(WINS).into_iter().find(|line| line.contains("id \"R.01\"")).unwrap();
        let mate = "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 id \"RR.01\"; c0 \"win\"; c1 \"\";";
        let file = TempFile::new("hunt.epd", format!("{won}\n{mate}\n"));
        let report = &report("hunt", file.path())[0];
        let failures = report["failures"].as_array().unwrap();
        assert_eq!(report["mated"].as_u64().unwrap() + failures.len() as u64, 2);
        assert!(failures.iter().any(|failure| failure["id"] == "R.01"), "it plays at random: {report}");
    }
}

#[test]
fn positions_with_moves_that_lose_value_are_made_from_tables() {
    let folder = folder_of(&["KRvK", "KBvK", "KMvK", "KBvKB", "KMvKB", "KMvKM"]);
    let make = |names: &[&str]| {
        run(&[&["suite", "kept", "--positions", "20", "--tablebase", folder.path()], names].concat(), "")
    };
    let text = make(&["KRvK"]).ok().out;
    assert_eq!(text, make(&["KRvK"]).out);
    let lines: Vec<_> = text.lines().filter(|line| !line.starts_with('#')).collect();
    assert_eq!(lines.len(), 20);
    let (tables, _) = Tablebases::open([folder.path()]);
    let points = |position: &Position| match tables.probe(position).expect("a value").value {
        Value::Win(_) => 1,
        Value::Draw => 0,
        Value::Loss(_) => -1,
    };
    for line in lines {
        let fen = line.split(' ').take(6).collect::<Vec<_>>().join(" ");
        let position = Position::from_fen(&fen).unwrap();
        let (code, moves) = if line.contains(" bm ") { ("bm", " bm ") } else { ("am", " am ") };
        let named: Vec<_> = line.split_once(moves).unwrap().1.split_once(';').unwrap().0.split(' ').collect();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let keeps = points(&after) == -points(&position);
            let is_named = named.contains(&mv.to_string().as_str());
            assert_eq!(keeps, is_named == (code == "bm"), "{mv} in {line}");
        }
    }
    // Nobody wins it.
    make(&["KBvKB"]).fails(1, "20 positions too few");
    make(&["KRvKS"]).fails(1, "no table of KSvK; `sakmak-tools tablebase build KRvKS`");
}
