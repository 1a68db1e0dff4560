//! The command `sakmak-tools tablebase` on small tablebases, sound and damaged.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use sakmak_eval::tablebase::{Ending, Tablebases, Value};
use sakmak_movegen::{
    Color, DrawReason, Game, Move, Outcome, Piece, PieceKind, Position, Rules, Setup, Square,
};
use serde_json::Value as Json;

use crate::common::{Done, Folder, run};

/// Endings built by the tests: eight files with those that they need.
const BUILT: [&str; 4] = ["KRvK", "KBvKB", "KMMvK", "KvKS"];
pub(crate) const ALL: [&str; 8] = ["KBvK", "KBvKB", "KMMvK", "KMvK", "KMvKB", "KMvKM", "KRvK", "KSvK"];

/// Runs the command with a folder.
fn tablebase(command: &str, folder: &Folder, args: &[&str], input: &str) -> Done {
    run(&[&["tablebase", command, "--dir", folder.path()], args].concat(), input)
}

/// The bytes of all files of a folder, by name.
fn files(folder: &Folder) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(folder.path()).expect("the folder").map(|entry| entry.expect("an entry"));
    let file = |entry: fs::DirEntry| {
        (entry.file_name().into_string().expect("a plain name"), fs::read(entry.path()).expect("the file"))
    };
    entries.map(file).collect()
}

/// The bytes of the tablebase files by ending, built once for all tests.
fn tables() -> &'static BTreeMap<String, Vec<u8>> {
    static TABLES: OnceLock<BTreeMap<String, Vec<u8>>> = OnceLock::new();
    TABLES.get_or_init(|| {
        let folder = Folder::new();
        tablebase("build", &folder, &BUILT, "").ok();
        let name = |file: String| file.strip_suffix(".sktb").expect("a table").to_owned();
        files(&folder).into_iter().map(|(file, bytes)| (name(file), bytes)).collect()
    })
}

/// A folder with some of these files.
pub(crate) fn folder_of(names: &[&str]) -> Folder {
    let folder = Folder::new();
    for name in names {
        fs::write(table_path(&folder, name), &tables()[*name]).expect("a table");
    }
    folder
}

fn table_path(folder: &Folder, name: &str) -> String {
    folder.file(&format!("{name}.sktb"))
}

fn ending(name: &str) -> Ending {
    name.parse().expect("an ending")
}

fn info(folder: &Folder, args: &[&str]) -> Vec<Json> {
    let out = tablebase("info", folder, &[args, &["--json"]].concat(), "").ok().out;
    serde_json::Deserializer::from_str(&out).into_iter().map(|value| value.expect("JSON")).collect()
}

#[test]
fn tables_are_built_once_and_with_those_they_need() {
    assert!(tables().keys().eq(ALL));
    let folder = Folder::new();
    let build =
        |threads| tablebase("build", &folder, &[&BUILT[..], &["--threads", threads]].concat(), "").ok().out;
    // The same bytes for any number of threads, and no other files.
    let expected = tables().iter().map(|(name, bytes)| (format!("{name}.sktb"), bytes.clone())).collect();
    for threads in ["1", "2"] {
        let out = build(threads);
        assert!(out.starts_with("8 built, 0 kept; ") && out.contains(": 8 tables, "), "{out}");
        assert!(files(&folder) == expected, "{threads} threads");
        let times = || ALL.map(|name| fs::metadata(table_path(&folder, name)).unwrap().modified().unwrap());
        let before = times();
        assert!(build("2").starts_with("0 built, 8 kept; "));
        assert_eq!(times(), before);
        for name in ALL {
            fs::remove_file(table_path(&folder, name)).unwrap();
        }
    }
    // The pieces may be named in any order, and the colours exchanged.
    tablebase("build", &folder, &["KvKR"], "").ok();
    assert!(files(&folder).keys().eq(["KRvK.sktb"]));
}

#[test]
fn bad_names_are_clear_errors() {
    let folder = Folder::new();
    for (name, complaint) in [
        ("KQvK", "'Q' in 'KQvK' is no man: K khun, R rua, S khon, N maa, M met, B bia"),
        ("KRvQ", "'Q' in 'KRvQ' is no man: K khun, R rua, S khon, N maa, M met, B bia"),
        ("KRvN", "'KRvN' is no ending: the men of black must begin with its only khun, K"),
        ("KRRvKNN", "'KRRvKNN' has more than 5 men"),
        ("", "'' is no ending: expected two sides with a v between them, as in KSMvK or KRvKN"),
    ] {
        for command in ["build", "info", "check"] {
            let done = tablebase(command, &folder, &[name], "");
            assert_eq!((done.status, done.out.as_str()), (Some(2), ""), "{command} {name}");
            assert!(done.err.contains(complaint), "{command}: {}", done.err);
        }
    }
    tablebase("build", &folder, &["KvK"], "").fails(1, "KvK: two khuns alone are a draw");
    assert!(files(&folder).is_empty());
    let done = tablebase("info", &folder_of(&["KRvK"]), &["KSvK"], "");
    assert_eq!((done.status, done.err.as_str()), (Some(1), "error: there is no table of KSvK\n"));
}

/// Number of legal placements of a rua and two khun, counted on all squares.
fn legal_placements(side: Color) -> u64 {
    let men =
        [(Color::White, PieceKind::Khun), (Color::Black, PieceKind::Khun), (Color::White, PieceKind::Rua)];
    let mut legal = 0;
    for place in 0..64 * 64 * 64 {
        let squares = [place / 4096, place / 64 % 64, place % 64];
        if squares[0] == squares[1] || squares[2] == squares[0] || squares[2] == squares[1] {
            continue;
        }
        let setup = men.iter().zip(squares).fold(Setup::empty(), |setup, (&(color, kind), square)| {
            setup.piece(Square::from_index(square), Piece { color, kind })
        });
        legal += u64::from(setup.side_to_move(side).build(Rules::default()).is_ok());
    }
    legal
}

#[test]
fn info_counts_what_is_legal_won_drawn_and_lost() {
    let folder = folder_of(&ALL);
    let every = info(&folder, &[]);
    let names: BTreeSet<&str> = every.iter().map(|info| info["name"].as_str().unwrap()).collect();
    assert!(names.into_iter().eq(ALL));
    for info in &every {
        for side in ["white_to_move", "black_to_move"] {
            let [legal, won, drawn, lost] =
                ["legal", "won", "drawn", "lost"].map(|field| info[side][field].as_u64().expect("a number"));
            assert!(legal == won + drawn + lost && legal > 0, "{info}");
            assert_eq!(info[side]["longest"].as_u64() == Some(0), won + lost == 0, "{info}");
        }
    }
    let [rua] = &info(&folder, &["KRvK"])[..] else { panic!("one object") };
    assert_eq!(
        (&rua["white_to_move"]["longest"], &rua["black_to_move"]["longest"]),
        (&31.into(), &32.into())
    );
    assert_eq!(rua["white_to_move"]["legal"], legal_placements(Color::White));
    assert_eq!(rua["black_to_move"]["legal"], legal_placements(Color::Black));
    assert_eq!(rua["white_to_move"]["won"], rua["white_to_move"]["legal"]);

    let fields = |value: &Json| value.as_object().unwrap().keys().cloned().collect::<BTreeSet<_>>();
    let set = |names: &[&str]| names.iter().map(|&name| name.to_owned()).collect::<BTreeSet<_>>();
    let common = ["name", "rules", "file", "bytes", "white_to_move", "black_to_move"];
    assert_eq!(fields(rua), set(&common));
    let side = ["legal", "won", "drawn", "lost", "longest", "longest_fen"];
    assert_eq!(fields(&rua["black_to_move"]), set(&side));

    let [other] = &info(&folder, &["KvKR"])[..] else { panic!("one object") };
    for (ours, theirs) in [("white_to_move", "black_to_move"), ("black_to_move", "white_to_move")] {
        for field in ["legal", "won", "drawn", "lost", "longest"] {
            assert_eq!(rua[ours][field], other[theirs][field], "{ours} {field}");
        }
        let position = |info: &Json, side: &str| -> Position {
            Position::from_fen(info[side]["longest_fen"].as_str().unwrap()).unwrap()
        };
        assert_eq!(position(rua, ours), position(other, theirs).flipped());
    }

    let cut = |moves: &str| {
        let [info] = &info(&folder, &["KRvK", "--cap", moves])[..] else { panic!("one object") };
        assert_eq!(fields(info), &set(&common) | &set(&["cut"]));
        info["cut"].as_u64().unwrap()
    };
    assert_eq!((cut("16"), Some(cut("0"))), (0, rua["white_to_move"]["won"].as_u64()));
    assert!(0 < cut("15") && cut("15") < cut("14"));
}

/// Where the header, the directory and the blocks of a file begin, by `docs/endgames.md`.
const SIDES_AT: usize = 48;
pub(crate) const HEADER: usize = SIDES_AT + 2 * (16 + 256 * 8) + 4;
const BLOCK: usize = 4096;

fn blocks_at(bytes: &[u8]) -> usize {
    let placements = u64::from_le_bytes(bytes[32..40].try_into().unwrap()) as usize;
    HEADER + 8 * placements.div_ceil(BLOCK) * usize::from(bytes[11]) + 4
}

/// Corrects the checksum at the end of `bytes`.
fn reseal(bytes: &mut [u8]) {
    let (rest, sum) = bytes.split_last_chunk_mut::<4>().unwrap();
    *sum = crc32fast::hash(rest).to_le_bytes();
}

/// A file whose block `number` has drawn values only, with all checksums right.
fn with_drawn_block(bytes: &[u8], number: usize) -> Vec<u8> {
    let (mut bytes, blocks) = (bytes.to_vec(), blocks_at(bytes));
    let length = |number: usize| {
        let at = HEADER + 8 * number;
        u32::from_le_bytes(bytes[at..at + 4].try_into().unwrap()) as usize
    };
    let (from, length) = (blocks + (0..number).map(length).sum::<usize>(), length(number));
    // A block of one byte has that value everywhere; 0 is a draw.
    bytes.splice(from..from + length, [0]);
    bytes[HEADER + 8 * number..][..4].copy_from_slice(&1u32.to_le_bytes());
    bytes[HEADER + 8 * number + 4..][..4].copy_from_slice(&crc32fast::hash(&[0]).to_le_bytes());
    let file_bytes = bytes.len() as u64;
    bytes[40..48].copy_from_slice(&file_bytes.to_le_bytes());
    reseal(&mut bytes[..HEADER]);
    reseal(&mut bytes[HEADER..blocks]);
    bytes
}

#[test]
fn check_proves_tables_and_finds_wrong_values() {
    let folder = folder_of(&["KRvK", "KMvK", "KBvK", "KSvK"]);
    let out = tablebase("check", &folder, &[], "").ok().out;
    assert!(out.lines().count() == 4 && out.lines().all(|line| line.ends_with(" 0 differences")), "{out}");
    let checked = |name| tablebase("check", &folder, &[name], "").ok().out;
    let legal = legal_placements(Color::White) + legal_placements(Color::Black);
    assert_eq!(checked("KRvK"), format!("KRvK: {} entries checked, 0 differences\n", legal / 2));
    assert_eq!(checked("KvKR"), checked("KRvK").replace("KRvK", "KvKR"));
    // Mirror images count once; so do the samples, once for each side to move. Illegal placements are not checked.
    let sampled = |args: &[&str]| {
        tablebase("check", &folder, &[&["KRvK", "--sample", "3000"], args].concat(), "").ok().out
    };
    let sample = sampled(&[]);
    assert!(
        sample.ends_with(" 0 differences\n") && sample == sampled(&[]) && sample != sampled(&["--seed", "2"])
    );

    let path = table_path(&folder, "KRvK");
    fs::write(&path, with_drawn_block(&tables()["KRvK"], 5)).unwrap();
    let done = tablebase("check", &folder, &["KRvK"], "");
    assert_eq!((done.status, done.err.as_str()), (Some(1), ""));
    let mut lines = done.out.lines();
    assert!(!lines.next().unwrap().ends_with(" 0 differences"), "{}", done.out);
    let example = lines.next().and_then(|line| line.split_once(": the table has ")).expect("an example");
    assert!(example.1.contains(", its successors "), "{}", done.out);
    assert_eq!(Ending::from_position(&Position::from_fen(example.0.trim()).unwrap()), Some(ending("KRvK")));

    // The header counts one win more than the entries.
    let mut bytes = tables()["KRvK"].clone();
    bytes[SIDES_AT + 16 + 8] += 1;
    reseal(&mut bytes[..HEADER]);
    fs::write(&path, bytes).unwrap();
    let done = tablebase("check", &folder, &["KRvK"], "");
    assert_eq!(done.status, Some(1));
    assert!(
        done.out.ends_with("  the statistics of the header are not those of the entries\n"),
        "{}",
        done.out
    );
}

fn probe(folder: &Folder, fen: &str) -> Json {
    let out = tablebase("probe", folder, &["--fen", fen, "--json"], "").ok().out;
    serde_json::from_str(&out).expect("JSON")
}

/// Plays best moves to the end: the shortest mate and the longest defence, ignoring the count.
fn best_play(folder: &Folder, fen: &str) -> (Outcome, usize) {
    let (tables, errors) = Tablebases::open([folder.path()]);
    assert!(errors.is_empty());
    let mut game = Game::from_fen(fen, Rules::default()).unwrap();
    while game.outcome().is_none() {
        let plies = |&mv: &Move| {
            let mut after = game.position().clone();
            after.play_unchecked(mv);
            match tables.probe_uncounted(&after).expect("a table") {
                Value::Loss(plies) => i32::from(plies) - 1_000,
                Value::Draw => 0,
                Value::Win(plies) => 1_000 - i32::from(plies),
            }
        };
        let best = game.position().legal_moves().into_iter().min_by_key(plies).expect("a move");
        game.play(best).unwrap();
    }
    (game.outcome().unwrap(), game.len())
}

#[test]
fn probe_considers_the_count() {
    let folder = folder_of(&ALL);
    let [rua] = &info(&folder, &["KRvK"])[..] else { panic!("one object") };
    let position = rua["white_to_move"]["longest_fen"].as_str().unwrap();
    // One or two plies of a count of 32 are over.
    let counted = |ply: u32| position.replace(" w - - 0 1", &format!(" w - 32 {ply} 20"));
    let just = probe(&folder, &counted(2));
    assert_eq!([&just["value"], &just["plies"], &just["left"]], [&"win".into(), &Json::from(31), &30.into()]);
    let fields: Vec<&String> = just.as_object().unwrap().keys().collect();
    assert!(fields.len() == 5 && just["fen"] == counted(2), "{just}");
    let best = &just["moves"][0];
    assert_eq!((&best["value"], &best["plies"], best.get("then")), (&"win".into(), &31.into(), None));
    let late = probe(&folder, &counted(3));
    assert_eq!([&late["value"], &late["plies"], &late["left"]], [&"draw".into(), &Json::Null, &29.into()]);
    let moves = late["moves"].as_array().unwrap();
    assert!(moves.len() == just["moves"].as_array().unwrap().len());
    assert!(moves.iter().all(|mv| mv["value"] == "draw" && mv["plies"].is_null()), "{late}");
    // The game itself confirms this.
    assert_eq!(best_play(&folder, &counted(2)), (Outcome::Win(Color::White), 31));
    assert_eq!(best_play(&folder, &counted(3)), (Outcome::Draw(DrawReason::PiecesHonour), 30));

    // No count runs yet, but the next move begins one that is too short. With bia there is none.
    let bare = probe(&folder, position);
    assert_eq!([&bare["value"], &bare["plies"], &bare["left"]], [&"draw".into(), &Json::Null, &Json::Null]);
    assert_eq!(best_play(&folder, position).0, Outcome::Draw(DrawReason::PiecesHonour));
    let text = tablebase("probe", &folder, &["--fen", position], "").ok().out;
    assert!(text.contains("\nwhite to move: draw (without a count: win in 31)\n"), "{text}");
    // A shorter win fits the count.
    let near = probe(&folder, "7k/8/5K2/8/8/8/8/R7 w - - 0 1");
    assert_eq!((&near["value"], &near["left"]), (&"win".into(), &Json::Null));
    let plies = near["plies"].as_u64().expect("a number") as usize;
    assert_eq!(best_play(&folder, near["fen"].as_str().unwrap()), (Outcome::Win(Color::White), plies));
    let moves = probe(&folder, "4k3/8/4p3/8/8/3P4/8/4K3 w - - 0 1");
    assert!(moves["left"].is_null() && moves["moves"].as_array().unwrap().len() > 3, "{moves}");
}

#[test]
fn probe_knows_ends_and_what_no_table_has() {
    let folder = folder_of(&ALL);
    let stalemate = probe(&folder, "k1K5/7R/8/8/8/8/8/8 b - - 0 1");
    assert_eq!((&stalemate["value"], &stalemate["plies"]), (&"draw".into(), &Json::Null));
    let mate = probe(&folder, "k6R/8/K7/8/8/8/8/8 b - - 0 1");
    assert_eq!((&mate["value"], &mate["plies"]), (&"loss".into(), &0.into()));
    assert_eq!((&stalemate["moves"], &mate["moves"]), (&Json::Array(vec![]), &Json::Array(vec![])));

    let refused = |folder: &Folder, fen: &str, complaint: &str| {
        let done = tablebase("probe", folder, &["--fen", fen, "--json"], "");
        assert_eq!((done.status, done.out.as_str()), (Some(1), ""), "{fen}");
        assert!(done.err.starts_with("error: ") && done.err.contains(complaint), "{}", done.err);
    };
    refused(
        &folder,
        "rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1",
        "no tablebase has this number of men",
    );
    refused(&folder, "4k3/4m3/8/8/8/8/1N6/4K3 w - - 0 1", "no tablebase has this position (KNvKM)");
    refused(&folder, "nonsense", "");
    // The bia promotes with the next move.
    let promotes = "4k3/8/8/8/p7/8/4M3/4K3 b - - 0 1";
    assert_eq!(probe(&folder, promotes)["value"], "draw");
    refused(&folder_of(&["KMvKB"]), promotes, "a move leads to an ending without a tablebase");

    let lines = format!("{promotes}\n\nnonsense\nk6R/8/K7/8/8/8/8/8 b - - 0 1\n");
    let done = tablebase("probe", &folder, &["--fen", "-", "--json"], &lines);
    assert_eq!(done.status, Some(1));
    let values: Vec<Json> = done.out.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect();
    assert_eq!(values.iter().map(|value| &value["value"]).collect::<Vec<_>>(), ["draw", "loss"]);
    assert!(done.err.starts_with("error: nonsense: ") && done.err.lines().count() == 1, "{}", done.err);
    assert_eq!(tablebase("probe", &folder, &["--fen", "-"], promotes).status, Some(0));
}

/// A position of KRvK with the value that the tablebase must have.
const IN_KRVK: &str = "8/8/8/8/8/2k5/1R6/K7 w - - 0 1";

/// Files found damaged when a folder is opened, with the error.
fn damaged_files() -> Vec<(&'static str, Vec<u8>, &'static str)> {
    let whole = &tables()["KRvK"];
    let changed = |at: usize, value: u8| {
        let mut bytes = whole.clone();
        bytes[at] = value;
        bytes
    };
    vec![
        ("empty", Vec::new(), "this is no table of Sakmak"),
        ("magic", changed(0, b'X'), "this is no table of Sakmak"),
        ("version", changed(8, 9), "this is version 9 of the format, not 1"),
        ("cut in the header", whole[..1000].to_vec(), "it has 1000 bytes, not 4180"),
        ("cut off", whole[..whole.len() - 1].to_vec(), "bytes, not"),
        ("too long", [&whole[..], b"x"].concat(), "bytes, not"),
        ("header", changed(100, !whole[100]), "the checksum of the header is wrong"),
        ("another ending", tables()["KSvK"].clone(), "it is the table of KSvK"),
    ]
}

#[test]
fn damaged_files_are_named_left_out_and_replaced() {
    for (fault, bytes, complaint) in damaged_files() {
        let folder = folder_of(&["KMvK"]);
        let path = table_path(&folder, "KRvK");
        fs::write(&path, bytes).unwrap();
        let done = tablebase("info", &folder, &["--json"], "").ok();
        let warning = format!("warning: {path}: ");
        assert!(done.err.starts_with(&warning) && done.err.contains(complaint), "{fault}: {}", done.err);
        assert!(done.out.contains("\"KMvK\"") && !done.out.contains("\"KRvK\""), "{fault}: {}", done.out);
        let done = tablebase("probe", &folder, &["--fen", IN_KRVK], "");
        assert_eq!((done.status, done.out.as_str()), (Some(1), ""), "{fault}");
        assert!(
            done.err.starts_with(&warning) && done.err.contains("no tablebase has this position"),
            "{}",
            done.err
        );
        rebuilt(&folder, fault);
    }
    // Without any other file there is nothing to probe.
    let folder = Folder::new();
    fs::write(table_path(&folder, "KRvK"), "").unwrap();
    tablebase("info", &folder, &[], "").fails(1, "error: no tables found; ");
}

/// Builds with a damaged KRvK, and checks that it is replaced.
fn rebuilt(folder: &Folder, fault: &str) {
    let path = table_path(folder, "KRvK");
    let done = tablebase("build", folder, &["KRvK", "KMvK"], "").ok();
    assert!(done.err.starts_with(&format!("building anew: {path}: ")), "{fault}: {}", done.err);
    assert!(done.out.starts_with("1 built, 1 kept; "), "{fault}: {}", done.out);
    assert!(files(folder).keys().eq(["KMvK.sktb", "KRvK.sktb"]), "{fault}");
    assert!(fs::read(&path).unwrap() == tables()["KRvK"], "{fault}");
}

/// Damage behind the header is noticed when a value is needed.
#[test]
fn damage_behind_the_header_gives_no_value() {
    let whole = &tables()["KRvK"];
    let change = |places: std::ops::Range<usize>| {
        let mut bytes = whole.clone();
        for byte in &mut bytes[places] {
            *byte ^= 1;
        }
        bytes
    };
    let blocks = blocks_at(whole);
    // The position may be in any block, so one byte of each is changed.
    for (fault, bytes) in
        [("directory", change(HEADER + 9..HEADER + 10)), ("blocks", change(blocks..whole.len()))]
    {
        let folder = folder_of(&["KMvK"]);
        let path = table_path(&folder, "KRvK");
        fs::write(&path, bytes).unwrap();
        for command in [&["probe", "--fen", IN_KRVK][..], &["probe", "--json", "--fen", IN_KRVK]] {
            let done = tablebase(command[0], &folder, &command[1..], "");
            assert_eq!((done.status, done.out.as_str()), (Some(1), ""), "{fault}");
            assert_eq!(done.err, format!("error: {path}: damaged\n"), "{fault}");
        }
        tablebase("check", &folder, &["KRvK"], "").fails(1, &format!("error: {path}: damaged\n"));
        rebuilt(&folder, fault);
    }
}

/// Whichever byte is wrong, the file is either refused or found damaged.
#[test]
fn every_damaged_byte_is_noticed() {
    let folder = Folder::new();
    let whole = &tables()["KMvK"];
    let path = table_path(&folder, "KMvK");
    for at in (0..whole.len()).step_by(17) {
        let mut bytes = whole.clone();
        bytes[at] ^= 1 << (at % 8);
        fs::write(&path, &bytes).unwrap();
        let (tables, errors) = Tablebases::open([folder.path()]);
        let noticed = !errors.is_empty() || tables.verify(&ending("KMvK")).is_err();
        assert!(noticed, "byte {at}");
    }
    for length in (0..whole.len()).step_by(151) {
        fs::write(&path, &whole[..length]).unwrap();
        let (tables, errors) = Tablebases::open([folder.path()]);
        assert!(tables.is_empty() && errors.len() == 1, "{length} bytes");
    }
}

#[test]
fn what_is_no_file_or_folder_is_named() {
    let folder = folder_of(&["KMvK"]);
    let path = table_path(&folder, "KRvK");
    fs::create_dir(&path).unwrap();
    let done = tablebase("info", &folder, &["--json"], "").ok();
    assert!(
        done.err.starts_with(&format!("warning: {path}: ")) && done.out.contains("\"KMvK\""),
        "{}",
        done.err
    );
    // A folder of that name is not replaced, as it may hold anything.
    tablebase("build", &folder, &["KRvK"], "").fails(1, &format!("\nerror: {path}: "));
    assert!(Path::new(&path).is_dir() && fs::read_dir(folder.path()).unwrap().count() == 2);

    let missing = folder.file("missing");
    run(&["tablebase", "info", "--dir", &missing], "")
        .fails(1, &format!("warning: {missing}: "))
        .says("no tables found");
    // Nothing can be written below a file, even by root.
    let below = format!("{}/below", table_path(&folder, "KMvK"));
    let done = run(&["tablebase", "build", "--dir", &below, "KRvK"], "");
    assert_eq!(done.status, Some(1));
    assert!(done.err.starts_with(&format!("error: {below}: ")), "{}", done.err);

    // Of several folders the first one with an ending provides it.
    let (one, two) = (folder_of(&["KRvK"]), folder_of(&["KRvK", "KMvK"]));
    let done = run(&["tablebase", "info", "--dir", one.path(), "--dir", two.path(), "--json"], "");
    assert!(done.out.contains(&table_path(&one, "KRvK")) && done.out.contains(&table_path(&two, "KMvK")));
    assert!(!done.out.contains(&table_path(&two, "KRvK")), "{}", done.out);
}

#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_table() {
    let folder = Folder::new();
    // The file of KMvK is below the limit of 8 KiB, the other one is not.
    let script = "trap '' XFSZ; ulimit -f 16; exec \"$0\" tablebase build --dir \"$1\" KMvK KRvK";
    let output = Command::new("sh")
        .args(["-c", script, env!("CARGO_BIN_EXE_sakmak-tools"), folder.path()])
        .output()
        .expect("a shell");
    let err = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{err}");
    assert!(err.starts_with("error: KRvK: File too large"), "{err}");
    let left = files(&folder);
    assert!(left.keys().eq(["KMvK.sktb"]) && left["KMvK.sktb"] == tables()["KMvK"]);
    let out = tablebase("build", &folder, &["KMvK", "KRvK"], "").ok().out;
    assert!(out.starts_with("1 built, 1 kept; "), "{out}");
    assert!(fs::read(table_path(&folder, "KRvK")).unwrap() == tables()["KRvK"]);
}

#[test]
fn a_killed_build_goes_on() {
    let folder = Folder::new();
    let first = table_path(&folder, "KRvK");
    let mut child = Command::new(env!("CARGO_BIN_EXE_sakmak-tools"))
        .args(["tablebase", "build", "--dir", folder.path()])
        .args(BUILT)
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts");
    while !Path::new(&first).exists() {
        assert!(child.try_wait().expect("a process").is_none(), "it ended without a table");
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
    child.kill().expect("an end");
    child.wait().expect("an end");
    let before = files(&folder);
    assert!(before.len() < ALL.len() && before["KRvK.sktb"] == tables()["KRvK"]);
    // The remains of a build that was killed while writing.
    fs::write(folder.file("KMMvK.sktb.part"), "half").unwrap();
    tablebase("build", &folder, &BUILT, "").ok();
    let after = files(&folder);
    assert!(after.keys().map(|name| name.trim_end_matches(".sktb")).eq(ALL), "{:?}", after.keys());
    assert!(after.values().eq(tables().values()));
}

/// The library's values are those of the command.
#[test]
fn clones_share_tables_and_endings_of_two_men_are_drawn() {
    let folder = folder_of(&["KRvK"]);
    let (tables, errors) = Tablebases::open([folder.path()]);
    assert!(errors.is_empty() && tables.len() == 1 && tables.most_men() == 3);
    let position = Position::from_fen(IN_KRVK).unwrap();
    let clone = tables.clone();
    drop(tables);
    assert_eq!(clone.probe_uncounted(&position), Some(Value::Win(31)));
    let bare = Position::from_fen("4k3/8/8/8/8/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(clone.probe(&bare).map(|probe| probe.value), Some(Value::Draw));
    assert_eq!(Tablebases::default().probe(&position), None);
}
