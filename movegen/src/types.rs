//! Colours and pieces.

use std::fmt;
use std::ops::Not;

/// One of the two sides. White moves first and plays up the board.
///
/// ```
/// use sakmak_movegen::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::Black.to_string(), "black");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Color {
    /// Plays from rank 1 towards rank 8.
    White = 0,
    /// Plays from rank 8 towards rank 1.
    Black = 1,
}

impl Color {
    /// Both colours, White first.
    pub const ALL: [Self; 2] = [Self::White, Self::Black];

    /// 0 for White, 1 for Black: the index order of every per-colour table.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}

impl Not for Color {
    type Output = Self;

    #[inline]
    fn not(self) -> Self {
        match self {
            Self::White => Self::Black,
            Self::Black => Self::White,
        }
    }
}

impl fmt::Display for Color {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::White => "white",
            Self::Black => "black",
        })
    }
}

/// The six kinds of pieces, in the order of their usual values.
///
/// ```
/// use sakmak_movegen::PieceKind;
///
/// assert_eq!(PieceKind::ALL.map(PieceKind::letter), ['P', 'M', 'S', 'N', 'R', 'K']);
/// assert!(PieceKind::Khon < PieceKind::Maa);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum PieceKind {
    /// Pawn: one step forward, captures diagonally forward, becomes a met on the sixth rank.
    Bia = 0,
    /// Minister: one step diagonally. A promoted bia is one too.
    Met = 1,
    /// Nobleman: one step diagonally or straight forward.
    Khon = 2,
    /// Horse: as the knight of chess.
    Maa = 3,
    /// Boat: as the rook of chess.
    Rua = 4,
    /// King: one step in any direction.
    Khun = 5,
}

impl PieceKind {
    /// All kinds in index order.
    pub const ALL: [Self; 6] = [Self::Bia, Self::Met, Self::Khon, Self::Maa, Self::Rua, Self::Khun];

    /// Position in [`PieceKind::ALL`].
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The capital letter of FEN and SAN: P, M, S, N, R, K.
    pub const fn letter(self) -> char {
        match self {
            Self::Bia => 'P',
            Self::Met => 'M',
            Self::Khon => 'S',
            Self::Maa => 'N',
            Self::Rua => 'R',
            Self::Khun => 'K',
        }
    }
}

/// A piece of one colour.
///
/// ```
/// use sakmak_movegen::{Color, Piece, PieceKind};
///
/// let khon = Piece::new(Color::Black, PieceKind::Khon);
/// assert_eq!(khon.letter(), 's');
/// assert_eq!(Piece::from_letter('s'), Some(khon));
/// assert_eq!(Piece::from_letter('q'), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// The side it belongs to.
    pub color: Color,
    /// The kind.
    pub kind: PieceKind,
}

impl Piece {
    /// A piece of the given colour and kind.
    #[inline]
    pub const fn new(color: Color, kind: PieceKind) -> Self {
        Self { color, kind }
    }

    /// The FEN letter: capital for White, small for Black.
    pub const fn letter(self) -> char {
        match self.color {
            Color::White => self.kind.letter(),
            Color::Black => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece a FEN letter stands for, or `None` if no Makruk piece has that letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        let color = if letter.is_ascii_uppercase() { Color::White } else { Color::Black };
        let upper = letter.to_ascii_uppercase();
        let kind = PieceKind::ALL.into_iter().find(|kind| kind.letter() == upper)?;
        Some(Self { color, kind })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_round_trip_and_chess_letters_are_refused() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let piece = Piece::new(color, kind);
                assert_eq!(Piece::from_letter(piece.letter()), Some(piece));
            }
        }
        for letter in ['q', 'B', 'f', 'e', '1', '~', 'ม'] {
            assert_eq!(Piece::from_letter(letter), None);
        }
    }

    #[test]
    fn a_missing_piece_costs_no_space() {
        assert_eq!(size_of::<Option<PieceKind>>(), 1);
        assert_eq!(!Color::White, Color::Black);
    }
}
