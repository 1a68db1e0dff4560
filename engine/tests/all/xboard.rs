//! Conversations in XBoard's protocol, with the program as a GUI runs it.

use std::path::Path;

use sakmak_movegen::{Color, DrawReason, Game, Outcome, Rules};

use crate::process::EngineProcess;

const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

/// An engine that was asked for the protocol and began a game of Makruk as XBoard does.
fn begin() -> EngineProcess {
    let mut engine = EngineProcess::start();
    engine.send("xboard\nprotover 2");
    engine.until("feature done=1");
    engine.send("accepted ping\nmemory 8\ncores 1\nnew\nrandom\nvariant makruk\nlevel 40 5 0\npost\nhard\neasy\nping 1");
    engine.until("pong 1");
    engine
}

/// Everything written up to the answer to a ping.
fn answer(engine: &mut EngineProcess, lines: &str) -> Vec<String> {
    engine.send(&format!("{lines}\nping 77"));
    let mut answer = engine.lines_until("pong 77");
    answer.pop();
    answer
}

/// The move written next.
fn next_move(engine: &EngineProcess) -> String {
    engine.until("move ").split_off("move ".len())
}

/// The text of a result.
fn result(outcome: Outcome) -> String {
    match outcome {
        Outcome::Win(Color::White) => "1-0 {White mates}".to_owned(),
        Outcome::Win(Color::Black) => "0-1 {Black mates}".to_owned(),
        Outcome::Draw(reason) => format!("1/2-1/2 {{Draw by {reason}}}"),
    }
}

/// The engine plays Black against the first legal moves, and claims the result by itself.
#[test]
fn a_game_to_its_end() {
    let mut engine = begin();
    engine.send("option Ruleset=fairy-stockfish\nsd 4\nnopost");
    let mut game = Game::new(Rules::default());
    let claimed = loop {
        let ours = game.position().legal_moves()[game.len() % 7 % game.position().legal_moves().len()];
        game.play(ours).unwrap();
        let lines = answer(&mut engine, &format!("time 30000\notim 30000\nusermove {ours}"));
        for line in &lines {
            if let Some(mv) = line.strip_prefix("move ") {
                game.play_uci(mv).unwrap();
            }
        }
        let last = lines.last().expect("a move or a result").clone();
        if game.outcome().is_some() || !last.starts_with("move ") {
            break last;
        }
    };
    assert_eq!(claimed, result(game.outcome().unwrap()));
    assert!(game.len() > 10, "{}", game.len());

    // Another game with the same process; the engine begins.
    engine.send("new\nvariant makruk\nsd 4\ngo");
    game = Game::new(Rules::default());
    game.play_uci(&next_move(&engine)).unwrap();
    engine.send("quit");
    engine.ends_well();
}

/// Cute Chess begins a game with Black to move by a dummy move.
#[test]
fn the_dummy_move_before_a_position_with_black_to_move() {
    let mut engine = begin();
    let lines = answer(
        &mut engine,
        "new\nvariant makruk\nforce\nb2b3\nsetboard r1sm3r/4nks1/ppn1ppp1/2pp3p/5P2/PPPPPSPP/1SKNNM2/R6R b - - 0 1",
    );
    assert!(lines.iter().all(|line| line.starts_with('#')), "{lines:?}");
    assert_eq!(answer(&mut engine, "usermove c5c4"), [""; 0]);
}

#[test]
fn lines_have_the_fields_of_the_protocol() {
    let mut engine = begin();
    engine.send("sd 6\ngo");
    let lines = engine.lines_until("move ");
    let thinking: Vec<_> = lines.iter().filter(|line| line.contains('\t')).collect();
    assert!(thinking.len() >= 6, "{lines:?}");
    for (line, depth) in thinking.iter().zip(1..) {
        let (numbers, moves) = line.split_once('\t').unwrap();
        let numbers: Vec<i64> = numbers.split(' ').map(|number| number.parse().unwrap()).collect();
        // Depth, score, centiseconds, nodes, seldepth, nodes per second, tablebase hits.
        assert_eq!((numbers.len(), numbers[0]), (7, depth), "{line}");
        assert!(numbers[1].abs() < 500 && numbers[3] > 0 && numbers[4] >= numbers[0], "{line}");
        let mut game = Game::new(Rules::default());
        for mv in moves.split(' ') {
            game.play_uci(mv).unwrap();
        }
    }
    // A mate in two moves.
    let fen = "3k4/8/8/3K4/8/8/8/R6R w - - 0 1";
    engine.send(&format!("force\nsetboard {fen}\nsd 8\ngo"));
    let lines = engine.lines_until("move ");
    assert!(lines.iter().any(|line| line.split(' ').nth(1) == Some("100002")), "{lines:?}");
}

#[test]
fn force_undo_and_remove() {
    let mut engine = begin();
    let quiet = answer(&mut engine, "force\nusermove e3e4\nusermove d6d5\nusermove e4d5");
    assert_eq!(quiet, [""; 0]);
    let quiet = answer(&mut engine, "remove\nusermove d6d5\nundo\nusermove a6a5\nusermove a3a4");
    assert_eq!(quiet, [""; 0]);
    // Black is to move.
    engine.send("sd 3\ngo");
    let mut game = Game::new(Rules::default());
    for mv in ["e3e4", "a6a5", "a3a4"] {
        game.play_uci(mv).unwrap();
    }
    game.play_uci(&next_move(&engine)).unwrap();
    assert_eq!(answer(&mut engine, "force\nnew\nforce\nundo"), ["Error (no move to take back): undo"]);

    // The engine takes the other side at its next turn.
    engine.send("new\nsd 3\nforce\nusermove e3e4\nplayother\nusermove e6e5");
    let mut game = Game::new(Rules::default());
    for mv in ["e3e4", "e6e5"] {
        game.play_uci(mv).unwrap();
    }
    game.play_uci(&next_move(&engine)).unwrap();
}

#[test]
fn what_is_wrong_is_named() {
    let mut engine = begin();
    let errors = |engine: &mut EngineProcess, lines| {
        let all = answer(engine, lines);
        all.into_iter().filter(|line| !line.starts_with('#')).collect::<Vec<_>>()
    };
    for (line, error) in [
        ("usermove e3e5", "Illegal move: e3e5"),
        ("usermove xyz", "Illegal move: xyz"),
        ("a1a8", "Illegal move: a1a8"),
        ("variant crazyhouse", "Error (unsupported variant): crazyhouse"),
        ("level 40", "Error (expected MOVES BASE INCREMENT): level 40"),
        ("dance", "Error (unknown command): dance"),
        ("option Nothing=3", "Error (no such option: Nothing): option Nothing"),
        (
            "memory much",
            "Error (option Hash: 'much' is not a number from 1 to 33554432; unchanged): option Hash",
        ),
    ] {
        assert_eq!(errors(&mut engine, line), [error], "{line}");
    }
    // None of these commands has changed the game.
    engine.send("sd 3\nusermove e3e4");
    let mut game = Game::new(Rules::default());
    game.play_uci("e3e4").unwrap();
    game.play_uci(&next_move(&engine)).unwrap();
}

/// After a refused position the engine makes no move in the game before it.
#[test]
fn a_refused_position_is_not_played() {
    let mut engine = begin();
    for board in ["8/8/8/8/8/8/8/8 w", "", "8/8/8/8/1k6/7S/S5K1/8 w - 44 -56 60"] {
        let lines = answer(&mut engine, &format!("force\nsetboard {board}"));
        assert_eq!(lines[0], "tellusererror Illegal position", "{board}");
        assert_eq!(answer(&mut engine, "sd 3\ngo\nhint"), ["# no search: the position was refused"; 2]);
        assert_eq!(answer(&mut engine, "usermove e3e4"), ["Illegal move (the position was refused): e3e4"]);
    }
    // The next accepted position is played.
    engine.send("force\nsetboard 8/8/8/8/1k6/7S/S5K1/8 w - 44 6 60\ngo");
    next_move(&engine);
    engine.send("new\nsd 3\nusermove e3e4");
    next_move(&engine);
}

#[test]
fn analysis_follows_the_game() {
    let mut engine = begin();
    engine.send("nopost\nforce\nanalyze");
    engine.until("5 ");
    engine.send(".");
    let status = engine.until("stat01: ");
    let words: Vec<_> = status.split(' ').collect();
    assert!((6..=7).contains(&words.len()) && words[5] == "23", "{status}");
    engine.send("usermove e3e4");
    engine.until("1 ");
    engine.send("undo");
    engine.until("5 ");
    engine.send("setboard 3k4/8/8/3K4/8/8/8/R6R w - - 0 1");
    let mate = |line: &String| line.split(' ').nth(1) == Some("100002");
    while !engine.lines_until("").iter().any(mate) {}
    // A position without legal moves does not end the session.
    engine.send("setboard R6k/8/6K1/8/8/8/8/8 b - - 0 1\nundo");
    engine.until("Error (no move to take back)");
    engine.send("setboard 3k4/8/8/3K4/8/8/8/R6R w - - 0 1");
    engine.until("3 ");
    answer(&mut engine, "exit");
    assert_eq!(answer(&mut engine, ".\nusermove d5d6"), [""; 0], "nothing is searched after exit");
}

#[test]
fn the_opponents_time_is_used() {
    let mut engine = begin();
    engine.send("st 0.2\nhard\nusermove e3e4");
    let mut game = Game::new(Rules::default());
    game.play_uci("e3e4").unwrap();
    for _ in 0..3 {
        game.play_uci(&next_move(&engine)).unwrap();
        // The hint is the expected move.
        engine.until("4 ");
        engine.send("hint");
        let hint = engine.until("Hint: ").split_off("Hint: ".len());
        game.play_uci(&hint).unwrap();
        engine.send(&format!("time 1000\notim 1000\nusermove {hint}"));
    }
    game.play_uci(&next_move(&engine)).unwrap();
    // The opponent plays another move; then pondering is turned off.
    engine.until("4 ");
    engine.send("hint");
    let hint = engine.until("Hint: ").split_off("Hint: ".len());
    let moves = game.position().legal_moves();
    let other = moves.iter().find(|mv| mv.to_string() != hint).unwrap();
    game.play(*other).unwrap();
    engine.send(&format!("usermove {other}"));
    game.play_uci(&next_move(&engine)).unwrap();
    engine.until("2 ");
    assert!(answer(&mut engine, "easy").iter().all(|line| line.contains('\t')));
    assert_eq!(answer(&mut engine, ""), [""; 0], "nothing is searched");
    engine.send("quit");
    engine.ends_well();
}

#[test]
fn a_thinking_engine_moves_when_asked_and_answers_pings_after_its_move() {
    let mut engine = begin();
    engine.send("nopost\nst 1000\nusermove e3e4\nping 5\nusermove d3d4\n?");
    let lines = engine.lines_until("pong 5");
    assert_eq!(lines[0], "Illegal move (it is not your turn): d3d4");
    assert!(lines[1].starts_with("move ") && lines.len() == 3, "{lines:?}");
    // The end of the game, or a new one, ends a search without a move.
    engine.send("usermove d3d4");
    for end in ["result 1-0 {Black resigns}", "new\nforce"] {
        assert_eq!(answer(&mut engine, end), [""; 0], "{end}");
        engine.send("new\nst 1000\nusermove e3e4");
    }
    // So does `pause`, until `resume`.
    assert_eq!(answer(&mut engine, "pause"), [""; 0]);
    engine.send("resume\n?");
    next_move(&engine);
    engine.send("go");
    engine.send("quit");
    engine.ends_well();
}

#[test]
fn time_controls_are_kept() {
    let mut engine = begin();
    let mut begun = std::time::Instant::now();
    for limits in
        ["level 0 0:01 0", "level 40 0:02 0", "st 0.1", "st 100\nsd 5", "level 0 5 0\nnps 1000\ntime 300"]
    {
        engine.send(&format!("new\n{limits}\ntime 100\notim 100\nusermove e3e4"));
        next_move(&engine);
        assert!(begun.elapsed().as_secs() < 60, "{limits}");
        begun = std::time::Instant::now();
    }
}

/// Numbers out of range are clamped.
#[test]
fn clocks_never_overflow() {
    let mut engine = begin();
    let huge = "99999999999999999999";
    engine.send(&format!("new\nsd 2\nlevel 0 {huge} {huge}\nusermove e3e4"));
    next_move(&engine);
    engine.send(&format!("level 1 0 0\ntime -{}\notim {0}\nusermove d3d4", i64::MAX));
    next_move(&engine);
    engine.send("quit");
    engine.ends_well();
}

#[test]
fn draws_are_claimed_by_the_count() {
    let mut engine = begin();
    engine.send("option Ruleset=fairy-stockfish");
    // Two plies of the count are left; the engine has the bare khun.
    engine.send("force\nsetboard 7k/8/8/8/8/8/4R3/4K3 w - 32 31 80\nsd 3\nusermove e2e3\ngo");
    let mut game = Game::from_fen("7k/8/8/8/8/8/4R3/4K3 w - 32 31 80", Rules::default()).unwrap();
    game.play_uci("e2e3").unwrap();
    let lines = engine.lines_until("move ");
    game.play_uci(lines.last().unwrap().strip_prefix("move ").unwrap()).unwrap();
    assert_eq!(game.outcome(), Some(Outcome::Draw(DrawReason::PiecesHonour)));
    engine.until("1/2-1/2 {Draw by pieces' honour}");

    // A GUI that goes on has other rules, so the engine answers.
    let ours = game.position().legal_moves()[0];
    engine.send(&format!("usermove {ours}"));
    next_move(&engine);

    // The opponent mates or stalemates, which ends the game under all rules.
    let mut engine = begin();
    for (fen, mv, claim) in [
        ("7k/8/6K1/8/8/8/8/R7 w - - 0 1", "a1a8", "1-0 {White mates}"),
        ("7k/8/5KM1/8/8/8/8/8 w - - 0 1", "f6f7", "1/2-1/2 {Draw by stalemate}"),
    ] {
        let lines = answer(&mut engine, &format!("new\nforce\nsetboard {fen}\nplayother\nusermove {mv}"));
        assert_eq!(lines.last().map(String::as_str), Some(claim), "{fen}");
    }
}

/// A GUI may not know our draws, so the engine claims them only if the GUI has set `Ruleset`.
#[test]
fn other_draws_are_offered_once_and_play_goes_on() {
    let dance = "b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1";
    // Rules, position, moves in force mode, and the opponent's move, after which the game is drawn or a ply from it.
    for (parts, fen, moves, mv, reason) in [
        ("", START, dance, "d7b8", "repetition"),
        ("", "7k/8/8/8/8/8/4R3/4K3 w - 32 31 80", "", "e2e3", "pieces' honour"),
        ("", "3k4/2m5/5M2/4M3/3KS3/8/8/8 w - 128 127 63", "", "d4c4", "board's honour"),
        ("DeadMaterial=cutechess", "4k3/8/8/8/8/8/8/M3K3 w - - 0 1", "", "e1e2", "dead material"),
        ("CountingRule=fifty-moves", "4k3/pp6/8/8/8/8/PP6/R3K2R w - - 99 80", "", "a1b1", "50-move rule"),
    ] {
        for ruleset in ["", "option Ruleset=fairy-stockfish"] {
            let mut engine = begin();
            let moves = moves.replace(' ', "\n");
            let begin = format!("option RuleParts={parts}\nforce\nsetboard {fen}\n{moves}\nplayother");
            let lines = answer(&mut engine, &format!("{ruleset}\nnopost\nsd 2\n{begin}\nusermove {mv}"));
            let own_moves = |lines: &[String]| -> Vec<String> {
                lines.iter().filter_map(|line| line.strip_prefix("move ")).map(str::to_owned).collect()
            };
            let offers = |lines: &[String]| lines.iter().filter(|line| *line == "offer draw").count();
            let claim = format!("1/2-1/2 {{Draw by {reason}}}");
            if !ruleset.is_empty() {
                assert!(lines.contains(&claim) && offers(&lines) == 0, "{reason}: {lines:?}");
                continue;
            }
            assert!(offers(&lines) == 1 && !lines.contains(&claim), "{reason}: {lines:?}");
            // Another pair of moves, still drawn under our rules.
            let rules = Rules::default().with_parts(parts).unwrap();
            let mut game = Game::from_fen(fen, rules).unwrap();
            for text in moves.split_whitespace().chain([mv]) {
                game.play_uci(text).unwrap();
            }
            for mv in own_moves(&lines) {
                game.play_uci(&mv).unwrap();
            }
            let next = game.position().legal_moves()[0];
            let lines = answer(&mut engine, &format!("usermove {next}"));
            assert_eq!((own_moves(&lines).len(), lines.len()), (1, 1), "{reason}: {lines:?}");
            // It still ponders if the search expects a reply that does not draw again.
            if !["repetition", "dead material"].contains(&reason) {
                game.play(next).unwrap();
                game.play_uci(&own_moves(&lines)[0]).unwrap();
                let next = game.position().legal_moves()[0];
                answer(&mut engine, &format!("hard\nsd 4\nusermove {next}"));
                engine.send(".");
                engine.until("stat01: ");
                engine.send("easy");
            }
            // The opponent accepts the draw, or goes on; a new game has new draws.
            assert_eq!(answer(&mut engine, "result 1/2-1/2 {Draw by agreement}"), [""; 0]);
            let lines = answer(&mut engine, &format!("new\nsd 2\n{begin}\nusermove {mv}"));
            assert_eq!(offers(&lines), 1, "{reason}: {lines:?}");
        }
    }
}

#[test]
fn draw_offers_and_resignation() {
    let mut engine = begin();
    // Hopelessly lost for Black, who accepts a draw, and resigns only if the option allows it.
    let lost =
        "force\nsetboard 4k3/8/pp6/8/8/PP1R4/8/3RK2R w - - 0 30\nsd 5\nnopost\nplayother\nusermove e1e2";
    let lines = answer(&mut engine, &format!("new\n{lost}\ndraw"));
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert!(lines[0].starts_with("move ") && lines[1] == "offer draw", "{lines:?}");
    // Won: the engine accepts no draw.
    let won = "force\nsetboard 4k3/8/pp1r4/r7/8/PP6/8/4K3 w - - 0 30\nsd 5\nnopost\nplayother\nusermove e1e2";
    let lines = answer(&mut engine, &format!("new\n{won}\ndraw"));
    assert!(lines.len() == 1 && lines[0].starts_with("move "), "{lines:?}");

    engine.send(
        "option Resign=1\nnew\nforce\nsetboard 4k3/8/pp6/8/8/PP1R4/8/3RK2R w - - 0 30\nsd 4\nplayother",
    );
    let mut game = Game::from_fen("4k3/8/pp6/8/8/PP1R4/8/3RK2R w - - 0 30", Rules::default()).unwrap();
    let resigned = (0..8).any(|_| {
        let ours = if game.position().parse_move("e1e2").is_ok_and(|mv| game.play(mv).is_ok()) {
            "e1e2"
        } else {
            game.play_uci("e2e1").unwrap();
            "e2e1"
        };
        let lines = answer(&mut engine, &format!("usermove {ours}"));
        if let Some(mv) = lines.iter().find_map(|line| line.strip_prefix("move ")) {
            game.play_uci(mv).unwrap();
        }
        lines.iter().any(|line| line == "resign")
    });
    assert!(resigned);
}

#[test]
fn hints_books_and_variants() {
    let mut engine = begin();
    engine.send("hint");
    let hint = engine.until("Hint: ").split_off("Hint: ".len());
    Game::new(Rules::default()).play_uci(&hint).unwrap();
    assert_eq!(answer(&mut engine, "bk"), ["\tThere is no opening book.", ""]);

    let lines = answer(&mut engine, "variant cambodian");
    assert!(lines[0].starts_with("setup (PN.R.M....SKpn.r.m....sk) 8x8+0_makruk rnsmksnr/"), "{lines:?}");
    assert!(lines.contains(&"piece K& KismN".to_owned()), "{lines:?}");
    // A khun's leap, which only Ouk Chaktrang has.
    assert_eq!(answer(&mut engine, "force\nusermove d1b2"), [""; 0]);
    assert_eq!(answer(&mut engine, "new\nvariant makruk\nforce\nusermove e3e4"), [""; 0]);
}

/// Both protocols copy what they read and write to a file, with marks for the direction.
#[test]
fn conversations_are_logged() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("debug.log");
    let _ = std::fs::remove_file(&path);
    let mut engine = EngineProcess::start();
    engine.send(&format!("setoption name Debug Log File value {}", path.display()));
    engine.send("isready\nxboard\nprotover 2\nping 3\noption Debug Log File=\nping 4");
    engine.until("pong 4");
    let log = std::fs::read_to_string(&path).unwrap();
    assert!(log.starts_with("> isready\n< readyok\n> xboard\n> protover 2\n< feature done=0\n"), "{log}");
    assert!(log.ends_with("< pong 3\n> option Debug Log File=\n"), "{log}");
    engine.send("option Debug Log File=/no/such/folder/debug.log");
    engine.until("# debug log not written: ");
    engine.send("quit");
    engine.ends_well();
}

#[test]
fn the_end_of_input_ends_the_program() {
    for begins in ["xboard\nst 100\ngo\nforce", "xboard\nanalyze", "protover 2", "xboard\nhard\nsd 3\ngo"] {
        let mut engine = EngineProcess::start();
        engine.send(begins);
        engine.close_input();
        engine.ends_well();
    }
}

/// Under Wikipedia's rules a mate by the counting side only draws, unless it has stopped its count.
#[test]
fn a_counter_stops_before_it_mates() {
    let mut engine = begin();
    engine.send(
        "option Ruleset=wikipedia\nsd 4\nnopost\nforce\nsetboard 1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60",
    );
    let lines = answer(&mut engine, "go");
    assert_eq!(lines, ["# count-stop", "move g3a3", "0-1 {Black mates}"]);
}

/// A script may pipe its commands in: the engine still makes its move.
#[test]
fn a_move_is_finished_at_the_end_of_input() {
    for begins in ["xboard\nst 1000\nsd 8\nusermove e3e4", "xboard\nsd 8\npost\ngo"] {
        let mut engine = EngineProcess::start();
        engine.send(begins);
        engine.close_input();
        next_move(&engine);
        engine.ends_well();
    }
}
