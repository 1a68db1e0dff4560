//! From the hidden layer to the evaluation.

use sakmak_movegen::Position;

use super::accumulator::AccumulatorCache;
use super::features::{Threats, other_inputs, output_bucket};
use super::{HIDDEN_ONE, Hidden, Network, OUTPUT_ONE, SCALE};

impl Network {
    /// The evaluation in internal units for the side to move, given the threats. The cache must be of this network.
    #[inline]
    pub(crate) fn evaluate(
        &self,
        cache: &mut AccumulatorCache,
        position: &Position,
        threats: Threats,
    ) -> i32 {
        self.output(cache, position, threats, output_bucket(position))
    }

    /// The output of `bucket`, in the unit of [`Network::evaluate`], which takes the position's own bucket.
    #[inline]
    pub(crate) fn output(
        &self,
        cache: &mut AccumulatorCache,
        position: &Position,
        threats: Threats,
        bucket: usize,
    ) -> i32 {
        let us = position.side_to_move();
        let values = &cache.update(self, position, threats).values;
        let mut sum = 0;
        for (color, weights) in [us, !us].into_iter().zip(&self.output_weights[bucket]) {
            let pieces = &values[color.index()];
            let mut others = other_inputs(position, color).peekable();
            sum += if others.peek().is_none() {
                weighted_sum(pieces, weights)
            } else {
                let mut all = *pieces;
                for input in others {
                    for (value, weight) in all.iter_mut().zip(&self.input_weights.rows()[input]) {
                        *value = value.wrapping_add(*weight);
                    }
                }
                weighted_sum(&all, weights)
            };
        }
        let output = 2 * i64::from(sum) / i64::from(HIDDEN_ONE) + i64::from(self.output_biases[bucket]);
        (output * i64::from(SCALE) / i64::from(HIDDEN_ONE * OUTPUT_ONE)) as i32
    }
}

/// Half the sum of the clipped and squared values (SCReLU), each times its weight.
///
/// Halved, a square fits 16 bits with its sign, and the weights of a bucket are bounded so that the sum fits 32 bits.
#[inline]
fn weighted_sum(values: &Hidden, weights: &Hidden) -> i32 {
    let one = HIDDEN_ONE as i16;
    let terms = values.iter().zip(weights).map(|(&value, &weight)| {
        let clipped = value.clamp(0, one) as u16;
        let half_square = (clipped * clipped / 2) as i16;
        i32::from(half_square) * i32::from(weight)
    });
    terms.sum()
}
