//! The fingerprint of a match: a hash of the settings that must agree between its games, or its parts.

use std::fmt::Write;

use sakmak_movegen::Rules;
use sakmak_movegen::rules::Privileges;

use super::schedule::TournamentFormat;
use super::spec::{Adjudication, EngineLimits, EngineSpec};

/// The version prefix of every fingerprint.
///
/// It changes with the fields or the hash. The first version was sixteen digits alone, the second had no groups.
pub const KIND: &str = "v3-";

/// The settings that identify a match.
///
/// Left out: the shard (all parts of a match share a fingerprint), the number of games, which can grow, the
/// concurrency, the early stop by an SPRT, the names of files and of the event.
#[derive(Clone, Copy, Debug)]
pub struct FingerprintFields<'a> {
    /// The names of the engines in the match.
    pub names: &'a [String],
    /// The engines, in the same order.
    pub engines: &'a [EngineSpec],
    /// Limits of engines without their own.
    pub limits: EngineLimits,
    /// Milliseconds by which a move may overstep its time.
    pub margin: u64,
    /// The rules of the referee.
    pub rules: Rules,
    /// Adjudication rules.
    pub adjudication: Adjudication,
    /// The endings whose tablebases end games, sorted by name.
    pub tablebases: &'a [String],
    /// The pairings.
    pub format: TournamentFormat,
    /// Seed of the order of the openings; 0 if they are played in the order of the file.
    pub seed: u64,
    /// The contents of the openings file.
    pub openings: &'a str,
}

impl FingerprintFields<'_> {
    /// [`KIND`] and the FNV-1a hash (64 bits, sixteen hexadecimal digits) of [`FingerprintFields::text`] in UTF-8: the
    /// same for every compiler and machine. A hyphen follows, then four digits for each group of settings, the last
    /// ones of the hash of the group's lines; [`difference`] uses them to name what differs.
    pub fn fingerprint(&self) -> String {
        let text = self.text();
        let mut groups = GROUPS.map(|_| String::new());
        let (mut in_engine, mut rest) = (false, text.as_str());
        while let Some((line, next)) = rest.split_once('\n') {
            let key = line.split(' ').next().unwrap_or_default();
            if key == "openings" {
                groups[GROUPS.len() - 1].push_str(next);
                break;
            }
            in_engine |= key == "engine";
            let group = GROUPS.iter().position(|(_, of_engine, keys)| {
                *of_engine == in_engine && keys.split(' ').any(|other| other == key)
            });
            // Keys without a group of their own are rules.
            let group = group.unwrap_or(RULES);
            // The line break marks a new engine: two engines with their settings exchanged differ.
            if key == "engine" {
                let of_engines = groups.iter_mut().zip(GROUPS).filter(|(_, (_, of_engine, _))| *of_engine);
                of_engines.for_each(|(group, _)| group.push('\n'));
            }
            groups[group] += &format!("{line}\n");
            rest = next;
        }
        let digits = groups.map(|group| format!("{:04x}", fnv1a(group.as_bytes()) & 0xffff)).concat();
        format!("{KIND}{:016x}-{digits}", fnv1a(text.as_bytes()))
    }

    /// The settings as lines of `key value`, the openings last.
    ///
    /// Strings are quoted as in Rust and JSON, times are in milliseconds, unset fields have no line.
    pub fn text(&self) -> String {
        let Rules { setup, play } = &self.rules;
        let mut text = Lines::default();
        text.add("variant", play.variant);
        text.add("ruleset", setup.ruleset);
        text.add("array", setup.array);
        text.add("counting", play.counting);
        text.add("draw-instant", play.draw_instant);
        text.add("claim", play.claim);
        text.add("counter-mate", play.counter_mate);
        text.add("repetition", play.repetition);
        text.add("dead-material", play.dead_material);
        for (name, privilege) in PRIVILEGES {
            if play.privileges.contains(privilege) {
                text.add("privilege", name);
            }
        }
        text.add("boats", format_args!("{} {}", setup.boats[0], setup.boats[1]));
        text.add("count-started", play.count_started.0);
        text.add("format", self.format);
        text.add("seed", self.seed);
        text.add("margin", self.margin);
        text.limits(self.limits);
        if let Some(draw) = self.adjudication.draw {
            text.add("draw", format_args!("{} {} {}", draw.after, draw.moves, draw.score));
        }
        if let Some(resign) = self.adjudication.resign {
            text.add("resign", format_args!("{} {}", resign.moves, resign.score));
        }
        text.add_some("max-moves", self.adjudication.max_moves);
        if !self.tablebases.is_empty() {
            text.add("tablebases", self.tablebases.join(" "));
        }
        for (name, engine) in self.names.iter().zip(self.engines) {
            text.add("engine", quoted(name));
            for word in &engine.command {
                text.add("command", quoted(word));
            }
            text.add_some("dir", engine.dir.as_deref().map(quoted));
            text.limits(engine.limits);
            text.add_some("margin", engine.margin);
            for (name, value) in &engine.options {
                text.add("option", format_args!("{} {}", quoted(name), quoted(value)));
            }
        }
        text.0 + "openings\n" + self.openings
    }
}

/// The groups of settings: name in messages, whether the group belongs to an engine, and the keys of its lines.
const GROUPS: [(&str, bool, &str); 15] = [
    ("--variant", false, "variant"),
    ("--ruleset", false, "ruleset"),
    ("--format", false, "format"),
    ("--seed", false, "seed"),
    ("--margin", false, "margin"),
    ("--tc, --movetime, --nodes or --depth", false, "clock movetime nodes depth"),
    ("--draw", false, "draw"),
    ("--resign", false, "resign"),
    ("--max-moves", false, "max-moves"),
    ("--tablebase", false, "tablebases"),
    ("names of engines", true, "engine"),
    ("commands or folders of engines", true, "command dir"),
    ("limits or margins of engines", true, "clock movetime nodes depth margin"),
    ("options of engines", true, "option"),
    ("--openings", false, "openings"),
];
/// Index of the group of the rules.
const RULES: usize = 1;

/// The privileges and their names in [`FingerprintFields::text`].
const PRIVILEGES: [(&str, Privileges); 7] = [
    ("sut-khun", Privileges::SUT_KHUN),
    ("sut-met", Privileges::SUT_MET),
    ("sut-ma", Privileges::SUT_MA),
    ("lord-horse", Privileges::LORD_HORSE),
    ("minister-two", Privileges::MINISTER_TWO),
    ("ouk-khun", Privileges::OUK_KHUN),
    ("first-turn-only", Privileges::FIRST_TURN_ONLY),
];

#[derive(Default)]
struct Lines(String);

impl Lines {
    fn add(&mut self, key: &str, value: impl std::fmt::Display) {
        let _ = writeln!(self.0, "{key} {value}");
    }

    fn add_some(&mut self, key: &str, value: Option<impl std::fmt::Display>) {
        if let Some(value) = value {
            self.add(key, value);
        }
    }

    fn limits(&mut self, limits: EngineLimits) {
        if let Some(clock) = limits.clock {
            let moves = clock.moves.unwrap_or(0);
            self.add("clock", format_args!("{} {} {moves}", clock.base, clock.increment));
        }
        self.add_some("movetime", limits.movetime);
        self.add_some("nodes", limits.nodes);
        self.add_some("depth", limits.depth);
    }
}

/// Quotes a string, with `\"`, `\\` and `\n` escaped, so that different lists of strings give different texts.
fn quoted(text: &str) -> String {
    format!("\"{}\"", text.replace('\\', r"\\").replace('"', "\\\"").replace('\n', r"\n"))
}

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo; RFC 9923).
fn fnv1a(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

/// How a match with the fingerprint `found` differs from the one with the fingerprint `wanted`, in words; either may
/// have a part of the match behind it.
pub fn difference(found: &str, wanted: &str) -> String {
    if !found.starts_with(KIND) {
        return "a match of a version that marked matches differently: finish it with that version, or begin a new file"
            .to_owned();
    }
    let parts = |text: &str| {
        let (fingerprint, part) = text.split_once(' ').unwrap_or((text, "1/1"));
        (fingerprint.to_owned(), part.to_owned())
    };
    let ((found, found_part), (wanted, wanted_part)) = (parts(found), parts(wanted));
    if found == wanted {
        return format!("another part of this match: --shard {found_part}, not {wanted_part}");
    }
    let digits = |text: &str| text.rsplit('-').next().unwrap_or_default().as_bytes().to_vec();
    let (found, wanted) = (digits(&found), digits(&wanted));
    let groups = GROUPS.iter().zip(found.chunks(4).zip(wanted.chunks(4)));
    let names: Vec<_> =
        groups.filter(|(_, (found, wanted))| found != wanted).map(|((name, ..), _)| *name).collect();
    if names.is_empty() {
        return "a match with other settings".to_owned();
    }
    format!("a match with other settings: {}", names.join("; "))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of the hash's authors.
    #[test]
    fn the_hash_is_fnv_1a() {
        for (text, hash) in [
            ("", 0xcbf2_9ce4_8422_2325),
            ("a", 0xaf63_dc4c_8601_ec8c),
            ("foobar", 0x8594_4171_f739_67e8),
            ("chongo was here!\n", 0x4681_0940_eff5_f915),
        ] {
            assert_eq!(fnv1a(text.as_bytes()), hash, "{text:?}");
        }
    }

    /// Files of running matches contain this value.
    #[test]
    fn the_fingerprint_is_pinned() {
        let engines: Vec<EngineSpec> =
            ["cmd=./a --net 'my file',name=A,option.Hash=32", "cmd=b,dir=/x,tc=40/60+0.5,margin=20"]
                .map(|text| text.parse().unwrap())
                .to_vec();
        let names = ["A".to_owned(), "b".to_owned()];
        let fields = FingerprintFields {
            names: &names,
            engines: &engines,
            limits: EngineLimits { nodes: Some(500), ..EngineLimits::default() },
            margin: 50,
            rules: Rules::default(),
            adjudication: Adjudication {
                draw: Some("move=40,count=8,score=10".parse().unwrap()),
                resign: Some("count=4,score=600".parse().unwrap()),
                max_moves: Some(300),
            },
            tablebases: &[],
            format: TournamentFormat::RoundRobin,
            seed: 1,
            openings: "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0\n",
        };
        let text = "variant makruk\nruleset fairy-stockfish\narray standard\ncounting fairy-stockfish\n\
            draw-instant ruleset\nclaim automatic\ncounter-mate win\nrepetition threefold\ndead-material none\nboats none none\n\
            count-started 0\nformat round-robin\nseed 1\nmargin 50\nnodes 500\ndraw 40 8 10\nresign 4 600\n\
            max-moves 300\nengine \"A\"\ncommand \"./a\"\ncommand \"--net\"\ncommand \"my file\"\n\
            option \"Hash\" \"32\"\n\
            engine \"b\"\ncommand \"b\"\ndir \"/x\"\nclock 60000 500 40\nmargin 20\nopenings\n\
            rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0\n";
        assert_eq!(fields.text(), text);
        assert_eq!(
            fields.fingerprint(),
            "v3-0ff76fdc5d155f3c-7ff98e6b9f77cf9f604a24d95c7c2f2b27bb23253b106fb621686af355d4"
        );

        // Every field counts.
        let rules = Rules::new(Default::default(), sakmak_movegen::rules::Ruleset::Cyningstan);
        let adjudication = Adjudication { max_moves: Some(301), ..fields.adjudication };
        let limits = EngineLimits { nodes: Some(501), ..EngineLimits::default() };
        let tablebases = ["KRvK".to_owned()];
        let renamed = ["A".to_owned(), "c".to_owned()];
        let mut optioned = engines.clone();
        optioned[1].options.push(("Hash".to_owned(), "1".to_owned()));
        let others = [
            FingerprintFields { names: &renamed, ..fields },
            FingerprintFields { engines: &optioned, ..fields },
            FingerprintFields { limits, ..fields },
            FingerprintFields { margin: 51, ..fields },
            FingerprintFields { rules, ..fields },
            FingerprintFields { adjudication, ..fields },
            FingerprintFields { tablebases: &tablebases, ..fields },
            FingerprintFields { format: TournamentFormat::Gauntlet, ..fields },
            FingerprintFields { seed: 0, ..fields },
            FingerprintFields { openings: "", ..fields },
        ];
        let names = [
            "names of engines",
            "options of engines",
            "--tc, --movetime, --nodes or --depth",
            "--margin",
            "--ruleset",
            "--max-moves",
            "--tablebase",
            "--format",
            "--seed",
            "--openings",
        ];
        for (other, name) in others.into_iter().zip(names) {
            let difference = difference(&other.fingerprint(), &fields.fingerprint());
            assert_eq!(difference, format!("a match with other settings: {name}"), "{}", other.text());
        }
        let mut moved = engines.clone();
        moved[0].options.clear();
        moved[1].options = engines[0].options.clone();
        let moved = FingerprintFields { engines: &moved, ..fields };
        let words = difference(&moved.fingerprint(), &fields.fingerprint());
        assert_eq!(words, "a match with other settings: options of engines");
    }

    #[test]
    fn strings_are_kept_apart() {
        assert_eq!(quoted("a \"b\" \\n\n"), r#""a \"b\" \\n\n""#);
    }

    #[test]
    fn older_files_are_known_as_such() {
        for old in ["0123456789abcdef", "v2-0123456789abcdef 1/2"] {
            assert!(difference(old, "v3-0").contains("finish it with that version"));
        }
        assert_eq!(difference("v3-0 1/2", "v3-0 2/2"), "another part of this match: --shard 1/2, not 2/2");
        assert_eq!(difference("v3-0 1/2", "v3-0"), "another part of this match: --shard 1/2, not 1/1");
    }
}
