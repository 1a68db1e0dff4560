//! What moves did earlier in this search, as an order for trying them.

use sakmak_movegen::{Color, Move, PieceKind, Position};

use super::params::{HISTORY_BONUS, HISTORY_BONUS_MAX, HISTORY_MAX};

/// Tables of merits between `-HISTORY_MAX` and `HISTORY_MAX`.
pub(crate) struct History {
    /// By colour and from-to squares.
    quiet: Box<[[i16; 4096]; 2]>,
    /// By moving kind, target square and captured kind.
    capture: Box<[[[i16; 6]; 64]; 6]>,
}

/// Moves an entry towards its limit, the more slowly the nearer it is.
#[inline]
fn update(entry: &mut i16, bonus: i32) {
    let old = i32::from(*entry);
    *entry = (old + bonus - old * bonus.abs() / HISTORY_MAX) as i16;
}

impl History {
    pub(crate) fn new() -> Self {
        Self { quiet: Box::new([[0; 4096]; 2]), capture: Box::new([[[0; 6]; 64]; 6]) }
    }

    pub(crate) fn clear(&mut self) {
        *self = Self::new();
    }

    /// The bonus for a move that decided a node of this depth.
    #[inline]
    pub(crate) fn bonus(depth: i32) -> i32 {
        (depth * HISTORY_BONUS).min(HISTORY_BONUS_MAX)
    }

    #[inline]
    pub(crate) fn quiet(&self, side: Color, mv: Move) -> i32 {
        i32::from(self.quiet[side.index()][mv.from_to()])
    }

    #[inline]
    pub(crate) fn update_quiet(&mut self, side: Color, mv: Move, bonus: i32) {
        update(&mut self.quiet[side.index()][mv.from_to()], bonus);
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
