//! Every number of the evaluation, in centipawns unless said otherwise.
//!
//! Squares are given from White's side: tables list the ranks from the first to the eighth, and in
//! each the files a to d; files h to e mirror them.

use crate::tapered::Tapered;

const fn s(middlegame: i32, endgame: i32) -> Tapered {
    Tapered::new(middlegame, endgame)
}

/// The side to move's advantage.
pub const TEMPO: i32 = 12;

/// The worth of each kind: bia, met, khon, maa, rua, khun. A bia is worth almost as much as the met
/// it may become, and keeps the board's honour count from starting.
pub const MATERIAL: [Tapered; 6] = [s(88, 108), s(176, 186), s(296, 304), s(342, 326), s(585, 610), s(0, 0)];

/// The same as plain numbers, for exchanges and move ordering; the khun outweighs everything.
pub const EXCHANGE: [i32; 6] = [95, 180, 300, 340, 600, 20_000];

/// How much of the middlegame each kind stands for.
pub const PHASE: [i32; 6] = [0, 1, 2, 2, 4, 0];
/// The phase of the full array; more (after promotions) counts as this.
pub const FULL_PHASE: i32 = 34;

/// Piece-square tables by kind, rank and file (a to d).
pub const SQUARES: [[[Tapered; 4]; 8]; 6] = [
    // Bia. It starts on the third rank and promotes on the sixth.
    [
        [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
        [s(-8, -8), s(-6, -6), s(-4, -4), s(-2, -2)],
        [s(-4, -4), s(-2, -4), s(0, -2), s(2, 0)],
        [s(-2, 4), s(4, 6), s(8, 8), s(12, 10)],
        [s(4, 16), s(8, 20), s(14, 24), s(20, 26)],
        [s(10, 36), s(14, 40), s(20, 44), s(26, 46)],
        [s(10, 36), s(14, 40), s(20, 44), s(26, 46)],
        [s(0, 0), s(0, 0), s(0, 0), s(0, 0)],
    ],
    // Met.
    [
        [s(-24, -26), s(-18, -18), s(-12, -14), s(-8, -12)],
        [s(-16, -18), s(-8, -10), s(-2, -4), s(2, 0)],
        [s(-10, -12), s(0, -2), s(8, 4), s(12, 8)],
        [s(-8, -8), s(4, 2), s(14, 10), s(20, 16)],
        [s(-8, -8), s(6, 4), s(16, 12), s(22, 18)],
        [s(-10, -10), s(4, 2), s(12, 8), s(16, 12)],
        [s(-16, -16), s(-6, -6), s(2, 0), s(4, 2)],
        [s(-26, -26), s(-16, -16), s(-10, -12), s(-8, -10)],
    ],
    // Khon. Slow, and strongest with its face to the enemy.
    [
        [s(-26, -22), s(-18, -16), s(-12, -12), s(-10, -10)],
        [s(-14, -12), s(-2, -6), s(4, 0), s(6, 2)],
        [s(-8, -6), s(4, 2), s(12, 8), s(16, 10)],
        [s(-4, -2), s(8, 6), s(18, 12), s(22, 16)],
        [s(-4, 0), s(8, 8), s(18, 14), s(22, 18)],
        [s(-8, -2), s(4, 6), s(12, 10), s(16, 12)],
        [s(-16, -12), s(-6, -4), s(0, 0), s(2, 2)],
        [s(-28, -28), s(-20, -20), s(-16, -16), s(-14, -14)],
    ],
    // Maa.
    [
        [s(-40, -36), s(-24, -24), s(-16, -16), s(-12, -12)],
        [s(-22, -22), s(-8, -12), s(0, -4), s(6, 0)],
        [s(-12, -14), s(2, -2), s(10, 6), s(14, 10)],
        [s(-6, -8), s(8, 4), s(18, 14), s(22, 18)],
        [s(-4, -6), s(12, 6), s(22, 16), s(28, 22)],
        [s(-8, -10), s(8, 2), s(18, 10), s(24, 14)],
        [s(-20, -20), s(-8, -10), s(2, -2), s(6, 2)],
        [s(-44, -38), s(-26, -24), s(-18, -16), s(-14, -12)],
    ],
    // Rua.
    [
        [s(-8, -6), s(-6, -4), s(-2, -2), s(2, 0)],
        [s(-10, -6), s(-6, -4), s(-2, -2), s(0, 0)],
        [s(-10, -4), s(-4, -2), s(-2, 0), s(0, 2)],
        [s(-8, 0), s(-4, 2), s(0, 2), s(2, 4)],
        [s(-4, 2), s(0, 4), s(4, 6), s(6, 8)],
        [s(0, 4), s(4, 6), s(8, 8), s(10, 8)],
        [s(8, 10), s(10, 12), s(14, 14), s(16, 14)],
        [s(4, 8), s(6, 10), s(8, 10), s(10, 10)],
    ],
    // Khun.
    [
        [s(-2, -44), s(6, -28), s(2, -20), s(-6, -18)],
        [s(10, -24), s(20, -8), s(18, 0), s(6, 2)],
        [s(2, -12), s(12, 4), s(14, 12), s(4, 16)],
        [s(-14, -8), s(-6, 8), s(-4, 18), s(-10, 22)],
        [s(-30, -10), s(-26, 8), s(-26, 18), s(-30, 22)],
        [s(-46, -18), s(-44, 0), s(-46, 8), s(-50, 12)],
        [s(-60, -28), s(-60, -12), s(-62, -4), s(-66, 0)],
        [s(-72, -48), s(-72, -30), s(-74, -22), s(-78, -20)],
    ],
];

/// For each square a rua can go to that no enemy bia guards.
pub const RUA_MOBILITY: Tapered = s(3, 4);
/// A rua on a file without own bia, and on one without any bia.
pub const RUA_HALF_OPEN: Tapered = s(10, 6);
/// See [`RUA_HALF_OPEN`]; both count on an open file.
pub const RUA_OPEN: Tapered = s(12, 8);
/// A rua on the seventh rank, behind the enemy bia.
pub const RUA_SEVENTH: Tapered = s(12, 16);
/// Two ruas that guard each other.
pub const RUA_CONNECTED: Tapered = s(8, 4);

/// A bia guarded by another.
pub const BIA_CHAIN: Tapered = s(7, 6);
/// A bia with another beside it.
pub const BIA_PHALANX: Tapered = s(4, 4);
/// A bia with no own bia on the neighbouring files.
pub const BIA_ISOLATED: Tapered = s(-6, -8);
/// A second bia on a file.
pub const BIA_DOUBLED: Tapered = s(-8, -10);
/// A bia no enemy bia can stop or capture on its way to the sixth rank, by rank from the first.
pub const BIA_PASSED: [Tapered; 8] =
    [s(0, 0), s(0, 6), s(2, 10), s(6, 18), s(14, 32), s(18, 40), s(18, 40), s(0, 0)];
/// A bia that cannot step ahead because a man stands there.
pub const BIA_BLOCKED: Tapered = s(-3, -5);

/// A met, khon or maa guarded by an own bia.
pub const GUARDED_BY_BIA: Tapered = s(8, 5);
/// A khon or maa guarded by an own bia, in the enemy half, where no enemy bia can come to attack it.
pub const OUTPOST: Tapered = s(12, 8);
/// For each square of the board's middle a side attacks (c3 to f6).
pub const CENTRE_CONTROL: Tapered = s(2, 1);

/// A man attacked by an enemy bia, by the kind of man attacked.
pub const BIA_THREAT: [Tapered; 6] = [s(2, 4), s(22, 18), s(34, 28), s(38, 30), s(52, 40), s(0, 0)];
/// A man attacked by a met, khon or maa, by the kind of man attacked.
pub const MINOR_THREAT: [Tapered; 6] = [s(4, 8), s(8, 10), s(12, 14), s(16, 16), s(36, 32), s(0, 0)];
/// A man attacked by a rua, by the kind of man attacked.
pub const RUA_THREAT: [Tapered; 6] = [s(2, 8), s(6, 14), s(10, 16), s(12, 16), s(4, 4), s(0, 0)];
/// A man other than the khun that is attacked and not guarded.
pub const HANGING: Tapered = s(18, 16);

/// Danger to a khun for each square next to it (its own included) that a kind of man attacks, by
/// kind: bia, met, khon, maa, rua, khun.
pub const KHUN_DANGER: [i32; 6] = [3, 4, 6, 7, 9, 0];
/// Danger for each such square that no own man but the khun guards.
pub const KHUN_DANGER_UNGUARDED: i32 = 7;
/// Danger squared is divided by this to make middlegame centipawns.
pub const KHUN_DANGER_DIVISOR: i32 = 26;
/// Most danger that counts.
pub const KHUN_DANGER_MAX: i32 = 110;
/// For each own man (bia, met, khon) on the squares next to the khun or two ahead of it.
pub const KHUN_SHELTER: Tapered = s(8, 0);

/// Endgame: for each step between the stronger side's khun and the weaker side's, the fewer the
/// better.
pub const KHUN_NEARNESS: i32 = 4;

/// Share of the advantage left, in 1/128, when no bia is on the board and no khun is bare: the board's
/// honour can be counted. In real games the better side then wins about a third less often.
pub const NO_BIA_SCALE: i32 = 84;
/// The same when the stronger side has no bia but the weaker has.
pub const NO_OWN_BIA_SCALE: i32 = 112;
/// Plies of the board's honour below which the advantage shrinks with them.
pub const BOARD_COUNT_PLIES: i32 = 72;
/// Share of the advantage left, in 1/128, when the stronger side is only ahead by less than a maa
/// and has no bia.
pub const SMALL_EDGE_SCALE: i32 = 56;

/// Against a bare khun: a win worth playing for starts here.
pub const BARE_WIN: i32 = 700;
/// Against a bare khun: share of the winner's material that counts besides, in 1/128.
pub const BARE_MATERIAL: i32 = 64;
/// The bare khun's place when rua or maa and met hunt it, by distance from the middle of the board (0
/// to 3 each way).
pub const BARE_EDGE: i32 = 26;
/// For a bare khun in a corner besides being on two edges.
pub const BARE_CORNER: i32 = 18;
/// The bare khun's place when khon hunt it without rua: for each file it is off the middle, and for each
/// rank it is nearer the far side, where khon face it. Mates take about one move less for each such
/// file and two and a half for each such rank (`sakmak-tools endings --map`).
pub const BARE_KHON_FILE: i32 = 10;
/// See [`BARE_KHON_FILE`].
pub const BARE_KHON_RANK: i32 = 24;
/// For each step between the khuns, the fewer the better.
pub const BARE_KHUN_NEARNESS: i32 = 20;
/// For each step between the hunting men and the bare khun, the fewer the better.
pub const BARE_MEN_NEARNESS: i32 = 3;
/// For each square the bare khun can still go to.
pub const BARE_FREEDOM: i32 = 10;
/// Against a bare khun with men that cannot force the mate.
pub const BARE_UNFORCED: i32 = 80;
/// Moves in which the mate is usually forced, by the strongest men of the hunter. Two men and fewer: the
/// mean over all won placements (`sakmak-tools endings`); more men: estimates.
pub const BARE_MOVES: BareMoves = BareMoves {
    two_rua: 4,
    rua_and_more: 10,
    rua: 12,
    two_khon: 25,
    khon_and_maa: 22,
    khon_and_met: 32,
    maa_and_more: 30,
    three_met: 34,
    less_for_each_more: 4,
};

/// Moves to mate by the strongest men of the hunter.
#[derive(Clone, Copy, Debug)]
#[expect(missing_docs)]
pub struct BareMoves {
    pub two_rua: i32,
    pub rua_and_more: i32,
    pub rua: i32,
    pub two_khon: i32,
    pub khon_and_maa: i32,
    pub khon_and_met: i32,
    pub maa_and_more: i32,
    pub three_met: i32,
    /// Taken off for each man beyond those named.
    pub less_for_each_more: i32,
}
