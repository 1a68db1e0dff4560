//! One search from `go` to its answer, on the main search thread.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use sakmak_eval::BackgroundPause;
use sakmak_movegen::Move;

use crate::search::{Listener, SearchInfo, SearchProgress, Signals, Team, Worker};
use crate::skill::LimitedPlayer;
use crate::threads;
use crate::time::Timing;

/// Controls a running search from the engine's thread.
#[derive(Default)]
pub(crate) struct Control {
    pub(crate) signals: Arc<Signals>,
    /// Set just before the move is reported.
    pub(crate) is_done: AtomicBool,
    /// Set while the move must be held back: in infinite analysis and while pondering.
    pub(crate) hold: Mutex<bool>,
    /// Set when the search has ended.
    pub(crate) timing: Arc<OnceLock<Timing>>,
    /// While the search runs on a clock, no ending is solved in the background.
    pub(crate) background: Mutex<Option<BackgroundPause>>,
    released: Condvar,
}

impl Control {
    pub(crate) fn release(&self) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    /// Has the background pause, or go on.
    pub(crate) fn pause_background(&self, pause: Option<BackgroundPause>) {
        *self.background.lock().unwrap_or_else(PoisonError::into_inner) = pause;
    }

    pub(crate) fn wait(&self) {
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        while *hold {
            hold = self.released.wait(hold).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// Passes the reports of a search on to the engine's listener.
struct ListenerAdapter<'a, L> {
    listener: &'a mut L,
    /// A limited player considers more lines than are to be reported; only so many are passed on.
    lines: usize,
    player: Option<&'a mut LimitedPlayer>,
}

impl<L: Listener> Listener for ListenerAdapter<'_, L> {
    fn info(&mut self, info: &SearchInfo) {
        if let Some(player) = &mut self.player {
            player.see(info);
        }
        if info.multi_pv <= self.lines {
            self.listener.info(info);
        }
    }

    fn progress(&mut self, progress: &SearchProgress) {
        self.listener.progress(progress);
    }
}

/// One search from `go` to the answer.
pub(crate) struct SearchJob<L> {
    pub(crate) team: Team,
    pub(crate) control: Arc<Control>,
    /// Whether no move may be made, see [`crate::Engine::no_search`].
    pub(crate) finds_none: bool,
    pub(crate) player: Option<LimitedPlayer>,
    /// How many best lines to report.
    pub(crate) lines: usize,
    pub(crate) listener: L,
    /// Dropped when the answer has been reported.
    pub(crate) done: Sender<()>,
}

impl<L: Listener> SearchJob<L> {
    pub(crate) fn run(mut self, worker: &mut Worker) {
        let (best, ponder) = self.think(worker);
        self.control.wait();
        self.finish(best, ponder);
    }

    /// Reports the answer, once the search has ended and released the table.
    pub(crate) fn finish(self, best: Option<Move>, ponder: Option<Move>) {
        let Self { team, control, mut listener, done: _done, .. } = self;
        drop(team);
        control.pause_background(None);
        control.is_done.store(true, Ordering::Release);
        listener.finished(best, ponder);
    }

    /// The move to play and the reply to ponder on. If the search panics, the first legal move.
    #[inline(never)]
    pub(crate) fn think(&mut self, worker: &mut Worker) -> (Option<Move>, Option<Move>) {
        if self.finds_none {
            return (None, None);
        }
        let result = catch_unwind(AssertUnwindSafe(|| self.search(worker)));
        result.unwrap_or_else(|panic| {
            self.listener.warn(&format!("the search failed: {}", threads::panic_message(&*panic)));
            let request = self.team.request();
            let allowed = &request.limits.search_moves;
            let is_allowed = |mv: &Move| allowed.is_empty() || allowed.contains(mv);
            (request.position.legal_moves().into_iter().find(is_allowed), None)
        })
    }

    /// Searches and chooses the move to play and the reply to ponder on.
    fn search(&mut self, worker: &mut Worker) -> (Option<Move>, Option<Move>) {
        let Self { team, control, listener, player, lines, .. } = self;
        let mut adapter = ListenerAdapter { listener, lines: *lines, player: player.as_mut() };
        let result = team.search(worker, &mut adapter);
        let answered = team.elapsed();
        let _ = control.timing.set(Timing { ended: result.ended, answered, stall: result.longest_stall });
        result.warnings.iter().for_each(|warning| listener.warn(warning));

        let position = &team.request().position;
        let chosen = player.take().map_or(0, |player| player.choose(&result.moves));
        let Some(chosen) = result.moves.get(chosen) else {
            listener.no_moves(position.in_check());
            return (None, None);
        };
        (Some(chosen.mv), chosen.line.get(1).copied())
    }
}
