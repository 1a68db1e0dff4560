//! The men of an ending and its name.

use std::fmt;
use std::str::FromStr;

use arrayvec::ArrayVec;
use sakmak_movegen::{Color, Piece, PieceKind, Position};

/// The most men of an ending in the tablebase, the two khun included.
pub const MAX_MEN: usize = 5;
/// The most men besides the khun.
pub(crate) const MAX_PIECES: usize = MAX_MEN - 2;

/// The kinds of men besides the khun in the order of names, and their letters.
const KINDS: [(PieceKind, char); 5] = [
    (PieceKind::Rua, 'R'),
    (PieceKind::Khon, 'S'),
    (PieceKind::Maa, 'N'),
    (PieceKind::Met, 'M'),
    (PieceKind::Bia, 'B'),
];

/// The place of a kind in the order of names.
fn order(kind: PieceKind) -> usize {
    KINDS.iter().position(|&(other, _)| other == kind).unwrap_or(KINDS.len())
}

/// The men of an ending: two khun and up to three others.
///
/// Its name gives White's men first: `KSMvK`, `KRvKN`, `KNBvKB`, with R rua, S khon, N maa, M met and B bia, in this
/// order (any order is read). A tablebase file holds an ending and the one with colours exchanged.
///
/// ```
/// use sakmak_eval::tablebase::Ending;
///
/// let ending: Ending = "KvKMS".parse()?;
/// assert_eq!(ending.to_string(), "KvKSM");
/// assert_eq!(ending.canonical().to_string(), "KSMvK");
/// assert_eq!(ending.men(), 4);
/// # Ok::<(), sakmak_eval::tablebase::EndingError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Ending {
    /// Sorted: White's first, each side's in the order of [`KINDS`].
    men: ArrayVec<Piece, MAX_PIECES>,
}

/// Why a text is no name of an ending.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum EndingError {
    /// The name is not two sides with a `v` between them.
    #[error("'{name}' is no ending: expected two sides with a v between them, as in KSMvK or KRvKN")]
    Sides {
        /// The name.
        name: String,
    },
    /// A side does not begin with its only khun.
    #[error(
        "'{name}' is no ending: the men of {side} must begin with its only khun, K, as in KSMvK or KRvKN"
    )]
    Khun {
        /// The name.
        name: String,
        /// The side.
        side: Color,
    },
    /// An unknown letter.
    #[error("'{letter}' in '{name}' is no man: K khun, R rua, S khon, N maa, M met, B bia")]
    Letter {
        /// The name.
        name: String,
        /// The letter.
        letter: char,
    },
    /// Too many men.
    #[error("'{name}' has more than {MAX_MEN} men")]
    TooManyMen {
        /// The name.
        name: String,
    },
}

impl Ending {
    /// The ending of these men besides the khun; `None` if there are too many or a khun is among them.
    pub fn new(men: impl IntoIterator<Item = Piece>) -> Option<Self> {
        let mut all = ArrayVec::new();
        for man in men {
            if man.kind == PieceKind::Khun {
                return None;
            }
            all.try_push(man).ok()?;
        }
        all.sort_by_key(|man: &Piece| (man.color, order(man.kind)));
        Some(Self { men: all })
    }

    /// The ending of a position, if it has few enough men.
    pub fn from_position(position: &Position) -> Option<Self> {
        let khuns = position.kind(PieceKind::Khun);
        let others = position.occupied() & !khuns;
        if others.len() as usize > MAX_PIECES {
            return None;
        }
        Self::new(others.into_iter().filter_map(|square| position.piece_on(square)))
    }

    /// All canonical endings of `men` men, the khun included, in the order of their names' kinds.
    pub fn all(men: usize) -> Vec<Self> {
        let pieces: Vec<Piece> =
            Color::ALL.into_iter().flat_map(|color| KINDS.map(|(kind, _)| Piece { kind, color })).collect();
        let mut sets: Vec<Vec<Piece>> = vec![Vec::new()];
        for _ in 2..men.min(MAX_MEN) {
            let longer = |set: &Vec<Piece>| {
                let last = set.last().and_then(|last| pieces.iter().position(|piece| piece == last));
                pieces[last.unwrap_or(0)..]
                    .iter()
                    .map(|&piece| [&set[..], &[piece]].concat())
                    .collect::<Vec<_>>()
            };
            sets = sets.iter().flat_map(longer).collect();
        }
        sets.into_iter().filter_map(Self::new).filter(Self::is_canonical).collect()
    }

    /// The men besides the khun: White's first.
    pub fn pieces(&self) -> &[Piece] {
        &self.men
    }

    /// The number of men, the khun included.
    pub fn men(&self) -> usize {
        self.men.len() + 2
    }

    /// The kinds of a side's men besides the khun.
    pub fn kinds(&self, color: Color) -> impl Iterator<Item = PieceKind> + '_ {
        self.men.iter().filter(move |man| man.color == color).map(|man| man.kind)
    }

    /// Whether a side has only its khun.
    pub fn is_bare(&self, color: Color) -> bool {
        self.kinds(color).next().is_none()
    }

    /// Whether there are bia.
    pub fn has_bia(&self) -> bool {
        self.men.iter().any(|man| man.kind == PieceKind::Bia)
    }

    /// The ending with colours exchanged.
    #[must_use]
    pub fn flipped(&self) -> Self {
        let flip = |man: &Piece| Piece { color: !man.color, ..*man };
        Self::new(self.men.iter().map(flip)).unwrap_or_else(|| self.clone())
    }

    /// Whether this ending, not the one with colours exchanged, names the tablebase file: White has more men, or as
    /// many and those that come first in the order of names.
    pub fn is_canonical(&self) -> bool {
        let side = |color| {
            let kinds: ArrayVec<usize, MAX_PIECES> = self.kinds(color).map(order).collect();
            (std::cmp::Reverse(kinds.len()), kinds)
        };
        side(Color::White) <= side(Color::Black)
    }

    /// This ending or the one with colours exchanged, whichever names the tablebase file.
    #[must_use]
    pub fn canonical(&self) -> Self {
        if self.is_canonical() { self.clone() } else { self.flipped() }
    }

    /// Whether exchanging the colours changes nothing.
    pub fn is_symmetric(&self) -> bool {
        *self == self.flipped()
    }

    /// The number of men of each kind, White's first in the order of names, two bits each.
    pub(crate) fn material(&self) -> u32 {
        let number = |color, kind| self.kinds(color).filter(|&other| other == kind).count() as u32;
        let all = Color::ALL.into_iter().flat_map(|color| KINDS.map(|(kind, _)| number(color, kind)));
        all.fold(0, |material, number| material << 2 | number)
    }

    /// The ending after a capture of the man `captured` and a promotion of the man `promoted`, as indices of
    /// [`Ending::pieces`], with the index that each of its men had here.
    pub(crate) fn after(
        &self,
        captured: Option<usize>,
        promoted: Option<usize>,
    ) -> (Self, ArrayVec<usize, MAX_PIECES>) {
        let promote = |(index, &man): (usize, &Piece)| {
            let kind = if Some(index) == promoted { PieceKind::Met } else { man.kind };
            (index, Piece { kind, ..man })
        };
        let mut men: ArrayVec<(usize, Piece), MAX_PIECES> =
            self.men.iter().enumerate().map(promote).filter(|&(index, _)| Some(index) != captured).collect();
        men.sort_by_key(|&(index, man)| (man.color, order(man.kind), index));
        (
            Self { men: men.iter().map(|&(_, man)| man).collect() },
            men.iter().map(|&(index, _)| index).collect(),
        )
    }
}

impl FromStr for Ending {
    type Err = EndingError;

    fn from_str(name: &str) -> Result<Self, EndingError> {
        let kind_of = |letter| KINDS.iter().find(|&&(_, other)| other == letter).map(|&(kind, _)| kind);
        let is_known = |letter: char| letter == 'K' || letter == 'v' || kind_of(letter).is_some();
        if let Some(letter) = name.chars().find(|&letter| !is_known(letter)) {
            return Err(EndingError::Letter { name: name.to_owned(), letter });
        }
        let sides = name.split_once('v').filter(|(_, black)| !black.contains('v'));
        let (white, black) = sides.ok_or_else(|| EndingError::Sides { name: name.to_owned() })?;
        let mut men = Vec::new();
        for (color, side) in [(Color::White, white), (Color::Black, black)] {
            let khun = || EndingError::Khun { name: name.to_owned(), side: color };
            for letter in side.strip_prefix('K').ok_or_else(khun)?.chars() {
                men.push(Piece { kind: kind_of(letter).ok_or_else(khun)?, color });
            }
        }
        Self::new(men).ok_or_else(|| EndingError::TooManyMen { name: name.to_owned() })
    }
}

impl fmt::Display for Ending {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (color, start) in [(Color::White, "K"), (Color::Black, "vK")] {
            f.write_str(start)?;
            for kind in self.kinds(color) {
                write!(f, "{}", KINDS[order(kind)].1)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_are_145_endings_of_three_to_five_men() {
        assert_eq!([3, 4, 5].map(|men| Ending::all(men).len()), [5, 30, 110]);
        for ending in (2..=MAX_MEN).flat_map(Ending::all) {
            assert_eq!(ending.to_string().parse(), Ok(ending.clone()));
            assert!(ending.is_symmetric() || !ending.flipped().is_canonical(), "{ending}");
        }
    }

    #[test]
    fn names_are_read_in_any_order_and_errors_name_the_fault() {
        let name = |text: &str| text.parse().map(|ending: Ending| ending.to_string());
        assert_eq!(name("KMSvK").unwrap(), "KSMvK");
        assert_eq!(name("KvK").unwrap(), "KvK");
        assert_eq!(name("KRvKN").unwrap(), "KRvKN");
        for (text, error) in [
            ("", "'' is no ending: expected two sides with a v between them, as in KSMvK or KRvKN"),
            ("KRK", "'KRK' is no ending: expected two sides with a v between them, as in KSMvK or KRvKN"),
            ("KRvvK", "'KRvvK' is no ending: expected two sides with a v between them, as in KSMvK or KRvKN"),
            (
                "KRvN",
                "'KRvN' is no ending: the men of black must begin with its only khun, K, as in KSMvK or KRvKN",
            ),
            (
                "KRvKKN",
                "'KRvKKN' is no ending: the men of black must begin with its only khun, K, as in KSMvK or KRvKN",
            ),
            ("KRvQ", "'Q' in 'KRvQ' is no man: K khun, R rua, S khon, N maa, M met, B bia"),
            ("KQvK", "'Q' in 'KQvK' is no man: K khun, R rua, S khon, N maa, M met, B bia"),
            ("KRRvKNN", "'KRRvKNN' has more than 5 men"),
        ] {
            assert_eq!(name(text).unwrap_err().to_string(), error);
        }
    }

    #[test]
    fn the_ending_after_a_move_knows_where_its_men_stood() {
        let ending: Ending = "KNBBvK".parse().unwrap();
        let (after, from) = ending.after(None, Some(2));
        assert_eq!((after.to_string().as_str(), from.as_slice()), ("KNMBvK", &[0, 2, 1][..]));
        let (after, from) = ending.after(Some(0), None);
        assert_eq!((after.to_string().as_str(), from.as_slice()), ("KBBvK", &[1, 2][..]));
    }
}
