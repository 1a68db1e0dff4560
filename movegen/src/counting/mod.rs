//! The count: after how many moves without mate a game is drawn.
//!
//! Makruk draws a game when the stronger side takes too long to mate. The *board's honour* (sak kradan) is counted
//! when no bia is left, the *pieces' honour* (sak mak) when one side has only its khun. A position carries its
//! [`Count`] and, in its rules, its [`CountingSystem`].
//!
//! The default rule, as Fairy-Stockfish plays it, comes first: `default_count`. Other sources count otherwise; each
//! implements `CountingRule` in `historical`, whose documentation lists what each source needs.

mod count;
pub(crate) mod honour;
mod spoken;

pub use count::Count;
pub use spoken::SpokenCount;

use crate::historical;
use crate::moves::Move;
use crate::outcome::{DrawReason, Outcome};
use crate::position::Position;
use crate::rules::{Claim, CountStarted, CounterMate, DrawInstant, PlayRules, Ruleset, Variant, named};
use crate::types::{Color, PieceKind};

/// The default rule: the count after a move, given the count `before` it. `limit` returns the plies within which a
/// defender must be mated, 0 if nothing is counted against it.
///
/// The count belongs to neither side, starts by itself and is never cleared.
#[inline]
pub(crate) fn default_count(
    position: &Position,
    before: Count,
    facts: MoveFacts,
    limit: impl Fn(&Position, Color) -> u16,
) -> Count {
    let (mover, next) = (facts.mover, !facts.mover);
    let pieces = position.occupied().len() as u16;
    let mut count = before.ticked();

    // A bare khun took the last bia: the pieces' honour starts one ply behind, for the khun has just moved.
    if facts.captured == Some(PieceKind::Bia) && position.is_bare(mover) {
        let limit = limit(position, mover);
        if limit > 0 {
            count = Count::new(limit, 2 * pieces - 1);
        }
    }

    // The count starts. It starts anew if the side to move has just been bared, or if the last bia has just promoted
    // against its bare khun.
    let bared = (facts.captured.is_some() || facts.promoted) && position.is_bare(next);
    if !count.is_running() || bared {
        let limit = limit(position, next);
        if limit > 0 {
            count = Count::new(limit, if position.is_bare(next) { 2 * pieces } else { 0 });
        }
    }
    count
}

/// The limit of the default rule in plies: 128 for the board's honour, [`usual_limit`] for the pieces' honour.
#[inline]
pub(crate) fn default_limit(position: &Position, defender: Color) -> u16 {
    if position.is_bare(!defender) || !position.kind(PieceKind::Bia).is_empty() {
        0
    } else if position.is_bare(defender) {
        2 * honour::pieces_limit(position, !defender)
    } else {
        honour::BOARD_PLIES
    }
}

/// The usual limit of the pieces' honour in moves, by the attacker's numbers of rua, khon and maa, before the pieces
/// on the board are subtracted.
///
/// ```
/// use sakmak_movegen::counting::usual_limit;
///
/// assert_eq!(usual_limit((1, 0, 2)), 16);
/// assert_eq!(usual_limit((0, 0, 0)), 64);
/// ```
pub const fn usual_limit(rua_khon_maa: (u32, u32, u32)) -> u16 {
    match rua_khon_maa {
        (2.., ..) => 8,
        (1, ..) => 16,
        (_, 2.., _) => 22,
        (_, _, 2..) => 32,
        (_, 1, _) => 44,
        _ => 64,
    }
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
    /// By [`default_count`], called directly: every move of the search needs it.
    Standard,
    /// By the [`CountingRule`], if a count runs or no bia is left.
    WithoutBia,
    /// By the [`CountingRule`], after every move.
    AmongBia,
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
pub(crate) trait CountingRule {
    /// The count after the move `facts`, which led to `position`, given the count `before` it.
    ///
    /// While bia stand and no count runs, only systems that count among bia are called.
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count;

    /// The count of a position whose set-up has none.
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

    /// The honour that is counted if a count runs.
    fn kind(&self, position: &Position) -> CountKind {
        if position.kind(PieceKind::Bia).is_empty() {
            honour::kind_by_bare_khun(position)
        } else {
            CountKind::Board
        }
    }

    /// The side that counts if a FEN gives only the numbers; `None` if counts belong to neither side.
    fn owner_in_fen(&self, _: &Position, _: Count) -> Option<Color> {
        None
    }

    /// The number the counter spoke last, in moves.
    fn spoken(&self, count: Count, _: CountKind) -> u16 {
        count.ply().div_ceil(2)
    }

    /// Whether the counter may stop its count and start it again later.
    fn may_stop(&self, kind: CountKind) -> bool {
        kind == CountKind::Board
    }

    /// Whether a mate wins although the count has run out before.
    fn late_mate_wins(&self) -> bool {
        false
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

impl Position {
    fn counting_rule(&self) -> &'static dyn CountingRule {
        historical::rule(self.rules.counting, self.rules.variant)
    }

    /// Updates the count after the move that led to this position.
    #[inline(never)]
    pub(crate) fn update_count(&mut self, facts: MoveFacts) {
        self.count = if self.count_update == CountUpdate::Standard {
            default_count(self, self.count, facts, default_limit)
        } else {
            self.count_by_other_rules(facts)
        };
    }

    /// Chooses by the rules how the count is updated.
    pub(crate) fn find_count_update(&mut self) {
        let PlayRules { variant, counting, draw_instant, count_started, .. } = self.rules;
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

    /// The count with its draw instant by the rules.
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

    /// Adapts the count of a FEN, or its absence, to the rules.
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
            _ if self.count.owner().is_none() => self.count.owned_by(rule.owner_in_fen(self, self.count)),
            _ => self.count,
        };
        self.count = self.count_in_force(count);
    }

    /// Starts a count by hand at a ply of the game, in place of any other.
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

    /// Stops a count until it is started by hand or a khun is bared.
    pub(crate) fn stop_count(&mut self) {
        let kind = self.counting_rule().kind(self);
        if kind == CountKind::Board {
            self.rules.count_started = CountStarted::OFF;
            self.set_up_count();
        } else {
            // Only a capture or promotion would start it again, and a FEN must show that it has been stopped.
            self.count = Count::UNLIMITED.owned_by(self.count.owner());
        }
    }

    /// The honour that is counted; `None` if no count runs.
    pub fn count_kind(&self) -> Option<CountKind> {
        self.count.is_running().then(|| self.counting_rule().kind(self))
    }

    /// The side that counts; `None` if no count runs or it belongs to neither side. The pieces' honour is counted by
    /// the bare side.
    pub fn counter(&self) -> Option<Color> {
        if !self.count.is_running() {
            return None;
        }
        self.count.owner().or_else(|| match self.counting_rule().kind(self) {
            CountKind::Pieces => honour::bare_side(self),
            CountKind::Board => None,
        })
    }

    /// Whether a running count may be stopped by its counter.
    pub fn may_stop_count(&self) -> bool {
        self.count_kind().is_some_and(|kind| self.counting_rule().may_stop(kind))
    }

    /// Whether a mate of the side to move only draws, because the other side was counting and had not stopped.
    #[inline]
    pub(crate) fn counter_mated(&self) -> bool {
        self.rules.counter_mate == CounterMate::Draw && self.mated_by_counter()
    }

    #[cold]
    fn mated_by_counter(&self) -> bool {
        // A count without a ply began after the mating move.
        self.counter() == Some(!self.side) && self.count.ply() > 0 && self.may_stop_count()
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

    /// Whether the count ran out before the last ply and a mate is too late. Not under the default rules.
    #[inline]
    pub fn mate_is_late(&self) -> bool {
        let before = self.count.at_ply(self.count.ply().saturating_sub(1));
        // A draw that must be claimed has not ended the game.
        let ended = before.is_expired() && self.rules.claim == Claim::Automatic;
        ended && !self.counting_rule().late_mate_wins()
    }
}
