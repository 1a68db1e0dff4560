//! The Python module `sakmak._sakmak`. The package `sakmak` (folder `python`) gives its contents to users; their
//! docstrings and types are in `_sakmak.pyi`.

mod board;
mod dataset;
mod draft;
mod engine;
mod errors;
mod perft;
mod pgn;
mod pyffish;
mod review;
mod rules;
mod tablebase;
mod types;

use pyo3::prelude::*;

#[pymodule]
fn _sakmak(module: &Bound<'_, PyModule>) -> PyResult<()> {
    module.add("__version__", env!("CARGO_PKG_VERSION"))?;
    // Wheels must run on every CPU of their architecture.
    module.add("_needs_avx2", cfg!(target_feature = "avx2"))?;
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
    module.add_class::<engine::NativeEngine>()?;
    module.add_class::<engine::NativeSearch>()?;
    module.add_function(wrap_pyfunction!(engine::run_uci, module)?)?;
    module.add_class::<tablebase::PyTablebases>()?;
    module.add_function(wrap_pyfunction!(review::review, module)?)?;
    module.add_class::<dataset::NativePositions>()?;
    module.add_class::<dataset::NativeGames>()?;
    Ok(())
}
