//! The squares that pieces attack, and the squares between two squares.
//!
//! Only the rua slides, so only its attacks depend on the other pieces: see [`rua`].
//!
//! ```
//! use sakmak_movegen::{Bitboard, Color, Square, attacks};
//!
//! assert_eq!(attacks::khon(Color::White, Square::E4).len(), 5);
//! assert_eq!(attacks::rua(Square::E4, Bitboard::EMPTY).len(), 14);
//! ```

use crate::bitboard::Bitboard;
use crate::square::Square;
use crate::types::{Color, PieceKind};

type AttackTable = [Bitboard; 64];

/// The pieces that do not slide.
#[derive(Clone, Copy)]
enum Leaper {
    Khun,
    Met,
    Maa,
    Khon(Color),
    Bia(Color),
}

const fn or<const N: usize>(sets: [Bitboard; N]) -> u64 {
    let mut all = 0;
    let mut i = 0;
    while i < N {
        all |= sets[i].0;
        i += 1;
    }
    all
}

const fn leaper_table(leaper: Leaper) -> AttackTable {
    let mut table = [Bitboard::EMPTY; 64];
    let mut index = 0;
    while index < 64 {
        let from = Bitboard::from_square(Square::from_index(index));
        let diagonals = or(from.diagonal_steps());
        table[index] = Bitboard(match leaper {
            Leaper::Khun => diagonals | or([from.north(), from.south(), from.east(), from.west()]),
            Leaper::Met => diagonals,
            Leaper::Maa => or(from.maa_leaps()),
            Leaper::Khon(color) => diagonals | from.forward(color).0,
            Leaper::Bia(color) => or(from.bia_captures(color)),
        });
        index += 1;
    }
    table
}

static KHUN: AttackTable = leaper_table(Leaper::Khun);
static MET: AttackTable = leaper_table(Leaper::Met);
static MAA: AttackTable = leaper_table(Leaper::Maa);
static KHON: [AttackTable; 2] =
    [leaper_table(Leaper::Khon(Color::White)), leaper_table(Leaper::Khon(Color::Black))];
static BIA: [AttackTable; 2] =
    [leaper_table(Leaper::Bia(Color::White)), leaper_table(Leaper::Bia(Color::Black))];

/// What takes large tables, or is computed by [`crate::obstruction`] in builds that must be small.
#[cfg(not(any(target_arch = "wasm32", feature = "small-tables")))]
mod sliding {
    use super::{Bitboard, Square};
    pub(super) use crate::magic::rua_attacks;

    /// 32 kB.
    static BETWEEN: [[Bitboard; 64]; 64] = {
        let mut table = [[Bitboard::EMPTY; 64]; 64];
        let mut pair = 0;
        while pair < 64 * 64 {
            let (a, b) = (pair / 64, pair % 64);
            table[a][b] = crate::obstruction::between(Square::from_index(a), Square::from_index(b));
            pair += 1;
        }
        table
    };

    #[inline]
    pub(super) fn between(a: Square, b: Square) -> Bitboard {
        BETWEEN[a.index()][b.index()]
    }
}
#[cfg(any(target_arch = "wasm32", feature = "small-tables"))]
use crate::obstruction as sliding;

/// Squares a khun attacks.
#[inline]
pub fn khun(square: Square) -> Bitboard {
    KHUN[square.index()]
}

/// Squares a met attacks.
#[inline]
pub fn met(square: Square) -> Bitboard {
    MET[square.index()]
}

/// Squares a khon of `color` attacks. A khon of `color` attacks `square` from the squares that a khon of the other
/// colour attacks from `square`; so does a [`bia`].
#[inline]
pub fn khon(color: Color, square: Square) -> Bitboard {
    KHON[color.index()][square.index()]
}

/// Squares a maa attacks.
#[inline]
pub fn maa(square: Square) -> Bitboard {
    MAA[square.index()]
}

/// Squares a bia of `color` captures on.
#[inline]
pub fn bia(color: Color, square: Square) -> Bitboard {
    BIA[color.index()][square.index()]
}

/// Squares a rua attacks if the squares `occupied` are occupied, the first piece in each direction included.
#[inline]
pub fn rua(square: Square, occupied: Bitboard) -> Bitboard {
    sliding::rua_attacks(square, occupied)
}

/// File and rank of a square, without the square itself: the attacks of a rua on an empty board.
#[inline]
pub const fn rua_lines(square: Square) -> Bitboard {
    Bitboard((Bitboard::file_of(square).0 | Bitboard::rank_of(square).0) & !Bitboard::from_square(square).0)
}

/// Squares strictly between `a` and `b` if they share a file or rank, else none.
#[inline]
pub fn between(a: Square, b: Square) -> Bitboard {
    sliding::between(a, b)
}

/// The full file or rank through both squares; empty if they share neither or are equal.
#[inline]
pub fn line(a: Square, b: Square) -> Bitboard {
    let (file, rank) = (Bitboard::file_of(a), Bitboard::rank_of(a));
    if a == b {
        Bitboard::EMPTY
    } else if file.contains(b) {
        file
    } else if rank.contains(b) {
        rank
    } else {
        Bitboard::EMPTY
    }
}

/// Squares a piece attacks from `square`.
#[inline]
pub fn from(kind: PieceKind, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
    match kind {
        PieceKind::Bia => bia(color, square),
        PieceKind::Met => met(square),
        PieceKind::Khon => khon(color, square),
        PieceKind::Maa => maa(square),
        PieceKind::Rua => rua(square, occupied),
        PieceKind::Khun => khun(square),
    }
}

/// The squares that the pieces of one side attack or guard, by kind. The ruas, which slide, are only in [`Self::all`].
///
/// ```
/// use sakmak_movegen::attacks::AttackSets;
/// use sakmak_movegen::{Color, Position};
///
/// let position = Position::startpos();
/// let attacks = AttackSets::new(Color::White, |kind| position.pieces(Color::White, kind));
/// assert_eq!((attacks.bia.len(), attacks.khon.len()), (8, 6));
/// assert_eq!(attacks.all(position.occupied()), position.attacks_by(Color::White, position.occupied()));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct AttackSets {
    /// Of the bia.
    pub bia: Bitboard,
    /// Of the met.
    pub met: Bitboard,
    /// Of the khon.
    pub khon: Bitboard,
    /// Of the maa.
    pub maa: Bitboard,
    khun: Bitboard,
    ruas: Bitboard,
}

impl AttackSets {
    /// The attacks of pieces of `color`.
    #[inline]
    pub fn new(color: Color, pieces: impl Fn(PieceKind) -> Bitboard) -> Self {
        let khon = pieces(PieceKind::Khon);
        Self {
            bia: Bitboard::union(pieces(PieceKind::Bia).bia_captures(color)),
            met: Bitboard::union(pieces(PieceKind::Met).diagonal_steps()),
            khon: Bitboard::union(khon.diagonal_steps()) | khon.forward(color),
            maa: Bitboard::union(pieces(PieceKind::Maa).maa_leaps()),
            khun: pieces(PieceKind::Khun),
            ruas: pieces(PieceKind::Rua),
        }
    }

    /// The attacks of all pieces if the squares `occupied` are occupied.
    #[inline]
    pub fn all(&self, occupied: Bitboard) -> Bitboard {
        let row = self.khun | self.khun.east() | self.khun.west();
        let by_khun = row.north() | row.south() | (row ^ self.khun);
        let leapers = self.bia | self.met | self.khon | self.maa | by_khun;
        self.ruas.into_iter().fold(leapers, |all, square| all | rua(square, occupied))
    }

    /// By kind index: the attacks of the kinds before that kind in the order bia, met, khon, maa, rua, which is the
    /// order of their values. Empty for the khun.
    #[inline]
    pub fn by_lesser(&self) -> [Bitboard; 6] {
        let to_khon = self.bia | self.met;
        let to_maa = to_khon | self.khon;
        [Bitboard::EMPTY, self.bia, to_khon, to_maa, to_maa | self.maa, Bitboard::EMPTY]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Attacks from file and rank differences: slow, and written without the tables' code.
    fn slow(kind: PieceKind, color: Color, from: Square) -> Bitboard {
        let ahead = if color == Color::White { 1 } else { -1 };
        Square::all()
            .filter(|to| {
                let file = to.file() as i32 - from.file() as i32;
                let rank = to.rank() as i32 - from.rank() as i32;
                match kind {
                    PieceKind::Bia => file.abs() == 1 && rank == ahead,
                    PieceKind::Met => file.abs() == 1 && rank.abs() == 1,
                    PieceKind::Khon => file.abs() == 1 && rank.abs() == 1 || file == 0 && rank == ahead,
                    PieceKind::Maa => file.abs() * rank.abs() == 2,
                    PieceKind::Khun => file.abs().max(rank.abs()) == 1,
                    PieceKind::Rua => (file == 0) != (rank == 0),
                }
            })
            .collect()
    }

    #[test]
    fn every_leaper_on_every_square() {
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                for from in Square::all() {
                    let fast = super::from(kind, color, from, Bitboard::EMPTY);
                    assert_eq!(fast, slow(kind, color, from), "{kind:?} {color} {from}");
                }
            }
        }
    }

    /// By the way of this build, table or not.
    #[test]
    fn ruas_on_every_square_among_random_pieces() {
        for square in Square::all() {
            for number in 0..if cfg!(miri) { 20 } else { 2_000u64 } {
                // From crowded boards to almost empty ones.
                let random = |step| Bitboard(crate::splitmix64(4 * number + step));
                let half = random(0);
                let fewer = half & random(1);
                for occupied in [half | random(1), half, fewer, fewer & random(2)] {
                    assert_eq!(
                        rua(square, occupied),
                        crate::magic::slow_attacks(square, occupied),
                        "{square}"
                    );
                }
            }
        }
    }

    #[test]
    fn attackers_are_found_with_the_other_colours_table() {
        for color in Color::ALL {
            for from in Square::all() {
                for to in Square::all() {
                    assert_eq!(khon(color, from).contains(to), khon(!color, to).contains(from));
                    assert_eq!(bia(color, from).contains(to), bia(!color, to).contains(from));
                }
            }
        }
    }

    #[test]
    fn between_and_line_agree_with_rua_moves() {
        for a in Square::all() {
            for b in Square::all() {
                let aligned = rua_lines(a).contains(b);
                let expected = if aligned {
                    let blocked_by = |s| rua(s, Bitboard::from(a) | Bitboard::from(b));
                    blocked_by(a) & blocked_by(b) & line(a, b)
                } else {
                    Bitboard::EMPTY
                };
                assert_eq!(between(a, b), expected, "{a} {b}");
                assert_eq!(line(a, b).is_empty(), !aligned);
            }
        }
    }
}
