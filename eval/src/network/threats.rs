//! Which pieces are attacked, by what, and which are protected.

use sakmak_movegen::attacks::AttackSets;
use sakmak_movegen::{Bitboard, Color, PieceKind, Position};

use super::features::pieces;

/// Whether a piece is attacked, by a piece of less value or not, and whether it is protected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// No piece attacks or protects it; also every khun.
    Loose,
    /// Protected, and no enemy piece attacks it.
    Safe,
    /// Attacked by pieces of its value or more only, and not protected.
    Hanging,
    /// Attacked by pieces of its value or more only, and protected.
    Protected,
    /// Attacked by a piece of less value, and not protected.
    Lost,
    /// Attacked by a piece of less value, and protected.
    Outweighed,
}

impl Safety {
    /// The number of kinds.
    pub const COUNT: usize = 6;
    /// All kinds, by index.
    pub const ALL: [Self; Self::COUNT] =
        [Self::Loose, Self::Safe, Self::Hanging, Self::Protected, Self::Lost, Self::Outweighed];
}

/// The attacked and the protected pieces of both sides, without khuns. Pins, x-rays and the side to move do not matter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// Pieces that enemy pieces attack.
    pub attacked: Bitboard,
    /// Attacked pieces with an attacker of less value.
    pub by_less: Bitboard,
    /// Pieces that their own side protects.
    pub protected: Bitboard,
}

impl Threats {
    /// The threats of a position.
    #[inline]
    pub fn new(position: &Position) -> Self {
        Self::from_pieces(&pieces(position))
    }

    /// The threats between pieces by color and kind. The board need not be a valid position.
    #[inline]
    pub fn from_pieces(pieces: &[[Bitboard; 6]; 2]) -> Self {
        let side = |color: Color| Bitboard::union(pieces[color.index()]);
        let occupied = side(Color::White) | side(Color::Black);
        let attacks =
            Color::ALL.map(|color| AttackSets::new(color, |kind| pieces[color.index()][kind.index()]));
        let all = attacks.map(|attacks| attacks.all(occupied));
        let mut threats = Self::default();
        for color in Color::ALL {
            let of = |kind: PieceKind| pieces[color.index()][kind.index()];
            let enemy = &attacks[(!color).index()];
            let targets = side(color) ^ of(PieceKind::Khun);
            threats.attacked |= all[(!color).index()] & targets;
            threats.protected |= all[color.index()] & targets;
            threats.by_less |= (of(PieceKind::Met) & enemy.bia)
                | ((of(PieceKind::Khon) | of(PieceKind::Maa)) & (enemy.bia | enemy.met))
                | (of(PieceKind::Rua) & (enemy.bia | enemy.met | enemy.khon | enemy.maa));
        }
        threats
    }

    /// The threats without attacks on enemy pieces.
    pub fn without_attacks(self) -> Self {
        Self { protected: self.protected, ..Self::default() }
    }

    /// The pieces whose safety differs between these threats and `other` on the same board.
    #[inline]
    pub fn difference(self, other: Self) -> Bitboard {
        (self.attacked ^ other.attacked) | (self.by_less ^ other.by_less) | (self.protected ^ other.protected)
    }

    /// The safety of the piece on `square`, a set of one square.
    #[inline]
    pub fn safety(self, square: Bitboard) -> Safety {
        let is = |set: Bitboard| usize::from(set.intersects(square));
        Safety::ALL[2 * (is(self.attacked) + is(self.by_less)) + is(self.protected)]
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::{Piece, Square, attacks};

    use super::super::tests::along_random_games;
    use super::*;

    /// The definition, piece by piece.
    fn slowly(position: &Position, square: Square) -> Safety {
        let rank_of = |kind| match kind {
            PieceKind::Bia => 0,
            PieceKind::Met => 1,
            PieceKind::Khon | PieceKind::Maa => 2,
            PieceKind::Rua => 3,
            PieceKind::Khun => 4,
        };
        let piece = position.piece_on(square).unwrap();
        let sees = |from: &Square| {
            let Piece { color, kind } = position.piece_on(*from).unwrap();
            attacks::from(kind, color, *from, position.occupied()).intersects(square.into())
        };
        let seeing = |color: Color| position.color(color).into_iter().filter(sees);
        let attackers: Vec<_> = seeing(!piece.color).collect();
        let is_less = |from: &Square| rank_of(position.piece_on(*from).unwrap().kind) < rank_of(piece.kind);
        let is_protected = seeing(piece.color).next().is_some();
        if piece.kind == PieceKind::Khun {
            return Safety::Loose;
        }
        match (attackers.is_empty(), attackers.iter().any(is_less), is_protected) {
            (true, _, false) => Safety::Loose,
            (true, _, true) => Safety::Safe,
            (false, false, false) => Safety::Hanging,
            (false, false, true) => Safety::Protected,
            (false, true, false) => Safety::Lost,
            (false, true, true) => Safety::Outweighed,
        }
    }

    #[test]
    fn threats_are_those_of_the_definition() {
        let mut found = [0; Safety::COUNT];
        along_random_games(Default::default(), 30, |position| {
            let threats = Threats::new(position);
            assert!((threats.attacked & !position.occupied()).is_empty());
            assert!((threats.by_less & !threats.attacked).is_empty());
            for square in position.occupied() {
                let safety = threats.safety(square.into());
                assert_eq!(safety, slowly(position, square), "{square} in {position}");
                found[safety as usize] += 1;
            }
        });
        assert!(found.iter().all(|&number| number > 1000), "{found:?}");
    }

    #[test]
    fn a_piece_of_less_value_outweighs_a_protected_one() {
        let position = Position::from_fen("4k3/8/3r4/2P1P3/8/8/3R4/4K3 w - - 0 1").unwrap();
        let threats = Threats::new(&position);
        let safety = |square: &str| threats.safety(Bitboard::from(square.parse::<Square>().unwrap()));
        assert_eq!(["d6", "d2", "e5", "c5", "e1"].map(safety), {
            use Safety::{Loose, Lost, Protected};
            [Lost, Protected, Loose, Loose, Loose]
        });
        assert_eq!(threats.without_attacks().safety("d2".parse::<Square>().unwrap().into()), Safety::Safe);
    }
}
