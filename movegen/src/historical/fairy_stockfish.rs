//! The default rule with its Cambodian numbers, and counted by hand.

use crate::count::{Count, CountKind, MoveFacts};
use crate::counting::{CountingRule, default_count, default_limit, honour};
use crate::position::Position;
use crate::rules::{CountStarted, PlayRules, Variant};
use crate::types::{Color, PieceKind};

pub(super) struct FairyStockfish {
    pub(super) cambodian: bool,
}

impl CountingRule for FairyStockfish {
    fn after_move(&self, position: &Position, before: Count, facts: MoveFacts) -> Count {
        let limit = if self.cambodian { cambodian_limit } else { default_limit };
        let count = default_count(position, before, facts, limit);
        let started = position.rules().count_started;
        if started == CountStarted::AUTOMATIC { count } else { by_hand(position, count) }
    }

    fn counts_among_bia(&self) -> bool {
        self.cambodian
    }

    fn late_mate_wins(&self) -> bool {
        true
    }
}

/// The limit of the board's honour in plies.
const CAMBODIAN_BOARD_PLIES: u16 = honour::BOARD_PLIES - 2;

/// Limits in plies. They are two lower than the default's, and the board's honour begins when a side is down to three
/// pieces, bia or not.
fn cambodian_limit(position: &Position, defender: Color) -> u16 {
    let (bare, no_bia) = (position.is_bare(defender), position.kind(PieceKind::Bia).is_empty());
    if position.is_bare(!defender) {
        0
    } else if bare && no_bia {
        2 * honour::pieces_limit(position, !defender) - 2
    } else if !bare && position.color(defender).len() <= 3 {
        CAMBODIAN_BOARD_PLIES
    } else {
        0
    }
}

/// The count if the board's honour is counted by hand. In Ouk Chaktrang that honour goes on against a bare khun if it ends
/// sooner than the pieces' honour.
#[cold]
pub(crate) fn by_hand(position: &Position, count: Count) -> Count {
    let PlayRules { variant, count_started, .. } = position.rules;
    let is_cambodian = variant == Variant::Cambodian;
    if position.counting_rule().kind(position) == CountKind::Board {
        return honour::board_honour_by_hand(position, count);
    }
    let board = count_started.plies(position.game_ply()).map(|ply| Count::new(CAMBODIAN_BOARD_PLIES, ply));
    match board {
        Some(board)
            if is_cambodian
                && count_started.0 > 0
                && count.is_running()
                && board.remaining() < count.remaining() =>
        {
            board
        }
        _ => count,
    }
}

#[cfg(test)]
mod tests {
    use crate::rules::{CountStarted, PlayRules, Rules, Ruleset, Variant};
    use crate::{Game, Position};

    /// As Fairy-Stockfish's library 0.0.90 writes the count with `countStarted`.
    #[test]
    fn a_cambodian_board_honour_by_hand_goes_on_if_it_ends_sooner() {
        let cambodian = Rules::new(Variant::Cambodian, Ruleset::FairyStockfish).play;
        for (fen, mv, started, count) in [
            ("8/2m5/8/8/8/6k1/8/2K5 w - 126 6 134", "", 0, "126 6"),
            ("8/2m5/8/8/8/6k1/8/2K5 w - 126 6 134", "", -1, "126 6"),
            ("8/2m5/8/8/8/6k1/8/2K5 w - 126 6 134", "", 1, "126 266"),
            ("8/2m5/8/8/8/6k1/8/2K5 w - 126 6 134", "", 260, "126 7"),
            ("8/2m5/8/8/8/6k1/8/2K5 w - 126 6 134", "", 266, "126 6"),
            ("8/2m5/8/8/8/6k1/8/2K5 w - 126 40 134", "", 250, "126 40"),
            ("8/8/8/8/8/6k1/8/2K4R w - 30 6 60", "", 15, "126 104"),
            ("8/8/8/8/8/6k1/8/2K4R w - 30 6 60", "", 20, "30 6"),
            ("8/8/8/8/6k1/8/1m6/K6R w - - 0 60", "a1b2", 15, "126 105"),
            ("8/8/8/8/6k1/8/1m6/K6R w - - 0 60", "a1b2", 20, "30 6"),
            ("8/8/8/8/6k1/8/1m6/K6R w - 126 3 60", "a1b2", 10, "126 110"),
            ("8/8/8/8/6k1/8/8/K6R w - 30 9 60", "a1b2", 10, "126 110"),
            ("8/8/8/8/6k1/8/8/K6R w - 30 9 60", "a1b2", 15, "30 10"),
            ("8/8/8/8/6k1/3m4/3P4/K6R w - 126 9 60", "a1b2", 119, "126 1"),
        ] {
            let rules = PlayRules { count_started: CountStarted(started), ..cambodian };
            let mut game = Game::from_fen(fen, rules).unwrap();
            if !mv.is_empty() {
                game.play_uci(mv).unwrap();
            }
            let text = game.position().to_string();
            assert_eq!(
                text.split(' ').skip(3).take(2).collect::<Vec<_>>().join(" "),
                count,
                "{fen} {started}"
            );
        }
        // The default has no such exception.
        let makruk = PlayRules { count_started: CountStarted(1), ..PlayRules::default() };
        let position = Position::from_fen_with("8/8/8/8/8/6k1/8/2K4R w - 32 6 60", makruk).unwrap();
        assert_eq!((position.count().limit(), position.count().ply()), (32, 6));
    }
}
