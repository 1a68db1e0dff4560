//! Replays files of games: are the moves legal, do the results agree with the rules, what was played.

mod report;
mod statistics;

use std::convert::Infallible;
use std::time::Instant;

pub use report::ReplayReport;

use sakmak_files::games::{GameFiles, ReadMonitor};
use statistics::ReplayStatistics;

/// Replays all games and sums them up.
pub fn replay(files: &GameFiles, monitor: &mut dyn ReadMonitor) -> ReplayReport {
    let started = Instant::now();
    let mut statistics = ReplayStatistics::default();
    let Ok::<_, Infallible>(summary) = files.read(&mut statistics, monitor);
    statistics.report(files.options.ruleset, summary, started.elapsed())
}
