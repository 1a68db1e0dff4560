//! Generates positions in which a legal move loses value, from endgame tables.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::{Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::tablebase::{Ending, MoveValue, Tablebases, Value, build_order};
use sakmak_movegen::counting::usual_limit;
use sakmak_movegen::{Color, PieceKind, Position};

use super::make::place;
use super::position::{Goal, SuitePosition};

/// The endings of four men with pieces on both sides in which such positions are not rarer than one placement in 20,000,
/// those with fewest first, because later endings make up for what earlier ones lack.
pub const FOUR_MEN: [&str; 9] =
    ["KSvKB", "KSvKM", "KSvKN", "KSvKS", "KRvKR", "KRvKB", "KRvKN", "KRvKM", "KRvKS"];

/// The ten endings of five men that occur in most positions of 20,000 games of the engine with itself at 50 nodes a
/// move: 52% of all positions of five men.
pub const FIVE_MEN: [&str; 10] =
    ["KMMvKM", "KNMvKM", "KMMMvK", "KNMMvK", "KSMMvK", "KSMvKM", "KRBvKR", "KRSvKR", "KRMvKR", "KRNvKR"];

/// Placements tried for one position before the ending is given up.
const MAX_TRIES: usize = 20_000;
/// Most plies that the board's honour has counted already.
const MAX_COUNTED: u16 = 100;

/// How the text begins, for any seed.
pub const MARK: &str = "# sakmak-tools suite kept ";

/// `total` random positions of `endings` as text, equally many of each as far as there are enough. In each one legal
/// move keeps the value and another loses it (a draw instead of the win, or a loss instead of the draw), by `tables`
/// and with the count as it stands.
///
/// # Errors
/// If a table is missing, or there are too few positions.
pub fn value_kept(seed: u64, total: usize, endings: &[Ending], tables: &Tablebases) -> Result<String> {
    let mut text = format!(
        "{MARK}--seed {seed} --positions {total}\n\
         # A move of each keeps the value and another loses it, by endgame tables and Fairy-Stockfish's rules. Each \
         line:\n# a FEN of six fields (limit and ply of the count in plies), bm = all moves that keep the value or am \
         = all that\n# do not, id = ending and number, c0 = the value.\n"
    );
    let mut wanted = total;
    for (place, ending) in endings.iter().enumerate() {
        let share = wanted / (endings.len() - place);
        let found = positions(seed.wrapping_add(place as u64), share, ending, tables)?;
        wanted -= found.len();
        for entry in found {
            let _ = writeln!(text, "{entry}");
        }
    }
    ensure!(wanted == 0, "{wanted} positions too few; more endings may have them");
    Ok(text)
}

/// Up to `wanted` positions of an ending.
fn positions(seed: u64, wanted: usize, ending: &Ending, tables: &Tablebases) -> Result<Vec<SuitePosition>> {
    for needed in build_order(std::slice::from_ref(ending)) {
        let known = tables.endings().any(|known| *known == needed);
        ensure!(known, "no table of {needed}; `sakmak-tools tablebase build {ending}` makes it");
    }
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut seen = HashSet::new();
    let mut found = Vec::new();
    let mut tries = 0;
    while found.len() < wanted && tries < MAX_TRIES {
        tries += 1;
        let count = count(ending, &mut random);
        let side = if random.random_bool(0.5) { Color::White } else { Color::Black };
        let turned = random.random_bool(0.5);
        let Some(position) = place(&mut random, ending.pieces(), side, &count) else { continue };
        let position = if turned { position.flipped() } else { position };
        if position.outcome().is_some() || !seen.insert(position.key()) {
            continue;
        }
        // Bia on their second rank have no value.
        let Some(values) = tables.move_values(&position) else { continue };
        let id = format!("{ending}.{:03}", found.len() + 1);
        if let Some(entry) = entry(id, position, &values) {
            found.push(entry);
            tries = 0;
        }
    }
    Ok(found)
}

/// A random count of an ending as limit and ply: the board's honour up to [`MAX_COUNTED`], the first half of the
/// pieces' honour, or none with bia.
fn count(ending: &Ending, random: &mut ChaCha8Rng) -> String {
    let number = |kind| ending.pieces().iter().filter(|piece| piece.kind == kind).count() as u32;
    if number(PieceKind::Bia) > 0 {
        return "-".to_owned();
    }
    if !ending.is_bare(Color::Black) {
        return format!("128 {}", random.random_range(0..=MAX_COUNTED));
    }
    let limit = 2 * usual_limit((number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa)));
    let begun = 2 * ending.men() as u16;
    format!("{limit} {}", random.random_range(begun..=begun.max(limit / 2)))
}

/// The position with the moves that keep its value; `None` if no move keeps it or none loses it.
fn entry(id: String, position: Position, values: &[MoveValue]) -> Option<SuitePosition> {
    let class = |value: &MoveValue| match value.value {
        Value::Win(_) => 2,
        Value::Draw => 1,
        Value::Loss(_) => 0,
    };
    let best = values.iter().map(class).max()?;
    let (kept, lost): (Vec<&MoveValue>, Vec<_>) = values.iter().partition(|value| class(value) == best);
    if lost.is_empty() {
        return None;
    }
    let avoid = lost.len() < kept.len();
    let moves = if avoid { lost } else { kept };
    let goal = if best == 2 { Goal::Win } else { Goal::Draw };
    let moves = moves.iter().map(|value| value.mv).collect();
    Some(SuitePosition { position, id, goal, moves, avoid, note: String::new() })
}
