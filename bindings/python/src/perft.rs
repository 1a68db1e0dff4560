//! Perft without the interpreter lock, ended by Ctrl-C.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use sakmak_movegen::{Position, perft};

/// Counts to this depth take too little time to be interrupted.
const SHALLOW: u32 = 4;
/// How often signals are looked at.
const PATIENCE: Duration = Duration::from_millis(5);

/// No count to a greater depth would end, and its recursion would need a larger stack.
const DEEPEST: u32 = 100;

pub(crate) fn count(py: Python<'_>, position: &Position, depth: u32) -> PyResult<u64> {
    if depth > DEEPEST {
        return Err(PyValueError::new_err(format!("depth {depth} is above {DEEPEST}")));
    }
    if depth <= SHALLOW {
        return Ok(py.detach(|| perft::perft(position, depth)));
    }
    let stop = AtomicBool::new(false);
    py.detach(|| {
        std::thread::scope(|scope| {
            let counting = scope.spawn(|| {
                let division = perft::divide(position, depth, 1, None, &stop, &|_| ());
                division.parts.iter().map(|(_, nodes)| nodes).sum()
            });
            while !counting.is_finished() {
                std::thread::sleep(PATIENCE);
                if let Err(error) = Python::attach(|py| py.check_signals()) {
                    stop.store(true, Ordering::Relaxed);
                    return Err(error);
                }
            }
            counting.join().map_err(|_| pyo3::exceptions::PyRuntimeError::new_err("perft failed"))
        })
    })
}
