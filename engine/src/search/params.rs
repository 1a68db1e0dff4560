//! Every tunable number of the search.
//!
//! Scores are in centipawns, depths in plies.

/// How the clock is shared out; percentages.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Time {
    /// Moves the rest of the clock is meant to last if no control is announced.
    pub(crate) moves_to_go: i64,
    /// Share of the increment spent on each move.
    pub(crate) increment_percent: i64,
    /// Soft limit, of the move's share.
    pub(crate) soft_percent: i64,
    /// Hard limit, of the move's share.
    pub(crate) hard_percent: i64,
    /// Most of the clock one move may take.
    pub(crate) most_percent: i64,
    /// Most of the clock the last move before a control may take.
    pub(crate) last_move_percent: i64,
}

/// See [`Time`].
pub(crate) const TIME: Time = Time {
    moves_to_go: 34,
    increment_percent: 80,
    soft_percent: 62,
    hard_percent: 260,
    most_percent: 50,
    last_move_percent: 80,
};

/// First half-width of the aspiration window.
pub(crate) const ASPIRATION_WINDOW: i32 = 18;
/// Depth from which aspiration is used.
pub(crate) const ASPIRATION_DEPTH: i32 = 5;

/// Reverse futility: deepest node, and margin for each ply of depth.
pub(crate) const REVERSE_FUTILITY_DEPTH: i32 = 8;
/// See [`REVERSE_FUTILITY_DEPTH`].
pub(crate) const REVERSE_FUTILITY_MARGIN: i32 = 70;

/// Null move: shallowest node.
pub(crate) const NULL_DEPTH: i32 = 3;
/// Null move: fixed part of the reduction.
pub(crate) const NULL_REDUCTION: i32 = 3;
/// Null move: one more ply of reduction for so many plies of depth.
pub(crate) const NULL_DEPTH_DIVISOR: i32 = 4;
/// Null move: one more ply of reduction for so many centipawns above beta (at most three).
pub(crate) const NULL_EVAL_DIVISOR: i32 = 180;
/// Null move: fewest met, khon, maa and rua the passing side must have, for zugzwang is common with
/// fewer.
pub(crate) const NULL_MIN_MEN: u32 = 3;
/// Null move: with a running count, fewest plies it must leave. A pass does not tick the count, so
/// near the limit it would promise time there is not.
pub(crate) const NULL_MIN_COUNT: i32 = 40;

/// Futility: deepest node, and margin (fixed and for each ply of reduced depth).
pub(crate) const FUTILITY_DEPTH: i32 = 7;
/// See [`FUTILITY_DEPTH`].
pub(crate) const FUTILITY_BASE: i32 = 90;
/// See [`FUTILITY_DEPTH`].
pub(crate) const FUTILITY_MARGIN: i32 = 85;

/// Static exchange pruning: deepest node.
pub(crate) const SEE_DEPTH: i32 = 8;
/// Loss a quiet move may make, for each ply of depth.
pub(crate) const SEE_QUIET_MARGIN: i32 = 45;
/// Loss a capture may make, for each ply of depth.
pub(crate) const SEE_NOISY_MARGIN: i32 = 80;

/// Late move reductions: shallowest node and first move.
pub(crate) const LMR_DEPTH: i32 = 3;
/// See [`LMR_DEPTH`].
pub(crate) const LMR_MOVES: usize = 3;
/// Reduction = base + ln(depth) * ln(move number) / divisor, in plies.
pub(crate) const LMR_BASE: f64 = 0.60;
/// See [`LMR_BASE`].
pub(crate) const LMR_DIVISOR: f64 = 2.15;
/// History that takes back one ply of reduction.
pub(crate) const LMR_HISTORY_DIVISOR: i32 = 6_000;

/// Quiescence: what a capture must be able to gain beyond the victim to be worth a look.
pub(crate) const DELTA_MARGIN: i32 = 160;

/// Largest history value.
pub(crate) const HISTORY_MAX: i32 = 16_384;
/// History bonus for each ply of depth, and the largest bonus.
pub(crate) const HISTORY_BONUS: i32 = 170;
/// See [`HISTORY_BONUS`].
pub(crate) const HISTORY_BONUS_MAX: i32 = 1_700;

/// A mate search (`go mate n`) gives up this many plies after the 2n that a mate needs.
pub(crate) const MATE_SEARCH_EXTRA: u32 = 16;

/// Late move pruning: deepest node, and moves always looked at.
pub(crate) const LATE_MOVES_DEPTH: i32 = 6;
/// See [`LATE_MOVES_DEPTH`].
pub(crate) const LATE_MOVES_BASE: i32 = 5;
