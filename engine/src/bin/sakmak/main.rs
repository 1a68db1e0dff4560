//! The `sakmak` program.

mod analyse;
mod cli;
mod cpu;
mod perft;
#[cfg(unix)]
mod pipes;

use std::error::Error;
use std::fmt::Display;
use std::io::{self, Write};
use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(message) = cpu::unsupported() {
        print_line(&message);
        return ExitCode::FAILURE;
    }
    match cli::run() {
        Ok(code) => code,
        // Nobody reads the output any more.
        Err(error) if is_broken_pipe(&error) => ExitCode::SUCCESS,
        Err(error) => {
            print_line(&format_args!("error: {error:#}"));
            ExitCode::FAILURE
        }
    }
}

/// Writes to standard error. If that fails, only the exit status shows the error.
fn print_line(message: &dyn Display) {
    let _ = writeln!(io::stderr(), "{message}");
}

fn is_broken_pipe(error: &anyhow::Error) -> bool {
    let of_io = |cause: &(dyn Error + 'static)| {
        cause.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    };
    error.chain().any(of_io)
}
