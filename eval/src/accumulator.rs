//! Incrementally updated sums: material, piece-square tables, king-relative piece-square tables, and the game phase.

use sakmak_movegen::{Color, Move, Observer, Piece, PieceKind, Position, Square};

use crate::imbalance::MaterialKey;
use crate::king_relative::king_relative_value;
use crate::tapered::Tapered;
use crate::weight_table::{Tracer, WeightTable};
use crate::weights::*;

/// Material and piece-square sums of both sides (White's less Black's) and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Accumulator {
    /// What depends on White's khun (with material and the plain tables), and what depends on Black's.
    sums: [Tapered; 2],
    khuns: [Square; 2],
    /// The pieces on the board, whatever their squares.
    material: MaterialKey,
    /// Of each side.
    phases: [i32; 2],
}

const SQUARES: [WeightTable<32>; 6] = [BIA_PST, MET_PST, KHON_PST, MAA_PST, RUA_PST, KHUN_PST];

/// The entry of a square in the tables of half a board.
const fn square_entry(square: usize) -> usize {
    let (rank, file) = (square / 8, square % 8);
    let half = if file < 4 { file } else { 7 - file };
    4 * rank + half
}

/// Material and piece-square values of one side, from scratch.
pub(crate) fn material_and_squares<T: Tracer>(position: &Position, us: Color) -> T {
    let mut score = T::default();
    for kind in PieceKind::ALL {
        for square in position.pieces(us, kind) {
            score.at(&MATERIAL, kind.index());
            score.at(&SQUARES[kind.index()], square_entry(square.relative(us).index()));
        }
    }
    score
}

/// Values by colour, kind and square. Black's are negative.
type PieceSquares = [[[Tapered; 64]; 6]; 2];

/// By a khun's colour and square, the king-relative values of all pieces. White's khun adds material and plain tables.
static PST: [[PieceSquares; 64]; 2] = [all_piece_squares(Color::White), all_piece_squares(Color::Black)];

const fn all_piece_squares(color: Color) -> [PieceSquares; 64] {
    let mut all = [[[[Tapered::new(0, 0); 64]; 6]; 2]; 64];
    let mut index = 0;
    while index < 64 * 6 * 64 {
        let (khun, kind, square) = (index / (6 * 64), index / 64 % 6, index % 64);
        let (from, to) = (Square::from_index(khun), Square::from_index(square));
        let [mut white, mut black] = if kind == 5 {
            [Tapered::new(0, 0); 2]
        } else {
            [
                king_relative_value(Color::White, kind, to, color, from),
                king_relative_value(Color::Black, kind, to, color, from),
            ]
        };
        if matches!(color, Color::White) {
            white = white.plus(MATERIAL.value(kind)).plus(SQUARES[kind].value(square_entry(square)));
            black = black.plus(MATERIAL.value(kind)).plus(SQUARES[kind].value(square_entry(square ^ 56)));
        }
        all[khun][0][kind][square] = white;
        all[khun][1][kind][square] = Tapered::new(-black.middlegame(), -black.endgame());
        index += 1;
    }
    all
}

/// The sum that depends on the khun of `color`, from scratch.
#[inline]
fn full_sum(position: &Position, color: Color) -> Tapered {
    let table = &PST[color.index()][position.khun(color).index()];
    let mut sum = Tapered::default();
    for us in Color::ALL {
        for kind in PieceKind::ALL {
            for square in position.pieces(us, kind) {
                sum += table[us.index()][kind.index()][square.index()];
            }
        }
    }
    sum
}

/// White's lead in pieces other than bia, in units of the phase, -4 to 4.
#[inline]
fn piece_lead(phases: [i32; 2]) -> i32 {
    (phases[0] - phases[1]).clamp(-4, 4)
}

impl Accumulator {
    /// The sums of a position, from scratch.
    pub(crate) fn new(position: &Position) -> Self {
        let phases = Color::ALL.map(|color| {
            let count = |kind: PieceKind| position.pieces(color, kind).len() as i32;
            PieceKind::ALL.into_iter().map(|kind| PHASE[kind.index()] * count(kind)).sum()
        });
        Self {
            material: MaterialKey::new(position),
            phases,
            sums: Color::ALL.map(|color| full_sum(position, color)),
            khuns: Color::ALL.map(|color| position.khun(color)),
        }
    }

    /// Makes a legal move in `position`, whose sums these are, and updates them.
    #[inline]
    pub(crate) fn play_unchecked(&mut self, position: &mut Position, mv: Move) {
        let us = position.side_to_move();
        let captured = if position.is_capture(mv) { position.piece_on(mv.to()) } else { None };
        position.play_unchecked_observed(mv, &mut SumUpdater(self));
        if captured.is_some() || mv.is_promotion() {
            self.material = self.material.after(us, captured, mv.is_promotion());
        }
        let khun = position.khun(us);
        if khun != self.khuns[us.index()] {
            // All king-relative values change.
            self.khuns[us.index()] = khun;
            self.sums[us.index()] = full_sum(position, us);
        }
    }

    /// Material and all piece-square values, White's less Black's.
    #[inline]
    pub(crate) fn sum(&self) -> Tapered {
        self.sums[0] + self.sums[1]
    }

    /// The pieces on the board.
    #[inline]
    pub(crate) fn material(&self) -> MaterialKey {
        self.material
    }

    /// See [`piece_lead`].
    #[inline]
    pub(crate) fn piece_lead(&self) -> i32 {
        piece_lead(self.phases)
    }

    /// How much of the middlegame is left: [`FULL_PHASE`] at the start, 0 with bare khuns.
    #[inline]
    pub(crate) fn phase(&self) -> i32 {
        (self.phases[0] + self.phases[1]).min(FULL_PHASE)
    }
}

/// Adds and subtracts the pieces that a move changes. After a khun move its sum must be recomputed.
struct SumUpdater<'a>(&'a mut Accumulator);

impl SumUpdater<'_> {
    #[inline]
    fn values(&self, piece: Piece, square: Square) -> [Tapered; 2] {
        let [white, black] = self.0.khuns;
        let value = |table: &PieceSquares| table[piece.color.index()][piece.kind.index()][square.index()];
        [value(&PST[0][white.index()]), value(&PST[1][black.index()])]
    }
}

impl Observer for SumUpdater<'_> {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        let [white, black] = self.values(piece, square);
        self.0.sums[0] += white;
        self.0.sums[1] += black;
        self.0.phases[piece.color.index()] += PHASE[piece.kind.index()];
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        let [white, black] = self.values(piece, square);
        self.0.sums[0] -= white;
        self.0.sums[1] -= black;
        self.0.phases[piece.color.index()] -= PHASE[piece.kind.index()];
    }
}

/// The material of a side without its khun, in endgame centipawns.
pub(crate) fn endgame_material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL
        .into_iter()
        .map(|kind| position.pieces(color, kind).len() as i32 * MATERIAL.value(kind.index()).endgame())
        .sum()
}
