use serde_json::{Value, json};

use crate::UciSession;

const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

fn session() -> UciSession {
    let mut session = UciSession::new().unwrap();
    session.command("setoption name Hash value 8");
    session
}

fn ask(session: &mut UciSession, question: Value) {
    session.ask(&question.to_string());
}

fn answers(session: &mut UciSession) -> Vec<Value> {
    session.answers().lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

/// The answer to a question, and how many steps it took.
fn answer(session: &mut UciSession, question: Value) -> (Value, usize) {
    ask(session, question);
    for steps in 0..100_000 {
        if let Some(answer) = answers(session).into_iter().find(|answer| answer.get("progress").is_none()) {
            return (answer, steps);
        }
        session.step(1);
    }
    panic!("no answer");
}

#[test]
fn an_ending_is_solved_in_steps_beside_a_search() {
    let mut session = session();
    session.command("go infinite");
    let position = json!({ "fen": "8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58" });
    let (found, steps) = answer(&mut session, json!({ "ask": 7, "what": "endings", "position": position }));
    assert!(steps > 3, "{steps}");
    assert_eq!(found["ask"], 7);
    assert_eq!(found["answer"]["value"], json!({ "result": "win", "plies": 7 }));
    assert_eq!(found["answer"]["pliesLeft"], 7);
    assert_eq!(found["answer"]["moves"]["b5f5"]["result"], "win");
    assert_eq!(found["answer"]["needs"]["d7e6"], 8);
    let question = json!({ "ask": 8, "what": "endingMove", "position": position, "seed": 3 });
    assert_eq!(answer(&mut session, question), (json!({ "ask": 8, "answer": "b5f5" }), 0));
    let question = json!({ "ask": 9, "what": "endingMove", "position": {} });
    assert_eq!(answer(&mut session, question), (json!({ "ask": 9, "answer": null }), 0));
    assert!(!session.take().contains("bestmove"), "the search goes on");
}

#[test]
fn a_review_reports_its_progress_and_can_be_cancelled_or_interrupted() {
    let mut session = session();
    let game = json!({ "moves": ["b3b4", "b8d7", "b1d2"] });
    let review = |ask: u32| json!({ "ask": ask, "what": "review", "position": game, "nodes": 30_000, "notation": "uci" });
    ask(&mut session, review(1));
    let mut seen = Vec::new();
    while session.step(1) {
        seen.extend(answers(&mut session));
    }
    seen.extend(answers(&mut session));
    let report = seen.pop().unwrap();
    assert_eq!(report["answer"]["positions"].as_array().unwrap().len(), 4, "{report}");
    assert_eq!(report["answer"]["positions"][0]["names"], report["answer"]["positions"][0]["line"]);
    let progress: Vec<_> = seen.iter().map(|one| one["progress"]["finished"].clone()).collect();
    assert_eq!(progress, [json!(1), json!(2), json!(3), json!(4)]);

    let interrupted = json!([{ "ask": 2, "error": {
        "code": "engine.interrupted", "message": "another search has begun" } }]);
    for line in ["go depth 1", "stop"] {
        ask(&mut session, review(2));
        session.command("position startpos");
        session.command("isready");
        assert_eq!(answers(&mut session).len(), 0, "these do not disturb it");
        session.command(line);
        assert_eq!(json!(answers(&mut session)), interrupted, "{line}");
    }
    ask(&mut session, review(2));
    ask(&mut session, review(3));
    assert_eq!(json!(answers(&mut session)), interrupted);
    session.cancel(3);
    while session.step(1) {}
    assert_eq!(answers(&mut session).len(), 0);
    session.take();
    session.command("go nodes 500");
    while session.step(1) {}
    assert!(session.take().contains("bestmove"));
}

#[test]
fn moves_are_named_and_draws_accepted() {
    let mut session = session();
    let question = json!({ "ask": 1, "what": "names", "position": { "fen": START, "moves": ["e3e4"] },
        "lines": [["b8d7", "b1d2"], [], ["e6e5"]], "notation": "thai-san" });
    assert_eq!(answer(&mut session, question).0["answer"], json!([["ม-ง๗", "ม-ง๒"], [], ["จ๕"]]));
    for (chances, accepts) in [([100, 700, 200], [true, false]), ([50, 950, 0], [true, true])] {
        let question = json!({ "ask": 2, "what": "acceptsDraw", "chances": chances });
        assert_eq!(answer(&mut session, question).0["answer"], json!(accepts));
    }
    let question = json!({ "ask": 3, "what": "settings", "seed": 5 });
    assert_eq!(answer(&mut session, question).0, json!({ "ask": 3, "answer": null }));
}

#[test]
fn wrong_questions_are_refused_with_their_id() {
    let mut session = session();
    let code = |session: &mut UciSession, question: Value| {
        let (answer, _) = answer(session, question);
        (answer["ask"].as_u64().unwrap(), answer["error"]["code"].as_str().unwrap().to_owned())
    };
    for (position, message) in [
        (json!({ "fen": "x" }), "FEN"),
        (json!({ "moves": ["e3e5"] }), "e3e5"),
        (json!({ "moves": ["count-start"] }), "count"),
        (json!({ "ruleset": "mine" }), "mine"),
        (json!({ "parts": "SutMet=perhaps" }), "SutMet"),
    ] {
        let question = json!({ "ask": 4, "what": "endings", "position": position });
        let (answer, _) = answer(&mut session, question);
        assert_eq!(answer["error"]["code"], "engine.position", "{answer}");
        let text = answer["error"]["message"].as_str().unwrap();
        assert!(text.contains(message), "{text}");
    }
    let names = json!({ "ask": 5, "what": "names", "position": {}, "lines": [["e3e4", "e3e4"]] });
    assert_eq!(code(&mut session, names), (5, "engine.position".to_owned()));
    let names = json!({ "ask": 5, "what": "names", "position": {}, "lines": [], "notation": "x" });
    assert_eq!(code(&mut session, names), (5, "engine.notation".to_owned()));
    let review = json!({ "ask": 6, "what": "review", "position": {}, "nodes": 0 });
    assert_eq!(code(&mut session, review), (6, "engine.review".to_owned()));
    for (question, id) in [
        (json!({ "ask": 7, "what": "life" }), 7),
        (json!({ "ask": 8, "what": "review", "position": {}, "nodes": -3 }), 8),
        (json!(["nothing"]), 0),
    ] {
        assert_eq!(code(&mut session, question), (id, "engine.question".to_owned()));
    }
}
