//! Figures of a file, and puzzles with their boards, as text.

use std::collections::BTreeMap;
use std::fmt::{self, Display, Formatter, Write};

use anyhow::Result;
use serde_json::{Value, json};

use crate::puzzle::{Puzzle, PuzzleFile, Tally};
use crate::select::{Choice, primary_theme};
use crate::themes::Theme;

impl Display for Tally {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { games, positions, candidates, kept, .. } = self;
        write!(f, "{games} games, {positions} positions, {candidates} candidates, {kept} puzzles")
    }
}

impl Display for Choice {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        let Self { read, wrong, unrated, duplicates, of_theme, beyond } = self;
        writeln!(f, "{read} puzzles read; left out:")?;
        let reasons = [
            (wrong, "found wrong by a check"),
            (unrated, "without a rating"),
            (duplicates, "duplicates"),
            (of_theme, "too many of a theme"),
            (beyond, "beyond the total"),
        ];
        for (number, reason) in reasons {
            writeln!(f, "  {number:>8}  {reason}")?;
        }
        Ok(())
    }
}

/// The number of puzzles of each theme.
fn theme_numbers(puzzles: &[Puzzle]) -> BTreeMap<Theme, usize> {
    let mut numbers = BTreeMap::new();
    for theme in puzzles.iter().flat_map(|puzzle| &puzzle.themes) {
        *numbers.entry(*theme).or_default() += 1;
    }
    numbers
}

/// The figures of a file as JSON.
pub fn figures(file: &PuzzleFile) -> Value {
    let numbers = theme_numbers(&file.puzzles).into_iter();
    let themes: BTreeMap<_, _> = numbers.map(|(theme, number)| (theme.id(), number)).collect();
    json!({ "header": file.header, "tally": file.tally, "themes": themes })
}

/// The figures of a file as text.
pub fn described(file: &PuzzleFile) -> String {
    let mut text = format!("{}\n", file.tally);
    for (reason, number) in &file.tally.rejected {
        let _ = writeln!(text, "  {number:>8}  {reason}");
    }
    let mut lengths = BTreeMap::<usize, usize>::new();
    for puzzle in &file.puzzles {
        *lengths.entry(puzzle.moves.len().div_ceil(2)).or_default() += 1;
    }
    text += "moves of the solver\n";
    for (length, number) in lengths {
        let _ = writeln!(text, "  {number:>8}  {length}");
    }
    let mut ratings: Vec<i32> =
        file.puzzles.iter().flat_map(|puzzle| &puzzle.rating).map(|rating| rating.elo).collect();
    ratings.sort_unstable();
    if !ratings.is_empty() {
        let at = |tenth: usize| ratings[(ratings.len() - 1) * tenth / 10].to_string();
        let _ = writeln!(text, "ratings, deciles: {}", [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(at).join(" "));
    }
    text += "themes: all, and as the most special one\n";
    let numbers = theme_numbers(&file.puzzles);
    let mut special = BTreeMap::<Theme, usize>::new();
    for theme in file.puzzles.iter().filter_map(primary_theme) {
        *special.entry(theme).or_default() += 1;
    }
    for theme in Theme::ALL {
        let [number, special] = [&numbers, &special].map(|numbers| numbers.get(theme).copied().unwrap_or(0));
        let (english, thai) = (theme.english(), theme.thai());
        let _ = writeln!(text, "  {number:>8} {special:>8}  {:<16} {english} ({thai})", theme.id());
    }
    let of_count = file.puzzles.iter().filter(|puzzle| puzzle.is_of_count()).count();
    let _ = writeln!(text, "  {of_count:>8}  with a theme of the count");
    text
}

/// A puzzle with its board, in SAN.
///
/// # Errors
/// If its FEN is broken or a move is illegal.
pub fn shown(puzzle: &Puzzle) -> Result<String> {
    let (mut position, moves) = puzzle.line()?;
    let mut text = format!("{}{}\n", position.diagram(), puzzle.fen);
    if let Some(mistake) = &puzzle.mistake {
        let _ = writeln!(text, "after {} (the solver had {:.2})", mistake.mv, mistake.before);
    }
    let _ = write!(text, "{:?}:", puzzle.goal);
    for mv in moves {
        let _ = write!(text, " {}", position.san(mv));
        position.play_unchecked(mv);
    }
    if !puzzle.accepted.is_empty() {
        let _ = write!(text, " (right: {})", puzzle.accepted.join(" "));
    }
    text += "\n ";
    for theme in &puzzle.themes {
        let _ = write!(text, " {}", theme.id());
    }
    text += "\n ";
    for margin in &puzzle.margins {
        let second = margin.second.map_or_else(|| "-".to_owned(), |second| format!("{second:.2}"));
        let _ = write!(text, " {:.2}/{second}{}", margin.best, if margin.exact { "!" } else { "" });
    }
    text += "\n\n";
    Ok(text)
}
