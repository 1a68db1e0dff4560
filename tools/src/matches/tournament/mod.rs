//! Matches between engines: engine processes, games by this program's rules, totals, files and resumption.
//!
//! [`run`] plays the games of a [`Schedule`] on several threads. Each thread has its own engine processes and plays
//! one game at a time ([`mod@play`]); the games are sent to the calling thread, which writes them
//! ([`store`]), counts them ([`report`]) and decides when the match ends.

pub mod display;
pub mod engine_error;
pub mod fingerprint;
pub mod play;
pub mod process;
pub mod report;
pub mod schedule;
pub mod spec;
pub mod store;

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::channel;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use sakmak_movegen::{Color, Game};

use engine_error::EngineFailure;
use play::{GameAbort, GameSettings, PlayedGame, Player, play};
use report::{MatchCounter, MatchReport};
use schedule::{Schedule, ScheduledGame};
use spec::{EngineSpec, Shard};
use store::{FinishedGame, GameStore, PgnLabels, ReportFile, StoreError};

use crate::games::pgn::PgnGame;
use crate::matches::statistics::{Sprt, SprtState};
use crate::output::OutputError;

/// Everything about a match.
pub struct Match {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// Their names, all different.
    pub names: Vec<String>,
    /// Rules, limits, adjudication.
    pub game: GameSettings,
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
    /// Whether to resume the match in the files.
    pub resume: bool,
    /// Where the report goes.
    pub json: Option<PathBuf>,
    /// Which part of the match is played.
    pub shard: Shard,
    /// What all games carry.
    pub labels: PgnLabels,
    /// The hash of the settings, whichever part is played.
    pub fingerprint: String,
    /// The settings, in words, for the report.
    pub settings: Vec<(String, String)>,
}

/// Why a match cannot go on.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MatchError {
    /// An engine that cannot be started.
    #[error(transparent)]
    Engine(#[from] EngineFailure),
    /// A file that cannot be written or read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: StoreError,
    },
    /// A report that cannot be written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// A report that cannot be written as JSON.
    #[error("cannot encode the report: {error}")]
    Json {
        /// Why.
        #[from]
        error: serde_json::Error,
    },
}

impl MatchError {
    fn file(path: &Path) -> impl FnOnce(StoreError) -> Self + '_ {
        move |error| match error {
            StoreError::Output(error) => Self::Output(error),
            error => Self::File { path: path.to_owned(), error },
        }
    }
}

/// How a match ended.
#[derive(Debug)]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The test is decided.
    Decided,
    /// It was stopped; it can be resumed.
    Stopped,
    /// It could not go on, or its report could not be written; games played before count.
    Failed(MatchError),
}

/// What happens while a match runs.
pub enum MatchEvent<'a> {
    /// So many games were there already.
    Resumed(u64),
    /// A game is over.
    FinishedGame(&'a ScheduledGame, [&'a str; 2], &'a FinishedGame),
    /// An error of an engine, before its game is reported.
    EngineError(&'a engine_error::EngineErrorReport),
    /// The text of a game or, at the end, of the report that could not be written. Such a game does not count, and is
    /// played again if the match is resumed.
    Unwritten(&'a MatchError, &'a str),
    /// The report could not be updated; that is tried again.
    ReportDelayed(&'a MatchError),
}

/// Time between two updates of the report on disk.
const REPORT_INTERVAL: Duration = Duration::from_secs(5);

enum Message {
    Game(ScheduledGame, Box<PlayedGame>),
    Failed(MatchError),
}

/// What a match writes to.
struct Outputs<'a> {
    settings: &'a Match,
    games: Option<GameStore>,
    report: Option<ReportFile>,
}

impl<'a> Outputs<'a> {
    /// Opens the files; returns them with the games and the report to go on with.
    fn open(settings: &'a Match) -> Result<(Self, Vec<FinishedGame>, Option<MatchReport>), MatchError> {
        let mut finished = Vec::new();
        let opened = settings.pgn.as_ref().map(|path| {
            let store = if settings.resume && path.exists() {
                GameStore::resume(path, &settings.labels.fingerprint).map(|(store, games)| {
                    finished = games;
                    store
                })
            } else {
                GameStore::create(path)
            };
            store.map_err(MatchError::file(path))
        });
        let games = opened.transpose()?;
        // A report without its games cannot be resumed.
        let resume = !finished.is_empty();
        let claimed = settings.json.as_ref().map(|path| {
            ReportFile::claim(path, &settings.fingerprint, settings.shard, resume)
                .map_err(MatchError::file(path))
        });
        let (report, old) = claimed.transpose()?.unzip();
        Ok((Self { settings, games, report }, finished, old.flatten()))
    }

    /// Adds a game to the PGN file.
    fn add(&mut self, record: &PgnGame) -> Result<(), MatchError> {
        let (Some(store), Some(path)) = (&mut self.games, &self.settings.pgn) else { return Ok(()) };
        store.add(record).map_err(MatchError::file(path))
    }

    /// Updates the report.
    fn report(&mut self, report: &MatchReport) -> Result<(), MatchError> {
        let (Some(file), Some(path)) = (&mut self.report, &self.settings.json) else { return Ok(()) };
        file.write(&report.to_json()?).map_err(MatchError::file(path))
    }
}

/// Plays a match. `stop` ends it before its time; `notify` is called for every game with the state of the match.
///
/// Before the first game the files are opened and locked, the report is written, and every engine is started once.
///
/// # Errors
/// [`MatchError`] if it could not begin. What goes wrong later is [`MatchEnd::Failed`].
pub fn run(
    settings: &Match,
    stop: &AtomicBool,
    notify: &mut dyn FnMut(&MatchEvent<'_>, &MatchReport),
) -> Result<(MatchEnd, MatchReport), MatchError> {
    let mut counter = MatchCounter::new(&settings.names, &settings.schedule.encounters);
    let (mut outputs, finished, old) = Outputs::open(settings)?;
    let mut done = HashSet::new();
    if !finished.is_empty() {
        let tasks: HashMap<u64, ScheduledGame> =
            settings.schedule.tasks().map(|task| (task.number, task)).collect();
        for game in &finished {
            if let Some(task) = tasks.get(&game.number)
                && done.insert(game.number)
            {
                counter.add(task, game);
            }
        }
    }
    // The games hold the number of errors, the report their text and dialogue.
    let faults = old.map(|report| report.faults).unwrap_or_default();
    let mut report = MatchReport {
        fingerprint: settings.fingerprint.clone(),
        shards: vec![settings.shard],
        settings: settings.settings.clone(),
        totals: counter.totals().clone(),
        sprt: settings.sprt,
        faults: faults.into_iter().filter(|fault| done.contains(&fault.game)).collect(),
        ..MatchReport::default()
    };
    report.update();
    outputs.report(&report)?;
    if !done.is_empty() {
        notify(&MatchEvent::Resumed(done.len() as u64), &report);
    }

    let finish = AtomicBool::new(false);
    let left = Mutex::new(settings.schedule.tasks().filter(|task| !done.contains(&task.number)));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, receiver) = channel();
    let mut ending = if is_decided(&report) { MatchEnd::Decided } else { MatchEnd::Complete };
    let players = || -> Vec<Player> {
        let pairs = settings.engines.iter().zip(&settings.names);
        pairs.map(|(spec, name)| Player::new(spec.clone(), name.clone())).collect()
    };
    // An engine that cannot take part is found before the first game, not when its turn comes.
    let mut started = players();
    let is_over = matches!(ending, MatchEnd::Decided) || done.len() as u64 == settings.schedule.len();
    for player in started.iter_mut().filter(|_| !is_over) {
        if !stop.load(Relaxed)
            && let Err(GameAbort::Engine(failure)) = player.start(&settings.game)
        {
            return Err(failure.into());
        }
    }
    finish.store(is_over, Relaxed);
    if stop.load(Relaxed) {
        finish.store(true, Relaxed);
        ending = MatchEnd::Stopped;
    }
    let mut failure = None;
    let mut updated = Instant::now();

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
                        Err(GameAbort::Stopped) => break,
                        Err(GameAbort::Engine(failure)) => Message::Failed(failure.into()),
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
                ending = MatchEnd::Stopped;
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
            if matches!(ending, MatchEnd::Decided) {
                // Another game that was still running when the test was decided.
                continue;
            }
            let names = names_by_color(settings, &task);
            if outputs.games.is_some() {
                let limits = limits_by_color(settings, &task);
                let record = store::record(&task, names, limits, &settings.labels, &played);
                if let Err(error) = outputs.add(&record) {
                    let text = store::record_text(&record).unwrap_or_default();
                    notify(&MatchEvent::Unwritten(&error, &String::from_utf8_lossy(&text)), &report);
                    failure.get_or_insert(error);
                    finish.store(true, Relaxed);
                    continue;
                }
            }
            let finished = FinishedGame::of(task.number, &played);
            counter.add(&task, &finished);
            report.totals = counter.totals().clone();
            report.update();
            for error in &played.errors {
                report.faults.push(error.clone());
                notify(&MatchEvent::EngineError(error), &report);
            }
            notify(&MatchEvent::FinishedGame(&task, names, &finished), &report);
            if matches!(ending, MatchEnd::Complete) && is_decided(&report) {
                ending = MatchEnd::Decided;
                finish.store(true, Relaxed);
            }
            if updated.elapsed() >= REPORT_INTERVAL {
                updated = Instant::now();
                if let Err(error) = outputs.report(&report) {
                    notify(&MatchEvent::ReportDelayed(&error), &report);
                }
            }
        }
    });
    if let Err(error) = outputs.report(&report) {
        notify(&MatchEvent::Unwritten(&error, &report.to_json().unwrap_or_default()), &report);
        failure.get_or_insert(error);
    }
    Ok((failure.map_or(ending, MatchEnd::Failed), report))
}

fn is_decided(report: &MatchReport) -> bool {
    report.sprt_report.is_some_and(|sprt| sprt.state != SprtState::Continue)
}

/// The engines of a game, White's first.
fn by_color(settings: &Match, task: &ScheduledGame) -> [usize; 2] {
    let [first, second] = settings.schedule.encounters[task.encounter];
    if task.first_color == Color::White { [first, second] } else { [second, first] }
}

fn names_by_color<'a>(settings: &'a Match, task: &ScheduledGame) -> [&'a str; 2] {
    by_color(settings, task).map(|engine| settings.names[engine].as_str())
}

fn limits_by_color(settings: &Match, task: &ScheduledGame) -> [String; 2] {
    by_color(settings, task)
        .map(|engine| settings.engines[engine].limits.or(settings.game.limits).to_string())
}

fn play_task(
    settings: &Match,
    task: &ScheduledGame,
    players: &mut [Player],
    finish: &AtomicBool,
) -> Result<PlayedGame, GameAbort> {
    let engines = by_color(settings, task);
    let Ok(two) = players.get_disjoint_mut(engines) else { return Err(GameAbort::Stopped) };
    play(task.number, two, &settings.openings[task.opening], &settings.game, finish)
}
