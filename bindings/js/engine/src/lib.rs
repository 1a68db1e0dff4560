//! The UCI engine for JavaScript: a session that searches on the calling thread, a worker's, in slices.

use std::time::Duration;

use sakmak_engine::uci::{Output, Session};
use wasm_bindgen::prelude::wasm_bindgen;

/// A session of UCI and what it has written.
#[wasm_bindgen]
pub struct UciSession {
    session: Session,
    output: Output,
}

#[wasm_bindgen]
impl UciSession {
    /// A session.
    ///
    /// # Errors
    /// If there is no memory for the smallest transposition table.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Result<UciSession, String> {
        let output = Output::buffer();
        let session = Session::on_calling_thread(output.clone(), &Default::default());
        Ok(Self { session: session.map_err(|error| error.to_string())?, output })
    }

    /// Executes a line. Returns `false` after `quit`.
    pub fn command(&mut self, line: &str) -> bool {
        self.session.command(line)
    }

    /// Searches for about so many milliseconds; with `u32::MAX` to the end, node by node like the native program.
    /// Returns whether there is more to do before the next command.
    pub fn step(&mut self, milliseconds: u32) -> bool {
        let budget =
            if milliseconds == u32::MAX { Duration::MAX } else { Duration::from_millis(milliseconds.into()) };
        self.session.step(budget)
    }

    /// Does all that has an end, and stops the rest.
    pub fn finish(&mut self) {
        self.session.finish();
    }

    /// Removes what was written, and returns it.
    pub fn take(&self) -> String {
        self.output.take()
    }

    /// Evaluates with the network in these bytes. Writes whether it could be used, and returns that.
    #[wasm_bindgen(js_name = loadNetwork)]
    pub fn load_network(&mut self, name: &str, bytes: &[u8]) -> bool {
        self.session.load_network(name, bytes).is_ok()
    }
}
