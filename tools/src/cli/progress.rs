//! Progress bars on standard error, shown only on a terminal.

use std::fmt::Display;
use std::io::{self, IsTerminal};
use std::num::NonZeroUsize;
use std::process::ExitCode;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sakmak_files::games::{BrokenGame, GameFiles, ReadMonitor, ReadWarning, UnreadableFile};

use super::stdout::warn;

/// A progress bar with a template of indicatif; hidden if standard error is no terminal.
pub(crate) fn bar(length: Option<u64>, template: &str) -> ProgressBar {
    if !io::stderr().is_terminal() {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::with_draw_target(length, ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template(template) {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(500));
    bar
}

/// Timer of the progress lines printed where standard error is no terminal.
pub(crate) struct LineTimer {
    started: Instant,
    last_line: Instant,
}

impl LineTimer {
    const INTERVAL: Duration = Duration::from_secs(30);

    pub(crate) fn start() -> Self {
        Self { started: Instant::now(), last_line: Instant::now() }
    }

    /// Time since the start.
    pub(crate) fn elapsed(&self) -> Duration {
        self.started.elapsed()
    }

    /// Whether the next progress line is due; if so, restarts the interval.
    pub(crate) fn is_due(&mut self) -> bool {
        let is_due = self.last_line.elapsed() >= Self::INTERVAL;
        if is_due {
            self.last_line = Instant::now();
        }
        is_due
    }
}

/// The exit status of a command on files of games: 2 if a file was unreadable, 1 if a game was broken, else 0.
pub(crate) fn exit_code(unreadable: usize, broken: u64) -> ExitCode {
    ExitCode::from(match (unreadable, broken) {
        (0, 0) => 0,
        (0, _) => 1,
        _ => 2,
    })
}

/// A progress bar over the bytes of files of games; broken games are reported above it.
pub(crate) struct FileProgress {
    bar: ProgressBar,
    started: Instant,
    last_update: Instant,
}

/// Games between two checks of the clock.
const GAMES_PER_CHECK: u64 = 32;
const UPDATE_INTERVAL: Duration = Duration::from_millis(200);

impl FileProgress {
    pub(crate) fn new(files: &GameFiles) -> Self {
        let bar = match files.total_bytes() {
            _ if files.paths.is_empty() => ProgressBar::hidden(),
            Some(total) => bar(Some(total), "{bar:30} {percent}%  {msg}  {elapsed} gone, {eta} left"),
            None => bar(None, "{spinner} {bytes}  {msg}  {elapsed} gone"),
        };
        let now = Instant::now();
        Self { bar, started: now, last_update: now }
    }

    /// Prints a line on standard error, above the bar.
    pub(crate) fn print_line(&self, line: &dyn Display) {
        self.bar.suspend(|| warn(line));
    }
}

impl ReadMonitor for FileProgress {
    fn broken(&mut self, game: &BrokenGame) {
        self.print_line(game);
    }

    fn warning(&mut self, warning: &ReadWarning) {
        self.print_line(warning);
    }

    fn unreadable(&mut self, file: &UnreadableFile) {
        self.print_line(&format_args!("error: {}: {}", file.file, file.reason));
    }

    fn progress(&mut self, games: u64, bytes: u64) {
        if games.is_multiple_of(GAMES_PER_CHECK) && self.last_update.elapsed() >= UPDATE_INTERVAL {
            self.last_update = Instant::now();
            let rate = games as f64 / self.started.elapsed().as_secs_f64().max(1e-9);
            self.bar.set_message(format!("{games} games, {rate:.0} games/s"));
            self.bar.set_position(bytes);
        }
    }

    fn finished(&mut self) {
        self.bar.finish_and_clear();
    }
}

/// The given number of threads, or one for each core.
pub(crate) fn threads(given: Option<NonZeroUsize>) -> NonZeroUsize {
    given.or_else(|| std::thread::available_parallelism().ok()).unwrap_or(NonZeroUsize::MIN)
}
