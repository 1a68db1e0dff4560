//! Correction history: the mean difference between search score and static evaluation, of positions with the same bia
//! or the same pieces of one side, is added to the static evaluation. (As in Stockfish since version 16.1.) The sum is
//! scaled by the number of pieces on the board, and by the plies without progress.

use bytemuck::Zeroable;
use sakmak_movegen::{Bitboard, Color, PieceKind, Position};

use crate::parameters::{
    CORRECTION_BONUS_MAX, CORRECTION_MAX, IDLE_SPAN, IDLE_START, SCALED_MEN, correction_bia,
    correction_bonus, correction_pieces, men_scale,
};
use crate::score::{TB_BOUND, is_decisive};

/// Entries by bia, or by the pieces of one side; a power of two.
const SLOTS: usize = 1 << 14;

/// The correction history of a thread. Values are for the side to move, between `-CORRECTION_MAX` and
/// `CORRECTION_MAX`; zeroed at first.
#[derive(Zeroable)]
pub(super) struct CorrectionHistory {
    /// By side to move and the bia of both sides.
    bia: [[i16; SLOTS]; 2],
    /// By side to move, and the colour and squares of one side's khun, met, khon, maa and rua.
    pieces: [[[i16; SLOTS]; 2]; 2],
}

/// The slots of a position.
struct Slots {
    bia: usize,
    pieces: [usize; 2],
}

impl Slots {
    #[inline]
    fn of(position: &Position) -> Self {
        let pieces = |color| {
            let own = position.color(color);
            let of_kind = |kind| (own & position.kind(kind)).0;
            // A hash of the squares of all pieces but the bia, mixed with those of three kinds.
            let kinds = of_kind(PieceKind::Rua)
                ^ of_kind(PieceKind::Maa).rotate_left(17)
                ^ of_kind(PieceKind::Khon).rotate_left(37);
            Self::hash((own & !position.kind(PieceKind::Bia)).0, kinds)
        };
        let [white_bia, black_bia]: [Bitboard; 2] =
            [Color::White, Color::Black].map(|color| position.pieces(color, PieceKind::Bia));
        Self {
            bia: Self::hash(white_bia.0, black_bia.0),
            pieces: [pieces(Color::White), pieces(Color::Black)],
        }
    }

    #[inline]
    fn hash(one: u64, two: u64) -> usize {
        let mixed =
            one.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ two.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(31);
        (mixed.wrapping_mul(0xff51_afd7_ed55_8ccd) >> (64 - SLOTS.ilog2())) as usize
    }
}

impl CorrectionHistory {
    pub(super) fn clear(&mut self) {
        self.bia.as_flattened_mut().fill(0);
        self.pieces.as_flattened_mut().as_flattened_mut().fill(0);
    }

    /// Whether the evaluation of a position is corrected: not against a bare khun, where it is exact, and not while a
    /// count runs, which decides more than pieces and bia.
    #[inline]
    fn applies(position: &Position) -> bool {
        !position.count().is_running() && !position.is_bare(Color::White) && !position.is_bare(Color::Black)
    }

    /// The corrected and scaled static evaluation, in internal units for the side to move.
    #[inline]
    pub(super) fn correct(&self, position: &Position, eval: i32) -> i32 {
        if !Self::applies(position) || is_decisive(eval) {
            return eval;
        }
        let us = position.side_to_move().index();
        let slots = Slots::of(position);
        let [white, black] = [0, 1].map(|color| i32::from(self.pieces[us][color][slots.pieces[color]]));
        let correction =
            correction_bia() * i32::from(self.bia[us][slots.bia]) + correction_pieces() * (white + black);
        let scaled = scaled_by_progress(position, scaled_by_men(position, eval + correction / 4096));
        scaled.clamp(1 - TB_BOUND, TB_BOUND - 1)
    }

    /// Updates the entries after a search of `depth` plies whose score exceeds the corrected evaluation by `difference`
    /// internal units.
    pub(super) fn update(&mut self, position: &Position, depth: i32, difference: i32) {
        if !Self::applies(position) {
            return;
        }
        let us = position.side_to_move().index();
        let slots = Slots::of(position);
        let most = CORRECTION_BONUS_MAX;
        let bonus = (difference * depth * correction_bonus() / 64).clamp(-most, most);
        update(&mut self.bia[us][slots.bia], bonus);
        for (table, slot) in self.pieces[us].iter_mut().zip(slots.pieces) {
            update(&mut table[slot], bonus);
        }
    }
}

/// Material scaling: an advantage counts for more with many pieces on the board. (Stockfish does so, too.)
#[inline]
fn scaled_by_men(position: &Position, eval: i32) -> i32 {
    let men = position.occupied().len() as i32;
    eval * (256 + men_scale() * (men - SCALED_MEN)) / 256
}

/// Progress scaling: an advantage counts for less the longer nothing has been captured and no bia has moved, so that the
/// side that has it moves forward, or no longer avoids a repetition. Makruk has no limit of moves while both sides have
/// more than a khun and a bia is left.
#[inline]
fn scaled_by_progress(position: &Position, eval: i32) -> i32 {
    let idle = i32::from(position.halfmove_clock()) - IDLE_START;
    if idle <= 0 { eval } else { eval * (IDLE_SPAN - idle).max(0) / IDLE_SPAN }
}

/// Adds a bonus with gravity, as in [`super::history`].
#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / CORRECTION_MAX) as i16;
}

#[cfg(test)]
mod tests {
    use sakmak_eval::huge_pages;

    use super::*;

    fn position(fen: &str) -> Position {
        fen.parse().expect("a position")
    }

    #[test]
    fn what_searches_find_is_added_and_forgotten() {
        let start = position("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
        let uncorrected = scaled_by_men(&start, 12);
        let mut corrections = huge_pages::zeroed::<CorrectionHistory>();
        assert_eq!(corrections.correct(&start, 12), uncorrected);
        for _ in 0..1000 {
            corrections.update(&start, 10, 100);
        }
        let most = (correction_bia() + 2 * correction_pieces()) * CORRECTION_MAX / 4096;
        let range = scaled_by_men(&start, 12 + most * 9 / 10)..=scaled_by_men(&start, 12 + most);
        let corrected = corrections.correct(&start, 12);
        assert!(range.contains(&corrected), "{corrected} in {range:?}");
        // A position with other bia and pieces is not corrected, one with the same bia is.
        let other = position("r1smksnr/3n4/ppp1pppp/3p4/3P4/PPP1PPPP/3N4/R1SKMSNR w - - 0 1");
        assert_eq!(corrections.correct(&other, 12), uncorrected);
        let bia = position("r1smksnr/3n4/pppppppp/8/8/PPPPPPPP/3N4/R1SKMSNR w - - 0 1");
        assert!(corrections.correct(&bia, 12) > uncorrected);
        // Black to move has its own values.
        let black = position("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - 0 1");
        assert_eq!(corrections.correct(&black, 12), uncorrected);
        corrections.clear();
        assert_eq!(corrections.correct(&start, 12), uncorrected);
    }

    #[test]
    fn an_advantage_grows_with_the_number_of_men() {
        let corrections = huge_pages::zeroed::<CorrectionHistory>();
        let corrected = |fen| corrections.correct(&position(fen), 100);
        assert_eq!(corrected("rnsmk1nr/8/2pppp2/8/8/2PPPP2/8/RNSMK1NR w - - 0 1"), 102, "22 men");
        assert_eq!(corrected("rnsmk1n1/8/2pppp2/8/8/2PPPP2/8/RNSMK1N1 w - - 0 1"), 100, "20 men");
        assert_eq!(corrected("4k3/8/2p5/8/8/5P2/8/4K2R w - - 0 1"), 82, "five men");
        assert_eq!(corrections.correct(&position("4k3/8/2p5/8/8/5P2/8/4K2R b - - 0 1"), -100), -82);
    }

    #[test]
    fn an_advantage_fades_without_progress() {
        let corrections = huge_pages::zeroed::<CorrectionHistory>();
        let corrected = |idle| {
            let fen = format!("1k6/8/1K1M1M2/M7/6p1/6M1/8/8 w - - {idle} 200");
            corrections.correct(&position(&fen), 1000)
        };
        let full = corrected(0);
        assert_eq!([100, 250, 400, 1568].map(corrected), [full, full / 2, 0, 0]);
    }

    #[test]
    fn what_is_exact_counted_or_decisive_stays() {
        let mut corrections = huge_pages::zeroed::<CorrectionHistory>();
        let start = position("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1");
        let bare = position("8/8/4k3/8/8/2K5/8/R7 w - - 0 1");
        let counted = position("8/8/4k3/3s4/8/2K5/8/R6R w - 128 20 10");
        assert!(counted.count().is_running());
        for _ in 0..100 {
            for position in [&start, &bare, &counted] {
                corrections.update(position, 10, 100);
            }
        }
        assert_eq!(corrections.correct(&bare, 700), 700);
        assert_eq!(corrections.correct(&counted, 300), 300);
        assert_eq!(corrections.correct(&start, crate::score::MATE - 5), crate::score::MATE - 5);
        assert!(!is_decisive(corrections.correct(&start, TB_BOUND - 3)));
    }
}
