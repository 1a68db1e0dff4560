//! Evaluations met lately, so that a position reached again is not judged again.

use sakmak_eval::{Accumulator, evaluate};
use sakmak_movegen::Position;

/// Slots found by the middle of a position's key, each with the key's upper 48 bits and the evaluation.
pub(super) struct Evaluations(Box<[u64]>);

/// 256 KiB, which a core's second cache holds: with 8,192 slots too little is found again, and twice as many
/// gain no more.
const SLOTS: usize = 1 << 15;
const SCORE_BITS: u64 = 0xffff;

impl Evaluations {
    pub(super) fn new() -> Self {
        Self(vec![0; SLOTS].into_boxed_slice())
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// What [`evaluate`] says of the position, now or when it was met before. The key knows the count only
    /// when few plies of it are left, so the answer may come from one a little longer or shorter.
    #[inline]
    pub(super) fn judge(&mut self, position: &Position, sums: &Accumulator) -> i32 {
        let key = position.table_key();
        let slot = &mut self.0[(key >> 16) as usize % SLOTS];
        if (*slot ^ key) & !SCORE_BITS != 0 {
            // At most `MAX_EVAL` either way.
            let eval = evaluate(position, sums) as i16;
            *slot = key & !SCORE_BITS | u64::from(eval as u16);
        }
        i32::from(*slot as i16)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_of_one_slot_are_told_apart() {
        let mut evaluations = Evaluations::new();
        let mut position = Position::startpos();
        let mut sums = Accumulator::new(&position);
        let mut seen = 0;
        // Far more positions than slots.
        while seen < 4 * SLOTS {
            let moves = position.legal_moves();
            let Some(&mv) = moves.get(seen % moves.len().max(1)) else {
                position = Position::startpos();
                sums = Accumulator::new(&position);
                seen += 1;
                continue;
            };
            sums.make(&mut position, mv);
            for _ in 0..2 {
                assert_eq!(evaluations.judge(&position, &sums), evaluate(&position, &sums), "{position}");
            }
            seen += 1;
        }
    }
}
