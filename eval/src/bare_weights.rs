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
    /// The first kind of man, or the only one.
    pub(crate) first: Man,
    /// The second kind.
    pub(crate) second: Option<Man>,
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
    first: Man {
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
    second: None,
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
    first: Man {
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
    second: None,
};

/// A khon and a maa; the first man is the maa.
pub(crate) const KHON_AND_MAA: Hunt = Hunt {
    base: 347,
    to_move: -31,
    freedom: 2,
    prey: [
        -53, -29, -8, 2, -32, -11, 9, 19, -10, 10, 31, 41, 1, 23, 42, 53, 0, 22, 44, 55, -13, 11, 33, 45,
        -39, -17, 8, 22, -70, -46, -21, -8,
    ],
    khun: Man {
        squares: [
            36, 21, 10, 5, 28, 8, -11, -21, 20, -7, -28, -38, 16, -12, -35, -45, 15, -12, -33, -42, 18, -3,
            -23, -29, 29, 14, 1, -5, 42, 31, 25, 22,
        ],
        near: Near {
            ranks: [25, 10, -1, -9, -15, -20, -17, -13, -4, 9, 13, 17, 19, 24, 34],
            files: [-8, -6, -2, 0, 2, 5, 9, 18],
            steps: [-28, -28, -8, -5, 1, 6, 7, 4],
        },
    },
    first: Man {
        squares: [
            18, 11, 8, 4, 13, 5, -5, -8, 7, -4, -11, -12, 5, -4, -12, -22, 5, -8, -13, -16, 7, 1, -8, -13,
            10, 4, -1, -3, 19, 12, 8, 4,
        ],
        near: Near {
            ranks: [14, 3, 0, -5, -7, -7, -4, -1, 0, -2, 1, 5, 9, 13, 24],
            files: [0, -1, -4, -2, 0, 3, 6, 16],
            steps: [-24, 20, 16, 2, -3, -6, -7, -15],
        },
    },
    second: Some(Man {
        squares: [
            22, 9, -3, -12, 17, -1, -15, -22, 12, -8, -22, -29, 9, -9, -23, -31, 11, -8, -20, -28, 14, 4, -8,
            -15, 23, 17, 10, 7, 33, 30, 30, 30,
        ],
        near: Near {
            ranks: [-2, -9, -14, -18, -22, -22, -8, 3, 8, 16, 18, 19, 20, 20, 20],
            files: [-13, -12, -5, 1, 6, 12, 16, 21],
            steps: [-22, 23, -1, -3, -1, 0, 1, 2],
        },
    }),
};

/// Two khon.
pub(crate) const TWO_KHON: Hunt = Hunt {
    base: 356,
    to_move: -37,
    freedom: 9,
    prey: [
        -28, -16, 5, 15, -19, -19, 1, 11, 3, 6, 27, 39, 14, 21, 45, 57, 13, 21, 50, 64, -6, 3, 34, 50, -40,
        -35, -3, 13, -69, -54, -26, -12,
    ],
    khun: Man {
        squares: [
            35, 16, 3, -5, 28, 5, -16, -25, 20, -10, -32, -39, 14, -16, -38, -44, 16, -12, -32, -41, 22, -2,
            -19, -24, 33, 17, 5, 0, 50, 39, 34, 31,
        ],
        near: Near {
            ranks: [22, 9, -9, -23, -34, -46, -33, -19, 1, 26, 35, 38, 39, 39, 37],
            files: [-3, -4, -3, 2, 2, 4, 5, 5],
            steps: [-22, -22, 6, -8, -3, 0, 3, 10],
        },
    },
    first: Man {
        squares: [
            26, 14, 4, -2, 17, 1, -11, -16, 9, -7, -22, -29, 6, -14, -26, -35, 6, -9, -22, -29, 12, 1, -8,
            -15, 22, 17, 11, 8, 37, 32, 33, 31,
        ],
        near: Near {
            ranks: [-13, -27, -32, -36, -38, -38, -11, 10, 16, 27, 31, 33, 33, 31, 38],
            files: [-17, -16, -8, 1, 7, 15, 20, 33],
            steps: [-34, 46, 10, -3, -4, -3, -1, -7],
        },
    },
    second: None,
};

/// A khon and a met; the first man is the khon.
pub(crate) const KHON_AND_MET: Hunt = Hunt {
    base: 497,
    to_move: -39,
    freedom: 5,
    prey: [
        -35, -16, 5, 15, -23, -10, 9, 18, -2, 9, 29, 41, 8, 24, 44, 55, 9, 25, 52, 64, -9, 13, 39, 55, -43,
        -23, 8, 24, -85, -57, -26, -11,
    ],
    khun: Man {
        squares: [
            38, 19, 4, -4, 31, 5, -17, -26, 22, -10, -35, -43, 17, -18, -43, -50, 18, -14, -38, -47, 26, -2,
            -25, -31, 40, 22, 5, 1, 62, 47, 38, 34,
        ],
        near: Near {
            ranks: [27, 8, -14, -28, -38, -46, -32, -14, 3, 29, 35, 39, 39, 41, 39],
            files: [-6, -6, -3, 1, 2, 6, 9, 9],
            steps: [-40, -40, -2, -5, 0, 3, 2, 7],
        },
    },
    first: Man {
        squares: [
            29, 11, -1, -9, 16, -3, -21, -27, 9, -14, -31, -38, 4, -17, -33, -43, 6, -9, -28, -34, 18, 1, -8,
            -15, 27, 24, 24, 19, 51, 51, 53, 54,
        ],
        near: Near {
            ranks: [-23, -28, -33, -37, -38, -37, -5, 18, 20, 29, 29, 30, 30, 28, 24],
            files: [-29, -26, -12, 0, 12, 26, 39, 46],
            steps: [-30, 48, 9, 2, -1, -5, -8, -8],
        },
    },
    second: Some(Man {
        squares: [
            40, 7, 13, 4, 7, 15, -9, -12, 24, -12, -11, -30, -2, 1, -30, -33, 22, -15, -18, -34, 7, 9, -14,
            -19, 34, 7, 5, -5, 27, 31, 18, 17,
        ],
        near: Near {
            ranks: [-7, -9, -13, -15, -16, -17, -11, -2, 6, 11, 15, 17, 18, 17, 17],
            files: [-1, 0, -2, 0, 0, 2, 2, 4],
            steps: [-32, 25, 11, -1, -4, -4, -3, -2],
        },
    }),
};
