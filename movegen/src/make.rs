//! Playing moves.

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::count::{CountUpdate, MoveFacts};
use crate::moves::{Move, MoveError};
use crate::position::Position;
use crate::types::PieceKind;
use crate::zobrist;
use alloc::string::ToString;

impl Position {
    /// Plays a move if it is legal. To take it back, keep a clone from before.
    ///
    /// ```
    /// use sakmak_movegen::{Move, Position};
    ///
    /// let mut position = Position::startpos();
    /// position.play(Move::parse("e3e4")?)?;
    /// let error = position.play(Move::parse("e4e5")?).unwrap_err();
    /// assert_eq!(error.to_string(), "'e4e5' is not legal here");
    /// # Ok::<(), sakmak_movegen::MoveError>(())
    /// ```
    ///
    /// # Errors
    /// [`MoveError::Illegal`] if the move is not legal; the position is unchanged then.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        if !self.is_legal(mv) {
            return Err(MoveError::Illegal { text: mv.to_string() });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// The position after a legal move; see [`Position::play_unchecked`].
    ///
    /// ```
    /// use sakmak_movegen::Position;
    ///
    /// let start = Position::startpos();
    /// let replies: usize = start.legal_moves().into_iter().map(|mv| start.after(mv).legal_moves().len()).sum();
    /// assert_eq!(replies, 23 * 23);
    /// ```
    #[inline(always)]
    #[must_use]
    pub fn after(&self, mv: Move) -> Self {
        let mut next = self.clone();
        next.play_unchecked(mv);
        next
    }

    /// Plays a legal move, such as one of [`Position::legal_moves`].
    ///
    /// After any other move the position makes no sense, but memory is safe.
    #[inline(always)]
    pub fn play_unchecked(&mut self, mv: Move) {
        if mv.is_two_piece() {
            return self.play_two_piece(mv);
        }
        let (us, them) = (self.side, !self.side);
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = self.kind_on(from) else {
            debug_assert!(false, "no piece on {from} to move {mv} in {self}");
            return;
        };

        self.halfmove = self.halfmove.saturating_add(1);
        self.plies_from_null = self.plies_from_null.saturating_add(1);

        let captured = self.kind_on(to);
        if let Some(victim) = captured {
            self.remove(them, victim, to);
            self.halfmove = 0;
        }

        if mv.is_promotion() {
            self.remove(us, PieceKind::Bia, from);
            self.add(us, PieceKind::Met, to);
            self.halfmove = 0;
        } else {
            let both = Bitboard::from(from) | Bitboard::from(to);
            self.board[from.index()] = None;
            self.board[to.index()] = Some(kind);
            self.by_kind[kind.index()] ^= both;
            self.by_color[us.index()] ^= both;
            self.toggle_key(us, kind, from);
            self.toggle_key(us, kind, to);
            if kind == PieceKind::Bia {
                self.halfmove = 0;
            }
        }

        self.finish_move(mv, MoveFacts { mover: us, captured, promoted: mv.is_promotion() });
    }

    /// The end of every move of one piece.
    #[inline(always)]
    fn finish_move(&mut self, mv: Move, facts: MoveFacts) {
        if !self.privileged.is_empty() {
            return self.finish_move_with_privileges(mv, facts);
        }
        self.pass_turn(facts);
        self.update_count_after(facts);
    }

    #[cold]
    #[inline(never)]
    fn finish_move_with_privileges(&mut self, mv: Move, facts: MoveFacts) {
        self.pass_turn(facts);
        self.spend_privileges(mv, facts);
        self.update_count_after(facts);
    }

    #[inline(always)]
    fn pass_turn(&mut self, facts: MoveFacts) {
        self.key ^= zobrist::side();
        self.fullmove += facts.mover.index() as u32;
        self.side = !facts.mover;
        self.update_checkers();
    }

    #[inline(always)]
    fn update_count_after(&mut self, facts: MoveFacts) {
        // While bia stand and no count runs, few systems count.
        if self.count.is_running()
            || self.kind(PieceKind::Bia).is_empty()
            || self.count_update == CountUpdate::AmongBia
        {
            self.update_count(facts);
        }
    }

    /// A bia steps ahead and another piece takes its square.
    #[cold]
    fn play_two_piece(&mut self, mv: Move) {
        let us = self.side;
        let (from, to) = (mv.from(), mv.to());
        let ahead = Bitboard::from(to).forward(us).first();
        let (Some(kind), Some(ahead)) = (self.kind_on(from), ahead) else {
            debug_assert!(false, "no pieces to move {mv} in {self}");
            return;
        };
        for (kind, from, to) in [(PieceKind::Bia, to, ahead), (kind, from, to)] {
            self.remove(us, kind, from);
            self.add(us, kind, to);
        }
        self.halfmove = 0;
        self.plies_from_null = self.plies_from_null.saturating_add(1);
        // Some piece has a privilege: the one that has just moved.
        self.finish_move_with_privileges(mv, MoveFacts { mover: us, captured: None, promoted: false });
    }

    /// Plays a null move: passes the turn. The side to move must not be in check.
    ///
    /// The count does not tick and keeps its owner. No repetition reaches back across a null move.
    #[inline]
    pub fn play_null(&mut self) {
        debug_assert!(!self.in_check());
        self.key ^= zobrist::side();
        // A count by hand is computed from the move number.
        self.fullmove += self.side.index() as u32;
        self.side = !self.side;
        self.plies_from_null = 0;
    }

    /// The likely [`Position::tt_key`] after `mv`, to prefetch its entry before the move is made. Wrong if the move
    /// starts a count.
    #[inline]
    pub fn likely_tt_key_after(&self, mv: Move) -> u64 {
        let key = self.key_after(mv);
        if self.count.is_running() { key ^ self.count_key(self.count.ticked()) } else { key }
    }

    /// [`Position::moves_key`] of the position after `mv`.
    #[inline]
    pub fn key_after(&self, mv: Move) -> u64 {
        if !self.privileged.is_empty() {
            return self.key_after_with_privileges(mv);
        }
        let mut key = self.key ^ zobrist::side();
        let (us, them) = (self.side, !self.side);
        if let Some(kind) = self.kind_on(mv.from()) {
            let arrives = if mv.is_promotion() { PieceKind::Met } else { kind };
            key ^= zobrist::piece(us, kind, mv.from()) ^ zobrist::piece(us, arrives, mv.to());
        }
        if let Some(victim) = self.kind_on(mv.to()) {
            key ^= zobrist::piece(them, victim, mv.to());
        }
        key
    }

    #[cold]
    #[inline(never)]
    fn key_after_with_privileges(&self, mv: Move) -> u64 {
        self.after(mv).moves_key()
    }

    /// The squares from which a piece of `kind` of the side to move would give check, by kind index.
    pub(crate) fn check_squares(&self) -> [Bitboard; 6] {
        let khun = self.khun(!self.side);
        [
            attacks::bia(!self.side, khun),
            attacks::met(khun),
            attacks::khon(!self.side, khun),
            attacks::maa(khun),
            attacks::rua(khun, self.occupied()),
            Bitboard::EMPTY,
        ]
    }
}
