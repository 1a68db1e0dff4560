//! From a candidate to a puzzle: one line, better by a clear margin at each move of the solver.

use std::fmt;

use anyhow::Result;
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::{Move, Position};

use crate::puzzle::{Goal, Margin, Mistake, Puzzle, Source};
use crate::ranking::{Ranker, Ranking, moves_to_mate, without_count};
use crate::settings::*;
use crate::themes::{Line, has_motif, starts_count, themes_of};

/// A position that may be a puzzle.
#[derive(Clone, Debug)]
pub struct Candidate {
    /// The position before the mistake, and the mistake.
    pub mistake: Option<(Position, Move)>,
    /// The position to solve.
    pub start: Position,
    /// Where it comes from.
    pub source: Source,
}

/// Why a candidate is no puzzle.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Rejection {
    /// The game is over, or there is one legal move.
    Forced,
    /// A look before the proof found no margin.
    QuickMargin,
    /// The proof found no margin.
    Margin,
    /// The best move gains too little.
    Goal,
    /// The first move takes back.
    Recapture,
    /// The move before was no mistake.
    NoMistake,
    /// The gain is not safe at the end of the line.
    Ungained,
    /// The line is one plain capture.
    Plain,
    /// A search of one node finds all moves, and the line shows no motif.
    OneNode,
    /// One move of a race with the count, in a random ending.
    Short,
    /// The count decides nothing, in a random ending.
    NoCount,
    /// No theme, after a mistake that was not played.
    NoTheme,
    /// A puzzle before has a position of its line, or a mirror image.
    Duplicate,
}

impl Rejection {
    /// The name in files.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Forced => "one legal move",
            Self::QuickMargin => "no margin at first look",
            Self::Margin => "no margin",
            Self::Goal => "gains too little",
            Self::Recapture => "recapture",
            Self::NoMistake => "no mistake before",
            Self::Ungained => "gain not safe",
            Self::Plain => "plain capture",
            Self::OneNode => "found at one node",
            Self::Short => "one move of a race",
            Self::NoCount => "no theme of the count",
            Self::NoTheme => "no theme",
            Self::Duplicate => "duplicate",
        }
    }
}

impl fmt::Display for Rejection {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Proves candidates; one for each thread.
pub struct Prover {
    ranker: Ranker,
    settings: Settings,
}

/// The line of a candidate so far.
struct Draft {
    /// Soft node limit of the searches.
    nodes: u64,
    margin: f64,
    slack: f64,
    mistake: Option<Mistake>,
    keys: Vec<u64>,
    line: Line,
    rankings: Vec<Ranking>,
    margins: Vec<Margin>,
    accepted: Vec<Move>,
}

impl Draft {
    fn push(&mut self, mv: Move) {
        let after = self.line.end().after(mv);
        self.line.moves.push(mv);
        self.keys.push(after.key());
        self.line.positions.push(after);
    }
}

/// How a line goes on after a move of the solver.
enum Next {
    /// It ends there.
    End,
    /// The reply, and the solver's only move.
    Only(Move, Ranking),
    /// The reply, and several right moves, with which it ends.
    Several(Move, Ranking),
    /// It ends without a safe gain.
    Unsafe,
}

impl Prover {
    /// A prover with these settings and tablebases.
    ///
    /// # Errors
    /// If there is no memory for its transposition tables.
    pub fn new(settings: &Settings, tables: &Tablebases, pairs: &DtmTables) -> Result<Self> {
        Ok(Self { ranker: Ranker::new(tables, pairs)?, settings: settings.clone() })
    }

    /// The moves and their values.
    pub fn ranker(&mut self) -> &mut Ranker {
        &mut self.ranker
    }

    /// The puzzle of a candidate, or why it is none. The result depends on the candidate and the settings alone.
    ///
    /// # Errors
    /// If a search panicked.
    pub fn prove(&mut self, candidate: &Candidate) -> Result<Result<Puzzle, Rejection>> {
        let Candidate { mistake, start, source } = candidate;
        if start.outcome().is_some() || start.legal_moves().len() < 2 {
            return Ok(Err(Rejection::Forced));
        }
        let mut looks = &LOOKS[..];
        if self.ranker.tables().probe(start).is_some() {
            let ranking = self.ranker.rank(start, &[start.key()], 1, 2)?;
            if ranking.exact && mistake.is_none() && !ranking.is_unique(self.settings.margin) {
                self.ranker.clear();
                return self.trap(candidate, ranking);
            }
            looks = &LOOKS[LOOKS.len() - 1..];
        }
        let mut found = None;
        let mut is_clear = false;
        for look in looks {
            if look.is_whole && !is_clear {
                self.ranker.clear();
                is_clear = true;
            }
            match self.draft(candidate, look)? {
                Ok(draft) => found = draft,
                Err(reason) => return Ok(Err(reason)),
            }
        }
        let Some(draft) = found else { return Ok(Err(Rejection::Margin)) };
        let themes = themes_of(&draft.line, &draft.rankings, &mut self.ranker)?;
        // What decides by the count is no puzzle if anyone sees it.
        if themes.iter().any(|theme| theme.is_of_count()) && self.is_found_at_one_node(&draft) {
            return Ok(Err(Rejection::OneNode));
        }
        Ok(Ok(Puzzle {
            fen: start.to_string(),
            mistake: draft.mistake,
            moves: draft.line.moves.iter().map(ToString::to_string).collect(),
            accepted: draft.accepted.iter().map(ToString::to_string).collect(),
            goal: draft.line.goal,
            themes,
            margins: draft.margins,
            nodes: self.settings.nodes,
            source: source.clone(),
            rating: None,
        }))
    }

    /// The line of a candidate as one look finds it, `None` if the next look has to decide, or why there is none.
    fn draft(&mut self, candidate: &Candidate, look: &Look) -> Result<Result<Option<Draft>, Rejection>> {
        let Candidate { mistake, start, .. } = candidate;
        let is_proof = look.divisor == PROOF.divisor;
        let nodes = (self.settings.nodes / look.divisor).max(1);
        let margin = self.settings.margin * look.share;
        let mut keys: Vec<u64> = mistake.iter().map(|(before, _)| before.key()).collect();
        keys.push(start.key());
        let ranking = if look.is_whole {
            self.ranker.rank(start, &keys, nodes, 2)?
        } else {
            self.ranker.forget();
            self.ranker.brief(start, &keys, nodes, 2)?
        };
        if !look.is_whole {
            // What is hard to see has no margin yet; but if two moves win, they will with more nodes.
            let several =
                !ranking.is_unique(margin) && ranking.second().is_some_and(|second| second >= ADVANTAGE);
            return Ok(if several { Err(Rejection::QuickMargin) } else { Ok(None) });
        }
        if !ranking.is_unique(margin) {
            return Ok(Err(if is_proof { Rejection::Margin } else { Rejection::QuickMargin }));
        }
        let Some((goal, first)) = goal_of(&ranking, look.slack).zip(ranking.best()) else {
            return Ok(Err(Rejection::Goal));
        };
        if mistake.as_ref().is_some_and(|(before, mv)| before.is_capture(*mv) && first.mv.to() == mv.to()) {
            return Ok(Err(Rejection::Recapture));
        }
        let mut shown = None;
        if let Some((before, mv)) = mistake.as_ref() {
            let reply = self.ranker.rank(before, &[before.key()], (nodes / REPLY_SHARE).max(1), 1)?;
            let earlier = 1.0 - reply.best().map_or(0.5, |best| best.expected);
            if first.expected - earlier < self.settings.mistake * look.share {
                return Ok(Err(Rejection::NoMistake));
            }
            shown = Some(Mistake { fen: before.to_string(), mv: mv.to_string(), before: rounded(earlier) });
        }
        let mut draft = Draft {
            nodes,
            margin,
            slack: look.slack,
            mistake: shown,
            keys,
            line: Line { moves: Vec::new(), positions: vec![start.clone()], goal },
            margins: vec![shown_margin(&ranking)],
            rankings: vec![ranking],
            accepted: Vec::new(),
        };
        draft.push(first.mv);
        if !self.extend(&mut draft)? {
            // More nodes may see that the gain is safe.
            return Ok(if is_proof { Err(Rejection::Ungained) } else { Ok(None) });
        }
        if is_plain(&draft.line) {
            return Ok(Err(Rejection::Plain));
        }
        let teaches = mistake.is_some() && has_motif(&draft.line);
        if !teaches && self.is_found_at_one_node(&draft) {
            return Ok(Err(Rejection::OneNode));
        }
        Ok(Ok(Some(draft)))
    }

    /// The puzzle of one move with several right ones, by tablebases: the obvious move is wrong because of the count.
    fn trap(&mut self, candidate: &Candidate, ranking: Ranking) -> Result<Result<Puzzle, Rejection>> {
        let start = &candidate.start;
        let (Some(right), Some(best)) = (ranking.equal_moves(EQUAL, self.settings.margin), ranking.best())
        else {
            return Ok(Err(Rejection::Margin));
        };
        let goal = if best.expected > 0.5 { Goal::Win } else { Goal::Hold };
        if right.len() > TRAP_RIGHT || right.len() == ranking.legal || best.expected < 0.5 {
            return Ok(Err(Rejection::Margin));
        }
        let glance = self.ranker.first_glance(start);
        if right.iter().any(|mv| Some(mv.mv) == glance) {
            return Ok(Err(Rejection::OneNode));
        }
        let line = Line::new(start, &[best.mv], goal);
        let second = ranking.moves.get(right.len()).map(|other| other.expected);
        let margins = vec![Margin { second, ..shown_margin(&ranking) }];
        let themes = themes_of(&line, &[ranking], &mut self.ranker)?;
        if !themes.iter().any(|theme| theme.is_of_one_move()) {
            return Ok(Err(Rejection::Margin));
        }
        Ok(Ok(Puzzle {
            fen: start.to_string(),
            mistake: None,
            moves: vec![best.mv.to_string()],
            accepted: right.iter().map(|mv| mv.mv.to_string()).collect(),
            goal,
            themes,
            margins,
            nodes: self.settings.nodes,
            source: candidate.source.clone(),
            rating: None,
        }))
    }

    /// Adds replies and the solver's moves until the gain is safe. Returns whether it is.
    fn extend(&mut self, draft: &mut Draft) -> Result<bool> {
        loop {
            match self.next(draft)? {
                Next::End => return Ok(true),
                Next::Unsafe => return Ok(false),
                Next::Only(reply, ranking) => {
                    let Some(best) = ranking.best() else { return Ok(false) };
                    draft.push(reply);
                    draft.margins.push(shown_margin(&ranking));
                    draft.rankings.push(ranking);
                    draft.push(best.mv);
                }
                Next::Several(reply, ranking) => {
                    let equal = ranking.equal_moves(EQUAL, draft.margin);
                    let (Some(best), Some(equal)) = (ranking.best(), equal) else { return Ok(false) };
                    draft.push(reply);
                    let second = ranking.moves.get(equal.len()).map(|other| rounded(other.expected));
                    draft.margins.push(Margin { second, ..shown_margin(&ranking) });
                    draft.accepted = equal.iter().map(|mv| mv.mv).collect();
                    draft.rankings.push(ranking);
                    draft.push(best.mv);
                    return Ok(draft.line.is_mate() || self.is_gained(draft)?);
                }
            }
        }
    }

    /// The other side's best reply.
    fn reply(&mut self, draft: &Draft) -> Result<Option<Move>> {
        let nodes = (draft.nodes / REPLY_SHARE).max(1);
        let ranking = self.ranker.rank(draft.line.end(), &draft.keys, nodes, REPLIES)?;
        if draft.line.goal == Goal::Hold && ranking.exact {
            return self.hardest_reply(draft, &ranking).map(Some);
        }
        // Who gives a piece wants to see it taken.
        if let (Some(best), Some(last), false) = (ranking.best(), draft.line.moves.last(), ranking.exact)
            && let Some(taken) = ranking
                .moves
                .iter()
                .find(|reply| reply.mv.to() == last.to() && best.expected - reply.expected <= SHOWN)
        {
            return Ok(Some(taken.mv));
        }
        Ok(ranking.best().map(|best| best.mv))
    }

    /// Of the replies that keep the draw, the one after which the solver has the fewest right moves.
    fn hardest_reply(&mut self, draft: &Draft, ranking: &Ranking) -> Result<Move> {
        let best = ranking.moves[0];
        let mut hardest = (usize::MAX, best.mv);
        for reply in ranking.moves.iter().filter(|reply| reply.expected >= best.expected) {
            let next = draft.line.end().after(reply.mv);
            if next.outcome().is_some() {
                continue;
            }
            let values = self.ranker.rank(&next, &[next.key()], (draft.nodes / REPLY_SHARE).max(1), 2)?;
            let right = values.moves.iter().filter(|mv| mv.expected >= 0.5).count();
            if values.exact && values.legal > 1 && right < hardest.0 {
                hardest = (right, reply.mv);
            }
        }
        Ok(hardest.1)
    }

    /// How the line goes on after the solver's last move.
    fn next(&mut self, draft: &Draft) -> Result<Next> {
        let Draft { line, nodes, margin, slack, .. } = draft;
        let (nodes, margin, most) = (*nodes, *margin, self.settings.moves);
        if line.end().outcome().is_some() {
            return Ok(Next::End);
        }
        let Some(reply) = self.reply(draft)? else { return Ok(Next::End) };
        let next = line.end().after(reply);
        if next.outcome().is_some() {
            return Ok(Next::End);
        }
        let mut keys = draft.keys.clone();
        keys.push(next.key());
        let ranking = self.ranker.rank(&next, &keys, nodes, 2)?;
        let Some(best) = ranking.best() else { return Ok(Next::Unsafe) };
        let gained = balance(&next) - balance(&line.positions[0]) >= LEAST_GAIN;
        let mates = moves_to_mate(best.score).filter(|_| !ranking.exact);
        let is_proved = ranking.exact || mates.is_some() || line.goal == Goal::Hold;
        let is_full = draft.margins.len() >= most;
        let only =
            ranking.is_unique(margin) && goal_of(&ranking, *slack).is_some_and(|goal| goal <= line.goal);
        if only && !is_full {
            // A gain that the first glance keeps is safe.
            let is_obvious = mates.is_none() && self.ranker.first_glance(&next) == Some(best.mv);
            let is_kept =
                gained || line.goal == Goal::Hold && !ranking.exact || ranking.legal == 1 && is_proved;
            return Ok(if is_obvious && is_kept { Next::End } else { Next::Only(reply, ranking) });
        }
        if mates == Some(1) && !is_full {
            let ranking = self.ranker.rank(&next, &keys, (nodes / REPLY_SHARE).max(1), ACCEPTED + 1)?;
            let is_clear = ranking.equal_moves(EQUAL, margin).is_some_and(|mv| mv.len() <= ACCEPTED);
            let all_mate = ranking
                .equal_moves(EQUAL, margin)
                .is_some_and(|moves| moves.iter().all(|mv| moves_to_mate(mv.score) == Some(1)));
            return Ok(if is_clear && all_mate { Next::Several(reply, ranking) } else { Next::End });
        }
        if gained || is_proved {
            return Ok(Next::End);
        }
        if is_full {
            return Ok(Next::Unsafe);
        }
        let ranking = self.ranker.rank(&next, &keys, nodes, ACCEPTED + 1)?;
        let several = ranking.equal_moves(EQUAL, margin);
        let is_clear = several.is_some_and(|moves| moves.len() <= ACCEPTED);
        Ok(if is_clear { Next::Several(reply, ranking) } else { Next::Unsafe })
    }

    /// Whether the solver has gained material after the best reply.
    fn is_gained(&mut self, draft: &Draft) -> Result<bool> {
        let end = draft.line.end();
        if end.outcome().is_some() {
            return Ok(true);
        }
        let Some(reply) = self.reply(draft)? else { return Ok(true) };
        Ok(balance(&end.after(reply)) - balance(&draft.line.positions[0]) >= LEAST_GAIN)
    }

    fn is_found_at_one_node(&mut self, draft: &Draft) -> bool {
        is_found_at_one_node(&draft.line, &|mv| draft.accepted.contains(&mv), &mut self.ranker)
    }
}

/// Whether a search of one node finds all moves of the solver; as the last one any that `is_accepted` will do. A search
/// that knows the count sees every move that begins one: who has to start it in time is a search that does not.
pub fn is_found_at_one_node(line: &Line, is_accepted: &dyn Fn(Move) -> bool, ranker: &mut Ranker) -> bool {
    let knows_count = !starts_count(line);
    line.own().all(|index| {
        let position = &line.positions[index];
        let found = if knows_count {
            ranker.first_glance(position)
        } else {
            ranker.first_glance(&without_count(position))
        };
        let is_last = index + 1 == line.moves.len();
        found == Some(line.moves[index]) || is_last && found.is_some_and(is_accepted)
    })
}

/// What the best move reaches; `None` if that is too little by more than `slack`.
fn goal_of(ranking: &Ranking, slack: f64) -> Option<Goal> {
    let (best, second) = (ranking.best()?, ranking.second().unwrap_or(0.0));
    match best.expected {
        expected if expected >= WINNING => Some(Goal::Win),
        expected if expected >= ADVANTAGE - slack => Some(Goal::Advantage),
        expected if expected >= HOLDING - slack && second <= LOST + slack => Some(Goal::Hold),
        _ => None,
    }
}

/// Whether the line is a capture that loses nothing, or a series of recaptures.
fn is_plain(line: &Line) -> bool {
    let [mv] = line.moves[..] else { return false };
    let start = &line.positions[0];
    line.goal != Goal::Hold && !line.is_mate() && start.is_capture(mv) && start.see_ge(mv, 1, &VALUES)
}

fn shown_margin(ranking: &Ranking) -> Margin {
    Margin {
        best: rounded(ranking.best().map_or(0.5, |best| best.expected)),
        second: ranking.second().map(rounded),
        exact: ranking.exact,
    }
}

/// Rounds an expected score to thousandths.
fn rounded(expected: f64) -> f64 {
    (expected * 1_000.0).round() / 1_000.0
}
