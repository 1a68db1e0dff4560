//! Quiet, capture and continuation history, for move ordering and late move reductions.

use bytemuck::Zeroable;
use sakmak_movegen::{Move, PieceKind, Position};

use crate::parameters::{HISTORY_MAX, continuation_weight, history_bonus, history_bonus_max};

/// Piece and target square of a move, as an index of the continuation history.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct PieceTo(u16);

impl PieceTo {
    /// No move: a stack entry before the root, or a null move.
    pub(crate) const NONE: Self = Self(768);
    const COUNT: usize = 769;

    /// Piece and target square of `mv`. `position` is that before the move.
    #[inline]
    pub(crate) fn of(position: &Position, mv: Move) -> Self {
        let kind = position.kind_on(mv.from()).map_or(0, PieceKind::index);
        Self(((position.side_to_move().index() * 6 + kind) * 64 + mv.to().index()) as u16)
    }
}

impl Default for PieceTo {
    fn default() -> Self {
        Self::NONE
    }
}

/// The continuation history context of a node: the moves one, two and four plies before it.
pub(crate) type Continuation = [PieceTo; 3];

/// History tables, with values between `-HISTORY_MAX` and `HISTORY_MAX`; zeroed at first.
#[derive(Zeroable)]
pub(crate) struct History {
    /// Quiet history, by colour and from-to squares.
    quiet: [[i16; 4096]; 2],
    /// Capture history, by moving kind, target square and captured kind.
    capture: [[[i16; 6]; 64]; 6],
    /// Continuation history, by an earlier move and the move to score.
    continuation: [[i16; PieceTo::COUNT]; PieceTo::COUNT],
}

/// Adds a bonus with gravity: the nearer the value is to its limit, the less is added.
#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

impl History {
    pub(crate) fn clear(&mut self) {
        self.quiet.as_flattened_mut().fill(0);
        self.capture.as_flattened_mut().as_flattened_mut().fill(0);
        self.continuation.as_flattened_mut().fill(0);
    }

    /// The bonus for a move that caused a beta cutoff at this depth.
    #[inline]
    pub(crate) fn bonus(depth: i32) -> i32 {
        (depth * history_bonus()).min(history_bonus_max())
    }

    /// A function that scores quiet moves, by quiet and continuation history.
    #[inline]
    pub(crate) fn quiet_scores<'a>(
        &'a self,
        position: &'a Position,
        continuation: &Continuation,
    ) -> impl Fn(Move) -> i32 + 'a {
        let from_to = &self.quiet[position.side_to_move().index()];
        let [one, two, four] = continuation.map(|before| &self.continuation[usize::from(before.0)]);
        move |mv| {
            let piece_to = usize::from(PieceTo::of(position, mv).0);
            let [one, two, four] = [one, two, four].map(|after| i32::from(after[piece_to]));
            i32::from(from_to[mv.from_to()]) + (one + two + four / 2) * continuation_weight() / 16
        }
    }

    #[inline]
    pub(crate) fn update_quiet(
        &mut self,
        position: &Position,
        mv: Move,
        continuation: &Continuation,
        bonus: i32,
    ) {
        update(&mut self.quiet[position.side_to_move().index()][mv.from_to()], bonus);
        let piece_to = PieceTo::of(position, mv);
        for &before in continuation {
            if before != PieceTo::NONE {
                update(&mut self.continuation[usize::from(before.0)][usize::from(piece_to.0)], bonus);
            }
        }
    }

    /// The index of the capture history. A promotion without a capture counts as the capture of a bia.
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
