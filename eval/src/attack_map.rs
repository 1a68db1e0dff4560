//! The squares each side attacks, by kind of piece.

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, attacks};

/// The squares one side attacks or guards.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AttackMap {
    /// By kind index; rua from where they stand, without regard to pins.
    pub(crate) by: [Bitboard; 6],
    /// Every attacked square.
    pub(crate) all: Bitboard,
    /// Squares attacked by anything but the khun.
    pub(crate) by_pieces: Bitboard,
}

impl AttackMap {
    #[inline]
    pub(crate) fn of(position: &Position, color: Color) -> Self {
        let pieces = |kind| position.pieces(color, kind);
        let occupied = position.occupied();
        let khon = pieces(PieceKind::Khon);
        let mut rua = Bitboard::EMPTY;
        for square in pieces(PieceKind::Rua) {
            rua |= attacks::rua(square, occupied);
        }
        let by = [
            Bitboard::union(pieces(PieceKind::Bia).bia_captures(color)),
            Bitboard::union(pieces(PieceKind::Met).diagonal_steps()),
            Bitboard::union(khon.diagonal_steps()) | khon.forward(color),
            Bitboard::union(pieces(PieceKind::Maa).maa_leaps()),
            rua,
            attacks::khun(position.khun(color)),
        ];
        let by_pieces = by[0] | by[1] | by[2] | by[3] | by[4];
        Self { by, all: by_pieces | by[5], by_pieces }
    }

    #[inline]
    pub(crate) fn by(&self, kind: PieceKind) -> Bitboard {
        self.by[kind.index()]
    }

    /// Squares attacked by met, khon or maa.
    #[inline]
    pub(crate) fn by_minors(&self) -> Bitboard {
        self.by(PieceKind::Met) | self.by(PieceKind::Khon) | self.by(PieceKind::Maa)
    }
}
