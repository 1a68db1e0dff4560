//! Openings made of random legal moves.

use std::collections::HashSet;

use anyhow::{Result, ensure};
use clap::Args;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::Position;

/// What openings to make.
#[derive(Args)]
pub(crate) struct Openings {
    /// How many
    #[arg(long, default_value_t = 100)]
    count: usize,
    /// Plies of each
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(u32).range(1..200))]
    plies: u32,
    /// Seed of the random numbers
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Write EPD records that Cute Chess plays with the count (`... w - 0`)
    #[arg(long)]
    epd: bool,
}

/// Random games tried for each opening asked for, before giving up on finding new ones.
const TRIES_EACH: usize = 1_000;

impl Openings {
    /// Prints the openings: different positions, without captures so far, nobody in check or out of
    /// moves.
    pub(crate) fn run(&self) -> Result<()> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        let mut seen = HashSet::new();
        for _ in 0..self.count.saturating_mul(TRIES_EACH) {
            if seen.len() == self.count {
                break;
            }
            let Some(position) = random_opening(&mut rng, self.plies) else { continue };
            if seen.insert(position.key()) {
                println!("{}", if self.epd { epd(&position) } else { position.to_string() });
            }
        }
        ensure!(
            seen.len() == self.count,
            "found only {} different openings of {} plies",
            seen.len(),
            self.plies
        );
        Ok(())
    }
}

fn random_opening(rng: &mut ChaCha8Rng, plies: u32) -> Option<Position> {
    let mut position = Position::startpos();
    for _ in 0..plies {
        let moves = position.legal_moves();
        let quiet: Vec<_> = moves.into_iter().filter(|&mv| !position.is_capture(mv)).collect();
        if quiet.is_empty() {
            return None;
        }
        position.make(quiet[rng.random_range(0..quiet.len())]);
    }
    (!position.in_check() && position.outcome().is_none()).then_some(position)
}

/// The first four fields, the count armed but not running.
fn epd(position: &Position) -> String {
    let fen = position.to_string();
    let fields: Vec<_> = fen.split(' ').collect();
    format!("{} {} - 0", fields[0], fields[1])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_same_seed_makes_the_same_openings() {
        let make = |seed| random_opening(&mut ChaCha8Rng::seed_from_u64(seed), 8);
        assert_eq!(make(3), make(3));
        assert_ne!(make(3), make(4));
        let position = make(3).unwrap();
        assert_eq!(position.game_ply(), 8);
        assert!(epd(&position).ends_with(" w - 0"));
    }
}
