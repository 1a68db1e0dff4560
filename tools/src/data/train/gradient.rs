//! Loss and gradient of the network on some positions.

use sakmak_eval::network::features::{self, OUTPUT_BUCKETS, View};
use sakmak_movegen::{Color, PieceKind};

use super::parameters::Layout;
use crate::data::positions::TrainingPosition;

/// What a position should be evaluated as.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Target {
    /// Share of the game's result; the rest is what the searched score predicts.
    pub result_share: f32,
    /// Centipawns of a searched score that multiply the odds by e.
    pub scale: f32,
}

impl Target {
    /// The expected points of the side to move, 0 to 1.
    fn points(self, position: &TrainingPosition) -> f32 {
        let predicted = sigmoid(f32::from(position.score) / self.scale);
        let Some(result) = position.points() else { return predicted };
        self.result_share * result + (1.0 - self.result_share) * predicted
    }
}

fn sigmoid(x: f32) -> f32 {
    1.0 / (1.0 + (-x).exp())
}

/// Most inputs of one side: 32 pieces, the count, and no bia twice.
const MOST_INPUTS: usize = 35;

/// The inputs of both sides and the output bucket of a position.
struct Inputs {
    sides: [[u16; MOST_INPUTS]; 2],
    len: usize,
    bucket: usize,
}

impl Inputs {
    fn new() -> Self {
        Self { sides: [[0; MOST_INPUTS]; 2], len: 0, bucket: 0 }
    }

    fn push(&mut self, inputs: [usize; 2]) {
        for (side, input) in self.sides.iter_mut().zip(inputs) {
            side[self.len] = input as u16;
        }
        self.len += 1;
    }

    /// Takes those of a position. `use_count` leaves the inputs of the count out if false.
    fn set(&mut self, position: &TrainingPosition, use_count: bool) {
        self.len = 0;
        let khun = |us: Color| {
            let mut pieces = position.pieces();
            pieces.find(|&(color, kind, _)| kind == PieceKind::Khun && color == us).map(|(.., square)| square)
        };
        // Every record has both khuns.
        let [Some(own), Some(enemy)] = Color::ALL.map(khun) else { return };
        let views = [View::new(Color::White, own), View::new(Color::Black, enemy)];
        let mut bia = [0; 2];
        for (color, kind, square) in position.pieces() {
            self.push(views.map(|view| view.piece_input(color, kind, square)));
            bia[color.index()] += usize::from(kind == PieceKind::Bia);
        }
        if let Some(left) = position.plies_left().filter(|_| use_count) {
            self.push([features::count_input(left); 2]);
        }
        for (color, _) in bia.iter().enumerate().filter(|(_, bia)| **bia == 0) {
            self.push([features::no_bia_input(color == 0), features::no_bia_input(color == 1)]);
        }
        self.bucket = features::bucket_of(bia != [0; 2], position.piece_count());
    }

    fn of_side(&self, side: usize) -> impl Iterator<Item = usize> + '_ {
        self.sides[side][..self.len].iter().map(|&input| usize::from(input))
    }
}

/// A thread's sums over its positions.
pub(super) struct Sums {
    /// In the layout of the parameters.
    pub(super) gradient: Vec<f32>,
    /// Sum of the squared errors.
    pub(super) loss: f64,
}

impl Sums {
    pub(super) fn new(layout: Layout) -> Self {
        Self { gradient: vec![0.0; layout.parameters()], loss: 0.0 }
    }

    pub(super) fn clear(&mut self) {
        self.gradient.fill(0.0);
        self.loss = 0.0;
    }
}

/// What does not change while a network is trained.
#[derive(Clone, Copy, Debug)]
pub(super) struct Task {
    pub(super) layout: Layout,
    pub(super) target: Target,
    pub(super) use_count: bool,
}

/// Widths of the hidden layer that can be trained.
pub const WIDTHS: [usize; 8] = [32, 64, 96, 128, 192, 256, 384, 512];

impl Task {
    /// Adds the loss of positions, and its gradient if `learn`, to `sums`.
    pub(super) fn add(
        &self,
        parameters: &[f32],
        positions: &[TrainingPosition],
        learn: bool,
        sums: &mut Sums,
    ) {
        match self.layout.width {
            32 => self.add_with::<32>(parameters, positions, learn, sums),
            64 => self.add_with::<64>(parameters, positions, learn, sums),
            96 => self.add_with::<96>(parameters, positions, learn, sums),
            128 => self.add_with::<128>(parameters, positions, learn, sums),
            192 => self.add_with::<192>(parameters, positions, learn, sums),
            256 => self.add_with::<256>(parameters, positions, learn, sums),
            384 => self.add_with::<384>(parameters, positions, learn, sums),
            512 => self.add_with::<512>(parameters, positions, learn, sums),
            width => unreachable!("width {width} is not among WIDTHS"),
        }
    }

    fn add_with<const W: usize>(
        &self,
        parameters: &[f32],
        positions: &[TrainingPosition],
        learn: bool,
        sums: &mut Sums,
    ) {
        let layout = self.layout;
        let rows = |range: std::ops::Range<usize>| parameters[range].as_chunks::<W>().0;
        let input_weights = rows(layout.input_weights());
        let hidden_biases = &rows(layout.hidden_biases())[0];
        let output_weights = rows(layout.output_weights());
        let output_biases = &parameters[layout.output_biases()];
        let (input_part, rest) = sums.gradient.split_at_mut(layout.input_weights().end);
        let (bias_part, rest) = rest.split_at_mut(W);
        let (output_part, output_bias_part) = rest.split_at_mut(2 * W * OUTPUT_BUCKETS);
        let input_gradient = input_part.as_chunks_mut::<W>().0;
        let hidden_bias_gradient = &mut bias_part.as_chunks_mut::<W>().0[0];
        let output_gradient = output_part.as_chunks_mut::<W>().0;

        let mut inputs = Inputs::new();
        for position in positions {
            inputs.set(position, self.use_count);
            let mut hidden = [[0.0; W]; 2];
            let mut output = output_biases[inputs.bucket];
            for (side, hidden) in hidden.iter_mut().enumerate() {
                *hidden = *hidden_biases;
                for input in inputs.of_side(side) {
                    for (value, weight) in hidden.iter_mut().zip(&input_weights[input]) {
                        *value += weight;
                    }
                }
                output += squared_dot(hidden, &output_weights[2 * inputs.bucket + side]);
            }
            let predicted = sigmoid(output);
            let error = predicted - self.target.points(position);
            sums.loss += f64::from(error * error);
            if !learn {
                continue;
            }
            let slope = 2.0 * error * predicted * (1.0 - predicted);
            output_bias_part[inputs.bucket] += slope;
            for (side, hidden) in hidden.iter().enumerate() {
                let row = 2 * inputs.bucket + side;
                let back = backward(hidden, &output_weights[row], slope, &mut output_gradient[row]);
                for (gradient, back) in hidden_bias_gradient.iter_mut().zip(&back) {
                    *gradient += back;
                }
                for input in inputs.of_side(side) {
                    for (gradient, back) in input_gradient[input].iter_mut().zip(&back) {
                        *gradient += back;
                    }
                }
            }
        }
    }
}

/// The clipped and squared values times their weights. Sums of every 16th product come first, so that the loop can be
/// vectorised.
fn squared_dot<const W: usize>(hidden: &[f32; W], weights: &[f32; W]) -> f32 {
    let mut sums = [0.0; 16];
    for (hidden, weights) in hidden.as_chunks::<16>().0.iter().zip(weights.as_chunks::<16>().0) {
        for ((sum, value), weight) in sums.iter_mut().zip(hidden).zip(weights) {
            let clipped = value.clamp(0.0, 1.0);
            *sum += clipped * clipped * weight;
        }
    }
    sums.iter().sum()
}

/// Adds the gradient of the output weights, and returns that of the hidden values.
fn backward<const W: usize>(
    hidden: &[f32; W],
    weights: &[f32; W],
    slope: f32,
    gradient: &mut [f32; W],
) -> [f32; W] {
    let mut back = [0.0; W];
    for (((back, value), weight), gradient) in back.iter_mut().zip(hidden).zip(weights).zip(gradient) {
        let clipped = value.clamp(0.0, 1.0);
        *gradient += slope * clipped * clipped;
        // Outside 0..1 the clipped value does not change.
        let inside = if *value > 0.0 && *value < 1.0 { 2.0 * clipped } else { 0.0 };
        *back = slope * weight * inside;
    }
    back
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use sakmak_movegen::Position;

    use super::*;
    use crate::data::datagen::{GameResult, Sample};

    const TARGET: Target = Target { result_share: 0.25, scale: 400.0 };

    /// Positions of random games, with random scores and results.
    fn samples(games: u64) -> Vec<Sample> {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let mut samples = Vec::new();
        for _ in 0..games {
            let mut position = Position::startpos();
            while position.outcome().is_none() && samples.len() % 300 != 299 {
                let moves = position.legal_moves();
                let mv = moves[rng.random_range(0..moves.len())];
                let result = GameResult::ALL[rng.random_range(0..3)];
                let score = rng.random_range(-900..900);
                samples.push(Sample { position: position.clone(), score, ply: 0, mv, result });
                position.play_unchecked(mv);
            }
            samples.truncate(samples.len() / 2 * 2);
        }
        // Endings with a count.
        for (count, left) in [("- 128 8", 120), ("- 128 127", 1)] {
            let fen = format!("8/2k3r1/3m4/8/1N6/7K/4S3/8 b {count} 60");
            let position = Position::from_fen(&fen).unwrap();
            assert_eq!(position.count().remaining(), Some(left));
            let mv = position.legal_moves()[0];
            samples.push(Sample { position, score: 30, ply: 0, mv, result: GameResult::Draw });
        }
        samples
    }

    #[test]
    fn inputs_are_those_of_the_evaluation() {
        let mut inputs = Inputs::new();
        for Sample { position, .. } in samples(3) {
            let us = position.side_to_move();
            let sample = Sample {
                score: 0,
                ply: 0,
                mv: position.legal_moves()[0],
                result: GameResult::Draw,
                position,
            };
            inputs.set(&TrainingPosition::new(&sample).unwrap(), true);
            assert_eq!(inputs.bucket, features::output_bucket(&sample.position));
            for (side, color) in [us, !us].into_iter().enumerate() {
                let mut wanted: Vec<_> = features::inputs(&sample.position, color).collect();
                let mut found: Vec<_> = inputs.of_side(side).collect();
                wanted.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, wanted, "{}", sample.position);
            }
        }
    }

    #[test]
    fn targets_mix_result_and_score() {
        let mut sample = samples(1).pop().unwrap();
        (sample.score, sample.result) = (400, GameResult::WhiteWins);
        let record = TrainingPosition::new(&sample).unwrap();
        // Black is to move and has lost; the score says 1 / (1 + exp(-1)).
        assert!((TARGET.points(&record) - 0.75 * 0.731_06).abs() < 1e-4);
    }

    /// The gradient agrees with differences of the loss.
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
            // The largest slopes, and some others.
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
                let slope = (moved(STEP) - moved(-STEP)) / (2.0 * f64::from(STEP));
                let found = f64::from(sums.gradient[number]);
                assert!(
                    (slope - found).abs() < 0.02 * slope.abs().max(0.1),
                    "{number}: {found}, not {slope}"
                );
            }
        }
    }
}
