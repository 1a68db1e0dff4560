//! Every tunable number of the clock.

/// How the clock is divided among the moves.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TimeParameters {
    /// Cap on the moves that the remaining time is divided by.
    pub(crate) max_moves_to_go: i64,
    /// Divisor, in moves, of the refilled part of the clock at move 1...
    pub(crate) refill_moves_first: i64,
    /// ...its decrease for each move of the game, in percent of a move...
    pub(crate) refill_moves_step_percent: i64,
    /// ...and its least value.
    pub(crate) refill_moves_min: i64,
    /// Moves that the clock is meant to last for beyond those that a count of the pieces' honour leaves: a GUI's count
    /// may end later than ours.
    pub(crate) pieces_honour_spare_moves: u32,
    /// The same for the board's honour: a capture may begin the pieces' honour.
    pub(crate) board_honour_spare_moves: u32,
    /// The refilled part of the clock: the part that increments will bring back, in increments.
    pub(crate) refill_increments: i64,
    /// Share of the increment added to the time of each move.
    pub(crate) increment_percent: i64,
    /// Soft limit, in percent of the move's share of the clock.
    pub(crate) soft_percent: i64,
    /// Hard limit, in percent of the move's share of the clock.
    pub(crate) hard_percent: i64,
    /// Cap on the share of the clock for one move.
    pub(crate) max_clock_percent: i64,
    /// Cap on the share of the clock for the last move before a time control.
    pub(crate) last_move_clock_percent: i64,
    /// Best move stability: factor of the soft limit right after a change of the best move.
    pub(crate) stability_base: f64,
    /// Best move stability: decrease of that factor for each iteration without a change.
    pub(crate) stability_step: f64,
    /// Best move stability: cap on the iterations that count.
    pub(crate) max_stable_iterations: u32,
    /// Drop of the score, in internal units, that doubles the time.
    pub(crate) score_drop_to_double: f64,
    /// Largest change of the score that counts, in internal units.
    pub(crate) max_score_drop: i32,
    /// Node effort: factor of the soft limit if the best move took none of the nodes.
    pub(crate) node_effort_base: f64,
    /// Node effort: decrease of that factor if the best move took all nodes.
    pub(crate) node_effort_scale: f64,
    /// Node effort: least factor.
    pub(crate) node_effort_min: f64,
    /// Weight of the last move in the mean latency.
    pub(crate) latency_weight: f64,
    /// Cap on the latency of one move, since a GUI may adjourn a game: this factor times the mean, plus the step in ms.
    pub(crate) latency_growth: f64,
    pub(crate) latency_step: f64,
    /// Least and greatest peak of the latency, in milliseconds.
    pub(crate) latency_peak_min: f64,
    pub(crate) latency_peak_max: f64,
    /// Decay factor of the peak latency for each move.
    pub(crate) latency_peak_decay: f64,
    /// Reserve on the clock: this number of peak latencies...
    pub(crate) latency_peaks: f64,
    /// ...and the mean latency less the increment, for this number of moves.
    pub(crate) latency_moves: i64,
    /// With no more than the reserve on the clock: share of the increment less the mean latency that a move may take.
    pub(crate) at_once_percent: i64,
}

/// See [`TimeParameters`].
pub(crate) const TIME: TimeParameters = TimeParameters {
    max_moves_to_go: 45,
    refill_moves_first: 56,
    refill_moves_step_percent: 90,
    refill_moves_min: 15,
    pieces_honour_spare_moves: 2,
    board_honour_spare_moves: 10,
    refill_increments: 100,
    increment_percent: 80,
    soft_percent: 85,
    hard_percent: 260,
    max_clock_percent: 50,
    last_move_clock_percent: 80,
    stability_base: 1.45,
    stability_step: 0.09,
    max_stable_iterations: 7,
    score_drop_to_double: 80.0,
    max_score_drop: 40,
    node_effort_base: 1.95,
    node_effort_scale: 1.35,
    node_effort_min: 0.1,
    latency_weight: 0.125,
    latency_growth: 4.0,
    latency_step: 50.0,
    latency_peak_min: 10.0,
    latency_peak_max: 100.0,
    latency_peak_decay: 0.96,
    latency_peaks: 2.0,
    latency_moves: 40,
    at_once_percent: 25,
};
