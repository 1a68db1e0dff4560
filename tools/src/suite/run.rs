//! Asks engines for their move in each position and counts the right ones.

use anyhow::{Result, ensure};
use sakmak_tools::output;
use sakmak_tools::tournament::spec::{EngineSpec, Limits};
use serde::Serialize;

use super::ask::Asked;
use super::epd::Entry;

/// What one engine has done.
#[derive(Serialize)]
struct Report {
    engine: String,
    solved: usize,
    total: usize,
    themes: Vec<Tally>,
    failures: Vec<Failure>,
}

#[derive(Serialize)]
struct Tally {
    theme: String,
    solved: usize,
    total: usize,
}

#[derive(Serialize)]
struct Failure {
    id: String,
    fen: String,
    played: String,
    wanted: String,
    note: String,
}

/// Asks each engine, and prints what came of it.
pub(super) fn run(engines: &[EngineSpec], limits: Limits, entries: &[Entry], json: bool) -> Result<()> {
    ensure!(
        entries.iter().all(|entry| !entry.moves.is_empty()),
        "these positions are to be played out: hunt"
    );
    let mut reports = Vec::new();
    for spec in engines {
        let report = ask_all(&mut Asked::start(spec, limits)?, entries)?;
        if !json {
            output::print(&text(&report))?;
        }
        reports.push(report);
    }
    if json {
        output::print(&(serde_json::to_string_pretty(&reports)? + "\n"))?;
    }
    Ok(())
}

fn ask_all(engine: &mut Asked, entries: &[Entry]) -> Result<Report> {
    let mut report = Report {
        engine: engine.name.clone(),
        solved: 0,
        total: entries.len(),
        themes: Vec::new(),
        failures: Vec::new(),
    };
    for entry in entries {
        engine.new_game()?;
        let fen = entry.position.to_string();
        let played = engine.best_move(&fen, "")?;
        let solved = entry.position.parse_move(&played).is_ok_and(|mv| entry.is_solved_by(mv));
        if report.themes.last().is_none_or(|tally| tally.theme != entry.theme()) {
            report.themes.push(Tally { theme: entry.theme().to_owned(), solved: 0, total: 0 });
        }
        if let Some(tally) = report.themes.last_mut() {
            tally.total += 1;
            tally.solved += usize::from(solved);
        }
        report.solved += usize::from(solved);
        if !solved {
            report.failures.push(Failure {
                id: entry.id.clone(),
                fen,
                played,
                wanted: entry.wanted(),
                note: entry.note.clone(),
            });
        }
    }
    Ok(report)
}

/// The report for people.
fn text(report: &Report) -> String {
    let mut lines = vec![format!("{}: {} of {} solved\n", report.engine, report.solved, report.total)];
    lines.extend(
        report
            .themes
            .iter()
            .map(|tally| format!("  {:<10}{:>3} of {:>2}\n", tally.theme, tally.solved, tally.total)),
    );
    lines.extend(report.failures.iter().map(|Failure { id, fen, played, wanted, note }| {
        format!("  failed {id}: {played}, {wanted}  {fen}  ({note})\n")
    }));
    lines.concat()
}
