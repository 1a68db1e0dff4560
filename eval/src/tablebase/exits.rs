//! The endings that captures and promotions lead to, and how the count treats such a move.

use std::sync::Arc;

use arrayvec::ArrayVec;
use sakmak_movegen::counting::usual_limit;
use sakmak_movegen::{Bitboard, Color, PieceKind, Square};

use super::ending::{Ending, MAX_PIECES};
use super::row::{Row, mirror_image, rearranged, row_count, row_number};
use super::solver::{ILLEGAL, MoveRows, SolveError, marks};
use super::work::filled;

/// Where the results of other endings come from.
pub(crate) trait Source {
    /// White's moves to its win in an ending, by row, with `side` to move.
    fn moves(&self, ending: &Ending, side: Color) -> Result<Arc<MoveRows>, SolveError>;
}

/// How a move that leaves the ending counts for the attacker.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ExitRule {
    /// The count goes on.
    Continues,
    /// A win within this number of moves decides.
    Within(u8),
}

/// Moves of the board's honour.
const BOARD_MOVES: u8 = 64;

/// Moves that the default ruleset leaves `attacker` after the capture that bares the other side, in an ending without
/// bia.
pub fn hunt_moves(ending: &Ending, attacker: Color) -> u8 {
    let number = |kind| ending.kinds(attacker).filter(|&other| other == kind).count() as u32;
    let limit = usual_limit((number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa)));
    limit.saturating_sub(ending.men() as u16) as u8
}

/// How the default ruleset treats a move from one ending to another.
fn exit_rule(before: &Ending, after: &Ending, mover: Color) -> ExitRule {
    let attacker_moved = mover == Color::White;
    let bare = after.is_bare(Color::Black);
    if after.has_bia() {
        return ExitRule::Within(ILLEGAL - 1);
    }
    if !(before.has_bia() || bare && attacker_moved) {
        return ExitRule::Continues;
    }
    // A count begins. The mate may come on the ply after the last of its limit: the attacker then makes as many moves
    // as are left, and one more if it is to move.
    let left = if bare { hunt_moves(after, Color::White) } else { BOARD_MOVES };
    ExitRule::Within(if attacker_moved { left } else { left + 1 })
}

/// An ending that captures and promotions lead to, with the set of placements that matter after the move: those that
/// the attacker has won (the defender is to move), or has not won yet (the attacker is to move).
pub(super) struct Exit {
    /// For each of its men, the index in the ending before the move.
    pub(super) from: ArrayVec<usize, MAX_PIECES>,
    pub(super) ending: Ending,
    pub(super) mover: Color,
    rule: ExitRule,
    set: Vec<Bitboard>,
    /// The squares that have left the set in this round.
    left: Vec<Bitboard>,
    /// The attacker's moves to its win, until the set is final.
    moves: Option<Arc<MoveRows>>,
    /// The last round in which the set changes.
    pub(super) last_change: u8,
}

/// The moves of a larger ending, in rows, are not kept longer than they are needed: with four men they take 512 MiB.
const LARGE: usize = 1 << 18;

impl Exit {
    fn new(
        before: &Ending,
        captured: Option<usize>,
        promoted: Option<usize>,
        mover: Color,
        source: &dyn Source,
    ) -> Result<Self, SolveError> {
        let (ending, from) = before.after(captured, promoted);
        // A bare khun does not win.
        let moves = match ending.is_bare(Color::White) {
            true => Arc::new(moves_of_none(&ending)?),
            false => source.moves(&ending, !mover)?,
        };
        let rule = exit_rule(before, &ending, mover);
        let set = filled(Bitboard::EMPTY, row_count(&ending))?;
        let left = if rule == ExitRule::Continues { set.clone() } else { Vec::new() };
        let mut exit = Self { from, ending, mover, rule, set, left, moves: Some(moves), last_change: 0 };
        if rule != ExitRule::Continues && exit.set.len() > LARGE {
            exit.prepare();
        }
        Ok(exit)
    }

    /// Fills the set, or finds its last change.
    fn prepare(&mut self) {
        let Some(moves) = &self.moves else { return };
        match self.rule {
            ExitRule::Within(limit) => {
                let round = if self.mover == Color::White { limit + 1 } else { limit };
                let sets = self.set.iter_mut().zip(&**moves);
                sets.for_each(|(set, moves)| *set = select(self.mover, moves, round));
                self.moves = None;
            }
            // The set is final after the longest win for the defender's moves, one round later for the attacker's.
            ExitRule::Continues => self.last_change = 1 + longest(moves),
        }
    }

    #[inline]
    pub(super) fn get(&self, khun: Square, squares: &[Square; MAX_PIECES]) -> Bitboard {
        read(&self.set, khun, &rearranged(squares, &self.from)[..self.from.len()])
    }

    /// The set of a row, given its number.
    #[inline]
    pub(super) fn at(&self, row: usize) -> Bitboard {
        self.set[row]
    }

    /// The squares that have left the set of a row in this round.
    #[inline]
    pub(super) fn left_at(&self, row: usize) -> Bitboard {
        self.left.get(row).copied().unwrap_or_default()
    }

    /// Updates the set to a round.
    pub(super) fn update(&mut self, round: u8) {
        let Some(moves) = self.moves.as_ref().filter(|_| round <= self.last_change) else { return };
        for ((set, left), moves) in self.set.iter_mut().zip(&mut self.left).zip(&**moves) {
            let new = select(self.mover, moves, round);
            *left = *set & !new;
            *set = new;
        }
    }
}

/// The attacker's longest win in moves; 0 if there is none.
fn longest(moves: &[[u8; 64]]) -> u8 {
    moves.as_flattened().iter().map(|&moves| if moves < ILLEGAL { moves } else { 0 }).max().unwrap_or(0)
}

/// The squares of a row that matter after a move of `mover` into an ending, from the attacker's moves to its win: after
/// the attacker's, where the win is early enough for this round; after the defender's, where it is not.
#[inline]
fn select(mover: Color, moves: &[u8; 64], round: u8) -> Bitboard {
    let chosen = |&moves: &u8| match mover {
        Color::White => moves < round,
        Color::Black => moves > round && moves != ILLEGAL,
    };
    // The product gathers the lowest bits of eight bytes in the highest byte.
    const GATHER: u64 = 0x0102_0408_1020_4080;
    let rank = |moves: &[u8; 8]| u64::from_le_bytes(moves.each_ref().map(|moves| u8::from(chosen(moves))));
    let ranks = moves.as_chunks::<8>().0.iter().rev();
    Bitboard(ranks.fold(0, |set, moves| set << 8 | rank(moves).wrapping_mul(GATHER) >> 56))
}

/// The bitboard of a row, mirrored if the row holds the mirror image.
#[inline]
pub(super) fn read(set: &[Bitboard], khun: Square, squares: &[Square]) -> Bitboard {
    let (number, mirror) = row_number(khun, squares);
    if mirror { mirror_image(set[number]) } else { set[number] }
}

/// The exits of an ending.
#[derive(Default)]
pub(super) struct Exits {
    /// By the indices of the man captured and of the one promoted, each plus one; 0 for none.
    exits: [[Option<Exit>; MAX_PIECES + 1]; MAX_PIECES + 1],
    /// The number of exits that are prepared.
    prepared: usize,
}

impl Exits {
    /// The endings that the moves of an ending lead to, with their results.
    pub(super) fn new(ending: &Ending, source: &dyn Source) -> Result<Self, SolveError> {
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
            let exit = Exit::new(ending, captured, promoted, mover, source)?;
            exits.exits[captured.map_or(0, |man| man + 1)][promoted.map_or(0, |man| man + 1)] = Some(exit);
        }
        Ok(exits)
    }

    /// Prepares the next exit, which takes some milliseconds. Returns `false` if all are prepared.
    pub(super) fn prepare_next(&mut self) -> bool {
        let number = self.prepared;
        self.prepared += 1;
        self.iter_mut().nth(number).map(Exit::prepare).is_some()
    }

    /// The exit of a capture, a promotion or both.
    #[inline]
    pub(super) fn get(&self, captured: Option<usize>, promoted: Option<usize>) -> Option<&Exit> {
        self.exits[captured.map_or(0, |man| man + 1)][promoted.map_or(0, |man| man + 1)].as_ref()
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Exit> {
        self.exits.iter().flatten().flatten()
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut Exit> {
        self.exits.iter_mut().flatten().flatten()
    }
}

/// What [`Source::moves`] would be, with White to move, for an ending in which White is bare.
fn moves_of_none(ending: &Ending) -> Result<MoveRows, SolveError> {
    let mut moves = filled([ILLEGAL; 64], row_count(ending))?;
    for (number, moves) in moves.iter_mut().enumerate() {
        if let Some(row) = Row::new(ending, number) {
            *moves = marks(row.legal_attacker_to_move());
        }
    }
    Ok(moves)
}
