//! What happens, for those who watch.

use std::fmt;
use std::time::Duration;

use crate::client::Failure;
use crate::protocol::{AbortReport, Job, Work};

/// Something that happened.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub enum Event<'a> {
    /// The server knows the key; the cores begin.
    Started {
        /// Jobs at a time.
        cores: usize,
    },
    /// A job arrived.
    Taken(&'a Job),
    /// A move was delivered.
    Played {
        /// The job.
        job: &'a Job,
        /// The move.
        mv: &'a str,
        /// Time since the job arrived.
        time: Duration,
    },
    /// An analysis was delivered.
    Analysed {
        /// The job.
        job: &'a Job,
        /// Positions searched.
        positions: u64,
        /// Time since the job arrived.
        time: Duration,
    },
    /// A job was given back.
    Aborted {
        /// The job's name.
        id: &'a str,
        /// Why.
        report: &'a AbortReport,
    },
    /// The server handed out a job that is in hand. It is done once.
    InHand(&'a Job),
    /// The server wants another job done instead of this one.
    Replaced(&'a Job),
    /// A request failed; all wait.
    Waiting {
        /// Why.
        failure: &'a Failure,
        /// How long.
        wait: Duration,
    },
    /// Jobs of variants that are not played here come; all wait, so that other workers get them.
    LeftToOthers {
        /// How long.
        wait: Duration,
    },
    /// The server refused a result. It stays undone.
    Refused {
        /// The job's name.
        id: &'a str,
        /// Why.
        failure: &'a Failure,
    },
    /// A request failed that need not be repeated, such as one for a job.
    Failed(&'a Failure),
    /// The workers had to stop before a result reached the server. The server will hand the job out again.
    Undelivered {
        /// The job's name.
        id: &'a str,
    },
}

impl Event<'_> {
    /// Whether it happens all the time.
    pub fn is_routine(&self) -> bool {
        matches!(self, Self::Taken(_) | Self::Played { .. } | Self::Analysed { .. })
    }
}

impl fmt::Display for Event<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Started { cores: 1 } => write!(f, "the server knows the key; one job at a time"),
            Self::Started { cores } => write!(f, "the server knows the key; {cores} jobs at a time"),
            Self::Taken(job) => write!(f, "{} arrived", Named(job)),
            Self::Played { job, mv, time } => {
                write!(f, "{}: played {mv} after {:.2} s", Named(job), time.as_secs_f64())
            }
            Self::Analysed { job, positions, time } => {
                let seconds = time.as_secs_f64();
                write!(f, "{}: {positions} positions analysed in {seconds:.1} s", Named(job))
            }
            Self::Aborted { id, report } => write!(f, "job {id} aborted: {}", report.message),
            Self::InHand(job) => write!(f, "{} arrived again, it is in hand", Named(job)),
            Self::Replaced(job) => write!(f, "{} is no longer wanted", Named(job)),
            Self::Waiting { failure, wait } => {
                write!(f, "{failure}; trying again in {:.1} s", wait.as_secs_f64())
            }
            Self::LeftToOthers { wait } => {
                write!(f, "other workers must do that; asking again in {:.1} s", wait.as_secs_f64())
            }
            Self::Refused { id, failure } => write!(f, "job {id}: the result was not taken: {failure}"),
            Self::Failed(failure) => write!(f, "{failure}"),
            Self::Undelivered { id } => {
                write!(f, "job {id}: stopped before the server knew; it will hand the job out again")
            }
        }
    }
}

/// A job as people know it.
struct Named<'a>(&'a Job);

impl fmt::Display for Named<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Job { work: Work { kind, id, level, .. }, game_id, variant, .. } = self.0;
        write!(f, "job {id} ({kind}")?;
        if let Some(level) = level {
            write!(f, " of level {level}")?;
        }
        write!(f, ", {variant}")?;
        if !game_id.is_empty() {
            write!(f, ", game {game_id}")?;
        }
        write!(f, ")")
    }
}

/// What was done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Moves delivered.
    pub moves: u64,
    /// Analyses delivered.
    pub analyses: u64,
    /// Positions in them.
    pub positions: u64,
    /// Nodes of the analyses.
    pub nodes: u64,
    /// Jobs given back.
    pub aborted: u64,
    /// Results that the server refused, or that could not be delivered.
    pub lost: u64,
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { moves, analyses, positions, nodes, aborted, lost } = self;
        write!(
            f,
            "{moves} moves, {analyses} analyses with {positions} positions and {} Mn",
            nodes / 1_000_000
        )?;
        write!(f, ", {aborted} jobs aborted")?;
        if *lost > 0 {
            write!(f, ", {lost} results lost")?;
        }
        Ok(())
    }
}
