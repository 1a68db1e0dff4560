//! The first layer for blocks of positions, column by column.
//!
//! The weights of all inputs do not fit the cache, but those of some columns do. So a block of positions is computed
//! for a few columns of all inputs before the next columns.

use std::ops::Range;

use super::inputs::Inputs;

/// Columns summed at a time; the width is a multiple of it.
pub(super) const TILE: usize = 16;
/// Positions per block.
pub(super) const BLOCK: usize = 512;

type Tile = [f32; TILE];

/// Weights and gradient of the first layer by columns, and the hidden values of a block.
pub(super) struct Columns {
    inputs: usize,
    /// By tile and input.
    weights: Vec<Tile>,
    gradient: Vec<Tile>,
    /// The inputs of the block's positions.
    pub(super) block: Vec<Inputs>,
    /// By position, side and tile: the hidden values, then replaced by their gradient.
    hidden: Vec<Tile>,
    width: usize,
}

impl Columns {
    /// A layer of `width` columns and `inputs` inputs.
    pub(super) fn new(width: usize, inputs: usize) -> Self {
        let tiles = width / TILE;
        Self {
            inputs,
            weights: vec![[0.0; TILE]; tiles * inputs],
            gradient: vec![[0.0; TILE]; tiles * inputs],
            block: (0..BLOCK).map(|_| Inputs::new()).collect(),
            hidden: vec![[0.0; TILE]; BLOCK * 2 * tiles],
            width,
        }
    }

    /// Loads weights in order of inputs, and clears the gradient.
    pub(super) fn load(&mut self, weights: &[f32]) {
        for (input, row) in weights.chunks_exact(self.width).enumerate() {
            for (tile, part) in row.as_chunks::<TILE>().0.iter().enumerate() {
                self.weights[tile * self.inputs + input] = *part;
            }
        }
        self.gradient.fill([0.0; TILE]);
    }

    /// Adds the gradient to `gradient`, which is in order of inputs.
    pub(super) fn add_gradient_to(&self, gradient: &mut [f32]) {
        for (input, row) in gradient.chunks_exact_mut(self.width).enumerate() {
            for (tile, part) in row.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
                for (sum, value) in part.iter_mut().zip(&self.gradient[tile * self.inputs + input]) {
                    *sum += value;
                }
            }
        }
    }

    /// The tiles of a side of a position in `hidden`.
    fn place(&self, position: usize, side: usize) -> Range<usize> {
        let tiles = self.width / TILE;
        let from = (2 * position + side) * tiles;
        from..from + tiles
    }

    /// The hidden values of a side of a position, or their gradient.
    pub(super) fn values(&self, position: usize, side: usize) -> &[f32] {
        self.hidden[self.place(position, side)].as_flattened()
    }

    /// As `values`, mutable.
    pub(super) fn values_mut(&mut self, position: usize, side: usize) -> &mut [f32] {
        let place = self.place(position, side);
        self.hidden[place].as_flattened_mut()
    }

    /// Computes the hidden values of the first `positions` of the block.
    pub(super) fn forward(&mut self, positions: usize, biases: &[f32]) {
        let tiles = self.width / TILE;
        for (tile, bias) in biases.as_chunks::<TILE>().0.iter().enumerate() {
            let weights = &self.weights[tile * self.inputs..][..self.inputs];
            for (position, inputs) in self.block[..positions].iter().enumerate() {
                for side in 0..2 {
                    let mut sums = *bias;
                    for &input in inputs.side(side) {
                        for (sum, weight) in sums.iter_mut().zip(&weights[usize::from(input)]) {
                            *sum += weight;
                        }
                    }
                    self.hidden[(2 * position + side) * tiles + tile] = sums;
                }
            }
        }
    }

    /// Adds to the gradient of the weights; `hidden` holds the gradient of the first `positions` already.
    pub(super) fn backward(&mut self, positions: usize) {
        let tiles = self.width / TILE;
        for tile in 0..tiles {
            let gradient = &mut self.gradient[tile * self.inputs..][..self.inputs];
            for (position, inputs) in self.block[..positions].iter().enumerate() {
                for side in 0..2 {
                    let back = self.hidden[(2 * position + side) * tiles + tile];
                    for &input in inputs.side(side) {
                        for (sum, value) in gradient[usize::from(input)].iter_mut().zip(&back) {
                            *sum += value;
                        }
                    }
                }
            }
        }
    }
}
