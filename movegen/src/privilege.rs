//! First-move privileges: the special moves of men that have not moved yet.
//!
//! A privilege belongs to a man on its first rank. It is spent when the man moves or is captured. In a
//! *two-man move* (Sut Met, Sut Ma) a bia steps ahead and the man behind takes its square; in coordinates
//! it is the man's move onto its own bia, which nothing else could be.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::rules::{Privileges, Variant};
use crate::square::Square;
use crate::types::{Color, PieceKind};

/// Where privileged men can stand: the first and the last rank.
pub(crate) const HOME: Bitboard = Bitboard(0xff00_0000_0000_00ff);

/// The rank on which bia start, for either side.
const fn bia_rank(color: Color) -> Bitboard {
    match color {
        Color::White => Bitboard::rank(2),
        Color::Black => Bitboard::rank(5),
    }
}

impl Position {
    /// The men that still have a first-move privilege, by square.
    #[inline]
    pub fn privileged(&self) -> Bitboard {
        self.privileged
    }

    /// Gives the men on these squares their privileges, as far as the rules know any for them, and takes
    /// them from all others.
    pub(crate) fn set_privileged(&mut self, squares: Bitboard) {
        let privileges = self.rules.privileges;
        let mut entitled = Bitboard::EMPTY;
        for color in Color::ALL {
            let home = Bitboard::rank(if color == Color::White { 0 } else { 7 });
            for kind in PieceKind::ALL.into_iter().filter(|&kind| privileges.concern(kind)) {
                entitled |= self.men(color, kind) & home;
            }
        }
        self.privileged = squares & entitled;
    }

    /// Takes away what a move of `us` has spent. Called while somebody has a privilege.
    #[cold]
    pub(crate) fn spend_privileges(&mut self, us: Color, mv: Move) {
        let privileges = self.rules.privileges;
        let mut left = self.privileged & !(Bitboard::from(mv.from()) | mv.to().into());
        if privileges.contains(Privileges::FIRST_TURN_ONLY) {
            left &= !self.color(us);
        }
        // In Ouk a khun that a rua takes aim at will leap no more.
        let khun = self.khun(!us);
        let aimed =
            self.kind_on(mv.to()) == Some(PieceKind::Rua) && attacks::rua_lines(khun).contains(mv.to());
        if aimed && privileges.contains(Privileges::OUK_KHUN) {
            left &= !Bitboard::from(khun);
        }
        self.privileged = left;
    }

    /// Appends the legal special first moves of the side to move; none of them is a capture.
    #[cold]
    pub(crate) fn generate_privileged(&self, list: &mut MoveList) {
        let (us, occupied, privileges) = (self.side, self.occupied(), self.rules.privileges);
        let own = self.privileged & self.color(us);
        let khun = self.khun(us);
        if own.contains(khun) {
            for to in self.khun_leaps(khun) & !occupied {
                let without = occupied ^ khun.into();
                if self.attackers_of(!us, to, without).is_empty() {
                    list.push(Move::new(khun, to));
                }
            }
        }
        for met in own & self.kind(PieceKind::Met) {
            let ahead = Bitboard::from(met).forward(us).forward(us);
            if privileges.contains(Privileges::MINISTER_TWO) {
                let leaps = (ahead & !occupied).into_iter().map(|to| Move::new(met, to));
                list.extend(leaps.filter(|&mv| self.leaves_khun_safe(mv)));
            }
            if privileges.contains(Privileges::SUT_MET) {
                self.generate_two_men(met, ahead, list);
            }
        }
        if privileges.contains(Privileges::SUT_MA) {
            for maa in own & self.kind(PieceKind::Maa) {
                self.generate_two_men(maa, attacks::maa(maa), list);
            }
        }
    }

    /// Squares to which the rules let an unmoved khun leap from where it stands.
    fn khun_leaps(&self, khun: Square) -> Bitboard {
        let privileges = self.rules.privileges;
        let next_rank = Bitboard::rank(if self.side == Color::White { 1 } else { 6 });
        let mut leaps = Bitboard::EMPTY;
        let sideways = privileges.contains(Privileges::SUT_KHUN) || privileges.contains(Privileges::OUK_KHUN);
        if sideways && !self.in_check() {
            leaps |= attacks::maa(khun) & next_rank;
        }
        // Not even a lord steps aside from a check in Makpong.
        let held = self.in_check() && self.rules.variant == Variant::Makpong;
        if privileges.contains(Privileges::LORD_HORSE) && !held {
            leaps |= attacks::maa(khun);
        }
        leaps
    }

    /// Two-man moves of the man on `from` onto own bia of `targets` that have not moved.
    fn generate_two_men(&self, from: Square, targets: Bitboard, list: &mut MoveList) {
        let us = self.side;
        for to in targets & self.men(us, PieceKind::Bia) & bia_rank(us) {
            let mv = Move::two_men(from, to);
            if !Bitboard::from(to).forward(us).intersects(self.occupied()) && self.leaves_khun_safe(mv) {
                list.push(mv);
            }
        }
    }

    /// Whether the own khun is not in check after a move that is legal otherwise.
    fn leaves_khun_safe(&self, mv: Move) -> bool {
        let us = self.side;
        let mut next = self.clone();
        next.make(mv);
        next.attackers_of(!us, next.khun(us), next.occupied()).is_empty()
    }

    /// Whether the move is a legal special first move.
    #[cold]
    pub(crate) fn is_privileged_move(&self, mv: Move) -> bool {
        let mut list = MoveList::new();
        self.generate_privileged(&mut list);
        list.contains(&mv)
    }

    /// How many special first moves are legal that no man could make otherwise.
    #[cold]
    pub(crate) fn count_privileged(&self) -> u32 {
        let mut list = MoveList::new();
        self.generate_privileged(&mut list);
        list.len() as u32
    }

    /// The move meant by coordinates alone: a man's move onto an own bia moves both.
    pub fn complete(&self, mv: Move) -> Move {
        if !self.privileged.is_empty() && self.men(self.side, PieceKind::Bia).contains(mv.to()) {
            Move::two_men(mv.from(), mv.to())
        } else {
            mv
        }
    }
}
