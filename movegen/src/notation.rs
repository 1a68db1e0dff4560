//! Moves as players write them: short and long algebraic notation in several alphabets.
//!
//! [`Notation::write`] writes Fairy-Stockfish's form, with one exception: a Thai promotion is `=ง`, the letter of the
//! promoted bia in all its later moves, where Fairy-Stockfish's library writes `=M`.
//!
//! [`Notation::read`] accepts what real files contain: missing, wrong or spelled-out check marks (`ch`, `mate`), `=M`,
//! `=F`, `(M)`, `M` or nothing after a promotion in either alphabet, superfluous or Western letters, figurines,
//! coordinates.

use alloc::string::String;
use alloc::vec::Vec;
use core::fmt::Write;

use crate::bitboard::Bitboard;
use crate::clip;
use crate::move_names::{MoveNames, THAI_FILES, THAI_RANKS};
use crate::moves::{Move, MoveList};
use crate::position::Position;
use crate::rules::named;
use crate::square::{File, Rank, Square};
use crate::types::PieceKind;

named! {
    /// A way to write moves.
    ///
    /// ```
    /// use sakmak_movegen::{Bitboard, Notation, Position};
    ///
    /// let position = Position::startpos();
    /// let mv = Notation::San.read(&position, "Nd2", Bitboard::EMPTY)?;
    /// assert_eq!(mv.to_string(), "b1d2");
    /// assert_eq!(Notation::ThaiSan.write(&position, mv, Bitboard::EMPTY), "ม-ง๒");
    /// assert_eq!(Notation::ThaiSan.read(&position, "ม-ง๒", Bitboard::EMPTY)?, mv);
    ///
    /// let error = Notation::San.read(&position, "Nd3", Bitboard::EMPTY).unwrap_err();
    /// assert_eq!(error.to_string(), "'Nd3' is not legal here");
    /// # Ok::<(), sakmak_movegen::NotationError>(())
    /// ```
    Notation, "notation" {
        /// `Nd2`, `exf6=M`: Fairy-Stockfish's letters K M S N R.
        #[default]
        San = "san",
        /// `Nb1-d2`, `e5xf6=M`.
        Lan = "lan",
        /// `ม-ง๒`, `จxฉ๖=ง`: Thai letters and digits.
        ThaiSan = "thai-san",
        /// `ม ข๑-ง๒`, `บ จ๕xฉ๖=ง`.
        ThaiLan = "thai-lan",
        /// `Nd2`, `exf6`: the SchemingMind site's Western letters, Q for met and B for khon; promotions
        /// are not marked.
        SchemingMind = "schemingmind",
        /// `b1d2`, `e5f6m`: the coordinates of UCI.
        Coordinates = "uci",
    }
}

/// Why the text of a move could not be read.
///
/// ```
/// use sakmak_movegen::{Bitboard, Notation, NotationError, Position};
///
/// let position = Position::from_fen("4k3/8/8/8/8/8/1N3N2/4K3 w")?;
/// let error = Notation::San.read(&position, "Nd3", Bitboard::EMPTY).unwrap_err();
/// assert!(matches!(error, NotationError::Ambiguous { .. }));
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NotationError {
    /// Not of the form of any move.
    #[error("'{text}' is not a move")]
    Malformed {
        /// The beginning of the text.
        text: String,
    },
    /// A null move, by which annotators pass. The rules have none.
    #[error("'{text}' is a null move, which the rules do not know")]
    NullMove {
        /// The text.
        text: String,
    },
    /// Well formed, but no legal move here.
    #[error("'{text}' is not legal here")]
    Illegal {
        /// The beginning of the text.
        text: String,
    },
    /// Several legal moves fit.
    #[error("'{text}' fits several moves here: {moves}")]
    Ambiguous {
        /// The beginning of the text.
        text: String,
        /// The moves that fit, in UCI form, with commas between them.
        moves: String,
    },
}

impl Notation {
    pub(crate) fn is_thai(self) -> bool {
        matches!(self, Self::ThaiSan | Self::ThaiLan)
    }

    pub(crate) fn is_long(self) -> bool {
        matches!(self, Self::Lan | Self::ThaiLan)
    }

    /// The text of a legal move. `promoted` are the met that were bia, which have a letter of their own in Thai
    /// notation. For several moves of a position [`MoveNames`] is faster.
    pub fn write(self, position: &Position, mv: Move, promoted: Bitboard) -> String {
        let mut text = String::new();
        MoveNames::new(self, position, promoted).write(mv, &mut text);
        text
    }

    /// The legal move of a text, in any of the notations with Latin letters or in Thai.
    ///
    /// # Errors
    /// If no legal move fits, or several. (Thai short notation has one letter for khun and b-file, for khon and c-file,
    /// for promoted bia and d-file: captures by a bia and by that piece can be ambiguous.)
    pub fn read(self, position: &Position, text: &str, promoted: Bitboard) -> Result<Move, NotationError> {
        let moves = position.legal_moves();
        let has_thai = |letters: core::ops::RangeInclusive<char>| text.chars().any(|c| letters.contains(&c));
        if self.is_thai() && !is_null_move(text) || has_thai('ก'..='ฮ') {
            return read_thai(position, &moves, text, promoted);
        }
        let pattern = if has_thai('๐'..='๙') {
            MovePattern::read(&with_latin_ranks(text))?
        } else {
            MovePattern::read(text)?
        };
        let fitting: MoveList = moves.into_iter().filter(|&mv| pattern.fits(position, mv)).collect();
        only(&fitting, text)
    }
}

/// A text with Arabic digits in place of the Thai digits of ranks.
fn with_latin_ranks(text: &str) -> String {
    let latin = |letter| match THAI_RANKS.iter().position(|&rank| rank == letter) {
        Some(rank) => char::from(b'1' + rank as u8),
        None => letter,
    };
    text.chars().map(latin).collect()
}

/// A text with Thai digits in place of the Arabic digits of ranks.
fn with_thai_ranks(text: &str) -> String {
    let thai = |letter: char| match letter {
        '1'..='8' => THAI_RANKS[usize::from(letter as u8 - b'1')],
        other => other,
    };
    text.chars().map(thai).collect()
}

fn is_null_move(text: &str) -> bool {
    matches!(text, "--" | "Z0" | "0000" | "@@@@")
}

/// The only one of the moves that fit.
fn only(fitting: &[Move], text: &str) -> Result<Move, NotationError> {
    match fitting {
        [mv] => Ok(*mv),
        [] => Err(NotationError::Illegal { text: clip(text) }),
        several => {
            let mut list = String::new();
            for mv in several {
                let _ = write!(list, "{}{mv}", if list.is_empty() { "" } else { ", " });
            }
            Err(NotationError::Ambiguous { text: clip(text), moves: list })
        }
    }
}

/// A move as a text in Latin letters describes it.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct MovePattern {
    /// `None` if only squares are given and any piece may be meant.
    kind: Option<PieceKind>,
    from_file: Option<File>,
    from_rank: Option<Rank>,
    to: Square,
}

impl MovePattern {
    pub(crate) fn read(text: &str) -> Result<Self, NotationError> {
        if is_null_move(text) {
            return Err(NotationError::NullMove { text: clip(text) });
        }
        Self::parse(text).ok_or_else(|| NotationError::Malformed { text: clip(text) })
    }

    fn parse(text: &str) -> Option<Self> {
        let text = without_check(text);
        // Leave out x, -, : and the like.
        let is_coordinate = |letter: char| {
            !matches!(letter, 'x' | 'X' | '×' | ':' | '-' | '‐'..='—' | '−' | '=' | '/' | '(' | ')')
        };
        let mut letters: Vec<char> = text.chars().take(1).collect();
        letters.extend(text.chars().skip(1).filter(|&letter| is_coordinate(letter)));
        let (kind, squares) = match letters.split_first()? {
            ('a'..='h' | '1'..='8', _) => (None, &letters[..]),
            (letter, rest) => (Some(kind_of(*letter)?), rest),
        };
        // A letter after the last rank is a promotion, which the rules leave no choice about.
        let squares = match squares.split_last()? {
            (letter, rest) if !letter.is_ascii_digit() => {
                (kind_of(*letter)? == PieceKind::Met).then_some(rest)?
            }
            _ => squares,
        };
        let file = |letter: char| File::try_from(letter).ok();
        let rank = |letter: char| Rank::try_from(letter).ok();
        let (before, [to_file, to_rank]) = squares.split_last_chunk::<2>()?;
        let to = Square::new(file(*to_file)?, rank(*to_rank)?);
        let (from_file, from_rank) = match *before {
            [] => (None, None),
            [one] => (file(one), rank(one)),
            [first, second] => (Some(file(first)?), Some(rank(second)?)),
            _ => return None,
        };
        if before.len() == 1 && from_file.is_none() && from_rank.is_none() {
            return None;
        }
        // Without a letter it is a bia's move, unless both squares are given.
        let kind = kind.or((before.len() < 2).then_some(PieceKind::Bia));
        Some(Self { kind, from_file, from_rank, to })
    }

    fn fits(&self, position: &Position, mv: Move) -> bool {
        let from = mv.from();
        mv.to() == self.to
            && self.kind.is_none_or(|kind| position.kind_on(from) == Some(kind))
            && self.from_file.is_none_or(|file| from.file() == file)
            && self.from_rank.is_none_or(|rank| from.rank() == rank)
    }
}

/// The piece a letter stands for, in Fairy-Stockfish's alphabet or SchemingMind's, or a figurine of either colour. `F`
/// is a bia that was promoted.
fn kind_of(letter: char) -> Option<PieceKind> {
    Some(match letter.to_ascii_uppercase() {
        'K' | '♔' | '♚' => PieceKind::Khun,
        'M' | 'Q' | 'F' | '♕' | '♛' => PieceKind::Met,
        'S' | 'B' | '♗' | '♝' => PieceKind::Khon,
        'N' | '♘' | '♞' => PieceKind::Maa,
        'R' | '♖' | '♜' => PieceKind::Rua,
        'P' | '♙' | '♟' => PieceKind::Bia,
        _ => return None,
    })
}

/// A text without glyphs and marks of check or mate at its end.
fn without_check(text: &str) -> &str {
    let signs = ['+', '#', '†', '‡', '!', '?', '=', ' ', '.'];
    let text = text.trim_end_matches(signs);
    let word = ["checkmate", "mate", "check", "ch"].iter().find_map(|word| text.strip_suffix(word));
    word.map_or(text, |text| text.trim_end_matches(signs))
}

/// Reads Thai text by comparing it with the name of each legal move: some letters are both a piece and a file.
fn read_thai(
    position: &Position,
    moves: &[Move],
    text: &str,
    promoted: Bitboard,
) -> Result<Move, NotationError> {
    let bare = |text: &str| {
        let text = without_check(text);
        // A letter after the last rank is a promotion, which the rules leave no choice about.
        let end = text.rfind(THAI_RANKS).map_or(0, |at| at + THAI_RANKS[0].len_utf8());
        let letter = text[end..].trim_matches(['=', '(', ')', ' ']);
        let is_met = matches!(letter, "ง" | "ม็" | "M" | "m" | "Q" | "q" | "F" | "f" | "♕" | "♛");
        let text = if is_met { &text[..end] } else { text };
        text.replace([' ', '='], "")
    };
    let called_text = with_thai_ranks(&bare(&with_thai_ranks(text)));
    // The last two letters are the square it goes to.
    let mut last = called_text.chars().rev();
    let place = |names: [char; 8], letter: Option<char>| names.iter().position(|&name| Some(name) == letter);
    let (rank, file) = (place(THAI_RANKS, last.next()), place(THAI_FILES, last.next()));
    let (Some(rank), Some(file)) = (rank, file) else {
        return Err(NotationError::Malformed { text: clip(text) });
    };
    let to = Square::new(File::ALL[file], Rank::ALL[rank]);
    let moves: MoveList = moves.iter().copied().filter(|mv| mv.to() == to).collect();
    let called = |mv: Move, promoted: Bitboard| {
        [Notation::ThaiSan, Notation::ThaiLan]
            .into_iter()
            .any(|notation| bare(&MoveNames::new(notation, position, promoted).plain(mv)) == called_text)
    };
    let mut fitting: MoveList = moves.iter().copied().filter(|&mv| called(mv, promoted)).collect();
    if fitting.len() > 1 {
        let exact = |&mv: &Move| Notation::ThaiSan.write(position, mv, promoted) == text;
        let exactly: MoveList = fitting.iter().copied().filter(exact).collect();
        if !exactly.is_empty() {
            fitting = exactly;
        }
    }
    if !fitting.is_empty() {
        return only(&fitting, text);
    }
    if let Some(squares) = called_text.strip_prefix('บ') {
        let fitting: MoveList = moves.into_iter().filter(|&mv| is_bia_move(position, mv, squares)).collect();
        return only(&fitting, text);
    }
    // The writer may have given all met one letter, promoted or not.
    let fitting: MoveList = moves
        .iter()
        .copied()
        .filter(|&mv| called(mv, Bitboard::EMPTY) || called(mv, Bitboard::ALL))
        .collect();
    only(&fitting, text)
}

/// Whether a bia's move fits what stands behind its letter: `-จ๔`, `จ๔`, `จ-จ๔`, `จxฉ๖`, `xฉ๖`. The square that it goes
/// to has been compared.
fn is_bia_move(position: &Position, mv: Move, squares: &str) -> bool {
    let mut letters: Vec<char> = squares.chars().collect();
    letters.truncate(letters.len().saturating_sub(2));
    let takes = letters.contains(&'x');
    letters.retain(|letter| !matches!(letter, 'x' | '-'));
    let from = mv.from();
    let named = [THAI_FILES[from.file() as usize], THAI_RANKS[from.rank() as usize]];
    position.kind_on(from) == Some(PieceKind::Bia)
        && (!takes || position.is_capture(mv))
        && named.starts_with(&letters)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Rules, Ruleset, Variant};

    fn position(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

    /// All names of a move, in the order of [`Notation::ALL`]. Those but SchemingMind's agree with
    /// Fairy-Stockfish's library, which writes `=M` in Thai too; here a promoted bia has its Thai letter.
    #[test]
    fn names_of_moves() {
        let promoted = Square::C5.into();
        for (fen, mv, met_was_bia, names) in [
            (START, "e3e4", false, ["e4", "e3-e4", "จ๔", "บ จ๓-จ๔", "e4", "e3e4"]),
            (START, "b1d2", false, ["Nd2", "Nb1-d2", "ม-ง๒", "ม ข๑-ง๒", "Nd2", "b1d2"]),
            (START, "e1f2", false, ["Mf2", "Me1-f2", "ม็-ฉ๒", "ม็ จ๑-ฉ๒", "Qf2", "e1f2"]),
            (
                "4k3/8/8/2M1M3/8/8/8/4K3 w",
                "c5d6",
                false,
                ["Mcd6", "Mc5-d6", "ม็ค-ง๖", "ม็ ค๕-ง๖", "Qcd6", "c5d6"],
            ),
            (
                "4k3/8/8/2M1M3/8/8/8/4K3 w",
                "c5d6",
                true,
                ["Mcd6", "Mc5-d6", "งค-ง๖", "ง ค๕-ง๖", "Qcd6", "c5d6"],
            ),
            (
                "4k3/8/8/2M1M3/8/2M1M3/8/4K3 w",
                "c5d4",
                false,
                ["Mc5d4", "Mc5-d4", "ม็ค๕-ง๔", "ม็ ค๕-ง๔", "Qc5d4", "c5d4"],
            ),
            (
                "4k3/8/8/2M1M3/8/2M5/8/4K3 w",
                "c3d4",
                false,
                ["M3d4", "Mc3-d4", "ม็๓-ง๔", "ม็ ค๓-ง๔", "Q3d4", "c3d4"],
            ),
            (
                "4k3/8/3p4/4P3/8/8/8/4K3 w",
                "e5d6m",
                false,
                ["exd6=M", "e5xd6=M", "จxง๖=ง", "บ จ๕xง๖=ง", "exd6", "e5d6m"],
            ),
            (
                "7k/R7/5K2/8/8/8/8/1R6 w",
                "b1b8",
                false,
                ["Rb8#", "Rb1-b8#", "ร-ข๘#", "ร ข๑-ข๘#", "Rb8#", "b1b8"],
            ),
            (
                "7k/R7/5K2/8/8/8/8/1R6 w",
                "b1h1",
                false,
                ["Rh1+", "Rb1-h1+", "ร-ญ๑+", "ร ข๑-ญ๑+", "Rh1+", "b1h1"],
            ),
        ] {
            let position = position(fen);
            let mv = position.parse_move(mv).unwrap();
            let promoted = if met_was_bia { promoted } else { Bitboard::EMPTY };
            for (&notation, name) in Notation::ALL.iter().zip(names) {
                assert_eq!(notation.write(&position, mv, promoted), name, "{notation}");
                assert_eq!(notation.read(&position, name, promoted), Ok(mv), "{notation}");
            }
        }
    }

    #[test]
    fn what_files_contain_is_understood() {
        let read = |fen: &str, text: &str| {
            Notation::San.read(&position(fen), text, Bitboard::EMPTY).map(|mv| mv.to_string())
        };
        for text in [
            "Nd2", "Nd2+", "Nd2!?", "Nb1d2", "Nbd2", "N1d2", "nd2", "N-d2", "b1d2", "b1-d2", "Nd2=", "♘d2",
            "♞d2", "Nb1–d2", "Nd2ch", "Nd2 ch.", "Nd2mate", "Nd2†",
        ] {
            assert_eq!(read(START, text).as_deref(), Ok("b1d2"), "{text}");
        }
        let promotion = "4k3/8/3p4/4P3/8/8/8/4K3 w";
        for text in
            ["exd6=M", "exd6", "ed6", "exd6M", "exd6=Q", "e5xd6=M", "e5d6m", "e5d6", "exd6(M)", "Pexd6"]
                .into_iter()
                .chain(["exd6=F", "exd6F", "exd6=♕", "♙exd6", "exd6=M ch", "exd6(Q)+", "e×d6"])
        {
            assert_eq!(read(promotion, text).as_deref(), Ok("e5d6m"), "{text}");
        }
        assert_eq!(read(promotion, "e6").as_deref(), Ok("e5e6m"));
    }

    /// Others write the promotion with a Latin letter, pyffish with `=M`, or leave it out.
    #[test]
    fn thai_promotions_are_read_in_every_form() {
        let position = position("4k3/8/3p4/4P3/8/8/8/4K3 w");
        for text in ["จxง๖=ง", "จxง๖=M", "จxง๖", "บ จ๕xง๖=ง", "บ จ๕xง๖=M"].into_iter().chain([
            "จxง๖=F",
            "จxง๖(M)",
            "จxง๖M",
            "จxง๖ง",
            "จxง๖=ม็",
            "จxง๖=M+",
            "จxง๖=M ch",
        ]) {
            let mv = Notation::ThaiSan.read(&position, text, Bitboard::EMPTY);
            assert_eq!(mv.map(|mv| mv.to_string()).as_deref(), Ok("e5d6m"), "{text}");
        }
    }

    /// A met's leap is no less likely to be meant than a step of another met.
    #[test]
    fn a_text_that_fits_a_leap_and_a_step_is_ambiguous() {
        let rules = Rules::new(Variant::Cambodian, Ruleset::FairyStockfish);
        let position = Position::from_fen_with("4k3/8/8/8/8/8/3M4/3KM3 w DE - 0 1", rules).unwrap();
        let read = |text: &str| Notation::San.read(&position, text, Bitboard::EMPTY);
        let error = read("Me3").unwrap_err();
        assert_eq!(error.to_string(), "'Me3' fits several moves here: d2e3, e1e3");
        for (text, mv) in [("Mde3", "d2e3"), ("Mee3", "e1e3"), ("M2e3", "d2e3"), ("M1e3", "e1e3")] {
            assert_eq!(read(text).map(|mv| mv.to_string()).as_deref(), Ok(mv), "{text}");
        }
    }

    #[test]
    fn what_is_no_move_is_refused() {
        let read = |text: &str| Notation::San.read(&position(START), text, Bitboard::EMPTY).unwrap_err();
        for text in ["", "N", "d9", "i4", "O-O", "Nd2d2d2", "e4=R", "ม", "é", "Xd2", "x", "=", "ch", "♘"]
        {
            assert!(matches!(read(text), NotationError::Malformed { .. }), "{text}");
        }
        for text in ["--", "0000", "Z0"] {
            assert!(matches!(read(text), NotationError::NullMove { .. }), "{text}");
        }
        for text in ["e5", "Ne2e4", "Rb1", "ม-ก๕"] {
            assert!(matches!(read(text), NotationError::Illegal { .. }), "{text}");
        }
        let two = position("4k3/8/8/2M1M3/8/8/8/4K3 w");
        let error = Notation::San.read(&two, "Md6", Bitboard::EMPTY).unwrap_err();
        assert_eq!(error.to_string(), "'Md6' fits several moves here: c5d6, e5d6");
    }

    #[test]
    fn a_bia_may_have_its_letter_and_ranks_either_digits() {
        let read = |fen: &str, text: &str| {
            Notation::San.read(&position(fen), text, Bitboard::EMPTY).map(|mv| mv.to_string())
        };
        for text in ["บ-จ๔", "บจ๔", "บ จ๔", "บจ-จ๔", "บ จ๓-จ๔", "จ๔", "จ4", "บ-จ4", "e๔", "e4"]
        {
            assert_eq!(read(START, text).as_deref(), Ok("e3e4"), "{text}");
        }
        assert_eq!(read(START, "ม-ง2").as_deref(), Ok("b1d2"));
        assert_eq!(read(START, "Nd๒").as_deref(), Ok("b1d2"));
        // Two bia can take on d5: the file decides.
        let two = "4k3/8/8/3p4/2P1P3/8/8/4K3 w";
        assert!(matches!(read(two, "บxง๕"), Err(NotationError::Ambiguous { .. })));
        assert!(matches!(read(two, "บ-ง๕"), Err(NotationError::Ambiguous { .. })));
        assert_eq!(read(two, "บคxง๕").as_deref(), Ok("c4d5"));
        assert_eq!(read(two, "บจ๔xง5").as_deref(), Ok("e4d5"));
        // The letter says that it is a bia, and `x` that it takes.
        assert!(read(START, "บ-ง๒").is_err());
        assert!(read(two, "บxค๕").is_err());
        assert_eq!(read("4k3/8/8/4P3/8/8/8/4K3 w", "บ-จ๖=ง").as_deref(), Ok("e5e6m"));
    }
}
