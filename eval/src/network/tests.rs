//! Evaluations against a plain reference, and the faults of files.

use sakmak_movegen::rules::{Rules, Ruleset, Variant};
use sakmak_movegen::{Color, File, Position, splitmix64};

use super::features::{Threats, inputs};
use super::format::MAX_DESCRIPTION;
use super::*;

/// The weights of a file, in its order.
struct Weights {
    inputs: Vec<i16>,
    hidden_biases: Vec<i16>,
    outputs: Vec<i16>,
    output_biases: [i32; OUTPUT_BUCKETS],
}

/// If all output weights of a bucket are as large, the sum still fits 32 bits.
const LARGEST_MEAN: i16 = ((i32::MAX / (HIDDEN_ONE * HIDDEN_ONE / 2)) as usize / (2 * WIDTH)) as i16;

impl Weights {
    fn random(seed: u64) -> Self {
        let mut number = seed << 32;
        let mut next = |most: i32| {
            number += 1;
            (splitmix64(number) % (2 * most as u64 + 1)) as i32 - most
        };
        let mut many = |count: usize, most: i32| (0..count).map(|_| next(most) as i16).collect();
        Self {
            inputs: many(INPUTS * WIDTH, 90),
            hidden_biases: many(WIDTH, 200),
            outputs: many(OUTPUT_BUCKETS * 2 * WIDTH, i32::from(LARGEST_MEAN)),
            output_biases: std::array::from_fn(|_| next(4000)),
        }
    }

    fn to_bytes(&self, description: &str) -> Vec<u8> {
        let Self { inputs, hidden_biases, outputs, output_biases } = self;
        Network::to_bytes(description, inputs, hidden_biases, outputs, output_biases)
    }

    fn network(&self) -> Network {
        Network::from_bytes(&self.to_bytes("a test")).unwrap()
    }

    fn refusal(&self) -> String {
        Network::from_bytes(&self.to_bytes("a test")).unwrap_err().to_string()
    }

    /// The evaluation from all inputs, in wide integers.
    fn evaluate(&self, position: &Position) -> i64 {
        let us = position.side_to_move();
        let bucket = features::output_bucket(position);
        let mut sum = 0;
        for (half, color) in [us, !us].into_iter().enumerate() {
            for index in 0..WIDTH {
                let weights =
                    inputs(position, color).map(|input| i64::from(self.inputs[input * WIDTH + index]));
                let value = i64::from(self.hidden_biases[index]) + weights.sum::<i64>();
                let clipped = value.clamp(0, i64::from(HIDDEN_ONE));
                sum += clipped * clipped / 2 * i64::from(self.outputs[(2 * bucket + half) * WIDTH + index]);
            }
        }
        let output = 2 * sum / i64::from(HIDDEN_ONE) + i64::from(self.output_biases[bucket]);
        output * i64::from(SCALE) / i64::from(HIDDEN_ONE * OUTPUT_ONE)
    }
}

/// Calls `visit` with the positions of random games.
pub(super) fn along_random_games(rules: Rules, games: u64, mut visit: impl FnMut(&Position)) {
    for game in 0..games {
        let mut position = Position::start(rules);
        for ply in 0..400 {
            if position.outcome().is_some() {
                break;
            }
            visit(&position);
            let moves = position.legal_moves();
            position.play_unchecked(moves[splitmix64(1000 * game + ply) as usize % moves.len()]);
        }
    }
}

fn left_and_right_exchanged(position: &Position) -> Position {
    let fen = position.to_string();
    let (board, rest) = fen.split_once(' ').unwrap();
    let ranks: Vec<String> = board.split('/').map(|rank| rank.chars().rev().collect()).collect();
    Position::from_fen(&format!("{} {rest}", ranks.join("/"))).unwrap()
}

#[test]
fn the_cache_changes_no_evaluation() {
    let weights = Weights::random(1);
    let network = weights.network();
    let mut cache = AccumulatorCache::new(&network);
    let (mut counted, mut without_bia, mut halves) = (0, 0, [0; 4]);
    let mut different = Vec::new();
    let makruk = Ruleset::ALL.iter().map(|&ruleset| Rules::new(Variant::Makruk, ruleset));
    let others =
        [Variant::Cambodian, Variant::Makpong].map(|variant| Rules::new(variant, Ruleset::default()));
    for rules in makruk.chain(others) {
        along_random_games(rules, 12, |position| {
            let eval = network.evaluate(&mut cache, position, Threats::new(position));
            assert_eq!(i64::from(eval), weights.evaluate(position), "{position}");
            assert_eq!(
                eval,
                network.evaluate(&mut AccumulatorCache::new(&network), position, Threats::new(position)),
                "{position}"
            );
            counted += usize::from(position.count().is_running());
            without_bia += usize::from(features::output_bucket(position) == 0);
            let [white, black] = Color::ALL.map(|color| usize::from(position.khun(color).file() >= File::E));
            halves[2 * white + black] += 1;
            different.push(eval);
        });
    }
    let positions = different.len();
    different.sort_unstable();
    different.dedup();
    assert!(different.len() > 500, "{}", different.len());
    assert!(counted > positions / 10 && without_bia > positions / 20, "{counted} {without_bia} {positions}");
    assert!(halves.iter().all(|&number| number > positions / 50), "{halves:?}");
}

#[test]
fn mirror_images_are_evaluated_alike() {
    let network = Weights::random(2).network();
    let mut cache = AccumulatorCache::new(&network);
    for rules in [Rules::default(), Rules::new(Variant::Cambodian, Ruleset::default())] {
        along_random_games(rules, 40, |position| {
            let mut evaluate =
                |position: &Position| network.evaluate(&mut cache, position, Threats::new(position));
            let eval = evaluate(position);
            assert_eq!(eval, evaluate(&position.flipped()), "{position}");
            if rules == Rules::default() {
                assert_eq!(eval, evaluate(&left_and_right_exchanged(position)), "{position}");
            }
        });
    }
}

#[test]
fn boards_full_of_pieces_are_evaluated() {
    // Sums may wrap, but those of the cache do as those from scratch.
    let mut weights = Weights::random(3);
    weights.inputs.fill(MAX_INPUT_WEIGHT);
    let network = weights.network();
    let mut cache = AccumulatorCache::new(&network);
    let full =
        Position::from_fen("rrrrkrrr/rrrrrrrr/8/pppppppp/PPPPPPPP/8/RRRRRRRR/RRRRKRRR w - - 0 1").unwrap();
    for position in [&Position::startpos(), &full, &Position::startpos()] {
        let eval = network.evaluate(&mut cache, position, Threats::new(position));
        assert_eq!(
            eval,
            network.evaluate(&mut AccumulatorCache::new(&network), position, Threats::new(position))
        );
    }
}

#[test]
fn a_file_is_read_as_it_was_written() {
    let weights = Weights::random(4);
    let network = Network::from_bytes(&weights.to_bytes("ชื่อ")).unwrap();
    assert_eq!(network.description(), "ชื่อ");
    assert_eq!(network.input_weights.rows().as_flattened(), weights.inputs);
    assert_eq!(network.hidden_biases.as_slice(), weights.hidden_biases);
    assert_eq!(network.output_weights.as_flattened().as_flattened(), weights.outputs);
    assert_eq!(network.output_biases, weights.output_biases);
    let bytes = weights.to_bytes("ชื่อ");
    assert_eq!(bytes[bytes.len() - 4..], network.checksum().to_le_bytes());
    let longest = "x".repeat(MAX_DESCRIPTION);
    assert_eq!(Network::from_bytes(&weights.to_bytes(&longest)).unwrap().description(), longest);
}

#[test]
fn networks_with_fewer_kinds_of_safety_are_read() {
    // By kind of safety the one it was: loose and safe, hanging, protected, and the two attacked by less.
    for (known, older) in [(1, [0; 6]), (3, [0, 0, 2, 1, 2, 2])] {
        let mut weights = Weights::random(10);
        let rows = WIDTH * features::PIECE_INPUTS / features::Safety::COUNT;
        let pieces = weights.inputs[..known * rows].to_vec();
        let others = weights.inputs[WIDTH * features::PIECE_INPUTS..].to_vec();
        weights.inputs = [pieces.as_slice(), &others].concat();
        let network = weights.network();
        weights.inputs = older.iter().flat_map(|safety| &pieces[safety * rows..][..rows]).copied().collect();
        weights.inputs.extend(others);
        let mut cache = AccumulatorCache::new(&network);
        along_random_games(Rules::default(), 10, |position| {
            assert_eq!(
                i64::from(network.evaluate(&mut cache, position, Threats::new(position))),
                weights.evaluate(position)
            );
        });
    }
}

#[test]
fn other_files_and_other_shapes_are_refused() {
    let bytes = Weights::random(5).to_bytes("a test");
    let with = |at: usize, number: u16| {
        let mut bytes = bytes.clone();
        bytes[at..at + 2].copy_from_slice(&number.to_le_bytes());
        Network::from_bytes(&bytes).unwrap_err().to_string()
    };
    assert_eq!(with(0, 0), "not a network of Sakmak");
    assert_eq!(with(8, 7), "version 7 of the format cannot be read; 1 can");
    assert_eq!(with(10, 64), format!("its width is 64; this program needs {WIDTH}"));
    assert_eq!(with(12, 768), format!("its number of inputs is 768; this program needs {INPUTS}"));
    assert_eq!(with(14, 1), "its number of output buckets is 1; this program needs 8");
    let found = bytes.len();
    assert_eq!(with(16, 7), format!("it has {found} bytes instead of {}", found + 1));
    for high in [1, 2, 0x7fff, 0xffff] {
        assert_eq!(with(18, high), "its description is longer than 65536 bytes", "{high}");
    }
    assert_eq!(Network::from_bytes(&[]).unwrap_err().to_string(), "not a network of Sakmak");
}

#[test]
fn a_long_description_of_a_file_with_a_right_checksum_is_refused() {
    let weights = Weights::random(5);
    for more in [1, 4, 5, 100_000] {
        let description = "x".repeat(MAX_DESCRIPTION + more);
        let error = Network::from_bytes(&weights.to_bytes(&description)).unwrap_err();
        assert_eq!(error, NetworkError::Description);
    }
    // As long as a file may be, but with a length that points far beyond its end.
    let mut bytes = weights.to_bytes(&"x".repeat(MAX_DESCRIPTION));
    bytes[16..20].copy_from_slice(&u32::MAX.to_le_bytes());
    let body = bytes.len() - 4;
    let checksum = crc32fast::hash(&bytes[..body]);
    bytes[body..].copy_from_slice(&checksum.to_le_bytes());
    assert_eq!(Network::from_bytes(&bytes).unwrap_err(), NetworkError::Description);
}

#[test]
fn files_that_are_too_short_or_too_long_are_refused() {
    let bytes = Weights::random(6).to_bytes("a test");
    let wanted = bytes.len();
    for found in (0..64).chain((64..wanted).step_by(997)).chain([wanted - 1]) {
        let error = Network::from_bytes(&bytes[..found]).unwrap_err();
        match found {
            0..8 => assert_eq!(error, NetworkError::Magic),
            // The description's length is not known yet.
            8..20 => assert_eq!(error, NetworkError::Length { found, wanted: wanted - 6 }),
            _ => assert_eq!(error, NetworkError::Length { found, wanted }),
        }
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert_eq!(
        Network::from_bytes(&longer).unwrap_err().to_string(),
        format!("it has {} bytes instead of {wanted}", wanted + 1)
    );
}

#[test]
fn every_flipped_bit_is_noticed() {
    let mut bytes = Weights::random(7).to_bytes("a test");
    let length = bytes.len();
    for at in (0..64).chain((64..length).step_by(211)).chain(length - 64..length) {
        let bit = 1 << (at % 8);
        bytes[at] ^= bit;
        let error = Network::from_bytes(&bytes).unwrap_err();
        // Header fields have messages of their own.
        assert!(at < 20 || error == NetworkError::Checksum, "{at}: {error}");
        bytes[at] ^= bit;
    }
    assert!(Network::from_bytes(&bytes).is_ok());
    bytes[length - 1] ^= 1;
    assert_eq!(Network::from_bytes(&bytes).unwrap_err().to_string(), "its checksum is wrong");
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let hidden = "a weight of the hidden layer is too large";
    let output = "a weight of the output layer is too large";
    let refusal = |change: &dyn Fn(&mut Weights)| {
        let mut weights = Weights::random(8);
        change(&mut weights);
        weights.refusal()
    };
    for sign in [1, -1] {
        assert_eq!(refusal(&|weights| weights.inputs[12_345] = sign * (MAX_INPUT_WEIGHT + 1)), hidden);
        assert_eq!(
            refusal(&|weights| weights.hidden_biases[WIDTH - 1] = sign * (MAX_INPUT_WEIGHT + 1)),
            hidden
        );
        assert_eq!(refusal(&|weights| weights.outputs[1] = sign * (MAX_OUTPUT_WEIGHT + 1)), output);
        assert_eq!(refusal(&|weights| weights.output_biases[7] = i32::from(sign) * ((1 << 24) + 1)), output);
    }
    assert_eq!(refusal(&|weights| weights.outputs.fill(LARGEST_MEAN + 1)), output);
    assert_eq!(refusal(&|weights| weights.inputs[0] = i16::MIN), hidden);
    assert_eq!(refusal(&|weights| weights.outputs[0] = i16::MIN), output);
    assert_eq!(refusal(&|weights| weights.output_biases[0] = i32::MIN), output);

    // The largest that pass do not overflow.
    for sign in [1, -1] {
        let mut weights = Weights::random(9);
        weights.inputs.fill(MAX_INPUT_WEIGHT);
        weights.hidden_biases.fill(MAX_INPUT_WEIGHT);
        weights.outputs.fill(sign * LARGEST_MEAN);
        weights.output_biases.fill(i32::from(sign) << 24);
        let network = weights.network();
        let position = Position::startpos();
        let eval = network.evaluate(&mut AccumulatorCache::new(&network), &position, Threats::new(&position));
        assert_eq!(i64::from(eval), weights.evaluate(&position));
    }
}

#[test]
fn the_network_compiled_in_is_sound() {
    let network = Network::embedded();
    assert!(!network.description().is_empty());
    let text = network.to_string();
    assert_eq!(text, format!("sakmak-{:08x}", network.checksum()));
    assert_eq!(format!("{network:?}"), format!("Network({text})"));
}
