//! The record of a game that was played here.

use sakmak_movegen::rules::RuleParts;
use sakmak_movegen::{Color, Fen, Game, Notation, Outcome, PlayRules, Rules, Ruleset};

use crate::pgn::{PgnGame, PgnMove, PgnResult, Tags};
use crate::{RULE_PARTS, RULESET, count_command, is_default_start};

impl From<&Game> for PgnGame {
    /// The moves of a game in SAN, with a [`count_command`] for each decision about the count, and its result: `*` while
    /// it goes on. The tags are the result, the variant, the rules that differ from the default, and the FEN of a start
    /// position that readers would not assume. [`begin`](crate::begin) with
    /// [`rules_by_tags`](crate::ReadOptions::rules_by_tags) and [`play`](crate::play) make the same game of it.
    ///
    /// Names and the date can be set in [`PgnGame::tags`]. The name of a ruleset is that of the one with the fewest
    /// differences.
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
        record(game, None)
    }
}

impl PgnGame {
    /// The same as `PgnGame::from(game)`, with rules named by a ruleset that is known.
    pub fn by_ruleset(game: &Game, ruleset: Ruleset) -> Self {
        record(game, Some(ruleset))
    }
}

fn record(game: &Game, ruleset: Option<Ruleset>) -> PgnGame {
    let initial = game.initial();
    let mut decisions = game.decisions().iter().peekable();
    let mut commands_at = |plies: usize| {
        let mut commands = Vec::new();
        while let Some(&(_, decision)) = decisions.next_if(|(ply, _)| *ply == plies) {
            commands.push(count_command(decision));
        }
        commands
    };
    let comment = commands_at(0);
    let mut played = initial.clone();
    let mut moves = Vec::with_capacity(game.len());
    for mv in game.moves() {
        let text = played.name(Notation::San, mv);
        played.play_unchecked(mv);
        moves.push(PgnMove { text, comments: commands_at(played.len()), ..PgnMove::default() });
    }
    let result = game.outcome().map_or(PgnResult::Unknown, PgnResult::from);
    let mut tags = start_tags(&initial, ruleset);
    tags.set("Result", result.to_string());
    PgnGame { tags, comment, moves, result, ..PgnGame::default() }
}

/// The tags from which a reader makes the rules and the start position of a game: Variant, Ruleset, RuleParts, SetUp
/// and FEN, without those that hold what is assumed anyway. `initial` is [`Game::initial`], `ruleset` the one that
/// gives the rules their name; without it that is the one with the fewest differences among those of which the tags make
/// the same rules.
pub fn start_tags(initial: &Game, ruleset: Option<Ruleset>) -> Tags {
    let variant = initial.rules().variant;
    let mut tags = Tags::default();
    tags.set("Variant", variant.name());
    let fen = initial.marked_fen();
    let is_default = is_default_start(&fen, variant);
    let implied: Option<Fen> = fen.parse().ok().filter(|_| !is_default);
    let (ruleset, parts) = match ruleset {
        Some(ruleset) => (ruleset, parts_of(ruleset, initial.rules(), implied.as_ref())),
        None => Ruleset::ALL
            .iter()
            .map(|&ruleset| (ruleset, parts_of(ruleset, initial.rules(), implied.as_ref())))
            // What some rulesets differ in has no name.
            .min_by_key(|(ruleset, parts)| {
                let again = parts.applied_to(Rules::new(variant, *ruleset)).play;
                let again = implied.as_ref().map_or(again, |fen| fen.implied_rules(again));
                (again != *initial.rules(), parts.len())
            })
            .unwrap_or_default(),
    };
    if ruleset != Ruleset::default() || !parts.is_empty() {
        tags.set(RULESET, ruleset.name());
    }
    if !parts.is_empty() {
        tags.set(RULE_PARTS, parts.to_string());
    }
    if !is_default {
        tags.set("SetUp", "1");
        tags.set("FEN", fen);
    }
    tags
}

/// The parts of `play` that differ from those of a ruleset, or of those that a FEN implies under it.
fn parts_of(ruleset: Ruleset, play: &PlayRules, fen: Option<&Fen>) -> RuleParts {
    let base = Rules::new(play.variant, ruleset);
    let implied = fen.map_or(base.play, |fen| fen.implied_rules(base));
    // A FEN takes the place of the setup.
    if implied == *play {
        RuleParts::default()
    } else {
        RuleParts::between(base, Rules { play: *play, ..base })
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
    use sakmak_movegen::{CountDecision, Variant};

    use super::*;
    use crate::pgn::PgnReader;
    use crate::{COUNT_STOP, ReadOptions, begin, obey_count, play};

    /// The game of a record, played again by the rules of its tags.
    fn replay(pgn: &str) -> Game {
        let mut record = PgnReader::new(pgn.as_bytes()).next().unwrap().unwrap();
        let options = ReadOptions { rules_by_tags: true, ..ReadOptions::default() };
        let mut game = begin(&record.tags, &options).unwrap().unwrap().game;
        obey_count(&mut game, &record.comment);
        play(&mut game, &mut record.moves, None, &mut |_, _, _, _| {}).unwrap();
        game
    }

    /// Checks that a game is read as it was written, and returns its record.
    fn round_trip(game: &Game) -> PgnGame {
        let record = PgnGame::from(game);
        let again = replay(&record.to_string());
        assert_eq!(
            (again.initial().position(), again.rules()),
            (game.initial().position(), game.rules()),
            "{record}"
        );
        assert_eq!((again.position(), again.outcome()), (game.position(), game.outcome()), "{record}");
        let other = PgnGame::by_ruleset(game, Ruleset::Knowlton);
        let again = replay(&other.to_string());
        assert_eq!(other.tags.get("Ruleset"), Some("knowlton"));
        // No part has all that the readings of Ouk Chaktrang differ in.
        if game.rules().variant != Variant::Cambodian {
            assert_eq!(again.position(), game.position(), "{other}");
        }
        record
    }

    #[test]
    fn a_stopped_count_and_the_start_position_are_read_again() {
        let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
        let mut game = Game::from_fen("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60", rules).unwrap();
        game.play_uci("g3h3").unwrap();
        game.play_uci("c1e2").unwrap();
        game.stop_count().unwrap();
        game.play_uci("h3a3").unwrap();
        let record = round_trip(&game);
        assert_eq!(record.tags.get("FEN"), Some("1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60"));
        assert_eq!(record.moves[1].comments, [COUNT_STOP]);
        assert_eq!((record.result, record.tags.get("Result")), (PgnResult::BlackWins, Some("0-1")));
    }

    #[test]
    fn decisions_before_the_first_move_are_read_again() {
        let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
        let fen = "1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60";
        let mut game = Game::from_fen(fen, rules).unwrap();
        game.stop_count().unwrap();
        game.start_count().unwrap();
        assert_eq!(round_trip(&game).comment, [COUNT_STOP, "[%count start]"]);
        game.play_uci("g3a3").unwrap();
        let record = round_trip(&game);
        assert_eq!(
            (record.result, record.tags.get("FEN")),
            (PgnResult::Draw, Some(fen)),
            "the counter mated"
        );
        game.take_back();
        game.take_back();
        assert_eq!(game.decisions(), [(0, CountDecision::Stop), (0, CountDecision::Start)]);
    }

    #[test]
    fn a_claim_and_parts_of_the_rules_are_read_again() {
        let rules = Rules::new(Variant::Makruk, Ruleset::SchemingMind);
        let rules = rules.with_parts("CountClaim=manual SutMet=on").unwrap();
        let mut game = Game::from_fen("7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30", rules).unwrap();
        game.play_uci("b1b2").unwrap();
        game.claim_draw().unwrap();
        assert_eq!(game.claimed(), game.outcome());
        let record = round_trip(&game);
        assert_eq!(record.moves[0].comments, ["[%count claim]"]);
        assert_eq!(record.result, PgnResult::Draw);
        assert_eq!(record.tags.get("Ruleset"), Some("schemingmind"));
        assert_eq!(record.tags.get("RuleParts"), Some("CountClaim=manual SutMet=on"));
        assert_eq!(game.take_back().map(|mv| mv.to_string()).as_deref(), Some("b1b2"));
        assert!(game.decisions().is_empty() && game.claimed().is_none());
    }

    /// Games with few pieces, in which players decide about the count wherever they may.
    #[test]
    fn random_games_of_all_rules_are_read_again() {
        let mut seed = 0;
        let mut random = |below: usize| {
            seed += 1;
            sakmak_movegen::splitmix64(seed) as usize % below
        };
        let parts = [
            "",
            "CountClaim=manual",
            "CountStarted=-1 Repetition=none",
            "SutMa=on SutMet=on StartArray=mirrored",
        ];
        let fens = [
            None,
            Some("3k4/2r5/8/2s5/8/8/3M~M3/4K3 w - - 0 40"),
            Some("4k3/8/1m6/8/2R5/4P3/8/1R2K3 b - - 0 50"),
        ];
        let mut decisions = 0;
        for &variant in Variant::ALL {
            for &ruleset in Ruleset::ALL {
                for (parts, fen) in parts.into_iter().flat_map(|parts| fens.map(|fen| (parts, fen))) {
                    let rules = Rules::new(variant, ruleset).with_parts(parts).unwrap();
                    let mut game = match fen {
                        None => Game::new(rules),
                        Some(fen) => Game::from_fen(fen, rules).unwrap(),
                    };
                    for _ in 0..60 {
                        let _ = game.decide(CountDecision::ALL[random(3)]);
                        let moves = game.position().legal_moves();
                        if moves.is_empty() {
                            break;
                        }
                        game.play_unchecked(moves[random(moves.len())]);
                    }
                    decisions += game.decisions().len();
                    round_trip(&game);
                }
            }
        }
        assert!(decisions > 500, "{decisions}");
    }

    /// The readings of Ouk Chaktrang differ in first moves that no part names.
    #[test]
    fn the_parts_of_one_ruleset_on_top_of_another_are_read_again() {
        for &variant in Variant::ALL {
            for base in Ruleset::ALL.iter().map(|&ruleset| Rules::new(variant, ruleset)) {
                for other in Ruleset::ALL.iter().map(|&ruleset| Rules::new(variant, ruleset)) {
                    round_trip(&Game::new(RuleParts::between(base, other).applied_to(base)));
                }
            }
        }
    }

    #[test]
    fn wrong_parts_of_rules_are_reported() {
        let mut tags = Tags::default();
        tags.set("RuleParts", "Repetition=twice");
        assert!(begin(&tags, &ReadOptions::default()).is_ok());
        let error = begin(&tags, &ReadOptions { rules_by_tags: true, ..ReadOptions::default() }).unwrap_err();
        let text = "RuleParts tag: Repetition can be ruleset or threefold or none";
        assert_eq!(error.to_string(), text);
    }

    #[test]
    fn a_game_from_the_start_position_has_no_fen() {
        let record = PgnGame::from(&Game::new(Rules::new(Variant::Cambodian, Ruleset::default())));
        assert_eq!((record.tags.get("FEN"), record.tags.get("Variant")), (None, Some("cambodian")));
        assert!(record.to_string().ends_with("\n\n*\n\n"), "{record}");
    }
}
