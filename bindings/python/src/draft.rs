//! A board that is being set up and may be no valid position.

use sakmak_movegen::{
    Bitboard, Color, CountingSystem, FenError, File, Game, Piece, PlayRules, Position, Rank, Square,
};

/// The parts of a position, valid or not. Its count begins anew if the rules have one for the pieces.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) board: [Option<Piece>; 64],
    pub(crate) promoted: Bitboard,
    pub(crate) turn: Color,
    rights: Bitboard,
    halfmove: u16,
    fullmove: u32,
}

impl Draft {
    pub(crate) fn empty() -> Self {
        Self {
            board: [None; 64],
            promoted: Bitboard::EMPTY,
            turn: Color::White,
            rights: Bitboard::EMPTY,
            halfmove: 0,
            fullmove: 1,
        }
    }

    pub(crate) fn of(game: &Game) -> Self {
        let position = game.position();
        Self {
            board: pieces(position),
            promoted: game.promoted(),
            turn: position.side_to_move(),
            rights: position.privileged(),
            halfmove: position.halfmove_clock(),
            fullmove: position.fullmove_number(),
        }
    }

    /// Puts a piece on a square or empties it. `promoted` marks a met that was a bia.
    pub(crate) fn set(&mut self, square: Square, piece: Option<Piece>, promoted: bool) {
        self.board[square.index()] = piece;
        let square = Bitboard::from(square);
        self.rights &= !square;
        self.promoted &= !square;
        if promoted {
            self.promoted |= square;
        }
    }

    /// The FEN with promoted bia marked `M~`.
    pub(crate) fn fen(&self, rules: &PlayRules) -> String {
        let mut rights: String = self.rights.into_iter().map(right).collect();
        if rights.is_empty() {
            rights.push('-');
        }
        let count = if rules.counting == CountingSystem::CuteChess { "0" } else { "-" };
        let turn = if self.turn == Color::White { 'w' } else { 'b' };
        let board = board_field(&self.board, self.promoted);
        format!("{board} {turn} {rights} {count} {} {}", self.halfmove, self.fullmove)
    }

    /// The game that begins here.
    pub(crate) fn game(&self, rules: &PlayRules) -> Result<Game, FenError> {
        Game::from_fen(&self.fen(rules), *rules)
    }
}

/// The letter of a first-move privilege in a FEN.
fn right(square: Square) -> char {
    let letter = square.file().char();
    if square.rank() == Rank::First { letter.to_ascii_uppercase() } else { letter }
}

/// The pieces of a position from a1 to h8.
pub(crate) fn pieces(position: &Position) -> [Option<Piece>; 64] {
    std::array::from_fn(|index| position.piece_on(Square::from_index(index)))
}

/// The first field of a FEN.
pub(crate) fn board_field(board: &[Option<Piece>; 64], promoted: Bitboard) -> String {
    let mut text = String::new();
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            let square = Square::new(file, rank);
            let Some(piece) = board[square.index()] else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                text.push_str(&empty.to_string());
                empty = 0;
            }
            text.push(piece.letter());
            if promoted.contains(square) {
                text.push('~');
            }
        }
        if empty > 0 {
            text.push_str(&empty.to_string());
        }
        if rank != Rank::First {
            text.push('/');
        }
    }
    text
}
