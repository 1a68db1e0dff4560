//! Win rate model: chances to win, draw and lose (WDL), from a search score.
//!
//! The chance to win is a logistic curve of the score. Its slope and the score with a chance of one half depend on the
//! material and on the plies that a running count leaves. `sakmak-tools datagen winrate` fits the weights to games.

use sakmak_eval::WIN_RATE_MATERIAL;
use sakmak_movegen::{PieceKind, Position};

use crate::score::{TB_BOUND, is_decisive};

/// Number of [`features`]: 1, the material, its square, and how short a running count is.
pub const FEATURES: usize = 4;

/// Material of the start position.
const ALL_MATERIAL: f64 = 64.0;
/// The longest count in plies: 64 moves.
const LONGEST_COUNT: f64 = 128.0;
/// In internal units: below, scores count linearly, well beyond by their logarithm.
const STRAIGHT_TO: f64 = 200.0;

/// The chance to win is `1 / (1 + exp(offset - slope * x))`, where `x` is the `compressed` score, and `slope` and
/// `offset` are weighted sums of the [`features`] of the position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WinRateModel {
    /// Weights of the features in the slope.
    pub slope: [f64; FEATURES],
    /// Weights of the features in the offset.
    pub offset: [f64; FEATURES],
}

/// The model of the current engine.
pub const MODEL: WinRateModel =
    WinRateModel { slope: [1.852, 0.091, -0.793, 0.683], offset: [5.718, -3.020, -0.257, 1.108] };

impl WinRateModel {
    /// The chance of the side to move to win, from 0 to 1. `score` is in internal units.
    pub fn win_chance(&self, score: i32, features: &[f64; FEATURES]) -> f64 {
        let dot = |weights: &[f64; FEATURES]| -> f64 {
            weights.iter().zip(features).map(|(weight, feature)| weight * feature).sum()
        };
        // So that a larger score never has a smaller chance, and the chances of both sides never exceed 1.
        let (slope, offset) = (dot(&self.slope).max(0.0), dot(&self.offset).max(0.0));
        1.0 / (1.0 + (offset - slope * compressed(score)).exp())
    }

    /// The score in internal units that wins half of the games.
    pub fn half_won_at(&self, features: &[f64; FEATURES]) -> i32 {
        (0..TB_BOUND).find(|&score| self.win_chance(score, features) >= 0.5).unwrap_or(TB_BOUND)
    }
}

/// The score, from internal units to hundreds of them, large ones compressed to their logarithm.
pub fn compressed(score: i32) -> f64 {
    (f64::from(score) / STRAIGHT_TO).asinh() * STRAIGHT_TO / 100.0
}

/// The features of a position: 1, the material, its square, and how short a running count is, from 0 to 1.
pub fn features(position: &Position) -> [f64; FEATURES] {
    let pieces = PieceKind::ALL.into_iter().zip(WIN_RATE_MATERIAL);
    let material: u32 = pieces.map(|(kind, value)| value * position.kind(kind).len()).sum();
    let material = f64::from(material) / ALL_MATERIAL;
    let short = position.count().remaining().map_or(0.0, |left| 1.0 - f64::from(left) / LONGEST_COUNT);
    [1.0, material, material * material, short.clamp(0.0, 1.0)]
}

/// Chances of the side to move to win, draw and lose, in thousandths, with sum 1000. `score` is a search score.
pub fn win_draw_loss(score: i32, position: &Position) -> [u32; 3] {
    if is_decisive(score) {
        return if score > 0 { [1000, 0, 0] } else { [0, 0, 1000] };
    }
    let features = features(position);
    let chance = |score| (1000.0 * MODEL.win_chance(score, &features)).round() as u32;
    let (win, loss) = (chance(score), chance(-score));
    [win, 1000 - win - loss, loss]
}

/// Largest expected result, in thousandths, with which a side accepts a draw.
const DRAW_EXPECTATION: u32 = 450;
/// With a smaller chance to win, in thousandths, a side always accepts a draw: count or material decide.
const DRAW_WIN_CHANCE: u32 = 60;

/// Whether a side with these chances to win, draw and lose, in thousandths, accepts a draw offer.
pub fn accepts_draw([win, draw, _]: [u32; 3]) -> bool {
    win + draw / 2 <= DRAW_EXPECTATION || win < DRAW_WIN_CHANCE
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_draw_is_accepted_by_the_worse_side_and_where_nobody_can_win() {
        for (chances, accepts) in [
            ([100, 700, 200], true),
            ([300, 400, 300], false),
            ([50, 950, 0], true),
            ([1_000, 0, 0], false),
            ([0, 0, 1_000], true),
        ] {
            assert_eq!(accepts_draw(chances), accepts, "{chances:?}");
        }
    }
    use crate::score::{MATE, TB_WIN, mated_in};

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    const ENDING: &str = "8/2k3r1/3m4/8/1N6/7K/4S3/R7 b - 128 8 60";

    #[test]
    fn chances_sum_to_a_thousand_mirror_and_grow_with_the_score() {
        for fen in [
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
            ENDING,
            "4k3/8/8/8/8/P7/8/R3K3 w - - 0 40",
        ] {
            let position = position(fen);
            let mut before = [0, 0, 1000];
            for score in (-9000..=9000).step_by(37) {
                let [win, draw, loss] = win_draw_loss(score, &position);
                assert_eq!(win + draw + loss, 1000);
                assert_eq!(win_draw_loss(-score, &position), [loss, draw, win]);
                assert!(win >= before[0] && loss <= before[2], "{score}");
                before = [win, draw, loss];
            }
            assert!(before[0] > 950, "{fen}");
        }
    }

    #[test]
    fn mates_and_wins_by_a_table_are_certain() {
        let position = position(ENDING);
        for score in [MATE - 3, MATE, TB_WIN - 9] {
            assert_eq!(win_draw_loss(score, &position), [1000, 0, 0]);
            assert_eq!(win_draw_loss(-score, &position), [0, 0, 1000]);
        }
        assert_eq!(win_draw_loss(mated_in(0), &position), [0, 0, 1000]);
    }

    #[test]
    fn more_is_needed_with_less_material() {
        let start = features(&Position::startpos());
        assert_eq!(start, [1.0, 1.0, 1.0, 0.0]);
        let ending = features(&position(ENDING));
        assert_eq!(ending[1] * ALL_MATERIAL, 18.0);
        assert!((ending[3] - 8.0 / 128.0).abs() < 0.01, "{ending:?}");
        assert!(MODEL.half_won_at(&ending) > MODEL.half_won_at(&start));
    }
}
