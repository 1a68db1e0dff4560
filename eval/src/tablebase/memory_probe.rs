//! Probes of the tablebase in memory at the root.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU16, Ordering::Relaxed};

use sakmak_movegen::{Color, PieceKind, Position};

use super::cache::BlockCache;
use super::dtm::{Dtm, DtmTables, Prober, Waiting, pair_number, pairs_of, pieces_of};
use super::ending::Ending;
use super::format::Family;
use super::index::{Indexer, Placement};
use super::memory::{COUNT, EndingSet, number_of};
use super::probe::applies;
use super::values::Value;

/// A handle to the endings of up to two men against a bare khun; clones share them.
#[derive(Clone, Default, Debug)]
pub(super) struct MemoryProbe {
    dtm: DtmTables,
    /// What a probe does about a pair that is not solved yet.
    pairs: Waiting,
    /// What a probe does about another unsolved ending, which takes longer.
    others: Waiting,
    /// Whether a probe that would solve an ending notes it in `missed` instead.
    defers: bool,
    missed: Arc<AtomicU16>,
}

impl MemoryProbe {
    /// The same with the endings of `dtm`; `solves` is whether a missing pair is solved when it is needed.
    pub(super) fn with_pairs(&self, dtm: &DtmTables, solves: bool) -> Self {
        let pairs = Waiting { solves, ..self.pairs.clone() };
        Self { dtm: dtm.clone(), pairs, missed: Arc::default(), ..self.clone() }
    }

    /// The same, which solves endings other than pairs when they are needed.
    pub(super) fn solving_others(&self) -> Self {
        Self { others: Waiting { solves: true, ..self.others.clone() }, ..self.clone() }
    }

    /// The same, which solves nothing more once `stop` is set.
    pub(super) fn stopped_by(&self, stop: &Arc<AtomicBool>) -> Self {
        let stopped = |waiting: &Waiting| Waiting { stop: Some(Arc::clone(stop)), ..waiting.clone() };
        Self { pairs: stopped(&self.pairs), others: stopped(&self.others), ..self.clone() }
    }

    /// The same, whose probes leave what they would solve to [`MemoryProbe::solve_missed`].
    pub(super) fn deferring(&self) -> Self {
        Self { defers: true, missed: Arc::default(), ..self.clone() }
    }

    /// Works for some milliseconds on an ending that a probe has missed. Returns `false` if all of them are solved.
    pub(super) fn solve_missed(&self) -> bool {
        self.dtm.solve_missed(self.missed.load(Relaxed))
    }

    /// The number of a position's ending, unless that is a pair with a DTM table.
    fn other_of(position: &Position) -> Option<usize> {
        number_of(&Ending::of(position)?.canonical()).filter(|&number| !DtmTables::is_pair(number))
    }

    /// Whether the ending of a position, missed by a probe, is not solved yet.
    pub(super) fn lacks_own(&self, position: &Position) -> bool {
        let memory = self.dtm.memory();
        Self::other_of(position).is_some_and(|number| memory.is_missing(number) && memory.is_wanted(number))
    }

    /// Makes the background thread solve the other endings, too.
    pub(super) fn solve_in_background(&self) -> io::Result<()> {
        self.dtm.memory().solve_in_background(COUNT)
    }

    /// If a khun is bare and the endings that the position needs are missing, starts a thread of usual priority that
    /// solves them. The work for an earlier position ends.
    pub(super) fn solve_own_ending(&self, position: &Position) -> io::Result<()> {
        let memory = self.dtm.memory();
        let is_missing = |number: &usize| memory.is_missing(*number);
        let needed = Self::needed_by(position).filter(is_missing);
        memory.solve_own(needed.fold(0, |set: EndingSet, number| set | 1 << number))
    }

    /// Ends the work for an earlier position.
    pub(super) fn leave_own_ending(&self) {
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
        let other = attacker.and_then(|_| Self::other_of(position)).filter(|_| Self::has_value(position));
        pairs.chain(other)
    }

    /// Whether the tablebase has the rules of a position, and its bia stand where a game can have them.
    fn has_value(position: &Position) -> bool {
        let Some(ending) = Ending::of(position).map(|ending| ending.canonical()) else { return false };
        let flipped = position.is_bare(Color::White);
        applies(Family::of(&ending), position)
            && Indexer::new(&ending).number(&Placement::of(position, &ending, flipped)).is_some()
    }

    /// The value for the side to move whatever the count; `None` if the ending is not in memory or not solved yet.
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
        let number = Self::other_of(position)?;
        let (ending, flipped) = (ending.canonical(), attacker == Color::Black);
        let placement = Placement::of(position, &ending, flipped);
        if memory.is_missing(number) {
            // No value if a bia stands where none can come.
            Indexer::new(&ending).number(&placement)?;
            if !memory.solve(number, || at_once(&self.others)) && self.others.solves {
                self.missed.fetch_or(1 << number, Relaxed);
            }
        }
        let side = if flipped { !position.side_to_move() } else { position.side_to_move() };
        // These endings are probed at the root only: a cache would not pay.
        memory.other(number)?.value(0, &placement, side, &BlockCache::new(0))
    }

    /// Whether a position is, or may soon become, an ending with bia.
    pub(super) fn is_near(position: &Position) -> bool {
        const MEN: u32 = 8;
        position.occupied().len() <= MEN && !position.kind(PieceKind::Bia).is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn solving() -> MemoryProbe {
        MemoryProbe::default().with_pairs(&DtmTables::default(), true).solving_others()
    }

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn all_endings_of_two_men_against_a_bare_khun_are_known_without_files() {
        let memory = solving();
        let value = |fen: &str| memory.value(&position(fen));
        for ending in Ending::all(4).into_iter().filter(|ending| ending.is_bare(Color::Black)) {
            let kinds: Vec<_> = ending.kinds(Color::White).collect();
            let [a, b] = [kinds[0].letter(), kinds[1].letter()];
            let fen = format!("k7/8/8/8/3{a}{b}3/8/8/7K w - - 0 60");
            assert!(value(&fen).is_some(), "{fen}");
            assert_eq!(memory.value(&position(&fen).flipped()), value(&fen), "{fen}");
        }
        // A bia that must not promote yet, and one that is lost.
        assert!(matches!(value("k7/8/8/8/3RP3/8/8/7K w - - 0 60"), Some(Value::Win(_))));
        assert_eq!(value("8/8/8/4k3/3SP3/8/8/7K b - - 0 60"), Some(Value::Draw));
        assert_eq!(value("8/8/8/4k3/3SP3/8/8/6NK b - - 0 60"), None);
        assert_eq!(value("k7/8/8/4m3/3S4/8/8/7K b - 128 0 60"), None);
    }

    fn solved(memory: &MemoryProbe) -> Vec<usize> {
        (0..COUNT).filter(|&number| !memory.dtm.memory().is_missing(number)).collect()
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn only_the_ending_that_is_asked_for_is_solved() {
        let stop = Arc::new(AtomicBool::new(true));
        let memory = solving();
        // No game has a bia on its second rank.
        let two_bia = position("8/8/8/3k4/8/2P5/1P6/4K3 w - - 0 60");
        assert_eq!(memory.value(&two_bia), None);
        assert_eq!(solved(&memory), [0; 0]);
        assert!(!memory.lacks_own(&two_bia));

        let bia_and_met = position("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60");
        assert_eq!(memory.stopped_by(&stop).value(&bia_and_met), None);
        assert_eq!(solved(&memory), [0; 0]);
        assert!(memory.lacks_own(&bia_and_met) && !memory.lacks_own(&Position::startpos()));

        assert_eq!(memory.value(&bia_and_met), Some(Value::Draw));
        assert_eq!(solved(&memory), [number_of(&"KMBvK".parse().unwrap()).unwrap()]);
        assert!(!memory.lacks_own(&bia_and_met));
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn what_a_probe_leaves_for_later_is_solved_in_slices() {
        let memory = solving().deferring();
        let bia_and_met = position("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60");
        assert!(!memory.solve_missed());
        assert_eq!(memory.value(&bia_and_met), None);
        let slices = std::iter::repeat_with(|| memory.solve_missed()).take_while(|&works| works).count();
        assert!(slices > 10, "{slices}");
        assert_eq!(memory.value(&bia_and_met), Some(Value::Draw));
        assert!(!memory.solve_missed());
    }
}
