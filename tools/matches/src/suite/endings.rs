//! Tablebase probes of the suite: does the attacker win, and in how many plies.

use sakmak_eval::tablebase::{SolvedEndings, Value};
use sakmak_movegen::counting::usual_limit;
use sakmak_movegen::{Color, PieceKind, Position};

/// The tablebase result of a position, ignoring the running count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum EndingResult {
    /// Unknown: more than four men, or a count that no game has.
    Unknown,
    /// The attacker does not win, whatever the count.
    NotWon,
    /// The attacker wins in this number of plies, if the count leaves them.
    Won(u16),
}

/// Tablebase of up to four men; each ending is solved when first needed.
#[derive(Default)]
pub struct Endings(SolvedEndings);

impl Endings {
    /// The result of a position for `attacker`.
    pub(super) fn probe(&self, position: &Position, attacker: Color) -> EndingResult {
        // Without bia a count runs in every game, with bia in none.
        if position.kind(PieceKind::Bia).is_empty() != position.count().is_running() {
            return EndingResult::Unknown;
        }
        match self.0.probe_uncounted(position) {
            None => EndingResult::Unknown,
            Some(Value::Win(plies)) if position.side_to_move() == attacker => EndingResult::Won(plies),
            Some(Value::Loss(plies)) if position.side_to_move() != attacker => EndingResult::Won(plies),
            Some(_) => EndingResult::NotWon,
        }
    }

    /// Whether `attacker` wins before the count ends; `None` if the result is unknown. The game must not be over.
    pub(super) fn is_won(&self, position: &Position, attacker: Color) -> Option<bool> {
        match self.probe(position, attacker) {
            EndingResult::Unknown => None,
            EndingResult::NotWon => Some(false),
            EndingResult::Won(plies) => Some(fits(position, plies)),
        }
    }
}

/// Whether a win in `plies` counts: it may take `left + 1` plies, as the ply after the limit may still mate.
pub(super) fn fits(position: &Position, plies: u16) -> bool {
    position.count().remaining().is_none_or(|left| i32::from(plies) <= left + 1)
}

/// Limit of the pieces' honour in plies, from the attacker's pieces, under the default ruleset; the pieces on the board
/// are not subtracted.
pub(super) fn limit(attackers: &[PieceKind]) -> u16 {
    let number = |kind| attackers.iter().filter(|&&piece| piece == kind).count() as u32;
    2 * usual_limit((number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa)))
}
