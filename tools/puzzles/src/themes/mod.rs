//! What decides a puzzle: the themes of `sakmak-themes`, and those of the count, which need searches.

mod count;
#[cfg(test)]
mod tests;

use anyhow::Result;
use sakmak_movegen::Position;
use sakmak_themes::{bares, begins_count, tactics};

pub use sakmak_themes::{COUNT_THEMES, Line, Theme, has_motif};

use crate::puzzle::Goal;
use crate::ranking::{Ranker, Ranking};

/// Whether a move of the solver begins a count in a line that holds. One that bares the other side begins a count
/// against that side, which saves nothing.
pub fn starts_count(line: &Line) -> bool {
    let starts = |before: &Position, after: &Position| begins_count(before, after) && !bares(before, after);
    line.goal == Goal::Hold
        && line.own().any(|index| starts(&line.positions[index], &line.positions[index + 1]))
}

/// The themes of a line. `rankings` are those of the solver's positions.
///
/// # Errors
/// If a search panicked.
pub fn themes_of(line: &Line, rankings: &[Ranking], ranker: &mut Ranker) -> Result<Vec<Theme>> {
    let mut themes = tactics::themes(line);
    themes.extend(count::themes(line, rankings, ranker)?);
    themes.sort_unstable();
    Ok(themes)
}
