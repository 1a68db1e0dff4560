//! The file of an ending of the tablebase. `docs/endgames.md` describes it for other programs.
//!
//! A header with statistics, a directory of blocks, and the blocks: values of one byte each, compressed by LZ4, each
//! block with a checksum. All numbers are little-endian.

use std::fmt;
use std::ops::Range;

use crc32fast::hash;
use sakmak_movegen::Color;

use super::ending::Ending;
use super::index::Indexer;
use super::values::{Coding, Value, Values};

/// The first bytes of a file.
const MAGIC: &[u8; 8] = b"SakmakTB";
/// Files of other versions are not read.
const VERSION: u16 = 1;
/// The numbering of placements, the only one so far.
const INDEX_SCHEME: u32 = 1;
/// Values in a block.
pub(super) const BLOCK: usize = 4096;
/// Extension of the tablebase files' names.
pub const EXTENSION: &str = "sktb";

const NAME_BYTES: usize = 12;
const SIDE_BYTES: usize = 16 + 256 * 8;
const SIDES_AT: usize = 48;
/// Bytes of the header, its checksum included.
pub(super) const HEADER_BYTES: usize = SIDES_AT + 2 * SIDE_BYTES + 4;
/// Bytes of a block's entry in the directory: its length and its checksum.
const ENTRY_BYTES: usize = 8;

/// The rules that the values of a tablebase file follow.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub enum Family {
    /// Plies to mate against a bare khun, to be compared with what any count leaves: all rules whose pieces move as in
    /// Makruk.
    AnyCount,
    /// The counts of the default ruleset decide which captures and promotions win.
    FairyStockfish,
}

impl Family {
    /// The family of an ending's file.
    pub fn from_ending(ending: &Ending) -> Self {
        let bare = Color::ALL.into_iter().any(|color| ending.is_bare(color));
        if bare && !ending.has_bia() { Self::AnyCount } else { Self::FairyStockfish }
    }
}

impl fmt::Display for Family {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::AnyCount => "any count",
            Self::FairyStockfish => "fairy-stockfish",
        })
    }
}

/// What is wrong with the bytes of a file.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FormatError {
    /// It does not begin as a tablebase file.
    #[error("this is no table of Sakmak")]
    Foreign,
    /// Another version.
    #[error("this is version {found} of the format, not {VERSION}")]
    Version {
        /// The version found.
        found: u16,
    },
    /// It is shorter or longer than it should be.
    #[error("it has {found} bytes, not {expected}")]
    Length {
        /// Bytes of the file.
        found: u64,
        /// Bytes it should have.
        expected: u64,
    },
    /// A checksum does not agree.
    #[error("the checksum of {part} is wrong")]
    Checksum {
        /// The part of the file.
        part: String,
    },
    /// The header contradicts itself or the name of the file.
    #[error("{what}")]
    Contradiction {
        /// What is wrong.
        what: String,
    },
}

/// The number of each result for one side to move over all placements of an ending; a placement and its mirror image
/// count as two.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SideStatistics {
    coding: Coding,
    /// Number of placements by code; a placement and its mirror image count as one.
    codes: Vec<u64>,
    /// The number of a placement with the longest win or loss.
    longest_at: u64,
}

impl SideStatistics {
    /// The statistics of values with these codes; `first` has a placement of each code.
    pub(super) fn new(coding: Coding, codes: &[u64; 256], first: &[u64; 256]) -> Self {
        let present = (0..=u8::MAX).filter(|&code| codes[usize::from(code)] > 0);
        let longest = present.max_by_key(|&code| coding.value(code).plies()).unwrap_or(Coding::DRAW);
        Self { coding, codes: codes.to_vec(), longest_at: first[usize::from(longest)] }
    }

    pub(super) fn coding(&self) -> Coding {
        self.coding
    }

    fn sum(&self, chosen: impl Fn(Value) -> bool) -> u64 {
        let codes = self.codes.iter().zip(0u8..=u8::MAX);
        2 * codes.filter(|&(_, code)| chosen(self.coding.value(code))).map(|(number, _)| number).sum::<u64>()
    }

    /// The number of legal placements.
    pub fn legal(&self) -> u64 {
        self.sum(|_| true)
    }

    /// The number of placements that the side to move wins.
    pub fn won(&self) -> u64 {
        self.sum(|value| matches!(value, Value::Win(_)))
    }

    /// The number of placements that neither side wins.
    pub fn drawn(&self) -> u64 {
        self.sum(|value| value == Value::Draw)
    }

    /// The number of placements that the side to move loses.
    pub fn lost(&self) -> u64 {
        self.sum(|value| matches!(value, Value::Loss(_)))
    }

    /// The number of placements that the side to move wins, but with more than `moves` moves of its own.
    pub fn won_later_than(&self, moves: u64) -> u64 {
        self.sum(|value| matches!(value, Value::Win(plies) if u64::from(plies.div_ceil(2)) > moves))
    }

    /// The longest win or loss in plies, 0 if there is none.
    pub fn longest(&self) -> u16 {
        let values = self.codes.iter().zip(0u8..=u8::MAX).filter(|&(&number, _)| number > 0);
        values.filter_map(|(_, code)| self.coding.value(code).plies()).max().unwrap_or(0)
    }

    /// The wins and losses by plies, each with its number of placements.
    pub fn by_plies(&self) -> impl Iterator<Item = (Value, u64)> + '_ {
        let values = self.codes.iter().zip(0u8..=u8::MAX).filter(|&(&number, _)| number > 0);
        values
            .map(|(&number, code)| (self.coding.value(code), 2 * number))
            .filter(|&(value, _)| value != Value::Draw)
    }

    /// The number of a placement with the longest win or loss.
    pub(super) fn longest_at(&self) -> usize {
        self.longest_at as usize
    }
}

/// What the header of a file says.
#[derive(Clone, Debug)]
pub(super) struct Header {
    pub(super) ending: Ending,
    /// By the side to move; one only if the ending is symmetric.
    pub(super) sides: Vec<SideStatistics>,
    /// Values of each side.
    pub(super) size: usize,
    pub(super) file_bytes: u64,
}

impl Header {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = MAGIC.to_vec();
        bytes.extend(VERSION.to_le_bytes());
        bytes.push(match Family::from_ending(&self.ending) {
            Family::AnyCount => 0,
            Family::FairyStockfish => 1,
        });
        bytes.push(self.sides.len() as u8);
        let mut name = self.ending.to_string().into_bytes();
        name.resize(NAME_BYTES, 0);
        bytes.extend(name);
        bytes.extend(INDEX_SCHEME.to_le_bytes());
        bytes.extend((BLOCK as u32).to_le_bytes());
        bytes.extend((self.size as u64).to_le_bytes());
        bytes.extend(self.file_bytes.to_le_bytes());
        for side in &self.sides {
            bytes.extend([side.coding.longest_win, 0, 0, 0, 0, 0, 0, 0]);
            bytes.extend(side.longest_at.to_le_bytes());
            bytes.extend(side.codes.iter().flat_map(|number| number.to_le_bytes()));
        }
        bytes.resize(HEADER_BYTES - 4, 0);
        bytes.extend(hash(&bytes).to_le_bytes());
        bytes
    }

    /// Reads a header.
    pub(super) fn parse(bytes: &[u8]) -> Result<Self, FormatError> {
        let contradiction = |what: String| FormatError::Contradiction { what };
        if !bytes.starts_with(MAGIC) {
            return Err(FormatError::Foreign);
        }
        let version = bytes.get(8..10).map_or(0, |bytes| u16::from_le_bytes([bytes[0], bytes[1]]));
        if version != VERSION {
            return Err(FormatError::Version { found: version });
        }
        if bytes.len() < HEADER_BYTES {
            let (found, expected) = (bytes.len() as u64, HEADER_BYTES as u64);
            return Err(FormatError::Length { found, expected });
        }
        let number = |at: usize| u64::from_le_bytes(std::array::from_fn(|index| bytes[at + index]));
        if hash(&bytes[..HEADER_BYTES - 4]) != (number(HEADER_BYTES - 8) >> 32) as u32 {
            return Err(FormatError::Checksum { part: "the header".to_owned() });
        }
        let name = String::from_utf8_lossy(&bytes[12..12 + NAME_BYTES]);
        let name = name.trim_end_matches('\0');
        let ending: Ending = name.parse().map_err(|error| contradiction(format!("its name: {error}")))?;
        let sides = usize::from(bytes[11]);
        let size = Indexer::new(&ending).size();
        let expected =
            Self { ending: ending.clone(), sides: Vec::new(), size, file_bytes: number(40) }.to_bytes();
        let is_expected = bytes[8..11] == expected[8..11] && bytes[12..40] == expected[12..40];
        if !is_expected || !ending.is_canonical() || sides != 2 - usize::from(ending.is_symmetric()) {
            return Err(contradiction(format!("its header is not that of {name}")));
        }
        let side = |index: usize| {
            let at = SIDES_AT + index * SIDE_BYTES;
            SideStatistics {
                coding: Coding { longest_win: bytes[at] },
                longest_at: number(at + 8).min(number(32).saturating_sub(1)),
                codes: (0..256).map(|code| number(at + 16 + 8 * code)).collect(),
            }
        };
        let sides: Vec<_> = (0..sides).map(side).collect();
        if sides.iter().flat_map(|side| &side.codes).any(|&number| number > size as u64) {
            return Err(contradiction("its statistics count more placements than there are".to_owned()));
        }
        Ok(Self { ending, sides, size, file_bytes: number(40) })
    }

    /// The number of blocks of one side.
    pub(super) fn blocks(&self) -> usize {
        self.size.div_ceil(BLOCK)
    }

    /// Bytes of the directory, its checksum included.
    pub(super) fn directory_bytes(&self) -> usize {
        start_bytes(self.size, self.sides.len()) - HEADER_BYTES
    }
}

/// Bytes of header and directory of a file that has `size` values of each of `sides` sides.
pub(super) fn start_bytes(size: usize, sides: usize) -> usize {
    HEADER_BYTES + size.div_ceil(BLOCK) * sides * ENTRY_BYTES + 4
}

/// A block's place in the file.
#[derive(Clone, Copy, Debug)]
pub(super) struct BlockEntry {
    pub(super) offset: u64,
    pub(super) length: u32,
    pub(super) checksum: u32,
}

impl BlockEntry {
    /// The block's bytes in the file.
    pub(super) fn bytes(&self) -> Range<u64> {
        self.offset..self.offset + u64::from(self.length)
    }
}

/// Reads the directory of blocks, which follows the header.
pub(super) fn parse_directory(header: &Header, bytes: &[u8]) -> Result<Vec<BlockEntry>, FormatError> {
    let (entries, checksum) = bytes.split_at(bytes.len().saturating_sub(4));
    if hash(entries).to_le_bytes() != checksum {
        return Err(FormatError::Checksum { part: "the directory".to_owned() });
    }
    let mut offset = (HEADER_BYTES + bytes.len()) as u64;
    let (entries, _) = entries.as_chunks::<ENTRY_BYTES>();
    let directory: Vec<BlockEntry> = entries
        .iter()
        .map(|&[a, b, c, d, e, f, g, h]| {
            let length = u32::from_le_bytes([a, b, c, d]);
            let entry = BlockEntry { offset, length, checksum: u32::from_le_bytes([e, f, g, h]) };
            offset += u64::from(length);
            entry
        })
        .collect();
    if directory.iter().any(|entry| !(1..=BLOCK as u32).contains(&entry.length)) {
        let what = format!("its directory has a block with less than 1 or more than {BLOCK} bytes");
        return Err(FormatError::Contradiction { what });
    }
    if offset != header.file_bytes || directory.len() != header.blocks() * header.sides.len() {
        return Err(FormatError::Contradiction { what: "its directory does not fit its length".to_owned() });
    }
    Ok(directory)
}

/// Compresses a block: one of equal values to that value; one that does not shrink stays as it is.
fn compress(block: &[u8]) -> Vec<u8> {
    if block.iter().all(|code| *code == block[0]) {
        return vec![block[0]];
    }
    let compressed = lz4_flex::block::compress(block);
    if compressed.len() < block.len() { compressed } else { block.to_vec() }
}

/// The values of a block; `None` if it is damaged.
pub(super) fn decompress(bytes: &[u8], entry: &BlockEntry, length: usize) -> Option<[u8; BLOCK]> {
    if hash(bytes) != entry.checksum {
        return None;
    }
    let mut block = [0; BLOCK];
    match *bytes {
        [code] => block[..length].fill(code),
        _ if bytes.len() == length => block[..length].copy_from_slice(bytes),
        _ => {
            let written = lz4_flex::block::decompress_into(bytes, &mut block[..length]).ok()?;
            if written != length {
                return None;
            }
        }
    }
    Some(block)
}

/// Encodes a file in slices.
pub(super) struct Encoder {
    values: Values,
    /// The number of the next block, counted over both sides.
    block: usize,
    directory: Vec<u8>,
    blocks: Vec<u8>,
}

impl Encoder {
    /// Blocks in a slice, which takes some milliseconds.
    const SLICE: usize = 512;

    pub(super) fn new(values: Values) -> Self {
        Self { values, block: 0, directory: Vec::new(), blocks: Vec::new() }
    }

    fn sides(&self) -> &'static [Color] {
        if self.values.ending.is_symmetric() { &Color::ALL[..1] } else { &Color::ALL }
    }

    /// Compresses the blocks of a slice. Returns whether that was the last one.
    pub(super) fn step(&mut self) -> bool {
        let blocks = self.sides().iter().flat_map(|side| self.values.codes[side.index()].chunks(BLOCK));
        let before = self.block;
        for block in blocks.skip(before).take(Self::SLICE) {
            let compressed = compress(block);
            self.directory.extend((compressed.len() as u32).to_le_bytes());
            self.directory.extend(hash(&compressed).to_le_bytes());
            self.blocks.extend(compressed);
            self.block += 1;
        }
        self.block < before + Self::SLICE
    }

    /// The bytes, once all blocks are compressed.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        let sides = self.sides().iter().map(|side| self.values.statistics[side.index()].clone()).collect();
        let Self { values, mut directory, blocks, .. } = self;
        let size = values.indexer.size();
        let mut header = Header { ending: values.ending, sides, size, file_bytes: 0 };
        directory.extend(hash(&directory).to_le_bytes());
        header.file_bytes = (HEADER_BYTES + directory.len() + blocks.len()) as u64;
        let mut bytes = header.to_bytes();
        bytes.extend(directory);
        bytes.extend(blocks);
        bytes
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_impossible_length_are_refused() {
        let ending: Ending = "KMvK".parse().unwrap();
        let size = Indexer::new(&ending).size();
        let sides = vec![SideStatistics::default(); 2];
        let mut header = Header { ending, sides, size, file_bytes: 0 };
        let blocks = 2 * header.blocks();
        let parsed = |header: &mut Header, length: u32| {
            // The first block has this length, the others have 1.
            let lengths = std::iter::once(length).chain(std::iter::repeat_n(1, blocks - 1));
            let mut bytes: Vec<u8> =
                lengths.flat_map(|length| [length.to_le_bytes(), [0; 4]]).flatten().collect();
            bytes.extend(hash(&bytes).to_le_bytes());
            header.file_bytes = (HEADER_BYTES + bytes.len() + blocks - 1) as u64 + u64::from(length);
            parse_directory(header, &bytes).map(|directory| directory.len())
        };
        for length in [1, BLOCK as u32] {
            assert_eq!(parsed(&mut header, length), Ok(blocks));
        }
        for length in [0, BLOCK as u32 + 1, u32::MAX] {
            let error = parsed(&mut header, length).unwrap_err().to_string();
            assert_eq!(error, "its directory has a block with less than 1 or more than 4096 bytes");
        }
    }
}
