//! Annotates all games of files, several in parallel, and writes them in their order.

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
use sakmak_games::pgn::{PgnGame, PgnReader, PgnWriter};
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
    /// Games to skip, as an earlier run has written them.
    skip: u64,
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
        let (output, skip, whole) = self.open()?;
        let json = self.json.map(|path| JsonLines::open(path, self.resume, skip, self.out)).transpose()?;
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
            broken: Vec::new(),
            progress: AnnotateProgress { games: skip, plies: 0 },
            annotated: 0,
            on_game,
        };
        let summary = self.files.read(&mut annotator, monitor)?;
        ensure!(
            annotator.skip == 0,
            "{}: has more games than the files given: it cannot be resumed with them",
            self.out.display()
        );
        annotator.copy_broken(None)?;
        annotator.flush()?;
        annotator.output.sync()?;
        Ok(Annotated { summary, resumed: skip, annotated: annotator.annotated })
    }

    /// The output, the number of complete games in it, and their length in bytes.
    fn open(&self) -> Result<(AppendFile, u64, u64)> {
        if !self.resume {
            return Ok((AppendFile::create(self.out)?, 0, 0));
        }
        let mut file = AppendFile::resume(self.out)?;
        let (games, end) = whole_games(&file.contents()?);
        Ok((file, games, end))
    }
}

/// The number of complete games of a file and their bytes: all if it ends with a blank line, else all but the last.
fn whole_games(bytes: &[u8]) -> (u64, u64) {
    let mut reader = PgnReader::new(bytes);
    let (mut games, mut last_line) = (0_u64, 1);
    while reader.next().is_some() {
        games += 1;
        last_line = reader.game_line();
    }
    if bytes.is_empty() || bytes.ends_with(b"\n\n") {
        return (games, bytes.len() as u64);
    }
    let before = usize::try_from(last_line.saturating_sub(1)).unwrap_or(usize::MAX);
    let end: usize = bytes.split_inclusive(|&byte| byte == b'\n').take(before).map(<[u8]>::len).sum();
    (games.saturating_sub(1), end as u64)
}

impl<F: FnMut(AnnotateProgress)> Annotator<'_, F> {
    /// Copies the broken games not yet copied, up to `end` (a line of a file) or to the end of their files.
    fn copy_broken(&mut self, end: Option<(&str, u64)>) -> Result<()> {
        for (path, begins) in std::mem::take(&mut self.broken) {
            let last = end.filter(|(file, _)| *file == path).map_or(u64::MAX, |(_, line)| line);
            let skipped = self.job.files.options.origin.lines;
            let (first, end) = (begins.saturating_sub(skipped), last.saturating_sub(skipped));
            let mut text = lines(Path::new(&path), first, end).context(path)?;
            while text.last().is_some_and(u8::is_ascii_whitespace) {
                text.pop();
            }
            text.extend(b"\n\n");
            self.add(Entry::Raw(text))?;
        }
        Ok(())
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
        if self.skip > 0 {
            self.skip -= 1;
            if let Some(json) = &mut self.json {
                json.expect(self.number, self.job.out)?;
            }
            return Ok(None);
        }
        self.add(Entry::Game(self.number, Box::new((pgn, start))))?;
        Ok(None)
    }

    fn broken(&mut self, broken: &BrokenGame, _: Option<&Game>) {
        self.number += 1;
        if self.skip > 0 {
            self.skip -= 1;
        } else if self.broken.last().is_none_or(|(file, _)| *file != broken.file) {
            self.broken.push((broken.file.clone(), broken.begins));
        }
    }
}
