//! The numbers that decide what a puzzle is.
//!
//! An expected score is the chance to win and half of the chance to draw, from 0 to 1, by the win rate model or by a
//! tablebase.

use sakmak_movegen::PieceKind;
use serde::{Deserialize, Serialize};

pub use sakmak_themes::{VALUES, balance, value};

/// The settings of a run that decide which puzzles it finds. The header of a file holds them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Soft node limit of the search of each position in which the solver moves. The hard limit is
    /// [`HARD_LIMIT`] times as high.
    pub nodes: u64,
    /// The least difference of the expected scores of the best and the second best move.
    pub margin: f64,
    /// The least expected score that the mistake gave to the solver.
    pub mistake: f64,
    /// Most moves of the solver.
    pub moves: usize,
    /// Nodes of the first search after a move that was not played; 0 if the played moves are the mistakes.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub unplayed: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Default for Settings {
    fn default() -> Self {
        Self { nodes: 200_000, margin: 0.20, mistake: 0.20, moves: 7, unplayed: 0 }
    }
}

/// The hard node limit of a search, as a multiple of the soft one.
pub const HARD_LIMIT: u64 = 4;
/// A look at a candidate that is not in the tablebases. The next one, with more nodes, follows if it does not reject it.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// The nodes, as a divisor of [`Settings::nodes`].
    pub divisor: u64,
    /// Margin and mistake, as a share of [`Settings::margin`] and [`Settings::mistake`].
    pub share: f64,
    /// By how much the expected scores may miss what a goal needs.
    pub slack: f64,
    /// Whether it looks at the whole line, or only whether several first moves win.
    pub is_whole: bool,
}

/// The looks, the proof last.
pub const LOOKS: [Look; 3] = [
    Look { divisor: 100, share: 0.5, slack: 0.15, is_whole: false },
    Look { divisor: 16, share: 0.7, slack: 0.10, is_whole: true },
    PROOF,
];
/// The last look.
pub const PROOF: Look = Look { divisor: 1, share: 1.0, slack: 0.0, is_whole: true };
/// Nodes of the searches for the other side's replies and for the position before the mistake, as a divisor.
pub const REPLY_SHARE: u64 = 4;
/// Replies that are compared, to show the capture of a piece that was given...
pub const REPLIES: usize = 4;
/// ...if its expected score is worse by no more than this.
pub const SHOWN: f64 = 0.10;
/// Least expected score of the best move of a puzzle with the goal to win.
pub const WINNING: f64 = 0.90;
/// Least expected score of the best move of a puzzle with the goal to gain an advantage.
pub const ADVANTAGE: f64 = 0.72;
/// Least expected score of the best move of a puzzle with the goal to hold a draw...
pub const HOLDING: f64 = 0.45;
/// ...and the largest one of the second best move.
pub const LOST: f64 = 0.10;
/// Moves whose expected scores differ by no more are equally good at the end of a puzzle.
pub const EQUAL: f64 = 0.05;
/// Most moves that are accepted as the last one.
pub const ACCEPTED: usize = 3;
/// Most right moves of a trap: a position by tablebases whose obvious move is wrong because of the count.
pub const TRAP_RIGHT: usize = 6;
/// The transposition table of each prover, in MiB.
pub const HASH_MB: usize = 32;

/// The least gain of material, in the units of exchanges, with which a line may end: that of one bia.
pub const LEAST_GAIN: i32 = value(PieceKind::Bia);
