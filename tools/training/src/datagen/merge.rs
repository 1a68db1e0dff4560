//! Joins files of games.

use std::io::BufWriter;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};

use sakmak_dataset::games::{DataError, Header, Reader, Writer};
use sakmak_files::output::OutputFile;

/// Joins the games of all `inputs`, in order, into a new file; returns their number. `warn` is called for an incomplete
/// last game, which is left out.
///
/// # Errors
/// If a file cannot be read or written, if the rules differ, or if two files hold the same run.
pub fn merge(output: &Path, inputs: &[PathBuf], warn: &mut dyn FnMut(&Path, &DataError)) -> Result<u64> {
    let mut header: Option<Header> = None;
    let mut readers = Vec::new();
    for path in inputs {
        let name = path.display();
        let reader = Reader::open(path).with_context(|| name.to_string())?;
        let new = reader.header();
        match &mut header {
            None => header = Some(new.clone()),
            Some(header) => {
                ensure!(header.rules == new.rules, "{name}: has other rules: {}", new.rules);
                if let Some(run) = new.runs.iter().find(|run| header.runs.contains(run)) {
                    bail!("{name}: holds games that another file has too, those of {run}");
                }
                if let Some(import) = new.imports.iter().find(|import| header.imports.contains(import)) {
                    bail!("{name}: holds games of {} that another file has too", import.file);
                }
                header.runs.extend(new.runs.iter().cloned());
                header.imports.extend(new.imports.iter().cloned());
            }
        }
        readers.push((path, reader));
    }
    let header = header.context("nothing to join")?;
    let draft = OutputFile::create(output)?.draft()?;
    let name = || output.display().to_string();
    let mut writer = Writer::new(BufWriter::new(draft), &header).with_context(name)?;
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
    let draft = writer.finish().and_then(|output| Ok(output.into_inner()?)).with_context(name)?;
    draft.commit()?;
    Ok(games)
}
