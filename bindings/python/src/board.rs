//! `Board`: a game with its present position, in the manner of python-chess.

mod count;
mod pieces;
mod text;

use pyo3::exceptions::PyIndexError;
use pyo3::gc::{PyTraverseError, PyVisit};
use pyo3::prelude::*;
use pyo3::types::{PyAny, PyDict, PyList, PyTuple, PyType};
use sakmak_movegen::{Game, Outcome, Position, Rules};

use crate::draft::Draft;
use crate::errors;
use crate::rules::{cannot_win, rules};
use crate::types::{PyMove, PyOutcome, color, color_flag};

pub(crate) use text::marked as marked_fen;

/// A game, or a board that is being set up.
#[derive(Clone)]
enum State {
    Game(Game),
    Draft(Draft),
}

/// A game from its start to the present position.
#[pyclass(name = "Board", module = "sakmak", subclass)]
#[derive(Clone)]
pub(crate) struct Board {
    rules: Rules,
    /// The parts of the rules that differ from the ruleset, as given.
    parts: String,
    state: State,
}

impl Board {
    pub(crate) fn of(rules: Rules, parts: &str, game: Game) -> Self {
        Self { rules, parts: parts.to_owned(), state: State::Game(game) }
    }

    /// The game; an error if the pieces on the board are no valid position.
    pub(crate) fn game(&self) -> PyResult<&Game> {
        match &self.state {
            State::Game(game) => Ok(game),
            State::Draft(draft) => Err(self.fault(draft)),
        }
    }

    fn game_mut(&mut self) -> PyResult<&mut Game> {
        if let State::Draft(draft) = &self.state {
            return Err(self.fault(draft));
        }
        match &mut self.state {
            State::Game(game) => Ok(game),
            State::Draft(_) => unreachable!("returned above"),
        }
    }

    /// Replaces the game. What was decided before is gone.
    fn restart(&mut self, state: State) {
        self.state = state;
    }

    fn fault(&self, draft: &Draft) -> PyErr {
        match draft.game(&self.rules.play) {
            Err(error) => errors::InvalidPositionError::new_err(error.to_string()),
            Ok(_) => errors::InvalidPositionError::new_err("the position is not set up"),
        }
    }

    pub(crate) fn position(&self) -> PyResult<&Position> {
        self.game().map(Game::position)
    }

    fn push_move(&mut self, mv: PyMove) -> PyResult<()> {
        let game = self.game_mut()?;
        let mv = mv.legal(game.position())?;
        game.play_unchecked(mv);
        Ok(())
    }

    /// The end of the game in this position: by the position, by repetition or by a claim here.
    fn present_outcome(&self) -> PyResult<Option<Outcome>> {
        let game = self.game()?;
        Ok(game.outcome_here().or_else(|| game.claimed()))
    }

    /// The position with its FEN and rules: what makes two boards equal.
    fn is_same(&self, other: &Self) -> bool {
        let rules = |board: &Self| board.game().map_or(board.rules.play, |game| *game.rules());
        rules(self) == rules(other) && self.fen_text(true) == other.fen_text(true)
    }
}

#[pymethods]
impl Board {
    #[new]
    #[pyo3(signature = (fen=None, variant="makruk", ruleset=None, *, parts=""))]
    fn new(fen: Option<&str>, variant: &str, ruleset: Option<&str>, parts: &str) -> PyResult<Self> {
        let rules = rules(variant, ruleset, parts)?;
        let game = match fen {
            None => Game::new(rules),
            Some(fen) => Game::from_fen(fen, rules).map_err(|error| errors::of_fen(&error))?,
        };
        Ok(Self::of(rules, parts, game))
    }

    #[classmethod]
    #[pyo3(signature = (variant="makruk", ruleset=None, *, parts=""))]
    fn empty(_: &Bound<'_, PyType>, variant: &str, ruleset: Option<&str>, parts: &str) -> PyResult<Self> {
        let state = State::Draft(Draft::empty());
        let rules = rules(variant, ruleset, parts)?;
        Ok(Self { rules, parts: parts.to_owned(), state })
    }

    #[getter]
    fn variant(&self) -> &'static str {
        self.rules.play.variant.name()
    }

    #[getter]
    fn ruleset(&self) -> &'static str {
        self.rules.setup.ruleset.name()
    }

    #[getter]
    fn turn(&self) -> bool {
        match &self.state {
            State::Game(game) => color_flag(game.position().side_to_move()),
            State::Draft(draft) => color_flag(draft.turn),
        }
    }

    #[getter]
    fn fullmove_number(&self) -> PyResult<u32> {
        Ok(self.position()?.fullmove_number())
    }

    #[getter]
    fn halfmove_clock(&self) -> PyResult<u16> {
        Ok(self.position()?.halfmove_clock())
    }

    /// Plies since the start of the game, by the move number.
    fn ply(&self) -> PyResult<u32> {
        Ok(self.position()?.game_ply())
    }

    #[getter]
    fn legal_moves(slf: Py<Self>) -> LegalMoves {
        LegalMoves { board: slf }
    }

    fn is_legal(&self, mv: PyMove) -> PyResult<bool> {
        let position = self.position()?;
        Ok(position.is_legal(mv.on(position)))
    }

    #[pyo3(name = "push")]
    fn py_push(&mut self, mv: PyMove) -> PyResult<()> {
        self.push_move(mv)
    }

    fn push_uci(&mut self, uci: &str) -> PyResult<PyMove> {
        let mv = self.game_mut()?.play_uci(uci).map_err(|error| errors::of_move(&error))?;
        Ok(mv.into())
    }

    fn push_san(&mut self, san: &str) -> PyResult<PyMove> {
        let mv = self.parse_san(san)?;
        self.push_move(mv)?;
        Ok(mv)
    }

    fn pop(&mut self) -> PyResult<PyMove> {
        let mv = self.game_mut()?.take_back().ok_or_else(|| PyIndexError::new_err("no move to take back"))?;
        Ok(mv.into())
    }

    fn peek(&self) -> PyResult<PyMove> {
        let last = self.game()?.moves().last();
        last.map(PyMove::from).ok_or_else(|| PyIndexError::new_err("no move was made"))
    }

    #[getter]
    fn move_stack(&self) -> Vec<PyMove> {
        match &self.state {
            State::Game(game) => game.moves().map(PyMove::from).collect(),
            State::Draft(_) => Vec::new(),
        }
    }

    fn is_check(&self) -> PyResult<bool> {
        Ok(self.position()?.in_check())
    }

    fn is_checkmate(&self) -> PyResult<bool> {
        let position = self.position()?;
        Ok(position.in_check() && !position.has_legal_move())
    }

    fn is_stalemate(&self) -> PyResult<bool> {
        let position = self.position()?;
        Ok(!position.in_check() && !position.has_legal_move())
    }

    fn is_insufficient_material(&self) -> PyResult<bool> {
        Ok(self.position()?.is_dead())
    }

    fn has_insufficient_material(&self, color: bool) -> PyResult<bool> {
        Ok(cannot_win(self.position()?, self::color(color)))
    }

    #[pyo3(signature = (count=3))]
    fn is_repetition(&self, count: usize) -> PyResult<bool> {
        Ok(self.game()?.occurrences() >= count)
    }

    fn is_game_over(&self) -> PyResult<bool> {
        Ok(self.present_outcome()?.is_some())
    }

    fn outcome(&self) -> PyResult<Option<PyOutcome>> {
        Ok(self.present_outcome()?.map(PyOutcome::from))
    }

    fn result(&self) -> PyResult<&'static str> {
        Ok(self.outcome()?.map_or("*", |outcome| outcome.result()))
    }

    fn gives_check(&self, mv: PyMove) -> PyResult<bool> {
        let position = self.position()?;
        let mv = mv.legal(position)?;
        Ok(position.gives_check(mv, &position.check_info()))
    }

    fn is_capture(&self, mv: PyMove) -> PyResult<bool> {
        let position = self.position()?;
        Ok(position.is_capture(mv.on(position)))
    }

    #[pyo3(signature = (*, stack=true))]
    fn copy<'py>(slf: &Bound<'py, Self>, stack: bool) -> PyResult<Bound<'py, PyAny>> {
        let mut board = slf.borrow().clone();
        if !stack {
            board = board.without_moves()?;
        }
        board.like(slf)
    }

    fn __copy__<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        Self::copy(slf, true)
    }

    #[pyo3(signature = (_memo))]
    fn __deepcopy__<'py>(slf: &Bound<'py, Self>, _memo: &Bound<'_, PyDict>) -> PyResult<Bound<'py, PyAny>> {
        Self::copy(slf, true)
    }

    /// The position before the first move.
    fn root<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let board = slf.borrow().at_root();
        board.like(slf)
    }

    /// The board with colours exchanged and top and bottom too, without the moves before.
    fn mirror<'py>(slf: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let mirrored = slf.borrow().mirrored()?;
        mirrored.like(slf)
    }

    fn perft(slf: &Bound<'_, Self>, depth: u32) -> PyResult<u64> {
        let position = slf.borrow().position()?.clone();
        crate::perft::count(slf.py(), &position, depth)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        other.extract::<PyRef<'_, Self>>().is_ok_and(|other| self.is_same(&other))
    }

    fn __hash__(&self) -> u64 {
        self.position().map_or(0, Position::key)
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let py = slf.py();
        let board = slf.borrow();
        let rebuild = py.import("sakmak._types")?.getattr("_rebuild_board")?;
        let start = board.at_root();
        // A board that is being set up has no moves and no decisions, which tells it from a game.
        let words = board.is_valid().then(|| board.uci_words());
        let parts = PyTuple::new(
            py,
            [
                slf.get_type().into_any(),
                start.fen_text(true).into_pyobject(py)?.into_any(),
                board.variant().into_pyobject(py)?.into_any(),
                board.ruleset().into_pyobject(py)?.into_any(),
                start.parts_in_force().into_pyobject(py)?.into_any(),
                words.into_pyobject(py)?.into_any(),
            ],
        )?;
        Ok((rebuild, parts))
    }
}

impl Board {
    /// This board as an object of the class of `other`, which may be a subclass.
    fn like<'py>(self, other: &Bound<'py, Self>) -> PyResult<Bound<'py, PyAny>> {
        let (py, class) = (other.py(), other.get_type());
        if class.is(py.get_type::<Self>()) {
            return Ok(Bound::new(py, self)?.into_any());
        }
        // Not the subclass's own `__new__`, which may need arguments.
        let object = py.get_type::<Self>().call_method1("__new__", (&class,))?;
        *object.cast::<Self>()?.borrow_mut() = self;
        Ok(object)
    }

    fn without_moves(mut self) -> PyResult<Self> {
        if let State::Game(game) = &self.state {
            let game = self.restarted(&self.fen_text(true), game)?;
            self.restart(State::Game(game));
        }
        Ok(self)
    }

    /// The board before the first move and the first decision about the count.
    fn at_root(&self) -> Self {
        let mut board = self.clone();
        if let State::Game(game) = &mut board.state {
            *game = game.initial();
        }
        board
    }

    fn mirrored(&self) -> PyResult<Self> {
        let game = self.game()?;
        let flipped = game.position().flipped();
        let fen = text::marked(&flipped, sakmak_movegen::Bitboard(game.promoted().0.swap_bytes()));
        Ok(Self { parts: self.parts.clone(), ..Self::of(self.rules, "", self.restarted(&fen, game)?) })
    }

    /// A game without moves from a FEN under the rules in force.
    fn restarted(&self, fen: &str, game: &Game) -> PyResult<Game> {
        Game::from_fen(fen, *game.rules()).map_err(|error| errors::of_fen(&error))
    }

    /// The parts, with the beginning of a count by hand before the first move.
    fn parts_in_force(&self) -> String {
        let mut parts = self.parts.clone();
        if let State::Game(game) = &self.state {
            let started = game.start().rules().count_started;
            if started != self.rules.play.count_started {
                parts.push_str(&format!(" CountStarted={}", started.0));
            }
        }
        parts
    }
}

/// The legal moves of a board at the time they are asked for.
#[pyclass(module = "sakmak", frozen)]
pub(crate) struct LegalMoves {
    board: Py<Board>,
}

#[pymethods]
impl LegalMoves {
    /// A subclass of `Board` may keep its own legal moves.
    fn __traverse__(&self, visit: PyVisit<'_>) -> Result<(), PyTraverseError> {
        visit.call(&self.board)
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        let moves = self.board.borrow(py).position()?.legal_moves();
        PyList::new(py, moves.into_iter().map(PyMove::from))?.as_any().call_method0("__iter__")
    }

    fn __contains__(&self, mv: &Bound<'_, PyAny>) -> PyResult<bool> {
        let Ok(found) = mv.extract::<PyMove>() else { return Ok(false) };
        self.board.borrow(mv.py()).is_legal(found)
    }

    fn count(&self, py: Python<'_>) -> PyResult<u32> {
        Ok(self.board.borrow(py).position()?.count_legal())
    }

    fn __len__(&self, py: Python<'_>) -> PyResult<usize> {
        Ok(self.count(py)? as usize)
    }

    fn __bool__(&self, py: Python<'_>) -> PyResult<bool> {
        Ok(self.board.borrow(py).position()?.has_legal_move())
    }

    fn __repr__(&self, py: Python<'_>) -> PyResult<String> {
        let board = self.board.borrow(py);
        let game = board.game()?;
        let names = game.position().legal_moves().into_iter();
        let names: Vec<String> = names.map(|mv| game.name(sakmak_movegen::Notation::San, mv)).collect();
        Ok(format!("<LegalMoves ({})>", names.join(", ")))
    }
}
