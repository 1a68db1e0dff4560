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
    TEMPO = [s(11, -3)];
    /// The worth of each kind: bia, met, khon, maa, rua, khun. A bia is worth almost as much as the met it
    /// may become, and keeps the board's honour count from starting.
    MATERIAL = [s(107, 114), s(200, 146), s(300, 259), s(412, 351), s(655, 713), s(0, 0)];
    /// Bia by square. It starts on the third rank and promotes on the sixth.
    BIA_SQUARES =
        [s(-6, -10), s(-6, -10), s(-6, -10), s(-6, -10)]
        [s(-14, -18), s(-12, -16), s(-10, -14), s(-8, -12)]
        [s(7, 5), s(-5, 11), s(4, -4), s(1, 9)]
        [s(5, -9), s(-11, -16), s(-8, -24), s(18, 11)]
        [s(-14, 12), s(-17, -13), s(-17, 9), s(30, 4)]
        [s(3, 24), s(7, 28), s(13, 31), s(18, 33)]
        [s(3, 24), s(7, 28), s(13, 31), s(18, 33)]
        [s(-6, -10), s(-6, -10), s(-6, -10), s(-6, -10)];
    /// Met by square.
    MET_SQUARES =
        [s(-39, -36), s(-50, -55), s(-46, -43), s(-33, -41)]
        [s(-44, -52), s(-40, -18), s(-13, -28), s(-31, -17)]
        [s(-50, -27), s(-1, -21), s(-8, -20), s(13, -8)]
        [s(-23, -26), s(-14, -9), s(31, 24), s(2, 0)]
        [s(-11, -4), s(25, -8), s(22, 15), s(12, 37)]
        [s(-4, 5), s(8, 16), s(30, 32), s(7, 30)]
        [s(-30, -38), s(-29, -4), s(6, 8), s(-10, 1)]
        [s(-40, -49), s(-31, -33), s(-27, -34), s(-22, -20)];
    /// Khon by square. Slow, and strongest with its face to the enemy.
    KHON_SQUARES =
        [s(-58, -43), s(-39, -36), s(-55, -35), s(-54, -42)]
        [s(-54, -34), s(-50, -47), s(-11, -25), s(-12, -12)]
        [s(-33, -6), s(-9, 8), s(11, 3), s(18, 10)]
        [s(-29, -10), s(-3, 22), s(37, 26), s(32, 24)]
        [s(-16, -18), s(-9, 8), s(14, 27), s(33, 31)]
        [s(-38, -21), s(-11, -2), s(24, 33), s(17, 26)]
        [s(-39, -36), s(-14, -6), s(0, 22), s(-9, -3)]
        [s(-51, -53), s(-36, -31), s(-34, -23), s(-32, -24)];
    /// Maa by square.
    MAA_SQUARES =
        [s(-51, -46), s(-23, -40), s(-23, -38), s(-18, -24)]
        [s(-35, -32), s(-6, -28), s(-20, 10), s(9, -31)]
        [s(-32, -33), s(-1, -8), s(6, 12), s(1, 29)]
        [s(-16, -2), s(-5, 14), s(-7, 34), s(-1, 32)]
        [s(-19, 1), s(6, -2), s(11, 23), s(46, 47)]
        [s(-21, -17), s(-29, -8), s(16, 13), s(27, 30)]
        [s(-11, -22), s(-18, -11), s(-8, 1), s(0, -1)]
        [s(-60, -42), s(-37, -37), s(-32, -17), s(-6, 22)];
    /// Rua by square.
    RUA_SQUARES =
        [s(-1, -1), s(11, -10), s(-6, -3), s(-6, 11)]
        [s(-25, -13), s(-10, -14), s(20, -15), s(7, -8)]
        [s(-11, -22), s(-21, -20), s(-12, -22), s(-27, -26)]
        [s(-16, -11), s(-10, -17), s(0, -17), s(-14, -21)]
        [s(3, -1), s(27, 2), s(-3, -2), s(-6, -15)]
        [s(-20, 9), s(-13, -8), s(9, -4), s(-11, -25)]
        [s(-5, 0), s(7, 14), s(-6, 2), s(8, 4)]
        [s(12, 38), s(33, 35), s(13, 24), s(25, 36)];
    /// Khun by square.
    KHUN_SQUARES =
        [s(-36, -67), s(-24, -73), s(-1, -63), s(-15, -51)]
        [s(-1, -56), s(20, -42), s(17, -30), s(-3, -21)]
        [s(12, -11), s(26, 12), s(23, 17), s(-16, 20)]
        [s(-4, -10), s(16, 28), s(-7, 30), s(-9, 32)]
        [s(-25, 9), s(-9, 39), s(-23, 32), s(-34, 40)]
        [s(-42, -10), s(-27, 36), s(-26, 43), s(-48, 34)]
        [s(-60, -27), s(-49, 3), s(-34, 40), s(-33, 49)]
        [s(-71, -48), s(-66, -24), s(-64, -9), s(-67, 0)];
    /// By the number of own bia, 0 to 8: the last one keeps the board's honour from being counted.
    BIA_LEFT = [
        s(34, 34), s(-33, -36), s(-4, -28), s(-24, 15), s(1, 34), s(-5, 26), s(4, 42), s(23, -9), s(20, 9),
    ];
    /// For each rua, by half the number of bia of both sides.
    RUA_BY_BIA = [
        s(-16, -6), s(18, 6), s(29, 23), s(25, 18), s(21, 3), s(-30, -48), s(-20, -33), s(-22, -37),
        s(-20, -35),
    ];
    /// For each maa, by half the number of bia of both sides.
    MAA_BY_BIA = [
        s(-23, -40), s(-2, -10), s(23, 54), s(27, 55), s(21, 34), s(38, 40), s(2, 2), s(18, 14), s(-11, 9),
    ];
    /// For each khon, by half the number of bia of both sides.
    KHON_BY_BIA = [
        s(-21, -32), s(1, 27), s(28, 40), s(41, 30), s(11, 5), s(1, 14), s(12, 7), s(7, 7), s(7, 8),
    ];
    /// For each met, by half the number of bia of both sides.
    MET_BY_BIA = [
        s(-31, -27), s(26, 4), s(67, 71), s(63, 71), s(49, 68), s(62, 35), s(40, 34), s(29, 19), s(20, 18),
    ];
    /// Two ruas.
    RUA_PAIR = [s(57, 57)];
    /// Two maa.
    MAA_PAIR = [s(24, 9)];
    /// Two khon.
    KHON_PAIR = [s(28, 29)];
    /// For each pair of met on squares of both colours: no met leaves its colour.
    MET_BOTH_COLOURS = [s(38, 58)];
    /// A rua by the number of squares it can go to that no enemy bia guards.
    RUA_MOBILITY = [
        s(-37, -47), s(-17, -43), s(-23, -34), s(-16, -51), s(-14, -41), s(-5, -5), s(-6, 6), s(-5, 15),
        s(-6, 11), s(12, 9), s(1, 18), s(11, 39), s(9, 12), s(9, 40), s(28, 0),
    ];
    /// A maa by the number of squares it can go to that no enemy bia guards.
    MAA_MOBILITY = [
        s(-33, -27), s(-4, -28), s(-3, -17), s(-9, -1), s(1, 4), s(10, 14), s(5, 6), s(4, 16), s(2, -2),
    ];
    /// A khon by the number of squares it can go to that no enemy bia guards.
    KHON_MOBILITY = [s(-6, 5), s(-11, 8), s(0, 4), s(3, -6), s(2, -1), s(2, -6)];
    /// A met by the number of squares it can go to that no enemy bia guards.
    MET_MOBILITY = [s(-13, -8), s(0, 6), s(-6, -5), s(2, 2), s(4, 1)];
    /// A rua on a file without own bia; on one without any bia `RUA_OPEN` counts besides.
    RUA_HALF_OPEN = [s(18, 49)];
    /// A rua on a file without any bia.
    RUA_OPEN = [s(-18, 10)];
    /// A rua on the seventh rank, behind the enemy bia.
    RUA_SEVENTH = [s(-3, 33)];
    /// Two ruas that guard each other.
    RUA_CONNECTED = [s(11, 35)];
    /// A bia guarded by another.
    BIA_CHAIN = [s(20, 6)];
    /// A bia with another beside it.
    BIA_PHALANX = [s(16, 2)];
    /// A bia with no own bia on the neighbouring files.
    BIA_ISOLATED = [s(-12, -3)];
    /// A second bia on a file.
    BIA_DOUBLED = [s(25, 2)];
    /// A bia that cannot step ahead because a man stands there.
    BIA_BLOCKED = [s(-8, -3)];
    /// A bia that an enemy bia awaits ahead, and that no own bia can come to guard there.
    BIA_BACKWARD = [s(7, 11)];
    /// An isolated or backward bia with no enemy bia ahead on its file.
    BIA_WEAK_UNOPPOSED = [s(-11, -5)];
    /// A bia with no enemy bia ahead on its file that is not yet passed.
    BIA_CANDIDATE = [s(29, 8)];
    /// A bia that can step to the sixth rank, where no enemy attacks it.
    BIA_READY = [s(-8, -11)];
    /// A bia no enemy bia can stop or capture on its way to the sixth rank, by rank from the first.
    BIA_PASSED = [s(0, 0), s(0, 6), s(6, 37), s(-4, 25), s(17, 23), s(17, 38), s(17, 38), s(0, 0)];
    /// A passed bia guarded by another.
    BIA_PASSED_GUARDED = [s(13, 22)];
    /// A passed bia whose next square is free and not attacked.
    BIA_PASSED_FREE = [s(0, -11)];
    /// A passed bia by its distance from the own khun.
    BIA_PASSED_OWN_KHUN = [
        s(0, 0), s(-3, -2), s(6, -1), s(13, 9), s(-29, 16), s(5, 24), s(-10, -3), s(-4, -8),
    ];
    /// A passed bia by its distance from the enemy khun.
    BIA_PASSED_ENEMY_KHUN = [
        s(0, 0), s(2, -22), s(5, 10), s(-10, 16), s(-13, 5), s(-1, -25), s(21, 15), s(4, 37),
    ];
    /// A met, khon or maa guarded by an own bia.
    GUARDED_BY_BIA = [s(30, -16)];
    /// A khon or maa (in this order) guarded by an own bia, in the enemy half, where no enemy bia can come to
    /// attack it.
    OUTPOST = [s(13, -14), s(37, -1)];
    /// A khon or maa right behind an own bia.
    BEHIND_BIA = [s(-8, 14)];
    /// A met guarded by another met.
    MET_GUARDS_MET = [s(-1, -17)];
    /// A met, khon or maa, in this order, within two steps of the own khun.
    NEAR_OWN_KHUN = [s(10, 6), s(12, 9), s(14, 20)];
    /// A met, khon or maa, in this order, within two steps of the enemy khun.
    NEAR_ENEMY_KHUN = [s(36, 1), s(48, -2), s(-3, -22)];
    /// For each square of the board's middle a side attacks (c3 to f6).
    CENTRE_CONTROL = [s(4, 6)];
    /// For each square in the middle files behind own bia that no enemy bia attacks, up to the fourth rank.
    SPACE = [s(9, -10)];
    /// A man attacked by an enemy bia, by the kind of man attacked.
    BIA_THREAT = [s(-23, -3), s(46, 28), s(43, 35), s(42, 34), s(52, 35)];
    /// A man attacked by a met, khon or maa, by the kind of man attacked.
    MINOR_THREAT = [s(6, 10), s(-7, -22), s(-2, 14), s(54, 31), s(31, 5)];
    /// A man attacked by a rua, by the kind of man attacked.
    RUA_THREAT = [s(-6, 53), s(-4, 53), s(7, 40), s(7, 17), s(4, 4)];
    /// A man other than the khun that is attacked and not guarded.
    HANGING = [s(32, 24)];
    /// A man attacked by the khun and not guarded.
    KHUN_THREAT = [s(28, -12)];
    /// A man other than bia and khun that a safe step of a bia would attack.
    BIA_PUSH_THREAT = [s(10, 23)];
    /// For each square both sides attack and no enemy bia guards.
    RESTRICTION = [s(15, 10)];
    /// Danger to the khun, by units of danger divided by `DANGER_STEP`.
    KHUN_DANGER = [
        s(-15, -28), s(-25, 14), s(-6, -10), s(-13, 6), s(-8, -28), s(-29, -6), s(-6, -32), s(-45, 13),
        s(-50, -17), s(-62, -18), s(-37, -36), s(-73, 8), s(-72, -8), s(-85, 12), s(-100, 14), s(-116, 12),
        s(-145, -8), s(-159, 13), s(-184, 4), s(-205, 9), s(-235, -7), s(-264, -21), s(-286, -12),
        s(-312, -20), s(-346, -25), s(-370, -22), s(-401, -21), s(-432, -26),
    ];
    /// For each square, at most two, from which an enemy met, khon, maa or rua, in this order, could give
    /// check and not be taken.
    SAFE_CHECK = [s(5, -5), s(-35, -35), s(-36, 5), s(-32, 9)];
    /// The khun by the number of squares it can go to.
    KHUN_FREEDOM = [
        s(-27, -24), s(-11, -20), s(-2, 8), s(-3, 2), s(8, 0), s(5, 6), s(-4, 6), s(-7, -3), s(9, -3),
    ];
    /// For each own man (bia, met, khon) on the squares next to the khun or two ahead of it.
    KHUN_SHELTER = [s(9, -14)];
}
