use sakmak_dataset::games::GameResult;

use super::*;

const SETTINGS: TreeSettings = TreeSettings { plies: 40, min_games: 1 };

fn line(text: &str) -> Vec<Move> {
    text.split_whitespace().map(|mv| mv.parse().unwrap()).collect()
}

fn after(text: &str) -> Position {
    let mut position = Position::startpos();
    line(text).into_iter().for_each(|mv| position.play(mv).unwrap());
    position
}

fn searched(moves: &[(&str, i32)]) -> Searched {
    let moves = moves.iter().map(|(mv, score)| (mv.parse().unwrap(), *score)).collect();
    Searched { depth: 10, nodes: 120_000, moves }
}

fn entry(tree: &Tree, moves: &str) -> BookPosition {
    tree.book(None).remove(&after(moves).moves_key()).unwrap()
}

fn of(entry: &BookPosition, mv: &str) -> BookMove {
    *entry.moves.iter().find(|known| known.mv.to_string() == mv).unwrap()
}

#[test]
fn games_join_where_their_positions_do() {
    let mut games = GameMoves::default();
    let start = Position::startpos();
    games.add(&start, line("e3e4 e6e5 d3d4 d6d5 b1d2"), GameResult::WhiteWins, 40);
    games.add(&start, line("d3d4 d6d5 e3e4 e6e5 b1d2"), GameResult::BlackWins, 40);
    games.add(&start, line("d3d4 e6e5 e3e4 d6d5 g1e2"), GameResult::Draw, 40);
    // From a position of the tree, and from one that no move leads to.
    games.add(&after("e3e4 e6e5 d3d4"), line("d6d5 g1e2"), GameResult::Draw, 40);
    games.add(&after("a3a4 a6a5 h3h4"), line("h6h5"), GameResult::Draw, 40);
    let mut tree = Tree::new(start, &games, SETTINGS);
    tree.update();
    assert_eq!((games.games(), tree.games()), (5, 3));
    let joined = entry(&tree, "e3e4 e6e5 d3d4 d6d5");
    assert_eq!(of(&joined, "b1d2").results, [1, 0, 1]);
    assert_eq!(of(&joined, "g1e2").results, [0, 2, 0]);
    assert_eq!(of(&entry(&tree, ""), "d3d4").results, [0, 1, 1]);
    assert!(!tree.book(None).contains_key(&after("a3a4 a6a5 h3h4").moves_key()));
}

#[test]
fn games_are_followed_to_a_ply_and_while_there_are_enough() {
    let mut games = GameMoves::default();
    let start = Position::startpos();
    for first in ["e3e4 e6e5 d3d4 d6d5", "e3e4 e6e5 c3c4 c6c5"] {
        games.add(&start, line(first), GameResult::Draw, 3);
    }
    let tree = Tree::new(start.clone(), &games, SETTINGS);
    assert!(tree.book(None).contains_key(&after("e3e4 e6e5").moves_key()));
    assert!(!tree.book(None).contains_key(&after("e3e4 e6e5 d3d4").moves_key()));
    games.add(&start, line("e3e4 a6a5 a3a4 d6d5"), GameResult::Draw, 40);
    let mut tree = Tree::new(start, &games, TreeSettings { min_games: 2, ..SETTINGS });
    let once = after("e3e4 a6a5").moves_key();
    assert!(!tree.book(None).contains_key(&once));
    // A search makes the moves of its games part of the book.
    tree.add_search(once, searched(&[("d3d4", 30)]));
    tree.update();
    let found = entry(&tree, "e3e4 a6a5");
    assert_eq!((of(&found, "a3a4").results, of(&found, "a3a4").score), ([0, 1, 0], None));
    assert_eq!((of(&found, "d3d4").results, of(&found, "d3d4").score), ([0; 3], Some(30)));
}

#[test]
fn scores_come_from_the_positions_after_a_move() {
    let games = GameMoves::default();
    let mut tree = Tree::new(Position::startpos(), &games, SETTINGS);
    let key = |moves: &str| after(moves).moves_key();
    // The look sees a move above the best one; it does not count as better.
    tree.add_search(key(""), searched(&[("e3e4", 20), ("d3d4", 35), ("c3c4", 5)]));
    tree.update();
    assert_eq!(of(&entry(&tree, ""), "d3d4").score, Some(20));
    tree.add_search(key("e3e4"), searched(&[("e6e5", -10), ("d6d5", -30)]));
    tree.update();
    // 1. e4 is worth 10 only now, and 1. d4 becomes the best move.
    let start = entry(&tree, "");
    assert_eq!((start.score, start.moves[0].mv.to_string()), (Some(20), "d3d4".to_owned()));
    assert_eq!(of(&start, "e3e4").score, Some(10));
    tree.add_search(key("d3d4"), searched(&[("e6e5", 40)]));
    tree.update();
    let start = entry(&tree, "");
    assert_eq!((start.score, start.depth, start.kilonodes), (Some(10), 10, 120));
    assert_eq!(of(&start, "d3d4").score, Some(-40));
    assert_eq!(start.moves[0].mv.to_string(), "e3e4");
}

#[test]
fn moves_back_to_earlier_positions_keep_the_score_of_their_search() {
    let games = GameMoves::default();
    let mut tree = Tree::new(Position::startpos(), &games, SETTINGS);
    let key = |moves: &str| after(moves).moves_key();
    tree.add_search(key(""), searched(&[("b1d2", 10)]));
    tree.add_search(key("b1d2"), searched(&[("b8d7", -10)]));
    tree.add_search(key("b1d2 b8d7"), searched(&[("d2b1", 10)]));
    tree.add_search(key("b1d2 b8d7 d2b1"), searched(&[("d7b8", -10)]));
    tree.update();
    assert_eq!(entry(&tree, "").score, Some(10));
    assert_eq!(of(&entry(&tree, "b1d2 b8d7 d2b1"), "d7b8").score, Some(-10));
}

#[test]
fn the_most_important_positions_have_good_moves_or_games() {
    let mut games = GameMoves::default();
    let start = Position::startpos();
    let mut tree = Tree::new(start.clone(), &games, SETTINGS);
    tree.update();
    let most = |tree: &Tree| -> Vec<u64> {
        tree.most_important(3, |_| true).iter().map(|(position, _)| position.moves_key()).collect()
    };
    assert_eq!(most(&tree), [start.moves_key()]);
    let found = searched(&[("e3e4", 20), ("d3d4", 10), ("a3a4", -200)]);
    tree.add_search(start.moves_key(), found.clone());
    tree.update();
    let key = |moves: &str| after(moves).moves_key();
    assert_eq!(most(&tree), [key("e3e4"), key("d3d4"), key("a3a4")]);
    // Many games make a bad move important.
    for _ in 0..200 {
        games.add(&start, line("a3a4 a6a5"), GameResult::Draw, 40);
    }
    let mut tree = Tree::new(start.clone(), &games, SETTINGS);
    tree.add_search(start.moves_key(), found);
    tree.update();
    assert_eq!(most(&tree)[0], key("a3a4"));
}

#[test]
fn a_smaller_book_has_the_most_important_positions() {
    let games = GameMoves::default();
    let mut tree = Tree::new(Position::startpos(), &games, SETTINGS);
    let key = |moves: &str| after(moves).moves_key();
    tree.add_search(key(""), searched(&[("e3e4", 20), ("d3d4", 15), ("a3a4", -200)]));
    tree.add_search(key("a3a4"), searched(&[("e6e5", 200)]));
    tree.add_search(key("d3d4"), searched(&[("e6e5", -15), ("d6d5", -16)]));
    tree.add_search(key("e3e4"), searched(&[("e6e5", -20), ("d6d5", -21)]));
    tree.add_search(key("e3e4 e6e5"), searched(&[("d3d4", 20)]));
    tree.add_search(key("d3d4 e6e5"), searched(&[("e3e4", 15)]));
    // Two moves lead to it: it is more important than either of the positions before it.
    tree.add_search(key("e3e4 e6e5 d3d4"), searched(&[("d6d5", 0)]));
    tree.update();
    let whole = tree.book(None);
    assert_eq!(whole.len(), 7);
    assert_eq!(tree.book(Some(100)), whole);
    let kept = |number| tree.book(Some(number)).into_keys().collect::<std::collections::HashSet<_>>();
    assert_eq!(kept(1), [key("")].into());
    assert_eq!(kept(3), [key(""), key("e3e4"), key("d3d4")].into());
    assert_eq!(kept(6).difference(&kept(5)).count(), 1);
    assert!(!kept(6).contains(&key("a3a4")));
    // What is left is as it was.
    assert!(tree.book(Some(4)).iter().all(|(key, entry)| whole[key] == *entry));
}

/// Minimax once more, from a list of searches, by recursion over moves alone.
fn simple(position: &Position, known: &HashMap<u64, Searched>, distances: &HashMap<u64, u32>) -> Option<i32> {
    let found = known.get(&position.moves_key())?;
    let distance = distances[&position.moves_key()];
    let best = found.moves[0].1;
    let values = found.moves.iter().map(|&(mv, score)| {
        let after = position.after(mv);
        let is_further = distances[&after.moves_key()] == distance + 1;
        let below = if is_further { simple(&after, known, distances) } else { None };
        below.map_or(score.min(best), |score| -score)
    });
    values.max()
}

#[test]
fn minimax_is_that_of_a_simple_recursion() {
    let games = GameMoves::default();
    for seed in 0..40 {
        let mut tree = Tree::new(Position::startpos(), &games, SETTINGS);
        let mut known = HashMap::new();
        // Few moves, so that lines meet again, and maa that go to and fro.
        let mut random = seed * 1_000;
        let mut next = move |below: u64| {
            random += 1;
            sakmak_movegen::splitmix64(random) % below
        };
        for _ in 0..60 {
            tree.update();
            let Some(position) =
                tree.most_important(3, |_| true).last().map(|(position, _)| (*position).clone())
            else {
                break;
            };
            let moves = position.legal_moves();
            let is_few = |mv: &&Move| ["b1", "d2", "b8", "d7", "e3", "e6"].contains(&&*mv.from().to_string());
            let mut few: Vec<Move> = moves.iter().filter(is_few).copied().collect();
            few.truncate(3);
            if few.is_empty() {
                few = moves[..1].to_vec();
            }
            let mut score = next(60) as i32 - 30;
            let scored = few.into_iter().map(|mv| {
                score -= next(20) as i32 - 3;
                (mv, score)
            });
            let found = Searched { depth: 5, nodes: 1_000, moves: scored.collect() };
            known.insert(position.moves_key(), found.clone());
            tree.add_search(position.moves_key(), found);
        }
        tree.update();
        let mut distances = HashMap::new();
        let mut open = std::collections::VecDeque::from([(Position::startpos(), 0)]);
        while let Some((position, distance)) = open.pop_front() {
            if distances.contains_key(&position.moves_key()) {
                continue;
            }
            distances.insert(position.moves_key(), distance);
            let found = known.get(&position.moves_key());
            let moves = found.map_or(&[][..], |found| &found.moves);
            open.extend(moves.iter().map(|&(mv, _)| (position.after(mv), distance + 1)));
        }
        let mut compared = 0;
        for node in &tree.nodes {
            assert_eq!(node.score, simple(&node.position, &known, &distances), "{seed}: {}", node.position);
            compared += usize::from(node.score.is_some());
        }
        assert!(compared > 20, "{compared}");
    }
}
