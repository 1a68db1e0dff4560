//! Tunes spin options of an engine by games against itself: simultaneous perturbation stochastic approximation.

mod state;

use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::Builder;
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, anyhow, ensure};
use sakmak_files::output::OutputFile;
use sakmak_games::pgn::PgnResult;
use sakmak_movegen::{Color, Game};

pub use state::{SpsaParameter, SpsaState};

use super::tournament::engine_error::EngineErrorReport;
use super::tournament::play::{GameAbort, GameSettings, PlayedGame, Player, play};
use super::tournament::process::EngineProcess;
use super::tournament::schedule::Schedule;
use super::tournament::spec::EngineSpec;

/// Splits a parameter `NAME`, `NAME=STEP` or `NAME=LOW..HIGH` into name and step.
fn split_parameter(text: &str) -> (&str, Option<&str>) {
    text.split_once('=').map_or((text, None), |(name, step)| (name, Some(step)))
}

/// Start and step of a parameter: the middle and half the width of `LOW..HIGH`, or the announced value and `STEP`.
fn start_and_step(text: &str, announced: f64) -> Option<(f64, f64)> {
    let (start, step) = match text.split_once("..") {
        Some((low, high)) => {
            let (low, high): (f64, f64) = (low.parse().ok()?, high.parse().ok()?);
            (f64::midpoint(low, high), (high - low) / 2.0)
        }
        None => (announced, text.parse().ok()?),
    };
    (start.is_finite() && step.is_finite() && step > 0.0).then_some((start, step))
}

/// The parameters `NAME`, `NAME=STEP` or `NAME=LOW..HIGH` with the values and ranges that the engine announces. The
/// default step is a twentieth of the range.
///
/// # Errors
/// If the engine cannot be started, or has no such option.
pub fn announced_parameters(
    spec: &EngineSpec,
    wanted: &[String],
    settings: &GameSettings,
) -> Result<Vec<SpsaParameter>> {
    let engine = EngineProcess::start(spec, &settings.rules, settings.timeouts)?;
    let parameter = |text: &String| {
        let (name, step) = split_parameter(text);
        let spin = engine.spin(name).ok_or_else(|| anyhow!("the engine has no spin option {name}"))?;
        let chosen = spec.options.iter().find(|(option, _)| option.eq_ignore_ascii_case(name));
        let announced = match chosen {
            Some((_, value)) => value.parse().map_err(|_| anyhow!("{name}: '{value}' is not a number"))?,
            None => spin.default as f64,
        };
        let (start, step) = match step {
            Some(step) => start_and_step(step, announced)
                .ok_or_else(|| anyhow!("--param {text}: expected a step above 0, or LOW..HIGH"))?,
            None => (announced, (spin.most - spin.least) as f64 / 20.0),
        };
        Ok(SpsaParameter {
            name: name.to_owned(),
            start,
            value: start,
            least: spin.least as f64,
            most: spin.most as f64,
            step,
            points: 0,
        })
    };
    wanted.iter().map(parameter).collect()
}

impl SpsaState {
    /// Reads a state to resume with the parameters `wanted`, up to `iterations` in all.
    ///
    /// # Errors
    /// If the file cannot be read or holds anything else.
    pub fn read(path: &Path, wanted: &[String], iterations: u64) -> Result<Self> {
        let text = std::fs::read_to_string(path).context("cannot read the state")?;
        let mut state: Self = serde_json::from_str(&text).context("is not the state of a tuning")?;
        ensure!(state.is_valid(), "is damaged");
        let found: Vec<_> = state.parameters.iter().map(|parameter| parameter.name.clone()).collect();
        ensure!(
            wanted.iter().map(|text| split_parameter(text).0).eq(found.iter().map(String::as_str)),
            "is about other parameters: {}",
            found.join(", ")
        );
        state.iterations = iterations;
        Ok(state)
    }

    /// Writes the state.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn write(&self, file: &OutputFile) -> Result<()> {
        Ok(file.write(&(serde_json::to_string_pretty(self)? + "\n"))?)
    }
}

/// Time between two reports of the state; each also writes the state to its file.
const REPORT_INTERVAL: Duration = Duration::from_secs(20);

/// An event of a tuning.
#[derive(Debug)]
pub enum SpsaEvent<'a> {
    /// The state after some iterations.
    State(&'a SpsaState),
    /// An error of the engine in the iteration with this number; its game still counts.
    EngineError(u64, &'a EngineErrorReport),
}

/// A tuning: the engine, and how its games are played.
#[derive(Debug)]
pub struct Spsa<'a> {
    /// The engine to tune.
    pub engine: &'a EngineSpec,
    /// One pair of games per iteration.
    pub schedule: Schedule,
    /// The openings of the schedule.
    pub openings: &'a [Game],
    /// How games are played.
    pub settings: &'a GameSettings,
    /// Pairs played in parallel.
    pub concurrency: usize,
    /// The file that holds the state.
    pub file: &'a OutputFile,
}

impl Spsa<'_> {
    /// Plays all remaining iterations, or until `stop`.
    ///
    /// # Errors
    /// Those of the engine, of the state's file, and of `notify`.
    pub fn run(
        &self,
        state: SpsaState,
        stop: &AtomicBool,
        notify: impl Fn(SpsaEvent) -> Result<()> + Sync,
    ) -> Result<SpsaState> {
        // An interrupted pair is replayed; a finished one is not.
        let unplayed = Mutex::new(state.unplayed());
        let state = Mutex::new(state);
        let failure: Mutex<Option<Error>> = Mutex::new(None);
        let work = || {
            let mut reported = Instant::now();
            // The engines run on for all pairs: starting one takes longer than changing its options.
            let mut players = ["plus", "minus"].map(|name| Player::new(self.engine.clone(), name.to_owned()));
            while !stop.load(Relaxed) {
                let number = unplayed.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some(number) = number else { return Ok(()) };
                let perturbation = {
                    let state = state.lock().unwrap_or_else(PoisonError::into_inner);
                    if number > state.iterations {
                        return Ok(());
                    }
                    state.perturbation(number)
                };
                let Some(points) = self.pair(number, &mut players, &perturbation.options(), stop, &notify)?
                else {
                    return Ok(());
                };
                let mut state = state.lock().unwrap_or_else(PoisonError::into_inner);
                state.update(&perturbation, points);
                if reported.elapsed() >= REPORT_INTERVAL || state.done == state.iterations {
                    reported = Instant::now();
                    self.save(&state)?;
                    notify(SpsaEvent::State(&state))?;
                }
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            for _ in 0..self.concurrency.max(1) {
                let fail = |error: Error| {
                    stop.store(true, Relaxed);
                    failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
                };
                let thread = Builder::new().spawn_scoped(scope, move || work().unwrap_or_else(fail));
                if let Err(error) = thread {
                    fail(Error::from(error).context("cannot start a thread"));
                }
            }
        });
        let state = state.into_inner().unwrap_or_else(PoisonError::into_inner);
        self.save(&state)?;
        match failure.into_inner().unwrap_or_else(PoisonError::into_inner) {
            Some(error) => Err(error),
            None => Ok(state),
        }
    }

    fn save(&self, state: &SpsaState) -> Result<()> {
        state.write(self.file)
    }

    /// Plays a pair of games between two sets of options: wins less losses of the first; `None` if stopped.
    fn pair(
        &self,
        number: u64,
        players: &mut [Player; 2],
        options: &[Vec<(String, String)>; 2],
        stop: &AtomicBool,
        notify: &impl Fn(SpsaEvent) -> Result<()>,
    ) -> Result<Option<i32>> {
        for (player, options) in players.iter_mut().zip(options) {
            player.set_options(options);
        }
        let [plus, minus] = players;
        let mut points = 0;
        for game in self.schedule.pair(number - 1, 0) {
            let (players, sign) = match game.first_color {
                Color::White => ([&mut *plus, &mut *minus], 1),
                Color::Black => ([&mut *minus, &mut *plus], -1),
            };
            let played = match play(game.number, players, &self.openings[game.opening], self.settings, stop) {
                Ok(played) => played,
                Err(GameAbort::Stopped) => return Ok(None),
                Err(GameAbort::Engine(failure)) => return Err(failure.into()),
            };
            for error in &played.errors {
                notify(SpsaEvent::EngineError(number, error))?;
            }
            points += sign * white_points(&played);
        }
        Ok(Some(points))
    }
}

/// 1 if White won, -1 if Black did.
fn white_points(played: &PlayedGame) -> i32 {
    match played.result {
        PgnResult::WhiteWins => 1,
        PgnResult::BlackWins => -1,
        PgnResult::Draw | PgnResult::Unknown => 0,
    }
}

#[cfg(test)]
mod tests {
    use super::start_and_step;

    #[test]
    fn a_step_or_two_values() {
        assert_eq!(start_and_step("2.5", 7.0), Some((7.0, 2.5)));
        assert_eq!(start_and_step("0..1", 7.0), Some((0.5, 0.5)));
        assert_eq!(start_and_step("-20..30", 7.0), Some((5.0, 25.0)));
        for text in ["", "x", "0", "-1", "nan", "inf", "..", "1..", "3..3", "4..3", "1..2..3", "0..inf"] {
            assert_eq!(start_and_step(text, 7.0), None, "{text}");
        }
    }
}
