//! When a game is over.

use core::fmt;

use crate::bitboard::Bitboard;
use crate::count::CountKind;
use crate::moves::Move;
use crate::position::Position;
use crate::rules::{Claim, CounterMate, CountingSystem, DeadMaterial, Variant};
use crate::types::{Color, PieceKind};

/// How a game ended.
///
/// ```
/// use sakmak_movegen::{Color, DrawReason, Outcome, Position};
///
/// let outcome = |fen: &str| fen.parse::<Position>().map(|position| position.outcome());
/// assert_eq!(outcome("R6k/8/6K1/8/8/8/8/8 b"), Ok(Some(Outcome::Win(Color::White))));
/// assert_eq!(outcome("7k/5K2/6M1/8/8/8/8/8 b"), Ok(Some(Outcome::Draw(DrawReason::Stalemate))));
/// assert_eq!(outcome("7k/8/8/8/8/8/4R3/4K3 b - 32 33 80"), Ok(Some(Outcome::Draw(DrawReason::PiecesHonour))));
/// assert_eq!(outcome("7k/8/8/8/8/8/4R3/4K3 b - 32 32 80"), Ok(None));
/// ```
///
/// As text an outcome is a sentence; [`Outcome::result`] is the result of score sheets.
///
/// ```
/// use sakmak_movegen::{Color, DrawReason, Outcome};
///
/// let (won, drawn) = (Outcome::Win(Color::Black), Outcome::Draw(DrawReason::Stalemate));
/// assert_eq!((won.to_string().as_str(), won.result(), won.winner()), ("black wins (checkmate)", "0-1", Some(Color::Black)));
/// assert_eq!((drawn.to_string().as_str(), drawn.result(), drawn.winner()), ("draw (stalemate)", "1/2-1/2", None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Outcome {
    /// Checkmate, won by the given side.
    Win(Color),
    /// A draw.
    Draw(DrawReason),
}

impl Outcome {
    /// The result as score sheets and PGN have it: `1-0`, `0-1` or `1/2-1/2`.
    pub const fn result(self) -> &'static str {
        match self {
            Self::Win(Color::White) => "1-0",
            Self::Win(Color::Black) => "0-1",
            Self::Draw(_) => "1/2-1/2",
        }
    }

    /// The side that won; `None` for a draw.
    pub const fn winner(self) -> Option<Color> {
        match self {
            Self::Win(color) => Some(color),
            Self::Draw(_) => None,
        }
    }
}

/// Why a game is drawn.
///
/// ```
/// use sakmak_movegen::{DrawReason, Outcome, Position};
///
/// let position = Position::from_fen("7k/8/8/8/8/8/4R3/4K3 b - 32 33 80")?;
/// let Some(Outcome::Draw(reason)) = position.outcome() else { panic!("the limit is 32 plies") };
/// assert_eq!(reason, DrawReason::PiecesHonour);
/// assert_eq!(reason.to_string(), "pieces' honour");
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum DrawReason {
    /// The side to move has no legal move and is not in check.
    Stalemate,
    /// Sak mak: the bare khun was not mated in time.
    PiecesHonour,
    /// Sak kradan: no mate in time after the last bia had gone.
    BoardHonour,
    /// Sak kradan too: the side that was counting mated, which only draws under some rules.
    CounterMated,
    /// The same position for the third time.
    Repetition,
    /// Too few pieces for either side to win.
    DeadMaterial,
    /// Fifty moves of both sides without capture or bia move.
    FiftyMoves,
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Win(color) => write!(f, "{color} wins (checkmate)"),
            Self::Draw(reason) => write!(f, "draw ({reason})"),
        }
    }
}

impl DrawReason {
    /// All reasons.
    pub const ALL: [Self; 7] = [
        Self::Stalemate,
        Self::PiecesHonour,
        Self::BoardHonour,
        Self::CounterMated,
        Self::Repetition,
        Self::DeadMaterial,
        Self::FiftyMoves,
    ];

    /// A word for files and interfaces; each reason has its own.
    ///
    /// ```
    /// use sakmak_movegen::DrawReason;
    ///
    /// assert_eq!(DrawReason::PiecesHonour.name(), "pieces-honour");
    /// let mut names = DrawReason::ALL.map(DrawReason::name).to_vec();
    /// names.sort_unstable();
    /// names.dedup();
    /// assert_eq!(names.len(), DrawReason::ALL.len());
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stalemate => "stalemate",
            Self::PiecesHonour => "pieces-honour",
            Self::BoardHonour => "board-honour",
            Self::CounterMated => "counter-mated",
            Self::Repetition => "repetition",
            Self::DeadMaterial => "dead-material",
            Self::FiftyMoves => "fifty-moves",
        }
    }
}

impl fmt::Display for DrawReason {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Stalemate => "stalemate",
            Self::PiecesHonour => "pieces' honour",
            Self::BoardHonour | Self::CounterMated => "board's honour",
            Self::Repetition => "repetition",
            Self::DeadMaterial => "dead material",
            Self::FiftyMoves => "50-move rule",
        })
    }
}

/// The squares of a1's colour.
const DARK: Bitboard = Bitboard(0xaa55_aa55_aa55_aa55);

impl Position {
    /// The outcome by the position alone: mate, stalemate, dead material or an expired count; `None` while the game
    /// goes on. A mate counts even if the count expires with it. Repetition needs the game:
    /// [`Game::outcome`](crate::Game::outcome).
    pub fn outcome(&self) -> Option<Outcome> {
        if !self.has_legal_move() {
            return Some(match self.in_check() {
                true if self.mate_is_late() => Outcome::Draw(self.expired_reason()),
                true if self.counter_mated() => Outcome::Draw(DrawReason::CounterMated),
                true => Outcome::Win(!self.side_to_move()),
                false => Outcome::Draw(DrawReason::Stalemate),
            });
        }
        if self.is_dead_by_rule() {
            return Some(Outcome::Draw(DrawReason::DeadMaterial));
        }
        if !self.count().is_expired() || self.rules().claim == Claim::Manual {
            return None;
        }
        Some(Outcome::Draw(self.expired_reason()))
    }

    /// Whether a legal move mates but only draws, unless the side to move stops its count first. Only under
    /// [`CounterMate::Draw`].
    ///
    /// ```
    /// use sakmak_movegen::{Position, Rules, Ruleset, Variant};
    ///
    /// let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
    /// let position = Position::from_fen_with("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", rules)?;
    /// let stops = |text: &str| position.parse_move(text).map(|mv| position.must_stop_count(mv));
    /// assert_eq!((stops("g3a3"), stops("g3g2")), (Ok(true), Ok(false)));
    /// # Ok::<(), sakmak_movegen::FenError>(())
    /// ```
    pub fn must_stop_count(&self, mv: Move) -> bool {
        if self.rules.counter_mate != CounterMate::Draw || self.counter() != Some(self.side) {
            return false;
        }
        self.after(mv).outcome() == Some(Outcome::Draw(DrawReason::CounterMated))
    }

    /// Whether the side to move may claim the draw of an expired count: only if draws must be claimed, and only the
    /// counter, or either side if the count belongs to neither.
    #[inline]
    pub fn may_claim_draw(&self) -> bool {
        self.count().is_expired()
            && self.rules().claim == Claim::Manual
            && self.counter().is_none_or(|counter| counter == self.side_to_move())
    }

    /// The reason of the draw by an expired count.
    pub fn expired_reason(&self) -> DrawReason {
        match self.count_kind() {
            _ if self.rules().counting == CountingSystem::FiftyMoves => DrawReason::FiftyMoves,
            Some(CountKind::Pieces) => DrawReason::PiecesHonour,
            _ => DrawReason::BoardHonour,
        }
    }

    /// Whether the rules of the game call the material dead.
    #[inline]
    pub fn is_dead_by_rule(&self) -> bool {
        self.rules().dead_material == DeadMaterial::CuteChess && self.is_dead_for_cutechess()
    }

    /// Cute Chess's sum, see [`DeadMaterial::CuteChess`].
    fn is_dead_for_cutechess(&self) -> bool {
        let met = self.kind(PieceKind::Met);
        let colours = u32::from(met.intersects(DARK)) + u32::from(met.intersects(!DARK));
        let sum: u32 = PieceKind::ALL
            .into_iter()
            .map(|kind| {
                let worth = match kind {
                    PieceKind::Met => 1,
                    PieceKind::Maa => 4,
                    _ => 9,
                };
                worth * self.kind(kind).len()
            })
            .sum();
        sum + 2 * colours < 25
    }

    /// Whether neither side can ever mate: two bare khuns, a bare khun against one maa or one bia, or any met of both
    /// sides on squares of one colour. (Two met of different colours can mate with the other side's help, and so can a
    /// khon.)
    ///
    /// Met of one colour check only a khun on that colour. The squares beside it along rank and file have the other
    /// colour, so no met attacks or occupies them, and the other khun attacks only one of them.
    ///
    /// In Makpong, where a khun cannot step out of check, every piece can mate.
    #[inline]
    pub fn is_dead(&self) -> bool {
        let big = self.kind(PieceKind::Rua) | self.kind(PieceKind::Khon);
        if !big.is_empty() {
            return false;
        }
        let pieces = self.occupied().len();
        if self.rules().variant == Variant::Makpong {
            return pieces == 2;
        }
        let met = self.kind(PieceKind::Met);
        if met.len() + 2 < pieces {
            return pieces == 3;
        }
        !met.intersects(DARK) || !met.intersects(!DARK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::attacks;
    use crate::rules::{Rules, Ruleset};
    use crate::setup::Setup;
    use crate::square::Square;
    use crate::types::Piece;

    #[test]
    fn dead_material() {
        let dead = |fen: &str| Position::from_fen(fen).unwrap().is_dead();
        for fen in [
            "4k3/8/8/8/8/8/8/4K3 w",
            "4k3/8/8/8/8/8/8/3NK3 w",
            "4k3/8/8/8/8/3P4/8/4K3 w",
            "4k3/8/8/8/8/8/8/3MK3 w",
            "4k3/8/8/8/8/2M5/8/2M1K3 w",
            "8/1k6/7M/8/K7/2m5/8/8 b",
            "8/1k6/5m1M/8/K7/2m5/3M4/8 b",
        ] {
            assert!(dead(fen), "{fen}");
        }
        for fen in [
            "4k3/8/8/8/8/8/8/3SK3 w",
            "4k3/8/8/8/8/8/8/2MMK3 w",
            "4k3/8/8/8/8/8/8/2NNK3 w",
            "4k3/8/8/8/8/3PP3/8/4K3 w",
            "3mk3/8/8/8/8/8/8/3MK3 w",
            "8/1k6/7M/8/K7/3m4/8/8 b",
            "8/1k6/7M/8/K7/4n3/8/8 b",
            "4k3/8/8/8/8/8/8/3RK3 w",
        ] {
            assert!(!dead(fen), "{fen}");
        }
        // A khon alone mates on the far side, with help.
        let mate = Position::from_fen("7k/6S1/6K1/8/8/8/8/8 b - - 0 1").unwrap();
        assert_eq!(mate.outcome(), Some(Outcome::Win(Color::White)));
    }

    /// The argument of [`Position::is_dead`]: a khun checked by met of its square's colour has a square beside it, along
    /// rank or file, that the other khun does not attack.
    #[test]
    fn met_of_one_colour_never_mate() {
        for khun in Square::all() {
            let straight = attacks::khun(khun) & !attacks::met(khun);
            assert!(
                straight.len() >= 2 && attacks::met(khun).into_iter().all(|to| is_dark(to) == is_dark(khun))
            );
            assert!(straight.into_iter().all(|to| is_dark(to) != is_dark(khun)));
            let others = Square::all().filter(|&other| other != khun && !attacks::khun(khun).contains(other));
            for other in others {
                assert!((straight & attacks::khun(other)).len() <= 1, "{khun} {other}");
            }
        }
        // Random positions of two met.
        let mut positions = 0;
        for number in 0..if cfg!(miri) { 1 } else { 200_000 } {
            let random = crate::splitmix64(number);
            let square = |at: u32| Square::from_index((random >> (6 * at)) as usize & 63);
            let (met, other) = (square(2), square(3));
            let setup = Setup::empty()
                .piece(square(0), Piece::new(Color::White, PieceKind::Khun))
                .piece(square(1), Piece::new(Color::Black, PieceKind::Khun))
                .piece(met, Piece::new(Color::White, PieceKind::Met))
                .piece(
                    other,
                    Piece::new(
                        if random >> 60 & 1 == 0 { Color::White } else { Color::Black },
                        PieceKind::Met,
                    ),
                );
            let Ok(position) = setup.build(Rules::default()) else { continue };
            if position.is_dead() {
                positions += 1;
                assert!(!matches!(position.outcome(), Some(Outcome::Win(_))), "{position}");
            }
        }
        assert!(cfg!(miri) || positions > 50_000, "{positions}");
    }

    fn is_dark(square: Square) -> bool {
        DARK.contains(square)
    }

    /// A maa alone mates: the khun may not step out of its check.
    #[test]
    fn in_makpong_every_piece_mates() {
        let rules = Rules::new(Variant::Makpong, Ruleset::default());
        for fen in ["8/8/8/8/8/1N6/8/k6K b", "8/8/8/8/8/2K5/1M6/k7 b", "8/8/8/8/k7/1P6/2K5/8 b"] {
            let mate = Position::from_fen_with(fen, rules).unwrap();
            assert_eq!((mate.outcome(), mate.is_dead()), (Some(Outcome::Win(Color::White)), false), "{fen}");
        }
        assert!(Position::from_fen_with("4k3/8/8/8/8/8/8/4K3 w", rules).unwrap().is_dead());
    }
}
