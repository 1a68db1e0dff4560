//! What a search reports: lines while it runs, a result at its end.

use std::time::Duration;

use arrayvec::ArrayVec;
use sakmak_movegen::Move;

use crate::score::{MAX_PLY, Score, is_decisive, is_mate};
use crate::tt::Bound;

/// A sequence of moves from the root.
pub type PvLine = ArrayVec<Move, MAX_PLY>;

/// A line found by the search: the contents of an `info` line of UCI.
#[derive(Clone, Debug)]
pub struct SearchInfo {
    /// Iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// Rank of the line among the best, from 1.
    pub multi_pv: usize,
    /// For the side to move.
    pub score: Score,
    /// Chances of the side to move in thousandths, see [`win_draw_loss`](crate::win_rate::win_draw_loss).
    pub win_draw_loss: [u32; 3],
    /// Exact, unless the score fell outside the aspiration window.
    pub bound: Bound,
    /// Positions searched so far by all threads.
    pub nodes: u64,
    /// Positions found in endgame tables so far by all threads.
    pub tb_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub permille_full: u32,
    /// The line.
    pub line: PvLine,
}

/// How far a running search is.
#[derive(Clone, Debug)]
pub struct SearchProgress {
    /// Iteration, in plies.
    pub depth: u32,
    /// The root move whose search begins, and its number among the root moves, from 1; `None` between two moves.
    pub current: Option<(Move, usize)>,
    /// Positions searched so far by all threads.
    pub nodes: u64,
    /// Positions found in endgame tables so far by all threads.
    pub tb_hits: u64,
    /// Time since the start.
    pub time: Duration,
    /// Fill of the transposition table in thousandths.
    pub permille_full: u32,
}

/// Receives what a search reports. All calls come from the main search thread.
///
/// A [`Searcher`](crate::Searcher) calls `info` and `progress`, an [`Engine`](crate::Engine) all of them. A closure is a
/// listener that gets the lines of finished iterations.
pub trait Listener {
    /// A line of a finished iteration. In a long search also a line with a score outside the aspiration window, which
    /// is a bound.
    fn info(&mut self, info: &SearchInfo);
    /// In a long search: the next root move, and the number of nodes once a second.
    fn progress(&mut self, _progress: &SearchProgress) {}
    /// Something went wrong, but the search answers nevertheless: a thread panicked.
    fn warn(&mut self, _message: &str) {}
    /// There is nothing to search: the game is over, by mate if `mated`, else by stalemate.
    fn no_moves(&mut self, _mated: bool) {}
    /// The search is over. `best` is `None` if there is no legal move. When this is called,
    /// [`Engine::is_searching`](crate::Engine::is_searching) is already false, and all other calls wait until it has
    /// returned.
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
    /// Deepest ply reached below it.
    pub seldepth: u32,
    /// Positions searched below it, in all iterations.
    pub nodes: u64,
    /// Its rank by the endgame tables, 0 for the best moves; 0 for all if no table knows them.
    pub rank: u16,
    /// Its score by the endgame tables.
    pub tb_score: Option<i32>,
    /// The expected line, this move first.
    pub line: PvLine,
}

impl RootMove {
    /// The score of the move: that of the search, unless a table knows better. A mate that the search has found
    /// stands.
    pub(super) fn known_score(&self) -> i32 {
        match self.tb_score {
            Some(score) if !(is_mate(self.score) && is_decisive(score)) => score,
            _ => self.score,
        }
    }
}

/// The outcome of a search.
#[derive(Clone, Debug, Default)]
pub struct SearchResult {
    /// All root moves, best first; empty if there is no legal move.
    pub moves: Vec<RootMove>,
    /// Positions searched by all threads.
    pub nodes: u64,
    /// Depth of the last finished iteration.
    pub depth: u32,
    /// When the main thread stopped searching, since the start.
    pub ended: Duration,
    /// The longest time between two looks at the clock by a thread, if there is a time limit.
    pub longest_stall: Duration,
    /// What went wrong without ending the search, in plain text: threads that did not start or panicked.
    pub warnings: Vec<String>,
}

impl SearchResult {
    /// The best move, if there is a legal one.
    pub fn best(&self) -> Option<&RootMove> {
        self.moves.first()
    }
}
