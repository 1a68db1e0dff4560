//! The command `train`.

use std::io::Write;
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use sakmak_dataset::positions::PositionFile;
use sakmak_files::output::OutputFile;
use sakmak_training::chart::{self, Curve};
use sakmak_training::train::{
    EpochLoss, MAX_WIDTH, TrainEvent, TrainFiles, TrainSettings, Trainer, WIDTH_STEP,
};

use super::args::{at_least_one, positive, share, thread_count, whole};
use super::progress;
use super::stdout::print;

/// Train the network on positions from `datagen positions`
///
/// The network depends on the files, the options and the number of threads. A run that was killed continues with
/// --resume after its last epoch and produces the same network.
#[derive(Args)]
pub(crate) struct TrainArgs {
    /// Files of positions
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write the network to this file; a file is replaced only if it is a network
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// File of positions that are not trained on, for the loss on unseen positions
    #[arg(long, value_name = "FILE")]
    held_out: Option<PathBuf>,
    /// Start with the weights of this network or checkpoint instead of random ones; a narrower network is widened.
    /// Not needed with --resume, as the checkpoint has the weights
    #[arg(long, value_name = "FILE")]
    start: Option<PathBuf>,
    /// Width of the hidden layer for each side, a multiple of 16 up to 2048
    #[arg(long, default_value_t = sakmak_eval::network::WIDTH, value_parser = width)]
    width: usize,
    /// Number of passes over the positions
    #[arg(long, default_value_t = 20, value_parser = whole::<usize>(1..))]
    epochs: usize,
    /// Positions per step
    #[arg(long, default_value_t = NonZeroUsize::MIN.saturating_add(16_383), value_parser = at_least_one)]
    batch: NonZeroUsize,
    /// First learning rate of AdamW; it decays along a cosine
    #[arg(long, value_name = "RATE", default_value_t = 0.001, value_parser = positive)]
    lr: f64,
    /// Last learning rate, as a share of the first
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, value_parser = share)]
    last_lr: f64,
    /// Weight decay
    #[arg(long, default_value_t = 0.01, value_parser = share)]
    decay: f64,
    /// Share of the game's result in the target; the rest is the win rate of the searched score
    #[arg(long, value_name = "SHARE", default_value_t = 0.05, value_parser = share)]
    lambda: f64,
    /// Increase of a searched score that multiplies the odds of winning by e, in internal units (285 are 100
    /// centipawns)
    #[arg(long, value_name = "UNITS", default_value_t = 415.0, value_parser = positive)]
    scale: f64,
    /// Train without the inputs for the count, to measure their worth
    #[arg(long)]
    no_count: bool,
    /// Seed of the initial weights and of the order of the positions
    #[arg(long, default_value_t = 1, value_parser = whole::<u64>(..))]
    seed: u64,
    /// Threads [default: the number of cores]
    #[arg(long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
    /// Resume from the checkpoint of an interrupted run, if there is one
    #[arg(long)]
    resume: bool,
    /// Draw the losses as SVG into this file; a file is replaced only if it is such a chart
    #[arg(long, value_name = "FILE")]
    plot: Option<PathBuf>,
}

fn width(text: &str) -> Result<usize, String> {
    let fits = |width: &usize| (1..=MAX_WIDTH).contains(width) && width.is_multiple_of(WIDTH_STEP);
    let width = text.parse().ok().filter(fits);
    width.ok_or_else(|| format!("a multiple of {WIDTH_STEP} up to {MAX_WIDTH} is needed"))
}

/// The path of a run's checkpoint, beside its network.
fn checkpoint_path(out: &Path) -> PathBuf {
    let mut name = out.file_name().unwrap_or_default().to_owned();
    name.push(".checkpoint");
    out.with_file_name(name)
}

impl TrainArgs {
    /// Trains a network and writes its file.
    ///
    /// # Errors
    /// If files cannot be read or written.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        // Created before the work, which takes long.
        let out = OutputFile::replace(&self.out, "SAKMAKNN")?;
        let plot = self.plot.as_ref().map(|path| OutputFile::replace(path, chart::MARK)).transpose()?;
        let open = |path: &PathBuf| PositionFile::open(path).with_context(|| path.display().to_string());
        let training = self.files.iter().map(open).collect::<Result<_>>()?;
        let held_out = self.held_out.as_ref().map(open).transpose()?;
        let start = self.start.clone();
        let files = TrainFiles { training, held_out, start, checkpoint: checkpoint_path(&self.out) };
        let settings = TrainSettings {
            width: self.width,
            epochs: self.epochs,
            batch: self.batch.get(),
            rate: self.lr as f32,
            last_rate: self.last_lr as f32,
            decay: self.decay as f32,
            result_share: self.lambda as f32,
            scale: self.scale as f32,
            use_count: !self.no_count,
            seed: self.seed,
        };
        let threads = progress::threads(self.threads).get();
        let mut trainer = Trainer::new(settings, files, threads, self.resume)?;
        let positions = trainer.positions();
        print(&format!(
            "{positions} positions, {} threads\n{:>5} {:>10} {:>10} {:>8} {:>12}\n",
            threads, "epoch", "training", "held out", "seconds", "positions/s"
        ))?;
        let done = trainer.losses().len();
        let bar = progress::bar(
            Some(positions * (self.epochs - done.min(self.epochs)) as u64),
            "{bar:30} {percent}%  {msg}  {elapsed} gone, {eta} left",
        );
        let (started, mut learnt) = (Instant::now(), 0);
        let mut notify = |event: TrainEvent<'_>| {
            let speed = |learnt: u64| learnt as f64 / started.elapsed().as_secs_f64().max(1e-9);
            match event {
                TrainEvent::Batch(positions) => {
                    learnt += positions;
                    bar.set_position(learnt);
                    bar.set_message(format!("{:.0} positions/s", speed(learnt)));
                }
                TrainEvent::Epoch(number, EpochLoss { training, held_out }) => {
                    let held_out = held_out.map_or("-".to_owned(), |loss| format!("{loss:.6}"));
                    let (seconds, speed) = (started.elapsed().as_secs_f64(), speed(learnt));
                    let line =
                        format!("{number:>5} {training:>10.6} {held_out:>10} {seconds:>8.0} {speed:>12.0}\n");
                    // The training goes on even if nobody reads its output.
                    bar.suspend(|| drop(print(&line)));
                }
            }
        };
        while trainer.run_epoch(&mut notify)? {}
        bar.finish_and_clear();
        // File names without folders, as the description is published with the network.
        let start = trainer.start();
        let description = serde_json::json!({ "positions": positions, "settings": settings, "start": start });
        let mut draft = out.draft()?;
        draft.write_all(&trainer.network(&description.to_string()))?;
        draft.commit()?;
        if let Some(plot) = plot {
            let losses = trainer.losses();
            let curve = |name: &str, loss: fn(&EpochLoss) -> f64| {
                let points = (1..).zip(losses).map(|(epoch, losses)| (f64::from(epoch), loss(losses)));
                Curve { name: name.to_owned(), points: points.collect() }
            };
            let training = curve("training", |epoch| epoch.training);
            let held_out = curve("held out", |epoch| epoch.held_out.unwrap_or(f64::NAN));
            plot.write(&chart::svg("epoch", "mean squared error", &[training, held_out]))?;
        }
        Ok(ExitCode::SUCCESS)
    }
}
