//! Verdicts on moves by evaluation: expected points lost, mistakes, accuracy.
//!
//! The thresholds and the formula of the accuracy are those of Lichess, but the win chances are those of our own games
//! by material and count ([`sakmak_engine::win_rate`]): an advantage is worth less in Makruk than in chess.

use serde::Serialize;

/// The verdict on a move, by the mover's expected points that it lost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Less than [`INACCURACY`] lost.
    Good,
    /// At least [`INACCURACY`].
    Inaccuracy,
    /// At least [`MISTAKE`].
    Mistake,
    /// At least [`BLUNDER`].
    Blunder,
}

/// Least loss of an inaccuracy in expected points, in hundredths of a game.
pub const INACCURACY: f64 = 5.0;
/// Least loss of a mistake in expected points, in hundredths of a game.
pub const MISTAKE: f64 = 10.0;
/// Least loss of a blunder in expected points, in hundredths of a game.
pub const BLUNDER: f64 = 15.0;

impl Verdict {
    /// The verdict on a move that lost `lost` expected points, in hundredths of a game.
    pub fn from_loss(lost: f64) -> Self {
        match lost {
            lost if lost >= BLUNDER => Self::Blunder,
            lost if lost >= MISTAKE => Self::Mistake,
            lost if lost >= INACCURACY => Self::Inaccuracy,
            _ => Self::Good,
        }
    }

    /// Its numeric annotation glyph: `?!` is 6, `?` 2, `??` 4.
    pub fn nag(self) -> Option<u16> {
        match self {
            Self::Good => None,
            Self::Inaccuracy => Some(6),
            Self::Mistake => Some(2),
            Self::Blunder => Some(4),
        }
    }

    /// The glyphs of all verdicts: a new verdict replaces those of earlier ones.
    pub const NAGS: [u16; 3] = [2, 4, 6];
}

/// The accuracy, from 0 to 100, of a move that lost `lost` expected points, in hundredths of a game.
pub(super) fn move_accuracy(lost: f64) -> f64 {
    (103.1668 * (-0.04354 * lost.max(0.0)).exp() - 3.1669).clamp(0.0, 100.0)
}

/// Expected points in hundredths of a game, from chances to win, draw and lose in thousandths.
pub fn expected_points([win, draw, _]: [u32; 3]) -> f64 {
    f64::from(2 * win + draw) / 20.0
}

/// The accuracy of a side in a game, from 0 to 100; `None` without a move.
///
/// `points` are White's expected points before each move and after the last; `white` chooses the side. The result is
/// the average of two means of the moves' accuracies: the harmonic mean, and one weighted by how much the game swung
/// around each move.
pub(super) fn game_accuracy(points: &[f64], first_is_white: bool, white: bool) -> Option<f64> {
    let plies = points.len().checked_sub(1)?;
    let window = (plies / 10).clamp(2, 8);
    let (mut weighted, mut weights, mut inverse, mut moves) = (0.0, 0.0, 0.0, 0);
    for ply in (0..plies).filter(|ply| (ply % 2 == 0) == (first_is_white == white)) {
        let change = points[ply + 1] - points[ply];
        let accuracy = move_accuracy(if white { -change } else { change });
        let start = ply.saturating_sub(window - 2).min(points.len().saturating_sub(window));
        let weight = deviation(&points[start..points.len().min(start + window)]).clamp(0.5, 12.0);
        weighted += weight * accuracy;
        weights += weight;
        inverse += 1.0 / accuracy.max(1.0);
        moves += 1;
    }
    (moves > 0).then(|| f64::midpoint(weighted / weights, f64::from(moves) / inverse))
}

/// The standard deviation of numbers.
fn deviation(numbers: &[f64]) -> f64 {
    let count = numbers.len().max(1) as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    (numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / count).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn thresholds_belong_to_the_worse_verdict() {
        for (lost, verdict) in [
            (-3.0, Verdict::Good),
            (4.9, Verdict::Good),
            (5.0, Verdict::Inaccuracy),
            (10.0, Verdict::Mistake),
            (15.0, Verdict::Blunder),
            (90.0, Verdict::Blunder),
        ] {
            assert_eq!(Verdict::from_loss(lost), verdict, "{lost}");
        }
    }

    #[test]
    fn accuracy_falls_with_what_is_lost() {
        assert!(move_accuracy(0.0) > 99.9 && move_accuracy(-5.0) > 99.9);
        assert!((move_accuracy(10.0) - 63.6).abs() < 0.1);
        assert!(move_accuracy(100.0) < 1.0);
        assert_eq!(expected_points([600, 300, 100]), 75.0);
    }

    #[test]
    fn each_side_answers_for_its_own_moves() {
        // White gains nothing and loses nothing; Black loses half a game with the fourth ply.
        let points = [50.0, 50.0, 50.0, 50.0, 100.0, 100.0];
        let white = game_accuracy(&points, true, true).unwrap();
        let black = game_accuracy(&points, true, false).unwrap();
        assert!(white > 99.9, "{white}");
        assert!(black < 60.0, "{black}");
        // Where Black begins, the fourth ply is White's and loses nothing.
        assert!(game_accuracy(&points, false, true).unwrap() > 99.9);
        assert_eq!(game_accuracy(&[50.0], true, true), None);
        assert_eq!(game_accuracy(&[50.0, 40.0], true, false), None);
    }
}
