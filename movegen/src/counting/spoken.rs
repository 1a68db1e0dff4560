//! The count as players speak it.

use core::fmt;

use crate::count::CountKind;
use crate::position::Position;
use crate::rules::CountingSystem;
use crate::types::Color;

/// The count of a position as players speak it. Its `Display` is `pieces 5/16, white may make 12 more moves` or the
/// like, or `none`.
///
/// ```
/// use sakmak_movegen::{Color, CountKind, Position, SpokenCount};
///
/// let position = Position::from_fen("8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80")?;
/// let spoken = SpokenCount::new(&position);
/// assert_eq!(spoken.to_string(), "pieces 5/16, white may make 12 more moves");
/// assert_eq!(spoken.moves_left(), Some((Color::White, 12)));
/// assert_eq!(spoken.spoken(), Some((CountKind::Pieces, 5)));
/// # Ok::<(), sakmak_movegen::FenError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct SpokenCount(Option<Spoken>);

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Spoken {
    kind: CountKind,
    /// The number last spoken, in moves.
    number: u16,
    /// The number at which the game is drawn, in moves.
    limit: u16,
    /// The side that has to mate: the side to move if the count belongs to neither.
    attacker: Color,
    moves_left: u16,
}

impl SpokenCount {
    /// The count of `position` in words. `none` for a count without an end and for the fifty moves.
    pub fn new(position: &Position) -> Self {
        let count = position.count();
        let rule = position.counting_rule();
        let silent = count.is_unlimited() || position.rules().counting == CountingSystem::FiftyMoves;
        let Some(kind) = position.count_kind().filter(|_| !silent) else { return Self(None) };
        let side = position.side_to_move();
        let attacker = position.counter().map_or(side, |counter| !counter);
        let left = count.plies_left();
        let moves_left = if attacker == side { left.div_ceil(2) } else { left / 2 };
        Self(Some(Spoken {
            kind,
            number: rule.spoken(count, kind),
            limit: count.limit() / 2,
            attacker,
            moves_left,
        }))
    }

    /// The side that has to mate and the moves it has left; `None` if nothing is counted.
    pub fn moves_left(self) -> Option<(Color, u16)> {
        self.0.map(|spoken| (spoken.attacker, spoken.moves_left))
    }

    /// The honour and the number last spoken, in moves; `None` if nothing is counted.
    pub fn spoken(self) -> Option<(CountKind, u16)> {
        self.0.map(|spoken| (spoken.kind, spoken.number))
    }

    /// The limit in moves; `None` if nothing is counted.
    pub fn limit(self) -> Option<u16> {
        self.0.map(|spoken| spoken.limit)
    }
}

impl fmt::Display for SpokenCount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Spoken { kind, number, limit, attacker, moves_left }) = self.0 else {
            return f.write_str("none");
        };
        let kind = match kind {
            CountKind::Board => "board",
            CountKind::Pieces => "pieces",
        };
        write!(f, "{kind} {number}/{limit}, {attacker} may make {moves_left} more moves")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_count_in_words() {
        let in_words = |fen: &str| SpokenCount::new(&Position::from_fen(fen).unwrap()).to_string();
        assert_eq!(
            in_words("8/8/4k3/8/3S4/8/2R1K3/8 w - 32 9 80"),
            "pieces 5/16, white may make 12 more moves"
        );
        assert_eq!(
            in_words("8/8/4k3/8/3S4/8/2R1K3/8 b - 32 8 80"),
            "pieces 4/16, white may make 12 more moves"
        );
        assert_eq!(
            in_words("3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128 2 33"),
            "board 1/64, white may make 63 more moves"
        );
        assert_eq!(in_words("3k4/2m5/5M2/4M3/3KS3/8/8/8 w - - 5 33"), "none");
    }
}
