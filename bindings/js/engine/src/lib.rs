//! The engine for JavaScript: a UCI session that searches on the calling thread, a worker's, in slices, and questions
//! that UCI has no command for: solved endings, reviews of games.
//!
//! A question is an object in JSON with an id, `{"ask": 1, "what": "endings", ...}`, see [`questions`]. Its answer is an
//! object with the same id. So the lines of UCI stay lines, and a client that sends only lines gets only lines.

mod endings;
mod position;
mod questions;
mod review;
mod tables;
#[cfg(target_os = "wasi")]
mod threads;

use std::time::Duration;

use sakmak_engine::uci::{Output, Session};
use wasm_bindgen::prelude::wasm_bindgen;

use questions::Questions;

/// A session of UCI, what it has written, and the questions that wait for their answers.
#[wasm_bindgen]
pub struct UciSession {
    session: Session,
    output: Output,
    questions: Questions,
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
        let session = session.map_err(|error| error.to_string())?;
        Ok(Self { session, output, questions: Questions::default() })
    }

    /// Executes a line. Returns `false` after `quit`. A line that begins or stops a search ends a review.
    pub fn command(&mut self, line: &str) -> bool {
        let goes_on = self.session.command(line);
        self.questions.end_stopped_review();
        goes_on
    }

    /// Searches, or works on a review, for about so many milliseconds; with `u32::MAX` to the end, node by node like the
    /// native program. Returns whether there is more to do before the next command.
    pub fn step(&mut self, milliseconds: u32) -> bool {
        let budget =
            if milliseconds == u32::MAX { Duration::MAX } else { Duration::from_millis(milliseconds.into()) };
        let more = self.session.step(budget);
        self.questions.step(&mut self.session) || more
    }

    /// Does all that has an end, and stops the rest.
    pub fn finish(&mut self) {
        self.session.finish();
    }

    /// Removes what was written, and returns it.
    pub fn take(&self) -> String {
        self.output.take()
    }

    /// Takes a question as JSON. The answer comes by [`Self::answers`], at once or after some steps.
    pub fn ask(&mut self, question: &str) {
        self.questions.ask(question, &mut self.session);
    }

    /// Forgets the question with this id; a review ends.
    pub fn cancel(&mut self, id: u32) {
        self.questions.cancel(id, &mut self.session);
    }

    /// Removes the answers since the last call, and returns them as JSON, one in each line.
    pub fn answers(&mut self) -> String {
        self.questions.take_answers()
    }

    /// Evaluates with the network in these bytes. Writes whether it could be used, and returns that.
    #[wasm_bindgen(js_name = loadNetwork)]
    pub fn load_network(&mut self, name: &str, bytes: &[u8]) -> bool {
        self.session.load_network(name, bytes).is_ok()
    }
}

#[cfg(target_os = "wasi")]
impl UciSession {
    /// A session that searches in threads of its own.
    ///
    /// # Errors
    /// As [`Self::new`].
    fn in_threads() -> Result<Self, String> {
        let output = Output::buffer();
        let session = Session::new(output.clone(), &Default::default());
        let session = session.map_err(|error| error.to_string())?;
        Ok(Self { session, output, questions: Questions::default() })
    }
}
