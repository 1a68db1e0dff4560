use super::*;

fn analyse(fen: &str, words: &str, nodes: u64) -> Report {
    let rules = RulesChoice::default();
    let words: Vec<_> = words.split_ascii_whitespace().map(str::to_owned).collect();
    let mut engine = Engine::new(8).unwrap();
    let mut analysis = GameAnalysis::new(&mut engine, &rules, fen, &words, nodes, "san").unwrap();
    for _ in 0..100_000 {
        let progress = analysis.advance(&mut engine, 8192);
        assert!(progress.finished <= progress.total);
        if let Some(report) = progress.report {
            return report;
        }
    }
    panic!("it does not end");
}

#[test]
fn a_race_with_the_count_is_lost_by_a_move() {
    // hunt.08: after any move but one the mate comes too late.
    let report = analyse("8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58", "d7e6 g4f4", 20_000);
    assert_eq!(report.moves[0], MoveReport { lost: 50.0, glyph: 4, race: true });
    assert!(!report.moves[1].race && report.moves[1].glyph == 0);
    assert_eq!(report.positions[0].best.as_deref(), Some("b5f5"));
    assert_eq!(report.positions[0].chances, [1000, 0, 0]);
    assert_eq!(report.sides[0].races, [58]);
    assert_eq!((report.sides[0].blunders, report.sides[0].moves), (1, 1));
    assert_eq!(report.sides[1].races, [0; 0]);
}

#[test]
fn a_piece_given_away_is_a_blunder_and_the_game_is_summed_up() {
    // 2. .. Nc5 3. bxc5: a maa for nothing.
    let report = analyse(
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "b3b4 b8d7 b1d2 d7c5 b4c5 d6c5",
        30_000,
    );
    assert_eq!(report.positions.len(), 7);
    assert_eq!(report.moves[3].glyph, 4, "{:?}", report.moves);
    assert!(report.moves[3].lost > 15.0);
    let [white, black] = &report.sides;
    assert_eq!((white.blunders, black.blunders, white.moves, black.moves), (0, 1, 3, 3));
    assert!(white.accuracy > black.accuracy && white.accuracy <= 100.0);
    assert!(report.positions[2].names[0].is_ascii() && !report.positions[2].line.is_empty());
}

#[test]
fn a_finished_game_ends_with_certainty() {
    let report = analyse("7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30", "b1g1 h8h7 a2h2", 5_000);
    assert_eq!(report.positions[3].chances, [1000, 0, 0]);
    assert_eq!(report.positions[3].best, None);
    assert!(report.moves.iter().all(|mv| mv.glyph == 0), "{:?}", report.moves);
    assert_eq!(analyse("7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30", "", 1_000).positions.len(), 1);
}
