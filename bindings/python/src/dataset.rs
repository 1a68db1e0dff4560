//! Files of training positions and of games with scores.

use std::fs::File;
use std::io::BufReader;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::PoisonError;

use pyo3::exceptions::{PyIndexError, PyOSError};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use sakmak_dataset::DataError;
use sakmak_dataset::games::{GameResult, Reader};
use sakmak_dataset::positions::{PositionFile, TrainingPosition};
use sakmak_movegen::Game;

use crate::board::Board;
use crate::errors;
use crate::types::PyMove;

fn fault(error: &DataError) -> PyErr {
    PyOSError::new_err(error.to_string())
}

/// A file of training positions, read in blocks of records of 32 bytes.
#[pyclass(name = "NativePositions", module = "sakmak", frozen)]
pub(crate) struct NativePositions(Mutex<PositionFile>);

#[pymethods]
impl NativePositions {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        PositionFile::open(&path).map(|file| Self(Mutex::new(file))).map_err(|error| fault(&error))
    }

    #[getter]
    fn positions(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).positions()
    }

    #[getter]
    fn blocks(&self) -> usize {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).blocks()
    }

    fn block<'py>(&self, py: Python<'py>, index: usize) -> PyResult<Bound<'py, PyBytes>> {
        let bytes = py.detach(|| {
            let mut file = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            if index >= file.blocks() {
                return Err(PyIndexError::new_err(format!("the file has {} blocks", file.blocks())));
            }
            let mut records = Vec::new();
            file.read_block(index, &mut records).map_err(|error| fault(&error))?;
            Ok(records.iter().flat_map(TrainingPosition::to_bytes).collect::<Vec<u8>>())
        })?;
        Ok(PyBytes::new(py, &bytes))
    }
}

/// A file of games with a score for each move.
#[pyclass(name = "NativeGames", module = "sakmak", frozen)]
pub(crate) struct NativeGames(Mutex<Reader<BufReader<File>>>);

/// The start, the points of White, why it ended, the moves, and their scores for the side to move in internal units.
type ScoredGame = (Board, f64, &'static str, Vec<PyMove>, Vec<i16>);

#[pymethods]
impl NativeGames {
    #[new]
    fn new(path: PathBuf) -> PyResult<Self> {
        Reader::open(path).map(|reader| Self(Mutex::new(reader))).map_err(|error| fault(&error))
    }

    /// The next game; `None` after the last one.
    fn read(&self) -> PyResult<Option<ScoredGame>> {
        let mut reader = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let rules = reader.header().rules;
        let Some(record) = reader.next().transpose().map_err(|error| fault(&error))? else {
            return Ok(None);
        };
        let start = Game::from_fen(&record.start.to_string(), *record.start.rules());
        let board = Board::of(rules, "", start.map_err(|error| errors::of_fen(&error))?);
        let points = match record.result {
            GameResult::WhiteWins => 1.0,
            GameResult::Draw => 0.5,
            GameResult::BlackWins => 0.0,
        };
        let moves = record.plies.iter().map(|ply| ply.mv.into()).collect();
        let scores = record.plies.iter().map(|ply| ply.score).collect();
        Ok(Some((board, points, record.reason.name(), moves, scores)))
    }
}
