//! Trains the network of `sakmak-eval` on files of positions: AdamW on mini-batches, on the CPU.
//!
//! The first layer is sparse: forward and backward passes touch only the inputs of the pieces on the board.
//! `docs/network.md` has the formulas.

mod checkpoint;
mod columns;
mod gradient;
mod inputs;
mod optimizer;
mod order;
mod parameters;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use rayon::prelude::*;
use sakmak_eval::network::NetworkWeights;
use serde::{Deserialize, Serialize};

use checkpoint::CheckpointText;
pub use gradient::Target;
use gradient::{Sums, Task};
use optimizer::Optimizer;
pub use parameters::Layout;
use sakmak_dataset::positions::{PositionFile, TrainingPosition};
use sakmak_files::output::OutputFile;

/// Settings of a training run.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainSettings {
    /// Hidden values per side, a multiple of [`WIDTH_STEP`].
    pub width: usize,
    /// Passes over the positions.
    pub epochs: usize,
    /// Positions per step.
    pub batch: usize,
    /// Learning rate after warming up.
    pub rate: f32,
    /// The last learning rate as a share of the first; it decays along a cosine.
    pub last_rate: f32,
    /// Weight decay.
    pub decay: f32,
    /// Share of the game's result in the target; the rest comes from the searched score.
    pub result_share: f32,
    /// Internal units of a searched score that multiply the odds by e.
    pub scale: f32,
    /// Whether the count is an input.
    pub use_count: bool,
    /// Seed of the initial parameters and of the order of positions.
    pub seed: u64,
}

/// The width of the hidden layer is a multiple of it...
pub const WIDTH_STEP: usize = columns::TILE;
/// ...and at most this.
pub const MAX_WIDTH: usize = 2048;

/// Steps over which the learning rate rises to its maximum.
const WARM_UP: u64 = 100;

impl TrainSettings {
    /// The learning rate of a step.
    fn rate_at(&self, step: u64, steps: u64) -> f32 {
        let done = step as f64 / steps.max(1) as f64;
        let cosine = (1.0 + (std::f64::consts::PI * done).cos()) / 2.0;
        let last = f64::from(self.last_rate);
        let share = last + (1.0 - last) * cosine;
        let warm = ((step + 1) as f64 / WARM_UP as f64).min(1.0);
        self.rate * (share * warm) as f32
    }
}

/// Mean squared errors in an epoch.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct EpochLoss {
    /// On the training batches, each before its step.
    pub training: f64,
    /// On the held-out positions, after the epoch, with the parameters rounded as in the network file.
    pub held_out: Option<f64>,
}

/// An event of a training run.
#[derive(Clone, Copy, Debug)]
pub enum TrainEvent<'a> {
    /// This number of further positions has been trained on.
    Batch(u64),
    /// An epoch is over; the number counts from 1.
    Epoch(usize, &'a EpochLoss),
}

/// The files of a run.
#[derive(Debug)]
pub struct TrainFiles {
    /// Training positions.
    pub training: Vec<PositionFile>,
    /// Held-out positions to measure the loss on.
    pub held_out: Option<PositionFile>,
    /// Source of the initial parameters: a network, possibly narrower, or the checkpoint of another run. Not read when
    /// a run is resumed, as its checkpoint has the parameters.
    pub start: Option<PathBuf>,
    /// The checkpoint, written after every epoch.
    pub checkpoint: PathBuf,
}

/// A training run.
pub struct Trainer {
    task: Task,
    settings: TrainSettings,
    files: TrainFiles,
    pool: rayon::ThreadPool,
    threads: usize,
    /// The checkpoint file, locked against other runs.
    checkpoint: OutputFile,
    /// Name of the file with the initial parameters; empty if they are random.
    start: String,
    optimizer: Optimizer,
    losses: Vec<EpochLoss>,
    sums: Vec<Sums>,
}

/// The file name without its folder.
fn file_name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

impl Trainer {
    /// A new run, or with `resume` the run of the checkpoint.
    ///
    /// # Errors
    /// If there are no positions, or the checkpoint is of another run or cannot be read.
    pub fn new(settings: TrainSettings, files: TrainFiles, threads: usize, resume: bool) -> Result<Self> {
        let layout = Layout { width: settings.width };
        ensure!(files.training.iter().any(|file| file.positions() > 0), "no training position");
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        let pool = pool.context("cannot start the threads")?;
        let target = Target { result_share: settings.result_share, scale: settings.scale };
        let checkpoint = OutputFile::replace(&files.checkpoint, checkpoint::MARK)?;
        let resumed = match checkpoint::read(&files.checkpoint)? {
            Some((text, _)) if !resume && text.losses.len() < text.settings.epochs => {
                bail!("{}: exists; --resume goes on with it, or remove it", files.checkpoint.display());
            }
            found => found.filter(|_| resume),
        };
        let mut start = files.start.as_deref().map(file_name).unwrap_or_default();
        let (optimizer, losses) = match resumed {
            Some((text, optimizer)) => {
                if let Some(what) = text.difference(&settings, &sizes(&files), threads, &start) {
                    bail!("the checkpoint is of a run with other {what}");
                }
                start = text.start.unwrap_or(start);
                (optimizer, text.losses)
            }
            None => (Optimizer::new(first_parameters(&files, layout, settings.seed)?), Vec::new()),
        };
        Ok(Self {
            task: Task { layout, target, use_count: settings.use_count },
            sums: (0..threads).map(|_| Sums::new(layout)).collect(),
            optimizer,
            losses,
            checkpoint,
            start,
            settings,
            files,
            pool,
            threads,
        })
    }

    fn checkpoint_text(&self) -> CheckpointText {
        CheckpointText {
            settings: self.settings,
            files: sizes(&self.files),
            threads: self.threads,
            start: Some(self.start.clone()),
            steps: self.optimizer.steps,
            losses: self.losses.clone(),
        }
    }

    /// Name of the file with the initial parameters; `None` if they are random.
    pub fn start(&self) -> Option<&str> {
        Some(self.start.as_str()).filter(|name| !name.is_empty())
    }

    /// The losses of all epochs so far.
    pub fn losses(&self) -> &[EpochLoss] {
        &self.losses
    }

    /// Number of training positions per epoch.
    pub fn positions(&self) -> u64 {
        self.files.training.iter().map(PositionFile::positions).sum()
    }

    /// The bytes of a network file with the current parameters.
    pub fn network(&self, description: &str) -> Vec<u8> {
        self.task.layout.to_file(&self.optimizer.parameters, description)
    }

    /// Trains for one more epoch and writes a checkpoint. Returns `false` if no epoch is left.
    ///
    /// # Errors
    /// If positions cannot be read or the checkpoint cannot be written.
    pub fn run_epoch(&mut self, notify: &mut dyn FnMut(TrainEvent<'_>)) -> Result<bool> {
        if self.losses.len() >= self.settings.epochs {
            return Ok(false);
        }
        let training = self.learn_all(&mut |positions| notify(TrainEvent::Batch(positions)))?;
        let held_out = self.held_out_loss()?;
        let loss = EpochLoss { training, held_out };
        self.losses.push(loss);
        checkpoint::write(&self.checkpoint, &self.checkpoint_text(), &self.optimizer)?;
        notify(TrainEvent::Epoch(self.losses.len(), &loss));
        Ok(true)
    }

    /// Trains on every position once; returns the mean loss.
    fn learn_all(&mut self, learnt: &mut dyn FnMut(u64)) -> Result<f64> {
        let Self { task, settings, files, pool, optimizer, sums, .. } = self;
        let positions: u64 = files.training.iter().map(PositionFile::positions).sum();
        let steps = positions.div_ceil(settings.batch as u64) * settings.epochs as u64;
        let mut epoch = order::Epoch::new(&mut files.training, settings.seed, self.losses.len());
        let mut loss = 0.0;
        while let Some(batch) = epoch.batch(settings.batch)? {
            pool.install(|| {
                add_all(task, &optimizer.parameters, batch, true, sums);
                loss += sums.iter().map(|sums| sums.loss).sum::<f64>();
                let rate = settings.rate_at(optimizer.steps, steps);
                optimizer.step(task.layout, sums, batch.len(), rate, settings.decay);
            });
            learnt(batch.len() as u64);
        }
        Ok(loss / positions as f64)
    }

    /// The mean loss on the held-out positions, with rounded parameters.
    fn held_out_loss(&mut self) -> Result<Option<f64>> {
        let Self { task, files, pool, optimizer, sums, .. } = self;
        let Some(file) = &mut files.held_out else { return Ok(None) };
        let parameters = task.layout.rounded(&optimizer.parameters);
        let mut loss = 0.0;
        let mut positions = Vec::new();
        for block in 0..file.blocks() {
            positions.clear();
            file.read_block(block, &mut positions).with_context(|| file.path().display().to_string())?;
            pool.install(|| add_all(task, &parameters, &positions, false, sums));
            loss += sums.iter().map(|sums| sums.loss).sum::<f64>();
        }
        Ok((file.positions() > 0).then_some(loss / file.positions() as f64))
    }
}

/// Names of the files of positions, and their numbers of positions.
fn sizes(files: &TrainFiles) -> Vec<(String, u64)> {
    files.training.iter().map(|file| (file_name(file.path()), file.positions())).collect()
}

/// The initial parameters: random ones if no start is given.
fn first_parameters(files: &TrainFiles, layout: Layout, seed: u64) -> Result<Vec<f32>> {
    let Some(path) = &files.start else { return Ok(layout.random(seed)) };
    let name = || path.display().to_string();
    let bytes = std::fs::read(path).with_context(name)?;
    let parameters = match NetworkWeights::from_bytes(&bytes) {
        Ok(network) => layout.parameters_from(&network, seed),
        Err(_) => checkpoint::read(path)?
            .filter(|(text, _)| text.settings.width == layout.width)
            .map(|(_, optimizer)| optimizer.parameters),
    };
    parameters.with_context(|| {
        format!("{}: no checkpoint of this width, nor a network up to this width", path.display())
    })
}

/// Computes the sums over positions, a part of them by each thread.
fn add_all(task: &Task, parameters: &[f32], positions: &[TrainingPosition], learn: bool, sums: &mut [Sums]) {
    let part = positions.len().div_ceil(sums.len()).max(1);
    sums.par_iter_mut().enumerate().for_each(|(number, sums)| {
        sums.clear();
        let part = positions.chunks(part).nth(number).unwrap_or_default();
        task.add(parameters, part, learn, sums);
    });
}
