//! The `sakmak-tools` program: what the makers of Sakmak need beside the engine.

mod endings;
mod magics;
mod openings;

use std::process::ExitCode;

use clap::{Parser, Subcommand};

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
        #[arg(long, default_value_t = sakmak_movegen::MAGIC_SEED)]
        seed: u64,
    },
    /// Print openings of random legal moves, one FEN a line
    Openings(openings::Openings),
    /// Solve endings against a bare khun and tell how long the mates take
    Endings(endings::Endings),
}

fn main() -> ExitCode {
    let result = match Cli::parse().command {
        Command::Magics { seed } => {
            magics::print(seed);
            Ok(())
        }
        Command::Openings(openings) => openings.run(),
        Command::Endings(endings) => endings.run(),
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
