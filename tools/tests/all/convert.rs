//! The command `sakmak-tools convert`.

use crate::common::{TempFile, run};

/// A game with everything that must be kept, in Fairy-Stockfish's piece letters.
const GAME: &str = "\
[Event \"Test\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"A\"]
[Black \"B\"]
[Result \"1-0\"]
[Annotator \"C\"]

{before} 1. Nd2 $1 Ne7 {first} (1... e5 {or} 2. e4 (2. d4 exd4 3. exd4) 2...
Nd7) 2. Nc4 $2 $14 Nd7 3. Nxd6# {mate} 1-0

";

/// A game with promotions, and moves that need disambiguation.
const ENDING: &str = "\
[Event \"Test\"]
[Site \"?\"]
[Date \"????.??.??\"]
[Round \"?\"]
[White \"A\"]
[Black \"B\"]
[Result \"*\"]
[FEN \"4k3/8/3p4/4P1M1/4P3/8/M3K3/1R5R w - - 3 40\"]
[SetUp \"1\"]

40. exd6=M Kd7 41. Me5 Ke8 42. Rbd1 Kf7 43. Mef6 *

";

fn convert(args: &[&str], text: &str) -> String {
    let done = run(&[&["convert"], args].concat(), text);
    assert_eq!((done.status, done.err.as_str()), (Some(0), ""), "{args:?}");
    done.out
}

/// The movetext of the only game, joined to one line.
fn movetext(text: &str) -> String {
    text.split("\n\n").nth(1).unwrap_or_default().replace('\n', " ")
}

fn tag<'a>(text: &'a str, name: &str) -> Option<&'a str> {
    text.lines().find_map(|line| line.strip_prefix(&format!("[{name} \""))?.strip_suffix("\"]"))
}

#[test]
fn everything_but_the_moves_is_kept() {
    assert_eq!(convert(&["-"], GAME), GAME);
    assert_eq!(convert(&[], ENDING), ENDING);
    let expected = "{before} 1. b1d2 $1 g8e7 {first} (1... e6e5 {or} 2. e3e4 (2. d3d4 e5d4 3. e3d4) \
                    2... b8d7) 2. d2c4 $2 $14 b8d7 3. c4d6 {mate} 1-0";
    assert_eq!(movetext(&convert(&["--to", "uci"], GAME)), expected);
}

#[test]
fn moves_go_through_all_notations_and_come_back() {
    for game in [GAME, ENDING] {
        let mut text = game.to_owned();
        for notation in ["thai-lan", "uci", "schemingmind", "lan", "thai-san", "san"] {
            let from = text.clone();
            text = convert(&["--to", notation], &text);
            assert_ne!(movetext(&text), movetext(&from), "{notation}");
            assert_eq!(text.lines().next(), game.lines().next());
        }
        assert_eq!(text, game);
    }
    let western = movetext(&convert(&["--to", "schemingmind"], ENDING));
    assert_eq!(western, "40. exd6 Kd7 41. Qe5 Ke8 42. Rbd1 Kf7 43. Qef6 *");
    let thai = convert(&["--to", "thai-lan"], ENDING);
    assert!(movetext(&thai).starts_with("40. บ จ๕xง๖=ง ข จ๘-ง๗ 41. ง ง๖-จ๕ "), "{thai}");
    assert_eq!(convert(&["--from", "thai-lan", "--to", "san"], &thai), ENDING);
}

#[test]
fn tags_of_the_dialects() {
    let pychess = convert(&["--dialect", "pychess"], GAME);
    assert!(pychess.contains(
        "[Annotator \"C\"]\n[Variant \"Makruk\"]\n\
         [FEN \"rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1\"]\n[SetUp \"1\"]\n\n"
    ));
    let cutechess = convert(&["--dialect", "cutechess"], &pychess);
    assert!(cutechess.contains("[Annotator \"C\"]\n[Variant \"makruk\"]\n\n"), "{cutechess}");
    assert_eq!(convert(&["--dialect", "pychess"], &cutechess), pychess);
    let set_up = convert(&["--dialect", "cutechess"], ENDING);
    assert!(set_up.contains(
        "[FEN \"4k3/8/3p4/4P1M1/4P3/8/M3K3/1R5R w - 0 3 40\"]\n[SetUp \"1\"]\n[Variant \"makruk\"]\n\n40. exd6=M"
    ));
    assert_eq!(tag(&convert(&["--dialect", "pychess"], &set_up), "FEN"), tag(ENDING, "FEN"));

    let cambodian = "[Variant \"cambodian\"]\n\n1. d1b2 Mc7 *\n";
    let pychess = convert(&["--dialect", "pychess"], cambodian);
    assert_eq!(tag(&pychess, "Variant"), Some("Cambodian"));
    assert_eq!(tag(&pychess, "FEN"), Some("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1"));
    assert_eq!(movetext(&pychess), "1. Kb2 Mc7 *");
    assert_eq!(tag(&convert(&["--dialect", "cutechess"], &pychess), "FEN"), None);
    assert_eq!(tag(&convert(&[], cambodian), "Variant"), Some("cambodian"));
}

#[test]
fn lines_for_engines() {
    let lines = convert(&["--lines"], &format!("{GAME}{ENDING}[White \"x\"]\n\n*\n"));
    let expected = "\
startpos moves b1d2 g8e7 d2c4 b8d7 c4d6
fen 4k3/8/3p4/4P1M1/4P3/8/M3K3/1R5R w - - 3 40 moves e5d6m e8d7 d6e5 d7e8 b1d1 e8f7 e5f6
startpos
";
    assert_eq!(lines, expected);
    assert_eq!(
        convert(&["--lines", "--to", "uci"], GAME),
        expected.lines().next().unwrap().to_owned() + "\n"
    );
    for args in [&["--lines", "--to", "san"][..], &["--lines", "--dialect", "plain"]] {
        assert_eq!(run(&[&["convert"], args].concat(), GAME).status, Some(2));
    }
}

#[test]
fn broken_games_are_left_out() {
    let text = format!("{GAME}[White \"x\"]\n\n1. e4 e5\n2. e6 *\n\n{GAME}");
    let done = run(&["convert"], &text);
    assert_eq!(done.status, Some(1));
    assert_eq!(done.out, GAME.repeat(2));
    assert!(
        done.err.starts_with("standard input: game 2, line 16: 2. 'e6' is not legal here; FEN "),
        "{}",
        done.err
    );
    // An error in a variation breaks nothing: the variation is written as a comment.
    let done = run(&["convert"], "1. e4 (1. e6) *");
    assert_eq!((done.status, movetext(&done.out).as_str()), (Some(0), "1. e4 {(1. e6)} *"));
}

#[test]
fn games_of_other_variants_are_skipped() {
    let done = run(&["convert", "--variant", "cambodian"], &format!("[Variant \"Makruk\"]\n{GAME}"));
    assert_eq!((done.status, done.out.as_str()), (Some(0), ""));
    assert_eq!(done.err, "1 game of another variant was skipped\n");
}

#[test]
fn output_to_a_file() {
    let (input, output) = (TempFile::new("in.pgn", GAME), TempFile::new("out.pgn", ""));
    assert_eq!(convert(&[input.path(), input.path(), "--output", output.path()], ""), "");
    assert_eq!(output.text(), GAME.repeat(2));
    // Never overwrites another file.
    assert_eq!(run(&["convert", input.path(), "--output", output.path()], "").status, Some(2));
    assert_eq!(output.text(), GAME.repeat(2));
    // Nor the input.
    let done = run(&["convert", input.path(), "--output", input.path()], "");
    assert_eq!((done.status, input.text().as_str()), (Some(2), GAME));
    let missing = format!("{}-missing", input.path());
    assert_eq!(run(&["convert", &missing], "").status, Some(2));
    assert_eq!(run(&["convert", input.path(), "--output", &format!("{missing}/x")], "").status, Some(2));
    assert_eq!(run(&["convert", "--to", "nonsense"], "").status, Some(2));
}

/// Other encodings are recognised and written as UTF-8, and no result contradicts another.
#[test]
fn other_encodings_are_written_as_utf8() {
    for (bytes, expected, encoding) in [
        // A name of four letters in Windows-874.
        (
            &b"[White \"\xC1\xD2\xB9\xD0\"]\n\n1. e4 {\xB4\xD5} *\n"[..],
            "[White \"มานะ\"]",
            "Windows-874 (Thai)",
        ),
        (b"[White \"J\xFCrgen\"]\n\n1. e4 *\n", "[White \"Jürgen\"]", "Windows-1252 (Latin)"),
    ] {
        let file = TempFile::new("encoded.pgn", bytes);
        let done = run(&["convert", file.path()], "").ok();
        assert!(done.out.contains(expected), "{}", done.out);
        let warning = format!("{}: line 1: warning: not UTF-8; read as {encoding}\n", file.path());
        assert_eq!(done.err, warning);
    }
    let done = run(&["convert"], "[Result \"1-0\"]\n\n1. e4 0-1\n");
    assert!(done.out.contains("[Result \"0-1\"]") && done.out.contains("1. e4 0-1"), "{}", done.out);
}
