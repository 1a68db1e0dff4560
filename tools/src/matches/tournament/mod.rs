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
mod runner;
pub mod schedule;
pub mod spec;
pub mod store;

use std::path::PathBuf;

use sakmak_movegen::Game;

use play::GameSettings;
use schedule::{Schedule, ScheduledGame};
use spec::{EngineSpec, Shard};
use store::{FinishedGame, PgnLabels};

use crate::matches::statistics::Sprt;

pub use runner::run;

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
    Failed(anyhow::Error),
}

/// What happens while a match runs.
pub enum MatchEvent<'a> {
    /// Games that were there already.
    Resumed(u64),
    /// A game is over.
    FinishedGame(&'a ScheduledGame, [&'a str; 2], &'a FinishedGame),
    /// An error of an engine, before its game is reported.
    EngineError(&'a engine_error::EngineErrorReport),
    /// The text of a game or, at the end, of the report that could not be written. Such a game does not count, and is
    /// played again if the match is resumed.
    Unwritten(&'a anyhow::Error, &'a str),
    /// The report could not be updated; that is tried again.
    ReportDelayed(&'a anyhow::Error),
}
