//! Short searches whose scores are the training targets.

use anyhow::{Result, bail};
use rand::{Rng, RngExt};
use sakmak_engine::skill::{LimitedPlayer, Skill};
use sakmak_engine::{Limits, SearchInfo, SearchRequest, SearchResult, Searcher};
use sakmak_eval::DtmTables;
use sakmak_movegen::{Move, Position};

use sakmak_dataset::games::Ply;

/// The moves of a position that [`LabelSearcher::search_varied`] draws from.
const VARIED_LINES: usize = 4;

/// Searches positions with a soft node limit, so that every score comes from a finished iteration.
pub(crate) struct LabelSearcher {
    searcher: Searcher,
    limits: Limits,
}

impl LabelSearcher {
    /// A searcher that starts no iteration after `nodes` nodes and stops a running one after `max_nodes`.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub(crate) fn new(hash_mb: usize, nodes: u64, max_nodes: u64, tables: &DtmTables) -> Result<Self> {
        let searcher = Searcher::new(hash_mb)?.with_dtm_tables(tables);
        let limits = Limits { soft_nodes: Some(nodes), ..Limits::nodes(max_nodes) };
        Ok(Self { searcher, limits })
    }

    /// Clears transposition table and histories.
    pub(crate) fn clear(&mut self) {
        self.searcher.clear();
    }

    /// The best move of a position with its score; `None` if there is no move. `keys` are those of the positions that
    /// can be repeated, this one's last.
    ///
    /// # Errors
    /// If the search panicked: its move is worthless.
    pub(crate) fn search(&mut self, position: &Position, keys: &[u64]) -> Result<Option<Ply>> {
        let request = SearchRequest::new(position.clone(), self.limits.clone());
        let result = self.searcher.search(&SearchRequest { keys: keys.to_vec(), ..request });
        ensure_sound(&result)?;
        Ok(result.best().map(|best| ply(best.mv, best.score)))
    }

    /// One of the best moves with its score, drawn by weight: the nearer its score is to the best one, the more likely.
    /// None is worse by more than `margin` internal units. `None` if there is no move.
    ///
    /// # Errors
    /// If the search panicked.
    pub(crate) fn search_varied(
        &mut self,
        position: &Position,
        keys: &[u64],
        margin: u32,
        rng: &mut impl Rng,
    ) -> Result<Option<Ply>> {
        let mut request = SearchRequest::new(position.clone(), self.limits.clone());
        request.keys = keys.to_vec();
        request.multi_pv = VARIED_LINES;
        let result = self.searcher.search(&request);
        ensure_sound(&result)?;
        let moves = &result.moves[..result.moves.len().min(VARIED_LINES)];
        let Some(best) = moves.first() else { return Ok(None) };
        let weight = |score: i32| {
            u64::from(margin).saturating_add(1).saturating_sub((best.score - score).max(0) as u64)
        };
        let total: u64 = moves.iter().map(|mv| weight(mv.score)).sum();
        let mut left = rng.random_range(0..total);
        for mv in moves {
            match left.checked_sub(weight(mv.score)) {
                Some(rest) => left = rest,
                None => return Ok(Some(ply(mv.mv, mv.score))),
            }
        }
        Ok(Some(ply(best.mv, best.score)))
    }

    /// The move of a limited player with the score of the best move that its search saw; `None` if there is no move.
    /// The soft limit of the nodes is a hard one. The same seed and the same searches before give the same move.
    ///
    /// # Errors
    /// If the search panicked.
    pub(crate) fn search_as(
        &mut self,
        skill: Skill,
        position: &Position,
        keys: &[u64],
        seed: u64,
    ) -> Result<Option<Ply>> {
        let nodes = self.limits.soft_nodes.unwrap_or(u64::MAX);
        let mut request = SearchRequest::new(position.clone(), Limits::nodes(nodes));
        request.keys = keys.to_vec();
        let mut player = LimitedPlayer::new(skill, &mut request, seed);
        let result = self.searcher.search_with(&request, &mut |info: &SearchInfo| player.see(info));
        ensure_sound(&result)?;
        let Some(best) = result.best() else { return Ok(None) };
        let chosen = &result.moves[player.choose(&result.moves)];
        Ok(Some(ply(chosen.mv, best.score)))
    }
}

fn ensure_sound(result: &SearchResult) -> Result<()> {
    match result.warnings.first() {
        Some(warning) => bail!("self-play: {warning}"),
        None => Ok(()),
    }
}

fn ply(mv: Move, score: i32) -> Ply {
    Ply { mv, score: score.clamp(i16::MIN.into(), i16::MAX.into()) as i16 }
}
