//! The board and its moves as text.

use pyo3::prelude::*;
use sakmak_movegen::{Bitboard, Game, Move, Notation, Position};

use super::{Board, State};
use crate::draft::{board_field, pieces};
use crate::errors;
use crate::types::PyMove;

/// The FEN of a position with the met of `promoted` marked `M~`.
pub(crate) fn marked(position: &Position, promoted: Bitboard) -> String {
    let fen = position.to_string();
    let tail = fen.split_once(' ').map_or("", |(_, tail)| tail);
    format!("{} {tail}", board_field(&pieces(position), promoted))
}

/// The name of a move, unambiguous in Thai notation too.
fn name(game: &Game, notation: Notation, mv: Move) -> String {
    sakmak_games::move_name(game, notation, mv)
}

impl Board {
    pub(super) fn fen_text(&self, promoted: bool) -> String {
        match &self.state {
            State::Game(game) if promoted => game.marked_fen(),
            State::Game(game) => game.position().to_string(),
            State::Draft(draft) => {
                let fen = draft.fen(&self.rules.play);
                if promoted { fen } else { fen.replace('~', "") }
            }
        }
    }

    fn named(&self, notation: Notation, mv: PyMove) -> PyResult<String> {
        let game = self.game()?;
        Ok(name(game, notation, mv.legal(game.position())?))
    }
}

#[pymethods]
impl Board {
    #[pyo3(signature = (*, promoted=false))]
    fn fen(&self, promoted: bool) -> String {
        self.fen_text(promoted)
    }

    fn board_fen(&self) -> String {
        board_field(&self.pieces_of(), Bitboard::EMPTY)
    }

    fn set_fen(&mut self, fen: &str) -> PyResult<()> {
        let game = Game::from_fen(fen, self.rules).map_err(|error| errors::of_fen(&error))?;
        self.restart(State::Game(game));
        Ok(())
    }

    fn san(&self, mv: PyMove) -> PyResult<String> {
        self.named(Notation::San, mv)
    }

    fn lan(&self, mv: PyMove) -> PyResult<String> {
        self.named(Notation::Lan, mv)
    }

    fn thai_san(&self, mv: PyMove) -> PyResult<String> {
        self.named(Notation::ThaiSan, mv)
    }

    /// The move in one of the notations: `san`, `lan`, `thai-san`, `thai-lan`, `schemingmind`, `uci`.
    fn name(&self, mv: PyMove, notation: &str) -> PyResult<String> {
        self.named(notation.parse().map_err(errors::of_rules)?, mv)
    }

    fn uci(&self, mv: PyMove) -> PyResult<String> {
        Ok(mv.legal(self.position()?)?.to_string())
    }

    pub(super) fn parse_san(&self, san: &str) -> PyResult<PyMove> {
        let game = self.game()?;
        let mv = Notation::San.read(game.position(), san, game.promoted());
        mv.map(PyMove::from).map_err(|error| errors::of_notation(&error))
    }

    fn parse_uci(&self, uci: &str) -> PyResult<PyMove> {
        self.position()?.parse_move(uci).map(PyMove::from).map_err(|error| errors::of_move(&error))
    }

    /// The moves in SAN with their numbers: `1. e4 e5 2. Nd2`.
    #[pyo3(signature = (variation, notation="san"))]
    fn variation_san(&self, variation: Vec<PyMove>, notation: &str) -> PyResult<String> {
        let notation: Notation = notation.parse().map_err(errors::of_rules)?;
        let mut game = self.game()?.clone();
        let mut words = Vec::with_capacity(variation.len());
        for (index, mv) in variation.into_iter().enumerate() {
            let mv = mv.legal(game.position())?;
            let text = name(&game, notation, mv);
            let number = game.position().fullmove_number();
            let is_white = game.position().side_to_move() == sakmak_movegen::Color::White;
            words.push(match (is_white, index) {
                (true, _) => format!("{number}. {text}"),
                (false, 0) => format!("{number}...{text}"),
                (false, _) => text,
            });
            game.play_unchecked(mv);
        }
        Ok(words.join(" "))
    }

    /// Eight lines, White below.
    fn __str__(&self) -> String {
        let board = self.pieces_of();
        let rank = |rank: usize| {
            let letter = |piece: &Option<sakmak_movegen::Piece>| piece.map_or('.', |piece| piece.letter());
            let letters: Vec<String> =
                board[8 * rank..8 * rank + 8].iter().map(|piece| letter(piece).to_string()).collect();
            letters.join(" ")
        };
        (0..8).rev().map(rank).collect::<Vec<_>>().join("\n")
    }

    fn __repr__(&self) -> String {
        let mut text = format!("Board('{}'", self.fen_text(true));
        if self.variant() != "makruk" {
            text.push_str(&format!(", variant='{}'", self.variant()));
        }
        if self.ruleset() != "fairy-stockfish" {
            text.push_str(&format!(", ruleset='{}'", self.ruleset()));
        }
        text + ")"
    }

    fn _repr_svg_(slf: &Bound<'_, Self>) -> PyResult<Py<PyAny>> {
        Ok(slf.py().import("sakmak.svg")?.getattr("board")?.call1((slf,))?.unbind())
    }
}
