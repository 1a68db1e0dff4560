//! The rules that a position carries.

use super::{
    Boats, Claim, CountStarted, CounterMate, DeadMaterial, DrawInstant, Privileges, Repetition, Rules,
    Ruleset, StartArray, Variant,
};
use crate::counting::CountingSystem;

/// The parts of [`Rules`] that matter once a game has begun: all that a [`crate::Position`] carries of them, in
/// sixteen bytes.
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
    /// What a mate by the side that counts is worth.
    pub counter_mate: CounterMate,
    /// What a repeated position means.
    pub repetition: Repetition,
    /// Which pieces are too few to play on.
    pub dead_material: DeadMaterial,
    /// Special first moves.
    pub privileges: Privileges,
    /// Counting by hand. Starting and stopping a count changes it during a game.
    pub count_started: CountStarted,
}

impl Default for CompiledRules {
    fn default() -> Self {
        Rules::default().into()
    }
}

impl From<Rules> for CompiledRules {
    fn from(rules: Rules) -> Self {
        rules.compile()
    }
}

impl From<CompiledRules> for Rules {
    /// Rules of no particular source, with the standard start array.
    fn from(compiled: CompiledRules) -> Self {
        let CompiledRules {
            variant,
            counting,
            draw_instant,
            claim,
            counter_mate,
            repetition,
            dead_material,
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

#[cfg(test)]
mod tests {
    use super::*;

    /// Every move of the search copies them.
    #[test]
    fn positions_carry_sixteen_bytes_of_rules() {
        assert_eq!(size_of::<CompiledRules>(), 16);
    }
}
