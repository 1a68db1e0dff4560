//! The commands `match`, `merge` and `sprt`.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail, ensure};
use clap::{ArgGroup, Args};
use indicatif::ProgressBar;
use sakmak_eval::tablebase::Tablebases;
use sakmak_games::epd::read_openings;
use sakmak_matches::openings::OWN_OPENINGS;
use sakmak_matches::statistics::{Estimate, Multinomial, Pentanomial, Sprt, Trinomial};
use sakmak_matches::tournament::display::{crowding, duration, standings, summary, time_left};
use sakmak_matches::tournament::fingerprint::FingerprintFields;
use sakmak_matches::tournament::play::GameSettings;
use sakmak_matches::tournament::process::Timeouts;
use sakmak_matches::tournament::report::MatchReport;
use sakmak_matches::tournament::schedule::{Schedule, TournamentFormat};
use sakmak_matches::tournament::spec::{
    Adjudication, DrawRule, EngineLimits, EngineSpec, ResignRule, Shard, TimeControl, default_max_moves,
};
use sakmak_matches::tournament::store::sum_file;
use sakmak_matches::tournament::{Match, MatchEnd, MatchEvent, PgnForm, run};
use sakmak_movegen::{Game, Rules};
use sakmak_tools::tablebase::names as table_names;

use super::args::{RulesArgs, whole};
use super::stdout::{print, print_error, warn};
use super::{progress, tablebase};

/// Maximum of time options in seconds, over a year.
const LONGEST: u64 = 40_000_000;

/// Play games between UCI engines, refereed by Sakmak's rules
///
/// Every opening is played twice with colours reversed. The referee applies the ruleset; engines with an option Ruleset
/// get it, too. Exit status: 0 without errors, 1 if an engine made an error in a game, 2 if the match could not be
/// finished or its results could not be written.
#[derive(Args)]
pub(crate) struct MatchArgs {
    /// An engine: cmd=PROGRAM ARGUMENTS,name=NAME,option.NAME=VALUE,tc=8+0.08 (also dir, movetime, nodes, depth,
    /// margin); at least two. A comma inside a value is written \,
    #[arg(long = "engine", value_name = "SPEC", required = true)]
    engines: Vec<EngineSpec>,
    /// Clock of each side in seconds: 8+0.08, 40/60 or 40/60+0.5
    #[arg(long, value_name = "TIME")]
    tc: Option<TimeControl>,
    /// Milliseconds for each move
    #[arg(long, value_name = "MS", value_parser = whole::<u64>(1..))]
    movetime: Option<u64>,
    /// Nodes for each move
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Depth in plies for each move
    #[arg(long, value_parser = whole::<u32>(1..))]
    depth: Option<u32>,
    /// Milliseconds by which a move may exceed its time
    #[arg(long, value_name = "MS", default_value_t = 50, value_parser = whole::<u64>(..))]
    margin: u64,
    /// Games between each two engines, an even number; with --resume it may be higher than before
    #[arg(long, default_value_t = 100, value_parser = whole::<u64>(..=100_000_000))]
    games: u64,
    /// Pairings of more than two engines
    #[arg(long, value_enum, default_value_t)]
    format: TournamentFormat,
    /// File of openings, with lines of FEN or EPD [default: Sakmak's own 500]
    #[arg(long, value_name = "FILE")]
    openings: Option<PathBuf>,
    /// Seed of the order of the openings; 0 keeps the order of the file
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    #[command(flatten)]
    rules: RulesArgs,
    /// Games played in parallel
    #[arg(long, default_value_t = 1, value_parser = whole::<usize>(1..=1024))]
    concurrency: usize,
    /// Stop when this SPRT is decided: elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic
    #[arg(long, num_args = 1.., value_name = "KEY=VALUE")]
    sprt: Vec<String>,
    /// Adjudicate a draw when both engines report scores of at most `score` centipawns, after move `move`, for `count`
    /// moves in a row: move=40,count=8,score=10
    #[arg(long, value_name = "RULE")]
    draw: Option<DrawRule>,
    /// Adjudicate a loss when both engines report at least `score` centipawns for the same side, for `count` moves in a
    /// row: count=4,score=600
    #[arg(long, value_name = "RULE")]
    resign: Option<ResignRule>,
    /// Adjudicate a draw after MOVES moves [default: 300 if the rules have no draw by repetition, else no limit]
    #[arg(long, value_name = "MOVES", value_parser = whole::<u32>(1..))]
    max_moves: Option<u32>,
    /// Folder of tablebases; may be given several times. Once a move leads to a position that they have, the game ends
    /// with its result
    #[arg(long = "tablebase", value_name = "D")]
    tablebases: Vec<PathBuf>,
    /// Write each game to this PGN file once it is finished; only one match at a time may write it
    #[arg(long, value_name = "FILE")]
    pgn: Option<PathBuf>,
    /// Resume the match whose games are in the PGN file
    #[arg(long, requires = "pgn")]
    resume: bool,
    /// Write the totals to this file; a report of another match is not replaced
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Play only part I of N of the match
    #[arg(long, value_name = "I/N")]
    shard: Option<Shard>,
    /// Name of the event in the PGN file
    #[arg(long, default_value = "Engine match")]
    event: String,
    /// Seconds for an engine to answer uci, and again to answer the first isready [default: 10 and 60]
    #[arg(long, value_name = "SECONDS", value_parser = whole::<u64>(..=LONGEST))]
    start_time: Option<u64>,
    /// Seconds for a move that only nodes or depth limit
    #[arg(long, value_name = "SECONDS", default_value_t = 600, value_parser = whole::<u64>(..=LONGEST))]
    longest_move: u64,
}

/// The engines' names in the match, made unique.
pub(super) fn names(engines: &[EngineSpec]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for spec in engines {
        let program = spec.command.first().map(String::as_str).unwrap_or_default();
        let stem = Path::new(program).file_stem().map_or(program.into(), |stem| stem.to_string_lossy());
        let wanted = if spec.name.is_empty() { stem.into_owned() } else { spec.name.clone() };
        let mut name = wanted.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{wanted} {number}");
            number += 1;
        }
        names.push(name);
    }
    names
}

/// Today's date (UTC) as `2026.11.20`.
pub(super) fn today() -> String {
    let date = time::OffsetDateTime::now_utc().date();
    format!("{:04}.{:02}.{:02}", date.year(), u8::from(date.month()), date.day())
}

/// The openings of a file, or Sakmak's own: their text, and the games that begin with them.
pub(crate) fn openings(path: Option<&Path>, rules: Rules) -> Result<(String, Vec<Game>)> {
    let name = path.map_or("openings".to_owned(), |path| path.display().to_string());
    let text = match path {
        Some(path) => std::fs::read_to_string(path).with_context(|| name.clone())?,
        None => OWN_OPENINGS.to_owned(),
    };
    let games = read_openings(&text, rules).context(name)?;
    Ok((text, games))
}

/// A flag that is set at the first signal to stop. A second signal ends the program, and with it its engines, at once.
pub(crate) fn stop_on_signals() -> Result<Arc<AtomicBool>> {
    let stop = Arc::new(AtomicBool::new(false));
    #[cfg(unix)]
    for signal in [signal_hook::consts::SIGINT, signal_hook::consts::SIGTERM, signal_hook::consts::SIGHUP] {
        signal_hook::flag::register_conditional_shutdown(signal, 130, Arc::clone(&stop))?;
        signal_hook::flag::register(signal, Arc::clone(&stop))?;
    }
    Ok(stop)
}

impl MatchArgs {
    /// Checks the arguments as far as no file is needed.
    fn check(&self, limits: EngineLimits) -> Result<()> {
        ensure!(self.engines.len() >= 2, "a match needs at least two engines (--engine twice)");
        ensure!(
            self.games > 0 && self.games.is_multiple_of(2),
            "--games must be even: openings are played in pairs"
        );
        let unlimited = self.engines.iter().any(|spec| spec.limits.or(limits).is_empty());
        ensure!(!unlimited, "how long may the engines think? (--tc, --movetime, --nodes or --depth)");
        Ok(())
    }

    /// Limits and options of each engine, by its name, for the report.
    fn engine_settings(&self, names: &[String], limits: EngineLimits) -> Vec<(String, String)> {
        let text = |spec: &EngineSpec| {
            let options = spec.options.iter().map(|(name, value)| format!("{name}={value}"));
            let words = [spec.limits.or(limits).to_string(), options.collect::<Vec<_>>().join(" ")];
            words.into_iter().filter(|word| !word.is_empty()).collect::<Vec<_>>().join(", ")
        };
        names.iter().zip(&self.engines).map(|(name, spec)| (name.clone(), text(spec))).collect()
    }

    /// The match described by the arguments.
    fn prepare(&self) -> Result<Match> {
        let limits =
            EngineLimits { clock: self.tc, movetime: self.movetime, nodes: self.nodes, depth: self.depth };
        self.check(limits)?;
        let sprt = match self.sprt.as_slice() {
            [] => None,
            words => Some(words.join(" ").parse::<Sprt>().context("--sprt")?),
        };
        ensure!(sprt.is_none() || self.engines.len() == 2, "--sprt needs exactly two engines");
        ensure!(self.pgn.is_none() || self.pgn != self.json, "--pgn and --json name the same file");
        let rules = self.rules.rules();
        let (text, openings) = openings(self.openings.as_deref(), rules)?;
        let names = names(&self.engines);
        let shard = self.shard.unwrap_or(Shard { index: 1, of: 1 });
        let seed = Some(self.seed).filter(|&seed| seed != 0);
        let schedule =
            Schedule::new(self.format, self.engines.len(), self.games / 2, openings.len(), seed, shard);
        let adjudication = Adjudication {
            draw: self.draw,
            resign: self.resign,
            max_moves: self.max_moves.or(default_max_moves(&rules)),
        };
        let mut settings = vec![("rules".to_owned(), rules.to_string())];
        settings.extend(self.engine_settings(&names, limits));
        settings.push(("time margin".to_owned(), format!("{} ms", self.margin)));
        settings.push(("openings".to_owned(), format!("{}, each with both colours", openings.len())));
        let tables = tablebase::open(&self.tablebases)?;
        let why = if self.max_moves.is_none() { " (the rules have no draw by repetition)" } else { "" };
        settings.push(("adjudication".to_owned(), adjudication_text(adjudication, &tables, why)));
        let fingerprint = FingerprintFields {
            names: &names,
            engines: &self.engines,
            limits,
            margin: self.margin,
            rules,
            adjudication,
            tablebases: &table_names(&tables),
            format: self.format,
            seed: self.seed,
            openings: &text,
        }
        .fingerprint();
        Ok(Match {
            names,
            engines: self.engines.clone(),
            game: GameSettings {
                rules,
                limits,
                margin: self.margin,
                adjudication,
                tablebases: tables,
                timeouts: self.start_time.map_or_else(Timeouts::default, |seconds| {
                    let start = Duration::from_secs(seconds);
                    Timeouts { uci: start, start, ..Timeouts::default() }
                }),
                longest_move: Duration::from_secs(self.longest_move),
            },
            schedule,
            openings,
            concurrency: self.concurrency,
            sprt,
            pgn: self.pgn.clone(),
            pgn_form: PgnForm::Own,
            resume: self.resume,
            json: self.json.clone(),
            event: self.event.clone(),
            date: today(),
            shard,
            fingerprint,
            settings,
        })
    }

    /// Plays the match.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let settings = self.prepare()?;
        warn_if_crowded(&settings);
        let stop = stop_on_signals()?;
        let games = settings.schedule.len();
        let mut out = std::io::stdout().lock();
        for (name, value) in &settings.settings {
            writeln!(out, "{name}: {value}").map_err(print_error)?;
        }
        out.flush().map_err(print_error)?;
        let bar = progress::bar(Some(games), "{bar:30} {pos}/{len} games, {elapsed} gone{prefix}\n{msg}");
        let started = Instant::now();
        let mut played = 0;
        let mut before = 0;
        let show = |text: String| bar.suspend(|| warn(text));
        let (ending, report) = run(&settings, &stop, &mut |event, report| match event {
            MatchEvent::Resumed(number) => {
                before = *number;
                let _ = writeln!(out, "{number} games are there already");
                bar.set_position(*number);
            }
            MatchEvent::Notice(name, text) => show(format!("{name}: {text}")),
            MatchEvent::FinishedGame(task, [white, black], game, _) => {
                played += 1;
                let (result, reason) = (game.result, &game.reason);
                if bar.is_hidden() {
                    let score = report.totals.encounters[task.encounter].games;
                    let _ = writeln!(
                        out,
                        "game {} {white} - {black} {result} {reason}; {} - {} - {}",
                        task.number, score.wins, score.draws, score.losses
                    );
                    let _ = out.flush();
                } else {
                    update_bar(&bar, report, started.elapsed(), before, played, games);
                }
            }
            MatchEvent::EngineError(error) => {
                let text = format!("game {}: {} ({}) {}", error.game, error.engine, error.color, error.fault);
                let lines: Vec<_> = error.dialogue.iter().map(|line| format!("    {line}")).collect();
                let text = format!("{text}\n{}", lines.join("\n"));
                show(text);
            }
            MatchEvent::Unwritten(error, text) => {
                show(format!("{error:#}; what was to be written:\n\n{text}"))
            }
            MatchEvent::ReportDelayed(error) => {
                show(format!("warning: {error:#}; the report will be tried again"))
            }
        })?;
        bar.finish_and_clear();
        for path in settings.game.tablebases.damaged() {
            warn(format_args!("warning: {}: damaged; games went on without it", path.display()));
        }
        // The summary is printed even after an error.
        let shown = writeln!(out, "\n{}", summary(&report));
        let time = duration(started.elapsed());
        let on = if self.pgn.is_some() { "; the same command with --resume goes on" } else { "" };
        let number = before + played;
        let how = match &ending {
            MatchEnd::Complete => format!("{number} games in {time}"),
            MatchEnd::Decided => format!("the test is decided after {number} games in {time}"),
            MatchEnd::Stopped => format!("stopped after {number} of {games} games in {time}{on}"),
            MatchEnd::Failed(_) => format!("broken off after {number} of {games} games in {time}{on}"),
        };
        let shown = shown.and_then(|()| writeln!(out, "{how}"));
        if let MatchEnd::Failed(error) = ending {
            return Err(error);
        }
        shown?;
        let faults: u64 = report.totals.engines.iter().map(|engine| engine.faults).sum();
        Ok(if faults == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}

/// The adjudication rules in words; `why` names the reason of a limit of moves that no option sets.
fn adjudication_text(adjudication: Adjudication, tables: &Tablebases, why: &str) -> String {
    let mut parts = Vec::new();
    if !tables.is_empty() {
        parts.push(format!("decided by {} endgame tables", tables.len()));
    }
    if let Some(DrawRule { after, moves, score }) = adjudication.draw {
        parts
            .push(format!("drawn after move {after} when both scores stay within {score} for {moves} moves"));
    }
    if let Some(ResignRule { moves, score }) = adjudication.resign {
        parts.push(format!("lost when both scores agree on {score} for {moves} moves"));
    }
    if let Some(moves) = adjudication.max_moves {
        parts.push(format!("drawn after {moves} moves{why}"));
    }
    if parts.is_empty() { "none".to_owned() } else { parts.join("; ") }
}

/// Updates the standings below the progress bar.
fn update_bar(
    bar: &ProgressBar,
    report: &MatchReport,
    elapsed: Duration,
    before: u64,
    played: u64,
    games: u64,
) {
    let rate = played as f64 * 3600.0 / elapsed.as_secs_f64().max(0.001);
    let late: u64 = report.totals.engines.iter().map(|engine| engine.time_losses).sum();
    let faults: u64 = report.totals.engines.iter().map(|engine| engine.faults).sum();
    bar.set_position(before + played);
    let left = time_left(elapsed, played, games.saturating_sub(before + played));
    bar.set_prefix(left.map_or(String::new(), |left| format!(", {} left", duration(left))));
    bar.set_message(format!(
        "{}{rate:.0} games an hour, {late} lost on time, {faults} faults",
        standings(report)
    ));
}

/// Warns if the machine has too few cores or too much other work for reliable clocks; does nothing without clocks.
fn warn_if_crowded(settings: &Match) {
    let cores = std::thread::available_parallelism().map_or(1, usize::from);
    let threads = settings.engines.iter().map(|spec| {
        let option = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        option.and_then(|(_, value)| value.parse::<usize>().ok()).unwrap_or(1)
    });
    let wanted = settings.concurrency.saturating_mul(threads.max().unwrap_or(1));
    let timed = settings.engines.iter().any(|spec| {
        let limits = spec.limits.or(settings.game.limits);
        limits.clock.is_some() || limits.movetime.is_some()
    });
    if timed {
        for warning in crowding(cores, wanted, sysinfo::System::load_average().one) {
            warn(format_args!("warning: {warning}"));
        }
    }
}

/// Merge the JSON reports of the parts of a match
#[derive(Args)]
pub(crate) struct MergeArgs {
    /// Reports written by `match --json`
    #[arg(required = true)]
    files: Vec<PathBuf>,
    /// Write the totals to this file; a report of another match is not replaced
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
}

impl MergeArgs {
    /// Prints the merged report.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let mut sum: Option<MatchReport> = None;
        for path in &self.files {
            let text = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
            let part: MatchReport =
                serde_json::from_str(&text).with_context(|| path.display().to_string())?;
            match &mut sum {
                None => sum = Some(part),
                Some(sum) => {
                    sum.merge(part).with_context(|| path.display().to_string())?;
                }
            }
        }
        let Some(mut sum) = sum else { bail!("nothing to add up") };
        sum.update();
        // Printed even if it cannot be written.
        let shown = print(&summary(&sum));
        if let Some(path) = &self.json {
            let real = |path: &PathBuf| std::fs::canonicalize(path).ok();
            let is_read =
                self.files.iter().any(|file| real(file).is_some_and(|file| Some(file) == real(path)));
            ensure!(!is_read, "{}: is to be read, not written", path.display());
            sum_file(path, &sum.fingerprint)?.write(&sum.to_json()?)?;
        }
        shown?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Compute Elo, likelihood of superiority and the SPRT from results
///
/// The results are those of pairs (pentanomial, --pairs) or of single games (--games). `match` prints them in its
/// summary; `merge` adds up those of several parts.
#[derive(Args)]
#[command(group = ArgGroup::new("results").args(["pairs", "games"]).required(true))]
pub(crate) struct SprtArgs {
    /// Pairs of games with 0, 0.5, 1, 1.5 and 2 points for the first engine
    #[arg(long, num_args = 5, value_names = ["0", "0.5", "1", "1.5", "2"], value_parser = number)]
    pairs: Option<Vec<u64>>,
    /// Games won, drawn and lost by the first engine, if the pairs are unknown
    #[arg(long, num_args = 3, value_names = ["WON", "DRAWN", "LOST"], value_parser = number)]
    games: Option<Vec<u64>>,
    /// The SPRT: elo0=0 elo1=10 alpha=0.05 beta=0.05 model=logistic
    #[arg(num_args = 0.., value_name = "KEY=VALUE")]
    test: Vec<String>,
}

/// Parses a number of games or pairs, limited so that sums do not overflow.
fn number(text: &str) -> Result<u64, String> {
    whole(..=1_000_000_000_000)(text)
}

impl SprtArgs {
    /// Prints Elo, LOS and the SPRT.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let test = match self.test.as_slice() {
            [] => None,
            words => Some(words.join(" ").parse::<Sprt>()?),
        };
        let lines = match (self.pairs.as_deref(), self.games.as_deref()) {
            (Some(&[a, b, c, d, e]), _) => measures(&Pentanomial::new([a, b, c, d, e]), test),
            (_, Some(&[wins, draws, losses])) => measures(&Trinomial::new(wins, draws, losses), test),
            _ => bail!("--pairs needs five numbers, --games three"),
        };
        print(&lines)?;
        Ok(ExitCode::SUCCESS)
    }
}

/// Elo, LOS and the SPRT of results, one per line.
fn measures<T: Multinomial>(results: &T, test: Option<Sprt>) -> String {
    let text =
        |estimate: Option<Estimate>| estimate.map_or("none".to_owned(), |estimate| estimate.to_string());
    let score = results.score().map_or("none".to_owned(), |score| format!("{:.2}%", 100.0 * score));
    let mut lines = format!(
        "games: {}\nscore: {score}\nElo: {}\nnormalised Elo: {}\nLOS: {:.1}%\n",
        results.games(),
        text(results.elo()),
        text(results.normalized_elo()),
        100.0 * results.los()
    );
    if let Some(test) = test {
        let llr = test.llr(results);
        let (lower, upper, state) = (test.lower(), test.upper(), test.state(llr));
        lines += &format!("LLR: {llr:.3} [{lower:.3}, {upper:.3}] {state:?}\n");
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn engines_get_different_names() {
        let specs: Vec<EngineSpec> =
            ["cmd=./a/sakmak", "cmd=b/sakmak", "cmd=x,name=N"].map(|text| text.parse().unwrap()).to_vec();
        assert_eq!(names(&specs), ["sakmak", "sakmak 2", "N"]);
    }

    #[test]
    fn the_date_has_pgns_form() {
        let today = today();
        assert!(today.len() == 10 && today.starts_with("20") && today.as_bytes()[4] == b'.', "{today}");
    }
}
