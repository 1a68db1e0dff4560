//! The tablebase files of some folders, and their values for positions.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicU16;

use sakmak_movegen::rules::{Claim, CountStarted, DeadMaterial, DrawInstant};
use sakmak_movegen::{Color, CountingSystem, Move, Piece, PieceKind, Position, Rules, Setup, Variant};

use super::cache::BlockCache;
use super::dtm::{DtmTables, Waiting};
use super::ending::Ending;
use super::format::{EXTENSION, Family, SideStatistics};
use super::index::Placement;
use super::remote::RemoteProber;
use super::table::{Table, TableError};
use super::values::Value;

/// Size of the cache of decompressed blocks that all threads share, in bytes.
const CACHE_BYTES: usize = 64 << 20;

/// Tablebase files, those that somebody else fetches ([`RemoteTables`](super::RemoteTables)), and the endings of up to
/// two men against a bare khun, which are solved in memory where there is no file.
/// This is a handle: clones share the files and their cache.
#[derive(Clone, Default, Debug)]
pub struct Tablebases {
    pub(super) files: Option<Arc<Files>>,
    pub(super) remote: Option<RemoteProber>,
    pub(super) dtm: DtmTables,
    /// What a probe does about a pair that is not solved yet.
    pub(super) pairs: Waiting,
    /// What a probe does about another unsolved ending in memory, which takes longer.
    pub(super) others: Waiting,
    /// Whether a probe that would solve an ending notes it in `missed` instead.
    pub(super) defers: bool,
    pub(super) missed: Arc<AtomicU16>,
}

#[derive(Debug)]
pub(super) struct Files {
    tables: Vec<Table>,
    /// By material, with the file's index and whether it has the colours exchanged; sorted.
    by_material: Vec<(u32, u8, bool)>,
    most_men: usize,
    cache: BlockCache,
}

/// The value of a position.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Probe {
    /// For the side to move, with the count of the position.
    pub value: Value,
    /// The value if no count cut it off.
    pub uncounted: Value,
    /// Plies that the count leaves; `None` if none is running. A win may take one more.
    pub left: Option<i32>,
    /// Whether the plies are those to mate, not to another decision.
    pub to_mate: bool,
}

/// The value of a legal move for the side that makes it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MoveValue {
    /// The move.
    pub mv: Move,
    /// The value for the side that makes it, the move itself included in the plies.
    pub value: Value,
    /// If the move decides by beginning a new ending: plies from there to the win or the next decision.
    pub then: Option<u16>,
    /// Whether the plies are those to mate, not to another decision.
    pub to_mate: bool,
}

impl MoveValue {
    /// Orders moves from best to worst: the soonest win first, then draws, then the longest loss.
    pub fn rank(&self) -> (i32, i32) {
        let then = i32::from(self.then.unwrap_or(0));
        match self.value {
            Value::Win(plies) => (i32::from(plies) - 1_000, then),
            Value::Draw => (0, 0),
            Value::Loss(plies) => (1_000 - i32::from(plies), -then),
        }
    }
}

/// What is known of a tablebase file without looking up values.
#[derive(Clone, Debug)]
pub struct TableInfo {
    /// The ending, as it was asked for.
    pub ending: Ending,
    /// The rules it is true for.
    pub family: Family,
    /// The file.
    pub path: PathBuf,
    /// Bytes on disk.
    pub bytes: u64,
    /// Results by the side to move.
    pub sides: [SideStatistics; 2],
    /// By the side to move, a position with the longest win or loss.
    pub longest: [Position; 2],
}

/// The number of men of each kind, two bits each.
fn material(position: &Position) -> u32 {
    const KINDS: [PieceKind; 5] =
        [PieceKind::Rua, PieceKind::Khon, PieceKind::Maa, PieceKind::Met, PieceKind::Bia];
    Color::ALL
        .into_iter()
        .flat_map(|color| KINDS.map(|kind| (color, kind)))
        .fold(0, |material, (color, kind)| material << 2 | position.pieces(color, kind).len())
}

impl Tablebases {
    /// Opens the tablebase files of some folders. Returns also what is wrong with those that are not used. An ending
    /// found twice is taken from the first folder.
    pub fn open<P: AsRef<Path>>(folders: impl IntoIterator<Item = P>) -> (Self, Vec<TableError>) {
        let mut tables: Vec<Table> = Vec::new();
        let mut errors = Vec::new();
        for folder in folders {
            let folder = folder.as_ref();
            match files_of(folder) {
                Ok(paths) => {
                    for path in paths {
                        match Table::open(&path) {
                            Ok(table)
                                if tables.iter().any(|other| other.header.ending == table.header.ending) => {}
                            Ok(table) => tables.push(table),
                            Err(error) => errors.push(error),
                        }
                    }
                }
                Err(error) => errors.push(TableError { path: folder.to_owned(), fault: error.into() }),
            }
        }
        if tables.is_empty() {
            return (Self::default(), errors);
        }
        let mut by_material = Vec::new();
        for (index, table) in tables.iter().enumerate() {
            let ending = &table.header.ending;
            for (ending, flipped) in [(ending.clone(), false), (ending.flipped(), true)] {
                by_material.push((ending.material(), index as u8, flipped));
            }
        }
        by_material.sort_unstable();
        by_material.dedup_by_key(|entry| entry.0);
        let most_men = tables.iter().map(|table| table.header.ending.men()).max().unwrap_or(0);
        let cache = BlockCache::new(CACHE_BYTES);
        let files = Some(Arc::new(Files { tables, by_material, most_men, cache }));
        (Self { files, ..Self::default() }, errors)
    }

    /// The number of tablebase files.
    pub fn len(&self) -> usize {
        self.files.as_ref().map_or(0, |files| files.tables.len())
    }

    /// Whether there are no tablebase files.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The most men of an ending that has a tablebase file, the khun included; 0 without files.
    pub fn most_men(&self) -> usize {
        self.files.as_ref().map_or(0, |files| files.most_men)
    }

    /// The size of all tablebase files, in bytes.
    pub fn bytes(&self) -> u64 {
        self.files.iter().flat_map(|files| &files.tables).map(Table::size).sum()
    }

    /// The endings that have a tablebase file.
    pub fn endings(&self) -> impl Iterator<Item = &Ending> {
        self.files.iter().flat_map(|files| &files.tables).map(|table| &table.header.ending)
    }

    /// The tablebase files that were found damaged when a value was read, and are no longer used.
    pub fn damaged(&self) -> impl Iterator<Item = &Path> {
        let damaged = |table: &&Table| table.is_damaged();
        self.files.iter().flat_map(|files| &files.tables).filter(damaged).map(|table| table.path.as_path())
    }

    /// Reads the whole file of a canonical ending and compares its checksums. Without such a file all is well.
    ///
    /// # Errors
    /// If part of the file is damaged or cannot be read.
    pub fn verify(&self, ending: &Ending) -> Result<(), TableError> {
        self.table(ending).map_or(Ok(()), |table| table.read().map(drop))
    }

    /// What is known of the file of an ending; `None` without a file.
    pub fn info(&self, ending: &Ending) -> Option<TableInfo> {
        let canonical = ending.canonical();
        let table = self.table(&canonical)?;
        let exchanged = *ending != canonical;
        let side = |side: Color| if exchanged { !side } else { side };
        let longest = |color: Color| {
            let stored = side(color);
            let symmetric = stored == Color::Black && canonical.is_symmetric();
            let stored = if symmetric { Color::White } else { stored };
            let position = position_of(&canonical, &table.longest(stored), stored)?;
            Some(if exchanged || symmetric { position.flipped() } else { position })
        };
        Some(TableInfo {
            ending: ending.clone(),
            family: table.family,
            path: table.path.clone(),
            bytes: table.size(),
            sides: Color::ALL.map(|color| table.statistics(side(color)).clone()),
            longest: [longest(Color::White)?, longest(Color::Black)?],
        })
    }

    /// The number of placements in the file of a canonical ending, illegal ones included; `None` without a file.
    pub fn placements(&self, ending: &Ending) -> Option<u64> {
        Some(self.table(ending)?.placements() as u64)
    }

    /// The position of a numbered placement of a canonical ending, without a count; `None` if it is illegal or there is
    /// no file.
    pub fn position(&self, ending: &Ending, number: u64, side: Color) -> Option<Position> {
        let placement = self.table(ending)?.placement(usize::try_from(number).ok()?)?;
        position_of(ending, &placement, side)
    }

    fn table(&self, ending: &Ending) -> Option<&Table> {
        self.files.as_ref()?.tables.iter().find(|table| table.header.ending == *ending)
    }

    /// The value for the side to move whatever the count; `None` if the ending is not in the tablebase, or where its
    /// rules are not the position's.
    #[inline]
    pub fn probe_uncounted(&self, position: &Position) -> Option<Value> {
        let men = position.occupied().len() as usize;
        if men == 2 {
            return Some(Value::Draw);
        }
        let files = self.files.as_ref().filter(|files| men <= files.most_men);
        files.and_then(|files| files.value(position)).or_else(|| self.value_without_file(position))
    }

    fn value_without_file(&self, position: &Position) -> Option<Value> {
        let remote = self.remote.as_ref().and_then(|remote| remote.value(position));
        remote.or_else(|| self.memory_value(position))
    }

    /// The value of a position for the side to move, its count considered; `None` if the ending is not in the
    /// tablebase, or where its rules are not the position's.
    pub fn probe(&self, position: &Position) -> Option<Probe> {
        self.probe_within(position, 2)
    }

    /// [`Tablebases::probe`], looking up to `plies` plies ahead where one of the next moves will begin a count.
    fn probe_within(&self, position: &Position, plies: u32) -> Option<Probe> {
        let uncounted = self.probe_uncounted(position)?;
        let count = position.count();
        let left = if count.is_unlimited() { None } else { count.remaining() };
        let begins_later = !count.is_running()
            && position.kind(PieceKind::Bia).is_empty()
            && position.occupied().len() > 2
            && position.rules().counting != CountingSystem::None;
        let value = match left {
            Some(left) => counted(uncounted, left, position),
            None if begins_later && plies > 0 && uncounted.plies().is_some_and(|plies| plies > 0) => {
                self.best_move_value(position, plies)?
            }
            None => uncounted,
        };
        Some(Probe { value, uncounted, left: left.map(|left| left.max(0)), to_mate: is_to_mate(position) })
    }

    fn best_move_value(&self, position: &Position, plies: u32) -> Option<Value> {
        let values = self.move_values_within(position, plies - 1)?;
        Some(values.first().map_or(Value::Draw, |best| best.value))
    }

    /// The value of each legal move, best first; `None` if one leads to an ending that is not in the tablebase.
    pub fn move_values(&self, position: &Position) -> Option<Vec<MoveValue>> {
        self.move_values_within(position, 2)
    }

    fn move_values_within(&self, position: &Position, plies: u32) -> Option<Vec<MoveValue>> {
        let value = |mv| {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let value = self.probe_within(&after, plies)?.value;
            let decides = begins_an_ending(position, &after);
            let then = value.plies().filter(|_| decides);
            let value = match value {
                Value::Draw => Value::Draw,
                Value::Loss(_) if decides => Value::Win(1),
                Value::Win(_) if decides => Value::Loss(2),
                Value::Loss(plies) => Value::Win(plies + 1),
                Value::Win(plies) => Value::Loss(plies + 1),
            };
            Some(MoveValue { mv, value, then, to_mate: is_to_mate(position) })
        };
        let moves = position.legal_moves().into_iter();
        let mut values = match &self.remote {
            // What one move lacks does not hide what the others lack.
            Some(remote) if remote.records() => moves.map(value).collect::<Vec<_>>().into_iter().collect(),
            _ => moves.map(value).collect::<Option<Vec<_>>>(),
        }?;
        values.sort_by_key(MoveValue::rank);
        Some(values)
    }
}

impl Files {
    fn value(&self, position: &Position) -> Option<Value> {
        let material = material(position);
        let entry = self.by_material.binary_search_by_key(&material, |entry| entry.0).ok()?;
        let (_, index, flipped) = self.by_material[entry];
        let table = &self.tables[usize::from(index)];
        if !applies(table.family, position) {
            return None;
        }
        table.probe(u32::from(index), position, flipped, &self.cache)
    }
}

/// The files of a folder that are named as tablebase files, sorted.
fn files_of(folder: &Path) -> std::io::Result<Vec<PathBuf>> {
    let mut paths = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.extension().is_some_and(|extension| extension == EXTENSION) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

/// Whether the values of a tablebase file hold under the rules of a position.
pub(super) fn applies(family: Family, position: &Position) -> bool {
    let rules = position.rules();
    if !position.privileged().is_empty() || rules.variant == Variant::Makpong {
        return false;
    }
    match family {
        Family::AnyCount => {
            // Pieces that are dead by the rules of the game end it before the mate that they could give.
            let met = position.kind(PieceKind::Met).len();
            rules.counting != CountingSystem::FiftyMoves
                && (rules.dead_material == DeadMaterial::None || met < 2)
        }
        Family::FairyStockfish => {
            let counts_by_default = rules.variant == Variant::Makruk
                && rules.counting == CountingSystem::FairyStockfish
                && rules.count_started == CountStarted::AUTOMATIC
                && rules.claim == Claim::Automatic
                && rules.draw_instant != DrawInstant::LastMove
                && rules.dead_material == DeadMaterial::None;
            // While bia stand nothing is counted.
            let counts_among_bia = position.count().is_running() && !position.kind(PieceKind::Bia).is_empty();
            counts_by_default && !counts_among_bia
        }
    }
}

/// A value with `left` plies left of the count.
#[inline]
fn counted(value: Value, left: i32, position: &Position) -> Value {
    // The mate may come on the ply after the last. Where draws are claimed, the claim waits for the defender's turn.
    let late = if position.rules().claim == Claim::Manual { 2 } else { 1 };
    match value.plies() {
        Some(plies) if i32::from(plies) > left + late => Value::Draw,
        _ => value,
    }
}

/// Whether the plies of a position's value are those to mate.
fn is_to_mate(position: &Position) -> bool {
    let bare = Color::ALL.into_iter().any(|color| position.is_bare(color));
    bare && position.kind(PieceKind::Bia).is_empty()
}

/// Whether the move between two positions can decide by itself: a capture or promotion among bia, or the capture that
/// bares the side then to move.
fn begins_an_ending(before: &Position, after: &Position) -> bool {
    let captured = before.occupied().len() != after.occupied().len();
    let bia = before.kind(PieceKind::Bia);
    if bia.is_empty() {
        captured && after.is_bare(after.side_to_move())
    } else {
        captured || after.kind(PieceKind::Bia).len() != bia.len()
    }
}

/// The position of a placement, without a count.
fn position_of(ending: &Ending, placement: &Placement, side: Color) -> Option<Position> {
    let khuns = Color::ALL.map(|color| (Piece::new(color, PieceKind::Khun), placement.khuns[color.index()]));
    let men = ending.pieces().iter().copied().zip(placement.men);
    let setup =
        khuns.into_iter().chain(men).fold(Setup::empty(), |setup, (man, square)| setup.piece(square, man));
    let position = setup.side_to_move(side).build(Rules::default()).ok()?;
    // Two men on one square are no position.
    (position.occupied().len() as usize == ending.men()).then_some(position)
}
