//! The command `endings`.

use anyhow::{Context, Result};
use clap::Args;
use sakmak_tools::data::endings::{EndingStatistics, map, parse, solve};

use super::stdout::print;

/// Which endings to solve.
#[derive(Args)]
pub(crate) struct Endings {
    /// The attacker's pieces besides the khun, as letters out of M S N R, such as R or SM; at most two
    #[arg(default_values = ["R", "SS", "SN", "SM", "NN", "NM"])]
    pieces: Vec<String>,
    /// Print also the mean number of moves by the square of the bare khun, White being the attacker
    #[arg(long)]
    map: bool,
    /// Go on after the bare khun has taken a piece, if the other one can mate too; otherwise that is a draw
    #[arg(long)]
    captures: bool,
}

impl Endings {
    /// Solves each ending and prints how many positions with the bare khun to move are lost, and in how many moves.
    pub(crate) fn run(&self) -> Result<()> {
        print(&format!("{}\n", EndingStatistics::header()))?;
        for pieces in &self.pieces {
            let table = solve(&parse(pieces)?, self.captures).context("no such ending")?;
            print(&format!("{}\n", EndingStatistics::of(pieces, &table)))?;
            if self.map {
                print(&map(&table))?;
            }
        }
        Ok(())
    }
}
