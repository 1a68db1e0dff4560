//! Solves one ending against a bare khun in slices, for the tablebase in memory.

use std::fmt;

use super::assembly::Assembly;
use super::build::build_order;
use super::dtm_table::DtmTable;
use super::ending::Ending;
use super::format::Encoder;
use super::solved::Solutions;
use super::solver::{Recorded, Solution, SolveError, Solver};
use super::table::Table;

/// A solved ending.
#[derive(Debug)]
pub(crate) enum Solved {
    /// A DTM table, for a fast probe in the search.
    Pair(DtmTable),
    /// Compressed as in its tablebase file.
    Compressed(Box<Table>),
}

/// The work on an ending, and on those that it leads to.
pub(super) struct Job {
    ending: Ending,
    is_pair: bool,
    /// Endings that are not begun yet, the next one last.
    order: Vec<Ending>,
    known: Solutions,
    stage: Stage,
}

enum Stage {
    Begin,
    Solve(Ending, Box<Solver>),
    Solved(Solution),
    Assemble(Box<Assembly>),
    Encode(Box<Encoder>),
}

impl fmt::Debug for Job {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Job")
            .field("ending", &self.ending)
            .field("order", &self.order)
            .finish_non_exhaustive()
    }
}

impl Job {
    pub(super) fn new(ending: Ending, is_pair: bool) -> Self {
        let mut order = build_order(std::slice::from_ref(&ending));
        order.reverse();
        Self { ending, is_pair, order, known: Solutions::default(), stage: Stage::Begin }
    }

    /// Works for a slice. Returns the ending once it is solved.
    pub(super) fn step(&mut self) -> Result<Option<Solved>, SolveError> {
        match &mut self.stage {
            Stage::Begin => {
                if let Some(next) = self.order.pop() {
                    let is_last = self.order.is_empty();
                    let recorded = match self.is_pair && is_last {
                        true => Recorded::WinsForEvaluation,
                        false => Recorded::All,
                    };
                    let solver = Solver::new(&next, &self.known, recorded)?;
                    self.stage = Stage::Solve(next, Box::new(solver));
                    return Ok(None);
                }
                let solution = self.known.0.remove(&self.ending).ok_or(SolveError::NotSolved)?;
                if self.is_pair {
                    return Ok(Some(Solved::Pair(DtmTable::new(&self.ending, solution)?)));
                }
                self.known.0.clear();
                self.stage = Stage::Solved(solution);
            }
            Stage::Solved(solution) => {
                let assembly = Assembly::new(&self.ending, solution.clone(), None)?;
                self.stage = Stage::Assemble(Box::new(assembly));
            }
            Stage::Solve(_, solver) => {
                if solver.step(1)?
                    && let Stage::Solve(ending, solver) = std::mem::replace(&mut self.stage, Stage::Begin)
                {
                    self.known.0.insert(ending, solver.into_solution());
                }
            }
            Stage::Assemble(assembly) => {
                if assembly.step(1)
                    && let Stage::Assemble(assembly) = std::mem::replace(&mut self.stage, Stage::Begin)
                {
                    self.stage = Stage::Encode(Box::new(Encoder::new(assembly.into_values())));
                }
            }
            Stage::Encode(encoder) => {
                if encoder.step()
                    && let Stage::Encode(encoder) = std::mem::replace(&mut self.stage, Stage::Begin)
                {
                    let table = Table::in_memory(encoder.into_bytes()).map_err(|_| SolveError::NotSolved)?;
                    return Ok(Some(Solved::Compressed(Box::new(table))));
                }
            }
        }
        Ok(None)
    }
}
