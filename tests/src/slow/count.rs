//! The count by the slow rules: Fairy-Stockfish's, clause by clause.

/// The count: both numbers in plies.
#[derive(Clone, Copy, Debug)]
pub(super) struct SlowCount {
    /// 0 while nothing is counted.
    limit: u32,
    ply: u32,
}

/// A move that has just been made.
pub(super) struct MadeMove<'a> {
    /// The FEN letters of all pieces on the board after the move, in any order.
    pub(super) pieces: &'a str,
    pub(super) mover_is_white: bool,
    /// The FEN letter of the captured piece.
    pub(super) captured: Option<char>,
    pub(super) promoted: bool,
}

impl SlowCount {
    pub(super) fn none() -> Self {
        Self { limit: 0, ply: 0 }
    }

    pub(super) fn running(limit: u32, ply: u32) -> Self {
        if limit == 0 { Self::none() } else { Self { limit, ply } }
    }

    pub(super) fn limit_and_ply(self) -> Option<(u32, u32)> {
        (self.limit > 0).then_some((self.limit, self.ply))
    }

    pub(super) fn is_expired(self) -> bool {
        self.limit > 0 && self.ply > self.limit
    }

    pub(super) fn after_move(&mut self, made: &MadeMove<'_>) {
        let piece_count = made.pieces.len() as u32;
        let side_is_bare =
            |white| made.pieces.chars().filter(|piece| piece.is_ascii_uppercase() == white).count() == 1;
        let mover_limit = plies_to_mate(made.pieces, made.mover_is_white);
        let next_limit = plies_to_mate(made.pieces, !made.mover_is_white);
        let next_is_bare = side_is_bare(!made.mover_is_white);

        // First: a count that runs goes on.
        if self.limit > 0 {
            self.ply += 1;
        }
        // Second: a bare khun has captured the last bia.
        let bia_taken = matches!(made.captured, Some('P' | 'p'));
        if bia_taken && side_is_bare(made.mover_is_white) && mover_limit > 0 {
            *self = Self { limit: mover_limit, ply: 2 * piece_count - 1 };
        }
        // Third: the first count, or a new one because the side to move is now bare or its attacker's last bia is gone.
        let anew = (made.captured.is_some() || made.promoted) && next_is_bare;
        if (self.limit == 0 || anew) && next_limit > 0 {
            *self = Self { limit: next_limit, ply: if next_is_bare { 2 * piece_count } else { 0 } };
        }
    }
}

/// The limit for mating a side, in plies; 0 if nothing is counted for it.
fn plies_to_mate(pieces: &str, defender_is_white: bool) -> u32 {
    let number = |letter: char| pieces.matches(letter).count();
    let (defenders, attackers): (Vec<char>, Vec<char>) =
        pieces.chars().partition(|piece| piece.is_ascii_uppercase() == defender_is_white);
    let of_attackers =
        |kind: char| attackers.iter().filter(|piece| piece.eq_ignore_ascii_case(&kind)).count();

    let moves = if number('P') + number('p') > 0 || attackers.len() == 1 {
        0
    } else if defenders.len() > 1 {
        64
    } else if of_attackers('R') >= 2 {
        8
    } else if of_attackers('R') == 1 {
        16
    } else if of_attackers('S') >= 2 {
        22
    } else if of_attackers('N') >= 2 {
        32
    } else if of_attackers('S') == 1 {
        44
    } else {
        64
    };
    2 * moves
}
