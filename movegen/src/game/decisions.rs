//! What players do about the count.

use alloc::boxed::Box;
use core::fmt;
use core::str::FromStr;

use super::Game;
use crate::outcome::Outcome;
use crate::position::Position;
use crate::rules::CountStarted;
use crate::types::Color;

/// What the side to move does about the count.
///
/// ```
/// use sakmak_movegen::{CountDecision, Game, Rules, Ruleset, Variant};
///
/// let rules = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
/// let mut game = Game::from_fen("3k4/2r5/8/2s5/8/8/4M3/4K3 w - - 0 40", rules)?;
/// game.decide("stop".parse()?)?;
/// game.play_uci("e1f2")?;
/// assert_eq!(game.decisions(), [(0, CountDecision::Stop)]);
/// // The same game again.
/// let mut again = game.initial();
/// again.decide(CountDecision::Stop)?;
/// again.play_uci("e1f2")?;
/// assert_eq!(again.position(), game.position());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CountDecision {
    /// Starts to count, see [`Game::start_count`].
    Start,
    /// Stops counting, see [`Game::stop_count`].
    Stop,
    /// Claims the draw of an expired count, see [`Game::claim_draw`].
    Claim,
}

/// A text that is no [`CountDecision`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("there are start, stop, claim")]
pub struct ParseDecisionError;

impl CountDecision {
    /// All decisions.
    pub const ALL: [Self; 3] = [Self::Start, Self::Stop, Self::Claim];

    /// `start`, `stop` or `claim`.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Start => "start",
            Self::Stop => "stop",
            Self::Claim => "claim",
        }
    }
}

impl fmt::Display for CountDecision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

impl FromStr for CountDecision {
    type Err = ParseDecisionError;

    fn from_str(text: &str) -> Result<Self, ParseDecisionError> {
        Self::ALL.into_iter().find(|decision| decision.name() == text).ok_or(ParseDecisionError)
    }
}

/// Why a count was not started, stopped or claimed.
///
/// ```
/// use sakmak_movegen::{CountError, Game, Rules};
///
/// let mut game = Game::new(Rules::default());
/// assert_eq!(game.start_count(), Err(CountError::NothingToCount));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum CountError {
    /// There is nothing to count yet.
    #[error("there is nothing to count here")]
    NothingToCount,
    /// This count runs by itself.
    #[error("this count runs by itself: nobody starts or stops it")]
    Automatic,
    /// No count is running.
    #[error("nobody is counting")]
    NotCounting,
    /// It is the other side's count.
    #[error("it is {counter}'s count")]
    NotYours {
        /// The side that counts.
        counter: Color,
    },
    /// The count has not run out.
    #[error("the count has not run out")]
    NotExpired,
}

impl Game {
    /// What the players have done about the count, in turn: the number of plies before it, and the decision.
    pub fn decisions(&self) -> &[(usize, CountDecision)] {
        &self.decisions
    }

    /// The game before its first move and its first decision about the count.
    #[must_use]
    pub fn initial(&self) -> Self {
        let position = self.undecided.as_deref().unwrap_or(self.start()).clone();
        let promoted = self.plies.first().map_or(self.promoted, |ply| ply.promoted);
        Self::at(position, self.rights, promoted)
    }

    /// The side to move does something about the count.
    ///
    /// # Errors
    /// Those of [`Game::start_count`], [`Game::stop_count`] and [`Game::claim_draw`].
    pub fn decide(&mut self, decision: CountDecision) -> Result<(), CountError> {
        match decision {
            CountDecision::Start => self.start_count(),
            CountDecision::Stop => self.stop_count(),
            CountDecision::Claim => self.claim_draw().map(|_| ()),
        }
    }

    /// Notes a decision that is about to be carried out.
    fn note(&mut self, decision: CountDecision) {
        if self.plies.is_empty() && self.undecided.is_none() {
            self.undecided = Some(Box::<Position>::new(self.position.clone()));
        }
        self.decisions.push((self.plies.len(), decision));
    }

    /// Forgets the decisions after the present ply. Those before the move just taken back stay.
    pub(super) fn forget_decisions(&mut self) {
        let plies = self.plies.len();
        self.decisions.retain(|&(ply, _)| ply <= plies);
    }

    /// The draw that has been claimed in the present position, whatever was decided since.
    pub fn claimed(&self) -> Option<Outcome> {
        let is_claimed = self.decisions.contains(&(self.plies.len(), CountDecision::Claim));
        self.outcome.filter(|_| is_claimed)
    }

    /// Whether the side to move may start or stop the count of a position, if one runs in it.
    fn check_counter(position: &Position) -> Result<(), CountError> {
        match position.counter() {
            Some(counter) if counter != position.side_to_move() => Err(CountError::NotYours { counter }),
            _ if position.counts_by_itself() => Err(CountError::Automatic),
            _ => Ok(()),
        }
    }

    /// The side to move starts to count: the board's honour from one, or, where the rules allow it, the pieces' honour
    /// anew from the pieces on the board. A start that changes nothing is not recorded.
    ///
    /// # Errors
    /// If there is nothing to count, it is not this side's count, or the count runs by itself.
    pub fn start_count(&mut self) -> Result<(), CountError> {
        if self.position.counts_by_itself() {
            return Self::check_counter(&self.position);
        }
        let mut fresh = self.position.clone();
        let now = i32::try_from(fresh.game_ply() + 1).unwrap_or(i32::MAX);
        fresh.restart_count(CountStarted(now));
        if !fresh.count().is_running() {
            return Err(CountError::NothingToCount);
        }
        Self::check_counter(&fresh)?;
        if fresh != self.position {
            self.note(CountDecision::Start);
            self.position = fresh;
        }
        Ok(())
    }

    /// The counter stops counting.
    ///
    /// # Errors
    /// If no count runs, it is the other side's, or the count runs by itself.
    pub fn stop_count(&mut self) -> Result<(), CountError> {
        let position = &self.position;
        let stopped = position.rules().count_started == CountStarted::OFF;
        if !position.count().is_running() || position.count().is_unlimited() || stopped {
            return Err(CountError::NotCounting);
        }
        Self::check_counter(position)?;
        self.note(CountDecision::Stop);
        self.position.stop_count();
        Ok(())
    }

    /// The side to move claims the draw of an expired count, where draws must be claimed. A second claim returns the
    /// first one's outcome and is not recorded.
    ///
    /// # Errors
    /// If there is nothing to claim.
    pub fn claim_draw(&mut self) -> Result<Outcome, CountError> {
        if let Some(outcome) = self.claimed() {
            return Ok(outcome);
        }
        if !self.position.may_claim_draw() {
            return Err(CountError::NotExpired);
        }
        let outcome = self.outcome.unwrap_or(Outcome::Draw(self.position.expired_reason()));
        self.note(CountDecision::Claim);
        self.outcome = Some(outcome);
        Ok(outcome)
    }
}
