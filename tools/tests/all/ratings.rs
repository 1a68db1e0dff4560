//! The command `sakmak-tools ratings`.

use crate::common::{Done, TempFile, run};

fn games(white: &str, black: &str, results: &[&str]) -> String {
    let game = |result: &&str| {
        format!("[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n\n{result}\n\n")
    };
    results.iter().map(game).collect()
}

fn ratings(args: &[&str], input: &str) -> Done {
    run(&[&["ratings", "-"], args].concat(), input)
}

#[test]
fn players_of_a_file_are_rated() {
    let pgn = games("A", "B, the second", &["1-0", "1/2-1/2", "0-1", "1-0", "*"])
        + &games("B, the second", "A", &["0-1", "1/2-1/2", "0-1", "1-0"]);
    let file = TempFile::new("games.pgn", pgn.clone());
    let printed = run(&["ratings", file.path(), "--white-advantage", "0", "--pairings"], "").ok().out;
    // 5 of 8 points are 88.7 Elo.
    assert!(printed.contains("| 1 | A | 44 | "), "{printed}");
    assert!(printed.contains("| A | B, the second | 8 | 4 | 2 | 2 | 62.5 | 62.5 |"), "{printed}");
    let csv = ratings(&["--format", "csv", "--anchor", "B, the second=2000", "--white-advantage", "0"], &pgn)
        .ok()
        .out;
    assert!(csv.contains("\n1,A,2089,"), "{csv}");
    assert!(csv.contains("\n2,\"B, the second\",2000,,,8,"), "{csv}");
    let json: serde_json::Value =
        serde_json::from_str(&ratings(&["--format", "json"], &pgn).ok().out).unwrap();
    assert_eq!(json["pairings"][0]["games"]["wins"], 4);
}

#[test]
fn pools_without_ratings_are_explained() {
    ratings(&[], "").fails(2, "there are no games with a result");
    ratings(&["--anchor", "C=1"], &games("A", "B", &["1-0"])).fails(2, "'C' has a rating given but no games");
    let won = games("A", "B", &["1-0"]) + &games("B", "A", &["0-1"]);
    ratings(&[], &won).fails(2, "--prior 1");
    ratings(&["--prior", "1"], &won).ok();
    ratings(&[], &games("A", "B", &["1-0", "0-1"])).fails(2, "--white-advantage 0");
    ratings(&["--anchor", "A"], &won).fails(2, "NAME=ELO is needed");
    ratings(&["--white-advantage", "0"], &(games("?", "B", &["1-0"]) + &games("A", "B", &["1-0", "0-1"])))
        .fails(1, "line 1: a player has no name");
}

#[test]
fn two_results_of_a_game_give_a_warning() {
    let pgn = games("A", "B", &["1-0", "0-1"]).replace("\n\n0-1", "\n\n1/2-1/2");
    let done = ratings(&["--format", "csv", "--white-advantage", "0", "--prior", "1"], &pgn).ok();
    let text = "the results 1/2-1/2 and 0-1 contradict one another; 1/2-1/2 is taken\n";
    assert_eq!(done.err, format!("-: line 11: warning: {text}"));
}
