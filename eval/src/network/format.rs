//! The file of a network.
//!
//! All numbers are little-endian.
//!
//! | bytes | |
//! | --- | --- |
//! | 8 | `SAKMAKNN` |
//! | 2 | version: 1 |
//! | 2 | width of the hidden layer |
//! | 2 | inputs: 4622; 2318 with three kinds of safety, 782 without regard to it |
//! | 2 | output buckets |
//! | 4 | length of the description |
//! | ... | description, UTF-8 |
//! | 2 each | input weights by input, then the hidden biases |
//! | 2 each | output weights by bucket, for the side to move and then for the other one |
//! | 4 each | output biases by bucket |
//! | 4 | CRC-32 of all bytes before |

use std::fs::File;
use std::io::{self, ErrorKind, Read};
use std::path::Path;

use super::features::{INPUTS, OUTPUT_BUCKETS, PIECE_INPUTS, Safety};
use super::{HIDDEN_ONE, InputWeights, Network, WIDTH};
use crate::regular_file;

const MAGIC: &[u8; 8] = b"SAKMAKNN";
const VERSION: u16 = 1;
/// The longest description, in bytes.
pub(super) const MAX_DESCRIPTION: usize = 1 << 16;

/// Largest absolute weight of an input or hidden bias: with 32 pieces no sum of the hidden layer overflows.
pub const MAX_INPUT_WEIGHT: i16 = 900;
/// Largest absolute output weight.
pub const MAX_OUTPUT_WEIGHT: i16 = 2047;
/// Largest absolute output bias: far beyond any evaluation.
const MAX_OUTPUT_BIAS: i32 = 1 << 24;

/// Why bytes are no network for this program.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NetworkError {
    /// Some other file.
    #[error("not a network of Sakmak")]
    Magic,
    /// A network for the NNUE of Stockfish and the programs made from it.
    #[error("a network of Fairy-Stockfish or Stockfish, not of Sakmak")]
    Stockfish,
    /// An unknown version of the format.
    #[error("version {version} of the format cannot be read; {VERSION} can")]
    Version {
        /// The version.
        version: u16,
    },
    /// A network of another shape.
    #[error("its {what} is {found}; this program needs {wanted}")]
    Shape {
        /// What differs.
        what: &'static str,
        /// What the file has.
        found: u16,
        /// What this program has.
        wanted: u16,
    },
    /// The file is shorter or longer than it says.
    #[error("it has {found} bytes instead of {wanted}")]
    Length {
        /// What the file has.
        found: usize,
        /// What its header asks for.
        wanted: usize,
    },
    /// The description is too long.
    #[error("its description is longer than {MAX_DESCRIPTION} bytes")]
    Description,
    /// The bytes have changed since they were written.
    #[error("its checksum is wrong")]
    Checksum,
    /// A weight is so large that sums could overflow.
    #[error("a weight of the {layer} is too large")]
    Weight {
        /// The layer.
        layer: &'static str,
    },
}

const HEADER: usize = 20;
const CHECKSUM: usize = 4;
/// Inputs for pieces of one kind of safety.
const PLAIN_PIECE_INPUTS: usize = PIECE_INPUTS / Safety::COUNT;
/// Older networks: their number of kinds of safety, and which of them (safe, protected, hanging) each of
/// [`Safety::ALL`] was.
const OLDER_SAFETY: [(usize, [usize; Safety::COUNT]); 2] = [(3, [0, 0, 2, 1, 2, 2]), (1, [0; Safety::COUNT])];

/// The number of inputs of a network with `safety` kinds of safety.
const fn inputs_with(safety: usize) -> usize {
    INPUTS - PIECE_INPUTS + safety * PLAIN_PIECE_INPUTS
}

/// The size of a network's weights, in bytes.
const fn weights(width: usize, inputs: usize) -> usize {
    2 * width * (inputs + 1 + 2 * OUTPUT_BUCKETS) + 4 * OUTPUT_BUCKETS
}

/// Whether a file begins with the version of a network in Stockfish's format: 0x7AF32F16 or 0x7AF32F20 so far.
fn is_stockfish(start: [u8; 4]) -> bool {
    u32::from_le_bytes(start) >> 8 == 0x7a_f32f
}

/// The bytes still to read.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*first)
    }

    fn u16(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn weights(&mut self, number: usize) -> Option<Vec<i16>> {
        let (weights, rest) = self.0.split_at_checked(2 * number)?;
        self.0 = rest;
        Some(weights.as_chunks().0.iter().map(|&weight| i16::from_le_bytes(weight)).collect())
    }
}

/// The weights of a network of any width, each layer in the order of the file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NetworkWeights {
    /// By input.
    pub input_weights: Vec<i16>,
    /// One for each hidden value: their number is the width.
    pub hidden_biases: Vec<i16>,
    /// By bucket, for the side to move and then for the other one.
    pub output_weights: Vec<i16>,
    /// By bucket.
    pub output_biases: [i32; OUTPUT_BUCKETS],
}

impl NetworkWeights {
    /// The weights in a file's bytes.
    ///
    /// # Errors
    /// If they are not a whole network with the inputs and output buckets of this program.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        Self::read(bytes, None).map(|(weights, _)| weights)
    }

    /// Reads the weights and the description of a network, which must have the width given, if any.
    fn read(bytes: &[u8], width: Option<usize>) -> Result<(Self, &[u8]), NetworkError> {
        let mut rest = Bytes(bytes);
        if rest.take().as_ref() != Some(MAGIC) {
            let is_stockfish = bytes.first_chunk().is_some_and(|&start| is_stockfish(start));
            return Err(if is_stockfish { NetworkError::Stockfish } else { NetworkError::Magic });
        }
        let length = |width, inputs| HEADER + weights(width, inputs) + CHECKSUM;
        let cut = NetworkError::Length { found: bytes.len(), wanted: length(width.unwrap_or(WIDTH), INPUTS) };
        let version = rest.u16().ok_or(cut.clone())?;
        if version != VERSION {
            return Err(NetworkError::Version { version });
        }
        let found_width = rest.u16().ok_or(cut.clone())?;
        if let Some(wanted) = width
            && wanted != usize::from(found_width)
        {
            let wanted = wanted as u16;
            return Err(NetworkError::Shape { what: "width", found: found_width, wanted });
        }
        let width = usize::from(found_width);
        let mut field = |what, wanted: &[usize]| {
            let found = rest.u16().ok_or(cut.clone())?;
            let known = wanted.iter().find(|&&wanted| wanted == usize::from(found));
            known.copied().ok_or(NetworkError::Shape { what, found, wanted: wanted[0] as u16 })
        };
        let inputs = field("number of inputs", &[INPUTS, inputs_with(3), inputs_with(1)])?;
        field("number of output buckets", &[OUTPUT_BUCKETS])?;
        let description = rest.take().map(u32::from_le_bytes).ok_or(cut)? as usize;
        if description > MAX_DESCRIPTION {
            return Err(NetworkError::Description);
        }
        let wanted = length(width, inputs) + description;
        let wrong_length = NetworkError::Length { found: bytes.len(), wanted };
        if bytes.len() != wanted {
            return Err(wrong_length);
        }
        let (body, checksum) = bytes.split_at(wanted - CHECKSUM);
        if checksum != crc32fast::hash(body).to_le_bytes() {
            return Err(NetworkError::Checksum);
        }
        let (description, weights) = rest.0.split_at(description);
        let weights = Self::read_layers(&mut Bytes(weights), width, inputs).ok_or(wrong_length)?;
        Ok((weights, description))
    }

    fn read_layers(bytes: &mut Bytes<'_>, width: usize, inputs: usize) -> Option<Self> {
        let mut input_weights = bytes.weights(inputs * width)?;
        if let Some((known, older)) = OLDER_SAFETY.iter().find(|(known, _)| inputs_with(*known) == inputs) {
            let rows = PLAIN_PIECE_INPUTS * width;
            let others = input_weights.split_off(known * rows);
            let of_safety = |safety: &usize| &input_weights[safety * rows..][..rows];
            input_weights = older.iter().flat_map(of_safety).chain(&others).copied().collect();
        }
        let hidden_biases = bytes.weights(width)?;
        let output_weights = bytes.weights(2 * width * OUTPUT_BUCKETS)?;
        let mut output_biases = [0; OUTPUT_BUCKETS];
        for bias in &mut output_biases {
            *bias = i32::from_le_bytes(bytes.take()?);
        }
        Some(Self { input_weights, hidden_biases, output_weights, output_biases })
    }
}

impl Network {
    /// The network of a file.
    ///
    /// # Errors
    /// If the file cannot be read; with a [`NetworkError`] of kind [`ErrorKind::InvalidData`] if it is no whole, sound
    /// network of this program's shape.
    pub fn open(path: &Path) -> io::Result<Self> {
        let mut bytes = Vec::new();
        let most = HEADER + MAX_DESCRIPTION + weights(WIDTH, INPUTS) + CHECKSUM;
        // Whatever the path names, memory stays bounded.
        let file = regular_file::open(File::options().read(true), path)?;
        file.take(most as u64 + 1).read_to_end(&mut bytes)?;
        Self::from_bytes(&bytes).map_err(|fault| io::Error::new(ErrorKind::InvalidData, fault))
    }

    /// The network of a file's bytes.
    ///
    /// # Errors
    /// If they are not a whole, sound network of this program's shape.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, NetworkError> {
        let (weights, description) = NetworkWeights::read(bytes, Some(WIDTH))?;
        let (_, checksum) = bytes.split_last_chunk().ok_or(NetworkError::Checksum)?;
        let mut network =
            Self::from_weights(&weights).ok_or(NetworkError::Length { found: bytes.len(), wanted: 0 })?;
        network.check_weights()?;
        network.description = String::from_utf8_lossy(description).into_owned();
        network.checksum = u32::from_le_bytes(*checksum);
        Ok(network)
    }

    /// A network without a name; `None` if the weights have another shape.
    fn from_weights(weights: &NetworkWeights) -> Option<Self> {
        Some(Self {
            input_weights: InputWeights::new(weights.input_weights.as_chunks().0.try_into().ok()?),
            hidden_biases: weights.hidden_biases.as_slice().try_into().ok()?,
            output_weights: weights.output_weights.as_chunks().0.as_chunks().0.try_into().ok()?,
            output_biases: weights.output_biases,
            description: String::new(),
            checksum: 0,
        })
    }

    /// Checks that no sum can overflow in a position of 32 pieces.
    fn check_weights(&self) -> Result<(), NetworkError> {
        let exceeds =
            |weights: &[i16], most: i16| weights.iter().any(|weight| weight.unsigned_abs() > most as u16);
        let inputs = self.input_weights.rows().as_flattened();
        if exceeds(inputs, MAX_INPUT_WEIGHT) || exceeds(&self.hidden_biases, MAX_INPUT_WEIGHT) {
            return Err(NetworkError::Weight { layer: "hidden layer" });
        }
        for (weights, bias) in self.output_weights.iter().zip(self.output_biases) {
            let weights = weights.as_flattened();
            let sum: i64 = weights.iter().map(|&weight| i64::from(weight).abs()).sum();
            let most = sum * i64::from(HIDDEN_ONE * HIDDEN_ONE / 2);
            if exceeds(weights, MAX_OUTPUT_WEIGHT)
                || most > i64::from(i32::MAX)
                || bias.unsigned_abs() > MAX_OUTPUT_BIAS as u32
            {
                return Err(NetworkError::Weight { layer: "output layer" });
            }
        }
        Ok(())
    }

    /// The bytes of a file with these weights, in the order of the file. The width is the number of `hidden_biases`;
    /// a network of another width than [`WIDTH`] is of use only to programs built with it. A description of more than
    /// 65,536 bytes makes a file that no program reads.
    pub fn to_bytes(
        description: &str,
        input_weights: &[i16],
        hidden_biases: &[i16],
        output_weights: &[i16],
        output_biases: &[i32; OUTPUT_BUCKETS],
    ) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        let inputs = input_weights.len() / hidden_biases.len().max(1);
        for number in [VERSION, hidden_biases.len() as u16, inputs as u16, OUTPUT_BUCKETS as u16] {
            bytes.extend(number.to_le_bytes());
        }
        bytes.extend((description.len() as u32).to_le_bytes());
        bytes.extend(description.as_bytes());
        for weights in [input_weights, hidden_biases, output_weights] {
            bytes.extend(weights.iter().flat_map(|weight| weight.to_le_bytes()));
        }
        bytes.extend(output_biases.iter().flat_map(|bias| bias.to_le_bytes()));
        bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
        bytes
    }

    /// The weights in the order of the file.
    pub fn weights(&self) -> NetworkWeights {
        NetworkWeights {
            input_weights: self.input_weights.rows().as_flattened().to_vec(),
            hidden_biases: self.hidden_biases.to_vec(),
            output_weights: self.output_weights.as_flattened().as_flattened().to_vec(),
            output_biases: self.output_biases,
        }
    }

    /// The description in its file.
    pub fn description(&self) -> &str {
        &self.description
    }

    /// Its name: `sakmak-` and the checksum, in eight hexadecimal digits. Two networks of one name are the same.
    pub fn name(&self) -> String {
        format!("sakmak-{:08x}", self.checksum)
    }

    /// The CRC-32 of its file, by which networks are named.
    pub fn checksum(&self) -> u32 {
        self.checksum
    }
}
