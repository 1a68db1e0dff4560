//! The `sakmak` program.

mod cli;
mod cpu;

use std::process::ExitCode;

fn main() -> ExitCode {
    if let Some(message) = cpu::unsupported() {
        eprintln!("{message}");
        return ExitCode::FAILURE;
    }
    match cli::run() {
        Ok(code) => code,
        Err(error) => {
            eprintln!("error: {error:#}");
            ExitCode::FAILURE
        }
    }
}
