//! The terms that depend on nothing but the squares of both khuns and the imbalance bucket.

use once_cell::sync::Lazy;
use sakmak_movegen::{Color, Square};

use crate::off_centre;
use crate::tapered::Tapered;
use crate::weight_table::{IMBALANCE_BUCKETS, Tracer};
use crate::weights::*;

/// The score of the khun of `us` for its square. `bucket` is its side's, see
/// [`imbalance_bucket`](crate::weight_table::imbalance_bucket).
pub(crate) fn khun_score<T: Tracer>(us: Color, khun: Square, enemy: Square, bucket: usize) -> T {
    let mut score = T::default();
    let centre_distance = off_centre(khun.file()).max(off_centre(khun.rank()));
    score.by_bucket(&KHUN_CENTRE_DISTANCE, bucket, centre_distance as usize, 1);
    if let Some(row) = bucket.checked_sub(3) {
        score.at(&KHUN_DISTANCE, 8 * row + usize::from(khun.distance(enemy)));
    }
    let [rank, enemy_rank] = [khun, enemy].map(|square| usize::from(square.relative_rank(us)));
    score.by_bucket(&KHUN_RANK, bucket, rank, 1);
    score.by_bucket(&KHUN_RANK_DIFFERENCE, bucket, rank + 7 - enemy_rank, 1);
    score
}

/// White's [`khun_score`] less Black's, by White's bucket, White's khun and Black's khun.
static KHUN_PAIR_SCORES: Lazy<Box<[[[Tapered; 64]; 64]; IMBALANCE_BUCKETS]>> = Lazy::new(|| {
    let difference = |bucket: usize, white, black| {
        khun_score::<Tapered>(Color::White, white, black, bucket)
            - khun_score::<Tapered>(Color::Black, black, white, IMBALANCE_BUCKETS - 1 - bucket)
    };
    let square = Square::from_index;
    let row = |bucket, white| std::array::from_fn(|black| difference(bucket, square(white), square(black)));
    Box::new(std::array::from_fn(|bucket| std::array::from_fn(|white| row(bucket, white))))
});

/// White's [`khun_score`] less Black's, looked up. `bucket` is White's.
#[inline]
pub(crate) fn khun_pair_score(white: Square, black: Square, bucket: usize) -> Tapered {
    KHUN_PAIR_SCORES[bucket][white.index()][black.index()]
}
