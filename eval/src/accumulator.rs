//! Sums that follow the moves: material with piece-square values, the men's places as the khuns see them, and the
//! game's phase.

use sakmak_movegen::{Color, Move, Observer, Piece, PieceKind, Position, Square};

use crate::imbalance::MaterialKey;
use crate::king_relative::place;
use crate::tapered::Tapered;
use crate::weight_table::{Table, Tally};
use crate::weights::*;

/// Material, piece-square values and places of both sides (White's less Black's) and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accumulator {
    /// What is seen from White's khun and from Black's.
    seen: [Tapered; 2],
    khuns: [Square; 2],
    /// The pieces on the board, whatever their squares.
    material: MaterialKey,
    /// Of each side.
    phases: [i32; 2],
}

const SQUARES: [Table<32>; 6] =
    [BIA_SQUARES, MET_SQUARES, KHON_SQUARES, MAA_SQUARES, RUA_SQUARES, KHUN_SQUARES];

/// Where the tables of squares tell of this one.
const fn entry(square: usize) -> usize {
    let (rank, file) = (square / 8, square % 8);
    let half = if file < 4 { file } else { 7 - file };
    4 * rank + half
}

/// What an [`Accumulator`] sums up, for one side, from scratch.
pub(crate) fn material_and_squares<T: Tally>(position: &Position, us: Color) -> T {
    let mut score = T::default();
    for kind in PieceKind::ALL {
        for square in position.men(us, kind) {
            score.at(&MATERIAL, kind.index());
            score.at(&SQUARES[kind.index()], entry(square.relative(us).index()));
        }
    }
    score
}

/// What men count by colour, kind and square: White's up, Black's down.
type View = [[[Tapered; 64]; 6]; 2];

/// What a khun sees from each square: everybody's place, and White's khun also material and squares.
static VIEWS: [[View; 64]; 2] = [views(Color::White), views(Color::Black)];

const fn views(color: Color) -> [View; 64] {
    let mut views = [[[[Tapered::new(0, 0); 64]; 6]; 2]; 64];
    let mut index = 0;
    while index < 64 * 6 * 64 {
        let (khun, kind, square) = (index / (6 * 64), index / 64 % 6, index % 64);
        let (from, to) = (Square::from_index(khun), Square::from_index(square));
        let [mut white, mut black] = if kind == 5 {
            [Tapered::new(0, 0); 2]
        } else {
            [place(Color::White, kind, to, color, from), place(Color::Black, kind, to, color, from)]
        };
        if matches!(color, Color::White) {
            white = white.plus(MATERIAL.value(kind)).plus(SQUARES[kind].value(entry(square)));
            black = black.plus(MATERIAL.value(kind)).plus(SQUARES[kind].value(entry(square ^ 56)));
        }
        views[khun][0][kind][square] = white;
        views[khun][1][kind][square] = Tapered::new(-black.middlegame(), -black.endgame());
        index += 1;
    }
    views
}

/// What the khun of `color` sees of all men.
#[inline]
fn all_seen(position: &Position, color: Color) -> Tapered {
    let view = &VIEWS[color.index()][position.khun(color).index()];
    let mut sum = Tapered::default();
    for us in Color::ALL {
        for kind in PieceKind::ALL {
            for square in position.men(us, kind) {
                sum += view[us.index()][kind.index()][square.index()];
            }
        }
    }
    sum
}

/// How White's men other than bia compare with Black's: far fewer (-4) to far more (4).
#[inline]
fn edge(phases: [i32; 2]) -> i32 {
    (phases[0] - phases[1]).clamp(-4, 4)
}

impl Accumulator {
    /// The sums of a position, from scratch.
    pub(crate) fn new(position: &Position) -> Self {
        let phases = Color::ALL.map(|color| {
            let men = |kind: PieceKind| position.men(color, kind).len() as i32;
            PieceKind::ALL.into_iter().map(|kind| PHASE[kind.index()] * men(kind)).sum()
        });
        Self {
            material: MaterialKey::new(position),
            phases,
            seen: Color::ALL.map(|color| all_seen(position, color)),
            khuns: Color::ALL.map(|color| position.khun(color)),
        }
    }

    /// Makes a legal move in `position`, whose sums these are, and follows it.
    #[inline]
    pub(crate) fn make(&mut self, position: &mut Position, mv: Move) {
        let us = position.side_to_move();
        let captured = if position.is_capture(mv) { position.piece_on(mv.to()) } else { None };
        position.play_unchecked_observed(mv, &mut Follower(self));
        if captured.is_some() || mv.is_promotion() {
            self.material = self.material.after(us, captured, mv.is_promotion());
        }
        let khun = position.khun(us);
        if khun != self.khuns[us.index()] {
            // Now it sees everybody elsewhere.
            self.khuns[us.index()] = khun;
            self.seen[us.index()] = all_seen(position, us);
        }
    }

    /// Material, squares and places, White's less Black's.
    #[inline]
    pub(crate) fn sum(&self) -> Tapered {
        self.seen[0] + self.seen[1]
    }

    /// The pieces on the board.
    #[inline]
    pub(crate) fn material(&self) -> MaterialKey {
        self.material
    }

    /// See [`edge`].
    #[inline]
    pub(crate) fn edge(&self) -> i32 {
        edge(self.phases)
    }

    /// How much of the middlegame is left: [`FULL_PHASE`] at the start, 0 with bare khuns.
    #[inline]
    pub(crate) fn phase(&self) -> i32 {
        (self.phases[0] + self.phases[1]).min(FULL_PHASE)
    }
}

/// Takes the changes of a move over into the sums; what a moved khun sees is wrong after it.
struct Follower<'a>(&'a mut Accumulator);

impl Follower<'_> {
    #[inline]
    fn seen(&self, piece: Piece, square: Square) -> [Tapered; 2] {
        let [white, black] = self.0.khuns;
        let man = |view: &View| view[piece.color.index()][piece.kind.index()][square.index()];
        [man(&VIEWS[0][white.index()]), man(&VIEWS[1][black.index()])]
    }
}

impl Observer for Follower<'_> {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        let [white, black] = self.seen(piece, square);
        self.0.seen[0] += white;
        self.0.seen[1] += black;
        self.0.phases[piece.color.index()] += PHASE[piece.kind.index()];
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let [white, black] = self.seen(piece, square);
        self.0.seen[0] -= white;
        self.0.seen[1] -= black;
        self.0.phases[piece.color.index()] -= PHASE[piece.kind.index()];
    }
}

/// The plain worth of a side's men without its khun, in endgame centipawns.
pub(crate) fn endgame_material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL
        .into_iter()
        .map(|kind| position.men(color, kind).len() as i32 * MATERIAL.value(kind.index()).endgame())
        .sum()
}
