//! Searches with threads that panic or are refused, and when the transposition table is kept.

use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::Duration;

use sakmak_eval::BackgroundPriority;
use sakmak_eval::network::Network;
use sakmak_movegen::Move;

use super::*;
use crate::opponents::Opponent;
use crate::search::SearchInfo;
use crate::skill::Skill;
use crate::threads::tests::with_permits;

/// A report of a search.
#[derive(Debug, PartialEq)]
enum Event {
    Warning(String),
    Best(Option<Move>),
}

struct EventSender(Sender<Event>);

impl Listener for EventSender {
    fn info(&mut self, _: &SearchInfo) {}
    fn warn(&mut self, message: &str) {
        self.0.send(Event::Warning(message.to_owned())).unwrap();
    }
    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.0.send(Event::Best(best)).unwrap();
        // The receiver of the move does not wait for the end of this call.
        std::thread::sleep(Duration::from_millis(20));
    }
}

fn engine(threads: usize) -> Engine {
    let mut engine =
        Engine::new(EngineSettings { threads, hash_mb: 1, ..EngineSettings::default() }).unwrap();
    assert_eq!(engine.apply(), []);
    engine
}

fn start(engine: &mut Engine, limits: Limits) -> Receiver<Event> {
    let (sender, events) = channel();
    assert_eq!(engine.go(limits, EventSender(sender)), []);
    events
}

/// The warnings before a legal move, which is the last event.
fn warnings(engine: &mut Engine, limits: Limits) -> Vec<String> {
    let events = start(engine, limits);
    engine.join();
    let mut events: Vec<_> = events.iter().collect();
    let Some(Event::Best(Some(mv))) = events.pop() else { panic!("no move: {events:?}") };
    assert!(engine.position().is_legal(mv), "{mv}");
    events
        .into_iter()
        .map(|event| match event {
            Event::Warning(text) => text,
            Event::Best(_) => panic!("a second move"),
        })
        .collect()
}

#[test]
fn a_search_that_has_reported_its_move_is_over() {
    let mut engine = engine(1);
    for hash_mb in [2, 3, 4] {
        let events = start(&mut engine, Limits::depth(2));
        assert!(matches!(events.recv(), Ok(Event::Best(Some(_)))));
        assert!(!engine.is_searching());
        engine.settings_mut().hash_mb = hash_mb;
        assert_eq!(engine.apply(), []);
        assert_eq!(engine.tt.megabytes(), hash_mb);
    }
}

/// A clock may run, and a large transposition table takes long to clear.
#[test]
fn a_drawn_game_that_goes_on_keeps_the_tables() {
    const DANCE: &str = "b1d2 b8d7 d2b1 d7b8 b1d2 b8d7 d2b1 d7b8";
    let expired = "8/8/3k4/2R5/3K4/8/4M3/8 w - 32 40 30";
    for (before, drawn) in [
        ((None, "b1d2"), (None, DANCE)),
        ((Some("8/8/3k4/2R5/3K4/8/4M3/8 w - 32 30 30"), ""), (Some(expired), "")),
    ] {
        let mut engine = engine(1);
        let set = |engine: &mut Engine, (fen, moves): (Option<&str>, &str)| {
            assert_eq!(engine.set_game(fen, moves.split_whitespace()), []);
            assert_eq!(engine.apply(), []);
        };
        set(&mut engine, before);
        warnings(&mut engine, Limits::nodes(3_000));
        let stored = engine.tt.permille_full();
        assert!(stored > 0);
        set(&mut engine, drawn);
        assert!(engine.ignored_draw().is_some());
        assert_eq!(engine.tt.permille_full(), stored, "{drawn:?}");
        if drawn.0.is_some() {
            set(&mut engine, (None, ""));
            assert_eq!(engine.tt.permille_full(), 0);
        }
    }
}

#[test]
fn the_tables_of_another_network_are_cleared() {
    let mut engine = engine(1);
    let other = Arc::new(Network::clone(Network::embedded()));
    let changes: [&dyn Fn(&mut EngineSettings); 2] =
        [&|settings| settings.network = Arc::clone(&other), &|settings| {
            settings.network = Arc::clone(Network::embedded())
        }];
    for change in changes {
        warnings(&mut engine, Limits::nodes(3_000));
        assert_eq!(engine.apply(), []);
        assert!(engine.tt.permille_full() > 0);
        change(engine.settings_mut());
        assert_eq!(engine.apply(), []);
        assert_eq!(engine.tt.permille_full(), 0);
    }
}

#[test]
fn a_panic_costs_one_thread_and_no_move() {
    // A fault at node 0 comes before the search can end otherwise.
    for (threads, faulty, fault) in
        [(1, 0..1, 0), (1, 0..1, 3_000), (2, 0..1, 1_000), (2, 1..2, 0), (3, 0..3, 0)]
    {
        let mut engine = engine(threads);
        faulty.clone().for_each(|id| engine.pool.submit(id, move |worker| worker.fault = Some(fault)));
        let warned = warnings(&mut engine, Limits::nodes(30_000));
        assert_eq!(warned, vec!["a search thread failed: a fault for a test"; faulty.len()]);
        assert_eq!(engine.pool.len(), threads);
        assert_eq!(warnings(&mut engine, Limits::nodes(30_000)), [""; 0], "new workers, the fault is gone");
    }
}

#[test]
fn after_a_panic_the_allowed_moves_are_played() {
    let mut engine = engine(1);
    let only = engine.position().parse_move("h3h4").unwrap();
    for fault in [0, 2_000] {
        engine.pool.submit(0, move |worker| worker.fault = Some(fault));
        let events = start(&mut engine, Limits { search_moves: vec![only], ..Limits::nodes(10_000) });
        engine.join();
        assert_eq!(events.iter().last(), Some(Event::Best(Some(only))));
    }
}

/// An engine for which the system starts `permits` threads.
fn engine_with_permits(permits: usize, threads: usize) -> (Engine, Vec<Refusal>) {
    with_permits(permits, || {
        let mut engine =
            Engine::new(EngineSettings { threads, hash_mb: 1, ..EngineSettings::default() }).unwrap();
        let refusals = engine.apply();
        (engine, refusals)
    })
}

#[test]
fn refused_helpers_are_done_without() {
    for (permits, threads) in [(3, 8), (1, 2)] {
        let (mut engine, refusals) = engine_with_permits(permits, threads);
        let error = io::ErrorKind::WouldBlock;
        assert_eq!(refusals, [Refusal::Threads { requested: threads, kept: permits, error }]);
        let text = refusals[0].to_string();
        let start = format!("cannot start {threads} search threads: ");
        assert!(text.starts_with(&start) && text.ends_with(&format!("; keeping {permits}")), "{text}");
        assert_eq!(engine.settings().threads, permits);
        assert_eq!(warnings(&mut engine, Limits::nodes(1_000)), [""; 0]);
        engine.settings_mut().threads = threads;
        assert_eq!(engine.apply(), []);
        assert_eq!(engine.pool.len(), threads);
    }
}

#[test]
fn without_a_thread_the_caller_searches_a_little() {
    let (mut engine, refusals) = engine_with_permits(0, 1);
    assert!(matches!(refusals[..], [Refusal::Threads { requested: 1, kept: 0, .. }]), "{refusals:?}");
    for (limits, ponder_hit) in [
        (Limits::depth(100), false),
        (Limits { infinite: true, ..Limits::default() }, false),
        (Limits { ponder: true, ..Limits::default() }, true),
        (Limits { ponder: true, ..Limits::default() }, false),
    ] {
        let is_held = limits.infinite || limits.ponder;
        let (sender, events) = channel();
        let refusals = with_permits(0, || engine.go(limits, EventSender(sender)));
        assert!(refusals[0].to_string().starts_with("cannot start a search thread: "), "{refusals:?}");
        assert_eq!(engine.is_searching(), is_held);
        if is_held {
            assert_eq!(events.try_iter().last(), None);
        }
        if ponder_hit {
            engine.ponder_hit()
        } else {
            engine.stop()
        }
        assert!(!engine.is_searching());
        assert!(matches!(events.recv(), Ok(Event::Best(Some(_)))));
    }
    assert_eq!(engine.settings().threads, 1);
    assert_eq!(warnings(&mut engine, Limits::nodes(1_000)), [""; 0], "a thread is there now");
    assert_eq!(engine.pool.len(), 1);
}

#[test]
fn threads_stay_from_search_to_search() {
    let mut engine = engine(3);
    let ids = |engine: &Engine| {
        let (sender, ids) = channel();
        engine.pool.for_each(move |_| sender.send(std::thread::current().id()).unwrap());
        let mut ids: Vec<_> = ids.iter().map(|id| format!("{id:?}")).collect();
        ids.sort_unstable();
        ids
    };
    let before = ids(&engine);
    assert_eq!(before.len(), 3);
    for _ in 0..3 {
        warnings(&mut engine, Limits::nodes(2_000));
        engine.new_game();
    }
    assert_eq!(ids(&engine), before);
    engine.settings_mut().threads = 1;
    warnings(&mut engine, Limits::nodes(2_000));
    assert_eq!(ids(&engine).len(), 1);
}

#[test]
fn a_thread_survives_work_that_panics() {
    let mut engine = engine(2);
    engine.pool.submit(1, |_| panic!("a fault for a test"));
    assert_eq!(warnings(&mut engine, Limits::nodes(2_000)), [""; 0]);
    assert_eq!(engine.pool.len(), 2);
}

#[test]
fn a_search_on_a_clock_has_the_background_pause() {
    let clock = Limits { clock: [Some(600_000); 2], ..Limits::default() };
    for limits in [clock.clone(), Limits { ponder: true, ..clock }] {
        let tables = DtmTables::with_background(BackgroundPriority::Usual);
        let settings = EngineSettings { hash_mb: 1, ..EngineSettings::default() };
        let mut engine = Engine::with_dtm_tables(settings, &tables).unwrap();
        assert_eq!(engine.apply(), []);
        let _events = start(&mut engine, limits.clone());
        engine.ponder_hit();
        assert!(engine.is_searching());
        if !limits.ponder {
            assert_eq!(tables.solved(), 0);
        }
        engine.stop();
        let end = Instant::now() + Duration::from_secs(600);
        while tables.solved() < DtmTables::COUNT && Instant::now() < end {
            std::thread::sleep(Duration::from_millis(2));
        }
        assert_eq!(tables.solved(), DtmTables::COUNT);
    }
}

#[test]
fn a_search_that_waits_for_an_ending_is_stopped() {
    for threads in [1, 3] {
        let mut engine = engine(threads);
        assert_eq!(engine.set_game(Some("8/8/4k3/4P3/8/8/3K4/7R w - - 0 1"), []), []);
        let events = start(&mut engine, Limits::depth(30));
        engine.stop();
        let Ok(Event::Best(Some(mv))) = events.recv() else { panic!("no move") };
        assert!(engine.position().is_legal(mv));
    }
}

fn stepped() -> Engine {
    let settings = EngineSettings { hash_mb: 1, ..EngineSettings::default() };
    Engine::on_calling_thread(settings, &DtmTables::default()).unwrap()
}

#[test]
fn the_calling_thread_finds_what_a_thread_finds() {
    /// The lines and the move.
    struct Lines(Sender<String>);
    impl Listener for Lines {
        fn info(&mut self, info: &SearchInfo) {
            let line: Vec<_> = info.line.iter().map(|mv| mv.to_string()).collect();
            self.0.send(format!("{} {} {} {line:?}", info.depth, info.score, info.nodes)).unwrap();
        }
        fn finished(&mut self, best: Option<Move>, ponder: Option<Move>) {
            self.0.send(format!("{best:?} {ponder:?}")).unwrap();
        }
    }
    // Full strength; a level, whose additional lines are not reported; a drawn game that goes on; Ouk Chaktrang, with
    // leaps that some readings forbid.
    let expired = Some("8/8/3k4/2R5/3K4/8/4M3/8 w - 32 40 30");
    let leaps = Rules::new(sakmak_movegen::Variant::Cambodian, sakmak_movegen::Ruleset::default());
    for (fen, rules, skill) in [
        (None, Rules::default(), None),
        (None, Rules::default(), Skill::from_elo(1500)),
        (expired, Rules::default(), None),
        (None, leaps, None),
    ] {
        let [in_thread, in_slice] = [engine(1), stepped()].map(|mut engine| {
            *engine.settings_mut() =
                EngineSettings { rules, skill, seed: Some(7), ..engine.settings().clone() };
            assert_eq!(engine.set_game(fen, []), []);
            let (sender, lines) = channel();
            assert_eq!(engine.go(Limits::depth(7), Lines(sender)), []);
            while engine.advance(u64::MAX) {
                std::thread::yield_now();
            }
            engine.join();
            lines.iter().collect::<Vec<_>>()
        });
        assert_eq!(in_thread, in_slice, "{fen:?} {skill:?}");
        assert!(in_slice.len() > 2, "{in_slice:?}");
    }
}

#[test]
fn a_search_on_the_calling_thread_is_held_released_and_stopped() {
    let mut engine = stepped();
    assert!(!engine.advance(1_000), "none has begun");
    let mate = "7k/8/6K1/8/8/8/8/R7 w - - 0 1";
    assert_eq!(engine.set_game(Some(mate), []), []);
    for limits in [
        Limits { infinite: true, ..Limits::depth(2) },
        Limits { ponder: true, ..Limits::depth(2) },
        Limits { ponder: true, ..Limits::move_time(Duration::from_millis(1)) },
    ] {
        let events = start(&mut engine, limits.clone());
        for _ in 0..5 {
            engine.advance(100_000);
            assert!(engine.is_searching(), "{limits:?}");
        }
        assert!(!engine.advance(1_000), "there is an answer, which is held");
        assert_eq!(events.try_iter().count(), 0, "{limits:?}");
        if limits.infinite {
            engine.stop();
        } else {
            engine.ponder_hit();
            while engine.advance(1_000) {}
        }
        assert_eq!(events.iter().collect::<Vec<_>>().len(), 1);
        assert!(!engine.is_searching());
    }
    // Another search, the end of the input, and the end of the engine end one too.
    let first = start(&mut engine, Limits { infinite: true, ..Limits::default() });
    let second = start(&mut engine, Limits::depth(3));
    assert!(matches!(first.recv(), Ok(Event::Best(Some(_)))));
    engine.finish(|| false);
    assert!(matches!(second.recv(), Ok(Event::Best(Some(_)))));
    let third = start(&mut engine, Limits { infinite: true, ..Limits::default() });
    drop(engine);
    assert!(matches!(third.recv(), Ok(Event::Best(Some(_)))));
}

#[test]
fn the_background_pauses_only_for_a_clock() {
    for (limits, pauses) in [(Limits::move_time(Duration::from_secs(600)), true), (Limits::depth(100), false)]
    {
        let mut engine = engine(1);
        let _events = start(&mut engine, Limits { ponder: true, ..limits });
        let pauses_background =
            |engine: &Engine| engine.running.as_ref().unwrap().control.pauses_background();
        assert!(!pauses_background(&engine));
        engine.ponder_hit();
        assert_eq!(pauses_background(&engine), pauses);
        engine.stop();
    }
}

/// The reports of a search, one line for each.
fn lines_of(engine: &mut Engine, go: impl FnOnce(&mut Engine, Lines)) -> Vec<String> {
    let (sender, lines) = channel();
    go(engine, Lines(sender));
    while engine.step(Duration::from_micros(1)) {}
    lines.iter().collect()
}

struct Lines(Sender<String>);

impl Listener for Lines {
    fn info(&mut self, info: &SearchInfo) {
        self.0.send(format!("{} {} {} {}", info.depth, info.score, info.nodes, info.line[0])).unwrap();
    }
    fn finished(&mut self, best: Option<Move>, _: Option<Move>) {
        self.0.send(format!("{best:?}")).unwrap();
    }
}

#[test]
fn a_small_search_is_one_slice_so_a_seed_gives_a_move() {
    for (skill, limits) in [
        (None, Limits::nodes(WHOLE_SEARCH)),
        (Skill::from_elo(600), Limits::default()),
        (Skill::from_elo(1500), Limits::default()),
    ] {
        let search = |slice: fn(&mut Engine) -> bool| {
            let mut engine = stepped();
            *engine.settings_mut() = EngineSettings { skill, seed: Some(7), ..engine.settings().clone() };
            let (sender, lines) = channel();
            assert_eq!(engine.go(limits.clone(), Lines(sender)), []);
            while slice(&mut engine) {}
            lines.iter().collect::<Vec<_>>()
        };
        let whole = search(|engine| engine.step(Duration::MAX));
        assert_eq!(whole, search(|engine| engine.step(Duration::from_micros(1))), "{skill:?}");
        assert_eq!(whole, search(|engine| engine.advance(WHOLE_SEARCH)), "{skill:?}");
        assert!(whole.len() > 2, "{whole:?}");
    }
}

/// A pause changes what the search finds, so it comes after the same nodes on a thread and in all slices.
#[test]
fn an_opponent_makes_the_same_move_on_a_thread_and_in_slices_of_any_size() {
    for name in ["Tiger", "Garuda"] {
        let search = |mut engine: Engine, slice: fn(&mut Engine) -> bool| {
            let skill = Opponent::named(name).map(Skill::of);
            *engine.settings_mut() = EngineSettings { skill, seed: Some(6), ..engine.settings().clone() };
            assert_eq!(engine.set_game(None, ["e3e4"]), []);
            let (sender, lines) = channel();
            assert_eq!(engine.go(Limits::default(), Lines(sender)), []);
            while slice(&mut engine) {}
            engine.join();
            lines.iter().collect::<Vec<_>>()
        };
        let in_thread = search(engine(1), |_| false);
        assert!(in_thread.len() > 2, "{in_thread:?}");
        assert_eq!(in_thread, search(stepped(), |_| false), "{name}");
        assert_eq!(in_thread, search(stepped(), |engine| engine.step(Duration::from_micros(1))), "{name}");
        assert_eq!(in_thread, search(stepped(), |engine| engine.step(Duration::from_millis(50))), "{name}");
        assert_eq!(in_thread, search(stepped(), |engine| engine.advance(1_000)), "{name}");
    }
}

#[test]
fn a_search_in_another_game_leaves_the_own_one() {
    let mate = "3k4/8/8/3K4/8/8/8/R6R w - - 0 1";
    let mut engine = stepped();
    assert_eq!(engine.set_game(None, ["e3e4"]), []);
    let before = (engine.game().clone(), format!("{:?}", engine.settings()));
    let other = Game::from_fen(mate, Rules::default()).unwrap();
    let settings = EngineSettings { multi_pv: 2, ignores_count: true, ..engine.settings().clone() };
    let lines = lines_of(&mut engine, |engine, listener| {
        assert_eq!(engine.go_in(other, settings, Limits::depth(4), listener), []);
    });
    assert!(lines.iter().any(|line| line.starts_with("4 mate 2 ")), "{lines:?}");
    assert_eq!(engine.game().keys(), before.0.keys());
    assert_eq!(format!("{:?}", engine.settings()), before.1);
    let lines = lines_of(&mut engine, |engine, listener| {
        assert_eq!(engine.go(Limits::depth(2), listener), []);
    });
    assert!(!lines.iter().any(|line| line.contains("mate")), "{lines:?}");
}
