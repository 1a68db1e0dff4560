//! The endings against a bare khun that are solved in memory, and the threads that solve them.

use std::io;
use std::sync::atomic::{AtomicBool, AtomicU16, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError, Weak};
use std::thread::{Builder, available_parallelism};
use std::time::Duration;

use sakmak_movegen::{Color, Piece, PieceKind};

use super::dtm_table::DtmTable;
use super::ending::Ending;
use super::job::{Job, Solved};
use super::table::Table;
use crate::background::{BackgroundPriority, ClockSearches};
use PieceKind::{Bia, Khon, Maa, Met, Rua};

/// The pieces of each ending: first the pairs with a DTM table, which the search probes, the most frequent in games
/// first; then the other endings of two men, which are probed at the root.
pub(super) const ENDINGS: [[PieceKind; 2]; COUNT] = [
    [Rua, Met],
    [Khon, Met],
    [Khon, Khon],
    [Rua, Khon],
    [Rua, Maa],
    [Khon, Maa],
    [Rua, Rua],
    [Maa, Met],
    [Rua, Bia],
    [Khon, Bia],
    [Maa, Bia],
    [Met, Bia],
    [Bia, Bia],
    [Maa, Maa],
    [Met, Met],
];
/// The number of endings.
pub(super) const COUNT: usize = 15;
/// The number of endings that are pairs with a DTM table.
pub(super) const PAIRS: usize = 8;

/// A bit for each of [`ENDINGS`].
pub(crate) type EndingSet = u16;

/// All endings.
pub(super) const ALL: EndingSet = (1 << COUNT) - 1;
/// The pairs with a DTM table.
pub(super) const ALL_PAIRS: EndingSet = (1 << PAIRS) - 1;

/// How long a thread waits while another one works on its ending.
const OTHER_WORKS: Duration = Duration::from_millis(1);

/// The index of a canonical ending in [`ENDINGS`].
pub(super) fn number_of(ending: &Ending) -> Option<usize> {
    let is_it = |kinds: &[PieceKind; 2]| ending.kinds(Color::White).eq(kinds.iter().copied());
    ENDINGS.iter().position(is_it).filter(|_| ending.is_bare(Color::Black))
}

/// The endings of a set.
fn numbers(set: EndingSet) -> impl Iterator<Item = usize> {
    (0..COUNT).filter(move |number| set >> number & 1 == 1)
}

/// The tablebase in memory.
#[derive(Default, Debug)]
pub(crate) struct Memory {
    slots: [Slot; COUNT],
    /// The endings that a probe has missed.
    wanted: AtomicU16,
    /// The endings that the background thread solves besides those in `wanted`.
    goal: AtomicU16,
    /// Whether the background thread runs.
    in_background: Mutex<bool>,
    /// The work on the ending of a position that is searched.
    own: Mutex<Option<OwnEnding>>,
    searches: Arc<ClockSearches>,
}

/// One ending, and the work on it.
#[derive(Default, Debug)]
struct Slot {
    /// `None` if there is no memory for it.
    solved: OnceLock<Option<Solved>>,
    /// The work of the threads that need the ending. Each works on it for a slice at a time.
    work: Mutex<Option<Job>>,
}

/// What a thread solves for the position that is searched.
#[derive(Debug)]
struct OwnEnding {
    endings: EndingSet,
    /// Set when another position is searched.
    is_over: Arc<AtomicBool>,
}

/// Works on an ending for a slice. `Some` ends the work, with the solved ending, or with `None` if there is no memory.
fn work_on(work: &mut Option<Job>, number: usize) -> Option<Option<Solved>> {
    let Some(job) = work else {
        let men = ENDINGS[number].map(|kind| Piece { kind, color: Color::White });
        *work = Ending::new(men).map(|ending| Job::new(ending, number < PAIRS));
        return if work.is_none() { Some(None) } else { None };
    };
    let solved = job.step().map_or(Some(None), |solved| solved.map(Some));
    if solved.is_some() {
        *work = None;
    }
    solved
}

impl Slot {
    /// Works on the ending for a slice, or lets another thread do so.
    fn step(&self, number: usize) {
        let mut work = match self.work.try_lock() {
            Ok(work) => work,
            Err(TryLockError::WouldBlock) => return std::thread::sleep(OTHER_WORKS),
            Err(TryLockError::Poisoned(error)) => {
                // A slice cut off by a panic is no state to go on from.
                self.work.clear_poison();
                let mut work = error.into_inner();
                *work = None;
                work
            }
        };
        if self.solved.get().is_some() {
            // Another thread came first.
            *work = None;
        } else if let Some(solved) = work_on(&mut work, number) {
            let _ = self.solved.set(solved);
        }
    }

    /// Stores the ending that the background has solved, and drops the work of other threads on it.
    fn set(&self, solved: Option<Solved>) {
        let _ = self.solved.set(solved);
        // A thread that works on it ends its slice first.
        *self.work.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Memory {
    pub(super) fn new(priority: BackgroundPriority) -> Self {
        Self { searches: Arc::new(ClockSearches::new(priority)), ..Self::default() }
    }

    pub(super) fn searches(&self) -> &Arc<ClockSearches> {
        &self.searches
    }

    /// Whether an ending is not solved yet; `false` if there is no memory for it.
    #[inline]
    pub(super) fn is_missing(&self, number: usize) -> bool {
        self.slots[number].solved.get().is_none()
    }

    /// The DTM table of a pair.
    #[inline]
    pub(super) fn pair(&self, number: usize) -> Option<&DtmTable> {
        match self.slots[number].solved.get()? {
            Some(Solved::Pair(table)) => Some(table),
            _ => None,
        }
    }

    /// The compressed tablebase of an ending without a DTM table.
    pub(super) fn other(&self, number: usize) -> Option<&Table> {
        match self.slots[number].solved.get()? {
            Some(Solved::Compressed(table)) => Some(table),
            _ => None,
        }
    }

    /// Works on an ending for a slice.
    pub(super) fn step(&self, number: usize) {
        self.slots[number].step(number);
    }

    /// Solves an ending if it is missing, as long as `goes_on`, asked before each slice, is true; if not, the
    /// background solves it next. Returns whether it is solved, or there is no memory for it.
    pub(super) fn solve(&self, number: usize, goes_on: impl Fn() -> bool) -> bool {
        while self.is_missing(number) {
            if !goes_on() {
                self.want(number);
                return false;
            }
            self.step(number);
        }
        true
    }

    fn want(&self, number: usize) {
        let bit = 1 << number;
        // Written only once, since all threads read it.
        if self.wanted.load(Relaxed) & bit == 0 {
            self.wanted.fetch_or(bit, Relaxed);
            self.searches.wake();
        }
    }

    pub(super) fn is_wanted(&self, number: usize) -> bool {
        self.wanted.load(Relaxed) >> number & 1 == 1
    }

    /// The next ending of a set to solve: one that a probe has missed, else the first.
    pub(super) fn next(&self, endings: EndingSet) -> Option<usize> {
        let missing = numbers(endings).filter(|&number| self.is_missing(number));
        missing.min_by_key(|&number| !self.is_wanted(number))
    }

    /// The next ending that a probe has missed.
    fn next_wanted(&self) -> Option<usize> {
        self.next(self.wanted.load(Relaxed))
    }

    /// The next ending for the background.
    fn next_in_background(&self) -> Option<usize> {
        self.next_wanted().or_else(|| self.next(self.goal.load(Relaxed)))
    }

    /// Solves the pairs with as many threads as are useful, until `stop` is set.
    pub(super) fn solve_pairs(&self, stop: &AtomicBool) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let number = next.fetch_add(1, Relaxed)
                && number < PAIRS
            {
                self.solve(number, || !stop.load(Relaxed));
            }
        };
        std::thread::scope(|scope| {
            for _ in 1..available_parallelism().map_or(1, usize::from).min(PAIRS) {
                // The running threads do the work of those that the system refuses.
                if Builder::new().spawn_scoped(scope, work).is_err() {
                    break;
                }
            }
            work();
        });
    }

    /// Starts a thread that solves the endings of `goal`, and those that probes miss. It ends when that is done, or
    /// when this is dropped.
    ///
    /// # Errors
    /// If the system refuses the thread. The call can be repeated.
    pub(super) fn solve_in_background(self: &Arc<Self>, goal: EndingSet) -> io::Result<()> {
        let mut runs = lock(&self.in_background);
        self.goal.fetch_or(goal, Relaxed);
        if *runs || self.next_in_background().is_none() {
            return Ok(());
        }
        let background = Background(Arc::downgrade(self));
        let searches = Arc::clone(&self.searches);
        self.searches.start_thread("tablebase", move || background.run(&searches))?;
        *runs = true;
        Ok(())
    }

    /// Starts a thread of usual priority that solves these endings, those of the position that is searched. The work
    /// for another position ends.
    ///
    /// # Errors
    /// If the system refuses the thread. The call can be repeated.
    pub(super) fn solve_own(self: &Arc<Self>, endings: EndingSet) -> io::Result<()> {
        let mut own = lock(&self.own);
        if own.as_ref().is_some_and(|own| own.endings == endings) {
            return Ok(());
        }
        if let Some(other) = own.take() {
            other.is_over.store(true, Relaxed);
        }
        if endings == 0 {
            return Ok(());
        }
        let is_over = Arc::new(AtomicBool::new(false));
        let work = OwnEndingThread { memory: Arc::downgrade(self), is_over: Arc::clone(&is_over) };
        *own = Some(OwnEnding { endings, is_over });
        // If the thread is refused, its closure is dropped, which needs the lock.
        drop(own);
        Builder::new().name("own-ending".to_owned()).spawn(move || work.run(endings)).map(drop)
    }
}

/// The thread in the background.
struct Background(Weak<Memory>);

impl Background {
    fn run(self, searches: &ClockSearches) {
        // Its own work: a thread that needs an ending must not wait for one of low priority.
        let mut own: Option<(usize, Option<Job>)> = None;
        loop {
            searches.wait_unless(|| self.0.upgrade().is_none_or(|memory| memory.next_wanted().is_some()));
            let Some(memory) = self.0.upgrade() else { return };
            let Some(number) = memory.next_in_background() else {
                let mut runs = lock(&memory.in_background);
                // More may have been asked for meanwhile.
                *runs = memory.next_in_background().is_some();
                if *runs {
                    continue;
                } else {
                    return;
                };
            };
            let (_, mut work) = own.take().filter(|&(other, _)| other == number).unwrap_or((number, None));
            match work_on(&mut work, number) {
                Some(solved) => memory.slots[number].set(solved),
                None => own = Some((number, work)),
            }
        }
    }
}

impl Drop for Background {
    fn drop(&mut self) {
        // After a panic another thread may be started.
        if std::thread::panicking()
            && let Some(memory) = self.0.upgrade()
        {
            *lock(&memory.in_background) = false;
        }
    }
}

/// The thread that solves the ending of the position that is searched.
struct OwnEndingThread {
    memory: Weak<Memory>,
    is_over: Arc<AtomicBool>,
}

impl OwnEndingThread {
    fn run(self, endings: EndingSet) {
        for number in numbers(endings) {
            while let Some(memory) = self.memory.upgrade()
                && memory.is_missing(number)
                && !self.is_over.load(Relaxed)
            {
                memory.step(number);
            }
        }
    }
}

impl Drop for OwnEndingThread {
    fn drop(&mut self) {
        if let Some(memory) = self.memory.upgrade() {
            let mut own = lock(&memory.own);
            if own.as_ref().is_some_and(|own| Arc::ptr_eq(&own.is_over, &self.is_over)) {
                *own = None;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn work_that_is_ended_early_goes_on_later() {
        let memory = Memory::default();
        let number = number_of(&"KMMvK".parse().unwrap()).unwrap();
        let asked = AtomicUsize::new(0);
        let goes_on = || asked.fetch_add(1, Relaxed) < 5;
        assert!(!memory.solve(number, goes_on));
        assert_eq!(asked.load(Relaxed), 6, "a slice was begun after the end");
        assert!(memory.is_missing(number) && memory.is_wanted(number));
        assert!(memory.solve(number, || true));
        assert!(memory.other(number).is_some());
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_work_on_a_position_ends_with_the_search_of_another() {
        let memory = Arc::new(Memory::default());
        let is_over = || lock(&memory.own).as_ref().map(|own| Arc::clone(&own.is_over));
        // The longest first, so that the thread cannot end by itself before it is looked at.
        memory.solve_own(1 << number_of(&"KBBvK".parse().unwrap()).unwrap()).unwrap();
        let first = is_over().expect("a thread");
        memory.solve_own(0).unwrap();
        assert!(first.load(Relaxed) && is_over().is_none());
        // The thread does not keep the memory alive.
        memory.solve_own(1).unwrap();
        let weak = Arc::downgrade(&memory);
        drop(memory);
        while weak.strong_count() > 0 {
            std::thread::sleep(OTHER_WORKS);
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_background_ends_when_the_engine_is_dropped() {
        let memory = Arc::new(Memory::default());
        let pause = memory.searches().begin();
        memory.solve_in_background(ALL).unwrap();
        memory.solve_in_background(ALL).unwrap();
        let weak = Arc::downgrade(&memory);
        drop((memory, pause));
        while weak.strong_count() > 0 {
            std::thread::sleep(OTHER_WORKS);
        }
    }
}
