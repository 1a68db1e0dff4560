//! The commands `datagen positions` and `train`.

use std::collections::HashMap;
use std::path::PathBuf;
use std::sync::Arc;

use crate::common::{Done, TempFile, run};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_dataset::games::{EndReason, GameRecord, GameResult, Header, Ply, Writer};
use sakmak_dataset::positions::{PositionFile, TrainingPosition};
use sakmak_engine::{Limits, SearchRequest, Searcher};
use sakmak_eval::Evaluator;
use sakmak_eval::network::Network;
use sakmak_movegen::{Color, Outcome, PieceKind, Position, Rules};
use sakmak_training::train::{TrainFiles, TrainSettings, Trainer};

/// White's material less Black's, in centipawns.
fn material(position: &Position) -> i32 {
    let values = [100, 170, 250, 300, 500, 0];
    let of =
        |color| PieceKind::ALL.map(|kind| values[kind.index()] * position.pieces(color, kind).len() as i32);
    of(Color::White).iter().sum::<i32>() - of(Color::Black).iter().sum::<i32>()
}

/// A random game whose scores are the material.
pub(crate) fn random_game(seed: u64) -> GameRecord {
    random_game_from(Position::startpos(), seed)
}

fn random_game_from(start: Position, seed: u64) -> GameRecord {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut position = start.clone();
    let mut plies = Vec::new();
    while position.outcome().is_none() && plies.len() < 160 {
        let moves = position.legal_moves();
        let mv = moves[rng.random_range(0..moves.len())];
        let sign = if position.side_to_move() == Color::White { 1 } else { -1 };
        plies.push(Ply { mv, score: (sign * material(&position)) as i16 });
        position.play_unchecked(mv);
    }
    let result = match position.outcome() {
        Some(Outcome::Win(color)) => GameResult::won_by(color),
        _ => GameResult::Draw,
    };
    GameRecord { start, result, reason: EndReason::TooLong, plies }
}

/// A file of random games.
pub(crate) fn file_of_games(name: &str, games: std::ops::Range<u64>) -> TempFile {
    file_of(name, games.map(random_game))
}

pub(crate) fn file_of(name: &str, games: impl Iterator<Item = GameRecord>) -> TempFile {
    let header = Header { rules: Rules::default(), runs: Vec::new(), imports: Vec::new() };
    let mut writer = Writer::new(Vec::new(), &header).expect("room");
    for game in games {
        writer.write(&game).expect("room");
    }
    TempFile::new(name, writer.finish().expect("room"))
}

pub(crate) fn positions(args: &[&str]) -> Done {
    run(&[&["datagen", "positions"], args].concat(), "")
}

fn train(args: &[&str]) -> Done {
    run(&[&["train"], args].concat(), "")
}

/// Reads all positions of a file.
fn read(file: &TempFile) -> Vec<TrainingPosition> {
    let mut file = PositionFile::open(file.path().as_ref()).expect("a file of positions");
    let mut all = Vec::new();
    for block in 0..file.blocks() {
        file.read_block(block, &mut all).expect("a sound block");
    }
    assert_eq!(all.len() as u64, file.positions());
    all
}

/// Reads all positions of a file as bytes.
fn records(file: &TempFile) -> Vec<[u8; TrainingPosition::BYTES]> {
    read(file).iter().map(TrainingPosition::to_bytes).collect()
}

/// The position of a record, with White to move.
fn position_of(record: &TrainingPosition) -> Position {
    let mut board = ['1'; 64];
    for (color, kind, square) in record.pieces() {
        let letter = ['p', 'm', 's', 'n', 'r', 'k'][kind.index()];
        board[square.index()] = if color == Color::White { letter.to_ascii_uppercase() } else { letter };
    }
    let ranks: Vec<String> = board.chunks(8).rev().map(|rank| rank.iter().collect()).collect();
    let count = record.plies_left().map_or("- 0".to_owned(), |left| format!("128 {}", 128 - left));
    Position::from_fen(&format!("{} w - {count} 60", ranks.join("/"))).expect("a position")
}

#[test]
fn positions_are_shuffled_and_some_held_out() {
    let games = file_of_games("shuffle.games", 0..40);
    let [one, two, other, held] = ["one.pos", "two.pos", "other.pos", "held.pos"].map(TempFile::absent);
    let done = positions(&[one.path(), games.path()]).ok();
    assert_eq!(positions(&[two.path(), games.path()]).status, Some(0));
    assert_eq!(one.bytes(), two.bytes(), "the same seed");
    let all = records(&one);
    assert!(done.out.contains(&format!("40 games, {} positions", all.len())), "{}", done.out);
    let plies: Vec<_> = all.iter().map(|bytes| u16::from_le_bytes([bytes[28], bytes[29]])).collect();
    assert!(all.len() > 1_000 && !plies.is_sorted());

    let args = ["--seed", "2", "--held-out", held.path(), "--holdout", "0.3"];
    assert_eq!(positions(&[&[other.path(), games.path()], &args[..]].concat()).status, Some(0));
    let (training, held_out) = (records(&other), records(&held));
    assert!(held_out.len() > all.len() / 10 && held_out.len() < all.len() / 2, "{}", held_out.len());
    let (mut before, mut after) = (all, [training, held_out].concat());
    assert_ne!(before, after);
    before.sort_unstable();
    after.sort_unstable();
    assert_eq!(before, after, "nothing is lost, nothing comes twice");

    let thin = TempFile::absent("thin.pos");
    let args = ["--endings", "20", "--keep-endings", "0"];
    assert_eq!(positions(&[&[thin.path(), games.path()], &args[..]].concat()).status, Some(0));
    let full =
        before.iter().filter(|bytes| bytes[..8].iter().map(|byte| byte.count_ones()).sum::<u32>() > 20);
    assert_eq!(records(&thin).len(), full.count());
}

#[test]
fn positions_of_no_game_have_searched_scores() {
    let games = file_of_games("explore.games", 0..10);
    let [plain, more] = ["plain.pos", "explored.pos"].map(TempFile::absent);
    assert_eq!(positions(&[plain.path(), games.path()]).status, Some(0));
    assert_eq!(positions(&[more.path(), games.path(), "--explore", "2"]).status, Some(0));
    let (explored, mut of_games): (Vec<_>, Vec<_>) =
        read(&more).into_iter().partition(|record| record.points().is_none());
    let mut expected = read(&plain);
    let order = TrainingPosition::to_bytes;
    of_games.sort_by_key(order);
    expected.sort_by_key(order);
    assert_eq!(of_games, expected);
    assert!(2 * explored.len() > expected.len(), "{}", explored.len());
    for record in &explored {
        let position = position_of(record);
        assert!(!position.in_check() && record.score.abs() <= 2_000, "{position}");
    }
    let again = TempFile::absent("explored-again.pos");
    assert_eq!(positions(&[again.path(), games.path(), "--explore", "2"]).status, Some(0));
    assert_eq!(again.bytes(), more.bytes());

    // Searches with one node end after the first iteration, others search deeper.
    let shallow = TempFile::absent("explored-shallow.pos");
    let args = ["--explore", "2", "--label-nodes", "1"];
    assert_eq!(positions(&[&[shallow.path(), games.path()], &args[..]].concat()).status, Some(0));
    assert_ne!(shallow.bytes(), more.bytes());
    let mut searcher = Searcher::new(1).expect("memory for a small table");
    let shallow = read(&shallow).into_iter().filter(|record| record.points().is_none());
    let agree = shallow.take(300).filter(|record| {
        searcher.clear();
        let result = searcher.search(&SearchRequest::new(position_of(record), Limits::depth(1)));
        let score = result.best().expect("a move").score;
        // The histories filled by the game's other searches may change the move order.
        (score - i32::from(record.score)).abs() <= 20
    });
    let agree = agree.count();
    assert!(agree > 270, "{agree} of 300");
}

#[test]
fn parts_of_the_games_give_the_same_positions() {
    let [one, two] = [file_of_games("part1.games", 0..6), file_of_games("part2.games", 6..12)];
    let make = |name, args: &[&str]| {
        let out = TempFile::absent(name);
        let done = positions(&[&[out.path(), one.path(), two.path(), "--explore", "1"], args].concat()).ok();
        (records(&out), done.out)
    };
    let (mut whole, _) = make("whole.pos", &[]);
    let (first, _) = make("first.pos", &["--take", "4"]);
    let (second, report) = make("second.pos", &["--skip", "4", "--take", "5"]);
    let (third, _) = make("third.pos", &["--skip", "9"]);
    assert!(report.starts_with("5 games, "), "{report}");
    assert!(!first.is_empty() && !second.is_empty() && !third.is_empty());
    let mut parts = [first, second, third].concat();
    whole.sort_unstable();
    parts.sort_unstable();
    assert_eq!(parts, whole);
}

#[test]
fn explored_positions_meet_counts_of_every_length() {
    let start = Position::from_fen("8/8/2k3r1/6Rm/1M2M3/8/8/6K1 w - 128 0 60").expect("a position");
    let short = |seed| {
        let mut game = random_game_from(start.clone(), seed);
        game.plies.truncate(6);
        GameRecord { result: GameResult::Draw, reason: EndReason::TooLong, ..game }
    };
    let games = file_of("counts.games", (0..40).map(short));
    let out = TempFile::absent("counts.pos");
    assert_eq!(positions(&[out.path(), games.path(), "--explore", "4"]).status, Some(0));
    let (explored, of_games): (Vec<_>, Vec<_>) =
        read(&out).into_iter().partition(|record| record.points().is_none());
    assert!(of_games.iter().all(|record| record.plies_left().is_some_and(|left| left > 120)));
    let share = |range: std::ops::Range<i32>| {
        let among =
            explored.iter().filter(|record| record.plies_left().is_some_and(|left| range.contains(&left)));
        among.count() as f64 / explored.len() as f64
    };
    assert!(explored.len() > 100, "{}", explored.len());
    assert!(share(0..32) > 0.15 && share(32..118) > 0.15 && share(118..129) > 0.4);
}

#[test]
fn positions_of_games_get_new_scores_and_keep_their_results() {
    let games = file_of_games("relabel.games", 0..10);
    let [plain, anew] = ["relabel-plain.pos", "relabelled.pos"].map(TempFile::absent);
    assert_eq!(positions(&[plain.path(), games.path()]).status, Some(0));
    assert_eq!(positions(&[anew.path(), games.path(), "--relabel"]).status, Some(0));
    let (plain, anew) = (read(&plain), read(&anew));
    // The best moves of a search differ from the random ones, so other positions are quiet.
    assert!(5 * anew.len() > plain.len() && anew.iter().all(|record| record.points().is_some()));
    let board = |record: &TrainingPosition| (record.to_bytes()[..24].to_vec(), record.ply);
    let before: HashMap<_, _> = plain.iter().map(|record| (board(record), record)).collect();
    let both: Vec<_> =
        anew.iter().filter_map(|record| Some((record, *before.get(&board(record))?))).collect();
    assert!(both.len() > 100, "{}", both.len());
    assert!(both.iter().all(|(anew, before)| anew.points() == before.points()));
    let changed = both.iter().filter(|(anew, before)| anew.score != before.score).count();
    assert!(changed > both.len() / 2, "{changed} of {}", both.len());
}

#[test]
fn faults_of_files_are_named() {
    let games = file_of_games("faults.games", 0..4);
    let out = TempFile::absent("faults.pos");
    assert_eq!(positions(&[out.path(), games.path()]).status, Some(0));
    positions(&[out.path(), games.path()]).fails(1, out.path());
    let bytes = out.bytes();
    let opened = |bytes: &[u8]| {
        let file = TempFile::new("fault.pos", bytes);
        PositionFile::open(file.path().as_ref())
    };
    for (bytes, fault) in [
        (&bytes[..bytes.len() - 1], "bytes instead of"),
        (&bytes[..20], "not a file of"),
        (b"SAKMAKDG", "not a file of"),
    ] {
        let error = opened(bytes).expect_err("a fault").to_string();
        assert!(error.contains(fault), "{error}");
    }
    let mut damaged = bytes.clone();
    damaged[700] ^= 1;
    opened(&damaged).expect("its length is right").read_block(0, &mut Vec::new()).expect_err("a fault");
    let damaged = TempFile::new("damaged.pos", &damaged);
    let network = TempFile::absent("damaged.network");
    train(&[damaged.path(), "--out", network.path(), "--epochs", "1"]).fails(1, "block 1 is damaged");
    train(&[games.path(), "--out", network.path()]).fails(1, "not a file of");
    for (option, value) in [("--lambda", "1.5"), ("--lr", "0"), ("--batch", "0"), ("--width", "100")] {
        assert_eq!(
            train(&[out.path(), "--out", network.path(), option, value]).status,
            Some(2),
            "{option} {value}"
        );
    }
}

#[test]
fn games_become_a_network_and_a_chart() {
    let games = file_of_games("train.games", 0..60);
    let [training, held] = ["train.pos", "train-held.pos"].map(TempFile::absent);
    let args = [training.path(), games.path(), "--held-out", held.path(), "--holdout", "0.2"];
    assert_eq!(positions(&args).status, Some(0));
    let [one, two, plot] = ["one.network", "two.network", "train.svg"].map(TempFile::absent);
    let settings = ["--epochs", "6", "--batch", "32", "--lr", "0.004", "--lambda", "0", "--threads", "2"];
    let files = [training.path(), "--held-out", held.path(), "--plot", plot.path(), "--out", one.path()];
    let done = train(&[&files[..], &settings].concat()).ok();
    let column = |number: usize| -> Vec<f64> {
        let lines =
            done.out.lines().skip(2).map(|line| line.split_whitespace().nth(number).expect("a column"));
        lines.map(|loss| loss.parse().expect("a loss")).collect()
    };
    let (learnt, held_out) = (column(1), column(2));
    assert_eq!(learnt.len(), 6, "{}", done.out);
    assert!(learnt[5] < 0.5 * learnt[0] && held_out[5] < 0.95 * held_out[0], "{}", done.out);
    assert_eq!(plot.text().matches("<polyline").count(), 2);
    let network = Network::from_bytes(&one.bytes()).expect("a network");
    assert!(network.description().contains("\"result_share\":0.0"), "{}", network.description());

    // The engine evaluates with the network as it was trained.
    let mut evaluator = Evaluator::default();
    evaluator.set_network(&Arc::new(network));
    let sigmoid = |x: f64| 1.0 / (1.0 + (-x).exp());
    let (mut loss, records) = (0.0, read(&held));
    for record in &records {
        let eval = evaluator.evaluate(&position_of(record));
        loss += (sigmoid(f64::from(eval) / 415.0) - sigmoid(f64::from(record.score) / 415.0)).powi(2);
    }
    let loss = loss / records.len() as f64;
    assert!((loss - held_out[5]).abs() < 0.002 * loss, "{loss}, not {}", held_out[5]);

    let files = [training.path(), "--held-out", held.path(), "--out", two.path()];
    assert_eq!(train(&[&files[..], &settings].concat()).status, Some(0));
    assert_eq!(one.bytes(), two.bytes(), "the same seed and threads");
    // Only a network file is replaced.
    let before = games.bytes();
    let done = train(&[training.path(), "--out", games.path(), "--epochs", "1"]);
    assert!(done.status == Some(1) && games.bytes() == before, "{}", done.err);
}

/// A run in this process.
fn trainer(
    training: &TempFile,
    start: Option<&TempFile>,
    checkpoint: &str,
    settings: TrainSettings,
    resume: bool,
) -> anyhow::Result<Trainer> {
    let files = TrainFiles {
        training: vec![PositionFile::open(training.path().as_ref()).expect("positions")],
        held_out: None,
        start: start.map(|file| PathBuf::from(file.path())),
        checkpoint: PathBuf::from(checkpoint),
    };
    Trainer::new(settings, files, 2, resume)
}

/// The checkpoint holds the initial parameters: their file is not needed again, and its name is kept.
#[test]
fn a_run_is_resumed_without_the_file_of_its_start() {
    let games = file_of_games("start.games", 0..12);
    let training = TempFile::absent("start.pos");
    assert_eq!(positions(&[training.path(), games.path()]).status, Some(0));
    let base = ["--batch", "64", "--width", "32", "--threads", "2"];
    let [start, whole, part] = ["start.network", "whole.network", "part.network"].map(TempFile::absent);
    let first = [&[training.path(), "--out", start.path(), "--epochs", "1"], &base[..]].concat();
    assert_eq!(train(&first).status, Some(0));
    // A network narrower than the requested width is widened; a wider one is refused.
    for (width, status) in [("64", 0), ("16", 1)] {
        let wide = TempFile::absent("wide.network");
        let fixed = [training.path(), "--out", wide.path(), "--epochs", "1", "--start", start.path()];
        let done = train(&[&fixed[..], &["--threads", "2", "--width", width]].concat());
        assert_eq!(done.status, Some(status), "{width}: {}", done.err);
    }
    // Its checkpoint can also be the start of another run.
    std::fs::rename(format!("{}.checkpoint", start.path()), start.path()).expect("a checkpoint");
    let args = |out: &'static str, file: &TempFile| [out.to_owned(), file.path().to_owned()];
    let train_from = |out: &TempFile, more: &[String]| {
        let fixed = [training.path(), "--epochs", "2", "--out", out.path()];
        train(&[&fixed[..], &base, &more.iter().map(String::as_str).collect::<Vec<_>>()].concat())
    };
    assert_eq!(train_from(&whole, &args("--start", &start)).status, Some(0));
    // As if killed after the first epoch.
    let settings = TrainSettings {
        width: 32,
        epochs: 2,
        batch: 64,
        rate: 0.001_f64 as f32,
        last_rate: 0.01_f64 as f32,
        decay: 0.01_f64 as f32,
        result_share: 0.05_f64 as f32,
        scale: 415.0,
        use_count: true,
        seed: 1,
    };
    let checkpoint = format!("{}.checkpoint", part.path());
    let mut killed = trainer(&training, Some(&start), &checkpoint, settings, false).expect("a run");
    assert!(killed.run_epoch(&mut |_| ()).expect("an epoch"));
    drop(killed);
    std::fs::remove_file(start.path()).expect("the start");
    let other = args("--start", &training);
    let done = train_from(&part, &[&other[..], &["--resume".to_owned()]].concat());
    let complaint = "the checkpoint is of a run with other start (start.network, now start.pos)";
    assert!(done.status == Some(1) && done.err.contains(complaint), "{}", done.err);
    let kept = std::fs::read(&checkpoint).expect("the checkpoint");
    for more in [vec![], args("--start", &start).to_vec()] {
        std::fs::write(&checkpoint, &kept).expect("the checkpoint");
        train_from(&part, &[&more[..], &["--resume".to_owned()]].concat()).ok();
        assert_eq!(part.bytes(), whole.bytes(), "the name of the start is in it, too");
    }
    train_from(&TempFile::absent("new.network"), &args("--start", &start)).fails(1, start.path());
}

#[test]
fn an_interrupted_run_goes_on_where_it_was() {
    let games = file_of_games("resume.games", 0..12);
    let training = TempFile::absent("resume.pos");
    assert_eq!(positions(&[training.path(), games.path()]).status, Some(0));
    let settings = TrainSettings {
        width: 32,
        epochs: 3,
        batch: 64,
        rate: 0.002,
        last_rate: 0.1,
        decay: 0.01,
        result_share: 0.5,
        scale: 400.0,
        use_count: true,
        seed: 5,
    };
    let trainer = |checkpoint: &TempFile, settings, resume| {
        trainer(&training, None, checkpoint.path(), settings, resume)
    };
    let [whole, parts] = ["whole.checkpoint", "parts.checkpoint"].map(TempFile::absent);
    let mut uninterrupted = trainer(&whole, settings, true).expect("a run");
    while uninterrupted.run_epoch(&mut |_| ()).expect("an epoch") {}
    for epochs in 1..=3 {
        if epochs == 2 {
            let error = trainer(&parts, settings, false).err().expect("a checkpoint").to_string();
            assert!(error.contains("--resume goes on with it"), "{error}");
        }
        let mut part = trainer(&parts, settings, true).expect("a run");
        assert!(part.run_epoch(&mut |_| ()).expect("an epoch"));
        assert_eq!(part.losses(), &uninterrupted.losses()[..epochs]);
    }
    let mut end = trainer(&parts, settings, true).expect("a run");
    assert!(!end.run_epoch(&mut |_| ()).expect("nothing to do"));
    let trained = end.network("x");
    assert_eq!(trained, uninterrupted.network("x"));
    let second = trainer(&parts, settings, true).err().expect("one run at a time").to_string();
    assert!(second.contains("another run is writing this file"), "{second}");
    drop(end);

    let other = TrainSettings { seed: 6, ..settings };
    let difference = trainer(&parts, other, true).err().expect("an error").to_string();
    assert_eq!(difference, "the checkpoint is of a run with other seed (5, now 6)");
    let mut bytes = parts.bytes();
    bytes[300] ^= 4;
    let damaged = TempFile::new("damaged.checkpoint", &bytes);
    let error = trainer(&damaged, settings, true).err().expect("damage").to_string();
    assert_eq!(error, "the checkpoint is damaged, or none");

    // A finished run may be replaced, and another one start from its parameters.
    let next = TempFile::absent("next.checkpoint");
    let next = self::trainer(&training, Some(&parts), next.path(), settings, false).expect("a run");
    assert!(next.losses().is_empty());
    assert_eq!(next.network("x"), trained);
    assert!(trainer(&parts, settings, false).expect("a run").losses().is_empty());
}
