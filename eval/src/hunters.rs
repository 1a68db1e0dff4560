//! Exact distances to mate (DTM) where one or two men hunt a bare khun.
//!
//! Against a bare khun all that matters is whether the mate fits into the count, to the ply, and no forecast is good
//! enough for that. So these hunts are solved backwards from the mates (retrograde analysis), see [`solver`]: by
//! [`prepare`], by [`prepare_in_background`], or when a table is first asked for, unless [`wait_for_tables`] forbids
//! it. All tables together take [`MAX_TABLE_BYTES`] and some tenths of a second of one core.
//!
//! White hunts in all placements, and its khun stands on the files a to d; the others are mirrored. A man alone is
//! a pair on one square.

mod solver;

use std::collections::TryReserveError;
use std::io;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::thread::{Builder, available_parallelism};

use sakmak_movegen::{Bitboard, Color, PieceKind, Square, attacks};

use PieceKind::{Khon, Maa, Met, Rua};

/// The distances of two kinds of men, together or the first kind alone.
#[derive(Debug)]
pub(crate) struct Hunters {
    kinds: [PieceKind; 2],
    /// Moves to mate with the hunter to move, by placement and the bare khun's square; 0 if there is none to force.
    moves: Box<[[u8; 64]]>,
}

/// The pairs that have a table, the commonest in games first.
const PAIRS: [[PieceKind; 2]; 8] =
    [[Rua, Met], [Khon, Met], [Khon, Khon], [Rua, Khon], [Rua, Maa], [Khon, Maa], [Rua, Rua], [Maa, Met]];

/// A table that there is no memory for stays empty.
static TABLES: [OnceLock<Option<Hunters>>; PAIRS.len()] = [const { OnceLock::new() }; PAIRS.len()];

/// Whether evaluations wait for a table that is not there.
static WAIT: AtomicBool = AtomicBool::new(true);
/// Whether the thread that solves all tables has been started.
static STARTED: AtomicBool = AtomicBool::new(false);

/// Memory the tables take when all are solved, in bytes.
pub const MAX_TABLE_BYTES: usize = PAIRS.len() * PLACEMENTS * 64;

/// The table of a pair, solved here and now if need be.
fn solved(pair: usize) -> Option<&'static Hunters> {
    TABLES[pair].get_or_init(|| Hunters::solve(PAIRS[pair]).ok()).as_ref()
}

/// Solves all tables and waits for that: for searches that have to give the same result each time, whatever the
/// machine does meanwhile.
pub fn prepare() {
    let next = AtomicUsize::new(0);
    let work = || {
        while let pair = next.fetch_add(1, Relaxed)
            && pair < PAIRS.len()
        {
            solved(pair);
        }
    };
    std::thread::scope(|scope| {
        for _ in 1..available_parallelism().map_or(1, usize::from).min(PAIRS.len()) {
            // Those that the system refuses leave their part to the others.
            if Builder::new().spawn_scoped(scope, work).is_err() {
                break;
            }
        }
        work();
    });
}

/// Whether evaluations in this process, from now on, wait for a table that is not there yet, as they do at first, or go
/// on with a forecast. Only if they wait does the same search always give the same result.
pub fn wait_for_tables(wait: bool) {
    WAIT.store(wait, Relaxed);
}

/// Starts to solve all tables in a thread of their own. Calling it again does nothing.
///
/// # Errors
/// If the system refuses the thread; it may be asked again.
pub fn prepare_in_background() -> io::Result<()> {
    if STARTED.swap(true, Relaxed) {
        return Ok(());
    }
    let work = || {
        for pair in 0..PAIRS.len() {
            solved(pair);
        }
    };
    let started = Builder::new().name("tables".to_owned()).spawn(work);
    STARTED.store(started.is_ok(), Relaxed);
    started.map(drop)
}

/// How many tables are solved, of how many, and the bytes they take.
pub fn prepared() -> (usize, usize, usize) {
    let solved = TABLES.iter().filter(|table| matches!(table.get(), Some(Some(_)))).count();
    (solved, PAIRS.len(), solved * PLACEMENTS * 64)
}

/// The squares of the hunter's khun and men.
#[derive(Clone, Copy)]
struct Placement {
    khun: Square,
    men: [Square; 2],
}

/// Placements with the khun on the files a to d.
const PLACEMENTS: usize = 32 * 64 * 64;

fn mirrored(square: Square) -> Square {
    Square::from_index(square.index() ^ 7)
}

impl Placement {
    /// Where the tables have it, and whether they have its mirror image there.
    fn index(self) -> (usize, bool) {
        let mirror = self.khun.file() > 3;
        let at = |square: Square| if mirror { mirrored(square) } else { square }.index();
        let khun = at(self.khun);
        (((khun / 8 * 4 + khun % 8) * 64 + at(self.men[0])) * 64 + at(self.men[1]), mirror)
    }

    /// Whether there is only one man.
    fn is_lone(self) -> bool {
        self.men[0] == self.men[1]
    }

    fn occupied(self) -> Bitboard {
        Bitboard::from(self.khun) | self.men[0].into() | self.men[1].into()
    }

    /// What the men attack, also through the bare khun.
    fn attacked(self, kinds: [PieceKind; 2]) -> Bitboard {
        let by = |man: usize| attacks::of(kinds[man], Color::White, self.men[man], self.occupied());
        if self.is_lone() { by(0) } else { by(0) | by(1) }
    }

    /// Where the bare khun may step, from anywhere beside.
    fn safe(self, attacked: Bitboard) -> Bitboard {
        !(attacked | attacks::khun(self.khun) | self.khun.into())
    }
}

impl Hunters {
    /// The table of two kinds of men in this order; a rua or khon alone is in that of two. `None` if there is none, or
    /// if it is not there yet and evaluations do not wait.
    pub(crate) fn of(kinds: [PieceKind; 2]) -> Option<&'static Self> {
        let pair = PAIRS.iter().position(|pair| *pair == kinds)?;
        match TABLES[pair].get() {
            Some(table) => table.as_ref(),
            None if WAIT.load(Relaxed) => solved(pair),
            None => None,
        }
    }

    /// Plies to mate with best play; `None` if there is none to force. The squares are the hunter's khun's, its men's
    /// (twice the same for a man alone) and the bare khun's, as the hunter sees them.
    pub(crate) fn plies(
        &self,
        khun: Square,
        men: [Square; 2],
        prey: Square,
        hunter_moves: bool,
    ) -> Option<i32> {
        let placement = Placement { khun, men };
        let (index, mirror) = placement.index();
        let known = &self.moves[index];
        let moves = |prey: Square| match known[if mirror { mirrored(prey) } else { prey }.index()] {
            0 => None,
            moves => Some(i32::from(moves)),
        };
        if hunter_moves {
            return moves(prey).map(|moves| 2 * moves - 1);
        }
        let attacked = placement.attacked(self.kinds);
        let steps = attacks::khun(prey) & placement.safe(attacked);
        let longest = steps.into_iter().map(moves).try_fold(0, |longest, moves| Some(longest.max(moves?)))?;
        (longest > 0 || attacked.contains(prey)).then_some(2 * longest)
    }
}

/// An empty vector with room for so many items.
///
/// # Errors
/// If that would leave less than some megabytes for all else.
fn with_room<T>(items: usize) -> Result<Vec<T>, TryReserveError> {
    const SPARE: usize = 24 << 20;
    Vec::<u8>::new().try_reserve_exact(items * size_of::<T>() + SPARE)?;
    let mut vector = Vec::new();
    vector.try_reserve_exact(items)?;
    Ok(vector)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn all() -> impl Iterator<Item = &'static Hunters> {
        prepare();
        (0..PAIRS.len()).map(|pair| solved(pair).unwrap())
    }

    /// Known from an earlier solver, which went from placement to placement along the moves: the FNV-1a hash of each
    /// table, the longest mate in moves, and the number of wins.
    #[test]
    fn the_tables_are_what_another_solver_found() {
        let known = [
            ([Rua, Rua], 0x6cc4_60fe_25cf_cc41, 16, 7_166_208),
            ([Rua, Khon], 0x119a_1808_8359_2705, 17, 7_054_124),
            ([Rua, Maa], 0xe7d0_ce6c_68ac_1b4d, 17, 7_052_876),
            ([Rua, Met], 0x92c3_9d83_33f6_53a5, 17, 7_053_768),
            ([Khon, Khon], 0xb51a_1b69_3b8e_0d80, 52, 5_967_386),
            ([Khon, Maa], 0xfc8b_7250_61f1_ebee, 38, 6_485_392),
            ([Khon, Met], 0x16f8_2135_f4b1_61a3, 58, 5_791_141),
            ([Maa, Met], 0xb41e_aafd_b881_cce5_u64, 36, 256_548),
        ];
        for table in all() {
            let moves = table.moves.as_flattened();
            let hash = moves.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, &byte| {
                (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
            });
            let most = moves.iter().max().copied().unwrap_or(0);
            let wins = moves.iter().filter(|&&moves| moves > 0).count();
            let found = (table.kinds, hash, most, wins);
            assert!(known.contains(&found), "{:?} {hash:#018x} {most} {wins}", table.kinds);
        }
    }

    /// Each distance is one more than that of the best move, and each win has one; found by making the moves.
    #[test]
    fn distances_agree_with_those_a_move_later() {
        let mut checked = 0;
        for table in all() {
            for number in (0..PLACEMENTS).step_by(211) {
                let khun = number / 4096;
                let khun = Square::from_index(khun / 4 * 8 + khun % 4);
                let men = [Square::from_index(number / 64 % 64), Square::from_index(number % 64)];
                let placement = Placement { khun, men };
                if men.contains(&khun) {
                    continue;
                }
                let is_lone = placement.is_lone();
                for prey in !(placement.occupied() | attacks::khun(khun)) {
                    let occupied = placement.occupied() | prey.into();
                    let mut best = None;
                    let mut consider = |after: Placement| {
                        if let Some(plies) = table.plies(after.khun, after.men, prey, false) {
                            best = Some(best.map_or(plies + 1, |best: i32| best.min(plies + 1)));
                        }
                    };
                    for to in attacks::khun(khun) & !occupied & !attacks::khun(prey) {
                        consider(Placement { khun: to, men });
                    }
                    for man in 0..if is_lone { 1 } else { 2 } {
                        for to in attacks::of(table.kinds[man], Color::White, men[man], occupied) & !occupied
                        {
                            let mut men = if is_lone { [to; 2] } else { men };
                            men[man] = to;
                            consider(Placement { khun, men });
                        }
                    }
                    let found = table.plies(khun, men, prey, true);
                    assert_eq!(found, best, "{:?} {khun} {men:?} {prey}", table.kinds);
                    checked += 1;
                }
            }
        }
        assert!(checked > 100_000, "{checked}");
    }
}
