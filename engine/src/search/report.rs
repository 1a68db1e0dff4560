//! Reports of a search: lines while it runs, a result at its end.

use std::time::Duration;

use arrayvec::ArrayVec;
use sakmak_movegen::Move;

use crate::score::{MAX_PLY, Score, is_decisive, is_mate};
use crate::tt::Bound;

/// A sequence of moves from the root.
pub type PvLine = ArrayVec<Move, MAX_PLY>;

/// A line (PV) of the search: the contents of an `info` line of UCI.
#[derive(Clone, Debug)]
pub struct SearchInfo {
    /// Iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Number of the line in MultiPV, from 1.
    pub multi_pv: usize,
    /// Score for the side to move.
    pub score: Score,
    /// Chances of the side to move in thousandths, see [`win_draw_loss`](crate::win_rate::win_draw_loss).
    pub win_draw_loss: [u32; 3],
    /// Exact, unless the score fell outside the aspiration window.
    pub bound: Bound,
    /// Nodes so far by all threads.
    pub nodes: u64,
    /// Tablebase hits so far by all threads.
    pub tb_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub permille_full: u32,
    /// The line.
    pub line: PvLine,
}

/// Progress of a running search.
#[derive(Clone, Debug)]
pub struct SearchProgress {
    /// Iteration, in plies.
    pub depth: u32,
    /// The root move whose search begins, and its number among the root moves, from 1; `None` between two moves.
    pub current: Option<(Move, usize)>,
    /// Nodes so far by all threads.
    pub nodes: u64,
    /// Tablebase hits so far by all threads.
    pub tb_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub permille_full: u32,
}

/// Receives the reports of a search. All calls come from the main search thread.
///
/// A [`Searcher`](crate::Searcher) calls `info` and `progress`, an [`Engine`](crate::Engine) all methods. A closure is
/// a listener for `info`.
pub trait Listener {
    /// A line of a finished iteration; in a long search also a score outside the aspiration window, which is a bound.
    fn info(&mut self, info: &SearchInfo);
    /// In a long search: each root move when its search begins, and the number of nodes once a second.
    fn progress(&mut self, _progress: &SearchProgress) {}
    /// A message for people: a thread panicked and the search answers nevertheless, or the move is the opening book's.
    fn warn(&mut self, _message: &str) {}
    /// There is nothing to search: the game is over, by mate if `mated`, else by stalemate.
    fn no_moves(&mut self, _mated: bool) {}
    /// The search is over. `best` is `None` if there is no legal move. During this call
    /// [`Engine::is_searching`](crate::Engine::is_searching) is already false, and all other calls to the engine wait.
    fn finished(&mut self, _best: Option<Move>, _ponder: Option<Move>) {}
}

impl<F: FnMut(&SearchInfo)> Listener for F {
    fn info(&mut self, info: &SearchInfo) {
        if info.bound == Bound::Exact {
            self(info);
        }
    }
}

/// A move at the root with its score and line.
#[derive(Clone, Debug)]
pub struct RootMove {
    /// The move.
    pub mv: Move,
    /// Score of the last search that raised alpha, else minus infinity.
    pub score: i32,
    /// Score of the iteration before.
    pub previous: i32,
    /// Deepest ply reached below this move.
    pub seldepth: u32,
    /// Nodes below this move, in all iterations.
    pub nodes: u64,
    /// Tablebase rank, 0 for the best moves; 0 for all moves without tablebase values.
    pub rank: u16,
    /// Tablebase score.
    pub tb_score: Option<i32>,
    /// The expected line, this move first.
    pub line: PvLine,
}

impl RootMove {
    /// The tablebase score of the move, else that of the search. A mate found by the search takes precedence over a
    /// tablebase win or loss.
    pub(super) fn known_score(&self) -> i32 {
        match self.tb_score {
            Some(score) if !(is_mate(self.score) && is_decisive(score)) => score,
            _ => self.score,
        }
    }
}

/// The result of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// All root moves, best first; empty if there is no legal move.
    pub moves: Vec<RootMove>,
    /// Nodes of all threads.
    pub nodes: u64,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// When the main thread stopped searching, since the start.
    pub ended: Duration,
    /// The longest time between two clock checks of a thread, if there is a time limit.
    pub longest_stall: Duration,
    /// Messages about threads that did not start or panicked.
    pub warnings: Vec<String>,
}

impl SearchResult {
    /// The best move, if there is a legal one.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }
}
