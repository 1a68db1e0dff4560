//! Matches of scripted engines, run by the real program and watched from outside.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use sakmak_games::pgn::{PgnGame, PgnReader, PgnResult};
use sakmak_matches::tournament::report::MatchReport;
use tempfile::TempDir;

/// A directory for one test, removed when dropped. Its name marks the processes started for the test.
pub(crate) struct Arena(TempDir);

/// The environment variable that holds the mark.
const MARK: &str = "SAKMAK_ARENA";
/// Longer than any match of a test takes, however busy the machine.
const ENDLESS: Duration = Duration::from_secs(100);

impl Arena {
    pub(crate) fn new(name: &str) -> Self {
        Self(TempDir::with_prefix(format!("sakmak-{name}-")).expect("a temporary directory"))
    }

    /// A file in the directory.
    pub(crate) fn file(&self, name: &str) -> String {
        self.0.path().join(name).to_str().expect("a plain name").to_owned()
    }

    /// Starts a match of these engines; games and totals go to `NAME.pgn` and `NAME.json`.
    pub(crate) fn start(&self, name: &str, engines: &[String], args: &[&str]) -> Running {
        let mut words = vec!["match".to_owned()];
        for engine in engines {
            words.extend(["--engine".to_owned(), engine.clone()]);
        }
        words.extend(["--pgn".to_owned(), self.file(&format!("{name}.pgn"))]);
        words.extend(["--json".to_owned(), self.file(&format!("{name}.json"))]);
        words.extend(args.iter().map(|&word| word.to_owned()));
        let file = |end: &str| File::create(self.0.path().join(format!("{name}.{end}"))).expect("a file");
        let child = Command::new(env!("CARGO_BIN_EXE_sakmak-tools"))
            .args(words)
            .env(MARK, self.0.path())
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("err"))
            .spawn()
            .expect("the program starts");
        Running { child, peak: 0 }
    }

    /// Plays a whole match.
    pub(crate) fn play(&self, name: &str, engines: &[String], args: &[&str]) -> PlayedGame {
        let mut running = self.start(name, engines, args);
        let status = running.wait();
        self.assert_deserted();
        PlayedGame { status: status.code(), peak: running.peak, ..self.look(name) }
    }

    /// Reads the files of a match.
    pub(crate) fn look(&self, name: &str) -> PlayedGame {
        let text =
            |end: &str| fs::read_to_string(self.0.path().join(format!("{name}.{end}"))).unwrap_or_default();
        let pgn = text("pgn");
        let games = PgnReader::new(pgn.as_bytes()).map(|game| game.expect("a whole game")).collect();
        let report = serde_json::from_str(&text("json")).unwrap_or_default();
        PlayedGame { status: None, out: text("out"), err: text("err"), pgn, games, report, peak: 0 }
    }

    /// Command lines of the processes started for the test.
    #[cfg(target_os = "linux")]
    fn processes(&self) -> Vec<String> {
        let mark = format!("{MARK}={}", self.0.path().display()).into_bytes();
        let mut found = Vec::new();
        for process in fs::read_dir("/proc").expect("processes").flatten() {
            let environment = fs::read(process.path().join("environ")).unwrap_or_default();
            if environment.split(|&byte| byte == 0).any(|variable| variable == mark) {
                let command = fs::read(process.path().join("cmdline")).unwrap_or_default();
                found.push(String::from_utf8_lossy(&command).replace('\0', " "));
            }
        }
        found
    }

    /// Asserts that no process started for the test is still running.
    pub(crate) fn assert_deserted(&self) {
        #[cfg(target_os = "linux")]
        {
            let deadline = Instant::now() + Duration::from_secs(20);
            let mut left = self.processes();
            while !left.is_empty() && Instant::now() < deadline {
                std::thread::sleep(Duration::from_millis(10));
                left = self.processes();
            }
            assert!(left.is_empty(), "still running: {left:?}");
        }
    }
}

/// A running program, killed when dropped.
pub(crate) struct Running {
    child: Child,
    /// Peak memory in KiB; 0 where the system does not report it.
    peak: u64,
}

impl Running {
    /// Starts the program and discards its output.
    pub(crate) fn start(args: &[&str]) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_sakmak-tools"));
        command.args(args).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        Self { child: command.spawn().expect("the program starts"), peak: 0 }
    }

    /// Waits for a condition that must come true before the run ends.
    pub(crate) fn wait_for(&mut self, done: impl Fn() -> bool) {
        assert_eq!(self.wait_until(done), None, "it goes on");
    }

    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("a process").is_none()
    }

    pub(crate) fn kill(mut self) {
        self.child.kill().expect("it runs");
        self.child.wait().expect("it ends");
    }

    /// Waits for the program to end.
    pub(crate) fn wait(&mut self) -> ExitStatus {
        self.wait_until(|| false).expect("an end")
    }

    /// Waits for a condition; returns the exit status if the program ended before it came true.
    pub(crate) fn wait_until(&mut self, done: impl Fn() -> bool) -> Option<ExitStatus> {
        let started = Instant::now();
        while !done() {
            if let Some(status) = self.child.try_wait().expect("a process") {
                return Some(status);
            }
            self.peak = self.peak.max(memory(self.child.id()));
            if started.elapsed() > ENDLESS {
                self.signal("KILL");
                panic!("the match does not end");
            }
            std::thread::sleep(Duration::from_millis(2));
        }
        None
    }

    /// Sends a signal to the program.
    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args(["-s", name, &self.child.id().to_string()]).status();
        assert!(status.expect("kill").success());
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Peak memory of a process in KiB; 0 as long as it still has that of the test, which a new process shares for a moment.
fn memory(process: u32) -> u64 {
    let program = |process: &str| fs::read_link(format!("/proc/{process}/exe")).ok();
    if program(&process.to_string()) == program("self") {
        return 0;
    }
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let peak = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    peak.and_then(|text| text.trim().trim_end_matches(" kB").parse().ok()).unwrap_or(0)
}

/// A finished match.
pub(crate) struct PlayedGame {
    pub(crate) status: Option<i32>,
    pub(crate) out: String,
    pub(crate) err: String,
    pub(crate) pgn: String,
    /// In the order of the file.
    pub(crate) games: Vec<PgnGame>,
    pub(crate) report: MatchReport,
    pub(crate) peak: u64,
}

impl PlayedGame {
    /// The match, which must have ended with this status.
    #[track_caller]
    pub(crate) fn ends(self, status: i32) -> Self {
        assert_eq!(self.status, Some(status), "{}{}", self.out, self.err);
        self
    }

    /// The match, which must have been played without a fault.
    #[track_caller]
    pub(crate) fn ok(self) -> Self {
        self.ends(0)
    }

    /// The match, which must have failed with this status and a message that contains `text`.
    #[track_caller]
    pub(crate) fn fails(self, status: i32, text: &str) -> Self {
        self.ends(status).says(text)
    }

    /// The match, whose messages must contain `text`.
    #[track_caller]
    pub(crate) fn says(self, text: &str) -> Self {
        assert!(self.err.contains(text), "no '{text}' in: {}", self.err);
        self
    }

    /// Number, players, opening, moves and result of every game: what must not depend on interruptions.
    pub(crate) fn essence(&self) -> BTreeSet<(u64, String)> {
        let essence = |game: &PgnGame| {
            let tags = ["White", "Black", "Round", "FEN", "Reason"].map(|name| tag(game, name));
            let moves: Vec<&str> = game.moves.iter().map(|mv| mv.text.as_str()).collect();
            (number(game), format!("{tags:?} {moves:?} {}", game.result))
        };
        let all: BTreeSet<_> = self.games.iter().map(essence).collect();
        assert_eq!(all.len(), self.games.len(), "no game twice");
        all
    }

    /// The game numbers in ascending order.
    pub(crate) fn numbers(&self) -> Vec<u64> {
        let mut numbers: Vec<u64> = self.games.iter().map(number).collect();
        numbers.sort_unstable();
        numbers
    }

    /// Games won, drawn and lost by an engine, by the PGN.
    pub(crate) fn score(&self, name: &str) -> [u64; 3] {
        let mut score = [0; 3];
        for game in &self.games {
            let won_as = match game.result {
                PgnResult::WhiteWins => tag(game, "White"),
                PgnResult::BlackWins => tag(game, "Black"),
                PgnResult::Draw => "",
                PgnResult::Unknown => panic!("a game without a result"),
            };
            if [tag(game, "White"), tag(game, "Black")].contains(&name) {
                score[if won_as == name { 0 } else { 1 + usize::from(!won_as.is_empty()) }] += 1;
            }
        }
        score
    }

    /// The totals without times, and the estimates.
    pub(crate) fn totals(&self) -> MatchReport {
        let mut report = self.report.clone();
        for engine in &mut report.totals.engines {
            engine.stats.milliseconds = 0;
        }
        report
    }
}

/// The value of a tag that every game has.
pub(crate) fn tag<'a>(game: &'a PgnGame, name: &str) -> &'a str {
    game.tags.get(name).unwrap_or_else(|| panic!("a tag {name}"))
}

/// The number of a game in its match.
pub(crate) fn number(game: &PgnGame) -> u64 {
    tag(game, "GameNumber").parse().expect("a number")
}
