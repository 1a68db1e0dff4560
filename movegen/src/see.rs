//! Static exchange evaluation (SEE): the gain of a capture after all profitable recaptures on its square.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::Move;
use crate::position::Position;
use crate::types::PieceKind;

/// Piece values by kind index, in any unit. The khun's should exceed all others together.
///
/// ```
/// use sakmak_movegen::{Position, SeeValues};
///
/// let values = SeeValues([100, 170, 280, 320, 500, 20_000]);
/// // The rua takes a bia that the met protects.
/// let position = Position::from_fen("4k3/8/3m4/4p3/8/8/8/3KR3 w")?;
/// let mv = position.parse_move("e1e5").expect("legal");
/// assert!(position.see_ge(mv, 100 - 500, &values));
/// assert!(!position.see_ge(mv, 0, &values));
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SeeValues(pub [i32; 6]);

impl Position {
    /// Whether the exchanges on the target square of a legal move gain at least `threshold` for the side to move. Each
    /// side captures with its cheapest piece first and stops when that is best.
    ///
    /// Of equal pieces the one on the lowest square captures first. Pins, and promotions by recaptures, are ignored.
    pub fn see_ge(&self, mv: Move, threshold: i32, values: &SeeValues) -> bool {
        let value = |kind: PieceKind| values.0[kind.index()];
        let (from, to) = (mv.from(), mv.to());
        let Some(mover) = self.kind_on(from) else { return false };
        if mv.is_two_piece() {
            return threshold <= 0;
        }

        // The gain beyond the threshold of the side that has just captured.
        let mut balance = self.kind_on(to).map_or(0, value) - threshold;
        let mut at_stake = value(mover);
        if mv.is_promotion() {
            balance += value(PieceKind::Met) - value(PieceKind::Bia);
            at_stake = value(PieceKind::Met);
        }
        if balance < 0 {
            return false;
        }
        // From here on: the gain of the side to capture beyond the other side's margin.
        let mut swap = at_stake - balance;
        if swap <= 0 {
            return true;
        }

        let mut occupied = (self.occupied() ^ from.into()) | to.into();
        let mut attackers = self.attackers_to(to, occupied) & occupied;
        let ruas = self.kind(PieceKind::Rua) & attacks::rua_lines(to);
        let mut side = !self.side;
        let mut reached = true;
        while let Some((kind, square)) = self.cheapest(attackers & self.color(side)) {
            reached = !reached;
            if kind == PieceKind::Khun {
                // The khun captures only if it cannot be recaptured.
                return reached != attackers.intersects(self.color(!side));
            }
            swap = value(kind) - swap;
            if swap < i32::from(reached) {
                break;
            }
            occupied ^= square.into();
            if ruas.intersects(occupied) {
                attackers |= attacks::rua(to, occupied) & ruas;
            }
            attackers &= occupied;
            side = !side;
        }
        reached
    }

    /// The least valuable piece of a set.
    #[inline]
    fn cheapest(&self, set: Bitboard) -> Option<(PieceKind, crate::square::Square)> {
        if set.is_empty() {
            return None;
        }
        PieceKind::ALL
            .into_iter()
            .find_map(|kind| (set & self.kind(kind)).first().map(|square| (kind, square)))
    }
}
