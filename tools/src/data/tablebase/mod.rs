//! Makes and checks endgame tables.

mod check;
mod results;

use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};

pub use sakmak_eval::tablebase::build_order;
use sakmak_eval::tablebase::{BuildError, EXTENSION, Ending, Tablebases, Value, build};
use sakmak_movegen::{Color, Position};
use thiserror::Error;

pub use check::{CheckReport, Difference, check};
pub use results::{RESULTS_HEAD, cut_wins, results_row};

/// Why tables cannot be built.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum TablebaseError {
    /// A file or the folder cannot be written.
    #[error("{}: {error}", path.display())]
    Io {
        /// The path.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A table cannot be made.
    #[error(transparent)]
    Build(#[from] BuildError),
}

/// What building reports.
#[derive(Clone, Debug)]
pub enum BuildEvent<'a> {
    /// A file that is no valid table will be replaced.
    Replacing(&'a dyn std::error::Error),
    /// A table is begun.
    Started(&'a Ending),
    /// So many moves have been looked ahead.
    Round(u32),
    /// A table is there.
    Finished(&'a Ending),
}

/// The side that wins a position with best play, its count considered, or `Some(None)` in a draw; `None` if no table
/// has the position. Without any tables not even two khun are a draw.
pub fn winner(tables: &Tablebases, position: &Position) -> Option<Option<Color>> {
    let probe = tables.probe(position).filter(|_| !tables.is_empty())?;
    Some(match probe.value {
        Value::Win(_) => Some(position.side_to_move()),
        Value::Draw => None,
        Value::Loss(_) => Some(!position.side_to_move()),
    })
}

/// The names of the endings that have a table, sorted.
pub fn names(tables: &Tablebases) -> Vec<String> {
    let mut names: Vec<String> = tables.endings().map(Ending::to_string).collect();
    names.sort_unstable();
    names
}

/// Builds those of the tables that a folder does not have whole, in this order; returns how many. A table appears in the
/// folder only when it is complete; what an earlier run left unfinished is built anew.
///
/// # Errors
/// If the folder cannot be written or memory is short. The tables finished before remain.
pub fn build_missing(
    order: &[Ending],
    folder: &Path,
    threads: usize,
    report: &(dyn Fn(BuildEvent<'_>) + Sync),
) -> Result<usize, TablebaseError> {
    let io_error = |path: &Path| {
        let path = path.to_owned();
        move |error| TablebaseError::Io { path, error }
    };
    fs::create_dir_all(folder).map_err(io_error(folder))?;
    let (tables, mut damaged) = Tablebases::open([folder]);
    let mut present = Vec::new();
    for ending in order.iter().filter(|ending| tables.endings().any(|other| other == *ending)) {
        match tables.verify(ending) {
            Ok(()) => present.push(ending),
            Err(error) => damaged.push(error),
        }
    }
    for error in &damaged {
        let name = error.path.file_stem().and_then(|name| name.to_str()?.parse::<Ending>().ok());
        if name.is_some_and(|name| order.contains(&name)) {
            report(BuildEvent::Replacing(error));
        }
    }
    // A file that is open may not be replaced everywhere.
    drop(tables);
    for ending in order {
        if !present.contains(&ending) {
            report(BuildEvent::Started(ending));
            let unfinished = folder.join(format!("{ending}.{EXTENSION}.part"));
            let result = write_table(ending, folder, &unfinished, threads, report);
            if result.is_err() {
                // What cannot be removed will be replaced.
                let _ = fs::remove_file(&unfinished);
            }
            result?;
        }
        report(BuildEvent::Finished(ending));
    }
    Ok(order.len() - present.len())
}

fn write_table(
    ending: &Ending,
    folder: &Path,
    unfinished: &Path,
    threads: usize,
    report: &(dyn Fn(BuildEvent<'_>) + Sync),
) -> Result<(), TablebaseError> {
    let finished = folder.join(format!("{ending}.{EXTENSION}"));
    let io_error = |error| TablebaseError::Io { path: unfinished.to_owned(), error };
    // Created first: a folder that cannot be written costs no time.
    let mut file = BufWriter::new(File::create(unfinished).map_err(io_error)?);
    build(ending, folder, threads, &mut file, &|round| report(BuildEvent::Round(round)))?;
    let file = file.into_inner().map_err(|error| io_error(error.into_error()))?;
    file.sync_all().map_err(io_error)?;
    fs::rename(unfinished, &finished).map_err(|error| TablebaseError::Io { path: finished, error })
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    /// All tables of three men.
    pub(super) fn tables() -> &'static Tablebases {
        static TABLES: LazyLock<(tempfile::TempDir, Tablebases)> = LazyLock::new(|| {
            let folder = tempfile::tempdir().unwrap();
            build_missing(&build_order(&Ending::all(3)), folder.path(), 1, &|_| {}).unwrap();
            let (tables, errors) = Tablebases::open([folder.path()]);
            assert!(errors.is_empty(), "{errors:?}");
            (folder, tables)
        });
        &TABLES.1
    }
}
