//! The command `puzzles`.

use std::collections::HashSet;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use sakmak_engine::bench;
use sakmak_files::games::BrokenGame;
use sakmak_files::output::{AppendFile, OutputFile};
use sakmak_puzzles::check::{Fault, Results, check, found_at_one_node, log_head, log_line, read_log};
use sakmak_puzzles::mine::MineJob;
use sakmak_puzzles::page;
use sakmak_puzzles::puzzle::{Header, Puzzle, PuzzleFile, RateSettings, VERSION};
use sakmak_puzzles::rate::{LEVELS, RateJob};
use sakmak_puzzles::report::{described, figures, shown};
use sakmak_puzzles::select::{Limits, encoded, select};
use sakmak_puzzles::settings::Settings;
use sakmak_puzzles::themes::Theme;
use sakmak_tools::tablebase::names as table_names;

use super::args::{share, thread_count, whole};
use super::progress::{self, LineTimer};
use super::stdout::{print, print_json, warn};
use super::tablebase;

/// Mine, check and describe puzzles
#[derive(Args)]
pub(crate) struct Puzzles {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Mine(Box<MineArgs>),
    Rate(RateArgs),
    Select(SelectArgs),
    Check(CheckArgs),
    Info(InfoArgs),
}

impl Puzzles {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Mine(args) => args.run().map(|()| ExitCode::SUCCESS),
            Command::Rate(args) => args.run().map(|()| ExitCode::SUCCESS),
            Command::Select(args) => args.run().map(|()| ExitCode::SUCCESS),
            Command::Check(args) => args.run(),
            Command::Info(args) => args.run().map(|()| ExitCode::SUCCESS),
        }
    }
}

/// Depth of the bench that identifies the engine in a header.
const SIGNATURE_DEPTH: u32 = 6;
const SIGNATURE_HASH_MB: usize = 4;

/// Mine puzzles from games or from random endings
///
/// Candidates are positions after a mistake by the stored scores, or random endings of a few men in which the count
/// decides. Each is proved by searches, and by tablebases where they reach. The file depends on the options but not on
/// the number of threads. A run that was killed continues with --resume and produces the same file.
#[derive(Args)]
struct MineArgs {
    /// Data files of `datagen`, PGN files or score sheets
    #[arg(value_name = "FILE", required_unless_present = "endings")]
    files: Vec<PathBuf>,
    /// Instead of games, random endings: TRIES tries, each with a few random placements
    #[arg(long, value_name = "TRIES", conflicts_with = "files", value_parser = whole::<u64>(1..))]
    endings: Option<u64>,
    /// File to write, one puzzle a line in JSON
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Soft node limit of the search of each position in which the solver moves
    #[arg(long, default_value_t = Settings::default().nodes, value_parser = whole::<u64>(100..1 << 40))]
    nodes: u64,
    /// Least difference of the expected scores, from 0 to 1, of the best and the second best move
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().margin, value_parser = share)]
    margin: f64,
    /// Least expected score that the mistake gave to the solver
    #[arg(long, value_name = "SHARE", default_value_t = Settings::default().mistake, value_parser = share)]
    mistake: f64,
    /// Most moves of the solver
    #[arg(long, default_value_t = Settings::default().moves, value_parser = whole::<usize>(1..=20))]
    moves: usize,
    /// Search the positions of the games for NODES nodes each instead of using the stored scores
    #[arg(long, value_name = "NODES", value_parser = whole::<u64>(1..1 << 40))]
    rescore: Option<u64>,
    /// Instead of the played moves, try others that a search of one ply holds for as good as the best one; a search of
    /// NODES nodes after each looks for a refutation
    #[arg(long, value_name = "NODES", conflicts_with_all = ["endings", "rescore"], value_parser = whole::<u64>(1..1 << 40))]
    unplayed: Option<u64>,
    /// Skip the first GAMES games, counted over all files
    #[arg(long, value_name = "GAMES", default_value_t = 0, value_parser = whole::<u64>(..))]
    skip: u64,
    /// Read at most GAMES games after the skipped ones
    #[arg(long, value_name = "GAMES", value_parser = whole::<u64>(..))]
    games: Option<u64>,
    /// Seed of the random endings
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Folder of tablebases; may be given several times
    #[arg(long = "tablebase", value_name = "D")]
    tablebases: Vec<PathBuf>,
    /// The commit of this program, for the header
    #[arg(long)]
    commit: Option<String>,
    /// Threads
    #[arg(long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
    /// Resume the file of a run that was interrupted, or extend it to more games
    #[arg(long)]
    resume: bool,
}

/// The name of a file without its folder.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or(path.as_os_str()).to_string_lossy().into_owned()
}

impl MineArgs {
    fn run(&self) -> Result<()> {
        let tablebases = tablebase::open(&self.tablebases)?;
        let header = Header {
            puzzles: VERSION,
            engine: format!("Sakmak {}", env!("CARGO_PKG_VERSION")),
            commit: self.commit.clone(),
            signature: bench::run(SIGNATURE_DEPTH, SIGNATURE_HASH_MB, |_, _, _| ())?.nodes,
            seed: self.seed,
            settings: Settings {
                nodes: self.nodes,
                margin: self.margin,
                mistake: self.mistake,
                moves: self.moves,
                unplayed: self.unplayed.unwrap_or(0),
            },
            files: self.files.iter().map(|path| name(path)).collect(),
            skip: self.skip,
            rescore: self.rescore.unwrap_or(0),
            tablebases: table_names(&tablebases),
            rated: None,
        };
        let games = self.endings.or(self.games);
        let job = MineJob {
            header: &header,
            files: &self.files,
            games: games.unwrap_or(u64::MAX),
            threads: self.threads.get(),
            path: &self.out,
            resume: self.resume,
            tablebases: &tablebases,
        };
        let bar = progress::bar(games, "{bar:30} {msg}  {elapsed} gone");
        let mut timer = LineTimer::start();
        let mut broken = |game: &BrokenGame| bar.suspend(|| warn(game));
        let tally = job.run(&mut broken, &mut |tally| {
            bar.set_position(tally.games);
            bar.set_message(tally.to_string());
            if bar.is_hidden() && timer.is_due() {
                let seconds = timer.elapsed().as_secs();
                warn(format_args!("{tally}, {seconds} s gone"));
            }
        })?;
        bar.finish_and_clear();
        warn(format_args!("{}, {} s gone", tally, timer.elapsed().as_secs()));
        Ok(())
    }
}

/// Reads a file of puzzles, or the list of the page in a folder.
fn read(path: &Path) -> Result<PuzzleFile> {
    if path.is_dir() {
        return page::read_file(path);
    }
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(name)?;
    let file = PuzzleFile::read(&bytes).with_context(name)?;
    if file.length < bytes.len() {
        warn(format_args!("warning: {}: the run that writes it has not ended", path.display()));
    }
    Ok(file)
}

/// Rate the difficulty of puzzles
///
/// Limited players of nine levels try each puzzle. Its rating is that of a player who solves it in half of the tries, on
/// the scale of UCI_Elo. A run that was killed continues with --resume and produces the same file.
#[derive(Args)]
struct RateArgs {
    /// File of puzzles
    file: PathBuf,
    /// File to write: the puzzles with their ratings
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Tries of each level
    #[arg(long, default_value_t = 4, value_parser = whole::<u32>(1..=100))]
    tries: u32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Take the ratings of the same puzzles from RATED, a file of the same engine and settings; may be given several
    /// times
    #[arg(long, value_name = "RATED")]
    reuse: Vec<PathBuf>,
    /// Threads
    #[arg(long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
    /// Resume the file of a run that was interrupted
    #[arg(long)]
    resume: bool,
}

impl RateArgs {
    fn run(&self) -> Result<()> {
        let file = read(&self.file)?;
        let settings = RateSettings { levels: LEVELS.to_vec(), tries: self.tries, seed: self.seed };
        let (settings, threads) = (&settings, self.threads.get());
        let reuse = self.reuse.iter().map(|path| read(path)).collect::<Result<Vec<_>>>()?;
        let resume = self.resume;
        let job = RateJob { file: &file, settings, threads, path: &self.out, resume, reuse: &reuse };
        let bar = progress::bar(Some(file.puzzles.len() as u64), "{bar:30} {pos}/{len}  {elapsed} gone");
        let mut timer = LineTimer::start();
        job.run(&mut |done| {
            bar.set_position(done as u64);
            if bar.is_hidden() && timer.is_due() {
                warn(format_args!("{done}/{}, {} s gone", file.puzzles.len(), timer.elapsed().as_secs()));
            }
        })?;
        bar.finish_and_clear();
        Ok(())
    }
}

/// Select puzzles for a list, and write the list of the page
///
/// Of equal puzzles and mirror images the first one stays. The list depends on the files and their order alone; it is
/// sorted by identifier, which is a fixed pseudo-random order. Prints what was selected by theme and rating.
#[derive(Args)]
struct SelectArgs {
    /// Files of puzzles, mined or rated, or folders with a list of the page
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the list as a file of puzzles, for `puzzles rate` and `puzzles check`
    #[arg(long, value_name = "FILE", required_unless_present = "page")]
    list: Option<PathBuf>,
    /// Write the list as the page reads it, an index and parts. Puzzles without a rating are left out
    #[arg(long, value_name = "FOLDER")]
    page: Option<PathBuf>,
    /// Most puzzles of one theme of the count; each counts for its most special theme
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = whole::<usize>(..))]
    count_theme: usize,
    /// Most puzzles of one other theme [default: no limit but --total]
    #[arg(long, value_name = "NUMBER", value_parser = whole::<usize>(..))]
    theme: Option<usize>,
    /// Leave out the puzzles that LOG, a log of `puzzles check`, found wrong; may be given several times
    #[arg(long = "check", value_name = "LOG")]
    logs: Vec<PathBuf>,
    /// Most puzzles; themes take turns until there are NUMBER
    #[arg(long, value_name = "NUMBER", default_value_t = 10_000, value_parser = whole::<usize>(1..))]
    total: usize,
    /// Fail if the files of the page together have more than BYTES bytes
    #[arg(long, value_name = "BYTES", requires = "page", value_parser = whole::<usize>(1..))]
    bytes: Option<usize>,
    /// Puzzles of a part
    #[arg(long, value_name = "NUMBER", default_value_t = 200, value_parser = whole::<usize>(1..=10_000))]
    size: usize,
}

impl SelectArgs {
    fn run(&self) -> Result<()> {
        let files =
            self.files.iter().map(|path| Ok((name(path), read(path)?))).collect::<Result<Vec<_>>>()?;
        let limits = Limits {
            count_theme: self.count_theme,
            theme: self.theme.unwrap_or(usize::MAX),
            total: self.total,
            rated: self.page.is_some(),
        };
        let mut wrong = HashSet::new();
        for path in &self.logs {
            let name = || path.display().to_string();
            let (results, _) =
                read_log(&std::fs::read_to_string(path).with_context(name)?).with_context(name)?;
            wrong.extend(results.into_iter().filter(|(_, is_right)| !is_right).map(|(id, _)| id));
        }
        let (list, choice) = select(&files, &limits, &wrong)?;
        if let Some(path) = &self.list {
            let text = String::from_utf8(encoded(&list)?)?;
            OutputFile::replace(path, LIST_MARK)?.write(&text)?;
        }
        // A list has no candidates of its own.
        let text = described(&list);
        let figures = text.split_once('\n').map_or("", |(_, figures)| figures);
        print(&format!("{choice}{} selected\n{figures}", list.puzzles.len()))?;
        if let Some(folder) = &self.page {
            let bytes = page::write(&list.puzzles, self.size, folder, self.bytes)?;
            print(&format!("{}: {bytes} bytes\n", folder.display()))?;
        }
        Ok(())
    }
}

/// What a file of puzzles begins with.
const LIST_MARK: &str = "{\"puzzles\":";

/// Prove puzzles again
///
/// Each of the solver's moves must be right: better than all others by more than two hundredths of a game, or by the
/// result in the tablebases. No puzzle of the count may be found by a search of one node; this is proved of all puzzles
/// drawn, also of those in the log. Prints the puzzles that fail. A folder is a list of the page, whose files must agree
/// with one another, too.
#[derive(Args)]
#[command(after_help = "The exit status is 0 if all puzzles are right and 1 if some are not.")]
struct CheckArgs {
    /// Files of puzzles, or folders with a list of the page
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Soft node limit of the search of each position in which the solver moves
    #[arg(long, default_value_t = 1_000_000, value_parser = whole::<u64>(1..1 << 40))]
    nodes: u64,
    /// Check NUMBER puzzles drawn at random from each file
    #[arg(long, value_name = "NUMBER", value_parser = whole::<usize>(1..))]
    sample: Option<usize>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Append the result of each puzzle to LOG. Puzzles that are in it are not checked again: a run that was killed
    /// goes on
    #[arg(long, value_name = "LOG")]
    log: Option<PathBuf>,
    /// Folder of tablebases; may be given several times
    #[arg(long = "tablebase", value_name = "D")]
    tablebases: Vec<PathBuf>,
    /// Threads
    #[arg(long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
}

impl CheckArgs {
    fn run(&self) -> Result<ExitCode> {
        let tablebases = tablebase::open(&self.tablebases)?;
        let mut log = self.log.as_deref().map(|path| CheckLog::open(path, self.nodes)).transpose()?;
        let (mut checked, mut wrong) = (0, 0);
        for path in &self.files {
            let all = read(path)?.puzzles;
            let mut puzzles = sampled(all, self.sample, self.seed);
            checked += puzzles.len();
            let name = path.display();
            for (removed, number) in found_at_one_node(&puzzles)?.into_iter().enumerate() {
                let Puzzle { fen, moves, .. } = puzzles.remove(number - removed);
                warn(format_args!(
                    "{name}: {fen}: {}: about the count, and found at one node",
                    moves.join(" ")
                ));
                wrong += 1;
            }
            if let Some(log) = &log {
                let known = |puzzle: &Puzzle| log.results.get(&puzzle.id());
                wrong += puzzles.iter().filter_map(known).filter(|is_right| !**is_right).count();
                puzzles.retain(|puzzle| known(puzzle).is_none());
            }
            let bar = progress::bar(Some(puzzles.len() as u64), "{bar:30} {pos}/{len}  {elapsed} gone");
            let mut failed = Ok(());
            let mut report = |number: usize, fault: Option<&Fault>| {
                bar.inc(1);
                if let Some(log) = &mut log {
                    let result = log.add(&puzzles[number], fault);
                    failed = std::mem::replace(&mut failed, Ok(())).and(result);
                }
                let Some(fault) = fault else { return };
                let Puzzle { fen, moves, .. } = &puzzles[number];
                let line = format!("{name}: {fen}: {}: {fault}", moves.join(" "));
                bar.suspend(|| warn(line));
            };
            wrong += check(&puzzles, self.nodes, self.threads.get(), &tablebases, &mut report)?;
            failed?;
            bar.finish_and_clear();
        }
        print(&format!("{checked} puzzles checked, {wrong} wrong\n"))?;
        Ok(ExitCode::from(u8::from(wrong > 0)))
    }
}

/// The results of the puzzles checked so far, in a file.
struct CheckLog {
    file: AppendFile,
    results: Results,
}

impl CheckLog {
    fn open(path: &Path, nodes: u64) -> Result<Self> {
        let (name, head) = (|| path.display().to_string(), log_head(nodes));
        let mut file = AppendFile::resume(path)?;
        let text = String::from_utf8(file.contents()?).with_context(name)?;
        if text.is_empty() {
            file.append(head.as_bytes())?;
            return Ok(Self { file, results: Results::new() });
        }
        ensure!(text.starts_with(&head), "{}: was not made by a check of {nodes} nodes", name());
        let (results, whole) = read_log(&text).with_context(name)?;
        file.cut(whole as u64)?;
        Ok(Self { file, results })
    }

    fn add(&mut self, puzzle: &Puzzle, fault: Option<&Fault>) -> Result<()> {
        self.file.append(log_line(puzzle, fault).as_bytes())?;
        Ok(self.file.sync()?)
    }
}

/// Some puzzles drawn at random, in their order; all without a number.
fn sampled(puzzles: Vec<Puzzle>, number: Option<usize>, seed: u64) -> Vec<Puzzle> {
    let Some(number) = number else { return puzzles };
    let mut chosen: Vec<usize> = (0..puzzles.len()).collect();
    chosen.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    chosen.truncate(number);
    chosen.sort_unstable();
    chosen.into_iter().map(|index| puzzles[index].clone()).collect()
}

/// Describe files of puzzles
#[derive(Args)]
struct InfoArgs {
    /// Files of puzzles, or folders with a list of the page
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Print NUMBER puzzles drawn at random, with boards
    #[arg(long, value_name = "NUMBER", value_parser = whole::<usize>(1..))]
    show: Option<usize>,
    /// Print only those of this theme with --show
    #[arg(long, value_name = "THEME", requires = "show")]
    theme: Option<String>,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Print the figures as JSON
    #[arg(long, conflicts_with = "show")]
    json: bool,
}

impl InfoArgs {
    fn run(&self) -> Result<()> {
        for path in &self.files {
            let mut file = read(path)?;
            if let Some(theme) = &self.theme {
                let wanted = Theme::ALL.iter().find(|known| known.id() == theme);
                let wanted = wanted.with_context(|| format!("no theme '{theme}'"))?;
                file.puzzles.retain(|puzzle| puzzle.themes.contains(wanted));
                ensure!(!file.puzzles.is_empty(), "{}: no puzzle of theme '{theme}'", path.display());
            }
            if self.json {
                print_json(&figures(&file))?;
            } else if self.show.is_some() {
                for puzzle in sampled(file.puzzles, self.show, self.seed) {
                    print(&shown(&puzzle)?)?;
                }
            } else {
                print(&format!("{}: {}", path.display(), described(&file)))?;
            }
        }
        Ok(())
    }
}
