//! Starting threads, which the system may refuse, and messages of panics.

use std::any::Any;
use std::io;
use std::sync::{Condvar, Mutex, PoisonError};
use std::thread::{Builder, JoinHandle, Scope, ScopedJoinHandle};

/// Stack of every thread started here, in bytes.
pub(crate) const STACK: usize = 2 << 20;

/// Address space a thread takes: its stack, and what glibc's allocator reserves for it. WebAssembly has one heap for all
/// threads, which never shrinks.
pub(crate) const ADDRESS_SPACE: usize = STACK + if cfg!(target_family = "wasm") { 0 } else { 64 << 20 };

/// Starts a thread.
///
/// # Errors
/// If the system refuses it; `work` is then dropped.
pub(crate) fn start<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> io::Result<JoinHandle<T>> {
    #[cfg(test)]
    tests::permit()?;
    Builder::new().stack_size(STACK).spawn(work)
}

/// Starts a thread that may borrow from outside of `scope`.
///
/// # Errors
/// As [`start`].
pub(crate) fn start_scoped<'scope, T: Send + 'scope>(
    scope: &'scope Scope<'scope, '_>,
    work: impl FnOnce() -> T + Send + 'scope,
) -> io::Result<ScopedJoinHandle<'scope, T>> {
    #[cfg(test)]
    tests::permit()?;
    Builder::new().stack_size(STACK).spawn_scoped(scope, work)
}

/// The message of a panic.
pub(crate) fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    text.or_else(|| panic.downcast_ref().cloned()).unwrap_or_else(|| "panic".to_owned())
}

/// Blocks the helper threads until all have been given their work: where threads outnumber cores, those already
/// searching would delay the thread that starts the others.
#[derive(Default)]
pub(crate) struct Gate {
    is_open: Mutex<bool>,
    opened: Condvar,
}

impl Gate {
    pub(crate) fn wait(&self) {
        let mut is_open = self.is_open.lock().unwrap_or_else(PoisonError::into_inner);
        while !*is_open {
            is_open = self.opened.wait(is_open).unwrap_or_else(PoisonError::into_inner);
        }
    }

    pub(crate) fn open(&self) {
        *self.is_open.lock().unwrap_or_else(PoisonError::into_inner) = true;
        self.opened.notify_all();
    }
}

#[cfg(test)]
pub(crate) mod tests {
    use std::cell::Cell;
    use std::io;

    thread_local! {
        /// How many more threads this thread may start.
        static PERMITS: Cell<usize> = const { Cell::new(usize::MAX) };
    }

    /// Calls `work`, which may start no more than `permits` threads.
    pub(crate) fn with_permits<T>(permits: usize, work: impl FnOnce() -> T) -> T {
        let before = PERMITS.replace(permits);
        let result = work();
        PERMITS.set(before);
        result
    }

    pub(super) fn permit() -> io::Result<()> {
        let left = PERMITS.get().checked_sub(1).ok_or(io::ErrorKind::WouldBlock)?;
        PERMITS.set(left);
        Ok(())
    }
}
