//! Scores. Inside the search they are plain integers in internal units for the side to move; a mate in `n` plies is
//! [`MATE`]` - n`. [`Score`] is their public form, in [`Centipawns`].

use std::fmt;

use sakmak_eval::Centipawns;

/// Deepest ply of a search.
pub const MAX_PLY: usize = 128;

/// Score of a mate in 0 plies. A mate in `n` plies is `MATE - n`.
pub const MATE: i32 = 32_000;

/// Above every score.
pub const INFINITE: i32 = 32_500;

/// Least score of a mate.
pub const MATE_BOUND: i32 = MATE - MAX_PLY as i32;

/// A tablebase win in `n` plies is `TB_WIN - n`: above every evaluation, below every mate.
pub const TB_WIN: i32 = 20_000;

/// Least score of a tablebase win; mates are above.
pub const TB_BOUND: i32 = TB_WIN - 1_000;

/// The value of every kind of draw.
pub const DRAW: i32 = 0;

/// The score of being mated `ply` plies from the root.
#[inline]
pub const fn mated_in(ply: usize) -> i32 {
    -MATE + ply as i32
}

/// Whether the score is a mate for either side.
#[inline]
pub const fn is_mate(score: i32) -> bool {
    score >= MATE_BOUND || score <= -MATE_BOUND
}

/// Whether the score is a mate, or a tablebase win, for either side.
#[inline]
pub const fn is_decisive(score: i32) -> bool {
    score >= TB_BOUND || score <= -TB_BOUND
}

/// The public form of a score, for the side to move.
///
/// ```
/// use sakmak_engine::score::{MATE, Score};
///
/// assert_eq!(Score::from_search(MATE - 3), Score::Mate(2)); // three plies are two moves
/// assert_eq!(Score::from_search(-sakmak_eval::Centipawns::HUNDRED).to_string(), "cp -100");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Score {
    /// See [`sakmak_eval::Centipawns`]. A tablebase win is near [`TB_WIN`].
    Centipawns(i32),
    /// Mate in this number of moves by the side to move; zero or less: by the other side.
    Mate(i32),
}

impl Score {
    /// The public form of a search score: 100 centipawns win half of the games.
    pub const fn from_search(score: i32) -> Self {
        if score >= MATE_BOUND {
            Self::Mate((MATE - score + 1) / 2)
        } else if score <= -MATE_BOUND {
            Self::Mate(-(MATE + score) / 2)
        } else if is_decisive(score) {
            Self::Centipawns(score)
        } else {
            Self::Centipawns(Centipawns::from_internal(score).0)
        }
    }
}

impl fmt::Display for Score {
    /// The UCI form: `cp 34` or `mate -3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Centipawns(cp) => write!(f, "cp {cp}"),
            Self::Mate(moves) => write!(f, "mate {moves}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn mates_are_printed_in_moves_and_scores_in_their_unit() {
        assert_eq!(Score::from_search(MATE - 1), Score::Mate(1));
        assert_eq!(Score::from_search(MATE - 3), Score::Mate(2));
        assert_eq!(Score::from_search(mated_in(0)), Score::Mate(0));
        assert_eq!(Score::from_search(mated_in(2)), Score::Mate(-1));
        assert_eq!(Score::from_search(-Centipawns::HUNDRED / 2), Score::Centipawns(-50));
        assert_eq!(Score::from_search(TB_WIN - 7), Score::Centipawns(TB_WIN - 7));
    }
}
