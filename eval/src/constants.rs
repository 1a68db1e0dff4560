//! The numbers of the evaluation that are set by hand: piece values in exchanges, and endings against a bare khun.
//! In internal units unless said otherwise.

/// Piece values in exchanges and move ordering: bia, met, khon, maa, rua, khun. The khun outweighs everything.
pub const EXCHANGE: [i32; 6] = [110, 175, 285, 380, 690, 20_000];

/// While a count leaves fewer plies, the network's evaluation is scaled by the plies left over this number: without a
/// mate or a new count the game is drawn.
pub(crate) const COUNT_FADE: i32 = 16;

/// Against a bare khun: base score of a forced mate.
pub(crate) const BARE_WIN: i32 = 700;
/// Against a bare khun: what the winner's pieces count besides: bia, met, khon, maa, rua, khun.
pub(crate) const BARE_PIECES: [i32; 6] = [70, 109, 259, 339, 782, 0];
/// Against a bare khun: share of [`BARE_PIECES`] that counts, in 1/128.
pub(crate) const BARE_MATERIAL: i32 = 64;
/// Against a bare khun: for each ply by which the mate is nearer than [`BARE_MAX_DTM`].
pub(crate) const BARE_PLY: i32 = 4;
/// Mates further off than so many plies are all worth the same.
pub(crate) const BARE_MAX_DTM: i32 = 128;
/// An estimated mate has its full score if the count leaves so many plies more than the estimate...
pub(crate) const BARE_MARGIN: i32 = 8;
/// ...and none so many plies later.
pub(crate) const BARE_FADE: i32 = 32;
/// A mate that does not fit the count keeps one part in so many of its score, so that the attacker goes on.
pub(crate) const BARE_REST_DIVISOR: i32 = 16;
/// Each piece beyond the two or three that mate takes one part in so many off the plies...
pub(crate) const BARE_EXTRA_DIVISOR: i32 = 8;
/// ...but at most so many pieces count.
pub(crate) const BARE_EXTRA_MAX: i32 = 4;
/// Estimated plies for pieces of which no pair forces the mate from here, with the bare khun in the centre.
pub(crate) const BARE_ESTIMATE_NO_PAIR: i32 = 56;
/// Estimated plies for three or more maa and met, with the bare khun in the centre.
pub(crate) const BARE_ESTIMATE_MAA: i32 = 60;
/// The same for met alone.
pub(crate) const BARE_ESTIMATE_MET: i32 = 68;
/// Where no DTM is available: for the bare khun's distance from the middle of the board (0 to 3 each way).
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
