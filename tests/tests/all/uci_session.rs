//! UCI in process: commands of every client, and bad input.

use std::io::Cursor;
use std::time::Instant;

use sakmak_engine::uci::{Output, run_with_dtm_tables};
use sakmak_eval::DtmTables;
use sakmak_tests::uci::{last_of, session, starting, without_times};

fn fen_of(lines: &[String]) -> &str {
    last_of(lines, "Fen: ")
}

#[test]
fn display_has_board_count_and_outcome() {
    let lines = session("position fen 8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80\nd\n");
    assert_eq!(fen_of(&lines), "8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80");
    assert!(lines.contains(&"Count: pieces 5/16, white may make 12 more moves".to_owned()), "{lines:#?}");
    assert!(lines.contains(&"Ruleset: fairy-stockfish".to_owned()));
    assert!(lines.contains(&"Outcome: ongoing".to_owned()));
    let tables = starting(&lines, "DTM tables: ");
    assert!(tables.len() == 1 && tables[0].contains(" of 8 solved, "), "{tables:?}");

    let mated = session("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1 moves a1a8\nd\n");
    assert!(mated.contains(&"Checkers: a8".to_owned()));
    assert!(mated.contains(&"Outcome: white wins (checkmate)".to_owned()));
    let again = "b1d2 b8d7 d2b1 d7b8 ".repeat(2);
    let repeated = session(&format!("position startpos moves {again}\nd\n"));
    assert!(repeated.contains(&"Outcome: draw (repetition)".to_owned()));
    let expired = session("position fen 7k/R7/5K2/8/8/8/8/1R6 w - 16 17 30\nd\n");
    assert!(expired.contains(&"Outcome: draw (pieces' honour)".to_owned()));
}

#[test]
fn limited_players_answer() {
    for options in ["Skill Level value -20", "Skill Level value 5", "UCI_LimitStrength value true"] {
        let elo = "setoption name UCI_Elo value 700";
        let lines = session(&format!("setoption name {options}\n{elo}\ngo depth 6\ngo nodes 2000\n"));
        assert_eq!(starting(&lines, "bestmove ").len(), 2, "{options}: {lines:#?}");
    }
}

#[test]
fn rules_are_chosen_by_options_before_or_after_the_position() {
    let array = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1";
    let lines = session("setoption name Ruleset value chessvariants\nposition startpos\nd\n");
    assert_eq!(fen_of(&lines), array);
    let lines = session("position startpos\nsetoption name ruleset value ChessVariants\nd\ngo perft 3\n");
    assert_eq!(fen_of(&lines), array);
    assert!(
        lines.contains(&"Ruleset: chessvariants".to_owned())
            && lines.contains(&"Nodes searched: 12012".to_owned())
    );

    let hunt = "position fen 4k3/8/8/8/8/8/1m6/K1RR4 w - - 0 40 moves a1b2\nd\n";
    for (options, expected) in [
        ("", "Count: pieces 4/8, white may make 4 more moves"),
        ("Ruleset value cyningstan", "Count: pieces 0/4, white may make 4 more moves"),
        ("CountingRule value chessvariants", "Count: pieces 1/8, white may make 7 more moves"),
        ("Ruleset value none", "Count: none"),
    ] {
        let option = if options.is_empty() { String::new() } else { format!("setoption name {options}\n") };
        let lines = session(&format!("{option}{hunt}"));
        assert!(lines.contains(&expected.to_owned()), "{options}: {lines:#?}");
    }
    let by_hand = "setoption name CountStarted value 58\n\
        position fen 3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128 7 33 moves d4d5\nd\n";
    assert!(fen_of(&session(by_hand)).ends_with("b - 128 8 33"));

    let dance = "b1d2 b8d7 d2b1 d7b8 ".repeat(2);
    let ongoing =
        session(&format!("setoption name Repetition value none\nposition startpos moves {dance}\nd\n"));
    assert!(ongoing.contains(&"Outcome: ongoing".to_owned()));
    let dead = session(
        "setoption name DeadMaterial value cutechess\nposition fen 4k3/8/8/8/8/8/8/MM2K3 w - 128 8 40\nd\n",
    );
    assert!(dead.contains(&"Outcome: draw (dead material)".to_owned()));
}

#[test]
fn first_moves_and_handicaps_are_options() {
    let lines = session(
        "setoption name SutMet value on\nsetoption name SutMa value on\nposition startpos moves e1e3 b8c6\nd\n",
    );
    assert_eq!(
        fen_of(&lines),
        "r1smksnr/8/2n1pppp/2p5/4P3/PPPPMPPP/8/RNSK1SNR w BGdg - 0 2".replace("2n1pppp", "ppnppppp")
    );
    let refused = session("position startpos moves e1e3\n");
    assert!(refused[0].contains("'e1e3' is not legal here"));
    let boats = session("setoption name TakhaengRueaWhite value both\nposition startpos\nd\n");
    assert!(fen_of(&boats).ends_with("/MNSKMSNM w - - 0 1"));
    let ouk =
        session("setoption name UCI_Variant value cambodian\nposition startpos moves d1b2\nd\ngo depth 5\n");
    assert_eq!(fen_of(&ouk), "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/1K6/RNS1MSNR b Ede - 1 1");
    let lord = session("setoption name Ruleset value cyningstan\ngo depth 1 searchmoves d1b2\n");
    assert!(lord.iter().any(|line| line.starts_with("bestmove d1b2")));
    let off = session(
        "setoption name Ruleset value cyningstan\nsetoption name LordHorse value off\nposition startpos\nd\n",
    );
    assert!(fen_of(&off).contains(" w Ed - "));
}

/// Cute Chess, Fairy-Stockfish 11.1 and others have leaps that the current rules do not have.
#[test]
fn a_leap_of_another_reading_is_accepted_and_reported_once() {
    let fen = "position fen 4k3/8/8/8/8/4n3/8/3KM3 w DE - 0 1 moves e1e3";
    let lines = session(&format!(
        "setoption name UCI_Variant value cambodian\n{fen}\n{fen} e8e7\nd\n{fen} e8e7 e3e5\n"
    ));
    assert_eq!(
        starting(&lines, "info string"),
        [
            "info string move 1 e1e3 is not legal under these rules; accepted, fairy-stockfish-11 allows it",
            "info string move 3 'e3e5' is not legal here; the moves before it were made"
        ]
    );
    assert!(fen_of(&lines).starts_with("8/4k3/8/8/8/4M3/8/3K4 w "), "{lines:#?}");
}

/// The leap that captures the rua is by far the best move, but not all readings allow it.
#[test]
fn disputed_leaps_are_not_played_unless_asked_for() {
    let set_up = "setoption name UCI_Variant value cambodian\nsetoption name Ruleset value cutechess\n\
                  position fen 4k3/8/8/8/8/4r3/8/3KM3 w DE 0 0 1\n";
    let best = |go: &str| {
        let lines = session(&format!("{set_up}{go}\n"));
        starting(&lines, "bestmove")[0].split(' ').nth(1).expect("a move").to_owned()
    };
    assert_ne!(best("go depth 6"), "e1e3");
    assert_eq!(best("go depth 6 searchmoves e1e3"), "e1e3");
    assert_eq!(best("go infinite depth 6\nstop"), "e1e3");
}

/// Each part of the rules forbids or allows one leap.
#[test]
fn every_part_of_the_leaps_by_example() {
    let allows = |variant: &str, option: &str, position: &str, mv: &str| {
        let lines = session(&format!(
            "setoption name UCI_Variant value {variant}\n{option}\nposition {position}\ngo perft 1\n"
        ));
        !starting(&lines, &format!("{mv}: 1")).is_empty()
    };
    let taken = "startpos moves e3e4 d6d5 e4d5 e6d5";
    let checked = "fen 4k3/8/8/8/8/K6r/8/4M3 w E - 0 1";
    let aimed = "startpos moves b1d2 a8a7 d2b1 a7d7 e3e4 d7a7";
    for (variant, option, position, mv, by_default) in [
        ("cambodian", "LeapsUntilCapture value on", taken, "e1e3", true),
        ("cambodian", "LeapsUntilCapture value on", taken, "d1b2", true),
        ("cambodian", "Ruleset value wikipedia", taken, "e1e3", true),
        ("cambodian", "NoLeapInCheck value on", checked, "e1e3", true),
        ("cambodian", "Ruleset value wikipedia", checked, "e1e3", true),
        ("cambodian", "RuaAim value off", aimed, "d1b2", false),
        ("cambodian", "Ruleset value cutechess", aimed, "d1b2", false),
        ("cambodian", "MetLeapCaptures value on", "fen 4k3/8/8/8/8/4n3/8/3KM3 w DE - 0 1", "e1e3", false),
        ("makruk", "StreetKhun value on", "fen 4k3/8/8/8/8/8/8/3KM3 w DE - 0 1", "d1c3", false),
    ] {
        let option = format!("setoption name {option}");
        assert_eq!(allows(variant, "", position, mv), by_default, "{position} {mv}");
        assert_eq!(allows(variant, &option, position, mv), !by_default, "{option} {position} {mv}");
    }
    // In street play a khun does not leap out of check; a lord does.
    let in_check = "fen 3rk3/8/8/8/8/8/8/3KM3 w DE - 0 1";
    assert!(!allows("makruk", "setoption name StreetKhun value on", in_check, "d1c3"));
    assert!(allows("makruk", "setoption name LordHorse value on", in_check, "d1c3"));
}

#[test]
fn a_table_larger_than_the_memory_is_refused_once() {
    let lines = session(
        "setoption name Hash value 33554432\nisready\nsetoption name MultiPV value 2\nisready\ngo depth 2\n",
    );
    assert_eq!(
        starting(&lines, "info string"),
        ["info string cannot allocate 33554432 MB for the hash table; keeping 64 MB"]
    );
    assert_eq!(starting(&lines, "bestmove").len(), 1);
}

/// A board with captures on which the quiescence search of the first iteration would not end.
#[test]
fn a_crowded_board_is_answered_in_time() {
    let crowded = "rrrrkrrr/nnnnnnnn/ssssssss/nnnnnnnn/NNNNNNNN/SSSSSSSS/NNNNNNNN/RRRRKRRR w - - 0 1";
    for go in ["go movetime 50", "go nodes 1", "go infinite\nstop", "go depth 1\nstop"] {
        let started = Instant::now();
        let lines = session(&format!("position fen {crowded}\n{go}\n"));
        assert_eq!(starting(&lines, "bestmove").len(), 1, "{go}");
        assert!(lines.iter().any(|line| line.contains(" score ") && line.contains(" pv ")), "{go}");
        assert!(started.elapsed().as_secs() < 60, "{go}");
    }
}

#[test]
fn mate_and_stalemate_at_the_root() {
    let mated = session("position fen R6k/8/6K1/8/8/8/8/8 b - - 0 1\ngo depth 3\n");
    assert_eq!(mated, ["info depth 0 score mate 0", "bestmove (none)"]);
    let stalemated = session("position fen k7/2R5/8/1R6/8/8/8/7K b - - 0 1\ngo movetime 100\n");
    assert_eq!(stalemated, ["info depth 0 score cp 0", "bestmove (none)"]);
}

#[test]
fn pondering_waits_for_the_opponent() {
    let mate = "position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1\n";
    for end in ["ponderhit\nisready\nstop", "stop"] {
        let lines = session(&format!("{mate}go ponder wtime 400 btime 400\nisready\n{end}\n"));
        let best = lines.iter().position(|line| line.starts_with("bestmove")).expect("an answer");
        let ready = lines.iter().position(|line| line == "readyok").expect("an answer");
        assert!(ready < best, "{lines:#?}");
        assert_eq!(starting(&lines, "bestmove"), ["bestmove a1a8"]);
    }
}

#[test]
fn chances_follow_the_score() {
    let lines = session("setoption name UCI_ShowWDL value true\ngo depth 4\n");
    for line in starting(&lines, "info depth") {
        let words: Vec<_> = line.split(' ').collect();
        let at = words.iter().position(|&word| word == "wdl").expect("chances");
        assert_eq!(words[at - 3], "score", "{line}");
        let sum: u32 = words[at + 1..at + 4].iter().map(|n| n.parse::<u32>().expect("a number")).sum();
        assert_eq!(sum, 1000, "{line}");
    }
}

#[test]
fn long_games_and_odd_spacing() {
    let moves = "b1d2 b8d7 d2b1 d7b8 ".repeat(1250);
    let started = Instant::now();
    let lines = session(&format!("position startpos moves {moves}\r\n\tgo   depth\t3 \r\n"));
    assert!(started.elapsed().as_secs() < 60);
    assert_eq!(starting(&lines, "bestmove").len(), 1);
}

#[test]
fn output_is_plain() {
    let lines = session(
        "uci\ngo depth 5\nfoo \u{e01}\tbar\nsetoption name x\u{7f} value y\nd\neval\nhelp\nflip\nd\n",
    );
    for line in &lines {
        assert!(line.bytes().all(|byte| (b' '..=b'~').contains(&byte)), "{line:?}");
    }
}

/// The last line before `bestmove` of `go depth 8` with these DTM tables, without times.
fn searched(tables: &DtmTables, fen: &str) -> String {
    let output = Output::buffer();
    let input = format!("position fen {fen}\ngo depth 8\n");
    run_with_dtm_tables(Cursor::new(input), output.clone(), tables).expect("memory");
    let text = output.text();
    let line = text.lines().rfind(|line| line.starts_with("info depth 8 seldepth ")).expect("a line");
    without_times(line)
}

#[test]
fn a_search_by_depth_is_the_same_in_a_new_and_a_warm_process() {
    let solved = DtmTables::default();
    solved.solve_all();
    for fen in [
        "8/8/4k3/4P3/8/8/3K4/7R w - - 0 1",
        "2K5/8/8/1S4M1/8/4k3/8/8 w - - 0 1",
        "8/8/3k4/2n5/8/4M3/3K3R/8 b - - 0 1",
    ] {
        let tables = DtmTables::default();
        let new = searched(&tables, fen);
        assert!(tables.solved() < DtmTables::COUNT);
        assert_eq!(searched(&tables, fen), new);
        assert_eq!(searched(&solved, fen), new);
    }
}
