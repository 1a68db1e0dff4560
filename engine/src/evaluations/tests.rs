use std::fs;
use std::path::PathBuf;
use std::sync::Arc;

use sakmak_movegen::{Ruleset, Variant};

use super::*;
use crate::score::is_mate;
use crate::{Limits, SearchRequest, Searcher};

/// A middlegame with a quiet best move.
const MIDDLEGAME: &str = "r1s1k1nr/3nms2/p1p1pp1p/1p1p2p1/3PP3/PPPN1PPP/2SM1S2/R2K2NR w - - 0 12";

fn position(fen: &str) -> Position {
    Position::from_fen(fen).unwrap()
}

fn known(best: &str, cp: i32, depth: u32) -> Known {
    Known { best: Move::parse(best).unwrap(), second: None, score: Score::Centipawns(cp), depth }
}

/// A file with these records, in a folder of its own.
fn file(rules: Rules, records: &[(&Position, Known)]) -> (tempfile::TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("known");
    let mut writer = EvaluationsWriter::new(rules);
    for (position, known) in records {
        writer.add(&PositionKey::of(position).unwrap(), *known);
    }
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn positions_are_found_with_their_counts_and_no_others() {
    let counted = position("7k/7m/8/8/8/8/4R3/4K3 b - 128 9 80");
    let uncounted = position("7k/7m/8/8/8/8/4R3/4K3 b - - 9 80");
    let start = Position::startpos();
    let mate = Known { score: Score::Mate(-9), second: Move::parse("h8g8").ok(), ..known("h8g7", 0, 33) };
    let records = [
        (&counted, mate),
        (&start, known("e3e4", 12, 20)),
        (&start, known("d3d4", 9, 7)),
        (&uncounted, known("h8g7", 40_000, 300)),
    ];
    let (_folder, path) = file(Rules::default(), &records);
    let evaluations = Evaluations::open(&path).unwrap();
    assert_eq!((evaluations.len(), evaluations.rules()), (3, Rules::default()));
    assert_eq!(evaluations.get(&counted), Some(mate));
    assert_eq!(evaluations.get(&start), Some(known("e3e4", 12, 20)), "the deeper one");
    assert_eq!(evaluations.get(&uncounted), Some(known("h8g7", 32_767, 255)));
    assert_eq!(evaluations.get(&position("7k/7m/8/8/8/8/4R3/4K3 b - 128 11 80")), None);
    // Other rules, and a move that is not legal there.
    let wikipedia = Rules::new(Variant::Makruk, Ruleset::Wikipedia);
    assert_eq!(evaluations.get(&Position::start(wikipedia)), None);
    let (_folder, path) = file(Rules::default(), &[(&start, known("e3e5", 12, 20))]);
    assert_eq!(Evaluations::open(&path).unwrap().get(&start), None);
}

#[test]
fn every_changed_byte_and_every_cut_is_found() {
    let start = Position::startpos();
    let after = start.after(Move::parse("e3e4").unwrap());
    let (_folder, path) =
        file(Rules::default(), &[(&start, known("e3e4", 1, 9)), (&after, known("d6d5", 2, 8))]);
    let bytes = fs::read(&path).unwrap();
    let error = |bytes: &[u8]| {
        fs::write(&path, bytes).unwrap();
        Evaluations::open(&path).map(|found| found.len()).unwrap_err().to_string()
    };
    for at in 0..bytes.len() {
        let mut changed = bytes.clone();
        changed[at] ^= 1;
        error(&changed);
        error(&bytes[..at]);
    }
    assert!(error(b"something else").starts_with("no file of evaluations"));
    let mut later = bytes.clone();
    later[8] = 2;
    assert_eq!(error(&later), FileError::Version { found: 2, known: 1 }.to_string());
    let none = Evaluations::open(&path.with_extension("none")).unwrap_err();
    assert_eq!(none.to_string(), "no such file");
    fs::write(&path, &bytes).unwrap();
    assert!(Evaluations::open(&path).is_ok());
}

/// The moves of a search in their order, and its score and nodes.
fn search(evaluations: Option<Arc<Evaluations>>, limits: Limits) -> (Vec<String>, i32, u64) {
    let request = SearchRequest { evaluations, ..SearchRequest::new(position(MIDDLEGAME), limits) };
    let result = Searcher::new(4).unwrap().search(&request);
    let moves: Vec<_> = result.moves.iter().map(|found| found.mv.to_string()).collect();
    (moves, result.best().unwrap().score, result.nodes)
}

#[test]
fn what_is_known_of_a_position_is_not_searched_again() {
    let root = position(MIDDLEGAME);
    let (moves, score, nodes) = search(None, Limits::depth(9));
    // Every move but the best one is known to be bad.
    let after: Vec<_> = root.legal_moves().iter().map(|&mv| (mv, root.after(mv))).collect();
    let others = after.iter().filter(|(mv, _)| mv.to_string() != moves[0]);
    let records: Vec<_> = others
        .map(|(_, position)| (position, known(&position.legal_moves()[0].to_string(), 500, 100)))
        .collect();
    let (_folder, path) = file(Rules::default(), &records);
    let evaluations = Some(Arc::new(Evaluations::open(&path).unwrap()));
    let (found, with, fewer) = search(evaluations, Limits::depth(9));
    assert_eq!(found[0], moves[0]);
    assert!((with - score).abs() < 60, "{with}, {score} without the file");
    assert!(fewer < nodes, "{fewer} nodes, {nodes} without the file");
}

#[test]
fn a_false_mate_of_a_file_does_not_decide() {
    let root = position(MIDDLEGAME);
    let (best, score, _) = search(None, Limits::depth(6));
    // Every move but the best one is said to mate, and the best one to be mated.
    let after: Vec<_> = root.legal_moves().iter().map(|&mv| (mv, root.after(mv))).collect();
    let records: Vec<_> = after
        .iter()
        .map(|(mv, position)| {
            let moves = if mv.to_string() == best[0] { 3 } else { -3 };
            let reply = position.legal_moves()[0];
            (position, Known { best: reply, second: None, score: Score::Mate(moves), depth: 100 })
        })
        .collect();
    let (_folder, path) = file(Rules::default(), &records);
    let evaluations = Some(Arc::new(Evaluations::open(&path).unwrap()));
    let (_, found, _) = search(evaluations, Limits::depth(6));
    assert!(!is_mate(found) && (found - score).abs() < 60, "{found}, {score} without the file");
}
