//! Perft: how many move paths of a given length lead from a position.
//!
//! Draws do not end a path, so the numbers compare with any correct generator's. At the last ply moves
//! are counted in bulk, not made.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::Builder;

use crate::moves::Move;
use crate::position::Position;

/// Paths of exactly `depth` plies; 1 for depth 0.
///
/// ```
/// use sakmak_movegen::{Position, perft};
///
/// assert_eq!(perft::perft(&Position::startpos(), 4), 273_026);
/// ```
pub fn perft(position: &Position, depth: u32) -> u64 {
    match depth {
        0 => 1,
        1 => u64::from(position.count_legal()),
        _ => position
            .legal_moves()
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                next.play_unchecked(mv);
                perft(&next, depth - 1)
            })
            .sum(),
    }
}

/// There is not enough memory for a [`PerftTable`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {megabytes} MB for the perft table")]
pub struct TableTooLarge {
    /// The requested size, in MiB.
    pub megabytes: usize,
}

/// A table of subtrees already counted.
///
/// ```
/// use sakmak_movegen::Position;
/// use sakmak_movegen::perft::{PerftTable, perft_hashed};
///
/// let table = PerftTable::new(1)?;
/// assert_eq!(perft_hashed(&Position::startpos(), 4, &table), 273_026);
/// # Ok::<(), sakmak_movegen::perft::TableTooLarge>(())
/// ```
///
/// It can be shared by threads: each entry is two words, the
/// second of which checks the first, so that an entry torn by a race is rejected.
pub struct PerftTable {
    entries: Box<[[AtomicU64; 2]]>,
}

impl PerftTable {
    /// A table of the largest power of two of bytes within `megabytes` MiB, or of one entry.
    ///
    /// # Errors
    /// [`TableTooLarge`] if there is no such address space or the system refuses. A system may grant more memory than
    /// it has, and end the program when the memory is used: callers should compare with the machine's memory.
    pub fn new(megabytes: usize) -> Result<Self, TableTooLarge> {
        let refused = TableTooLarge { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(refused)?;
        let size = 1 << (bytes / size_of::<[AtomicU64; 2]>()).max(1).ilog2();
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).map_err(|_| refused)?;
        entries.resize_with(size, Default::default);
        Ok(Self { entries: entries.into_boxed_slice() })
    }

    fn slot(&self, key: u64) -> &[AtomicU64; 2] {
        &self.entries[key as usize & (self.entries.len() - 1)]
    }

    fn get(&self, key: u64) -> Option<u64> {
        let [nodes, proof] = self.slot(key);
        let nodes = nodes.load(Ordering::Relaxed);
        (nodes ^ proof.load(Ordering::Relaxed) == key).then_some(nodes)
    }

    fn put(&self, key: u64, count: u64) {
        let [nodes, proof] = self.slot(key);
        nodes.store(count, Ordering::Relaxed);
        proof.store(count ^ key, Ordering::Relaxed);
    }
}

/// [`perft`] with a table of subtrees.
pub fn perft_hashed(position: &Position, depth: u32, table: &PerftTable) -> u64 {
    if depth < 2 {
        return perft(position, depth);
    }
    // Neither count nor clocks change which moves are legal, so the key need not hold them. The
    // depth must be in it.
    let key = position
        .moves_key()
        .wrapping_add(u64::from(depth))
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .rotate_right(29);
    if let Some(nodes) = table.get(key) {
        return nodes;
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        nodes += perft_hashed(&next, depth - 1, table);
    }
    table.put(key, nodes);
    nodes
}

/// [`perft`], or a smaller number if `stop` is set meanwhile.
fn perft_until(position: &Position, depth: u32, stop: &AtomicBool) -> u64 {
    // Up to this depth `stop` is not checked.
    const STOP_CHECK_DEPTH: u32 = 4;
    if depth <= STOP_CHECK_DEPTH {
        return perft(position, depth);
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        if stop.load(Ordering::Relaxed) {
            break;
        }
        let mut next = position.clone();
        next.play_unchecked(mv);
        nodes += perft_until(&next, depth - 1, stop);
    }
    nodes
}

/// What [`divide`] found.
///
/// ```
/// use std::sync::atomic::AtomicBool;
///
/// use sakmak_movegen::{Position, perft};
///
/// let division = perft::divide(&Position::startpos(), 3, 2, None, &AtomicBool::new(false), &|_| ());
/// assert_eq!(division.parts.len(), 23);
/// assert_eq!(division.parts.iter().map(|(_, nodes)| nodes).sum::<u64>(), 12_012);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The number of paths behind each legal move, in the order of generation.
    pub parts: Vec<(Move, u64)>,
    /// If the system refused some of the threads: the number that did the work.
    pub only_threads: Option<usize>,
}

/// The number of paths behind each legal move, counted by at most `threads` threads: as many as there is work for and
/// as the system grants, but at least the calling one.
///
/// `progress` is called with the share of the work done, from 0 to 1, after each task. Once `stop` is set the
/// counting ends soon, and the numbers are too small; with a table it ends after the running tasks.
pub fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    table: Option<&PerftTable>,
    stop: &AtomicBool,
    progress: &(dyn Fn(f64) + Sync),
) -> Division {
    let roots = position.legal_moves();
    if depth == 0 {
        return Division { parts: Vec::new(), only_threads: None };
    }
    // Tasks are the positions after one move, or after two where the depth allows.
    let mut tasks: Vec<(usize, Position, u32)> = Vec::new();
    for (index, &mv) in roots.iter().enumerate() {
        let mut next = position.clone();
        next.play_unchecked(mv);
        if depth < 4 {
            tasks.push((index, next, depth - 1));
            continue;
        }
        for reply in next.legal_moves() {
            let mut after = next.clone();
            after.play_unchecked(reply);
            tasks.push((index, after, depth - 2));
        }
    }

    let totals: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let (started, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some((root, position, depth)) = tasks.get(started.fetch_add(1, Ordering::Relaxed)) {
            let nodes = match table {
                _ if stop.load(Ordering::Relaxed) => break,
                Some(table) => perft_hashed(position, *depth, table),
                None => perft_until(position, *depth, stop),
            };
            totals[*root].fetch_add(nodes, Ordering::Relaxed);
            let done = finished.fetch_add(1, Ordering::Relaxed) + 1;
            progress(done as f64 / tasks.len() as f64);
        }
    };
    let only_threads = std::thread::scope(|scope| {
        let wanted = threads.min(tasks.len());
        let refused = (1..wanted).find(|_| Builder::new().spawn_scoped(scope, work).is_err());
        work();
        refused
    });
    let parts = roots.into_iter().zip(totals).map(|(mv, nodes)| (mv, nodes.into_inner())).collect();
    Division { parts, only_threads }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn start_position() {
        let start = Position::startpos();
        let nodes: Vec<u64> = (0..=5).map(|depth| perft(&start, depth)).collect();
        assert_eq!(nodes, [1, 23, 529, 12_012, 273_026, 6_223_994]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn all_ways_of_counting_agree() {
        let position =
            Position::from_fen("r1s1k1nr/3nms2/p1ppp1pp/1p3p2/4PP2/PPPP1NPP/2K5/RNS1MS1R b - - 1 5").unwrap();
        let table = PerftTable::new(4).unwrap();
        for depth in 0..5 {
            let plain = perft(&position, depth);
            assert_eq!(perft_hashed(&position, depth, &table), plain);
            for threads in [1, 3] {
                let parts =
                    divide(&position, depth, threads, Some(&table), &AtomicBool::new(false), &|_| ()).parts;
                let sum: u64 = parts.iter().map(|(_, nodes)| nodes).sum();
                assert_eq!(if depth == 0 { 1 } else { sum }, plain, "depth {depth}, {threads} threads");
            }
        }
    }

    #[test]
    #[cfg_attr(miri, ignore = "asks for more memory than there is")]
    fn tables_that_cannot_be_had_are_refused() {
        // The first is 0 bytes if the high bits are dropped, the second one MiB.
        for megabytes in [1 << 44, (1 << 44) + 1, usize::MAX, usize::MAX >> 20, 1 << 42] {
            assert_eq!(PerftTable::new(megabytes).err(), Some(TableTooLarge { megabytes }));
        }
        let entries = |megabytes| PerftTable::new(megabytes).unwrap().entries.len();
        assert_eq!([0, 1, 2, 3, 4].map(entries), [1, 1 << 16, 1 << 17, 1 << 17, 1 << 18]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn counting_can_be_stopped() {
        let (start, stop) = (Position::startpos(), AtomicBool::new(false));
        let before = std::time::Instant::now();
        std::thread::scope(|scope| {
            scope.spawn(|| divide(&start, 20, 2, None, &stop, &|_| ()));
            std::thread::sleep(std::time::Duration::from_millis(20));
            stop.store(true, Ordering::Relaxed);
        });
        assert!(before.elapsed().as_secs() < 10);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn more_threads_than_work_are_not_started() {
        let division = divide(&Position::startpos(), 1, usize::MAX, None, &AtomicBool::new(false), &|_| ());
        assert_eq!((division.parts.len(), division.only_threads), (23, None));
    }
}
