//! The inputs of a training position.

use sakmak_eval::network::features::{self, Threats, View};
use sakmak_movegen::{Bitboard, Color, PieceKind};

use sakmak_dataset::positions::TrainingPosition;

/// Maximum of inputs per side: 32 pieces, the count, and no bia twice.
const MOST_INPUTS: usize = 35;

/// The inputs of both sides, and the output bucket, of a position.
pub(super) struct Inputs {
    sides: [[u16; MOST_INPUTS]; 2],
    len: usize,
    pub(super) bucket: usize,
}

impl Inputs {
    pub(super) fn new() -> Self {
        Self { sides: [[0; MOST_INPUTS]; 2], len: 0, bucket: 0 }
    }

    fn push(&mut self, inputs: [usize; 2]) {
        for (side, input) in self.sides.iter_mut().zip(inputs) {
            side[self.len] = input as u16;
        }
        self.len += 1;
    }

    /// Sets the inputs to those of a position; without `use_count` those of the count are left out.
    pub(super) fn set(&mut self, position: &TrainingPosition, use_count: bool) {
        self.len = 0;
        let khun = |us: Color| {
            let mut pieces = position.pieces();
            pieces.find(|&(color, kind, _)| kind == PieceKind::Khun && color == us).map(|(.., square)| square)
        };
        // Every record has both khuns.
        let [Some(own), Some(enemy)] = Color::ALL.map(khun) else { return };
        let views = [View::new(Color::White, own), View::new(Color::Black, enemy)];
        let mut bia = [0; 2];
        let mut pieces = [[Bitboard::EMPTY; 6]; 2];
        for (color, kind, square) in position.pieces() {
            pieces[color.index()][kind.index()] |= square.into();
        }
        let threats = Threats::from_pieces(&pieces);
        for (color, kind, square) in position.pieces() {
            let safety = threats.safety(square.into());
            self.push(views.map(|view| view.piece_input(color, kind, square, safety)));
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

    /// The inputs of a side: 0 is the side to move.
    pub(super) fn side(&self, side: usize) -> &[u16] {
        &self.sides[side][..self.len]
    }
}

#[cfg(test)]
pub(super) mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_chacha::ChaCha8Rng;
    use sakmak_movegen::Position;

    use super::*;
    use sakmak_dataset::games::{GameResult, Sample};

    /// Positions from random games, with random scores and results.
    pub(in super::super) fn samples(games: u64) -> Vec<Sample> {
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
                let mut found: Vec<_> = inputs.side(side).iter().map(|&input| usize::from(input)).collect();
                wanted.sort_unstable();
                found.sort_unstable();
                assert_eq!(found, wanted, "{}", sample.position);
            }
        }
    }
}
