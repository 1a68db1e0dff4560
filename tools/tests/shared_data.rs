//! `replay` and `convert` on real games beside the repository. A test whose file is missing is ignored, with that as
//! the reason; the tests in `replay` and `convert` need no data.

#[path = "all/common/mod.rs"]
mod common;

use common::{Done, run, shared};
use libtest_mimic::{Arguments, Completion, Trial};
use sakmak_movegen::Ruleset;

const MAKRUK: &str = "pychess-makruk-2019-07_2020-04.pgn";
const CAMBODIAN: &str = "pychess-cambodian-2019-07_2020-04.pgn";
const SHEET: &str = "schemingmind-game.txt";

/// A test that needs a file.
fn trial(name: &str, file: &'static str, test: fn(&str)) -> Trial {
    Trial::ignorable_test(name, move || match shared(file) {
        Some(path) => {
            test(&path);
            Ok(Completion::Completed)
        }
        None => Ok(Completion::ignored_with(format!("needs ../shared/data/{file}"))),
    })
}

fn json(done: &Done) -> serde_json::Value {
    serde_json::from_str(&done.out).expect("one JSON document")
}

/// Asserts that every game of a file survives conversion to another notation and dialect.
fn comes_back(path: &str, notation: &str, dialect: &str) {
    let lines = run(&["convert", "--lines", path], "").out;
    assert!(lines.lines().count() > 1000);
    let text = run(&["convert", path, "--to", notation, "--dialect", dialect], "").out;
    let back = run(&["convert", "--lines"], &text);
    assert_eq!((back.status, back.err.as_str()), (Some(0), ""));
    assert!(back.out == lines, "{notation}");
}

fn replay_makruk(path: &str) {
    let done = run(&["replay", path, "--json"], "");
    let report = json(&done);
    assert_eq!((done.status, &report["games"]["read"]), (Some(1), &4577.into()));
    // Two games were set up with two khun of one colour.
    let broken: Vec<_> =
        report["broken_games"].as_array().expect("a list").iter().map(|game| &game["game"]).collect();
    assert_eq!(broken, [334, 2758], "{}", done.err);
}

fn replay_sheet_under_all_rules(path: &str) {
    for ruleset in Ruleset::NAMES {
        let done = run(&["replay", path, "--json", "--ruleset", ruleset], "");
        let report = json(&done);
        assert_eq!((done.status, &report["plies"]), (Some(0), &162.into()), "{ruleset}");
        assert_eq!(report["outcomes"][0]["outcome"], "checkmate by Black", "{ruleset}");
        assert_eq!(report["comparison"]["agrees"], 1, "{ruleset}");
    }
}

fn main() {
    let trials = vec![
        trial("convert_thai", MAKRUK, |path| comes_back(path, "thai-lan", "cutechess")),
        trial("convert_schemingmind", MAKRUK, |path| comes_back(path, "schemingmind", "plain")),
        trial("convert_cambodian", CAMBODIAN, |path| comes_back(path, "thai-san", "pychess")),
        trial("replay_makruk", MAKRUK, replay_makruk),
        trial("replay_schemingmind", SHEET, replay_sheet_under_all_rules),
    ];
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}
