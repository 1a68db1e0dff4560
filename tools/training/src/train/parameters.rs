//! The parameters of the network in training, as one vector of floats.

use std::ops::Range;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use sakmak_eval::network::features::{INPUTS, OUTPUT_BUCKETS};
use sakmak_eval::network::{
    HIDDEN_ONE, MAX_INPUT_WEIGHT, MAX_OUTPUT_WEIGHT, Network, NetworkWeights, OUTPUT_ONE,
};

/// Positions of the layers in the parameter vector of a network of width `width`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Layout {
    /// Hidden values per side.
    pub width: usize,
}

impl Layout {
    /// Input weights, by input.
    pub fn input_weights(self) -> Range<usize> {
        0..INPUTS * self.width
    }

    /// Hidden biases.
    pub fn hidden_biases(self) -> Range<usize> {
        let from = self.input_weights().end;
        from..from + self.width
    }

    /// Output weights by bucket: first for the side to move, then for the other one.
    pub fn output_weights(self) -> Range<usize> {
        let from = self.hidden_biases().end;
        from..from + 2 * self.width * OUTPUT_BUCKETS
    }

    /// Output biases, by bucket.
    pub fn output_biases(self) -> Range<usize> {
        let from = self.output_weights().end;
        from..from + OUTPUT_BUCKETS
    }

    /// Number of parameters.
    pub fn parameters(self) -> usize {
        self.output_biases().end
    }

    /// Random initial parameters: uniform, with He's bounds for the usual number of active inputs.
    pub fn random(self, seed: u64) -> Vec<f32> {
        const USUAL_INPUTS: f32 = 20.0;
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut parameters = vec![0.0; self.parameters()];
        let bounds = [
            (self.input_weights(), (1.0 / USUAL_INPUTS).sqrt()),
            (self.output_weights(), (1.0 / (2 * self.width) as f32).sqrt()),
        ];
        for (range, bound) in bounds {
            for parameter in &mut parameters[range] {
                *parameter = bound * rng.random_range(-1.0..1.0);
            }
        }
        parameters
    }

    /// The parameters of a network; `None` if it is wider. If it is narrower, the additional hidden values get random
    /// input weights, and output weights of 0, so that they have no effect yet.
    pub fn parameters_from(self, network: &NetworkWeights, seed: u64) -> Option<Vec<f32>> {
        let narrow = Self { width: network.hidden_biases.len() };
        if narrow.width > self.width {
            return None;
        }
        let mut parameters = self.random(seed);
        parameters[self.output_weights()].fill(0.0);
        let floats = |weights: &[i16]| weights.iter().map(|&weight| f32::from(weight)).collect();
        let layers = [
            floats(&network.input_weights),
            floats(&network.hidden_biases),
            floats(&network.output_weights),
            network.output_biases.map(|bias| bias as f32).to_vec(),
        ];
        for (layer, (range, one)) in layers.into_iter().zip(self.ones()) {
            let is_by_bucket = range == self.output_biases();
            let (from, to) =
                if is_by_bucket { (OUTPUT_BUCKETS, OUTPUT_BUCKETS) } else { (narrow.width, self.width) };
            for (old, new) in layer.chunks(from).zip(parameters[range].chunks_mut(to)) {
                new[..from].copy_from_slice(old);
                new[..from].iter_mut().for_each(|weight| *weight /= one as f32);
            }
        }
        Some(parameters)
    }

    /// The largest absolute value of a parameter that fits the integers of the network file.
    pub fn bound(self, parameter: usize) -> f32 {
        let bound = if parameter < self.hidden_biases().end {
            f32::from(MAX_INPUT_WEIGHT) / HIDDEN_ONE as f32
        } else if parameter < self.output_weights().end {
            f32::from(MAX_OUTPUT_WEIGHT) / OUTPUT_ONE as f32
        } else {
            return f32::INFINITY;
        };
        bound - 1e-3
    }

    /// The bytes of the network file.
    pub fn to_file(self, parameters: &[f32], description: &str) -> Vec<u8> {
        let rounded = |range: Range<usize>, one: i32| -> Vec<i16> {
            parameters[range].iter().map(|parameter| (parameter * one as f32).round() as i16).collect()
        };
        let mut output_biases = [0; OUTPUT_BUCKETS];
        for (rounded, bias) in output_biases.iter_mut().zip(&parameters[self.output_biases()]) {
            *rounded = (bias * (HIDDEN_ONE * OUTPUT_ONE) as f32).round() as i32;
        }
        Network::to_bytes(
            description,
            &rounded(self.input_weights(), HIDDEN_ONE),
            &rounded(self.hidden_biases(), HIDDEN_ONE),
            &rounded(self.output_weights(), OUTPUT_ONE),
            &output_biases,
        )
    }

    /// The integer that represents 1 in each layer.
    fn ones(self) -> [(Range<usize>, i32); 4] {
        [
            (self.input_weights(), HIDDEN_ONE),
            (self.hidden_biases(), HIDDEN_ONE),
            (self.output_weights(), OUTPUT_ONE),
            (self.output_biases(), HIDDEN_ONE * OUTPUT_ONE),
        ]
    }

    /// The parameters as rounded in the network file.
    pub fn rounded(self, parameters: &[f32]) -> Vec<f32> {
        let mut rounded = parameters.to_vec();
        for (range, one) in self.ones() {
            for parameter in &mut rounded[range] {
                *parameter = (*parameter * one as f32).round() / one as f32;
            }
        }
        rounded
    }
}

#[cfg(test)]
mod tests {
    use sakmak_eval::network::WIDTH;

    use super::*;

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn a_network_is_the_same_after_it_has_been_parameters() {
        let network = Network::embedded();
        let layout = Layout { width: WIDTH };
        let parameters = layout.parameters_from(&network.weights(), 1).unwrap();
        assert_eq!(parameters.len(), layout.parameters());
        let bytes = layout.to_file(&parameters, network.description());
        assert_eq!(Network::from_bytes(&bytes).unwrap().checksum(), network.checksum());
        assert_eq!(Layout { width: WIDTH - 16 }.parameters_from(&network.weights(), 1), None);
    }

    #[test]
    #[cfg_attr(miri, ignore = "too long for an interpreter")]
    fn a_widened_network_has_the_old_weights_and_new_hidden_values_that_do_not_count() {
        let (narrow, wide) = (Layout { width: WIDTH }, Layout { width: WIDTH + 16 });
        let network = Network::embedded();
        let (before, after) =
            [narrow, wide].map(|layout| layout.parameters_from(&network.weights(), 1).unwrap()).into();
        let random = wide.random(1);
        for rows in [Layout::input_weights, Layout::hidden_biases, Layout::output_weights] {
            let old_rows = before[rows(narrow)].chunks(WIDTH);
            let new_rows = after[rows(wide)].chunks(WIDTH + 16).zip(random[rows(wide)].chunks(WIDTH + 16));
            assert_eq!(old_rows.len(), new_rows.len());
            for (old, (new, random)) in old_rows.zip(new_rows) {
                assert_eq!(&new[..WIDTH], old);
                let is_output = rows(wide) == wide.output_weights();
                assert_eq!(&new[WIDTH..], if is_output { &[0.0; 16] } else { &random[WIDTH..] });
            }
        }
        assert_eq!(after[wide.output_biases()], before[narrow.output_biases()]);
    }
}
