//! The command `sakmak-tools datagen import`.

use sakmak_dataset::games::{EndReason, GameRecord, GameResult, Reader};

use crate::common::{TempFile, run};

const MATE: &str = "[FEN \"7k/R7/5K2/8/8/8/8/1R6 w - - 0 30\"]\n\n1. Rb2 {+5.00/10 0.1s} Kg8 {-M1/9 0.1s} \
     2. Rb8# {+M1/9 0.1s, White mates} 1-0\n\n";
const BOOK: &str = "[Termination \"adjudication\"]\n\n1. e4 {book} e5 {book} 2. d4 {+0.10/5 0.1s} \
     d5 {-0.05/5 0.1s, Draw by adjudication} 1/2-1/2\n\n";

/// Centipawns, as printed, in internal units.
fn printed(hundredths: i32) -> i16 {
    sakmak_eval::Centipawns(hundredths).to_internal() as i16
}

fn imported(pgn: &str, more: &[&str]) -> (Vec<GameRecord>, String, Option<i32>, TempFile) {
    let (input, output) = (TempFile::new("games.pgn", pgn), TempFile::absent("games.bin"));
    let done = run(&[&["datagen", "import", output.path(), input.path()], more].concat(), "");
    let games = Reader::new(output.bytes().as_slice()).unwrap().collect::<Result<_, _>>().unwrap();
    (games, done.out + &done.err, done.status, output)
}

#[test]
fn moves_scores_and_results_are_those_of_the_file() {
    let (games, out, status, file) = imported(&[MATE, BOOK].concat(), &[]);
    assert_eq!(status, Some(0), "{out}");
    assert!(out.starts_with("2 games, 5 positions; left out: 0 without"), "{out}");
    let [mate, book] = games.as_slice() else { panic!("{games:?}") };
    assert_eq!((mate.result, mate.reason), (GameResult::WhiteWins, EndReason::Mate));
    assert_eq!(mate.plies.iter().map(|ply| ply.score).collect::<Vec<_>>(), [printed(500), -31_998, 31_999]);
    assert_eq!(mate.plies[2].mv.to_string(), "b2b8");
    assert_eq!((book.result, book.reason), (GameResult::Draw, EndReason::Imported));
    assert!(book.start.to_string().starts_with("rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR w"));
    assert_eq!(book.plies.iter().map(|ply| ply.score).collect::<Vec<_>>(), [printed(10), printed(-5)]);

    let info = run(&["datagen", "info", "--check", file.path()], "").ok();
    assert!(info.out.contains("import: games.pgn (CRC-32 "), "{}", info.out);
    // The same games cannot be merged twice.
    let merged = TempFile::absent("merged.bin");
    run(&["datagen", "merge", merged.path(), file.path(), file.path()], "")
        .fails(1, "holds games of games.pgn that another file has too");
    let positions = TempFile::absent("train.pos");
    run(&["datagen", "positions", positions.path(), file.path()], "").ok();

    let (games, ..) = imported(BOOK, &["--scale", "35"]);
    assert_eq!(games[0].plies[0].score, 10);
}

#[test]
fn games_that_teach_nothing_are_left_out_and_broken_ones_named() {
    let left_out = [
        "[Termination \"time forfeit\"]\n\n1. e4 {+0.10/5 0.1s} 0-1\n\n",
        "1. e4 {+0.10/5 0.1s} *\n\n",
        "1. e4 e5 1/2-1/2\n\n",
        "[Variant \"chess\"]\n\n1. e4 {+0.10/5 0.1s} 1-0\n\n",
    ];
    let broken = [
        ("1. e5 {+0.10/5 0.1s} 1-0\n\n", "e5"),
        ("1. e4 {+0.10/5 0.1s} e5 2. d4 {+0.10/5 0.1s} 1-0\n\n", "ply 2 has no score"),
        (&MATE.replace("1-0", "0-1"), "the result is 0-1, by the rules 1-0"),
        (&MATE.replace(" 1-0", " Kh8 {-M0/1 0s} 1-0"), "line"),
        ("1. e4 {", "never closed"),
    ];
    let text = left_out.concat() + BOOK + &broken.iter().map(|(pgn, _)| *pgn).collect::<String>();
    let (games, out, status, _) = imported(&text, &[]);
    assert_eq!(status, Some(1), "{out}");
    assert_eq!(games.len(), 1, "{out}");
    let summary = "left out: 2 without a result of play, 1 without scores, 1 of another variant, 5 broken";
    assert!(out.contains(summary), "{out}");
    for ((_, words), game) in broken.iter().zip(6..) {
        let line = out.lines().find(|line| line.contains(&format!("game {game}, ")));
        assert!(line.is_some_and(|line| line.contains(words)), "{words}: {out}");
    }
}

#[test]
fn a_game_that_goes_on_after_a_repetition_needs_its_ruleset() {
    let shuffle = "Kd2 {0.00/5 0s} Ke7 {0.00/5 0s} Kd1 {0.00/5 0s} Ke8 {0.00/5 0s} ";
    let start = "4k3/4p3/8/8/8/8/3P4/3K4";
    let moves = shuffle.replace("Kd2", "Kc2").replace("Ke7", "Kd7").repeat(4);
    let pgn = format!("[FEN \"{start} w - - 0 1\"]\n\n1. {moves}1/2-1/2\n\n");
    let (games, out, ..) = imported(&pgn, &[]);
    assert!(games.is_empty() && out.contains("goes on after its end by the rules at ply 8"), "{out}");
    let (games, out, ..) = imported(&pgn, &["--ruleset", "cutechess"]);
    assert_eq!(games.len(), 1, "{out}");
    assert_eq!(games[0].plies.len(), 16);
}

#[test]
fn a_file_that_is_missing_is_an_error_and_nothing_is_written() {
    let output = TempFile::absent("games.bin");
    run(&["datagen", "import", output.path(), "no-such.pgn"], "").fails(2, "no-such.pgn: ");
    assert!(!std::path::Path::new(output.path()).exists());
}
