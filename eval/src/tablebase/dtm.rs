//! Distances to mate (DTM) of one or two pieces against a bare khun.
//!
//! Against a bare khun all that matters is whether the mate fits into the count, to the ply. An estimate is too rough
//! for that, so these endings are solved in memory and probed in the search.

use std::cell::Cell;
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, Square, Variant};

use super::dtm_table::DtmTable;
use super::memory::{ALL_PAIRS, ENDINGS, EndingSet, Memory, PAIRS};
use crate::background::{BackgroundPause, BackgroundPriority};

/// The result of a probe of the DTM tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dtm {
    /// Plies to mate with best play of both sides, whatever the count.
    Plies(i32),
    /// The mate cannot be forced.
    NotForced,
    /// Not known: no khun is bare, no DTM table has these pieces, or it is not solved yet.
    Unknown,
}

/// The DTM tables of a rua or khon, alone or with one other piece, and of maa and met, against a bare khun.
///
/// This is a handle: clones share the tables. A DTM table is solved at most once, by [`DtmTables::solve_all`],
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
///
/// The handle also holds the other endings of two men against a bare khun, which [`Tablebases`](super::Tablebases)
/// probe at the root.
#[derive(Clone, Default, Debug)]
pub struct DtmTables(Arc<Memory>);

impl DtmTables {
    /// The number of DTM tables.
    pub const COUNT: usize = PAIRS;
    /// Memory of a solved table, in bytes.
    pub const TABLE_BYTES: usize = DtmTable::BYTES;

    /// Unsolved tables, and the priority of the thread that solves them in the background.
    pub fn with_background(priority: BackgroundPriority) -> Self {
        Self(Arc::new(Memory::new(priority)))
    }

    /// Solves all tables on as many threads as are useful, and returns when that is done.
    pub fn solve_all(&self) {
        self.solve_all_until(&AtomicBool::new(false));
    }

    /// [`DtmTables::solve_all`], but it returns within some milliseconds once `stop` is set.
    pub fn solve_all_until(&self, stop: &AtomicBool) {
        self.0.solve_pairs(stop);
    }

    /// Starts a thread that solves all tables, beginning with those that a probe has missed. It ends early when the
    /// last handle is dropped. Calling it again does nothing.
    ///
    /// # Errors
    /// If the system refuses the thread. The call can be repeated.
    pub fn solve_in_background(&self) -> io::Result<()> {
        self.0.solve_in_background(ALL_PAIRS)
    }

    /// Pauses the thread that solves endings in the background until the result is dropped: a search on a clock needs
    /// the time. Meanwhile the thread solves only endings that a probe has missed.
    #[must_use]
    pub fn pause_background(&self) -> BackgroundPause {
        self.0.searches().begin()
    }

    /// Whether the ending of this number has a DTM table.
    pub(super) fn is_pair(number: usize) -> bool {
        number < PAIRS
    }

    pub(super) fn memory(&self) -> &Arc<Memory> {
        &self.0
    }

    /// Works for some milliseconds on a table that is not solved yet, first on those that a probe has missed, then on
    /// the most frequent in games. Returns `false` if all are solved. For callers that have one thread and other work
    /// in between.
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
        self.solve_missed(ALL_PAIRS)
    }

    /// Works for some milliseconds on one of the endings in `missed`. Returns `false` if all of them are solved.
    pub(crate) fn solve_missed(&self, missed: EndingSet) -> bool {
        self.0.next(missed).inspect(|&number| self.0.step(number)).is_some()
    }

    /// The number of tables solved so far.
    pub fn solved(&self) -> usize {
        (0..PAIRS).filter(|&pair| self.0.pair(pair).is_some()).count()
    }

    /// The distance to mate where a khun is bare, from the tables solved so far. First-move privileges are not
    /// considered, and in Makpong, where a checked khun may not step aside, the result is always [`Dtm::Unknown`].
    pub fn probe(&self, position: &Position) -> Dtm {
        Prober { tables: self, waiting: &Waiting::default(), missed: &Cell::new(0) }.probe(position)
    }
}

/// What a probe does about an ending that is not solved yet.
#[derive(Clone, Default, Debug)]
pub(crate) struct Waiting {
    /// Solves it.
    pub(crate) solves: bool,
    /// Once it is set, nothing more is solved.
    pub(crate) stop: Option<Arc<AtomicBool>>,
}

impl Waiting {
    pub(crate) fn goes_on(&self) -> bool {
        self.solves && !self.stop.as_ref().is_some_and(|stop| stop.load(Relaxed))
    }
}

/// The pieces of a side without its khun.
pub(crate) fn pieces_of(position: &Position, color: Color) -> Bitboard {
    position.color(color) & !position.kind(PieceKind::Khun)
}

/// The kind of a piece in a pair: a bia counts as the met it will become.
fn pair_kind(position: &Position, square: Square) -> PieceKind {
    match position.kind_on(square) {
        Some(PieceKind::Bia) | None => PieceKind::Met,
        Some(kind) => kind,
    }
}

/// The index in [`ENDINGS`] of a pair of pieces, given in either order.
pub(super) fn pair_number(position: &Position, pair: [Square; 2]) -> Option<usize> {
    let kinds = pair.map(|square| pair_kind(position, square));
    let is_it = |pair: &[PieceKind; 2]| *pair == kinds || *pair == [kinds[1], kinds[0]];
    ENDINGS[..PAIRS].iter().position(is_it)
}

/// All pairs of a set of pieces; each piece also makes a pair with itself.
pub(crate) fn pairs_of(pieces: Bitboard) -> impl Iterator<Item = [Square; 2]> {
    let pairs =
        pieces.into_iter().flat_map(move |first| pieces.into_iter().map(move |second| [first, second]));
    pairs.filter(|[first, second]| first <= second)
}

/// Probes the DTM tables.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'a> {
    pub(crate) tables: &'a DtmTables,
    pub(crate) waiting: &'a Waiting,
    /// The DTM tables that were needed and are not solved.
    pub(crate) missed: &'a Cell<EndingSet>,
}

impl Prober<'_> {
    /// See [`DtmTables::probe`].
    pub(crate) fn probe(self, position: &Position) -> Dtm {
        let attacker = if position.is_bare(Color::White) { Color::Black } else { Color::White };
        let pieces = pieces_of(position, attacker);
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
        let orders = [pair, [pair[1], pair[0]]];
        let kinds = |pair: [Square; 2]| pair.map(|square| pair_kind(position, square));
        let found = orders.into_iter().find_map(|pair| Some((self.table(kinds(pair))?, pair)));
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

    /// The DTM table of two kinds of pieces in this order; that of two serves for a rua or khon alone.
    fn table(&self, kinds: [PieceKind; 2]) -> Option<&'_ DtmTable> {
        let number = ENDINGS[..PAIRS].iter().position(|pair| *pair == kinds)?;
        let memory = &self.tables.0;
        if !memory.solve(number, || self.waiting.goes_on()) {
            self.missed.set(self.missed.get() | 1 << number);
        }
        memory.pair(number)
    }
}
