//! The positions a search has come through, to see repetitions.

use sakmak_movegen::Position;
use sakmak_movegen::rules::Repetition;

/// Keys of all positions of the game and of the searched line, the current one last.
pub(super) struct Path {
    keys: Vec<u64>,
    /// How many of the keys are alike in their lowest bits: most positions are seen to be new at one glance.
    alike: Box<[u16; ALIKE]>,
}

const ALIKE: usize = 4096;

#[inline]
fn slot(key: u64) -> usize {
    key as usize % ALIKE
}

impl Path {
    pub(super) fn new() -> Self {
        Self { keys: Vec::new(), alike: Box::new([0; ALIKE]) }
    }

    /// Begins with these keys.
    pub(super) fn restart(&mut self, keys: &[u64]) {
        self.keys.clear();
        self.alike.fill(0);
        for &key in keys {
            self.push(key);
        }
    }

    #[inline]
    pub(super) fn push(&mut self, key: u64) {
        self.keys.push(key);
        let alike = &mut self.alike[slot(key)];
        *alike = alike.wrapping_add(1);
    }

    #[inline]
    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            let alike = &mut self.alike[slot(key)];
            *alike = alike.wrapping_sub(1);
        }
    }

    /// Whether `position`, the last of the path and `ply` plies from the root, ends the game as a repetition: once
    /// within the searched line, since a circle leads nowhere, or the third occurrence in all where that is a rule.
    #[inline]
    pub(super) fn is_repetition(&self, position: &Position, ply: usize) -> bool {
        let window = position.reversible_plies();
        if window < 4 || self.alike[slot(position.key())] == 1 {
            return false;
        }
        let earlier = self.keys.iter().rev().skip(1).take(window).enumerate().skip(3).step_by(2);
        let mut seen = false;
        for (index, &key) in earlier {
            if key == position.key() {
                // `index + 1` plies ago.
                let counts = position.rules().repetition == Repetition::Threefold;
                if index + 1 < ply || seen && counts {
                    return true;
                }
                seen = true;
            }
        }
        false
    }
}
