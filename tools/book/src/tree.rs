//! The tree of an opening: positions joined by transposition, with the moves of games and of searches.

use std::cmp::{Ordering, Reverse};
use std::collections::{BTreeMap, BinaryHeap, HashMap};

use sakmak_engine::book::{BookMove, BookPosition};
use sakmak_movegen::{Move, Position};

use crate::games::{GameMoves, Results};
use crate::search::Searched;
use crate::settings::{EQUAL_GAMES, TEMPERATURE, TreeSettings, UNKNOWN_LOSS};

/// A move of a position.
#[derive(Clone, Debug)]
struct Edge {
    mv: Move,
    /// The number of the position after it.
    child: usize,
    results: Results,
    /// The score by the search of the position before it, in internal units for the side that makes it.
    own: Option<i32>,
}

#[derive(Clone, Debug)]
struct Node {
    position: Position,
    edges: Vec<Edge>,
    searched: Option<Searched>,
    /// Whether the moves of the games are among the edges.
    has_games: bool,
    /// Plies on the shortest way from the start.
    distance: u32,
    /// The score by minimax, in internal units for the side to move.
    score: Option<i32>,
    importance: f64,
}

/// The tree. Its root is the start position, and it has only positions that moves of games or searches lead to from
/// there.
#[derive(Clone, Debug)]
pub struct Tree<'a> {
    games: &'a GameMoves,
    settings: TreeSettings,
    nodes: Vec<Node>,
    numbers: HashMap<u64, usize>,
}

impl<'a> Tree<'a> {
    /// The tree of the games that begin at `start`, or reach a position of the tree by transposition.
    pub fn new(start: Position, games: &'a GameMoves, settings: TreeSettings) -> Self {
        let mut tree = Self { games, settings, nodes: Vec::new(), numbers: HashMap::new() };
        tree.node(start);
        tree
    }

    /// The number of positions.
    pub fn len(&self) -> usize {
        self.nodes.len()
    }

    /// Whether there is no position; there is always the start.
    pub fn is_empty(&self) -> bool {
        self.nodes.is_empty()
    }

    /// The number of a position, which is added with its games if it is new.
    fn node(&mut self, position: Position) -> usize {
        let key = position.moves_key();
        if let Some(&number) = self.numbers.get(&key) {
            return number;
        }
        let number = self.add(position);
        self.follow_games(number);
        number
    }

    /// Adds the moves of the games to all positions from this number on that have enough of them.
    fn follow_games(&mut self, first: usize) {
        let mut next = first;
        while next < self.nodes.len() {
            let moves = self.games.moves(&self.nodes[next].position);
            let total: u64 = moves.iter().flat_map(|(_, results)| results).sum();
            if total >= self.settings.min_games.max(1) {
                self.add_games(next, &moves);
            }
            next += 1;
        }
    }

    fn add(&mut self, position: Position) -> usize {
        let number = self.nodes.len();
        self.numbers.insert(position.moves_key(), number);
        self.nodes.push(Node {
            position,
            edges: Vec::new(),
            searched: None,
            has_games: false,
            distance: u32::MAX,
            score: None,
            importance: 0.0,
        });
        number
    }

    /// Adds the moves of the games to a position. [`Self::follow_games`] adds theirs to the positions after them.
    fn add_games(&mut self, number: usize, moves: &[(Move, Results)]) {
        self.nodes[number].has_games = true;
        for &(mv, results) in moves {
            let after = self.nodes[number].position.after(mv);
            if after.count().is_running() {
                continue;
            }
            let known = self.numbers.get(&after.moves_key()).copied();
            let child = known.unwrap_or_else(|| self.add(after));
            match self.nodes[number].edges.iter_mut().find(|edge| edge.mv == mv) {
                Some(edge) => edge.results = results,
                None => self.nodes[number].edges.push(Edge { mv, child, results, own: None }),
            }
        }
    }

    /// Adds what a search found in a position of the tree; the moves of its games join those of the search.
    pub fn add_search(&mut self, key: u64, searched: Searched) {
        let Some(&number) = self.numbers.get(&key) else { return };
        // No move is better than the best one of the longer search.
        let best = searched.moves.first().map_or(i32::MAX, |first| first.1);
        for &(mv, score) in &searched.moves {
            if !self.nodes[number].position.is_legal(mv) {
                continue;
            }
            let after = self.nodes[number].position.after(mv);
            if after.count().is_running() {
                continue;
            }
            let child = self.node(after);
            let own = Some(score.min(best));
            match self.nodes[number].edges.iter_mut().find(|edge| edge.mv == mv) {
                Some(edge) => edge.own = own,
                None => self.nodes[number].edges.push(Edge { mv, child, results: [0; 3], own }),
            }
        }
        self.nodes[number].searched = Some(searched);
        if !self.nodes[number].has_games {
            let moves = self.games.moves(&self.nodes[number].position);
            let first = self.nodes.len();
            self.add_games(number, &moves);
            self.follow_games(first);
        }
    }

    /// Computes distances, scores and importance anew.
    pub fn update(&mut self) {
        let order = self.find_distances();
        for &number in order.iter().rev() {
            self.nodes[number].score = self.minimax(number);
        }
        for node in &mut self.nodes {
            node.importance = 0.0;
        }
        self.nodes[0].importance = 1.0;
        for &number in &order {
            let importance = self.nodes[number].importance;
            for (child, share) in self.shares(number) {
                self.nodes[child].importance += importance * share;
            }
        }
    }

    /// Sets the distances by a breadth-first search, and returns the positions in its order.
    fn find_distances(&mut self) -> Vec<usize> {
        for node in &mut self.nodes {
            node.distance = u32::MAX;
        }
        self.nodes[0].distance = 0;
        let mut order = vec![0];
        let mut next = 0;
        while next < order.len() {
            let number = order[next];
            let distance = self.nodes[number].distance + 1;
            for edge in 0..self.nodes[number].edges.len() {
                let child = self.nodes[number].edges[edge].child;
                if self.nodes[child].distance == u32::MAX {
                    self.nodes[child].distance = distance;
                    order.push(child);
                }
            }
            next += 1;
        }
        order
    }

    /// Whether a move leads away from the start. One that leads back could repeat positions for ever; minimax leaves
    /// the position after it out.
    fn leads_away(&self, number: usize, edge: &Edge) -> bool {
        self.nodes[edge.child].distance == self.nodes[number].distance + 1
    }

    /// The score of a move: that of the position after it if it has one, else that of the search before it.
    fn edge_score(&self, number: usize, edge: &Edge) -> Option<i32> {
        let after = self.nodes[edge.child].score.filter(|_| self.leads_away(number, edge));
        after.map(|score| -score).or(edge.own)
    }

    /// The score of a searched position: that of its best move.
    fn minimax(&self, number: usize) -> Option<i32> {
        let node = &self.nodes[number];
        node.searched.as_ref()?;
        node.edges.iter().filter_map(|edge| self.edge_score(number, edge)).max()
    }

    /// The positions after the moves that lead away, each with its share of the importance.
    fn shares(&self, number: usize) -> Vec<(usize, f64)> {
        let edges: Vec<&Edge> =
            self.nodes[number].edges.iter().filter(|edge| self.leads_away(number, edge)).collect();
        let scores: Vec<Option<i32>> = edges.iter().map(|edge| self.edge_score(number, edge)).collect();
        let best = scores.iter().copied().flatten().max();
        let weight = |score: Option<i32>| {
            let loss = match (best, score) {
                (Some(best), Some(score)) => f64::from(best - score),
                (Some(_), None) => UNKNOWN_LOSS,
                (None, _) => 0.0,
            };
            libm::exp(-loss / TEMPERATURE)
        };
        let weights: Vec<f64> = scores.into_iter().map(weight).collect();
        let total: f64 = weights.iter().sum();
        let games = |edge: &Edge| edge.results.iter().sum::<u64>() as f64;
        let all_games: f64 = edges.iter().map(|edge| games(edge)).sum();
        let by_games = if best.is_none() { 1.0 } else { all_games / (all_games + EQUAL_GAMES) };
        let shares = edges.iter().zip(&weights).map(|(edge, weight)| {
            let by_score = if total > 0.0 { weight / total } else { 0.0 };
            let of_games = if all_games > 0.0 { games(edge) / all_games } else { by_score };
            (edge.child, by_games * of_games + (1.0 - by_games) * by_score)
        });
        shares.collect()
    }

    /// The most important positions that are not searched, in which the game goes on, and which `is_open` accepts: the
    /// most important one first, the nearest to the start among equals. Call [`Self::update`] before.
    pub fn most_important(
        &self,
        number: usize,
        is_open: impl Fn(&Position) -> bool,
    ) -> Vec<(&Position, u32)> {
        let unsearched = |number: &usize| {
            let node = &self.nodes[*number];
            node.searched.is_none() && node.distance < u32::MAX && is_open(&node.position)
        };
        let mut open: Vec<Rank> =
            (0..self.nodes.len()).filter(unsearched).map(|number| self.rank(number)).collect();
        open.sort_by(|a, b| b.cmp(a));
        let nodes = open.into_iter().map(|rank| &self.nodes[rank.number]);
        let going_on = nodes.filter(|node| node.position.outcome().is_none());
        going_on.take(number).map(|node| (&node.position, node.distance)).collect()
    }

    /// The number of positions with a search.
    pub fn searched(&self) -> usize {
        self.nodes.iter().filter(|node| node.searched.is_some()).count()
    }

    /// The games that begin in the start position.
    pub fn games(&self) -> u64 {
        self.nodes[0].edges.iter().flat_map(|edge| edge.results).sum()
    }

    /// The positions of the book by their keys: those with a search, or with enough games. With `most`, only that number
    /// of them: from the start on always the most important one that a move of those before leads to. Call
    /// [`Self::update`] before.
    pub fn book(&self, most: Option<usize>) -> BTreeMap<u64, BookPosition> {
        let kept = self.most_important_first().take(most.unwrap_or(usize::MAX));
        kept.map(|number| (self.nodes[number].position.moves_key(), self.entry(number))).collect()
    }

    /// The positions with moves, each after one that leads to it, else by importance.
    fn most_important_first(&self) -> impl Iterator<Item = usize> {
        let mut open = BinaryHeap::from([self.rank(0)]);
        let mut seen = vec![false; self.nodes.len()];
        seen[0] = true;
        std::iter::from_fn(move || {
            loop {
                let number = open.pop()?.number;
                let edges = &self.nodes[number].edges;
                for edge in edges {
                    if !std::mem::replace(&mut seen[edge.child], true) {
                        open.push(self.rank(edge.child));
                    }
                }
                if !edges.is_empty() {
                    return Some(number);
                }
            }
        })
    }

    fn rank(&self, number: usize) -> Rank {
        let node = &self.nodes[number];
        Rank {
            importance: node.importance,
            nearness: Reverse((node.distance, node.position.moves_key())),
            number,
        }
    }

    fn entry(&self, number: usize) -> BookPosition {
        let node = &self.nodes[number];
        let searched = node.searched.as_ref();
        let moves = node.edges.iter().map(|edge| BookMove {
            mv: edge.mv,
            score: self.edge_score(number, edge),
            results: edge.results,
        });
        let mut entry = BookPosition {
            score: node.score,
            depth: searched.map_or(0, |searched| searched.depth),
            kilonodes: searched.map_or(0, |searched| searched.nodes / 1000),
            moves: moves.collect(),
        };
        entry.sort();
        entry
    }
}

/// The order of positions: the most important, the nearest to the start, the smallest key is the greatest.
#[derive(Clone, Copy, Debug)]
struct Rank {
    importance: f64,
    /// Distance and key.
    nearness: Reverse<(u32, u64)>,
    number: usize,
}

impl Ord for Rank {
    fn cmp(&self, other: &Self) -> Ordering {
        let by_importance = self.importance.total_cmp(&other.importance);
        by_importance.then_with(|| self.nearness.cmp(&other.nearness))
    }
}

impl PartialOrd for Rank {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Rank {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other).is_eq()
    }
}

impl Eq for Rank {}

#[cfg(test)]
mod tests;
