//! The count: after how many moves without mate a game is drawn.
//!
//! Makruk draws a game when the stronger side takes too long to mate. The *board's honour* count
//! (sak kradan) starts when no bia is left, the *pieces' honour* count (sak mak) when one side has
//! only its khun. Sources disagree on the details, so each system is a module of its own behind
//! one small interface; a position carries its [`Count`] and, in its rules, its [`CountingSystem`].

mod chessvariants;
mod cutechess;
mod cyningstan;
mod fairy;
mod honour;
mod knowlton;
mod schemingmind;
mod spoken;
mod wikipedia;

pub use honour::usual_limit;
pub use spoken::SpokenCount;

use crate::moves::Move;
use crate::outcome::{DrawReason, Outcome};
use crate::position::Position;
use crate::rules::{Claim, CompiledRules, CountStarted, CounterMate, DrawInstant, Variant, named};
use crate::types::{Color, PieceKind};
use crate::zobrist;

/// A running count in plies (moves of one side), or none.
///
/// The game is drawn by the ply that exceeds `limit`, or under some systems by the ply that reaches it,
/// unless that ply mates.
///
/// ```
/// use sakmak_movegen::{Color, Position};
///
/// // The last piece of Black is taken: its khun counts, from the three pieces left, to 16 moves.
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
    /// Plies left of a second count, against the other side, that cannot decide any more because the
    /// first ends sooner; 0 if there is none. Only one system has it.
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

    /// A count that has reached `ply` of `limit` plies and draws beyond it; a limit of 0 means that none
    /// is running.
    #[inline]
    pub const fn new(limit: u16, ply: u16) -> Self {
        if limit == 0 { Self::NONE } else { Self { limit, ply, ..Self::NONE } }
    }

    /// The same count, if it had reached `ply` plies.
    pub const fn at_ply(self, ply: u16) -> Self {
        Self { ply, ..self }
    }

    /// The same count, drawing at its limit already or only beyond it.
    #[inline]
    pub(crate) const fn drawing_at_limit(self, at_limit: bool) -> Self {
        Self { at_limit: at_limit && self.is_running() && self.limit != u16::MAX, ..self }
    }

    /// The same count with its ply cut to `max_ply`: if the limit is already exceeded when the count starts, the
    /// move that started it may still mate.
    pub(crate) const fn capped_at(self, max_ply: u16) -> Self {
        Self { ply: if self.ply < max_ply { self.ply } else { max_ply }, ..self }
    }

    /// The same count with so many plies left of a second one.
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

    /// The number of plies the count may reach; 0 if none is running.
    #[inline]
    pub const fn limit(self) -> u16 {
        self.limit
    }

    /// The plies counted so far, those the pieces on the board were worth at the start included.
    #[inline]
    pub const fn ply(self) -> u16 {
        self.ply
    }

    /// Plies left of a second count against the other side (`Ruleset::ChessVariants` only), 0 if none runs.
    #[inline]
    pub const fn second(self) -> u16 {
        self.second
    }

    /// The side that counts and gains by the draw; `None` in systems whose count belongs to neither side, see
    /// [`Position::counter`].
    #[inline]
    pub const fn owner(self) -> Option<Color> {
        self.owner
    }

    /// Plies until the limit is reached, 0 at or beyond it.
    #[inline]
    pub(crate) const fn plies_left(self) -> u16 {
        self.limit.saturating_sub(self.ply)
    }

    /// Plies that can still be made before the next one draws; `None` if no count is running.
    /// Negative once the game is drawn.
    #[inline]
    pub const fn remaining(self) -> Option<i32> {
        if self.is_running() {
            Some(self.limit as i32 - self.ply as i32 - self.at_limit as i32)
        } else {
            None
        }
    }

    /// Whether the game is drawn, the side to move not being mated.
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

    /// What a transposition table should mix into [`Position::key`] (by exclusive or) to keep apart
    /// positions whose counts make a difference; 0 if no count is running.
    ///
    /// The future depends on the count only through its owner and the plies that remain. While few remain,
    /// every one matters and has a key of its own. While many remain, no line of a search reaches the limit
    /// and separate keys would only hide transpositions, so then sixteen neighbouring counts share one; a
    /// search must still check that a mate taken from the table fits the current count. `exact` gives each
    /// number a key of its own up to 254 plies: against a bare khun, where the plies left decide at any
    /// distance whether a mate comes in time.
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

    /// 0 for an expired count, else one more than the plies that remain.
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

/// The facts of the move just made that counting systems need.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MoveFacts {
    /// The side that moved.
    pub mover: Color,
    /// What it captured.
    pub captured: Option<PieceKind>,
    /// Whether a bia became a met.
    pub promoted: bool,
}

/// How a position brings its count up to date after a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum CountUpdate {
    /// The default rules: called directly, since every move of the search needs them.
    Standard,
    /// By the [`CountingRule`], if a count runs or no bia is left.
    WithoutBia,
    /// By the [`CountingRule`], after every move.
    AmongBia,
}

/// Which honour is being counted.
///
/// ```
/// use sakmak_movegen::{CountKind, Position};
///
/// let kind = |fen: &str| Position::from_fen(fen).map(|position| position.count_kind());
/// assert_eq!(kind("7k/8/8/8/8/8/4R3/4K3 b - 32 9 80"), Ok(Some(CountKind::Pieces)));
/// assert_eq!(kind("7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80"), Ok(Some(CountKind::Board)));
/// assert_eq!(kind("7k/7p/8/8/8/8/4R3/4K3 b - - 0 80"), Ok(None));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CountKind {
    /// Sak kradan, the board's honour: no bia left, both sides with other pieces.
    Board,
    /// Sak mak, the pieces' honour: against a bare khun.
    Pieces,
}

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

/// The interface of a counting system.
trait CountingRule {
    /// The count once `facts` has happened and `position` stands, given the count `before` it: when one
    /// starts, with what number and limit, and what a capture or promotion does to it.
    ///
    /// While bia stand and no count runs only systems that count among bia are called.
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count;

    /// The count of a position set up without one.
    fn at_setup(&self, _: &Position) -> Count {
        Count::NONE
    }

    /// Whether a count can start while bia stand.
    fn counts_among_bia(&self) -> bool {
        false
    }

    /// Whether the ply that reaches the limit draws, or only the one after it.
    fn draws_at_limit(&self, _: CountKind) -> bool {
        false
    }

    /// Which count runs, should one run.
    fn kind(&self, position: &Position) -> CountKind {
        if position.kind(PieceKind::Bia).is_empty() {
            honour::kind_by_bare_khun(position)
        } else {
            CountKind::Board
        }
    }

    /// The side that counts in a FEN, which gives only numbers; `None` if counts belong to neither side.
    fn owner_in_fen(&self, _: &Position, _: Count) -> Option<Color> {
        None
    }

    /// The number the counter spoke last, in moves.
    fn spoken(&self, count: Count, _: CountKind) -> u16 {
        count.ply.div_ceil(2)
    }

    /// Whether the counter may stop counting, and begin anew later.
    fn may_stop(&self, kind: CountKind) -> bool {
        kind == CountKind::Board
    }

    /// Whether a mate wins even if the game was drawn a ply earlier or more.
    fn late_mate_wins(&self) -> bool {
        false
    }
}

struct Uncounted;

impl CountingRule for Uncounted {
    fn after_move(&self, _: &Position, before: Count, _: MoveFacts) -> Count {
        before
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

    /// The rules of the system in a variant.
    fn rule(self, variant: Variant) -> &'static dyn CountingRule {
        match (self, variant) {
            (Self::FairyStockfish, Variant::Cambodian) => &fairy::CAMBODIAN,
            (Self::FairyStockfish, _) => &fairy::MAKRUK,
            (Self::CuteChess, Variant::Cambodian) => &cutechess::Ouk,
            (Self::CuteChess, _) => &cutechess::Makruk,
            (Self::SchemingMind, _) => &schemingmind::SchemingMind,
            (Self::Wikipedia, _) => &wikipedia::Wikipedia,
            (Self::Cyningstan, _) => &cyningstan::Cyningstan,
            (Self::Knowlton, _) => &knowlton::Knowlton,
            (Self::ChessVariants, _) => &chessvariants::ChessVariants,
            (Self::FiftyMoves, _) => &cutechess::FiftyMoves,
            (Self::None, _) => &Uncounted,
        }
    }
}

impl Position {
    fn counting_rule(&self) -> &'static dyn CountingRule {
        self.rules.counting.rule(self.rules.variant)
    }

    /// Brings the count up to date after a move; `self` is the position it led to.
    #[inline(never)]
    pub(crate) fn update_count(&mut self, facts: MoveFacts) {
        self.count = if self.count_update == CountUpdate::Standard {
            fairy::MAKRUK.automatic_after_move(self, self.count, facts)
        } else {
            self.count_by_other_rules(facts)
        };
    }

    /// Derives from the rules how the count is updated.
    pub(crate) fn find_count_update(&mut self) {
        let CompiledRules { variant, counting, draw_instant, count_started, .. } = self.rules;
        let is_standard = counting == CountingSystem::FairyStockfish
            && variant != Variant::Cambodian
            && count_started == CountStarted::AUTOMATIC
            && draw_instant == DrawInstant::System;
        self.count_update = match self.counting_rule().counts_among_bia() {
            _ if is_standard => CountUpdate::Standard,
            true => CountUpdate::AmongBia,
            false => CountUpdate::WithoutBia,
        };
    }

    #[inline(never)]
    fn count_by_other_rules(&self, facts: MoveFacts) -> Count {
        let rule = self.counting_rule();
        self.count_in_force(rule.after_move(self, self.count, facts))
    }

    /// A count with the moment of its draw, as the rules chosen have it.
    fn count_in_force(&self, count: Count) -> Count {
        let rule = self.counting_rule();
        count.drawing_at_limit(match self.rules.draw_instant {
            DrawInstant::System => rule.draws_at_limit(rule.kind(self)),
            DrawInstant::LastMove => true,
            DrawInstant::Announcement => false,
        })
    }

    /// The side that counts if a FEN does not name it.
    pub(crate) fn count_owner_in_fen(&self) -> Option<Color> {
        self.counting_rule().owner_in_fen(self, self.count)
    }

    /// Fits the count of a FEN, or its absence, to the rules.
    pub(crate) fn set_up_count(&mut self) {
        let rule = self.counting_rule();
        self.find_count_update();
        use CountingSystem::{CuteChess, FairyStockfish, Knowlton, SchemingMind, Wikipedia};
        let by_hand =
            self.rules.count_started != CountStarted::AUTOMATIC && rule.kind(self) == CountKind::Board;
        let count = match self.rules.counting {
            // Neither takes a count from a FEN.
            CountingSystem::FiftyMoves | CountingSystem::None => rule.at_setup(self),
            _ if !self.count.is_running() => rule.at_setup(self),
            FairyStockfish | CuteChess if by_hand => honour::board_honour_by_hand(self, self.count),
            SchemingMind | Wikipedia | Knowlton if by_hand => rule.at_setup(self),
            _ if self.count.owner.is_none() => self.count.owned_by(rule.owner_in_fen(self, self.count)),
            _ => self.count,
        };
        self.count = self.count_in_force(count);
    }

    /// Counts by hand from the given ply of the game on, whatever was counted before.
    pub(crate) fn restart_count(&mut self, started: CountStarted) {
        self.rules.count_started = started;
        self.find_count_update();
        let rule = self.counting_rule();
        let automatic = self.count.is_running() && !rule.may_stop(rule.kind(self));
        if !automatic {
            if self.rules.counting.has_owner() || !self.count.is_running() {
                self.count = Count::NONE;
            }
            self.set_up_count();
        }
    }

    /// Stops a count for good: until it is started by hand or a khun is bared.
    pub(crate) fn stop_count(&mut self) {
        let kind = self.counting_rule().kind(self);
        if kind == CountKind::Board {
            self.rules.count_started = CountStarted::OFF;
            self.set_up_count();
        } else {
            // Only a capture or promotion would start it again, and a FEN must show that it has been stopped.
            self.count = Count::UNLIMITED.owned_by(self.count.owner);
        }
    }

    /// Which honour is being counted; `None` if nothing is.
    pub fn count_kind(&self) -> Option<CountKind> {
        self.count.is_running().then(|| self.counting_rule().kind(self))
    }

    /// The side that counts; `None` if no count runs or it belongs to neither side. The pieces' honour is counted by
    /// the bare side.
    pub fn counter(&self) -> Option<Color> {
        if !self.count.is_running() {
            return None;
        }
        self.count.owner.or_else(|| match self.counting_rule().kind(self) {
            CountKind::Pieces => honour::bare_side(self),
            CountKind::Board => None,
        })
    }

    /// Whether a running count may be stopped by its counter.
    pub fn may_stop_count(&self) -> bool {
        self.count_kind().is_some_and(|kind| self.counting_rule().may_stop(kind))
    }

    /// Whether a mate of the side to move is only a draw, because the other side was counting and had not
    /// stopped.
    #[inline]
    pub(crate) fn counter_mated(&self) -> bool {
        self.rules.counter_mate() == CounterMate::Draw && self.mated_by_counter()
    }

    #[cold]
    fn mated_by_counter(&self) -> bool {
        // A count without a ply began after the mating move.
        self.counter() == Some(!self.side) && self.count.ply > 0 && self.may_stop_count()
    }

    /// Whether a legal move mates, but only draws unless the side to move stops its count first
    /// ([`CounterMate::Draw`]).
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
        if self.rules.counter_mate() != CounterMate::Draw || self.counter() != Some(self.side) {
            return false;
        }
        let mut next = self.clone();
        next.play_unchecked(mv);
        next.outcome() == Some(Outcome::Draw(DrawReason::CounterMated))
    }

    /// Whether the count had run out before the last ply, so that a mate comes too late. Few rules have this.
    #[inline]
    pub fn mate_is_late(&self) -> bool {
        let before = Count { ply: self.count.ply.saturating_sub(1), ..self.count };
        // A draw that must be claimed has not ended the game.
        let ended = before.is_expired() && self.rules.claim == Claim::Automatic;
        ended && !self.counting_rule().late_mate_wins()
    }
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
