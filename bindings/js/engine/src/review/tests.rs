use std::time::Duration;

use sakmak_engine::uci::Output;
use sakmak_movegen::Rules;
use sakmak_review::Fact;

use super::*;

fn session() -> (Session, Output) {
    let output = Output::buffer();
    let mut session = Session::on_calling_thread(output.clone(), &Default::default()).unwrap();
    session.command("setoption name Hash value 8");
    (session, output)
}

fn game(fen: &str, moves: &str) -> Game {
    let mut game = Game::from_fen(fen, Rules::default()).unwrap();
    for mv in moves.split_ascii_whitespace() {
        game.play_uci(mv).unwrap();
    }
    game
}

fn review(fen: &str, moves: &str, nodes: u64) -> ReviewReport {
    let (mut session, _) = session();
    let mut review = ReviewSearch::begin(&mut session, &game(fen, moves), nodes, Notation::San);
    for _ in 0..1_000_000 {
        session.step(Duration::from_millis(5));
        let Progress { finished, total } = review.progress();
        assert!(finished <= total);
        if let Some(report) = review.step(&mut session) {
            return report;
        }
    }
    panic!("it does not end");
}

#[test]
fn a_race_with_the_count_is_lost_by_a_move() {
    // hunt.08: after any move but one the mate comes too late.
    let report = review("8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58", "d7e6 g4f4", 20_000);
    let finding = report.moves[0].finding;
    assert_eq!((report.moves[0].lost, report.moves[0].nag), (50.0, 4));
    assert!(matches!(finding, Some(CountFinding::RaceLost { .. })), "{finding:?}");
    let lesson = report.moves[0].lesson.as_ref().unwrap();
    assert!(matches!(lesson.allowed[..], [Fact::RaceLost { needed: Some(_), .. }]), "{lesson:?}");
    let data = serde_json::to_value(&report).unwrap();
    assert_eq!(data["moves"][0]["lesson"]["themes"][0], "beat-count");
    assert_eq!(data["counts"][0]["honour"], "pieces");
    assert_eq!(data["phases"][0]["kind"], "endgame");
    assert_eq!((report.moves[1].finding, report.moves[1].nag), (None, 0));
    assert_eq!(report.positions[0].best.as_deref(), Some("b5f5"));
    assert_eq!(report.positions[0].chances, [1000, 0, 0]);
    assert_eq!(report.sides[0].lost_to_count, [58]);
    assert_eq!((report.sides[0].blunders, report.sides[0].moves), (1, 1));
    assert_eq!(report.sides[1].lost_to_count, [0; 0]);
}

#[test]
fn a_piece_given_away_is_a_blunder_and_the_game_is_summed_up() {
    // 2. .. Nc5 3. bxc5: a maa for nothing.
    let report = review(
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "b3b4 b8d7 b1d2 d7c5 b4c5 d6c5",
        30_000,
    );
    assert_eq!(report.positions.len(), 7);
    assert_eq!(report.moves[3].nag, 4, "{:?}", report.moves);
    assert!(report.moves[3].lost > 15.0);
    let [white, black] = &report.sides;
    assert_eq!((white.blunders, black.blunders, white.moves, black.moves), (0, 1, 3, 3));
    assert!(white.accuracy > black.accuracy && white.accuracy <= Some(100.0));
    let position = &report.positions[2];
    assert!(position.names[0].is_ascii() && position.names.len() == position.line.len());
}

#[test]
fn a_finished_game_ends_with_certainty() {
    let mate_in_two = "7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30";
    let report = review(mate_in_two, "b1g1 h8h7 a2h2", 5_000);
    assert_eq!(report.positions[0].score, Some(ScoreData::Mate(2)));
    assert_eq!(report.positions[3].chances, [1000, 0, 0]);
    assert_eq!((report.positions[3].best.as_deref(), report.positions[3].score), (None, None));
    assert!(report.moves.iter().all(|mv| mv.nag == 0), "{:?}", report.moves);
    assert_eq!(review(mate_in_two, "", 1_000).positions.len(), 1);
    let over = review("R6k/8/6K1/8/8/8/8/8 b - - 0 1", "", 1_000);
    assert_eq!((over.positions[0].chances, over.sides[0].accuracy), ([1000, 0, 0], None));
}

#[test]
fn the_session_keeps_its_game_and_its_options() {
    let (mut session, output) = session();
    session.command("setoption name MultiPV value 2");
    session.command("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
    let other = game("7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30", "b1g1");
    let mut review = ReviewSearch::begin(&mut session, &other, 1_000, Notation::San);
    while review.step(&mut session).is_none() {
        session.step(Duration::MAX);
    }
    assert_eq!(output.take(), "", "a review writes no lines");
    session.command("go depth 3");
    session.step(Duration::MAX);
    let text = output.take();
    assert!(text.contains("multipv 2") && text.ends_with("bestmove a1a8\n"), "{text}");
}
