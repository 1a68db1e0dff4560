//! Openings: random moves from a position, and a short search to leave out decided ones.

use rand::{Rng, RngExt};
use sakmak_movegen::{Game, Position};

use crate::score::Score;
use crate::search::{SearchRequest, Searcher};
use crate::time::Limits;
use crate::tt::HashAllocationError;

/// Scores positions by a search with a cleared transposition table: the same position always gets the same score.
pub struct OpeningScorer(Searcher);

/// Size of a scorer's transposition table in MiB, plenty for the few nodes of a position.
const TABLE_MB: usize = 8;

impl OpeningScorer {
    /// A scorer.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub fn new() -> Result<Self, HashAllocationError> {
        Searcher::new(TABLE_MB).map(Self)
    }

    /// The score for the side to move after about `nodes` nodes; `None` without a legal move.
    pub fn score(&mut self, position: &Position, nodes: u64) -> Option<Score> {
        self.0.clear();
        let result = self.0.search(&SearchRequest::new(position.clone(), Limits::nodes(nodes)));
        result.best().map(|best| Score::from_search(best.score))
    }
}

/// Plays `plies` random legal moves, captures only if `captures` is set; `None` if the game ends on the way, or the
/// last position is in check.
pub fn random_opening(mut game: Game, plies: u32, captures: bool, rng: &mut impl Rng) -> Option<Game> {
    for _ in 0..plies {
        let position = game.position();
        let mut moves = position.legal_moves();
        if !captures {
            moves = moves.into_iter().filter(|&mv| !position.is_capture(mv)).collect();
        }
        if moves.is_empty() {
            return None;
        }
        game.play(moves[rng.random_range(0..moves.len())]).ok()?;
    }
    (!game.position().in_check() && game.outcome().is_none()).then_some(game)
}

/// The FEN of an opening, with `0` for the count in the fourth field: with `-` Cute Chess would play by the fifty-move
/// rule. `None` if a count runs.
pub fn opening_fen(position: &Position) -> Option<String> {
    let text = position.to_string();
    let fields: Vec<_> = text.split(' ').collect();
    let [board, side, rights, "-" | "0", ..] = fields[..] else { return None };
    Some(format!("{board} {side} {rights} 0 0 {}", position.fullmove_number()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scores_do_not_depend_on_earlier_searches() {
        let position = Position::startpos();
        let other = Position::from_fen("7k/R7/5K2/8/8/8/8/1R6 w - - 0 1").unwrap();
        let mut scorer = OpeningScorer::new().unwrap();
        let first = scorer.score(&position, 5_000);
        assert!(first.is_some());
        scorer.score(&other, 5_000);
        assert_eq!(scorer.score(&position, 5_000), first);
    }

    #[test]
    fn openings_arm_the_count() {
        let fen = opening_fen(&Position::startpos()).unwrap();
        assert!(fen.ends_with(" w - 0 0 1"), "{fen}");
        assert_eq!(Position::from_fen(&fen).unwrap(), Position::startpos());
        let counting = Position::from_fen("7k/R7/5K2/8/8/8/8/1R6 w - 16 13 30").unwrap();
        assert_eq!(opening_fen(&counting), None);
    }
}
