//! The PGN file of a match: games are appended as they finish, each in one piece, and read again to resume.

use std::fs;
use std::io::{self, BufReader};
use std::path::Path;

use anyhow::{Context, Result, anyhow, bail, ensure};
use sakmak_engine::score::Score;
use sakmak_files::output::{AppendFile, OutputError, OutputFile};
use sakmak_games::COUNT_STOP;
use sakmak_games::pgn::{PgnGame, PgnMove, PgnReader, PgnResult, PgnWriter, Tags};
use sakmak_movegen::{Color, Notation};

use super::Match;
use super::fingerprint::difference;
use super::play::{MoveInfo, PlayedGame, SideStats, move_names};
use super::report::MatchReport;
use super::schedule::ScheduledGame;
use super::spec::Shard;

/// A finished game as the totals need it.
#[derive(Clone, Debug, PartialEq)]
pub struct FinishedGame {
    /// Number of the game in the match.
    pub number: u64,
    /// The result.
    pub result: PgnResult,
    /// The reason of the result, in words.
    pub reason: String,
    /// Statistics of White and Black.
    pub stats: [SideStats; 2],
    /// Number of errors of White and Black.
    pub faults: [u32; 2],
    /// Games lost on time by White and Black.
    pub time_losses: [u32; 2],
}

impl FinishedGame {
    /// The summary of a game just played.
    pub fn new(number: u64, played: &PlayedGame) -> Self {
        let count = |wanted: &dyn Fn(&str, &str) -> bool| {
            Color::ALL.map(|color| {
                let name = color.to_string();
                played.errors.iter().filter(|error| wanted(&error.color, &name)).count() as u32
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

fn numbers<const N: usize>(text: &str) -> Option<[u64; N]> {
    let mut numbers = [0; N];
    let mut words = text.split(' ');
    for number in &mut numbers {
        *number = words.next()?.parse().ok()?;
    }
    Some(numbers)
}

/// A score as in PGN comments: `+0.45`, `-M3`.
pub(super) fn score_text(score: Score) -> String {
    match score {
        Score::Centipawns(cp) => format!("{:+.2}", f64::from(cp) / 100.0),
        Score::Mate(moves) => format!("{}M{}", if moves > 0 { '+' } else { '-' }, moves.abs()),
    }
}

fn info_text(info: &MoveInfo) -> String {
    let seconds = info.time.as_secs_f64();
    match info.score {
        Some(score) => format!("{}/{} {seconds:.3}s", score_text(score), info.depth),
        None => format!("{seconds:.3}s"),
    }
}

/// The PGN record of a game.
pub fn record(settings: &Match, task: &ScheduledGame, played: &PlayedGame) -> PgnGame {
    let engines = task.by_color(&settings.schedule.encounters);
    let rules = &settings.game.rules;
    let (initial, rest) = rules.play.variant.name().split_at(1);
    let mut tags = Tags::default();
    tags.set("Event", settings.event.as_str());
    tags.set("Site", "?");
    tags.set("Date", settings.date.as_str());
    tags.set("Round", format!("{}.{}", task.pair + 1, if task.first_color == Color::White { 1 } else { 2 }));
    for (color, engine) in ["White", "Black"].into_iter().zip(engines) {
        tags.set(color, settings.names[engine].as_str());
    }
    tags.set("Result", played.result.to_string());
    tags.set("Variant", initial.to_uppercase() + rest);
    tags.set("FEN", played.game.start().to_string());
    tags.set("SetUp", "1");
    tags.set("Ruleset", rules.setup.ruleset.name());
    tags.set("Termination", played.termination);
    tags.set("Reason", played.reason.as_str());
    tags.set("PlyCount", played.game.len().to_string());
    for (name, engine) in ["WhiteTimeControl", "BlackTimeControl"].into_iter().zip(engines) {
        tags.set(name, settings.engines[engine].limits.or(settings.game.limits).to_string());
    }
    tags.set("GameNumber", task.number.to_string());
    tags.set("Match", settings.part_fingerprint());
    let finished = FinishedGame::new(task.number, played);
    // Moves, sum of depths, nodes, milliseconds, errors, losses on time: the input of the totals.
    for (name, color) in [("WhiteStats", 0), ("BlackStats", 1)] {
        let SideStats { moves, depth, nodes, milliseconds } = finished.stats[color];
        let (faults, late) = (finished.faults[color], finished.time_losses[color]);
        tags.set(name, format!("{moves} {depth} {nodes} {milliseconds} {faults} {late}"));
    }
    let mut moves: Vec<PgnMove> = move_names(&played.game, Notation::San)
        .into_iter()
        .enumerate()
        .map(|(index, text)| {
            let comments = played.infos.get(index).map(info_text).into_iter().collect();
            PgnMove { text, comments, ..PgnMove::default() }
        })
        .collect();
    let mut comment = Vec::new();
    for &ply in &played.count_stops {
        let before = ply.checked_sub(1).and_then(|ply| moves.get_mut(ply));
        before.map_or(&mut comment, |mv| &mut mv.comments).push(COUNT_STOP.to_owned());
    }
    match moves.last_mut() {
        Some(last) => last.comments.push(played.reason.clone()),
        None => comment.push(played.reason.clone()),
    }
    PgnGame { tags, comment, moves, result: played.result, ..PgnGame::default() }
}

/// Creates the file for the games of a match; it may exist if empty, as left by engines that could not be started.
///
/// # Errors
/// If it is not empty, another match writes it, or it cannot be created.
pub fn create_games(path: &Path) -> Result<AppendFile> {
    AppendFile::create(path).map_err(|error| match error {
        OutputError::Resumable { .. } => {
            anyhow!("{}: there are games already (--resume goes on with them)", path.display())
        }
        error => error.into(),
    })
}

/// Opens a file to resume; returns it with its games. An incomplete last game is removed.
///
/// # Errors
/// If the file cannot be read, another match writes it, or it holds anything else; it is then left unchanged.
pub fn resume_games(path: &Path, fingerprint: &str) -> Result<(AppendFile, Vec<FinishedGame>)> {
    let mut file = AppendFile::resume(path)?;
    let text = file.contents()?;
    let finished = finished_games(&text, fingerprint).with_context(|| path.display().to_string())?;
    file.cut(complete_length(&text) as u64)?;
    Ok((file, finished))
}

/// The complete games of a file, all of which must be of the match with this fingerprint.
fn finished_games(text: &[u8], fingerprint: &str) -> Result<Vec<FinishedGame>> {
    let (whole, rest) = text.split_at(complete_length(text));
    let mut finished = Vec::new();
    for game in PgnReader::new(BufReader::new(whole)) {
        let game = game?;
        let number = game.number;
        let found = game.tags.get("Match").unwrap_or_default();
        ensure!(!found.is_empty(), "game {number} belongs to no match");
        ensure!(found == fingerprint, "game {number} belongs to {}", difference(found, fingerprint));
        finished.push(read_back(&game).ok_or_else(|| anyhow!("game {number} lacks the tags of a match"))?);
    }
    ensure!(is_cut_record(rest, fingerprint), "it ends with something that is no game of this match");
    Ok(finished)
}

/// The text of a game in the file.
///
/// # Errors
/// Those of the writer.
pub fn record_text(game: &PgnGame) -> io::Result<Vec<u8>> {
    let mut text = Vec::new();
    PgnWriter::new(&mut text).write_game(game)?;
    Ok(text)
}

/// Whether `rest`, which follows the last complete game of a file, is the beginning of a game of this match.
fn is_cut_record(rest: &[u8], fingerprint: &str) -> bool {
    const BEGIN: &[u8] = b"[Event \"";
    let contains = |text: &[u8], part: &[u8]| text.windows(part.len()).any(|window| window == part);
    let tag = format!("[Match \"{fingerprint}\"]");
    BEGIN.starts_with(rest)
        || rest.starts_with(BEGIN) && (!contains(rest, b"\n\n") || contains(rest, tag.as_bytes()))
}

/// Length of the complete games in a text: up to the last result token before a blank line.
fn complete_length(text: &[u8]) -> usize {
    let ends = [&b"1-0\n\n"[..], b"0-1\n\n", b"1/2-1/2\n\n", b"*\n\n"];
    let last =
        |end: &[u8]| text.windows(end.len()).rposition(|window| window == end).map(|at| at + end.len());
    ends.into_iter().filter_map(last).max().unwrap_or(0)
}

fn read_back(game: &PgnGame) -> Option<FinishedGame> {
    let tags = &game.tags;
    let number = tags.get("GameNumber")?.parse().ok()?;
    let sides = [tags.get("WhiteStats")?, tags.get("BlackStats")?];
    let [white, black] = sides.map(numbers::<6>);
    let sides = [white?, black?];
    Some(FinishedGame {
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

/// Claims a file for the report of the match, or part, with this fingerprint; returns the report in it, to be resumed.
/// Nothing is written yet.
///
/// # Errors
/// If another match writes the file, or if it holds anything but a report without games or, with `resume`, a report of
/// the same match and part.
pub fn claim_report(
    path: &Path,
    fingerprint: &str,
    shard: Shard,
    resume: bool,
) -> Result<(OutputFile, Option<MatchReport>)> {
    let file = OutputFile::replace(path, "")?;
    let Some(report) = read_report(path, fingerprint)? else { return Ok((file, None)) };
    let path = path.display();
    ensure!(report.shards == [shard], "{path}: it is the report of another part of the match");
    ensure!(resume, "{path}: there is a report already (--resume goes on with it and its PGN file)");
    Ok((file, Some(report)))
}

/// The report in a file; `None` if the file is empty, or the report has no games.
fn read_report(path: &Path, fingerprint: &str) -> Result<Option<MatchReport>> {
    let name = path.display();
    // A pipe is not read.
    let text = if path.is_file() {
        fs::read_to_string(path).with_context(|| name.to_string())?
    } else {
        String::new()
    };
    if text.trim().is_empty() {
        return Ok(None);
    }
    let Ok(report) = serde_json::from_str::<MatchReport>(&text) else {
        bail!("{name}: it holds something else than the report of a match");
    };
    if report.totals.engines.iter().all(|engine| engine.games == 0) {
        return Ok(None);
    }
    let found = &report.fingerprint;
    ensure!(found == fingerprint, "{name}: it is the report of {}", difference(found, fingerprint));
    Ok(Some(report))
}

/// Claims the file for the sum of the parts of a match; it may replace only a report of the same match.
///
/// # Errors
/// If the file holds anything else, or cannot be read or written.
pub fn sum_file(path: &Path, fingerprint: &str) -> Result<OutputFile> {
    let file = OutputFile::replace(path, "")?;
    read_report(path, fingerprint)?;
    Ok(file)
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
            [Score::Centipawns(45), Score::Centipawns(-7), Score::Mate(3), Score::Mate(-1)].map(score_text),
            ["+0.45", "-0.07", "+M3", "-M1"]
        );
    }

    /// Only an incomplete game of this match is removed; anything else is kept.
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
}
