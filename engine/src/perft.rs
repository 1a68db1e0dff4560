//! Perft as text: listings by first move, and suites of positions with their node counts.

use std::fmt::Write as _;
use std::sync::atomic::AtomicBool;

use sakmak_movegen::perft::{self, Division, PerftTable, TableTooLarge};
use sakmak_movegen::{FenError, Move, Position, Rules};

use crate::memory;

/// A table of `megabytes` MiB for [`divide`].
///
/// # Errors
/// [`TableTooLarge`] if it is larger than the machine's memory or the system refuses.
pub fn table(megabytes: usize) -> Result<PerftTable, TableTooLarge> {
    if (megabytes as u64).checked_mul(1 << 20).is_none_or(|bytes| bytes > memory::total() as u64) {
        return Err(TableTooLarge { megabytes });
    }
    PerftTable::new(megabytes)
}

/// [`perft::divide`] with the first moves in alphabetical order.
pub fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    table: Option<&PerftTable>,
    stop: &AtomicBool,
    progress: &(dyn Fn(f64) + Sync),
) -> Division {
    let mut division = perft::divide(position, depth, threads, table, stop, progress);
    division.parts.sort_by_key(|(mv, _)| mv.to_string());
    division
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
pub struct PerftSuiteLine {
    /// The position.
    pub position: Position,
    /// Pairs of depth and nodes.
    pub expected: Vec<(u32, u64)>,
}

/// What is wrong with a line of a suite.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PerftSuiteError {
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

impl PerftSuiteLine {
    /// Reads `FEN ;D1 n ;D2 n ...`; `None` for a blank line or a comment after `#`.
    ///
    /// # Errors
    /// [`PerftSuiteError`] if the line has another form.
    pub fn parse(line: &str, rules: Rules) -> Result<Option<Self>, PerftSuiteError> {
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
                    .ok_or_else(|| PerftSuiteError::Field(field.chars().take(40).collect()))
            })
            .collect::<Result<Vec<_>, _>>()?;
        let position = Position::from_fen_with(fen, rules)?;
        if expected.is_empty() {
            return Err(PerftSuiteError::NoCounts);
        }
        Ok(Some(Self { position, expected }))
    }

    /// Checks every count up to `max_nodes` with the paths behind each first move that `divide` counts for a
    /// position and depth. The message for the first wrong count lists them, to show where the fault is.
    ///
    /// # Errors
    /// The message.
    pub fn check(
        &self,
        max_nodes: u64,
        mut divide: impl FnMut(&Position, u32) -> Vec<(Move, u64)>,
    ) -> Result<(), String> {
        let position = &self.position;
        for &(depth, expected) in self.expected.iter().filter(|(_, nodes)| *nodes <= max_nodes) {
            let parts = divide(position, depth);
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

    fn check(line: &PerftSuiteLine, max_nodes: u64) -> Result<(), String> {
        let never = AtomicBool::new(false);
        line.check(max_nodes, |position, depth| divide(position, depth, 1, None, &never, &|_| ()).parts)
    }

    fn parse(line: &str) -> Result<Option<PerftSuiteLine>, PerftSuiteError> {
        PerftSuiteLine::parse(line, Rules::default())
    }

    const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

    #[test]
    fn suite_lines() {
        let line = parse(&format!("{START} ;D1 23 ;D3 12012\r\n")).unwrap().unwrap();
        assert_eq!(line.expected, [(1, 23), (3, 12_012)]);
        assert_eq!(check(&line, u64::MAX), Ok(()));
        assert_eq!(parse("# comment"), Ok(None));
        assert_eq!(parse(START), Err(PerftSuiteError::NoCounts));
        assert_eq!(parse(&format!("{START} ;D1 x")), Err(PerftSuiteError::Field("D1 x".into())));
        assert!(matches!(parse("8/8 w ;D1 3"), Err(PerftSuiteError::Fen(_))));
    }

    #[test]
    fn a_wrong_count_is_reported_with_the_division() {
        let line = parse(&format!("{START} ;D1 23 ;D2 530 ;D3 1")).unwrap().unwrap();
        let message = check(&line, u64::MAX).unwrap_err();
        assert!(message.contains("depth 2: expected 530, found 529"), "{message}");
        assert!(message.contains("\na3a4: 23\n") && message.ends_with("Nodes searched: 529"), "{message}");
        assert_eq!(
            check(&line, 100).unwrap_err().lines().next().map(|l| l.ends_with("found 12012")),
            Some(true)
        );
    }
}
