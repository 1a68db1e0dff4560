//! The command `openings`.

use std::cell::OnceCell;
use std::num::NonZeroUsize;
use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::Args;
use sakmak_files::games::GameFiles;
use sakmak_files::output::OutputFile;
use sakmak_games::ReadOptions;
use sakmak_matches::openings::{OpeningFormat, OpeningSettings, PlyRange};
use sakmak_matches::tournament::spec::EngineSpec;
use sakmak_movegen::Rules;

use super::args::{RulesArgs, at_least_one, thread_count, whole};
use super::progress::{self, FileProgress};
use super::stdout::write_or_print;

/// Generate openings from random legal moves or from files of games
///
/// In each opening the side to move is not in check, the game is not over and no count runs. Random moves include
/// captures only with --max-eval, since otherwise they lose material. The same command gives the same openings, for any
/// number of threads.
#[derive(Args)]
pub(crate) struct Openings {
    /// Number of openings [default: 100 random ones, or all from --from]
    #[arg(long, value_parser = at_least_one)]
    count: Option<NonZeroUsize>,
    /// Plies of each opening, such as 8 or 8..20
    #[arg(long, default_value = "8")]
    plies: PlyRange,
    /// Seed of the random numbers. With --from it also shuffles the games; 0 keeps their order
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Take the positions from these games instead of random moves: PGN or score sheets, - means standard input
    #[arg(long, num_args = 1.., value_name = "FILE")]
    from: Vec<PathBuf>,
    #[command(flatten)]
    rules: RulesArgs,
    /// Keep only positions with an absolute score of at most CP centipawns
    #[arg(long, value_name = "CP", value_parser = whole::<u32>(..))]
    max_eval: Option<u32>,
    /// Keep only positions with an absolute score of at least CP centipawns: uneven openings give fewer draws
    #[arg(long, value_name = "CP", requires = "max_eval", default_value_t = 0, value_parser = whole::<u32>(..))]
    min_eval: u32,
    /// Search each position for NODES nodes
    #[arg(long, default_value_t = 10_000, value_parser = whole::<u64>(1..))]
    nodes: u64,
    /// Engine that evaluates: cmd=PROGRAM ARGUMENTS,option.NAME=VALUE (also dir, nodes, depth, movetime) [default:
    /// Sakmak itself]
    #[arg(long, value_name = "SPEC", requires = "max_eval")]
    engine: Option<EngineSpec>,
    /// Threads that evaluate, each with its own engine [default: the number of cores]
    #[arg(long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Output format
    #[arg(long, value_enum, default_value_t)]
    format: OpeningFormat,
    /// The same as --format epd
    #[arg(long, conflicts_with = "format")]
    epd: bool,
    /// Begin with a line `# sakmak-tools openings ...` that states the command; Cute Chess does not accept such lines
    #[arg(long)]
    header: bool,
    /// Write to this file instead of standard output; a file is replaced only if it begins with the line of --header
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
}

/// The beginning of the line of --header.
const MARK: &str = "# sakmak-tools openings ";

impl Openings {
    /// Makes the openings and writes them.
    pub(crate) fn run(&self) -> Result<()> {
        if let Some(most) = self.max_eval {
            ensure!(self.min_eval <= most, "--min-eval {} is more than --max-eval {most}", self.min_eval);
        }
        let format = if self.epd { OpeningFormat::Epd } else { self.format };
        ensure!(!self.header || format != OpeningFormat::Pgn, "--header goes with FEN and EPD");
        let files = GameFiles { paths: &self.from, options: ReadOptions::default() };
        // Created before the work, which takes a while.
        let file = self.output.as_ref().map(|path| OutputFile::replace(path, MARK)).transpose()?;
        if let Some(path) = &self.output {
            ensure!(!files.contains(path), "{}: is to be read, not written", path.display());
        }
        let settings = OpeningSettings {
            count: self.count.map(NonZeroUsize::get),
            plies: self.plies.clone(),
            seed: self.seed,
            from: self.from.clone(),
            rules: self.rules.rules(),
            max_eval: self.max_eval,
            min_eval: self.min_eval,
            nodes: self.nodes,
            engine: self.engine.clone(),
            threads: progress::threads(self.threads),
        };
        let bar = OnceCell::new();
        let start_bar = || match settings.wanted() {
            Some(wanted) => progress::bar(
                Some(wanted as u64),
                "{bar:30} {pos}/{len} openings, {msg}  {elapsed} gone, {eta} left",
            ),
            None => progress::bar(None, "{spinner} {pos} openings, {msg}  {elapsed} gone"),
        };
        // The progress bar over the files comes first.
        let found = settings.find(&mut FileProgress::new(&files), &mut |found, outside| {
            let bar = bar.get_or_init(start_bar);
            bar.set_position(found as u64);
            bar.set_message(format!("{outside} outside the limits"));
        });
        if let Some(bar) = bar.get() {
            bar.finish_and_clear();
        }
        let header = if self.header { format!("# {}\n", self.command(format)) } else { String::new() };
        write_or_print(file, &(header + &format.text(&found?)?))
    }

    /// The command line that makes this set again.
    fn command(&self, format: OpeningFormat) -> String {
        let mut words = vec![MARK.trim_start_matches("# ").trim_end().to_owned()];
        words.extend(self.count.map(|count| format!("--count {count}")));
        words.push(format!("--plies {} --seed {}", self.plies, self.seed));
        if !self.from.is_empty() {
            let names: Vec<_> = self.from.iter().map(|path| path.to_string_lossy()).collect();
            words.push(format!("--from {}", names.join(" ")));
        }
        if self.rules.rules() != Rules::default() {
            words.push(format!("--variant {} --ruleset {}", self.rules.variant, self.rules.ruleset));
        }
        if let Some(most) = self.max_eval {
            let least =
                if self.min_eval > 0 { format!("--min-eval {} ", self.min_eval) } else { String::new() };
            words.push(format!("{least}--max-eval {most} --nodes {}", self.nodes));
        }
        if let Some(engine) = &self.engine {
            words.push(format!("--engine cmd={}", engine.command.join(" ")));
        }
        words
            .push(if format == OpeningFormat::Epd { "--format epd --header" } else { "--header" }.to_owned());
        words.join(" ").replace(char::is_control, " ")
    }
}
