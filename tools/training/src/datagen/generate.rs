//! Plays games in parallel and writes them in the order of their numbers.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, SeekFrom};
use std::path::Path;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};
use std::sync::mpsc;
use std::thread::Builder;

use anyhow::{Context, Result, bail, ensure};
use sakmak_dataset::games::{GameRecord, Header, Reader, centipawns};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_files::output::AppendFile;

use super::self_play::SelfPlayer;

/// Games to generate: a header with one run, and the output file.
#[derive(Clone, Copy, Debug)]
pub struct GenerateJob<'a> {
    /// The header with the settings.
    pub header: &'a Header,
    /// Number of games, including those already in a file to resume.
    pub games: u64,
    /// Games in parallel.
    pub threads: usize,
    /// The output file.
    pub path: &'a Path,
    /// Resume with the games of the file.
    pub resume: bool,
    /// The tablebases named in the run.
    pub tablebases: &'a Tablebases,
}

/// Number of games written so far.
#[derive(Clone, Copy, Debug, Default)]
pub struct GenerateProgress {
    /// Games in the file.
    pub games: u64,
    /// Positions in the file.
    pub positions: u64,
    /// Games won by White, drawn, and won by Black.
    pub results: [u64; 3],
    /// Games that were in the file before this run.
    pub games_before: u64,
    /// Positions that were in the file before this run.
    pub positions_before: u64,
}

impl GenerateProgress {
    fn add(&mut self, game: &GameRecord) {
        self.games += 1;
        self.positions += game.plies.len() as u64;
        self.results[game.result as usize] += 1;
    }
}

/// An event of a `GenerateJob`.
#[derive(Debug)]
pub enum GenerateEvent<'a> {
    /// A game has been written.
    Progress(&'a GenerateProgress),
    /// The system has refused to start a thread.
    FewerThreads {
        /// Number of running threads.
        running: usize,
        /// Why no more could be started.
        error: io::Error,
    },
}

impl GenerateJob<'_> {
    /// Generates the games. The file depends neither on the number of threads nor on interruptions.
    ///
    /// # Errors
    /// If the file cannot be written, or holds something else.
    pub fn run(&self, notify: &mut dyn FnMut(GenerateEvent)) -> Result<GenerateProgress> {
        let [run] = self.header.runs.as_slice() else { bail!("a file is made by one run at a time") };
        let (mut file, mut progress) = self.open()?;
        let tables = DtmTables::default();
        let player = |_| SelfPlayer::new(self.header.rules, run, &tables, self.tablebases);
        let players = (0..self.threads.max(1)).map(player);
        let players: Vec<_> = players.collect::<Result<_, _>>()?;
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
                match started {
                    Ok(_) => {}
                    Err(error) if running == 0 => return Err(error).context("cannot start a thread"),
                    Err(error) => {
                        notify(GenerateEvent::FewerThreads { running, error });
                        break;
                    }
                }
            }
            drop(sender);
            let written = self.write_in_order(&receiver, &mut file, &mut progress, notify);
            stop.store(true, Relaxed);
            written
        })?;
        file.sync()?;
        ensure!(progress.games >= self.games, "a thread has failed");
        Ok(progress)
    }

    /// Opens the file for the next game.
    fn open(&self) -> Result<(AppendFile, GenerateProgress)> {
        let mut progress = GenerateProgress::default();
        let mut file =
            if self.resume { AppendFile::resume(self.path)? } else { AppendFile::create(self.path)? };
        let whole = if self.resume { self.whole_games(file.file(), &mut progress)? } else { 0 };
        file.cut(whole)?;
        if whole == 0 {
            file.append(&self.header.encoded())?;
        }
        progress.games_before = progress.games;
        progress.positions_before = progress.positions;
        Ok((file, progress))
    }

    /// Length in bytes of the complete games after a matching header; 0 if the header itself is cut off.
    fn whole_games(&self, file: &mut File, progress: &mut GenerateProgress) -> Result<u64> {
        let path = self.path.display();
        let name = || path.to_string();
        let wanted = self.header.encoded();
        let mut found = Vec::new();
        Read::by_ref(file).take(wanted.len() as u64).read_to_end(&mut found).with_context(name)?;
        if found.len() < wanted.len() && wanted.starts_with(&found) {
            return Ok(0);
        }
        file.seek(SeekFrom::Start(0)).with_context(name)?;
        let mut reader = Reader::new(BufReader::with_capacity(1 << 16, file)).with_context(name)?;
        if !is_same_work(reader.header(), self.header) {
            bail!("{path}: was made with other settings: {}", difference(reader.header(), self.header));
        }
        let version = reader.version();
        ensure!(
            version == self.header.version(),
            "{path}: is of version {version} of the format, which is only read; `sakmak-tools datagen merge NEW {path}` \
             copies its games to a file that --resume goes on with"
        );
        loop {
            match reader.next() {
                None => break,
                Some(Ok(_)) if progress.games == self.games => {
                    bail!("{path}: holds more than {} games already", self.games);
                }
                Some(Ok(game)) => progress.add(&game),
                Some(Err(error)) if error.is_cut() => break,
                Some(Err(error)) => return Err(error).with_context(name),
            }
        }
        Ok(reader.offset())
    }

    /// Writes each game once all with lower numbers are written.
    fn write_in_order(
        &self,
        games: &mpsc::Receiver<(u64, Result<GameRecord>)>,
        file: &mut AppendFile,
        progress: &mut GenerateProgress,
        notify: &mut dyn FnMut(GenerateEvent),
    ) -> Result<()> {
        let mut waiting = BTreeMap::new();
        for (number, game) in games {
            waiting.insert(number, game?);
            while let Some(game) = waiting.remove(&progress.games) {
                let bytes = game.encode().with_context(|| self.path.display().to_string())?;
                file.append(&bytes)?;
                progress.add(&game);
            }
            notify(GenerateEvent::Progress(progress));
        }
        Ok(())
    }
}

/// Whether two headers describe the same work. Opening limits are compared in centipawns, as games are filtered.
fn is_same_work(found: &Header, wanted: &Header) -> bool {
    let mut found = found.clone();
    for (found, wanted) in found.runs.iter_mut().zip(&wanted.runs) {
        if centipawns(found.max_opening) == centipawns(wanted.max_opening) {
            found.max_opening = wanted.max_opening;
        }
    }
    found == *wanted
}

/// How the settings of a file differ from the given ones, in words.
fn difference(found: &Header, wanted: &Header) -> String {
    if found.rules != wanted.rules {
        return format!("{}, now {}", found.rules, wanted.rules);
    }
    match (found.runs.as_slice(), wanted.runs.as_slice()) {
        ([found], [wanted]) => found.difference(wanted),
        (runs, _) => format!("it has the games of {} runs and {} imports", runs.len(), found.imports.len()),
    }
}
