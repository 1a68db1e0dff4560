//! The analysis of a whole game in parts: a [`Review`] whose searches run on the worker's engine.

use sakmak_movegen::{Color, Game};
use sakmak_review::{Evaluation as Found, GameReview, Review, Step};
use serde::Serialize;

use crate::engine::{Engine, Go, Line, game_of};
use crate::fault::{Fault, letter};
use crate::record::Evaluation;
use crate::rules::RulesChoice;

/// A running analysis of a game.
pub struct GameAnalysis {
    review: Review,
    nodes: u64,
    notation: String,
    /// The best line of each position.
    lines: Vec<Option<Line>>,
    /// The best line of the running search.
    line: Option<Line>,
}

/// The progress of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// Positions that need no further search.
    pub finished: usize,
    /// Positions of the game.
    pub total: usize,
    /// Set when the analysis is over.
    pub report: Option<Report>,
}

/// The result of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// By position, the start first.
    pub positions: Vec<PositionReport>,
    /// By move.
    pub moves: Vec<MoveReport>,
    /// White's summary, then Black's.
    pub sides: [Summary; 2],
}

/// A position of an analysed game.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// The evaluation from White's side.
    pub evaluation: Option<Evaluation>,
    /// Chances of White to win, draw and lose in thousandths.
    pub chances: [u32; 3],
    /// The best move, in coordinates.
    pub best: Option<String>,
    /// The line that begins with it.
    pub line: Vec<String>,
    /// The line in the notation asked for.
    pub names: Vec<String>,
}

/// A move of an analysed game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MoveReport {
    /// Expected points lost, in hundredths of a game.
    pub lost: f64,
    /// Numeric annotation glyph: 6, 2 or 4 for `?!`, `?` and `??`; 0 for none.
    pub glyph: u16,
    /// Whether the move lost a win to the count.
    pub race: bool,
}

/// The summary of one side.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// `w` or `b`.
    pub side: String,
    /// Moves made.
    pub moves: usize,
    /// Inaccuracies.
    pub doubtful: u32,
    /// Mistakes.
    pub mistakes: u32,
    /// Blunders.
    pub blunders: u32,
    /// Mean of the expected points lost, in hundredths of a game.
    pub lost: f64,
    /// Accuracy from 0 to 100; 0 without a move.
    pub accuracy: f64,
    /// Numbers of the moves that lost a win to the count.
    pub races: Vec<u32>,
}

impl GameAnalysis {
    /// Prepares the analysis of a game (a FEN, then moves and words of the count) with `nodes` for each position.
    ///
    /// # Errors
    /// If the game is wrong.
    pub fn new(
        engine: &mut Engine,
        choice: &RulesChoice,
        fen: &str,
        words: &[String],
        nodes: u64,
        notation: &str,
    ) -> Result<Self, Fault> {
        let game = game_of(choice, fen, words)?;
        // So that the same game gives the same report.
        engine.clear();
        let review = Review::new(&game, engine.solved_endings(true));
        let lines = vec![None; review.games().len()];
        Ok(Self { review, nodes, notation: notation.to_owned(), lines, line: None })
    }

    /// Searches `nodes` nodes more.
    pub fn advance(&mut self, engine: &mut Engine, nodes: u64) -> Progress {
        if !engine.is_searching() && !self.begin(engine) {
            return Progress { report: Some(self.report()), ..self.progress() };
        }
        let part = engine.advance(nodes);
        self.line = part.lines.into_iter().last().or(self.line.take());
        if part.done.is_some() {
            let line = self.line.take();
            let found = line.as_ref().map(|line| Found::from(&line.info));
            if let Some(index) = self.review.next_position() {
                self.lines[index] = line;
            }
            self.review.answer(found);
        }
        self.progress()
    }

    fn progress(&self) -> Progress {
        let (finished, total) = self.review.progress();
        Progress { finished, total, report: None }
    }

    /// Begins the next search. Returns `false` if nothing is left.
    fn begin(&self, engine: &mut Engine) -> bool {
        let go = Go { nodes: Some(self.nodes), notation: self.notation.clone(), ..Go::default() };
        match self.review.next_step() {
            Some(Step::Position(game)) => engine.begin(game, &go),
            Some(Step::Uncounted(game)) => engine.begin(game, &Go { uncounted: true, ..go }),
            None => return false,
        }
        true
    }

    fn report(&self) -> Report {
        let review = self.review.finish();
        let positions = (0..self.lines.len()).map(|index| self.position(index)).collect();
        let moves: Vec<_> = review
            .plies
            .iter()
            .map(|ply| MoveReport {
                lost: ply.lost,
                glyph: ply.verdict.nag().unwrap_or(0),
                race: ply.finding.is_some(),
            })
            .collect();
        let sides = Color::ALL.map(|side| self.summary(side, &review));
        Report { positions, moves, sides }
    }

    fn position(&self, index: usize) -> PositionReport {
        let line = self.lines[index].as_ref();
        PositionReport {
            evaluation: line.map(|line| line.score),
            chances: self.review.white_chances(index),
            best: line.and_then(|line| line.moves.first().cloned()),
            line: line.map(|line| line.moves.clone()).unwrap_or_default(),
            names: line.map(|line| line.names.clone()).unwrap_or_default(),
        }
    }

    fn summary(&self, side: Color, review: &GameReview) -> Summary {
        let positions = self.review.games().iter().map(Game::position);
        let own = positions.zip(&review.plies).filter(|(position, _)| position.side_to_move() == side);
        let races = own.clone().filter(|(_, ply)| ply.finding.is_some());
        let (moves, lost) = own.fold((0, 0.0), |(moves, lost), (_, ply)| (moves + 1, lost + ply.lost));
        let [doubtful, mistakes, blunders] = review.verdicts[side.index()];
        Summary {
            side: letter(side).to_string(),
            moves,
            lost: lost / moves.max(1) as f64,
            doubtful,
            mistakes,
            blunders,
            accuracy: review.accuracy[side.index()].unwrap_or_default(),
            races: races.map(|(position, _)| position.fullmove_number()).collect(),
        }
    }
}

#[cfg(test)]
mod tests;
