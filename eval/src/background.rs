//! Threads that solve endings in the background: their priority, and when they pause.

use std::io;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// The priority of the threads that solve endings in the background.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug)]
pub enum BackgroundPriority {
    /// On Linux nice 10: about a tenth of the time of a core that another thread also wants.
    #[default]
    Low,
    /// The priority of the starting thread, for programs that have nothing else to do until the endings are solved.
    Usual,
}

/// The searches on a clock, during which the threads in the background pause.
#[derive(Default, Debug)]
pub(crate) struct ClockSearches {
    priority: BackgroundPriority,
    number: Mutex<usize>,
    changed: Condvar,
}

/// Pauses the threads that solve endings in the background until it is dropped, see
/// [`DtmTables::pause_background`](crate::DtmTables::pause_background).
#[derive(Debug)]
pub struct BackgroundPause(Arc<ClockSearches>);

impl ClockSearches {
    pub(crate) fn new(priority: BackgroundPriority) -> Self {
        Self { priority, ..Self::default() }
    }

    fn lock(&self) -> MutexGuard<'_, usize> {
        self.number.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Notes that a search begins; it ends when the result is dropped.
    pub(crate) fn begin(self: &Arc<Self>) -> BackgroundPause {
        *self.lock() += 1;
        BackgroundPause(Arc::clone(self))
    }

    /// Wakes the waiting threads, which then check again whether they may work.
    pub(crate) fn wake(&self) {
        // A thread between its check and its wait holds the lock.
        drop(self.lock());
        self.changed.notify_all();
    }

    /// Waits until no search on a clock runs or `is_asked` returns true.
    pub(crate) fn wait_unless(&self, is_asked: impl Fn() -> bool) {
        let mut number = self.lock();
        while *number > 0 && !is_asked() {
            number = self.changed.wait(number).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Starts a thread that works in the background.
    ///
    /// # Errors
    /// If the system refuses the thread.
    pub(crate) fn start_thread(&self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let priority = self.priority;
        let in_background = move || {
            if priority == BackgroundPriority::Low {
                lower_priority();
            }
            work();
        };
        std::thread::Builder::new().name(name.to_owned()).spawn(in_background).map(drop)
    }
}

impl Drop for BackgroundPause {
    fn drop(&mut self) {
        *self.0.lock() -= 1;
        self.0.changed.notify_all();
    }
}

/// The nice value of [`BackgroundPriority::Low`].
#[cfg(target_os = "linux")]
const LOW_NICE: i32 = 10;

/// Lowers the priority of the calling thread. On Linux the nice value belongs to a thread, not to the process.
///
/// A process ends only once each of its threads has run again. Beside other busy threads one of nice 19 waits a second
/// for that, one of nice 10 a tenth of a second.
#[cfg(target_os = "linux")]
fn lower_priority() {
    let thread = Some(rustix::thread::gettid());
    if rustix::process::getpriority_process(thread).is_ok_and(|nice| nice < LOW_NICE) {
        // Only a filter of system calls can refuse it; the thread then keeps its priority.
        let _ = rustix::process::setpriority_process(thread, LOW_NICE);
    }
}

#[cfg(not(target_os = "linux"))]
fn lower_priority() {}
