//! Checks a book beyond what its reader does: its moves are legal, and lead to all of its positions.

use std::collections::HashMap;

use anyhow::{Result, ensure};
use sakmak_engine::book::{Book, BookPosition};
use sakmak_movegen::Position;

use crate::export::reachable;

/// What a sound book has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Checked {
    /// Positions.
    pub positions: usize,
    /// Positions with a search.
    pub searched: usize,
    /// Moves, all of them legal.
    pub moves: usize,
    /// Plies from the start to the furthest position, on the shortest way of the book.
    pub plies: u32,
}

/// Plays all moves of a book, whose checksum its reader has checked.
///
/// # Errors
/// Names a position with an illegal move, without a way from the start, or with a score other than its best move's.
pub fn check(book: &Book) -> Result<Checked> {
    let mut entries: HashMap<u64, BookPosition> = book.entries().collect();
    let mut checked = Checked { positions: book.len(), searched: 0, moves: 0, plies: 0 };
    for (position, legal) in reachable(book) {
        let Some(entry) = entries.remove(&position.moves_key()) else { continue };
        ensure!(entry == legal, "{position}: has an illegal move");
        check_scores(&position, &entry)?;
        checked.searched += usize::from(entry.depth > 0);
        checked.moves += entry.moves.len();
        checked.plies = checked.plies.max(position.game_ply());
    }
    if let Some(key) = entries.keys().min() {
        ensure!(entries.is_empty(), "{key:016x}: no moves lead there from the start");
    }
    Ok(checked)
}

fn check_scores(position: &Position, entry: &BookPosition) -> Result<()> {
    let mut sorted = entry.clone();
    sorted.sort();
    ensure!(sorted == *entry, "{position}: the moves are not sorted");
    let best = entry.moves.first().and_then(|mv| mv.score);
    ensure!(
        (entry.depth > 0) == entry.score.is_some(),
        "{position}: a score without a search, or the reverse"
    );
    ensure!(
        entry.score.is_none() || entry.score == best,
        "{position}: its score is not that of its best move"
    );
    Ok(())
}
