//! The command `sakmak-tools spsa`.

use crate::common::engine::spec;
use crate::common::{Done, TempFile, run};

fn spsa(out: &TempFile, more: &[&str]) -> Done {
    let engine = spec("good", "");
    let fixed = ["spsa", "--engine", &engine, "--nodes", "1", "--max-moves", "20", "--out", out.path()];
    run(&[&fixed, more].concat(), "")
}

fn state(out: &TempFile) -> serde_json::Value {
    serde_json::from_str(&out.text()).expect("a state")
}

#[test]
fn pairs_are_played_and_the_tuning_goes_on() {
    let out = TempFile::absent("spsa.json");
    let done = spsa(&out, &["--param", "Seed=3", "--iterations", "4", "--concurrency", "2"]).ok();
    assert!(done.out.contains("4 of 4 pairs"), "{}", done.out);
    assert!(done.out.lines().last().is_some_and(|line| line.starts_with("Seed ")), "{}", done.out);
    assert_eq!(state(&out)["done"], 4);
    assert_eq!(state(&out)["parameters"][0]["name"], "Seed");

    let before = state(&out)["parameters"][0]["value"].clone();
    spsa(&out, &["--param", "Seed", "--iterations", "4", "--resume"]).ok();
    assert_eq!(state(&out)["parameters"][0]["value"], before, "nothing was left to play");

    let done = spsa(&out, &["--param", "Seed", "--iterations", "6", "--resume"]);
    assert_eq!((done.status, &state(&out)["done"]), (Some(0), &6.into()), "{}", done.err);
    spsa(&out, &["--param", "Delay", "--iterations", "6", "--resume"])
        .fails(2, "is about other parameters: Seed");
}

/// Of pairs played in parallel a later one may end first. It is not replayed, and the interrupted one is.
#[test]
fn pairs_that_ended_out_of_order_are_played_once() {
    let out = TempFile::absent("spsa-order.json");
    let log = TempFile::absent("spsa-order.log");
    let engine = spec("good", &format!(",option.Log={}", log.path()));
    let tune = |more: &[&str]| {
        let fixed = ["spsa", "--engine", &engine, "--nodes", "1", "--max-moves", "4", "--out", out.path()];
        run(&[&fixed[..], &["--param", "Seed=3"], more].concat(), "")
    };
    assert_eq!(tune(&["--iterations", "1"]).status, Some(0));
    let openings = || {
        let text = log.text();
        let starts = text.lines().filter(|line| line.starts_with("position ") && !line.contains(" moves "));
        starts.map(str::to_owned).collect::<std::collections::BTreeSet<_>>()
    };
    let first = openings();
    // Of three pairs the first was interrupted, the second one finished.
    let mut interrupted = state(&out);
    interrupted["ahead"] = serde_json::json!([2]);
    std::fs::write(out.path(), interrupted.to_string()).expect("the state");
    std::fs::remove_file(log.path()).expect("the log");
    tune(&["--iterations", "3", "--resume"]).ok();
    assert_eq!((&state(&out)["done"], state(&out).get("ahead")), (&3.into(), None));
    // Two games with two players each for the first and the third pair.
    assert_eq!(log.text().lines().filter(|line| *line == "ucinewgame").count(), 8);
    assert!(openings().is_superset(&first), "the first pair is played");
}

#[test]
fn a_rate_of_0_measures_two_values() {
    let out = TempFile::absent("spsa-measure.json");
    let done = spsa(&out, &["--param", "Seed=10..15", "--rate", "0", "--iterations", "3"]).ok();
    let parameter = &state(&out)["parameters"][0];
    assert_eq!((&parameter["value"], &parameter["step"]), (&12.5.into(), &2.5.into()));
    let last = done.out.lines().last().unwrap_or_default();
    assert!(last.starts_with("Seed ") && last.contains(" +/- "), "{}", done.out);
}

#[test]
fn a_tuning_is_never_begun_over_another() {
    let out = TempFile::absent("spsa-kept.json");
    let begin = ["--param", "Seed=3", "--iterations", "2"];
    spsa(&out, &begin).ok();
    let before = out.text();
    for more in [&[][..], &["--rate", "0.5"]] {
        spsa(&out, &[&begin, more].concat()).fails(2, "--resume goes on with the tuning").says(out.path());
        assert_eq!(out.text(), before);
    }
    let other = TempFile::new("spsa-other.json", "a letter");
    assert_eq!((spsa(&other, &begin).status, other.text().as_str()), (Some(2), "a letter"));
    assert_eq!(
        (spsa(&other, &[&begin[..], &["--resume"]].concat()).status, other.text().as_str()),
        (Some(2), "a letter")
    );
    // An empty file may be used for the state.
    let empty = TempFile::new("spsa-empty.json", "");
    assert_eq!(spsa(&empty, &begin).status, Some(0));
    assert_eq!(state(&empty)["done"], 2);
}

/// If the state could not be written, the engine is not even started.
#[test]
fn a_place_that_cannot_be_written_is_refused_before_the_work() {
    let file = TempFile::new("spsa-file", "x");
    for path in ["/no/such/folder/state.json".to_owned(), format!("{}/state.json", file.path())] {
        let engine = ["spsa", "--engine", "cmd=no-such-engine", "--nodes", "1", "--param", "Seed"];
        let done = run(&[&engine[..], &["--iterations", "2", "--out", &path]].concat(), "");
        assert_eq!(done.status, Some(2));
        assert!(done.err.contains(&path) && !done.err.contains("no-such-engine"), "{}", done.err);
    }
}

#[test]
fn errors_are_reported() {
    let out = TempFile::absent("spsa-wrong.json");
    for (args, message) in [
        (&["--param", "Nonsense"][..], "has no spin option Nonsense"),
        (&["--param", "Log"], "has no spin option Log"),
        (&["--param", "Seed=0"], "expected a step above 0, or LOW..HIGH"),
        (&["--param", "Seed=3..2"], "expected a step above 0, or LOW..HIGH"),
        (&["--param", "Seed", "--openings", "/nowhere"], "/nowhere"),
        (&["--param", "Seed", "--rate=-1"], "a number that is not negative is needed"),
    ] {
        spsa(&out, &[&["--iterations", "2"], args].concat()).fails(2, message);
    }
    let bad = TempFile::new("spsa-bad.json", "{\"parameters\": 1}");
    spsa(&bad, &["--param", "Seed", "--iterations", "2", "--resume"])
        .fails(2, "is not the state of a tuning");
}
