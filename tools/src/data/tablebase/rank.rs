//! How often endings occur in games.

use std::collections::{HashMap, HashSet};
use std::convert::Infallible;
use std::path::{Path, PathBuf};

use sakmak_eval::tablebase::Ending;
use sakmak_movegen::{Game, Move, Position};

use crate::data::datagen::{DataError, Filter, Reader};
use crate::games::pgn::{PgnGame, PgnMove};
use crate::games::{BrokenGame, GameFiles, GameStart, GameVisitor, ReadMonitor, ReadOptions};

/// How often an ending occurs, colours exchanged or not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Occurrence {
    /// Games in which it occurs.
    pub games: u64,
    /// Positions.
    pub positions: u64,
}

/// Counts the endings of three to five men in games.
#[derive(Debug, Default)]
pub struct EndingRank {
    /// Games read.
    pub games: u64,
    endings: HashMap<Ending, Occurrence>,
    of_game: HashSet<Ending>,
}

impl EndingRank {
    fn add(&mut self, position: &Position) {
        let ending = Ending::of(position).filter(|ending| ending.men() > 2);
        let Some(ending) = ending.map(|ending| ending.canonical()) else { return };
        let occurrence = self.endings.entry(ending.clone()).or_default();
        occurrence.positions += 1;
        occurrence.games += u64::from(self.of_game.insert(ending));
    }

    fn end_game(&mut self) {
        self.games += 1;
        self.of_game.clear();
    }

    /// Adds the games of a file of training data.
    ///
    /// # Errors
    /// If the file is none, or is damaged. A last game that is cut off is left out.
    pub fn add_data(&mut self, path: &Path) -> Result<(), DataError> {
        let filter = Filter::ALL;
        for game in Reader::open(path)? {
            match game {
                Ok(game) => {
                    game.positions(&filter).for_each(|sample| self.add(&sample.position));
                    self.end_game();
                }
                Err(error) if error.is_cut() => break,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Adds the games of PGN files and score sheets.
    pub fn add_games(&mut self, paths: &[PathBuf], monitor: &mut dyn ReadMonitor) {
        let Ok::<_, Infallible>(_) = GameFiles { paths, options: ReadOptions::default() }.read(self, monitor);
    }

    /// The endings, those in most games first.
    pub fn ranking(&self) -> Vec<(&Ending, Occurrence)> {
        let mut ranking: Vec<_> =
            self.endings.iter().map(|(ending, &occurrence)| (ending, occurrence)).collect();
        ranking.sort_by_key(|(ending, occurrence)| {
            (std::cmp::Reverse((occurrence.games, occurrence.positions)), ending.to_string())
        });
        ranking
    }
}

impl GameVisitor for EndingRank {
    type Error = Infallible;

    fn visit_move(&mut self, game: &Game, _: Move, _: &mut PgnMove, depth: usize) {
        if depth == 0 {
            self.add(game.position());
        }
    }

    fn finish(&mut self, _: &str, _: PgnGame, _: GameStart) -> Result<Option<BrokenGame>, Infallible> {
        self.end_game();
        Ok(None)
    }

    fn broken(&mut self, _: &BrokenGame, _: Option<&Game>) {
        self.end_game();
    }
}
