//! Sums that follow the moves: material with piece-square values, and the game's phase.

use sakmak_movegen::{Color, Observer, Piece, PieceKind, Position, Square};

use crate::table::{Table, Tally};
use crate::tapered::Tapered;
use crate::weights::*;

/// Material and piece-square values of both sides (White's less Black's) and the phase.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Accumulator {
    sum: Tapered,
    phase: i32,
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

/// By colour, kind and square: White's men count up, Black's down.
static VALUES: [[[Tapered; 64]; 6]; 2] = values();

const fn values() -> [[[Tapered; 64]; 6]; 2] {
    let mut table = [[[Tapered::new(0, 0); 64]; 6]; 2];
    let mut kind = 0;
    while kind < 6 {
        let mut square = 0;
        while square < 64 {
            let (at, worth) = (SQUARES[kind].value(entry(square)), MATERIAL.value(kind));
            let (mg, eg) = (at.middlegame() + worth.middlegame(), at.endgame() + worth.endgame());
            table[0][kind][square] = Tapered::new(mg, eg);
            table[1][kind][square ^ 56] = Tapered::new(-mg, -eg);
            square += 1;
        }
        kind += 1;
    }
    table
}

impl Accumulator {
    /// The sums of a position, from scratch.
    pub fn new(position: &Position) -> Self {
        let mut sums = Self::default();
        for square in position.occupied() {
            if let Some(piece) = position.piece_on(square) {
                sums.added(piece, square);
            }
        }
        sums
    }

    /// Material and squares, White's less Black's.
    #[inline]
    pub(crate) fn sum(&self) -> Tapered {
        self.sum
    }

    /// How much of the middlegame is left: [`FULL_PHASE`] at the start, 0 with bare khuns.
    #[inline]
    pub(crate) fn phase(&self) -> i32 {
        self.phase.min(FULL_PHASE)
    }
}

#[inline]
fn value(piece: Piece, square: Square) -> Tapered {
    VALUES[piece.color.index()][piece.kind.index()][square.index()]
}

impl Observer for Accumulator {
    #[inline]
    fn added(&mut self, piece: Piece, square: Square) {
        self.sum += value(piece, square);
        self.phase += PHASE[piece.kind.index()];
    }

    #[inline]
    fn removed(&mut self, piece: Piece, square: Square) {
        self.sum -= value(piece, square);
        self.phase -= PHASE[piece.kind.index()];
    }
}

/// The plain worth of a side's men without its khun, in endgame centipawns.
pub(crate) fn endgame_material(position: &Position, color: Color) -> i32 {
    PieceKind::ALL
        .into_iter()
        .map(|kind| position.men(color, kind).len() as i32 * MATERIAL.value(kind.index()).endgame())
        .sum()
}
