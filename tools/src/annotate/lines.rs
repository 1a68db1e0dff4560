//! The output file of `--json`: a line per annotated game, kept in step with the file of games.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use serde_json::Value;

use sakmak_review::GameReview;

use sakmak_files::output::AppendFile;
use sakmak_games::pgn::PgnGame;

/// An output file with a line of JSON per annotated game.
pub(super) struct JsonLines {
    path: PathBuf,
    file: AppendFile,
    /// Numbers of the games of the earlier run that are still to be met, in descending order.
    before: Vec<u64>,
    /// Length of these games' lines in bytes; the rest is cut off before a line is added.
    whole: Option<u64>,
}

impl JsonLines {
    /// A new file, or with `resume` that of an earlier run that has written `games` games to `out`. As a line is
    /// written before its game, the line of one more game, and an incomplete line, are cut off before a line is added.
    ///
    /// # Errors
    /// If the file cannot be used, or holds anything else; it is then unchanged.
    pub(super) fn open(path: &Path, resume: bool, games: u64, out: &Path) -> Result<Self> {
        if !resume {
            let file = AppendFile::create(path)?;
            return Ok(Self { path: path.to_owned(), file, before: Vec::new(), whole: None });
        }
        let mut file = AppendFile::resume(path)?;
        let text = file.contents()?;
        let (mut before, mut last, mut end, mut later) = (Vec::new(), 0, 0, 0);
        for (number, line) in (1..).zip(text.split_inclusive(|&byte| byte == b'\n')) {
            let is_whole = line.ends_with(b"\n");
            match game_number(line) {
                Some(game) if is_whole && game > last => last = game,
                // An incomplete line.
                None if !is_whole && line.starts_with(b"{") => break,
                _ => bail!(
                    "{}: line {number} was not written by this command; the file is left as it is",
                    path.display()
                ),
            }
            if last > games {
                later += 1;
                continue;
            }
            before.push(last);
            end += line.len() as u64;
        }
        ensure!(
            later <= 1,
            "{}: has lines of {later} games that {} does not have: it belongs to another file",
            path.display(),
            out.display()
        );
        before.reverse();
        Ok(Self { path: path.to_owned(), file, before, whole: Some(end) })
    }

    /// Checks that an annotated game of the earlier run has its line in this file.
    ///
    /// # Errors
    /// If it has none: this file is not from that run.
    pub(super) fn expect(&mut self, game: u64, out: &Path) -> Result<()> {
        ensure!(
            self.before.pop() == Some(game),
            "{}: has no line for game {game}, which {} has: resume without --json, or begin again with new files",
            self.path.display(),
            out.display()
        );
        Ok(())
    }

    /// Appends the line of a game.
    ///
    /// # Errors
    /// If it cannot be written.
    pub(super) fn add(&mut self, game: u64, pgn: &PgnGame, review: &GameReview) -> Result<()> {
        if let Some(whole) = self.whole.take() {
            self.file.cut(whole)?;
        }
        let tag = |name| pgn.tags.get(name);
        let line = serde_json::json!({
            "game": game, "white": tag("White"), "black": tag("Black"),
            "result": pgn.result.to_string(), "review": review,
        });
        Ok(self.file.append(format!("{line}\n").as_bytes())?)
    }
}

/// The game number of a line; `None` if it is not a line of this file.
fn game_number(line: &[u8]) -> Option<u64> {
    let line: Value = serde_json::from_slice(line).ok()?;
    line.get("review")?;
    line.get("game")?.as_u64()
}
