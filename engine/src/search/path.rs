//! Repetition detection: the keys of the positions on the current line.

use sakmak_movegen::Position;
use sakmak_movegen::rules::Repetition;

/// Keys of the positions from the root on, and of positions of the game that draw when they occur once more.
pub(super) struct Path {
    /// The root first, the current position last.
    keys: Vec<u64>,
    /// Keys that have occurred at least twice in the game, in ascending order; empty unless threefold repetition draws.
    occurred_twice: Vec<u64>,
    /// Number of keys in both lists by their lowest bits: 1 means that the current position is not repeated.
    key_filter: Box<[u16; FILTER_SIZE]>,
}

const FILTER_SIZE: usize = 4096;

#[inline]
fn slot(key: u64) -> usize {
    key as usize % FILTER_SIZE
}

impl Path {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), occurred_twice: Vec::new(), key_filter: Box::new([0; FILTER_SIZE]) }
    }

    /// Resets the path to `root`. `game` has the keys of all positions of the game, the root's last.
    pub(super) fn reset(&mut self, root: &Position, game: &[u64]) {
        self.keys.clear();
        self.occurred_twice.clear();
        self.key_filter.fill(0);
        if root.rules().repetition == Repetition::Threefold {
            let mut keys = game.to_vec();
            keys.sort_unstable();
            let repeated = keys.chunk_by(|a, b| a == b).filter(|equal| equal.len() >= 2);
            self.occurred_twice.extend(repeated.map(|equal| equal[0]));
        }
        for &key in &self.occurred_twice {
            self.key_filter[slot(key)] += 1;
        }
        self.push(root.key());
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
        let count = &mut self.key_filter[slot(key)];
        *count = count.wrapping_add(1);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let count = &mut self.key_filter[slot(key)];
            *count = count.wrapping_sub(1);
        }
    }

    /// Whether `position`, the last of the path and `ply` plies from the root, scores as a draw by repetition: the
    /// second occurrence within the searched line, or the third in the game under [`Repetition::Threefold`].
    #[inline]
    pub(super) fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let window = position.reversible_plies();
        let key = position.key();
        if window < 4 || self.key_filter[slot(key)] == 1 {
            return false;
        }
        // Positions four, six and so on plies ago, but not the root.
        let mut earlier =
            self.keys.iter().rev().take(window.min(ply.saturating_sub(1)) + 1).skip(4).step_by(2);
        earlier.any(|&earlier| earlier == key)
            || window >= ply && self.occurred_twice.binary_search(&key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;

    use super::*;

    /// By definition: whether the last key repeats one after the root, and whether it is its third occurrence in all.
    fn repeats(keys: &[u64], ply: usize) -> (bool, bool) {
        let (key, earlier) = keys.split_last().unwrap();
        let in_line = earlier.iter().rev().take(ply - 1).any(|other| other == key);
        let in_game = earlier.iter().filter(|other| *other == key).count() >= 2;
        (in_line, in_game)
    }

    #[test]
    fn repetitions_in_the_line_and_in_the_game() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (mut by_line, mut by_game_only) = (0, 0);
        for _ in 0..200 {
            // Both sides choose between two moves only, so positions recur.
            let mut position = Position::from_fen("4k3/8/3s4/p7/P7/4S3/8/R3K2R w - - 0 1").unwrap();
            let mut keys = vec![position.key()];
            let mut path = Path::new();
            let root = rng.random_range(0..60);
            path.reset(&position, &keys);
            for played in 1..80 {
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                position.play(moves[rng.random_range(0..2.min(moves.len()))]).unwrap();
                keys.push(position.key());
                if played <= root {
                    path.reset(&position, &keys);
                    continue;
                }
                path.push(position.key());
                let ply = played - root;
                let (in_line, in_game) = repeats(&keys, ply);
                assert_eq!(path.is_repetition(&position, ply), in_line || in_game, "ply {ply} after {root}");
                by_line += usize::from(in_line);
                by_game_only += usize::from(in_game && !in_line);
            }
        }
        assert!(by_line > 100 && by_game_only > 20, "{by_line} {by_game_only}");
    }
}
