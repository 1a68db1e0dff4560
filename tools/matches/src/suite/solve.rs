//! Asks engines for their move in each position and counts the right ones.

use std::fmt;

use anyhow::{Result, ensure};
use sakmak_movegen::Rules;
use serde::Serialize;

use super::position::SuitePosition;
use crate::tournament::position_engine::PositionEngine;
use crate::tournament::spec::{EngineLimits, EngineSpec};

/// The positions solved by one engine, with the fields of the JSON document.
#[derive(Debug, Serialize)]
pub struct SolveReport {
    engine: String,
    solved: usize,
    total: usize,
    themes: Vec<ThemeScore>,
    failures: Vec<FailedPosition>,
}

impl SolveReport {
    /// Number of positions solved.
    pub fn solved(&self) -> usize {
        self.solved
    }
}

#[derive(Debug, Serialize)]
struct ThemeScore {
    theme: String,
    solved: usize,
    total: usize,
}

#[derive(Debug, Serialize)]
struct FailedPosition {
    id: String,
    fen: String,
    played: String,
    wanted: String,
    note: String,
}

/// Asks an engine for its move in each position.
///
/// # Errors
/// If the engine fails, or the positions are to be played out.
pub fn solve(spec: &EngineSpec, limits: EngineLimits, positions: &[SuitePosition]) -> Result<SolveReport> {
    let have_moves = positions.iter().all(|position| !position.moves.is_empty());
    ensure!(have_moves, "these positions are to be played out: hunt");
    let mut engine = PositionEngine::start(spec, &Rules::default(), limits)?;
    let mut report = SolveReport {
        engine: engine.name().to_owned(),
        solved: 0,
        total: positions.len(),
        themes: Vec::new(),
        failures: Vec::new(),
    };
    for entry in positions {
        engine.new_game()?;
        let fen = entry.position.to_string();
        let played = engine.search(&fen, "", &mut |_| ())?;
        let solved = entry.position.parse_move(&played).is_ok_and(|mv| entry.is_solved_by(mv));
        if report.themes.last().is_none_or(|score| score.theme != entry.theme()) {
            report.themes.push(ThemeScore { theme: entry.theme().to_owned(), solved: 0, total: 0 });
        }
        if let Some(score) = report.themes.last_mut() {
            score.total += 1;
            score.solved += usize::from(solved);
        }
        report.solved += usize::from(solved);
        if !solved {
            report.failures.push(FailedPosition {
                id: entry.id.clone(),
                fen,
                played,
                wanted: entry.solution(),
                note: entry.note.clone(),
            });
        }
    }
    Ok(report)
}

impl fmt::Display for SolveReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{}: {} of {} solved", self.engine, self.solved, self.total)?;
        for ThemeScore { theme, solved, total } in &self.themes {
            writeln!(f, "  {theme:<10}{solved:>3} of {total:>2}")?;
        }
        for FailedPosition { id, fen, played, wanted, note } in &self.failures {
            writeln!(f, "  failed {id}: {played}, {wanted}  {fen}  ({note})")?;
        }
        Ok(())
    }
}
