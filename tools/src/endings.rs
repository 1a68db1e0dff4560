//! Retrograde analysis of endings against a bare khun.
//!
//! Every placement of the men is solved at once: starting from the mates, each round finds the positions
//! that reach a position solved before (hunter to move) or cannot avoid one (bare khun to move). Neither
//! the count nor repetition plays a part: the result is how many moves the mate takes, to be compared
//! with the moves the count allows. The tables themselves, in `table`, know more endings.

mod table;
mod tables;

pub(crate) use table::Ending;
pub(crate) use tables::{Known, Tables, fits, limit};

use anyhow::{Context, Result, bail, ensure};
use clap::Args;
use sakmak_movegen::{PieceKind, Square};
use sakmak_tools::output;

use table::{ILLEGAL, Table, UNKNOWN};

/// Which endings to solve.
#[derive(Args)]
pub(crate) struct Endings {
    /// The hunter's men besides the khun, as letters out of M S N R, such as R or SM; at most two
    #[arg(default_values = ["R", "SS", "SN", "SM", "NN", "NM"])]
    men: Vec<String>,
    /// Print also the mean number of moves by the square of the bare khun, White being the hunter
    #[arg(long)]
    map: bool,
    /// Hunt on after the bare khun has taken a man, if the other one mates too; otherwise that saves it
    #[arg(long)]
    captures: bool,
}

impl Endings {
    /// Solves each ending and prints how many positions with the bare khun to move are lost, and in how
    /// many moves.
    pub(crate) fn run(&self) -> Result<()> {
        output::print(&format!(
            "{:<8}{:>12}{:>8}{:>8}{:>9}{:>9}\n",
            "hunter", "positions", "lost %", "mean", "99 % in", "longest"
        ))?;
        for men in &self.men {
            let table = solve(&parse(men)?, self.captures)?;
            output::print(&format!("{}\n", Summary::of(men, &table)))?;
            if self.map {
                output::print(&map(&table))?;
            }
        }
        Ok(())
    }
}

pub(crate) fn parse(text: &str) -> Result<Vec<PieceKind>> {
    ensure!((1..=2).contains(&text.len()), "'{text}': give one or two men");
    text.chars()
        .map(|letter| match letter {
            'M' => Ok(PieceKind::Met),
            'S' => Ok(PieceKind::Khon),
            'N' => Ok(PieceKind::Maa),
            'R' => Ok(PieceKind::Rua),
            other => bail!("'{other}' is none of M S N R"),
        })
        .collect()
}

fn solve(kinds: &[PieceKind], captures: bool) -> Result<Table> {
    let ending = Ending::bare(kinds).context("no such ending")?;
    let mut tables = Tables::default();
    Ok(Table::solve(&ending, captures.then_some(&mut tables)))
}

/// Mean moves to mate by the bare khun's square, rank 8 first.
fn map(table: &Table) -> String {
    let mut sums = [(0, 0); 64];
    for (square, plies) in table.hunted().filter(|&(_, plies)| plies < ILLEGAL) {
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

/// One line of the result.
#[derive(Debug, PartialEq)]
struct Summary {
    men: String,
    positions: usize,
    lost: usize,
    /// In moves.
    mean: f64,
    most: usize,
    longest: usize,
}

impl Summary {
    fn of(men: &str, table: &Table) -> Self {
        let mut by_moves = [0usize; 128];
        let mut positions = 0;
        for (_, plies) in table.hunted().filter(|&(_, plies)| plies != ILLEGAL) {
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
        Self { men: men.to_owned(), positions, lost, mean: total as f64 / lost.max(1) as f64, most, longest }
    }
}

impl std::fmt::Display for Summary {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let share = 100.0 * self.lost as f64 / self.positions.max(1) as f64;
        write!(
            f,
            "{:<8}{:>12}{share:>8.1}{:>8.1}{:>9}{:>9}",
            self.men, self.positions, self.mean, self.most, self.longest
        )
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lone_rua_always_mates_and_a_lone_maa_never() {
        let summary = |kind, name| Summary::of(name, &solve(&[kind], false).unwrap());
        let rua = summary(PieceKind::Rua, "R");
        // As in chess, but the count starts at 3 and allows 13 moves where 16 are the limit.
        assert_eq!(rua.longest, 16);
        assert!(rua.lost as f64 > 0.85 * rua.positions as f64);
        assert_eq!(summary(PieceKind::Maa, "N").lost, 0);
        assert_eq!(summary(PieceKind::Met, "M").lost, 0);
    }

    #[test]
    fn only_known_letters_are_men() {
        assert_eq!(parse("SN").unwrap(), [PieceKind::Khon, PieceKind::Maa]);
        for bad in ["", "Q", "rm", "RRR", "K"] {
            assert!(parse(bad).is_err(), "{bad:?}");
        }
    }
}
