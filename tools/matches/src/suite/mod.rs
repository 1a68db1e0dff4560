//! The count suite: positions that the count decides, each proven by exhaustive search. Generating, checking, and
//! running engines on it; `docs/count-suite.md` has the details.

mod bare_khun;
mod endings;
mod hunt;
mod kept;
mod make;
mod position;
mod proof;
mod solve;

use std::path::Path;

use anyhow::{Context, Result};

pub use bare_khun::{MARK as BARE_KHUN_MARK, bare_khun_wins};
pub use endings::Endings;
pub use hunt::{MatingReport, hunt};
pub use kept::{FIVE_MEN, FOUR_MEN, MARK as KEPT_MARK, value_kept};
pub use make::{MARK as SUITE_MARK, best_moves};
pub use position::{Goal, SuitePosition, read};
pub use solve::{SolveReport, solve};

use proof::ProofSearch;

/// Proves every `every`-th position of a file; returns how many were proven and how many there are.
///
/// # Errors
/// The first wrong position.
pub fn check(path: &Path, every: usize) -> Result<(usize, usize)> {
    let positions = read(path)?;
    let mut proof = ProofSearch::default();
    let mut proven = 0;
    for position in positions.iter().step_by(every.max(1)) {
        proof.check(position).with_context(|| format!("{}: {}", path.display(), position.id))?;
        proven += 1;
    }
    Ok((proven, positions.len()))
}
