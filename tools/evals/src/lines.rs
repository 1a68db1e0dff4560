//! Reads files of evaluations, a line for each position.

use std::fs::File;
use std::io::{self, BufRead, BufReader};
use std::path::Path;

use anyhow::{Context, Result};
use sakmak_movegen::Rules;

use crate::record::{Record, RecordError};

/// What a file of evaluations has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinesRead {
    /// Lines with evaluations.
    pub records: u64,
    /// Lines about positions that were not searched: wrong ones and ends of games.
    pub skipped: u64,
    /// Lines that are wrong.
    pub faults: u64,
}

/// Passes the record of each line of a file to `visit`, and each wrong line with its number, from 1, to `fault`. The path
/// `-` is standard input. Empty lines are left out.
///
/// # Errors
/// Those of `visit`, and if the file cannot be read.
pub fn read_records(
    path: &Path,
    rules: Rules,
    visit: &mut dyn FnMut(Record) -> Result<()>,
    fault: &mut dyn FnMut(u64, &RecordError),
) -> Result<LinesRead> {
    let name = || path.display().to_string();
    let mut input: Box<dyn BufRead> = if path.as_os_str() == "-" {
        Box::new(io::stdin().lock())
    } else {
        Box::new(BufReader::new(File::open(path).with_context(name)?))
    };
    let (mut read, mut bytes) = (LinesRead::default(), Vec::new());
    for number in 1.. {
        bytes.clear();
        if input.read_until(b'\n', &mut bytes).with_context(name)? == 0 {
            break;
        }
        let text = String::from_utf8_lossy(&bytes);
        if text.trim().is_empty() {
            continue;
        }
        match Record::read(text.trim(), rules) {
            Ok(Some(record)) => {
                visit(record)?;
                read.records += 1;
            }
            Ok(None) => read.skipped += 1,
            Err(error) => {
                fault(number, &error);
                read.faults += 1;
            }
        }
    }
    Ok(read)
}
