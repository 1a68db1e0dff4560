//! Endings that are solved in memory when they are first needed.

use std::cell::RefCell;
use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use sakmak_movegen::{Color, Position};

use super::build::{build_order, solve};
use super::ending::Ending;
use super::exits::Source;
use super::format::Family;
use super::index::Placement;
use super::probe::applies;
use super::solver::{ILLEGAL, MoveRows, Solution, SolveError};
use super::values::Value;

/// White's wins, by the ending in which it attacks.
#[derive(Default)]
pub(super) struct Solutions(pub(super) HashMap<Ending, Solution>);

impl Source for Solutions {
    fn moves(&self, ending: &Ending, side: Color) -> Result<Arc<MoveRows>, SolveError> {
        let solution = self.0.get(ending).ok_or(SolveError::NotSolved)?;
        Ok(Arc::clone(if side == Color::White { &solution.wins } else { &solution.losses }))
    }
}

impl fmt::Debug for Solutions {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys().map(Ending::to_string)).finish()
    }
}

/// Endings of up to four men, each solved when a probe first needs it, with those that it leads to.
///
/// An ending takes up to a second and 32 MB. For tools that have no files; a search probes
/// [`Tablebases`](super::Tablebases).
#[derive(Default, Debug)]
pub struct SolvedEndings(RefCell<Solutions>);

impl SolvedEndings {
    /// The value for the side to move whatever the count; `None` with more than four men, where the tablebase does not
    /// have the rules of the position or a bia's square, or if memory is short.
    pub fn probe_uncounted(&self, position: &Position) -> Option<Value> {
        let ending = Ending::from_position(position).filter(|ending| ending.men() <= 4)?;
        if ending.men() > 2 && !applies(Family::from_ending(&ending), position) {
            return None;
        }
        for attacker in Color::ALL {
            let flipped = attacker == Color::Black;
            let ending = if flipped { ending.flipped() } else { ending.clone() };
            if ending.is_bare(Color::White) {
                continue;
            }
            self.solve(&ending).ok()?;
            let Placement { khuns, men } = Placement::new(position, &ending, flipped);
            let attacks = position.side_to_move() == attacker;
            let men = &men[..ending.pieces().len()];
            match self.0.borrow().0.get(&ending)?.moves(khuns, men, attacks) {
                ILLEGAL => return None,
                moves @ ..ILLEGAL if attacks => return Some(Value::Win(2 * u16::from(moves) - 1)),
                moves @ ..ILLEGAL => return Some(Value::Loss(2 * u16::from(moves))),
                _ => {}
            }
        }
        Some(Value::Draw)
    }

    /// Solves an ending in which White attacks, and first those that it leads to.
    fn solve(&self, ending: &Ending) -> Result<(), SolveError> {
        if self.0.borrow().0.contains_key(ending) {
            return Ok(());
        }
        for needed in build_order(std::slice::from_ref(ending)) {
            for attacked in [needed.flipped(), needed] {
                let known = attacked.is_bare(Color::White) || self.0.borrow().0.contains_key(&attacked);
                if !known {
                    let solution = solve(&attacked, &*self.0.borrow(), 1, &|_| ())?;
                    self.0.borrow_mut().0.insert(attacked, solution);
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn an_ending_is_solved_when_it_is_needed() {
        let endings = SolvedEndings::default();
        let probe = |fen: &str| endings.probe_uncounted(&Position::from_fen(fen).unwrap());
        assert_eq!(probe("k1K4R/8/8/8/8/8/8/8 w - - 0 1"), Some(Value::Win(5)));
        assert_eq!(probe("8/8/8/8/8/8/8/K1k4r b - - 0 1"), Some(Value::Win(5)));
        assert_eq!(endings.0.borrow().0.len(), 1);
        // The rua takes the met: the hunt that begins then fits its limit.
        assert_eq!(probe("8/8/2K5/8/8/8/k6m/7R w - 128 0 60"), Some(Value::Win(1)));
        assert_eq!(probe("8/8/2K5/8/8/8/k6m/6RR w - 128 0 60"), None);
    }
}
