//! The command line.

use std::io::{self, BufReader, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::Instant;

use anyhow::{Context, Result, bail};
use clap::{Args, Parser, Subcommand};
use sakmak_engine::args::named;
use sakmak_engine::genfens::Request;
use sakmak_engine::perft::SuiteLine;
use sakmak_engine::search::Signals;
use sakmak_engine::{bench, perft, uci};
use sakmak_movegen::perft::PerftTable;
use sakmak_movegen::{Position, Rules, Ruleset, Variant};

/// Sakmak, a Makruk (Thai chess) engine that plays by the count.
///
/// Without arguments it speaks UCI on standard input and output: load it into Cute Chess or another
/// GUI for the variant "makruk".
#[derive(Parser)]
#[command(name = "sakmak", version)]
struct Cli {
    #[command(subcommand)]
    command: Option<Command>,
}

#[derive(Subcommand)]
enum Command {
    /// Speak UCI (what happens without arguments too)
    Uci,
    /// Search a fixed set of positions; the node count is the same on every machine
    Bench {
        /// Plies to search each position
        #[arg(default_value_t = bench::DEFAULT_DEPTH, value_parser = clap::value_parser!(u32).range(1..128))]
        depth: u32,
        /// Size of the hash table in MB
        #[arg(long, default_value_t = bench::HASH_MB)]
        hash: usize,
        /// Print the nodes of each position
        #[arg(long, short)]
        verbose: bool,
    },
    /// Count the move paths of a given length, the standard test of a move generator
    Perft(Perft),
    /// Print openings of random moves: `genfens N seed S book None|FILE`, also as one argument followed by `quit`
    Genfens {
        /// The rest of the command
        #[arg(trailing_var_arg = true, allow_hyphen_values = true, value_name = "WORDS")]
        words: Vec<String>,
    },
}

#[derive(Args)]
struct Perft {
    /// Length of the paths in plies
    #[arg(required_unless_present = "suite", value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: Option<u32>,
    /// Position to start from instead of the start position
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// The game to play
    #[arg(long, default_value_t, value_parser = named::<Variant>(Variant::NAMES))]
    variant: Variant,
    /// The source of the rules (start array and first moves count here)
    #[arg(long, default_value_t, value_parser = named::<Ruleset>(Ruleset::NAMES))]
    ruleset: Ruleset,
    /// Moves to make first, such as e3e4 or a5a6m
    #[arg(long, num_args = 1.., conflicts_with = "suite")]
    moves: Vec<String>,
    /// List the count behind each first move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Threads to count with
    #[arg(long, default_value = "1")]
    threads: NonZeroUsize,
    /// Size of a table of positions already counted, in MB (0: none)
    #[arg(long, default_value_t = 0, value_name = "MB")]
    hash: usize,
    /// Check a file of lines "FEN ;D1 n ;D2 n ..." instead
    #[arg(long, value_name = "FILE", conflicts_with = "depth")]
    suite: Option<PathBuf>,
    /// Leave out counts of the suite above this
    #[arg(long, value_name = "N", requires = "suite", default_value_t = u64::MAX, hide_default_value = true)]
    max_nodes: u64,
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
            speak_uci()?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Bench { depth, hash, verbose }) => {
            let result = bench::try_run(
                depth,
                hash,
                &Signals::default(),
                &AtomicBool::new(false),
                |number, fen, nodes| match verbose {
                    true => print(&format!("{number:>2} {fen}: {nodes}\n")),
                    false => Ok(()),
                },
            )?;
            print(&format!("{} nodes {} nps\n", result.nodes, result.nps()))?;
            Ok(ExitCode::SUCCESS)
        }
        Some(Command::Perft(perft)) => perft.run(),
        Some(Command::Genfens { words }) => {
            execute(&[format!("genfens {}", words.join(" "))])?;
            Ok(ExitCode::SUCCESS)
        }
    }
}

/// Writes to standard output at once. An error leads to the end of the program, which main reports.
fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).context("cannot write to standard output")
}

/// Executes commands that were given as arguments, each a line of its own.
fn execute(lines: &[String]) -> Result<()> {
    for line in lines {
        match line.split_ascii_whitespace().next() {
            Some("genfens") => {
                let mut out = io::stdout().lock();
                line.parse::<Request>()?.run(|fen| {
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

fn speak_uci() -> Result<()> {
    if io::stdin().is_terminal() && io::stdout().is_terminal() {
        print(&format!(
            "{} speaks UCI and is meant for a chess GUI; help lists the commands, quit leaves.\n",
            uci::NAME
        ))?;
    }
    Ok(uci::run(BufReader::new(io::stdin()), uci::Output::to(io::stdout()))?)
}

impl Perft {
    fn rules(&self) -> Rules {
        Rules::new(self.variant, self.ruleset)
    }

    fn run(&self) -> Result<ExitCode> {
        let table = match self.hash {
            0 => None,
            mb => Some(perft::table(mb)?),
        };
        if let Some(path) = &self.suite {
            return self.check_suite(path, table.as_ref());
        }
        let rules = self.rules();
        let Some(depth) = self.depth else { bail!("a depth is needed") };
        let mut position = match &self.fen {
            Some(fen) => Position::from_fen_with(fen, rules)?,
            None => Position::start(rules),
        };
        for text in self.moves.iter().flat_map(|moves| moves.split_ascii_whitespace()) {
            position.make(position.parse_move(text)?);
        }

        let started = Instant::now();
        let parts = perft::divide(&position, depth, self.threads.get(), table.as_ref(), true);
        let seconds = started.elapsed().as_secs_f64();
        let total = perft::total(depth, &parts);
        let mut text = String::new();
        if self.divide {
            text.extend(parts.iter().map(|(mv, nodes)| format!("{mv}: {nodes}\n")));
            text.push('\n');
        }
        let speed = total as f64 / seconds.max(1e-9);
        print(&format!("{text}Time: {seconds:.3} s\nNodes/second: {speed:.0}\nNodes searched: {total}\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    fn check_suite(&self, path: &Path, table: Option<&PerftTable>) -> Result<ExitCode> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let (mut passed, mut failed) = (0, 0);
        for (index, line) in text.lines().enumerate() {
            let verdict = match SuiteLine::parse(line, self.rules()) {
                Ok(None) => continue,
                Ok(Some(entry)) => entry.check(self.max_nodes, self.threads.get(), table),
                Err(error) => Err(error.to_string()),
            };
            match verdict {
                Ok(()) => passed += 1,
                Err(message) => {
                    failed += 1;
                    print(&format!("{}:{}: {message}\n\n", path.display(), index + 1))?;
                }
            }
        }
        print(&format!("{passed} passed, {failed} failed\n"))?;
        Ok(if failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE })
    }
}
