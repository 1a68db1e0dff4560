//! First-move privileges: the special moves of pieces that have not moved yet.
//!
//! A piece on its first rank can have a privilege. It loses it when it moves or is captured. In a *two-piece move* (Sut
//! Met, Sut Ma) a bia steps ahead and the piece behind takes its square; in coordinates it is the piece's move onto its
//! own bia.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::count::MoveFacts;
use crate::generate::Stage;
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::rules::{Privileges, Variant};
use crate::square::{Rank, Square};
use crate::types::{Color, PieceKind};

/// Squares of the met at the start, whose privileges can outlast the met: [`Privileges::STALE_GUARD`].
const MET_HOME: Bitboard = Bitboard(1 << 4 | 1 << 59);
/// The met's leap may capture.
const MET_LEAP: Privileges = Privileges::MINISTER_TWO.with(Privileges::MET_CAPTURES);
/// The same, and the guard of a met outlasts it.
const STALE_LEAP: Privileges = MET_LEAP.with(Privileges::STALE_GUARD);
/// Pieces of a game before the first capture.
const ALL_PIECES: u32 = 32;

/// The first rank of a side.
const fn home_rank(color: Color) -> Bitboard {
    Bitboard::rank(Rank::First.relative(color))
}

/// The rank on which the bia of a side start.
const fn bia_rank(color: Color) -> Bitboard {
    Bitboard::rank(Rank::Third.relative(color))
}

impl Position {
    /// The pieces that still have a first-move privilege, by square.
    #[inline]
    pub fn privileged(&self) -> Bitboard {
        self.privileged.bitboard()
    }

    /// Gives the privileges of the rules to the pieces on these squares and to no others.
    pub(crate) fn set_privileged(&mut self, squares: Bitboard) {
        let privileges = self.rules.privileges;
        let mut entitled = Bitboard::EMPTY;
        for color in Color::ALL {
            let home = home_rank(color);
            for kind in PieceKind::ALL.into_iter().filter(|&kind| privileges.concern(kind)) {
                let pieces = self.pieces(color, kind);
                let spent = kind == PieceKind::Met
                    && privileges.contains(Privileges::ANY_MET)
                    && pieces.intersects(!MET_HOME);
                if !spent {
                    entitled |= pieces & home;
                }
            }
            if privileges.contains(STALE_LEAP) {
                entitled |= MET_HOME & home & !self.color(color);
            }
        }
        // Fewer pieces mean that the game had captures, whatever the rights of the FEN.
        if privileges.contains(Privileges::UNTIL_CAPTURE) && self.occupied().len() < ALL_PIECES {
            entitled = Bitboard::EMPTY;
        }
        self.privileged = (squares & entitled).into();
    }

    /// Removes the privileges that a move has spent, and adds the checks by leaps. Called after the turn has passed,
    /// while either side has a privilege.
    #[cold]
    #[inline(never)]
    pub(crate) fn spend_privileges(&mut self, mv: Move, facts: MoveFacts) {
        let privileges = self.rules.privileges;
        let (us, moved) = (facts.mover, self.kind_on(mv.to()));
        let mut touched = Bitboard::from(mv.from()) | mv.to().into();
        if privileges.contains(STALE_LEAP) {
            // Only an own piece on the met's square ends its guard.
            touched &= !(MET_HOME & home_rank(!us));
        }
        let mut left = self.privileged() & !touched;
        if privileges.contains(Privileges::UNTIL_CAPTURE) && facts.captured.is_some() {
            left = Bitboard::EMPTY;
        }
        if privileges.contains(Privileges::ANY_MET) && moved == Some(PieceKind::Met) && !facts.promoted {
            left &= !self.pieces(us, PieceKind::Met);
        }
        if privileges.contains(Privileges::FIRST_TURN_ONLY) {
            left &= !self.color(us);
        }
        let khun = self.khun(!us);
        let aimed = moved == Some(PieceKind::Rua) && attacks::rua_lines(khun).contains(mv.to());
        if aimed && privileges.contains(Privileges::RUA_AIM) {
            left &= !Bitboard::from(khun);
        }
        self.privileged = left.into();
        self.checkers |= self.leap_guards(us, self.khun(!us).into());
    }

    /// Appends the legal special first moves of a stage. Only a met's leap can capture.
    #[cold]
    pub(crate) fn generate_privileged(&self, stage: Stage, list: &mut MoveList) {
        let (us, occupied, privileges) = (self.side, self.occupied(), self.rules.privileges);
        if privileges.contains(Privileges::NOT_IN_CHECK) && self.in_check() {
            return;
        }
        let own = self.privileged() & self.color(us);
        if stage != Stage::Quiet && privileges.contains(Privileges::MET_CAPTURES) {
            // No leap takes a khun: there can be one only after a move against these rules.
            let enemies = self.color(!us) & !self.kind(PieceKind::Khun);
            self.generate_met_leaps(own, enemies, list);
        }
        if stage == Stage::Noisy {
            return;
        }
        self.generate_met_leaps(own, !occupied, list);
        let khun = self.khun(us);
        if own.contains(khun) {
            for to in self.khun_leaps(khun) & !occupied {
                let without = occupied ^ khun.into();
                if !self.is_attacked(!us, to, without) {
                    list.push(Move::new(khun, to));
                }
            }
        }
        for met in own & self.kind(PieceKind::Met) {
            if privileges.contains(Privileges::SUT_MET) {
                self.generate_two_piece(met, Bitboard::from(met).forward(us).forward(us), list);
            }
        }
        if privileges.contains(Privileges::SUT_MA) {
            for maa in own & self.kind(PieceKind::Maa) {
                self.generate_two_piece(maa, attacks::maa(maa), list);
            }
        }
    }

    /// Leaps of the met among the privileged pieces `own` to the `allowed` squares.
    fn generate_met_leaps(&self, own: Bitboard, allowed: Bitboard, list: &mut MoveList) {
        if !self.rules.privileges.contains(Privileges::MINISTER_TWO) {
            return;
        }
        for met in own & self.kind(PieceKind::Met) {
            let ahead = Bitboard::from(met).forward(self.side).forward(self.side) & allowed;
            let leaps = ahead.into_iter().map(|to| Move::new(met, to));
            list.extend(leaps.filter(|&mv| self.leaves_khun_safe(mv)));
        }
    }

    /// The home squares of the met of `color` that guard one of the `targets` by a capturing leap.
    #[cold]
    pub(crate) fn leap_guards(&self, color: Color, targets: Bitboard) -> Bitboard {
        if !self.rules.privileges.contains(MET_LEAP) {
            return Bitboard::EMPTY;
        }
        let behind = targets.forward(!color).forward(!color) & home_rank(color);
        behind
            & self.privileged()
            & !self.pieces(color, PieceKind::Khun)
            & !self.pieces(color, PieceKind::Maa)
    }

    /// Whether pieces of `color` attack `square` if the squares `occupied` are occupied, leaps included.
    pub(crate) fn is_attacked(&self, color: Color, square: Square, occupied: Bitboard) -> bool {
        let leaps = !self.privileged.is_empty() && !self.leap_guards(color, square.into()).is_empty();
        leaps || !self.attackers_of(color, square, occupied).is_empty()
    }

    /// Recomputes the checkers of the side to move.
    pub(crate) fn find_checkers(&mut self) {
        self.update_checkers();
        self.checkers |= self.leap_guards(!self.side, self.khun(self.side).into());
    }

    /// Whether a move, legal but for the leaps of enemy met, puts the khun on a square they guard or leaves their
    /// check.
    pub(crate) fn breaks_leap_guard(&self, mv: Move) -> bool {
        if !self.rules.privileges.contains(MET_LEAP) {
            return false;
        }
        if mv.from() == self.khun(self.side) {
            return !self.leap_guards(!self.side, mv.to().into()).is_empty();
        }
        self.checkers.first().is_some_and(|checker| !self.check_mask_with_leaps(checker).contains(mv.to()))
    }

    /// The check mask of a single check that may be a leap.
    #[cold]
    pub(crate) fn check_mask_with_leaps(&self, checker: Square) -> Bitboard {
        let khun = self.khun(self.side);
        if !self.leap_guards(!self.side, khun.into()).contains(checker) {
            return attacks::between(khun, checker) | checker.into();
        }
        // A leap cannot be blocked, and a guard that outlasts its met cannot be captured either.
        if self.rules.privileges.contains(STALE_LEAP) { Bitboard::EMPTY } else { checker.into() }
    }

    /// Removes the privileges of met that attack the khun of the side that has moved. Called after a move that only
    /// another reading allows.
    pub(crate) fn drop_leap_attacks(&mut self) {
        let khun = Bitboard::from(self.khun(!self.side));
        self.privileged = (self.privileged() & !self.leap_guards(self.side, khun)).into();
    }

    /// Squares to which an unmoved khun may leap.
    fn khun_leaps(&self, khun: Square) -> Bitboard {
        let privileges = self.rules.privileges;
        let next_rank = Bitboard::rank(Rank::Second.relative(self.side));
        let mut leaps = Bitboard::EMPTY;
        let free = !self.in_check();
        if privileges.contains(Privileges::SUT_KHUN)
            && (free || privileges.contains(Privileges::OUT_OF_CHECK))
        {
            leaps |= attacks::maa(khun) & next_rank;
        }
        if privileges.contains(Privileges::STREET_KHUN) && free {
            leaps |= attacks::maa(khun);
        }
        // In Makpong no khun steps aside from a check.
        let held = self.in_check() && self.rules.variant == Variant::Makpong;
        if privileges.contains(Privileges::LORD_HORSE) && !held {
            leaps |= attacks::maa(khun);
        }
        leaps
    }

    /// Two-piece moves of the piece on `from` onto own bia of `targets` that have not moved.
    fn generate_two_piece(&self, from: Square, targets: Bitboard, list: &mut MoveList) {
        let us = self.side;
        for to in targets & self.pieces(us, PieceKind::Bia) & bia_rank(us) {
            let mv = Move::two_piece(from, to);
            if !Bitboard::from(to).forward(us).intersects(self.occupied()) && self.leaves_khun_safe(mv) {
                list.push(mv);
            }
        }
    }

    /// Whether the own khun is not in check after a move that is legal otherwise.
    fn leaves_khun_safe(&self, mv: Move) -> bool {
        let us = self.side;
        let next = self.after(mv);
        !next.is_attacked(!us, next.khun(us), next.occupied())
    }

    /// Whether the move is a legal special first move.
    #[cold]
    pub(crate) fn is_privileged_move(&self, mv: Move) -> bool {
        let mut list = MoveList::new();
        self.generate_privileged(Stage::All, &mut list);
        list.contains(&mv)
    }

    /// The move of plain coordinates: a piece's move onto an own bia moves both.
    pub fn complete(&self, mv: Move) -> Move {
        if !self.privileged.is_empty() && self.pieces(self.side, PieceKind::Bia).contains(mv.to()) {
            Move::two_piece(mv.from(), mv.to())
        } else {
            mv
        }
    }
}
