//! The settings of an engine, and those that the machine cannot meet.

use std::fmt;
use std::io;
use std::sync::Arc;
use std::time::Duration;

use sakmak_eval::network::Network;
use sakmak_movegen::{Move, Position, Rules};

use super::NODES_WITHOUT_THREAD;
use crate::book::{Book, BookMove};
use crate::evaluations::Evaluations;
use crate::search::TableProbing;
use crate::skill::Skill;
use crate::time::Limits;
use crate::tt::HashAllocationError;

/// Default size of the transposition table, in MiB.
pub(crate) const DEFAULT_HASH_MB: usize = 64;

/// An opening book, and how the engine plays from it.
#[derive(Clone, Debug)]
pub struct BookSettings {
    /// The book.
    pub book: Arc<Book>,
    /// The engine plays from the book before this ply of the game, by the move number.
    pub plies: u32,
    /// How much worse than the best move a book move may be, in internal units; see [`Book::choose`].
    pub margin: i32,
}

impl BookSettings {
    /// The move to play from the book, and the book's best reply; `None` if a search finds the move. Analysis, pondering,
    /// searches for a mate and of some moves only do without the book.
    pub(super) fn choose(
        &self,
        position: &Position,
        limits: &Limits,
        seed: u64,
    ) -> Option<(BookMove, Option<Move>)> {
        if cfg!(target_family = "wasm") {
            return None;
        }
        let is_asked = limits.infinite || limits.ponder || limits.mate.is_some();
        if is_asked || !limits.search_moves.is_empty() || position.game_ply() >= self.plies {
            return None;
        }
        let chosen = self.book.choose(position, self.margin, seed)?;
        let reply = self.book.choose(&position.after(chosen.mv), 0, 0);
        Some((chosen, reply.map(|reply| reply.mv)))
    }
}

/// How to search, apart from the limits.
#[derive(Clone, Debug)]
pub struct EngineSettings {
    /// Searching threads.
    pub threads: usize,
    /// Size of the transposition table in MiB.
    pub hash_mb: usize,
    /// MultiPV: number of best lines to find.
    pub multi_pv: usize,
    /// Time to set aside for each move.
    pub move_overhead: Duration,
    /// Limited playing strength; `None` for full strength.
    pub skill: Option<Skill>,
    /// Seed of the errors of a limited player and of the choice among book moves: the same seed gives the same ones.
    /// `None`: a new one each time.
    pub seed: Option<u64>,
    /// Search as if there were no counting rules.
    pub ignores_count: bool,
    /// The rules of the game, from the next [`Engine::set_game`](crate::Engine::set_game) on.
    pub rules: Rules,
    /// The tablebases, and where to probe them. A player of limited strength does not use them.
    pub probing: TableProbing,
    /// The evaluation network.
    pub network: Arc<Network>,
    /// The opening book to play from; `None` searches every move.
    pub book: Option<BookSettings>,
    /// A file of evaluations, used at the root. A player of limited strength does not use it.
    pub evaluations: Option<Arc<Evaluations>>,
}

impl Default for EngineSettings {
    fn default() -> Self {
        Self {
            threads: 1,
            hash_mb: DEFAULT_HASH_MB,
            multi_pv: 1,
            move_overhead: Duration::from_millis(10),
            skill: None,
            seed: None,
            ignores_count: false,
            rules: Rules::default(),
            probing: TableProbing::default(),
            network: Arc::clone(Network::embedded()),
            book: None,
            evaluations: None,
        }
    }
}

/// A setting that the machine cannot meet; it has been set to what the machine can.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Refusal {
    /// There is no memory for the transposition table.
    Hash {
        /// Why.
        error: HashAllocationError,
        /// Present size of the transposition table, in MiB; 0 if smaller than 1 MiB.
        kept: usize,
    },
    /// There is no memory for the search threads, or the system does not start them.
    Threads {
        /// The number in the settings.
        requested: usize,
        /// The present number. If it is 0, a search is short and blocks the caller.
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
