//! Endings of up to two men against a bare khun, solved in memory, for an engine without files.

use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU8, Ordering::Relaxed};
use std::sync::{Arc, Mutex, OnceLock, TryLockError};

use sakmak_movegen::{Color, PieceKind, Position};

use super::cache::BlockCache;
use super::ending::Ending;
use super::exits::Source;
use super::format::{Family, encode};
use super::index::{Indexer, Placement};
use super::probe::applies;
use super::solver::{SolveError, Work, solve_values};
use super::table::Table;
use super::values::{Value, Values};
use crate::background::ClockSearches;
use crate::bare_khun;
use crate::dtm::{Dtm, DtmTables, OTHER_WORKS, Prober, Waiting};

/// The endings that [`DtmTables`] do not have.
const NAMES: [&str; 7] = ["KRBvK", "KSBvK", "KNBvK", "KMBvK", "KBBvK", "KNNvK", "KMMvK"];

/// Tables in memory. This is a handle: clones share them.
#[derive(Clone, Default, Debug)]
pub(super) struct MemoryTables {
    dtm: DtmTables,
    others: Arc<Others>,
    /// What a probe does about a table of pairs that is not there yet.
    pairs_waiting: Waiting,
    /// The same of the others, which take longer.
    others_waiting: Waiting,
}

#[derive(Default, Debug)]
struct Others {
    /// In the order of [`NAMES`].
    slots: [Slot; NAMES.len()],
    /// A bit for each table that a probe has missed.
    wanted: AtomicU8,
    /// Whether the thread that solves all tables has been started.
    started: AtomicBool,
    /// Whether a thread solves the ending of a position on a clock.
    solves_own: AtomicBool,
}

#[derive(Default, Debug)]
struct Slot {
    /// Compressed as in its file; `None` if there is no memory for it.
    table: OnceLock<Option<Table>>,
    /// Held by the one that solves the table for those that need it.
    turn: Mutex<()>,
}

/// The number of a canonical ending among [`NAMES`].
fn number_of(ending: &Ending) -> Option<usize> {
    let name = ending.to_string();
    NAMES.iter().position(|&other| other == name)
}

impl Others {
    fn is_missing(&self, number: usize) -> bool {
        self.slots[number].table.get().is_none()
    }

    fn get(&self, number: usize) -> Option<&Table> {
        self.slots[number].table.get()?.as_ref()
    }

    fn want(&self, number: usize, searches: &ClockSearches) {
        let bit = 1 << number;
        if self.wanted.load(Relaxed) & bit == 0 {
            self.wanted.fetch_or(bit, Relaxed);
            searches.wake();
        }
    }

    fn is_wanted(&self, number: usize) -> bool {
        self.wanted.load(Relaxed) >> number & 1 == 1
    }

    /// The next table to solve: one that a probe has missed, if there is any.
    fn next(&self) -> Option<usize> {
        (0..NAMES.len())
            .filter(|&number| self.is_missing(number))
            .min_by_key(|&number| !self.is_wanted(number))
    }

    fn lacks_wanted(&self) -> bool {
        self.next().is_some_and(|number| self.is_wanted(number))
    }

    /// The table of an ending, solved by this call if it is not yet. `None` if `goes_on`, asked every few milliseconds,
    /// ends the work, or if there is no memory.
    fn solve(&self, number: usize, goes_on: &(dyn Fn() -> bool + Sync)) -> Option<&Table> {
        let slot = &self.slots[number];
        while self.is_missing(number) {
            if !goes_on() {
                return None;
            }
            let _turn = match slot.turn.try_lock() {
                Ok(turn) => turn,
                Err(TryLockError::WouldBlock) => {
                    std::thread::sleep(OTHER_WORKS);
                    continue;
                }
                Err(TryLockError::Poisoned(error)) => error.into_inner(),
            };
            Solver { others: self, known: RefCell::default(), goes_on }.solve(number);
        }
        self.get(number)
    }
}

/// Solves endings, each when it is first needed, and keeps their values for those that lead to them.
struct Solver<'a> {
    others: &'a Others,
    known: RefCell<HashMap<Ending, Arc<Values>>>,
    goes_on: &'a (dyn Fn() -> bool + Sync),
}

impl Solver<'_> {
    /// Solves the table of an ending, unless it is stopped.
    fn solve(&self, number: usize) {
        let values =
            NAMES[number].parse().map_err(|_| SolveError::TooLong).and_then(|ending| self.values(&ending));
        match values {
            Err(SolveError::Stopped) => {}
            Err(_) => _ = self.others.slots[number].table.set(None),
            Ok(values) => self.store(&values),
        }
    }

    /// Stores the table of solved values, if it is one of these.
    fn store(&self, values: &Values) {
        if let Some(number) = number_of(&values.ending)
            && self.others.is_missing(number)
        {
            let _ = self.others.slots[number].table.set(Table::in_memory(encode(values)).ok());
        }
    }
}

impl Source for Solver<'_> {
    fn values(&self, ending: &Ending) -> Result<Arc<Values>, SolveError> {
        if let Some(values) = self.known.borrow().get(ending) {
            return Ok(Arc::clone(values));
        }
        let stored = number_of(ending).and_then(|number| self.others.get(number)?.read().ok());
        let values = match stored {
            Some(values) => values,
            None => {
                solve_values(ending, self, Work { threads: 1, progress: &|_| (), goes_on: self.goes_on })?
            }
        };
        self.store(&values);
        let values = Arc::new(values);
        self.known.borrow_mut().insert(ending.clone(), Arc::clone(&values));
        Ok(values)
    }
}

impl MemoryTables {
    /// The same with these tables of pairs, and whether a missing one is solved when it is needed.
    pub(super) fn with_pairs(&self, pairs: &DtmTables, solves_pairs: bool) -> Self {
        let pairs_waiting = Waiting { solves: solves_pairs, ..self.pairs_waiting.clone() };
        Self { dtm: pairs.clone(), pairs_waiting, ..self.clone() }
    }

    /// The same, which solves the tables that [`DtmTables`] do not have when they are needed.
    pub(super) fn solving_others(&self) -> Self {
        let others_waiting = Waiting { solves: true, ..self.others_waiting.clone() };
        Self { others_waiting, ..self.clone() }
    }

    /// The same, which solves nothing more once `stop` is set.
    pub(super) fn stopped_by(&self, stop: &Arc<AtomicBool>) -> Self {
        let stopped = |waiting: &Waiting| Waiting { stop: Some(Arc::clone(stop)), ..waiting.clone() };
        let (pairs_waiting, others_waiting) = (stopped(&self.pairs_waiting), stopped(&self.others_waiting));
        Self { pairs_waiting, others_waiting, ..self.clone() }
    }

    /// Whether the table of a position, which a probe has missed, is not solved yet.
    pub(super) fn lacks_own(&self, position: &Position) -> bool {
        let number = Ending::of(position).and_then(|ending| number_of(&ending.canonical()));
        number.is_some_and(|number| self.others.is_missing(number) && self.others.is_wanted(number))
    }

    /// Starts a thread that solves the tables which [`DtmTables`] do not have, those first that a probe has missed.
    /// It has the priority that [`DtmTables::with_background`] states, and pauses with that of [`DtmTables`]. Calling it again does nothing.
    pub(super) fn solve_in_background(&self) -> io::Result<()> {
        if self.others.started.swap(true, Relaxed) {
            return Ok(());
        }
        let (others, searches) = (Arc::clone(&self.others), Arc::clone(self.dtm.searches()));
        let work = move || {
            let is_dropped = || Arc::strong_count(&others) == 1;
            let mut known = RefCell::default();
            while let Some(number) = others.next().filter(|_| !is_dropped()) {
                let goes_on = || {
                    searches.wait_unless(|| is_dropped() || others.lacks_wanted());
                    // One that was asked for comes before.
                    let has_turn = others.is_wanted(number) || !others.lacks_wanted();
                    has_turn && others.is_missing(number) && !is_dropped()
                };
                let solver = Solver { others: &others, known, goes_on: &goes_on };
                solver.solve(number);
                known = solver.known;
            }
        };
        let started = self.dtm.searches().start_thread("endgame-tables", work);
        self.others.started.store(started.is_ok(), Relaxed);
        started
    }

    /// If the khun of a position is bare and the tables that it needs are missing, starts a thread of usual priority
    /// that solves them. While that works, calling it again does nothing.
    pub(super) fn solve_own_ending(&self, position: &Position) -> io::Result<()> {
        let missed = Cell::new(0);
        let probe =
            Self { pairs_waiting: Waiting::default(), others_waiting: Waiting::default(), ..self.clone() };
        let prober = Prober { tables: &probe.dtm, waiting: &probe.pairs_waiting, missed: &missed };
        if bare_khun::evaluate(position, prober).is_none() {
            return Ok(());
        }
        let pairs = missed.get();
        let other = match probe.value(position) {
            None if self.lacks_own(position) => {
                Ending::of(position).and_then(|ending| number_of(&ending.canonical()))
            }
            _ => None,
        };
        if pairs == 0 && other.is_none() || self.others.solves_own.swap(true, Relaxed) {
            return Ok(());
        }
        let (tables, others) = (Arc::clone(self.dtm.shared()), Arc::clone(&self.others));
        let work = move || {
            let is_used = || Arc::strong_count(&others) > 1;
            for pair in (0..DtmTables::COUNT).filter(|pair| pairs >> pair & 1 == 1) {
                tables.solve(pair, is_used);
            }
            other.inspect(|&number| _ = others.solve(number, &is_used));
            others.solves_own.store(false, Relaxed);
        };
        let started = std::thread::Builder::new().name("own-ending".to_owned()).spawn(work);
        if started.is_err() {
            self.others.solves_own.store(false, Relaxed);
        }
        started.map(drop)
    }

    /// The value for the side to move whatever the count, if the ending is one of these and its table is there.
    pub(super) fn value(&self, position: &Position) -> Option<Value> {
        let attacker = Color::ALL.into_iter().find(|&color| position.is_bare(!color))?;
        if position.occupied().len() > 4 {
            return None;
        }
        let ending = Ending::of(position)?;
        if !applies(Family::of(&ending), position) {
            return None;
        }
        if position.is_dead() {
            return Some(Value::Draw);
        }
        let missed = Cell::new(0);
        let probed =
            Prober { tables: &self.dtm, waiting: &self.pairs_waiting, missed: &missed }.probe(position);
        match probed {
            Dtm::Plies(plies) if position.side_to_move() == attacker => {
                return Some(Value::Win(plies as u16));
            }
            Dtm::Plies(plies) => return Some(Value::Loss(plies as u16)),
            Dtm::NotForced => return Some(Value::Draw),
            Dtm::Unknown => {}
        }
        let flipped = attacker == Color::Black;
        let canonical = ending.canonical();
        let number = number_of(&canonical)?;
        let placement = Placement::of(position, &canonical, flipped);
        let table = match self.others.get(number) {
            Some(table) => table,
            // Bia on squares that none can come to have no value.
            None => {
                Indexer::new(&canonical).number(&placement)?;
                let table = self.others.solve(number, &|| self.others_waiting.goes_on());
                if table.is_none() {
                    self.others.want(number, self.dtm.searches());
                }
                table?
            }
        };
        let side = if flipped { !position.side_to_move() } else { position.side_to_move() };
        // These tables are asked at the root only: a cache would not pay.
        table.value(0, &placement, side, &BlockCache::new(0))
    }

    /// Whether a position is, or may soon become, an ending of these tables.
    pub(super) fn is_near(position: &Position) -> bool {
        const MEN: u32 = 8;
        position.occupied().len() <= MEN && !position.kind(PieceKind::Bia).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn all_endings_of_two_men_against_a_bare_khun_are_known_without_files() {
        let memory = MemoryTables::default().with_pairs(&DtmTables::default(), true).solving_others();
        let value = |fen: &str| memory.value(&Position::from_fen(fen).unwrap());
        for ending in Ending::all(4).into_iter().filter(|ending| ending.is_bare(Color::Black)) {
            let kinds: Vec<_> = ending.kinds(Color::White).collect();
            let [a, b] = [kinds[0].letter(), kinds[1].letter()];
            let fen = format!("k7/8/8/8/3{a}{b}3/8/8/7K w - - 0 60");
            assert!(value(&fen).is_some(), "{fen}");
            let position = Position::from_fen(&fen).unwrap().flipped();
            assert_eq!(memory.value(&position), value(&fen), "{fen}");
        }
        // A bia that must not promote yet, and one that is lost.
        assert!(matches!(value("k7/8/8/8/3RP3/8/8/7K w - - 0 60"), Some(Value::Win(_))));
        assert_eq!(value("8/8/8/4k3/3SP3/8/8/7K b - - 0 60"), Some(Value::Draw));
        assert_eq!(value("8/8/8/4k3/3SP3/8/8/6NK b - - 0 60"), None);
        assert_eq!(value("k7/8/8/4m3/3S4/8/8/7K b - 128 0 60"), None);
    }

    fn solved(memory: &MemoryTables) -> Vec<&'static str> {
        let missing = |number: &usize| !memory.others.is_missing(*number);
        (0..NAMES.len()).filter(missing).map(|number| NAMES[number]).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn only_the_ending_that_is_asked_for_and_those_it_leads_to_are_solved() {
        let stop = Arc::new(AtomicBool::new(true));
        let memory = MemoryTables::default().with_pairs(&DtmTables::default(), true).solving_others();
        let position = |fen: &str| Position::from_fen(fen).unwrap();
        // No game has a bia on its second rank.
        let two_bia = position("8/8/8/3k4/8/2P5/1P6/4K3 w - - 0 60");
        assert_eq!(memory.value(&two_bia), None);
        assert_eq!(solved(&memory), [""; 0]);
        assert!(!memory.lacks_own(&two_bia));

        let bia_and_met = position("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60");
        assert_eq!(memory.stopped_by(&stop).value(&bia_and_met), None);
        assert_eq!(solved(&memory), [""; 0]);
        assert!(memory.lacks_own(&bia_and_met) && !memory.lacks_own(&Position::startpos()));

        assert_eq!(memory.value(&bia_and_met), Some(Value::Draw));
        assert_eq!(solved(&memory), ["KMBvK", "KMMvK"]);
        assert_eq!(memory.dtm.solved(), 0);
        assert!(!memory.lacks_own(&bia_and_met));
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn work_that_is_ended_early_is_begun_anew() {
        let others = Others::default();
        let number = NAMES.iter().position(|&name| name == "KMMvK").unwrap();
        let asked = AtomicU8::new(0);
        let goes_on = || asked.fetch_add(1, Relaxed) < 100;
        assert!(others.solve(number, &goes_on).is_none());
        assert_eq!(asked.load(Relaxed), 102, "a slice was begun after the end");
        assert!(others.is_missing(number));
        assert!(others.solve(number, &|| true).is_some());
    }
}
