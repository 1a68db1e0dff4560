//! The values of the hidden layer, updated by what has changed since the last evaluation.

use arrayvec::ArrayVec;
use sakmak_movegen::{Bitboard, Color, PieceKind, Position};

use super::features::View;
use super::{Hidden, Network};

/// Most pieces a position can have.
const MOST_PIECES: usize = 96;

/// The values for both sides of one position.
#[derive(Clone, Debug)]
pub(super) struct Accumulator {
    pieces: [[Bitboard; 6]; 2],
    pub(super) values: [Hidden; 2],
}

/// The accumulators of the last positions, one for each pair of halves of the board on which the khuns stand. Within
/// such a pair a piece on a square always is the same input.
///
/// A search evaluates positions that are only a few moves apart, so the pieces in which they differ are few.
#[derive(Clone, Debug)]
pub(crate) struct AccumulatorCache(Box<[Accumulator; 4]>);

impl AccumulatorCache {
    /// Memory it takes on the heap, in bytes.
    pub(crate) const BYTES: usize = size_of::<[Accumulator; 4]>();

    /// A cache for a network.
    pub(crate) fn new(network: &Network) -> Self {
        let empty = Accumulator { pieces: [[Bitboard::EMPTY; 6]; 2], values: [network.hidden_biases; 2] };
        Self(Box::new(std::array::from_fn(|_| empty.clone())))
    }

    /// The values for a position. The cache must be of this network.
    #[inline]
    pub(super) fn update(&mut self, network: &Network, position: &Position) -> &Accumulator {
        let [white, black] = Color::ALL.map(|color| position.khun(color));
        let index = 2 * usize::from(View::is_mirrored(white)) + usize::from(View::is_mirrored(black));
        let accumulator = &mut self.0[index];
        let views = [View::new(Color::White, white), View::new(Color::Black, black)];
        let (mut added, mut removed) = (Inputs::new(), Inputs::new());
        for color in Color::ALL {
            for kind in PieceKind::ALL {
                let before = &mut accumulator.pieces[color.index()][kind.index()];
                let now = position.pieces(color, kind);
                let changed = *before ^ now;
                *before = now;
                for square in changed {
                    let inputs = views.map(|view| view.piece_input(color, kind, square) as u16);
                    if now.contains(square) { added.push(inputs) } else { removed.push(inputs) }
                }
            }
        }
        for side in 0..2 {
            apply(network, &mut accumulator.values[side], &added, &removed, side);
        }
        accumulator
    }
}

/// The input of a piece for each side.
type Inputs = ArrayVec<[u16; 2], MOST_PIECES>;

/// Adds and subtracts the weights of inputs. Sums that do not fit wrap; those of a network read from a file fit, unless
/// a position has very many pieces.
#[inline]
fn apply(network: &Network, values: &mut Hidden, added: &Inputs, removed: &Inputs, side: usize) {
    let weights = |inputs: &[u16; 2]| &network.input_weights[usize::from(inputs[side])];
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
