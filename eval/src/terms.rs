//! The terms of the evaluation while both sides have more than a khun.

use std::fmt;

use sakmak_movegen::{Bitboard, Color, PieceKind, Position, Square, attacks};

use crate::attack_map::AttackMap;
use crate::khun_squares::khun_places;
use crate::state::EvalState;
use crate::tapered::Tapered;
use crate::weight_table::{Tally, rough};
use crate::weights::*;

/// The evaluation taken apart. Each entry is for White and Black, before they are subtracted.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Terms<T> {
    pub(crate) tempo: [T; 2],
    pub(crate) rua: [T; 2],
    pub(crate) bia: [T; 2],
    pub(crate) minors: [T; 2],
    pub(crate) threats: [T; 2],
    pub(crate) khun: [T; 2],
}

/// All terms and the sums along the moves, as numbers.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Breakdown {
    men_and_places: Tapered,
    imbalance: Tapered,
    khun_places: Tapered,
    terms: Terms<Tapered>,
}

/// A position as one side sees it.
struct View<'a> {
    position: &'a Position,
    us: Color,
    /// See [`rough`].
    edge: usize,
    own: &'a AttackMap,
    enemy: &'a AttackMap,
}

impl View<'_> {
    #[inline]
    fn own(&self, kind: PieceKind) -> Bitboard {
        self.position.men(self.us, kind)
    }

    #[inline]
    fn enemy(&self, kind: PieceKind) -> Bitboard {
        self.position.men(!self.us, kind)
    }

    /// Squares where own men do not stand and enemy bia do not attack.
    #[inline]
    fn open_squares(&self) -> Bitboard {
        !(self.position.color(self.us) | self.enemy.by(PieceKind::Bia))
    }
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

/// The squares within two steps of each.
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

impl<T: Tally> Terms<T> {
    /// Evaluates every term that is not summed up along the moves. `edge` is White's.
    #[inline]
    pub(crate) fn of(position: &Position, edge: i32) -> Self {
        let maps = [AttackMap::of(position, Color::White), AttackMap::of(position, Color::Black)];
        let mut terms = Self::default();
        terms.judge(&View { position, us: Color::White, edge: rough(edge), own: &maps[0], enemy: &maps[1] });
        terms.judge(&View { position, us: Color::Black, edge: rough(-edge), own: &maps[1], enemy: &maps[0] });
        terms.tempo[position.side_to_move().index()].add(&TEMPO, 1);
        terms
    }

    /// Evaluates what one side has. Inlined, so that each side has code without questions of colour.
    #[inline(always)]
    fn judge(&mut self, view: &View) {
        let side = view.us.index();
        self.rua[side] = rua(view);
        self.bia[side] = bia(view);
        self.minors[side] = minors(view);
        self.threats[side] = threats(view);
        self.khun[side] = khun(view);
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
        let edge = accumulator.edge();
        Self {
            men_and_places: accumulator.sum(),
            imbalance,
            khun_places: khun_places(white, black, rough(edge)),
            terms: Terms::of(position, edge),
        }
    }

    /// All terms together, White's less Black's.
    #[inline]
    pub(crate) fn total(&self) -> Tapered {
        let followed = self.men_and_places + self.imbalance + self.khun_places;
        self.terms.all().into_iter().fold(followed, |sum, [white, black]| sum + white - black)
    }
}

#[inline(always)]
fn rua<T: Tally>(view: &View) -> T {
    let mut score = T::default();
    let ruas = view.own(PieceKind::Rua);
    let half_open = ruas & !file_fill(view.own(PieceKind::Bia));
    score.each(&RUA_HALF_OPEN, half_open);
    let open = view.open_squares();
    for square in ruas {
        let reach = attacks::rua(square, view.position.occupied()) & open;
        score.by_edge(&RUA_MOBILITY, view.edge, reach.len() as usize, 1);
    }
    score
}

#[inline(always)]
fn bia<T: Tally>(view: &View) -> T {
    let mut score = T::default();
    let (us, occupied) = (view.us, view.position.occupied());
    let bia = view.own(PieceKind::Bia);
    let enemy_bia = view.enemy(PieceKind::Bia);
    let guarded = view.own.by(PieceKind::Bia);
    let ahead = bia.forward(us);
    let files = file_fill(bia);
    // Squares enemy bia will cross.
    let crossed = enemy_bia.fill_forward(!us);
    let isolated = bia & !(files.east() | files.west());

    for (entry, at) in [2, 3, 4].into_iter().enumerate() {
        score.by_edge(&BIA_RANK, view.edge, entry, (bia & rank(us, at)).len() as i32);
    }
    score.each(&BIA_CHAIN, bia & guarded);
    score.each(&BIA_PHALANX, bia & (bia.east() | bia.west()));
    score.each(&BIA_ISOLATED, isolated);
    score.each(&BIA_BLOCKED, ahead & occupied);

    // Squares an enemy bia stands on, attacks, or will cross or attack on its way.
    let passed = bia & !(widened(crossed) | enemy_bia);
    let steps = |color: Color, square: Square| usize::from(view.position.khun(color).distance(square));
    for square in passed {
        score.by_edge(&BIA_PASSED, view.edge, usize::from(square.relative_rank(us)), 1);
        score.by_edge(&BIA_PASSED_OWN_KHUN, view.edge, steps(us, square), 1);
        score.by_edge(&BIA_PASSED_ENEMY_KHUN, view.edge, steps(!us, square), 1);
    }
    score
}

/// Met, khon and maa.
#[inline(always)]
fn minors<T: Tally>(view: &View) -> T {
    let mut score = T::default();
    let us = view.us;
    let [met, khon, maa] = [PieceKind::Met, PieceKind::Khon, PieceKind::Maa].map(|kind| view.own(kind));
    let bia = view.own(PieceKind::Bia);
    let guarded = view.own.by(PieceKind::Bia);

    score.by_edge(&GUARDED_BY_BIA, view.edge, 0, ((met | khon | maa) & guarded).len() as i32);
    score.by_edge(&CENTRE_CONTROL, view.edge, 0, (view.own.by_men & CENTRE).len() as i32);
    let behind = bia.fill_forward(!us) & !enemy_half(us) & MIDDLE_FILES;
    score.each(&SPACE, behind & !view.enemy.by(PieceKind::Bia));

    let [own_khun, enemy_khun] = [us, !us].map(|color| WITHIN_TWO[view.position.khun(color).index()]);
    for (entry, men) in [met, khon, maa].into_iter().enumerate() {
        score.by_edge(&NEAR_OWN_KHUN, view.edge, entry, (men & own_khun).len() as i32);
        score.by_edge(&NEAR_ENEMY_KHUN, view.edge, entry, (men & enemy_khun).len() as i32);
    }

    let open = view.open_squares();
    for square in khon {
        score.by_edge(&KHON_MOBILITY, view.edge, (attacks::khon(us, square) & open).len() as usize, 1);
    }
    for square in maa {
        score.by_edge(&MAA_MOBILITY, view.edge, (attacks::maa(square) & open).len() as usize, 1);
    }
    score
}

#[inline(always)]
fn threats<T: Tally>(view: &View) -> T {
    let mut score = T::default();
    let (own, enemy) = (view.own, view.enemy);
    let us = view.us;
    let contested = own.all & enemy.all & !enemy.by(PieceKind::Bia);
    score.by_edge(&RESTRICTION, view.edge, 0, contested.len() as i32);

    let men = view.position.color(!us) & !view.position.kind(PieceKind::Khun);
    let victims = men & own.all;
    if victims.is_empty() {
        return score;
    }
    let hanging = victims & !enemy.all;
    score.by_edge(&HANGING, view.edge, 0, hanging.len() as i32);
    let attackers = [
        (own.by(PieceKind::Bia), &BIA_THREAT),
        (own.by_minors(), &MINOR_THREAT),
        (own.by(PieceKind::Rua), &RUA_THREAT),
    ];
    for (attacked, bonus) in attackers {
        for square in victims & attacked {
            if let Some(kind) = view.position.kind_on(square) {
                score.at(bonus, kind.index());
            }
        }
    }
    score
}

#[inline(always)]
fn khun<T: Tally>(view: &View) -> T {
    let mut score = T::default();
    let (position, us, edge, own, enemy) = (view.position, view.us, view.edge, view.own, view.enemy);
    let square = position.khun(us);
    let steps = attacks::khun(square);
    let near = steps | square.into();
    let front = near | near.forward(us);
    let soft = position.kind(PieceKind::Bia) | position.kind(PieceKind::Met) | position.kind(PieceKind::Khon);
    score.by_edge(&KHUN_SHELTER, edge, 0, (front & soft & position.color(us)).len() as i32);
    let free = steps & !position.color(us) & !enemy.all;
    score.by_edge(&KHUN_FREEDOM, edge, free.len() as usize, 1);

    let half_bia = view.own(PieceKind::Bia).len() as usize / 2;
    score.at(&KHUN_RANK_BY_BIA, 8 * half_bia.min(4) + usize::from(square.relative_rank(us)));

    let mut danger = 0;
    for (attacked, units) in enemy.by.iter().zip(DANGER_UNITS) {
        danger += units * (*attacked & near).len() as i32;
    }
    danger += DANGER_UNGUARDED * (near & enemy.by_men & !own.by_men).len() as i32;
    score.at(&KHUN_DANGER, (danger / DANGER_STEP).min(27) as usize);

    // From afar it is enough not to be taken. Beside the khun, too, somebody else must guard the square.
    let afar = !position.color(!us) & !own.all;
    let beside = !position.color(!us) & !own.by_men;
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
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "men and places", pair(self.men_and_places))?;
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "imbalance", pair(self.imbalance))?;
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "khuns' places", pair(self.khun_places))?;
        let names = ["tempo", "rua", "bia", "met, khon, maa", "threats", "khun"];
        for (name, [white, black]) in names.into_iter().zip(self.terms.all()) {
            writeln!(f, "{name:<22}|{}|{}|{}", pair(white), pair(black), pair(white - black))?;
        }
        writeln!(f, "{:<22}|{empty}|{empty}|{}", "all", pair(self.total()))
    }
}
