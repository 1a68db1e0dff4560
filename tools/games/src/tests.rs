use super::*;
use pgn::{PgnGame, PgnReader};
use sakmak_movegen::{Color, DrawReason, Game, Outcome, Rules, Ruleset, Variant};

fn read(text: &str) -> PgnGame {
    PgnReader::new(text.as_bytes()).next().expect("a game").expect("a sound game")
}

fn fault(text: &str) -> (u64, String) {
    let mut game = read(text);
    let fault = match begin(&game.tags, &ReadOptions::default()) {
        Err(fault) => fault,
        Ok(start) => {
            let mut start = start.expect("a variant wanted").game;
            play(&mut start, &mut game.moves, None, &mut |_, _, _, _| {}).expect_err("a fault")
        }
    };
    (fault.line().unwrap_or(game.line), fault.to_string())
}

#[test]
fn the_variant_is_found_by_the_tag() {
    let variant = |value: &str| {
        let mut tags = Tags::default();
        tags.set("Variant", value);
        variant_of(&tags)
    };
    assert_eq!(variant("Makruk"), Ok(Some(Variant::Makruk)));
    assert_eq!(variant(" makruk "), Ok(Some(Variant::Makruk)));
    assert_eq!(variant("CAMBODIAN"), Ok(Some(Variant::Cambodian)));
    assert_eq!(variant("?"), Ok(None));
    let error = variant("Chess").unwrap_err().to_string();
    assert!(error.starts_with("unknown variant: 'Chess' is no variant; there are makruk, "), "{error}");
    assert_eq!(variant_of(&Tags::default()), Ok(None));
}

#[test]
fn a_variant_wanted_leaves_out_the_others() {
    let wanted = |variant, tag: &str| {
        let mut tags = Tags::default();
        tags.set("Variant", tag);
        begin(&tags, &ReadOptions { variant, ..ReadOptions::default() })
            .map(|start| start.map(|start| start.game.rules().variant))
    };
    let (makruk, cambodian) = (Some(Variant::Makruk), Some(Variant::Cambodian));
    assert_eq!(wanted(makruk, "Makruk"), Ok(makruk));
    assert_eq!(wanted(makruk, "Cambodian"), Ok(None));
    assert_eq!(wanted(makruk, "Chess"), Ok(None));
    assert_eq!(wanted(cambodian, ""), Ok(cambodian));
    assert_eq!(wanted(None, ""), Ok(makruk));
    assert!(wanted(None, "Chess").is_err());
}

#[test]
fn start_positions_in_all_forms_are_the_default() {
    let start = |variant: &str, fen: &str, ruleset| {
        let mut tags = Tags::default();
        tags.set("Variant", variant);
        tags.set("FEN", fen);
        let start = begin(&tags, &ReadOptions { ruleset, ..ReadOptions::default() }).unwrap().unwrap();
        (start.is_default, start.game.position().to_string())
    };
    const BOARD: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR";
    for tail in ["w - - 0 1", "w - 0 0 1", "w 0 1", "w"] {
        let fen = format!("{BOARD} {tail}");
        for &ruleset in Ruleset::ALL {
            let (is_default, position) = start("makruk", &fen, ruleset);
            assert!(is_default, "{tail}");
            assert!(position.starts_with(BOARD), "{ruleset}");
        }
    }
    for tail in ["b - - 0 1", "w - - 0 2", "w - 128 3 1"] {
        assert!(!start("makruk", &format!("{BOARD} {tail}"), Ruleset::FairyStockfish).0, "{tail}");
    }
    assert!(start("cambodian", &format!("{BOARD} w DEde - 0 1"), Ruleset::FairyStockfish).0);
    assert!(start("cambodian", &format!("{BOARD} w DEde 0 0 1"), Ruleset::CuteChess).0);
    let (is_default, position) = start("cambodian", &format!("{BOARD} w - - 0 1"), Ruleset::FairyStockfish);
    assert!(!is_default && position.contains(" w - - "), "khun and met have moved: {position}");
    // A boat upside down is no ordinary start.
    let boat = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/M~NSKMSNR w - - 0 1";
    assert!(!start("makruk", boat, Ruleset::FairyStockfish).0);
}

#[test]
fn faults_name_move_line_and_position() {
    let (line, reason) = fault("1. e4 e5\n2. Nd2 Nd7\n3. Rb5 *");
    assert_eq!(line, 3);
    assert_eq!(
        reason,
        "3. 'Rb5' is not legal here; FEN r1smksnr/3n4/pppp1ppp/4p3/4P3/PPPP1PPP/3N4/R1SKMSNR w - - 2 3"
    );
    let (line, reason) = fault("1. e4\ne9 *");
    assert_eq!(line, 2);
    assert!(reason.starts_with("1... 'e9' is not a move; FEN rnsm"), "{reason}");
    let (_, reason) = fault("[FEN \"4k3/8/8/2N1N3/8/8/8/4K3 w - - 0 1\"]\n\n1. Nd7 *");
    assert!(reason.starts_with("1. 'Nd7' fits several moves here: "), "{reason}");
    let (line, reason) = fault("[Event \"x\"]\n[FEN \"4k3/8 w - - 0 1\"]\n\n1. Kd2 *");
    assert_eq!((line, reason.as_str()), (1, "FEN tag: FEN board: there must be 8 ranks, not 2"));
}

#[test]
fn variations_are_played_where_they_belong() {
    let mut record = read("1. e4 (1. d4 d5 (1... e5 2. dxe5) 2. Nd2) (1. Nd2) 1... e5 (1... Nd7) 2. Nd2 *");
    let mut game = begin(&record.tags, &ReadOptions::default()).unwrap().unwrap().game;
    let mut seen = Vec::new();
    play(&mut game, &mut record.moves, None, &mut |game, mv, _, depth| {
        seen.push(format!("{}:{depth}:{mv}", game.len()));
    })
    .unwrap();
    let moves = [
        "0:0:e3e4", "0:1:d3d4", "1:1:d6d5", "1:2:e6e5", "2:2:d4e5", "2:1:b1d2", "0:1:b1d2", "1:0:e6e5",
        "1:1:b8d7", "2:0:b1d2",
    ];
    assert_eq!(seen, moves);
    assert_eq!(game.moves().map(|mv| mv.to_string()).collect::<Vec<_>>(), ["e3e4", "e6e5", "b1d2"]);
}

/// Black counts and mates, which under Wikipedia's rules wins only if it has stopped.
#[test]
fn a_count_is_stopped_where_the_record_says_so() {
    let outcome = |comment: &str| {
        let fen = "1R6/K1k5/8/8/8/4r3/6R1/2N5 b - 128 20 60";
        let mut record = read(&format!("[FEN \"{fen}\"]\n\n60... Rg3 61. Ne2 {comment} Ra3 *"));
        let options = ReadOptions { ruleset: Ruleset::Wikipedia, ..ReadOptions::default() };
        let mut game = begin(&record.tags, &options).unwrap().unwrap().game;
        play(&mut game, &mut record.moves, None, &mut |_, _, _, _| {}).unwrap();
        game.outcome()
    };
    assert_eq!(outcome(""), Some(Outcome::Draw(DrawReason::CounterMated)));
    assert_eq!(outcome("{[%count stop]}"), Some(Outcome::Win(Color::Black)));

    // Before the first move.
    let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
    for (comment, outcome) in [
        ("no word of it", Outcome::Draw(DrawReason::CounterMated)),
        ("[%count stop]", Outcome::Win(Color::Black)),
    ] {
        let mut game = Game::from_fen("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", rules).unwrap();
        obey_count(&mut game, &[comment.to_owned()]);
        game.play_uci("g3a3").unwrap();
        assert_eq!(game.outcome(), Some(outcome), "{comment}");
    }
}

#[test]
fn a_variation_that_cannot_be_played_becomes_a_comment() {
    let played = |text: &str| {
        let mut record = read(text);
        let mut game = begin(&record.tags, &ReadOptions::default()).unwrap().unwrap().game;
        let warnings = play(&mut game, &mut record.moves, None, &mut |_, _, _, _| {}).unwrap();
        let mut writer = pgn::PgnWriter::new(Vec::new());
        writer.write_game(&record).unwrap();
        let written = String::from_utf8(writer.into_inner()).unwrap();
        let movetext = written.split("\n\n").nth(1).unwrap().replace('\n', " ");
        (movetext, game.len(), warnings.iter().map(ToString::to_string).collect::<Vec<_>>())
    };
    let (text, plies, warnings) = played("1. e4 e5\n(1... -- 2. e5 $1 {a threat [%eval 1.0]}) 2. d4 d5 *");
    assert_eq!(text, "1. e4 e5 {(1... -- 2. e5 $1 \"a threat (%eval 1.0]\")} 2. d4 d5 *");
    assert_eq!(plies, 4);
    let [warning] = warnings.as_slice() else { panic!("{warnings:?}") };
    assert!(warning.starts_with("line 2: in a variation, 1... '--' is a null move"), "{warning}");
    assert!(warning.ends_with("; the variation is kept as a comment"), "{warning}");
    // The one beside it and the one around it stay.
    let (text, plies, warnings) =
        played("1. e4 (1. d4 d5 (1... e3) 2. Nd2) (1. Z0) (1. Nd2 e5 2. Rb5) 1... e5 *");
    assert_eq!(text, "1. e4 {(1. Z0)} {(1. Nd2 e5 2. Rb5)} (1. d4 d5 {(1... e3)} 2. Nd2) 1... e5 *");
    assert_eq!((plies, warnings.len()), (2, 3));
    let (_, reason) = fault("1. e4 -- 2. d4 *");
    assert!(reason.starts_with("1... '--' is a null move, which the rules do not know; FEN "), "{reason}");
}

#[test]
fn tags_with_characters_that_cannot_be_seen() {
    let game =
        read("[Variant \"Makruk\u{200E}\"]\n[FEN \"4k3/8/8/8/8/8/2R5/4K3_b_-_-_7_60\"]\n\n60... Kd7 *");
    let start = begin(&game.tags, &ReadOptions::default()).unwrap().unwrap();
    assert_eq!(start.game.position().to_string(), "4k3/8/8/8/8/8/2R5/4K3 b - - 7 60");
    let mut writer = pgn::PgnWriter::new(Vec::new());
    writer.write_game(&game).unwrap();
    assert!(String::from_utf8(writer.into_inner()).unwrap().contains("\n60... Kd7 *"));
}

#[test]
fn endless_records_are_refused() {
    let dance = "Nd2 Nd7 Nb1 Nb8 ".repeat(MAX_PLIES / 4);
    let mut record = read(&format!("{dance} Nd2 *"));
    let mut game = begin(&record.tags, &ReadOptions { ruleset: Ruleset::None, ..ReadOptions::default() });
    let game = &mut game.as_mut().unwrap().as_mut().unwrap().game;
    let fault = play(game, &mut record.moves, None, &mut |_, _, _, _| {});
    assert_eq!(fault, Err(ReplayError::TooLong { line: 1 }));
}

#[test]
fn ambiguous_thai_moves_are_written_in_full() {
    let fen = "4k3/8/8/8/2p5/1P6/1K6/8 w - - 0 1";
    let game = Game::from_fen(fen, Rules::default()).unwrap();
    let bia = game.position().parse_move("b3c4").unwrap();
    assert_eq!(move_name(&game, Notation::ThaiSan, bia), "ขxค๔");
    let fen = "4k3/8/8/8/2p5/1PK5/8/8 w - - 0 1";
    let game = Game::from_fen(fen, Rules::default()).unwrap();
    let names: Vec<_> = ["b3c4", "c3c4"]
        .map(|mv| move_name(&game, Notation::ThaiSan, game.position().parse_move(mv).unwrap()))
        .to_vec();
    assert_eq!(names, ["บ ข๓xค๔", "ข ค๓xค๔"]);
}

/// Old readers ignored `start`. It switches the automatic count of the default rules to one by hand.
#[test]
fn start_and_claim_are_obeyed_only_by_the_rules_of_the_record() {
    let fen = "4k3/8/1m6/8/2R5/8/8/1R2K3 b - - 0 50";
    let decisions = |tags: &str, options: ReadOptions| {
        let text = format!("{tags}[FEN \"{fen}\"]\n\n50... Ke7 51. Ke2 {{[%count start]}} Ke6 *");
        let mut record = read(&text);
        let mut game = begin(&record.tags, &options).unwrap().unwrap().game;
        let obeyed = obeyed_decisions(&record.tags, &options);
        play_obeying(&mut game, &mut record.moves, None, obeyed, &mut |_, _, _, _| {}).unwrap();
        game.decisions().to_vec()
    };
    let start = vec![(2, CountDecision::Start)];
    let by_default = ReadOptions::default();
    let wikipedia = ReadOptions { ruleset: Ruleset::Wikipedia, ..by_default };
    let by_tags = ReadOptions { rules_by_tags: true, ..by_default };
    for (tags, options, expected) in [
        ("", by_default, &start),
        ("[Ruleset \"fairy-stockfish\"]\n", by_default, &start),
        ("[Ruleset \"wikipedia\"]\n", by_default, &vec![]),
        ("[Ruleset \"future\"]\n", by_default, &vec![]),
        ("[RuleParts \"SutMet=on\"]\n", by_default, &vec![]),
        ("[RuleParts \"SutMet=perhaps\"]\n", by_default, &vec![]),
        ("[Ruleset \"wikipedia\"]\n", wikipedia, &start),
        ("[Ruleset \"wikipedia\"]\n", by_tags, &start),
    ] {
        assert_eq!(decisions(tags, options), *expected, "{tags} {options:?}");
    }
}

#[test]
fn parts_without_a_known_ruleset_change_those_of_the_reader() {
    let options = ReadOptions { ruleset: Ruleset::Wikipedia, rules_by_tags: true, ..ReadOptions::default() };
    for tags in ["", "[Ruleset \"future\"]\n"] {
        let record = read(&format!("{tags}[RuleParts \"SutMet=on\"]\n\n*"));
        let game = begin(&record.tags, &options).unwrap().unwrap().game;
        let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia).with_parts("SutMet=on").unwrap();
        assert_eq!(*game.rules(), rules.play);
    }
}
