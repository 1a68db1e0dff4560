//! Builds a book: joins games and searches, and searches the most important positions.

use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

use anyhow::{Context, Result, anyhow, ensure};
use sakmak_eval::DtmTables;
use sakmak_movegen::Position;

use crate::games::GameMoves;
use crate::search::{PositionSearcher, SearchFile, Searched};
use crate::settings::{BATCH, BATCH_SHARE, SearchSettings, TreeSettings};
use crate::tree::Tree;

/// How far a build is.
#[derive(Clone, Copy, Debug)]
pub struct BuildProgress {
    /// Positions of the tree with a search.
    pub searched: usize,
    /// Searches that this run made.
    pub new: usize,
    /// Positions of the tree.
    pub positions: usize,
}

/// A book to build.
#[derive(Clone, Copy, Debug)]
pub struct BuildJob<'a> {
    /// The games.
    pub games: &'a GameMoves,
    /// Which positions belong to the book.
    pub tree: TreeSettings,
    /// How a position is searched.
    pub search: &'a SearchSettings,
    /// The number of positions to search.
    pub positions: usize,
    /// Makes no new search: the tree ends where the file of searches does.
    pub only_known: bool,
    /// Threads.
    pub threads: usize,
}

impl<'a> BuildJob<'a> {
    /// Builds the tree. Searches of the file are used, and new ones added to it. The tree depends neither on the number
    /// of threads nor on interruptions.
    ///
    /// # Errors
    /// If a search panicked, or the file cannot be written.
    pub fn run(&self, file: &mut SearchFile, notify: &mut dyn FnMut(BuildProgress)) -> Result<Tree<'a>> {
        let pairs = DtmTables::default();
        let searcher = |_| PositionSearcher::new(self.search, &pairs);
        let mut searchers = (0..self.threads.max(1)).map(searcher).collect::<Result<Vec<_>>>()?;
        let mut tree = Tree::new(Position::startpos(), self.games, self.tree);
        let (mut searched, mut new) = (0, 0);
        loop {
            tree.update();
            let batch = (searched / BATCH_SHARE).clamp(1, BATCH).min(self.positions - searched);
            let is_open = |position: &Position| !self.only_known || file.get(position.moves_key()).is_some();
            let chosen: Vec<(Position, u32)> = tree
                .most_important(batch, is_open)
                .into_iter()
                .map(|(position, distance)| (position.clone(), distance))
                .collect();
            if chosen.is_empty() {
                return Ok(tree);
            }
            let unknown: Vec<&(Position, u32)> =
                chosen.iter().filter(|(position, _)| file.get(position.moves_key()).is_none()).collect();
            self.search(&unknown, &mut searchers, file)?;
            new += unknown.len();
            for (position, _) in &chosen {
                let found = file.get(position.moves_key()).context("a search is missing")?;
                tree.add_search(position.moves_key(), found.clone());
            }
            searched += chosen.len();
            notify(BuildProgress { searched, new, positions: tree.len() });
        }
    }

    /// Searches positions in parallel; each result is written at once.
    fn search(
        &self,
        positions: &[&(Position, u32)],
        searchers: &mut [PositionSearcher],
        file: &mut SearchFile,
    ) -> Result<()> {
        let next = AtomicUsize::new(0);
        let file = Mutex::new(file);
        let done = AtomicUsize::new(0);
        let one = |searcher: &mut PositionSearcher| -> Result<()> {
            while let Some((position, distance)) = positions.get(next.fetch_add(1, Relaxed)) {
                let found: Searched = searcher.search(position, *distance == 0)?;
                let mut file = file.lock().map_err(|_| anyhow!("a thread has failed"))?;
                file.add(position.moves_key(), found)?;
                done.fetch_add(1, Relaxed);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let one = &one;
            let threads: Vec<_> =
                searchers.iter_mut().map(|searcher| scope.spawn(move || one(searcher))).collect();
            threads
                .into_iter()
                .try_for_each(|thread| thread.join().unwrap_or_else(|_| Err(anyhow!("a thread has failed"))))
        })?;
        ensure!(done.into_inner() == positions.len(), "a thread has failed");
        Ok(())
    }
}
