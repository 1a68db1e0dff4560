//! One tablebase file.

use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use sakmak_movegen::{Color, Position};

use super::cache::BlockCache;
use super::ending::Ending;
use super::format::{
    BLOCK, BlockEntry, EXTENSION, Family, FormatError, HEADER_BYTES, Header, SideStatistics, decompress,
    parse_directory, start_bytes,
};
use super::index::{Indexer, Placement};
use super::values::{Value, Values};
use crate::regular_file;

/// Why a file is not used as part of the tablebase.
#[derive(Debug, thiserror::Error)]
#[error("{}: {fault}", path.display())]
pub struct TableError {
    /// The file.
    pub path: PathBuf,
    /// What is wrong with it.
    pub fault: TableFault,
}

/// What is wrong with a file.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TableFault {
    /// It cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// Its contents are wrong.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// An answer with bytes of the file is too short or too long.
    #[error("an answer has {found} bytes, not {expected}")]
    Answer {
        /// Bytes of the answer.
        found: u64,
        /// Bytes that were wanted.
        expected: u64,
    },
}

/// Where the bytes of a tablebase file are.
#[derive(Debug)]
enum Bytes {
    File(File),
    Memory(Vec<u8>),
}

impl Bytes {
    fn read(&self, bytes: &mut [u8], offset: u64) -> io::Result<()> {
        match self {
            Self::File(file) => read_at(file, bytes, offset),
            Self::Memory(all) => {
                let start = usize::try_from(offset).unwrap_or(usize::MAX);
                let found = all.get(start..).and_then(|rest| rest.get(..bytes.len()));
                bytes.copy_from_slice(found.ok_or(io::ErrorKind::UnexpectedEof)?);
                Ok(())
            }
        }
    }
}

/// Where a table has the value of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    pub(super) side: Color,
    /// The block, counted over both sides.
    pub(super) block: usize,
    /// The value in the block.
    pub(super) index: usize,
}

/// A tablebase file whose values stay compressed until they are needed.
#[derive(Debug)]
pub(super) struct Table {
    pub(super) path: PathBuf,
    pub(super) header: Header,
    pub(super) family: Family,
    indexer: Indexer,
    bytes: Bytes,
    /// Read with the first probe; `None` if it is damaged.
    directory: OnceLock<Option<Vec<BlockEntry>>>,
    damaged: AtomicBool,
}

/// Fills `bytes` from an offset of a file that several threads read.
#[cfg(unix)]
fn read_at(file: &File, bytes: &mut [u8], offset: u64) -> io::Result<()> {
    std::os::unix::fs::FileExt::read_exact_at(file, bytes, offset)
}

#[cfg(windows)]
fn read_at(file: &File, mut bytes: &mut [u8], mut offset: u64) -> io::Result<()> {
    while !bytes.is_empty() {
        let read = std::os::windows::fs::FileExt::seek_read(file, bytes, offset)?;
        if read == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        offset += read as u64;
        bytes = &mut bytes[read..];
    }
    Ok(())
}

#[cfg(not(any(unix, windows)))]
fn read_at(_: &File, _: &mut [u8], _: u64) -> io::Result<()> {
    Err(io::ErrorKind::Unsupported.into())
}

impl Table {
    /// The name of an ending's tablebase file.
    pub(super) fn file_name(ending: &Ending) -> String {
        format!("{ending}.{EXTENSION}")
    }

    /// Opens a tablebase file and checks its header.
    pub(super) fn open(path: &Path) -> Result<Self, TableError> {
        let open = || -> Result<Self, TableFault> {
            let file = regular_file::open(File::options().read(true), path)?;
            let found = file.metadata()?.len();
            let table = Self::from_bytes(path, Bytes::File(file), found)?;
            let header = &table.header;
            let name = path.file_stem().unwrap_or_default();
            let contradiction = |what: String| TableFault::Format(FormatError::Contradiction { what });
            if name != header.ending.to_string().as_str() {
                return Err(contradiction(format!("it is the table of {}", header.ending)));
            }
            Ok(table)
        };
        open().map_err(|fault| TableError { path: path.to_owned(), fault })
    }

    /// The tablebase file with these bytes.
    pub(super) fn in_memory(bytes: Vec<u8>) -> Result<Self, TableFault> {
        let length = bytes.len() as u64;
        Self::from_bytes(Path::new(""), Bytes::Memory(bytes), length)
    }

    /// The bytes of an ending's file up to the first block: header and directory.
    pub(super) fn start_bytes(ending: &Ending) -> u64 {
        let sides = 2 - usize::from(ending.is_symmetric());
        start_bytes(Indexer::new(ending).size(), sides) as u64
    }

    /// The file of an ending from its header and directory. It has no blocks: their bytes come to [`Table::unpack`].
    /// `file_bytes` is the size of the file, if it is known.
    pub(super) fn from_start(
        ending: &Ending,
        start: &[u8],
        file_bytes: Option<u64>,
    ) -> Result<Self, TableFault> {
        let header = Header::parse(start)?;
        if header.ending != *ending {
            let what = format!("it is the table of {}", header.ending);
            return Err(FormatError::Contradiction { what }.into());
        }
        let expected = HEADER_BYTES + header.directory_bytes();
        if start.len() != expected {
            return Err(TableFault::Answer { found: start.len() as u64, expected: expected as u64 });
        }
        let directory = parse_directory(&header, &start[HEADER_BYTES..])?;
        let bytes = Bytes::Memory(start[..HEADER_BYTES].to_vec());
        let found = file_bytes.unwrap_or(header.file_bytes);
        let mut table = Self::from_bytes(Path::new(&Self::file_name(ending)), bytes, found)?;
        table.directory = OnceLock::from(Some(directory));
        Ok(table)
    }

    fn from_bytes(path: &Path, bytes: Bytes, found: u64) -> Result<Self, TableFault> {
        let mut start = vec![0; HEADER_BYTES.min(usize::try_from(found).unwrap_or(HEADER_BYTES))];
        bytes.read(&mut start, 0)?;
        let header = Header::parse(&start)?;
        if found != header.file_bytes {
            return Err(FormatError::Length { found, expected: header.file_bytes }.into());
        }
        let indexer = Indexer::new(&header.ending);
        let family = Family::from_ending(&header.ending);
        let (directory, damaged) = Default::default();
        Ok(Self { path: path.to_owned(), header, family, indexer, bytes, directory, damaged })
    }

    /// The statistics for a side to move.
    pub(super) fn statistics(&self, side: Color) -> &SideStatistics {
        &self.header.sides[side.index().min(self.header.sides.len() - 1)]
    }

    /// Whether part of the file was found damaged. Such a file gives no more values.
    pub(super) fn is_damaged(&self) -> bool {
        self.damaged.load(Relaxed)
    }

    fn damage(&self) {
        self.damaged.store(true, Relaxed);
    }

    /// Bytes of the file.
    pub(super) fn size(&self) -> u64 {
        self.header.file_bytes
    }

    /// The blocks' places in the file; `None` if the directory is damaged.
    pub(super) fn directory(&self) -> Option<&[BlockEntry]> {
        let read = || {
            let mut bytes = vec![0; self.header.directory_bytes()];
            self.bytes.read(&mut bytes, HEADER_BYTES as u64).ok()?;
            parse_directory(&self.header, &bytes).ok()
        };
        self.directory.get_or_init(read).as_deref()
    }

    fn read_block(&self, block: usize) -> Option<[u8; BLOCK]> {
        let entry = self.directory()?.get(block)?;
        // No block is longer than its values.
        let mut bytes = [0; BLOCK];
        let bytes = bytes.get_mut(..entry.length as usize)?;
        self.bytes.read(bytes, entry.offset).ok()?;
        self.unpack(block, bytes)
    }

    /// The values of a block from its bytes in the file; `None` if these are damaged.
    pub(super) fn unpack(&self, block: usize, bytes: &[u8]) -> Option<[u8; BLOCK]> {
        let entry = self.directory()?.get(block)?;
        let first = block % self.header.blocks() * BLOCK;
        decompress(bytes, entry, (self.indexer.size() - first).min(BLOCK))
    }

    /// The bytes of a block in the file.
    pub(super) fn block_bytes(&self, block: usize) -> Option<Range<u64>> {
        self.directory()?.get(block).map(BlockEntry::bytes)
    }

    /// The blocks whose bytes in the file all lie in a range.
    pub(super) fn blocks_within(&self, range: &Range<u64>) -> Vec<(usize, Range<u64>)> {
        let directory = self.directory().unwrap_or_default();
        let first = directory.partition_point(|entry| entry.offset < range.start);
        let bytes = directory[first..].iter().map(BlockEntry::bytes);
        (first..).zip(bytes.take_while(|bytes| bytes.end <= range.end)).collect()
    }

    /// Where the table has the value of a position of the file's ending, or with `flipped` of that with colours
    /// exchanged; `None` if it has none.
    #[inline]
    pub(super) fn place(&self, position: &Position, flipped: bool) -> Option<Place> {
        let side = position.side_to_move();
        // A symmetric ending has the values for White to move only.
        let flipped = flipped || side == Color::Black && self.header.sides.len() == 1;
        let number = self.indexer.number(&Placement::new(position, &self.header.ending, flipped))?;
        let side = if flipped { !side } else { side };
        Some(Place {
            side,
            block: side.index() * self.header.blocks() + number / BLOCK,
            index: number % BLOCK,
        })
    }

    /// What a code of the table means.
    #[inline]
    pub(super) fn decode(&self, side: Color, code: u8) -> Value {
        self.statistics(side).coding().value(code)
    }

    /// The value of a position of the file's ending, or with `flipped` of that with colours exchanged; `None` if it has
    /// none, or the file is damaged. `id` is the file's number in the cache.
    #[inline]
    pub(super) fn probe(
        &self,
        id: u32,
        position: &Position,
        flipped: bool,
        cache: &BlockCache,
    ) -> Option<Value> {
        let Place { side, block, index } = self.place(position, flipped)?;
        // Twenty bits are enough for the blocks of both sides.
        let key = (id + 1) << 20 | block as u32;
        let code = match cache.get(key, index) {
            Some(code) => code,
            None => self.load(key, block, cache)?[index],
        };
        Some(self.decode(side, code))
    }

    /// The number of numbered placements.
    pub(super) fn placements(&self) -> usize {
        self.indexer.size()
    }

    /// The placement of a number.
    pub(super) fn placement(&self, number: usize) -> Option<Placement> {
        (number < self.indexer.size()).then(|| self.indexer.placement(number))
    }

    /// A placement with the longest win or loss.
    pub(super) fn longest(&self, side: Color) -> Placement {
        self.indexer.placement(self.statistics(side).longest_at())
    }

    #[cold]
    fn load(&self, key: u32, block: usize, cache: &BlockCache) -> Option<[u8; BLOCK]> {
        if self.is_damaged() {
            return None;
        }
        let values = self.read_block(block);
        match &values {
            Some(values) => cache.insert(key, values),
            None => self.damage(),
        }
        values
    }

    /// Reads all values.
    pub(super) fn read(&self) -> Result<Values, TableError> {
        let size = self.indexer.size();
        let mut codes = [Vec::new(), Vec::new()];
        for side in Color::ALL.into_iter().take(self.header.sides.len()) {
            let codes = &mut codes[side.index()];
            let memory = |_| io::Error::from(io::ErrorKind::OutOfMemory);
            let fault = |fault| TableError { path: self.path.clone(), fault };
            codes.try_reserve_exact(size).map_err(|error| fault(memory(error).into()))?;
            for block in 0..self.header.blocks() {
                let Some(values) = self.read_block(side.index() * self.header.blocks() + block) else {
                    self.damage();
                    let part = format!("block {block} for {side} to move");
                    return Err(fault(FormatError::Checksum { part }.into()));
                };
                codes.extend_from_slice(&values[..(size - block * BLOCK).min(BLOCK)]);
            }
        }
        let statistics = Color::ALL.map(|side| self.statistics(side).clone());
        let (ending, indexer) = (self.header.ending.clone(), self.indexer.clone());
        Ok(Values { ending, indexer, codes, statistics })
    }
}
