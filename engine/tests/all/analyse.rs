//! The command `analyse`, as a script runs it.

use std::io::Write;
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

const MATE: &str = "3k4/8/8/3K4/8/8/8/R6R w - - 0 1";

fn analyse(args: &[&str], input: &str) -> (Option<i32>, String, String) {
    let mut child = Command::new(env!("CARGO_BIN_EXE_sakmak"))
        .arg("analyse")
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The program may have ended already.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    let Output { status, stdout, stderr } = child.wait_with_output().unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    (status.code(), text(stdout), text(stderr))
}

/// The JSON objects printed, without times.
fn objects(text: &str) -> Vec<Value> {
    let object = |line: &str| {
        let mut object: Value = serde_json::from_str(line).unwrap();
        object.as_object_mut().unwrap().remove("time_ms");
        object
    };
    text.lines().map(object).collect()
}

#[test]
fn a_position_for_people() {
    let (status, text, errors) = analyse(&["--fen", MATE, "--depth", "6", "--multipv", "2"], "");
    assert_eq!((status, errors.as_str()), (Some(0), ""));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(lines[0], MATE);
    assert!(lines[1].starts_with("Best move: ") && lines[1].contains("(depth 6, "), "{text}");
    assert!(lines[2].starts_with("  1. mate in 2  ") && lines[3].starts_with("  2. "), "{text}");
    assert_eq!((lines.len(), lines[4]), (5, ""));

    let (status, text, _) = analyse(&["--fen", "startpos", "--moves", "e3e4 b8d7", "--nodes", "500"], "");
    assert!(
        status == Some(0) && text.starts_with("r1smksnr/3n4/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR w"),
        "{text}"
    );
    // No legal moves.
    let mated = "R6k/8/6K1/8/8/8/8/8 b - - 0 1";
    let (status, text, _) = analyse(&["--fen", mated], "");
    assert_eq!((status, text), (Some(0), format!("{mated}\nOutcome: white wins (checkmate)\n\n")));
}

#[test]
fn positions_from_standard_input_as_json() {
    let input = format!(
        "# two of them wrong\n{MATE}\n\n8/8 w - - 0 1\r\nstartpos moves e3e4 e3e5\nstartpos moves e3e4\n\
         k7/2R5/8/1R6/8/8/8/7K b - - 0 1"
    );
    let args = ["--json", "--nodes", "3000", "--multipv", "2", "--hash", "1"];
    let (status, text, errors) = analyse(&args, &input);
    assert_eq!(status, Some(1));
    let messages: Vec<_> = errors.lines().collect();
    assert!(messages[0].starts_with("line 4: error: FEN board: "), "{errors}");
    assert!(messages[1].starts_with("line 5: error: move 2 'e3e5' is not legal here"), "{errors}");
    assert_eq!(messages.len(), 2);

    let found = objects(&text);
    assert_eq!(found.len(), 5, "{text}");
    let first = &found[0];
    assert_eq!((&first["line"], &first["fen"], &first["outcome"]), (&json!(2), &json!(MATE), &json!(null)));
    let lines = first["lines"].as_array().unwrap();
    assert_eq!(lines[0]["score"], json!({ "mate": 2 }));
    assert_eq!((&lines[0]["multipv"], &lines[1]["multipv"]), (&json!(1), &json!(2)));
    assert_eq!((&lines[0]["pv"][0], &lines[0]["wdl"]), (&first["bestmove"], &json!([1000, 0, 0])));
    assert_eq!((&found[1]["line"], &found[1]["input"]), (&json!(4), &json!("8/8 w - - 0 1")));
    assert_eq!(found[2]["input"], json!("startpos moves e3e4 e3e5"));
    assert!(found[2]["error"].as_str().unwrap().contains("is not legal here"));
    assert!(found[3]["lines"][0]["score"]["cp"].is_i64() && found[3]["nodes"].as_u64() >= Some(3000));
    assert_eq!((&found[4]["outcome"], &found[4]["lines"]), (&json!("draw (stalemate)"), &json!([])));
    assert_eq!(found[4]["bestmove"], json!(null));

    // Alone, the position gives the same result.
    let (_, alone, _) = analyse(&args, "\n\n\n\n\nstartpos moves e3e4\n");
    assert_eq!(objects(&alone)[0], found[3]);
}

#[test]
fn rules_are_options() {
    let dance = "b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8";
    let args = ["--json", "--fen", "startpos", "--depth", "1", "--moves", dance];
    let outcome = |more: &[&str]| {
        let (status, text, errors) = analyse(&[&args, more].concat(), "");
        assert_eq!((status, errors.as_str()), (Some(0), ""), "{more:?}");
        objects(&text)[0]["outcome"].clone()
    };
    assert_eq!(outcome(&[]), json!("draw (repetition)"));
    assert_eq!(outcome(&["--rule-parts", "Repetition=none"]), json!(null));
    assert_eq!(outcome(&["--ruleset", "none"]), json!(null));
    let leap = ["--fen", "startpos", "--moves", "d1b2", "--depth", "1"];
    assert_eq!(analyse(&leap, "").0, Some(1));
    assert_eq!(analyse(&[&leap[..], &["--variant", "cambodian"]].concat(), "").0, Some(0));
}

#[test]
fn wrong_arguments_are_explained() {
    for (args, expected) in [
        (&["--depth", "0"][..], "a whole number from 1 "),
        (&["--multipv", "501"], "a whole number from 1 to 500 is needed"),
        (&["--fen"], "a value is required"),
        (&["--moves", "e3e4"], "--fen"),
        (&["--ruleset", "mine"], "possible values"),
        (&["--rule-parts", "Repetition=twice"], "--rule-parts: Repetition can be "),
        (&["--fen", "8/8 w"], "error: FEN board: there must be 8 ranks, not 2"),
    ] {
        let (status, text, errors) = analyse(args, "");
        assert!(status != Some(0) && text.is_empty() && errors.contains(expected), "{args:?}: {errors}");
    }
}
