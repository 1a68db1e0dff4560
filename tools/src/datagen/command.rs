//! The command line of `sakmak-tools datagen`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use sakmak_engine::bench;
use sakmak_movegen::{Rules, Ruleset, Variant};

use super::generate::Order;
use super::info::Census;
use super::merge::merge;
use super::{DrawRule, FilterArgs, Header, Run};
use crate::output;

/// Make, join and describe games of self-play to learn from
#[derive(Args)]
pub struct Datagen {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Play(Box<PlayArgs>),
    Info(InfoArgs),
    Merge(MergeArgs),
}

impl Datagen {
    /// Does what the command line says.
    ///
    /// # Errors
    /// If it cannot.
    pub fn run(&self) -> Result<ExitCode> {
        match &self.command {
            Command::Play(args) => args.run()?,
            Command::Info(args) => args.run()?,
            Command::Merge(args) => args.run()?,
        }
        Ok(ExitCode::SUCCESS)
    }
}

/// Plies in a row in which the same side mates that end a game.
const MATE_PLIES: usize = 4;
/// A search may take so many times the nodes asked for to finish an iteration.
const HARD_LIMIT: u64 = 4;
/// No game is longer, for a file counts plies in 16 bits.
const MOST_PLIES: i64 = 65_535;
/// Depth of the bench that identifies an engine.
const SIGNATURE_DEPTH: u32 = 6;
const SIGNATURE_HASH_MB: usize = 4;

/// Let Sakmak play itself
///
/// The file depends on the options but not on the number of threads. A run that was killed goes on with --resume and
/// ends with the same file.
#[derive(Args)]
struct PlayArgs {
    /// File to write
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// How many games
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    games: u64,
    /// Nodes of each search: none begins an iteration after so many, or goes on after four times as many
    #[arg(long, default_value_t = 5_000, value_parser = clap::value_parser!(u64).range(1..1 << 40))]
    nodes: u64,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Games at a time, each on a thread of its own
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Random plies at the beginning, or one more so that either side begins; they are not part of the game
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(..200))]
    random_plies: u32,
    /// Take other random moves if the search sees one side ahead by more centipawns
    #[arg(long, value_name = "CP", default_value_t = 300)]
    max_opening_cp: u32,
    /// Call a game drawn after so many plies
    #[arg(long, default_value_t = 400, value_parser = clap::value_parser!(i64).range(1..=MOST_PLIES))]
    max_plies: i64,
    /// Do not call games drawn that have small scores for long
    #[arg(long)]
    no_draws: bool,
    /// Such games: not before so many plies
    #[arg(long, value_name = "PLIES", default_value_t = 200)]
    draw_ply: usize,
    /// Such games: so many plies in a row
    #[arg(long, value_name = "PLIES", default_value_t = 20)]
    draw_count: usize,
    /// Such games: at most so many centipawns
    #[arg(long, value_name = "CP", default_value_t = 5)]
    draw_score: u32,
    /// MiB of each thread's table
    #[arg(long, value_name = "MB", default_value_t = 16)]
    hash: usize,
    /// The game
    #[arg(long, default_value_t, value_parser = crate::args::named::<Variant>(Variant::NAMES))]
    variant: Variant,
    /// Whose rules it follows
    #[arg(long, default_value_t, value_parser = crate::args::named::<Ruleset>(Ruleset::NAMES))]
    ruleset: Ruleset,
    /// Go on with the file of a run that was cut short, or make it longer
    #[arg(long)]
    resume: bool,
}

impl PlayArgs {
    fn run(&self) -> Result<()> {
        ensure!(self.draw_count > 0, "--draw-count must not be 0");
        let rule = DrawRule { ply: self.draw_ply, count: self.draw_count, score: self.draw_score };
        let run = Run {
            engine: format!("Sakmak {}", env!("CARGO_PKG_VERSION")),
            signature: bench::run(SIGNATURE_DEPTH, SIGNATURE_HASH_MB, |_, _, _| ())?.nodes,
            seed: self.seed,
            nodes: self.nodes,
            max_nodes: self.nodes * HARD_LIMIT,
            hash_mb: self.hash,
            random_plies: self.random_plies,
            max_opening_cp: self.max_opening_cp,
            mate_plies: MATE_PLIES,
            max_plies: self.max_plies as usize,
            draw: (!self.no_draws).then_some(rule),
        };
        let header = Header { rules: Rules::new(self.variant, self.ruleset), runs: vec![run] };
        let threads = self.threads.get();
        Order { header: &header, games: self.games, threads, path: &self.out, resume: self.resume }.run()
    }
}

/// Tell what files of games hold
///
/// A last game that is cut off is left out with a warning; any other damage is an error that names the game.
#[derive(Args)]
struct InfoArgs {
    /// Files that `datagen play` or `datagen merge` made
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Replay every game and check that it ends when the rules say so, and with the result it tells
    #[arg(long)]
    check: bool,
    #[command(flatten)]
    filter: FilterArgs,
}

impl InfoArgs {
    fn run(&self) -> Result<()> {
        let mut census = Census::new(self.filter.filter());
        for path in &self.files {
            census.add_file(path, self.check).with_context(|| path.display().to_string())?;
        }
        output::print(&census.to_string())
    }
}

/// Join files of games into one
///
/// All must follow the same rules, and no run may be there twice. A last game that is cut off is left out with a
/// warning; any other damage is an error. The new file appears when it is whole.
#[derive(Args)]
struct MergeArgs {
    /// New file to write
    out: PathBuf,
    /// Files to join
    #[arg(required = true, value_name = "IN")]
    inputs: Vec<PathBuf>,
}

impl MergeArgs {
    fn run(&self) -> Result<()> {
        let games = merge(&self.out, &self.inputs)?;
        output::print(&format!("{games} games\n"))
    }
}
