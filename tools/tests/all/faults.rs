//! Engines that misbehave in every way there is a mode for: the match must survive and report the engine.

use std::any::Any;

use crate::common::arena::{Arena, PlayedGame, tag};
use crate::common::engine::{BAD_FROM, spec};
use sakmak_games::pgn::PgnResult;
use sakmak_matches::statistics::Multinomial;

/// Games per drill.
const GAMES: u64 = 4;

/// Plays games of a good engine against a bad one; `rest` is appended to the bad one's description.
fn drill(mode: &str, rest: &str, games: u64, args: &[&str]) -> PlayedGame {
    let arena = Arena::new(mode);
    let games = games.to_string();
    let common = ["--nodes", "1", "--games", &games, "--max-moves", "6"];
    // Time enough for idle engines to fill their pipes.
    let good = spec("good", if mode == "flood-idle" { ",option.Delay=500" } else { "" });
    let played = arena.play("drill", &[good, spec(mode, rest)], &[&common, args].concat());
    for game in &played.games {
        println!("{mode}: {} {} ({})", game.result, tag(game, "Reason"), tag(game, "Termination"));
    }
    for fault in &played.report.faults {
        println!("{mode}: {}", fault.fault);
    }
    println!("{mode}: status {:?}, {}", played.status, played.err);
    played
}

/// Asserts that a bad engine loses every game with this error.
fn loses(mode: &str, rest: &str, games: u64, args: &[&str], fault: &str, termination: &str) {
    let played = drill(mode, rest, games, args);
    assert_eq!(played.status, Some(1), "{mode}");
    assert_eq!(played.numbers(), (1..=games).collect::<Vec<_>>(), "{mode}: no game is lost");
    for game in &played.games {
        let bad_is_white = tag(game, "White") == mode;
        let (winner, loser) = if bad_is_white { ("black", "white") } else { ("white", "black") };
        let result = if bad_is_white { PgnResult::BlackWins } else { PgnResult::WhiteWins };
        assert_eq!(game.result, result, "{mode}");
        let reason = tag(game, "Reason");
        assert!(reason.starts_with(&format!("{winner} wins ({loser} {fault}")), "{mode}: {reason}");
        assert_eq!(tag(game, "Termination"), termination, "{mode}");
        // The game ends with the error; on a very busy machine it may be lost on time before.
        let plies = game.moves.len();
        assert!(plies <= BAD_FROM + 3, "{mode}: {plies}");
        assert!(plies >= BAD_FROM || termination == "time forfeit", "{mode}: {plies}");
        assert_eq!(tag(game, "PlyCount"), game.moves.len().to_string(), "{mode}");
    }
    let totals = &played.report.totals;
    assert_eq!(totals.encounters[0].games.wins, games, "{mode}");
    assert_eq!((totals.engines[0].faults, totals.engines[1].faults), (0, games), "{mode}");
    let late = if termination == "time forfeit" { games } else { 0 };
    assert_eq!(totals.engines[1].time_losses, late, "{mode}");
    assert_eq!(played.report.faults.len() as u64, games, "{mode}");
    for report in &played.report.faults {
        assert_eq!(report.engine, mode);
        assert!(report.fault.starts_with(fault), "{mode}: {}", report.fault);
        assert!(!report.dialogue.is_empty(), "{mode}");
        assert!(!report.dialogue.iter().any(|line| line.contains(char::is_control)), "{:?}", report.dialogue);
        assert!(played.err.contains(&format!("game {}: {mode} ({}) {fault}", report.game, report.color)));
        if !["garbage", "babbles"].contains(&mode) {
            let requested =
                report.dialogue.iter().any(|line| line.starts_with("> go nodes 1") || line == "> isready");
            assert!(requested, "{mode}: {:?}", report.dialogue);
        }
    }
    if mode == "exits" {
        let received =
            played.report.faults.iter().all(|report| report.dialogue.contains(&"! last words".to_owned()));
        assert!(received, "{:?}", played.report.faults);
    }
    bounded(&played);
}

/// Asserts that the runner's memory stays bounded.
fn bounded(played: &PlayedGame) {
    println!("{} MiB", played.peak / 1024);
    assert!(played.peak < 64 * 1024, "{} KiB", played.peak);
}

/// Asserts that an odd but correct engine is not blamed.
fn is_fine(mode: &str) {
    let played = drill(mode, "", GAMES, &[]);
    assert_eq!((played.status, played.report.faults.len()), (Some(0), 0), "{mode}: {}", played.err);
    assert_eq!(played.numbers(), (1..=GAMES).collect::<Vec<_>>(), "{mode}");
    assert!(played.games.iter().all(|game| tag(game, "Termination") != "abandoned"), "{mode}");
    bounded(&played);
}

/// Asserts that an engine prevents the match, with this message.
fn cannot_be_played(mode: &str, args: &[&str], complaint: &str) {
    let played = drill(mode, "", GAMES, args);
    assert_eq!(played.status, Some(2), "{mode}");
    let expected = format!("error: {mode} {complaint}");
    assert!(played.err.lines().any(|line| line.starts_with(&expected)), "{mode}: {}", played.err);
    assert!(played.games.is_empty(), "{mode}");
}

macro_rules! losers {
    ($($name:ident: $mode:literal, $fault:literal, $termination:literal;)*) => {
        $(#[test]
        fn $name() {
            loses($mode, "", GAMES, &[], $fault, $termination);
        })*
    };
}

losers! {
    illegal_moves: "illegal", "made an illegal move: a1h8", "rules infraction";
    moves_of_the_other_side: "not-its-piece", "made an illegal move: a", "rules infraction";
    moves_that_are_none: "malformed", "made an illegal move: z9", "rules infraction";
    moves_that_would_break_the_files: "hostile", "made an illegal move: \"]}{%;\\)1-0*?[2J?", "rules infraction";
    no_move_in_brackets: "none", "gave no move: (none)", "rules infraction";
    the_null_move: "null", "gave no move: 0000", "rules infraction";
    bestmove_without_a_move: "empty", "gave no move", "rules infraction";
    exits_in_search: "exits", "ended (exit status: 5)", "abandoned";
    aborts_in_search: "aborts", "ended (signal: 6", "abandoned";
    killed_in_search: "killed", "ended (signal: 9", "abandoned";
    output_closed: "closes-stdout", "closed the connection", "abandoned";
    input_closed: "closes-stdin", "closed the connection", "abandoned";
}

macro_rules! fine {
    ($($name:ident: $mode:literal;)*) => {
        $(#[test]
        fn $name() {
            is_fine($mode);
        })*
    };
}

fine! {
    good_engines_are_not_blamed: "good-too";
    floods_of_info: "info-flood";
    floods_of_complaints: "stderr-flood";
    bytes_that_are_no_text: "not-utf8";
    very_long_lines: "long-lines";
    every_move_twice: "twice";
    a_move_before_it_is_asked: "stale";
    blanks_everywhere: "untidy";
    deaf_to_quit_and_sigterm: "stubborn";
    grandchildren_die_too: "grandchild";
}

/// In one test, as each of these takes its time.
#[test]
fn engines_that_keep_us_waiting() {
    let late = ",movetime=50,margin=50";
    let long_margin = ",movetime=50,margin=5000";
    // Time enough for the good engine, however busy the machine.
    let brief = ["--longest-move", "10"];
    let start = ["--start-time", "5"];
    let drills: &[(&str, &(dyn Fn() + Sync))] = &[
        ("late", &|| loses("late", late, 2, &[], "lost on time by ", "time forfeit")),
        ("hangs", &|| loses("hangs", long_margin, 2, &[], "did not move", "time forfeit")),
        ("garbage", &|| loses("garbage", "", 2, &brief, "did not move", "time forfeit")),
        ("babbles", &|| loses("babbles", "", 2, &brief, "did not move", "time forfeit")),
        ("readyok-lost", &|| loses("readyok-lost", "", 2, &[], "does not answer isready", "abandoned")),
        ("slow-start", &|| is_fine("slow-start")),
        ("flood-idle", &|| is_fine("flood-idle")),
        ("no-uciok", &|| cannot_be_played("no-uciok", &start, "does not answer uci within 5 s (it wrote ")),
        ("no-uciok", &|| cannot_be_played("no-uciok", &[], "does not answer uci within 10 s (")),
        ("no-readyok", &|| cannot_be_played("no-readyok", &start, "does not answer isready")),
    ];
    // The failures come last, so that they are seen where output is cut.
    let failures: Vec<String> = std::thread::scope(|scope| {
        let running: Vec<_> = drills.iter().map(|(mode, drill)| (mode, scope.spawn(drill))).collect();
        let ended = running.into_iter().map(|(mode, drill)| (mode, drill.join()));
        ended.filter_map(|(mode, ended)| Some(format!("{mode}: {}", reason(&*ended.err()?)))).collect()
    });
    assert!(failures.is_empty(), "{failures:#?}");
}

/// What a panic said.
fn reason(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    text.or_else(|| panic.downcast_ref::<&str>().copied()).unwrap_or("a panic")
}

#[test]
fn engines_that_cannot_take_part() {
    cannot_be_played("exits-at-start", &[], "ended (exit status: 3)");
    cannot_be_played("lacks-variant", &[], "does not play makruk: its UCI_Variant offers chess, atomic");
    cannot_be_played(
        "no-variants",
        &[],
        "does not play makruk: without an option UCI_Variant it plays chess only",
    );
    cannot_be_played("ends-at-newgame", &[], "ended (exit status: 9)");
}

/// A variant may be announced as a string, or under another name that the user gives.
#[test]
fn variants_are_looked_for_in_the_option() {
    is_fine("string-variant");
    cannot_be_played("other-name", &[], "does not play makruk: its UCI_Variant offers chess, Thai");
    let arena = Arena::new("variants");
    let log = arena.file("log");
    let engines = |options: &str| [spec("good", ""), spec("other-name", options)];
    let args = ["--nodes", "1", "--games", "2", "--max-moves", "2"];
    let played = arena.play("named", &engines(&format!(",option.Log={log},option.UCI_Variant=thai")), &args);
    assert_eq!((played.status, played.games.len()), (Some(0), 2), "{}", played.err);
    let received = std::fs::read_to_string(&log).unwrap();
    assert_eq!(received.matches("UCI_Variant").count(), 1, "{received}");
    assert!(received.contains("setoption name UCI_Variant value Thai\n"), "{received}");
    arena
        .play("refused", &engines(",option.UCI_Variant=mini"), &args)
        .fails(2, "other-name does not play mini: its UCI_Variant offers");
}

/// Engines that play later are started before the first game, too.
#[test]
fn no_game_is_played_if_one_engine_cannot() {
    let arena = Arena::new("third");
    let engines = [spec("good", ""), spec("weak", ""), spec("no-variants", "")];
    let played = arena.play("match", &engines, &["--nodes", "1", "--games", "2", "--max-moves", "2"]);
    assert_eq!((played.status, played.games.len()), (Some(2), 0), "{}", played.err);
    assert!(played.err.contains("error: no-variants does not play makruk"), "{}", played.err);
}

#[test]
fn programs_that_are_none() {
    let arena = Arena::new("no-program");
    let text = arena.file("text");
    std::fs::write(&text, "no program").unwrap();
    for command in [text.as_str(), "/nowhere/engine", "no-such-program-anywhere"] {
        let engines = [spec("good", ""), format!("cmd={command},name=X")];
        arena.play("none", &engines, &["--nodes", "1", "--games", "2"]).fails(2, "error: X ").says(command);
        // Nothing was played, so the same command works once the engine is there.
        let engines = [spec("good", ""), spec("good", "")];
        let args = ["--nodes", "1", "--games", "2", "--max-moves", "2"];
        assert_eq!(arena.play("none", &engines, &args).status, Some(0));
        for file in ["none.pgn", "none.json"] {
            std::fs::remove_file(arena.file(file)).unwrap();
        }
    }
    arena
        .play(
            "option",
            &[spec("good", ""), spec("good", ",name=Y,option.Hush=1")],
            &["--nodes", "1", "--games", "2"],
        )
        .fails(2, "error: Y has no option Hush");
    for (option, kind) in [("Delay=much", "spin "), ("Delay=-5", "spin "), ("Seed=1e9", "spin ")] {
        let engines = [spec("good", ""), spec("good", &format!(",name=Y,option.{option}"))];
        let (name, value) = option.split_once('=').unwrap();
        arena
            .play("value", &engines, &["--nodes", "1", "--games", "2"])
            .fails(2, &format!("error: Y option {name} does not take '{value}': type {kind}"));
    }
    // What an engine says about the value of a string is shown.
    let engines = [spec("good", ""), spec("good", ",name=Y,option.Log=/nowhere/log")];
    let args = ["--nodes", "1", "--games", "2", "--max-moves", "2"];
    arena.play("notice", &engines, &args).ok().says("Y: no log at /nowhere/log");
}

/// A program that is no engine is given up when it ends or has written too much.
#[test]
fn programs_that_are_no_engines() {
    let arena = Arena::new("no-engine");
    for (command, complaint) in [
        ("true", "ended (exit status: 0)"),
        ("sh -c 'echo no such file >&2; exit 4'", "ended (exit status: 4)"),
        ("sh -c 'exec >&-; read line; read line; sleep 1000'", "closed the connection"),
        ("yes", "does not answer uci (it wrote 10000 lines, but not uciok): is it a UCI engine?"),
    ] {
        let engines = [spec("good", ""), format!("cmd={command},name=X")];
        arena
            .play("none", &engines, &["--nodes", "1", "--games", "2", "--start-time", "1000"])
            .fails(2, &format!("error: X {complaint}"));
    }
    // A program that echoes its input.
    let engines = [spec("good", ""), "cmd=cat,name=X".to_owned()];
    arena
        .play("echo", &engines, &["--nodes", "1", "--games", "2", "--start-time", "1"])
        .fails(2, "error: X does not answer uci within 1 s (it wrote ");
}

/// An idle engine that ends is restarted; the games count as played.
#[test]
fn deaths_between_games() {
    for (mode, fault) in [("crashes-idle", "status: 7"), ("ends-at-second-newgame", "status: 9")] {
        let played = drill(mode, "", GAMES, &[]);
        assert_eq!(played.status, Some(1), "{mode}");
        assert_eq!(played.numbers(), (1..=GAMES).collect::<Vec<_>>(), "{mode}");
        assert_eq!(played.report.totals.encounters[0].games.games(), GAMES);
        assert!(played.games.iter().all(|game| tag(game, "Termination") == "adjudication"), "{mode}");
        // Each end but the last was noticed when the next game began.
        let faults: Vec<u64> = played.report.faults.iter().map(|report| report.game).collect();
        assert_eq!(faults, (2..=GAMES).collect::<Vec<_>>(), "{mode}");
        assert!(played.report.faults.iter().all(|report| report.fault.contains(fault)), "{mode}");
        assert_eq!(played.report.totals.engines[1].faults, GAMES - 1, "{mode}");
    }
}
