//! The count as the Chess Variant Pages tell it.
//!
//! As soon as a side has neither rua nor khon nor maa left (met and bia do not matter), the other one may
//! make only so many more moves, by the men it has then. Both sides can be limited at once, and the limit
//! that is reached first draws; the men on the board are not subtracted.

use super::{Count, CountKind, CountingRule, MoveFacts, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct ChessVariants;

/// Whether `side` has neither rua nor khon nor maa.
fn is_stripped(position: &Position, side: Color) -> bool {
    let big = position.kind(PieceKind::Rua) | position.kind(PieceKind::Khon) | position.kind(PieceKind::Maa);
    !big.intersects(position.color(side))
}

/// The side whose move uses up the last of `plies`, the side to move making the next one.
fn owner(position: &Position, plies: u16) -> Color {
    if plies.is_multiple_of(2) { !position.side } else { position.side }
}

/// Starts a count against every side that has to hurry and is not yet counted.
fn with_new_limits(position: &Position, mut count: Count) -> Count {
    for hunter in Color::ALL {
        let limited = |plies| plies > 0 && owner(position, plies) == hunter;
        let counted = limited(count.plies_left()) || limited(count.second());
        if count.is_expired() || counted || !is_stripped(position, !hunter) {
            continue;
        }
        let limit = 2 * honour::limit_khon_first(position, hunter);
        let ply = u16::from(position.side == hunter);
        let fresh = Count::new(limit, ply);
        count = if !count.is_running() {
            fresh
        } else if fresh.plies_left() < count.plies_left() {
            fresh.with_second(count.plies_left())
        } else {
            count.with_second(fresh.plies_left())
        };
    }
    count
}

impl CountingRule for ChessVariants {
    fn after_move(&self, position: &Position, before: Count, _: MoveFacts) -> Count {
        let ticked = before.ticked();
        // A limit that has been reached stays reached.
        if ticked.is_running() && ticked.plies_left() == 0 {
            ticked
        } else {
            with_new_limits(position, ticked)
        }
    }

    fn at_setup(&self, position: &Position) -> Count {
        with_new_limits(position, Count::NONE)
    }

    fn counts_among_bia(&self) -> bool {
        true
    }

    fn draws_at_limit(&self, _: CountKind) -> bool {
        true
    }

    fn kind(&self, _: &Position) -> CountKind {
        CountKind::Pieces
    }

    fn counter(&self, position: &Position) -> Option<Color> {
        Some(!owner(position, position.count.plies_left()))
    }
}

impl Position {
    /// How many more moves each side may make (White's, Black's) under the rules of the Chess Variant Pages;
    /// `None` for a side that is not limited, and always under other rules.
    pub fn moves_left_by_side(&self) -> [Option<u16>; 2] {
        let mut moves = [None; 2];
        if self.rules.counting != super::CountingSystem::ChessVariants || !self.count.is_running() {
            return moves;
        }
        for plies in [self.count.plies_left(), self.count.second()] {
            let side = owner(self, plies);
            if plies > 0 || moves == [None; 2] {
                moves[side.index()] = Some(plies.div_ceil(2));
            }
        }
        moves
    }
}
