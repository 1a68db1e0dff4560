//! Runs a match: threads that play games, and one that writes and counts them.

use std::collections::{HashMap, HashSet};
use std::io::Write;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use anyhow::{Context, Error, Result, bail};
use sakmak_files::output::{AppendFile, OutputFile};
use sakmak_games::pgn::PgnGame;

use super::play::{GameAbort, PlayedGame, Player, play};
use super::report::{MatchCounter, MatchReport};
use super::schedule::ScheduledGame;
use super::store::{self, FinishedGame};
use super::{Match, MatchEnd, MatchEvent, PgnForm, fastchess};
use crate::statistics::SprtState;

/// Interval of updating the report on disk.
const REPORT_INTERVAL: Duration = Duration::from_secs(5);
/// Interval of checking whether the match has been stopped.
const STOP_CHECK: Duration = Duration::from_millis(100);

/// A message from a playing thread.
enum Message {
    Game(ScheduledGame, Box<PlayedGame>),
    Failed(Error),
}

/// Called for every event with the report so far.
type Notify<'n> = &'n mut dyn FnMut(&MatchEvent<'_>, &MatchReport);

/// Plays a match. `stop` interrupts it; `notify` is called after every event with the report so far.
///
/// Before the first game the files are opened and locked, the report is written, and every engine is started once.
///
/// # Errors
/// If it cannot begin. Later errors are [`MatchEnd::Failed`].
pub fn run(
    settings: &Match,
    stop: &AtomicBool,
    notify: &mut dyn FnMut(&MatchEvent<'_>, &MatchReport),
) -> Result<(MatchEnd, MatchReport)> {
    let (mut state, done) = MatchRun::open(settings, notify)?;
    let is_over = matches!(state.end, MatchEnd::Decided) || done.len() as u64 == settings.schedule.len();
    // Engines that fail to start are found before the first game, not when their turn comes.
    let mut first = players(settings);
    for player in first.iter_mut().filter(|_| !is_over) {
        if !stop.load(Relaxed)
            && let Err(GameAbort::Engine(failure)) = player.start(&settings.game)
        {
            return Err(failure.into());
        }
        for notice in player.notices() {
            (state.notify)(&MatchEvent::Notice(&player.name, notice), &state.report);
        }
    }
    let finish = AtomicBool::new(is_over);
    let left = Mutex::new(settings.schedule.games().filter(|game| !done.contains(&game.number)));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    let (sender, receiver) = channel();
    let mut first = Some(first);
    std::thread::scope(|scope| {
        if stop.load(Relaxed) {
            finish.store(true, Relaxed);
            state.end = MatchEnd::Stopped;
        }
        for _ in 0..settings.concurrency.max(1) {
            let (sender, finish, next) = (sender.clone(), &finish, &next);
            let mut players = first.take().unwrap_or_else(|| players(settings));
            scope.spawn(move || play_games(settings, &mut players, next, finish, &sender));
        }
        drop(sender);
        loop {
            if stop.load(Relaxed) {
                finish.store(true, Relaxed);
                state.end = MatchEnd::Stopped;
            }
            match receiver.recv_timeout(STOP_CHECK) {
                Ok(message) => {
                    if !state.receive(message) {
                        finish.store(true, Relaxed);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
        }
    });
    Ok(state.finish())
}

/// The engines of a match, not started.
fn players(settings: &Match) -> Vec<Player> {
    let pairs = settings.engines.iter().zip(&settings.names);
    pairs.map(|(spec, name)| Player::new(spec.clone(), name.clone())).collect()
}

/// Plays games until there are no more, or `finish` is set.
fn play_games(
    settings: &Match,
    players: &mut [Player],
    next: impl Fn() -> Option<ScheduledGame>,
    finish: &AtomicBool,
    sender: &Sender<Message>,
) {
    while !finish.load(Relaxed)
        && let Some(game) = next()
        && let Ok(two) = players.get_disjoint_mut(game.by_color(&settings.schedule.encounters))
    {
        let played = play(game.number, two, &settings.openings[game.opening], &settings.game, finish);
        let message = match played {
            Ok(played) => Message::Game(game, Box::new(played)),
            Err(GameAbort::Stopped) => return,
            Err(GameAbort::Engine(failure)) => Message::Failed(failure.into()),
        };
        let failed = matches!(message, Message::Failed(_));
        if sender.send(message).is_err() || failed {
            return;
        }
    }
}

/// The match in the thread that writes and counts.
struct MatchRun<'a, 'n> {
    settings: &'a Match,
    outputs: Outputs,
    counter: MatchCounter,
    report: MatchReport,
    end: MatchEnd,
    /// The first error, which ends the match.
    failure: Option<Error>,
    /// When the report on disk was last updated.
    updated: Instant,
    notify: Notify<'n>,
}

impl<'a, 'n> MatchRun<'a, 'n> {
    /// Opens the files; returns also the numbers of the games that they hold.
    fn open(settings: &'a Match, notify: Notify<'n>) -> Result<(Self, HashSet<u64>)> {
        let mut counter = MatchCounter::new(&settings.names, &settings.schedule.encounters);
        let (mut outputs, finished, old) = Outputs::open(settings)?;
        let mut done = HashSet::new();
        if !finished.is_empty() {
            let scheduled: HashMap<u64, ScheduledGame> =
                settings.schedule.games().map(|game| (game.number, game)).collect();
            for game in &finished {
                // All games of the file are of this match and part; the ones not scheduled have higher numbers.
                if !scheduled.contains_key(&game.number)
                    && let Some(path) = &settings.pgn
                {
                    let last = finished.iter().map(|game| game.number).max().unwrap_or(game.number);
                    let encounters = settings.schedule.encounters.len().max(1) as u64;
                    let games = 2 * (last.saturating_sub(1) / 2 / encounters + 1);
                    bail!(
                        "{}: it holds games of a match with --games {games}: that can be raised, not lowered",
                        path.display()
                    );
                }
                if let Some(scheduled) = scheduled.get(&game.number)
                    && done.insert(game.number)
                {
                    counter.add(scheduled, game);
                }
            }
        }
        // The PGN has the number of errors, the report their texts and dialogues.
        let faults = old.map(|report| report.faults).unwrap_or_default();
        let mut report = MatchReport {
            fingerprint: settings.fingerprint.clone(),
            shards: vec![settings.shard],
            games: Some(settings.schedule.games_of_encounter()),
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
        let end = if is_decided(&report) { MatchEnd::Decided } else { MatchEnd::Complete };
        let updated = Instant::now();
        Ok((Self { settings, outputs, counter, report, end, failure: None, updated, notify }, done))
    }

    /// Writes and counts a game, or stores an error; `false` if no more games are to be played.
    fn receive(&mut self, message: Message) -> bool {
        let (game, played) = match message {
            // The match was decided while this game was still running.
            Message::Game(..) if matches!(self.end, MatchEnd::Decided) => return false,
            Message::Game(game, played) => (game, played),
            Message::Failed(error) => {
                self.failure.get_or_insert(error);
                return false;
            }
        };
        let names = names_by_color(self.settings, &game);
        if self.outputs.games.is_some() {
            let record = match self.settings.pgn_form {
                PgnForm::Own => store::record(self.settings, &game, &played),
                PgnForm::Fastchess => fastchess::record(self.settings, &game, &played),
            };
            if let Err(error) = self.outputs.add(&record) {
                let text = store::record_text(&record).unwrap_or_default();
                (self.notify)(&MatchEvent::Unwritten(&error, &String::from_utf8_lossy(&text)), &self.report);
                self.failure.get_or_insert(error);
                return false;
            }
        }
        let finished = FinishedGame::new(game.number, &played);
        self.counter.add(&game, &finished);
        self.report.totals = self.counter.totals().clone();
        self.report.update();
        for error in &played.errors {
            self.report.faults.push(error.clone());
            (self.notify)(&MatchEvent::EngineError(error), &self.report);
        }
        (self.notify)(&MatchEvent::FinishedGame(&game, names, &finished, &played), &self.report);
        if self.updated.elapsed() >= REPORT_INTERVAL {
            self.updated = Instant::now();
            if let Err(error) = self.outputs.report(&self.report) {
                (self.notify)(&MatchEvent::ReportDelayed(&error), &self.report);
            }
        }
        let decided = matches!(self.end, MatchEnd::Complete) && is_decided(&self.report);
        if decided {
            self.end = MatchEnd::Decided;
        }
        !decided
    }

    /// Writes the final report.
    fn finish(mut self) -> (MatchEnd, MatchReport) {
        if let Err(error) = self.outputs.report(&self.report) {
            let text = self.report.to_json().unwrap_or_default();
            (self.notify)(&MatchEvent::Unwritten(&error, &text), &self.report);
            self.failure.get_or_insert(error);
        }
        (self.failure.map_or(self.end, MatchEnd::Failed), self.report)
    }
}

/// The files of a match.
struct Outputs {
    games: Option<AppendFile>,
    report: Option<OutputFile>,
}

impl Outputs {
    /// Opens the files; returns them with the games and the report to resume.
    fn open(settings: &Match) -> Result<(Self, Vec<FinishedGame>, Option<MatchReport>)> {
        let games = settings.pgn.as_ref().map(|path| {
            if settings.resume && path.exists() {
                store::resume_games(path, &settings.part_fingerprint())
            } else {
                Ok((store::create_games(path)?, Vec::new()))
            }
        });
        let (games, finished) = games.transpose()?.unzip();
        let finished = finished.unwrap_or_default();
        // A report without its games cannot be resumed.
        let resume = !finished.is_empty();
        let claim = |path| store::claim_report(path, &settings.fingerprint, settings.shard, resume);
        let (report, old) = settings.json.as_deref().map(claim).transpose()?.unzip();
        Ok((Self { games, report }, finished, old.flatten()))
    }

    /// Appends a game to the PGN file in one piece. On failure the file ends with the game before.
    fn add(&mut self, record: &PgnGame) -> Result<()> {
        let Some(file) = &mut self.games else { return Ok(()) };
        file.append(&store::record_text(record).context("the game cannot be written as PGN")?)?;
        Ok(file.sync()?)
    }

    /// Updates the report on disk; on failure the old one stays.
    fn report(&mut self, report: &MatchReport) -> Result<()> {
        let Some(file) = &self.report else { return Ok(()) };
        let text = report.to_json().context("cannot encode the report")?;
        let mut draft = file.draft()?;
        draft.write_all(text.as_bytes()).with_context(|| file.path().display().to_string())?;
        draft.commit()?;
        Ok(())
    }
}

fn is_decided(report: &MatchReport) -> bool {
    report.sprt_report.is_some_and(|sprt| sprt.state != SprtState::Continue)
}

fn names_by_color<'a>(settings: &'a Match, task: &ScheduledGame) -> [&'a str; 2] {
    task.by_color(&settings.schedule.encounters).map(|engine| settings.names[engine].as_str())
}
