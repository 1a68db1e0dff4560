//! The command `tablebase`.

use std::fmt::Write;
use std::io::BufRead;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, bail, ensure};
use clap::{Args, Subcommand};
use sakmak_eval::tablebase::{Ending, MAX_MEN, MoveValue, Probe, TableInfo, Tablebases, Value};
use sakmak_movegen::{Color, Position};
use sakmak_tools::tablebase::{BuildEvent, RESULTS_HEAD, build_missing, build_order, check, results_row};
use serde::Serialize;

use super::args::{thread_count, whole};
use super::progress;
use super::stdout::{print, print_json, warn};

/// Build, describe, check and probe tablebases
///
/// An ending is named by the men of both sides, White's first: KSMvK, KRvKN, KNBvKB with R rua, S khon, N maa, M met
/// and B bia.
#[derive(Args)]
pub(crate) struct Tablebase {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Build(BuildArgs),
    Info(InfoArgs),
    Check(CheckArgs),
    Probe(ProbeArgs),
}

/// The folders of tablebases.
#[derive(Args)]
struct Folders {
    /// Folder of tablebases; may be given several times
    #[arg(long = "dir", value_name = "D", default_value = "tablebases")]
    dirs: Vec<PathBuf>,
}

/// Opens the tablebases of folders, with a warning for each unusable file. Without folders the result is empty.
///
/// # Errors
/// If the folders have no tablebases.
pub(crate) fn open(dirs: &[PathBuf]) -> Result<Tablebases> {
    let (tables, errors) = Tablebases::open(dirs);
    for error in &errors {
        warn(format_args!("warning: {error}"));
    }
    let found = dirs.is_empty() || !tables.is_empty();
    ensure!(found, "no tables found; `sakmak-tools tablebase build` makes them");
    Ok(tables)
}

impl Tablebase {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Build(args) => args.run(),
            Command::Info(args) => args.run(),
            Command::Check(args) => args.run(),
            Command::Probe(args) => args.run(),
        }
    }
}

/// Build the tablebases of endings, and those that they need
///
/// Files that the folder already has are kept, so that an interrupted run continues where it stopped. The files do not
/// depend on the number of threads. Without names all endings of up to four men are built.
#[derive(Args)]
struct BuildArgs {
    /// Folder to write to
    #[arg(long, value_name = "D", default_value = "tablebases")]
    dir: PathBuf,
    /// Build all endings of up to N men, the two khun included
    #[arg(long, value_name = "N", value_parser = whole::<u8>(3..=MAX_MEN as u64))]
    men: Option<u8>,
    /// Endings to build
    #[arg(value_name = "NAME", conflicts_with = "men")]
    names: Vec<Ending>,
    /// Threads [default: the number of cores]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

impl BuildArgs {
    fn run(&self) -> Result<ExitCode> {
        let endings = if self.names.is_empty() {
            (3..=usize::from(self.men.unwrap_or(4))).flat_map(Ending::all).collect()
        } else {
            self.names.clone()
        };
        let order = build_order(&endings);
        let bar =
            progress::bar(Some(order.len() as u64), "{bar:30} {pos}/{len} tables  {msg}  {elapsed} gone");
        let current = std::sync::Mutex::new(String::new());
        let name = || current.lock().map(|name| name.clone()).unwrap_or_default();
        let report = |event: BuildEvent<'_>| match event {
            BuildEvent::Replacing(error) => bar.suspend(|| warn(format_args!("building anew: {error}"))),
            BuildEvent::Started(ending) => {
                if let Ok(mut name) = current.lock() {
                    *name = ending.to_string();
                }
                bar.set_message(ending.to_string());
            }
            BuildEvent::Round(round) => bar.set_message(format!("{}: {round} moves", name())),
            BuildEvent::Finished(_) => bar.inc(1),
        };
        let built = build_missing(&order, &self.dir, progress::threads(self.threads).get(), &report)?;
        bar.finish_and_clear();
        let (tables, _) = Tablebases::open([&self.dir]);
        let megabytes = tables.bytes() as f64 / 1e6;
        let kept = order.len() - built;
        let dir = self.dir.display();
        print(&format!("{built} built, {kept} kept; {dir}: {} tables, {megabytes:.1} MB\n", tables.len()))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Print the statistics of tablebases
#[derive(Args)]
struct InfoArgs {
    #[command(flatten)]
    folders: Folders,
    /// Endings [default: all in the folders]
    #[arg(value_name = "NAME")]
    names: Vec<Ending>,
    /// Count the positions that the first side, to move, wins in more than MOVES of its moves
    #[arg(long, value_name = "MOVES", value_parser = whole::<u64>(..))]
    cap: Option<u64>,
    /// Print one JSON object for each ending
    #[arg(long)]
    json: bool,
    /// Print a Markdown table with a row for each ending
    #[arg(long, conflicts_with_all = ["json", "cap"])]
    markdown: bool,
}

#[derive(Serialize)]
struct SideJson {
    legal: u64,
    won: u64,
    drawn: u64,
    lost: u64,
    longest: u16,
    longest_fen: String,
}

#[derive(Serialize)]
struct InfoJson {
    name: String,
    rules: String,
    file: String,
    bytes: u64,
    white_to_move: SideJson,
    black_to_move: SideJson,
    #[serde(skip_serializing_if = "Option::is_none")]
    cut: Option<u64>,
}

impl InfoJson {
    fn new(info: &TableInfo, cap: Option<u64>) -> Self {
        let side = |color: Color| {
            let statistics = &info.sides[color.index()];
            SideJson {
                legal: statistics.legal(),
                won: statistics.won(),
                drawn: statistics.drawn(),
                lost: statistics.lost(),
                longest: statistics.longest(),
                longest_fen: info.longest[color.index()].to_string(),
            }
        };
        Self {
            name: info.ending.to_string(),
            rules: info.family.to_string(),
            file: info.path.display().to_string(),
            bytes: info.bytes,
            white_to_move: side(Color::White),
            black_to_move: side(Color::Black),
            cut: cap.map(|cap| info.sides[0].won_later_than(cap)),
        }
    }
}

/// `part` of `whole` in percent.
fn percent(part: u64, whole: u64) -> f64 {
    100.0 * part as f64 / whole.max(1) as f64
}

impl InfoArgs {
    fn run(&self) -> Result<ExitCode> {
        let tables = open(&self.folders.dirs)?;
        let mut names = self.names.clone();
        if names.is_empty() {
            names =
                (3..=MAX_MEN).flat_map(Ending::all).filter(|ending| tables.info(ending).is_some()).collect();
        }
        if self.markdown {
            print(&format!("{RESULTS_HEAD}\n"))?;
        }
        for name in &names {
            let info = tables.info(name).with_context(|| format!("there is no table of {name}"))?;
            if self.markdown {
                print(&format!("{}\n", results_row(&info)))?;
            } else if self.json {
                print_json(&InfoJson::new(&info, self.cap))?;
            } else {
                print(&describe(&info, self.cap))?;
            }
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// The contents of a tablebase as text.
fn describe(info: &TableInfo, cap: Option<u64>) -> String {
    let mut text = format!(
        "{}: {} ({:.1} MB), rules: {}\n",
        info.ending,
        info.path.display(),
        info.bytes as f64 / 1e6,
        info.family
    );
    for color in Color::ALL {
        let statistics = &info.sides[color.index()];
        let legal = statistics.legal();
        let part = |number: u64| format!("{number} ({:.2}%)", percent(number, legal));
        let _ = write!(
            text,
            "  {color} to move: {legal} placements, won {}, drawn {}, lost {}\n    longest {} plies: {}\n",
            part(statistics.won()),
            part(statistics.drawn()),
            part(statistics.lost()),
            statistics.longest(),
            info.longest[color.index()],
        );
    }
    if let Some(cap) = cap {
        let cut = info.sides[0].won_later_than(cap);
        let share = percent(cut, info.sides[0].won());
        let _ =
            writeln!(text, "  wins of white, to move, that need more than {cap} moves: {cut} ({share:.2}%)");
    }
    text
}

/// Verify that every value follows from those of the legal moves
///
/// The rules of the game generate moves and counts, not the solver. The exit status is 1 if a value is wrong.
#[derive(Args)]
struct CheckArgs {
    #[command(flatten)]
    folders: Folders,
    /// Endings [default: all in the folders]
    #[arg(value_name = "NAME")]
    names: Vec<Ending>,
    /// Check N random placements of each ending instead of all
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    sample: Option<u64>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
}

impl CheckArgs {
    fn run(&self) -> Result<ExitCode> {
        let tables = open(&self.folders.dirs)?;
        let names = match &self.names[..] {
            [] => {
                (3..=MAX_MEN).flat_map(Ending::all).filter(|ending| tables.info(ending).is_some()).collect()
            }
            names => names.to_vec(),
        };
        let mut wrong = 0;
        for name in &names {
            let bar = progress::bar(None, "{bar:30} {percent}%  {msg}  {elapsed} gone");
            bar.set_message(name.to_string());
            let sample = self.sample.map(|number| (number, self.seed));
            let update = |done, total| {
                bar.set_length(total);
                bar.set_position(done);
            };
            let report = check(&tables, name, sample, &update);
            bar.finish_and_clear();
            let report = report.with_context(|| format!("there is no table of {name}"))?;
            print(&format!(
                "{name}: {} entries checked, {} differences\n",
                report.checked, report.differences
            ))?;
            for difference in &report.examples {
                let show = |value: Option<Value>| {
                    value.map_or("nothing".to_owned(), |value| value_text(value, None))
                };
                print(&format!(
                    "  {}: the table has {}, its successors {}\n",
                    difference.position,
                    show(difference.found),
                    show(difference.expected)
                ))?;
            }
            if report.statistics_agree == Some(false) {
                print("  the statistics of the header are not those of the entries\n")?;
            }
            wrong += report.differences + u64::from(report.statistics_agree == Some(false));
        }
        for path in tables.damaged() {
            warn(format_args!("error: {}: damaged", path.display()));
            wrong += 1;
        }
        Ok(ExitCode::from(u8::from(wrong > 0)))
    }
}

/// Print the value of a position and of each legal move, best first
///
/// The values consider the count of the FEN. If it has none, and no bia is on the board, the count begins with the next
/// move, as in a game. Plies are to mate, or to the capture or promotion that decides, the move itself included.
#[derive(Args)]
struct ProbeArgs {
    #[command(flatten)]
    folders: Folders,
    /// The position; `-` reads one position from each line of standard input
    #[arg(long)]
    fen: String,
    /// Print a JSON object; with `-` one in each line
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct MoveJson {
    #[serde(rename = "move")]
    mv: String,
    value: &'static str,
    plies: Option<u16>,
    #[serde(skip_serializing_if = "Option::is_none")]
    then: Option<u16>,
}

#[derive(Serialize)]
struct ProbeJson {
    fen: String,
    value: &'static str,
    plies: Option<u16>,
    left: Option<i32>,
    moves: Vec<MoveJson>,
}

fn value_name(value: Value) -> &'static str {
    match value {
        Value::Win(_) => "win",
        Value::Draw => "draw",
        Value::Loss(_) => "loss",
    }
}

fn value_text(value: Value, then: Option<u16>) -> String {
    let mut text = value_name(value).to_owned();
    if let Some(plies) = value.plies() {
        let _ = write!(text, " in {plies}");
    }
    if let Some(then) = then {
        let _ = write!(text, ", then in {then}");
    }
    text
}

impl ProbeArgs {
    fn run(&self) -> Result<ExitCode> {
        let tables = open(&self.folders.dirs)?;
        if self.fen != "-" {
            self.probe(&tables, &self.fen)?;
            return Ok(ExitCode::SUCCESS);
        }
        let mut failed = false;
        for line in std::io::stdin().lock().lines() {
            let line = line.context("cannot read standard input")?;
            if line.trim().is_empty() {
                continue;
            }
            if let Err(error) = self.probe(&tables, &line) {
                if error.is::<super::stdout::OutputClosed>() {
                    return Err(error);
                }
                warn(format_args!("error: {line}: {error:#}"));
                failed = true;
            }
        }
        Ok(ExitCode::from(u8::from(failed)))
    }

    fn probe(&self, tables: &Tablebases, fen: &str) -> Result<()> {
        let position = Position::from_fen(fen)?;
        let undamaged = || match tables.damaged().next() {
            Some(path) => bail!("{}: damaged", path.display()),
            None => Ok(()),
        };
        let Some(probe) = tables.probe(&position) else {
            undamaged()?;
            match Ending::from_position(&position) {
                Some(ending) => bail!("no tablebase has this position ({ending})"),
                None => bail!("no tablebase has this number of men"),
            }
        };
        let Some(moves) = tables.move_values(&position) else {
            undamaged()?;
            bail!("a move leads to an ending without a tablebase");
        };
        if !self.json {
            return print(&probe_text(&position, &probe, &moves));
        }
        let json = ProbeJson {
            fen: position.to_string(),
            value: value_name(probe.value),
            plies: probe.value.plies(),
            left: probe.left,
            moves: moves
                .iter()
                .map(|value| MoveJson {
                    mv: value.mv.to_string(),
                    value: value_name(value.value),
                    plies: value.value.plies(),
                    then: value.then,
                })
                .collect(),
        };
        if self.fen == "-" { print(&(serde_json::to_string(&json)? + "\n")) } else { print_json(&json) }
    }
}

fn probe_text(position: &Position, probe: &Probe, moves: &[MoveValue]) -> String {
    let mut text =
        format!("{position}\n{} to move: {}", position.side_to_move(), value_text(probe.value, None));
    if let Some(left) = probe.left {
        let _ = write!(text, ", {left} plies left by the count");
    }
    if probe.value != probe.uncounted {
        let _ = write!(text, " (without a count: {})", value_text(probe.uncounted, None));
    }
    text.push('\n');
    for value in moves {
        let _ = writeln!(text, "  {:<6} {}", value.mv.to_string(), value_text(value.value, value.then));
    }
    text
}
