//! The Python module `sakmak._sakmak`. The package `sakmak` (folder `python`) gives its contents to users; their
//! docstrings and types are in `_sakmak.pyi`.

mod board;
mod draft;
mod errors;
mod perft;
mod pgn;
mod pyffish;
mod rules;
mod types;

use pyo3::prelude::*;

#[pymodule]
fn _sakmak(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    errors::add(module)?;
    pyffish::add(module)?;
    module.add_class::<pgn::GameReader>()?;
    module.add_function(wrap_pyfunction!(pgn::pgn_text, module)?)?;
    module.add_class::<board::Board>()?;
    module.add_class::<board::LegalMoves>()?;
    module.add_class::<types::PyMove>()?;
    module.add_class::<types::PyPiece>()?;
    module.add_class::<types::PyCount>()?;
    module.add_class::<types::PyOutcome>()?;
    Ok(())
}
