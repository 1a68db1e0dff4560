//! The list of puzzles that the page loads: an index and parts (`docs/training.md`).

use std::collections::{BTreeMap, HashSet};
use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use anyhow::{Context, Result, ensure};
use sakmak_movegen::{Position, splitmix64};
use serde::{Deserialize, Serialize};

use crate::puzzle::{Goal, Header, Mistake, Puzzle, PuzzleFile, Rating, Source, Tally, VERSION};
use crate::select::has_mirrors;
use crate::settings::Settings;
use crate::themes::Theme;

/// The version of the format.
pub const FORMAT: u32 = 1;
/// The name of the index.
pub const INDEX: &str = "index.json";

/// What the page knows of all puzzles before it loads a part.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Index {
    /// The version of the format, [`FORMAT`].
    pub format: u32,
    /// Twelve hexadecimal digits, a hash of the content.
    pub list: String,
    /// Puzzles of a part; the last one may have fewer.
    pub size: usize,
    /// The number of puzzles.
    pub count: usize,
    /// The themes; bit `i` of a mask is `themes[i]`.
    pub themes: Vec<ThemeName>,
    /// The rating of each puzzle.
    pub ratings: Vec<i32>,
    /// The themes of each puzzle, as bits.
    pub masks: Vec<u32>,
}

/// A theme with its names.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ThemeName {
    /// The name in files.
    pub id: String,
    /// The English name.
    pub en: String,
    /// The Thai name.
    pub th: String,
}

#[derive(Debug, Serialize, Deserialize)]
struct Part {
    puzzles: Vec<Entry>,
}

/// A puzzle of a part: its identifier, the position before the mistake or the one to solve, the mistake or nothing, the
/// line, the goal, and for the index of a move in the line all moves that are right there, if there are several.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Entry(String, String, String, String, Goal, BTreeMap<String, Vec<String>>);

impl Entry {
    fn new(puzzle: &Puzzle) -> Self {
        let (fen, mistake) = match &puzzle.mistake {
            Some(mistake) => (mistake.fen.clone(), mistake.mv.clone()),
            None => (puzzle.fen.clone(), String::new()),
        };
        let last = puzzle.moves.len() - 1;
        let several = (!puzzle.accepted.is_empty()).then(|| (last.to_string(), puzzle.accepted.clone()));
        Self(puzzle.id(), fen, mistake, puzzle.moves.join(" "), puzzle.goal, several.into_iter().collect())
    }

    /// The puzzle of this number in the list, with nothing about its proof. Every move is legal.
    fn puzzle(&self, number: usize, index: &Index) -> Result<Puzzle> {
        let (mask, elo) = (index.masks[number], index.ratings[number]);
        let Self(id, fen, mistake, moves, goal, accepted) = self;
        let named = || format!("puzzle {id}");
        let position = Position::from_fen(fen).with_context(named)?;
        let (start, mistake) = if mistake.is_empty() {
            (position, None)
        } else {
            let mv = position.parse_move(mistake).with_context(named)?;
            (position.after(mv), Some(Mistake { fen: fen.clone(), mv: mistake.clone(), before: 0.0 }))
        };
        let moves: Vec<String> = moves.split(' ').map(str::to_owned).collect();
        let last = (moves.len() - 1).to_string();
        ensure!(accepted.keys().all(|key| *key == last), "{}: several right moves before the last", named());
        let themes = Theme::ALL.iter().enumerate().filter(|(bit, _)| mask >> bit & 1 == 1);
        let puzzle = Puzzle {
            fen: start.to_string(),
            mistake,
            moves,
            accepted: accepted.get(&last).cloned().unwrap_or_default(),
            goal: *goal,
            themes: themes.map(|(_, theme)| *theme).collect(),
            margins: Vec::new(),
            nodes: 0,
            // As if each were from a game of its own.
            source: Source { file: None, game: number as u64, ply: 0 },
            rating: Some(Rating { elo, solved: Vec::new(), nodes: None }),
        };
        let (_, line) = puzzle.line().with_context(named)?;
        let mut end = start;
        for &mv in &line[..line.len() - 1] {
            end.play_unchecked(mv);
        }
        for text in &puzzle.accepted {
            end.parse_move(text).with_context(named)?;
        }
        let accepts_own =
            puzzle.accepted.is_empty() || puzzle.accepted.contains(&puzzle.moves[line.len() - 1]);
        ensure!(accepts_own, "{}: its own last move is not accepted", named());
        ensure!(puzzle.id() == *id, "{}: the identifier of its content is {}", named(), puzzle.id());
        Ok(puzzle)
    }
}

/// The bit of each theme: its place in [`Theme::ALL`].
fn mask(themes: &[Theme]) -> u32 {
    let bits = Theme::ALL.iter().enumerate().filter(|(_, theme)| themes.contains(theme));
    bits.map(|(bit, _)| 1 << bit).sum()
}

fn theme_names() -> Vec<ThemeName> {
    let name = |theme: &Theme| ThemeName {
        id: theme.id().to_owned(),
        en: theme.english().to_owned(),
        th: theme.thai().to_owned(),
    };
    Theme::ALL.iter().map(name).collect()
}

/// The name of a part.
fn part_name(number: usize) -> String {
    format!("part-{number:03}.json")
}

/// Twelve hexadecimal digits that change with any byte of the parts, a rating or a theme.
fn hash(parts: &[Vec<u8>], ratings: &[i32], masks: &[u32]) -> String {
    let bytes = parts.iter().flatten().map(|&byte| u64::from(byte));
    let numbers =
        ratings.iter().map(|&rating| rating as u64).chain(masks.iter().map(|&mask| u64::from(mask)));
    let folded = bytes.chain(numbers).fold(0, |hash, value| splitmix64(hash ^ value));
    format!("{:012x}", folded & 0xffff_ffff_ffff)
}

/// Writes a list to a folder, in parts of `size` puzzles; parts of a longer list before are removed. Returns the bytes
/// of all files.
///
/// # Errors
/// If a puzzle has no rating, there are more than `most` bytes, or a file cannot be written.
pub fn write(puzzles: &[Puzzle], size: usize, folder: &Path, most: Option<usize>) -> Result<usize> {
    ensure!(size > 0, "a part needs puzzles");
    let rating = |puzzle: &Puzzle| {
        puzzle.rating.as_ref().map(|rating| rating.elo).with_context(|| format!("{}: no rating", puzzle.fen))
    };
    let ratings = puzzles.iter().map(rating).collect::<Result<Vec<_>>>()?;
    let masks: Vec<u32> = puzzles.iter().map(|puzzle| mask(&puzzle.themes)).collect();
    let part = |puzzles: &[Puzzle]| {
        let part = Part { puzzles: puzzles.iter().map(Entry::new).collect() };
        serde_json::to_vec(&part)
    };
    let parts = puzzles.chunks(size).map(part).collect::<Result<Vec<_>, _>>()?;
    let list = hash(&parts, &ratings, &masks);
    let index =
        Index { format: FORMAT, list, size, count: puzzles.len(), themes: theme_names(), ratings, masks };
    let index = serde_json::to_vec(&index)?;
    let written = index.len() + parts.iter().map(Vec::len).sum::<usize>();
    ensure!(most.is_none_or(|most| written <= most), "the list has {written} bytes; nothing is written");
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    let save = |name: &str, bytes: &[u8]| {
        let path = folder.join(name);
        fs::write(&path, bytes).with_context(|| path.display().to_string())
    };
    for (number, bytes) in parts.iter().enumerate() {
        save(&part_name(number), bytes)?;
    }
    save(INDEX, &index)?;
    for number in parts.len().. {
        match fs::remove_file(folder.join(part_name(number))) {
            Ok(()) => {}
            Err(error) if error.kind() == ErrorKind::NotFound => break,
            Err(error) => return Err(error).with_context(|| part_name(number)),
        }
    }
    Ok(written)
}

/// Reads a list from its folder and checks that it is consistent: every line is legal, numbers agree, identifiers and
/// the hash are those of the content, and no position occurs twice.
///
/// # Errors
/// If it is not, or a file cannot be read.
pub fn read(folder: &Path) -> Result<(Index, Vec<Puzzle>)> {
    let load = |name: &str| {
        let path = folder.join(name);
        fs::read(&path).with_context(|| path.display().to_string())
    };
    let index: Index = serde_json::from_slice(&load(INDEX)?).context(INDEX)?;
    let Index { format, size, count, .. } = index;
    ensure!(format == FORMAT, "{INDEX}: format {format} cannot be read");
    ensure!(size > 0, "{INDEX}: parts of no puzzle");
    ensure!(
        index.ratings.len() == count && index.masks.len() == count,
        "{INDEX}: not {count} ratings and masks"
    );
    ensure!(index.themes == theme_names(), "{INDEX}: the themes are not those of this program");
    ensure!(
        index.masks.iter().all(|mask| mask >> index.themes.len() == 0),
        "{INDEX}: a mask has an unknown theme"
    );
    let numbers = 0..count.div_ceil(size);
    let parts = numbers.clone().map(|number| load(&part_name(number))).collect::<Result<Vec<_>>>()?;
    ensure!(
        !folder.join(part_name(parts.len())).exists(),
        "{}: is no part of the list",
        part_name(parts.len())
    );
    let found = hash(&parts, &index.ratings, &index.masks);
    ensure!(found == index.list, "{INDEX}: the hash of the content is {found}");
    let mut puzzles = Vec::new();
    for (number, bytes) in parts.iter().enumerate() {
        let part: Part = serde_json::from_slice(bytes).with_context(|| part_name(number))?;
        let expected = size.min(count - number * size);
        ensure!(part.puzzles.len() == expected, "{}: not {expected} puzzles", part_name(number));
        for entry in &part.puzzles {
            puzzles.push(entry.puzzle(puzzles.len(), &index).with_context(|| part_name(number))?);
        }
    }
    let ids: HashSet<String> = puzzles.iter().map(Puzzle::id).collect();
    ensure!(ids.len() == count, "two puzzles have the same identifier");
    ensure!(!has_mirrors(&puzzles)?, "two puzzles have the same position, or its mirror image");
    Ok((index, puzzles))
}

/// A list in its folder as a file of puzzles. The header has no run: nothing but the puzzles and their ratings is known.
///
/// # Errors
/// As [`read`].
pub fn read_file(folder: &Path) -> Result<PuzzleFile> {
    let (_, puzzles) = read(folder)?;
    let header = Header {
        puzzles: VERSION,
        engine: "unknown".to_owned(),
        commit: None,
        signature: 0,
        seed: 0,
        settings: Settings::default(),
        files: Vec::new(),
        skip: 0,
        rescore: 0,
        tablebases: Vec::new(),
        rated: None,
    };
    let tally = Tally { kept: puzzles.len() as u64, ..Tally::default() };
    Ok(PuzzleFile { header, puzzles, tally, length: 0 })
}
