//! Workers: claim a piece, work on it, store its result.

use std::fmt;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use postgres::Client;
use sakmak_games::pgn::Origin;

use crate::link::{ConnectError, QueueError, Server, is_lost};
use crate::split::Piece;
use crate::store::{ALIVE, ATTEMPTS, Job, LOCKS, find, sweep};

/// A piece to work on.
#[derive(Clone, Debug)]
pub struct Task {
    /// Its number in the job, from 0.
    pub number: i32,
    /// How often it was claimed, this time included.
    pub attempt: i32,
    /// The piece.
    pub piece: Piece,
}

/// The result of a piece.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Outcome {
    /// What the command writes.
    pub output: Vec<u8>,
    /// What it writes to its second file; empty without one.
    pub json: Vec<u8>,
    /// Games or positions that are wrong.
    pub faults: u64,
}

/// Something that happened at work.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Event {
    /// A result of so many games or lines was stored.
    Done(u64),
    /// Another worker had stored a result of the same piece; this one was discarded.
    Discarded,
    /// The connection was lost, for this reason; it will be tried again after a wait.
    Lost(String, Duration),
    /// The connection is there again.
    Connected,
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done(items) => write!(f, "a piece of {items} is done"),
            Self::Discarded => f.write_str("another worker was first with a piece"),
            Self::Lost(why, wait) => {
                write!(f, "the connection is lost ({why}); next try in {:.1} s", wait.as_secs_f64())
            }
            Self::Connected => f.write_str("the connection is there again"),
        }
    }
}

/// How the work ends before its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The pieces in hand are finished, and no others are claimed.
    Finish = 1,
    /// The pieces in hand are given back.
    Abort = 2,
}

/// First and longest wait for a server that is away, and for pieces that others have in hand.
const RECONNECT: [Duration; 2] = [Duration::from_millis(100), Duration::from_secs(30)];
const POLL: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(320)];
/// How long a worker waits for a server that accepts its connection and says nothing. Each try leaves a thread behind,
/// so there must be few.
const RECONNECT_PATIENCE: Duration = Duration::from_secs(300);

/// The wait after `wait`.
fn longer(wait: Duration, [_, longest]: [Duration; 2]) -> Duration {
    (wait * 2).min(longest)
}

/// What a claim finds.
enum Claim {
    Task(Box<Task>),
    /// Others have the last pieces in hand.
    Wait,
    /// Every piece is done or set aside; the number of the latter.
    End(u64),
}

/// The connection of all threads, and what the server knows about them.
struct Link {
    client: Client,
    worker: i32,
    in_hand: Vec<i32>,
}

/// The workers of this process: one worker of the queue, with several threads.
pub struct Workers<'a> {
    server: Server,
    job: Job,
    host: String,
    link: Mutex<Link>,
    stop: AtomicU8,
    report: &'a (dyn Fn(Event) + Sync),
}

/// Registers a session as a worker: its number, whose lock it holds as long as it lasts.
fn register(client: &mut Client) -> Result<i32, postgres::Error> {
    let worker: i32 = client.query_one("SELECT nextval('sakmak_workers')::int", &[])?.get(0);
    client.execute("SELECT pg_advisory_lock($1, $2)", &[&LOCKS, &worker])?;
    Ok(worker)
}

impl<'a> Workers<'a> {
    /// Workers of a job. `program` is this program's version, `host` this machine's name for messages.
    ///
    /// # Errors
    /// If there is no such job, another version made it, or the server fails.
    pub fn new(
        server: Server,
        name: &str,
        program: &str,
        host: String,
        report: &'a (dyn Fn(Event) + Sync),
    ) -> Result<Self, QueueError> {
        let mut client = server.connect()?;
        let job = find(&mut client, name, Some(program))?;
        let worker = register(&mut client)?;
        let link = Mutex::new(Link { client, worker, in_hand: Vec::new() });
        Ok(Self { server, job, host, link, stop: AtomicU8::new(0), report })
    }

    /// The job.
    pub fn job(&self) -> &Job {
        &self.job
    }

    /// Works on `threads` pieces at a time until none is left, and returns the number of pieces that are set aside.
    /// `compute` works on a piece.
    ///
    /// # Errors
    /// If the server refuses something, or `compute` fails: the piece is then tried again by others, the pieces in hand
    /// are finished, and no more are claimed.
    pub fn run(
        &self,
        threads: usize,
        compute: &(dyn Fn(&Task) -> Result<Outcome, String> + Sync),
    ) -> Result<u64, QueueError> {
        thread::scope(|scope| {
            let threads: Vec<_> = (0..threads.max(1))
                .map(|_| {
                    scope.spawn(|| {
                        let done = self.work(compute);
                        if done.is_err() {
                            self.stop(Stop::Finish);
                        }
                        done
                    })
                })
                .collect();
            let panicked = |_| Err(QueueError::Work("a thread panicked".to_owned()));
            let ends: Vec<_> =
                threads.into_iter().map(|thread| thread.join().unwrap_or_else(panicked)).collect();
            ends.into_iter().try_fold(0, |most, end| Ok(most.max(end?)))
        })
    }

    /// Ends [`Self::run`] early.
    pub fn stop(&self, stop: Stop) {
        self.stop.fetch_max(stop as u8, SeqCst);
    }

    /// Gives the pieces in hand back, without counting the attempt, for the process that ends right after.
    ///
    /// # Errors
    /// If the server fails. It then takes them back itself, and the attempt counts.
    pub fn give_back(&self) -> Result<u64, QueueError> {
        self.stop(Stop::Abort);
        let mut link = self.link();
        let worker = link.worker;
        Ok(link.client.execute(
            "UPDATE sakmak_pieces SET state = 'left', worker = NULL, attempts = attempts - 1
             WHERE job = $1 AND worker = $2 AND state = 'working'",
            &[&self.job.id, &worker],
        )?)
    }

    fn link(&self) -> MutexGuard<'_, Link> {
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn has(&self, stop: Stop) -> bool {
        self.stop.load(SeqCst) >= stop as u8
    }

    /// The work of a thread.
    fn work(&self, compute: &(dyn Fn(&Task) -> Result<Outcome, String> + Sync)) -> Result<u64, QueueError> {
        let mut wait = POLL[0];
        while !self.has(Stop::Finish) {
            match self.claim()? {
                Claim::Task(task) => {
                    wait = POLL[0];
                    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| compute(&task)))
                        .unwrap_or_else(|_| Err("the program panicked".to_owned()));
                    match result {
                        Ok(outcome) => self.finish(&task, &outcome)?,
                        Err(reason) => {
                            self.release(&task, &reason)?;
                            return Err(QueueError::Work(reason));
                        }
                    }
                }
                Claim::Wait => {
                    thread::sleep(wait);
                    wait = longer(wait, POLL);
                }
                Claim::End(failed) => return Ok(failed),
            }
        }
        Ok(0)
    }

    /// Speaks with the server, again on a new connection if it is lost.
    fn call<T>(
        &self,
        speak: &mut dyn FnMut(&mut Link) -> Result<T, postgres::Error>,
    ) -> Result<T, QueueError> {
        let mut link = self.link();
        loop {
            if self.has(Stop::Abort) {
                return Err(QueueError::Stopped);
            }
            match speak(&mut link) {
                Ok(said) => return Ok(said),
                Err(error) if is_lost(&error) || link.client.is_closed() => {
                    self.reconnect(&mut link, QueueError::from(error))?;
                }
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// A new connection, and with it a new worker, which takes over the pieces in hand. Those that others have claimed
    /// meanwhile are worked on twice, and counted once.
    fn reconnect(&self, link: &mut Link, mut why: QueueError) -> Result<(), QueueError> {
        const SLICE: Duration = Duration::from_millis(50);
        let mut wait = RECONNECT[0];
        loop {
            (self.report)(Event::Lost(why.to_string(), wait));
            let mut slept = Duration::ZERO;
            while slept < wait {
                if self.has(Stop::Abort) {
                    return Err(QueueError::Stopped);
                }
                thread::sleep(SLICE);
                slept += SLICE;
            }
            match self.take_over(link) {
                Ok(()) => break,
                Err(error) if error.is_lost() => why = error.into(),
                Err(error) => return Err(error.into()),
            }
            wait = longer(wait, RECONNECT);
        }
        (self.report)(Event::Connected);
        Ok(())
    }

    fn take_over(&self, link: &mut Link) -> Result<(), ConnectError> {
        let mut client = self.server.connect_within(RECONNECT_PATIENCE)?;
        let worker = register(&mut client)?;
        client.execute(
            "UPDATE sakmak_pieces SET worker = $3 WHERE job = $1 AND worker = $2 AND state = 'working'
             AND number = ANY ($4)",
            &[&self.job.id, &link.worker, &worker, &link.in_hand],
        )?;
        (link.client, link.worker) = (client, worker);
        Ok(())
    }

    /// Claims the piece that was tried least often, and of these the first.
    fn claim(&self) -> Result<Claim, QueueError> {
        // A claim that a failing server forgets does no harm, so that it need not wait for the disk.
        let claim = format!(
            "WITH {ALIVE}, quickly AS MATERIALIZED (SELECT set_config('synchronous_commit', 'off', true)),
             next AS (
                SELECT number FROM sakmak_pieces p WHERE job = $2 AND state IN ('left', 'working') AND attempts < $5
                    AND (state = 'left' OR p.worker NOT IN (SELECT worker FROM alive))
                ORDER BY attempts, number LIMIT 1 FOR UPDATE OF p SKIP LOCKED)
             UPDATE sakmak_pieces p SET state = 'working', worker = $3, host = $4, started = now(),
                attempts = attempts + 1
             FROM next, quickly WHERE p.job = $2 AND p.number = next.number
             RETURNING p.number, attempts, file, has_games, lines, games, before, items, input"
        );
        self.call(&mut |link| {
            let found = link
                .client
                .query_opt(&claim, &[&LOCKS, &self.job.id, &link.worker, &self.host, &ATTEMPTS])?;
            let Some(row) = found else {
                let (are_left, failed) = sweep(&mut link.client, self.job.id)?;
                return Ok(if are_left { Claim::Wait } else { Claim::End(failed) });
            };
            let count = |column| row.get::<_, i64>(column).unsigned_abs();
            let number = row.get(0);
            link.in_hand.push(number);
            Ok(Claim::Task(Box::new(Task {
                number,
                attempt: row.get(1),
                piece: Piece {
                    file: row.get(2),
                    has_games: row.get(3),
                    origin: Origin { lines: count(4), games: count(5) },
                    before: count(6),
                    items: count(7),
                    text: row.get(8),
                },
            })))
        })
    }

    /// Stores a result, unless the piece has one.
    fn finish(&self, task: &Task, outcome: &Outcome) -> Result<(), QueueError> {
        let faults = i64::try_from(outcome.faults).unwrap_or(i64::MAX);
        let stored = self.call(&mut |link| {
            let stored = link.client.execute(
                "UPDATE sakmak_pieces SET state = 'done', finished = now(), reason = NULL, output = $3, json = $4,
                    faults = $5
                 WHERE job = $1 AND number = $2 AND state <> 'done'",
                &[&self.job.id, &task.number, &outcome.output, &outcome.json, &faults],
            )?;
            link.in_hand.retain(|number| *number != task.number);
            Ok(stored)
        })?;
        (self.report)(if stored == 1 { Event::Done(task.piece.items) } else { Event::Discarded });
        Ok(())
    }

    /// Gives a piece back that could not be worked on; the attempt counts.
    fn release(&self, task: &Task, reason: &str) -> Result<(), QueueError> {
        let reason = format!("{reason} (on {})", self.host);
        self.call(&mut |link| {
            link.client.execute(
                "UPDATE sakmak_pieces SET state = 'left', worker = NULL, reason = $4
                 WHERE job = $1 AND number = $2 AND worker = $3 AND state = 'working'",
                &[&self.job.id, &task.number, &link.worker, &reason],
            )?;
            link.in_hand.retain(|number| *number != task.number);
            Ok(())
        })
    }
}
