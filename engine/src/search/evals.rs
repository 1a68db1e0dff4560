//! Evaluations met lately, so that a position reached again is not judged again.

use sakmak_eval::{Accumulator, evaluate};
use sakmak_movegen::Position;

/// Slots found by the middle of a position's key, each with the key's upper 48 bits and the evaluation.
pub(super) struct Evaluations(Box<[u64]>);

/// 256 KiB, which a core's second cache holds: with 8,192 slots too little is found again, and twice as many
/// gain no more.
const SLOTS: usize = 1 << 15;
const SCORE_BITS: u64 = 0xffff;

/// What a slot holds. An evaluation is at most `MAX_EVAL` either way.
#[inline]
fn packed(key: u64, eval: i32) -> u64 {
    key & !SCORE_BITS | u64::from(eval as i16 as u16)
}

impl Evaluations {
    /// Memory they take.
    pub(super) const BYTES: usize = size_of::<u64>() * SLOTS;

    pub(super) fn new() -> Self {
        Self(vec![0; SLOTS].into_boxed_slice())
    }

    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// What [`evaluate`] says of the position, now or when it was met before. The key knows the count exactly only
    /// when few plies of it are left or a khun is bare, so the answer may come from one a little longer or shorter.
    #[inline(always)]
    pub(super) fn judge(&mut self, position: &Position, sums: &Accumulator) -> i32 {
        let key = position.table_key();
        let slot = self.slot(key);
        if (*slot ^ key) & !SCORE_BITS != 0 {
            *slot = packed(key, evaluate(position, sums));
        }
        i32::from(*slot as i16)
    }

    #[inline]
    fn slot(&mut self, key: u64) -> &mut u64 {
        &mut self.0[(key >> 16) as usize % SLOTS]
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

    /// The mate takes 77 plies and may come on the ply after the limit: with 76 left it wins, with 75 it does not.
    #[test]
    fn a_hunt_is_evaluated_for_each_count_of_its_own() {
        sakmak_eval::prepare();
        let mut evaluations = Evaluations::new();
        let mut keys = Vec::new();
        for ply in 0..=88 {
            let fen = format!("2K5/8/8/1S4M1/8/4k3/8/8 w - 88 {ply} 60");
            let position = Position::from_fen(&fen).unwrap();
            let sums = Accumulator::new(&position);
            let eval = evaluations.judge(&position, &sums);
            assert_eq!(eval, evaluate(&position, &sums), "{fen}");
            assert_eq!(eval > 500, ply <= 12, "{fen}: {eval}");
            keys.push(position.table_key());
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 89);
    }
}
