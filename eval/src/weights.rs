//! The weights of the evaluation, in centipawns: `s(middlegame, endgame)`. `sakmak-tools tune` fits them
//! to games and writes this file; `fixed.rs` has the numbers set by hand.
//!
//! Squares are given from White's side: tables list the ranks from the first to the eighth, and in
//! each the files a to d; files h to e mirror them. What goes by kind is in the order bia, met, khon,
//! maa, rua, khun.

pub use crate::fixed::*;
use crate::table::{Description, Table, weights};
use crate::tapered::Tapered;

const fn s(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

weights! {
    /// The side to move's advantage.
    TEMPO = [s(12, 12)];
    /// The worth of each kind: bia, met, khon, maa, rua, khun. A bia is worth almost as much as the met it
    /// may become, and keeps the board's honour count from starting.
    MATERIAL = [s(88, 108), s(176, 186), s(296, 304), s(342, 326), s(585, 610), s(0, 0)];
    /// Bia by square. It starts on the third rank and promotes on the sixth.
    BIA_SQUARES =
        [s(0, 0), s(0, 0), s(0, 0), s(0, 0)]
        [s(-8, -8), s(-6, -6), s(-4, -4), s(-2, -2)]
        [s(-4, -4), s(-2, -4), s(0, -2), s(2, 0)]
        [s(-2, 4), s(4, 6), s(8, 8), s(12, 10)]
        [s(4, 16), s(8, 20), s(14, 24), s(20, 26)]
        [s(10, 36), s(14, 40), s(20, 44), s(26, 46)]
        [s(10, 36), s(14, 40), s(20, 44), s(26, 46)]
        [s(0, 0), s(0, 0), s(0, 0), s(0, 0)];
    /// Met by square.
    MET_SQUARES =
        [s(-24, -26), s(-18, -18), s(-12, -14), s(-8, -12)]
        [s(-16, -18), s(-8, -10), s(-2, -4), s(2, 0)]
        [s(-10, -12), s(0, -2), s(8, 4), s(12, 8)]
        [s(-8, -8), s(4, 2), s(14, 10), s(20, 16)]
        [s(-8, -8), s(6, 4), s(16, 12), s(22, 18)]
        [s(-10, -10), s(4, 2), s(12, 8), s(16, 12)]
        [s(-16, -16), s(-6, -6), s(2, 0), s(4, 2)]
        [s(-26, -26), s(-16, -16), s(-10, -12), s(-8, -10)];
    /// Khon by square. Slow, and strongest with its face to the enemy.
    KHON_SQUARES =
        [s(-26, -22), s(-18, -16), s(-12, -12), s(-10, -10)]
        [s(-14, -12), s(-2, -6), s(4, 0), s(6, 2)]
        [s(-8, -6), s(4, 2), s(12, 8), s(16, 10)]
        [s(-4, -2), s(8, 6), s(18, 12), s(22, 16)]
        [s(-4, 0), s(8, 8), s(18, 14), s(22, 18)]
        [s(-8, -2), s(4, 6), s(12, 10), s(16, 12)]
        [s(-16, -12), s(-6, -4), s(0, 0), s(2, 2)]
        [s(-28, -28), s(-20, -20), s(-16, -16), s(-14, -14)];
    /// Maa by square.
    MAA_SQUARES =
        [s(-40, -36), s(-24, -24), s(-16, -16), s(-12, -12)]
        [s(-22, -22), s(-8, -12), s(0, -4), s(6, 0)]
        [s(-12, -14), s(2, -2), s(10, 6), s(14, 10)]
        [s(-6, -8), s(8, 4), s(18, 14), s(22, 18)]
        [s(-4, -6), s(12, 6), s(22, 16), s(28, 22)]
        [s(-8, -10), s(8, 2), s(18, 10), s(24, 14)]
        [s(-20, -20), s(-8, -10), s(2, -2), s(6, 2)]
        [s(-44, -38), s(-26, -24), s(-18, -16), s(-14, -12)];
    /// Rua by square.
    RUA_SQUARES =
        [s(-8, -6), s(-6, -4), s(-2, -2), s(2, 0)]
        [s(-10, -6), s(-6, -4), s(-2, -2), s(0, 0)]
        [s(-10, -4), s(-4, -2), s(-2, 0), s(0, 2)]
        [s(-8, 0), s(-4, 2), s(0, 2), s(2, 4)]
        [s(-4, 2), s(0, 4), s(4, 6), s(6, 8)]
        [s(0, 4), s(4, 6), s(8, 8), s(10, 8)]
        [s(8, 10), s(10, 12), s(14, 14), s(16, 14)]
        [s(4, 8), s(6, 10), s(8, 10), s(10, 10)];
    /// Khun by square.
    KHUN_SQUARES =
        [s(-2, -44), s(6, -28), s(2, -20), s(-6, -18)]
        [s(10, -24), s(20, -8), s(18, 0), s(6, 2)]
        [s(2, -12), s(12, 4), s(14, 12), s(4, 16)]
        [s(-14, -8), s(-6, 8), s(-4, 18), s(-10, 22)]
        [s(-30, -10), s(-26, 8), s(-26, 18), s(-30, 22)]
        [s(-46, -18), s(-44, 0), s(-46, 8), s(-50, 12)]
        [s(-60, -28), s(-60, -12), s(-62, -4), s(-66, 0)]
        [s(-72, -48), s(-72, -30), s(-74, -22), s(-78, -20)];
    /// By the number of own bia, 0 to 8: the last one keeps the board's honour from being counted.
    BIA_LEFT = [s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0)];
    /// For each rua, by half the number of bia of both sides.
    RUA_BY_BIA = [s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0)];
    /// For each maa, by half the number of bia of both sides.
    MAA_BY_BIA = [s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0)];
    /// For each khon, by half the number of bia of both sides.
    KHON_BY_BIA = [s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0)];
    /// For each met, by half the number of bia of both sides.
    MET_BY_BIA = [s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0)];
    /// Two ruas.
    RUA_PAIR = [s(0, 0)];
    /// Two maa.
    MAA_PAIR = [s(0, 0)];
    /// Two khon.
    KHON_PAIR = [s(8, 8)];
    /// For each pair of met on squares of both colours: no met leaves its colour.
    MET_BOTH_COLOURS = [s(4, 8)];
    /// A rua by the number of squares it can go to that no enemy bia guards.
    RUA_MOBILITY = [
        s(0, 0), s(3, 4), s(6, 8), s(9, 12), s(12, 16), s(15, 20), s(18, 24), s(21, 28), s(24, 32),
        s(27, 36), s(30, 40), s(33, 44), s(36, 48), s(39, 52), s(42, 56),
    ];
    /// A maa by the number of squares it can go to that no enemy bia guards.
    MAA_MOBILITY = [
        s(-8, -8), s(-6, -6), s(-4, -4), s(-2, -2), s(0, 0), s(2, 2), s(4, 4), s(6, 6), s(8, 8),
    ];
    /// A khon by the number of squares it can go to that no enemy bia guards.
    KHON_MOBILITY = [s(-4, -4), s(-2, -2), s(0, 0), s(2, 2), s(4, 4), s(6, 6)];
    /// A met by the number of squares it can go to that no enemy bia guards.
    MET_MOBILITY = [s(-2, -2), s(-1, -1), s(0, 0), s(1, 1), s(2, 2)];
    /// A rua on a file without own bia; on one without any bia `RUA_OPEN` counts besides.
    RUA_HALF_OPEN = [s(10, 6)];
    /// A rua on a file without any bia.
    RUA_OPEN = [s(12, 8)];
    /// A rua on the seventh rank, behind the enemy bia.
    RUA_SEVENTH = [s(12, 16)];
    /// Two ruas that guard each other.
    RUA_CONNECTED = [s(8, 4)];
    /// A bia guarded by another.
    BIA_CHAIN = [s(7, 6)];
    /// A bia with another beside it.
    BIA_PHALANX = [s(4, 4)];
    /// A bia with no own bia on the neighbouring files.
    BIA_ISOLATED = [s(-6, -8)];
    /// A second bia on a file.
    BIA_DOUBLED = [s(-8, -10)];
    /// A bia that cannot step ahead because a man stands there.
    BIA_BLOCKED = [s(-3, -5)];
    /// A bia that an enemy bia awaits ahead, and that no own bia can come to guard there.
    BIA_BACKWARD = [s(-4, -4)];
    /// An isolated or backward bia with no enemy bia ahead on its file.
    BIA_WEAK_UNOPPOSED = [s(-4, -4)];
    /// A bia with no enemy bia ahead on its file that is not yet passed.
    BIA_CANDIDATE = [s(2, 4)];
    /// A bia that can step to the sixth rank, where no enemy attacks it.
    BIA_READY = [s(10, 14)];
    /// A bia no enemy bia can stop or capture on its way to the sixth rank, by rank from the first.
    BIA_PASSED = [s(0, 0), s(0, 6), s(2, 10), s(6, 18), s(14, 32), s(18, 40), s(18, 40), s(0, 0)];
    /// A passed bia guarded by another.
    BIA_PASSED_GUARDED = [s(4, 6)];
    /// A passed bia whose next square is free and not attacked.
    BIA_PASSED_FREE = [s(2, 6)];
    /// A passed bia by its distance from the own khun.
    BIA_PASSED_OWN_KHUN = [s(0, 0), s(0, 6), s(0, 4), s(0, 2), s(0, 0), s(0, -2), s(0, -4), s(0, -6)];
    /// A passed bia by its distance from the enemy khun.
    BIA_PASSED_ENEMY_KHUN = [s(0, 0), s(0, -6), s(0, -4), s(0, -2), s(0, 0), s(0, 2), s(0, 4), s(0, 6)];
    /// A met, khon or maa guarded by an own bia.
    GUARDED_BY_BIA = [s(8, 5)];
    /// A khon or maa (in this order) guarded by an own bia, in the enemy half, where no enemy bia can come to
    /// attack it.
    OUTPOST = [s(12, 8), s(12, 8)];
    /// A khon or maa right behind an own bia.
    BEHIND_BIA = [s(2, 1)];
    /// A met guarded by another met.
    MET_GUARDS_MET = [s(2, 3)];
    /// A met, khon or maa, in this order, within two steps of the own khun.
    NEAR_OWN_KHUN = [s(1, 0), s(1, 0), s(1, 0)];
    /// A met, khon or maa, in this order, within two steps of the enemy khun.
    NEAR_ENEMY_KHUN = [s(3, 2), s(3, 2), s(3, 2)];
    /// For each square of the board's middle a side attacks (c3 to f6).
    CENTRE_CONTROL = [s(2, 1)];
    /// For each square in the middle files behind own bia that no enemy bia attacks, up to the fourth rank.
    SPACE = [s(1, 0)];
    /// A man attacked by an enemy bia, by the kind of man attacked.
    BIA_THREAT = [s(2, 4), s(22, 18), s(34, 28), s(38, 30), s(52, 40)];
    /// A man attacked by a met, khon or maa, by the kind of man attacked.
    MINOR_THREAT = [s(4, 8), s(8, 10), s(12, 14), s(16, 16), s(36, 32)];
    /// A man attacked by a rua, by the kind of man attacked.
    RUA_THREAT = [s(2, 8), s(6, 14), s(10, 16), s(12, 16), s(4, 4)];
    /// A man other than the khun that is attacked and not guarded.
    HANGING = [s(18, 16)];
    /// A man attacked by the khun and not guarded.
    KHUN_THREAT = [s(4, 12)];
    /// A man other than bia and khun that a safe step of a bia would attack.
    BIA_PUSH_THREAT = [s(8, 8)];
    /// For each square both sides attack and no enemy bia guards.
    RESTRICTION = [s(1, 1)];
    /// Danger to the khun, by units of danger divided by `DANGER_STEP`.
    KHUN_DANGER = [
        s(0, 0), s(-1, -1), s(-3, -2), s(-7, -3), s(-12, -4), s(-18, -5), s(-25, -6), s(-33, -7),
        s(-43, -8), s(-54, -9), s(-66, -10), s(-80, -11), s(-94, -12), s(-110, -13), s(-127, -14),
        s(-145, -15), s(-165, -16), s(-186, -17), s(-208, -18), s(-231, -19), s(-255, -20), s(-281, -21),
        s(-308, -22), s(-336, -23), s(-366, -24), s(-396, -25), s(-428, -26), s(-461, -27),
    ];
    /// For each square, at most two, from which an enemy met, khon, maa or rua, in this order, could give
    /// check and not be taken.
    SAFE_CHECK = [s(-3, -2), s(-4, -3), s(-8, -4), s(-8, -6)];
    /// The khun by the number of squares it can go to.
    KHUN_FREEDOM = [s(-8, -10), s(-4, -5), s(-1, -2), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0), s(0, 0)];
    /// For each own man (bia, met, khon) on the squares next to the khun or two ahead of it.
    KHUN_SHELTER = [s(8, 0)];
}
