//! The command `tune`.

use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::process::ExitCode;

use anyhow::{Result, ensure};
use clap::Args;
use sakmak_tools::data::chart;
use sakmak_tools::data::tune::fit::{Epoch, FitSettings};
use sakmak_tools::data::tune::samples::Sampling;
use sakmak_tools::data::tune::{TuneEvent, Tuned, tune, weights};
use sakmak_tools::output::OutputFile;

use super::args::{not_negative, positive, share};
use super::progress;
use super::stdout::print;

/// Fit the weights of the evaluation to games of `datagen`
///
/// The weights that the program was built with are the start, and an L2 penalty keeps the fitted ones near
/// them. The result depends on the files and options but not on the number of threads.
#[derive(Args)]
pub(crate) struct TuneArgs {
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
    /// Share of the game's result in the target; the rest is the result that the searched score predicts
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
    /// Strength of the L2 penalty on the distance of the weights from their start
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

/// Prints a line.
fn print_line(line: &str) -> Result<()> {
    print(&format!("{line}\n"))
}

impl TuneArgs {
    /// Fits the weights and writes them.
    ///
    /// # Errors
    /// If files cannot be read or written, or hold too little.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        ensure!(self.holdout < 1.0, "--holdout 1 leaves no training games");
        // Before the work, which takes long. A file of weights begins with the same line whatever the weights.
        let source = sakmak_eval::source(&weights::rounded(&weights::start()));
        let mark = source.lines().next().unwrap_or_default();
        let file = |path: &Option<PathBuf>, mark| {
            path.as_ref().map(|path| OutputFile::replace(path, mark)).transpose()
        };
        let (out, plot) = (file(&self.out, mark)?, file(&self.plot, chart::MARK)?);

        let settings = FitSettings {
            epochs: self.epochs,
            rate: self.lr,
            batch: self.batch.get(),
            lambda: self.lambda,
            l2: self.l2,
            patience: self.patience,
            seed: self.seed,
        };
        // Once the fit has begun its result is worth more than its log: what cannot be printed does not end it.
        let mut printed = Ok(());
        let mut log = |line: &str| {
            if printed.is_ok() {
                printed = print_line(line);
            }
        };
        let threads = progress::threads(self.threads);
        let tuned = tune(&self.files, &self.sampling(), &settings, threads, &mut |event| {
            match event {
                TuneEvent::Read { training, held_out, seconds } => {
                    for (name, set) in [("training", training), ("held out", held_out)] {
                        print_line(&format!("{name}: {} positions of {} games", set.len(), set.games()))?;
                    }
                    print_line(&format!("read in {seconds:.1} s"))?;
                }
                TuneEvent::Scaled(scales) => {
                    print_line(&format!(
                        "scales: {:.1} cp for the evaluation, {:.1} cp for the searched score",
                        scales.eval, scales.score
                    ))?;
                    let [epoch, training, held_out, results, seconds] =
                        ["epoch", "training", "held out", "results", "seconds"];
                    print_line(&format!(
                        "{epoch:>5} {training:>10} {held_out:>10} {results:>10} {seconds:>8}"
                    ))?;
                }
                TuneEvent::Epoch(Epoch { number, training, held_out, results, seconds }) => {
                    log(&format!(
                        "{number:>5} {training:>10.6} {held_out:>10.6} {results:>10.6} {seconds:>8.1}"
                    ));
                }
                TuneEvent::Rescaled(factor) => {
                    log(&format!("all weights times {factor:.3}, so that a centipawn keeps its worth"));
                }
            }
            anyhow::Ok(())
        })?;
        summary(&tuned).iter().for_each(|line| log(line));
        if out.is_none() {
            log("nothing written: there is no --out");
        }
        let written = out.map_or(Ok(()), |file| file.write(&sakmak_eval::source(&tuned.values)));
        let curve = |loss: fn(&Epoch) -> f64| tuned.epochs.iter().map(loss).collect::<Vec<_>>();
        let (training, held_out) = (curve(|epoch| epoch.training), curve(|epoch| epoch.held_out));
        let drawing = chart::svg("mean cross entropy", 0, &training, &held_out);
        let drawn = plot.map_or(Ok(()), |file| file.write(&drawing));
        written.and(drawn)?;
        printed?;
        Ok(ExitCode::SUCCESS)
    }

    fn sampling(&self) -> Sampling {
        Sampling {
            holdout: self.holdout,
            sample: self.sample,
            max_score: i32::from(self.max_score),
            min_ply: self.min_ply,
            horizon: self.horizon,
            seed: self.seed,
        }
    }
}

/// The fitted weights in a few lines.
fn summary(tuned: &Tuned) -> [String; 3] {
    let Tuned { values, training_loss, held_out_loss, unused, .. } = tuned;
    let material: Vec<_> = weights::material(values).iter().map(|[mg, eg]| (mg + eg) / 2).collect();
    [
        format!("rounded: training {training_loss:.6}, held out {held_out_loss:.6}"),
        format!("{} weights, {unused} of them in no position", values.len()),
        format!(
            "material, mean of middlegame and endgame: {material:?}; EXCHANGE in constants.rs should be near it"
        ),
    ]
}
