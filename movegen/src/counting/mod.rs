//! The count: after how many moves without mate a game is drawn.
//!
//! Makruk draws a game when the stronger side takes too long to mate. The *board's honour* count
//! (sak kradan) starts when no bia is left, the *pieces' honour* count (sak mak) when one side has
//! only its khun. Sources disagree on the details, so each system is a module of its own behind
//! [`CountingSystem`]; a position carries its [`Count`] and its system.

mod fairy;

use std::fmt;

use crate::position::Position;
use crate::types::{Color, PieceKind};
use crate::zobrist;

/// A running count in plies (moves of one side), or none.
///
/// The game is drawn once `ply` exceeds `limit`, unless the move that got there mates.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Count {
    limit: u16,
    ply: u16,
}

impl Count {
    /// No count is running.
    pub const NONE: Self = Self { limit: 0, ply: 0 };

    /// A count that has reached `ply` of `limit` plies; a limit of 0 means that none is running.
    #[inline]
    pub const fn new(limit: u16, ply: u16) -> Self {
        if limit == 0 { Self::NONE } else { Self { limit, ply } }
    }

    /// Whether a count is running.
    #[inline]
    pub const fn is_running(self) -> bool {
        self.limit != 0
    }

    /// The number of plies the count may reach; 0 if none is running.
    #[inline]
    pub const fn limit(self) -> u16 {
        self.limit
    }

    /// The plies counted so far, those the men on the board were worth at the start included.
    #[inline]
    pub const fn ply(self) -> u16 {
        self.ply
    }

    /// Plies that can still be made before the next one draws; `None` if no count is running.
    /// Negative once the limit is exceeded.
    #[inline]
    pub const fn remaining(self) -> Option<i32> {
        if self.is_running() { Some(self.limit as i32 - self.ply as i32) } else { None }
    }

    /// Whether the game is drawn, the side to move not being mated.
    #[inline]
    pub const fn is_expired(self) -> bool {
        self.ply > self.limit
    }

    /// The count one ply later.
    #[inline]
    const fn ticked(self) -> Self {
        if self.is_running() { Self { limit: self.limit, ply: self.ply.saturating_add(1) } } else { self }
    }

    /// What a transposition table should mix into [`Position::key`] (by exclusive or) to keep apart
    /// positions whose counts make a difference; 0 if no count is running.
    ///
    /// The future depends on the count only through the plies that remain. While few remain, every
    /// one matters and has a key of its own. While many remain, no line of a search reaches the limit
    /// and separate keys would only hide transpositions, so then sixteen neighbouring counts share one;
    /// a search must still check that a mate taken from the table fits the count at hand.
    #[inline]
    pub fn key(self) -> u64 {
        match self.remaining() {
            None => 0,
            Some(remaining) => zobrist::count(Self::bucket(remaining)),
        }
    }

    #[inline]
    fn bucket(remaining: i32) -> u8 {
        const EXACT_BELOW: i32 = 48;
        if remaining < EXACT_BELOW {
            (remaining + 1).max(0) as u8
        } else {
            (EXACT_BELOW + (remaining - EXACT_BELOW) / 16).min(254) as u8 + 1
        }
    }
}

/// What a system needs to know of the move just made.
#[derive(Clone, Copy, Debug)]
pub struct MoveFacts {
    /// The side that moved.
    pub mover: Color,
    /// What it captured.
    pub captured: Option<PieceKind>,
    /// Whether a bia became a met.
    pub promoted: bool,
}

/// The rules of one source, as a count after each move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub enum CountingSystem {
    /// The rules as Fairy-Stockfish plays them, ply for ply.
    #[default]
    FairyStockfish,
    /// Nothing is ever counted.
    Off,
}

/// What every counting system has to answer: the count after a move. Called only when no bia is left
/// or a count is already running.
trait CountingRule {
    /// The count once `facts` has happened and `position` stands, given the count `before` it.
    fn after_move(position: &Position, before: Count, facts: MoveFacts) -> Count;
}

struct Off;

impl CountingRule for Off {
    fn after_move(_: &Position, before: Count, _: MoveFacts) -> Count {
        before
    }
}

impl CountingSystem {
    /// The count after a move, `position` being the one the move led to.
    #[inline]
    pub(crate) fn after_move(self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        match self {
            Self::FairyStockfish => fairy::FairyStockfish::after_move(position, before, facts),
            Self::Off => Off::after_move(position, before, facts),
        }
    }
}

/// Which honour is being counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    /// Sak kradan, the board's honour: no bia left, both sides with other men.
    Board,
    /// Sak mak, the pieces' honour: a bare khun is being hunted.
    Pieces,
}

/// The count of a position in the terms players use. Its `Display` is one line such as
/// `pieces 5/16, white may make 12 more moves`, or `none`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SpokenCount(Option<Spoken>);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Spoken {
    kind: CountKind,
    /// The number last spoken, in moves.
    number: u16,
    /// The number at which the game is drawn, in moves.
    limit: u16,
    /// Who has to mate (for the board's honour: the side to move) and in how many more moves.
    hunter: Color,
    moves_left: u16,
}

impl SpokenCount {
    /// The count of `position` in words.
    pub fn of(position: &Position) -> Self {
        let count = position.count();
        if !count.is_running() {
            return Self(None);
        }
        let side = position.side_to_move();
        let bare = Color::ALL.into_iter().find(|&color| position.is_bare(color));
        let (kind, hunter) = match bare {
            Some(color) if position.kind(PieceKind::Bia).is_empty() => (CountKind::Pieces, !color),
            _ => (CountKind::Board, side),
        };
        let left = count.limit.saturating_sub(count.ply);
        let moves_left = if hunter == side { left.div_ceil(2) } else { left / 2 };
        Self(Some(Spoken { kind, number: count.ply.div_ceil(2), limit: count.limit / 2, hunter, moves_left }))
    }

    /// Which honour is being counted, if any.
    pub fn kind(self) -> Option<CountKind> {
        self.0.map(|spoken| spoken.kind)
    }
}

impl fmt::Display for SpokenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Spoken { kind, number, limit, hunter, moves_left }) = self.0 else {
            return f.write_str("none");
        };
        let kind = match kind {
            CountKind::Board => "board",
            CountKind::Pieces => "pieces",
        };
        write!(f, "{kind} {number}/{limit}, {hunter} may make {moves_left} more moves")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_exact_when_little_remains_and_shared_when_much_does() {
        let key = |remaining: u16| Count::new(128, 128 - remaining).key();
        let mut exact: Vec<_> = (0..48).map(key).collect();
        exact.push(Count::new(128, 129).key());
        exact.push(0);
        exact.sort_unstable();
        exact.dedup();
        assert_eq!(exact.len(), 50);
        assert_eq!(key(48), key(63));
        assert_ne!(key(63), key(64));
        assert_ne!(key(47), key(48));
        // Only what remains matters.
        assert_eq!(Count::new(16, 6).key(), Count::new(128, 118).key());
    }

    #[test]
    fn a_limit_of_zero_is_no_count() {
        assert_eq!(Count::new(0, 7), Count::NONE);
        assert_eq!(Count::NONE.remaining(), None);
        assert!(!Count::NONE.is_expired());
        assert!(Count::new(16, 17).is_expired() && !Count::new(16, 16).is_expired());
    }

    #[test]
    fn off_never_counts() {
        let mut position = Position::from_fen("3k4/2m5/5M2/4M3/3KS3/8/8/8 w - - 5 33").unwrap();
        position.set_counting_system(CountingSystem::Off);
        position.make(position.parse_move("d4d5").unwrap());
        assert_eq!(position.count(), Count::NONE);
    }

    #[test]
    fn the_count_in_words() {
        let say = |fen: &str| SpokenCount::of(&Position::from_fen(fen).unwrap()).to_string();
        assert_eq!(say("8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80"), "pieces 5/16, white may make 12 more moves");
        assert_eq!(say("8/8/4k3/8/3S4/8/2R1K3/8 b - 32 8 80"), "pieces 4/16, white may make 12 more moves");
        assert_eq!(
            say("3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128 2 33"),
            "board 1/64, white may make 63 more moves"
        );
        assert_eq!(say("3k4/2m5/5M2/4M3/3KS3/8/8/8 w - - 5 33"), "none");
    }
}
