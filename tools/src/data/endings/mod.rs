//! Endings against a bare khun or its last piece, solved by retrograde analysis.
//!
//! Every placement of the pieces is solved at once: starting from the mates, each round finds the positions that reach
//! a position solved before (attacker to move) or cannot avoid one (bare khun to move). Neither the count nor
//! repetition plays a part: the result is the distance to mate (DTM), to be compared with the moves the count allows.
//! The tables themselves, in `table`, hold more endings.

mod table;
mod tables;

use std::fmt;

use sakmak_movegen::{PieceKind, Square};
use thiserror::Error;

pub use table::{Ending, EndingTable, PlyCount};
pub use tables::{EndingTables, TableResult, fits, limit};

use table::{ILLEGAL, UNKNOWN};

/// The letters of the pieces.
const LETTERS: &str = "R rua, S khon, N maa, M met";

/// Why an ending cannot be solved.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum EndingError {
    /// Too many pieces, or none.
    #[error("'{text}': expected one or two pieces of the attacker, as in R or SM: {LETTERS}")]
    Number {
        /// The pieces.
        text: String,
    },
    /// An unknown letter.
    #[error("'{letter}' is no piece of the attacker: {LETTERS}")]
    Letter {
        /// The letter.
        letter: char,
    },
}

/// The attacker's pieces by their letters, one or two of M S N R.
///
/// # Errors
/// If there are more, or other letters.
pub fn parse(text: &str) -> Result<Vec<PieceKind>, EndingError> {
    if !(1..=2).contains(&text.chars().count()) {
        return Err(EndingError::Number { text: text.to_owned() });
    }
    text.chars()
        .map(|letter| match letter {
            'M' => Ok(PieceKind::Met),
            'S' => Ok(PieceKind::Khon),
            'N' => Ok(PieceKind::Maa),
            'R' => Ok(PieceKind::Rua),
            letter => Err(EndingError::Letter { letter }),
        })
        .collect()
}

/// Solves an ending of these pieces against a bare khun. With `captures` the attacker goes on after the loss of a
/// piece, if the other one mates too; otherwise that is a draw. `None` if there is no such table.
pub fn solve(kinds: &[PieceKind], captures: bool) -> Option<EndingTable> {
    let ending = Ending::bare(kinds)?;
    let mut tables = EndingTables::default();
    Some(EndingTable::solve(&ending, captures.then_some(&mut tables)))
}

/// The mean number of moves to mate by the bare khun's square, rank 8 first, as text.
pub fn map(table: &EndingTable) -> String {
    let mut sums = [(0, 0); 64];
    for (square, plies) in table.defender_plies().filter(|&(_, plies)| plies < ILLEGAL) {
        let (sum, number) = &mut sums[square.index()];
        *sum += usize::from(plies / 2);
        *number += 1;
    }
    let mean = |square: Square| {
        let (sum, number) = sums[square.index()];
        sum as f64 / f64::from(number.max(1))
    };
    let rank =
        |rank| (0..8).map(|file| format!("{:6.1}", mean(Square::new(file, rank)))).collect::<String>() + "\n";
    (0..8).rev().map(rank).collect()
}

/// The results of all placements with the bare khun to move; its `Display` is a line of a table.
#[derive(Debug, PartialEq)]
pub struct EndingStatistics {
    pieces: String,
    positions: usize,
    lost: usize,
    /// In moves.
    mean: f64,
    most: usize,
    longest: usize,
}

impl EndingStatistics {
    /// The heads of the columns.
    pub fn header() -> String {
        format!(
            "{:<8}{:>12}{:>8}{:>8}{:>9}{:>9}",
            "attacker", "positions", "lost %", "mean", "99 % in", "longest"
        )
    }

    /// The statistics of a table under the letters of its pieces.
    pub fn of(pieces: &str, table: &EndingTable) -> Self {
        let mut by_moves = [0usize; 128];
        let mut positions = 0;
        for (_, plies) in table.defender_plies().filter(|&(_, plies)| plies != ILLEGAL) {
            positions += 1;
            if plies != UNKNOWN {
                by_moves[usize::from(plies / 2)] += 1;
            }
        }
        let lost: usize = by_moves.iter().sum();
        let total: usize = by_moves.iter().enumerate().map(|(moves, n)| moves * n).sum();
        let mut left = lost / 100;
        let longest = by_moves.iter().rposition(|&n| n > 0).unwrap_or(0);
        let most = (0..=longest)
            .rev()
            .find(|&moves| {
                let enough = by_moves[moves] > left;
                left = left.saturating_sub(by_moves[moves]);
                enough
            })
            .unwrap_or(0);
        Self {
            pieces: pieces.to_owned(),
            positions,
            lost,
            mean: total as f64 / lost.max(1) as f64,
            most,
            longest,
        }
    }
}

impl fmt::Display for EndingStatistics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * self.lost as f64 / self.positions.max(1) as f64;
        write!(
            f,
            "{:<8}{:>12}{share:>8.1}{:>8.1}{:>9}{:>9}",
            self.pieces, self.positions, self.mean, self.most, self.longest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rua_alone_always_mates_and_a_maa_alone_never() {
        let summary = |kind, name| EndingStatistics::of(name, &solve(&[kind], false).unwrap());
        let rua = summary(PieceKind::Rua, "R");
        // As in chess, but the count starts at 3 and allows 13 moves where 16 are the limit.
        assert_eq!(rua.longest, 16);
        assert!(rua.lost as f64 > 0.85 * rua.positions as f64);
        assert_eq!(summary(PieceKind::Maa, "N").lost, 0);
        assert_eq!(summary(PieceKind::Met, "M").lost, 0);
    }

    #[test]
    fn only_known_letters_are_pieces() {
        assert_eq!(parse("SN").unwrap(), [PieceKind::Khon, PieceKind::Maa]);
        for bad in ["", "Q", "rm", "RRR", "K"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
