//! Games and results in the form of fastchess, as the client of OpenBench reads them.
//!
//! The client counts the lines `Finished game N (WHITE vs BLACK): RESULT {REASON}`: crashes, losses on time and illegal
//! moves by words of the reason. Of the PGN file it keeps some tags and, for each move, score, depth, time, nodes,
//! selective depth and the engine's own comment (`update_results` in its `worker.py`, and its `pgn_util.py`).

use sakmak_games::COUNT_STOP;
use sakmak_games::pgn::{PgnGame, PgnMove, PgnResult, Tags};
use sakmak_movegen::Notation;

use super::Match;
use super::engine_error::EngineError;
use super::play::{MoveInfo, PGN_COMMENT, PlayedGame, move_names};
use super::process::printable;
use super::schedule::ScheduledGame;
use super::store::score_text;

/// The line that reports a finished game; the names are White's and Black's. ASCII, as the client reads nothing else.
pub fn finished_line(number: u64, [white, black]: [&str; 2], played: &PlayedGame) -> String {
    let line =
        format!("Finished game {number} ({white} vs {black}): {} {{{}}}", played.result, reason(played));
    printable(&line).map(|letter| if letter.is_ascii() { letter } else { '?' }).collect()
}

/// The reason of the result; errors of engines have the words that the client looks for.
fn reason(played: &PlayedGame) -> String {
    let Some(fault) = &played.fault else { return played.reason.clone() };
    let loser = if played.result == PgnResult::WhiteWins { "Black" } else { "White" };
    match fault {
        EngineError::TimeForfeit { ms } => format!("{loser} loses on time by {ms} ms"),
        EngineError::Stall => format!("{loser}'s connection stalls"),
        EngineError::IllegalMove { text } => format!("{loser} makes an illegal move: {text}"),
        EngineError::NoMove { text } => format!("{loser} makes an illegal move: none {text}"),
        _ => format!("{loser} disconnects: it {fault}"),
    }
}

/// The tag `Termination`; the client sends games to the server that are abandoned, stalled or illegal.
fn termination(played: &PlayedGame) -> &'static str {
    match &played.fault {
        None => played.termination,
        Some(EngineError::TimeForfeit { .. }) => "time forfeit",
        Some(EngineError::Stall) => "stalled connection",
        Some(EngineError::IllegalMove { .. } | EngineError::NoMove { .. }) => "illegal move",
        Some(_) => "abandoned",
    }
}

/// The comment of a move, `+0.45/12 0.310s, n=4711, sd=20`, with the engine's own text as `line="..."`.
fn comment(info: &MoveInfo) -> String {
    let score = info.score.map(score_text).unwrap_or_default();
    let seconds = info.time.as_secs_f64();
    let mut text = format!("{score}/{} {seconds:.3}s, n={}, sd={}", info.depth, info.nodes, info.seldepth);
    if let Some(own) = &info.comment {
        text += &format!(", line=\"{PGN_COMMENT}{}\"", own.replace('"', "'"));
    }
    text
}

/// The PGN record of a game.
pub fn record(settings: &Match, task: &ScheduledGame, played: &PlayedGame) -> PgnGame {
    let engines = task.by_color(&settings.schedule.encounters);
    let rules = &settings.game.rules;
    let controls = engines.map(|engine| settings.engines[engine].limits.or(settings.game.limits).to_string());
    let (initial, rest) = rules.play.variant.name().split_at(1);
    let mut tags = Tags::default();
    tags.set("Event", settings.event.as_str());
    tags.set("Date", settings.date.as_str());
    tags.set("Round", task.number.to_string());
    for (color, engine) in ["White", "Black"].into_iter().zip(engines) {
        tags.set(color, settings.names[engine].as_str());
    }
    tags.set("Result", played.result.to_string());
    tags.set("Variant", initial.to_uppercase() + rest);
    tags.set("Ruleset", rules.setup.ruleset.name());
    tags.set("FEN", played.game.start().to_string());
    tags.set("SetUp", "1");
    tags.set("PlyCount", played.game.len().to_string());
    tags.set("Termination", termination(played));
    let [white, black] = controls;
    if white == black {
        tags.set("TimeControl", white);
    } else {
        tags.set("WhiteTimeControl", white);
        tags.set("BlackTimeControl", black);
    }
    let mut moves: Vec<PgnMove> = move_names(&played.game, Notation::San)
        .into_iter()
        .zip(&played.infos)
        .map(|(text, info)| PgnMove { text, comments: vec![comment(info)], ..PgnMove::default() })
        .collect();
    // The client takes words of a second comment for moves.
    let mut before = Vec::new();
    match moves.last_mut() {
        Some(last) => last.comments[0] += &format!(", {}", reason(played)),
        None => before.push(reason(played)),
    }
    for &ply in &played.count_stops {
        let comments = ply.checked_sub(1).and_then(|ply| moves.get_mut(ply)).map(|mv| &mut mv.comments);
        comments.unwrap_or(&mut before).push(COUNT_STOP.to_owned());
    }
    PgnGame { tags, comment: before, moves, result: played.result, ..PgnGame::default() }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use sakmak_engine::score::Score;
    use sakmak_movegen::{Game, Rules};

    use super::*;

    fn lost_by(fault: EngineError) -> PlayedGame {
        PlayedGame {
            game: Game::new(Rules::default()),
            infos: Vec::new(),
            result: PgnResult::WhiteWins,
            reason: "white wins".to_owned(),
            termination: "abandoned",
            fault: Some(fault),
            errors: Vec::new(),
            stats: Default::default(),
            count_stops: Vec::new(),
        }
    }

    /// The words that OpenBench's client counts by, and those of the tag by which it sends a game to the server.
    #[test]
    fn errors_have_the_words_that_are_counted() {
        for (fault, word, tag) in [
            (EngineError::TimeForfeit { ms: 3 }, "on time", "time forfeit"),
            (EngineError::Stall, "stalls", "stalled"),
            (EngineError::IllegalMove { text: "é}: x".into() }, "illegal", "illegal"),
            (EngineError::NoMove { text: String::new() }, "illegal", "illegal"),
            (EngineError::Crash { status: "exit status: 1".into() }, "disconnect", "abandoned"),
            (EngineError::NoReadyok, "disconnect", "abandoned"),
        ] {
            let played = lost_by(fault);
            let line = finished_line(7, ["a-dev", "a-base"], &played);
            assert!(line.is_ascii() && line.starts_with("Finished game 7 (a-dev vs a-base): 1-0 {Black"));
            let counted = line.split(':').nth(1).unwrap();
            let words = ["on time", "stalls", "illegal", "disconnect"];
            assert_eq!(words.into_iter().filter(|word| counted.contains(word)).collect::<Vec<_>>(), [word]);
            assert!(termination(&played).contains(tag), "{line}");
        }
    }

    #[test]
    fn comments_of_moves() {
        let info = MoveInfo {
            score: Some(Score::Centipawns(-45)),
            depth: 12,
            seldepth: 20,
            nodes: 4711,
            time: Duration::from_millis(31),
            comment: Some("a \"b\"".to_owned()),
        };
        let text = "-0.45/12 0.031s, n=4711, sd=20, line=\"info string pgncomment a 'b'\"";
        assert_eq!(comment(&info), text);
    }
}
