//! Themes of the count: what other moves would be worth, with it and without it.

use anyhow::Result;
use sakmak_movegen::{Move, PieceKind, Position, Square};

use sakmak_themes::{bares, begins_count};

use super::{Line, Theme};
use crate::puzzle::Goal;
use crate::ranking::{Ranker, Ranking};

/// Nodes of the searches for what a move is worth.
const NODES: u64 = 20_000;
/// Most bia in a position in which the count can decide soon.
const MOST_BIA: u32 = 2;
/// Most pieces in such a position, the khun included.
const MOST_PIECES: u32 = 9;
/// Least expected score of a won position, and the largest one of a position that is not won.
const WON: f64 = 0.90;
const NOT_WON: f64 = 0.60;

/// The themes of the count in a line.
pub(super) fn themes(line: &Line, rankings: &[Ranking], ranker: &mut Ranker) -> Result<Vec<Theme>> {
    let mut themes = Vec::new();
    for (index, ranking) in line.own().zip(rankings) {
        let position = &line.positions[index];
        if position.kind(PieceKind::Bia).len() > MOST_BIA || position.occupied().len() > MOST_PIECES {
            continue;
        }
        match line.goal {
            Goal::Win => winning(line, index, ranking, ranker, &mut themes)?,
            Goal::Hold => holding(line, index, ranker, &mut themes)?,
            Goal::Advantage => {}
        }
    }
    themes.sort_unstable();
    themes.dedup();
    Ok(themes)
}

/// The expected score of the side to move after its move, with the count and without it.
fn worth(position: &Position, mv: Move, ranker: &mut Ranker) -> Result<[f64; 2]> {
    let after = position.after(mv);
    Ok([1.0 - ranker.expected(&after, NODES)?, 1.0 - ranker.uncounted(&after, NODES)?])
}

/// Whether only the count keeps a move from winning.
fn is_late(position: &Position, mv: Move, ranker: &mut Ranker) -> Result<bool> {
    let [counted, uncounted] = worth(position, mv, ranker)?;
    Ok(counted <= NOT_WON && uncounted >= WON)
}

fn winning(
    line: &Line,
    index: usize,
    ranking: &Ranking,
    ranker: &mut Ranker,
    themes: &mut Vec<Theme>,
) -> Result<()> {
    let (position, mv) = (&line.positions[index], line.moves[index]);
    let side = position.side_to_move();
    let others = position.legal_moves().into_iter().filter(|&other| other != mv);
    // With a search only the second best move is known to be the best of the others.
    let known: Vec<Move> = ranking.moves.iter().skip(1).map(|other| other.mv).collect();
    if position.count().is_running() {
        for &other in known.iter().take(if ranking.exact { usize::MAX } else { 1 }) {
            if !begins_count(position, &position.after(other)) && is_late(position, other, ranker)? {
                themes.push(Theme::BeatCount);
                break;
            }
        }
    }
    let mut baring = Vec::new();
    for other in others {
        let after = position.after(other);
        if !begins_count(position, &after) {
            continue;
        }
        let loses_bia =
            position.pieces(side, PieceKind::Bia).len() > after.pieces(side, PieceKind::Bia).len();
        if loses_bia && !position.is_capture(other) {
            if is_late(position, other, ranker)? {
                themes.push(Theme::KeepBia);
            }
        } else if position.is_capture(other) && is_late(position, other, ranker)? {
            // A move that begins the count itself refuses nothing.
            themes.extend((!begins_count(position, &position.after(mv))).then_some(Theme::RefuseCapture));
            baring.extend(bares(position, &after).then_some(other));
        }
    }
    // Other moves leave the last bia to the enemy.
    let own = position.pieces(side, PieceKind::Bia);
    if own.len() == 1 && position.kind(PieceKind::Bia).len() == 1 {
        let stays = line.positions.iter().skip(index).all(|later| !later.kind(PieceKind::Bia).is_empty());
        let given = known.iter().find(|&&other| {
            let after = position.after(other);
            let mut captures = after.legal_moves().into_iter();
            captures.any(|capture| own.contains(capture.to()) && after.is_capture(capture))
        });
        if let Some(&other) = given.filter(|_| stays)
            && is_late(position, other, ranker)?
        {
            themes.push(Theme::KeepBia);
        }
    }
    if bares(position, &position.after(mv)) {
        // Another capture of the last piece, now or before, would not win.
        let mut is_timed = !baring.is_empty();
        for earlier in (0..index).step_by(2) {
            let before = &line.positions[earlier];
            for capture in before.legal_moves() {
                is_timed |= bares(before, &before.after(capture)) && is_late(before, capture, ranker)?;
            }
        }
        themes.extend(is_timed.then_some(Theme::LastPiece));
    }
    Ok(())
}

fn holding(line: &Line, index: usize, ranker: &mut Ranker, themes: &mut Vec<Theme>) -> Result<()> {
    let (position, mv) = (&line.positions[index], line.moves[index]);
    let side = position.side_to_move();
    let after = position.after(mv);
    // Only the count saves.
    if worth(position, mv, ranker)?[1] > 1.0 - WON {
        return Ok(());
    }
    if begins_count(position, &after) {
        themes.push(Theme::StartCount);
    } else if position.count().is_running() {
        let bare = position.is_bare(side);
        let armed = !bare && !position.is_bare(!side);
        themes.extend(bare.then_some(Theme::CountOut));
        themes.extend(armed.then_some(Theme::BoardHonour));
    }
    if !position.is_bare(side) {
        // A piece that could be taken before is no sacrifice.
        let is_given = |square: Square| {
            square == mv.to() || position.attackers_of(!side, square, position.occupied()).is_empty()
        };
        let mut replies = after.legal_moves().into_iter().filter(|reply| is_given(reply.to()));
        let gives = replies.any(|reply| {
            let taken = after.after(reply);
            taken.is_bare(side) && begins_count(&after, &taken)
        });
        themes.extend(gives.then_some(Theme::Sacrifice));
    }
    Ok(())
}
