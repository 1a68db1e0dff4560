//! The search: mates, draws, the count, limits, and repeatability.

use std::sync::Arc;
use std::sync::mpsc::{Sender, channel};

use sakmak_engine::score::{Score, is_mate};
use sakmak_engine::tt::{Bound, Entry};
use sakmak_engine::{Engine, EngineSettings, Limits, Listener, SearchInfo, SearchRequest, SearchResult};
use sakmak_eval::Evaluator;
use sakmak_eval::network::features::{INPUTS, OUTPUT_BUCKETS};
use sakmak_eval::network::{Network, WIDTH};
use sakmak_movegen::{Color, Game, Move, Outcome, Position};
use sakmak_tests::dtm_tables;

/// The result and the reports of a search.
struct Searched {
    result: SearchResult,
    infos: Vec<SearchInfo>,
}

impl Searched {
    fn score(&self) -> Score {
        Score::from_search(self.result.best().expect("a legal move").score)
    }

    fn best(&self) -> String {
        self.result.best().expect("a legal move").mv.to_string()
    }
}

fn search_with(fen: &str, limits: &Limits, multi_pv: usize) -> Searched {
    let position = Position::from_fen(fen).expect("a valid FEN");
    let request = SearchRequest { multi_pv, ..SearchRequest::new(position, limits.clone()) };
    let mut infos = Vec::new();
    let mut searcher = sakmak_tests::searcher(16);
    let result = searcher.search_with(&request, &mut |info: &SearchInfo| infos.push(info.clone()));
    Searched { result, infos }
}

/// Forwards the reports of an engine.
struct Collector {
    infos: Sender<SearchInfo>,
    best: Sender<Option<Move>>,
}

impl Listener for Collector {
    fn info(&mut self, info: &SearchInfo) {
        self.infos.send(info.clone()).expect("a receiver");
    }
    fn warn(&mut self, message: &str) {
        panic!("{message}");
    }
    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.best.send(best).expect("a receiver");
    }
}

/// The move and the infos of a search with these settings.
fn search_by(settings: EngineSettings, fen: &str, limits: Limits) -> (Option<Move>, Vec<SearchInfo>) {
    let mut engine = Engine::new(settings).expect("memory");
    assert_eq!(engine.set_game(Some(fen), []), []);
    let (infos_sender, infos) = channel();
    let (best_sender, best) = channel();
    assert_eq!(engine.go(limits, Collector { infos: infos_sender, best: best_sender }), []);
    engine.join();
    let best: Vec<_> = best.iter().collect();
    assert_eq!(best.len(), 1, "one answer");
    (best[0], infos.iter().collect())
}

fn search(fen: &str, depth: u32) -> Searched {
    search_with(fen, &Limits::depth(depth), 1)
}

/// With a network of zeros every thread must score all positions as level.
#[test]
fn all_threads_use_the_network_of_the_settings() {
    let zeros = |count| vec![0; count];
    let outputs = zeros(OUTPUT_BUCKETS * 2 * WIDTH);
    let bytes =
        Network::to_bytes("zeros", &zeros(INPUTS * WIDTH), &zeros(WIDTH), &outputs, &[0; OUTPUT_BUCKETS]);
    let network = Arc::new(Network::from_bytes(&bytes).expect("a network"));
    let settings = EngineSettings { threads: 4, hash_mb: 16, network, ..EngineSettings::default() };
    let start = Position::startpos().to_string();
    let (_, infos) = search_by(settings, &start, Limits::depth(9));
    assert!(infos.len() >= 9, "{infos:?}");
    for info in infos {
        assert_eq!(info.score, Score::Centipawns(0), "{info:?}");
    }
}

#[test]
fn short_mates_are_found_and_counted_in_moves() {
    for (fen, depth, mate, best) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", 3, 1, Some("a1a8")),
        ("8/8/8/8/8/1k6/7r/K7 b - - 0 1", 3, 1, None),
        ("4k3/8/4K3/8/8/8/R7/8 w - - 0 1", 3, 1, Some("a2a8")),
        ("3k4/8/8/3K4/8/8/8/R6R w - - 0 1", 7, 2, None),
    ] {
        let position = Position::from_fen(fen).expect("a valid FEN");
        let searched = search(fen, depth);
        let Score::Mate(found) = searched.score() else {
            // Also fails for a position of the list without a mate.
            panic!("{fen}: {:?}\n{}", searched.score(), position.diagram());
        };
        assert_eq!(found, mate, "{fen}");
        if let Some(best) = best {
            assert_eq!(searched.best(), best, "{fen}");
        }
        let settings = EngineSettings { threads: 4, hash_mb: 16, ..EngineSettings::default() };
        let (_, infos) = search_by(settings, fen, Limits::depth(depth + 2));
        assert_eq!(infos.last().expect("a line").score, Score::Mate(mate), "{fen}: several threads");
    }
}

/// The same pieces in turn with and without enough plies for the mate, with one TT: neither win nor draw may be taken
/// from the other count.
#[test]
fn the_table_keeps_counts_apart() {
    let mut searcher = sakmak_tests::searcher(16);
    for (count, expected) in [
        ("16 1", Score::Mate(2)),
        ("16 15", Score::Centipawns(0)),
        ("16 13", Score::Mate(2)),
        ("16 17", Score::Centipawns(0)),
    ] {
        let position =
            Position::from_fen(&format!("7k/8/5K2/8/8/8/R7/1R6 w - {count} 30")).expect("a valid FEN");
        let result = searcher.search(&SearchRequest::new(position, Limits::depth(8)));
        assert_eq!(Score::from_search(result.best().expect("a move").score), expected, "{count}");
    }
}

/// The score of `searchmoves`, or of a game that is over, is not the score of the position.
#[test]
fn the_root_is_not_stored_in_the_table() {
    let fen = "r2mk2r/1s1n1s2/p1p2np1/3pp2p/1P1PP1P1/2N2S1P/2SM1N2/R3K2R w - - 0 14";
    let position = Position::from_fen(fen).expect("a valid FEN");
    let mut searcher = sakmak_tests::searcher(1);
    let mv = position.parse_move("a1a2").expect("a move");
    let limits = Limits { search_moves: vec![mv], ..Limits::depth(5) };
    searcher.search(&SearchRequest::new(position.clone(), limits));
    let tt = searcher.tt();
    assert_eq!(tt.probe(position.tt_key()), None);
    let mut next = position.clone();
    next.play_unchecked(mv);
    assert!(tt.probe(next.tt_key()).is_some());
}

#[test]
fn dead_material_and_stalemate_are_draws() {
    for fen in ["4k3/8/8/8/8/8/8/3NK3 w - - 0 1", "4k3/8/8/8/8/8/8/2M1K3 b - - 0 1"] {
        assert_eq!(search(fen, 6).score(), Score::Centipawns(0), "{fen}");
    }
    // The rua must not capture the bia: that would be stalemate.
    let stalemate_or_win = search("k7/2R5/8/1R6/8/8/7p/7K w - - 0 1", 10);
    assert!(is_mate(stalemate_or_win.result.best().expect("a move").score));
}

#[test]
fn every_reported_line_is_legal() {
    for fen in sakmak_engine::bench::POSITIONS {
        let searched = search_with(fen, &Limits::depth(8), 3);
        let lines = Position::from_fen(fen).expect("a valid FEN").legal_moves().len().min(3);
        assert_eq!(searched.infos.len(), 8 * lines, "{fen}");
        for info in &searched.infos {
            let mut position = Position::from_fen(fen).expect("a valid FEN");
            for &mv in &info.line {
                assert!(position.is_legal(mv), "{fen}: {mv} in {:?}", info.line);
                position.play_unchecked(mv);
            }
        }
        for lines in searched.infos.chunks(lines) {
            let scores: Vec<_> = lines.iter().map(|info| info.score).collect();
            assert!(lines.iter().enumerate().all(|(i, info)| info.multi_pv == i + 1), "{fen}");
            let worth = |score: &Score| match *score {
                Score::Centipawns(cp) => cp,
                Score::Mate(moves) if moves > 0 => 100_000 - moves,
                Score::Mate(moves) => -100_000 - moves,
            };
            assert!(scores.is_sorted_by_key(|score| -worth(score)), "{fen}: {scores:?}");
        }
    }
}

#[test]
fn limits_are_kept() {
    let start = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";
    for nodes in [1, 100, 20_000] {
        let limits = Limits { nodes: Some(nodes), ..Limits::default() };
        let searched = search_with(start, &limits, 1);
        assert!(searched.result.nodes <= nodes + 1_024, "{nodes}: {}", searched.result.nodes);
        assert!(!searched.infos.is_empty(), "there is a line to show");
    }
    let only = Position::startpos().parse_move("h3h4").expect("a legal move");
    let limits = Limits { depth: Some(5), search_moves: vec![only], ..Limits::default() };
    assert_eq!(search_with(start, &limits, 4).best(), "h3h4");

    let limits = Limits { mate: Some(1), ..Limits::default() };
    let searched = search_with("7k/8/6K1/8/8/8/8/R7 w - - 0 1", &limits, 1);
    assert!(searched.result.depth < 10);
    assert_eq!(searched.score(), Score::Mate(1));
}

/// The side that mates by this score, and the number of its moves.
fn announced_mate(score: i32, side_to_move: Color) -> Option<(Color, i32)> {
    match Score::from_search(score) {
        Score::Mate(moves) if moves > 0 => Some((side_to_move, moves)),
        Score::Mate(moves) => Some((!side_to_move, -moves)),
        Score::Centipawns(_) => None,
    }
}

/// Plays out the mate that a search of `start` announces, against the best defence by the search, in at most the
/// announced moves. Returns the side that mates; `None` if no mate is announced.
fn delivered_mate(start: &Position, searcher: &mut sakmak_engine::Searcher) -> Option<Color> {
    searcher.clear();
    let mut game = Game::from_fen(&start.to_string(), *start.rules()).expect("a valid FEN");
    let mut left = None;
    while game.outcome().is_none() {
        let side = game.position().side_to_move();
        let mut search = |depth| {
            let result = searcher.search(&SearchRequest::of_game(&game, Limits::depth(depth)));
            let best = result.best().expect("a legal move");
            announced_mate(best.score, side).map(|(winner, moves)| (winner, moves, best.mv))
        };
        let found = match left {
            None => search(8)?,
            // A search of the same depth may prune the mate.
            Some((before, most)) => [8, 12, 16]
                .into_iter()
                .filter_map(search)
                .find(|&(winner, moves, _)| winner == before && moves <= most)
                .unwrap_or_else(|| panic!("{start}: no mate in {most} by {before}: {}", game.position())),
        };
        let (winner, moves, mv) = found;
        left = Some((winner, moves - i32::from(winner == side)));
        game.play(mv).expect("a legal move");
    }
    let (winner, _) = left?;
    assert_eq!(game.outcome(), Some(Outcome::Win(winner)), "{start}");
    Some(winner)
}

#[test]
fn announced_mates_are_delivered() {
    let mut rng = sakmak_tests::walk::rng(7);
    let mut searcher = sakmak_tests::searcher(16);
    let (mut delivered, mut against) = (0, 0);
    for pieces in ["KRRk", "KRRNkm", "KRRMkr", "KRRSkp", "KRNMk", "KRSSkm", "krrKN", "krrnKS"] {
        for _ in 0..60 {
            let start = sakmak_tests::walk::scatter(&mut rng, pieces);
            if let Some(winner) = delivered_mate(&start, &mut searcher) {
                delivered += 1;
                against += usize::from(winner != start.side_to_move());
            }
        }
    }
    assert!(delivered > 80 && against > 30, "{delivered} mates, {against} announced by the side to be mated");
}

#[test]
fn several_threads_find_several_lines() {
    let fen = "r2mk2r/1s1n1s2/p1p2np1/3pp2p/1P1PP1P1/2N2S1P/2SM1N2/R3K2R w - - 0 14";
    let settings = EngineSettings { threads: 3, multi_pv: 3, hash_mb: 16, ..EngineSettings::default() };
    let (best, infos) = search_by(settings, fen, Limits::depth(9));
    let position = Position::from_fen(fen).expect("a valid FEN");
    // A slow search also reports bounds; where a helper's result is played, its line comes last, alone.
    let exact: Vec<_> = infos.iter().filter(|info| info.bound == Bound::Exact).collect();
    let reports: Vec<_> = exact.chunk_by(|one, next| one.multi_pv < next.multi_pv).collect();
    for lines in &reports {
        assert!(lines.iter().enumerate().all(|(i, info)| info.multi_pv == i + 1), "{lines:?}");
        let mut first: Vec<_> = lines.iter().map(|info| info.line[0].to_string()).collect();
        first.sort_unstable();
        first.dedup();
        assert_eq!(first.len(), lines.len(), "{lines:?}");
        for info in *lines {
            info.line.iter().fold(position.clone(), |position, &mv| {
                assert!(position.is_legal(mv), "{mv} in {:?}", info.line);
                sakmak_tests::after(&position, mv)
            });
        }
    }
    assert!(reports[..9].iter().all(|lines| lines.len() == 3), "{reports:?}");
    let last = reports.last().expect("a report")[0];
    assert_eq!((last.depth, best), (9, Some(last.line[0])), "the first line is that of the move");
}

/// A null move does not tick the count, so none is tried where the count may run out.
#[test]
fn no_null_move_near_the_end_of_a_count() {
    let passes = |ply: u32| {
        let fen = format!("2rsk3/1n6/3mm3/8/8/3MM3/1N2R3/2SK4 w - 128 {ply} 100");
        let position = Position::from_fen(&fen).expect("a FEN");
        let mut searcher = sakmak_tests::searcher(16);
        searcher.search(&SearchRequest::new(position.clone(), Limits::depth(10)));
        let quiet = |position: &Position| -> Vec<Position> {
            let moves = position.legal_moves().into_iter().filter(|&mv| !position.is_capture(mv));
            moves.map(|mv| sakmak_tests::after(position, mv)).filter(|next| !next.in_check()).collect()
        };
        let below = quiet(&position).iter().flat_map(quiet).collect::<Vec<_>>();
        let is_passed = |position: &&Position| {
            let mut pass = Position::clone(position);
            pass.play_null();
            searcher.tt().probe(pass.tt_key()).is_some()
        };
        below.iter().filter(is_passed).count()
    };
    assert!(passes(10) > 10, "{} null moves", passes(10));
    assert_eq!(passes(90), 0);
}

#[test]
fn no_legal_move_is_no_search() {
    let mated = "R6k/8/6K1/8/8/8/8/8 b - - 0 1";
    let searched = search_with(mated, &Limits::default(), 1);
    assert!(searched.result.best().is_none() && searched.infos.is_empty());
    let settings = EngineSettings { threads: 2, hash_mb: 16, ..EngineSettings::default() };
    let (best, infos) = search_by(settings, mated, Limits::default());
    assert!(best.is_none() && infos.is_empty());
}

/// Nearly every move draws by the count here, and pruning must not skip the one that mates.
#[test]
fn a_mate_on_the_last_plies_of_a_count_is_seen_at_once() {
    for (fen, best) in
        [("8/r6k/8/6SK/3R4/8/8/8 w - 128 125 100", "g5g6"), ("8/r6k/8/6SK/3R4/8/8/8 w - 128 126 100", "g5g6")]
    {
        let searched = search(fen, 4);
        assert_eq!((searched.score(), searched.best().as_str()), (Score::Mate(2), best), "{fen}");
    }
}

/// The static evaluation in a TT entry does not depend on the path to the position, even through a null move.
#[test]
fn stored_evaluations_do_not_depend_on_the_path() {
    let (mut found, mut passed) = (0, 0);
    for fen in [
        "r2mk2r/1s1n1s2/p1p2np1/3pp2p/1P1PP1P1/2N2S1P/2SM1N2/R3K2R w - - 0 14",
        // Without bia the evaluation depends on the plies left by the count.
        "2rsk3/1n6/3mm3/8/8/3MM3/1N2R3/2SK4 w - 128 10 60",
        "2rsk3/1n1s4/3m4/8/4p3/3M4/1N1SR3/2SK4 b - - 10 60",
    ] {
        let position = Position::from_fen(fen).expect("a FEN");
        let mut searcher = sakmak_tests::searcher(64);
        searcher.search(&SearchRequest::new(position.clone(), Limits::depth(11)));
        let tt = searcher.tt();
        let mut evaluator = Evaluator::new(dtm_tables());
        evaluator.solve_missing_tables(true);
        let mut check = |position: &Position, count: &mut u32| {
            let exact = position.count().remaining().is_none_or(|plies| plies < 48);
            if let Some(entry) = tt.probe(position.tt_key()).filter(|entry| entry.eval != Entry::NO_EVAL) {
                let eval = evaluator.evaluate(position);
                // From 48 plies left on, sixteen counts share an entry.
                let most = if exact { 0 } else { eval.abs() / 4 + 2 };
                assert!((entry.eval - eval).abs() <= most, "{} for {eval}: {position}", entry.eval);
                *count += 1;
            }
        };
        let after = |position: &Position| -> Vec<Position> {
            position.legal_moves().into_iter().map(|mv| sakmak_tests::after(position, mv)).collect()
        };
        let mut positions = vec![position.clone()];
        for _ in 0..3 {
            positions = positions.iter().flat_map(after).collect();
            for position in positions.iter().filter(|position| !position.in_check()) {
                check(position, &mut found);
                let mut pass = position.clone();
                pass.play_null();
                check(&pass, &mut passed);
            }
        }
    }
    assert!(found > 1_000 && passed > 50, "{found} evaluations, {passed} after a pass");
}
