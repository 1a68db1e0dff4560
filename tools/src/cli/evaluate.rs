//! The command `evaluate`.

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, anyhow, ensure};
use clap::{Args, ValueEnum};
use indicatif::ProgressBar;
use sakmak_engine::Limits;
use sakmak_eval::DtmTables;
use sakmak_evals::{EvaluateJob, EvaluateMonitor, EvaluateProgress, InputFormat, Place};
use sakmak_files::games::{BrokenGame, GameFiles, ReadMonitor, ReadWarning, UnreadableFile};
use sakmak_games::ReadOptions;
use sakmak_movegen::{Rules, Ruleset, Variant};

use super::args::{named, thread_count, whole};
use super::progress::{LineTimer, bar, threads};
use super::stdout::{print_error, warn};

/// Evaluate positions: a line of JSON for each
///
/// The lines are those of `sakmak analyse --json`, without the time and with the rules and the place in the input. Every
/// search begins cleared and has one thread, so that with --nodes or --depth the output is always the same.
#[derive(Args)]
#[command(
    after_help = "Positions and games that are wrong are reported on standard error and have a line with `error`. \
    The exit status is 0 if every position was searched, 1 if some were wrong and 2 if a file could not be read or \
    written. docs/evaluations.md describes the lines."
)]
pub(crate) struct Evaluate {
    /// Files of positions, a FEN or EPD record a line, or of games in PGN; - or no file means standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this new file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Resume where --out ends; give the same files and options
    #[arg(long, requires = "out")]
    resume: bool,
    /// End at the first position or game that is wrong
    #[arg(long)]
    stop_on_error: bool,
    /// Positions searched in parallel [default: the number of cores]
    #[arg(long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    #[command(flatten)]
    search: SearchArgs,
}

/// What the lines depend on.
#[derive(Args)]
pub(super) struct SearchArgs {
    /// What the files contain; standard input has lines unless this says games
    #[arg(long, value_enum, default_value_t)]
    format: Format,
    /// Search to depth DEPTH, in plies
    #[arg(long, value_parser = whole::<u32>(1..))]
    depth: Option<u32>,
    /// Search NODES nodes [default: 1000000 without another limit]
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Search for MS milliseconds
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..))]
    movetime: Option<u64>,
    /// Number of best lines
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = whole::<u16>(1..=500))]
    multipv: u16,
    /// Size of the transposition table of each search, in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = whole::<u32>(1..=33_554_432))]
    hash: u32,
    /// The variant [default: the Variant tag of each game, makruk for positions]
    #[arg(long, value_parser = named::<Variant>(Variant::NAMES))]
    variant: Option<Variant>,
    /// The ruleset
    #[arg(long, default_value_t, value_parser = named::<Ruleset>(Ruleset::NAMES))]
    ruleset: Ruleset,
    /// Parts of the rules of positions that differ from the ruleset, such as "Repetition=none"
    #[arg(long, default_value = "", hide_default_value = true)]
    rule_parts: String,
}

/// Nodes of a search without another limit.
const DEFAULT_NODES: u64 = 1_000_000;

/// What the files contain.
#[derive(Clone, Copy, Default, ValueEnum)]
enum Format {
    /// Games if the first line begins with [, else lines
    #[default]
    Auto,
    /// A FEN or EPD record a line
    Lines,
    /// Games in PGN, or score sheets
    Games,
}

/// Reports on standard error.
struct Console {
    bar: ProgressBar,
    timer: LineTimer,
}

impl Console {
    fn print_line(&self, line: impl std::fmt::Display) {
        self.bar.suspend(|| warn(line));
    }

    /// `12 positions, 3.4 a second, 0.9 million nodes a second`.
    fn rate(&self, done: EvaluateProgress) -> String {
        let seconds = self.timer.elapsed().as_secs_f64().max(1e-9);
        format!(
            "{} positions, {:.1} a second, {:.1} million nodes a second",
            done.positions,
            done.positions as f64 / seconds,
            done.nodes as f64 / seconds / 1e6
        )
    }
}

impl EvaluateMonitor for Console {
    fn fault(&mut self, place: &Place, error: &str) {
        self.print_line(format_args!("{place}: error: {error}"));
    }

    fn warning(&mut self, place: &Place, message: &str) {
        self.print_line(format_args!("{place}: warning: {message}"));
    }

    fn progress(&mut self, progress: EvaluateProgress) {
        let rate = self.rate(progress);
        if self.bar.is_hidden() && self.timer.is_due() {
            warn(&rate);
        }
        self.bar.set_message(rate);
    }
}

/// Reports about files of games; broken games are reported by their lines.
struct Files;

impl ReadMonitor for Files {
    fn broken(&mut self, _: &BrokenGame) {}

    fn warning(&mut self, warning: &ReadWarning) {
        warn(warning);
    }

    fn unreadable(&mut self, file: &UnreadableFile) {
        warn(format_args!("error: {}: {}", file.file, file.reason));
    }

    fn progress(&mut self, _: u64, _: u64) {}
}

impl Evaluate {
    /// Evaluates the positions.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let stdin = [PathBuf::from("-")];
        let paths = if self.files.is_empty() { &stdin[..] } else { &self.files };
        let job = EvaluateJob {
            threads: threads(self.threads).get(),
            resume: self.resume,
            stops_at_fault: self.stop_on_error,
            ..self.search.job(paths)?
        };
        if let Some(out) = &self.out {
            let is_read = GameFiles { paths, options: job.options }.contains(out);
            ensure!(!is_read, "{}: is to be read, not written", out.display());
        }
        let mut console =
            Console { bar: bar(None, "{spinner} {msg}  {elapsed} gone"), timer: LineTimer::start() };
        let evaluated = match &self.out {
            Some(out) => job.run(out, &mut Files, &mut console),
            None => {
                job.run_to(&mut io::stdout().lock(), &mut Files, &mut console).map_err(|error| match error
                    .downcast::<io::Error>(
                ) {
                    Ok(error) => print_error(error),
                    Err(error) => error,
                })
            }
        };
        console.bar.finish_and_clear();
        let evaluated = evaluated?;
        let done = evaluated.done;
        warn(format_args!(
            "{}; {} wrong, {} there already",
            console.rate(done),
            done.faults,
            evaluated.resumed
        ));
        Ok(ExitCode::from(match (evaluated.unreadable, done.faults) {
            (0, 0) => 0,
            (0, _) => 1,
            _ => 2,
        }))
    }
}

impl SearchArgs {
    /// The job of these files on one thread.
    ///
    /// # Errors
    /// If the parts of the rules are wrong.
    pub(super) fn job<'a>(&self, paths: &'a [PathBuf]) -> Result<EvaluateJob<'a>> {
        let rules = Rules::new(self.variant.unwrap_or_default(), self.ruleset)
            .with_parts(&self.rule_parts)
            .map_err(|fault| anyhow!("--rule-parts: {fault}"))?;
        Ok(EvaluateJob {
            paths,
            name: None,
            format: match self.format {
                Format::Auto => InputFormat::Detected,
                Format::Lines => InputFormat::Lines,
                Format::Games => InputFormat::Games,
            },
            options: ReadOptions {
                variant: self.variant,
                ruleset: self.ruleset,
                main_line_only: true,
                ..ReadOptions::default()
            },
            rules,
            limits: self.limits(),
            multi_pv: usize::from(self.multipv),
            hash_mb: self.hash as usize,
            threads: 1,
            resume: false,
            stops_at_fault: false,
            pairs: DtmTables::default(),
        })
    }

    fn limits(&self) -> Limits {
        let (depth, move_time) = (self.depth, self.movetime.map(Duration::from_millis));
        let is_limited = depth.is_some() || move_time.is_some();
        let nodes = self.nodes.or((!is_limited).then_some(DEFAULT_NODES));
        Limits { depth, nodes, move_time, ..Limits::default() }
    }
}
