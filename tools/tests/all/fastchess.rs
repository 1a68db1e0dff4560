//! The command `sakmak-tools fastchess`, with the command lines that OpenBench's client writes.

use std::collections::BTreeSet;
use std::fs;
use std::process::{Command, Stdio};

use sakmak_games::pgn::{PgnGame, PgnReader};

use crate::common::arena::tag;
use crate::common::engine::write_program;
use crate::common::{Done, Folder, run};

const BOOK: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - 0\n\
    rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR b - - hmvc 0; fmvn 3;\n\
    rnsmksnr/8/pppp1ppp/4p3/8/PPPPPPPP/8/RNSKMSNR w - 0\n\
    rnsmksnr/8/pppp1ppp/4p3/4P3/PPPP1PPP/8/RNSKMSNR b - - 0 2\n";
/// Short games.
const SHORT: &str = "-resign movecount=1 score=400 -draw movenumber=10 movecount=1 score=10000";

/// The client's folder, with two engines in these modes.
fn worker(modes: [&str; 2]) -> Folder {
    let folder = Folder::new();
    for name in ["Engines", "Books", "PGNs"] {
        fs::create_dir(folder.file(name)).unwrap();
    }
    for (name, mode) in ["Engines/Sakmak-1", "Engines/Sakmak-2"].into_iter().zip(modes) {
        write_program(&folder.file(name), mode);
    }
    fs::write(folder.file("Books/makruk.epd"), BOOK).unwrap();
    std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_sakmak-tools"), folder.file("fastchess-ob")).unwrap();
    folder
}

/// The command line of `build_runner_command` in the client's `worker.py`.
fn command(limits: [&str; 2], book: &str, pgn: &str) -> String {
    let engine = |number: usize, name: &str| {
        let limits = limits[number - 1];
        format!(
            "-engine dir=Engines/ cmd=./Sakmak-{number} proto=uci {limits} option.Seed={number} name=Sakmak-{name}"
        )
    };
    format!(
        "-recover -variant standard -testEnv -concurrency 2 {SHORT}  {} {} -openings file=Books/makruk.epd \
         format=epd {book} -pgnout file=PGNs/{pgn} seldepth=true nodes=true match_line='^info string pgncomment .*'",
        engine(1, "dev"),
        engine(2, "base"),
    )
}

/// Runs the program as the client does, under the client's name for it and in its folder.
fn fastchess(folder: &Folder, command: &str) -> Done {
    let output = Command::new(folder.file("fastchess-ob"))
        .args(shlex::split(command).unwrap())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = |bytes| String::from_utf8(bytes).unwrap();
    Done { status: output.status.code(), out: text(output.stdout), err: text(output.stderr) }
}

fn games(folder: &Folder, name: &str) -> Vec<PgnGame> {
    let text = fs::read(folder.file(name)).unwrap();
    let mut games: Vec<PgnGame> = PgnReader::new(text.as_slice()).map(Result::unwrap).collect();
    games.sort_by_key(|game| tag(game, "Round").parse::<u32>().unwrap());
    games
}

/// Number, result and reason of each finished game, taken from the lines as the client does, in order of the numbers.
fn finished(out: &str) -> Vec<(usize, String, String)> {
    assert!(
        out.is_ascii() && out.lines().all(|line| !line.trim().is_empty()),
        "the client would stop: {out}"
    );
    let lines = out.lines().filter(|line| line.contains("Finished game"));
    let mut games: Vec<_> = lines
        .map(|line| {
            let words: Vec<&str> = line.split_whitespace().collect();
            let reason = line.split(':').nth(1).unwrap();
            (words[2].parse().unwrap(), words[6].to_owned(), reason.to_owned())
        })
        .collect();
    games.sort();
    games
}

#[test]
fn a_test_as_the_client_starts_it() {
    let folder = worker(["good", "comments"]);
    let mut played = BTreeSet::new();
    // Two workers of one test have different parts of the book.
    for (start, pgn) in [(1, "1.1.0.0.pgn"), (3, "1.2.0.0.pgn")] {
        let book = format!("order=random start={start} -srand 7 -rounds 2 -games 2");
        let done = fastchess(&folder, &command(["tc=inf nodes=5"; 2], &book, pgn)).ok();
        let lines = finished(&done.out);
        assert_eq!(lines.iter().map(|line| line.0).collect::<Vec<_>>(), [1, 2, 3, 4], "{}", done.out);
        assert!(done.out.contains("Score of Sakmak-dev vs Sakmak-base: "), "{}", done.out);
        let games = games(&folder, &format!("PGNs/{pgn}"));
        for (pair, lines) in games.chunks(2).zip(lines.chunks(2)) {
            assert_eq!([tag(&pair[0], "White"), tag(&pair[0], "Black")], ["Sakmak-dev", "Sakmak-base"]);
            assert_eq!([tag(&pair[1], "White"), tag(&pair[1], "Black")], ["Sakmak-base", "Sakmak-dev"]);
            assert_eq!(tag(&pair[0], "FEN"), tag(&pair[1], "FEN"));
            played.insert(tag(&pair[0], "FEN").to_owned());
            for (game, line) in pair.iter().zip(lines) {
                assert_eq!(tag(game, "Result"), line.1);
                assert!(["normal", "adjudication"].contains(&tag(game, "Termination")), "{:?}", game.tags);
            }
        }
        for game in &games {
            let whites = usize::from(tag(game, "FEN").contains(" b "));
            let comments = usize::from(tag(game, "White") == "Sakmak-dev");
            for (ply, mv) in game.moves.iter().enumerate() {
                let [comment] = mv.comments.as_slice() else { panic!("{:?}", mv.comments) };
                let (score, rest) = comment.split_once("/3 ").expect("score and depth");
                assert!(score.starts_with(['+', '-']) && rest.contains("s, n=7, sd=0"), "{comment}");
                // Braces would end the comment, and quotes the text.
                let own = comment.contains(", line=\"info string pgncomment '1-0' ");
                assert_eq!(own, (ply + whites) % 2 == comments, "{ply}: {comment}");
                assert!(!comment.contains("second"), "{comment}");
            }
        }
    }
    assert_eq!(played.len(), 4);
    // What the client asks a runner that is there already.
    assert!(fastchess(&folder, "--version").ok().out.starts_with("sakmak-tools "));
    // Data: every game has an opening of its own, in the order of the file.
    let book = "order=sequential start=2 -rounds 2 -games 1";
    fastchess(&folder, &command(["tc=inf depth=3"; 2], book, "2.1.0.0.pgn")).ok();
    let games = games(&folder, "PGNs/2.1.0.0.pgn");
    let starts: Vec<&str> = games.iter().map(|game| tag(game, "FEN").split(' ').next().unwrap()).collect();
    let lines: Vec<&str> = BOOK.lines().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(starts, lines[1..3]);
}

#[test]
fn errors_of_engines_are_counted_and_sent() {
    let book = "order=sequential start=1 -rounds 1 -games 2";
    for (mode, limits, word, termination) in [
        ("exits", "tc=inf nodes=5", "disconnect", "abandoned"),
        ("late", "st=0.05 timemargin=250", "on time", "time forfeit"),
        ("illegal", "tc=9.00+0.01 timemargin=250", "illegal", "illegal move"),
    ] {
        let folder = worker([mode, "good"]);
        let done = fastchess(&folder, &command([limits, "tc=inf nodes=5"], book, "1.1.0.0.pgn"))
            .fails(1, "game 2: Sakmak-dev");
        let lines = finished(&done.out);
        assert_eq!(lines.iter().map(|line| line.1.as_str()).collect::<Vec<_>>(), ["0-1", "1-0"]);
        assert!(lines.iter().all(|line| line.2.contains(word)), "{}", done.out);
        for game in games(&folder, "PGNs/1.1.0.0.pgn") {
            assert_eq!(tag(&game, "Termination"), termination);
        }
    }
}

#[test]
fn what_is_not_known_is_an_error() {
    let folder = worker(["good", "lacks-variant"]);
    let book = "order=sequential start=1 -rounds 1 -games 2";
    let whole = command(["tc=1.00+0.01"; 2], book, "1.1.0.0.pgn");
    for (old, new, message) in [
        ("-testEnv", "-each restart=on", "'-each' is not known"),
        ("-variant standard", "-variant fischerandom", "-variant fischerandom: only standard"),
        ("-testEnv", "-tb /syzygy", "no Syzygy tablebases of Makruk"),
        ("-rounds 1", "", "-rounds is missing"),
        ("-rounds 1 -games 2", "-rounds 3 -games 1", "-rounds must be even"),
        ("-games 2", "-games 3", "-games: '3' is not a number from 1 to 2"),
        ("-concurrency 2", "-concurrency 2 2", "-concurrency takes one value"),
        ("format=epd", "format=pgn", "only epd is known"),
        ("makruk.epd", "missing.epd", "missing.epd: "),
        ("movenumber=", "moves=", "-draw moves=10 is not known"),
        ("tc=1.00+0.01", "", "how long may it think?"),
        ("option.Seed=1", "option.Ruleset=wikipedia option.Ruleset=none", "different values of Ruleset"),
        ("nodes=true", "nodes=false", "-pgnout nodes=false is not known"),
        ("-recover", "x -recover", "'x' stands before any option"),
        ("-recover", "-recover", "Sakmak-base does not play makruk"),
    ] {
        assert!(whole.contains(old), "{old}");
        fastchess(&folder, &whole.replacen(old, new, 1)).fails(2, message);
        // From an empty file the client would take the match for finished.
        assert!(fs::read_dir(folder.file("PGNs")).unwrap().next().is_none(), "{message}");
    }
    run(&["fastchess"], "").fails(2, "OPTION");
}
