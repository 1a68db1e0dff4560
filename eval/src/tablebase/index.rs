//! The number of each placement of an ending's men.
//!
//! Left and right are alike in Makruk, so White's khun stands on the files a to d; other placements are mirrored. The
//! two khun have 1806 places that are neither the same nor adjacent. Each group of equal men adds a factor: the number
//! of its sets of squares, out of all 64, or for bia out of the 24 of the third to fifth rank, where one can stand in a
//! game.

use std::sync::Arc;

use arrayvec::ArrayVec;
use once_cell::sync::Lazy;
use sakmak_movegen::{Color, File, Piece, PieceKind, Position, Square, attacks};

use super::ending::{Ending, MAX_PIECES};
use super::row::mirrored;

/// Places of the two khun with White's on the files a to d.
pub(crate) const KHUN_PAIRS: usize = 1806;

/// Where the men of an ending stand.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Placement {
    /// By color.
    pub(crate) khuns: [Square; 2],
    /// In the order of [`Ending::pieces`]; unused ones are a1.
    pub(crate) men: [Square; MAX_PIECES],
}

impl Placement {
    /// The squares of a position's men in the order of `ending`; with `flipped` colours are exchanged and the board
    /// turned.
    pub(crate) fn new(position: &Position, ending: &Ending, flipped: bool) -> Self {
        let seen = if flipped { Color::Black } else { Color::White };
        let khuns =
            Color::ALL.map(|color| position.khun(if flipped { !color } else { color }).relative(seen));
        let mut men = [Square::from_index(0); MAX_PIECES];
        let pieces = ending.pieces();
        let mut next = 0;
        while next < pieces.len() {
            let man = pieces[next];
            for square in position.pieces(if flipped { !man.color } else { man.color }, man.kind) {
                men[next] = square.relative(seen);
                next += 1;
            }
        }
        Self { khuns, men }
    }

    /// The placement with colours exchanged and the board turned; the men keep their places.
    pub(crate) fn flipped(self) -> Self {
        let flip = |square: Square| square.relative(Color::Black);
        Self { khuns: [flip(self.khuns[1]), flip(self.khuns[0])], men: self.men.map(flip) }
    }

    fn mirrored(self) -> Self {
        Self { khuns: self.khuns.map(mirrored), men: self.men.map(mirrored) }
    }
}

/// The number of each pair of khun squares, and the squares of each number.
struct KhunPairs {
    number: [[u16; 64]; 64],
    squares: Vec<[Square; 2]>,
}

/// Marks khun squares that are no pair.
const NONE: u16 = u16::MAX;

static PAIRS: Lazy<KhunPairs> = Lazy::new(|| {
    let mut pairs = KhunPairs { number: [[NONE; 64]; 64], squares: Vec::with_capacity(KHUN_PAIRS) };
    for white in Square::all().filter(|square| square.file() < File::E) {
        for black in Square::all() {
            if black != white && !attacks::khun(white).contains(black) {
                pairs.number[white.index()][black.index()] = pairs.squares.len() as u16;
                pairs.squares.push([white, black]);
            }
        }
    }
    pairs
});

/// A group of equal men.
#[derive(Clone, Debug)]
struct Group {
    man: Piece,
    /// The index of its first man in the ending.
    first: usize,
    number: usize,
    /// The number of sets of squares it can stand on.
    sets: usize,
    /// The squares of each set.
    squares: Arc<[[Square; MAX_PIECES]]>,
}

/// The numbering of an ending's placements.
#[derive(Clone, Debug)]
pub(crate) struct Indexer {
    groups: ArrayVec<Group, MAX_PIECES>,
    size: usize,
}

/// `n` over `k`.
const fn binomial(n: usize, k: usize) -> usize {
    match k {
        0 => 1,
        1 => n,
        2 => n * n.saturating_sub(1) / 2,
        _ => n * n.saturating_sub(1) * n.saturating_sub(2) / 6,
    }
}

/// The number of a square among those a man can stand on; `None` for a bia where none can be.
fn square_number(man: Piece, square: Square) -> Option<usize> {
    if man.kind != PieceKind::Bia {
        return Some(square.index());
    }
    let rank = square.relative_rank(man.color);
    (2..=4).contains(&rank.index()).then(|| (rank.index() - 2) * 8 + square.file().index())
}

/// The reverse of [`square_number`].
fn numbered_square(man: Piece, number: usize) -> Square {
    if man.kind != PieceKind::Bia {
        return Square::from_index(number);
    }
    Square::from_index(number + 16).relative(man.color)
}

/// The number of squares a man can stand on.
fn squares_of(man: Piece) -> usize {
    if man.kind == PieceKind::Bia { 24 } else { 64 }
}

impl Indexer {
    pub(crate) fn new(ending: &Ending) -> Self {
        let mut groups: ArrayVec<Group, MAX_PIECES> = ArrayVec::new();
        for (index, &man) in ending.pieces().iter().enumerate() {
            match groups.last_mut() {
                Some(group) if group.man == man => group.number += 1,
                _ => groups.push(Group { man, first: index, number: 1, sets: 0, squares: Arc::new([]) }),
            }
        }
        for group in &mut groups {
            group.squares = sets_of(group.man, group.number);
            group.sets = group.squares.len();
        }
        let size = groups.iter().map(|group| group.sets).product::<usize>() * KHUN_PAIRS;
        Self { groups, size }
    }

    /// The number of numbered placements.
    pub(crate) fn size(&self) -> usize {
        self.size
    }

    /// The number of a placement with White's men in the order of the ending; `None` if it has none: adjacent khun, a
    /// bia where none can be, two equal men on one square. Placements with other men on one square have numbers.
    #[inline]
    pub(crate) fn number(&self, placement: &Placement) -> Option<usize> {
        let placement = if placement.khuns[0].file() > File::D { placement.mirrored() } else { *placement };
        let [white, black] = placement.khuns;
        let pair = PAIRS.number[white.index()][black.index()];
        if pair == NONE {
            return None;
        }
        let mut number = usize::from(pair);
        for group in &self.groups {
            let men = &placement.men[group.first..][..group.number];
            let set = match *men {
                [a] => square_number(group.man, a)?,
                [a, b] => {
                    let (a, b) = (square_number(group.man, a)?, square_number(group.man, b)?);
                    if a == b {
                        return None;
                    }
                    binomial(a.max(b), 2) + a.min(b)
                }
                _ => {
                    let mut squares: ArrayVec<usize, MAX_PIECES> = ArrayVec::new();
                    for &square in men {
                        squares.push(square_number(group.man, square)?);
                    }
                    squares.sort_unstable();
                    if squares[0] == squares[1] || squares[1] == squares[2] {
                        return None;
                    }
                    binomial(squares[2], 3) + binomial(squares[1], 2) + squares[0]
                }
            };
            number = number * group.sets + set;
        }
        Some(number)
    }

    /// The placement of a number below [`Indexer::size`].
    pub(crate) fn placement(&self, mut number: usize) -> Placement {
        let mut men = [Square::from_index(0); MAX_PIECES];
        for group in self.groups.iter().rev() {
            let squares = &group.squares[number % group.sets][..group.number];
            number /= group.sets;
            men[group.first..][..group.number].copy_from_slice(squares);
        }
        Placement { khuns: PAIRS.squares[number], men }
    }
}

/// The squares of each set of equal men, by number.
fn sets_of(man: Piece, number: usize) -> Arc<[[Square; MAX_PIECES]]> {
    let square = |square| numbered_square(man, square);
    let none = numbered_square(man, 0);
    let count = squares_of(man);
    match number {
        1 => (0..count).map(|a| [square(a), none, none]).collect(),
        2 => (1..count).flat_map(|b| (0..b).map(move |a| [square(a), square(b), none])).collect(),
        _ => (2..count)
            .flat_map(|c| (1..c).flat_map(move |b| (0..b).map(move |a| [square(a), square(b), square(c)])))
            .collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_and_placements_correspond() {
        for name in
            ["KvK", "KRvK", "KSMvK", "KRRvK", "KBBvK", "KNBvKB", "KMMMvK", "KBBBvK", "KRBBvK", "KMvKBB"]
        {
            let indexer = Indexer::new(&name.parse().unwrap());
            for number in (0..indexer.size()).step_by(indexer.size() / 5000 + 1) {
                let placement = indexer.placement(number);
                assert_eq!(indexer.number(&placement), Some(number), "{name} {placement:?}");
                assert_eq!(indexer.number(&placement.mirrored()), Some(number), "{name} {placement:?}");
            }
            let last = indexer.placement(indexer.size() - 1);
            assert_eq!(indexer.number(&last), Some(indexer.size() - 1), "{name}");
        }
        assert_eq!(Indexer::new(&"KSMvK".parse().unwrap()).size(), KHUN_PAIRS * 64 * 64);
        assert_eq!(Indexer::new(&"KRRvKB".parse().unwrap()).size(), KHUN_PAIRS * 2016 * 24);
    }

    #[test]
    fn the_placement_of_a_position_has_the_order_of_its_ending() {
        let fen = "4k3/8/2n5/8/3R4/1N6/8/2K5 w - 128 0 60";
        let position = Position::from_fen(fen).unwrap();
        let ending = Ending::from_position(&position).unwrap();
        assert_eq!(ending.to_string(), "KRNvKN");
        let names = |placement: Placement| {
            let squares = placement.khuns.into_iter().chain(placement.men);
            squares.map(|square| square.to_string()).collect::<Vec<_>>().join(" ")
        };
        let placement = Placement::new(&position, &ending, false);
        assert_eq!(names(placement), "c1 e8 d4 b3 c6");
        assert_eq!(Placement::new(&position.flipped(), &ending, true), placement);
        assert_eq!(names(placement.flipped()), "e1 c8 d5 b6 c3");
    }
}
