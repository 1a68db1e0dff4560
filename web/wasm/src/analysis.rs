//! The analysis of a whole game: each position searched, mistakes by the chances they lose, races with the count.
//!
//! Positions are searched from the last to the first, so that the table holds what follows.

use sakmak_movegen::{Color, Game, Move};
use serde::Serialize;

use crate::engine::{Done, Engine, Go, Line};
use crate::fault::{Fault, letter};
use crate::record::{CountWord, Evaluation};
use crate::rules::RulesChoice;

/// Lost expectation, in thousandths of a game, from which a move is doubtful, a mistake, a blunder; and the glyphs
/// of these (`?!`, `?`, `??`). The steps are those of the Lichess site for chances in chess.
const MARKS: [(u32, u16); 3] = [(150, 4), (100, 2), (50, 6)];

/// A side that has this chance to win, in thousandths, is winning its race with the count.
const WINNING: u32 = 500;

/// The analysis of a game while it runs.
pub struct GameAnalysis {
    /// The game before each move and after the last one.
    games: Vec<Game>,
    moves: Vec<Move>,
    nodes: u64,
    notation: String,
    /// By position.
    found: Vec<Option<Found>>,
    /// Races that may have been lost, still to be looked at: indices of moves.
    races: Vec<usize>,
    lost_races: Vec<usize>,
    current: Option<Search>,
}

/// What is being searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Search {
    Position(usize),
    /// The position after this move, without the count.
    Race(usize),
}

/// What the search has found in a position.
#[derive(Clone, Debug, Default)]
struct Found {
    line: Option<Line>,
    /// White's chances.
    chances: [u32; 3],
    best: Option<String>,
}

/// How far an analysis is.
#[derive(Clone, Debug, Serialize)]
pub struct Progress {
    /// Searches finished, of about so many.
    pub finished: usize,
    /// See `finished`.
    pub total: usize,
    /// Set when it is over.
    pub report: Option<Report>,
}

/// The outcome of an analysis.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// By position, the start first.
    pub positions: Vec<PositionReport>,
    /// By move.
    pub moves: Vec<MoveReport>,
    /// White's and Black's.
    pub sides: [Summary; 2],
}

/// A position of an analysed game.
#[derive(Clone, Debug, Serialize)]
pub struct PositionReport {
    /// From White's side.
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct MoveReport {
    /// Expected score that it lost, in thousandths of a game.
    pub lost: u32,
    /// 6, 2 or 4 for `?!`, `?` and `??`; 0 for none.
    pub glyph: u16,
    /// Whether it lost a race: without the count the mover would still be winning.
    pub race: bool,
}

/// What a side did.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Summary {
    /// `w` or `b`.
    pub side: String,
    /// Moves made.
    pub moves: usize,
    /// Doubtful moves, mistakes, blunders.
    pub doubtful: usize,
    /// See `doubtful`.
    pub mistakes: usize,
    /// See `doubtful`.
    pub blunders: usize,
    /// Mean of the lost expectation, in thousandths of a game.
    pub lost: f64,
    /// From 0 to 100, by the formula of the Lichess site for lost chances.
    pub accuracy: f64,
    /// Numbers of the moves by which a race with the count was lost.
    pub races: Vec<u32>,
}

impl GameAnalysis {
    /// Prepares the analysis of a game: a FEN, then moves and words of the count. Each position gets so many nodes.
    ///
    /// # Errors
    /// If the game is wrong.
    pub fn new(
        choice: &RulesChoice,
        fen: &str,
        words: &[String],
        nodes: u64,
        notation: &str,
    ) -> Result<Self, Fault> {
        let mut game = Game::from_fen(fen, choice.rules()?)?;
        let (mut games, mut moves) = (Vec::new(), Vec::new());
        for word in words {
            if let Some(count) = word.strip_prefix("count-").and_then(CountWord::parse) {
                count.apply(&mut game)?;
                continue;
            }
            games.push(game.clone());
            moves.push(game.play_uci(word)?);
        }
        games.push(game);
        let found = vec![None; games.len()];
        let notation = notation.to_owned();
        Ok(Self {
            games,
            moves,
            nodes,
            notation,
            found,
            races: Vec::new(),
            lost_races: Vec::new(),
            current: None,
        })
    }

    /// Searches some nodes more.
    pub fn advance(&mut self, engine: &mut Engine, nodes: u64) -> Progress {
        if !engine.is_searching() {
            let Some(next) = self.next_search(engine) else {
                return Progress { report: Some(self.report()), ..self.progress() };
            };
            self.begin(engine, next);
        }
        let part = engine.advance(nodes);
        if let Some(Search::Position(index)) = self.current {
            let found = self.found[index].get_or_insert_default();
            found.line = part.lines.into_iter().last().or(found.line.take());
        }
        if let Some(done) = part.done {
            self.finish(&done);
        }
        self.progress()
    }

    fn progress(&self) -> Progress {
        let searched = match self.current {
            Some(Search::Position(index)) => self.found.len() - 1 - index,
            Some(Search::Race(_)) => self.found.len(),
            None => 0,
        };
        Progress { finished: searched, total: self.found.len(), report: None }
    }

    fn begin(&mut self, engine: &mut Engine, search: Search) {
        self.current = Some(search);
        let (index, uncounted) = match search {
            Search::Position(index) => (index, false),
            Search::Race(mv) => (mv + 1, true),
        };
        let go = Go { nodes: Some(self.nodes), uncounted, notation: self.notation.clone(), ..Go::default() };
        engine.begin(&self.games[index], &go);
    }

    fn finish(&mut self, done: &Done) {
        match self.current {
            Some(Search::Position(index)) => {
                let outcome = self.games[index].outcome_here();
                let found = self.found[index].get_or_insert_default();
                found.best.clone_from(&done.best);
                found.chances = match outcome {
                    Some(sakmak_movegen::Outcome::Draw(_)) => [0, 1000, 0],
                    Some(sakmak_movegen::Outcome::Win(Color::White)) => [1000, 0, 0],
                    Some(sakmak_movegen::Outcome::Win(Color::Black)) => [0, 0, 1000],
                    None => done.chances,
                };
            }
            Some(Search::Race(mv)) if self.win_chance(mv, done.chances) >= WINNING => {
                self.lost_races.push(mv);
            }
            Some(Search::Race(_)) | None => {}
        }
    }

    /// The next search: all positions from the last on, then the races.
    fn next_search(&mut self, engine: &Engine) -> Option<Search> {
        match self.current {
            None => self.games.len().checked_sub(1).map(Search::Position),
            Some(Search::Position(index)) if index > 0 => Some(Search::Position(index - 1)),
            Some(Search::Position(_)) => {
                self.find_races(engine);
                self.races.pop().map(Search::Race)
            }
            Some(Search::Race(_)) => self.races.pop().map(Search::Race),
        }
    }

    /// Finds the moves that may have lost a race: the mover was winning, is not after the move, and a count runs.
    fn find_races(&mut self, engine: &Engine) {
        for mv in 0..self.moves.len() {
            let before = self.found[mv].as_ref().map_or([0; 3], |found| found.chances);
            let after = self.found[mv + 1].as_ref().map_or([0; 3], |found| found.chances);
            let counted = self.games[mv + 1].position().count().is_running();
            if !counted || self.win_chance(mv, before) < WINNING || self.win_chance(mv, after) >= WINNING {
                continue;
            }
            // Where an ending is solved, no search is needed.
            let facts = engine.facts_of(&self.games[mv + 1]);
            match facts.uncounted {
                Some(uncounted) if uncounted.result == "loss" => self.lost_races.push(mv),
                Some(_) => {}
                None => self.races.push(mv),
            }
        }
    }

    /// The mover's chance to win, from White's chances.
    fn win_chance(&self, mv: usize, chances: [u32; 3]) -> u32 {
        match self.games[mv].position().side_to_move() {
            Color::White => chances[0],
            Color::Black => chances[2],
        }
    }

    fn report(&self) -> Report {
        let positions: Vec<_> = self.found.iter().flatten().map(PositionReport::from).collect();
        let moves: Vec<_> = (0..self.moves.len()).map(|mv| self.move_report(mv)).collect();
        let sides = Color::ALL.map(|side| self.summary(side, &moves));
        Report { positions, moves, sides }
    }

    fn move_report(&self, mv: usize) -> MoveReport {
        let expectation = |index: usize| {
            let chances = self.found[index].as_ref().map_or([0; 3], |found| found.chances);
            self.win_chance(mv, chances) + chances[1] / 2
        };
        let is_best = self.found[mv]
            .as_ref()
            .is_some_and(|found| found.best.as_ref().is_some_and(|best| *best == self.moves[mv].to_string()));
        let race = self.lost_races.contains(&mv);
        // A deeper look from behind may see the best move in another light.
        let lost = if is_best && !race { 0 } else { expectation(mv).saturating_sub(expectation(mv + 1)) };
        let glyph = MARKS.iter().find(|(least, _)| lost >= *least).map_or(0, |(_, glyph)| *glyph);
        MoveReport { lost, glyph, race }
    }

    fn summary(&self, side: Color, moves: &[MoveReport]) -> Summary {
        let own = || {
            let is_own =
                move |(mv, _): &(usize, &MoveReport)| self.games[*mv].position().side_to_move() == side;
            moves.iter().enumerate().filter(is_own)
        };
        let marked = |glyph| own().filter(|(_, report)| report.glyph == glyph).count();
        let number = own().count();
        let mean = |values: f64| if number == 0 { 0.0 } else { values / number as f64 };
        Summary {
            side: letter(side).to_string(),
            moves: number,
            doubtful: marked(6),
            mistakes: marked(2),
            blunders: marked(4),
            lost: mean(own().map(|(_, report)| f64::from(report.lost)).sum()),
            accuracy: mean(own().map(|(_, report)| accuracy(report.lost)).sum()),
            races: own()
                .filter(|(_, report)| report.race)
                .map(|(mv, _)| self.games[mv].position().fullmove_number())
                .collect(),
        }
    }
}

/// The accuracy of a move that lost so many thousandths of a game, from 0 to 100.
fn accuracy(lost: u32) -> f64 {
    (103.1668 * (-0.04354 * f64::from(lost) / 10.0).exp() - 3.1669).clamp(0.0, 100.0)
}

impl From<&Found> for PositionReport {
    fn from(found: &Found) -> Self {
        let line = found.line.as_ref();
        Self {
            evaluation: line.map(|line| line.score),
            chances: found.chances,
            best: found.best.clone(),
            line: line.map(|line| line.moves.clone()).unwrap_or_default(),
            names: line.map(|line| line.names.clone()).unwrap_or_default(),
        }
    }
}

#[cfg(test)]
mod tests;
