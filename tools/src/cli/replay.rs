//! The command `replay`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use sakmak_files::games::GameFiles;
use sakmak_games::ReadOptions;
use sakmak_movegen::{Notation, Ruleset, Variant};
use sakmak_tools::replay;

use super::progress::{FileProgress, exit_code};
use super::stdout::{print, print_json};

/// Replay files of games: check every move and result, and print statistics
///
/// Every move is checked, also in variations. The result of each game is compared with the outcome under the
/// rules.
#[derive(Args)]
#[command(
    after_help = "Broken games are reported on standard error. Variations that cannot be played, results that \
    contradict one another and text that is not UTF-8 give warnings. The exit status is 0 if every game was \
    replayed, 1 if some were broken and 2 if a file could not be read; results that contradict the rules do not \
    change it."
)]
pub(crate) struct Replay {
    /// Files in PGN, or score sheets as SchemingMind prints them; - means standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Ruleset: fairy-stockfish, cutechess, schemingmind, wikipedia, cyningstan, knowlton, chessvariants, none
    #[arg(long, default_value_t)]
    ruleset: Ruleset,
    /// Read only games of this variant, such as makruk or cambodian [default: the Variant tag of each game]
    #[arg(long)]
    variant: Option<Variant>,
    /// Notation of the moves: san, lan, thai-san, thai-lan, schemingmind, uci [default: detected]
    #[arg(long, value_name = "NOTATION")]
    from: Option<Notation>,
    /// Print one JSON document instead of the summary
    #[arg(long)]
    json: bool,
    /// List the games whose result contradicts the rules
    #[arg(long)]
    verbose: bool,
}

impl Replay {
    /// Replays the games and prints the summary.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let options = ReadOptions {
            variant: self.variant,
            ruleset: self.ruleset,
            notation: self.from,
            ..ReadOptions::default()
        };
        let files = GameFiles { paths: &self.files, options };
        let report = replay::replay(&files, &mut FileProgress::new(&files));
        if self.json {
            print_json(&report)?;
        } else if report.games.read == 0 && report.unreadable_files.len() == self.files.len() {
            // Nothing was read, and the reasons are already printed.
        } else {
            print(&report.text(self.verbose))?;
        }
        Ok(exit_code(report.unreadable_files.len(), report.games.broken))
    }
}
