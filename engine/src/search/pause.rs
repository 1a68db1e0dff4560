//! Pausing and resuming a search.
//!
//! A pause unwinds the recursion like a stop. Null-window nodes then find their results in the transposition table,
//! since their windows are the same. PV nodes take no scores from it, and with another score of their first move all
//! other windows would change: each PV node on the current line stores the moves it has searched, and goes on after
//! them.
//!
//! [`Search`](super::node::Search) is compiled with and without pauses: only a search in slices has them.

use sakmak_movegen::{Move, MoveList};

use super::report::PvLine;
use super::window::Window;

/// State of a PV node when the search paused.
pub(super) struct PausedNode {
    pub(super) ply: usize,
    /// TT key of the position, followed by depth and window of the node.
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) window: Window,
    /// Alpha after the searched moves.
    pub(super) alpha: i32,
    pub(super) best: i32,
    pub(super) best_move: Option<Move>,
    pub(super) searched: MoveList,
    /// The PV of the best move.
    pub(super) line: PvLine,
}

/// State of the iteration when the search paused.
#[derive(Clone, Copy)]
pub(super) struct PausedIteration {
    /// Index of the MultiPV line.
    pub(super) pv_index: usize,
    /// The aspiration window, followed by its next half-width.
    pub(super) window: Window,
    pub(super) width: i32,
}

/// State of a search that may pause.
#[derive(Default)]
pub(super) struct Pause {
    /// Whether the search has paused: it is stopped, but not over.
    pub(super) is_on: bool,
    /// The PV nodes of the current line, from the deepest to the root.
    nodes: Vec<PausedNode>,
    pub(super) iteration: Option<PausedIteration>,
}

impl Pause {
    /// Stores a PV node of the current line; those below it have been stored before.
    #[cold]
    #[inline(never)]
    pub(super) fn store(&mut self, node: PausedNode) {
        self.nodes.push(node);
    }

    /// The stored state of a node, if the search resumes there.
    #[inline]
    pub(super) fn take(&mut self, ply: usize, key: u64, depth: i32, window: Window) -> Option<PausedNode> {
        let stored = self.nodes.last().filter(|stored| stored.ply == ply)?;
        if (stored.key, stored.depth, stored.window) == (key, depth, window) {
            return self.nodes.pop();
        }
        // The search has left the paused line.
        self.nodes.clear();
        None
    }
}
