//! Fits the weights of the evaluation to games: the command `sakmak-tools tune`.
//!
//! `docs/tuning.md` has the formulas.

mod chart;
pub mod data;
pub mod fit;
pub mod write;

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Result, ensure};
use clap::Args;

use crate::output::{self, OutputFile};
use data::{Choice, Positions};
use fit::{Epoch, Scales, Settings, Weights};

/// Fit the weights of the evaluation to games of `datagen`
///
/// The weights that the program was built with are the start, and a gentle pull holds the fitted ones near
/// them. What comes out depends on the files and options but not on the number of threads.
#[derive(Args, Debug)]
pub struct Tune {
    /// Files of games
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the fitted weights there, as Rust source: eval/src/weights.rs; only such a file is replaced
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    /// Most passes over the positions
    #[arg(long, default_value_t = 100)]
    epochs: usize,
    /// First step of Adam in centipawns; it shrinks to a hundredth along a cosine
    #[arg(long, value_name = "CP", default_value_t = 1.0, value_parser = positive)]
    lr: f64,
    /// Positions a step
    #[arg(long, default_value_t = NonZeroUsize::MIN.saturating_add(16_383))]
    batch: NonZeroUsize,
    /// Share of the game's result in the goal; the rest is what the searched score promises
    #[arg(long, value_name = "SHARE", default_value_t = 0.5, value_parser = share)]
    lambda: f64,
    /// How many plies ahead, on the mean, the scores are taken from: 0 for each position's own alone
    #[arg(long, value_name = "PLIES", default_value_t = 0.0, value_parser = not_negative)]
    horizon: f64,
    /// Share of the games held out, to see when to stop
    #[arg(long, value_name = "SHARE", default_value_t = 0.1, value_parser = share)]
    holdout: f64,
    /// Stop after so many epochs without a better loss
    #[arg(long, value_name = "EPOCHS", default_value_t = 12)]
    patience: usize,
    /// How strongly weights are drawn to their start
    #[arg(long, default_value_t = 1e-4, value_parser = not_negative)]
    l2: f64,
    /// Share of the positions to take
    #[arg(long, value_name = "SHARE", default_value_t = 1.0, value_parser = share)]
    sample: f64,
    /// Leave out scores beyond so many centipawns
    #[arg(long, value_name = "CP", default_value_t = 1_500)]
    max_score: u16,
    /// Leave out the first plies of each game
    #[arg(long, value_name = "PLIES", default_value_t = 0)]
    min_ply: usize,
    /// Seed of all choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Threads; all cores if not given
    #[arg(long)]
    threads: Option<NonZeroUsize>,
    /// Draw the losses as SVG; only such a file is replaced
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn number(text: &str, fits: impl Fn(f64) -> bool, needed: &str) -> Result<f64, String> {
    text.parse().ok().filter(|&number| fits(number)).ok_or_else(|| format!("{needed} is needed"))
}

fn share(text: &str) -> Result<f64, String> {
    number(text, |share| (0.0..=1.0).contains(&share), "a number from 0 to 1")
}

fn positive(text: &str) -> Result<f64, String> {
    number(text, |number| number > 0.0 && number.is_finite(), "a number above 0")
}

fn not_negative(text: &str) -> Result<f64, String> {
    number(text, |number| number >= 0.0 && number.is_finite(), "a number of at least 0")
}

/// Writes a line to the standard output.
fn say(line: String) -> Result<()> {
    output::print(&(line + "\n"))
}

impl Tune {
    /// Does what the command line says.
    ///
    /// # Errors
    /// If files cannot be read or written, or hold too little.
    pub fn run(&self) -> Result<ExitCode> {
        ensure!(self.holdout < 1.0, "--holdout 1 leaves nothing to learn from");
        let threads = match self.threads {
            Some(threads) => threads,
            None => std::thread::available_parallelism().unwrap_or(NonZeroUsize::MIN),
        };
        // Before the work, which takes long. A file of weights begins with the same line whatever the weights.
        let start = write::start();
        let source = sakmak_eval::source(&write::rounded(&start));
        let mark = source.lines().next().unwrap_or_default();
        let file = |path: &Option<PathBuf>, mark| {
            path.as_ref().map(|path| OutputFile::replace(path, mark)).transpose()
        };
        let (out, plot) = (file(&self.out, mark)?, file(&self.plot, chart::MARK)?);

        let started = Instant::now();
        let (training, held_out) = data::read(&self.files, &self.choice(), threads)?;
        for (name, set) in [("training", &training), ("held out", &held_out)] {
            say(format!("{name}: {} positions of {} games", set.len(), set.games()))?;
        }
        say(format!("read in {:.1} s", started.elapsed().as_secs_f64()))?;
        ensure!(training.len() > 0, "no position to learn from");
        ensure!(self.holdout == 0.0 || held_out.len() > 0, "too few games to hold some out; use --holdout 0");

        let scales = Scales::fit(&training, &start, threads);
        say(format!(
            "scales: {:.1} cp for the evaluation, {:.1} cp for the searched score",
            scales.eval, scales.score
        ))?;
        let settings = Settings {
            epochs: self.epochs,
            rate: self.lr,
            batch: self.batch.get(),
            lambda: self.lambda,
            l2: self.l2,
            patience: self.patience,
            seed: self.seed,
            threads,
        };
        say(format!(
            "{:>5} {:>10} {:>10} {:>10} {:>8}",
            "epoch", "training", "held out", "results", "seconds"
        ))?;
        let mut course: Vec<Epoch> = Vec::new();
        // From here on the work is worth more than its report: what cannot be printed does not end it.
        let mut printed = Ok(());
        let mut report = |line| {
            if printed.is_ok() {
                printed = say(line);
            }
        };
        let fitted = fit::fit(&training, &held_out, &start, scales, &settings, |epoch| {
            course.push(*epoch);
            let Epoch { number, training, held_out, results, seconds } = epoch;
            report(format!("{number:>5} {training:>10.6} {held_out:>10.6} {results:>10.6} {seconds:>8.1}"));
            Ok(())
        })?;

        let (values, scales) = if self.epochs == 0 {
            (write::rounded(&start), scales)
        } else {
            let factor = fit::size(&training, &start, threads) / fit::size(&training, &fitted, threads);
            report(format!("all weights times {factor:.3}, so that a centipawn stays as large as it was"));
            let fitted = write::times(&fitted, factor);
            let scales = Scales { eval: scales.eval * factor, ..scales };
            (write::centred(write::rounded(&fitted), &training.uses()), scales)
        };
        self.sum_up(&training, &held_out, &values, scales, &settings).into_iter().for_each(&mut report);
        if out.is_none() {
            report("nothing written: there is no --out".to_owned());
        }
        let written = out.map_or(Ok(()), |file| file.write(&sakmak_eval::source(&values)));
        let drawn = plot.map_or(Ok(()), |file| file.write(&chart::svg(&course)));
        written.and(drawn).and(printed)?;
        Ok(ExitCode::SUCCESS)
    }

    fn choice(&self) -> Choice {
        Choice {
            holdout: self.holdout,
            sample: self.sample,
            max_score: i32::from(self.max_score),
            min_ply: self.min_ply,
            horizon: self.horizon,
            seed: self.seed,
        }
    }

    /// What has become of the weights.
    fn sum_up(
        &self,
        training: &Positions,
        held_out: &Positions,
        values: &[[i32; 2]],
        scales: Scales,
        settings: &Settings,
    ) -> [String; 3] {
        let written: Weights = values.iter().map(|halves| halves.map(f64::from)).collect();
        let loss = |set| fit::loss(set, &written, scales, settings);
        let uses = training.uses();
        let unseen = uses.iter().filter(|&&uses| uses == 0).count();
        let worth: Vec<_> = write::material(values).iter().map(|[mg, eg]| (mg + eg) / 2).collect();
        [
            format!("rounded: training {:.6}, held out {:.6}", loss(training), loss(held_out)),
            format!("{} weights, {unseen} of them never seen", values.len()),
            format!(
                "material, mean of middlegame and endgame: {worth:?}; EXCHANGE in fixed.rs should be near it"
            ),
        ]
    }
}
