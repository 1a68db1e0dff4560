use sakmak_engine::skill::{MAX_ELO, MIN_ELO};

use super::*;
use crate::record::{ROOT, Record};

fn engine(fen: &str) -> Engine {
    let mut engine = Engine::new(8).unwrap();
    engine.set_game(&RulesChoice::default(), fen, &[]).unwrap();
    engine
}

const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

/// Runs a search to its end in parts of `nodes`. Returns the end, all lines, and the number of parts.
fn finish(engine: &mut Engine, nodes: u64) -> (Done, Vec<Line>, usize) {
    let (mut lines, mut parts) = (Vec::new(), 0);
    loop {
        let part = engine.advance(nodes);
        lines.extend(part.lines);
        parts += 1;
        if let Some(done) = part.done {
            return (done, lines, parts);
        }
        assert!(parts < 10_000);
    }
}

#[test]
fn a_search_comes_in_parts_and_stops_when_asked() {
    let mut engine = engine(START);
    assert!(engine.advance(1000).done.is_none(), "none has begun");
    engine.go(&Go { depth: Some(9), lines: 2, notation: "thai-san".into(), ..Go::default() });
    let (done, lines, parts) = finish(&mut engine, 4096);
    assert!(parts > 1);
    assert_eq!(done.depth, 9);
    assert_eq!(done.chances.iter().sum::<u32>(), 1000);
    let deepest: Vec<_> = lines.iter().filter(|line| line.depth == 9).collect();
    assert_eq!(deepest.iter().map(|line| line.rank).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(deepest[0].moves.len(), deepest[0].names.len());
    assert!(!deepest[0].names[0].is_ascii(), "{:?}", deepest[0].names);
    assert_eq!(done.best.as_ref(), Some(&deepest[0].moves[0]));

    // Without limits only the caller ends it.
    engine.go(&Go::default());
    for _ in 0..20 {
        assert!(engine.advance(8192).done.is_none());
    }
    engine.stop();
    assert!(engine.advance(8192).done.is_some_and(|done| done.best.is_some()));
    assert!(!engine.is_searching());

    // But where there is nothing to search, it ends: black is mated.
    engine.set_game(&RulesChoice::default(), "R6k/8/6K1/8/8/8/8/8 b - - 0 1", &[]).unwrap();
    engine.go(&Go::default());
    assert!(engine.advance(8192).done.is_some_and(|done| done.best.is_none()));
    assert!(!engine.is_searching());
}

#[test]
fn scores_are_whites_and_mates_are_mates() {
    for (fen, mate) in [("7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30", 2), ("8/1r6/r7/8/8/8/5k2/7K b - 16 1 30", -1)] {
        let mut engine = engine(fen);
        engine.go(&Go { depth: Some(8), ..Go::default() });
        let (_, lines, _) = finish(&mut engine, 100_000);
        let last = lines.last().unwrap();
        assert_eq!(last.score.mate, Some(mate), "{fen} {last:?}");
        assert_eq!(last.chances, if mate > 0 { [1000, 0, 0] } else { [0, 0, 1000] });
    }
}

#[test]
fn levels_err_by_the_number_they_are_given() {
    let mut engine = engine(START);
    let mut play = |rating, seed| {
        engine.go(&Go { rating: Some(rating), seed, ..Go::default() });
        finish(&mut engine, 50_000).0
    };
    let weakest: std::collections::HashSet<_> =
        (0..12).map(|seed| play(MIN_ELO, seed).best.unwrap()).collect();
    assert!(weakest.len() > 4, "{weakest:?}");
    assert_eq!(play(MIN_ELO, 7).best, play(MIN_ELO, 7).best);
    assert!(play(MIN_ELO, 1).nodes <= 2_000);
    assert!(play(MAX_ELO - 100, 1).nodes > 20_000);
}

#[test]
fn a_clock_ends_the_search() {
    let mut engine = engine(START);
    engine.go(&Go { clock: Some([1_000, 1_000]), ..Go::default() });
    // Without the clock it would not end.
    finish(&mut engine, 10_000);
}

#[test]
fn solved_endings_say_which_moves_throw_the_win_away() {
    // Two rua: 9 plies to mate would need more than the count leaves after any other move (hunt.08).
    let mut engine = engine("8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58");
    let facts = engine.facts_of(&engine.game);
    assert_eq!(facts.value, Some(Solved { result: "win", plies: Some(7) }));
    assert_eq!(facts.left, Some(7));
    let wins: Vec<_> = facts.moves.iter().filter(|(_, solved)| solved.result == "win").collect();
    assert_eq!(wins.len(), 1);
    assert_eq!(wins[0].0, "b5f5");
    assert_eq!(engine.table_move(&engine.game, 3), Some("b5f5".to_owned()));
    let (others, _): (Vec<_>, Vec<_>) = facts.moves.iter().partition(|(uci, _)| uci != "b5f5");
    assert!(others.iter().all(|(_, solved)| solved.result == "draw"));
    // docs/count-suite.md: d7e6 wins in 9 plies of 7, the move itself included.
    assert_eq!(facts.needs.get("d7e6"), Some(&8));
    assert!(!facts.needs.contains_key("b5f5"));

    // With two plies fewer the win is there but for the count.
    engine.set_game(&RulesChoice::default(), "8/3K4/8/1R5R/6k1/8/8/8 w - 16 11 58", &[]).unwrap();
    let facts = engine.facts_of(&engine.game);
    assert_eq!(facts.value.map(|solved| solved.result), Some("draw"));
    assert_eq!(facts.uncounted, Some(Solved { result: "win", plies: Some(7) }));

    // The last piece is taken: the ending behind it is known, that before it is not.
    engine.set_game(&RulesChoice::default(), "4k3/8/8/8/8/8/1m6/K1R5 w - - 0 40", &[]).unwrap();
    let facts = engine.facts_of(&engine.game);
    assert_eq!(facts.value, None);
    assert_eq!(facts.moves.len(), 1);
    assert_eq!(facts.moves[0].0, "a1b2");
}

#[test]
fn the_bare_khun_resists_as_long_as_it_can() {
    // An exercise that both sides play by the solved endings takes exactly its plies.
    let exercise = crate::exercises::exercises().into_iter().find(|one| one.id == "R.02").unwrap();
    let mut record = Record::new(RulesChoice::default(), Some(&exercise.fen)).unwrap();
    let mut engine = Engine::new(1).unwrap();
    let mut node = ROOT;
    for _ in 0..exercise.plies {
        let (fen, words) = record.engine_line(node);
        engine.set_game(&RulesChoice::default(), &fen, &words).unwrap();
        node = record.play(node, &engine.table_move(&engine.game, node as u64).unwrap()).unwrap();
    }
    let outcome = record.view(node, Notation::San).outcome.unwrap();
    assert_eq!((outcome.winner, outcome.reason), (Some('b'), "checkmate"));
}

#[test]
fn draws_are_taken_by_score_and_count() {
    let takes = |fen: &str| {
        let mut engine = engine(fen);
        engine.go(&Go { nodes: Some(30_000), ..Go::default() });
        finish(&mut engine, 100_000).0.takes_draw
    };
    assert_eq!(takes(START), [false, false], "not from the start");
    assert_eq!(takes("4k3/8/8/8/8/1m6/8/K2R4 b - 128 20 60"), [false, true], "a met against a rua");
    assert_eq!(takes("7k/8/8/8/8/1m6/8/K2RR3 w - 128 20 60"), [false, true], "two rua against a met");
    // The same pieces, but the count leaves no time.
    assert_eq!(takes("8/3K4/8/1R5R/6k1/8/8/8 w - 16 15 58"), [true, true]);
    assert_eq!(takes("8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58"), [false, true]);
}

#[test]
fn wrong_games_are_refused() {
    let mut engine = engine(START);
    let rules = RulesChoice::default();
    assert_eq!(engine.set_game(&rules, "x", &[]).unwrap_err().code, "fen.ranks");
    assert_eq!(engine.set_game(&rules, START, &["e3e5".to_owned()]).unwrap_err().code, "move.illegal");
    assert_eq!(
        engine.set_game(&rules, START, &["count-start".to_owned()]).unwrap_err().code,
        "count.nothing"
    );
    // Invalid limits are ignored.
    engine.go(&Go {
        depth: Some(2),
        moves: vec!["z9".into()],
        rating: Some(-5),
        lines: 900,
        ..Go::default()
    });
    assert!(finish(&mut engine, 10_000).0.best.is_some());
}

#[test]
fn a_counter_that_mates_stops_its_count() {
    const FEN: &str = "1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60";
    for (ruleset, stops_count) in [("wikipedia", true), ("knowlton", false)] {
        let choice = RulesChoice { ruleset: ruleset.into(), ..RulesChoice::default() };
        let mut engine = Engine::new(8).unwrap();
        engine.set_game(&choice, FEN, &[]).unwrap();
        engine.go(&Go { depth: Some(4), ..Go::default() });
        let (done, _, _) = finish(&mut engine, 100_000);
        assert_eq!((done.best.as_deref(), done.stops_count), (Some("g3a3"), stops_count), "{ruleset}");
    }
}
