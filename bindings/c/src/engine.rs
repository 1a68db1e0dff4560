//! The engine: a session of UCI whose lines are fetched.

use std::collections::VecDeque;
use std::ffi::c_char;
use std::sync::{Arc, Condvar, LazyLock, Mutex, PoisonError};
use std::time::Duration;

use sakmak_engine::uci::{Output, Session};
use sakmak_eval::DtmTables;

use crate::border::{self, Failure, SakmakError, guard, guard_with};
use crate::handles::{self, lock};
use crate::{SakmakHandle, handles::with_engine};

/// A session and the lines it has written.
pub(crate) struct Engine {
    /// `None` after `quit` or `sakmak_free`.
    session: Mutex<Option<Session>>,
    lines: Arc<Lines>,
}

/// Shared by all engines of the process: 64 MB once they are solved.
static DTM_TABLES: LazyLock<DtmTables> = LazyLock::new(DtmTables::default);

/// Lines that were not fetched yet.
#[derive(Default)]
struct Lines {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Default)]
struct Queue {
    lines: VecDeque<String>,
    /// No more lines will come.
    has_ended: bool,
}

impl Lines {
    fn push(&self, line: &str) {
        lock(&self.queue).lines.push_back(line.to_owned());
        // All of them: the line may not fit the buffer of the one that wakes first.
        self.changed.notify_all();
    }

    fn end(&self) {
        lock(&self.queue).has_ended = true;
        self.changed.notify_all();
    }

    /// Waits for a line, without end if `time` is `None`. `write` returns the length of the line, which stays if that
    /// is not less than `size`.
    fn take(
        &self,
        time: Option<Duration>,
        size: usize,
        write: impl FnOnce(&str) -> i32,
    ) -> Result<i32, Failure> {
        let is_waiting = |queue: &mut Queue| queue.lines.is_empty() && !queue.has_ended;
        let queue = lock(&self.queue);
        let mut queue = match time {
            Some(time) => {
                let waited = self.changed.wait_timeout_while(queue, time, is_waiting);
                waited.unwrap_or_else(PoisonError::into_inner).0
            }
            None => self.changed.wait_while(queue, is_waiting).unwrap_or_else(PoisonError::into_inner),
        };
        let Some(line) = queue.lines.front() else {
            return Err(if queue.has_ended {
                ended()
            } else {
                Failure::new(SakmakError::SAKMAK_NO_LINE, "")
            });
        };
        let length = write(line);
        if usize::try_from(length).is_ok_and(|length| length < size) {
            queue.lines.pop_front();
        }
        Ok(length)
    }
}

impl Engine {
    fn new() -> Result<Self, Failure> {
        let lines = Arc::<Lines>::default();
        let to = Arc::clone(&lines);
        let session = Session::new(Output::calling(move |line| to.push(line)), &DTM_TABLES)
            .map_err(|error| Failure::new(SakmakError::SAKMAK_ERROR_MEMORY, error))?;
        Ok(Self { session: Mutex::new(Some(session)), lines })
    }

    fn command(&self, line: &str) -> Result<i32, Failure> {
        let mut session = lock(&self.session);
        for line in line.lines() {
            if !session.as_mut().ok_or_else(ended)?.command(line) {
                let _end = EndOfLines(&self.lines);
                *session = None;
                break;
            }
        }
        Ok(0)
    }

    /// Ends the session, which stops its search.
    pub(crate) fn close(&self) {
        let _end = EndOfLines(&self.lines);
        *lock(&self.session) = None;
    }
}

/// Ends the lines when dropped, also if the session panics: readers wait for them.
struct EndOfLines<'a>(&'a Lines);

impl Drop for EndOfLines<'_> {
    fn drop(&mut self) {
        self.0.end();
    }
}

fn ended() -> Failure {
    Failure::new(SakmakError::SAKMAK_ERROR_ENDED, "the engine has ended")
}

/// A new engine, which searches in threads of its own. Returns 0 if there is no memory.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_new() -> SakmakHandle {
    guard_with(0, |_| 0, || Ok(handles::add_engine(Engine::new()?)))
}

/// Executes a line of UCI, or several. A `go` returns before its search ends, whose lines are fetched by
/// sakmak_next_line; behind a new size of the transposition table it takes as long as to clear that. After `quit` the
/// last lines can still be fetched, and the handle is still to be freed.
///
/// # Safety
/// `line` is NULL, or ends with NUL.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_command(engine: SakmakHandle, line: *const c_char) -> i32 {
    guard(engine, || {
        // SAFETY: by the contract of this function.
        let line = unsafe { border::text(line, "line") }?;
        with_engine(engine, |engine| engine.command(line))
    })
}

/// Fetches the next line that the engine has written, without its end, and waits for it if there is none yet: at most
/// `milliseconds`, or without end if that is negative. Returns SAKMAK_NO_LINE if there was none in that time, and
/// SAKMAK_ERROR_ENDED if none will come. A line whose length is not below `size` stays, and can be fetched with a larger
/// buffer: a loop has to end there, or it gets the same line for ever.
///
/// # Safety
/// `buffer` is NULL, or has `size` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_next_line(
    engine: SakmakHandle,
    buffer: *mut c_char,
    size: usize,
    milliseconds: i32,
) -> i32 {
    guard(engine, || {
        let time = u64::try_from(milliseconds).ok().map(Duration::from_millis);
        let size = if buffer.is_null() { 0 } else { size };
        // SAFETY: by the contract of this function.
        let write = |line: &str| unsafe { border::write(line, buffer, size) };
        with_engine(engine, |engine| engine.lines.take(time, size, write))
    })
}

/// Evaluates with a network that is in memory, as the option EvalFile does with a file. `name` is what the engine's
/// message calls it.
///
/// # Safety
/// `name` is NULL, or ends with NUL; `bytes` is NULL, or has `length` bytes.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn sakmak_load_network(
    engine: SakmakHandle,
    name: *const c_char,
    bytes: *const u8,
    length: usize,
) -> i32 {
    guard(engine, || {
        // SAFETY: by the contract of this function.
        let (name, bytes) = unsafe { (border::text(name, "name")?, border::bytes(bytes, length)?) };
        with_engine(engine, |engine| {
            let mut session = lock(&engine.session);
            let loaded = session.as_mut().ok_or_else(ended)?.load_network(name, bytes);
            loaded.map_err(|error| Failure::new(SakmakError::SAKMAK_ERROR_NETWORK, error))?;
            Ok(0)
        })
    })
}
