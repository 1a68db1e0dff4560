//! The output of `eval`: the evaluation explained.

use sakmak_eval::Evaluator;
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::Position;

use super::report;
use crate::Engine;

/// The explanation of a position.
pub(super) struct Explanation {
    position: Position,
    evaluator: Evaluator,
    tables: Tablebases,
}

impl Explanation {
    /// For the engine's position.
    pub(super) fn of(engine: &Engine) -> Self {
        let settings = engine.settings();
        let mut evaluator = Evaluator::new(engine.dtm_tables());
        evaluator.set_network(&settings.network);
        let tables = settings.probing.tables.with_pairs(engine.dtm_tables(), true).solving().deferring();
        Self { position: engine.position().clone(), evaluator, tables }
    }

    /// The text to print, and whether all tablebases and DTM tables that it needs are solved.
    pub(super) fn text(&mut self) -> (String, bool) {
        self.evaluator.forget_missed();
        let mut text = self.evaluator.explain(&self.position).trim_end().to_owned();
        let probe = self.tables.probe(&self.position);
        if let Some(probe) = &probe {
            text = text + "\n" + &report::table_value(probe);
        }
        let is_known = probe.is_some() || !self.tables.lacks_own(&self.position);
        (text, is_known && !self.evaluator.has_missed_table())
    }

    /// Works for some milliseconds on a table that [`Explanation::text`] lacked. Returns `false` if none is missing any
    /// more.
    pub(super) fn solve_next(&self) -> bool {
        self.evaluator.solve_missed() || self.tables.solve_missed()
    }
}
