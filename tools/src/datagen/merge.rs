//! Joining files.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use super::{Header, Reader, Writer};
use crate::output::OutputFile;

/// Writes the games of all `inputs`, one file after the other, to a new file, and tells how many they are.
///
/// # Errors
/// If a file cannot be read or written, if the rules differ, or if two files hold the same run.
pub(super) fn merge(output: &Path, inputs: &[PathBuf]) -> Result<u64> {
    let mut header: Option<Header> = None;
    let mut readers = Vec::new();
    for path in inputs {
        let reader = Reader::open(path).with_context(|| path.display().to_string())?;
        let new = reader.header();
        match &mut header {
            None => header = Some(new.clone()),
            Some(header) => {
                ensure!(header.rules == new.rules, "{}: has other rules: {}", path.display(), new.rules);
                let known = new.runs.iter().find(|run| header.runs.contains(run));
                if let Some(run) = known {
                    bail!("{}: holds games that another file has too: {run:?}", path.display());
                }
                header.runs.extend(new.runs.iter().cloned());
            }
        }
        readers.push((path, reader));
    }
    let Some(header) = header else { bail!("nothing to join") };
    let file = OutputFile::create(output)?.draft()?;
    let name = || output.display().to_string();
    let mut writer = Writer::new(BufWriter::new(file), &header).with_context(name)?;
    let mut games = 0;
    for (path, mut reader) in readers {
        for game in reader.by_ref() {
            match game {
                Ok(game) => writer.write(&game).with_context(name)?,
                Err(error) if error.is_cut() => warn(path, &error),
                Err(error) => return Err(error).with_context(|| path.display().to_string()),
            }
        }
        games += reader.games();
    }
    let file = writer.finish().and_then(|file| Ok(file.into_inner()?)).with_context(name)?;
    file.commit()?;
    Ok(games)
}

/// Tells of a game that is left out.
pub(super) fn warn(path: &Path, error: &dyn std::fmt::Display) {
    // Nobody is left to be told of a failure.
    let _ = writeln!(io::stderr(), "warning: {}: {error}", path.display());
}
