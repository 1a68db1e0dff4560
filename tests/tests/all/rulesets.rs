//! Every rule system, by example and in random games.

use rand::RngExt;
use sakmak_movegen::rules::{Privileges, Rules, Ruleset, Variant};
use sakmak_movegen::{
    Bitboard, Color, CountKind, CountingSystem, DrawReason, Game, Notation, Outcome, Position, SpokenCount,
};
use sakmak_tests::{suite, walk};

const EXAMPLES: &str = include_str!("../../data/rulesets.txt");

struct Example {
    id: &'static str,
    variant: Variant,
    fen: String,
    moves: &'static str,
    /// Pairs of a system's short name and the expected text.
    expected: Vec<(&'static str, &'static str)>,
}

fn examples() -> Vec<Example> {
    let examples: Vec<Example> = suite::lines(EXAMPLES)
        .map(|line| {
            let columns: Vec<&str> = line.split('|').map(str::trim).collect();
            let [id, variant, fen, moves, programs, sources, _] = columns[..] else {
                panic!("columns: {line}")
            };
            let cells = [programs, sources].into_iter().flat_map(|column| column.split(", "));
            let expected = cells
                .filter(|cell| !cell.is_empty())
                .map(|cell| cell.split_once(' ').unwrap_or_else(|| panic!("{line}")));
            let variant: Variant = variant.parse().unwrap_or_else(|error| panic!("{line}: {error}"));
            let start = Rules::new(variant, Ruleset::default()).start_fen();
            let fen = if fen == "startpos" { start } else { fen.to_owned() };
            Example { id, variant, fen, moves, expected: expected.collect() }
        })
        .collect();
    assert_eq!(examples.len(), 81);
    examples
}

fn played(example: &Example, ruleset: Ruleset) -> Game {
    let arms_a_count = ruleset == Ruleset::CuteChess;
    let fen = if arms_a_count { example.fen.replacen(" - - ", " - 0 ", 1) } else { example.fen.clone() };
    let rules = Rules::new(example.variant, ruleset);
    let mut game = Game::from_fen(&fen, rules).unwrap_or_else(|error| panic!("{}: {error}", example.id));
    for text in example.moves.split_whitespace() {
        game.play_uci(text).unwrap_or_else(|error| panic!("{}: {error}", example.id));
    }
    game
}

fn short(outcome: Option<Outcome>) -> &'static str {
    match outcome {
        None => "",
        Some(Outcome::Win(Color::White)) => " white",
        Some(Outcome::Win(Color::Black)) => " black",
        Some(Outcome::Draw(DrawReason::Stalemate)) => " stalemate",
        Some(Outcome::Draw(DrawReason::DeadMaterial)) => " dead",
        Some(Outcome::Draw(_)) => " draw",
    }
}

/// The count as the column of a source in the examples shows it.
fn source_count(position: &Position, name: &str) -> String {
    let spoken = SpokenCount::new(position);
    let count = position.count();
    match name {
        "cy" if count.is_unlimited() => return "inf".to_owned(),
        "cv" => {
            let moves = position.moves_left_by_side();
            let side =
                |letter: char, moves: Option<u16>| moves.map_or(String::new(), |n| format!("{letter}{n}"));
            let text = side('W', moves[0]) + &side('B', moves[1]);
            return if text.is_empty() { "-".to_owned() } else { text };
        }
        _ => {}
    }
    let (Some(kind), Some((attacker, left)), Some(limit)) =
        (position.count_kind(), spoken.moves_left(), spoken.limit())
    else {
        return "-".to_owned();
    };
    assert_eq!(attacker, Color::White, "Black counts in all examples: {position}");
    match (name, kind) {
        ("cy", _) if count.is_expired() => "0".to_owned(),
        ("cy", _) => left.to_string(),
        (_, CountKind::Pieces) => format!("P{limit}:{left}"),
        (_, CountKind::Board) => format!("B{left}"),
    }
}

/// Marks examples in which neither side can mate any more.
const HELPLESS: &str = " helpless";

#[test]
fn every_example_under_every_system() {
    let mut checked = 0;
    for example in examples() {
        // One column says it for all.
        let is_helpless = example.expected.iter().any(|(_, expected)| expected.ends_with(HELPLESS));
        for &(name, expected) in &example.expected {
            let ruleset = match name {
                "fs" => Ruleset::FairyStockfish,
                "cc" => Ruleset::CuteChess,
                "sm" => Ruleset::SchemingMind,
                "wp" => Ruleset::Wikipedia,
                "kn" => Ruleset::Knowlton,
                "cy" => Ruleset::Cyningstan,
                "cv" => Ruleset::ChessVariants,
                other => panic!("no system {other}"),
            };
            let game = played(&example, ruleset);
            let position = game.position();
            let found = match ruleset {
                Ruleset::FairyStockfish | Ruleset::CuteChess => {
                    let count = position.count();
                    format!("{}:{}{}", count.limit(), count.ply(), short(game.outcome_here()))
                }
                // A mate that comes too late is a draw for the position, without the game, too.
                _ => {
                    assert_eq!(game.outcome().is_some(), game.outcome_here().is_some(), "{}", example.id);
                    source_count(position, name) + short(game.outcome_here())
                }
            };
            let plain = expected.trim_end_matches(HELPLESS);
            assert_eq!(found, plain, "{} {name}: {position}", example.id);
            assert_eq!(is_helpless, position.is_dead(), "{}: {position}", example.id);
            checked += 1;
        }
    }
    assert_eq!(checked, 372, "columns of the examples");
}

/// Every system is the same with colours exchanged.
#[test]
fn every_system_is_the_same_for_both_colours() {
    let flip = |text: &str| -> String {
        text.chars().map(|c| c.to_digit(10).map_or(c, |d| char::from(b'0' + 9 - d as u8))).collect()
    };
    for example in examples() {
        for &ruleset in Ruleset::ALL {
            let game = played(&example, ruleset);
            let mut mirror = game.start().flipped();
            for text in example.moves.split_whitespace() {
                let mv =
                    mirror.parse_move(&flip(text)).unwrap_or_else(|error| panic!("{}: {error}", example.id));
                mirror.play_unchecked(mv);
            }
            let (one, other) = (game.position().flipped().count(), mirror.count());
            // The counts of a set-up position without one begin by whose turn it is, which flips too.
            assert_eq!(one, other, "{} {ruleset}: {mirror}", example.id);
            assert_eq!(game.position().flipped().outcome().is_some(), mirror.outcome().is_some());
        }
    }
}

/// Counting by hand, with the meaning of Fairy-Stockfish's library: FEN, move, the ply at which counting
/// began, and the count after the move.
#[test]
fn counting_by_hand() {
    const BOARD: &str = "3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128";
    let hunt = "8/3k4/8/2K1S1P1/8/8/8/8 w - - 0 1".to_owned();
    let ouk = "8/2K3k1/5m2/4S1S1/8/8/8/8 w - 126 101 80".to_owned();
    for (variant, fen, mv, began, count, drawn) in [
        (Variant::Makruk, format!("{BOARD} 0 33"), "d4d5", -1, (128, 0), false),
        (Variant::Makruk, format!("{BOARD} 7 33"), "d4d5", 58, (128, 8), false),
        (Variant::Makruk, format!("{BOARD} 128 70"), "d4d5", 0, (128, 129), true),
        (Variant::Makruk, format!("{BOARD} 128 70"), "d4d5", 100, (128, 40), false),
        (Variant::Makruk, hunt, "g5g6m", -1, (88, 8), false),
        (Variant::Cambodian, ouk.clone(), "e5f6", 58, (126, 102), false),
        (Variant::Cambodian, ouk, "e5f6", 0, (42, 8), false),
    ] {
        let rules = with(Rules::new(variant, Ruleset::FairyStockfish), &format!("CountStarted={began}"));
        let mut game = Game::from_fen(&fen, rules).expect("a valid FEN");
        game.play_uci(mv).expect("a legal move");
        let position = game.position();
        assert_eq!((position.count().limit(), position.count().ply()), count, "{fen} {began}");
        assert_eq!(
            position.outcome() == Some(Outcome::Draw(DrawReason::BoardHonour)),
            drawn,
            "{fen} {began}"
        );
    }
}

/// Legal moves of one piece, and the rights left after some moves, as Fairy-Stockfish has them.
#[test]
fn moves_and_rights_by_example() {
    for (variant, fen, square, moves) in [
        (Variant::Makruk, "4k3/8/8/8/4S3/8/8/4K3 w - - 0 1", "e4", "e4d3 e4d5 e4e5 e4f3 e4f5"),
        (Variant::Makruk, "3k4/8/3n1n2/4P3/8/8/8/3K4 w - - 0 1", "e5", "e5d6m e5e6m e5f6m"),
        (Variant::Makruk, "3k4/8/4P3/8/8/8/8/3K4 w - - 0 1", "e6", "e6e7m"),
        (
            Variant::Cambodian,
            "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w DEde - 0 1",
            "d1",
            "d1b2 d1c2 d1d2 d1e2 d1f2",
        ),
        (Variant::Cambodian, "rnsmksnr/8/pppp1ppp/8/4P3/PPPPpPPP/8/RNSKMSNR w DEde - 0 3", "e1", "e1d2 e1f2"),
        (
            Variant::Cambodian,
            "rnsmks1r/8/pppppppp/8/8/PPPPPPPP/1n2N3/RNSKMS1R w DEde - 0 3",
            "d1",
            "d1c2 d1d2",
        ),
        (Variant::Makpong, "3k4/3R4/8/8/8/8/8/3K4 b - - 0 1", "d8", "d8d7"),
        (Variant::Makpong, "3k4/3R4/4N3/8/8/8/8/3K4 b - - 0 1", "d8", ""),
    ] {
        let rules = Rules::new(variant, Ruleset::FairyStockfish);
        let position = Position::from_fen_with(fen, rules).expect("a valid FEN");
        let mut found: Vec<String> = position.legal_moves().iter().map(ToString::to_string).collect();
        found.retain(|text| text.starts_with(square));
        found.sort();
        assert_eq!(found.join(" "), moves, "{fen}");
        let mated = position.outcome() == Some(Outcome::Win(Color::White));
        assert_eq!(mated, moves.is_empty(), "{fen}");
    }
    for (fen, moves, rights) in [
        ("rnsmk1nr/4s3/pppppppp/8/8/PPPPPPPP/R7/1NSKMSNR w DEde - 2 2", "a2e2", "DEd"),
        ("1nsmksnr/r7/pppppppp/8/8/PPPPPPPP/2SN4/R2KMSNR b DEde - 3 2", "a7d7 h3h4 d7a7", "Ede"),
        ("rnsmk1nr/8/pppppppp/8/8/PPPP1PPP/3n1s2/RNSKM1NR b DEde - 0 3", "f2e1", "Dde"),
    ] {
        let rules = Rules::new(Variant::Cambodian, Ruleset::FairyStockfish);
        let mut game = Game::from_fen(fen, rules).expect("a valid FEN");
        moves.split(' ').for_each(|text| assert!(game.play_uci(text).is_ok(), "{text}"));
        let fen = game.position().to_string();
        assert_eq!(fen.split(' ').nth(2), Some(rights), "{fen}");
    }
}

fn with(rules: Rules, parts: &str) -> Rules {
    rules.with_parts(parts).expect("parts of the rules")
}

/// The rules of all sources, and some in which each part differs.
fn all_rules() -> Vec<Rules> {
    let mut all: Vec<Rules> = Ruleset::ALL
        .iter()
        .flat_map(|&ruleset| Variant::ALL.iter().map(move |&variant| Rules::new(variant, ruleset)))
        .collect();
    let (fairy, wikipedia) = (Ruleset::FairyStockfish, Ruleset::Wikipedia);
    let (makruk, cambodian) = (Variant::Makruk, Variant::Cambodian);
    let sutras = "SutKhun=on SutMet=on SutMa=on";
    for (variant, ruleset, parts) in [
        (makruk, wikipedia, sutras),
        (makruk, fairy, &format!("{sutras} FirstTurnOnly=true StartArray=mirrored")),
        (makruk, fairy, &format!("{sutras} LordHorse=on MinisterTwo=on")),
        (makruk, fairy, "StreetKhun=on MinisterTwo=on NoLeapInCheck=on"),
        (makruk, fairy, "MinisterTwo=on MetLeapCaptures=on"),
        (makruk, fairy, "TakhaengRueaWhite=a TakhaengRueaBlack=both"),
        (makruk, wikipedia, "CountStarted=-1"),
        (makruk, wikipedia, "CountStarted=60"),
        (cambodian, fairy, "CountStarted=61"),
        (makruk, fairy, "CountDrawInstant=last-move Repetition=none"),
        (makruk, Ruleset::Knowlton, "CountDrawInstant=announcement"),
        (makruk, Ruleset::SchemingMind, "CountClaim=manual"),
        (makruk, fairy, "CountingRule=fifty-moves"),
    ] {
        all.push(with(Rules::new(variant, ruleset), parts));
    }
    all
}

/// Random games by each set of rules; the environment variable `SAKMAK_GAMES` sets another number.
#[test]
fn state_text_and_moves_agree_in_random_games() {
    let games = std::env::var("SAKMAK_GAMES").ok().and_then(|n| n.parse().ok()).unwrap_or(12);
    let (one, other): (Vec<_>, Vec<_>) = all_rules().into_iter().enumerate().partition(|(n, _)| n % 2 == 0);
    std::thread::scope(|scope| {
        for part in [one, other] {
            scope.spawn(move || {
                part.iter().for_each(|&(number, rules)| random_games(number as u64, rules, games))
            });
        }
    });
}

fn random_games(seed: u64, rules: Rules, games: u32) {
    let mut rng = walk::rng(71 + seed);
    let mut two_piece = 0;
    for number in 0..games {
        // Half of the games from positions in which a count is near.
        let start = walk::STARTS[rng.random_range(0..walk::STARTS.len())];
        let mut game = match number % 2 {
            0 => Game::new(rules),
            _ => Game::from_fen(start, rules).expect("a valid FEN"),
        };
        for _ in 0..160 {
            check_state(&game);
            let moves = game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            // Special first moves are rare: choose one now and then.
            let special: Vec<_> = moves.iter().copied().filter(|mv| mv.is_two_piece()).collect();
            let choice =
                if !special.is_empty() && rng.random_range(0..4) == 0 { &special[..] } else { &moves };
            let mv = choice[rng.random_range(0..choice.len())];
            two_piece += u32::from(mv.is_two_piece());
            check_names(&game, mv);
            game.play(mv).expect("a legal move");
        }
        check_record(&game);
    }
    let sutras = rules.play.privileges.contains(Privileges::SUT_MET);
    assert_eq!(two_piece > 0, sutras, "two-piece moves under {rules:?}");
}

/// The incrementally updated state equals that computed from scratch and that of the FEN.
fn check_state(game: &Game) {
    let position = game.position();
    assert!(*position == position.recomputed(), "{position}");
    let read = Game::from_fen(&game.marked_fen(), *game.rules()).expect("a FEN we wrote");
    let again = read.position();
    assert_eq!(again.to_string(), position.to_string());
    assert_eq!(
        (again.key(), again.count(), again.privileged(), again.checkers(), read.promoted()),
        (position.key(), position.count(), position.privileged(), position.checkers(), game.promoted()),
        "{position}"
    );
    assert_eq!(again.outcome(), position.outcome(), "{position}");
    let moves = position.legal_moves();
    assert_eq!(position.count_legal() as usize, moves.len(), "{position}");
    for mv in moves {
        assert!(position.is_legal(mv), "{mv} in {position}");
        assert_eq!(position.parse_move(&mv.to_string()), Ok(mv), "{position}");
    }
}

/// Every notation names the move so that it is read again, with the right check sign.
fn check_names(game: &Game, mv: sakmak_movegen::Move) {
    let position = game.position();
    let mut after = position.clone();
    after.play_unchecked(mv);
    assert_eq!(position.gives_check(mv, &position.check_info()), after.in_check(), "{mv} in {position}");
    assert_eq!(position.key_after(mv), after.moves_key(), "{mv} in {position}");
    for &notation in Notation::ALL {
        let name = game.name(notation, mv);
        // Thai short notation has one letter for a piece and a file in three cases.
        let has_twin = notation == Notation::ThaiSan && name.chars().nth(1) == Some('x');
        match notation.read(position, &name, game.promoted()) {
            Ok(read) => assert_eq!(read, mv, "{name} in {position}"),
            Err(error) => assert!(has_twin, "{error}: {mv} in {position}"),
        }
        // Without the marks of met that were bia, it is still the same move or an honest error.
        if !has_twin && let Ok(read) = notation.read(position, &name, Bitboard::EMPTY) {
            assert_eq!(read, mv, "{name} in {position}");
        }
    }
}

/// The game replayed from its record, and taken back, is the same.
fn check_record(game: &Game) {
    let start = game.start().to_string();
    let mut again = Game::from_fen(&start, *game.start().rules()).expect("a FEN we wrote");
    for mv in game.moves() {
        again.play_uci(&mv.to_string()).expect("a legal move");
    }
    assert_eq!(again.position().to_string(), game.position().to_string());
    assert_eq!(again.position().key(), game.position().key());
    assert_eq!(again.outcome(), game.outcome());
    while again.take_back().is_some() {}
    assert_eq!(
        (again.position().to_string(), again.outcome().is_some()),
        (start, again.outcome_here().is_some())
    );
}

/// After a null move the same side counts, and no count goes back.
#[test]
fn a_null_move_leaves_the_count_with_its_owner() {
    for (number, rules) in all_rules().into_iter().enumerate() {
        let mut rng = walk::rng(907 + number as u64);
        let mut passes = 0;
        for start in walk::STARTS.iter().cycle().take(3 * walk::STARTS.len()) {
            let mut game = Game::from_fen(start, rules).expect("a valid FEN");
            for _ in 0..80 {
                let position = game.position();
                let moves = position.legal_moves();
                if moves.is_empty() {
                    break;
                }
                if position.count().is_running() && !position.in_check() {
                    check_null_move(position);
                    passes += 1;
                }
                let mv = moves[rng.random_range(0..moves.len())];
                game.play(mv).expect("a legal move");
            }
        }
        let counts = !matches!(rules.play.counting, CountingSystem::None);
        assert_eq!(passes > 50, counts, "{passes} passes under {rules:?}");
    }
}

fn check_null_move(position: &Position) {
    let mut passed = position.clone();
    passed.play_null();
    let what = || format!("{:?}: {position}", position.rules());
    assert_eq!((passed.count(), passed.counter()), (position.count(), position.counter()), "{}", what());
    for mv in passed.legal_moves() {
        let mut next = passed.clone();
        next.play_unchecked(mv);
        let fresh = passed.is_noisy(mv) || mv.is_two_piece();
        let ended = !next.count().is_running() || next.count().limit() != passed.count().limit();
        // A count by hand may not have begun, or has been stopped.
        if fresh || ended || next.count().is_unlimited() {
            continue;
        }
        let restarts = position.rules().counting == CountingSystem::FiftyMoves && next.halfmove_clock() == 0;
        assert_eq!(next.counter(), position.counter(), "{mv} in {}", what());
        assert!(next.count().ply() >= passed.count().ply() || restarts, "{mv} in {}", what());
    }
}

/// Wikipedia lets only the side at a disadvantage count, and it may stop on any of its turns.
#[test]
fn a_counter_that_can_mate_stops_counting() {
    let wikipedia = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
    let by_claim = with(wikipedia, "CountClaim=manual");
    let by_hand = with(wikipedia, "CountStarted=119");
    const EQUAL: &str = "7k/1R6/6K1/8/8/8/8/r7 w - - 0 60";
    const WORSE: &str = "1R6/K1k5/8/8/8/6r1/6R1/2N5 b - - 0 60";
    const COUNTED: &str = "1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60";
    const ATTACKED: &str = "k7/8/K7/8/8/6r1/2R3R1/2N5 w - 128b 20 60";
    const BEGINS: &str = "1R6/K1k5/8/8/8/P5r1/6R1/2N5 b - - 0 60";
    let wins = with(wikipedia, "CounterMate=win");
    let other = Rules::new(Variant::Makruk, Ruleset::Knowlton);
    let (white, black) = (Some(Outcome::Win(Color::White)), Some(Outcome::Win(Color::Black)));
    let counter_mated = Some(Outcome::Draw(DrawReason::CounterMated));
    for (fen, mv, rules, counter, outcome) in [
        (EQUAL, "b7b8", wikipedia, None, white),
        (EQUAL, "b7b8", by_claim, None, white),
        (EQUAL, "b7b8", by_hand, Some(Color::White), counter_mated),
        (WORSE, "g3a3", wikipedia, Some(Color::Black), counter_mated),
        (WORSE, "g3a3", by_claim, Some(Color::Black), counter_mated),
        (WORSE, "g3a3", wins, Some(Color::Black), black),
        (WORSE, "g3a3", with(wins, "CountClaim=manual"), Some(Color::Black), black),
        (WORSE, "g3a3", other, Some(Color::Black), black),
        (WORSE, "g3a3", with(other, "CounterMate=draw"), Some(Color::Black), counter_mated),
        // The same after twenty plies of the count.
        (COUNTED, "g3a3", wikipedia, Some(Color::Black), counter_mated),
        // White, the side that does not count, mates.
        (ATTACKED, "c2c8", wikipedia, Some(Color::Black), white),
    ] {
        let mut game = Game::from_fen(fen, rules).expect("a valid FEN");
        assert!(game.position().count().is_running());
        assert_eq!(game.position().counter(), counter, "{fen}");
        let mut stopping = game.clone();
        let played = game.play_uci(mv).expect("a legal move");
        assert_eq!(game.outcome(), outcome, "{fen} {mv} {rules:?}");
        // A side that stops its count first wins.
        let must_stop = outcome == counter_mated;
        assert_eq!(stopping.position().must_stop_count(played), must_stop, "{fen} {mv} {rules:?}");
        assert_eq!(stopping.play_and_stop_count(played), must_stop);
        assert!(matches!(stopping.outcome(), Some(Outcome::Win(_))), "{fen} {mv} {rules:?}");
        assert_eq!(stopping.take_back(), Some(played));
    }
    // A count that begins with the mating move has not been counted.
    let begins = with(Rules::new(Variant::Makruk, Ruleset::SchemingMind), "CounterMate=draw");
    let mut game = Game::from_fen(BEGINS, begins).expect("a valid FEN");
    game.play_uci("g3a3").expect("a legal move");
    assert_eq!((game.position().counter(), game.outcome()), (Some(Color::Black), black));
    // With equal pieces the limit runs for both.
    let game = Game::from_fen("7k/1R6/6K1/8/8/8/8/r7 w - 128 127 60", wikipedia).expect("a valid FEN");
    assert_eq!(game.position().to_string(), "7k/1R6/6K1/8/8/8/8/r7 w - 128 127 60");
    let mut game = Game::from_fen("7k/1R6/6K1/8/8/8/8/r7 w - 128n 127 60", wikipedia).expect("a valid FEN");
    assert_eq!(game.position().counter(), None);
    game.play_uci("b7b6").expect("a legal move");
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::BoardHonour)));
}

#[test]
fn a_fen_names_the_counter_where_the_numbers_do_not() {
    let read = |ruleset, tail: &str| {
        let fen = format!("3k4/2r5/8/2s5/8/8/4M3/4K3 {tail}");
        Game::from_fen(&fen, Rules::new(Variant::Makruk, ruleset)).map(|game| {
            let position = game.position();
            (position.counter(), position.to_string() == fen)
        })
    };
    let (white, black) = (Some(Color::White), Some(Color::Black));
    assert_eq!(read(Ruleset::Wikipedia, "w - 128 4 40"), Ok((white, true)));
    assert_eq!(read(Ruleset::Wikipedia, "w - 128 5 40"), Ok((black, true)));
    assert_eq!(read(Ruleset::Wikipedia, "w - 128w 5 40"), Ok((white, true)));
    assert_eq!(read(Ruleset::Knowlton, "w - 128n 5 40"), Ok((None, true)));
    assert_eq!(read(Ruleset::SchemingMind, "w - 128 5 40"), Ok((white, true)));
    assert_eq!(read(Ruleset::FairyStockfish, "w - 128 5 40"), Ok((None, true)));
    let error = read(Ruleset::FairyStockfish, "w - 128w 5 40").unwrap_err().to_string();
    assert!(error.contains("'128w' names who counts"), "{error}");
    assert!(read(Ruleset::Wikipedia, "w - 128x 5 40").is_err());
}

/// The numbers are Cute Chess's; the words are ours.
#[test]
fn cute_chess_counts_a_bare_khun_among_bia_and_no_plies_without_a_count() {
    let rules = Rules::new(Variant::Cambodian, Ruleset::CuteChess);
    let mut game = Game::from_fen("3k4/8/5n2/4S3/3K4/8/7P/8 w - 0 0 20", rules).expect("a valid FEN");
    game.play_uci("e5f6").expect("a legal move");
    let position = game.position();
    assert_eq!(position.to_string(), "3k4/8/5S2/8/3K4/8/7P/8 b - 128 8 20");
    assert_eq!(SpokenCount::new(position).to_string(), "pieces 4/64, white may make 60 more moves");

    let mut game = Game::new(Rules::new(Variant::Makruk, Ruleset::CuteChess));
    game.play_uci("b1d2").expect("a legal move");
    assert_eq!(game.position().to_string(), "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/3N4/R1SKMSNR b - 0 0 1");
}
