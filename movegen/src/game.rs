//! A game from its start: the moves, the outcome under its rules, and what the players did about the count.

mod decisions;

pub use decisions::{CountDecision, CountError, ParseDecisionError};

use crate::bitboard::Bitboard;
use crate::fen::{self, Fen, FenError};
use crate::moves::{Move, MoveError};
use crate::notation::{Notation, NotationError};
use crate::outcome::{DrawReason, Outcome};
use crate::position::Position;
use crate::rules::{PlayRules, Repetition, Rules};
use crate::types::Color;
use alloc::borrow::ToOwned;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::string::ToString;
use alloc::vec;
use alloc::vec::Vec;

/// One move of a game.
#[derive(Clone, Debug)]
struct GamePly {
    mv: Move,
    /// The position before it.
    before: Position,
    /// The met that were bia, before it.
    promoted: Bitboard,
    /// The outcome before it.
    outcome: Option<Outcome>,
}

/// A game from its start position to the present one.
///
/// Moves after the end are accepted, since records contain them. The outcome stays that of the first end.
///
/// ```
/// use sakmak_movegen::{DrawReason, Game, Notation, Outcome, Rules};
///
/// let mut game = Game::new(Rules::default());
/// for mv in ["Nd2", "Nd7", "Nb1", "Nb8", "Nd2", "Nd7", "Nb1", "Nb8"] {
///     assert_eq!(game.outcome(), None);
///     game.play_text(Notation::San, mv)?;
/// }
/// assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
/// assert_eq!(game.take_back().map(|mv| mv.to_string()).as_deref(), Some("d7b8"));
/// assert_eq!(game.outcome(), None);
/// # Ok::<(), sakmak_movegen::NotationError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    position: Position,
    /// The squares to which the FEN of the start gives rights, whether or not the rules have them.
    rights: Bitboard,
    promoted: Bitboard,
    plies: Vec<GamePly>,
    /// Of all positions, the present one last.
    keys: Vec<u64>,
    outcome: Option<Outcome>,
    /// What the players did about the count, with the number of plies before it.
    decisions: Vec<(usize, CountDecision)>,
    /// The position before the first decision, if that came before the first move.
    undecided: Option<Box<Position>>,
}

impl Game {
    /// A game from the start position of the rules.
    pub fn new(rules: Rules) -> Self {
        // Other readings of the rules may have more rights.
        let rights = Bitboard::HOME_RANKS;
        let promoted = rules.upturned_boats(Color::White) | rules.upturned_boats(Color::Black);
        Self::at(Position::start(rules), rights, promoted)
    }

    /// A game from a FEN, by the rules that it implies ([`Fen::implied_rules`]). Met marked `M~` or `F` are stored as
    /// promoted bia.
    ///
    /// # Errors
    /// What is wrong with the FEN.
    pub fn from_fen(text: &str, rules: impl Into<PlayRules>) -> Result<Self, FenError> {
        let fen: Fen = text.parse()?;
        let position = fen.position(fen.implied_rules(rules))?;
        Ok(Self::at(position, fen.setup().privileged, fen.promoted()))
    }

    fn at(position: Position, rights: Bitboard, promoted: Bitboard) -> Self {
        let keys = vec![position.key()];
        let mut game = Self {
            position,
            rights,
            promoted,
            plies: Vec::new(),
            keys,
            outcome: None,
            decisions: Vec::new(),
            undecided: None,
        };
        game.outcome = game.outcome_here();
        game
    }

    /// The present position.
    pub fn position(&self) -> &Position {
        &self.position
    }

    /// The position before the first move. What players did about the count before that move has been done in it; see
    /// [`Game::initial`].
    pub fn start(&self) -> &Position {
        self.plies.first().map_or(&self.position, |ply| &ply.before)
    }

    /// The squares to which the FEN of the start gives rights.
    pub(crate) fn rights(&self) -> Bitboard {
        self.rights
    }

    /// The rules of the game.
    pub fn rules(&self) -> &PlayRules {
        self.position.rules()
    }

    /// The moves so far.
    pub fn moves(&self) -> impl ExactSizeIterator<Item = Move> + '_ {
        self.plies.iter().map(|ply| ply.mv)
    }

    /// Plies made since the start of the record.
    pub fn len(&self) -> usize {
        self.plies.len()
    }

    /// Whether no move has been made.
    pub fn is_empty(&self) -> bool {
        self.plies.is_empty()
    }

    /// Keys of all positions, the present one last, for repetitions.
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// The met that were bia. Only Thai notation and FENs with `M~` distinguish them.
    pub fn promoted(&self) -> Bitboard {
        self.promoted
    }

    /// Plays a move if it is legal.
    ///
    /// # Errors
    /// [`MoveError::Illegal`] if it is not; nothing has changed then.
    pub fn play(&mut self, mv: Move) -> Result<(), MoveError> {
        if !self.position.is_legal(mv) {
            return Err(MoveError::Illegal { text: mv.to_string() });
        }
        self.play_unchecked(mv);
        Ok(())
    }

    /// Plays a legal move, such as one of [`Position::legal_moves`].
    ///
    /// After any other move the game makes no sense.
    pub fn play_unchecked(&mut self, mv: Move) {
        self.add_move(mv);
        self.outcome = self.outcome.or_else(|| self.outcome_here());
    }

    /// Plays a legal move. If it mates but would only draw, the counter stops its count first; returns whether it did.
    ///
    /// After a move that is not legal the game makes no sense.
    pub fn play_and_stop_count(&mut self, mv: Move) -> bool {
        let stops = self.position.must_stop_count(mv) && self.stop_count().is_ok();
        self.play_unchecked(mv);
        stops
    }

    /// Plays a move and leaves the outcome as it is.
    fn add_move(&mut self, mv: Move) {
        let ply =
            GamePly { mv, before: self.position.clone(), promoted: self.promoted, outcome: self.outcome };
        self.plies.push(ply);
        let (from, to) = (Bitboard::from(mv.from()), Bitboard::from(mv.to()));
        let arrives = mv.is_promotion() || self.promoted.intersects(from);
        self.promoted &= !(from | to);
        if arrives {
            self.promoted |= to;
        }
        self.position.play_unchecked(mv);
        self.keys.push(self.position.key());
    }

    /// Plays a move that another reading of Ouk Chaktrang allows.
    pub(crate) fn play_leniently(&mut self, mv: Move) {
        self.add_move(mv);
        self.position.drop_leap_attacks();
        self.outcome = self.outcome.or_else(|| self.outcome_here());
    }

    /// Makes a move given in coordinates (`e3e4`, `e5e6m`).
    ///
    /// # Errors
    /// If it is malformed or not legal.
    pub fn play_uci(&mut self, text: &str) -> Result<Move, MoveError> {
        let mv = self.position.parse_move(text)?;
        self.play(mv)?;
        Ok(mv)
    }

    /// Makes a move given in a notation.
    ///
    /// # Errors
    /// If it is malformed, ambiguous or not legal.
    pub fn play_text(&mut self, notation: Notation, text: &str) -> Result<Move, NotationError> {
        let mv = notation.read(&self.position, text, self.promoted)?;
        self.play(mv).map_err(|_| NotationError::Illegal { text: text.to_owned() })?;
        Ok(mv)
    }

    /// A legal move in a notation.
    pub fn name(&self, notation: Notation, mv: Move) -> String {
        notation.write(&self.position, mv, self.promoted)
    }

    /// Takes back the last move and what players did about the count since; `None` if there is no move.
    pub fn take_back(&mut self) -> Option<Move> {
        let ply = self.plies.pop()?;
        self.keys.pop();
        self.position = ply.before;
        self.promoted = ply.promoted;
        self.outcome = ply.outcome;
        self.forget_decisions();
        Some(ply.mv)
    }

    /// The first end of the game; `None` while it goes on.
    pub fn outcome(&self) -> Option<Outcome> {
        self.outcome
    }

    /// The end of a game by the present position or its third occurrence, whatever happened before.
    pub fn outcome_here(&self) -> Option<Outcome> {
        self.position.outcome().or_else(|| {
            let counts = self.rules().repetition == Repetition::Threefold;
            (counts && self.occurrences() >= 3).then_some(Outcome::Draw(DrawReason::Repetition))
        })
    }

    /// How often the present position has occurred, this time included.
    pub fn occurrences(&self) -> usize {
        let window = self.position.reversible_plies();
        let earlier = self.keys.iter().rev().skip(1).take(window);
        1 + earlier.filter(|&&key| key == self.position.key()).count()
    }

    /// The FEN of the present position with promoted bia marked `M~`.
    pub fn marked_fen(&self) -> String {
        fen::marked(&self.position, self.promoted)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{Claim, Ruleset, Variant};

    fn game(fen: &str, ruleset: Ruleset) -> Game {
        Game::from_fen(fen, Rules::new(Variant::Makruk, ruleset)).unwrap()
    }

    fn play(game: &mut Game, moves: &str) {
        for text in moves.split(' ') {
            game.play_uci(text).unwrap();
        }
    }

    #[test]
    fn the_third_occurrence_ends_a_game_where_the_rules_say_so() {
        const DANCE: &str = "b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8";
        let mut game = Game::new(Rules::default());
        play(&mut game, DANCE);
        assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
        assert_eq!(game.occurrences(), 3);
        // Moves after the end do not change it.
        play(&mut game, "e3e4");
        assert_eq!(game.outcome_here(), None);
        assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::Repetition)));
        // Taken back to before it, the game goes on.
        game.take_back();
        game.take_back();
        assert_eq!((game.outcome(), game.len(), game.keys().len()), (None, 7, 8));
        assert_eq!(game.start(), &Position::startpos());

        let mut game = Game::new(Rules::new(Variant::Makruk, Ruleset::SchemingMind));
        play(&mut game, DANCE);
        assert_eq!(game.outcome(), None);
    }

    #[test]
    fn promoted_bia_stay_marked() {
        let mut game = game("4k3/8/m~2p4/4P3/8/8/8/M3K3 w - - 0 1", Ruleset::FairyStockfish);
        play(&mut game, "e5d6m a6b5 d6c5 b5a4");
        assert_eq!(game.marked_fen(), "4k3/8/8/2M~5/m~7/8/8/M3K3 w - 128 3 3");
        assert_eq!(Game::from_fen(&game.marked_fen(), Rules::default()).unwrap().promoted(), game.promoted());
        let mv = game.position().parse_move("c5b4").unwrap();
        assert_eq!(game.name(Notation::ThaiSan, mv), "ง-ข๔");
        game.play_text(Notation::ThaiSan, "ง-ข๔").unwrap();
        game.take_back();
        assert_eq!(game.marked_fen(), "4k3/8/8/2M~5/m~7/8/8/M3K3 w - 128 3 3");
    }

    #[test]
    fn counting_by_hand() {
        // White, with a met against rua and khon, counts the board's honour.
        let mut game = game("3k4/2r5/8/2s5/8/8/4M3/4K3 w - - 0 40", Ruleset::Wikipedia);
        assert_eq!(game.position().counter(), Some(Color::White));
        assert_eq!(game.stop_count(), Ok(()));
        assert_eq!(game.stop_count(), Err(CountError::NotCounting));
        play(&mut game, "e1f2 c7e7");
        assert!(!game.position().count().is_running());
        assert_eq!(game.start_count(), Ok(()));
        let decisions = game.decisions().to_vec();
        assert_eq!(game.start_count(), Ok(()));
        assert_eq!(game.decisions(), decisions, "a second start changes nothing");
        play(&mut game, "e2f3 e7e8");
        assert_eq!(game.position().to_string(), "3kr3/8/8/2s5/8/5M2/5K2/8 w - 128 2 42");
        play(&mut game, "f3g4");
        assert_eq!(game.stop_count(), Err(CountError::NotYours { counter: Color::White }));
        // Taking back brings back how the count stood.
        game.take_back();
        game.take_back();
        game.take_back();
        assert_eq!(game.position().count().ply(), 0);

        let mut start = Game::new(Rules::default());
        assert_eq!(start.start_count(), Err(CountError::NothingToCount));
        assert_eq!(start.stop_count(), Err(CountError::NotCounting));
    }

    #[test]
    fn a_bare_khun_may_begin_anew_where_its_player_counts() {
        const HUNT: &str = "4k3/8/8/8/8/8/1m6/K1RR4 w - - 0 40";
        let mut free = game(HUNT, Ruleset::Wikipedia);
        play(&mut free, "a1b2 e8f7 c1c3");
        assert_eq!(free.position().count().ply(), 10);
        assert_eq!(free.start_count(), Ok(()));
        assert_eq!(free.position().count().ply(), 8, "four pieces again");
        assert_eq!(free.stop_count(), Ok(()));
        play(&mut free, "f7f6 d1f1");
        assert!(!free.position().count().is_expired() && free.outcome().is_none());

        let mut fixed = game(HUNT, Ruleset::FairyStockfish);
        play(&mut fixed, "a1b2");
        assert_eq!(fixed.stop_count(), Err(CountError::Automatic));
        assert_eq!(fixed.start_count(), Err(CountError::Automatic));
        assert_eq!(fixed.decisions(), []);
        // Whose count it is comes first.
        play(&mut fixed, "e8f7");
        let theirs = Err(CountError::NotYours { counter: Color::Black });
        assert_eq!((fixed.start_count(), fixed.stop_count()), (theirs, theirs));
    }

    #[test]
    fn a_draw_to_be_claimed_waits_for_the_counter() {
        let schemingmind = Rules::new(Variant::Makruk, Ruleset::SchemingMind).play;
        let rules = PlayRules { claim: Claim::Manual, ..schemingmind };
        let mut game = Game::from_fen("7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30", rules).unwrap();
        play(&mut game, "b1b2");
        assert_eq!(game.outcome(), None);
        let mut other = game.clone();
        play(&mut other, "h8g8");
        assert_eq!(other.claim_draw(), Err(CountError::NotExpired), "White is not the counter");
        assert_eq!(game.claim_draw(), Ok(Outcome::Draw(DrawReason::PiecesHonour)));
        assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::PiecesHonour)));
        assert_eq!(game.claim_draw(), Ok(Outcome::Draw(DrawReason::PiecesHonour)));
        assert_eq!(game.decisions(), [(1, CountDecision::Claim)], "once");
        // What is decided later leaves the claim as it was.
        _ = game.stop_count();
        assert_eq!(game.claimed(), Some(Outcome::Draw(DrawReason::PiecesHonour)));
    }
}
