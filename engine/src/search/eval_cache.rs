//! A cache of static evaluations.

use bytemuck::Zeroable;
use sakmak_eval::Evaluator;
use sakmak_movegen::Position;

/// Slots indexed by the middle bits of a position's key, each with the key's upper 48 bits and the evaluation; zeroed at
/// first.
#[derive(Zeroable)]
pub(super) struct EvalCache([u64; SLOTS]);

/// 256 KiB, which fits into a core's L2 cache.
const SLOTS: usize = 1 << 15;
const SCORE_BITS: u64 = 0xffff;

/// The value of a slot. An evaluation is between `-MAX_EVAL` and `MAX_EVAL`.
#[inline]
fn packed(key: u64, eval: i32) -> u64 {
    key & !SCORE_BITS | u64::from(eval as i16 as u16)
}

impl EvalCache {
    pub(super) fn clear(&mut self) {
        self.0.fill(0);
    }

    /// [`Evaluator::evaluate`] of the position, from the cache if possible.
    ///
    /// The key has the exact count only while few plies of it are left or a khun is bare, so the evaluation may be that
    /// of a slightly longer or shorter count.
    #[inline(always)]
    pub(super) fn evaluate(&mut self, evaluator: &mut Evaluator, position: &Position) -> i32 {
        let key = position.tt_key();
        let slot = self.slot(key);
        if (*slot ^ key) & !SCORE_BITS != 0 {
            *slot = packed(key, evaluator.evaluate(position));
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
    use sakmak_eval::{DtmTables, huge_pages};

    use super::*;

    #[test]
    fn positions_of_one_slot_are_distinguished() {
        let (mut cache, mut evaluator) = (huge_pages::zeroed::<EvalCache>(), Evaluator::default());
        let mut position = Position::startpos();
        let mut seen = 0;
        // Many more positions than slots.
        while seen < 4 * SLOTS {
            let moves = position.legal_moves();
            if let Some(&mv) = moves.get(seen % moves.len().max(1)) {
                position.play_unchecked(mv);
                for _ in 0..2 {
                    let cached = cache.evaluate(&mut evaluator, &position);
                    assert_eq!(cached, evaluator.evaluate(&position), "{position}");
                }
            } else {
                position = Position::startpos();
            }
            seen += 1;
        }
    }

    /// The mate takes 77 plies and may come on the ply after the limit: with 76 left it wins, with 75 it does not.
    #[test]
    fn a_bare_khun_is_evaluated_for_each_count_of_its_own() {
        let mut cache = huge_pages::zeroed::<EvalCache>();
        let mut evaluator = Evaluator::new(&DtmTables::default());
        evaluator.solve_missing_tables(true);
        let mut keys = Vec::new();
        for ply in 0..=88 {
            let fen = format!("2K5/8/8/1S4M1/8/4k3/8/8 w - 88 {ply} 60");
            let position = Position::from_fen(&fen).unwrap();
            let eval = cache.evaluate(&mut evaluator, &position);
            assert_eq!(eval, evaluator.evaluate(&position), "{fen}");
            assert_eq!(eval > 500, ply <= 12, "{fen}: {eval}");
            keys.push(position.tt_key());
        }
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), 89);
    }
}
