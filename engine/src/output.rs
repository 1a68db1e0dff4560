//! Where a front end writes, and its log.

use std::fmt::Display;
use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sakmak_eval::regular_file;

/// Where answers go. Clones write to the same place, one line at a time.
///
/// ```
/// use std::sync::mpsc::channel;
/// use sakmak_engine::uci::{Output, Session};
///
/// let (sender, lines) = channel();
/// let output = Output::calling(move |line| _ = sender.send(line.to_owned()));
/// let mut session = Session::new(output, &Default::default())?;
/// session.command("isready");
/// assert_eq!(lines.recv()?, "readyok");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct Output {
    shared: Arc<Shared>,
    /// Begins a line for people.
    comment: &'static str,
}

struct Shared {
    inner: Mutex<Inner>,
    /// Whether a line could not be written.
    is_lost: AtomicBool,
}

struct Inner {
    sink: Sink,
    /// The file of the option `Debug Log File`, a copy of all lines read and written.
    log: Option<Log>,
}

struct Log {
    file: File,
    /// The first write error that has not been reported.
    fault: LogFault,
}

enum LogFault {
    None,
    New(io::Error),
    Reported,
}

enum Sink {
    /// Takes text of one or several lines. Returns whether it could be written.
    Function(Box<dyn FnMut(&str) -> bool + Send>),
    Buffer(String),
}

/// Begins a comment in UCI, and in XBoard's protocol.
const INFO_STRING: &str = "info string ";
const HASH: &str = "# ";

impl Output {
    /// Writes to `writer` and flushes after every line.
    pub fn to(mut writer: impl Write + Send + 'static) -> Self {
        let write = move |text: &str| {
            writer.write_all(format!("{text}\n").as_bytes()).and_then(|()| writer.flush()).is_ok()
        };
        Self::new(Sink::Function(Box::new(write)))
    }

    /// Calls `function` with every line, on the thread that writes it. `function` must not write to this output, nor
    /// wait for the session that does.
    pub fn calling(mut function: impl FnMut(&str) + Send + 'static) -> Self {
        Self::new(Sink::Function(Box::new(move |text| {
            text.lines().for_each(&mut function);
            true
        })))
    }

    /// An output in memory, for [`Output::text`] and [`Output::take`].
    pub fn buffer() -> Self {
        Self::new(Sink::Buffer(String::new()))
    }

    fn new(sink: Sink) -> Self {
        let inner = Mutex::new(Inner { sink, log: None });
        let shared = Arc::new(Shared { inner, is_lost: AtomicBool::new(false) });
        Self { shared, comment: INFO_STRING }
    }

    /// The same output with comments in the form of XBoard's protocol.
    pub(crate) fn for_xboard(self) -> Self {
        Self { comment: HASH, ..self }
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.shared.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text written to a buffer so far; empty for other outputs.
    pub fn text(&self) -> String {
        match &self.lock().sink {
            Sink::Buffer(text) => text.clone(),
            Sink::Function(_) => String::new(),
        }
    }

    /// Removes the text written to a buffer so far, and returns it; empty for other outputs.
    pub fn take(&self) -> String {
        match &mut self.lock().sink {
            Sink::Buffer(text) => std::mem::take(text),
            Sink::Function(_) => String::new(),
        }
    }

    /// Writes a line. If the reader is gone, the line is lost; the end of input will follow.
    pub(crate) fn line(&self, line: &str) {
        let mut inner = self.lock();
        match &mut inner.sink {
            Sink::Buffer(text) => {
                text.push_str(line);
                text.push('\n');
            }
            Sink::Function(write) => {
                if !write(line) {
                    self.shared.is_lost.store(true, Relaxed);
                }
            }
        }
        inner.copy("<", line);
    }

    /// Writes a line for people: an `info string` of UCI, or a comment of XBoard's protocol. In quoted input replaces
    /// words of the protocol, which some clients look for anywhere in a line, and control characters, which a terminal
    /// obeys. Letters of all scripts are printed as they are.
    pub(crate) fn comment(&self, message: &impl Display) {
        let mut text: String = message
            .to_string()
            .chars()
            .map(|c| if c.is_control() || is_invisible(c) { '?' } else { c })
            .collect();
        for word in ["bestmove", "readyok", "uciok"] {
            text = text.replace(word, "?");
        }
        self.line(&format!("{}{text}", self.comment));
    }

    /// Writes each message as a comment.
    pub(crate) fn comments(&self, messages: &[impl Display]) {
        messages.iter().for_each(|message| self.comment(message));
    }

    /// Whether a line could not be written: the reader is gone.
    pub(crate) fn is_lost(&self) -> bool {
        self.shared.is_lost.load(Relaxed)
    }

    /// Logs a line of the input.
    pub(crate) fn log_input(&self, line: &str) {
        self.lock().copy(">", line.trim_end());
    }

    /// Appends all lines from now on to a regular file; `None` ends the log.
    ///
    /// # Errors
    /// If the file cannot be opened, or is a FIFO or a device; the log is then as before.
    pub(crate) fn set_log(&self, path: Option<&Path>) -> io::Result<()> {
        let open = |path| regular_file::open(File::options().create(true).append(true), path);
        let file = path.map(open).transpose()?;
        self.lock().log = file.map(|file| Log { file, fault: LogFault::None });
        Ok(())
    }

    /// Reports the first write error of the log, once for each log.
    pub(crate) fn report_log_fault(&self) {
        let error = {
            let mut inner = self.lock();
            let Some(log) = inner.log.as_mut().filter(|log| matches!(log.fault, LogFault::New(_))) else {
                return;
            };
            match std::mem::replace(&mut log.fault, LogFault::Reported) {
                LogFault::New(error) => error,
                LogFault::None | LogFault::Reported => return,
            }
        };
        self.comment(&format!("debug log: lines are lost: {error}"));
    }
}

/// Whether Unicode has the letter end lines or change the direction of text.
fn is_invisible(letter: char) -> bool {
    matches!(letter, '\u{061c}' | '\u{200e}' | '\u{200f}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

impl Inner {
    /// Writes lines to the log. A full disk must not disturb the game.
    fn copy(&mut self, mark: &str, lines: &str) {
        if let Some(log) = &mut self.log {
            let text: String = lines.lines().map(|line| format!("{mark} {line}\n")).collect();
            if let Err(error) = log.file.write_all(text.as_bytes())
                && matches!(log.fault, LogFault::None)
            {
                log.fault = LogFault::New(error);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quoted_input_cannot_pass_for_an_answer() {
        let output = Output::buffer();
        output.comment(&"unknown command 'bestmove\u{202e}\u{1b}\treadyok'");
        assert_eq!(output.take(), "info string unknown command '?????'\n");
        output.comment(&"/home/หมากรุก/ชุด ๑/é.nnue: is missing");
        assert_eq!(output.take(), "info string /home/หมากรุก/ชุด ๑/é.nnue: is missing\n");
        output.clone().for_xboard().comment(&"a\nb");
        assert_eq!(output.take(), "# a?b\n");
    }

    #[test]
    fn a_function_gets_every_line() {
        let (sender, lines) = std::sync::mpsc::channel();
        let output = Output::calling(move |line| sender.send(line.to_owned()).unwrap());
        output.line("\none\ntwo");
        output.comment(&"three");
        drop(output);
        assert_eq!(lines.iter().collect::<Vec<_>>(), ["", "one", "two", "info string three"]);
    }
}
