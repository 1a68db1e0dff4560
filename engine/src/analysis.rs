//! What a search of one position found, as one value: the JSON object that `sakmak analyse --json` prints.

use std::sync::mpsc::{Sender, channel};

use sakmak_movegen::Move;
use serde::{Serialize, Serializer};

use crate::engine::Engine;
use crate::score::Score;
use crate::search::{Listener, SearchInfo};
use crate::time::Limits;

/// A searched position. `docs/analyse.md` describes the fields.
#[derive(Clone, Debug, Serialize)]
pub struct Analysis {
    /// The position.
    pub fen: String,
    /// The end of the game; `None` while it goes on.
    pub outcome: Option<String>,
    /// The best move; `None` without a legal move.
    pub bestmove: Option<String>,
    /// Depth of the last finished iteration of the first line, in plies.
    pub depth: u32,
    /// Nodes searched.
    pub nodes: u64,
    /// Time of the search in milliseconds; left out of the JSON object if `None`.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub time_ms: Option<u64>,
    /// The best lines, the best first.
    pub lines: Vec<AnalysisLine>,
}

/// One of the best lines.
#[derive(Clone, Debug, Serialize)]
pub struct AnalysisLine {
    /// Rank, from 1.
    pub multipv: usize,
    /// Depth of the finished iteration, in plies.
    pub depth: u32,
    /// Deepest ply reached.
    pub seldepth: u32,
    /// The score for the side to move.
    #[serde(serialize_with = "score_object")]
    pub score: Score,
    /// Chances to win, draw and lose, in thousandths.
    pub wdl: [u32; 3],
    /// The moves.
    pub pv: Vec<String>,
}

/// The search found no move although there are legal ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search found no move")]
pub struct NoMoveFound;

/// `{"cp": 25}` or `{"mate": 3}`.
fn score_object<S: Serializer>(score: &Score, serializer: S) -> Result<S::Ok, S::Error> {
    let (unit, value) = match *score {
        Score::Centipawns(value) => ("cp", value),
        Score::Mate(moves) => ("mate", moves),
    };
    serializer.collect_map([(unit, value)])
}

/// Forwards the reports of a search.
struct Reports(Sender<SearchReport>);

enum SearchReport {
    Line(Box<SearchInfo>),
    Warning(String),
    Best(Option<Move>),
}

impl Reports {
    fn send(&self, report: SearchReport) {
        // The receiver waits for the best move, which is the last.
        let _ = self.0.send(report);
    }
}

impl Listener for Reports {
    fn info(&mut self, info: &SearchInfo) {
        self.send(SearchReport::Line(Box::new(info.clone())));
    }

    fn warn(&mut self, message: &str) {
        self.send(SearchReport::Warning(message.to_owned()));
    }

    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.send(SearchReport::Best(best));
    }
}

impl Analysis {
    /// Searches the current position of an engine and waits for the result. The search begins cleared, so that the
    /// result does not depend on earlier ones. `warn` receives messages for people.
    ///
    /// # Errors
    /// If the search found no move although there are legal ones.
    pub fn of(engine: &mut Engine, limits: Limits, warn: &mut dyn FnMut(&str)) -> Result<Self, NoMoveFound> {
        engine.new_game();
        let (sender, reports) = channel();
        let refusals = engine.go(limits, Reports(sender));
        for refusal in refusals {
            warn(&refusal.to_string());
        }
        // The last report of each line, by rank.
        let mut infos: Vec<SearchInfo> = Vec::new();
        let mut bestmove = None;
        for report in reports {
            match report {
                SearchReport::Line(info) => {
                    infos.retain(|other| other.multi_pv != info.multi_pv);
                    infos.push(*info);
                }
                SearchReport::Warning(message) => warn(&message),
                SearchReport::Best(best) => bestmove = best,
            }
        }
        infos.sort_by_key(|info| info.multi_pv);
        if bestmove.is_none() && engine.position().has_legal_move() {
            return Err(NoMoveFound);
        }
        let last = infos.iter().max_by_key(|info| info.nodes);
        let time = last.map_or(0, |info| u64::try_from(info.time.as_millis()).unwrap_or(u64::MAX));
        Ok(Self {
            fen: engine.position().to_string(),
            outcome: engine.outcome().map(|outcome| outcome.to_string()),
            bestmove: bestmove.map(|mv| mv.to_string()),
            depth: infos.first().map_or(0, |info| info.depth),
            nodes: last.map_or(0, |info| info.nodes),
            time_ms: Some(time),
            lines: infos.iter().map(AnalysisLine::new).collect(),
        })
    }
}

impl AnalysisLine {
    fn new(info: &SearchInfo) -> Self {
        Self {
            multipv: info.multi_pv,
            depth: info.depth,
            seldepth: info.seldepth,
            score: info.score,
            wdl: info.win_draw_loss,
            pv: info.line.iter().map(|mv| mv.to_string()).collect(),
        }
    }
}
