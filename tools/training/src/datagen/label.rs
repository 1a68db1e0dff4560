//! Short searches whose scores are the training targets.

use anyhow::{Result, bail};
use sakmak_engine::{Limits, SearchRequest, Searcher};
use sakmak_eval::DtmTables;
use sakmak_movegen::Position;

use sakmak_dataset::games::Ply;

/// Searches positions with a soft node limit, so that every score comes from a finished iteration.
pub(crate) struct LabelSearcher {
    searcher: Searcher,
    limits: Limits,
}

impl LabelSearcher {
    /// A searcher that starts no iteration after `nodes` nodes and stops a running one after `max_nodes`.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub(crate) fn new(hash_mb: usize, nodes: u64, max_nodes: u64, tables: &DtmTables) -> Result<Self> {
        let searcher = Searcher::new(hash_mb)?.with_dtm_tables(tables);
        let limits = Limits { soft_nodes: Some(nodes), ..Limits::nodes(max_nodes) };
        Ok(Self { searcher, limits })
    }

    /// Clears transposition table and histories.
    pub(crate) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The best move of a position with its score; `None` if there is no move. `keys` are those of the positions that
    /// can be repeated, this one's last.
    ///
    /// # Errors
    /// If the search panicked: its move is worthless.
    pub(crate) fn search(&mut self, position: &Position, keys: &[u64]) -> Result<Option<Ply>> {
        let request = SearchRequest::new(position.clone(), self.limits.clone());
        let result = self.searcher.search(&SearchRequest { keys: keys.to_vec(), ..request });
        if let Some(warning) = result.warnings.first() {
            bail!("self-play: {warning}");
        }
        let bounds = (i32::from(i16::MIN), i32::from(i16::MAX));
        let ply = |mv, score: i32| Ply { mv, score: score.clamp(bounds.0, bounds.1) as i16 };
        Ok(result.best().map(|best| ply(best.mv, best.score)))
    }
}
