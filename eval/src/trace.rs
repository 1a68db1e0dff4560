//! The evaluation as a sum of weights, for the tuner.

use sakmak_movegen::{Color, Position};

use crate::accumulator::{Accumulator, material_and_squares};
use crate::imbalance::imbalance;
use crate::khun_squares::khun_score;
use crate::king_relative::king_relative_sum;
use crate::scale::Scaling;
use crate::tapered::Tapered;
use crate::terms::Terms;
use crate::weight_table::{Tracer, imbalance_bucket};
use crate::weights::WEIGHTS;

/// How often each weight counts in a position, for the tuner.
///
/// ```
/// use sakmak_eval::{Trace, weights};
/// use sakmak_movegen::Position;
///
/// // A rua more than Black's: the start position without a8.
/// let position = Position::from_fen("1nsmksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKMSNR w - - 0 1")?;
/// let trace = Trace::of(&position).ok_or("a khun is bare")?;
/// let material = weights::TABLES.iter().find(|table| table.name == "MATERIAL").ok_or("no such table")?;
/// let rua = (material.start + 4) as u16;
/// assert!(trace.counts.contains(&(rua, 1)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
pub struct Trace {
    /// Numbers of weights in ascending order, with White's count less Black's.
    pub counts: Vec<(u16, i8)>,
    /// How the sum of these is scaled.
    pub scaling: Scaling,
}

/// Weights by number, and how often each counts.
#[derive(Default)]
struct WeightCounts(Vec<(usize, i32)>);

impl Tracer for WeightCounts {
    fn count_weight(&mut self, number: usize, _value: Tapered, count: i32) {
        self.0.push((number, count));
    }
}

impl Trace {
    /// The trace of a position; `None` if a khun is bare, for then other rules hold.
    pub fn of(position: &Position) -> Option<Self> {
        if Color::ALL.into_iter().any(|color| position.is_bare(color)) {
            return None;
        }
        let mut sums = [0i32; WEIGHTS];
        let squares = Color::ALL.map(|us| material_and_squares::<WeightCounts>(position, us));
        let king_relative = Color::ALL.map(|us| king_relative_sum::<WeightCounts>(position, us));
        let accumulator = Accumulator::new(position);
        let piece_lead = accumulator.piece_lead();
        let imbalances = [(Color::White, piece_lead), (Color::Black, -piece_lead)]
            .map(|(us, piece_lead)| imbalance::<WeightCounts>(position, us, piece_lead));
        let [white, black] = Color::ALL.map(|color| position.khun(color));
        let khuns = [
            khun_score(Color::White, white, black, imbalance_bucket(piece_lead)),
            khun_score(Color::Black, black, white, imbalance_bucket(-piece_lead)),
        ];
        let terms = Terms::of(position, piece_lead).all();
        for counts in terms.into_iter().chain([squares, king_relative, imbalances, khuns]) {
            for (WeightCounts(counts), sign) in counts.into_iter().zip([1, -1]) {
                for (number, count) in counts {
                    sums[number] += sign * count;
                }
            }
        }
        let counts = sums.iter().enumerate().filter(|(_, count)| **count != 0);
        let clamped = |count: i32| count.clamp(-128, 127) as i8;
        Some(Self {
            counts: counts.map(|(number, &count)| (number as u16, clamped(count))).collect(),
            scaling: Scaling::of(position, accumulator.phase()),
        })
    }
}
