//! The unit of scores that users give and read.

use std::fmt;

/// A score as users give and read it. With 100 centipawns at move 32, half of the games are won
/// (`sakmak-tools datagen winrate`). Evaluation and search use internal units: [`Self::HUNDRED`] are 100 centipawns.
///
/// ```
/// use sakmak_eval::Centipawns;
///
/// assert_eq!(Centipawns::from_internal(-Centipawns::HUNDRED).to_string(), "-1.00");
/// assert_eq!(Centipawns(20).to_internal(), 57);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Centipawns(pub i32);

impl Centipawns {
    /// Internal units in 100 centipawns.
    pub const HUNDRED: i32 = 285;

    /// Converts internal units to the nearest centipawn.
    pub const fn from_internal(score: i32) -> Self {
        Self(ratio(score, 100, Self::HUNDRED))
    }

    /// Converts to the nearest internal unit. [`Self::from_internal`] gives the centipawns back.
    pub const fn to_internal(self) -> i32 {
        ratio(self.0, Self::HUNDRED, 100)
    }
}

/// `score * to / from`, rounded half away from zero, and clamped to the range of the type.
const fn ratio(score: i32, to: i32, from: i32) -> i32 {
    let (score, half) = (score as i64 * to as i64, from as i64 / 2);
    let rounded = (if score < 0 { score - half } else { score + half }) / from as i64;
    if rounded > i32::MAX as i64 {
        i32::MAX
    } else if rounded < i32::MIN as i64 {
        i32::MIN
    } else {
        rounded as i32
    }
}

impl fmt::Display for Centipawns {
    /// Pawns with a sign, such as `+0.31`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:+.2}", f64::from(self.0) / 100.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn centipawns_survive_the_internal_unit() {
        for value in [0, 1, -1, 2, 35, -35, 100, 600, -600, 3_000] {
            assert_eq!(Centipawns::from_internal(Centipawns(value).to_internal()), Centipawns(value));
        }
        assert_eq!(Centipawns(i32::MAX).to_internal(), i32::MAX);
        assert_eq!(Centipawns::from_internal(142), Centipawns(50));
        assert_eq!(Centipawns::from_internal(-142), Centipawns(-50));
    }
}
