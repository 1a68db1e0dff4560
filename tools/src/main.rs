//! The `sakmak-tools` program: what the makers of Sakmak need beside the engine.

mod convert;
mod duel;
mod endings;
mod magics;
mod openings;
mod replay;
mod spsa;
mod suite;

use std::io::{self, Write};
use std::process::ExitCode;

use clap::{Parser, Subcommand};
use sakmak_tools::output::OutputClosed;

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
        #[arg(long, default_value_t = magics::SEED)]
        seed: u64,
    },
    Openings(openings::Openings),
    /// Solve endings against a bare khun and tell how long the mates take
    Endings(endings::Endings),
    /// Replay files of games: check every move and result, and sum up what was played
    Replay(replay::Replay),
    /// Convert files of games to another notation or dialect
    Convert(convert::Convert),
    Datagen(sakmak_tools::datagen::command::Datagen),
    Match(Box<duel::MatchArgs>),
    Merge(duel::MergeArgs),
    Sprt(duel::SprtArgs),
    Spsa(Box<spsa::Spsa>),
    Suite(suite::Suite),
    Tune(Box<sakmak_tools::tune::Tune>),
    /// Become an engine that dies with its parent
    #[command(name = sakmak_tools::tournament::process::GUARD, hide = true)]
    RunEngine {
        parent: u32,
        #[arg(trailing_var_arg = true, allow_hyphen_values = true)]
        command: Vec<String>,
    },
}

fn main() -> ExitCode {
    // Commands over files keep 1 for games that are broken.
    let (result, on_error) = match Cli::parse().command {
        Command::Magics { seed } => (magics::print(seed).map(|()| ExitCode::SUCCESS), 1),
        Command::Openings(openings) => (openings.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Endings(endings) => (endings.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Replay(replay) => (replay.run(), 2),
        Command::Convert(convert) => (convert.run(), 2),
        Command::Datagen(datagen) => (datagen.run(), 1),
        Command::Match(args) => (args.run(), 2),
        Command::Merge(args) => (args.run(), 2),
        Command::Sprt(args) => (args.run(), 2),
        Command::Spsa(args) => (args.run(), 2),
        Command::Suite(suite) => (suite.run().map(|()| ExitCode::SUCCESS), 1),
        Command::Tune(tune) => (tune.run(), 1),
        Command::RunEngine { parent, command } => {
            let error = sakmak_tools::tournament::process::become_engine(parent, &command);
            (Err(error.into()), 2)
        }
    };
    result.unwrap_or_else(|error| {
        if error.is::<OutputClosed>() {
            return ExitCode::SUCCESS;
        }
        // Should even that fail, the exit status tells.
        let _ = writeln!(io::stderr(), "error: {error:#}");
        ExitCode::from(on_error)
    })
}
