use sakmak_games::Dialect;

use super::*;
use crate::view::{Beginning, Prospect};

fn choice(variant: &str, ruleset: &str, parts: &str) -> RulesChoice {
    RulesChoice { variant: variant.into(), ruleset: ruleset.into(), parts: parts.into() }
}

fn record(fen: Option<&str>) -> Record {
    Record::new(RulesChoice::default(), fen).unwrap()
}

fn open(text: &str) -> Record {
    let OpenedGame { record, fault, warning } =
        Library::read(text, &RulesChoice::default()).unwrap().open(0).unwrap();
    assert_eq!((fault, warning), (None, None));
    record
}

fn pgn(record: &Record) -> String {
    record.pgn(Notation::San, Dialect::Plain).unwrap()
}

/// The nodes of a tree, from its JSON.
fn tree(record: &Record, notation: Notation) -> Vec<serde_json::Value> {
    serde_json::from_str(&record.tree(notation)).unwrap()
}

#[test]
fn moves_say_what_they_do_to_the_count() {
    // Two rua and maa take the last piece: 8 - 5.
    let record = record(Some("7k/8/8/8/8/8/1m6/1K1RR1N1 w - - 0 40"));
    let view = record.view(ROOT, Notation::San).unwrap();
    let change = |uci: &str| {
        let found = view.moves.iter().find(|mv| mv.uci == uci).unwrap();
        found.count.clone()
    };
    let begins = change("b1b2").unwrap();
    assert_eq!((begins.what, begins.pieces), ("begins", 5));
    let count = begins.count.unwrap();
    assert_eq!((count.honour, count.counter, count.attacker), ("pieces", Some('b'), 'w'));
    assert_eq!((count.limit, count.number, count.moves_left), (Some(8), 5, Some(3)));
    // No bia is left, so any other move begins the board's honour.
    assert_eq!(change("g1f3").unwrap().count.unwrap().honour, "board");
    // If either side lost its last pieces now: 8 - 5, and 64 - 3 against a met alone.
    let prospect = |attacker, limit, moves_left| Prospect { attacker, limit, moves_left };
    assert_eq!(view.prospects, [prospect('w', 8, 3), prospect('b', 64, 61)]);

    let mut running =
        Record::new(RulesChoice::default(), Some("8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80")).unwrap();
    let node = running.play(ROOT, "c2c6").unwrap();
    let view = running.view(node, Notation::San).unwrap();
    assert!(view.moves.iter().all(|mv| mv.count.is_none()), "they only count on");
    let count = view.count.unwrap();
    assert_eq!((count.ply_limit, count.ply), (Some(32), 10));
    assert_eq!(view.bare, Some('b'));
    assert_eq!(view.check.as_deref(), Some("e6"));
}

#[test]
fn the_count_by_hand_is_part_of_the_game() {
    let rules = choice("makruk", "wikipedia", "");
    let mut record = Record::new(rules, Some("4k3/8/8/8/8/8/1m6/K1RR4 w - - 0 40")).unwrap();
    let mut node = record.play(ROOT, "a1b2").unwrap();
    assert!(record.view(node, Notation::San).unwrap().by_hand.stop);
    record.count(node, CountWord::Stop).unwrap();
    assert!(record.view(node, Notation::San).unwrap().by_hand.start);
    for mv in ["e8f7", "c1c3", "f7f6", "d1f1"] {
        node = record.play(node, mv).unwrap();
    }
    assert_eq!(
        record.view(node, Notation::San).unwrap().count.and_then(|count| count.limit),
        None,
        "stopped"
    );
    record.count(node, CountWord::Start).unwrap();
    assert_eq!(record.view(node, Notation::San).unwrap().count.unwrap().number, 4);
    assert_eq!(record.count(node, CountWord::Claim).unwrap_err().code, "count.running");
    let (_, words) = record.engine_line(node).unwrap();
    assert_eq!(words.join(" "), "a1b2 count-stop e8f7 c1c3 f7f6 d1f1 count-start");

    // It survives in PGN, with the rules.
    let text = pgn(&record);
    assert!(text.contains("[Ruleset \"wikipedia\"]") && text.contains("{[%count stop]}"), "{text}");
    let again = open(&text);
    assert_eq!(again.engine_line(again.line_through(ROOT).unwrap()[5]).unwrap().1, words);
    assert_eq!(pgn(&again), text);
}

#[test]
fn variations_comments_glyphs_and_evaluations_go_through() {
    let text = "[Event \"x\"]\n[White \"A\"]\n\n{Start} 1. e4! {good [%eval 0.25]} (1. d4 {[%clk 0:01] less} d5 (1... e5 \
                2. dxe5 $14)) 1... e5 {[%eval #-3]} 2. Nd2 1-0\n";
    let record = open(text);
    let nodes = tree(&record, Notation::San);
    let names: Vec<_> = nodes.iter().map(|node| node["san"].as_str().unwrap()).collect();
    assert_eq!(names, ["", "e4", "e5", "Nd2", "d4", "d5", "e5", "dxe5"]);
    assert_eq!(nodes[1]["evaluation"]["cp"], 25);
    assert_eq!(nodes[2]["evaluation"]["mate"], -3);
    assert_eq!(nodes[1]["comments"][0], "good");
    assert_eq!(nodes[4]["comments"][0], "less", "commands are not shown");
    assert_eq!(nodes[1]["nags"][0], 1);
    assert_eq!(nodes[7]["nags"][0], 14);
    assert_eq!((nodes[2]["moveNumber"].as_u64(), nodes[2]["color"].as_str()), (Some(1), Some("b")));
    let thai = tree(&record, Notation::ThaiSan);
    assert_eq!(thai[3]["san"], "ม-ง๒");

    let written = pgn(&record);
    let again = open(&written);
    assert_eq!(pgn(&again), written);
    assert_eq!(tree(&again, Notation::San), nodes);
    for notation in Notation::ALL {
        let written = record.pgn(*notation, Dialect::PyChess).unwrap();
        let again = open(&written);
        let names = |record: &Record| -> Vec<_> {
            tree(record, Notation::San).iter().map(|node| node["uci"].clone()).collect()
        };
        assert_eq!(names(&again), names(&record), "{written}");
    }
}

#[test]
fn the_tree_is_edited() {
    let mut record = record(None);
    let first = record.play(ROOT, "e3e4").unwrap();
    assert_eq!(record.play(ROOT, "e4"), Ok(first), "a move that is there is not added again");
    let second = record.play(first, "e5").unwrap();
    let other = record.play(first, "Nd7").unwrap();
    let after = record.play(other, "ม-ง๒").unwrap();
    assert_eq!(record.line_through(ROOT).unwrap(), [ROOT, first, second]);
    assert_eq!(record.line_through(after).unwrap(), [ROOT, first, other, after]);
    record.promote(after).unwrap();
    assert_eq!(record.line_through(ROOT).unwrap(), [ROOT, first, other, after]);
    record.set_comment(other, " hm ").unwrap();
    record.set_glyph(other, 5).unwrap();
    record.set_glyph(other, 2).unwrap();
    record.set_tag("White", "Me");
    record.set_tag("Result", "1-0");
    assert!(pgn(&record).contains("[White \"Me\"]"));
    assert!(pgn(&record).ends_with("1. e4 Nd7 $2 {hm} (1... e5) 2. Nd2 1-0\n\n"), "{}", pgn(&record));
    assert_eq!(record.delete(other), Ok(first));
    assert_eq!(record.line_through(ROOT).unwrap(), [ROOT, first, second]);
    let read = |text| record.read_move(first, text).unwrap().map(|mv| mv.to_string());
    assert_eq!((read("Nd7"), read("ม-ง๗"), read("x")), (Some("b8d7".into()), Some("b8d7".into()), None));
    assert_eq!(record.play(first, "Ke5").unwrap_err().code, "move.illegal");
    assert_eq!(record.play(first, "<b>").unwrap_err().code, "move.malformed");
    assert_eq!(record.play(99, "e4").unwrap_err().code, "argument.node");
    assert_eq!(record.view(99, Notation::San).unwrap_err().code, "argument.node");
    assert_eq!(record.line_through(99).unwrap_err().code, "argument.node");
    assert_eq!(record.engine_line(99).unwrap_err().code, "argument.node");
    assert_eq!(record.read_move(99, "e4").unwrap_err().code, "argument.node");
    assert_eq!(record.delete(ROOT), Ok(ROOT));
    assert_eq!(record.line_through(ROOT).unwrap(), [ROOT]);
}

#[test]
fn texts_of_many_kinds_are_read() {
    let rules = RulesChoice::default();
    let fens = |text: &str, rules: &RulesChoice| -> Vec<String> {
        let library = Library::read(text, rules).unwrap();
        (0..library.len())
            .map(|index| {
                let record = library.open(index).unwrap().record;
                let last = *record.line_through(ROOT).unwrap().last().unwrap();
                record.view(last, Notation::San).unwrap().fen
            })
            .collect()
    };
    let fen = "8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80";
    assert_eq!(fens(fen, &rules), [fen]);
    assert_eq!(fens("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0 0 1", &rules).len(), 1);
    let after = "8/8/2R1k3/8/3S4/8/4K3/8 b - 32 10 80";
    assert_eq!(fens(&format!("position fen {fen} moves c2c6"), &rules), [after]);
    assert_eq!(fens("startpos moves e3e4 e6e5\nstartpos", &rules).len(), 2);
    assert_eq!(fens(&format!("{fen} id \"x\"; c0 \"win\";"), &rules), [fen], "an EPD record");
    // A score sheet without tags, and one with words for the result.
    assert_eq!(fens("1. e4 e5\n2. Nd2 Black win", &rules).len(), 1);
    let cambodian = choice("cambodian", "", "");
    assert!(fens("startpos moves d1b2", &cambodian)[0].contains(" b Ede "));

    // A link has underscores in its FEN.
    let link = fen.replace(' ', "_");
    assert_eq!(
        (fens(&link, &rules), fens(&format!("{link} moves c2c6"), &rules)),
        (vec![fen.into()], vec![after.into()])
    );
    // A variation with a null move does not end the main line.
    let annotated = "1. e4 e5 (1... -- 2. e5 {a threat}) 2. d4 d5 *";
    let OpenedGame { record, fault, warning } = Library::read(annotated, &rules).unwrap().open(0).unwrap();
    assert_eq!((record.line_through(ROOT).unwrap().len(), fault), (5, None));
    assert_eq!(warning.unwrap().code, "pgn.illegalVariation");
    assert!(pgn(&record).contains("e5 {(1... -- 2. e5 \"a threat\")} 2. d4 d5 *"), "{}", pgn(&record));
    let twice =
        Library::read("[Result \"1-0\"]\n\n1. e4 0-1", &rules).unwrap().open(0).unwrap().warning.unwrap();
    assert_eq!((twice.code, &twice.args["kept"]), ("pgn.results", "0-1"));
    let cut = Library::read("[A \"b[Event \"c\"]\n\n1. e4 *", &rules).unwrap();
    let fault = cut.open(0).unwrap_err();
    assert_eq!((fault.code, &fault.args["name"], cut.len()), ("pgn.cut", "A", 2));

    assert_eq!(Library::read(" \n ", &rules).err().unwrap().code, "pgn.empty");
    let wrong = Library::read("8/8/8 w", &rules).unwrap();
    assert_eq!(wrong.open(0).unwrap_err().code, "fen.ranks");
    let game = Library::read("1. e4 e5 2. Rb5 *", &rules).unwrap().open(0).unwrap();
    let (game, fault) = (game.record, game.fault.unwrap());
    assert_eq!((fault.code, &fault.args["number"]), ("pgn.move", "2."));
    assert_eq!(fault.cause.unwrap().code, "move.illegal");
    assert_eq!(game.line_through(ROOT).unwrap().len(), 3, "the moves before it are there");
    let broken =
        Library::read("[Event \"a\"]\n\n1. e4 {never closed\n\n[Event \"b\"]\n\n1. d4 *\n", &rules).unwrap();
    assert_eq!(broken.len(), 2);
    assert_eq!(broken.open(0).unwrap_err().code, "pgn.comment");
    assert!(broken.open(1).is_ok());
    assert!(broken.list().contains("pgn.comment"));
    let chess = Library::read("[Variant \"chess\"]\n\n1. e4 *\n", &rules).unwrap();
    assert_eq!(chess.open(0).unwrap_err().code, "pgn.chess");
}

#[test]
fn rules_and_start_positions_survive() {
    for (variant, ruleset, parts) in [
        ("makruk", "fairy-stockfish", ""),
        ("makruk", "chessvariants", ""),
        ("makruk", "cutechess", ""),
        ("makruk", "cyningstan", "Repetition=threefold"),
        ("cambodian", "fairy-stockfish", "TakhaengRueaWhite=a SutMa=on"),
        ("makpong", "none", ""),
    ] {
        let mut record = Record::new(choice(variant, ruleset, parts), None).unwrap();
        record.play(ROOT, "e3e4").unwrap();
        let again = open(&pgn(&record));
        let view = |record: &Record| {
            record.view(*record.line_through(ROOT).unwrap().last().unwrap(), Notation::San).unwrap()
        };
        assert_eq!(view(&again).marked_fen, view(&record).marked_fen, "{}", pgn(&record));
        assert_eq!(again.start.rules(), record.start.rules(), "{}", pgn(&record));
        let (fen, words) = again.engine_line(1).unwrap();
        assert_eq!((fen, words), record.engine_line(1).unwrap());
    }
    // The page gets names, whether or not the text has them.
    assert!(
        open("1. e4 *").header().contains(r#"{"variant":"makruk","ruleset":"fairy-stockfish","parts":""}"#)
    );
    // The ordinary start needs no FEN.
    assert!(!pgn(&record(None)).contains("FEN"));
}

#[test]
fn the_score_sheet_of_the_shared_data_is_read() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../../shared/data/schemingmind-game.txt");
    let Ok(text) = std::fs::read_to_string(path) else { return };
    let record = open(&text);
    let line = record.line_through(ROOT).unwrap();
    assert_eq!(line.len(), 1 + 162);
    let outcome = record.view(*line.last().unwrap(), Notation::San).unwrap().outcome.unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some('b'), "checkmate"));
}

#[test]
fn deleted_nodes_do_not_exist() {
    let mut record = record(None);
    let first = record.play(ROOT, "e4").unwrap();
    let reply = record.play(first, "e5").unwrap();
    let other = record.play(ROOT, "d4").unwrap();
    assert_eq!(record.delete(first).unwrap(), ROOT);
    for node in [first, reply] {
        assert!(record.view(node, Notation::San).is_err());
        assert!(record.engine_line(node).is_err());
        assert!(record.play(node, "e5").is_err());
        assert!(record.set_comment(node, "lost").is_err());
        assert!(record.set_glyph(node, 1).is_err());
        assert!(record.set_evaluation(node, None).is_err());
        assert!(record.count(node, CountWord::Stop).is_err());
        assert!(record.promote(node).is_err());
        assert!(record.line_through(node).is_err());
        assert!(record.delete(node).is_err());
    }
    assert_eq!(record.line_through(ROOT).unwrap(), [ROOT, other]);
    assert!(record.play(ROOT, "e4").unwrap() > other);
}

#[test]
fn an_engine_gets_only_the_words_that_the_rules_allow() {
    let record = open("1. e4 {[%count stop]} e5 *");
    assert_eq!(record.engine_line(2).unwrap().1, ["e3e4", "e6e5"]);
}

#[test]
fn a_bare_khun_without_a_count_says_when_one_begins() {
    let beginning = |fen: &str, ruleset: &str| {
        let record = Record::new(choice("", ruleset, ""), Some(fen)).unwrap();
        record.view(ROOT, Notation::San).unwrap().beginning
    };
    let begun = |moves_left, by_next_move| Beginning {
        attacker: 'w',
        limit: 16,
        pieces: 4,
        moves_left,
        by_next_move,
    };
    // The attacker's next move begins the count, whoever has the move.
    for side in ["w", "b"] {
        let fen = format!("4k3/8/8/8/8/2M~5/8/R3K3 {side} - - 0 1");
        assert_eq!(beginning(&fen, "fairy-stockfish"), Some(begun(12, true)), "{side}");
    }
    // By other rules the count runs already, or never begins here.
    assert_eq!(beginning("4k3/8/8/8/8/2M~5/8/R3K3 w - - 0 1", "wikipedia"), None);
    assert_eq!(beginning("4k3/8/8/8/8/2M~5/8/R3K3 w - 0 0 1", "cutechess"), Some(begun(12, false)));
    for fen in [
        "4k3/8/8/8/8/2M~5/8/R3K3 w - 32 9 1",
        "4k3/8/8/8/8/2P5/8/R3K3 w - - 0 1",
        "4kr2/8/8/8/8/2M5/8/R3K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    ] {
        assert_eq!(beginning(fen, "fairy-stockfish"), None, "{fen}");
    }
}

#[test]
fn what_people_paste_is_read() {
    let fen = |text: &str| {
        let record = open(text);
        record.start.position().to_string()
    };
    for text in ["4k3/8/8/8/8/8/8/R3K3", "4k3/8/8/8/8/8/8/R3K3_w_-_-_0_1", "๔k๓/๘/๘/๘/๘/๘/๘/R๓K๓\u{a0}w"]
    {
        assert_eq!(fen(text), "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "{text}");
    }
    // Score sheets with Thai names, digits of three kinds, blanks of all kinds, and a result behind them.
    let names = |record: &Record| {
        tree(record, Notation::Coordinates)
            .iter()
            .skip(1)
            .map(|node| node["uci"].as_str().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    for text in [
        "1. จ๔ จ๕ 2. ม-ง๒",
        "1. บ-จ๔ บ-จ๕ 2. ม-ง๒ 1-0",
        "1. บจ๔ บจ๕ 2. ม-ง๒",
        "๑. บ-จ๔ บ-จ๕ ๒. ม-ง๒ ๑-๐",
        "1. บ-จ4 บ-จ5 2. ม-ง2 1/2-1/2",
        "1.\u{a0}บ-จ๔\u{3000}บ-จ๕\u{3000}2.\u{a0}ม-ง๒",
        "1. e4 e5 2. Nd2 *",
    ] {
        let opened = Library::read(text, &RulesChoice::default()).unwrap().open(0).unwrap();
        assert_eq!(opened.fault, None, "{text}");
        assert_eq!(names(&opened.record), ["e3e4", "e6e5", "b1d2"], "{text}");
    }
    // A bia is named by its letter, with and without its file.
    let record = open("1. จ๔ *");
    for (text, uci) in
        [("บ-จ๕", "e6e5"), ("บจ-จ๕", "e6e5"), ("บ จ๖-จ๕", "e6e5"), ("บจ5", "e6e5"), ("ม-ง7", "b8d7")]
    {
        assert_eq!(
            record.read_move(1, text).unwrap().map(|mv| mv.to_string()).as_deref(),
            Some(uci),
            "{text}"
        );
    }
}

#[test]
fn what_is_no_game_of_makruk_is_named() {
    let fault = |text: &str| {
        let opened = Library::read(text, &RulesChoice::default()).and_then(|library| library.open(0));
        opened.map(|_| ()).unwrap_err()
    };
    for variant in ["Standard", "chess", "Chess 960"] {
        let fault = fault(&format!("[Variant \"{variant}\"]\n\n1. e4 e5 2. Nf3 *"));
        assert_eq!((fault.code, fault.args["text"].as_ref()), ("pgn.chess", variant));
    }
    let other = fault("[Variant \"Xiangqi\"]\n\n1. h2e2 *");
    assert_eq!((other.code, other.args["text"].as_ref()), ("pgn.variant", "Xiangqi"));
    for (text, host) in [
        ("https://www.pychess.org/Yt2x9Kq1", "www.pychess.org"),
        (" http://example.org:8080/game?id=5#7\n", "example.org:8080"),
        ("www.example.org", "www.example.org"),
    ] {
        let fault = fault(text);
        assert_eq!((fault.code, fault.args["host"].as_ref()), ("pgn.address", host), "{text}");
    }
    // An address within a game is no reason to refuse it.
    open("[Site \"https://www.pychess.org/Yt2x9Kq1\"]\n\n1. e4 *");
}

#[test]
fn evaluations_are_decimal_numbers() {
    for (text, cp) in [
        ("0.35", Some(35)),
        ("-1.2", Some(-120)),
        ("+12", Some(1200)),
        (".5", Some(50)),
        ("3.,14", Some(300)),
        ("-0.005", Some(-1)),
        ("0.994", Some(99)),
        ("0.995", Some(100)),
        ("999.99", Some(99_999)),
        ("1000", None),
        ("99999999999", None),
        ("", None),
        (".", None),
        ("-", None),
        ("1.2.3", None),
        ("nan", None),
        ("1e2", None),
        ("--1", None),
    ] {
        let record = open(&format!("1. e4 {{[%eval {text}]}} *"));
        assert_eq!(record.nodes[1].evaluation.and_then(|one| one.cp), cp, "{text}");
    }
}

#[test]
fn evaluations_are_written_as_they_are_read() {
    let mut record = open("1. e4 *");
    for (cp, text) in
        [(0, "0.00"), (-5, "-0.05"), (-35, "-0.35"), (1234, "12.34"), (i32::MIN, "-21474836.48")]
    {
        record.set_evaluation(1, Some(Evaluation { cp: Some(cp), mate: None })).unwrap();
        assert!(
            record.pgn(Notation::San, Dialect::Plain).unwrap().contains(&format!("[%eval {text}]")),
            "{text}"
        );
    }
}
