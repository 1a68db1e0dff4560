//! The numbers of the evaluation that are set by hand: units, phases, scales and endings against a bare khun.
//! In centipawns unless said otherwise.

/// Piece values in exchanges and move ordering: bia, met, khon, maa, rua, khun. The khun outweighs
/// everything. Set by hand: after tuning it should follow `MATERIAL` roughly.
pub const EXCHANGE: [i32; 6] = [110, 175, 285, 380, 690, 20_000];

/// Phase by kind: bia, met, khon, maa, rua, khun.
pub const PHASE: [i32; 6] = [0, 1, 2, 2, 4, 0];
/// The phase of the full array; more (after promotions) counts as this.
pub const FULL_PHASE: i32 = 34;

/// Units of danger to a khun for each square next to it (its own included) that a kind of piece attacks, by
/// kind: bia, met, khon, maa, rua, khun.
pub const DANGER_UNITS: [i32; 6] = [3, 4, 6, 7, 9, 0];
/// Units for each such square that no own piece but the khun guards.
pub const DANGER_UNGUARDED: i32 = 7;
/// Units that one entry of the table `KHUN_DANGER` stands for; the last stands for all above, too.
pub const DANGER_STEP: i32 = 4;

/// Endgame bonus of the stronger side for each step by which the khuns are nearer than seven.
pub const KHUN_NEARNESS: i32 = 4;

/// Share of the advantage left, in 1/128, when no bia is on the board and no khun is bare: the board's
/// honour can be counted.
pub const NO_BIA_SCALE: i32 = 84;
/// The same when the stronger side has no bia but the weaker has.
pub const NO_OWN_BIA_SCALE: i32 = 112;
/// Plies of the board's honour below which the advantage shrinks with them.
pub const BOARD_COUNT_PLIES: i32 = 72;
/// Share of the advantage left, in 1/128, when the stronger side is only ahead by less than a maa
/// and has no bia.
pub const SMALL_LEAD_SCALE: i32 = 56;

/// Against a bare khun: base score of a forced mate.
pub const BARE_WIN: i32 = 700;
/// Against a bare khun: share of the winner's material that counts besides, in 1/128.
pub const BARE_MATERIAL: i32 = 64;
/// Against a bare khun: for each ply by which the mate is nearer than [`BARE_MAX_DTM`].
pub const BARE_PLY: i32 = 4;
/// Mates further off than so many plies are all worth the same.
pub const BARE_MAX_DTM: i32 = 128;
/// An estimated mate has its full score if the count leaves so many plies more than the estimate...
pub const BARE_MARGIN: i32 = 8;
/// ...and none so many plies later.
pub const BARE_FADE: i32 = 32;
/// A mate that does not fit the count keeps one part in so many of its score, so that the attacker goes on.
pub const BARE_REST_DIVISOR: i32 = 16;
/// Each piece beyond the two or three that mate takes one part in so many off the plies...
pub const BARE_EXTRA_DIVISOR: i32 = 8;
/// ...but at most so many pieces count.
pub const BARE_EXTRA_MAX: i32 = 4;
/// Estimated plies for pieces of which no pair forces the mate from here, with the bare khun in the centre.
pub const BARE_ESTIMATE_NO_PAIR: i32 = 56;
/// Estimated plies for three or more maa and met, with the bare khun in the centre.
pub const BARE_ESTIMATE_MAA: i32 = 60;
/// The same for met alone.
pub const BARE_ESTIMATE_MET: i32 = 68;
/// Where no DTM is available: for the bare khun's distance from the middle of the board (0 to 3 each way).
pub const BARE_EDGE: i32 = 26;
/// For a bare khun in a corner besides being on two edges.
pub const BARE_CORNER: i32 = 18;
/// For each step between the khuns, the fewer the better.
pub const BARE_KHUN_NEARNESS: i32 = 20;
/// For each step between the attacker's pieces and the bare khun, the fewer the better.
pub const BARE_PIECE_NEARNESS: i32 = 3;
/// For each square the bare khun can still go to.
pub const BARE_FREEDOM: i32 = 10;
/// Against a bare khun with pieces that cannot force the mate.
pub const BARE_UNFORCED: i32 = 80;
