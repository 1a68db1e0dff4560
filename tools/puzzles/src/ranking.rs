//! The moves of a position with their expected scores, by tablebases where they reach, else by a search.

use anyhow::{Result, bail};
use sakmak_engine::score::{TB_WIN, is_decisive, is_mate};
use sakmak_engine::win_rate::win_draw_loss;
use sakmak_engine::{Limits, SearchRequest, Searcher};
use sakmak_eval::DtmTables;
use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_movegen::{CountingSystem, Move, Outcome, Position};

use crate::settings::{HARD_LIMIT, HASH_MB};

/// A move and what it is worth for the side that makes it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RankedMove {
    /// The move.
    pub mv: Move,
    /// The expected score, from 0 to 1.
    pub expected: f64,
    /// The score in internal units; tablebase wins as in the engine.
    pub score: i32,
}

/// The best moves of a position.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// Best first: all legal moves if [`Self::exact`], else as many as asked for.
    pub moves: Vec<RankedMove>,
    /// Whether the values are those of tablebases.
    pub exact: bool,
    /// The number of legal moves.
    pub legal: usize,
}

impl Ranking {
    /// The best move.
    pub fn best(&self) -> Option<RankedMove> {
        self.moves.first().copied()
    }

    /// The expected score of the second best move; `None` if there is one legal move.
    pub fn second(&self) -> Option<f64> {
        self.moves.get(1).map(|second| second.expected)
    }

    /// Whether the best move is better than all others by `margin`; by tablebases, whether it has a better result.
    pub fn is_unique(&self, margin: f64) -> bool {
        match (self.best(), self.second()) {
            (Some(best), Some(second)) => best.expected - second >= margin.min(0.5),
            (best, _) => best.is_some(),
        }
    }

    /// The moves that are as good as the best one, within `equal`, if all others are worse by `margin`; `None` if it is
    /// not known of all moves, or some lie between.
    pub fn equal_moves(&self, equal: f64, margin: f64) -> Option<Vec<RankedMove>> {
        let best = self.best()?;
        let (good, others): (Vec<RankedMove>, Vec<RankedMove>) =
            self.moves.iter().copied().partition(|mv| best.expected - mv.expected <= equal);
        let is_clear = others.first().map_or(self.moves.len() == self.legal, |first| {
            best.expected - first.expected >= margin.min(0.5)
        });
        is_clear.then_some(good)
    }
}

/// Searches and probes.
pub struct Ranker {
    searcher: Searcher,
    tables: Tablebases,
    /// A searcher with a small table, for searches that begin with nothing.
    novice: Searcher,
}

impl Ranker {
    /// A ranker that probes these tablebases and solves the endings of two men against a bare khun in memory.
    ///
    /// # Errors
    /// If there is no memory for its transposition tables.
    pub fn new(tables: &Tablebases, pairs: &DtmTables) -> Result<Self> {
        Ok(Self {
            searcher: Searcher::new(HASH_MB)?.with_dtm_tables(pairs),
            tables: tables.with_pairs(pairs, true),
            novice: Searcher::new(1)?.with_dtm_tables(pairs),
        })
    }

    /// Forgets all searches, so that the next ones depend on nothing before.
    pub fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The best moves of a position, `lines` of them if it is searched. `keys` are those of the positions that can be
    /// repeated, this one's last; `nodes` is a soft limit.
    ///
    /// # Errors
    /// If the search panicked.
    pub fn rank(&mut self, position: &Position, keys: &[u64], nodes: u64, lines: usize) -> Result<Ranking> {
        let legal = position.legal_moves().len();
        if let Some(values) = self.tables.move_values(position) {
            let ranked = |value: Value| match value {
                Value::Win(plies) => (1.0, TB_WIN - i32::from(plies)),
                Value::Draw => (0.5, 0),
                Value::Loss(plies) => (0.0, i32::from(plies) - TB_WIN),
            };
            let moves = values.iter().map(|value| {
                let (expected, score) = ranked(value.value);
                RankedMove { mv: value.mv, expected, score }
            });
            return Ok(Ranking { moves: moves.collect(), exact: true, legal });
        }
        let limits = Limits { soft_nodes: Some(nodes), ..Limits::nodes(nodes * HARD_LIMIT) };
        searched(&mut self.searcher, &self.tables, position, keys, limits, lines)
    }

    /// The best moves of a position by a short search in a small transposition table. It knows what the short searches
    /// since [`Self::forget`] have learnt.
    ///
    /// # Errors
    /// If the search panicked.
    pub fn brief(&mut self, position: &Position, keys: &[u64], nodes: u64, lines: usize) -> Result<Ranking> {
        let limits = Limits { soft_nodes: Some(nodes), ..Limits::nodes(nodes * HARD_LIMIT) };
        searched(&mut self.novice, &self.tables, position, keys, limits, lines)
    }

    /// Forgets the short searches.
    pub fn forget(&mut self) {
        self.novice.clear();
    }

    /// All moves of a position by a search of one ply that begins with nothing, best first.
    ///
    /// # Errors
    /// If the search panicked.
    pub fn shallow(&mut self, position: &Position) -> Result<Ranking> {
        self.forget();
        let lines = position.legal_moves().len();
        searched(&mut self.novice, &self.tables, position, &[position.key()], Limits::depth(1), lines)
    }

    /// The expected score of the side to move, 0 without a legal move in check.
    ///
    /// # Errors
    /// If the search panicked.
    pub fn expected(&mut self, position: &Position, nodes: u64) -> Result<f64> {
        match position.outcome() {
            Some(Outcome::Draw(_)) => return Ok(0.5),
            Some(Outcome::Win(color)) => {
                return Ok(if color == position.side_to_move() { 1.0 } else { 0.0 });
            }
            None => {}
        }
        if let Some(probe) = self.tables.probe(position) {
            return Ok(match probe.value {
                Value::Win(_) => 1.0,
                Value::Draw => 0.5,
                Value::Loss(_) => 0.0,
            });
        }
        let ranking = self.rank(position, &[position.key()], nodes, 1)?;
        Ok(ranking.best().map_or(0.5, |best| best.expected))
    }

    /// The expected score of the side to move if no count ran and none began.
    ///
    /// # Errors
    /// If the search panicked.
    pub fn uncounted(&mut self, position: &Position, nodes: u64) -> Result<f64> {
        let has_bia = !position.kind(sakmak_movegen::PieceKind::Bia).is_empty();
        if let Some(value) = self.tables.probe_uncounted(position).filter(|_| !has_bia) {
            return Ok(match value {
                Value::Win(_) => 1.0,
                Value::Draw => 0.5,
                Value::Loss(_) => 0.0,
            });
        }
        let position = without_count(position);
        let request = SearchRequest::new(position.clone(), Limits::nodes(nodes));
        let result = self.searcher.search(&request);
        Ok(result.best().map_or(0.5, |best| expected(best.score, &position)))
    }

    /// The move that a search of one node chooses.
    pub fn first_glance(&mut self, position: &Position) -> Option<Move> {
        self.novice.clear();
        self.novice.search(&SearchRequest::new(position.clone(), Limits::nodes(1))).best().map(|best| best.mv)
    }

    /// The tablebases.
    pub fn tables(&self) -> &Tablebases {
        &self.tables
    }
}

/// The best moves of a position by a search.
fn searched(
    searcher: &mut Searcher,
    tables: &Tablebases,
    position: &Position,
    keys: &[u64],
    limits: Limits,
    lines: usize,
) -> Result<Ranking> {
    let mut request = SearchRequest::new(position.clone(), limits);
    request.keys = keys.to_vec();
    request.multi_pv = lines;
    request.probing.tables = tables.clone();
    let result = searcher.search(&request);
    if let Some(warning) = result.warnings.first() {
        bail!("{warning}");
    }
    let moves = result.moves.iter().take(lines).map(|root| RankedMove {
        mv: root.mv,
        expected: expected(root.score, position),
        score: root.score,
    });
    Ok(Ranking { moves: moves.collect(), exact: false, legal: position.legal_moves().len() })
}

/// The position by rules without a count.
pub fn without_count(position: &Position) -> Position {
    let mut position = position.clone();
    let mut rules = *position.rules();
    rules.counting = CountingSystem::None;
    position.set_rules(rules);
    position
}

/// The expected score of the side to move, from a search score.
pub fn expected(score: i32, position: &Position) -> f64 {
    let [win, draw, _] = win_draw_loss(score, position);
    f64::from(2 * win + draw) / 2_000.0
}

/// The number of moves to mate of a score, for the side that mates.
pub fn moves_to_mate(score: i32) -> Option<usize> {
    (score > 0 && is_mate(score) && is_decisive(score))
        .then(|| ((sakmak_engine::score::MATE - score + 1) / 2) as usize)
}
