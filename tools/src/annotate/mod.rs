//! Annotates games: evaluations, mistakes, better lines, and the events of the count.
//!
//! [`AnnotateJob`] annotates all games of files, several in parallel, and writes them in their order; [`write_report`]
//! makes an HTML page of them.

mod analyst;
mod job;
mod lines;
mod report;

use anyhow::{Result, ensure};
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::{Game, Move, Notation};
use sakmak_review::{GameReview, Review, Step, Verdict, without_count};

use sakmak_games::GameStart;
use sakmak_games::pgn::{PgnGame, PgnLine, PgnMove};

use analyst::Analyst;

pub use analyst::Effort;
pub use job::{AnnotateJob, AnnotateProgress, Annotated};
pub use report::{Language, REPORT_MARK, write_report};

/// Maximum plies of a better line.
const LINE_PLIES: usize = 8;

/// Reviews a game and writes the result into its record.
fn review(
    pgn: &mut PgnGame,
    start: &GameStart,
    analyst: &mut Analyst,
    tablebases: &Tablebases,
    effort: Effort,
) -> Result<GameReview> {
    analyst.new_game()?;
    let mut review = Review::new(&start.game, tablebases.clone());
    let (mut asked, mut answered) = (0, 0);
    while let Some(step) = review.next_step() {
        let found = match step {
            Step::Position(game) => {
                let found = analyst.evaluate(game, effort)?;
                asked += u32::from(game.position().has_legal_move());
                answered += u32::from(found.is_some());
                found
            }
            Step::Uncounted(game) => analyst.evaluate_position(&without_count(game), effort),
        };
        review.answer(found);
    }
    ensure!(asked == 0 || answered > 0, "{} reported no score in a whole game", analyst.name());
    let found = review.finish();
    write(pgn, &found, &review);
    Ok(found)
}

/// Writes a review into the record: evaluations and words as comments, glyphs, better lines, accuracy as tags.
fn write(pgn: &mut PgnGame, found: &GameReview, review: &Review) {
    let last = found.plies.len().wrapping_sub(1);
    for (ply, (record, what)) in pgn.moves.iter_mut().zip(&found.plies).enumerate() {
        record.nags.retain(|nag| !Verdict::NAGS.contains(nag));
        record.nags.extend(what.verdict.nag());
        let mut comment = String::new();
        if !what.eval.is_empty() {
            comment = format!("[%eval {}]", what.eval);
        }
        let late = found.late.filter(|_| ply == last);
        for finding in what.finding.into_iter().chain(late) {
            let words = finding.words();
            comment += &format!(" [%count {finding}] {words}");
        }
        if let Some(lesson) = &what.lesson {
            let reply = review.evaluations()[ply + 1].as_ref().map_or(&[][..], |found| &found.line);
            let words = lesson.words(&review.games()[ply], review.moves()[ply], reply, false);
            if !words.is_empty() {
                comment = format!("{comment} {words}");
            }
        }
        record.comments.retain(|old| !old.starts_with("[%eval"));
        if !comment.is_empty() {
            record.comments.insert(0, comment.trim_start().to_owned());
        }
        let is_better = |line: &[Move]| line.first().is_some_and(|best| *best != review.moves()[ply]);
        let better = review.evaluations()[ply].as_ref().map(|found| &found.line);
        if let Some(better) = better.filter(|better| what.verdict != Verdict::Good && is_better(better)) {
            let moves = line(&review.games()[ply], better);
            record.variations.push(PgnLine { comment: Vec::new(), moves });
        }
    }
    let names = ["WhiteAccuracy", "BlackAccuracy"];
    for (name, accuracy) in names.into_iter().zip(found.accuracy) {
        if let Some(accuracy) = accuracy {
            pgn.tags.set(name, format!("{accuracy:.1}"));
        }
    }
}

/// A line of moves in short notation.
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
