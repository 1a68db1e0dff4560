//! The value of a placement, and its code in a tablebase file.

use sakmak_movegen::Color;

use super::ending::Ending;
use super::format::SideStatistics;
use super::index::{Indexer, Placement};

/// The value of a placement for the side to move if no count cuts it off.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Value {
    /// Neither side can force a win.
    Draw,
    /// The side to move wins in this number of plies.
    Win(u16),
    /// The side to move loses in this number of plies.
    Loss(u16),
}

impl Value {
    /// The plies to the win of either side; `None` if there is none.
    pub const fn plies(self) -> Option<u16> {
        match self {
            Self::Draw => None,
            Self::Win(plies) | Self::Loss(plies) => Some(plies),
        }
    }
}

/// The codes of a tablebase file, one byte each: a win is the winner's moves, a loss 255 less the winner's moves.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(crate) struct Coding {
    /// The longest win in moves, which separates wins from losses.
    pub(crate) longest_win: u8,
}

impl Coding {
    pub(crate) const DRAW: u8 = 0;

    /// The code of a win in `moves` moves of the winner.
    pub(crate) fn win(moves: u8) -> u8 {
        moves
    }

    /// The code of a loss in `moves` moves of the winner.
    pub(crate) fn loss(moves: u8) -> u8 {
        u8::MAX - moves
    }

    /// The value of a code.
    #[inline]
    pub(crate) fn value(self, code: u8) -> Value {
        match code {
            Self::DRAW => Value::Draw,
            moves if moves <= self.longest_win => Value::Win(2 * u16::from(moves) - 1),
            _ => Value::Loss(2 * u16::from(u8::MAX - code)),
        }
    }
}

/// All values of an ending, by the number of the placement.
pub(crate) struct Values {
    pub(crate) ending: Ending,
    pub(crate) indexer: Indexer,
    /// By the side to move; a symmetric ending has those of White to move only.
    pub(crate) codes: [Vec<u8>; 2],
    pub(crate) statistics: [SideStatistics; 2],
}

impl Values {
    /// The value for a side to move. The men are in the order of `ending`, this one or the one with colours exchanged.
    /// `None` if the placement has no number.
    pub(crate) fn get(&self, ending: &Ending, placement: &Placement, side: Color) -> Option<Value> {
        let (placement, side) = oriented(&self.ending, ending, placement, side);
        let code = self.codes[side.index()][self.indexer.number(&placement)?];
        Some(self.statistics[side.index()].coding().value(code))
    }
}

/// A placement of `ending` as its tablebase file has it: the same, or with colours exchanged.
fn oriented(table: &Ending, ending: &Ending, placement: &Placement, side: Color) -> (Placement, Color) {
    if ending != table || side == Color::Black && table.is_symmetric() {
        (exchanged(ending, placement), !side)
    } else {
        (*placement, side)
    }
}

/// The placement with colours exchanged and the board turned, the men in the order of that ending.
pub(crate) fn exchanged(ending: &Ending, placement: &Placement) -> Placement {
    let mut flipped = placement.flipped();
    // White's men come first.
    flipped.men[..ending.pieces().len()].rotate_left(ending.kinds(Color::White).count());
    flipped
}
