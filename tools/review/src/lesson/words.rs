//! The facts in English.

use sakmak_movegen::{Color, Game, Move, Notation, PieceKind};
use sakmak_themes::Means;

use super::{CountCause, Fact, Lesson, Prospects};

/// Pieces in words, equal ones together: `the rua and 2 bia`, with an empty article `rua and 2 bia`.
fn pieces(kinds: &[PieceKind], article: &str) -> String {
    let mut parts = Vec::new();
    for kind in PieceKind::ALL.into_iter().rev() {
        match kinds.iter().filter(|&&other| other == kind).count() {
            0 => {}
            1 => parts.push(format!("{article}{kind}")),
            number => parts.push(format!("{number} {kind}")),
        }
    }
    joined(&parts)
}

/// `a, b and c`.
fn joined(parts: &[String]) -> String {
    match parts {
        [] => String::new(),
        [one] => one.clone(),
        [first @ .., last] => format!("{} and {last}", first.join(", ")),
    }
}

fn means_words(means: &Means) -> String {
    match means {
        Means::Fork { by, targets } => {
            format!(" by a fork: the {by} attacks {}", pieces(targets, ""))
        }
        Means::Skewer => " by a skewer".to_owned(),
        Means::Pin => " by a pin".to_owned(),
        Means::Discovered => " by a discovered attack".to_owned(),
        Means::Trapped => ", which is trapped".to_owned(),
        Means::Unprotected => ", which is unprotected".to_owned(),
        Means::Cheaper { by } => format!(" to a {by}"),
        Means::Outnumbered => ", which is attacked more often than protected".to_owned(),
    }
}

fn moves(plies: u16) -> u16 {
    plies.div_ceil(2)
}

/// `mate needs 21 moves, 16 are left`.
fn race(left: u16, needed: Option<u16>) -> String {
    match needed {
        Some(needed) => format!("mate needs {} moves, {} are left", moves(needed), moves(left)),
        None => format!("{} moves are left, too few to win", moves(left)),
    }
}

impl CountCause {
    fn infinitive(self) -> &'static str {
        match self {
            Self::LastBia => "take the last bia",
            Self::Promotion => "promote the last bia",
            Self::LastPiece => "take the last piece",
            Self::Other => "change the pieces",
        }
    }

    fn third_person(self) -> &'static str {
        match self {
            Self::LastBia => "takes the last bia",
            Self::Promotion => "promotes the last bia",
            Self::LastPiece => "takes the last piece",
            Self::Other => "changes the pieces",
        }
    }
}

impl Prospects {
    fn words(self) -> &'static str {
        match self {
            Self::Lost => "lost",
            Self::Worse => "worse",
            Self::Equal => "equal",
            Self::Better => "better",
            Self::Won => "won",
        }
    }
}

impl Fact {
    /// What the move allowed, as a clause about the mover.
    fn allowed(&self) -> String {
        match self {
            Self::Mate { moves, back_rank } => {
                format!("allows mate in {moves}{}", if *back_rank { " on the back rank" } else { "" })
            }
            Self::Material { lost, won, means } => {
                let for_what =
                    if won.is_empty() { String::new() } else { format!(" for {}", pieces(won, "the ")) };
                let means = means.as_ref().map(means_words).unwrap_or_default();
                format!("loses {}{for_what}{means}", pieces(lost, "the "))
            }
            Self::Promotion => "allows a promotion".to_owned(),
            Self::Draw { reason } => format!("allows a draw by {reason}"),
            Self::CountBegins { cause, left, needed } => {
                format!("{}: the count starts, {}", cause.third_person(), race(*left, *needed))
            }
            Self::CountAllowed { cause, left, needed } => {
                format!(
                    "lets the other side {}: the count starts, {}",
                    cause.infinitive(),
                    race(*left, *needed)
                )
            }
            Self::RaceLost { left, needed } => {
                format!("loses the race with the count: {}", race(*left, *needed))
            }
            Self::CountMissed { .. } => String::new(),
            Self::HoldLost { left, needed } => {
                format!("lets the count be beaten: {}", race(*left, Some(*needed)))
            }
            Self::Solved { before, after } => {
                format!("turns a {} ending into a {} one", drawn(*before), drawn(*after))
            }
        }
    }

    /// What the move missed.
    fn missed(&self) -> String {
        match self {
            Self::Mate { moves, .. } => format!("misses mate in {moves}"),
            Self::Material { lost, won, means } => {
                let for_what =
                    if lost.is_empty() { String::new() } else { format!(" for {}", pieces(lost, "the ")) };
                let means = match means {
                    Some(Means::Cheaper { by }) => format!(" with a {by}"),
                    means => means.as_ref().map(means_words).unwrap_or_default(),
                };
                format!("misses {}{for_what}{means}", pieces(won, "the "))
            }
            Self::Promotion => "misses a promotion".to_owned(),
            Self::Draw { reason } => format!("misses a draw by {reason}"),
            Self::CountMissed { cause, left } => {
                format!(
                    "misses the start of the count, which leaves {} moves: to {}",
                    moves(*left),
                    cause.infinitive()
                )
            }
            _ => String::new(),
        }
    }
}

/// A solved value in words.
fn drawn(prospects: Prospects) -> &'static str {
    if prospects == Prospects::Equal { "drawn" } else { prospects.words() }
}

impl Lesson {
    /// The facts as sentences; those about the count that [`CountFinding::words`](crate::CountFinding::words) has are
    /// left out where `counts` is false. `before` is the game before the move, `reply` the other side's best line.
    pub fn words(&self, before: &Game, mv: Move, reply: &[Move], counts: bool) -> String {
        let is_said = |fact: &Fact| {
            let counts_fact =
                matches!(fact, Fact::CountBegins { .. } | Fact::CountAllowed { .. } | Fact::RaceLost { .. });
            !counts && counts_fact
        };
        let mut sentences = Vec::new();
        let allowed: Vec<_> = self.allowed.iter().filter(|fact| !is_said(fact)).map(Fact::allowed).collect();
        if !allowed.is_empty() {
            let line = numbered(before, mv, &reply[..self.shown.min(reply.len())]);
            let line = if line.is_empty() { line } else { format!(" ({line})") };
            sentences.push(format!("{}{line}.", capital(&joined(&allowed))));
        }
        let missed: Vec<_> = self.missed.iter().map(Fact::missed).filter(|text| !text.is_empty()).collect();
        if !missed.is_empty() {
            sentences.push(format!("{}.", capital(&joined(&missed))));
        }
        if sentences.is_empty() && self.allowed.is_empty() && self.before != self.after {
            sentences.push(format!("From {} to {}.", self.before.words(), self.after.words()));
        }
        sentences.join(" ")
    }
}

fn capital(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

/// A line after a move with the numbers of its moves.
fn numbered(before: &Game, mv: Move, line: &[Move]) -> String {
    let mut game = before.clone();
    if game.play(mv).is_err() {
        return String::new();
    }
    let mut words = Vec::new();
    for (index, &mv) in line.iter().enumerate() {
        let (position, name) = (game.position(), game.name(Notation::San, mv));
        let number = position.fullmove_number();
        words.push(match (position.side_to_move(), index) {
            (Color::White, _) => format!("{number}. {name}"),
            (Color::Black, 0) => format!("{number}... {name}"),
            (Color::Black, _) => name,
        });
        if game.play(mv).is_err() {
            break;
        }
    }
    words.join(" ")
}
