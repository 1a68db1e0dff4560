//! Distances to mate (DTM) of one or two pieces against a bare khun.
//!
//! Against a bare khun all that matters is whether the mate fits into the count, to the ply. An estimate is too rough
//! for that, so these endings are solved by retrograde analysis, see [`solver`].

mod solver;
mod table;

use std::cell::Cell;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, PoisonError, TryLockError};
use std::thread::{Builder, available_parallelism};
use std::time::Duration;

use sakmak_movegen::{Color, PieceKind, Position, Square, Variant};

use crate::background::{BackgroundPause, BackgroundPriority, ClockSearches};
use PieceKind::{Khon, Maa, Met, Rua};
use solver::TableSolver;
pub(crate) use table::DtmTable;

/// The pairs of pieces that have a table, the most frequent in games first.
const PAIRS: [[PieceKind; 2]; 8] =
    [[Rua, Met], [Khon, Met], [Khon, Khon], [Rua, Khon], [Rua, Maa], [Khon, Maa], [Rua, Rua], [Maa, Met]];

/// What a probe of the DTM tables finds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dtm {
    /// Mate in so many plies with best play of both sides, whatever the count.
    Plies(i32),
    /// The mate cannot be forced.
    NotForced,
    /// Nothing: no khun is bare, no table has these pieces, or it is not solved yet.
    Unknown,
}

/// The DTM tables of a rua or khon, alone or with one other piece, and of maa and met, against a bare khun.
///
/// This is a handle: clones share the tables. A table is solved at most once, by [`DtmTables::solve_all`],
/// [`DtmTables::solve_in_background`] or an [`Evaluator`](crate::Evaluator) that needs it. All of them together are
/// solved in less than a second. A thread that needs a table does not wait for the background, which may have no time:
/// it solves the table itself, together with others that need it.
///
/// ```
/// use sakmak_eval::{Dtm, DtmTables};
/// use sakmak_movegen::Position;
///
/// let tables = DtmTables::default();
/// let position = Position::from_fen("k1K4R/8/8/8/8/8/8/8 w - - 0 1")?;
/// assert_eq!(tables.probe(&position), Dtm::Unknown);
/// tables.solve_all();
/// assert_eq!(tables.probe(&position), Dtm::Plies(5));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Default, Debug)]
pub struct DtmTables(Arc<Tables>);

#[derive(Default, Debug)]
pub(crate) struct Tables {
    /// In the order of [`PAIRS`].
    slots: [Slot; PAIRS.len()],
    /// A bit for each table that a probe has missed.
    wanted: AtomicU8,
    /// Whether the thread that solves all tables has been started.
    started: AtomicBool,
    searches: Arc<ClockSearches>,
}

/// One table, and the work on it.
#[derive(Default, Debug)]
struct Slot {
    /// A table that there is no memory for is `None`.
    table: OnceLock<Option<DtmTable>>,
    /// What the threads that need the table have done so far. Each works on it for a slice at a time.
    work: Mutex<Option<TableSolver>>,
}

/// Solves a table for one slice more. The inner `Option` is `None` if there is no memory for it.
fn work_on(work: &mut Option<TableSolver>, kinds: [PieceKind; 2]) -> Option<Option<DtmTable>> {
    let Some(solver) = work else {
        match TableSolver::new(kinds) {
            Ok(solver) => *work = Some(solver),
            Err(_) => return Some(None),
        }
        return None;
    };
    if solver.step() { work.take().map(|solver| Some(solver.into_table())) } else { None }
}

/// How long a thread waits while another one works on its table.
pub(crate) const OTHER_WORKS: Duration = Duration::from_millis(1);

impl Slot {
    fn is_missing(&self) -> bool {
        self.table.get().is_none()
    }

    /// Works on the table for a slice, or lets another thread do so.
    fn step(&self, kinds: [PieceKind; 2]) {
        let mut work = match self.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::WouldBlock) => return std::thread::sleep(OTHER_WORKS),
            Err(TryLockError::Poisoned(error)) => {
                // Half a slice is no state to go on from.
                self.work.clear_poison();
                let mut work = error.into_inner();
                *work = None;
                work
            }
        };
        if !self.is_missing() {
            // Another thread came first.
            *work = None;
        } else if let Some(table) = work_on(&mut work, kinds) {
            let _ = self.table.set(table);
        }
    }

    /// Stores the table that the background has solved, and drops what else was done for it.
    fn set(&self, table: Option<DtmTable>) {
        let _ = self.table.set(table);
        // Whoever works on it ends its slice first.
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

impl Tables {
    /// The table of a pair, solved by this call if it is not yet. `None` if `goes_on`, asked before each slice, ends
    /// the work, or if there is no memory.
    pub(crate) fn solve(&self, pair: usize, goes_on: impl Fn() -> bool) -> Option<&DtmTable> {
        let slot = &self.slots[pair];
        while slot.is_missing() {
            if !goes_on() {
                self.want(pair);
                return None;
            }
            slot.step(PAIRS[pair]);
        }
        self.get(pair)
    }

    fn get(&self, pair: usize) -> Option<&DtmTable> {
        self.slots[pair].table.get()?.as_ref()
    }

    /// Has the background solve a table first.
    fn want(&self, pair: usize) {
        let bit = 1 << pair;
        // Written once only: all threads read it.
        if self.wanted.load(Relaxed) & bit == 0 {
            self.wanted.fetch_or(bit, Relaxed);
            self.searches.wake();
        }
    }

    fn is_wanted(&self, pair: usize) -> bool {
        self.wanted.load(Relaxed) >> pair & 1 == 1
    }

    /// The next table to solve: one that a probe has missed, else the most frequent in games.
    fn next(&self) -> Option<usize> {
        let missing = (0..PAIRS.len()).filter(|&pair| self.slots[pair].is_missing());
        missing.min_by_key(|&pair| !self.is_wanted(pair))
    }

    fn lacks_wanted(&self) -> bool {
        self.next().is_some_and(|pair| self.is_wanted(pair))
    }
}

impl DtmTables {
    /// How many tables there are.
    pub const COUNT: usize = PAIRS.len();
    /// Memory a solved table takes, in bytes.
    pub const TABLE_BYTES: usize = DtmTable::BYTES;

    /// Tables of which none is solved, with the priority of the threads that solve them in the background.
    pub fn with_background(priority: BackgroundPriority) -> Self {
        Self(Arc::new(Tables { searches: Arc::new(ClockSearches::new(priority)), ..Tables::default() }))
    }

    /// Solves all tables with as many threads as are useful, and returns when that is done.
    pub fn solve_all(&self) {
        self.solve_all_until(&AtomicBool::new(false));
    }

    /// [`DtmTables::solve_all`], but it returns within some milliseconds once `stop` is set.
    pub fn solve_all_until(&self, stop: &AtomicBool) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let pair = next.fetch_add(1, Relaxed)
                && pair < PAIRS.len()
            {
                self.0.solve(pair, || !stop.load(Relaxed));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..available_parallelism().map_or(1, usize::from).min(PAIRS.len()) {
                // The running threads do the work of those that the system refuses.
                if Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }

    /// Starts a thread that solves all tables, those first that a probe has missed, and ends early when the last handle
    /// is dropped. Calling it again does nothing.
    ///
    /// # Errors
    /// If the system refuses the thread. The call can be repeated.
    pub fn solve_in_background(&self) -> io::Result<()> {
        if self.0.started.swap(true, Relaxed) {
            return Ok(());
        }
        let (handle, searches) = (Arc::downgrade(&self.0), Arc::clone(&self.0.searches));
        let work = move || {
            // Its own work: one that needs a table must not wait for a thread of low priority.
            let mut own = None;
            loop {
                searches.wait_unless(|| handle.upgrade().is_none_or(|tables| tables.lacks_wanted()));
                let Some(tables) = handle.upgrade() else { return };
                let Some(pair) = tables.next() else { return };
                let (_, mut work) = own.take().filter(|&(other, _)| other == pair).unwrap_or((pair, None));
                match work_on(&mut work, PAIRS[pair]) {
                    Some(table) => tables.slots[pair].set(table),
                    None => own = Some((pair, work)),
                }
            }
        };
        let started = self.0.searches.start_thread("dtm-tables", work);
        self.0.started.store(started.is_ok(), Relaxed);
        started
    }

    /// Pauses the threads that solve endings in the background until the result is dropped: a search on a clock needs
    /// the time. They go on with endings that a probe has missed.
    #[must_use]
    pub fn pause_background(&self) -> BackgroundPause {
        self.searches().begin()
    }

    pub(crate) fn searches(&self) -> &Arc<ClockSearches> {
        &self.0.searches
    }

    pub(crate) fn shared(&self) -> &Arc<Tables> {
        &self.0
    }

    /// Works for some milliseconds on a table that is not solved yet, first on those that a probe has missed, then on
    /// the most frequent in games. `false` if there is none left. For callers that have one thread and other work in
    /// between.
    ///
    /// ```
    /// use sakmak_eval::DtmTables;
    ///
    /// let tables = DtmTables::default();
    /// assert!(tables.solve_next());
    /// assert_eq!(tables.solved(), 0);
    /// while tables.solve_next() {}
    /// assert_eq!(tables.solved(), DtmTables::COUNT);
    /// ```
    pub fn solve_next(&self) -> bool {
        let next = self.0.next();
        next.inspect(|&pair| self.0.slots[pair].step(PAIRS[pair])).is_some()
    }

    /// Whether a table that a probe has missed is not solved yet. [`DtmTables::solve_next`] works on it.
    pub fn lacks_wanted(&self) -> bool {
        self.0.lacks_wanted()
    }

    /// The number of tables solved so far.
    pub fn solved(&self) -> usize {
        (0..PAIRS.len()).filter(|&pair| self.0.get(pair).is_some()).count()
    }

    /// The distance to mate where a khun is bare, from the tables solved so far. First-move privileges are not
    /// considered, and in Makpong, where a checked khun may not step aside, the result is always [`Dtm::Unknown`].
    pub fn probe(&self, position: &Position) -> Dtm {
        Prober { tables: self, waiting: &Waiting::default(), missed: &Cell::new(0) }.probe(position)
    }
}

/// What a probe does about a table that is not there yet.
#[derive(Clone, Default, Debug)]
pub(crate) struct Waiting {
    /// Solves it.
    pub(crate) solves: bool,
    /// Ends that early once it is set.
    pub(crate) stop: Option<Arc<AtomicBool>>,
}

impl Waiting {
    pub(crate) fn goes_on(&self) -> bool {
        self.solves && !self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed))
    }
}

/// Probes the tables.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'a> {
    pub(crate) tables: &'a DtmTables,
    pub(crate) waiting: &'a Waiting,
    /// A bit for each table that was needed and is not there.
    pub(crate) missed: &'a Cell<u8>,
}

impl Prober<'_> {
    /// See [`DtmTables::probe`].
    pub(crate) fn probe(self, position: &Position) -> Dtm {
        let attacker = if position.is_bare(Color::White) { Color::Black } else { Color::White };
        let pieces = position.color(attacker) & !position.kind(PieceKind::Khun);
        let khun_stays = position.rules().variant == Variant::Makpong;
        let with_bia = !position.kind(PieceKind::Bia).is_empty();
        if pieces.len() > 2 || !position.is_bare(!attacker) || with_bia || khun_stays {
            return Dtm::Unknown;
        }
        match (pieces.first(), pieces.into_iter().last()) {
            (Some(first), Some(last)) => self.probe_pair(position, attacker, [first, last]),
            _ => Dtm::NotForced,
        }
    }

    /// The mate that two of the attacker's pieces, or one given twice, can force if no others get in their way. A bia
    /// counts as the met it will become.
    pub(crate) fn probe_pair(self, position: &Position, attacker: Color, pair: [Square; 2]) -> Dtm {
        let kind = |square| match position.kind_on(square) {
            Some(PieceKind::Bia) | None => PieceKind::Met,
            Some(kind) => kind,
        };
        let orders = [pair, [pair[1], pair[0]]];
        let found = orders.into_iter().find_map(|pair| Some((self.table(pair.map(kind))?, pair)));
        let Some((table, pair)) = found else { return Dtm::Unknown };
        let as_white = |square: Square| square.relative(attacker);
        let plies = table.plies(
            as_white(position.khun(attacker)),
            pair.map(as_white),
            as_white(position.khun(!attacker)),
            position.side_to_move() == attacker,
        );
        plies.map_or(Dtm::NotForced, Dtm::Plies)
    }

    /// The table of two kinds of pieces in this order; a rua or khon alone is in that of two.
    fn table(&self, kinds: [PieceKind; 2]) -> Option<&'_ DtmTable> {
        let pair = PAIRS.iter().position(|pair| *pair == kinds)?;
        let tables = &self.tables.0;
        let table = tables.solve(pair, || self.waiting.goes_on());
        if table.is_none() && tables.slots[pair].is_missing() {
            self.missed.set(self.missed.get() | 1 << pair);
        }
        table
    }
}
