//! The command `sakmak-tools tune` and its parts.

use std::convert::Infallible;

use crate::common::{Done, TempFile, run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::weights::{TABLES, WEIGHTS};
use sakmak_eval::{EvalState, Evaluator, Trace, source};
use sakmak_movegen::{Color, Outcome, Position, Rules};
use sakmak_tools::data::datagen::{EndReason, GameRecord, GameResult, Header, Ply, Writer};
use sakmak_tools::data::tune::fit::{self, Epoch, FitSettings, Scales, WeightVector};
use sakmak_tools::data::tune::samples::Positions;
use sakmak_tools::data::tune::weights;

const COMMITTED: &str = include_str!("../../../eval/src/weights.rs");

/// A random game; the scores are the evaluation's.
fn random_game(seed: u64) -> GameRecord {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let start = Position::startpos();
    let mut state = EvalState::new(start.clone());
    let mut evaluator = Evaluator::default();
    let mut plies = Vec::new();
    while state.position().outcome().is_none() && plies.len() < 200 {
        let moves = state.position().legal_moves();
        let mv = moves[rng.random_range(0..moves.len())];
        plies.push(Ply { mv, score: evaluator.evaluate(&state) as i16 });
        state.play_unchecked(mv);
    }
    let result = match state.position().outcome() {
        Some(Outcome::Win(color)) => GameResult::won_by(color),
        _ => GameResult::Draw,
    };
    GameRecord { start, result, reason: EndReason::TooLong, plies }
}

/// A file of random games.
fn file_of_games(name: &str, games: u64) -> TempFile {
    let header = Header { rules: Rules::default(), runs: Vec::new() };
    let mut writer = Writer::new(Vec::new(), &header).expect("room");
    for seed in 0..games {
        writer.write(&random_game(seed)).expect("room");
    }
    TempFile::new(name, writer.finish().expect("room"))
}

fn tune(args: &[&str]) -> Done {
    run(&[&["tune"], args].concat(), "")
}

/// The weights that stand in a source.
fn parsed(source: &str) -> Vec<[i32; 2]> {
    let (_, table) = source.split_once("weights! {").expect("a table");
    let pairs = table.split("s(").skip(1).map(|rest| rest.split_once(')').expect("a pair").0);
    pairs
        .map(|pair| {
            let (middlegame, endgame) = pair.split_once(", ").expect("two halves");
            [middlegame, endgame].map(|half| half.parse().expect("a number"))
        })
        .collect()
}

fn number(table: &str) -> usize {
    TABLES.iter().find(|known| known.name == table).expect("a table of that name").start
}

fn no_report(_: &Epoch) -> Result<(), Infallible> {
    Ok(())
}

/// Positions of random games with the values that `weights` give.
fn labelled(seeds: std::ops::Range<u64>, weights: &WeightVector) -> Positions {
    let mut set = Positions::default();
    for seed in seeds {
        let game = random_game(seed);
        let mut position = game.start.clone();
        for ply in &game.plies {
            if let Some(trace) = Trace::of(&position) {
                let mut alone = Positions::default();
                alone.push(&trace, 1, 0);
                let score = fit::evaluations(&alone, weights)[0];
                set.push(&trace, 1, score.round() as i16);
            }
            position.play_unchecked(ply.mv);
        }
    }
    set
}

fn settings(epochs: usize) -> FitSettings {
    FitSettings { epochs, rate: 4.0, batch: 512, lambda: 0.0, l2: 0.0, patience: epochs, seed: 1 }
}

/// The scale of the scores' expected results.
const SCALES: Scales = Scales { eval: 415.0, score: 415.0 };

#[test]
fn known_weights_are_found_again() {
    let start = weights::start();
    let mut truth = start.clone();
    let changed = [("TEMPO", 25.0), ("BIA_PHALANX", -40.0), ("RUA_HALF_OPEN", 30.0), ("BIA_CHAIN", 20.0)];
    for (table, more) in changed {
        truth[number(table)][0] += more;
        truth[number(table)][1] += more;
    }
    let (training, held_out) = (labelled(0..60, &truth), labelled(60..70, &truth));
    let settings = settings(30);
    let fitted =
        fit::fit(&training, &held_out, &start, SCALES, &settings, no_report).expect("no report fails");

    let distance = |weights: &WeightVector| {
        let [expected, got] = [&truth, weights].map(|each| fit::evaluations(&held_out, each));
        let errors = expected.iter().zip(&got).map(|(a, b)| (a - b).abs());
        errors.sum::<f64>() / expected.len() as f64
    };
    assert!(distance(&start) > 20.0, "{}", distance(&start));
    assert!(distance(&fitted) < 6.0, "{}", distance(&fitted));
    for (table, more) in changed {
        let half = number(table);
        // Random games stay in the middlegame.
        let off = fitted[half][0] - truth[half][0];
        assert!(off.abs() < more.abs() / 3.0, "{table}: {off} off");
    }
    let loss = |weights| fit::loss(&held_out, weights, SCALES, settings.lambda);
    assert!(loss(&fitted) < loss(&start));
}

#[test]
fn the_number_of_threads_does_not_matter() {
    let start = weights::start();
    let mut truth = start.clone();
    truth[number("TEMPO")] = [50.0; 2];
    let (training, held_out) = (labelled(0..10, &truth), labelled(10..12, &truth));
    let fitted = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| fit::fit(&training, &held_out, &start, SCALES, &settings(3), no_report))
    };
    assert_eq!(fitted(1), fitted(3));
}

#[test]
fn weights_without_evidence_stay() {
    let start = weights::start();
    let set = labelled(0..3, &start);
    let uses = set.uses();
    let fitted = fit::fit(&set, &Positions::default(), &start, SCALES, &settings(3), no_report);
    let fitted = fitted.expect("no report fails");
    assert!(uses.contains(&0));
    for (number, uses) in uses.into_iter().enumerate() {
        assert!(uses > 0 || fitted[number] == start[number], "{number}");
    }
}

#[test]
fn centring_changes_no_evaluation() {
    let set = labelled(0..5, &weights::start());
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    let values: Vec<_> = (0..WEIGHTS).map(|_| [0; 2].map(|_: i32| rng.random_range(-99..=99))).collect();
    let centred = weights::centred(values.clone(), &set.uses());
    assert_ne!(values, centred);
    let evaluations = |values: &[[i32; 2]]| {
        let weights: WeightVector = values.iter().map(|halves| halves.map(f64::from)).collect();
        fit::evaluations(&set, &weights)
    };
    for (before, after) in evaluations(&values).into_iter().zip(evaluations(&centred)) {
        assert!((before - after).abs() < 1e-6, "{before} {after}");
    }
}

#[test]
fn the_source_has_the_weights() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let values: Vec<_> = (0..WEIGHTS).map(|_| [0; 2].map(|_: i32| rng.random_range(-999..=999))).collect();
    let text = source(&values);
    assert_eq!(parsed(&text), values);
    // A row of fifteen differences of ranks with the largest numbers.
    assert!(text.lines().all(|line| line.len() <= 240));
    assert_eq!(source(&parsed(COMMITTED)), COMMITTED);
}

#[test]
fn tuning_nothing_writes_the_same_file() {
    let games = file_of_games("none.data", 12);
    let out = TempFile::absent("none.rs");
    let done = tune(&[games.path(), "--epochs", "0", "--out", out.path()]);
    assert_eq!(done.status, Some(0), "{}", done.err);
    assert_eq!(out.text(), COMMITTED);
}

#[test]
fn games_become_weights_and_a_chart() {
    let games = file_of_games("some.data", 30);
    let [out, plot] = ["some.rs", "some.svg"].map(TempFile::absent);
    let args = ["--epochs", "2", "--batch", "256", "--lambda", "1", "--sample", "0.9"];
    let more = [games.path(), "--out", out.path(), "--plot", plot.path()];
    let done = tune(&[&args[..], &more].concat());
    assert_eq!(done.status, Some(0), "{}", done.err);
    assert!(done.out.contains("held out"), "{}", done.out);
    let tuned = parsed(&out.text());
    assert_eq!(tuned.len(), WEIGHTS);
    assert_ne!(tuned, parsed(COMMITTED));
    assert_eq!(source(&tuned), out.text());
    let chart = plot.text();
    assert!(chart.starts_with("<svg ") && chart.trim_end().ends_with("</svg>"));
    assert_eq!(chart.matches("<polyline").count(), 2);
}

#[test]
fn bad_files_are_named_and_explained() {
    let fails = |args: &[&str], message: &str| {
        let done = tune(args);
        assert_eq!(done.status, Some(1), "{args:?}");
        assert!(done.err.contains(message) && done.err.contains(args[0]), "{args:?}: {}", done.err);
    };
    fails(&["no-such.data"], "cannot read");
    let other = TempFile::new("other.data", b"[Event \"?\"]\n\n1. e4 *\n");
    fails(&[other.path()], "not a file of sakmak-tools datagen");
    let games = file_of_games("cut.data", 3);
    let bytes = games.bytes();
    let cut = TempFile::new("cut-off.data", &bytes[..bytes.len() - 9]);
    fails(&[cut.path()], " is cut off");

    let empty = file_of_games("empty.data", 0);
    let done = tune(&[empty.path()]);
    assert!(done.status == Some(1) && done.err.contains("no training position"), "{}", done.err);
    for (option, value) in [("--lambda", "1.5"), ("--lr", "0"), ("--batch", "0"), ("--sample", "x")] {
        assert_eq!(tune(&[games.path(), option, value]).status, Some(2), "{option} {value}");
    }
}

/// The files are not even read.
#[test]
fn places_that_cannot_be_written_are_refused_before_the_work() {
    let games = file_of_games("tune-games.data", 3);
    let before = games.bytes();
    for option in ["--out", "--plot"] {
        let below = format!("{}/x", games.path());
        for path in ["/no/such/folder/x", &below, games.path(), env!("CARGO_MANIFEST_DIR")] {
            let done = tune(&[games.path(), option, path, "--epochs", "0", "--holdout", "0"]);
            assert_eq!((done.status, done.out.as_str()), (Some(1), ""), "{option} {path}");
            assert!(done.err.contains(path), "{option} {path}: {}", done.err);
        }
    }
    assert!(games.bytes() == before, "training games are not overwritten");
}

/// A disk that is full in the end.
#[cfg(target_os = "linux")]
#[test]
fn weights_that_cannot_be_written_are_kept() {
    let games = file_of_games("tune-full.data", 3);
    let options = ["--epochs", "0", "--holdout", "0"];
    let written = TempFile::absent("tune-full.rs");
    let plot = TempFile::absent("tune-full.svg");
    let done =
        tune(&[&[games.path(), "--out", written.path(), "--plot", plot.path()], &options[..]].concat());
    assert_eq!(done.status, Some(0), "{}", done.err);
    // Files of the same kind are replaced.
    let done =
        tune(&[&[games.path(), "--out", written.path(), "--plot", plot.path()], &options[..]].concat());
    assert_eq!(done.status, Some(0), "{}", done.err);

    let done = tune(&[&[games.path(), "--out", "/dev/full"], &options[..]].concat());
    assert_eq!(done.status, Some(1));
    let (_, rest) = done.err.split_once("it is in ").expect("a place");
    let place = rest.split_once(": ").expect("a reason").0;
    assert_eq!(std::fs::read_to_string(place).expect("the weights"), written.text(), "{}", done.err);
    std::fs::remove_file(place).expect("the weights");
}

/// Closed output does not cost the weights.
#[cfg(target_os = "linux")]
#[test]
fn a_report_that_cannot_be_printed_does_not_cost_the_weights() {
    use std::io::{BufRead, BufReader};
    use std::process::{Command, Stdio};
    let games = file_of_games("tune-deaf.data", 40);
    let weights = TempFile::absent("tune-deaf.rs");
    let mut child = Command::new(env!("CARGO_BIN_EXE_sakmak-tools"))
        .args(["tune", games.path(), "--out", weights.path(), "--epochs", "3"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    // Up to the head of the table of epochs.
    let mut out = BufReader::new(child.stdout.take().expect("a pipe")).lines();
    while !out.next().expect("a line").expect("a line").contains("epoch") {}
    drop(out);
    assert_eq!(child.wait().expect("an end").code(), Some(0));
    assert_eq!(parsed(&weights.text()).len(), WEIGHTS);
}

#[test]
fn traces_are_from_whites_side() {
    // White to move and a rua up: the trace is from White's side whichever side moves.
    let rua = number("MATERIAL") + 4;
    for side in Color::ALL {
        let letter = if side == Color::White { 'w' } else { 'b' };
        let fen = format!("3mk3/3p4/8/8/8/8/3P4/R2KM3 {letter} - - 0 1");
        let trace = Trace::of(&Position::from_fen(&fen).expect("a valid FEN")).expect("no bare khun");
        let count = trace.counts.iter().find(|&&(number, _)| usize::from(number) == rua);
        assert_eq!(count.map(|&(_, count)| count), Some(1));
    }
}
