//! The state of a game at one moment: pieces, side to move, count and clocks.

use alloc::format;
use alloc::string::String;
use core::fmt;
use core::hash::{Hash, Hasher};

use crate::attacks::{self, AttackSets};
use crate::bitboard::{Bitboard, HomeSquares};
use crate::count::{Count, CountUpdate};
use crate::rules::PlayRules;
use crate::square::{File, Rank, Square};
use crate::types::{Color, Piece, PieceKind};
use crate::zobrist;

/// A valid Makruk position: each side has one khun and at most 48 pieces, and the side not to move is not in check.
///
/// To take a move back, keep a clone from before it: 184 bytes. For repetitions compare [`Position::key`] over the last
/// [`Position::reversible_plies`] positions, or use [`Game`](crate::Game).
///
/// ```
/// use sakmak_movegen::{Color, PieceKind, Position};
///
/// let start = Position::startpos();
/// let mut next = start.clone();
/// next.play(next.parse_move("e3e4")?)?;
/// assert_eq!(next.side_to_move(), Color::Black);
/// assert_eq!(next.pieces(Color::White, PieceKind::Bia).len(), 8);
/// assert_ne!(next.key(), start.key());
/// # Ok::<(), sakmak_movegen::MoveError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Position {
    pub(crate) by_kind: [Bitboard; 6],
    pub(crate) by_color: [Bitboard; 2],
    pub(crate) board: [Option<PieceKind>; 64],
    pub(crate) checkers: Bitboard,
    pub(crate) key: u64,
    pub(crate) fullmove: u32,
    pub(crate) halfmove: u16,
    pub(crate) plies_from_null: u16,
    pub(crate) privileged: HomeSquares,
    pub(crate) count: Count,
    pub(crate) rules: PlayRules,
    /// Follows from the rules; stored because every move needs it.
    pub(crate) count_update: CountUpdate,
    pub(crate) side: Color,
}

impl Position {
    pub(crate) fn empty() -> Self {
        Self {
            by_kind: [Bitboard::EMPTY; 6],
            by_color: [Bitboard::EMPTY; 2],
            board: [None; 64],
            checkers: Bitboard::EMPTY,
            key: 0,
            fullmove: 1,
            halfmove: 0,
            plies_from_null: 0,
            privileged: HomeSquares::EMPTY,
            count: Count::NONE,
            rules: PlayRules::default(),
            count_update: CountUpdate::Standard,
            side: Color::White,
        }
    }

    /// The side to move.
    #[inline]
    pub fn side_to_move(&self) -> Color {
        self.side
    }

    /// All pieces of one colour.
    #[inline]
    pub fn color(&self, color: Color) -> Bitboard {
        self.by_color[color.index()]
    }

    /// The pieces of one kind, both colours.
    #[inline]
    pub fn kind(&self, kind: PieceKind) -> Bitboard {
        self.by_kind[kind.index()]
    }

    /// The pieces of one colour and kind.
    #[inline]
    pub fn pieces(&self, color: Color, kind: PieceKind) -> Bitboard {
        self.color(color) & self.kind(kind)
    }

    /// All occupied squares.
    #[inline]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[0] | self.by_color[1]
    }

    /// The kind of the piece on a square.
    #[inline]
    pub fn kind_on(&self, square: Square) -> Option<PieceKind> {
        self.board[square.index()]
    }

    /// The piece on a square.
    #[inline]
    pub fn piece_on(&self, square: Square) -> Option<Piece> {
        let color = if self.by_color[0].contains(square) { Color::White } else { Color::Black };
        self.kind_on(square).map(|kind| Piece::new(color, kind))
    }

    /// The pieces with their squares, from a1 to h8.
    ///
    /// ```
    /// use sakmak_movegen::{Position, Square};
    ///
    /// let start = Position::startpos();
    /// let (square, piece) = start.all_pieces().next().expect("32 pieces");
    /// assert_eq!((square, piece.to_string().as_str()), (Square::A1, "R"));
    /// assert_eq!(start.all_pieces().count(), 32);
    /// ```
    pub fn all_pieces(&self) -> impl Iterator<Item = (Square, Piece)> + '_ {
        self.occupied().into_iter().filter_map(|square| Some((square, self.piece_on(square)?)))
    }

    /// The square of the khun of `color`.
    #[inline]
    pub fn khun(&self, color: Color) -> Square {
        self.pieces(color, PieceKind::Khun).lowest()
    }

    /// Whether `color` has nothing but its khun.
    #[inline]
    pub fn is_bare(&self, color: Color) -> bool {
        !self.color(color).more_than_one()
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        self.checkers
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Hash key of pieces and side to move, for repetitions: as in Fairy-Stockfish, they ignore the count and
    /// first-move privileges. See [`Position::tt_key`] for the TT.
    #[inline]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The key for a TT: [`Position::key`] with first-move privileges and the count ([`Count::key`]).
    #[inline]
    pub fn tt_key(&self) -> u64 {
        let key = self.moves_key();
        if self.count.is_running() { key ^ self.count_key(self.count) } else { key }
    }

    /// [`Position::key`] with first-move privileges: equal keys mean equal legal moves.
    #[inline]
    pub fn moves_key(&self) -> u64 {
        if self.privileged.is_empty() { self.key } else { self.key ^ zobrist::privileges(self.privileged()) }
    }

    /// The part of `count` in [`Position::tt_key`]: exact to the ply against a bare khun.
    #[cold]
    #[inline(never)]
    pub(crate) fn count_key(&self, count: Count) -> u64 {
        count.key(self.is_bare(Color::White) || self.is_bare(Color::Black))
    }

    /// The count.
    #[inline]
    pub fn count(&self) -> Count {
        self.count
    }

    /// Sets the count, for set-up positions and tests.
    pub fn set_count(&mut self, count: Count) {
        self.count = count;
    }

    /// The rules of the game.
    #[inline]
    pub fn rules(&self) -> &PlayRules {
        &self.rules
    }

    /// Changes the rules. Keeps the pieces, the running count and the privileges that the new rules have too.
    pub fn set_rules(&mut self, rules: impl Into<PlayRules>) {
        self.rules = rules.into();
        self.set_privileged(self.privileged());
        self.find_checkers();
        self.set_up_count();
    }

    /// Plies since the last capture or bia move.
    #[inline]
    pub fn halfmove_clock(&self) -> u16 {
        self.halfmove
    }

    /// The number of the current move, 1 at the start of a game.
    #[inline]
    pub fn fullmove_number(&self) -> u32 {
        self.fullmove
    }

    /// Plies since the start of the game, by the move number.
    pub fn game_ply(&self) -> u32 {
        2 * (self.fullmove - 1) + self.side.index() as u32
    }

    /// Plies since the last capture, bia move or null move: a repetition cannot lie further back.
    #[inline]
    pub fn reversible_plies(&self) -> usize {
        usize::from(self.halfmove.min(self.plies_from_null))
    }

    /// The pieces of both colours that attack `square` if the squares `occupied` are occupied.
    #[inline]
    pub fn attackers_to(&self, square: Square, occupied: Bitboard) -> Bitboard {
        self.attackers_of(Color::White, square, occupied) | self.attackers_of(Color::Black, square, occupied)
    }

    /// The pieces of `color` that attack `square` if the squares `occupied` are occupied. Leaps of unmoved met, which
    /// capture in some readings of Ouk Chaktrang, are left out.
    #[inline]
    pub fn attackers_of(&self, color: Color, square: Square, occupied: Bitboard) -> Bitboard {
        let leapers = attacks::bia(!color, square) & self.kind(PieceKind::Bia)
            | attacks::met(square) & self.kind(PieceKind::Met)
            | attacks::khon(!color, square) & self.kind(PieceKind::Khon)
            | attacks::maa(square) & self.kind(PieceKind::Maa)
            | attacks::khun(square) & self.kind(PieceKind::Khun);
        let mut attackers = leapers & self.color(color);
        let ruas = self.pieces(color, PieceKind::Rua);
        if ruas.intersects(attacks::rua_lines(square)) {
            attackers |= attacks::rua(square, occupied) & ruas;
        }
        attackers
    }

    /// The squares that the pieces of `color` attack or guard, by kind.
    #[inline]
    pub fn attack_sets(&self, color: Color) -> AttackSets {
        AttackSets::new(color, |kind| self.pieces(color, kind))
    }

    /// The squares that the pieces of `color` attack or guard if the squares `occupied` are occupied.
    #[inline]
    pub fn attacks_by(&self, color: Color, occupied: Bitboard) -> Bitboard {
        self.attack_sets(color).all(occupied)
    }

    /// The pieces of `color` that stand alone between their own khun and an enemy rua.
    #[inline]
    pub fn pinned(&self, color: Color) -> Bitboard {
        self.blockers(color) & self.color(color)
    }

    /// The pieces of either colour that alone shield the khun of `color` from an enemy rua.
    #[inline]
    pub(crate) fn blockers(&self, color: Color) -> Bitboard {
        let khun = self.khun(color);
        let snipers = self.pieces(!color, PieceKind::Rua) & attacks::rua_lines(khun);
        let mut blockers = Bitboard::EMPTY;
        for rua in snipers {
            let shield = attacks::between(khun, rua) & self.occupied();
            if !shield.more_than_one() {
                blockers |= shield;
            }
        }
        blockers
    }

    /// Puts a piece on an empty square and updates the keys.
    #[inline]
    pub(crate) fn add(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.board[square.index()] = Some(kind);
        self.by_kind[kind.index()] |= square.into();
        self.by_color[color.index()] |= square.into();
        self.toggle_key(color, kind, square);
    }

    /// Takes a piece off the board and updates the keys.
    #[inline]
    pub(crate) fn remove(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.board[square.index()] = None;
        self.by_kind[kind.index()] ^= square.into();
        self.by_color[color.index()] ^= square.into();
        self.toggle_key(color, kind, square);
    }

    #[inline]
    pub(crate) fn toggle_key(&mut self, color: Color, kind: PieceKind, square: Square) {
        self.key ^= zobrist::piece(color, kind, square);
    }

    /// Recomputes the checkers of the side to move. Leaps of unmoved met are left to
    /// [`Position::spend_privileges`].
    #[inline]
    pub(crate) fn update_checkers(&mut self) {
        self.checkers = self.attackers_of(!self.side, self.khun(self.side), self.occupied());
    }

    /// The same position built from its FEN fields alone: the test of all incremental state.
    pub fn recomputed(&self) -> Self {
        let mut fresh = Self::empty();
        for (square, piece) in self.all_pieces() {
            fresh.add(piece.color, piece.kind, square);
        }
        fresh.side = self.side;
        if fresh.side == Color::Black {
            fresh.key ^= zobrist::side();
        }
        fresh.count = self.count;
        fresh.rules = self.rules;
        fresh.find_count_update();
        fresh.set_privileged(self.privileged());
        fresh.halfmove = self.halfmove;
        fresh.plies_from_null = self.plies_from_null;
        fresh.fullmove = self.fullmove;
        fresh.find_checkers();
        fresh
    }

    /// The position with colours exchanged and the board mirrored top to bottom: the same game from
    /// the other side.
    pub fn flipped(&self) -> Self {
        let mut flipped = self.clone();
        flipped.board = [None; 64];
        flipped.by_kind = [Bitboard::EMPTY; 6];
        flipped.by_color = [Bitboard::EMPTY; 2];
        for (square, piece) in self.all_pieces() {
            flipped.add(!piece.color, piece.kind, square.relative(Color::Black));
        }
        flipped.side = !self.side;
        flipped.count = self.count.flipped();
        flipped.privileged = Bitboard(self.privileged().0.swap_bytes()).into();
        flipped.recomputed()
    }

    /// The board as text: eight ranks with their numbers and a line of file letters. An asterisk stands beside the
    /// first rank of the side to move.
    pub fn diagram(&self) -> String {
        let rule = " +---+---+---+---+---+---+---+---+\n";
        let mut text = String::from(rule);
        for rank in Rank::ALL.into_iter().rev() {
            for file in File::ALL {
                let letter = self.piece_on(Square::new(file, rank)).map_or(' ', Piece::letter);
                text.push_str(&format!(" | {letter}"));
            }
            let is_home = rank == Rank::First.relative(self.side);
            text.push_str(&format!(" | {rank}{}\n{rule}", if is_home { " *" } else { "" }));
        }
        text.push_str("   a   b   c   d   e   f   g   h\n");
        text
    }
}

impl Hash for Position {
    /// Writes [`Position::tt_key`]. Equal positions have equal keys.
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.tt_key());
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Position({self})")
    }
}

/// The search copies a position at every node.
const _: () = assert!(size_of::<Position>() <= 184);

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    #[test]
    fn equal_positions_have_one_hash_and_the_count_another() {
        let read = |fen: &str| Position::from_fen(fen).unwrap();
        let fen = "7k/8/8/8/8/8/4R3/4K3 b - 32 9 80";
        let set = HashSet::from([read(fen), read(fen), read("7k/8/8/8/8/8/4R3/4K3 b - 32 10 80")]);
        assert_eq!(set.len(), 2);
    }
}
