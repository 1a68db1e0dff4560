//! The program as a user runs it: a real process with pipes.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Output, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Long enough for a busy machine: it only ends a test that has failed.
const PATIENCE: Duration = Duration::from_secs(120);

fn sakmak() -> Command {
    Command::new(env!("CARGO_BIN_EXE_sakmak"))
}

fn run(args: &[&str]) -> Output {
    sakmak().args(args).stdin(Stdio::null()).output().unwrap()
}

fn text(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

/// An engine process and the lines it has written.
pub(crate) struct EngineProcess {
    child: Child,
    input: Option<ChildStdin>,
    lines: Receiver<String>,
}

impl EngineProcess {
    pub(crate) fn start() -> Self {
        Self::of(sakmak())
    }

    pub(crate) fn of(mut command: Command) -> Self {
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
        let output = BufReader::new(child.stdout.take().unwrap());
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line))
        });
        Self { input: child.stdin.take(), child, lines }
    }

    pub(crate) fn send(&mut self, line: &str) {
        writeln!(self.input.as_mut().unwrap(), "{line}").unwrap();
    }

    /// The engine reads the end of its input.
    pub(crate) fn close_input(&mut self) {
        self.input = None;
    }

    /// Reads up to the first line that starts with `start`, and returns it.
    pub(crate) fn until(&self, start: &str) -> String {
        self.lines_until(start).pop().unwrap_or_default()
    }

    /// All lines up to the first one that starts with `start`.
    pub(crate) fn lines_until(&self, start: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !lines.last().is_some_and(|line: &String| line.starts_with(start)) {
            let line = self.lines.recv_timeout(PATIENCE);
            lines.push(line.unwrap_or_else(|_| panic!("no line {start}... after {lines:?}")));
        }
        lines
    }

    /// Waits for the program to exit, which must be soon and with success.
    pub(crate) fn ends_well(mut self) {
        let end = Instant::now() + PATIENCE;
        while Instant::now() < end {
            if let Some(status) = self.child.try_wait().unwrap() {
                assert!(status.success(), "{status}");
                return;
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        self.child.kill().unwrap();
        panic!("the process has not ended");
    }
}

#[test]
fn a_game_move_and_quit() {
    let mut engine = EngineProcess::start();
    engine.send("uci");
    engine.until("uciok");
    engine.send("isready");
    engine.until("readyok");
    engine.send("position startpos moves e3e4");
    engine.send("go depth 6");
    let best = engine.until("bestmove");
    assert_eq!(best.split(' ').count(), 4, "{best}");
    engine.send("quit");
    engine.ends_well();
}

/// Every one of these searches ends without `stop`.
#[test]
fn every_limit_ends_the_search() {
    let mut engine = EngineProcess::start();
    for (limit, is_read) in [
        ("wtime 300.5 btime 300.7 winc 10 binc 10", true),
        ("movetime 100.0", true),
        ("depth 2.5", true),
        ("movetime soon", false),
        ("movetime", false),
        ("wtime 1e3 btime 1e3", false),
        ("nodes x", false),
        ("mate three", false),
        ("winc 5", false),
        ("movestogo 40", false),
        ("movetime -99999999999999999999.9", true),
        ("wtime -5 btime 0", true),
    ] {
        engine.send(&format!("go {limit}"));
        let lines = engine.lines_until("bestmove ");
        assert_ne!(lines.last().unwrap(), "bestmove (none)", "{limit}");
        let warned = lines.iter().any(|line| line.starts_with("info string go"));
        assert_eq!(warned, !is_read, "{limit}: {lines:?}");
    }
    engine.send("quit");
    engine.ends_well();
}

#[test]
fn quit_and_the_end_of_input_end_a_search() {
    for quit in [true, false] {
        let mut engine = EngineProcess::start();
        engine.send("go infinite");
        engine.until("info depth 3");
        if quit {
            engine.send("quit");
        } else {
            engine.close_input();
        }
        engine.ends_well();
    }
}

/// A script may pipe its commands in: searches with a limit finish.
#[test]
fn limited_searches_are_finished_at_the_end_of_input() {
    for (go, last) in [("depth 9", "info depth 9 "), ("nodes 60000", ""), ("mate 1", ""), ("movetime 50", "")]
    {
        let mut engine = EngineProcess::start();
        engine.send(&format!("position startpos\ngo {go}"));
        engine.close_input();
        let lines = engine.lines_until("bestmove ");
        assert!(lines.iter().any(|line| line.starts_with(last)), "{go}: {lines:?}");
        if go.starts_with("nodes") {
            let nodes = lines.iter().rev().find_map(|line| line.split(" nodes ").nth(1));
            let nodes = nodes.and_then(|rest| rest.split(' ').next()?.parse().ok());
            assert!(nodes >= Some(60_000), "{nodes:?}: {lines:?}");
        }
        engine.ends_well();
    }
    // Searches without a limit are stopped.
    for go in ["go", "go infinite depth 3", "go ponder movetime 10", "go searchmoves e3e4", "go perft 2"] {
        let mut engine = EngineProcess::start();
        engine.send(go);
        engine.close_input();
        engine.until(if go.contains("perft") { "Nodes searched: 529" } else { "bestmove " });
        engine.ends_well();
    }
}

/// For a GUI that is gone no search is finished.
#[test]
fn nothing_is_searched_for_a_client_that_is_gone() {
    let mut child = sakmak().stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut output = BufReader::new(child.stdout.take().unwrap());
    writeln!(child.stdin.as_mut().unwrap(), "go depth 100").unwrap();
    output.read_line(&mut String::new()).unwrap();
    drop(output);
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}

/// The shell's `ulimit` limits the memory of the engine.
#[cfg(target_os = "linux")]
#[test]
fn with_little_memory_fewer_threads_search() {
    for kilobytes in [100_000, 300_000, 400_000, 700_000] {
        let mut limited = Command::new("sh");
        limited.args([
            "-c",
            "ulimit -v $0; exec \"$1\"",
            &kilobytes.to_string(),
            env!("CARGO_BIN_EXE_sakmak"),
        ]);
        let mut engine = EngineProcess::of(limited);
        engine.send("setoption name Threads value 512");
        engine.send("setoption name Hash value 2000");
        engine.send("isready");
        // The default transposition table may be too large already.
        while !engine.until("info string").contains("cannot allocate 2000 MB for the hash table; keeping ") {}
        assert!(engine.until("info string").contains("no memory for 512 search threads; keeping "));
        engine.until("readyok");
        for _ in 0..3 {
            engine.send("go movetime 50");
            engine.until("bestmove");
        }
        engine.send("quit");
        engine.ends_well();
    }
}

/// Each thread gets little of a core, also the main thread.
#[test]
fn the_clock_holds_with_many_more_threads_than_cores() {
    let mut engine = EngineProcess::start();
    engine.send("setoption name Threads value 400");
    engine.send("isready");
    engine.until("readyok");
    for multi_pv in [1, 3] {
        engine.send(&format!("setoption name MultiPV value {multi_pv}"));
        // The best of several, as other work may take the cores.
        let in_time = (0..10).any(|_| {
            let started = Instant::now();
            engine.send("go movetime 300");
            engine.until("bestmove");
            started.elapsed() < Duration::from_millis(1500)
        });
        assert!(in_time, "MultiPV {multi_pv}");
    }
    engine.send("quit");
    engine.ends_well();
}

/// A search without a clock is the same whether or not the DTM tables are solved when it begins.
#[test]
fn a_search_by_nodes_is_the_same_in_each_process() {
    let search = |prepare: bool| {
        let mut engine = EngineProcess::start();
        if prepare {
            engine.send("bench 1");
            engine.until("");
        }
        engine.send("position fen 8/8/3k4/8/8/3SM3/3K4/8 w - 88 10 80");
        engine.send("go nodes 5000");
        let last = engine.until("info depth 7 seldepth ").split(" nps ").next().unwrap().to_owned();
        let best = engine.until("bestmove");
        engine.send("quit");
        engine.ends_well();
        (last, best)
    };
    assert_eq!(search(false), search(true));
}

/// New sizes take effect right after `bestmove`, though the thread that printed it may still be ending.
#[test]
fn nothing_is_put_off_behind_bestmove() {
    let mut engine = EngineProcess::start();
    let refused = "info string cannot allocate 33554432 MB for the hash table; keeping 64 MB";
    for _ in 0..50 {
        engine.send("go depth 1");
        engine.until("bestmove");
        engine.send("setoption name Hash value 33554432");
        engine.send("isready");
        let next = engine.lines.recv_timeout(PATIENCE).unwrap();
        assert_eq!(next, refused);
        engine.until("readyok");
    }
    engine.send("quit");
    engine.ends_well();
}

#[test]
fn perft_and_bench_leave_the_reader_free_and_can_be_stopped() {
    for (command, stopped) in
        [("go perft 20", "info string perft stopped"), ("bench 100", "info string bench stopped")]
    {
        let mut engine = EngineProcess::start();
        engine.send(command);
        engine.send("isready");
        engine.until("readyok");
        engine.send("stop");
        engine.until(stopped);
        engine.send("go perft 2");
        engine.until("Nodes searched: 529");
        engine.send(command);
        engine.send("go depth 1");
        engine.until(stopped);
        engine.until("bestmove");
        engine.send(command);
        engine.send("quit");
        engine.ends_well();
    }
}

#[test]
fn perft_prints_the_nodes_last() {
    let output = run(&["perft", "4"]);
    assert!(output.status.success());
    assert!(text(&output).ends_with("\nNodes searched: 273026\n"), "{}", text(&output));

    let moved = run(&["perft", "3", "--moves", "e3e4", "b8d7", "--divide", "--threads", "2", "--hash", "1"]);
    let from_fen = run(&["perft", "3", "--fen", "r1smksnr/3n4/pppppppp/8/4P3/PPPP1PPP/8/RNSKMSNR w - - 1 2"]);
    let last = |output: &Output| text(output).lines().last().unwrap().to_owned();
    assert_eq!(last(&moved), last(&from_fen));
    assert!(text(&moved).contains("\ng1e2: "), "{}", text(&moved));
}

#[test]
fn suites_report_every_failure_and_exit_so() {
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    let path = std::env::temp_dir().join(format!("sakmak-suite-{}.epd", std::process::id()));
    let suite = path.to_str().unwrap();

    std::fs::write(&path, format!("{start} ;D1 23 ;D4 273026\n{start} ;D2 529 ;D6 1420780490\n")).unwrap();
    let good = run(&["perft", "--suite", suite, "--max-nodes", "300000"]);
    assert_eq!(text(&good), "2 passed, 0 failed\n");
    assert!(good.status.success());

    std::fs::write(&path, format!("{start} ;D1 24\nnonsense ;D1 1\n{start} ;D1 23\n")).unwrap();
    let bad = run(&["perft", "--suite", suite]);
    assert_eq!(bad.status.code(), Some(1));
    let report = text(&bad);
    assert!(report.contains(":1: ") && report.contains("expected 24, found 23\na1a2: 1\n"), "{report}");
    assert!(report.contains(":2: FEN board: there must be 8 ranks"), "{report}");
    assert!(report.ends_with("\n1 passed, 2 failed\n"), "{report}");
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn bench_ends_with_nodes_and_speed() {
    let bench = || {
        let output = run(&["bench", "6"]);
        assert!(output.status.success());
        let last = text(&output).lines().last().unwrap().to_owned();
        let words: Vec<_> = last.split(' ').map(str::to_owned).collect();
        assert_eq!((words.len(), words[1].as_str(), words[3].as_str()), (4, "nodes", "nps"), "{last}");
        words[0].parse::<u64>().unwrap()
    };
    assert_eq!(bench(), bench());
}

/// The FENs a call of `genfens` prints.
fn genfens(args: &[&str]) -> Vec<String> {
    let output = run(args);
    assert!(output.status.success(), "{args:?}");
    let fens = text(&output);
    fens.lines().map(|line| line.strip_prefix("info string genfens ").unwrap().to_owned()).collect()
}

#[test]
fn genfens_prints_openings_by_seed() {
    let fens = genfens(&["genfens 12 seed 7 book None more words", "quit"]);
    assert_eq!(fens.len(), 12);
    for (index, fen) in fens.iter().enumerate() {
        assert_eq!(fen.split(' ').count(), 6, "{fen}");
        assert!(fen.contains(" - 0 0 "), "{fen}");
        assert!(!fens[..index].contains(fen), "{fen}: twice");
        assert!(run(&["perft", "1", "--fen", fen]).status.success(), "{fen}");
    }
    assert_eq!(fens, genfens(&["genfens 12 seed 7 book none"]));
    assert_eq!(fens, genfens(&["genfens", "12", "seed", "7", "book", "None", "quit"]));
    assert!(genfens(&["genfens 12 seed 8 book None", "quit"]).iter().all(|fen| !fens.contains(fen)));
    assert_eq!(genfens(&["genfens 1 seed 1 book None", "quit", "genfens 1 seed 2 book None"]).len(), 1);
}

#[test]
fn genfens_goes_on_from_a_book() {
    let path = std::env::temp_dir().join(format!("sakmak-book-{}.epd", std::process::id()));
    let book = path.to_str().unwrap();
    std::fs::write(
        &path,
        "# one record\n\nrnsmk1nr/8/ppp1pppp/3p4/8/PPPPPPPP/8/RNSK1SNR b - 0 hmvc 0; fmvn 9;\n",
    )
    .unwrap();
    let fens = genfens(&[&format!("genfens 3 seed 1 book {book}"), "quit"]);
    // Captured khon do not come back.
    assert!(fens.len() == 3 && fens.iter().all(|fen| fen.matches('s').count() <= 1), "{fens:?}");

    for (text, expected) in [
        ("# nothing\n", "holds no position"),
        ("\nR6k/8 w\n", "line 2: FEN board"),
        ("", "holds no position"),
    ] {
        std::fs::write(&path, text).unwrap();
        let output = run(&[&format!("genfens 1 seed 1 book {book}"), "quit"]);
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(!output.status.success() && message.contains(expected), "{message}");
    }
    // Random moves from here give only mates and stalemates.
    std::fs::write(&path, "7k/R7/6K1/8/8/8/8/1R6 b - 0\n").unwrap();
    let output = run(&[&format!("genfens 1 seed 1 book {book}"), "quit"]);
    assert!(String::from_utf8(output.stderr).unwrap().contains("found only 0 different openings"));
    std::fs::remove_file(&path).unwrap();
}

#[test]
fn wrong_arguments_are_explained() {
    for (args, expected) in [
        (&["perft"][..], "<DEPTH>"),
        (&["perft", "x"], "a whole number from 0 to 64 is needed"),
        (&["perft", "65"], "a whole number from 0 to 64 is needed"),
        (&["perft", "1", "--fen", "8/8 w"], "FEN board: there must be 8 ranks, not 2"),
        (&["perft", "1", "--moves", "e3e5"], "'e3e5' is not legal here"),
        (&["perft", "--suite", "no-such-file"], "cannot read no-such-file"),
        (&["bench", "0"], "a whole number from 1 to 127 is needed"),
        (&["frobnicate"], "frobnicate"),
        (&["genfens"], "is not of the form genfens N seed S book None|FILE"),
        (&["genfens x seed 1 book None", "quit"], "'genfens x seed 1 book None' is not of the form"),
        (&["genfens 1 seed 1 book no-such-file", "quit"], "cannot read no-such-file"),
        (&["genfens 1 seed 1 book None", "go"], "'go': after genfens only"),
    ] {
        let output = run(args);
        assert!(!output.status.success(), "{args:?}");
        let message = String::from_utf8(output.stderr).unwrap();
        assert!(message.contains(expected), "{args:?}: {message}");
    }
    assert!(text(&run(&["--help"])).contains("perft"));
    assert!(text(&run(&["--version"])).starts_with("sakmak "));
}

/// With little memory the transposition table is smaller than its default; the engine says so after the first line of
/// input.
#[cfg(target_os = "linux")]
#[test]
fn a_small_memory_gets_a_small_table() {
    let mut child = Command::new("sh")
        .args(["-c", "ulimit -v 80000; exec \"$0\"", env!("CARGO_BIN_EXE_sakmak")])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(b"isready\nsetoption name MultiPV value 2\nisready\n").unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    let said = text(&output);
    let size = said
        .strip_prefix("info string cannot allocate 64 MB for the hash table; it has ")
        .and_then(|rest| rest.strip_suffix(" MB\nreadyok\nreadyok\n"));
    // How much is left depends on the size of the program.
    assert!(size.is_some_and(|size| ["8", "16", "32"].contains(&size)), "{said}");
}

#[test]
fn completions_and_manual_pages_know_the_commands() {
    for shell in ["bash", "zsh", "fish"] {
        let script = text(&run(&["completions", shell]));
        assert!(
            ["perft", "bench", "divide", "multipv"].iter().all(|word| script.contains(word)),
            "{shell}: {script}"
        );
    }
    assert!(!run(&["completions", "tcsh"]).status.success());

    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("manual");
    fs::create_dir_all(&folder).unwrap();
    assert!(run(&["man", folder.to_str().unwrap()]).status.success());
    for page in ["sakmak.1", "sakmak-perft.1", "sakmak-bench.1", "sakmak-analyse.1"] {
        let page = fs::read_to_string(folder.join(page)).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{page}");
    }
    let missing = run(&["man", folder.join("none").to_str().unwrap()]);
    assert!(!missing.status.success());
    let error = String::from_utf8(missing.stderr).unwrap();
    assert!(error.starts_with("error: cannot write the manual pages into "), "{error}");
}
