//! The evaluation: the same for both colours, independent of the path to the position, and sensible where the rules
//! of Makruk decide.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::network::Network;
use sakmak_eval::{Evaluator, MAX_EVAL};
use sakmak_movegen::rules::{Rules, Ruleset, Variant};
use sakmak_movegen::{Color, Position};
use sakmak_tests::dtm_tables;

/// An evaluator with all DTM tables.
fn evaluator() -> Evaluator {
    let mut evaluator = Evaluator::new(dtm_tables());
    evaluator.solve_missing_tables(true);
    evaluator
}

fn worth(fen: &str) -> i32 {
    let position = Position::from_fen(fen).expect("a valid FEN");
    evaluator().evaluate(&position)
}

/// Calls `visit` with each position of random games.
fn along_random_games(rules: Rules, games: u64, mut visit: impl FnMut(&Position)) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut position = Position::start(rules);
        while position.outcome().is_none() && position.game_ply() < 400 {
            visit(&position);
            let moves = position.legal_moves();
            position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
}

/// The position with left and right exchanged: an equal one only in Makruk without first-move privileges.
fn mirrored(position: &Position) -> Position {
    let fen = position.to_string();
    let (board, rest) = fen.split_once(' ').expect("fields");
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    Position::from_fen(&format!("{} {rest}", ranks.join("/"))).expect("a valid FEN")
}

#[test]
fn both_colours_and_both_wings_are_evaluated_alike() {
    let mut evaluator = evaluator();
    let mut bare = 0;
    let mut check = |position: &Position| {
        let eval = evaluator.evaluate(position);
        assert_eq!(eval, evaluator.evaluate(&position.flipped()), "{position}");
        assert_eq!(eval, evaluator.evaluate(&mirrored(position)), "{position}");
        assert!(eval.abs() <= MAX_EVAL, "{position}");
        bare += u32::from(Color::ALL.into_iter().any(|color| position.is_bare(color)));
    };
    along_random_games(Rules::default(), 60, &mut check);
    for fen in sakmak_engine::bench::POSITIONS {
        check(&Position::from_fen(fen).expect("a valid FEN"));
    }
    assert!(bare > 100, "{bare} positions with a bare khun");
}

#[test]
fn both_colours_are_evaluated_alike_under_other_rules() {
    let mut evaluator = evaluator();
    for rules in [
        Rules::default().with_parts("SutMa=on SutMet=on").expect("parts"),
        Rules::new(Variant::Cambodian, Ruleset::default()),
        Rules::new(Variant::Makpong, Ruleset::default()),
        Rules::new(Variant::Makruk, Ruleset::Cyningstan),
        Rules::new(Variant::Makruk, Ruleset::ChessVariants),
    ] {
        along_random_games(rules, 20, |position| {
            let eval = evaluator.evaluate(position);
            assert_eq!(eval, evaluator.evaluate(&position.flipped()), "{rules}: {position}");
            assert!(eval.abs() <= MAX_EVAL, "{rules}: {position}");
        });
    }
}

/// Neither the caches of an evaluator nor another network in between change an evaluation.
#[test]
fn an_evaluator_has_no_memory() {
    let other = Arc::new(Network::clone(Network::embedded()));
    let mut used = evaluator();
    along_random_games(Rules::default(), 10, |position| {
        assert_eq!(used.evaluate(position), evaluator().evaluate(position), "{position}");
        used.set_network(if position.game_ply() % 3 == 0 { &other } else { Network::embedded() });
    });
}

#[test]
fn more_pieces_are_better() {
    let base = "r2mk3/8/pp1pp3/8/8/PP1PP3/8/R2KM3 w - - 0 1";
    let mut last = worth(base);
    for pieces in ["P", "M", "S", "N", "R"] {
        let with = worth(&base.replace("/8/8/", &format!("/8/2{pieces}5/")));
        assert!(with > last, "{pieces}: {with} after {last}");
        last = with;
    }
}

#[test]
fn men_that_cannot_mate_win_nothing() {
    for fen in ["4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "4k3/8/8/8/2M5/8/8/4K3 w - - 0 1"] {
        assert!(worth(fen).abs() < 50, "{fen}: {}", worth(fen));
    }
    // Two maa cannot force a mate, khon and maa can.
    assert!(worth("4k3/8/8/8/8/8/8/2NNK3 w - - 0 1") < 150);
    assert!(worth("4k3/8/8/8/8/8/8/2SNK3 w - - 0 1") > 500);
}

#[test]
fn a_won_hunt_is_worth_much_until_it_no_longer_fits_the_count() {
    let hunt = |ply: u32| worth(&format!("4k3/8/8/8/8/8/8/R3K3 w - 32 {ply} 60"));
    let worths: Vec<i32> = (0..=32).map(hunt).collect();
    let fitting = worths.iter().take_while(|&&worth| worth > 500).count();
    assert!((6..28).contains(&fitting), "{worths:?}");
    assert!(worths[fitting..].iter().all(|worth| (1..200).contains(worth)), "{worths:?}");

    // With more pieces the distance to mate is an estimate, so the score shrinks with the count.
    let hunt = |ply: u32| worth(&format!("4k3/8/8/8/8/8/8/RN1MK3 w - 32 {ply} 60"));
    assert!(hunt(6) > 500 && hunt(20) < hunt(6) && hunt(28) < hunt(20), "{} {}", hunt(6), hunt(20));
}

#[test]
fn an_advantage_is_worth_little_late_in_a_count() {
    let ending = |bia: &str, count: &str| worth(&format!("3mk3/8/{bia}/8/8/8/8/R2SK3 w - {count} 60"));
    let with_bia = worth("3mk3/8/p7/8/8/P7/8/R2SK3 w - - 0 60");
    let without = ending("8", "128 0");
    let late = ending("8", "128 110");
    assert!(with_bia.min(without) > 2 * late && late > 0, "{with_bia} {without} {late}");
}

#[test]
fn khon_drive_the_khun_to_the_far_side() {
    let far = worth("4k3/8/4K3/8/8/3SS3/8/8 w - 44 8 60");
    let near = worth("8/8/3SS3/8/8/4K3/8/4k3 w - 44 8 60");
    assert!(far > near, "{far} {near}");
}
