//! Every tunable parameter of the search and its transposition table. Those of the clock are in `time`, those of
//! limited strength in [`skill`](crate::skill).
//!
//! Scores are in internal units, depths in plies, reductions in 1/1024 of a ply. The parameters are constants, except
//! with the feature `tune`, which makes each an option of the engine for `sakmak-tools spsa`.

/// Declares the parameters: name, value, least and greatest value for tuning.
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
        /// Name, value, least and greatest value of every parameter.
        #[cfg(feature = "tune")]
        pub(crate) const TUNABLE: &[(&str, i32, i32, i32)] =
            &[$((stringify!($name), $value, $least, $most)),*];

        /// Sets a parameter by its name.
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
    /// Aspiration window: first half-width.
    aspiration_window = 13, 6..=40;
    /// Aspiration window: shallowest iteration.
    aspiration_depth = 5, 3..=8;

    /// Reverse futility: deepest node.
    reverse_futility_depth = 8, 4..=14;
    /// Reverse futility: margin for each ply of depth.
    reverse_futility_margin = 63, 30..=140;

    /// Null move: shallowest node.
    null_depth = 3, 2..=5;
    /// Null move: least margin of the static evaluation above beta.
    null_margin = 20, -40..=80;
    /// Null move: fixed part of the reduction.
    null_reduction = 4, 2..=5;
    /// Null move: plies of depth for one more ply of reduction.
    null_depth_divisor = 3, 2..=6;
    /// Null move: internal units above beta for one more ply of reduction...
    null_eval_divisor = 171, 80..=300;
    /// ...and the cap on those plies.
    null_eval_max = 3, 1..=6;
    /// Null move: fewest met, khon, maa and rua of the passing side; with fewer, zugzwang is common.
    null_min_pieces = 3, 1..=5;
    /// Null move: fewest plies that a running count must leave, since a null move does not tick the count.
    null_min_count = 40, 0..=80;

    /// Singular extension: shallowest node.
    singular_depth = 6, 4..=12;
    /// Singular extension: cap on the plies by which the TT entry is shallower than the node.
    singular_tt_depth_margin = 3, 1..=5;
    /// Singular extension: margin below the TT score that the other moves must stay under, for 16 plies of depth.
    singular_margin = 31, 4..=60;
    /// Singular extension: additional margin for a double extension.
    double_margin = 38, 5..=80;
    /// Singular extension: cap on the double extensions in a line.
    max_double_extensions = 6, 1..=12;

    /// With a running count that leaves fewer plies, no move is pruned or reduced: nearly all moves draw, and no
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

    /// SEE pruning: deepest node.
    see_depth = 8, 3..=14;
    /// SEE pruning: loss allowed to a quiet move, for each ply of depth.
    see_quiet_margin = 40, 10..=90;
    /// SEE pruning: loss allowed to a capture, for each ply of depth.
    see_noisy_margin = 76, 30..=160;

    /// LMR: shallowest node.
    lmr_depth = 3, 2..=4;
    /// LMR: moves searched to full depth first.
    lmr_moves = 3, 1..=5;
    /// LMR: fixed part.
    lmr_base = 684, 0..=1500;
    /// LMR: factor of the product of the logarithms of depth and move number.
    lmr_factor = 495, 250..=800;
    /// LMR: history score that takes back one ply.
    lmr_history = 12220, 3000..=40000;
    /// LMR: less in PV nodes.
    lmr_pv = 1024, 0..=2500;
    /// LMR: more if the evaluation does not improve.
    lmr_not_improving = 1024, 0..=2000;
    /// LMR: less for a check, and in check.
    lmr_check = 1024, 0..=2000;
    /// LMR: less for killers.
    lmr_killer = 512, 0..=2000;

    /// Delta pruning in quiescence: margin beyond the value of the captured piece.
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
    /// Order of quiet moves: weight of a piece's SEE value if it leaves, or enters, the attack of a less valuable one.
    threat_weight = 16, 0..=48;

    /// Material scaling: change of the factor per piece beyond [`SCALED_MEN`], in 1/256.
    men_scale = 3, 0..=8;
    /// Correction history: weight of the entries by bia, in 1/4096 internal units.
    correction_bia = 160, 0..=600;
    /// Correction history: weight of the entries by the pieces of each side, in 1/4096 internal units.
    correction_pieces = 300, 0..=800;
    /// Correction history: bonus for each internal unit and ply of depth, in 1/64.
    correction_bonus = 8, 2..=32;
}

/// Material scaling: number of pieces on the board, bia and khun included, with which the factor is 1.
pub(crate) const SCALED_MEN: i32 = 20;

/// Progress scaling: plies without a capture or a bia's move after which an advantage begins to count for less.
pub(crate) const IDLE_START: i32 = 100;
/// Progress scaling: further plies after which nothing is left of it.
pub(crate) const IDLE_SPAN: i32 = 300;

/// TT replacement: plies of depth that one search of age is worth.
pub(crate) const TT_AGE_WEIGHT: i32 = 4;
/// TT replacement: a bound replaces an entry of the same position and search that is at most this number of plies
/// deeper.
pub(crate) const TT_DEPTH_MARGIN: i32 = 3;

/// The main thread finishes the first iteration regardless of the limits, unless it takes more nodes than this: on a
/// crowded board the quiescence search alone may not end.
pub(crate) const FIRST_ITERATION_NODES: u64 = 50_000;

/// A helper thread skips one of `HELPER_SKIP` iterations.
pub(crate) const HELPER_SKIP: u32 = 4;

/// Most nodes of a thread between two checks of the limits; fewer with more threads than cores. A power of two.
pub(crate) const POLL_INTERVAL_MAX: u64 = 1024;
/// Fewest nodes of a thread between two checks of the limits. A power of two.
pub(crate) const POLL_INTERVAL_MIN: u64 = 16;

/// With a clock, the search ends this number of plies beyond the depth of a mate it has found.
pub(crate) const MATE_CONFIRM_PLIES: u32 = 2;

/// With a clock, the only legal move is searched to this depth.
pub(crate) const SINGLE_MOVE_DEPTH: u32 = 6;

/// Largest value of the correction history.
pub(crate) const CORRECTION_MAX: i32 = 1024;
/// Largest bonus of the correction history.
pub(crate) const CORRECTION_BONUS_MAX: i32 = CORRECTION_MAX / 4;

/// Largest history value.
pub(crate) const HISTORY_MAX: i32 = 16_384;

/// A mate search (`go mate n`) ends this number of plies beyond the 2n of the mate.
pub(crate) const MATE_SEARCH_EXTRA: u32 = 16;
