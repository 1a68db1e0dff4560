//! The command `suite`.

use std::fmt::Display;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, Subcommand};
use sakmak_eval::tablebase::Ending;
use sakmak_files::output::OutputFile;
use sakmak_matches::suite::{self, Endings, MatingReport, SolveReport, SuitePosition};
use sakmak_matches::tournament::spec::{EngineLimits, EngineSpec};
use serde::Serialize;

use super::args::whole;
use super::stdout::{print, print_json, write_or_print};
use super::tablebase;

/// Make, check and run the count suite: positions decided by the count, each proven by exhaustive search
#[derive(Args)]
pub(crate) struct Suite {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the suite of best moves; the same seed gives the same file
    Make(MakeArgs),
    /// Make the bare-khun wins that `hunt` plays out
    Bare(MakeArgs),
    /// Make positions in which a move loses value, from endgame tables
    ///
    /// Random placements, in each of which one move keeps the win or draw and another gives it away, with the count as
    /// it stands. `run` asks engines for their moves. The same seed and tables give the same file.
    Kept(KeptArgs),
    /// Prove the positions of a file again
    Check {
        /// File from `make` or `bare`
        file: PathBuf,
        /// Prove only every EVERY-th position
        #[arg(long, default_value_t = 1, value_parser = whole::<u32>(1..))]
        every: u32,
    },
    /// Search each position and count the right moves
    Run(EngineArgs),
    /// Play out wins against a bare khun with the longest defence
    Hunt {
        #[command(flatten)]
        args: EngineArgs,
        /// Seed of the choice among equally long defences
        #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
        seed: u64,
    },
}

#[derive(Args)]
struct MakeArgs {
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Write to this file instead of standard output; a file is replaced only if the same command wrote it
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl MakeArgs {
    /// Makes an output that begins with `mark`.
    fn make(&self, mark: &str, make: impl FnOnce(u64) -> Result<String>) -> Result<()> {
        // Created before the work, which takes a while.
        let file = self.output.as_ref().map(|path| OutputFile::replace(path, mark)).transpose()?;
        let text = make(self.seed)?;
        write_or_print(file, &text)
    }
}

#[derive(Args)]
struct KeptArgs {
    #[command(flatten)]
    make: MakeArgs,
    /// Number of positions
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = whole::<usize>(1..))]
    positions: usize,
    /// Men, the two khun included: of four all endings with pieces on both sides, of five the ten most frequent
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = whole::<u8>(4..=5))]
    men: u8,
    /// These endings instead
    #[arg(value_name = "NAME", conflicts_with = "men")]
    names: Vec<Ending>,
    /// Folder of tablebases; may be given several times
    #[arg(long = "tablebase", value_name = "D", default_value = "tablebases")]
    tablebases: Vec<PathBuf>,
}

impl KeptArgs {
    fn make(&self) -> Result<()> {
        let tables = tablebase::open(&self.tablebases)?;
        let endings = match (self.names.is_empty(), self.men) {
            (false, _) => self.names.clone(),
            (true, 4) => suite::FOUR_MEN.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
            (true, _) => suite::FIVE_MEN.iter().map(|name| name.parse()).collect::<Result<_, _>>()?,
        };
        self.make.make(suite::KEPT_MARK, |seed| suite::value_kept(seed, self.positions, &endings, &tables))
    }
}

#[derive(Args)]
struct EngineArgs {
    /// An engine, described as for `match`: cmd=PROGRAM ARGUMENTS,name=NAME,option.NAME=VALUE; may be given several
    /// times
    #[arg(long, required = true, value_name = "SPEC")]
    engine: Vec<EngineSpec>,
    /// Nodes for each move [default: 50000 without another limit]
    #[arg(long, value_parser = whole::<u64>(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each move
    #[arg(long, value_parser = whole::<u64>(1..))]
    movetime: Option<u64>,
    /// Print the results as JSON
    #[arg(long)]
    json: bool,
    /// Fail unless each engine solves N positions
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = whole::<usize>(..))]
    at_least: usize,
    /// The file of positions
    file: PathBuf,
}

/// Nodes per move if no limit is given.
const DEFAULT_NODES: u64 = 50_000;

impl EngineArgs {
    /// The limits of an engine without its own.
    fn limits(&self) -> EngineLimits {
        let given = EngineLimits { nodes: self.nodes, movetime: self.movetime, ..EngineLimits::default() };
        given.or(EngineLimits { nodes: Some(DEFAULT_NODES), ..EngineLimits::default() })
    }

    fn positions(&self) -> Result<Vec<SuitePosition>> {
        let positions = suite::read(&self.file)?;
        ensure!(!positions.is_empty(), "{} holds no positions", self.file.display());
        Ok(positions)
    }

    /// Reports on each engine, as text as soon as it is ready, or on all as JSON.
    fn report<R: Display + Serialize>(
        &self,
        mut test: impl FnMut(&EngineSpec) -> Result<R>,
        solved: impl Fn(&R) -> usize,
    ) -> Result<()> {
        let mut reports = Vec::new();
        for engine in &self.engine {
            let report = test(engine)?;
            if !self.json {
                print(&report.to_string())?;
            }
            reports.push(report);
        }
        if self.json {
            print_json(&reports)?;
        }
        let least = reports.iter().map(solved).min().unwrap_or(0);
        ensure!(least >= self.at_least, "{least} solved, but {} required", self.at_least);
        Ok(())
    }
}

impl Suite {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        match &self.command {
            Command::Make(args) => args.make(suite::SUITE_MARK, suite::best_moves),
            Command::Bare(args) => args.make(suite::BARE_KHUN_MARK, suite::bare_khun_wins),
            Command::Kept(args) => args.make(),
            Command::Check { file, every } => {
                let (proven, total) = suite::check(file, *every as usize)?;
                print(&format!("{proven} of {total} positions proven\n"))
            }
            Command::Run(args) => {
                let positions = args.positions()?;
                args.report(|engine| suite::solve(engine, args.limits(), &positions), SolveReport::solved)
            }
            Command::Hunt { args, seed } => {
                let positions = args.positions()?;
                let endings = Endings::default();
                let hunt = |engine: &_| suite::hunt(engine, args.limits(), &positions, *seed, &endings);
                args.report(hunt, MatingReport::mated)
            }
        }
    }
}
