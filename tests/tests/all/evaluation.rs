//! The evaluation: the same for both colours, the same however the position came about, and sensible
//! where the rules of Makruk decide.

use std::sync::Arc;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::network::Network;
use sakmak_eval::weights::TABLES;
use sakmak_eval::{EvalState, Evaluator, MAX_EVAL, Trace};
use sakmak_movegen::rules::{Privileges, Rules, Ruleset, Variant};
use sakmak_movegen::{Color, Position};
use sakmak_tests::dtm_tables;

/// An evaluator with all DTM tables.
fn evaluator() -> Evaluator {
    let mut evaluator = Evaluator::new(dtm_tables());
    evaluator.solve_missing_tables(true);
    evaluator
}

/// An evaluator with all DTM tables that uses the hand-written terms.
fn terms_evaluator() -> Evaluator {
    let mut evaluator = evaluator();
    evaluator.use_terms(true);
    evaluator
}

fn state(position: &Position) -> EvalState {
    EvalState::new(position.clone())
}

fn worth(fen: &str) -> i32 {
    let position = Position::from_fen(fen).expect("a valid FEN");
    evaluator().evaluate(&EvalState::new(position))
}

/// Calls `visit` with the states of random games, which followed the moves.
fn along_random_games(games: u64, visit: impl FnMut(&EvalState)) {
    along_random_games_by(Rules::default(), games, visit);
}

fn along_random_games_by(rules: Rules, games: u64, mut visit: impl FnMut(&EvalState)) {
    for seed in 0..games {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut state = EvalState::new(Position::start(rules));
        while state.position().outcome().is_none() && state.position().game_ply() < 400 {
            visit(&state);
            let moves = state.position().legal_moves();
            state.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
    }
}

#[test]
fn states_that_followed_the_moves_equal_fresh_ones() {
    // All but the first have privileged first moves of the met.
    let makruk = Rules::default();
    let sut = Rules { privileges: Privileges::SUT_MA | Privileges::SUT_MET, ..makruk };
    let cambodian = Rules::new(Variant::Cambodian, Ruleset::default());
    let cyningstan = Rules::new(Variant::Makruk, Ruleset::Cyningstan);
    for rules in [makruk, sut, cambodian, cyningstan] {
        along_random_games_by(rules, 60, |followed| {
            assert_eq!(*followed, state(followed.position()));
        });
    }
}

#[test]
fn both_colours_are_evaluated_alike() {
    for mut evaluator in [evaluator(), terms_evaluator()] {
        along_random_games(60, |state| {
            let mirrored = evaluator.evaluate(&EvalState::new(state.position().flipped()));
            assert_eq!(evaluator.evaluate(state), mirrored, "{}", state.position());
            assert!(mirrored.abs() <= MAX_EVAL);
        });
        for fen in sakmak_engine::bench::POSITIONS {
            let position = Position::from_fen(fen).expect("a valid FEN");
            let flipped = evaluator.evaluate(&state(&position.flipped()));
            assert_eq!(evaluator.evaluate(&state(&position)), flipped, "{fen}");
        }
    }
}

/// What the caches of an evaluator hold changes nothing, nor does the state's past, nor another network in between.
#[test]
fn an_evaluator_has_no_memory() {
    let other = Arc::new(Network::clone(Network::embedded()));
    for uses_terms in [false, true] {
        let mut used = evaluator();
        used.use_terms(uses_terms);
        let mut followed = None;
        along_random_games(10, |state| {
            let position = state.position();
            let mut fresh = evaluator();
            fresh.use_terms(uses_terms);
            let expected = fresh.evaluate(state);
            assert_eq!(used.evaluate(state), expected, "{position}");
            assert_eq!(used.evaluate(&used.state(position.clone())), expected, "{position}");
            used.set_network(if position.game_ply() % 3 == 0 { &other } else { Network::embedded() });
            followed = Some(used.state(position.clone()));
        });
        assert_eq!(followed.expect("a position").has_terms(), uses_terms);
    }
}

#[test]
fn a_pass_changes_nothing_but_the_right_to_move() {
    let (mut passed, mut far) = (0, 0);
    let mut evaluator = terms_evaluator();
    along_random_games(50, |state| {
        let position = state.position();
        if position.in_check() || Color::ALL.into_iter().any(|color| position.is_bare(color)) {
            return;
        }
        let mut next = state.clone();
        next.play_null();
        let (expected, found) = (state.eval_after_null(evaluator.evaluate(state)), evaluator.evaluate(&next));
        // A share of the advantage counts, and another one where the better side changes.
        assert!((expected - found).abs() <= 25, "{position}: {expected} is not {found}");
        far += usize::from((expected - found).abs() > 8);
        passed += 1;
    });
    assert!(passed > 1000 && 25 * far < passed, "{far} of {passed} are far off");
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

    // With more pieces the distance is an estimate, so the score fades.
    let hunt = |ply: u32| worth(&format!("4k3/8/8/8/8/8/8/RN1MK3 w - 32 {ply} 60"));
    assert!(hunt(6) > 500 && hunt(20) < hunt(6) && hunt(28) < hunt(20), "{} {}", hunt(6), hunt(20));
}

#[test]
fn an_advantage_is_worth_more_while_bia_stand() {
    let ending = |bia: &str, count: &str| worth(&format!("3mk3/8/{bia}/8/8/8/8/R2SK3 w - {count} 60"));
    let with_bia = worth("3mk3/8/p7/8/8/P7/8/R2SK3 w - - 0 60");
    let without = ending("8", "128 0");
    let late = ending("8", "128 110");
    assert!(with_bia > without && without > late && late > 0, "{with_bia} {without} {late}");
}

#[test]
fn khon_drive_the_khun_to_the_far_side() {
    let far = worth("4k3/8/4K3/8/8/3SS3/8/8 w - 44 8 60");
    let near = worth("8/8/3SS3/8/8/4K3/8/4k3 w - 44 8 60");
    assert!(far > near, "{far} {near}");
}

#[test]
fn the_explanation_ends_with_the_verdict() {
    for fen in sakmak_engine::bench::POSITIONS {
        let position = Position::from_fen(fen).expect("a valid FEN");
        let text = evaluator().explain(&position);
        let last = text.lines().last().expect("some text");
        assert!(last.starts_with("Final evaluation ") && last.ends_with(" (white side)"), "{last}");
    }
}

/// What the weights make of a trace, from White's side, before rounding.
fn from_trace(trace: &Trace) -> f64 {
    let weights: Vec<_> = TABLES.iter().flat_map(|table| table.values).collect();
    let mut halves = [0.0; 2];
    for &(number, count) in &trace.counts {
        let weight = weights[usize::from(number)];
        halves[0] += f64::from(count) * f64::from(weight.middlegame());
        halves[1] += f64::from(count) * f64::from(weight.endgame());
    }
    let (factors, more) = trace.scaling.factors(halves);
    halves[0] * factors[0] + halves[1] * factors[1] + more
}

#[test]
fn the_trace_adds_up_to_the_evaluation() {
    let mut traced = 0;
    let mut evaluator = terms_evaluator();
    let mut check = |position: &Position| {
        let Some(trace) = Trace::of(position) else { return };
        let white = evaluator.evaluate(&state(position));
        let white = if position.side_to_move() == Color::White { white } else { -white };
        let limit = f64::from(MAX_EVAL);
        let expected = from_trace(&trace).clamp(-limit, limit);
        // Three divisions round, each by less than one.
        assert!((expected - f64::from(white)).abs() < 3.0, "{position}: {expected} is not {white}");
        traced += 1;
    };
    along_random_games(100, |state| {
        check(state.position());
        check(&state.position().flipped());
    });
    for fen in sakmak_engine::bench::POSITIONS {
        check(&Position::from_fen(fen).expect("a valid FEN"));
    }
    assert!(traced > 10_000, "{traced}");
}
