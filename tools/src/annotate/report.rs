//! A self-contained HTML page about annotated games: board, moves, graph, statistics.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::io::{self, Write};

use sakmak_engine::win_rate::win_draw_loss;
use sakmak_eval::Centipawns;
use sakmak_movegen::{Color, CountKind, DrawReason, Game, Move, Notation, Outcome, Position};
use sakmak_review::{CountFinding, Verdict, expected_points};
use serde::Serialize;

use sakmak_files::games::{BrokenGame, GameFiles, GameVisitor, ReadMonitor};
use sakmak_games::GameStart;
use sakmak_games::pgn::{PgnGame, PgnMove, PgnResult};

/// The HTML around the data.
const PAGE: &str = include_str!("report.html");
/// The beginning of every page.
pub const REPORT_MARK: &str = "<!DOCTYPE html><!-- sakmak-tools annotate -->";
/// The placeholder of the data.
const PLACE: &str = "/*DATA*/";

/// Plies that identify an opening, and maximum number of openings listed; those of one game are left out.
const OPENING_PLIES: usize = 4;
const OPENINGS: usize = 20;

/// A language of the page; the browser's language comes first if it is one of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Language {
    /// English.
    English,
    /// Thai.
    Thai,
}

impl Language {
    fn code(self) -> &'static str {
        match self {
            Self::English => "en",
            Self::Thai => "th",
        }
    }
}

/// A move on the page.
#[derive(Serialize)]
struct MoveData {
    /// The move in coordinates.
    m: String,
    /// The move in short notation.
    s: String,
    /// White's expected points after it, in hundredths of a game.
    p: f64,
    /// The evaluation after it.
    #[serde(skip_serializing_if = "Option::is_none")]
    e: Option<String>,
    /// The glyph of the verdict.
    #[serde(skip_serializing_if = "Option::is_none")]
    n: Option<u16>,
    /// Its effects on the count.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    c: Vec<String>,
    /// A better move.
    #[serde(skip_serializing_if = "Option::is_none")]
    b: Option<String>,
    /// The comments, without commands and without the words of `c`, which the page has in its languages.
    #[serde(skip_serializing_if = "String::is_empty")]
    t: String,
    /// The board after it, where a piece did more than move from one square to another.
    #[serde(skip_serializing_if = "Option::is_none")]
    f: Option<String>,
}

/// A game on the page, with the fields of the page's script.
#[derive(Serialize)]
struct GameData<'a> {
    white: &'a str,
    black: &'a str,
    result: String,
    accuracy: [Option<&'a str>; 2],
    fen: String,
    /// 1 if Black moves first.
    black_first: u8,
    /// White's expected points at the start.
    start: f64,
    moves: &'a [MoveData],
}

/// Statistics over all games.
#[derive(Default)]
struct Statistics {
    /// Games won by White, drawn, won by Black.
    results: [u64; 3],
    /// Games with a count of the board's honour, and of the pieces' honour.
    counted: [u64; 2],
    /// Those of `counted` that the count drew.
    drawn: u64,
    too_short: u64,
    races: u64,
    late: u64,
    /// Results by opening.
    openings: BTreeMap<String, [u64; 3]>,
}

struct Writer<'a, W> {
    output: &'a mut W,
    statistics: Statistics,
    games: u64,
    moves: Vec<MoveData>,
    /// Whether each kind of count ran in the current game.
    counted: [bool; 2],
}

/// Writes the page about the games of files that `annotate` wrote. Broken games are skipped.
///
/// # Errors
/// If the output cannot be written.
pub fn write_report(
    files: &GameFiles<'_>,
    title: &str,
    language: Language,
    output: &mut impl Write,
    monitor: &mut dyn ReadMonitor,
) -> io::Result<u64> {
    let (head, tail) = PAGE.split_once(PLACE).unwrap_or((PAGE, ""));
    let head = head.replacen("lang=\"en\"", &format!("lang=\"{}\"", language.code()), 1);
    write!(output, "{head}{{\"title\":{},\"language\":\"{}\",\"games\":[", json(&title)?, language.code())?;
    let statistics = Statistics::default();
    let mut writer = Writer { output, statistics, games: 0, moves: Vec::new(), counted: [false; 2] };
    files.read(&mut writer, monitor)?;
    let Writer { output, statistics, games, .. } = writer;
    let mut openings: Vec<_> = statistics.openings.into_iter().collect();
    openings.retain(|(_, results)| results.iter().sum::<u64>() > 1);
    openings.sort_by_key(|(_, results)| std::cmp::Reverse(results.iter().sum::<u64>()));
    openings.truncate(OPENINGS);
    let summary = serde_json::json!({
        "results": statistics.results, "board": statistics.counted[0], "pieces": statistics.counted[1],
        "drawn": statistics.drawn, "too_short": statistics.too_short, "races": statistics.races,
        "late": statistics.late, "openings": openings,
    });
    write!(output, "],\"statistics\":{}}}{tail}", json(&summary)?)?;
    Ok(games)
}

/// JSON escaped for HTML.
fn json(value: &impl Serialize) -> io::Result<String> {
    Ok(serde_json::to_string(value)?.replace('<', "\\u003c"))
}

/// The arguments of a command such as `[%eval 0.31,12]` in the comments of a move.
fn commands<'a>(record: &'a PgnMove, name: &'a str) -> impl Iterator<Item = &'a str> {
    record.comments.iter().flat_map(move |comment| {
        comment.split("[%").skip(1).filter_map(move |text| {
            let (command, _) = text.split_once(']')?;
            command.strip_prefix(name)?.strip_prefix(' ')
        })
    })
}

/// The comments of a move without their commands and without what the findings say.
fn text(record: &PgnMove, findings: &[CountFinding]) -> String {
    let mut texts = Vec::new();
    for comment in &record.comments {
        let mut parts = comment.split("[%");
        let mut text = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            text += part.split_once(']').map_or("", |(_, rest)| rest);
        }
        for finding in findings {
            text = text.replace(&finding.words(), "");
        }
        texts.extend(text.split_whitespace().map(str::to_owned));
    }
    texts.join(" ")
}

/// White's expected points, in hundredths of a game, from an evaluation for White.
fn points(eval: Option<&str>, position: &Position) -> f64 {
    match position.outcome() {
        Some(Outcome::Win(color)) => return if color == Color::White { 100.0 } else { 0.0 },
        Some(Outcome::Draw(_)) => return 50.0,
        None => {}
    }
    let Some(eval) = eval else { return 50.0 };
    if let Some(moves) = eval.strip_prefix('#') {
        return if moves.starts_with('-') { 0.0 } else { 100.0 };
    }
    let Ok(pawns) = eval.parse::<f64>() else { return 50.0 };
    let sign = if position.side_to_move() == Color::White { 1.0 } else { -1.0 };
    let centipawns = Centipawns((sign * pawns * 100.0).round() as i32);
    let score = centipawns.to_internal().clamp(-15_000, 15_000);
    let for_mover = expected_points(win_draw_loss(score, position));
    let white = if sign > 0.0 { for_mover } else { 100.0 - for_mover };
    (white * 10.0).round() / 10.0
}

impl<W: Write> GameVisitor for Writer<'_, W> {
    type Error = io::Error;

    fn visit_move(&mut self, game: &Game, mv: Move, record: &mut PgnMove, depth: usize) {
        if depth > 0 {
            return;
        }
        if game.is_empty() {
            self.moves.clear();
            self.counted = [false; 2];
        }
        let mut after = game.position().clone();
        after.play_unchecked(mv);
        match after.count_kind() {
            Some(CountKind::Board) => self.counted[0] = true,
            Some(CountKind::Pieces) => self.counted[1] = true,
            None => {}
        }
        let eval = commands(record, "eval").next().map(|text| text.split(',').next().unwrap_or_default());
        let findings: Vec<CountFinding> =
            commands(record, "count").filter_map(|text| text.parse().ok()).collect();
        for finding in &findings {
            match finding {
                CountFinding::CountTooShort { .. } | CountFinding::CountAllowed { .. } => {
                    self.statistics.too_short += 1
                }
                CountFinding::RaceLost { .. } => self.statistics.races += 1,
                CountFinding::ClaimedLate { .. } => self.statistics.late += 1,
            }
        }
        let verdict = record.nags.iter().copied().find(|nag| Verdict::NAGS.contains(nag));
        let better = record.variations.last().and_then(|line| line.moves.first());
        self.moves.push(MoveData {
            m: mv.to_string(),
            s: game.name(Notation::San, mv),
            p: points(eval, &after),
            e: eval.map(str::to_owned),
            n: verdict,
            c: findings.iter().map(ToString::to_string).collect(),
            b: better.filter(|_| verdict.is_some()).map(|mv| mv.text.clone()),
            t: text(record, &findings),
            f: mv.is_two_piece().then(|| after.to_string()),
        });
    }

    fn finish(&mut self, _: &str, pgn: PgnGame, start: GameStart) -> io::Result<Option<BrokenGame>> {
        if start.game.is_empty() {
            self.moves.clear();
            self.counted = [false; 2];
        }
        let index = match pgn.result {
            PgnResult::WhiteWins => Some(0),
            PgnResult::Draw => Some(1),
            PgnResult::BlackWins => Some(2),
            PgnResult::Unknown => None,
        };
        let mut opening = String::new();
        for (ply, mv) in self.moves.iter().take(OPENING_PLIES).enumerate() {
            let number = if ply % 2 == 0 { format!("{}. ", ply / 2 + 1) } else { String::new() };
            let _ = write!(opening, "{number}{} ", mv.s);
        }
        let statistics = &mut self.statistics;
        for (total, counted) in statistics.counted.iter_mut().zip(self.counted) {
            *total += u64::from(counted);
        }
        let by_count = [DrawReason::BoardHonour, DrawReason::PiecesHonour];
        let outcome = start.game.outcome();
        statistics.drawn += u64::from(by_count.map(|reason| Some(Outcome::Draw(reason))).contains(&outcome));
        if let Some(index) = index {
            statistics.results[index] += 1;
            if start.is_default {
                statistics.openings.entry(opening.trim_end().to_owned()).or_default()[index] += 1;
            }
        }
        let tag = |name| pgn.tags.get(name);
        let first = start.game.start();
        let data = GameData {
            white: tag("White").unwrap_or("?"),
            black: tag("Black").unwrap_or("?"),
            result: pgn.result.to_string(),
            accuracy: [tag("WhiteAccuracy"), tag("BlackAccuracy")],
            fen: first.to_string(),
            black_first: u8::from(first.side_to_move() == Color::Black),
            start: 50.0,
            moves: &self.moves,
        };
        let comma = if self.games > 0 { "," } else { "" };
        write!(self.output, "{comma}\n{}", json(&data)?)?;
        self.games += 1;
        Ok(None)
    }
}
