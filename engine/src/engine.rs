//! The engine without a protocol: a game, options, tables and at most one running search.

use std::fmt;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::Instant;

use sakmak_movegen::{DrawReason, Game, Move, Outcome, Position, Rules};

use crate::job::{Control, SearchJob};
use crate::record::{GameError, LenientMove, Record, Root};
use crate::search::{Progress, Report, Worker};
use crate::skill::Skill;
use crate::time::Limits;
use crate::tt::{OutOfMemory, TranspositionTable};
use crate::{memory, threads};

use Ordering::Relaxed;

/// What a search tells while and after it runs. Called from the searching thread.
pub trait Listener: Send + 'static {
    /// A line was found, or in a long search a bound of its score.
    fn report(&mut self, report: &Report);
    /// In a long search: how far it is.
    fn progress(&mut self, progress: &Progress);
    /// Something went wrong, but the search answers nevertheless: a thread did not start, or panicked.
    fn warn(&mut self, message: &str);
    /// There is nothing to search: the game is over, by mate if `mated`, else by stalemate.
    fn no_moves(&mut self, mated: bool);
    /// The search is over. `best` is `None` if there is no legal move. When this is called,
    /// [`Engine::is_searching`] is already false, and all other calls wait until it has returned.
    fn finished(&mut self, best: Option<Move>, ponder: Option<Move>);
}

/// Size of the transposition table in MiB unless another is asked for. One of 16 MiB is full within seconds.
pub(crate) const DEFAULT_HASH_MB: usize = 64;

/// How to search, apart from the limits.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Searching threads.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
    /// How many best lines to find.
    pub multi_pv: usize,
    /// Time to set aside for each move, in milliseconds.
    pub move_overhead: i64,
    /// A weaker player than the best.
    pub skill: Option<Skill>,
    /// The rules of the game, from the next [`Engine::set_game`] on.
    pub rules: Rules,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mb: DEFAULT_HASH_MB,
            multi_pv: 1,
            move_overhead: 10,
            skill: None,
            rules: Rules::default(),
        }
    }
}

/// Settings that the machine cannot meet. The settings then say what it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no memory for the transposition table.
    Hash {
        /// Why.
        error: OutOfMemory,
        /// Size of the table there is now, in MiB; 0 if it is smaller than one.
        kept: usize,
    },
    /// There is no memory for the searching threads.
    Threads {
        /// As many as were asked for.
        wanted: usize,
        /// As many as there are now.
        kept: usize,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash { error, kept } => write!(f, "{error}; keeping {kept} MB"),
            Self::Threads { wanted, kept } => {
                write!(f, "no memory for {wanted} search threads; keeping {kept}")
            }
        }
    }
}

/// Memory to be left over for all else when search threads are set up, in bytes.
const SPARE_MEMORY: usize = 32 << 20;

/// Nodes of a search for which no thread could be started. It has the caller wait.
const NODES_WITHOUT_THREAD: u64 = 20_000;

struct Running {
    control: Arc<Control>,
    infinite: bool,
    work: Work,
}

enum Work {
    Thread(JoinHandle<Vec<Worker>>),
    /// No thread could be started. The answer has been found, and is reported when it may be.
    Answered(Box<dyn FnOnce() + Send>),
}

/// An engine that plays Makruk.
pub struct Engine {
    record: Record,
    /// The rules of what tables and histories hold.
    learnt_by: Rules,
    settings: Settings,
    tt: Arc<TranspositionTable>,
    workers: Vec<Worker>,
    running: Option<Running>,
    forget: bool,
}

impl Engine {
    /// An engine at the start position. The tables of hunts ([`sakmak_eval::prepare`]) are solved in the background
    /// from now on.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(settings: Settings) -> Result<Self, OutOfMemory> {
        // The table must leave memory for a worker and all else.
        let spare =
            memory::reserve(Worker::BYTES + SPARE_MEMORY).map_err(|_| OutOfMemory(settings.hash_mb))?;
        let tt = Arc::new(TranspositionTable::new(settings.hash_mb)?);
        drop(spare);
        let rules = settings.rules;
        let engine = Self {
            record: Record::new(rules),
            learnt_by: rules,
            settings,
            tt,
            workers: vec![Worker::new()],
            running: None,
            forget: false,
        };
        // If the thread is refused, a forecast takes the tables' place. It can be asked for again.
        let _ = sakmak_eval::prepare_in_background();
        Ok(engine)
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.game().position()
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        self.record.game()
    }

    /// The settings for the next search.
    pub fn settings(&self) -> &Settings {
        &self.settings
    }

    /// Changes settings for the next search; the running one goes on with the old ones. A new table
    /// size takes effect with [`Engine::apply`].
    pub fn settings_mut(&mut self) -> &mut Settings {
        &mut self.settings
    }

    /// The moves of the game that only another reading of Ouk Chaktrang allows.
    pub fn lenient_moves(&self) -> &[LenientMove] {
        self.record.lenient_moves()
    }

    /// Sets up a position and makes moves from there, also those of [`Engine::lenient_moves`]. `fen` is `None` for the
    /// start position. Among the moves, `count-start`, `count-stop` and `count-claim` stand for what the side to move
    /// does about the count. A running search is not disturbed.
    ///
    /// Returns everything that was refused, see [`GameError`]. After a refused move or FEN the engine makes no move
    /// while [`Engine::is_off_turn`].
    #[must_use]
    pub fn set_game<'a>(
        &mut self,
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Vec<GameError> {
        self.record.set(fen, moves, self.settings.rules)
    }

    /// Sets up the game anew if the rules in the settings are no longer those it is played by. If it was legal to
    /// its end and by the new rules is not, another game begins, at its start position; going back to the old rules
    /// brings the old game back.
    ///
    /// Returns what was refused, as [`Engine::set_game`].
    #[must_use]
    pub fn apply_rules(&mut self) -> Vec<GameError> {
        self.record.apply_rules(self.settings.rules)
    }

    /// Whether the side to move is not the one of the position last asked for, because a move or the FEN was refused.
    /// A search then finds no move: any would be the wrong side's.
    pub fn is_off_turn(&self) -> bool {
        self.record.is_off_turn()
    }

    /// The draw that has ended the game, if a move can be made all the same. A search then does without the rule
    /// that says so.
    pub fn ignored_draw(&self) -> Option<DrawReason> {
        self.record.root().ignored
    }

    /// Replaces the position by its mirror image with colours exchanged.
    pub fn flip(&mut self) {
        let fen = self.position().flipped().to_string();
        // A position that is valid is so the other way round as well.
        let refused = self.set_game(Some(&fen), []);
        debug_assert_eq!(refused, []);
    }

    /// How the game stands: decided by the position, drawn by a third occurrence of it, or by a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        self.record.outcome()
    }

    /// Forgets all that was learnt from earlier games, before the next search.
    pub fn new_game(&mut self) {
        self.forget = true;
    }

    /// Whether a search is running, or finished but not yet allowed to tell its move.
    pub fn is_searching(&self) -> bool {
        self.running.as_ref().is_some_and(|running| !running.control.is_done.load(Ordering::Acquire))
    }

    /// Brings tables and threads in line with the settings. While a search runs nothing happens; the
    /// next one starts with it. The transposition table loses its content if its size changes.
    ///
    /// What the machine refuses is returned and taken back in the settings: the old size of the table is kept, and as
    /// many threads as there is memory for.
    #[must_use]
    pub fn apply(&mut self) -> Vec<Refusal> {
        if self.is_searching() {
            return Vec::new();
        }
        self.join();
        let mut refusals = Vec::new();
        // Scores, moves and counts of a game by other rules are wrong in this one. A drawn game that goes on without the
        // rule that drew it is no other one: that rule ended the search before the table was asked, and a clock may run.
        let root = self.record.root();
        let rules = *root.position.rules();
        let goes_on = root.ignored.is_some() && self.learnt_by == *self.game().rules();
        let forget = std::mem::take(&mut self.forget) || rules != self.learnt_by && !goes_on;
        self.learnt_by = rules;
        self.workers.truncate(self.settings.threads.max(1));
        if forget {
            self.workers.iter_mut().for_each(Worker::forget);
        }
        // Nobody else holds the table: the search has given its share back before it reported its move.
        if let Some(table) = Arc::get_mut(&mut self.tt) {
            if table.megabytes() != self.settings.hash_mb {
                if let Err(error) = table.resize(self.settings.hash_mb) {
                    self.settings.hash_mb = table.megabytes();
                    refusals.push(Refusal::Hash { error, kept: table.megabytes() });
                }
            } else if forget {
                table.clear(usize::MAX);
            }
        }
        refusals.extend(self.set_up_workers());
        refusals
    }

    /// Sets up as many workers as the settings ask for, or as there is memory for them and their threads.
    fn set_up_workers(&mut self) -> Option<Refusal> {
        let wanted = self.settings.threads.max(1);
        if self.workers.is_empty() {
            self.workers.push(Worker::new());
        }
        let total = if self.workers.len() < wanted { memory::total() } else { 0 };
        while self.workers.len() < wanted {
            let number = self.workers.len() + 1;
            let needed = Worker::BYTES + number * threads::ADDRESS_SPACE + SPARE_MEMORY;
            // More at a time than half of the memory the system may refuse though it is never used.
            if number * Worker::BYTES > total || !memory::is_left(needed.min(total / 2)) {
                self.settings.threads = self.workers.len();
                return Some(Refusal::Threads { wanted, kept: self.workers.len() });
            }
            self.workers.push(Worker::new());
        }
        None
    }

    /// Starts a search in the background. One that still runs is stopped first. If the system refuses the thread, a
    /// few nodes are searched at once.
    ///
    /// Unless it is to analyse without end, or the moves are chosen already, the search leaves out the
    /// legal moves that some reading of Ouk Chaktrang forbids, see [`Game::undisputed_moves`].
    ///
    /// What [`Engine::apply`] returns, which is called before; the search runs nevertheless, and at once finds
    /// no move if [`Engine::is_off_turn`].
    #[must_use]
    pub fn go(&mut self, mut limits: Limits, listener: impl Listener) -> Vec<Refusal> {
        let started = Instant::now();
        self.stop();
        if limits.search_moves.is_empty() && !limits.infinite && self.game().has_readings() {
            limits.search_moves = self.game().undisputed_moves().to_vec();
        }
        let refusals = self.apply();
        if let Some(table) = Arc::get_mut(&mut self.tt) {
            table.new_search();
        }

        // Without a clock the same search shall always give the same result.
        sakmak_eval::wait_for_tables(limits.is_repeatable());
        let control = Arc::new(Control::default());
        let infinite = limits.infinite;
        let is_held = limits.ponder || infinite;
        control.signals.pondering.store(limits.ponder, Relaxed);
        *control.hold.lock().unwrap_or_else(PoisonError::into_inner) = is_held;
        let Root { position, keys, .. } = self.record.root();
        let job = SearchJob {
            position,
            keys,
            off_turn: self.is_off_turn(),
            limits,
            started,
            settings: self.settings.clone(),
            tt: Arc::clone(&self.tt),
            control: Arc::clone(&control),
            workers: std::mem::take(&mut self.workers),
            listener,
        };

        // If no thread starts the job is still wanted.
        let job = Arc::new(Mutex::new(Some(job)));
        let take = |job: &Mutex<Option<_>>| job.lock().unwrap_or_else(PoisonError::into_inner).take();
        let in_thread = Arc::clone(&job);
        let work = match threads::start(move || take(&in_thread).map(SearchJob::run).unwrap_or_default()) {
            Ok(thread) => Work::Thread(thread),
            Err(error) => {
                let Some(mut job) = take(&job) else { return refusals };
                let warning = format!("cannot start the search thread: {error}; searching little");
                job.listener.warn(&warning);
                job.limits.nodes =
                    Some(job.limits.nodes.map_or(NODES_WITHOUT_THREAD, |n| n.min(NODES_WITHOUT_THREAD)));
                let (best, ponder) = job.think();
                self.workers = std::mem::take(&mut job.workers);
                Work::Answered(Box::new(move || job.finish(best, ponder)))
            }
        };
        let is_answered = matches!(work, Work::Answered(_));
        self.running = Some(Running { control, infinite, work });
        if is_answered && !is_held {
            self.join();
        }
        refusals
    }

    /// Ends the running search, if any, and waits until it has told its move.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.signals.stop.store(true, Relaxed);
            running.control.release();
        }
        self.join();
    }

    /// The opponent has played the expected move: a search begun on his time goes on, by the clock.
    pub fn ponder_hit(&mut self) {
        if let Some(running) = &self.running
            && running.control.signals.pondering.swap(false, Relaxed)
            && !running.infinite
        {
            running.control.release();
            if matches!(running.work, Work::Answered(_)) {
                self.join();
            }
        }
    }

    /// Waits until the running search has told its move.
    pub fn join(&mut self) {
        if let Some(running) = self.running.take() {
            match running.work {
                Work::Thread(thread) => self.workers = thread.join().unwrap_or_default(),
                Work::Answered(finish) => finish(),
            }
        }
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.stop();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, Sender, channel};
    use std::time::Duration;

    use super::*;
    use crate::threads::tests::with_permits;

    /// What a search reported.
    #[derive(Debug, PartialEq)]
    enum Event {
        Warning(String),
        Best(Option<Move>),
    }

    struct Ear(Sender<Event>);

    impl Listener for Ear {
        fn report(&mut self, _: &Report) {}
        fn progress(&mut self, _: &Progress) {}
        fn no_moves(&mut self, _: bool) {}
        fn warn(&mut self, message: &str) {
            self.0.send(Event::Warning(message.to_owned())).unwrap();
        }
        fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
            self.0.send(Event::Best(best)).unwrap();
            // A thread that has reported its move need not have ended.
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    fn engine(threads: usize) -> Engine {
        let mut engine = Engine::new(Settings { threads, hash_mb: 1, ..Settings::default() }).unwrap();
        assert_eq!(engine.apply(), []);
        engine
    }

    fn start(engine: &mut Engine, limits: Limits) -> Receiver<Event> {
        let (sender, events) = channel();
        assert_eq!(engine.go(limits, Ear(sender)), []);
        events
    }

    /// The warnings before a legal move, which is the last event.
    fn warnings(engine: &mut Engine, limits: Limits) -> Vec<String> {
        let events = start(engine, limits);
        engine.join();
        let mut events: Vec<_> = events.iter().collect();
        let Some(Event::Best(Some(mv))) = events.pop() else { panic!("no move: {events:?}") };
        assert!(engine.position().is_legal(mv), "{mv}");
        events
            .into_iter()
            .map(|event| match event {
                Event::Warning(text) => text,
                Event::Best(_) => panic!("a second move"),
            })
            .collect()
    }

    fn nodes(nodes: u64) -> Limits {
        Limits { nodes: Some(nodes), ..Limits::default() }
    }

    #[test]
    fn a_search_that_has_reported_its_move_is_over() {
        let mut engine = engine(1);
        for hash_mb in [2, 3, 4] {
            let events = start(&mut engine, Limits { depth: Some(2), ..Limits::default() });
            assert!(matches!(events.recv(), Ok(Event::Best(Some(_)))));
            assert!(!engine.is_searching());
            engine.settings_mut().hash_mb = hash_mb;
            assert_eq!(engine.apply(), []);
            assert_eq!(engine.tt.megabytes(), hash_mb);
        }
    }

    /// A clock may run, and a large table takes long to clear.
    #[test]
    fn a_drawn_game_that_goes_on_forgets_nothing_until_another_begins() {
        const DANCE: &str = "b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8";
        let expired = "8/8/3k4/2R5/3K4/8/4M3/8 w - 32 40 30";
        for (before, drawn) in [
            ((None, "b1d2"), (None, DANCE)),
            ((Some("8/8/3k4/2R5/3K4/8/4M3/8 w - 32 30 30"), ""), (Some(expired), "")),
        ] {
            let mut engine = engine(1);
            let set = |engine: &mut Engine, (fen, moves): (Option<&str>, &str)| {
                assert_eq!(engine.set_game(fen, moves.split_whitespace()), []);
                assert_eq!(engine.apply(), []);
            };
            set(&mut engine, before);
            warnings(&mut engine, nodes(3_000));
            let stored = engine.tt.permille_full();
            assert!(stored > 0);
            set(&mut engine, drawn);
            assert!(engine.ignored_draw().is_some());
            assert_eq!(engine.tt.permille_full(), stored, "{drawn:?}");
            if drawn.0.is_some() {
                set(&mut engine, (None, ""));
                assert_eq!(engine.tt.permille_full(), 0);
            }
        }
    }

    #[test]
    fn a_panic_costs_one_thread_and_no_move() {
        // A fault at node 0 comes before the search can end otherwise.
        for (threads, faulty, fault) in
            [(1, 0..1, 0), (1, 0..1, 3_000), (2, 0..1, 1_000), (2, 1..2, 0), (3, 0..3, 0)]
        {
            let mut engine = engine(threads);
            engine.workers[faulty.clone()].iter_mut().for_each(|worker| worker.fault = Some(fault));
            let warned = warnings(&mut engine, nodes(30_000));
            assert_eq!(warned, vec!["a search thread failed: a fault for a test"; faulty.len()]);
            assert_eq!(engine.workers.len(), threads);
            assert_eq!(warnings(&mut engine, nodes(30_000)), [""; 0], "new workers, the fault is gone");
        }
    }

    #[test]
    fn after_a_panic_the_allowed_moves_are_played() {
        let mut engine = engine(1);
        let only = engine.position().parse_move("h3h4").unwrap();
        for fault in [0, 2_000] {
            engine.workers[0].fault = Some(fault);
            let events = start(&mut engine, Limits { search_moves: vec![only], ..nodes(10_000) });
            engine.join();
            assert_eq!(events.iter().last(), Some(Event::Best(Some(only))));
        }
    }

    #[test]
    fn refused_helpers_are_done_without() {
        let mut engine = engine(8);
        engine.stop();
        let events = with_permits(0, || warnings(&mut engine, nodes(1_000)));
        assert_eq!(events.len(), 2, "{events:?}");
        assert!(events[0].starts_with("cannot start the search thread: "), "{events:?}");
        assert!(events[1].starts_with("cannot start 8 search threads: "), "{events:?}");
        assert_eq!(warnings(&mut engine, nodes(1_000)), [""; 0]);
    }

    #[test]
    fn without_a_thread_the_answer_waits_too() {
        let mut engine = engine(1);
        for (limits, ponder_hit) in [
            (Limits { infinite: true, ..Limits::default() }, false),
            (Limits { ponder: true, ..Limits::default() }, true),
            (Limits { ponder: true, ..Limits::default() }, false),
        ] {
            let events = with_permits(0, || start(&mut engine, limits));
            assert!(engine.is_searching());
            assert!(matches!(events.try_iter().last(), Some(Event::Warning(_))));
            if ponder_hit {
                engine.ponder_hit()
            } else {
                engine.stop()
            }
            assert!(!engine.is_searching());
            assert!(matches!(events.recv(), Ok(Event::Best(Some(_)))));
        }
    }
}
