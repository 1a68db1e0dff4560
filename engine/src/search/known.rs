//! What a file of evaluations knows at the root: the order of the root's moves, and entries of the transposition table.

use std::cmp::Reverse;

use sakmak_eval::Centipawns;
use sakmak_movegen::{Move, Position};

use super::report::RootMove;
use super::shared::Shared;
use super::worker::Worker;
use crate::evaluations::{Evaluations, Known};
use crate::score::{MATE, Score, is_decisive};
use crate::tt::{Bound, Entry, TranspositionTable};

/// A move about which nothing is known is taken to be this much worse than the best known one, in internal units.
const UNKNOWN: i32 = Centipawns::HUNDRED;

/// Sorts the root's moves by what is known of the positions after them, the best move of the root's own record first,
/// and stores what is known of the root and of these positions in the transposition table.
///
/// A mate or another decisive score only sorts moves: one that is false would otherwise decide the search, which
/// believes a mate of its own table.
pub(super) fn seed(worker: &mut Worker, shared: &Shared) {
    let Some(evaluations) = &shared.request.evaluations else { return };
    let root = &shared.request.position;
    let own = lookup(evaluations, root, &shared.tt);
    let after = |mv: Move| lookup(evaluations, &root.after(mv), &shared.tt).map(|known| -value(known.score));
    let scores: Vec<_> = worker.root_moves.iter().map(|root_move| after(root_move.mv)).collect();
    sort(&mut worker.root_moves, own, &scores);
}

/// Sorts moves of one rank: the best and the second best move of the root's record, then the others by their scores for
/// the side to move. Moves that are equal keep their order.
fn sort(root_moves: &mut Vec<RootMove>, own: Option<Known>, scores: &[Option<i32>]) {
    let best = scores.iter().copied().flatten().max().unwrap_or(0);
    let mut sorted: Vec<_> = root_moves.drain(..).zip(scores).collect();
    sorted.sort_by_key(|(root_move, score)| {
        let isnt = |known: Option<Move>| known != Some(root_move.mv);
        let score = score.unwrap_or(best - UNKNOWN);
        (root_move.rank, isnt(own.map(|own| own.best)), isnt(own.and_then(|own| own.second)), Reverse(score))
    });
    root_moves.extend(sorted.into_iter().map(|(root_move, _)| root_move));
}

/// What is known of a position; it is stored in the table.
fn lookup(evaluations: &Evaluations, position: &Position, tt: &TranspositionTable) -> Option<Known> {
    let known = evaluations.get(position)?;
    let score = value(known.score);
    let (score, depth, bound) =
        if is_decisive(score) { (0, 0, Bound::None) } else { (score, known.depth as i32, Bound::Exact) };
    let entry = Entry { mv: Some(known.best), score, eval: Entry::NO_EVAL, depth, bound };
    tt.store(position.tt_key(), entry);
    Some(known)
}

/// A score in internal units.
fn value(score: Score) -> i32 {
    match score {
        // Tablebase wins are in internal units already.
        Score::Centipawns(cp) if is_decisive(cp) => cp,
        Score::Centipawns(cp) => Centipawns(cp).to_internal(),
        Score::Mate(moves) if moves > 0 => MATE - 2 * moves,
        Score::Mate(moves) => -MATE - 2 * moves,
    }
}

#[cfg(test)]
mod tests {
    use super::super::worker::root_moves;
    use super::*;
    use crate::{Limits, SearchRequest};

    #[test]
    fn moves_come_by_record_score_and_rank() {
        let mut moves = root_moves(&SearchRequest::new(Position::startpos(), Limits::default()));
        moves.truncate(6);
        moves[5].rank = 1;
        let before: Vec<_> = moves.iter().map(|root_move| root_move.mv).collect();
        let own = Known { best: before[3], second: Some(before[5]), score: Score::Centipawns(0), depth: 1 };
        let far = -3 * UNKNOWN;
        sort(&mut moves, Some(own), &[None, Some(far), Some(30), Some(far), Some(40), Some(20)]);
        let after: Vec<_> = moves.iter().map(|root_move| root_move.mv).collect();
        assert_eq!(after, [3, 4, 2, 0, 1, 5].map(|index| before[index]));
        sort(&mut moves, None, &[None; 6]);
        assert_eq!(moves.iter().map(|root_move| root_move.mv).collect::<Vec<_>>(), after);
    }

    #[test]
    fn mates_are_decisive_and_tablebase_wins_too() {
        let decisive = [Score::Mate(1), Score::Mate(0), Score::Mate(-9), Score::Centipawns(19_990)];
        assert!(decisive.into_iter().all(|score| is_decisive(value(score))));
        assert!(
            value(Score::Mate(2)) > value(Score::Mate(3)) && value(Score::Mate(-2)) < value(Score::Mate(-3))
        );
        assert_eq!(value(Score::Centipawns(-100)), -Centipawns::HUNDRED);
    }
}
