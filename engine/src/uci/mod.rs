//! UCI, with the variant option of Fairy-Stockfish's GUIs. The command `xboard` switches to
//! [XBoard's protocol](crate::xboard).
//!
//! A [`Session`] executes lines; [`run`] reads them until `quit` or the end of input. Searches run in the background,
//! or in slices between the lines, so that every command is answered at once. Bad input gets an `info string` with
//! the error.

mod command;
mod explanation;
mod jobs;
mod report;
mod session;

use std::io::BufRead;

use sakmak_eval::DtmTables;

use crate::tt::HashAllocationError;
use crate::xboard;

use session::Next;

pub use crate::output::Output;
pub use crate::protocol::{AUTHOR, NAME};
pub use session::Session;

/// Speaks UCI, or XBoard's protocol if that is asked for, until `quit` or the end of `input`. At the end of input a
/// search that has a limit is finished.
///
/// ```
/// use std::io::Cursor;
/// use sakmak_engine::uci::{Output, run};
///
/// let output = Output::buffer();
/// run(Cursor::new("position startpos moves e3e4\ngo depth 4\n"), output.clone())?;
/// assert!(output.text().contains("bestmove "));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If there is no memory for the smallest transposition table; the error is also printed.
pub fn run(input: impl BufRead + Send, output: Output) -> Result<(), HashAllocationError> {
    run_with_dtm_tables(input, output, &DtmTables::default())
}

/// [`run`] with DTM tables that several engines of the process share.
///
/// # Errors
/// As [`run`].
pub fn run_with_dtm_tables(
    input: impl BufRead + Send,
    output: Output,
    dtm_tables: &DtmTables,
) -> Result<(), HashAllocationError> {
    let mut lines = lines(input).peekable();
    // Nothing may be printed before the first command, not even that there is little memory.
    if lines.peek().is_none() {
        return Ok(());
    }
    let mut session = Session::new(output.clone(), dtm_tables).inspect_err(|error| output.comment(error))?;
    while let Some(line) = lines.next() {
        match session.execute(&line) {
            Next::Read => {}
            Next::Leave => return Ok(()),
            Next::XBoard => {
                xboard::run(&line, lines, session.into_front_end());
                return Ok(());
            }
        }
    }
    session.finish();
    Ok(())
}

/// The lines of the input, with bytes that are not UTF-8 replaced; ends at a read error.
fn lines(mut input: impl BufRead + Send) -> impl Iterator<Item = String> + Send {
    std::iter::from_fn(move || {
        let mut bytes = Vec::new();
        match input.read_until(b'\n', &mut bytes) {
            Ok(1..) => Some(String::from_utf8_lossy(&bytes).into_owned()),
            _ => None,
        }
    })
}
