//! The command `convert`.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::Args;
use sakmak_files::games::{GameFiles, ReadSummary};
use sakmak_files::output::OutputFile;
use sakmak_games::{Dialect, ReadOptions};
use sakmak_movegen::{Notation, Ruleset, Variant};
use sakmak_tools::convert::{Conversion, convert};

use super::progress::{FileProgress, exit_code};
use super::stdout::print_error;

/// Convert files of games to another notation or dialect
///
/// Every move is checked and written in the new notation. Tags, comments, annotation glyphs, variations and results are
/// kept.
#[derive(Args)]
#[command(
    after_help = "Broken games are reported on standard error and left out. Text that is not UTF-8 is read as \
    UTF-16, Windows-874 (Thai) or Windows-1252 (Latin), a variation that cannot be played becomes a comment, and of two \
    results that contradict one another one is kept; warnings name the lines. The exit status is 0 if every \
    game was converted, 1 if some were broken and 2 if a file could not be read or written."
)]
pub(crate) struct Convert {
    /// Files in PGN, or score sheets as SchemingMind prints them; - or no file means standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Notation of the output: san, lan, thai-san, thai-lan, schemingmind, uci [default: san]
    #[arg(long, value_name = "NOTATION")]
    to: Option<Notation>,
    /// Notation of the input, as for --to [default: detected]
    #[arg(long, value_name = "NOTATION")]
    from: Option<Notation>,
    /// Tags for variant and start position: pychess (a FEN in every game), cutechess (a FEN only if a game does not
    /// begin at the start position), or plain (the tags of the input)
    #[arg(long, default_value_t)]
    dialect: Dialect,
    /// Print one line per game with the arguments of UCI's command position, `startpos moves e3e4 ...` or
    /// `fen FEN moves ...`, without tags, comments and variations
    #[arg(long, conflicts_with = "dialect")]
    lines: bool,
    /// Write to this new file instead of standard output
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Read only games of this variant, such as makruk or cambodian [default: the Variant tag of each game]
    #[arg(long)]
    variant: Option<Variant>,
    /// Ruleset for legal moves: fairy-stockfish, cutechess, schemingmind, wikipedia, cyningstan, knowlton,
    /// chessvariants, none
    #[arg(long, default_value_t)]
    ruleset: Ruleset,
}

impl Convert {
    /// Converts the games.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let to_uci = self.to.is_none_or(|notation| notation == Notation::Coordinates);
        ensure!(!self.lines || to_uci, "--lines are always written in coordinates (--to uci)");
        let stdin = [PathBuf::from("-")];
        let paths = if self.files.is_empty() { &stdin[..] } else { &self.files };
        let options = ReadOptions {
            variant: self.variant,
            ruleset: self.ruleset,
            notation: self.from,
            ..ReadOptions::default()
        };
        let files = GameFiles { paths, options };
        let mut progress = FileProgress::new(&files);
        let summary = match &self.output {
            Some(path) => self.write_file(path, &files, &mut progress)?,
            None => self.write(&files, io::stdout().lock(), &mut progress).map_err(print_error)?,
        };
        if summary.skipped > 0 {
            let what = if summary.skipped == 1 {
                "game of another variant was"
            } else {
                "games of another variant were"
            };
            progress.print_line(&format_args!("{} {what} skipped", summary.skipped));
        }
        Ok(exit_code(summary.unreadable.len(), summary.broken))
    }

    fn write_file(&self, path: &Path, files: &GameFiles, progress: &mut FileProgress) -> Result<ReadSummary> {
        ensure!(!files.contains(path), "{}: is to be read, not written", path.display());
        let mut draft = OutputFile::create(path)?.draft()?;
        let summary = self.write(files, &mut draft, progress);
        let summary = summary.with_context(|| format!("cannot write {}", path.display()))?;
        draft.commit()?;
        Ok(summary)
    }

    fn write(
        &self,
        files: &GameFiles,
        output: impl Write,
        progress: &mut FileProgress,
    ) -> io::Result<ReadSummary> {
        let conversion =
            Conversion { notation: self.to.unwrap_or_default(), dialect: self.dialect, lines: self.lines };
        convert(files, conversion, BufWriter::new(output), progress)
    }
}
