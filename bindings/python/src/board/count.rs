//! What players do about the count.

use pyo3::prelude::*;
use sakmak_movegen::CountDecision;

use super::Board;
use crate::errors;
use crate::types::{PyCount, PyMove, PyOutcome};

/// The word of a decision among the moves of UCI.
const WORD: &str = "count-";

impl Board {
    fn decide(&mut self, decision: CountDecision) -> PyResult<()> {
        self.game_mut()?.decide(decision).map_err(errors::of_count)
    }

    /// Moves and decisions about the count, as in UCI's `position ... moves`.
    pub(crate) fn uci_words(&self) -> Vec<String> {
        let Ok(game) = self.game() else { return Vec::new() };
        let mut words: Vec<String> = game.moves().map(|mv| mv.to_string()).collect();
        for &(plies, decision) in game.decisions().iter().rev() {
            words.insert(plies, format!("{WORD}{decision}"));
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
        self.decide(CountDecision::Start)
    }

    fn stop_count(&mut self) -> PyResult<()> {
        self.decide(CountDecision::Stop)
    }

    fn claim_draw(&mut self) -> PyResult<PyOutcome> {
        Ok(self.game_mut()?.claim_draw().map_err(errors::of_count)?.into())
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
        match word.strip_prefix(WORD).and_then(|decision| decision.parse().ok()) {
            Some(decision) => self.decide(decision),
            None => self.push_uci(word).map(|_| ()),
        }
    }

    /// Obeys the commands for the count in a comment of PGN. Those that the rules do not allow are left out.
    fn _obey_count(&mut self, comment: String) -> PyResult<()> {
        sakmak_games::obey_count(self.game_mut()?, &[comment]);
        Ok(())
    }

    /// The headers of PGN for the rules and the start of the game.
    fn _start_headers(&self) -> PyResult<Vec<(String, String)>> {
        let tags = sakmak_games::start_tags(&self.game()?.initial(), Some(self.rules.setup.ruleset));
        Ok(tags.iter().map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }
}
