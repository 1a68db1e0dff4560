//! Perft against node counts of an independent move generator, and every kind of perft against the plain one.

use std::sync::atomic::AtomicBool;

use sakmak_movegen::perft::{PerftTt, divide, perft, perft_hashed};
use sakmak_movegen::{Move, Position};
use sakmak_tests::{after, position};

/// Positions of our own; the numbers are Fairy-Stockfish's.
const OWN_SUITE: &str = include_str!("../../data/perft.epd");
/// Nodes at depths 1 to 5 of the standard array, and of the mirrored one in which the khun face each other.
const ARRAY_NODES: [u64; 5] = [23, 529, 12_012, 273_026, 6_223_994];
const TABLE_MEGABYTES: usize = 8;

/// One line of a suite.
struct Case {
    fen: String,
    /// Depth and nodes.
    depths: Vec<(u32, u64)>,
}

/// Reads `FEN ;D1 nodes ;D2 nodes ...`, one position a line; lines that start with `#` are comments.
fn parse_suite(text: &str) -> Vec<Case> {
    text.lines()
        .filter(|line| !line.starts_with('#') && !line.trim().is_empty())
        .map(|line| {
            let mut parts = line.split(';');
            let fen = parts.next().expect("a FEN").trim().to_owned();
            let depths = parts.map(|part| parse_depth(part).unwrap_or_else(|| panic!("'{part}' in {line}")));
            Case { depths: depths.collect(), fen }
        })
        .collect()
}

fn parse_depth(text: &str) -> Option<(u32, u64)> {
    let (depth, nodes) = text.trim().strip_prefix('D')?.split_once(' ')?;
    Some((depth.parse().ok()?, nodes.trim().parse().ok()?))
}

fn nodes_by_depth(position: &Position) -> Vec<u64> {
    (1..=5).map(|depth| perft(position, depth)).collect()
}

#[test]
fn standard_array_to_depth_5() {
    assert_eq!(nodes_by_depth(&Position::startpos()), ARRAY_NODES);
}

#[test]
fn mirrored_array_to_depth_5() {
    let mirrored = position("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1");
    assert_eq!(nodes_by_depth(&mirrored), ARRAY_NODES);
}

#[test]
fn own_suite() {
    let suite = parse_suite(OWN_SUITE);
    assert!(suite.len() >= 40, "the suite lost positions");
    for case in suite {
        let position = position(&case.fen);
        for (depth, nodes) in case.depths {
            assert_eq!(perft(&position, depth), nodes, "{} depth {depth}", case.fen);
        }
    }
}

/// One TT for all positions and depths of the suite, so that a key collision between two of them would show.
#[test]
fn hashed_perft_equals_plain() {
    let table = PerftTt::new(TABLE_MEGABYTES).expect("memory");
    for case in parse_suite(OWN_SUITE) {
        let position = position(&case.fen);
        for &(depth, nodes) in &case.depths {
            assert_eq!(perft_hashed(&position, depth, &table), nodes, "{} depth {depth}", case.fen);
        }
    }
}

/// Compares the nodes of each first move, with a TT shared by all threads.
#[test]
fn divided_perft_equals_plain() {
    const NODES: u64 = 200_000;
    let table = PerftTt::new(TABLE_MEGABYTES).expect("memory");
    for case in parse_suite(OWN_SUITE) {
        let position = position(&case.fen);
        for &(depth, _) in case.depths.iter().filter(|&&(_, nodes)| nodes <= NODES) {
            let expected: Vec<(Move, u64)> = position
                .legal_moves()
                .into_iter()
                .map(|mv| (mv, perft(&after(&position, mv), depth - 1)))
                .collect();
            for (threads, table) in [(1, None), (3, None), (4, Some(&table))] {
                assert_eq!(
                    divide(&position, depth, threads, table, &AtomicBool::new(false), &|_| ()).parts,
                    expected,
                    "{} depth {depth}, {threads} threads",
                    case.fen
                );
            }
        }
    }
}

/// The smallest TT is overwritten all the time, and perft must still be right.
#[test]
fn the_smallest_table_is_right() {
    let table = PerftTt::new(0).expect("memory");
    assert_eq!(perft_hashed(&Position::startpos(), 4, &table), ARRAY_NODES[3]);
}
