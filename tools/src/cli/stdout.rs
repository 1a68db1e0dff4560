//! Standard output: a full device is an error, a closed pipe ends the program quietly.

use std::io::{self, Write};

use anyhow::Result;
use sakmak_files::output::OutputFile;

/// The error of a closed pipe.
#[derive(Clone, Copy, Debug, thiserror::Error)]
#[error("standard output is closed")]
pub(crate) struct OutputClosed;

/// Writes to standard output and flushes it.
///
/// # Errors
/// [`OutputClosed`] if the reader has closed the pipe, and all other write errors.
pub(crate) fn print(text: &str) -> Result<()> {
    let mut out = io::stdout().lock();
    out.write_all(text.as_bytes()).and_then(|()| out.flush()).map_err(print_error)
}

/// Prints a value as indented JSON.
pub(crate) fn print_json(value: &impl serde::Serialize) -> Result<()> {
    print(&(serde_json::to_string_pretty(value)? + "\n"))
}

/// The error of a failed write to standard output.
pub(crate) fn print_error(error: io::Error) -> anyhow::Error {
    match error.kind() {
        io::ErrorKind::BrokenPipe => OutputClosed.into(),
        _ => anyhow::Error::from(error).context("cannot write to standard output"),
    }
}

/// Prints a line on standard error; failures are ignored, as they cannot be reported.
pub(crate) fn warn(line: impl std::fmt::Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a text to a file, or without a file to standard output.
pub(crate) fn write_or_print(file: Option<OutputFile>, text: &str) -> Result<()> {
    match file {
        Some(file) => Ok(file.write(text)?),
        None => print(text),
    }
}
