//! Fully legal move generation.
//!
//! Only ruas pin, and only their checks can be blocked. A pinned piece stays on its line; a check by any other piece is
//! answered by capturing it or by a khun move; the khun avoids the squares that the enemy attacks once it has moved.

use crate::attacks;
use crate::bitboard::{Bitboard, HomeSquares};
use crate::legal::promotion_zone;
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::rules::Variant;
use crate::types::{Color, PieceKind};

/// The moves to generate.
///
/// ```
/// use sakmak_movegen::{MoveList, Position, Stage};
///
/// let position = Position::from_fen("4k3/8/8/3p4/4P3/8/8/4K3 w")?;
/// let count = |stage| {
///     let mut list = MoveList::new();
///     position.generate(stage, &mut list);
///     list.len()
/// };
/// assert_eq!((count(Stage::Noisy), count(Stage::Quiet), count(Stage::All)), (1, 6, 7));
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Stage {
    /// All legal moves.
    All,
    /// Captures and promotions.
    Noisy,
    /// All others.
    Quiet,
}

/// What restricts the moves of pieces other than the khun.
struct Restrictions {
    /// Squares that capture or block the only checker; all squares out of check, none in double check.
    check_mask: Bitboard,
    pinned: Bitboard,
}

impl Position {
    #[inline]
    fn restrictions(&self) -> Restrictions {
        let khun = self.khun(self.side);
        let check_mask = match self.checkers.first() {
            None => Bitboard::ALL,
            Some(_) if self.checkers.more_than_one() => Bitboard::EMPTY,
            Some(checker) => attacks::between(khun, checker) | checker.into(),
        };
        Restrictions { check_mask, pinned: self.pinned(self.side) }
    }

    /// Which of the `allowed` squares the khun of the side to move can step to.
    #[inline]
    fn khun_targets(&self, allowed: Bitboard) -> Bitboard {
        let khun = self.khun(self.side);
        let mut near = attacks::khun(khun) & allowed;
        if near.is_empty() {
            return near;
        }
        if self.rules.variant == Variant::Makpong && self.in_check() {
            near &= self.makpong_check_mask();
        }
        near & !self.attacks_by(!self.side, self.occupied() ^ khun.into())
    }

    /// Where a khun in check may go in Makpong: to the square of the only checker.
    #[cold]
    pub(crate) fn makpong_check_mask(&self) -> Bitboard {
        if self.checkers.more_than_one() { Bitboard::EMPTY } else { self.checkers }
    }

    /// Appends the legal moves of a stage to `list`.
    #[inline(never)]
    pub fn generate(&self, stage: Stage, list: &mut MoveList) {
        if !self.privileged.is_empty() {
            return self.generate_with_privileges(stage, list);
        }
        match self.side {
            Color::White => self.generate_for::<true>(stage, list),
            Color::Black => self.generate_for::<false>(stage, list),
        }
    }

    #[cold]
    #[inline(never)]
    fn generate_with_privileges(&self, stage: Stage, list: &mut MoveList) {
        let mut ordinary = MoveList::new();
        let without = Self { privileged: HomeSquares::EMPTY, ..self.clone() };
        without.generate(stage, &mut ordinary);
        list.extend(ordinary.into_iter().filter(|&mv| !self.breaks_leap_guard(mv)));
        self.generate_privileged(stage, list);
    }

    /// The legal moves.
    pub fn legal_moves(&self) -> MoveList {
        let mut list = MoveList::new();
        self.generate(Stage::All, &mut list);
        list
    }

    #[inline(always)]
    fn generate_for<const WHITE: bool>(&self, stage: Stage, list: &mut MoveList) {
        let us = if WHITE { Color::White } else { Color::Black };
        let (own, enemies, occupied) = (self.color(us), self.color(!us), self.occupied());
        let stage_targets = match stage {
            Stage::All => !own,
            Stage::Noisy => enemies,
            Stage::Quiet => !occupied,
        };

        let khun = self.khun(us);
        for to in self.khun_targets(stage_targets) {
            list.push(Move::new(khun, to));
        }

        let Restrictions { check_mask, pinned } = self.restrictions();
        if check_mask.is_empty() {
            return;
        }
        let targets = stage_targets & check_mask;
        let along_pin = |from| if pinned.contains(from) { attacks::line(khun, from) } else { Bitboard::ALL };

        for from in self.pieces(us, PieceKind::Rua) {
            for to in attacks::rua(from, occupied) & targets & along_pin(from) {
                list.push(Move::new(from, to));
            }
        }
        // A pinned maa or met has no move along a file or rank.
        for from in self.pieces(us, PieceKind::Maa) & !pinned {
            for to in attacks::maa(from) & targets {
                list.push(Move::new(from, to));
            }
        }
        for from in self.pieces(us, PieceKind::Met) & !pinned {
            for to in attacks::met(from) & targets {
                list.push(Move::new(from, to));
            }
        }
        for from in self.pieces(us, PieceKind::Khon) {
            for to in attacks::khon(us, from) & targets & along_pin(from) {
                list.push(Move::new(from, to));
            }
        }

        // Bia: a pinned one never captures, and pushes only along the file of its pin.
        let zone = promotion_zone(us);
        let promotions = if stage == Stage::Quiet { Bitboard::EMPTY } else { zone };
        let plain = !zone;
        let bia = self.pieces(us, PieceKind::Bia);
        let pushers = bia & (!pinned | Bitboard::file_of(khun));
        let pushed = pushers.forward(us) & !occupied & check_mask;
        let back = |to: Bitboard| to.forward(!us).lowest();
        if stage != Stage::Noisy {
            for to in pushed & plain {
                list.push(Move::new(back(to.into()), to));
            }
        }
        for to in pushed & promotions {
            list.push(Move::promotion(back(to.into()), to));
        }
        if stage != Stage::Quiet {
            let [east, west] = (bia & !pinned).bia_captures(us);
            for (set, shifted) in [(east, Bitboard::west as fn(Bitboard) -> Bitboard), (west, Bitboard::east)]
            {
                for to in set & enemies & check_mask {
                    let from = back(shifted(to.into()));
                    list.push(if zone.contains(to) {
                        Move::promotion(from, to)
                    } else {
                        Move::new(from, to)
                    });
                }
            }
        }
    }

    /// The number of legal moves. It moves whole sets of pieces at once and counts the squares they reach.
    #[inline]
    pub fn count_legal(&self) -> u32 {
        if !self.privileged.is_empty() {
            return self.count_legal_with_privileges();
        }
        match self.side {
            Color::White => self.count_legal_for::<true>(),
            Color::Black => self.count_legal_for::<false>(),
        }
    }

    #[cold]
    #[inline(never)]
    fn count_legal_with_privileges(&self) -> u32 {
        self.legal_moves().len() as u32
    }

    fn count_legal_for<const WHITE: bool>(&self) -> u32 {
        let us = if WHITE { Color::White } else { Color::Black };
        let (own, enemies, occupied) = (self.color(us), self.color(!us), self.occupied());
        let khun = self.khun(us);
        let mut count = self.khun_targets(!own).len();

        let Restrictions { check_mask, pinned } = self.restrictions();
        if check_mask.is_empty() {
            return count;
        }
        let targets = check_mask & !own;
        let free = own & !pinned;
        let tally = |sets: &[Bitboard], targets: Bitboard| -> u32 {
            sets.iter().map(|&set| (set & targets).len()).sum()
        };

        let khon = self.kind(PieceKind::Khon) & free;
        count += tally(&((self.kind(PieceKind::Met) & free) | khon).diagonal_steps(), targets);
        count += tally(&(self.kind(PieceKind::Maa) & free).maa_leaps(), targets);
        let bia = self.kind(PieceKind::Bia) & free;
        count += tally(&bia.bia_captures(us), enemies & check_mask);
        // Two pieces of different squares step ahead to different squares, so one count serves both.
        count += (khon.forward(us) & targets | bia.forward(us) & check_mask & !occupied).len();
        for from in self.kind(PieceKind::Rua) & free {
            count += (attacks::rua(from, occupied) & targets).len();
        }
        if !pinned.is_empty() {
            count += self.count_pinned(pinned, khun, targets);
        }
        count
    }

    /// Moves of pinned pieces: rua along the line, khon and bia ahead on the file.
    #[cold]
    fn count_pinned(&self, pinned: Bitboard, khun: crate::square::Square, targets: Bitboard) -> u32 {
        let mut count = 0;
        for from in pinned & self.kind(PieceKind::Rua) {
            count += (attacks::rua(from, self.occupied()) & targets & attacks::line(khun, from)).len();
        }
        let on_file = pinned & Bitboard::file_of(khun);
        let khon = on_file & self.kind(PieceKind::Khon);
        let bia = on_file & self.kind(PieceKind::Bia);
        count
            + (khon.forward(self.side) & targets).len()
            + (bia.forward(self.side) & targets & !self.occupied()).len()
    }

    /// Whether there is a legal move.
    pub fn has_legal_move(&self) -> bool {
        self.privileged.is_empty() && !self.khun_targets(!self.color(self.side)).is_empty()
            || self.count_legal() > 0
    }
}
