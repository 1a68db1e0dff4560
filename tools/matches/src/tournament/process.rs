//! A UCI engine as a child process that ends with this one.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use sakmak_movegen::Rules;

use super::engine_error::{EngineError, EngineFailure};
use super::option::{EngineOption, SpinOption};
use super::spec::EngineSpec;

/// Time limits of an engine for everything but its moves.
#[derive(Clone, Copy, Debug)]
pub struct Timeouts {
    /// From start to `uciok`.
    pub uci: Duration,
    /// First `isready`, when networks are loaded.
    pub start: Duration,
    /// Any other `isready`.
    pub ready: Duration,
    /// After its time for a move is over, until it counts as stalled.
    pub stall: Duration,
    /// From `quit` until it is killed.
    pub quit: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self {
            uci: seconds(10),
            start: seconds(60),
            ready: seconds(15),
            stall: seconds(5),
            quit: Duration::from_millis(500),
        }
    }
}

/// Bytes kept of a line; the rest of a longer one is dropped.
const MAX_LINE: u64 = 64 * 1024;
/// Lines of the dialogue kept for error reports.
const KEPT_LINES: usize = 24;
/// Letters kept of each of these lines.
const TRANSCRIPT_WIDTH: usize = 300;
/// Capacity of the queue of received lines; beyond it the engine's output waits in the pipe.
const AHEAD: usize = 256;
/// Lines without `uciok` after which a program is taken for no engine; one with hundreds of options writes hundreds.
const MOST_LINES: u64 = 10_000;
/// Most lines about its options that are kept of an engine.
const MOST_NOTICES: usize = 10;
/// A line is about an option if it has its name or value, and this is no shorter.
const LEAST_WORD: usize = 3;
/// Time to wait for the last output on standard error of an engine that has ended.
const STDERR_WAIT: Duration = Duration::from_millis(100);

/// The last lines of the dialogue.
#[derive(Clone, Debug, Default)]
struct Transcript(Arc<Mutex<VecDeque<String>>>);

impl Transcript {
    fn add(&self, mark: &str, line: &str) {
        let mut lines = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.len() == KEPT_LINES {
            lines.pop_front();
        }
        let text: String = printable(line).take(TRANSCRIPT_WIDTH).collect();
        lines.push_back(format!("{mark} {text}"));
    }

    fn lines(&self) -> Vec<String> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}

/// The letters of a line, with the control characters replaced that a terminal would obey.
pub(super) fn printable(line: &str) -> impl Iterator<Item = char> {
    line.chars().map(|letter| if letter.is_control() { '?' } else { letter })
}

/// A running engine.
pub struct EngineProcess {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// The thread that reads the engine's standard error.
    stderr_reader: Option<JoinHandle<()>>,
    transcript: Transcript,
    timeouts: Timeouts,
    /// The name in its description, else the one in its `id name`.
    pub name: String,
    /// The options announced.
    options: Vec<EngineOption>,
    /// What the engine said about the options of its description.
    pub notices: Vec<String>,
}

/// Reads a line without its line end; `None` at the end of the output.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
        Ok(1..) => {}
        _ => return None,
    }
    if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
        // The line is too long: skip the rest of it.
        loop {
            let mut rest = Vec::new();
            match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut rest) {
                Ok(1..) if rest.last() != Some(&b'\n') => {}
                _ => break,
            }
        }
    }
    Some(String::from_utf8_lossy(&bytes).trim_end_matches(['\r', '\n']).to_owned())
}

impl EngineProcess {
    /// Starts the program, sets its options and the variant, and waits until it is ready.
    ///
    /// # Errors
    /// The failure; its name is that of the command.
    pub fn start(spec: &EngineSpec, rules: &Rules, timeouts: Timeouts) -> Result<Self, EngineFailure> {
        let name = spec.command.join(" ");
        let mut command = guarded(spec);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().map_err(|error| {
            let error = EngineError::NoStart { reason: format!("{}: {error}", spec.command[0]) };
            EngineFailure { name: name.clone(), error, dialogue: Vec::new() }
        })?;
        let transcript = Transcript::default();
        let (sender, lines) = sync_channel(AHEAD);
        if let Some(output) = child.stdout.take() {
            let transcript = transcript.clone();
            std::thread::spawn(move || {
                let mut reader = BufReader::new(output);
                while let Some(line) = read_line(&mut reader) {
                    let now = Instant::now();
                    transcript.add("<", &line);
                    if sender.send((now, line.trim().to_owned())).is_err() {
                        break;
                    }
                }
            });
        }
        let stderr_reader = child.stderr.take().map(|errors| {
            let transcript = transcript.clone();
            std::thread::spawn(move || {
                let mut reader = BufReader::new(errors);
                while let Some(line) = read_line(&mut reader) {
                    transcript.add("!", &line);
                }
            })
        });
        let stdin = child.stdin.take();
        let options = Vec::new();
        let mut engine = Self {
            child,
            stdin,
            lines,
            stderr_reader,
            transcript,
            timeouts,
            name,
            options,
            notices: Vec::new(),
        };
        match engine.handshake(spec, rules) {
            Ok(own_name) => {
                engine.name = if spec.name.is_empty() { own_name } else { spec.name.clone() };
                Ok(engine)
            }
            Err(error) => {
                // The thread for standard error may lag a moment behind.
                std::thread::sleep(Duration::from_millis(50));
                Err(engine.failure(error))
            }
        }
    }

    /// An error of this engine with the dialogue before it.
    pub fn failure(&self, error: EngineError) -> EngineFailure {
        EngineFailure { name: self.name.clone(), error, dialogue: self.dialogue() }
    }

    /// Runs the UCI handshake up to `readyok`; returns the engine's `id name`.
    fn handshake(&mut self, spec: &EngineSpec, rules: &Rules) -> Result<String, EngineError> {
        let mut own_name = String::new();
        self.send("uci")?;
        let deadline = Instant::now() + self.timeouts.uci;
        let mut lines = 0;
        loop {
            let line = self.receive_until(deadline)?.filter(|_| lines < MOST_LINES);
            let Some(line) = line else {
                let seconds = (lines < MOST_LINES).then_some(self.timeouts.uci.as_secs());
                return Err(EngineError::NoUciok { seconds, lines });
            };
            lines += 1;
            if line == "uciok" {
                break;
            }
            if let Some(name) = line.strip_prefix("id name ") {
                own_name = name.trim().to_owned();
            }
            self.options.extend(EngineOption::read(&line));
        }
        let chosen = |wanted: &str| {
            let found = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.as_str())
        };
        // Some engines name the variant otherwise, so the option given by the user comes first.
        let wanted = chosen("UCI_Variant").unwrap_or(rules.play.variant.name());
        let offered = self.option("UCI_Variant").map(EngineOption::offered_values);
        let spelling = offered.iter().flatten().find(|name| name.eq_ignore_ascii_case(wanted));
        let Some(spelling) = spelling.cloned() else {
            return Err(EngineError::NoVariant { variant: wanted.to_owned(), offered });
        };
        self.send(&format!("setoption name UCI_Variant value {spelling}"))?;
        if self.option("Ruleset").is_some() && chosen("Ruleset").is_none() {
            self.send(&format!("setoption name Ruleset value {}", rules.setup.ruleset.name()))?;
        }
        for (name, value) in &spec.options {
            if name.eq_ignore_ascii_case("UCI_Variant") {
                continue;
            }
            let Some(option) = self.option(name) else {
                return Err(EngineError::NoOption { name: name.clone() });
            };
            if !option.takes(value) {
                let (name, value, kind) = (name.clone(), value.clone(), option.kind.clone());
                return Err(EngineError::NoValue { name, value, kind });
            }
        }
        for (name, value) in &spec.options {
            if !name.eq_ignore_ascii_case("UCI_Variant") {
                self.send(&format!("setoption name {name} value {value}"))?;
            }
        }
        // Engines say other things, too.
        let is_about_options = |text: &&str| {
            let is_in = |word: &str| word.len() >= LEAST_WORD && text.contains(word);
            spec.options.iter().any(|(name, value)| is_in(name) || is_in(value))
        };
        let mut notices = Vec::new();
        self.wait_until_ready(self.timeouts.start, &mut |line| {
            let text = line.strip_prefix("info string ").filter(is_about_options);
            if let Some(text) = text.filter(|_| notices.len() < MOST_NOTICES) {
                notices.push(printable(text).take(TRANSCRIPT_WIDTH).collect());
            }
        })?;
        self.notices = notices;
        Ok(own_name)
    }

    fn option(&self, wanted: &str) -> Option<&EngineOption> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(wanted))
    }

    /// The numbers of the option `name`, if its type is `spin`.
    pub fn spin(&self, name: &str) -> Option<SpinOption> {
        self.option(name)?.spin()
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the engine has ended or closed its input or output.
    pub fn send(&mut self, line: &str) -> Result<(), EngineError> {
        self.transcript.add(">", line);
        let Some(stdin) = &mut self.stdin else { return Err(self.disconnect_error()) };
        let result = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
        result.map_err(|_| self.disconnect_error())
    }

    /// The next line and its time of arrival; `None` if none arrives before the deadline.
    ///
    /// # Errors
    /// If the engine has ended or closed its input or output.
    pub fn receive(&mut self, deadline: Instant) -> Result<Option<(Instant, String)>, EngineError> {
        match self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.disconnect_error()),
        }
    }

    /// The next line that arrived before the deadline. Unlike [`EngineProcess::receive`] it refuses queued lines that
    /// arrived later, so that an engine that never stops writing cannot delay a match for ever.
    fn receive_until(&mut self, deadline: Instant) -> Result<Option<String>, EngineError> {
        let received = self.receive(deadline)?;
        Ok(received.filter(|&(came, _)| came <= deadline).map(|(_, line)| line))
    }

    /// Waits for `readyok`, dropping all lines before it.
    ///
    /// # Errors
    /// If there is no answer in time.
    pub fn is_ready(&mut self, timeout: Duration) -> Result<(), EngineError> {
        self.wait_until_ready(timeout, &mut |_| ())
    }

    /// As [`EngineProcess::is_ready`], with the lines before `readyok`.
    fn wait_until_ready(&mut self, timeout: Duration, read: &mut dyn FnMut(&str)) -> Result<(), EngineError> {
        self.send("isready")?;
        let deadline = Instant::now() + timeout;
        loop {
            match self.receive_until(deadline)? {
                Some(line) if line == "readyok" => return Ok(()),
                Some(line) => read(&line),
                None => return Err(EngineError::NoReadyok),
            }
        }
    }

    /// As [`EngineProcess::is_ready`], with the timeout of an engine that is up.
    ///
    /// # Errors
    /// If there is no answer in time.
    pub fn synchronise(&mut self) -> Result<(), EngineError> {
        self.is_ready(self.timeouts.ready)
    }

    /// Sends `ucinewgame` and waits for the engine.
    ///
    /// # Errors
    /// If it does not answer.
    pub fn new_game(&mut self) -> Result<(), EngineError> {
        self.send("ucinewgame")?;
        self.synchronise()
    }

    /// Searches a position and returns the move as the engine wrote it; `on_line` sees every line before it.
    ///
    /// # Errors
    /// If there is no move within `max_time`.
    pub fn search(
        &mut self,
        fen: &str,
        moves: &str,
        go: &str,
        max_time: Duration,
        on_line: &mut dyn FnMut(&str),
    ) -> Result<String, EngineFailure> {
        let moves = if moves.is_empty() { String::new() } else { format!(" moves {moves}") };
        let mut search = || {
            self.synchronise()?;
            self.send(&format!("position fen {fen}{moves}"))?;
            self.send(go)?;
            let deadline = Instant::now() + max_time;
            loop {
                let line = self.receive_until(deadline)?.ok_or(EngineError::Stall)?;
                let mut words = line.split_ascii_whitespace();
                if words.next() == Some("bestmove") {
                    return Ok(words.next().unwrap_or_default().chars().take(8).collect());
                }
                on_line(&line);
            }
        };
        search().map_err(|error| self.failure(error))
    }

    /// Why the connection was lost.
    fn disconnect_error(&mut self) -> EngineError {
        // The output may close a moment before the process ends.
        for _ in 0..50 {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.wait_for_stderr();
                    return EngineError::Crash { status: status.to_string() };
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
        EngineError::Disconnected
    }

    /// Waits until standard error is read, but not for long: a process started by the engine may still hold the pipe.
    fn wait_for_stderr(&self) {
        let deadline = Instant::now() + STDERR_WAIT;
        while self.stderr_reader.as_ref().is_some_and(|reader| !reader.is_finished())
            && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The last lines of the dialogue: `>` to the engine, `<` from it, `!` its standard error.
    pub fn dialogue(&self) -> Vec<String> {
        self.transcript.lines()
    }
}

impl Drop for EngineProcess {
    /// Sends `quit`; kills the engine and its child processes if it does not end in time.
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.stdin = None;
        let deadline = Instant::now() + self.timeouts.quit;
        while Instant::now() < deadline {
            if let Ok(Some(_)) = self.child.try_wait() {
                break;
            }
            // The engine cannot end while it waits for us to read.
            self.lines.try_iter().take(AHEAD).for_each(drop);
            std::thread::sleep(Duration::from_millis(2));
        }
        kill_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The hidden command that this program starts engines by: see [`become_engine`].
pub const GUARD: &str = "run-engine";

/// The command that starts the engine. On Linux it runs this program once more, which asks the system to kill it when
/// the parent ends, and then becomes the engine.
fn guarded(spec: &EngineSpec) -> Command {
    #[cfg(target_os = "linux")]
    if let Ok(own) = std::env::current_exe() {
        let mut command = Command::new(guard_program(own));
        command.arg(GUARD).arg(std::process::id().to_string()).args(&spec.command);
        return in_own_group(command);
    }
    let mut command = Command::new(&spec.command[0]);
    command.args(&spec.command[1..]);
    in_own_group(command)
}

/// Makes the command the leader of a process group: it can be killed with all its children, and a Ctrl-C in the
/// terminal does not reach it.
#[cfg_attr(not(unix), allow(unused_mut))]
fn in_own_group(mut command: Command) -> Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// The program with the hidden command: this one, or in tests the one that they name.
#[cfg(target_os = "linux")]
fn guard_program(own: std::path::PathBuf) -> std::path::PathBuf {
    std::env::var_os("SAKMAK_TOOLS").map_or(own, Into::into)
}

#[cfg(unix)]
fn kill_group(child: &Child) {
    use rustix::process::{Pid, Signal, kill_process_group};
    if let Some(group) = i32::try_from(child.id()).ok().and_then(Pid::from_raw) {
        let _ = kill_process_group(group, Signal::KILL);
    }
}

#[cfg(not(unix))]
fn kill_group(_: &Child) {}

/// Replaces this process, a child of `parent` that is to end with it, by the engine.
///
/// # Errors
/// If the program cannot be run.
pub fn become_engine(parent: u32, command: &[String]) -> std::io::Error {
    let Some((program, arguments)) = command.split_first() else {
        return std::io::Error::other("no command");
    };
    #[cfg(target_os = "linux")]
    {
        use rustix::process::{Signal, getppid, set_parent_process_death_signal};
        if let Err(error) = set_parent_process_death_signal(Some(Signal::KILL)) {
            return error.into();
        }
        // The parent may have ended before the death signal was set.
        let has_parent = getppid().is_some_and(|pid| pid.as_raw_nonzero().get() as u32 == parent);
        if !has_parent {
            return std::io::Error::other("the match is over");
        }
    }
    #[cfg(not(target_os = "linux"))]
    let _ = parent;
    #[cfg(unix)]
    {
        let error = std::os::unix::process::CommandExt::exec(Command::new(program).args(arguments));
        std::io::Error::new(error.kind(), format!("{program}: {error}"))
    }
    #[cfg(not(unix))]
    {
        let _ = arguments;
        std::io::Error::other(format!("{program}: only on Unix"))
    }
}
