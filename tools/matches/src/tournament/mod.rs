//! Matches between engines: engine processes, games by this program's rules, totals, files and resumption.
//!
//! [`run`] plays the games of a [`Schedule`] on several threads. Each thread has its own engine processes and plays one
//! game at a time ([`mod@play`]). The calling thread receives the games, writes them ([`store`]), counts them
//! ([`report`]) and decides when the match ends.

pub mod display;
pub mod engine_error;
pub mod fastchess;
pub mod fingerprint;
pub mod info;
mod option;
pub mod play;
pub(crate) mod position_engine;
pub mod process;
pub mod report;
mod runner;
pub mod schedule;
pub mod spec;
pub mod store;

use std::path::PathBuf;

use sakmak_movegen::Game;

use play::{GameSettings, PlayedGame};
use schedule::{Schedule, ScheduledGame};
use spec::{EngineSpec, Shard};
use store::FinishedGame;

use crate::statistics::Sprt;

pub use option::SpinOption;
pub use runner::run;

/// All settings of a match.
pub struct Match {
    /// The engines.
    pub engines: Vec<EngineSpec>,
    /// Their names, all different.
    pub names: Vec<String>,
    /// Rules, limits, adjudication.
    pub game: GameSettings,
    /// Pairings, openings and colours.
    pub schedule: Schedule,
    /// The openings, indexed by [`Schedule`].
    pub openings: Vec<Game>,
    /// Games played in parallel.
    pub concurrency: usize,
    /// The test that may stop the match early.
    pub sprt: Option<Sprt>,
    /// File that the games are appended to.
    pub pgn: Option<PathBuf>,
    /// Form of its games.
    pub pgn_form: PgnForm,
    /// Whether to resume the match in the files.
    pub resume: bool,
    /// File of the report.
    pub json: Option<PathBuf>,
    /// The part of the match to play.
    pub shard: Shard,
    /// Name of the event in the PGN file.
    pub event: String,
    /// Date of the games as `2026.11.20`.
    pub date: String,
    /// The hash of the settings, the same for all parts.
    pub fingerprint: String,
    /// The settings in words, for the report.
    pub settings: Vec<(String, String)>,
}

/// Tags and comments of the games in a PGN file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PgnForm {
    /// What resuming the match needs ([`store`]).
    #[default]
    Own,
    /// What OpenBench reads ([`fastchess`]); such a file cannot be resumed.
    Fastchess,
}

impl Match {
    /// The fingerprint, with the part of the match if there are several: the tag `Match` of its games.
    fn part_fingerprint(&self) -> String {
        match self.shard {
            Shard { of: 1, .. } => self.fingerprint.clone(),
            Shard { index, of } => format!("{} {index}/{of}", self.fingerprint),
        }
    }
}

/// How a match ended.
#[derive(Debug)]
pub enum MatchEnd {
    /// All games are played.
    Complete,
    /// The SPRT is decided.
    Decided,
    /// It was interrupted, and can be resumed.
    Stopped,
    /// It could not go on, or its report could not be written; games finished before count.
    Failed(anyhow::Error),
}

/// An event of a running match.
pub enum MatchEvent<'a> {
    /// This number of games was in the files already.
    Resumed(u64),
    /// What the engine of this name said about the options of its description, before the first game.
    Notice(&'a str, &'a str),
    /// A game is finished; the names are White's and Black's.
    FinishedGame(&'a ScheduledGame, [&'a str; 2], &'a FinishedGame, &'a PlayedGame),
    /// An error of an engine, before its game is reported.
    EngineError(&'a engine_error::EngineErrorReport),
    /// The game or, at the end, the report with this text could not be written. Such a game does not count, and is
    /// played again if the match is resumed.
    Unwritten(&'a anyhow::Error, &'a str),
    /// The report could not be updated; the next update tries again.
    ReportDelayed(&'a anyhow::Error),
}
