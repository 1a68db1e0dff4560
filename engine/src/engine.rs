//! The engine without a protocol: a game, settings, transposition table, threads and at most one running search.

use std::io;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::sync::mpsc::channel;

use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::{Probe, WantedBytes};
use sakmak_movegen::{DrawReason, Game, Outcome, Position, Rules};
use web_time::{Instant, SystemTime};

use crate::current_game::{CurrentGame, DisputedMove, GameError, NoSearch};
use crate::driver::{Control, Drive, Driver};
use crate::memory;
use crate::opponents;
use crate::search::{
    Learnt, Listener, RootPosition, SPARE_MEMORY, SearchRequest, Signals, TableProbing, Team, ThreadPool,
    Worker,
};
use crate::skill::LimitedPlayer;
use crate::time::{Budget, ClockObserver, Latency, Limits};
use crate::tt::{HashAllocationError, TranspositionTable};

use Ordering::Relaxed;

mod running;
mod settings;

use running::{RunningSearch, RunningState};
pub(crate) use settings::DEFAULT_HASH_MB;
pub use settings::{BookSettings, EngineSettings, Refusal};

/// Nodes of a search that blocks the caller, because no thread could be started.
const NODES_WITHOUT_THREAD: u64 = 20_000;

/// Nodes of the first slice of [`Engine::step`].
const FIRST_SLICE: u64 = 2_000;
/// The slice of a whole search: unlike [`u64::MAX`] it may be left to solve a DTM table.
const WHOLE_SLICE: u64 = u64::MAX - 1;
/// A search of at most this number of nodes is one slice of [`Engine::step`], and the search of an opponent pauses each
/// time it has searched as many: their results do not depend on the speed of the machine.
const WHOLE_SEARCH: u64 = 20_000;

/// An engine that plays Makruk: a game, settings, a transposition table, and at most one search in the background.
///
/// ```
/// use std::sync::mpsc::{Sender, channel};
/// use std::time::Duration;
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
/// let refused = engine.go(Limits::move_time(Duration::from_millis(50)), BestMove(sender));
/// assert!(refused.is_empty());
/// assert!(best.recv()?.is_some_and(|mv| engine.position().is_legal(mv)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Engine {
    current: CurrentGame,
    /// Rules and network of the searches that filled the transposition table.
    learnt: Learnt,
    settings: EngineSettings,
    tt: Arc<TranspositionTable>,
    dtm_tables: DtmTables,
    pool: ThreadPool,
    /// The worker of the calling thread, in an engine without threads.
    worker: Option<Box<Worker>>,
    /// Nodes of the next slice of [`Engine::step`].
    slice: u64,
    running: Option<RunningSearch>,
    clock: ClockObserver,
    /// Clear the transposition table and the histories before the next search.
    clear: bool,
}

impl Engine {
    /// An engine at the start position.
    ///
    /// # Errors
    /// If there is no memory for the transposition table.
    pub fn new(settings: EngineSettings) -> Result<Self, HashAllocationError> {
        Self::with_dtm_tables(settings, &DtmTables::default())
    }

    /// An engine at the start position that shares these DTM tables, so that none is solved twice.
    ///
    /// # Errors
    /// If there is no memory for the transposition table.
    pub fn with_dtm_tables(
        settings: EngineSettings,
        dtm_tables: &DtmTables,
    ) -> Result<Self, HashAllocationError> {
        // The transposition table must leave memory for a worker and all else.
        let spare = memory::reserve(Worker::BYTES + SPARE_MEMORY)
            .map_err(|_| HashAllocationError(settings.hash_mb))?;
        let tt = Arc::new(TranspositionTable::new(settings.hash_mb)?);
        drop(spare);
        let mut pool = ThreadPool::new(dtm_tables);
        // `apply` tries again and reports a refusal.
        let _ = pool.resize(1);
        Ok(Self::with_parts(settings, tt, dtm_tables, pool, None))
    }

    /// An engine that starts no thread: [`Engine::go`] begins a search, and [`Engine::advance`] runs it in slices. For
    /// single-threaded programs, such as a web worker.
    ///
    /// ```
    /// use std::sync::mpsc::{Sender, channel};
    /// use sakmak_engine::{Engine, EngineSettings, Limits, Listener, SearchInfo};
    /// use sakmak_eval::DtmTables;
    /// use sakmak_movegen::Move;
    ///
    /// struct BestMove(Sender<Option<Move>>);
    ///
    /// impl Listener for BestMove {
    ///     fn info(&mut self, _: &SearchInfo) {}
    ///     fn finished(&mut self, best: Option<Move>, _ponder: Option<Move>) {
    ///         let _ = self.0.send(best);
    ///     }
    /// }
    ///
    /// let mut engine = Engine::on_calling_thread(EngineSettings::default(), &DtmTables::default())?;
    /// let (sender, best) = channel();
    /// let refused = engine.go(Limits::depth(6), BestMove(sender));
    /// assert!(refused.is_empty());
    /// while engine.advance(1_000) {
    ///     // Read commands here.
    /// }
    /// assert!(best.recv()?.is_some_and(|mv| engine.position().is_legal(mv)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// If there is no memory for the transposition table.
    pub fn on_calling_thread(
        settings: EngineSettings,
        dtm_tables: &DtmTables,
    ) -> Result<Self, HashAllocationError> {
        let tt = Arc::new(TranspositionTable::new(settings.hash_mb)?);
        let worker = Box::new(Worker::new(dtm_tables));
        Ok(Self::with_parts(settings, tt, dtm_tables, ThreadPool::new(dtm_tables), Some(worker)))
    }

    fn with_parts(
        settings: EngineSettings,
        tt: Arc<TranspositionTable>,
        dtm_tables: &DtmTables,
        pool: ThreadPool,
        worker: Option<Box<Worker>>,
    ) -> Self {
        Self {
            current: CurrentGame::new(settings.rules),
            learnt: Learnt::new(settings.rules.into(), &settings.network),
            settings,
            tt,
            dtm_tables: dtm_tables.clone(),
            pool,
            worker,
            slice: FIRST_SLICE,
            running: None,
            clock: ClockObserver::default(),
            clear: false,
        }
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

    /// The DTM tables (distance to mate against a bare khun). The first search that a clock or a command ends starts
    /// solving them in the background; [`DtmTables::solve_in_background`] does so earlier.
    pub fn dtm_tables(&self) -> &DtmTables {
        &self.dtm_tables
    }

    /// Probes the tablebases for the current position. With `solve`, an ending that is held in memory and not solved
    /// yet is solved first, which takes up to some seconds.
    pub fn probe_tables(&self, solve: bool) -> Option<Probe> {
        let tables = self.settings.probing.tables.with_pairs(&self.dtm_tables, solve);
        let tables = if solve { tables.solving() } else { tables };
        tables.probe(self.position())
    }

    /// The bytes of remote tablebase files ([`RemoteTables`](sakmak_eval::tablebase::RemoteTables)) that a search of the
    /// current position lacks. A player of limited strength needs none.
    pub fn missing_tables(&self) -> Vec<WantedBytes> {
        let TableProbing { tables, men, .. } = &self.settings.probing;
        let position = self.root().position;
        if self.settings.skill.is_some() || position.occupied().len() as usize > *men {
            return Vec::new();
        }
        tables.missing(&position)
    }

    /// The settings for the next search.
    pub fn settings(&self) -> &EngineSettings {
        &self.settings
    }

    /// The settings for the next search, to change; the running one goes on with the old ones. A new size of the
    /// transposition table takes effect with [`Engine::apply`].
    pub fn settings_mut(&mut self) -> &mut EngineSettings {
        &mut self.settings
    }

    /// The moves of the game that only another reading of Ouk Chaktrang allows.
    pub fn disputed_moves(&self) -> &[DisputedMove] {
        self.current.disputed_moves()
    }

    /// Sets up a position and makes moves from there, also those of [`Engine::disputed_moves`]. `fen` is `None` for the
    /// start position. Among the moves, the count words `count-start`, `count-stop` and `count-claim` are decisions of
    /// the side to move about the count. A running search is not disturbed.
    ///
    /// Returns all that was refused, see [`GameError`]. A search may then find no move, see [`Engine::no_search`].
    #[must_use]
    pub fn set_game<'a>(
        &mut self,
        fen: Option<&str>,
        moves: impl IntoIterator<Item = &'a str>,
    ) -> Vec<GameError> {
        self.current.set(fen, moves, self.settings.rules)
    }

    /// Takes over a game made elsewhere, with its rules.
    pub fn take_game(&mut self, game: Game) {
        self.current = CurrentGame::from_game(game);
    }

    /// Replays the game if the rules in the settings have changed. If all its moves were legal before and are not under
    /// the new rules, a new game begins at its start position; going back to the old rules brings the old game back.
    ///
    /// Returns what was refused, as [`Engine::set_game`].
    #[must_use]
    pub fn apply_rules(&mut self) -> Vec<GameError> {
        self.current.apply_rules(self.settings.rules)
    }

    /// Why a search finds no move: the last requested position was refused, or it is the other side's turn. Ends with
    /// the next accepted position, not with a new game.
    pub fn no_search(&self) -> Option<NoSearch> {
        self.current.no_search()
    }

    /// Acts as after a wrong FEN: [`Engine::no_search`] until a position is accepted.
    pub fn refuse_position(&mut self) {
        self.current.refuse();
    }

    /// The draw that has ended the game although there are legal moves. A search ignores the rule that drew it.
    pub fn ignored_draw(&self) -> Option<DrawReason> {
        self.root().ignored
    }

    /// Replaces the position by its mirror image with colours exchanged.
    pub fn flip(&mut self) {
        let fen = self.position().flipped().to_string();
        // The mirror image of a valid position is valid.
        let refused = self.set_game(Some(&fen), []);
        debug_assert_eq!(refused, []);
    }

    /// The result of the game, by the position, by repetition or by a claim; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.current.outcome()
    }

    /// Begins another game: clears the transposition table and the histories before the next search.
    pub fn new_game(&mut self) {
        self.clock.forget_move();
        self.clear = true;
    }

    /// Applies the settings: size of the transposition table, which is cleared if it changes, and number of threads.
    /// Does nothing while a search runs; [`Engine::go`] calls this first.
    ///
    /// Returns what the machine refuses, and takes it back in the settings: the old size of the transposition table is
    /// kept, and as many threads as there is memory for.
    #[must_use]
    pub fn apply(&mut self) -> Vec<Refusal> {
        if self.is_searching() {
            return Vec::new();
        }
        self.join();
        let mut refusals = Vec::new();
        // A drawn game that goes on without the rule that drew it keeps the transposition table and the histories: that
        // rule ended lines before the transposition table was probed, and a clock may run.
        let root = self.root();
        let is_ignored = root.ignored.is_some() && !self.settings.ignores_count;
        let goes_on = is_ignored && self.learnt.rules == *self.game().rules();
        let is_stale = self.learnt.replace(*root.position.rules(), &self.settings.network, goes_on);
        let clear = std::mem::take(&mut self.clear) || is_stale;
        // Before the transposition table, which may need the memory of these threads.
        self.pool.truncate(self.settings.threads.max(1));
        if clear {
            self.pool.for_each(Worker::clear_histories);
            self.worker.iter_mut().for_each(|worker| worker.clear_histories());
        }
        // The transposition table has no other owner: the search dropped its reference before it reported its move.
        if let Some(table) = Arc::get_mut(&mut self.tt) {
            if table.megabytes() != self.settings.hash_mb {
                if let Err(error) = table.resize(self.settings.hash_mb) {
                    self.settings.hash_mb = table.megabytes();
                    refusals.push(Refusal::Hash { error, kept: table.megabytes() });
                }
            } else if clear {
                table.clear(if self.worker.is_some() { 1 } else { usize::MAX });
            }
        }
        let requested = self.settings.threads.max(1);
        if self.worker.is_some() {
            if requested > 1 {
                self.settings.threads = 1;
                refusals.push(Refusal::Threads { requested, kept: 1, error: io::ErrorKind::Unsupported });
            }
        } else if let Err(error) = self.pool.resize(requested) {
            let kept = self.pool.len();
            self.settings.threads = kept.max(1);
            refusals.push(Refusal::Threads { requested, kept, error: error.kind() });
        }
        refusals
    }

    /// Starts a search in the background, or in an engine without threads begins one for [`Engine::advance`]. A running
    /// search is stopped first. If the system refuses the thread, a short search blocks the caller.
    ///
    /// All that front ends have in common is decided here and in [`SearchRequest::of_game_that_goes_on`]: the moves to
    /// consider, the rules left out, what is cleared, the time, the level, and the lines to report.
    ///
    /// Returns the refusals of [`Engine::apply`], which is called first. The search runs nevertheless; it finds no move
    /// if there is a reason for [`Engine::no_search`].
    #[must_use]
    pub fn go(&mut self, limits: Limits, listener: impl Listener + Send + 'static) -> Vec<Refusal> {
        let started = Instant::now();
        self.stop();
        let opponent = self.settings.skill.filter(|skill| skill.is_opponent());
        let own_tt = opponent.and_then(|_| self.prepare_opponent());
        let refusals = self.apply();
        if let Some(table) = Arc::get_mut(&mut self.tt) {
            table.new_search();
        }
        let (side, number) = (self.position().side_to_move(), self.position().fullmove_number());
        let limits = if let Some(skill) = opponent {
            let nodes = limits.nodes.map_or(skill.nodes(), |nodes| nodes.min(skill.nodes()));
            Limits { nodes: Some(nodes), ..limits.without_clock() }
        } else {
            limits.with_clock_in_nodes(self.position(), self.settings.move_overhead)
        };
        let control = Arc::new(Control::default());
        let (infinite, is_timed, has_end) = (limits.infinite, limits.is_timed(), limits.has_end());
        let is_held = limits.ponder || infinite;
        control.signals.pondering.store(limits.ponder, Relaxed);
        if is_held {
            control.hold();
        }
        if is_timed && !limits.ponder {
            control.pause_background(Some(self.dtm_tables.pause_background()));
        }
        let tables = self.settings.probing.tables.with_pairs(&self.dtm_tables, false);
        if limits.is_repeatable() {
            tables.leave_own_ending();
        } else if self.worker.is_none() {
            // Repeatable searches solve the DTM tables they need themselves. If the thread is refused, the search uses
            // estimates.
            let _ = tables.solve_own_ending(self.position());
            let _ = self.dtm_tables.solve_in_background();
            let _ = tables.solve_in_background(self.position());
        }
        let latency = self.clock.latency(&limits, side, number);
        let mut request = self.request(limits, latency, &control.signals);
        let budget = request.budget();
        self.clock.begin(&request.limits, side, number, budget, &control.timing);
        let clock = || SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_nanos() as u64);
        let seed = request.position.key() ^ self.settings.seed.unwrap_or_else(clock);
        let book = self.settings.book.as_ref();
        let book_move = book.and_then(|book| book.choose(self.position(), &request.limits, seed));
        let player = self.settings.skill.map(|skill| LimitedPlayer::new(skill, &mut request, seed));
        let slice = match request.limits.nodes {
            Some(0..=WHOLE_SEARCH) => Some(WHOLE_SLICE),
            _ => opponent.map(|_| WHOLE_SEARCH),
        };
        let men = request.position.occupied().len();
        let finds_none = self.no_search().is_some();
        // Waking helper threads takes longer than the first iteration.
        let is_alone =
            player.is_some() || finds_none || book_move.is_some() || budget == Some(Budget::AT_ONCE);
        let threads = if is_alone { 1 } else { self.pool.len() };
        let tt = own_tt.map_or_else(|| Arc::clone(&self.tt), Arc::new);
        let signals = Arc::clone(&control.signals);
        let team = Team::new(request, started, tt, signals, Some(&self.pool), threads);
        let lines = self.settings.multi_pv.max(1);
        let mut driver = Driver::new(team, Arc::clone(&control), listener, player, lines, finds_none);
        if opponent.is_some() {
            driver.pause_every(WHOLE_SEARCH);
        }
        if let Some((book_move, reply)) = book_move.filter(|_| !finds_none) {
            driver.answer_from_book(book_move, reply);
        }
        let state = if self.pool.len() > 0 {
            let (sender, done) = channel();
            self.pool.submit(0, move |worker| driver.run(worker, sender));
            RunningState::InThread(done)
        } else {
            if self.worker.is_none() {
                driver.advance(&mut Worker::new(&self.dtm_tables), u64::MAX);
            }
            RunningState::OnCaller(Box::new(driver))
        };
        let is_answered = matches!(state, RunningState::OnCaller(_)) && self.worker.is_none();
        self.running = Some(RunningSearch { control, infinite, is_timed, has_end, slice, men, state });
        if is_answered && !is_held {
            self.join();
        }
        refusals
    }

    /// Clears the histories, and returns an empty transposition table: the move of an opponent depends on nothing but
    /// the game and the seed. `None` if there is no memory for it; the engine's own is then used.
    fn prepare_opponent(&mut self) -> Option<TranspositionTable> {
        self.pool.for_each(Worker::clear_histories);
        self.worker.iter_mut().for_each(|worker| worker.clear_histories());
        TranspositionTable::new(opponents::HASH_MB).ok()
    }

    /// Starts a search as [`Engine::go`] does, in another game and with other settings: the current game and the settings
    /// stay. Only what the machine refuses is taken back in both.
    #[must_use]
    pub fn go_in(
        &mut self,
        game: Game,
        settings: EngineSettings,
        limits: Limits,
        listener: impl Listener + Send + 'static,
    ) -> Vec<Refusal> {
        let current = std::mem::replace(&mut self.current, CurrentGame::from_game(game));
        let own = std::mem::replace(&mut self.settings, settings);
        let refusals = self.go(limits, listener);
        self.current = current;
        let EngineSettings { hash_mb, threads, .. } = self.settings;
        self.settings = if refusals.is_empty() { own } else { EngineSettings { hash_mb, threads, ..own } };
        refusals
    }

    /// The root of a search in the current position.
    fn root(&self) -> RootPosition {
        RootPosition::of(self.game(), self.settings.ignores_count)
    }

    /// The request for a search in the current position with the current settings.
    fn request(&self, mut limits: Limits, latency: Latency, signals: &Signals) -> SearchRequest {
        let mut probing = self.settings.probing.clone();
        // The endings in memory are those that the background solves.
        probing.tables = probing.tables.with_pairs(&self.dtm_tables, false).stopped_by(&signals.stop);
        if self.worker.is_none() {
            if limits.is_repeatable() {
                probing.tables = probing.tables.solving();
            }
            if self.pool.len() == 0 {
                limits.nodes = Some(limits.nodes.unwrap_or(u64::MAX).min(NODES_WITHOUT_THREAD));
            }
        }
        SearchRequest {
            network: Arc::clone(&self.settings.network),
            move_overhead: self.settings.move_overhead,
            latency,
            multi_pv: self.settings.multi_pv,
            probing,
            evaluations: self.settings.evaluations.clone(),
            ..SearchRequest::from_root(self.root(), self.game(), limits)
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
