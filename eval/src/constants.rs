//! The numbers of the evaluation that are set by hand: piece values, and endings against a bare khun.
//! In internal units unless said otherwise.

// Piece values by kind: bia, met, khon, maa, rua, khun. The rules have values of their own, which decide who counts.

/// Values in static exchange evaluation (SEE) and move ordering. The khun outweighs everything.
pub const EXCHANGE: [i32; 6] = [110, 175, 285, 380, 690, 20_000];
/// Values of the winner's pieces against a bare khun.
pub(crate) const BARE_PIECES: [i32; 6] = [70, 109, 259, 339, 782, 0];
/// Material values in the win-rate model, in bia.
pub const WIN_RATE_MATERIAL: [u32; 6] = [1, 2, 3, 3, 5, 0];

/// Scaling by the count: with fewer plies left, the network's evaluation is multiplied by `plies / COUNT_FADE`, since
/// the game is drawn without a mate or a new count.
pub(crate) const COUNT_FADE: i32 = 16;

/// Against a bare khun: base score of a forced mate.
pub(crate) const BARE_WIN: i32 = 700;
/// Weight of [`BARE_PIECES`] in the score, in 1/128.
pub(crate) const BARE_MATERIAL: i32 = 64;
/// Bonus for each ply by which the mate is nearer than [`BARE_MAX_DTM`].
pub(crate) const BARE_PLY: i32 = 4;
/// DTM in plies beyond which all mates score alike.
pub(crate) const BARE_MAX_DTM: i32 = 128;
/// If the count leaves fewer plies than an estimated mate needs, the score fades over this many plies to
/// 1 / `BARE_REST_DIVISOR` of it.
pub(crate) const BARE_FADE: i32 = 24;
/// Divisor of the score of a mate that does not fit the count: the attacker still prefers it.
pub(crate) const BARE_REST_DIVISOR: i32 = 16;
/// Each piece beyond the two or three that mate shortens the estimated plies by 1 / `BARE_EXTRA_DIVISOR`.
pub(crate) const BARE_EXTRA_DIVISOR: i32 = 4;
/// Largest number of such pieces that counts.
pub(crate) const BARE_EXTRA_MAX: i32 = 2;

// The estimates follow the tables of KMMMvK, KNMMvK, KNNMvK and KSMMvK: random placements, and `suite kept`.

/// Estimated plies to mate if no pair of pieces forces it from here, with the bare khun in the centre.
pub(crate) const BARE_ESTIMATE_NO_PAIR: i32 = 64;
/// Estimated plies to mate for three or more maa and met, with the bare khun in the centre.
pub(crate) const BARE_ESTIMATE_MAA: i32 = 30;
/// Estimated plies to mate for three or more met, with the bare khun in the centre.
pub(crate) const BARE_ESTIMATE_MET: i32 = 40;
/// Driving without a DTM: for each square of the bare khun's distance from the centre (0 to 3 each way).
pub(crate) const BARE_EDGE: i32 = 20;
/// Driving: bonus for a bare khun in a corner, besides that for two edges.
pub(crate) const BARE_CORNER: i32 = 6;
/// Driving: penalty for each step between the khuns.
pub(crate) const BARE_KHUN_NEARNESS: i32 = 8;
/// Driving: penalty for each step between an attacking piece and the bare khun.
pub(crate) const BARE_PIECE_NEARNESS: i32 = 4;
/// Driving: penalty for each square the bare khun can go to.
pub(crate) const BARE_FREEDOM: i32 = 3;
/// Base score against a bare khun with pieces that cannot force the mate.
pub(crate) const BARE_UNFORCED: i32 = 80;
