//! Games on disk: written as they finish, each in one piece, and read again to resume a match.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Read, Write};
use std::path::{Path, PathBuf};

use sakmak_movegen::{Color, Notation};

use super::fingerprint::difference;
use super::play::{Played, SideStats, Thought, move_names};
use super::schedule::Task;
use super::spec::Shard;
use super::tally::Report;
use crate::pgn::{PgnGame, PgnMove, PgnReader, PgnResult, PgnWriter, Tags};

/// What the totals of a match need to know of a finished game.
#[derive(Clone, Debug, PartialEq)]
pub struct Finished {
    /// Number of the game in the match.
    pub number: u64,
    /// Who won.
    pub result: PgnResult,
    /// Why, in words.
    pub reason: String,
    /// White's and Black's moves, nodes and time.
    pub stats: [SideStats; 2],
    /// Faults of White and Black.
    pub faults: [u32; 2],
    /// Games lost on time by White and Black.
    pub time_losses: [u32; 2],
}

impl Finished {
    /// The summary of a game just played.
    pub fn of(number: u64, played: &Played) -> Self {
        let count = |wanted: &dyn Fn(&str, &str) -> bool| {
            Color::ALL.map(|color| {
                let name = color.to_string();
                played.faults.iter().filter(|fault| wanted(&fault.color, &name)).count() as u32
            })
        };
        let lost = |color: Color| {
            let forfeit = played.termination == "time forfeit";
            let loser = if played.result == PgnResult::WhiteWins { Color::Black } else { Color::White };
            u32::from(forfeit && loser == color)
        };
        Self {
            number,
            result: played.result,
            reason: played.reason.clone(),
            stats: played.stats,
            faults: count(&|found, name| found == name),
            time_losses: Color::ALL.map(lost),
        }
    }
}

/// The lines of a match that every game of it carries.
#[derive(Clone, Debug)]
pub struct Labels {
    /// Name of the event.
    pub event: String,
    /// Place.
    pub site: String,
    /// Date as `2026.11.20`.
    pub date: String,
    /// What tells this match, or this part of it, from one with other settings.
    pub fingerprint: String,
    /// The variant as PGN names it.
    pub variant: String,
    /// The rules of the referee.
    pub ruleset: String,
}

fn numbers<const N: usize>(text: &str) -> Option<[u64; N]> {
    let mut numbers = [0; N];
    let mut words = text.split(' ');
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    Some(numbers)
}

/// A score as PGN comments have it: `+0.45`, `-M3`.
fn score_text(score: i32) -> String {
    let moves = 1_000_000 - score.abs();
    match moves {
        0..=10_000 => format!("{}M{moves}", if score < 0 { '-' } else { '+' }),
        _ => format!("{:+.2}", f64::from(score) / 100.0),
    }
}

fn thought_text(thought: &Thought) -> String {
    let seconds = thought.time.as_secs_f64();
    match thought.score {
        Some(score) => format!("{}/{} {seconds:.3}s", score_text(score), thought.depth),
        None => format!("{seconds:.3}s"),
    }
}

/// The record of a game.
pub fn record(
    task: &Task,
    names: [&str; 2],
    limits: [String; 2],
    labels: &Labels,
    played: &Played,
) -> PgnGame {
    let mut tags = Tags::default();
    tags.set("Event", labels.event.as_str());
    tags.set("Site", labels.site.as_str());
    tags.set("Date", labels.date.as_str());
    tags.set("Round", format!("{}.{}", task.pair + 1, if task.first_color == Color::White { 1 } else { 2 }));
    tags.set("White", names[0]);
    tags.set("Black", names[1]);
    tags.set("Result", played.result.to_string());
    tags.set("Variant", labels.variant.as_str());
    tags.set("FEN", played.game.start().to_string());
    tags.set("SetUp", "1");
    tags.set("Ruleset", labels.ruleset.as_str());
    tags.set("Termination", played.termination);
    tags.set("Reason", played.reason.as_str());
    tags.set("PlyCount", played.game.len().to_string());
    for (name, limit) in ["WhiteTimeControl", "BlackTimeControl"].into_iter().zip(limits) {
        tags.set(name, limit);
    }
    tags.set("GameNumber", task.number.to_string());
    tags.set("Match", labels.fingerprint.as_str());
    let finished = Finished::of(task.number, played);
    // Moves, sum of depths, nodes, milliseconds, faults, lost on time: what the totals are made of.
    for (name, color) in [("WhiteStats", 0), ("BlackStats", 1)] {
        let SideStats { moves, depth, nodes, milliseconds } = finished.stats[color];
        let (faults, late) = (finished.faults[color], finished.time_losses[color]);
        tags.set(name, format!("{moves} {depth} {nodes} {milliseconds} {faults} {late}"));
    }
    let mut moves: Vec<PgnMove> = move_names(&played.game, Notation::San)
        .into_iter()
        .enumerate()
        .map(|(index, text)| {
            let comments = played.thoughts.get(index).map(thought_text).into_iter().collect();
            PgnMove { text, comments, ..PgnMove::default() }
        })
        .collect();
    let mut comment = Vec::new();
    match moves.last_mut() {
        Some(last) => last.comments.push(played.reason.clone()),
        None => comment.push(played.reason.clone()),
    }
    PgnGame { tags, comment, moves, result: played.result, ..PgnGame::default() }
}

/// The file of a match's games, locked against other matches as long as this lives.
pub struct Store {
    file: File,
    /// Whether it is a file on a disk, not a pipe or a device.
    regular: bool,
    /// Bytes of whole games.
    length: u64,
}

impl Store {
    /// A new file, or an empty one, as a match leaves whose engines could not be started.
    ///
    /// # Errors
    /// If there is something in it already, another match writes it, or it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        lock(&file)?;
        let metadata = file.metadata()?;
        if metadata.len() > 0 {
            return Err(io::Error::other("there are games already (--resume goes on with them)"));
        }
        Ok(Self { file, regular: metadata.is_file(), length: 0 })
    }

    /// Goes on with a file; returns it with the games in it. A last game that was cut off in writing is removed.
    ///
    /// # Errors
    /// If the file cannot be read, another match writes it, or it holds something else than games of this match; it
    /// is then left as it was.
    pub fn resume(path: &Path, fingerprint: &str) -> io::Result<(Self, Vec<Finished>)> {
        let mut file = OpenOptions::new().read(true).append(true).open(path)?;
        lock(&file)?;
        let mut text = Vec::new();
        file.read_to_end(&mut text)?;
        let (whole, rest) = text.split_at(complete_length(&text));
        let mut finished = Vec::new();
        for game in PgnReader::new(BufReader::new(whole)) {
            let game = game.map_err(|error| io::Error::other(error.to_string()))?;
            let found = game.tags.get("Match").unwrap_or_default();
            if found != fingerprint {
                let message = match found {
                    "" => format!("game {} belongs to no match", game.number),
                    _ => format!("game {} belongs to {}", game.number, difference(found)),
                };
                return Err(io::Error::other(message));
            }
            finished.push(read_back(&game).ok_or_else(|| {
                io::Error::other(format!("game {} lacks the tags of a match", game.number))
            })?);
        }
        if !is_cut_record(rest, fingerprint) {
            return Err(io::Error::other("it ends with something that is no game of this match"));
        }
        if !rest.is_empty() {
            file.set_len(whole.len() as u64)?;
        }
        let regular = file.metadata()?.is_file();
        Ok((Self { file, regular, length: whole.len() as u64 }, finished))
    }

    /// Adds a game, in one piece.
    ///
    /// # Errors
    /// If it cannot be written; the file then ends with the game before it.
    pub fn add(&mut self, game: &PgnGame) -> io::Result<()> {
        let text = record_text(game)?;
        let mut written = self.file.write_all(&text);
        if self.regular {
            written = written.and_then(|()| self.file.sync_data());
            match written {
                Ok(()) => self.length += text.len() as u64,
                // If that fails too, --resume removes the torso.
                Err(_) => drop(self.file.set_len(self.length)),
            }
        }
        written
    }
}

/// A game as it stands in the file.
///
/// # Errors
/// Those of the writer.
pub fn record_text(game: &PgnGame) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    PgnWriter::new(&mut text).write_game(game)?;
    Ok(text)
}

/// Locks a file on a disk for this process alone, until it is closed.
fn lock(file: &File) -> io::Result<()> {
    #[cfg(unix)]
    if file.metadata()?.is_file() {
        use rustix::fs::{FlockOperation, flock};
        // Some network file systems have no locks; that is no reason not to play.
        if flock(file, FlockOperation::NonBlockingLockExclusive) == Err(rustix::io::Errno::WOULDBLOCK) {
            return Err(io::Error::other("another match is writing this file"));
        }
    }
    #[cfg(not(unix))]
    let _ = file;
    Ok(())
}

/// Whether this, which follows the last whole game of a file, is the beginning of a game of this match.
fn is_cut_record(rest: &[u8], fingerprint: &str) -> bool {
    const BEGIN: &[u8] = b"[Event \"";
    let contains = |text: &[u8], part: &[u8]| text.windows(part.len()).any(|window| window == part);
    let tag = format!("[Match \"{fingerprint}\"]");
    BEGIN.starts_with(rest)
        || rest.starts_with(BEGIN) && (!contains(rest, b"\n\n") || contains(rest, tag.as_bytes()))
}

/// How much of the text is whole games: up to the last result token before a blank line.
fn complete_length(text: &[u8]) -> usize {
    let ends = [&b"1-0\n\n"[..], b"0-1\n\n", b"1/2-1/2\n\n", b"*\n\n"];
    let last =
        |end: &[u8]| text.windows(end.len()).rposition(|window| window == end).map(|at| at + end.len());
    ends.into_iter().filter_map(last).max().unwrap_or(0)
}

fn read_back(game: &PgnGame) -> Option<Finished> {
    let tags = &game.tags;
    let number = tags.get("GameNumber")?.parse().ok()?;
    let sides = [tags.get("WhiteStats")?, tags.get("BlackStats")?];
    let [white, black] = sides.map(numbers::<6>);
    let sides = [white?, black?];
    Some(Finished {
        number,
        result: game.result,
        reason: tags.get("Reason")?.to_owned(),
        stats: sides.map(|[moves, depth, nodes, milliseconds, ..]| SideStats {
            moves,
            depth,
            nodes,
            milliseconds,
        }),
        faults: sides.map(|side| side[4] as u32),
        time_losses: sides.map(|side| side[5] as u32),
    })
}

/// The file of a match's report: from the first write to the end of the match it is locked against other matches.
pub struct ReportFile {
    path: PathBuf,
    /// Keeps the lock.
    held: Option<File>,
}

impl ReportFile {
    /// Takes a file for the report of the match with this fingerprint, or this part of it; returns the report that
    /// is there to be resumed. Nothing is written yet.
    ///
    /// # Errors
    /// If another match writes the file, or if it holds anything but a report without games or, with `resume`,
    /// of the same match and part.
    pub fn claim(
        path: &Path,
        fingerprint: &str,
        shard: Shard,
        resume: bool,
    ) -> io::Result<(Self, Option<Report>)> {
        let mut claimed = Self { path: path.to_owned(), held: None };
        if !is_regular(path)? || !path.exists() {
            return Ok((claimed, None));
        }
        let mut file = OpenOptions::new().read(true).write(true).open(path)?;
        lock(&file)?;
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        claimed.held = Some(file);
        let report = report_in(&text)?;
        let Some(report) = report else { return Ok((claimed, None)) };
        let wrong = if report.fingerprint != fingerprint {
            format!("it is the report of {}", difference(&report.fingerprint))
        } else if report.shards != [shard] {
            "it is the report of another part of the match".to_owned()
        } else if !resume {
            "there is a report already (--resume goes on with it and its PGN file)".to_owned()
        } else {
            return Ok((claimed, Some(report)));
        };
        Err(io::Error::other(wrong))
    }

    /// Replaces what is in the file.
    ///
    /// # Errors
    /// If it cannot be written; it is then as it was.
    pub fn write(&mut self, text: &str) -> io::Result<()> {
        self.held = replace(&self.path, text)?;
        Ok(())
    }
}

/// The report in the text of a file; none if the file is empty, or the report without games.
fn report_in(text: &str) -> io::Result<Option<Report>> {
    if text.trim().is_empty() {
        return Ok(None);
    }
    let report: Report = serde_json::from_str(text)
        .map_err(|_| io::Error::other("it holds something else than the report of a match"))?;
    let games: u64 = report.totals.engines.iter().map(|engine| engine.games).sum();
    Ok(Some(report).filter(|_| games > 0))
}

/// Whether the sum of parts of a match may replace what is in a file: nothing, or a report of the same match.
///
/// # Errors
/// If it may not, or the file cannot be read.
pub fn check_sum_file(path: &Path, fingerprint: &str) -> io::Result<()> {
    if !is_regular(path)? || !path.exists() {
        return Ok(());
    }
    match report_in(&std::fs::read_to_string(path)?)? {
        Some(report) if report.fingerprint != fingerprint => {
            Err(io::Error::other(format!("it is the report of {}", difference(&report.fingerprint))))
        }
        _ => Ok(()),
    }
}

/// Whether the path leads to a file on a disk, or to nothing yet; not to a pipe or a device.
///
/// # Errors
/// If it is a folder.
fn is_regular(path: &Path) -> io::Result<bool> {
    match std::fs::metadata(path) {
        Ok(metadata) if metadata.is_dir() => Err(io::Error::from(io::ErrorKind::IsADirectory)),
        Ok(metadata) => Ok(metadata.is_file()),
        Err(_) => Ok(true),
    }
}

/// Sees to it, before long work, that [`write_atomically`] will be able to write a file. Leaves the file as it is.
///
/// # Errors
/// Why it cannot be written.
pub fn check_writable(path: &Path) -> io::Result<()> {
    if is_regular(path)? {
        let (path, part) = target_and_part(path);
        if path.exists() {
            OpenOptions::new().append(true).open(&path)?;
        }
        File::create(&part)?;
        std::fs::remove_file(&part)?;
    }
    Ok(())
}

/// Writes a file so that it is there either as it was or whole.
///
/// # Errors
/// If it cannot be written.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    replace(path, text).map(drop)
}

/// The file behind symbolic links, and where the new one is written.
fn target_and_part(path: &Path) -> (PathBuf, PathBuf) {
    let path = std::fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    (path, PathBuf::from(name))
}

/// Writes a file and returns it, locked if it could be.
fn replace(path: &Path, text: &str) -> io::Result<Option<File>> {
    if !is_regular(path)? {
        // A device or a pipe must not be replaced by a file.
        OpenOptions::new().write(true).open(path)?.write_all(text.as_bytes())?;
        return Ok(None);
    }
    let (path, part) = target_and_part(path);
    let mut file = File::create(&part)?;
    let written = file.write_all(text.as_bytes()).and_then(|()| file.sync_data());
    let written = written.and_then(|()| lock(&file)).and_then(|()| std::fs::rename(&part, &path));
    if let Err(error) = written {
        let _ = std::fs::remove_file(&part);
        return Err(error);
    }
    Ok(Some(file))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_game_cut_off_in_writing_is_no_game() {
        let text = b"[Event \"a\"]\n\n1. e4 {x} 1-0\n\n[Event \"b\"]\n\n1. e4 {cut";
        assert_eq!(complete_length(text), b"[Event \"a\"]\n\n1. e4 {x} 1-0\n\n".len());
        assert_eq!(complete_length(b"[Event \"a\"]\n\n1. e4"), 0);
        assert_eq!(complete_length(b"[Result \"*\"]\n\n1. e4 *\n\n"), 23);
    }

    #[test]
    fn scores_in_comments() {
        assert_eq!(
            [45, -7, 999_997, -999_999].map(score_text),
            ["+0.45", "-0.07", "+M3", "-M1"].map(str::to_owned)
        );
    }

    #[test]
    fn files_are_replaced_whole() {
        let path = std::env::temp_dir().join(format!("sakmak-store-{}.json", std::process::id()));
        for text in ["one", "two"] {
            write_atomically(&path, text).unwrap();
            assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        }
        std::fs::remove_file(&path).unwrap();
    }

    /// Only the beginning of a game of this match is cut off; anything else may be somebody's work.
    #[test]
    fn what_may_be_cut_off() {
        let cut = |rest: &str| is_cut_record(rest.as_bytes(), "v2-1 1/2");
        for rest in
            ["", "[", "[Event \"", "[Event \"a\"]\n[Si", "[Event \"a\"]\n[Match \"v2-1 1/2\"]\n\n1. e4"]
        {
            assert!(cut(rest), "{rest:?}");
        }
        for rest in ["x", "\n", "[Site \"a\"]", "[Event \"a\"]\n\n1. e4 e5 1-0\n", "1. e4 1-0\n"] {
            assert!(!cut(rest), "{rest:?}");
        }
    }

    /// A link stays one, a device stays a device.
    #[cfg(unix)]
    #[test]
    fn only_files_are_replaced() {
        use std::os::unix::fs::FileTypeExt;

        let folder = std::env::temp_dir().join(format!("sakmak-links-{}", std::process::id()));
        std::fs::create_dir(&folder).unwrap();
        let (file, link) = (folder.join("file"), folder.join("link"));
        std::fs::write(&file, "old").unwrap();
        std::os::unix::fs::symlink(&file, &link).unwrap();
        write_atomically(&link, "new").unwrap();
        assert!(link.is_symlink() && std::fs::read_to_string(&file).unwrap() == "new");
        let device = folder.join("null");
        std::os::unix::fs::symlink("/dev/null", &device).unwrap();
        check_writable(&device).unwrap();
        write_atomically(&device, "text").unwrap();
        assert!(std::fs::metadata("/dev/null").unwrap().file_type().is_char_device());
        assert!(check_writable(&folder).is_err() && check_writable(&folder.join("none/x")).is_err());
        check_writable(&file).unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 3, "nothing is left over");
        std::fs::remove_dir_all(&folder).unwrap();
    }
}
