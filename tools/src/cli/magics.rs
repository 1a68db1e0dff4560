//! The command `magics`: finds the multipliers of the rua's magic bitboards and prints
//! `movegen/src/magic_numbers.rs`.

use std::fmt::Write;

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::{Bitboard, Square, attacks};

use super::stdout;

/// The seed that reproduces the multipliers of `sakmak-movegen`.
pub(crate) const SEED: u64 = 2026;

/// Searches and prints; with [`SEED`] exactly the file in the tree.
pub(crate) fn print(seed: u64) -> Result<()> {
    let found = find(seed);
    stdout::print(&source(&found.magics)?)?;
    stdout::warn(format_args!("{} candidates tried", found.candidates));
    Ok(())
}

/// The multipliers as Rust source.
fn source(magics: &[u64; 64]) -> Result<String> {
    let mut text = String::from(
        "//! Multipliers of the rua's magic bitboards, written by `sakmak-tools magics`.\n\n\
         /// One multiplier for each square, a1 first.\n\
         #[rustfmt::skip]\n\
         pub const RUA_MAGICS: [u64; 64] = [\n",
    );
    for row in magics.chunks(4) {
        let row: Vec<_> = row.iter().map(|&magic| literal(magic)).collect();
        writeln!(text, "    {},", row.join(", "))?;
    }
    text.push_str("];\n");
    Ok(text)
}

/// A number in hexadecimal, four digits a group.
fn literal(number: u64) -> String {
    let groups: Vec<_> =
        [48, 32, 16, 0].iter().map(|shift| format!("{:04x}", number >> shift & 0xffff)).collect();
    format!("0x{}", groups.join("_"))
}

struct Found {
    /// One multiplier for each square, a1 first.
    magics: [u64; 64],
    /// How many random candidates were tried.
    candidates: u64,
}

/// Searches at random, the same for the same seed.
fn find(seed: u64) -> Found {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut candidates = 0;
    let magics = std::array::from_fn(|index| {
        let mut square = MagicSquare::new(Square::from_index(index));
        loop {
            candidates += 1;
            // Few set bits make a product that rarely carries: such candidates succeed more often.
            let magic = rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>();
            if square.accepts(magic) {
                return magic;
            }
        }
    });
    Found { magics, candidates }
}

/// The occupancies that a multiplier for one square must distinguish.
struct MagicSquare {
    /// 64 less the number of squares whose occupancy matters.
    shift: u32,
    /// Each relevant occupancy and the rua's attacks with it.
    cases: Vec<(u64, Bitboard)>,
    /// The attacks of each row of the table, and the attempt that wrote them.
    rows: Vec<(u64, Bitboard)>,
    attempts: u64,
}

impl MagicSquare {
    fn new(square: Square) -> Self {
        let mask = relevant_occupancy(square);
        // The subsets of the mask, the empty one first.
        let mut cases = vec![(0, attacks::rua(square, Bitboard::EMPTY))];
        let mut subset = mask & mask.wrapping_neg();
        while subset != 0 {
            cases.push((subset, attacks::rua(square, Bitboard(subset))));
            subset = subset.wrapping_sub(mask) & mask;
        }
        let rows = vec![(0, Bitboard::EMPTY); cases.len()];
        Self { shift: 64 - mask.count_ones(), cases, rows, attempts: 0 }
    }

    /// Whether `magic` sends occupancies with different attacks to different rows.
    fn accepts(&mut self, magic: u64) -> bool {
        self.attempts += 1;
        let Self { shift, ref cases, ref mut rows, attempts } = *self;
        cases.iter().all(|&(occupied, attacks)| {
            let row = &mut rows[(occupied.wrapping_mul(magic) >> shift) as usize];
            let fits = row.0 != attempts || row.1 == attacks;
            *row = (attempts, attacks);
            fits
        })
    }
}

/// The file and rank of a rua without the board's edge ahead of it.
fn relevant_occupancy(square: Square) -> u64 {
    let rank = Bitboard::rank(square.rank()) & !(Bitboard::file(0) | Bitboard::file(7));
    let file = Bitboard::file(square.file()) & !(Bitboard::rank(0) | Bitboard::rank(7));
    ((rank | file) & !Bitboard::from(square)).0
}

#[cfg(test)]
mod tests {
    use super::*;
    use sakmak_movegen::RUA_MAGICS;

    #[test]
    fn the_committed_magics_are_valid_and_reproduced() {
        for square in Square::all() {
            let mut magic_square = MagicSquare::new(square);
            assert!(magic_square.accepts(RUA_MAGICS[square.index()]), "{square}");
            assert!(!magic_square.accepts(0), "{square}");
        }
        let found = find(SEED).magics;
        assert_eq!(found, RUA_MAGICS);
        assert_eq!(
            source(&found).unwrap(),
            include_str!("../../../movegen/src/magic_numbers.rs").replace("\r\n", "\n")
        );
    }
}
