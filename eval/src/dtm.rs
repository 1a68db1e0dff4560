//! Distances to mate (DTM) of one or two pieces against a bare khun.
//!
//! Against a bare khun all that matters is whether the mate fits into the count, to the ply. An estimate is too rough
//! for that, so these endings are solved by retrograde analysis, see [`solver`].

mod solver;
mod table;

use std::io;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::thread::{Builder, available_parallelism};

use sakmak_movegen::{Color, PieceKind, Position, Square, Variant};

use PieceKind::{Khon, Maa, Met, Rua};
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
/// solved in less than a second.
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
struct Tables {
    /// In the order of [`PAIRS`]. A table that there is no memory for is `None`.
    tables: [OnceLock<Option<DtmTable>>; PAIRS.len()],
    /// Whether the thread that solves all tables has been started.
    started: AtomicBool,
}

impl Tables {
    /// The table of a pair, solved by this call if it is not yet.
    fn solved(&self, pair: usize) -> Option<&DtmTable> {
        self.tables[pair].get_or_init(|| DtmTable::solve(PAIRS[pair]).ok()).as_ref()
    }
}

impl DtmTables {
    /// How many tables there are.
    pub const COUNT: usize = PAIRS.len();
    /// Memory a solved table takes, in bytes.
    pub const TABLE_BYTES: usize = DtmTable::BYTES;

    /// Solves all tables with as many threads as are useful, and returns when that is done.
    pub fn solve_all(&self) {
        let next = AtomicUsize::new(0);
        let work = || {
            while let pair = next.fetch_add(1, Relaxed)
                && pair < PAIRS.len()
            {
                self.0.solved(pair);
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

    /// Starts a thread that solves all tables, and ends early when the last handle is dropped. Calling it again does
    /// nothing.
    ///
    /// # Errors
    /// If the system refuses the thread. The call can be repeated.
    pub fn solve_in_background(&self) -> io::Result<()> {
        if self.0.started.swap(true, Relaxed) {
            return Ok(());
        }
        let tables = Arc::downgrade(&self.0);
        let work = move || {
            for pair in 0..PAIRS.len() {
                let Some(tables) = tables.upgrade() else { return };
                tables.solved(pair);
            }
        };
        let started = Builder::new().name("dtm-tables".to_owned()).spawn(work);
        self.0.started.store(started.is_ok(), Relaxed);
        started.map(drop)
    }

    /// Solves a table that is not solved yet, the most frequent in games first. `false` if there is none left. For
    /// callers that have one thread and other work in between.
    ///
    /// ```
    /// use sakmak_eval::DtmTables;
    ///
    /// let tables = DtmTables::default();
    /// assert!(tables.solve_next());
    /// assert_eq!(tables.solved(), 1);
    /// while tables.solve_next() {}
    /// assert_eq!(tables.solved(), DtmTables::COUNT);
    /// ```
    pub fn solve_next(&self) -> bool {
        let missing = self.0.tables.iter().position(|table| table.get().is_none());
        missing.inspect(|&pair| _ = self.0.solved(pair)).is_some()
    }

    /// The number of tables solved so far.
    pub fn solved(&self) -> usize {
        self.0.tables.iter().filter(|table| matches!(table.get(), Some(Some(_)))).count()
    }

    /// The distance to mate where a khun is bare, from the tables solved so far. First-move privileges are not
    /// considered, and in Makpong, where a checked khun may not step aside, the result is always [`Dtm::Unknown`].
    pub fn probe(&self, position: &Position) -> Dtm {
        Prober { tables: self, solve_missing: false }.probe(position)
    }
}

/// Probes the tables.
#[derive(Clone, Copy)]
pub(crate) struct Prober<'a> {
    pub(crate) tables: &'a DtmTables,
    /// Whether a table that is not there yet is solved when it is needed.
    pub(crate) solve_missing: bool,
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
    fn table(&self, kinds: [PieceKind; 2]) -> Option<&DtmTable> {
        let pair = PAIRS.iter().position(|pair| *pair == kinds)?;
        let tables = &self.tables.0;
        if self.solve_missing { tables.solved(pair) } else { tables.tables[pair].get()?.as_ref() }
    }
}
