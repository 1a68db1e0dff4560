//! What a mistake allowed and missed, as facts: pieces, mates, draws, and what it did to the count.
//!
//! The facts come from two lines, the other side's best one after the move and the mover's own best one, and from the
//! tablebases. Texts are made from them: [`Lesson::words`] has the English ones.

mod material;
#[cfg(test)]
mod tests;
mod words;

use sakmak_engine::score::Score;
use sakmak_eval::tablebase::{Probe, Value};
use sakmak_movegen::{DrawReason, Game, Move, Outcome, PieceKind, Position};
use sakmak_themes::{Goal, Line, Means, Theme, bares, begins_count, means_of_capture, tactics};
use serde::{Serialize, Serializer};

use crate::{CountFinding, Evaluation};
use material::{LEAST, Trade};

/// What a mistake did.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lesson {
    /// What it allowed the other side, the gravest first.
    pub allowed: Vec<Fact>,
    /// What the best move would have gained.
    pub missed: Vec<Fact>,
    /// Plies of the other side's best line that show what was allowed.
    pub shown: usize,
    /// Plies of the mover's best line that show what was missed.
    pub better: usize,
    /// The mover's prospects before the move.
    pub before: Prospects,
    /// The mover's prospects after it.
    pub after: Prospects,
    /// The themes of puzzles that practise it; those of what was allowed come first.
    pub themes: Vec<Theme>,
}

/// A fact about a mistake. Pieces are lost and won by the side that made it.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(tag = "kind", rename_all = "kebab-case", rename_all_fields = "camelCase")]
pub enum Fact {
    /// Mate.
    Mate {
        /// Moves to it.
        moves: u32,
        /// Whether a rua mates along the first rank of the khun.
        back_rank: bool,
    },
    /// Pieces change hands.
    Material {
        /// Those that the mover loses, the most valuable first; what is won in exchange for an equal piece is left out.
        #[serde(serialize_with = "names")]
        lost: Vec<PieceKind>,
        /// Those that the mover wins.
        #[serde(serialize_with = "names")]
        won: Vec<PieceKind>,
        /// How the most valuable one is taken.
        #[serde(skip_serializing_if = "Option::is_none")]
        means: Option<Means>,
    },
    /// A bia promotes.
    Promotion,
    /// The rules draw the game, where the side could have more.
    Draw {
        /// By which rule.
        #[serde(serialize_with = "reason_name")]
        reason: DrawReason,
    },
    /// The move begins a count that is too short for the win.
    CountBegins {
        /// What begins it.
        cause: CountCause,
        /// Plies that it leaves.
        left: u16,
        /// Plies to mate, where a tablebase knows them.
        needed: Option<u16>,
    },
    /// The other side begins such a count.
    CountAllowed {
        /// What begins it.
        cause: CountCause,
        /// Plies that it leaves.
        left: u16,
        /// Plies to mate, where a tablebase knows them.
        needed: Option<u16>,
    },
    /// A win within a running count is given away.
    RaceLost {
        /// Plies that the count leaves.
        left: u16,
        /// Plies to mate, where a tablebase knows them.
        needed: Option<u16>,
    },
    /// The best move would have begun a count that saves.
    CountMissed {
        /// What begins it.
        cause: CountCause,
        /// Plies that it leaves.
        left: u16,
    },
    /// The count would have saved the mover, and the other side mates in time now.
    HoldLost {
        /// Plies that the count leaves.
        left: u16,
        /// Plies to mate.
        needed: u16,
    },
    /// The value of a solved ending is given away.
    Solved {
        /// Its value before.
        before: Prospects,
        /// Its value after.
        after: Prospects,
    },
}

/// What begins a count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum CountCause {
    /// The last bia on the board is taken.
    LastBia,
    /// The last bia on the board promotes.
    Promotion,
    /// The last piece of a side is taken, and its khun is bare.
    LastPiece,
    /// Another change.
    Other,
}

/// The prospects of a side by its expected points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Prospects {
    /// Less than 15 hundredths of a game.
    Lost,
    /// Less than 40.
    Worse,
    /// 40 to 60.
    Equal,
    /// More than 60.
    Better,
    /// More than 85.
    Won,
}

impl Prospects {
    /// The prospects of a side with these expected points, in hundredths of a game.
    pub fn of(points: f64) -> Self {
        match points {
            points if points < 15.0 => Self::Lost,
            points if points < 40.0 => Self::Worse,
            points if points <= 60.0 => Self::Equal,
            points if points <= 85.0 => Self::Better,
            _ => Self::Won,
        }
    }
}

fn names<S: Serializer>(kinds: &[PieceKind], to: S) -> Result<S::Ok, S::Error> {
    to.collect_seq(kinds.iter().map(|kind| kind.name()))
}

fn reason_name<S: Serializer>(reason: &DrawReason, to: S) -> Result<S::Ok, S::Error> {
    to.serialize_str(reason.name())
}

/// What begins the count that runs after a move.
fn cause(before: &Position, after: &Position) -> CountCause {
    let bia = |position: &Position| position.kind(PieceKind::Bia).len();
    if bares(before, after) {
        CountCause::LastPiece
    } else if bia(before) > 0 && bia(after) == 0 {
        let own = |position: &Position| position.pieces(before.side_to_move(), PieceKind::Bia).len();
        if own(after) < own(before) { CountCause::Promotion } else { CountCause::LastBia }
    } else {
        CountCause::Other
    }
}

impl Fact {
    /// The themes of puzzles that practise it.
    fn themes(&self) -> Vec<Theme> {
        let of_cause = |cause: &CountCause| match cause {
            CountCause::LastBia => Theme::RefuseCapture,
            CountCause::Promotion => Theme::KeepBia,
            CountCause::LastPiece | CountCause::Other => Theme::LastPiece,
        };
        match self {
            Self::Mate { moves, back_rank } => {
                let mate = Theme::mate_in(*moves as usize);
                mate.into_iter().chain(back_rank.then_some(Theme::BackRank)).collect()
            }
            Self::Material { means, .. } => means.as_ref().and_then(Means::theme).into_iter().collect(),
            Self::Promotion => vec![Theme::Promotion],
            Self::Draw { reason: DrawReason::Stalemate } => vec![Theme::Stalemate],
            Self::CountBegins { cause, .. } => vec![of_cause(cause)],
            Self::CountAllowed { .. } => vec![Theme::KeepBia],
            Self::RaceLost { .. } => vec![Theme::BeatCount],
            Self::CountMissed { .. } => vec![Theme::StartCount],
            Self::HoldLost { .. } => vec![Theme::CountOut],
            Self::Draw { .. } | Self::Solved { .. } => Vec::new(),
        }
    }
}

/// A mistake, and what is known about it.
pub(super) struct Mistake<'a> {
    /// The game before the move.
    pub(super) game: &'a Game,
    pub(super) mv: Move,
    /// The result after the move.
    pub(super) outcome: Option<Outcome>,
    /// The evaluations before and after the move.
    pub(super) found: [Option<&'a Evaluation>; 2],
    /// The mover's expected points before and after the move, in hundredths of a game.
    pub(super) points: [f64; 2],
    pub(super) finding: Option<CountFinding>,
    /// Tablebase values before and after the move.
    pub(super) probes: [Option<Probe>; 2],
}

/// Least and most expected points, in hundredths of a game, of a side for which a draw is no success, and no failure.
const MORE_THAN_DRAW: f64 = 60.0;
const LESS_THAN_DRAW: f64 = 40.0;

impl Mistake<'_> {
    /// The facts about the mistake.
    pub(super) fn lesson(&self) -> Lesson {
        let mut lesson = Lesson {
            allowed: Vec::new(),
            missed: Vec::new(),
            shown: self.reply().len().min(SHOWN),
            better: self.best().len().min(SHOWN),
            before: Prospects::of(self.points[0]),
            after: Prospects::of(self.points[1]),
            themes: Vec::new(),
        };
        self.find_mates(&mut lesson);
        self.find_draws(&mut lesson);
        self.find_counts(&mut lesson);
        let has_mate = |facts: &[Fact]| facts.iter().any(|fact| matches!(fact, Fact::Mate { .. }));
        let mates = [has_mate(&lesson.allowed), has_mate(&lesson.missed)];
        self.find_material(&mut lesson, mates);
        self.find_promotions(&mut lesson);
        for theme in lesson.allowed.iter().chain(&lesson.missed).flat_map(Fact::themes) {
            if !lesson.themes.contains(&theme) {
                lesson.themes.push(theme);
            }
        }
        lesson
    }

    /// The mover's best line.
    fn best(&self) -> &[Move] {
        self.found[0].map_or(&[], |found| &found.line)
    }

    /// The other side's best line after the move.
    fn reply(&self) -> &[Move] {
        self.found[1].map_or(&[], |found| &found.line)
    }

    /// The move and the line after it.
    fn played(&self) -> Vec<Move> {
        std::iter::once(self.mv).chain(self.reply().iter().copied()).collect()
    }

    fn before(&self) -> &Position {
        self.game.position()
    }

    fn find_mates(&self, lesson: &mut Lesson) {
        let moves = |found: Option<&Evaluation>| match found?.score {
            Score::Mate(moves) => Some(moves),
            Score::Centipawns(_) => None,
        };
        let [own, other] = self.found.map(moves);
        let fact = |start: &Position, line: &[Move], moves: i32| Fact::Mate {
            moves: moves.unsigned_abs(),
            back_rank: tactics::is_back_rank(&Line::new(start, line, Goal::Win)),
        };
        if let Some(moves) = other.filter(|&moves| moves > 0) {
            lesson.allowed.push(fact(&self.before().after(self.mv), self.reply(), moves));
            lesson.shown = self.reply().len();
        }
        // A later mate would still be one.
        if let Some(moves) = own.filter(|&moves| moves > 0 && other.is_none_or(|other| other > 0)) {
            lesson.missed.push(fact(self.before(), self.best(), moves));
            lesson.better = self.best().len();
        }
    }

    fn find_draws(&self, lesson: &mut Lesson) {
        let ends = |moves: &[Move]| {
            let mut game = self.game.clone();
            moves.iter().position(|&mv| game.play(mv).is_err() || game.outcome_here().is_some()).and_then(
                |index| match game.outcome_here() {
                    Some(Outcome::Draw(reason)) => Some((index, reason)),
                    _ => None,
                },
            )
        };
        if self.points[0] > MORE_THAN_DRAW {
            if let Some(Outcome::Draw(reason)) = self.outcome {
                lesson.allowed.push(Fact::Draw { reason });
            } else if let Some((index, reason)) = ends(&self.played()) {
                lesson.allowed.push(Fact::Draw { reason });
                lesson.shown = index;
            }
        }
        if self.points[1] < LESS_THAN_DRAW
            && let Some((index, reason)) = ends(self.best())
        {
            lesson.missed.push(Fact::Draw { reason });
            lesson.better = index + 1;
        }
    }

    fn find_counts(&self, lesson: &mut Lesson) {
        let (before, after) = (self.before(), self.before().after(self.mv));
        let fact = match self.finding {
            Some(CountFinding::CountTooShort { left, needed }) => {
                Some(Fact::CountBegins { cause: cause(before, &after), left, needed })
            }
            Some(CountFinding::CountAllowed { left, needed }) => {
                let reply = self.reply().first().map(|&reply| after.after(reply));
                lesson.shown = lesson.shown.min(1);
                reply.map(|reply| Fact::CountAllowed { cause: cause(&after, &reply), left, needed })
            }
            Some(CountFinding::RaceLost { left, needed }) => Some(Fact::RaceLost { left, needed }),
            Some(CountFinding::ClaimedLate { .. }) | None => self.solved(&after),
        };
        lesson.allowed.extend(fact);
        // What follows was not seen by the search of the move itself.
        let Some(best) = self.best().first().map(|&best| before.after(best)) else { return };
        let side = before.side_to_move();
        let is_behind = sakmak_themes::balance(before) < 0 || best.is_bare(side);
        let left = best.count().remaining().and_then(|left| u16::try_from(left).ok());
        if let Some(left) = left
            && self.points[1] < LESS_THAN_DRAW
            && is_behind
            && begins_count(before, &best)
            && !best.count().is_unlimited()
            && !begins_count(before, &after)
        {
            lesson.missed.push(Fact::CountMissed { cause: cause(before, &best), left });
            lesson.better = lesson.better.min(1);
        }
    }

    /// What tablebases know about the move, but for a win lost to the count.
    fn solved(&self, after: &Position) -> Option<Fact> {
        let [was, is] = self.probes;
        let (was, is) = (was?, is?);
        match (was.value, is.value) {
            (Value::Draw, Value::Win(needed)) if matches!(was.uncounted, Value::Loss(_)) => {
                let left = u16::try_from(after.count().remaining()?).ok()?;
                Some(Fact::HoldLost { left, needed })
            }
            (Value::Draw, Value::Win(_)) => {
                Some(Fact::Solved { before: Prospects::Equal, after: Prospects::Lost })
            }
            (Value::Win(_), Value::Draw) => {
                Some(Fact::Solved { before: Prospects::Won, after: Prospects::Equal })
            }
            (Value::Win(_), Value::Win(_)) => {
                Some(Fact::Solved { before: Prospects::Won, after: Prospects::Lost })
            }
            _ => None,
        }
    }

    /// `mates` are whether a mate is allowed and missed: what falls on the way to it is of no interest.
    fn find_material(&self, lesson: &mut Lesson, mates: [bool; 2]) {
        let (start, played) = (self.before(), self.played());
        let [net_played, net_best] =
            [&played[..], self.best()].map(|line| material::net(start, line).unwrap_or(0));
        if net_best < net_played + LEAST {
            return;
        }
        let loss = Trade::find(start, &played, 2, |net| net <= -LEAST).filter(|_| !mates[0]);
        if let Some(trade) = loss {
            let after = start.after(self.mv);
            // The mover's captures count, so the line of the other side begins one ply later.
            let means = trade.key(&played, start, true).and_then(|index| {
                let line = Line::new(&after, self.reply(), Goal::Advantage);
                means_of_capture(&line, index - 1)
            });
            lesson.shown = trade.plies - 1;
            lesson.allowed.push(Fact::Material { lost: trade.lost, won: trade.won, means });
        }
        let gain = Trade::find(start, self.best(), 1, |net| net >= LEAST).filter(|_| !mates[1]);
        if let Some(trade) = gain {
            let means = trade
                .key(self.best(), start, false)
                .and_then(|index| means_of_capture(&Line::new(start, self.best(), Goal::Advantage), index));
            lesson.better = trade.plies;
            lesson.missed.push(Fact::Material { lost: trade.lost, won: trade.won, means });
        }
    }

    /// Promotions, where nothing else is known.
    fn find_promotions(&self, lesson: &mut Lesson) {
        // One that is taken at once counts as a bia lost.
        let is_kept = |line: &[Move], index: usize| {
            line[index].is_promotion() && line.get(index + 1).is_none_or(|next| next.to() != line[index].to())
        };
        let promotes = |line: &[Move], first: usize| {
            let last = line.len().min(PROMOTION_HORIZON);
            (first..last).step_by(2).find(|&index| is_kept(line, index))
        };
        let played = self.played();
        if lesson.allowed.is_empty()
            && let Some(index) = promotes(&played, 1).filter(|_| promotes(self.best(), 1).is_none())
        {
            lesson.allowed.push(Fact::Promotion);
            lesson.shown = index;
        }
        if lesson.allowed.is_empty()
            && lesson.missed.is_empty()
            && let Some(index) = promotes(self.best(), 0).filter(|_| promotes(&played, 0).is_none())
        {
            lesson.missed.push(Fact::Promotion);
            lesson.better = index + 1;
        }
    }
}

/// Plies of a line in which a promotion must come to be named.
const PROMOTION_HORIZON: usize = 6;
/// Plies of a line that are shown where no fact needs more.
const SHOWN: usize = 6;
