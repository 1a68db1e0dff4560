//! What players do about the count.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use super::Board;
use crate::errors;
use crate::types::{PyCount, PyMove, PyOutcome};

/// A decision of the side to move about the count.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum CountWord {
    Start,
    Stop,
    Claim,
}

impl CountWord {
    /// The word among the moves of UCI.
    pub(crate) fn text(self) -> &'static str {
        match self {
            Self::Start => "count-start",
            Self::Stop => "count-stop",
            Self::Claim => "count-claim",
        }
    }
}

impl Board {
    pub(crate) fn decide(&mut self, word: CountWord) -> PyResult<()> {
        let before = self.game()?.is_empty().then(|| self.game().cloned()).transpose()?;
        let game = self.game_mut()?;
        let decided = match word {
            CountWord::Start => game.start_count(),
            CountWord::Stop => game.stop_count(),
            CountWord::Claim => game.claim_draw().map(|_| ()),
        };
        decided.map_err(errors::of_count)?;
        if self.words.is_empty() {
            self.origin = before;
        }
        let plies = self.ply_count();
        self.words.push((plies, word));
        Ok(())
    }

    /// Moves and decisions about the count, as in UCI's `position ... moves`.
    pub(crate) fn uci_words(&self) -> Vec<String> {
        let Ok(game) = self.game() else { return Vec::new() };
        let mut decisions = self.words.iter().peekable();
        let mut words = Vec::new();
        for ply in 0..=game.len() {
            while let Some((_, word)) = decisions.next_if(|(at, _)| *at == ply) {
                words.push(word.text().to_owned());
            }
            words.extend(game.moves().nth(ply).map(|mv| mv.to_string()));
        }
        words
    }
}

#[pymethods]
impl Board {
    fn count(&self) -> PyResult<Option<PyCount>> {
        Ok(PyCount::of(self.position()?))
    }

    fn count_after(&self, mv: PyMove) -> PyResult<Option<PyCount>> {
        let mut position = self.position()?.clone();
        let mv = mv.legal(&position)?;
        position.play_unchecked(mv);
        Ok(PyCount::of(&position))
    }

    fn start_count(&mut self) -> PyResult<()> {
        self.decide(CountWord::Start)
    }

    fn stop_count(&mut self) -> PyResult<()> {
        self.decide(CountWord::Stop)
    }

    fn claim_draw(&mut self) -> PyResult<PyOutcome> {
        self.decide(CountWord::Claim)?;
        let outcome = self.outcome()?;
        outcome.ok_or_else(|| PyValueError::new_err("the claim was accepted without an outcome"))
    }

    fn can_claim_draw(&self) -> PyResult<bool> {
        Ok(self.position()?.may_claim_draw())
    }

    /// Whether `mv` mates but only draws unless the side to move stops its count before.
    fn must_stop_count(&self, mv: PyMove) -> PyResult<bool> {
        let position = self.position()?;
        Ok(position.must_stop_count(mv.legal(position)?))
    }

    #[pyo3(name = "uci_words")]
    fn py_uci_words(&self) -> Vec<String> {
        self.uci_words()
    }

    /// Makes a move or a decision about the count, as `uci_words` writes them.
    fn push_uci_word(&mut self, word: &str) -> PyResult<()> {
        let words = [CountWord::Start, CountWord::Stop, CountWord::Claim];
        match words.into_iter().find(|decision| decision.text() == word) {
            Some(decision) => self.decide(decision),
            None => self.push_uci(word).map(|_| ()),
        }
    }
}
