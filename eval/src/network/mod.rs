//! The network: an efficiently updated neural network that knows the count.
//!
//! One hidden layer a side. The inputs of a side are its own and the enemy's pieces on squares, attacked or
//! protected or not, as seen from its first rank and with its khun on the left half, and the count; the same weights
//! serve both sides. The values of the side to move, then those of the other side, are clipped, squared and summed with one of
//! eight sets of output weights, by the number of pieces. All numbers are integers. `docs/network.md` has the details.
//!
//! The network is not asked where a khun is bare.

mod accumulator;
pub mod features;
mod format;
mod output;
#[cfg(test)]
mod tests;
mod threats;

pub(crate) use accumulator::AccumulatorCache;
pub use format::{MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT, NetworkError, NetworkWeights};

use std::fmt;
use std::sync::Arc;

use once_cell::sync::Lazy;

use features::{INPUTS, OUTPUT_BUCKETS};

/// Values of the hidden layer for each side.
pub const WIDTH: usize = 256;
/// What stands for 1 in the hidden layer.
pub const HIDDEN_ONE: i32 = 255;
/// What stands for 1 in the output weights.
pub const OUTPUT_ONE: i32 = 512;
/// Internal units that multiply the odds of winning by e: the unit of the float output.
pub const SCALE: i32 = 415;

/// The values of the hidden layer of one side, before they are clipped.
type Hidden = [i16; WIDTH];

/// The weights of a network.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    /// By input.
    input_weights: Box<[Hidden; INPUTS]>,
    hidden_biases: Hidden,
    /// By bucket, for the side to move and for the other one.
    output_weights: [[Hidden; 2]; OUTPUT_BUCKETS],
    /// By bucket; 1 is `HIDDEN_ONE` times `OUTPUT_ONE`.
    output_biases: [i32; OUTPUT_BUCKETS],
    /// What its file says about it.
    description: String,
    checksum: u32,
}

/// The network compiled in: `eval/network.sakmak`, or the file that `SAKMAK_NETWORK` named when this was built.
static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
    let network = Network::from_bytes(include_bytes!(env!("SAKMAK_NETWORK_FILE")));
    Arc::new(network.unwrap_or_else(|fault| panic!("built with a wrong network: {fault}")))
});

impl Network {
    /// The network compiled in.
    ///
    /// # Panics
    /// In a program that was built with a file that is no network of this shape.
    pub fn embedded() -> &'static Arc<Self> {
        &EMBEDDED
    }
}

impl fmt::Display for Network {
    /// The name.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name())
    }
}

impl fmt::Debug for Network {
    /// Without the weights, which are many.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Network({self})")
    }
}
