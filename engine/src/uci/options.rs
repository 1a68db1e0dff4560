//! The options, each declared once with its range and its effect.

use std::fmt;

use sakmak_movegen::CountingSystem;
use sakmak_movegen::rules::{
    Boats, Claim, CountStarted, DeadMaterial, DrawInstant, Privileges, Repetition, Rules, Ruleset,
    StartArray, Variant,
};

use crate::engine::{DEFAULT_HASH_MB, Settings};
use crate::skill::{MAX_ELO, MAX_LEVEL, MIN_ELO, MIN_LEVEL, Skill};

/// The largest table offered, in MiB.
const MAX_HASH: i64 = 33_554_432;
const MAX_THREADS: i64 = 512;
const MAX_MULTI_PV: i64 = 500;
const MAX_OVERHEAD: i64 = 5_000;
/// Largest ply at which counting by hand can begin; games with more plies are not played.
const MAX_PLY_NUMBER: i64 = 1_000_000;

#[derive(Clone, Copy)]
enum Kind {
    Check(bool),
    Spin {
        default: i64,
        min: i64,
        max: i64,
    },
    Combo {
        default: &'static str,
        values: &'static [&'static str],
    },
    /// A part of the rules: as the ruleset has it, or one of these.
    Part(&'static [&'static str]),
    /// A list of parts of the rules, such as `Repetition=none CountClaim=manual`; empty by default.
    PartList,
    Button,
}

/// A value that fits the option's kind.
enum Value {
    Check(bool),
    Spin(i64),
    Combo(&'static str),
    /// `None`: as the ruleset has it.
    Part(Option<&'static str>),
    PartList(Vec<(&'static Declaration, Value)>),
    Button,
}

struct Declaration {
    name: &'static str,
    kind: Kind,
    set: fn(&mut Options, &Value) -> Effect,
}

/// What setting an option asks of the engine beyond new settings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Effect {
    None,
    ClearHash,
    /// The rules may have changed.
    Rules,
}

/// The values of all options.
#[derive(Clone, Debug)]
pub(super) struct Options {
    pub(super) show_wdl: bool,
    hash: i64,
    threads: i64,
    multi_pv: i64,
    overhead: i64,
    analyse: bool,
    limit_strength: bool,
    elo: i64,
    level: i64,
    rules: RuleOptions,
}

/// The rules asked for; `None` is what the ruleset has.
#[derive(Clone, Debug, Default)]
struct RuleOptions {
    variant: Variant,
    ruleset: Ruleset,
    array: Option<StartArray>,
    counting: Option<CountingSystem>,
    draw_instant: DrawInstant,
    claim: Claim,
    count_started: i64,
    repetition: Option<Repetition>,
    dead_material: Option<DeadMaterial>,
    privileges: [Option<bool>; PRIVILEGES.len()],
    first_turn_only: bool,
    boats: [Boats; 2],
}

/// The first-move privileges that can be switched one by one.
const PRIVILEGES: [Privileges; 10] = [
    Privileges::SUT_KHUN,
    Privileges::SUT_MET,
    Privileges::SUT_MA,
    Privileges::LORD_HORSE,
    Privileges::MINISTER_TWO,
    Privileges::STREET_KHUN,
    Privileges::MET_CAPTURES,
    Privileges::RUA_AIM,
    Privileges::UNTIL_CAPTURE,
    Privileges::NOT_IN_CHECK,
];
/// The variants that GUIs know by name.
const UCI_VARIANTS: &[&str] = &[Variant::Makruk.name(), Variant::Cambodian.name(), Variant::Makpong.name()];
const ON_OFF: &[&str] = &["on", "off"];
/// How UCI writes a text of no characters.
const EMPTY: &str = "<empty>";

/// Writes the checked value of an option where it belongs. Every option's kind is fixed by its
/// declaration, so the other kinds cannot occur.
macro_rules! setter {
    ($kind:ident, $field:ident) => {
        |options, value| {
            if let Value::$kind(value) = value {
                options.$field = *value;
            }
            Effect::None
        }
    };
}

/// The same for an option whose value is a name of an enumeration.
macro_rules! named {
    ($field:ident) => {
        |options, value| {
            if let Value::Combo(name) = value
                && let Ok(value) = name.parse()
            {
                options.rules.$field = value;
            }
            Effect::Rules
        }
    };
}

/// The same for a part of the rules.
macro_rules! part {
    ($field:ident) => {
        |options, value| {
            if let Value::Part(name) = value {
                options.rules.$field = name.and_then(|name| name.parse().ok());
            }
            Effect::Rules
        }
    };
    (privilege $index:literal) => {
        |options, value| {
            if let Value::Part(name) = value {
                options.rules.privileges[$index] = name.map(|name| name == ON_OFF[0]);
            }
            Effect::Rules
        }
    };
}

const fn combo(values: &'static [&'static str]) -> Kind {
    Kind::Combo { default: values[0], values }
}

/// The options announced, in this order: what users of GUIs set most comes first.
const DECLARATIONS: &[Declaration] = &[
    Declaration { name: "UCI_Variant", kind: combo(UCI_VARIANTS), set: named!(variant) },
    Declaration {
        name: "Hash",
        kind: Kind::Spin { default: DEFAULT_HASH_MB as i64, min: 1, max: MAX_HASH },
        set: setter!(Spin, hash),
    },
    Declaration {
        name: "Threads",
        kind: Kind::Spin { default: 1, min: 1, max: MAX_THREADS },
        set: setter!(Spin, threads),
    },
    Declaration {
        name: "MultiPV",
        kind: Kind::Spin { default: 1, min: 1, max: MAX_MULTI_PV },
        set: setter!(Spin, multi_pv),
    },
    Declaration { name: "UCI_LimitStrength", kind: Kind::Check(false), set: setter!(Check, limit_strength) },
    Declaration {
        name: "UCI_Elo",
        kind: Kind::Spin { default: 1350, min: MIN_ELO as i64, max: MAX_ELO as i64 },
        set: setter!(Spin, elo),
    },
    Declaration {
        name: "Skill Level",
        kind: Kind::Spin { default: MAX_LEVEL as i64, min: MIN_LEVEL as i64, max: MAX_LEVEL as i64 },
        set: setter!(Spin, level),
    },
    // The GUI says with it that it may send `go ponder`; the engine needs no preparation.
    Declaration { name: "Ponder", kind: Kind::Check(false), set: |_, _| Effect::None },
    Declaration { name: "Clear Hash", kind: Kind::Button, set: |_, _| Effect::ClearHash },
    Declaration {
        name: "Move Overhead",
        kind: Kind::Spin { default: 10, min: 0, max: MAX_OVERHEAD },
        set: setter!(Spin, overhead),
    },
    Declaration { name: "UCI_AnalyseMode", kind: Kind::Check(false), set: setter!(Check, analyse) },
    Declaration { name: "UCI_ShowWDL", kind: Kind::Check(false), set: setter!(Check, show_wdl) },
    Declaration { name: "Ruleset", kind: combo(Ruleset::NAMES), set: named!(ruleset) },
    Declaration {
        name: "RuleParts",
        kind: Kind::PartList,
        set: |options, value| {
            let RuleOptions { variant, ruleset, .. } = options.rules;
            options.rules = RuleOptions { variant, ruleset, ..RuleOptions::default() };
            if let Value::PartList(parts) = value {
                for (part, value) in parts {
                    (part.set)(options, value);
                }
            }
            Effect::Rules
        },
    },
];

/// The parts of the rules: not announced, for `RuleParts` holds them all, but options too.
const PARTS: &[Declaration] = &[
    Declaration { name: "StartArray", kind: Kind::Part(StartArray::NAMES), set: part!(array) },
    Declaration { name: "CountingRule", kind: Kind::Part(CountingSystem::NAMES), set: part!(counting) },
    Declaration { name: "CountDrawInstant", kind: combo(DrawInstant::NAMES), set: named!(draw_instant) },
    Declaration { name: "CountClaim", kind: combo(Claim::NAMES), set: named!(claim) },
    Declaration {
        name: "CountStarted",
        kind: Kind::Spin { default: 0, min: -1, max: MAX_PLY_NUMBER },
        set: |options, value| {
            if let Value::Spin(ply) = value {
                options.rules.count_started = *ply;
            }
            Effect::Rules
        },
    },
    Declaration { name: "Repetition", kind: Kind::Part(Repetition::NAMES), set: part!(repetition) },
    Declaration { name: "DeadMaterial", kind: Kind::Part(DeadMaterial::NAMES), set: part!(dead_material) },
    Declaration { name: "SutKhun", kind: Kind::Part(ON_OFF), set: part!(privilege 0) },
    Declaration { name: "SutMet", kind: Kind::Part(ON_OFF), set: part!(privilege 1) },
    Declaration { name: "SutMa", kind: Kind::Part(ON_OFF), set: part!(privilege 2) },
    Declaration { name: "LordHorse", kind: Kind::Part(ON_OFF), set: part!(privilege 3) },
    Declaration { name: "MinisterTwo", kind: Kind::Part(ON_OFF), set: part!(privilege 4) },
    Declaration { name: "StreetKhun", kind: Kind::Part(ON_OFF), set: part!(privilege 5) },
    Declaration { name: "MetLeapCaptures", kind: Kind::Part(ON_OFF), set: part!(privilege 6) },
    Declaration { name: "RuaAim", kind: Kind::Part(ON_OFF), set: part!(privilege 7) },
    Declaration { name: "LeapsUntilCapture", kind: Kind::Part(ON_OFF), set: part!(privilege 8) },
    Declaration { name: "NoLeapInCheck", kind: Kind::Part(ON_OFF), set: part!(privilege 9) },
    Declaration {
        name: "FirstTurnOnly",
        kind: Kind::Check(false),
        set: |options, value| {
            if let Value::Check(on) = value {
                options.rules.first_turn_only = *on;
            }
            Effect::Rules
        },
    },
    Declaration {
        name: "TakhaengRueaWhite",
        kind: combo(Boats::NAMES),
        set: |options, value| options.set_boats(0, value),
    },
    Declaration {
        name: "TakhaengRueaBlack",
        kind: combo(Boats::NAMES),
        set: |options, value| options.set_boats(1, value),
    },
];

impl Default for Options {
    fn default() -> Self {
        let settings = Settings::default();
        Self {
            show_wdl: false,
            hash: settings.hash_mb as i64,
            threads: settings.threads as i64,
            multi_pv: settings.multi_pv as i64,
            overhead: settings.move_overhead,
            analyse: false,
            limit_strength: false,
            elo: 1350,
            level: i64::from(MAX_LEVEL),
            rules: RuleOptions::default(),
        }
    }
}

/// Why an option was not set.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum OptionError {
    #[error("no such option: {0}")]
    Unknown(String),
    #[error("option {0}: '{1}' is not {2}; unchanged")]
    Value(&'static str, String, String),
}

impl fmt::Display for Kind {
    /// The part of the announcement after `type`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Check(default) => write!(f, "check default {default}"),
            Self::Spin { default, min, max } => write!(f, "spin default {default} min {min} max {max}"),
            Self::Combo { default, values } => {
                write!(f, "combo default {default}")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            Self::Part(values) => {
                f.write_str("combo default ruleset var ruleset")?;
                values.iter().try_for_each(|value| write!(f, " var {value}"))
            }
            Self::PartList => write!(f, "string default {EMPTY}"),
            Self::Button => f.write_str("button"),
        }
    }
}

impl Kind {
    /// Checks a value given as text, or says what it should have been.
    fn check(self, text: Option<&str>) -> Result<Value, String> {
        let given = text.unwrap_or_default();
        match self {
            Self::Button => Ok(Value::Button),
            Self::Check(_) => match given.to_ascii_lowercase().as_str() {
                "true" => Ok(Value::Check(true)),
                "false" => Ok(Value::Check(false)),
                _ => Err("true or false".to_owned()),
            },
            Self::Spin { min, max, .. } => match given.parse() {
                Ok(value) if (min..=max).contains(&value) => Ok(Value::Spin(value)),
                _ => Err(format!("a number from {min} to {max}")),
            },
            Self::Combo { values, .. } => {
                let value = values.iter().find(|value| value.eq_ignore_ascii_case(given));
                value.map(|value| Value::Combo(value)).ok_or_else(|| values.join(" or "))
            }
            Self::Part(_) if given.eq_ignore_ascii_case("ruleset") => Ok(Value::Part(None)),
            Self::Part(values) => {
                let value = values.iter().find(|value| value.eq_ignore_ascii_case(given));
                value
                    .map(|value| Value::Part(Some(value)))
                    .ok_or_else(|| format!("ruleset or {}", values.join(" or ")))
            }
            Self::PartList => {
                // A GUI may show the word for no text, and a user write behind it.
                let parts = given.split_ascii_whitespace().filter(|&word| word != EMPTY);
                parts.map(parse_part).collect::<Result<_, _>>().map(Value::PartList)
            }
        }
    }
}

/// Reads one part of the rules, `Repetition=none`, or says what it should have been.
fn parse_part(text: &str) -> Result<(&'static Declaration, Value), String> {
    let wrong = |fault| format!("a list such as Repetition=none CountClaim=manual ({fault})");
    let clipped: String = text.chars().take(40).collect();
    let (name, value) =
        text.split_once('=').ok_or_else(|| wrong(format!("'{clipped}' is not PART=VALUE")))?;
    let part = find(PARTS, name).ok_or_else(|| wrong(format!("'{clipped}' is not of a known part")))?;
    match part.kind.check(Some(value)) {
        Ok(value) => Ok((part, value)),
        Err(wanted) => Err(wrong(format!("{} can be {wanted}", part.name))),
    }
}

fn find(declarations: &'static [Declaration], name: &str) -> Option<&'static Declaration> {
    declarations.iter().find(|option| option.name.eq_ignore_ascii_case(name))
}

impl RuleOptions {
    /// The rules of the ruleset with the changes asked for.
    fn rules(&self) -> Rules {
        let mut rules = Rules::new(self.variant, self.ruleset);
        rules.array = self.array.unwrap_or(rules.array);
        rules.counting = self.counting.unwrap_or(rules.counting);
        rules.repetition = self.repetition.unwrap_or(rules.repetition);
        rules.dead_material = self.dead_material.unwrap_or(rules.dead_material);
        rules.draw_instant = self.draw_instant;
        rules.claim = self.claim;
        rules.count_started = CountStarted(self.count_started as i32);
        rules.boats = self.boats;
        for (privilege, wanted) in PRIVILEGES.into_iter().zip(self.privileges) {
            match wanted {
                Some(true) => rules.privileges = rules.privileges | privilege,
                Some(false) => rules.privileges = rules.privileges.without(privilege),
                None => {}
            }
        }
        if self.first_turn_only {
            rules.privileges = rules.privileges | Privileges::FIRST_TURN_ONLY;
        }
        rules
    }
}

impl Options {
    fn set_boats(&mut self, side: usize, value: &Value) -> Effect {
        if let Value::Combo(name) = value
            && let Ok(boats) = name.parse()
        {
            self.rules.boats[side] = boats;
        }
        Effect::Rules
    }

    /// The `option` lines of the answer to `uci`.
    pub(super) fn announcement() -> String {
        let lines: Vec<_> = DECLARATIONS
            .iter()
            .map(|option| format!("option name {} type {}", option.name, option.kind))
            .collect();
        #[cfg(feature = "tune")]
        let lines: Vec<_> = lines
            .into_iter()
            .chain(crate::search::params::TUNABLE.iter().map(|(name, value, least, most)| {
                format!("option name {name} type spin default {value} min {least} max {most}")
            }))
            .collect();
        lines.join("\n")
    }

    /// Sets an option by its name (capitals do not matter). A value out of range changes nothing.
    pub(super) fn set(&mut self, name: &str, value: Option<&str>) -> Result<Effect, OptionError> {
        #[cfg(feature = "tune")]
        if let Some(value) = value.and_then(|value| value.parse().ok())
            && crate::search::params::set(name, value)
        {
            return Ok(Effect::None);
        }
        let option = find(DECLARATIONS, name)
            .or_else(|| find(PARTS, name))
            .ok_or_else(|| OptionError::Unknown(name.chars().take(40).collect()))?;
        let value = option.kind.check(value).map_err(|wanted| {
            OptionError::Value(option.name, value.unwrap_or_default().chars().take(40).collect(), wanted)
        })?;
        Ok((option.set)(self, &value))
    }

    /// Notes the size the hash table really has.
    pub(super) fn keep_hash(&mut self, megabytes: usize) {
        self.hash = megabytes as i64;
    }

    /// Notes the number of search threads there really are.
    pub(super) fn keep_threads(&mut self, threads: usize) {
        self.threads = threads as i64;
    }

    /// Hands the engine its settings. Analysis is always at full strength.
    pub(super) fn write_to(&self, settings: &mut Settings) {
        settings.hash_mb = self.hash as usize;
        settings.threads = self.threads as usize;
        settings.multi_pv = self.multi_pv as usize;
        settings.move_overhead = self.overhead;
        settings.rules = self.rules.rules();
        settings.skill = if self.analyse {
            None
        } else if self.limit_strength {
            Skill::from_elo(self.elo as i32)
        } else {
            Skill::from_level(self.level as i32)
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_announced_as_they_are() {
        let mut from_options = Settings::default();
        Options::default().write_to(&mut from_options);
        assert_eq!(format!("{from_options:?}"), format!("{:?}", Settings::default()));
        let text = Options::announcement();
        assert!(
            text.starts_with(
                "option name UCI_Variant type combo default makruk var makruk var cambodian var makpong\noption name Hash"
            )
        );
        assert!(text.contains(
            "\noption name Ruleset type combo default fairy-stockfish var fairy-stockfish var cutechess"
        ));
        assert!(text.contains("\noption name RuleParts type string default <empty>"));
        assert!(PARTS.iter().all(|part| !text.contains(part.name)), "{text}");
        assert!(text.contains("\noption name Hash type spin default 64 min 1 max "));
        assert!(text.contains("\noption name Clear Hash type button\n"));
    }

    #[test]
    fn bad_values_change_nothing_and_say_why() {
        let mut options = Options::default();
        for (name, value) in [
            ("Threads", Some("")),
            ("Hash", Some("abc")),
            ("Hash", Some("99999999999999999999")),
            ("Threads", Some("-5")),
            ("MultiPV", Some("0")),
            ("UCI_Variant", Some("chess")),
            ("Ruleset", Some("mine")),
            ("Repetition", Some("")),
            ("SutMet", Some("true")),
            ("CountStarted", Some("-2")),
            ("RuleParts", Some("Repetition=none SutMet=perhaps")),
            ("Ponder", None),
            ("NoSuchOption", Some("3")),
        ] {
            let error = options.set(name, value).unwrap_err().to_string();
            assert!(error.contains(name), "{error}");
        }
        assert_eq!(format!("{options:?}"), format!("{:?}", Options::default()));
    }

    #[test]
    fn names_ignore_case_and_buttons_take_anything() {
        let mut options = Options::default();
        assert_eq!(options.set("MULTIPV", Some("3")), Ok(Effect::None));
        assert_eq!(options.multi_pv, 3);
        assert_eq!(options.set("clear hash", Some("true")), Ok(Effect::ClearHash));
        assert_eq!(options.set("Clear Hash", None), Ok(Effect::ClearHash));
        assert_eq!(options.set("uci_variant", Some("Makruk")), Ok(Effect::Rules));
    }

    #[test]
    fn strength_is_limited_by_elo_or_level_but_not_in_analysis() {
        let mut options = Options::default();
        let skill = |options: &Options| {
            let mut settings = Settings::default();
            options.write_to(&mut settings);
            settings.skill
        };
        assert_eq!(options.set("Skill Level", Some("3")), Ok(Effect::None));
        assert_eq!(skill(&options), Skill::from_level(3));
        assert_eq!(options.set("UCI_LimitStrength", Some("true")), Ok(Effect::None));
        assert_eq!(skill(&options), Skill::from_elo(1350));
        assert_eq!(options.set("UCI_AnalyseMode", Some("true")), Ok(Effect::None));
        assert_eq!(skill(&options), None);
    }
}
