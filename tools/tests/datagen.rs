//! The command `sakmak-tools datagen` and the files it makes.

mod common;

use std::path::Path;
use std::sync::OnceLock;

use common::{Done, TempFile, run};
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_movegen::Game;
use sakmak_tools::datagen::{DataError, Filter, GameRecord, GameResult, Reader, Reason};

const GAMES: usize = 6;
const OPTIONS: [&str; 6] = ["--nodes", "150", "--hash", "1", "--max-plies", "80"];
const SEED: &str = "7";

fn play(place: &TempFile, games: usize, more: &[&str]) -> Done {
    play_seed(place, games, SEED, more)
}

fn play_seed(place: &TempFile, games: usize, seed: &str, more: &[&str]) -> Done {
    let games = games.to_string();
    let command = ["datagen", "play", "--out", place.path(), "--games", &games, "--seed", seed];
    run(&[&command[..], &OPTIONS, more].concat(), "")
}

fn succeeds(done: &Done) {
    assert_eq!(done.status, Some(0), "{}", done.err);
}

/// The bytes of a small file.
fn sample() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let place = TempFile::absent("sample");
        succeeds(&play(&place, GAMES, &[]));
        place.bytes()
    })
}

fn games(bytes: &[u8]) -> Vec<GameRecord> {
    Reader::new(bytes).expect("a header").collect::<Result<_, _>>().expect("whole games")
}

/// Where the header and each game end.
fn ends(bytes: &[u8]) -> Vec<usize> {
    let mut reader = Reader::new(bytes).unwrap();
    let mut ends = vec![reader.offset() as usize];
    while let Some(game) = reader.next() {
        game.unwrap();
        ends.push(reader.offset() as usize);
    }
    ends
}

/// Corrects the checksum at the end of `bytes[from..to]`.
fn reseal(bytes: &mut [u8], from: usize, to: usize) {
    let sum = crc32fast::hash(&bytes[from..to - 4]);
    bytes[to - 4..to].copy_from_slice(&sum.to_le_bytes());
}

#[test]
fn the_number_of_threads_does_not_matter() {
    for threads in ["2", "5"] {
        let place = TempFile::absent(threads);
        succeeds(&play(&place, GAMES, &["--threads", threads]));
        assert!(place.bytes() == sample(), "{threads} threads");
    }
    let other = TempFile::absent("other");
    succeeds(&play_seed(&other, GAMES, "8", &[]));
    let (ours, others) = (games(sample()), games(&other.bytes()));
    assert_eq!(ours.len(), GAMES);
    assert!(ours.iter().zip(&others).all(|(ours, others)| ours.start != others.start));
}

#[test]
fn a_killed_run_goes_on_to_the_same_file() {
    let ends = ends(sample());
    let mut cuts = vec![0, 1, 9, 40, ends[0] - 1, ends[0], ends[0] + 1, ends[0] + 4, ends[1] - 1, ends[2]];
    let mut rng = ChaCha8Rng::seed_from_u64(1);
    cuts.extend((0..4).map(|_| rng.random_range(0..sample().len())));
    for cut in cuts {
        let place = TempFile::new("cut", &sample()[..cut]);
        succeeds(&play(&place, GAMES, &["--resume", "--threads", "2"]));
        assert!(place.bytes() == sample(), "cut at {cut}");
    }
    // A shorter run can be made longer.
    let place = TempFile::absent("longer");
    succeeds(&play(&place, 2, &["--resume"]));
    assert_eq!(place.bytes(), sample()[..ends[2]]);
    succeeds(&play(&place, GAMES, &["--resume"]));
    assert!(place.bytes() == sample());
    // One that is whole stays as it is, and is not made shorter.
    succeeds(&play(&place, GAMES, &["--resume"]));
    assert_eq!(play(&place, 2, &["--resume"]).status, Some(1));
    assert!(place.bytes() == sample());
}

#[test]
fn files_that_do_not_fit_are_left_alone() {
    let refused = |bytes: &[u8], more: &[&str], reason: &str| {
        let place = TempFile::new("refused", bytes);
        let done = play(&place, GAMES, more);
        assert_eq!(done.status, Some(1), "{reason}");
        assert!(done.err.contains(reason), "{}", done.err);
        assert!(place.bytes() == bytes, "{reason}");
    };
    refused(sample(), &[], "exists");
    refused(sample(), &["--resume", "--no-draws"], "was made otherwise");
    refused(sample(), &["--resume", "--ruleset", "none"], "was made otherwise");
    refused(b"Dear diary", &["--resume"], "not a file of");
    let mut damaged = sample().to_vec();
    damaged[ends(sample())[1] + 20] ^= 1;
    refused(&damaged, &["--resume"], "game 2 is damaged");
}

#[test]
fn games_come_out_as_they_went_in() {
    let ends = ends(sample());
    let games = games(sample());
    assert_eq!(games.len(), GAMES);
    for (game, range) in games.iter().zip(ends.windows(2)) {
        assert_eq!(game.encode().unwrap(), sample()[range[0]..range[1]]);
        assert!(game.plies.len() <= 80 && !game.plies.is_empty());
        assert_eq!(game.reason == Reason::TooLong, game.plies.len() == 80 && game.reason.is_adjudication());
    }
    assert!(games.iter().any(|game| game.start.side_to_move() != games[0].start.side_to_move()));
}

#[test]
fn every_damaged_bit_is_noticed() {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    for _ in 0..400 {
        let mut bytes = sample().to_vec();
        let bit = rng.random_range(0..8 * bytes.len());
        bytes[bit / 8] ^= 1 << (bit % 8);
        let faults = Reader::new(&bytes[..]).map_or(1, |games| games.filter(Result::is_err).count());
        assert_eq!(faults, 1, "bit {bit}");
    }
}

#[test]
fn no_bytes_make_the_reader_panic() {
    let mut rng = ChaCha8Rng::seed_from_u64(3);
    let header = ends(sample())[0];
    let read_all = |bytes: &[u8]| {
        let Ok(reader) = Reader::new(bytes) else { return };
        for game in reader.flatten() {
            assert_eq!(game.positions(&Filter::ALL).count(), game.plies.len());
        }
    };
    for _ in 0..300 {
        let mut bytes = vec![0; rng.random_range(0..3000)];
        rng.fill_bytes(&mut bytes);
        read_all(&bytes);
        read_all(&[&sample()[..14], &bytes].concat());
        read_all(&[&sample()[..header], &bytes].concat());
    }
    // Nonsense with the right checksum.
    let ends = ends(sample());
    for turn in 0..1000 {
        let mut bytes = sample()[..ends[1]].to_vec();
        let (from, to) = if turn % 5 == 0 { (0, ends[0]) } else { (ends[0], ends[1]) };
        for _ in 0..rng.random_range(1..4) {
            let place = rng.random_range(from..to);
            bytes[place] = rng.random();
        }
        reseal(&mut bytes, from, to);
        read_all(&bytes);
    }
}

#[test]
fn errors_tell_what_is_wrong() {
    let first = |bytes: &[u8]| match Reader::new(bytes) {
        Ok(games) => games.filter_map(Result::err).next().expect("a fault"),
        Err(error) => error,
    };
    let change = |place: usize, value: u8, from: usize, to: usize| {
        let mut bytes = sample().to_vec();
        bytes[place] = value;
        reseal(&mut bytes, from, to);
        first(&bytes)
    };
    let ends = ends(sample());
    assert!(matches!(first(b""), DataError::Magic));
    assert!(matches!(first(b"SAKM"), DataError::HeaderCut));
    assert!(matches!(first(&sample()[..ends[0] - 1]), DataError::HeaderCut));
    assert!(matches!(first(&sample()[..ends[2] + 3]), DataError::Cut { game: 3 }));
    assert_eq!(change(8, 9, 0, ends[0]).to_string(), "version 9 of the format is unknown here; 1 is known");
    assert!(matches!(change(14, b'x', 0, ends[0]), DataError::Header(_)));
    let (from, to) = (ends[1], ends[2]);
    assert!(matches!(change(from, 3, from, to), DataError::Number { game: 2, what: "result", number: 3 }));
    assert!(matches!(change(from + 1, 99, from, to), DataError::Number { what: "reason", .. }));
    assert!(matches!(change(from + 5, b'x', from, to), DataError::Start { game: 2, .. }));
    let moves = from + 5 + usize::from(sample()[from + 2]);
    assert!(matches!(change(moves + 1, 0xff, from, to), DataError::Number { what: "move", .. }));
    // The first move once more.
    let mut bytes = sample().to_vec();
    bytes.copy_within(moves..moves + 2, moves + 8);
    bytes.copy_within(moves..moves + 2, moves + 4);
    reseal(&mut bytes, from, to);
    assert!(matches!(first(&bytes), DataError::Illegal { game: 2, ply: 2, .. }));
}

#[test]
fn filters_let_through_what_they_should() {
    let games = games(sample());
    let all: Vec<_> = games.iter().flat_map(|game| game.positions(&Filter::ALL)).collect();
    assert_eq!(all.len(), games.iter().map(|game| game.plies.len()).sum::<usize>());
    for game in &games {
        let mut replayed = Game::from_fen(&game.start.to_string(), *game.start.rules()).unwrap();
        for (sample, ply) in game.positions(&Filter::ALL).zip(&game.plies) {
            assert_eq!((sample.mv, sample.score, sample.result), (ply.mv, ply.score.into(), game.result));
            assert_eq!((&sample.position, sample.ply), (replayed.position(), replayed.len()));
            replayed.play(sample.mv).unwrap();
        }
    }
    let filter = Filter { max_score: 120, min_ply: 9, ..Filter::default() };
    let some: Vec<_> = games.iter().flat_map(|game| game.positions(&filter)).collect();
    let good = all.iter().filter(|one| {
        let noisy = one.position.is_noisy(one.mv) || one.position.in_check();
        !noisy && one.score.abs() <= 120 && one.ply >= 9 && !one.position.is_dead()
    });
    assert!(some.iter().eq(good) && !some.is_empty() && some.len() < all.len());

    let share = |keep, seed| {
        let filter = Filter { keep, seed, ..Filter::ALL };
        games.iter().flat_map(|game| game.positions(&filter)).collect::<Vec<_>>()
    };
    let half = share(0.5, 1);
    assert_eq!(half, share(0.5, 1));
    assert_ne!(half, share(0.5, 2));
    assert!((half.len() as f64 / all.len() as f64 - 0.5).abs() < 0.1, "{} of {}", half.len(), all.len());
    assert_eq!((share(0.0, 1).len(), share(1.0, 1).len()), (0, all.len()));
    // A smaller share is part of a larger one.
    assert!(share(0.2, 1).iter().all(|one| half.contains(one)));
}

#[test]
fn info_counts_and_checks() {
    let info = |bytes: &[u8], more: &[&str]| {
        let place = TempFile::new("info", bytes);
        run(&[&["datagen", "info", place.path()], more].concat(), "")
    };
    let done = info(sample(), &["--check"]);
    succeeds(&done);
    let positions: usize = games(sample()).iter().map(|game| game.plies.len()).sum();
    assert!(done.out.contains(&format!("games: {GAMES}\npositions: {positions}, ")), "{}", done.out);
    let done = info(sample(), &["--filter", "--max-score", "0", "--keep", "0"]);
    assert!(done.out.contains("after the filter: 0 (0.0%)"), "{}", done.out);

    let ends = ends(sample());
    let done = info(&sample()[..ends[2] - 1], &[]);
    succeeds(&done);
    assert!(done.out.contains("games: 1\n") && done.err.contains("game 2 is cut off"), "{}", done.err);

    // A result that does not fit its reason.
    let mut bytes = sample().to_vec();
    bytes[ends[2]..ends[2] + 2].copy_from_slice(&[GameResult::Draw as u8, Reason::Mate as u8]);
    reseal(&mut bytes, ends[2], ends[3]);
    assert_eq!(info(&bytes, &[]).status, Some(0));
    let done = info(&bytes, &["--check"]);
    assert_eq!(done.status, Some(1));
    assert!(done.err.contains("game 3: ends with Draw (mate)"), "{}", done.err);
}

#[test]
fn files_are_joined() {
    let (one, two, sum) = (TempFile::new("one", sample()), TempFile::absent("two"), TempFile::absent("sum"));
    succeeds(&play_seed(&two, 2, "8", &[]));
    let merge = |inputs: &[&TempFile]| {
        let names: Vec<_> = inputs.iter().map(|place| place.path()).collect();
        run(&[&["datagen", "merge", sum.path()], &names[..]].concat(), "")
    };
    let done = merge(&[&one, &one]);
    assert_eq!(done.status, Some(1));
    assert!(
        done.err.contains("holds games that another file has too") && !Path::new(sum.path()).exists(),
        "{}",
        done.err
    );
    let done = merge(&[&one, &two]);
    succeeds(&done);
    assert_eq!(done.out, format!("{} games\n", GAMES + 2));
    let both = [games(sample()), games(&two.bytes())].concat();
    assert_eq!(games(&sum.bytes()), both);
    let runs = Reader::new(&sum.bytes()[..]).unwrap().header().runs.clone();
    assert_eq!(runs.iter().map(|run| run.seed).collect::<Vec<_>>(), [7, 8]);
    assert_eq!(merge(&[&one]).status, Some(1), "it exists");
}
