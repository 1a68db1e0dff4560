//! The terms of the evaluation while both sides have more than a khun.

use std::fmt;

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::attack_map::AttackMap;
use crate::khun_squares::khun_pair_score;
use crate::state::EvalState;
use crate::tapered::Tapered;
use crate::weight_table::{Tracer, imbalance_bucket};
use crate::weights::*;

/// The terms that are evaluated from scratch, each for White and for Black.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms<T> {
    pub(crate) tempo: [T; 2],
    pub(crate) rua: [T; 2],
    pub(crate) bia: [T; 2],
    pub(crate) minors: [T; 2],
    pub(crate) threats: [T; 2],
    pub(crate) khun: [T; 2],
}

/// The score of the whole evaluation by term.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Breakdown {
    material_and_squares: Tapered,
    imbalance: Tapered,
    khun_pair_score: Tapered,
    terms: Terms<Tapered>,
}

/// A position from the point of view of one side.
struct Side<'a> {
    position: &'a Position,
    us: Color,
    /// The side's [`imbalance_bucket`].
    bucket: usize,
    own: &'a AttackMap,
    enemy: &'a AttackMap,
}

impl Side<'_> {
    #[inline]
    fn own(&self, kind: PieceKind) -> Bitboard {
        self.position.pieces(self.us, kind)
    }

    #[inline]
    fn enemy(&self, kind: PieceKind) -> Bitboard {
        self.position.pieces(!self.us, kind)
    }

    /// The mobility area: squares without own pieces that no enemy bia attacks.
    #[inline]
    fn open_squares(&self) -> Bitboard {
        !(self.position.color(self.us) | self.enemy.by(PieceKind::Bia))
    }
}

/// All squares of the files of a set.
#[inline]
fn file_fill(set: Bitboard) -> Bitboard {
    set | set.front_span(Color::White) | set.front_span(Color::Black)
}

/// A set and its neighbours to the left and right.
#[inline]
fn widened(set: Bitboard) -> Bitboard {
    set | set.east() | set.west()
}

/// By square, the squares within two king steps.
static WITHIN_TWO: [Bitboard; 64] = within_two();

const fn within_two() -> [Bitboard; 64] {
    let mut table = [Bitboard::EMPTY; 64];
    let mut pair = 0;
    while pair < 64 * 64 {
        let (from, to) = (Square::from_index(pair / 64), Square::from_index(pair));
        if from.distance(to) <= 2 {
            table[from.index()].0 |= Bitboard::from_square(to).0;
        }
        pair += 1;
    }
    table
}

const CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);
const MIDDLE_FILES: Bitboard = Bitboard(0x3c3c_3c3c_3c3c_3c3c);

/// The ranks from the fifth on as `color` counts.
#[inline]
const fn enemy_half(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0xffff_ffff_0000_0000),
        Color::Black => Bitboard(0x0000_0000_ffff_ffff),
    }
}

/// A rank as `color` counts, 0 = first.
#[inline]
const fn rank(color: Color, rank: u8) -> Bitboard {
    Bitboard::rank(if matches!(color, Color::White) { rank } else { 7 - rank })
}

impl<T: Tracer> Terms<T> {
    /// Evaluates all terms. `piece_lead` is White's.
    #[inline]
    pub(crate) fn of(position: &Position, piece_lead: i32) -> Self {
        let maps = [AttackMap::of(position, Color::White), AttackMap::of(position, Color::Black)];
        let mut terms = Self::default();
        terms.evaluate_side(&Side {
            position,
            us: Color::White,
            bucket: imbalance_bucket(piece_lead),
            own: &maps[0],
            enemy: &maps[1],
        });
        terms.evaluate_side(&Side {
            position,
            us: Color::Black,
            bucket: imbalance_bucket(-piece_lead),
            own: &maps[1],
            enemy: &maps[0],
        });
        terms.tempo[position.side_to_move().index()].add(&TEMPO, 1);
        terms
    }

    /// Evaluates the terms of one side. Inlined, so that the code of each side is free of branches on the colour.
    #[inline(always)]
    fn evaluate_side(&mut self, side: &Side) {
        let index = side.us.index();
        self.rua[index] = rua(side);
        self.bia[index] = bia(side);
        self.minors[index] = minors(side);
        self.threats[index] = threats(side);
        self.khun[index] = khun(side);
    }

    /// Every term, each for White and Black.
    #[inline]
    pub(crate) fn all(self) -> [[T; 2]; 6] {
        [self.tempo, self.rua, self.bia, self.minors, self.threats, self.khun]
    }
}

impl Breakdown {
    #[inline]
    pub(crate) fn of(state: &EvalState, imbalance: Tapered) -> Self {
        let (position, accumulator) = (state.position(), state.accumulator());
        let [white, black] = Color::ALL.map(|color| position.khun(color));
        let piece_lead = accumulator.piece_lead();
        Self {
            material_and_squares: accumulator.sum(),
            imbalance,
            khun_pair_score: khun_pair_score(white, black, imbalance_bucket(piece_lead)),
            terms: Terms::of(position, piece_lead),
        }
    }

    /// All terms together, White's less Black's.
    #[inline]
    pub(crate) fn total(&self) -> Tapered {
        let sums = self.material_and_squares + self.imbalance + self.khun_pair_score;
        self.terms.all().into_iter().fold(sums, |sum, [white, black]| sum + white - black)
    }
}

#[inline(always)]
fn rua<T: Tracer>(side: &Side) -> T {
    let mut score = T::default();
    let ruas = side.own(PieceKind::Rua);
    let half_open = ruas & !file_fill(side.own(PieceKind::Bia));
    score.each(&RUA_HALF_OPEN, half_open);
    let open = side.open_squares();
    for square in ruas {
        let reach = attacks::rua(square, side.position.occupied()) & open;
        score.by_bucket(&RUA_MOBILITY, side.bucket, reach.len() as usize, 1);
    }
    score
}

#[inline(always)]
fn bia<T: Tracer>(side: &Side) -> T {
    let mut score = T::default();
    let (us, occupied) = (side.us, side.position.occupied());
    let bia = side.own(PieceKind::Bia);
    let enemy_bia = side.enemy(PieceKind::Bia);
    let guarded = side.own.by(PieceKind::Bia);
    let ahead = bia.forward(us);
    let files = file_fill(bia);
    // Squares enemy bia will cross.
    let crossed = enemy_bia.front_span(!us);
    let isolated = bia & !(files.east() | files.west());

    for (entry, at) in [2, 3, 4].into_iter().enumerate() {
        score.by_bucket(&BIA_RANK, side.bucket, entry, (bia & rank(us, at)).len() as i32);
    }
    score.each(&BIA_CHAIN, bia & guarded);
    score.each(&BIA_PHALANX, bia & (bia.east() | bia.west()));
    score.each(&BIA_ISOLATED, isolated);
    score.each(&BIA_BLOCKED, ahead & occupied);

    // Squares an enemy bia stands on, attacks, or will cross or attack on its way.
    let passed = bia & !(widened(crossed) | enemy_bia);
    let steps = |color: Color, square: Square| usize::from(side.position.khun(color).distance(square));
    for square in passed {
        score.by_bucket(&BIA_PASSED, side.bucket, usize::from(square.relative_rank(us)), 1);
        score.by_bucket(&BIA_PASSED_OWN_KHUN, side.bucket, steps(us, square), 1);
        score.by_bucket(&BIA_PASSED_ENEMY_KHUN, side.bucket, steps(!us, square), 1);
    }
    score
}

/// Met, khon and maa.
#[inline(always)]
fn minors<T: Tracer>(side: &Side) -> T {
    let mut score = T::default();
    let us = side.us;
    let [met, khon, maa] = [PieceKind::Met, PieceKind::Khon, PieceKind::Maa].map(|kind| side.own(kind));
    let bia = side.own(PieceKind::Bia);
    let guarded = side.own.by(PieceKind::Bia);

    score.by_bucket(&BIA_SUPPORT, side.bucket, 0, ((met | khon | maa) & guarded).len() as i32);
    score.by_bucket(&CENTRE_CONTROL, side.bucket, 0, (side.own.by_pieces & CENTRE).len() as i32);
    let behind = bia.front_span(!us) & !enemy_half(us) & MIDDLE_FILES;
    score.each(&SPACE, behind & !side.enemy.by(PieceKind::Bia));

    let [own_khun, enemy_khun] = [us, !us].map(|color| WITHIN_TWO[side.position.khun(color).index()]);
    for (entry, pieces) in [met, khon, maa].into_iter().enumerate() {
        score.by_bucket(&NEAR_OWN_KHUN, side.bucket, entry, (pieces & own_khun).len() as i32);
        score.by_bucket(&NEAR_ENEMY_KHUN, side.bucket, entry, (pieces & enemy_khun).len() as i32);
    }

    let open = side.open_squares();
    for square in khon {
        score.by_bucket(&KHON_MOBILITY, side.bucket, (attacks::khon(us, square) & open).len() as usize, 1);
    }
    for square in maa {
        score.by_bucket(&MAA_MOBILITY, side.bucket, (attacks::maa(square) & open).len() as usize, 1);
    }
    score
}

#[inline(always)]
fn threats<T: Tracer>(side: &Side) -> T {
    let mut score = T::default();
    let (own, enemy) = (side.own, side.enemy);
    let us = side.us;
    let contested = own.all & enemy.all & !enemy.by(PieceKind::Bia);
    score.by_bucket(&RESTRICTION, side.bucket, 0, contested.len() as i32);

    let pieces = side.position.color(!us) & !side.position.kind(PieceKind::Khun);
    let victims = pieces & own.all;
    if victims.is_empty() {
        return score;
    }
    let hanging = victims & !enemy.all;
    score.by_bucket(&HANGING, side.bucket, 0, hanging.len() as i32);
    let attackers = [
        (own.by(PieceKind::Bia), &BIA_THREAT),
        (own.by_minors(), &MINOR_THREAT),
        (own.by(PieceKind::Rua), &RUA_THREAT),
    ];
    for (attacked, bonus) in attackers {
        for square in victims & attacked {
            if let Some(kind) = side.position.kind_on(square) {
                score.at(bonus, kind.index());
            }
        }
    }
    score
}

#[inline(always)]
fn khun<T: Tracer>(side: &Side) -> T {
    let mut score = T::default();
    let (position, us, own, enemy) = (side.position, side.us, side.own, side.enemy);
    let square = position.khun(us);
    let steps = attacks::khun(square);
    let near = steps | square.into();
    let front = near | near.forward(us);
    let soft = position.kind(PieceKind::Bia) | position.kind(PieceKind::Met) | position.kind(PieceKind::Khon);
    score.by_bucket(&KHUN_SHELTER, side.bucket, 0, (front & soft & position.color(us)).len() as i32);
    let free = steps & !position.color(us) & !enemy.all;
    score.by_bucket(&KHUN_FREEDOM, side.bucket, free.len() as usize, 1);

    let half_bia = side.own(PieceKind::Bia).len() as usize / 2;
    score.at(&KHUN_RANK_BY_BIA, 8 * half_bia.min(4) + usize::from(square.relative_rank(us)));

    let mut danger = 0;
    for (attacked, units) in enemy.by.iter().zip(DANGER_UNITS) {
        danger += units * (*attacked & near).len() as i32;
    }
    danger += DANGER_UNGUARDED * (near & enemy.by_pieces & !own.by_pieces).len() as i32;
    score.at(&KHUN_DANGER, (danger / DANGER_STEP).min(27) as usize);

    // Safe checks. A checking piece beside the khun must also be guarded.
    let afar = !position.color(!us) & !own.all;
    let beside = !position.color(!us) & !own.by_pieces;
    let [bia, met, khon, maa, rua, khun] = enemy.by;
    let others = bia | maa | rua | khun;
    let checks = [
        met & attacks::met(square) & beside & (others | khon),
        // A khon attacks from where one of the other colour would be attacked.
        khon & attacks::khon(us, square) & beside & (others | met),
        maa & attacks::maa(square) & afar,
        rua & attacks::rua(square, position.occupied()) & afar,
    ];
    for (entry, from) in checks.into_iter().enumerate() {
        score.times(&SAFE_CHECK, entry, from.len().min(2) as i32);
    }
    score
}

impl fmt::Display for Breakdown {
    /// A table of the terms in centipawns, middlegame and endgame.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |t: Tapered| format!("{:>6} {:>6}", t.middlegame(), t.endgame());
        let empty = format!("{:>13}", "");
        let phases = format!("{:>6} {:>6}", "mg", "eg");
        writeln!(f, "{:<22}|{:^13}|{:^13}|{:^13}", "", "White", "Black", "Total")?;
        writeln!(f, "{:<22}|{phases}|{phases}|{phases}", "term (centipawns)")?;
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "material and squares", pair(self.material_and_squares))?;
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "imbalance", pair(self.imbalance))?;
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "khun pair", pair(self.khun_pair_score))?;
        let names = ["tempo", "rua", "bia", "met, khon, maa", "threats", "khun"];
        for (name, [white, black]) in names.into_iter().zip(self.terms.all()) {
            writeln!(f, "{name:<22}|{}|{}|{}", pair(white), pair(black), pair(white - black))?;
        }
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "all", pair(self.total()))
    }
}
