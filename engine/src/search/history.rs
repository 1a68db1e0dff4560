//! What moves did earlier in this search, as an order for trying them.

use sakmak_movegen::{Move, PieceKind, Position};

use super::params::{HISTORY_MAX, continuation_weight, history_bonus, history_bonus_max};

/// A man and the square it went to: an index of [`History`]'s continuation tables.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Step(u16);

impl Step {
    /// No move: the root, or a pass.
    pub(crate) const NONE: Self = Self(768);
    const COUNT: usize = 769;

    /// The step `mv` makes, before it is made.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let kind = position.kind_on(mv.from()).map_or(0, PieceKind::index);
        Self(((position.side_to_move().index() * 6 + kind) * 64 + mv.to().index()) as u16)
    }
}

impl Default for Step {
    fn default() -> Self {
        Self::NONE
    }
}

/// The steps one, two and four plies before a node.
pub(crate) type Trail = [Step; 3];

/// Tables of merits between `-HISTORY_MAX` and `HISTORY_MAX`.
pub(crate) struct History {
    /// By colour and from-to squares.
    quiet: Box<[[i16; 4096]; 2]>,
    /// By moving kind, target square and captured kind.
    capture: Box<[[[i16; 6]; 64]; 6]>,
    /// By an earlier step and the step that follows it.
    continuation: Box<[[i16; Step::COUNT]]>,
}

/// Moves an entry towards its limit, the more slowly the nearer it is.
#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

impl History {
    /// Memory it takes.
    pub(crate) const BYTES: usize = size_of::<i16>() * (2 * 4096 + 6 * 64 * 6 + Step::COUNT * Step::COUNT);

    pub(crate) fn new() -> Self {
        Self {
            quiet: Box::new([[0; 4096]; 2]),
            capture: Box::new([[[0; 6]; 64]; 6]),
            continuation: vec![[0; Step::COUNT]; Step::COUNT].into_boxed_slice(),
        }
    }

    pub(crate) fn clear(&mut self) {
        self.quiet.as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
    }

    /// The bonus for a move that decided a node of this depth.
    #[inline]
    pub(crate) fn bonus(depth: i32) -> i32 {
        (depth * history_bonus()).min(history_bonus_max())
    }

    /// Tells the merit of quiet moves after the steps of `trail`.
    #[inline]
    pub(crate) fn quiets<'a>(&'a self, position: &'a Position, trail: &Trail) -> impl Fn(Move) -> i32 + 'a {
        let plain = &self.quiet[position.side_to_move().index()];
        let [one, two, four] = trail.map(|before| &self.continuation[usize::from(before.0)]);
        move |mv| {
            let step = usize::from(Step::of(position, mv).0);
            let [one, two, four] = [one, two, four].map(|after| i32::from(after[step]));
            i32::from(plain[mv.from_to()]) + (one + two + four / 2) * continuation_weight() / 16
        }
    }

    #[inline]
    pub(crate) fn update_quiet(&mut self, position: &Position, mv: Move, trail: &Trail, bonus: i32) {
        update(&mut self.quiet[position.side_to_move().index()][mv.from_to()], bonus);
        let step = Step::of(position, mv);
        for &before in trail {
            if before != Step::NONE {
                update(&mut self.continuation[usize::from(before.0)][usize::from(step.0)], bonus);
            }
        }
    }

    /// A promotion that takes nothing counts as taking a bia.
    #[inline]
    fn capture_index(position: &Position, mv: Move) -> (usize, usize, usize) {
        let index = |kind: Option<PieceKind>| kind.map_or(0, PieceKind::index);
        (index(position.kind_on(mv.from())), mv.to().index(), index(position.kind_on(mv.to())))
    }

    #[inline]
    pub(crate) fn capture(&self, position: &Position, mv: Move) -> i32 {
        let (kind, to, victim) = Self::capture_index(position, mv);
        i32::from(self.capture[kind][to][victim])
    }

    #[inline]
    pub(crate) fn update_capture(&mut self, position: &Position, mv: Move, bonus: i32) {
        let (kind, to, victim) = Self::capture_index(position, mv);
        update(&mut self.capture[kind][to][victim], bonus);
    }
}
