//! A placement of all men but the defender's khun, whose 64 squares are one bitboard.
//!
//! The attacker is White. Everything here is a set of squares of the defender's khun for which something holds.

use arrayvec::ArrayVec;
use sakmak_movegen::{Bitboard, Color, File, Piece, PieceKind, Rank, Square, attacks};

use super::ending::{Ending, MAX_PIECES};

/// The attacker's khun, on the files a to d, and the men besides the khun.
#[derive(Clone, Copy)]
pub(crate) struct Row<'a> {
    pub(crate) men: &'a [Piece],
    pub(crate) khun: Square,
    pub(crate) squares: [Square; MAX_PIECES],
    pub(crate) occupied: Bitboard,
}

/// A move of a man that is no khun.
#[derive(Clone, Copy)]
pub(crate) struct ManMove {
    pub(crate) to: Square,
    /// The index of the man it takes.
    pub(crate) captured: Option<usize>,
    pub(crate) promotes: bool,
    /// Where the defender's khun must not stand because it would be in the way.
    pub(crate) path: Bitboard,
}

/// The squares adjacent to those of a set.
pub(crate) fn neighbours(set: Bitboard) -> Bitboard {
    let rows = set | set.east() | set.west();
    rows.north() | rows.south() | set.east() | set.west()
}

/// The mirror image with the files exchanged.
pub(crate) fn mirror_image(set: Bitboard) -> Bitboard {
    let swapped = |set: u64, shift: u32, low: u64| (set >> shift & low) | (set & low) << shift;
    // Neighbouring files, pairs of files, halves.
    let set = swapped(set.0, 1, 0x5555_5555_5555_5555);
    let set = swapped(set, 2, 0x3333_3333_3333_3333);
    Bitboard(swapped(set, 4, 0x0f0f_0f0f_0f0f_0f0f))
}

/// The same square with the files exchanged.
pub(crate) fn mirrored(square: Square) -> Square {
    Square::from_index(square.index() ^ 7)
}

/// The number of rows of an ending.
pub(crate) fn row_count(ending: &Ending) -> usize {
    32 << (6 * ending.pieces().len())
}

/// The number of the row with these squares, and whether it holds their mirror image.
#[inline]
pub(crate) fn row_number(khun: Square, squares: &[Square]) -> (usize, bool) {
    let mirror = if khun.file() > File::D { 7 } else { 0 };
    let khun = khun.index() ^ mirror;
    let start = khun / 8 * 4 + khun % 8;
    (squares.iter().fold(start, |number, square| number * 64 + (square.index() ^ mirror)), mirror != 0)
}

/// The number of the row in which one of `men` men has been taken.
#[inline]
pub(crate) fn number_without(number: usize, men: usize, man: usize) -> usize {
    let after = 6 * (men - 1 - man);
    number >> (after + 6) << after | number & ((1 << after) - 1)
}

impl<'a> Row<'a> {
    /// The row of a number below [`row_count`]; `None` if its men cannot stand like this.
    pub(crate) fn new(ending: &'a Ending, number: usize) -> Option<Self> {
        let men = ending.pieces();
        let mut squares = [Square::from_index(0); MAX_PIECES];
        let mut rest = number;
        for square in squares[..men.len()].iter_mut().rev() {
            *square = Square::from_index(rest % 64);
            rest /= 64;
        }
        Self::from_squares(men, Square::from_index(rest / 4 * 8 + rest % 4), squares)
    }

    /// The row of these squares; `None` if the men cannot stand like this.
    pub(crate) fn from_squares(
        men: &'a [Piece],
        khun: Square,
        squares: [Square; MAX_PIECES],
    ) -> Option<Self> {
        let mut occupied = Bitboard::from(khun);
        for (man, &square) in men.iter().zip(&squares) {
            let is_bia = man.kind == PieceKind::Bia;
            if occupied.contains(square)
                || is_bia && !(Rank::Third..=Rank::Fifth).contains(&square.relative_rank(man.color))
            {
                return None;
            }
            occupied |= square.into();
        }
        Some(Self { men, khun, squares, occupied })
    }

    /// The squares of the men, without unused ones.
    pub(crate) fn men_squares(&self) -> &[Square] {
        &self.squares[..self.men.len()]
    }

    /// The squares that the attacker attacks, x-rays through the defender's khun included, without the man `gone`.
    fn attacked_without(&self, gone: Option<usize>) -> Bitboard {
        let occupied = match gone {
            Some(gone) => self.occupied & !Bitboard::from(self.squares[gone]),
            None => self.occupied,
        };
        let mut attacked = attacks::khun(self.khun);
        for (index, man) in self.men.iter().enumerate() {
            if man.color == Color::White && Some(index) != gone {
                attacked |= attacks::from(man.kind, Color::White, self.squares[index], occupied);
            }
        }
        attacked
    }

    /// Where the defender's khun is in check.
    pub(crate) fn checked(&self) -> Bitboard {
        self.attacked_without(None)
    }

    /// Where the defender's khun may stand with the attacker to move.
    pub(crate) fn legal_attacker_to_move(&self) -> Bitboard {
        self.legal_if_unchecked(self.checked())
    }

    /// `legal_attacker_to_move`, given the squares of [`Row::checked`].
    pub(crate) fn legal_if_unchecked(&self, checked: Bitboard) -> Bitboard {
        !(self.occupied | checked)
    }

    /// Where the defender's khun may stand with the defender to move.
    pub(crate) fn legal_defender_to_move(&self) -> Bitboard {
        let mut legal = !(self.occupied | attacks::khun(self.khun));
        for (index, man) in self.men.iter().enumerate() {
            let square = self.squares[index];
            if man.color == Color::Black
                && attacks::from(man.kind, Color::Black, square, self.occupied).contains(self.khun)
            {
                // The defender's khun may stand in the way of a rua.
                legal &= attacks::between(square, self.khun);
            }
        }
        legal
    }

    /// Whether the defender's khun may take a man.
    pub(crate) fn can_be_taken(&self, man: usize) -> bool {
        self.men[man].color == Color::White && !self.attacked_without(Some(man)).contains(self.squares[man])
    }

    /// The index of the man on a square that is not the khun's.
    pub(crate) fn man_on(&self, square: Square) -> Option<usize> {
        self.men_squares().iter().position(|&other| other == square)
    }

    /// The pseudo-legal moves of the attacker's khun: its square, with the man it takes.
    pub(crate) fn khun_moves(&self) -> impl Iterator<Item = (Square, Option<usize>)> + '_ {
        attacks::khun(self.khun).into_iter().filter_map(|to| match self.man_on(to) {
            Some(man) if self.men[man].color == Color::White => None,
            captured => Some((to, captured)),
        })
    }

    /// The pseudo-legal moves of a man.
    pub(crate) fn moves(&self, mover: usize) -> impl Iterator<Item = ManMove> + '_ {
        let (man, from) = (self.men[mover], self.squares[mover]);
        let attacked = attacks::from(man.kind, man.color, from, self.occupied);
        let is_bia = man.kind == PieceKind::Bia;
        let targets = if is_bia {
            attacked & self.occupied | Bitboard::from(from).forward(man.color) & !self.occupied
        } else {
            attacked
        };
        (targets & !Bitboard::from(self.khun)).into_iter().filter_map(move |to| {
            let captured = self.occupied.contains(to).then(|| self.man_on(to)).flatten();
            if captured.is_some_and(|captured| self.men[captured].color == man.color) {
                return None;
            }
            let promotes = is_bia && to.relative_rank(man.color) == Rank::Sixth;
            Some(ManMove { to, captured, promotes, path: attacks::between(from, to) })
        })
    }

    /// The men of a side, by index.
    pub(crate) fn men_of(&self, color: Color) -> impl Iterator<Item = usize> + use<'a> {
        let men = self.men;
        (0..men.len()).filter(move |&index| men[index].color == color)
    }

    /// The squares after a move of a man.
    pub(crate) fn squares_after(&self, mover: usize, to: Square) -> [Square; MAX_PIECES] {
        let mut squares = self.squares;
        squares[mover] = to;
        squares
    }
}

/// The squares of the men that are left, in the order of another ending: `from` has the index of each.
pub(crate) fn rearranged(
    squares: &[Square; MAX_PIECES],
    from: &ArrayVec<usize, MAX_PIECES>,
) -> [Square; MAX_PIECES] {
    let mut rest = [Square::from_index(0); MAX_PIECES];
    for (place, &index) in rest.iter_mut().zip(from) {
        *place = squares[index];
    }
    rest
}
