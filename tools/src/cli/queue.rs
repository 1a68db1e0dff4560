//! The commands `queue init`, `work`, `status`, `merge`, `retry` and `drop`.

mod compute;

use std::fs::File;
use std::io::{BufWriter, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use anyhow::{Context, Result, anyhow, bail, ensure};
use clap::{Args, Parser, Subcommand};
use sakmak_eval::DtmTables;
use sakmak_files::output::{Draft, OutputFile};
use sakmak_queue::{Event, Server, Status, Workers};

use super::args::{secret, thread_count, whole};
use super::progress::{LineTimer, bar, threads};
use super::stdout::{print, warn};
use compute::{Computer, JobCommand, Messages, program};

/// Annotate or evaluate files on any number of machines
///
/// `init` stores the files in a PostgreSQL database, in pieces of whole games or lines. Each `work`, on any machine,
/// works on pieces until none is left; it may be killed at any time. `merge` writes what one machine would have
/// written.
#[derive(Args)]
#[command(after_help = "Examples:\n  \
    sakmak-tools queue init --url postgresql://me@server/games --name may annotate --nodes 100000 games.pgn\n  \
    sakmak-tools queue work --url postgresql://me@server/games --name may\n  \
    sakmak-tools queue merge --url postgresql://me@server/games --name may --out annotated.pgn\n\n\
    docs/queue.md describes how to set up the server. The exit status is 2 if a command could not do its work.")]
pub(crate) struct QueueArgs {
    #[command(subcommand)]
    command: QueueCommand,
}

#[derive(Subcommand)]
enum QueueCommand {
    Init(Init),
    Work(Work),
    Status(StatusArgs),
    Merge(Merge),
    Retry(Retry),
    Drop(Drop),
}

/// The job and its server.
#[derive(Args)]
struct Address {
    /// Address of the PostgreSQL database, as for psql: postgresql://USER@HOST/DATABASE
    #[arg(long)]
    url: String,
    /// Name of the job
    #[arg(long)]
    name: String,
    /// File with the password [default: that of the URL, or the variable PGPASSWORD]
    #[arg(long, value_name = "FILE")]
    password_file: Option<PathBuf>,
}

impl Address {
    fn server(&self) -> Result<Server> {
        let password = match &self.password_file {
            Some(path) => Some(secret(path)?.trim_end_matches(['\r', '\n']).to_owned()),
            None => std::env::var("PGPASSWORD").ok(),
        };
        Ok(Server::new(&self.url, password.as_deref())?)
    }
}

/// Make a job: a command on files, cut into pieces
///
/// What follows the options is the command, annotate or evaluate, with its options and files; `queue init --url U --name
/// J annotate --help` lists them.
#[derive(Args)]
struct Init {
    #[command(flatten)]
    address: Address,
    /// Games of a piece, or lines if the files have lines [default: 10 games, 100 lines]
    #[arg(long, value_name = "N", value_parser = whole::<u64>(1..))]
    size: Option<u64>,
    /// The command: annotate or evaluate, its options, and files
    #[arg(required = true, trailing_var_arg = true, allow_hyphen_values = true, value_name = "COMMAND")]
    words: Vec<String>,
}

/// Work on a job until nothing is left
///
/// Ctrl-C finishes the pieces in hand and ends; a second Ctrl-C, or the signal TERM, gives them back at once.
#[derive(Args)]
#[command(
    after_help = "The exit status is 0 after a signal and if all pieces are done, 1 if some were set aside as failed, \
    and 2 if the work cannot be done here."
)]
struct Work {
    #[command(flatten)]
    address: Address,
    /// Pieces worked on in parallel [default: the number of cores]
    #[arg(long, value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

/// Print how far a job is
#[derive(Args)]
struct StatusArgs {
    #[command(flatten)]
    address: Address,
}

/// Write the results of a job in the order of its files
#[derive(Args)]
#[command(
    after_help = "The exit status is 0 if every game or position was right, 1 if some were wrong, and 2 if pieces \
    are missing or a file cannot be written."
)]
struct Merge {
    #[command(flatten)]
    address: Address,
    /// New file for the results
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
    /// New file for the lines of JSON of annotate --json
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    /// Write what there is, even if pieces are missing
    #[arg(long)]
    partial: bool,
}

/// Put the pieces that were set aside as failed back into the queue
#[derive(Args)]
struct Retry {
    #[command(flatten)]
    address: Address,
}

/// Remove a job with its pieces and results
#[derive(Args)]
struct Drop {
    #[command(flatten)]
    address: Address,
}

/// Games, and lines, of a piece.
const SIZES: [u64; 2] = [10, 100];

impl QueueArgs {
    /// Runs the command.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        match &self.command {
            QueueCommand::Init(init) => init.run(),
            QueueCommand::Work(work) => work.run(),
            QueueCommand::Status(status) => status.run(),
            QueueCommand::Merge(merge) => merge.run(),
            QueueCommand::Retry(retry) => retry.run(),
            QueueCommand::Drop(drop) => {
                sakmak_queue::drop_job(&drop.address.server()?, &drop.address.name)?;
                Ok(ExitCode::SUCCESS)
            }
        }
    }
}

impl Init {
    fn run(&self) -> Result<ExitCode> {
        let command = JobCommand::try_parse_from(&self.words).unwrap_or_else(|error| error.exit());
        let files = command.files();
        ensure!(files.iter().all(|path| path.as_os_str() != "-"), "standard input cannot be cut into pieces");
        let server = self.address.server()?;
        let made_by = program(&DtmTables::default())?;
        let mut total = 0;
        let pieces = sakmak_queue::create(&server, &self.address.name, &made_by, &self.words, |store| {
            let mut before = 0;
            for path in files {
                let (has_games, options) = command.reading(path)?;
                let size = self.size.unwrap_or(SIZES[usize::from(!has_games)]);
                let name = path.display().to_string();
                let mut messages = Messages::about(&name);
                let take = |piece: sakmak_queue::Piece| -> Result<()> {
                    total += piece.items;
                    Ok(store(piece)?)
                };
                sakmak_queue::split(path, has_games, options, size, &mut before, &mut messages, take)?;
            }
            anyhow::Ok(())
        })?;
        warn(format_args!("{pieces} pieces with {total} games or lines; `queue work` works on them"));
        Ok(ExitCode::SUCCESS)
    }
}

/// Stops the workers at signals: first they finish; then the pieces in hand are given back, and the program ends.
#[cfg(unix)]
fn stop_on_signals<'a>(
    scope: &'a std::thread::Scope<'a, '_>,
    workers: &'a Workers<'_>,
    folder: &'a Path,
) -> Result<signal_hook::iterator::Handle> {
    use sakmak_queue::Stop;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let handle = signals.handle();
    scope.spawn(move || {
        let mut is_ending = false;
        for signal in signals.forever() {
            if signal == SIGINT && !is_ending {
                warn("finishing the pieces in hand; Ctrl-C again gives them back");
                workers.stop(Stop::Finish);
                is_ending = true;
                continue;
            }
            match workers.give_back() {
                Ok(pieces) => warn(format_args!("{pieces} pieces given back")),
                Err(error) => warn(format_args!("error: the pieces in hand are not given back: {error}")),
            }
            let _ = std::fs::remove_dir_all(folder);
            std::process::exit(0);
        }
    });
    Ok(handle)
}

impl Work {
    fn run(&self) -> Result<ExitCode> {
        let (pairs, timer) = (DtmTables::default(), Mutex::new(LineTimer::start()));
        let (pieces, items) = (AtomicU64::new(0), AtomicU64::new(0));
        let bar = bar(None, "{spinner} {msg}  {elapsed} gone");
        let rate = |timer: &LineTimer| {
            let (pieces, items) = (pieces.load(Relaxed), items.load(Relaxed));
            let rate = items as f64 / timer.elapsed().as_secs_f64().max(1e-9);
            format!("{pieces} pieces, {items} games or lines, {rate:.1} a second")
        };
        let report = |event: Event| match event {
            Event::Done(more) => {
                pieces.fetch_add(1, Relaxed);
                items.fetch_add(more, Relaxed);
                let mut timer = timer.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
                let line = rate(&timer);
                if bar.is_hidden() && timer.is_due() {
                    warn(&line);
                }
                bar.set_message(line);
            }
            event => bar.suspend(|| warn(event)),
        };
        let host = sysinfo::System::host_name().unwrap_or_else(|| "a machine without a name".to_owned());
        let host = format!("{host}, process {}", std::process::id());
        let (server, name) = (self.address.server()?, &self.address.name);
        let workers = Workers::new(server, name, &program(&pairs)?, host, &report)?;
        let folder = tempfile::Builder::new().prefix("sakmak-queue-").tempdir()?;
        let command = JobCommand::of_words(&workers.job().words)?;
        let computer = Computer::new(command, pairs, folder.path().to_owned())?;
        let compute = |task: &sakmak_queue::Task| {
            computer.compute(task.number, &task.piece).map_err(|error| {
                format!("{}, line {}: {error:#}", task.piece.file, task.piece.origin.lines + 1)
            })
        };
        let run = || workers.run(threads(self.threads).get(), &compute);
        #[cfg(unix)]
        let ended = std::thread::scope(|scope| {
            let signals = stop_on_signals(scope, &workers, folder.path())?;
            let ended = run();
            signals.close();
            anyhow::Ok(ended?)
        });
        #[cfg(not(unix))]
        let ended = run();
        bar.finish_and_clear();
        warn(rate(&timer.lock().unwrap_or_else(std::sync::PoisonError::into_inner)));
        let failed = ended?;
        if failed > 0 {
            warn(format_args!("{failed} pieces are set aside as failed: `queue status` says why"));
        }
        Ok(ExitCode::from(u8::from(failed > 0)))
    }
}

/// The lines of `queue status`.
fn describe(status: &Status) -> String {
    let [all, done] = status.items;
    let mut text = format!(
        "{} pieces: {} done, {} working, {} left, {} failed\n{done} of {all} games or lines, {} wrong so far; {} workers",
        status.pieces(),
        status.done,
        status.working,
        status.left,
        status.failed.len(),
        status.faults,
        status.workers
    );
    if let Some(rate) = status.rate {
        text += &format!("; {rate:.2} a second");
    }
    if let Some(seconds) = status.seconds_left().filter(|_| status.working + status.left > 0) {
        text += &format!(", {:.1} minutes left", seconds / 60.0);
    }
    text.push('\n');
    for failed in &status.failed {
        text +=
            &format!("piece {} ({}, line {}): {}\n", failed.number, failed.file, failed.line, failed.reason);
    }
    text
}

impl StatusArgs {
    fn run(&self) -> Result<ExitCode> {
        print(&describe(&sakmak_queue::status(&self.address.server()?, &self.address.name)?))?;
        Ok(ExitCode::SUCCESS)
    }
}

/// A file of results, which takes its place when it is whole.
struct Results {
    path: PathBuf,
    draft: Draft,
}

impl Merge {
    fn run(&self) -> Result<ExitCode> {
        let (server, name) = (self.address.server()?, &self.address.name);
        let job = sakmak_queue::job(&server, name, None)?;
        let has_json = JobCommand::of_words(&job.words)?.has_json();
        ensure!(
            self.json.is_none() || has_json,
            "the job has no lines of JSON: it was made without annotate --json"
        );
        ensure!(self.json.as_ref() != Some(&self.out), "--out and --json need different files");
        let status = sakmak_queue::status(&server, name)?;
        let missing = status.pieces() - status.done;
        if missing > 0 && !self.partial {
            bail!(
                "{missing} pieces are missing; --partial writes the others\n{}",
                describe(&status).trim_end()
            );
        }
        let open = |path: &PathBuf| -> Result<Results> {
            Ok(Results { path: path.clone(), draft: OutputFile::create(path)?.draft()? })
        };
        let (out, json) = (open(&self.out)?, self.json.as_ref().map(open).transpose()?);
        let mut out_writer = BufWriter::new(out.draft.file());
        let mut json_writer = json.as_ref().map(|json| BufWriter::new(json.draft.file()));
        let write = |writer: &mut BufWriter<&File>, bytes: &[u8], path: &Path| {
            writer.write_all(bytes).with_context(|| path.display().to_string())
        };
        sakmak_queue::results(&server, name, |output, lines| -> Result<()> {
            write(&mut out_writer, output, &out.path)?;
            match (&mut json_writer, &json) {
                (Some(writer), Some(json)) => write(writer, lines, &json.path),
                _ => Ok(()),
            }
        })?;
        let flushed = out_writer.flush().and_then(|()| json_writer.as_mut().map_or(Ok(()), Write::flush));
        drop((out_writer, json_writer));
        flushed.map_err(|error| anyhow!("the results cannot be written: {error}"))?;
        out.draft.commit()?;
        if let Some(json) = json {
            json.draft.commit()?;
        }
        warn(format_args!(
            "{} of {} pieces written, {} games or positions wrong",
            status.done,
            status.pieces(),
            status.faults
        ));
        Ok(ExitCode::from(u8::from(status.faults > 0)))
    }
}

impl Retry {
    fn run(&self) -> Result<ExitCode> {
        let pieces = sakmak_queue::retry(&self.address.server()?, &self.address.name)?;
        warn(format_args!("{pieces} pieces are left again"));
        Ok(ExitCode::SUCCESS)
    }
}
