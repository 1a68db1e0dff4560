//! Perft with a TT, in threads, and with a way to stop it.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::thread::Builder;

use super::MAX_DEPTH;
use crate::moves::Move;
use crate::position::Position;

/// [`perft`](super::perft) with a TT.
pub fn perft_hashed(position: &Position, depth: u32, tt: &PerftTt) -> u64 {
    count(position, depth.min(MAX_DEPTH), Some(tt), &AtomicBool::new(false))
}

/// The number of paths, or a smaller one if `stop` is set meanwhile.
fn count(position: &Position, depth: u32, tt: Option<&PerftTt>, stop: &AtomicBool) -> u64 {
    match depth {
        0 => return 1,
        1 => return u64::from(position.count_legal()),
        _ => {}
    }
    let tt = tt.map(|tt| (tt, PerftTt::key(position, depth)));
    if let Some(nodes) = tt.and_then(|(tt, key)| tt.get(key)) {
        return nodes;
    }
    let mut nodes = 0;
    for mv in position.legal_moves() {
        if stop.load(Ordering::Relaxed) {
            return nodes;
        }
        // `Position::after` would copy the position once more: 2% of all instructions.
        let mut next = position.clone();
        next.play_unchecked(mv);
        nodes += count(&next, depth - 1, tt.map(|(tt, _)| tt), stop);
    }
    if let Some((tt, key)) = tt.filter(|_| !stop.load(Ordering::Relaxed)) {
        tt.put(key, nodes);
    }
    nodes
}

/// There is not enough memory for a [`PerftTt`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {megabytes} MB for the perft table")]
pub struct PerftTtTooLarge {
    /// The requested size, in MiB.
    pub megabytes: usize,
}

/// A TT: the nodes of positions and depths already counted. Threads can share it: each entry is two words, the second
/// of which checks the first, so that an entry torn by a race is rejected.
///
/// ```
/// use sakmak_movegen::Position;
/// use sakmak_movegen::perft::{PerftTt, perft_hashed};
///
/// let tt = PerftTt::new(1)?;
/// assert_eq!(perft_hashed(&Position::startpos(), 4, &tt), 273_026);
/// # Ok::<(), sakmak_movegen::perft::PerftTtTooLarge>(())
/// ```
pub struct PerftTt {
    entries: Box<[[AtomicU64; 2]]>,
}

impl PerftTt {
    /// A TT of the largest power of two of bytes within `megabytes` MiB, or of one entry.
    ///
    /// # Errors
    /// If the system refuses the memory. It may grant more than it has and end the program when the memory is used:
    /// callers should compare with the machine's memory.
    pub fn new(megabytes: usize) -> Result<Self, PerftTtTooLarge> {
        let refused = PerftTtTooLarge { megabytes };
        let bytes = megabytes.checked_mul(1 << 20).ok_or(refused)?;
        let size = 1 << (bytes / size_of::<[AtomicU64; 2]>()).max(1).ilog2();
        let mut entries = Vec::new();
        entries.try_reserve_exact(size).map_err(|_| refused)?;
        entries.resize_with(size, Default::default);
        Ok(Self { entries: entries.into_boxed_slice() })
    }

    /// Neither count nor clocks change which moves are legal, so the key does not hold them.
    fn key(position: &Position, depth: u32) -> u64 {
        let key = position.moves_key().wrapping_add(u64::from(depth));
        key.wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_right(29)
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

/// The result of [`divide`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Division {
    /// The number of paths behind each legal move, in the order of generation.
    pub parts: Vec<(Move, u64)>,
    /// If the system refused some of the threads: the number that did the work.
    pub only_threads: Option<usize>,
}

/// The number of paths behind each legal move, counted by at most `threads` threads.
///
/// Calls `progress` after each task with the share of the work done, from 0 to 1. Once `stop` is set the counting ends
/// soon, and the numbers are too small.
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
pub fn divide(
    position: &Position,
    depth: u32,
    threads: usize,
    tt: Option<&PerftTt>,
    stop: &AtomicBool,
    progress: &(dyn Fn(f64) + Sync),
) -> Division {
    let depth = depth.min(MAX_DEPTH);
    if depth == 0 {
        return Division { parts: Vec::new(), only_threads: None };
    }
    // A task is a position after one move, or after two where the depth allows.
    let roots = position.legal_moves();
    let mut tasks = Vec::new();
    for (root, next) in roots.iter().map(|&mv| position.after(mv)).enumerate() {
        if depth < 4 {
            tasks.push((root, next, depth - 1));
        } else {
            tasks.extend(next.legal_moves().into_iter().map(|mv| (root, next.after(mv), depth - 2)));
        }
    }

    let totals: Vec<AtomicU64> = roots.iter().map(|_| AtomicU64::new(0)).collect();
    let (started, finished) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some((root, position, depth)) = tasks.get(started.fetch_add(1, Ordering::Relaxed)) {
            totals[*root].fetch_add(count(position, *depth, tt, stop), Ordering::Relaxed);
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
    use crate::perft::perft;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn all_ways_of_counting_agree() {
        let position =
            Position::from_fen("r1s1k1nr/3nms2/p1ppp1pp/1p3p2/4PP2/PPPP1NPP/2K5/RNS1MS1R b - - 1 5").unwrap();
        let tt = PerftTt::new(4).unwrap();
        for depth in 0..5 {
            let plain = perft(&position, depth);
            assert_eq!(perft_hashed(&position, depth, &tt), plain);
            for threads in [1, 3] {
                let parts =
                    divide(&position, depth, threads, Some(&tt), &AtomicBool::new(false), &|_| ()).parts;
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
            assert_eq!(PerftTt::new(megabytes).err(), Some(PerftTtTooLarge { megabytes }));
        }
        let entries = |megabytes| PerftTt::new(megabytes).unwrap().entries.len();
        assert_eq!([0, 1, 2, 3, 4].map(entries), [1, 1 << 16, 1 << 17, 1 << 17, 1 << 18]);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn counting_can_be_stopped_and_leaves_a_true_tt() {
        let (start, stop, tt) = (Position::startpos(), AtomicBool::new(false), PerftTt::new(4).unwrap());
        // The scope ends only if the counting does. A depth without bound would overflow the stack at once.
        std::thread::scope(|scope| {
            scope.spawn(|| divide(&start, u32::MAX, 2, Some(&tt), &stop, &|_| ()));
            while tt.entries.iter().all(|[nodes, _]| nodes.load(Ordering::Relaxed) == 0) {
                std::thread::yield_now();
            }
            stop.store(true, Ordering::Relaxed);
        });
        assert_eq!(perft_hashed(&start, 4, &tt), 273_026);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn more_threads_than_work_are_not_started() {
        let division = divide(&Position::startpos(), 1, usize::MAX, None, &AtomicBool::new(false), &|_| ());
        assert_eq!((division.parts.len(), division.only_threads), (23, None));
    }
}
