//! Rua attacks by magic bitboards.
//!
//! The occupied inner squares of a rua's file and rank (at most twelve) decide where it can go. A multiplication by a
//! "magic" constant gathers them in the top bits, the row of the attack table. With BMI2, one PEXT instruction gathers
//! them instead. `magic_numbers.rs` says how the constants were found. Builds that must be small compute the attacks
//! instead: see `obstruction.rs`.
//!
//! Technique: Lasse Hansen, Pradyumna Kannan and others, "fancy" magic bitboards.

use crate::bitboard::Bitboard;
use crate::magic_numbers::RUA_MAGICS;
use crate::square::{File, Rank, Square};

/// Rows of the attack table: the sum over all squares of 2^(inner squares of file and rank).
const TABLE_ROWS: usize = 102_400;

/// Whether this build gathers the occupied squares with PEXT rather than by multiplication.
const fn rua_uses_pext() -> bool {
    cfg!(all(target_arch = "x86_64", target_feature = "bmi2"))
}

#[derive(Clone, Copy)]
struct Magic {
    mask: u64,
    magic: u64,
    shift: u32,
    offset: u32,
}

impl Magic {
    /// The row of the attack table for these occupied squares.
    #[inline]
    fn row(&self, occupied: Bitboard) -> usize {
        #[cfg(all(target_arch = "x86_64", target_feature = "bmi2"))]
        // SAFETY: the instruction needs BMI2, and this line is compiled only where BMI2 is required.
        // Gain over the multiplication: see docs/decisions/0002-rua-attacks.md.
        let row = unsafe { core::arch::x86_64::_pext_u64(occupied.0, self.mask) };
        #[cfg(not(all(target_arch = "x86_64", target_feature = "bmi2")))]
        let row = magic_row(self.magic, self.shift, occupied.0 & self.mask);
        self.offset as usize + row as usize
    }
}

#[inline]
const fn magic_row(magic: u64, shift: u32, inner: u64) -> u64 {
    inner.wrapping_mul(magic) >> shift
}

static ENTRIES: [Magic; 64] = entries();

const fn entries() -> [Magic; 64] {
    let mut entries = [Magic { mask: 0, magic: 0, shift: 0, offset: 0 }; 64];
    let (mut index, mut offset) = (0, 0);
    while index < 64 {
        let mask = inner_mask(Square::from_index(index));
        let bits = mask.count_ones();
        entries[index] = Magic { mask, magic: RUA_MAGICS[index], shift: 64 - bits, offset };
        offset += 1 << bits;
        index += 1;
    }
    entries
}

type AttackTable = [Bitboard; TABLE_ROWS];

/// Computed by the compiler: a table built on first use needs a check at every lookup.
static ATTACKS: AttackTable = {
    let mut table = [Bitboard::EMPTY; TABLE_ROWS];
    fill(&mut table);
    table
};

/// One half of an occupancy, on the inner squares of a file or of a rank.
#[derive(Clone, Copy)]
struct Half {
    /// The occupied squares.
    inner: u64,
    /// The squares that the rua attacks along this file or rank.
    attacks: u64,
    /// What PEXT adds to the row for these occupied squares.
    pext: u64,
}

/// The subsets of the inner squares of a file or rank, at most 2^6, and their number.
const fn halves(square: Square, mask: u64, line: u64) -> ([Half; 64], usize) {
    let mut halves = [Half { inner: 0, attacks: 0, pext: 0 }; 64];
    let (mut inner, mut length) = (0, 0);
    loop {
        let attacks = slow_attacks(square, Bitboard(inner)).0 & line;
        halves[length] = Half { inner, attacks, pext: pext(inner, mask) };
        length += 1;
        inner = inner.wrapping_sub(mask & line) & mask & line;
        if inner == 0 {
            return (halves, length);
        }
    }
}

/// The result of the instruction PEXT.
const fn pext(bits: u64, mask: u64) -> u64 {
    let (mut result, mut number, mut left) = (0, 0, mask);
    while left != 0 {
        if bits & left & left.wrapping_neg() != 0 {
            result |= 1 << number;
        }
        number += 1;
        left &= left - 1;
    }
    result
}

/// Fills the attack table.
///
/// File and rank are walked apart and then joined. Otherwise the compiler takes so many steps that it warns, in every
/// build of every package that depends on this one.
const fn fill(table: &mut AttackTable) {
    let entries = entries();
    let mut index = 0;
    while index < 64 {
        let Magic { mask, magic, shift, offset } = entries[index];
        let square = Square::from_index(index);
        let (files, file_count) = halves(square, mask, Bitboard::file_of(square).0);
        let (ranks, rank_count) = halves(square, mask, Bitboard::rank_of(square).0);
        let mut file = 0;
        while file < file_count {
            let mut rank = 0;
            while rank < rank_count {
                let row = if rua_uses_pext() {
                    files[file].pext | ranks[rank].pext
                } else {
                    magic_row(magic, shift, files[file].inner | ranks[rank].inner)
                };
                table[offset as usize + row as usize] = Bitboard(files[file].attacks | ranks[rank].attacks);
                rank += 1;
            }
            file += 1;
        }
        index += 1;
    }
}

#[inline]
pub(crate) fn rua_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    ATTACKS[ENTRIES[square.index()].row(occupied)]
}

/// The relevant occupancy of a rua: its file and rank without the board's edge ahead of it.
const fn inner_mask(square: Square) -> u64 {
    let rank = Bitboard::rank_of(square).0 & !(Bitboard::file(File::A).0 | Bitboard::file(File::H).0);
    let file =
        Bitboard::file_of(square).0 & !(Bitboard::rank(Rank::First).0 | Bitboard::rank(Rank::Eighth).0);
    (rank | file) & !Bitboard::from_square(square).0
}

/// Rua attacks by walking the four rays. The tests compare both fast ways with it.
pub(crate) const fn slow_attacks(square: Square, occupied: Bitboard) -> Bitboard {
    let mut attacks = 0;
    let mut direction = 0;
    while direction < 4 {
        let mut here = Bitboard::from_square(square);
        loop {
            here = match direction {
                0 => here.north(),
                1 => here.south(),
                2 => here.east(),
                _ => here.west(),
            };
            attacks |= here.0;
            if here.is_empty() || here.intersects(occupied) {
                break;
            }
        }
        direction += 1;
    }
    Bitboard(attacks)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::zobrist::splitmix64;

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

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn lookup_equals_ray_walk_for_every_inner_occupancy() {
        for square in Square::all() {
            let mask = inner_mask(square);
            for inner in subsets(mask) {
                // Pieces elsewhere must not matter.
                let occupied = Bitboard(inner | splitmix64(inner) & !mask);
                assert_eq!(rua_attacks(square, occupied), slow_attacks(square, occupied), "{square}");
            }
        }
    }

    /// The multiplication is tested also in builds that use PEXT.
    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn every_magic_is_free_of_harmful_collisions() {
        for square in Square::all() {
            let mask = inner_mask(square);
            let mut rows = vec![None; 1 << mask.count_ones()];
            for inner in subsets(mask) {
                let attacks = slow_attacks(square, Bitboard(inner));
                let row = magic_row(RUA_MAGICS[square.index()], 64 - mask.count_ones(), inner);
                assert_eq!(*rows[row as usize].get_or_insert(attacks), attacks, "{square}");
            }
        }
    }
}
