//! The engine without a protocol: a game, options, tables and at most one running search.

use std::fmt;
use std::io;
use std::sync::atomic::Ordering;
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::sync::{Arc, PoisonError};
use std::time::{Duration, SystemTime};

use sakmak_eval::DtmTables;
use sakmak_eval::network::Network;
use sakmak_eval::tablebase::Probe;
use sakmak_movegen::{DrawReason, Game, Outcome, PlayRules, Position, Rules};
use web_time::Instant;

use crate::current_game::{CurrentGame, DisputedMove, GameError, NoSearch};
use crate::job::{Control, SearchJob};
use crate::memory;
use crate::search::{
    Listener, RootPosition, SPARE_MEMORY, SearchRequest, Signals, TableProbing, Team, ThreadPool, Worker,
};
use crate::skill::{LimitedPlayer, Skill};
use crate::time::{Budget, ClockObserver, Latency, Limits};
use crate::tt::{HashAllocationError, TranspositionTable};

use Ordering::Relaxed;

/// Size of the transposition table in MiB by default.
pub(crate) const DEFAULT_HASH_MB: usize = 64;

/// How to search, apart from the limits.
#[derive(Clone, Debug)]
pub struct EngineSettings {
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
    /// The endgame tables. A player of limited skill does not use them.
    pub probing: TableProbing,
    /// The network that evaluates.
    pub network: Arc<Network>,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mb: DEFAULT_HASH_MB,
            multi_pv: 1,
            move_overhead: 10,
            skill: None,
            rules: Rules::default(),
            probing: TableProbing::default(),
            network: Arc::clone(Network::embedded()),
        }
    }
}

/// Settings that the machine cannot meet. They are then set to what it can.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// There is no memory for the transposition table.
    Hash {
        /// Why.
        error: HashAllocationError,
        /// Size of the table there is now, in MiB; 0 if it is smaller than one.
        kept: usize,
    },
    /// There is no memory for the search threads, or the system does not start them.
    Threads {
        /// The number in the settings.
        requested: usize,
        /// The number there is now. Without any, a search is short and blocks the caller.
        kept: usize,
        /// Why.
        error: io::ErrorKind,
    },
}

impl fmt::Display for Refusal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Hash { error, kept } => write!(f, "{error}; keeping {kept} MB"),
            Self::Threads { requested, kept, error: io::ErrorKind::OutOfMemory } => {
                write!(f, "no memory for {requested} search threads; keeping {kept}")
            }
            Self::Threads { kept: 0, error, .. } => {
                write!(
                    f,
                    "cannot start a search thread: {error}; searching {NODES_WITHOUT_THREAD} nodes a move"
                )
            }
            Self::Threads { requested, kept, error } => {
                write!(f, "cannot start {requested} search threads: {error}; keeping {kept}")
            }
        }
    }
}

/// Nodes of a search for which no thread could be started. It blocks the caller.
const NODES_WITHOUT_THREAD: u64 = 20_000;

/// How often a search that is to be finished is looked at.
const PATIENCE: Duration = Duration::from_millis(100);

struct RunningSearch {
    control: Arc<Control>,
    infinite: bool,
    /// Whether a limit ends it, see [`Limits::has_end`].
    has_end: bool,
    state: RunningState,
}

enum RunningState {
    /// On the main search thread; ends when the answer has been reported.
    InThread(Receiver<()>),
    /// No thread could be started. The answer has been found, and is reported when it may be.
    Answered(Box<dyn FnOnce() + Send>),
}

/// An engine that plays Makruk: a game, settings, tables, and at most one search in the background.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
/// use sakmak_engine::{Engine, EngineSettings, Limits, Listener, SearchInfo};
/// use sakmak_movegen::Move;
///
/// struct BestMove(Sender<Option<Move>>);
///
/// impl Listener for BestMove {
///     fn info(&mut self, info: &SearchInfo) {
///         println!("depth {}: {}", info.depth, info.score);
///     }
///     fn finished(&mut self, best: Option<Move>, _ponder: Option<Move>) {
///         let _ = self.0.send(best);
///     }
/// }
///
/// let mut engine = Engine::new(EngineSettings { threads: 2, ..EngineSettings::default() })?;
/// let refused = engine.set_game(None, ["e3e4", "b8d7"]);
/// assert!(refused.is_empty());
/// let (sender, best) = channel();
/// let refused = engine.go(Limits::move_time(50), BestMove(sender));
/// assert!(refused.is_empty());
/// assert!(best.recv()?.is_some_and(|mv| engine.position().is_legal(mv)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    current: CurrentGame,
    /// The rules by which tables and histories were filled.
    table_rules: PlayRules,
    /// The network whose evaluations the transposition table has.
    table_network: Arc<Network>,
    settings: EngineSettings,
    tt: Arc<TranspositionTable>,
    dtm_tables: DtmTables,
    pool: ThreadPool,
    running: Option<RunningSearch>,
    clock: ClockObserver,
    /// Clear tables and histories before the next search.
    clear: bool,
}

impl Engine {
    /// An engine at the start position.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(settings: EngineSettings) -> Result<Self, HashAllocationError> {
        Self::with_dtm_tables(settings, &DtmTables::default())
    }

    /// An engine at the start position that shares these tables of distances to mate, so that none is solved twice.
    ///
    /// # Errors
    /// If there is no memory for the hash table.
    pub fn with_dtm_tables(
        settings: EngineSettings,
        dtm_tables: &DtmTables,
    ) -> Result<Self, HashAllocationError> {
        // The table must leave memory for a worker and all else.
        let spare = memory::reserve(Worker::BYTES + SPARE_MEMORY)
            .map_err(|_| HashAllocationError(settings.hash_mb))?;
        let tt = Arc::new(TranspositionTable::new(settings.hash_mb)?);
        drop(spare);
        let mut pool = ThreadPool::new(dtm_tables);
        // `apply` tries it again and reports a refusal.
        let _ = pool.resize(1);
        let rules = settings.rules;
        Ok(Self {
            current: CurrentGame::new(rules),
            table_rules: rules.into(),
            table_network: Arc::clone(&settings.network),
            settings,
            tt,
            dtm_tables: dtm_tables.clone(),
            pool,
            running: None,
            clock: ClockObserver::default(),
            clear: false,
        })
    }

    /// The current position.
    pub fn position(&self) -> &Position {
        self.game().position()
    }

    /// The game so far.
    pub fn game(&self) -> &Game {
        self.current.game()
    }

    /// The rules of the current game.
    pub fn rules(&self) -> &Rules {
        self.current.rules()
    }

    /// The tables of distances to mate against a bare khun. The first search that ends by a clock or a command has them
    /// solved in the background; [`DtmTables::solve_in_background`] does so earlier.
    pub fn dtm_tables(&self) -> &DtmTables {
        &self.dtm_tables
    }

    /// What the endgame tables know of the current position. With `solve` a table in memory that is not there yet is
    /// solved, which takes up to some seconds.
    pub fn probe_tables(&self, solve: bool) -> Option<Probe> {
        let tables = self.settings.probing.tables.with_pairs(&self.dtm_tables, solve);
        let tables = if solve { tables.solving() } else { tables };
        tables.probe(self.position())
    }

    /// The settings for the next search.
    pub fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    /// Changes settings for the next search; the running one goes on with the old ones. A new table
    /// size takes effect with [`Engine::apply`].
    pub fn settings_mut(&mut self) -> &mut EngineSettings {
        &mut self.settings
    }

    /// The moves of the game that only another reading of Ouk Chaktrang allows.
    pub fn disputed_moves(&self) -> &[DisputedMove] {
        self.current.disputed_moves()
    }

    /// Sets up a position and makes moves from there, also those of [`Engine::disputed_moves`]. `fen` is `None` for the
    /// start position. Among the moves, `count-start`, `count-stop` and `count-claim` stand for what the side to move
    /// does about the count. A running search is not disturbed.
    ///
    /// Returns everything that was refused, see [`GameError`]. After that a search may find no move, see
    /// [`Engine::no_search`].
    #[must_use]
    pub fn set_game<'a>(
        &mut self,
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Vec<GameError> {
        self.current.set(fen, moves, self.settings.rules)
    }

    /// Replays the game if the rules in the settings are no longer those it is played by. If it was legal to its end
    /// and by the new rules is not, another game begins, at its start position; going back to the old rules brings the
    /// old game back.
    ///
    /// Returns what was refused, as [`Engine::set_game`].
    #[must_use]
    pub fn apply_rules(&mut self) -> Vec<GameError> {
        self.current.apply_rules(self.settings.rules)
    }

    /// Why a search finds no move: any move would be one in another position than the last requested one, because that
    /// was refused, or one of the wrong side. A position that is accepted ends this; a new game does not.
    pub fn no_search(&self) -> Option<NoSearch> {
        self.current.no_search()
    }

    /// As if a position had been requested with a wrong FEN: [`Engine::no_search`] until one is accepted.
    pub fn refuse_position(&mut self) {
        self.current.refuse();
    }

    /// The draw that has ended the game, if a move can be made all the same. A search then leaves that rule
    /// out.
    pub fn ignored_draw(&self) -> Option<DrawReason> {
        self.current.root().ignored
    }

    /// Replaces the position by its mirror image with colours exchanged.
    pub fn flip(&mut self) {
        let fen = self.position().flipped().to_string();
        // The mirror image of a valid position is valid.
        let refused = self.set_game(Some(&fen), []);
        debug_assert_eq!(refused, []);
    }

    /// How the game stands: decided by the position, drawn by a third occurrence of it, or by a claim.
    pub fn outcome(&self) -> Option<Outcome> {
        self.current.outcome()
    }

    /// Another game begins: clears the transposition table and the histories before the next search.
    pub fn new_game(&mut self) {
        self.clock.forget_move();
        self.clear = true;
    }

    /// Whether a search is running, or finished but not yet allowed to report its move.
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
        // Stored scores, moves and counts of other rules are wrong under these. But a drawn game that goes on without
        // the rule that drew it keeps the table: that rule ended lines before the table was probed, and a clock may
        // run.
        let root = self.current.root();
        let rules = *root.position.rules();
        let goes_on = root.ignored.is_some() && self.table_rules == *self.game().rules();
        let mut clear = std::mem::take(&mut self.clear) || rules != self.table_rules && !goes_on;
        self.table_rules = rules;
        clear |= !Arc::ptr_eq(&self.settings.network, &self.table_network);
        self.table_network = Arc::clone(&self.settings.network);
        // Before the table, which may need their memory.
        self.pool.truncate(self.settings.threads.max(1));
        if clear {
            self.pool.for_each(Worker::clear_histories);
        }
        // The table has no other owner: the search dropped its reference before it reported its move.
        if let Some(table) = Arc::get_mut(&mut self.tt) {
            if table.megabytes() != self.settings.hash_mb {
                if let Err(error) = table.resize(self.settings.hash_mb) {
                    self.settings.hash_mb = table.megabytes();
                    refusals.push(Refusal::Hash { error, kept: table.megabytes() });
                }
            } else if clear {
                table.clear(usize::MAX);
            }
        }
        let requested = self.settings.threads.max(1);
        if let Err(error) = self.pool.resize(requested) {
            let kept = self.pool.len();
            self.settings.threads = kept.max(1);
            refusals.push(Refusal::Threads { requested, kept, error: error.kind() });
        }
        refusals
    }

    /// Starts a search in the background. One that still runs is stopped first. If the system refuses the thread, a
    /// few nodes are searched at once.
    ///
    /// Unless the search is infinite or has `search_moves`, it leaves out the
    /// legal moves that some reading of Ouk Chaktrang forbids, see [`Game::undisputed_moves`].
    ///
    /// What [`Engine::apply`] returns, which is called before; the search runs nevertheless, and at once finds
    /// no move if there is a reason for [`Engine::no_search`].
    #[must_use]
    pub fn go(&mut self, mut limits: Limits, listener: impl Listener + Send + 'static) -> Vec<Refusal> {
        let started = Instant::now();
        self.stop();
        if limits.search_moves.is_empty() && !limits.infinite && self.game().has_readings() {
            limits.search_moves = self.game().undisputed_moves().to_vec();
        }
        let refusals = self.apply();
        if let Some(table) = Arc::get_mut(&mut self.tt) {
            table.new_search();
        }
        let control = Arc::new(Control::default());
        if limits.is_timed() && !limits.ponder {
            control.pause_background(Some(self.dtm_tables.pause_background()));
        }
        let tables = self.settings.probing.tables.with_pairs(&self.dtm_tables, false);
        if limits.is_repeatable() {
            tables.leave_own_ending();
        } else {
            // Other searches solve the tables they need. If the thread is refused, estimates take their place.
            let _ = tables.solve_own_ending(self.position());
            let _ = self.dtm_tables.solve_in_background();
            let _ = tables.solve_in_background(self.position());
        }
        let (infinite, has_end) = (limits.infinite, limits.has_end());
        let is_held = limits.ponder || infinite;
        control.signals.pondering.store(limits.ponder, Relaxed);
        *control.hold.lock().unwrap_or_else(PoisonError::into_inner) = is_held;
        let (side, number) = (self.position().side_to_move(), self.position().fullmove_number());
        let latency = self.clock.latency(&limits, side, number);
        let mut request = self.request(limits, latency, &control.signals);
        let budget = request.budget();
        self.clock.begin(&request.limits, side, number, budget, &control.timing);
        let player = self.settings.skill.map(|skill| {
            let clock = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |t| t.as_nanos() as u64);
            let seed = request.position.key() ^ clock;
            LimitedPlayer::new(skill, &mut request, seed)
        });
        let finds_none = self.no_search().is_some();
        // To wake helpers takes longer than the first iteration.
        let is_alone = player.is_some() || finds_none || budget == Some(Budget::AT_ONCE);
        let threads = if is_alone { 1 } else { self.pool.len() };
        let (sender, done) = channel();
        let signals = Arc::clone(&control.signals);
        let mut job = SearchJob {
            team: Team::new(request, started, Arc::clone(&self.tt), signals, Some(&self.pool), threads),
            control: Arc::clone(&control),
            finds_none,
            player,
            lines: self.settings.multi_pv,
            listener,
            done: sender,
        };
        if self.pool.len() > 0 {
            self.pool.submit(0, |worker| job.run(worker));
            self.running =
                Some(RunningSearch { control, infinite, has_end, state: RunningState::InThread(done) });
            return refusals;
        }
        let (best, ponder) = job.think(&mut Worker::new(&self.dtm_tables));
        let answer = Box::new(move || job.finish(best, ponder));
        self.running =
            Some(RunningSearch { control, infinite, has_end, state: RunningState::Answered(answer) });
        if !is_held {
            self.join();
        }
        refusals
    }

    /// What to search in the present position by the present settings.
    fn request(&self, mut limits: Limits, latency: Latency, signals: &Signals) -> SearchRequest {
        let RootPosition { position, keys, .. } = self.current.root();
        let mut probing = self.settings.probing.clone();
        probing.tables = probing.tables.stopped_by(&signals.stop);
        if limits.is_repeatable() {
            probing.tables = probing.tables.solving();
        }
        if self.pool.len() == 0 {
            limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(NODES_WITHOUT_THREAD));
        }
        SearchRequest {
            network: Arc::clone(&self.settings.network),
            position,
            keys,
            limits,
            move_overhead: self.settings.move_overhead,
            latency,
            multi_pv: self.settings.multi_pv,
            probing,
        }
    }

    /// Ends the running search, if any, and waits until it has reported its move.
    pub fn stop(&mut self) {
        if let Some(running) = &self.running {
            running.control.signals.stop.store(true, Relaxed);
            running.control.release();
        }
        self.join();
    }

    /// The opponent has played the expected move: a search begun on the opponent's time goes on, by the clock.
    pub fn ponder_hit(&mut self) {
        if let Some(running) = &self.running
            && running.control.signals.pondering.swap(false, Relaxed)
            && !running.infinite
        {
            running.control.pause_background(Some(self.dtm_tables.pause_background()));
            running.control.release();
            if matches!(running.state, RunningState::Answered(_)) {
                self.join();
            }
        }
    }

    /// No command will follow: waits until the running search has reported its move if a limit ends it, and else stops
    /// it. It is also stopped as soon as `is_given_up`, which is asked again and again.
    pub fn finish(&mut self, is_given_up: impl Fn() -> bool) {
        let Some(running) = &self.running else { return };
        let ends = running.has_end && !running.control.signals.pondering.load(Relaxed);
        let waits = |done: &Receiver<()>| done.recv_timeout(PATIENCE) == Err(RecvTimeoutError::Timeout);
        if let RunningState::InThread(done) = &running.state {
            while ends && !is_given_up() && waits(done) {}
        }
        // Does nothing to a search that has ended.
        self.stop();
    }

    /// Waits until the running search has reported its move.
    pub fn join(&mut self) {
        if let Some(running) = self.running.take() {
            match running.state {
                // Nothing is sent: it ends when the sender is dropped.
                RunningState::InThread(done) => _ = done.recv(),
                RunningState::Answered(finish) => finish(),
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
mod tests;
