//! The first layer for many positions at a time, by columns.
//!
//! The weights of all inputs do not fit the cache, those of some columns do. So a block of positions goes through a few
//! columns of all inputs before the next ones.

use std::ops::Range;

use super::inputs::Inputs;

/// Columns that are summed at a time; widths are multiples of it.
pub(super) const TILE: usize = 16;
/// Positions of a block.
pub(super) const BLOCK: usize = 512;

type Tile = [f32; TILE];

/// The weights of the first layer and their gradient by columns, and the values of a block.
pub(super) struct Columns {
    inputs: usize,
    /// By tile and input.
    weights: Vec<Tile>,
    gradient: Vec<Tile>,
    /// The inputs of the positions of the block.
    pub(super) block: Vec<Inputs>,
    /// By position, side and tile: the hidden values, then their gradient.
    hidden: Vec<Tile>,
    width: usize,
}

impl Columns {
    /// For `width` columns and `inputs` inputs.
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

    /// Takes the weights, which stand by input, and clears the gradient.
    pub(super) fn load(&mut self, weights: &[f32]) {
        for (input, row) in weights.chunks_exact(self.width).enumerate() {
            for (tile, part) in row.as_chunks::<TILE>().0.iter().enumerate() {
                self.weights[tile * self.inputs + input] = *part;
            }
        }
        self.gradient.fill([0.0; TILE]);
    }

    /// Adds the gradient to one that stands by input.
    pub(super) fn add_gradient_to(&self, gradient: &mut [f32]) {
        for (input, row) in gradient.chunks_exact_mut(self.width).enumerate() {
            for (tile, part) in row.as_chunks_mut::<TILE>().0.iter_mut().enumerate() {
                for (sum, value) in part.iter_mut().zip(&self.gradient[tile * self.inputs + input]) {
                    *sum += value;
                }
            }
        }
    }

    /// Where the values of a side of a position stand, in tiles.
    fn place(&self, position: usize, side: usize) -> Range<usize> {
        let tiles = self.width / TILE;
        let from = (2 * position + side) * tiles;
        from..from + tiles
    }

    /// The hidden values of a side of a position, or their gradient.
    pub(super) fn values(&self, position: usize, side: usize) -> &[f32] {
        self.hidden[self.place(position, side)].as_flattened()
    }

    /// The same to be changed.
    pub(super) fn values_mut(&mut self, position: usize, side: usize) -> &mut [f32] {
        let place = self.place(position, side);
        self.hidden[place].as_flattened_mut()
    }

    /// The hidden values of the first `positions` of the block.
    pub(super) fn forward(&mut self, positions: usize, biases: &[f32]) {
        let tiles = self.width / TILE;
        for (tile, bias) in biases.as_chunks::<TILE>().0.iter().enumerate() {
            let weights = &self.weights[tile * self.inputs..][..self.inputs];
            for (position, inputs) in self.block[..positions].iter().enumerate() {
                for side in 0..2 {
                    let mut sums = *bias;
                    for &input in inputs.of_side(side) {
                        for (sum, weight) in sums.iter_mut().zip(&weights[usize::from(input)]) {
                            *sum += weight;
                        }
                    }
                    self.hidden[(2 * position + side) * tiles + tile] = sums;
                }
            }
        }
    }

    /// Adds the gradient of the weights, where the values of the first `positions` are their gradient by now.
    pub(super) fn backward(&mut self, positions: usize) {
        let tiles = self.width / TILE;
        for tile in 0..tiles {
            let gradient = &mut self.gradient[tile * self.inputs..][..self.inputs];
            for (position, inputs) in self.block[..positions].iter().enumerate() {
                for side in 0..2 {
                    let back = self.hidden[(2 * position + side) * tiles + tile];
                    for &input in inputs.of_side(side) {
                        for (sum, value) in gradient[usize::from(input)].iter_mut().zip(&back) {
                            *sum += value;
                        }
                    }
                }
            }
        }
    }
}
