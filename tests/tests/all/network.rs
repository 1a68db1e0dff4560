//! The option `EvalFile`: a file replaces the embedded network, and a file that is no network changes nothing.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use sakmak_engine::{Limits, SearchRequest, Searcher};
use sakmak_eval::network::features::{INPUTS, OUTPUT_BUCKETS};
use sakmak_eval::network::{Network, WIDTH};
use sakmak_movegen::{Position, splitmix64};
use sakmak_tests::uci::{session, starting};

/// A file with these bytes.
fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("networks");
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    std::fs::write(&path, bytes).unwrap();
    path
}

/// A network of random weights.
fn network(description: &str) -> Vec<u8> {
    let mut number = 0;
    let mut random = |count: usize, most: u64| -> Vec<i16> {
        let mut next = || {
            number += 1;
            (splitmix64(number) % (2 * most + 1)) as i16 - most as i16
        };
        (0..count).map(|_| next()).collect()
    };
    let (inputs, biases) = (random(INPUTS * WIDTH, 60), random(WIDTH, 200));
    let outputs = random(OUTPUT_BUCKETS * 2 * WIDTH, 20);
    Network::to_bytes(description, &inputs, &biases, &outputs, &[0; OUTPUT_BUCKETS])
}

#[test]
fn a_file_replaces_the_network_and_no_text_brings_it_back() {
    let bytes = network("a random one\nbestmove");
    let checksum = Network::from_bytes(&bytes).unwrap().checksum();
    let path = file("random.sakmak", &bytes);
    let path = path.display();
    let position = "position fen r1smk2r/3n4/pp2pspp/2pp4/3PP3/PPP2PPP/3SN3/R2KMS1R w - - 0 12\neval\n";
    for back in ["", "<empty>"] {
        let lines = session(&format!(
            "{position}setoption name EvalFile value {back}\n\
             setoption name EvalFile value {path}\n{position}setoption name EvalFile value {back}\n{position}"
        ));
        let infos = starting(&lines, "info string");
        let embedded = Network::embedded();
        assert_eq!(
            infos,
            [
                &format!("info string network {path}: sakmak-{checksum:08x}"),
                &format!("info string network compiled in: {embedded}")
            ]
        );
        let evals = starting(&lines, "Final evaluation");
        assert!(evals.len() == 3 && evals[0] == evals[2] && evals[0] != evals[1], "{evals:?}");
    }
}

#[test]
fn searches_use_the_network_of_their_request() {
    let other = Arc::new(Network::from_bytes(&network("a random one")).unwrap());
    let mut searcher = Searcher::new(4).unwrap();
    let mut nodes = |network: &Arc<Network>| {
        let request = SearchRequest::new(Position::startpos(), Limits::depth(7));
        searcher.clear();
        searcher.search(&SearchRequest { network: Arc::clone(network), ..request }).nodes
    };
    let by_embedded = nodes(Network::embedded());
    let by_other = nodes(&other);
    assert_ne!(by_embedded, by_other);
    assert_eq!(nodes(&other), by_other);
    assert_eq!(nodes(Network::embedded()), by_embedded);
}

#[test]
fn what_is_no_network_changes_nothing() {
    let good = network("a random one");
    let mut damaged = good.clone();
    damaged[5000] ^= 1;
    let mut newer = good.clone();
    newer[8] = 9;
    let too_long = [good.as_slice(), &[0; 100_000]].concat();
    let folder = file("good.sakmak", &good);
    let cases: [(&str, &[u8], String); 7] = [
        ("text.sakmak", b"A text.", "not a network of Sakmak".into()),
        ("empty.sakmak", b"", "not a network of Sakmak".into()),
        // Version, hash and length of the description, as Fairy-Stockfish writes them.
        (
            "makruk.nnue",
            &[0x20, 0x2f, 0xf3, 0x7a, 1, 2, 3, 4, 5, 0, 0, 0],
            "a network of Fairy-Stockfish or Stockfish, not of Sakmak".into(),
        ),
        ("cut.sakmak", &good[..1000], format!("it has 1000 bytes instead of {}", good.len())),
        ("damaged.sakmak", &damaged, "its checksum is wrong".into()),
        ("newer.sakmak", &newer, "version 9 of the format cannot be read; 1 can".into()),
        ("long.sakmak", &too_long, "instead of".into()),
    ];
    let mut wrong: Vec<_> =
        cases.into_iter().map(|(name, bytes, fault)| (file(name, bytes), fault)).collect();
    wrong.push((folder.with_file_name("missing.sakmak"), "no such file".into()));
    wrong.push((folder.parent().unwrap().to_owned(), "a folder, not a file".into()));
    let embedded = Network::embedded().to_string();
    let kept = Network::from_bytes(&good).unwrap().to_string();
    for (path, fault) in wrong {
        let path = path.display();
        let lines = session(&format!(
            "eval\nsetoption name EvalFile value {path}\neval\n\
             setoption name EvalFile value {}\nsetoption name EvalFile value {path}\n",
            folder.display()
        ));
        let infos = starting(&lines, "info string");
        assert_eq!(infos.len(), 3, "{infos:?}");
        let start = format!("info string network {path} not loaded: ");
        assert!(infos[0].starts_with(&start) && infos[0].contains(&fault), "{infos:?}");
        assert!(infos[0].ends_with(&format!("; keeping {embedded}")), "{infos:?}");
        // Short: the path, the error, and a name.
        assert!(infos[0].len() < start.len() + 100, "{infos:?}");
        let named = format!(" by {embedded}");
        assert_eq!(lines.iter().filter(|line| line.ends_with(&named)).count(), 2, "{lines:?}");
        assert!(
            infos[2].starts_with(&start) && infos[2].ends_with(&format!("; keeping {kept}")),
            "{infos:?}"
        );
        let evals = starting(&lines, "Final evaluation");
        assert!(evals.len() == 2 && evals[0] == evals[1], "{evals:?}");
    }
}
