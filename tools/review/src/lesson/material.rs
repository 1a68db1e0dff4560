//! The pieces that change hands in a line, once it is quiet.

use sakmak_movegen::{Move, PieceKind, Position};
use sakmak_themes::{VALUES, value};

/// Plies of a line in which a piece must fall to be named.
const HORIZON: usize = 12;
/// The least difference of material that is named: that of one bia.
pub(super) const LEAST: i32 = value(PieceKind::Bia);

/// A trade of pieces, of the side that moves first.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Trade {
    /// Pieces lost, the most valuable first; equal ones on both sides are left out.
    pub(super) lost: Vec<PieceKind>,
    /// Pieces won.
    pub(super) won: Vec<PieceKind>,
    /// Plies of the line until it is over.
    pub(super) plies: usize,
}

/// What each ply takes, and whether an exchange is over after it: the line goes on without a capture, or ends where
/// nothing is to be won by one.
fn plies(start: &Position, moves: &[Move]) -> Vec<(Option<PieceKind>, bool)> {
    let mut position = start.clone();
    let mut plies = Vec::new();
    for (index, &mv) in moves.iter().enumerate().take(HORIZON) {
        if !position.is_legal(mv) {
            break;
        }
        let taken = if position.is_capture(mv) { position.kind_on(mv.to()) } else { None };
        position.play_unchecked(mv);
        let is_quiet = match moves.get(index + 1) {
            Some(&next) => !position.is_capture(next),
            None => {
                let mut replies = position.legal_moves().into_iter();
                !replies.any(|reply| position.is_capture(reply) && position.see_ge(reply, 1, &VALUES))
            }
        };
        plies.push((taken, is_quiet));
    }
    plies
}

/// The net gain of the side that moves first after each quiet ply.
fn nets(plies: &[(Option<PieceKind>, bool)]) -> Vec<(usize, i32)> {
    let (mut net, mut quiet) = (0, Vec::new());
    for (index, &(taken, is_quiet)) in plies.iter().enumerate() {
        let gain = taken.map_or(0, value);
        net += if index % 2 == 0 { gain } else { -gain };
        if is_quiet {
            quiet.push((index, net));
        }
    }
    quiet
}

/// The net gain of the side that moves first when a line was quiet for the last time; `None` if it never is.
pub(super) fn net(start: &Position, moves: &[Move]) -> Option<i32> {
    nets(&plies(start, moves)).last().map(|&(_, net)| net)
}

impl Trade {
    /// The first trade after at least `least` plies whose net gain is `wanted`, and stays so.
    pub(super) fn find(
        start: &Position,
        moves: &[Move],
        least: usize,
        wanted: impl Fn(i32) -> bool,
    ) -> Option<Self> {
        let plies = plies(start, moves);
        let quiet = nets(&plies);
        let later = quiet.iter().rposition(|&(_, net)| !wanted(net)).map_or(0, |index| index + 1);
        let &(last, _) = quiet[later..].iter().find(|(index, _)| index + 1 >= least)?;
        let taken = |first: usize| {
            let kinds = plies[..=last].iter().skip(first).step_by(2).filter_map(|&(taken, _)| taken);
            let mut kinds: Vec<_> = kinds.collect();
            kinds.sort_unstable_by(|a, b| b.cmp(a));
            kinds
        };
        let (mut won, mut lost) = (taken(0), taken(1));
        won.retain(|kind| {
            let equal = lost.iter().position(|other| other == kind);
            equal.map(|index| lost.remove(index)).is_none()
        });
        Some(Self { lost, won, plies: last + 1 })
    }

    /// The index of the capture of the most valuable piece: of the mover's if `is_lost`, else of the other side's.
    pub(super) fn key(&self, moves: &[Move], start: &Position, is_lost: bool) -> Option<usize> {
        let &kind = if is_lost { self.lost.first()? } else { self.won.first()? };
        let plies = plies(start, &moves[..self.plies.min(moves.len())]);
        (usize::from(is_lost)..plies.len()).step_by(2).find(|&index| plies[index].0 == Some(kind))
    }
}
