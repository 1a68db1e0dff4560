//! Interrupted matches: resumed, extended and divided runs end as whole ones do.

use std::fs;

use crate::common::arena::Arena;
use crate::common::engine::{limited, spec};
use crate::common::run;
use crate::matches::{assert_counted, two, with};

const GAMES: [&str; 4] = ["--games", "40", "--concurrency", "2"];

/// Games of each engine process before it waits. With two games at a time a run writes between four and six of them: a
/// game that waits may come before finished ones, which are written after it.
const LIMIT: &str = "3";

#[test]
fn a_killed_match_is_resumed() {
    let arena = Arena::new("killed");
    let limit = arena.file("limit");
    let engines = limited(&limit);
    let whole = arena.play("whole", &engines, &with(&GAMES));
    assert_eq!((whole.status, whole.games.len()), (Some(0), 40), "{}", whole.err);

    let file = arena.file("match.pgn");
    let written = || fs::read_to_string(&file).unwrap_or_default().matches("[GameNumber ").count();
    fs::write(&limit, LIMIT).unwrap();
    for (round, stop_at) in [1, 4, 8, 12, 16].into_iter().enumerate() {
        let args = if round == 0 { with(&GAMES) } else { with(&[&GAMES[..], &["--resume"]].concat()) };
        let mut running = arena.start("match", &engines, &args);
        assert_eq!(running.wait_until(|| written() >= stop_at), None, "it is killed before its end");
        // Interrupts at a different moment each time.
        std::thread::sleep(std::time::Duration::from_millis(7 * round as u64));
        running.signal("KILL");
        running.wait();
        arena.assert_deserted();
    }
    fs::remove_file(&limit).unwrap();
    let before = written();
    let resumed = arena.play("match", &engines, &with(&[&GAMES[..], &["--resume"]].concat()));
    assert_eq!(resumed.status, Some(0), "{}", resumed.err);
    assert!((16..40).contains(&before), "{before}");
    assert!(resumed.out.contains(" games are there already"), "{}", resumed.out);
    assert_eq!(resumed.essence(), whole.essence());
    assert_eq!(resumed.totals(), whole.totals());
    assert_counted(&resumed);

    // Nothing is left to do, and nothing changes.
    let pgn = resumed.pgn;
    let again = arena.play("match", &engines, &with(&[&GAMES[..], &["--resume"]].concat()));
    assert_eq!((again.status, &again.pgn), (Some(0), &pgn));
    assert_eq!(again.totals(), whole.totals());
}

#[test]
fn an_interrupted_match_ends_cleanly_and_is_resumed() {
    let arena = Arena::new("interrupted");
    let args = with(&["--games", "20", "--concurrency", "2"]);
    let limit = arena.file("limit");
    let engines = limited(&limit);
    let whole = arena.play("whole", &engines, &args);
    fs::write(&limit, LIMIT).unwrap();
    for (round, signal) in ["INT", "TERM", "HUP"].into_iter().enumerate() {
        let args = if round == 0 { args.clone() } else { [&args[..], &["--resume"]].concat() };
        let before = arena.look("match").games.len();
        let mut running = arena.start("match", &engines, &args);
        let file = arena.file("match.pgn");
        let written = || fs::read_to_string(&file).unwrap_or_default().matches("[GameNumber ").count();
        assert_eq!(running.wait_until(|| written() > before + 1), None);
        running.signal(signal);
        let status = running.wait();
        assert_eq!(status.code(), Some(0), "{signal}");
        arena.assert_deserted();
        let stopped = arena.look("match");
        assert!(stopped.out.contains("good against weak: "), "{}", stopped.out);
        let expected = format!("stopped after {} of 20 games in ", stopped.games.len());
        assert!(
            stopped.out.contains(&expected) && stopped.out.contains("--resume goes on"),
            "{}",
            stopped.out
        );
        assert!(stopped.games.len() < 20);
        assert_counted(&stopped);
    }
    fs::remove_file(&limit).unwrap();
    let resumed = arena.play("match", &engines, &[&args[..], &["--resume"]].concat());
    assert_eq!((resumed.status, resumed.essence()), (Some(0), whole.essence()), "{}", resumed.err);
    assert_eq!(resumed.totals(), whole.totals());
}

/// A match with engines that do not answer can be interrupted.
#[test]
fn hung_matches_can_be_interrupted() {
    let arena = Arena::new("hung");
    // An engine whose input is logged, and whether a line of it has this beginning.
    let log = |mode: &str| arena.file(&format!("{mode}.log"));
    let logged = |mode: &str| spec(mode, &format!(",option.Log={}", log(mode)));
    let came = |mode: &str, start: &str| {
        fs::read_to_string(log(mode)).unwrap_or_default().lines().any(|line| line.starts_with(start))
    };
    for mode in ["hangs", "babbles"] {
        let mut running = arena.start(mode, &[spec("good", ""), logged(mode)], &with(&["--games", "2"]));
        assert_eq!(running.wait_until(|| came(mode, "position")), None);
        running.signal("INT");
        assert_eq!(running.wait().code(), Some(0), "{mode}");
        arena.assert_deserted();
        assert!(arena.look(mode).out.contains("stopped after 0 of 2 games"), "{mode}");
    }
    // The second signal does not wait for engines that are still to start.
    let mut running =
        arena.start("twice", &[logged("no-readyok"), spec("good", "")], &with(&["--games", "2"]));
    assert_eq!(running.wait_until(|| came("no-readyok", "isready")), None);
    // Signals that follow at once may be seen as one.
    while running.is_running() {
        running.signal("INT");
        std::thread::sleep(std::time::Duration::from_millis(200));
    }
    assert_eq!(running.wait().code(), Some(130));
    arena.assert_deserted();
}

/// A match extended by more games is what it would have been from the start. No other setting may differ, and the error
/// names the one that does.
#[test]
fn a_match_is_extended() {
    let arena = Arena::new("extended");
    let with_games = |games, more: &[&'static str]| {
        [&["--nodes", "1", "--max-moves", "12", "--games", games], more].concat()
    };
    let whole = arena.play("whole", &two(), &with_games("8", &[]));
    assert_eq!(whole.games.len(), 8, "{}", whole.err);
    for (games, more) in [("2", &[][..]), ("6", &["--resume"]), ("8", &["--resume"])] {
        let played = arena.play("match", &two(), &with_games(games, more));
        assert_eq!(
            (played.status, played.games.len().to_string().as_str()),
            (Some(0), games),
            "{}",
            played.err
        );
        assert_counted(&played);
    }
    let extended = arena.look("match");
    assert_eq!((extended.essence(), extended.totals()), (whole.essence(), whole.totals()));
    // An incomplete file, and parts.
    let third = extended.pgn.match_indices("\n\n[Event").nth(2).expect("a fourth game").0 + 20;
    fs::write(arena.file("cut.pgn"), &extended.pgn[..third]).unwrap();
    let cut = arena.play("cut", &two(), &with_games("8", &["--resume"]));
    assert_eq!((cut.status, cut.essence()), (Some(0), whole.essence()), "{}", cut.err);
    let mut parts = std::collections::BTreeSet::new();
    for part in ["1/2", "2/2"] {
        let name = format!("part{}", &part[..1]);
        arena.play(&name, &two(), &with_games("4", &["--shard", part]));
        let played = arena.play(&name, &two(), &with_games("8", &["--shard", part, "--resume"]));
        assert_eq!((played.status, played.games.len()), (Some(0), 4), "{}", played.err);
        parts.extend(played.essence());
    }
    assert_eq!(parts, whole.essence());

    let limited = [spec("good", ",nodes=2"), spec("weak", "")];
    let optioned = [spec("good", ",option.Seed=7"), spec("weak", "")];
    for (engines, games, more, complaint) in [
        (&two(), "6", &[][..], "it holds games of a match with --games 8: that can be raised, not lowered"),
        (&two(), "8", &["--seed", "9"], "a match with other settings: --seed"),
        (&two(), "9", &["--seed", "9"], "--games must be even"),
        (&two(), "10", &["--margin", "9", "--seed", "2"], "a match with other settings: --seed; --margin"),
        (&two(), "10", &["--ruleset", "cutechess"], "a match with other settings: --ruleset"),
        (&two(), "8", &["--draw", "move=1,count=8,score=9"], "a match with other settings: --draw"),
        (&two(), "8", &["--shard", "1/2"], "another part of this match: --shard 1/1, not 1/2"),
        (&limited, "8", &[], "a match with other settings: limits or margins of engines"),
        (&optioned, "8", &[], "a match with other settings: options of engines"),
    ] {
        let refused = arena.play("match", engines, &with_games(games, &[&["--resume"], more].concat()));
        assert_eq!(refused.status, Some(2), "{complaint}");
        assert!(refused.err.contains(complaint), "{complaint}: {}", refused.err);
        assert_eq!(refused.pgn, extended.pgn, "{complaint}");
    }
}

#[test]
fn a_file_cut_anywhere_is_resumed() {
    let arena = Arena::new("cut");
    let args = ["--nodes", "1", "--max-moves", "12", "--games", "6"];
    let whole = arena.play("whole", &two(), &args);
    assert_eq!(whole.games.len(), 6, "{}", whole.err);
    let text = whole.pgn.as_bytes();
    let third = whole.pgn.match_indices("\n\n[Event").nth(2).expect("a third game").0;
    let middle = |number: u64| (number * 7_919 + 13) as usize % text.len();
    let cuts = (third - 3..third + 4).chain((1..6).map(middle)).chain([0, 1, text.len() - 1, text.len()]);
    for cut in cuts {
        fs::write(arena.file("cut.pgn"), &text[..cut]).unwrap();
        let _ = fs::remove_file(arena.file("cut.json"));
        let resumed = arena.play("cut", &two(), &[&args[..], &["--resume"]].concat()).ok();
        assert_eq!(resumed.essence(), whole.essence(), "cut at {cut}");
        assert_eq!(resumed.totals(), whole.totals(), "cut at {cut}");
    }
}

#[test]
fn parts_add_up_to_the_whole() {
    let arena = Arena::new("parts");
    let args = with(&["--games", "14"]);
    let whole = arena.play("whole", &two(), &args);
    let mut games = std::collections::BTreeSet::new();
    let mut files = Vec::new();
    for part in 1..=3 {
        let shard = format!("{part}/3");
        let name = format!("part{part}");
        let played = arena.play(&name, &two(), &[&args[..], &["--shard", &shard]].concat()).ok();
        assert_counted(&played);
        games.extend(played.essence());
        files.push(arena.file(&format!("{name}.json")));
    }
    assert_eq!(games, whole.essence());
    let sum = arena.file("sum.json");
    let merge = |files: &[&str]| run(&[&["merge", "--json", &sum], files].concat(), "");
    let files: Vec<&str> = files.iter().map(String::as_str).collect();
    let done = merge(&files).ok();
    let merged = arena.look("sum");
    assert_eq!(merged.totals(), whole.totals());
    let [won, drawn, lost] = whole.score("good");
    assert!(done.out.contains(&format!("good against weak: {won} - {drawn} - {lost}")), "{}", done.out);

    merge(&[files[0], files[1], files[0]]).fails(2, "part 1/3 is there already");
    let whole_again = merge(&[&sum, files[0]]);
    assert!(whole_again.err.contains("parted differently"), "{}", whole_again.err);

    fs::remove_file(&sum).unwrap();
    arena.play("other", &two(), &with(&["--games", "14", "--seed", "2", "--shard", "2/3"]));
    merge(&[files[0], &arena.file("other.json")])
        .fails(2, "other.json: this is part of a match with other settings");
    arena.play("longer", &two(), &with(&["--games", "20", "--shard", "2/3"]));
    let done = merge(&[files[0], &arena.file("longer.json")]);
    let longer = "longer.json: this is part of a match with --games 20, not 14";
    assert!(done.status == Some(2) && done.err.contains(longer), "{}", done.err);
    fs::write(arena.file("torn.json"), "{").unwrap();
    assert_eq!(merge(&[files[0], &arena.file("torn.json")]).status, Some(2));
    assert_eq!(merge(&[&arena.file("none.json")]).status, Some(2));
    assert!(!fs::exists(&sum).unwrap());
}
