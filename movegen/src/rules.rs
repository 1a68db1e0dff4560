//! The rules of a game: the variant, and the parts on which the sources of Makruk disagree.
//!
//! A [`Ruleset`] names a source. [`Rules::new`] returns its parts, and each part can be changed: as a field, or by name
//! with [`Rules::with_parts`]. What the sources other than the default need is in the module `historical`.

mod parts;
mod sources;

use alloc::string::String;
use core::fmt;
use core::ops::BitOr;

pub use parts::{RulePartError, RuleParts};
pub use sources::{CountingSystem, Reading};

use crate::bitboard::Bitboard;
use crate::square::{File, Rank};
use crate::types::{Color, PieceKind};

/// The error for a name that an enumeration does not have.
///
/// ```
/// use sakmak_movegen::Variant;
///
/// let error = "chess".parse::<Variant>().unwrap_err();
/// assert!(error.to_string().starts_with("'chess' is no "));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{text}' is no {what}; there are {names}")]
pub struct UnknownName {
    what: &'static str,
    text: String,
    names: String,
}

/// Defines an enumeration whose values have names for options, files and users.
macro_rules! named {
    ($(#[$doc:meta])* $type:ident, $what:literal { $($(#[$value_doc:meta])* $value:ident = $name:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
        #[repr(u8)]
        #[non_exhaustive]
        pub enum $type { $($(#[$value_doc])* $value,)* }

        impl $type {
            /// All values.
            pub const ALL: &[Self] = &[$(Self::$value),*];
            /// The names of all values, in the same order.
            pub const NAMES: &[&str] = &[$($name),*];

            /// The name by which the value is chosen.
            pub const fn name(self) -> &'static str {
                Self::NAMES[self as usize]
            }
        }

        impl ::core::fmt::Display for $type {
            fn fmt(&self, f: &mut ::core::fmt::Formatter<'_>) -> ::core::fmt::Result {
                f.write_str(self.name())
            }
        }

        impl ::core::str::FromStr for $type {
            type Err = $crate::rules::UnknownName;

            /// Reads a name; capitals do not matter.
            fn from_str(text: &str) -> Result<Self, Self::Err> {
                let index = Self::NAMES.iter().position(|name| name.eq_ignore_ascii_case(text));
                index.map(|index| Self::ALL[index]).ok_or_else(|| {
                    $crate::rules::UnknownName::new($what, text, Self::NAMES)
                })
            }
        }
    };
}
pub(crate) use named;

impl UnknownName {
    pub(crate) fn new(what: &'static str, text: &str, names: &[&str]) -> Self {
        Self { what, text: crate::clip(text), names: names.join(", ") }
    }
}

named! {
    /// The game.
    Variant, "variant" {
        /// Thai chess.
        #[default]
        Makruk = "makruk",
        /// Ouk Chaktrang, the Cambodian game: khun and met may leap on their first move, and the count differs.
        Cambodian = "cambodian",
        /// Thai chess in which a khun in check may only capture the checker, not step aside.
        Makpong = "makpong",
    }
}

named! {
    /// A source of rules.
    Ruleset, "ruleset" {
        /// As Fairy-Stockfish plays.
        #[default]
        FairyStockfish = "fairy-stockfish",
        /// As Cute Chess referees.
        CuteChess = "cutechess",
        /// The SchemingMind game site.
        SchemingMind = "schemingmind",
        /// Wikipedia's article.
        Wikipedia = "wikipedia",
        /// The Cyningstan game site.
        Cyningstan = "cyningstan",
        /// Knowlton's booklet.
        Knowlton = "knowlton",
        /// The Chess Variant Pages.
        ChessVariants = "chessvariants",
        /// Only mate and stalemate end a game.
        None = "none",
    }
}

named! {
    /// The arrangement of the pieces at the start.
    ///
    /// ```
    /// use sakmak_movegen::rules::StartArray;
    /// use sakmak_movegen::{Color, Position, Rules};
    ///
    /// let mut rules = Rules::default();
    /// rules.setup.array = "mirrored".parse()?;
    /// let position = Position::start(rules);
    /// assert_eq!(position.khun(Color::White).file(), position.khun(Color::Black).file());
    /// assert_eq!(StartArray::NAMES, ["standard", "mirrored"]);
    /// # Ok::<(), sakmak_movegen::rules::UnknownName>(())
    /// ```
    StartArray, "start array" {
        /// Each met stands on the right of its khun: the khuns do not face each other.
        #[default]
        Standard = "standard",
        /// The khuns face each other on the e-file.
        Mirrored = "mirrored",
    }
}

named! {
    /// Whether repetition draws.
    Repetition, "repetition rule" {
        /// Its third occurrence is a draw.
        #[default]
        Threefold = "threefold",
        /// Repetition does not draw.
        None = "none",
    }
}

named! {
    /// Which material is too little to play on.
    ///
    /// ```
    /// use sakmak_movegen::rules::{DeadMaterial, PlayRules};
    /// use sakmak_movegen::{DrawReason, Outcome, Position};
    ///
    /// let rules = PlayRules { dead_material: DeadMaterial::CuteChess, ..PlayRules::default() };
    /// let position = Position::from_fen_with("4k3/8/8/8/8/8/8/4KN2 w", rules)?;
    /// assert_eq!(position.outcome(), Some(Outcome::Draw(DrawReason::DeadMaterial)));
    /// # Ok::<(), sakmak_movegen::FenError>(())
    /// ```
    DeadMaterial, "dead-material rule" {
        /// No such rule.
        #[default]
        None = "none",
        /// Cute Chess's sum over both sides is below 25: 9 for each khun, khon, bia and rua, 4 for a maa, 1 for a met
        /// and 2 for each square colour with a met on it.
        CuteChess = "cutechess",
    }
}

named! {
    /// On which move an exhausted count draws.
    ///
    /// ```
    /// use sakmak_movegen::Position;
    /// use sakmak_movegen::rules::{DrawInstant, PlayRules};
    ///
    /// let at_the_limit = |draw_instant| {
    ///     let rules = PlayRules { draw_instant, ..PlayRules::default() };
    ///     Position::from_fen_with("7k/8/8/8/8/8/4R3/4K3 b - 32 32 80", rules).map(|p| p.outcome().is_some())
    /// };
    /// assert_eq!(at_the_limit(DrawInstant::LastMove), Ok(true));
    /// assert_eq!(at_the_limit(DrawInstant::Announcement), Ok(false));
    /// ```
    DrawInstant, "draw instant" {
        /// As the counting system has it.
        #[default]
        System = "ruleset",
        /// The move that reaches the limit, unless it mates.
        LastMove = "last-move",
        /// The move after it: the counter announces the limit.
        Announcement = "announcement",
    }
}

named! {
    /// Whether an exhausted count draws by itself or must be claimed.
    ///
    /// ```
    /// use sakmak_movegen::rules::{Claim, PlayRules};
    /// use sakmak_movegen::{Outcome, Position};
    ///
    /// let rules = PlayRules { claim: Claim::Manual, ..PlayRules::default() };
    /// let fen = "7k/8/8/8/8/8/4R3/4K3 b - 32 33 80";
    /// let position = Position::from_fen_with(fen, rules)?;
    /// assert!(position.outcome().is_none() && position.may_claim_draw());
    /// assert!(matches!(Position::from_fen(fen)?.outcome(), Some(Outcome::Draw(_))));
    /// # Ok::<(), sakmak_movegen::FenError>(())
    /// ```
    Claim, "way to claim" {
        /// The game ends at once.
        #[default]
        Automatic = "automatic",
        /// The counter may claim the draw on its turn. Until then play goes on.
        Manual = "manual",
    }
}

named! {
    /// The value of a mate by the side that counts and has not stopped its count.
    ///
    /// Only the board's honour is concerned: a bare khun cannot mate.
    ///
    /// ```
    /// use sakmak_movegen::rules::CounterMate;
    /// use sakmak_movegen::{Color, DrawReason, Game, Outcome, Rules, Ruleset, Variant};
    ///
    /// let wikipedia = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
    /// assert_eq!(wikipedia.play.counter_mate, CounterMate::Draw);
    /// // Black counts and mates.
    /// let mut game = Game::from_fen("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", wikipedia)?;
    /// let mut stopped = game.clone();
    /// game.play_uci("g3a3")?;
    /// assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::CounterMated)));
    /// stopped.stop_count()?;
    /// stopped.play_uci("g3a3")?;
    /// assert_eq!(stopped.outcome(), Some(Outcome::Win(Color::Black)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    CounterMate, "value of the counter's mate" {
        /// It wins.
        #[default]
        Win = "win",
        /// It draws.
        Draw = "draw",
    }
}

named! {
    /// The handicap takhaeng ruea: which boats start upside down, as promoted bia.
    ///
    /// ```
    /// use sakmak_movegen::Rules;
    /// use sakmak_movegen::rules::Boats;
    ///
    /// let mut rules = Rules::default();
    /// rules.setup.boats = [Boats::A, Boats::None];
    /// assert!(rules.start_fen().contains("/M~NSKMSNR w"));
    /// ```
    Boats, "choice of boats" {
        /// None.
        #[default]
        None = "none",
        /// The one on the a-file.
        A = "a",
        /// The one on the h-file.
        H = "h",
        /// Both.
        Both = "both",
    }
}

/// The ply since which the board's honour is counted, as in Fairy-Stockfish's library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct CountStarted(pub i32);

impl CountStarted {
    /// Counting begins by itself.
    pub const AUTOMATIC: Self = Self(0);
    /// The board's honour is not counted.
    pub const OFF: Self = Self(-1);

    /// Plies counted by hand at ply `game_ply`; `None` if counting runs by itself.
    pub(crate) fn plies(self, game_ply: u32) -> Option<u16> {
        match self.0 {
            0 => None,
            ..0 => Some(0),
            began => Some((1 + i64::from(game_ply) - i64::from(began)).clamp(0, i64::from(u16::MAX)) as u16),
        }
    }

    /// The side that counts by hand: the side that had the move when counting began.
    pub(crate) fn counter(self) -> Color {
        if self.0 % 2 == 0 { Color::Black } else { Color::White }
    }

    /// Whether counting by hand has begun by ply `game_ply`.
    pub(crate) fn is_on(self, game_ply: u32) -> bool {
        self.0 >= 0 && i64::from(self.0) <= i64::from(game_ply) + 1
    }
}

/// A set of first-move privileges: special moves of pieces that have not moved yet.
///
/// ```
/// use sakmak_movegen::rules::Privileges;
/// use sakmak_movegen::{Position, Rules};
///
/// let mut rules = Rules::default();
/// rules.play.privileges = Privileges::SUT_KHUN | Privileges::MINISTER_TWO;
/// assert!(rules.play.privileges.contains(Privileges::SUT_KHUN));
/// // The khun may leap to b2 and f2, the met to e3 once its bia has left.
/// assert_eq!(Position::start(rules).legal_moves().len(), 25);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Privileges(u16);

impl Privileges {
    /// None.
    pub const NONE: Self = Self(0);
    /// Sut Khun: unless in check, the khun leaps like a maa to an empty square of the next rank.
    pub const SUT_KHUN: Self = Self(1);
    /// Sut Met: the bia in front of the met steps ahead and the met takes its place, in one move.
    pub const SUT_MET: Self = Self(2);
    /// Sut Ma: a bia a maa's leap away steps ahead and the maa takes its place, in one move.
    pub const SUT_MA: Self = Self(4);
    /// The khun's first move may be any maa's leap to an empty square, even out of check.
    pub const LORD_HORSE: Self = Self(8);
    /// The met's first move may be two squares straight ahead to an empty square.
    pub const MINISTER_TWO: Self = Self(16);
    /// A khun's privilege ends when an enemy rua moves onto its rank or file.
    pub const RUA_AIM: Self = Self(32);
    /// All privileges end after a player's first move of the game.
    pub const FIRST_TURN_ONLY: Self = Self(64);
    /// Street play: unless in check, the khun's first move may be any maa's leap to an empty square.
    pub const STREET_KHUN: Self = Self(128);
    /// The leap of [`Self::MINISTER_TWO`] may capture: an unmoved met guards the square two ahead.
    pub const MET_CAPTURES: Self = Self(256);
    /// An unmoved met that was captured still guards the square two ahead until a piece of its own side steps on its
    /// square. Needs [`Self::MET_CAPTURES`]. Source: Cute Chess.
    pub const STALE_GUARD: Self = Self(512);
    /// The first capture of the game ends all privileges of both sides.
    pub const UNTIL_CAPTURE: Self = Self(1024);
    /// No special first moves in check.
    pub const NOT_IN_CHECK: Self = Self(2048);
    /// A move of any met ends the met's privilege of its side. Source: PyChess.
    pub const ANY_MET: Self = Self(4096);
    /// The leap of [`Self::SUT_KHUN`] is allowed in check too. Source: PyChess.
    pub const OUT_OF_CHECK: Self = Self(8192);
    /// The khun's leap in Ouk Chaktrang. Source: current Fairy-Stockfish.
    pub const OUK_KHUN: Self = Self(Self::SUT_KHUN.0 | Self::RUA_AIM.0);
    /// All privileges that occur in a reading of Ouk Chaktrang.
    pub(crate) const OUK: Self = Self(
        Self::OUK_KHUN.0
            | Self::MINISTER_TWO.0
            | Self::MET_CAPTURES.0
            | Self::STALE_GUARD.0
            | Self::UNTIL_CAPTURE.0
            | Self::NOT_IN_CHECK.0
            | Self::ANY_MET.0
            | Self::OUT_OF_CHECK.0,
    );

    /// Whether the set has all of `other`.
    #[inline]
    pub const fn contains(self, other: Self) -> bool {
        self.0 & other.0 == other.0
    }

    /// The union with `other`.
    pub const fn with(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// The set without `other`.
    pub const fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }

    /// Whether the set has a privilege of pieces of this kind.
    pub const fn concern(self, kind: PieceKind) -> bool {
        let of_kind = match kind {
            PieceKind::Khun => Self::SUT_KHUN.0 | Self::LORD_HORSE.0 | Self::STREET_KHUN.0,
            PieceKind::Met => Self::SUT_MET.0 | Self::MINISTER_TWO.0,
            PieceKind::Maa => Self::SUT_MA.0,
            _ => 0,
        };
        self.0 & of_kind != 0
    }
}

impl BitOr for Privileges {
    type Output = Self;

    fn bitor(self, other: Self) -> Self {
        self.with(other)
    }
}

/// The rules of a game, part by part: those of the start position and those of play.
///
/// ```
/// use sakmak_movegen::rules::{PlayRules, Repetition};
/// use sakmak_movegen::{Game, Position, Rules, Ruleset, Variant};
///
/// let wikipedia = Rules::new(Variant::Makruk, "wikipedia".parse()?);
/// let play = PlayRules { repetition: Repetition::Threefold, ..wikipedia.play };
/// let rules = Rules { play, ..wikipedia };
/// assert_eq!(Position::start(rules).to_string(), rules.start_fen());
/// assert_eq!(Game::new(rules).rules().repetition, Repetition::Threefold);
/// # Ok::<(), sakmak_movegen::rules::UnknownName>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Rules {
    /// The source and the start position.
    pub setup: SetupRules,
    /// What holds once the game has begun.
    pub play: PlayRules,
}

/// The parts of [`Rules`] that a position does not need: the source and the start position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct SetupRules {
    /// The source of the parts, before any was changed.
    pub ruleset: Ruleset,
    /// How the pieces stand at the start.
    pub array: StartArray,
    /// Boats that start upside down: White's, Black's.
    pub boats: [Boats; 2],
}

/// The parts of [`Rules`] that a [`Position`](crate::Position) carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct PlayRules {
    /// The game.
    pub variant: Variant,
    /// How moves are counted.
    pub counting: CountingSystem,
    /// On which move an exhausted count draws.
    pub draw_instant: DrawInstant,
    /// Whether the draw must be claimed.
    pub claim: Claim,
    /// The value of a mate by the side that counts.
    pub counter_mate: CounterMate,
    /// Whether repetition draws.
    pub repetition: Repetition,
    /// Which material is too little to play on.
    pub dead_material: DeadMaterial,
    /// Special first moves.
    pub privileges: Privileges,
    /// Counting by hand. Starting or stopping a count changes it during a game.
    pub count_started: CountStarted,
}

impl From<Rules> for PlayRules {
    fn from(rules: Rules) -> Self {
        rules.play
    }
}

impl Rules {
    /// The rules of a source. A rule that the source does not mention does not hold: no written source has a draw by
    /// repetition.
    pub fn new(variant: Variant, ruleset: Ruleset) -> Self {
        let mut setup = SetupRules { ruleset, ..SetupRules::default() };
        let mut play = PlayRules { variant, counting: ruleset.into(), ..PlayRules::default() };
        if ruleset != Ruleset::FairyStockfish {
            play.repetition = Repetition::None;
        }
        let is_cambodian = variant == Variant::Cambodian;
        if is_cambodian {
            play.privileges = Reading::from(ruleset).privileges();
        }
        match ruleset {
            Ruleset::CuteChess => play.dead_material = DeadMaterial::CuteChess,
            Ruleset::Wikipedia => play.counter_mate = CounterMate::Draw,
            Ruleset::Cyningstan if !is_cambodian => {
                play.privileges = Privileges::LORD_HORSE | Privileges::MINISTER_TWO;
            }
            Ruleset::ChessVariants if !is_cambodian => setup.array = StartArray::Mirrored,
            _ => {}
        }
        Self { setup, play }
    }

    /// The squares of the boats of `color` that start upside down.
    pub(crate) fn upturned_boats(&self, color: Color) -> Bitboard {
        let files = match self.setup.boats[color.index()] {
            Boats::None => Bitboard::EMPTY,
            Boats::A => Bitboard::file(File::A),
            Boats::H => Bitboard::file(File::H),
            Boats::Both => Bitboard::file(File::A) | Bitboard::file(File::H),
        };
        files & Bitboard::rank(Rank::First.relative(color))
    }
}

impl fmt::Display for Rules {
    /// The variant and the ruleset.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({})", self.play.variant, self.setup.ruleset)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_as_they_are_written() {
        for &ruleset in Ruleset::ALL {
            assert_eq!(ruleset.name().to_uppercase().parse(), Ok(ruleset));
        }
        let error = "chess".parse::<Variant>().unwrap_err();
        assert_eq!(error.to_string(), "'chess' is no variant; there are makruk, cambodian, makpong");
        assert_eq!(Boats::Both.to_string(), "both");
    }

    #[test]
    fn start_positions() {
        let fen = |variant, ruleset| Rules::new(variant, ruleset).start_fen();
        const BOARD: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w";
        assert_eq!(fen(Variant::Makruk, Ruleset::FairyStockfish), format!("{BOARD} - - 0 1"));
        assert_eq!(fen(Variant::Makruk, Ruleset::CuteChess), format!("{BOARD} - 0 0 1"));
        assert_eq!(fen(Variant::Makruk, Ruleset::Cyningstan), format!("{BOARD} DEde - 0 1"));
        assert_eq!(fen(Variant::Cambodian, Ruleset::FairyStockfish), format!("{BOARD} DEde - 0 1"));
        assert_eq!(
            fen(Variant::Makruk, Ruleset::ChessVariants),
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1"
        );
        let parts = "TakhaengRueaWhite=a TakhaengRueaBlack=both SutMa=on SutMet=on";
        let handicap = Rules::default().with_parts(parts).unwrap();
        assert_eq!(handicap.start_fen(), "m~nsmksnm~/8/pppppppp/8/8/PPPPPPPP/8/M~NSKMSNR w BEGbdg - 0 1");
    }

    #[test]
    fn counting_by_hand_has_a_beginning() {
        assert_eq!(CountStarted::AUTOMATIC.plies(64), None);
        assert_eq!(CountStarted::OFF.plies(64), Some(0));
        assert_eq!(CountStarted(58).plies(65), Some(8));
        assert_eq!(CountStarted(100).plies(65), Some(0));
        assert!(CountStarted(66).is_on(65) && !CountStarted(67).is_on(65) && !CountStarted::OFF.is_on(65));
    }
}
