//! Games on disk: written as they finish, each in one piece, and read again to resume a match.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write};
use std::path::{Path, PathBuf};

use sakmak_movegen::{Color, Notation};

use super::play::{Played, SideStats, Thought, move_names};
use super::schedule::Task;
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

/// The file of a match's games.
pub struct Store {
    file: File,
}

impl Store {
    /// A new file, or an empty one, as a match leaves whose engines could not be started.
    ///
    /// # Errors
    /// If there is something in it already, or it cannot be made.
    pub fn create(path: &Path) -> io::Result<Self> {
        let file = OpenOptions::new().append(true).create(true).open(path)?;
        if file.metadata()?.len() > 0 {
            return Err(io::Error::other("there are games already (--resume goes on with them)"));
        }
        Ok(Self { file })
    }

    /// Goes on with a file, and tells the games in it. A last game that was cut off in writing is removed.
    ///
    /// # Errors
    /// If the file cannot be read, holds something else than games, or games of another match.
    pub fn resume(path: &Path, fingerprint: &str) -> io::Result<(Self, Vec<Finished>)> {
        let text = std::fs::read(path)?;
        let whole = complete_length(&text);
        let mut finished = Vec::new();
        for game in PgnReader::new(BufReader::new(&text[..whole])) {
            let game = game.map_err(|error| io::Error::other(error.to_string()))?;
            if game.tags.get("Match") != Some(fingerprint) {
                let message = format!("game {} belongs to a match with other settings", game.number);
                return Err(io::Error::other(message));
            }
            finished.push(read_back(&game).ok_or_else(|| {
                io::Error::other(format!("game {} lacks the tags of a match", game.number))
            })?);
        }
        let file = OpenOptions::new().append(true).open(path)?;
        if whole < text.len() {
            OpenOptions::new().write(true).open(path)?.set_len(whole as u64)?;
        }
        Ok((Self { file }, finished))
    }

    /// Adds a game, in one piece.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn add(&mut self, game: &PgnGame) -> io::Result<()> {
        let mut text = Vec::new();
        PgnWriter::new(&mut text).write_game(game)?;
        self.file.write_all(&text)?;
        self.file.sync_data()
    }
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

/// Writes a file so that it is there either as it was or whole.
///
/// # Errors
/// If it cannot be written.
pub fn write_atomically(path: &Path, text: &str) -> io::Result<()> {
    let mut name = path.as_os_str().to_owned();
    name.push(".part");
    let part = PathBuf::from(name);
    let mut file = File::create(&part)?;
    file.write_all(text.as_bytes())?;
    file.sync_data()?;
    std::fs::rename(&part, path)
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
}
