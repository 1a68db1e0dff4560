//! Names of the legal moves of one position.

use alloc::string::String;
use core::fmt::Write;

use crate::attacks;
use crate::bitboard::Bitboard;
use crate::legal::CheckInfo;
use crate::moves::Move;
use crate::notation::Notation;
use crate::position::Position;
use crate::square::Square;
use crate::types::PieceKind;

pub(crate) const THAI_FILES: [char; 8] = ['ก', 'ข', 'ค', 'ง', 'จ', 'ฉ', 'ช', 'ญ'];
pub(crate) const THAI_RANKS: [char; 8] = ['๑', '๒', '๓', '๔', '๕', '๖', '๗', '๘'];
/// By kind index; the met is one of the start position, see [`THAI_PROMOTED`].
const THAI_PIECES: [&str; 6] = ["บ", "ม็", "ค", "ม", "ร", "ข"];
/// A met that was a bia.
const THAI_PROMOTED: &str = "ง";
/// By kind index.
const SCHEMING_MIND_PIECES: [char; 6] = ['P', 'Q', 'B', 'N', 'R', 'K'];

/// Which coordinates of a square are written.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Coordinates {
    file: bool,
    rank: bool,
}

impl Coordinates {
    const NONE: Self = Self { file: false, rank: false };
    const BOTH: Self = Self { file: true, rank: true };
}

/// Writes legal moves of one position in a notation. Check squares and pins are computed once; only a move that gives
/// check is played on a copy, to distinguish mate.
///
/// ```
/// use sakmak_movegen::{Bitboard, MoveNames, Notation, Position};
///
/// let position = Position::from_fen("7k/R7/5K2/8/8/8/8/1R6 w")?;
/// let names = MoveNames::new(Notation::San, &position, Bitboard::EMPTY);
/// let mut text = String::new();
/// for mv in position.legal_moves() {
///     names.write(mv, &mut text);
///     text.push(' ');
/// }
/// assert!(text.contains("Rb8# ") && text.contains("Rh7+ "));
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Debug)]
pub struct MoveNames<'a> {
    notation: Notation,
    position: &'a Position,
    promoted: Bitboard,
    pinned: Bitboard,
    checks: CheckInfo,
}

impl<'a> MoveNames<'a> {
    /// For the moves of `position`. `promoted` are the met that were bia, which have a letter of their own in Thai
    /// notation.
    pub fn new(notation: Notation, position: &'a Position, promoted: Bitboard) -> Self {
        let pinned = position.pinned(position.side_to_move());
        Self { notation, position, promoted, pinned, checks: position.check_info() }
    }

    /// Appends the name of a legal move to `text`. The name of any other move makes no sense.
    pub fn write(&self, mv: Move, text: &mut String) {
        if self.notation == Notation::Coordinates {
            let _ = write!(text, "{mv}");
            return;
        }
        self.write_plain(mv, text);
        if self.position.gives_check(mv, &self.checks) {
            text.push(if self.position.after(mv).has_legal_move() { '+' } else { '#' });
        }
    }

    /// The name without the mark of a check.
    pub(crate) fn plain(&self, mv: Move) -> String {
        let mut text = String::new();
        self.write_plain(mv, &mut text);
        text
    }

    fn write_plain(&self, mv: Move, text: &mut String) {
        let (notation, position) = (self.notation, self.position);
        let (from, to) = (mv.from(), mv.to());
        let Some(kind) = position.kind_on(from) else {
            let _ = write!(text, "{mv}");
            return;
        };
        let captures = position.is_capture(mv);
        if kind != PieceKind::Bia || notation == Notation::ThaiLan {
            match notation {
                _ if notation.is_thai() && kind == PieceKind::Met && self.promoted.contains(from) => {
                    text.push_str(THAI_PROMOTED);
                }
                _ if notation.is_thai() => text.push_str(THAI_PIECES[kind.index()]),
                Notation::SchemingMind => text.push(SCHEMING_MIND_PIECES[kind.index()]),
                _ => text.push(kind.letter()),
            }
        }
        if notation == Notation::ThaiLan {
            text.push(' ');
        }
        let shown = match kind {
            _ if notation.is_long() => Coordinates::BOTH,
            PieceKind::Bia => Coordinates { file: captures, rank: false },
            _ => self.disambiguation(mv, kind),
        };
        self.push_square(text, from, shown);
        if captures {
            text.push('x');
        } else if notation.is_long() || notation.is_thai() && kind != PieceKind::Bia {
            text.push('-');
        }
        self.push_square(text, to, Coordinates::BOTH);
        if mv.is_promotion() && notation != Notation::SchemingMind {
            text.push('=');
            text.push_str(if notation.is_thai() { THAI_PROMOTED } else { "M" });
        }
    }

    fn push_square(&self, text: &mut String, square: Square, shown: Coordinates) {
        let (file, rank) = (square.file(), square.rank());
        let is_thai = self.notation.is_thai();
        if shown.file {
            text.push(if is_thai { THAI_FILES[file.index()] } else { file.char() });
        }
        if shown.rank {
            text.push(if is_thai { THAI_RANKS[rank.index()] } else { rank.char() });
        }
    }

    /// The coordinates of the from-square that distinguish the move from other moves of the kind: the file if that is
    /// enough, else the rank, else both.
    fn disambiguation(&self, mv: Move, kind: PieceKind) -> Coordinates {
        let rivals = self.rivals(mv, kind);
        if rivals.is_empty() {
            return Coordinates::NONE;
        }
        let from = mv.from();
        let file_is_enough = !rivals.intersects(Bitboard::file_of(from));
        let rank_is_enough = !rivals.intersects(Bitboard::rank_of(from));
        Coordinates { file: file_is_enough || !rank_is_enough, rank: !file_is_enough }
    }

    /// The other pieces of the kind that have a legal move to the same square.
    fn rivals(&self, mv: Move, kind: PieceKind) -> Bitboard {
        let (position, to) = (self.position, mv.to());
        let us = position.side_to_move();
        let others = position.pieces(us, kind) & !Bitboard::from(mv.from());
        if others.is_empty() {
            return others;
        }
        let khun = position.khun(us);
        // Pieces other than the khun answer a check on the same squares: only pins are left to look at.
        let may_move = |from: Square| !self.pinned.contains(from) || attacks::line(khun, from).contains(to);
        let mut rivals = Bitboard::EMPTY;
        if !position.color(us).contains(to) {
            let reaching = attacks::from(kind, !us, to, position.occupied()) & others;
            rivals = reaching.into_iter().filter(|&from| may_move(from)).collect();
        }
        for from in position.privileged() & others & !rivals {
            if position.is_legal(Move::new(from, to)) || position.is_legal(Move::two_piece(from, to)) {
                rivals |= from.into();
            }
        }
        rivals
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Privileges, Rules, Ruleset, Variant};
    use crate::square::{File, Rank};

    /// The name in short notation from the list of legal moves and the position after the move.
    fn slow_san(position: &Position, mv: Move) -> String {
        let (from, to) = (mv.from(), mv.to());
        let kind = position.kind_on(from).unwrap();
        let of_kind = |other: &Move| {
            other.to() == to && other.from() != from && position.kind_on(other.from()) == Some(kind)
        };
        let rivals: Vec<Square> =
            position.legal_moves().into_iter().filter(of_kind).map(Move::from).collect();
        let captures = position.is_capture(mv);
        let mut text = String::new();
        let mut shown: (Option<File>, Option<Rank>) = (captures.then_some(from.file()), None);
        if kind != PieceKind::Bia {
            text.push(kind.letter());
            let same_file = rivals.iter().any(|rival| rival.file() == from.file());
            let same_rank = rivals.iter().any(|rival| rival.rank() == from.rank());
            let file = !rivals.is_empty() && (!same_file || same_rank);
            shown = (file.then_some(from.file()), same_file.then_some(from.rank()));
        }
        let (file, rank) = shown;
        text.extend(file.map(File::char));
        text.extend(rank.map(Rank::char));
        text.push_str(if captures { "x" } else { "" });
        text.push_str(&to.to_string());
        text.push_str(if mv.is_promotion() { "=M" } else { "" });
        let next = position.after(mv);
        if next.in_check() {
            text.push(if next.legal_moves().is_empty() { '#' } else { '+' });
        }
        text
    }

    #[test]
    fn names_follow_from_the_list_of_moves_in_random_games() {
        let mut every_privilege = Rules::default();
        every_privilege.play.privileges = Privileges::SUT_KHUN
            | Privileges::SUT_MET
            | Privileges::SUT_MA
            | Privileges::MINISTER_TWO
            | Privileges::MET_CAPTURES
            | Privileges::STREET_KHUN;
        let rules = [Variant::Makruk, Variant::Cambodian, Variant::Makpong]
            .into_iter()
            .flat_map(|variant| {
                [Ruleset::FairyStockfish, Ruleset::CuteChess].map(|of| Rules::new(variant, of))
            })
            .chain([every_privilege]);
        let (mut seed, mut checks, mut mates, mut distinguished) = (0, 0, 0, 0);
        for rules in rules {
            for _ in 0..if cfg!(miri) { 1 } else { 40 } {
                let mut position = Position::start(rules);
                for _ in 0..200 {
                    let moves = position.legal_moves();
                    let names = MoveNames::new(Notation::San, &position, Bitboard::EMPTY);
                    for &mv in &moves {
                        let mut name = String::new();
                        names.write(mv, &mut name);
                        assert_eq!(name, slow_san(&position, mv), "{mv} in {position}");
                        checks += u32::from(name.ends_with('+'));
                        mates += u32::from(name.ends_with('#'));
                        distinguished += u32::from(name.trim_end_matches(['+', '#']).len() > 4);
                    }
                    if moves.is_empty() {
                        break;
                    }
                    seed += 1;
                    let chosen = crate::splitmix64(seed) as usize % moves.len();
                    position.play_unchecked(moves[chosen]);
                }
            }
        }
        assert!(
            cfg!(miri) || checks > 1000 && mates > 10 && distinguished > 1000,
            "{checks} {mates} {distinguished}"
        );
    }

    /// Crowded boards, where a square is reached along files, ranks and both, with pins.
    #[test]
    fn names_in_crowded_positions() {
        for fen in [
            "4k3/8/1M1M4/2p5/1M1M4/8/8/4K3 w",
            "4r2k/8/8/8/4S3/3S4/4K3/8 w",
            "k7/8/2N1N3/8/8/2N1N3/8/4K2r w",
            "R6R/8/8/8/8/1k6/8/R3K2R w",
            "7k/4r3/8/8/1N2N3/8/4K3/8 w",
            "7k/8/8/8/r2NK3/8/8/N3N3 w",
        ] {
            let position = Position::from_fen(fen).unwrap();
            for mv in position.legal_moves() {
                assert_eq!(
                    Notation::San.write(&position, mv, Bitboard::EMPTY),
                    slow_san(&position, mv),
                    "{fen}"
                );
            }
        }
    }
}
