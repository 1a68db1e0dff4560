//! What a job of the queue is: the words of `annotate` or `evaluate`, and the work on a piece.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow, bail};
use clap::{Args, Parser};
use sakmak_engine::{Limits, SearchRequest, Searcher, bench};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_evals::{EvaluateJob, EvaluateMonitor, EvaluateProgress, InputFormat, Place};
use sakmak_files::games::{BrokenGame, GameFiles, ReadMonitor, ReadWarning, UnreadableFile};
use sakmak_games::ReadOptions;
use sakmak_movegen::Position;
use sakmak_queue::{Outcome, Piece};
use sakmak_tools::annotate::AnnotateJob;

use super::super::annotate::ReviewArgs;
use super::super::evaluate::SearchArgs;
use super::super::stdout::warn;
use super::super::tablebase;

/// The command of a job, with what its results depend on.
#[derive(Parser)]
#[command(name = "sakmak-tools queue init ... --name JOB", no_binary_name = true)]
pub(super) enum JobCommand {
    /// Annotate games, as the command of this name
    Annotate(Box<AnnotateFiles>),
    /// Evaluate positions, as the command of this name
    Evaluate(Box<EvaluateFiles>),
}

/// Games to annotate.
#[derive(Args)]
pub(super) struct AnnotateFiles {
    /// Files of games in PGN, or score sheets
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    /// Keep the lines of JSON for `queue merge --json`
    #[arg(long)]
    json: bool,
    #[command(flatten)]
    review: ReviewArgs,
}

/// Positions to evaluate.
#[derive(Args)]
pub(super) struct EvaluateFiles {
    /// Files of positions, a FEN or EPD record a line, or of games in PGN
    #[arg(required = true, value_name = "FILE")]
    pub(super) files: Vec<PathBuf>,
    #[command(flatten)]
    search: SearchArgs,
}

impl JobCommand {
    /// The command of the words stored with a job.
    ///
    /// # Errors
    /// If this program does not understand them.
    pub(super) fn of_words(words: &[String]) -> Result<Self> {
        Self::try_parse_from(words).map_err(|error| anyhow!("the job's command: {error}"))
    }

    /// The input files.
    pub(super) fn files(&self) -> &[PathBuf] {
        match self {
            Self::Annotate(annotate) => &annotate.files,
            Self::Evaluate(evaluate) => &evaluate.files,
        }
    }

    /// Whether the pieces have lines of JSON beside the output.
    pub(super) fn has_json(&self) -> bool {
        matches!(self, Self::Annotate(annotate) if annotate.json)
    }

    /// Whether a file has games, and how they are read.
    ///
    /// # Errors
    /// If that depends on the file, and it cannot be read.
    pub(super) fn reading(&self, path: &Path) -> Result<(bool, ReadOptions)> {
        match self {
            Self::Annotate(annotate) => Ok((true, annotate.review.options())),
            Self::Evaluate(evaluate) => {
                let job = evaluate.search.job(&[])?;
                let has_games = job.format.has_games(path).with_context(|| path.display().to_string())?;
                Ok((has_games, job.options))
            }
        }
    }
}

/// Works on pieces.
pub(super) struct Computer {
    command: JobCommand,
    tables: Tablebases,
    pairs: DtmTables,
    folder: PathBuf,
}

impl Computer {
    /// A computer for a command, with `folder` for its files.
    ///
    /// # Errors
    /// If a tablebase of the command cannot be opened.
    pub(super) fn new(command: JobCommand, pairs: DtmTables, folder: PathBuf) -> Result<Self> {
        let tables = match &command {
            JobCommand::Annotate(annotate) => tablebase::open(&annotate.review.tablebases)?,
            JobCommand::Evaluate(_) => Tablebases::default(),
        };
        Ok(Self { command, tables, pairs, folder })
    }

    /// The result of a piece, as if it was read with the rest of the input. `number` is that of the piece.
    ///
    /// # Errors
    /// If an engine fails, or there is no place for the files.
    pub(super) fn compute(&self, number: i32, piece: &Piece) -> Result<Outcome> {
        let file = |kind: &str| self.folder.join(format!("{number}.{kind}"));
        let (input, out, json) = (file("input"), file("out"), file("json"));
        fs::write(&input, &piece.text).with_context(|| input.display().to_string())?;
        let outcome = match &self.command {
            JobCommand::Annotate(annotate) => self.annotate(annotate, piece, &input, &out, &json),
            JobCommand::Evaluate(evaluate) => self.evaluate(evaluate, piece, &input),
        };
        for path in [input, out, json] {
            let _ = fs::remove_file(path);
        }
        outcome
    }

    fn annotate(
        &self,
        annotate: &AnnotateFiles,
        piece: &Piece,
        input: &PathBuf,
        out: &Path,
        json: &Path,
    ) -> Result<Outcome> {
        let options = ReadOptions { origin: piece.origin, ..annotate.review.options() };
        let mut messages = Messages::about(&piece.file);
        let annotated = AnnotateJob {
            files: GameFiles { paths: std::slice::from_ref(input), options },
            effort: annotate.review.effort(),
            engine: annotate.review.engine.as_ref(),
            threads: 1,
            tables: &self.tables,
            pairs: &self.pairs,
            before: piece.before,
            out,
            json: annotate.json.then_some(json),
            resume: false,
            annotator: &annotate.review.annotator(),
        }
        .run(&mut messages, |_| ())?;
        messages.end()?;
        let read = |path: &Path| fs::read(path).with_context(|| path.display().to_string());
        let json = if annotate.json { read(json)? } else { Vec::new() };
        Ok(Outcome { output: read(out)?, json, faults: annotated.summary.broken })
    }

    fn evaluate(&self, evaluate: &EvaluateFiles, piece: &Piece, input: &PathBuf) -> Result<Outcome> {
        let job = evaluate.search.job(std::slice::from_ref(input))?;
        let job = EvaluateJob {
            name: (evaluate.files.len() > 1).then_some(piece.file.as_str()),
            format: if piece.has_games { InputFormat::Games } else { InputFormat::Lines },
            options: ReadOptions { origin: piece.origin, ..job.options },
            pairs: self.pairs.clone(),
            ..job
        };
        let [mut messages, mut places] = [(); 2].map(|()| Messages::about(&piece.file));
        let mut output = Vec::new();
        let evaluated = job.run_to(&mut output, &mut messages, &mut places)?;
        messages.end()?;
        Ok(Outcome { output, json: Vec::new(), faults: evaluated.done.faults })
    }
}

/// Prints messages about a piece with the name of its file.
pub(super) struct Messages<'a> {
    file: &'a str,
    unreadable: Option<String>,
}

impl<'a> Messages<'a> {
    /// Messages about a file.
    pub(super) fn about(file: &'a str) -> Self {
        Self { file, unreadable: None }
    }

    /// # Errors
    /// If the piece could not be read.
    fn end(self) -> Result<()> {
        match self.unreadable {
            Some(reason) => bail!("{}: {reason}", self.file),
            None => Ok(()),
        }
    }
}

impl ReadMonitor for Messages<'_> {
    fn broken(&mut self, game: &BrokenGame) {
        warn(BrokenGame { file: self.file.to_owned(), ..game.clone() });
    }

    fn warning(&mut self, warning: &ReadWarning) {
        warn(ReadWarning { file: self.file.to_owned(), ..warning.clone() });
    }

    fn unreadable(&mut self, file: &UnreadableFile) {
        self.unreadable = Some(file.reason.clone());
    }

    fn progress(&mut self, _: u64, _: u64) {}
}

impl EvaluateMonitor for Messages<'_> {
    fn fault(&mut self, place: &Place, error: &str) {
        let place = Place { file: Some(self.file.to_owned()), ..place.clone() };
        warn(format_args!("{place}: error: {error}"));
    }

    fn warning(&mut self, place: &Place, message: &str) {
        let place = Place { file: Some(self.file.to_owned()), ..place.clone() };
        warn(format_args!("{place}: warning: {message}"));
    }

    fn progress(&mut self, _: EvaluateProgress) {}
}

/// The version of this program, and the nodes of a short search of positions of `bench`: results of programs with the
/// same ones are equal.
///
/// # Errors
/// If there is no memory for a search.
pub(super) fn program(pairs: &DtmTables) -> Result<String> {
    /// Enough that every part of the search has its say, and few enough that a worker starts at once: the positions
    /// after these need DTM tables, which take a second to solve.
    const POSITIONS: usize = 14;
    const DEPTH: u32 = 7;
    const HASH_MB: usize = 1;
    let (mut searcher, mut nodes) = (Searcher::new(HASH_MB)?.with_dtm_tables(pairs), 0);
    for fen in &bench::POSITIONS[..POSITIONS] {
        searcher.clear();
        let position = Position::from_fen(fen).map_err(|error| anyhow!("bench: {error}"))?;
        let limits = Limits { depth: Some(DEPTH), ..Limits::default() };
        nodes += searcher.search(&SearchRequest::new(position, limits)).nodes;
    }
    Ok(format!("sakmak-tools {}, {nodes} nodes", env!("CARGO_PKG_VERSION")))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The two results of a command: of its pieces, one after the other, and of the file.
    fn both(words: &[&str], text: &str, size: u64, places: &[&str]) -> [Outcome; 2] {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("games.pgn");
        fs::write(&path, text).expect("a file");
        let words: Vec<_> =
            words.iter().map(ToString::to_string).chain([path.display().to_string()]).collect();
        let computer = |words: &[String]| {
            let command = JobCommand::of_words(words).expect("a command");
            Computer::new(command, DtmTables::default(), folder.path().to_owned()).expect("a computer")
        };
        let results = [size, u64::MAX].map(|size| {
            let (mut pieces, mut before) = (Vec::new(), 0);
            let command = JobCommand::of_words(&words).expect("a command");
            let (has_games, options) = command.reading(&path).expect("a file");
            let mut messages = Messages::about("games.pgn");
            let take = |piece| -> Result<()> {
                pieces.push(piece);
                Ok(())
            };
            sakmak_queue::split(&path, has_games, options, size, &mut before, &mut messages, take)
                .expect("pieces");
            assert_eq!(pieces.len() > 1, size < u64::MAX);
            let mut whole = Outcome::default();
            // Backwards, and each by a computer of its own: nothing depends on the piece before.
            let backwards = pieces.iter().rev().map(|piece| computer(&words).compute(0, piece));
            let done: Vec<_> = backwards.collect();
            for done in done.into_iter().rev().map(|done| done.expect("a result")) {
                whole.output.extend(done.output);
                whole.json.extend(done.json);
                whole.faults += done.faults;
            }
            whole
        });
        let text = String::from_utf8_lossy(&results[1].output);
        for place in places {
            assert!(text.contains(place), "no {place} in {text}");
        }
        results
    }

    const GAMES: &str = "[Event \"1\"]\n\n1. e4 d5 2. exd5 exd5 *\n\n[Event \"2\"]\n\n1. d4 *\n\n\n\
        [Event \"3\"]\n\n1. Rxh8 *\n\n\n\n[Event \"4\"]\n\n1. Rxh8 *\n\n\n[Event \"5\"]\n\n1. e4 e5 *\n\n\
        [Event \"6\"]\n\n1. d4 {a} d5 *\n\n[Event \"7\"]\n[Variant \"cambodian\"]\n\n1. d4 *\n\n\
        [Event \"8\"]\n\n1. d4 *\n";

    #[test]
    fn annotated_pieces_are_the_annotated_file() {
        let words = ["annotate", "--nodes", "500", "--variant", "makruk", "--json"];
        let [pieces, whole] = both(&words, GAMES, 1, &["[Event \"8\"]", "Rxh8 *\n\n\n\n[Event \"4\"]"]);
        assert!(pieces == whole, "{pieces:?}\n{whole:?}");
        assert_eq!(whole.faults, 2);
        assert!(String::from_utf8_lossy(&whole.json).contains("\"game\":7"));
    }

    #[test]
    fn evaluated_pieces_are_the_evaluated_file() {
        let words = ["evaluate", "--nodes", "200"];
        let [pieces, whole] = both(&words, GAMES, 2, &["\"game\":8,\"ply\":1", "\"line\":12,\"game\":3"]);
        assert!(pieces == whole, "{pieces:?}\n{whole:?}");
        let lines = "startpos\n\nnonsense\n# no\nstartpos moves e3e4\n";
        let [pieces, whole] = both(&words, lines, 2, &["{\"line\":3", "{\"line\":5"]);
        assert!(pieces == whole, "{pieces:?}\n{whole:?}");
    }

    #[test]
    fn the_program_is_the_same_twice() {
        let [one, two] = [(); 2].map(|()| program(&DtmTables::default()).expect("memory"));
        assert_eq!(one, two);
        assert!(one.starts_with("sakmak-tools "), "{one}");
    }
}
