//! Makes the bare-khun wins that engines have to play out.

use std::collections::HashSet;
use std::fmt::Write;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Color, Count};

use super::SuiteError;
use super::make::{army, place};
use super::position::{Goal, SuitePosition};
use crate::data::endings::{EndingTables, TableResult, limit};

/// Armies and how many positions of each.
const ARMIES: [(&str, usize); 9] =
    [("R", 12), ("RR", 6), ("RN", 12), ("RS", 12), ("RM", 10), ("NS", 16), ("NM", 2), ("SS", 16), ("SM", 14)];
/// The most plies left beyond those the mate takes.
const MAX_MARGIN: u16 = 12;
/// The shortest mates, in plies.
const SHORTEST: u8 = 5;
/// Placements tried for one position.
const MAX_TRIES: usize = 1_000_000;

/// The start of the text, whatever the seed.
pub const MARK: &str = "# sakmak-tools suite bare ";

/// Wins against a bare khun as text: the count leaves the mate and a few plies.
///
/// # Errors
/// [`SuiteError::TooFew`] if there are too few wins.
pub fn bare_khun_wins(seed: u64) -> Result<String, SuiteError> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut tables = EndingTables::default();
    let mut text = format!(
        "{MARK}--seed {seed}\n\
         # Wins against a bare khun that fit the count, by Fairy-Stockfish's rules. Each line: a FEN of six fields \
         (limit\n# and ply of the count in plies), id = men and number, c0 = win, c1 = plies to mate, plies left, \
         difference.\n"
    );
    for (letters, wanted) in ARMIES {
        let pieces = army(letters);
        let kinds: Vec<_> = pieces.iter().map(|piece| piece.kind).collect();
        let limit = u16::from(limit(&kinds));
        let begun = 2 * (pieces.len() as u16 + 2) + 1;
        let (mut found, mut tries) = (0, 0);
        let mut seen = HashSet::new();
        while found < wanted {
            if tries >= MAX_TRIES {
                return Err(SuiteError::TooFew { theme: letters.to_owned() });
            }
            tries += 1;
            let placed = place(&mut random, &pieces, Color::White, &format!("{limit} {begun}"));
            let Some(mut position) = placed.filter(|position| position.outcome().is_none()) else { continue };
            let margin = 2 * random.random_range(0..=MAX_MARGIN / 2);
            let turned = random.random_bool(0.5);
            let TableResult::Won(plies @ SHORTEST..) = tables.probe(&position, Color::White) else {
                continue;
            };
            let left = u16::from(plies) + margin;
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

#[cfg(test)]
mod tests {
    use super::*;

    use sakmak_eval::{Dtm, DtmTables};
    use sakmak_movegen::Piece;

    /// The evaluation solves these attacks by sets of squares, the tables of the endings placement by placement.
    #[test]
    fn the_evaluation_has_the_same_mates() {
        let mut tables = EndingTables::default();
        let dtm_tables = DtmTables::default();
        dtm_tables.solve_all();
        let mut random = ChaCha8Rng::seed_from_u64(64);
        for letters in ["R", "RR", "RS", "RN", "RM", "S", "SS", "SN", "SM", "NM"] {
            let (mut mates, mut escapes) = (0, 0);
            for _ in 0..100_000 {
                let [attacker, side] =
                    [(); 2].map(|()| if random.random() { Color::White } else { Color::Black });
                let pieces: Vec<_> =
                    army(letters).into_iter().map(|piece| Piece { color: attacker, ..piece }).collect();
                let Some(position) = place(&mut random, &pieces, side, "88 10") else { continue };
                let expected = match tables.probe(&position, attacker) {
                    TableResult::Won(plies) => Dtm::Plies(plies.into()),
                    _ => Dtm::NotForced,
                };
                assert_eq!(dtm_tables.probe(&position), expected, "{position}");
                *(if expected == Dtm::NotForced { &mut escapes } else { &mut mates }) += 1;
            }
            assert!(mates > 10 && escapes > 100, "{letters}: {mates} {escapes}");
        }
    }
}
