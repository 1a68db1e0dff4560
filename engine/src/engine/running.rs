//! The running search: how it goes on, and how it ends.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::Ordering::{Acquire, Relaxed};
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use web_time::Instant;

use super::Engine;
use crate::driver::{Control, Drive};

/// The bounds of the slices of [`Engine::step`], in nodes.
const SLICES: RangeInclusive<u64> = 1_000..=10_000_000;

/// How often [`Engine::finish`] polls `is_given_up`.
const PATIENCE: Duration = Duration::from_millis(100);

pub(super) struct RunningSearch {
    pub(super) control: Arc<Control>,
    pub(super) infinite: bool,
    /// Whether a clock ends it, see [`Limits::is_timed`](crate::time::Limits::is_timed).
    pub(super) is_timed: bool,
    /// Whether a limit ends it, see [`Limits::has_end`](crate::time::Limits::has_end).
    pub(super) has_end: bool,
    /// Nodes of the slices of [`Engine::step`], if they do not follow from the speed.
    pub(super) slice: Option<u64>,
    /// The number of men in its position.
    pub(super) men: u32,
    pub(super) state: RunningState,
}

pub(super) enum RunningState {
    /// On the main search thread; the channel closes when the answer has been reported.
    InThread(Receiver<()>),
    /// On the calling thread, in slices. If no thread could be started, the search is over and only the report of its
    /// answer may be pending.
    OnCaller(Box<dyn Drive>),
}

impl Engine {
    /// Whether a search is running, or finished but not yet allowed to report its move.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.control.is_done.load(Acquire))
    }

    /// The number of men in the position of the running search, which may not be the current one; `None` if none runs.
    pub(crate) fn searched_men(&self) -> Option<u32> {
        self.running.as_ref().filter(|_| self.is_searching()).map(|running| running.men)
    }

    /// Searches `nodes` more nodes, in an engine of [`Engine::on_calling_thread`]. Reports the answer as soon as it may
    /// be reported; in infinite analysis and while pondering it waits for [`Engine::stop`] or [`Engine::ponder_hit`].
    /// Returns whether there is no answer yet.
    ///
    /// If the search needs a DTM table that is not solved yet, a call solves it for some milliseconds instead.
    pub fn advance(&mut self, nodes: u64) -> bool {
        let (Some(RunningSearch { state: RunningState::OnCaller(driver), control, .. }), Some(worker)) =
            (&mut self.running, &mut self.worker)
        else {
            return false;
        };
        let is_answered = driver.advance(worker, nodes);
        if is_answered && !control.is_held() {
            self.join();
        }
        !is_answered
    }

    /// Searches for about `budget` in an engine of [`Engine::on_calling_thread`], as [`Engine::advance`] does; with
    /// threads, waits that long for the end of the search. Returns whether the search goes on; with threads, also while
    /// infinite analysis or pondering that ended by itself holds its answer.
    ///
    /// Slices are chosen by the speed of those before; a search of at most 20,000 nodes is one slice, and those of an
    /// opponent are as large. With [`Duration::MAX`] the search is that of a thread, node by node.
    pub fn step(&mut self, budget: Duration) -> bool {
        if let Some(RunningSearch { state: RunningState::InThread(done), .. }) = &self.running {
            if done.recv_timeout(budget) == Err(RecvTimeoutError::Timeout) {
                return true;
            }
            self.join();
        }
        if budget == Duration::MAX {
            return self.advance(u64::MAX);
        }
        let started = Instant::now();
        let mut spent = Duration::ZERO;
        let fixed = self.running.as_ref().and_then(|running| running.slice);
        loop {
            let before = spent;
            let goes_on = self.advance(fixed.unwrap_or(self.slice));
            spent = started.elapsed();
            if goes_on && spent > before && fixed.is_none() && !self.is_solving() {
                let speed = self.slice as f64 / (spent - before).as_secs_f64();
                let fitting = (speed * budget.as_secs_f64()) as u64;
                self.slice = fitting.min(self.slice * 4).clamp(*SLICES.start(), *SLICES.end());
            }
            // A clock that stands still, as in some browsers, says nothing about the speed.
            if !goes_on || spent == before || spent * 2 >= budget {
                return goes_on;
            }
        }
    }

    /// Whether the last [`Engine::advance`] ended because the search needs an ending that is not solved yet; the next
    /// calls solve it.
    pub fn is_solving(&self) -> bool {
        self.is_searching() && self.worker.as_ref().is_some_and(|worker| worker.awaits_tables())
    }

    /// Ends the running search, if any, and waits until it has reported its move.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.signals.stop.store(true, Relaxed);
            running.control.release();
        }
        self.join();
    }

    /// The opponent has played the expected move: the ponder search goes on, now on the clock.
    pub fn ponder_hit(&mut self) {
        if let Some(running) = &self.running
            && running.control.signals.pondering.swap(false, Relaxed)
            && !running.infinite
        {
            if running.is_timed {
                running.control.pause_background(Some(self.dtm_tables.pause_background()));
            }
            running.control.release();
            if matches!(running.state, RunningState::OnCaller(_)) && self.worker.is_none() {
                self.join();
            }
        }
    }

    /// At the end of input: waits until the running search has reported its move if a limit ends it, else stops it.
    /// Also stops it as soon as `is_given_up`, which is polled.
    pub fn finish(&mut self, is_given_up: impl Fn() -> bool) {
        let Some(running) = &self.running else { return };
        let ends = running.has_end && !running.control.signals.pondering.load(Relaxed);
        while ends && !is_given_up() && self.step(PATIENCE) {}
        // Does nothing to a search that has ended.
        self.stop();
    }

    /// Waits until the running search has reported its move; in an engine without threads, searches to the end.
    pub fn join(&mut self) {
        if let Some(running) = self.running.take() {
            match running.state {
                // Nothing is sent: `recv` returns when the sender is dropped.
                RunningState::InThread(done) => _ = done.recv(),
                RunningState::OnCaller(mut driver) => {
                    if let Some(worker) = &mut self.worker {
                        driver.advance(worker, u64::MAX);
                    }
                    driver.finish();
                }
            }
        }
    }
}
