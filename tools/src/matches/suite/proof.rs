//! Proof search: a full-width search whose leaves are ends of the game and table positions.

use std::collections::HashMap;

use sakmak_movegen::{Color, Count, Move, Outcome, Position, Square};
use thiserror::Error;

use super::position::{Goal, SuitePosition};
use crate::data::endings::{EndingTables, TableResult};

/// Positions searched for one proof before it is given up.
const MAX_NODES: u64 = 3_000_000;

/// Why a position of a suite is wrong, or cannot be proven.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[non_exhaustive]
pub enum ProofError {
    /// No table has the position.
    #[error("not in the tables")]
    NotInTables,
    /// The bare khun draws.
    #[error("the bare khun is not lost")]
    NotWon,
    /// The search has exceeded its limit of nodes.
    #[error("not every move can be proven")]
    TooDeep,
    /// All moves have the same result.
    #[error("no move matters")]
    Undecided,
    /// A move of the wrong kind.
    #[error("{mv} has the other result")]
    WrongMove {
        /// The move.
        mv: Move,
    },
}

/// A move of a position and its result; White is the attacker.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluatedMove {
    pub(super) mv: Move,
    /// Whether the attacker wins after it.
    pub(super) wins: bool,
    /// Plies from there to the attacker's win by the tables, if they have one; whether the count lets it or not.
    pub(super) plies: Option<u8>,
}

impl EvaluatedMove {
    /// Whether only the count keeps the attacker from winning.
    pub(super) fn is_late(self) -> bool {
        !self.wins && self.plies.is_some()
    }
}

/// The tables, and the results proven with them.
#[derive(Default)]
pub(super) struct ProofSearch {
    pub(super) tables: EndingTables,
    results: HashMap<(u64, Count), bool>,
    nodes: u64,
}

impl ProofSearch {
    /// All legal moves of a position in which White attacks, with their results; `None` if one cannot be proven.
    pub(super) fn evaluate(&mut self, position: &Position) -> Option<Vec<EvaluatedMove>> {
        self.results.clear();
        self.nodes = 0;
        let moves = position.legal_moves();
        let evaluated = moves.into_iter().map(|mv| {
            let next = after(position, mv);
            let wins = self.is_won(&next)?;
            let plies = match self.tables.probe(&next, Color::White) {
                TableResult::Won(plies) => Some(plies),
                _ => None,
            };
            Some(EvaluatedMove { mv, wins, plies })
        });
        evaluated.collect()
    }

    /// Whether White wins; `None` if that takes too long, or nothing ever ends the game.
    fn is_won(&mut self, position: &Position) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(Color::White));
        }
        if let Some(won) = self.tables.is_won(position, Color::White) {
            return Some(won);
        }
        // A running count ends every line. Without one only the tables could decide.
        if !position.count().is_running() || self.nodes >= MAX_NODES {
            return None;
        }
        let key = (position.key(), position.count());
        if let Some(&won) = self.results.get(&key) {
            return Some(won);
        }
        self.nodes += 1;
        let attacks = position.side_to_move() == Color::White;
        let mut moves = position.legal_moves();
        moves.sort_by_key(|&mv| !position.is_capture(mv));
        let mut doubt = false;
        for mv in moves {
            match self.is_won(&after(position, mv)) {
                Some(won) if won == attacks => {
                    self.results.insert(key, attacks);
                    return Some(attacks);
                }
                Some(_) => {}
                None => doubt = true,
            }
        }
        if doubt {
            return None;
        }
        self.results.insert(key, !attacks);
        Some(!attacks)
    }

    /// Proves a position of a file: its moves are those that reach its goal, all of them and no other.
    pub(super) fn check(&mut self, entry: &SuitePosition) -> Result<(), ProofError> {
        let side = entry.position.side_to_move();
        let attacker = if entry.goal == Goal::Win { side } else { !side };
        if entry.moves.is_empty() {
            let won = self.tables.is_won(&entry.position, attacker).ok_or(ProofError::NotInTables)?;
            return if won && entry.goal == Goal::Win { Ok(()) } else { Err(ProofError::NotWon) };
        }
        let position = as_white(&entry.position, attacker);
        let evaluated = self.evaluate(&position).ok_or(ProofError::TooDeep)?;
        if evaluated.iter().all(|one| one.wins) || !evaluated.iter().any(|one| one.wins) {
            return Err(ProofError::Undecided);
        }
        for one in evaluated {
            let mv = from_side_of(one.mv, attacker);
            let reaches = one.wins == (entry.goal == Goal::Win);
            if entry.is_solved_by(mv) != reaches {
                return Err(ProofError::WrongMove { mv });
            }
        }
        Ok(())
    }
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// The position with the given side as White.
pub(super) fn as_white(position: &Position, side: Color) -> Position {
    if side == Color::White { position.clone() } else { position.flipped() }
}

/// A move as it is called if the side plays White, or back.
pub(super) fn from_side_of(mv: Move, side: Color) -> Move {
    let turn = |square: Square| square.relative(side);
    let (from, to) = (turn(mv.from()), turn(mv.to()));
    if mv.is_promotion() { Move::promotion(from, to) } else { Move::new(from, to) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::endings::fits;
    use crate::matches::suite::make::{army, place};
    use rand::SeedableRng;
    use rand_chacha::ChaCha8Rng;

    /// The result of a position by the rules, from the tables' results a ply later: the
    /// plies of White's win.
    fn by_rules(tables: &mut EndingTables, position: &Position) -> Option<u8> {
        if let Some(outcome) = position.outcome() {
            return (outcome == Outcome::Win(Color::White)).then_some(0);
        }
        let attacks = position.side_to_move() == Color::White;
        let mut values = Vec::new();
        for mv in position.legal_moves() {
            let next = after(position, mv);
            // A move that begins a count decides, for the tables have whether the mate behind it fits.
            let begins = position.count().remaining().map(|left| left - 1) != next.count().remaining();
            let found = tables.probe(&next, Color::White);
            values.push(match (next.outcome(), found) {
                (Some(outcome), _) => (outcome == Outcome::Win(Color::White)).then_some(1),
                (None, TableResult::Won(plies)) if begins => {
                    fits(&next, plies).then_some(if attacks { 1 } else { 2 })
                }
                (None, TableResult::Won(plies)) => Some(plies + 1),
                (None, TableResult::NotWon) => None,
                (None, TableResult::Nothing) => panic!("{next} after {position}"),
            });
        }
        if attacks {
            values.into_iter().flatten().min()
        } else {
            values.into_iter().collect::<Option<Vec<_>>>()?.into_iter().max()
        }
    }

    /// A win of the tables is won in so many plies, and what is not won cannot be: if that holds for every
    /// position given the next ones, it is true of all. The moves and counts are those of the game, not of the
    /// tables.
    #[test]
    fn tables_agree_with_the_rules() {
        let mut tables = EndingTables::default();
        let mut random = ChaCha8Rng::seed_from_u64(5);
        let mut counts = [0; 2];
        // With limits that leave every line its plies.
        for (pieces, count) in [
            ("R", "250 7"),
            ("RS", "250 9"),
            ("SM", "250 9"),
            ("Rm", "128 1"),
            ("Rn", "128 1"),
            ("RP", "-"),
            ("Rp", "-"),
        ] {
            let pieces = army(pieces);
            for side in Color::ALL {
                let mut left = 4_000;
                while left > 0 {
                    let Some(position) = place(&mut random, &pieces, side, count) else { continue };
                    left -= 1;
                    let table = match tables.probe(&position, Color::White) {
                        TableResult::Won(plies) => Some(plies),
                        TableResult::NotWon => None,
                        TableResult::Nothing => panic!("{position}"),
                    };
                    assert_eq!(table, by_rules(&mut tables, &position), "{position}");
                    counts[usize::from(table.is_some())] += 1;
                }
            }
        }
        assert!(counts[0] > 5_000 && counts[1] > 5_000, "{counts:?}");
    }

    #[test]
    fn turned_moves() {
        let mv = Move::parse("e5e6m").unwrap();
        assert_eq!(from_side_of(mv, Color::White), mv);
        assert_eq!(from_side_of(mv, Color::Black).to_string(), "e4e3m");
    }
}
