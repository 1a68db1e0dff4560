//! Material imbalance: corrections of the material for the combination of pieces on the board. It changes only with
//! captures and promotions, so a small cache saves nearly all of the work.

use sakmak_movegen::{Bitboard, Color, Piece, PieceKind, Position, splitmix64};

use crate::tapered::Tapered;
use crate::weight_table::Tracer;
use crate::weights::*;

/// Hash key of the numbers of pieces: the sum of one random number for each piece.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MaterialKey(u64);

impl MaterialKey {
    /// By colour and kind index.
    const PIECES: [[u64; 6]; 2] = {
        let mut numbers = [[0; 6]; 2];
        let mut index = 0;
        while index < 12 {
            numbers[index / 6][index % 6] = splitmix64(11_000 + index as u64);
            index += 1;
        }
        numbers
    };

    const fn of(piece: Piece) -> u64 {
        Self::PIECES[piece.color.index()][piece.kind.index()]
    }

    pub(crate) fn new(position: &Position) -> Self {
        let pieces = position.occupied().into_iter().filter_map(|square| position.piece_on(square));
        Self(pieces.map(Self::of).fold(0, u64::wrapping_add))
    }

    /// The key after a move of `us` that captures or promotes.
    #[inline]
    pub(crate) fn after(self, us: Color, captured: Option<Piece>, promotes: bool) -> Self {
        const PROMOTION: [u64; 2] = {
            let numbers = MaterialKey::PIECES;
            let (bia, met) = (PieceKind::Bia.index(), PieceKind::Met.index());
            [numbers[0][met].wrapping_sub(numbers[0][bia]), numbers[1][met].wrapping_sub(numbers[1][bia])]
        };
        let taken = captured.map_or(0, Self::of);
        let gained = if promotes { PROMOTION[us.index()] } else { 0 };
        Self(self.0.wrapping_sub(taken).wrapping_add(gained))
    }
}

/// A cache of White's imbalance less Black's by the pieces on the board.
#[derive(Debug)]
pub(crate) struct ImbalanceCache(Box<[u64; SLOTS]>);

/// Each holds the sum in its lower half and half of the key in its upper one.
const SLOTS: usize = 1 << 12;

impl Default for ImbalanceCache {
    fn default() -> Self {
        Self(Box::new([0; SLOTS]))
    }
}

impl ImbalanceCache {
    /// Memory it takes, in bytes.
    pub(crate) const BYTES: usize = size_of::<[u64; SLOTS]>();

    /// White's [`imbalance`] less Black's. `piece_lead` is White's.
    #[inline]
    pub(crate) fn get(&mut self, position: &Position, material: MaterialKey, piece_lead: i32) -> Tapered {
        let key = key(position, material);
        let slot = &mut self.0[key as usize % SLOTS];
        if (*slot ^ key) >> 32 != 0 {
            *slot = key >> 32 << 32 | u64::from(difference(position, piece_lead).to_bits());
        }
        Tapered::from_bits(*slot as u32)
    }
}

#[cold]
fn difference(position: &Position, piece_lead: i32) -> Tapered {
    imbalance::<Tapered>(position, Color::White, piece_lead)
        - imbalance::<Tapered>(position, Color::Black, -piece_lead)
}

/// A hash key of all that [`imbalance`] depends on.
#[inline]
fn key(position: &Position, material: MaterialKey) -> u64 {
    let light = position.kind(PieceKind::Met) & LIGHT;
    let [white, black] = Color::ALL.map(|color| u64::from((light & position.color(color)).len()));
    // An odd multiplier with bits in both halves, for both halves of the key are used.
    material.0 ^ (64 * white + black + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15)
}

const LIGHT: Bitboard = Bitboard(0x55aa_55aa_55aa_55aa);

/// The imbalance of `us`, which leads by `piece_lead` (-4 to 4) in pieces other than bia.
pub(crate) fn imbalance<T: Tracer>(position: &Position, us: Color, piece_lead: i32) -> T {
    let mut score = T::default();
    let count = |color, kind| position.pieces(color, kind).len() as i32;
    let [bia, enemy_bia] = [us, !us].map(|color| count(color, PieceKind::Bia) as usize);
    score.at(&BIA_COUNT, bia.min(8));
    score.at(&IMBALANCE_BY_BIA, ((piece_lead + 4) as usize * 4 + bia.min(3)) * 4 + enemy_bia.min(3));

    let half = ((bia + enemy_bia) / 2).min(8);
    let kinds = [PieceKind::Met, PieceKind::Khon, PieceKind::Maa, PieceKind::Rua];
    let own = kinds.map(|kind| count(us, kind));
    let enemy = kinds.map(|kind| count(!us, kind));
    let [_, khon, maa, rua] = own;
    for (table, count) in [&MET_BY_BIA, &KHON_BY_BIA, &MAA_BY_BIA, &RUA_BY_BIA].into_iter().zip(own) {
        score.times(table, half, count);
    }
    score.add(&RUA_PAIR, i32::from(rua >= 2));
    score.add(&MAA_PAIR, i32::from(maa >= 2));
    score.add(&KHON_PAIR, i32::from(khon >= 2));
    // A met never leaves the squares of its colour: the privileged first moves take it two ranks ahead.
    let met = position.pieces(us, PieceKind::Met);
    score.add(&MET_BOTH_COLOURS, (met & LIGHT).len().min((met & !LIGHT).len()) as i32);
    let pairs = [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)];
    for (entry, (first, second)) in pairs.into_iter().enumerate() {
        score.times(&OWN_PAIR, entry, own[first] * own[second]);
        score.times(&OPPOSING_PAIR, entry, own[first] * enemy[second]);
    }
    if let (Some(ours), Some(theirs)) = (few(own), few(enemy))
        && ours > theirs
    {
        let first = if bia + enemy_bia <= 4 { 0 } else { FEW * (FEW - 1) / 2 };
        score.at(&FEW_PIECES, first + ours * (ours - 1) / 2 + theirs);
    }
    score
}

/// Number of sets in [`FEW_PIECES`].
const FEW: usize = 30;

/// The number of a set in [`FEW_PIECES`]; `None` with more than two pieces other than bia, rua and khun.
fn few([met, khon, maa, rua]: [i32; 4]) -> Option<usize> {
    let set = match (met, khon, maa) {
        (0, 0, 0) => Some(0),
        (1, 0, 0) => Some(1),
        (0, 1, 0) => Some(2),
        (0, 0, 1) => Some(3),
        (2, 0, 0) => Some(4),
        (1, 1, 0) => Some(5),
        (1, 0, 1) => Some(6),
        (0, 2, 0) => Some(7),
        (0, 1, 1) => Some(8),
        (0, 0, 2) => Some(9),
        _ => None,
    };
    set.map(|set| 10 * rua.min(2) as usize + set)
}
