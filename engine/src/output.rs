//! Where a front end writes, and its log.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use sakmak_eval::regular_file;

/// Where answers go. Clones write to the same place, one line at a time.
#[derive(Clone)]
pub struct Output(Arc<Shared>);

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
    Writer(Box<dyn Write + Send>),
    Buffer(String),
}

impl Output {
    /// Writes to `writer` and flushes after every line.
    pub fn to(writer: impl Write + Send + 'static) -> Self {
        Self::of(Sink::Writer(Box::new(writer)))
    }

    /// An output in memory, for [`Output::text`].
    pub fn buffer() -> Self {
        Self::of(Sink::Buffer(String::new()))
    }

    fn of(sink: Sink) -> Self {
        let inner = Mutex::new(Inner { sink, log: None });
        Self(Arc::new(Shared { inner, is_lost: AtomicBool::new(false) }))
    }

    fn lock(&self) -> MutexGuard<'_, Inner> {
        self.0.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The text written to a buffer so far; empty for other outputs.
    pub fn text(&self) -> String {
        match &self.lock().sink {
            Sink::Buffer(text) => text.clone(),
            Sink::Writer(_) => String::new(),
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
            Sink::Writer(writer) => {
                let result = writer.write_all(format!("{line}\n").as_bytes()).and_then(|()| writer.flush());
                if result.is_err() {
                    self.0.is_lost.store(true, Relaxed);
                }
            }
        }
        inner.copy("<", line);
    }

    /// Whether a line could not be written: the reader is gone.
    pub(crate) fn is_lost(&self) -> bool {
        self.0.is_lost.load(Relaxed)
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

    /// The first write error of the log, reported once for each log.
    pub(crate) fn take_log_fault(&self) -> Option<io::Error> {
        let mut inner = self.lock();
        let log = inner.log.as_mut().filter(|log| matches!(log.fault, LogFault::New(_)))?;
        match std::mem::replace(&mut log.fault, LogFault::Reported) {
            LogFault::New(error) => Some(error),
            LogFault::None | LogFault::Reported => None,
        }
    }
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
