//! One search from `go` to its answer, on a thread of the engine or in slices on the caller's.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Sender;
use std::sync::{Arc, Condvar, Mutex, OnceLock, PoisonError};

use sakmak_eval::BackgroundPause;
use sakmak_movegen::Move;

use crate::book::BookMove;
use crate::score::Score;
use crate::search::{Listener, SearchInfo, SearchProgress, SearchResult, Signals, Team, Worker};
use crate::skill::LimitedPlayer;
use crate::threads;
use crate::time::Timing;

/// Controls a running search from the engine's thread.
#[derive(Default)]
pub(crate) struct Control {
    pub(crate) signals: Arc<Signals>,
    /// Set just before the move is reported.
    pub(crate) is_done: AtomicBool,
    /// Set while the move must not be reported: in infinite analysis and while pondering.
    hold: Mutex<bool>,
    /// Set when the search has ended.
    pub(crate) timing: Arc<OnceLock<Timing>>,
    /// Keeps the background from solving endings while the search runs on a clock.
    background: Mutex<Option<BackgroundPause>>,
    released: Condvar,
}

impl Control {
    /// Delays the report of the move until [`Control::release`].
    pub(crate) fn hold(&self) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = true;
    }

    pub(crate) fn is_held(&self) -> bool {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn release(&self) {
        *self.hold.lock().unwrap_or_else(PoisonError::into_inner) = false;
        self.released.notify_all();
    }

    /// Pauses the solving of endings in the background; `None` resumes it.
    pub(crate) fn pause_background(&self, pause: Option<BackgroundPause>) {
        *self.background.lock().unwrap_or_else(PoisonError::into_inner) = pause;
    }

    #[cfg(test)]
    pub(crate) fn pauses_background(&self) -> bool {
        self.background.lock().unwrap_or_else(PoisonError::into_inner).is_some()
    }

    fn wait(&self) {
        let mut hold = self.hold.lock().unwrap_or_else(PoisonError::into_inner);
        while *hold {
            hold = self.released.wait(hold).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

/// The front end's listener, and the limited player, which gets all lines first.
struct Reports<L> {
    listener: L,
    player: Option<LimitedPlayer>,
    /// MultiPV of the front end: a limited player has more lines searched.
    lines: usize,
}

impl<L: Listener> Listener for Reports<L> {
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

/// The move to play, and the reply to ponder on.
type Answer = (Option<Move>, Option<Move>);

/// One search from `go` to `bestmove`.
pub(crate) struct Driver<L> {
    team: Team,
    control: Arc<Control>,
    reports: Reports<L>,
    /// Whether the worker is prepared for slices.
    has_begun: bool,
    /// Nodes of a slice, whatever the caller asks for.
    slice: Option<u64>,
    answer: Option<Answer>,
    /// The report of a move from the opening book.
    book_report: Option<String>,
}

impl<L: Listener> Driver<L> {
    /// `lines` is the MultiPV to report. With `finds_none`, see [`crate::Engine::no_search`], the answer is no move,
    /// without a search.
    pub(crate) fn new(
        team: Team,
        control: Arc<Control>,
        listener: L,
        player: Option<LimitedPlayer>,
        lines: usize,
        finds_none: bool,
    ) -> Self {
        let answer = finds_none.then_some((None, None));
        let reports = Reports { listener, player, lines };
        Self { team, control, reports, has_begun: false, slice: None, answer, book_report: None }
    }

    /// Searches in slices of `nodes` nodes, on a thread and on the caller's alike. A pause changes what the search finds;
    /// so it is the same everywhere.
    pub(crate) fn pause_every(&mut self, nodes: u64) {
        self.slice = Some(nodes);
    }

    /// Answers with a move of the opening book instead of searching.
    pub(crate) fn answer_from_book(&mut self, book_move: BookMove, reply: Option<Move>) {
        let BookMove { mv, score, results: [white, draws, black] } = book_move;
        let score = score.map_or_else(String::new, |score| format!(", score {}", Score::from_search(score)));
        let games = format!("{} games, white +{white} ={draws} -{black}", book_move.games());
        self.book_report = Some(format!("book move {mv}{score}, {games}"));
        self.answer = Some((Some(mv), reply));
    }

    /// Searches, waits until the answer may be reported, reports it, and drops `done`.
    pub(crate) fn run(mut self, worker: &mut Worker, done: Sender<()>) {
        self.search_slice(worker, u64::MAX);
        self.control.wait();
        self.report();
        drop(done);
    }

    /// Searches `nodes` more nodes, to the end with `u64::MAX`. Returns whether there is an answer.
    fn search_slice(&mut self, worker: &mut Worker, nodes: u64) -> bool {
        let nodes_each = self.slice.unwrap_or(nodes);
        while self.answer.is_none() {
            if !self.has_begun && nodes_each == u64::MAX {
                self.search(worker);
            } else {
                self.advance_search(worker, nodes_each);
            }
            if nodes < u64::MAX {
                break;
            }
        }
        self.answer.is_some()
    }

    #[inline(never)]
    fn search(&mut self, worker: &mut Worker) {
        self.think(|team, reports| Some(team.search(worker, reports)));
    }

    fn advance_search(&mut self, worker: &mut Worker, nodes: u64) {
        let has_begun = std::mem::replace(&mut self.has_begun, true);
        self.think(|team, reports| {
            if !has_begun {
                team.begin(worker);
            }
            team.advance(worker, nodes, reports)
        });
    }

    /// Stores the answer if `search` is over. If it panics, the answer is the first legal move.
    fn think(&mut self, search: impl FnOnce(&Team, &mut Reports<L>) -> Option<SearchResult>) {
        let outcome = catch_unwind(AssertUnwindSafe(|| {
            let result = search(&self.team, &mut self.reports)?;
            Some(self.choose(&result))
        }));
        match outcome {
            Ok(answer) => self.answer = answer,
            Err(panic) => {
                let message = format!("the search failed: {}", threads::panic_message(&*panic));
                self.reports.listener.warn(&message);
                let request = self.team.request();
                let allowed = &request.limits.search_moves;
                let is_allowed = |mv: &Move| allowed.is_empty() || allowed.contains(mv);
                self.answer = Some((request.position.legal_moves().into_iter().find(is_allowed), None));
            }
        }
    }

    /// The answer from the result of the search.
    fn choose(&mut self, result: &SearchResult) -> Answer {
        let Reports { listener, player, .. } = &mut self.reports;
        let answered = self.team.elapsed();
        let timing = Timing { ended: result.ended, answered, stall: result.longest_stall };
        let _ = self.control.timing.set(timing);
        result.warnings.iter().for_each(|warning| listener.warn(warning));
        let chosen = player.take().map_or(0, |player| player.choose(&result.moves));
        let Some(chosen) = result.moves.get(chosen) else {
            listener.no_moves(self.team.request().position.in_check());
            return (None, None);
        };
        (Some(chosen.mv), chosen.line.get(1).copied())
    }

    /// Reports the answer. The search has ended and released the transposition table.
    fn report(self) {
        let Self { team, control, mut reports, answer, book_report, .. } = self;
        drop(team);
        control.pause_background(None);
        control.is_done.store(true, Ordering::Release);
        book_report.iter().for_each(|report| reports.listener.warn(report));
        let (best, ponder) = answer.unwrap_or_default();
        reports.listener.finished(best, ponder);
    }
}

/// A [`Driver`] with any listener, run in slices by the calling thread.
pub(crate) trait Drive: Send {
    /// Searches `nodes` more nodes. Returns whether there is an answer.
    fn advance(&mut self, worker: &mut Worker, nodes: u64) -> bool;
    /// Reports the answer.
    fn finish(self: Box<Self>);
}

impl<L: Listener + Send> Drive for Driver<L> {
    fn advance(&mut self, worker: &mut Worker, nodes: u64) -> bool {
        self.search_slice(worker, nodes)
    }

    fn finish(self: Box<Self>) {
        self.report();
    }
}
