//! The command `fastchess`: the match runner of OpenBench's client.

mod options;

use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::Ordering::Relaxed;
use std::time::Duration;

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use sakmak_eval::tablebase::Tablebases;
use sakmak_matches::statistics::Pentanomial;
use sakmak_matches::tournament::fastchess::finished_line;
use sakmak_matches::tournament::play::GameSettings;
use sakmak_matches::tournament::process::Timeouts;
use sakmak_matches::tournament::report::MatchReport;
use sakmak_matches::tournament::schedule::{Schedule, TournamentFormat};
use sakmak_matches::tournament::spec::{
    Adjudication, EngineLimits, EngineSpec, LONGEST_WITHOUT_REPETITION, Shard,
};
use sakmak_matches::tournament::{Match, MatchEnd, MatchEvent, PgnForm, run};
use sakmak_movegen::{Rules, Ruleset, Variant};

use super::matches::{names, openings, stop_on_signals, today};
use super::stdout::{print, print_error, warn};
use options::Options;

/// Play a match as OpenBench's client commands fastchess
///
/// Takes the options of fastchess that the client of OpenBench gives, plays Makruk (or the variant and the ruleset that
/// the engines' options UCI_Variant and Ruleset name) and prints results as fastchess does. A program whose name begins
/// with `fastchess` is this command. Exit status: 0 without errors, 1 if an engine made an error in a game, 2 if the
/// match could not be played.
#[derive(Args)]
pub(crate) struct Fastchess {
    /// Options of fastchess: -engine cmd=PROGRAM name=NAME tc=8+0.08 ... -rounds 16 -games 2 -pgnout file=FILE ...
    #[arg(value_name = "OPTION", required = true, trailing_var_arg = true, allow_hyphen_values = true)]
    words: Vec<String>,
}

/// The value of a UCI option that all engines with it agree on.
fn agreed<'a>(engines: &'a [EngineSpec], option: &str) -> Result<Option<&'a str>> {
    let mut values =
        engines.iter().flat_map(|spec| &spec.options).filter(|(name, _)| name.eq_ignore_ascii_case(option));
    let Some((_, first)) = values.next() else { return Ok(None) };
    let other = values.find(|(_, value)| !value.eq_ignore_ascii_case(first));
    ensure!(other.is_none(), "the engines have different values of {option}: a game has one");
    Ok(Some(first))
}

/// The rules of the match, from the options of the engines.
fn rules(engines: &[EngineSpec]) -> Result<Rules> {
    let variant = agreed(engines, "UCI_Variant")?.map(str::parse::<Variant>).transpose()?;
    let ruleset = agreed(engines, "Ruleset")?.map(str::parse::<Ruleset>).transpose()?;
    Ok(Rules::new(variant.unwrap_or_default(), ruleset.unwrap_or_default()))
}

/// The match that the options describe.
fn prepare(options: Options) -> Result<Match> {
    let rules = rules(&options.engines)?;
    let book = &options.openings;
    let (_, openings) = openings(Some(&book.file), rules)?;
    let seed = book.random.then_some(options.seed);
    let shard = Shard { index: 1, of: 1 };
    let games = options.rounds * options.games;
    ensure!(games.is_multiple_of(2), "-rounds must be even with -games 1: colours change from game to game");
    let schedule = Schedule::new(TournamentFormat::RoundRobin, 2, games / 2, openings.len(), seed, shard)
        .from_opening(book.start - 1);
    if let Some(path) = &options.pgn {
        let is_new = fs::metadata(path).map_or(true, |file| file.len() == 0);
        ensure!(is_new, "{}: there are games already", path.display());
    }
    Ok(Match {
        names: names(&options.engines),
        game: GameSettings {
            rules,
            limits: EngineLimits::default(),
            margin: 0,
            adjudication: Adjudication {
                draw: options.draw,
                resign: options.resign,
                // OpenBench sets no limit, and engines that shuffle without repetition play thousands of moves.
                max_moves: Some(LONGEST_WITHOUT_REPETITION),
            },
            tablebases: Tablebases::default(),
            timeouts: Timeouts::default(),
            longest_move: Duration::from_secs(600),
        },
        schedule: if options.games == 1 { schedule.with_single_games() } else { schedule },
        openings,
        concurrency: options.concurrency,
        engines: options.engines,
        sprt: None,
        pgn: options.pgn,
        pgn_form: PgnForm::Fastchess,
        resume: false,
        json: None,
        event: "OpenBench".to_owned(),
        date: today(),
        shard,
        fingerprint: String::new(),
        settings: Vec::new(),
    })
}

/// The totals for the first engine, with fastchess's order of wins, losses and draws.
fn totals(report: &MatchReport) -> String {
    let mut lines = String::new();
    for encounter in &report.totals.encounters {
        let [first, second] = &encounter.engines;
        let games = encounter.games;
        lines +=
            &format!("Score of {first} vs {second}: {} - {} - {}\n", games.wins, games.losses, games.draws);
        let Pentanomial { counts, .. } = &encounter.pairs;
        lines += &format!("Ptnml(0-2): {counts:?}\n");
    }
    lines
}

/// Removes a file that holds no game: the client takes a missing file for a match that could not be played.
fn remove_if_empty(path: &Path) {
    if fs::metadata(path).is_ok_and(|file| file.is_file() && file.len() == 0) {
        let _ = fs::remove_file(path);
    }
}

impl Fastchess {
    /// Plays the match.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        if let [word] = self.words.as_slice()
            && matches!(word.as_str(), "-version" | "--version" | "-v")
        {
            print(concat!("sakmak-tools ", env!("CARGO_PKG_VERSION"), "\n"))?;
            return Ok(ExitCode::SUCCESS);
        }
        let settings = prepare(Options::parse(&self.words)?)?;
        let stop = stop_on_signals()?;
        let mut out = std::io::stdout().lock();
        let mut unprinted = None;
        let ended = run(&settings, &stop, &mut |event, _| match event {
            MatchEvent::FinishedGame(task, names, _, played) => {
                let line = finished_line(task.number, *names, played);
                if let Err(error) = writeln!(out, "{line}").and_then(|()| out.flush()) {
                    // Nobody reads the results: the match is over.
                    unprinted.get_or_insert(error);
                    stop.store(true, Relaxed);
                }
            }
            MatchEvent::EngineError(error) => {
                let lines: String = error.dialogue.iter().map(|line| format!("\n    {line}")).collect();
                warn(format_args!(
                    "game {}: {} ({}) {}{lines}",
                    error.game, error.engine, error.color, error.fault
                ));
            }
            MatchEvent::Unwritten(error, text) => {
                warn(format_args!("{error:#}; what was to be written:\n\n{text}"));
            }
            MatchEvent::Notice(..) | MatchEvent::Resumed(_) | MatchEvent::ReportDelayed(_) => {}
        });
        if let Some(path) = &settings.pgn {
            remove_if_empty(path);
        }
        let (ending, report) = ended.context("the match cannot begin")?;
        if let Some(error) = unprinted {
            return Err(print_error(error));
        }
        write!(out, "{}", totals(&report)).and_then(|()| out.flush()).map_err(print_error)?;
        match ending {
            MatchEnd::Failed(error) => return Err(error),
            MatchEnd::Stopped => bail!("stopped"),
            MatchEnd::Complete | MatchEnd::Decided => {}
        }
        let faults: u64 = report.totals.engines.iter().map(|engine| engine.faults).sum();
        Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
