//! Selects the puzzles of a list from mined or rated files: each once, and not too many of one theme of the count.

use std::collections::{BTreeMap, HashSet};

use anyhow::{Result, ensure};
use sakmak_movegen::Position;

use crate::puzzle::{Header, Puzzle, PuzzleFile, Record, Source, Tally};
use crate::themes::Theme;

/// Limits of a list.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// Most puzzles with the same [primary theme](primary_theme), if the count makes it.
    pub count_theme: usize,
    /// Most puzzles with the same primary theme, if the count does not make it; those without a theme are one group.
    pub theme: usize,
    /// Most puzzles.
    pub total: usize,
    /// Whether puzzles without a rating are left out.
    pub rated: bool,
}

/// What came of the puzzles of the files.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// Puzzles in the files.
    pub read: usize,
    /// Found wrong by a check.
    pub wrong: usize,
    /// Without a rating, if one is needed.
    pub unrated: usize,
    /// With a position of a puzzle before, or its mirror image, or with the identifier of another puzzle; or with the
    /// material of a puzzle before from the same game: the same idea again.
    pub duplicates: usize,
    /// Beyond the limit of a theme.
    pub of_theme: usize,
    /// Beyond the limit of the list.
    pub beyond: usize,
}

/// The order in which the primary theme is looked for: what is rare and special first.
const PRIMARY: [Theme; 26] = [
    Theme::StartCount,
    Theme::KeepBia,
    Theme::LastPiece,
    Theme::CountOut,
    Theme::Sacrifice,
    Theme::RefuseCapture,
    Theme::BoardHonour,
    Theme::BeatCount,
    Theme::Stalemate,
    Theme::Discovered,
    Theme::Skewer,
    Theme::BackRank,
    Theme::Mate7,
    Theme::Mate6,
    Theme::Mate5,
    Theme::Mate4,
    Theme::Mate3,
    Theme::Mate2,
    Theme::Mate1,
    Theme::MaaFork,
    Theme::Trapped,
    Theme::Fork,
    Theme::Pin,
    Theme::Promotion,
    Theme::Quiet,
    Theme::Defence,
];

/// The theme under which a puzzle is counted: the most special one. `None` if it has no theme.
pub fn primary_theme(puzzle: &Puzzle) -> Option<Theme> {
    PRIMARY.into_iter().find(|theme| puzzle.themes.contains(theme))
}

/// The men of both sides, sorted: positions with the same are much alike.
fn material(puzzle: &Puzzle) -> String {
    let mut men: Vec<char> = puzzle.fen.split(' ').next().unwrap_or("").chars().collect();
    men.retain(char::is_ascii_alphabetic);
    men.sort_unstable();
    men.into_iter().collect()
}

/// Selects from files, given with their names; `wrong` are the [identifiers](Puzzle::id) of puzzles to leave out. The
/// result depends on these, the files and their order alone; puzzles are
/// sorted by [`Puzzle::id`], which is a fixed pseudo-random order.
///
/// Of a theme, the puzzles with different material are taken in turn. If the list is full, each theme gives up its
/// last ones first.
///
/// # Errors
/// If a puzzle is broken, or there is no file.
pub fn select(
    files: &[(String, PuzzleFile)],
    limits: &Limits,
    wrong: &HashSet<String>,
) -> Result<(PuzzleFile, Choice)> {
    ensure!(!files.is_empty(), "no file of puzzles");
    let mut choice = Choice::default();
    let mut seen = HashSet::new();
    let mut ids = HashSet::new();
    let mut games = HashSet::new();
    let mut pool = Vec::new();
    for (number, (_, file)) in files.iter().enumerate() {
        for puzzle in &file.puzzles {
            choice.read += 1;
            if wrong.contains(&puzzle.id()) {
                choice.wrong += 1;
                continue;
            }
            if limits.rated && puzzle.rating.is_none() {
                choice.unrated += 1;
                continue;
            }
            let keys = puzzle.mirror_keys()?;
            let game = (number, puzzle.source.file, puzzle.source.game, material(puzzle));
            // A list of the page does not know the games of its puzzles; the file from which it was made does.
            let is_new = [ids.insert(puzzle.id()), games.insert(game)] == [true, true];
            if !is_new || keys.iter().any(|key| seen.contains(key)) {
                choice.duplicates += 1;
                continue;
            }
            seen.extend(keys);
            // A list's sources are the puzzle files.
            let source = Source { file: Some(number), ..puzzle.source };
            pool.push(Puzzle { source, ..puzzle.clone() });
        }
    }
    pool.sort_by_cached_key(Puzzle::id);
    // The place of each among those of its theme, taking turns between materials.
    let mut of_material = BTreeMap::<(Option<Theme>, String), usize>::new();
    let mut ranked: Vec<(usize, Puzzle)> = Vec::new();
    for puzzle in pool {
        let turn = of_material.entry((primary_theme(&puzzle), material(&puzzle))).or_default();
        ranked.push((*turn, puzzle));
        *turn += 1;
    }
    ranked.sort_by_key(|(turn, _)| *turn);
    let mut of_theme = BTreeMap::<Option<Theme>, usize>::new();
    let mut placed: Vec<(usize, Puzzle)> = Vec::new();
    for (_, puzzle) in ranked {
        let theme = primary_theme(&puzzle);
        let place = of_theme.entry(theme).or_default();
        let is_of_count = theme.is_some_and(Theme::is_of_count);
        if *place >= if is_of_count { limits.count_theme } else { limits.theme } {
            choice.of_theme += 1;
            continue;
        }
        placed.push((*place, puzzle));
        *place += 1;
    }
    placed.sort_by_key(|(place, _)| *place);
    choice.beyond = placed.len().saturating_sub(limits.total);
    placed.truncate(limits.total);
    let mut puzzles: Vec<Puzzle> = placed.into_iter().map(|(_, puzzle)| puzzle).collect();
    puzzles.sort_by_cached_key(Puzzle::id);
    let header = Header {
        files: files.iter().map(|(name, _)| name.clone()).collect(),
        skip: 0,
        ..files[0].1.header.clone()
    };
    let tally = Tally { kept: puzzles.len() as u64, ..Tally::default() };
    Ok((PuzzleFile { header, puzzles, tally, length: 0 }, choice))
}

/// The list as a file that [`PuzzleFile::read`] reads.
///
/// # Errors
/// None at present.
pub fn encoded(list: &PuzzleFile) -> Result<Vec<u8>> {
    let mut bytes = Record::Header(list.header.clone()).encoded()?;
    for puzzle in &list.puzzles {
        bytes.extend(Record::Puzzle(Box::new(puzzle.clone())).encoded()?);
    }
    bytes.extend(Record::Tally { tally: list.tally.clone() }.encoded()?);
    Ok(bytes)
}

/// Whether two positions of a list are the same or mirror images.
///
/// # Errors
/// If a FEN is broken.
pub fn has_mirrors(puzzles: &[Puzzle]) -> Result<bool> {
    let mut seen = HashSet::new();
    for puzzle in puzzles {
        let start = Position::from_fen(&puzzle.fen)?;
        if !seen.insert(crate::puzzle::mirror_key(&start)) {
            return Ok(true);
        }
    }
    Ok(false)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_theme_has_its_place_in_the_order() {
        assert!(Theme::ALL.iter().all(|theme| PRIMARY.contains(theme)));
        let is_of_count = PRIMARY.map(Theme::is_of_count);
        assert!(
            is_of_count.is_sorted_by(|earlier, later| earlier >= later),
            "the count goes before all others"
        );
    }
}
