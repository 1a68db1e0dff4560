//! The accumulators: the hidden layer, updated by what has changed since the last evaluation.

use arrayvec::ArrayVec;
use sakmak_movegen::{Bitboard, Color, Piece, Position};

use super::features::{Threats, View, pieces};
use super::{Hidden, Network};

/// The hidden layer of one position, as seen by both sides.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    /// The pieces of that position, by color and kind.
    pieces: [[Bitboard; 6]; 2],
    threats: Threats,
    /// By square, the input of its piece for each side.
    board: [Option<[u16; 2]>; 64],
    pub(super) values: [Hidden; 2],
}

/// The last accumulator for each pair of halves of the board on which the khuns stand. Within such a pair a piece on a
/// square is always the same input.
///
/// A search evaluates positions that are only a few moves apart, so few pieces differ.
#[derive(Clone, Debug)]
pub(crate) struct AccumulatorCache(Box<[Accumulator; 4]>);

impl AccumulatorCache {
    /// Memory on the heap, in bytes.
    pub(crate) const BYTES: usize = size_of::<[Accumulator; 4]>();

    pub(crate) fn new(network: &Network) -> Self {
        let empty = Accumulator {
            pieces: [[Bitboard::EMPTY; 6]; 2],
            threats: Threats::default(),
            board: [None; 64],
            values: [network.hidden_biases; 2],
        };
        Self(Box::new(std::array::from_fn(|_| empty.clone())))
    }

    /// Updates the accumulator to a position with these threats. The cache must be of this network.
    #[inline]
    pub(super) fn update(
        &mut self,
        network: &Network,
        position: &Position,
        threats: Threats,
    ) -> &Accumulator {
        let khuns = Color::ALL.map(|color| position.khun(color));
        let [white, black] = khuns.map(|khun| usize::from(View::is_mirrored(khun)));
        let accumulator = &mut self.0[2 * white + black];
        let views = Color::ALL.map(|color| View::new(color, khuns[color.index()]));
        let (mut added, mut removed) = (Inputs::new(), Inputs::new());
        let pieces = pieces(position);
        let mut changed = threats.difference(accumulator.threats);
        for (now, before) in pieces.as_flattened().iter().zip(accumulator.pieces.as_flattened()) {
            changed |= *now ^ *before;
        }
        (accumulator.pieces, accumulator.threats) = (pieces, threats);
        for square in changed {
            let inputs = position.piece_on(square).map(|Piece { color, kind }| {
                let safety = threats.safety(square.into());
                views.map(|view| view.piece_input(color, kind, square, safety) as u16)
            });
            removed.extend(std::mem::replace(&mut accumulator.board[square.index()], inputs));
            added.extend(inputs);
        }
        for side in 0..2 {
            apply(network, &mut accumulator.values[side], &added, &removed, side);
        }
        accumulator
    }
}

/// For each piece, its input for each side; at most one piece a square.
type Inputs = ArrayVec<[u16; 2], 64>;

/// Adds and subtracts the weights of inputs. Overflow wraps; with a network read from a file there is none, unless a
/// position has very many pieces.
#[inline]
fn apply(network: &Network, values: &mut Hidden, added: &Inputs, removed: &Inputs, side: usize) {
    let weights = |inputs: &[u16; 2]| &network.input_weights.rows()[usize::from(inputs[side])];
    let pairs = added.len().min(removed.len());
    for (plus, minus) in added.iter().zip(removed) {
        for ((value, plus), minus) in values.iter_mut().zip(weights(plus)).zip(weights(minus)) {
            *value = value.wrapping_add(*plus).wrapping_sub(*minus);
        }
    }
    for plus in &added[pairs..] {
        for (value, plus) in values.iter_mut().zip(weights(plus)) {
            *value = value.wrapping_add(*plus);
        }
    }
    for minus in &removed[pairs..] {
        for (value, minus) in values.iter_mut().zip(weights(minus)) {
            *value = value.wrapping_sub(*minus);
        }
    }
}
