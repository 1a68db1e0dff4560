//! Pausing a search, so that it can go on where it was.
//!
//! A pause unwinds the recursion as a stop does. What null-window searches have found stands in the transposition
//! table, and they find it there again, since their windows are the same. Nodes with an open window take no scores
//! from the table, and with another score of their first move all other windows would change. So each of those on the
//! current line stores what it has searched, and goes on behind it.
//!
//! [`Search`](super::node::Search) is compiled with and without all this: only a search in slices can pause.

use sakmak_movegen::{Move, MoveList};

use super::report::PvLine;
use super::window::Window;

/// What a node with an open window had searched when the search paused.
pub(super) struct PausedNode {
    pub(super) ply: usize,
    /// The key of the position in the transposition table, the depth and the window with which the node was searched.
    pub(super) key: u64,
    pub(super) depth: i32,
    pub(super) window: Window,
    /// Alpha as the searched moves have raised it.
    pub(super) alpha: i32,
    pub(super) best: i32,
    pub(super) best_move: Option<Move>,
    pub(super) searched: MoveList,
    /// The line of the best move.
    pub(super) line: PvLine,
}

/// Where the iteration was when the search paused.
#[derive(Clone, Copy)]
pub(super) struct PausedIteration {
    /// The line that was searched, of several.
    pub(super) pv_index: usize,
    /// The aspiration window, and by how much it is widened next.
    pub(super) window: Window,
    pub(super) width: i32,
}

/// State of a search that may pause.
#[derive(Default)]
pub(super) struct Pause {
    /// Whether the search has paused: it is stopped, but not over.
    pub(super) is_on: bool,
    /// From the deepest to the root.
    nodes: Vec<PausedNode>,
    pub(super) iteration: Option<PausedIteration>,
}

impl Pause {
    /// Stores a node of the current line; its children with open windows have been stored before.
    #[cold]
    #[inline(never)]
    pub(super) fn store(&mut self, node: PausedNode) {
        self.nodes.push(node);
    }

    /// What was stored of a node, if the search goes on there.
    #[inline]
    pub(super) fn take(&mut self, ply: usize, key: u64, depth: i32, window: Window) -> Option<PausedNode> {
        let stored = self.nodes.last().filter(|stored| stored.ply == ply)?;
        if (stored.key, stored.depth, stored.window) == (key, depth, window) {
            return self.nodes.pop();
        }
        // The search has taken another way.
        self.nodes.clear();
        None
    }
}
