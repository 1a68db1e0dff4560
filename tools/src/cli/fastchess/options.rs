//! The command line of fastchess, as far as OpenBench's client writes it (`MatchRunner` in its `worker.py`).

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail, ensure};
use sakmak_matches::tournament::spec::{DrawRule, EngineSpec, ResignRule};

/// The lines of an engine that go into the PGN file: what the client asks for, and all that is known.
const MATCH_LINE: &str = "^info string pgncomment .*";
/// Maximum of rounds, games in parallel and adjudication values.
const MOST: u64 = 100_000_000;

/// Book of openings.
#[derive(Debug, Default)]
pub(super) struct Openings {
    /// A file of FEN or EPD.
    pub(super) file: PathBuf,
    /// Whether `-srand` shuffles it.
    pub(super) random: bool,
    /// Number of the first opening, from 1.
    pub(super) start: u64,
}

/// All options.
#[derive(Debug)]
pub(super) struct Options {
    /// The two engines; results count for the first.
    pub(super) engines: Vec<EngineSpec>,
    /// Games played in parallel.
    pub(super) concurrency: usize,
    /// Number of openings played.
    pub(super) rounds: u64,
    /// Games from each opening, 1 or 2.
    pub(super) games: u64,
    /// Adjudication of draws.
    pub(super) draw: Option<DrawRule>,
    /// Adjudication of wins.
    pub(super) resign: Option<ResignRule>,
    pub(super) openings: Openings,
    /// Seed of the order of the openings.
    pub(super) seed: u64,
    /// The PGN file.
    pub(super) pgn: Option<PathBuf>,
}

/// An option with the words after it.
struct Group<'a> {
    name: &'a str,
    values: Vec<&'a str>,
}

impl<'a> Group<'a> {
    /// The only word.
    fn single(&self) -> Result<&'a str> {
        match self.values.as_slice() {
            [value] => Ok(value),
            values => bail!("{} takes one value, not {}", self.name, values.len()),
        }
    }

    fn number(&self, least: u64, most: u64) -> Result<u64> {
        whole(self.name, self.single()?, least, most)
    }

    fn nothing(&self) -> Result<()> {
        ensure!(self.values.is_empty(), "{} takes no value", self.name);
        Ok(())
    }

    /// The words as keys and values.
    fn pairs(&self) -> impl Iterator<Item = Result<(&'a str, &'a str)>> {
        self.values.iter().map(|word| {
            let wrong = || anyhow!("{}: '{word}' is not of the form key=value", self.name);
            word.split_once('=').ok_or_else(wrong)
        })
    }

    /// The error of an unknown key.
    fn unknown(&self, key: &str, value: &str) -> anyhow::Error {
        anyhow!("{} {key}={value} is not known", self.name)
    }
}

fn whole(what: &str, text: &str, least: u64, most: u64) -> Result<u64> {
    let number = text.parse().ok().filter(|number| (least..=most).contains(number));
    number.ok_or_else(|| anyhow!("{what}: '{text}' is not a number from {least} to {most}"))
}

/// Seconds as milliseconds, at least one.
fn milliseconds(what: &str, text: &str) -> Result<u64> {
    let seconds = text.parse::<f64>().ok().filter(|seconds| (0.0..=1e7).contains(seconds));
    let seconds = seconds.ok_or_else(|| anyhow!("{what}: '{text}' is not a number of seconds"))?;
    Ok(((seconds * 1000.0).round() as u64).max(1))
}

/// The words of the command line by option: an option is a word with `-` and no `=`.
fn groups(words: &[String]) -> Result<Vec<Group<'_>>> {
    let mut groups: Vec<Group<'_>> = Vec::new();
    for word in words {
        match groups.last_mut() {
            _ if word.starts_with('-') && !word.contains('=') => {
                groups.push(Group { name: word, values: Vec::new() });
            }
            Some(group) => group.values.push(word),
            None => bail!("'{word}' stands before any option"),
        }
    }
    Ok(groups)
}

/// The program of an engine; one with a path is sought from `dir`, as fastchess does.
fn program(command: &str, dir: Option<&str>) -> Result<String> {
    let path = Path::new(command);
    let Some(dir) = dir.filter(|_| path.components().count() > 1) else { return Ok(command.to_owned()) };
    let path = std::path::absolute(Path::new(dir).join(path)).with_context(|| command.to_owned())?;
    path.to_str()
        .map(str::to_owned)
        .with_context(|| format!("{}: a name in Unicode is needed", path.display()))
}

/// An engine.
fn engine(group: &Group<'_>) -> Result<EngineSpec> {
    let mut spec = EngineSpec::default();
    let mut command = None;
    for pair in group.pairs() {
        let (key, value) = pair?;
        let number = || whole(&format!("-engine {key}"), value, 1, u64::MAX);
        match key {
            "cmd" => command = Some(value),
            "dir" => spec.dir = Some(value.to_owned()),
            "name" => spec.name = value.to_owned(),
            "proto" => ensure!(value == "uci", "-engine proto={value}: only uci is known"),
            "tc" if matches!(value, "inf" | "infinite") => spec.limits.clock = None,
            "tc" => spec.limits.clock = Some(value.parse().context("-engine")?),
            "st" => spec.limits.movetime = Some(milliseconds("-engine st", value)?),
            "nodes" => spec.limits.nodes = Some(number()?),
            "depth" | "plies" => spec.limits.depth = Some(number()?.min(1_000) as u32),
            "timemargin" => spec.margin = Some(whole("-engine timemargin", value, 0, MOST)?),
            _ => match key.strip_prefix("option.").filter(|name| !name.is_empty()) {
                Some(name) => spec.options.push((name.to_owned(), value.to_owned())),
                None => return Err(group.unknown(key, value)),
            },
        }
    }
    let command = command.context("-engine needs cmd=PROGRAM")?;
    spec.command = vec![program(command, spec.dir.as_deref())?];
    ensure!(!spec.limits.is_empty(), "-engine {command}: how long may it think? (tc, st, nodes or depth)");
    Ok(spec)
}

fn draw(group: &Group<'_>) -> Result<DrawRule> {
    let mut rule = DrawRule { after: 0, moves: 1, score: 0 };
    for pair in group.pairs() {
        let (key, value) = pair?;
        let number = |least| whole(&format!("-draw {key}"), value, least, 100_000);
        match key {
            "movenumber" => rule.after = number(0)? as u32,
            "movecount" => rule.moves = number(1)? as u32,
            "score" => rule.score = number(0)? as i32,
            _ => return Err(group.unknown(key, value)),
        }
    }
    Ok(rule)
}

/// The rule of fastchess's `twosided=true`, also without these words: both engines must agree.
fn resign(group: &Group<'_>) -> Result<ResignRule> {
    let mut rule = ResignRule { moves: 1, score: 0 };
    for pair in group.pairs() {
        let (key, value) = pair?;
        let number = |least| whole(&format!("-resign {key}"), value, least, 100_000);
        match key {
            "movecount" => rule.moves = number(1)? as u32,
            "score" => rule.score = number(1)? as i32,
            "twosided" if value == "true" => {}
            "twosided" => bail!("-resign twosided={value}: a game is resigned only when both engines agree"),
            _ => return Err(group.unknown(key, value)),
        }
    }
    ensure!(rule.score > 0, "-resign needs score=CENTIPAWNS");
    Ok(rule)
}

fn openings(group: &Group<'_>) -> Result<Openings> {
    let mut book = Openings { start: 1, ..Openings::default() };
    for pair in group.pairs() {
        match pair? {
            ("file", value) => book.file = value.into(),
            ("format", "epd") => {}
            ("format", value) => bail!("-openings format={value}: only epd is known"),
            ("order", "random") => book.random = true,
            ("order", "sequential") => book.random = false,
            ("start", value) => book.start = whole("-openings start", value, 1, u64::MAX)?,
            (key, value) => return Err(group.unknown(key, value)),
        }
    }
    ensure!(!book.file.as_os_str().is_empty(), "-openings needs file=FILE");
    Ok(book)
}

/// The PGN file; its comments always have what the client asks for.
fn pgn(group: &Group<'_>) -> Result<PathBuf> {
    let mut file = None;
    for pair in group.pairs() {
        match pair? {
            ("file", value) => file = Some(PathBuf::from(value)),
            ("nodes" | "seldepth", "true") | ("match_line", MATCH_LINE) => {}
            (key, value) => return Err(group.unknown(key, value)),
        }
    }
    file.context("-pgnout needs file=FILE")
}

impl Options {
    /// Parses the words after the name of the program.
    ///
    /// # Errors
    /// The first word that is not known or wrong, or an option that is missing.
    pub(super) fn parse(words: &[String]) -> Result<Self> {
        let mut engines = Vec::new();
        let (mut concurrency, mut rounds, mut games, mut seed) = (1, None, 2, 0);
        let (mut drawn, mut resigned, mut book, mut file) = (None, None, None, None);
        for group in groups(words)? {
            match group.name {
                "-engine" => engines.push(engine(&group)?),
                // An engine that fails is always restarted, and nothing but results is printed.
                "-recover" | "-testEnv" => group.nothing()?,
                "-variant" => {
                    let variant = group.single()?;
                    ensure!(
                        variant == "standard",
                        "-variant {variant}: only standard is known, which is Makruk here (OpenBench takes a book with \
                         FRC, 960 or FISCHER in its name for one of Chess960)"
                    );
                }
                "-concurrency" => concurrency = group.number(1, 1024)? as usize,
                "-rounds" => rounds = Some(group.number(1, MOST)?),
                "-games" => games = group.number(1, 2)?,
                "-srand" => seed = group.number(0, u64::MAX)?,
                "-draw" => drawn = Some(draw(&group)?),
                "-resign" => resigned = Some(resign(&group)?),
                "-openings" => book = Some(openings(&group)?),
                "-pgnout" => file = Some(pgn(&group)?),
                "-tb" | "-tbpieces" => bail!(
                    "{}: there are no Syzygy tablebases of Makruk (the workload needs syzygy_adj=DISABLED)",
                    group.name
                ),
                name => bail!("'{name}' is not known: OpenBench's client does not give it"),
            }
        }
        ensure!(engines.len() == 2, "two engines are needed (-engine), not {}", engines.len());
        Ok(Self {
            engines,
            concurrency,
            rounds: rounds.context("-rounds is missing")?,
            games,
            draw: drawn,
            resign: resigned,
            openings: book.context("-openings is missing")?,
            seed,
            pgn: file,
        })
    }
}
