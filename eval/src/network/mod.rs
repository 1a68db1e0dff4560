//! The network: an efficiently updated neural network that knows the count.
//!
//! Each side has a hidden layer. Its inputs are own and enemy pieces on squares, attacked or protected or not,
//! as seen from its first rank and with its khun on the left half, and the count; both sides share the weights. The
//! values of the side to move, then those of the other side, are clipped, squared and summed with one of eight sets of
//! output weights, by the number of pieces. All numbers are integers. `docs/network.md` has the details.
//!
//! Positions with a bare khun are evaluated without the network.

mod accumulator;
pub mod features;
mod format;
mod output;
mod packed;
#[cfg(test)]
mod tests;
mod threats;

pub(crate) use accumulator::AccumulatorCache;
pub use format::{MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT, NetworkError, NetworkWeights};

use std::fmt;
use std::sync::Arc;

use bytemuck::Zeroable;
use once_cell::sync::Lazy;

use crate::huge_pages;
use features::{INPUTS, OUTPUT_BUCKETS};

/// The width of the hidden layer of each side.
pub const WIDTH: usize = 256;
/// Quantisation: the value that stands for 1 in the hidden layer.
pub const HIDDEN_ONE: i32 = 255;
/// Quantisation: the value that stands for 1 in the output weights.
pub const OUTPUT_ONE: i32 = 512;
/// Internal units in one unit of the float output, which multiplies the odds of winning by e.
pub const SCALE: i32 = 415;

/// The hidden layer of one side, before it is clipped.
type Hidden = [i16; WIDTH];

/// The weights by input, in huge pages where the system has them.
#[derive(PartialEq, Eq)]
struct InputWeights(Box<Aligned>);

#[derive(PartialEq, Eq, Zeroable)]
#[cfg_attr(target_os = "linux", repr(align(0x20_0000)))]
struct Aligned([Hidden; INPUTS]);

impl InputWeights {
    fn new(rows: &[Hidden; INPUTS]) -> Self {
        let mut aligned = huge_pages::zeroed::<Aligned>();
        aligned.0.copy_from_slice(rows);
        Self(aligned)
    }

    #[inline]
    fn rows(&self) -> &[Hidden; INPUTS] {
        &self.0.0
    }
}

impl Clone for InputWeights {
    fn clone(&self) -> Self {
        Self::new(self.rows())
    }
}

/// The weights of a network.
#[derive(Clone, PartialEq, Eq)]
pub struct Network {
    input_weights: InputWeights,
    hidden_biases: Hidden,
    /// By bucket, for the side to move and for the other one.
    output_weights: [[Hidden; 2]; OUTPUT_BUCKETS],
    /// By bucket; 1 is `HIDDEN_ONE` times `OUTPUT_ONE`.
    output_biases: [i32; OUTPUT_BUCKETS],
    /// The description in its file.
    description: String,
    checksum: u32,
}

/// Written by `eval/build.rs`.
static PACKED: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/network.packed"));

/// The network compiled in: `eval/network.sakmak`, or the file that `SAKMAK_NETWORK` named when this was built.
static EMBEDDED: Lazy<Arc<Network>> = Lazy::new(|| {
    let network = Network::from_bytes(&packed::unpack(PACKED));
    Arc::new(network.unwrap_or_else(|fault| panic!("built with a wrong network: {fault}")))
});

impl Network {
    /// The network compiled in.
    ///
    /// # Panics
    /// If the program was built with a file that is no network of this shape.
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
