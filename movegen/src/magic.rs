//! Rua attacks by magic bitboards.
//!
//! The men on the inner squares of a rua's file and rank (at most twelve) decide where it can go.
//! Multiplying them by a suitable "magic" constant gathers them in the top bits, which number the
//! rows of a table of answers. On CPUs with BMI2 one PEXT instruction gathers them instead; both
//! ways share the table's layout. [`find_magics`] is the search that found the constants.
//!
//! Technique: Lasse Hansen, Pradyumna Kannan and others, "fancy" magic bitboards.

use once_cell::sync::Lazy;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::bitboard::Bitboard;
use crate::magic_numbers::MAGICS;
use crate::square::Square;

/// Rows of the attack table: the sum over all squares of 2^(inner squares of file and rank).
const TABLE_ROWS: usize = 102_400;

struct Entry {
    mask: u64,
    #[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
    magic: u64,
    #[cfg_attr(all(target_arch = "x86_64", target_feature = "bmi2"), allow(dead_code))]
    shift: u32,
    offset: u32,
}

impl Entry {
    #[inline]
    fn row(&self, occupied: Bitboard) -> usize {
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        // SAFETY: the instruction needs BMI2, and this line is compiled only where BMI2 is required.
        // Gain over the multiplication: see docs/architecture.md.
        let row = unsafe { core::arch::x86_64::_pext_u64(occupied.0, self.mask) };
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        let row = (occupied.0 & self.mask).wrapping_mul(self.magic) >> self.shift;
        self.offset as usize + row as usize
    }
}

struct RuaTable {
    entries: [Entry; 64],
    attacks: Box<[Bitboard]>,
}

static RUA: Lazy<RuaTable> = Lazy::new(|| {
    let mut offset = 0;
    let entries = std::array::from_fn(|index| {
        let mask = inner_mask(Square::from_index(index));
        let bits = mask.count_ones();
        let entry = Entry { mask, magic: MAGICS[index], shift: 64 - bits, offset };
        offset += 1 << bits;
        entry
    });
    let mut attacks = vec![Bitboard::EMPTY; TABLE_ROWS].into_boxed_slice();
    for square in Square::all() {
        let entry = &entries[square.index()];
        for occupied in subsets(entry.mask) {
            attacks[entry.row(Bitboard(occupied))] = slow_attacks(square, Bitboard(occupied));
        }
    }
    RuaTable { entries, attacks }
});

/// Whether this build gathers the occupied squares with PEXT rather than by multiplication.
pub const fn rua_uses_pext() -> bool {
    cfg!(all(target_arch = "x86_64", target_feature = "bmi2"))
}

/// Builds the table now rather than at the first lookup.
pub(crate) fn init() {
    Lazy::force(&RUA);
}

#[inline]
pub(crate) fn rua_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let table = &*RUA;
    table.attacks[table.entries[square.index()].row(occupied)]
}

/// The squares whose men matter for a rua: its file and rank without the board's edge ahead of it.
fn inner_mask(square: Square) -> u64 {
    let rank = Bitboard::rank(square.rank()).0 & !(Bitboard::file(0).0 | Bitboard::file(7).0);
    let file = Bitboard::file(square.file()).0 & !(Bitboard::rank(0).0 | Bitboard::rank(7).0);
    (rank | file) & !Bitboard::from(square).0
}

/// All subsets of a set, the empty one first.
fn subsets(mask: u64) -> impl Iterator<Item = u64> {
    let mut next = Some(0u64);
    std::iter::from_fn(move || {
        let subset = next?;
        let following = subset.wrapping_sub(mask) & mask;
        next = (following != 0).then_some(following);
        Some(subset)
    })
}

/// Rua attacks by walking the four rays.
fn slow_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let steps: [fn(Bitboard) -> Bitboard; 4] =
        [Bitboard::north, Bitboard::south, Bitboard::east, Bitboard::west];
    let mut attacks = Bitboard::EMPTY;
    for step in steps {
        let mut here = step(square.into());
        while !here.is_empty() {
            attacks |= here;
            if here.intersects(occupied) {
                break;
            }
            here = step(here);
        }
    }
    attacks
}

/// What [`find_magics`] found.
#[derive(Clone, Debug)]
pub struct MagicSearch {
    /// One multiplier for each square, a1 first.
    pub magics: [u64; 64],
    /// How many random candidates were tried.
    pub candidates: u64,
}

/// Searches for rua magics at random, the same for the same seed. Each maps the occupied inner
/// squares to as many bits as there are such squares, with no harmful collision.
pub fn find_magics(seed: u64) -> MagicSearch {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut candidates = 0;
    let magics = std::array::from_fn(|index| {
        let square = Square::from_index(index);
        let mask = inner_mask(square);
        let cases: Vec<_> =
            subsets(mask).map(|occupied| (occupied, slow_attacks(square, Bitboard(occupied)))).collect();
        let mut rows = vec![(0u64, Bitboard::EMPTY); cases.len()];
        loop {
            candidates += 1;
            // Few set bits make a product that rarely carries: such candidates succeed more often.
            let magic = rng.random::<u64>() & rng.random::<u64>() & rng.random::<u64>();
            if is_magic(magic, 64 - mask.count_ones(), &cases, &mut rows, candidates) {
                return magic;
            }
        }
    });
    MagicSearch { magics, candidates }
}

/// Whether `magic` sends cases with different attacks to different rows. `rows` holds, with the
/// number of the try that wrote it, what each row has been taken for.
fn is_magic(
    magic: u64,
    shift: u32,
    cases: &[(u64, Bitboard)],
    rows: &mut [(u64, Bitboard)],
    attempt: u64,
) -> bool {
    cases.iter().all(|&(occupied, attacks)| {
        let row = &mut rows[(occupied.wrapping_mul(magic) >> shift) as usize];
        let fits = row.0 != attempt || row.1 == attacks;
        *row = (attempt, attacks);
        fits
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::MAGIC_SEED;

    #[test]
    fn the_finder_reproduces_the_constants() {
        assert_eq!(find_magics(MAGIC_SEED).magics, MAGICS);
    }

    #[test]
    fn lookup_equals_ray_walk_for_every_inner_occupancy() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        for square in Square::all() {
            let mask = inner_mask(square);
            for inner in subsets(mask) {
                // Men elsewhere must not matter.
                let occupied = Bitboard(inner | rng.random::<u64>() & !mask);
                assert_eq!(rua_attacks(square, occupied), slow_attacks(square, occupied), "{square}");
            }
        }
    }

    /// The multiplication is tested also in builds that use PEXT.
    #[test]
    fn every_magic_is_free_of_harmful_collisions() {
        for square in Square::all() {
            let mask = inner_mask(square);
            let cases: Vec<_> = subsets(mask).map(|o| (o, slow_attacks(square, Bitboard(o)))).collect();
            let mut rows = vec![(0, Bitboard::EMPTY); cases.len()];
            assert!(is_magic(MAGICS[square.index()], 64 - mask.count_ones(), &cases, &mut rows, 1));
        }
    }
}
