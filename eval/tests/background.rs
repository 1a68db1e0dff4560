//! Tables solved in the background. A process of its own: no evaluation in it waits for a table.

use std::thread::sleep;
use std::time::{Duration, Instant};

use sakmak_eval::{
    Accumulator, KnownMate, MAX_TABLE_BYTES, evaluate, known_mate, prepare_in_background, prepared,
    wait_for_tables,
};
use sakmak_movegen::Position;

#[test]
fn evaluations_go_on_with_a_forecast_until_the_tables_are_there() {
    // Of this pair the table comes last.
    let maa_and_met = Position::from_fen("8/8/5K2/7k/4M3/5N2/8/8 w - - 0 1").expect("a valid FEN");
    let khon_and_met = Position::from_fen("2K5/8/8/1S4M1/8/4k3/8/8 w - - 0 1").expect("a valid FEN");
    let worth = || evaluate(&khon_and_met, &Accumulator::new(&khon_and_met));
    assert_eq!(prepared(), (0, 8, 0));

    wait_for_tables(false);
    prepare_in_background().expect("a thread");
    prepare_in_background().expect("nothing to do");
    let (known, forecast) = (known_mate(&maa_and_met), worth());
    let (solved, all, bytes) = prepared();
    // A wait for the table would have let all be solved.
    assert!(solved < all && bytes < MAX_TABLE_BYTES, "{solved} of {all}: too slow to see anything");
    assert_eq!(known, KnownMate::Unknown);
    assert!(forecast > 100, "{forecast}");

    let end = Instant::now() + Duration::from_secs(60);
    while prepared().0 < all && Instant::now() < end {
        sleep(Duration::from_millis(5));
    }
    assert_eq!(prepared(), (all, all, MAX_TABLE_BYTES));
    assert_eq!(known_mate(&khon_and_met), KnownMate::Plies(77));
    assert_ne!(known_mate(&maa_and_met), KnownMate::Unknown);
    assert!(worth() > 500);
}
