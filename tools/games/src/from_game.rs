//! The record of a game that was played here.

use sakmak_movegen::{Color, Game, Notation, Outcome, Position};

use crate::pgn::{PgnGame, PgnMove, PgnResult, Tags};
use crate::{COUNT_STOP, is_default_start};

impl From<&Game> for PgnGame {
    /// The moves of a game in SAN, with [`COUNT_STOP`] where a side stopped its count, and its result: `*` while it goes
    /// on. The tags are the variant, the result, and the FEN of a start position that readers would not assume.
    ///
    /// Names, the date and the ruleset, which a game does not know, can be set in [`PgnGame::tags`].
    ///
    /// ```
    /// use sakmak_games::pgn::PgnGame;
    /// use sakmak_movegen::{Game, Rules};
    ///
    /// let mut game = Game::new(Rules::default());
    /// for text in ["b1d2", "e6e5", "d2b1"] {
    ///     game.play_uci(text)?;
    /// }
    /// let mut record = PgnGame::from(&game);
    /// record.tags.set("White", "Somchai");
    /// let pgn = record.to_string();
    /// assert!(pgn.contains("[White \"Somchai\"]") && pgn.ends_with("\n1. Nd2 e5 2. Nb1 *\n\n"));
    /// # Ok::<(), sakmak_movegen::MoveError>(())
    /// ```
    fn from(game: &Game) -> Self {
        let mut earlier = game.clone();
        let mut moves = Vec::with_capacity(game.len());
        let mut after = game.position().clone();
        while let Some(mv) = earlier.take_back() {
            let counts =
                |position: &Position| position.count().is_running() && !position.count().is_unlimited();
            let stopped = counts(&earlier.position().after(mv)) && !counts(&after);
            let comments = if stopped { vec![COUNT_STOP.to_owned()] } else { Vec::new() };
            moves.push(PgnMove { text: earlier.name(Notation::San, mv), comments, ..PgnMove::default() });
            after = earlier.position().clone();
        }
        moves.reverse();
        let result = game.outcome().map_or(PgnResult::Unknown, PgnResult::from);
        let mut tags = Tags::default();
        tags.set("Result", result.to_string());
        tags.set("Variant", game.rules().variant.name());
        let fen = earlier.marked_fen();
        if !is_default_start(&fen, game.rules().variant) {
            tags.set("SetUp", "1");
            tags.set("FEN", fen);
        }
        Self { tags, moves, result, ..Self::default() }
    }
}

impl From<Outcome> for PgnResult {
    fn from(outcome: Outcome) -> Self {
        match outcome.winner() {
            Some(Color::White) => Self::WhiteWins,
            Some(Color::Black) => Self::BlackWins,
            None => Self::Draw,
        }
    }
}

#[cfg(test)]
mod tests {
    use sakmak_movegen::{Rules, Ruleset, Variant};

    use super::*;
    use crate::pgn::PgnReader;
    use crate::{ReadOptions, begin, obey_count, play};

    /// The game of a record, played again.
    fn replay(pgn: &str, ruleset: Ruleset) -> Game {
        let mut record = PgnReader::new(pgn.as_bytes()).next().unwrap().unwrap();
        let options = ReadOptions { ruleset, ..ReadOptions::default() };
        let mut game = begin(&record.tags, &options).unwrap().unwrap().game;
        obey_count(&mut game, &record.comment);
        play(&mut game, &mut record.moves, None, &mut |_, _, _, _| {}).unwrap();
        game
    }

    #[test]
    fn a_stopped_count_and_the_start_position_are_read_again() {
        let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
        let mut game = Game::from_fen("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", rules).unwrap();
        game.play_uci("g3h3").unwrap();
        game.play_uci("c1e2").unwrap();
        game.stop_count().unwrap();
        game.play_uci("h3a3").unwrap();
        let record = PgnGame::from(&game);
        assert_eq!(record.tags.get("FEN"), Some("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60"));
        assert_eq!(record.moves[1].comments, [COUNT_STOP]);
        assert_eq!((record.result, record.tags.get("Result")), (PgnResult::BlackWins, Some("0-1")));
        let again = replay(&record.to_string(), Ruleset::Wikipedia);
        assert_eq!((again.position(), again.outcome()), (game.position(), game.outcome()));
    }

    #[test]
    fn a_game_from_the_start_position_has_no_fen() {
        let record = PgnGame::from(&Game::new(Rules::new(Variant::Cambodian, Ruleset::default())));
        assert_eq!((record.tags.get("FEN"), record.tags.get("Variant")), (None, Some("cambodian")));
        assert!(record.to_string().ends_with("\n\n*\n\n"), "{record}");
    }
}
