//! What the cores share: who may ask for a job, which jobs are in hand, and how long to wait after an error.
//!
//! * One core asks at a time, so that idle workers send no more requests with more cores.
//! * While a result waits to be delivered, none asks: a server that was away would hand out the same job again.
//! * A job is in one hand. A server hands out a job again if it believes it lost.

use std::collections::HashSet;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use backon::{BackoffBuilder, ExponentialBackoff, ExponentialBuilder};

use crate::client::Failure;

/// First wait after an error, first wait without a job, and first wait after a job that others must do.
const FIRST_WAITS: [Duration; 3] =
    [Duration::from_millis(500), Duration::from_millis(100), Duration::from_secs(2)];
/// How long results and aborted jobs are still sent after [`Stop::Abort`], and the longest wait between two tries.
const LAST_TRIES: [Duration; 2] = [Duration::from_secs(5), Duration::from_millis(300)];

/// How to stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Take no more jobs, and finish those in hand.
    Finish,
    /// Abort the jobs in hand, so that the server gives them to others.
    Abort,
}

/// What the cores share.
pub(crate) struct Gate {
    state: Mutex<State>,
    changed: Condvar,
    is_aborted: AtomicBool,
}

struct State {
    stop: Option<Stop>,
    /// When [`Stop::Abort`] came.
    aborted: Option<Instant>,
    is_asking: bool,
    /// Results that could not be delivered yet.
    undelivered: usize,
    held: HashSet<String>,
    /// After errors.
    errors: Waits,
    /// Without a job.
    idle: Waits,
    /// After jobs that others must do.
    refusals: Waits,
}

/// Growing waits with jitter.
struct Waits {
    builder: ExponentialBuilder,
    waits: ExponentialBackoff,
    longest: Duration,
    until: Option<Instant>,
}

impl Waits {
    fn new(first: Duration, longest: Duration) -> Self {
        // The jitter adds up to as much again.
        let builder = ExponentialBuilder::new()
            .with_min_delay(first.min(longest / 2))
            .with_max_delay(longest / 2)
            .with_factor(2.0)
            .with_jitter()
            .without_max_times();
        Self { builder, waits: builder.build(), longest, until: None }
    }

    /// Begins the next wait, of at least this time. `None` if one has begun and is not over.
    fn begin(&mut self, least: Duration) -> Option<Duration> {
        if self.left().is_some() {
            return None;
        }
        let wait = self.waits.next().unwrap_or(self.longest) + least;
        self.until = Some(Instant::now() + wait);
        Some(wait)
    }

    /// Begins with short waits again.
    fn reset(&mut self) {
        self.waits = self.builder.build();
        self.until = None;
    }

    /// What is left of the wait.
    fn left(&self) -> Option<Duration> {
        let left = self.until?.saturating_duration_since(Instant::now());
        (!left.is_zero()).then_some(left)
    }
}

/// The right to ask for a job, until dropped.
pub(crate) struct Turn<'a>(&'a Gate);

impl Drop for Turn<'_> {
    fn drop(&mut self) {
        self.0.lock().is_asking = false;
        self.0.changed.notify_all();
    }
}

/// A result that could not be delivered yet, until dropped.
pub(crate) struct Undelivered<'a>(&'a Gate);

impl Drop for Undelivered<'_> {
    fn drop(&mut self) {
        self.0.lock().undelivered -= 1;
        self.0.changed.notify_all();
    }
}

/// A job in hand, until dropped.
pub(crate) struct Held<'a> {
    gate: &'a Gate,
    id: String,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.gate.lock().held.remove(&self.id);
    }
}

impl Gate {
    /// `poll` is the longest wait without a job, `retry` that after errors.
    pub(crate) fn new(poll: Duration, retry: Duration) -> Self {
        let [error, idle, refusal] = FIRST_WAITS;
        let state = State {
            stop: None,
            aborted: None,
            is_asking: false,
            undelivered: 0,
            held: HashSet::new(),
            errors: Waits::new(error, retry),
            idle: Waits::new(idle, poll),
            refusals: Waits::new(refusal, retry),
        };
        Self { state: Mutex::new(state), changed: Condvar::new(), is_aborted: AtomicBool::new(false) }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits for a change, at most for this time.
    fn wait<'a>(&self, state: MutexGuard<'a, State>, most: Option<Duration>) -> MutexGuard<'a, State> {
        match most {
            Some(most) => self.changed.wait_timeout(state, most).unwrap_or_else(PoisonError::into_inner).0,
            None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
        }
    }

    /// Stops the cores. A later call can only hurry.
    pub(crate) fn stop(&self, stop: Stop) {
        let mut state = self.lock();
        if state.stop.is_none_or(|now| now < stop) {
            state.stop = Some(stop);
            if stop == Stop::Abort {
                state.aborted = Some(Instant::now());
                self.is_aborted.store(true, Ordering::Relaxed);
            }
        }
        self.changed.notify_all();
    }

    /// How to stop, if so.
    pub(crate) fn stopping(&self) -> Option<Stop> {
        self.lock().stop
    }

    /// Whether the jobs in hand are to be aborted.
    pub(crate) fn is_aborted(&self) -> bool {
        self.is_aborted.load(Ordering::Relaxed)
    }

    /// Waits until this core may ask for a job; `None` if no more jobs are wanted.
    pub(crate) fn turn(&self) -> Option<Turn<'_>> {
        let mut state = self.lock();
        loop {
            if state.stop.is_some() {
                return None;
            }
            let left =
                [&state.errors, &state.idle, &state.refusals].into_iter().filter_map(Waits::left).max();
            if !state.is_asking && state.undelivered == 0 && left.is_none() {
                state.is_asking = true;
                return Some(Turn(self));
            }
            state = self.wait(state, left);
        }
    }

    /// Waits until a result may be sent again. `false` if the time for that is over.
    pub(crate) fn may_resend(&self) -> bool {
        let [time, longest] = LAST_TRIES;
        let mut state = self.lock();
        let mut tried = None;
        loop {
            if state.aborted.is_some_and(|aborted| aborted.elapsed() > time) {
                return false;
            }
            let Some(left) = state.errors.left() else { return true };
            let Some(aborted) = state.aborted else {
                state = self.wait(state, Some(left));
                continue;
            };
            let until = *tried.get_or_insert_with(|| Instant::now().max(aborted) + longest);
            let left = left.min(until.saturating_duration_since(Instant::now()));
            if left.is_zero() {
                return true;
            }
            state = self.wait(state, Some(left));
        }
    }

    /// Notes a failed request. Returns the wait if it begins one.
    pub(crate) fn failed(&self, failure: &Failure) -> Option<Duration> {
        self.lock().errors.begin(failure.wait())
    }

    /// Notes a request that the server answered.
    pub(crate) fn answered(&self) {
        self.lock().errors.reset();
        self.changed.notify_all();
    }

    /// Notes that the server has no job.
    pub(crate) fn found_none(&self) {
        self.lock().idle.begin(Duration::ZERO);
    }

    /// Notes a job that is done here.
    pub(crate) fn found_job(&self) {
        let mut state = self.lock();
        state.idle.reset();
        state.refusals.reset();
    }

    /// Notes a job that others must do. Returns the wait if it begins one, which leaves the job to them.
    pub(crate) fn refused_job(&self) -> Option<Duration> {
        self.lock().refusals.begin(Duration::ZERO)
    }

    /// Notes a result that could not be delivered yet.
    pub(crate) fn undelivered(&self) -> Undelivered<'_> {
        self.lock().undelivered += 1;
        Undelivered(self)
    }

    /// Takes a job; `None` if it is in hand already.
    pub(crate) fn hold(&self, id: &str) -> Option<Held<'_>> {
        self.lock().held.insert(id.to_owned()).then(|| Held { gate: self, id: id.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{RecvTimeoutError, channel};
    use std::thread;

    use super::*;

    const SOON: Duration = Duration::from_millis(20);
    const NEVER: Duration = Duration::from_secs(3600);

    #[test]
    fn waits_grow_up_to_their_limit() {
        let mut waits = Waits::new(Duration::from_secs(1), Duration::from_secs(30));
        let drawn: Vec<_> = (0..8)
            .map(|_| {
                waits.until = None;
                waits.begin(Duration::ZERO).unwrap()
            })
            .collect();
        for (wait, first) in drawn.iter().zip([1, 2, 4, 8, 15, 15, 15, 15]) {
            let first = Duration::from_secs(first);
            assert!((first..=first * 2).contains(wait), "{drawn:?}");
        }
        // Only one of the cores that fail together begins a wait.
        assert_eq!(waits.begin(Duration::ZERO), None);
        waits.reset();
        assert!(waits.begin(Duration::from_secs(60)).unwrap() >= Duration::from_secs(61));
    }

    #[test]
    fn one_core_asks_at_a_time_and_none_while_a_result_waits() {
        let gate = Gate::new(SOON, NEVER);
        let turn = gate.turn().unwrap();
        let waiting = gate.undelivered();
        thread::scope(|scope| {
            let (sender, asked) = channel();
            let gate = &gate;
            scope.spawn(move || sender.send(gate.turn().is_some()));
            let is_waiting = || asked.recv_timeout(SOON) == Err(RecvTimeoutError::Timeout);
            assert!(is_waiting());
            drop(turn);
            assert!(is_waiting());
            drop(waiting);
            assert_eq!(asked.recv(), Ok(true));
        });
    }

    #[test]
    fn a_job_is_in_one_hand() {
        let gate = Gate::new(SOON, SOON);
        let held = gate.hold("a").unwrap();
        assert!(gate.hold("a").is_none() && gate.hold("b").is_some());
        drop(held);
        assert!(gate.hold("a").is_some());
    }

    #[test]
    fn stopping_ends_the_waits() {
        let gate = Gate::new(NEVER, NEVER);
        gate.found_none();
        assert!(gate.failed(&Failure::Server(String::new())).is_some());
        thread::scope(|scope| {
            let (asking, sending) =
                (scope.spawn(|| gate.turn().is_none()), scope.spawn(|| gate.may_resend()));
            gate.stop(Stop::Finish);
            assert!(asking.join().unwrap());
            assert!(!gate.is_aborted());
            // The result may be tried again soon, and not for long.
            gate.stop(Stop::Abort);
            gate.stop(Stop::Finish);
            assert_eq!(gate.stopping(), Some(Stop::Abort));
            assert!(sending.join().unwrap());
        });
        gate.lock().aborted = Instant::now().checked_sub(LAST_TRIES[0] + SOON);
        assert!(!gate.may_resend());
    }
}
