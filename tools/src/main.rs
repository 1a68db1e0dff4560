//! The program `sakmak-tools`: matches, games, data and training for the developers of Sakmak.

mod cli;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context;
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use sakmak_tools::matches::tournament::process::{GUARD, become_engine};
use sakmak_tools::output::OutputError;

use cli::args::whole;
use cli::stdout::{OutputClosed, print, warn};
use cli::{
    annotate, conversion, convert, count_curves, datagen, endings, magics, matches, openings, replay, spsa,
    suite, tablebase, train,
};

/// Tools around the Makruk engine Sakmak.
#[derive(Parser)]
#[command(name = "sakmak-tools", version)]
struct Cli {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Search the multipliers of the rua's magic bitboards and print them as Rust source
    Magics {
        /// Seed of the random numbers; the one given by default makes the engine's own
        #[arg(long, default_value_t = magics::SEED, value_parser = whole::<u64>(..))]
        seed: u64,
    },
    Annotate(Box<annotate::Annotate>),
    Openings(openings::Openings),
    /// Solve endings against a bare khun and print how long the mates take
    Endings(endings::Endings),
    /// Replay files of games: check every move and result, and sum up what was played
    Replay(replay::Replay),
    /// Convert files of games to another notation or dialect
    Convert(convert::Convert),
    Conversion(conversion::Conversion),
    CountCurves(count_curves::CountCurves),
    Datagen(datagen::Datagen),
    Match(Box<matches::MatchArgs>),
    Merge(matches::MergeArgs),
    Sprt(matches::SprtArgs),
    Spsa(Box<spsa::SpsaArgs>),
    Suite(suite::Suite),
    Tablebase(tablebase::Tablebase),
    Train(Box<train::TrainArgs>),
    /// Print what a shell needs to complete the arguments
    Completions {
        shell: Shell,
    },
    /// Write the manual pages into a folder
    Man {
        folder: PathBuf,
    },
    /// Become an engine that ends with its parent
    #[command(name = GUARD, hide = true)]
    RunEngine {
        parent: u32,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

fn main() -> ExitCode {
    // Commands over files use 1 for broken games.
    let (result, on_error) = match Cli::parse().command {
        Command::Magics { seed } => (magics::print(seed).map(|()| ExitCode::SUCCESS), 1),
        Command::Annotate(annotate) => (annotate.run(), 2),
        Command::Openings(openings) => (openings.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Endings(endings) => (endings.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Replay(replay) => (replay.run(), 2),
        Command::Convert(convert) => (convert.run(), 2),
        Command::Conversion(conversion) => (conversion.run(), 2),
        Command::CountCurves(curves) => (curves.run(), 1),
        Command::Datagen(datagen) => (datagen.run(), 1),
        Command::Match(args) => (args.run(), 2),
        Command::Merge(args) => (args.run(), 2),
        Command::Sprt(args) => (args.run(), 2),
        Command::Spsa(args) => (args.run(), 2),
        Command::Suite(suite) => (suite.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Tablebase(tablebase) => (tablebase.run(), 1),
        Command::Train(train) => (train.run(), 1),
        Command::Completions { shell } => (completions(shell), 1),
        Command::Man { folder } => (manual(&folder), 1),
        Command::RunEngine { parent, command } => (Err(become_engine(parent, &command).into()), 2),
    };
    result.unwrap_or_else(|error| {
        if error.is::<OutputClosed>() {
            return ExitCode::SUCCESS;
        }
        warn(format_args!("error: {error:#}"));
        // The result of long work is not lost with its file.
        if let Some(OutputError::Unsaved { text, .. }) = error.downcast_ref() {
            let _ = print(text);
        }
        ExitCode::from(on_error)
    })
}

fn completions(shell: Shell) -> anyhow::Result<ExitCode> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "sakmak-tools", &mut script);
    print(&String::from_utf8_lossy(&script))?;
    Ok(ExitCode::SUCCESS)
}

fn manual(folder: &Path) -> anyhow::Result<ExitCode> {
    clap_mangen::generate_to(Cli::command(), folder)
        .with_context(|| format!("cannot write the manual pages into {}", folder.display()))?;
    Ok(ExitCode::SUCCESS)
}
