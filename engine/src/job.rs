//! One search from `go` to its answer, on the thread that does it.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::time::{Instant, SystemTime};

use sakmak_movegen::{Move, Position};

use crate::engine::{Listener, Settings};
use crate::search::{self, Progress, Report, Reporter, Signals, Task, Worker};
use crate::threads;
use crate::time::{Budget, Limits};
use crate::tt::TranspositionTable;

/// Wakes a finished search that has to wait before it may report its move.
#[derive(Default)]
pub(crate) struct Control {
    pub(crate) signals: Signals,
    /// Set just before the move is reported: nothing is left to do but that.
    pub(crate) is_done: AtomicBool,
    /// Set while the move must be held back: thinking without end, or on the opponent's time.
    pub(crate) hold: Mutex<bool>,
    released: Condvar,
}

impl Control {
    pub(crate) fn release(&self) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    pub(crate) fn wait(&self) {
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        while *hold {
            hold = self.released.wait(hold).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Passes on what a search reports.
struct Forwarder<'a, L> {
    listener: &'a mut L,
    /// A limited player considers more lines than were asked for; only so many are passed on.
    lines: usize,
}

impl<L: Listener> Reporter for Forwarder<'_, L> {
    fn line(&mut self, report: Report) {
        if report.multi_pv <= self.lines {
            self.listener.report(&report);
        }
    }

    fn bound(&mut self, report: Report) {
        self.line(report);
    }

    fn progress(&mut self, progress: Progress) {
        self.listener.progress(&progress);
    }
}

/// One search from `go` to the answer.
pub(crate) struct SearchJob<L> {
    pub(crate) position: Position,
    pub(crate) keys: Vec<u64>,
    /// Whether no move may be made, see [`crate::Engine::is_off_turn`].
    pub(crate) off_turn: bool,
    pub(crate) limits: Limits,
    pub(crate) started: Instant,
    pub(crate) settings: Settings,
    pub(crate) tt: Arc<TranspositionTable>,
    pub(crate) control: Arc<Control>,
    pub(crate) workers: Vec<Worker>,
    pub(crate) listener: L,
}

impl<L: Listener> SearchJob<L> {
    pub(crate) fn run(mut self) -> Vec<Worker> {
        let (best, ponder) = self.think();
        let workers = std::mem::take(&mut self.workers);
        self.control.wait();
        self.finish(best, ponder);
        workers
    }

    /// Reports the answer. Whoever reads it finds the search ended, and the table free.
    pub(crate) fn finish(self, best: Option<Move>, ponder: Option<Move>) {
        let Self { tt, control, mut listener, .. } = self;
        drop(tt);
        control.is_done.store(true, Ordering::Release);
        listener.finished(best, ponder);
    }

    /// The move to play and the reply to ponder on. Should all else fail it is any legal move.
    pub(crate) fn think(&mut self) -> (Option<Move>, Option<Move>) {
        if self.off_turn {
            return (None, None);
        }
        let result = catch_unwind(AssertUnwindSafe(|| self.search()));
        result.unwrap_or_else(|panic| {
            self.listener.warn(&format!("the search failed: {}", threads::panic_message(&*panic)));
            let allowed =
                |mv: &Move| self.limits.search_moves.is_empty() || self.limits.search_moves.contains(mv);
            (self.position.legal_moves().into_iter().find(allowed), None)
        })
    }

    /// Searches and chooses the move to play and the reply to ponder on.
    fn search(&mut self) -> (Option<Move>, Option<Move>) {
        let Self { position, settings, listener, limits, .. } = self;
        let mut multi_pv = settings.multi_pv;
        let mut workers = &mut self.workers[..];
        if let Some(skill) = settings.skill {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(skill.nodes()));
            multi_pv = multi_pv.max(skill.lines());
            workers = &mut workers[..1];
        }
        let (side, number) = (position.side_to_move(), position.fullmove_number());
        let budget = Budget::new(limits, side, number, settings.move_overhead);
        let task = Task { position, keys: &self.keys, limits, budget, multi_pv, started: self.started };
        let mut forwarder = Forwarder { listener, lines: settings.multi_pv };
        let findings = search::run(&task, &self.tt, &self.control.signals, workers, &mut forwarder);
        findings.warnings.iter().for_each(|warning| listener.warn(warning));

        let chosen = match settings.skill {
            Some(skill) => {
                let clock = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_nanos() as u64);
                skill.choose(&findings.moves, position.key() ^ clock)
            }
            None => 0,
        };
        let Some(chosen) = findings.moves.get(chosen) else {
            listener.no_moves(position.in_check());
            return (None, None);
        };
        (Some(chosen.mv), chosen.line.get(1).copied())
    }
}
