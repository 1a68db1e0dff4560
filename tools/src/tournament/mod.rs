//! Matches between engines: started, refereed, counted, and survived.
//!
//! [`run`] plays the games of a [`Schedule`] on several threads. Each thread has its own engine processes and plays
//! one game at a time ([`mod@play`]); the games come back to the thread that called, which writes them down
//! ([`store`]), counts them ([`tally`]) and decides when it is enough.

pub mod display;
pub mod fault;
pub mod play;
pub mod process;
pub mod schedule;
pub mod spec;
pub mod store;
pub mod tally;

use std::collections::{HashMap, HashSet};
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sakmak_movegen::{Color, Game};

use fault::Fault;
use play::{Conditions, Played, Player, Unplayed, play};
use schedule::{Schedule, Task};
use spec::{EngineSpec, Shard};
use store::{Finished, Labels, Store};
use tally::{Counter, Report};

use crate::stats::{Sprt, SprtState};

/// Everything about a match.
pub struct Match {
    /// Who takes part.
    pub engines: Vec<EngineSpec>,
    /// Their names, all different.
    pub names: Vec<String>,
    /// Rules, limits, adjudication.
    pub conditions: Conditions,
    /// Which games.
    pub schedule: Schedule,
    /// From which positions.
    pub openings: Vec<Game>,
    /// Games at a time.
    pub concurrency: usize,
    /// When to stop early.
    pub sprt: Option<Sprt>,
    /// Where the games go.
    pub pgn: Option<PathBuf>,
    /// Whether to go on with what is there.
    pub resume: bool,
    /// Where the report goes.
    pub json: Option<PathBuf>,
    /// Which part of the match is played.
    pub shard: Shard,
    /// What all games carry.
    pub labels: Labels,
    /// What tells this match from one with other settings, whichever part is played.
    pub fingerprint: String,
    /// The settings, in words, for the report.
    pub settings: Vec<(String, String)>,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// An engine that cannot be started.
    #[error("{name} {fault}\n{}", dialogue.join("\n"))]
    NoEngine {
        /// Its name.
        name: String,
        /// What is wrong with it.
        fault: Fault,
        /// The last lines of the dialogue.
        dialogue: Vec<String>,
    },
    /// A file that cannot be written or read.
    #[error("{0}: {1}")]
    File(PathBuf, io::Error),
}

/// How a match ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided,
    /// It was told to stop; it can be resumed.
    Stopped,
}

/// What happens while a match runs.
pub enum Event<'a> {
    /// So many games were there already.
    Resumed(u64),
    /// A game is over.
    Finished(&'a Task, [&'a str; 2], &'a Finished),
    /// A fault, as it is known.
    Fault(&'a fault::FaultReport),
}

/// How often the report on disk is renewed.
const RENEWAL: Duration = Duration::from_secs(5);

enum Message {
    Game(Task, Box<Played>),
    Failed(MatchError),
}

/// Plays a match. `stop` ends it before its time; `tell` hears of every game and where the match stands.
///
/// # Errors
/// [`MatchError`]; the games played until then are on disk.
pub fn run(
    settings: &Match,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Event<'_>, &Report),
) -> Result<(Ending, Report), MatchError> {
    let mut counter = Counter::new(&settings.names, &settings.schedule.encounters);
    let mut report = Report {
        fingerprint: settings.fingerprint.clone(),
        shards: vec![settings.shard],
        settings: settings.settings.clone(),
        totals: counter.totals().clone(),
        sprt: settings.sprt,
        ..Report::default()
    };
    let mut store = None;
    let mut done = HashSet::new();
    if let Some(path) = &settings.pgn {
        let wrong = |error| MatchError::File(path.clone(), error);
        if settings.resume && path.exists() {
            let (opened, finished) = Store::resume(path, &settings.labels.fingerprint).map_err(wrong)?;
            store = Some(opened);
            let tasks: HashMap<u64, Task> =
                settings.schedule.tasks().map(|task| (task.number, task)).collect();
            for game in &finished {
                if let Some(task) = tasks.get(&game.number)
                    && done.insert(game.number)
                {
                    counter.add(task, game);
                }
            }
        } else {
            store = Some(Store::create(path).map_err(wrong)?);
        }
    }
    report.totals = counter.totals().clone();
    report.update();
    if !done.is_empty() {
        tell(&Event::Resumed(done.len() as u64), &report);
    }

    let finish = AtomicBool::new(false);
    let left = Mutex::new(settings.schedule.tasks().filter(|task| !done.contains(&task.number)));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, receiver) = channel();
    let mut ending = if is_decided(&report) { Ending::Decided } else { Ending::Complete };
    finish.store(ending == Ending::Decided, Relaxed);
    let mut failure = None;
    let mut renewed = Instant::now();

    std::thread::scope(|scope| {
        for _ in 0..settings.concurrency.max(1) {
            let (sender, finish, next) = (sender.clone(), &finish, &next);
            scope.spawn(move || {
                let mut players: Vec<Player> = settings
                    .engines
                    .iter()
                    .zip(&settings.names)
                    .map(|(spec, name)| Player::new(spec.clone(), name.clone()))
                    .collect();
                while !finish.load(Relaxed) {
                    let Some(task) = next() else { break };
                    let message = match play_task(settings, &task, &mut players, finish) {
                        Ok(played) => Message::Game(task, Box::new(played)),
                        Err(Unplayed::Stopped) => break,
                        Err(Unplayed::NoEngine(name, fault, dialogue)) => {
                            Message::Failed(MatchError::NoEngine { name, fault, dialogue })
                        }
                    };
                    let failed = matches!(message, Message::Failed(_));
                    if sender.send(message).is_err() || failed {
                        break;
                    }
                }
            });
        }
        drop(sender);
        loop {
            if stop.load(Relaxed) {
                finish.store(true, Relaxed);
                ending = Ending::Stopped;
            }
            let message = match receiver.recv_timeout(Duration::from_millis(100)) {
                Ok(message) => message,
                Err(std::sync::mpsc::RecvTimeoutError::Timeout) => continue,
                Err(std::sync::mpsc::RecvTimeoutError::Disconnected) => break,
            };
            let (task, played) = match message {
                Message::Game(task, played) => (task, played),
                Message::Failed(error) => {
                    failure.get_or_insert(error);
                    finish.store(true, Relaxed);
                    continue;
                }
            };
            if ending == Ending::Decided {
                // Another game that was still running when the test was decided.
                continue;
            }
            let names = names_by_color(settings, &task);
            if let Some(store) = &mut store {
                let limits = limits_by_color(settings, &task);
                let record = store::record(&task, names, limits, &settings.labels, &played);
                if let Err(error) = store.add(&record) {
                    let path = settings.pgn.clone().unwrap_or_default();
                    failure.get_or_insert(MatchError::File(path, error));
                    finish.store(true, Relaxed);
                    continue;
                }
            }
            let finished = Finished::of(task.number, &played);
            counter.add(&task, &finished);
            report.totals = counter.totals().clone();
            report.update();
            for fault in &played.faults {
                report.faults.push(fault.clone());
                tell(&Event::Fault(fault), &report);
            }
            tell(&Event::Finished(&task, names, &finished), &report);
            if ending == Ending::Complete && is_decided(&report) {
                ending = Ending::Decided;
                finish.store(true, Relaxed);
            }
            if renewed.elapsed() >= RENEWAL {
                renewed = Instant::now();
                if let Err(error) = write_report(settings, &report) {
                    failure.get_or_insert(error);
                    finish.store(true, Relaxed);
                }
            }
        }
    });
    write_report(settings, &report)?;
    match failure {
        Some(error) => Err(error),
        None => Ok((ending, report)),
    }
}

fn is_decided(report: &Report) -> bool {
    report.sprt_report.is_some_and(|sprt| sprt.state != SprtState::Continue)
}

fn write_report(settings: &Match, report: &Report) -> Result<(), MatchError> {
    let Some(path) = &settings.json else { return Ok(()) };
    let text = serde_json::to_string_pretty(report).map_err(io::Error::other);
    let written = text.and_then(|text| store::write_atomically(path, &(text + "\n")));
    written.map_err(|error| MatchError::File(path.clone(), error))
}

/// The engines of a game, White's first.
fn by_color(settings: &Match, task: &Task) -> [usize; 2] {
    let [first, second] = settings.schedule.encounters[task.encounter];
    if task.first_color == Color::White { [first, second] } else { [second, first] }
}

fn names_by_color<'a>(settings: &'a Match, task: &Task) -> [&'a str; 2] {
    by_color(settings, task).map(|engine| settings.names[engine].as_str())
}

fn limits_by_color(settings: &Match, task: &Task) -> [String; 2] {
    by_color(settings, task)
        .map(|engine| settings.engines[engine].limits.or(settings.conditions.limits).to_string())
}

fn play_task(
    settings: &Match,
    task: &Task,
    players: &mut [Player],
    finish: &AtomicBool,
) -> Result<Played, Unplayed> {
    let engines = by_color(settings, task);
    let Ok(two) = players.get_disjoint_mut(engines) else { return Err(Unplayed::Stopped) };
    play(task.number, two, &settings.openings[task.opening], &settings.conditions, finish)
}
