//! When a game is over.

use std::fmt;

use crate::counting::{CountKind, SpokenCount};
use crate::position::Position;
use crate::types::{Color, PieceKind};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Checkmate, won by the given side.
    Win(Color),
    /// Nobody won.
    Draw(DrawReason),
}

/// Why a game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Sak mak: the bare khun was not mated in time.
    PiecesHonour,
    /// Sak kradan: no mate in time after the last bia had gone.
    BoardHonour,
    /// The same position for the third time.
    Repetition,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(color) => write!(f, "{color} wins (checkmate)"),
            Self::Draw(reason) => write!(f, "draw ({reason})"),
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::PiecesHonour => "pieces' honour",
            Self::BoardHonour => "board's honour",
            Self::Repetition => "repetition",
        })
    }
}

impl Position {
    /// The result this position alone decides: mate, stalemate or an expired count; `None` while the
    /// game goes on. A mate stands even if the count has expired with it. Repetition needs the
    /// game's history and is not seen here.
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(if self.in_check() {
                Outcome::Win(!self.side_to_move())
            } else {
                Outcome::Draw(DrawReason::Stalemate)
            });
        }
        self.count().is_expired().then(|| {
            Outcome::Draw(match SpokenCount::of(self).kind() {
                Some(CountKind::Pieces) => DrawReason::PiecesHonour,
                _ => DrawReason::BoardHonour,
            })
        })
    }

    /// Whether nobody can ever mate: two bare khuns, or a bare khun against one maa, one bia or any
    /// number of met of one square colour. (Two met of different colours mate with the help of the
    /// other side, and so does a lone khon.)
    #[inline]
    pub fn is_dead(&self) -> bool {
        let big = self.kind(PieceKind::Rua) | self.kind(PieceKind::Khon);
        if !big.is_empty() || !(self.is_bare(Color::White) || self.is_bare(Color::Black)) {
            return false;
        }
        const DARK: u64 = 0xaa55_aa55_aa55_aa55;
        let men = self.occupied().len() - 2;
        let met = self.kind(PieceKind::Met).0;
        men <= 1 || met.count_ones() == men && (met & DARK == 0 || met & !DARK == 0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dead_material() {
        let dead = |fen: &str| Position::from_fen(fen).unwrap().is_dead();
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/3NK3 w",
            "4k3/8/8/8/8/3P4/8/4K3 w",
            "4k3/8/8/8/8/8/8/3MK3 w",
            "4k3/8/8/8/8/2M5/8/2M1K3 w",
        ] {
            assert!(dead(fen), "{fen}");
        }
        for fen in [
            "4k3/8/8/8/8/8/8/3SK3 w",
            "4k3/8/8/8/8/8/8/2MMK3 w",
            "4k3/8/8/8/8/8/8/2NNK3 w",
            "4k3/8/8/8/8/3PP3/8/4K3 w",
            "3mk3/8/8/8/8/8/8/3MK3 w",
            "4k3/8/8/8/8/8/8/3RK3 w",
        ] {
            assert!(!dead(fen), "{fen}");
        }
        // A lone khon mates on the far side, with help.
        let mate = Position::from_fen("7k/6S1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(mate.outcome(), Some(Outcome::Win(Color::White)));
    }
}
