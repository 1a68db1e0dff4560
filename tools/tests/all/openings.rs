//! The command `sakmak-tools openings`, and the set that comes with the program.

use std::collections::HashSet;

use crate::common::{Done, TempFile, run};
use sakmak_engine::openings::OpeningScorer;
use sakmak_engine::score::Score;
use sakmak_engine::{Limits, SearchInfo, SearchRequest, Searcher};
use sakmak_games::epd::read_openings;
use sakmak_movegen::{Position, Rules};

/// Two games with the same beginning, one of another variant, and one broken.
const GAMES: &str = "[White \"A\"]\n\n1. e4 e5 2. d4 d5 3. exd5 *\n\n\
    [White \"B\"]\n\n1. e4 e5 2. a4 a5 *\n\n\
    [White \"C\"]\n[Variant \"cambodian\"]\n\n1. h4 h5 *\n\n\
    [White \"D\"]\n\n1. b4 b5 2. Rxa8 *\n\n";

fn openings(args: &[&str]) -> Done {
    run(&[&["openings"], args].concat(), GAMES)
}

/// The lines of a set, from a run that must succeed.
fn made(args: &[&str]) -> Vec<String> {
    let done = openings(args).ok();
    done.out.lines().map(str::to_owned).collect()
}

/// The absolute score of a position in centipawns.
fn centipawns(scorer: &mut OpeningScorer, position: &Position, nodes: u64) -> i32 {
    match scorer.score(position, nodes).expect("a legal move") {
        Score::Centipawns(score) => score.abs(),
        Score::Mate(_) => i32::MAX,
    }
}

#[test]
fn the_same_command_makes_the_same_set() {
    let command = ["--plies", "4..9", "--max-eval", "20", "--nodes", "2000", "--count"];
    let with = |more: &[&str]| made(&[&command, more].concat());
    let set = with(&["20", "--seed", "7", "--threads", "1"]);
    assert_eq!(set.len(), 20);
    assert_eq!(set, with(&["20", "--seed", "7", "--threads", "3"]));
    assert_ne!(set, with(&["20", "--seed", "8"]));
    // The first openings do not depend on `--count`.
    assert_eq!(set[..5], with(&["5", "--seed", "7"]));
}

#[test]
fn all_are_balanced_quiet_and_different() {
    let set = made(&["--count", "25", "--seed", "3", "--max-eval", "15", "--nodes", "3000", "--epd"]);
    let mut evaluator = OpeningScorer::new().unwrap();
    let mut keys = HashSet::new();
    for line in &set {
        assert!(line.ends_with(" w - 0"), "{line}");
        let position = Position::from_fen(line).unwrap();
        let score = centipawns(&mut evaluator, &position, 3_000);
        assert!(score <= 15, "{line}: {score}");
        assert!(!position.in_check() && position.outcome().is_none(), "{line}");
        assert!(keys.insert(position.key()), "{line}: twice");
    }
    let unfiltered = made(&["--count", "25", "--seed", "3", "--epd"]);
    let outside = |line: &String| centipawns(&mut evaluator, &Position::from_fen(line).unwrap(), 3_000) > 15;
    assert!(unfiltered.iter().any(outside), "the filter has nothing to do");
}

#[test]
fn uneven_openings_lie_between_two_limits() {
    let limits = ["--min-eval", "30", "--max-eval", "70", "--nodes", "2000"];
    let set = made(&[&limits[..], &["--count", "12", "--seed", "4", "--header"]].concat());
    assert!(set[0].contains(" --min-eval 30 --max-eval 70 "), "{}", set[0]);
    let mut evaluator = OpeningScorer::new().unwrap();
    for line in &set[1..] {
        let score = centipawns(&mut evaluator, &Position::from_fen(line).unwrap(), 2_000);
        assert!((30..=70).contains(&score), "{line}: {score}");
    }
    assert_eq!(set.len(), 13);
}

#[test]
fn positions_of_games() {
    let done = openings(&["--from", "-", "--plies", "2..5", "--seed", "0"]).ok();
    let lines: Vec<_> = done.out.lines().collect();
    assert_eq!(
        lines,
        [
            "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w - 0 0 2",
            "rnsmksnr/8/pppp1ppp/4p3/3PP3/PPP2PPP/8/RNSKMSNR b - 0 0 2",
            "rnsmksnr/8/ppp2ppp/3pp3/3PP3/PPP2PPP/8/RNSKMSNR w - 0 0 3",
            "rnsmksnr/8/ppp2ppp/3Pp3/3P4/PPP2PPP/8/RNSKMSNR b - 0 0 3",
            "rnsmksnr/8/pppp1ppp/4p3/P3P3/1PPP1PPP/8/RNSKMSNR b - 0 0 2",
            "rnsmksnr/8/1ppp1ppp/p3p3/P3P3/1PPP1PPP/8/RNSKMSNR w - 0 0 3",
            "rnsmksnr/8/p1pppppp/1p6/1P6/P1PPPPPP/8/RNSKMSNR w - 0 0 2",
        ]
    );
    assert!(done.err.contains("game 4, line"), "{}", done.err);

    let shuffled = made(&["--from", "-", "--plies", "2..5", "--seed", "5"]);
    assert_ne!(shuffled, lines);
    assert_eq!(shuffled.iter().map(String::as_str).collect::<HashSet<_>>(), lines.into_iter().collect());
    assert_eq!(shuffled, made(&["--from", "-", "--plies", "2..5", "--seed", "5"]));
    assert_eq!(made(&["--from", "-", "--plies", "5"]).len(), 1);

    // A game without the tag has any variant.
    let cambodian = made(&["--from", "-", "--plies", "1", "--variant", "cambodian", "--seed", "0"]);
    assert_eq!(
        (cambodian.len(), &*cambodian[1]),
        (3, "rnsmksnr/8/pppppppp/8/7P/PPPPPPP1/8/RNSKMSNR b DEde 0 0 1")
    );
}

/// The unit of the limits is the centipawn of `score cp`.
#[test]
fn limits_are_centipawns_as_the_search_reports_them() {
    let command = ["--from", "-", "--plies", "2..5", "--seed", "0"];
    let all = made(&command);
    let reported: Vec<_> = all
        .iter()
        .map(|line| {
            let position = Position::from_fen(line).unwrap();
            let mut searcher = Searcher::new(8).unwrap();
            let mut last = None;
            let request = SearchRequest::new(position, Limits::nodes(2_000));
            searcher.search_with(&request, &mut |info: &SearchInfo| last = Some(info.score));
            let Some(Score::Centipawns(score)) = last else { panic!("{line}: no score") };
            score.unsigned_abs()
        })
        .collect();
    let mut limits = reported.clone();
    limits.sort_unstable();
    let most = limits[limits.len() / 2];
    let within: Vec<_> =
        all.iter().zip(&reported).filter(|(_, score)| **score <= most).map(|(line, _)| line).collect();
    assert!(within.len() < all.len());
    let most = most.to_string();
    let found = made(&[&command[..], &["--nodes", "2000", "--max-eval", &most]].concat());
    assert_eq!(found.iter().collect::<Vec<_>>(), within);
}

#[test]
fn the_formats_agree() {
    let command = ["--count", "12", "--seed", "4", "--plies", "5"];
    let with = |more: &[&str]| made(&[&command, more].concat());
    let fens = with(&[]);
    let epd: Vec<_> = fens.iter().map(|fen| fen.rsplitn(3, ' ').last().unwrap().to_owned()).collect();
    assert_eq!(with(&["--format", "epd"]), epd);
    assert_eq!(with(&["--epd"]), epd);
    for ruleset in ["fairy-stockfish", "chessvariants"] {
        let rules = ["--ruleset", ruleset];
        let pgn = with(&[&rules[..], &["--format", "pgn"]].concat()).join("\n") + "\n";
        assert_eq!(pgn.contains("[FEN "), ruleset == "chessvariants");
        let back =
            run(&[&["openings", "--from", "-", "--plies", "5", "--seed", "0"], &rules[..]].concat(), &pgn);
        assert_eq!(back.out.lines().collect::<Vec<_>>(), with(&rules), "{}", back.err);
    }
}

#[test]
fn sets_go_to_files_with_the_command_at_their_head() {
    let file = TempFile::new("openings.epd", "# sakmak-tools openings --count 1\nold\n");
    let words = "--count 4 --plies 6 --seed 9 --max-eval 80 --nodes 1000 --format epd --header";
    let args: Vec<_> = words.split(' ').collect();
    assert_eq!(made(&[&args[..], &["--output", file.path()]].concat()).len(), 0);
    let text = file.text();
    assert_eq!(text.lines().next(), Some(&*format!("# sakmak-tools openings {words}")));
    assert_eq!(text.lines().collect::<Vec<_>>(), made(&args));
    assert_eq!(read_openings(&text, Rules::default()).unwrap().len(), 4);
}

#[test]
fn other_files_are_not_replaced_and_bad_places_refused_before_the_work() {
    let file = TempFile::new("openings-mine.epd", "mine");
    let below = format!("{}/x", file.path());
    for path in [file.path(), &below, "/no/such/folder/x", env!("CARGO_MANIFEST_DIR")] {
        // This many would take hours.
        let done = openings(&["--count", "1000000", "--max-eval", "1", "--output", path]);
        assert_eq!((done.status, done.out.as_str()), (Some(1), ""), "{path}");
        assert!(done.err.contains(path), "{}", done.err);
    }
    assert_eq!(file.text(), "mine");
}

#[test]
fn impossible_requests_are_reported() {
    let games = TempFile::new("openings-games.pgn", GAMES);
    for (args, expected) in [
        (&["--count", "30", "--plies", "1"][..], "found only 23 of 30 openings of 1 plies"),
        (&["--count", "30", "--plies", "1", "--max-eval", "0", "--nodes", "50"], "outside the limits"),
        (&["--from", "-", "--plies", "9"], "found only 0 of 1 openings"),
        (&["--from", "no-such-file"], "no-such-file"),
        // Refused before the search for openings.
        (&["--count", "30", "--plies", "1", "--output", "/nowhere/set"], "/nowhere/set"),
        (&["--from", games.path(), "--output", games.path()], "exists already"),
        (&["--plies", "9..8"], "a number from 1 to 199"),
        (&["--header", "--format", "pgn"], "--header goes with FEN and EPD"),
        (&["--engine", "cmd=x"], "--max-eval"),
        (&["--max-eval", "9", "--engine", "cmd=x,tc=1"], "no clock"),
        (&["--min-eval", "9"], "--max-eval"),
        (&["--min-eval", "9", "--max-eval", "8"], "--min-eval 9 is more than --max-eval 8"),
    ] {
        let done = openings(args);
        assert!(!matches!(done.status, Some(0) | None), "{args:?}");
        assert!(done.err.contains(expected), "{args:?}: {}", done.err);
        assert_eq!(done.out, "", "{args:?}");
    }
    assert_eq!(games.text(), GAMES);
}

/// An engine that scores exactly the positions with White to move as level.
#[cfg(unix)]
#[test]
fn another_engine_evaluates() {
    let script = TempFile::new(
        "evaluator.sh",
        "while read -r command rest; do\n\
            case $command in\n\
                uci) echo 'option name UCI_Variant type combo default makruk var makruk'; echo uciok ;;\n\
                isready) echo readyok ;;\n\
                position) case $rest in *' w '*) score='cp 5' ;; *) score='mate 2' ;; esac ;;\n\
                go) [ \"$rest\" = 'depth 3' ] && echo \"info depth 3 score $score pv a3a4\"; echo bestmove a3a4 ;;\n\
                quit) exit ;;\n\
            esac\n\
        done\n",
    );
    let engine = format!("cmd=sh {},depth=3", script.path());
    let set = made(&["--count", "9", "--plies", "3..4", "--max-eval", "5", "--engine", &engine]);
    assert!(set.iter().all(|line| line.contains(" w ")), "{set:?}");
    // Without a depth this engine reports no score.
    let engine = format!("cmd=sh {}", script.path());
    let done = openings(&["--count", "1", "--plies", "1", "--max-eval", "5", "--engine", &engine]);
    assert!(done.err.contains("found only 0 of 1"), "{}", done.err);
    openings(&["--count", "1", "--max-eval", "5", "--engine", "cmd=sh -c 'echo help! >&2; exit 3'"])
        .fails(1, "exit status: 3")
        .says("help!");
}

#[test]
fn the_set_that_comes_with_the_program_is_sound() {
    let text = include_str!("../../matches/data/openings.epd");
    let openings = read_openings(text, Rules::default()).unwrap();
    assert_eq!(openings.len(), 500);
    let keys: HashSet<_> = openings.iter().map(|opening| opening.position().key()).collect();
    assert_eq!(keys.len(), 500);
    assert!(openings.iter().all(|opening| !opening.position().in_check()));
    let (header, lines) = text.split_once('\n').unwrap();
    assert!(lines.lines().all(|line| line.ends_with(" w - 0")));
    // The set of this very command depends on the search, but the command must be valid.
    let command: Vec<_> = header.strip_prefix("# sakmak-tools openings ").unwrap().split(' ').collect();
    let command: Vec<_> = command.iter().map(|&word| if word == "500" { "2" } else { word }).collect();
    assert_eq!(made(&command).len(), 3);
}
