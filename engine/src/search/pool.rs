//! The thread pool: each search thread is started once, owns a worker, and waits for work between searches.

use std::io;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::mpsc::{Sender, channel};
use std::thread::JoinHandle;

use sakmak_eval::DtmTables;

use super::worker::Worker;
use crate::memory;
use crate::threads::{self, ADDRESS_SPACE};

/// Memory that starting threads must leave free, in bytes.
pub(crate) const SPARE_MEMORY: usize = 32 << 20;

type Work = Box<dyn FnOnce(&mut Worker) + Send>;

/// The search threads.
pub(crate) struct ThreadPool {
    /// The DTM tables of all workers.
    tables: DtmTables,
    threads: Vec<PoolThread>,
}

struct PoolThread {
    work: Sender<Work>,
    thread: JoinHandle<()>,
}

impl PoolThread {
    fn start(mut worker: Worker, tables: DtmTables) -> io::Result<Self> {
        let (sender, receiver) = channel::<Work>();
        let serve = move || {
            for work in receiver {
                // After a panic the state of the worker is undefined. (The search catches its own panics earlier.)
                if catch_unwind(AssertUnwindSafe(|| work(&mut worker))).is_err() {
                    worker = Worker::new(&tables);
                }
            }
        };
        Ok(Self { work: sender, thread: threads::start(serve)? })
    }
}

impl ThreadPool {
    /// A pool without threads, whose workers will probe `tables`.
    pub(crate) fn new(tables: &DtmTables) -> Self {
        Self { tables: tables.clone(), threads: Vec::new() }
    }

    /// Number of threads.
    pub(crate) fn len(&self) -> usize {
        self.threads.len()
    }

    /// Starts or ends threads until there are `number`, or as many as memory and the system allow.
    ///
    /// # Errors
    /// Why there are fewer than `number`; [`io::ErrorKind::OutOfMemory`] where memory is the reason.
    pub(crate) fn resize(&mut self, number: usize) -> io::Result<()> {
        self.truncate(number);
        let missing = number - self.len();
        if missing == 0 {
            return Ok(());
        }
        let mut workers = Vec::new();
        let mut result = Ok(());
        let total = memory::total();
        while workers.len() < missing {
            let count = self.len() + workers.len() + 1;
            let needed = Worker::BYTES + (workers.len() + 1) * ADDRESS_SPACE + SPARE_MEMORY;
            // The system may refuse to reserve more than half of the memory at once, even if it is never used.
            let fits = count * Worker::BYTES <= total && memory::is_left(needed.min(total / 2));
            if count > 1 && !fits {
                result = Err(io::ErrorKind::OutOfMemory.into());
                break;
            }
            workers.push(Worker::new(&self.tables));
        }
        // The stacks of the threads must not take the last of the memory.
        let _spare = if number > 1 { memory::reserve(SPARE_MEMORY / 2)? } else { Vec::new() };
        for worker in workers {
            self.threads.push(PoolThread::start(worker, self.tables.clone())?);
        }
        result
    }

    /// Ends threads until there are at most `number`.
    pub(crate) fn truncate(&mut self, number: usize) {
        let surplus = self.threads.split_off(number.min(self.len()));
        let threads: Vec<_> = surplus.into_iter().map(|PoolThread { work: _, thread }| thread).collect();
        for thread in threads {
            // The thread catches its panics.
            let _ = thread.join();
        }
    }

    /// Queues work for a thread.
    pub(crate) fn submit(&self, index: usize, work: impl FnOnce(&mut Worker) + Send + 'static) {
        // A thread receives until its sender is dropped.
        let _ = self.threads[index].work.send(Box::new(work));
    }

    /// Has every thread do `work` with its worker, and waits until all have.
    pub(crate) fn for_each(&self, work: impl Fn(&mut Worker) + Clone + Send + 'static) {
        let (sender, done) = channel::<()>();
        for index in 0..self.len() {
            let (work, sender) = (work.clone(), sender.clone());
            self.submit(index, move |worker| {
                work(worker);
                drop(sender);
            });
        }
        drop(sender);
        // Nothing is sent: `recv` returns when the last sender is dropped.
        let _ = done.recv();
    }
}

impl Drop for ThreadPool {
    fn drop(&mut self) {
        self.truncate(0);
    }
}
