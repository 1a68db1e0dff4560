//! A board that is being set up and may be no valid position.

use sakmak_movegen::{
    Bitboard, Color, CountingSystem, Fen, FenError, File, Game, Piece, PlayRules, Position, Rank, Square,
};

/// The parts of a position, valid or not.
#[derive(Clone)]
pub(crate) struct Draft {
    pub(crate) board: [Option<Piece>; 64],
    pub(crate) promoted: Bitboard,
    pub(crate) turn: Color,
    rights: Bitboard,
    /// The counting field of a FEN; `None` if a count begins anew where the rules have one for the pieces.
    count: Option<String>,
    /// The next field: plies of the count, or since the last capture or bia move.
    clock: String,
    fullmove: u32,
}

impl Draft {
    pub(crate) fn empty() -> Self {
        Self {
            board: [None; 64],
            promoted: Bitboard::EMPTY,
            turn: Color::White,
            rights: Bitboard::EMPTY,
            count: None,
            clock: "0".to_owned(),
            fullmove: 1,
        }
    }

    pub(crate) fn of(game: &Game) -> Self {
        let position = game.position();
        let fen = position.to_string();
        let mut tail = fen.split(' ').skip(3).map(str::to_owned);
        Self {
            board: pieces(position),
            promoted: game.promoted(),
            turn: position.side_to_move(),
            rights: position.privileged(),
            count: tail.next(),
            clock: tail.next().unwrap_or_default(),
            fullmove: position.fullmove_number(),
        }
    }

    /// The parts from the text of [`Draft::fen`]; `None` for another text.
    pub(crate) fn from_fen(text: &str) -> Option<Self> {
        let fen: Fen = text.parse().ok()?;
        let fields: Vec<&str> = text.split(' ').collect();
        let [_, turn, rights, count, clock, fullmove] = fields[..] else { return None };
        Some(Self {
            board: std::array::from_fn(|index| fen.setup().piece_on(Square::from_index(index))),
            promoted: fen.promoted(),
            turn: if turn == "w" { Color::White } else { Color::Black },
            rights: rights.chars().filter_map(privileged).fold(Bitboard::EMPTY, |set, square| set | square),
            count: Some(count.to_owned()),
            clock: clock.to_owned(),
            fullmove: fullmove.parse().ok()?,
        })
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
        let anew = if rules.counting == CountingSystem::CuteChess { "0" } else { "-" };
        let count = self.count.as_deref().unwrap_or(anew);
        let turn = if self.turn == Color::White { 'w' } else { 'b' };
        let board = board_field(&self.board, self.promoted);
        format!("{board} {turn} {rights} {count} {} {}", self.clock, self.fullmove)
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

/// The square of a letter that [`right`] writes.
fn privileged(letter: char) -> Option<Bitboard> {
    let file = File::try_from(letter.to_ascii_lowercase()).ok()?;
    let rank = if letter.is_ascii_uppercase() { Rank::First } else { Rank::Eighth };
    Some(Square::new(file, rank).into())
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
