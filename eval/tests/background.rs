//! Tables solved in the background while evaluations go on.

use std::thread::sleep;
use std::time::{Duration, Instant};

use sakmak_eval::{Dtm, DtmTables, Evaluator};
use sakmak_movegen::Position;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a valid FEN")
}

const KHON_AND_MET: &str = "2K5/8/8/1S4M1/8/4k3/8/8 w - - 0 1";
/// Of this pair the table comes last.
const MAA_AND_MET: &str = "8/8/5K2/7k/4M3/5N2/8/8 w - - 0 1";

#[test]
fn evaluations_use_an_estimate_until_the_tables_are_solved() {
    let tables = DtmTables::default();
    let mut evaluator = Evaluator::new(&tables);
    let (maa_and_met, khon_and_met) = (position(MAA_AND_MET), position(KHON_AND_MET));
    assert_eq!(tables.solved(), 0);

    tables.solve_in_background().expect("a thread");
    tables.solve_in_background().expect("nothing to do");
    let (known, estimate) = (tables.probe(&maa_and_met), evaluator.evaluate(&khon_and_met));
    // A wait for the table would have let all be solved.
    let solved = tables.solved();
    assert!(solved < DtmTables::COUNT, "{solved}: no table was missing");
    assert_eq!(known, Dtm::Unknown);
    assert!(estimate > 100, "{estimate}");

    let end = Instant::now() + Duration::from_secs(60);
    while tables.solved() < DtmTables::COUNT && Instant::now() < end {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(tables.solved(), DtmTables::COUNT);
    assert_eq!(tables.probe(&khon_and_met), Dtm::Plies(77));
    assert_ne!(tables.probe(&maa_and_met), Dtm::Unknown);
    assert!(evaluator.evaluate(&khon_and_met) > 500);
}

#[test]
fn an_evaluator_solves_the_tables_it_needs_if_told_to() {
    let tables = DtmTables::default();
    let mut evaluator = Evaluator::new(&tables);
    let khon_and_met = position(KHON_AND_MET);
    let estimate = evaluator.evaluate(&khon_and_met);
    assert_eq!(tables.solved(), 0);
    evaluator.solve_missing_tables(true);
    let exact = evaluator.evaluate(&khon_and_met);
    assert_ne!(exact, estimate);
    assert_eq!(tables.solved(), 1);

    // Another set of tables is not affected.
    assert_eq!(Evaluator::default().evaluate(&khon_and_met), estimate);
    assert_eq!(Evaluator::new(&tables).evaluate(&khon_and_met), exact);
}
