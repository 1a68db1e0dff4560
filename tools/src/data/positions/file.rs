//! Reads and writes files of training positions.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, ensure};

use super::TrainingPosition;
use crate::output::OutputFile;

const MAGIC: &[u8; 8] = b"SAKMAKPO";
const VERSION: u32 = 1;
const HEADER: usize = 28;
const CHECKSUM: usize = 4;
/// Positions of a block.
pub const BLOCK: usize = 1 << 16;

/// Bytes of a file with so many positions.
fn file_length(positions: u64) -> u64 {
    let blocks = positions.div_ceil(BLOCK as u64);
    HEADER as u64 + positions * TrainingPosition::BYTES as u64 + blocks * CHECKSUM as u64
}

fn check_length(path: &Path, found: u64, wanted: u64) -> Result<()> {
    ensure!(found == wanted, "{}: has {found} bytes instead of {wanted}", path.display());
    Ok(())
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
    pub fn create(path: &Path, positions: u64) -> Result<Self> {
        Self::begin(&OutputFile::create(path)?, positions)
    }

    /// The file of an output that has been checked.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn begin(output: &OutputFile, positions: u64) -> Result<Self> {
        let path = output.path();
        let mut draft = output.draft()?;
        let written = draft.write_all(&header(positions));
        written.with_context(|| path.display().to_string())?;
        Ok(Self { path: path.to_owned(), draft, block: Vec::new(), positions: 0, wanted: positions })
    }

    /// Adds a position.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn push(&mut self, position: &TrainingPosition) -> Result<()> {
        self.block.extend(position.to_bytes());
        self.positions += 1;
        if self.block.len() == BLOCK * TrainingPosition::BYTES { self.end_block() } else { Ok(()) }
    }

    fn end_block(&mut self) -> Result<()> {
        let checksum = crc32fast::hash(&self.block).to_le_bytes();
        self.block.extend(checksum);
        let written = self.draft.write_all(&self.block);
        self.block.clear();
        written.with_context(|| self.path.display().to_string())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If it cannot be written, or other positions were pushed than announced.
    pub fn finish(mut self) -> Result<()> {
        if !self.block.is_empty() {
            self.end_block()?;
        }
        check_length(&self.path, file_length(self.positions), file_length(self.wanted))?;
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
    pub fn open(path: &Path) -> Result<Self> {
        let name = || path.display().to_string();
        let mut file = File::open(path).with_context(name)?;
        let found = file.metadata().with_context(name)?.len();
        let mut bytes = [0; HEADER];
        match file.read_exact(&mut bytes) {
            Err(error) if error.kind() != io::ErrorKind::UnexpectedEof => {
                return Err(error).with_context(name);
            }
            _ => {}
        }
        let positions = bytes[16..24].try_into().map_or(0, u64::from_le_bytes);
        ensure!(
            bytes[..] == header(positions),
            "{}: not a file of `sakmak-tools datagen positions`, or of another version",
            path.display()
        );
        check_length(path, found, file_length(positions))?;
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
    pub fn read_block(&mut self, block: usize, to: &mut Vec<TrainingPosition>) -> Result<()> {
        let before = block as u64 * BLOCK as u64;
        let positions = (self.positions.saturating_sub(before)).min(BLOCK as u64) as usize;
        let mut bytes = vec![0; positions * TrainingPosition::BYTES + CHECKSUM];
        let offset = HEADER as u64 + before * TrainingPosition::BYTES as u64 + (block * CHECKSUM) as u64;
        let read = self.file.seek(SeekFrom::Start(offset)).and_then(|_| self.file.read_exact(&mut bytes));
        read.with_context(|| self.path.display().to_string())?;
        let damaged = || anyhow!("{}: block {} is damaged", self.path.display(), block + 1);
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
