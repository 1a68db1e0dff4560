//! The command `datagen winrate`.

use std::fmt::Write;
use std::path::PathBuf;

use anyhow::{Context, Result};
use clap::Args;
use sakmak_engine::win_rate::{FEATURES, MODEL, WinRateModel, features};
use sakmak_eval::Centipawns;
use sakmak_movegen::Position;
use sakmak_training::win_rate::{WinRateSample, fit, log_loss, read};

use super::datagen::warn_of_cut;
use super::stdout::print;

/// Moves that define the unit of printed scores: 32, and some before and after.
const MOVES: std::ops::RangeInclusive<u32> = 30..=34;
/// Width of a column of the printed table, in centipawns.
const COLUMN: i32 = 50;
const COLUMNS: i32 = 9;
/// Upper bounds of the material groups, as shares of the start position's material.
const MATERIAL: [f64; 6] = [0.1, 0.2, 0.3, 0.5, 0.7, 1.01];
/// Minimum number of positions for a percentage.
const FEWEST: usize = 200;

/// Fit the win rate model to games: the numbers of `engine/src/win_rate.rs` and the unit of printed scores
///
/// An incomplete last game is skipped with a warning; any other damage is an error.
#[derive(Args)]
pub(super) struct WinRateArgs {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
}

impl WinRateArgs {
    pub(super) fn run(&self) -> Result<()> {
        let all = read(&self.games, &mut warn_of_cut)?;
        let model = fit(&all).context("these games do not determine the chances to win")?;
        let text = |weights: [f64; FEATURES]| weights.map(|weight| format!("{weight:.3}")).join(", ");
        let mut report = format!("{} positions\n", all.len());
        let _ = writeln!(report, "slope  [{}]\noffset [{}]", text(model.slope), text(model.offset));
        let [found, in_use] = [model, MODEL].map(|model| log_loss(&all, &model));
        let _ = writeln!(report, "loss {found:.5}, with the numbers in use {in_use:.5}");
        let start = model.half_won_at(&features(&Position::startpos()));
        let _ = writeln!(report, "half won with the material of the start: {start} internal units");
        if let Some(middlegame) = mean_features(&all) {
            let half_won = model.half_won_at(&middlegame);
            let _ = writeln!(report, "half won at move 32: {half_won} internal units, Centipawns::HUNDRED");
        }
        report.push_str(&table(&all, &model));
        print(&report)
    }
}

/// The mean features at move 32.
fn mean_features(all: &[WinRateSample]) -> Option<[f64; FEATURES]> {
    let found: Vec<_> = all.iter().filter(|sample| MOVES.contains(&sample.move_number)).collect();
    let mean = |feature: usize| {
        found.iter().map(|sample| sample.features[feature]).sum::<f64>() / found.len() as f64
    };
    (!found.is_empty()).then(|| std::array::from_fn(mean))
}

/// Percentages of games won by score, material and whether a count runs, found and predicted by the model.
fn table(all: &[WinRateSample], model: &WinRateModel) -> String {
    let column_of = |score| Centipawns::from_internal(score).0.div_euclid(COLUMN);
    let mut text = "\nwon in percent by centipawns: found/model\nmaterial  count".to_owned();
    for column in -1..COLUMNS {
        let _ = write!(text, " {:>8}", format!("{}..", COLUMN * column));
    }
    text.push('\n');
    let mut least = 0.0;
    for most in MATERIAL {
        for counts in [false, true] {
            let group: Vec<_> = all
                .iter()
                .filter(|sample| (least..most).contains(&sample.features[1]))
                .filter(|sample| (sample.features[3] > 0.0) == counts)
                .collect();
            if group.len() < FEWEST {
                continue;
            }
            let count = if counts { "runs" } else { "none" };
            let _ = write!(text, "..{:>4.0}%  {count:>7}", 100.0 * most.min(1.0));
            for column in -1..COLUMNS {
                let cell: Vec<_> = group.iter().filter(|sample| column_of(sample.score) == column).collect();
                let percent = |sum: f64| 100.0 * sum / cell.len() as f64;
                let won = cell.iter().filter(|sample| sample.won_lost[0]).count();
                let expected = cell.iter().map(|sample| model.win_chance(sample.score, &sample.features));
                let both = format!("{:.0}/{:.0}", percent(won as f64), percent(expected.sum()));
                let _ = write!(text, " {:>8}", if cell.len() < FEWEST { "-" } else { &both });
            }
            text.push('\n');
        }
        least = most;
    }
    text
}
