//! Encodes the wins of both sides as the values of a tablebase file.

use std::sync::{Mutex, PoisonError};

use sakmak_movegen::{Color, Square};

use super::ending::Ending;
use super::format::SideStatistics;
use super::index::Indexer;
use super::row::{mirrored, row_number};
use super::solver::{ILLEGAL, Solution, SolveError};
use super::values::{Coding, Values, exchanged};
use super::work::{CHUNK, Pass, filled, for_each};

/// Batches in a slice, which takes some milliseconds.
const SLICE: usize = 8;

/// For each code, the number of placements and the index of the first one.
struct Census([u64; 256], [u64; 256]);

impl Default for Census {
    fn default() -> Self {
        Self([0; 256], [u64::MAX; 256])
    }
}

/// Encodes the values of a canonical ending in slices.
pub(crate) struct Assembly {
    ending: Ending,
    indexer: Indexer,
    /// By the attacker; Black's wins are those of the ending with colours exchanged.
    solutions: [Option<Solution>; 2],
    codings: [Coding; 2],
    codes: [Vec<u8>; 2],
    statistics: [SideStatistics; 2],
    side: Color,
    pass: Pass,
    census: Mutex<Census>,
}

impl Assembly {
    /// Begins with the wins of White, and with those of Black, solved in the ending with colours exchanged; `None` if
    /// Black cannot win or the ending is symmetric.
    ///
    /// # Errors
    /// If memory is short or the wins of both sides do not fit one byte.
    pub(crate) fn new(ending: &Ending, white: Solution, black: Option<Solution>) -> Result<Self, SolveError> {
        let black = if ending.is_symmetric() { Some(white.clone()) } else { black };
        let solutions = [Some(white), black];
        let indexer = Indexer::new(ending);
        let (mut codings, mut codes) = ([Coding::default(); 2], [Vec::new(), Vec::new()]);
        for side in Color::ALL {
            if side == Color::Black && ending.is_symmetric() {
                continue;
            }
            let [own, other] = [&solutions[side.index()], &solutions[(!side).index()]];
            let longest_win = own.as_ref().map_or(0, |own| own.longest[0]);
            let longest_loss = other.as_ref().map_or(0, |other| other.longest[1]);
            if u16::from(longest_win) + u16::from(longest_loss) >= u16::from(u8::MAX) {
                return Err(SolveError::TooLong);
            }
            codings[side.index()] = Coding { longest_win };
            codes[side.index()] = filled(Coding::DRAW, indexer.size())?;
        }
        Ok(Self {
            ending: ending.clone(),
            indexer,
            solutions,
            codings,
            codes,
            statistics: Default::default(),
            side: Color::White,
            pass: Pass::default(),
            census: Mutex::default(),
        })
    }

    /// Works for a slice on `threads` threads. Returns whether the values are complete.
    pub(crate) fn step(&mut self, threads: usize) -> bool {
        let symmetric = self.ending.is_symmetric();
        for _ in 0..SLICE {
            self.encode_batch(threads);
            if self.pass.is_over(self.indexer.size()) {
                let Census(number_of, first) =
                    std::mem::take(self.census.get_mut().unwrap_or_else(PoisonError::into_inner));
                let side = self.side.index();
                self.statistics[side] = SideStatistics::new(self.codings[side], &number_of, &first);
                self.side = !self.side;
                if symmetric || self.side == Color::White {
                    return true;
                }
            }
        }
        false
    }

    fn encode_batch(&mut self, threads: usize) {
        let Self { ending, indexer, solutions, codes, side, pass, census, .. } = self;
        let (ending, indexer, solutions, side, census) = (&*ending, &*indexer, &*solutions, *side, &*census);
        let men = ending.pieces().len();
        let (skip, take) = pass.next(threads);
        let chunks = codes[side.index()].chunks_mut(CHUNK).enumerate().skip(skip).take(take);
        for_each(threads, chunks, |(chunk, codes)| {
            let Census(mut number_of, mut first) = Census::default();
            let mut last = Coding::DRAW;
            for (index, code) in codes.iter_mut().enumerate() {
                let number = chunk * CHUNK + index;
                let placement = indexer.placement(number);
                let moves = |attacker: Color| {
                    let solution = solutions[attacker.index()].as_ref()?;
                    let placement = match attacker {
                        Color::White => placement,
                        Color::Black => exchanged(ending, &placement),
                    };
                    Some(solution.moves(placement.khuns, &placement.men[..men], attacker == side))
                };
                *code = match (moves(side), moves(!side)) {
                    // Placements of no game repeat the value before, which compresses best.
                    (Some(ILLEGAL), _) | (_, Some(ILLEGAL)) => {
                        *code = last;
                        continue;
                    }
                    (Some(moves @ ..ILLEGAL), _) => Coding::win(moves),
                    (_, Some(moves @ ..ILLEGAL)) => Coding::loss(moves),
                    _ => Coding::DRAW,
                };
                last = *code;
                let code = usize::from(last);
                number_of[code] += 1;
                first[code] = first[code].min(number as u64);
            }
            let mut census = census.lock().unwrap_or_else(PoisonError::into_inner);
            for code in 0..256 {
                census.0[code] += number_of[code];
                census.1[code] = census.1[code].min(first[code]);
            }
            codes.len()
        });
    }

    /// The values, once they are complete.
    pub(crate) fn into_values(self) -> Values {
        let Self { ending, indexer, codes, statistics, .. } = self;
        Values { ending, indexer, codes, statistics }
    }
}

impl Solution {
    /// The attacker's moves to its win, or [`ILLEGAL`] or [`NOT_WON`](super::solver::NOT_WON). `khuns` begins with the
    /// attacker's, and the men are in the order of the ending.
    #[inline]
    pub(super) fn moves(&self, khuns: [Square; 2], men: &[Square], attacker_moves: bool) -> u8 {
        let (row, mirror) = row_number(khuns[0], men);
        let square = if mirror { mirrored(khuns[1]) } else { khuns[1] };
        let moves = if attacker_moves { &self.wins } else { &self.losses };
        moves[row][square.index()]
    }
}
