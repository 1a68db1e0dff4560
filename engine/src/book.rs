//! Opening books: positions with their moves, and for each move games, results and score.
//!
//! `docs/openings.md` describes the file. A [`Book`] checks all of it when it is read, so that looking up a position
//! cannot fail. `sakmak-tools book build` makes such files.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::Read;
use std::path::Path;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::regular_file;
use sakmak_movegen::{Move, Position, Variant};

use crate::file_error::FileError;

const MAGIC: [u8; 8] = *b"SAKMAKOB";
const VERSION: u16 = 1;
/// Magic, version, variant, a zero, and the lengths of text, index and records.
const HEADER: usize = 24;
/// Key and offset of the record.
const INDEX: usize = 12;
const CHECKSUM: usize = 4;
/// The score of a move or position without one.
const NO_SCORE: i16 = i16::MIN;

/// The variants by their numbers in a file.
const VARIANTS: [Variant; 3] = [Variant::Makruk, Variant::Cambodian, Variant::Makpong];

/// A move of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BookMove {
    /// The move.
    pub mv: Move,
    /// Its score in internal units for the side that makes it, by minimax over the book; `None` if only games have it.
    pub score: Option<i32>,
    /// Games with the move that White won, that were drawn, and that Black won.
    pub results: [u64; 3],
}

impl BookMove {
    /// The number of games.
    pub fn games(&self) -> u64 {
        self.results.iter().sum()
    }
}

/// A position of a book.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BookPosition {
    /// The score in internal units for the side to move, by minimax over the book; `None` if it was not searched.
    pub score: Option<i32>,
    /// Depth of the position's own search, in plies; 0 if it was not searched.
    pub depth: u32,
    /// Nodes of the position's own search, in thousands.
    pub kilonodes: u64,
    /// The moves: those with scores first, the best one first; then those that only games have, by games.
    pub moves: Vec<BookMove>,
}

impl BookPosition {
    /// Puts the moves into the order of the file.
    pub fn sort(&mut self) {
        let rank = |mv: &BookMove| (mv.score.is_none(), -mv.score.unwrap_or(0));
        self.moves.sort_by_key(|mv| (rank(mv), std::cmp::Reverse(mv.games()), mv.mv.bits()));
    }
}

/// An opening book in memory.
#[derive(Clone, PartialEq, Eq)]
pub struct Book {
    bytes: Vec<u8>,
    variant: Variant,
    /// Where the index begins, in bytes.
    index: usize,
    positions: usize,
}

impl fmt::Debug for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Book({} positions of {})", self.positions, self.variant.name())
    }
}

/// A reader of little-endian numbers.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (first, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(*first)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take::<1>().map(|[byte]| byte)
    }

    fn short(&mut self) -> Option<u16> {
        self.take().map(u16::from_le_bytes)
    }

    fn score(&mut self) -> Option<Option<i32>> {
        let score = self.take().map(i16::from_le_bytes)?;
        Some((score != NO_SCORE).then_some(score.into()))
    }

    fn long(&mut self) -> Option<u32> {
        self.take().map(u32::from_le_bytes)
    }

    /// A number in LEB128: seven bits a byte, the lowest first; the high bit says that more follow.
    fn varied(&mut self) -> Option<u64> {
        let mut number = 0;
        for shift in (0..63).step_by(7) {
            let byte = self.byte()?;
            number |= u64::from(byte & 0x7f) << shift;
            if byte & 0x80 == 0 {
                return Some(number);
            }
        }
        None
    }

    fn position(&mut self) -> Option<BookPosition> {
        let count = self.byte()?;
        let depth = self.byte()?.into();
        let score = self.score()?;
        let kilonodes = self.varied()?;
        let mut moves = Vec::with_capacity(count.into());
        for _ in 0..count {
            let mv = Move::from_bits(self.short()?)?;
            let score = self.score()?;
            let results = [self.varied()?, self.varied()?, self.varied()?];
            moves.push(BookMove { mv, score, results });
        }
        Some(BookPosition { score, depth, kilonodes, moves })
    }
}

fn push_varied(bytes: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn push_score(bytes: &mut Vec<u8>, score: Option<i32>) {
    let score = score.map_or(NO_SCORE, |score| score.clamp(-32_767, 32_767) as i16);
    bytes.extend(score.to_le_bytes());
}

/// The bytes of a book. `text` describes how it was made; it is for people.
///
/// # Errors
/// If a position has more than 255 moves, or the file would be larger than 4 GB.
pub fn encode(
    variant: Variant,
    text: &str,
    positions: &BTreeMap<u64, BookPosition>,
) -> Result<Vec<u8>, FileError> {
    let small = |length: usize, what| u32::try_from(length).map_err(|_| FileError::TooLarge(what));
    let (mut index, mut records) = (Vec::new(), Vec::new());
    for (key, position) in positions {
        index.extend(key.to_le_bytes());
        index.extend(small(records.len(), "the records")?.to_le_bytes());
        let count = u8::try_from(position.moves.len());
        records.push(count.map_err(|_| FileError::TooLarge("a position has more than 255 moves"))?);
        records.push(position.depth.min(255) as u8);
        push_score(&mut records, position.score);
        push_varied(&mut records, position.kilonodes);
        for BookMove { mv, score, results } in &position.moves {
            records.extend(mv.bits().to_le_bytes());
            push_score(&mut records, *score);
            results.iter().for_each(|&number| push_varied(&mut records, number));
        }
    }
    let number = VARIANTS.iter().position(|&known| known == variant).unwrap_or_default();
    let mut bytes = MAGIC.to_vec();
    bytes.extend(VERSION.to_le_bytes());
    bytes.extend([number as u8, 0]);
    bytes.extend(small(text.len(), "the text")?.to_le_bytes());
    bytes.extend(small(positions.len(), "the positions")?.to_le_bytes());
    bytes.extend(small(records.len(), "the records")?.to_le_bytes());
    bytes.extend(text.as_bytes());
    bytes.extend(index);
    bytes.extend(records);
    bytes.extend(crc32fast::hash(&bytes).to_le_bytes());
    Ok(bytes)
}

impl Book {
    /// Reads a book from a file.
    ///
    /// # Errors
    /// If it cannot be read, is no regular file, or is no sound book.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let mut bytes = Vec::new();
        regular_file::open(File::options().read(true), path)?.read_to_end(&mut bytes)?;
        Self::from_bytes(bytes)
    }

    /// Reads a book.
    ///
    /// # Errors
    /// If the bytes are not those of a sound book.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self, FileError> {
        if !bytes.starts_with(&MAGIC) {
            return Err(FileError::Foreign(if is_polyglot(&bytes) {
                "looks like a Polyglot book, which is not read"
            } else {
                "no opening book of Sakmak"
            }));
        }
        let mut header = Bytes(&bytes[MAGIC.len()..]);
        let version = header.short().ok_or(FileError::Damaged("the header is cut off"))?;
        if version != VERSION {
            return Err(FileError::Version { found: version, known: VERSION });
        }
        let mut numbers =
            || Some((header.byte()?, header.byte()?, header.long()?, header.long()?, header.long()?));
        let (variant, _, text, positions, records) =
            numbers().ok_or(FileError::Damaged("the header is cut off"))?;
        let [text, positions, records] = [text, positions, records].map(u64::from);
        let wanted = HEADER as u64 + text + positions * INDEX as u64 + records + CHECKSUM as u64;
        let found = bytes.len() as u64;
        if found != wanted {
            return Err(FileError::Length { found, wanted });
        }
        let body = bytes.len() - CHECKSUM;
        if crc32fast::hash(&bytes[..body]).to_le_bytes() != bytes[body..] {
            return Err(FileError::Damaged("the checksum is wrong"));
        }
        let variant = *VARIANTS.get(usize::from(variant)).ok_or(FileError::Damaged("unknown variant"))?;
        let index = HEADER + text as usize;
        let book = Self { variant, index, positions: positions as usize, bytes };
        book.check()?;
        Ok(book)
    }

    /// Whether the text is text, the keys rise, and each record ends where the next one begins.
    fn check(&self) -> Result<(), FileError> {
        if std::str::from_utf8(&self.bytes[HEADER..self.index]).is_err() {
            return Err(FileError::Damaged("the text is not UTF-8"));
        }
        let mut records = Bytes(self.records());
        let length = records.0.len();
        let mut before = None;
        for number in 0..self.positions {
            let (key, offset) = self.entry(number);
            if before.is_some_and(|before| before >= key) {
                return Err(FileError::Damaged("the positions are not sorted"));
            }
            before = Some(key);
            if offset != length - records.0.len() || records.position().is_none() {
                return Err(FileError::Damaged("a record is wrong"));
            }
        }
        if records.0.is_empty() { Ok(()) } else { Err(FileError::Damaged("bytes after the last record")) }
    }

    fn records(&self) -> &[u8] {
        &self.bytes[self.index + self.positions * INDEX..self.bytes.len() - CHECKSUM]
    }

    /// Key and offset of a position, by its number.
    fn entry(&self, number: usize) -> (u64, usize) {
        let at = self.index + number * INDEX;
        let mut entry = Bytes(&self.bytes[at..at + INDEX]);
        let key = entry.take().map_or(0, u64::from_le_bytes);
        (key, entry.long().unwrap_or(0) as usize)
    }

    /// The bytes of the file.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The variant whose positions these are.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// How the book was made, for people.
    pub fn text(&self) -> &str {
        std::str::from_utf8(&self.bytes[HEADER..self.index]).unwrap_or_default()
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.positions
    }

    /// Whether there is no position.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// The keys and positions of the file in its order, with all their moves, legal or not.
    pub fn entries(&self) -> impl Iterator<Item = (u64, BookPosition)> {
        (0..self.positions).map(|number| {
            let (key, offset) = self.entry(number);
            (key, Bytes(&self.records()[offset..]).position().unwrap_or_default())
        })
    }

    /// Looks up a position by [`Position::moves_key`], with its legal moves; `None` if it is not in the book, has
    /// another variant, or a count runs.
    pub fn position(&self, position: &Position) -> Option<BookPosition> {
        if position.rules().variant != self.variant || position.count().is_running() {
            return None;
        }
        let key = position.moves_key();
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low.midpoint(high);
            if self.entry(middle).0 < key { low = middle + 1 } else { high = middle }
        }
        let (found, offset) = if low < self.positions { self.entry(low) } else { return None };
        let mut record = Bytes(&self.records()[offset..]);
        let mut entry = record.position().filter(|_| found == key)?;
        // Two positions may have one key.
        entry.moves.retain(|mv| position.is_legal(mv.mv));
        (!entry.moves.is_empty()).then_some(entry)
    }

    /// A move to play: one of those with scores that are at most `margin` internal units worse than the best one,
    /// drawn by weight. The weight is the distance to the margin's edge times the root of the games. With a margin of 0
    /// it is the best move. In a position without scores the games alone are the weights; with a margin of 0, the move
    /// of most games is chosen. The same seed draws the same move.
    pub fn choose(&self, position: &Position, margin: i32, seed: u64) -> Option<BookMove> {
        let moves = self.position(position)?.moves;
        let first = *moves.first()?;
        if margin <= 0 {
            return Some(first);
        }
        let weight = |mv: &BookMove| match (first.score, mv.score) {
            (Some(best), Some(score)) => {
                let left = margin.saturating_add(1).saturating_sub(best - score).max(0);
                left as u64 * (1 + mv.games().min(1 << 40).isqrt())
            }
            (Some(_), None) => 0,
            (None, _) => mv.games().min(1 << 40),
        };
        let total: u64 = moves.iter().map(weight).sum();
        if total == 0 {
            return Some(first);
        }
        let mut left = ChaCha8Rng::seed_from_u64(seed).random_range(0..total);
        for mv in moves {
            match left.checked_sub(weight(&mv)) {
                Some(rest) => left = rest,
                None => return Some(mv),
            }
        }
        Some(first)
    }
}

/// Whether the bytes are sorted records of 16 bytes with big-endian keys, as in a Polyglot book.
fn is_polyglot(bytes: &[u8]) -> bool {
    let (records, rest) = bytes.as_chunks::<16>();
    rest.is_empty() && records.len() > 1 && records.is_sorted_by_key(|record| &record[..8])
}

#[cfg(test)]
mod tests;
