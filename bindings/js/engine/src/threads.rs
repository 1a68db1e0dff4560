//! The border of the build with threads, which wasm-bindgen does not support: one session by plain functions. The thread
//! that loaded the module calls them.
//!
//! Texts and bytes cross the border in two buffers that this side owns: the caller fills the input that
//! [`sakmak_input`] returned, and reads the output that the last call left. So this side reads no pointer. The only
//! `unsafe` is `no_mangle`: the names begin with `sakmak_`, and no other crate exports such names.
#![allow(unsafe_code)]

use std::cell::RefCell;

use serde::Deserialize;

use crate::UciSession;

/// A session and the buffers of the border.
#[derive(Default)]
struct Border {
    /// `None` before [`sakmak_new`].
    session: Option<UciSession>,
    input: Vec<u8>,
    /// What [`sakmak_take`] or [`sakmak_answers`] has taken.
    output: String,
}

thread_local! {
    static BORDER: RefCell<Border> = RefCell::default();
}

fn with_border<T>(action: impl FnOnce(&mut Border) -> T) -> T {
    BORDER.with_borrow_mut(action)
}

/// Does something with the session. The default without one.
fn with_session<T: Default>(action: impl FnOnce(&mut UciSession) -> T) -> T {
    with_border(|border| border.session.as_mut().map(action).unwrap_or_default())
}

/// Removes the input, and returns it as text.
fn text() -> String {
    with_border(|border| String::from_utf8_lossy(&std::mem::take(&mut border.input)).into_owned())
}

/// Keeps a text for [`sakmak_output`], and returns its length in bytes.
fn keep(text: String) -> usize {
    with_border(|border| {
        border.output = text;
        border.output.len()
    })
}

/// Starts the session. Returns 0, or the length of the error that is the output then: there is no memory for the
/// smallest transposition table.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_new() -> usize {
    match UciSession::in_threads() {
        Ok(session) => {
            with_border(|border| border.session = Some(session));
            0
        }
        Err(error) => keep(error),
    }
}

/// Returns where `length` bytes of input go. NULL if there is no memory for them.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_input(length: usize) -> *mut u8 {
    with_border(|border| {
        border.input = Vec::new();
        if border.input.try_reserve_exact(length).is_err() {
            return std::ptr::null_mut();
        }
        border.input.resize(length, 0);
        border.input.as_mut_ptr()
    })
}

/// Executes the line in the input. Returns `false` after `quit`, once the search has ended.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_command() -> bool {
    let line = text();
    let goes_on = with_session(|session| {
        // A search that has ended by itself since the last step must not look as if the line had stopped it.
        session.questions.step(&mut session.session);
        session.command(&line)
    });
    if !goes_on {
        // The search writes its move, which the caller takes before it ends the threads.
        with_session(|session| session.command("stop"));
    }
    goes_on
}

/// Waits for a search or a job, at most so many milliseconds, or works on a question. Returns whether there is more to
/// do.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_step(milliseconds: u32) -> bool {
    with_session(|session| session.step(milliseconds))
}

/// Does all that has an end, and stops the rest.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_finish() {
    with_session(UciSession::finish);
}

/// Evaluates with the network in the input, whose first `name_length` bytes are its name. Returns whether it is used.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_load_network(name_length: usize) -> bool {
    let input = with_border(|border| std::mem::take(&mut border.input));
    let Some((name, bytes)) = input.split_at_checked(name_length) else { return false };
    with_session(|session| session.load_network(&String::from_utf8_lossy(name), bytes))
}

/// Takes the question in the input.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_ask() {
    let question = text();
    with_session(|session| session.ask(&question));
}

/// Forgets the question with this id.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_cancel(id: u32) {
    with_session(|session| session.cancel(id));
}

/// Makes the lines written so far the output, and returns their length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_take() -> usize {
    keep(with_session(|session| session.take()))
}

/// Makes the answers so far the output, and returns their length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_answers() -> usize {
    keep(with_session(UciSession::answers))
}

/// Where the bytes of the output are.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_output() -> *const u8 {
    with_border(|border| border.output.as_ptr())
}

/// A call about endgame tables, see [`UciSession::set_tables`] and the following.
#[derive(Deserialize)]
#[serde(tag = "call", rename_all = "camelCase", rename_all_fields = "camelCase")]
enum TableCall {
    Set { endings: Option<Vec<String>>, store_bytes: usize },
    Leave,
    Missing { question: Option<String> },
    Supply { file: String, start: f64, end: f64, file_bytes: Option<f64> },
    Absent { file: String },
}

/// Executes a call about endgame tables: the first `call_length` bytes of the input are the call in JSON, the others
/// belong to it. Makes its result the output, words in JSON, and returns their length in bytes.
#[unsafe(no_mangle)]
pub extern "C" fn sakmak_tables(call_length: usize) -> usize {
    let input = with_border(|border| std::mem::take(&mut border.input));
    let Some((call, bytes)) = input.split_at_checked(call_length) else { return keep("[]".to_owned()) };
    let words = serde_json::from_slice(call).map(|call| {
        with_session(|session| match call {
            TableCall::Set { endings, store_bytes } => {
                session.set_tables(endings, store_bytes);
                Vec::new()
            }
            TableCall::Leave => {
                session.leave_tables();
                Vec::new()
            }
            TableCall::Missing { question } => session.missing_tables(question),
            TableCall::Supply { file, start, end, file_bytes } => {
                session.supply_table(file, start, end, bytes, file_bytes)
            }
            TableCall::Absent { file } => {
                session.set_table_absent(&file);
                Vec::new()
            }
        })
    });
    keep(serde_json::to_string(&words.unwrap_or_default()).unwrap_or_default())
}
