//! Opening sets: positions after random moves or out of games, judged to be balanced, each only once.

mod judge;
mod source;
mod write;

use std::collections::HashSet;
use std::io::IsTerminal;
use std::num::NonZeroUsize;
use std::ops::RangeInclusive;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sakmak_movegen::{Rules, Ruleset, Variant};
use sakmak_tools::output::{self, OutputFile};
use sakmak_tools::tournament::spec::EngineSpec;

use judge::Judges;
use source::Candidate;

/// Make sets of openings, of random legal moves or out of files of games
///
/// Nobody is in check, the game is not over and no count runs. Random moves include captures only if the
/// positions are judged (--max-eval), since otherwise they lose men. The same command makes the same set, whatever
/// the number of threads.
#[derive(Args)]
pub(crate) struct Openings {
    #[command(flatten)]
    settings: Box<Settings>,
}

impl Openings {
    /// Makes the openings and writes them.
    pub(crate) fn run(&self) -> Result<()> {
        self.settings.run()
    }
}

#[derive(Args)]
struct Settings {
    /// How many; by default 100 random ones, or all that --from finds
    #[arg(long)]
    count: Option<NonZeroUsize>,
    /// Plies of each, such as 8 or 8..20
    #[arg(long, default_value = "8")]
    plies: Plies,
    /// Seed of the random numbers; with --from the order of the games is random too, or theirs with 0
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Take the positions of these games (PGN or score sheets, - is standard input) instead of random moves
    #[arg(long, num_args = 1.., value_name = "FILE")]
    from: Vec<PathBuf>,
    /// The game
    #[arg(long, default_value_t, value_parser = sakmak_tools::args::named::<Variant>(Variant::NAMES))]
    variant: Variant,
    /// Whose rules the moves follow
    #[arg(long, default_value_t, value_parser = sakmak_tools::args::named::<Ruleset>(Ruleset::NAMES))]
    ruleset: Ruleset,
    /// Keep only positions judged to be within so many centipawns of equality
    #[arg(long, value_name = "CP")]
    max_eval: Option<u32>,
    /// Nodes to search each position before it is judged
    #[arg(long, default_value_t = 10_000, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: u64,
    /// Let this engine judge instead of Sakmak: cmd=PROGRAM ARGUMENTS,option.NAME=VALUE (also dir, nodes, depth,
    /// movetime)
    #[arg(long, value_name = "SPEC", requires = "max_eval")]
    engine: Option<EngineSpec>,
    /// Threads to judge with, all cores by default; each has an engine of its own
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// How to write them
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// The same as --format epd
    #[arg(long, conflicts_with = "format")]
    epd: bool,
    /// Begin with a line `# sakmak-tools openings ...` that tells the command (Cute Chess takes no such lines)
    #[arg(long)]
    header: bool,
    /// Write to this file instead of standard output; a file is only replaced if it begins with such a line
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The form of a set. All arm the count, so that Cute Chess plays by it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
enum Format {
    /// `... w - 0 0 5`
    #[default]
    Fen,
    /// `... w - 0`
    Epd,
    /// Games with the moves that lead there
    Pgn,
}

/// How many plies come before an opening.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Plies(RangeInclusive<u32>);

/// No opening is longer than this.
const MOST_PLIES: u32 = 199;

impl FromStr for Plies {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let (least, most) = text.split_once("..").unwrap_or((text, text));
        let number = |text: &str| text.parse().ok().filter(|n| (1..=MOST_PLIES).contains(n));
        match (number(least), number(most)) {
            (Some(least), Some(most)) if least <= most => Ok(Self(least..=most)),
            _ => Err(format!("a number from 1 to {MOST_PLIES} or two such as 8..20 are needed")),
        }
    }
}

impl std::fmt::Display for Plies {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let (least, most) = (self.0.start(), self.0.end());
        if least == most { write!(f, "{least}") } else { write!(f, "{least}..{most}") }
    }
}

/// How the line of --header begins.
const MARK: &str = "# sakmak-tools openings ";
/// Openings made if nothing says how many.
const DEFAULT_COUNT: usize = 100;
/// Random games tried for each opening asked for, before giving up on finding new ones.
const TRIES_EACH: usize = 1_000;
/// Positions each judge gets at a time.
const BATCH: usize = 8;

impl Settings {
    fn run(&self) -> Result<()> {
        let format = if self.epd { Format::Epd } else { self.format };
        ensure!(!self.header || format != Format::Pgn, "--header goes with FEN and EPD");
        // Before the work, which takes a while.
        let file = self.output.as_ref().map(|path| OutputFile::replace(path, MARK)).transpose()?;
        let wanted = self.count.map(NonZeroUsize::get);
        let wanted = if self.from.is_empty() { wanted.or(Some(DEFAULT_COUNT)) } else { wanted };
        let found = self.find(wanted)?;
        let text = match format {
            Format::Fen => write::lines(&found, self.header.then(|| self.command(format)), write::fen),
            Format::Epd => write::lines(&found, self.header.then(|| self.command(format)), write::epd),
            Format::Pgn => write::games(&found)?,
        };
        match file {
            Some(file) => file.write(&text),
            None => output::print(&text),
        }
    }

    /// The openings, in the order of their finding.
    fn find(&self, wanted: Option<usize>) -> Result<Vec<Candidate>> {
        let rules = Rules::new(self.variant, self.ruleset);
        let captures = self.max_eval.is_some();
        let mut tries = 0;
        let candidates: Box<dyn Iterator<Item = Candidate>> = if self.from.is_empty() {
            let most = wanted.unwrap_or(DEFAULT_COUNT).saturating_mul(TRIES_EACH);
            Box::new(source::random(rules, &self.plies.0, captures, self.seed).take(most).flatten())
        } else {
            Box::new(source::of_games(&self.from, self.output.as_deref(), rules, &self.plies.0, self.seed)?)
        };
        let mut seen = HashSet::new();
        let mut candidates =
            candidates.inspect(|_| tries += 1).filter(|candidate| seen.insert(candidate.position.key()));

        let threads = self.threads.or_else(|| std::thread::available_parallelism().ok());
        let threads = threads.map_or(1, NonZeroUsize::get);
        let mut judges = match self.max_eval {
            Some(most) => Some((Judges::new(threads, self.engine.as_ref(), rules, self.nodes)?, most)),
            None => None,
        };
        let bar = progress_bar(wanted);
        let (mut found, mut outside) = (Vec::new(), 0_u64);
        loop {
            let missing = wanted.map_or(usize::MAX, |wanted| wanted - found.len());
            // Without judges all are good.
            let batch: Vec<_> =
                candidates.by_ref().take(if judges.is_some() { threads * BATCH } else { missing }).collect();
            if batch.is_empty() || missing == 0 {
                break;
            }
            let good = match &mut judges {
                Some((judges, most)) => {
                    let scores = judges.scores(&batch)?;
                    scores.into_iter().map(|s| s.is_some_and(|s| s.unsigned_abs() <= *most)).collect()
                }
                None => vec![true; batch.len()],
            };
            outside += good.iter().filter(|&&good| !good).count() as u64;
            let good = batch.into_iter().zip(good).filter(|(_, good)| *good).map(|(candidate, _)| candidate);
            found.extend(good.take(missing));
            bar.set_position(found.len() as u64);
            bar.set_message(format!("{outside} not balanced"));
        }
        drop(candidates);
        bar.finish_and_clear();
        let least = wanted.unwrap_or(1);
        ensure!(
            found.len() >= least,
            "found only {} of {least} openings of {} plies; of {tries} positions {} were different and {outside} not \
             balanced",
            found.len(),
            self.plies,
            seen.len(),
        );
        Ok(found)
    }

    /// The command that makes this set.
    fn command(&self, format: Format) -> String {
        let mut words = vec![MARK.trim_start_matches("# ").trim_end().to_owned()];
        words.extend(self.count.map(|count| format!("--count {count}")));
        words.push(format!("--plies {} --seed {}", self.plies, self.seed));
        if !self.from.is_empty() {
            let names: Vec<_> = self.from.iter().map(|path| path.to_string_lossy()).collect();
            words.push(format!("--from {}", names.join(" ")));
        }
        if (self.variant, self.ruleset) != Default::default() {
            words.push(format!("--variant {} --ruleset {}", self.variant, self.ruleset));
        }
        if let Some(most) = self.max_eval {
            words.push(format!("--max-eval {most} --nodes {}", self.nodes));
        }
        if let Some(engine) = &self.engine {
            words.push(format!("--engine cmd={}", engine.command.join(" ")));
        }
        words.push(if format == Format::Epd { "--format epd --header" } else { "--header" }.to_owned());
        words.join(" ").replace(char::is_control, " ")
    }
}

/// Shows how far the search for openings is, on a terminal.
fn progress_bar(wanted: Option<usize>) -> ProgressBar {
    if !std::io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(wanted.map(|n| n as u64), ProgressDrawTarget::stderr());
    let template = match wanted {
        Some(_) => "{bar:30} {pos}/{len} openings, {msg}  {elapsed} gone, {eta} left",
        None => "{spinner} {pos} openings, {msg}  {elapsed} gone",
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plies_are_one_number_or_two() {
        assert_eq!("8".parse(), Ok(Plies(8..=8)));
        assert_eq!("8..20".parse(), Ok(Plies(8..=20)));
        assert_eq!(Plies(8..=20).to_string(), "8..20");
        for text in ["", "0", "200", "9..8", "8..", "..8", "8..9..10", "x"] {
            assert!(text.parse::<Plies>().is_err(), "{text}");
        }
    }
}
