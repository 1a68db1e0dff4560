//! Which pieces are attacked, and which of them can be won.

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, attacks};

use super::features::pieces;

/// How a piece stands towards the enemy.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Safety {
    /// No enemy piece attacks it; also every khun.
    Safe,
    /// Only pieces of its value or more attack it, and its own side protects it.
    Protected,
    /// A piece of less value attacks it, or it is attacked and not protected.
    Hanging,
}

impl Safety {
    /// How many there are.
    pub const COUNT: usize = 3;
}

/// The pieces of both sides that are attacked. Pins, rays through other pieces and the side to move are not looked at.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Threats {
    /// Pieces that enemy pieces attack, without the khuns.
    pub attacked: Bitboard,
    /// Those of them that are [`Safety::Hanging`].
    pub hanging: Bitboard,
}

/// What the pieces of a side attack.
struct Attacks {
    bia: Bitboard,
    met: Bitboard,
    /// Of khon and maa.
    minor: Bitboard,
    all: Bitboard,
}

impl Attacks {
    #[inline]
    fn new(color: Color, pieces: &[Bitboard; 6], occupied: Bitboard) -> Self {
        let of = |kind: PieceKind| pieces[kind.index()];
        let bia = Bitboard::union(of(PieceKind::Bia).bia_captures(color));
        let met = Bitboard::union(of(PieceKind::Met).diagonal_steps());
        let khon = of(PieceKind::Khon);
        let minor = Bitboard::union(khon.diagonal_steps())
            | khon.forward(color)
            | Bitboard::union(of(PieceKind::Maa).maa_leaps());
        let khun = of(PieceKind::Khun);
        let row = khun | khun.east() | khun.west();
        let mut all = bia | met | minor | row.north() | row.south() | (row ^ khun);
        for square in of(PieceKind::Rua) {
            all |= attacks::rua(square, occupied);
        }
        Self { bia, met, minor, all }
    }
}

impl Threats {
    /// Those of a position.
    #[inline]
    pub fn of(position: &Position) -> Self {
        Self::new(&pieces(position))
    }

    /// Those between pieces given by color and kind: for boards that are no position.
    #[inline]
    pub fn new(pieces: &[[Bitboard; 6]; 2]) -> Self {
        let side = |color: Color| Bitboard::union(pieces[color.index()]);
        let occupied = side(Color::White) | side(Color::Black);
        let attacks = Color::ALL.map(|color| Attacks::new(color, &pieces[color.index()], occupied));
        let mut threats = Self::default();
        for color in Color::ALL {
            let of = |kind: PieceKind| pieces[color.index()][kind.index()];
            let (own, enemy) = (&attacks[color.index()], &attacks[(!color).index()]);
            let attacked = enemy.all & side(color) & !of(PieceKind::Khun);
            let by_less = (of(PieceKind::Met) & enemy.bia)
                | ((of(PieceKind::Khon) | of(PieceKind::Maa)) & (enemy.bia | enemy.met))
                | (of(PieceKind::Rua) & (enemy.bia | enemy.met | enemy.minor));
            threats.attacked |= attacked;
            threats.hanging |= (attacked & !own.all) | by_less;
        }
        threats
    }

    /// How the piece stands whose square is the only one of `square`.
    #[inline]
    pub fn safety(self, square: Bitboard) -> Safety {
        if !self.attacked.intersects(square) {
            Safety::Safe
        } else if self.hanging.intersects(square) {
            Safety::Hanging
        } else {
            Safety::Protected
        }
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::{Piece, Square};

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
            attacks::of(kind, color, *from, position.occupied()).intersects(square.into())
        };
        let seeing = |color: Color| position.color(color).into_iter().filter(sees);
        let attackers: Vec<_> = seeing(!piece.color).collect();
        let is_less = |from: &Square| rank_of(position.piece_on(*from).unwrap().kind) < rank_of(piece.kind);
        if piece.kind == PieceKind::Khun || attackers.is_empty() {
            Safety::Safe
        } else if attackers.iter().any(is_less) || seeing(piece.color).next().is_none() {
            Safety::Hanging
        } else {
            Safety::Protected
        }
    }

    #[test]
    fn threats_are_those_of_the_definition() {
        let mut found = [0; Safety::COUNT];
        along_random_games(Default::default(), 30, |position| {
            let threats = Threats::of(position);
            assert!((threats.attacked & !position.occupied()).is_empty());
            assert!((threats.hanging & !threats.attacked).is_empty());
            for square in position.occupied() {
                let safety = threats.safety(square.into());
                assert_eq!(safety, slowly(position, square), "{square} in {position}");
                found[safety as usize] += 1;
            }
        });
        assert!(found.iter().all(|&number| number > 1000), "{found:?}");
    }

    #[test]
    fn a_piece_of_less_value_wins_a_protected_one() {
        let position = Position::from_fen("4k3/8/3r4/2P1P3/8/8/3R4/4K3 w - - 0 1").unwrap();
        let threats = Threats::of(&position);
        let safety = |square: &str| threats.safety(Bitboard::from(square.parse::<Square>().unwrap()));
        assert_eq!(safety("d6"), Safety::Hanging);
        assert_eq!(
            [safety("d2"), safety("e5"), safety("e1")],
            [Safety::Protected, Safety::Safe, Safety::Safe]
        );
    }
}
