//! The difficulty of puzzles: which limited players solve them, as one rating on the scale of the levels.

use std::collections::HashMap;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result, bail, ensure};
use sakmak_engine::skill::{LimitedPlayer, Skill};
use sakmak_engine::{Limits, SearchInfo, SearchRequest, Searcher};
use sakmak_eval::DtmTables;
use sakmak_files::output::AppendFile;
use sakmak_movegen::{Move, Position, splitmix64};

use crate::puzzle::{Puzzle, PuzzleFile, RateSettings, Rating, Record, Tally};

/// The Elo ratings of the players that try each puzzle.
pub const LEVELS: [i32; 9] = [600, 850, 1100, 1350, 1600, 1850, 2100, 2350, 2600];
/// The node limits of the searches of full strength.
pub const NODES: [u64; 6] = [1, 10, 100, 1_000, 10_000, 100_000];
/// Transposition table of a player, in MiB.
const HASH_MB: usize = 4;
/// Puzzles between two tallies of the file.
const BATCH: usize = 20;
/// Elo ratings of one player who is said to have failed, and of one who is said to have solved the puzzle, so that the
/// rating is finite.
const PRIOR: [f64; 2] = [200.0, 3_000.0];
/// Difference in Elo with which ten of eleven puzzles are solved.
const SCALE: f64 = 400.0;

/// Tries puzzles; one for each thread.
pub struct Rater {
    searcher: Searcher,
    settings: RateSettings,
}

impl Rater {
    /// A rater with these settings.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub fn new(settings: &RateSettings, pairs: &DtmTables) -> Result<Self> {
        Ok(Self { searcher: Searcher::new(HASH_MB)?.with_dtm_tables(pairs), settings: settings.clone() })
    }

    /// The difficulty of a puzzle. It depends on the puzzle and the settings alone.
    ///
    /// # Errors
    /// If the puzzle is broken.
    pub fn rate(&mut self, puzzle: &Puzzle) -> Result<Rating> {
        let (start, moves) = puzzle.line()?;
        let mut position = start.clone();
        let mut positions = Vec::new();
        for &mv in &moves {
            positions.push(position.clone());
            position.play_unchecked(mv);
        }
        let tested = positions.iter().zip(&moves).step_by(2);
        let last = positions.len() - 1;
        let is_right = |index: usize, mv: Move| {
            mv == moves[index]
                || index == last && puzzle.accepted.iter().any(|accepted| *accepted == mv.to_string())
        };
        let tested: Vec<(usize, &Position)> =
            tested.enumerate().map(|(index, (position, _))| (2 * index, position)).collect();
        let mut solved = Vec::new();
        for level in self.settings.levels.clone() {
            let mut number = 0;
            for attempt in 0..self.settings.tries {
                self.searcher.clear();
                let seed = splitmix64(self.settings.seed ^ start.key() ^ splitmix64(level as u64))
                    .wrapping_add(u64::from(attempt) << 8);
                number += u32::from(tested.iter().all(|&(index, position)| {
                    let chosen = self.choose(position, Skill::from_elo(level), seed + index as u64);
                    chosen.is_some_and(|mv| is_right(index, mv))
                }));
            }
            solved.push(number);
        }
        let mut nodes = None;
        for limit in NODES.into_iter().rev() {
            self.searcher.clear();
            let finds = tested.iter().all(|&(index, position)| {
                let request = SearchRequest::new(position.clone(), Limits::nodes(limit));
                self.searcher.search(&request).best().is_some_and(|best| is_right(index, best.mv))
            });
            if !finds {
                break;
            }
            nodes = Some(limit);
        }
        let elo = fitted(&self.settings.levels, &solved, self.settings.tries);
        Ok(Rating { elo, solved, nodes })
    }

    /// The move of a player.
    fn choose(&mut self, position: &Position, skill: Option<Skill>, seed: u64) -> Option<Move> {
        let mut request = SearchRequest::new(position.clone(), Limits::default());
        let mut player = LimitedPlayer::new(skill?, &mut request, seed);
        let result = self.searcher.search_with(&request, &mut |info: &SearchInfo| player.see(info));
        let index = player.choose(&result.moves);
        result.moves.get(index).map(|chosen| chosen.mv)
    }
}

/// The rating at which the expected number of solutions is that of the players, by the logistic curve of Elo.
fn fitted(levels: &[i32], solved: &[u32], tries: u32) -> i32 {
    let chance = |rating: f64, difficulty: f64| 1.0 / (1.0 + 10f64.powf((difficulty - rating) / SCALE));
    let found = f64::from(solved.iter().sum::<u32>()) + 1.0;
    let expected = |difficulty: f64| {
        let players: f64 = levels.iter().map(|&level| chance(f64::from(level), difficulty)).sum();
        let prior: f64 = PRIOR.iter().map(|&level| chance(level, difficulty)).sum();
        f64::from(tries) * players + prior
    };
    let (mut low, mut high) = (-1_000.0, 5_000.0);
    while high - low > 0.1 {
        let middle = (low + high) / 2.0;
        // A more difficult puzzle is solved less often.
        if expected(middle) > found { low = middle } else { high = middle }
    }
    low.round() as i32
}

/// A file to rate, and the output file.
#[derive(Clone, Copy, Debug)]
pub struct RateJob<'a> {
    /// The file to rate.
    pub file: &'a PuzzleFile,
    /// The settings.
    pub settings: &'a RateSettings,
    /// Threads.
    pub threads: usize,
    /// The output file.
    pub path: &'a Path,
    /// Resume with the puzzles of the file.
    pub resume: bool,
    /// Rated files, whose ratings are taken for the same puzzles if engine and settings are the same.
    pub reuse: &'a [PuzzleFile],
}

impl RateJob<'_> {
    /// Copies the puzzles to the output, each with its rating. Calls `notify` with the number of rated puzzles.
    ///
    /// # Errors
    /// If the file cannot be written, or holds something else, or a puzzle is broken.
    pub fn run(&self, notify: &mut dyn FnMut(usize)) -> Result<()> {
        let mut header = self.file.header.clone();
        header.rated = Some(self.settings.clone());
        let name = || self.path.display().to_string();
        let mut file =
            if self.resume { AppendFile::resume(self.path)? } else { AppendFile::create(self.path)? };
        let bytes = file.contents()?;
        let mut done = 0;
        if bytes.is_empty() {
            file.append(&Record::Header(header).encoded()?)?;
        } else {
            let found = PuzzleFile::read(&bytes).with_context(name)?;
            ensure!(found.header == header, "{}: was made from another file or with other settings", name());
            done = found.puzzles.len();
            let rated = found.puzzles.iter().zip(&self.file.puzzles);
            let mut are_same = rated.map(|(rated, puzzle)| rated.fen == puzzle.fen);
            ensure!(
                done <= self.file.puzzles.len() && are_same.all(|same| same),
                "{}: has other puzzles",
                name()
            );
            file.cut(found.length as u64)?;
        }
        let is_same = |file: &&PuzzleFile| {
            file.header.rated.as_ref() == Some(self.settings)
                && file.header.signature == self.file.header.signature
        };
        let reused = self.reuse.iter().filter(is_same).flat_map(|file| &file.puzzles);
        let known: HashMap<String, Rating> =
            reused.filter_map(|puzzle| Some((puzzle.id(), puzzle.rating.clone()?))).collect();
        let pairs = DtmTables::default();
        let raters = (0..self.threads.max(1)).map(|_| Rater::new(self.settings, &pairs));
        let mut raters = raters.collect::<Result<Vec<_>>>()?;
        for batch in self.file.puzzles[done..].chunks(BATCH) {
            let mut bytes = Vec::new();
            for puzzle in rated(batch, &known, &mut raters)? {
                bytes.extend(Record::Puzzle(Box::new(puzzle)).encoded()?);
            }
            done += batch.len();
            let tally = Tally { kept: done as u64, ..self.file.tally.clone() };
            bytes.extend(Record::Tally { tally }.encoded()?);
            file.append(&bytes)?;
            file.sync()?;
            notify(done);
        }
        Ok(())
    }
}

/// The puzzles with their ratings, in their order.
fn rated(puzzles: &[Puzzle], known: &HashMap<String, Rating>, raters: &mut [Rater]) -> Result<Vec<Puzzle>> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    std::thread::scope(|scope| {
        for rater in raters {
            let (next, results) = (&next, &results);
            scope.spawn(move || {
                loop {
                    let number = next.fetch_add(1, Relaxed);
                    let Some(puzzle) = puzzles.get(number) else { break };
                    let rating = match known.get(&puzzle.id()) {
                        Some(rating) => Ok(rating.clone()),
                        None => rater.rate(puzzle),
                    };
                    if let Ok(mut results) = results.lock() {
                        results.push((number, rating));
                    }
                }
            });
        }
    });
    let Ok(mut results) = results.into_inner() else { bail!("a thread has failed") };
    ensure!(results.len() == puzzles.len(), "a thread has failed");
    results.sort_by_key(|(number, _)| *number);
    let rate = |(number, rating): (usize, Result<Rating>)| {
        Ok(Puzzle { rating: Some(rating?), ..puzzles[number].clone() })
    };
    results.into_iter().map(rate).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_puzzle_is_as_hard_as_the_players_say() {
        let half = LEVELS.map(|level| {
            if level < 1_600 {
                0
            } else if level == 1_600 {
                2
            } else {
                4
            }
        });
        let easy = LEVELS.map(|_| 4);
        let hard = LEVELS.map(|_| 0);
        assert!((1_500..=1_700).contains(&fitted(&LEVELS, &half, 4)), "{}", fitted(&LEVELS, &half, 4));
        assert!(fitted(&LEVELS, &easy, 4) < 600);
        assert!(fitted(&LEVELS, &hard, 4) > 2_600);
    }
}
