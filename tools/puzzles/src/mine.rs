//! Mines puzzles: from games or random endings to a file.

use std::collections::HashSet;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result, bail, ensure};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_files::games::BrokenGame;
use sakmak_files::output::AppendFile;

use crate::candidates::{GameStream, SourceGame, candidates};
use crate::endings;
use crate::proof::{Prover, Rejection};
use crate::puzzle::{Header, Puzzle, PuzzleFile, Record, Tally};
use crate::unplayed;

/// Games, or tries at endings, between two tallies of the file.
const BATCH: usize = 100;

/// Puzzles to mine, and the output file.
#[derive(Clone, Copy, Debug)]
pub struct MineJob<'a> {
    /// The header with the settings.
    pub header: &'a Header,
    /// The files of games; random endings if there are none.
    pub files: &'a [PathBuf],
    /// Most games, or tries at endings, those of a file to resume included.
    pub games: u64,
    /// Threads.
    pub threads: usize,
    /// The output file.
    pub path: &'a Path,
    /// Resume with the puzzles of the file.
    pub resume: bool,
    /// The tablebases named in the header.
    pub tablebases: &'a Tablebases,
}

/// What a worker takes.
enum Work {
    Game(Box<SourceGame>),
    Ending(u64),
}

/// What came of it.
#[derive(Default)]
struct Yield {
    positions: u64,
    results: Vec<Result<Puzzle, Rejection>>,
}

impl MineJob<'_> {
    /// Mines the puzzles; `broken` is called for games that are left out. The file depends neither on the number of
    /// threads nor on interruptions; an interruption loses at most one batch.
    ///
    /// # Errors
    /// If a file cannot be read or written, or the output holds something else.
    pub fn run(&self, broken: &mut dyn FnMut(&BrokenGame), notify: &mut dyn FnMut(&Tally)) -> Result<Tally> {
        // A wrong name leaves no output behind.
        for path in self.files {
            let name = || path.display().to_string();
            ensure!(File::open(path).with_context(name)?.metadata()?.is_file(), "{}: not a file", name());
        }
        let (mut file, mut tally, mut seen) = self.open()?;
        let pairs = DtmTables::default();
        let prover = |_| Prover::new(&self.header.settings, self.tablebases, &pairs);
        let mut provers = (0..self.threads.max(1)).map(prover).collect::<Result<Vec<_>>>()?;
        let mut stream = GameStream::new(self.files);
        if !self.files.is_empty() {
            for _ in 0..self.header.skip + tally.games {
                ensure!(stream.next_game()?.is_some(), "the files have fewer games");
            }
        }
        loop {
            let left = self.games.saturating_sub(tally.games).min(BATCH as u64);
            let work = self.batch(&mut stream, self.header.skip + tally.games, left)?;
            stream.broken.drain(..).for_each(|game| broken(&game));
            if work.is_empty() {
                break;
            }
            let mut bytes = Vec::new();
            for found in self.all(&work, &mut provers)? {
                tally.games += 1;
                tally.positions += found.positions;
                for result in found.results {
                    tally.candidates += 1;
                    match result.and_then(|puzzle| new_one(puzzle, &mut seen)) {
                        Ok(puzzle) => {
                            tally.kept += 1;
                            bytes.extend(Record::Puzzle(Box::new(puzzle)).encoded()?);
                        }
                        Err(reason) => *tally.rejected.entry(reason.name().to_owned()).or_default() += 1,
                    }
                }
            }
            bytes.extend(Record::Tally { tally: tally.clone() }.encoded()?);
            file.append(&bytes)?;
            file.sync()?;
            notify(&tally);
        }
        Ok(tally)
    }

    /// Opens the file for the next batch. Returns also the last tally and the keys of the puzzles' positions.
    fn open(&self) -> Result<(AppendFile, Tally, HashSet<[u8; 65]>)> {
        let name = || self.path.display().to_string();
        let mut seen = HashSet::new();
        if !self.resume {
            let mut file = AppendFile::create(self.path)?;
            file.append(&Record::Header(self.header.clone()).encoded()?)?;
            return Ok((file, Tally::default(), seen));
        }
        let mut file = AppendFile::resume(self.path)?;
        let bytes = file.contents()?;
        if bytes.is_empty() {
            file.append(&Record::Header(self.header.clone()).encoded()?)?;
            return Ok((file, Tally::default(), seen));
        }
        let found = PuzzleFile::read(&bytes).with_context(name)?;
        if found.header != *self.header {
            let [found, wanted] = [&found.header, self.header].map(serde_json::to_string);
            bail!("{}: was made with other settings: {}, now {}", name(), found?, wanted?);
        }
        for puzzle in &found.puzzles {
            seen.extend(puzzle.mirror_keys()?);
        }
        file.cut(found.length as u64)?;
        Ok((file, found.tally, seen))
    }

    /// The next work.
    fn batch(&self, stream: &mut GameStream, from: u64, most: u64) -> Result<Vec<Work>> {
        if self.files.is_empty() {
            return Ok((from..from + most).map(Work::Ending).collect());
        }
        let games = (0..most).map(|_| stream.next_game()).map(Result::transpose);
        games.map_while(|game| game).map(|game| Ok(Work::Game(Box::new(game?)))).collect()
    }

    /// Works in parallel; the results are in the order of the work.
    fn all(&self, work: &[Work], provers: &mut [Prover]) -> Result<Vec<Yield>> {
        let next = AtomicUsize::new(0);
        let results = Mutex::new(Vec::new());
        std::thread::scope(|scope| {
            for prover in provers {
                let (next, results) = (&next, &results);
                scope.spawn(move || {
                    loop {
                        let number = next.fetch_add(1, Relaxed);
                        let Some(one) = work.get(number) else { break };
                        let result = self.one(one, prover);
                        if let Ok(mut results) = results.lock() {
                            results.push((number, result));
                        }
                    }
                });
            }
        });
        let mut results = results.into_inner().map_err(|_| anyhow::anyhow!("a thread has failed"))?;
        results.sort_by_key(|(number, _)| *number);
        ensure!(results.len() == work.len(), "a thread has failed");
        results.into_iter().map(|(_, result)| result).collect()
    }

    fn one(&self, work: &Work, prover: &mut Prover) -> Result<Yield> {
        let settings = &self.header.settings;
        let (positions, candidates) = match work {
            Work::Game(game) if settings.unplayed > 0 => {
                (game.plies.len() as u64, unplayed::candidates(game, settings, prover.ranker())?)
            }
            Work::Game(game) => {
                let found = candidates(game, settings, self.header.rescore, prover.ranker())?;
                (game.plies.len() as u64, found)
            }
            Work::Ending(number) => {
                let tables = prover.ranker().tables().clone();
                (1, endings::candidate(self.header.seed, *number, &tables)?.into_iter().collect())
            }
        };
        let mut found = Yield { positions, results: Vec::new() };
        let mut done = None;
        for candidate in &candidates {
            // One mistake of a position is enough.
            if settings.unplayed > 0 && done == Some(candidate.source.ply) {
                continue;
            }
            let result = prover.prove(candidate)?;
            done = result.is_ok().then_some(candidate.source.ply);
            let result = match work {
                Work::Game(_) if settings.unplayed > 0 => result.and_then(of_theme),
                Work::Game(_) => result,
                Work::Ending(_) => result.and_then(of_count),
            };
            found.results.push(result);
        }
        Ok(found)
    }
}

/// After a mistake that nobody made a puzzle must show something.
fn of_theme(puzzle: Puzzle) -> Result<Puzzle, Rejection> {
    if puzzle.themes.is_empty() { Err(Rejection::NoTheme) } else { Ok(puzzle) }
}

/// A random ending must be a puzzle of the count, whose race or idea can be seen in its line.
fn of_count(puzzle: Puzzle) -> Result<Puzzle, Rejection> {
    let is_idea = puzzle.themes.iter().any(|theme| theme.is_of_one_move());
    match puzzle.is_of_count() {
        false => Err(Rejection::NoCount),
        true if puzzle.margins.len() < 2 && !is_idea => Err(Rejection::Short),
        true => Ok(puzzle),
    }
}

/// The puzzle, if none of its positions has been in a puzzle before.
fn new_one(puzzle: Puzzle, seen: &mut HashSet<[u8; 65]>) -> Result<Puzzle, Rejection> {
    // The moves are the prover's own.
    let keys = puzzle.mirror_keys().map_err(|_| Rejection::Duplicate)?;
    if keys.iter().any(|key| seen.contains(key)) {
        return Err(Rejection::Duplicate);
    }
    seen.extend(keys);
    Ok(puzzle)
}
