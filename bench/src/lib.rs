//! Positions shared by the benches. Run them with `cargo bench`, one file with
//! `cargo bench -p sakmak-bench --bench board`.

use sakmak_movegen::Position;

/// The positions of `sakmak bench`, from opening to bare khun.
pub fn positions() -> Vec<Position> {
    sakmak_engine::bench::POSITIONS.iter().filter_map(|fen| Position::from_fen(fen).ok()).collect()
}
