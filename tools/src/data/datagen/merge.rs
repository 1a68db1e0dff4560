//! Joins files of games.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use super::{DataError, DatagenError, Header, Reader, Writer};
use crate::output::OutputFile;

/// Writes the games of all `inputs`, one file after the other, to a new file; returns how many they are. `warn` is
/// called for a last game that is cut off and left out.
///
/// # Errors
/// If a file cannot be read or written, if the rules differ, or if two files hold the same run.
pub fn merge(
    output: &Path,
    inputs: &[PathBuf],
    warn: &mut dyn FnMut(&Path, &DataError),
) -> Result<u64, DatagenError> {
    let mut header: Option<Header> = None;
    let mut readers = Vec::new();
    for path in inputs {
        let reader = Reader::open(path).map_err(DatagenError::data(path))?;
        let new = reader.header();
        match &mut header {
            None => header = Some(new.clone()),
            Some(header) => {
                if header.rules != new.rules {
                    return Err(DatagenError::OtherRules { path: path.clone(), rules: Box::new(new.rules) });
                }
                if let Some(run) = new.runs.iter().find(|run| header.runs.contains(run)) {
                    return Err(DatagenError::RepeatedRun { path: path.clone(), run: Box::new(run.clone()) });
                }
                if let Some(import) = new.imports.iter().find(|import| header.imports.contains(import)) {
                    return Err(DatagenError::RepeatedImport {
                        path: path.clone(),
                        file: import.file.clone(),
                    });
                }
                header.runs.extend(new.runs.iter().cloned());
                header.imports.extend(new.imports.iter().cloned());
            }
        }
        readers.push((path, reader));
    }
    let header = header.ok_or(DatagenError::NoInput)?;
    let draft = OutputFile::create(output)?.draft()?;
    let io_error = DatagenError::io(output);
    let mut writer = Writer::new(BufWriter::new(draft), &header).map_err(&io_error)?;
    let mut games = 0;
    for (path, mut reader) in readers {
        for game in reader.by_ref() {
            match game {
                Ok(game) => writer.write(&game).map_err(&io_error)?,
                Err(error) if error.is_cut() => warn(path, &error),
                Err(error) => return Err(DatagenError::data(path)(error)),
            }
        }
        games += reader.games();
    }
    let draft = writer.finish().and_then(|output| Ok(output.into_inner()?)).map_err(&io_error)?;
    draft.commit()?;
    Ok(games)
}
