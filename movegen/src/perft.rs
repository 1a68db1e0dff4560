//! Perft: the number of move paths of a given length.
//!
//! Draws do not end a path, so the numbers compare with any correct generator's. At the last ply moves are counted in
//! bulk, not made.

#[cfg(feature = "std")]
mod parallel;

#[cfg(feature = "std")]
pub use parallel::{Division, PerftTt, PerftTtTooLarge, divide, perft_hashed};

use crate::position::Position;

/// The largest depth. Larger ones are taken for it: no tree of so many plies is ever counted, and the recursion, which
/// takes about 1 kB of stack a ply, has an end.
pub const MAX_DEPTH: u32 = 200;

/// Paths of exactly `depth` plies, at most [`MAX_DEPTH`]; 1 for depth 0.
///
/// ```
/// use sakmak_movegen::{Position, perft};
///
/// assert_eq!(perft::perft(&Position::startpos(), 4), 273_026);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    count_paths(position, depth.min(MAX_DEPTH))
}

fn count_paths(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal()),
        _ => {
            let paths = |mv| {
                // `Position::after` would copy the position once more.
                let mut next = position.clone();
                next.play_unchecked(mv);
                count_paths(&next, depth - 1)
            };
            position.legal_moves().into_iter().map(paths).sum()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn start_position() {
        let start = Position::startpos();
        let nodes: Vec<u64> = (0..=5).map(|depth| perft(&start, depth)).collect();
        assert_eq!(nodes, [1, 23, 529, 12_012, 273_026, 6_223_994]);
    }
}
