//! Files of games, one after the other, with a progress bar.

use std::fs::{self, File};
use std::io::{self, BufReader, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use anyhow::Result;
use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use serde::Serialize;

use crate::pgn::{PgnError, PgnFault, PgnGame, PgnReader};

/// A game that could not be used.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Broken {
    /// The name of the file.
    pub file: String,
    /// The number of the game in the file, from 1.
    pub game: u64,
    /// The line of the fault, from 1.
    pub line: u64,
    /// What is wrong.
    pub reason: String,
}

impl Broken {
    /// What is wrong with a game, in words safe to print.
    pub fn new(file: &str, game: u64, line: u64, reason: &dyn std::fmt::Display) -> Self {
        let reason = reason.to_string().replace(char::is_control, "\u{FFFD}");
        Self { file: file.to_owned(), game, line, reason }
    }
}

impl std::fmt::Display for Broken {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}: game {}, line {}: {}", self.file, self.game, self.line, self.reason)
    }
}

/// A file that could not be read, or not to its end.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    /// The name of the file.
    pub file: String,
    /// Why.
    pub reason: String,
}

/// The files of a command line; `-` is standard input.
#[derive(Debug)]
pub struct Files<'a> {
    paths: &'a [PathBuf],
    bar: Option<ProgressBar>,
    /// When the first file was opened.
    began: Instant,
    games: u64,
    /// Bytes of the files that are done.
    bytes: u64,
    last_message: Instant,
    unreadable: Vec<Unreadable>,
}

/// How many games pass between two looks at the clock.
const GAMES_A_LOOK: u64 = 32;

const BETWEEN_MESSAGES: Duration = Duration::from_millis(200);

impl<'a> Files<'a> {
    /// The files, none of them opened yet. A progress bar shows on standard error if that is a terminal.
    pub fn new(paths: &'a [PathBuf]) -> Self {
        let now = Instant::now();
        let bar = io::stderr().is_terminal().then(|| progress_bar(paths));
        Self { paths, bar, began: now, games: 0, bytes: 0, last_message: now, unreadable: Vec::new() }
    }

    /// Hands every game of every file, or what is wrong with it, to `visit` with the name of the file. A file
    /// that cannot be read is reported on standard error and left for the next one.
    ///
    /// # Errors
    /// Those of `visit`, which end it all.
    pub fn each_game<V>(&mut self, mut visit: V) -> Result<()>
    where
        V: FnMut(&Self, &str, Result<PgnGame, PgnError>) -> Result<()>,
    {
        for path in self.paths {
            let from_stdin = path.as_os_str() == "-";
            let name =
                if from_stdin { "standard input".to_owned() } else { path.to_string_lossy().into_owned() };
            let input: Box<dyn Read> = if from_stdin {
                Box::new(io::stdin().lock())
            } else {
                match File::open(path) {
                    Ok(file) => Box::new(file),
                    Err(error) => {
                        self.cannot_read(name, error.to_string());
                        continue;
                    }
                }
            };
            let mut reader = PgnReader::new(BufReader::with_capacity(1 << 16, input));
            while let Some(game) = reader.next() {
                if let Err(PgnError { reason: PgnFault::Read(reason), .. }) = game {
                    self.cannot_read(name.clone(), reason);
                    break;
                }
                visit(self, &name, game)?;
                self.games += 1;
                self.show(reader.bytes_read());
            }
            self.bytes += reader.bytes_read();
        }
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
        Ok(())
    }

    /// Prints a line on standard error, above the progress bar.
    pub fn say(&self, line: &dyn std::fmt::Display) {
        let print = || {
            // Nobody is left to be told of a failure.
            let _ = writeln!(io::stderr(), "{line}");
        };
        match &self.bar {
            Some(bar) => bar.suspend(print),
            None => print(),
        }
    }

    /// The time since the first file.
    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// The files that could not be read.
    pub fn unreadable(&self) -> &[Unreadable] {
        &self.unreadable
    }

    fn cannot_read(&mut self, file: String, reason: String) {
        self.say(&format_args!("error: {file}: {reason}"));
        self.unreadable.push(Unreadable { file, reason });
    }

    fn show(&mut self, bytes_of_file: u64) {
        let Some(bar) = &self.bar else { return };
        if self.games.is_multiple_of(GAMES_A_LOOK) && self.last_message.elapsed() >= BETWEEN_MESSAGES {
            self.last_message = Instant::now();
            let rate = self.games as f64 / self.began.elapsed().as_secs_f64().max(1e-9);
            bar.set_message(format!("{} games, {rate:.0} games/s", self.games));
            bar.set_position(self.bytes + bytes_of_file);
        }
    }
}

/// A bar over the bytes of all files; without a length if one of them has none.
fn progress_bar(paths: &[PathBuf]) -> ProgressBar {
    let size = |path: &PathBuf| fs::metadata(path).ok().filter(fs::Metadata::is_file).map(|file| file.len());
    let target = ProgressDrawTarget::stderr();
    let (bar, template) = match paths.iter().map(size).sum::<Option<u64>>() {
        Some(total) => (
            ProgressBar::with_draw_target(Some(total), target),
            "{bar:30} {percent}%  {msg}  {elapsed} gone, {eta} left",
        ),
        None => (ProgressBar::with_draw_target(None, target), "{spinner} {bytes}  {msg}  {elapsed} gone"),
    };
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

impl Files<'_> {
    /// Whether a path is one of the files, by whatever name.
    pub fn contain(&self, path: &Path) -> bool {
        let Ok(wanted) = fs::canonicalize(path) else { return false };
        self.paths.iter().any(|path| fs::canonicalize(path).is_ok_and(|path| path == wanted))
    }
}
