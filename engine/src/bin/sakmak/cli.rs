//! The command line.

use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::{CommandFactory, Parser, Subcommand};
use clap_complete::Shell;
use sakmak_engine::genfens::Genfens;
use sakmak_engine::{bench, uci};

use crate::analyse::Analyse;
use crate::perft::Perft;
use sakmak_engine::args::whole;

/// Sakmak, a Makruk (Thai chess) engine that plays by the count.
///
/// Without arguments it speaks UCI on standard input and output: load it into Cute Chess or another GUI for the variant
/// "makruk".
#[derive(Parser)]
#[command(name = "sakmak", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Run UCI (the default without arguments)
    Uci,
    /// Search a fixed set of positions; the node count is the same on every machine
    Bench {
        /// Depth of each search, in plies
        #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = whole::<u32>(1..128))]
        depth: u32,
        /// Size of the transposition table, in MiB
        #[arg(long, default_value_t = bench::HASH_MB, value_parser = whole::<usize>(..))]
        hash: usize,
        /// Print the nodes of each position
        #[arg(long, short)]
        verbose: bool,
    },
    /// Search positions and print the best lines, as text or JSON
    Analyse(Analyse),
    /// Count the move paths of a given length, the standard test of a move generator
    Perft(Perft),
    /// Print openings after random moves: `genfens N seed S book None|FILE`, also as one argument followed by `quit`
    Genfens {
        /// The words of the command
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
        words: Vec<String>,
    },
    /// Print the completion script of a shell
    Completions { shell: Shell },
    /// Write the manual pages into a folder
    Man { folder: PathBuf },
}

pub(crate) fn run() -> Result<ExitCode> {
    let arguments: Vec<_> =
        std::env::args_os().skip(1).map(|text| text.to_string_lossy().into_owned()).collect();
    if arguments.first().is_some_and(|first| first.starts_with("genfens ")) {
        execute(&arguments)?;
        return Ok(ExitCode::SUCCESS);
    }
    match Cli::parse().command {
        None | Some(Command::Uci) => {
            run_uci()?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Bench { depth, hash, verbose }) => {
            let show = |number, fen: &str, nodes| match verbose {
                true => print(&format!("{number:>2} {fen}: {nodes}\n")),
                false => Ok(()),
            };
            let result = bench::try_run(depth, hash, &bench::BenchStop::default(), show)?;
            print(&format!("{} nodes {} nps\n", result.nodes, result.nps()))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Analyse(analyse)) => analyse.run(),
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Genfens { words }) => {
            execute(&[format!("genfens {}", words.join(" "))])?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Completions { shell }) => {
            let mut script = Vec::new();
            clap_complete::generate(shell, &mut Cli::command(), "sakmak", &mut script);
            print(&String::from_utf8_lossy(&script))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Man { folder }) => {
            clap_mangen::generate_to(Cli::command(), &folder)
                .with_context(|| format!("cannot write the manual pages into {}", folder.display()))?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Writes to standard output and flushes. `main` reports an error and ends the program.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Executes commands given as arguments, each a line.
fn execute(lines: &[String]) -> Result<()> {
    for line in lines {
        match line.split_ascii_whitespace().next() {
            Some("genfens") => {
                let mut out = io::stdout().lock();
                line.parse::<Genfens>()?.run(|fen| {
                    writeln!(out, "info string genfens {fen}")?;
                    out.flush()
                })?;
            }
            Some("quit") => break,
            _ => bail!("'{line}': after genfens only genfens and quit are understood as arguments"),
        }
    }
    Ok(())
}

fn run_uci() -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        print(&format!(
            "{} speaks UCI and is meant for a chess GUI; help lists the commands, quit leaves.\n",
            uci::NAME
        ))?;
    }
    #[cfg(unix)]
    let (input, output) = crate::pipes::standard();
    #[cfg(not(unix))]
    let (input, output) = (io::BufReader::new(io::stdin()), io::stdout());
    Ok(uci::run(input, uci::Output::to(output))?)
}
