//! The command `sakmak-tools datagen` and the files it makes.

use std::path::Path;
use std::sync::OnceLock;

use crate::common::{Done, Folder, TempFile, run};
use crate::tablebase;
use rand::{Rng, RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_dataset::games::{DataError, EndReason, Filter, GameRecord, GameResult, Reader};
use sakmak_eval::tablebase::{Tablebases, Value};
use sakmak_movegen::Game;

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

/// The bytes of a small file.
fn sample() -> &'static [u8] {
    static BYTES: OnceLock<Vec<u8>> = OnceLock::new();
    BYTES.get_or_init(|| {
        let place = TempFile::absent("sample");
        play(&place, GAMES, &[]).ok();
        place.bytes()
    })
}

fn games(bytes: &[u8]) -> Vec<GameRecord> {
    Reader::new(bytes).expect("a header").collect::<Result<_, _>>().expect("whole games")
}

/// Where the header and each game end, in bytes.
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
        play(&place, GAMES, &["--threads", threads]).ok();
        assert!(place.bytes() == sample(), "{threads} threads");
    }
    let other = TempFile::absent("other");
    play_seed(&other, GAMES, "8", &[]).ok();
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
        play(&place, GAMES, &["--resume", "--threads", "2"]).ok();
        assert!(place.bytes() == sample(), "cut at {cut}");
    }
    // A shorter run can be extended.
    let place = TempFile::absent("longer");
    play(&place, 2, &["--resume"]).ok();
    assert_eq!(place.bytes(), sample()[..ends[2]]);
    play(&place, GAMES, &["--resume"]).ok();
    assert!(place.bytes() == sample());
    // A complete one stays unchanged, and is never shortened.
    play(&place, GAMES, &["--resume"]).ok();
    assert_eq!(play(&place, 2, &["--resume"]).status, Some(1));
    assert!(place.bytes() == sample());
}

#[test]
fn files_that_do_not_fit_are_left_alone() {
    let refused = |bytes: &[u8], more: &[&str], reason: &str| {
        let place = TempFile::new("refused", bytes);
        play(&place, GAMES, more).fails(1, reason);
        assert!(place.bytes() == bytes, "{reason}");
    };
    refused(sample(), &[], "exists");
    refused(sample(), &["--resume", "--no-draws"], "was made with other settings: draws from ply ");
    refused(sample(), &["--resume", "--ruleset", "none"], "was made with other settings: makruk");
    refused(b"Dear diary", &["--resume"], "not a file of");
    let mut damaged = sample().to_vec();
    damaged[ends(sample())[1] + 20] ^= 1;
    refused(&damaged, &["--resume"], &format!("game 2 at byte {} is damaged", ends(sample())[1]));
    refused(&old_version(sample()), &["--resume"], "is of version 1 of the format, which is only read");
}

#[test]
fn games_come_out_as_they_went_in() {
    let ends = ends(sample());
    let games = games(sample());
    assert_eq!(games.len(), GAMES);
    for (game, range) in games.iter().zip(ends.windows(2)) {
        assert_eq!(game.encode().unwrap(), sample()[range[0]..range[1]]);
        assert!(game.plies.len() <= 80 && !game.plies.is_empty());
        assert_eq!(
            game.reason == EndReason::TooLong,
            game.plies.len() == 80 && game.reason.is_adjudication()
        );
    }
    assert!(games.iter().any(|game| game.start.side_to_move() != games[0].start.side_to_move()));
}

/// The file in version 1: without the checksum after each game's lengths.
fn old_version(bytes: &[u8]) -> Vec<u8> {
    let ends = ends(bytes);
    let mut old = bytes[..ends[0]].to_vec();
    old[8] = 1;
    reseal(&mut old, 0, ends[0]);
    for range in ends.windows(2) {
        let from = old.len();
        old.extend(&bytes[range[0]..range[0] + 5]);
        old.extend(&bytes[range[0] + 9..range[1]]);
        let to = old.len();
        reseal(&mut old, from, to);
    }
    old
}

/// The errors that a reader finds, each with the number of games before it.
fn faults(bytes: &[u8]) -> Vec<(u64, DataError)> {
    let mut reader = match Reader::new(bytes) {
        Ok(reader) => reader,
        Err(error) => return vec![(0, error)],
    };
    let mut faults = Vec::new();
    while let Some(game) = reader.next() {
        faults.extend(game.err().map(|error| (reader.games(), error)));
    }
    faults
}

/// The game number of an error, and where that game begins.
fn fault(error: &DataError) -> (u64, u64) {
    match error {
        DataError::Cut { game, offset } | DataError::Damaged { game, offset, .. } => (*game, *offset),
        other => panic!("not about a game: {other}"),
    }
}

/// For every flipped bit the error names the right game, and no sound game is taken for the rest of an incomplete one.
#[test]
fn every_damaged_bit_is_noticed_and_no_sound_game_lost() {
    for whole in [sample().to_vec(), old_version(sample())] {
        let ends = ends(&whole);
        // Complete, and cut off within the last game after its head, within its FEN, and within its moves.
        let last = ends[ends.len() - 2];
        for length in [whole.len(), last + 12, last + 40, whole.len() - 7] {
            for bit in 0..8 * length {
                let mut bytes = whole[..length].to_vec();
                bytes[bit / 8] ^= 1 << (bit % 8);
                let faults = faults(&bytes);
                assert_eq!(faults.len(), 1, "bit {bit} of {length} bytes");
                let (games, error) = &faults[0];
                if bit / 8 < ends[0] {
                    assert!(!error.is_cut(), "bit {bit} of {length} bytes: {error}");
                    continue;
                }
                let damaged = ends.iter().filter(|&&end| end <= bit / 8).count();
                let (number, place) = fault(error);
                assert_eq!(
                    (number, *games),
                    (damaged as u64, damaged as u64 - 1),
                    "bit {bit} of {length} bytes"
                );
                assert_eq!(place, ends[damaged - 1] as u64);
                // Damage is taken for a cut only in a game that is incomplete anyway.
                assert!(!error.is_cut() || ends[damaged] > length, "bit {bit} of {length} bytes: {error}");
            }
        }
    }
}

/// Wherever a file is cut off, the games before are complete and nothing is called damaged.
#[test]
fn every_cut_is_known_as_one() {
    for whole in [sample().to_vec(), old_version(sample())] {
        let ends = ends(&whole);
        for length in ends[0]..whole.len() {
            let games = ends.iter().filter(|&&end| end <= length).count() as u64 - 1;
            match &faults(&whole[..length])[..] {
                [] => assert!(ends.contains(&length), "{length}"),
                [(found, error)] => {
                    assert!(error.is_cut() && *found == games, "{length}: {error}");
                    assert_eq!(fault(error), (games + 1, ends[games as usize] as u64));
                }
                more => panic!("{length}: {more:?}"),
            }
        }
    }
}

/// An early game with so large a number of plies that the file seems to end within it.
#[test]
fn a_wrong_length_is_no_cut() {
    for whole in [sample().to_vec(), old_version(sample())] {
        let ends = ends(&whole);
        let mut bytes = whole.clone();
        bytes[ends[1] + 4] ^= 0x80;
        let place = TempFile::new("wrong-length", &bytes);
        let message = format!("game 2 at byte {} is damaged: its lengths are wrong", ends[1]);
        let sum = TempFile::absent("wrong-length-sum");
        let info = ["datagen", "info", place.path()];
        for command in
            [&info[..], &[&info[..], &["--check"]].concat(), &["datagen", "merge", sum.path(), place.path()]]
        {
            let done = run(command, "");
            assert_eq!((done.status, done.out.as_str()), (Some(1), ""), "{command:?}");
            assert!(
                done.err.contains(&message) && done.err.contains(place.path()),
                "{command:?}: {}",
                done.err
            );
        }
        assert!(!Path::new(sum.path()).exists());
        assert_eq!(play(&place, GAMES, &["--resume"]).status, Some(1));
        assert!(place.bytes() == bytes, "nothing is cut off");
    }
}

#[test]
fn files_of_version_1_are_read() {
    let old = old_version(sample());
    assert_eq!((Reader::new(&old[..]).unwrap().version(), Reader::new(sample()).unwrap().version()), (1, 2));
    assert_eq!(games(&old), games(sample()));
    // A copy of version 1 can be resumed.
    let (place, copy) = (TempFile::new("version-1", &old), TempFile::absent("version-2"));
    run(&["datagen", "merge", copy.path(), place.path()], "").ok();
    assert!(copy.bytes() == sample());
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
    // Invalid contents with the right checksum.
    let ends = ends(sample());
    for turn in 0..1000 {
        let mut bytes = sample()[..ends[1]].to_vec();
        let (from, to) = if turn % 5 == 0 { (0, ends[0]) } else { (ends[0], ends[1]) };
        for _ in 0..rng.random_range(1..4) {
            let place = rng.random_range(from..to);
            bytes[place] = rng.random();
        }
        if from > 0 {
            reseal(&mut bytes, from, from + 9);
        }
        reseal(&mut bytes, from, to);
        read_all(&bytes);
    }
}

#[test]
fn errors_name_the_damage() {
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
    assert_eq!(first(b"").to_string(), "not a file of sakmak-tools datagen");
    assert_eq!(first(b"SAKM").to_string(), "the header is cut off");
    assert_eq!(first(&sample()[..ends[0] - 1]).to_string(), "the header is cut off");
    assert!(first(&sample()[..ends[2] + 3]).is_cut());
    assert_eq!(change(8, 9, 0, ends[0]).to_string(), "version 9 of the format cannot be read; 1 to 4 can");
    assert!(change(14, b'x', 0, ends[0]).to_string().starts_with("the header makes no sense: "));
    let (from, to) = (ends[1], ends[2]);
    // Result, reason and lengths have their own checksum.
    let change = |place: usize, value: u8| {
        let mut bytes = sample().to_vec();
        bytes[place] = value;
        reseal(&mut bytes, from, from + 9);
        reseal(&mut bytes, from, to);
        let error = first(&bytes);
        assert_eq!(fault(&error), (2, from as u64));
        error.to_string()
    };
    assert!(change(from, 3).ends_with(" is damaged: 3 is no result"));
    assert!(change(from + 1, 99).ends_with(" is damaged: 99 is no reason"));
    assert!(change(from + 9, b'x').contains(" is damaged: "));
    let moves = from + 9 + usize::from(sample()[from + 2]);
    assert!(change(moves + 1, 0xff).ends_with(" is no move"));
    // The first move played again.
    let mut bytes = sample().to_vec();
    bytes.copy_within(moves..moves + 2, moves + 8);
    bytes.copy_within(moves..moves + 2, moves + 4);
    reseal(&mut bytes, from, to);
    let error = first(&bytes).to_string();
    assert!(error.contains("ply 2, ") && error.ends_with(", is not legal"), "{error}");
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
    // A smaller share is a subset of a larger one.
    assert!(share(0.2, 1).iter().all(|one| half.contains(one)));
}

#[test]
fn info_counts_and_checks() {
    let info = |bytes: &[u8], more: &[&str]| {
        let place = TempFile::new("info", bytes);
        run(&[&["datagen", "info", place.path()], more].concat(), "")
    };
    let done = info(sample(), &["--check"]).ok();
    let positions: usize = games(sample()).iter().map(|game| game.plies.len()).sum();
    assert!(done.out.contains(&format!("games: {GAMES}\npositions: {positions}, ")), "{}", done.out);
    let done = info(sample(), &["--filter", "--max-score", "0", "--keep", "0"]);
    assert!(done.out.contains("after the filter: 0 (0.0%)"), "{}", done.out);

    let ends = ends(sample());
    let done = info(&sample()[..ends[2] - 1], &[]).ok();
    assert!(
        done.out.contains("games: 1\n")
            && done.err.contains(&format!("game 2 at byte {} is cut off", ends[1])),
        "{}",
        done.err
    );

    // A result that contradicts its reason.
    let mut bytes = sample().to_vec();
    bytes[ends[2]..ends[2] + 2].copy_from_slice(&[GameResult::Draw as u8, EndReason::Mate as u8]);
    reseal(&mut bytes, ends[2], ends[2] + 9);
    reseal(&mut bytes, ends[2], ends[3]);
    assert_eq!(info(&bytes, &[]).status, Some(0));
    info(&bytes, &["--check"]).fails(1, "game 3: ends with 1/2-1/2 (mate)");
}

#[test]
fn files_are_joined() {
    let (one, two, sum) = (TempFile::new("one", sample()), TempFile::absent("two"), TempFile::absent("sum"));
    play_seed(&two, 2, "8", &[]).ok();
    let merge = |inputs: &[&TempFile]| {
        let names: Vec<_> = inputs.iter().map(|place| place.path()).collect();
        run(&[&["datagen", "merge", sum.path()], &names[..]].concat(), "")
    };
    let done = merge(&[&one, &one]);
    assert_eq!(done.status, Some(1));
    assert!(
        done.err.contains("holds games that another file has too, those of engine Sakmak ")
            && !done.err.contains("Run {")
            && !Path::new(sum.path()).exists(),
        "{}",
        done.err
    );
    let done = merge(&[&one, &two]).ok();
    assert_eq!(done.out, format!("{} games\n", GAMES + 2));
    let both = [games(sample()), games(&two.bytes())].concat();
    assert_eq!(games(&sum.bytes()), both);
    let runs = Reader::new(&sum.bytes()[..]).unwrap().header().runs.clone();
    assert_eq!(runs.iter().map(|run| run.seed).collect::<Vec<_>>(), [7, 8]);
    assert_eq!(merge(&[&one]).status, Some(1), "it exists");
}

/// With the assertions of the development profile: no panic, no illegal move, and no end that contradicts the rules.
#[test]
fn fast_games_are_legal_and_end_by_the_rules() {
    let rulesets =
        [&[][..], &["--ruleset", "wikipedia"], &["--ruleset", "cutechess"], &["--variant", "cambodian"]];
    for rules in rulesets {
        let place = TempFile::absent("fast");
        let fixed =
            ["datagen", "play", "--out", place.path(), "--games", "50", "--nodes", "40", "--hash", "1"];
        run(&[&fixed[..], &["--threads", "2"], rules].concat(), "").ok();
        let games = games(&place.bytes());
        assert!(games.iter().any(|game| !game.reason.is_adjudication()), "{rules:?}: no game came to an end");
        run(&["datagen", "info", "--check", place.path()], "").ok();
    }
}

/// Options of games that reach endings with few pieces.
const ENDINGS: [&str; 9] =
    ["--nodes", "60", "--hash", "1", "--random-plies", "190", "--max-opening-cp", "5000", "--no-draws"];

/// Plays such games with tablebases from `folders`.
fn play_endings(place: &TempFile, folders: &[&Folder], more: &[&str]) -> Done {
    let command = ["datagen", "play", "--out", place.path(), "--games", "160"];
    let folders = folders.iter().flat_map(|folder| ["--tablebase", folder.path()]).collect::<Vec<_>>();
    run(&[&command[..], &ENDINGS, &folders, more].concat(), "")
}

#[test]
fn tables_end_games() {
    let folder = tablebase::folder_of(&tablebase::ALL);
    let (tables, _) = Tablebases::open([folder.path()]);
    let (plain, place) = (TempFile::absent("plain"), TempFile::absent("games"));
    play_endings(&plain, &[], &[]).ok();
    play_endings(&place, &[&folder], &["--threads", "2"]).ok();
    let version = |bytes: &[u8]| Reader::new(bytes).unwrap().version();
    assert_eq!((version(&plain.bytes()), version(&place.bytes())), (2, 3));
    let mut ended = [0; 3];
    for (game, plain) in games(&place.bytes()).iter().zip(&games(&plain.bytes())) {
        let mut position = game.start.clone();
        let mut value = None;
        for (ply, other) in game.plies.iter().zip(&plain.plies) {
            assert_eq!((ply, value), (other, None), "the same game until a table has the position");
            position.play_unchecked(ply.mv);
            value = tables.probe(&position).map(|probe| probe.value);
        }
        if game.reason != EndReason::Tablebase {
            assert_eq!(game, plain);
            continue;
        }
        let mover = position.side_to_move();
        assert_eq!(
            game.result,
            match value.expect("a table") {
                Value::Win(_) => GameResult::won_by(mover),
                Value::Draw => GameResult::Draw,
                Value::Loss(_) => GameResult::won_by(!mover),
            }
        );
        ended[game.result as usize] += 1;
    }
    assert!(ended[1] > 0 && ended[0] + ended[2] > 0, "{ended:?}");

    let done = run(&["datagen", "info", "--check", place.path()], "").ok();
    assert!(done.out.contains(", openings within 5000 cp, 8 endgame tables\n"), "{}", done.out);
    let line = format!("  tablebase       {:>9} ", ended.iter().sum::<u32>());
    assert!(done.out.contains(&line), "{}", done.out);

    // It can only be resumed with tablebases of the same endings, in any folders.
    let whole = place.bytes();
    let cut = TempFile::new("cut", &whole[..whole.len() / 2]);
    let fewer = tablebase::folder_of(&tablebase::ALL[1..]);
    for folders in [&[][..], &[&fewer]] {
        play_endings(&cut, folders, &["--resume"]).fails(1, "was made with other settings: --tablebase ");
        assert_eq!(cut.bytes(), whole[..whole.len() / 2]);
    }
    play_endings(&cut, &[&fewer, &tablebase::folder_of(&tablebase::ALL[..1])], &["--resume"]).ok();
    assert!(cut.bytes() == whole);

    // Joined with games of version 2 they keep their version.
    let sum = TempFile::absent("sum");
    run(&["datagen", "merge", sum.path(), plain.path(), place.path()], "").ok();
    assert_eq!(version(&sum.bytes()), 3);
    assert_eq!(games(&sum.bytes()), [games(&plain.bytes()), games(&whole)].concat());

    // Version 2 does not know the reason: its readers refuse files of version 3, and would call this one damaged.
    let mut old = whole.clone();
    let header = ends(&whole)[0];
    old[8] = 2;
    reseal(&mut old, 0, header);
    let [(_, error)] = &faults(&old)[..] else { panic!("a fault") };
    assert!(error.to_string().ends_with("10 is no reason"), "{error}");
}

#[test]
fn tables_that_cannot_be_used_are_reported() {
    let place = TempFile::absent("games");
    let empty = Folder::new();
    let done = play_endings(&place, &[&empty], &[]);
    assert!(done.status == Some(1) && done.err.starts_with("error: no tables found; "), "{}", done.err);
    assert!(!Path::new(place.path()).exists());
    let folder = tablebase::folder_of(&["KRvK"]);
    std::fs::write(folder.file("KSvK.sktb"), "").unwrap();
    let done = play_endings(&place, &[&folder], &[]).ok();
    assert!(done.err.starts_with(&format!("warning: {}: ", folder.file("KSvK.sktb"))), "{}", done.err);

    // Damage found during a game ends the run: otherwise the games would depend on when it is noticed.
    let place = TempFile::absent("damaged");
    let folder = tablebase::folder_of(&tablebase::ALL);
    for name in tablebase::ALL {
        let path = folder.file(&format!("{name}.sktb"));
        let mut bytes = std::fs::read(&path).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        bytes[tablebase::HEADER] ^= 1;
        std::fs::write(&path, bytes).unwrap();
    }
    let done = play_endings(&place, &[&folder], &[]);
    assert_eq!(done.status, Some(1));
    let error = done.err.lines().last().unwrap();
    assert!(error.starts_with("error: ") && error.ends_with(".sktb: damaged"), "{}", done.err);
}

/// Games between limited players are repeatable, differ from those of full strength, and are resumed only as such.
#[test]
fn limited_players_play_the_same_games_again() {
    let levels = ["--levels", "600-1600"];
    let [one, two] = ["levels-one", "levels-two"].map(TempFile::absent);
    play(&one, 4, &levels).ok();
    play(&two, 2, &[&levels[..], &["--threads", "2"]].concat()).ok();
    play(&two, 4, &[&levels[..], &["--resume"]].concat()).ok();
    assert_eq!(one.bytes(), two.bytes());
    let full = games(sample());
    assert!(games(&one.bytes()).iter().zip(&full).all(|(limited, full)| limited.plies != full.plies));
    let refused = play(&one, 5, &["--levels", "600-1700", "--resume"]);
    assert!(refused.err.contains("--levels 600-1600, now 600-1700"), "{}", refused.err);
    for wrong in ["600", "1600-600", "0-9000", "600-x"] {
        let refused = play(&TempFile::absent("levels-wrong"), 1, &["--levels", wrong]);
        assert!(refused.err.contains("LOW-HIGH is needed"), "{wrong}: {}", refused.err);
    }
}
