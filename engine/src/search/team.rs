//! One search by several threads.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::mpsc::{Receiver, channel};

use super::{
    Counters, Reporter, SearchInfo, SearchRequest, SearchResult, Shared, Signals, Worker, WorkerResult,
    combine_results, deepen_catching_panics, poll_interval,
};
use crate::pool::ThreadPool;
use crate::threads::Gate;
use crate::tt::TranspositionTable;

/// A search and the helpers that wait to take part in it.
pub(crate) struct Team {
    owner: Arc<SharedOwner>,
    /// The outcomes of the helpers; ends when all have ended.
    helpers: Receiver<(usize, WorkerResult)>,
}

/// What all threads share.
struct SharedOwner {
    request: SearchRequest,
    tt: Arc<TranspositionTable>,
    signals: Arc<Signals>,
    counters: Vec<Counters>,
    start: Gate,
}

impl SharedOwner {
    fn shared(&self) -> Shared<'_> {
        let Self { request, tt, signals, counters, .. } = self;
        Shared { request, tt, signals, counters, poll_interval: poll_interval(counters.len()) }
    }
}

impl Team {
    /// Prepares a search with `threads` threads of the pool: all but the first wait as helpers from now on.
    pub(crate) fn new(
        request: SearchRequest,
        tt: Arc<TranspositionTable>,
        signals: Arc<Signals>,
        pool: &ThreadPool,
        threads: usize,
    ) -> Self {
        let threads = threads.min(pool.len()).max(1);
        let counters = (0..threads).map(|_| Counters::default()).collect();
        let owner = Arc::new(SharedOwner { request, tt, signals, counters, start: Gate::default() });
        let (sender, helpers) = channel();
        for id in 1..threads {
            let (owner, sender) = (Arc::clone(&owner), sender.clone());
            pool.submit(id, move |worker| {
                owner.start.wait();
                let outcome = deepen_catching_panics(worker, &owner.shared(), id, &mut |_: SearchInfo| ());
                // Once all outcomes have arrived, the receiver is the only owner of the table.
                drop(owner);
                let _ = sender.send((id, outcome));
            });
        }
        Self { owner, helpers }
    }

    /// What is searched.
    pub(crate) fn request(&self) -> &SearchRequest {
        &self.owner.request
    }

    /// Searches with `worker` as the main thread; `reporter` gets every finished iteration.
    pub(crate) fn search(&self, worker: &mut Worker, reporter: &mut dyn Reporter) -> SearchResult {
        let shared = self.owner.shared();
        self.owner.start.open();
        let main = deepen_catching_panics(worker, &shared, 0, reporter);
        let mut helpers = self.end_helpers();
        // Ties in the vote go to the first thread.
        helpers.sort_by_key(|(id, _)| *id);
        let outcomes = std::iter::once(main).chain(helpers.into_iter().map(|(_, outcome)| outcome));
        combine_results(&shared, outcomes.collect(), reporter)
    }

    /// Stops the helpers and waits until they have ended.
    fn end_helpers(&self) -> Vec<(usize, WorkerResult)> {
        self.owner.signals.stop.store(true, Relaxed);
        self.owner.start.open();
        self.helpers.iter().collect()
    }
}

impl Drop for Team {
    fn drop(&mut self) {
        // Helpers still wait if the main thread did not search, or search if it panicked while it reported.
        self.end_helpers();
    }
}
