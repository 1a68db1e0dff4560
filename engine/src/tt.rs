//! The transposition table.
//!
//! Threads share it without locks. An entry is two words, the data and the key XOR the data (Hyatt and Mann 2002, "A
//! lockless transposition-table implementation"): an entry torn by two writers does not match its key.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};
use std::thread::available_parallelism;

use sakmak_eval::huge_pages;
use sakmak_movegen::Move;

use crate::parameters::{TT_AGE_WEIGHT, TT_DEPTH_MARGIN};
use crate::score::{MAX_PLY, TB_BOUND};
use crate::{memory, threads};

/// How a stored score bounds the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Bound {
    /// The entry holds no score.
    None = 0,
    /// The true score is at most the stored one.
    Upper = 1,
    /// The true score is at least the stored one.
    Lower = 2,
    /// The stored score is the true one.
    Exact = 3,
}

impl Bound {
    /// The bound that the result `score` of a search with the window `alpha..beta` proves.
    #[inline]
    pub fn of(score: i32, alpha: i32, beta: i32) -> Self {
        if score >= beta {
            Self::Lower
        } else if score > alpha {
            Self::Exact
        } else {
            Self::Upper
        }
    }
}

/// The stored result of a search.
///
/// ```
/// use sakmak_engine::tt::{Bound, Entry, TranspositionTable};
///
/// let table = TranspositionTable::new(1)?; // MiB
/// let entry = Entry { mv: None, score: 25, eval: 20, depth: 6, bound: Bound::Exact };
/// table.store(0x1234_5678_9abc_def0, entry);
/// assert_eq!(table.probe(0x1234_5678_9abc_def0), Some(entry));
/// # Ok::<(), sakmak_engine::tt::HashAllocationError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The best move, or the one that failed high.
    pub mv: Option<Move>,
    /// In internal units for the side to move; mate distances count from this position.
    pub score: i32,
    /// The static evaluation; [`Entry::NO_EVAL`] in check.
    pub eval: i32,
    /// Plies searched below this position.
    pub depth: i32,
    /// How the score bounds the true one.
    pub bound: Bound,
}

impl Entry {
    /// Value of a missing static evaluation.
    pub const NO_EVAL: i32 = i16::MIN as i32;

    /// Whether the bound gives a cutoff: it decides whether `score`, from [`Self::score_at`], reaches `beta`.
    #[inline]
    pub fn cuts(&self, score: i32, beta: i32) -> bool {
        match self.bound {
            Bound::Exact => true,
            Bound::Lower => score >= beta,
            Bound::Upper => score < beta,
            Bound::None => false,
        }
    }

    /// The stored score, `ply` plies from the root: mates and tablebase wins are stored as distances from the position.
    #[inline]
    pub fn score_at(&self, ply: usize) -> i32 {
        if self.score >= TB_BOUND {
            self.score - ply as i32
        } else if self.score <= -TB_BOUND {
            self.score + ply as i32
        } else {
            self.score
        }
    }

    /// The inverse of [`Entry::score_at`].
    #[inline]
    pub fn score_from(score: i32, ply: usize) -> i32 {
        if score >= TB_BOUND {
            score + ply as i32
        } else if score <= -TB_BOUND {
            score - ply as i32
        } else {
            score
        }
    }

    /// Bits 0..16 move, 16..32 score, 32..48 evaluation, 48..56 depth, 56..58 bound, 58..64 generation.
    #[inline]
    fn pack(&self, generation: u8) -> u64 {
        let mv = self.mv.map_or(0, Move::bits);
        u64::from(mv)
            | u64::from(self.score as i16 as u16) << 16
            | u64::from(self.eval as i16 as u16) << 32
            | u64::from(self.depth.clamp(0, MAX_PLY as i32) as u8) << 48
            | (self.bound as u64) << 56
            | u64::from(generation) << 58
    }

    #[inline]
    fn unpack(data: u64) -> Self {
        Self {
            mv: Move::from_bits(data as u16),
            score: i32::from((data >> 16) as i16),
            eval: i32::from((data >> 32) as i16),
            depth: i32::from((data >> 48) as u8),
            bound: match data >> 56 & 3 {
                1 => Bound::Upper,
                2 => Bound::Lower,
                3 => Bound::Exact,
                _ => Bound::None,
            },
        }
    }
}

const GENERATIONS: u8 = 64;

#[inline]
fn generation_of(data: u64) -> u8 {
    (data >> 58) as u8
}

#[derive(Default)]
struct Slot {
    data: AtomicU64,
    /// The key XOR the data.
    check: AtomicU64,
}

impl Slot {
    #[inline]
    fn load(&self) -> (u64, u64) {
        let data = self.data.load(Relaxed);
        (data, self.check.load(Relaxed) ^ data)
    }

    #[inline]
    fn store(&self, key: u64, data: u64) {
        self.data.store(data, Relaxed);
        self.check.store(key ^ data, Relaxed);
    }
}

/// The slots of one cache line.
#[derive(Default)]
#[repr(align(64))]
struct Cluster([Slot; 4]);

/// There is no memory for a transposition table of this size in MiB.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot allocate {0} MB for the hash table")]
pub struct HashAllocationError(pub usize);

/// Calls `work` on all chunks of `memory`, in at most `max_threads` threads, and no more than there are cores or
/// chunks.
fn in_parallel<T: Send>(memory: &mut [T], max_threads: usize, work: impl Fn(&mut [T]) + Sync) {
    const PART_BYTES: usize = 8 << 20;
    let part = (PART_BYTES / size_of::<T>()).max(1);
    let wanted = memory.len().div_ceil(part).min(max_threads);
    let threads = if wanted > 1 { wanted.min(available_parallelism().map_or(1, usize::from)) } else { 1 };
    let parts = Mutex::new(memory.chunks_mut(part));
    let next = || parts.lock().unwrap_or_else(PoisonError::into_inner).next();
    let work = || {
        while let Some(part) = next() {
            work(part);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..threads {
            // The running threads do the work of those that the system refuses.
            if threads::start_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Number of clusters in `megabytes` MiB, at least in one MiB.
fn clusters_in(megabytes: usize) -> Result<usize, HashAllocationError> {
    let bytes = megabytes.max(1).checked_mul(1 << 20).filter(|&bytes| bytes <= memory::total());
    bytes.map(|bytes| bytes / size_of::<Cluster>()).ok_or(HashAllocationError(megabytes))
}

/// `megabytes` MiB of empty clusters.
fn allocate(megabytes: usize) -> Result<Box<[Cluster]>, HashAllocationError> {
    let refused = HashAllocationError(megabytes);
    let count = clusters_in(megabytes)?;
    let mut clusters = Vec::new();
    clusters.try_reserve_exact(count).map_err(|_| refused)?;
    let memory = &mut clusters.spare_capacity_mut()[..count];
    huge_pages::advise(memory);
    in_parallel(memory, usize::MAX, |part| {
        part.iter_mut().for_each(|cluster| {
            cluster.write(Cluster::default());
        })
    });
    // SAFETY: `count` is within the capacity, and each of the first `count` clusters has just been written: the parts
    // make up all of `memory`, and `in_parallel` returns when none is left. Gain: the system clears the pages when they
    // are first written to, which takes most of the time, and so is shared by all cores.
    unsafe { clusters.set_len(count) };
    Ok(clusters.into_boxed_slice())
}

/// The transposition table, indexed by 64-bit keys; see [`sakmak_movegen::Count::key`] for the count's part in them.
pub struct TranspositionTable {
    clusters: Box<[Cluster]>,
    generation: u8,
}

impl TranspositionTable {
    /// A transposition table of `megabytes` MiB.
    ///
    /// # Errors
    /// [`HashAllocationError`] if that is more than the machine's memory, or the system refuses it.
    pub fn new(megabytes: usize) -> Result<Self, HashAllocationError> {
        Ok(Self { clusters: allocate(megabytes)?, generation: 0 })
    }

    /// Changes the size to `megabytes` MiB and clears all entries. Frees the old memory first.
    ///
    /// # Errors
    /// As [`Self::new`]. If `megabytes` is more than the machine has, nothing changes. If the system refuses, the old
    /// size is allocated again, or half of it, a quarter and so on.
    pub fn resize(&mut self, megabytes: usize) -> Result<(), HashAllocationError> {
        clusters_in(megabytes)?;
        let mut size = self.megabytes();
        *self = Self { clusters: Box::default(), generation: 0 };
        let result = allocate(megabytes).map(|clusters| self.clusters = clusters);
        if result.is_err() {
            self.clusters = loop {
                if size == 0 {
                    break Box::new([Cluster::default()]);
                }
                match allocate(size) {
                    Ok(clusters) => break clusters,
                    Err(_) => size /= 2,
                }
            };
        }
        result
    }

    /// Size in MiB.
    pub fn megabytes(&self) -> usize {
        size_of_val(&*self.clusters) >> 20
    }

    /// Clears all entries, with at most `threads` threads.
    pub fn clear(&mut self, threads: usize) {
        self.generation = 0;
        in_parallel(&mut self.clusters, threads, |part| part.fill_with(Cluster::default));
    }

    /// Starts a new generation, which ages all entries. To be called before each search.
    pub fn new_search(&mut self) {
        self.generation = (self.generation + 1) % GENERATIONS;
    }

    #[inline]
    fn cluster(&self, key: u64) -> &Cluster {
        let index = (u128::from(key) * self.clusters.len() as u128) >> 64;
        &self.clusters[index as usize]
    }

    /// Prefetches the cluster of the position with this key for [`Self::probe`].
    /// Does nothing on machines other than x86-64.
    #[inline]
    pub fn prefetch(&self, key: u64) {
        #[cfg(target_arch = "x86_64")]
        {
            use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
            let cluster: *const Cluster = self.cluster(key);
            // SAFETY: the pointer comes from a reference, and a prefetch never faults and changes no data.
            // Gain: see docs/decisions/0009-lockless-table.md.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(cluster.cast()) }
        }
        #[cfg(not(target_arch = "x86_64"))]
        let _ = key;
    }

    /// The entry with this key, if there is one.
    #[inline]
    pub fn probe(&self, key: u64) -> Option<Entry> {
        self.cluster(key).0.iter().find_map(|slot| {
            let (data, stored_key) = slot.load();
            (stored_key == key && data != 0).then(|| Entry::unpack(data))
        })
    }

    /// Age of an entry, in searches.
    #[inline]
    fn age(&self, data: u64) -> i32 {
        i32::from((GENERATIONS + self.generation - generation_of(data)) % GENERATIONS)
    }

    /// Stores the result of a node. A deeper entry of the same position and search stays; an entry without a move takes
    /// over the move of the old one.
    #[inline]
    pub fn store(&self, key: u64, mut entry: Entry) {
        let cluster = &self.cluster(key).0;
        let mut victim = &cluster[0];
        let mut lowest = i32::MAX;
        for slot in cluster {
            let (data, stored_key) = slot.load();
            if stored_key == key && data != 0 {
                let old = Entry::unpack(data);
                if entry.mv.is_none() {
                    entry.mv = old.mv;
                }
                if entry.bound != Bound::Exact
                    && old.depth > entry.depth + TT_DEPTH_MARGIN
                    && self.age(data) == 0
                {
                    return;
                }
                victim = slot;
                break;
            }
            let worth =
                if data == 0 { i32::MIN } else { Entry::unpack(data).depth - TT_AGE_WEIGHT * self.age(data) };
            if worth < lowest {
                lowest = worth;
                victim = slot;
            }
        }
        victim.store(key, entry.pack(self.generation));
    }

    /// Share of the slots with entries of the current search, in thousandths, from a sample.
    pub fn permille_full(&self) -> u32 {
        let sample = &self.clusters[..self.clusters.len().min(250)];
        let slots = sample.iter().flat_map(|cluster| &cluster.0);
        let used = slots
            .filter(|slot| {
                let (data, _) = slot.load();
                data != 0 && self.age(data) == 0
            })
            .count();
        (used * 1000 / (4 * sample.len())) as u32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::score::{MATE, mated_in};

    fn entry(depth: i32, score: i32) -> Entry {
        Entry { mv: Move::parse("e3e4").ok(), score, eval: -17, depth, bound: Bound::Lower }
    }

    #[test]
    fn what_is_stored_is_found() {
        let table = TranspositionTable::new(1).unwrap();
        for (key, depth, score) in
            [(1, 0, 0), (u64::MAX, 128, MATE - 3), (0x1234_5678_9abc_def0, 7, mated_in(2))]
        {
            assert_eq!(table.probe(key), None);
            table.store(key, entry(depth, score));
            assert_eq!(table.probe(key), Some(entry(depth, score)));
        }
        let no_move = Entry { mv: None, bound: Bound::Exact, eval: Entry::NO_EVAL, ..entry(3, 9) };
        table.store(1, no_move);
        assert_eq!(table.probe(1), Some(Entry { mv: entry(0, 0).mv, ..no_move }), "the move is kept");
    }

    #[test]
    fn mates_are_stored_as_counted_from_the_position() {
        let stored = entry(5, Entry::score_from(MATE - 9, 4));
        assert_eq!(stored.score, MATE - 5);
        assert_eq!(stored.score_at(10), MATE - 15);
        assert_eq!(entry(5, Entry::score_from(mated_in(9), 4)).score_at(4), mated_in(9));
        assert_eq!(entry(5, 77).score_at(30), 77);
    }

    #[test]
    fn old_and_shallow_entries_give_way() {
        let mut table = TranspositionTable::new(1).unwrap();
        // All these keys map to the first cluster.
        for key in 1..=4 {
            table.store(key, entry(10 * key as i32, 0));
        }
        table.store(5, entry(1, 0));
        assert!(table.probe(1).is_none() && table.probe(2).is_some() && table.probe(5).is_some());
        table.new_search();
        assert_eq!(table.permille_full(), 0);
        table.store(5, entry(2, 0));
        for _ in 0..20 {
            table.new_search();
        }
        table.store(6, entry(3, 0));
        assert!(table.probe(5).is_none(), "twenty searches of age outweigh the depth");
        table.clear(2);
        assert_eq!(table.probe(6), None);
    }

    #[test]
    fn absurd_sizes_are_refused() {
        // The last size that the system may grant without having the memory.
        for size in [usize::MAX, 1 << 40, (memory::total() >> 20) + 1] {
            assert_eq!(TranspositionTable::new(size).err(), Some(HashAllocationError(size)));
        }
        assert_eq!(TranspositionTable::new(3).unwrap().megabytes(), 3);
    }

    #[test]
    fn a_refused_size_leaves_the_old_one() {
        let mut table = TranspositionTable::new(2).unwrap();
        table.store(7, entry(3, 0));
        let absurd = (memory::total() >> 20) + 1;
        assert_eq!(table.resize(absurd), Err(HashAllocationError(absurd)));
        assert_eq!((table.megabytes(), table.probe(7)), (2, Some(entry(3, 0))));
        assert_eq!(table.resize(40), Ok(()));
        table.store(7, entry(3, 0));
        assert_eq!((table.megabytes(), table.probe(7)), (40, Some(entry(3, 0))));
        assert!(size_of_val(&*table.clusters) == 40 << 20 && table.permille_full() <= 1);
    }

    #[test]
    fn all_of_it_is_cleared_even_without_threads() {
        for permits in [0, 1, usize::MAX] {
            let mut table = TranspositionTable::new(40).unwrap();
            let keys = || (0..1_000_u64).map(|n| n << 54 | 1);
            keys().for_each(|key| table.store(key, entry(3, 0)));
            assert!(keys().all(|key| table.probe(key).is_some()));
            crate::threads::tests::with_permits(permits, || table.clear(8));
            assert!(keys().all(|key| table.probe(key).is_none()));
        }
    }

    /// While threads write the same few slots, a reader accepts no entry that none of them wrote.
    #[test]
    fn races_do_not_forge_entries() {
        let table = TranspositionTable::new(1).unwrap();
        let made =
            |key: u64, round: i32| Entry { score: (key as i32) * 100, eval: round, ..entry(round & 63, 0) };
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let table = &table;
                scope.spawn(move || {
                    for round in 0..20_000 {
                        let key = 1 + (round as u64 * 7 + thread) % 9;
                        table.store(key, made(key, round & 1023));
                        let wanted = 1 + (round as u64 + thread) % 9;
                        if let Some(found) = table.probe(wanted) {
                            assert_eq!(found, made(wanted, found.eval));
                        }
                    }
                });
            }
        });
    }
}
