//! Latency: time that moves take off the clock beyond their budget, measured from move to move.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use sakmak_movegen::Color;

use super::parameters::TIME;
use super::{Budget, Limits};

/// Time that recent moves took beyond their budget, in milliseconds: on a busy machine, with a slow GUI or network,
/// with more threads than cores.
///
/// ```
/// use std::time::Duration;
/// use sakmak_engine::{Limits, time::{Budget, GameStage, Latency}};
/// use sakmak_movegen::Color;
///
/// let increment = [Duration::from_millis(2); 2];
/// let limits = Limits { clock: [Some(1_000); 2], increment, ..Limits::default() };
/// let overhead = Duration::from_millis(10);
/// let stage = GameStage { number: 20, ..GameStage::start(Color::White) };
/// let hard = |latency| Budget::new(&limits, stage, overhead, latency).map(|budget| budget.hard);
/// let mut latency = Latency::default();
/// let before = hard(latency);
/// latency.record(5.0, Duration::from_millis(20));
/// assert!(hard(latency) < before);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Latency {
    /// Exponential moving average over the moves.
    mean: f64,
    /// Maximum over the moves, decaying with each move.
    peak: f64,
}

impl Default for Latency {
    /// The latency assumed before the first move.
    fn default() -> Self {
        Self { mean: 0.0, peak: TIME.latency_peak_min }
    }
}

impl Latency {
    /// No latency: for a search without a GUI that keeps its clock.
    pub const NONE: Self = Self { mean: 0.0, peak: 0.0 };

    /// Records a move that took `late` milliseconds beyond its budget (negative where a GUI rounds its clock). `stall`
    /// is the longest time for which its search did not run.
    pub fn record(&mut self, late: f64, stall: Duration) {
        // Capped: one long pause is no latency, many are.
        let most = self.mean.max(0.0) * TIME.latency_growth + TIME.latency_step;
        let late = late.clamp(-TIME.latency_peak_min, most);
        self.mean += (late - self.mean) * TIME.latency_weight;
        let peak = late.max(millis(stall)).clamp(TIME.latency_peak_min, TIME.latency_peak_max);
        self.peak = (self.peak * TIME.latency_peak_decay).max(peak);
    }

    /// The increment less the mean latency, in microseconds. `increment` is in milliseconds.
    pub(super) fn spare(self, increment: i64) -> i64 {
        ((increment as f64 - self.mean).max(0.0) * 1e3) as i64
    }

    /// Milliseconds of the clock to set aside for the latency of the next `moves` moves with this increment.
    pub(super) fn reserve(self, moves: i64, increment: i64) -> i64 {
        let lost = (self.mean - increment as f64).max(0.0) * moves as f64;
        (self.peak * TIME.latency_peaks + lost) as i64
    }
}

/// Measures the latency of an engine's moves: how late searches end, and the time that the GUI takes off the clock
/// beyond that from `go` to `bestmove`.
#[derive(Default)]
pub(crate) struct ClockObserver {
    latency: Latency,
    /// The last search on a clock.
    last: Option<ClockedSearch>,
}

/// A search on a clock.
struct ClockedSearch {
    clock: Clock,
    hard: Duration,
    /// Set when the search has ended.
    timing: Arc<OnceLock<Timing>>,
}

/// The clock of the side to move when a search begins.
#[derive(Clone, Copy)]
struct Clock {
    side: Color,
    /// Move number of the game.
    number: u32,
    /// Time left, in milliseconds.
    left: i64,
    increment: Duration,
    /// Moves to the next time control.
    moves_to_go: Option<u32>,
}

/// A time in milliseconds.
fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1e3
}

impl Clock {
    /// `None` if no clock runs.
    fn of(limits: &Limits, side: Color, number: u32) -> Option<Self> {
        let left = limits.clock[side.index()].filter(|_| limits.move_time.is_none() && !limits.ponder)?;
        let increment = limits.increment[side.index()];
        Some(Self { side, number, left, increment, moves_to_go: limits.moves_to_go })
    }

    /// Milliseconds that a move took by the GUI's clock, if `next` is that of the same side's next move.
    fn spent(self, next: Self) -> Option<f64> {
        let follows = next.side == self.side && next.number == self.number.wrapping_add(1);
        let is_refilled = next.moves_to_go != self.moves_to_go.map(|moves| moves.saturating_sub(1));
        (follows && !is_refilled).then(|| self.left as f64 + millis(self.increment) - next.left as f64)
    }
}

impl ClockObserver {
    /// To be called before a search, when the one before has been answered. Records the last move and returns the
    /// latency.
    pub(crate) fn latency(&mut self, limits: &Limits, side: Color, number: u32) -> Latency {
        if let Some(ClockedSearch { clock, hard, timing }) = self.last.take()
            && let Some(&Timing { ended, answered, stall }) = timing.get()
        {
            let outside = Clock::of(limits, side, number).and_then(|next| clock.spent(next));
            let late = millis(answered.saturating_sub(ended.min(hard)))
                + outside.map_or(0.0, |spent| spent - millis(answered));
            self.latency.record(late, stall);
        }
        self.latency
    }

    /// Another game begins: its first move does not follow the last search.
    pub(crate) fn forget_move(&mut self) {
        self.last = None;
    }

    /// A search begins.
    pub(crate) fn begin(
        &mut self,
        limits: &Limits,
        side: Color,
        number: u32,
        budget: Option<Budget>,
        timing: &Arc<OnceLock<Timing>>,
    ) {
        let clock = Clock::of(limits, side, number);
        self.last = clock.zip(budget).map(|(clock, Budget { hard, .. })| ClockedSearch {
            clock,
            hard,
            timing: Arc::clone(timing),
        });
    }
}

/// How a search ended; times are since its start.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Timing {
    /// When the main thread stopped searching.
    pub(crate) ended: Duration,
    /// When all threads had ended and the move was about to be reported.
    pub(crate) answered: Duration,
    /// The longest time for which a thread did not run.
    pub(crate) stall: Duration,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits(left: i64, increment: u64) -> Limits {
        let increment = [Duration::from_millis(increment), Duration::ZERO];
        Limits { clock: [Some(left), None], increment, ..Limits::default() }
    }

    /// The mean latency after two searches, the second with these limits.
    fn mean(next: &Limits, number: u32, [ended, answered]: [u64; 2]) -> f64 {
        let mut observer = ClockObserver::default();
        let first = limits(1_000, 10);
        observer.latency(&first, Color::White, 20);
        let hard = Duration::from_millis(50);
        let timing = Arc::default();
        observer.begin(&first, Color::White, 20, Some(Budget { soft: hard, hard }), &timing);
        let [ended, answered] = [ended, answered].map(Duration::from_millis);
        timing.set(Timing { ended, answered, stall: Duration::ZERO }).unwrap();
        observer.latency(next, Color::White, number).mean / TIME.latency_weight
    }

    #[test]
    fn latency_is_what_the_gui_and_the_search_take_beyond_the_plan() {
        let close =
            |found: f64, expected: f64| assert!((found - expected).abs() < 1e-9, "{found} {expected}");
        // 30 ms by both clocks.
        close(mean(&limits(980, 10), 21, [30, 30]), 0.0);
        // The GUI takes 37 ms off the clock.
        close(mean(&limits(973, 10), 21, [30, 30]), 7.0);
        // Helpers end 4 ms after the main thread.
        close(mean(&limits(976, 10), 21, [30, 34]), 4.0);
        // The deadline is missed by 12 ms.
        close(mean(&limits(948, 10), 21, [62, 62]), 12.0);
        // Another game, another move, or a new time control show nothing of the GUI's clock.
        close(mean(&limits(500, 10), 1, [30, 30]), 0.0);
        close(mean(&Limits::depth(5), 21, [30, 32]), 2.0);
        close(mean(&Limits { moves_to_go: Some(40), ..limits(900, 10) }, 21, [30, 30]), 0.0);
    }

    #[test]
    fn one_long_pause_is_no_latency_but_many_are() {
        let mut latency = Latency::default();
        latency.record(10_000.0, Duration::from_secs(10));
        assert!(latency.reserve(40, 30) <= 200, "{latency:?}");
        (0..30).for_each(|_| latency.record(300.0, Duration::ZERO));
        assert!(latency.reserve(40, 30) > 40 * 200, "{latency:?}");
    }
}
