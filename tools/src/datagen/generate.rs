//! Many games at a time, written in the order of their numbers.

use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, IsTerminal, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread::Builder;
use std::time::{Duration, Instant};

use anyhow::{Context, Result, anyhow, bail, ensure};
use sakmak_eval::DtmTables;

use super::format::VERSION;
use super::play::Player;
use super::{GameRecord, Header, Reader, Writer};

/// Between two lines on the progress: on a terminal, where each replaces the last, and elsewhere.
const BETWEEN_LINES: [Duration; 2] = [Duration::from_secs(1), Duration::from_secs(30)];

/// Games to make: a header with one run, and where to write them.
pub(super) struct Order<'a> {
    /// How to make them.
    pub(super) header: &'a Header,
    /// How many, those included that a file to resume has already.
    pub(super) games: u64,
    /// How many at a time.
    pub(super) threads: usize,
    /// Where to write them.
    pub(super) path: &'a Path,
    /// Go on with what the file holds.
    pub(super) resume: bool,
}

impl Order<'_> {
    /// Makes the games. The file does not depend on the threads, nor on whether it was made in one go.
    ///
    /// # Errors
    /// If the file cannot be written, or holds something else.
    pub(super) fn run(&self) -> Result<()> {
        let name = || self.path.display().to_string();
        let (file, mut progress) = self.begin().with_context(name)?;
        let [run] = self.header.runs.as_slice() else { bail!("one run at a time") };
        let tables = DtmTables::default();
        let players: Vec<_> = (0..self.threads.max(1))
            .map(|_| Player::new(self.header.rules, run, &tables))
            .collect::<Result<_>>()?;
        let mut writer = Writer::resume(file);
        let next = AtomicU64::new(progress.games);
        let stop = AtomicBool::new(false);
        std::thread::scope(|scope| {
            let (sender, receiver) = mpsc::channel();
            for (running, mut player) in players.into_iter().enumerate() {
                let sender = sender.clone();
                let (next, stop) = (&next, &stop);
                let started = Builder::new().spawn_scoped(scope, move || {
                    while !stop.load(Relaxed) {
                        let number = next.fetch_add(1, Relaxed);
                        if number >= self.games || sender.send((number, player.play(number))).is_err() {
                            break;
                        }
                    }
                });
                if let Err(error) = started {
                    ensure!(running > 0, "cannot start a thread: {error}");
                    // The games are made all the same, whoever reads this.
                    let _ = writeln!(io::stderr(), "warning: only {running} threads: {error}");
                    break;
                }
            }
            drop(sender);
            let written = write_in_order(&receiver, &mut writer, &mut progress);
            stop.store(true, Relaxed);
            written.with_context(name)
        })?;
        let file = writer.finish().with_context(name)?;
        file.sync_data().with_context(name)?;
        progress.tell(true);
        ensure!(progress.games >= self.games, "a thread has failed");
        Ok(())
    }

    /// Opens the file for the next game.
    fn begin(&self) -> Result<(File, Progress)> {
        let mut progress = Progress::new(self.games);
        if !self.resume {
            let mut file = OpenOptions::new().write(true).create_new(true).open(self.path).map_err(
                |error| match error.kind() {
                    io::ErrorKind::AlreadyExists => anyhow!("exists; --resume goes on with it"),
                    _ => error.into(),
                },
            )?;
            file.write_all(&self.header.encoded())?;
            return Ok((file, progress));
        }
        let mut file =
            OpenOptions::new().read(true).write(true).create(true).truncate(false).open(self.path)?;
        let whole = match self.whole_games(&mut file, &mut progress)? {
            0 => {
                let header = self.header.encoded();
                file.seek(SeekFrom::Start(0))?;
                file.write_all(&header)?;
                header.len() as u64
            }
            whole => whole,
        };
        file.set_len(whole)?;
        file.seek(SeekFrom::Start(whole))?;
        progress.before = (progress.games, progress.positions);
        Ok((file, progress))
    }

    /// How many bytes of the file are whole games after the right header; 0 if even the header is cut off.
    fn whole_games(&self, file: &mut File, progress: &mut Progress) -> Result<u64> {
        let wanted = self.header.encoded();
        let mut found = Vec::new();
        Read::by_ref(file).take(wanted.len() as u64).read_to_end(&mut found)?;
        if found.len() < wanted.len() && wanted.starts_with(&found) {
            return Ok(0);
        }
        file.seek(SeekFrom::Start(0))?;
        let mut reader = Reader::new(BufReader::with_capacity(1 << 16, file))?;
        if reader.header() != self.header {
            bail!("{}", difference(reader.header(), self.header));
        }
        let version = reader.version();
        ensure!(
            version == VERSION,
            "is of version {version} of the format, which is only read; `sakmak-tools datagen merge NEW {}` copies its \
             games to a file that --resume goes on with",
            self.path.display()
        );
        while progress.games < self.games {
            match reader.next() {
                None => break,
                Some(Ok(game)) => progress.add(&game),
                Some(Err(error)) if error.is_cut() => break,
                Some(Err(error)) => return Err(error.into()),
            }
        }
        if progress.games == self.games {
            match reader.next() {
                None => {}
                Some(Err(error)) if error.is_cut() => {}
                Some(Err(error)) => return Err(error.into()),
                Some(Ok(_)) => bail!("holds more than {} games already", self.games),
            }
        }
        Ok(reader.offset())
    }
}

/// What an existing file and the command do not agree on.
fn difference(file: &Header, command: &Header) -> String {
    let text = |header: &Header| match header.runs.as_slice() {
        [run] => format!("{} {run:?}", header.rules),
        runs => format!("{}, {} runs", header.rules, runs.len()),
    };
    format!("was made otherwise:\n  {}\n  now\n  {}", text(file), text(command))
}

/// Writes games as their turn comes.
fn write_in_order(
    games: &mpsc::Receiver<(u64, Result<GameRecord>)>,
    writer: &mut Writer<File>,
    progress: &mut Progress,
) -> Result<()> {
    let mut waiting = BTreeMap::new();
    for (number, game) in games {
        waiting.insert(number, game?);
        while let Some(game) = waiting.remove(&progress.games) {
            writer.write(&game)?;
            progress.add(&game);
        }
        progress.tell(false);
    }
    Ok(())
}

/// How far it is.
struct Progress {
    wanted: u64,
    games: u64,
    positions: u64,
    /// Games by result.
    results: [u64; 3],
    /// Games and positions that were there before.
    before: (u64, u64),
    began: Instant,
    last: Instant,
    on_terminal: bool,
}

impl Progress {
    fn new(wanted: u64) -> Self {
        let now = Instant::now();
        let on_terminal = io::stderr().is_terminal();
        Self {
            wanted,
            games: 0,
            positions: 0,
            results: [0; 3],
            before: (0, 0),
            began: now,
            last: now,
            on_terminal,
        }
    }

    fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
    }

    /// Prints a line if it is time for one.
    fn tell(&mut self, at_the_end: bool) {
        let pause = BETWEEN_LINES[usize::from(!self.on_terminal)];
        if !at_the_end && self.last.elapsed() < pause {
            return;
        }
        self.last = Instant::now();
        let seconds = self.began.elapsed().as_secs_f64().max(1e-9);
        let rate = (self.positions - self.before.1) as f64 / seconds;
        let left = (self.wanted - self.games) as f64 * seconds / (self.games - self.before.0).max(1) as f64;
        let [white, draws, black] = self.results;
        let line = format!(
            "{}/{} games, {} positions, {rate:.0} positions/s, white +{white} ={draws} -{black}, {:.0} s gone, \
             {left:.0} s left",
            self.games, self.wanted, self.positions, seconds,
        );
        // Nobody is left to be told of a failure.
        let _ = match (self.on_terminal, at_the_end) {
            (true, false) => write!(io::stderr(), "\r\x1b[K{line}"),
            (true, true) => writeln!(io::stderr(), "\r\x1b[K{line}"),
            (false, _) => writeln!(io::stderr(), "{line}"),
        };
    }
}
