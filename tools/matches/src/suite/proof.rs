//! Proof search: a full-width search whose leaves are game ends and tablebase positions.

use std::collections::HashMap;

use anyhow::{Context, Result, ensure};
use sakmak_movegen::{Color, Count, Move, Outcome, Position, Square};

use super::endings::{EndingResult, Endings};
use super::position::{Goal, SuitePosition};

/// Node limit of one proof.
const MAX_NODES: u64 = 3_000_000;

/// A move and its result; White is the attacker.
#[derive(Clone, Copy, Debug)]
pub(super) struct EvaluatedMove {
    pub(super) mv: Move,
    /// Whether the attacker wins after it.
    pub(super) wins: bool,
    /// Plies from there to the attacker's tablebase win, ignoring the count.
    pub(super) plies: Option<u16>,
}

impl EvaluatedMove {
    /// Whether only the count keeps the attacker from winning.
    pub(super) fn is_late(self) -> bool {
        !self.wins && self.plies.is_some()
    }
}

/// The tablebase, and the results proven with it.
#[derive(Default)]
pub(super) struct ProofSearch {
    pub(super) endings: Endings,
    results: HashMap<(u64, Count), bool>,
    nodes: u64,
}

impl ProofSearch {
    /// All legal moves of a position with White as the attacker, with their results; `None` if one cannot be proven.
    pub(super) fn evaluate(&mut self, position: &Position) -> Option<Vec<EvaluatedMove>> {
        self.results.clear();
        self.nodes = 0;
        let moves = position.legal_moves();
        let evaluated = moves.into_iter().map(|mv| {
            let next = after(position, mv);
            let wins = self.is_won(&next)?;
            let plies = match self.endings.probe(&next, Color::White) {
                EndingResult::Won(plies) => Some(plies),
                _ => None,
            };
            Some(EvaluatedMove { mv, wins, plies })
        });
        evaluated.collect()
    }

    /// Whether White wins; `None` if the node limit is reached, or nothing bounds the game.
    fn is_won(&mut self, position: &Position) -> Option<bool> {
        if let Some(outcome) = position.outcome() {
            return Some(outcome == Outcome::Win(Color::White));
        }
        if let Some(won) = self.endings.is_won(position, Color::White) {
            return Some(won);
        }
        // A running count bounds every line; without one only the tablebase could decide.
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

    /// Proves a position of a file: its moves are exactly those that reach its goal.
    ///
    /// # Errors
    /// Why it is wrong, or cannot be proven.
    pub(super) fn check(&mut self, entry: &SuitePosition) -> Result<()> {
        let side = entry.position.side_to_move();
        let attacker = if entry.goal == Goal::Win { side } else { !side };
        if entry.moves.is_empty() {
            let won = self.endings.is_won(&entry.position, attacker).context("not in the tablebase")?;
            ensure!(won && entry.goal == Goal::Win, "the bare khun is not lost");
            return Ok(());
        }
        let position = as_white(&entry.position, attacker);
        let evaluated = self.evaluate(&position).context("not every move can be proven")?;
        let wins = evaluated.iter().filter(|one| one.wins).count();
        ensure!(wins > 0 && wins < evaluated.len(), "no move matters");
        for one in evaluated {
            let mv = from_side_of(one.mv, attacker);
            let reaches = one.wins == (entry.goal == Goal::Win);
            ensure!(entry.is_solved_by(mv) == reaches, "{mv} has the other result");
        }
        Ok(())
    }
}

fn after(position: &Position, mv: Move) -> Position {
    let mut next = position.clone();
    next.play_unchecked(mv);
    next
}

/// The position with colours exchanged unless `side` is White.
pub(super) fn as_white(position: &Position, side: Color) -> Position {
    if side == Color::White { position.clone() } else { position.flipped() }
}

/// Converts a move of `as_white(position, side)` to one of the position itself, or back.
pub(super) fn from_side_of(mv: Move, side: Color) -> Move {
    let turn = |square: Square| square.relative(side);
    let (from, to) = (turn(mv.from()), turn(mv.to()));
    if mv.is_promotion() { Move::promotion(from, to) } else { Move::new(from, to) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turned_moves() {
        let mv = Move::parse("e5e6m").unwrap();
        assert_eq!(from_side_of(mv, Color::White), mv);
        assert_eq!(from_side_of(mv, Color::Black).to_string(), "e4e3m");
    }
}
