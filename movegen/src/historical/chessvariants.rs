//! The count as described by the Chess Variant Pages.
//!
//! When a side has neither rua nor khon nor maa left, the pieces of the other side limit the moves that side may still
//! make; the pieces on the board are not subtracted. Both sides can be limited, and the first limit reached draws.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct ChessVariants;

/// Whether `side` has neither rua nor khon nor maa.
fn is_stripped(position: &Position, side: Color) -> bool {
    let big = position.kind(PieceKind::Rua) | position.kind(PieceKind::Khon) | position.kind(PieceKind::Maa);
    !big.intersects(position.color(side))
}

/// Starts a count for each side that is limited and has none yet. The count that ends sooner is the first one; its
/// owner is the side to be mated.
fn with_new_limits(position: &Position, mut count: Count) -> Count {
    for attacker in Color::ALL {
        let first = count.owner() == Some(!attacker);
        let second = count.owner() == Some(attacker) && count.second() > 0;
        if count.is_expired() || first || second || !is_stripped(position, !attacker) {
            continue;
        }
        let limit = 2 * honour::pieces_limit_khon_first(position, attacker);
        let ply = u16::from(position.side == attacker);
        let fresh = Count::new(limit, ply).owned_by(Some(!attacker));
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

    /// The side to be mated has neither rua nor khon nor maa. If that is true of both, a bare khun cannot mate; else
    /// the attacker makes the last of the plies left.
    fn owner_in_fen(&self, position: &Position, count: Count) -> Option<Color> {
        let stripped = Color::ALL.map(|side| is_stripped(position, side));
        let even = count.plies_left().is_multiple_of(2);
        let by_turn = if even { position.side } else { !position.side };
        Some(match (stripped, honour::bare_side(position)) {
            ([true, false], _) => Color::White,
            ([false, true], _) => Color::Black,
            // With two counts the numbers say whose is whose.
            (_, Some(bare)) if count.second() == 0 => bare,
            _ => by_turn,
        })
    }
}

impl Position {
    /// Moves that each side may still make (White's, Black's) under the rules of the Chess Variant Pages; `None` for a
    /// side that is not limited, and always under other rules.
    pub fn moves_left_by_side(&self) -> [Option<u16>; 2] {
        let mut moves = [None; 2];
        let Some(owner) = self.count.owner() else { return moves };
        if self.rules.counting != crate::rules::CountingSystem::ChessVariants {
            return moves;
        }
        let left =
            |attacker: Color, plies: u16| if attacker == self.side { plies.div_ceil(2) } else { plies / 2 };
        moves[(!owner).index()] = Some(left(!owner, self.count.plies_left()));
        if self.count.second() > 0 {
            moves[owner.index()] = Some(left(owner, self.count.second()));
        }
        moves
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::counting::SpokenCount;
    use crate::rules::{Rules, Ruleset, Variant};

    #[test]
    fn a_fen_limits_the_side_that_can_mate() {
        let rules = Rules::new(Variant::Makruk, Ruleset::ChessVariants);
        for (fen, count, moves) in [
            ("5k2/7R/5K2/8/8/8/8/8 w - 32 30 50", "white may make 1 more moves", [Some(1), None]),
            ("5k2/7R/5K2/8/8/8/8/8 w - 32 29 50", "white may make 2 more moves", [Some(2), None]),
            ("5k2/7R/5K2/8/8/8/8/8 b - 32 29 50", "white may make 1 more moves", [Some(1), None]),
            // The met does not keep Black from being limited, nor White from limiting it.
            ("5k2/7R/5K2/8/8/3m4/8/8 w - 32 30 50", "white may make 1 more moves", [Some(1), None]),
            ("8/8/8/8/3M4/5k2/7r/5K2 b - 32 30 50", "black may make 1 more moves", [None, Some(1)]),
            ("5k2/7M/5K2/8/8/8/8/8 w - 128 30 50", "white may make 49 more moves", [Some(49), None]),
            ("5k2/7M/5K2/8/3m4/8/8/8 w - 128 31 50", "white may make 49 more moves", [Some(49), None]),
            ("5k2/7M/5K2/8/3m4/8/8/8 w - 128 30 50", "black may make 49 more moves", [None, Some(49)]),
        ] {
            let position = Position::from_fen_with(fen, rules).unwrap();
            let spoken = SpokenCount::new(&position).to_string();
            assert!(spoken.ends_with(count), "{fen}: {spoken}");
            assert_eq!(position.moves_left_by_side(), moves, "{fen}");
            assert_eq!(Position::from_fen_with(&position.to_string(), rules), Ok(position), "{fen}");
        }
    }
}
