//! Perft for people: a progress bar, a listing by first move, suites of positions.

use std::fmt::Write as _;
use std::io::{self, IsTerminal, Write as _};
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use sakmak_movegen::perft::{self, Division, OutOfMemory, PerftTable};
use sakmak_movegen::{FenError, Move, Position, Rules};

use crate::tt::total_memory;

const BAR_STEPS: u64 = 1_000;

/// A table of `megabytes` MiB for [`divide`].
///
/// # Errors
/// [`OutOfMemory`] if it is larger than the machine's memory or the system refuses.
pub fn table(megabytes: usize) -> Result<PerftTable, OutOfMemory> {
    if (megabytes as u64).checked_mul(1 << 20).is_none_or(|bytes| bytes > total_memory() as u64) {
        return Err(OutOfMemory(megabytes));
    }
    PerftTable::new(megabytes)
}

/// The paths behind each first move, in alphabetical order, with a progress bar on a terminal if asked for. If the
/// system refuses some of the threads, a line on standard error says so.
pub fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    table: Option<&PerftTable>,
    show_progress: bool,
) -> Vec<(Move, u64)> {
    let started = Instant::now();
    let bar = (show_progress && io::stderr().is_terminal()).then(progress_bar);
    let never = AtomicBool::new(false);
    let Division { mut parts, only_threads } =
        perft::divide(position, depth, threads, table, &never, &|done| {
            if let Some(bar) = bar.as_ref().filter(|_| started.elapsed() > A_MOMENT) {
                bar.set_position((done * BAR_STEPS as f64) as u64);
            }
        });
    if let Some(bar) = bar {
        bar.finish_and_clear();
    }
    if let Some(only) = only_threads {
        // The count is right all the same, whoever reads this.
        let _ = writeln!(io::stderr(), "warning: only {only} of {threads} threads could be started");
    }
    sort(&mut parts);
    parts
}

/// Puts the moves in alphabetical order.
pub(crate) fn sort(parts: &mut [(Move, u64)]) {
    parts.sort_by_key(|(mv, _)| mv.to_string());
}

/// Work that takes longer shows a progress bar.
const A_MOMENT: Duration = Duration::from_millis(500);

/// A bar that appears with its first step. It has no ticks of its own, which would need one more thread.
fn progress_bar() -> ProgressBar {
    let bar = ProgressBar::with_draw_target(Some(BAR_STEPS), ProgressDrawTarget::stderr());
    if let Ok(style) = ProgressStyle::with_template("{bar:40} {percent}%  {elapsed} gone, {eta} left") {
        bar.set_style(style);
    }
    bar
}

/// All paths of a division; 1 for depth 0, which has none.
pub fn total(depth: u32, parts: &[(Move, u64)]) -> u64 {
    if depth == 0 { 1 } else { parts.iter().map(|(_, nodes)| nodes).sum() }
}

/// A line for each first move, an empty one, and `Nodes searched: N`.
pub fn divide_text(position: &Position, depth: u32, parts: &[(Move, u64)]) -> String {
    debug_assert!(depth == 0 || parts.len() == position.legal_moves().len());
    let mut text = String::new();
    for (mv, nodes) in parts {
        let _ = writeln!(text, "{mv}: {nodes}");
    }
    let _ = write!(text, "\nNodes searched: {}", total(depth, parts));
    text
}

/// A line of a suite: a position and the nodes expected at some depths.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SuiteLine {
    /// The position.
    pub position: Position,
    /// Pairs of depth and nodes.
    pub expected: Vec<(u32, u64)>,
}

/// What is wrong with a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SuiteError {
    /// Its FEN.
    #[error(transparent)]
    Fen(#[from] FenError),
    /// A field that is not `DEPTH NODES` with a `D` before the depth.
    #[error("'{0}' is not of the form 'D4 273026'")]
    Field(String),
    /// There is nothing to check.
    #[error("no node counts after the FEN")]
    NoCounts,
}

impl SuiteLine {
    /// Reads `FEN ;D1 n ;D2 n ...`; `None` for a blank line or a comment after `#`.
    ///
    /// # Errors
    /// [`SuiteError`] says what is wrong.
    pub fn parse(line: &str, rules: Rules) -> Result<Option<Self>, SuiteError> {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            return Ok(None);
        }
        let mut fields = line.split(';').map(str::trim);
        let fen = fields.next().unwrap_or_default();
        let expected = fields
            .filter(|field| !field.is_empty())
            .map(|field| {
                let pair = field.strip_prefix('D').and_then(|rest| rest.split_once(' '));
                pair.and_then(|(depth, nodes)| Some((depth.parse().ok()?, nodes.trim().parse().ok()?)))
                    .ok_or_else(|| SuiteError::Field(field.chars().take(40).collect()))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let position = Position::from_fen_with(fen, rules)?;
        if expected.is_empty() {
            return Err(SuiteError::NoCounts);
        }
        Ok(Some(Self { position, expected }))
    }

    /// Checks every count up to `max_nodes`. The first that is wrong is told with the division that
    /// shows where.
    ///
    /// # Errors
    /// The text to print.
    pub fn check(&self, max_nodes: u64, threads: usize, table: Option<&PerftTable>) -> Result<(), String> {
        let position = &self.position;
        for &(depth, expected) in self.expected.iter().filter(|(_, nodes)| *nodes <= max_nodes) {
            let parts = divide(position, depth, threads, table, false);
            let found = total(depth, &parts);
            if found != expected {
                let division = divide_text(position, depth, &parts);
                return Err(format!(
                    "{position}: depth {depth}: expected {expected}, found {found}\n{division}"
                ));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(line: &str) -> Result<Option<SuiteLine>, SuiteError> {
        SuiteLine::parse(line, Rules::default())
    }

    const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

    #[test]
    fn suite_lines() {
        let line = parse(&format!("{START} ;D1 23 ;D3 12012\r\n")).unwrap().unwrap();
        assert_eq!(line.expected, [(1, 23), (3, 12_012)]);
        assert_eq!(line.check(u64::MAX, 1, None), Ok(()));
        assert_eq!(parse("# comment"), Ok(None));
        assert_eq!(parse(START), Err(SuiteError::NoCounts));
        assert_eq!(parse(&format!("{START} ;D1 x")), Err(SuiteError::Field("D1 x".into())));
        assert!(matches!(parse("8/8 w ;D1 3"), Err(SuiteError::Fen(_))));
    }

    #[test]
    fn a_wrong_count_is_told_with_the_division() {
        let line = parse(&format!("{START} ;D1 23 ;D2 530 ;D3 1")).unwrap().unwrap();
        let message = line.check(u64::MAX, 1, None).unwrap_err();
        assert!(message.contains("depth 2: expected 530, found 529"), "{message}");
        assert!(message.contains("\na3a4: 23\n") && message.ends_with("Nodes searched: 529"), "{message}");
        assert_eq!(
            line.check(100, 1, None).unwrap_err().lines().next().map(|l| l.ends_with("found 12012")),
            Some(true)
        );
    }
}
