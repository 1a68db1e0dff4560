//! Every tunable number of the search and its transposition table. Those of the clock stand in `time`, those of limited
//! strength in [`skill`](crate::skill).
//!
//! Scores are in internal units, depths in plies, reductions in 1/1024 of a ply. The numbers are constants,
//! except in a build with the feature `tune`, which makes each of them an option of the engine, so that
//! `sakmak-tools spsa` can tune it.

/// Declares the numbers: name, value, least and greatest value for tuning.
macro_rules! tunable {
    ($($(#[$doc:meta])* $name:ident = $value:literal, $least:literal ..= $most:literal;)*) => {
        $(
            $(#[$doc])*
            #[cfg(not(feature = "tune"))]
            #[inline(always)]
            pub(crate) const fn $name() -> i32 {
                $value
            }
        )*
        #[cfg(feature = "tune")]
        mod values {
            use std::sync::atomic::AtomicI32;
            $(#[allow(non_upper_case_globals)] pub(super) static $name: AtomicI32 = AtomicI32::new($value);)*
        }
        $(
            $(#[$doc])*
            #[cfg(feature = "tune")]
            #[inline(always)]
            pub(crate) fn $name() -> i32 {
                values::$name.load(std::sync::atomic::Ordering::Relaxed)
            }
        )*
        /// Name, value, least and greatest value of every number, for tuning.
        #[cfg(feature = "tune")]
        pub(crate) const TUNABLE: &[(&str, i32, i32, i32)] =
            &[$((stringify!($name), $value, $least, $most)),*];

        /// Sets a number by its name.
        #[cfg(feature = "tune")]
        pub(crate) fn set(name: &str, value: i32) -> bool {
            match name {
                $(stringify!($name) => values::$name.store(value, std::sync::atomic::Ordering::Relaxed),)*
                _ => return false,
            }
            true
        }
    };
}

tunable! {
    /// First half-width of the aspiration window.
    aspiration_window = 13, 6..=40;
    /// Depth from which aspiration is used.
    aspiration_depth = 5, 3..=8;

    /// Reverse futility: deepest node.
    reverse_futility_depth = 8, 4..=14;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility_margin = 63, 30..=140;

    /// Null move: shallowest node.
    null_depth = 3, 2..=5;
    /// Null move: how far the static evaluation must exceed beta.
    null_margin = 20, -40..=80;
    /// Null move: fixed part of the reduction.
    null_reduction = 4, 2..=5;
    /// Null move: plies of depth for one more ply of reduction.
    null_depth_divisor = 3, 2..=6;
    /// Null move: internal units above beta for one more ply of reduction...
    null_eval_divisor = 171, 80..=300;
    /// ...and the cap on those plies.
    null_eval_max = 3, 1..=6;
    /// Null move: fewest met, khon, maa and rua of the passing side, for with fewer zugzwang is common.
    null_min_pieces = 3, 1..=5;
    /// Null move: with a running count, fewest plies it must leave. A null move does not tick the count.
    null_min_count = 40, 0..=80;

    /// Singular extension: shallowest node.
    singular_depth = 6, 4..=12;
    /// Singular extension: how many plies less deep than the node the table entry may be.
    singular_tt_depth_margin = 3, 1..=5;
    /// Singular extension: how far below the table's score the other moves must stay, for 16 plies of depth.
    singular_margin = 31, 4..=60;
    /// Singular extension: how much further below for a second ply.
    double_margin = 38, 5..=80;
    /// Singular extension: most extensions by two plies in a line.
    max_double_extensions = 6, 1..=12;

    /// With a running count that leaves fewer plies, no move is pruned or reduced: nearly all of them draw, and no
    /// heuristic finds the one that mates in time.
    prune_min_count = 12, 0..=20;

    /// Late move pruning: moves always searched.
    lmp_base = 5, 1..=10;
    /// Late move pruning: deepest node.
    lmp_depth = 6, 3..=20;

    /// Futility: deepest node, by reduced depth.
    futility_depth = 7, 4..=14;
    /// Futility: fixed part of the margin.
    futility_base = 81, 30..=200;
    /// Futility: margin for each ply of reduced depth.
    futility_margin = 91, 30..=160;

    /// Static exchange pruning: deepest node.
    see_depth = 8, 3..=14;
    /// Loss a quiet move may make, for each ply of depth.
    see_quiet_margin = 40, 10..=90;
    /// Loss a capture may make, for each ply of depth.
    see_noisy_margin = 76, 30..=160;

    /// Late move reductions: shallowest node.
    lmr_depth = 3, 2..=4;
    /// Late move reductions: moves searched fully first.
    lmr_moves = 3, 1..=5;
    /// Late move reductions: fixed part.
    lmr_base = 684, 0..=1500;
    /// Late move reductions: for each product of the logarithms of depth and move number.
    lmr_factor = 495, 250..=800;
    /// History score that takes back one ply of reduction.
    lmr_history = 12220, 3000..=40000;
    /// Less in PV nodes.
    lmr_pv = 1024, 0..=2500;
    /// More where the evaluation does not improve.
    lmr_not_improving = 1024, 0..=2000;
    /// Less for a check, and in check.
    lmr_check = 1024, 0..=2000;
    /// Less for killers.
    lmr_killer = 512, 0..=2000;

    /// Delta pruning in quiescence: what a capture may gain beyond the value of the captured piece.
    delta_margin = 193, 50..=300;

    /// Order of noisy moves: weight of the captured piece's value against capture history.
    victim_weight = 16, 4..=64;
    /// History bonus for each ply of depth.
    history_bonus = 170, 60..=400;
    /// Largest history bonus.
    history_bonus_max = 1700, 600..=4000;
    /// Weight of the continuation tables in the score of a quiet move, in 1/16.
    continuation_weight = 24, 0..=32;

    /// Order of quiet moves: bonus for a check.
    quiet_check_bonus = 8000, 0..=16000;
    /// Order of quiet moves: weight of a piece's value in exchanges if it leaves, or goes to, the attack of a less
    /// valuable one.
    threat_weight = 16, 0..=48;

    /// Material scaling: change of the factor per man beyond [`SCALED_MEN`], in 1/256.
    men_scale = 3, 0..=8;
    /// Correction history: weight of the table by bia, in 1/4096 internal units.
    correction_bia = 160, 0..=600;
    /// Correction history: weight of the tables by the pieces of each side, in 1/4096 internal units.
    correction_pieces = 300, 0..=800;
    /// Correction history: bonus for each internal unit and ply of depth, in 1/64.
    correction_bonus = 8, 2..=32;
}

/// Number of men on the board, of both colours, with which the evaluation is not scaled.
pub(crate) const SCALED_MEN: i32 = 20;

/// Weight of one search of age against plies of depth when an entry of the transposition table is replaced.
pub(crate) const TT_AGE_WEIGHT: i32 = 4;
/// A bound replaces an entry of the same position and search that is at most this number of plies deeper.
pub(crate) const TT_DEPTH_MARGIN: i32 = 3;

/// The main thread finishes the first iteration regardless of the limits, so that there is a move to play, unless it
/// takes more nodes than this: on a crowded board the quiescence search alone may not end.
pub(crate) const FIRST_ITERATION_NODES: u64 = 50_000;

/// A helper thread skips one iteration in this number.
pub(crate) const HELPER_SKIP: u32 = 4;

/// Nodes of a thread between two checks of the limits; fewer with more threads than cores. Powers of two.
pub(crate) const POLL_INTERVAL_MAX: u64 = 1024;
/// The fewest.
pub(crate) const POLL_INTERVAL_MIN: u64 = 16;

/// With a clock, the search ends this number of plies after the depth of a mate it has found.
pub(crate) const MATE_CONFIRM_PLIES: u32 = 2;

/// With a clock, an only move is searched to this depth.
pub(crate) const SINGLE_MOVE_DEPTH: u32 = 6;

/// Largest value of the correction history.
pub(crate) const CORRECTION_MAX: i32 = 1024;
/// Largest bonus.
pub(crate) const CORRECTION_BONUS_MAX: i32 = CORRECTION_MAX / 4;

/// Largest history value.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// A mate search (`go mate n`) ends this many plies after the 2n that a mate needs.
pub(crate) const MATE_SEARCH_EXTRA: u32 = 16;
