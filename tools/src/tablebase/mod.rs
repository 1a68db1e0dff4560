//! Builds and checks tablebases.

mod check;
mod results;

use std::fs::{self, File};
use std::io::BufWriter;
use std::path::Path;

use anyhow::{Context, Result};
pub use sakmak_eval::tablebase::build_order;
use sakmak_eval::tablebase::{EXTENSION, Ending, Tablebases, build};

pub use check::{CheckReport, Difference, check};
pub use results::{RESULTS_HEAD, cut_wins, results_row};

/// An event of a build.
#[derive(Clone, Debug)]
pub enum BuildEvent<'a> {
    /// A file that is no valid tablebase will be replaced.
    Replacing(&'a dyn std::error::Error),
    /// An ending is begun.
    Started(&'a Ending),
    /// The solver has looked ahead this number of the attacker's moves.
    Round(u32),
    /// The file of an ending is complete.
    Finished(&'a Ending),
}

/// The names of the endings that have a file, sorted.
pub fn names(tables: &Tablebases) -> Vec<String> {
    let mut names: Vec<String> = tables.endings().map(Ending::to_string).collect();
    names.sort_unstable();
    names
}

/// Builds the endings of `order` whose files are missing or invalid in a folder, in this order; returns their number. A
/// file appears in the folder only when it is complete; unfinished files of an earlier run are built anew.
///
/// # Errors
/// If the folder cannot be written or memory is short. Files finished before remain.
pub fn build_missing(
    order: &[Ending],
    folder: &Path,
    threads: usize,
    report: &(dyn Fn(BuildEvent<'_>) + Sync),
) -> Result<usize> {
    fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
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
    // Some systems cannot replace a file that is open.
    drop(tables);
    for ending in order {
        if !present.contains(&ending) {
            report(BuildEvent::Started(ending));
            let unfinished = folder.join(format!("{ending}.{EXTENSION}.part"));
            let result = write_table(ending, folder, &unfinished, threads, report);
            if result.is_err() {
                // If it cannot be removed it will be replaced.
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
) -> Result<()> {
    let finished = folder.join(format!("{ending}.{EXTENSION}"));
    let name = || unfinished.display().to_string();
    // Created first, so that an unwritable folder costs no time.
    let mut file = BufWriter::new(File::create(unfinished).with_context(name)?);
    build(ending, folder, threads, &mut file, &|round| report(BuildEvent::Round(round)))?;
    let file = file.into_inner().map_err(|error| error.into_error()).with_context(name)?;
    file.sync_all().with_context(name)?;
    fs::rename(unfinished, &finished).with_context(|| finished.display().to_string())
}

#[cfg(test)]
mod tests {
    use std::sync::LazyLock;

    use super::*;

    /// All endings of three men.
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
