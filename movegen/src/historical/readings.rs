//! The readings of Ouk Chaktrang's first moves: when khun and met may leap.
//!
//! An engine must accept the leaps of an opponent with another reading, and should make none that it refuses.

use crate::game::Game;
use crate::moves::{Move, MoveError, MoveList};
use crate::position::Position;
use crate::rules::{PlayRules, Privileges, Reading, Variant};

impl Reading {
    /// `rules` with this reading's first moves.
    fn applied_to(self, mut rules: PlayRules) -> PlayRules {
        rules.privileges = rules.privileges.without(Privileges::OUK).with(self.privileges());
        rules
    }
}

/// A move that [`Game::play_uci_leniently`] has played.
///
/// ```
/// use sakmak_movegen::{Game, Reading, Rules, Ruleset, Variant};
///
/// // By Fairy-Stockfish's rules today the leap of the met does not capture.
/// let rules = Rules::new(Variant::Cambodian, Ruleset::FairyStockfish);
/// let mut game = Game::from_fen("4k3/8/8/8/8/4r3/8/3KM3 w E - 0 1", rules)?;
/// assert!(game.play_uci("e1e3").is_err());
/// let accepted = game.play_uci_leniently("e1e3").expect("another reading allows it");
/// assert_eq!(accepted.lenient, Some(Reading::FairyStockfish11));
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct AcceptedMove {
    /// The move.
    pub mv: Move,
    /// A reading that allows the move; `None` if it is legal under the rules of the game themselves.
    pub lenient: Option<Reading>,
}

impl Game {
    /// Plays a move as [`Game::play_uci`] does, and in Ouk Chaktrang also one that only another [`Reading`] allows.
    ///
    /// # Errors
    /// If the move is malformed, or legal under no reading.
    pub fn play_uci_leniently(&mut self, text: &str) -> Result<AcceptedMove, MoveError> {
        match self.play_uci(text) {
            Ok(mv) => Ok(AcceptedMove { mv, lenient: None }),
            Err(error @ MoveError::Malformed { .. }) => Err(error),
            Err(error) => {
                let read = |&reading: &Reading| Some((self.under(reading).parse_move(text).ok()?, reading));
                let found = self.readings().iter().find_map(read);
                let (mv, reading) = found.ok_or(error)?;
                self.play_leniently(mv);
                Ok(AcceptedMove { mv, lenient: Some(reading) })
            }
        }
    }

    /// In Ouk Chaktrang the legal moves that every [`Reading`] allows, if there are any; else all legal moves.
    pub fn undisputed_moves(&self) -> MoveList {
        let legal = self.position().legal_moves();
        let mut undisputed = legal.clone();
        for &reading in self.readings() {
            let position = self.under(reading);
            undisputed.retain(|mv| position.is_legal(*mv));
        }
        if undisputed.is_empty() { legal } else { undisputed }
    }

    /// Whether the game's rules have several readings. Only those of Ouk Chaktrang do.
    pub fn has_readings(&self) -> bool {
        self.rules().variant == Variant::Cambodian
    }

    /// The present position after the moves of the game under a reading of Ouk Chaktrang.
    pub fn under(&self, reading: Reading) -> Position {
        let mut position = self.start().clone();
        position.set_rules(reading.applied_to(*self.rules()));
        position.set_privileged(self.rights());
        for mv in self.moves() {
            position.play_unchecked(mv);
        }
        position
    }

    /// The readings of the game's variant.
    fn readings(&self) -> &'static [Reading] {
        if self.has_readings() { Reading::ALL } else { &[] }
    }
}
