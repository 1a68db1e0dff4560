//! Moves, pieces, counts and outcomes.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::sync::PyOnceLock;
use pyo3::types::PyType;
use sakmak_movegen::{
    Color, CountKind, CountingSystem, DrawReason, Move, Outcome, Piece, PieceKind, Position, SpokenCount,
    Square,
};

use crate::errors;

/// White is `True`, as in python-chess.
pub(crate) fn color_flag(color: Color) -> bool {
    color == Color::White
}

pub(crate) fn color(flag: bool) -> Color {
    if flag { Color::White } else { Color::Black }
}

pub(crate) fn square(number: i64) -> PyResult<Square> {
    match usize::try_from(number) {
        Ok(index @ 0..64) => Ok(Square::from_index(index)),
        _ => Err(PyValueError::new_err(format!("square {number} is not in 0 to 63"))),
    }
}

/// Piece types are numbered from 1, as in python-chess.
pub(crate) fn piece_type(kind: PieceKind) -> u8 {
    kind.index() as u8 + 1
}

pub(crate) fn kind(piece_type: i64) -> PyResult<PieceKind> {
    let index = piece_type.checked_sub(1).and_then(|index| usize::try_from(index).ok()).unwrap_or(usize::MAX);
    let error = || PyValueError::new_err(format!("piece type {piece_type} is not in 1 to 6"));
    PieceKind::ALL.get(index).copied().ok_or_else(error)
}

/// A move by its squares. It holds no mark of a move of two pieces: [`Position::complete`] adds it.
#[pyclass(name = "Move", module = "sakmak", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyMove(Move);

impl PyMove {
    pub(crate) fn on(self, position: &Position) -> Move {
        position.complete(self.0)
    }

    /// The legal move of the position.
    pub(crate) fn legal(self, position: &Position) -> PyResult<Move> {
        let mv = self.on(position);
        if position.is_legal(mv) {
            return Ok(mv);
        }
        Err(errors::IllegalMoveError::new_err(format!("'{mv}' is not legal here")))
    }
}

impl From<Move> for PyMove {
    fn from(mv: Move) -> Self {
        Self(if mv.is_two_piece() { Move::new(mv.from(), mv.to()) } else { mv })
    }
}

#[pymethods]
impl PyMove {
    #[new]
    #[pyo3(signature = (from_square, to_square, promotion=None))]
    fn new(from_square: i64, to_square: i64, promotion: Option<i64>) -> PyResult<Self> {
        let (from, to) = (square(from_square)?, square(to_square)?);
        if from == to {
            return Err(errors::InvalidMoveError::new_err("a move cannot stay on its square"));
        }
        match promotion.map(kind).transpose()? {
            None => Ok(Self(Move::new(from, to))),
            Some(PieceKind::Met) => Ok(Self(Move::promotion(from, to))),
            Some(_) => Err(errors::InvalidMoveError::new_err("a bia promotes to a met only")),
        }
    }

    #[classmethod]
    fn from_uci(_: &Bound<'_, PyType>, uci: &str) -> PyResult<Self> {
        Move::parse(uci).map(Self).map_err(|error| errors::of_move(&error))
    }

    fn uci(&self) -> String {
        self.0.to_string()
    }

    #[getter(from_square)]
    fn origin(&self) -> usize {
        self.0.from().index()
    }

    #[getter(to_square)]
    fn target(&self) -> usize {
        self.0.to().index()
    }

    #[getter]
    fn promotion(&self) -> Option<u8> {
        self.0.is_promotion().then(|| piece_type(PieceKind::Met))
    }

    fn __str__(&self) -> String {
        self.uci()
    }

    fn __repr__(&self) -> String {
        format!("Move.from_uci('{}')", self.0)
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_uci")?.unbind(), (slf.get().uci(),)))
    }
}

/// A piece of one colour.
#[pyclass(name = "Piece", module = "sakmak", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyPiece(pub(crate) Piece);

#[pymethods]
impl PyPiece {
    #[new]
    fn new(piece_type: i64, color: bool) -> PyResult<Self> {
        Ok(Self(Piece::new(self::color(color), kind(piece_type)?)))
    }

    #[classmethod]
    fn from_symbol(_: &Bound<'_, PyType>, symbol: &str) -> PyResult<Self> {
        let mut letters = symbol.chars();
        let piece = match (letters.next(), letters.next()) {
            (Some(letter), None) => Piece::from_letter(letter),
            _ => None,
        };
        let error = || PyValueError::new_err(format!("{symbol:?} is no piece (one of KMSNRPkmsnrp)"));
        piece.map(Self).ok_or_else(error)
    }

    #[getter]
    fn piece_type(&self) -> u8 {
        piece_type(self.0.kind)
    }

    #[getter]
    fn color(&self) -> bool {
        color_flag(self.0.color)
    }

    pub(crate) fn symbol(&self) -> String {
        self.0.letter().to_string()
    }

    fn __str__(&self) -> String {
        self.symbol()
    }

    fn __repr__(&self) -> String {
        format!("Piece.from_symbol('{}')", self.0.letter())
    }

    fn __reduce__(slf: &Bound<'_, Self>) -> PyResult<(Py<PyAny>, (String,))> {
        Ok((slf.get_type().getattr("from_symbol")?.unbind(), (slf.get().symbol(),)))
    }
}

/// A running count.
#[pyclass(name = "Count", module = "sakmak", frozen, eq, hash, get_all)]
#[derive(Clone, PartialEq, Eq, Hash)]
pub(crate) struct PyCount {
    /// `board`, `pieces` or `fifty`.
    kind: &'static str,
    /// The side that counts; `None` if the count belongs to neither.
    counter: Option<bool>,
    /// The side that has to mate; the side to move if the count belongs to neither.
    attacker: bool,
    /// The number spoken last, in moves.
    number: u16,
    /// The number at which the game is drawn, in moves; `None` for a count without an end.
    limit: Option<u16>,
    /// Moves that the attacker has left; `None` for a count without an end.
    moves_left: Option<u16>,
    /// Plies counted, as in the FEN.
    ply: u16,
    /// The limit in plies, as in the FEN.
    limit_ply: u16,
    text: String,
}

impl PyCount {
    /// The count of a position; `None` if nothing is counted.
    pub(crate) fn of(position: &Position) -> Option<Self> {
        let count = position.count();
        let is_fifty = position.rules().counting == CountingSystem::FiftyMoves;
        if !count.is_running() || is_fifty && count.ply() == 0 {
            return None;
        }
        let spoken = SpokenCount::new(position);
        let side = position.side_to_move();
        let counter = position.counter();
        let kind = match position.count_kind() {
            _ if is_fifty => "fifty",
            Some(CountKind::Pieces) => "pieces",
            _ => "board",
        };
        let left = count.limit().saturating_sub(count.ply());
        let number = if count.is_unlimited() { 0 } else { count.ply() / 2 };
        Some(Self {
            kind,
            counter: counter.map(color_flag),
            attacker: color_flag(counter.map_or(side, |counter| !counter)),
            number: spoken.spoken().map_or(number, |(_, number)| number),
            limit: spoken.limit().or(is_fifty.then_some(count.limit() / 2)),
            moves_left: spoken.moves_left().map(|(_, moves)| moves).or(is_fifty.then_some(left / 2)),
            ply: count.ply(),
            limit_ply: if count.is_unlimited() { 0 } else { count.limit() },
            text: if is_fifty { format!("fifty {number}/{}", count.limit() / 2) } else { spoken.to_string() },
        })
    }
}

#[pymethods]
impl PyCount {
    fn __str__(&self) -> &str {
        &self.text
    }

    fn __repr__(&self) -> String {
        format!("<Count: {}>", self.text)
    }
}

/// How a game ended.
#[pyclass(name = "Outcome", module = "sakmak", frozen, eq, hash, from_py_object)]
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) struct PyOutcome {
    /// The number of a `Termination`.
    termination: u8,
    winner: Option<bool>,
}

impl From<Outcome> for PyOutcome {
    fn from(outcome: Outcome) -> Self {
        let (termination, winner) = match outcome {
            Outcome::Win(color) => (1, Some(color_flag(color))),
            Outcome::Draw(DrawReason::Stalemate) => (2, None),
            Outcome::Draw(DrawReason::DeadMaterial) => (3, None),
            Outcome::Draw(DrawReason::PiecesHonour) => (4, None),
            Outcome::Draw(DrawReason::BoardHonour) => (5, None),
            Outcome::Draw(DrawReason::CounterMated) => (6, None),
            Outcome::Draw(DrawReason::Repetition) => (7, None),
            Outcome::Draw(DrawReason::FiftyMoves) => (8, None),
            // A reason of a later version of the rules.
            Outcome::Draw(_) => (9, None),
        };
        Self { termination, winner }
    }
}

/// The member of the enumeration `sakmak.Termination`, which is Python's.
static TERMINATION: PyOnceLock<Py<PyType>> = PyOnceLock::new();

/// The arguments that make an outcome again.
type Parts<'py> = (Bound<'py, PyAny>, Option<bool>);

#[pymethods]
impl PyOutcome {
    #[new]
    #[pyo3(signature = (termination, winner))]
    fn new(termination: &Bound<'_, PyAny>, winner: Option<bool>) -> PyResult<Self> {
        Ok(Self { termination: termination.getattr("value")?.extract()?, winner })
    }

    #[getter]
    fn termination<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        TERMINATION.import(py, "sakmak._types", "Termination")?.call1((self.termination,))
    }

    #[getter]
    fn winner(&self) -> Option<bool> {
        self.winner
    }

    pub(crate) fn result(&self) -> &'static str {
        match self.winner {
            Some(true) => "1-0",
            Some(false) => "0-1",
            None => "1/2-1/2",
        }
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let winner = match self.winner {
            Some(true) => "True",
            Some(false) => "False",
            None => "None",
        };
        Ok(format!("Outcome(termination={}, winner={winner})", self.termination(py)?.str()?))
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Py<PyAny>, Parts<'py>)> {
        let outcome = slf.get();
        Ok((slf.get_type().into_any().unbind(), (outcome.termination(slf.py())?, outcome.winner)))
    }
}
