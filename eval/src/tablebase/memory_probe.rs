//! Probes of the tablebase in memory at the root.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use sakmak_movegen::{Color, PieceKind, Position};

use super::cache::BlockCache;
use super::dtm::{Dtm, DtmTables, Prober, Waiting, pair_number, pairs_of, pieces_of};
use super::ending::Ending;
use super::format::Family;
use super::index::{Indexer, Placement};
use super::memory::{ALL, number_of};
use super::probe::{Tablebases, applies};
use super::values::Value;

impl Tablebases {
    /// The same files with the endings of `pairs` in memory. With `solve_missing` a pair that is not solved yet is
    /// solved when it is needed: then the same position always gets the same value.
    #[must_use]
    pub fn with_pairs(&self, pairs: &DtmTables, solve_missing: bool) -> Self {
        let waiting = Waiting { solves: solve_missing, ..self.pairs.clone() };
        Self { dtm: pairs.clone(), pairs: waiting, missed: Arc::default(), ..self.clone() }
    }

    /// The same, which solves the other endings in memory when they are needed, which takes up to some seconds.
    #[must_use]
    pub fn solving(&self) -> Self {
        Self { others: Waiting { solves: true, ..self.others.clone() }, ..self.clone() }
    }

    /// The same, which solves nothing more once `stop` is set; a probe that is solving ends within some milliseconds.
    #[must_use]
    pub fn stopped_by(&self, stop: &Arc<AtomicBool>) -> Self {
        let stopped = |waiting: &Waiting| Waiting { stop: Some(Arc::clone(stop)), ..waiting.clone() };
        Self { pairs: stopped(&self.pairs), others: stopped(&self.others), ..self.clone() }
    }

    /// The same, whose probes solve nothing, but note what they would solve for [`Tablebases::solve_missed`].
    #[must_use]
    pub fn deferring(&self) -> Self {
        Self { defers: true, missed: Arc::default(), ..self.clone() }
    }

    /// Works for some milliseconds on an ending that a probe has missed. Returns `false` if all of them are solved.
    pub fn solve_missed(&self) -> bool {
        self.dtm.solve_missed(self.missed.load(Relaxed))
    }

    /// The number of a position's ending, unless that is a pair with a DTM table.
    fn other_ending(position: &Position) -> Option<usize> {
        number_of(&Ending::from_position(position)?.canonical()).filter(|&number| !DtmTables::is_pair(number))
    }

    /// Whether the ending of a position, missed by a probe in memory, is not solved yet.
    pub fn lacks_own(&self, position: &Position) -> bool {
        let memory = self.dtm.memory();
        Self::other_ending(position)
            .is_some_and(|number| memory.is_missing(number) && memory.is_wanted(number))
    }

    /// Makes the thread of [`DtmTables::solve_in_background`] also solve the other endings of two men against a bare
    /// khun, if a game is near those with bia. That takes some seconds of one core; calling it again does nothing.
    ///
    /// # Errors
    /// If the system refuses the thread. The call can be repeated.
    pub fn solve_in_background(&self, position: &Position) -> io::Result<()> {
        const NEAR: u32 = 8;
        let is_near = position.occupied().len() <= NEAR && !position.kind(PieceKind::Bia).is_empty();
        if is_near { self.dtm.memory().solve_in_background(ALL) } else { Ok(()) }
    }

    /// If a khun is bare and the endings in memory that the position needs are not solved yet, starts a thread that
    /// solves them. It has the usual priority, and works during searches on a clock. The work for an earlier position
    /// ends.
    ///
    /// # Errors
    /// If the system refuses the thread. The call can be repeated.
    pub fn solve_own_ending(&self, position: &Position) -> io::Result<()> {
        let memory = self.dtm.memory();
        let needed = Self::needed_by(position).filter(|&number| memory.is_missing(number));
        memory.solve_own(needed.fold(0, |set, number| set | 1 << number))
    }

    /// Ends the work that [`Tablebases::solve_own_ending`] has begun: its position is no longer searched.
    pub fn leave_own_ending(&self) {
        // Without endings no thread is started, so none can be refused.
        let _ = self.dtm.memory().solve_own(0);
    }

    /// The endings that the evaluation and the value of a position need.
    fn needed_by(position: &Position) -> impl Iterator<Item = usize> {
        let attacker = Color::ALL.into_iter().find(|&color| position.is_bare(!color) && !position.is_dead());
        let pieces = attacker.map(|attacker| pieces_of(position, attacker)).unwrap_or_default();
        let is_pair = pieces.len() == 2 && position.kind(PieceKind::Bia).is_empty();
        // Without rua and khon three pieces or more are estimated without pairs.
        let strong = position.kind(PieceKind::Rua) | position.kind(PieceKind::Khon);
        let has_pairs = pieces.len() <= 2 || pieces.intersects(strong);
        let pairs =
            pairs_of(pieces).filter(move |[first, second]| has_pairs && !(is_pair && first == second));
        let pairs = pairs.filter_map(|pair| pair_number(position, pair));
        let other = attacker.and_then(|_| Self::other_ending(position)).filter(|_| Self::has_value(position));
        pairs.chain(other)
    }

    /// Whether the tablebase has the rules of a position, and its bia stand where a game can have them.
    fn has_value(position: &Position) -> bool {
        let Some(ending) = Ending::from_position(position).map(|ending| ending.canonical()) else {
            return false;
        };
        let flipped = position.is_bare(Color::White);
        applies(Family::from_ending(&ending), position)
            && Indexer::new(&ending).number(&Placement::new(position, &ending, flipped)).is_some()
    }

    /// The value for the side to move whatever the count; `None` if the ending is not in memory or not solved yet.
    pub(super) fn memory_value(&self, position: &Position) -> Option<Value> {
        let attacker = Color::ALL.into_iter().find(|&color| position.is_bare(!color))?;
        if position.occupied().len() > 4 {
            return None;
        }
        let ending = Ending::from_position(position)?;
        if !applies(Family::from_ending(&ending), position) {
            return None;
        }
        if position.is_dead() {
            return Some(Value::Draw);
        }
        let (memory, missed) = (self.dtm.memory(), Cell::new(0));
        let at_once = |waiting: &Waiting| waiting.goes_on() && !self.defers;
        let waiting = Waiting { solves: at_once(&self.pairs), ..self.pairs.clone() };
        match (Prober { tables: &self.dtm, waiting: &waiting, missed: &missed }).probe(position) {
            Dtm::Plies(plies) if position.side_to_move() == attacker => {
                return Some(Value::Win(plies as u16));
            }
            Dtm::Plies(plies) => return Some(Value::Loss(plies as u16)),
            Dtm::NotForced => return Some(Value::Draw),
            Dtm::Unknown if self.pairs.solves => _ = self.missed.fetch_or(missed.get(), Relaxed),
            Dtm::Unknown => {}
        }
        let number = Self::other_ending(position)?;
        let flipped = attacker == Color::Black;
        if memory.is_missing(number) {
            // No value if a bia stands where none can come.
            let ending = ending.canonical();
            Indexer::new(&ending).number(&Placement::new(position, &ending, flipped))?;
            if !memory.solve(number, || at_once(&self.others)) && self.others.solves {
                self.missed.fetch_or(1 << number, Relaxed);
            }
        }
        // These endings are probed at the root only: a cache would not pay.
        memory.other(number)?.probe(0, position, flipped, &BlockCache::new(0))
    }
}

#[cfg(test)]
mod tests {
    use super::super::memory::COUNT;
    use super::*;

    fn solving() -> Tablebases {
        Tablebases::default().with_pairs(&DtmTables::default(), true).solving()
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn all_endings_of_two_men_against_a_bare_khun_are_known_without_files() {
        let tables = solving();
        let value = |fen: &str| tables.memory_value(&position(fen));
        for ending in Ending::all(4).into_iter().filter(|ending| ending.is_bare(Color::Black)) {
            let kinds: Vec<_> = ending.kinds(Color::White).collect();
            let [a, b] = [kinds[0].letter(), kinds[1].letter()];
            let fen = format!("k7/8/8/8/3{a}{b}3/8/8/7K w - - 0 60");
            assert!(value(&fen).is_some(), "{fen}");
            assert_eq!(tables.memory_value(&position(&fen).flipped()), value(&fen), "{fen}");
        }
        // A bia that must not promote yet, and one that is lost.
        assert!(matches!(value("k7/8/8/8/3RP3/8/8/7K w - - 0 60"), Some(Value::Win(_))));
        assert_eq!(value("8/8/8/4k3/3SP3/8/8/7K b - - 0 60"), Some(Value::Draw));
        assert_eq!(value("8/8/8/4k3/3SP3/8/8/6NK b - - 0 60"), None);
        assert_eq!(value("k7/8/8/4m3/3S4/8/8/7K b - 128 0 60"), None);
    }

    fn solved(tables: &Tablebases) -> Vec<usize> {
        (0..COUNT).filter(|&number| !tables.dtm.memory().is_missing(number)).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn only_the_ending_that_is_asked_for_is_solved() {
        let stop = Arc::new(AtomicBool::new(true));
        let tables = solving();
        // No game has a bia on its second rank.
        let two_bia = position("8/8/8/3k4/8/2P5/1P6/4K3 w - - 0 60");
        assert_eq!(tables.memory_value(&two_bia), None);
        assert_eq!(solved(&tables), [0; 0]);
        assert!(!tables.lacks_own(&two_bia));

        let bia_and_met = position("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60");
        assert_eq!(tables.stopped_by(&stop).memory_value(&bia_and_met), None);
        assert_eq!(solved(&tables), [0; 0]);
        assert!(tables.lacks_own(&bia_and_met) && !tables.lacks_own(&Position::startpos()));

        assert_eq!(tables.memory_value(&bia_and_met), Some(Value::Draw));
        assert_eq!(solved(&tables), [number_of(&"KMBvK".parse().unwrap()).unwrap()]);
        assert!(!tables.lacks_own(&bia_and_met));
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn what_a_probe_leaves_for_later_is_solved_in_slices() {
        let tables = solving().deferring();
        let bia_and_met = position("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60");
        assert!(!tables.solve_missed());
        assert_eq!(tables.memory_value(&bia_and_met), None);
        let slices = std::iter::repeat_with(|| tables.solve_missed()).take_while(|&works| works).count();
        assert!(slices > 10, "{slices}");
        assert_eq!(tables.memory_value(&bia_and_met), Some(Value::Draw));
        assert!(!tables.solve_missed());
    }
}
