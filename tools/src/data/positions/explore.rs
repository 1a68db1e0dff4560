//! Positions that a search meets but a game does not.

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::DtmTables;
use sakmak_movegen::Position;

use super::{ShuffleJob, TrainingPosition};
use crate::data::datagen::{DatagenError, Filter, GameRecord, LabelSearcher};

/// Most random moves before a position.
const RANDOM_MOVES: u32 = 2;
/// An iteration may take so many times the nodes after which no other begins.
const HARD_LIMIT: u64 = 4;

/// Makes random moves from the positions of games and searches what comes of them.
pub(super) struct Explorer {
    searcher: LabelSearcher,
    filter: Filter,
    /// Positions to make for each of a game.
    positions: u32,
    seed: u64,
}

impl Explorer {
    /// An explorer for one thread.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub(super) fn new(job: &ShuffleJob<'_>, tables: &DtmTables) -> Result<Self, DatagenError> {
        let nodes = job.explore_nodes;
        let searcher = LabelSearcher::new(1, nodes, nodes.saturating_mul(HARD_LIMIT), tables)?;
        Ok(Self { searcher, filter: job.filter, positions: job.explore, seed: job.seed })
    }

    /// Positions after one or two random moves from each of the game, as far as the filter lets them through. They
    /// depend on the game, its number and the seed alone.
    ///
    /// # Errors
    /// If a search panicked.
    pub(super) fn explore(
        &mut self,
        game: &GameRecord,
        number: u64,
    ) -> Result<Vec<TrainingPosition>, DatagenError> {
        let mut explored = Vec::new();
        if self.positions == 0 {
            return Ok(explored);
        }
        self.searcher.clear();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number + 1);
        let mut position = game.start.clone();
        for (played, ply) in game.plies.iter().enumerate() {
            for _ in 0..self.positions {
                let Some(other) = after_random_moves(&position, &mut rng) else { continue };
                explored.extend(self.searched(&other, played)?);
            }
            position.play_unchecked(ply.mv);
        }
        Ok(explored)
    }

    fn searched(
        &mut self,
        position: &Position,
        ply: usize,
    ) -> Result<Option<TrainingPosition>, DatagenError> {
        if !self.filter.passes_unsearched(position, ply) {
            return Ok(None);
        }
        let best = self.searcher.search(position, &[position.key()])?;
        let best = best.filter(|best| self.filter.passes(position, best.mv, best.score, ply));
        Ok(best.and_then(|best| TrainingPosition::without_result(position, i32::from(best.score))))
    }
}

/// The position after one or two random moves; `None` if there is no move.
fn after_random_moves(position: &Position, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = position.clone();
    for _ in 0..rng.random_range(1..=RANDOM_MOVES) {
        let moves = position.legal_moves();
        let mv = *moves.get(rng.random_range(0..moves.len().max(1)))?;
        position.play_unchecked(mv);
    }
    Some(position)
}
