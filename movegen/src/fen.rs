//! Forsyth-Edwards notation with Makruk's counting fields.
//!
//! Read: `board side [rights] [limit ply-or-halfmove [move]]`. All fields after the side are optional. Blanks separate
//! the fields, or underscores, as in links. Written is Fairy-Stockfish's form, `board side - limit ply move` while a
//! count runs and `board side - - halfmove move` otherwise. The rights are the files of the pieces with a first-move
//! privilege, capitals for White's.
//!
//! `M~` and `F` (`m~` and `f` for Black) mark a met that was a bia. It is written `M` or, on demand, `M~`.
//!
//! Two additions serve other counting systems: `88:120` is a limit with the plies left of a second count, and `128w`,
//! `128b` or `128n` means that White, Black or neither side counts, if the numbers alone would name another.
//!
//! A [`Fen`] is the text in typed fields, a [`Setup`] may be invalid, a [`Position`] is valid.

use alloc::borrow::ToOwned;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt;
use core::str::FromStr;

use crate::bitboard::Bitboard;
use crate::clip;
use crate::count::Count;
use crate::position::Position;
use crate::rules::{CountingSystem, PlayRules, Rules};
use crate::setup::{CountOwner, MAX_MOVE_NUMBER, Setup, SetupError};
use crate::square::{File, Rank, Square};
use crate::types::{Color, Piece, PieceKind};

/// Largest counting limit, counting ply and half-move clock of a FEN, in plies: the largest that a position can hold.
const MAX_PLIES: u32 = u16::MAX as u32;

/// White's letter for a promoted bia in FENs of programs that have no `M~`.
const PROMOTED_LETTER: char = 'F';

/// Why a FEN was refused: the field and what is wrong with it.
///
/// ```
/// use sakmak_movegen::{FenError, Position};
///
/// let error = Position::from_fen("4k3/8/8/8/8/8/4Q3/4K3 w").unwrap_err();
/// assert_eq!(error, FenError::UnknownPiece { letter: 'Q', rank: 2 });
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FenError {
    /// There is no text.
    #[error("FEN is empty")]
    Empty,
    /// A letter that stands for no piece.
    #[error("FEN board: '{letter}' on rank {rank} is no Makruk piece (use K M S N R P, small for Black)")]
    UnknownPiece {
        /// The letter.
        letter: char,
        /// The rank it stands on, 1 to 8.
        rank: u8,
    },
    /// A `~` that does not follow a met.
    #[error("FEN board: '~' on rank {rank} must follow a met (M~)")]
    StrayPromotionMark {
        /// The rank it stands on, 1 to 8.
        rank: u8,
    },
    /// A rank with more or fewer than eight squares.
    #[error("FEN board: rank {rank} does not have 8 squares")]
    RankLength {
        /// The rank, 1 to 8.
        rank: u8,
    },
    /// More or fewer than eight ranks.
    #[error("FEN board: there must be 8 ranks, not {count}")]
    RankCount {
        /// How many there are.
        count: usize,
    },
    /// Neither `w` nor `b`.
    #[error("FEN side to move: '{text}' is neither w nor b")]
    SideToMove {
        /// What stands there.
        text: String,
    },
    /// A third field that is not `-` or castling-style letters.
    #[error("FEN rights: '{text}' is not '-'")]
    Rights {
        /// What stands there.
        text: String,
    },
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
    #[error("FEN counting limit: '{text}' names who counts, but these counts belong to neither side")]
    CountOwner {
        /// What stands there.
        text: String,
    },
    /// More text after the last field.
    #[error("FEN has more fields than it should: '{text}'")]
    TrailingText {
        /// The first field too many.
        text: String,
    },
    /// The fields are well formed, but the position is not valid.
    #[error("FEN board: {error}")]
    Invalid {
        /// The condition that is not met.
        error: SetupError,
    },
}

/// A FEN split into its fields: well formed, but not necessarily a valid position.
///
/// ```
/// use sakmak_movegen::{Color, Fen, Position, Rules, Square};
///
/// let fen: Fen = "4k3/8/M~7/8/8/8/3R4/4K3 b - 32 9 80".parse()?;
/// assert_eq!(fen.promoted().into_iter().collect::<Vec<_>>(), [Square::A6]);
/// let position = fen.position(Rules::default())?;
/// assert_eq!(position.side_to_move(), Color::Black);
/// assert_eq!((position.count().limit(), position.count().ply()), (32, 9));
///
/// assert_eq!(fen.to_string(), "4k3/8/M~7/8/8/8/3R4/4K3 b - 32 9 80");
///
/// let error = "4k3/8/8/8/8/8/8/4K3 w - - x".parse::<Fen>().unwrap_err();
/// assert_eq!(error.to_string(), "FEN half-move clock: 'x' is not a number from 0 to 65535");
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Fen {
    setup: Setup,
    promoted: Bitboard,
    /// What stands in the counting field; `-` if there is none.
    count_text: String,
}

impl Fen {
    /// The board and the numbers. Its rights are the squares of all letters in the third field, whether or not the
    /// rules have privileges there.
    pub fn setup(&self) -> &Setup {
        &self.setup
    }

    /// The met that are marked as promoted bia (`M~` or `F`).
    pub fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// The rules by which a program that plays `rules` plays this FEN.
    ///
    /// They are `rules`, with one exception: Cute Chess counts only if the FEN has a number in the counting field.
    /// Without one, [`CountingSystem::CuteChess`] becomes [`CountingSystem::FiftyMoves`].
    ///
    /// ```
    /// use sakmak_movegen::{CountingSystem, Fen, Rules, Ruleset, Variant};
    ///
    /// let rules = Rules::new(Variant::Makruk, Ruleset::CuteChess);
    /// let counting = |text: &str| text.parse::<Fen>().map(|fen| fen.implied_rules(rules).counting);
    /// assert_eq!(counting("4k3/8/8/8/8/8/4P3/4K3 w - 0 0 1"), Ok(CountingSystem::CuteChess));
    /// assert_eq!(counting("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"), Ok(CountingSystem::FiftyMoves));
    /// ```
    pub fn implied_rules(&self, rules: impl Into<PlayRules>) -> PlayRules {
        let mut rules = rules.into();
        let gives_count = self.count_text.starts_with(|c: char| c.is_ascii_digit());
        if rules.counting == CountingSystem::CuteChess && !gives_count {
            rules.counting = CountingSystem::FiftyMoves;
        }
        rules
    }

    /// The position under exactly these rules; see [`Fen::implied_rules`].
    ///
    /// # Errors
    /// If the position is not valid, or names who counts although counts belong to neither side.
    pub fn position(&self, rules: impl Into<PlayRules>) -> Result<Position, FenError> {
        self.setup.build(rules).map_err(|error| match error {
            SetupError::CountOwner => FenError::CountOwner { text: clip(&self.count_text) },
            error => FenError::Invalid { error },
        })
    }
}

impl FromStr for Fen {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        // Links have underscores between the fields.
        if text.contains('_') && !text.trim().contains(char::is_whitespace) {
            return text.replace('_', " ").parse();
        }
        let mut fields = text.split_ascii_whitespace();
        let board = fields.next().ok_or(FenError::Empty)?;
        let (setup, promoted) = read_board(board)?;
        let setup = setup.side_to_move(match fields.next() {
            Some("w") => Color::White,
            Some("b") => Color::Black,
            other => return Err(FenError::SideToMove { text: clip(other.unwrap_or_default()) }),
        });
        let tail: Vec<&str> = fields.take(5).collect();
        let (rights, count_text, clocks) = split_tail(&tail)?;
        let setup = read_count_and_clocks(setup.privileged(rights), count_text, clocks)?;
        Ok(Self { setup, promoted, count_text: count_text.to_owned() })
    }
}

/// The pieces of the first field, and the met marked as promoted bia.
fn read_board(board: &str) -> Result<(Setup, Bitboard), FenError> {
    let (mut setup, mut promoted) = (Setup::empty(), Bitboard::EMPTY);
    let count = board.split('/').count();
    if count != 8 {
        return Err(FenError::RankCount { count });
    }
    for (text, rank) in board.split('/').zip(Rank::ALL.into_iter().rev()) {
        let number = rank as u8 + 1;
        let wrong_length = FenError::RankLength { rank: number };
        let mut file = 0;
        let mut last = None;
        for letter in text.chars() {
            if let Some(digit @ 1..=8) = letter.to_digit(10) {
                file += digit as usize;
                last = None;
            } else if letter == '~' {
                let Some((square, PieceKind::Met)) = last.take() else {
                    return Err(FenError::StrayPromotionMark { rank: number });
                };
                promoted |= Bitboard::from_square(square);
            } else {
                let unknown = FenError::UnknownPiece { letter, rank: number };
                let piece = piece_from_letter(letter).ok_or(unknown)?;
                let Some(&on_file) = File::ALL.get(file) else { return Err(wrong_length) };
                let square = Square::new(on_file, rank);
                if letter.eq_ignore_ascii_case(&PROMOTED_LETTER) {
                    promoted |= Bitboard::from_square(square);
                }
                setup = setup.piece(square, piece);
                last = Some((square, piece.kind));
                file += 1;
            }
            if file > 8 {
                return Err(wrong_length);
            }
        }
        if file != 8 {
            return Err(wrong_length);
        }
    }
    Ok((setup, promoted))
}

/// A piece by its letter, a promoted bia by its own included.
fn piece_from_letter(letter: char) -> Option<Piece> {
    Piece::from_letter(match letter {
        PROMOTED_LETTER => 'M',
        'f' => 'm',
        other => other,
    })
}

/// Splits the fields after the side to move into the squares of the rights, the counting field and the clocks. In use
/// are `- - 0 1`, `- 0 0 1`, `- 128 49 91`, `0 1`, `128 49 91`, `- -`, `- 0` and no field at all.
fn split_tail<'a>(fields: &'a [&'a str]) -> Result<(Bitboard, &'a str, &'a [&'a str]), FenError> {
    let is_number = |field: &str| field.starts_with(|c: char| c.is_ascii_digit());
    match fields {
        // Without rights three numbers are the count and the move, two are the clocks.
        [limit, clocks @ ..] if is_number(limit) && clocks.len() >= 2 => Ok((Bitboard::EMPTY, limit, clocks)),
        [first, ..] if is_number(first) => Ok((Bitboard::EMPTY, "-", fields)),
        [] => Ok((Bitboard::EMPTY, "-", fields)),
        [rights] => Ok((read_rights(rights)?, "-", &[])),
        [rights, limit, clocks @ ..] => Ok((read_rights(rights)?, limit, clocks)),
    }
}

/// The squares of the rights: `-`, or the letters of first-move privileges. Castling letters are ignored.
fn read_rights(field: &str) -> Result<Bitboard, FenError> {
    if field == "-" {
        return Ok(Bitboard::EMPTY);
    }
    let mut squares = Bitboard::EMPTY;
    for letter in field.chars() {
        let rank = if letter.is_ascii_uppercase() { Rank::First } else { Rank::Eighth };
        match File::try_from(letter.to_ascii_lowercase()) {
            Ok(file) => squares |= Square::new(file, rank).into(),
            Err(_) if matches!(letter, 'K' | 'Q' | 'k' | 'q') => {}
            Err(_) => return Err(FenError::Rights { text: clip(field) }),
        }
    }
    Ok(squares)
}

fn read_count_and_clocks(setup: Setup, count_text: &str, clocks: &[&str]) -> Result<Setup, FenError> {
    let (limit, owner) = split_owner(count_text);
    let (limit, second) = match limit.split_once(':') {
        Some((limit, second)) => (limit, number("second count", second, MAX_PLIES)?),
        None => (limit, 0),
    };
    let limit = if limit == "-" { 0 } else { number("counting limit", limit, MAX_PLIES)? };
    let clock = match clocks.first() {
        Some(text) if limit > 0 => number("counting ply", text, MAX_PLIES)?,
        Some(text) => number("half-move clock", text, MAX_PLIES)?,
        None => 0,
    };
    let fullmove = clocks.get(1).map_or(Ok(1), |text| number("move number", text, MAX_MOVE_NUMBER))?;
    if let Some(extra) = clocks.get(2) {
        return Err(FenError::TrailingText { text: clip(extra) });
    }
    let setup = setup.count_owner(owner).fullmove_number(fullmove);
    Ok(if limit > 0 {
        setup.count(Count::new(limit as u16, clock as u16).with_second(second as u16))
    } else {
        setup.halfmove_clock(clock as u16)
    })
}

/// Splits the letter of the counter off a counting limit.
fn split_owner(limit: &str) -> (&str, CountOwner) {
    let letters = [
        ('w', CountOwner::Side(Color::White)),
        ('b', CountOwner::Side(Color::Black)),
        ('n', CountOwner::Nobody),
    ];
    letters
        .into_iter()
        .find_map(|(letter, owner)| Some((limit.strip_suffix(letter)?, owner)))
        .unwrap_or((limit, CountOwner::ByRules))
}

fn number(field: &'static str, text: &str, max: u32) -> Result<u32, FenError> {
    match text.parse::<u32>() {
        Ok(value) if value <= max && !text.starts_with('+') => Ok(value),
        _ => Err(FenError::Number { field, text: clip(text), max }),
    }
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

impl Position {
    /// The position of a FEN in Fairy-Stockfish's or Cute Chess's form, by the default rules. Missing fields mean no
    /// count, halfmove 0, move 1.
    ///
    /// # Errors
    /// A [`FenError`] that names the first field that is wrong and why.
    pub fn from_fen(text: &str) -> Result<Self, FenError> {
        Self::from_fen_with(text, PlayRules::default())
    }

    /// The position of a FEN by exactly these rules; see [`Fen::implied_rules`]. The third field gives first-move
    /// privileges by the files of the pieces (`DEde`). If the FEN has no count, one starts at once if the rules have
    /// one for the position.
    ///
    /// # Errors
    /// A [`FenError`] that names the first field that is wrong and why.
    pub fn from_fen_with(text: &str, rules: impl Into<PlayRules>) -> Result<Self, FenError> {
        text.parse::<Fen>()?.position(rules)
    }
}

impl fmt::Display for Position {
    /// The FEN in Fairy-Stockfish's form.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_marked(self, Bitboard::EMPTY, f)
    }
}

impl FromStr for Position {
    type Err = FenError;

    fn from_str(text: &str) -> Result<Self, FenError> {
        Self::from_fen(text)
    }
}

impl Rules {
    /// The FEN of the start position, with upturned boats marked `M~`.
    pub fn start_fen(&self) -> String {
        let upturned = self.upturned_boats(Color::White) | self.upturned_boats(Color::Black);
        marked(&Position::start(*self), upturned)
    }
}

fn write_marked(position: &Position, promoted: Bitboard, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write_board(|square| position.piece_on(square), promoted, f)?;
    write_side_and_rights(position.side, position.privileged(), f)?;
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

fn write_board(
    piece_on: impl Fn(Square) -> Option<Piece>,
    promoted: Bitboard,
    f: &mut fmt::Formatter<'_>,
) -> fmt::Result {
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for square in File::ALL.map(|file| Square::new(file, rank)) {
            let Some(piece) = piece_on(square) else {
                empty += 1;
                continue;
            };
            if empty > 0 {
                write!(f, "{empty}")?;
                empty = 0;
            }
            write!(f, "{piece}{}", if promoted.contains(square) { "~" } else { "" })?;
        }
        if empty > 0 {
            write!(f, "{empty}")?;
        }
        if rank > Rank::First {
            f.write_str("/")?;
        }
    }
    Ok(())
}

fn write_side_and_rights(side: Color, rights: Bitboard, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    write!(f, " {} ", side.letter())?;
    for square in rights {
        let letter = square.file().char();
        write!(f, "{}", if square.rank() == Rank::First { letter.to_ascii_uppercase() } else { letter })?;
    }
    if rights.is_empty() { f.write_str("-") } else { Ok(()) }
}

impl fmt::Display for Fen {
    /// All fields, those that were missing included. Read again it gives an equal value.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { setup, promoted, count_text } = self;
        write_board(|square| setup.piece_on(square), *promoted, f)?;
        write_side_and_rights(setup.side, setup.privileged, f)?;
        let clock = if setup.count.is_running() { setup.count.ply() } else { setup.halfmove };
        write!(f, " {count_text} {clock} {}", setup.fullmove)
    }
}

impl TryFrom<Fen> for Position {
    type Error = FenError;

    /// The position by the default rules.
    fn try_from(fen: Fen) -> Result<Self, FenError> {
        fen.position(PlayRules::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Result<Position, FenError> {
        text.parse::<Fen>()?.position(PlayRules::default())
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
            let fen: Fen = format!("{BOARD} {tail}").parse().unwrap();
            assert_eq!(fen.to_string().parse(), Ok(fen), "{tail}");
        }
        assert_eq!(parse(&format!("  {BOARD}   w -  - 0 1 \t")).unwrap(), Position::startpos());
        // As links write it.
        assert_eq!(parse(&format!(" {BOARD}_w_-_-_0_1\n")).unwrap(), Position::startpos());
        assert_eq!(parse(&format!("{BOARD}_b")).unwrap().to_string(), format!("{BOARD} b - - 0 1"));
        assert!(parse(&format!("{BOARD}_w -_- 0 1")).is_err() && parse("_").is_err());
    }

    #[test]
    fn promoted_bia_are_met() {
        let plain = parse("4k3/8/M2m4/8/8/8/3R4/4K3 w - - 0 1").unwrap();
        let promoted = Bitboard::from(Square::A6) | Bitboard::from(Square::D6);
        for rank in ["M~2m~4", "F2f4", "F~2f~4", "M~2f4"] {
            let fen: Fen = format!("4k3/8/{rank}/8/8/8/3R4/4K3 w - - 0 1").parse().unwrap();
            assert_eq!(fen.promoted(), promoted, "{rank}");
            let position = fen.position(PlayRules::default()).unwrap();
            assert_eq!(position, plain, "{rank}");
            assert_eq!(marked(&position, fen.promoted()), "4k3/8/M~2m~4/8/8/8/3R4/4K3 w - - 0 1");
        }
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
                "FEN board: 'Q' on rank 1 is no Makruk piece (use K M S N R P, small for Black)",
            ),
            ("4k3/8/R~7/8/8/8/8/4K3 w", "FEN board: '~' on rank 6 must follow a met (M~)"),
            ("4k3/8/8/8/8/8/4R3/4K3 w", "FEN board: black is in check but it is white's turn"),
            ("4k3/8/8/8/8/8/8/P3K3 w", "FEN board: a white bia cannot stand on a1"),
            ("4k3/8/8/8/8/8/8/p3K3 w", "FEN board: a black bia cannot stand on a1"),
            (
                "K6k/MMMMMMMM/MMMMMMMM/MMMMMMMM/MMMMMMMM/MMMMMMMM/MMMMMMMM/8 w",
                "FEN board: white has 49 pieces, more than 48",
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
