//! How long the hunt for a bare khun takes: numbers fitted to the exact tables of `sakmak-tools endings`.
//!
//! In eighths of a ply. White hunts in all tables, so for Black ranks are counted from the other side; files
//! are mirrored where that does not matter.

/// One eighth of a ply is the unit.
pub(crate) const PLY: i32 = 8;

/// What foretells the plies to mate for certain men. The parts are added.
#[derive(Debug)]
pub(crate) struct Hunt {
    /// The mean over all won placements.
    pub(crate) base: i16,
    /// Added if the hunter is to move.
    pub(crate) to_move: i16,
    /// For each square next to the bare khun which the hunter does not attack.
    pub(crate) freedom: i16,
    /// The bare khun's square: rank by rank, files a to d (or h to e).
    pub(crate) prey: [i16; 32],
    /// The hunter's khun.
    pub(crate) khun: Man,
    /// Each rua.
    pub(crate) rua: Man,
}

/// What a man's place adds.
#[derive(Debug)]
pub(crate) struct Man {
    /// Its square, as that of the prey.
    pub(crate) squares: [i16; 32],
    /// Its place as seen from the prey.
    pub(crate) near: Near,
}

/// A place as seen from the bare khun.
#[derive(Debug)]
pub(crate) struct Near {
    /// Ranks in front of it (from 7 behind to 7 in front).
    pub(crate) ranks: [i16; 15],
    /// Files to either side.
    pub(crate) files: [i16; 8],
    /// A khun's steps.
    pub(crate) steps: [i16; 8],
}

/// A rua with others mates so much faster than alone.
pub(crate) const RUA_MORE: i32 = -23;

/// One rua, whatever else hunts.
pub(crate) const RUA: Hunt = Hunt {
    base: 135,
    to_move: -28,
    freedom: 9,
    prey: [
        -32, -26, -9, -1, -26, -20, -1, 11, -10, -1, 22, 34, -2, 9, 34, 44, 0, 9, 33, 44, -11, -2, 21, 31,
        -27, -23, -2, 8, -32, -26, -11, -4,
    ],
    khun: Man {
        squares: [
            12, 10, 7, 5, 9, 6, -1, -4, 6, 0, -9, -14, 5, -3, -13, -17, 5, -3, -13, -17, 6, 0, -9, -13, 8, 5,
            -1, -3, 12, 9, 6, 5,
        ],
        near: Near {
            ranks: [17, 12, 9, 4, 1, -4, -9, -11, -9, -4, 1, 5, 9, 14, 20],
            files: [-11, -9, -4, 1, 5, 9, 14, 20],
            steps: [-10, -10, -9, -13, -2, 7, 15, 22],
        },
    },
    rua: Man {
        squares: [
            6, 4, 2, 0, 4, 2, 0, -3, 3, 0, -1, -3, 0, -3, -4, -7, 0, -2, -3, -6, 2, -1, -1, -4, 3, 1, 0, -2,
            6, 3, 2, -1,
        ],
        near: Near {
            ranks: [-1, -4, -4, -5, -5, -5, 11, 14, 11, -5, -4, -4, -2, -2, 0],
            files: [15, 11, -5, -4, -4, -3, -3, -1],
            steps: [-12, -3, 2, 0, 1, -1, -1, -3],
        },
    },
};

/// Two rua.
pub(crate) const TWO_RUA: Hunt = Hunt {
    base: 67,
    to_move: -29,
    freedom: 2,
    prey: [
        -27, -18, -12, -9, -19, -7, 3, 9, -11, 5, 16, 23, -7, 8, 23, 29, -8, 9, 23, 29, -11, 4, 16, 23, -19,
        -7, 3, 9, -26, -18, -11, -8,
    ],
    khun: Man {
        squares: [
            5, 4, 3, 2, 3, 1, -1, -2, 2, -1, -4, -5, 3, -2, -5, -6, 2, -2, -5, -6, 3, -1, -4, -5, 4, 2, -1,
            -2, 5, 4, 3, 2,
        ],
        near: Near {
            ranks: [-3, -2, 0, 2, 2, 1, -2, -3, -2, 1, 2, 2, 0, -1, -3],
            files: [-3, -2, 1, 2, 2, 0, -1, -3],
            steps: [-3, -3, -14, -5, 2, 8, 9, 8],
        },
    },
    rua: Man {
        squares: [
            -1, -3, -2, 0, -3, -3, -2, 0, -1, -2, 0, 3, 0, 1, 3, 7, 0, 1, 3, 7, -2, -1, 1, 3, -2, -3, -2, 1,
            -1, -3, -1, 0,
        ],
        near: Near {
            ranks: [2, 2, 2, 1, 1, 1, -5, 4, -5, 1, 1, 1, 2, 3, 1],
            files: [4, -5, 1, 1, 1, 2, 2, 1],
            steps: [-4, 53, -6, -7, -6, -5, -4, -1],
        },
    },
};
