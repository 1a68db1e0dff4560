//! Matches between engines: started, refereed, counted, and survived.
//!
//! [`run`] plays the games of a [`Schedule`] on several threads. Each thread has its own engine processes and plays
//! one game at a time ([`mod@play`]); the games come back to the thread that called, which writes them down
//! ([`store`]), counts them ([`tally`]) and decides when it is enough.

pub mod display;
pub mod fault;
pub mod fingerprint;
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
use store::{Finished, Labels, ReportFile, Store};
use tally::{Counter, Report};

use crate::pgn::PgnGame;
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
#[derive(Debug)]
pub enum Ending {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided,
    /// It was told to stop; it can be resumed.
    Stopped,
    /// It could not go on, or its report could not be written; what was played counts.
    Failed(MatchError),
}

/// What happens while a match runs.
pub enum Event<'a> {
    /// So many games were there already.
    Resumed(u64),
    /// A game is over.
    Finished(&'a Task, [&'a str; 2], &'a Finished),
    /// A fault, as it is known.
    Fault(&'a fault::FaultReport),
    /// The text of a game or, at the end, of the report that could not be written. Such a game does not count, and is
    /// played again if the match is resumed.
    Unwritten(&'a MatchError, &'a str),
    /// The report could not be renewed; that is tried again.
    Late(&'a MatchError),
}

/// How often the report on disk is renewed.
const RENEWAL: Duration = Duration::from_secs(5);

enum Message {
    Game(Task, Box<Played>),
    Failed(MatchError),
}

/// What a match writes to.
struct Outputs<'a> {
    settings: &'a Match,
    games: Option<Store>,
    report: Option<ReportFile>,
}

impl<'a> Outputs<'a> {
    /// Opens the files; returns them with the games and the report to go on with.
    fn open(settings: &'a Match) -> Result<(Self, Vec<Finished>, Option<Report>), MatchError> {
        let mut finished = Vec::new();
        let opened = settings.pgn.as_ref().map(|path| {
            let store = if settings.resume && path.exists() {
                Store::resume(path, &settings.labels.fingerprint).map(|(store, games)| {
                    finished = games;
                    store
                })
            } else {
                Store::create(path)
            };
            store.map_err(|error| MatchError::File(path.clone(), error))
        });
        let games = opened.transpose()?;
        // A report whose games are gone cannot be gone on with.
        let resume = !finished.is_empty();
        let claimed = settings.json.as_ref().map(|path| {
            ReportFile::claim(path, &settings.fingerprint, settings.shard, resume)
                .map_err(|error| MatchError::File(path.clone(), error))
        });
        let (report, old) = claimed.transpose()?.unzip();
        Ok((Self { settings, games, report }, finished, old.flatten()))
    }

    /// Adds a game to the PGN file.
    fn add(&mut self, record: &PgnGame) -> Result<(), MatchError> {
        let (Some(store), Some(path)) = (&mut self.games, &self.settings.pgn) else { return Ok(()) };
        store.add(record).map_err(|error| MatchError::File(path.clone(), error))
    }

    /// Renews the report.
    fn report(&mut self, report: &Report) -> Result<(), MatchError> {
        let (Some(file), Some(path)) = (&mut self.report, &self.settings.json) else { return Ok(()) };
        let text = report.to_json().map_err(io::Error::other);
        text.and_then(|text| file.write(&text)).map_err(|error| MatchError::File(path.clone(), error))
    }
}

/// Plays a match. `stop` ends it before its time; `tell` hears of every game and where the match stands.
///
/// Before the first game the files are opened and locked, the report is written, and every engine is started once.
///
/// # Errors
/// [`MatchError`] if it could not begin. What goes wrong later is [`Ending::Failed`].
pub fn run(
    settings: &Match,
    stop: &AtomicBool,
    tell: &mut dyn FnMut(&Event<'_>, &Report),
) -> Result<(Ending, Report), MatchError> {
    let mut counter = Counter::new(&settings.names, &settings.schedule.encounters);
    let (mut outputs, finished, old) = Outputs::open(settings)?;
    let mut done = HashSet::new();
    if !finished.is_empty() {
        let tasks: HashMap<u64, Task> = settings.schedule.tasks().map(|task| (task.number, task)).collect();
        for game in &finished {
            if let Some(task) = tasks.get(&game.number)
                && done.insert(game.number)
            {
                counter.add(task, game);
            }
        }
    }
    // The games have the number of faults, the report has what was said.
    let faults = old.map(|report| report.faults).unwrap_or_default();
    let mut report = Report {
        fingerprint: settings.fingerprint.clone(),
        shards: vec![settings.shard],
        settings: settings.settings.clone(),
        totals: counter.totals().clone(),
        sprt: settings.sprt,
        faults: faults.into_iter().filter(|fault| done.contains(&fault.game)).collect(),
        ..Report::default()
    };
    report.update();
    outputs.report(&report)?;
    if !done.is_empty() {
        tell(&Event::Resumed(done.len() as u64), &report);
    }

    let finish = AtomicBool::new(false);
    let left = Mutex::new(settings.schedule.tasks().filter(|task| !done.contains(&task.number)));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, receiver) = channel();
    let mut ending = if is_decided(&report) { Ending::Decided } else { Ending::Complete };
    let players = || -> Vec<Player> {
        let pairs = settings.engines.iter().zip(&settings.names);
        pairs.map(|(spec, name)| Player::new(spec.clone(), name.clone())).collect()
    };
    // One that cannot take part is to be known before the first game, not when its turn comes.
    let mut started = players();
    let is_over = matches!(ending, Ending::Decided) || done.len() as u64 == settings.schedule.len();
    for player in started.iter_mut().filter(|_| !is_over) {
        if !stop.load(Relaxed)
            && let Err(Unplayed::NoEngine(name, fault, dialogue)) = player.start(&settings.conditions)
        {
            return Err(MatchError::NoEngine { name, fault, dialogue });
        }
    }
    finish.store(is_over, Relaxed);
    if stop.load(Relaxed) {
        finish.store(true, Relaxed);
        ending = Ending::Stopped;
    }
    let mut failure = None;
    let mut renewed = Instant::now();

    std::thread::scope(|scope| {
        let mut started = Some(started);
        for _ in 0..settings.concurrency.max(1) {
            let (sender, finish, next) = (sender.clone(), &finish, &next);
            let mut players = started.take().unwrap_or_else(players);
            scope.spawn(move || {
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
            if matches!(ending, Ending::Decided) {
                // Another game that was still running when the test was decided.
                continue;
            }
            let names = names_by_color(settings, &task);
            if outputs.games.is_some() {
                let limits = limits_by_color(settings, &task);
                let record = store::record(&task, names, limits, &settings.labels, &played);
                if let Err(error) = outputs.add(&record) {
                    let text = store::record_text(&record).unwrap_or_default();
                    tell(&Event::Unwritten(&error, &String::from_utf8_lossy(&text)), &report);
                    failure.get_or_insert(error);
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
            if matches!(ending, Ending::Complete) && is_decided(&report) {
                ending = Ending::Decided;
                finish.store(true, Relaxed);
            }
            if renewed.elapsed() >= RENEWAL {
                renewed = Instant::now();
                if let Err(error) = outputs.report(&report) {
                    tell(&Event::Late(&error), &report);
                }
            }
        }
    });
    if let Err(error) = outputs.report(&report) {
        tell(&Event::Unwritten(&error, &report.to_json().unwrap_or_default()), &report);
        failure.get_or_insert(error);
    }
    Ok((failure.map_or(ending, Ending::Failed), report))
}

fn is_decided(report: &Report) -> bool {
    report.sprt_report.is_some_and(|sprt| sprt.state != SprtState::Continue)
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
