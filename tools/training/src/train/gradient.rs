//! Loss and gradient of the network on a set of positions.

use sakmak_dataset::positions::TrainingPosition;
use sakmak_eval::network::features::INPUTS;

use super::columns::{BLOCK, Columns};
use super::parameters::Layout;

/// The training target of a position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Share of the game's result; the rest is the result predicted by the searched score.
    pub result_share: f32,
    /// Internal units of a searched score that multiply the odds by e.
    pub scale: f32,
}

impl Target {
    /// Expected points of the side to move, 0 to 1.
    fn points(self, position: &TrainingPosition) -> f32 {
        let predicted = sigmoid(f32::from(position.score) / self.scale);
        let Some(result) = position.points() else { return predicted };
        self.result_share * result + (1.0 - self.result_share) * predicted
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Sums of a thread over its positions.
pub(super) struct Sums {
    /// Gradient, in the layout of the parameters.
    pub(super) gradient: Vec<f32>,
    /// Sum of squared errors.
    pub(super) loss: f64,
    columns: Columns,
}

impl Sums {
    pub(super) fn new(layout: Layout) -> Self {
        Self {
            gradient: vec![0.0; layout.parameters()],
            loss: 0.0,
            columns: Columns::new(layout.width, INPUTS),
        }
    }

    pub(super) fn clear(&mut self) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
    }
}

/// The constants of a training run.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) layout: Layout,
    pub(super) target: Target,
    pub(super) use_count: bool,
}

impl Task {
    /// Adds the loss of positions, and with `learn` its gradient, to `sums`.
    pub(super) fn add(
        &self,
        parameters: &[f32],
        positions: &[TrainingPosition],
        learn: bool,
        sums: &mut Sums,
    ) {
        let layout = self.layout;
        let hidden_biases = &parameters[layout.hidden_biases()];
        let output_weights = &parameters[layout.output_weights()];
        let output_biases = &parameters[layout.output_biases()];
        let Sums { gradient, loss, columns } = sums;
        columns.load(&parameters[layout.input_weights()]);
        for block in positions.chunks(BLOCK) {
            for (inputs, position) in columns.block.iter_mut().zip(block) {
                inputs.set(position, self.use_count);
            }
            columns.forward(block.len(), hidden_biases);
            for (number, position) in block.iter().enumerate() {
                let bucket = columns.block[number].bucket;
                let row =
                    |side: usize| (2 * bucket + side) * layout.width..(2 * bucket + side + 1) * layout.width;
                let mut output = output_biases[bucket];
                for side in 0..2 {
                    output += squared_dot(columns.values(number, side), &output_weights[row(side)]);
                }
                let predicted = sigmoid(output);
                let error = predicted - self.target.points(position);
                *loss += f64::from(error * error);
                if !learn {
                    continue;
                }
                let slope = 2.0 * error * predicted * (1.0 - predicted);
                gradient[layout.output_biases()][bucket] += slope;
                for side in 0..2 {
                    let values = columns.values_mut(number, side);
                    let output_gradient = &mut gradient[layout.output_weights()][row(side)];
                    backward(values, &output_weights[row(side)], slope, output_gradient);
                    for (sum, back) in gradient[layout.hidden_biases()].iter_mut().zip(values) {
                        *sum += *back;
                    }
                }
            }
            if learn {
                columns.backward(block.len());
            }
        }
        if learn {
            columns.add_gradient_to(&mut gradient[layout.input_weights()]);
        }
    }
}

/// Dot product of the clipped and squared values with the weights. Every 16th product goes to the same partial sum, so
/// that the loop can be vectorised.
fn squared_dot(hidden: &[f32], weights: &[f32]) -> f32 {
    let mut sums = [0.0; 16];
    for (hidden, weights) in hidden.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
        for ((sum, value), weight) in sums.iter_mut().zip(hidden).zip(weights) {
            let clipped = value.clamp(0.0, 1.0);
            *sum += clipped * clipped * weight;
        }
    }
    sums.iter().sum()
}

/// Adds the gradient of the output weights, and replaces the hidden values by their gradient.
fn backward(hidden: &mut [f32], weights: &[f32], slope: f32, gradient: &mut [f32]) {
    for ((value, weight), gradient) in hidden.iter_mut().zip(weights).zip(gradient) {
        let clipped = value.clamp(0.0, 1.0);
        *gradient += slope * clipped * clipped;
        // Outside 0..1 the clipped value is constant.
        let inside = if *value > 0.0 && *value < 1.0 { 2.0 * clipped } else { 0.0 };
        *value = slope * weight * inside;
    }
}

#[cfg(test)]
mod tests {
    use super::super::inputs::tests::samples;
    use super::*;
    use sakmak_dataset::games::GameResult;

    const TARGET: Target = Target { result_share: 0.25, scale: 400.0 };

    #[test]
    fn targets_mix_result_and_score() {
        let mut sample = samples(1).pop().unwrap();
        (sample.score, sample.result) = (400, GameResult::WhiteWins);
        let record = TrainingPosition::new(&sample).unwrap();
        // Black is to move and has lost; the score says 1 / (1 + exp(-1)).
        assert!((TARGET.points(&record) - 0.75 * 0.731_06).abs() < 1e-4);
    }

    /// The gradient agrees with difference quotients of the loss.
    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn the_gradient_is_the_slope_of_the_loss() {
        let layout = Layout { width: 32 };
        let task = Task { layout, target: TARGET, use_count: true };
        let positions: Vec<_> = samples(2).iter().filter_map(TrainingPosition::new).step_by(9).collect();
        let mut parameters = layout.random(3);
        parameters[layout.hidden_biases()].fill(0.2);
        let loss = |parameters: &[f32]| {
            let mut sums = Sums::new(layout);
            task.add(parameters, &positions, false, &mut sums);
            sums.loss
        };
        let mut sums = Sums::new(layout);
        task.add(&parameters, &positions, true, &mut sums);
        let ranges =
            [layout.input_weights(), layout.hidden_biases(), layout.output_weights(), layout.output_biases()];
        for range in ranges {
            // The largest gradients, and some others.
            let mut numbers: Vec<_> = range.collect();
            numbers.sort_by(|&a, &b| sums.gradient[b].abs().total_cmp(&sums.gradient[a].abs()));
            for &number in numbers.iter().take(8).chain(numbers.iter().step_by(97)) {
                const STEP: f32 = 2e-3;
                let mut moved = |by: f32| {
                    let before = parameters[number];
                    parameters[number] += by;
                    let loss = loss(&parameters);
                    parameters[number] = before;
                    loss
                };
                // Where a hidden value begins to be clipped, the slopes on the two sides differ.
                let [left, here, right] = [-STEP, 0.0, STEP].map(&mut moved);
                let slopes = [here - left, right - here].map(|rise| rise / f64::from(STEP));
                let found = f64::from(sums.gradient[number]);
                let nearest = found.clamp(slopes[0].min(slopes[1]), slopes[0].max(slopes[1]));
                assert!(
                    (nearest - found).abs() < 0.02 * nearest.abs().max(0.1),
                    "{number}: {found}, not {slopes:?}"
                );
            }
        }
    }
}
