//! Makes the bare-khun wins that engines have to play out.

use std::collections::HashSet;
use std::fmt::Write;

use anyhow::{Result, ensure};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Color, Count};

use super::epd::{Entry, Goal};
use super::make::{army, place};
use crate::endings::{Known, Tables, limit, parse};

/// Armies and how many positions of each.
const ARMIES: [(&str, usize); 9] =
    [("R", 12), ("RR", 6), ("RN", 12), ("RS", 12), ("RM", 10), ("NS", 16), ("NM", 2), ("SS", 16), ("SM", 14)];
/// The most plies left beyond those the mate takes.
const MOST_MARGIN: u16 = 12;
/// Mates shorter than this are no hunt.
const SHORTEST: u8 = 5;
/// Placements tried for one position.
const MOST_TRIES: usize = 1_000_000;

/// How the text begins, whatever the seed.
pub(super) const MARK: &str = "# sakmak-tools suite bare ";

/// The wins as text: the bare khun is lost, and the count leaves the mate and a few plies.
pub(super) fn wins(seed: u64) -> Result<String> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut tables = Tables::default();
    let mut text = format!(
        "{MARK}--seed {seed}\n\
         # Wins against a bare khun that fit the count, by Fairy-Stockfish's rules. Each line: a FEN of six fields (limit\n\
         # and ply of the count in plies), id = men and number, c0 = win, c1 = plies to mate, plies left, difference.\n"
    );
    for (letters, wanted) in ARMIES {
        let men = army(letters);
        let limit = u16::from(limit(&parse(letters)?));
        let begun = 2 * (men.len() as u16 + 2) + 1;
        let (mut found, mut tries) = (0, 0);
        let mut seen = HashSet::new();
        while found < wanted {
            ensure!(tries < MOST_TRIES, "no more wins with {letters}");
            tries += 1;
            let placed = place(&mut random, &men, Color::White, &format!("{limit} {begun}"));
            let Some(mut position) = placed.filter(|position| position.outcome().is_none()) else { continue };
            let margin = 2 * random.random_range(0..=MOST_MARGIN / 2);
            let turned = random.random_bool(0.5);
            let Known::Won(plies @ SHORTEST..) = tables.look_up(&position, Color::White) else { continue };
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
            let entry = Entry { position, id, goal: Goal::Win, moves: Vec::new(), avoid: false, note };
            writeln!(text, "{entry}")?;
        }
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    use sakmak_eval::{Dtm, DtmTables};
    use sakmak_movegen::Piece;

    /// The evaluation solves these hunts by sets of squares, the tables of the endings placement by placement.
    #[test]
    fn the_evaluation_knows_the_same_mates() {
        let mut tables = Tables::default();
        let dtm_tables = DtmTables::default();
        dtm_tables.solve_all();
        let mut random = ChaCha8Rng::seed_from_u64(64);
        for letters in ["R", "RR", "RS", "RN", "RM", "S", "SS", "SN", "SM", "NM"] {
            let (mut mates, mut escapes) = (0, 0);
            for _ in 0..100_000 {
                let [hunter, side] =
                    [(); 2].map(|()| if random.random() { Color::White } else { Color::Black });
                let men: Vec<_> =
                    army(letters).into_iter().map(|man| Piece { color: hunter, ..man }).collect();
                let Some(position) = place(&mut random, &men, side, "88 10") else { continue };
                let expected = match tables.look_up(&position, hunter) {
                    Known::Won(plies) => Dtm::Plies(plies.into()),
                    _ => Dtm::NotForced,
                };
                assert_eq!(dtm_tables.probe(&position), expected, "{position}");
                *(if expected == Dtm::NotForced { &mut escapes } else { &mut mates }) += 1;
            }
            assert!(mates > 10 && escapes > 100, "{letters}: {mates} {escapes}");
        }
    }
}
