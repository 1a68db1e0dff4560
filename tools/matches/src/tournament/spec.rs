//! The parts of a match: engines, their limits and clocks, adjudication.

use std::fmt;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Error, Result, anyhow, bail, ensure};
use sakmak_movegen::Rules;
use sakmak_movegen::rules::Repetition;
use serde::{Deserialize, Serialize};

/// The error of an ill-formed value.
fn wrong(key: &str, value: &str, expected: &str) -> Error {
    anyhow!("{key}: '{value}' is not {expected}")
}

/// The search limits of an engine.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineLimits {
    /// A clock.
    pub clock: Option<TimeControl>,
    /// Milliseconds per move.
    pub movetime: Option<u64>,
    /// Nodes per move.
    pub nodes: Option<u64>,
    /// Depth per move, in plies.
    pub depth: Option<u32>,
}

impl EngineLimits {
    /// The limits except the clock as arguments of `go`, each with a space before it.
    pub fn go_words(&self) -> String {
        let given =
            [("movetime", self.movetime), ("nodes", self.nodes), ("depth", self.depth.map(u64::from))];
        given.into_iter().filter_map(|(name, value)| Some(format!(" {name} {}", value?))).collect()
    }

    /// Whether there is no limit.
    pub fn is_empty(&self) -> bool {
        *self == Self::default()
    }

    /// These limits; each one not given is taken from `other`.
    pub fn or(self, other: Self) -> Self {
        if self.is_empty() { other } else { self }
    }
}

impl fmt::Display for EngineLimits {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut parts = Vec::new();
        parts.extend(self.clock.map(|clock| clock.to_string()));
        parts.extend(self.movetime.map(|ms| format!("{ms} ms a move")));
        parts.extend(self.nodes.map(|nodes| format!("{nodes} nodes")));
        parts.extend(self.depth.map(|depth| format!("depth {depth}")));
        f.write_str(&parts.join(", "))
    }
}

/// A time control in seconds: `8+0.08`, `40/60`, `40/60+0.5`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TimeControl {
    /// Time at the start, and again for every period, in milliseconds.
    pub base: u64,
    /// Increment per move, in milliseconds.
    pub increment: u64,
    /// Moves per period; `None` for the whole game.
    pub moves: Option<u32>,
}

fn milliseconds(text: &str) -> Option<u64> {
    let seconds: f64 = text.parse().ok()?;
    (0.0..=1e7).contains(&seconds).then_some((seconds * 1000.0).round() as u64)
}

impl FromStr for TimeControl {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || wrong("tc", text, "of the form 8+0.08 or 40/60+0.5, in seconds");
        let (moves, rest) = match text.split_once('/') {
            Some((moves, rest)) => (Some(moves.parse().ok().filter(|&n| n > 0).ok_or_else(wrong)?), rest),
            None => (None, text),
        };
        let (base, increment) = rest.split_once('+').unwrap_or((rest, "0"));
        let base = milliseconds(base).ok_or_else(wrong)?;
        let increment = milliseconds(increment).ok_or_else(wrong)?;
        ensure!(base + increment > 0, "'{text}' leaves no time at all");
        Ok(Self { base, increment, moves })
    }
}

impl fmt::Display for TimeControl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let seconds = |ms: u64| ms as f64 / 1000.0;
        if let Some(moves) = self.moves {
            write!(f, "{moves}/")?;
        }
        write!(f, "{}", seconds(self.base))?;
        if self.increment > 0 {
            write!(f, "+{}", seconds(self.increment))?;
        }
        Ok(())
    }
}

/// An engine in a match.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineSpec {
    /// Program and arguments.
    pub command: Vec<String>,
    /// Its name in the match; if empty, that of `id name`.
    pub name: String,
    /// Its working directory.
    pub dir: Option<String>,
    /// Its own limits.
    pub limits: EngineLimits,
    /// Milliseconds by which it may overstep its time; `None` for the match's margin.
    pub margin: Option<u64>,
    /// UCI options to set, in this order.
    pub options: Vec<(String, String)>,
}

/// Splits `a,b\,c` into `a` and `b,c`.
fn parts(text: &str) -> Vec<String> {
    let mut parts = vec![String::new()];
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let last = parts.len() - 1;
        match letter {
            ',' => parts.push(String::new()),
            '\\' => parts[last].extend(letters.next()),
            _ => parts[last].push(letter),
        }
    }
    parts.retain(|part| !part.is_empty());
    parts
}

impl FromStr for EngineSpec {
    type Err = Error;

    /// Reads `cmd=./engine --fast,name=A,option.Hash=32,tc=8+0.08`; a comma inside a value is written `\,`.
    fn from_str(text: &str) -> Result<Self> {
        let mut spec = Self::default();
        for part in parts(text) {
            let Some((key, value)) = part.split_once('=') else {
                bail!("'{part}' is not of the form key=value");
            };
            let number = |what| {
                let number = value.parse::<u64>().ok().filter(|&n| n > 0);
                number.ok_or_else(|| wrong(what, value, "a number above 0"))
            };
            match key {
                "cmd" => {
                    spec.command =
                        shlex::split(value).ok_or_else(|| wrong("cmd", value, "a command (quotes?)"))?;
                }
                "name" => spec.name = value.to_owned(),
                "dir" => spec.dir = Some(value.to_owned()),
                "tc" => spec.limits.clock = Some(value.parse()?),
                "movetime" | "st" => spec.limits.movetime = Some(number("movetime")?),
                "nodes" => spec.limits.nodes = Some(number("nodes")?),
                "depth" => spec.limits.depth = Some(number("depth")?.min(1_000) as u32),
                "margin" | "timemargin" => spec.margin = Some(number("margin")?),
                _ => match key.strip_prefix("option.") {
                    Some(name) if !name.is_empty() => {
                        spec.options.push((name.to_owned(), value.to_owned()));
                    }
                    _ => bail!(
                        "'{key}' is not known for an engine (cmd, name, dir, tc, movetime, nodes, depth, margin, \
                         option.NAME)"
                    ),
                },
            }
        }
        ensure!(!spec.command.is_empty(), "an engine needs cmd=PROGRAM");
        Ok(spec)
    }
}

/// Rules to end a game before the rules of the game do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Adjudication {
    /// A draw once both engines agree.
    pub draw: Option<DrawRule>,
    /// A win once both engines agree on the winner.
    pub resign: Option<ResignRule>,
    /// Moves of each side after which the game is drawn.
    pub max_moves: Option<u32>,
}

/// Default of `max_moves` where the rules have no draw by repetition: two engines that shuffle would never end.
pub const LONGEST_WITHOUT_REPETITION: u32 = 300;

/// The default of `max_moves`: [`LONGEST_WITHOUT_REPETITION`] where the rules have no draw by repetition, else none.
pub fn default_max_moves(rules: &Rules) -> Option<u32> {
    (rules.play.repetition == Repetition::None).then_some(LONGEST_WITHOUT_REPETITION)
}

/// Both engines' scores stay within `score` centipawns for `moves` moves each, from move `after` on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// First move number at which a game can be called drawn.
    pub after: u32,
    /// Consecutive moves of each side.
    pub moves: u32,
    /// Largest absolute score, in centipawns.
    pub score: i32,
}

/// One engine's score is at most `-score` centipawns and the other's at least `score`, for `moves` moves each.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// Consecutive moves of each side.
    pub moves: u32,
    /// Smallest absolute score, in centipawns.
    pub score: i32,
}

/// Parses `key=number` words in any order.
fn keyed<const N: usize>(what: &'static str, text: &str, keys: [&str; N]) -> Result<[u32; N]> {
    let form = "of the form move=40,count=8,score=10 (draw) or count=4,score=600 (resign)";
    let wrong = || wrong(what, text, form);
    let mut values = [None; N];
    for part in parts(text) {
        let (key, value) = part.split_once('=').ok_or_else(wrong)?;
        let index = keys.iter().position(|&known| known == key).ok_or_else(wrong)?;
        values[index] = Some(value.parse::<u32>().ok().filter(|&n| n <= 100_000).ok_or_else(wrong)?);
    }
    let mut all = [0; N];
    for (value, given) in all.iter_mut().zip(values) {
        *value = given.ok_or_else(wrong)?;
    }
    Ok(all)
}

impl FromStr for DrawRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let [after, moves, score] = keyed("draw", text, ["move", "count", "score"])?;
        Ok(Self { after, moves: moves.max(1), score: score as i32 })
    }
}

impl FromStr for ResignRule {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let [moves, score] = keyed("resign", text, ["count", "score"])?;
        Ok(Self { moves: moves.max(1), score: score as i32 })
    }
}

/// A part of the openings, for matches spread over several machines: `1/4` to `4/4`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Shard {
    /// Number of the part, from 1.
    pub index: u32,
    /// Number of parts.
    pub of: u32,
}

impl FromStr for Shard {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let wrong = || wrong("shard", text, "of the form 1/4");
        let (index, of) = text.split_once('/').ok_or_else(wrong)?;
        let (index, of): (u32, u32) = (index.parse().map_err(|_| wrong())?, of.parse().map_err(|_| wrong())?);
        if index == 0 || index > of { Err(wrong()) } else { Ok(Self { index, of }) }
    }
}

/// One side's clock.
#[derive(Clone, Copy, Debug)]
pub struct Clock {
    limits: EngineLimits,
    /// Milliseconds left; negative after a move within the margin.
    left: i64,
    moves_left: Option<u32>,
}

impl Clock {
    /// A clock at the start of a game.
    pub fn new(limits: EngineLimits) -> Self {
        let control = limits.clock;
        let left = control.map_or(0, |clock| (clock.base + clock.increment) as i64);
        Self { limits, left, moves_left: control.and_then(|clock| clock.moves) }
    }

    /// Milliseconds left; `None` without a clock.
    pub fn left(&self) -> Option<i64> {
        self.limits.clock.map(|_| self.left)
    }

    /// Increment per move, in milliseconds.
    pub fn increment(&self) -> u64 {
        self.limits.clock.map_or(0, |clock| clock.increment)
    }

    /// Moves to the next time control.
    pub fn moves_to_go(&self) -> Option<u32> {
        self.moves_left
    }

    /// Time allowed for the next move before it loses on time; `None` if only nodes or depth limit it.
    pub fn allowed(&self) -> Option<Duration> {
        let by_clock = self.left().map(|left| left.max(0) as u64);
        let shortest = match (by_clock, self.limits.movetime) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        shortest.map(Duration::from_millis)
    }

    /// Subtracts the time of a move.
    pub fn spend(&mut self, time: Duration) {
        let Some(control) = self.limits.clock else { return };
        self.left -= time.as_millis() as i64;
        self.left += control.increment as i64;
        if let Some(left) = &mut self.moves_left {
            *left -= 1;
            if *left == 0 {
                self.moves_left = control.moves;
                self.left += control.base as i64;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::rules::{Ruleset, Variant};

    use super::*;

    #[test]
    fn time_controls() {
        for (text, base, increment, moves) in [
            ("8+0.08", 8_000, 80, None),
            ("60", 60_000, 0, None),
            ("40/60+0.5", 60_000, 500, Some(40)),
            ("0+1", 0, 1_000, None),
        ] {
            let control: TimeControl = text.parse().unwrap();
            assert_eq!(control, TimeControl { base, increment, moves });
            assert_eq!(control.to_string().parse::<TimeControl>().unwrap(), control);
        }
        for text in ["", "x", "8+", "-1", "0/8", "0", "1e99", "8+0.1+2", "nan"] {
            assert!(text.parse::<TimeControl>().is_err(), "{text}");
        }
    }

    #[test]
    fn engines() {
        let spec: EngineSpec =
            r"cmd=./a --net 'my file',name=A\,B,option.Hash=32,option.Move Overhead=50,nodes=5,margin=20"
                .parse()
                .unwrap();
        assert_eq!(spec.command, ["./a", "--net", "my file"]);
        assert_eq!((spec.name.as_str(), spec.limits.nodes, spec.margin), ("A,B", Some(5), Some(20)));
        assert_eq!(spec.options[1], ("Move Overhead".to_owned(), "50".to_owned()));
        for (text, complaint) in [
            ("name=A", "needs cmd"),
            ("cmd=a,hash=3", "'hash' is not known"),
            ("cmd=a,name", "'name' is not of the form"),
            ("cmd=a,nodes=0", "nodes: '0'"),
            ("cmd='a", "quotes"),
            ("cmd=a,tc=x", "tc: 'x'"),
        ] {
            let error = text.parse::<EngineSpec>().unwrap_err().to_string();
            assert!(error.contains(complaint), "{text}: {error}");
        }
    }

    #[test]
    fn rules_of_adjudication() {
        let draw: DrawRule = "move=40,count=8,score=10".parse().unwrap();
        assert_eq!(draw, DrawRule { after: 40, moves: 8, score: 10 });
        let resign: ResignRule = "score=600,count=4".parse().unwrap();
        assert_eq!(resign, ResignRule { moves: 4, score: 600 });
        assert!("count=4".parse::<ResignRule>().is_err() && "a=1".parse::<DrawRule>().is_err());
        assert_eq!("2/4".parse::<Shard>().unwrap(), Shard { index: 2, of: 4 });
        assert!(["0/4", "5/4", "x", "1"].iter().all(|text| text.parse::<Shard>().is_err()));
    }

    /// Every game ends, whatever the rules.
    #[test]
    fn games_without_repetition_have_a_limit() {
        for &ruleset in Ruleset::ALL {
            let rules = Rules::new(Variant::Makruk, ruleset);
            let limit = default_max_moves(&rules);
            assert_eq!(limit.is_none(), ruleset == Ruleset::FairyStockfish, "{ruleset}: {limit:?}");
        }
        let without = Rules::default().with_parts("Repetition=none").unwrap();
        assert_eq!(default_max_moves(&without), Some(300));
        let wikipedia = Rules::new(Variant::Cambodian, Ruleset::Wikipedia);
        let with = wikipedia.with_parts("Repetition=threefold").unwrap();
        assert_eq!(default_max_moves(&with), None);
    }

    #[test]
    fn clocks_run() {
        let limits = EngineLimits { clock: Some("2/1+0.1".parse().unwrap()), ..EngineLimits::default() };
        let mut clock = Clock::new(limits);
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(1_100), Some(2)));
        clock.spend(Duration::from_millis(600));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(600), Some(1)));
        clock.spend(Duration::from_millis(650));
        assert_eq!((clock.left(), clock.moves_to_go()), (Some(1_050), Some(2)));
        assert_eq!(clock.allowed(), Some(Duration::from_millis(1_050)));
        let by_nodes = Clock::new(EngineLimits { nodes: Some(9), ..EngineLimits::default() });
        assert_eq!((by_nodes.allowed(), by_nodes.left()), (None, None));
    }
}
