//! Fast self-play games under different rules, with the debug assertions of the development profile: no panic, no
//! illegal move, and every game ends by the rules.

use std::path::Path;

use sakmak_dataset::games::{DrawAdjudication, Filter, Header, Reader, Run};
use sakmak_eval::tablebase::Tablebases;
use sakmak_movegen::{Rules, Ruleset, Variant};
use sakmak_training::datagen::{DataStatistics, GenerateJob};

/// Games per set of rules.
const GAMES: u64 = 50;

/// Few nodes and no draw adjudication: most games end by the rules.
fn run(seed: u64) -> Run {
    Run {
        engine: "test".to_owned(),
        signature: 0,
        seed,
        nodes: 40,
        max_nodes: 160,
        hash_mb: 1,
        random_plies: 6,
        max_opening: 1_000,
        mate_plies: 8,
        max_plies: 300,
        draw: Some(DrawAdjudication { ply: 120, count: 40, score: 0 }),
        tablebases: Vec::new(),
    }
}

fn play_and_check(rules: Rules, seed: u64) {
    let directory = tempfile::tempdir().expect("a directory");
    let path = directory.path().join("games");
    let header = Header { rules, runs: vec![run(seed)], imports: Vec::new() };
    let tablebases = Tablebases::default();
    let job = GenerateJob {
        header: &header,
        games: GAMES,
        threads: 2,
        path: &path,
        resume: false,
        tablebases: &tablebases,
    };
    let progress = job.run(&mut |_| ()).unwrap_or_else(|error| panic!("{rules}: {error}"));
    assert_eq!(progress.games, GAMES, "{rules}");

    // The reader refuses illegal moves, the statistics refuse ends that contradict the rules.
    let games = Reader::open(&path).expect("a header").collect::<Result<Vec<_>, _>>();
    let games = games.unwrap_or_else(|error| panic!("{rules}: {error}"));
    assert_eq!(games.len() as u64, GAMES, "{rules}");
    let by_the_rules = games.iter().filter(|game| !game.reason.is_adjudication()).count();
    assert!(by_the_rules > 0, "{rules}: no game came to an end");
    let mut statistics = DataStatistics::new(Filter::ALL);
    let mut no_cut = |_: &Path, error: &_| panic!("{error}");
    statistics.add_file(&path, true, &mut no_cut).unwrap_or_else(|error| panic!("{rules}: {error}"));
}

#[test]
fn fast_games_are_legal_and_end_by_the_rules() {
    let rules = [
        Rules::default(),
        Rules::new(Variant::Makruk, Ruleset::Wikipedia),
        Rules::new(Variant::Makruk, Ruleset::CuteChess),
        Rules::new(Variant::Cambodian, Ruleset::FairyStockfish),
    ];
    for (rules, seed) in rules.into_iter().zip(1..) {
        play_and_check(rules, seed);
    }
}
