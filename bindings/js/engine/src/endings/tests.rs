use sakmak_engine::EngineSettings;
use sakmak_movegen::Rules;

use super::*;

/// Tablebases that solve what they need, and the game of a FEN.
fn solved(fen: &str) -> (Tablebases, Game) {
    let settings = EngineSettings { hash_mb: 1, ..EngineSettings::default() };
    let engine = Engine::on_calling_thread(settings, &Default::default()).unwrap();
    (tablebases(&engine), Game::from_fen(fen, Rules::default()).unwrap())
}

#[test]
fn solved_endings_say_which_moves_throw_the_win_away() {
    // Two rua: 9 plies to mate would need more than the count leaves after any other move (hunt.08).
    let (tables, game) = solved("8/3K4/8/1R5R/6k1/8/8/8 w - 16 9 58");
    let endings = endings_of(&game, &tables);
    assert_eq!(endings.value, Some(Solved { result: "win", plies: Some(7) }));
    assert_eq!(endings.plies_left, Some(7));
    let (wins, others): (Vec<_>, Vec<_>) =
        endings.moves.iter().partition(|(_, solved)| solved.result == "win");
    assert_eq!(wins.iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>(), ["b5f5"]);
    assert!(others.iter().all(|(_, solved)| solved.result == "draw"));
    assert_eq!(best_move(&game, 3, &tables), Some("b5f5".to_owned()));
    // docs/count-suite.md: d7e6 wins in 9 plies of 7, the move itself included.
    assert_eq!(endings.needs.get("d7e6"), Some(&8));
    assert!(!endings.needs.contains_key("b5f5"));

    // With two plies fewer the win is there but for the count.
    let (tables, game) = solved("8/3K4/8/1R5R/6k1/8/8/8 w - 16 11 58");
    let endings = endings_of(&game, &tables);
    assert_eq!(endings.value.map(|solved| solved.result), Some("draw"));
    assert_eq!(endings.without_count, Some(Solved { result: "win", plies: Some(7) }));

    // The last piece is taken: the ending behind it is known, that before it is not.
    let (tables, game) = solved("4k3/8/8/8/8/8/1m6/K1R5 w - - 0 40");
    let endings = endings_of(&game, &tables);
    assert_eq!(endings.value, None);
    assert_eq!(endings.moves.iter().map(|(mv, _)| mv.as_str()).collect::<Vec<_>>(), ["a1b2"]);
    assert_eq!(best_move(&game, 0, &tables), None);
}

#[test]
fn the_bare_khun_resists_as_long_as_it_can() {
    // Both sides play by the tablebases: the mate takes exactly its plies.
    let (tables, mut game) = solved("8/8/8/4k3/8/8/3R4/3K3R w - 16 1 60");
    let plies = endings_of(&game, &tables).value.and_then(|value| value.plies).unwrap();
    assert!(plies > 4, "{plies}");
    for seed in 0..plies {
        assert_eq!(game.outcome(), None);
        game.play_uci(&best_move(&game, seed.into(), &tables).unwrap()).unwrap();
    }
    assert_eq!(game.outcome().map(|outcome| outcome.to_string()).as_deref(), Some("white wins (checkmate)"));
}
