//! Files of evaluations: what searches found about many positions, for the root of another search.
//!
//! `docs/evaluations.md` describes the file; `sakmak-tools evals export --engine` writes it. All of a file is checked
//! when it is opened; after that a position is found by a binary search of the file, which stays on the disk.

use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::{Mutex, PoisonError};

use sakmak_eval::regular_file;
use sakmak_movegen::{Move, Position, Rules};

use crate::file_error::FileError;
use crate::position_key::PositionKey;
use crate::rules_key::{read_rules_key, rules_key};
use crate::score::Score;

const MAGIC: [u8; 8] = *b"SAKMAKEV";
const VERSION: u16 = 1;
/// Magic, version, two zeros, the length of the rules, the number of records, and the checksums of the records and of
/// the header with the rules.
const HEADER: usize = 32;
/// Key, best and second best move, score, depth, kind of the score.
const RECORD: usize = 16;
/// Longest text of rules, in bytes.
const MOST_RULES: usize = 4_096;
/// Records read at once.
const BATCH: usize = 4_096;
/// In place of a move that is not known.
const NO_MOVE: u16 = 0;
const CENTIPAWNS: u8 = 0;
const MATE: u8 = 1;

/// What a search found about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Known {
    /// The best move.
    pub best: Move,
    /// The second best move, if the search had two lines.
    pub second: Option<Move>,
    /// The score for the side to move.
    pub score: Score,
    /// The depth in plies.
    pub depth: u32,
}

impl Known {
    /// What a file can hold of it: score and depth within their ranges.
    pub fn limited(self) -> Self {
        let limited = |number: i32| number.clamp(-32_767, 32_767);
        let score = match self.score {
            Score::Centipawns(cp) => Score::Centipawns(limited(cp)),
            Score::Mate(moves) => Score::Mate(limited(moves)),
        };
        Self { score, depth: self.depth.min(255), ..self }
    }

    fn to_bytes(self, key: u64) -> [u8; RECORD] {
        let (kind, score) = match self.limited().score {
            Score::Centipawns(cp) => (CENTIPAWNS, cp),
            Score::Mate(moves) => (MATE, moves),
        };
        let score = score as i16;
        let second = self.second.map_or(NO_MOVE, Move::bits);
        let mut bytes = [0; RECORD];
        bytes[..8].copy_from_slice(&key.to_le_bytes());
        bytes[8..10].copy_from_slice(&self.best.bits().to_le_bytes());
        bytes[10..12].copy_from_slice(&second.to_le_bytes());
        bytes[12..14].copy_from_slice(&score.to_le_bytes());
        bytes[14] = self.limited().depth as u8;
        bytes[15] = kind;
        bytes
    }

    /// `None` if the bytes are not those of a record.
    fn from_bytes(bytes: &[u8; RECORD]) -> Option<Self> {
        let short = |at: usize| u16::from_le_bytes([bytes[at], bytes[at + 1]]);
        let score = i32::from(short(12) as i16);
        let second = short(10);
        Some(Self {
            best: Move::from_bits(short(8))?,
            second: if second == NO_MOVE { None } else { Some(Move::from_bits(second)?) },
            score: match bytes[15] {
                CENTIPAWNS => Score::Centipawns(score),
                MATE => Score::Mate(score),
                _ => return None,
            },
            depth: bytes[14].into(),
        })
    }
}

fn key_of(bytes: &[u8; RECORD]) -> u64 {
    bytes.first_chunk().map_or(0, |key| u64::from_le_bytes(*key))
}

/// A file of evaluations.
pub struct Evaluations {
    file: Mutex<File>,
    rules: Rules,
    /// Where the records begin, in bytes.
    start: u64,
    positions: u64,
}

impl fmt::Debug for Evaluations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Evaluations({} positions of {})", self.positions, rules_key(self.rules))
    }
}

impl Evaluations {
    /// Opens a file and checks all of it.
    ///
    /// # Errors
    /// If it cannot be read, is another one, or is damaged.
    pub fn open(path: &Path) -> Result<Self, FileError> {
        let foreign = || {
            FileError::Foreign(
                "no file of evaluations for the engine (`sakmak-tools evals export --engine` writes one)",
            )
        };
        let file = regular_file::open(File::options().read(true), path)?;
        let found = file.metadata()?.len();
        let mut reader = BufReader::with_capacity(BATCH * RECORD, file);
        let mut header = [0; HEADER];
        if found < HEADER as u64 {
            return Err(foreign());
        }
        reader.read_exact(&mut header)?;
        if !header.starts_with(&MAGIC) {
            return Err(foreign());
        }
        let number = |at: usize, length: usize| {
            header[at..at + length].iter().rev().fold(0, |number, &byte| number << 8 | u64::from(byte))
        };
        let version = number(8, 2) as u16;
        if version != VERSION {
            return Err(FileError::Version { found: version, known: VERSION });
        }
        let (length, positions) = (number(12, 4), number(16, 8));
        if length > MOST_RULES as u64 {
            return Err(FileError::Damaged("the rules are too long"));
        }
        let start = HEADER as u64 + length;
        let wanted = positions.saturating_mul(RECORD as u64).saturating_add(start);
        if found != wanted {
            return Err(FileError::Length { found, wanted });
        }
        let mut text = vec![0; length as usize];
        reader.read_exact(&mut text)?;
        if u64::from(checksum(&[&header[..HEADER - 4], &text])) != number(HEADER - 4, 4) {
            return Err(FileError::Damaged("the checksum of the header"));
        }
        let rules = str::from_utf8(&text).ok().and_then(|text| read_rules_key(text).ok());
        let rules = rules.ok_or(FileError::Damaged("the rules are unknown"))?;
        let mut sum = crc32fast::Hasher::new();
        let mut last = None;
        for _ in 0..positions {
            let mut record = [0; RECORD];
            reader.read_exact(&mut record)?;
            sum.update(&record);
            let key = Some(key_of(&record));
            if last >= key {
                return Err(FileError::Damaged("the records are not in order"));
            }
            if Known::from_bytes(&record).is_none() {
                return Err(FileError::Damaged("a record"));
            }
            last = key;
        }
        if u64::from(sum.finalize()) != number(24, 4) {
            return Err(FileError::Damaged("the checksum of the records"));
        }
        Ok(Self { file: Mutex::new(reader.into_inner()), rules, start, positions })
    }

    /// The rules of the positions.
    pub fn rules(&self) -> Rules {
        self.rules
    }

    /// The number of positions.
    pub fn len(&self) -> u64 {
        self.positions
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions == 0
    }

    /// What is known about a position; `None` if nothing is, if its rules are others, or if the file can no longer be
    /// read. The moves are legal.
    pub fn get(&self, position: &Position) -> Option<Known> {
        if *position.rules() != self.rules.play {
            return None;
        }
        let key = PositionKey::of(position).ok()?.number();
        let known = self.find(key).ok()??;
        let is_legal = position.is_legal(known.best) && known.second.is_none_or(|mv| position.is_legal(mv));
        is_legal.then_some(known)
    }

    /// The record of a key, by a binary search.
    fn find(&self, key: u64) -> io::Result<Option<Known>> {
        let mut file = self.file.lock().unwrap_or_else(PoisonError::into_inner);
        let (mut low, mut high) = (0, self.positions);
        while low < high {
            let middle = low + (high - low) / 2;
            let mut record = [0; RECORD];
            file.seek(SeekFrom::Start(self.start + middle * RECORD as u64))?;
            file.read_exact(&mut record)?;
            match key_of(&record).cmp(&key) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Ok(Known::from_bytes(&record)),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        Ok(None)
    }
}

fn checksum(parts: &[&[u8]]) -> u32 {
    let mut sum = crc32fast::Hasher::new();
    parts.iter().for_each(|part| sum.update(part));
    sum.finalize()
}

/// The records of a file that is to be written; all are kept in memory, 16 bytes each.
#[derive(Debug)]
pub struct EvaluationsWriter {
    rules: Rules,
    records: Vec<[u8; RECORD]>,
}

impl EvaluationsWriter {
    /// A file of positions under these rules.
    pub fn new(rules: Rules) -> Self {
        Self { rules, records: Vec::new() }
    }

    /// Adds what is known about a position.
    pub fn add(&mut self, key: &PositionKey, known: Known) {
        self.records.push(known.to_bytes(key.number()));
    }

    /// Writes the file and returns the number of its positions. Of records with the same key the deepest is written.
    ///
    /// # Errors
    /// If `out` cannot be written.
    pub fn write(mut self, out: &mut impl Write) -> io::Result<u64> {
        self.records.sort_unstable_by_key(|record| (key_of(record), std::cmp::Reverse(record[14]), *record));
        self.records.dedup_by_key(|record| key_of(record));
        let (text, positions) = (rules_key(self.rules), self.records.len() as u64);
        let length = u32::try_from(text.len()).ok().filter(|&length| length as usize <= MOST_RULES);
        let length = length.ok_or_else(|| io::Error::other("the text of the rules is too long"))?;
        let mut sum = crc32fast::Hasher::new();
        self.records.iter().for_each(|record| sum.update(record));
        let mut header = [0; HEADER];
        header[..8].copy_from_slice(&MAGIC);
        header[8..10].copy_from_slice(&VERSION.to_le_bytes());
        header[12..16].copy_from_slice(&length.to_le_bytes());
        header[16..24].copy_from_slice(&positions.to_le_bytes());
        header[24..28].copy_from_slice(&sum.finalize().to_le_bytes());
        let sum = checksum(&[&header[..HEADER - 4], text.as_bytes()]);
        header[28..].copy_from_slice(&sum.to_le_bytes());
        out.write_all(&header)?;
        out.write_all(text.as_bytes())?;
        for record in &self.records {
            out.write_all(record)?;
        }
        Ok(positions)
    }
}

#[cfg(test)]
mod tests;
