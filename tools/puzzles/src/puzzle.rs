//! The records of a file of puzzles: lines of JSON, the [`Header`] first.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail, ensure};
use sakmak_movegen::{Color, File, Move, Piece, Position, Square};
use serde::{Deserialize, Serialize};

pub use sakmak_themes::Goal;

use crate::settings::Settings;
use crate::themes::Theme;

/// How a file was made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Header {
    /// The version of the format, [`VERSION`].
    pub puzzles: u32,
    /// Name and version of the engine.
    pub engine: String,
    /// The commit of the program, as its user gave it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// Nodes of a short bench, which changes with the search and the evaluation.
    pub signature: u64,
    /// Seed of the random numbers.
    pub seed: u64,
    /// What decides which puzzles are found.
    pub settings: Settings,
    /// The files of games, without their folders; empty for endings.
    pub files: Vec<String>,
    /// The first game of the run, from 0, counted over all files.
    pub skip: u64,
    /// The soft node limit of the searches that replace the stored scores; 0 if these are used.
    pub rescore: u64,
    /// The names of the endings that have a tablebase, sorted.
    pub tablebases: Vec<String>,
    /// How the puzzles were rated.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rated: Option<RateSettings>,
}

/// The version of the format.
pub const VERSION: u32 = 1;

/// A proved position of the solver, for each of the solver's moves.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Margin {
    /// Expected score of the move, from 0 to 1.
    pub best: f64,
    /// That of the best other move; `None` if there is none, or, at the end, none that is not accepted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub second: Option<f64>,
    /// Whether both are from tablebases.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub exact: bool,
}

/// Where a puzzle comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// The number of the file in [`Header::files`], from 0; `None` for a random ending.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<usize>,
    /// The game, from 0, counted over all files; the number of the try for a random ending.
    pub game: u64,
    /// The ply of the mistake, from 0.
    pub ply: usize,
}

/// A puzzle. The moves are in UCI coordinates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Puzzle {
    /// The position to solve, with its count.
    pub fen: String,
    /// The position before the mistake, and the mistake, which leads to `fen`; not for random endings.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mistake: Option<Mistake>,
    /// The line: the solver's moves and the replies, the solver's first and last.
    pub moves: Vec<String>,
    /// All moves that are right as the last one, if there are several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<String>,
    /// What the line reaches.
    pub goal: Goal,
    /// What decides it.
    pub themes: Vec<Theme>,
    /// One for each of the solver's moves.
    pub margins: Vec<Margin>,
    /// Soft node limit of the searches that proved it.
    pub nodes: u64,
    /// Where it comes from.
    pub source: Source,
    /// How difficult it is.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rating: Option<Rating>,
}

/// The mistake that allowed a puzzle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Mistake {
    /// The position before it.
    pub fen: String,
    /// The move.
    pub mv: String,
    /// The solver's expected score before it, from 0 to 1.
    pub before: f64,
}

/// How a file was rated.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RateSettings {
    /// The Elo ratings of the players.
    pub levels: Vec<i32>,
    /// Tries of each level.
    pub tries: u32,
    /// Seed of the random numbers.
    pub seed: u64,
}

/// The difficulty of a puzzle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rating {
    /// The rating of a player who solves it in half of the tries.
    pub elo: i32,
    /// How many tries of each level solved it.
    pub solved: Vec<u32>,
    /// The least tested number of nodes with which, and with all more, a search of full strength solves it; `None` if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
}

/// What came of the candidates so far.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games read, or tries at endings.
    pub games: u64,
    /// Positions in these games.
    pub positions: u64,
    /// Candidates by their scores.
    pub candidates: u64,
    /// Puzzles.
    pub kept: u64,
    /// Candidates by the reason of their rejection.
    pub rejected: BTreeMap<String, u64>,
}

/// A line of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Record {
    /// The first line.
    Header(Header),
    /// A puzzle.
    Puzzle(Box<Puzzle>),
    /// The state after a batch of games: a run that was interrupted resumes after the last one.
    Tally {
        /// What came of the candidates up to here.
        tally: Tally,
    },
}

impl Record {
    /// The line with its end.
    pub fn encoded(&self) -> Result<Vec<u8>> {
        let mut bytes = serde_json::to_vec(self)?;
        bytes.push(b'\n');
        Ok(bytes)
    }
}

/// The contents of a file.
#[derive(Debug)]
pub struct PuzzleFile {
    /// The first line.
    pub header: Header,
    /// The puzzles up to the last tally.
    pub puzzles: Vec<Puzzle>,
    /// The last tally.
    pub tally: Tally,
    /// Bytes up to the end of the last tally, or of the header.
    pub length: usize,
}

impl PuzzleFile {
    /// Reads the bytes of a file. What follows the last tally is left out: the run was interrupted there.
    ///
    /// # Errors
    /// If the file does not begin with a header, or a line before the last tally is damaged.
    pub fn read(bytes: &[u8]) -> Result<Self> {
        let mut file: Option<Self> = None;
        let mut pending = Vec::new();
        let mut damage = None;
        let mut offset = 0;
        for (number, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
            offset += line.len();
            let record = match serde_json::from_slice::<Record>(line) {
                Ok(record) if line.ends_with(b"\n") => record,
                Ok(_) => break,
                Err(error) => {
                    damage.get_or_insert((number + 1, error));
                    continue;
                }
            };
            match (record, &mut file) {
                (Record::Header(header), None) if damage.is_none() => {
                    ensure!(
                        header.puzzles == VERSION,
                        "version {} of the format cannot be read",
                        header.puzzles
                    );
                    file =
                        Some(Self { header, puzzles: Vec::new(), tally: Tally::default(), length: offset });
                }
                (Record::Puzzle(puzzle), Some(_)) => pending.push(*puzzle),
                (Record::Tally { tally }, Some(file)) => {
                    if let Some((line, error)) = damage {
                        bail!("line {line} is damaged: {error}");
                    }
                    file.puzzles.append(&mut pending);
                    (file.tally, file.length) = (tally, offset);
                }
                _ => bail!("line {}: no header before it, or a second one", number + 1),
            }
        }
        file.context("not a file of `sakmak-tools puzzles`")
    }
}

impl Puzzle {
    /// Whether the count decides it.
    pub fn is_of_count(&self) -> bool {
        self.themes.iter().any(|theme| theme.is_of_count())
    }

    /// Eight hexadecimal digits, a hash of the position and the line. It does not depend on the run that found it.
    pub fn id(&self) -> String {
        format!("{:08x}", crc32fast::hash(format!("{} {}", self.fen, self.moves.join(" ")).as_bytes()))
    }

    /// The [keys](mirror_key) of the positions in which the solver moves.
    ///
    /// # Errors
    /// If the FEN is broken or a move is illegal.
    pub fn mirror_keys(&self) -> Result<Vec<[u8; 65]>> {
        let (mut position, moves) = self.line()?;
        let mut keys = Vec::new();
        for (index, mv) in moves.into_iter().enumerate() {
            if index % 2 == 0 {
                keys.push(mirror_key(&position));
            }
            position.play_unchecked(mv);
        }
        Ok(keys)
    }

    /// The position to solve and the moves of the line.
    ///
    /// # Errors
    /// If the FEN is broken or a move is illegal.
    pub fn line(&self) -> Result<(Position, Vec<Move>)> {
        let start = Position::from_fen(&self.fen).with_context(|| self.fen.clone())?;
        if let Some(mistake) = &self.mistake {
            let mut before = Position::from_fen(&mistake.fen).with_context(|| mistake.fen.clone())?;
            before.play(before.parse_move(&mistake.mv)?)?;
            ensure!(before.to_string() == self.fen, "{}: the mistake leads to {before}", self.fen);
        }
        let mut position = start.clone();
        let mut moves = Vec::new();
        for text in &self.moves {
            let mv = position.parse_move(text).with_context(|| format!("{}: {text}", self.fen))?;
            position.play(mv).with_context(|| format!("{}: {text}", self.fen))?;
            moves.push(mv);
        }
        ensure!(moves.len() % 2 == 1, "{}: the solver makes the last move", self.fen);
        Ok((start, moves))
    }
}

/// A key that a position shares with its mirror images: colours exchanged, files mirrored, or both. No rule of Makruk
/// tells the wings apart. The count is no part of it, and neither are first-move privileges.
pub fn mirror_key(position: &Position) -> [u8; 65] {
    let images =
        [false, true].into_iter().flat_map(|turned| [false, true].map(|mirrored| (turned, mirrored)));
    let image = |(turned, mirrored): (bool, bool)| {
        let mut key = [b'.'; 65];
        for (square, piece) in position.all_pieces() {
            let square = if turned { square.relative(Color::Black) } else { square };
            let square = if mirrored { mirrored_square(square) } else { square };
            let color = if turned { !piece.color } else { piece.color };
            key[square.index()] = Piece::new(color, piece.kind).letter() as u8;
        }
        let side = position.side_to_move();
        key[64] = if turned { !side } else { side }.letter() as u8;
        key
    };
    images.map(image).min().unwrap_or([b'.'; 65])
}

fn mirrored_square(square: Square) -> Square {
    Square::new(File::ALL[7 - square.file().index()], square.rank())
}
