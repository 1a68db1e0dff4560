//! The searches of a session: for the engine's move, on the opponent's time, for analysis and for a hint.

use std::sync::mpsc::Sender;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use web_time::Instant;

use sakmak_movegen::Move;

use super::command::COUNT_STOP;
use super::report;
use super::session::{Event, Session};
use crate::output::Output;
use crate::score::Score;
use crate::search::{Listener, SearchInfo, SearchProgress};
use crate::time::{Limits, time_of_gui};
use crate::tt::Bound;
use crate::win_rate::accepts_draw;

/// The purpose of a running search.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Task {
    /// The engine's move.
    Move,
    /// The engine's next move, if the opponent plays this one.
    Ponder(Move),
    Analysis,
    /// A proposal for the opponent's move.
    Hint,
}

/// Progress of a search, for `.`.
#[derive(Clone, Copy, Default)]
struct Status {
    depth: u32,
    nodes: u64,
    centiseconds: u128,
    /// The root move being searched, and its number.
    current: Option<(Move, usize)>,
}

/// The running search.
pub(super) struct Running {
    pub(super) number: u64,
    pub(super) task: Task,
    pub(super) started: Instant,
    status: Arc<Mutex<Status>>,
}

/// Time of the search for a hint.
const HINT_TIME: Duration = Duration::from_millis(500);
/// The engine resigns, if it may, with at most this score in centipawns in [`RESIGN_MOVES`] of its moves in a row.
const RESIGN_SCORE: i32 = -900;
const RESIGN_MOVES: u32 = 4;

/// Writes the reports of a search, and sends its result to the session.
struct XBoardListener {
    output: Output,
    events: Sender<Event>,
    search: u64,
    posts: bool,
    status: Arc<Mutex<Status>>,
    estimate: Option<Estimate>,
}

/// Score and chances of the best line, for the side to move.
#[derive(Clone, Copy)]
pub(super) struct Estimate {
    score: Score,
    /// Chances to win, draw and lose, in thousandths.
    win_draw_loss: [u32; 3],
}

impl XBoardListener {
    fn set_status(&self, change: impl FnOnce(&mut Status)) {
        change(&mut self.status.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

impl Listener for XBoardListener {
    fn info(&mut self, info: &SearchInfo) {
        self.set_status(|status| {
            status.depth = info.depth;
            status.nodes = info.nodes;
            status.centiseconds = info.time.as_millis() / 10;
        });
        // The protocol knows no bounds.
        if info.bound != Bound::Exact {
            return;
        }
        if info.multi_pv == 1 {
            self.estimate = Some(Estimate { score: info.score, win_draw_loss: info.win_draw_loss });
        }
        if self.posts {
            self.output.line(&report::thinking(info));
        }
    }

    fn progress(&mut self, progress: &SearchProgress) {
        self.set_status(|status| {
            status.depth = progress.depth;
            status.nodes = progress.nodes;
            status.centiseconds = progress.time.as_millis() / 10;
            status.current = progress.current.or(status.current);
        });
    }

    fn warn(&mut self, message: &str) {
        self.output.comment(&message);
    }

    fn finished(&mut self, best: Option<Move>, reply: Option<Move>) {
        // The session may have ended.
        let _ = self.events.send(Event::Found { search: self.search, best, reply, estimate: self.estimate });
    }
}

impl Session {
    /// Starts a search in the current position.
    pub(super) fn search(&mut self, task: Task) {
        if self.is_refused {
            self.front.output.comment(&"no search: the position was refused");
            self.answer_pings();
            return;
        }
        if !self.front.engine.position().has_legal_move() {
            self.report_result();
            self.answer_pings();
            return;
        }
        self.searches += 1;
        let status = Arc::new(Mutex::new(Status::default()));
        let posts = task != Task::Hint && (self.posts || task == Task::Analysis);
        let listener = XBoardListener {
            output: self.front.output.clone(),
            events: self.events.clone(),
            search: self.searches,
            posts,
            status: Arc::clone(&status),
            estimate: None,
        };
        let limits = self.limits(&task);
        self.running = Some(Running { number: self.searches, task, started: Instant::now(), status });
        self.front.report_damage();
        self.front.go(limits, listener);
    }

    fn limits(&self, task: &Task) -> Limits {
        match task {
            Task::Analysis => return Limits { infinite: true, ..Limits::default() },
            Task::Hint => return Limits::move_time(HINT_TIME),
            Task::Move | Task::Ponder(_) => {}
        }
        let side = self.front.engine.position().side_to_move();
        let mut limits = Limits {
            depth: self.depth,
            ponder: matches!(task, Task::Ponder(_)),
            move_time: self.move_time.map(time_of_gui),
            node_rate: Some(self.node_rate).filter(|&rate| rate > 0),
            increment: [time_of_gui(self.level.increment); 2],
            ..Limits::default()
        };
        limits.clock[side.index()] = Some(self.clock[0]);
        limits.clock[(!side).index()] = Some(self.clock[1]);
        if self.level.moves > 0 {
            limits.moves_to_go = Some(self.level.moves - self.made_moves() % self.level.moves);
        }
        limits
    }

    /// Moves that the side to move has made.
    fn made_moves(&self) -> u32 {
        (self.front.engine.game().len() / 2) as u32
    }

    /// Handles the result of the running search.
    pub(super) fn found(&mut self, best: Option<Move>, reply: Option<Move>, estimate: Option<Estimate>) {
        let Some(running) = self.running.take() else { return };
        match (running.task, best) {
            (Task::Move, Some(best)) => {
                // Clocks and increments may have any size.
                let spent = running.started.elapsed().as_millis() as i64;
                self.clock[0] = self.clock[0].saturating_add(self.level.increment).saturating_sub(spent);
                // The GUI reports the clock when the engine is to move; until then it ponders with this one.
                let refill = self.level.refill(self.made_moves() + 1);
                self.clock[0] = self.clock[0].saturating_add(refill);
                (self.reply, self.estimate) = (reply, estimate);
                if self.resigns() {
                    self.front.output.line("resign");
                    (self.plays, self.is_over) = (None, true);
                } else {
                    if self.front.engine.position().must_stop_count(best) {
                        self.front.output.comment(&COUNT_STOP);
                        self.moves.push(COUNT_STOP.to_owned());
                    }
                    self.moves.push(best.to_string());
                    self.restore_position();
                    self.front.output.line(&format!("move {best}"));
                    self.answer_draw_offer();
                }
                self.go_on();
                self.answer_pings();
            }
            (Task::Hint, Some(best)) => {
                self.front.output.line(&format!("Hint: {best}"));
                self.go_on();
            }
            // Analysis and pondering hold the result until they are abandoned.
            _ => self.answer_pings(),
        }
    }

    /// Whether the engine resigns.
    fn resigns(&mut self) -> bool {
        let is_lost = self.estimate.is_some_and(|estimate| match estimate.score {
            Score::Centipawns(score) => score <= RESIGN_SCORE,
            Score::Mate(moves) => moves <= 0,
        });
        self.lost_moves = if is_lost { self.lost_moves + 1 } else { 0 };
        self.may_resign && self.lost_moves >= RESIGN_MOVES
    }

    /// Accepts or ignores a draw offer. Without an estimate so far the offer stands until the engine's next move.
    pub(super) fn answer_draw_offer(&mut self) {
        let Some(estimate) = self.estimate.filter(|_| self.draw_offered) else { return };
        if accepts_draw(estimate.win_draw_loss) {
            self.front.output.line("offer draw");
        }
        self.draw_offered = false;
    }

    pub(super) fn hint(&mut self) {
        match &self.running {
            Some(Running { task: Task::Ponder(reply), .. }) => {
                self.front.output.line(&format!("Hint: {reply}"))
            }
            Some(_) => {}
            None => self.search(Task::Hint),
        }
    }

    /// Answers `bk`: the moves of the opening book here.
    pub(super) fn report_book(&self) {
        let engine = &self.front.engine;
        let moves = engine.settings().book.as_ref().map(|settings| settings.book.position(engine.position()));
        match moves {
            None => self.front.output.line("\tThere is no opening book."),
            Some(None) => self.front.output.line("\tThe opening book has no move here."),
            Some(Some(found)) => {
                for mv in found.moves {
                    self.front.output.line(&format!("\t{}: {} games", mv.mv, mv.games()));
                }
            }
        }
        self.front.output.line("");
    }

    /// Answers `.`: time, nodes, depth, root moves left and in all, and the current one.
    pub(super) fn report_status(&self) {
        let Some(running) = &self.running else { return };
        let status = *running.status.lock().unwrap_or_else(PoisonError::into_inner);
        let all = self.front.engine.position().legal_moves().len();
        let (current, left) = match status.current {
            Some((mv, number)) => (format!(" {mv}"), all.saturating_sub(number)),
            None => (String::new(), 0),
        };
        let Status { depth, nodes, centiseconds, .. } = status;
        self.front.output.line(&format!("stat01: {centiseconds} {nodes} {depth} {left} {all}{current}"));
    }
}
