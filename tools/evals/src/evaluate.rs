//! Searches the positions of files, several in parallel, and writes a line for each in their order.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use anyhow::{Result, anyhow, bail, ensure};
use sakmak_engine::analysis::{Analysis, NoMoveFound};
use sakmak_engine::{Engine, EngineSettings, GameError, Limits};
use sakmak_eval::DtmTables;
use sakmak_files::games::ReadMonitor;
use sakmak_files::output::AppendFile;
use sakmak_games::ReadOptions;
use sakmak_movegen::rules::PlayRules;
use sakmak_movegen::{CountingSystem, Game, Rules};

use crate::input::{Input, InputFormat, Place, Sink, Source};
use crate::output::{Earlier, Output, Report};
use sakmak_engine::rules_key::rules_key;

/// Positions to evaluate, and how.
pub struct EvaluateJob<'a> {
    /// The files; `-` is standard input.
    pub paths: &'a [PathBuf],
    /// What they contain.
    pub format: InputFormat,
    /// The name of the file in the lines, if it is a part of another one; `None` for the path if there are several.
    pub name: Option<&'a str>,
    /// How games are read, and for a part of a file where it begins.
    pub options: ReadOptions,
    /// The rules of positions in lines. The rules of games follow from `options` and their tags.
    pub rules: Rules,
    /// Limits of each search.
    pub limits: Limits,
    /// Number of best lines.
    pub multi_pv: usize,
    /// Transposition table of each search, in MiB.
    pub hash_mb: usize,
    /// Positions searched in parallel, each by one thread.
    pub threads: usize,
    /// Skip what the output file has already.
    pub resume: bool,
    /// End at the first position that is wrong.
    pub stops_at_fault: bool,
    /// The tables of mates, which several jobs can share.
    pub pairs: DtmTables,
}

/// Progress of an [`EvaluateJob`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct EvaluateProgress {
    /// Lines written in this run.
    pub positions: u64,
    /// Nodes searched in this run.
    pub nodes: u64,
    /// Lines about positions or games that are wrong.
    pub faults: u64,
}

/// Summary of a finished [`EvaluateJob`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Evaluated {
    /// What was done in this run.
    pub done: EvaluateProgress,
    /// Lines that an earlier run had written.
    pub resumed: u64,
    /// Files that could not be read, or not to their end.
    pub unreadable: usize,
}

/// Receives reports while positions are evaluated.
pub trait EvaluateMonitor {
    /// A position or a game is wrong.
    fn fault(&mut self, place: &Place, error: &str);
    /// A message about a position that was searched.
    fn warning(&mut self, place: &Place, message: &str);
    /// Some more lines were written.
    fn progress(&mut self, progress: EvaluateProgress);
}

/// Positions read ahead per thread: enough to keep all threads busy.
const WAITING: usize = 16;

/// A task: a position, and after the search its line.
struct Task {
    place: Place,
    source: Source,
    done: Option<(Report, Vec<String>)>,
}

struct Evaluator<'a> {
    job: &'a EvaluateJob<'a>,
    engines: Vec<Engine>,
    output: Output<'a>,
    earlier: Option<Earlier>,
    waiting: Vec<Task>,
    monitor: &'a mut dyn EvaluateMonitor,
    done: EvaluateProgress,
    resumed: u64,
}

impl<'a> EvaluateJob<'a> {
    /// Evaluates all positions and writes their lines to a file.
    ///
    /// # Errors
    /// If the file cannot be written or resumed, or a position is wrong and [`Self::stops_at_fault`]. The lines
    /// written before stay, and can be resumed.
    pub fn run(
        &'a self,
        out: &Path,
        files: &mut dyn ReadMonitor,
        monitor: &'a mut dyn EvaluateMonitor,
    ) -> Result<Evaluated> {
        let (file, earlier) = if self.resume {
            let (file, earlier) = Earlier::open(out)?;
            (file, Some(earlier))
        } else {
            (AppendFile::create(out)?, None)
        };
        self.write(Output::File(file), earlier, files, monitor)
    }

    /// Evaluates all positions and writes their lines to a stream.
    ///
    /// # Errors
    /// If the stream cannot be written, or a position is wrong and [`Self::stops_at_fault`].
    pub fn run_to(
        &'a self,
        stream: &'a mut dyn Write,
        files: &mut dyn ReadMonitor,
        monitor: &'a mut dyn EvaluateMonitor,
    ) -> Result<Evaluated> {
        self.write(Output::Stream(stream), None, files, monitor)
    }

    fn write(
        &'a self,
        output: Output<'a>,
        earlier: Option<Earlier>,
        files: &mut dyn ReadMonitor,
        monitor: &'a mut dyn EvaluateMonitor,
    ) -> Result<Evaluated> {
        let settings = EngineSettings {
            hash_mb: self.hash_mb,
            multi_pv: self.multi_pv,
            move_overhead: Duration::ZERO,
            rules: self.rules,
            ..EngineSettings::default()
        };
        let engines =
            (0..self.threads.max(1)).map(|_| Engine::with_dtm_tables(settings.clone(), &self.pairs));
        let engines = engines.collect::<Result<Vec<_>, _>>()?;
        let (done, waiting) = (EvaluateProgress::default(), Vec::new());
        let mut evaluator =
            Evaluator { job: self, engines, output, earlier, waiting, monitor, done, resumed: 0 };
        let input = Input { paths: self.paths, name: self.name, format: self.format, options: self.options };
        let read = input.read(&mut evaluator, files);
        // What was read before an error is not lost.
        let flushed = evaluator.flush();
        let unreadable = read?;
        flushed?;
        if let Some(earlier) = evaluator.earlier.filter(|earlier| !earlier.is_at_end()) {
            bail!(
                "the output has more lines than {} positions: give the same files and options",
                earlier.number()
            );
        }
        evaluator.output.finish()?;
        Ok(Evaluated { done: evaluator.done, resumed: evaluator.resumed, unreadable })
    }
}

impl Sink for Evaluator<'_> {
    fn take(&mut self, place: Place, source: Source) -> Result<()> {
        if self.is_there_already(&place, &source)? {
            self.resumed += 1;
            return Ok(());
        }
        let is_fault = matches!(source, Source::Fault { .. });
        self.waiting.push(Task { place, source, done: None });
        let is_full = self.waiting.len() >= WAITING * self.engines.len();
        if is_full || is_fault && self.job.stops_at_fault { self.flush() } else { Ok(()) }
    }
}

impl Evaluator<'_> {
    /// Whether the next line of an earlier run is about this position.
    fn is_there_already(&mut self, place: &Place, source: &Source) -> Result<bool> {
        let Some(earlier) = self.earlier.as_mut().filter(|earlier| !earlier.is_at_end()) else {
            return Ok(false);
        };
        let line = earlier.next(place)?;
        let is_same = match set_up(&mut self.engines[0], source) {
            Ok(()) if line.error.is_some() => line.error == Some(NoMoveFound.to_string()),
            Ok(()) => line.fen == Some(self.engines[0].position().to_string()),
            Err(error) => line.error == Some(error),
        };
        ensure!(is_same, "{}", earlier.mismatch(place));
        Ok(true)
    }

    /// Searches and writes the positions read ahead.
    fn flush(&mut self) -> Result<()> {
        let tasks: Vec<_> = std::mem::take(&mut self.waiting).into_iter().map(Mutex::new).collect();
        let next = AtomicUsize::new(0);
        let job = self.job;
        std::thread::scope(|scope| {
            let threads: Vec<_> = self
                .engines
                .iter_mut()
                .map(|engine| {
                    let (tasks, next) = (&tasks, &next);
                    scope.spawn(move || {
                        while let Some(task) = tasks.get(next.fetch_add(1, Relaxed)) {
                            let mut task = task.lock().unwrap_or_else(PoisonError::into_inner);
                            let done = job.evaluate(engine, &task.place, &task.source);
                            task.done = Some(done);
                        }
                    })
                })
                .collect();
            let joined = threads.into_iter().map(|thread| thread.join().map_err(|_| ()));
            joined.collect::<Result<(), ()>>()
        })
        .map_err(|()| anyhow!("thread: it panicked"))?;
        for task in tasks {
            let Task { place, done, .. } = task.into_inner().unwrap_or_else(PoisonError::into_inner);
            let (report, warnings) = done.ok_or_else(|| anyhow!("thread: a position was left out"))?;
            for warning in &warnings {
                self.monitor.warning(&place, warning);
            }
            match &report {
                Report::Fault { error, .. } if self.job.stops_at_fault => bail!("{place}: {error}"),
                Report::Fault { error, .. } => {
                    self.monitor.fault(&place, error);
                    self.done.faults += 1;
                }
                Report::Analysis { analysis, .. } => self.done.nodes += analysis.nodes,
            }
            self.output.add(&report)?;
            self.done.positions += 1;
        }
        self.monitor.progress(self.done);
        Ok(())
    }
}

/// Sets up a position in an engine; returns what is wrong with it.
fn set_up(engine: &mut Engine, source: &Source) -> Result<(), String> {
    match source {
        Source::Fault { error, .. } => return Err(error.clone()),
        Source::Game(game) => engine.take_game(Game::clone(game)),
        Source::Text { fen, moves } => {
            let fen = Some(fen.as_str()).filter(|&fen| fen != "startpos");
            let refused = engine.set_game(fen, moves.iter().map(String::as_str));
            if let Some(error) = refused.into_iter().next() {
                return Err(match error {
                    GameError::Fen(error) => error.to_string(),
                    error => error.to_string(),
                });
            }
        }
    }
    Ok(())
}

impl EvaluateJob<'_> {
    /// The line of a position, and the messages about it.
    fn evaluate(&self, engine: &mut Engine, place: &Place, source: &Source) -> (Report, Vec<String>) {
        let (place, mut warnings) = (place.clone(), Vec::new());
        let analysis = set_up(engine, source).and_then(|()| {
            warnings.extend(engine.disputed_moves().iter().map(ToString::to_string));
            let mut warn = |message: &str| warnings.push(message.to_owned());
            Analysis::of(engine, self.limits.clone(), &mut warn).map_err(|error| error.to_string())
        });
        let report = match analysis {
            Ok(analysis) => {
                let rules = rules_of_line(self.rules, *engine.game().rules());
                // Without the time, equal searches write equal lines.
                let analysis = Analysis { time_ms: None, ..analysis };
                Report::Analysis { place, rules: rules_key(rules), analysis }
            }
            Err(error) => Report::Fault { place, input: input_of(source), error },
        };
        (report, warnings)
    }
}

/// The rules that a line names: those of play, without what the FEN implies itself.
fn rules_of_line(given: Rules, mut play: PlayRules) -> Rules {
    let ruleset = given.setup.ruleset;
    if CountingSystem::from(ruleset) == CountingSystem::CuteChess
        && play.counting == CountingSystem::FiftyMoves
    {
        play.counting = CountingSystem::CuteChess;
    }
    let is_same_variant = play.variant == given.play.variant;
    let setup = if is_same_variant { given.setup } else { Rules::new(play.variant, ruleset).setup };
    Rules { setup, play }
}

/// What was read of a position that is wrong.
fn input_of(source: &Source) -> String {
    match source {
        Source::Text { fen, moves } if moves.is_empty() => fen.clone(),
        Source::Text { fen, moves } => format!("{fen} moves {}", moves.join(" ")),
        Source::Game(game) => game.position().to_string(),
        Source::Fault { input, .. } => input.clone(),
    }
}
