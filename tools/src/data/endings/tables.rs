//! The tables of several endings, and their results for positions and counts.

use std::collections::HashMap;
use std::sync::Arc;

use sakmak_movegen::counting::usual_limit;
use sakmak_movegen::{Color, Piece, PieceKind, Position, Square};

use super::table::{Ending, EndingTable, ILLEGAL, PlyCount};

/// Plies of the board's honour.
pub(super) const BOARD_PLIES: PlyCount = 128;

/// Plies of the pieces' honour by the attacker's pieces, under the default ruleset; those on the board not yet
/// subtracted.
pub fn limit(attackers: &[PieceKind]) -> PlyCount {
    let number = |kind| attackers.iter().filter(|&&piece| piece == kind).count() as u32;
    2 * usual_limit((number(PieceKind::Rua), number(PieceKind::Khon), number(PieceKind::Maa))) as PlyCount
}

/// Tables, each solved when it is first needed.
#[derive(Default)]
pub struct EndingTables(HashMap<Ending, Arc<EndingTable>>);

/// The result of a position in the tables.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TableResult {
    /// No table holds it.
    Nothing,
    /// The attacker does not win, however long the count.
    NotWon,
    /// The attacker wins in so many plies, if the count lets it.
    Won(PlyCount),
}

impl EndingTables {
    /// The table of an ending.
    pub fn get(&mut self, ending: &Ending) -> Arc<EndingTable> {
        if let Some(table) = self.0.get(ending) {
            return Arc::clone(table);
        }
        let table = Arc::new(EndingTable::solve(ending, Some(self)));
        self.0.insert(ending.clone(), Arc::clone(&table));
        table
    }

    /// The distance of `attacker` to its win: see [`EndingTable`].
    pub fn probe(&mut self, position: &Position, attacker: Color) -> TableResult {
        if attacker == Color::Black {
            return self.probe(&position.flipped(), Color::White);
        }
        if position.occupied().len() > 4 {
            return TableResult::Nothing;
        }
        // A bare khun cannot mate, nor can a single bia, which becomes a met.
        if position.is_bare(attacker) {
            return TableResult::NotWon;
        }
        let mut pieces: Vec<(Piece, Square)> = position
            .occupied()
            .into_iter()
            .filter_map(|square| position.piece_on(square).map(|piece| (piece, square)))
            .filter(|(piece, _)| piece.kind != PieceKind::Khun)
            .collect();
        // As in an ending.
        pieces.sort_by_key(|(piece, _)| (piece.color, std::cmp::Reverse(piece.kind)));
        let Some(ending) = Ending::new(pieces.iter().map(|(piece, _)| *piece).collect()) else {
            let alone = pieces.len() == 1;
            return if alone { TableResult::NotWon } else { TableResult::Nothing };
        };
        // While bia are on the board no count may run, and without one the count must be running.
        let bia = position.kind(PieceKind::Bia);
        let beyond = pieces.iter().any(|(piece, square)| {
            piece.kind == PieceKind::Bia && !(1..=4).contains(&square.relative_rank(piece.color))
        });
        if bia.is_empty() != position.count().is_running() || beyond {
            return TableResult::Nothing;
        }
        let mut squares = vec![position.khun(!attacker), position.khun(attacker)];
        squares.extend(pieces.iter().map(|(_, square)| *square));
        match self.get(&ending).plies(&squares, position.side_to_move() == attacker) {
            plies @ 0..ILLEGAL => TableResult::Won(plies),
            _ => TableResult::NotWon,
        }
    }

    /// Whether `attacker` wins, the count of the position considered; `None` if no table holds it. The game must
    /// not have ended yet.
    pub fn is_won(&mut self, position: &Position, attacker: Color) -> Option<bool> {
        match self.probe(position, attacker) {
            TableResult::Nothing => None,
            TableResult::NotWon => Some(false),
            TableResult::Won(plies) => Some(fits(position, plies)),
        }
    }
}

/// Whether a win in so many plies comes before the count has run out. The ply after the limit may still mate.
pub fn fits(position: &Position, plies: PlyCount) -> bool {
    position.count().remaining().is_none_or(|left| i32::from(plies) <= left + 1)
}
