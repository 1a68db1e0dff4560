//! What a file of evaluations knows at the root: the order of the root's moves, and entries of the transposition table.

use std::cmp::Reverse;

use sakmak_eval::Centipawns;
use sakmak_movegen::{Move, Position};

use super::report::RootMove;
use super::shared::Shared;
use super::worker::Worker;
use crate::evaluations::{Evaluations, Known};
use crate::score::{MATE, MAX_PLY, Score, is_decisive};
use crate::tt::{Bound, Entry, TranspositionTable};

/// A move about which nothing is known is taken to be this much worse than the best known one, in internal units.
const UNKNOWN: i32 = Centipawns::HUNDRED;

/// Scores further from zero, in internal units, are not stored.
const BELIEVED: i32 = 10 * Centipawns::HUNDRED;
/// Greater depths, in plies, are stored as this one, so that the search finds out by itself in the end.
const DEEPEST: u32 = 30;
/// Later mates, in moves, count as this one.
const LATEST_MATE: i32 = MAX_PLY as i32 / 2;

/// Sorts the root's moves by what is known of the positions after them, the best move of the root's own record first,
/// and stores what is known of the root and of these positions in the transposition table.
///
/// A mate or another score beyond [`BELIEVED`] only sorts moves: one that is false would otherwise decide the search,
/// which believes its own table. A search for a mate does without the file, as it does without tablebases.
pub(super) fn seed(worker: &mut Worker, shared: &Shared) {
    let Some(evaluations) = &shared.request.evaluations else { return };
    if shared.request.limits.mate.is_some() {
        return;
    }
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

/// What is known of a position; it is stored in the table, unless the table knows more.
fn lookup(evaluations: &Evaluations, position: &Position, tt: &TranspositionTable) -> Option<Known> {
    let known = evaluations.get(position)?;
    let key = position.tt_key();
    let entry = entry(&known);
    if tt.probe(key).is_none_or(|own| own.depth < entry.depth) {
        tt.store(key, entry);
    }
    Some(known)
}

fn entry(known: &Known) -> Entry {
    let score = value(known.score);
    let (score, depth, bound) = if score.abs() > BELIEVED {
        (0, 0, Bound::None)
    } else {
        (score, known.depth.min(DEEPEST) as i32, Bound::Exact)
    };
    Entry { mv: Some(known.best), score, eval: Entry::NO_EVAL, depth, bound }
}

/// A score in internal units.
fn value(score: Score) -> i32 {
    match score {
        // Tablebase wins are in internal units already.
        Score::Centipawns(cp) if is_decisive(cp) => cp,
        Score::Centipawns(cp) => Centipawns(cp).to_internal(),
        Score::Mate(moves) if moves > 0 => MATE - 2 * moves.min(LATEST_MATE),
        Score::Mate(moves) => -MATE - 2 * moves.max(-LATEST_MATE),
    }
}

#[cfg(test)]
mod tests {
    use super::super::worker::root_moves;
    use super::*;
    use crate::evaluations::EvaluationsWriter;
    use crate::position_key::PositionKey;
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
    fn no_mate_and_no_huge_score_is_stored() {
        let of = |score| Known { best: Move::parse("e3e4").unwrap(), second: None, score, depth: 255 };
        for score in [1, 0, -9, 8_000, -8_000, 32_767].map(Score::Mate) {
            assert!(is_decisive(value(score)), "{score}");
            assert_eq!((entry(&of(score)).bound, entry(&of(score)).depth), (Bound::None, 0));
        }
        for score in [19_990, 1_001, -6_000].map(Score::Centipawns) {
            assert_eq!(entry(&of(score)).bound, Bound::None, "{score}");
        }
        let stored = entry(&of(Score::Centipawns(-100)));
        assert_eq!((stored.score, stored.depth, stored.bound), (-Centipawns::HUNDRED, 30, Bound::Exact));
        assert!(
            value(Score::Mate(2)) > value(Score::Mate(3)) && value(Score::Mate(-2)) < value(Score::Mate(-3))
        );
    }

    #[test]
    fn what_the_table_knows_better_stays() {
        let mut tt = TranspositionTable::new(1).unwrap();
        let key = Position::startpos().tt_key();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("known");
        let mut writer = EvaluationsWriter::new(sakmak_movegen::Rules::default());
        let best = Move::parse("e3e4").unwrap();
        let known = Known { best, second: None, score: Score::Centipawns(5), depth: 12 };
        writer.add(&PositionKey::of(&Position::startpos()).unwrap(), known);
        writer.write(&mut std::fs::File::create(&path).unwrap()).unwrap();
        let evaluations = Evaluations::open(&path).unwrap();
        for (depth, expected) in [(13, 13), (11, 12)] {
            tt.clear(1);
            let own = Entry { mv: None, score: 0, eval: 0, depth, bound: Bound::Lower };
            tt.store(key, own);
            tt.new_search();
            assert_eq!(lookup(&evaluations, &Position::startpos(), &tt), Some(known));
            assert_eq!(tt.probe(key).unwrap().depth, expected);
        }
    }
}
