//! Annotates games: evaluations, mistakes, better lines, and what happened to the count.
//!
//! [`AnnotateJob`] annotates all games of files, several at a time, and writes them in their order; [`write_report`]
//! makes a page of them.

mod analyst;
mod count;
mod job;
mod lines;
mod report;
mod verdict;

use sakmak_engine::score::Score;
use sakmak_engine::tt::HashAllocationError;
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::{Color, Game, Move, Notation, Outcome};
use serde::Serialize;
use thiserror::Error;

use crate::games::GameStart;
use crate::games::pgn::{PgnGame, PgnLine, PgnMove};
use crate::matches::tournament::engine_error::EngineFailure;
use crate::output::OutputError;

use analyst::{Analyst, Evaluation};
use count::Standing;

pub use analyst::Effort;
pub use count::CountFinding;
pub use job::{AnnotateJob, AnnotateProgress, Annotated};
pub use report::{Language, REPORT_MARK, write_report};
pub use verdict::{BLUNDER, INACCURACY, MISTAKE, Verdict};

/// Why games could not be annotated.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum AnnotateError {
    /// No memory for the transposition table.
    #[error(transparent)]
    Memory(#[from] HashAllocationError),
    /// The engine failed.
    #[error(transparent)]
    Engine(#[from] EngineFailure),
    /// An input cannot be read again.
    #[error("{path}: {error}")]
    Io {
        /// The file.
        path: String,
        /// Why.
        error: std::io::Error,
    },
    /// The output cannot be opened or written.
    #[error(transparent)]
    Output(#[from] OutputError),
    /// The file of JSON lines holds something else.
    #[error("{path}: line {line} was not written by this command; the file is left as it is")]
    ForeignLine {
        /// The file.
        path: String,
        /// The line, from 1.
        line: u64,
    },
    /// The file of JSON lines has games that the output does not have.
    #[error("{path}: has lines of {lines} games that {out} does not have: it belongs to another file")]
    LaterLines {
        /// The file of lines.
        path: String,
        /// The file of games.
        out: String,
        /// How many.
        lines: u64,
    },
    /// The file of JSON lines lacks a game of the earlier run.
    #[error(
        "{path}: has no line for game {game}, which {out} has: resume without --json, or begin again with new files"
    )]
    MissingLine {
        /// The file of lines.
        path: String,
        /// The file of games.
        out: String,
        /// The number of the game in the files given.
        game: u64,
    },
    /// A thread could not be started, or panicked.
    #[error("thread: {0}")]
    Thread(String),
    /// The output was not made of these games.
    #[error("{path}: has more games than the files given: it cannot be resumed with them")]
    OtherGames {
        /// The output.
        path: String,
    },
}

/// What came of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameReview {
    /// From 0 to 100, White first; `None` without a move of that side.
    pub accuracy: [Option<f64>; 2],
    /// Inaccuracies, mistakes and blunders of White and Black.
    pub verdicts: [[u32; 3]; 2],
    /// One for each move.
    pub plies: Vec<PlyReview>,
    /// The draw that was not claimed in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<CountFinding>,
}

/// What a move did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyReview {
    /// The evaluation after it in a form of PGN's `[%eval]`, for White; empty if there is none.
    pub eval: String,
    /// White's expected points after it, in hundredths of a game.
    pub points: f64,
    /// Hundredths of a game that it lost.
    pub lost: f64,
    /// What follows from that.
    pub verdict: Verdict,
    /// What it did about the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<CountFinding>,
}

/// Most plies of a better line.
const LINE_PLIES: usize = 8;

/// Evaluates the positions of a game from its end to its start, so that the table knows what comes, and finds what each
/// move lost. Writes that into the record.
fn review(
    pgn: &mut PgnGame,
    start: &GameStart,
    analyst: &mut Analyst,
    tables: &Tablebases,
    effort: Effort,
) -> Result<GameReview, AnnotateError> {
    let moves: Vec<Move> = start.game.moves().collect();
    analyst.new_game()?;
    let mut evaluations = Vec::new();
    let mut games = vec![start.game.clone()];
    // Cloned once for each ply, since variations are written in the positions.
    for _ in &moves {
        let mut game = games[games.len() - 1].clone();
        game.take_back();
        games.push(game);
    }
    for game in &games {
        evaluations.push(analyst.evaluate(game, effort)?);
    }
    games.reverse();
    evaluations.reverse();
    let points: Vec<f64> = games
        .iter()
        .zip(&evaluations)
        .enumerate()
        .map(|(ply, (game, found))| white_points(game, found.as_ref(), ply == moves.len()))
        .collect();

    let first_is_white = games[0].position().side_to_move() == Color::White;
    let accuracy =
        [true, false].map(|white| verdict::game_accuracy(&points, first_is_white, white).map(rounded));
    let mut review = GameReview { accuracy, verdicts: [[0; 3]; 2], plies: Vec::new(), late: None };
    for (ply, &mv) in moves.iter().enumerate() {
        let mover = games[ply].position().side_to_move();
        let of_mover = |white: f64| if mover == Color::White { white } else { 100.0 - white };
        let best = evaluations[ply].as_ref().and_then(|found| found.line.first());
        let mut lost = (of_mover(points[ply]) - of_mover(points[ply + 1])).max(0.0);
        if best == Some(&mv) {
            lost = 0.0;
        }
        let before = Standing::new(games[ply].position(), tables, of_mover(points[ply]));
        let after = Standing::new(games[ply + 1].position(), tables, of_mover(points[ply + 1]));
        let finding = count::finding(&before, &after, || {
            let free = count::without_count(&games[ply + 1]);
            let found = analyst.evaluate_position(&free, effort)?;
            Some(100.0 - verdict::expected_points(found.win_draw_loss))
        });
        if finding.is_some() {
            lost = lost.max(MISTAKE);
        }
        let verdict = Verdict::of_loss(lost);
        let row = &mut review.verdicts[mover.index()];
        match verdict {
            Verdict::Good => {}
            Verdict::Inaccuracy => row[0] += 1,
            Verdict::Mistake => row[1] += 1,
            Verdict::Blunder => row[2] += 1,
        }
        review.plies.push(PlyReview {
            eval: evaluations[ply + 1]
                .as_ref()
                .map_or(String::new(), |found| eval_text(found, &games[ply + 1])),
            points: rounded(points[ply + 1]),
            lost: rounded(lost),
            verdict,
            finding,
        });
    }
    let outcomes = games.iter().map(Game::outcome_here);
    review.late = count::claimed_late(outcomes, moves.len());
    write(pgn, &review, &games, &evaluations, &moves);
    Ok(review)
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// White's expected points in hundredths of a game.
fn white_points(game: &Game, found: Option<&Evaluation>, is_last: bool) -> f64 {
    let outcome = game.outcome_here().filter(|_| is_last || found.is_none());
    let for_white =
        |points: f64| if game.position().side_to_move() == Color::White { points } else { 100.0 - points };
    match (outcome, found) {
        (Some(Outcome::Win(Color::White)), _) => 100.0,
        (Some(Outcome::Win(Color::Black)), _) => 0.0,
        (Some(Outcome::Draw(_)), _) | (None, None) => 50.0,
        (None, Some(found)) => for_white(verdict::expected_points(found.win_draw_loss)),
    }
}

/// The value of `[%eval]`: pawns or `#` and moves to mate, for White, and the depth.
fn eval_text(found: &Evaluation, game: &Game) -> String {
    let sign = if game.position().side_to_move() == Color::White { 1 } else { -1 };
    let score = match found.score {
        Score::Centipawns(cp) => format!("{:.2}", f64::from(sign * cp) / 100.0),
        Score::Mate(moves) => format!("#{}", sign * moves),
    };
    format!("{score},{}", found.depth)
}

/// Writes a review into the record: evaluations and words as comments, glyphs, better lines, accuracy as tags.
fn write(
    pgn: &mut PgnGame,
    review: &GameReview,
    games: &[Game],
    evaluations: &[Option<Evaluation>],
    moves: &[Move],
) {
    let last = review.plies.len().wrapping_sub(1);
    for (ply, (record, what)) in pgn.moves.iter_mut().zip(&review.plies).enumerate() {
        record.nags.retain(|nag| !Verdict::NAGS.contains(nag));
        record.nags.extend(what.verdict.nag());
        let mut comment = String::new();
        if !what.eval.is_empty() {
            comment = format!("[%eval {}]", what.eval);
        }
        let late = review.late.filter(|_| ply == last);
        for finding in what.finding.into_iter().chain(late) {
            let words = finding.words();
            comment += &format!(" [%count {finding}] {words}");
        }
        record.comments.retain(|old| !old.starts_with("[%eval"));
        if !comment.is_empty() {
            record.comments.insert(0, comment.trim_start().to_owned());
        }
        let better = evaluations[ply].as_ref().filter(|found| {
            what.verdict != Verdict::Good && found.line.first().is_some_and(|best| *best != moves[ply])
        });
        if let Some(found) = better {
            record.variations.push(PgnLine { comment: Vec::new(), moves: line(&games[ply], &found.line) });
        }
    }
    let names = ["WhiteAccuracy", "BlackAccuracy"];
    for (name, accuracy) in names.into_iter().zip(review.accuracy) {
        if let Some(accuracy) = accuracy {
            pgn.tags.set(name, format!("{accuracy:.1}"));
        }
    }
}

/// A line in short notation.
fn line(game: &Game, moves: &[Move]) -> Vec<PgnMove> {
    let mut game = game.clone();
    let mut records = Vec::new();
    for &mv in moves.iter().take(LINE_PLIES) {
        records.push(PgnMove { text: game.name(Notation::San, mv), ..PgnMove::default() });
        if game.play(mv).is_err() {
            records.pop();
            break;
        }
    }
    records
}
