//! Makes the tablebase file of an ending.

use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use sakmak_movegen::{Color, PieceKind};

use super::assembly::Assembly;
use super::ending::Ending;
use super::exits::Source;
use super::format::Encoder;
use super::index::Placement;
use super::row::{Row, row_count};
use super::solver::{ILLEGAL, MoveRows, NOT_WON, Recorded, Solution, SolveError, Solver};
use super::table::{Table, TableError};
use super::values::{Value, Values};
use super::work::{CHUNK, filled, for_each};

/// Why a tablebase file was not made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum BuildError {
    /// The ending could not be solved.
    #[error("{ending}: {error}")]
    Solve {
        /// The ending.
        ending: Ending,
        /// Why.
        error: SolveError,
    },
    /// A tablebase file that it needs is missing or damaged.
    #[error("{ending} needs another table: {error}")]
    Needs {
        /// The ending.
        ending: Ending,
        /// What is wrong with the other file.
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

/// The tablebase files in a folder.
struct Folder<'a> {
    path: &'a Path,
    threads: usize,
}

impl Source for Folder<'_> {
    fn moves(&self, ending: &Ending, side: Color) -> Result<Arc<MoveRows>, SolveError> {
        let table = Table::open(&self.path.join(Table::file_name(&ending.canonical())));
        let values =
            table.and_then(|table| table.read()).map_err(|error| SolveError::Needs(Box::new(error)))?;
        let mut moves = filled([ILLEGAL; 64], row_count(ending))?;
        for_each(self.threads, moves.chunks_mut(CHUNK).enumerate(), |(chunk, moves)| {
            for (index, moves) in moves.iter_mut().enumerate() {
                *moves = moves_of_row(ending, chunk * CHUNK + index, side, &values);
            }
            moves.len()
        });
        Ok(Arc::new(moves))
    }
}

/// One row of White's moves to its win in an ending, with `side` to move.
fn moves_of_row(ending: &Ending, number: usize, side: Color, values: &Values) -> [u8; 64] {
    let mut moves = [ILLEGAL; 64];
    let Some(row) = Row::new(ending, number) else { return moves };
    let legal = match side {
        Color::White => row.legal_attacker_to_move(),
        Color::Black => row.legal_defender_to_move(),
    };
    for square in legal {
        let placement = Placement { khuns: [row.khun, square], men: row.squares };
        moves[square.index()] = match values.get(ending, &placement, side) {
            Some(Value::Win(plies)) if side == Color::White => plies.div_ceil(2) as u8,
            Some(Value::Loss(plies)) if side == Color::Black => (plies / 2) as u8,
            _ => NOT_WON,
        };
    }
    moves
}

/// The canonical endings whose tablebase files are needed to solve an ending, those of most men first; a bare khun that
/// cannot win needs none.
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

/// The canonical endings needed to solve `endings`, themselves included, in an order in which they can be solved.
pub fn build_order(endings: &[Ending]) -> Vec<Ending> {
    fn add(ending: Ending, order: &mut Vec<Ending>) {
        if order.contains(&ending) {
            return;
        }
        for needed in needed_for(&ending) {
            add(needed, order);
        }
        order.push(ending);
    }
    let mut order = Vec::new();
    for ending in endings {
        add(ending.canonical(), &mut order);
    }
    order
}

/// Solves the wins of White in an ending. `progress` is called with the number of moves looked ahead so far.
pub(super) fn solve(
    ending: &Ending,
    source: &dyn Source,
    threads: usize,
    progress: &dyn Fn(u32),
) -> Result<Solution, SolveError> {
    let mut solver = Solver::new(ending, source, Recorded::All)?;
    while !solver.step(threads)? {
        progress(solver.round().into());
    }
    Ok(solver.into_solution())
}

/// Solves a canonical ending on `threads` threads, from the tablebase in `folder`, and writes its file to `output`.
/// `progress` is called with the number of moves looked ahead so far.
///
/// The bytes do not depend on the number of threads. An ending of five men takes some three gigabytes of memory.
///
/// # Errors
/// If a file of [`needed_for`] is missing or damaged, memory is short, or writing fails.
pub fn build(
    ending: &Ending,
    folder: &Path,
    threads: usize,
    output: &mut dyn Write,
    progress: &dyn Fn(u32),
) -> Result<(), BuildError> {
    if ending.pieces().is_empty() {
        let error =
            io::Error::new(io::ErrorKind::InvalidInput, "two khuns alone are a draw, which no file holds");
        return Err(BuildError::Write { ending: ending.clone(), error });
    }
    let source = Folder { path: folder, threads };
    let assemble = || {
        let white = solve(ending, &source, threads, progress)?;
        let black = match ending.is_bare(Color::Black) || ending.is_symmetric() {
            true => None,
            false => Some(solve(&ending.flipped(), &source, threads, progress)?),
        };
        let mut assembly = Assembly::new(ending, white, black)?;
        while !assembly.step(threads) {}
        Ok(assembly.into_values())
    };
    let values = assemble().map_err(|error| match error {
        SolveError::Needs(error) => BuildError::Needs { ending: ending.clone(), error: *error },
        error => BuildError::Solve { ending: ending.clone(), error },
    })?;
    let mut encoder = Encoder::new(values);
    while !encoder.step() {}
    let write = |error| BuildError::Write { ending: ending.clone(), error };
    output.write_all(&encoder.into_bytes()).map_err(write)
}
