//! The pieces on the board: read, put, attacks.

use pyo3::prelude::*;
use pyo3::types::{PyDict, PyFrozenSet, PyType};
use sakmak_movegen::{Bitboard, Color, Game, Piece, PieceKind, Square, attacks};

use super::{Board, State};
use crate::draft::Draft;
use crate::rules::squares;
use crate::types::{PyMove, PyPiece, color, color_flag, kind, piece_type, square};

fn set<'py>(py: Python<'py>, bitboard: Bitboard) -> PyResult<Bound<'py, PyFrozenSet>> {
    PyFrozenSet::new(py, squares(bitboard))
}

impl Board {
    fn piece_on(&self, square: Square) -> Option<Piece> {
        match &self.state {
            State::Game(game) => game.position().piece_on(square),
            State::Draft(draft) => draft.board[square.index()],
        }
    }

    pub(super) fn pieces_of(&self) -> [Option<Piece>; 64] {
        std::array::from_fn(|index| self.piece_on(Square::from_index(index)))
    }

    fn promoted_set(&self) -> Bitboard {
        match &self.state {
            State::Game(game) => game.promoted(),
            State::Draft(draft) => draft.promoted,
        }
    }

    /// Changes the board. The moves so far are gone. If the position is valid, a game begins there.
    fn edit(&mut self, change: impl FnOnce(&mut Draft)) {
        let mut draft = match &self.state {
            State::Game(game) => Draft::of(game),
            State::Draft(draft) => draft.clone(),
        };
        change(&mut draft);
        self.restart(match draft.game(&self.rules.play) {
            Ok(game) => State::Game(game),
            Err(_) => State::Draft(draft),
        });
    }
}

#[pymethods]
impl Board {
    fn piece_at(&self, square: i64) -> PyResult<Option<PyPiece>> {
        Ok(self.piece_on(self::square(square)?).map(PyPiece))
    }

    fn piece_type_at(&self, square: i64) -> PyResult<Option<u8>> {
        Ok(self.piece_on(self::square(square)?).map(|piece| piece_type(piece.kind)))
    }

    fn color_at(&self, square: i64) -> PyResult<Option<bool>> {
        Ok(self.piece_on(self::square(square)?).map(|piece| color_flag(piece.color)))
    }

    fn piece_map<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let map = PyDict::new(py);
        for square in Square::all() {
            if let Some(piece) = self.piece_on(square) {
                map.set_item(square.index(), PyPiece(piece))?;
            }
        }
        Ok(map)
    }

    fn pieces<'py>(
        &self,
        py: Python<'py>,
        piece_type: i64,
        color: bool,
    ) -> PyResult<Bound<'py, PyFrozenSet>> {
        let wanted = Piece::new(self::color(color), kind(piece_type)?);
        let found = Square::all().filter(|&square| self.piece_on(square) == Some(wanted));
        PyFrozenSet::new(py, found.map(Square::index))
    }

    /// The squares of met that were bia.
    #[getter]
    fn promoted<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        set(py, self.promoted_set())
    }

    fn khun(&self, color: bool) -> Option<usize> {
        let wanted = Piece::new(self::color(color), PieceKind::Khun);
        Square::all().find(|&square| self.piece_on(square) == Some(wanted)).map(Square::index)
    }

    fn king(&self, color: bool) -> Option<usize> {
        self.khun(color)
    }

    #[pyo3(signature = (square, piece, promoted=false))]
    fn set_piece_at(&mut self, square: i64, piece: Option<PyPiece>, promoted: bool) -> PyResult<()> {
        let square = self::square(square)?;
        let is_met = piece.is_some_and(|PyPiece(piece)| piece.kind == PieceKind::Met);
        self.edit(|draft| draft.set(square, piece.map(|PyPiece(piece)| piece), promoted && is_met));
        Ok(())
    }

    fn remove_piece_at(&mut self, square: i64) -> PyResult<Option<PyPiece>> {
        let square = self::square(square)?;
        let piece = self.piece_on(square);
        if piece.is_some() {
            self.edit(|draft| draft.set(square, None, false));
        }
        Ok(piece.map(PyPiece))
    }

    #[setter]
    fn set_turn(&mut self, turn: bool) {
        if turn != self.turn() {
            self.edit(|draft| draft.turn = color(turn));
        }
    }

    /// Empties the board.
    fn clear(&mut self) {
        self.restart(State::Draft(Draft::empty()));
    }

    /// Begins again at the start position of the rules.
    fn reset(&mut self) {
        self.restart(State::Game(Game::new(self.rules)));
    }

    /// The board of a pickle that was being set up.
    fn _set_up(&mut self, fen: &str) -> PyResult<()> {
        let wrong = || crate::errors::InvalidFenError::new_err(format!("'{fen}' is no board"));
        self.restart(State::Draft(Draft::from_fen(fen).ok_or_else(wrong)?));
        Ok(())
    }

    pub(super) fn is_valid(&self) -> bool {
        matches!(self.state, State::Game(_))
    }

    fn attackers<'py>(&self, py: Python<'py>, color: bool, square: i64) -> PyResult<Bound<'py, PyFrozenSet>> {
        let position = self.position()?;
        set(py, position.attackers_of(self::color(color), self::square(square)?, position.occupied()))
    }

    fn is_attacked_by(&self, color: bool, square: i64) -> PyResult<bool> {
        let position = self.position()?;
        let square = self::square(square)?;
        Ok(!position.attackers_of(self::color(color), square, position.occupied()).is_empty())
    }

    /// The squares that the piece on a square attacks or guards.
    fn attacks<'py>(&self, py: Python<'py>, square: i64) -> PyResult<Bound<'py, PyFrozenSet>> {
        let (square, position) = (self::square(square)?, self.position()?);
        let attacked = position.piece_on(square).map_or(Bitboard::EMPTY, |piece| {
            attacks::from(piece.kind, piece.color, square, position.occupied())
        });
        set(py, attacked)
    }

    fn checkers<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyFrozenSet>> {
        set(py, self.position()?.checkers())
    }

    fn is_pinned(&self, color: bool, square: i64) -> PyResult<bool> {
        let color: Color = self::color(color);
        Ok(self.position()?.pinned(color).contains(self::square(square)?))
    }

    /// The legal move between two squares, with the promotion if it is one.
    fn find_move(&self, from_square: i64, to_square: i64) -> PyResult<PyMove> {
        let (from, to) = (square(from_square)?, square(to_square)?);
        let moves = self.position()?.legal_moves();
        let found = moves.into_iter().find(|mv| (mv.from(), mv.to()) == (from, to));
        let error = || crate::errors::IllegalMoveError::new_err(format!("'{from}{to}' is not legal here"));
        found.map(PyMove::from).ok_or_else(error)
    }

    #[classmethod]
    fn from_fen(cls: &Bound<'_, PyType>, fen: &str) -> PyResult<Py<PyAny>> {
        Ok(cls.call1((fen,))?.unbind())
    }
}
