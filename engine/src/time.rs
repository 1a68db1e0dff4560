//! Time management: the limits of a search, and the time for a move, a pure function of limits, clock and latency.

mod latency;
mod parameters;

use std::time::Duration;

use sakmak_movegen::{Color, CountKind, CountingSystem, Move, Position};

pub(crate) use parameters::TIME;

pub use latency::Latency;
pub(crate) use latency::{ClockObserver, Timing};

/// The limits of a search, the parameters of UCI's `go`. Times are rounded down to whole milliseconds.
///
/// ```
/// use std::time::Duration;
/// use sakmak_engine::Limits;
///
/// let limits = Limits { nodes: Some(100_000), ..Limits::depth(12) };
/// // A minute for White, half a minute for Black, a second more for each move.
/// let increment = [Duration::from_secs(1); 2];
/// let clocks = Limits { clock: [Some(60_000), Some(30_000)], increment, ..Limits::default() };
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Time left to White and Black, in milliseconds. It can be negative: some GUIs play on after a late move.
    pub clock: [Option<i64>; 2],
    /// Time added to the clocks of White and Black after each of their moves.
    pub increment: [Duration; 2],
    /// Moves to the next time control.
    pub moves_to_go: Option<u32>,
    /// Exact time for this move.
    pub move_time: Option<Duration>,
    /// Largest depth, in plies.
    pub depth: Option<u32>,
    /// Most nodes, all threads together.
    pub nodes: Option<u64>,
    /// Begin no iteration after this number of nodes.
    pub soft_nodes: Option<u64>,
    /// Measure the clock in nodes: the nodes that count as a second.
    pub node_rate: Option<u64>,
    /// Stop once a mate in at most this number of moves is found.
    pub mate: Option<u32>,
    /// Search until stopped.
    pub infinite: bool,
    /// Search on the opponent's time, until the expected move is played.
    pub ponder: bool,
    /// Consider only these moves; all if empty.
    pub search_moves: Vec<Move>,
}

impl Limits {
    /// A search to depth `plies`.
    pub fn depth(plies: u32) -> Self {
        Self { depth: Some(plies), ..Self::default() }
    }

    /// A search of `nodes` nodes, all threads together.
    pub fn nodes(nodes: u64) -> Self {
        Self { nodes: Some(nodes), ..Self::default() }
    }

    /// A search of this time.
    ///
    /// ```
    /// use std::time::Duration;
    /// use sakmak_engine::Limits;
    ///
    /// assert_eq!(Limits::move_time(Duration::from_millis(500)).clock, [None; 2]);
    /// ```
    pub fn move_time(time: Duration) -> Self {
        Self { move_time: Some(time), ..Self::default() }
    }

    /// With a [`Limits::node_rate`], replaces the clock by the nodes that its budget allows in `position`. `overhead` is
    /// the time to set aside.
    pub(crate) fn with_clock_in_nodes(self, position: &Position, overhead: Duration) -> Self {
        let Some(rate) = self.node_rate else { return self };
        let Some(budget) = Budget::new(&self, GameStage::of(position), overhead, Latency::NONE) else {
            return Self { node_rate: None, ..self };
        };
        let nodes = budget.soft.as_millis().saturating_mul(u128::from(rate)) / 1_000;
        let nodes = u64::try_from(nodes).unwrap_or(u64::MAX).max(1);
        let nodes = Some(self.nodes.map_or(nodes, |most| most.min(nodes)));
        Self { nodes, node_rate: None, clock: [None; 2], move_time: None, ..self }
    }

    /// The limits but for the clock.
    pub(crate) fn without_clock(self) -> Self {
        Self { clock: [None; 2], move_time: None, node_rate: None, ..self }
    }

    /// Whether a clock ends the search.
    pub(crate) fn is_timed(&self) -> bool {
        !self.infinite && (self.clock != [None; 2] || self.move_time.is_some())
    }

    /// Whether the search ends without a command (a ponder search, after `ponderhit`).
    pub(crate) fn has_end(&self) -> bool {
        let is_bounded =
            self.depth.is_some() || self.nodes.or(self.soft_nodes).is_some() || self.mate.is_some();
        self.is_timed() || is_bounded && !self.infinite
    }

    /// Whether neither a clock nor the user ends the search.
    pub(crate) fn is_repeatable(&self) -> bool {
        self.clock == [None; 2] && self.move_time.is_none() && !self.infinite && !self.ponder
    }
}

/// How far a game is, as far as the time for a move depends on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GameStage {
    /// The side to move.
    pub side: Color,
    /// The move number of the game.
    pub number: u32,
    /// Most moves that this side is expected to make before a running count ends the game; `None` if none runs.
    pub counted_moves: Option<u32>,
}

impl GameStage {
    /// Move 1 of `side`.
    pub const fn start(side: Color) -> Self {
        Self { side, number: 1, counted_moves: None }
    }

    /// The stage of the game in `position`.
    ///
    /// A count of the board's honour may give way to one of the pieces' honour, which is allowed for. A count that has
    /// run out without ending the game will not end it later, and the fifty moves often begin anew.
    ///
    /// ```
    /// use sakmak_engine::time::GameStage;
    /// use sakmak_movegen::Position;
    ///
    /// let counted = |fen: &str| Position::from_fen(fen).map(|position| GameStage::of(&position).counted_moves);
    /// assert_eq!(counted("7k/7p/8/8/8/8/4R3/4K3 w - - 0 80")?, None);
    /// let early = counted("7k/8/8/8/8/8/4R3/4K3 w - 32 11 80")?;
    /// let late = counted("7k/8/8/8/8/8/4R3/4K3 w - 32 31 90")?;
    /// assert_eq!(early, late.map(|moves| moves + 10));
    /// # Ok::<(), sakmak_movegen::FenError>(())
    /// ```
    pub fn of(position: &Position) -> Self {
        let counts = position.rules().counting != CountingSystem::FiftyMoves;
        let kind = position.count_kind().filter(|_| counts);
        let plies = position.count().remaining().and_then(|plies| u32::try_from(plies).ok());
        let counted_moves = kind.zip(plies).map(|(kind, plies)| {
            // The ply after those that remain ends the game.
            let moves = plies / 2 + 1;
            match kind {
                CountKind::Pieces => moves + TIME.pieces_honour_spare_moves,
                CountKind::Board => moves + TIME.board_honour_spare_moves,
            }
        });
        Self { side: position.side_to_move(), number: position.fullmove_number(), counted_moves }
    }
}

/// Soft and hard time limit of a search.
///
/// ```
/// use std::time::Duration;
/// use sakmak_engine::{Limits, time::{Budget, GameStage, Latency}};
/// use sakmak_movegen::Color;
///
/// // A minute, a second more for each move, 10 ms set aside; move 1.
/// let increment = [Duration::from_secs(1); 2];
/// let limits = Limits { clock: [Some(60_000); 2], increment, ..Limits::default() };
/// let (stage, overhead) = (GameStage::start(Color::White), Duration::from_millis(10));
/// let budget = Budget::new(&limits, stage, overhead, Latency::NONE).expect("a clock runs");
/// assert!(budget.soft < budget.hard && budget.hard.as_secs() < 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd)]
pub struct Budget {
    /// Begin no new iteration after this.
    pub soft: Duration,
    /// Stop wherever the search is after this.
    pub hard: Duration,
}

/// The longest time, in milliseconds: 34 years, so that products with percentages fit into 64 bits.
const MAX_MILLISECONDS: i64 = 1 << 40;

/// A time in whole milliseconds, no longer than the longest.
fn milliseconds(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX).min(MAX_MILLISECONDS)
}

/// A time in milliseconds that a GUI has sent. A negative one counts as none.
pub(crate) fn time_of_gui(milliseconds: i64) -> Duration {
    Duration::from_millis(u64::try_from(milliseconds).unwrap_or(0))
}

impl Budget {
    /// The first iteration only.
    pub const AT_ONCE: Self = Self { soft: Duration::ZERO, hard: Duration::ZERO };

    /// The time for a move at this stage of the game; `None` without a time limit. `overhead` is set aside for delays
    /// between GUI and engine, and more if `latency` is great: what the increment does not make up for is kept for the
    /// moves to come.
    ///
    /// The part of the clock that increments will refill is spent faster in longer games: fewer games are still open.
    /// A clock is meant to last for no more moves than a running count leaves (`docs/decisions/0018-clock.md`).
    ///
    /// With a clock the hard limit is always below the time left. If no more is left than must be set aside, the move
    /// takes a part of the increment, or no time ([`Budget::AT_ONCE`]).
    /// All numbers are allowed; times beyond 34 years count as 34 years.
    pub fn new(limits: &Limits, stage: GameStage, overhead: Duration, latency: Latency) -> Option<Self> {
        let GameStage { side, number, counted_moves } = stage;
        let millis = |ms: i64| Duration::from_millis(ms.max(1) as u64);
        let overhead = milliseconds(overhead);
        if let Some(time) = limits.move_time.map(milliseconds) {
            let time = millis(time - overhead.min(time / 2));
            return Some(Self { soft: time, hard: time });
        }
        // A GUI that sends only one clock means that of the side to move.
        let left = limits.clock[side.index()].or(limits.clock[(!side).index()])?;
        let left = left.clamp(-MAX_MILLISECONDS, MAX_MILLISECONDS);
        let increment = milliseconds(limits.increment[side.index()]);
        let moves_before_refill =
            |most: i64| limits.moves_to_go.map_or(most, |m| i64::from(m.max(1)).min(most));
        let reserve = latency.reserve(moves_before_refill(TIME.latency_moves), increment);
        let usable = left - overhead.min((left / 2).max(0)) - reserve;
        if usable <= 0 {
            // Less than the increment, so that the clock grows again.
            let spare = latency.spare(increment) * TIME.at_once_percent / 100;
            let time = Duration::from_micros(spare.min(left * 500).max(0) as u64);
            return Some(Self { soft: time, hard: time });
        }
        let counted_moves = counted_moves.map_or(i64::MAX, |moves| i64::from(moves.max(1)));
        let moves = moves_before_refill(TIME.max_moves_to_go).min(counted_moves);
        let refill_moves = TIME.refill_moves_first - i64::from(number) * TIME.refill_moves_step_percent / 100;
        let refill_moves = refill_moves.max(TIME.refill_moves_min).min(counted_moves);
        // Before a time control no part of the clock is treated as refilled by increments.
        let refilled =
            if limits.moves_to_go.is_none() { usable.min(increment * TIME.refill_increments) } else { 0 };

        let share =
            refilled / refill_moves + (usable - refilled) / moves + increment * TIME.increment_percent / 100;
        // The last move before a time control may take nearly all of the clock.
        let ceiling = if limits.moves_to_go == Some(1) {
            usable * TIME.last_move_clock_percent / 100
        } else {
            usable * TIME.max_clock_percent / 100
        };
        Some(Self {
            soft: millis((share * TIME.soft_percent / 100).min(ceiling)),
            hard: millis((share * TIME.hard_percent / 100).min(ceiling)),
        })
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::{Game, Rules, Ruleset, Variant};

    use super::*;

    const OVERHEAD: Duration = Duration::from_millis(10);
    const WHITE: GameStage = GameStage::start(Color::White);
    const BLACK: GameStage = GameStage::start(Color::Black);

    fn budget(left: i64, increment: i64, moves_to_go: Option<u32>, overhead: i64) -> Budget {
        let limits = Limits {
            clock: [Some(left), None],
            increment: [time_of_gui(increment), Duration::ZERO],
            moves_to_go,
            ..Limits::default()
        };
        Budget::new(&limits, WHITE, time_of_gui(overhead), Latency::NONE).unwrap()
    }

    /// The latency after many moves that were late by `milliseconds`.
    fn late(milliseconds: u64) -> Latency {
        let mut latency = Latency::default();
        (0..100).for_each(|_| latency.record(milliseconds as f64, Duration::from_millis(milliseconds)));
        latency
    }

    #[test]
    fn latency_is_kept_in_reserve() {
        let hard = |left, increment, latency| {
            let limits = Limits {
                clock: [Some(left); 2],
                increment: [time_of_gui(increment); 2],
                ..Limits::default()
            };
            Budget::new(&limits, GameStage { number: 40, ..WHITE }, OVERHEAD, latency).unwrap().hard
        };
        // A machine that runs other programs for 20 ms at a time.
        for (left, increment) in [(60, 1), (40, 5), (50, 10)] {
            assert_eq!(hard(left, increment, late(20)), Duration::ZERO);
            assert!(hard(left, increment, Latency::default()) > Duration::from_millis(1));
        }
        // The increment is not lost, but part of it is spent.
        assert!(hard(40, 100, late(20)) > Duration::from_millis(10));
        // Latency that increments do not make up for is kept for the moves to come.
        assert_eq!(hard(500, 0, late(20)), Duration::ZERO);
        assert!(hard(500, 20, late(20)) > Duration::from_millis(20));
        // With much time it makes little difference.
        let slow = hard(60_000, 600, late(20));
        assert!(slow < hard(60_000, 600, Latency::NONE) && slow > hard(59_000, 600, Latency::NONE));
    }

    #[test]
    fn latency_is_forgotten() {
        let mut latency = late(100);
        (0..100).for_each(|_| latency.record(0.0, Duration::ZERO));
        let hard = |latency| {
            let limits = Limits { clock: [Some(300); 2], ..Limits::default() };
            Budget::new(&limits, WHITE, OVERHEAD, latency).unwrap().hard
        };
        assert_eq!(hard(latency), hard(Latency::default()));
        // One long pause is no latency.
        latency.record(1e9, Duration::from_secs(3_600));
        let limits = Limits { clock: [Some(60_000); 2], ..Limits::default() };
        let budget = Budget::new(&limits, WHITE, OVERHEAD, latency).unwrap();
        assert!(budget.soft > Duration::from_millis(1_000), "{budget:?}");
    }

    #[test]
    fn the_clock_never_runs_out() {
        for left in [2, 3, 5, 10, 20, 50, 100, 500, 1_000, 10_000, 60_000, 3_600_000] {
            for increment in [0, 10, 100, 5_000, 60_000] {
                for moves_to_go in [None, Some(1), Some(2), Some(40), Some(0), Some(10_000)] {
                    for (overhead, number, counted_moves, latency) in [
                        (0, 1, None, Latency::NONE),
                        (10, 40, Some(0), Latency::NONE),
                        (10, 40, Some(1), Latency::default()),
                        (100, 300, Some(20), late(20)),
                        (5_000, u32::MAX, Some(u32::MAX), late(5_000)),
                    ] {
                        let limits = Limits {
                            clock: [Some(left), None],
                            increment: [time_of_gui(increment), Duration::ZERO],
                            moves_to_go,
                            ..Limits::default()
                        };
                        let stage = GameStage { number, counted_moves, ..WHITE };
                        let Budget { soft, hard } =
                            Budget::new(&limits, stage, time_of_gui(overhead), latency).unwrap();
                        let context = format!("{limits:?}, move {number}, {overhead}: {hard:?}");
                        assert!(soft <= hard, "{context}");
                        assert!(hard < Duration::from_millis(left as u64), "{context}");
                    }
                }
            }
        }
    }

    #[test]
    fn no_number_is_too_large() {
        let extremes = [
            i64::MIN,
            i64::MIN + 1,
            -MAX_MILLISECONDS,
            -1,
            0,
            1,
            2,
            60_000,
            MAX_MILLISECONDS,
            i64::MAX / 100,
            i64::MAX - 1,
            i64::MAX,
        ];
        let moves = [None, Some(0), Some(1), Some(2), Some(u32::MAX)];
        let times = || extremes.into_iter().map(Some).chain([None]);
        for (left, move_time) in times().flat_map(|left| times().map(move |move_time| (left, move_time))) {
            for (increment, overhead) in extremes.into_iter().flat_map(|a| extremes.map(|b| (a, b))) {
                for (moves_to_go, number) in moves.into_iter().zip([0, 1, 40, 300, u32::MAX]) {
                    let limits = Limits {
                        clock: [left, left],
                        increment: [time_of_gui(increment); 2],
                        moves_to_go,
                        move_time: move_time.map(time_of_gui),
                        ..Limits::default()
                    };
                    let stage = GameStage { number, counted_moves: moves_to_go, ..BLACK };
                    let Some(Budget { soft, hard }) =
                        Budget::new(&limits, stage, time_of_gui(overhead), Latency::default())
                    else {
                        assert_eq!((left, move_time), (None, None));
                        continue;
                    };
                    let most = Duration::from_millis(move_time.or(left).unwrap_or(0).max(1) as u64);
                    assert!(
                        soft <= hard && hard <= most && (move_time.is_none() || !hard.is_zero()),
                        "{limits:?}, {overhead}: {hard:?}"
                    );
                }
            }
        }
        // The largest time does not overflow.
        assert!(budget(i64::MAX, 0, None, 10).soft > Duration::from_secs(1 << 24));
        assert!(budget(60_000, i64::MAX, None, 10).soft > Duration::from_secs(10));
    }

    #[test]
    fn no_time_left_means_at_once() {
        for left in [0, -50, i64::MIN / 2] {
            assert_eq!(budget(left, 0, None, 10), Budget::AT_ONCE);
        }
        assert!(budget(1, 0, None, 10).hard <= Duration::from_millis(1));
    }

    #[test]
    fn overhead_is_set_aside_while_there_is_enough() {
        assert!(budget(1_000, 0, Some(1), 500).hard <= Duration::from_millis(500));
        let limits = Limits { move_time: Some(Duration::from_millis(300)), ..Limits::default() };
        assert_eq!(
            Budget::new(&limits, BLACK, OVERHEAD, Latency::NONE).unwrap().hard,
            Duration::from_millis(290)
        );
        let tiny = Limits { move_time: Some(Duration::from_millis(1)), ..Limits::default() };
        assert_eq!(
            Budget::new(&tiny, BLACK, OVERHEAD, Latency::NONE).unwrap().hard,
            Duration::from_millis(1)
        );
    }

    #[test]
    fn the_own_clock_counts_if_both_are_given() {
        let both = Limits { clock: [Some(60_000), Some(1_000)], ..Limits::default() };
        let black = Limits { clock: [None, Some(1_000)], ..Limits::default() };
        let budget = |limits, side| Budget::new(limits, GameStage::start(side), OVERHEAD, Latency::NONE);
        assert_eq!(budget(&both, Color::Black), budget(&black, Color::Black));
        assert_eq!(budget(&black, Color::White), budget(&black, Color::Black));
        assert!(budget(&both, Color::White) > budget(&both, Color::Black));
        assert_eq!(budget(&Limits::default(), Color::White), None);
    }

    #[test]
    fn a_longer_clock_gives_more_time() {
        for increment in [0, 10, 300, 5_000] {
            let mut last = Duration::ZERO;
            for left in (100..100_000).step_by(700) {
                let soft = budget(left, increment, None, 10).soft;
                assert!(soft >= last);
                last = soft;
            }
        }
    }

    #[test]
    fn increments_are_spent_sooner_late_in_the_game() {
        let soft = |increment, number| {
            let limits = Limits {
                clock: [Some(3_000); 2],
                increment: [time_of_gui(increment); 2],
                ..Limits::default()
            };
            Budget::new(&limits, GameStage { number, ..WHITE }, OVERHEAD, Latency::NONE).unwrap().soft
        };
        assert!(soft(30, 40) > soft(30, 20));
        assert!(soft(30, 20) > soft(30, 1));
        assert_eq!(soft(30, 1_000), soft(30, u32::MAX));
        // Without increments no part of the clock is refilled.
        assert_eq!(soft(0, 1), soft(0, 40));
    }

    #[test]
    fn the_clock_is_spent_in_the_moves_that_the_count_leaves() {
        let soft = |increment, counted_moves| {
            let limits = Limits {
                clock: [Some(3_000); 2],
                increment: [time_of_gui(increment); 2],
                ..Limits::default()
            };
            let stage = GameStage { number: 90, counted_moves, ..WHITE };
            Budget::new(&limits, stage, OVERHEAD, Latency::NONE).unwrap().soft
        };
        for increment in [0, 30] {
            assert!(soft(increment, Some(8)) > soft(increment, Some(12)));
            assert!(soft(increment, Some(12)) > soft(increment, None));
            assert_eq!(soft(increment, Some(60)), soft(increment, None));
        }
    }

    #[test]
    fn a_count_leaves_moves_unless_it_may_go_on_or_has_not_ended_the_game() {
        let counted = |fen| GameStage::of(&Position::from_fen(fen).unwrap()).counted_moves;
        let pieces = |plies: u32| Some(plies / 2 + 1 + TIME.pieces_honour_spare_moves);
        assert_eq!(counted("7k/8/8/8/8/8/4R3/4K3 w - 32 12 80"), pieces(20));
        assert_eq!(counted("7k/8/8/8/8/8/4R3/4K3 w - 32 32 80"), pieces(0));
        assert_eq!(counted("7k/8/8/8/8/8/4R3/4K3 w - 32 33 80"), None);
        let board = Some(20 / 2 + 1 + TIME.board_honour_spare_moves);
        assert_eq!(counted("7k/7m/8/8/8/8/4R3/4K3 w - 128 108 80"), board);
        assert_eq!(counted("7k/7m/7p/8/8/8/4R3/4K3 w - - 0 80"), None);
        // Cute Chess plays this FEN with the fifty moves.
        let western = Game::from_fen(
            "7k/7m/8/8/8/8/4R3/4K3 w - - 80 80",
            Rules::new(Variant::Makruk, Ruleset::CuteChess),
        )
        .unwrap();
        assert!(western.position().count().is_running());
        assert_eq!(GameStage::of(western.position()).counted_moves, None);
    }
}
