//! The commands `evals import`, `export`, `check`, `merge` and `query`.

use std::collections::BTreeMap;
use std::io::{self, BufRead, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::{Context, Result, ensure};
use clap::{Args, Subcommand};
use sakmak_engine::book::Book;
use sakmak_engine::evaluations::{Evaluations, EvaluationsWriter};
use sakmak_evals::{
    Imported, LinesRead, PositionKey, Record, Store, book_records, book_rules, read_records, rules_key,
};
use sakmak_files::output::OutputFile;
use sakmak_movegen::{Rules, Ruleset, Variant};

use super::args::named;
use super::stdout::{print, print_error, warn};

/// Collect and share evaluations of positions
///
/// A line is a JSON object with the position as `fen`, without what cannot matter, and its evaluations as `evals`, as in
/// the database of lichess. Lines of `evaluate` and of `sakmak analyse --json` are read too.
#[derive(Args)]
#[command(after_help = "docs/evaluations.md describes the lines and the store.")]
pub(crate) struct EvalsArgs {
    #[command(subcommand)]
    command: EvalsCommand,
}

#[derive(Subcommand)]
enum EvalsCommand {
    Import(Import),
    Export(Export),
    Check(Check),
    Merge(Merge),
    Query(Query),
}

/// Merge files of evaluations into a store
///
/// The store is created if it does not exist. Of the evaluations of a position those are kept for which no other one
/// with at least as many lines is deeper. Wrong lines are reported on standard error; the exit status is then 1.
#[derive(Args)]
struct Import {
    /// Files of evaluations; - or no file means standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// The store, an SQLite database
    #[arg(long, value_name = "STORE")]
    store: PathBuf,
    /// Opening book whose searched positions to merge as well; standard input is then not read
    #[arg(long, value_name = "BOOK")]
    book: Option<PathBuf>,
    #[command(flatten)]
    rules: LineRules,
}

/// Print the evaluations of a store, a line for each position
///
/// With --engine, writes a file for the engine's option EvaluationsFile: 16 bytes a position, with its deepest score and
/// the two best moves.
#[derive(Args)]
struct Export {
    /// The store
    #[arg(long, value_name = "STORE")]
    store: PathBuf,
    /// Write a file for the engine in place of lines
    #[arg(long, requires = "out")]
    engine: bool,
    /// Write to this new file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
}

/// Check a file for the engine
///
/// Reads all of it: checksums, order, and the form of every record. With --store, looks every position of the store up
/// in the file, and compares scores, depths and moves, which must be legal.
#[derive(Args)]
struct Check {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The store that the file was made from
    #[arg(long, value_name = "STORE")]
    store: Option<PathBuf>,
}

/// Merge files of evaluations into one, in the order of the store
///
/// All positions are kept in memory; for more, import them into a store. Wrong lines are reported on standard error; the
/// exit status is then 1.
#[derive(Args)]
struct Merge {
    /// Files of evaluations; - or no file means standard input
    #[arg(value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Write to this new file instead of standard output
    #[arg(long, value_name = "FILE")]
    out: Option<PathBuf>,
    #[command(flatten)]
    rules: LineRules,
}

/// Print the evaluations of positions
///
/// A position without any has a line with an empty list. The exit status is 1 if a position is wrong.
#[derive(Args)]
struct Query {
    /// The positions as FEN; without any, standard input has one a line
    #[arg(value_name = "FEN")]
    fens: Vec<String>,
    /// The store
    #[arg(long, value_name = "STORE")]
    store: PathBuf,
}

/// The rules of the evaluations.
#[derive(Args)]
struct LineRules {
    /// The variant, if there is no store yet
    #[arg(long, default_value_t, value_parser = named::<Variant>(Variant::NAMES))]
    variant: Variant,
    /// The ruleset, if there is no store yet
    #[arg(long, default_value_t, value_parser = named::<Ruleset>(Ruleset::NAMES))]
    ruleset: Ruleset,
    /// Parts of the rules that differ from the ruleset, such as "Repetition=none", if there is no store yet
    #[arg(long, default_value = "", hide_default_value = true)]
    rule_parts: String,
}

impl LineRules {
    fn rules(&self) -> Result<Rules> {
        let rules = Rules::new(self.variant, self.ruleset);
        rules.with_parts(&self.rule_parts).context("--rule-parts")
    }
}

/// Records merged into a store at once.
const BATCH: usize = 100_000;

impl EvalsArgs {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            EvalsCommand::Import(import) => import.run(),
            EvalsCommand::Export(export) => export.run(),
            EvalsCommand::Check(check) => check.run(),
            EvalsCommand::Merge(merge) => merge.run(),
            EvalsCommand::Query(query) => query.run(),
        }
    }
}

/// Passes the records of all files to `visit`. Wrong lines are reported.
fn read_all(
    files: &[PathBuf],
    rules: Rules,
    visit: &mut dyn FnMut(Record) -> Result<()>,
) -> Result<LinesRead> {
    let stdin = [PathBuf::from("-")];
    let mut total = LinesRead::default();
    for path in if files.is_empty() { &stdin[..] } else { files } {
        let name = if path.as_os_str() == "-" { "standard input".into() } else { path.to_string_lossy() };
        let read = read_records(path, rules, visit, &mut |number, error| {
            warn(format_args!("{name}: line {number}: error: {error}"));
        })?;
        total.records += read.records;
        total.skipped += read.skipped;
        total.faults += read.faults;
    }
    Ok(total)
}

fn exit_code(read: LinesRead) -> ExitCode {
    ExitCode::from(u8::from(read.faults > 0))
}

/// Writes lines to a new file, or without one to standard output.
fn write_lines(
    out: Option<&Path>,
    lines: impl FnOnce(&mut dyn FnMut(&str) -> Result<()>) -> Result<()>,
) -> Result<()> {
    let Some(path) = out else {
        let mut stdout = BufWriter::new(io::stdout().lock());
        lines(&mut |line| writeln!(stdout, "{line}").map_err(print_error))?;
        return stdout.flush().map_err(print_error);
    };
    let mut file = BufWriter::new(OutputFile::create(path)?.draft()?);
    let failed = || path.display().to_string();
    lines(&mut |line| writeln!(file, "{line}").with_context(failed))?;
    let draft = file.into_inner().map_err(|error| error.into_error()).with_context(failed)?;
    draft.commit()?;
    Ok(())
}

impl Import {
    fn run(&self) -> Result<ExitCode> {
        let mut store = Store::create(&self.store, self.rules.rules()?)?;
        let rules = store.rules();
        let (mut waiting, mut total) = (Vec::new(), Imported::default());
        let mut merge = |records: &mut Vec<Record>| -> Result<()> {
            let imported = store.merge(std::mem::take(records))?;
            total.new += imported.new;
            total.changed += imported.changed;
            total.same += imported.same;
            Ok(())
        };
        let mut read = LinesRead::default();
        if let Some(path) = &self.book {
            let book = Book::open(path).with_context(|| path.display().to_string())?;
            let [found, wanted] = [book_rules(&book), rules].map(rules_key);
            ensure!(found == wanted, "{}: has the rules '{found}', not '{wanted}'", path.display());
            let mut records = book_records(&book);
            read.records = records.len() as u64;
            merge(&mut records)?;
        }
        if self.book.is_none() || !self.files.is_empty() {
            let lines = read_all(&self.files, rules, &mut |record| {
                waiting.push(record);
                if waiting.len() >= BATCH { merge(&mut waiting) } else { Ok(()) }
            })?;
            read = LinesRead { records: read.records + lines.records, ..lines };
        }
        merge(&mut waiting)?;
        store.close_gaps(total)?;
        warn(format_args!(
            "{} evaluations read: {} new positions, {} changed, {} had them; {} lines without a search, {} wrong; \
             {} positions in the store",
            read.records,
            total.new,
            total.changed,
            total.same,
            read.skipped,
            read.faults,
            store.positions()?
        ));
        Ok(exit_code(read))
    }
}

impl Export {
    fn run(&self) -> Result<ExitCode> {
        let store = Store::open(&self.store)?;
        if let Some(path) = self.out.as_deref().filter(|_| self.engine) {
            let mut writer = EvaluationsWriter::new(store.rules());
            store.for_each(|record| {
                if let Some(known) = record.known() {
                    writer.add(&record.key, known);
                }
                anyhow::Ok(())
            })?;
            let failed = || path.display().to_string();
            let mut file = BufWriter::new(OutputFile::create(path)?.draft()?);
            let positions = writer.write(&mut file).with_context(failed)?;
            let draft = file.into_inner().map_err(|error| error.into_error()).with_context(failed)?;
            draft.commit()?;
            warn(format_args!("{}: {positions} positions", path.display()));
            return Ok(ExitCode::SUCCESS);
        }
        write_lines(self.out.as_deref(), |write| {
            store.for_each(|record| write(&record.line(store.rules())))
        })?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Check {
    fn run(&self) -> Result<ExitCode> {
        let failed = || self.file.display().to_string();
        let file = Evaluations::open(&self.file).with_context(failed)?;
        if let Some(path) = &self.store {
            let store = Store::open(path)?;
            let rules = store.rules();
            let [found, wanted] = [file.rules(), rules].map(rules_key);
            ensure!(found == wanted, "{}: has the rules '{found}', not '{wanted}'", failed());
            store.for_each(|record| {
                let (_, position) = PositionKey::read(record.key.as_str(), rules)?;
                let (found, wanted) = (file.get(&position), record.known());
                ensure!(found == wanted, "{}: {} has {found:?}, not {wanted:?}", failed(), record.key);
                Ok(())
            })?;
            let positions = store.positions()?;
            ensure!(
                positions == file.len(),
                "{}: {} positions, and {positions} in the store",
                failed(),
                file.len()
            );
        }
        print(&format!("{} positions of {}, sound\n", file.len(), rules_key(file.rules())))?;
        Ok(ExitCode::SUCCESS)
    }
}

impl Merge {
    fn run(&self) -> Result<ExitCode> {
        let rules = self.rules.rules()?;
        let mut records: BTreeMap<Vec<u8>, Record> = BTreeMap::new();
        let read = read_all(&self.files, rules, &mut |record| {
            match records.get_mut(&record.key.to_bytes()) {
                Some(known) => known.merge(record),
                None => drop(records.insert(record.key.to_bytes(), record)),
            }
            Ok(())
        })?;
        write_lines(self.out.as_deref(), |write| {
            records.values().try_for_each(|record| write(&record.line(rules)))
        })?;
        Ok(exit_code(read))
    }
}

impl Query {
    fn run(&self) -> Result<ExitCode> {
        let store = Store::open(&self.store)?;
        let mut code = ExitCode::SUCCESS;
        let mut answer = |place: &str, fen: &str| -> Result<()> {
            match PositionKey::read(fen, store.rules()) {
                Ok((key, _)) => {
                    let empty = || Record { key: key.clone(), evaluations: Vec::new() };
                    let record = store.get(&key)?.unwrap_or_else(empty);
                    print(&(record.line(store.rules()) + "\n"))
                }
                Err(error) => {
                    warn(format_args!("{place}error: {error}"));
                    code = ExitCode::FAILURE;
                    Ok(())
                }
            }
        };
        for fen in &self.fens {
            answer("", fen)?;
        }
        if self.fens.is_empty() {
            for (line, number) in io::stdin().lock().lines().zip(1..) {
                let line = line.context("cannot read standard input")?;
                let fen = line.trim();
                if !fen.is_empty() && !fen.starts_with('#') {
                    answer(&format!("line {number}: "), fen)?;
                }
            }
        }
        Ok(code)
    }
}
