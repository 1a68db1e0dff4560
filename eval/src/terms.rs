//! The terms of the evaluation while both sides have more than a khun.

use std::fmt;

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, attacks};

use crate::accumulator::Accumulator;
use crate::attack_map::AttackMap;
use crate::tapered::Tapered;
use crate::weights::*;

/// The evaluation taken apart. Each entry is for White and Black, before they are subtracted.
#[derive(Clone, Copy, Debug, Default)]
pub struct Breakdown {
    material_and_squares: Tapered,
    rua: [Tapered; 2],
    bia: [Tapered; 2],
    minors: [Tapered; 2],
    threats: [Tapered; 2],
    khun: [Tapered; 2],
}

/// The files a side's men stand on, as whole files.
#[inline]
fn file_fill(set: Bitboard) -> Bitboard {
    set | set.fill_forward(Color::White) | set.fill_forward(Color::Black)
}

/// A set and its neighbours to the left and right.
#[inline]
fn widened(set: Bitboard) -> Bitboard {
    set | set.east() | set.west()
}

const CENTRE: Bitboard = Bitboard(0x0000_3c3c_3c3c_0000);

/// The ranks from the fifth on as `color` counts.
#[inline]
const fn enemy_half(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard(0xffff_ffff_0000_0000),
        Color::Black => Bitboard(0x0000_0000_ffff_ffff),
    }
}

impl Breakdown {
    /// Evaluates every term.
    #[inline]
    pub fn of(position: &Position, accumulator: &Accumulator) -> Self {
        let maps = [AttackMap::of(position, Color::White), AttackMap::of(position, Color::Black)];
        let mut terms = Self { material_and_squares: accumulator.sum(), ..Self::default() };
        for us in Color::ALL {
            let (own, enemy) = (&maps[us.index()], &maps[(!us).index()]);
            terms.rua[us.index()] = rua(position, us, own, enemy);
            terms.bia[us.index()] = bia(position, us, own);
            terms.minors[us.index()] = minors(position, us, own);
            terms.threats[us.index()] = threats(position, us, own, enemy);
            terms.khun[us.index()] = khun(position, us, own, enemy);
        }
        terms
    }

    /// All terms together, White's less Black's.
    #[inline]
    pub(crate) fn total(&self) -> Tapered {
        let sides = [self.rua, self.bia, self.minors, self.threats, self.khun];
        sides.into_iter().fold(self.material_and_squares, |sum, [white, black]| sum + white - black)
    }
}

#[inline]
fn rua(position: &Position, us: Color, own: &AttackMap, enemy: &AttackMap) -> Tapered {
    let ruas = position.men(us, PieceKind::Rua);
    let own_bia_files = file_fill(position.men(us, PieceKind::Bia));
    let enemy_bia_files = file_fill(position.men(!us, PieceKind::Bia));
    let blocked = position.color(us) | enemy.by(PieceKind::Bia);

    let half_open = ruas & !own_bia_files;
    let seventh = ruas & Bitboard::rank(if us == Color::White { 6 } else { 1 });
    let mut score = RUA_HALF_OPEN * half_open.len() as i32
        + RUA_OPEN * (half_open & !enemy_bia_files).len() as i32
        + RUA_SEVENTH * seventh.len() as i32;
    for square in ruas {
        let reach = attacks::rua(square, position.occupied()) & !blocked;
        score += RUA_MOBILITY * reach.len() as i32;
    }
    if (own.by(PieceKind::Rua) & ruas).has_several() {
        score += RUA_CONNECTED;
    }
    score
}

#[inline]
fn bia(position: &Position, us: Color, own: &AttackMap) -> Tapered {
    let bia = position.men(us, PieceKind::Bia);
    let enemy_bia = position.men(!us, PieceKind::Bia);
    let files = file_fill(bia);
    let isolated = bia & !(files.east() | files.west());
    let doubled = bia & bia.fill_forward(us);
    let blocked = bia.forward(us) & position.occupied();

    let mut score = BIA_CHAIN * (bia & own.by(PieceKind::Bia)).len() as i32
        + BIA_PHALANX * (bia & (bia.east() | bia.west())).len() as i32
        + BIA_ISOLATED * isolated.len() as i32
        + BIA_DOUBLED * doubled.len() as i32
        + BIA_BLOCKED * blocked.len() as i32;

    // Squares an enemy bia stands on, attacks, or will cross or attack on its way.
    let stopped = widened(enemy_bia.fill_forward(!us)) | enemy_bia;
    for square in bia & !stopped {
        score += BIA_PASSED[usize::from(square.relative_rank(us))];
    }
    score
}

#[inline]
fn minors(position: &Position, us: Color, own: &AttackMap) -> Tapered {
    let khon_maa = position.men(us, PieceKind::Khon) | position.men(us, PieceKind::Maa);
    let guarded = own.by(PieceKind::Bia);
    let enemy_bia = position.men(!us, PieceKind::Bia);
    let ahead = enemy_bia.fill_forward(!us) | enemy_bia;
    let chased = ahead.east() | ahead.west();
    let outposts = khon_maa & guarded & enemy_half(us) & !chased;
    GUARDED_BY_BIA * ((khon_maa | position.men(us, PieceKind::Met)) & guarded).len() as i32
        + OUTPOST * outposts.len() as i32
        + CENTRE_CONTROL * (own.by_men & CENTRE).len() as i32
}

#[inline]
fn threats(position: &Position, us: Color, own: &AttackMap, enemy: &AttackMap) -> Tapered {
    let victims = position.color(!us) & !position.kind(PieceKind::Khun) & own.all;
    if victims.is_empty() {
        return Tapered::default();
    }
    let hanging = victims & !enemy.all;
    let mut score = HANGING * hanging.len() as i32;
    let attackers = [
        (own.by(PieceKind::Bia), &BIA_THREAT),
        (own.by_minors(), &MINOR_THREAT),
        (own.by(PieceKind::Rua), &RUA_THREAT),
    ];
    for (attacked, bonus) in attackers {
        for square in victims & attacked {
            if let Some(kind) = position.kind_on(square) {
                score += bonus[kind.index()];
            }
        }
    }
    score
}

#[inline]
fn khun(position: &Position, us: Color, own: &AttackMap, enemy: &AttackMap) -> Tapered {
    let square = position.khun(us);
    let near = attacks::khun(square) | square.into();
    let front = near | near.forward(us);
    let soft = position.kind(PieceKind::Bia) | position.kind(PieceKind::Met) | position.kind(PieceKind::Khon);
    let shelter = KHUN_SHELTER * (front & soft & position.color(us)).len() as i32;

    let mut danger = 0;
    for (attacked, weight) in enemy.by.iter().zip(KHUN_DANGER) {
        danger += weight * (*attacked & near).len() as i32;
    }
    danger += KHUN_DANGER_UNGUARDED * (near & enemy.by_men & !own.by_men).len() as i32;
    let danger = danger.min(KHUN_DANGER_MAX);
    shelter - Tapered::new(danger * danger / KHUN_DANGER_DIVISOR, danger / 4)
}

impl fmt::Display for Breakdown {
    /// A table of the terms in centipawns, middlegame and endgame.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let pair = |t: Tapered| format!("{:>6} {:>6}", t.middlegame(), t.endgame());
        let empty = format!("{:>13}", "");
        writeln!(f, "{:<22}|{:^13}|{:^13}|{:^13}", "term (mg eg)", "white", "black", "total")?;
        let total = self.material_and_squares;
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "material and squares", pair(total))?;
        for (name, [white, black]) in [
            ("rua", self.rua),
            ("bia", self.bia),
            ("met, khon, maa", self.minors),
            ("threats", self.threats),
            ("khun", self.khun),
        ] {
            writeln!(f, "{name:<22}|{}|{}|{}", pair(white), pair(black), pair(white - black))?;
        }
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "all", pair(self.total()))
    }
}
