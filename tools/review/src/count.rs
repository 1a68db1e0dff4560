//! Findings about the count: lost races, counts that should not have begun, draws claimed late.

use std::fmt;
use std::str::FromStr;

use sakmak_eval::tablebase::{Probe, Tablebases, Value};
use sakmak_movegen::{DrawReason, Game, Outcome, Position};
use serde::Serialize;

/// What a move did about the count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum CountFinding {
    /// The move began a count that is too short for the win that was there. `needed` is known from a tablebase only.
    CountTooShort {
        /// Plies left of the count after the move.
        left: u16,
        /// Plies to mate.
        needed: Option<u16>,
    },
    /// The move gave away a win within a running count.
    RaceLost {
        /// Plies left of the count after the move.
        left: u16,
        /// Plies to mate.
        needed: Option<u16>,
    },
    /// The move let the other side begin a count that is too short for the win that was there.
    CountAllowed {
        /// Plies left of the count after that reply.
        left: u16,
        /// Plies to mate.
        needed: Option<u16>,
    },
    /// The game went on for `plies` after the count had drawn it.
    ClaimedLate {
        /// Plies from the draw to the end of the game.
        plies: u16,
    },
}

impl fmt::Display for CountFinding {
    /// The form in PGN comments: `race-lost 14 19`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, left, needed) = match *self {
            Self::CountTooShort { left, needed } => ("count-too-short", left, needed),
            Self::RaceLost { left, needed } => ("race-lost", left, needed),
            Self::CountAllowed { left, needed } => ("count-allowed", left, needed),
            Self::ClaimedLate { plies } => return write!(f, "claimed-late {plies}"),
        };
        write!(f, "{name} {left}")?;
        needed.map_or(Ok(()), |needed| write!(f, " {needed}"))
    }
}

impl FromStr for CountFinding {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut words = text.split_ascii_whitespace();
        let name = words.next().ok_or(())?;
        let number = |word: &str| word.parse().map_err(|_| ());
        let left = number(words.next().ok_or(())?)?;
        let needed = words.next().map(number).transpose()?;
        match (name, needed) {
            ("count-too-short", needed) => Ok(Self::CountTooShort { left, needed }),
            ("race-lost", needed) => Ok(Self::RaceLost { left, needed }),
            ("count-allowed", needed) => Ok(Self::CountAllowed { left, needed }),
            ("claimed-late", None) => Ok(Self::ClaimedLate { plies: left }),
            _ => Err(()),
        }
    }
}

impl CountFinding {
    /// The finding in words.
    pub fn words(self) -> String {
        let moves = |plies: u16| plies.div_ceil(2);
        match self {
            Self::CountTooShort { left, needed: Some(needed) } => format!(
                "this begins a count that leaves {} moves, and the win takes {}",
                moves(left),
                moves(needed)
            ),
            Self::CountTooShort { left, needed: None } => {
                format!("this begins a count that leaves {} moves, too few to win", moves(left))
            }
            Self::RaceLost { left, needed: Some(needed) } => format!(
                "the race with the count is lost: {} moves are left, and the win takes {}",
                moves(left),
                moves(needed)
            ),
            Self::RaceLost { left, needed: None } => {
                format!("the race with the count is lost: {} moves are too few", moves(left))
            }
            Self::CountAllowed { left, needed: Some(needed) } => format!(
                "this lets the other side begin a count that leaves {} moves, and the win takes {}",
                moves(left),
                moves(needed)
            ),
            Self::CountAllowed { left, needed: None } => format!(
                "this lets the other side begin a count that leaves {} moves, too few to win",
                moves(left)
            ),
            Self::ClaimedLate { plies } => {
                format!("the count had drawn the game {} moves earlier", moves(plies))
            }
        }
    }
}

/// Expected points of a side that is winning, and of one that is not, in hundredths of a game.
const WINNING: f64 = 85.0;
const NOT_WINNING: f64 = 60.0;

/// A position before or after a move.
pub(super) struct Standing<'a> {
    pub(super) position: &'a Position,
    /// Result of the tablebase, for the side to move.
    pub(super) probe: Option<Probe>,
    /// Expected points of the mover by search, in hundredths of a game.
    pub(super) points: f64,
}

impl<'a> Standing<'a> {
    pub(super) fn new(position: &'a Position, tablebases: &Tablebases, points: f64) -> Self {
        Self { position, probe: tablebases.probe(position), points }
    }
}

/// A move that may have lost a win to the count.
#[derive(Debug)]
pub(super) enum Suspicion {
    /// Known from the tablebases.
    Known(CountFinding),
    /// A search without the count must show whether the win was still there.
    Open(CountFinding),
}

impl Suspicion {
    /// Returns the finding if it is known or the mover is winning without the count, with `uncounted` expected points
    /// in hundredths of a game.
    pub(super) fn confirm(self, uncounted: f64) -> Option<CountFinding> {
        match self {
            Self::Known(finding) => Some(finding),
            Self::Open(finding) => (uncounted >= WINNING).then_some(finding),
        }
    }
}

/// Whether a move may have lost a win to a count that runs after it, or after the `reply`.
pub(super) fn suspicion(
    before: &Standing<'_>,
    after: &Standing<'_>,
    reply: Option<&Position>,
) -> Option<Suspicion> {
    let begins = reply.filter(|_| !after.position.count().is_running());
    let count = begins.unwrap_or(after.position).count();
    let left = count.remaining().filter(|_| count.is_running() && !count.is_unlimited())?;
    let won_before = match before.probe {
        Some(probe) => matches!(probe.value, Value::Win(_)),
        None => before.points >= WINNING,
    };
    let won_after = match after.probe {
        Some(probe) => matches!(probe.value, Value::Loss(_)),
        None => after.points > NOT_WINNING,
    };
    if !won_before || won_after {
        return None;
    }
    let left = u16::try_from(left.max(0)).unwrap_or(u16::MAX);
    let finding = |needed| {
        if begins.is_some() {
            CountFinding::CountAllowed { left, needed }
        } else if before.position.count().is_running() {
            CountFinding::RaceLost { left, needed }
        } else {
            CountFinding::CountTooShort { left, needed }
        }
    };
    match after.probe.map(|probe| probe.uncounted) {
        // The win itself is gone, whatever the count.
        Some(Value::Draw | Value::Win(_)) => None,
        Some(Value::Loss(plies)) => Some(Suspicion::Known(finding(Some(plies)))),
        None => Some(Suspicion::Open(finding(None))),
    }
}

/// The draw by the count after which a game went on: the plies until its end.
pub(super) fn claimed_late(
    outcomes: impl Iterator<Item = Option<Outcome>>,
    plies: usize,
) -> Option<CountFinding> {
    let counted = |outcome: &Option<Outcome>| {
        matches!(outcome, Some(Outcome::Draw(DrawReason::PiecesHonour | DrawReason::BoardHonour)))
    };
    let ply = outcomes.enumerate().find(|(_, outcome)| counted(outcome))?.0;
    let late = u16::try_from(plies.checked_sub(ply)?).ok()?;
    (late > 0).then_some(CountFinding::ClaimedLate { plies: late })
}

/// The present position of a game without its count, under rules that count nothing.
pub fn without_count(game: &Game) -> Position {
    let mut position = game.position().clone();
    let mut rules = *position.rules();
    rules.counting = sakmak_movegen::CountingSystem::None;
    position.set_rules(rules);
    position
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn findings_are_written_and_read() {
        for finding in [
            CountFinding::CountTooShort { left: 10, needed: None },
            CountFinding::RaceLost { left: 14, needed: Some(19) },
            CountFinding::CountAllowed { left: 9, needed: Some(12) },
            CountFinding::ClaimedLate { plies: 3 },
        ] {
            assert_eq!(finding.to_string().parse(), Ok(finding));
            assert!(!finding.words().is_empty());
        }
        for wrong in ["", "race-lost", "race-lost x", "claimed-late 3 4", "other 3"] {
            assert_eq!(wrong.parse::<CountFinding>(), Err(()), "{wrong}");
        }
    }
}
