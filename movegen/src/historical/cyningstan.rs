//! The count as described by the Cyningstan game site.
//!
//! There is no board's honour. When a khun is bared, bia or not, the army against it has a number of moves by the
//! site's own list. Armies that are not on the list have no limit, and a met alone draws at once.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, honour};
use crate::position::Position;
use crate::types::{Color, PieceKind};

pub(super) struct Cyningstan;

/// The count against a bare khun, beginning now.
fn pieces(position: &Position, attacker: Color) -> Count {
    let count = |kind| position.pieces(attacker, kind).len();
    let army = [PieceKind::Rua, PieceKind::Khon, PieceKind::Maa, PieceKind::Met, PieceKind::Bia].map(count);
    let moves = match army {
        [2, 0, 0, 0, 0] => 4,
        [1, 0, 0, 0, 0] => 13,
        [0, 2, 0, 0, 0] => 18,
        [0, 1, 0, 0, 0] => 41,
        [0, 0, 2, 0, 0] => 29,
        [0, 0, 1, 0, 0] => 63,
        [0, 0, 0, 1, 2] => 83,
        [1, 1, 1, 1, 0] => 10,
        // The minister alone draws at once: a count that has run out.
        [0, 0, 0, 1, 0] => return Count::new(2, 2).owned_by(Some(!attacker)),
        _ => return Count::UNLIMITED.owned_by(Some(!attacker)),
    };
    Count::new(2 * moves, u16::from(position.side == attacker)).owned_by(Some(!attacker))
}

impl CountingRule for Cyningstan {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        if honour::was_bared(position, facts) { pieces(position, facts.mover) } else { before.ticked() }
    }

    fn at_setup(&self, position: &Position) -> Count {
        honour::bare_side(position).map_or(Count::NONE, |bare| pieces(position, !bare))
    }

    fn counts_among_bia(&self) -> bool {
        true
    }

    fn draws_at_limit(&self, _: CountKind) -> bool {
        true
    }

    fn kind(&self, position: &Position) -> CountKind {
        honour::kind_by_bare_khun(position)
    }

    fn owner_in_fen(&self, position: &Position, _: Count) -> Option<Color> {
        honour::bare_side(position)
    }
}
