//! The numbers of the evaluation that are set by hand: units, phases, shares and the hunt for a bare khun.
//! In centipawns unless said otherwise.

/// The worth of each kind in exchanges and move ordering: bia, met, khon, maa, rua, khun. The khun outweighs
/// everything. Set by hand: after tuning it should follow `MATERIAL` roughly.
pub const EXCHANGE: [i32; 6] = [110, 175, 285, 380, 690, 20_000];

/// How much of the middlegame each kind stands for.
pub const PHASE: [i32; 6] = [0, 1, 2, 2, 4, 0];
/// The phase of the full array; more (after promotions) counts as this.
pub const FULL_PHASE: i32 = 34;

/// Units of danger to a khun for each square next to it (its own included) that a kind of man attacks, by
/// kind: bia, met, khon, maa, rua, khun.
pub const DANGER_UNITS: [i32; 6] = [3, 4, 6, 7, 9, 0];
/// Units for each such square that no own man but the khun guards.
pub const DANGER_UNGUARDED: i32 = 7;
/// Units that one entry of the table `KHUN_DANGER` stands for; the last stands for all above, too.
pub const DANGER_STEP: i32 = 4;

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
/// Against a bare khun: for each ply by which the mate is nearer than [`BARE_LONGEST`].
pub const BARE_PLY: i32 = 4;
/// Mates further off than so many plies are all worth the same.
pub const BARE_LONGEST: i32 = 128;
/// The hope of a hunt is whole if the count leaves so many plies more than the estimate...
pub const BARE_LATE: i32 = 8;
/// ...and gone so many plies later.
pub const BARE_SPREAD: i32 = 32;
/// Of a hunt without hope remains this part, so that it goes on.
pub const BARE_REST: i32 = 16;
/// Each man more than the two that are nearest to the mate takes off such a part of the plies...
pub const BARE_MORE_PART: i32 = 8;
/// ...but no more than so many men do.
pub const BARE_MORE_MOST: i32 = 4;
/// Plies for men of which no two force the mate as they stand, from the middle of the board: an estimate.
pub const BARE_NO_PAIR: i32 = 56;
/// Plies for maa and met, three or more, from the middle of the board: estimates.
pub const BARE_MAA_AND_MORE: i32 = 60;
/// The same for met alone.
pub const BARE_THREE_MET: i32 = 68;
/// The bare khun's place where no mate is known, by distance from the middle of the board (0 to 3 each
/// way).
pub const BARE_EDGE: i32 = 26;
/// For a bare khun in a corner besides being on two edges.
pub const BARE_CORNER: i32 = 18;
/// For each step between the khuns, the fewer the better.
pub const BARE_KHUN_NEARNESS: i32 = 20;
/// For each step between the hunting men and the bare khun, the fewer the better.
pub const BARE_MEN_NEARNESS: i32 = 3;
/// For each square the bare khun can still go to.
pub const BARE_FREEDOM: i32 = 10;
/// Against a bare khun with men that cannot force the mate.
pub const BARE_UNFORCED: i32 = 80;
