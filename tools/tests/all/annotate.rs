//! The command `sakmak-tools annotate`.

use std::fs;
use std::sync::mpsc::{Sender, channel};

use sakmak_engine::tt::Bound;
use sakmak_engine::{Engine, EngineSettings, Limits, Listener, SearchInfo};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_games::pgn::{PgnGame, PgnReader};
use sakmak_movegen::{Game, Move, Notation, Rules};
use sakmak_review::{Evaluation, GameReview, Review, Step};

use crate::common::{Done, TempFile, run};

/// White's second move leaves a rua to a bia.
const BLUNDER: &str = "\
[Event \"Test\"]
[White \"A\"]
[Black \"B\"]
[Result \"0-1\"]
[FEN \"r3k3/8/pp6/8/8/PP6/8/3RK3 w - - 0 30\"]
[SetUp \"1\"]

30. Rd5 {a comment} Ke7 $1 31. Rc5 (31. Rd1 Kf6) 31... bxc5 0-1

";

/// A game with an illegal move.
const BROKEN: &str = "\
[Event \"Broken\"]
[White \"C\"]
[Black \"D\"]

1. e4 d5 2. Rxh8 {no way} *

";

fn annotate(files: &[&TempFile], out: &TempFile, args: &[&str]) -> Done {
    let paths: Vec<_> = files.iter().map(|file| file.path()).collect();
    run(&[&["annotate"], &paths[..], &["--out", out.path(), "--threads", "2"], args].concat(), "")
}

fn games(file: &TempFile) -> Vec<PgnGame> {
    PgnReader::new(file.bytes().as_slice()).collect::<Result<_, _>>().expect("games")
}

/// The record of a game in short notation.
fn record(start: &str, moves: &[String], result: &str) -> String {
    let mut game = Game::from_fen(start, Rules::default()).expect("a FEN");
    let mut text = format!("[Event \"Test\"]\n[FEN \"{start}\"]\n[SetUp \"1\"]\n[Result \"{result}\"]\n\n");
    for mv in moves {
        let mv = game.position().parse_move(mv).expect("a move");
        text += &format!("{} ", game.name(Notation::San, mv));
        game.play(mv).expect("a legal move");
    }
    text + result + "\n\n"
}

#[test]
fn mistakes_get_glyphs_lines_and_cost_accuracy() {
    let input = TempFile::new("games.pgn", BLUNDER);
    let [out, json] = ["out.pgn", "out.json"].map(TempFile::absent);
    let done = annotate(&[&input], &out, &["--nodes", "3000", "--json", json.path()]).ok();
    assert!(done.err.starts_with("1 games annotated, "), "{}", done.err);
    let game = &games(&out)[0];
    for record in &game.moves {
        assert!(record.comments[0].starts_with("[%eval "), "{record:?}");
    }
    let [quiet, reply, blunder, _] = &game.moves[..] else { panic!("{game:?}") };
    assert_eq!((quiet.comments.last().map(String::as_str), quiet.nags.len()), (Some("a comment"), 0));
    assert_eq!(reply.nags, [1], "what others found good stays");
    assert_eq!(blunder.nags, [4]);
    assert_eq!(blunder.variations.len(), 2, "the old line and a better one");
    assert_ne!(blunder.variations[1].moves[0].text, "Rc5");
    assert!(blunder.comments[0].contains("Loses the rua to a bia (31... bxc5"), "{blunder:?}");
    let accuracy = |name| game.tags.get(name).expect("a tag").parse::<f64>().expect("a number");
    assert!(accuracy("WhiteAccuracy") < 70.0 && accuracy("BlackAccuracy") > 90.0);
    assert_eq!(game.tags.get("Annotator"), Some("Sakmak, 3000 nodes a position"));
    let line: serde_json::Value = serde_json::from_str(json.text().trim()).expect("JSON");
    assert_eq!(line["review"]["plies"][2]["verdict"], "blunder");
    assert_eq!(line["review"]["verdicts"][0][2], 1);
    let lesson = &line["review"]["plies"][2]["lesson"];
    assert_eq!(lesson["allowed"][0]["kind"], "material");
    assert_eq!(lesson["allowed"][0]["means"], serde_json::json!({ "by": "cheaper", "piece": "bia" }));
    assert!(line["review"]["plies"][0].get("lesson").is_none());
    assert_eq!(line["review"]["phases"][0]["kind"], "endgame");

    // The output is a file of games like any other, and a second run writes the same.
    assert_eq!(run(&["replay", out.path()], "").status, Some(0));
    let again = TempFile::absent("again.pgn");
    annotate(&[&input], &again, &["--nodes", "3000"]);
    assert_eq!(again.bytes(), out.bytes());
}

/// The tablebase has the distance to mate, and with it the move that loses the race with the count.
#[test]
fn a_lost_race_with_the_count_is_named_with_its_numbers() {
    let start = "7k/8/8/8/8/3S4/4R3/4K3 w - 32 10 80";
    let pairs = DtmTables::default();
    let tables = Tablebases::default().with_pairs(&pairs, true);
    let mut game = Game::from_fen(start, Rules::default()).expect("a FEN");
    let mut moves = Vec::new();
    let needed = loop {
        let values = tables.move_values(game.position()).expect("a table");
        let Value::Win(_) = values[0].value else { panic!("the win is gone before it was thrown away") };
        let lost = values.iter().find(|value| {
            value.value == Value::Draw && {
                let mut after = game.clone();
                after.play(value.mv).expect("a legal move");
                let uncounted = tables.probe(after.position()).expect("a table").uncounted;
                after.outcome().is_none() && matches!(uncounted, Value::Loss(_))
            }
        });
        if let Some(lost) = lost {
            moves.push(lost.mv.to_string());
            game.play(lost.mv).expect("a legal move");
            break tables.probe(game.position()).expect("a table").uncounted.plies().expect("a win");
        }
        for _ in 0..2 {
            let best = tables.move_values(game.position()).expect("a table")[0].mv;
            moves.push(best.to_string());
            game.play(best).expect("a legal move");
        }
    };
    let left = game.position().count().remaining().expect("a count");
    assert!(i32::from(needed) > left - 1);
    let input = TempFile::new("race.pgn", record(start, &moves, "1/2-1/2"));
    let out = TempFile::absent("race-out.pgn");
    annotate(&[&input], &out, &["--nodes", "2000"]).ok();
    let game = &games(&out)[0];
    let last = game.moves.last().expect("a move");
    assert!(last.comments[0].contains(&format!("[%count race-lost {left} {needed}] the race")), "{last:?}");
    assert!(last.nags.iter().any(|nag| [2, 4].contains(nag)), "{last:?}");
    assert!(game.moves.iter().rev().skip(1).all(|record| !record.comments[0].contains("%count")));
}

/// Sends the reports of finished iterations.
struct Finished(Sender<Evaluation>);

impl Listener for Finished {
    fn info(&mut self, info: &SearchInfo) {
        if info.bound == Bound::Exact {
            self.0.send(Evaluation::from(info)).expect("a receiver");
        }
    }

    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {}
}

/// The review of a game by an engine without threads, as the package for JavaScript makes it.
fn review_without_threads(game: &Game, nodes: u64) -> GameReview {
    let mut engine =
        Engine::on_calling_thread(EngineSettings::default(), &DtmTables::default()).expect("memory");
    let tables = Tablebases::default().with_pairs(engine.dtm_tables(), true);
    let mut review = Review::new(game, tables);
    while let Some(step) = review.next_step() {
        let (game, ignores_count) = match step {
            Step::Position(game) => (game.clone(), false),
            Step::Uncounted(game) => (game.clone(), true),
        };
        let settings = EngineSettings { ignores_count, ..engine.settings().clone() };
        let (sender, found) = channel();
        assert_eq!(engine.go_in(game, settings, Limits::nodes(nodes), Finished(sender)), []);
        // One slice per position: a search in several slices may count nodes differently.
        while engine.advance(1_000_000) {}
        review.answer(found.try_iter().last());
    }
    review.finish()
}

#[test]
fn an_engine_without_threads_reviews_a_game_in_the_same_way() {
    // A maa for nothing, and a race with the count that is lost without a tablebase.
    for (fen, moves) in [
        ("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1", "b3b4 b8d7 b1d2 d7c5 b4c5 d6c5"),
        ("8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58", "d7e6 g4f4"),
    ] {
        let moves: Vec<_> = moves.split(' ').map(str::to_owned).collect();
        let input = TempFile::new("review.pgn", record(fen, &moves, "*"));
        let [out, json] = ["review-out.pgn", "review.json"].map(TempFile::absent);
        annotate(&[&input], &out, &["--nodes", "3000", "--json", json.path()]).ok();
        let line: serde_json::Value = serde_json::from_str(json.text().trim()).expect("JSON");

        let mut game = Game::from_fen(fen, Rules::default()).expect("a FEN");
        moves.iter().for_each(|mv| _ = game.play_uci(mv).expect("a legal move"));
        let review = review_without_threads(&game, 3000);
        assert!(review.verdicts.iter().any(|[_, _, blunders]| *blunders > 0));
        assert_eq!(line["review"], serde_json::to_value(&review).expect("JSON"));
    }
}

#[test]
fn a_draw_claimed_late_is_named() {
    let start = "7k/8/8/8/8/8/4R3/4K3 w - 32 31 80";
    let moves = ["e2e3", "h8h7", "e3e2", "h7h8", "e2e3"].map(str::to_owned);
    let input = TempFile::new("late.pgn", record(start, &moves, "1/2-1/2"));
    let out = TempFile::absent("late-out.pgn");
    assert_eq!(annotate(&[&input], &out, &["--nodes", "500"]).status, Some(0));
    let game = &games(&out)[0];
    let comments: Vec<_> = game.moves.iter().map(|record| record.comments.join(" ")).collect();
    assert!(comments[4].contains("[%count claimed-late "), "{comments:?}");
    assert!(comments[..4].iter().all(|comment| !comment.contains("claimed-late")));
}

#[test]
fn broken_games_stay_as_they_are() {
    let input = TempFile::new("mixed.pgn", [BLUNDER, BROKEN, BROKEN, BLUNDER, BROKEN].concat());
    let out = TempFile::absent("mixed-out.pgn");
    annotate(&[&input], &out, &["--nodes", "300"]).fails(1, "game 2, line ").says("2 games annotated");
    let text = out.text();
    assert_eq!(text.matches(BROKEN).count(), 3, "{text}");
    assert_eq!(text.matches("Annotator").count(), 2);
    let events = text.lines().filter(|line| line.starts_with("[Event "));
    assert_eq!(events.map(|line| &line[8..9]).collect::<String>(), "TBBTB");
}

/// An engine that answers without a score.
const SILENT: &str = "\
while read -r line; do
    case $line in
        uci) echo 'option name UCI_Variant type combo default makruk var makruk'; echo uciok ;;
        isready) echo readyok ;;
        go*) echo 'bestmove (none)' ;;
        quit) exit ;;
    esac
done
";

#[test]
fn an_engine_without_scores_is_an_error() {
    let [input, script] = [TempFile::new("silent.pgn", BLUNDER), TempFile::new("silent.sh", SILENT)];
    let out = TempFile::absent("silent-out.pgn");
    let engine = format!("cmd=sh {},name=Silent", script.path());
    annotate(&[&input], &out, &["--nodes", "10", "--engine", &engine])
        .fails(2, "Silent reported no score in a whole game");
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let input = TempFile::new("many.pgn", [BLUNDER, BROKEN, BLUNDER, BLUNDER, BROKEN, BLUNDER].concat());
    let whole = TempFile::absent("whole.pgn");
    annotate(&[&input], &whole, &["--nodes", "300"]);
    let bytes = whole.bytes();
    for cut in [0, 100, bytes.len() / 3, bytes.len() / 2, bytes.len() - 1, bytes.len()] {
        let part = TempFile::new("part.pgn", &bytes[..cut]);
        let done = annotate(&[&input], &part, &["--nodes", "300", "--resume"]);
        assert_eq!(done.status, Some(1), "{}", done.err);
        assert_eq!(part.text(), whole.text(), "cut at {cut}");
    }
    // Another run does not overwrite it, and games that are not in the files are refused.
    assert_eq!(annotate(&[&input], &whole, &["--nodes", "300"]).status, Some(2));
    let one = TempFile::new("one.pgn", BLUNDER);
    annotate(&[&one], &whole, &["--nodes", "300", "--resume"]).fails(2, "has more games");
    assert_eq!(whole.bytes(), bytes);
    assert_eq!(annotate(&[&one], &one, &["--nodes", "300", "--resume"]).status, Some(2));
    assert_eq!(fs::read_to_string(one.path()).expect("the file"), BLUNDER);
    // A file that was not written by this command stays as it is: no games, one that is not annotated, one by another
    // engine, another game.
    let mine = "[Event \"mine\"]\n\n1. e4 e5 *\n";
    let other = whole.text().replacen("[Event \"", "[Event \"My ", 1);
    let engine = whole.text().replace("Sakmak, ", "Other, ");
    for text in ["notes", "\x00\x01\n", mine, &format!("{mine}\n"), &other, &engine] {
        let foreign = TempFile::new("foreign.pgn", text);
        annotate(&[&input], &foreign, &["--nodes", "300", "--resume"])
            .fails(2, "was not written by this command with these games");
        assert_eq!(foreign.text(), *text);
    }
}

/// A run that was interrupted and resumed has the same lines and page as a whole one; a finished one stays unchanged.
#[test]
fn json_and_report_are_resumed() {
    let input =
        TempFile::new("json.pgn", [BLUNDER, BROKEN, BROKEN, BLUNDER, BLUNDER, BROKEN, BLUNDER].concat());
    let [whole, lines, page] = ["json-whole.pgn", "whole.jsonl", "whole.html"].map(TempFile::absent);
    let with = |json: &TempFile, page: &TempFile, more: &[&str]| -> Vec<String> {
        let fixed = ["--nodes", "300", "--json", json.path(), "--report", page.path()];
        [&fixed[..], more].concat().into_iter().map(str::to_owned).collect()
    };
    let annotate = |out: &TempFile, args: &[String]| {
        let args: Vec<_> = args.iter().map(String::as_str).collect();
        annotate(&[&input], out, &args)
    };
    assert_eq!(annotate(&whole, &with(&lines, &page, &[])).status, Some(1));
    let numbers = |text: &str| -> Vec<u64> {
        let lines = text.lines().map(|line| serde_json::from_str::<serde_json::Value>(line).expect("JSON"));
        lines.map(|line| line["game"].as_u64().expect("a number")).collect()
    };
    assert_eq!(numbers(&lines.text()), [1, 4, 5, 7], "by their place in the files");
    // In each state there is at most one line more than games, as after a kill.
    let (games, text) = (whole.bytes(), lines.text());
    let ends: Vec<usize> = text.match_indices('\n').map(|(at, _)| at + 1).collect();
    let starts: Vec<usize> = whole.text().match_indices("[Event ").map(|(at, _)| at).collect();
    for (cut, cut_json) in [
        (0, 0),
        (0, 30),
        (starts[1] - 1, ends[0]),
        (starts[1], ends[0]),
        (starts[3], ends[1]),
        (starts[3] + 9, ends[1]),
        (starts[4], ends[1] + 9),
        (games.len() - 1, ends[3]),
        (games.len(), ends[3]),
    ] {
        let part = TempFile::new("part.pgn", &games[..cut]);
        let part_lines = TempFile::new("part.jsonl", &text[..cut_json]);
        let part_page = TempFile::new("part.html", if cut % 2 == 0 { page.text() } else { String::new() });
        let done = annotate(&part, &with(&part_lines, &part_page, &["--resume"]));
        assert_eq!(done.status, Some(1), "cut at {cut}: {}", done.err);
        assert_eq!((part.text(), part_lines.text()), (whole.text(), text.clone()), "cut at {cut}");
        assert!(part_page.text().contains("id=\"data\""));
    }
    // Without --resume nothing is changed, and the error names --resume.
    let fresh = TempFile::absent("fresh");
    for existing in 0..3 {
        let mut files = ["new.pgn", "new.jsonl", "new.html"].map(TempFile::absent);
        files[existing] =
            TempFile::new("old", [whole.text(), lines.text(), page.text()][existing].as_bytes());
        annotate(&files[0], &with(&files[1], &files[2], &[]))
            .fails(2, "exists already: --resume goes on with it");
    }
    assert_eq!((whole.bytes(), lines.text()), (games.clone(), text.clone()));
    // Lines of another run, or a file without this run's lines, are refused.
    for (json, complaint) in [
        ("".to_owned(), "has no line for game 1, which "),
        (text[ends[0]..].to_owned(), "has no line for game 1, which "),
        ("{\"a\":1}\n".to_owned(), "line 1 was not written by this command"),
        ("a letter\nof two lines\n".to_owned(), "line 1 was not written by this command"),
        (text.clone() + "a letter", "line 5 was not written by this command"),
    ] {
        let other = TempFile::new("other.jsonl", &json);
        annotate(&whole, &with(&other, &page, &["--resume"])).fails(2, complaint);
        assert_eq!((other.text(), whole.bytes()), (json, games.clone()));
    }
    annotate(&whole, &with(&lines, &TempFile::new("other.html", "a letter"), &["--resume"]))
        .fails(2, "exists already");
    annotate(&fresh, &with(&fresh, &page, &[])).fails(2, "need different files");
}

#[test]
fn the_report_is_one_page_with_all_games() {
    let hostile = BLUNDER.replace("\"A\"", "\"</script><b>\"");
    let input = TempFile::new("report.pgn", [BLUNDER, BROKEN, &hostile].concat());
    let [out, page] = ["report-out.pgn", "report.html"].map(TempFile::absent);
    let args = ["--nodes", "2000", "--report", page.path(), "--lang", "th"];
    assert_eq!(annotate(&[&input], &out, &args).status, Some(1));
    let html = page.text();
    assert!(html.contains("<html lang=\"th\">") && !html.contains("/*DATA*/"));
    assert_eq!(html.matches("</script>").count(), 2, "the page's own");
    assert!(
        !html.contains("http://") || html.matches("http://").count() == html.matches("www.w3.org").count()
    );
    let data =
        html.split_once("id=\"data\">").and_then(|(_, rest)| rest.split_once("</script>")).expect("data").0;
    let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
    let games = data["games"].as_array().expect("games");
    assert_eq!(games.len(), 2);
    assert_eq!(games[1]["white"], "</script><b>");
    let moves = games[0]["moves"].as_array().expect("moves");
    assert_eq!((moves.len(), &moves[2]["n"], &moves[2]["s"]), (4, &4.into(), &"Rc5".into()));
    assert!(moves[2]["p"].as_f64() < moves[1]["p"].as_f64(), "{moves:?}");
    assert!(moves[2]["b"].is_string());
    // The author's comment, and what the mistake did.
    assert_eq!(moves[0]["t"], "a comment");
    assert!(moves[2]["t"].as_str().is_some_and(|text| text.starts_with("Loses the rua")), "{moves:?}");
    assert_eq!(data["statistics"]["results"], serde_json::json!([0, 0, 2]));
}
