//! Reads and writes files of training positions.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::TrainingPosition;
use crate::DataError;

const MAGIC: &[u8; 8] = b"SAKMAKPO";
const VERSION: u32 = 1;
const HEADER: usize = 28;
const CHECKSUM: usize = 4;
/// Positions in a block.
pub const BLOCK: usize = 1 << 16;

/// The length in bytes of a file of `positions` positions.
fn file_length(positions: u64) -> u64 {
    let blocks = positions.div_ceil(BLOCK as u64);
    HEADER as u64 + positions * TrainingPosition::BYTES as u64 + blocks * CHECKSUM as u64
}

fn check_length(found: u64, wanted: u64) -> Result<(), DataError> {
    if found == wanted { Ok(()) } else { Err(DataError::Length { found, wanted }) }
}

fn header(positions: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((TrainingPosition::BYTES as u32).to_le_bytes());
    bytes.extend(positions.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Writes a file of positions.
#[derive(Debug)]
pub struct PositionWriter<W> {
    output: W,
    block: Vec<u8>,
    positions: u64,
    wanted: u64,
}

impl<W: Write> PositionWriter<W> {
    /// Begins a file of `positions` positions.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut output: W, positions: u64) -> io::Result<Self> {
        output.write_all(&header(positions))?;
        Ok(Self { output, block: Vec::new(), positions: 0, wanted: positions })
    }

    /// Adds a position.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, position: &TrainingPosition) -> io::Result<()> {
        self.block.extend(position.to_bytes());
        self.positions += 1;
        if self.block.len() == BLOCK * TrainingPosition::BYTES { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> io::Result<()> {
        let checksum = crc32fast::hash(&self.block).to_le_bytes();
        self.block.extend(checksum);
        let written = self.output.write_all(&self.block);
        self.block.clear();
        written
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written, or another number of positions was pushed than announced.
    pub fn finish(mut self) -> Result<W, DataError> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        check_length(file_length(self.positions), file_length(self.wanted))?;
        self.output.flush()?;
        Ok(self.output)
    }
}

/// A file of training positions, read block by block in any order.
#[derive(Debug)]
pub struct PositionFile {
    path: PathBuf,
    file: File,
    positions: u64,
}

impl PositionFile {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read, is another file, or is not complete.
    pub fn open(path: &Path) -> Result<Self, DataError> {
        let mut file = File::open(path)?;
        let found = file.metadata()?.len();
        let mut bytes = [0; HEADER];
        match file.read_exact(&mut bytes) {
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(error.into());
            }
            _ => {}
        }
        let positions = bytes[16..24].try_into().map_or(0, u64::from_le_bytes);
        if bytes[..] != header(positions) {
            let foreign = "not a file of `sakmak-tools datagen positions`, or of another version";
            return Err(DataError::Header(foreign.to_owned()));
        }
        check_length(found, file_length(positions))?;
        Ok(Self { path: path.to_owned(), file, positions })
    }

    /// The path of the file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The number of positions.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// The number of blocks.
    pub fn blocks(&self) -> usize {
        self.positions.div_ceil(BLOCK as u64) as usize
    }

    /// Appends the positions of a block, counted from 0, to `to`.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read_block(&mut self, block: usize, to: &mut Vec<TrainingPosition>) -> Result<(), DataError> {
        let before = block as u64 * BLOCK as u64;
        let positions = (self.positions.saturating_sub(before)).min(BLOCK as u64) as usize;
        let mut bytes = vec![0; positions * TrainingPosition::BYTES + CHECKSUM];
        let offset = HEADER as u64 + before * TrainingPosition::BYTES as u64 + (block * CHECKSUM) as u64;
        let read = self.file.seek(SeekFrom::Start(offset)).and_then(|_| self.file.read_exact(&mut bytes));
        read?;
        let damaged = || DataError::Block(block + 1);
        let (records, checksum) = bytes.split_at(positions * TrainingPosition::BYTES);
        if checksum != crc32fast::hash(records).to_le_bytes() {
            return Err(damaged());
        }
        for record in records.as_chunks().0 {
            to.push(TrainingPosition::from_bytes(record).ok_or_else(damaged)?);
        }
        Ok(())
    }
}
