//! A search on the calling thread.

use std::sync::Arc;
use std::sync::atomic::Ordering::SeqCst;

use sakmak_eval::DtmTables;
use web_time::Instant;

use super::report::{Listener, SearchInfo, SearchResult};
use super::request::{Learnt, SearchRequest};
use super::shared::Signals;
use super::team::Team;
use super::worker::Worker;
use crate::tt::{HashAllocationError, TranspositionTable};

/// Searches on the calling thread, with a transposition table of its own.
///
/// Under other rules or with another network than before, a search begins cleared.
///
/// A new or cleared searcher takes the same number of nodes for the same request, unless time ends the search.
///
/// ```
/// use sakmak_engine::score::Score;
/// use sakmak_engine::{Limits, SearchInfo, SearchRequest, Searcher};
/// use sakmak_movegen::Position;
///
/// // Two rua against a bare khun, with 15 plies left by the count.
/// let position = Position::from_fen("7k/8/5K2/8/8/8/R7/1R6 w - 16 1 30")?;
/// let mut searcher = Searcher::new(16)?; // MiB
/// let request = SearchRequest::new(position, Limits::depth(8));
/// let result = searcher.search_with(&request, &mut |info: &SearchInfo| {
///     println!("depth {}: {} for the side to move", info.depth, info.score);
/// });
/// let best = result.best().ok_or("no legal move")?;
/// assert_eq!(Score::from_search(best.score), Score::Mate(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct Searcher {
    tt: Arc<TranspositionTable>,
    worker: Worker,
    signals: Arc<Signals>,
    /// Rules and network of the searches so far; `None` before the first.
    learnt: Option<Learnt>,
}

impl Searcher {
    /// A searcher with a transposition table of `hash_mb` MiB.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new(hash_mb: usize) -> Result<Self, HashAllocationError> {
        let worker = Worker::new(&DtmTables::default());
        let tt = Arc::new(TranspositionTable::new(hash_mb)?);
        Ok(Self { tt, worker, signals: Arc::default(), learnt: None })
    }

    /// A searcher that shares these DTM tables, so that none is solved twice.
    pub fn with_dtm_tables(self, tables: &DtmTables) -> Self {
        Self { worker: Worker::new(tables), ..self }
    }

    /// A searcher that is stopped by these signals.
    pub(crate) fn with_signals(self, signals: Arc<Signals>) -> Self {
        Self { signals, ..self }
    }

    /// Clears the transposition table and the histories.
    pub fn clear(&mut self) {
        self.change_tt(|tt| tt.clear(1));
        self.worker.clear_histories();
    }

    /// The signals by which another thread, or the listener, ends the search. They are reset when it has ended.
    pub fn signals(&self) -> Arc<Signals> {
        Arc::clone(&self.signals)
    }

    /// The transposition table.
    pub fn tt(&self) -> &TranspositionTable {
        &self.tt
    }

    /// Changes the transposition table, which has no other owner between searches.
    fn change_tt(&mut self, change: impl FnOnce(&mut TranspositionTable)) {
        if let Some(tt) = Arc::get_mut(&mut self.tt) {
            change(tt);
        }
    }

    /// A new search, which starts now.
    fn team(&mut self, mut request: SearchRequest) -> Team {
        let rules = *request.position.rules();
        let learnt = self.learnt.get_or_insert_with(|| Learnt::new(rules, &request.network));
        if learnt.replace(rules, &request.network, false) {
            self.clear();
        }
        self.change_tt(TranspositionTable::new_search);
        let pairs = self.worker.evaluator.tables();
        request.probing.tables =
            request.probing.tables.with_pairs(pairs, false).stopped_by(&self.signals.stop);
        Team::new(request, Instant::now(), Arc::clone(&self.tt), self.signals(), None, 1)
    }

    /// Searches without reports.
    pub fn search(&mut self, request: &SearchRequest) -> SearchResult {
        self.search_with(request, &mut |_: &SearchInfo| ())
    }

    /// Searches, and reports every finished iteration to `listener`.
    pub fn search_with(&mut self, request: &SearchRequest, listener: &mut dyn Listener) -> SearchResult {
        let result = self.team(request.clone()).search(&mut self.worker, listener);
        self.signals.stop.store(false, SeqCst);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::time::{Budget, Limits};
    use sakmak_movegen::{Game, Position, Rules};
    use std::time::Duration;

    const MIDDLEGAME: &str = "r1smk2r/3n1s2/ppp1pnpp/3p1p2/3P1P2/PPP1PNPP/3NS3/R1SKM2R w - - 0 7";

    fn request(limits: Limits) -> SearchRequest {
        SearchRequest::new(Position::from_fen(MIDDLEGAME).unwrap(), limits)
    }

    /// The result of a search in slices of `nodes` nodes, and how often it paused.
    fn in_parts(searcher: &mut Searcher, request: SearchRequest, nodes: u64) -> (SearchResult, u64) {
        let team = searcher.team(request);
        team.begin(&mut searcher.worker);
        let mut pauses = 0;
        loop {
            match team.advance(&mut searcher.worker, nodes, &mut |_: &SearchInfo| ()) {
                Some(result) => {
                    searcher.signals.stop.store(false, SeqCst);
                    return (result, pauses);
                }
                None => pauses += 1,
            }
        }
    }

    #[test]
    fn a_search_in_parts_comes_as_far_with_little_more_work() {
        for multi_pv in [1, 3] {
            let request = SearchRequest { multi_pv, ..request(Limits::depth(11)) };
            let whole = Searcher::new(16).unwrap().search(&request);
            let (parts, pauses) = in_parts(&mut Searcher::new(16).unwrap(), request, 8 * 1024);
            assert_eq!(parts.depth, whole.depth);
            assert_eq!(parts.moves.len(), whole.moves.len());
            assert!(pauses >= whole.nodes / (16 * 1024), "{pauses} pauses in {} nodes", parts.nodes);
            // The trees differ, as with different contents of the TT; this bounds the nodes searched twice.
            assert!(parts.nodes < whole.nodes * 3 / 2, "{} nodes, {} in one", parts.nodes, whole.nodes);
        }
    }

    #[test]
    fn a_search_in_one_slice_is_that_without_slices() {
        let request = SearchRequest { multi_pv: 2, ..request(Limits::depth(10)) };
        let whole = Searcher::new(16).unwrap().search(&request);
        let (sliced, pauses) = in_parts(&mut Searcher::new(16).unwrap(), request, u64::MAX - 1);
        assert_eq!(pauses, 0);
        assert_eq!(format!("{:?}", sliced.moves), format!("{:?}", whole.moves));
        assert_eq!((sliced.nodes, sliced.depth), (whole.nodes, whole.depth));
    }

    #[test]
    fn slices_are_small_and_find_the_same_move() {
        // A short mate: move and score do not depend on the tree.
        let position = Position::from_fen("3k4/8/8/3K4/8/8/8/R6R w - - 0 1").unwrap();
        let request = SearchRequest::new(position, Limits::depth(9));
        let whole = Searcher::new(1).unwrap().search(&request);
        for nodes in [1, 100, 3_000] {
            let mut searcher = Searcher::new(1).unwrap();
            let team = searcher.team(request.clone());
            team.begin(&mut searcher.worker);
            let mut before = 0;
            let result = loop {
                let result = team.advance(&mut searcher.worker, nodes, &mut |_: &SearchInfo| ());
                // A search pauses where it checks the limits, every 1,024 nodes.
                let searched = searcher.worker.nodes - before;
                assert!(searched <= nodes.next_multiple_of(1_024) + 1_024, "{searched} of {nodes}");
                before = searcher.worker.nodes;
                if let Some(result) = result {
                    break result;
                }
            };
            let [found, expected] = [&result, &whole].map(|result| result.best().unwrap());
            assert_eq!((found.score, found.mv), (expected.score, expected.mv), "{nodes}");
            assert_eq!(result.depth, whole.depth);
        }
    }

    #[test]
    fn a_search_on_a_clock_ends_between_the_limits_of_its_budget() {
        let clock = Limits { clock: [Some(3_000); 2], ..Limits::default() };
        for limits in [clock, Limits::move_time(Duration::from_millis(60))] {
            let request = request(limits);
            let budget = request.budget().unwrap();
            let mut searcher = Searcher::new(16).unwrap();
            let whole = searcher.search(&request);
            let sliced = in_parts(&mut searcher, request, 5_000).0;
            for result in [whole, sliced] {
                // Stability may shorten the soft limit. Delays of a busy machine show as a stall.
                assert!(result.ended >= budget.soft / 8, "{:?} of {budget:?}", result.ended);
                let latest = budget.hard + result.longest_stall + Duration::from_secs(2);
                assert!(result.ended <= latest, "{:?} of {budget:?}", result.ended);
            }
        }
    }

    #[test]
    fn a_request_made_early_or_used_twice_has_all_of_its_time() {
        let early = request(Limits::depth(3));
        let request = SearchRequest { limits: Limits::move_time(Duration::from_millis(100)), ..early };
        let time = Duration::from_millis(100);
        assert_eq!(request.budget(), Some(Budget { soft: time, hard: time }));
        let mut searcher = Searcher::new(16).unwrap();
        for search in 0..3 {
            let result = searcher.search(&request);
            assert!(result.ended >= time, "search {search}: {:?}", result.ended);
        }
    }

    #[test]
    fn no_iteration_begins_after_the_soft_nodes() {
        let soft = Limits { soft_nodes: Some(5_000), ..Limits::nodes(1_000_000) };
        let result = Searcher::new(16).unwrap().search(&request(soft));
        // The same by hand.
        let mut searcher = Searcher::new(16).unwrap();
        let signals = searcher.signals();
        let expected = searcher.search_with(&request(Limits::nodes(1_000_000)), &mut |info: &SearchInfo| {
            signals.stop.fetch_or(info.nodes >= 5_000, SeqCst);
        });
        assert_eq!((result.nodes, result.depth), (expected.nodes, expected.depth));
        assert!(result.nodes >= 5_000);
    }

    /// Two rua mate too late for a count, and in time without one.
    #[test]
    fn what_was_learnt_under_other_rules_is_forgotten() {
        let game = Game::from_fen("7k/8/5K2/8/8/8/R7/1R6 w - 16 17 30", Rules::default()).unwrap();
        let mut searcher = Searcher::new(1).unwrap();
        let counted = SearchRequest::of_game(&game, Limits::depth(6));
        let uncounted = SearchRequest::of_game_that_goes_on(&game, Limits::depth(6));
        for _ in 0..2 {
            assert_eq!(searcher.search(&counted).best().unwrap().score, 0);
            assert!(crate::score::is_mate(searcher.search(&uncounted).best().unwrap().score));
        }
    }

    #[test]
    fn limits_are_those_of_the_whole_search() {
        let mut searcher = Searcher::new(1).unwrap();
        let (result, pauses) = in_parts(&mut searcher, request(Limits::nodes(40_000)), 4 * 1024);
        assert!((40_000..41_100).contains(&result.nodes), "{}", result.nodes);
        assert!(pauses >= 8, "{pauses}");
        // A mate ends a search on a clock, in slices too.
        let mate = Position::from_fen("3k4/8/8/3K4/8/8/8/R6R w - - 0 1").unwrap();
        let clock = Limits { clock: [Some(600_000); 2], ..Limits::default() };
        let (result, _) = in_parts(&mut searcher, SearchRequest::new(mate, clock), 1024);
        assert!(crate::score::is_mate(result.best().unwrap().score));
    }

    /// Khon and met, and rua and bia, against a bare khun.
    const ENDINGS: [&str; 2] = ["2K5/8/8/1S4M1/8/4k3/8/8 w - - 0 1", "8/8/4k3/4P3/8/8/3K4/7R w - - 0 1"];

    /// A search that solves the endings it needs, and the DTM tables it solves.
    fn solving(fen: &str, depth: u32) -> (Searcher, SearchRequest, DtmTables) {
        let pairs = DtmTables::default();
        let searcher = Searcher::new(1).unwrap().with_dtm_tables(&pairs);
        let mut request = SearchRequest::new(Position::from_fen(fen).unwrap(), Limits::depth(depth));
        request.probing.tables = request.probing.tables.solving();
        (searcher, request, pairs)
    }

    fn essence(result: &SearchResult) -> (u64, u32, i32, Vec<String>) {
        let best = result.best().unwrap();
        (result.nodes, result.depth, best.score, best.line.iter().map(ToString::to_string).collect())
    }

    #[test]
    fn a_stop_ends_a_search_that_waits_for_an_ending_which_is_then_solved_by_the_next() {
        for fen in ENDINGS {
            let (mut searcher, request, pairs) = solving(fen, 8);
            searcher.signals().stop.store(true, SeqCst);
            let stopped = searcher.search(&request);
            assert!(request.position.is_legal(stopped.best().unwrap().mv), "{fen}");
            assert!(stopped.depth < 8, "{fen}");
            assert_eq!(pairs.solved(), 0, "{fen}");
            let tables = sakmak_eval::tablebase::Tablebases::default().with_pairs(&pairs, false);
            assert!(tables.probe(&request.position).is_none(), "{fen}");

            searcher.clear();
            let warm = searcher.search(&request);
            searcher.clear();
            let warmer = searcher.search(&request);
            let (mut searcher, request, pairs) = solving(fen, 8);
            let new = searcher.search(&request);
            assert_eq!(essence(&warm), essence(&new), "{fen}");
            assert_eq!(essence(&warmer), essence(&new), "{fen}");
            // Only those that were asked for.
            assert!((1..DtmTables::COUNT).contains(&pairs.solved()), "{fen}: {}", pairs.solved());
        }
    }

    #[test]
    fn a_search_in_parts_solves_an_ending_in_parts_and_can_be_stopped_meanwhile() {
        let mut silent = |_: &SearchInfo| ();
        let (mut searcher, mut request, pairs) = solving(ENDINGS[0], 8);
        let team = searcher.team(request.clone());
        team.begin(&mut searcher.worker);
        assert!(team.advance(&mut searcher.worker, 1_000, &mut silent).is_none());
        assert!(searcher.worker.awaits_tables());
        searcher.signals().stop.store(true, SeqCst);
        let stopped = team.advance(&mut searcher.worker, 1_000, &mut silent).unwrap();
        assert!(request.position.is_legal(stopped.best().unwrap().mv));
        assert_eq!(pairs.solved(), 0);

        // Rua against maa, and rua and met, where the capture leads to an ending that only the search meets.
        for fen in [ENDINGS[0], ENDINGS[1], "8/8/3k4/2n5/8/4M3/3K3R/8 b - - 0 1"] {
            request.position = Position::from_fen(fen).unwrap();
            request.keys = vec![request.position.key()];
            let exact = solving(fen, 8).0.search(&request);
            let mut searcher = Searcher::new(1).unwrap();
            let team = searcher.team(request.clone());
            team.begin(&mut searcher.worker);
            let mut slices = 0;
            let result = loop {
                match team.advance(&mut searcher.worker, 1_000_000, &mut silent) {
                    Some(result) => break result,
                    None => slices += usize::from(searcher.worker.awaits_tables()),
                }
            };
            assert!(slices > 10, "{fen}: {slices} slices");
            assert_eq!(result.depth, 8, "{fen}");
            assert_eq!(result.best().unwrap().score, exact.best().unwrap().score, "{fen}");
        }
    }
}
