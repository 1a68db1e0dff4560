//! The command `fishnet`.

use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::str::FromStr;
use std::sync::Arc;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::{ArgGroup, Args};
use sakmak_fishnet::{Endpoint, Event, Key, Settings, Tally, Workers};
use sakmak_movegen::Variant;

use super::args::{named, positive, secret, thread_count, whole};
use super::progress::{bar, threads};
use super::stdout::warn;

/// Play and analyse for pychess.org, or a server with the same protocol
///
/// Asks the server for jobs, searches, and sends the results. A job is a move of the computer player at one of its
/// levels, or the analysis of a game. Jobs of other variants are given back. Ctrl-C finishes the jobs in hand and
/// ends; a second Ctrl-C, or the signal TERM, gives them back at once. Neither loses a job. docs/servers.md has more.
#[derive(Args)]
#[command(
    group = ArgGroup::new("secret").required(true),
    after_help = "Examples:\n  \
    sakmak-tools fishnet --endpoint https://www.example.org/fishnet/ --key-file ~/.fishnet-key\n  \
    sakmak-tools fishnet --endpoint http://127.0.0.1:8080/fishnet/ --key testkey --cores 1 --verbose\n\n\
    The exit status is 0 after a signal, 1 if the server does not want the worker, and 2 if an argument is wrong."
)]
pub(crate) struct Fishnet {
    /// Address of the server's fishnet, which ends with /fishnet/
    #[arg(long, value_name = "URL")]
    endpoint: Endpoint,
    /// Key of the worker. Other users of this machine can read it in the list of processes
    #[arg(long, group = "secret")]
    key: Option<Key>,
    /// File with the key
    #[arg(long, value_name = "FILE", group = "secret")]
    key_file: Option<PathBuf>,
    /// Jobs at a time: a number, all cores, or auto, which leaves one core free
    #[arg(long, value_name = "NUMBER", default_value = "auto")]
    cores: Cores,
    /// Threads of each search
    #[arg(long, default_value = "1", value_parser = thread_count)]
    threads: NonZeroUsize,
    /// Transposition table of each job, in MiB
    #[arg(long, value_name = "MIB", default_value_t = 64, value_parser = whole::<usize>(1..=65_536))]
    hash: usize,
    /// Variants to play, separated by commas
    #[arg(long, value_delimiter = ',', default_value = "makruk,cambodian,makpong",
        value_parser = named::<Variant>(Variant::NAMES))]
    variants: Vec<Variant>,
    /// Reproducible moves: with the same seed the same job gives the same move. Searches end by nodes then, not by time
    #[arg(long)]
    seed: Option<u64>,
    /// Longest wait in seconds between two requests while there is no job
    #[arg(long, value_name = "SECONDS", default_value = "3", value_parser = seconds)]
    poll: Duration,
    /// Longest wait in seconds after an error
    #[arg(long, value_name = "SECONDS", default_value = "30", value_parser = seconds)]
    retry: Duration,
    /// Time in seconds between two reports of a running analysis
    #[arg(long, value_name = "SECONDS", default_value = "5", value_parser = seconds)]
    progress: Duration,
    /// Print each job
    #[arg(long)]
    verbose: bool,
}

/// Number of jobs at a time.
#[derive(Clone, Copy, Debug)]
enum Cores {
    Auto,
    All,
    Number(NonZeroUsize),
}

impl FromStr for Cores {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text {
            "auto" => Ok(Self::Auto),
            "all" => Ok(Self::All),
            _ => text.parse().map(Self::Number).map_err(|_| "a number, auto or all is needed".to_owned()),
        }
    }
}

impl Cores {
    fn number(self) -> NonZeroUsize {
        let all = threads(None);
        match self {
            Self::Number(number) => number,
            Self::All => all,
            Self::Auto => NonZeroUsize::new(all.get() - 1).unwrap_or(all),
        }
    }
}

/// Parses a time in seconds of at most a day.
fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = positive(text)?;
    if seconds > 86_400.0 { Err("at most a day".to_owned()) } else { Ok(Duration::from_secs_f64(seconds)) }
}

/// The key in a file.
fn read_key(path: &Path) -> Result<Key> {
    let text = secret(path)?;
    text.trim().parse().with_context(|| path.display().to_string())
}

/// Time between two lines about the work done.
const REPORT_INTERVAL: Duration = Duration::from_secs(60);
/// How often the line at the bottom of a terminal changes.
const BAR_INTERVAL: Duration = Duration::from_millis(500);

/// Stops the workers at signals: first they finish, then they abort, then the program ends.
#[cfg(unix)]
fn stop_on_signals(workers: &Arc<Workers>) -> Result<()> {
    use sakmak_fishnet::Stop;
    use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};

    let mut signals = signal_hook::iterator::Signals::new([SIGINT, SIGTERM, SIGHUP])?;
    let workers = Arc::clone(workers);
    thread::spawn(move || {
        let mut stopped = None;
        for signal in signals.forever() {
            stopped = match (stopped, signal) {
                (Some(Stop::Abort), _) => std::process::exit(130),
                (None, SIGINT) => {
                    warn("finishing the jobs in hand; Ctrl-C again gives them back");
                    Some(Stop::Finish)
                }
                _ => {
                    warn("giving the jobs in hand back");
                    Some(Stop::Abort)
                }
            };
            if let Some(stop) = stopped {
                workers.stop(stop);
            }
        }
    });
    Ok(())
}

impl Fishnet {
    fn settings(&self) -> Result<Settings> {
        let key = match (&self.key, &self.key_file) {
            (Some(key), _) => key.clone(),
            (None, Some(path)) => read_key(path)?,
            (None, None) => anyhow::bail!("a key is needed"),
        };
        let (endpoint, mut variants) = (self.endpoint.clone(), self.variants.clone());
        variants.dedup();
        Ok(Settings {
            cores: self.cores.number(),
            threads: self.threads,
            hash_mb: self.hash,
            variants,
            seed: self.seed,
            poll: self.poll,
            retry: self.retry,
            progress: self.progress,
            ..Settings::new(endpoint, key)
        })
    }

    /// Works until a signal.
    pub(crate) fn run(&self) -> Result<ExitCode> {
        let workers = Arc::new(Workers::new(self.settings()?));
        if !self.endpoint.is_private() {
            warn("warning: this address sends the key unencrypted; use https if the server has it");
        }
        #[cfg(unix)]
        stop_on_signals(&workers)?;
        let bar = bar(None, "{spinner} {msg}  {elapsed} gone");
        let report = |event: Event| {
            if self.verbose || !event.is_routine() {
                bar.suspend(|| warn(event));
            }
        };
        let (ended, end) = channel::<()>();
        let done = thread::scope(|scope| {
            let observed = &workers;
            let bar = &bar;
            scope.spawn(move || {
                let (mut told, mut quiet) = (Tally::default(), Duration::ZERO);
                while end.recv_timeout(BAR_INTERVAL) == Err(RecvTimeoutError::Timeout) {
                    let tally = observed.tally();
                    bar.set_message(tally.to_string());
                    quiet += BAR_INTERVAL;
                    if bar.is_hidden() && quiet >= REPORT_INTERVAL && tally != told {
                        warn(tally);
                        (told, quiet) = (tally, Duration::ZERO);
                    }
                }
            });
            let done = workers.run(&report);
            drop(ended);
            done
        });
        bar.finish_and_clear();
        warn(workers.tally());
        Ok(match done {
            Ok(_) => ExitCode::SUCCESS,
            Err(error) => {
                warn(format_args!("error: {error}"));
                ExitCode::from(1)
            }
        })
    }
}
