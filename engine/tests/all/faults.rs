//! The program on a system that refuses memory, threads or room to write.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use crate::process::EngineProcess;

fn sakmak(args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_sakmak"));
    command.args(args).stdin(Stdio::null());
    command
}

/// The program with a limit of `sh`'s `ulimit`, such as `-v 60000`.
fn limited(limit: &str, args: &[&str]) -> Command {
    let mut command = Command::new("sh");
    let script = format!("ulimit {limit} && exec \"$0\" \"$@\"");
    command.args(["-c", &script, env!("CARGO_BIN_EXE_sakmak")]).args(args).stdin(Stdio::null());
    command
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Exit status and standard error.
fn ending(output: &Output) -> (Option<i32>, String) {
    (output.status.code(), text(&output.stderr))
}

/// Commands that print much.
const PRINTERS: [&[&str]; 5] = [
    &["perft", "2"],
    &["perft", "2", "--divide"],
    &["bench", "2"],
    &["bench", "2", "--verbose"],
    &["genfens", "3", "seed", "1", "book", "None"],
];

#[cfg(target_os = "linux")]
#[test]
fn a_full_device_is_an_error() {
    for args in PRINTERS {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let (status, message) = ending(&sakmak(args).stdout(full).output().unwrap());
        assert_eq!(status, Some(1), "{args:?}: {message}");
        assert!(message.starts_with("error: ") && message.contains("No space left"), "{args:?}: {message}");
    }
    let suite = std::env::temp_dir().join(format!("sakmak-full-{}.epd", std::process::id()));
    std::fs::write(&suite, "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1 ;D1 24\n").unwrap();
    let full = File::options().write(true).open("/dev/full").unwrap();
    let output = sakmak(&["perft", "--suite", suite.to_str().unwrap()]).stdout(full).output().unwrap();
    std::fs::remove_file(&suite).unwrap();
    let (status, message) = ending(&output);
    assert!(status == Some(1) && message.contains("No space left"), "{message}");
}

#[test]
fn a_reader_that_goes_away_is_a_quiet_end() {
    // The last command would take long if it did not stop.
    for args in PRINTERS.into_iter().chain([&["genfens", "1000000", "seed", "1", "book", "None"][..]]) {
        let mut child = sakmak(args).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut output = BufReader::with_capacity(1, child.stdout.take().unwrap());
        output.read_line(&mut String::new()).unwrap();
        drop(output);
        let status = child.wait().unwrap();
        let mut message = String::new();
        child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
        assert_eq!((status.code(), message.as_str()), (Some(0), ""), "{args:?}");
    }
}

#[test]
fn tables_that_cannot_be_had_are_refused() {
    // In bytes the first would overflow to 0; the second is more than any machine has.
    for megabytes in ["17592186044416", "4398046511104", "18446744073709551615"] {
        for command in [&["perft", "3"][..], &["bench", "3"]] {
            let output = sakmak(&[command, &["--hash", megabytes]].concat()).output().unwrap();
            let (status, message) = ending(&output);
            assert_eq!((status, text(&output.stdout).as_str()), (Some(1), ""), "{command:?}: {message}");
            assert!(message.contains(&format!("cannot allocate {megabytes} MB for the ")), "{message}");
        }
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_the_system_refuses_does_not_end_in_an_abort() {
    let output = limited("-v 200000", &["perft", "3", "--hash", "1024"]).output().unwrap();
    let (status, message) = ending(&output);
    assert!(status == Some(1) && message.contains("cannot allocate 1024 MB"), "{status:?}: {message}");
}

/// With any limit the engine either answers or exits with an error. (With less memory the system cannot load it.)
#[cfg(target_os = "linux")]
#[test]
fn without_memory_to_begin_with_the_program_fails() {
    for kilobytes in (8..=120).step_by(8) {
        let child = limited(&format!("-v {kilobytes}000"), &[])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = child.unwrap();
        // The program may have ended already.
        let _ = std::io::Write::write_all(&mut child.stdin.take().unwrap(), b"isready\n");
        let output = child.wait_with_output().unwrap();
        let answers = text(&output.stdout).lines().any(|line| line == "readyok");
        let (status, message) = ending(&output);
        assert_eq!(status == Some(0), answers, "{kilobytes} MB: {status:?}: {message}");
        assert!(answers || !message.is_empty(), "{kilobytes} MB: no reason");
    }
}

/// Runs as a user who may start only the first thread. Root may always start more, so root becomes another user.
#[cfg(target_os = "linux")]
#[test]
fn perft_counts_with_the_threads_there_are() {
    use std::os::unix::fs::MetadataExt;
    use std::os::unix::process::CommandExt;
    const NOBODY: u32 = 65_534;
    // A copy that every user may run. Another process copies it: a child started meanwhile by another test would
    // inherit the file open for writing, and then it could not be run.
    let program = std::env::temp_dir().join(format!("sakmak-nobody-{}", std::process::id()));
    let copy = Command::new("cp").arg(env!("CARGO_BIN_EXE_sakmak")).arg(&program).status().unwrap();
    assert!(copy.success());
    let mut command = Command::new("prlimit");
    command.arg("--nproc=1").arg(&program).args(["perft", "4", "--threads", "8"]);
    if std::fs::metadata("/proc/self").unwrap().uid() == 0 {
        command.uid(NOBODY);
    }
    let output = command.stdin(Stdio::null()).output().unwrap();
    std::fs::remove_file(&program).unwrap();
    let (status, message) = ending(&output);
    assert_eq!((status, message.as_str()), (Some(0), "warning: only 1 of 8 threads could be started\n"));
    assert!(text(&output.stdout).ends_with("\nNodes searched: 273026\n"));
}

/// An empty folder for a test.
fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Opening a FIFO waits for its other end, and reading a device may never end.
#[test]
fn only_regular_files_are_opened() {
    let folder = folder("no-files");
    let fifo = folder.join("KRvK.sktb");
    assert!(Command::new("mkfifo").arg(&fifo).status().unwrap().success());
    let mut engine = EngineProcess::start();
    // The last is standard input, a pipe.
    for path in [fifo.to_str().unwrap(), "/dev/zero", "/dev/full", "/dev/fd/0"] {
        engine.send(&format!("setoption name EvalFile value {path}"));
        let answer = engine.until("info string network ");
        assert!(answer.contains(" not loaded: not a regular file; keeping "), "{answer}");
        engine.send(&format!("setoption name Debug Log File value {path}"));
        assert_eq!(engine.until("info"), "info string debug log not written: not a regular file");
        engine.send(&format!("setoption name TablebasePath value {path}"));
        engine.until(&format!("info string endgame table not used: {path}: "));
    }
    engine.send(&format!("setoption name TablebasePath value {}", folder.display()));
    let answer = engine.until("info string endgame table not used: ");
    assert!(answer.ends_with("KRvK.sktb: not a regular file"), "{answer}");
    engine.send("go depth 1");
    engine.until("bestmove");
    engine.send("xboard\noption Debug Log File=/dev/full");
    engine.until("# debug log not written: not a regular file");
    engine.send("quit");
    engine.ends_well();
}

#[test]
fn many_foreign_files_are_summed_up() {
    let folder = folder("foreign-files");
    for number in 0..300 {
        std::fs::write(folder.join(format!("{number}.sktb")), "something else").unwrap();
    }
    let mut engine = EngineProcess::start();
    engine.send(&format!("setoption name TablebasePath value {}\nisready", folder.display()));
    let lines = engine.lines_until("readyok");
    assert_eq!(lines.len(), 7, "{lines:#?}");
    assert_eq!(lines[4], "info string endgame tables not used: 296 more files");
    engine.send("quit");
    engine.ends_well();
}

/// A limit on the size of files stands for a full disk. The log has room for the first lines.
#[test]
fn lines_lost_from_the_log_are_reported_once() {
    let folder = folder("full-log");
    for (protocol, report) in [("", "info string "), ("xboard", "# ")] {
        let log = folder.join(format!("debug{}.log", protocol.len()));
        let mut limited = Command::new("sh");
        limited.args(["-c", "trap '' XFSZ; ulimit -f 1; exec \"$0\"", env!("CARGO_BIN_EXE_sakmak")]);
        let mut engine = EngineProcess::of(limited);
        engine.send(&format!("setoption name Debug Log File value {}\n{protocol}", log.display()));
        let comment = "#".repeat(3000);
        engine.send(&format!("{comment}\n{comment}\n{comment}"));
        engine.until(&format!("{report}debug log: lines are lost: "));
        engine.send(if protocol.is_empty() { "isready" } else { "ping 1" });
        let lines = engine.lines_until(if protocol.is_empty() { "readyok" } else { "pong 1" });
        assert!(lines.iter().all(|line| !line.contains("debug log")), "{lines:?}");
        engine.send("quit");
        engine.ends_well();
    }
}

/// A program whose output nobody reads: it gets `first`, commands that print far more than a pipe holds, and `last`.
fn unread(first: &str, last: &str) -> Child {
    let mut child =
        sakmak(&[]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let input = first.to_owned() + &"uci\nprotover 2\n".repeat(300) + last;
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    child
}

fn end_of(child: &mut Child) -> Option<i32> {
    let deadline = Instant::now() + Duration::from_secs(60);
    while Instant::now() < deadline {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill().unwrap();
    panic!("the process has not ended");
}

#[test]
fn quit_and_the_end_of_input_end_a_program_whose_output_is_blocked() {
    for first in ["", "xboard\n"] {
        assert_eq!(end_of(&mut unread(first, "quit\n")), Some(0), "{first}");
    }
    let mut child = unread("", "");
    assert_eq!(end_of(&mut child), Some(1));
    let mut message = String::new();
    child.stderr.take().unwrap().read_to_string(&mut message).unwrap();
    assert_eq!(message, "error: nobody has read the output for 10 seconds; the rest of it is lost\n");
}

/// A reader that is only slow to begin gets everything.
#[test]
fn a_late_reader_gets_all_lines() {
    let mut child = unread("xboard\n", "force\nping 7\nquit\n");
    let output = BufReader::new(child.stdout.take().unwrap());
    let lines: Vec<_> = output.lines().map(Result::unwrap).collect();
    assert_eq!(lines.iter().filter(|line| *line == "feature done=1").count(), 300);
    assert_eq!(lines.last().map(String::as_str), Some("pong 7"));
    assert_eq!(end_of(&mut child), Some(0));
}
