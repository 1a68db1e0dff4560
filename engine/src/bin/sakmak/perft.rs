//! The command `perft`: counts, listings, suites of positions, and a progress bar.

use std::io::{self, IsTerminal, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sakmak_engine::perft;
use sakmak_movegen::perft::{Division, PerftTt, divide};
use sakmak_movegen::{Move, Position, Rules, Ruleset, Variant};

use crate::cli::print;
use sakmak_engine::args::{thread_count, whole};

/// A longer perft shows a progress bar.
const PROGRESS_DELAY: Duration = Duration::from_millis(500);

const BAR_STEPS: u64 = 1_000;

#[derive(Args)]
pub(crate) struct Perft {
    /// Length of the paths in plies
    #[arg(required_unless_present = "suite", value_parser = whole::<u32>(0..=64))]
    depth: Option<u32>,
    /// FEN to start from instead of the start position
    #[arg(long, conflicts_with = "suite")]
    fen: Option<String>,
    /// The variant
    #[arg(long, default_value_t, value_parser = variant_parser())]
    variant: Variant,
    /// The ruleset, named by its source; only the start array and first moves matter here
    #[arg(long, default_value_t, value_parser = ruleset_parser())]
    ruleset: Ruleset,
    /// Moves to make first, such as e3e4 or a5a6m
    #[arg(long, num_args = 1.., conflicts_with = "suite")]
    moves: Vec<String>,
    /// Print the count of each first move
    #[arg(long, conflicts_with = "suite")]
    divide: bool,
    /// Number of threads
    #[arg(long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
    /// Size of the transposition table, in MiB; 0 for none
    #[arg(long, default_value_t = 0, value_name = "MB", value_parser = whole::<usize>(..))]
    hash: usize,
    /// Check a file of lines "FEN ;D1 n ;D2 n ..." instead
    #[arg(long, value_name = "FILE", conflicts_with = "depth")]
    suite: Option<PathBuf>,
    /// Skip counts of the suite above N
    #[arg(long, value_name = "N", requires = "suite", default_value_t = u64::MAX, hide_default_value = true, value_parser = whole::<u64>(..))]
    max_nodes: u64,
}

impl Perft {
    fn rules(&self) -> Rules {
        Rules::new(self.variant, self.ruleset)
    }

    pub(crate) fn run(&self) -> Result<ExitCode> {
        let tt = match self.hash {
            0 => None,
            mb => Some(perft::tt(mb)?),
        };
        if let Some(path) = &self.suite {
            return self.check_suite(path, tt.as_ref());
        }
        let rules = self.rules();
        let Some(depth) = self.depth else { bail!("a depth is needed") };
        let mut position = match &self.fen {
            Some(fen) => Position::from_fen_with(fen, rules)?,
            None => Position::start(rules),
        };
        for text in self.moves.iter().flat_map(|moves| moves.split_ascii_whitespace()) {
            position.play_unchecked(position.parse_move(text)?);
        }

        let started = Instant::now();
        let bar = io::stderr().is_terminal().then(progress_bar);
        let parts = self.divide(&position, depth, tt.as_ref(), &|done| {
            if let Some(bar) = bar.as_ref().filter(|_| started.elapsed() > PROGRESS_DELAY) {
                bar.set_position((done * BAR_STEPS as f64) as u64);
            }
        });
        let seconds = started.elapsed().as_secs_f64();
        if let Some(bar) = &bar {
            bar.finish_and_clear();
        }
        let total = perft::total(depth, &parts);
        let text = if self.divide { perft::listing(&parts) } else { String::new() };
        let speed = total as f64 / seconds.max(1e-9);
        print(&format!("{text}Time: {seconds:.3} s\nNodes/second: {speed:.0}\nNodes searched: {total}\n"))?;
        Ok(ExitCode::SUCCESS)
    }

    /// Perft by first move. Prints a warning if the system refuses threads.
    fn divide(
        &self,
        position: &Position,
        depth: u32,
        tt: Option<&PerftTt>,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Vec<(Move, u64)> {
        let (threads, never) = (self.threads.get(), AtomicBool::new(false));
        let Division { parts, only_threads } = divide(position, depth, threads, tt, &never, progress);
        if let Some(only) = only_threads {
            // The count is right even if this message cannot be written.
            let _ = writeln!(io::stderr(), "warning: only {only} of {threads} threads could be started");
        }
        parts
    }

    fn check_suite(&self, path: &Path, tt: Option<&PerftTt>) -> Result<ExitCode> {
        let text =
            std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        let (mut passed, mut failed) = (0, 0);
        for (index, line) in text.lines().enumerate() {
            let divide = |position: &Position, depth| self.divide(position, depth, tt, &|_| ());
            match perft::check_line(line, self.rules(), self.max_nodes, divide) {
                Ok(checked) => passed += u32::from(checked),
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

/// A bar that appears with its first step. It redraws only when set, since ticks would need a thread.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(BAR_STEPS), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent}%  {elapsed} elapsed, {eta} left") {
        bar.set_style(style);
    }
    bar
}

pub(crate) fn variant_parser() -> impl TypedValueParser<Value = Variant> {
    PossibleValuesParser::new(Variant::NAMES).try_map(|name| name.parse::<Variant>())
}

pub(crate) fn ruleset_parser() -> impl TypedValueParser<Value = Ruleset> {
    PossibleValuesParser::new(Ruleset::NAMES).try_map(|name| name.parse::<Ruleset>())
}
