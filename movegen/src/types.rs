//! Colours and pieces.

use core::fmt;
use core::ops::Not;
use core::str::FromStr;

/// One of the two sides. White moves first and plays up the board.
///
/// ```
/// use sakmak_movegen::Color;
///
/// assert_eq!(!Color::White, Color::Black);
/// assert_eq!(Color::Black.to_string(), "black");
/// assert_eq!("black".parse(), Ok(Color::Black));
/// assert_eq!("w".parse(), Ok(Color::White));
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

    /// The letter of FEN: `w` or `b`.
    pub const fn letter(self) -> char {
        match self {
            Self::White => 'w',
            Self::Black => 'b',
        }
    }
}

/// The text is not the name of a colour, a piece or a kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, thiserror::Error)]
#[error("not {what}")]
pub struct ParsePieceError {
    what: &'static str,
}

impl FromStr for Color {
    type Err = ParsePieceError;

    /// Reads `white`, `black`, `w` or `b`.
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        match text {
            "white" | "w" => Ok(Self::White),
            "black" | "b" => Ok(Self::Black),
            _ => Err(ParsePieceError { what: "a colour (white or black)" }),
        }
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
/// assert_eq!(PieceKind::Khon.to_string(), "khon");
/// assert_eq!("khon".parse(), Ok(PieceKind::Khon));
/// assert_eq!(PieceKind::from_letter('s'), Some(PieceKind::Khon));
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

    /// The kind of a FEN letter of either colour, or `None` if no Makruk piece has that letter.
    pub fn from_letter(letter: char) -> Option<Self> {
        Self::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The Thai name in small letters.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Bia => "bia",
            Self::Met => "met",
            Self::Khon => "khon",
            Self::Maa => "maa",
            Self::Rua => "rua",
            Self::Khun => "khun",
        }
    }
}

impl fmt::Display for PieceKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl FromStr for PieceKind {
    type Err = ParsePieceError;

    /// Reads a name, as [`PieceKind::name`] gives it.
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        let kind = Self::ALL.into_iter().find(|kind| kind.name() == text);
        kind.ok_or(ParsePieceError { what: "a kind of piece (bia, met, khon, maa, rua or khun)" })
    }
}

/// A piece of one colour.
///
/// ```
/// use sakmak_movegen::{Color, Piece, PieceKind};
///
/// let khon = Piece::new(Color::Black, PieceKind::Khon);
/// assert_eq!(khon.letter(), 's');
/// assert_eq!(khon.to_string(), "s");
/// assert_eq!(Piece::from_letter('s'), Some(khon));
/// assert_eq!("s".parse(), Ok(khon));
/// assert_eq!(Piece::from_letter('q'), None);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
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
        Some(Self { color, kind: PieceKind::from_letter(letter)? })
    }
}

impl fmt::Display for Piece {
    /// The FEN letter.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.letter(), f)
    }
}

impl TryFrom<char> for Piece {
    type Error = ParsePieceError;

    fn try_from(letter: char) -> Result<Self, ParsePieceError> {
        Self::from_letter(letter).ok_or(ParsePieceError { what: "a piece (one of KMSNRP or kmsnrp)" })
    }
}

impl FromStr for Piece {
    type Err = ParsePieceError;

    /// Reads a FEN letter.
    fn from_str(text: &str) -> Result<Self, ParsePieceError> {
        let mut letters = text.chars();
        match (letters.next(), letters.next()) {
            (Some(letter), None) => letter.try_into(),
            _ => '?'.try_into(),
        }
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
                assert_eq!(piece.to_string().parse(), Ok(piece));
                assert_eq!((color.to_string().parse(), kind.to_string().parse()), (Ok(color), Ok(kind)));
            }
        }
        for letter in ['q', 'B', 'f', 'e', '1', '~', 'ม'] {
            assert_eq!(Piece::from_letter(letter), None);
        }
        assert!(["", "Kk", "khon"].iter().all(|text| text.parse::<Piece>().is_err()));
        assert!("Khon".parse::<PieceKind>().is_err() && "green".parse::<Color>().is_err());
    }

    #[test]
    fn a_missing_piece_costs_no_space() {
        assert_eq!(size_of::<Option<PieceKind>>(), 1);
        assert_eq!(!Color::White, Color::Black);
    }
}
