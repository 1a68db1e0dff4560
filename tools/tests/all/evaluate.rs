//! The command `sakmak-tools evaluate`.

use sakmak_engine::analysis::Analysis;
use sakmak_engine::{Engine, EngineSettings, Limits};
use sakmak_movegen::Rules;
use serde_json::{Value, json};

use crate::common::{Done, TempFile, run};

const MATE: &str = "3k4/8/8/3K4/8/8/8/R6R w - - 0 1";
/// Rua against bare khun with the count running.
const COUNTED: &str = "7k/8/8/8/8/8/4R3/4K3 b - 32 9 80";

/// Two games, one with an illegal move before them.
const GAMES: &str = "\
[Event \"Broken\"]

1. e4 d5 2. Rxh8 *

[Event \"Whole\"]
[Result \"*\"]

1. e4 d5 2. exd5 exd5 *
";

fn evaluate(files: &[&TempFile], args: &[&str], input: &str) -> Done {
    let paths: Vec<_> = files.iter().map(|file| file.path()).collect();
    run(&[&["evaluate"], &paths[..], args].concat(), input)
}

fn objects(text: &str) -> Vec<Value> {
    text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
}

/// What the library finds, without the time.
fn searched(fen: &str, moves: &[&str], nodes: u64, multi_pv: usize) -> Value {
    let settings =
        EngineSettings { hash_mb: 16, multi_pv, rules: Rules::default(), ..EngineSettings::default() };
    let mut engine = Engine::new(settings).expect("memory");
    assert_eq!(engine.set_game(Some(fen), moves.iter().copied()), []);
    let analysis = Analysis::of(&mut engine, Limits::nodes(nodes), &mut |_| ()).expect("a move");
    serde_json::to_value(Analysis { time_ms: None, ..analysis }).expect("an object")
}

/// An object with the fields of another one.
fn with(mut object: Value, fields: Value) -> Value {
    let fields = fields.as_object().expect("an object").clone();
    object.as_object_mut().expect("an object").extend(fields);
    object
}

#[test]
fn positions_have_the_lines_of_analyse_in_any_order() {
    let start = Rules::default().start_fen();
    let lines =
        [MATE, "# remark", "8/8 w - - 0 1", COUNTED, "startpos moves e3e4", "startpos moves e3e5", MATE];
    let args = ["--nodes", "2000", "--multipv", "2", "--threads", "3"];
    let done = evaluate(&[], &args, &lines.join("\n")).fails(1, "line 3: error: ").says("line 6: error: ");
    let found = objects(&done.out);
    assert_eq!(found.len(), 6, "{}", done.out);
    for (line, fen, moves) in [(1, MATE, &[][..]), (4, COUNTED, &[]), (5, &start, &["e3e4"]), (7, MATE, &[])]
    {
        let fields = json!({ "line": line, "rules": "makruk fairy-stockfish" });
        let expected = with(searched(fen, moves, 2000, 2), fields);
        assert!(found.contains(&expected), "{expected}\n{}", done.out);
    }
    assert_eq!((&found[1]["line"], &found[1]["input"]), (&json!(3), &json!("8/8 w - - 0 1")));
    assert!(found[4]["error"].as_str().is_some_and(|error| error.contains("e3e5")), "{}", found[4]);

    let backwards: Vec<_> = lines.iter().rev().copied().collect();
    let other = evaluate(&[], &args, &backwards.join("\n")).fails(1, "error");
    let without_line = |text: &str| {
        let mut all = objects(text);
        all.iter_mut().for_each(|object| drop(object.as_object_mut().expect("an object").remove("line")));
        all
    };
    let mut reversed = without_line(&other.out);
    reversed.reverse();
    assert_eq!(reversed, without_line(&done.out));
}

#[test]
fn rules_and_ids_are_in_the_line() {
    let args = ["--depth", "1", "--ruleset", "wikipedia", "--rule-parts", "Repetition=threefold"];
    let record = format!("{} id \"a.1\"; bm e3e4;", "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - -");
    let found = objects(&evaluate(&[], &args, &record).ok().out);
    assert_eq!(found[0]["id"], json!("a.1"));
    assert_eq!(found[0]["rules"], json!("makruk wikipedia Repetition=threefold"));
}

#[test]
fn games_have_a_line_for_each_position() {
    let games = TempFile::new("games.pgn", GAMES);
    let done =
        evaluate(&[&games], &["--nodes", "500", "--threads", "2"], "").fails(1, "game 1, line 3: error: ");
    let found = objects(&done.out);
    assert_eq!(found.len(), 6, "{}", done.out);
    assert!(found[0]["error"].is_string() && found[0]["line"] == json!(3), "{}", found[0]);
    for (ply, object) in found[1..].iter().enumerate() {
        assert_eq!((&object["game"], &object["ply"]), (&json!(2), &json!(ply)));
    }
    let start = Rules::default().start_fen();
    let fields = json!({ "game": 2, "ply": 2, "rules": "makruk fairy-stockfish" });
    assert_eq!(found[3], with(searched(&start, &["e3e4", "d6d5"], 500, 1), fields));

    // One thread, and games from standard input.
    let again = evaluate(&[], &["--nodes", "500", "--threads", "1", "--format", "games"], GAMES);
    assert_eq!(again.out, done.out);
}

#[test]
fn a_run_is_resumed_where_its_output_ends() {
    let positions =
        TempFile::new("positions.fen", format!("{MATE}\nwrong\nstartpos moves e3e4\n{COUNTED}\n"));
    let games = TempFile::new("games.pgn", GAMES);
    let out = TempFile::absent("out.jsonl");
    let args = |more: &'static [&'static str]| [&["--nodes", "300", "--threads", "2"], more].concat();
    let evaluate =
        |files: &[&TempFile], more| evaluate(files, &[&args(more)[..], &["--out", out.path()]].concat(), "");
    evaluate(&[&positions, &games], &[]).fails(1, "10 positions");
    let whole = out.bytes();
    evaluate(&[&positions, &games], &[]).fails(2, "--resume");
    for length in [0, 3, whole.len() / 2, whole.len() - 1, whole.len()] {
        std::fs::write(out.path(), &whole[..length]).expect("a file");
        evaluate(&[&positions, &games], &["--resume"]);
        assert!(out.bytes() == whole, "{length}");
    }
    evaluate(&[&positions, &games], &["--resume"]).ok().says("10 there already");
    evaluate(&[&games, &positions], &["--resume"]).fails(2, "line 1 is not about");
    evaluate(&[&positions], &["--resume"]).fails(2, "line 1 is not about");
    assert!(out.bytes() == whole);
    std::fs::write(out.path(), "something else\n").expect("a file");
    evaluate(&[&positions], &["--resume"]).fails(2, "was not written by this command");
    assert_eq!(out.bytes(), b"something else\n");
}

#[test]
fn a_run_can_end_at_the_first_wrong_position() {
    let out = TempFile::absent("out.jsonl");
    let args = ["--nodes", "300", "--stop-on-error", "--out", out.path()];
    evaluate(&[], &args, &format!("{MATE}\nwrong\n{MATE}\n")).fails(2, "line 2: ");
    assert_eq!(objects(&String::from_utf8(out.bytes()).expect("UTF-8")).len(), 1);
    evaluate(&[], &["--depth", "1", "--stop-on-error", "--format", "games"], GAMES)
        .fails(2, "game 1, line 3");
    evaluate(&[&TempFile::absent("none")], &["--depth", "1"], "").fails(2, "error: ");
}
