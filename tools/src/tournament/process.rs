//! A UCI engine as a child process that does not outlive us.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use super::fault::Fault;
use super::spec::EngineSpec;

/// How long an engine may take for things that are not thinking.
#[derive(Clone, Copy, Debug)]
pub struct Patience {
    /// To start and answer `uci`, and to answer the first `isready`: networks are loaded then.
    pub start: Duration,
    /// To answer any other `isready`.
    pub ready: Duration,
    /// To move after its time is over or it was told to stop, before it counts as hung.
    pub hang: Duration,
    /// To leave after `quit`, before it is killed.
    pub quit: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { start: seconds(60), ready: seconds(15), hang: seconds(5), quit: Duration::from_millis(500) }
    }
}

/// The longest line kept; the rest of a longer one is dropped.
const MAX_LINE: u64 = 64 * 1024;
/// Lines of the dialogue kept for reports of faults.
const KEPT_LINES: usize = 24;
/// Letters kept of each of them.
const TRANSCRIPT_WIDTH: usize = 300;
/// Lines an engine may be ahead of us before its output is left waiting in the pipe.
const AHEAD: usize = 256;
/// How long to wait for the rest of what an engine that is gone has written.
const LAST_WORDS: Duration = Duration::from_millis(100);

/// The last lines that went both ways.
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

/// The letters of a line, those that could play tricks with a terminal replaced.
pub(super) fn printable(line: &str) -> impl Iterator<Item = char> {
    line.chars().map(|letter| if letter.is_control() { '?' } else { letter })
}

/// A running engine.
pub struct Engine {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<(Instant, String)>,
    /// Reads what it complains of.
    complaints: Option<JoinHandle<()>>,
    transcript: Transcript,
    patience: Patience,
    /// What it calls itself.
    pub own_name: String,
    /// The options it announced: name and the rest of the line.
    options: Vec<(String, String)>,
}

/// An option of the kind `spin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Spin {
    /// Its value if nothing else is set.
    pub default: i64,
    /// The least value.
    pub least: i64,
    /// The greatest.
    pub most: i64,
}

/// Reads one line without its end; `None` at the end of the output.
fn read_line(reader: &mut impl BufRead) -> Option<String> {
    let mut bytes = Vec::new();
    match reader.by_ref().take(MAX_LINE).read_until(b'\n', &mut bytes) {
        Ok(1..) => {}
        _ => return None,
    }
    if bytes.len() as u64 == MAX_LINE && bytes.last() != Some(&b'\n') {
        // Endless garbage without a line end: skip to the next line.
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

/// The values an option takes, by its announcement from the type on: those of its `var` words, or where there are
/// none (a string, or a list left out) the default alone.
fn offered_values(kind: &str) -> Vec<String> {
    let words: Vec<&str> = kind.split_ascii_whitespace().collect();
    let after = |wanted: &str| -> Vec<String> {
        let pairs = words.windows(2).filter(|pair| pair[0] == wanted);
        pairs.map(|pair| pair[1].to_owned()).collect()
    };
    let listed = after("var");
    if listed.is_empty() { after("default") } else { listed }
}

impl Engine {
    /// Starts the program, asks who it is, sets its options and the variant, and waits until it is ready.
    ///
    /// # Errors
    /// What went wrong, as the fault of the engine.
    pub fn start(
        spec: &EngineSpec,
        variant: &str,
        ruleset: &str,
        patience: Patience,
    ) -> Result<Self, (Fault, Vec<String>)> {
        let mut command = guarded(spec);
        if let Some(dir) = &spec.dir {
            command.current_dir(dir);
        }
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| (Fault::NoStart(format!("{}: {error}", spec.command[0])), Vec::new()))?;
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
        let complaints = child.stderr.take().map(|errors| {
            let transcript = transcript.clone();
            std::thread::spawn(move || {
                let mut reader = BufReader::new(errors);
                while let Some(line) = read_line(&mut reader) {
                    transcript.add("!", &line);
                }
            })
        });
        let stdin = child.stdin.take();
        let own_name = String::new();
        let options = Vec::new();
        let mut engine = Self { child, stdin, lines, complaints, transcript, patience, own_name, options };
        match engine.introduce(spec, variant, ruleset) {
            Ok(()) => Ok(engine),
            Err(fault) => {
                // What it complained of comes another way and may be a moment late.
                std::thread::sleep(Duration::from_millis(50));
                let lines = engine.dialogue();
                Err((fault, lines))
            }
        }
    }

    fn introduce(&mut self, spec: &EngineSpec, variant: &str, ruleset: &str) -> Result<(), Fault> {
        self.send("uci")?;
        let deadline = Instant::now() + self.patience.start;
        loop {
            let Some(line) = self.receive_until(deadline)? else { return Err(Fault::NoUciok) };
            if line == "uciok" {
                break;
            }
            if let Some(name) = line.strip_prefix("id name ") {
                self.own_name = name.trim().to_owned();
            }
            if let Some((name, kind)) =
                line.strip_prefix("option name ").and_then(|rest| rest.split_once(" type "))
            {
                self.options.push((name.to_owned(), kind.to_owned()));
            }
        }
        let chosen = |wanted: &str| {
            let found = spec.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
            found.map(|(_, value)| value.as_str())
        };
        // Some engines know the game by another name.
        let wanted = chosen("UCI_Variant").unwrap_or(variant);
        let offered = self.option("UCI_Variant").map(offered_values);
        let spelling = offered.iter().flatten().find(|name| name.eq_ignore_ascii_case(wanted));
        let Some(spelling) = spelling.cloned() else {
            return Err(Fault::NoVariant { variant: wanted.to_owned(), offered });
        };
        self.send(&format!("setoption name UCI_Variant value {spelling}"))?;
        if self.option("Ruleset").is_some() && chosen("Ruleset").is_none() {
            self.send(&format!("setoption name Ruleset value {ruleset}"))?;
        }
        for (name, value) in &spec.options {
            if name.eq_ignore_ascii_case("UCI_Variant") {
                continue;
            }
            if self.option(name).is_none() {
                return Err(Fault::NoOption(name.clone()));
            }
            self.send(&format!("setoption name {name} value {value}"))?;
        }
        self.is_ready(self.patience.start)
    }

    fn option(&self, wanted: &str) -> Option<&str> {
        let found = self.options.iter().find(|(name, _)| name.eq_ignore_ascii_case(wanted));
        found.map(|(_, kind)| kind.as_str())
    }

    /// The option of that name, if it is a whole number.
    pub fn spin(&self, name: &str) -> Option<Spin> {
        let words: Vec<_> = self.option(name)?.split_ascii_whitespace().collect();
        let after = |word: &str| {
            let place = words.iter().position(|&other| other == word)?;
            words.get(place + 1)?.parse().ok()
        };
        let spin = Spin { default: after("default")?, least: after("min")?, most: after("max")? };
        (words.first() == Some(&"spin") && spin.least < spin.most).then_some(spin)
    }

    /// Sends a line.
    ///
    /// # Errors
    /// If the engine is gone.
    pub fn send(&mut self, line: &str) -> Result<(), Fault> {
        self.transcript.add(">", line);
        let Some(stdin) = &mut self.stdin else { return Err(self.death()) };
        let result = stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush());
        result.map_err(|_| self.death())
    }

    /// The next line and when it came; `None` if it did not come in time.
    ///
    /// # Errors
    /// If the engine is gone.
    pub fn receive(&mut self, deadline: Option<Instant>) -> Result<Option<(Instant, String)>, Fault> {
        let received = match deadline {
            Some(deadline) => self.lines.recv_timeout(deadline.saturating_duration_since(Instant::now())),
            None => self.lines.recv().map_err(|_| RecvTimeoutError::Disconnected),
        };
        match received {
            Ok(line) => Ok(Some(line)),
            Err(RecvTimeoutError::Timeout) => Ok(None),
            Err(RecvTimeoutError::Disconnected) => Err(self.death()),
        }
    }

    /// The next line that comes in time. Unlike with [`Engine::receive`] the lines waiting for us do not count if
    /// they came too late, or an engine that never stops talking could keep us for ever.
    fn receive_until(&mut self, deadline: Instant) -> Result<Option<String>, Fault> {
        let received = self.receive(Some(deadline))?;
        Ok(received.filter(|&(came, _)| came <= deadline).map(|(_, line)| line))
    }

    /// Waits for `readyok`, and forgets whatever the engine said before it.
    ///
    /// # Errors
    /// If it does not come.
    pub fn is_ready(&mut self, patience: Duration) -> Result<(), Fault> {
        self.send("isready")?;
        let deadline = Instant::now() + patience;
        loop {
            match self.receive_until(deadline)? {
                Some(line) if line == "readyok" => return Ok(()),
                Some(_) => {}
                None => return Err(Fault::NoReadyok),
            }
        }
    }

    /// As [`Engine::is_ready`], with the patience for an engine that is up.
    ///
    /// # Errors
    /// If it does not come.
    pub fn synchronise(&mut self) -> Result<(), Fault> {
        self.is_ready(self.patience.ready)
    }

    /// The patience it was started with.
    pub fn patience(&self) -> Patience {
        self.patience
    }

    /// How it died.
    fn death(&mut self) -> Fault {
        // Its output may end a moment before the process does.
        for _ in 0..50 {
            match self.child.try_wait() {
                Ok(Some(status)) => {
                    self.hear_last_words();
                    return Fault::Crash(status.to_string());
                }
                Ok(None) => std::thread::sleep(Duration::from_millis(2)),
                Err(_) => break,
            }
        }
        Fault::Silence
    }

    /// Waits until its complaints are read; not for long, for a process it started may still hold the pipe.
    fn hear_last_words(&self) {
        let deadline = Instant::now() + LAST_WORDS;
        while self.complaints.as_ref().is_some_and(|reader| !reader.is_finished())
            && Instant::now() < deadline
        {
            std::thread::sleep(Duration::from_millis(1));
        }
    }

    /// The last lines of the dialogue: `>` to the engine, `<` from it, `!` what it complained of.
    pub fn dialogue(&self) -> Vec<String> {
        self.transcript.lines()
    }
}

impl Drop for Engine {
    /// Asks the engine to leave and, if it does not, kills it and what it started.
    fn drop(&mut self) {
        let _ = self.send("quit");
        self.stdin = None;
        let deadline = Instant::now() + self.patience.quit;
        while Instant::now() < deadline {
            if let Ok(Some(_)) = self.child.try_wait() {
                break;
            }
            // It cannot leave while it waits for us to read.
            self.lines.try_iter().take(AHEAD).for_each(drop);
            std::thread::sleep(Duration::from_millis(2));
        }
        kill_group(&self.child);
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// The hidden command under which this program starts engines: see [`become_engine`].
pub const GUARD: &str = "run-engine";

/// The command that starts the engine. On Linux it goes through this program once more, which asks the
/// system to kill it when we die, and then becomes the engine.
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

/// Makes the command the head of a process group: it can be killed with all it starts, and what is typed on
/// the terminal to interrupt us does not reach it.
#[cfg_attr(not(unix), allow(unused_mut))]
fn in_own_group(mut command: Command) -> Command {
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command
}

/// The program with the hidden command: this one, or in tests the one they name.
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

/// Becomes the engine: the child of `parent` that is to die with it.
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
        // It may have died before we asked.
        let alive = getppid().is_some_and(|pid| pid.as_raw_nonzero().get() as u32 == parent);
        if !alive {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variants_an_engine_offers() {
        for (kind, offered) in [
            ("combo default makruk var makruk", &["makruk"][..]),
            ("combo default chess var chess  var makruk\tvar cambodian", &["chess", "makruk", "cambodian"]),
            ("combo default makruk", &["makruk"]),
            ("string default makruk", &["makruk"]),
            ("string default", &[]),
        ] {
            assert_eq!(offered_values(kind), offered, "{kind}");
        }
    }
}
