//! AdamW: Adam with decoupled weight decay (Loshchilov and Hutter 2019).

use rayon::prelude::*;

use super::gradient::Sums;
use super::parameters::Layout;

const MEAN_DECAY: f32 = 0.9;
const SQUARE_DECAY: f32 = 0.999;
const EPSILON: f32 = 1e-8;
/// Parameters per work item of a thread.
const CHUNK: usize = 4096;

/// The parameters, and AdamW's moving averages of the gradients and of their squares.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Optimizer {
    pub(super) parameters: Vec<f32>,
    pub(super) means: Vec<f32>,
    pub(super) squares: Vec<f32>,
    /// Steps made.
    pub(super) steps: u64,
}

impl Optimizer {
    pub(super) fn new(parameters: Vec<f32>) -> Self {
        let zeros = vec![0.0; parameters.len()];
        Self { parameters, means: zeros.clone(), squares: zeros, steps: 0 }
    }

    /// Makes a step with the mean gradient of `positions` positions.
    pub(super) fn step(&mut self, layout: Layout, sums: &[Sums], positions: usize, rate: f32, decay: f32) {
        self.steps += 1;
        let power = self.steps.min(1 << 20) as i32;
        let mean_share = 1.0 - MEAN_DECAY.powi(power);
        let square_share = 1.0 - SQUARE_DECAY.powi(power);
        let share = 1.0 / positions as f32;
        let biases = layout.output_biases();
        let parameters = self.parameters.par_chunks_mut(CHUNK);
        let means = self.means.par_chunks_mut(CHUNK);
        let squares = self.squares.par_chunks_mut(CHUNK);
        parameters.zip(means).zip(squares).enumerate().for_each(|(chunk, ((parameters, means), squares))| {
            let first = chunk * CHUNK;
            let mut gradient = [0.0; CHUNK];
            for sums in sums {
                for (sum, part) in gradient.iter_mut().zip(&sums.gradient[first..first + parameters.len()]) {
                    *sum += part;
                }
            }
            for index in 0..parameters.len() {
                let number = first + index;
                let slope = gradient[index] * share;
                means[index] = MEAN_DECAY * means[index] + (1.0 - MEAN_DECAY) * slope;
                squares[index] = SQUARE_DECAY * squares[index] + (1.0 - SQUARE_DECAY) * slope * slope;
                let mean = means[index] / mean_share;
                let square = squares[index] / square_share;
                let kept = if biases.contains(&number) { 1.0 } else { 1.0 - rate * decay };
                let bound = layout.bound(number);
                let next = kept * parameters[index] - rate * mean / (square.sqrt() + EPSILON);
                parameters[index] = next.clamp(-bound, bound);
            }
        });
    }
}
