//! The current game: start position and moves from the protocol's `position` command, under rules that may change.

use sakmak_movegen::{Color, CountError, FenError, Game, Move, MoveError, Outcome, Reading, Rules};

/// The part of a game that was refused.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum GameError {
    /// The FEN is wrong; the game is as before.
    #[error("{0}; position unchanged")]
    Fen(#[from] FenError),
    /// A move of the list is wrong; those before it were made.
    #[error("move {number} {error}; the moves before it were made")]
    Move {
        /// Its place in the list, from 1.
        number: usize,
        /// What is wrong with it.
        error: MoveError,
    },
    /// A count word (`count-start` and the like) was refused; the moves after it were made.
    #[error("'{word}' before move {number}: {error}; ignored")]
    Count {
        /// The word.
        word: &'static str,
        /// Number in the list of the move that follows, from 1.
        number: usize,
        /// Why it was refused.
        error: CountError,
    },
}

/// Why the engine searches no move in the current game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum NoSearch {
    /// The last requested position was refused, so the one on the board is an earlier one.
    #[error("the requested position was refused")]
    Refused,
    /// A move of the requested game was refused, and the side to move on the board is not that of the requested
    /// position.
    #[error("a move was refused, and in the position set up it is {side}'s turn, not {}'s", !*side)]
    OffTurn {
        /// The side to move on the board.
        side: Color,
    },
}

/// A move of the game that is legal only under another reading of Ouk Chaktrang.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("move {number} {mv} is not legal under these rules; accepted, {reading} allows it")]
pub struct DisputedMove {
    /// Its place in the list, from 1.
    pub number: usize,
    /// The move.
    pub mv: Move,
    /// A reading that allows it.
    pub reading: Reading,
}

type CountAction = fn(&mut PlayedPosition) -> Result<(), CountError>;

/// Count words: stand among the moves where the side to move counts by hand.
const COUNT_WORDS: [(&str, CountAction); 3] = [
    ("count-start", |played| played.game.start_count()),
    ("count-stop", |played| played.game.stop_count()),
    ("count-claim", |played| {
        played.claimed = Some(played.game.claim_draw()?);
        Ok(())
    }),
];

/// The arguments of `position`: a FEN, or none for the start position of the rules, and a list of moves and count
/// words.
#[derive(Default)]
struct PositionCommand {
    fen: Option<String>,
    words: Vec<String>,
}

/// A position command played through.
struct PlayedPosition {
    game: Game,
    /// The draw claimed after the last move.
    claimed: Option<Outcome>,
    /// Whether all moves were legal.
    complete: bool,
    disputed: Vec<DisputedMove>,
}

/// The current game.
pub(crate) struct CurrentGame {
    command: PositionCommand,
    played: PlayedPosition,
    /// The rules under which the command was played.
    rules: Rules,
    /// The side to move after all moves of the command, legal or not. `None` without a FEN, or if the FEN names no
    /// side.
    requested_side: Option<Color>,
    /// Whether a later `position` command was refused.
    is_refused: bool,
}

impl PositionCommand {
    fn play(&self, rules: Rules) -> Result<(PlayedPosition, Vec<GameError>), FenError> {
        let mut played = match &self.fen {
            Some(fen) => PlayedPosition::new(Game::from_fen(fen, rules)?),
            None => PlayedPosition::new(Game::new(rules)),
        };
        let mut errors = Vec::new();
        let mut number = 1;
        for text in &self.words {
            if let Some((word, act)) = COUNT_WORDS.iter().find(|(word, _)| word == text) {
                if let Err(error) = act(&mut played) {
                    errors.push(GameError::Count { word, number, error });
                }
                continue;
            }
            match played.game.play_uci_leniently(text) {
                Ok(sakmak_movegen::AcceptedMove { mv, lenient }) => {
                    played.disputed.extend(lenient.map(|reading| DisputedMove { number, mv, reading }));
                    played.claimed = None;
                    number += 1;
                }
                Err(error) => {
                    errors.push(GameError::Move { number, error });
                    played.complete = false;
                    break;
                }
            }
        }
        Ok((played, errors))
    }

    /// The side to move after the whole list, legal or not; `None` if the FEN names no side.
    fn side_to_move(&self) -> Option<Color> {
        let first = match self.fen.as_deref().map(|fen| fen.split_ascii_whitespace().nth(1)) {
            None | Some(Some("w")) => Color::White,
            Some(Some("b")) => Color::Black,
            Some(_) => return None,
        };
        let is_move = |text: &&String| COUNT_WORDS.iter().all(|(word, _)| word != text);
        let moves = self.words.iter().filter(is_move).count();
        Some(if moves.is_multiple_of(2) { first } else { !first })
    }
}

impl PlayedPosition {
    fn new(game: Game) -> Self {
        Self { game, claimed: None, complete: true, disputed: Vec::new() }
    }
}

impl CurrentGame {
    /// A new game by these rules.
    pub(crate) fn new(rules: Rules) -> Self {
        Self {
            command: PositionCommand::default(),
            played: PlayedPosition::new(Game::new(rules)),
            rules,
            requested_side: None,
            is_refused: false,
        }
    }

    /// A game made elsewhere. When the rules change, its moves are replayed, without decisions about the count.
    pub(crate) fn from_game(game: Game) -> Self {
        let words = game.moves().map(|mv| mv.to_string()).collect();
        let command = PositionCommand { fen: Some(game.start().to_string()), words };
        let rules = Rules { play: *game.rules(), ..Rules::default() };
        let played = PlayedPosition::new(game);
        Self { command, played, rules, requested_side: None, is_refused: false }
    }

    /// The game with all moves that could be made.
    pub(crate) fn game(&self) -> &Game {
        &self.played.game
    }

    /// The rules of the game.
    pub(crate) fn rules(&self) -> &Rules {
        &self.rules
    }

    /// The moves of the game that only another reading of Ouk Chaktrang allows.
    pub(crate) fn disputed_moves(&self) -> &[DisputedMove] {
        &self.played.disputed
    }

    /// The result in the current position, by rule or by a claim; `None` while the game goes on.
    pub(crate) fn outcome(&self) -> Option<Outcome> {
        self.played.claimed.or_else(|| self.played.game.outcome_here())
    }

    /// Sets up a position and makes moves from there; returns what was refused.
    pub(crate) fn set<'a>(
        &mut self,
        fen: Option<&str>,
        words: impl IntoIterator<Item = &'a str>,
        rules: Rules,
    ) -> Vec<GameError> {
        let words = words.into_iter().map(str::to_owned).collect();
        let command = PositionCommand { fen: fen.map(str::to_owned), words };
        match command.play(rules) {
            Ok((played, errors)) => {
                (self.requested_side, self.is_refused) = (command.side_to_move(), false);
                (self.command, self.played, self.rules) = (command, played, rules);
                errors
            }
            Err(error) => {
                self.refuse();
                vec![error.into()]
            }
        }
    }

    /// Records that a requested position was refused: until one is accepted, the game is not the requested one.
    pub(crate) fn refuse(&mut self) {
        self.is_refused = true;
    }

    /// Replays the command if the rules have changed; returns what was refused. If all moves were legal before and
    /// under these rules are not, a new game begins. The command is kept: going back to its rules brings the game back.
    pub(crate) fn apply_rules(&mut self, rules: Rules) -> Vec<GameError> {
        if self.rules == rules {
            return Vec::new();
        }
        self.rules = rules;
        match self.command.play(rules) {
            Ok((played, errors)) if played.complete || !self.played.complete => {
                self.played = played;
                errors
            }
            _ => {
                self.played = PlayedPosition::new(Game::new(rules));
                self.requested_side = None;
                Vec::new()
            }
        }
    }

    /// Why no move is searched: the position is not the requested one, or it is the other side's turn.
    pub(crate) fn no_search(&self) -> Option<NoSearch> {
        let side = self.game().position().side_to_move();
        match self.requested_side {
            _ if self.is_refused => Some(NoSearch::Refused),
            Some(requested) if requested != side => Some(NoSearch::OffTurn { side }),
            _ => None,
        }
    }
}
