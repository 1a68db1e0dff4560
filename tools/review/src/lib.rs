//! The review of a game: the win chances that each move lost, mistakes, accuracy, and races with the count.
//!
//! A [`Review`] searches nothing itself. It names the positions to search, from the last one of the game to the first,
//! so that the transposition table holds what follows, and takes their evaluations. The caller may search in a thread,
//! in slices, or ask another engine:
//!
//! ```
//! use sakmak_engine::{Limits, SearchInfo, SearchRequest, Searcher};
//! use sakmak_eval::tablebase::Tablebases;
//! use sakmak_movegen::{Game, Rules};
//! use sakmak_review::{Evaluation, Review, Step, without_count};
//!
//! let mut game = Game::new(Rules::default());
//! game.play_uci("e3e4")?;
//! let mut searcher = Searcher::new(1)?; // MiB
//! let mut review = Review::new(&game, Tablebases::default());
//! while let Some(step) = review.next_step() {
//!     let request = match step {
//!         Step::Position(game) => SearchRequest::of_game_that_goes_on(game, Limits::nodes(1000)),
//!         Step::Uncounted(game) => SearchRequest::new(without_count(game), Limits::nodes(1000)),
//!     };
//!     let mut found = None;
//!     searcher.search_with(&request, &mut |info: &SearchInfo| found = Some(Evaluation::from(info)));
//!     review.answer(found);
//! }
//! assert_eq!(review.finish().plies.len(), 1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod count;
mod lesson;
mod summary;
mod verdict;

use std::collections::BTreeMap;

use sakmak_engine::SearchInfo;
use sakmak_engine::score::Score;
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::{Color, Game, Move, Outcome};
use serde::Serialize;

use count::{Standing, Suspicion};
use lesson::Mistake;

pub use count::{CountFinding, without_count};
pub use lesson::{CountCause, Fact, Lesson, Prospects};
pub use summary::{CountEnd, CountRun, Phase, PhaseKind};
pub use verdict::{BLUNDER, INACCURACY, MISTAKE, Verdict, expected_points};

/// The evaluation of a position by a search.
#[derive(Clone, Debug, PartialEq)]
pub struct Evaluation {
    /// For the side to move.
    pub score: Score,
    /// Chances of the side to move to win, draw and lose, in thousandths.
    pub win_draw_loss: [u32; 3],
    /// In plies.
    pub depth: u32,
    /// The principal variation.
    pub line: Vec<Move>,
}

impl From<&SearchInfo> for Evaluation {
    fn from(info: &SearchInfo) -> Self {
        let SearchInfo { score, win_draw_loss, depth, .. } = *info;
        Self { score, win_draw_loss, depth, line: info.line.to_vec() }
    }
}

/// What to search next.
#[derive(Debug)]
pub enum Step<'a> {
    /// The present position of a game, under its rules.
    Position(&'a Game),
    /// The same without its count, see [`without_count`]. Entries of the transposition table from searches with other
    /// rules are wrong for it.
    Uncounted(&'a Game),
}

/// The review of a game.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct GameReview {
    /// Accuracy of each side from 0 to 100, White first; `None` without a move of that side.
    pub accuracy: [Option<f64>; 2],
    /// Inaccuracies, mistakes and blunders of White and Black.
    pub verdicts: [[u32; 3]; 2],
    /// One for each move.
    pub plies: Vec<PlyReview>,
    /// Opening, middlegame and endgame, as far as the game has them.
    pub phases: Vec<Phase>,
    /// The counts that ran.
    pub counts: Vec<CountRun>,
    /// The draw that was not claimed in time.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub late: Option<CountFinding>,
}

/// The review of a move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlyReview {
    /// The evaluation after it as in PGN's `[%eval]`, for White; empty if there is none.
    pub eval: String,
    /// White's expected points after it, in hundredths of a game.
    pub points: f64,
    /// Expected points that it lost, in hundredths of a game.
    pub lost: f64,
    /// The verdict on that loss.
    pub verdict: Verdict,
    /// The finding about the count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub finding: Option<CountFinding>,
    /// What it allowed and missed, if it was a mistake.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lesson: Option<Lesson>,
}

/// A game under review.
#[derive(Debug)]
pub struct Review {
    /// The game before each move and after the last one.
    games: Vec<Game>,
    moves: Vec<Move>,
    tablebases: Tablebases,
    /// By position; `None` without a legal move, or where the engine found no evaluation.
    evaluations: Vec<Option<Evaluation>>,
    /// Positions still to be searched: those before this index.
    unsearched: usize,
    /// By ply: moves that may have lost a win to the count; the last one is searched next.
    suspicions: Vec<(usize, Suspicion)>,
    findings: BTreeMap<usize, CountFinding>,
}

impl Review {
    /// Begins the review of a game. The tablebases decide races with the count without a search.
    pub fn new(game: &Game, tablebases: Tablebases) -> Self {
        let moves: Vec<Move> = game.moves().collect();
        let mut games = vec![game.clone()];
        // One game for each ply: the moves of lines are named in them.
        for _ in &moves {
            let mut before = games[games.len() - 1].clone();
            before.take_back();
            games.push(before);
        }
        games.reverse();
        let evaluations = vec![None; games.len()];
        let mut review = Self {
            unsearched: games.len(),
            games,
            moves,
            tablebases,
            evaluations,
            suspicions: Vec::new(),
            findings: BTreeMap::new(),
        };
        review.skip_finished();
        review
    }

    /// The game before each move and after the last one.
    pub fn games(&self) -> &[Game] {
        &self.games
    }

    /// The moves of the game.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The evaluations so far: before each move and after the last one.
    pub fn evaluations(&self) -> &[Option<Evaluation>] {
        &self.evaluations
    }

    /// The number of positions searched, and of all positions. Searches without the count are not included.
    pub fn progress(&self) -> (usize, usize) {
        (self.games.len() - self.unsearched, self.games.len())
    }

    /// The index of the position to search next; `None` if only a search without the count, or nothing, is left.
    pub fn next_position(&self) -> Option<usize> {
        self.unsearched.checked_sub(1)
    }

    /// What to search next. `None` if nothing is left.
    pub fn next_step(&self) -> Option<Step<'_>> {
        match (self.next_position(), self.suspicions.last()) {
            (Some(index), _) => Some(Step::Position(&self.games[index])),
            (None, Some((ply, _))) => Some(Step::Uncounted(&self.games[ply + 1])),
            (None, None) => None,
        }
    }

    /// Takes the result of the search of [`Self::next_step`]; `None` if the position cannot be evaluated.
    pub fn answer(&mut self, found: Option<Evaluation>) {
        let Some(index) = self.next_position() else {
            let Some((ply, suspicion)) = self.suspicions.pop() else { return };
            let points = found.map(|found| 100.0 - expected_points(found.win_draw_loss));
            self.findings
                .extend(points.and_then(|points| suspicion.confirm(points)).map(|found| (ply, found)));
            return;
        };
        self.evaluations[index] = found;
        self.unsearched = index;
        self.skip_finished();
    }

    /// Skips positions without a legal move. After the last position, finds the moves that may have lost to the count.
    fn skip_finished(&mut self) {
        while let Some(index) = self.next_position()
            && !self.games[index].position().has_legal_move()
        {
            self.unsearched = index;
        }
        if self.unsearched == 0 {
            self.suspect();
        }
    }

    fn suspect(&mut self) {
        let points = self.points();
        for ply in (0..self.moves.len()).rev() {
            let standing = |index: usize| {
                let position = self.games[index].position();
                Standing::new(position, &self.tablebases, self.for_mover(ply, points[index]))
            };
            let reply = self.evaluations[ply + 1].as_ref().and_then(|found| found.line.first());
            let reply = reply.map(|&reply| self.games[ply + 1].position().after(reply));
            match count::suspicion(&standing(ply), &standing(ply + 1), reply.as_ref()) {
                Some(Suspicion::Known(finding)) => _ = self.findings.insert(ply, finding),
                Some(suspicion) => self.suspicions.push((ply, suspicion)),
                None => {}
            }
        }
    }

    /// White's expected points before each move and after the last one, in hundredths of a game.
    fn points(&self) -> Vec<f64> {
        (0..self.games.len()).map(|index| f64::from(self.white_points(index)) / 20.0).collect()
    }

    fn white_points(&self, index: usize) -> u32 {
        let [win, draw, _] = self.white_chances(index);
        2 * win + draw
    }

    /// White's chances to win, draw and lose in a position, in thousandths.
    pub fn white_chances(&self, index: usize) -> [u32; 3] {
        let (game, found) = (&self.games[index], &self.evaluations[index]);
        let is_last = index + 1 == self.games.len();
        match (game.outcome_here().filter(|_| is_last || found.is_none()), found) {
            (Some(Outcome::Win(Color::White)), _) => [1000, 0, 0],
            (Some(Outcome::Win(Color::Black)), _) => [0, 0, 1000],
            (Some(Outcome::Draw(_)), _) | (None, None) => [0, 1000, 0],
            (None, Some(found)) => {
                let [win, draw, loss] = found.win_draw_loss;
                let is_white = game.position().side_to_move() == Color::White;
                if is_white { [win, draw, loss] } else { [loss, draw, win] }
            }
        }
    }

    fn for_mover(&self, ply: usize, white: f64) -> f64 {
        let is_white = self.games[ply].position().side_to_move() == Color::White;
        if is_white { white } else { 100.0 - white }
    }

    /// The finished review, once [`Self::next_step`] returns `None`.
    pub fn finish(&self) -> GameReview {
        let points = self.points();
        let first_is_white = self.games[0].position().side_to_move() == Color::White;
        let accuracy =
            [true, false].map(|white| verdict::game_accuracy(&points, first_is_white, white).map(rounded));
        let plies: Vec<_> = (0..self.moves.len()).map(|ply| self.ply(ply, &points)).collect();
        let mut verdicts = [[0; 3]; 2];
        for (game, ply) in self.games.iter().zip(&plies) {
            let row = &mut verdicts[game.position().side_to_move().index()];
            match ply.verdict {
                Verdict::Good => {}
                Verdict::Inaccuracy => row[0] += 1,
                Verdict::Mistake => row[1] += 1,
                Verdict::Blunder => row[2] += 1,
            }
        }
        let late = count::claimed_late(self.games.iter().map(Game::outcome_here), self.moves.len());
        let lost: Vec<_> = plies.iter().map(|ply| ply.lost).collect();
        let (phases, counts) =
            (summary::phases(&self.games, &lost), summary::counts(&self.games, &self.tablebases));
        GameReview { accuracy, verdicts, plies, phases, counts, late }
    }

    fn ply(&self, ply: usize, points: &[f64]) -> PlyReview {
        let finding = self.findings.get(&ply).copied();
        let best = self.evaluations[ply].as_ref().and_then(|found| found.line.first());
        // The search of the next position sees further and may score the best move lower; it still loses nothing.
        let is_best = best == Some(&self.moves[ply]);
        let change = self.for_mover(ply, points[ply]) - self.for_mover(ply, points[ply + 1]);
        let lost = if is_best { 0.0 } else { change.max(0.0) };
        let lost = if finding.is_some() { lost.max(MISTAKE) } else { lost };
        let eval = |found| eval_text(found, &self.games[ply + 1]);
        let verdict = Verdict::from_loss(lost);
        let lesson = (verdict != Verdict::Good).then(|| self.lesson(ply, points, finding));
        PlyReview {
            eval: self.evaluations[ply + 1].as_ref().map_or_else(String::new, eval),
            points: rounded(points[ply + 1]),
            lost: rounded(lost),
            verdict,
            finding,
            lesson,
        }
    }

    fn lesson(&self, ply: usize, points: &[f64], finding: Option<CountFinding>) -> Lesson {
        let [before, after] = [ply, ply + 1].map(|index| &self.games[index]);
        let mistake = Mistake {
            game: before,
            mv: self.moves[ply],
            outcome: after.outcome_here(),
            found: [ply, ply + 1].map(|index| self.evaluations[index].as_ref()),
            points: [ply, ply + 1].map(|index| self.for_mover(ply, points[index])),
            finding,
            probes: [before, after].map(|game| self.tablebases.probe(game.position())),
        };
        mistake.lesson()
    }
}

fn rounded(number: f64) -> f64 {
    (number * 10.0).round() / 10.0
}

/// The value of `[%eval]`: pawns, or `#` and moves to mate, for White; then the depth.
fn eval_text(found: &Evaluation, game: &Game) -> String {
    let sign = if game.position().side_to_move() == Color::White { 1 } else { -1 };
    let score = match found.score {
        Score::Centipawns(cp) => format!("{:.2}", f64::from(sign * cp) / 100.0),
        Score::Mate(moves) => format!("#{}", sign * moves),
    };
    format!("{score},{}", found.depth)
}
