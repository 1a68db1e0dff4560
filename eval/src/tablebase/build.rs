//! Makes the file of a table.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use sakmak_movegen::PieceKind;

use super::ending::Ending;
use super::exits::Source;
use super::format::encode;
use super::solver::{SolveError, Work, solve_values};
use super::table::{Table, TableError};
use super::values::Values;

/// Why a table was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// It could not be solved.
    #[error("{ending}: {error}")]
    Solve {
        /// The ending.
        ending: Ending,
        /// Why.
        error: SolveError,
    },
    /// A table that it needs is missing or damaged.
    #[error("{ending} needs another table: {error}")]
    Needs {
        /// The ending.
        ending: Ending,
        /// What is wrong with the other table.
        error: TableError,
    },
    /// The file could not be written.
    #[error("{ending}: {error}")]
    Write {
        /// The ending.
        ending: Ending,
        /// Why.
        error: io::Error,
    },
}

/// The values of tables in a folder.
struct Folder<'a>(&'a Path);

impl Source for Folder<'_> {
    fn values(&self, ending: &Ending) -> Result<Arc<Values>, SolveError> {
        let table = Table::open(&self.0.join(Table::file_name(ending)));
        let values = table.and_then(|table| table.read());
        values.map(Arc::new).map_err(|error| SolveError::Needs(Box::new(error)))
    }
}

/// The canonical endings whose tables an ending's needs, those of most men first; a bare khun that cannot win needs
/// none.
pub fn needed_for(ending: &Ending) -> Vec<Ending> {
    let men = ending.pieces();
    let indices = || std::iter::once(None).chain((0..men.len()).map(Some));
    let mut needed = Vec::new();
    for (captured, promoted) in indices().flat_map(|captured| indices().map(move |man| (captured, man))) {
        let is_bia = promoted.is_none_or(|man| men[man].kind == PieceKind::Bia);
        let own_capture = matches!((captured, promoted), (Some(a), Some(b)) if men[a].color == men[b].color);
        if captured == promoted || !is_bia || own_capture {
            continue;
        }
        let after = ending.after(captured, promoted).0.canonical();
        if after.men() > 2 && !needed.contains(&after) {
            needed.push(after);
        }
    }
    needed.sort_by_key(|ending| std::cmp::Reverse(ending.men()));
    needed
}

/// Solves a canonical ending with so many threads, from the tables of a folder, and writes its file to `output`.
/// `progress` is called with the side that attacks and the number of moves looked ahead so far.
///
/// The bytes do not depend on the number of threads. An ending of five men takes some three gigabytes of memory.
///
/// # Errors
/// If a table of [`needed_for`] is missing or damaged, memory is short, or writing fails.
pub fn build(
    ending: &Ending,
    folder: &Path,
    threads: usize,
    output: &mut dyn Write,
    progress: &dyn Fn(u32),
) -> Result<(), BuildError> {
    let work = Work { threads, progress, goes_on: &|| true };
    let values = solve_values(ending, &Folder(folder), work).map_err(|error| match error {
        SolveError::Needs(error) => BuildError::Needs { ending: ending.clone(), error: *error },
        error => BuildError::Solve { ending: ending.clone(), error },
    })?;
    let write = |error| BuildError::Write { ending: ending.clone(), error };
    output.write_all(&encode(&values)).map_err(write)
}
