//! The loop of a core: ask, search, deliver.

use std::cell::Cell;
use std::num::NonZeroUsize;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use sakmak_engine::tt::HashAllocationError;
use sakmak_eval::DtmTables;
use sakmak_movegen::Variant;

use crate::client::{Client, Failure};
use crate::events::{Event, Tally};
use crate::gate::{Gate, Stop, Undelivered};
use crate::protocol::{AbortReport, Identity, Job, Report, Row};
use crate::search::{Outcome, Player, Watch};
use crate::{Endpoint, Key};

/// No progress is reported for this time after a report that failed.
const QUIET: Duration = Duration::from_secs(60);

/// What to work for, and with what.
#[derive(Clone, Debug)]
pub struct Settings {
    /// The server.
    pub endpoint: Endpoint,
    /// The worker's key.
    pub key: Key,
    /// Jobs at a time.
    pub cores: NonZeroUsize,
    /// Threads of each search.
    pub threads: NonZeroUsize,
    /// Transposition table of each search, in MiB.
    pub hash_mb: usize,
    /// Variants to play.
    pub variants: Vec<Variant>,
    /// Seed of limited levels. With one, the same job gives the same move.
    pub seed: Option<u64>,
    /// Longest wait between two requests while there is no job.
    pub poll: Duration,
    /// Longest wait after an error.
    pub retry: Duration,
    /// Time between two reports of a running analysis.
    pub progress: Duration,
}

impl Settings {
    /// One job at a time, of all variants.
    pub fn new(endpoint: Endpoint, key: Key) -> Self {
        Self {
            endpoint,
            key,
            cores: NonZeroUsize::MIN,
            threads: NonZeroUsize::MIN,
            hash_mb: 64,
            variants: Variant::ALL.to_vec(),
            seed: None,
            poll: Duration::from_secs(3),
            retry: Duration::from_secs(30),
            progress: Duration::from_secs(5),
        }
    }
}

/// Why the workers ended by themselves.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum FishnetError {
    /// The server does not want this worker.
    #[error(transparent)]
    Unwanted(#[from] Failure),
    /// There is no memory for an engine.
    #[error(transparent)]
    NoMemory(#[from] HashAllocationError),
    /// The system starts no thread.
    #[error("cannot start a thread: {0}")]
    NoThread(#[from] std::io::Error),
}

/// Workers for one server.
pub struct Workers {
    settings: Settings,
    client: Client,
    gate: Gate,
    tally: Mutex<Tally>,
    failed: Mutex<Option<FishnetError>>,
}

type Reporter<'a> = &'a (dyn Fn(Event) + Sync);

impl Workers {
    /// Workers that do nothing until [`Workers::run`].
    pub fn new(settings: Settings) -> Self {
        let variants = settings.variants.iter().map(|variant| variant.name().to_owned()).collect();
        let identity = Identity::new(&settings.key, variants, settings.threads.get(), settings.hash_mb);
        let client = Client::new(settings.endpoint.clone(), settings.key.clone(), identity);
        let gate = Gate::new(settings.poll, settings.retry);
        Self { settings, client, gate, tally: Mutex::default(), failed: Mutex::new(None) }
    }

    /// Stops the workers, from any thread. A later call can only hurry.
    pub fn stop(&self, stop: Stop) {
        self.gate.stop(stop);
    }

    /// What was done so far.
    pub fn tally(&self) -> Tally {
        *self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn count(&self, change: impl FnOnce(&mut Tally)) {
        change(&mut self.tally.lock().unwrap_or_else(PoisonError::into_inner));
    }

    /// Works until [`Workers::stop`], and then until no job is in hand. `report` is called from all threads.
    ///
    /// # Errors
    /// If the server does not know the key or wants a later version of the protocol, and if there is no memory for the
    /// engines. Jobs in hand are finished or aborted before.
    pub fn run(&self, report: Reporter) -> Result<Tally, FishnetError> {
        if self.is_welcome(report)? {
            let cores = self.settings.cores.get();
            report(Event::Started { cores });
            let tables = DtmTables::default();
            thread::scope(|scope| {
                for core in 0..cores {
                    let tables = &tables;
                    let work = move || self.core(tables, report);
                    let started =
                        thread::Builder::new().name(format!("core {core}")).spawn_scoped(scope, work);
                    if let Err(error) = started {
                        self.fail(error.into());
                        break;
                    }
                }
            });
        }
        match self.failed.lock().unwrap_or_else(PoisonError::into_inner).take() {
            Some(error) => Err(error),
            None => Ok(self.tally()),
        }
    }

    /// Whether the server knows the key; asks until it answers. `false` if the workers are stopped before that.
    fn is_welcome(&self, report: Reporter) -> Result<bool, Failure> {
        while let Some(turn) = self.gate.turn() {
            let checked = self.client.check_key();
            drop(turn);
            match checked {
                Ok(()) => {
                    self.gate.answered();
                    return Ok(true);
                }
                Err(failure) if failure.is_transient() => self.wait_after(&failure, report),
                Err(failure) => return Err(failure),
            }
        }
        Ok(false)
    }

    /// Ends the work because of an error; the first one counts.
    fn fail(&self, error: FishnetError) {
        self.failed.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
        self.gate.stop(Stop::Finish);
    }

    fn wait_after(&self, failure: &Failure, report: Reporter) {
        if let Some(wait) = self.gate.failed(failure) {
            report(Event::Waiting { failure, wait });
        }
    }

    fn player(&self, tables: &DtmTables) -> Result<Player, HashAllocationError> {
        let Settings { threads, hash_mb, variants, seed, .. } = &self.settings;
        Player::new(threads.get(), *hash_mb, variants.clone(), *seed, tables)
    }

    /// Does jobs until the workers are stopped.
    fn core(&self, tables: &DtmTables, report: Reporter) {
        let mut player = None;
        let mut next: Option<Job> = None;
        loop {
            let ready = player.take().map_or_else(|| self.player(tables), Ok);
            let mut ready = match ready {
                Ok(ready) => ready,
                Err(error) => {
                    if let Some(job) = &next {
                        self.give_back(&job.work.id, AbortReport::SHUTDOWN, error.to_string(), report);
                    }
                    return self.fail(error.into());
                }
            };
            let Some(job) = next.take().or_else(|| self.ask(report)) else { return };
            // Until the end of this turn of the loop, when the job is delivered.
            let Some(_held) = self.gate.hold(&job.work.id) else {
                report(Event::InHand(&job));
                self.gate.found_none();
                player = Some(ready);
                continue;
            };
            report(Event::Taken(&job));
            let started = Instant::now();
            let outcome = if self.gate.stopping().is_some() {
                // It came with the answer to the last result.
                Ok(aborted(AbortReport::SHUTDOWN, "this worker stops"))
            } else {
                let due = Cell::new(started + self.settings.progress);
                let watch = Watcher { workers: self, job: &job, report, due };
                catch_unwind(AssertUnwindSafe(|| ready.work(&job, &watch)))
            };
            let outcome = match outcome {
                Ok(outcome) => {
                    player = Some(ready);
                    outcome
                }
                // What the panic left of the player is not used again.
                Err(_) => aborted(AbortReport::ENGINE_CRASH, "the engine panicked"),
            };
            next = self.deliver(&job, outcome, started.elapsed(), report);
        }
    }

    /// Asks for a job until there is one; `None` if the workers are stopped.
    fn ask(&self, report: Reporter) -> Option<Job> {
        loop {
            let _turn = self.gate.turn()?;
            let answer = self.client.send("acquire", Report::Nothing {});
            match answer {
                Ok(Some(job)) => {
                    self.gate.answered();
                    return Some(job);
                }
                Ok(None) => {
                    self.gate.answered();
                    self.gate.found_none();
                }
                Err(failure) if failure.is_final() => {
                    self.fail(failure.into());
                    return None;
                }
                Err(Failure::BrokenJob { id, reason }) => {
                    self.gate.answered();
                    self.broken(id, reason, report);
                    self.gate.found_none();
                }
                Err(failure) => self.wait_after(&failure, report),
            }
        }
    }

    /// Sends the result of a job. Returns the next job, if the server's answer has one.
    fn deliver(&self, job: &Job, outcome: Outcome, time: Duration, report: Reporter) -> Option<Job> {
        let id = &job.work.id;
        match outcome {
            Outcome::Move(played) => {
                self.gate.found_job();
                let next = self.send(id, "move", Report::Move { played: &played }, report)?;
                self.count(|tally| tally.moves += 1);
                report(Event::Played { job, mv: &played.bestmove, time });
                next.job()
            }
            Outcome::Analysis(rows) => {
                self.gate.found_job();
                let next = self.send(id, "analysis", Report::Analysis { analysis: &rows }, report)?;
                let found = rows.iter().filter_map(|row| match row {
                    Some(Row::Found(found)) => Some(found.nodes),
                    _ => None,
                });
                let (positions, nodes) = found.fold((0, 0), |(rows, nodes), more| (rows + 1, nodes + more));
                self.count(|tally| {
                    tally.analyses += 1;
                    tally.positions += positions;
                    tally.nodes += nodes;
                });
                report(Event::Analysed { job, positions, time });
                next.job()
            }
            Outcome::Abort(error) => {
                let is_others = error.reason == AbortReport::UNSUPPORTED_VARIANT;
                // Before the answer, so that no other core takes the job that is given back.
                let wait = if is_others { self.gate.refused_job() } else { None };
                let next = self.give_back(id, error.reason, error.message, report);
                if let Some(wait) = wait {
                    report(Event::LeftToOthers { wait });
                }
                next
            }
            Outcome::Replaced(other) => {
                report(Event::Replaced(job));
                Some(*other)
            }
        }
    }

    /// Gives a job back to the server. Returns the job in the answer, which no known server sends.
    fn give_back(&self, id: &str, reason: &'static str, message: String, report: Reporter) -> Option<Job> {
        let error = AbortReport { reason, message };
        let next = self.send(id, "abort", Report::Abort { error: &error }, report)?;
        self.count(|tally| tally.aborted += 1);
        report(Event::Aborted { id, report: &error });
        next.job()
    }

    /// Gives back a job that cannot be read, if its name is known.
    fn broken(&self, id: Option<String>, reason: String, report: Reporter) {
        report(Event::Failed(&Failure::BrokenJob { id: id.clone(), reason: reason.clone() }));
        if let Some(id) = id {
            let error = AbortReport { reason: AbortReport::INVALID_JOB, message: reason };
            if self.send(&id, "abort", Report::Abort { error: &error }, report).is_some() {
                self.count(|tally| tally.aborted += 1);
                report(Event::Aborted { id: &id, report: &error });
            }
        }
    }

    /// Sends a report until the server has answered; `None` if it refuses the report, or if there is no more time.
    ///
    /// A report whose answer was lost is sent again: servers ignore reports about jobs that are done.
    fn send(&self, id: &str, verb: &str, content: Report, report: Reporter) -> Option<Answer<'_>> {
        let mut waiting = None;
        loop {
            // Lichess gives no further job then.
            let stop = if self.gate.stopping().is_some() && verb != "abort" { "?stop=true" } else { "" };
            let failure = match self.client.send(&format!("{verb}/{id}{stop}"), content) {
                Ok(job) => {
                    self.gate.answered();
                    return Some(Answer { job, _waiting: waiting });
                }
                Err(Failure::BrokenJob { id: broken, reason }) => {
                    self.gate.answered();
                    // A broken job in the answer about a broken job is left to the server.
                    if verb != "abort" {
                        self.broken(broken, reason, report);
                    }
                    return Some(Answer { job: None, _waiting: waiting });
                }
                Err(failure) => failure,
            };
            if !failure.is_transient() {
                self.count(|tally| tally.lost += 1);
                // If it is about the key, the next request for a job ends the work.
                report(Event::Refused { id, failure: &failure });
                return None;
            }
            waiting.get_or_insert_with(|| self.gate.undelivered());
            self.wait_after(&failure, report);
            if !self.gate.may_resend() {
                self.count(|tally| tally.lost += 1);
                report(Event::Undelivered { id });
                return None;
            }
        }
    }
}

/// An answer to a report.
struct Answer<'a> {
    job: Option<Job>,
    /// Others may ask for jobs when this is dropped.
    _waiting: Option<Undelivered<'a>>,
}

impl Answer<'_> {
    fn job(self) -> Option<Job> {
        self.job
    }
}

fn aborted(reason: &'static str, message: &str) -> Outcome {
    Outcome::Abort(AbortReport { reason, message: message.to_owned() })
}

/// Watches a running job.
struct Watcher<'a> {
    workers: &'a Workers,
    job: &'a Job,
    report: Reporter<'a>,
    /// When the next report of progress is due.
    due: Cell<Instant>,
}

impl Watch for Watcher<'_> {
    fn is_aborted(&self) -> bool {
        self.workers.gate.is_aborted()
    }

    fn progress(&self, rows: &[Option<Row>]) -> Option<Box<Job>> {
        if Instant::now() < self.due.get() {
            return None;
        }
        let id = &self.job.work.id;
        let Workers { client, gate, settings, .. } = self.workers;
        let mut wait = settings.progress;
        match client.send(&format!("analysis/{id}"), Report::Analysis { analysis: rows }) {
            // The server answers with another job if it does not know this one any more.
            Ok(other) => return other.filter(|other| other.work.id != *id).map(Box::new),
            Err(Failure::BrokenJob { id, reason }) => self.workers.broken(id, reason, self.report),
            Err(failure) => {
                wait = wait.max(QUIET);
                if let Failure::TooMany { .. } = failure {
                    gate.failed(&failure);
                }
                (self.report)(Event::Failed(&failure));
            }
        }
        self.due.set(Instant::now() + wait);
        None
    }
}
