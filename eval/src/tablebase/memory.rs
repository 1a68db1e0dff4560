//! Endings of up to two men against a bare khun, solved in memory, for an engine without files.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};

use sakmak_movegen::{Color, PieceKind, Position};

use super::cache::BlockCache;
use super::ending::Ending;
use super::exits::Source;
use super::format::{Family, encode};
use super::index::Placement;
use super::probe::applies;
use super::solver::{SolveError, solve_values};
use super::table::Table;
use super::values::{Value, Values};
use crate::dtm::{Dtm, DtmTables, Prober};

/// The endings that [`DtmTables`] do not have.
const NAMES: [&str; 7] = ["KRBvK", "KSBvK", "KNBvK", "KMBvK", "KBBvK", "KNNvK", "KMMvK"];

/// Tables in memory. This is a handle: clones share them.
#[derive(Clone, Default, Debug)]
pub(super) struct MemoryTables {
    dtm: DtmTables,
    others: Arc<Others>,
    /// Whether a table of pairs that is not there yet is solved when it is needed.
    solves_pairs: bool,
    /// The same of the others, which takes longer.
    solves_others: bool,
}

#[derive(Default, Debug)]
struct Others {
    /// Compressed as in their files; none if there is no memory for them.
    tables: OnceLock<Vec<Table>>,
    started: AtomicBool,
}

impl Others {
    fn solved(&self) -> &[Table] {
        self.tables.get_or_init(|| {
            let solved = Solved::default();
            let endings = NAMES.iter().filter_map(|name| name.parse::<Ending>().ok());
            let tables = endings.filter_map(|ending| {
                let values = solved.values(&ending).ok()?;
                Table::in_memory(encode(&values)).ok()
            });
            tables.collect()
        })
    }
}

/// The values of endings, each solved when it is first needed.
#[derive(Default)]
struct Solved(RefCell<HashMap<Ending, Arc<Values>>>);

impl Source for Solved {
    fn values(&self, ending: &Ending) -> Result<Arc<Values>, SolveError> {
        if let Some(values) = self.0.borrow().get(ending) {
            return Ok(Arc::clone(values));
        }
        let values = Arc::new(solve_values(ending, self, 1, &|_| ())?);
        self.0.borrow_mut().insert(ending.clone(), Arc::clone(&values));
        Ok(values)
    }
}

impl MemoryTables {
    /// The same with these tables of pairs, and whether a missing one is solved when it is needed.
    pub(super) fn with_pairs(&self, pairs: &DtmTables, solves_pairs: bool) -> Self {
        Self { dtm: pairs.clone(), solves_pairs, ..self.clone() }
    }

    /// The same, which solves the tables that [`DtmTables`] do not have when they are needed.
    pub(super) fn solving_others(&self) -> Self {
        Self { solves_others: true, ..self.clone() }
    }

    /// Starts a thread that solves the tables which [`DtmTables`] do not have. Calling it again does nothing.
    pub(super) fn solve_in_background(&self) -> io::Result<()> {
        if self.others.started.swap(true, Relaxed) {
            return Ok(());
        }
        let others = Arc::clone(&self.others);
        let work = move || _ = others.solved();
        let started = std::thread::Builder::new().name("endgame-tables".to_owned()).spawn(work);
        self.others.started.store(started.is_ok(), Relaxed);
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
        let probed = Prober { tables: &self.dtm, solve_missing: self.solves_pairs }.probe(position);
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
        let is_one = NAMES.iter().any(|&name| name == canonical.to_string());
        let tables = match self.others.tables.get() {
            Some(tables) => tables,
            None if self.solves_others && is_one => self.others.solved(),
            None => return None,
        };
        let table = tables.iter().find(|table| table.header.ending == canonical)?;
        let side = if flipped { !position.side_to_move() } else { position.side_to_move() };
        // These tables are asked at the root only: a cache would not pay.
        table.value(0, &Placement::of(position, &canonical, flipped), side, &BlockCache::new(0))
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
}
