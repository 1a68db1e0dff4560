//! Fits the weights of the evaluation to games: logistic regression by Adam on the traces of the evaluation.
//!
//! `docs/tuning.md` has the formulas.

pub mod fit;
pub mod samples;
pub mod weights;

use std::io;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::time::Instant;

use sakmak_movegen::Rules;
use thiserror::Error;

use super::datagen::DataError;
use fit::{Epoch, FitSettings, Scales, WeightVector};
use samples::{Positions, Sampling};

/// Why weights cannot be fitted.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TuneError {
    /// A file of games cannot be read.
    #[error("{}: {error}", path.display())]
    Data {
        /// The file.
        path: PathBuf,
        /// Why.
        error: DataError,
    },
    /// Files of different rules.
    #[error("{}: other rules than the first file: {rules}", path.display())]
    OtherRules {
        /// The file.
        path: PathBuf,
        /// Its rules.
        rules: Box<Rules>,
    },
    /// Every position was left out.
    #[error("no training position")]
    NoPositions,
    /// No game was held out.
    #[error("too few games to hold some out; use --holdout 0")]
    NothingHeldOut,
    /// No threads.
    #[error("cannot start the threads: {error}")]
    Threads {
        /// Why.
        error: io::Error,
    },
}

/// What happens during a fit, in this order.
#[derive(Debug)]
pub enum TuneEvent<'a> {
    /// The games have been read.
    Read {
        /// Training positions.
        training: &'a Positions,
        /// Positions of the games held out.
        held_out: &'a Positions,
        /// How long it took.
        seconds: f64,
    },
    /// The scales have been fitted.
    Scaled(Scales),
    /// An epoch is over; the first event is for the weights before the fit.
    Epoch(Epoch),
    /// The weights have been multiplied by a factor, so that a centipawn keeps its worth.
    Rescaled(f64),
}

/// Fitted weights.
#[derive(Clone, Debug)]
pub struct Tuned {
    /// Middlegame and endgame halves by number of the weight, in centipawns.
    pub values: Vec<[i32; 2]>,
    /// The losses of all epochs.
    pub epochs: Vec<Epoch>,
    /// Mean loss of the training positions with these values.
    pub training_loss: f64,
    /// Mean loss of the positions held out; NaN without any.
    pub held_out_loss: f64,
    /// Weights that no training position uses.
    pub unused: usize,
}

/// Reads the games and fits the weights that the program was built with. The outcome does not depend on the number of
/// threads.
///
/// # Errors
/// Those of the files and of `notify`.
pub fn tune<E: From<TuneError> + Send>(
    files: &[PathBuf],
    sampling: &Sampling,
    settings: &FitSettings,
    threads: NonZeroUsize,
    notify: &mut (dyn FnMut(TuneEvent) -> Result<(), E> + Send),
) -> Result<Tuned, E> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.get()).build();
    let pool = pool.map_err(|error| TuneError::Threads { error: io::Error::other(error) })?;
    pool.install(|| {
        let started = Instant::now();
        let (training, held_out) = samples::read(files, sampling)?;
        let seconds = started.elapsed().as_secs_f64();
        notify(TuneEvent::Read { training: &training, held_out: &held_out, seconds })?;
        if training.is_empty() {
            return Err(TuneError::NoPositions.into());
        }
        if sampling.holdout > 0.0 && held_out.is_empty() {
            return Err(TuneError::NothingHeldOut.into());
        }
        let start = weights::start();
        let mut scales = Scales::fit(&training, &start);
        notify(TuneEvent::Scaled(scales))?;
        let mut epochs = Vec::new();
        let fitted = fit::fit(&training, &held_out, &start, scales, settings, |epoch| {
            epochs.push(*epoch);
            notify(TuneEvent::Epoch(*epoch))
        })?;
        let uses = training.uses();
        let values = if settings.epochs == 0 {
            weights::rounded(&start)
        } else {
            let factor = fit::root_mean_square(&training, &start) / fit::root_mean_square(&training, &fitted);
            notify(TuneEvent::Rescaled(factor))?;
            scales.eval *= factor;
            weights::centred(weights::rounded(&weights::times(&fitted, factor)), &uses)
        };
        let written: WeightVector = values.iter().map(|halves| halves.map(f64::from)).collect();
        let loss = |set| fit::loss(set, &written, scales, settings.lambda);
        Ok(Tuned {
            training_loss: loss(&training),
            held_out_loss: loss(&held_out),
            unused: uses.iter().filter(|&&uses| uses == 0).count(),
            values,
            epochs,
        })
    })
}
