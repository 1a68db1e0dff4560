//! The order of training positions: every file once per epoch, blocks in random order.

use anyhow::{Context, Result};
use rand::SeedableRng;
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

use sakmak_dataset::positions::{PositionFile, TrainingPosition};

/// Blocks whose positions are shuffled together.
const BLOCKS_AT_ONCE: usize = 16;

/// The positions of an epoch in batches. Each epoch has its own order.
pub(super) struct Epoch<'a> {
    files: &'a mut [PositionFile],
    /// File and block numbers still to come, the next one last.
    blocks: Vec<(usize, usize)>,
    rng: ChaCha8Rng,
    positions: Vec<TrainingPosition>,
    next: usize,
}

impl<'a> Epoch<'a> {
    pub(super) fn new(files: &'a mut [PositionFile], seed: u64, number: usize) -> Self {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        rng.set_stream(number as u64 + 1);
        let of_file =
            |(file, data): (usize, &PositionFile)| (0..data.blocks()).map(move |block| (file, block));
        let mut blocks: Vec<_> = files.iter().enumerate().flat_map(of_file).collect();
        blocks.shuffle(&mut rng);
        Self { files, blocks, rng, positions: Vec::new(), next: 0 }
    }

    /// The next batch of `size` positions. The last batch of an epoch is shorter; after it `None`.
    pub(super) fn batch(&mut self, size: usize) -> Result<Option<&[TrainingPosition]>> {
        if self.positions.len() - self.next < size && !self.blocks.is_empty() {
            self.positions.drain(..self.next);
            self.next = 0;
            while self.positions.len() < size.max(BLOCKS_AT_ONCE << 16)
                && let Some((file, block)) = self.blocks.pop()
            {
                let read = self.files[file].read_block(block, &mut self.positions);
                read.with_context(|| self.files[file].path().display().to_string())?;
            }
            self.positions.shuffle(&mut self.rng);
        }
        let end = self.positions.len().min(self.next + size);
        let batch = &self.positions[self.next..end];
        self.next = end;
        Ok((!batch.is_empty()).then_some(batch))
    }
}
