//! Play with tablebases: the engine keeps the tablebase result, to the ply.
//!
//! `SAKMAK_TABLES` names a folder of tablebases to use instead of building some, and `SAKMAK_PLAYOUTS` the number of
//! games of each test.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use rand::RngExt;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use sakmak_engine::score::{MATE, Score, TB_WIN};
use sakmak_engine::search::TableProbing;
use sakmak_engine::uci::Output;
use sakmak_engine::{Limits, SearchRequest};
use sakmak_eval::tablebase::{Ending, Tablebases, Value};
use sakmak_movegen::{Color, Count, Move, Outcome, PieceKind, Position};
use sakmak_tests::{position, run_uci, searcher};
use sakmak_tools::tablebase::{build_missing, build_order};

/// The tablebases that the tests build: with a count, with the board's honour, and with bia.
const BUILT: [&str; 3] = ["KSMvK", "KRvKM", "KRBvK"];

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    if let Some(folder) = std::env::var_os("SAKMAK_TABLES") {
        return PathBuf::from(folder);
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("tablebases");
    let endings = BUILT.map(|name| name.parse::<Ending>().unwrap());
    build_missing(&build_order(&endings), &folder, 2, &|_| ()).unwrap();
    folder
});

static TABLES: LazyLock<Tablebases> = LazyLock::new(|| {
    let (tables, errors) = Tablebases::open([&*FOLDER]);
    assert!(errors.is_empty(), "{errors:?}");
    tables
});

fn playouts() -> usize {
    std::env::var("SAKMAK_PLAYOUTS").ok().and_then(|number| number.parse().ok()).unwrap_or(24)
}

/// A player of one side.
type Player<'a> = dyn FnMut(&Position) -> Move + 'a;

/// The engine with tablebases and `nodes` nodes a move.
fn engine(nodes: u64) -> impl FnMut(&Position) -> Move {
    let mut searcher = searcher(4);
    move |position| {
        let request = SearchRequest {
            probing: TableProbing { tables: TABLES.clone(), ..TableProbing::default() },
            ..SearchRequest::new(position.clone(), Limits::nodes(nodes))
        };
        searcher.search(&request).best().unwrap().mv
    }
}

/// A player of the best tablebase moves, at random among equals.
fn perfect(seed: u64) -> impl FnMut(&Position) -> Move {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    move |position| {
        let values = TABLES.move_values(position).unwrap();
        let equal = values.iter().take_while(|value| value.rank() == values[0].rank()).count();
        values[random.random_range(0..equal)].mv
    }
}

/// Random placements, `number` of them, that White, to move, wins in at least `least` plies; with the plies.
fn random_wins(ending: &str, least: u16, number: usize) -> Vec<(Position, u16)> {
    let ending: Ending = ending.parse().unwrap();
    let mut random = ChaCha8Rng::seed_from_u64(7);
    let size = TABLES.placements(&ending).unwrap();
    let mut found = Vec::new();
    while found.len() < number {
        let Some(position) = TABLES.position(&ending, random.random_range(0..size), Color::White) else {
            continue;
        };
        match TABLES.probe_uncounted(&position) {
            Some(Value::Win(plies)) if plies >= least => found.push((position, plies)),
            _ => {}
        }
    }
    found
}

/// Plays to the end. Returns the outcome and the number of plies.
fn play(start: &Position, white: &mut Player<'_>, black: &mut Player<'_>) -> (Outcome, u16) {
    let mut position = start.clone();
    for plies in 0..500 {
        if let Some(outcome) = position.outcome() {
            return (outcome, plies);
        }
        let mv = if position.side_to_move() == Color::White { white(&position) } else { black(&position) };
        position.play_unchecked(mv);
    }
    panic!("no end: {start}");
}

/// The position with a count that leaves `left` plies.
fn with_left(position: &Position, left: u16) -> Position {
    let mut position = position.clone();
    position.set_count(Count::new(200, 200 - left));
    position
}

#[test]
fn a_win_that_just_fits_the_count_is_won_and_one_ply_less_draws() {
    for ending in BUILT.iter().filter(|name| !name.contains('B')) {
        for (index, (start, plies)) in random_wins(ending, 5, playouts()).into_iter().enumerate() {
            // The mate may come on the ply after the last.
            let (just_enough, too_few) = (with_left(&start, plies - 1), with_left(&start, plies - 2));
            for engine_hunts in [true, false] {
                let (mut engine, mut perfect) = (engine(1_000), perfect(index as u64));
                let (white, black): (&mut Player<'_>, &mut Player<'_>) =
                    if engine_hunts { (&mut engine, &mut perfect) } else { (&mut perfect, &mut engine) };
                let (outcome, taken) = play(&just_enough, white, black);
                assert_eq!(outcome, Outcome::Win(Color::White), "{just_enough}");
                // `plies` is the distance to mate; the hunt of a khun bared by a capture comes on top.
                let has_more =
                    Ending::from_position(&start).is_some_and(|ending| !ending.is_bare(Color::Black));
                assert!(taken == plies || has_more, "{just_enough}: {taken} plies, not {plies}");
                let (outcome, _) = play(&too_few, white, black);
                assert!(matches!(outcome, Outcome::Draw(_)), "{too_few}: {outcome}");
            }
        }
    }
}

#[test]
fn a_win_with_bia_is_not_given_away() {
    for (start, _) in random_wins("KRBvK", 9, playouts()) {
        let (outcome, _) = play(&start, &mut engine(1_000), &mut perfect(1));
        assert_eq!(outcome, Outcome::Win(Color::White), "{start}");
        assert_eq!(start.kind(PieceKind::Bia).len(), 1);
    }
}

#[test]
fn scores_of_tables_are_mates_only_if_they_are() {
    let score = |fen: &str, limits: Limits| {
        let request = SearchRequest {
            probing: TableProbing { tables: TABLES.clone(), ..TableProbing::default() },
            ..SearchRequest::new(position(fen), limits)
        };
        searcher(4).search(&request).best().unwrap().score
    };
    assert_eq!(score("2K5/8/8/1S4M1/8/4k3/8/8 w - 88 9 60", Limits::depth(1)), MATE - 77);
    assert_eq!(score("2K5/8/8/1S4M1/8/4k3/8/8 w - 88 13 60", Limits::depth(4)), 0);
    // The rua captures the met: then the mate fits its count.
    let win = score("8/8/2K5/8/8/8/k6m/7R w - 128 0 60", Limits::depth(1));
    assert_eq!((win, Score::from_search(win)), (TB_WIN - 1, Score::Centipawns(TB_WIN - 1)));
    // A mate search finds a mate.
    let mate = score("k1K4m/8/8/8/8/8/8/7R w - 128 0 60", Limits { mate: Some(2), ..Limits::default() });
    assert!(mate > MATE - 5, "{mate}");
}

#[test]
fn uci_names_the_tables_and_counts_their_hits() {
    let folder = FOLDER.display();
    let session = |commands: &str| {
        let output = Output::buffer();
        run_uci(Cursor::new(commands.to_owned()), output.clone());
        output.text()
    };
    let win = "position fen 2K5/8/8/1S4M1/8/4k3/8/8 w - 88 9 60";
    let text = session(&format!("setoption name TablebasePath value {folder}\n{win}\nd\neval\ngo depth 4\n"));
    assert!(text.starts_with(&format!("info string {} endgame tables of up to ", TABLES.len())), "{text}");
    assert!(text.contains("\nEndgame table: won in 77 plies, 79 left by the count (mate)\n"), "{text}");
    assert!(text.contains(" score mate 39 ") && !text.contains(" tbhits 0 "), "{text}");

    let text = session(&format!("setoption name TablebasePath value /no/such:{folder}\n"));
    assert!(text.contains("info string endgame table not used: /no/such: "), "{text}");
    assert!(text.contains(&format!("info string {} endgame tables", TABLES.len())), "{text}");

    // With few men allowed, or limited skill, nothing is probed.
    for option in ["TablebaseProbeLimit value 3", "Skill Level value 5"] {
        let text = session(&format!(
            "setoption name TablebasePath value {folder}\nsetoption name {option}\n\
             position fen 8/8/5R2/8/8/m7/8/K6k w - 128 20 1\ngo depth 3\n"
        ));
        assert!(text.contains(" tbhits 0 ") && text.contains("bestmove "), "{option}: {text}");
    }
}

/// Without files: the DTM tables, and the endings with bia once they are solved.
#[test]
fn the_endings_of_two_men_are_played_without_files() {
    let output = Output::buffer();
    let commands = "position fen 2K5/8/8/1S4M1/8/4k3/8/8 w - 88 9 60\ngo nodes 1000\n\
                    position fen k7/8/8/8/3RP3/8/8/7K w - - 0 60\neval\n";
    run_uci(Cursor::new(commands), output.clone());
    let text = output.text();
    assert!(text.contains(" score mate 39 ") && text.contains("bestmove c8d7"), "{text}");
    assert!(text.contains("\nEndgame table: won in "), "{text}");
}
