//! Standard input and output of a session on Unix: reacts to `quit` and the end of input even while the output is
//! blocked, because its reader sleeps.
//!
//! While the output is not blocked, nothing is read ahead. No thread is needed.

use std::io::{self, BufRead, Read, Write};
use std::process::exit;
use std::sync::atomic::{AtomicU8, Ordering::SeqCst};
use std::sync::{Arc, Mutex, PoisonError, TryLockError};
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::AsFd;
use rustix::io::Errno;

/// How long the output may be blocked after `quit`, whose sender may read no more.
const AFTER_QUIT: Duration = Duration::from_secs(1);
/// How long it may be blocked after the end of input: the reader may be a person with a pager.
const AFTER_END: Duration = Duration::from_secs(10);
/// How often a blocked output is polled.
const STEP: Duration = Duration::from_millis(100);
/// Bytes that a pipe that is ready takes at once: `PIPE_BUF`, or less.
const CHUNK: usize = 512;
/// Most bytes read ahead while the output is blocked.
const MOST_AHEAD: usize = 64 << 20;

/// Standard input, which a blocked writer reads ahead.
struct Input {
    state: Mutex<State>,
    /// Whether and how the input has ended: one of the constants below.
    ended: AtomicU8,
}

const NOT_ENDED: u8 = 0;
const QUIT: u8 = 1;
const END: u8 = 2;

#[derive(Default)]
struct State {
    /// Bytes read ahead.
    ahead: Vec<u8>,
    /// The beginning of the current line.
    line: Vec<u8>,
}

/// Input and output for [`sakmak_engine::uci::run`].
pub(crate) fn standard() -> (impl BufRead + Send, impl Write + Send + 'static) {
    let input = Arc::new(Input { state: Mutex::default(), ended: AtomicU8::new(NOT_ENDED) });
    (Reader { input: Arc::clone(&input), bytes: Vec::new(), at: 0 }, Writer { input })
}

impl Input {
    /// Waits for more bytes and adds them to those read ahead; adds none at the end of input.
    fn read(&self, state: &mut State) -> io::Result<()> {
        let mut bytes = [0; 4096];
        let length = match rustix::io::retry_on_intr(|| rustix::io::read(rustix::stdio::stdin(), &mut bytes))
        {
            Ok(length) => length,
            Err(error) => {
                self.end(END);
                return Err(error.into());
            }
        };
        if length == 0 {
            self.end(END);
        }
        for &byte in &bytes[..length] {
            if byte == b'\n' {
                if state.line.trim_ascii().split(u8::is_ascii_whitespace).next() == Some(b"quit") {
                    self.end(QUIT);
                }
                state.line.clear();
            } else if state.line.len() < CHUNK {
                state.line.push(byte);
            }
        }
        state.ahead.extend_from_slice(&bytes[..length]);
        Ok(())
    }

    fn end(&self, how: u8) {
        // The first end counts.
        let _ = self.ended.compare_exchange(NOT_ENDED, how, SeqCst, SeqCst);
    }

    /// Reads available bytes without waiting. Does nothing while another thread reads, which then sees the end.
    fn read_ahead(&self) {
        let mut state = match self.state.try_lock() {
            Ok(state) => state,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => return,
        };
        while self.ended.load(SeqCst) == NOT_ENDED
            && state.ahead.len() < MOST_AHEAD
            && is_ready(rustix::stdio::stdin(), PollFlags::IN, Duration::ZERO)
            && self.read(&mut state).is_ok()
        {}
    }
}

/// Whether a read or write is possible without waiting, `within` a time.
fn is_ready(file: impl AsFd, flags: PollFlags, within: Duration) -> bool {
    let timeout = Timespec { tv_sec: within.as_secs() as i64, tv_nsec: i64::from(within.subsec_nanos()) };
    match poll(&mut [PollFd::new(&file, flags)], Some(&timeout)) {
        Ok(ready) => ready > 0,
        Err(Errno::INTR) => false,
        // The operation itself will report the error.
        Err(_) => true,
    }
}

struct Reader {
    input: Arc<Input>,
    bytes: Vec<u8>,
    at: usize,
}

impl BufRead for Reader {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.at == self.bytes.len() {
            let mut state = self.input.state.lock().unwrap_or_else(PoisonError::into_inner);
            if state.ahead.is_empty() && self.input.ended.load(SeqCst) != END {
                self.input.read(&mut state)?;
            }
            (self.bytes, self.at) = (std::mem::take(&mut state.ahead), 0);
        }
        Ok(&self.bytes[self.at..])
    }

    fn consume(&mut self, amount: usize) {
        self.at += amount;
    }
}

impl Read for Reader {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let found = self.fill_buf()?;
        let length = found.len().min(bytes.len());
        bytes[..length].copy_from_slice(&found[..length]);
        self.consume(length);
        Ok(length)
    }
}

struct Writer {
    input: Arc<Input>,
}

impl Write for Writer {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let output = rustix::stdio::stdout();
        let begun = Instant::now();
        while !is_ready(output, PollFlags::OUT, STEP) {
            self.input.read_ahead();
            match self.input.ended.load(SeqCst) {
                QUIT if begun.elapsed() >= AFTER_QUIT => exit(0),
                END if begun.elapsed() >= AFTER_END => leave_unread(),
                _ => {}
            }
        }
        let chunk = &bytes[..bytes.len().min(CHUNK)];
        Ok(rustix::io::retry_on_intr(|| rustix::io::write(output, chunk))?)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Ends the program with an error: part of the output is lost.
fn leave_unread() -> ! {
    // Standard error may be blocked, too.
    if is_ready(rustix::stdio::stderr(), PollFlags::OUT, Duration::ZERO) {
        let seconds = AFTER_END.as_secs();
        crate::print_line(&format_args!(
            "error: nobody has read the output for {seconds} seconds; the rest of it is lost"
        ));
    }
    exit(1)
}
