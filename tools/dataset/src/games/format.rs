//! The bytes of a file of games.

use std::fmt;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;

use sakmak_eval::Centipawns;
use sakmak_movegen::{Fen, Move, Rules, Ruleset, Variant};
use serde::{Deserialize, Serialize};

use super::{EndReason, GameRecord, GameResult, Import, Ply};
use crate::DataError;

const MAGIC: [u8; 8] = *b"SAKMAKDG";
/// The version of files without games that a tablebase ended.
const VERSION: u16 = 2;
/// An older version, which is only read: it has no checksum of a game's head.
const VERSION_1: u16 = 1;
/// The version of files with runs that used the tablebase: version 2 with one more end reason.
const VERSION_TABLEBASE: u16 = 3;
/// The version of files with imported games: version 3 with one more end reason.
const VERSION_IMPORT: u16 = 4;
/// The longest header, in bytes: a length above this is damaged.
const MAX_TEXT: usize = 1 << 20;
/// Result, reason, length of the FEN, number of plies.
const HEAD: usize = 5;
const CHECKSUM: usize = 4;
const PLY: usize = 4;

/// How games were made.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Run {
    /// Name and version of the engine.
    pub engine: String,
    /// Nodes of a short bench. It changes with the search and the evaluation.
    pub signature: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// Nodes after which a search begins no new iteration.
    pub nodes: u64,
    /// Nodes after which a search stops.
    pub max_nodes: u64,
    /// Size of the transposition table, in MiB.
    pub hash_mb: usize,
    /// Random plies before a game; every other game has one more.
    pub random_plies: u32,
    /// Largest absolute score of an opening, in internal units.
    #[serde(rename = "max_opening_cp")]
    pub max_opening: u32,
    /// Plies in a row with a mate score for the same side that end a game.
    pub mate_plies: usize,
    /// Plies after which a game is drawn.
    pub max_plies: usize,
    /// When a game without prospects is given up; `None` for never.
    pub draw: Option<DrawAdjudication>,
    /// The names of the endings whose tablebase files end games, sorted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub tablebases: Vec<String>,
    /// The lowest and the highest Elo rating of the limited players; `None` if both sides play with full strength.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub levels: Option<[i32; 2]>,
    /// How the first moves vary; `None` if each game is a fixed one of its opening.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub variety: Option<Variety>,
}

/// How the first moves of a game vary: they are drawn by weight from the best ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Variety {
    /// The moves before this ply of the game are drawn.
    pub plies: u32,
    /// How much worse than the best move a drawn one may be, in internal units.
    pub margin: u32,
}

impl Run {
    /// The settings by the names of their options, each with its value.
    fn settings(&self) -> Vec<(&'static str, String)> {
        let draw = self.draw.map(|DrawAdjudication { ply, count, score }| {
            format!(
                "from ply {ply}, {count} plies within {} centipawns ({score} internal)",
                centipawns(score)
            )
        });
        let tables = if self.tablebases.is_empty() { "none".to_owned() } else { self.tablebases.join(" ") };
        let levels = self.levels.map_or_else(|| "none".to_owned(), |[low, high]| format!("{low}-{high}"));
        let variety = self.variety.map_or_else(
            || "none".to_owned(),
            |Variety { plies, margin }| format!("{plies}, within {} centipawns", centipawns(margin)),
        );
        vec![
            ("engine", self.engine.clone()),
            ("signature of its search", self.signature.to_string()),
            ("--seed", self.seed.to_string()),
            ("--nodes", self.nodes.to_string()),
            ("most nodes", self.max_nodes.to_string()),
            ("--hash", self.hash_mb.to_string()),
            ("--random-plies", self.random_plies.to_string()),
            ("--max-opening-cp", centipawns(self.max_opening).to_string()),
            ("plies with a mate", self.mate_plies.to_string()),
            ("--max-plies", self.max_plies.to_string()),
            ("draws", draw.unwrap_or_else(|| "never".to_owned())),
            ("--tablebase", tables),
            ("--levels", levels),
            ("--varied-plies", variety),
        ]
    }

    /// How another run differs, in words.
    pub fn difference(&self, other: &Self) -> String {
        let pairs = self.settings().into_iter().zip(other.settings());
        let differing = pairs.filter(|((_, before), (_, now))| before != now);
        let words: Vec<_> =
            differing.map(|((name, before), (_, now))| format!("{name} {before}, now {now}")).collect();
        words.join("; ")
    }
}

/// Converts a score of a [`Run`], of any sign, to centipawns.
pub fn centipawns(internal: u32) -> i32 {
    Centipawns::from_internal(i32::try_from(internal).unwrap_or(i32::MAX)).0
}

impl fmt::Display for Run {
    /// The settings in one line.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let is_set = |name| match name {
            "--levels" => self.levels.is_some(),
            "--varied-plies" => self.variety.is_some(),
            _ => true,
        };
        let settings = self.settings().into_iter().filter(|(name, _)| is_set(*name));
        let words: Vec<_> = settings.map(|(name, value)| format!("{name} {value}")).collect();
        f.write_str(&words.join(", "))
    }
}

/// When a game without prospects is given up as a draw.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawAdjudication {
    /// First ply of the game at which it applies.
    pub ply: usize,
    /// Plies in a row with a small score.
    pub count: usize,
    /// The largest absolute score, in internal units.
    pub score: u32,
}

/// The description of a file before its games.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Header {
    /// The rules of all games.
    pub rules: Rules,
    /// How the games were made, one run after the other.
    pub runs: Vec<Run>,
    /// The files of imported games, one after the other.
    pub imports: Vec<Import>,
}

#[derive(Serialize, Deserialize)]
struct HeaderText {
    variant: String,
    ruleset: String,
    runs: Vec<Run>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    imports: Vec<Import>,
}

impl Header {
    /// The version of the format that a file with this header is written in.
    pub fn version(&self) -> u16 {
        let uses_tables = self.runs.iter().any(|run| !run.tablebases.is_empty());
        match (self.imports.is_empty(), uses_tables) {
            (false, _) => VERSION_IMPORT,
            (true, true) => VERSION_TABLEBASE,
            (true, false) => VERSION,
        }
    }

    /// The bytes of the header at the beginning of a file.
    pub fn encoded(&self) -> Vec<u8> {
        let text = HeaderText {
            variant: self.rules.play.variant.name().to_owned(),
            ruleset: self.rules.setup.ruleset.name().to_owned(),
            runs: self.runs.clone(),
            imports: self.imports.clone(),
        };
        // Names and numbers only: nothing that JSON could refuse.
        let text = serde_json::to_vec(&text).unwrap_or_default();
        let mut bytes = MAGIC.to_vec();
        bytes.extend(self.version().to_le_bytes());
        bytes.extend((text.len() as u32).to_le_bytes());
        bytes.extend(text);
        seal(&mut bytes);
        bytes
    }

    /// Reads the header. Returns also the version of the format and the length of the header in bytes.
    fn read(input: &mut impl BufRead) -> Result<(Self, u16, u64), DataError> {
        let cut = |error: io::Error| match error.kind() {
            io::ErrorKind::UnexpectedEof => header_error("the header is cut off"),
            _ => error.into(),
        };
        let mut bytes = vec![0; MAGIC.len() + 2 + 4];
        let got = read_most(input, &mut bytes)?;
        let compared = got.min(MAGIC.len());
        if bytes[..compared] != MAGIC[..compared] || got == 0 {
            return Err(header_error("not a file of sakmak-tools datagen"));
        }
        if got < bytes.len() {
            return Err(header_error("the header is cut off"));
        }
        let version = u16::from_le_bytes([bytes[8], bytes[9]]);
        if !(VERSION_1..=VERSION_IMPORT).contains(&version) {
            let known = format!("{VERSION_1} to {VERSION_IMPORT} can");
            return Err(header_error(format_args!(
                "version {version} of the format cannot be read; {known}"
            )));
        }
        let length = u32::from_le_bytes([bytes[10], bytes[11], bytes[12], bytes[13]]) as usize;
        if length > MAX_TEXT {
            return Err(senseless(format_args!("{length} bytes are too many")));
        }
        let from = bytes.len();
        bytes.resize(from + length + CHECKSUM, 0);
        input.read_exact(&mut bytes[from..]).map_err(cut)?;
        if !is_sealed(&bytes) {
            return Err(header_error("the header is damaged"));
        }
        let text = &bytes[from..from + length];
        let text: HeaderText = serde_json::from_slice(text).map_err(senseless)?;
        let variant: Variant = text.variant.parse().map_err(senseless)?;
        let ruleset: Ruleset = text.ruleset.parse().map_err(senseless)?;
        let header = Self { rules: Rules::new(variant, ruleset), runs: text.runs, imports: text.imports };
        Ok((header, version, bytes.len() as u64))
    }
}

fn header_error(reason: impl ToString) -> DataError {
    DataError::Header(reason.to_string())
}

fn senseless(reason: impl fmt::Display) -> DataError {
    header_error(format_args!("the header makes no sense: {reason}"))
}

/// Appends the checksum.
fn seal(bytes: &mut Vec<u8>) {
    let sum = crc32fast::hash(bytes);
    bytes.extend(sum.to_le_bytes());
}

/// Whether the last four bytes are the checksum of those before.
fn is_sealed(bytes: &[u8]) -> bool {
    bytes.split_last_chunk().is_some_and(|(bytes, sum)| crc32fast::hash(bytes) == u32::from_le_bytes(*sum))
}

/// Fills `bytes` as far as the input reaches. Returns the number of bytes read.
fn read_most(input: &mut impl Read, bytes: &mut [u8]) -> io::Result<usize> {
    let mut got = 0;
    while got < bytes.len() {
        match input.read(&mut bytes[got..]) {
            Ok(0) => break,
            Ok(more) => got += more,
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    Ok(got)
}

/// Reads the games of a file one after the other. After an error there are no more.
///
/// Games that come out are complete: the checksum is right and every move is legal.
#[derive(Debug)]
pub struct Reader<R> {
    input: R,
    header: Header,
    version: u16,
    /// Bytes up to the end of the last game read.
    offset: u64,
    games: u64,
    failed: bool,
    bytes: Vec<u8>,
}

impl Reader<BufReader<File>> {
    /// Opens a file.
    ///
    /// # Errors
    /// If it cannot be read or is another kind of file.
    pub fn open(path: impl AsRef<Path>) -> Result<Self, DataError> {
        Self::new(BufReader::with_capacity(1 << 16, File::open(path)?))
    }
}

impl<R: BufRead> Reader<R> {
    /// Reads the header of a file.
    ///
    /// # Errors
    /// If it cannot be read or is another kind of file.
    pub fn new(mut input: R) -> Result<Self, DataError> {
        let (header, version, offset) = Header::read(&mut input)?;
        Ok(Self { input, header, version, offset, games: 0, failed: false, bytes: Vec::new() })
    }

    /// The header.
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The version of the format.
    pub fn version(&self) -> u16 {
        self.version
    }

    /// Bytes up to the end of the last game read.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// The number of games read.
    pub fn games(&self) -> u64 {
        self.games
    }

    /// The number of bytes before a game's FEN.
    fn head(&self) -> usize {
        if self.version == VERSION_1 { HEAD } else { HEAD + CHECKSUM }
    }

    /// The error of the game that is being read.
    fn damaged(&self, reason: impl ToString) -> DataError {
        DataError::Damaged { game: self.games + 1, offset: self.offset, reason: reason.to_string() }
    }

    /// The error of a game that is cut off by the end of the file.
    fn cut(&self) -> DataError {
        DataError::Cut { game: self.games + 1, offset: self.offset }
    }

    /// Reads the bytes of a game; `None` at the end of the file.
    fn read_bytes(&mut self) -> Result<Option<GameRecord>, DataError> {
        let head = self.head();
        self.bytes.clear();
        self.bytes.resize(head, 0);
        match read_most(&mut self.input, &mut self.bytes)? {
            0 => return Ok(None),
            got if got < head => return Err(self.cut()),
            _ => {}
        }
        if self.version != VERSION_1 && !is_sealed(&self.bytes) {
            return Err(self.damaged("its lengths are wrong"));
        }
        let (fen, plies) = lengths(&self.bytes);
        let more = fen + PLY * plies + CHECKSUM;
        self.bytes.resize(head + more, 0);
        let got = read_most(&mut self.input, &mut self.bytes[head..])?;
        self.bytes.truncate(head + got);
        if got == more {
            return if is_sealed(&self.bytes) {
                Ok(Some(self.decode()?))
            } else {
                Err(self.damaged("its checksum is wrong"))
            };
        }
        // Only the beginning of a game may count as a game that is cut off.
        if self.version == VERSION_1 && is_whole_with_other_lengths(&self.bytes) {
            return Err(self.damaged("its lengths are wrong"));
        }
        self.decode()?;
        Err(self.cut())
    }

    /// Decodes the bytes of a game, or of one that is cut off, as far as they go.
    fn decode(&self) -> Result<GameRecord, DataError> {
        let bytes = &self.bytes;
        let (fen, plies) = lengths(bytes);
        let number = |what: &str, number: u16| self.damaged(format_args!("{number} is no {what}"));
        let result = GameResult::ALL.get(usize::from(bytes[0]));
        let result = *result.ok_or_else(|| number("result", bytes[0].into()))?;
        let reason = EndReason::ALL.get(usize::from(bytes[1]));
        let is_known = |reason: &&EndReason| match reason {
            EndReason::Tablebase => self.version >= VERSION_TABLEBASE,
            EndReason::Imported => self.version >= VERSION_IMPORT,
            _ => true,
        };
        let reason = reason.filter(is_known);
        let reason = *reason.ok_or_else(|| number("reason", bytes[1].into()))?;
        let (fen, rest) = bytes[self.head()..].split_at_checked(fen).ok_or_else(|| self.cut())?;
        let start = String::from_utf8_lossy(fen)
            .parse::<Fen>()
            .and_then(|fen| fen.position(fen.implied_rules(self.header.rules)))
            .map_err(|error| self.damaged(error))?;
        let mut position = start.clone();
        let mut record = GameRecord { start, result, reason, plies: Vec::with_capacity(plies) };
        for ply in rest.chunks_exact(PLY).take(plies) {
            let bits = u16::from_le_bytes([ply[0], ply[1]]);
            let mv = Move::from_bits(bits).ok_or_else(|| number("move", bits))?;
            if !position.is_legal(mv) {
                let ply = record.plies.len() + 1;
                return Err(self.damaged(format_args!("ply {ply}, {mv}, is not legal")));
            }
            position.play_unchecked(mv);
            record.plies.push(Ply { mv, score: i16::from_le_bytes([ply[2], ply[3]]) });
        }
        Ok(record)
    }
}

/// The length of a game's FEN and the number of its plies.
fn lengths(head: &[u8]) -> (usize, usize) {
    (usize::from(head[2]), usize::from(u16::from_le_bytes([head[3], head[4]])))
}

/// Whether the bytes begin with a complete game of version 1 if the length of its FEN or the number of its plies was
/// another one: then that number is damaged, and other games follow.
fn is_whole_with_other_lengths(bytes: &[u8]) -> bool {
    let (fen, plies) = lengths(bytes);
    let is_whole = |fen: u8, plies: u16| {
        let end = HEAD + usize::from(fen) + PLY * usize::from(plies);
        let Some(sum) = bytes.get(end..end + CHECKSUM) else { return false };
        let [low, high] = plies.to_le_bytes();
        let mut hasher = crc32fast::Hasher::new();
        hasher.update(&[bytes[0], bytes[1], fen, low, high]);
        hasher.update(&bytes[HEAD..end]);
        hasher.finalize().to_le_bytes() == sum
    };
    (0..=u8::MAX).any(|fen| is_whole(fen, plies as u16))
        || (0..=u16::MAX).any(|plies| is_whole(fen as u8, plies))
}

impl<R: BufRead> Iterator for Reader<R> {
    type Item = Result<GameRecord, DataError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.failed {
            return None;
        }
        match self.read_bytes().transpose()? {
            Ok(game) => {
                self.games += 1;
                self.offset += self.bytes.len() as u64;
                Some(Ok(game))
            }
            Err(error) => {
                self.failed = true;
                Some(Err(error))
            }
        }
    }
}

impl GameRecord {
    /// The bytes of the game in a file of the present version.
    ///
    /// # Errors
    /// If it has more than 65,535 plies, or a FEN of more than 255 bytes.
    pub fn encode(&self) -> io::Result<Vec<u8>> {
        let too_long = |_| io::Error::new(io::ErrorKind::InvalidInput, "the game is too long for its file");
        let fen = self.start.to_string();
        let mut bytes = vec![self.result as u8, self.reason as u8];
        bytes.push(u8::try_from(fen.len()).map_err(too_long)?);
        bytes.extend(u16::try_from(self.plies.len()).map_err(too_long)?.to_le_bytes());
        seal(&mut bytes);
        bytes.extend(fen.as_bytes());
        for ply in &self.plies {
            bytes.extend(ply.mv.bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        seal(&mut bytes);
        Ok(bytes)
    }
}

/// Writes a file of games. Each game is written with one call, so that nothing but its last game can be cut off.
#[derive(Debug)]
pub struct Writer<W> {
    output: W,
}

impl<W: Write> Writer<W> {
    /// Begins a file.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn new(mut output: W, header: &Header) -> io::Result<Self> {
        output.write_all(&header.encoded())?;
        Ok(Self { output })
    }

    /// Appends a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&mut self, game: &GameRecord) -> io::Result<()> {
        self.output.write_all(&game.encode()?)
    }

    /// Ends the file.
    ///
    /// # Errors
    /// If what is left cannot be written.
    pub fn finish(mut self) -> io::Result<W> {
        self.output.flush()?;
        Ok(self.output)
    }
}
