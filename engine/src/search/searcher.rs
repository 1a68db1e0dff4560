//! A search on the calling thread.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use sakmak_eval::DtmTables;

use super::{Reporter, SearchInfo, SearchRequest, SearchResult, Signals, Worker, run};
use crate::tt::{HashAllocationError, TranspositionTable};

/// A transposition table and a worker that search on the calling thread.
///
/// A new or cleared searcher always takes the same number of nodes for the same request, unless time ends the search.
///
/// ```
/// use sakmak_engine::score::Score;
/// use sakmak_engine::{Limits, SearchInfo, SearchRequest, Searcher};
/// use sakmak_movegen::Position;
///
/// // Two rua against a bare khun, with 15 plies left by the count.
/// let position = Position::from_fen("7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30")?;
/// let mut searcher = Searcher::new(16)?; // MiB
/// let request = SearchRequest::new(position, Limits::depth(8));
/// let result = searcher.search_with(&request, &mut |info: SearchInfo| {
///     println!("depth {}: {} for the side to move", info.depth, info.score);
/// });
/// let best = result.best().ok_or("no legal move")?;
/// assert_eq!(Score::from_search(best.score), Score::Mate(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    tt: TranspositionTable,
    worker: Worker,
    signals: Arc<Signals>,
}

impl Searcher {
    /// A searcher with a transposition table of `hash_mb` MiB.
    ///
    /// # Errors
    /// If there is no memory for the table.
    pub fn new(hash_mb: usize) -> Result<Self, HashAllocationError> {
        let worker = Worker::new(&DtmTables::default());
        Ok(Self { tt: TranspositionTable::new(hash_mb)?, worker, signals: Arc::default() })
    }

    /// A searcher that shares these tables of distances to mate, so that none is solved twice.
    pub fn with_dtm_tables(self, tables: &DtmTables) -> Self {
        Self { worker: Worker::new(tables), ..self }
    }

    /// A searcher that is stopped by these signals.
    pub(crate) fn with_signals(self, signals: Arc<Signals>) -> Self {
        Self { signals, ..self }
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.tt.clear(1);
        self.worker.clear_histories();
    }

    /// The signals by which another thread, or the reporter, ends the search. They are reset when it has ended.
    pub fn signals(&self) -> Arc<Signals> {
        Arc::clone(&self.signals)
    }

    /// The transposition table as the searches so far have left it.
    pub fn tt(&self) -> &TranspositionTable {
        &self.tt
    }

    /// Searches without reports.
    pub fn search(&mut self, request: &SearchRequest) -> SearchResult {
        self.search_with(request, &mut |_: SearchInfo| ())
    }

    /// Searches and hands every finished iteration to `reporter`.
    pub fn search_with(&mut self, request: &SearchRequest, reporter: &mut dyn Reporter) -> SearchResult {
        self.tt.new_search();
        let result = run(request, &self.tt, &self.signals, &mut self.worker, reporter);
        self.signals.stop.store(false, SeqCst);
        result
    }
}
