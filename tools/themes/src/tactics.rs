//! Themes by geometry alone: forks, lines, mates, and moves that are hard to see.

use sakmak_movegen::{
    Bitboard, Color, DrawReason, Move, Outcome, PieceKind, Position, Rank, Square, attacks,
};

use crate::{Goal, Line, Theme, VALUES, value};

/// The themes of a line, apart from those of the count.
pub fn themes(line: &Line) -> Vec<Theme> {
    let forks = line.own().filter_map(|index| fork(line, index)).collect::<Vec<_>>();
    let has = |wanted: fn(&Line, usize) -> bool| line.own().any(|index| wanted(line, index));
    let found = [
        (Theme::MaaFork, forks.contains(&PieceKind::Maa)),
        (Theme::Fork, forks.iter().any(|&kind| kind != PieceKind::Maa)),
        (Theme::Skewer, has(is_skewer)),
        (Theme::Pin, has(is_pin)),
        (Theme::Discovered, has(is_discovered)),
        (Theme::BackRank, is_back_rank(line)),
        (Theme::Promotion, line.own().any(|index| line.moves[index].is_promotion())),
        (Theme::Trapped, has(is_trapped)),
        (Theme::Quiet, line.goal != Goal::Hold && has(is_quiet)),
        (Theme::Defence, line.goal == Goal::Hold),
        (Theme::Stalemate, is_stalemate(line) || has(avoids_stalemate)),
    ];
    let mate = line.is_mate().then(|| Theme::mate_in(line.moves.len().div_ceil(2))).flatten();
    found.into_iter().filter_map(|(theme, is_there)| is_there.then_some(theme)).chain(mate).collect()
}

/// The squares that the piece on `square` attacks.
fn attacks_of(position: &Position, square: Square) -> Bitboard {
    let Some(piece) = position.piece_on(square) else { return Bitboard::EMPTY };
    attacks::from(piece.kind, piece.color, square, position.occupied())
}

/// The pieces of `color` that a piece of this value on `attacker` threatens: the khun, more valuable ones, and those
/// without protection, bia left out.
fn threatened(position: &Position, attacker: Square, color: Color) -> Bitboard {
    let Some(kind) = position.kind_on(attacker) else { return Bitboard::EMPTY };
    let attacked = attacks_of(position, attacker) & position.color(color) & !position.kind(PieceKind::Bia);
    attacked
        .into_iter()
        .filter(|&square| {
            let target = position.kind_on(square).map_or(0, value);
            let protected = !position.attackers_of(color, square, position.occupied()).is_empty();
            target > value(kind) || !protected
        })
        .collect()
}

/// The piece that forks with the move `index` and takes one of its targets with the next one.
fn fork(line: &Line, index: usize) -> Option<PieceKind> {
    fork_targets(line, index).map(|(kind, _)| kind)
}

/// The same piece with the squares that it attacks.
pub(crate) fn fork_targets(line: &Line, index: usize) -> Option<(PieceKind, Bitboard)> {
    let (mv, next) = (line.moves[index], line.moves.get(index + 2)?);
    let after = &line.positions[index + 1];
    let targets = threatened(after, mv.to(), after.side_to_move());
    let takes = next.from() == mv.to() && targets.contains(next.to());
    // The target was there before: a piece that came to protect or to interpose is no prey of the fork.
    let stayed = line.moves[index + 1].to() != next.to();
    let is_fork = takes && stayed && targets.len() >= 2;
    is_fork.then(|| after.kind_on(mv.to())).flatten().map(|kind| (kind, targets))
}

/// A rua attacks a piece that leaves, and takes the one behind, which is worth no more.
pub(crate) fn is_skewer(line: &Line, index: usize) -> bool {
    let Some(&next) = line.moves.get(index + 2) else { return false };
    let (mv, reply, after) = (line.moves[index], line.moves[index + 1], &line.positions[index + 1]);
    let [front, behind] = [reply.from(), next.to()].map(|square| after.kind_on(square));
    let (Some(front), Some(behind)) = (front, behind) else { return false };
    after.kind_on(mv.to()) == Some(PieceKind::Rua)
        && next.from() == mv.to()
        && after.color(after.side_to_move()).contains(next.to())
        && attacks_of(after, mv.to()).contains(reply.from())
        && attacks::between(mv.to(), next.to()).contains(reply.from())
        && value(front) >= value(behind)
        && behind != PieceKind::Bia
}

/// A rua pins a piece to its khun, and the solver takes the piece, or moves where it could take otherwise.
pub(crate) fn is_pin(line: &Line, index: usize) -> bool {
    let (mv, before, after) = (line.moves[index], &line.positions[index], &line.positions[index + 1]);
    let enemy = after.side_to_move();
    let pinned = before.pinned(enemy) & before.color(enemy);
    if pinned.contains(mv.to()) && before.kind_on(mv.to()) != Some(PieceKind::Bia) {
        return true;
    }
    let ignores = (after.pinned(enemy) & after.color(enemy)).into_iter().any(|square| {
        attacks_of(after, square).contains(mv.to()) && !after.is_legal(Move::new(square, mv.to()))
    });
    ignores && !after.in_check()
}

/// A piece leaves the line of its own rua, which checks, or takes what it attacks then.
pub(crate) fn is_discovered(line: &Line, index: usize) -> bool {
    let (mv, before, after) = (line.moves[index], &line.positions[index], &line.positions[index + 1]);
    let enemy = after.side_to_move();
    let lines = (before.pieces(!enemy, PieceKind::Rua) & !Bitboard::from(mv.from())).into_iter();
    lines.filter(|&rua| after.kind_on(rua) == Some(PieceKind::Rua)).any(|rua| {
        let opened = attacks_of(after, rua) & !attacks_of(before, rua) & after.color(enemy);
        let targets = opened.into_iter().filter(|&target| attacks::between(rua, target).contains(mv.from()));
        let takes = |target| line.moves.get(index + 2) == Some(&Move::new(rua, target));
        targets
            .into_iter()
            .any(|target| target == after.khun(enemy) || takes(target) && !is_bia(after, target))
    })
}

fn is_bia(position: &Position, square: Square) -> bool {
    position.kind_on(square) == Some(PieceKind::Bia)
}

/// A rua mates along the first rank of the khun.
pub fn is_back_rank(line: &Line) -> bool {
    let end = line.end();
    let khun = end.khun(end.side_to_move());
    line.is_mate()
        && khun.relative_rank(end.side_to_move()) == Rank::First
        && end
            .checkers()
            .into_iter()
            .any(|square| end.kind_on(square) == Some(PieceKind::Rua) && square.rank() == khun.rank())
}

/// After the move a piece is lost wherever it goes, and the next move takes it.
pub(crate) fn is_trapped(line: &Line, index: usize) -> bool {
    let Some(&next) = line.moves.get(index + 2) else { return false };
    let (reply, after) = (line.moves[index + 1], &line.positions[index + 1]);
    let stood = if reply.to() == next.to() { reply.from() } else { next.to() };
    let enemy = after.side_to_move();
    let is_prey = after.piece_on(stood).is_some_and(|piece| {
        piece.color == enemy && !matches!(piece.kind, PieceKind::Bia | PieceKind::Khun | PieceKind::Met)
    });
    if !is_prey || after.in_check() || after.attackers_of(!enemy, stood, after.occupied()).is_empty() {
        return false;
    }
    // A piece that takes something on its way out is no trapped one.
    let mut flights = after.legal_moves().into_iter().filter(|mv| mv.from() == stood).peekable();
    flights.peek().is_some()
        && flights.all(|mv| {
            let there = after.after(mv);
            let taken = after.kind_on(mv.to()).map_or(0, value);
            there
                .legal_moves()
                .into_iter()
                .any(|capture| capture.to() == mv.to() && there.see_ge(capture, taken + 1, &VALUES))
        })
}

/// A move that neither takes, promotes, checks nor threatens anything.
fn is_quiet(line: &Line, index: usize) -> bool {
    let (mv, before, after) = (line.moves[index], &line.positions[index], &line.positions[index + 1]);
    !before.is_noisy(mv)
        && !after.in_check()
        && !before.in_check()
        && before.legal_moves().len() > 1
        && threatened(after, mv.to(), after.side_to_move()).is_empty()
}

/// The solver is stalemated, and held.
fn is_stalemate(line: &Line) -> bool {
    // The last move of the line is the solver's: the other side's best reply may be the one that stalemates.
    let end = line.end();
    let ends = |position: &Position| position.outcome() == Some(Outcome::Draw(DrawReason::Stalemate));
    line.goal == Goal::Hold
        && (ends(end)
            || (2..line.positions.len()).step_by(2).any(|index| ends(&line.positions[index]))
            || takes_into_stalemate(end))
}

/// Whether a capture of the side to move stalemates.
fn takes_into_stalemate(position: &Position) -> bool {
    let mut captures = position.legal_moves().into_iter().filter(|&mv| position.is_capture(mv));
    captures.any(|mv| position.after(mv).outcome() == Some(Outcome::Draw(DrawReason::Stalemate)))
}

/// The solver wins, where a capture or promotion would stalemate.
fn avoids_stalemate(line: &Line, index: usize) -> bool {
    let position = &line.positions[index];
    line.goal == Goal::Win
        && position.legal_moves().into_iter().any(|mv| {
            mv != line.moves[index]
                && position.is_noisy(mv)
                && position.after(mv).outcome() == Some(Outcome::Draw(DrawReason::Stalemate))
        })
}
