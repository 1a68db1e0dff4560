//! The command `conversion`.

use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::Result;
use clap::Args;
use sakmak_movegen::{Ruleset, Variant};
use sakmak_tools::games::{GameFiles, ReadOptions, conversion};

use super::progress::{FileProgress, exit_code};
use super::stdout::{print, print_json};

/// Sum up how often engines win an advantage that both players saw, and how the other games are drawn
///
/// Takes games with scores in the comments, as `match` and Cute Chess write them. A game counts for a player from where
/// two scores in a row, one of each side, agree that it is so far ahead; each engine by its own scores.
#[derive(Args)]
#[command(
    after_help = "Broken games are reported on standard error. The exit status is 0 if every game was read, 1 if \
    some were broken and 2 if a file could not be read."
)]
pub(crate) struct Conversion {
    /// Files in PGN; - is standard input
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Advantages, as the engines print them; may be given several times
    #[arg(long = "ahead", value_name = "SCORE", default_values = ["1.5", "2", "3"], value_parser = hundredths)]
    advantages: Vec<i32>,
    /// The rules by which moves are legal and games are drawn
    #[arg(long, default_value_t, value_parser = super::args::named::<Ruleset>(Ruleset::NAMES))]
    ruleset: Ruleset,
    /// Only games of this variant, such as makruk or cambodian; without this each game's Variant tag decides
    #[arg(long)]
    variant: Option<Variant>,
    /// Print one JSON document instead of the tables
    #[arg(long)]
    json: bool,
}

/// A score such as 1.5 in hundredths.
fn hundredths(text: &str) -> Result<i32, String> {
    match text.parse::<f64>() {
        Ok(score) if (0.0..=100.0).contains(&score) => Ok((100.0 * score).round() as i32),
        _ => Err("a score from 0 to 100, such as 1.5".to_owned()),
    }
}

impl Conversion {
    /// Reads the games and prints the tables.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let options = ReadOptions {
            variant: self.variant,
            ruleset: self.ruleset,
            main_line_only: true,
            ..ReadOptions::default()
        };
        let files = GameFiles { paths: &self.files, options };
        let report = conversion::conversion(&files, &self.advantages, &mut FileProgress::new(&files));
        if self.json {
            print_json(&report)?;
        } else {
            print(&report.text())?;
        }
        Ok(exit_code(report.unreadable_files.len(), report.broken))
    }
}
