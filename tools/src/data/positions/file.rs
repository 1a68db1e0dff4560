//! Reads and writes files of training positions.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::TrainingPosition;
use crate::output::{OutputError, OutputFile};

const MAGIC: &[u8; 8] = b"SAKMAKPO";
const VERSION: u32 = 1;
const HEADER: usize = 28;
const CHECKSUM: usize = 4;
/// Positions of a block.
pub const BLOCK: usize = 1 << 16;

/// Why a file of positions cannot be used.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum PositionFileError {
    /// It cannot be read or written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// Some other file, or a version that cannot be read.
    #[error("{}: not a file of `sakmak-tools datagen positions`, or of another version", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
    },
    /// Not all of it is there, or too much.
    #[error("{}: has {found} bytes instead of {wanted}", path.display())]
    Length {
        /// The file.
        path: PathBuf,
        /// Its bytes.
        found: u64,
        /// What its header asks for.
        wanted: u64,
    },
    /// Bytes have changed since they were written.
    #[error("{}: block {block} is damaged", path.display())]
    Damaged {
        /// The file.
        path: PathBuf,
        /// The block, from 1.
        block: usize,
    },
    /// The output cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
}

/// Bytes of a file with so many positions.
fn file_length(positions: u64) -> u64 {
    let blocks = positions.div_ceil(BLOCK as u64);
    HEADER as u64 + positions * TrainingPosition::BYTES as u64 + blocks * CHECKSUM as u64
}

fn header(positions: u64) -> Vec<u8> {
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend((TrainingPosition::BYTES as u32).to_le_bytes());
    bytes.extend(positions.to_le_bytes());
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    bytes
}

/// Writes a file that appears when it is complete.
#[derive(Debug)]
pub struct PositionWriter {
    path: PathBuf,
    draft: crate::output::Draft,
    block: Vec<u8>,
    positions: u64,
    wanted: u64,
}

impl PositionWriter {
    /// A new file for so many positions.
    ///
    /// # Errors
    /// If it exists or cannot be written.
    pub fn create(path: &Path, positions: u64) -> Result<Self, PositionFileError> {
        Self::begin(&OutputFile::create(path)?, positions)
    }

    /// The file of an output that has been checked.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn begin(output: &OutputFile, positions: u64) -> Result<Self, PositionFileError> {
        let path = output.path();
        let mut draft = output.draft()?;
        let written = draft.write_all(&header(positions));
        written.map_err(|error| PositionFileError::Io { path: path.to_owned(), error })?;
        Ok(Self { path: path.to_owned(), draft, block: Vec::new(), positions: 0, wanted: positions })
    }

    /// Adds a position.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, position: &TrainingPosition) -> Result<(), PositionFileError> {
        self.block.extend(position.to_bytes());
        self.positions += 1;
        if self.block.len() == BLOCK * TrainingPosition::BYTES { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<(), PositionFileError> {
        let checksum = crc32fast::hash(&self.block).to_le_bytes();
        self.block.extend(checksum);
        let written = self.draft.write_all(&self.block);
        self.block.clear();
        written.map_err(|error| PositionFileError::Io { path: self.path.clone(), error })
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written, or other positions were pushed than announced.
    pub fn finish(mut self) -> Result<(), PositionFileError> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        if self.positions != self.wanted {
            let (found, wanted) = (file_length(self.positions), file_length(self.wanted));
            return Err(PositionFileError::Length { path: self.path, found, wanted });
        }
        self.draft.commit()?;
        Ok(())
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
    pub fn open(path: &Path) -> Result<Self, PositionFileError> {
        let io_error = |error| PositionFileError::Io { path: path.to_owned(), error };
        let mut file = File::open(path).map_err(io_error)?;
        let found = file.metadata().map_err(io_error)?.len();
        let mut bytes = [0; HEADER];
        match file.read_exact(&mut bytes) {
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => return Err(io_error(error)),
            _ => {}
        }
        let positions = bytes[16..24].try_into().map_or(0, u64::from_le_bytes);
        if bytes[..] != header(positions) {
            return Err(PositionFileError::Foreign { path: path.to_owned() });
        }
        let wanted = file_length(positions);
        if found != wanted {
            return Err(PositionFileError::Length { path: path.to_owned(), found, wanted });
        }
        Ok(Self { path: path.to_owned(), file, positions })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// How many positions it has.
    pub fn positions(&self) -> u64 {
        self.positions
    }

    /// How many blocks it has.
    pub fn blocks(&self) -> usize {
        self.positions.div_ceil(BLOCK as u64) as usize
    }

    /// Adds the positions of a block, counted from 0, to a list.
    ///
    /// # Errors
    /// If it cannot be read or is damaged.
    pub fn read_block(
        &mut self,
        block: usize,
        to: &mut Vec<TrainingPosition>,
    ) -> Result<(), PositionFileError> {
        let before = block as u64 * BLOCK as u64;
        let positions = (self.positions.saturating_sub(before)).min(BLOCK as u64) as usize;
        let mut bytes = vec![0; positions * TrainingPosition::BYTES + CHECKSUM];
        let offset = HEADER as u64 + before * TrainingPosition::BYTES as u64 + (block * CHECKSUM) as u64;
        let read = self.file.seek(SeekFrom::Start(offset)).and_then(|_| self.file.read_exact(&mut bytes));
        read.map_err(|error| PositionFileError::Io { path: self.path.clone(), error })?;
        let damaged = || PositionFileError::Damaged { path: self.path.clone(), block: block + 1 };
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
