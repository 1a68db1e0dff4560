//! The tables of the queue, and what is done with whole jobs.

use postgres::types::ToSql;
use postgres::{Client, GenericClient, Row};

use crate::link::{QueueError, Server};
use crate::split::Piece;

/// The first number of the advisory locks of this queue; the second is the worker.
pub(crate) const LOCKS: i32 = 0x5A4B_4D4B;
/// Attempts after which a piece is set aside.
pub(crate) const ATTEMPTS: i32 = 3;

/// The tables. A claim finds its piece by the index without a look at the finished ones.
const TABLES: &str = "
    CREATE SEQUENCE IF NOT EXISTS sakmak_workers AS int CYCLE;
    CREATE TABLE IF NOT EXISTS sakmak_jobs (
        id serial PRIMARY KEY, name text UNIQUE NOT NULL, program text NOT NULL, words text[] NOT NULL);
    CREATE TABLE IF NOT EXISTS sakmak_pieces (
        job int NOT NULL REFERENCES sakmak_jobs ON DELETE CASCADE, number int NOT NULL,
        file text NOT NULL, has_games bool NOT NULL, lines bigint NOT NULL, games bigint NOT NULL,
        before bigint NOT NULL, items bigint NOT NULL, input bytea NOT NULL,
        state text NOT NULL DEFAULT 'left' CHECK (state IN ('left', 'working', 'done', 'failed')),
        attempts int NOT NULL DEFAULT 0, worker int, host text, started timestamptz, finished timestamptz,
        reason text, faults bigint, output bytea, json bytea,
        PRIMARY KEY (job, number));
    CREATE INDEX IF NOT EXISTS sakmak_open_pieces ON sakmak_pieces (job, attempts, number)
        WHERE state IN ('left', 'working');";

/// The workers whose sessions go on, as the head of a statement; `$1` is [`LOCKS`].
pub(crate) const ALIVE: &str = "alive AS MATERIALIZED (
        SELECT objid::bigint AS worker FROM pg_locks
        WHERE locktype = 'advisory' AND classid::bigint = $1::int AND objsubid = 2 AND granted
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database()))";

/// A job: a command on files.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Job {
    pub(crate) id: i32,
    /// Its name.
    pub name: String,
    /// The version of the program that its results depend on.
    pub program: String,
    /// The words of the command.
    pub words: Vec<String>,
}

/// Stores a job with the pieces that `fill` passes on, all or nothing, and returns their number.
///
/// # Errors
/// If there is a job of this name, the server fails, and those of `fill`.
pub fn create<E: From<QueueError>>(
    server: &Server,
    name: &str,
    program: &str,
    words: &[String],
    fill: impl FnOnce(&mut dyn FnMut(Piece) -> Result<(), QueueError>) -> Result<(), E>,
) -> Result<u64, E> {
    let mut client = server.connect().map_err(QueueError::from)?;
    let mut transaction = client.transaction().map_err(QueueError::from)?;
    // One at a time, as two that create the same table would fail.
    let lock: [&(dyn ToSql + Sync); 1] = [&LOCKS];
    transaction.execute("SELECT pg_advisory_xact_lock($1, 0)", &lock).map_err(QueueError::from)?;
    transaction.batch_execute(TABLES).map_err(QueueError::from)?;
    let made = transaction.query_opt(
        "INSERT INTO sakmak_jobs (name, program, words) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING id",
        &[&name, &program, &words],
    );
    let made = made.map_err(QueueError::from)?.ok_or_else(|| QueueError::Exists(name.to_owned()))?;
    let job: i32 = made.get(0);
    let statement = transaction.prepare(
        "INSERT INTO sakmak_pieces (job, number, file, has_games, lines, games, before, items, input)
         VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    );
    let statement = statement.map_err(QueueError::from)?;
    let mut number = 0_i32;
    fill(&mut |piece| {
        let Piece { file, has_games, origin, before, items, text } = piece;
        let [lines, games, before, items] =
            [origin.lines, origin.games, before, items].map(|count| i64::try_from(count).unwrap_or(i64::MAX));
        transaction.execute(
            &statement,
            &[&job, &number, &file, &has_games, &lines, &games, &before, &items, &text],
        )?;
        number += 1;
        Ok(())
    })?;
    transaction.commit().map_err(QueueError::from)?;
    Ok(u64::from(number.unsigned_abs()))
}

/// The job of a name. With `program`, only if it was made by that version.
///
/// # Errors
/// If there is none, another version made it, or the server fails.
pub fn job(server: &Server, name: &str, program: Option<&str>) -> Result<Job, QueueError> {
    find(&mut server.connect()?, name, program)
}

pub(crate) fn find(client: &mut Client, name: &str, program: Option<&str>) -> Result<Job, QueueError> {
    let known: bool = client.query_one("SELECT to_regclass('sakmak_pieces') IS NOT NULL", &[])?.get(0);
    let no_job = || QueueError::NoJob(name.to_owned());
    if !known {
        return Err(no_job());
    }
    let found = client.query_opt("SELECT id, program, words FROM sakmak_jobs WHERE name = $1", &[&name])?;
    let found = found.ok_or_else(no_job)?;
    let job = Job { id: found.get(0), name: name.to_owned(), program: found.get(1), words: found.get(2) };
    match program {
        Some(program) if program != job.program => {
            Err(QueueError::Program { wanted: job.program, found: program.to_owned() })
        }
        _ => Ok(job),
    }
}

/// A piece that was set aside.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failed {
    /// Its number, from 1.
    pub number: u64,
    /// Its file.
    pub file: String,
    /// The line at which it begins, from 1.
    pub line: u64,
    /// Why.
    pub reason: String,
}

/// How far a job is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Status {
    /// Pieces with a result.
    pub done: u64,
    /// Pieces that live workers have in hand.
    pub working: u64,
    /// Pieces that wait, those of killed workers included.
    pub left: u64,
    /// Pieces set aside.
    pub failed: Vec<Failed>,
    /// Games or lines in all pieces, and in those done.
    pub items: [u64; 2],
    /// Games or positions that are wrong, in the pieces done.
    pub faults: u64,
    /// Live workers that have pieces in hand.
    pub workers: u64,
    /// Games or lines a second, over the last ten minutes of work; `None` before the first result.
    pub rate: Option<f64>,
}

impl Status {
    /// All pieces.
    pub fn pieces(&self) -> u64 {
        self.done + self.working + self.left + self.failed.len() as u64
    }

    /// The time left at the present rate in seconds, without the pieces that were set aside; `None` without a rate.
    pub fn seconds_left(&self) -> Option<f64> {
        let [all, done] = self.items;
        self.rate.filter(|rate| *rate > 0.0).map(|rate| (all - done) as f64 / rate)
    }
}

fn count(row: &Row, column: usize) -> u64 {
    row.get::<_, i64>(column).unsigned_abs()
}

/// How far a job is.
///
/// # Errors
/// If there is no such job, or the server fails.
pub fn status(server: &Server, name: &str) -> Result<Status, QueueError> {
    let mut client = server.connect()?;
    let job = find(&mut client, name, None)?;
    let counted = client.query_one(
        &format!(
            "WITH {ALIVE}, pieces AS (
                SELECT state, items, faults, started, finished, p.worker,
                    state = 'working' AND p.worker IN (SELECT worker FROM alive) AS in_hand
                FROM sakmak_pieces p WHERE job = $2),
            span AS (SELECT CASE WHEN count(*) FILTER (WHERE state IN ('left', 'working')) = 0
                THEN max(finished) ELSE now() END AS ends FROM pieces),
            recent AS (SELECT sum(items) AS items, extract(epoch FROM min(ends) -
                greatest(min(started), min(ends) - interval '10 min'))::float8 AS seconds
                FROM pieces, span WHERE state = 'done' AND finished > ends - interval '10 min')
            SELECT count(*) FILTER (WHERE state = 'done'), count(*) FILTER (WHERE in_hand),
                count(*) FILTER (WHERE state = 'left' OR state = 'working' AND NOT in_hand),
                coalesce(sum(items), 0)::bigint, coalesce(sum(items) FILTER (WHERE state = 'done'), 0)::bigint,
                coalesce(sum(faults), 0)::bigint, count(DISTINCT worker) FILTER (WHERE in_hand),
                (SELECT items / greatest(seconds, 0.001) FROM recent)::float8 FROM pieces"
        ),
        &[&LOCKS, &job.id],
    )?;
    let failed = client.query(
        "SELECT number, file, lines, coalesce(reason, '') FROM sakmak_pieces
         WHERE job = $1 AND state = 'failed' ORDER BY number",
        &[&job.id],
    )?;
    let failed = failed.iter().map(|row| Failed {
        number: u64::from(row.get::<_, i32>(0).unsigned_abs()) + 1,
        file: row.get(1),
        line: count(row, 2) + 1,
        reason: row.get(3),
    });
    Ok(Status {
        done: count(&counted, 0),
        working: count(&counted, 1),
        left: count(&counted, 2),
        failed: failed.collect(),
        items: [count(&counted, 3), count(&counted, 4)],
        faults: count(&counted, 5),
        workers: count(&counted, 6),
        rate: counted.get(7),
    })
}

/// Passes the results of a job, the output and the lines of JSON of each piece, in the order of the input to `take`.
///
/// # Errors
/// If there is no such job, the server fails, and those of `take`.
pub fn results<E: From<QueueError>>(
    server: &Server,
    name: &str,
    mut take: impl FnMut(&[u8], &[u8]) -> Result<(), E>,
) -> Result<(), E> {
    /// Pieces read at once.
    const BATCH: i32 = 64;
    let mut client = server.connect().map_err(QueueError::from)?;
    let job = find(&mut client, name, None)?;
    // All reads see the same state.
    let mut reading = client
        .build_transaction()
        .isolation_level(postgres::IsolationLevel::RepeatableRead)
        .read_only(true)
        .start();
    let transaction = reading.as_mut().map_err(|error| QueueError::Server(error.to_string()))?;
    let pieces = transaction
        .query_one("SELECT coalesce(max(number) + 1, 0) FROM sakmak_pieces WHERE job = $1", &[&job.id])
        .map_err(QueueError::from)?
        .get(0);
    let mut from = 0;
    while from < pieces {
        let batch = transaction.query(
            "SELECT output, json FROM sakmak_pieces
             WHERE job = $1 AND number >= $2 AND number < $2 + $3 AND state = 'done' ORDER BY number",
            &[&job.id, &from, &BATCH],
        );
        for row in batch.map_err(QueueError::from)? {
            take(row.get(0), row.get(1))?;
        }
        from += BATCH;
    }
    Ok(())
}

/// Puts the pieces that were set aside back into the queue, and returns their number.
///
/// # Errors
/// If there is no such job, or the server fails.
pub fn retry(server: &Server, name: &str) -> Result<u64, QueueError> {
    let mut client = server.connect()?;
    let job = find(&mut client, name, None)?;
    Ok(client.execute(
        "UPDATE sakmak_pieces SET state = 'left', attempts = 0, worker = NULL, reason = NULL
         WHERE job = $1 AND state = 'failed'",
        &[&job.id],
    )?)
}

/// Removes a job with its pieces and results.
///
/// # Errors
/// If there is no such job, or the server fails.
pub fn drop_job(server: &Server, name: &str) -> Result<(), QueueError> {
    let mut client = server.connect()?;
    let job = find(&mut client, name, None)?;
    client.execute("DELETE FROM sakmak_jobs WHERE id = $1", &[&job.id])?;
    Ok(())
}

/// Sets pieces aside that were tried [`ATTEMPTS`] times and are in no live worker's hand; returns whether pieces are
/// left to work on or to wait for, and how many are set aside.
pub(crate) fn sweep(client: &mut impl GenericClient, job: i32) -> Result<(bool, u64), postgres::Error> {
    client.execute(
        &format!(
            "WITH {ALIVE} UPDATE sakmak_pieces p SET state = 'failed', reason = coalesce(reason,
                'its worker ended ' || attempts || ' times without a result, last on ' || host)
             WHERE job = $2 AND state IN ('left', 'working') AND attempts >= $3
               AND (state = 'left' OR p.worker NOT IN (SELECT worker FROM alive))"
        ),
        &[&LOCKS, &job, &ATTEMPTS],
    )?;
    let row = client.query_one(
        "SELECT EXISTS (SELECT 1 FROM sakmak_pieces WHERE job = $1 AND state IN ('left', 'working')),
            (SELECT count(*) FROM sakmak_pieces WHERE job = $1 AND state = 'failed')",
        &[&job],
    )?;
    Ok((row.get(0), count(&row, 1)))
}
