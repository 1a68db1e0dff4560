//! Proves the entries of a tablebase file from those of their successors.
//!
//! Moves, mates, stalemates and counts are those of the game (`sakmak-movegen`), not the solver's. If every entry
//! agrees, the file as a whole is right: each win has a move that brings it nearer, down to a mate or to a capture or
//! promotion whose value another file confirms, and no side has such a move where the file has no win.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use rayon::prelude::*;
use sakmak_eval::tablebase::{Ending, Tablebases, Value};
use sakmak_movegen::{Color, Count, PieceKind, Position};

/// An entry that does not follow from its successors' entries.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Difference {
    /// The position.
    pub position: Position,
    /// The value in the file.
    pub found: Option<Value>,
    /// The value by the successors; `None` if one of them has no value.
    pub expected: Option<Value>,
}

/// Result of a check.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CheckReport {
    /// Number of legal placements checked, per side to move; mirror images count once.
    pub checked: u64,
    /// Number of wrong entries.
    pub differences: u64,
    /// The first wrong entries, at most ten.
    pub examples: Vec<Difference>,
    /// Whether the wins, draws and losses in the file's header match its entries; `None` if only a sample was checked.
    pub statistics_agree: Option<bool>,
}

/// A count limit that no win exceeds.
const LONG: u16 = 10_000;
const EXAMPLES: usize = 10;
/// Placements per work item of a thread.
const CHUNK: u64 = 1 << 14;

/// Checks all entries of an ending, or with `sample` (number, seed) that number of random ones. `progress` is called
/// with the number of placements visited and the total. Returns `None` if the ending has no file.
pub fn check(
    tables: &Tablebases,
    ending: &Ending,
    sample: Option<(u64, u64)>,
    progress: &(dyn Fn(u64, u64) + Sync),
) -> Option<CheckReport> {
    let ending = ending.canonical();
    let info = tables.info(&ending)?;
    let size = tables.placements(&ending)?;
    let sides = if ending.is_symmetric() { &Color::ALL[..1] } else { &Color::ALL };
    // Sorted, so that neighbours find their blocks in the cache.
    let sampled = sample.map(|(number, seed)| {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let mut numbers: Vec<u64> = (0..number).map(|_| random.random_range(0..size)).collect();
        numbers.sort_unstable();
        numbers
    });
    let total = sample.map_or(size, |(number, _)| number);
    let report = Mutex::new(CheckReport::default());
    let (visited, counts) = (AtomicU64::new(0), [const { AtomicU64::new(0) }; 8]);
    (0..total.div_ceil(CHUNK)).into_par_iter().for_each(|chunk| {
        let numbers = chunk * CHUNK..((chunk + 1) * CHUNK).min(total);
        let mut found = CheckReport::default();
        for number in numbers.clone() {
            let number = sampled.as_ref().map_or(number, |sampled| sampled[number as usize]);
            for &side in sides {
                let Some(position) = tables.position(&ending, number, side) else { continue };
                found.checked += 1;
                let kind = check_entry(tables, &ending, position, &mut found);
                counts[side.index() * 4 + kind].fetch_add(1, Relaxed);
            }
        }
        let visited = visited.fetch_add(numbers.end - numbers.start, Relaxed) + numbers.end - numbers.start;
        progress(visited, total);
        let mut report = report.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        report.checked += found.checked;
        report.differences += found.differences;
        let room = EXAMPLES.saturating_sub(report.examples.len());
        report.examples.extend(found.examples.into_iter().take(room));
    });
    let mut report = report.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    if sample.is_none() {
        let agree = |&side: &Color| {
            let statistics = &info.sides[side.index()];
            let count = |kind: usize| 2 * counts[side.index() * 4 + kind].load(Relaxed);
            [statistics.drawn(), statistics.won(), statistics.lost()] == [count(0), count(1), count(2)]
        };
        report.statistics_agree = Some(sides.iter().all(agree));
    }
    Some(report)
}

/// Checks the entry of a position. Returns 0 for a draw, 1 for a win, 2 for a loss, 3 if it is missing.
fn check_entry(tables: &Tablebases, ending: &Ending, position: Position, report: &mut CheckReport) -> usize {
    let mut counting = position.clone();
    if !ending.has_bia() {
        // With a running count it can be seen which moves continue it and which begin another.
        counting.set_count(Count::new(LONG, 0));
    }
    let found = tables.probe_uncounted(&counting);
    let expected = from_successors(tables, ending, &counting);
    if found.is_none() || found != expected {
        report.differences += 1;
        if report.examples.len() < EXAMPLES {
            report.examples.push(Difference { position, found, expected });
        }
    }
    match found {
        Some(Value::Draw) => 0,
        Some(Value::Win(_)) => 1,
        Some(Value::Loss(_)) => 2,
        None => 3,
    }
}

/// The value by those after each legal move; `None` if one is missing.
fn from_successors(tables: &Tablebases, ending: &Ending, position: &Position) -> Option<Value> {
    let moves = position.legal_moves();
    if moves.is_empty() {
        return Some(if position.in_check() { Value::Loss(0) } else { Value::Draw });
    }
    let (mut soonest_win, mut longest_loss, mut holds) = (None, 0, false);
    for mv in moves {
        let mut after = position.clone();
        after.play_unchecked(mv);
        let goes_on = if ending.has_bia() {
            after.kind(PieceKind::Bia).len() == position.kind(PieceKind::Bia).len()
                && after.occupied().len() == position.occupied().len()
        } else {
            after.count() == Count::new(LONG, 1)
        };
        let value = if goes_on {
            tables.probe_uncounted(&after)?
        } else {
            // A capture or promotion decides, if anything is decided: the count that it begins is part of the value.
            match tables.probe(&after)?.value {
                Value::Draw => Value::Draw,
                Value::Win(_) => Value::Win(1),
                Value::Loss(_) => Value::Loss(0),
            }
        };
        match value {
            Value::Loss(plies) => {
                soonest_win = Some(soonest_win.map_or(plies + 1, |soonest: u16| soonest.min(plies + 1)));
            }
            Value::Draw => holds = true,
            Value::Win(plies) => longest_loss = longest_loss.max(plies + 1),
        }
    }
    Some(match soonest_win {
        Some(plies) => Value::Win(plies),
        None if holds => Value::Draw,
        None => Value::Loss(longest_loss),
    })
}
