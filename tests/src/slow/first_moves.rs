//! First-move privileges and Makpong by the slow rules.
//!
//! A right is the square of a piece that has not moved. It ends when anything moves from or to that square,
//! and in a few other ways that [`SlowPosition::spend`] lists.

use std::collections::BTreeSet;

use super::{EMPTY, LEAPS, SlowMove, SlowPosition, Spot, ahead, all_spots, is_white, on_board};

/// Additions of the slow rules to those of Makruk.
#[derive(Clone, Copy, Debug, Default)]
pub struct SlowRules {
    /// The khun leaps like a maa to the next rank, not in check.
    pub sut_khun: bool,
    /// The met takes the square of the bia two squares ahead, which steps forward.
    pub sut_met: bool,
    /// The maa takes the square of a bia a leap away, which steps forward.
    pub sut_ma: bool,
    /// The khun leaps like a maa anywhere, even out of check.
    pub lord_horse: bool,
    /// The met goes two squares straight ahead.
    pub minister_two: bool,
    /// As `sut_khun`, until an enemy rua moves to the rank or the file of the khun.
    pub ouk_khun: bool,
    /// Any move of a player ends all rights of that player.
    pub first_turn_only: bool,
    /// The khun leaps like a maa anywhere, but not out of check.
    pub street_khun: bool,
    /// The met's move of two squares may capture, so that it attacks the square.
    pub met_captures: bool,
    /// The first capture ends all rights.
    pub until_capture: bool,
    /// Nobody in check makes a first move.
    pub not_in_check: bool,
    /// A khun in check may only take the one piece that gives it.
    pub makpong: bool,
}

impl SlowRules {
    /// Whether a piece of this letter can have a right.
    fn privilege(self, piece: char) -> bool {
        match piece.to_ascii_uppercase() {
            'K' => self.sut_khun || self.lord_horse || self.ouk_khun || self.street_khun,
            'M' => self.sut_met || self.minister_two,
            'N' => self.sut_ma,
            _ => false,
        }
    }
}

/// First rank of a side, second rank, and the rank on which its bia start.
fn ranks(white: bool) -> [i32; 3] {
    if white { [0, 1, 2] } else { [7, 6, 5] }
}

impl SlowPosition {
    /// The pieces that still have a right, read from the letters of their files.
    pub(super) fn read_rights(&mut self, text: &str) {
        if self.rules.until_capture && self.pieces(true).chain(self.pieces(false)).count() < 32 {
            return;
        }
        for letter in text.chars().filter(|&letter| letter != '-') {
            let file = "abcdefgh".find(letter.to_ascii_lowercase()).expect("the letter of a file");
            let white = letter.is_ascii_uppercase();
            let spot = (file as i32, ranks(white)[0]);
            if self.piece(spot).is_some_and(|piece| is_white(piece) == white && self.rules.privilege(piece)) {
                self.rights.insert(spot);
            }
        }
    }

    /// The rights as a FEN field: White's first, from left to right.
    pub fn rights_text(&self) -> String {
        let letters = all_spots().filter(|spot| self.rights.contains(spot)).map(|(file, rank)| {
            let letter = char::from(b'a' + file as u8);
            if rank == 0 { letter.to_ascii_uppercase() } else { letter }
        });
        let text: String = letters.collect();
        if text.is_empty() { "-".to_owned() } else { text }
    }

    /// The squares of the pieces that still have a right.
    pub fn rights(&self) -> &BTreeSet<Spot> {
        &self.rights
    }

    /// Whether a move goes to the square of an own bia, which steps forward.
    pub fn moves_two(&self, mv: SlowMove) -> bool {
        match (self.piece(mv.from), self.piece(mv.to)) {
            (Some(piece), Some(bia)) => {
                bia.eq_ignore_ascii_case(&'P') && is_white(bia) == is_white(piece) && mv.from != mv.to
            }
            _ => false,
        }
    }

    /// Moves the bia out of the way of a piece that takes its square.
    pub(super) fn step_aside(&mut self, spot: Spot) {
        let bia = self.piece(spot).expect("a bia");
        self.set(spot, EMPTY);
        self.set((spot.0, spot.1 + ahead(bia)), bia);
    }

    /// The pseudo-legal first moves of the side to move.
    pub fn first_moves(&self) -> Vec<SlowMove> {
        let us = self.white_to_move;
        let [_, next_rank, bia_rank] = ranks(us);
        let mut moves = Vec::new();
        if self.rules.not_in_check && self.in_check() {
            return moves;
        }
        for (from, piece) in self.pieces(us).filter(|(spot, _)| self.rights.contains(spot)) {
            let leaps = || LEAPS.iter().map(move |leap| (from.0 + leap.0, from.1 + leap.1));
            let two_ahead = (from.0, from.1 + 2 * ahead(piece));
            // Squares that must be empty, and squares of own bia that step forward.
            let (mut empty, mut own_bia): (Vec<Spot>, Vec<Spot>) = (Vec::new(), Vec::new());
            match piece.to_ascii_uppercase() {
                'K' => {
                    if self.rules.lord_horse || self.rules.street_khun && !self.in_check() {
                        empty.extend(leaps());
                    } else if (self.rules.sut_khun || self.rules.ouk_khun) && !self.in_check() {
                        empty.extend(leaps().filter(|to| to.1 == next_rank));
                    }
                }
                'M' => {
                    if self.rules.minister_two {
                        empty.push(two_ahead);
                    }
                    if self.rules.sut_met {
                        own_bia.push(two_ahead);
                    }
                }
                'N' if self.rules.sut_ma => own_bia.extend(leaps()),
                _ => {}
            }
            let takes =
                |other: char| self.leap_attacks(from, piece) == Some(two_ahead) && is_white(other) != us;
            empty.retain(|&to| {
                on_board(to) && self.piece(to).is_none_or(|other| to == two_ahead && takes(other))
            });
            own_bia.retain(|&to| {
                let bia = if us { 'P' } else { 'p' };
                to.1 == bia_rank
                    && on_board(to)
                    && self.piece(to) == Some(bia)
                    && self.piece((to.0, to.1 + ahead(bia))).is_none()
            });
            moves.extend(empty.into_iter().chain(own_bia).map(|to| SlowMove { from, to, promotes: false }));
        }
        moves
    }

    /// The square that an unmoved met attacks by its leap.
    pub(super) fn leap_attacks(&self, from: Spot, piece: char) -> Option<Spot> {
        let leaps = self.rules.minister_two && self.rules.met_captures && self.rights.contains(&from);
        (leaps && piece.eq_ignore_ascii_case(&'M')).then_some((from.0, from.1 + 2 * ahead(piece)))
    }

    /// Whether Makpong forbids a move that Makruk would allow.
    pub(super) fn makpong_forbids(&self, mv: SlowMove) -> bool {
        let khun_moves = self.piece(mv.from).is_some_and(|piece| piece.eq_ignore_ascii_case(&'K'));
        self.rules.makpong
            && khun_moves
            && self.in_check()
            && self.attackers(mv.from, !self.white_to_move) != [mv.to]
    }

    /// Ends the rights that a move has spent, after the move and before the turn changes.
    pub(super) fn spend(&mut self, mv: SlowMove, captures: bool) {
        self.rights.remove(&mv.from);
        self.rights.remove(&mv.to);
        if captures && self.rules.until_capture {
            self.rights.clear();
        }
        let mover = self.piece(mv.to).expect("the piece that moved");
        let board = self.clone();
        let piece_on = |spot: Spot| board.piece(spot).expect("pieces with rights stand on the board");
        if self.rules.first_turn_only {
            self.rights.retain(|&spot| is_white(piece_on(spot)) != is_white(mover));
        }
        if self.rules.ouk_khun && mover.eq_ignore_ascii_case(&'R') {
            self.rights.retain(|&spot| {
                let is_enemy_khun =
                    piece_on(spot).eq_ignore_ascii_case(&'K') && is_white(piece_on(spot)) != is_white(mover);
                !is_enemy_khun || (spot.0 != mv.to.0 && spot.1 != mv.to.1)
            });
        }
    }
}
