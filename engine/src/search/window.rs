//! Node types and alpha-beta windows.

/// Node type: [`Search::node`] is compiled once for each.
pub(super) trait NodeType {
    /// Whether it is the root, which takes its moves from the worker's root moves.
    const ROOT: bool;
    /// Whether the window is open, so that the search needs the exact score and the PV.
    const PV: bool;
}

/// The root of the search.
pub(super) struct Root;
/// A node with an open window.
pub(super) struct Pv;
/// A node with a null window.
pub(super) struct NonPv;

impl NodeType for Root {
    const ROOT: bool = true;
    const PV: bool = true;
}

impl NodeType for Pv {
    const ROOT: bool = false;
    const PV: bool = true;
}

impl NodeType for NonPv {
    const ROOT: bool = false;
    const PV: bool = false;
}

/// The alpha-beta window of a node.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    /// The null window from `alpha`, which only tests whether the score exceeds `alpha`.
    #[inline]
    pub(super) fn null(alpha: i32) -> Self {
        Self { alpha, beta: alpha + 1 }
    }

    /// The window of the child node: negated and swapped.
    #[inline]
    pub(super) fn negated(self) -> Self {
        Self { alpha: -self.beta, beta: -self.alpha }
    }
}
