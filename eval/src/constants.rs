//! The numbers of the evaluation that are set by hand: piece values, and endings against a bare khun.
//! In internal units unless said otherwise.

// Piece values by kind: bia, met, khon, maa, rua, khun. The rules have values of their own, which decide who counts.

/// Values in exchanges and move ordering. The khun outweighs everything.
pub const EXCHANGE: [i32; 6] = [110, 175, 285, 380, 690, 20_000];
/// Values of the winner's pieces against a bare khun.
pub(crate) const BARE_PIECES: [i32; 6] = [70, 109, 259, 339, 782, 0];
/// Values in the model of win rates, in bia.
pub const WIN_RATE_MATERIAL: [u32; 6] = [1, 2, 3, 3, 5, 0];

/// Plies left of a count below which the network's evaluation is scaled by `plies / COUNT_FADE`: without a mate or a
/// new count the game is drawn.
pub(crate) const COUNT_FADE: i32 = 16;

/// Against a bare khun: base score of a forced mate.
pub(crate) const BARE_WIN: i32 = 700;
/// Weight of [`BARE_PIECES`] in the score, in 1/128.
pub(crate) const BARE_MATERIAL: i32 = 64;
/// Bonus for each ply by which the mate is nearer than [`BARE_MAX_DTM`].
pub(crate) const BARE_PLY: i32 = 4;
/// Distance to mate in plies beyond which all mates score alike.
pub(crate) const BARE_MAX_DTM: i32 = 128;
/// An estimated mate scores in full if the count leaves this many plies more than the estimate...
pub(crate) const BARE_MARGIN: i32 = 8;
/// ...and nothing this many plies later.
pub(crate) const BARE_FADE: i32 = 32;
/// Divisor of the score of a mate that does not fit the count: the attacker still prefers it.
pub(crate) const BARE_REST_DIVISOR: i32 = 16;
/// Divisor of the plies that each piece beyond the two or three that mate saves...
pub(crate) const BARE_EXTRA_DIVISOR: i32 = 8;
/// ...and the largest number of such pieces.
pub(crate) const BARE_EXTRA_MAX: i32 = 4;
/// Estimated plies for pieces of which no pair forces the mate from here, with the bare khun in the centre.
pub(crate) const BARE_ESTIMATE_NO_PAIR: i32 = 56;
/// Estimated plies for three or more maa and met, with the bare khun in the centre.
pub(crate) const BARE_ESTIMATE_MAA: i32 = 60;
/// The same for met alone.
pub(crate) const BARE_ESTIMATE_MET: i32 = 68;
/// Without DTM: for each square of the bare khun's distance from the centre (0 to 3 each way).
pub(crate) const BARE_EDGE: i32 = 26;
/// For a bare khun in a corner besides being on two edges.
pub(crate) const BARE_CORNER: i32 = 18;
/// For each step between the khuns, the fewer the better.
pub(crate) const BARE_KHUN_NEARNESS: i32 = 20;
/// For each step between the attacker's pieces and the bare khun, the fewer the better.
pub(crate) const BARE_PIECE_NEARNESS: i32 = 3;
/// For each square the bare khun can still go to.
pub(crate) const BARE_FREEDOM: i32 = 10;
/// Against a bare khun with pieces that cannot force the mate.
pub(crate) const BARE_UNFORCED: i32 = 80;
