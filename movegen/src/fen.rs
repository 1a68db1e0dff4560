//! Forsyth-Edwards notation with Makruk's counting fields.
//!
//! Read: `board side [rights] [limit ply-or-halfmove [move]]`, every trailing field optional. Written:
//! Fairy-Stockfish's form, `board side - limit ply move` while a count runs and
//! `board side - - halfmove move` otherwise. The rights are the files of the men that have a first-move
//! privilege, capitals for White's.
//!
//! Two additions serve systems that Fairy-Stockfish does not know: `88:120` is a limit with the plies left of a
//! second count, and `128w`, `128b` or `128n` says that White, Black or nobody counts, where the numbers alone
//! would say otherwise.

use std::fmt;

use crate::bitboard::Bitboard;
use crate::counting::{Count, CountingSystem};
use crate::position::Position;
use crate::rules::CompiledRules;
use crate::square::Square;
use crate::types::{Color, Piece, PieceKind};
use crate::zobrist;

/// Most men a side can have: handicap games are played with up to five full ranks of them.
const MAX_MEN: u32 = 48;
/// Largest counting limit, counting ply and half-move clock a FEN may give, in plies: what a position
/// can hold, so that every FEN written can be read.
const MAX_PLIES: u32 = u16::MAX as u32;
/// Largest move number a FEN may give.
const MAX_MOVE: u32 = 1_000_000_000;

/// Why a FEN was refused: the field and what is wrong with it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum FenError {
    /// There is no text.
    #[error("FEN is empty")]
    Empty,
    /// A letter that stands for no man.
    #[error("FEN board: '{0}' on rank {1} is no Makruk man (use K M S N R P, small for Black)")]
    UnknownMan(char, u8),
    /// A `~` that does not follow a met.
    #[error("FEN board: '~' on rank {0} must follow a met (M~)")]
    StrayPromotionMark(u8),
    /// A rank with more or fewer than eight squares.
    #[error("FEN board: rank {0} does not have 8 squares")]
    RankLength(u8),
    /// More or fewer than eight ranks.
    #[error("FEN board: there must be 8 ranks, not {0}")]
    RankCount(usize),
    /// A side without a khun or with several.
    #[error("FEN board: {0} has {1} khun, not one")]
    KhunCount(Color, u32),
    /// A side with more than 48 men.
    #[error("FEN board: {0} has {1} men, more than 48")]
    TooManyMen(Color, u32),
    /// A bia on its own first rank or on the last.
    #[error("FEN board: a {0} bia cannot stand on {1}")]
    ImpossibleBia(Color, Square),
    /// The side to move could capture the khun.
    #[error("FEN board: {0} is in check but it is {1}'s turn")]
    KhunCapturable(Color, Color),
    /// Neither `w` nor `b`.
    #[error("FEN side to move: '{0}' is neither w nor b")]
    Side(String),
    /// A third field that is not `-` or castling-style letters.
    #[error("FEN rights: '{0}' is not '-'")]
    Rights(String),
    /// A number that is none, or is out of range.
    #[error("FEN {field}: '{text}' is not a number from 0 to {max}")]
    Number {
        /// Which field.
        field: &'static str,
        /// What stands there.
        text: String,
        /// The largest number allowed.
        max: u32,
    },
    /// A count that names its counter under a system whose counts belong to neither side.
    #[error("FEN counting limit: '{0}' names who counts, but these counts belong to neither side")]
    CountOwner(String),
    /// More text after the last field.
    #[error("FEN has more fields than it should: '{0}'")]
    TrailingText(String),
}

pub(crate) fn parse(text: &str, rules: CompiledRules) -> Result<Position, FenError> {
    let mut fields = text.split_ascii_whitespace();
    let board = fields.next().ok_or(FenError::Empty)?;
    let mut position = Position::empty();
    position.rules = rules;
    place_men(&mut position, board)?;

    position.side = match fields.next() {
        Some("w") => Color::White,
        Some("b") => Color::Black,
        other => return Err(FenError::Side(clip(other.unwrap_or_default()))),
    };
    if position.side == Color::Black {
        position.key ^= zobrist::side();
    }

    let rest: Vec<&str> = fields.take(5).collect();
    let owner = parse_tail(&mut position, &rest)?;
    position.find_checkers();
    validate(&position)?;
    let given = position.count;
    position.set_up_count();
    if let Some(owner) = owner
        && (given.limit(), given.ply()) == (position.count.limit(), position.count.ply())
    {
        position.count = position.count.owned_by(owner);
    }
    Ok(position)
}

/// Splits the letter of the counter off a counting limit.
fn split_owner(limit: &str) -> (&str, Option<Option<Color>>) {
    let names = [('w', Some(Color::White)), ('b', Some(Color::Black)), ('n', None)];
    names
        .into_iter()
        .find_map(|(letter, owner)| Some((limit.strip_suffix(letter)?, Some(owner))))
        .unwrap_or((limit, None))
}

fn place_men(position: &mut Position, board: &str) -> Result<(), FenError> {
    let ranks: Vec<&str> = board.split('/').collect();
    if ranks.len() != 8 {
        return Err(FenError::RankCount(ranks.len()));
    }
    for (text, rank) in ranks.into_iter().zip((0..8u8).rev()) {
        let mut file = 0;
        let mut last = None;
        for letter in text.chars() {
            if let Some(digit @ 1..=8) = letter.to_digit(10) {
                file += digit as u8;
                last = None;
            } else if letter == '~' {
                // The mark of a promoted bia: it is a met like any other.
                if last.take() != Some(PieceKind::Met) {
                    return Err(FenError::StrayPromotionMark(rank + 1));
                }
                continue;
            } else {
                let piece = Piece::from_letter(letter).ok_or(FenError::UnknownMan(letter, rank + 1))?;
                if file < 8 {
                    let square = Square::new(file, rank);
                    // Counted here, since the keys know at most 64 men of a kind.
                    let men = position.color(piece.color).len() + 1;
                    if men > MAX_MEN {
                        return Err(FenError::TooManyMen(piece.color, men));
                    }
                    position.add(piece.color, piece.kind, square);
                }
                file += 1;
                last = Some(piece.kind);
            }
            if file > 8 {
                return Err(FenError::RankLength(rank + 1));
            }
        }
        if file != 8 {
            return Err(FenError::RankLength(rank + 1));
        }
    }
    Ok(())
}

/// Reads what follows the side to move. The rights may be missing, and so may everything after them:
/// `- - 0 1`, `- 0 0 1`, `- 128 49 91`, `0 1`, `128 49 91`, `- -`, `- 0` and nothing are all in use. Returns who
/// counts, if the count says so.
fn parse_tail(position: &mut Position, fields: &[&str]) -> Result<Option<Option<Color>>, FenError> {
    let is_number = |field: &&str| field.starts_with(|c: char| c.is_ascii_digit());
    let mut privileged = Bitboard::EMPTY;
    let (limit, rest) = match fields {
        // No rights: two numbers are the clocks, three are the count and the move.
        [first, ..] if is_number(first) => {
            if fields.len() >= 3 {
                (fields[0], &fields[1..])
            } else {
                ("-", fields)
            }
        }
        [rights, rest @ ..] => {
            if !is_rights(rights) {
                return Err(FenError::Rights(clip(rights)));
            }
            privileged = rights_squares(rights);
            match rest {
                [limit, rest @ ..] => (*limit, rest),
                [] => ("-", rest),
            }
        }
        [] => ("-", fields),
    };
    if limit == "-" && position.rules.counting == CountingSystem::CuteChess {
        // Cute Chess counts only in games whose FEN has a number here.
        position.rules.counting = CountingSystem::FiftyMoves;
    }
    let (limit, owner) = split_owner(limit);
    if owner.is_some() && !position.rules.counting.has_owner() {
        return Err(FenError::CountOwner(clip(fields[fields.len().min(2) - 1])));
    }
    let (limit, second) = match limit.split_once(':') {
        Some((limit, second)) => (limit, number("second count", second, MAX_PLIES)?),
        None => (limit, 0),
    };
    let limit = if limit == "-" { 0 } else { number("counting limit", limit, MAX_PLIES)? };
    let clock = match rest.first() {
        Some(text) if limit > 0 => number("counting ply", text, MAX_PLIES)?,
        Some(text) => number("half-move clock", text, MAX_PLIES)?,
        None => 0,
    };
    let fullmove = rest.get(1).map_or(Ok(1), |text| number("move number", text, MAX_MOVE))?;
    if let Some(extra) = rest.get(2) {
        return Err(FenError::TrailingText(clip(extra)));
    }
    if limit > 0 {
        position.count = Count::new(limit as u16, clock as u16).with_second(second as u16);
    } else {
        position.halfmove = clock as u16;
    }
    position.fullmove = fullmove.max(1);
    position.set_privileged(privileged);
    Ok(owner)
}

/// `-`, or the letters with which FENs give castling rights and first-move privileges. Those that mean
/// nothing under the rules at hand are ignored.
fn is_rights(field: &str) -> bool {
    field == "-" || field.bytes().all(|b| matches!(b, b'K' | b'Q' | b'k' | b'q' | b'A'..=b'H' | b'a'..=b'h'))
}

/// The squares of the first and last rank that files in the rights stand for.
fn rights_squares(field: &str) -> Bitboard {
    let square = |letter: u8| match letter {
        b'A'..=b'H' => Some(Square::new(letter - b'A', 0)),
        b'a'..=b'h' => Some(Square::new(letter - b'a', 7)),
        _ => None,
    };
    field.bytes().filter_map(square).fold(Bitboard::EMPTY, |set, square| set | square.into())
}

fn number(field: &'static str, text: &str, max: u32) -> Result<u32, FenError> {
    match text.parse::<u32>() {
        Ok(value) if value <= max && !text.starts_with('+') => Ok(value),
        _ => Err(FenError::Number { field, text: clip(text), max }),
    }
}

/// Enough of a wrong field to recognise it by.
fn clip(text: &str) -> String {
    text.chars().take(20).collect()
}

fn validate(position: &Position) -> Result<(), FenError> {
    for color in Color::ALL {
        let khuns = position.men(color, PieceKind::Khun).len();
        if khuns != 1 {
            return Err(FenError::KhunCount(color, khuns));
        }
        // Handicap games start with bia on the second rank, and one set up beyond the sixth promotes
        // on its next move. On the last rank it would have none, and on the first it never stands.
        let impossible = Bitboard::rank(0) | Bitboard::rank(7);
        if let Some(square) = (position.men(color, PieceKind::Bia) & impossible).first() {
            return Err(FenError::ImpossibleBia(color, square));
        }
    }
    let (us, them) = (position.side, !position.side);
    if position.is_attacked(us, position.khun(them), position.occupied()) {
        return Err(FenError::KhunCapturable(them, us));
    }
    Ok(())
}

/// The squares to which a valid FEN gives rights.
pub(crate) fn rights(text: &str) -> Bitboard {
    let field = text.split_ascii_whitespace().nth(2).filter(|field| is_rights(field));
    field.map_or(Bitboard::EMPTY, rights_squares)
}

/// The squares of the met a valid FEN marks as promoted bia.
pub(crate) fn promoted(text: &str) -> Bitboard {
    let board = text.split_ascii_whitespace().next().unwrap_or_default();
    let mut set = Bitboard::EMPTY;
    for (rank_text, rank) in board.split('/').zip((0..8u8).rev()) {
        let mut file = 0;
        for letter in rank_text.chars() {
            match letter.to_digit(10) {
                Some(empty) => file += empty as u8,
                None if letter == '~' && (1..=8).contains(&file) => set |= Square::new(file - 1, rank).into(),
                None => file += 1,
            }
        }
    }
    set
}

/// The FEN with `~` after the met of a set.
pub(crate) fn marked(position: &Position, promoted: Bitboard) -> String {
    struct Marked<'a>(&'a Position, Bitboard);
    impl fmt::Display for Marked<'_> {
        fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            write_marked(self.0, self.1, f)
        }
    }
    Marked(position, promoted & position.kind(PieceKind::Met)).to_string()
}

pub(crate) fn write(position: &Position, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_marked(position, Bitboard::EMPTY, f)
}

fn write_marked(position: &Position, promoted: Bitboard, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    for rank in (0..8).rev() {
        let mut empty = 0;
        for file in 0..8 {
            match position.piece_on(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    if empty > 0 {
                        write!(f, "{empty}")?;
                        empty = 0;
                    }
                    write!(f, "{}", piece.letter())?;
                    if promoted.contains(Square::new(file, rank)) {
                        f.write_str("~")?;
                    }
                }
            }
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank > 0 {
            f.write_str("/")?;
        }
    }
    let side = if position.side == Color::White { 'w' } else { 'b' };
    write!(f, " {side} ")?;
    for square in position.privileged() {
        let letter = char::from(b'a' + square.file());
        write!(f, "{}", if square.rank() == 0 { letter.to_ascii_uppercase() } else { letter })?;
    }
    if position.privileged.is_empty() {
        f.write_str("-")?;
    }
    let (count, counting) = (position.count, position.rules.counting);
    let fullmove = position.fullmove;
    match counting {
        CountingSystem::FiftyMoves => write!(f, " - {} {fullmove}", position.halfmove),
        // Cute Chess does not advance this field while no count runs.
        CountingSystem::CuteChess if !count.is_running() => write!(f, " 0 0 {fullmove}"),
        _ if !count.is_running() => write!(f, " - {} {fullmove}", position.halfmove),
        _ => {
            write!(f, " {}", count.limit())?;
            if count.second() > 0 {
                write!(f, ":{}", count.second())?;
            }
            if count.owner() != position.count_owner_in_fen() {
                f.write_str(
                    count.owner().map_or("n", |owner| if owner == Color::White { "w" } else { "b" }),
                )?;
            }
            write!(f, " {} {fullmove}", count.ply())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Position, FenError> {
        super::parse(text, CompiledRules::default())
    }

    const BOARD: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR";

    #[test]
    fn every_spelling_of_the_tail() {
        for (tail, written) in [
            ("w - - 0 1", "w - - 0 1"),
            ("w - 0 0 1", "w - - 0 1"),
            ("w 0 1", "w - - 0 1"),
            ("w - -", "w - - 0 1"),
            ("w - 0", "w - - 0 1"),
            ("w", "w - - 0 1"),
            ("w - - 7", "w - - 7 1"),
            ("w - - 0 0", "w - - 0 1"),
            ("w - 128 49 91", "w - 128 49 91"),
            ("w - 128 0 33", "w - 128 0 33"),
            ("w - 128 49", "w - 128 49 1"),
            ("w 128 49 91", "w - 128 49 91"),
            ("b KQkq - 3 9", "b - - 3 9"),
            ("b DEde - 3 9", "b - - 3 9"),
        ] {
            let position = parse(&format!("{BOARD} {tail}")).unwrap();
            assert_eq!(position.to_string(), format!("{BOARD} {written}"), "{tail}");
        }
        assert_eq!(parse(&format!("  {BOARD}   w -  - 0 1 \t")).unwrap(), Position::startpos());
    }

    #[test]
    fn promoted_bia_are_met() {
        let marked = parse("4k3/8/M~7/8/8/8/3R4/4K3 w - - 0 1").unwrap();
        assert_eq!(marked, parse("4k3/8/M7/8/8/8/3R4/4K3 w - - 0 1").unwrap());
    }

    #[test]
    fn errors_name_the_field_and_the_reason() {
        for (fen, message) in [
            ("", "FEN is empty"),
            ("zzz", "FEN board: there must be 8 ranks, not 1"),
            ("8/8/8/8/8/8/8/8 w", "FEN board: white has 0 khun, not one"),
            ("4kk2/8/8/8/8/8/8/4K3 w", "FEN board: black has 2 khun, not one"),
            ("4k4/8/8/8/8/8/8/4K3 w", "FEN board: rank 8 does not have 8 squares"),
            ("4k3/8/8/8/8/8/7/4K3 w", "FEN board: rank 2 does not have 8 squares"),
            (
                "4k3/8/8/8/8/8/8/4Q3 w",
                "FEN board: 'Q' on rank 1 is no Makruk man (use K M S N R P, small for Black)",
            ),
            ("4k3/8/R~7/8/8/8/8/4K3 w", "FEN board: '~' on rank 6 must follow a met (M~)"),
            ("4k3/8/8/8/8/8/4R3/4K3 w", "FEN board: black is in check but it is white's turn"),
            ("4k3/8/8/8/8/8/8/P3K3 w", "FEN board: a white bia cannot stand on a1"),
            ("4k3/8/8/8/8/8/8/p3K3 w", "FEN board: a black bia cannot stand on a1"),
            (
                "K6k/MMMMMMMM/MMMMMMMM/MMMMMMMM/MMMMMMMM/MMMMMMMM/MMMMMMMM/8 w",
                "FEN board: white has 49 men, more than 48",
            ),
            ("4k3/8/8/8/8/8/8/4K3", "FEN side to move: '' is neither w nor b"),
            ("4k3/8/8/8/8/8/8/4K3 x - - 0 1", "FEN side to move: 'x' is neither w nor b"),
            ("4k3/8/8/8/8/8/8/4K3 w ? - 0 1", "FEN rights: '?' is not '-'"),
            (
                "4k3/8/8/8/8/8/8/4K3 w - 99999999999 -5 0",
                "FEN counting limit: '99999999999' is not a number from 0 to 65535",
            ),
            ("4k3/8/8/8/8/8/8/4K3 w - 16 -5 0", "FEN counting ply: '-5' is not a number from 0 to 65535"),
            ("4k3/8/8/8/8/8/8/4K3 w - - x 0", "FEN half-move clock: 'x' is not a number from 0 to 65535"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1.", "FEN move number: '1.' is not a number from 0 to 1000000000"),
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1 2", "FEN has more fields than it should: '2'"),
        ] {
            assert_eq!(parse(fen).unwrap_err().to_string(), message, "{fen}");
        }
    }

    #[test]
    fn bia_set_up_beyond_the_sixth_rank_promote_on_their_next_move() {
        let position = parse("3k4/8/4P3/8/8/8/8/3K4 w - - 0 1").unwrap();
        assert!(position.parse_move("e6e7m").is_ok());
        assert!(position.parse_move("e6e7").is_err());
        assert!(parse("8/4P3/8/3k4/8/8/8/3K4 w - - 0 1").unwrap().parse_move("e7e8m").is_ok());
    }
}
