//! Tablebase files that are fetched piece by piece agree with the same files in a folder, and faults are reported once.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use sakmak_eval::tablebase::{
    Ending, FormatError, RemoteTables, TableFault, Tablebases, WantedBytes, build, build_order,
};
use sakmak_movegen::{Color, Count, Position};

const BUILT: [&str; 2] = ["KRvKM", "KMvKB"];
const STORE_BYTES: usize = 64 << 20;

static FOLDER: LazyLock<PathBuf> = LazyLock::new(|| {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("eval-remote-tables");
    // Files of an earlier run may have an older format.
    _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    for ending in build_order(&BUILT.map(ending)) {
        let mut bytes = Vec::new();
        build(&ending, &folder, 2, &mut bytes, &|_| ()).unwrap();
        fs::write(folder.join(format!("{ending}.sktb")), bytes).unwrap();
    }
    folder
});

/// The bytes of the files by name.
static FILES: LazyLock<BTreeMap<String, Vec<u8>>> = LazyLock::new(|| {
    let entries = fs::read_dir(&*FOLDER).unwrap().map(|entry| entry.unwrap());
    entries.map(|entry| (entry.file_name().into_string().unwrap(), fs::read(entry.path()).unwrap())).collect()
});

fn ending(name: &str) -> Ending {
    name.parse().unwrap()
}

/// A server of files, with a record of what it was asked for.
struct Server {
    files: BTreeMap<String, Vec<u8>>,
    remote: RemoteTables,
    tables: Tablebases,
    asked: Vec<WantedBytes>,
    faults: Vec<String>,
}

impl Server {
    fn new(served: Option<&[Ending]>) -> Self {
        let remote = RemoteTables::new(served, STORE_BYTES);
        let tables = Tablebases::default().with_remote(Some(&remote));
        Self { files: FILES.clone(), remote, tables, asked: Vec::new(), faults: Vec::new() }
    }

    /// Fetches until nothing is missing. Returns the number of rounds.
    fn fetch(&mut self, position: &Position) -> usize {
        for round in 0.. {
            let missing = self.tables.missing(position);
            if missing.is_empty() {
                return round;
            }
            for wanted in missing {
                self.asked.push(wanted.clone());
                let Some(file) = self.files.get(&wanted.file) else {
                    self.remote.set_absent(&wanted.file);
                    continue;
                };
                let end = file.len().min(wanted.range.end as usize);
                let bytes = file.get(wanted.range.start as usize..end).unwrap_or_default();
                if let Err(error) = self.remote.supply(&wanted, bytes, Some(file.len() as u64)) {
                    self.faults.push(error.to_string());
                }
            }
        }
        unreachable!()
    }
}

/// Positions of an ending, spread over its placements, with and without a count.
fn positions(name: &str) -> Vec<Position> {
    let (tables, errors) = Tablebases::open([&*FOLDER]);
    assert!(errors.is_empty(), "{errors:?}");
    let ending = ending(name);
    let size = tables.placements(&ending).unwrap();
    let number = |index: u64| index.wrapping_mul(0x9e37_79b9_7f4a_7c15) % size;
    let mut found = Vec::new();
    for index in 0..400 {
        let side = if index % 2 == 0 { Color::White } else { Color::Black };
        let Some(mut position) = tables.position(&ending, number(index), side) else { continue };
        if index % 3 == 0 && !name.contains('B') {
            position.set_count(Count::new(128, 100));
        }
        found.push(if index % 5 == 0 { position.flipped() } else { position });
    }
    found
}

#[test]
fn probes_agree_with_those_of_a_folder() {
    let (local, _) = Tablebases::open([&*FOLDER]);
    for name in ["KRvK", "KRvKM", "KMvKB"] {
        let mut server = Server::new(None);
        let mut known = 0;
        for position in positions(name) {
            let rounds = server.fetch(&position);
            // The start of the ending's file, those of captures and the ending's blocks, blocks of captures.
            assert!(rounds <= 3, "{position}: {rounds}");
            assert_eq!(server.tables.probe(&position), local.probe(&position), "{position}");
            assert_eq!(server.tables.move_values(&position), local.move_values(&position), "{position}");
            known += usize::from(local.probe(&position).is_some());
            assert_eq!(server.fetch(&position), 0, "{position}");
        }
        assert!(known > 50, "{name}: {known}");
        assert_eq!(server.faults, [""; 0]);
        // Nothing is fetched twice.
        for (index, wanted) in server.asked.iter().enumerate() {
            assert!(!server.asked[..index].contains(wanted), "{wanted:?}");
        }
    }
}

#[test]
fn one_position_takes_a_few_blocks() {
    let mut server = Server::new(None);
    let position = Position::from_fen("8/8/2K5/8/8/8/k6m/7R w - 128 0 60").unwrap();
    server.fetch(&position);
    let files: Vec<_> = server.asked.iter().map(|wanted| wanted.file.as_str()).collect();
    assert_eq!(files[0], "KRvKM.sktb");
    assert!(files.contains(&"KRvK.sktb"), "{files:?}");
    let bytes: u64 = server.asked.iter().map(|wanted| wanted.range.end - wanted.range.start).sum();
    assert!(bytes < 250_000, "{bytes} bytes");
    let sizes = server.remote.endings();
    assert!(sizes.contains(&(ending("KRvK"), FILES["KRvK.sktb"].len() as u64)), "{sizes:?}");
}

#[test]
fn several_positions_are_fetched_together() {
    let mut server = Server::new(None);
    let positions = positions("KRvKM");
    let positions = &positions[..20];
    let mut rounds = 0;
    loop {
        let missing = server.tables.missing_for(positions);
        if missing.is_empty() {
            break;
        }
        rounds += 1;
        for wanted in missing {
            let bytes = &server.files[&wanted.file][wanted.range.start as usize..wanted.range.end as usize];
            server.remote.supply(&wanted, bytes, None).unwrap();
        }
    }
    assert!(rounds <= 3, "{rounds}");
    assert!(positions.iter().all(|position| server.fetch(position) == 0));
}

#[test]
fn below_the_root_and_without_a_request_nothing_is_recorded() {
    let server = Server::new(None);
    let position = Position::from_fen("8/8/2K5/8/8/8/k7/7R w - 32 0 60").unwrap();
    assert_eq!(server.tables.probe(&position), None);
    assert_eq!(server.tables.most_men(), 0);
    assert_eq!(server.tables.missing(&Position::startpos()), []);
    assert_eq!(Tablebases::default().missing(&position), []);
}

#[test]
fn an_ending_without_a_file_is_asked_for_once_or_never() {
    let position = Position::from_fen("8/8/2K5/8/8/8/k7/7R w - 32 0 60").unwrap();
    let mut server = Server::new(None);
    server.files.clear();
    server.fetch(&position);
    server.fetch(&position);
    assert_eq!(server.asked.len(), 1, "{:?}", server.asked);
    server.remote.forget_absent();
    server.fetch(&position);
    assert_eq!(server.asked.len(), 2, "{:?}", server.asked);

    let mut server = Server::new(Some(&[ending("KMvK")]));
    server.fetch(&position);
    assert_eq!(server.asked, []);
}

#[test]
fn a_damaged_file_is_reported_once_and_counts_as_absent() {
    let position = Position::from_fen("8/8/2K5/8/8/8/k7/7R w - 32 0 60").unwrap();
    let whole = &FILES["KRvK.sktb"];
    let mut cases: Vec<(&str, Vec<u8>)> = Vec::new();
    let with = |at: usize| {
        let mut bytes = whole.clone();
        bytes[at] ^= 0x10;
        bytes
    };
    cases.push(("this is no table of Sakmak", with(0)));
    cases.push(("this is version 17 of the format, not 1", with(8)));
    cases.push(("the checksum of the header is wrong", with(100)));
    cases.push(("the checksum of the directory is wrong", with(4180)));
    cases.push(("it is the table of KMvK", FILES["KMvK.sktb"].clone()));
    cases.push(("this is no table of Sakmak", Vec::new()));
    cases.push(("an answer has 4200 bytes, not ", whole[..4200].to_vec()));
    cases.push(("it has 125145 bytes, not 125146", whole[..whole.len() - 1].to_vec()));
    for (fault, bytes) in cases {
        let mut server = Server::new(None);
        server.files.insert("KRvK.sktb".to_owned(), bytes);
        server.fetch(&position);
        server.fetch(&position);
        assert_eq!(server.faults.len(), 1, "{fault}: {:?}", server.faults);
        let text = &server.faults[0];
        assert!(text.starts_with(&format!("KRvK.sktb: {fault}")), "{text}");
        assert_eq!(server.tables.probe(&position), None);
        assert_eq!(server.remote.endings(), []);
    }
}

#[test]
fn a_file_that_changes_after_its_start_is_reported() {
    let position = Position::from_fen("8/8/2K5/8/8/8/k7/7R w - 32 0 60").unwrap();
    let fault = |change: fn(&[u8], u64) -> (Vec<u8>, u64)| {
        let server = Server::new(None);
        let start = server.tables.missing(&position).remove(0);
        let file = &FILES[&start.file];
        let bytes = &file[..start.range.end as usize];
        server.remote.supply(&start, bytes, None).unwrap();
        let wanted = server.tables.missing(&position).remove(0);
        let sound = &file[wanted.range.start as usize..wanted.range.end as usize];
        let (bytes, size) = change(sound, file.len() as u64);
        let error = server.remote.supply(&wanted, &bytes, Some(size)).unwrap_err();
        assert_eq!(server.tables.missing(&position), []);
        assert!(server.remote.supply(&wanted, sound, None).is_ok(), "it is absent now");
        assert_eq!(server.tables.probe(&position), None);
        error.fault
    };
    let checksum = fault(|sound, size| (sound.iter().map(|byte| byte ^ 1).collect(), size));
    assert!(matches!(checksum, TableFault::Format(FormatError::Checksum { .. })), "{checksum}");
    let length = fault(|sound, size| (sound.to_vec(), size + 1));
    assert!(matches!(length, TableFault::Format(FormatError::Length { .. })), "{length}");
    let short = fault(|sound, size| (sound[1..].to_vec(), size));
    assert!(matches!(short, TableFault::Answer { .. }), "{short}");
}

#[test]
fn a_small_store_of_blocks_still_answers() {
    let mut server = Server::new(None);
    server.remote = RemoteTables::new(None, 0);
    server.tables = Tablebases::default().with_remote(Some(&server.remote));
    let (local, _) = Tablebases::open([&*FOLDER]);
    for position in positions("KRvKM") {
        let rounds = server.fetch(&position);
        assert!(rounds <= 3, "{position}: {rounds}");
        assert_eq!(server.tables.probe(&position), local.probe(&position), "{position}");
        assert_eq!(server.tables.move_values(&position), local.move_values(&position), "{position}");
    }
}

/// What one thread asks for is not mixed with what another one does.
#[test]
fn threads_ask_for_themselves() {
    let server = Server::new(None);
    let asks = |fen: &str, file: &str| {
        let position = Position::from_fen(fen).unwrap();
        for _ in 0..3_000 {
            let missing = server.tables.missing(&position);
            let files: Vec<_> = missing.iter().map(|wanted| wanted.file.as_str()).collect();
            assert_eq!(files, [file]);
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(|| asks("8/8/2K5/8/8/8/k7/7R w - 32 0 60", "KRvK.sktb"));
        scope.spawn(|| asks("8/8/2K5/8/8/8/k6m/7R w - 128 0 60", "KRvKM.sktb"));
    });
}

#[test]
fn blocks_that_come_after_their_file_was_forgotten_are_ignored() {
    let position = Position::from_fen("8/8/2K5/8/8/8/k7/7R w - 32 0 60").unwrap();
    let mut server = Server::new(None);
    let start = server.tables.missing(&position).remove(0);
    server.remote.supply(&start, &FILES[&start.file][..start.range.end as usize], None).unwrap();
    let wanted = server.tables.missing(&position).remove(0);
    server.remote.set_absent(&wanted.file);
    server.remote.forget_absent();
    let bytes = &FILES[&wanted.file][wanted.range.start as usize..wanted.range.end as usize];
    assert!(server.remote.supply(&wanted, bytes, None).is_ok());
    assert!(!server.tables.missing(&position).is_empty(), "it is asked for again");
    server.fetch(&position);
    assert!(server.tables.probe(&position).is_some());
}
