//! The options of both protocols: one list with name, type, default, range and setter.

mod files;

use std::fmt::Display;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use sakmak_eval::Centipawns;
use sakmak_eval::network::Network;
use sakmak_eval::tablebase::{MAX_MEN, RemoteTables, Tablebases};
use sakmak_movegen::clip;
use sakmak_movegen::rules::{RulePartError, RuleParts, Rules, Ruleset, Variant};

use crate::book::Book;
use crate::engine::{BookSettings, DEFAULT_HASH_MB, EngineSettings};
use crate::opponents::{CHOICES, Opponent};
use crate::skill::{MAX_ELO, MAX_LEVEL, MIN_ELO, MIN_LEVEL, Skill};
use crate::time::time_of_gui;

/// Cap on the messages about files that are no tablebases.
const MOST_FAULTS: usize = 5;
/// Largest `Hash`, in MiB.
const MAX_HASH: i64 = 33_554_432;
const MAX_THREADS: i64 = 512;
const MAX_MULTI_PV: i64 = 500;
/// Largest `BookDepth`, in plies, and its default.
const MAX_BOOK_PLIES: i64 = 200;
const BOOK_PLIES: i64 = 24;
/// Largest `BookVariety`, in centipawns.
const MAX_VARIETY: i64 = 200;
const MAX_SEED: i64 = 4_294_967_295;
/// Largest `Move Overhead`, in milliseconds.
const MAX_OVERHEAD: i64 = 5_000;

/// The variants, by the names that GUIs use.
const UCI_VARIANTS: &[&str] = &[Variant::Makruk.name(), Variant::Cambodian.name(), Variant::Makpong.name()];
/// UCI's word for an empty string.
pub(crate) const EMPTY: &str = "<empty>";

/// Type, default and range of an option, as a front end announces them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum AnnouncedKind {
    /// True or false, with its default.
    Check(bool),
    /// A whole number.
    Spin {
        /// The default.
        default: i64,
        /// The least value.
        min: i64,
        /// The largest value.
        max: i64,
    },
    /// One of the names, the first by default.
    Combo(Vec<&'static str>),
    /// Any text; empty by default.
    Text,
    /// A command without value.
    Button,
}

struct EngineOption {
    name: &'static str,
    kind: OptionType,
}

/// The type of an option, with its setter.
enum OptionType {
    Check {
        default: bool,
        set: fn(&mut Options, bool),
    },
    Spin {
        default: i64,
        min: i64,
        max: i64,
        set: fn(&mut Options, i64),
    },
    /// One of the names; the first one is the default.
    Combo {
        names: &'static [&'static [&'static str]],
        set: fn(&mut Options, &str) -> Result<(), UnknownValue>,
    },
    /// Empty by default.
    Text {
        set: fn(&mut Options, &str) -> Result<(), String>,
    },
    Button {
        press: fn(&mut Options),
    },
}

/// No value of the enumeration has this name.
struct UnknownValue;

/// Why an option was not set.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum OptionError {
    #[error("no such option: {0}")]
    Unknown(String),
    #[error("option {0}: '{1}' is not {2}; unchanged")]
    Value(&'static str, String, String),
}

const fn check(name: &'static str, default: bool, set: fn(&mut Options, bool)) -> EngineOption {
    EngineOption { name, kind: OptionType::Check { default, set } }
}

const fn spin(
    name: &'static str,
    default: i64,
    [min, max]: [i64; 2],
    set: fn(&mut Options, i64),
) -> EngineOption {
    EngineOption { name, kind: OptionType::Spin { default, min, max, set } }
}

const fn combo(
    name: &'static str,
    names: &'static [&'static [&'static str]],
    set: fn(&mut Options, &str) -> Result<(), UnknownValue>,
) -> EngineOption {
    EngineOption { name, kind: OptionType::Combo { names, set } }
}

/// Parses `name` and assigns the value.
fn assign<V: FromStr>(to: &mut V, name: &str) -> Result<(), UnknownValue> {
    *to = name.parse().map_err(|_| UnknownValue)?;
    Ok(())
}

/// The options announced, in this order: what users of GUIs set most comes first.
const OPTIONS: &[EngineOption] = &[
    combo("UCI_Variant", &[UCI_VARIANTS], |options, name| assign(&mut options.variant, name)),
    spin("Hash", DEFAULT_HASH_MB as i64, [1, MAX_HASH], |options, mb| options.settings.hash_mb = mb as usize),
    spin("Threads", 1, [1, MAX_THREADS], |options, number| options.settings.threads = number as usize),
    spin("MultiPV", 1, [1, MAX_MULTI_PV], |options, lines| options.settings.multi_pv = lines as usize),
    check("UCI_LimitStrength", false, |options, on| options.limit_strength = on),
    spin("UCI_Elo", 1350, [MIN_ELO as i64, MAX_ELO as i64], |options, elo| options.elo = elo as i32),
    spin("Skill Level", MAX_LEVEL as i64, [MIN_LEVEL as i64, MAX_LEVEL as i64], |options, level| {
        options.level = level as i32;
    }),
    combo("Opponent", &[&CHOICES], |options, name| {
        options.opponent = Opponent::named(name);
        Ok(())
    }),
    spin("Seed", 0, [0, MAX_SEED], |options, seed| options.seed = Some(seed as u64).filter(|&seed| seed > 0)),
    // Announced so that the GUI may send `go ponder`; the engine needs no preparation.
    check("Ponder", false, |_, _| ()),
    EngineOption {
        name: "Clear Hash",
        kind: OptionType::Button { press: |options| options.clear_hash = true },
    },
    spin("Move Overhead", 10, [0, MAX_OVERHEAD], |options, ms| {
        options.settings.move_overhead = time_of_gui(ms);
    }),
    check("UCI_AnalyseMode", false, |options, on| options.analyse = on),
    check("UCI_ShowWDL", false, |options, on| options.show_wdl = on),
    EngineOption {
        name: "EvalFile",
        kind: OptionType::Text {
            set: |options, text| {
                options.set_network(text);
                Ok(())
            },
        },
    },
    EngineOption {
        name: "TablebasePath",
        kind: OptionType::Text {
            set: |options, text| {
                options.set_tables(text);
                Ok(())
            },
        },
    },
    spin("TablebaseProbeDepth", 1, [1, 100], |options, plies| options.settings.probing.depth = plies as i32),
    spin("TablebaseProbeLimit", MAX_MEN as i64, [0, MAX_MEN as i64], |options, men| {
        options.settings.probing.men = men as usize;
    }),
    check("OwnBook", false, |options, on| options.own_book = on),
    EngineOption {
        name: "BookFile",
        kind: OptionType::Text {
            set: |options, text| {
                options.set_book(text);
                Ok(())
            },
        },
    },
    spin("BookDepth", BOOK_PLIES, [1, MAX_BOOK_PLIES], |options, plies| options.book_plies = plies as u32),
    spin("BookVariety", 0, [0, MAX_VARIETY], |options, cp| options.book_variety = cp as i32),
    EngineOption {
        name: "EvaluationsFile",
        kind: OptionType::Text {
            set: |options, text| {
                options.set_evaluations(text);
                Ok(())
            },
        },
    },
    EngineOption {
        name: "Debug Log File",
        kind: OptionType::Text {
            set: |options, text| {
                let path = Some(text).filter(|text| !text.is_empty() && *text != EMPTY);
                options.debug_log = Some(path.map(PathBuf::from));
                Ok(())
            },
        },
    },
    combo("Ruleset", &[Ruleset::NAMES], |options, name| {
        assign(&mut options.ruleset, name)?;
        options.is_ruleset_set = true;
        Ok(())
    }),
    EngineOption {
        name: "RuleParts",
        kind: OptionType::Text { set: |options, text| options.set_parts(text) },
    },
];

/// The values of all options.
#[derive(Clone, Debug)]
pub(crate) struct Options {
    pub(crate) show_wdl: bool,
    /// `Clear Hash` was pressed.
    pub(crate) clear_hash: bool,
    /// Set by `Debug Log File`: the log to begin, or `Some(None)` to end the log.
    pub(crate) debug_log: Option<Option<PathBuf>>,
    /// All settings but rules, skill, seed and book, which several options make up.
    settings: EngineSettings,
    own_book: bool,
    book: Option<Arc<Book>>,
    book_plies: u32,
    /// In centipawns.
    book_variety: i32,
    analyse: bool,
    limit_strength: bool,
    elo: i32,
    level: i32,
    opponent: Option<&'static Opponent>,
    seed: Option<u64>,
    variant: Variant,
    ruleset: Ruleset,
    /// Whether the GUI has set `Ruleset`, even to the default.
    pub(crate) is_ruleset_set: bool,
    parts: RuleParts,
    /// Messages from setting options.
    pub(crate) messages: Vec<String>,
}

impl Default for Options {
    fn default() -> Self {
        let mut options = Self {
            show_wdl: false,
            clear_hash: false,
            debug_log: None,
            settings: EngineSettings::default(),
            own_book: false,
            book: None,
            book_plies: 0,
            book_variety: 0,
            analyse: false,
            limit_strength: false,
            elo: 0,
            level: 0,
            opponent: None,
            seed: None,
            variant: Variant::default(),
            ruleset: Ruleset::default(),
            is_ruleset_set: false,
            parts: RuleParts::default(),
            messages: Vec::new(),
        };
        for option in OPTIONS {
            match &option.kind {
                OptionType::Check { default, set } => set(&mut options, *default),
                OptionType::Spin { default, set, .. } => set(&mut options, *default),
                OptionType::Combo { .. } | OptionType::Text { .. } | OptionType::Button { .. } => {}
            }
        }
        options
    }
}

impl OptionType {
    fn announced(&self) -> AnnouncedKind {
        match *self {
            Self::Check { default, .. } => AnnouncedKind::Check(default),
            Self::Spin { default, min, max, .. } => AnnouncedKind::Spin { default, min, max },
            Self::Combo { names, .. } => AnnouncedKind::Combo(names.concat()),
            Self::Text { .. } => AnnouncedKind::Text,
            Self::Button { .. } => AnnouncedKind::Button,
        }
    }
}

impl EngineOption {
    /// Sets the option in `target`. The error names the valid values.
    fn set(&self, target: &mut Options, value: &str) -> Result<(), String> {
        match &self.kind {
            OptionType::Button { press } => press(target),
            OptionType::Check { set, .. } => match value.to_ascii_lowercase().parse() {
                Ok(on) => set(target, on),
                Err(_) => return Err("true or false".to_owned()),
            },
            OptionType::Spin { min, max, set, .. } => match value.parse() {
                Ok(number) if (*min..=*max).contains(&number) => set(target, number),
                _ => return Err(format!("a number from {min} to {max}")),
            },
            OptionType::Combo { names, set } => {
                let names = names.concat();
                let name = names.iter().find(|name| name.eq_ignore_ascii_case(value));
                let result = name.ok_or(UnknownValue).and_then(|name| set(target, name));
                return result.map_err(|UnknownValue| names.join(" or "));
            }
            OptionType::Text { set } => return set(target, value),
        }
        Ok(())
    }
}

impl Options {
    /// Sets all parts of the rules from a list such as `Repetition=none CountClaim=manual`.
    fn set_parts(&mut self, text: &str) -> Result<(), String> {
        // A GUI may show `<empty>`, and a user may type behind it.
        let words: Vec<_> = text.split_ascii_whitespace().filter(|&word| word != EMPTY).collect();
        let wrong = |fault| format!("a list such as Repetition=none CountClaim=manual ({fault})");
        self.parts = words.join(" ").parse().map_err(wrong)?;
        Ok(())
    }

    /// Sets a part by its own option of version 0.1, and reports what replaces that option.
    fn set_part(&mut self, name: &'static str, value: &str) -> Result<(), OptionError> {
        self.parts.set(name, value).map_err(|error| {
            let range = match error {
                RulePartError::Value { values, .. } => values,
                error => error.to_string(),
            };
            OptionError::Value(name, clip(value), range)
        })?;
        self.messages.push(format!("option {name} is deprecated: set RuleParts to {name}={value}"));
        Ok(())
    }

    /// Loads the network of a file; an empty text stands for the embedded network.
    fn set_network(&mut self, text: &str) {
        let network = &mut self.settings.network;
        if text.is_empty() || text == EMPTY {
            // Nothing to report if it is the default, which GUIs send at every start.
            if !Arc::ptr_eq(network, Network::embedded()) {
                network.clone_from(Network::embedded());
                self.messages.push(format!("network compiled in: {network}"));
            }
            return;
        }
        let loaded = Network::open(Path::new(text)).map_err(|error| match error.kind() {
            ErrorKind::NotFound => "no such file".to_owned(),
            _ => error.to_string(),
        });
        self.use_network(text, loaded);
    }

    /// Evaluates with the network loaded from `name`; keeps the present one if that failed.
    pub(crate) fn use_network(&mut self, name: &str, loaded: Result<Network, impl Display>) {
        let network = &mut self.settings.network;
        self.messages.push(match loaded {
            Ok(loaded) => {
                *network = Arc::new(loaded);
                format!("network {name}: {network}")
            }
            Err(fault) => format!("network {name} not loaded: {fault}; keeping {network}"),
        });
    }

    /// Opens the tablebases of a list of folders, separated as in the platform's `PATH`.
    fn set_tables(&mut self, text: &str) {
        let list = if text == EMPTY { "" } else { text };
        let folders: Vec<_> = if cfg!(target_family = "wasm") {
            // `split_paths` panics there.
            list.split(':').map(PathBuf::from).collect()
        } else {
            std::env::split_paths(list).collect()
        };
        let folders: Vec<_> = folders.into_iter().filter(|folder| !folder.as_os_str().is_empty()).collect();
        let (tables, errors) = Tablebases::open(&folders);
        let shown = if errors.len() > MOST_FAULTS { MOST_FAULTS - 1 } else { errors.len() };
        let (shown, others) = errors.split_at(shown);
        self.messages.extend(shown.iter().map(|error| format!("endgame table not used: {error}")));
        if !others.is_empty() {
            self.messages.push(format!("endgame tables not used: {} more files", others.len()));
        }
        if !folders.is_empty() {
            let megabytes = tables.bytes() / 1_000_000;
            self.messages.push(match tables.len() {
                0 => format!("no endgame tables in {text}"),
                number => {
                    format!("{number} endgame tables of up to {} men, {megabytes} MB", tables.most_men())
                }
            });
        }
        self.settings.probing.tables = tables.with_remote(self.settings.probing.tables.remote());
    }

    /// Probes remote tablebase files beside those of the option `TablebasePath`, or none.
    pub(crate) fn use_remote_tables(&mut self, remote: Option<&RemoteTables>) {
        let tables = &mut self.settings.probing.tables;
        *tables = tables.with_remote(remote);
    }

    /// The options to announce, in this order.
    pub(crate) fn announced() -> Vec<(&'static str, AnnouncedKind)> {
        let options = OPTIONS.iter().map(|option| (option.name, option.kind.announced()));
        #[cfg(feature = "tune")]
        let options = options.chain(crate::parameters::TUNABLE.iter().map(|&(name, default, min, max)| {
            let [default, min, max] = [default, min, max].map(i64::from);
            (name, AnnouncedKind::Spin { default, min, max })
        }));
        options.collect()
    }

    /// Sets an option by its name, in upper or lower case. A wrong value changes nothing.
    pub(crate) fn set(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        #[cfg(feature = "tune")]
        if let Some(value) = value.and_then(|value| value.parse().ok())
            && crate::parameters::set(name, value)
        {
            return Ok(());
        }
        let value = value.unwrap_or_default();
        if let Some(name) = RuleParts::name(name) {
            return self.set_part(name, value);
        }
        let option = OPTIONS.iter().find(|option| option.name.eq_ignore_ascii_case(name));
        let option = option.ok_or_else(|| OptionError::Unknown(clip(name)))?;
        option.set(self, value).map_err(|range| OptionError::Value(option.name, clip(value), range))
    }

    /// The settings but for rules, skill, seed and book, which several options make up.
    pub(crate) fn own_settings(&mut self) -> &mut EngineSettings {
        &mut self.settings
    }

    /// Takes back what the machine refused: the size of the transposition table and the number of threads.
    pub(crate) fn accept(&mut self, granted: &EngineSettings) {
        self.settings.hash_mb = granted.hash_mb;
        self.settings.threads = granted.threads;
    }

    /// The engine's settings. Analysis is always at full strength.
    pub(crate) fn settings(&self) -> EngineSettings {
        let skill = if self.analyse {
            None
        } else if let Some(opponent) = self.opponent {
            Some(Skill::of(opponent))
        } else if self.limit_strength {
            Skill::from_elo(self.elo)
        } else {
            Skill::from_level(self.level)
        };
        let rules = self.parts.applied_to(Rules::new(self.variant, self.ruleset));
        let margin = Centipawns(self.book_variety).to_internal();
        let own_book = self.book.clone().filter(|_| self.own_book && !self.analyse);
        let book = own_book.map(|book| BookSettings { book, plies: self.book_plies, margin });
        let seed = self.seed.or(self.settings.seed);
        EngineSettings { skill, seed, rules, book, ..self.settings.clone() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_those_of_the_engine() {
        let from_options = Options::default().settings();
        assert_eq!(format!("{from_options:?}"), format!("{:?}", EngineSettings::default()));
        assert!(Options::announced().iter().all(|(name, _)| RuleParts::name(name).is_none()));
    }

    #[test]
    fn bad_values_change_nothing_and_are_reported() {
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
        assert_eq!(options.set("MULTIPV", Some("3")), Ok(()));
        assert_eq!(options.settings().multi_pv, 3);
        for value in [Some("true"), None] {
            assert_eq!(options.set("clear hash", value), Ok(()));
            assert!(std::mem::take(&mut options.clear_hash));
        }
        assert_eq!(options.set("uci_variant", Some("Cambodian")), Ok(()));
        assert_eq!(options.settings().rules.play.variant, Variant::Cambodian);
    }

    /// No setter refuses a value that its option announces.
    #[test]
    fn all_announced_values_are_accepted() {
        fn values(option: &EngineOption) -> Vec<String> {
            match &option.kind {
                OptionType::Check { .. } => vec!["true".into(), "False".into()],
                OptionType::Spin { min, max, .. } => vec![min.to_string(), max.to_string()],
                OptionType::Combo { names, .. } => {
                    names.concat().iter().map(|name| name.to_string()).collect()
                }
                OptionType::Text { .. } | OptionType::Button { .. } => vec![String::new(), EMPTY.into()],
            }
        }
        let all = OPTIONS.iter().map(|option| (option.name, values(option)));
        let mut options = Options::default();
        for (name, values) in all {
            let mut settings = Vec::new();
            for value in &values {
                assert_eq!(options.set(name, Some(value)), Ok(()), "{name} {value}");
                settings.push(format!("{options:?}"));
            }
            let has_effect = settings.windows(2).any(|pair| pair[0] != pair[1]);
            let texts =
                ["RuleParts", "EvalFile", "TablebasePath", "BookFile", "EvaluationsFile", "Debug Log File"];
            assert!(
                has_effect || ["Ponder", "Clear Hash"].contains(&name) || texts.contains(&name),
                "{name}"
            );
        }
    }

    #[test]
    fn strength_is_limited_by_elo_or_level_but_not_in_analysis() {
        let mut options = Options::default();
        assert_eq!(options.set("Skill Level", Some("3")), Ok(()));
        assert_eq!(options.settings().skill, Skill::from_level(3));
        assert_eq!(options.set("UCI_LimitStrength", Some("true")), Ok(()));
        assert_eq!(options.settings().skill, Skill::from_elo(1350));
        assert_eq!(options.set("UCI_AnalyseMode", Some("true")), Ok(()));
        assert_eq!(options.settings().skill, None);
    }
}
