//! Filters for training positions.

use sakmak_movegen::{Color, Move, Position};

use super::GameResult;

/// A position of a game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The position.
    pub position: Position,
    /// Its score in internal units for the side to move.
    pub score: i32,
    /// Plies before it since the start of the record.
    pub ply: usize,
    /// The move played.
    pub mv: Move,
    /// How its game ended.
    pub result: GameResult,
}

impl Sample {
    /// The final points of the side to move: 1, 0.5 or 0.
    pub fn points(&self) -> f64 {
        self.result.points(self.position.side_to_move())
    }
}

/// Selects training positions.
///
/// By default: quiet, not in check, no mate or nearly won position, and a win still possible.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Filter {
    /// Only if the best move neither captures nor promotes.
    pub quiet: bool,
    /// Only without check.
    pub no_check: bool,
    /// Largest absolute score, in internal units.
    pub max_score: i32,
    /// Least number of plies before it since the start of the record.
    pub min_ply: usize,
    /// Only if the count has not run out and the pieces suffice for a mate.
    pub undecided: bool,
    /// Not if a khun is bare.
    pub no_bare_khun: bool,
    /// The share of the positions to keep, from 0 to 1. Which are kept depends on the position, its ply and `seed`.
    pub keep: f64,
    /// Chooses the positions that `keep` keeps.
    pub seed: u64,
}

impl Filter {
    /// Keeps everything.
    pub const ALL: Self = Self {
        quiet: false,
        no_check: false,
        max_score: i32::MAX,
        min_ply: 0,
        undecided: false,
        no_bare_khun: false,
        keep: 1.0,
        seed: 0,
    };

    /// Whether a position passes, given the move played, its score in internal units and the plies before it.
    pub fn passes(&self, position: &Position, mv: Move, score: i16, ply: usize) -> bool {
        i32::from(score).abs() <= self.max_score
            && !(self.quiet && position.is_noisy(mv))
            && self.passes_unsearched(position, ply)
    }

    /// Whether a position may pass, before its best move and score are known.
    pub fn passes_unsearched(&self, position: &Position, ply: usize) -> bool {
        let bare = || Color::ALL.into_iter().any(|color| position.is_bare(color));
        ply >= self.min_ply
            && !(self.no_check && position.in_check())
            && !(self.undecided && (position.count().is_expired() || is_dead(position)))
            && !(self.no_bare_khun && bare())
            && self.keeps(position, ply)
    }

    /// Whether the position is in the share to keep.
    fn keeps(&self, position: &Position, ply: usize) -> bool {
        if self.keep >= 1.0 {
            return true;
        }
        let hash = mix(position.key() ^ mix(self.seed ^ mix(ply as u64)));
        // The upper 53 bits as a number below 1.
        ((hash >> 11) as f64) < self.keep * (1_u64 << 53) as f64
    }
}

impl Default for Filter {
    fn default() -> Self {
        Self { quiet: true, no_check: true, max_score: MAX_SCORE, undecided: true, ..Self::ALL }
    }
}

/// Absolute score in internal units beyond which a game counts as won.
const MAX_SCORE: i32 = 2_000;

/// Whether the pieces cannot mate, or are dead by the rules of the game.
pub fn is_dead(position: &Position) -> bool {
    position.is_dead() || position.is_dead_by_rule()
}

/// Spreads the bits of a number over all 64 (the end of SplitMix64).
const fn mix(number: u64) -> u64 {
    let number = number.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let number = (number ^ number >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let number = (number ^ number >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    number ^ number >> 31
}
