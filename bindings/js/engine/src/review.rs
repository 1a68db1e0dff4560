//! The review of a whole game: a [`Review`] whose searches run in the session's slices.

use std::sync::mpsc::{Receiver, Sender, channel};

use sakmak_engine::score::Score;
use sakmak_engine::tt::Bound;
use sakmak_engine::uci::Session;
use sakmak_engine::{EngineSettings, Limits, Listener, SearchInfo};
use sakmak_games::move_name;
use sakmak_movegen::{Color, Game, Move, Notation};
use sakmak_review::{CountFinding, CountRun, Evaluation as Found, GameReview, Lesson, Phase, Review, Step};
use serde::Serialize;

use crate::endings::tablebases;

/// A running review.
pub struct ReviewSearch {
    review: Review,
    nodes: u64,
    notation: Notation,
    /// The last report of each position.
    found: Vec<Option<SearchInfo>>,
    /// The running search; `None` if nothing is left to search.
    search: Option<RunningSearch>,
}

/// The search of a position, and what it has reported.
struct RunningSearch {
    reports: Receiver<Report>,
    last: Option<SearchInfo>,
    is_over: bool,
}

enum Report {
    Line(Box<SearchInfo>),
    Over,
}

/// Sends the reports of a search.
struct Reporter(Sender<Report>);

impl Listener for Reporter {
    fn info(&mut self, info: &SearchInfo) {
        if info.bound == Bound::Exact {
            // Nobody receives them once the review is cancelled.
            let _ = self.0.send(Report::Line(Box::new(info.clone())));
        }
    }

    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {
        let _ = self.0.send(Report::Over);
    }
}

/// The progress of a review.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Progress {
    /// Positions that need no further search.
    finished: usize,
    /// Positions of the game.
    total: usize,
}

/// The result of a review.
#[derive(Clone, Debug, Serialize)]
pub struct ReviewReport {
    /// By position, the start first.
    positions: Vec<PositionReport>,
    /// By move.
    moves: Vec<MoveReport>,
    /// White's summary, then Black's.
    sides: [Summary; 2],
    /// Opening, middlegame and endgame, as far as the game has them.
    phases: Vec<Phase>,
    /// The counts that ran.
    counts: Vec<CountRun>,
    /// The draw by the count that was not claimed in time.
    late: Option<CountFinding>,
}

/// A position of a reviewed game.
#[derive(Clone, Debug, Serialize)]
struct PositionReport {
    /// From White's side; `None` without a legal move.
    score: Option<ScoreData>,
    /// Chances of White to win, draw and lose in thousandths.
    chances: [u32; 3],
    /// The best move, in coordinates.
    best: Option<String>,
    /// The line that begins with it.
    line: Vec<String>,
    /// The line in the notation asked for.
    names: Vec<String>,
}

/// A score as `info` lines have it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
enum ScoreData {
    Cp(i32),
    Mate(i32),
}

/// A move of a reviewed game.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct MoveReport {
    /// Expected points lost, in hundredths of a game.
    lost: f64,
    /// Numeric annotation glyph: 6, 2 or 4 for `?!`, `?` and `??`; 0 for none.
    nag: u16,
    /// What the move did about the count.
    finding: Option<CountFinding>,
    /// What it allowed and missed, if it was a mistake.
    lesson: Option<Lesson>,
}

/// The summary of one side.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
struct Summary {
    /// Moves made.
    moves: usize,
    inaccuracies: u32,
    mistakes: u32,
    blunders: u32,
    /// Mean of the expected points lost, in hundredths of a game.
    lost: f64,
    /// Accuracy from 0 to 100; `None` without a move.
    accuracy: Option<f64>,
    /// Numbers of the moves that lost a win to the count.
    lost_to_count: Vec<u32>,
}

impl ReviewSearch {
    /// Begins the review of a game with `nodes` for each position. A running search is stopped.
    pub fn begin(session: &mut Session, game: &Game, nodes: u64, notation: Notation) -> Self {
        let engine = session.engine_mut();
        // So that the same game gives the same report.
        engine.new_game();
        let review = Review::new(game, tablebases(engine));
        let found = vec![None; review.games().len()];
        let mut this = Self { review, nodes, notation, found, search: None };
        this.search_next(session);
        this
    }

    /// Begins the next search, if one is left.
    fn search_next(&mut self, session: &mut Session) {
        let (game, ignores_count) = match self.review.next_step() {
            Some(Step::Position(game)) => (game.clone(), false),
            Some(Step::Uncounted(game)) => (game.clone(), true),
            None => {
                self.search = None;
                return;
            }
        };
        let engine = session.engine_mut();
        let own = engine.settings().clone();
        let settings = EngineSettings { multi_pv: 1, skill: None, ignores_count, ..own };
        let (sender, reports) = channel();
        // What the machine refuses is reported by the next search of the session.
        let _ = engine.go_in(game, settings, Limits::nodes(self.nodes), Reporter(sender));
        self.search = Some(RunningSearch { reports, last: None, is_over: false });
    }

    /// After a slice of the search: takes what it has found, and begins the next one when it is over. Returns the report
    /// at the end.
    pub fn step(&mut self, session: &mut Session) -> Option<ReviewReport> {
        while let Some(search) = &mut self.search {
            search.receive();
            if !search.is_over {
                return None;
            }
            let last = search.last.take();
            let found = last.as_ref().map(Found::from);
            if let Some(index) = self.review.next_position() {
                self.found[index] = last;
            }
            self.review.answer(found);
            self.search_next(session);
        }
        Some(self.report())
    }

    /// Whether a command has stopped the search of the review.
    pub fn is_stopped(&mut self) -> bool {
        self.search.as_mut().is_some_and(|search| {
            search.receive();
            search.is_over
        })
    }

    /// How many positions need no further search.
    pub fn progress(&self) -> Progress {
        let (finished, total) = self.review.progress();
        Progress { finished, total }
    }

    fn report(&self) -> ReviewReport {
        let review = self.review.finish();
        let positions = (0..self.found.len()).map(|index| self.position(index)).collect();
        let sides = Color::ALL.map(|side| self.summary(side, &review));
        let moves = review.plies.into_iter().map(|ply| MoveReport {
            lost: ply.lost,
            nag: ply.verdict.nag().unwrap_or(0),
            finding: ply.finding,
            lesson: ply.lesson,
        });
        let moves = moves.collect();
        ReviewReport {
            positions,
            moves,
            sides,
            phases: review.phases,
            counts: review.counts,
            late: review.late,
        }
    }

    fn position(&self, index: usize) -> PositionReport {
        let mut game = self.review.games()[index].clone();
        let side = game.position().side_to_move();
        let found = self.found[index].as_ref();
        let line = found.map(|info| info.line.to_vec()).unwrap_or_default();
        let named = line.iter().map(|&mv| {
            let name = move_name(&game, self.notation, mv);
            game.play_unchecked(mv);
            name
        });
        PositionReport {
            names: named.collect(),
            score: found.map(|info| white_score(info.score, side)),
            chances: self.review.white_chances(index),
            best: line.first().map(|mv| mv.to_string()),
            line: line.iter().map(|mv| mv.to_string()).collect(),
        }
    }

    fn summary(&self, side: Color, review: &GameReview) -> Summary {
        let positions = self.review.games().iter().map(Game::position);
        let own = positions.zip(&review.plies).filter(|(position, _)| position.side_to_move() == side);
        let to_count = own.clone().filter(|(_, ply)| ply.finding.is_some());
        let (moves, lost) = own.fold((0, 0.0), |(moves, lost), (_, ply)| (moves + 1, lost + ply.lost));
        let [inaccuracies, mistakes, blunders] = review.verdicts[side.index()];
        Summary {
            moves,
            lost: lost / moves.max(1) as f64,
            inaccuracies,
            mistakes,
            blunders,
            accuracy: review.accuracy[side.index()],
            lost_to_count: to_count.map(|(position, _)| position.fullmove_number()).collect(),
        }
    }
}

impl RunningSearch {
    fn receive(&mut self) {
        for report in self.reports.try_iter() {
            match report {
                Report::Line(info) => self.last = Some(*info),
                Report::Over => self.is_over = true,
            }
        }
    }
}

/// A score of the side to move from White's side.
fn white_score(score: Score, side: Color) -> ScoreData {
    let sign = if side == Color::White { 1 } else { -1 };
    match score {
        Score::Centipawns(cp) => ScoreData::Cp(sign * cp),
        Score::Mate(moves) => ScoreData::Mate(sign * moves),
    }
}

#[cfg(test)]
mod tests;
