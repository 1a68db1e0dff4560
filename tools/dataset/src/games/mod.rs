//! Games of self-play with the score of every move.
//!
//! [`Reader`] reads a file, [`Writer`] makes one, and [`GameRecord::positions`] gives the positions that a [`Filter`]
//! lets through.
//!
//! # The file
//!
//! All numbers are little-endian.
//!
//! | bytes | header |
//! | --- | --- |
//! | 8 | `SAKMAKDG` |
//! | 2 | version: 2, 3 if endgame tables ended games, 4 if there are imported games |
//! | 4 | length of the text |
//! | ... | text: JSON, a [`Header`] |
//! | 4 | CRC-32 of all bytes before |
//!
//! Then, until the file ends, games:
//!
//! | bytes | game |
//! | --- | --- |
//! | 1 | [`GameResult`]: 0 White won, 1 draw, 2 Black won |
//! | 1 | [`EndReason`] of the end |
//! | 1 | length of the FEN |
//! | 2 | number of plies |
//! | 4 | CRC-32 of the five bytes before: whether the file ends within the game or the lengths are damaged |
//! | ... | FEN of the start |
//! | 4 a ply | the move ([`Move::bits`]) and the score in internal units for the side to move |
//! | 4 | CRC-32 of all bytes of the game before |
//!
//! Version 1, which is still read, lacks the first checksum of a game. Version 3 is version 2 with
//! [`EndReason::Tablebase`], which readers of version 2 do not know, and version 4 is version 3 with
//! [`EndReason::Imported`].

mod filter;
mod format;

use sakmak_movegen::{Color, DrawReason, Game, Move, MoveError, Outcome, Position};
use serde::{Deserialize, Serialize};

pub use crate::DataError;
pub use filter::{Filter, Sample, is_dead};
pub use format::{DrawAdjudication, Header, Reader, Run, Variety, Writer, centipawns};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum GameResult {
    /// White won.
    WhiteWins,
    /// A draw.
    Draw,
    /// Black won.
    BlackWins,
}

impl std::fmt::Display for GameResult {
    /// The result as PGN writes it.
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::WhiteWins => "1-0",
            Self::Draw => "1/2-1/2",
            Self::BlackWins => "0-1",
        })
    }
}

impl GameResult {
    /// All results by their number in a file.
    pub const ALL: [Self; 3] = [Self::WhiteWins, Self::Draw, Self::BlackWins];

    /// The result of a win by `color`.
    pub const fn won_by(color: Color) -> Self {
        match color {
            Color::White => Self::WhiteWins,
            Color::Black => Self::BlackWins,
        }
    }

    /// The points of `color`: 1, 0.5 or 0.
    pub const fn points(self, color: Color) -> f64 {
        match (self, color) {
            (Self::Draw, _) => 0.5,
            (Self::WhiteWins, Color::White) | (Self::BlackWins, Color::Black) => 1.0,
            _ => 0.0,
        }
    }
}

/// Why a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum EndReason {
    /// Mate on the board.
    Mate,
    /// No legal move, and no check.
    Stalemate,
    /// The count against a bare khun ran out.
    PiecesHonour,
    /// The count without bia ran out, or its counter mated where that only draws.
    BoardHonour,
    /// The threefold repetition of a position.
    Repetition,
    /// No side can mate any more.
    DeadMaterial,
    /// Fifty moves, where the rules have them instead of a count.
    FiftyMoves,
    /// Adjudicated: both sides had scores of the same mate for some plies.
    MateScore,
    /// Adjudicated: small scores for many plies.
    DrawScore,
    /// Adjudicated: too many plies.
    TooLong,
    /// Adjudicated: by the tablebase.
    Tablebase,
    /// Ended by the program that the game was imported from: adjudicated, claimed or resigned.
    Imported,
}

impl EndReason {
    /// All reasons by their number in a file.
    pub const ALL: [Self; 12] = [
        Self::Mate,
        Self::Stalemate,
        Self::PiecesHonour,
        Self::BoardHonour,
        Self::Repetition,
        Self::DeadMaterial,
        Self::FiftyMoves,
        Self::MateScore,
        Self::DrawScore,
        Self::TooLong,
        Self::Tablebase,
        Self::Imported,
    ];

    /// The name of the reason.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Mate => "mate",
            Self::Stalemate => "stalemate",
            Self::PiecesHonour => "pieces' honour",
            Self::BoardHonour => "board's honour",
            Self::Repetition => "repetition",
            Self::DeadMaterial => "dead material",
            Self::FiftyMoves => "fifty moves",
            Self::MateScore => "mate seen",
            Self::DrawScore => "draw seen",
            Self::TooLong => "too long",
            Self::Tablebase => "tablebase",
            Self::Imported => "imported",
        }
    }

    /// Whether the game was adjudicated, not ended by the rules.
    pub const fn is_adjudication(self) -> bool {
        matches!(self, Self::MateScore | Self::DrawScore | Self::TooLong | Self::Tablebase | Self::Imported)
    }
}

/// Plays a move of a recorded game. Records do not say when a count is stopped: a counter whose mate won must have
/// stopped its count before that move.
///
/// # Errors
/// If the move is not legal, or the game is over.
pub fn play(game: &mut Game, mv: Move, result: GameResult) -> Result<(), MoveError> {
    if result != GameResult::Draw && game.position().is_legal(mv) {
        game.play_and_stop_count(mv);
        Ok(())
    } else {
        game.play(mv)
    }
}

/// The result and the reason of a game that is over by the rules, or whose pieces cannot mate; `None` if it goes on.
pub fn end_by_rules(game: &Game) -> Option<(GameResult, EndReason)> {
    let reason = match game.outcome() {
        None => return is_dead(game.position()).then_some((GameResult::Draw, EndReason::DeadMaterial)),
        Some(Outcome::Win(color)) => return Some((GameResult::won_by(color), EndReason::Mate)),
        Some(Outcome::Draw(reason)) => reason,
    };
    let reason = match reason {
        DrawReason::Stalemate => EndReason::Stalemate,
        DrawReason::PiecesHonour => EndReason::PiecesHonour,
        DrawReason::BoardHonour | DrawReason::CounterMated => EndReason::BoardHonour,
        DrawReason::Repetition => EndReason::Repetition,
        DrawReason::DeadMaterial => EndReason::DeadMaterial,
        DrawReason::FiftyMoves => EndReason::FiftyMoves,
        // The format has no number for a later reason.
        _ => EndReason::Imported,
    };
    Some((GameResult::Draw, reason))
}

/// One move of a game and its score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The move: the best one the search found.
    pub mv: Move,
    /// Its score in internal units for the side to move; mate scores as in the engine.
    pub score: i16,
}

/// Where imported games come from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Import {
    /// The name of the file, without its folder.
    pub file: String,
    /// CRC-32 of the file.
    pub crc32: u32,
    /// Internal units that one pawn of the file is worth.
    pub scale: u32,
}

/// A game as a file holds it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GameRecord {
    /// Where it began, after the random moves.
    pub start: Position,
    /// The result.
    pub result: GameResult,
    /// Why it ended.
    pub reason: EndReason,
    /// The moves with their scores. From a [`Reader`] the moves are legal.
    pub plies: Vec<Ply>,
}

impl GameRecord {
    /// The positions that a filter lets through, each before its move, without the last position of the game. The moves
    /// must be legal, as those from a [`Reader`] are.
    pub fn positions<'a>(&'a self, filter: &'a Filter) -> impl Iterator<Item = Sample> + 'a {
        let mut position = self.start.clone();
        self.plies.iter().enumerate().filter_map(move |(ply, &Ply { mv, score })| {
            let sample = filter.passes(&position, mv, score, ply).then(|| Sample {
                position: position.clone(),
                score: i32::from(score),
                ply,
                mv,
                result: self.result,
            });
            position.play_unchecked(mv);
            sample
        })
    }
}
