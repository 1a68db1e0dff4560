//! Errors of the libraries as Python exceptions. All are subclasses of `ValueError`.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sakmak_movegen::{CountError, FenError, MoveError, NotationError};

create_exception!(sakmak, SakmakError, PyValueError, "The base of all errors of this package.");
create_exception!(
    sakmak,
    InvalidFenError,
    SakmakError,
    "A FEN that cannot be read, or is no valid position."
);
create_exception!(
    sakmak,
    InvalidPositionError,
    SakmakError,
    "The pieces on the board are no valid position."
);
create_exception!(sakmak, InvalidMoveError, SakmakError, "A text that has the form of no move.");
create_exception!(sakmak, IllegalMoveError, SakmakError, "A move that is not legal in the position.");
create_exception!(sakmak, AmbiguousMoveError, SakmakError, "A text that fits several legal moves.");
create_exception!(sakmak, CountRuleError, SakmakError, "A count that cannot be started, stopped or claimed.");
create_exception!(sakmak, RulesError, SakmakError, "An unknown variant, ruleset or part of the rules.");

pub(crate) fn add(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("SakmakError", py.get_type::<SakmakError>())?;
    module.add("InvalidFenError", py.get_type::<InvalidFenError>())?;
    module.add("InvalidPositionError", py.get_type::<InvalidPositionError>())?;
    module.add("InvalidMoveError", py.get_type::<InvalidMoveError>())?;
    module.add("IllegalMoveError", py.get_type::<IllegalMoveError>())?;
    module.add("AmbiguousMoveError", py.get_type::<AmbiguousMoveError>())?;
    module.add("CountRuleError", py.get_type::<CountRuleError>())?;
    module.add("RulesError", py.get_type::<RulesError>())
}

pub(crate) fn of_fen(error: &FenError) -> PyErr {
    InvalidFenError::new_err(error.to_string())
}

pub(crate) fn of_move(error: &MoveError) -> PyErr {
    match error {
        MoveError::Malformed { .. } => InvalidMoveError::new_err(error.to_string()),
        _ => IllegalMoveError::new_err(error.to_string()),
    }
}

pub(crate) fn of_notation(error: &NotationError) -> PyErr {
    match error {
        NotationError::Malformed { .. } => InvalidMoveError::new_err(error.to_string()),
        NotationError::Ambiguous { .. } => AmbiguousMoveError::new_err(error.to_string()),
        _ => IllegalMoveError::new_err(error.to_string()),
    }
}

pub(crate) fn of_count(error: CountError) -> PyErr {
    CountRuleError::new_err(error.to_string())
}

/// An error of the rules: an unknown name or part.
pub(crate) fn of_rules(error: impl std::fmt::Display) -> PyErr {
    RulesError::new_err(error.to_string())
}
