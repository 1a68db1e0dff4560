//! Parts of a pass over an ending, on one thread or several.

use std::sync::{Mutex, PoisonError};

use super::solver::SolveError;

/// Items (rows or placements) in a chunk, the part of a pass that one thread takes at a time.
pub(super) const CHUNK: usize = 4096;
/// Chunks that each of several threads takes in a batch.
const CHUNKS_PER_THREAD: usize = 16;

/// A vector of `number` equal items.
///
/// # Errors
/// If that would leave less than some megabytes for all else.
pub(super) fn filled<T: Clone>(item: T, number: usize) -> Result<Vec<T>, SolveError> {
    const SPARE: usize = 24 << 20;
    Vec::<u8>::new().try_reserve_exact(number * size_of::<T>() + SPARE)?;
    let mut vector = Vec::new();
    vector.try_reserve_exact(number)?;
    vector.resize(number, item);
    Ok(vector)
}

/// The chunks of a pass that have been taken.
#[derive(Default)]
pub(super) struct Pass(usize);

impl Pass {
    /// Takes the next batch of chunks for `threads` threads: how many to skip, and how many to take at most.
    pub(super) fn next(&mut self, threads: usize) -> (usize, usize) {
        let batch = if threads > 1 { threads * CHUNKS_PER_THREAD } else { 1 };
        self.0 += batch;
        (self.0 - batch, batch)
    }

    /// Whether all chunks of `items` have been taken. Then the next pass begins.
    pub(super) fn is_over(&mut self, items: usize) -> bool {
        let over = self.0 * CHUNK >= items;
        if over {
            self.0 = 0;
        }
        over
    }
}

/// Calls `work` for every item, on `threads` threads, and returns the sum of the results.
pub(super) fn for_each<T: Send>(
    threads: usize,
    items: impl Iterator<Item = T> + Send,
    work: impl Fn(T) -> usize + Sync,
) -> usize {
    if threads <= 1 {
        return items.map(work).sum();
    }
    let items = Mutex::new(items);
    let next = || items.lock().unwrap_or_else(PoisonError::into_inner).next();
    let run = || std::iter::from_fn(next).map(&work).sum::<usize>();
    std::thread::scope(|scope| {
        // The running threads do the work of those that the system refuses.
        let spawn = |_| std::thread::Builder::new().spawn_scoped(scope, run).ok();
        let others: Vec<_> = (1..threads).map_while(spawn).collect();
        let own = run();
        // A panic goes on in this thread.
        let join = |other: std::thread::ScopedJoinHandle<'_, usize>| {
            other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic))
        };
        own + others.into_iter().map(join).sum::<usize>()
    })
}
