//! The keys of the positions on the current line, to detect repetitions.

use sakmak_movegen::Position;
use sakmak_movegen::rules::Repetition;

/// Keys of all positions of the game and of the searched line, the current one last.
pub(super) struct Path {
    keys: Vec<u64>,
    /// Number of keys by their lowest bits: 1 means that the current position is not repeated.
    key_filter: Box<[u16; FILTER_SIZE]>,
}

const FILTER_SIZE: usize = 4096;

#[inline]
fn slot(key: u64) -> usize {
    key as usize % FILTER_SIZE
}

impl Path {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), key_filter: Box::new([0; FILTER_SIZE]) }
    }

    /// Replaces all keys by these.
    pub(super) fn reset(&mut self, keys: &[u64]) {
        self.keys.clear();
        self.key_filter.fill(0);
        for &key in keys {
            self.push(key);
        }
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
        if window < 4 || self.key_filter[slot(position.key())] == 1 {
            return false;
        }
        let earlier = self.keys.iter().rev().skip(1).take(window).enumerate().skip(3).step_by(2);
        let mut repeated = false;
        for (index, &key) in earlier {
            if key == position.key() {
                // `index + 1` plies ago.
                let threefold = position.rules().repetition == Repetition::Threefold;
                if index + 1 < ply || repeated && threefold {
                    return true;
                }
                repeated = true;
            }
        }
        false
    }
}
