//! A pair of scores for the middlegame and the endgame, added as one number.

use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// Middlegame and endgame scores in centipawns, packed into one word so that one addition adds both.
///
/// ```
/// use sakmak_eval::Tapered;
///
/// let sum = Tapered::new(30, -10) + Tapered::new(-50, 20) * 2;
/// assert_eq!((sum.middlegame(), sum.endgame()), (-70, 30));
/// assert_eq!(sum.at(17, 34), -20); // half of the phase
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Tapered(i32);

impl Tapered {
    /// The pair of a middlegame and an endgame score.
    #[inline]
    pub const fn new(middlegame: i32, endgame: i32) -> Self {
        Self((endgame << 16) + middlegame)
    }

    /// Both scores in one word.
    #[inline]
    pub(crate) const fn to_bits(self) -> u32 {
        self.0 as u32
    }

    /// The inverse of [`Self::to_bits`].
    #[inline]
    pub(crate) const fn from_bits(bits: u32) -> Self {
        Self(bits as i32)
    }

    /// The middlegame score.
    #[inline]
    pub const fn middlegame(self) -> i32 {
        self.0 as i16 as i32
    }

    /// The endgame score.
    #[inline]
    pub const fn endgame(self) -> i32 {
        // A negative middlegame half has borrowed from the endgame half.
        (self.0 + 0x8000) >> 16
    }

    /// The sum of both pairs; `+` for constants.
    #[inline]
    pub const fn plus(self, other: Self) -> Self {
        Self(self.0.wrapping_add(other.0))
    }

    /// The score between the two, `phase` of `full_phase` parts middlegame.
    #[inline]
    pub const fn at(self, phase: i32, full_phase: i32) -> i32 {
        (self.middlegame() * phase + self.endgame() * (full_phase - phase)) / full_phase
    }
}

impl Add for Tapered {
    type Output = Self;
    #[inline]
    fn add(self, other: Self) -> Self {
        self.plus(other)
    }
}

impl Sub for Tapered {
    type Output = Self;
    #[inline]
    fn sub(self, other: Self) -> Self {
        Self(self.0.wrapping_sub(other.0))
    }
}

impl Neg for Tapered {
    type Output = Self;
    #[inline]
    fn neg(self) -> Self {
        Self(self.0.wrapping_neg())
    }
}

impl Mul<i32> for Tapered {
    type Output = Self;
    #[inline]
    fn mul(self, factor: i32) -> Self {
        Self(self.0.wrapping_mul(factor))
    }
}

impl AddAssign for Tapered {
    #[inline]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    #[inline]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn halves_do_not_disturb_each_other() {
        for (a, b) in [(5, -7), (-300, 250), (-1, -1), (0, -400)] {
            for (c, d) in [(1, 1), (-20, 30), (299, -251)] {
                let sum = Tapered::new(a, b) + Tapered::new(c, d) * 3;
                assert_eq!((sum.middlegame(), sum.endgame()), (a + 3 * c, b + 3 * d));
                let difference = -Tapered::new(a, b) - Tapered::new(c, d);
                assert_eq!((difference.middlegame(), difference.endgame()), (-a - c, -b - d));
            }
        }
        assert_eq!(Tapered::new(100, 200).at(1, 4), 175);
    }
}
