//! Generates the bare-khun wins that engines have to play out.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::{Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Color, Count};

use super::endings::{EndingResult, Endings, limit};
use super::make::{army, place};
use super::position::{Goal, SuitePosition};

/// Attacking armies, and the number of positions of each.
const ARMIES: [(&str, usize); 9] =
    [("R", 12), ("RR", 6), ("RN", 12), ("RS", 12), ("RM", 10), ("NS", 16), ("NM", 2), ("SS", 16), ("SM", 14)];
/// Maximum margin: plies that the count leaves beyond the mate.
const MAX_MARGIN: u16 = 12;
/// Minimum distance to mate, in plies.
const SHORTEST: u16 = 5;
/// Placements tried per position.
const MAX_TRIES: usize = 1_000_000;

/// How the text begins, for any seed.
pub const MARK: &str = "# sakmak-tools suite bare ";

/// Wins against a bare khun as text: the count leaves the mate plus a few plies.
///
/// # Errors
/// If there are too few wins.
pub fn bare_khun_wins(seed: u64) -> Result<String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let endings = Endings::default();
    let mut text = format!(
        "{MARK}--seed {seed}\n\
         # Wins against a bare khun that fit the count, by Fairy-Stockfish's rules. Each line: a FEN of six fields \
         (limit\n# and ply of the count in plies), id = men and number, c0 = win, c1 = plies to mate, plies left, \
         difference.\n"
    );
    for (letters, wanted) in ARMIES {
        let pieces = army(letters);
        let kinds: Vec<_> = pieces.iter().map(|piece| piece.kind).collect();
        let limit = limit(&kinds);
        let begun = 2 * (pieces.len() as u16 + 2) + 1;
        let (mut found, mut tries) = (0, 0);
        let mut seen = HashSet::new();
        while found < wanted {
            ensure!(tries < MAX_TRIES, "no more positions for '{letters}'");
            tries += 1;
            let placed = place(&mut random, &pieces, Color::White, &format!("{limit} {begun}"));
            let Some(mut position) = placed.filter(|position| position.outcome().is_none()) else { continue };
            let margin = 2 * random.random_range(0..=MAX_MARGIN / 2);
            let turned = random.random_bool(0.5);
            let EndingResult::Won(plies @ SHORTEST..) = endings.probe(&position, Color::White) else {
                continue;
            };
            let left = plies + margin;
            if left > limit - begun || !seen.insert(position.key()) {
                continue;
            }
            position.set_count(Count::new(limit, limit - left));
            found += 1;
            tries = 0;
            let position = if turned { position.flipped() } else { position };
            let note = format!("mate in {plies} plies, {left} left, margin {margin}");
            let id = format!("{letters}.{found:02}");
            let entry =
                SuitePosition { position, id, goal: Goal::Win, moves: Vec::new(), avoid: false, note };
            let _ = writeln!(text, "{entry}");
        }
    }
    Ok(text)
}
