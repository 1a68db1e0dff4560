//! The engine that evaluates the positions of a game: Sakmak inside the process, or any UCI engine.

use std::time::Duration;

use anyhow::Result;
use sakmak_engine::score::Score;
use sakmak_engine::win_rate::win_draw_loss;
use sakmak_engine::{Limits, SearchInfo, SearchRequest, Searcher};
use sakmak_eval::{Centipawns, DtmTables};
use sakmak_movegen::{Game, Position, Rules};
use sakmak_review::Evaluation;

use sakmak_matches::tournament::info::InfoLine;
use sakmak_matches::tournament::process::{EngineProcess, Timeouts};
use sakmak_matches::tournament::spec::EngineSpec;

/// Search limit per position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Effort {
    /// Nodes.
    Nodes(u64),
    /// Milliseconds.
    MoveTime(u64),
}

/// An engine that evaluates positions.
pub(super) enum Analyst {
    Own(Box<Searcher>),
    Engine(Box<EngineProcess>),
}

/// Transposition table of the search inside the process, in MiB.
const HASH_MB: usize = 64;
/// Time that a UCI engine's search may exceed the time asked for.
const SEARCH_MARGIN: Duration = Duration::from_secs(600);

impl Analyst {
    pub(super) fn new(engine: Option<&EngineSpec>, rules: Rules, tables: &DtmTables) -> Result<Self> {
        Ok(match engine {
            None => Self::Own(Box::new(Searcher::new(HASH_MB)?.with_dtm_tables(tables))),
            Some(spec) => Self::Engine(Box::new(EngineProcess::start(spec, &rules, Timeouts::default())?)),
        })
    }

    /// The engine's name.
    pub(super) fn name(&self) -> &str {
        match self {
            Self::Own(_) => "Sakmak",
            Self::Engine(engine) => &engine.name,
        }
    }

    /// Clears what the engine remembers of earlier games.
    pub(super) fn new_game(&mut self) -> Result<()> {
        match self {
            Self::Own(searcher) => searcher.clear(),
            Self::Engine(engine) => engine.new_game().map_err(|error| engine.failure(error))?,
        }
        Ok(())
    }

    /// Evaluates the current position of a game; `None` if there is no legal move, or the engine reported no score.
    pub(super) fn evaluate(&mut self, game: &Game, effort: Effort) -> Result<Option<Evaluation>> {
        if !game.position().has_legal_move() {
            return Ok(None);
        }
        match self {
            Self::Own(searcher) => {
                Ok(search(searcher, &SearchRequest::of_game_that_goes_on(game, effort.limits())))
            }
            Self::Engine(engine) => {
                let go = match effort {
                    Effort::Nodes(nodes) => format!("go nodes {nodes}"),
                    Effort::MoveTime(ms) => format!("go movetime {ms}"),
                };
                let moves: Vec<_> = game.moves().map(|mv| mv.to_string()).collect();
                let fen = game.start().to_string();
                let mut found = None;
                engine.search(&fen, &moves.join(" "), &go, SEARCH_MARGIN, &mut |line| {
                    found = evaluation_of(line, game.position()).or(found.take());
                })?;
                Ok(found)
            }
        }
    }

    /// Evaluates a position under the position's own rules; `None` if the engine cannot be given them.
    pub(super) fn evaluate_position(&mut self, position: &Position, effort: Effort) -> Option<Evaluation> {
        match self {
            Self::Own(searcher) => search(searcher, &SearchRequest::new(position.clone(), effort.limits())),
            Self::Engine(_) => None,
        }
    }
}

impl Effort {
    fn limits(self) -> Limits {
        match self {
            Self::Nodes(nodes) => Limits::nodes(nodes),
            Self::MoveTime(ms) => Limits::move_time(Duration::from_millis(ms)),
        }
    }
}

fn search(searcher: &mut Searcher, request: &SearchRequest) -> Option<Evaluation> {
    let mut found = None;
    searcher.search_with(request, &mut |info: &SearchInfo| {
        found = Some(Evaluation::from(info));
    });
    found
}

/// The evaluation of an `info` line about the best move; `None` for other lines and for bounds.
///
/// The engine's centipawns are taken for ours, see [`Centipawns`].
fn evaluation_of(line: &str, position: &Position) -> Option<Evaluation> {
    let info = InfoLine::parse(line)?;
    let score = info.exact_score()?;
    let (mut after, mut moves) = (position.clone(), Vec::new());
    for text in info.pv {
        // The variation is cut off at the first illegal move.
        let Some(mv) = after.parse_move(text).ok().filter(|&mv| after.is_legal(mv)) else { break };
        after.play_unchecked(mv);
        moves.push(mv);
    }
    let win_draw_loss = match score {
        Score::Mate(1..) => [1000, 0, 0],
        Score::Mate(_) => [0, 0, 1000],
        Score::Centipawns(cp) => win_draw_loss(Centipawns(cp).to_internal().clamp(-15_000, 15_000), position),
    };
    Some(Evaluation { score, win_draw_loss, depth: info.depth.unwrap_or(0), line: moves })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_of_other_engines() {
        let start = Position::startpos();
        let read = |line| evaluation_of(line, &start);
        let found =
            read("info depth 9 seldepth 12 multipv 1 score cp 100 nodes 3 pv e3e4 d6d5 e4d5 x").unwrap();
        assert_eq!((found.score, found.depth, found.line.len()), (Score::Centipawns(100), 9, 3));
        assert!((400..=650).contains(&found.win_draw_loss[0]), "{found:?}");
        assert_eq!(read("info depth 3 score mate -2 pv a3a4").unwrap().win_draw_loss, [0, 0, 1000]);
        assert!(read("info depth 3 score cp 7 lowerbound pv a3a4").is_none());
        assert!(read("info depth 3 currmove a3a4").is_none());
    }
}
