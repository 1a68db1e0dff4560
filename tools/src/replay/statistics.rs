//! Statistics of the games of a replay.

use std::collections::{BTreeMap, HashMap};
use std::convert::Infallible;
use std::mem;
use std::time::Duration;

use sakmak_files::games::{BrokenGame, GameVisitor, ReadSummary};
use sakmak_games::GameStart;
use sakmak_games::pgn::{PgnGame, PgnMove, PgnResult};
use sakmak_movegen::{Color, CountKind, DrawReason, Game, Move, Notation, Outcome, Ruleset, SpokenCount};

use super::report::{
    Comparison, Contradiction, ContradictionKind, CountResults, GameCounts, Lengths, OpeningCount,
    OutcomeCount, ReplayReport,
};

/// Plies that identify an opening.
const OPENING_PLIES: usize = 4;
/// Number of openings listed.
const OPENINGS: usize = 10;

/// A count in a game: its kind and its limit in moves.
type CountSeen = (CountKind, u16);

/// A game as the statistics need it.
#[derive(Default)]
struct GameSummary {
    /// The first moves in short notation.
    opening: Vec<String>,
    counts: Vec<CountSeen>,
    /// Plies after which the rules ended the game.
    ended_at: Option<usize>,
}

impl GameSummary {
    fn visit_position(&mut self, game: &Game) {
        if self.ended_at.is_some() {
            return;
        }
        let position = game.position();
        if let Some(kind) = position.count_kind()
            && let Some(limit) = SpokenCount::new(position).limit()
            && !self.counts.contains(&(kind, limit))
        {
            self.counts.push((kind, limit));
        }
        if game.outcome().is_some() {
            self.ended_at = Some(game.len());
        }
    }
}

/// Number of games by how a count ended.
#[derive(Clone, Copy, Default)]
struct CountStatistics {
    games: u64,
    mates: u64,
    draws: u64,
}

impl CountStatistics {
    fn add(&mut self, outcome: Option<Outcome>) {
        self.games += 1;
        match outcome {
            Some(Outcome::Win(_)) => self.mates += 1,
            Some(Outcome::Draw(
                DrawReason::PiecesHonour | DrawReason::BoardHonour | DrawReason::CounterMated,
            )) => self.draws += 1,
            _ => {}
        }
    }
}

/// Totals over all games so far.
#[derive(Default)]
pub(super) struct ReplayStatistics {
    /// The game being read.
    current: GameSummary,
    plies: u64,
    played_on: u64,
    variants: BTreeMap<&'static str, u64>,
    results: BTreeMap<String, u64>,
    /// By outcome in words.
    outcomes: HashMap<String, u64>,
    comparison: Comparison,
    openings: HashMap<(&'static str, Vec<String>), u64>,
    lengths: Vec<u32>,
    /// By kind and limit (`None` for all limits of a kind), the board's honour first.
    counts: BTreeMap<(bool, Option<u16>), CountStatistics>,
    contradictions: Vec<Contradiction>,
    broken: Vec<BrokenGame>,
}

impl GameVisitor for ReplayStatistics {
    type Error = Infallible;

    fn visit_move(&mut self, game: &Game, mv: Move, _: &mut PgnMove, depth: usize) {
        if depth == 0 {
            self.current.visit_position(game);
            if game.len() < OPENING_PLIES {
                self.current.opening.push(game.name(Notation::San, mv));
            }
        }
    }

    fn finish(
        &mut self,
        file: &str,
        pgn: PgnGame,
        start: GameStart,
    ) -> Result<Option<BrokenGame>, Infallible> {
        self.current.visit_position(&start.game);
        let summary = mem::take(&mut self.current);
        self.add(file, &pgn, &start.game, start.is_default, summary);
        Ok(None)
    }

    fn broken(&mut self, broken: &BrokenGame, _: Option<&Game>) {
        self.current = GameSummary::default();
        self.broken.push(broken.clone());
    }
}

impl ReplayStatistics {
    /// Adds a replayed game.
    fn add(&mut self, file: &str, pgn: &PgnGame, game: &Game, is_default: bool, summary: GameSummary) {
        let (plies, variant, outcome) = (game.len(), game.rules().variant.name(), game.outcome());
        self.plies += plies as u64;
        self.lengths.push(u32::try_from(plies).unwrap_or(u32::MAX));
        *self.variants.entry(variant).or_default() += 1;
        *self.results.entry(pgn.result.to_string()).or_default() += 1;
        *self.outcomes.entry(in_words(outcome)).or_default() += 1;
        let played_on = summary.ended_at.is_some_and(|end| end < plies);
        self.played_on += u64::from(played_on);
        if is_default && summary.opening.len() == OPENING_PLIES {
            *self.openings.entry((variant, summary.opening)).or_default() += 1;
        }
        for kind in [CountKind::Board, CountKind::Pieces] {
            let limits =
                summary.counts.iter().filter(|(seen, _)| *seen == kind).map(|&(_, limit)| Some(limit));
            let limits: Vec<_> = limits.collect();
            let whole = (!limits.is_empty()).then_some(None);
            for limit in limits.into_iter().chain(whole) {
                self.counts.entry((kind == CountKind::Pieces, limit)).or_default().add(outcome);
            }
        }
        if compare(pgn.result, outcome, &mut self.comparison) {
            let end = game.outcome_here().filter(|_| played_on);
            self.contradictions.push(Contradiction {
                file: file.to_owned(),
                game: pgn.number,
                line: pgn.line,
                result: pgn.result.to_string(),
                rules: in_words(outcome),
                after_plies: summary.ended_at.unwrap_or(plies) as u64,
                plies: plies as u64,
                record_ends: match (played_on, end) {
                    (false, _) => "there".to_owned(),
                    (true, None) => "played on".to_owned(),
                    (true, end) => format!("played on to {}", in_words(end)),
                },
            });
        }
    }

    /// The report on all games.
    pub(super) fn report(mut self, ruleset: Ruleset, read: ReadSummary, elapsed: Duration) -> ReplayReport {
        let seconds = elapsed.as_secs_f64();
        let ReadSummary { complete: replayed, skipped, broken, unreadable } = read;
        ReplayReport {
            ruleset: ruleset.name(),
            games: GameCounts { read: replayed + broken + skipped, replayed, broken, skipped },
            plies: self.plies,
            seconds,
            games_per_second: replayed as f64 / seconds.max(1e-9),
            lengths: lengths(&mut self.lengths),
            results: self.results,
            outcomes: ranked(self.outcomes)
                .into_iter()
                .map(|(outcome, games)| OutcomeCount { outcome, games })
                .collect(),
            played_on_after_a_draw: self.played_on,
            comparison: self.comparison,
            contradiction_kinds: kinds(&self.contradictions),
            openings: openings(self.openings, self.variants.len() > 1),
            variants: self.variants,
            endings_by_count: self
                .counts
                .into_iter()
                .map(|((is_pieces, limit), ends)| CountResults {
                    count: if is_pieces { "pieces' honour" } else { "board's honour" },
                    limit,
                    games: ends.games,
                    mates: ends.mates,
                    draws_by_the_count: ends.draws,
                    otherwise: ends.games - ends.mates - ends.draws,
                })
                .collect(),
            broken_games: self.broken,
            contradictions: self.contradictions,
            unreadable_files: unreadable,
        }
    }
}

/// The outcome by the rules, in words.
fn in_words(outcome: Option<Outcome>) -> String {
    match outcome {
        None => "goes on".to_owned(),
        Some(Outcome::Win(Color::White)) => "checkmate by White".to_owned(),
        Some(Outcome::Win(Color::Black)) => "checkmate by Black".to_owned(),
        Some(draw) => draw.to_string(),
    }
}

/// Compares the result in a file with the outcome by the rules and counts it; `true` for a contradiction.
fn compare(result: PgnResult, outcome: Option<Outcome>, comparison: &mut Comparison) -> bool {
    let counted = match (result, outcome) {
        (PgnResult::Unknown, None) => &mut comparison.unfinished,
        (PgnResult::Unknown, Some(_)) => &mut comparison.unfinished_but_over,
        (PgnResult::Draw, None) => &mut comparison.draw_agreed,
        (_, None) => &mut comparison.decided_while_it_goes_on,
        (PgnResult::WhiteWins, Some(Outcome::Win(Color::White)))
        | (PgnResult::BlackWins, Some(Outcome::Win(Color::Black)))
        | (PgnResult::Draw, Some(Outcome::Draw(_))) => &mut comparison.agrees,
        _ => {
            comparison.contradicts += 1;
            return true;
        }
    };
    *counted += 1;
    false
}

/// Sorts by frequency, highest first; equal ones by name.
fn ranked<K: Ord>(counts: HashMap<K, u64>) -> Vec<(K, u64)> {
    let mut list: Vec<_> = counts.into_iter().collect();
    list.sort_by(|(name, count), (other, more)| more.cmp(count).then_with(|| name.cmp(other)));
    list
}

fn openings(counts: HashMap<(&'static str, Vec<String>), u64>, several_variants: bool) -> Vec<OpeningCount> {
    let numbered = |moves: &[String]| {
        let pairs = moves.chunks(2).zip(1..);
        pairs.map(|(pair, number)| format!("{number}. {}", pair.join(" "))).collect::<Vec<_>>().join(" ")
    };
    ranked(counts)
        .into_iter()
        .take(OPENINGS)
        .map(|((variant, moves), games)| OpeningCount {
            moves: numbered(&moves),
            variant: several_variants.then_some(variant),
            games,
        })
        .collect()
}

fn kinds(contradictions: &[Contradiction]) -> Vec<ContradictionKind> {
    let mut counts: HashMap<[&str; 3], u64> = HashMap::new();
    for found in contradictions {
        *counts.entry([&found.rules, &found.result, &found.record_ends]).or_default() += 1;
    }
    ranked(counts)
        .into_iter()
        .map(|([rules, result, record_ends], games)| ContradictionKind {
            rules: rules.to_owned(),
            result: result.to_owned(),
            record_ends: record_ends.to_owned(),
            games,
        })
        .collect()
}

/// Statistics of game lengths; `None` without games.
fn lengths(plies: &mut [u32]) -> Option<Lengths> {
    plies.sort_unstable();
    let (&shortest, &longest) = (plies.first()?, plies.last()?);
    Some(Lengths { shortest, median: *plies.get(plies.len() / 2)?, longest })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn results_are_compared_with_outcomes() {
        use PgnResult::{BlackWins, Draw, Unknown, WhiteWins};
        let (white, black) = (Some(Outcome::Win(Color::White)), Some(Outcome::Win(Color::Black)));
        let draw = Some(Outcome::Draw(DrawReason::Repetition));
        let mut sum = Comparison::default();
        for (result, outcome, contradicts) in [
            (WhiteWins, white, false),
            (BlackWins, black, false),
            (Draw, draw, false),
            (WhiteWins, None, false),
            (BlackWins, None, false),
            (Draw, None, false),
            (Unknown, None, false),
            (Unknown, white, false),
            (WhiteWins, black, true),
            (WhiteWins, draw, true),
            (BlackWins, white, true),
            (Draw, white, true),
        ] {
            assert_eq!(compare(result, outcome, &mut sum), contradicts, "{result} {outcome:?}");
        }
        let expected = Comparison {
            agrees: 3,
            decided_while_it_goes_on: 2,
            draw_agreed: 1,
            contradicts: 4,
            unfinished: 1,
            unfinished_but_over: 1,
        };
        assert_eq!(sum, expected);
    }

    #[test]
    fn lengths_of_games() {
        assert_eq!(lengths(&mut []), None);
        assert_eq!(lengths(&mut [7]), Some(Lengths { shortest: 7, median: 7, longest: 7 }));
        assert_eq!(lengths(&mut [9, 1, 5]), Some(Lengths { shortest: 1, median: 5, longest: 9 }));
    }

    #[test]
    fn the_most_frequent_comes_first() {
        let counts = HashMap::from([("a", 1), ("c", 2), ("b", 2)]);
        assert_eq!(ranked(counts), [("b", 2), ("c", 2), ("a", 1)]);
    }
}
