//! Lets engines hunt bare khuns that resist by the tables.

use anyhow::{Context, Result, ensure};
use rand::SeedableRng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Color, Game, Move, Outcome, Position, Rules};
use sakmak_tools::output;
use sakmak_tools::tournament::spec::{EngineSpec, Limits};
use serde::Serialize;

use super::ask::Asked;
use super::epd::{Entry, Goal};
use crate::endings::{Known, Tables, fits};

/// What one engine has done.
#[derive(Serialize)]
struct Report {
    engine: String,
    mated: usize,
    total: usize,
    /// Plies beyond the shortest mate, on average over the mates.
    mean_over: f64,
    men: Vec<Tally>,
    failures: Vec<Failure>,
}

#[derive(Serialize)]
struct Tally {
    men: String,
    mated: usize,
    total: usize,
    /// Sum over the mates.
    over: usize,
}

#[derive(Serialize)]
struct Failure {
    id: String,
    fen: String,
    reason: String,
    moves: String,
}

/// How a hunt ended.
enum End {
    /// Mate, so many plies later than need be.
    Mated(usize),
    /// The win was given away.
    Lost { reason: String, moves: String },
}

/// Lets each engine hunt, and prints what came of it.
pub(super) fn run(
    engines: &[EngineSpec],
    limits: Limits,
    entries: &[Entry],
    seed: u64,
    json: bool,
) -> Result<()> {
    let mut tables = Tables::default();
    let mut reports = Vec::new();
    for spec in engines {
        let report = hunt_all(&mut Asked::start(spec, limits)?, entries, seed, &mut tables)?;
        if !json {
            output::print(&text(&report))?;
        }
        reports.push(report);
    }
    if json {
        output::print(&(serde_json::to_string_pretty(&reports)? + "\n"))?;
    }
    Ok(())
}

fn hunt_all(engine: &mut Asked, entries: &[Entry], seed: u64, tables: &mut Tables) -> Result<Report> {
    let mut men: Vec<Tally> = Vec::new();
    let mut failures = Vec::new();
    for (number, entry) in entries.iter().enumerate() {
        let mut random = ChaCha8Rng::seed_from_u64(seed.wrapping_mul(10_000).wrapping_add(number as u64));
        let end = hunt(engine, entry, tables, &mut random).with_context(|| entry.id.clone())?;
        if men.last().is_none_or(|tally| tally.men != entry.theme()) {
            men.push(Tally { men: entry.theme().to_owned(), mated: 0, total: 0, over: 0 });
        }
        let Some(tally) = men.last_mut() else { continue };
        tally.total += 1;
        match end {
            End::Mated(over) => {
                tally.mated += 1;
                tally.over += over;
            }
            End::Lost { reason, moves } => failures.push(Failure {
                id: entry.id.clone(),
                fen: entry.position.to_string(),
                reason,
                moves,
            }),
        }
    }
    let sum = |of: fn(&Tally) -> usize| men.iter().map(of).sum::<usize>();
    let (mated, over) = (sum(|tally| tally.mated), sum(|tally| tally.over));
    Ok(Report {
        engine: engine.name.clone(),
        mated,
        total: entries.len(),
        mean_over: over as f64 / mated.max(1) as f64,
        men,
        failures,
    })
}

fn hunt(engine: &mut Asked, entry: &Entry, tables: &mut Tables, random: &mut ChaCha8Rng) -> Result<End> {
    let start = entry.position.to_string();
    let mut game = Game::from_fen(&start, Rules::default())?;
    let hunter = entry.position.side_to_move();
    ensure!(entry.goal == Goal::Win && entry.position.is_bare(!hunter), "not a hunt");
    let Known::Won(shortest) = tables.look_up(&entry.position, hunter) else {
        anyhow::bail!("not won");
    };
    let mut moves = String::new();
    engine.new_game()?;
    loop {
        let lost = |reason: String| Ok(End::Lost { reason, moves: moves.clone() });
        match game.outcome() {
            Some(Outcome::Win(_)) => return Ok(End::Mated(game.len().saturating_sub(shortest.into()))),
            Some(outcome) => return lost(outcome.to_string()),
            None => {}
        }
        let position = game.position();
        let mv = if position.side_to_move() == hunter {
            let played = engine.best_move(&start, &moves)?;
            match position.parse_move(&played) {
                Ok(mv) => mv,
                Err(error) => return lost(error.to_string()),
            }
        } else {
            // Against the best defence a win once given away does not come back.
            match tables.look_up(position, hunter) {
                Known::Won(plies) if fits(position, plies) => {}
                Known::Won(plies) => {
                    let left = position.count().remaining().unwrap_or(0);
                    return lost(format!("after ply {} mate in {plies} with {left} left", game.len()));
                }
                _ => return lost(format!("after ply {} the khun escapes", game.len())),
            }
            defend(position, hunter, tables, random).context("no defence")?
        };
        game.play(mv)?;
        moves = if moves.is_empty() { mv.to_string() } else { format!("{moves} {mv}") };
    }
}

/// The move that resists longest, by chance among those.
fn defend(position: &Position, hunter: Color, tables: &mut Tables, random: &mut ChaCha8Rng) -> Option<Move> {
    let mut best = (0, Vec::new());
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        let plies = match tables.look_up(&next, hunter) {
            Known::Won(plies) => plies,
            _ => u8::MAX,
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

/// The report for people.
fn text(report: &Report) -> String {
    let Report { engine, mated, total, mean_over, .. } = report;
    let mut lines = vec![format!(
        "{engine}: {mated} of {total} mated within the count, {mean_over:.2} plies over the shortest mate\n"
    )];
    lines.extend(report.men.iter().map(|Tally { men, mated, total, over }| {
        let mean = *over as f64 / (*mated).max(1) as f64;
        format!("  {men:<4}{mated:>3} of {total:>2}, {mean:>5.2} plies over\n")
    }));
    lines.extend(
        report.failures.iter().map(|Failure { id, fen, reason, moves }| {
            format!("  failed {id}: {reason}  {fen} moves {moves}\n")
        }),
    );
    lines.concat()
}
