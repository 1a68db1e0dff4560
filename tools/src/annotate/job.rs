//! Annotates all games of files, several in parallel, and writes them in their order.

use std::collections::VecDeque;
use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

use anyhow::{Context, Result, anyhow, ensure};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor, ReadSummary};
use sakmak_files::output::AppendFile;
use sakmak_games::GameStart;
use sakmak_games::pgn::{PgnGame, PgnReader, PgnWriter, Tags};
use sakmak_matches::tournament::spec::EngineSpec;
use sakmak_movegen::{Game, Rules};

use super::analyst::{Analyst, Effort};
use super::lines::JsonLines;
use super::review;

/// Games to annotate, and how.
pub struct AnnotateJob<'a> {
    /// The games.
    pub files: GameFiles<'a>,
    /// Search limit per position.
    pub effort: Effort,
    /// The engine; `None` for Sakmak inside the process.
    pub engine: Option<&'a EngineSpec>,
    /// Games annotated in parallel.
    pub threads: usize,
    /// Tablebases beside the DTM tables of the endings against a bare khun.
    pub tables: &'a Tablebases,
    /// These DTM tables, which several jobs can share.
    pub pairs: &'a DtmTables,
    /// Games before the first one, if the files are a part of others.
    pub before: u64,
    /// Output file of annotated games.
    pub out: &'a Path,
    /// Output file with a line of JSON per annotated game.
    pub json: Option<&'a Path>,
    /// Resume with these output files.
    pub resume: bool,
    /// Value of the tag `Annotator`.
    pub annotator: &'a str,
}

/// Progress of an `AnnotateJob`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct AnnotateProgress {
    /// Games written, including those of earlier runs.
    pub games: u64,
    /// Plies evaluated in this run.
    pub plies: u64,
}

/// Summary of a finished `AnnotateJob`.
#[derive(Clone, Debug, Default)]
pub struct Annotated {
    /// Totals of the games read.
    pub summary: ReadSummary,
    /// Games that an earlier run has written.
    pub resumed: u64,
    /// Games annotated.
    pub annotated: u64,
}

/// Games read ahead per thread: enough to keep all threads busy.
const WAITING: usize = 4;

/// A game on its way to the output.
enum Entry {
    /// A game and its number in the files, from 1.
    Game(u64, Box<(PgnGame, GameStart)>),
    /// The text of a broken game.
    Raw(Vec<u8>),
}

struct Annotator<'a, F> {
    job: &'a AnnotateJob<'a>,
    analysts: Vec<Analyst>,
    tables: Tablebases,
    output: AppendFile,
    /// Length of the complete games of the output, in bytes; the rest is cut off before the first game is added.
    whole: u64,
    json: Option<JsonLines>,
    waiting: Vec<Entry>,
    /// Number of the last game read.
    number: u64,
    /// The games that an earlier run has written, which are skipped; `None` for a broken one.
    skip: VecDeque<Option<Tags>>,
    /// What follows them in the output: the beginning of a game, as the earlier run was interrupted.
    unfinished: Vec<u8>,
    /// Start (file, line) of each broken game not yet copied; adjacent ones of a file are listed once.
    broken: Vec<(String, u64)>,
    progress: AnnotateProgress,
    annotated: u64,
    on_game: F,
}

impl AnnotateJob<'_> {
    /// Annotates all games. `on_game` is called after each game written. Broken games are copied unchanged.
    ///
    /// # Errors
    /// If the output cannot be written or an engine fails. The games written before stay, and can be resumed.
    pub fn run(
        &self,
        monitor: &mut dyn ReadMonitor,
        on_game: impl FnMut(AnnotateProgress),
    ) -> Result<Annotated> {
        let Earlier { output, games: skip, whole, unfinished } = self.open()?;
        let resumed = skip.len() as u64;
        let json = self.json.map(|path| JsonLines::open(path, self.resume, resumed, self.out)).transpose()?;
        let rules = Rules::new(self.files.options.variant.unwrap_or_default(), self.files.options.ruleset);
        let analysts = (0..self.threads.max(1)).map(|_| Analyst::new(self.engine, rules, self.pairs));
        let analysts = analysts.collect::<Result<Vec<_>, _>>()?;
        let mut annotator = Annotator {
            job: self,
            analysts,
            tables: self.tables.with_pairs(self.pairs, true),
            output,
            whole,
            json,
            waiting: Vec::new(),
            number: self.before,
            skip,
            unfinished,
            broken: Vec::new(),
            progress: AnnotateProgress { games: resumed, plies: 0 },
            annotated: 0,
            on_game,
        };
        let summary = self.files.read(&mut annotator, monitor)?;
        annotator.copy_broken(None)?;
        ensure!(
            annotator.skip.is_empty() && annotator.unfinished.is_empty(),
            "{}: has more games than the files given: it cannot be resumed with them",
            self.out.display()
        );
        annotator.flush()?;
        annotator.output.sync()?;
        Ok(Annotated { summary, resumed, annotated: annotator.annotated })
    }

    /// The output, and what an earlier run has written to it.
    fn open(&self) -> Result<Earlier> {
        if !self.resume {
            let output = AppendFile::create(self.out)?;
            return Ok(Earlier { output, games: VecDeque::new(), whole: 0, unfinished: Vec::new() });
        }
        let mut output = AppendFile::resume(self.out)?;
        let mut bytes = output.contents()?;
        let (games, whole) = whole_games(&bytes);
        let unfinished = bytes.split_off(whole);
        Ok(Earlier { output, games, whole: whole as u64, unfinished })
    }
}

/// What an earlier run has written.
struct Earlier {
    output: AppendFile,
    games: VecDeque<Option<Tags>>,
    whole: u64,
    unfinished: Vec<u8>,
}

/// The tags of the complete games of a file, `None` for broken ones, and the games' bytes: all if the file ends with a
/// blank line, else all but the last.
fn whole_games(bytes: &[u8]) -> (VecDeque<Option<Tags>>, usize) {
    let mut reader = PgnReader::new(bytes);
    let (mut games, mut last_line) = (VecDeque::new(), 1);
    while let Some(game) = reader.next() {
        games.push_back(game.ok().map(|game| game.tags));
        last_line = reader.game_line();
    }
    if bytes.is_empty() || bytes.ends_with(b"\n\n") {
        return (games, bytes.len());
    }
    let before = usize::try_from(last_line.saturating_sub(1)).unwrap_or(usize::MAX);
    let end = bytes.split_inclusive(|&byte| byte == b'\n').take(before).map(<[u8]>::len).sum();
    games.pop_back();
    (games, end)
}

/// Tags by which games are told from one another.
const TELLING: [&str; 7] = ["Event", "Site", "Date", "Round", "White", "Black", "FEN"];

/// Whether no tag says that two games are different ones.
fn may_be_same(one: &Tags, other: &Tags) -> bool {
    TELLING.iter().all(|name| match (one.get(name), other.get(name)) {
        (Some(one), Some(other)) => one == other,
        _ => true,
    })
}

/// Whether a text is the beginning of a game as it was annotated by `annotator`.
fn begins(text: &[u8], game: &PgnGame, annotator: &str) -> bool {
    let text = String::from_utf8_lossy(text);
    let (tags, has_moves) = match text.split_once("\n\n") {
        Some((tags, _)) => (tags, true),
        None => (text.rsplit_once('\n').map_or("", |(whole, _)| whole), false),
    };
    let found = PgnReader::new(format!("{tags}\n\n*\n\n").as_bytes()).next().and_then(Result::ok);
    let found = found.map(|game| game.tags).unwrap_or_default();
    text.starts_with('[') && may_be_same(&found, &game.tags) && (!has_moves || is_by(&found, annotator))
}

/// Whether a game was annotated by the engine that `annotator` names, with any limits.
fn is_by(tags: &Tags, annotator: &str) -> bool {
    let engine = |text: &str| text.rsplit_once(',').map_or(text, |(name, _)| name).to_owned();
    tags.get("Annotator").map(engine) == Some(engine(annotator))
}

impl<F: FnMut(AnnotateProgress)> Annotator<'_, F> {
    /// Copies the broken games not yet copied, up to `end` (a line of a file) or to the end of their files.
    fn copy_broken(&mut self, end: Option<(&str, u64)>) -> Result<()> {
        for (path, begins) in std::mem::take(&mut self.broken) {
            let last = end.filter(|(file, _)| *file == path).map_or(u64::MAX, |(_, line)| line);
            let skipped = self.job.files.options.origin.lines;
            let (first, end) = (begins.saturating_sub(skipped), last.saturating_sub(skipped));
            let mut text = lines(Path::new(&path), first, end).context(path)?;
            let unfinished = std::mem::take(&mut self.unfinished);
            ensure!(text.starts_with(unfinished.trim_ascii_end()), self.foreign());
            while text.last().is_some_and(u8::is_ascii_whitespace) {
                text.pop();
            }
            text.extend(b"\n\n");
            self.add(Entry::Raw(text))?;
        }
        Ok(())
    }

    /// Why a file is not resumed.
    fn foreign(&self) -> String {
        format!(
            "{}: was not written by this command with these games; it is left as it is",
            self.job.out.display()
        )
    }

    fn add(&mut self, entry: Entry) -> Result<()> {
        self.waiting.push(entry);
        if self.waiting.len() >= WAITING * self.analysts.len() { self.flush() } else { Ok(()) }
    }

    /// Annotates and writes the games read ahead.
    fn flush(&mut self) -> Result<()> {
        self.output.cut(self.whole)?;
        let mut entries = std::mem::take(&mut self.waiting);
        let work: Vec<_> = entries
            .iter_mut()
            .filter_map(|entry| match entry {
                Entry::Game(_, game) => Some(Mutex::new((&mut **game, None))),
                Entry::Raw(_) => None,
            })
            .collect();
        let next = AtomicUsize::new(0);
        let (tables, effort) = (&self.tables, self.job.effort);
        std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .analysts
                .iter_mut()
                .map(|analyst| {
                    let (work, next) = (&work, &next);
                    scope.spawn(move || {
                        while let Some(task) = work.get(next.fetch_add(1, Relaxed)) {
                            let mut task = task.lock().unwrap_or_else(PoisonError::into_inner);
                            let (game, found) = &mut *task;
                            *found = Some(review(&mut game.0, &game.1, analyst, tables, effort));
                        }
                    })
                })
                .collect();
            let joined = threads.into_iter().map(|thread| thread.join().map_err(|_| ()));
            joined.collect::<Result<(), ()>>()
        })
        .map_err(|()| anyhow!("thread: it panicked"))?;
        let reviews: Vec<_> = work
            .into_iter()
            .map(|task| task.into_inner().unwrap_or_else(PoisonError::into_inner).1)
            .collect();
        let mut reviews = reviews.into_iter();
        for entry in entries {
            self.progress.games += 1;
            match entry {
                Entry::Raw(text) => {
                    self.output.append(&text)?;
                    self.whole += text.len() as u64;
                }
                Entry::Game(number, game) => {
                    let missing = || anyhow!("thread: a game was left out");
                    let review = reviews.next().flatten().ok_or_else(missing)??;
                    let mut pgn = game.0;
                    pgn.tags.set("Annotator", self.job.annotator);
                    let mut text = Vec::new();
                    let encoded = PgnWriter::new(&mut text).write_game(&pgn);
                    encoded.with_context(|| self.job.out.display().to_string())?;
                    // Line before game: if the game is not written, a resumed run cuts its line off.
                    if let Some(json) = &mut self.json {
                        json.add(number, &pgn, &review)?;
                    }
                    self.output.append(&text)?;
                    self.whole += text.len() as u64;
                    self.annotated += 1;
                    self.progress.plies += review.plies.len() as u64;
                }
            }
            (self.on_game)(self.progress);
        }
        Ok(())
    }
}

/// The lines of a file from `first` to before `end`.
fn lines(path: &Path, first: u64, end: u64) -> io::Result<Vec<u8>> {
    let mut reader = BufReader::new(File::open(path)?);
    let (mut text, mut line, mut number) = (Vec::new(), Vec::new(), 1);
    while number < end && reader.read_until(b'\n', &mut line)? > 0 {
        if number >= first {
            text.extend(&line);
        }
        line.clear();
        number += 1;
    }
    Ok(text)
}

impl<F: FnMut(AnnotateProgress)> GameVisitor for Annotator<'_, F> {
    type Error = anyhow::Error;

    fn finish(&mut self, file: &str, pgn: PgnGame, start: GameStart) -> Result<Option<BrokenGame>> {
        self.number += 1;
        self.copy_broken(Some((file, pgn.line)))?;
        let annotator = self.job.annotator;
        if let Some(written) = self.skip.pop_front() {
            let is_own = written.is_some_and(|tags| is_by(&tags, annotator) && may_be_same(&tags, &pgn.tags));
            ensure!(is_own, self.foreign());
            if let Some(json) = &mut self.json {
                json.expect(self.number, self.job.out)?;
            }
            return Ok(None);
        }
        let unfinished = std::mem::take(&mut self.unfinished);
        ensure!(unfinished.is_empty() || begins(&unfinished, &pgn, annotator), self.foreign());
        self.add(Entry::Game(self.number, Box::new((pgn, start))))?;
        Ok(None)
    }

    fn broken(&mut self, broken: &BrokenGame, _: Option<&Game>) {
        self.number += 1;
        if self.skip.pop_front().is_some() {
            // An earlier run has copied it.
        } else if self.broken.last().is_none_or(|(file, _)| *file != broken.file) {
            self.broken.push((broken.file.clone(), broken.begins));
        }
    }
}
