//! A new process, while it still solves the DTM tables, answers in time in every kind of ending.

use sakmak_movegen::Position;

use crate::process::EngineProcess;

/// The move for a position, which must be legal and come before all DTM tables are solved; `None` if the engine
/// reports no move.
fn first_move(fen: &str) -> Option<String> {
    let position = Position::from_fen(fen).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let mut engine = EngineProcess::start();
    engine.send("isready");
    engine.until("readyok");
    engine.send(&format!("position fen {fen}"));
    engine.send("go movetime 100");
    let answer = engine.until("bestmove ");
    engine.send("d");
    let tables = engine.until("DTM tables: ");
    engine.send("quit");
    engine.ends_well();
    assert!(!tables.starts_with("DTM tables: 8 of 8"), "{fen}: the search waited for all tables");
    let mv = answer.split(' ').nth(1).unwrap();
    if mv == "(none)" {
        return None;
    }
    assert!(position.parse_move(mv).is_ok(), "{fen}: {answer}");
    Some(mv.to_owned())
}

#[test]
fn a_bare_khun_against_each_pair_of_pieces() {
    let pieces = ["R", "N", "S", "M"];
    for (index, first) in pieces.iter().enumerate() {
        for second in &pieces[index..] {
            for side in ["w", "b"] {
                let fen = format!("8/8/4k3/8/8/2K5/7{first}/{second}7 {side} - - 0 40");
                assert!(first_move(&fen).is_some(), "{fen}");
            }
        }
    }
}

#[test]
fn counts_and_dead_material() {
    for fen in [
        // One piece: a draw, or nearly.
        "4k3/8/8/8/8/8/8/3NK3 w - - 0 1",
        "4k3/8/8/8/8/8/8/2M1K3 b - - 0 1",
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        // The pieces' honour count runs, is nearly over, and is over.
        "8/8/3k4/8/8/3SM3/3K4/8 w - 88 10 80",
        "7k/8/5K2/8/8/8/R7/1R6 w - 16 13 30",
        "7k/8/5K2/8/8/8/R7/1R6 b - 16 16 30",
        "8/8/3k4/2R5/3K4/8/4M3/8 w - 32 40 30",
        // The board's honour count runs, is nearly over, and is over.
        "4k3/1r6/8/3R4/3K4/8/4M3/R7 w - 128 20 30",
        "8/r6k/8/6SK/3R4/8/8/8 w - 128 125 100",
        "4k3/1r6/8/3R4/3K4/8/4M3/R7 w - 128 130 30",
    ] {
        assert!(first_move(fen).is_some(), "{fen}");
    }
}

#[test]
fn mates_and_stalemates() {
    assert_eq!(first_move("7k/8/6K1/8/8/8/8/R7 w - - 0 1").as_deref(), Some("a1a8"));
    // A mate on the board wins though it exceeds the count.
    let late = "7k/R7/5K2/8/8/8/8/1R6 w - 16 17 30";
    assert_eq!(first_move(late).as_deref(), Some("b1b8"));
    // Mated, and stalemated.
    assert_eq!(first_move("R6k/8/6K1/8/8/8/8/8 b - - 0 1"), None);
    assert_eq!(first_move("k7/2R5/8/1R6/8/8/8/7K b - - 0 1"), None);
    // One legal move, and a capture that stalemates.
    assert!(first_move("k7/8/1K6/8/8/8/8/7R b - - 0 1").is_some());
    assert_ne!(first_move("k7/2R5/8/1R6/8/8/7p/7K w - - 0 1").as_deref(), Some("h1h2"));
}
