//! Lets engines mate bare khuns that are defended by the tablebase.

use std::fmt;

use anyhow::{Context, Result, anyhow, ensure};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Color, Game, Move, Outcome, Position, Rules};
use serde::Serialize;

use super::endings::{EndingResult, Endings, fits};
use super::position::{Goal, SuitePosition};
use crate::tournament::position_engine::PositionEngine;
use crate::tournament::spec::{EngineLimits, EngineSpec};

/// The mates of one engine, with the fields of the JSON document.
#[derive(Debug, Serialize)]
pub struct MatingReport {
    engine: String,
    mated: usize,
    total: usize,
    /// Mean over the mates of the plies beyond the shortest mate.
    mean_over: f64,
    men: Vec<MaterialScore>,
    failures: Vec<FailedMate>,
}

impl MatingReport {
    /// Number of positions mated within the count.
    pub fn mated(&self) -> usize {
        self.mated
    }
}

#[derive(Debug, Serialize)]
struct MaterialScore {
    men: String,
    mated: usize,
    total: usize,
    /// Sum over the mates of the plies beyond the shortest mate.
    over: usize,
}

#[derive(Debug, Serialize)]
struct FailedMate {
    id: String,
    fen: String,
    reason: String,
    moves: String,
}

/// The result of a position played out.
enum MatingResult {
    /// Mate, this number of plies later than the shortest.
    Mated(usize),
    /// The win was lost.
    Lost { reason: String, moves: String },
}

/// Lets an engine play out each position; `seed` chooses among equally long defences.
///
/// # Errors
/// If the engine fails, or a position is no win against a bare khun.
pub fn hunt(
    spec: &EngineSpec,
    limits: EngineLimits,
    positions: &[SuitePosition],
    seed: u64,
    endings: &Endings,
) -> Result<MatingReport> {
    let mut engine = PositionEngine::start(spec, &Rules::default(), limits)?;
    let mut men: Vec<MaterialScore> = Vec::new();
    let mut failures = Vec::new();
    for (number, entry) in positions.iter().enumerate() {
        let mut random = ChaCha8Rng::seed_from_u64(seed.wrapping_mul(10_000).wrapping_add(number as u64));
        let result = play_out(&mut engine, entry, endings, &mut random)?;
        if men.last().is_none_or(|score| score.men != entry.theme()) {
            men.push(MaterialScore { men: entry.theme().to_owned(), mated: 0, total: 0, over: 0 });
        }
        let Some(score) = men.last_mut() else { continue };
        score.total += 1;
        match result {
            MatingResult::Mated(over) => {
                score.mated += 1;
                score.over += over;
            }
            MatingResult::Lost { reason, moves } => failures.push(FailedMate {
                id: entry.id.clone(),
                fen: entry.position.to_string(),
                reason,
                moves,
            }),
        }
    }
    let sum = |of: fn(&MaterialScore) -> usize| men.iter().map(of).sum::<usize>();
    let (mated, over) = (sum(|score| score.mated), sum(|score| score.over));
    Ok(MatingReport {
        engine: engine.name().to_owned(),
        mated,
        total: positions.len(),
        mean_over: over as f64 / mated.max(1) as f64,
        men,
        failures,
    })
}

fn play_out(
    engine: &mut PositionEngine,
    entry: &SuitePosition,
    endings: &Endings,
    random: &mut ChaCha8Rng,
) -> Result<MatingResult> {
    let not_a_win = || anyhow!("{}: not a won position against a bare khun", entry.id);
    let start = entry.position.to_string();
    let mut game = Game::from_fen(&start, Rules::default()).map_err(|_| not_a_win())?;
    let attacker = entry.position.side_to_move();
    let EndingResult::Won(shortest) = endings.probe(&entry.position, attacker) else {
        return Err(not_a_win());
    };
    ensure!(entry.goal == Goal::Win && entry.position.is_bare(!attacker), not_a_win());
    let mut moves = String::new();
    engine.new_game()?;
    loop {
        let lost = |reason: String| Ok(MatingResult::Lost { reason, moves: moves.clone() });
        match game.outcome() {
            Some(Outcome::Win(_)) => {
                return Ok(MatingResult::Mated(game.len().saturating_sub(shortest.into())));
            }
            Some(outcome) => return lost(outcome.to_string()),
            None => {}
        }
        let position = game.position();
        let mv = if position.side_to_move() == attacker {
            let played = engine.search(&start, &moves, &mut |_| ())?;
            match position.parse_move(&played) {
                Ok(mv) => mv,
                Err(error) => return lost(error.to_string()),
            }
        } else {
            // The tablebase plays the best defence, so a lost win cannot be regained.
            match endings.probe(position, attacker) {
                EndingResult::Won(plies) if fits(position, plies) => {}
                EndingResult::Won(plies) => {
                    let left = position.count().remaining().unwrap_or(0);
                    return lost(format!("after ply {} mate in {plies} with {left} left", game.len()));
                }
                _ => return lost(format!("after ply {} the khun escapes", game.len())),
            }
            defend(position, attacker, endings, random).ok_or_else(not_a_win)?
        };
        // The tablebase names legal moves only.
        game.play(mv).with_context(|| entry.id.clone())?;
        moves = if moves.is_empty() { mv.to_string() } else { format!("{moves} {mv}") };
    }
}

/// The longest defence, chosen at random among equals.
fn defend(position: &Position, attacker: Color, endings: &Endings, random: &mut ChaCha8Rng) -> Option<Move> {
    let mut best = (0, Vec::new());
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let plies = match endings.probe(&next, attacker) {
            EndingResult::Won(plies) => plies,
            _ => u16::MAX,
        };
        if plies > best.0 {
            best = (plies, Vec::new());
        }
        if plies == best.0 {
            best.1.push(mv);
        }
    }
    best.1.choose(random).copied()
}

impl fmt::Display for MatingReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { engine, mated, total, mean_over, .. } = self;
        writeln!(
            f,
            "{engine}: {mated} of {total} mated within the count, {mean_over:.2} plies over the shortest mate"
        )?;
        for MaterialScore { men, mated, total, over } in &self.men {
            let mean = *over as f64 / (*mated).max(1) as f64;
            writeln!(f, "  {men:<4}{mated:>3} of {total:>2}, {mean:>5.2} plies over")?;
        }
        for FailedMate { id, fen, reason, moves } in &self.failures {
            writeln!(f, "  failed {id}: {reason}  {fen} moves {moves}")?;
        }
        Ok(())
    }
}
