//! Legality and checks of single moves.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveError};
use crate::position::Position;
use crate::rules::Variant;
use crate::types::{Color, PieceKind};
use alloc::borrow::ToOwned;

/// The ranks on which a bia promotes: the sixth and, for bia set up beyond it, the seventh and eighth.
#[inline]
pub(crate) const fn promotion_zone(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0xffff_ff00_0000_0000),
        Color::Black => Bitboard(0x0000_0000_00ff_ffff),
    }
}

/// The check squares and shields of a position, computed once for [`Position::gives_check`] of all its moves.
///
/// ```
/// use sakmak_movegen::Position;
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w")?;
/// let info = position.check_info();
/// let moves = position.legal_moves();
/// let checks: Vec<_> = moves.iter().filter(|&&mv| position.gives_check(mv, &info)).collect();
/// assert_eq!(checks.len(), 1);
/// assert_eq!(checks[0].to_string(), "a1a8");
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct CheckInfo {
    /// By kind index: the squares from which such a piece of the side to move attacks the enemy khun.
    direct: [Bitboard; 6],
    /// Own pieces that shield the enemy khun from an own rua.
    shields: Bitboard,
}

impl Position {
    /// The check squares and shields of the side to move.
    #[inline]
    pub fn check_info(&self) -> CheckInfo {
        CheckInfo { direct: self.check_squares(), shields: self.blockers(!self.side) & self.color(self.side) }
    }

    /// Whether a legal move gives check.
    #[inline]
    pub fn gives_check(&self, mv: Move, info: &CheckInfo) -> bool {
        if mv.is_two_piece() {
            return self.after(mv).in_check();
        }
        let (from, to) = (mv.from(), mv.to());
        let arrives = if mv.is_promotion() { Some(PieceKind::Met) } else { self.kind_on(from) };
        let direct = arrives.is_some_and(|kind| info.direct[kind.index()].contains(to));
        direct || info.shields.contains(from) && !attacks::line(self.khun(!self.side), from).contains(to)
    }

    /// Whether the move is legal but for the safety of the khun. A move must carry the promotion mark exactly if it
    /// promotes.
    pub fn is_pseudo_legal(&self, mv: Move) -> bool {
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let Some(kind) = self.kind_on(from) else { return false };
        if mv.is_two_piece() {
            return self.is_privileged_move(mv);
        }
        if !self.color(us).contains(from) || self.color(us).contains(to) {
            return false;
        }
        let promotes = kind == PieceKind::Bia && promotion_zone(us).contains(to);
        if mv.is_promotion() != promotes {
            return false;
        }
        let targets = if kind == PieceKind::Bia {
            attacks::bia(us, from) & self.color(!us) | Bitboard::from(from).forward(us) & !self.occupied()
        } else {
            attacks::from(kind, us, from, self.occupied())
        };
        targets.contains(to) || self.privileged().contains(from) && self.is_privileged_move(mv)
    }

    /// Whether a move is legal. It may be any move: from the TT, a killer, a user.
    pub fn is_legal(&self, mv: Move) -> bool {
        if !self.is_pseudo_legal(mv) {
            return false;
        }
        if mv.is_two_piece() {
            return true;
        }
        let (us, from, to) = (self.side, mv.from(), mv.to());
        let khun = self.khun(us);
        if from == khun {
            let stays = self.in_check() && self.rules().variant == Variant::Makpong;
            if stays && !self.makpong_check_mask().contains(to) {
                return false;
            }
            let without = self.occupied() ^ khun.into();
            return !self.is_attacked(!us, to, without);
        }
        if let Some(checker) = self.checkers.first() {
            let check_mask = if self.privileged().contains(checker) {
                self.check_mask_with_leaps(checker)
            } else {
                attacks::between(khun, checker) | checker.into()
            };
            if self.checkers.more_than_one() || !check_mask.contains(to) {
                return false;
            }
        }
        !self.pinned(us).contains(from) || attacks::line(khun, from).contains(to)
    }

    /// Reads a move in UCI form (`e3e4`, `e5e6m`) and checks that it is legal here. The promotion
    /// letter is required and may be a capital.
    ///
    /// # Errors
    /// [`MoveError`], by whether the text or the move is at fault.
    pub fn parse_move(&self, text: &str) -> Result<Move, MoveError> {
        let mv = self.complete(Move::parse(text)?);
        if self.is_legal(mv) {
            Ok(mv)
        } else if !mv.is_promotion() && self.is_legal(Move::promotion(mv.from(), mv.to())) {
            Err(MoveError::NoPromotionLetter { text: text.to_owned() })
        } else {
            Err(MoveError::Illegal { text: text.to_owned() })
        }
    }

    /// Whether the move takes a piece.
    #[inline]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.color(!self.side).contains(mv.to())
    }

    /// Whether the move takes a piece or promotes: what [`crate::Stage::Noisy`] generates.
    #[inline]
    pub fn is_noisy(&self, mv: Move) -> bool {
        self.is_capture(mv) || mv.is_promotion()
    }
}
