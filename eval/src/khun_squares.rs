//! Where the khuns stand: what depends on their squares and the edge in men alone.

use once_cell::sync::Lazy;
use sakmak_movegen::{Color, Square};

use crate::off_centre;
use crate::tapered::Tapered;
use crate::weight_table::{EDGES, Tally};
use crate::weights::*;

/// What the place of the khun of `us` counts. `edge` is its side's, see [`rough`](crate::weight_table::rough).
pub(crate) fn khun_place<T: Tally>(us: Color, khun: Square, enemy: Square, edge: usize) -> T {
    let mut score = T::default();
    let driven = off_centre(khun.file()).max(off_centre(khun.rank()));
    score.by_edge(&KHUN_DRIVEN, edge, driven as usize, 1);
    if let Some(more) = edge.checked_sub(3) {
        score.at(&KHUN_PURSUIT, 8 * more + usize::from(khun.distance(enemy)));
    }
    let [rank, enemy_rank] = [khun, enemy].map(|square| usize::from(square.relative_rank(us)));
    score.by_edge(&KHUN_RANK, edge, rank, 1);
    score.by_edge(&KHUN_AHEAD, edge, rank + 7 - enemy_rank, 1);
    score
}

/// White's place less Black's, for White's edge and khun and Black's khun.
static PLACES: Lazy<Box<[[[Tapered; 64]; 64]; EDGES]>> = Lazy::new(|| {
    let place = |edge: usize, white, black| {
        khun_place::<Tapered>(Color::White, white, black, edge)
            - khun_place::<Tapered>(Color::Black, black, white, EDGES - 1 - edge)
    };
    let square = Square::from_index;
    let row = |edge, white| std::array::from_fn(|black| place(edge, square(white), square(black)));
    Box::new(std::array::from_fn(|edge| std::array::from_fn(|white| row(edge, white))))
});

/// White's [`khun_place`] less Black's, looked up. `edge` is White's.
#[inline]
pub(crate) fn khun_places(white: Square, black: Square, edge: usize) -> Tapered {
    PLACES[edge][white.index()][black.index()]
}
