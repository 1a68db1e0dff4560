//! How a position keeps its count: by which rule it is updated, who counts, and whether it has run out.

use crate::count::{Count, CountKind, CountUpdate, MoveFacts};
use crate::counting::{CountingRule, default_count, default_limit, honour};
use crate::historical;
use crate::position::Position;
use crate::rules::{Claim, CountStarted, CounterMate, CountingSystem, DrawInstant, PlayRules, Variant};
use crate::types::Color;

impl Position {
    pub(crate) fn counting_rule(&self) -> &'static dyn CountingRule {
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
            FairyStockfish if self.rules.count_started != CountStarted::AUTOMATIC => {
                historical::by_hand(self, self.count)
            }
            CuteChess if by_hand => honour::board_honour_by_hand(self, self.count),
            SchemingMind | Wikipedia | Knowlton if by_hand => rule.at_setup(self),
            _ if self.count.owner().is_none() => self.count.owned_by(rule.owner_in_fen(self, self.count)),
            _ => self.count,
        };
        self.count = self.count_in_force(count);
    }

    /// Whether a count runs that nobody starts or stops.
    pub(crate) fn counts_by_itself(&self) -> bool {
        self.count.is_running() && !self.may_stop_count()
    }

    /// Starts a count by hand at a ply of the game, in place of one that does not run by itself.
    pub(crate) fn restart_count(&mut self, started: CountStarted) {
        self.rules.count_started = started;
        if self.rules.counting.has_owner() || !self.count.is_running() {
            self.count = Count::NONE;
        }
        self.set_up_count();
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

    /// Whether the count ran out before the last ply and a mate is too late. Not under the default rules.
    #[inline]
    pub fn mate_is_late(&self) -> bool {
        let before = self.count.at_ply(self.count.ply().saturating_sub(1));
        // A draw that must be claimed has not ended the game.
        let ended = before.is_expired() && self.rules.claim == Claim::Automatic;
        ended && !self.counting_rule().late_mate_wins()
    }
}
