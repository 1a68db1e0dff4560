//! UCI as GUIs and people use it: changes of rules, broken move lists, counting by hand, options and displays.

use sakmak_eval::network::Network;
use sakmak_tests::uci::{last_of, patient_session as session, starting, stopped_after, without_times};

const START: &str = "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1";

/// Depth, score and nodes of each `info` line, and the best move: all that does not depend on the clock.
fn search_of(lines: &[String]) -> Vec<String> {
    let is_reported = |line: &&String| line.starts_with("info depth") || line.starts_with("bestmove");
    lines.iter().filter(is_reported).map(|line| without_times(line)).collect()
}

/// The output after the last `readyok`.
fn after_ready(lines: &[String]) -> &[String] {
    let ready = lines.iter().rposition(|line| line == "readyok").expect("readyok");
    &lines[ready + 1..]
}

#[test]
fn a_change_of_rules_clears_the_tables() {
    const HUNT: &str = "position fen 4k3/8/8/8/3s4/8/1m6/K1RR4 w - - 0 40 moves a1b2\ngo depth 7\n";
    const OPENING: &str = "position startpos moves e3e4\ngo depth 7\n";
    for (option, position) in [
        ("Ruleset value wikipedia", HUNT),
        ("UCI_Variant value cambodian", OPENING),
        ("Repetition value none", OPENING),
        ("RuleParts value CountingRule=chessvariants", HUNT),
    ] {
        let fresh = session(&format!("setoption name {option}\n{position}isready\n"));
        let changed = session(&format!("{position}setoption name {option}\nisready\n{position}"));
        assert_eq!(search_of(after_ready(&changed)), search_of(&fresh), "{option}");
    }
}

#[test]
fn the_same_rules_again_forget_nothing() {
    const SEARCH: &str = "position startpos moves e3e4\ngo depth 7\n";
    let plain = session(&format!("{SEARCH}isready\n{SEARCH}"));
    let fresh = search_of(&session(SEARCH));
    assert_ne!(search_of(after_ready(&plain)), fresh, "the table must help");
    for same in [
        "setoption name Ruleset value fairy-stockfish",
        "setoption name UCI_Variant value makruk",
        "setoption name RuleParts value ",
        // To other rules and back, without a search in between.
        "setoption name Ruleset value none\nsetoption name Ruleset value fairy-stockfish",
    ] {
        let lines = session(&format!("{SEARCH}{same}\nisready\n{SEARCH}"));
        assert_eq!(search_of(after_ready(&lines)), search_of(after_ready(&plain)), "{same}");
    }
}

/// Stockfish's `reprosearch`: in one process, after `ucinewgame`, the same searches take the same nodes.
#[test]
fn searches_are_reproduced_after_ucinewgame() {
    let mut round = String::new();
    for fen in sakmak_engine::bench::POSITIONS.iter().step_by(3) {
        // The second search uses the TT entries of the first.
        round.push_str(&format!("ucinewgame\nposition fen {fen}\ngo depth 8\ngo nodes 5000\n"));
    }
    let lines = session(&round.repeat(2));
    let searches = search_of(&lines);
    assert!(searches.len() > 2 * 8 * 9, "{}", searches.len());
    let (first, second) = searches.split_at(searches.len() / 2);
    assert_eq!(first, second);
    // Without `ucinewgame` they would differ.
    let kept = session(&round.replace("ucinewgame\n", "").repeat(2));
    let kept = search_of(&kept);
    let (first, second) = kept.split_at(kept.len() / 2);
    assert_ne!(first, second);
}

/// `e1e3` is the leap of a met under other rules.
const CROWDED: &str = "fen r3k2r/2s1ns2/1p3ppp/p1m5/2Pp1N1P/PP1PnNS1/1KS1R3/R3M3 w E - 2 17";

#[test]
fn a_broken_move_list_never_moves_for_the_wrong_side() {
    for (position, go) in [
        (format!("{CROWDED} moves e1e3"), "go depth 6"),
        ("startpos moves a3a4 e2e4".to_owned(), "go depth 3"),
        ("startpos moves a3a4 zz99 a6a5 b3b4".to_owned(), "go movetime 20"),
        ("startpos moves (none)".to_owned(), "go nodes 100"),
    ] {
        let lines = session(&format!("position {position}\n{go}\n"));
        assert_eq!(starting(&lines, "bestmove"), ["bestmove (none)"], "{position}: {lines:#?}");
        assert_eq!(starting(&lines, "info string").len(), 2, "{position}: {lines:#?}");
        assert!(starting(&lines, "info depth").is_empty(), "{position}: {lines:#?}");
    }
}

#[test]
fn a_broken_move_list_with_the_right_side_to_move_is_searched() {
    // The moves before the illegal one are made, and it is Black's turn both there and after the whole list.
    let lines = session("position startpos moves a3a4 e2e4 a6a5\nd\ngo depth 3 searchmoves b6b5\n");
    let complaint = starting(&lines, "info string");
    assert!(complaint.len() == 1 && complaint[0].contains("move 2 'e2e4' is not legal here"), "{lines:#?}");
    assert!(last_of(&lines, "Fen: ").starts_with("rnsmksnr/8/pppppppp/8/P7/1PPPPPPP/8/RNSKMSNR b"));
    assert!(last_of(&lines, "bestmove ").starts_with("b6b5"), "{lines:#?}");
}

/// Whoever's turn it is in the position before.
#[test]
fn after_a_refused_position_no_move_is_made_until_one_is_accepted() {
    for position in [
        "fen 8/8/8/8/1k6/7S/S5K1/8 w - 44 -56 60",
        "fen 4k3/8/8/8/8/8/8/8 b - - 0 1",
        "fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 moves e2e4",
        "fen",
        "",
        "start moves e3e4",
    ] {
        let go = "go nodes 500\nucinewgame\nisready\nsetoption name UCI_Variant value cambodian\ngo depth 1";
        let lines = session(&format!("position startpos moves a3a4 a6a5\nposition {position}\n{go}\n"));
        assert_eq!(starting(&lines, "bestmove"), ["bestmove (none)"; 2], "{position}: {lines:#?}");
        let no_search = starting(&lines, "info string no search: the requested position was refused");
        assert_eq!(no_search.len(), 2, "{position}: {lines:#?}");
        for accepted in ["position startpos", "flip"] {
            let lines = session(&format!("position {position}\n{accepted}\ngo depth 1\n"));
            assert_ne!(last_of(&lines, "bestmove "), "(none)", "{position}: {lines:#?}");
        }
        // Output about the position before says that it is the old one.
        let lines = session(&format!("position startpos moves a3a4\nposition {position}\nd\n"));
        assert!(last_of(&lines, "Fen: ").starts_with("rnsmksnr/8/pppppppp/8/P7/"), "{position}: {lines:#?}");
        for command in ["d", "eval", "go perft 1"] {
            let lines = session(&format!("position startpos\n{command}\nposition {position}\n{command}\n"));
            let about = "info string the requested position was refused; this is about the one before";
            assert_eq!(starting(&lines, about).len(), 1, "{position} {command}: {lines:#?}");
        }
    }
}

#[test]
fn a_refused_search_ends_when_the_protocol_says_so() {
    for end in ["stop", "ponderhit"] {
        let go = if end == "stop" { "infinite" } else { "ponder wtime 100 btime 100" };
        let lines = session(&format!("position startpos moves e2e4\ngo {go}\nisready\n{end}\nstop\n"));
        let ready = lines.iter().position(|line| line == "readyok").expect("readyok");
        let best = lines.iter().position(|line| line.starts_with("bestmove")).expect("bestmove");
        assert!(ready < best, "{lines:#?}");
        assert_eq!(starting(&lines, "bestmove"), ["bestmove (none)"]);
    }
    // The next position is searched as usual.
    let lines =
        session("position startpos moves e2e4\ngo depth 1\nposition startpos moves e3e4\ngo depth 1\n");
    let best = starting(&lines, "bestmove");
    assert!(best.len() == 2 && best[1] != "bestmove (none)", "{lines:#?}");
}

#[test]
fn a_forgotten_word_is_reported() {
    let lines = session("position startpos e3e4 e6e5\nd\n");
    assert!(last_of(&lines, "info string ").contains("'moves' is missing before 'e3e4'"), "{lines:#?}");
    assert!(last_of(&lines, "Fen: ").starts_with("rnsmksnr/8/pppp1ppp/4p3/4P3/"), "{lines:#?}");
    let lines = session("position startpos now moves e3e4\nd\n");
    assert!(last_of(&lines, "info string ").contains("'now'"), "{lines:#?}");
    assert!(last_of(&lines, "Fen: ").starts_with("rnsmksnr/8/pppppppp/8/4P3/"), "{lines:#?}");
    for good in ["position startpos", "position startpos moves", "position startpos moves e3e4"] {
        assert!(session(good).is_empty(), "{good}");
    }
    let lines = session("position fen 4k3/8/8/P7/8/8/3R4/4K3 w - - 0 1 moves a5a6\n");
    assert!(last_of(&lines, "info string ").contains("write a5a6m"), "{lines:#?}");
}

#[test]
fn a_change_of_game_starts_it_anew_without_complaint() {
    // d1b2 is the khun's leap, which makruk does not have.
    let ouk = "setoption name UCI_Variant value cambodian\nposition startpos moves d1b2 a6a5\n";
    let lines = session(&format!("{ouk}setoption name UCI_Variant value makruk\nd\ngo depth 1\n"));
    assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
    assert_eq!(last_of(&lines, "Fen: "), START);
    assert_ne!(last_of(&lines, "bestmove "), "(none)");
    // The game is not lost: its own rules bring it back.
    let back = "setoption name UCI_Variant value makruk\nsetoption name UCI_Variant value cambodian\nd\n";
    let lines = session(&format!("{ouk}{back}"));
    assert!(last_of(&lines, "Fen: ").contains("/1K6/RNS1MSNR w "), "{lines:#?}");
    let mirrored = "position startpos moves d1c2\nsetoption name RuleParts value StartArray=mirrored\n\
        position startpos moves e1f2\nsetoption name Ruleset value cutechess\n\
        setoption name RuleParts value \nd\n";
    assert!(starting(&session(mirrored), "info string").is_empty());

    // A list with an illegal move may be legal under rules chosen later; else it stays refused.
    let late = session("position startpos moves d1b2\nsetoption name SutKhun value on\nd\n");
    assert!(last_of(&late, "Fen: ").contains("/1K6/RNS1MSNR b "), "{late:#?}");
    let never = session("position startpos moves e2e4\nsetoption name Ruleset value none\ngo depth 1\n");
    assert_eq!(last_of(&never, "bestmove "), "(none)");
}

/// White's bare khun against two rua: K+2R against K, counted from 4 to 8.
const BARE: &str = "position fen 4k3/8/8/8/8/8/1m6/K1RR4 w - - 0 40 moves a1b2";

fn count_of(lines: &str) -> String {
    last_of(&session(lines), "Count: ").to_owned()
}

#[test]
fn a_player_starts_and_stops_the_count_within_the_moves() {
    let wikipedia = "setoption name Ruleset value wikipedia\n";
    let count = |moves: &str| count_of(&format!("{wikipedia}{BARE} {moves}\nd\n"));
    assert_eq!(count("e8f7 c1c3"), "pieces 5/8, white may make 3 more moves");
    assert_eq!(count("count-stop e8f7 c1c3"), "none");
    assert_eq!(count("count-stop e8f7 c1c3 f7f6 d1f1"), "none", "the next position carries the words along");
    assert_eq!(count("count-stop e8f7 c1c3 count-start"), "pieces 4/8, white may make 4 more moves");
    // The first flight of the khun is counted as the number of pieces.
    assert_eq!(count("e8f7 c1c3 count-start f7f6"), "pieces 4/8, white may make 4 more moves");
    assert_eq!(count("e8f7 c1c3 f7f6"), "pieces 5/8, white may make 3 more moves");

    // The board's honour count.
    let board = "position fen 3k4/2r5/8/2s5/8/8/4M3/4K3 w - - 0 40 moves";
    assert_eq!(count_of(&format!("{wikipedia}{board} count-stop e1f2 c7e7\nd\n")), "none");
    let again = count_of(&format!("{wikipedia}{board} count-stop e1f2 c7e7 count-start e2f3 e7e8\nd\n"));
    assert!(again.starts_with("board 1/64"), "{again}");
    // A change of rules keeps the count words in their places.
    let changed =
        format!("{wikipedia}{BARE} count-stop e8f7 c1c3\nsetoption name Repetition value threefold\nd\n");
    assert_eq!(count_of(&changed), "none");
}

/// Under Wikipedia's rules the counting side only draws by a mate, unless it has stopped its count.
#[test]
fn the_engine_stops_its_count_before_it_mates() {
    let position = "position fen 1R6/K1k5/8/8/8/6r1/6R1/2N5 b - 128 20 60";
    let outcome = |rules: &str, moves: &str| {
        let lines = session(&format!("{rules}\n{position} moves {moves}\nd\n"));
        last_of(&lines, "Outcome: ").to_owned()
    };
    let wikipedia = "setoption name Ruleset value wikipedia";
    let wins = "setoption name Ruleset value wikipedia\nsetoption name RuleParts value CounterMate=win";
    let draws = "setoption name Ruleset value knowlton\nsetoption name CounterMate value draw";
    assert_eq!(outcome(wikipedia, "g3a3"), "draw (board's honour)");
    assert_eq!(outcome(wikipedia, "count-stop g3a3"), "black wins (checkmate)");
    assert_eq!(outcome(wins, "g3a3"), "black wins (checkmate)");
    assert_eq!(outcome(draws, "g3a3"), "draw (board's honour)");
    for (rules, stops) in [(wikipedia, true), (draws, true), (wins, false), ("isready", false)] {
        let lines = session(&format!("{rules}\n{position}\ngo depth 4\n"));
        assert_eq!(last_of(&lines, "bestmove "), "g3a3", "{rules}");
        let before = lines.iter().rev().nth(1).expect("a line before the move");
        assert_eq!(before == "info string count-stop", stops, "{rules}: {lines:#?}");
    }
    // No other move stops it.
    let lines = session(&format!("{wikipedia}\n{position}\ngo depth 2 searchmoves g3e3\n"));
    assert!(starting(&lines, "info string count-stop").is_empty(), "{lines:#?}");
    // One ply earlier White sees the mate, and sends no count word about Black's count.
    let lines = session(&format!(
        "{wikipedia}\nposition fen 1R6/K1k5/8/8/8/6r1/6R1/1N6 w - 128 19 60\ngo depth 2 searchmoves b1c3\n"
    ));
    assert!(starting(&lines, "info string count-stop").is_empty(), "{lines:#?}");
}

#[test]
fn a_refused_word_of_the_count_is_reported_and_the_moves_go_on() {
    for (position, expected) in [
        (format!("{BARE} count-stop e8f7"), "this count runs by itself"),
        ("position startpos moves e3e4 count-start e6e5".to_owned(), "there is nothing to count here"),
        ("position startpos moves e3e4 count-stop e6e5".to_owned(), "nobody is counting"),
        ("position startpos moves e3e4 count-claim e6e5".to_owned(), "the count has not run out"),
        (format!("setoption name Ruleset value wikipedia\n{BARE} e8f7 count-stop"), "it is black's count"),
    ] {
        let lines = session(&format!("{position}\nd\ngo depth 1\n"));
        let complaint = last_of(&lines, "info string ");
        assert!(complaint.contains(expected) && complaint.contains("'count-"), "{complaint}");
        assert!(last_of(&lines, "Fen: ").contains(" w "), "{lines:#?}");
        assert_ne!(last_of(&lines, "bestmove "), "(none)");
    }
}

#[test]
fn a_claimed_draw_is_the_outcome() {
    let manual = "setoption name Ruleset value schemingmind\nsetoption name CountClaim value manual\n";
    let hunt = "position fen 7k/R7/5K2/8/8/8/8/1R6 w - 16 15 30 moves b1b2";
    let outcome =
        |tail: &str| last_of(&session(&format!("{manual}{hunt} {tail}\nd\n")), "Outcome: ").to_owned();
    assert_eq!(outcome(""), "ongoing");
    assert_eq!(outcome("count-claim"), "draw (pieces' honour)");
}

#[test]
fn the_display_says_whose_turn_it_is() {
    for (moves, side, rank) in [("", "white", " | 1 *"), ("e3e4", "black", " | 8 *")] {
        let lines = session(&format!("position startpos moves {moves}\nd\n"));
        assert_eq!(last_of(&lines, "Side to move: "), side);
        let marked: Vec<_> = lines.iter().filter(|line| line.ends_with('*')).collect();
        assert!(marked.len() == 1 && marked[0].ends_with(rank), "{lines:#?}");
    }
}

#[test]
fn the_evaluation_shows_the_pieces_and_the_network() {
    let lines = session("eval\n");
    assert_eq!(lines.len(), 14, "no count is near: {lines:#?}");
    assert!(lines[0].starts_with("Value of each piece") && lines[0].ends_with("(white side)"));
    // The rank, then piece and value.
    for (line, rank, sign) in [
        (1, "8 r n s m k s n r", '-'),
        (3, "6 p p p p p p p p", '-'),
        (6, "3 P P P P P P P P", '+'),
        (8, "1 R N S K M S N R", '+'),
    ] {
        let words: Vec<_> = lines[line].split_whitespace().collect();
        let (values, pieces): (Vec<_>, Vec<_>) = words.into_iter().partition(|word| word.starts_with(sign));
        assert_eq!(pieces.join(" "), rank, "{lines:#?}");
        assert_eq!(values.len(), if rank.contains(['k', 'K']) { 7 } else { 8 }, "{lines:#?}");
    }
    assert_eq!(lines[9].split_whitespace().collect::<String>(), "abcdefgh");
    assert_eq!(lines[10].split_whitespace().last(), Some("*29-32"));
    assert!(lines[11].starts_with("its output            | "), "{lines:#?}");
    let network = Network::embedded().to_string();
    assert!(lines[12].starts_with("network               | ") && lines[12].ends_with(&network));
    assert!(lines[13].starts_with("Final evaluation "), "{lines:#?}");
    let bare = session("position fen 4k3/8/8/8/8/8/8/R3K3 w - 32 9 60\neval\n");
    assert!(bare[0].starts_with("A khun is bare"), "{bare:#?}");
    assert!(!bare.iter().any(|line| line.starts_with("Value of each piece") || line.starts_with("network")));
}

#[test]
fn the_evaluation_under_other_counts_is_shown_where_a_count_is_near() {
    for (fen, is_near) in [
        ("3mk3/8/p7/8/8/P7/8/R2SK3 w - - 0 60", false),
        ("3mk3/8/8/8/8/8/8/R2SK3 w - - 0 60", true),
        ("3mk3/8/8/8/8/8/8/R2SK3 b - 128 32 60", true),
        ("4k3/8/8/8/8/8/8/R3K3 w - 32 9 60", true),
    ] {
        let lines = session(&format!("position fen {fen}\neval\n"));
        let heads = starting(&lines, "plies left (count)    | ");
        if !is_near {
            assert!(heads.is_empty(), "{lines:#?}");
            continue;
        }
        let evals = last_of(&lines, "evaluation            | ").split_whitespace().collect::<Vec<_>>();
        assert_eq!(
            heads[0].split_whitespace().skip(4).collect::<Vec<_>>().join(" "),
            "none 120 96 64 48 32 16 8 4"
        );
        // The same position with that count.
        for (left, at) in [(None, 0), (Some(96), 2), (Some(8), 7)] {
            let board = fen.split(' ').take(3).collect::<Vec<_>>().join(" ");
            let count = left.map_or("- 0".to_owned(), |left| format!("{left} 0"));
            let lines = session(&format!("position fen {board} {count} 60\neval\n"));
            assert_eq!(last_of(&lines, "Final evaluation "), format!("{} (white side)", evals[at]), "{fen}");
        }
    }
}

#[test]
fn options_come_in_the_order_of_their_use() {
    let lines = session("uci\nisready\n");
    assert!(lines[0].starts_with("id name Sakmak "), "{lines:#?}");
    assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
    let names: Vec<_> = starting(&lines, "option name ")
        .into_iter()
        .map(|line| line["option name ".len()..].split(" type ").next().expect("a name"))
        .collect();
    let expected = [
        "UCI_Variant",
        "Hash",
        "Threads",
        "MultiPV",
        "UCI_LimitStrength",
        "UCI_Elo",
        "Skill Level",
        "Opponent",
        "Seed",
        "Ponder",
        "Clear Hash",
        "Move Overhead",
        "UCI_AnalyseMode",
        "UCI_ShowWDL",
        "EvalFile",
        "TablebasePath",
        "TablebaseProbeDepth",
        "TablebaseProbeLimit",
        "OwnBook",
        "BookFile",
        "BookDepth",
        "BookVariety",
        "EvaluationsFile",
        "Debug Log File",
        "Ruleset",
        "RuleParts",
    ];
    assert_eq!(names, expected);
    assert!(lines.iter().any(|line| line
        == "option name UCI_Variant type combo default makruk var makruk var cambodian var makpong"));
    assert!(lines.iter().any(|line| line == "option name RuleParts type string default <empty>"));
    assert!(lines.iter().any(|line| line.starts_with("option name Hash type spin default 64 ")));
}

/// The table of options in docs/uci.md names every option that `uci` prints, with its range and default.
#[test]
fn the_documentation_has_the_options_the_engine_prints() {
    let rows: Vec<[String; 2]> = include_str!("../../../docs/uci.md")
        .lines()
        .skip_while(|line| *line != "## Options")
        .filter(|line| line.starts_with("| `"))
        .map(|line| {
            let mut cells = line.split('|').map(|cell| cell.trim().replace('`', ""));
            [cells.nth(1).expect("a name"), cells.next().expect("a range")]
        })
        .collect();
    let mut spins = 0;
    for line in starting(&session("uci\n"), "option name ") {
        let (name, kind) = line["option name ".len()..].split_once(" type ").expect("a type");
        let named = |row: &&[String; 2]| row[0].split(", ").any(|of_row| of_row == name);
        let [_, range] = rows.iter().find(named).unwrap_or_else(|| panic!("{name} is not documented"));
        let words: Vec<_> = kind.split(' ').collect();
        match words[..] {
            ["spin", "default", default, "min", min, "max", max] => {
                assert_eq!(*range, format!("{min} to {max} ({default})"), "{name}");
                spins += 1;
            }
            // UCI_LimitStrength shares its row with UCI_Elo.
            ["check", "default", default] if name != "UCI_LimitStrength" => {
                assert_eq!(*range, format!("check ({default})"), "{name}");
            }
            ["button"] => assert_eq!(range, "button", "{name}"),
            ["combo", "default", default, ..] if name == "UCI_Variant" => {
                assert_eq!(*range, format!("{} ({default})", kind_values(&words)), "{name}");
            }
            _ => {}
        }
    }
    assert!(spins > 7, "{spins}");
}

/// The values of a combo option, in the order printed.
fn kind_values(words: &[&str]) -> String {
    let values: Vec<_> = words.windows(2).filter(|pair| pair[0] == "var").map(|pair| pair[1]).collect();
    values.join(", ")
}

#[test]
fn parts_of_the_rules_are_one_text_or_options_of_their_own() {
    let parts = "setoption name RuleParts value SutMet=on sutma=ON TakhaengRueaWhite=both\n";
    let lines = session(&format!("{parts}position startpos moves e1e3 b8c6\nd\n"));
    assert!(starting(&lines, "info string").is_empty(), "{lines:#?}");
    assert!(last_of(&lines, "Fen: ").ends_with("/MNSK1SNM w BGdg - 0 2"), "{lines:#?}");
    // Parts that the text does not name are those of the ruleset.
    for empty in ["", "<empty>"] {
        let lines =
            session(&format!("{parts}setoption name RuleParts value {empty}\nposition startpos\nd\n"));
        assert_eq!(last_of(&lines, "Fen: "), START);
    }
    let behind = "setoption name RuleParts value <empty> SutMet=on\nposition startpos\nd\n";
    assert!(last_of(&session(behind), "Fen: ").ends_with(" w Ed - 0 1"));
    // The option of a single part still sets it, and reports what replaces the option.
    let lines = session(&format!("{parts}setoption name sutma value off\nposition startpos\nd\n"));
    assert!(last_of(&lines, "Fen: ").ends_with("/MNSKMSNM w Ed - 0 1"), "{lines:#?}");
    let deprecated = "option SutMa is deprecated: set RuleParts to SutMa=off";
    assert_eq!(last_of(&lines, "info string "), deprecated);
    // The ruleset and the variant stay.
    let lines = session(
        "setoption name Ruleset value chessvariants\nsetoption name RuleParts value Repetition=none\nd\n",
    );
    assert_eq!(last_of(&lines, "Ruleset: "), "chessvariants");

    for (bad, expected) in [
        ("SutMet", "'SutMet' is not PART=VALUE"),
        ("Fast=on", "'Fast=on' is not of a known part"),
        ("SutMet=on Repetition=often", "Repetition can be ruleset or threefold or none"),
        ("Hash=1", "'Hash=1' is not of a known part"),
    ] {
        let lines = session(&format!("{parts}setoption name RuleParts value {bad}\nposition startpos\nd\n"));
        assert!(last_of(&lines, "info string ").contains(expected), "{lines:#?}");
        assert!(last_of(&lines, "Fen: ").contains("w BEGbdg"), "nothing changes: {lines:#?}");
    }
}

#[test]
fn makpong_is_a_variant() {
    // In check from the rua, the khun may not step aside: it is mate where makruk plays on.
    let check = "position fen 4k3/8/8/8/8/8/8/3KR3 b - - 0 1\nd\n";
    assert_eq!(last_of(&session(&format!("{check}go perft 1\n")), "Nodes searched: "), "4");
    // The search comes first, since it would end the perft.
    let makpong = format!("setoption name UCI_Variant value makpong\n{check}go depth 2\n");
    let lines = session(&format!("{makpong}go perft 1\n"));
    assert_eq!(last_of(&lines, "Nodes searched: "), "0");
    assert_eq!(last_of(&lines, "bestmove "), "(none)");
}

#[test]
fn the_bench_does_not_depend_on_the_options() {
    let nodes = |options: &str| {
        // Deep enough for a TT of 1 MB to lose entries.
        let lines = session(&format!("{options}bench 10\n"));
        lines.last().expect("a line").split(' ').next().expect("nodes").to_owned()
    };
    assert_eq!(nodes("setoption name Hash value 1\n"), nodes(""));
}

/// XBoard and PyChess have no count: they request a move in a game that is drawn under our rules.
#[test]
fn a_drawn_game_is_played_on_as_if_that_were_no_rule() {
    for (options, position, depth, reason, least) in [
        ("", "fen 8/8/3k4/2R5/3K4/8/4M3/8 w - 32 40 30", 14, "pieces' honour", 500),
        ("", "fen 4k3/1r6/8/3R4/3K4/8/4M3/R7 w - 128 130 30", 8, "board's honour", 200),
        (
            "",
            "fen 3k4/8/8/8/8/3K4/8/R7 w - 32 7 40 moves a1b1 d8d7 b1a1 d7d8 a1b1 d8d7 b1a1 d7d8",
            8,
            "repetition",
            500,
        ),
        (
            "setoption name Ruleset value cutechess\n",
            "fen 4k3/8/8/8/8/8/8/MM2K3 w - 128 8 40",
            6,
            "dead material",
            0,
        ),
        (
            "setoption name Ruleset value cutechess\n",
            "fen 7k/8/5K2/8/8/R7/8/8 w - - 100 90",
            8,
            "50-move rule",
            500,
        ),
    ] {
        let lines = session(&format!("{options}position {position}\ngo depth {depth}\n"));
        let note = format!("info string the game is drawn ({reason})");
        assert_eq!(starting(&lines, &note).len(), 1, "{lines:#?}");
        let last = last_of(&lines, &format!("info depth {depth} "));
        let score: Vec<&str> = last.split(' ').skip_while(|word| *word != "score").take(3).collect();
        let value: i32 = score[2].parse().expect("a number");
        assert!(score[1] == "mate" && value > 0 || value >= least, "{position}: {last}");
    }
}

/// The count has run out, the game goes on, and the khun is mated.
#[test]
fn a_hunt_that_missed_its_count_is_still_brought_home() {
    let mut moves = String::new();
    for _ in 0..80 {
        let position = format!("fen 8/8/3k4/2R5/3K4/8/4M3/8 w - 32 40 30 moves{moves}");
        let lines = session(&format!("setoption name Hash value 1\nposition {position}\ngo depth 6\n"));
        let best = last_of(&lines, "bestmove ").split(' ').next().expect("a move").to_owned();
        if best == "(none)" {
            assert!(lines.iter().any(|line| line == "info depth 0 score mate 0"), "{moves}: {lines:#?}");
            return;
        }
        moves = format!("{moves} {best}");
    }
    panic!("no mate: {moves}");
}

/// In a long search the engine reports its progress: after three seconds the root moves, bounds of the score, and the
/// number of nodes every second.
#[test]
fn a_long_search_is_never_silent() {
    let position = "position fen r2mk2r/1s1n1s2/p1p2np1/3pp2p/1P1PP1P1/2N2S1P/2SM1N2/R3K2R w - - 0 14";
    let lines = stopped_after(" currmove ", &format!("{position}\ngo infinite\nstop\n"));
    let number = |line: &str, word: &str| -> Option<u64> {
        line.split(' ').skip_while(|&part| part != word).nth(1).and_then(|text| text.parse().ok())
    };
    let times: Vec<u64> = lines.iter().filter_map(|line| number(line, "time")).collect();
    // A busy machine may miss a second.
    let longest = times.windows(2).map(|pair| pair[1].saturating_sub(pair[0])).max();
    assert!(longest.is_some_and(|gap| gap < 2_900), "{lines:#?}");

    let moves = starting(&lines, "info depth ").into_iter().filter(|line| line.contains(" currmove "));
    let moves: Vec<(u64, String)> = moves
        .map(|line| {
            let mv = line.split(' ').nth(4).expect("a move").to_owned();
            (number(line, "currmovenumber").expect("a number"), mv)
        })
        .collect();
    assert!(!moves.is_empty(), "{lines:#?}");
    assert!(moves.iter().all(|(number, mv)| (1..=60).contains(number) && mv.len() >= 4), "{moves:?}");

    let plain = |line: &&&str| !line.contains(" score ") && !line.contains(" currmove ");
    let effort: Vec<&str> = starting(&lines, "info depth ").iter().filter(plain).copied().collect();
    assert!(!effort.is_empty(), "{lines:#?}");
    for line in &effort {
        assert!(number(line, "nodes") > Some(0) && number(line, "nps") > Some(0), "{line}");
    }
    for line in starting(&lines, "info depth ").iter().filter(|line| line.contains("bound ")) {
        assert!(line.contains(" lowerbound nodes ") || line.contains(" upperbound nodes "), "{line}");
    }
    // A short search reports none of this.
    let short = session(&format!("{position}\ngo depth 6\n"));
    assert!(short.iter().all(|line| !line.contains("currmove") && !line.contains("bound")), "{short:#?}");
}
