//! The command `annotate`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::{ArgGroup, Args};
use sakmak_eval::DtmTables;
use sakmak_files::games::{BrokenGame, GameFiles, ReadMonitor, UnreadableFile};
use sakmak_files::output::{OutputError, OutputFile};
use sakmak_games::ReadOptions;
use sakmak_matches::tournament::spec::EngineSpec;
use sakmak_movegen::{Ruleset, Variant};
use sakmak_tools::annotate::{AnnotateJob, AnnotateProgress, Effort, Language, REPORT_MARK, write_report};

use super::args::{thread_count, whole};
use super::progress::{FileProgress, LineTimer, exit_code, threads};
use super::stdout::warn;
use super::tablebase;

/// Annotate games with evaluations, mistakes, better lines, and errors about the count
///
/// Every position is searched, from the end of a game to its start. Each move gets its evaluation as [%eval]. A move
/// that lowers the expected score by 0.05, 0.10 or 0.15 points gets ?!, ? or ??, and a better line. A comment explains
/// a move that begins a count too short to win, a lost race with the count, and a draw by the count that was not
/// claimed; with tablebases these comments are exact. Tags state the accuracy of both sides.
#[derive(Args)]
#[command(
    after_help = "Broken games are reported on standard error and stay as they are. The exit status is 0 if every \
    game was annotated, 1 if some were broken and 2 if a file could not be read or written."
)]
pub(crate) struct Annotate {
    /// Files of games in PGN, or score sheets
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// New file for the annotated games
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Resume where --out and --json end; give the same files and options
    #[arg(long)]
    resume: bool,
    /// Games annotated in parallel [default: the number of cores]
    #[arg(long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Write an HTML page about all games of the output to this new file; it needs no other files. With --resume an
    /// earlier page is replaced
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    /// Language of the page, en or th, unless the browser asks for the other one
    #[arg(long, default_value = "en", value_parser = language)]
    lang: Language,
    /// Write one line of JSON for each game to this new file
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    review: ReviewArgs,
}

/// What the annotations depend on.
#[derive(Args)]
#[command(group = ArgGroup::new("effort").required(true))]
pub(super) struct ReviewArgs {
    /// Search each position for NODES nodes
    #[arg(long, group = "effort", value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Search each position for MS milliseconds
    #[arg(long, value_name = "MS", group = "effort", value_parser = whole::<u64>(1..))]
    movetime: Option<u64>,
    /// UCI engine that evaluates, described as for `match` [default: Sakmak itself]
    #[arg(long, value_name = "SPEC")]
    pub(super) engine: Option<EngineSpec>,
    /// Folder of tablebases; may be given several times
    #[arg(long = "tablebase", value_name = "DIR")]
    pub(super) tablebases: Vec<PathBuf>,
    /// Read only games of this variant, such as makruk or cambodian [default: the Variant tag of each game]
    #[arg(long)]
    variant: Option<Variant>,
    /// Ruleset for legal moves and draws
    #[arg(long, default_value_t, value_parser = super::args::named::<Ruleset>(Ruleset::NAMES))]
    ruleset: Ruleset,
}

/// A monitor that reports nothing: broken games were reported when they were annotated.
struct Silent;

impl ReadMonitor for Silent {
    fn broken(&mut self, _: &BrokenGame) {}

    fn unreadable(&mut self, file: &UnreadableFile) {
        warn(format_args!("error: {}: {}", file.file, file.reason));
    }

    fn progress(&mut self, _: u64, _: u64) {}
}

/// Parses the language code of the page.
fn language(code: &str) -> Result<Language, String> {
    match code {
        "en" => Ok(Language::English),
        "th" => Ok(Language::Thai),
        _ => Err("en or th".to_owned()),
    }
}

impl ReviewArgs {
    /// How games are read.
    pub(super) fn options(&self) -> ReadOptions {
        ReadOptions { variant: self.variant, ruleset: self.ruleset, ..ReadOptions::default() }
    }

    /// The limit of each search.
    pub(super) fn effort(&self) -> Effort {
        match (self.nodes, self.movetime) {
            (Some(nodes), _) => Effort::Nodes(nodes),
            (None, ms) => Effort::MoveTime(ms.unwrap_or(1_000)),
        }
    }

    /// The tag Annotator.
    pub(super) fn annotator(&self) -> String {
        let who = self.engine.as_ref().map_or("Sakmak", |spec| match spec.name.as_str() {
            "" => spec.command[0].as_str(),
            name => name,
        });
        match self.effort() {
            Effort::Nodes(nodes) => format!("{who}, {nodes} nodes a position"),
            Effort::MoveTime(ms) => format!("{who}, {ms} ms a position"),
        }
    }
}

impl Annotate {
    /// The output file of the page: a new one, or with --resume that of the earlier run.
    fn report_file(&self, path: &Path) -> Result<OutputFile, OutputError> {
        if self.resume {
            return OutputFile::replace(path, REPORT_MARK);
        }
        OutputFile::create(path).map_err(|error| match error {
            OutputError::Exists { path, .. } => OutputError::Resumable { path },
            error => error,
        })
    }

    /// Annotates the games.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let options = self.review.options();
        let files = GameFiles { paths: &self.files, options };
        let outputs = [Some(&self.out), self.json.as_ref(), self.report.as_ref()];
        let all: Vec<_> = outputs.iter().flatten().collect();
        let twice = all.iter().enumerate().find(|(place, path)| all[..*place].contains(path));
        ensure!(twice.is_none(), "--out, --json and --report need different files");
        for output in outputs.into_iter().flatten() {
            ensure!(!files.contains(output), "{}: is to be read, not written", output.display());
        }
        let report = self.report.as_deref().map(|path| self.report_file(path)).transpose()?;
        let job = AnnotateJob {
            files,
            effort: self.review.effort(),
            engine: self.review.engine.as_ref(),
            threads: threads(self.threads).get(),
            tables: &tablebase::open(&self.review.tablebases)?,
            pairs: &DtmTables::default(),
            before: 0,
            out: &self.out,
            json: self.json.as_deref(),
            resume: self.resume,
            annotator: &self.review.annotator(),
        };
        let mut monitor = FileProgress::new(&files);
        let mut timer = LineTimer::start();
        let mut first = None;
        let annotated = job.run(&mut monitor, |progress: AnnotateProgress| {
            let first = *first.get_or_insert(progress.games - 1);
            if timer.is_due() {
                let minutes = timer.elapsed().as_secs_f64() / 60.0;
                let rate = (progress.games - first) as f64 / minutes;
                warn(format_args!("{} games, {rate:.1} games a minute", progress.games));
            }
        })?;
        if let Some(report) = report {
            let mut draft = report.draft()?;
            let annotated = GameFiles { paths: std::slice::from_ref(&self.out), options };
            let title: Vec<_> = self.files.iter().filter_map(|path| path.file_name()?.to_str()).collect();
            write_report(&annotated, &title.join(", "), self.lang, &mut draft, &mut Silent)?;
            draft.commit()?;
        }
        let minutes = timer.elapsed().as_secs_f64() / 60.0;
        warn(format_args!(
            "{} games annotated, {:.1} a minute; {} broken, {} there already",
            annotated.annotated,
            annotated.annotated as f64 / minutes.max(1e-9),
            annotated.summary.broken,
            annotated.resumed
        ));
        Ok(exit_code(annotated.summary.unreadable.len(), annotated.summary.broken))
    }
}
