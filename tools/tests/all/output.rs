//! Standard output that cannot be written to, or has no reader.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};

use crate::common::TempFile;

const SUITE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/data/count-suite.epd");
const REPORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data/match-report.json");
const GAME: &str = "1. e4 e5 *\n";

/// Every command that prints, needs no engine, and is quick.
fn commands(games: &str) -> Vec<Vec<String>> {
    let lines = "openings --count 3|replay GAMES|\
        replay GAMES --json|convert GAMES|convert GAMES --lines|\
        suite check --every 60 SUITE|sprt --pairs 1 2 3 4 5|sprt --games 1 2 3|merge REPORT|\
        completions zsh|--help";
    let words = |line: &str| {
        let line = line.replace("GAMES", games).replace("SUITE", SUITE).replace("REPORT", REPORT);
        line.split(' ').map(str::to_owned).collect()
    };
    lines.split('|').map(words).collect()
}

fn program(args: &[String]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sakmak-tools"));
    command.args(args).stdin(Stdio::null()).stderr(Stdio::piped());
    command
}

#[test]
fn a_full_device_is_an_error() {
    let games = TempFile::new("output-full.pgn", GAME);
    for args in commands(games.path()) {
        let full = File::options().write(true).open("/dev/full").expect("a device");
        let output = program(&args).stdout(full).output().expect("the program ends");
        let message = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(!message.contains("panicked"), "{args:?}: {message}");
        if args[0] != "--help" {
            assert!(matches!(output.status.code(), Some(1 | 2)), "{args:?}: {:?}", output.status);
            assert!(
                message.starts_with("error: cannot write to standard output: No space"),
                "{args:?}: {message}"
            );
        }
    }
}

/// The reader goes away after the first line, or was never there.
#[test]
fn a_pipe_without_a_reader_is_a_quiet_end() {
    let games = TempFile::new("output-pipe.pgn", GAME.repeat(20_000));
    for args in commands(games.path()) {
        for reads_a_line in [true, false] {
            let mut child = program(&args).stdout(Stdio::piped()).spawn().expect("the program starts");
            let mut out = BufReader::with_capacity(1, child.stdout.take().expect("a pipe"));
            if reads_a_line {
                out.read_line(&mut String::new()).expect("a line");
            }
            drop(out);
            let output = child.wait_with_output().expect("an end");
            let message = String::from_utf8_lossy(&output.stderr);
            assert_eq!((output.status.code(), &*message), (Some(0), ""), "{args:?}");
        }
    }
}
