//! Endgame tables that the client fetches.

use sakmak_eval::tablebase::{FormatError, RemoteTables, TableFault, WantedBytes};
use wasm_bindgen::prelude::wasm_bindgen;

use crate::UciSession;
use crate::questions::tablebase_positions;

/// The code of a fault in TypeScript's `TableProblem`.
fn code_of(fault: &TableFault) -> &'static str {
    match fault {
        TableFault::Answer { .. } => "tables.length",
        TableFault::Format(FormatError::Length { .. }) => "tables.changed",
        TableFault::Format(FormatError::Checksum { .. }) => "tables.checksum",
        _ => "tables.format",
    }
}

/// Each range as three words: the file, the first byte, and that after the last one.
fn words(ranges: Vec<WantedBytes>) -> Vec<String> {
    let words =
        |wanted: WantedBytes| [wanted.file, wanted.range.start.to_string(), wanted.range.end.to_string()];
    ranges.into_iter().flat_map(words).collect()
}

#[wasm_bindgen]
impl UciSession {
    /// Probes tables that the client fetches. `endings` are those that have a file, if that is known; names that are no
    /// endings are left out.
    #[wasm_bindgen(js_name = setTables)]
    pub fn set_tables(&mut self, endings: Option<Vec<String>>, store_bytes: usize) {
        let endings: Option<Vec<_>> =
            endings.map(|names| names.iter().filter_map(|name| name.parse().ok()).collect());
        self.session.use_remote_tables(Some(&RemoteTables::new(endings.as_deref(), store_bytes)));
    }

    /// Probes no tables that the client fetches.
    #[wasm_bindgen(js_name = leaveTables)]
    pub fn leave_tables(&mut self) {
        self.session.use_remote_tables(None);
    }

    /// The byte ranges that a search of the current position lacks, or a question, in words of three.
    #[wasm_bindgen(js_name = missingTables)]
    pub fn missing_tables(&self, question: Option<String>) -> Vec<String> {
        words(match question {
            None => self.session.missing_tables(),
            Some(question) => {
                let tables = &self.session.engine().settings().probing.tables;
                tables.missing_for(&tablebase_positions(&question))
            }
        })
    }

    /// Takes bytes of a file. Returns a code and a message if they are wrong, else nothing.
    #[wasm_bindgen(js_name = supplyTable)]
    pub fn supply_table(
        &self,
        file: String,
        start: f64,
        end: f64,
        bytes: &[u8],
        file_bytes: Option<f64>,
    ) -> Vec<String> {
        let Some(remote) = self.session.remote_tables() else { return Vec::new() };
        let wanted = WantedBytes { file, range: start as u64..end as u64 };
        match remote.supply(&wanted, bytes, file_bytes.map(|bytes| bytes as u64)) {
            Ok(()) => Vec::new(),
            Err(error) => vec![code_of(&error.fault).to_owned(), error.to_string()],
        }
    }

    /// Takes a file as absent.
    #[wasm_bindgen(js_name = setTableAbsent)]
    pub fn set_table_absent(&self, file: &str) {
        if let Some(remote) = self.session.remote_tables() {
            remote.set_absent(file);
        }
    }
}
