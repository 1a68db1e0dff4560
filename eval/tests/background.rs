//! DTM tables solved in the background while evaluations go on.

use std::thread::sleep;
use std::time::{Duration, Instant};

use sakmak_eval::tablebase::Tablebases;
use sakmak_eval::{BackgroundPriority, Dtm, DtmTables, Evaluator};
use sakmak_movegen::Position;

fn position(fen: &str) -> Position {
    Position::from_fen(fen).expect("a valid FEN")
}

const KHON_AND_MET: &str = "2K5/8/8/1S4M1/8/4k3/8/8 w - - 0 1";
/// The DTM table of this pair is solved last.
const MAA_AND_MET: &str = "8/8/5K2/7k/4M3/5N2/8/8 w - - 0 1";

#[test]
fn evaluations_use_an_estimate_until_the_tables_are_solved() {
    let tables = DtmTables::with_background(BackgroundPriority::Usual);
    let mut evaluator = Evaluator::new(&tables);
    let (maa_and_met, khon_and_met) = (position(MAA_AND_MET), position(KHON_AND_MET));
    assert_eq!(tables.solved(), 0);

    tables.solve_in_background().expect("a thread");
    tables.solve_in_background().expect("nothing to do");
    let pause = tables.pause_background();
    let (known, estimate) = (tables.probe(&maa_and_met), evaluator.evaluate(&khon_and_met));
    // During the pause only what a probe has missed is solved, however long this thread waits for its turn.
    let solved = tables.solved();
    drop(pause);
    assert!(solved < DtmTables::COUNT, "{solved}: no table was missing");
    assert_eq!(known, Dtm::Unknown);
    assert!(estimate > 100, "{estimate}");

    wait_for(|| tables.solved() == DtmTables::COUNT);
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

    // Another set of DTM tables is not affected.
    assert_eq!(Evaluator::default().evaluate(&khon_and_met), estimate);
    assert_eq!(Evaluator::new(&tables).evaluate(&khon_and_met), exact);
}

/// Waits for a state, ten minutes at most.
fn wait_for(mut state: impl FnMut() -> bool) {
    let end = Instant::now() + Duration::from_secs(600);
    while !state() {
        assert!(Instant::now() < end, "waited in vain");
        sleep(Duration::from_millis(2));
    }
}

#[test]
fn while_a_search_runs_on_a_clock_only_what_it_asks_for_is_solved() {
    let tables = DtmTables::with_background(BackgroundPriority::Usual);
    let (first, second) = (tables.pause_background(), tables.pause_background());
    tables.solve_in_background().expect("a thread");
    assert_eq!(tables.probe(&position(MAA_AND_MET)), Dtm::Unknown);
    wait_for(|| tables.solved() > 0);
    assert_ne!(tables.probe(&position(MAA_AND_MET)), Dtm::Unknown);
    assert_eq!(tables.solved(), 1);

    // Several engines may share the DTM tables.
    drop(first);
    assert_eq!(tables.solved(), 1);
    drop(second);
    wait_for(|| tables.solved() == DtmTables::COUNT);
}

#[test]
fn the_ending_of_the_position_is_solved_at_once() {
    let pairs = DtmTables::with_background(BackgroundPriority::Usual);
    let tables = Tablebases::default().with_pairs(&pairs, false);
    let _pause = pairs.pause_background();
    // Rua against maa, where no khun is bare yet.
    let rua_and_maa = position("8/8/3k4/2n5/8/8/3K3R/8 w - - 0 1");
    tables.solve_own_ending(&rua_and_maa).expect("nothing to do");
    assert!(!tables.lacks_own(&rua_and_maa));
    let (khon_and_met, met_and_bia) =
        (position(KHON_AND_MET), position("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60"));
    for position in [&khon_and_met, &met_and_bia] {
        wait_for(|| {
            tables.solve_own_ending(position).expect("a thread");
            tables.probe(position).is_some()
        });
    }
    assert!(pairs.solved() < DtmTables::COUNT);
}

#[test]
#[cfg(target_os = "linux")]
fn the_thread_in_the_background_has_a_low_priority() {
    let tables = DtmTables::default();
    // The thread does not end before it has been found.
    let _pause = tables.pause_background();
    tables.solve_in_background().expect("a thread");
    let nice_values = || {
        let threads = std::fs::read_dir("/proc/self/task").expect("the threads").flatten();
        let stat = |thread: std::fs::DirEntry| std::fs::read_to_string(thread.path().join("stat")).ok();
        let threads = threads.filter_map(stat).filter(|stat| stat.contains("(tablebase)"));
        // The values behind the name begin with the third.
        threads
            .filter_map(|stat| stat.rsplit(") ").next()?.split(' ').nth(16)?.parse().ok())
            .collect::<Vec<i32>>()
    };
    wait_for(|| nice_values().iter().any(|&nice| nice >= 10));
}
