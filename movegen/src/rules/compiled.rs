//! The rules that a position carries.

use super::{
    Boats, Claim, CountStarted, CounterMate, DeadMaterial, DrawInstant, Privileges, Repetition, Rules,
    Ruleset, StartArray, Variant,
};
use crate::counting::CountingSystem;

/// The parts of [`Rules`] that matter once a game has begun: all that a [`crate::Position`] carries of them, in
/// twelve bytes.
///
/// It leaves out the start array, the upturned boats and the name of the source.
///
/// ```
/// use sakmak_movegen::{CompiledRules, Position, Rules, Ruleset, Variant};
///
/// let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
/// let position = Position::start(rules);
/// assert_eq!(*position.rules(), CompiledRules::from(rules));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub struct CompiledRules {
    /// The game.
    pub variant: Variant,
    /// How moves are counted.
    pub counting: CountingSystem,
    /// On which move an exhausted count draws.
    pub draw_instant: DrawInstant,
    /// Whether the draw must be claimed.
    pub claim: Claim,
    /// What a repeated position means.
    pub repetition: Repetition,
    /// Two parts in a byte, so that a position stays within 176: see [`Self::dead_material`] and
    /// [`Self::counter_mate`].
    flags: Flags,
    /// Special first moves.
    pub privileges: Privileges,
    /// Counting by hand. Starting and stopping a count changes it during a game.
    pub count_started: CountStarted,
}

/// A set of bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Flags(u8);

impl Flags {
    /// [`DeadMaterial::CuteChess`] holds.
    const DEAD_BY_CUTE_CHESS: u8 = 1;
    /// [`CounterMate::Draw`] holds.
    const COUNTER_MATE_DRAWS: u8 = 2;
}

impl CompiledRules {
    /// The parts of `rules`.
    pub(super) const fn of(rules: Rules) -> Self {
        let dead = match rules.dead_material {
            DeadMaterial::None => 0,
            DeadMaterial::CuteChess => Flags::DEAD_BY_CUTE_CHESS,
        };
        let counter = match rules.counter_mate {
            CounterMate::Win => 0,
            CounterMate::Draw => Flags::COUNTER_MATE_DRAWS,
        };
        Self {
            variant: rules.variant,
            counting: rules.counting,
            draw_instant: rules.draw_instant,
            claim: rules.claim,
            repetition: rules.repetition,
            flags: Flags(dead | counter),
            privileges: rules.privileges,
            count_started: rules.count_started,
        }
    }

    /// Which pieces are too few to play on.
    #[inline]
    pub const fn dead_material(&self) -> DeadMaterial {
        if self.flags.0 & Flags::DEAD_BY_CUTE_CHESS != 0 {
            DeadMaterial::CuteChess
        } else {
            DeadMaterial::None
        }
    }

    /// What a mate by the side that counts is worth.
    #[inline]
    pub const fn counter_mate(&self) -> CounterMate {
        if self.flags.0 & Flags::COUNTER_MATE_DRAWS != 0 { CounterMate::Draw } else { CounterMate::Win }
    }
}

impl Default for CompiledRules {
    fn default() -> Self {
        Rules::default().into()
    }
}

impl From<Rules> for CompiledRules {
    fn from(rules: Rules) -> Self {
        Self::of(rules)
    }
}

impl From<CompiledRules> for Rules {
    /// Rules of no particular source, with the standard start array.
    fn from(compiled: CompiledRules) -> Self {
        let (counter_mate, dead_material) = (compiled.counter_mate(), compiled.dead_material());
        let CompiledRules {
            variant,
            counting,
            draw_instant,
            claim,
            repetition,
            flags: _,
            privileges,
            count_started,
        } = compiled;
        Self {
            variant,
            ruleset: Ruleset::None,
            array: StartArray::Standard,
            counting,
            draw_instant,
            claim,
            counter_mate,
            repetition,
            dead_material,
            privileges,
            boats: [Boats::None; 2],
            count_started,
        }
    }
}
