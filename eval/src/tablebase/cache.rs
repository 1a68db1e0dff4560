//! A lock-free cache of decompressed tablebase blocks, shared by all threads.

use std::fmt;
use std::sync::OnceLock;
use std::sync::atomic::Ordering::{Acquire, Relaxed, Release};
use std::sync::atomic::{AtomicU64, fence};

use super::format::BLOCK;

/// 64-bit words in a block.
const WORDS: usize = BLOCK / 8;
/// Block number of a slot that has no block yet.
const EMPTY: u32 = 0;
/// Block number of a slot that a thread is filling.
const BUSY: u32 = u32::MAX;

/// A direct-mapped cache of blocks: each block has one slot; the newest one stays in it.
///
/// A slot's tag holds the number of its block and, above it, how often the slot has been filled. A reader takes the
/// value and then checks that the tag is still the same, so that it notices when a block has been replaced.
pub(super) struct BlockCache(Box<[Slot]>);

#[derive(Default)]
struct Slot {
    tag: AtomicU64,
    /// Allocated with the first block.
    words: OnceLock<Box<[AtomicU64; WORDS]>>,
}

impl fmt::Debug for BlockCache {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("BlockCache").field("slots", &self.0.len()).finish_non_exhaustive()
    }
}

impl BlockCache {
    /// A cache that grows to `bytes` bytes.
    pub(super) fn new(bytes: usize) -> Self {
        Self((0..bytes / BLOCK).map(|_| Slot::default()).collect())
    }

    /// Fibonacci hashing, which spreads the neighbouring numbers of a file's blocks evenly.
    #[inline]
    fn slot(&self, block: u32) -> Option<&Slot> {
        let hash = u64::from(block.wrapping_mul(0x9e37_79b9));
        self.0.get(((hash * self.0.len() as u64) >> 32) as usize)
    }

    /// The value at `index` of a block, if the block is cached.
    #[inline]
    pub(super) fn get(&self, block: u32, index: usize) -> Option<u8> {
        let slot = self.slot(block)?;
        let tag = slot.tag.load(Acquire);
        if tag as u32 != block {
            return None;
        }
        let word = slot.words.get()?[index / 8].load(Relaxed);
        fence(Acquire);
        (slot.tag.load(Relaxed) == tag).then(|| word.to_le_bytes()[index % 8])
    }

    /// Stores a block, unless another thread is using its slot. `block` is neither 0 nor the largest number.
    pub(super) fn insert(&self, block: u32, values: &[u8; BLOCK]) {
        debug_assert!(block != EMPTY && block != BUSY);
        let Some(slot) = self.slot(block) else { return };
        let old = slot.tag.load(Relaxed);
        let filled = (old >> 32).wrapping_add(1) << 32;
        let busy = filled | u64::from(BUSY);
        if old as u32 == BUSY || slot.tag.compare_exchange(old, busy, Acquire, Relaxed).is_err() {
            return;
        }
        fence(Release);
        let words = slot.words.get_or_init(|| Box::new([const { AtomicU64::new(0) }; WORDS]));
        for (word, bytes) in words.iter().zip(values.as_chunks::<8>().0) {
            word.store(u64::from_le_bytes(*bytes), Relaxed);
        }
        slot.tag.store(filled | u64::from(block), Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn block(tag: u32) -> [u8; BLOCK] {
        std::array::from_fn(|index| (tag as usize * 31 + index) as u8)
    }

    #[test]
    fn a_block_is_found_until_another_takes_its_slot() {
        let cache = BlockCache::new(BLOCK);
        assert_eq!(cache.get(7, 0), None);
        cache.insert(7, &block(7));
        assert!((0..BLOCK).all(|index| cache.get(7, index) == Some(block(7)[index])));
        cache.insert(8, &block(8));
        assert_eq!((cache.get(7, 5), cache.get(8, 5)), (None, Some(block(8)[5])));
    }

    #[test]
    fn an_empty_cache_holds_nothing() {
        let cache = BlockCache::new(0);
        cache.insert(7, &block(7));
        assert_eq!(cache.get(7, 0), None);
    }

    #[test]
    fn threads_never_read_a_value_of_another_block() {
        let cache = BlockCache::new(2 * BLOCK);
        std::thread::scope(|scope| {
            for thread in 0..4u32 {
                let cache = &cache;
                scope.spawn(move || {
                    for round in 0..20_000u32 {
                        let tag = 1 + (round + thread) % 5;
                        let index = (round as usize * 97) % BLOCK;
                        match cache.get(tag, index) {
                            Some(value) => assert_eq!(value, block(tag)[index]),
                            None if round % 16 == 0 => cache.insert(tag, &block(tag)),
                            None => {}
                        }
                    }
                });
            }
        });
    }
}
