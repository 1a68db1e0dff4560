//! The command `datagen`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use sakmak_dataset::games::{DataError, DrawAdjudication, Filter, Header, Run, Variety};
use sakmak_engine::bench;
use sakmak_engine::skill::{MAX_ELO, MIN_ELO};
use sakmak_eval::Centipawns;
use sakmak_files::games::GameFiles;
use sakmak_games::ReadOptions;
use sakmak_tools::tablebase::names as table_names;
use sakmak_training::datagen::{
    DataStatistics, GenerateEvent, GenerateJob, GenerateProgress, ImportJob, merge,
};
use sakmak_training::positions::{ShuffleJob, Shuffled, shuffle};

use super::args::{RulesArgs, share, thread_count, whole};
use super::progress::{FileProgress, LineTimer, exit_code};
use super::stdout::{print, warn};
use super::win_rate::WinRateArgs;
use super::{progress, tablebase};

/// Generate, merge and describe self-play games for training
#[derive(Args)]
pub(crate) struct Datagen {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(Box<PlayArgs>),
    Info(InfoArgs),
    Import(ImportArgs),
    Merge(MergeArgs),
    Positions(PositionsArgs),
    Winrate(WinRateArgs),
}

impl Datagen {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Play(args) => args.run()?,
            Command::Info(args) => args.run()?,
            Command::Import(args) => return args.run(),
            Command::Merge(args) => args.run()?,
            Command::Positions(args) => args.run()?,
            Command::Winrate(args) => args.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }

    /// The exit status after an error: that of `import` differs from the one for broken games.
    pub(crate) fn on_error(&self) -> u8 {
        if matches!(self.command, Command::Import(_)) { 2 } else { 1 }
    }
}

/// Consecutive plies with a mate score for the same side after which a game is adjudicated.
const MATE_PLIES: usize = 4;
/// Hard node limit, at which a running iteration is stopped, as a multiple of --nodes.
const HARD_LIMIT: u64 = 4;
/// Maximum plies of a game: files store them in 16 bits.
const MAX_PLIES: u64 = 65_535;
/// Depth of the bench that identifies the engine in a header.
const SIGNATURE_DEPTH: u32 = 6;
const SIGNATURE_HASH_MB: usize = 4;

/// Play games of Sakmak against itself
///
/// The file depends on the options but not on the number of threads. A run that was killed continues with --resume and
/// produces the same file.
#[derive(Args)]
struct PlayArgs {
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// Number of games
    #[arg(long, value_parser = whole::<u64>(1..))]
    games: u64,
    /// Soft node limit of a search: no iteration begins after NODES nodes. The hard limit is four times as high
    #[arg(long, default_value_t = 5_000, value_parser = whole::<u64>(1..1 << 40))]
    nodes: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Threads; each plays one game at a time
    #[arg(long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
    /// Plies of the random opening; half of the games have one more, so that either side moves first. They are not
    /// part of the recorded game
    #[arg(long, default_value_t = 8, value_parser = whole::<u32>(..200))]
    random_plies: u32,
    /// Reject an opening if its searched score is above CP centipawns for either side
    #[arg(long, value_name = "CP", default_value_t = 105, value_parser = whole::<u32>(..))]
    max_opening_cp: u32,
    /// Adjudicate a draw after MAX_PLIES plies
    #[arg(long, default_value_t = 400, value_parser = whole::<u16>(1..=MAX_PLIES))]
    max_plies: u16,
    /// Do not adjudicate draws by small scores
    #[arg(long)]
    no_draws: bool,
    /// Draw by small scores: not before ply PLIES of a game
    #[arg(long, value_name = "PLIES", default_value_t = 200, value_parser = whole::<usize>(..))]
    draw_ply: usize,
    /// Draw by small scores: after PLIES plies in a row with a small score
    #[arg(long, value_name = "PLIES", default_value_t = 20, value_parser = whole::<usize>(1..))]
    draw_count: usize,
    /// Draw by small scores: a score is small up to CP centipawns
    #[arg(long, value_name = "CP", default_value_t = 2, value_parser = whole::<u32>(..))]
    draw_score: u32,
    /// Folder of tablebases; may be given several times. Once a move leads to a position that they have, the game ends
    /// with its result
    #[arg(long = "tablebase", value_name = "D")]
    tablebases: Vec<PathBuf>,
    /// Both sides are limited players of random Elo ratings from LOW to HIGH, which make mistakes as people do. --nodes is
    /// the hard node limit of those that would search more. Not for training: the score is that of the best move seen, not
    /// that of the move played
    #[arg(long, value_name = "LOW-HIGH", value_parser = levels)]
    levels: Option<[i32; 2]>,
    /// Draw the moves before this ply of a game from the best four by weight, so that games from the same opening differ.
    /// The random opening then has exactly --random-plies plies. Such games serve for opening books
    #[arg(long, value_name = "PLIES", conflicts_with = "levels", value_parser = whole::<u32>(1..200))]
    varied_plies: Option<u32>,
    /// A drawn move is at most CP centipawns worse than the best one
    #[arg(long, value_name = "CP", default_value_t = 12, requires = "varied_plies", value_parser = whole::<u32>(..1_000))]
    varied_cp: u32,
    /// Transposition table of each thread, in MiB
    #[arg(long, value_name = "MB", default_value_t = 16, value_parser = whole::<usize>(..))]
    hash: usize,
    #[command(flatten)]
    rules: RulesArgs,
    /// Resume the file of a run that was interrupted, or extend it to more games
    #[arg(long)]
    resume: bool,
}

/// Parses a range of Elo ratings, such as 600-2800.
fn levels(text: &str) -> Result<[i32; 2], String> {
    let rating = |text: &str| text.parse().ok().filter(|rating| (MIN_ELO..=MAX_ELO).contains(rating));
    let range = text.split_once('-').and_then(|(low, high)| Some([rating(low)?, rating(high)?]));
    let needed = || format!("LOW-HIGH is needed, two Elo ratings from {MIN_ELO} to {MAX_ELO}");
    range.filter(|[low, high]| low <= high).ok_or_else(needed)
}

/// Converts centipawns to internal units.
fn internal(centipawns: u32) -> u32 {
    Centipawns(i32::try_from(centipawns).unwrap_or(i32::MAX)).to_internal().unsigned_abs()
}

impl PlayArgs {
    fn run(&self) -> Result<()> {
        let rule =
            DrawAdjudication { ply: self.draw_ply, count: self.draw_count, score: internal(self.draw_score) };
        let tablebases = tablebase::open(&self.tablebases)?;
        let run = Run {
            engine: format!("Sakmak {}", env!("CARGO_PKG_VERSION")),
            signature: bench::run(SIGNATURE_DEPTH, SIGNATURE_HASH_MB, |_, _, _| ())?.nodes,
            seed: self.seed,
            nodes: self.nodes,
            max_nodes: self.nodes * HARD_LIMIT,
            hash_mb: self.hash,
            random_plies: self.random_plies,
            max_opening: internal(self.max_opening_cp),
            mate_plies: MATE_PLIES,
            max_plies: self.max_plies.into(),
            draw: (!self.no_draws).then_some(rule),
            tablebases: table_names(&tablebases),
            levels: self.levels,
            variety: self.varied_plies.map(|plies| Variety { plies, margin: internal(self.varied_cp) }),
        };
        let header = Header { rules: self.rules.rules(), runs: vec![run], imports: Vec::new() };
        let job = GenerateJob {
            header: &header,
            games: self.games,
            threads: self.threads.get(),
            path: &self.out,
            resume: self.resume,
            tablebases: &tablebases,
        };
        let bar = progress::bar(Some(self.games), "{bar:30} {msg}");
        let mut timer = LineTimer::start();
        let progress = job.run(&mut |event| match event {
            GenerateEvent::Progress(progress) => {
                bar.set_position(progress.games);
                let line = progress_line(progress, self.games, timer.elapsed());
                if bar.is_hidden() && timer.is_due() {
                    warn(&line);
                }
                bar.set_message(line);
            }
            GenerateEvent::FewerThreads { running, error } => {
                bar.suspend(|| warn(format_args!("warning: only {running} threads: {error}")));
            }
        });
        bar.finish_and_clear();
        warn(progress_line(&progress?, self.games, timer.elapsed()));
        Ok(())
    }
}

/// The progress as a line of text.
fn progress_line(progress: &GenerateProgress, wanted: u64, elapsed: Duration) -> String {
    let GenerateProgress { games, positions, results: [white, draws, black], .. } = progress;
    let seconds = elapsed.as_secs_f64().max(1e-9);
    let rate = (positions - progress.positions_before) as f64 / seconds;
    let left = (wanted - games) as f64 * seconds / (games - progress.games_before).max(1) as f64;
    format!(
        "{games}/{wanted} games, {positions} positions, {rate:.0} positions/s, white +{white} ={draws} -{black}, \
         {seconds:.0} s gone, {left:.0} s left"
    )
}

/// Describe files of games
///
/// An incomplete last game is skipped with a warning; any other damage is an error that names the game.
#[derive(Args)]
struct InfoArgs {
    /// Files from `datagen play` or `datagen merge`
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Replay every game and check that it ends when the rules end it, with the result in the file
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    filter: FilterArgs,
}

impl InfoArgs {
    fn run(&self) -> Result<()> {
        let mut statistics = DataStatistics::new(self.filter.filter());
        for path in &self.files {
            statistics.add_file(path, self.check, &mut warn_of_cut)?;
        }
        print(&statistics.to_string())
    }
}

/// Import PGN games with scores in the comments
///
/// Cute Chess, OpenBench and `sakmak-tools match` write such games: `1. e4 {+0.25/12 0.3s}`. Leading moves without
/// scores are book moves, and the imported game begins after them. Games without a result of play, games that ended on
/// time or by an engine's error, and games without scores are left out. Broken games, games that continue after the
/// rules ended them, and games whose result contradicts the rules are reported.
#[derive(Args)]
#[command(
    after_help = "The exit status is 0 if every game was sound, 1 if some were broken and 2 if a file could not \
    be read or written."
)]
struct ImportArgs {
    /// New file to write
    out: PathBuf,
    /// PGN files
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,
    /// Sakmak's centipawns for +1.00 in the files
    #[arg(long, value_name = "CP", default_value_t = 100, value_parser = whole::<u32>(1..=1_000))]
    scale: u32,
    #[command(flatten)]
    rules: RulesArgs,
}

impl ImportArgs {
    fn run(&self) -> Result<ExitCode> {
        let files = GameFiles { paths: &self.files, options: ReadOptions::default() };
        ensure!(!files.contains(&self.out), "{}: is to be read, not written", self.out.display());
        let job = ImportJob {
            rules: self.rules.rules(),
            files: &self.files,
            output: &self.out,
            scale: internal(self.scale),
        };
        let summary = job.run(&mut FileProgress::new(&files))?;
        print(&format!(
            "{} games, {} positions; left out: {} without a result of play, {} without scores, {} of another variant, \
             {} broken\n",
            summary.games,
            summary.positions,
            summary.without_result,
            summary.without_scores,
            summary.read.skipped,
            summary.read.broken
        ))?;
        Ok(exit_code(summary.read.unreadable.len(), summary.read.broken))
    }
}

/// Merge files of games into one
///
/// All files must have the same rules, and no run may occur twice. An incomplete last game is skipped with a warning;
/// any other damage is an error. The new file appears when it is complete.
#[derive(Args)]
struct MergeArgs {
    /// New file to write
    out: PathBuf,
    /// Files to merge
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
}

impl MergeArgs {
    fn run(&self) -> Result<()> {
        let games = merge(&self.out, &self.inputs, &mut warn_of_cut)?;
        print(&format!("{games} games\n"))
    }
}

/// Write the quiet positions of games in random order, for `train`
///
/// Positions in check, with a best move that captures or promotes, with a bare khun, with a score beyond 702
/// centipawns, or with dead material are left out. An incomplete last game is skipped with a warning; any other damage
/// is an error. The new files appear when they are complete.
#[derive(Args)]
struct PositionsArgs {
    /// New file to write
    out: PathBuf,
    /// Files of games
    #[arg(required = true, value_name = "IN")]
    games: Vec<PathBuf>,
    /// Skip the first GAMES games, counted over all files
    #[arg(long, value_name = "GAMES", default_value_t = 0, value_parser = whole::<u64>(..))]
    skip: u64,
    /// Take at most GAMES games after the skipped ones
    #[arg(long, value_name = "GAMES", default_value_t = u64::MAX, hide_default_value = true, value_parser = whole::<u64>(..))]
    take: u64,
    /// New file for the positions of held-out games
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// Share of the games that are held out
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    holdout: f64,
    /// Largest number of pieces of an ending, see --keep-endings
    #[arg(long, value_name = "PIECES", default_value_t = 0, value_parser = whole::<u32>(..))]
    endings: u32,
    /// Keep positions with at most --endings pieces with this probability
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    keep_endings: f64,
    /// For each position of a game, add NUMBER positions after one or two random moves, with searched scores
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = whole::<u32>(..))]
    explore: u32,
    /// Search new scores for the positions of games, too
    #[arg(long)]
    relabel: bool,
    /// Soft node limit of the searches for --explore and --relabel: no iteration begins after NODES nodes
    #[arg(long, value_name = "NODES", default_value_t = 50, value_parser = whole::<u64>(1..))]
    label_nodes: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
}

impl PositionsArgs {
    fn run(&self) -> Result<()> {
        let job = ShuffleJob {
            games: &self.games,
            skip: self.skip,
            take: self.take,
            filter: Filter { no_bare_khun: true, ..Filter::default() },
            endings_below: self.endings + 1,
            endings: self.keep_endings,
            explore: self.explore,
            relabel: self.relabel,
            label_nodes: self.label_nodes,
            holdout: if self.held_out.is_some() { self.holdout } else { 0.0 },
            seed: self.seed,
            training: &self.out,
            held_out: self.held_out.as_deref(),
        };
        let bytes: u64 =
            self.games.iter().map(|path| std::fs::metadata(path).map_or(0, |data| data.len())).sum();
        let bar = progress::bar(Some(bytes), "{bar:30} {percent}%  {msg}  {elapsed} gone, {eta} left");
        let mut timer = LineTimer::start();
        let shuffled = shuffle(&job, &mut warn_of_cut, &mut |games, read| {
            bar.set_position(read);
            bar.set_message(format!("{games} games"));
            if bar.is_hidden() && timer.is_due() {
                let gone = timer.elapsed().as_secs();
                warn(format_args!(
                    "{games} games, {}% of the files, {gone} s gone",
                    100 * read / bytes.max(1)
                ));
            }
        })?;
        bar.finish_and_clear();
        let Shuffled { games, training, held_out } = shuffled;
        print(&format!("{games} games, {training} positions, {held_out} held out\n"))
    }
}

/// Warns that the last game of a file is incomplete.
pub(super) fn warn_of_cut(path: &Path, error: &DataError) {
    warn(format_args!("warning: {}: {error}", path.display()));
}

/// A filter on a command line.
#[derive(Clone, Debug, Default, Args)]
struct FilterArgs {
    /// Leave out positions in check, with a best move that captures or promotes, with a score beyond 702 centipawns, or
    /// with dead material
    #[arg(long)]
    filter: bool,
    /// Leave out positions with a score beyond CP centipawns
    #[arg(long, value_name = "CP", value_parser = whole::<u16>(..))]
    max_score: Option<u16>,
    /// Leave out the first PLIES plies of each game
    #[arg(long, value_name = "PLIES", value_parser = whole::<usize>(..))]
    min_ply: Option<usize>,
    /// Leave out positions with a bare khun
    #[arg(long)]
    no_bare_khun: bool,
    /// Keep each position with this probability
    #[arg(long, value_name = "SHARE", value_parser = share)]
    keep: Option<f64>,
    /// Seed of the random numbers for --keep
    #[arg(long, value_name = "SEED", default_value_t = 0, value_parser = whole::<u64>(..))]
    keep_seed: u64,
}

impl FilterArgs {
    /// The filter; without options it keeps everything.
    fn filter(&self) -> Filter {
        let base = if self.filter { Filter::default() } else { Filter::ALL };
        Filter {
            max_score: self.max_score.map_or(base.max_score, |score| Centipawns(score.into()).to_internal()),
            min_ply: self.min_ply.unwrap_or(base.min_ply),
            no_bare_khun: self.no_bare_khun || base.no_bare_khun,
            keep: self.keep.unwrap_or(base.keep),
            seed: self.keep_seed,
            ..base
        }
    }
}
