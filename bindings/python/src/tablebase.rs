//! Endgame tables from files, and endings solved in memory.

use std::path::PathBuf;
use std::sync::OnceLock;

use pyo3::prelude::*;
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::{Tablebases, Value};

use crate::board::Board;
use crate::types::PyMove;

/// The endings solved in memory, which all engines and probes of the process share.
pub(crate) fn dtm_tables() -> &'static DtmTables {
    static TABLES: OnceLock<DtmTables> = OnceLock::new();
    TABLES.get_or_init(DtmTables::default)
}

#[pyclass(name = "NativeTablebases", module = "sakmak", frozen)]
pub(crate) struct PyTablebases {
    tables: Tablebases,
    errors: Vec<String>,
}

impl PyTablebases {
    pub(crate) fn tables(&self) -> &Tablebases {
        &self.tables
    }
}

/// 1, 0 or -1, and the plies.
type Wdl = (i8, Option<u16>);

/// The value with the count, the value without it, the plies that the count leaves, and whether plies are to mate.
type Found = (Wdl, Wdl, Option<i32>, bool);

fn wdl(value: Value) -> Wdl {
    match value {
        Value::Win(_) => (1, value.plies()),
        Value::Draw => (0, None),
        Value::Loss(_) => (-1, value.plies()),
    }
}

#[pymethods]
impl PyTablebases {
    #[new]
    fn new(folders: Vec<PathBuf>) -> Self {
        let (tables, errors) = Tablebases::open(folders);
        Self { tables, errors: errors.iter().map(ToString::to_string).collect() }
    }

    #[getter]
    fn errors(&self) -> Vec<String> {
        self.errors.clone()
    }

    fn endings(&self) -> Vec<String> {
        self.tables.endings().map(ToString::to_string).collect()
    }

    fn probe(&self, py: Python<'_>, board: PyRef<'_, Board>) -> PyResult<Option<Found>> {
        let position = board.position()?.clone();
        drop(board);
        let probe = py.detach(|| self.tables.with_pairs(dtm_tables(), true).probe(&position));
        Ok(probe.map(|probe| (wdl(probe.value), wdl(probe.uncounted), probe.left, probe.to_mate)))
    }

    /// The moves from best to worst with their values.
    fn moves(&self, py: Python<'_>, board: PyRef<'_, Board>) -> PyResult<Option<Vec<(PyMove, Wdl)>>> {
        let position = board.position()?.clone();
        drop(board);
        let values = py.detach(|| self.tables.with_pairs(dtm_tables(), true).move_values(&position));
        Ok(values.map(|mut values| {
            values.sort_by_key(|value| value.rank());
            values.into_iter().map(|value| (value.mv.into(), wdl(value.value))).collect()
        }))
    }
}
