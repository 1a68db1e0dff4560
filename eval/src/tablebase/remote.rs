//! Tablebase files whose bytes somebody else fetches: over HTTP, or from a store of the browser.
//!
//! Nothing here reads or waits. [`Tablebases::missing`] names the bytes that a position needs, the caller fetches them
//! and passes them to [`RemoteTables::supply`], and asks again until nothing is missing. Then probes answer. Blocks are
//! decompressed once, when they are supplied.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sakmak_movegen::Position;

use super::ending::Ending;
use super::format::{BLOCK, EXTENSION, Family, FormatError};
use super::probe::{Tablebases, applies};
use super::table::{Place, Table, TableError, TableFault};
use super::values::Value;

/// Blocks that lie no more than this many bytes apart are fetched by one request: a request costs more than they do.
const GAP_BYTES: u64 = 2 << 10;
/// Least size of the store of blocks, a thousand of them. All blocks for a position and its moves fit.
const LEAST_STORE_BYTES: usize = 4 << 20;

/// Bytes that a probe lacks.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WantedBytes {
    /// The name of the file.
    pub file: String,
    /// The bytes of the file.
    pub range: Range<u64>,
}

/// Tablebase files that are fetched piece by piece. This is a handle: clones share what is fetched.
///
/// The file of an ending is unknown until its first bytes come. A file with a fault counts as absent from then on.
#[derive(Clone, Debug)]
pub struct RemoteTables(Arc<Mutex<Store>>);

#[derive(Debug)]
struct Store {
    /// The endings that have a file; `None` if that is not known.
    served: Option<BTreeSet<String>>,
    /// By the name of the ending.
    files: BTreeMap<String, RemoteFile>,
    blocks: BlockStore,
}

#[derive(Debug)]
enum RemoteFile {
    Open(Box<Table>),
    Absent,
}

/// An ending, and a block of its file or its header and directory.
type Want = (String, Option<usize>);

/// An ending and a block of its file.
type BlockKey = (String, usize);

/// The values of a block.
#[derive(Debug)]
struct StoredBlock {
    used: u64,
    values: Box<[u8; BLOCK]>,
}

/// Fetched blocks. Those used longest ago leave first.
#[derive(Debug)]
struct BlockStore {
    blocks: BTreeMap<BlockKey, StoredBlock>,
    /// When a block was used, and which.
    used: BTreeMap<u64, BlockKey>,
    /// Counts the uses.
    clock: u64,
    most_blocks: usize,
}

impl BlockStore {
    fn get(&mut self, key: &BlockKey) -> Option<&[u8; BLOCK]> {
        let block = self.blocks.get_mut(key)?;
        self.clock += 1;
        if let Some(key) = self.used.remove(&block.used) {
            self.used.insert(self.clock, key);
        }
        block.used = self.clock;
        Some(&block.values)
    }

    fn insert(&mut self, key: BlockKey, values: Box<[u8; BLOCK]>) {
        self.remove(&key);
        while self.blocks.len() >= self.most_blocks {
            let Some((_, oldest)) = self.used.pop_first() else { break };
            self.remove(&oldest);
        }
        self.clock += 1;
        self.used.insert(self.clock, key.clone());
        self.blocks.insert(key, StoredBlock { used: self.clock, values });
    }

    fn remove(&mut self, key: &BlockKey) {
        if let Some(block) = self.blocks.remove(key) {
            self.used.remove(&block.used);
        }
    }
}

impl Store {
    /// The value of a position from what is fetched. What it lacks is added to `wanted`.
    fn value(&mut self, position: &Position, wanted: Option<&mut BTreeSet<Want>>) -> Option<Value> {
        let ending = Ending::from_position(position)?;
        let canonical = ending.canonical();
        if !applies(Family::from_ending(&canonical), position) {
            return None;
        }
        let name = canonical.to_string();
        let table = match self.files.get(&name) {
            Some(RemoteFile::Open(table)) => table,
            Some(RemoteFile::Absent) => return None,
            None => {
                let may_exist = self.served.as_ref().is_none_or(|served| served.contains(&name));
                if let Some(wanted) = wanted.filter(|_| may_exist) {
                    wanted.insert((name, None));
                }
                return None;
            }
        };
        let Place { side, block, index } = table.place(position, ending != canonical)?;
        let key = (name, block);
        let Some(values) = self.blocks.get(&key) else {
            if let Some(wanted) = wanted {
                wanted.insert((key.0, Some(block)));
            }
            return None;
        };
        Some(table.decode(side, values[index]))
    }

    /// The byte ranges of what is wanted, neighbours as one.
    fn ranges(&self, wanted: BTreeSet<Want>) -> Vec<WantedBytes> {
        let mut all: Vec<WantedBytes> = Vec::new();
        for (name, block) in wanted {
            let range = match (block, self.files.get(&name)) {
                (None, _) => name.parse().ok().map(|ending| 0..Table::start_bytes(&ending)),
                (Some(block), Some(RemoteFile::Open(table))) => table.block_bytes(block),
                (Some(_), _) => None,
            };
            let Some(range) = range else { continue };
            let file = format!("{name}.{EXTENSION}");
            match all.last_mut() {
                // The blocks of a file come in their order.
                Some(last) if last.file == file && range.start <= last.range.end + GAP_BYTES => {
                    last.range.end = range.end;
                }
                _ => all.push(WantedBytes { file, range }),
            }
        }
        all
    }

    fn supply(
        &mut self,
        name: &str,
        wanted: &WantedBytes,
        bytes: &[u8],
        file_bytes: Option<u64>,
    ) -> Result<(), TableFault> {
        let answer = TableFault::Answer {
            found: bytes.len() as u64,
            expected: wanted.range.end.saturating_sub(wanted.range.start),
        };
        match self.files.get(name) {
            Some(RemoteFile::Absent) => Ok(()),
            None => {
                let ending = name.parse().map_err(|_| FormatError::Foreign)?;
                if wanted.range.start != 0 {
                    // Blocks that were asked for before the file became absent, which has been forgotten since.
                    return Ok(());
                }
                let table = Box::new(Table::from_start(&ending, bytes, file_bytes)?);
                self.files.insert(name.to_owned(), RemoteFile::Open(table));
                Ok(())
            }
            Some(RemoteFile::Open(table)) => {
                if let Some(found) = file_bytes.filter(|&found| found != table.size()) {
                    return Err(FormatError::Length { found, expected: table.size() }.into());
                }
                if wanted.range.start == 0 {
                    // Asked for twice.
                    return Ok(());
                }
                if bytes.len() as u64 != wanted.range.end.saturating_sub(wanted.range.start) {
                    return Err(answer);
                }
                for (block, range) in table.blocks_within(&wanted.range) {
                    let part = |at: u64| usize::try_from(at - wanted.range.start).unwrap_or(usize::MAX);
                    let Some(bytes) = bytes.get(part(range.start)..part(range.end)) else { continue };
                    let Some(values) = table.unpack(block, bytes) else {
                        let part = format!("block {block}");
                        return Err(FormatError::Checksum { part }.into());
                    };
                    self.blocks.insert((name.to_owned(), block), Box::new(values));
                }
                Ok(())
            }
        }
    }
}

impl RemoteTables {
    /// Files of which nothing is fetched yet. `served` are the endings that have a file, if that is known: others are
    /// not asked for. At most `store_bytes` of decompressed blocks are kept, but at least 4 MiB.
    pub fn new(served: Option<&[Ending]>, store_bytes: usize) -> Self {
        let blocks = BlockStore {
            blocks: BTreeMap::new(),
            used: BTreeMap::new(),
            clock: 0,
            most_blocks: store_bytes.max(LEAST_STORE_BYTES) / BLOCK,
        };
        let name = |ending: &Ending| ending.canonical().to_string();
        let served = served.map(|endings| endings.iter().map(name).collect());
        Self(Arc::new(Mutex::new(Store { served, files: BTreeMap::new(), blocks })))
    }

    fn store(&self) -> MutexGuard<'_, Store> {
        lock(&self.0)
    }

    /// Takes bytes of a file: those of `wanted`, which [`Tablebases::missing`] has given. Their checksums are verified.
    /// `file_bytes` is the size of the whole file, if the answer says it.
    ///
    /// # Errors
    /// If the bytes are not those of a sound file, are too few or too many, or those of a file of another size than
    /// before. The file counts as absent from then on; further bytes of it are ignored.
    pub fn supply(
        &self,
        wanted: &WantedBytes,
        bytes: &[u8],
        file_bytes: Option<u64>,
    ) -> Result<(), TableError> {
        let name = ending_of(&wanted.file);
        let result = self.store().supply(name, wanted, bytes, file_bytes);
        result.map_err(|fault| {
            self.set_absent(&wanted.file);
            TableError { path: PathBuf::from(&wanted.file), fault }
        })
    }

    /// Takes a file as absent: it does not exist or cannot be fetched.
    pub fn set_absent(&self, file: &str) {
        let mut store = self.store();
        let name = ending_of(file);
        store.files.insert(name.to_owned(), RemoteFile::Absent);
        let of_file: Vec<_> = store.blocks.blocks.keys().filter(|key| key.0 == name).cloned().collect();
        for key in of_file {
            store.blocks.remove(&key);
        }
    }

    /// Forgets which files are absent, so that they are asked for again.
    pub fn forget_absent(&self) {
        self.store().files.retain(|_, file| matches!(file, RemoteFile::Open(_)));
    }

    /// The endings whose file is known, and their sizes in bytes.
    pub fn endings(&self) -> Vec<(Ending, u64)> {
        let size = |file: &RemoteFile| match file {
            RemoteFile::Open(table) => Some((table.header.ending.clone(), table.size())),
            RemoteFile::Absent => None,
        };
        self.store().files.values().filter_map(size).collect()
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn ending_of(file: &str) -> &str {
    file.strip_suffix(EXTENSION).and_then(|name| name.strip_suffix('.')).unwrap_or(file)
}

/// Probes remote files.
#[derive(Clone, Debug)]
pub(super) struct RemoteProber {
    tables: RemoteTables,
    /// What the probes have lacked; `None` if nobody asks. It is not part of the store, which other threads use.
    wanted: Option<Arc<Mutex<BTreeSet<Want>>>>,
}

impl RemoteProber {
    pub(super) fn records(&self) -> bool {
        self.wanted.is_some()
    }

    #[cold]
    pub(super) fn value(&self, position: &Position) -> Option<Value> {
        let mut wanted = self.wanted.as_deref().map(lock);
        self.tables.store().value(position, wanted.as_deref_mut())
    }
}

impl Tablebases {
    /// The same, which also probe `remote`, or no remote files. Searches do so at the root only.
    #[must_use]
    pub fn with_remote(&self, remote: Option<&RemoteTables>) -> Self {
        let remote = remote.map(|tables| RemoteProber { tables: tables.clone(), wanted: None });
        Self { remote, ..self.clone() }
    }

    /// The remote files.
    pub fn remote(&self) -> Option<&RemoteTables> {
        self.remote.as_ref().map(|remote| &remote.tables)
    }

    /// The bytes of remote files without which the value of a position and its moves is not known. Once they are
    /// supplied, more may be missing. Nothing is if the position's ending itself has no file.
    pub fn missing(&self, position: &Position) -> Vec<WantedBytes> {
        self.missing_for([position])
    }

    /// [`Tablebases::missing`] for several positions at once, in fewer requests. The store surely holds the blocks of one
    /// position, not those of many: blocks that do not fit displace each other, and something may be missing after any
    /// number of rounds. Ask for each position alone, and evaluate it then, if their number has no limit.
    pub fn missing_for<'a>(&self, positions: impl IntoIterator<Item = &'a Position>) -> Vec<WantedBytes> {
        let Some(remote) = self.remote() else { return Vec::new() };
        let wanted = Arc::new(Mutex::new(BTreeSet::new()));
        let prober = RemoteProber { tables: remote.clone(), wanted: Some(Arc::clone(&wanted)) };
        let tables = Self { files: self.files.clone(), remote: Some(prober), ..Self::default() };
        let mut all = BTreeSet::new();
        for position in positions {
            let is_known = tables.probe_uncounted(position).is_some();
            let lacks_block = lock(&wanted).first().is_some_and(|(_, block)| block.is_some());
            if is_known || lacks_block {
                _ = (tables.probe(position), tables.move_values(position));
            }
            all.append(&mut lock(&wanted));
        }
        remote.store().ranges(all)
    }
}
