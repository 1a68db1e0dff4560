//! Perft as text: listings by first move (divide), and suites of positions with their node counts.

use sakmak_movegen::perft::{PerftTt, PerftTtTooLarge};
use sakmak_movegen::{Move, Position, Rules, clip};

use crate::memory;

/// A perft TT of `megabytes` MiB.
///
/// # Errors
/// If that is more than the machine's memory, or the system refuses it.
pub fn tt(megabytes: usize) -> Result<PerftTt, PerftTtTooLarge> {
    if (megabytes as u64).checked_mul(1 << 20).is_none_or(|bytes| bytes > memory::total() as u64) {
        return Err(PerftTtTooLarge { megabytes });
    }
    PerftTt::new(megabytes)
}

/// The perft number, the sum over the first moves; 1 for depth 0.
pub fn total(depth: u32, parts: &[(Move, u64)]) -> u64 {
    if depth == 0 { 1 } else { parts.iter().map(|(_, nodes)| nodes).sum() }
}

/// A line for each first move in alphabetical order, and an empty line.
pub fn listing(parts: &[(Move, u64)]) -> String {
    let mut lines: Vec<_> = parts.iter().map(|(mv, nodes)| format!("{mv}: {nodes}\n")).collect();
    lines.sort_unstable();
    lines.concat() + "\n"
}

/// Checks a line `FEN ;D1 n ;D2 n ...` of a suite: every node count up to `max_nodes`. `divide` is perft by first
/// move. `Ok(false)` for a blank line or a comment after `#`.
///
/// # Errors
/// The fault of the line. For the first wrong node count the message lists the first moves.
pub fn check_line(
    line: &str,
    rules: Rules,
    max_nodes: u64,
    mut divide: impl FnMut(&Position, u32) -> Vec<(Move, u64)>,
) -> Result<bool, String> {
    let line = line.trim();
    if line.is_empty() || line.starts_with('#') {
        return Ok(false);
    }
    let mut fields = line.split(';').map(str::trim);
    let fen = fields.next().unwrap_or_default();
    let counts = fields.filter(|field| !field.is_empty()).map(|field| {
        let pair = field.strip_prefix('D').and_then(|rest| rest.split_once(' '));
        pair.and_then(|(depth, nodes)| Some((depth.parse().ok()?, nodes.trim().parse().ok()?)))
            .ok_or_else(|| format!("'{}' is not of the form 'D4 273026'", clip(field)))
    });
    let counts: Vec<(u32, u64)> = counts.collect::<Result<_, _>>()?;
    let position = Position::from_fen_with(fen, rules).map_err(|error| error.to_string())?;
    if counts.is_empty() {
        return Err("no node counts after the FEN".to_owned());
    }
    for (depth, expected) in counts.into_iter().filter(|(_, nodes)| *nodes <= max_nodes) {
        let parts = divide(&position, depth);
        let found = total(depth, &parts);
        if found != expected {
            return Err(format!(
                "{position}: depth {depth}: expected {expected}, found {found}\n{}Nodes searched: {found}",
                listing(&parts)
            ));
        }
    }
    Ok(true)
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::AtomicBool;

    use sakmak_movegen::perft::divide;

    use super::*;

    fn check(counts: &str, max_nodes: u64) -> Result<bool, String> {
        const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
        let never = AtomicBool::new(false);
        check_line(&counts.replace("START", START), Rules::default(), max_nodes, |position, depth| {
            divide(position, depth, 1, None, &never, &|_| ()).parts
        })
    }

    #[test]
    fn suite_lines() {
        assert_eq!(check("START ;D1 23 ;D3 12012\r\n", u64::MAX), Ok(true));
        assert_eq!(check("# comment", u64::MAX), Ok(false));
        let error = |line| check(line, u64::MAX).unwrap_err();
        assert_eq!(error("START"), "no node counts after the FEN");
        assert_eq!(error("START ;D1 x"), "'D1 x' is not of the form 'D4 273026'");
        assert!(!error("8/8 w ;D1 3").is_empty());
    }

    #[test]
    fn a_wrong_count_is_reported_with_the_division() {
        let wrong = "START ;D1 23 ;D2 530 ;D3 1";
        let message = check(wrong, u64::MAX).unwrap_err();
        assert!(message.contains("depth 2: expected 530, found 529\na1a2: 23\n"), "{message}");
        assert!(message.ends_with("\n\nNodes searched: 529"), "{message}");
        let message = check(wrong, 100).unwrap_err();
        assert!(message.lines().next().is_some_and(|line| line.ends_with("found 12012")), "{message}");
    }
}
