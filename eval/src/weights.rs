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
    TEMPO = [s(17, 4)];
    /// The worth of each kind: bia, met, khon, maa, rua, khun. A bia is worth almost as much as the met it
    /// may become, and keeps the board's honour count from starting.
    MATERIAL = [s(110, 114), s(208, 137), s(410, 235), s(573, 329), s(648, 755), s(0, 0)];
    /// Bia by square. It starts on the third rank and promotes on the sixth.
    BIA_SQUARES =
        [s(-7, -10), s(-7, -10), s(-7, -10), s(-7, -10)]
        [s(-15, -18), s(-13, -16), s(-11, -14), s(-9, -12)]
        [s(2, 0), s(2, 10), s(5, -4), s(14, 9)]
        [s(-2, -9), s(-4, -8), s(-9, -24), s(23, 5)]
        [s(-27, 21), s(-11, -8), s(-31, 2), s(21, -2)]
        [s(2, 24), s(6, 28), s(12, 31), s(17, 33)]
        [s(2, 24), s(6, 28), s(12, 31), s(17, 33)]
        [s(-7, -10), s(-7, -10), s(-7, -10), s(-7, -10)];
    /// Met by square.
    MET_SQUARES =
        [s(-54, -68), s(-69, -97), s(-62, -45), s(-43, -45)]
        [s(-65, -105), s(-48, -12), s(-18, -29), s(-32, -14)]
        [s(-99, -37), s(-5, -12), s(-13, -13), s(14, 9)]
        [s(-30, -58), s(-7, -3), s(36, 22), s(45, 2)]
        [s(-21, -27), s(31, -8), s(26, 8), s(7, 26)]
        [s(-42, 11), s(-5, 5), s(28, 18), s(-21, 33)]
        [s(-44, -86), s(-66, -9), s(8, -11), s(-25, 3)]
        [s(-55, -102), s(-45, -82), s(-44, -66), s(-40, -31)];
    /// Khon by square. Slow, and strongest with its face to the enemy.
    KHON_SQUARES =
        [s(-97, -89), s(-82, -66), s(-61, -49), s(-79, -68)]
        [s(-89, -59), s(-49, -71), s(-16, -23), s(-14, -2)]
        [s(-59, -2), s(-4, 16), s(13, 4), s(24, 13)]
        [s(-49, -14), s(-16, 32), s(35, 16), s(40, 15)]
        [s(-24, -42), s(-22, 10), s(-3, 44), s(36, 34)]
        [s(-82, -53), s(-37, 0), s(24, 43), s(-7, 39)]
        [s(-64, -91), s(-15, -12), s(-8, 31), s(-17, -5)]
        [s(-81, -107), s(-60, -66), s(-53, -52), s(-51, -50)];
    /// Maa by square.
    MAA_SQUARES =
        [s(-52, -80), s(-16, -56), s(-13, -53), s(1, -41)]
        [s(-43, -34), s(5, -39), s(-17, 9), s(9, -31)]
        [s(-30, -48), s(-6, -12), s(5, 7), s(4, 31)]
        [s(-5, 8), s(-14, 25), s(-12, 48), s(5, 40)]
        [s(-27, 13), s(0, 9), s(-2, 31), s(36, 33)]
        [s(-25, -31), s(-36, 7), s(3, 23), s(14, 42)]
        [s(21, -28), s(-24, -18), s(3, 14), s(11, 8)]
        [s(-73, -54), s(-35, -58), s(-31, -7), s(12, 28)];
    /// Rua by square.
    RUA_SQUARES =
        [s(-3, -9), s(6, -23), s(-7, 4), s(-6, 18)]
        [s(-25, -14), s(-11, -2), s(20, -11), s(3, 5)]
        [s(-7, -24), s(-8, -24), s(-5, -40), s(-16, -39)]
        [s(0, -19), s(2, -7), s(10, -30), s(-8, -11)]
        [s(8, -9), s(38, -16), s(6, 2), s(-11, -11)]
        [s(-16, 16), s(-12, 2), s(16, 3), s(-1, -33)]
        [s(-6, -1), s(5, -2), s(-8, 6), s(5, 2)]
        [s(-9, 44), s(37, 19), s(0, 36), s(7, 52)];
    /// Khun by square.
    KHUN_SQUARES =
        [s(-85, -97), s(-17, -139), s(17, -100), s(-10, -69)]
        [s(-2, -96), s(14, -61), s(11, -43), s(-12, -23)]
        [s(12, -28), s(8, 5), s(2, 13), s(-26, 21)]
        [s(12, -13), s(25, 21), s(-24, 37), s(-13, 36)]
        [s(6, 29), s(-14, 40), s(-47, 38), s(-39, 43)]
        [s(-39, 6), s(9, 62), s(-33, 52), s(-51, 50)]
        [s(-73, -31), s(-27, 43), s(-5, 70), s(-33, 79)]
        [s(-86, -71), s(-61, -9), s(-52, 16), s(-49, 37)];
    /// By the number of own bia, 0 to 8: the last one keeps the board's honour from being counted.
    BIA_LEFT = [
        s(51, 74), s(-12, -32), s(-7, -56), s(-42, -24), s(-27, 18), s(-21, 33), s(-4, 66), s(29, -28),
        s(51, 30),
    ];
    /// For each rua, by half the number of bia of both sides.
    RUA_BY_BIA = [
        s(-78, -90), s(37, -8), s(122, 200), s(153, 241), s(155, 166), s(54, 26), s(41, 44), s(31, 31),
        s(39, 38),
    ];
    /// For each maa, by half the number of bia of both sides.
    MAA_BY_BIA = [
        s(-38, -100), s(-6, -64), s(14, 140), s(55, 199), s(58, 114), s(90, 114), s(9, 33), s(51, 61),
        s(-10, 52),
    ];
    /// For each khon, by half the number of bia of both sides.
    KHON_BY_BIA = [
        s(-33, -96), s(-39, -17), s(20, 112), s(67, 142), s(72, 93), s(69, 79), s(27, 31), s(29, 44),
        s(18, 43),
    ];
    /// For each met, by half the number of bia of both sides.
    MET_BY_BIA = [
        s(-52, -37), s(35, -17), s(82, 102), s(112, 131), s(89, 110), s(138, 49), s(94, 85), s(80, 43),
        s(56, 40),
    ];
    /// Two ruas.
    RUA_PAIR = [s(133, 130)];
    /// Two maa.
    MAA_PAIR = [s(4, -42)];
    /// Two khon.
    KHON_PAIR = [s(25, 10)];
    /// For each pair of met on squares of both colours: no met leaves its colour.
    MET_BOTH_COLOURS = [s(2, 78)];
    /// A rua by the number of squares it can go to that no enemy bia guards.
    RUA_MOBILITY = [
        s(-49, -67), s(-19, -51), s(-19, -52), s(-12, -79), s(-12, -47), s(-6, -21), s(-8, 5), s(-7, 13),
        s(-6, 19), s(12, 9), s(8, 21), s(1, 51), s(2, 29), s(-13, 75), s(41, 5),
    ];
    /// A maa by the number of squares it can go to that no enemy bia guards.
    MAA_MOBILITY = [
        s(-25, -46), s(-7, -40), s(-7, -10), s(-13, 8), s(3, 10), s(10, 7), s(10, 3), s(4, 15), s(10, 6),
    ];
    /// A khon by the number of squares it can go to that no enemy bia guards.
    KHON_MOBILITY = [s(-16, -1), s(-14, 5), s(-3, 2), s(4, -1), s(8, 0), s(7, -7)];
    /// A met by the number of squares it can go to that no enemy bia guards.
    MET_MOBILITY = [s(-20, -13), s(-7, 2), s(-10, -4), s(6, 4), s(7, -2)];
    /// A rua on a file without own bia; on one without any bia `RUA_OPEN` counts besides.
    RUA_HALF_OPEN = [s(12, 46)];
    /// A rua on a file without any bia.
    RUA_OPEN = [s(-1, -19)];
    /// A rua on the seventh rank, behind the enemy bia.
    RUA_SEVENTH = [s(-11, 34)];
    /// Two ruas that guard each other.
    RUA_CONNECTED = [s(8, 69)];
    /// A bia guarded by another.
    BIA_CHAIN = [s(21, 13)];
    /// A bia with another beside it.
    BIA_PHALANX = [s(15, 6)];
    /// A bia with no own bia on the neighbouring files.
    BIA_ISOLATED = [s(-17, 11)];
    /// A second bia on a file.
    BIA_DOUBLED = [s(51, -14)];
    /// A bia that cannot step ahead because a man stands there.
    BIA_BLOCKED = [s(-12, -10)];
    /// A bia that an enemy bia awaits ahead, and that no own bia can come to guard there.
    BIA_BACKWARD = [s(8, 12)];
    /// An isolated or backward bia with no enemy bia ahead on its file.
    BIA_WEAK_UNOPPOSED = [s(-17, -15)];
    /// A bia with no enemy bia ahead on its file that is not yet passed.
    BIA_CANDIDATE = [s(13, 31)];
    /// A bia that can step to the sixth rank, where no enemy attacks it.
    BIA_READY = [s(-6, -17)];
    /// A bia no enemy bia can stop or capture on its way to the sixth rank, by rank from the first.
    BIA_PASSED = [s(0, 0), s(0, 6), s(7, 28), s(-10, 41), s(28, 49), s(17, 38), s(17, 38), s(0, 0)];
    /// A passed bia guarded by another.
    BIA_PASSED_GUARDED = [s(7, 5)];
    /// A passed bia whose next square is free and not attacked.
    BIA_PASSED_FREE = [s(3, -23)];
    /// A passed bia by its distance from the own khun.
    BIA_PASSED_OWN_KHUN = [
        s(0, 0), s(19, -1), s(14, 10), s(9, 16), s(-30, 27), s(1, 29), s(-10, 8), s(-21, -19),
    ];
    /// A passed bia by its distance from the enemy khun.
    BIA_PASSED_ENEMY_KHUN = [
        s(0, 0), s(17, -25), s(-3, 13), s(-6, 19), s(-11, 9), s(11, -21), s(26, 2), s(-22, 73),
    ];
    /// A met, khon or maa guarded by an own bia.
    GUARDED_BY_BIA = [s(24, -16)];
    /// A khon or maa (in this order) guarded by an own bia, in the enemy half, where no enemy bia can come to
    /// attack it.
    OUTPOST = [s(6, -3), s(31, 16)];
    /// A khon or maa right behind an own bia.
    BEHIND_BIA = [s(-6, 5)];
    /// A met guarded by another met.
    MET_GUARDS_MET = [s(13, -8)];
    /// A met, khon or maa, in this order, within two steps of the own khun.
    NEAR_OWN_KHUN = [s(10, 0), s(13, 7), s(8, 11)];
    /// A met, khon or maa, in this order, within two steps of the enemy khun.
    NEAR_ENEMY_KHUN = [s(58, 7), s(68, -6), s(-8, -18)];
    /// For each square of the board's middle a side attacks (c3 to f6).
    CENTRE_CONTROL = [s(3, 3)];
    /// For each square in the middle files behind own bia that no enemy bia attacks, up to the fourth rank.
    SPACE = [s(17, -12)];
    /// A man attacked by an enemy bia, by the kind of man attacked.
    BIA_THREAT = [s(-36, -8), s(81, 57), s(76, 46), s(51, 40), s(61, 40)];
    /// A man attacked by a met, khon or maa, by the kind of man attacked.
    MINOR_THREAT = [s(3, 3), s(-4, -29), s(5, 0), s(77, 29), s(47, -12)];
    /// A man attacked by a rua, by the kind of man attacked.
    RUA_THREAT = [s(-13, 66), s(-22, 62), s(9, 46), s(12, 26), s(3, 4)];
    /// A man other than the khun that is attacked and not guarded.
    HANGING = [s(31, 10)];
    /// A man attacked by the khun and not guarded.
    KHUN_THREAT = [s(77, -24)];
    /// A man other than bia and khun that a safe step of a bia would attack.
    BIA_PUSH_THREAT = [s(14, 16)];
    /// For each square both sides attack and no enemy bia guards.
    RESTRICTION = [s(17, 12)];
    /// Danger to the khun, by units of danger divided by `DANGER_STEP`.
    KHUN_DANGER = [
        s(-35, -48), s(-39, -16), s(-22, -24), s(-22, -12), s(-25, -39), s(-46, -16), s(-15, -43),
        s(-67, -1), s(-58, -24), s(-61, -30), s(-29, -48), s(-74, 9), s(-71, -17), s(-75, 15), s(-100, 17),
        s(-103, 22), s(-134, -2), s(-149, 51), s(-163, 23), s(-185, 52), s(-217, 12), s(-258, -14),
        s(-285, -1), s(-304, -16), s(-343, -26), s(-370, -25), s(-401, -24), s(-428, -25),
    ];
    /// For each square, at most two, from which an enemy met, khon, maa or rua, in this order, could give
    /// check and not be taken.
    SAFE_CHECK = [s(7, -20), s(-67, -30), s(-52, 6), s(-68, 47)];
    /// The khun by the number of squares it can go to.
    KHUN_FREEDOM = [
        s(-41, -41), s(-17, -20), s(-5, 9), s(1, 6), s(10, 10), s(8, 12), s(2, 7), s(-1, 3), s(13, -12),
    ];
    /// For each own man (bia, met, khon) on the squares next to the khun or two ahead of it.
    KHUN_SHELTER = [s(11, -8)];
}
