//! The command `sakmak-tools replay`.

use crate::common::{Done, TempFile, run};
use serde_json::Value;

/// The shortest possible mate.
const MATE: &str = "[White \"A\"]\n[Result \"1-0\"]\n\n1. Nd2 Ne7 2. Nc4 Nd7 3. Nxd6# 1-0\n\n";
/// The same moves with another result.
const WRONG: &str = "[White \"B\"]\n\n1. Nd2 Ne7 2. Nc4 Nd7 3. Nxd6# 0-1\n\n";
/// The start position for the third time after eight plies, then one more ply.
const DANCE: &str = "[White \"C\"]\n\n1. Nd2 Nd7 2. Nb1 Nb8 3. Nd2 Nd7 4. Nb1 Nb8 5. e4 1-0\n\n";

fn json(done: &Done) -> Value {
    serde_json::from_str(&done.out).unwrap_or_else(|error| panic!("{error}: {}{}", done.out, done.err))
}

/// The JSON report of `replay` on a text from standard input.
fn report(args: &[&str], text: &str) -> (Option<i32>, Value) {
    let done = run(&[&["replay", "--json", "-"], args].concat(), text);
    (done.status, json(&done))
}

#[test]
fn a_whole_game_agrees_with_the_rules() {
    let (status, report) = report(&[], MATE);
    assert_eq!(status, Some(0));
    assert_eq!(report["games"]["replayed"], 1);
    assert_eq!(report["plies"], 5);
    assert_eq!(report["comparison"]["agrees"], 1);
    assert_eq!(report["outcomes"][0]["outcome"], "checkmate by White");
    assert_eq!(report["openings"][0]["moves"], "1. Nd2 Ne7 2. Nc4 Nd7");
    assert_eq!(report["results"]["1-0"], 1);
}

#[test]
fn contradictions_are_listed_and_leave_the_status_alone() {
    let (status, report) = report(&[], &format!("{MATE}{WRONG}{DANCE}"));
    assert_eq!(status, Some(0));
    assert_eq!(report["comparison"]["contradicts"], 2);
    assert_eq!(report["played_on_after_a_draw"], 1);
    let [wrong, dance] = report["contradictions"].as_array().unwrap().as_slice() else { panic!("{report}") };
    assert_eq!(
        (&wrong["game"], &wrong["line"], &wrong["rules"]),
        (&2.into(), &6.into(), &"checkmate by White".into())
    );
    assert_eq!(wrong["result"], "0-1");
    assert_eq!(dance["rules"], "draw (repetition)");
    assert_eq!((&dance["after_plies"], &dance["plies"]), (&8.into(), &9.into()));
    assert_eq!(dance["record_ends"], "played on");

    let done = run(&["replay", "-", "--verbose"], DANCE);
    assert!(
        done.out
            .contains("standard input: game 1, line 1: file 1-0, rules draw (repetition) after 8 of 9 plies")
    );
    assert!(!run(&["replay", "-"], DANCE).out.contains("game 1, line 1"));
    // These rules have no draw by repetition.
    assert_eq!(self::report(&["--ruleset", "schemingmind"], DANCE).1["comparison"]["contradicts"], 0);
}

#[test]
fn the_categories_of_results() {
    let games = "1. e4 e5 1-0\n\n1. e4 e5 1/2-1/2\n\n1. e4 e5 *\n\n1. Nd2 Ne7 2. Nc4 Nd7 3. Nxd6# *\n";
    let comparison = &report(&[], games).1["comparison"];
    for name in ["decided_while_it_goes_on", "draw_agreed", "unfinished", "unfinished_but_over"] {
        assert_eq!(comparison[name], 1, "{name}");
    }
}

#[test]
fn broken_games_are_reported_with_file_game_line_and_reason() {
    let text = format!("{MATE}[White \"x\"]\n\n1. e4 e5\n2. Nd2 Rb5\n*\n\n{MATE}");
    let file = TempFile::new("illegal.pgn", &text);
    let done = run(&["replay", file.path()], "");
    assert_eq!(done.status, Some(1));
    let fen = "rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/3N4/R1SKMSNR b - - 1 2";
    let expected = format!("{}: game 2, line 9: 2... 'Rb5' is not legal here; FEN {fen}\n", file.path());
    assert_eq!(done.err, expected);
    let (_, report) = report(&[], &text);
    assert_eq!(report["games"]["broken"], 1);
    assert_eq!(report["games"]["replayed"], 2);
    assert_eq!(report["broken_games"][0]["line"], 9);

    // The reader's faults, those of a start position, and warnings, which leave the game intact. All of them are tested in
    // `tools/games`.
    for (text, status, message) in [
        ("[White \"x\"]\n\n1. e4 {what a", 1, "game 1, line 3: a comment is never closed"),
        ("[FEN \"8/8 w\"]\n\n1. e4 *", 1, "game 1, line 1: FEN tag: FEN board: there must be 8 ranks"),
        ("1. e4 e5 (1... e3) *", 0, "line 1: warning: in a variation, 1... 'e3' is not legal here"),
    ] {
        let done = run(&["replay", "-"], text);
        assert_eq!(done.status, Some(status), "{text}");
        assert!(done.err.starts_with(&format!("standard input: {message}")), "{}", done.err);
    }
    // Without a result token the game simply ends.
    assert_eq!(run(&["replay", "-"], "[White \"x\"]\n\n1. e4 e5 2. Nd2").status, Some(0));
}

#[test]
fn variants_go_by_the_tag_or_the_option() {
    let cambodian = "[Variant \"Cambodian\"]\n\n1. Kb2 Mc7 *\n\n";
    let fen = "[Variant \"CAMBODIAN\"]\n\
        [FEN \"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1\"]\n\n1. Me3 *\n\n";
    // The met leaps only over an empty third rank.
    assert_eq!(report(&[], &format!("{cambodian}{fen}")).0, Some(1));
    let fen = fen.replace("1. Me3", "1. d1b2");
    let (status, both) = report(&[], &format!("{MATE}{cambodian}{fen}"));
    assert_eq!(status, Some(0));
    assert_eq!(both["variants"], serde_json::json!({ "makruk": 1, "cambodian": 2 }));
    let (status, one) =
        report(&["--variant", "cambodian"], &format!("[Variant \"Makruk\"]\n{MATE}{cambodian}"));
    assert_eq!(status, Some(0));
    assert_eq!((&one["games"]["skipped"], &one["games"]["replayed"]), (&1.into(), &1.into()));
    // A makruk khun does not leap, and a chess game is skipped if only makruk is wanted.
    assert_eq!(report(&["--variant", "makruk"], "1. Kb2 *").0, Some(1));
    assert_eq!(report(&["--variant", "makruk"], "[Variant \"Chess\"]\n\n1. Kb2 *").0, Some(0));
}

#[test]
fn games_from_set_up_positions() {
    let game = "[FEN \"7k/R7/5K2/8/8/8/8/1R6 w - 16 8 40\"]\n\n40. Rb8# 1-0\n";
    for text in [game.to_owned(), format!("[SetUp \"1\"]\n{game}")] {
        let (status, report) = report(&[], &text);
        assert_eq!((status, &report["comparison"]["agrees"]), (Some(0), &1.into()));
        assert_eq!(report["openings"], serde_json::json!([]));
        let [whole, limit] = report["endings_by_count"].as_array().unwrap().as_slice() else {
            panic!("{report}")
        };
        assert_eq!((&whole["count"], &whole["limit"]), (&"pieces' honour".into(), &Value::Null));
        assert_eq!((&limit["limit"], &limit["games"], &limit["mates"]), (&8.into(), &1.into(), &1.into()));
    }
}

#[test]
fn all_notations_are_understood() {
    for moves in [
        "Nd2 Ne7 Nc4 Nd7 Nxd6#",
        "Nb1-d2 Ng8-e7 Nd2-c4 Nb8-d7 Nc4xd6#",
        "b1d2 g8e7 d2c4 b8d7 c4d6",
        "ม-ง๒ ม-จ๗ ม-ค๔ ม-ง๗ มxง๖#",
        "ม ข๑-ง๒ ม ช๘-จ๗ ม ง๒-ค๔ ม ข๘-ง๗ ม ค๔xง๖#",
    ] {
        assert_eq!(report(&[], &format!("{moves} 1-0")).1["comparison"]["agrees"], 1, "{moves}");
    }
    assert_eq!(report(&["--from", "thai-san"], "ม-ง๒ *").0, Some(0));
    assert_eq!(report(&["--from", "thai-san"], "Nd2 *").0, Some(1));
}

#[test]
fn the_status_names_the_error() {
    let good = TempFile::new("good.pgn", MATE);
    let missing = format!("{}-missing", good.path());
    assert_eq!(run(&["replay", good.path(), good.path()], "").status, Some(0));
    let done = run(&["replay", &missing, good.path(), "--json"], "");
    assert_eq!(done.status, Some(2));
    assert_eq!(json(&done)["games"]["replayed"], 1, "the other file is read");
    assert_eq!(json(&done)["unreadable_files"][0]["file"], missing);
    // Without any readable file there is no summary.
    for files in [&[missing.as_str()][..], &[&missing, env!("CARGO_MANIFEST_DIR")]] {
        let done = run(&[&["replay"], files].concat(), "");
        assert_eq!((done.status, done.out.as_str()), (Some(2), ""), "{}", done.err);
        assert!(done.err.contains(&format!("error: {missing}: ")), "{}", done.err);
    }
    assert_eq!(run(&["replay"], "").status, Some(2));
    assert_eq!(run(&["replay", good.path(), "--ruleset", "mine"], "").status, Some(2));
    assert_eq!(run(&["replay", env!("CARGO_MANIFEST_DIR")], "").status, Some(2));
    assert_eq!(run(&["replay", "-"], "").status, Some(0));
}

#[test]
fn the_summary_for_people() {
    let out = run(&["replay", "-"], &format!("{MATE}{WRONG}{DANCE}")).out;
    let lines: Vec<_> =
        out.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    for line in [
        "replayed 3",
        "draw (repetition) 1 33.3",
        "rules: checkmate by White; file: 0-1 1",
        "rules: draw (repetition); file: 1-0; played on 1",
        "median 5",
    ] {
        assert!(lines.iter().any(|found| found == line), "{line:?} in\n{out}");
    }
}
