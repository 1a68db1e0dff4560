//! The search under every rule system.

use sakmak_engine::Listener;
use sakmak_engine::score::Score;
use sakmak_engine::{Limits, SearchInfo, SearchRequest, SearchResult};
use sakmak_movegen::rules::{Claim, CounterMate, Rules, Ruleset, Variant};
use sakmak_movegen::{Game, Position};
use sakmak_tests::{searcher, walk};

const WRITTEN: [Ruleset; 5] = [
    Ruleset::SchemingMind,
    Ruleset::Wikipedia,
    Ruleset::Knowlton,
    Ruleset::Cyningstan,
    Ruleset::ChessVariants,
];

fn makruk(ruleset: Ruleset) -> Rules {
    Rules::new(Variant::Makruk, ruleset)
}

fn search_game(game: &Game, limits: &Limits, listener: &mut dyn Listener) -> SearchResult {
    let request = SearchRequest::of_game(game, limits.clone());
    searcher(8).search_with(&request, listener)
}

fn search(fen: &str, rules: Rules, depth: u32) -> (Score, String) {
    let game = Game::from_fen(fen, rules).unwrap_or_else(|error| panic!("{fen}: {error}"));
    let result = search_game(&game, &Limits::depth(depth), &mut |_: &SearchInfo| ());
    let best = result.best().expect("a legal move");
    (Score::from_search(best.score), best.mv.to_string())
}

/// Two ruas mate in two moves, if the count leaves three plies.
#[test]
fn the_last_permitted_mate_wins_under_every_count_and_a_later_one_under_none() {
    let with_count = |count: &str| format!("7k/8/5K2/8/8/8/R7/1R6 w - {count} 30");
    for &ruleset in Ruleset::ALL {
        let rules = makruk(ruleset);
        // After 13 plies the mate is on the last ply of the count. After 14 it is on the one after it, where it still
        // wins in some rules.
        for count in ["16 1", "16 13"] {
            assert_eq!(search(&with_count(count), rules, 8).0, Score::Mate(2), "{ruleset} {count}");
        }
        // Without a count there is no hurry.
        let expected = if ruleset == Ruleset::None { Score::Mate(2) } else { Score::Centipawns(0) };
        for count in ["16 15", "16 16"] {
            assert_eq!(search(&with_count(count), rules, 8).0, expected, "{ruleset} {count}");
        }
    }
}

/// After the count has run out, a mate wins only under the rules of the two programs.
#[test]
fn a_mate_after_the_draw_wins_only_under_some_rules() {
    let mate_in_one = "7k/R7/5K2/8/8/8/8/1R6 w - 16 17 30";
    for ruleset in [Ruleset::FairyStockfish, Ruleset::CuteChess, Ruleset::None] {
        assert_eq!(search(mate_in_one, makruk(ruleset), 4).0, Score::Mate(1), "{ruleset}");
    }
    // Without a mate on the board it is a draw, and a move is played nevertheless.
    let no_mate = "7k/8/5K2/8/8/8/R7/1R6 w - 16 17 30";
    assert_eq!(search(no_mate, Rules::default(), 6).0, Score::Centipawns(0));
    assert_eq!(search(&no_mate.replace("16 17", "16 14"), Rules::default(), 8).0, Score::Mate(2));
    for ruleset in WRITTEN {
        assert_eq!(search(mate_in_one, makruk(ruleset), 4).0, Score::Centipawns(0), "{ruleset}");
    }
}

/// Black, with a rua against two and a maa, counts the board's honour and can mate at once. Under Wikipedia's rules it
/// must stop counting first.
#[test]
fn who_counts_may_win_by_mate() {
    let fen = "1R6/K1k5/8/8/8/6r1/6R1/2N5 b - - 0 60";
    for &ruleset in Ruleset::ALL {
        let mate = (Score::Mate(1), "g3a3".to_owned());
        for counter_mate in [CounterMate::Win, CounterMate::Draw] {
            let mut rules = makruk(ruleset);
            rules.play.counter_mate = counter_mate;
            for claim in [Claim::Automatic, Claim::Manual] {
                rules.play.claim = claim;
                assert_eq!(search(fen, rules, 6), mate, "{ruleset}");
            }
        }
    }
}

/// Only the counting side may claim the draw of an expired count; its opponent goes on to mate.
#[test]
fn a_claim_belongs_to_the_counter() {
    let claimed = makruk(Ruleset::Knowlton).with_parts("CountClaim=manual").expect("a part");
    let automatic = makruk(Ruleset::Knowlton);
    // Two moves before the mate the count runs out with White's move, and Black claims.
    let defender_to_move = "7k/8/5K2/8/8/8/R7/1R6 w - 16 15 30";
    assert_eq!(search(defender_to_move, claimed, 6).0, Score::Centipawns(0));
    // The mate is on the last ply.
    let attacker_to_move = "7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30";
    for rules in [claimed, automatic] {
        assert_eq!(search(attacker_to_move, rules, 6), (Score::Mate(1), "b1b8".to_owned()));
    }
    // The counting side wins and does not claim: the board's honour count has run out, Black counts.
    let winning = "7K/r7/5k2/8/8/8/M7/1r6 b - 128 130 30";
    assert_eq!(search(winning, claimed, 6).0, Score::Mate(1));
}

#[test]
fn repeating_draws_only_where_it_does() {
    // White is a rua ahead and the position has occurred twice; a third time is a draw, or nothing, by the rules.
    let start = "3k4/8/3p4/8/8/3P4/8/R3K3 w - - 0 1";
    for (ruleset, draws) in [(Ruleset::FairyStockfish, true), (Ruleset::SchemingMind, false)] {
        let mut game = Game::from_fen(start, makruk(ruleset)).expect("a valid FEN");
        for text in "a1b1 d8e8 b1a1 e8d8 a1b1 d8e8 b1a1".split(' ') {
            game.play_uci(text).expect("a legal move");
        }
        let only = game.position().parse_move("e8d8").expect("a legal move");
        let limits = Limits { depth: Some(4), search_moves: vec![only], ..Limits::default() };
        let result = search_game(&game, &limits, &mut |_: &SearchInfo| ());
        let score = result.best().expect("a move").score;
        assert_eq!(score == 0, draws, "{ruleset}: {score}");
    }
}

#[test]
fn cutechess_calls_two_met_too_few() {
    // A met could capture the rua: the two met left may win under most rules, and are a draw in Cute Chess.
    let fen = "8/8/8/3k4/8/4r3/3M2M1/4K3 w - 0 0 40";
    let cute = search(fen, makruk(Ruleset::CuteChess), 1).0;
    assert_eq!(cute, Score::Centipawns(0));
    let fairy = search(fen, makruk(Ruleset::FairyStockfish), 1).0;
    assert_ne!(fairy, Score::Centipawns(0));
}

const SUTRAS: &str = "SutKhun=on SutMet=on SutMa=on";

/// Special first moves are searched and played like all others: a khun in check saved by its only leap.
#[test]
fn first_moves_are_found() {
    // The rua control both ranks and the files beside the khun; only a maa's leap to e3 saves it.
    let fen = "4k3/8/8/8/8/1P6/7r/r2K4 w D - 0 1";
    let lord = Rules::default().with_parts("LordHorse=on").expect("a part");
    let position = Position::from_fen_with(fen, lord).expect("a valid FEN");
    let moves: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
    assert!(
        moves.iter().all(|text| ["d1c3", "d1e3"].contains(&text.as_str())) && !moves.is_empty(),
        "{moves:?}"
    );
    assert!(moves.contains(&search(fen, lord, 4).1));
    assert!(!Position::from_fen(fen).expect("a valid FEN").has_legal_move());

    // Sut Ma opens the way for the rua's mate.
    let rules = Rules::default().with_parts(SUTRAS).expect("parts");
    let game = Game::new(rules);
    let mv = game.position().parse_move("b1c3").expect("Sut Ma");
    let limits = Limits { depth: Some(6), search_moves: vec![mv], ..Limits::default() };
    assert_eq!(search_game(&game, &limits, &mut |_: &SearchInfo| ()).best().map(|best| best.mv), Some(mv));
}

/// Under every rule system each reported line consists of legal moves, and a repeated search gives the same result.
#[test]
fn lines_are_legal_and_searches_repeatable_under_every_system() {
    let mut all: Vec<Rules> = Ruleset::ALL.iter().map(|&ruleset| makruk(ruleset)).collect();
    all.extend(Ruleset::ALL.iter().map(|&ruleset| Rules::new(Variant::Cambodian, ruleset)));
    all.push(Rules::new(Variant::Makpong, Ruleset::FairyStockfish));
    all.push(Rules::default().with_parts(SUTRAS).expect("parts"));
    for rules in all {
        let starts = walk::STARTS.iter().map(|fen| Game::from_fen(fen, rules).expect("a valid FEN"));
        for game in starts.chain([Game::new(rules)]) {
            let limits = Limits::nodes(3_000);
            let mut nodes = Vec::new();
            for _ in 0..2 {
                let result = search_game(&game, &limits, &mut |info: &SearchInfo| {
                    let mut line = game.clone();
                    for &mv in &info.line {
                        line.play(mv)
                            .unwrap_or_else(|error| panic!("{error}: {} {rules:?}", line.position()));
                    }
                });
                nodes.push((result.nodes, result.best().map(|best| (best.mv, best.score))));
            }
            assert_eq!(nodes[0], nodes[1], "{rules:?} {}", game.position());
        }
    }
}
