//! The state of a match as text, during the match and at its end.

use std::fmt::Write;
use std::time::Duration;

use super::play::SideStats;
use super::report::{MatchReport, Totals};
use crate::statistics::{Multinomial, SprtState};

/// A duration as hours, minutes and seconds.
pub fn duration(time: Duration) -> String {
    let seconds = time.as_secs();
    let (hours, minutes) = (seconds / 3600, seconds / 60 % 60);
    if hours > 0 {
        format!("{hours} h {minutes:02} min")
    } else {
        format!("{minutes} min {:02} s", seconds % 60)
    }
}

/// Estimated time for the games left, from that of the games played in `elapsed`; none before the first game.
pub fn time_left(elapsed: Duration, played: u64, left: u64) -> Option<Duration> {
    let seconds = elapsed.as_secs_f64() * left as f64 / played as f64;
    Duration::try_from_secs_f64(seconds).ok().filter(|_| played > 0)
}

/// Warnings about conditions that make clocks unreliable: a match of `wanted` threads on `cores` cores, with the load
/// average `load` of the last minute.
pub fn crowding(cores: usize, wanted: usize, load: f64) -> Vec<String> {
    let mut warnings = Vec::new();
    let count = |number: usize| if number == 1 { "1 core".to_owned() } else { format!("{number} cores") };
    if wanted > cores {
        let there = count(cores);
        warnings
            .push(format!("{wanted} threads will think at once on {there}; results by time will be wrong"));
    }
    // Half a core is allowed for the system and this program.
    if load > cores.saturating_sub(wanted) as f64 + 0.5 {
        let needed = count(wanted.min(cores));
        warnings.push(format!(
            "the machine is busy: the match needs {needed} of {cores}, and the load average was {load:.1} before it \
             began; results by time may be wrong"
        ));
    }
    warnings
}

/// One line for each encounter: score, Elo, likelihood of superiority, draws, pairs.
pub fn standings(report: &MatchReport) -> String {
    let mut text = String::new();
    for (encounter, estimates) in report.totals.encounters.iter().zip(&report.estimates) {
        let games = &encounter.games;
        let [one, other] = &encounter.engines;
        let _ = write!(text, "{one} against {other}: {} - {} - {}", games.wins, games.draws, games.losses);
        if let Some(score) = games.score() {
            let _ = write!(text, " ({:.1}% of {})", 100.0 * score, games.games());
        }
        if let Some(elo) = estimates.elo {
            let _ = write!(text, ", Elo {elo}");
        }
        if let Some(los) = estimates.los {
            let _ = write!(text, ", LOS {:.1}%", 100.0 * los);
        }
        if let Some(draws) = estimates.draws {
            let _ = write!(text, ", draws {:.0}%", 100.0 * draws);
        }
        let _ = writeln!(text, ", pairs {:?}", encounter.pairs.counts);
    }
    if let (Some(sprt), Some(state)) = (report.sprt, report.sprt_report) {
        let verdict = match state.state {
            SprtState::Continue => "undecided",
            SprtState::AcceptH0 => "H0 accepted",
            SprtState::AcceptH1 => "H1 accepted",
        };
        let _ = writeln!(
            text,
            "SPRT elo0={} elo1={} ({}): LLR {:+.2} [{:+.2}, {:+.2}], {verdict}",
            sprt.elo0(),
            sprt.elo1(),
            sprt.model(),
            state.llr,
            state.lower,
            state.upper
        );
    }
    text
}

fn per_move(stats: SideStats) -> [String; 3] {
    let moves = stats.moves.max(1) as f64;
    let speed = stats.nodes as f64 / (stats.milliseconds.max(1) as f64 / 1000.0);
    [
        format!("{:.1}", stats.depth as f64 / moves),
        format!("{:.0}", speed / 1000.0),
        format!("{:.0}", stats.milliseconds as f64 / moves),
    ]
}

/// The result of a match: standings, engines, reasons, faults.
pub fn summary(report: &MatchReport) -> String {
    let mut text = standings(report);
    for (encounter, estimates) in report.totals.encounters.iter().zip(&report.estimates) {
        if let Some(elo) = estimates.normalized_elo {
            let [one, other] = &encounter.engines;
            let _ = writeln!(text, "Normalised Elo of {one} against {other}: {elo}");
        }
    }
    let Totals { engines, reasons, .. } = &report.totals;
    let width = engines.iter().map(|engine| engine.name.chars().count()).max().unwrap_or(0).max(6);
    let _ = writeln!(
        text,
        "\n{:<width$}  {:>6}  {:>6}  {:>8}  {:>8}  {:>9}  {:>6}",
        "engine", "games", "depth", "kn/s", "ms/move", "time lost", "faults"
    );
    for engine in engines {
        let [depth, speed, time] = per_move(engine.stats);
        let _ = writeln!(
            text,
            "{:<width$}  {:>6}  {depth:>6}  {speed:>8}  {time:>8}  {:>9}  {:>6}",
            engine.name, engine.games, engine.time_losses, engine.faults
        );
    }
    let _ = writeln!(text);
    let mut ends: Vec<_> = reasons.iter().collect();
    ends.sort_by_key(|&(reason, &number)| (std::cmp::Reverse(number), reason));
    for (reason, number) in ends {
        let _ = writeln!(text, "{number:>6}  {reason}");
    }
    let _ = writeln!(
        text,
        "\n{} faults",
        report.faults.len().max(engines.iter().map(|engine| engine.faults as usize).sum())
    );
    for fault in &report.faults {
        let _ = writeln!(text, "  game {}: {} ({}) {}", fault.game, fault.engine, fault.color, fault.fault);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_estimate_before_the_first_game() {
        let minute = Duration::from_secs(60);
        assert_eq!(time_left(minute, 0, 100), None);
        assert_eq!(time_left(Duration::ZERO, 0, 0), None);
        assert_eq!(time_left(minute, 4, 16), Some(4 * minute));
        assert_eq!(time_left(minute, 4, 0), Some(Duration::ZERO));
    }

    #[test]
    fn warnings_of_a_crowded_machine() {
        for (cores, wanted, load) in [(4, 3, 0.4), (8, 4, 4.5), (1, 1, 0.5)] {
            assert!(crowding(cores, wanted, load).is_empty(), "{cores} {wanted} {load}");
        }
        // The load average counts all waiting processes, and may be far above the number of cores.
        let busy = "the machine is busy: the match needs 1 core of 1, and the load average was 8.7 before it began; \
            results by time may be wrong";
        assert_eq!(crowding(1, 1, 8.7), [busy]);
        assert!(crowding(8, 4, 5.0)[0].contains("needs 4 cores of 8, and the load average was 5.0"));
        let few = "4 threads will think at once on 2 cores; results by time will be wrong";
        assert_eq!(crowding(2, 4, 0.0), [few]);
    }
}
