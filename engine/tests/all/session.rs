//! One session of UCI through all front ends: the blocking reader, threads, and slices on the calling thread.

use std::io::{BufReader, Read};
use std::time::{Duration, Instant};

use sakmak_engine::bench::DEFAULT_DEPTH;
use sakmak_engine::uci::{Output, Session, run_with_dtm_tables};
use sakmak_engine::{Limits, Listener, SearchInfo};
use sakmak_eval::DtmTables;
use sakmak_eval::network::features::{INPUTS, OUTPUT_BUCKETS};
use sakmak_eval::network::{Network, WIDTH};
use sakmak_movegen::{Game, Move, Rules};

/// Commands whose answers do not depend on the clock.
const COMMANDS: &str = include_str!("../../../tests/data/session.uci");

type Start = fn(Output, &DtmTables) -> Result<Session, sakmak_engine::tt::HashAllocationError>;

fn start(start: Start) -> (Session, Output) {
    let output = Output::buffer();
    (start(output.clone(), &DtmTables::default()).unwrap(), output)
}

/// Executes all commands, each once the one before is done. Returns the answers to each.
fn answers(start: Start, tables: &DtmTables, budget: Duration) -> Vec<String> {
    let output = Output::buffer();
    let mut session = start(output.clone(), tables).unwrap();
    let answer = |line| {
        assert!(session.command(line), "{line}");
        while session.step(budget) {}
        without_times(&output.take())
    };
    COMMANDS.lines().map(answer).collect()
}

/// The text without the numbers that depend on the clock: `time N`, `nps N` and `N nps`.
fn without_times(text: &str) -> String {
    let is_clock = |word: &str| ["time", "nps"].contains(&word);
    let line = |line: &str| {
        let words: Vec<_> = line.split(' ').collect();
        let at = |index: usize| words.get(index).copied().unwrap_or_default();
        let is_speed = |index: usize| {
            index + 2 == words.len() && line.ends_with(" nps") || index > 0 && is_clock(at(index - 1))
        };
        let kept = (0..words.len()).filter(|&index| words[index].parse::<u64>().is_err() || !is_speed(index));
        kept.map(at).collect::<Vec<_>>().join(" ") + "\n"
    };
    text.lines().map(line).collect()
}

/// Gives a line once the lines before it have their answers.
struct Waiting<'a> {
    lines: std::iter::Zip<std::str::Lines<'a>, std::slice::Iter<'a, String>>,
    /// Lines to wait for.
    expected: usize,
    output: Output,
}

impl Read for Waiting<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        // Then the comparison shows what is missing.
        let given_up = Instant::now() + Duration::from_secs(120);
        while self.output.text().lines().count() < self.expected && Instant::now() < given_up {
            std::thread::sleep(Duration::from_millis(1));
        }
        let Some((line, answer)) = self.lines.next() else { return Ok(0) };
        self.expected += answer.lines().count();
        let bytes = format!("{line}\n");
        buffer[..bytes.len()].copy_from_slice(bytes.as_bytes());
        Ok(bytes.len())
    }
}

#[test]
fn all_front_ends_answer_the_same() {
    let tables = DtmTables::default();
    tables.solve_all();
    let whole = answers(Session::on_calling_thread, &tables, Duration::MAX);
    let with_thread = answers(Session::new, &tables, Duration::MAX);
    for ((line, one), other) in COMMANDS.lines().zip(&whole).zip(&with_thread) {
        assert_eq!(one, other, "{line}");
    }

    let output = Output::buffer();
    let lines = COMMANDS.lines().zip(&whole);
    let input = BufReader::new(Waiting { lines, expected: 0, output: output.clone() });
    run_with_dtm_tables(input, output.clone(), &tables).unwrap();
    for (one, other) in whole.concat().lines().zip(without_times(&output.text()).lines()) {
        assert_eq!(one, other);
    }
    assert_eq!(output.text().lines().count(), whole.concat().lines().count());

    // In small slices a search takes other nodes: its lines may differ, their number of answers not.
    let slices = answers(Session::on_calling_thread, &tables, Duration::ZERO);
    for ((line, one), other) in COMMANDS.lines().zip(&whole).zip(&slices) {
        let kept = |text: &String| -> Vec<String> {
            let lines = text.lines().filter(|line| !line.starts_with("info depth "));
            lines
                .map(|line| if line.starts_with("bestmove ") { "bestmove" } else { line }.to_owned())
                .collect()
        };
        assert_eq!(kept(one), kept(other), "{line}");
    }
    assert!(whole.concat().matches("bestmove").count() > 10, "{whole:#?}");
}

/// Calls `step` until the session has written `text`.
fn step_until(session: &mut Session, output: &Output, text: &str) {
    while !output.text().contains(text) {
        assert!(session.step(Duration::from_millis(1)), "no {text}: {}", output.text());
    }
}

#[test]
fn without_a_thread_bench_has_a_largest_depth_and_quit_answers() {
    let (mut session, output) = start(Session::on_calling_thread);
    session.command("bench 40");
    assert_eq!(
        output.take(),
        format!("info string bench: depth {DEFAULT_DEPTH}, the largest without a thread\n")
    );
    session.command("stop");
    assert_eq!(output.take(), "info string bench stopped\n");
    session.command("go infinite");
    assert!(!session.command("quit"));
    assert!(output.take().contains("bestmove "));
}

#[test]
fn commands_between_slices_stop_a_search() {
    for new in [Session::new as Start, Session::on_calling_thread] {
        let (mut session, output) = start(new);
        session.command("go infinite");
        step_until(&mut session, &output, "info depth 4 ");
        session.command("isready");
        assert!(output.text().contains("readyok\n") && !output.text().contains("bestmove"));
        session.command("stop");
        assert_eq!(output.take().matches("bestmove").count(), 1);
        // A search that ends by itself holds its answer until `stop`.
        session.command("position fen 7k/8/6K1/8/8/8/8/R7 w - - 0 1");
        session.command("go infinite depth 2");
        step_until(&mut session, &output, "info depth 2 ");
        session.command("isready");
        session.step(Duration::from_millis(1));
        assert!(!output.text().contains("bestmove"), "{}", output.text());
        session.command("stop");
        assert!(output.take().ends_with("bestmove a1a8\n"));
        session.command("go perft 30");
        assert!(session.step(Duration::from_millis(1)));
        session.command("stop");
        assert_eq!(output.take(), "info string perft stopped\n");
        // A job does not keep the search waiting, nor the search the job.
        session.command("position fen 8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60");
        session.command("go infinite");
        session.command("eval");
        step_until(&mut session, &output, "info depth 4 ");
        step_until(&mut session, &output, "Endgame table: drawn\n");
        session.command("stop");
        assert!(output.take().contains("\nbestmove "));
        assert!(session.command("xboard"));
        assert!(output.take().starts_with("info string only the program speaks XBoard"));
    }
}

#[test]
fn a_ponder_search_answers_after_ponderhit() {
    for new in [Session::new as Start, Session::on_calling_thread] {
        let (mut session, output) = start(new);
        session.command("go ponder depth 3");
        step_until(&mut session, &output, "info depth 3 ");
        session.step(Duration::from_millis(1));
        assert!(!output.text().contains("bestmove"));
        session.command("ponderhit");
        while session.step(Duration::from_millis(1)) {}
        assert_eq!(output.take().matches("bestmove").count(), 1);
        session.command("go ponder wtime 50 btime 50");
        step_until(&mut session, &output, "info depth 5 ");
        session.command("ponderhit");
        while session.step(Duration::from_millis(1)) {}
        assert_eq!(output.take().matches("bestmove").count(), 1);
    }
}

#[test]
fn a_session_that_ends_stops_its_search() {
    for new in [Session::new as Start, Session::on_calling_thread] {
        for last in ["quit", "d"] {
            let (mut session, output) = start(new);
            session.command("go infinite");
            step_until(&mut session, &output, "info depth 2 ");
            assert_eq!(session.command(last), last != "quit");
            drop(session);
            assert_eq!(output.take().matches("bestmove").count(), 1);

            let (mut session, output) = start(new);
            session.command("go perft 30");
            session.command(last);
            drop(session);
            assert!(output.text().ends_with("info string perft stopped\n"), "{}", output.text());
        }
    }
}

#[test]
fn what_has_an_end_is_finished() {
    for new in [Session::new as Start, Session::on_calling_thread] {
        let (mut session, output) = start(new);
        session.command("go depth 4");
        session.finish();
        assert!(output.text().contains("info depth 4 ") && output.take().contains("\nbestmove "));
        session.command("go perft 3");
        session.command("bench 1");
        session.finish();
        assert!(output.text().contains("Nodes searched: 12012\n") && output.take().ends_with(" nps\n"));
        session.command("go infinite");
        session.finish();
        assert!(output.take().contains("bestmove "));
    }
}

#[test]
fn between_searches_the_calling_thread_solves_the_tables() {
    let (mut session, output) = start(Session::on_calling_thread);
    assert!(!session.step(Duration::ZERO), "nothing asked for");
    session.command("isready");
    let mut slices = 0;
    while session.step(Duration::ZERO) {
        slices += 1;
    }
    assert!(slices > 50, "{slices}");
    session.command("d");
    assert!(output.text().contains("\nDTM tables: 8 of 8 solved"), "{}", output.text());
    session.command("setoption name Threads value 3");
    session.command("isready");
    let refusal = "info string cannot start 3 search threads: unsupported; keeping 1\nreadyok\n";
    assert!(output.text().ends_with(refusal), "{}", output.text());
}

#[test]
fn a_network_comes_from_memory_or_not() {
    let (mut session, output) = start(Session::on_calling_thread);
    assert!(session.load_network("none.nnue", b"no network").is_err());
    assert!(
        output
            .take()
            .starts_with("info string network none.nnue not loaded: not a network of Sakmak; keeping ")
    );
    let zero = |count| vec![0; count];
    let (inputs, biases, outputs) = (zero(INPUTS * WIDTH), zero(WIDTH), zero(OUTPUT_BUCKETS * 2 * WIDTH));
    let bytes = Network::to_bytes("all zero", &inputs, &biases, &outputs, &[0; OUTPUT_BUCKETS]);
    session.load_network("zero.nnue", &bytes).unwrap();
    assert!(output.take().starts_with("info string network zero.nnue: "));
    session.command("eval");
    assert!(output.take().contains("Final evaluation +0.00 "));
    // The option brings back the network compiled in.
    session.command("setoption name EvalFile value ");
    assert!(output.take().starts_with("info string network compiled in: "));
}

#[test]
fn a_session_has_settings_that_uci_has_not() {
    let (mut session, output) = start(Session::on_calling_thread);
    let mut play = |seed| {
        session.set_seed(seed);
        session.command("ucinewgame");
        session.command("setoption name UCI_LimitStrength value true");
        session.command("setoption name UCI_Elo value 600");
        session.command("position startpos");
        session.command("go");
        while session.step(Duration::from_millis(1)) {}
        output.take().lines().last().unwrap_or_default().to_owned()
    };
    let moves: std::collections::HashSet<_> = (0..12).map(|seed| play(Some(seed))).collect();
    assert!(moves.len() > 4, "{moves:?}");
    assert_eq!(play(Some(7)), play(Some(7)));

    // The count leaves no time for the mate.
    let (mut session, output) = start(Session::on_calling_thread);
    session.command("position fen 8/3K4/8/1R5R/6k1/8/8/8 w - 16 15 58");
    for (ignores_count, finds_mate) in [(false, false), (true, true), (false, false)] {
        session.set_ignores_count(ignores_count);
        session.command("go depth 8");
        while session.step(Duration::from_millis(1)) {}
        assert_eq!(output.take().contains("score mate"), finds_mate, "{ignores_count}");
    }
}

struct Silent;

impl Listener for Silent {
    fn info(&mut self, _: &SearchInfo) {}
    fn finished(&mut self, _: Option<Move>, _: Option<Move>) {}
}

#[test]
fn the_engine_of_a_session_is_used_beside_uci() {
    for new in [Session::new as Start, Session::on_calling_thread] {
        let (mut session, output) = start(new);
        session.command("position startpos moves e3e4");
        session.command("go infinite");
        let engine = session.engine_mut();
        let game = Game::from_fen("7k/8/6K1/8/8/8/8/R7 w - - 0 1", Rules::default()).unwrap();
        let settings = engine.settings().clone();
        assert_eq!(engine.go_in(game, settings, Limits::depth(3), Silent), []);
        while session.step(Duration::from_millis(1)) {}
        assert_eq!(output.take().matches("bestmove").count(), 1, "only that of UCI's search");
        assert_eq!(session.engine().game().len(), 1);
        session.command("go depth 2");
        while session.step(Duration::from_millis(1)) {}
        assert!(!output.take().contains("bestmove a1a8"));
    }
}

#[test]
fn near_an_ending_the_tables_are_solved_beside_the_search() {
    for (position, solves) in [("fen 8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60", true), ("startpos", false)] {
        let (mut session, output) = start(Session::on_calling_thread);
        session.command(&format!("position {position}"));
        session.command("go infinite");
        for _ in 0..400 {
            assert!(session.step(Duration::from_micros(100)));
        }
        assert_eq!(session.engine().dtm_tables().solved() > 0, solves, "{position}");
        session.command("stop");
        output.take();
    }
    // The position that is searched decides, whatever game the session has.
    let (mut session, _output) = start(Session::on_calling_thread);
    session.command("go infinite");
    let engine = session.engine_mut();
    let game = Game::from_fen("8/8/8/3k4/8/2P5/1M6/4K3 w - - 0 60", Rules::default()).unwrap();
    let (settings, limits) = (engine.settings().clone(), Limits { infinite: true, ..Limits::default() });
    assert_eq!(engine.go_in(game, settings, limits, Silent), []);
    for _ in 0..400 {
        assert!(session.step(Duration::from_micros(100)));
    }
    assert!(session.engine().game().is_empty() && session.engine().dtm_tables().solved() > 0);
}

/// An opponent's move depends on the game and the seed alone: not on Hash, earlier searches, clock or threads.
#[test]
fn an_opponent_makes_the_same_move_for_the_same_seed() {
    let position = "position startpos moves e3e4 d6d5 b1d2 g8e7";
    let play = |session: &mut Session, output: &Output, opponent: &str, seed: u32, go: &str| {
        session.command(&format!("setoption name Opponent value {opponent}"));
        session.command(&format!("setoption name Seed value {seed}"));
        session.command(position);
        session.command(go);
        while session.step(Duration::from_millis(1)) {}
        output.take().lines().last().unwrap_or_default().to_owned()
    };
    for opponent in ["Snail", "Monkey", "Tiger"] {
        let (mut first, output) = start(Session::on_calling_thread);
        let moves: Vec<_> =
            (1..6).map(|seed| play(&mut first, &output, opponent, seed, "go movetime 1")).collect();
        let (mut second, output) = start(Session::new);
        second.command("setoption name Hash value 3");
        second.command("setoption name Threads value 2");
        second.command(position);
        second.command("go depth 9");
        while second.step(Duration::from_millis(1)) {}
        output.take();
        let again: Vec<_> = (1..6)
            .rev()
            .map(|seed| play(&mut second, &output, opponent, seed, "go wtime 9000 btime 9000"))
            .collect();
        assert_eq!(moves, again.into_iter().rev().collect::<Vec<_>>(), "{opponent}");
        assert!(moves.iter().all(|line| line.starts_with("bestmove ")), "{moves:?}");
    }
    // Analysis is at full strength.
    let (mut session, output) = start(Session::on_calling_thread);
    session.command("setoption name UCI_AnalyseMode value true");
    assert!(play(&mut session, &output, "Snail", 1, "go depth 6").starts_with("bestmove "));
    session.command("setoption name Opponent value Dragon");
    assert!(output.take().contains("option Opponent: 'Dragon' is not none or Snail or "));
}
