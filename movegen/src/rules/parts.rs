//! The parts of the rules by the names that users give them: `Repetition=none SutMet=on`.

use alloc::borrow::ToOwned;
use alloc::format;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use super::{
    Boats, Claim, CountStarted, CounterMate, CountingSystem, DeadMaterial, DrawInstant, Privileges,
    Repetition, Rules, StartArray,
};
use crate::clip;

/// The value that leaves a part to the ruleset.
const AS_RULESET: &str = "ruleset";
/// Largest ply at which counting by hand can begin.
const MAX_PLY: i32 = 1_000_000;

/// A part of the rules.
#[derive(Debug)]
struct Part {
    name: &'static str,
    values: Values,
}

/// The values of a part and what they set.
#[derive(Debug)]
enum Values {
    Names(&'static [&'static str], fn(&mut Rules, &str) -> Option<()>),
    /// `on` or `off`.
    FirstMove(Privileges),
    /// `true` or `false`.
    FirstTurnOnly,
    CountStarted,
}

const PARTS: &[Part] = &[
    names("StartArray", StartArray::NAMES, |rules, name| assign(&mut rules.setup.array, name)),
    names("CountingRule", CountingSystem::NAMES, |rules, name| assign(&mut rules.play.counting, name)),
    names("CountDrawInstant", DrawInstant::NAMES, |rules, name| assign(&mut rules.play.draw_instant, name)),
    names("CountClaim", Claim::NAMES, |rules, name| assign(&mut rules.play.claim, name)),
    names("CounterMate", CounterMate::NAMES, |rules, name| assign(&mut rules.play.counter_mate, name)),
    Part { name: "CountStarted", values: Values::CountStarted },
    names("Repetition", Repetition::NAMES, |rules, name| assign(&mut rules.play.repetition, name)),
    names("DeadMaterial", DeadMaterial::NAMES, |rules, name| assign(&mut rules.play.dead_material, name)),
    first_move("SutKhun", Privileges::SUT_KHUN),
    first_move("SutMet", Privileges::SUT_MET),
    first_move("SutMa", Privileges::SUT_MA),
    first_move("LordHorse", Privileges::LORD_HORSE),
    first_move("MinisterTwo", Privileges::MINISTER_TWO),
    first_move("StreetKhun", Privileges::STREET_KHUN),
    first_move("MetLeapCaptures", Privileges::MET_CAPTURES),
    first_move("RuaAim", Privileges::RUA_AIM),
    first_move("LeapsUntilCapture", Privileges::UNTIL_CAPTURE),
    first_move("NoLeapInCheck", Privileges::NOT_IN_CHECK),
    Part { name: "FirstTurnOnly", values: Values::FirstTurnOnly },
    names("TakhaengRueaWhite", Boats::NAMES, |rules, name| assign(&mut rules.setup.boats[0], name)),
    names("TakhaengRueaBlack", Boats::NAMES, |rules, name| assign(&mut rules.setup.boats[1], name)),
];

const fn names(
    name: &'static str,
    names: &'static [&'static str],
    set: fn(&mut Rules, &str) -> Option<()>,
) -> Part {
    Part { name, values: Values::Names(names, set) }
}

const fn first_move(name: &'static str, privilege: Privileges) -> Part {
    Part { name, values: Values::FirstMove(privilege) }
}

fn assign<V: FromStr>(to: &mut V, name: &str) -> Option<()> {
    *to = name.parse().ok()?;
    Some(())
}

impl Part {
    fn find(name: &str) -> Option<&'static Self> {
        PARTS.iter().find(|part| part.name.eq_ignore_ascii_case(name))
    }

    /// Sets the part; `None` if it has no such value.
    fn set(&self, rules: &mut Rules, value: &str) -> Option<()> {
        let (privilege, on) = match self.values {
            Values::Names(_, set) => return set(rules, value),
            Values::CountStarted => {
                let ply = value.parse().ok().filter(|ply| (-1..=MAX_PLY).contains(ply))?;
                rules.play.count_started = CountStarted(ply);
                return Some(());
            }
            Values::FirstTurnOnly => (Privileges::FIRST_TURN_ONLY, value.parse().ok()?),
            Values::FirstMove(privilege) if value == "on" => (privilege, true),
            Values::FirstMove(privilege) if value == "off" => (privilege, false),
            Values::FirstMove(_) => return None,
        };
        let others = rules.play.privileges.without(privilege);
        rules.play.privileges = if on { others | privilege } else { others };
        Some(())
    }

    /// The value that the rules have; `None` if no name sets it.
    fn value_in(&self, rules: &Rules) -> Option<String> {
        let has = |value: &str| {
            let mut same = *rules;
            self.set(&mut same, value).is_some() && same == *rules
        };
        let found =
            |names: &[&'static str]| names.iter().copied().find(|name| has(name)).map(ToOwned::to_owned);
        match self.values {
            Values::Names(names, _) => found(names),
            Values::FirstMove(_) => found(&["on", "off"]),
            Values::FirstTurnOnly => found(&["true", "false"]),
            Values::CountStarted => Some(rules.play.count_started.0.to_string()),
        }
    }

    /// The values in words.
    fn values(&self) -> String {
        let values = match self.values {
            Values::Names(names, _) => names.join(" or "),
            Values::FirstMove(_) => "on or off".to_owned(),
            Values::FirstTurnOnly => "true or false".to_owned(),
            Values::CountStarted => format!("a number from -1 to {MAX_PLY}"),
        };
        if values.starts_with(AS_RULESET) { values } else { format!("{AS_RULESET} or {values}") }
    }
}

/// Parts of the rules that differ from the ruleset's. As text: `Repetition=none SutMet=on`.
///
/// ```
/// use sakmak_movegen::Rules;
/// use sakmak_movegen::rules::{Repetition, RuleParts};
///
/// let mut parts: RuleParts = "repetition=NONE SutMet=on".parse()?;
/// assert_eq!(parts.applied_to(Rules::default()).play.repetition, Repetition::None);
/// parts.set("Repetition", "ruleset")?;
/// assert_eq!(parts.to_string(), "SutMet=on");
/// assert!(parts.set("Repetition", "twice").is_err());
/// # Ok::<(), sakmak_movegen::rules::RulePartError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct RuleParts(Vec<(&'static Part, String)>);

/// Why [`RuleParts`] were refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum RulePartError {
    /// A word without `=`.
    #[error("'{0}' is not PART=VALUE")]
    NoValue(String),
    /// There is no part of this name.
    #[error("'{0}' is not of a known part")]
    UnknownPart(String),
    /// The part does not have this value.
    #[error("{part} can be {values}")]
    Value {
        /// The name of the part.
        part: &'static str,
        /// Its values in words.
        values: String,
    },
}

impl RuleParts {
    /// The name of a part, as it is written. Capitals do not matter.
    pub fn name(text: &str) -> Option<&'static str> {
        Part::find(text).map(|part| part.name)
    }

    /// Sets a part. The value `ruleset` leaves it to the ruleset.
    ///
    /// # Errors
    /// If there is no such part or value. Nothing changes.
    pub fn set(&mut self, name: &str, value: &str) -> Result<(), RulePartError> {
        let unknown = || RulePartError::UnknownPart(clip(&format!("{name}={value}")));
        let part = Part::find(name).ok_or_else(unknown)?;
        let value = value.to_ascii_lowercase();
        if value != AS_RULESET && part.set(&mut Rules::default(), &value).is_none() {
            return Err(RulePartError::Value { part: part.name, values: part.values() });
        }
        self.0.retain(|(other, _)| other.name != part.name);
        if value != AS_RULESET {
            self.0.push((part, value));
        }
        Ok(())
    }

    /// The parts in which `rules` differ from `base`. Applied to `base` they return `rules`, but for privileges that
    /// only a reading of Ouk Chaktrang has.
    ///
    /// ```
    /// use sakmak_movegen::Rules;
    /// use sakmak_movegen::rules::RuleParts;
    ///
    /// let rules = Rules::default().with_parts("Repetition=none SutMet=on")?;
    /// assert_eq!(RuleParts::between(Rules::default(), rules).to_string(), "Repetition=none SutMet=on");
    /// # Ok::<(), sakmak_movegen::rules::RulePartError>(())
    /// ```
    pub fn between(base: Rules, rules: Rules) -> Self {
        let values = PARTS.iter().filter_map(|part| {
            let value = part.value_in(&rules)?;
            (part.value_in(&base).as_ref() != Some(&value)).then_some((part, value))
        });
        Self(values.collect())
    }

    /// The number of parts.
    pub fn len(&self) -> usize {
        self.0.len()
    }

    /// Whether no part differs from the ruleset's.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// The rules with these parts.
    pub fn applied_to(&self, mut rules: Rules) -> Rules {
        for (part, value) in &self.0 {
            let set = part.set(&mut rules, value);
            debug_assert!(set.is_some(), "`RuleParts::set` checks the values");
        }
        rules
    }
}

impl FromStr for RuleParts {
    type Err = RulePartError;

    fn from_str(text: &str) -> Result<Self, RulePartError> {
        let mut parts = Self::default();
        for word in text.split_ascii_whitespace() {
            let no_value = || RulePartError::NoValue(clip(word));
            let (name, value) = word.split_once('=').ok_or_else(no_value)?;
            parts.set(name, value)?;
        }
        Ok(parts)
    }
}

impl fmt::Display for RuleParts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, (part, value)) in self.0.iter().enumerate() {
            let space = if index == 0 { "" } else { " " };
            write!(f, "{space}{}={value}", part.name)?;
        }
        Ok(())
    }
}

impl Rules {
    /// The rules with the parts of a text, see [`RuleParts`].
    ///
    /// # Errors
    /// A [`RulePartError`] for the first part that is wrong.
    pub fn with_parts(self, text: &str) -> Result<Self, RulePartError> {
        Ok(text.parse::<RuleParts>()?.applied_to(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Ruleset, Variant};

    #[test]
    fn every_value_of_every_part_is_accepted_and_has_an_effect() {
        for part in PARTS {
            let values = match part.values {
                Values::Names(names, _) => names,
                Values::FirstMove(_) => &["on", "off"],
                Values::FirstTurnOnly => &["true", "false"],
                Values::CountStarted => &["-1", "0", "1000000"],
            };
            let rules =
                |base: Rules, value: &str| base.with_parts(&format!("{}={value}", part.name)).unwrap();
            let found: Vec<_> = values.iter().map(|value| rules(Rules::default(), value)).collect();
            for (index, one) in found.iter().enumerate() {
                assert!(!found[..index].contains(one), "{}: {}", part.name, values[index]);
            }
            for &ruleset in Ruleset::ALL {
                let base = Rules::new(Variant::Makruk, ruleset);
                assert_eq!(rules(base, AS_RULESET), base, "{}", part.name);
            }
        }
    }

    #[test]
    fn differences_lead_from_one_set_of_rules_to_another() {
        for &variant in Variant::ALL {
            for &ruleset in Ruleset::ALL {
                let base = Rules::new(variant, ruleset);
                assert!(RuleParts::between(base, base).is_empty());
                for text in [
                    "CountingRule=none CountClaim=manual CountStarted=17",
                    "CountDrawInstant=last-move DeadMaterial=cutechess FirstTurnOnly=true SutMa=on",
                    "StartArray=mirrored TakhaengRueaBlack=h CounterMate=draw SutKhun=off",
                ] {
                    let rules = base.with_parts(text).unwrap();
                    assert_eq!(RuleParts::between(base, rules).applied_to(base), rules, "{base} {text}");
                }
            }
        }
    }

    #[test]
    fn faults_are_named() {
        let error = |text: &str| Rules::default().with_parts(text).unwrap_err().to_string();
        assert_eq!(error("Repetition"), "'Repetition' is not PART=VALUE");
        assert_eq!(error("SutMet=on Sut=on"), "'Sut=on' is not of a known part");
        assert_eq!(error("SutMet=true"), "SutMet can be ruleset or on or off");
        assert_eq!(error("Repetition="), "Repetition can be ruleset or threefold or none");
        assert_eq!(error("CountStarted=-2"), "CountStarted can be ruleset or a number from -1 to 1000000");
        // The last word of a part holds, but each must be right.
        assert_eq!(error("SutMet=yes SutMet=on"), "SutMet can be ruleset or on or off");
        assert_eq!(Rules::default().with_parts("SutMet=on SutMet=ruleset"), Ok(Rules::default()));
    }
}
