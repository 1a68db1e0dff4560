//! Perft against node counts of an independent move generator, and every kind of perft against the plain one.

use std::sync::atomic::AtomicBool;

use sakmak_movegen::perft::{PerftTt, divide, perft, perft_hashed};
use sakmak_movegen::{Move, Position};
use sakmak_tests::suite::perft_suite;
use sakmak_tests::{after, position};

/// Positions of our own; the numbers are Fairy-Stockfish's.
const OWN_SUITE: &str = include_str!("../../data/perft.epd");
/// Nodes at depths 1 to 5 of the standard array, and of the mirrored one in which the khun face each other.
const ARRAY_NODES: [u64; 5] = [23, 529, 12_012, 273_026, 6_223_994];
const TABLE_MEGABYTES: usize = 8;

fn nodes_by_depth(position: &Position) -> Vec<u64> {
    (1..=5).map(|depth| perft(position, depth)).collect()
}

#[test]
fn both_arrays_to_depth_5() {
    assert_eq!(nodes_by_depth(&Position::startpos()), ARRAY_NODES);
    let mirrored = position("rnsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSMKSNR w - - 0 1");
    assert_eq!(nodes_by_depth(&mirrored), ARRAY_NODES);
}

/// With one TT for all positions and depths, so that a key collision between two of them would show, and without.
#[test]
fn own_suite() {
    let table = PerftTt::new(TABLE_MEGABYTES).expect("memory");
    let mut positions = 0;
    for (fen, depths) in perft_suite(OWN_SUITE) {
        let position = position(fen);
        for (depth, nodes) in depths {
            assert_eq!(perft(&position, depth), nodes, "{fen} depth {depth}");
            assert_eq!(perft_hashed(&position, depth, &table), nodes, "{fen} depth {depth}");
        }
        positions += 1;
    }
    assert!(positions >= 40, "the suite lost positions");
}

/// Compares the nodes of each first move, with a TT shared by all threads.
#[test]
fn divided_perft_equals_plain() {
    const NODES: u64 = 200_000;
    let table = PerftTt::new(TABLE_MEGABYTES).expect("memory");
    for (fen, depths) in perft_suite(OWN_SUITE) {
        let position = position(fen);
        for &(depth, _) in depths.iter().filter(|&&(_, nodes)| nodes <= NODES) {
            let expected: Vec<(Move, u64)> = position
                .legal_moves()
                .into_iter()
                .map(|mv| (mv, perft(&after(&position, mv), depth - 1)))
                .collect();
            for (threads, table) in [(1, None), (3, None), (4, Some(&table))] {
                assert_eq!(
                    divide(&position, depth, threads, table, &AtomicBool::new(false), &|_| ()).parts,
                    expected,
                    "{fen} depth {depth}, {threads} threads"
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
