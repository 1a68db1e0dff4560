//! The endings that captures and promotions lead to, and what the count makes of such a move.

use std::sync::Arc;

use arrayvec::ArrayVec;
use sakmak_movegen::counting::usual_limit;
use sakmak_movegen::{Bitboard, Color, PieceKind, Square};

use super::ending::{Ending, MAX_PIECES};
use super::index::Placement;
use super::row::{Row, mirror_image, rearranged, row_count, row_number};
use super::solver::{CHUNK, SolveError, Work, filled};
use super::values::{Value, Values};

/// Marks placements that no game has.
pub(super) const ILLEGAL: u8 = 254;
/// Marks placements that the attacker does not win.
pub(super) const NOT_WON: u8 = 255;

/// Where the values of other endings come from.
pub(crate) trait Source {
    /// The values of a canonical ending.
    fn values(&self, ending: &Ending) -> Result<Arc<Values>, SolveError>;
}

/// How a move that leaves the ending counts for the attacker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ExitRule {
    /// The count goes on.
    Continues,
    /// A win within so many moves decides.
    Within(u8),
}

/// Moves of the board's honour.
const BOARD_MOVES: u8 = 64;

/// Moves that the default ruleset leaves an attacker right after the capture that bares the other side of an ending
/// without bia.
pub fn hunt_moves(ending: &Ending, attacker: Color) -> u8 {
    let number = |kind| ending.kinds(attacker).filter(|&other| other == kind).count() as u32;
    let limit = usual_limit((number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa)));
    limit.saturating_sub(ending.men() as u16) as u8
}

/// What the default ruleset makes of a move from one ending to another.
fn exit_rule(before: &Ending, after: &Ending, mover: Color) -> ExitRule {
    let attacker_moved = mover == Color::White;
    let bare = after.is_bare(Color::Black);
    if after.has_bia() {
        return ExitRule::Within(ILLEGAL - 1);
    }
    if !(before.has_bia() || bare && attacker_moved) {
        return ExitRule::Continues;
    }
    // A count begins. The last ply of its limit may be followed by one more if that mates; the attacker then makes as
    // many moves as are left, and one more if it is to move.
    let left = if bare { hunt_moves(after, Color::White) } else { BOARD_MOVES };
    ExitRule::Within(if attacker_moved { left } else { left + 1 })
}

/// The ending that captures and promotions lead to, with the results that matter after the move: where the attacker has
/// won, the defender being to move, or where it has not yet, being to move itself.
pub(super) struct Exit {
    /// The index here of each of its men.
    pub(super) from: ArrayVec<usize, MAX_PIECES>,
    pub(super) ending: Ending,
    pub(super) mover: Color,
    set: Vec<Bitboard>,
    /// The attacker's moves, if the count continues.
    moves: Vec<[u8; 64]>,
    /// The last round in which the set changes.
    pub(super) last_change: u8,
}

impl Exit {
    fn new(
        before: &Ending,
        captured: Option<usize>,
        promoted: Option<usize>,
        mover: Color,
        source: &dyn Source,
        work: Work<'_>,
    ) -> Result<Self, SolveError> {
        let (ending, from) = before.after(captured, promoted);
        let rule = exit_rule(before, &ending, mover);
        let rows = row_count(&ending);
        let mut set = filled(Bitboard::EMPTY, rows)?;
        let mut moves = Vec::new();
        if rule == ExitRule::Continues {
            moves = filled([0; 64], rows)?;
        }
        // A bare khun does not win.
        let values = match ending.is_bare(Color::White) {
            true => None,
            false => Some(source.values(&ending.canonical())?),
        };
        let chunks = set.chunks_mut(CHUNK).enumerate();
        let moves_chunks = moves.chunks_mut(CHUNK).map(Some).chain(std::iter::repeat_with(|| None));
        work.for_each(chunks.zip(moves_chunks), |((chunk, set), mut moves)| {
            for (index, set) in set.iter_mut().enumerate() {
                let moves_of_row = moves_of_row(&ending, chunk * CHUNK + index, mover, values.as_deref());
                if let ExitRule::Within(limit) = rule {
                    let round = if mover == Color::White { limit + 1 } else { limit };
                    *set = select(mover, &moves_of_row, round);
                }
                if let Some(moves) = &mut moves {
                    moves[index] = moves_of_row;
                }
            }
        })?;
        let longest = moves.as_flattened().iter().copied().filter(|&moves| moves < ILLEGAL).max();
        // The defender's moves into it see nothing new after the longest win, the attacker's one round later.
        let last_change = if moves.is_empty() { 0 } else { longest.unwrap_or(0) + 1 };
        Ok(Self { from, ending, mover, set, moves, last_change })
    }

    #[inline]
    pub(super) fn get(&self, khun: Square, squares: &[Square; MAX_PIECES]) -> Bitboard {
        read(&self.set, khun, &rearranged(squares, &self.from)[..self.from.len()])
    }

    /// The set for a round.
    pub(super) fn update(&mut self, round: u8) {
        if round > self.last_change {
            return;
        }
        for (set, moves) in self.set.iter_mut().zip(&self.moves) {
            *set = select(self.mover, moves, round);
        }
    }
}

/// What a move of this side into an ending leads to that matters, by the attacker's moves to its win: where the win is
/// early enough for this round, or where it is not.
#[inline]
fn select(mover: Color, moves: &[u8; 64], round: u8) -> Bitboard {
    let chosen = |&moves: &u8| match mover {
        Color::White => moves < round,
        Color::Black => moves > round && moves != ILLEGAL,
    };
    Bitboard(moves.iter().rev().fold(0, |set, moves| set << 1 | u64::from(chosen(moves))))
}

/// The bitboard of a row, or of the row whose mirror image it is.
#[inline]
pub(super) fn read(set: &[Bitboard], khun: Square, squares: &[Square]) -> Bitboard {
    let (number, mirror) = row_number(khun, squares);
    if mirror { mirror_image(set[number]) } else { set[number] }
}

/// The exits of an ending, by the index of the man taken and of the one promoted, each one more, and 0 for none.
#[derive(Default)]
pub(super) struct Exits([[Option<Exit>; MAX_PIECES + 1]; MAX_PIECES + 1]);

impl Exits {
    /// The endings that the moves of an ending lead to, with their results.
    pub(super) fn of(ending: &Ending, source: &dyn Source, work: Work<'_>) -> Result<Self, SolveError> {
        let men = ending.pieces();
        let mut exits = Self::default();
        let indices = || std::iter::once(None).chain((0..men.len()).map(Some));
        for (captured, promoted) in indices().flat_map(|captured| indices().map(move |man| (captured, man))) {
            let mover = match (captured, promoted) {
                (None, None) => continue,
                (Some(captured), _) => !men[captured].color,
                (None, Some(promoted)) => men[promoted].color,
            };
            let promotes = |man: usize| men[man].kind == PieceKind::Bia && men[man].color == mover;
            if promoted.is_some_and(|man| !promotes(man)) {
                continue;
            }
            let exit = Exit::new(ending, captured, promoted, mover, source, work)?;
            exits.0[captured.map_or(0, |man| man + 1)][promoted.map_or(0, |man| man + 1)] = Some(exit);
        }
        Ok(exits)
    }

    /// The exit of a capture, a promotion or both.
    #[inline]
    pub(super) fn get(&self, captured: Option<usize>, promoted: Option<usize>) -> Option<&Exit> {
        self.0[captured.map_or(0, |man| man + 1)][promoted.map_or(0, |man| man + 1)].as_ref()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Exit> {
        self.0.iter_mut().flatten().flatten()
    }
}

/// The attacker's moves to its win in an ending, with the side to move that `mover` is not.
fn moves_of_row(ending: &Ending, number: usize, mover: Color, values: Option<&Values>) -> [u8; 64] {
    let mut moves = [ILLEGAL; 64];
    let Some(row) = Row::new(ending, number) else { return moves };
    let legal = match mover {
        Color::White => row.legal_defender_to_move(),
        Color::Black => row.legal_attacker_to_move(),
    };
    for square in legal {
        let placement = Placement { khuns: [row.khun, square], men: row.squares };
        let value = values.and_then(|values| values.get(ending, &placement, !mover));
        moves[square.index()] = match value {
            Some(Value::Win(plies)) if mover == Color::Black => plies.div_ceil(2) as u8,
            Some(Value::Loss(plies)) if mover == Color::White => (plies / 2) as u8,
            _ => NOT_WON,
        };
    }
    moves
}
