//! The inputs of the network: pieces on squares, their safety, and the count, as one side sees them.

use sakmak_movegen::{Bitboard, Color, File, PieceKind, Position, Square};

pub use super::threats::{Safety, Threats};

/// Inputs for pieces: own and enemy ones of six kinds on 64 squares, by [`Safety`].
pub const PIECE_INPUTS: usize = Safety::COUNT * 2 * 6 * 64;
/// The least plies left of each step of the count, one input each: finer where few plies are left.
const STEPS: [i32; 12] = [0, 4, 8, 14, 20, 28, 38, 50, 64, 80, 96, 112];
/// The input of the first step of the count; the others follow.
const COUNT_INPUT: usize = PIECE_INPUTS;
/// The input for having no bia; the one for an enemy without bia follows.
const NO_BIA_INPUT: usize = COUNT_INPUT + STEPS.len();
/// The number of inputs of one side.
pub const INPUTS: usize = NO_BIA_INPUT + 2;

/// Output buckets, each a set of output weights: one for positions without bia, seven by number of pieces.
pub const OUTPUT_BUCKETS: usize = 8;

/// How one side sees the board: from its own first rank, and with its khun on files a to d.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct View {
    color: Color,
    /// XOR mask that turns a square into the square seen.
    flip: u8,
}

impl View {
    /// The view of a side whose khun stands on `khun`.
    #[inline]
    pub fn new(color: Color, khun: Square) -> Self {
        let ranks = if color == Color::White { 0 } else { 56 };
        Self { color, flip: ranks | if Self::is_mirrored(khun) { 7 } else { 0 } }
    }

    /// Whether left and right are exchanged.
    #[inline]
    pub(super) fn is_mirrored(khun: Square) -> bool {
        khun.file() >= File::E
    }

    /// The input of a piece.
    #[inline]
    pub fn piece_input(self, color: Color, kind: PieceKind, square: Square, safety: Safety) -> usize {
        let side = usize::from(color != self.color);
        ((safety as usize * 2 + side) * 6 + kind.index()) * 64 + (square.index() ^ usize::from(self.flip))
    }
}

/// The input of a count that leaves `plies_left` plies.
#[inline]
pub fn count_input(plies_left: i32) -> usize {
    COUNT_INPUT + STEPS.iter().filter(|&&least| plies_left >= least).count().saturating_sub(1)
}

/// The input for a side that has no bia, as seen by itself or by the enemy.
#[inline]
pub fn no_bia_input(own: bool) -> usize {
    NO_BIA_INPUT + usize::from(!own)
}

/// The inputs of a side other than the pieces.
#[inline]
pub fn other_inputs(position: &Position, us: Color) -> impl Iterator<Item = usize> {
    let count = position.count().remaining().map(count_input);
    let without_bia = |color: &Color| position.pieces(*color, PieceKind::Bia).is_empty();
    let no_bia = [us, !us].into_iter().filter(without_bia).map(move |color| no_bia_input(color == us));
    count.into_iter().chain(no_bia)
}

/// The pieces of a position by color and kind.
#[inline]
pub fn pieces(position: &Position) -> [[Bitboard; 6]; 2] {
    Color::ALL.map(|color| PieceKind::ALL.map(|kind| position.pieces(color, kind)))
}

/// All inputs of a side.
pub fn inputs(position: &Position, us: Color) -> impl Iterator<Item = usize> {
    let view = View::new(us, position.khun(us));
    let threats = Threats::new(position);
    let pieces = Color::ALL.into_iter().flat_map(move |color| {
        PieceKind::ALL.into_iter().flat_map(move |kind| {
            let squares = position.pieces(color, kind).into_iter();
            squares.map(move |square| view.piece_input(color, kind, square, threats.safety(square.into())))
        })
    });
    pieces.chain(other_inputs(position, us))
}

/// The output bucket of a position.
#[inline]
pub fn output_bucket(position: &Position) -> usize {
    bucket_of(!position.kind(PieceKind::Bia).is_empty(), position.occupied().len())
}

/// The output bucket of positions with or without bia, by their number of pieces.
#[inline]
pub fn bucket_of(has_bia: bool, pieces: u32) -> usize {
    // 3 to 32 pieces with bia, in sevenths of nearly equal width.
    if has_bia { 1 + (pieces.clamp(3, 32) as usize - 3) * (OUTPUT_BUCKETS - 1) / 30 } else { 0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_step_of_the_count_has_an_input() {
        let inputs: Vec<_> = (-3..200).map(count_input).collect();
        assert!(inputs.is_sorted());
        assert_eq!((inputs[0], inputs[202]), (PIECE_INPUTS, PIECE_INPUTS + 11));
        assert_eq!((count_input(3), count_input(4)), (PIECE_INPUTS, PIECE_INPUTS + 1));
        let mut distinct = inputs;
        distinct.dedup();
        assert_eq!(distinct.len(), 12);
        assert_eq!([no_bia_input(true), no_bia_input(false)], [INPUTS - 2, INPUTS - 1]);
    }

    #[test]
    fn every_bucket_is_used() {
        let mut buckets: Vec<_> = (3..=32).map(|pieces| bucket_of(true, pieces)).collect();
        assert!(buckets.is_sorted());
        buckets.dedup();
        assert_eq!(buckets, (1..8).collect::<Vec<_>>());
        assert_eq!((bucket_of(true, 2), bucket_of(true, 64)), (1, 7));
        assert_eq!(bucket_of(false, 20), 0);
    }

    fn sorted(position: &Position, us: Color) -> Vec<usize> {
        let mut all: Vec<_> = inputs(position, us).collect();
        all.sort_unstable();
        all
    }

    #[test]
    fn both_sides_see_the_start_position_alike() {
        let start = Position::startpos();
        assert_eq!(sorted(&start, Color::White), sorted(&start, Color::Black));
        assert_eq!(sorted(&start, Color::White).len(), 32);
    }

    #[test]
    fn mirrored_boards_are_the_same_to_both_sides() {
        let position = Position::from_fen("8/2k3r1/3m4/5P2/1N6/6K1/4S3/8 w - - 0 1").unwrap();
        let mirrored = Position::from_fen("8/1r3k2/4m3/2P5/6N1/1K6/3S4/8 w - - 0 1").unwrap();
        for us in Color::ALL {
            assert_eq!(sorted(&position, us), sorted(&mirrored, us));
        }
        assert_eq!(sorted(&position, Color::White), sorted(&position.flipped(), Color::Black));
        assert_ne!(sorted(&position, Color::White), sorted(&position, Color::Black));
    }

    #[test]
    fn the_count_is_an_input() {
        let with = |count: &str| {
            let fen = format!("8/2k3r1/3m4/8/1N6/6K1/4S3/8 w - {count} 60");
            sorted(&Position::from_fen(&fen).unwrap(), Color::White)
        };
        assert_eq!(with("128 8"), with("128 9"));
        assert_ne!(with("128 8"), with("128 100"));
        assert!(with("128 127").contains(&count_input(1)));
        assert_eq!(with("128 8").len(), 7 + 2);
    }
}
