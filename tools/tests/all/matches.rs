//! Whole matches: what is played, written and counted.

use std::collections::BTreeMap;
use std::fs;

use crate::common::arena::{Arena, PlayedGame, number, tag};
use crate::common::engine::spec;
use crate::common::{Folder, run};
use crate::tablebase;
use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_matches::statistics::{Multinomial, SprtState};
use sakmak_movegen::{Game, Notation, Rules};

/// A strong and a weak engine; both always play the same games.
pub(crate) fn two() -> [String; 2] {
    [spec("good", ",option.Seed=1"), spec("weak", "")]
}

/// Options for short games that end in every way.
const SHORT: [&str; 6] = ["--nodes", "1", "--max-moves", "30", "--resign", "count=2,score=900"];

pub(crate) fn with<'a>(args: &[&'a str]) -> Vec<&'a str> {
    [&SHORT, args].concat()
}

/// The JSON report of `replay` on a file.
fn replay(path: &str) -> serde_json::Value {
    let done = run(&["replay", "--json", path], "").ok();
    serde_json::from_str(&done.out).expect("a report")
}

/// Asserts that the totals agree with the games.
pub(crate) fn assert_counted(played: &PlayedGame) {
    let totals = &played.report.totals;
    for encounter in &totals.encounters {
        let [one, other] = &encounter.engines;
        let between = |game: &&sakmak_games::pgn::PgnGame| {
            let names = [tag(game, "White"), tag(game, "Black")];
            names.contains(&one.as_str()) && names.contains(&other.as_str())
        };
        let mut points: BTreeMap<String, Vec<f64>> = BTreeMap::new();
        let mut count = [0; 3];
        let mut by_color = [0; 3];
        for game in played.games.iter().filter(between) {
            let white = match game.result.to_string().as_str() {
                "1-0" => 1.0,
                "0-1" => 0.0,
                "1/2-1/2" => 0.5,
                other => panic!("{other}"),
            };
            let for_one = if tag(game, "White") == one { white } else { 1.0 - white };
            count[2 - (2.0 * for_one) as usize] += 1;
            by_color[2 - (2.0 * white) as usize] += 1;
            let pair = tag(game, "Round").split('.').next().unwrap().to_owned();
            points.entry(pair).or_default().push(for_one);
        }
        let games = encounter.games;
        assert_eq!([games.wins, games.draws, games.losses], count);
        let color = encounter.by_color;
        assert_eq!([color.wins, color.draws, color.losses], by_color);
        let mut pairs = [0; 5];
        for pair in points.values().filter(|pair| pair.len() == 2) {
            pairs[(2.0 * (pair[0] + pair[1])) as usize] += 1;
        }
        assert_eq!(encounter.pairs.counts, pairs);
    }
    for engine in &totals.engines {
        assert_eq!(engine.games, played.score(&engine.name).iter().sum::<u64>());
    }
    assert_eq!(totals.reasons.values().sum::<u64>(), played.games.len() as u64);
    let moves: u64 = totals.engines.iter().map(|engine| engine.stats.moves).sum();
    assert_eq!(moves, played.games.iter().map(|game| game.moves.len() as u64).sum::<u64>());
}

#[test]
fn a_match_is_played_in_pairs_and_counted_as_written() {
    let arena = Arena::new("pairs");
    let played = arena.play("match", &two(), &with(&["--games", "20", "--concurrency", "2"]));
    assert_eq!(played.status, Some(0), "{}", played.err);
    assert_eq!(played.numbers(), (1..=20).collect::<Vec<_>>());
    let mut games: Vec<_> = played.games.iter().collect();
    games.sort_by_key(|game| number(game));
    let mut openings = Vec::new();
    for pair in games.chunks(2) {
        assert_eq!(tag(pair[0], "FEN"), tag(pair[1], "FEN"));
        assert_eq!([tag(pair[0], "White"), tag(pair[0], "Black")], ["good", "weak"]);
        assert_eq!([tag(pair[1], "White"), tag(pair[1], "Black")], ["weak", "good"]);
        openings.push(tag(pair[0], "FEN"));
    }
    openings.sort_unstable();
    openings.dedup();
    assert_eq!(openings.len(), 10, "every pair has an opening of its own");
    assert_counted(&played);
    let [won, drawn, lost] = played.score("good");
    assert!(won > lost && won + drawn + lost == 20, "{won} {drawn} {lost}");
    assert!(played.out.contains(&format!("good against weak: {won} - {drawn} - {lost}")), "{}", played.out);
    assert!(played.out.contains("20 games in "));
    assert!(played.out.contains("rules: makruk") && played.out.contains("openings: 500"), "{}", played.out);

    let report = replay(&arena.file("match.pgn"));
    assert_eq!(report["games"]["replayed"], 20);
    assert_eq!(report["games"]["broken"].as_u64().unwrap_or(0), 0, "{}", report["games"]);
    assert_eq!(report["comparison"]["contradicts"], 0);
    assert_eq!(report["plies"], played.games.iter().map(|game| game.moves.len()).sum::<usize>());

    // The same settings give the same games, for any concurrency.
    let again = arena.play("again", &two(), &with(&["--games", "20"]));
    assert_eq!(again.essence(), played.essence());
    assert_eq!(again.totals(), played.totals());
    let other = arena.play("other", &two(), &with(&["--games", "20", "--seed", "2"]));
    assert_ne!(other.essence(), played.essence());
}

/// Games with errors, and with any output of an engine, can be read and replayed like others.
#[test]
fn games_with_faults_replay() {
    let arena = Arena::new("hostile");
    let engines = [spec("good", ""), spec("hostile", ",name=A \"quoted\" \\\\ name\\, O'Neill")];
    let played = arena.play("match", &engines, &with(&["--games", "4"]));
    assert_eq!(played.status, Some(1), "{}", played.err);
    assert_counted(&played);
    let report = replay(&arena.file("match.pgn"));
    assert_eq!((&report["games"]["replayed"], &report["comparison"]["contradicts"]), (&4.into(), &0.into()));
    let resumed = arena.play("match", &engines, &with(&["--games", "4", "--resume"]));
    assert_eq!(resumed.status, Some(1), "the faults are kept: {}", resumed.err);
    assert_eq!(resumed.essence(), played.essence());
    assert_eq!(resumed.report.totals, played.report.totals);
    assert_eq!(resumed.report.faults, played.report.faults);
    assert_eq!(played.report.faults.len(), 4);
}

#[test]
fn everybody_meets_everybody_or_the_first() {
    let arena = Arena::new("formats");
    let engines = [spec("good", ""), spec("weak", ""), spec("good", ",option.Seed=5")];
    let played = arena.play("robin", &engines, &with(&["--games", "4", "--concurrency", "2"]));
    assert_eq!((played.status, played.games.len()), (Some(0), 12), "{}", played.err);
    assert_counted(&played);
    let totals = &played.report.totals;
    let names: Vec<&str> = totals.engines.iter().map(|engine| engine.name.as_str()).collect();
    assert_eq!(names, ["good", "weak", "good 2"]);
    assert!(totals.engines.iter().all(|engine| engine.games == 8));
    assert!(
        totals.encounters.iter().all(|encounter| encounter.games.games() == 4)
            && totals.encounters.len() == 3
    );

    let args = ["--games", "4", "--format", "gauntlet"];
    let played = arena.play("gauntlet", &engines, &with(&args));
    assert_eq!((played.status, played.games.len()), (Some(0), 8));
    assert_counted(&played);
    let games: Vec<u64> = played.report.totals.engines.iter().map(|engine| engine.games).collect();
    assert_eq!(games, [8, 4, 4]);
}

#[test]
fn a_test_ends_the_match_when_it_is_decided() {
    let arena = Arena::new("sprt");
    let test = ["--games", "2000", "--concurrency", "2", "--sprt", "elo0=0", "elo1=50", "alpha=0.05"];
    for (engines, state, verdict) in [
        ([spec("good", ""), spec("illegal", "")], SprtState::AcceptH1, "H1 accepted"),
        ([spec("illegal", ""), spec("good", "")], SprtState::AcceptH0, "H0 accepted"),
    ] {
        let name = verdict.split(' ').next().unwrap();
        let played = arena.play(name, &engines, &with(&test));
        assert_eq!(played.status, Some(1), "{}", played.err);
        assert_eq!(played.report.sprt_report.map(|report| report.state), Some(state));
        assert!(played.out.contains("SPRT elo0=0 elo1=50") && played.out.contains(verdict), "{}", played.out);
        let games = played.games.len();
        assert!(games < 1000, "{games} games");
        assert!(played.out.contains(&format!("the test is decided after {games} games")), "{}", played.out);
        assert_counted(&played);
        let resumed = arena.play(name, &engines, &with(&[&["--resume"], &test[..]].concat()));
        assert_eq!(
            (resumed.status, &resumed.pgn),
            (Some(1), &played.pgn),
            "it stays decided: {}",
            resumed.err
        );
    }
}

#[test]
fn games_are_ended_early_where_that_is_wanted() {
    let arena = Arena::new("adjudication");
    let level = [spec("good", ",option.Score=5"), spec("weak", ",option.Score=-10")];
    let drawn = arena
        .play("draw", &level, &["--nodes", "1", "--games", "2", "--draw", "move=4,count=2,score=10"])
        .ok();
    let stated = "adjudication: drawn after move 4 when both scores stay within 10 for 2 moves";
    assert!(drawn.out.contains(stated), "{}", drawn.out);
    for game in &drawn.games {
        assert_eq!(tag(game, "Reason"), "draw (adjudicated: level scores)");
        assert_eq!((tag(game, "Termination"), game.result.to_string().as_str()), ("adjudication", "1/2-1/2"));
    }
    assert_eq!(drawn.report.totals.reasons["draw (adjudicated: level scores)"], 2);

    let agreed = [spec("good", ",option.Score=700"), spec("weak", ",option.Score=-650")];
    let args = ["--nodes", "1", "--games", "2", "--resign", "count=3,score=650", "--max-moves", "50"];
    let resigned = arena.play("resign", &agreed, &args);
    let stated = "adjudication: lost when both scores agree on 650 for 3 moves; drawn after 50 moves";
    assert!(resigned.out.contains(stated), "{}", resigned.out);
    for game in &resigned.games {
        assert!(tag(game, "Reason").ends_with(" wins (adjudicated: agreed scores)"));
        assert_eq!((tag(game, "Termination"), game.moves.len()), ("adjudication", 6));
    }
    assert_eq!(resigned.score("good"), [2, 0, 0]);
    // One engine's score alone does not adjudicate.
    let alone = [spec("good", ",option.Score=700"), spec("weak", ",option.Score=0")];
    let args = ["--nodes", "1", "--games", "2", "--resign", "count=1,score=650", "--max-moves", "3"];
    let played = arena.play("alone", &alone, &args);
    for game in &played.games {
        assert_eq!((tag(game, "Reason"), game.moves.len()), ("draw (adjudicated: too many moves)", 6));
    }
    let free = arena.play("free", &two(), &["--nodes", "1", "--games", "2"]);
    assert!(free.out.contains("adjudication: none"), "{}", free.out);
    assert!(free.games.iter().all(|game| tag(game, "Termination") == "normal"));
}

#[test]
fn tables_end_games() {
    let arena = Arena::new("tables");
    let openings = arena.file("openings.epd");
    let positions = [
        // The rua captures the met and wins within the count.
        "8/8/8/m6k/8/4K3/8/R7 w - - 0 1",
        // Already in a tablebase: one move is played.
        "7k/8/5K2/8/8/8/8/R7 w - - 0 1",
        // Two met against one, and one captured: a draw. Black begins.
        "4k3/8/8/3m4/4M3/3M4/8/4K3 b - - 0 1",
        // Two khun are left: without tablebases the game goes on.
        "8/8/8/7k/8/8/4r3/4K3 w - - 0 1",
        // Too many men for any tablebase.
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
    ];
    fs::write(&openings, positions.join("\n")).unwrap();
    let folder = tablebase::folder_of(&tablebase::ALL);
    let engines = [spec("good", ""), spec("good", ",name=other,option.Seed=1")];
    let args = ["--nodes", "1", "--games", "10", "--seed", "0", "--max-moves", "4", "--openings", &openings];
    let with_tables = |folder: &Folder| ["--tablebase".to_owned(), folder.path().to_owned()];
    let play = |name: &str, folders: &[&Folder], more: &[&str]| {
        let folders: Vec<String> = folders.iter().flat_map(|folder| with_tables(folder)).collect();
        let folders: Vec<&str> = folders.iter().map(String::as_str).collect();
        arena.play(name, &engines, &[&args[..], &folders, more].concat())
    };
    let played = play("match", &[&folder], &[]);
    assert_eq!((played.status, played.games.len()), (Some(0), 10), "{}", played.err);
    let stated = "adjudication: decided by 8 endgame tables; drawn after 4 moves\n";
    assert!(played.out.contains(stated), "{}", played.out);
    let (tables, _) = Tablebases::open([folder.path()]);
    for game in &played.games {
        let mut replayed = Game::from_fen(tag(game, "FEN"), Rules::default()).unwrap();
        let mut value = None;
        for mv in &game.moves {
            assert_eq!(value, None, "it ends at once");
            replayed.play_text(Notation::San, &mv.text).unwrap();
            value = tables.probe(replayed.position()).map(|probe| probe.value);
        }
        let mover = replayed.position().side_to_move();
        let reason = match value {
            Some(Value::Draw) => "draw (adjudicated: tablebase)".to_owned(),
            Some(Value::Win(_)) => format!("{mover} wins (adjudicated: tablebase)"),
            Some(Value::Loss(_)) => format!("{} wins (adjudicated: tablebase)", !mover),
            None => "draw (adjudicated: too many moves)".to_owned(),
        };
        assert_eq!((tag(game, "Reason"), tag(game, "Termination")), (reason.as_str(), "adjudication"));
        assert_eq!(
            game.result.to_string(),
            match &reason[..4] {
                "whit" => "1-0",
                "blac" => "0-1",
                _ => "1/2-1/2",
            }
        );
    }
    assert_counted(&played);
    let reasons = &played.report.totals.reasons;
    let count = |reason: &str| reasons.get(&format!("{reason} (adjudicated: tablebase)")).copied();
    assert_eq!((count("white wins"), count("draw")), (Some(4), Some(4)), "{reasons:?}");
    assert!(played.out.contains("white wins (adjudicated: tablebase)"), "{}", played.out);
    assert_eq!(replay(&arena.file("match.pgn"))["comparison"]["contradicts"], 0);

    // Without the option tablebases end no game, and it is another match. Their folder does not matter.
    let plain = play("plain", &[], &[]);
    assert!(plain.out.contains("adjudication: drawn after 4 moves\n") && !plain.pgn.contains("tablebase"));
    let [one, rest] = [&tablebase::ALL[..1], &tablebase::ALL[1..]].map(tablebase::folder_of);
    for folders in [&[][..], &[&rest]] {
        let done = play("match", folders, &["--resume"]);
        assert_eq!((done.status, &done.pgn), (Some(2), &played.pgn));
        assert!(done.err.contains("a match with other settings"), "{}", done.err);
    }
    let done = play("match", &[&one, &rest], &["--resume"]);
    assert_eq!((done.status, &done.pgn), (Some(0), &played.pgn), "{}", done.err);

    // Unusable files are reported, and a folder without usable ones is refused.
    let empty = Folder::new();
    let done = play("empty", &[&empty], &[]);
    assert_eq!((done.status, done.games.len()), (Some(2), 0));
    assert!(done.err.contains("error: no tables found; "), "{}", done.err);
    let path = one.file("KRvK.sktb");
    fs::write(&path, "").unwrap();
    let done = play("faulty", &[&one], &[]).ok();
    assert!(done.err.starts_with(&format!("warning: {path}: ")), "{}", done.err);
    // Damage found during a game is reported, and the games go on by the rules.
    let mut bytes = fs::read(folder.file("KRvK.sktb")).unwrap();
    bytes[tablebase::HEADER] ^= 1;
    fs::write(&path, bytes).unwrap();
    let done = play("damaged", &[&one], &[]);
    assert_eq!((done.status, done.games.len()), (Some(0), 10), "{}", done.err);
    assert!(done.err.contains(&format!("warning: {path}: damaged; ")), "{}", done.err);
    assert!(!done.pgn.contains("wins (adjudicated: tablebase)"), "{}", done.pgn);
}

/// Where no rule ends a game of two engines that shuffle, a move limit does.
#[test]
fn games_end_where_repetition_is_no_draw() {
    let arena = Arena::new("endless");
    let engines = [spec("shuffles", ",name=A"), spec("shuffles", ",name=B,option.Seed=3")];
    let stated = "adjudication: drawn after 300 moves (the rules have no draw by repetition)";
    for (ruleset, args, plies) in [("schemingmind", &[][..], 600), ("none", &["--max-moves", "310"], 620)] {
        let common = ["--nodes", "1", "--games", "2", "--ruleset", ruleset];
        let played = arena.play(ruleset, &engines, &[&common, args].concat()).ok();
        assert_eq!(played.out.contains(stated), args.is_empty(), "{}", played.out);
        for game in &played.games {
            assert_eq!((game.moves.len(), tag(game, "Termination")), (plies, "adjudication"));
            assert_eq!(tag(game, "Reason"), "draw (adjudicated: too many moves)");
        }
    }
    let help = run(&["match", "--help"], "").out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("300 if the rules have no draw by repetition"), "{help}");
}

/// Every engine gets its own limits.
#[test]
fn limits_reach_the_engines() {
    let arena = Arena::new("limits");
    let logs = ["nodes", "clock", "period", "mixed"].map(|name| arena.file(name));
    let engine = |log: &String, rest: &str| spec("good", &format!(",option.Log={log}{rest}"));
    // Clocks with enough time for the busiest machine.
    let engines = [
        engine(&logs[0], ""),
        engine(&logs[1], ",tc=600+2"),
        engine(&logs[2], ",tc=3/900,name=by period"),
        engine(&logs[3], ",movetime=60000,depth=5,name=mixed"),
    ];
    let played = arena.play("match", &engines, &["--nodes", "7", "--games", "2", "--max-moves", "5"]);
    assert_eq!((played.status, played.games.len()), (Some(0), 12), "{}", played.err);
    let received = logs.map(|log| fs::read_to_string(log).expect("a log"));
    let go_commands = |log: &str| -> Vec<String> {
        log.lines().filter(|line| line.starts_with("go")).map(str::to_owned).collect()
    };
    let [nodes, clock, period, mixed] = received.each_ref().map(|log| go_commands(log));
    assert!(nodes.iter().all(|go| go == "go nodes 7") && nodes.len() == 30, "{nodes:?}");
    assert!(mixed.iter().all(|go| go == "go movetime 60000 depth 5"), "{mixed:?}");
    // It starts with 602 s; a side without a clock gets an hour.
    assert!(clock.contains(&"go wtime 602000 winc 2000 btime 3600000 binc 0".to_owned()), "{clock:?}");
    assert!(clock.contains(&"go wtime 3600000 winc 0 btime 602000 binc 2000".to_owned()), "{clock:?}");
    assert!(clock.contains(&"go wtime 602000 winc 2000 btime 900000 binc 0".to_owned()), "{clock:?}");
    let to_go: Vec<&str> = period.iter().filter_map(|go| go.split(" movestogo ").nth(1)).collect();
    assert_eq!(to_go.len(), 30, "every time: {period:?}");
    assert!(to_go.chunks(5).all(|game| game == ["3", "2", "1", "3", "2"]), "{to_go:?}");
    // The new period has added time.
    let left = |go: &str| -> u64 {
        let words: Vec<&str> = go.split(' ').collect();
        [words[2], words[6]].iter().map(|text| text.parse::<u64>().unwrap()).min().unwrap()
    };
    let ones = period.iter().filter(|go| !go.contains("3600000")).count();
    assert_eq!(ones, 10, "two games against the other clock");
    let alone: Vec<u64> = period.iter().filter(|go| go.contains("3600000")).map(|go| left(go)).collect();
    assert!(alone.chunks(5).all(|game| game[2] <= 900_000 && game[3] > 900_000), "{alone:?}");

    for log in &received {
        let begins = "uci\nsetoption name UCI_Variant value makruk\nsetoption name Log value ";
        assert!(log.starts_with(begins), "{log}");
        assert!(log.contains("\nisready\nucinewgame\nisready\n") && log.ends_with("\nquit\n"), "{log}");
        assert!(log.contains("\nposition fen ") && log.contains(" moves "));
    }
    for game in &played.games {
        let name = if tag(game, "White") == "by period" { "WhiteTimeControl" } else { "BlackTimeControl" };
        if [tag(game, "White"), tag(game, "Black")].contains(&"by period") {
            assert_eq!(tag(game, name), "3/900");
        }
    }
    assert!(
        played.out.contains("by period: 3/900, Log=") && played.out.contains("good: 7 nodes"),
        "{}",
        played.out
    );
}

/// The start position is sent as `startpos`, others as FEN.
#[test]
fn openings_from_a_file() {
    let arena = Arena::new("openings");
    let file = arena.file("openings.epd");
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    fs::write(
        &file,
        format!("# two\n{start}\n\nrnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - -; id \"x\";\n"),
    )
    .unwrap();
    let log = arena.file("log");
    let engines = [spec("good", &format!(",option.Log={log}")), spec("weak", "")];
    let args = ["--nodes", "1", "--games", "8", "--max-moves", "2", "--openings", &file, "--seed", "0"];
    let played = arena.play("match", &engines, &args);
    assert_eq!(played.status, Some(0), "{}", played.err);
    for game in &played.games {
        // The two openings alternate in their order.
        let first = ((number(game) - 1) / 2).is_multiple_of(2);
        assert_eq!(tag(game, "FEN") == start, first, "{}", number(game));
    }
    let received = fs::read_to_string(log).unwrap();
    assert!(received.lines().any(|line| line == "position startpos"), "{received}");
    assert!(received.lines().any(|line| line.starts_with("position startpos moves ")));
    assert!(received.contains("position fen rnsmksnr/8/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 1"));

    fs::write(&file, "rnsmksnr/8 w\n").unwrap();
    let args = ["--nodes", "1", "--games", "8", "--openings", &file];
    arena.play("broken", &engines, &args).fails(2, "openings.epd: line 1: ");
}

/// Arguments reach the engine unchanged, even those that this program would understand.
#[test]
fn arguments_are_passed_on() {
    let arena = Arena::new("arguments");
    let log = arena.file("log");
    let script = arena.file("engine.sh");
    let engine = spec("good", "");
    let command = engine.strip_prefix("cmd=").and_then(|rest| rest.rsplit_once(",name=")).unwrap().0;
    fs::write(&script, format!("for word in \"$@\"; do echo \"$word\" >> {log}; done\nexec {command}\n"))
        .unwrap();
    let words = "sh engine.sh --help -- -h --version --nodes 'two words' -- x\\,y";
    let engines = [format!("cmd={words},dir={},name=S", arena.file("")), spec("weak", "")];
    let played = arena.play("match", &engines, &with(&["--games", "2"]));
    assert_eq!(played.status, Some(0), "{}", played.err);
    let received = fs::read_to_string(log).unwrap();
    assert_eq!(received, "--help\n--\n-h\n--version\n--nodes\ntwo words\n--\nx,y\n");
}

#[test]
fn what_makes_no_sense_is_refused() {
    let good = spec("good", "");
    let refused = |args: &[&str], complaint: &str| run(&[&["match"], args].concat(), "").fails(2, complaint);
    refused(&["--engine", &good, "--nodes", "1"], "a match needs at least two engines");
    refused(&["--nodes", "1"], "--engine");
    refused(&["--engine", "cmd=x,hash=3", "--engine", "cmd=y", "--nodes", "1"], "'hash' is not known");
    let whole = "a whole number from 0 to 40000000 is needed";
    for (words, complaint) in [
        ("", "how long may the engines think?"),
        ("--nodes 1 --games 7", "--games must be even"),
        ("--nodes 1 --games 0", "--games must be even"),
        ("--nodes 0", "0"),
        ("--tc quick", "'quick' is not of the form 8+0.08"),
        ("--tc 0+0", "leaves no time at all"),
        ("--nodes 1 --sprt elo0=0", "elo1 is missing"),
        ("--nodes 1 --engine cmd=x --sprt elo0=0 elo1=1", "exactly two engines"),
        ("--nodes 1 --shard 3/2", "'3/2' is not of the form 1/4"),
        ("--nodes 1 --resume", "--pgn"),
        ("--nodes 1 --pgn x --json x", "--pgn and --json name the same file"),
        ("--nodes 1 --start-time 18446744073709551615", whole),
        ("--nodes 1 --longest-move 18446744073709551615", whole),
        ("--nodes 1 --concurrency 1000000", "a whole number from 1 to 1024 is needed"),
        ("--nodes 1 --games 18446744073709551614", "a whole number from 0 to 100000000 is needed"),
        ("--nodes 1 --draw move=1", "is not of the form"),
        ("--nodes 1 --openings /nowhere/openings", "/nowhere/openings"),
        ("--nodes 1 --pgn /nowhere/games.pgn", "/nowhere/games.pgn"),
    ] {
        let engines = ["--engine", &good, "--engine", &good];
        refused(&[&engines[..], &words.split_whitespace().collect::<Vec<_>>()].concat(), complaint);
    }
}

#[test]
fn measures_of_given_results() {
    let done = run(&["sprt", "--pairs", "10", "20", "40", "30", "20", "elo0=0", "elo1=10"], "").ok();
    for line in ["games: 240", "score: 56.25%", "Elo: +", "normalised Elo: +", "LOS: ", "LLR: "] {
        assert!(done.out.lines().any(|found| found.starts_with(line)), "{line}: {}", done.out);
    }
    assert!(done.out.contains("[-2.944, 2.944] "), "{}", done.out);
    let done = run(&["sprt", "--games", "30", "40", "30"], "").ok();
    assert!(done.out.contains("score: 50.00%") && !done.out.contains("LLR"), "{}", done.out);
    for (args, complaint) in [
        (&["sprt"][..], "--pairs <0> <0.5> <1> <1.5> <2>|--games <WON> <DRAWN> <LOST>"),
        (&["sprt", "elo0=0", "elo1=10"], "--games <WON> <DRAWN> <LOST>"),
        (
            &["sprt", "--pairs", "18446744073709551615", "1", "0", "0", "0"],
            "a whole number from 0 to 1000000000000 is needed",
        ),
        (&["sprt", "--pairs", "1", "2"], "5"),
        (&["sprt", "--pairs", "1", "2", "3", "4", "5", "elo0=0"], "elo1 is missing"),
        (&["sprt", "--games", "1", "2", "3", "--pairs", "1", "2", "3", "4", "5"], "cannot be used with"),
    ] {
        run(args, "").fails(2, complaint);
    }
}

/// Black counts and can mate; under Wikipedia's rules that wins only for the engine that stops its count.
#[test]
fn an_engine_stops_its_count_before_it_mates() {
    let arena = Arena::new("count-stop");
    let file = arena.file("openings.epd");
    fs::write(&file, "1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60\n").unwrap();
    let engines = [spec("mates", ""), spec("stops-and-mates", "")];
    for (ruleset, draws) in [("wikipedia", true), ("knowlton", false)] {
        let args = ["--nodes", "1", "--games", "2", "--openings", &file, "--seed", "0", "--ruleset", ruleset];
        let played = arena.play(ruleset, &engines, &args).ok();
        assert_eq!(played.games.len(), 2);
        for game in &played.games {
            let stops = tag(game, "Black") == "stops-and-mates";
            let expected = if stops || !draws { "0-1" } else { "1/2-1/2" };
            assert_eq!(game.result.to_string(), expected, "{ruleset} {}", tag(game, "Black"));
            assert_eq!(game.comment.iter().any(|comment| comment == "[%count stop]"), stops, "{ruleset}");
        }
    }
}
