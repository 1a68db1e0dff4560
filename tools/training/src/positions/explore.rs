//! New scores for positions of games, and positions that occur in a search but not in a game.

use anyhow::Result;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_dataset::games::{Filter, GameRecord, Ply, Sample};
use sakmak_dataset::positions::TrainingPosition;
use sakmak_eval::DtmTables;
use sakmak_movegen::Position;

use super::ShuffleJob;
use crate::datagen::LabelSearcher;

/// Maximum of random moves before a position.
const RANDOM_MOVES: u32 = 2;
/// Hard node limit as a multiple of the soft limit, after which no iteration is started.
const HARD_LIMIT: u64 = 4;

/// The training positions from one game.
#[derive(Default)]
pub(super) struct GamePositions {
    /// The positions of the game, with its result.
    pub(super) of_game: Vec<TrainingPosition>,
    /// The positions after random moves, without a result.
    pub(super) explored: Vec<TrainingPosition>,
}

/// Searches positions of games and those after random moves.
pub(super) struct Explorer {
    searcher: LabelSearcher,
    filter: Filter,
    /// Whether to rescore the positions of games.
    relabel: bool,
    /// Number of explored positions per position of a game.
    positions: u32,
    seed: u64,
}

impl Explorer {
    /// An explorer for one thread.
    ///
    /// # Errors
    /// If there is no memory for its transposition table.
    pub(super) fn new(job: &ShuffleJob<'_>, tables: &DtmTables) -> Result<Self> {
        let nodes = job.label_nodes;
        let searcher = LabelSearcher::new(1, nodes, nodes.saturating_mul(HARD_LIMIT), tables)?;
        Ok(Self {
            searcher,
            filter: job.filter,
            relabel: job.relabel,
            positions: job.explore,
            seed: job.seed,
        })
    }

    /// The positions of a game, and those after one or two random moves from each, if they pass the filter. They depend
    /// only on the game, its number and the options.
    ///
    /// # Errors
    /// If a search panicked.
    pub(super) fn positions(&mut self, game: &GameRecord, number: u64) -> Result<GamePositions> {
        let mut found = GamePositions::default();
        if !self.relabel {
            found.of_game =
                game.positions(&self.filter).filter_map(|sample| TrainingPosition::new(&sample)).collect();
        }
        if !self.relabel && self.positions == 0 {
            return Ok(found);
        }
        self.searcher.clear();
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(number + 1);
        let mut position = game.start.clone();
        for (ply, played) in game.plies.iter().enumerate() {
            if self.relabel
                && let Some(best) = self.best(&position, ply)?
            {
                let score = i32::from(best.score);
                let sample =
                    Sample { position: position.clone(), score, ply, mv: best.mv, result: game.result };
                found.of_game.extend(TrainingPosition::new(&sample));
            }
            for _ in 0..self.positions {
                let Some(other) = after_random_moves(&position, &mut rng) else { continue };
                let Some(best) = self.best(&other, ply)? else { continue };
                found.explored.extend(TrainingPosition::without_result(&other, i32::from(best.score)));
            }
            position.play_unchecked(played.mv);
        }
        Ok(found)
    }

    /// The best move of a position and its score, if the position passes the filter.
    fn best(&mut self, position: &Position, ply: usize) -> Result<Option<Ply>> {
        if !self.filter.passes_unsearched(position, ply) {
            return Ok(None);
        }
        let best = self.searcher.search(position, &[position.key()])?;
        Ok(best.filter(|best| self.filter.passes(position, best.mv, best.score, ply)))
    }
}

/// The position after one or two random moves; `None` if there is no move. Half of the running counts get a random ply,
/// since games have few positions near the end of a count.
fn after_random_moves(position: &Position, rng: &mut ChaCha8Rng) -> Option<Position> {
    let mut position = position.clone();
    for _ in 0..rng.random_range(1..=RANDOM_MOVES) {
        let moves = position.legal_moves();
        let mv = *moves.get(rng.random_range(0..moves.len().max(1)))?;
        position.play_unchecked(mv);
    }
    let count = position.count();
    if count.is_running() && !count.is_unlimited() && rng.random_bool(0.5) {
        // Squared, so that few remaining plies are more frequent.
        let share: f64 = rng.random_range(0.0..1.0);
        let left = (f64::from(count.limit()) * share * share) as u16;
        position.set_count(count.at_ply(count.limit() - left));
    }
    Some(position)
}
