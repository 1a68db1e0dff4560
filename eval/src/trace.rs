//! The evaluation as a sum of weights, for the tuner.

use sakmak_movegen::{Color, Position};

use crate::accumulator::{Accumulator, material_and_squares};
use crate::imbalance::imbalance;
use crate::khun_squares::khun_place;
use crate::king_relative::places;
use crate::scale::Scaling;
use crate::tapered::Tapered;
use crate::terms::Terms;
use crate::weight_table::{Tally, rough};
use crate::weights::WEIGHTS;

/// What a position counts of every weight, for the tuner.
#[derive(Clone, Debug)]
pub struct Trace {
    /// Numbers of weights in ascending order, with White's count less Black's.
    pub counts: Vec<(u16, i8)>,
    /// How the sum of these is scaled.
    pub scaling: Scaling,
}

/// A tally that writes down what it takes.
#[derive(Default)]
struct Notes(Vec<(usize, i32)>);

impl Tally for Notes {
    fn take(&mut self, number: usize, _value: Tapered, count: i32) {
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
        let squares = Color::ALL.map(|us| material_and_squares::<Notes>(position, us));
        let places = Color::ALL.map(|us| places::<Notes>(position, us));
        let accumulator = Accumulator::new(position);
        let edge = accumulator.edge();
        let imbalances = [(Color::White, edge), (Color::Black, -edge)]
            .map(|(us, edge)| imbalance::<Notes>(position, us, edge));
        let [white, black] = Color::ALL.map(|color| position.khun(color));
        let khuns = [
            khun_place(Color::White, white, black, rough(edge)),
            khun_place(Color::Black, black, white, rough(-edge)),
        ];
        let terms = Terms::of(position, edge).all();
        for notes in terms.into_iter().chain([squares, places, imbalances, khuns]) {
            for (Notes(taken), sign) in notes.into_iter().zip([1, -1]) {
                for (number, count) in taken {
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
