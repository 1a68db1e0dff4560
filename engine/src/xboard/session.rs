//! A session of XBoard's protocol: the game, the side that the engine plays, and its search.

use std::sync::mpsc::Sender;
use web_time::Instant;

use sakmak_movegen::{Color, DrawReason, Move, Outcome, Variant};

use super::command::{TimeControl, XBoardCommand};
use super::report;
use super::searches::{Estimate, Running, Task};
use crate::front_end::FrontEnd;
use crate::options::{AnnouncedKind, Options};

/// An event that a session handles.
pub(super) enum Event {
    /// A line from the GUI.
    Line(String),
    EndOfInput,
    /// A search has ended.
    Found {
        /// Number of the search, to ignore one that was abandoned.
        search: u64,
        best: Option<Move>,
        /// The reply it expects.
        reply: Option<Move>,
        /// `None` if the search reported no line.
        estimate: Option<Estimate>,
    },
}

/// XBoard's default time control: five minutes for 40 moves.
const DEFAULT_LEVEL: TimeControl = TimeControl { moves: 40, base: 300_000, increment: 0 };
/// Moves that XBoard and Cute Chess send in force mode before `setboard` with Black to move, for engines that take
/// the side to move from the last move. Neither is legal from our start positions, where bia are on the third rank.
const DUMMY_MOVES: [&str; 2] = ["a2a3", "b2b3"];

/// A session of XBoard's protocol.
pub(super) struct Session {
    pub(super) front: FrontEnd,
    pub(super) events: Sender<Event>,
    /// `None` for the start position.
    pub(super) fen: Option<String>,
    /// Moves, with count words among them.
    pub(super) moves: Vec<String>,
    /// The last `setboard` was refused: the game differs from the GUI's, and the engine makes no move in it.
    pub(super) is_refused: bool,
    /// The side that the engine plays; `None` in force mode and in analysis.
    pub(super) plays: Option<Color>,
    pub(super) analyzes: bool,
    pub(super) is_paused: bool,
    /// Whether the result has been reported.
    pub(super) is_over: bool,
    /// The GUI goes on after a draw, so it has other rules: no draw is reported any more.
    pub(super) ignores_draws: bool,
    /// Draws that were offered rather than claimed, each once a game.
    pub(super) offered_draws: Vec<DrawReason>,
    pub(super) level: TimeControl,
    pub(super) move_time: Option<i64>,
    pub(super) depth: Option<u32>,
    pub(super) node_rate: u64,
    /// Milliseconds on the engine's clock and on the opponent's.
    pub(super) clock: [i64; 2],
    pub(super) posts: bool,
    pub(super) ponders: bool,
    pub(super) may_resign: bool,
    pub(super) running: Option<Running>,
    pub(super) searches: u64,
    /// The reply that the engine expects to its last move.
    pub(super) reply: Option<Move>,
    /// The estimate of the engine's last move.
    pub(super) estimate: Option<Estimate>,
    /// Number of moves in a row with a score low enough to resign.
    pub(super) lost_moves: u32,
    /// The opponent has offered a draw.
    pub(super) draw_offered: bool,
    /// Pings to answer after the engine's move.
    pub(super) pings: Vec<String>,
}

impl Session {
    pub(super) fn new(front: FrontEnd, events: Sender<Event>) -> Self {
        Self {
            front,
            events,
            fen: None,
            moves: Vec::new(),
            is_refused: false,
            plays: Some(Color::Black),
            analyzes: false,
            is_paused: false,
            is_over: false,
            ignores_draws: false,
            offered_draws: Vec::new(),
            level: DEFAULT_LEVEL,
            move_time: None,
            depth: None,
            node_rate: 0,
            clock: [DEFAULT_LEVEL.base; 2],
            posts: false,
            ponders: false,
            may_resign: false,
            running: None,
            searches: 0,
            reply: None,
            estimate: None,
            lost_moves: 0,
            draw_offered: false,
            pings: Vec::new(),
        }
    }

    /// Handles an event; returns `false` to end the session.
    pub(super) fn handle(&mut self, event: Event) -> bool {
        match event {
            Event::Line(line) => match XBoardCommand::parse(&line) {
                Ok(XBoardCommand::Quit) => return false,
                Ok(command) => self.execute(command),
                Err(error) => self.front.output.line(&error.to_string()),
            },
            Event::EndOfInput => {}
            Event::Found { search, best, reply, estimate } => {
                if self.running.as_ref().is_some_and(|running| running.number == search) {
                    self.found(best, reply, estimate);
                }
            }
        }
        true
    }

    fn execute(&mut self, command: XBoardCommand) {
        match command {
            XBoardCommand::Nothing | XBoardCommand::Quit => {}
            XBoardCommand::ProtocolVersion => self.front.output.line(&report::features()),
            XBoardCommand::New => self.new_game(),
            XBoardCommand::Variant(name) => self.set_variant(&name),
            XBoardCommand::SetBoard(fen) => self.set_board(fen),
            XBoardCommand::Undo => self.undo(1),
            XBoardCommand::Remove => self.undo(2),
            XBoardCommand::Force | XBoardCommand::Exit => {
                self.abandon();
                (self.plays, self.analyzes) = (None, false);
                self.answer_pings();
            }
            XBoardCommand::Result => {
                self.abandon();
                self.plays = None;
                self.answer_pings();
            }
            XBoardCommand::Go => {
                self.abandon();
                self.analyzes = false;
                // The GUI does not end the game here, or it would not ask for a move.
                (self.is_over, self.ignores_draws) = (false, self.front.engine.outcome().is_some());
                self.plays = Some(self.side_to_move());
                self.search(Task::Move);
            }
            XBoardCommand::PlayOther => {
                self.abandon();
                self.analyzes = false;
                self.plays = Some(!self.side_to_move());
                self.go_on();
            }
            XBoardCommand::Level(level) => {
                self.level = level;
                self.clock = [level.base; 2];
                self.move_time = None;
            }
            XBoardCommand::MoveTime(time) => self.move_time = Some(time),
            XBoardCommand::Depth(depth) => self.depth = Some(depth),
            XBoardCommand::NodeRate(rate) => self.node_rate = rate,
            XBoardCommand::Time(time) => self.clock[0] = time,
            XBoardCommand::OpponentTime(time) => self.clock[1] = time,
            XBoardCommand::Ponder(ponders) => {
                self.ponders = ponders;
                match &self.running {
                    Some(Running { task: Task::Ponder(_), .. }) if !ponders => self.abandon(),
                    None => self.go_on(),
                    Some(_) => {}
                }
            }
            XBoardCommand::Post(posts) => self.posts = posts,
            XBoardCommand::Analyze => {
                self.abandon();
                (self.plays, self.analyzes) = (None, true);
                self.go_on();
            }
            XBoardCommand::Status => self.report_status(),
            XBoardCommand::Hint => self.hint(),
            XBoardCommand::Draw => {
                self.draw_offered = true;
                self.answer_draw_offer();
            }
            XBoardCommand::Book => self.report_book(),
            XBoardCommand::Pause => {
                self.abandon();
                self.is_paused = true;
            }
            XBoardCommand::Resume => {
                self.is_paused = false;
                self.go_on();
            }
            XBoardCommand::Memory(megabytes) => self.set_option("Hash", Some(&megabytes)),
            XBoardCommand::Cores(threads) => self.set_option("Threads", Some(&threads)),
            XBoardCommand::Option { name, value } => self.set_option(&name, value.as_deref()),
            XBoardCommand::Ping(number) => {
                self.pings.push(number);
                if !self.is_thinking() {
                    self.answer_pings();
                }
            }
            XBoardCommand::MoveNow => {
                if self.is_thinking() {
                    self.front.engine.stop();
                }
            }
            XBoardCommand::Move(text) => self.opponent_moves(&text),
        }
    }

    fn side_to_move(&self) -> Color {
        self.front.engine.position().side_to_move()
    }

    /// Whether a search for the engine's move is running.
    pub(super) fn is_thinking(&self) -> bool {
        self.running.as_ref().is_some_and(|running| running.task == Task::Move)
    }

    /// Whether a search with a limit is running.
    pub(super) fn ends_by_itself(&self) -> bool {
        self.running.as_ref().is_some_and(|running| matches!(running.task, Task::Move | Task::Hint))
    }

    pub(super) fn answer_pings(&mut self) {
        for number in self.pings.drain(..) {
            self.front.output.line(&format!("pong {number}"));
        }
    }

    /// Stops the running search and ignores its move; restores the position of the game.
    pub(super) fn abandon(&mut self) {
        if let Some(running) = self.running.take() {
            self.front.engine.stop();
            if matches!(running.task, Task::Ponder(_)) {
                self.restore_position();
            }
        }
    }

    /// Sets up the game in the engine, where it has been accepted before.
    pub(super) fn restore_position(&mut self) {
        let _ = self.front.engine.set_game(self.fen.as_deref(), self.moves.iter().map(String::as_str));
    }

    /// Resets the state of a game.
    fn reset_game(&mut self, fen: Option<String>) {
        self.fen = fen;
        self.moves.clear();
        self.is_refused = false;
        (self.is_over, self.ignores_draws, self.draw_offered) = (false, false, false);
        (self.reply, self.estimate, self.lost_moves) = (None, None, 0);
        self.offered_draws.clear();
        self.restore_position();
    }

    fn new_game(&mut self) {
        self.abandon();
        self.set_option("UCI_Variant", Some(Variant::default().name()));
        self.front.engine.new_game();
        self.reset_game(None);
        (self.plays, self.analyzes, self.is_paused) = (Some(Color::Black), self.analyzes, false);
        self.depth = None;
        self.clock = [self.level.base; 2];
        if self.analyzes {
            self.plays = None;
            self.go_on();
        }
        self.answer_pings();
    }

    fn set_variant(&mut self, name: &str) {
        self.abandon();
        if self.front.set_option("UCI_Variant", Some(name)).is_err() {
            self.front.output.line(&format!("Error (unsupported variant): {name}"));
            return;
        }
        self.reset_game(None);
        let start = self.front.engine.position().to_string();
        if let Some(setup) = report::setup(self.front.engine.rules(), &start) {
            self.front.output.line(&setup);
        }
        self.go_on_analysis();
    }

    fn set_board(&mut self, fen: String) {
        self.abandon();
        let errors = self.front.engine.set_game(Some(&fen), []);
        if let Some(error) = errors.first() {
            self.is_refused = true;
            self.restore_position();
            self.front.output.line("tellusererror Illegal position");
            self.front.output.comment(error);
        } else {
            self.reset_game(Some(fen));
        }
        self.go_on_analysis();
    }

    /// Takes back `moves` moves.
    fn undo(&mut self, moves: usize) {
        self.abandon();
        let is_move = |text: &&String| !XBoardCommand::is_count_word(text);
        if self.moves.iter().filter(is_move).count() < moves {
            self.front.output.line("Error (no move to take back): undo");
        } else {
            for _ in 0..moves {
                // The count words before a move are taken back with it.
                let at = self.moves.iter().rposition(|text| is_move(&text)).unwrap_or(0);
                self.moves.truncate(at);
                while self.moves.last().is_some_and(|text| !is_move(&text)) {
                    self.moves.pop();
                }
            }
            (self.is_over, self.reply, self.estimate) = (false, None, None);
            self.offered_draws.clear();
            self.restore_position();
        }
        self.go_on_analysis();
    }

    /// Handles a move from the GUI: the opponent's, or any in force mode and analysis.
    fn opponent_moves(&mut self, text: &str) {
        if self.is_thinking() {
            self.front.output.line(&format!("Illegal move (it is not your turn): {text}"));
            return;
        }
        if self.is_refused {
            self.front.output.line(&format!("Illegal move (the position was refused): {text}"));
            return;
        }
        if let Some(Running { task: Task::Ponder(expected), started, .. }) = &mut self.running
            && expected.to_string() == text
        {
            self.moves.push(text.to_owned());
            *started = Instant::now();
            if let Some(running) = &mut self.running {
                running.task = Task::Move;
            }
            self.front.engine.ponder_hit();
            return;
        }
        self.abandon();
        self.ignores_draws |= std::mem::take(&mut self.is_over);
        self.moves.push(text.to_owned());
        let errors = self.front.engine.set_game(self.fen.as_deref(), self.moves.iter().map(String::as_str));
        if let Some(error) = errors.last() {
            self.moves.pop();
            self.restore_position();
            let is_dummy = self.plays.is_none() && self.moves.is_empty() && DUMMY_MOVES.contains(&text);
            if !is_dummy {
                self.front.output.line(&format!("Illegal move: {text}"));
            }
            self.front.output.comment(error);
        }
        self.go_on();
    }

    /// Reports the end of the game, once.
    ///
    /// Mate and stalemate end it under all rules. Other draws are claimed only if the GUI has set `Ruleset`, since a
    /// wrong claim loses; otherwise the engine offers a draw, and the game goes on.
    pub(super) fn report_result(&mut self) {
        let Some(outcome) = self.front.engine.outcome() else { return };
        let has_move = self.front.engine.position().has_legal_move();
        if let Outcome::Draw(reason) = outcome
            && reason != DrawReason::Stalemate
            && !self.front.options.is_ruleset_set
        {
            self.is_over |= !has_move;
            if !self.offered_draws.contains(&reason) {
                self.offered_draws.push(reason);
                self.front.output.line("offer draw");
            }
            return;
        }
        if self.plays_on_after(outcome) {
            return;
        }
        if !std::mem::replace(&mut self.is_over, true) {
            self.front.output.line(&report::result(outcome));
        }
    }

    /// Whether the game goes on after this outcome of the current position: the draw has been offered before, or the
    /// GUI has other rules.
    fn plays_on_after(&self, outcome: Outcome) -> bool {
        let is_offered = !self.front.options.is_ruleset_set
            && matches!(outcome, Outcome::Draw(reason) if self.offered_draws.contains(&reason));
        (self.ignores_draws || is_offered) && self.front.engine.position().has_legal_move()
    }

    fn go_on_analysis(&mut self) {
        if self.analyzes {
            self.go_on();
        }
    }

    /// Starts the next search in the current position: analysis, the engine's move, or pondering.
    pub(super) fn go_on(&mut self) {
        if self.is_paused || self.running.is_some() {
            return;
        }
        if self.analyzes {
            self.search(Task::Analysis);
            return;
        }
        let Some(side) = self.plays else { return };
        self.report_result();
        if self.is_over {
            self.answer_pings();
        } else if side == self.side_to_move() {
            self.search(Task::Move);
        } else if self.ponders
            && let Some(reply) = self.reply.take()
            && self.front.engine.position().is_legal(reply)
        {
            let text = reply.to_string();
            let moves = self.moves.iter().chain([&text]).map(String::as_str);
            let refused = self.front.engine.set_game(self.fen.as_deref(), moves);
            if refused.is_empty()
                && self.front.engine.outcome().is_none_or(|outcome| self.plays_on_after(outcome))
            {
                self.search(Task::Ponder(reply));
            } else {
                self.restore_position();
            }
        }
    }

    fn set_option(&mut self, name: &str, value: Option<&str>) {
        if name.eq_ignore_ascii_case(report::RESIGN) {
            self.may_resign = value == Some("1");
            return;
        }
        let announced = Options::announced();
        let kind = announced.iter().find(|(other, _)| other.eq_ignore_ascii_case(name)).map(|(_, kind)| kind);
        let value = match (kind, value) {
            (Some(AnnouncedKind::Check(_)), Some("0")) => Some("false"),
            (Some(AnnouncedKind::Check(_)), Some("1")) => Some("true"),
            _ => value,
        };
        if let Err(error) = self.front.set_option(name, value) {
            self.front.output.line(&format!("Error ({error}): option {name}"));
        }
    }
}
