//! The output of `eval`: the evaluation explained.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use sakmak_eval::network::Network;
use sakmak_eval::tablebase::Tablebases;
use sakmak_eval::{DtmTables, Evaluator};
use sakmak_movegen::Position;

use super::report;
use crate::Engine;

/// The inputs of the explanation of a position.
pub(super) struct Explanation {
    position: Position,
    network: Arc<Network>,
    pairs: DtmTables,
    tables: Tablebases,
}

impl Explanation {
    /// For the engine's position.
    pub(super) fn of(engine: &Engine) -> Self {
        let settings = engine.settings();
        Self {
            position: engine.position().clone(),
            network: Arc::clone(&settings.network),
            pairs: engine.dtm_tables().clone(),
            tables: settings.probing.tables.clone(),
        }
    }

    /// The text to print, and whether all tablebases and DTM tables that it needs were solved. With `stop`, solves them
    /// until it is set.
    pub(super) fn text(&self, stop: Option<&Arc<AtomicBool>>) -> (String, bool) {
        let mut evaluator = Evaluator::new(&self.pairs);
        evaluator.set_network(&self.network);
        let mut tables = self.tables.with_pairs(&self.pairs, stop.is_some());
        if let Some(stop) = stop {
            evaluator.solve_missing_tables(true);
            evaluator.stop_solving_with(stop);
            tables = tables.solving().stopped_by(stop);
        }
        let mut text = evaluator.explain(&self.position).trim_end().to_owned();
        let probe = tables.probe(&self.position);
        if let Some(probe) = &probe {
            text = text + "\n" + &report::table_value(probe);
        }
        (text, !evaluator.has_missed_table() && (probe.is_some() || !tables.lacks_own(&self.position)))
    }
}
