//! What a source of rules stands for: its way to count, and its reading of Ouk Chaktrang's first moves.

use super::{Privileges, Ruleset, named};

named! {
    /// A way to count.
    CountingSystem, "counting system" {
        /// As Fairy-Stockfish counts, ply for ply; the Cambodian variant has numbers of its own.
        #[default]
        FairyStockfish = "fairy-stockfish",
        /// As Cute Chess's referee counts.
        CuteChess = "cutechess",
        /// As described by the SchemingMind game site.
        SchemingMind = "schemingmind",
        /// As described by Wikipedia.
        Wikipedia = "wikipedia",
        /// As described by the Cyningstan game site.
        Cyningstan = "cyningstan",
        /// As described by Knowlton's booklet.
        Knowlton = "knowlton",
        /// As described by the Chess Variant Pages.
        ChessVariants = "chessvariants",
        /// Chess's rule of fifty moves instead of a count: how Cute Chess plays a FEN that arms no count.
        FiftyMoves = "fifty-moves",
        /// Nothing is ever counted.
        None = "none",
    }
}

impl From<Ruleset> for CountingSystem {
    fn from(ruleset: Ruleset) -> Self {
        match ruleset {
            Ruleset::FairyStockfish => Self::FairyStockfish,
            Ruleset::CuteChess => Self::CuteChess,
            Ruleset::SchemingMind => Self::SchemingMind,
            Ruleset::Wikipedia => Self::Wikipedia,
            Ruleset::Cyningstan => Self::Cyningstan,
            Ruleset::Knowlton => Self::Knowlton,
            Ruleset::ChessVariants => Self::ChessVariants,
            Ruleset::None => Self::None,
        }
    }
}

impl CountingSystem {
    /// Whether counts belong to a side, which the position then stores.
    pub(crate) const fn has_owner(self) -> bool {
        matches!(
            self,
            Self::SchemingMind | Self::Wikipedia | Self::Cyningstan | Self::Knowlton | Self::ChessVariants
        )
    }
}

named! {
    /// A reading of Ouk Chaktrang's first moves. In each of them an unmoved khun or met may leap.
    Reading, "reading" {
        /// Fairy-Stockfish today (observed: its library 0.0.90): a rua's aim ends the khun's leap.
        #[default]
        FairyStockfish = "fairy-stockfish",
        /// Fairy-Stockfish 11.1, which Debian ships: the met's leap may capture.
        FairyStockfish11 = "fairy-stockfish-11",
        /// Cute Chess 1.5: the same, and a captured met goes on guarding the square two ahead.
        CuteChess = "cutechess",
        /// PyChess 1.0: the khun may leap out of check; a met may not leap once a promoted bia has moved.
        PyChess = "pychess",
        /// Wikipedia, article "Makruk": no leap in check, nor after the first capture.
        Wikipedia = "wikipedia",
    }
}

impl From<Ruleset> for Reading {
    /// The reading of a ruleset. Sources that do not describe Ouk Chaktrang have the default.
    fn from(ruleset: Ruleset) -> Self {
        match ruleset {
            Ruleset::CuteChess => Self::CuteChess,
            Ruleset::Wikipedia => Self::Wikipedia,
            _ => Self::FairyStockfish,
        }
    }
}

impl Reading {
    /// The first-move privileges of the reading.
    pub const fn privileges(self) -> Privileges {
        let plain = Privileges::SUT_KHUN.with(Privileges::MINISTER_TWO);
        match self {
            Self::FairyStockfish => plain.with(Privileges::RUA_AIM),
            Self::FairyStockfish11 => plain.with(Privileges::MET_CAPTURES),
            Self::CuteChess => plain.with(Privileges::MET_CAPTURES).with(Privileges::STALE_GUARD),
            Self::PyChess => plain.with(Privileges::OUT_OF_CHECK).with(Privileges::ANY_MET),
            Self::Wikipedia => plain.with(Privileges::NOT_IN_CHECK).with(Privileges::UNTIL_CAPTURE),
        }
    }
}
