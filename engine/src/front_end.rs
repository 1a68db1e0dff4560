//! What the sessions of both protocols have in common: the engine, its options, and where messages go.

use sakmak_eval::DtmTables;
use sakmak_eval::network::{Network, NetworkError};
use sakmak_eval::tablebase::RemoteTables;

use crate::engine::{Engine, EngineSettings, Refusal};
use crate::options::{OptionError, Options};
use crate::output::Output;
use crate::search::Listener;
use crate::time::Limits;
use crate::tt::HashAllocationError;

/// Makes an engine: [`Engine::with_dtm_tables`] or [`Engine::on_calling_thread`].
pub(crate) type MakeEngine = fn(EngineSettings, &DtmTables) -> Result<Engine, HashAllocationError>;

pub(crate) struct FrontEnd {
    pub(crate) engine: Engine,
    pub(crate) options: Options,
    pub(crate) output: Output,
    /// Number of damaged tablebases reported.
    damaged_tables: usize,
}

impl FrontEnd {
    /// A front end with the default size of the transposition table, or the largest half, quarter and so on of it that
    /// there is memory for.
    pub(crate) fn new(
        output: Output,
        dtm_tables: &DtmTables,
        make: MakeEngine,
    ) -> Result<Self, HashAllocationError> {
        let mut options = Options::default();
        let mut settings = options.settings();
        let mut refused = None;
        let engine = loop {
            match make(settings.clone(), dtm_tables) {
                Ok(engine) => break engine,
                Err(error) if settings.hash_mb <= 1 => return Err(error),
                Err(error) => refused = refused.or(Some(error)),
            }
            settings.hash_mb /= 2;
        };
        if let Some(error) = refused {
            options.accept(&settings);
            output.comment(&format!("{error}; it has {} MB", settings.hash_mb));
        }
        Ok(Self { engine, options, output, damaged_tables: 0 })
    }

    /// The same with comments in the form of XBoard's protocol.
    pub(crate) fn for_xboard(self) -> Self {
        Self { output: self.output.for_xboard(), ..self }
    }

    /// Sets an option, passes it to the engine, and reports what came of it. Some options take effect at the next
    /// search.
    pub(crate) fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), OptionError> {
        self.options.set(name, value)?;
        self.apply_options();
        Ok(())
    }

    /// Uses the network of a file's bytes, and reports that as for the option `EvalFile`.
    pub(crate) fn load_network(&mut self, name: &str, bytes: &[u8]) -> Result<(), NetworkError> {
        let loaded = Network::from_bytes(bytes);
        let result = loaded.as_ref().map(|_| ()).map_err(Clone::clone);
        self.options.use_network(name, loaded);
        self.apply_options();
        result
    }

    /// Changes settings that no option sets, and passes them to the engine.
    pub(crate) fn change_settings(&mut self, change: impl FnOnce(&mut EngineSettings)) {
        change(self.options.own_settings());
        self.apply_options();
    }

    /// Probes remote tablebase files from the next search on, or none.
    pub(crate) fn use_remote_tables(&mut self, remote: Option<&RemoteTables>) {
        self.options.use_remote_tables(remote);
        self.apply_options();
    }

    fn apply_options(&mut self) {
        self.output.comments(&std::mem::take(&mut self.options.messages));
        if let Some(path) = self.options.debug_log.take()
            && let Err(error) = self.output.set_log(path.as_deref())
        {
            self.output.comment(&format!("debug log not written: {error}"));
        }
        if std::mem::take(&mut self.options.clear_hash) {
            self.engine.new_game();
        }
        *self.engine.settings_mut() = self.options.settings();
        self.output.comments(&self.engine.apply_rules());
    }

    /// Gives the transposition table its size and starts the threads, unless a search runs.
    pub(crate) fn apply(&mut self) {
        let refusals = self.engine.apply();
        self.report_refusals(&refusals);
    }

    /// Starts a search.
    pub(crate) fn go(&mut self, limits: Limits, listener: impl Listener + Send + 'static) {
        let refusals = self.engine.go(limits, listener);
        self.report_refusals(&refusals);
    }

    /// Reports options that the machine cannot meet, and sets them to what it can.
    fn report_refusals(&mut self, refusals: &[Refusal]) {
        self.options.accept(self.engine.settings());
        self.output.comments(refusals);
    }

    /// Reports tablebases that a search has found damaged.
    pub(crate) fn report_damage(&mut self) {
        let tables = &self.engine.settings().probing.tables;
        let damaged: Vec<_> = tables.damaged().map(|path| path.display().to_string()).collect();
        for path in damaged.iter().skip(self.damaged_tables) {
            self.output.comment(&format!("endgame table not used any more: {path}: damaged"));
        }
        self.damaged_tables = damaged.len();
    }
}
