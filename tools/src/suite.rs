//! Positions that are decided by the count, with proof: how they are made, checked and put to engines.

mod ask;
mod bare;
mod epd;
mod hunt;
mod make;
mod prove;
mod run;

use std::path::PathBuf;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use sakmak_tools::output::{self, OutputFile};
use sakmak_tools::tournament::spec::{EngineSpec, Limits};

/// Positions decided by the count, each proven by exhaustive search: make them, check them, put them to engines
#[derive(Args)]
pub(crate) struct Suite {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Make the suite of best moves: the same seed makes the same file
    Make(Made),
    /// Make the bare-khun wins that `hunt` plays out
    Bare(Made),
    /// Prove every line of a file again
    Check {
        /// The file, of either kind
        file: PathBuf,
        /// Only every n-th line
        #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..))]
        every: u32,
    },
    /// Ask engines for their move in each position
    Run(Asked),
    /// Let engines hunt bare khuns that resist as long as they can
    Hunt {
        #[command(flatten)]
        asked: Asked,
        /// Seed of the choice between defences of the same length
        #[arg(long, default_value_t = 1)]
        seed: u64,
    },
}

#[derive(Args)]
struct Made {
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write to this file instead of standard output; only a file of the same command is replaced
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

impl Made {
    /// Makes a file that begins with `mark`.
    fn make(&self, mark: &str, make: impl FnOnce(u64) -> Result<String>) -> Result<()> {
        // Before the work, which takes a while.
        let file = self.output.as_ref().map(|path| OutputFile::replace(path, mark)).transpose()?;
        let text = make(self.seed)?;
        match file {
            Some(file) => file.write(&text),
            None => output::print(&text),
        }
    }
}

#[derive(Args)]
struct Asked {
    /// An engine, as for `match`: cmd=PROGRAM ARGUMENTS,name=NAME,option.NAME=VALUE; may be given several times
    #[arg(long, required = true, value_name = "SPEC")]
    engine: Vec<EngineSpec>,
    /// Positions to search for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    nodes: Option<u64>,
    /// Milliseconds for each move
    #[arg(long, value_parser = clap::value_parser!(u64).range(1..))]
    movetime: Option<u64>,
    /// Print the result as JSON
    #[arg(long)]
    json: bool,
    /// The file of positions
    file: PathBuf,
}

/// Nodes for each move if nothing limits it.
const DEFAULT_NODES: u64 = 50_000;

impl Asked {
    /// The limits of an engine that has none of its own.
    fn limits(&self) -> Limits {
        let given = Limits { nodes: self.nodes, movetime: self.movetime, ..Limits::default() };
        given.or(Limits { nodes: Some(DEFAULT_NODES), ..Limits::default() })
    }

    fn entries(&self) -> Result<Vec<epd::Entry>> {
        let entries = epd::read(&self.file)?;
        ensure!(!entries.is_empty(), "{} holds no positions", self.file.display());
        Ok(entries)
    }
}

impl Suite {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<()> {
        match &self.command {
            Command::Make(made) => made.make(make::MARK, make::suite),
            Command::Bare(made) => made.make(bare::MARK, bare::wins),
            Command::Check { file, every } => {
                let entries = epd::read(file)?;
                let chosen = entries.iter().step_by(*every as usize);
                let mut prover = prove::Prover::default();
                let mut number = 0;
                for entry in chosen {
                    prover.check(entry).with_context(|| format!("{}: {}", file.display(), entry.id))?;
                    number += 1;
                }
                output::print(&format!("{number} of {} positions proven\n", entries.len()))
            }
            Command::Run(asked) => run::run(&asked.engine, asked.limits(), &asked.entries()?, asked.json),
            Command::Hunt { asked, seed } => {
                hunt::run(&asked.engine, asked.limits(), &asked.entries()?, *seed, asked.json)
            }
        }
    }
}
