//! The input of a search: [`SearchRequest`].

use std::sync::Arc;
use std::time::Duration;

use sakmak_eval::network::Network;
use sakmak_eval::tablebase::{MAX_MEN, Tablebases};
use sakmak_movegen::rules::DeadMaterial;
use sakmak_movegen::{Count, CountingSystem, DrawReason, Game, Outcome, PlayRules, Position};

use crate::evaluations::Evaluations;
use crate::time::{Budget, GameStage, Latency, Limits};

/// Tablebases, and where a search probes them.
#[derive(Clone, Debug)]
pub struct TableProbing {
    /// The tables; without any, nothing is probed.
    pub tables: Tablebases,
    /// Least depth of nodes below the root that are probed, in plies.
    pub depth: i32,
    /// Most men of positions that are probed, khun included.
    pub men: usize,
}

impl Default for TableProbing {
    fn default() -> Self {
        Self { tables: Tablebases::default(), depth: 1, men: MAX_MEN }
    }
}

impl TableProbing {
    /// Most men of positions probed below the root; 0 if none is.
    pub(super) fn men_in_tree(&self, limits: &Limits) -> u32 {
        // A mate search must find a mate, not a tablebase win.
        let men = if limits.mate.is_some() { 0 } else { self.men.min(self.tables.most_men()) };
        men as u32
    }
}

/// The input of a search: position, game history, limits and settings.
///
/// ```
/// use sakmak_engine::{Limits, SearchRequest};
/// use sakmak_movegen::Position;
///
/// let request = SearchRequest::new(Position::startpos(), Limits::depth(8));
/// let three_lines = SearchRequest { multi_pv: 3, ..request };
/// ```
#[derive(Clone, Debug)]
pub struct SearchRequest {
    /// The position at the root.
    pub position: Position,
    /// Keys of the game's positions that can be repeated, the root's last.
    pub keys: Vec<u64>,
    /// Depth, nodes, moves to search, and the clock.
    pub limits: Limits,
    /// Time of the clock to set aside for each move.
    pub move_overhead: Duration,
    /// Time that moves take beyond their budget.
    pub latency: Latency,
    /// MultiPV: number of best lines to find.
    pub multi_pv: usize,
    /// Tablebases, and where to probe them.
    pub probing: TableProbing,
    /// The evaluation network.
    pub network: Arc<Network>,
    /// A file whose evaluations order the root's moves and fill the transposition table for the positions after them.
    pub evaluations: Option<Arc<Evaluations>>,
}

impl SearchRequest {
    /// A request for one line from a position without history, with no overhead or latency on the clock.
    pub fn new(position: Position, limits: Limits) -> Self {
        Self {
            keys: vec![position.key()],
            limits,
            move_overhead: Duration::ZERO,
            latency: Latency::NONE,
            position,
            multi_pv: 1,
            probing: TableProbing::default(),
            network: Arc::clone(Network::embedded()),
            evaluations: None,
        }
    }

    /// [`Self::new`] for the current position of a game, whose earlier positions can be repeated.
    pub fn of_game(game: &Game, limits: Limits) -> Self {
        Self { keys: game.keys().to_vec(), ..Self::new(game.position().clone(), limits) }
    }

    /// [`Self::of_game`] for the next move of a game that may be drawn and goes on: without the rule that drew it.
    /// Unless the search is infinite or the limits name moves, it considers only [`Game::undisputed_moves`], which
    /// every reading of Ouk Chaktrang allows.
    ///
    /// ```
    /// use sakmak_engine::{Limits, SearchRequest, Searcher};
    /// use sakmak_movegen::{Game, Rules};
    ///
    /// // Two rua mate in two moves, one too late for the count.
    /// let game = Game::from_fen("7k/8/5K2/8/8/8/R7/1R6 w - 16 17 30", Rules::default())?;
    /// let mut searcher = Searcher::new(1)?; // MiB
    /// let mut score = |request| searcher.search(&request).best().map(|best| best.score);
    /// assert_eq!(score(SearchRequest::of_game(&game, Limits::depth(6))), Some(0));
    /// assert!(score(SearchRequest::of_game_that_goes_on(&game, Limits::depth(6))) > Some(1000));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn of_game_that_goes_on(game: &Game, limits: Limits) -> Self {
        Self::from_root(RootPosition::of(game, false), game, limits)
    }

    /// [`Self::of_game_that_goes_on`] with the root position of `game`.
    pub(crate) fn from_root(root: RootPosition, game: &Game, mut limits: Limits) -> Self {
        if limits.search_moves.is_empty() && !limits.infinite && game.has_readings() {
            limits.search_moves = game.undisputed_moves().to_vec();
        }
        let RootPosition { position, keys, .. } = root;
        Self { keys, ..Self::new(position, limits) }
    }

    /// The time limits; `None` if no clock runs. Computed when the search starts.
    pub fn budget(&self) -> Option<Budget> {
        Budget::new(&self.limits, GameStage::of(&self.position), self.move_overhead, self.latency)
    }
}

/// The root of the search for the next move of a game.
pub(crate) struct RootPosition {
    pub(crate) position: Position,
    /// Keys of the positions that can be repeated, the current one last.
    pub(crate) keys: Vec<u64>,
    /// The draw that has ended the game under our rules. A GUI that requests a move nevertheless has other rules, so
    /// the search ignores the rule of this draw.
    pub(crate) ignored: Option<DrawReason>,
}

impl RootPosition {
    /// The root of a search in the current position of a game; with `ignores_count`, without counting rules.
    pub(crate) fn of(game: &Game, ignores_count: bool) -> Self {
        let (mut position, mut keys) = (game.position().clone(), game.keys().to_vec());
        let mut rules = *position.rules();
        let ignored = match game.outcome_here() {
            Some(Outcome::Draw(reason)) if position.has_legal_move() => Some(reason),
            _ => None,
        };
        match ignored {
            None | Some(DrawReason::Stalemate) => {}
            // Without the earlier occurrences there is nothing to repeat.
            Some(DrawReason::Repetition) => keys = vec![position.key()],
            Some(DrawReason::DeadMaterial) => {
                rules.dead_material = DeadMaterial::None;
            }
            Some(_) => rules.counting = CountingSystem::None,
        }
        if ignores_count {
            rules.counting = CountingSystem::None;
        }
        if rules != *position.rules() {
            position.set_rules(rules);
        }
        if ignores_count {
            position.set_count(Count::default());
        }
        Self { position, keys, ignored }
    }
}

/// Rules and network with which a transposition table and histories were filled; under others their contents are
/// wrong.
pub(crate) struct Learnt {
    pub(crate) rules: PlayRules,
    network: Arc<Network>,
}

impl Learnt {
    pub(crate) fn new(rules: PlayRules, network: &Arc<Network>) -> Self {
        Self { rules, network: Arc::clone(network) }
    }

    /// Sets the rules and network of the next search. Returns whether transposition table and histories are wrong for
    /// it: with another network, or with other rules unless `fits_rules`.
    pub(crate) fn replace(&mut self, rules: PlayRules, network: &Arc<Network>, fits_rules: bool) -> bool {
        let before = std::mem::replace(self, Self::new(rules, network));
        !Arc::ptr_eq(&before.network, network) || before.rules != rules && !fits_rules
    }
}
