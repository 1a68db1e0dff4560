//! The state of a count, and what changes it.

use crate::types::{Color, PieceKind};
use crate::zobrist;

/// A running count in plies, or none.
///
/// The ply that exceeds the limit draws unless it mates; under some systems the ply that reaches it does.
///
/// ```
/// use sakmak_movegen::{Color, Position};
///
/// // White takes Black's last piece. The khun counts from the three pieces left, in plies 6, to 16 moves.
/// let mut position = Position::from_fen("8/8/8/4k3/8/8/3m4/3RK3 w - - 0 60")?;
/// position.play_unchecked(position.parse_move("d1d2").expect("legal"));
/// let count = position.count();
/// assert_eq!((count.ply(), count.limit(), count.remaining()), (6, 32, Some(26)));
/// assert_eq!(position.counter(), Some(Color::Black));
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Default)]
pub struct Count {
    limit: u16,
    ply: u16,
    /// Plies left of a second count, against the other side, which ends later; 0 if there is none. Only
    /// [`CountingSystem::ChessVariants`](super::CountingSystem::ChessVariants) has one.
    second: u16,
    /// Whether reaching the limit draws.
    at_limit: bool,
    /// The side that counts, if the count belongs to one.
    owner: Option<Color>,
}

impl Count {
    /// No count is running.
    pub const NONE: Self = Self { limit: 0, ply: 0, second: 0, at_limit: false, owner: None };
    /// The count has begun but has no end: its system has no number for these pieces.
    pub const UNLIMITED: Self = Self { limit: u16::MAX, ..Self::NONE };

    /// A count that has reached `ply` of `limit` plies and draws beyond the limit. No count if the limit is 0.
    #[inline]
    pub const fn new(limit: u16, ply: u16) -> Self {
        if limit == 0 { Self::NONE } else { Self { limit, ply, ..Self::NONE } }
    }

    /// The same count at another ply.
    pub const fn at_ply(self, ply: u16) -> Self {
        Self { ply, ..self }
    }

    /// The same count. It draws at its limit or beyond it.
    #[inline]
    pub(crate) const fn drawing_at_limit(self, at_limit: bool) -> Self {
        Self { at_limit: at_limit && self.is_running() && self.limit != u16::MAX, ..self }
    }

    /// The same count with a ply of at most `max_ply`.
    pub(crate) const fn capped_at(self, max_ply: u16) -> Self {
        Self { ply: if self.ply < max_ply { self.ply } else { max_ply }, ..self }
    }

    /// The same count with `second` plies left of a second one.
    pub(crate) const fn with_second(self, second: u16) -> Self {
        Self { second, ..self }
    }

    /// The same count, counted by `owner`.
    pub(crate) const fn owned_by(self, owner: Option<Color>) -> Self {
        Self { owner, ..self }
    }

    /// The same count with colours exchanged.
    pub(crate) fn flipped(self) -> Self {
        Self { owner: self.owner.map(|owner| !owner), ..self }
    }

    /// Whether a count is running.
    #[inline]
    pub const fn is_running(self) -> bool {
        self.limit != 0
    }

    /// Whether a running count will never end.
    #[inline]
    pub const fn is_unlimited(self) -> bool {
        self.limit == u16::MAX
    }

    /// The limit in plies; 0 if no count runs.
    #[inline]
    pub const fn limit(self) -> u16 {
        self.limit
    }

    /// The plies counted so far. A count of the pieces' honour starts at two plies for each piece on the board.
    #[inline]
    pub const fn ply(self) -> u16 {
        self.ply
    }

    /// Plies left of a second count against the other side; 0 if none runs. Only under `Ruleset::ChessVariants`.
    #[inline]
    pub const fn second(self) -> u16 {
        self.second
    }

    /// The side that counts; `None` in systems whose counts belong to neither side, see
    /// [`Position::counter`](crate::Position::counter).
    #[inline]
    pub const fn owner(self) -> Option<Color> {
        self.owner
    }

    /// Plies until the limit is reached, 0 at or beyond it.
    #[inline]
    pub(crate) const fn plies_left(self) -> u16 {
        self.limit.saturating_sub(self.ply)
    }

    /// Plies left before the ply that draws; negative once the game is drawn, `None` if no count runs.
    #[inline]
    pub const fn remaining(self) -> Option<i32> {
        if self.is_running() {
            Some(self.limit as i32 - self.ply as i32 - self.at_limit as i32)
        } else {
            None
        }
    }

    /// Whether the count draws the game, unless the side to move is mated.
    #[inline]
    pub const fn is_expired(self) -> bool {
        self.ply as u32 + self.at_limit as u32 > self.limit as u32
    }

    /// The count one ply later.
    #[inline]
    pub(crate) const fn ticked(self) -> Self {
        if self.is_running() {
            let ply = if self.is_unlimited() { 0 } else { self.ply.saturating_add(1) };
            Self { ply, second: self.second.saturating_sub(1), ..self }
        } else {
            self
        }
    }

    /// The part of the count in [`Position::tt_key`](crate::Position::tt_key); 0 if no count runs.
    ///
    /// Only the owner and the plies left matter. Each of the last 48 plies has a key of its own. Before them no line
    /// of a search reaches the limit, and separate keys would only hide transpositions: sixteen neighbouring counts
    /// share a key. A search must still check that a mate from the TT fits the count. With `exact` each number up to
    /// 254 plies has its key: against a bare khun the plies left decide at any distance whether a mate comes in time.
    #[inline]
    pub fn key(self, exact: bool) -> u64 {
        let Some(remaining) = self.remaining() else { return 0 };
        let owner = self.owner.map_or(0, zobrist::count_owner);
        owner
            ^ if exact {
                zobrist::exact_count(Self::index(remaining))
            } else {
                zobrist::count(Self::bucket(remaining))
            }
    }

    /// 0 for an expired count, else one more than the plies left.
    #[inline]
    fn index(remaining: i32) -> u8 {
        (remaining + 1).clamp(0, 255) as u8
    }

    #[inline]
    fn bucket(remaining: i32) -> u8 {
        const EXACT_BELOW: i32 = 48;
        if remaining < EXACT_BELOW {
            Self::index(remaining)
        } else {
            (EXACT_BELOW + (remaining - EXACT_BELOW) / 16).min(254) as u8 + 1
        }
    }
}

/// The honour that is counted.
///
/// ```
/// use sakmak_movegen::{CountKind, Position};
///
/// let kind = |fen: &str| Position::from_fen(fen).map(|position| position.count_kind());
/// assert_eq!(kind("7k/8/8/8/8/8/4R3/4K3 b - 32 9 80"), Ok(Some(CountKind::Pieces)));
/// assert_eq!(kind("7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80"), Ok(Some(CountKind::Board)));
/// assert_eq!(kind("7k/7p/8/8/8/8/4R3/4K3 b - - 0 80"), Ok(None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountKind {
    /// Sak kradan, the board's honour: no bia left, both sides with other pieces.
    Board,
    /// Sak mak, the pieces' honour: against a bare khun.
    Pieces,
}

/// The facts of the last move that counting systems need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveFacts {
    /// The side that moved.
    pub mover: Color,
    /// What it captured.
    pub captured: Option<PieceKind>,
    /// Whether a bia became a met.
    pub promoted: bool,
}

/// How a position updates its count after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountUpdate {
    /// By the default rule, called directly: every move of the search needs it.
    Standard,
    /// By the rule of the source, if a count runs or no bia is left.
    WithoutBia,
    /// By the rule of the source, after every move.
    AmongBia,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_exact_when_little_remains_and_shared_when_much_does() {
        let key = |remaining: u16| Count::new(128, 128 - remaining).key(false);
        let mut exact: Vec<_> = (0..48).map(key).collect();
        exact.push(Count::new(128, 129).key(false));
        exact.push(0);
        exact.sort_unstable();
        exact.dedup();
        assert_eq!(exact.len(), 50);
        assert_eq!(key(48), key(63));
        assert_ne!(key(63), key(64));
        assert_ne!(key(47), key(48));
        // Only what remains matters.
        assert_eq!(Count::new(16, 6).key(false), Count::new(128, 118).key(false));
        assert_eq!(Count::new(16, 6).drawing_at_limit(true).key(false), Count::new(16, 7).key(false));
        // ... and the side that counts.
        let owned = |owner| Count::new(128, 20).owned_by(owner).key(false);
        let mut keys = vec![owned(None), owned(Some(Color::White)), owned(Some(Color::Black))];
        // Against a bare khun every ply has its key.
        keys.extend((0..=130).map(|ply| Count::new(128, ply).key(true)));
        let all = keys.len() - 1; // 129 and 130 are both expired
        keys.sort_unstable();
        keys.dedup();
        assert_eq!(keys.len(), all);
    }

    #[test]
    fn a_limit_of_zero_is_no_count() {
        assert_eq!(Count::new(0, 7), Count::NONE);
        assert_eq!(Count::NONE.remaining(), None);
        assert!(!Count::NONE.is_expired() && !Count::NONE.drawing_at_limit(true).is_expired());
        assert!(Count::new(16, 17).is_expired() && !Count::new(16, 16).is_expired());
        assert!(Count::new(16, 16).drawing_at_limit(true).is_expired());
        assert!(!Count::UNLIMITED.ticked().drawing_at_limit(true).is_expired());
    }
}
